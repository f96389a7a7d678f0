// A figure's numbers and its picture: the players of its trace, and the paths and readings that they move.
"use strict";

live.Drawing = (() => {
  const { scale, polyline, band, dots, round } = live.picture;
  const { shown } = live.numbers;
  const { said, gridOf } = live.sliders;

  // The feature that draws marks of this kind, if it is none of the core's own.
  const drawnBy = ({ kind }) => live.features.find((one) => one.kind === kind);

  class Drawing {
    constructor(element) {
      this.element = element;
      this.data = JSON.parse(element.querySelector(".live-data").textContent);
      const { x, frame, sliders, operations, tables } = this.data;
      const grid = (this.data.grid ??= gridOf(sliders[x], frame.x[4]));
      if (sliders[x].snaps) sliders[x].stops = grid;
      this.data.operations = live.trace.unpacked(operations);
      this.data.tables = tables.map((table) => live.lookUpTable(table, grid));
      this.picture = element.querySelector(".live-picture");
      this.svg = this.picture.querySelector("svg");
      this.table = element.querySelector(".live-readings");
      this.values = this.defaults;
      this.traces = null; // made when they are first needed
      this.findParts();
    }

    get defaults() {
      return Object.fromEntries(Object.entries(this.data.sliders).map(([name, slider]) => [name, slider.at]));
    }

    // ---- numbers

    // Two players of one trace: along the x axis for curves and bands, at the cursor for readings and marks.
    get players() {
      if (!this.traces) {
        const { operations, grid, draws, x } = this.data;
        const { Player } = live.trace;
        this.traces = { along: new Player(operations), cursor: new Player(operations) };
        this.traces.along.set(x, Float64Array.from(grid));
        this.setDraws(draws);
      }
      return this.traces;
    }

    setDraws(draws) {
      for (const player of Object.values(this.players)) {
        for (const [name, sample] of Object.entries(draws)) player.set(name, Float64Array.from(sample));
      }
    }

    play() {
      const { along, cursor } = this.players;
      for (const [name, value] of Object.entries(this.values)) {
        cursor.set(name, value);
        if (name !== this.data.x) along.set(name, value);
      }
    }

    at(address) {
      const output = this.data.outputs[address];
      return typeof output === "number" ? this.players.cursor.get(output) : this.lookUp(output.table, this.values);
    }

    along(address) {
      const output = this.data.outputs[address];
      if (typeof output === "number") return this.players.along.get(output);
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
      const path = (gid) => part(gid)?.querySelector("path");
      this.lines = curves.map((curve, i) => ({
        ...curve,
        path: path(`curve-${i}`),
        dot: path(`dot-${i}`),
        lead: path(`lead-${i}`), // a curve without a label has none
        text: part(`label-${i}`),
        cell: this.cell("curve", curve.name),
      }));
      this.marks = marks.map((mark, i) => ({ ...mark, path: path(`mark-${i}`), cell: this.cell("mark", mark.name) }));
      this.cursor = path("cursor");
      this.reach(frame.x[1], frame.y[0]);
    }

    // The x axis ends there, and the y axis begins; the places of all that stands along them follow.
    reach(end, bottom) {
      const { frame, grid } = this.data;
      [frame.x[1], frame.y[0]] = [end, bottom];
      this.place = { x: scale(frame.x), y: scale(frame.y) };
      this.xs = grid.map((x) => String(round(this.place.x(x))));
    }

    cell(kind, name) {
      return [...this.element.querySelectorAll(`[data-${kind}]`)].find((cell) => cell.dataset[kind] === name);
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
        line.cell.textContent = shown(value, this.data.up, line.format);
      }
    }

    moveMark(mark) {
      const { frame } = this.data;
      const own = drawnBy(mark);
      if (own) return void own.move(this, mark);
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
      const own = drawnBy(mark);
      if (own) return own.words(this, mark);
      const { symbols, sliders, x, up } = this.data;
      const { base, format, integer } = sliders[x];
      const word = (c) => {
        if (c === "y") return shown(places.y, up, mark.format);
        const whole = integer && Number.isInteger(places.x);
        return base || format || whole ? said(sliders[x], places.x) : shown(places.x);
      };
      if (!mark.x) return word("y"); // a level line, whose reading is a number like the curves'
      const known = ["x", "y"].filter((coordinate) => mark[coordinate]);
      if (known.some((c) => Number.isNaN(places[c]))) return "never";
      return known.map((c) => `${symbols[c]} = ${word(c)}`.replace(/ (?=[=×])|(?<=[=×]) /g, "\u00a0")).join(", ");
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
    curvesAt(values) {
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

  return Drawing;
})();
