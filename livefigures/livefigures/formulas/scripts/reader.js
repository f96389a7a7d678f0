// A typed line as a tape. It reads the grammar of grammar.py, a part of Python's own, and puts the book's verbs, which
// are tapes already, where they are called. No text is run as a program, and no formula of the book lives here.
"use strict";

(() => {
  const LONGEST = 1000; // characters of a line
  const LONGEST_NAME = 30;
  const DEEPEST = 50; // brackets, signs and the like within one another
  const MOST_TERMS = 200; // of a `for` within min, max or sum
  const MOST_OPERATIONS = 12000; // of all lines together: a redraw of 201 points then takes about 8 ms
  const BINARY = { "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floordiv", "%": "mod", "**": "pow" };
  const DIVISIONS = ["/", "//", "%", "**"]; // 0 has no negative power
  const COMPARED = { "<": "lt", "<=": "le", ">": "lt", ">=": "le", "==": "eq", "!=": "ne" };
  const REDUCED = { min: "min", max: "max", sum: "add" };
  const WORDS = ["if", "else", "for", "in", "and", "or", "not", "lambda"];
  // Python's other words, of which no name can be one.
  const RESERVED = (
    "None True False is as def class del from import global nonlocal pass raise return try while with yield " +
    "assert async await break continue elif except finally"
  ).split(" ");
  const CONSTANTS = { pi: Math.PI, e: Math.E };

  class Fault extends Error {
    constructor(message, at) {
      super(message);
      this.at = at;
    }
  }
  const refuse = (message, node) => {
    throw new Fault(message, node.at);
  };

  // How many letters have to be changed, put in, taken out or swapped with the next to turn one word into the other.
  function distance(one, other) {
    const rows = [[...other, ""].map((_, j) => j)];
    [...one].forEach((letter, i) => {
      const row = [i + 1];
      [...other].forEach((wanted, j) => {
        const swapped = i && j && letter === other[j - 1] && one[i - 1] === wanted;
        const steps = [rows[i][j] + (letter !== wanted), rows[i][j + 1] + 1, row[j] + 1];
        row.push(Math.min(...steps, swapped ? rows[i - 1][j - 1] + 1 : Infinity));
      });
      rows.push(row);
    });
    return rows.at(-1).at(-1);
  }

  // What a word with a slip of the pen, or the beginning of a word, was meant to be: the end of a message, or nothing.
  function meant(word, known) {
    const far = (other) => (word.length > 2 && other.startsWith(word) ? 0 : distance(word, other));
    const [best] = [...known].sort((one, other) => far(one) - far(other));
    return best && far(best) <= Math.min(2, word.length / 3) ? `; did you mean ${best}?` : "";
  }

  function missing(says, word, has, known) {
    const guess = meant(word, known);
    return `${says}${guess || "."} ${has} ${known.join(", ")}`;
  }

  // ---- the words of a line

  const TOKEN =
    /[ \t]*(?:((?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|\/\/|<=|>=|==|!=|[-+*/%<>=().,:[\]]))/y;

  function tokens(text) {
    if (text.length > LONGEST) throw new Fault(`a line has at most ${LONGEST} characters`, LONGEST);
    const found = [];
    const end = text.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const start = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) {
        const at = start + /^[ \t]*/.exec(text.slice(start))[0].length;
        const [sign] = text.slice(at);
        const instead = "^²³".includes(sign)
          ? ": a power is **"
          : book.symbols[sign]
            ? `: write ${book.symbols[sign]}`
            : "";
        throw new Fault(`${sign} has no meaning here${instead}`, at);
      }
      const [whole, number, name, sign] = match;
      const at = start + whole.length - (number ?? name ?? sign).length;
      if (number && (/^0[\d_]/.test(number) || /[A-Za-z0-9_.]/.test(text[TOKEN.lastIndex] ?? ""))) {
        throw new Fault("this is no number; between a number and a name stands *", at);
      }
      if (RESERVED.includes(name)) throw new Fault(`${name} has no meaning here`, at);
      if (name && (name[0] === "_" || name.length > LONGEST_NAME)) throw new Fault("this is no name here", at);
      const kind = number ? "number" : name && !WORDS.includes(name) ? "name" : "sign";
      found.push({ kind, text: number ?? name ?? sign, at });
    }
    return [...found, { kind: "end", text: "", at: end }];
  }

  // ---- from words to a tree, as Python's grammar has it

  class Reader {
    constructor(text) {
      this.tokens = tokens(text);
      this.place = 0;
      this.depth = 0;
    }

    get next() {
      return this.tokens[this.place];
    }

    is(...signs) {
      return this.next.kind === "sign" && signs.includes(this.next.text);
    }

    take(sign) {
      if (!this.is(sign)) {
        const found = this.next.kind === "end" ? "the line ends" : this.next.text;
        refuse(`${sign} expected, but ` + (found === "the line ends" ? found : `here stands ${found}`), this.next);
      }
      return this.tokens[this.place++];
    }

    taken(sign) {
      return this.is(sign) && this.tokens[this.place++];
    }

    deeper(read) {
      if (++this.depth > DEEPEST) refuse("too many brackets within brackets", this.next);
      const node = read();
      this.depth--;
      return node;
    }

    line() {
      const [first, second] = this.tokens;
      const named = first.kind === "name" && second && second.kind === "sign" && second.text === "=";
      if (named) this.place = 2;
      const node = this.list();
      const { kind, text } = this.next;
      if (kind !== "end")
        refuse(`${text} cannot stand here${kind === "sign" ? "" : ": is there a * missing before it?"}`, this.next);
      return { name: named ? first.text : "", at: first.at, node };
    }

    // a, b without brackets is a pair too, in Python
    list() {
      const first = this.expression();
      if (!this.is(",")) return first;
      const items = [first];
      while (this.taken(",") && !this.is(")") && this.next.kind !== "end") items.push(this.expression());
      return { type: "tuple", items, at: first.at };
    }

    expression() {
      return this.deeper(() => {
        const start = this.taken("lambda");
        if (start) {
          const argument = this.name();
          this.take(":");
          return { type: "lambda", argument, body: this.expression(), at: start.at };
        }
        const body = this.either();
        if (!this.taken("if")) return body;
        const test = this.either();
        this.take("else");
        return { type: "if", body, test, other: this.expression(), at: body.at };
      });
    }

    name() {
      if (this.next.kind !== "name") refuse("a name belongs here", this.next);
      return this.tokens[this.place++].text;
    }

    either() {
      return this.chain(["or"], () => this.chain(["and"], () => this.negated(), "logic"), "logic");
    }

    negated() {
      const sign = this.taken("not");
      return sign ? this.deeper(() => ({ type: "not", of: this.negated(), at: sign.at })) : this.comparison();
    }

    comparison() {
      const sides = [this.sum()];
      const signs = [];
      while (this.is(...Object.keys(COMPARED))) {
        signs.push(this.tokens[this.place++].text);
        sides.push(this.sum());
      }
      return signs.length ? { type: "compare", sides, signs, at: sides[0].at } : sides[0];
    }

    chain(signs, side, type) {
      let left = side();
      let long = 0;
      while (this.is(...signs)) {
        if (++long > 3 * DEEPEST) refuse("this is too long a chain", this.next);
        const sign = this.tokens[this.place++].text;
        left = { type, sign, left, right: side(), at: left.at };
      }
      return left;
    }

    sum() {
      return this.chain(["+", "-"], () => this.chain(["*", "/", "//", "%"], () => this.signed(), "binary"), "binary");
    }

    signed() {
      const sign = this.taken("-") || this.taken("+");
      return sign
        ? this.deeper(() => ({ type: "sign", sign: sign.text, of: this.signed(), at: sign.at }))
        : this.power();
    }

    power() {
      const left = this.primary();
      if (!this.taken("**")) return left;
      return { type: "binary", sign: "**", left, right: this.deeper(() => this.signed()), at: left.at };
    }

    primary() {
      let node = this.atom();
      for (let long = 0; ; long++) {
        if (long > DEEPEST) refuse("this is too long a chain", this.next);
        if (this.taken(".")) node = { type: "attribute", of: node, at: node.at, last: this.next.at, name: this.name() };
        else if (this.taken("[")) {
          node = { type: "index", of: node, index: this.expression(), at: node.at };
          this.take("]");
        } else if (this.taken("(")) node = { type: "call", of: node, ...this.arguments(), at: node.at };
        else return node;
      }
    }

    arguments() {
      const given = [];
      const named = [];
      while (!this.taken(")")) {
        const after = this.tokens[this.place + 1];
        if (this.next.kind === "name" && after.kind === "sign" && after.text === "=") {
          const at = this.next.at;
          const name = this.name();
          if (named.some((other) => other.name === name)) refuse(`${name} is given twice`, { at });
          this.take("=");
          named.push({ name, value: this.expression(), at });
        } else {
          if (named.length) refuse("arguments by name come last", this.next);
          given.push(this.generator(this.expression(), given.length));
        }
        if (!this.is(")")) this.take(this.next.kind === "end" ? ")" : ",");
        else if (given.some(({ type }) => type === "each") && given.length + named.length > 1) {
          refuse("one name, and one for, without if", given[0]);
        }
      }
      return { given, named };
    }

    generator(body, before) {
      if (!this.taken("for")) return body;
      if (before) refuse("for stands alone in its brackets", body);
      const name = this.name();
      this.take("in");
      const places = this.either();
      if (!this.is(")")) refuse("one name, and one for, without if", this.next);
      return { type: "each", body, name, places, at: body.at };
    }

    atom() {
      const token = this.next;
      if (token.kind === "number") {
        this.place++;
        const text = token.text.replaceAll("_", ""); // 60_000
        const value = Number(text);
        if (!(value < 1e308)) refuse("this number is too large", token);
        return { type: "number", value, whole: /^\d+$/.test(text), at: token.at };
      }
      if (token.kind === "name") return { type: "name", name: this.name(), at: token.at };
      if (!this.is("(", "[")) {
        refuse(token.kind === "end" ? "the line ends too early" : `${token.text} cannot stand here`, token);
      }
      this.place++;
      const closing = token.text === "(" ? ")" : "]";
      const items = [];
      let comma = null;
      while (!this.is(closing)) {
        items.push(this.expression());
        comma = this.taken(",");
        if (!comma && !this.is(closing)) this.take(closing);
      }
      this.take(closing);
      if (closing === ")" && items.length === 1 && !comma) return { ...items[0], at: token.at, bracketed: true };
      if (!items.length) refuse("something belongs into the brackets", token);
      return { type: closing === ")" ? "tuple" : "list", items, at: token.at };
    }
  }

  const read = (text) => new Reader(text).line();

  // ---- names that a line takes from elsewhere, in reading order

  function namesOf(node, bound = [], found = new Set()) {
    const { type, of, name } = node;
    const inside = (other, more = []) => namesOf(other, [...bound, ...more], found);
    if (type === "name") {
      if (!bound.includes(name)) found.add(name);
    } else if (type === "lambda") inside(node.body, [node.argument]);
    else if (type === "each") {
      inside(node.places);
      inside(node.body, [name]);
    } else if (type === "call") {
      if (of.type !== "name" && !(of.type === "attribute" && of.of.type === "name")) inside(of);
      [...node.given, ...node.named.map(({ value }) => value)].forEach((part) => inside(part));
    } else if (type !== "attribute" || of.type !== "name" || !isModule(of.name)) {
      for (const part of Object.values(node).flat()) if (part.type) inside(part);
    }
    return found;
  }

  // ---- the book's verbs

  const book = { verbs: {}, operations: [], needs: new Map(), homes: new Map(), symbols: {} }; // homes: a module's functions
  const isLeaf = (name) => name === "in" || name === "num";
  const isModule = (name) => book.homes.has(name);

  // What bundle.py wrote: the verbs, whose tape comes packed, and `elementwise`, NumPy's functions by their names.
  function learn({ operations, ...words }) {
    const named = Object.entries(words.ranges).map(([name, [symbol]]) => [symbol, name]);
    const symbols = Object.fromEntries(named.filter(([symbol]) => /^[^\0-\x7f]$/u.test(symbol)));
    Object.assign(book, words, { operations: live.trace.unpacked(operations), symbols });
    for (const full of ["np.where", ...Object.keys({ ...book.elementwise, ...book.verbs })]) {
      const [home, verb] = full.split(".");
      if (!isModule(home)) book.homes.set(home, []);
      book.homes.get(home).push(verb);
    }
  }

  // All that some of a verb's outputs need, in the order of the tape.
  function needed(outputs) {
    const key = outputs.join();
    if (book.needs.has(key)) return book.needs.get(key);
    const marks = new Uint8Array(book.operations.length);
    for (const output of outputs) marks[output] = 1;
    for (let i = Math.max(...outputs); i >= 0; i--) {
      const [name, ...rest] = book.operations[i];
      if (marks[i] && !isLeaf(name)) for (const place of rest) marks[place] = 1;
    }
    const found = Int32Array.from(marks.keys()).filter((i) => marks[i]);
    book.needs.set(key, found);
    return found;
  }

  // ---- from a tree to a tape

  class Composer {
    constructor(operations = []) {
      this.operations = [];
      this.seen = new Map();
      this.calls = []; // of the book's functions: of each its inputs' places and its result's
      this.divisors = new Map(); // by the place of a typed quotient its divisor's, of a power its base's
      for (const operation of operations) this.append(operation);
    }

    append(operation) {
      this.operations.push(operation);
      const key = operation.join();
      if (!this.seen.has(key)) this.seen.set(key, this.operations.length - 1);
      return this.operations.length - 1;
    }

    // What is there already is used again; what stands between numbers alone is a number.
    write(name, ...rest) {
      if (!isLeaf(name) && rest.every((place) => this.operations[place][0] === "num")) {
        return this.number(
          this.folded(
            name,
            rest.map((place) => Number(this.operations[place][1])),
          ),
        );
      }
      const key = [name, ...rest].join();
      if (this.seen.has(key)) return this.seen.get(key);
      if (this.operations.length >= MOST_OPERATIONS) {
        throw new Fault(`this takes more than ${MOST_OPERATIONS} operations: use a notebook`, 0);
      }
      return this.append([name, ...rest]);
    }

    number(value) {
      const key = `num,${Object.is(value, -0) ? "-0" : value}`;
      if (!this.seen.has(key)) this.seen.set(key, this.operations.push(["num", value]) - 1);
      return this.seen.get(key);
    }

    folded(name, values) {
      const tape = new live.trace.Player([...values.map((value) => ["num", value]), [name, ...values.keys()]]);
      return tape.get(values.length);
    }

    input(name) {
      return this.write("in", name);
    }

    // A verb's tape, with places of this tape for its inputs, and a function for what it calls.
    inline(outputs, inputs, curve) {
      const places = new Map();
      for (const i of needed(outputs)) {
        const [name, ...rest] = book.operations[i];
        if (name === "in") places.set(i, inputs.get(rest[0]));
        else if (name === "num") places.set(i, this.number(Number(rest[0])));
        else if (name === "call") places.set(i, curve(places.get(rest[0])));
        else places.set(i, this.write(name, ...rest.map((place) => places.get(place))));
      }
      return outputs.map((output) => places.get(output));
    }
  }

  // A value is { place }, { truth } (a comparison's place), { pair: [place, place], fields } or { curve }.
  class Walk {
    constructor(composer) {
      this.to = composer;
    }

    value(node, names) {
      return this[node.type](node, names);
    }

    place(node, names) {
      const value = this.value(node, names);
      if (value.pair)
        refuse(
          "two numbers stand here: say which, " +
            (value.fields.map((field) => `.${field}`).join(" or ") || "[0] or [1]") +
            decimalOf(node),
          node,
        );
      if (value.curve) refuse("a function stands here, not a number", node);
      if ("truth" in value) refuse("a comparison is no number: write 1 if a < b else 0", node);
      return value.place;
    }

    truthOf(node, names) {
      const value = this.value(node, names);
      if (!("truth" in value)) refuse("a comparison belongs here, such as a < b", node);
      return value.truth;
    }

    number({ value }) {
      return { place: this.to.number(value) };
    }

    name(node, names) {
      if (Object.hasOwn(names, node.name)) return names[node.name];
      if (isModule(node.name)) refuse(`${node.name} is a module: write ${node.name}.function(...)`, node);
      return refuse(`nothing here is called ${node.name}`, node);
    }

    binary(node, names) {
      const places = [node.left, node.right].map((side) => this.place(side, names));
      const place = this.to.write(BINARY[node.sign], ...places);
      if (DIVISIONS.includes(node.sign)) this.to.divisors.set(place, places[node.sign === "**" ? 0 : 1]);
      if (isLiteral(node) && !Number.isFinite(this.to.operations[place][1])) refuse("this gives no number", node);
      return { place };
    }

    sign(node, names) {
      const place = this.place(node.of, names);
      return { place: node.sign === "-" ? this.to.write("neg", place) : place };
    }

    not(node, names) {
      return { truth: this.to.write("not", this.truthOf(node.of, names)) };
    }

    logic(node, names) {
      return { truth: this.to.write(node.sign, this.truthOf(node.left, names), this.truthOf(node.right, names)) };
    }

    compare(node, names) {
      const places = node.sides.map((side) => this.place(side, names));
      const truths = node.signs.map((sign, i) => {
        const [a, b] = sign[0] === ">" ? [places[i + 1], places[i]] : [places[i], places[i + 1]];
        return this.to.write(COMPARED[sign], a, b);
      });
      return { truth: truths.reduce((all, truth) => this.to.write("and", all, truth)) };
    }

    if(node, names) {
      const parts = [this.truthOf(node.test, names), this.place(node.body, names), this.place(node.other, names)];
      return { place: this.to.write("where", ...parts) };
    }

    tuple(node, names) {
      if (node.items.length !== 2) refuse("a pair has two numbers", node);
      return { pair: node.items.map((item) => this.place(item, names)), fields: [] };
    }

    list(node) {
      return refuse("a list stands only after in: for alpha in [2, 4, 8]", node);
    }

    each(node) {
      return refuse("for stands only in min(...), max(...) and sum(...)", node);
    }

    lambda(node, names) {
      return { curve: (place) => this.place(node.body, { ...names, [node.argument]: { place } }) };
    }

    attribute(node, names) {
      const { of, name } = node;
      if (of.type === "name" && !Object.hasOwn(names, of.name) && isModule(of.name)) {
        if (of.name === "np" && Object.hasOwn(CONSTANTS, name)) return { place: this.to.number(CONSTANTS[name]) };
        const known =
          Object.hasOwn(book.verbs, `${of.name}.${name}`) || Object.hasOwn(book.elementwise, `${of.name}.${name}`);
        refuse(known ? `${of.name}.${name} is called with brackets` : `${of.name} has no ${name} here`, node);
      }
      const value = this.value(of, names);
      const place = value.pair ? value.fields.indexOf(name) : -1;
      if (place < 0) refuse(`this has no ${name}`, node);
      return { place: value.pair[place] };
    }

    index(node, names) {
      const value = this.value(node.of, names);
      if (!value.pair) refuse("only two numbers have a [0] and a [1]", node);
      const { type, value: place, whole } = node.index;
      if (type !== "number" || !whole || !(place < value.pair.length)) refuse("write [0] or [1]", node);
      return { place: value.pair[place] };
    }

    call(node, names) {
      if (node.of.type === "name") return this.builtin(node, names);
      const { of, name } = node.of;
      if (node.of.type !== "attribute" || of.type !== "name")
        refuse(`only functions of a module are called, such as ${book.example.split("(")[0]}(...)`, node);
      if (of.name === "np" || of.name === "special") return this.elementwise(node, `${of.name}.${name}`, names);
      const full = `${of.name}.${name}`;
      if (!Object.hasOwn(book.verbs, full)) {
        const elsewhere = [of.name, full].find((one) => book.notebook.includes(one));
        if (elsewhere) refuse(`${elsewhere} works only in a notebook`, node.of);
        const own = book.homes.get(of.name);
        if (own) refuse(missing(`${full} is not here`, name, `${of.name} has`, own), { at: node.of.last });
        refuse(
          missing(`no module is called ${of.name} here`, of.name, "The modules are", [...book.homes.keys()]),
          node.of,
        );
      }
      return this.verb(node, full, names);
    }

    elementwise(node, full, names) {
      if (full === "np.where") {
        if (node.given.length !== 3 || node.named.length) refuse("write np.where(a < b, x, y)", node);
        const [test, body, other] = node.given;
        return this.if({ test, body, other }, names);
      }
      if (!Object.hasOwn(book.elementwise, full)) {
        const { name, of } = node.of;
        const known = book.homes.get(of.name);
        refuse(missing(`${full} is not here`, name, `${of.name} has`, known), { at: node.of.last });
      }
      const [operation, count] = book.elementwise[full];
      if (node.given.length !== count || node.named.length)
        refuse(`${full} takes ${count} number${count > 1 ? "s" : ""}`, node);
      return { place: this.to.write(operation, ...node.given.map((part) => this.place(part, names))) };
    }

    verb(node, full, names) {
      const { arguments: wanted, fields, out } = book.verbs[full];
      const many = wanted.find((argument) => argument.many);
      const inputs = new Map();
      let [key, curve] = ["0", null];
      const bind = (name, kind, part) => {
        if (kind === "pair") this.pair(part, names).forEach((place, i) => inputs.set(`${name}.${i}`, place));
        else if (kind === "curve") curve = this.curve(part, names);
        else if (kind === "order") key = this.order(full, part, out, names);
        else inputs.set(name, this.place(part, names));
      };
      if (many) {
        key = String(node.given.length);
        if (node.named.length || !Object.hasOwn(out, key))
          refuse(`${full} takes 1 to ${Object.keys(out).length} of them here`, node);
        node.given.forEach((part, i) => bind(`${many.name}${i}`, many.kind, part));
      } else {
        if (node.given.length > wanted.length) refuse(`${full} takes ${signature(full)}`, node.given[wanted.length]);
        for (const { name, at } of node.named) {
          const place = wanted.findIndex((argument) => argument.name === name);
          if (place < 0) refuse(`${full} has no ${name}: it takes ${signature(full)}`, { at });
          if (place < node.given.length) refuse(`${name} is given twice`, { at });
        }
        wanted.forEach(({ name, kind, default: rest }, i) => {
          const part = node.given[i] ?? node.named.find((other) => other.name === name)?.value;
          if (part) bind(name, kind, part);
          else if (rest !== undefined) inputs.set(name, this.to.number(rest));
          else refuse(`${full} needs ${name}: it takes ${signature(full)}`, node);
        });
      }
      const places = this.to.inline(out[key], inputs, curve);
      if (!curve) this.to.calls.push({ full, outputs: out[key], inputs, place: places[0] });
      return places.length === 1 ? { place: places[0] } : { pair: places, fields };
    }

    pair(part, names) {
      const value = this.value(part, names);
      if (!value.pair) refuse(`two numbers belong here, such as ${book.instead.pair ?? "(1, 2)"}`, part);
      return value.pair;
    }

    curve(part, names) {
      const value = this.value(part, names);
      if (!value.curve) refuse("a function of the order belongs here: lambda alpha: ...", part);
      return value.curve;
    }

    order(full, part, out, names) {
      const [name, value] = this.to.operations[this.place(part, names)];
      if (name === "num" && Object.hasOwn(out, String(value))) return String(value);
      return refuse(`${full} is here at the orders ${Object.keys(out).join(", ")} only, as plain numbers`, part);
    }

    builtin(node, names) {
      const { name } = node.of;
      if (name === "abs" && node.given.length === 1 && !node.named.length) {
        return { place: this.to.write("abs", this.place(node.given[0], names)) };
      }
      if (!Object.hasOwn(REDUCED, name)) refuse(`no function is called ${name} here${homesOf(name)}`, node);
      if (node.named.length) refuse(`${name} takes no arguments by name`, node);
      const [first] = node.given;
      let places = [];
      if (node.given.length === 1 && first.type === "each") {
        places = this.terms(first).map((value) =>
          this.place(first.body, { ...names, [first.name]: { place: this.to.number(value) } }),
        );
      } else if (node.given.length > 1 && name !== "sum") places = node.given.map((part) => this.place(part, names));
      else refuse(`write ${name}(... for alpha in range(2, 65))`, node);
      return { place: places.reduce((one, other) => this.to.write(REDUCED[name], one, other)) };
    }

    terms({ places: node }) {
      let values = [];
      if (node.type === "tuple" || node.type === "list") values = node.items.map((item) => this.plain(item));
      else if (node.type === "call" && node.of.type === "name" && node.of.name === "range") {
        const ends = node.given.map((end) => this.plain(end));
        const whole = node.given.every(isWhole);
        if (ends.length < 1 || ends.length > 3 || node.named.length || !whole || ends[2] === 0) {
          refuse("write range(2, 65), with whole numbers", node);
        }
        const [low, high, step] = [ends.length > 1 ? ends[0] : 0, ends.length > 1 ? ends[1] : ends[0], ends[2] ?? 1];
        for (let value = low; step > 0 ? value < high : value > high; value += step) {
          if (values.push(value) > MOST_TERMS) break;
        }
      } else refuse("write range(2, 65), or (2, 4, 8)", node);
      if (values.length < 1 || values.length > MOST_TERMS) refuse(`from 1 to ${MOST_TERMS} terms`, node);
      return values;
    }

    plain(node) {
      if (!isLiteral(node)) refuse("a plain number belongs here", node);
      return Number(this.to.operations[this.place(node, {})][1]);
    }
  }

  const isLiteral = ({ type, left, right, of }) =>
    type === "number" ||
    (type === "binary" && isLiteral(left) && isLiteral(right)) ||
    (type === "sign" && isLiteral(of));

  // What 1,5 was meant to be: the end of a message, or nothing.
  function decimalOf({ type, items }) {
    const next = (node, side) => node[side] ?? (side === "right" && node.type === "sign" && node.of);
    const end = (node, side) => (next(node, side) ? end(next(node, side), side) : node);
    const numbers = type === "tuple" ? [end(items[0], "right"), end(items[1], "left")] : [{}];
    if (!numbers.every(({ whole }) => whole)) return "";
    const [one, other] = numbers.map(({ value }) => value);
    return `; a decimal point is written ".", as in ${one}.${other}`;
  }

  // Python's range takes integers, which 4.0 and 4 / 2 are not.
  const isWhole = ({ type, whole, sign, left, right, of }) => {
    if (type === "binary") return ["+", "-", "*", "//", "%"].includes(sign) && isWhole(left) && isWhole(right);
    return type === "number" ? whole : type === "sign" && isWhole(of);
  };

  // Where a function of this name is: "int" is NumPy's floor or ceil, another name may be several modules'.
  function homesOf(name) {
    const instead = { int: ["np.floor", "np.ceil"], round: ["np.floor", "np.ceil"], ln: ["np.log"] };
    const own = [...book.homes].filter(([, verbs]) => verbs.includes(name)).map(([home]) => `${home}.${name}`);
    const found = [...(Object.hasOwn(instead, name) ? instead[name] : []), ...own];
    return found.length ? `: write ${found.join(" or ")}` : "";
  }

  // "rho, delta" or "scale, sensitivity=1"
  function signature(full) {
    return book.verbs[full].arguments
      .map(({ name, many, default: rest }) => (many ? "*" : "") + name + (rest === undefined ? "" : `=${rest}`))
      .join(", ");
  }

  // ---- lines

  // Each line as { name, node, names } or { fault: { message, at } }.
  function readAll(texts) {
    return texts.map((text) => {
      try {
        const { name, node } = read(text);
        return { text, name, node, names: [...namesOf(node)] };
      } catch (fault) {
        if (fault instanceof Fault) return { text, fault: { message: fault.message, at: fault.at } };
        throw fault;
      }
    });
  }

  // The parts of a text between signs that stand outside of brackets.
  function parted(text, sign) {
    const found = [""];
    let depth = 0;
    for (const piece of text.split(/([()[\],]|[<>!=]=?)/)) {
      if (piece === "(" || piece === "[") depth++;
      if (piece === ")" || piece === "]") depth--;
      if (depth < 0) break;
      if (!depth && sign.test(piece)) found.push("");
      else found[found.length - 1] += piece;
    }
    return found.map((part) => part.trim());
  }

  // What comparisons compare, as lines: each `of` one of these, but for numbers, plain names and what is a line already.
  function sides(lines) {
    const bare = (text) => text.replace(/\s+/g, "");
    const known = lines.map(({ text, name }) => bare(name ? text.slice(text.indexOf("=") + 1) : text));
    const found = [];
    for (const of of lines) {
      const { text, name, node } = of;
      if (name || node?.type !== "compare") continue;
      parted(text, /^(<|>|<=|>=|==|!=)$/).forEach((side, i) => {
        const { type } = node.sides[i];
        if (type === "name" || isLiteral(node.sides[i]) || known.includes(bare(side))) return;
        known.push(bare(side));
        found.push({ ...readAll([side])[0], of });
      });
    }
    return found;
  }

  // A step's line before those that use it, wherever it stands.
  function inOrder(lines) {
    const found = new Set();
    const visit = (line, above) => {
      for (const other of lines) {
        if (!other.name || found.has(other) || !line.names?.includes(other.name)) continue;
        if (above.includes(other)) line.fault ??= { message: `${other.name} would stand for itself`, at: 0 };
        else visit(other, [...above, other]);
      }
      found.add(line);
    };
    for (const line of lines) if (!found.has(line)) visit(line, [line]);
    return found;
  }

  // What number a line is: the called function's or the part's name; "" of all that is computed from them.
  const kindOf = ({ type, of, name }) => (type === "call" ? (of.name ?? "") : type === "attribute" ? name : "");

  // The lines on one tape, and behind them what their comparisons compare: { lines, operations }, each line with its
  // `kind` and `output`, or with its fault.
  function compose(texts, before = []) {
    const composer = new Composer(before);
    const names = {};
    const written = readAll(texts);
    const lines = [...written, ...sides(written)];
    const steps = new Map();
    for (const line of inOrder(lines)) {
      if (line.fault) continue;
      try {
        for (const name of line.names) {
          const broken = steps.get(name);
          if (broken?.fault)
            throw Object.assign(new Fault(`${name} stands in a line that has a fault`, 0), { follows: true });
          if (!Object.hasOwn(names, name) && !isModule(name)) names[name] = { place: composer.input(name) };
        }
        const value = new Walk(composer).value(line.node, names);
        if (line.name) {
          if (isModule(line.name) || Object.hasOwn(REDUCED, line.name) || ["abs", "range"].includes(line.name)) {
            throw new Fault(`${line.name} has a meaning already: take another name`, 0);
          }
          if (Object.hasOwn(names, line.name)) throw new Fault(`${line.name} stands for something else already`, 0);
          if (value.curve) throw new Fault("a function is no step: write it where it is used", line.node.at);
          names[line.name] = value;
          steps.set(line.name, line);
        } else if (value.pair || value.curve) new Walk({}).place.call({ value: () => value }, line.node);
        Object.assign(line, { fields: value.fields ?? [], named: kindOf(line.node) });
        line.kind = value.pair ? "pair" : "truth" in value ? "claim" : "curve";
        line.output = value.pair ?? value.truth ?? value.place;
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        line.fault = { message: fault.message, at: fault.at, follows: fault.follows };
        if (line.name) steps.set(line.name, line);
      }
    }
    const users = lines.filter(({ kind }) => kind !== "claim"); // a curve that is only compared is drawn all the same
    const uses = (line) => (other) => other !== line && line.name && other.names?.includes(line.name);
    for (const line of lines) Object.assign(line, { used: users.some(uses(line)), compared: lines.some(uses(line)) });
    const { operations, calls, divisors } = composer;
    return { lines, operations, calls, divisors };
  }

  // What an argument must be, in words, from its line in the documentation: "budget, >= 0, dimensionless; broadcasts". The
  // line itself where the value keeps its bounds and is no number of the function all the same.
  function allowed(says, value) {
    const between = says.replace(/between (\S+) and (\S+)/, "$1 <= x <= $2");
    const number = "(-?[\\d.]+(?:e[-+]?\\d+)?)";
    const [, least, above = "", below, most] =
      new RegExp(`${number} <(=?) \\w+ <(=?) (?:${number}|inf)`).exec(between) ?? [];
    const [, from, low = least] = (least === undefined && new RegExp(`>(=?) ${number}`).exec(says)) || [null, above];
    const whole = says.includes("whole");
    const keeps =
      (from ? value >= low : value > low) &&
      (most === undefined || (below ? value <= most : value < most)) &&
      !(whole && !Number.isInteger(value));
    if (low === undefined || keeps) return `is ${says.split("; ")[0]}`;
    const bounds = [`${from ? "at least" : "above"} ${low}`, most && `${below ? "at most" : "below"} ${most}`];
    return `must be ${whole ? "a whole number, " : ""}${bounds.filter(Boolean).join(" and ")}`;
  }

  // Where a function has no number although all of its inputs have: the argument with whose usual value it has one.
  function blamed(calls, valueOf) {
    for (const { full, outputs, inputs, place } of calls) {
      const given = [...inputs].map(([name, at]) => [name, valueOf(at)]);
      if (!Number.isNaN(valueOf(place)) || given.some(([, value]) => Number.isNaN(value))) continue;
      const hasNumber = (changed) => {
        const to = new Composer();
        const usual = (name) => book.ranges[name]?.[4] ?? 0.5;
        const places = given.map(([name, value]) => [name, to.number(name === changed ? usual(name) : value)]);
        return to.operations[to.inline(outputs, new Map(places))[0]].every((part) => !Number.isNaN(part));
      };
      const guilty = given.find(([name]) => hasNumber(name));
      const says = guilty && book.verbs[full].arguments.find(({ name }) => name === guilty[0])?.says;
      if (says) return { full, name: guilty[0], value: guilty[1], says: allowed(says, guilty[1]) };
    }
    return null;
  }

  live.feature({
    name: "formula_reader",
    offers: { learn, book, compose, blamed, parted, signature, isModule, meant },
  });
})();
