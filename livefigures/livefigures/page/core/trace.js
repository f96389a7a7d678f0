// The player of a trace (its format: tracing.py). All values lie in one array m, an operation's result from place o on.
// A vector operand at a is read as m[a + (i & p)] with the mask p = -1, a scalar with the mask 0, again and again the
// same entry: so one loop an operation serves all shapes.
"use strict";

(() => {
  const { functions } = live.trace;

  // One loop an operation, so that the engine can inline it: (length, m, result, then each operand and its mask).
  // prettier-ignore
  const loops = {
    add: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] + m[b + (i & q)]; },
    sub: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] - m[b + (i & q)]; },
    mul: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] * m[b + (i & q)]; },
    div: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] / m[b + (i & q)]; },
    neg: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = -m[a + (i & p)]; },
    abs: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.abs(m[a + (i & p)]); },
    reciprocal: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = 1 / m[a + (i & p)]; },
    square: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] * m[a + (i & p)]; },
    sqrt: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.sqrt(m[a + (i & p)]); },
    exp: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.exp(m[a + (i & p)]); },
    exp2: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.pow(2, m[a + (i & p)]); },
    expm1: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.expm1(m[a + (i & p)]); },
    log: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.log(m[a + (i & p)]); },
    log2: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.log2(m[a + (i & p)]); },
    log10: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.log10(m[a + (i & p)]); },
    log1p: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.log1p(m[a + (i & p)]); },
    sin: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.sin(m[a + (i & p)]); },
    cos: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.cos(m[a + (i & p)]); },
    tan: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.tan(m[a + (i & p)]); },
    arctan: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.atan(m[a + (i & p)]); },
    sinh: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.sinh(m[a + (i & p)]); },
    cosh: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.cosh(m[a + (i & p)]); },
    tanh: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.tanh(m[a + (i & p)]); },
    arctanh: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.atanh(m[a + (i & p)]); },
    floor: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.floor(m[a + (i & p)]); },
    ceil: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.ceil(m[a + (i & p)]); },
    sign: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.sign(m[a + (i & p)]) + 0; }, // NumPy: sign(-0) is 0
    // NaN wins, and of 0 and -0 the second.
    min: (n, m, o, a, p, b, q) => {
      for (let i = 0; i < n; i++) { const x = m[a + (i & p)], y = m[b + (i & q)]; m[o + i] = x < y || x !== x ? x : y; }
    },
    max: (n, m, o, a, p, b, q) => {
      for (let i = 0; i < n; i++) { const x = m[a + (i & p)], y = m[b + (i & q)]; m[o + i] = x > y || x !== x ? x : y; }
    },
    lt: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] < m[b + (i & q)] ? 1 : 0; },
    le: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] <= m[b + (i & q)] ? 1 : 0; },
    eq: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] === m[b + (i & q)] ? 1 : 0; },
    ne: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] !== m[b + (i & q)] ? 1 : 0; },
    // NaN is true, as in NumPy: what is not 0 is true.
    and: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] !== 0 && m[b + (i & q)] !== 0 ? 1 : 0; },
    or: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] !== 0 || m[b + (i & q)] !== 0 ? 1 : 0; },
    xor: (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = (m[a + (i & p)] !== 0) !== (m[b + (i & q)] !== 0) ? 1 : 0; },
    not: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] === 0 ? 1 : 0; },
    isnan: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] !== m[a + (i & p)] ? 1 : 0; },
    isinf: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.abs(m[a + (i & p)]) === Infinity ? 1 : 0; },
    isfinite: (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = Math.abs(m[a + (i & p)]) < Infinity ? 1 : 0; },
    where: (n, m, o, a, p, b, q, c, r) => { for (let i = 0; i < n; i++) m[o + i] = m[a + (i & p)] !== 0 ? m[b + (i & q)] : m[c + (i & r)]; },
    // Of a list at b: how many points, the values to the left and to the right of them, the points, and their heights.
    interp: (n, m, o, a, p, b, q) => {
      const first = b + 3 + q;
      const count = m[b];
      for (let i = 0; i < n; i++) {
        const x = m[a + (i & p)];
        let [low, high] = [first, first + count];
        while (high - low > 1) {
          const middle = (low + high) >> 1;
          if (m[middle] <= x) low = middle;
          else high = middle;
        }
        const y = m[low + count];
        const slope = (m[low + count + 1] - y) / (m[low + 1] - m[low]);
        const last = low === first + count - 1;
        m[o + i] = x < m[low] ? m[b + 1] : last ? (x > m[low] ? m[b + 2] : y) : slope * (x - m[low]) + y;
      }
    },
  };

  // The loop of a scalar function of one to three numbers.
  // prettier-ignore
  const loopOf = (f) => [
    (n, m, o, a, p) => { for (let i = 0; i < n; i++) m[o + i] = f(m[a + (i & p)]); },
    (n, m, o, a, p, b, q) => { for (let i = 0; i < n; i++) m[o + i] = f(m[a + (i & p)], m[b + (i & q)]); },
    (n, m, o, a, p, b, q, c, r) => { for (let i = 0; i < n; i++) m[o + i] = f(m[a + (i & p)], m[b + (i & q)], m[c + (i & r)]); },
  ][f.length - 1];

  const find = (name) => {
    if (Object.hasOwn(loops, name)) return loops[name];
    if (Object.hasOwn(functions, name)) return loopOf(functions[name]);
    throw new Error(`live.trace: no arithmetic for the operation "${name}"`);
  };

  // How many operands: a loop has three arguments before them, and two for each; a "call", of verbs.py, has one.
  const arity = (name) => (name === "call" ? 1 : loops[name] ? (loops[name].length - 3) / 2 : functions[name].length);

  const LEAVES = ["in", "num", "list"];
  const SCALAR = 0; // lengths: of a vector its own
  const MIXED = -1; // two vectors of unlike lengths meet: an error once it is asked for
  const UNSET = -2;

  class Player {
    constructor(operations) {
      const isLeaf = ([name]) => LEAVES.includes(name);
      const nothing = operations.length; // stands for an operand that an operation does not have
      const operand = (place) =>
        Int32Array.from(operations, (entry) => (isLeaf(entry) ? nothing : (entry[place] ?? nothing)));
      this.operations = operations;
      this.loops = operations.map((entry) => (isLeaf(entry) ? null : find(entry[0])));
      this.operands = [operand(1), operand(2), operand(3)];
      this.inputs = new Map();
      operations.forEach(([name, label], index) => name === "in" && this.inputs.set(label, index));
      this.given = new Map(); // an input's index and its value
      this.followers = new Map([...this.inputs.values()].map((input) => [input, this.followersOf(input)]));
      this.paths = new Map();
      this.fresh = new Uint8Array(nothing + 1);
      this.lengths = new Int32Array(nothing + 1);
      this.masks = new Int32Array(nothing + 1);
      this.places = new Int32Array(nothing + 1);
      this.planned = false;
    }

    // All that an input changes, in the order of the trace.
    followersOf(input) {
      const [a, b, c] = this.operands;
      const reached = new Uint8Array(this.operations.length + 1);
      reached[input] = 1;
      for (let i = input + 1; i < a.length; i++) reached[i] = reached[a[i]] | reached[b[i]] | reached[c[i]];
      reached[input] = 0;
      return indices(reached);
    }

    // All that an operation needs, in the order of the trace.
    pathTo(index) {
      const [a, b, c] = this.operands;
      const needed = new Uint8Array(this.operations.length + 1);
      needed[index] = 1;
      for (let i = index; i >= 0; i--) if (needed[i]) needed[a[i]] = needed[b[i]] = needed[c[i]] = 1;
      needed[this.operations.length] = 0;
      return indices(needed);
    }

    // A place in memory for every operation. A vector operation is as long as its vectors, which must agree.
    plan() {
      const [a, b, c] = this.operands;
      const { lengths, masks, places } = this;
      let next = 1; // place 0 is nothing's
      for (let i = 0; i < a.length; i++) {
        const [name, value] = this.operations[i];
        const given = this.given.get(i);
        if (this.loops[i]) lengths[i] = joined(lengths[a[i]], joined(lengths[b[i]], lengths[c[i]]));
        else if (name === "in") lengths[i] = given === undefined ? UNSET : (given.length ?? SCALAR);
        masks[i] = lengths[i] > 0 ? -1 : 0;
        places[i] = next;
        next += Math.max(1, name === "list" ? value.length : lengths[i]);
      }
      this.memory = new Float64Array(next);
      this.fresh.fill(0);
      this.operations.forEach(([name, value], i) => {
        if (name === "num") this.write(i, Number(value));
        if (name === "list") this.write(i, value);
      });
      for (const [input, value] of this.given) this.write(input, value);
      this.planned = true;
    }

    write(leaf, value) {
      if (typeof value === "number") this.memory[this.places[leaf]] = value;
      else this.memory.set(value, this.places[leaf]);
      this.fresh[leaf] = 1;
    }

    // A number, or a vector's values, for an input. A name that the trace does not know changes nothing.
    set(name, value) {
      const input = this.inputs.get(name);
      const before = this.given.get(input);
      if (input === undefined || Object.is(before, value)) return;
      if (value.length === 0) throw new Error(`live.trace: an empty vector for the input "${name}"`);
      this.given.set(input, typeof value === "number" ? value : Float64Array.from(value));
      if (!this.planned || before === undefined || before.length !== value.length) {
        this.planned = false;
        return;
      }
      this.write(input, value);
      for (const index of this.followers.get(input)) this.fresh[index] = 0;
    }

    // An operation's value, a number or the vector itself (read it before the next `set`), after what it needs.
    get(index) {
      if (!this.planned) this.plan();
      if (!this.paths.has(index)) this.paths.set(index, this.pathTo(index));
      for (const i of this.paths.get(index)) if (!this.fresh[i]) this.run(i);
      const place = this.places[index];
      return this.masks[index] ? this.memory.subarray(place, place + this.lengths[index]) : this.memory[place];
    }

    run(i) {
      const { lengths, masks, places, memory } = this;
      const [a, b, c] = [this.operands[0][i], this.operands[1][i], this.operands[2][i]];
      if (lengths[i] < 0) throw new Error(`live.trace: ${this.complaint(i)}`);
      const length = lengths[i] || 1;
      this.loops[i](length, memory, places[i], places[a], masks[a], places[b], masks[b], places[c], masks[c]);
      this.fresh[i] = 1;
    }

    complaint(i) {
      const [name, label] = this.operations[i];
      return name === "in" ? `the input "${label}" has no value yet` : `"${name}" of vectors of unlike lengths`;
    }
  }

  const indices = (marks) => Int32Array.from(marks.keys()).filter((i) => marks[i]);

  const joined = (length, other) => {
    if (length === other || other === SCALAR || other === UNSET) return length === UNSET ? SCALAR : length;
    return length === SCALAR || length === UNSET ? other : MIXED;
  };

  // A trace as its page carries it (`packed` in programme.py): an operand below 0 is so many steps back.
  function unpacked(operations) {
    if (typeof operations[1] !== "string") return operations; // made on the page
    const [kinds, letters, leaves, operands] = operations;
    let [leaf, operand] = [0, 0];
    return [...letters].map((letter, i) => {
      const name = kinds[letter.charCodeAt() - 65];
      if (LEAVES.includes(name)) return [name, leaves[leaf++]];
      return [name, ...operands.slice(operand, (operand += arity(name))).map((at) => (at < 0 ? i + at : at))];
    });
  }

  Object.assign(live.trace, { Player, unpacked });
})();
