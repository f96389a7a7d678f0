// A figure: its sliders play the trace and rewrite the moving paths. No formula lives here (see tracing.py), and no
// feature of the page (see features.js): they hear of what happens, and keep what they know in a place of their own.
"use strict";

live.Figure = (() => {
  const { nearest, polyline } = live.picture;
  const { problem, snap, valueOf, said, written, read } = live.sliders;

  class Figure extends live.Drawing {
    constructor(element) {
      super(element);
      this.buttons = element.querySelector(".live-buttons");
      this.motion = new live.Motion(this);
      this.pending = new Set(); // sliders that have moved and are not drawn yet
      this.frame = 0;
      this.places = {};
      this.life = new AbortController(); // of its listeners: typed formulas put another figure in its place
      this.wire();
    }

    // A feature's own place: what it knows of this figure, and nobody else needs.
    of(name) {
      return (this.places[name] ??= {});
    }

    // The first change of a frame is drawn at once, the rest of them together at the next frame.
    change(names) {
      names.forEach((name) => this.pending.add(name));
      if (this.frame) return;
      this.draw();
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        if (this.pending.size) this.draw();
      });
    }

    draw(every = false) {
      const changed = [...this.pending];
      this.pending.clear();
      this.play();
      const moves = (part) => every || part.follows.some((name) => changed.includes(name) && name !== this.data.x);
      const lines = this.lines.filter(moves);
      for (const line of lines) line.path.setAttribute("d", polyline(this.xs, this.along(line.y), this.place.y));
      for (const mark of this.marks) this.moveMark(mark);
      this.moveCursor();
      if (lines.length || this.marks.some(({ named }) => named)) live.tell("draw", this, lines);
      this.element.dispatchEvent(new CustomEvent("live:redraw", { bubbles: true }));
      live.tell("redraw", this);
    }

    // ---- controls

    wire() {
      this.ranges = {};
      this.fields = {};
      for (const range of this.element.querySelectorAll("input[type=range]")) {
        this.ranges[range.name] = range;
        range.addEventListener("input", () => this.set({ [range.name]: this.fromRange(range) }));
      }
      this.choices = [...this.element.querySelectorAll(".live-choice input")];
      for (const button of this.choices) {
        button.addEventListener("change", () => this.set({ [button.dataset.for]: Number(button.value) }));
      }
      for (const field of this.element.querySelectorAll(".live-typed")) this.fields[field.dataset.for] = field;
      this.element.addEventListener(
        "focusin",
        ({ target }) => {
          if (target.matches("[type=range], [type=radio]")) this.last = target;
        },
        this.life,
      );
    }

    // All that belongs to it is there.
    begin() {
      live.tell("made", this);
      for (const part of this.element.querySelectorAll(".live-controls, .live-buttons")) part.hidden = false;
      this.showValues();
    }

    // What a slider's thumb says.
    fromRange(range) {
      return valueOf(this.data.sliders[range.name], range.value);
    }

    // What keeps `value` from being this slider's, in words; "" if nothing does.
    problem(name, value) {
      return problem(this.data.sliders[name], value);
    }

    // The value that this slider stands at when it is told to stand at `value`.
    snap(name, value) {
      return snap(this.data.sliders[name], value);
    }

    // Values outside a slider's range are refused whole; the return value says which were taken.
    set(values) {
      this.motion.stop();
      return this.move(values);
    }

    // Those of the values that these sliders can take.
    allowed(values) {
      const known = Object.entries(values).filter(([name]) => Object.hasOwn(this.values, name));
      const fitting = known.filter(([name, value]) => !this.problem(name, value));
      return Object.fromEntries(fitting.map(([name, value]) => [name, this.snap(name, value)]));
    }

    move(values) {
      const allowed = this.allowed(values);
      const taken = Object.keys(allowed);
      Object.assign(this.values, allowed);
      if (taken.length) {
        this.showValues();
        this.change(taken);
        live.tell("moved", this);
        this.tell();
      }
      return taken;
    }

    // A value as a link writes it, and back.
    written(name, value) {
      return written(this.data.sliders[name], value);
    }

    read(name, text) {
      return read(Object.hasOwn(this.values, name) ? this.data.sliders[name] : {}, text);
    }

    // A value as readers read it.
    said(name, value = this.values[name]) {
      const option = this.choices.find((button) => button.dataset.for === name && value === Number(button.value));
      return option ? option.parentNode.innerText.trim() : said(this.data.sliders[name], value);
    }

    // The values of a link or of a preset, which name options.
    understood(texts) {
      return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.read(name, text)]));
    }

    // Some sliders belong to one option of a choice.
    awake(name) {
      const { when = {} } = this.data.sliders[name];
      return Object.entries(when).every(([choice, option]) => this.values[choice] === option);
    }

    // To these settings, the other sliders to their defaults: there the sentence has them, and so has the address.
    glide(settings) {
      const asked = this.understood(settings);
      live.tell("asked", this, asked);
      this.motion.glide({ ...this.defaults, ...asked });
    }

    // Whether it stands where such a link leads.
    stands(settings) {
      const there = { ...this.defaults, ...this.understood(settings) };
      return Object.entries(there).every(([name, value]) => this.values[name] === value);
    }

    // The page's address follows.
    tell() {
      this.element.dispatchEvent(new CustomEvent("live:state", { bubbles: true }));
      live.tell("state", this);
    }

    // "ε = 1, δ = 10⁻⁵ (Laplace noise)": the sliders and choices that matter.
    settings(values = this.values) {
      const [chosen, others] = [[], []];
      for (const name of Object.keys(values).filter((one) => this.awake(one))) {
        const [{ keys, symbol }, said] = [this.data.sliders[name], this.said(name, values[name])];
        if (keys) chosen.push(said);
        else others.push(`${symbol} = ${live.numbers.typeset(said)}`);
      }
      const options = chosen.join(", ");
      return others.join(", ") + (options && others.length ? ` (${options})` : options);
    }

    showValues() {
      for (const button of this.choices) button.checked = this.values[button.dataset.for] === Number(button.value);
      for (const one of this.element.querySelectorAll(".live-controls [data-for]"))
        one.closest(".live-slider, .live-choice").hidden = !this.awake(one.dataset.for);
      for (const [name, value] of Object.entries(this.values)) {
        const range = this.ranges[name];
        if (!range) continue;
        const { stops } = this.data.sliders[name];
        const position = stops ? nearest(stops, value) : value;
        if (Number(range.value) !== position) range.value = String(position);
        range.style.setProperty("--live-share", (range.value - range.min) / (range.max - range.min));
        range.ariaValueText = this.said(name);
      }
      live.tell("values", this);
    }

    // For readers who listen; what is also `seen` stands in the figure for some seconds.
    announce(words, seen = false) {
      const status = this.element.querySelector(".live-status");
      status.textContent = words;
      status.classList.remove("live-seen");
      if (seen && status.offsetWidth) status.classList.add("live-seen"); // laid out between, so that it begins anew
      live.tell("announced", this);
    }

    // All that shows a curve or a mark, in the picture and in the table.
    partsOf({ path, dot, lead, text, cell }) {
      return [path.parentNode, dot?.parentNode, lead?.parentNode, text, cell?.closest("tr")].filter(Boolean);
    }

    // The button of an action in the row below the figure.
    button(action) {
      return this.buttons.querySelector(`[data-action="${action}"]`);
    }

    // The controls of sliders and choices, as many as are awake.
    get controls() {
      const all = this.element.querySelectorAll(".live-controls :is([type=range], [type=radio]:checked)");
      return [...all].filter((control) => control.checkVisibility());
    }

    // The one that the reader used last.
    get current() {
      return this.controls.includes(this.last) ? this.last : (this.controls[0] ?? this.last);
    }

    get filling() {
      return this.element.classList.contains("live-filling");
    }

    fit() {
      live.tell("room", this);
      live.tell("fit", this);
    }

    get moved() {
      return Object.entries(this.values).filter(([name, value]) => value !== this.data.sliders[name].at);
    }

    reset() {
      this.set(this.defaults);
      live.tell("reset", this);
    }

    // Other curves over the same axes: their data and the parts of the picture that they move.
    replaceCurves({ operations, curves, outputs }, lines) {
      Object.assign(this.data, { operations, curves, outputs });
      this.traces = null;
      this.lines = lines;
      live.tell("lines", this);
    }
  }

  return Figure;
})();
