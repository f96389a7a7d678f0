// Figures come alive: sliders play the tape and rewrite the moving paths. No formula lives here (see tracing.py).
// Each of the other scripts of this folder does one thing for a figure; this one is the figure, and loads last.
"use strict";

(() => {
  const { scale, polyline, band, dots, nearest, round } = livePicture;
  const { shown, typed, said } = liveNumbers;
  const DRAWS = (globalThis.liveDraws = {
    normal: () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()),
    uniform: () => Math.random(),
    laplace: () => (Math.random() < 0.5 ? 1 : -1) * Math.log(1 - Math.random()),
  });
  const figures = new Map();

  class LiveFigure {
    constructor(element) {
      this.element = element;
      this.data = JSON.parse(element.querySelector(".live-data").textContent);
      this.data.operations = liveTape.unpacked(this.data.operations);
      this.data.tables = this.data.tables.map(liveTable);
      this.picture = element.querySelector(".live-picture");
      this.svg = this.picture.querySelector("svg");
      this.table = element.querySelector(".live-readings");
      this.buttons = element.querySelector(".live-buttons");
      this.kept = []; // settings that stay to be compared: { letter, values }
      this.player = new livePlay.Player(this);
      this.values = this.defaults;
      this.type = livePicture.TYPE;
      this.room = ""; // what the picture was last fitted to
      this.pending = new Set();
      this.frame = 0;
      this.life = new AbortController(); // of its listeners: typed formulas put another figure in its place
      this.findParts();
      this.wire();
    }

    // ---- numbers

    // Two players of one tape: along the x axis for curves and bands, at the cursor for readings and marks.
    get tapes() {
      if (!this.players) {
        const { operations, grid, draws, x } = this.data;
        this.players = { along: new liveTape.Tape(operations), cursor: new liveTape.Tape(operations) };
        this.players.along.set(x, Float64Array.from(grid));
        this.setDraws(draws);
      }
      return this.players;
    }

    setDraws(draws) {
      for (const player of Object.values(this.players)) {
        for (const [name, sample] of Object.entries(draws)) player.set(name, Float64Array.from(sample));
      }
    }

    play() {
      const { along, cursor } = this.tapes;
      for (const [name, value] of Object.entries(this.values)) {
        cursor.set(name, value);
        if (name !== this.data.x) along.set(name, value);
      }
    }

    at(address) {
      const output = this.data.outputs[address];
      return typeof output === "number" ? this.tapes.cursor.get(output) : this.lookUp(output.table, this.values);
    }

    along(address) {
      const output = this.data.outputs[address];
      if (typeof output === "number") return this.tapes.along.get(output);
      const { x, grid } = this.data;
      return grid.map((place) => this.lookUp(output.table, { ...this.values, [x]: place }));
    }

    // A table knows its sliders' stops only; the sliders snap to them.
    lookUp(number, values) {
      const { inputs, stops, values: entries } = this.data.tables[number];
      const index = inputs.reduce((sum, name, i) => sum * stops[i].length + stops[i].indexOf(values[name]), 0);
      return Number(entries[index]);
    }

    // ---- picture

    findParts() {
      const { name, curves, marks, frame } = this.data;
      const part = (gid) => document.getElementById(`${name}--${gid}`);
      const path = (gid) => part(gid).querySelector("path");
      this.lines = curves.map((curve, i) => ({
        ...curve,
        path: path(`curve-${i}`),
        dot: path(`dot-${i}`),
        lead: curve.label === null ? null : path(`lead-${i}`),
        text: part(`label-${i}`),
        cell: this.cell("curve", curve.name),
      }));
      this.marks = marks.map((mark, i) => ({ ...mark, path: path(`mark-${i}`), cell: this.cell("mark", mark.name) }));
      this.cursor = path("cursor");
      this.place = { x: scale(frame.x), y: scale(frame.y) };
      this.xs = this.data.grid.map((x) => String(round(this.place.x(x))));
    }

    cell(kind, name) {
      return [...this.element.querySelectorAll(`[data-${kind}]`)].find((cell) => cell.dataset[kind] === name);
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

    draw() {
      const start = performance.now();
      const changed = [...this.pending];
      this.pending.clear();
      this.play();
      const moves = (part) => part.follows.some((name) => changed.includes(name) && name !== this.data.x);
      const lines = this.lines.filter(moves);
      for (const line of lines) line.path.setAttribute("d", polyline(this.xs, this.along(line.y), this.place.y));
      for (const mark of this.marks) this.moveMark(mark);
      if (lines.length) liveLabels.place(this);
      this.moveCursor();
      const milliseconds = performance.now() - start;
      this.element.dispatchEvent(new CustomEvent("live:redraw", { bubbles: true, detail: { milliseconds } }));
    }

    moveCursor() {
      const { frame, x } = this.data;
      const px = round(this.place.x(this.values[x]));
      this.cursor.setAttribute("d", `M${px} ${frame.y[0]}L${px} ${frame.y[1]}`);
      this.element.querySelector(".live-cursor").textContent = this.said(x);
      for (const line of this.lines) {
        const value = this.at(line.y);
        line.dot.setAttribute("d", dots(frame, this.place.x, this.place.y, this.values[x], value));
        line.cell.dataset.value = String(value);
        line.cell.textContent = shown(value, this.data.up);
      }
    }

    moveMark(mark) {
      const { frame } = this.data;
      if (mark.kind === "band") {
        mark.path.setAttribute("d", band(this.xs, this.along(mark.low), this.along(mark.high), this.place.y));
        return;
      }
      const { x, y } = this.placesOf(mark);
      if (mark.kind === "line") {
        const [px, py] = [round(this.place.x(x)), round(this.place.y(y))];
        const upright = `M${px} ${frame.y[0]}L${px} ${frame.y[1]}`;
        const path = mark.x ? upright : `M${frame.x[0]} ${py}L${frame.x[1]} ${py}`;
        mark.path.setAttribute("d", path.includes("NaN") ? "" : path);
      } else {
        mark.path.setAttribute("d", dots(frame, this.place.x, this.place.y, x, y));
        mark.stands = [this.place.x(x), this.place.y(y)]; // NaN of a cloud; names keep off
      }
      if (mark.cell) this.readMark(mark, { x, y });
    }

    placesOf(mark) {
      return { x: mark.x && this.at(mark.x), y: mark.y && this.at(mark.y) };
    }

    readMark(mark, places) {
      for (const [coordinate, place] of Object.entries(places)) {
        if (mark[coordinate]) mark.cell.dataset[coordinate] = String(place);
      }
      mark.cell.textContent = this.where(mark, places);
    }

    where(mark, places) {
      const { symbols, sliders, x, up } = this.data;
      const { base } = sliders[x];
      const word = (c) => (c === "x" && base ? said(places.x, base) : shown(places[c], up && c === "y"));
      const known = ["x", "y"].filter((coordinate) => mark[coordinate]);
      return known.map((c) => `${symbols[c]}\u00a0=\u00a0${word(c)}`).join(", ");
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
      for (const field of this.element.querySelectorAll(".live-typed")) {
        this.fields[field.dataset.for] = field;
        liveEntry.wire(this, field);
      }
      liveButtons.row(this);
      liveGrid.start(this);
      liveFormulas.start(this);
      liveToolbar.start(this);
      for (const part of this.element.querySelectorAll(".live-controls, .live-buttons")) part.hidden = false;
      this.element.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !this.player.name) return;
        this.player.stop();
        event.preventDefault();
      }, this.life);
      this.element.addEventListener("focusin", ({ target }) => {
        if (target.matches("[type=range], [type=radio]")) this.last = target;
      }, this.life);
      this.showValues();
      this.showPlaying();
      liveHand.wire(this);
      liveSaid.start(this);
    }

    fromRange(range) {
      const { stops, at } = this.data.sliders[range.name];
      if (stops) return stops[Number(range.value)];
      // Arithmetic on a native slider's steps leaves dust: 0.1 + 2 * 0.1.
      return range.value === "" ? at : Number(Number(range.value).toPrecision(12));
    }

    // What keeps `value` from being this slider's, in words; "" if nothing does.
    problem(name, value) {
      const slider = this.data.sliders[name];
      const { low, high, integer, symbol } = slider;
      const fits = value >= low && value <= high && (!integer || Number.isInteger(value));
      return fits ? "" : `${symbol} must be ${liveEntry.allowed(slider)}`;
    }

    snap(name, value) {
      const { stops, snaps } = this.data.sliders[name];
      return snaps ? stops[nearest(stops, value)] : value;
    }

    // Values outside a slider's range are refused whole; the return value says which were taken.
    set(values) {
      this.player.stop();
      return this.move(values);
    }

    // Those of the values that these sliders can take.
    allowed(values) {
      const known = Object.entries(values).filter(([name]) => Object.hasOwn(this.values, name));
      const fitting = known.filter(([name, value]) => this.problem(name, value) === "");
      return Object.fromEntries(fitting.map(([name, value]) => [name, this.snap(name, value)]));
    }

    move(values) {
      const allowed = this.allowed(values);
      const taken = Object.keys(allowed);
      Object.assign(this.values, allowed);
      if (taken.length) {
        this.showValues();
        this.change(taken);
        this.announce();
        this.tell();
      }
      return taken;
    }

    // A value as a link writes it, and back: an option's name where the slider is a choice.
    written(name, value) {
      const { keys } = this.data.sliders[name];
      return keys ? keys[value] : typed(value);
    }

    // A value as readers read it.
    said(name, value = this.values[name]) {
      const { keys, base } = this.data.sliders[name];
      return keys ? keys[value] : said(value, base);
    }

    read(name, text) {
      const keys = Object.hasOwn(this.values, name) ? this.data.sliders[name].keys : undefined;
      return keys && keys.includes(text) ? keys.indexOf(text) : Number(text);
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

    showChoices() {
      for (const button of this.choices) button.checked = this.values[button.dataset.for] === Number(button.value);
      for (const name of Object.keys(this.ranges)) this.ranges[name].closest(".live-slider").hidden = !this.awake(name);
    }

    // What a link in the prose asks for.
    take(link) {
      this.glide(JSON.parse(link.dataset.values));
    }

    // To these settings, the other sliders to their defaults: there the sentence has them, and so has the address.
    glide(settings) {
      const asked = this.understood(settings);
      this.asked = liveWords.settings(this, asked) || "As at first"; // to be announced
      liveHand.release(this); // all curves follow
      this.player.glide({ ...this.defaults, ...asked });
    }

    // Whether it stands where such a link leads.
    stands(settings) {
      const there = { ...this.defaults, ...this.understood(settings) };
      return Object.entries(there).every(([name, value]) => this.values[name] === value);
    }

    // The page's address follows.
    tell() {
      this.element.dispatchEvent(new CustomEvent("live:state", { bubbles: true }));
    }

    showValues() {
      this.showChoices();
      for (const [name, value] of Object.entries(this.values)) {
        const range = this.ranges[name];
        if (!range) continue;
        const { stops } = this.data.sliders[name];
        const position = stops ? nearest(stops, value) : value;
        if (Number(range.value) !== position) range.value = String(position);
        range.dataset.value = typed(value);
        range.style.setProperty("--live-share", (range.value - range.min) / (range.max - range.min));
        range.ariaValueText = this.said(name);
        if (document.activeElement !== this.fields[name] || this.fields[name].getAttribute("aria-invalid") !== "true") {
          liveEntry.show(this, name);
        }
      }
    }

    // Screen readers hear the readings once the sliders rest.
    announce() {
      clearTimeout(this.speech);
      this.speech = setTimeout(() => {
        liveSaid.rest(this);
        if (!this.player.name) liveSaid.announce(this);
      }, 700);
    }

    showPlaying() {
      for (const button of this.element.querySelectorAll("[data-action=play]")) {
        const playing = button.dataset.for === this.player.name;
        const { symbol } = this.data.sliders[button.dataset.for];
        button.ariaLabel = `${playing ? "Pause" : "Play"} ${symbol}`;
        button.classList.toggle("live-playing", playing);
      }
    }

    showPresenting(on) {
      this.buttons.querySelector("[data-action=present]").textContent = on ? "Leave" : "Present";
    }

    // Sliders and choices, as many as are awake.
    get controls() {
      const all = this.element.querySelectorAll(".live-controls :is([type=range], [type=radio]:checked)");
      return [...all].filter((control) => control.checkVisibility());
    }

    // The one that the reader used last.
    get current() {
      return this.controls.includes(this.last) ? this.last : this.controls[0];
    }

    get filling() {
      return this.element.classList.contains("live-filling");
    }

    fit() {
      if (this.filling) liveDock.leave();
      livePresent.fitSide(this);
      liveFit.fit(this);
    }

    get defaults() {
      return Object.fromEntries(Object.entries(this.data.sliders).map(([name, slider]) => [name, slider.at]));
    }

    get moved() {
      return Object.entries(this.values).filter(([name, value]) => value !== this.data.sliders[name].at);
    }

    reset() {
      liveDrag.settle(this.data.name);
      this.set(this.defaults);
    }

    again() {
      const { draws, kinds } = this.data;
      const anew = Object.entries(draws).map(([name, sample]) => [name, sample.map(() => DRAWS[kinds[name]]())]);
      void this.tapes;
      this.setDraws(Object.fromEntries(anew));
      this.change(Object.keys(draws));
    }

    // ---- other settings, while the figure stays as it stands

    elsewhere(values, work) {
      const now = this.values;
      this.values = { ...now, ...values };
      this.play();
      const found = work();
      this.values = now;
      this.play();
      return found;
    }

    // The curves' values and paths.
    frozen(values) {
      const copy = (y) => (typeof y === "number" ? y : [...y]);
      const at = (line) => ({ ...line, y: copy(this.along(line.y)) });
      const curves = this.elsewhere(values, () => this.lines.map(at));
      return curves.map((curve) => ({ ...curve, d: polyline(this.xs, curve.y, this.place.y) }));
    }

    // A curve's number, and in words where a mark stands.
    readingsAt(values) {
      const mark = (one) => this.where(one, this.placesOf(one));
      const read = (part) => [part, part.kind ? mark(part) : this.at(part.y)];
      const parts = [...this.lines, ...this.marks.filter(({ cell }) => cell)];
      return this.elsewhere(values, () => new Map(parts.map(read)));
    }
  }

  // ---- the page: its address holds the figures' state, its prose sets sliders

  let soon = 0;
  function rememberSoon() {
    clearTimeout(soon);
    soon = setTimeout(remember, 250);
  }

  function remember() {
    clearTimeout(soon);
    const { shown } = livePresent;
    const states = [...figures.values()].map(liveAddress.write);
    const state = [...states, shown ? livePresent.written(shown) : ""].filter(Boolean).join(";");
    if (!state && location.hash && !liveAddress.ours(location.hash)) return; // a heading's own link stays
    history.replaceState(history.state, "", location.pathname + location.search + (state && "#" + state));
  }

  const searched = () => new URLSearchParams(location.search).get("figure");

  function restore() {
    const { pieces: all, lost } = liveAddress.read(location.hash.slice(1));
    const pieces = all.filter(({ name }) => figures.has(name));
    const typed = liveTyped.offered ? pieces.filter(({ verb }) => verb === "add") : [];
    if (typed.length && !globalThis.liveBench) return void liveTyped.load().then(restore);
    for (const { name, settings } of typed) liveBench.restore(figures.get(name).element, settings);
    const asked = [...all.map(({ name }) => name), searched()];
    const unknown = asked.filter((name) => name && !figures.has(name) && !document.getElementById(name));
    lost.push(...unknown.map((name) => `This page has no figure “${name}”.`));
    for (const { name } of pieces) liveKeep.clear(figures.get(name));
    for (const { verb, letter, name, texts } of pieces) {
      const figure = figures.get(name);
      const values = figure.understood(texts);
      if (verb !== "present") lost.push(...liveAddress.faults(figure, texts));
      const whole = Object.keys(values).every((key) => key in figure.allowed(values));
      if (verb === "set") figure.set(values);
      if (letter && whole) liveKeep.pin(figure, { ...figure.defaults, ...values }, letter);
    }
    liveAddress.say([...new Set(lost)]);
    const presented = pieces.find(({ verb }) => verb === "present");
    if (presented) livePresent.enter(figures.get(presented.name), Number(presented.texts.step));
    else livePresent.leave();
    if (pieces.length && !presented) {
      const first = figures.get(pieces[0].name);
      first.fit(); // its height is known before the page goes there
      first.element.scrollIntoView({ block: "start", behavior: "instant" });
    }
  }

  // The figure that an element's markup and data make, in place of the one that they made before.
  function adopt(element) {
    element.live?.life.abort();
    const figure = new LiveFigure(element);
    element.live = figure;
    figures.set(figure.data.name, figure);
    return figure;
  }

  function start() {
    for (const element of document.querySelectorAll("figure.live")) {
      const figure = adopt(element);
      new ResizeObserver(() => element.live.fit()).observe(figure.picture);
      if (figure.data.lines && liveTyped.offered) liveTyped.load();
    }
    const alone = figures.get(searched());
    if (alone) livePresent.alone(alone);
    document.documentElement.classList.remove("live-alone"); // set in the page's head, before anything was drawn
    livePresets.start({ figures, remember });
    document.addEventListener("live:state", rememberSoon);
    addEventListener("hashchange", () => history.state?.live || restore()); // Back to an entry of ours is its own matter
    // Sphinx's search script empties every input named q when the page is ready: show the sliders' values again.
    addEventListener("load", () => figures.forEach((figure) => figure.showValues()));
    restore();
  }

  globalThis.liveFigures = { adopt };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
