// Lines to type in. In a figure of typed formulas they make its sliders, axes and curves; in any other figure of the book
// they add curves over its own axes and sliders.
"use strict";

(() => {
  const { make, button } = live.dom;
  const { said: saidOf, typed } = live.numbers;
  const { compose, blamed, book, signature, isModule, meant } = live.use("formula_reader");
  const axes = live.use("formula_axes");
  const present = live.use("present");
  const { settle } = live.use("summary");
  const links = live.use("add_curve");
  const MOST_LINES = 12;
  const ROUNDING = 1e-9; // of grammar.py
  const FEW = 5; // verbs that are offered for an argument's name
  const REST = 1000; // milliseconds after which typing rests
  const MADE = ""; // no slider's name: what a curve follows that has just been made
  const editors = new WeakMap();

  const jsonable = ([name, ...rest]) => [
    name,
    ...(name === "num" ? rest.map((value) => (Number.isFinite(value) ? value : String(value))) : rest),
  ];

  // The values of an operation along the grid.
  const all = (tape, place, count) => {
    const found = tape.get(place);
    return typeof found === "number" ? Array(count).fill(found) : Array.from(found);
  };

  // The values of the drawn lines, where each slider is a number and x its grid.
  function heightsOf(drawn, operations, values) {
    const player = new live.trace.Player(operations);
    for (const [name, value] of Object.entries(values)) player.set(name, value);
    return drawn.flatMap(({ output }) => all(player, output, 1));
  }

  const equal = (a, b) => Math.abs(a - b) <= ROUNDING * Math.abs(b);

  class Editor {
    constructor(element) {
      this.element = element;
      const { lines, ranges, operations, outputs, curves } = element.live.data;
      this.own = Boolean(lines);
      this.base = { operations, outputs, curves };
      this.first = lines ?? [];
      this.given = ranges ?? {}; // by the author: name and [low, high, at], the x axis first
      this.ends = {};
      this.x = "";
      this.rows = [];
      this.made = 0;
      this.list = make("div", { class: "live-rows" });
      this.status = make("p", { class: "live-told", role: "status" });
      const group = { class: "live-lines", role: "group", "aria-label": "Formulas", tabindex: "-1" };
      this.box = make("div", group, this.list, this.tools(), this.status);
      if (this.own) {
        const rounded = "Values are rounded to nearest, so a value can be above the number shown.";
        element.querySelector(".live-lines").replaceWith(this.box);
        element.querySelector(".live-readings").after(make("p", { class: "live-rounded" }, rounded));
      } else element.querySelector(".live-buttons").after(this.box);
      // The line keeps the focus: what it says when it loses it would move a button away from under the mouse.
      this.box.addEventListener("mousedown", (event) => event.target.matches("button") && event.preventDefault());
      element.addEventListener("change", (event) => event.target.matches(".live-end") && this.takeEnd(event.target));
    }

    get figure() {
      return this.element.live;
    }

    tools() {
      const more = button(this.own ? "Add a line" : "Another curve", "line", () => this.add("", true));
      if (!this.own) return make("div", { class: "live-line-tools" }, more);
      this.along = make("select", { "aria-label": "x axis" });
      this.along.addEventListener("change", () => {
        this.x = this.along.value;
        this.rewrite();
      });
      return make(
        "div",
        { class: "live-line-tools" },
        more,
        make("label", {}, "x axis ", this.along),
        button("Fit axes", "fit", () => this.rewrite()),
        button("Clear", "empty", () => this.empty()),
        button("As Python", "python", () => this.writeOut()),
      );
    }

    // ---- the lines

    // An empty line below this one, if one is not there already.
    add(text, focus, above = this.rows.at(-1)) {
      const below = this.rows[this.rows.indexOf(above) + 1];
      if (focus && below && !below.input.value) return below.input.focus();
      if (this.rows.length >= MOST_LINES) return;
      const ident = `${this.figure.data.name}--offer-${++this.made}`;
      const input = make("input", {
        type: "text",
        class: "live-line",
        spellcheck: "false",
        autocomplete: "off",
        autocapitalize: "off",
        placeholder: book.example,
        role: "combobox",
        "aria-expanded": "false",
        "aria-controls": ident,
        "aria-describedby": `${ident}-fault ${ident}-said`,
        "aria-autocomplete": "list",
      });
      const fault = make("p", { class: "live-fault", id: `${ident}-fault` });
      const said = make("p", { class: "live-said", id: `${ident}-said` });
      const offer = make("ul", {
        class: "live-offer",
        id: ident,
        role: "listbox",
        "aria-label": "Functions",
        hidden: "",
      });
      const remove = button("×", "remove", () => this.remove(row));
      const row = { input, fault, said, offer, remove };
      row.box = make("div", { class: "live-row" }, input, remove, offer, fault, said);
      input.value = text;
      input.addEventListener("input", () => {
        row.isNew = true;
        this.rewrite(row);
        this.offer(row);
      });
      input.addEventListener("keydown", (event) => this.keyed(event, row));
      input.addEventListener("blur", () => {
        if (this.picture) this.picture.typed = null; // who leaves a line has finished it
        this.show(row, false);
        this.complain(row, row.problem);
      });
      this.rows.splice(above ? this.rows.indexOf(above) + 1 : 0, 0, row);
      if (above) above.box.after(row.box);
      else this.list.append(row.box);
      this.number();
      if (focus) input.focus();
    }

    remove(row) {
      const place = this.rows.indexOf(row);
      this.rows.splice(place, 1);
      row.box.remove();
      this.number();
      if (this.own && !this.rows.length) this.add("", false);
      const left = this.rows.length;
      this.news = `Formula ${place + 1} removed; ${left || "no"} line${left === 1 ? "" : "s"} left.`;
      this.rewrite();
      const next = (this.rows[place] ?? this.rows.at(-1))?.input ?? this.box.querySelector("button"); // in its place
      next.focus();
    }

    // Blank lines are not for the class.
    tidy() {
      const blank = this.rows.filter(({ input }) => !this.own && !input.value.trim());
      blank.forEach(({ box }) => box.remove());
      this.rows = this.rows.filter((row) => !blank.includes(row));
      this.number();
    }

    number() {
      this.rows.forEach(({ input, remove }, i) => {
        input.ariaLabel = `Formula ${i + 1}`;
        remove.ariaLabel = `Remove formula ${i + 1}`;
      });
    }

    write(texts) {
      this.rows.forEach(({ box }) => box.remove());
      this.rows = [];
      texts.slice(0, MOST_LINES).forEach((text) => this.add(text, false));
      this.rewrite();
    }

    empty() {
      this.write([""]);
      this.rows[0].input.focus();
    }

    // `now` is the row in which somebody types.
    rewrite(now) {
      this.box.querySelector("textarea")?.remove(); // it was of other lines
      const typed = this.rows.filter(({ input }) => input.value.trim());
      const texts = typed.map(({ input }) => input.value);
      const { lines, operations, calls, divisors } = compose(texts, this.own ? [] : this.base.operations);
      Object.assign(this, { calls, divisors });
      lines.forEach((line, i) => (line.row = typed[i] ?? line.of.row));
      if (!this.own) this.refuseForeign(lines);
      for (const line of lines) {
        const word = line.node?.type === "name" && !line.fault && line.node.name;
        if (word && !Object.hasOwn(book.ranges, word) && Object.keys(book.verbs).some((verb) => verb.startsWith(word)))
          spread(lines, line, { message: `${word} is the beginning of a function's name`, at: word.length });
      }
      for (const row of this.rows) this.complain(row, lines.find((line) => line.row === row)?.fault);
      this.drawn = [];
      const good = lines.filter(({ fault }) => !fault);
      for (const line of good) {
        if (line.kind !== "pair" || line.compared) continue;
        const parts = line.fields.length
          ? line.fields.map((field) => `${line.name}.${field}`).join(" or ")
          : line.name + "[0]";
        this.complain(line.row, {
          message: "two numbers stand here: use the name in another line, as " + parts,
          at: 0,
        });
      }
      // Beside a line that is being typed, a step does not become a curve only because its user is not whole yet.
      const whole = good.length === lines.length;
      const stands = (name) => !name || whole || this.figure.lines.some((line) => line.name === name);
      const drawn = good.filter(({ kind, used, name }) => kind === "curve" && !used && stands(name));
      const claims = good.filter(({ kind, used }) => kind === "claim" && !used);
      this.claims = !this.own || (drawn.length && freeNames(good).length) ? claims : []; // else no picture has their tape
      if (this.own && !drawn.length)
        for (const { row } of claims) this.complain(row, { message: "a comparison needs a curve beside it", at: 0 });
      if (this.own && !typed.length && this.rows.length)
        this.complain(this.rows[0], {
          message: "type a formula; Reset brings the first lines back",
          at: 0,
        });
      if (!this.own) this.extend(drawn, operations);
      else if (drawn.length) {
        const { values } = this.figure;
        this.rebuild({ good, drawn, operations, texts, values, typed: now && { row: now, text: now.input.value } });
      } else if (this.isHalfTyped()) this.bringBack();
      this.element.classList.toggle("live-stale", this.own && (!whole || !this.drawn.length));
      links.keep(this.element, this.state());
      this.figure.tell();
      this.judge();
    }

    complain(row, found) {
      const { input, fault } = row;
      row.problem = found;
      input.ariaInvalid = String(Boolean(found && !found.follows));
      if (!found) return fault.replaceChildren();
      const place = "\u00a0".repeat(Math.min(found.at, 60));
      const mark = make("span", { class: "live-at", "aria-hidden": "true" }, `${place}▲`);
      const [, verb] = (found.at >= input.value.trimEnd().length && /(\w+\.\w+)\([^()]*$/.exec(input.value)) || [];
      const wanted = verb && Object.hasOwn(book.verbs, verb) ? `; ${verb} takes ${signature(verb)}` : "";
      fault.replaceChildren(mark, make("span", {}, found.message + wanted));
    }

    // ---- what is said aloud: once typing rests, each line whose text has become another. A line that only uses one with a
    // fault says nothing.

    text({ fault, said, problem }) {
      const words = [fault.lastChild, said].map((part) => part?.textContent).filter(Boolean);
      return problem?.follows ? "" : words.join("; ");
    }

    announce() {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => {
        const changed = this.rows.flatMap((row, i) => {
          const now = this.text(row);
          const read = row.isNew && !row.problem ? this.reading(row) : "";
          row.isNew = false;
          if (now === (row.told ?? "") && !read) return [];
          const gone = row.wrong && !row.problem && "the fault is gone";
          const words = now || [gone, read].filter(Boolean).join("; ");
          this.note(row, now);
          return [words && `Formula ${i + 1}: ${words}.`];
        });
        if (this.picture?.typed) this.picture.typed.rests = true;
        const words = this.news ? [this.news, ...changed] : changed;
        this.news = "";
        if (words.length) this.status.textContent = words.filter(Boolean).join(" ");
      }, REST);
    }

    // What the curve of a line is where the cursor stands.
    reading(row) {
      const { data, lines, values } = this.figure;
      const place = this.drawn.findIndex((one) => one.row === row);
      if (place < 0) return "";
      const { cell } = lines[lines.length - this.drawn.length + place];
      return `${cell.textContent} at ${data.symbols.x} = ${this.figure.said(data.x, values[data.x])}`;
    }

    note(row, text) {
      row.told = text;
      row.wrong = Boolean(row.problem && !row.problem.follows);
    }

    // What the page came with is not said.
    begun() {
      for (const row of this.rows) this.note(row, this.text(row));
    }

    // ---- claims: checked along the curve wherever the sliders stand

    judge() {
      this.announce();
      for (const row of this.rows) row.said.textContent = "";
      if (!this.claims?.length && !this.drawn?.length) return;
      this.figure.play();
      const { grid, frame } = this.figure.data;
      const { along, cursor } = this.figure.players;
      for (const { row, output, names } of this.drawn) {
        const heights = all(along, output, grid.length);
        const numbers = heights.filter(Number.isFinite);
        const seen = numbers.some((y) => y >= frame.y[2] && y <= frame.y[3]);
        const zeros = this.zerosOf(along, output, grid.length).map((i) => grid[i]);
        const isGap = (y, i) => Number.isNaN(y) && !zeros.includes(grid[i]);
        const gaps = heights.filter(isGap).length;
        const known = Object.keys(book.ranges);
        const slip = (name) => !known.some((other) => name.startsWith(other)) && meant(name.toLowerCase(), known); // not sigma2
        const strange = names.find((name) => Object.hasOwn(this.figure.values, name) && slip(name));
        if (strange)
          row.said.textContent = `${strange} is a slider of its own here${meant(strange.toLowerCase(), known)}`;
        else if (gaps)
          row.said.textContent = `no number at ${gaps} of ${grid.length} points${this.gap(along, heights.findIndex(isGap), names)}`;
        else if (zeros.length || this.zerosOf(cursor, output, 1).length) row.said.textContent = this.division(zeros);
        else if (!seen) row.said.textContent = "outside the picture: Fit axes brings it back";
      }
      for (const { row, output, names } of this.claims ?? []) {
        const [own] = names.filter(
          (name) => !Object.hasOwn(book.ranges, name) && Object.hasOwn(this.figure.data.sliders, name),
        );
        row.said.textContent = this.verdict(output) + (own ? `; ${own} is a slider here, which no line explains` : "");
      }
    }

    // The points at which a curve has no finite number because its lines divide by 0, for which Python has an error.
    zerosOf(tape, output, count) {
      const divisors = [...this.divisors.values()].map((place) => all(tape, place, count));
      const suspects = divisors.filter((values) => values.includes(0));
      if (!suspects.length) return [];
      const isSuspect = (y, i) => !Number.isFinite(y) && suspects.some((values) => values[i] === 0);
      const found = all(tape, output, count).map((y, i) =>
        isSuspect(y, i) && this.dividesByZero(tape, output, i) ? i : -1,
      );
      return found.filter((i) => i >= 0);
    }

    // Whether a part that counts at this point divides by 0 there.
    dividesByZero(tape, output, point) {
      const at = (place) => {
        const found = tape.get(place);
        return typeof found === "number" ? found : found[point];
      };
      const parts = new Set([output]);
      for (const place of parts) {
        const [name, ...rest] = this.figure.data.operations[place];
        if (this.divisors.has(place) && at(this.divisors.get(place)) === 0 && !Number.isFinite(at(place))) return true;
        if (["in", "num", "list"].includes(name)) continue;
        const taken = name === "where" ? [rest[0], at(rest[0]) ? rest[1] : rest[2]] : rest;
        taken.forEach((part) => parts.add(part)); // to which the loop comes too
      }
      return false;
    }

    division(zeros) {
      const { grid, x, sliders } = this.figure.data;
      const many = zeros.length > 1 ? `${zeros.length} of ${grid.length} points, the first at ` : "";
      const at = `${sliders[x].symbol} = ${saidOf(zeros[0] ?? this.figure.values[x])}`;
      return `divides by 0 at ${many}${at}, which is an error in Python`;
    }

    // Why there is no number at a point, and which argument is to blame, where one function's is.
    gap(tape, point, names) {
      const { grid, x, sliders } = this.figure.data;
      const valueOf = (place) => all(tape, place, grid.length)[point];
      const found = blamed(this.calls, valueOf);
      const broken = names.some((name) => ["k", "n", "steps"].includes(name) && !sliders[name]?.integer);
      const isCall = () => this.calls.some(({ place }) => Number.isNaN(valueOf(place)));
      if (!found && !broken)
        return (
          `, the first at ${sliders[x].symbol} = ${saidOf(grid[point])}` +
          (isCall()
            ? ", where no single argument is to blame: together they leave the function's domain"
            : ": a function has none there, such as a logarithm or a root of a number below 0")
        );
      if (!found) return ", where an argument leaves its domain (k, n and steps must be whole: np.ceil(steps / 2))";
      const { full, name, value, says } = found;
      const whole = says.includes("whole") ? `, such as np.ceil(${name} / 2)` : "";
      return `: ${full} has none at ${name} = ${typed(value)}; ${name} ${says}${whole}`;
    }

    verdict(output) {
      const { grid, x, sliders } = this.figure.data;
      const { along } = this.figure.players;
      const { fails, near, gaps } = this.compared(along, output, grid.length);
      const count = fails.filter(Boolean).length;
      const turn = fails.findIndex((fail, i) => i && fail !== fails[i - 1]);
      const once = turn > 0 && !fails.some((fail, i) => i > turn && fail !== fails[i - 1]);
      const at = turn > 0 && `${sliders[x].symbol} = ${saidOf(this.turnAt(output, turn))}`;
      if (near === grid.length)
        return `${count ? "✗ fails" : "✓ holds"}: both sides are equal to nine digits at all ${near} points`;
      const equals = near ? `; both sides are equal to nine digits at ${near}` : "";
      const notes = equals + (gaps ? `; no number at ${gaps}` : "");
      if (!count) return `✓ holds at all ${grid.length} points of the x axis${notes}`;
      if (once) return fails[0] ? `✗ holds only from ${at} on${notes}` : `✗ fails from ${at} on${notes}`;
      const first = fails[0] ? `${sliders[x].symbol} = ${saidOf(grid[0])}` : at;
      return `✗ fails at ${count} of ${grid.length} points` + (at ? ", first at " + first : "") + notes;
    }

    // Where a comparison fails. It claims nothing at a gap of what it compares, and numbers that differ by rounding are
    // equal, as in grammar.py.
    compared(tape, place, count) {
      const sides = this.sides(place).map((side) => all(tape, side, count));
      const gap = (_, i) => sides.some((side) => Number.isNaN(side[i]));
      const truths = this.truths(tape, place, count);
      const near = sides.length === 2 ? truths.filter((_, i) => equal(sides[0][i], sides[1][i])).length : 0;
      return { fails: truths.map((truth, i) => !truth && !gap(truth, i)), near, gaps: truths.filter(gap).length };
    }

    truths(tape, place, count) {
      const [name, ...rest] = this.figure.data.operations[place];
      const parts = () => rest.map((other) => this.truths(tape, other, count));
      const joined = (join) => parts().reduce((one, other) => one.map((truth, i) => join(truth, other[i])));
      if (name === "and") return joined((one, other) => one && other);
      if (name === "or") return joined((one, other) => one || other);
      if (name === "not") return parts()[0].map((truth) => !truth);
      const plain = all(tape, place, count).map(Boolean);
      if (name === "num") return plain;
      const [a, b] = rest.map((side) => all(tape, side, count));
      return plain.map((truth, i) => (equal(a[i], b[i]) ? name === "le" || name === "eq" : truth));
    }

    // The numbers that a comparison compares.
    sides(place) {
      const [name, ...rest] = this.figure.data.operations[place];
      if (name === "num") return [];
      return ["and", "or", "not"].includes(name) ? rest.flatMap((other) => this.sides(other)) : rest;
    }

    // Where a verdict turns: between two points of the grid each whole number is tried.
    turnAt(place, turn) {
      const { grid, x, sliders, operations } = this.figure.data;
      if (!sliders[x].integer) return grid[turn];
      const between = Float64Array.from({ length: grid[turn] - grid[turn - 1] }, (_, i) => grid[turn - 1] + 1 + i);
      const tape = new live.trace.Player(operations);
      for (const [name, value] of Object.entries(this.figure.values)) tape.set(name, name === x ? between : value);
      const { fails } = this.compared(tape, place, between.length);
      return between[fails.indexOf(fails.at(-1))];
    }

    // ---- curves added to a figure of the book

    refuseForeign(lines) {
      const { sliders } = this.figure.data;
      const steps = lines.map(({ name }) => name);
      for (const line of lines) {
        const foreign = line.names?.find((name) => !Object.hasOwn(sliders, name) && !steps.includes(name));
        if (foreign)
          line.fault ??= {
            message: `${foreign} is no slider of this figure: it has ${Object.keys(sliders).join(", ")}`,
            at: Math.max(0, line.text.search(new RegExp(`\\b${foreign}\\b`))),
          };
      }
    }

    extend(drawn, operations) {
      const { figure, base } = this;
      const { data, svg, table } = figure;
      this.drawn = drawn;
      svg.querySelectorAll(".live-added").forEach((part) => part.remove());
      table.querySelectorAll(".live-typed-row").forEach((part) => part.remove());
      const clip = `url(#${svg.querySelector("clipPath").id})`;
      const labels = drawn.map(({ name }, i) => name || (i ? `yours, ${i + 1}` : "yours"));
      const looks = axes.looks(
        drawn.map(({ text, named }, i) => ({ name: labels[i], text, named })),
        base.curves.map(({ name }) => name),
      );
      const added = looks.map(({ label }, i) => ({
        name: label,
        follows: [...Object.keys(data.sliders), MADE],
        y: `typed/${i}`,
      }));
      looks.forEach((look, i) => {
        const parts = axes.parts(data.name, base.curves.length + i, look, data.frame, clip);
        parts.forEach((part) => part.classList.add("live-added"));
        svg.append(...parts);
        table.tBodies[0].append(axes.row(look, Boolean(table.querySelector("[colspan]"))));
      });
      const lines = figure.lines.filter((line) => base.curves.some(({ name }) => name === line.name));
      for (const [i, line] of added.entries()) {
        const part = (kind) => svg.querySelector(`[id="${data.name}--${kind}-${base.curves.length + i}"]`);
        const parts = {
          path: part("curve").firstChild,
          dot: part("dot").firstChild,
          lead: part("lead").firstChild,
          text: part("label"),
        };
        lines.push({ ...line, ...parts, cell: figure.cell("curve", line.name) });
      }
      const outputs = { ...base.outputs, ...Object.fromEntries(drawn.map(({ output }, i) => [`typed/${i}`, output])) };
      figure.replaceCurves({ operations, curves: [...base.curves, ...added], outputs }, lines);
      figure.change([...Object.keys(data.sliders), MADE]);
    }

    // ---- a figure of the lines' own

    // Whether the picture is of the beginning of a line that has gone on in another way, as "n" has in "np.log(k)": a name
    // of it is none any more, or what stands there now, before typing has rested, is more than unfinished.
    isHalfTyped() {
      const { row, text, rests } = this.picture?.typed ?? {};
      if (!row?.problem || !row.input.value.startsWith(text)) return false;
      const isName = (name) => {
        const word = new RegExp(`(?<![\\w.])${name}\\b(?!\\s*([.(]|=(?!=)))`);
        return this.rows.some(({ input }) => word.test(input.value));
      };
      const isUnfinished = row.problem.at >= row.input.value.trimEnd().length;
      return !Object.keys(this.figure.data.sliders).every(isName) || !(rests || isUnfinished);
    }

    // The last picture of finished lines, which are not those that stand there.
    bringBack() {
      if (!this.finished) return;
      this.rebuild(this.finished);
      this.drawn = [];
    }

    rebuild(picture) {
      const { good, drawn, operations, values: before } = picture;
      const presented = live.presented.figure === this.figure;
      if (presented) present.leave();
      const { data: last } = this.figure;
      const { name } = last;
      const free = freeNames(good);
      if (!free.length)
        return this.complain(drawn[0].row, { message: "a curve needs a name to run over, such as k", at: 0 });
      if (this.picture && !this.picture.typed) this.finished = { ...this.picture, values: this.figure.values };
      Object.assign(this, { picture, drawn });
      const wanted = [this.x, ...Object.keys(this.given).slice(0, 1), ...book.first, ...free];
      const x = wanted.find((each) => free.includes(each));
      this.along.replaceChildren(...free.map((each) => make("option", { value: each }, each)));
      this.along.value = x;
      const ordered = [...free.filter((each) => each !== x), x];
      const sliders = Object.fromEntries(ordered.map((each) => [each, this.slider(each)]));
      const values = Object.fromEntries(ordered.map((each) => [each, within(sliders[each], before[each])]));
      const same = last.x === x && last.sliders[x].low === sliders[x].low && last.sliders[x].high === sliders[x].high;
      const grid = same ? last.grid : live.sliders.gridOf(sliders[x], sliders[x].log);
      const looks = axes.looks(drawn);
      const labels = looks.map(({ label }) => label);
      const place = (label) => `curves/${label}/y`; // as for every figure
      const heights = heightsOf(drawn, operations, { ...values, [x]: Float64Array.from(grid) });
      const frame = axes.frameOf(sliders[x], axes.extent(heights), labels);
      const y = axes.symbolOf(drawn);
      const names = {
        x: [sliders[x].symbol, sliders[x].words].filter(Boolean).join(", "),
        y,
        symbol: sliders[x].symbol,
      };
      this.replace(
        sliders,
        names,
        axes.picture(name, frame, names, `Curves over ${x}: ${labels.join(", ")}.`, looks),
        looks,
      );
      const follows = [...ordered, MADE];
      const data = {
        name,
        x,
        grid,
        sliders,
        frame,
        symbols: { x: names.symbol, y },
        marks: [],
        draws: {},
        kinds: {},
        tables: [],
        failing: [],
        curves: labels.map((label) => ({ name: label, follows, y: place(label) })),
        operations: operations.map(jsonable),
        outputs: Object.fromEntries(drawn.map(({ output }, i) => [place(labels[i]), output])),
        lines: this.first,
        ranges: this.given,
      };
      this.element.querySelector(".live-data").textContent = JSON.stringify(data);
      this.begin(values, follows);
      if (presented) present.enter(this.figure);
    }

    // The figure of the new data, at these values.
    begin(values, follows) {
      const figure = live.page.adopt(this.element);
      figure.values = values;
      figure.showValues();
      figure.change(follows);
      settle(figure);
      figure.fit();
    }

    slider(name) {
      const meant = Object.entries(book.meant).filter(([word]) =>
        this.picture.texts.some((text) => text.includes(word)),
      );
      const ranges = Object.assign({}, book.ranges, ...meant.map(([, names]) => names));
      return axes.slider(
        name,
        Object.hasOwn(ranges, name) ? ranges[name] : undefined,
        new Map(Object.entries({ ...this.given, ...this.ends })).get(name),
      );
    }

    replace(sliders, names, picture, looks) {
      const { element } = this;
      const { name } = this.figure.data;
      live.tell("replacing", this.figure);
      element.querySelector(".live-picture").replaceChildren(picture);
      element
        .querySelector(".live-controls")
        .replaceChildren(...Object.entries(sliders).map((each) => axes.control(name, ...each)));
      element.querySelector(".live-buttons").replaceWith(make("div", { class: "live-buttons", hidden: "" }));
      element.querySelector(".live-readings").replaceWith(axes.table(names, looks));
      const caption = element.querySelector("figcaption");
      if (caption) caption.replaceChildren("Curves of typed formulas."); // what else it said is about the lines that the page came with
    }

    reset() {
      const texts = this.rows.map(({ input }) => input.value.trim()).filter(Boolean);
      if (!this.x && !Object.keys(this.ends).length && texts.join("\n") === this.first.join("\n")) return; // as at first
      this.x = "";
      this.ends = {};
      if (this.rows.some(({ input }) => input.value.trim())) this.rewrite();
      else this.write(this.first);
    }

    takeEnd(input) {
      const { for: name, end } = input.dataset;
      const { low, high, integer } = this.figure.data.sliders[name];
      const wanted = { low, high, [end]: live.numbers.understood(input.value) };
      const fits =
        input.value.trim() !== "" &&
        Math.abs(wanted[end]) < 1e300 &&
        wanted.low < wanted.high &&
        (!integer || Number.isInteger(wanted[end]));
      const problem = input.closest(".live-slider").querySelector(".live-problem");
      problem.textContent = fits ? "" : `${name} needs a low end below its high end`;
      input.ariaInvalid = String(!fits);
      if (!fits) return;
      this.ends[name] = [wanted.low, wanted.high];
      this.rewrite();
      this.element.querySelector(`.live-end[data-for="${name}"][data-end="${end}"]`)?.focus();
    }

    // ---- the link: the lines, then the x axis and the sliders' ends as they were changed

    state() {
      const texts = this.rows.map(({ input }) => input.value.trim()).filter(Boolean);
      const ends = Object.entries(this.ends).map(([name, [low, high]]) => `@${name} ${low} ${high}`);
      const all = [...texts, ...(this.x ? [`@ ${this.x}`] : []), ...ends];
      return this.own && all.join("\n") === this.first.join("\n") ? [] : all;
    }

    // A link on this page changes the lines: who has followed it goes on at the first one. Where a finger has, no keyboard
    // shall cover the picture.
    arrive() {
      if (!document.activeElement.matches("a")) return;
      const touched = matchMedia("(pointer: coarse)").matches;
      (touched ? this.box : this.rows[0].input).focus({ preventScroll: true });
      this.news = `The lines of the link stand here, ${this.rows.length} in all.`;
      this.announce();
    }

    restore(all) {
      if (all.join("\n") === this.state().join("\n")) return;
      this.x = "";
      this.ends = {};
      for (const piece of all.filter((text) => text[0] === "@")) {
        const [, name, low, high] = /^@ ?(\w+)(?: (\S+) (\S+))?$/.exec(piece) ?? [];
        if (name && low === undefined) this.x = name;
        else if (name && Number(low) < Number(high) && Math.abs(low) < 1e300 && Math.abs(high) < 1e300)
          this.ends[name] = [Number(low), Number(high)];
      }
      this.write(all.filter((text) => text[0] !== "@"));
    }

    // ---- completion: the verbs that the word before the caret begins, with what they take and do

    offer(row) {
      const { word, length } = this.word(row);
      const plain = (text) => text.replace(/[._]/g, "").toLowerCase();
      const named = [
        (verb) => verb.startsWith(word),
        (verb) => verb.split(".")[1].startsWith(word),
        (verb) => plain(verb).startsWith(plain(word)),
        (verb) => plain(verb).includes(plain(word)),
      ];
      const verbs = word.length > 1 && !/^[\d.]/.test(word) ? Object.keys(book.verbs) : [];
      const begun = named.flatMap((fit) => verbs.filter(fit));
      const [module, about] = word.includes(".") ? word.split(".") : ["", word];
      const saying =
        about.length > 2
          ? verbs.filter((verb) => verb.startsWith(module) && book.verbs[verb].says.toLowerCase().includes(about))
          : [];
      const taking = verbs.filter((verb) => book.verbs[verb].arguments.some(({ name }) => name === word));
      const shown = [...new Set(begun.length + saying.length || taking.length > FEW ? [...begun, ...saying] : taking)];
      const whole = !begun.length || Object.hasOwn(book.ranges, word) || this.isStep(word);
      row.offer.replaceChildren(
        ...shown.map((verb, i) => {
          const item = make(
            "li",
            { role: "option", id: `${row.offer.id}-${i}`, "aria-selected": String(i === 0 && !whole) },
            make("code", {}, `${verb}(${signature(verb)})`),
            ` ${book.verbs[verb].says.replaceAll("\x60", "")}`,
          );
          item.dataset.verb = verb;
          item.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            this.complete(row, verb);
          });
          return item;
        }),
      );
      this.show(row, shown.length > 0);
      const stands = row.problem?.at < row.input.selectionStart - length; // a fault before the word that is typed
      if (!shown.length || whole || stands) return;
      const { problem } = row;
      this.complain(row, undefined); // the list says how it goes on
      row.problem = problem;
    }

    show({ input, offer }, open) {
      offer.hidden = !open;
      input.ariaExpanded = String(open);
      const chosen = open && offer.querySelector("[aria-selected=true]");
      if (chosen) input.setAttribute("aria-activedescendant", chosen.id);
      else input.removeAttribute("aria-activedescendant");
    }

    isStep(name) {
      return this.rows.some(({ input }) => input.value.trim().startsWith(`${name} =`));
    }

    // What is being typed, and how long it is there: "np ta" means np.ta.
    word({ input }) {
      const before = input.value.slice(0, input.selectionStart);
      const [all, module, word] = /(?:\b(\w+) +)?([\w.]*)$/.exec(before);
      return module && word && isModule(module)
        ? { word: `${module}.${word}`, length: all.length }
        : { word, length: word.length };
    }

    complete(row, verb) {
      const { input } = row;
      const end = input.selectionStart;
      const start = end - this.word(row).length;
      input.setRangeText(
        input.value[end] === "(" ? verb : called(verb, (name) => this.isStep(name)),
        start,
        end,
        "end",
      );
      this.show(row, false);
      row.isNew = true;
      this.rewrite();
    }

    keyed(event, row) {
      const items = row.offer.hidden ? [] : [...row.offer.children];
      const at = items.findIndex((item) => item.ariaSelected === "true");
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (items.length && move) {
        const next = items.at((Math.max(at, move < 0 ? 0 : -1) + move) % items.length);
        if (at >= 0) items[at].ariaSelected = "false";
        next.ariaSelected = "true";
        this.show(row, true);
        next.scrollIntoView({ block: "nearest" });
      } else if (at >= 0 && (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)))
        this.complete(row, items[at].dataset.verb);
      else if (items.length && event.key === "Escape") this.show(row, false);
      else if (event.key === "Enter") this.add("", true, row);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    // ---- the same words for a notebook

    cell() {
      const { figure } = this;
      const lines = this.rows.map(({ input }) => input.value.trim()).filter(Boolean);
      const modules = [...new Set(lines.join(" ").match(/\b[a-z_]+(?=\.)/g))].filter(
        (name) => isModule(name) && name !== "np" && name !== "special",
      );
      const ranges = Object.entries(figure.data.sliders).map(
        ([name, { low, high }]) => `    ${name}=(${low}, ${high}, ${figure.values[name]}),`,
      );
      const [home, inside] = book.call.split(".");
      const names = (inside ? [home, ...modules] : modules).sort().join(", ");
      const imports = [
        ...(inside ? [] : [`from livefigures import ${home}`]),
        ...(names ? [`from ${book.package} import ${names}`] : []),
      ];
      return [
        ...imports,
        "",
        `${book.call}(`,
        ...lines.map((line) => `    ${JSON.stringify(line)},`),
        `    x="${figure.data.x}",`,
        ...ranges,
        ")",
      ].join("\n");
    }

    writeOut() {
      const shown = this.box.querySelector("textarea") ?? make("textarea", { class: "live-python", readonly: "" });
      const text = this.cell();
      this.box.append(shown);
      shown.ariaLabel = "The same figure in a notebook";
      shown.value = text;
      shown.rows = text.split("\n").length;
      shown.focus();
      shown.select();
    }
  }

  // A verb with the names of what it takes, a line that is whole at once.
  function called(verb, isStep) {
    const { arguments: wanted, fields } = book.verbs[verb];
    if (wanted.some(({ many }) => many)) return `${verb}(`;
    const { instead } = book; // what has no number of its own to begin with
    const given = wanted
      .filter((argument) => argument.default === undefined)
      .map(({ name, kind }) => instead[kind] ?? (isStep(name) ? name : (instead[name] ?? name)));
    return `${verb}(${given.join(", ")})` + (fields.length ? `.${fields[0]}` : "");
  }

  // A line's fault, which is one of all lines that use its name too.
  function spread(lines, line, fault) {
    line.fault = fault;
    const { name } = line;
    const follows = { message: `${name} stands in a line that has a fault`, at: 0, follows: true };
    for (const user of lines) if (name && !user.fault && user.names?.includes(name)) spread(lines, user, follows);
  }

  // What becomes a slider.
  function freeNames(lines) {
    const steps = lines.map(({ name }) => name);
    return [...new Set(lines.flatMap(({ names }) => names))].filter((each) => !steps.includes(each));
  }

  function within({ low, high, at, integer }, value) {
    return value >= low && value <= high && (!integer || Number.isInteger(value)) ? value : at;
  }

  function open(element) {
    if (!editors.has(element)) editors.set(element, new Editor(element));
    return editors.get(element);
  }

  function made(figure) {
    if (!figure.data.lines || editors.has(figure.element)) return;
    const editor = open(figure.element);
    editor.write(figure.data.lines);
    editor.begun();
  }

  function restore(element, texts) {
    const editor = open(element);
    editor.restore(texts);
    editor.arrive();
  }

  links.bring({ open, restore });
  live.feature({
    name: "formula_editor",
    made,
    present: ({ element }) => editors.get(element)?.tidy(),
    redraw: ({ element }) => editors.get(element)?.judge(),
    reset: ({ element }) => editors.get(element)?.own && editors.get(element).reset(),
  });
})();
