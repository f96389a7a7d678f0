// Figures come alive: sliders play the tape and rewrite the moving paths. No formula lives here (see tracing.py).
"use strict";

(() => {
  const { scale, polyline, band, dots, spread, shown, plain, round } = globalThis.livePicture;
  const LABEL_GAP = 17;
  const LONGEST_STATE = 5000;
  const DRAWS = {
    normal: () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()),
    uniform: () => Math.random(),
    laplace: () => (Math.random() < 0.5 ? 1 : -1) * Math.log(1 - Math.random()),
  };
  const figures = new Map();

  class LiveFigure {
    constructor(element) {
      this.element = element;
      this.data = JSON.parse(element.querySelector(".live-data").textContent);
      this.values = {};
      for (const [name, slider] of Object.entries(this.data.sliders)) this.values[name] = slider.at;
      this.pending = new Set();
      this.frame = 0;
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
      if (lines.length) this.moveLabels();
      for (const mark of this.marks) this.moveMark(mark);
      this.moveCursor();
      const milliseconds = performance.now() - start;
      this.element.dispatchEvent(new CustomEvent("live:redraw", { bubbles: true, detail: { milliseconds } }));
    }

    moveCursor() {
      const { frame, x } = this.data;
      const px = round(this.place.x(this.values[x]));
      this.cursor.setAttribute("d", `M${px} ${frame.y[0]}L${px} ${frame.y[1]}`);
      this.element.querySelector(".live-cursor").textContent = plain(this.values[x]);
      for (const line of this.lines) {
        const value = this.at(line.y);
        line.dot.setAttribute("d", dots(frame, this.place.x, this.place.y, this.values[x], value));
        line.cell.dataset.value = String(value);
        line.cell.textContent = shown(value);
      }
    }

    moveMark(mark) {
      const { frame } = this.data;
      if (mark.kind === "band") {
        mark.path.setAttribute("d", band(this.xs, this.along(mark.low), this.along(mark.high), this.place.y));
        return;
      }
      const [x, y] = [mark.x && this.at(mark.x), mark.y && this.at(mark.y)];
      if (mark.kind === "line") {
        const [px, py] = [round(this.place.x(x)), round(this.place.y(y))];
        const upright = `M${px} ${frame.y[0]}L${px} ${frame.y[1]}`;
        const path = mark.x ? upright : `M${frame.x[0]} ${py}L${frame.x[1]} ${py}`;
        mark.path.setAttribute("d", path.includes("NaN") ? "" : path);
      } else {
        mark.path.setAttribute("d", dots(frame, this.place.x, this.place.y, x, y));
      }
      if (mark.cell) this.readMark(mark, { x, y });
    }

    readMark(mark, places) {
      const symbols = this.data.symbols;
      const known = ["x", "y"].filter((coordinate) => mark[coordinate]);
      for (const coordinate of known) mark.cell.dataset[coordinate] = String(places[coordinate]);
      mark.cell.textContent = known.map((c) => `${symbols[c]}\u00a0=\u00a0${shown(places[c])}`).join(", ");
    }

    moveLabels() {
      const { frame } = this.data;
      const [bottom, top, low, high] = frame.y;
      const end = (line) => {
        const y = this.along(line.y);
        if (typeof y === "number") return y;
        for (let i = y.length - 1; i >= 0; i--) if (Number.isFinite(y[i])) return y[i];
        return NaN;
      };
      const labelled = this.lines.filter((line) => line.lead);
      const ends = labelled.map(end);
      const drawn = labelled.filter((_, i) => !Number.isNaN(ends[i]));
      const kept = ends.filter((value) => !Number.isNaN(value));
      const heights = kept.map((value) => this.place.y(Math.min(Math.max(value, low), high)));
      const places = spread(heights, LABEL_GAP, top + 5, bottom);
      for (const line of labelled) line.lead.setAttribute("d", "");
      for (const line of labelled) line.text.setAttribute("visibility", drawn.includes(line) ? "visible" : "hidden");
      drawn.forEach((line, i) => {
        line.text.setAttribute("transform", `translate(0 ${round(places[i] - line.label)})`);
        if (kept[i] < low || kept[i] > high) return;
        const [from, to] = [round(frame.x[1] + 2), round(frame.x[1] + 14)];
        line.lead.setAttribute("d", `M${from} ${round(heights[i])}L${to} ${round(places[i])}`);
      });
    }

    // ---- controls

    wire() {
      this.ranges = {};
      this.typed = {};
      for (const range of this.element.querySelectorAll("input[type=range]")) {
        this.ranges[range.name] = range;
        range.addEventListener("input", () => this.set({ [range.name]: this.fromRange(range) }));
      }
      this.choices = [...this.element.querySelectorAll(".live-choice input")];
      for (const button of this.choices) {
        button.addEventListener("change", () => this.set({ [button.dataset.for]: Number(button.value) }));
      }
      for (const field of this.element.querySelectorAll(".live-typed")) {
        this.typed[field.dataset.for] = field;
        field.addEventListener("change", () => this.takeTyped(field));
      }
      for (const button of this.element.querySelectorAll(".live-buttons button")) {
        button.addEventListener("click", () => this[button.dataset.action](button));
      }
      for (const part of this.element.querySelectorAll(".live-controls, .live-buttons")) part.hidden = false;
      this.showValues();
    }

    fromRange(range) {
      const { stops, at } = this.data.sliders[range.name];
      if (stops) return stops[Number(range.value)];
      // Arithmetic on a native slider's steps leaves dust: 0.1 + 2 * 0.1.
      return range.value === "" ? at : Number(Number(range.value).toPrecision(12));
    }

    // What keeps `value` from being this slider's, in words; "" if nothing does.
    problem(name, value) {
      const { low, high, integer, symbol } = this.data.sliders[name];
      const fits = value >= low && value <= high && (!integer || Number.isInteger(value));
      return fits ? "" : `${symbol} must be ${integer ? "a whole number" : "a number"} from ${plain(low)} to ${plain(high)}`;
    }

    takeTyped(field) {
      const name = field.dataset.for;
      const value = field.value.trim() === "" ? NaN : Number(field.value);
      const problem = this.problem(name, value);
      field.setAttribute("aria-invalid", String(problem !== ""));
      field.closest(".live-slider").querySelector(".live-problem").textContent = problem;
      if (!problem) this.set({ [name]: value });
    }

    snap(name, value) {
      const { stops, snaps } = this.data.sliders[name];
      return snaps ? stops[nearest(stops, value)] : value;
    }

    // Values outside a slider's range are refused whole; the return value says which were taken.
    set(values) {
      const taken = Object.keys(values).filter((name) => Object.hasOwn(this.values, name) && this.problem(name, values[name]) === "");
      for (const name of taken) this.values[name] = this.snap(name, values[name]);
      if (taken.length) {
        this.showValues();
        this.change(taken);
        this.announce();
        rememberSoon();
      }
      return taken;
    }

    // A value as a link writes it, and back: an option's name where the slider is a choice.
    written(name, value) {
      const { keys } = this.data.sliders[name];
      return keys ? keys[value] : plain(value);
    }

    read(name, text) {
      const keys = Object.hasOwn(this.values, name) ? this.data.sliders[name].keys : undefined;
      return keys && keys.includes(text) ? keys.indexOf(text) : Number(text);
    }

    showChoices() {
      for (const button of this.choices) button.checked = this.values[button.dataset.for] === Number(button.value);
      for (const [name, { when }] of Object.entries(this.data.sliders)) {
        if (!when) continue;
        const awake = Object.entries(when).every(([choice, option]) => this.values[choice] === option);
        this.ranges[name].closest(".live-slider").hidden = !awake;
      }
    }

    showValues() {
      this.showChoices();
      for (const [name, value] of Object.entries(this.values)) {
        const range = this.ranges[name];
        if (!range) continue;
        const { stops } = this.data.sliders[name];
        const position = stops ? nearest(stops, value) : value;
        if (Number(range.value) !== position) range.value = String(position);
        range.dataset.value = plain(value);
        range.setAttribute("aria-valuetext", `${name}, ${plain(value)}`);
        if (document.activeElement !== this.typed[name] || this.problem(name, Number(this.typed[name].value)) === "") {
          this.typed[name].value = plain(value);
          this.typed[name].setAttribute("aria-invalid", "false");
          this.typed[name].closest(".live-slider").querySelector(".live-problem").textContent = "";
        }
      }
    }

    // Screen readers hear the readings once the sliders rest.
    announce() {
      clearTimeout(this.speech);
      this.speech = setTimeout(() => {
        const cursor = `${this.data.symbols.x} = ${plain(this.values[this.data.x])}`;
        const spoken = this.lines.map((line) => `${line.name} ${line.cell.textContent}`);
        this.element.querySelector(".live-status").textContent = `${cursor}: ${spoken.join("; ")}`;
      }, 700);
    }

    get moved() {
      return Object.entries(this.values).filter(([name, value]) => value !== this.data.sliders[name].at);
    }

    reset() {
      this.set(Object.fromEntries(Object.entries(this.data.sliders).map(([name, slider]) => [name, slider.at])));
    }

    again() {
      const { draws, kinds } = this.data;
      const anew = Object.entries(draws).map(([name, sample]) => [name, sample.map(() => DRAWS[kinds[name]]())]);
      void this.tapes;
      this.setDraws(Object.fromEntries(anew));
      this.change(Object.keys(draws));
    }

    link(button) {
      remember();
      const field = this.element.querySelector(".live-link");
      field.value = location.href.split("#")[0] + "#" + (this.moved.length ? stateOf(this) : this.data.name);
      field.hidden = false;
      field.select();
      const said = (text) => {
        const before = "Copy link";
        button.textContent = text;
        setTimeout(() => (button.textContent = before), 1500);
      };
      if (!navigator.clipboard) return said("Press Ctrl+C");
      navigator.clipboard.writeText(field.value).then(
        () => said("Copied"),
        () => said("Press Ctrl+C"),
      );
    }

    present() {
      const on = this.element.classList.toggle("live-presenting");
      document.documentElement.classList.toggle("live-page-covered", on);
      this.element.querySelector("[data-action=present]").textContent = on ? "Leave (Esc)" : "Present";
      fit(this);
      if (on) this.element.querySelector(".live-slider:not([hidden]) input[type=range]").focus();
      else this.element.scrollIntoView({ block: "nearest" });
    }
  }

  function nearest(stops, value) {
    let best = 0;
    for (let i = 1; i < stops.length; i++) if (Math.abs(stops[i] - value) < Math.abs(stops[best] - value)) best = i;
    return best;
  }

  // ---- the state lives in the fragment: #figure:alpha=60,k=265;other:sigma=100

  const stateOf = (figure) => `${figure.data.name}:${figure.moved.map(([n, v]) => `${n}=${figure.written(n, v)}`).join(",")}`;

  let soon = 0;
  function rememberSoon() {
    clearTimeout(soon);
    soon = setTimeout(remember, 250);
  }

  function remember() {
    clearTimeout(soon);
    const state = [...figures.values()].filter((figure) => figure.moved.length).map(stateOf);
    const foreign = location.hash && !location.hash.includes(":");
    if (state.length === 0 && foreign) return; // a heading's own link stays
    history.replaceState(null, "", state.length ? "#" + state.join(";") : location.pathname + location.search);
  }

  // Nothing of the fragment is trusted: unknown names and values out of range are left alone.
  function restore(scroll) {
    const named = [];
    if (location.hash.length > LONGEST_STATE) return;
    for (const piece of location.hash.slice(1).split(";")) {
      const [name, settings = ""] = piece.split(":");
      const figure = figures.get(name);
      if (!figure) continue;
      const pairs = settings.split(",").map((setting) => setting.split("="));
      figure.set(Object.fromEntries(pairs.filter((pair) => pair.length === 2 && pair[1] !== "").map(([n, v]) => [n, figure.read(n, v)])));
      named.push(figure);
    }
    if (scroll && named.length) named[0].element.scrollIntoView({ block: "center" });
  }

  // ---- prose sets sliders

  function takePreset(event) {
    const preset = event.target.closest("a.live-set");
    const figure = preset && figures.get(preset.dataset.figure);
    if (!figure) return;
    event.preventDefault();
    const values = Object.entries(JSON.parse(preset.dataset.values));
    figure.set(Object.fromEntries(values.map(([name, value]) => [name, figure.read(name, value)])));
    const box = figure.element.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) figure.element.scrollIntoView({ block: "nearest", behavior: "auto" });
  }

  function takeKey(event) {
    const shown = [...figures.values()].find((figure) => figure.element.classList.contains("live-presenting"));
    if (shown && event.key === "Escape") shown.present();
  }

  // On a narrow screen, and in front of a class, type is larger: the axes take the room of the curves' labels, which
  // the table beside or below names as well.
  function fit(figure) {
    const { width, height, x } = figure.data.frame;
    const picture = figure.element.querySelector(".live-picture");
    const large = picture.clientWidth < 520 || figure.element.classList.contains("live-presenting");
    figure.element.classList.toggle("live-large", large);
    const box = large ? [-26, -8, x[1] + 26 + 26, height + 26] : [0, 0, width, height];
    picture.querySelector("svg").setAttribute("viewBox", box.join(" "));
  }

  function start() {
    for (const element of document.querySelectorAll("figure.live")) {
      const figure = new LiveFigure(element);
      element.live = figure;
      figures.set(figure.data.name, figure);
      new ResizeObserver(() => fit(figure)).observe(element.querySelector(".live-picture"));
    }
    document.addEventListener("click", takePreset);
    document.addEventListener("keydown", takeKey);
    addEventListener("hashchange", () => restore(true));
    // Sphinx's search script empties every input named q when the page is ready: show the sliders' values again.
    addEventListener("load", () => figures.forEach((figure) => figure.showValues()));
    restore(true);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
