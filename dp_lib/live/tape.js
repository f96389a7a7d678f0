// The player of a tape (its format: tracing.py). Every value is an array: a scalar's has one entry, read again and
// again through the mask 0, where a vector is read through the mask -1: `a[i & p]`. So one loop serves all shapes.
"use strict";

(() => {
  const { kernels } = globalThis.liveTape;

  // One loop an operation, so that the engine can inline it: (length, result, then each operand and its mask).
  const loops = {
    add: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] + b[i & q]; },
    sub: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] - b[i & q]; },
    mul: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] * b[i & q]; },
    div: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] / b[i & q]; },
    neg: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = -a[i & p]; },
    abs: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.abs(a[i & p]); },
    reciprocal: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = 1 / a[i & p]; },
    square: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = a[i & p] * a[i & p]; },
    sqrt: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.sqrt(a[i & p]); },
    exp: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.exp(a[i & p]); },
    exp2: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.pow(2, a[i & p]); },
    expm1: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.expm1(a[i & p]); },
    log: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.log(a[i & p]); },
    log2: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.log2(a[i & p]); },
    log10: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.log10(a[i & p]); },
    log1p: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.log1p(a[i & p]); },
    sin: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.sin(a[i & p]); },
    cos: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.cos(a[i & p]); },
    tan: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.tan(a[i & p]); },
    arctan: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.atan(a[i & p]); },
    sinh: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.sinh(a[i & p]); },
    cosh: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.cosh(a[i & p]); },
    tanh: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.tanh(a[i & p]); },
    arctanh: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.atanh(a[i & p]); },
    floor: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.floor(a[i & p]); },
    ceil: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.ceil(a[i & p]); },
    sign: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.sign(a[i & p]) + 0; }, // NumPy: sign(-0) is 0
    // NaN wins, and of 0 and -0 the second.
    min: (n, o, a, p, b, q) => {
      for (let i = 0; i < n; i++) { const x = a[i & p], y = b[i & q]; o[i] = x < y || x !== x ? x : y; }
    },
    max: (n, o, a, p, b, q) => {
      for (let i = 0; i < n; i++) { const x = a[i & p], y = b[i & q]; o[i] = x > y || x !== x ? x : y; }
    },
    lt: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] < b[i & q] ? 1 : 0; },
    le: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] <= b[i & q] ? 1 : 0; },
    eq: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] === b[i & q] ? 1 : 0; },
    ne: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] !== b[i & q] ? 1 : 0; },
    // NaN is true, as in NumPy: what is not 0 is true.
    and: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] !== 0 && b[i & q] !== 0 ? 1 : 0; },
    or: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = a[i & p] !== 0 || b[i & q] !== 0 ? 1 : 0; },
    xor: (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = (a[i & p] !== 0) !== (b[i & q] !== 0) ? 1 : 0; },
    not: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = a[i & p] === 0 ? 1 : 0; },
    isnan: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = a[i & p] !== a[i & p] ? 1 : 0; },
    isinf: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.abs(a[i & p]) === Infinity ? 1 : 0; },
    isfinite: (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = Math.abs(a[i & p]) < Infinity ? 1 : 0; },
    where: (n, o, a, p, b, q, c, r) => { for (let i = 0; i < n; i++) o[i] = a[i & p] !== 0 ? b[i & q] : c[i & r]; },
  };

  // The loop of a scalar function of one to three numbers.
  const loopOf = (f) => [
    (n, o, a, p) => { for (let i = 0; i < n; i++) o[i] = f(a[i & p]); },
    (n, o, a, p, b, q) => { for (let i = 0; i < n; i++) o[i] = f(a[i & p], b[i & q]); },
    (n, o, a, p, b, q, c, r) => { for (let i = 0; i < n; i++) o[i] = f(a[i & p], b[i & q], c[i & r]); },
  ][f.length - 1];

  const find = (name) => {
    if (Object.hasOwn(loops, name)) return loops[name];
    if (Object.hasOwn(kernels, name)) return loopOf(kernels[name]);
    throw new Error(`liveTape: no kernel for the operation "${name}"`);
  };

  const NOWHERE = { values: new Float64Array(1), mask: 0 };

  // One operation: its values, and how to bring them up to date.
  class Step {
    constructor(entry, steps) {
      const [name, ...rest] = entry;
      this.leaf = name === "in" || name === "num";
      this.input = name === "in" ? rest[0] : null;
      this.loop = this.leaf ? null : find(name);
      this.operands = this.leaf ? [] : rest.map((index) => steps[index]);
      [this.a, this.b, this.c] = [...this.operands, NOWHERE, NOWHERE, NOWHERE];
      this.values = new Float64Array(1);
      if (name === "num") this.values[0] = Number(rest[0]);
      this.mask = 0; // -1 for a vector
      this.fresh = name === "num";
      this.known = name !== "in";
    }

    run() {
      const { a, b, c } = this;
      this.loop(this.values.length, this.values, a.values, a.mask, b.values, b.mask, c.values, c.mask);
      this.fresh = true;
    }

    // A vector operation is as long as its vectors, which must agree.
    shape() {
      const vectors = this.operands.filter((operand) => operand.mask);
      const length = vectors.length ? vectors[0].values.length : 1;
      if (vectors.some((vector) => vector.values.length !== length)) {
        throw new Error(`liveTape: vectors of lengths ${vectors.map((v) => v.values.length).join(" and ")} in one operation`);
      }
      this.mask = vectors.length ? -1 : 0;
      if (this.values.length !== length) this.values = new Float64Array(length);
    }

    assign(value) {
      if (typeof value !== "number") {
        this.mask = -1;
        this.values = Float64Array.from(value);
      } else if (this.known && this.mask === 0 && Object.is(this.values[0], value)) {
        return false;
      } else {
        this.mask = 0;
        this.values = Float64Array.of(value);
      }
      this.known = this.fresh = true;
      return true;
    }
  }

  class Tape {
    constructor(operations) {
      this.steps = [];
      for (const entry of operations) this.steps.push(new Step(entry, this.steps));
      this.inputs = new Map(this.steps.filter((step) => step.input !== null).map((step) => [step.input, step]));
      this.followers = new Map([...this.inputs.values()].map((input) => [input, this.followersOf(input)]));
      this.paths = new Map();
    }

    // All that an input changes, in the order of the tape.
    followersOf(input) {
      const reached = new Set([input]);
      for (const step of this.steps) if (step.operands.some((operand) => reached.has(operand))) reached.add(step);
      reached.delete(input);
      return [...reached];
    }

    // All that an operation needs, in the order of the tape.
    pathTo(index) {
      const needed = new Set([this.steps[index]]);
      for (let i = index; i >= 0; i--) if (needed.has(this.steps[i])) this.steps[i].operands.forEach((o) => needed.add(o));
      return this.steps.filter((step) => needed.has(step));
    }

    // A number, or a vector's values, for an input; a name that the tape does not know changes nothing.
    set(name, value) {
      const input = this.inputs.get(name);
      if (!input) return;
      const { mask, values } = input;
      if (!input.assign(value)) return;
      const reshaped = mask !== input.mask || values.length !== input.values.length;
      for (const step of this.followers.get(input)) {
        step.fresh = false;
        if (reshaped) step.shaped = false;
      }
    }

    // An operation's value, a number or the vector itself (read it before the next `set`), after what it needs.
    get(index) {
      if (!this.paths.has(index)) this.paths.set(index, this.pathTo(index));
      for (const step of this.paths.get(index)) {
        if (step.fresh) continue;
        if (!step.known) throw new Error(`liveTape: the input "${step.input}" has no value yet`);
        if (!step.shaped) {
          step.shape();
          step.shaped = true;
        }
        step.run();
      }
      const { values, mask } = this.steps[index];
      return mask ? values : values[0];
    }
  }

  globalThis.liveTape.Tape = Tape;
})();
