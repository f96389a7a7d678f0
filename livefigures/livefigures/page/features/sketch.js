// A curve is drawn before it is shown: by pointer or by keys on the picture; then the true one arrives over it.
// Its page loads it behind the others.
"use strict";

(() => {
  const { make, draw, button } = live.dom;
  const { said, shown } = live.numbers;
  const predict = live.use("predict");
  const STATIONS = 25; // places along the axis where the drawn curve has a height
  const CLOSE = 0.1; // of the picture's height
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // From a coordinate of the picture back to the axis.
  function valueAt([start, end, low, high, log], place) {
    const share = (place - start) / (end - start);
    return log ? low * (high / low) ** share : low + share * (high - low);
  }

  class Sketch {
    constructor({ element, figure, submit }) {
      this.figure = figure;
      this.line = figure.lines.find(({ name }) => name === element.dataset.curve);
      const { y } = figure.data.frame;
      this.ends = { low: y[0], high: y[1] };
      this.heights = [];
      this.here = 0;
      this.draw = button(`Draw “${this.line.name}” in the figure`, "draw", () => this.open());
      submit.before(this.draw, " ");
      figure.element.addEventListener("live:redraw", () => this.path?.isConnected && this.ink()); // on an axis of any length
    }

    get xs() {
      const [start, end] = this.figure.data.frame.x;
      return Array.from({ length: STATIONS }, (_, i) => start + ((end - start) * i) / (STATIONS - 1));
    }

    get drawn() {
      return this.heights.filter((height) => height !== undefined).length > STATIONS / 2
        ? this.heights.map(Math.round)
        : undefined;
    }

    clear() {
      this.close();
      this.heights = [];
      this.path?.remove();
      this.draw.hidden = false;
    }

    open() {
      const { picture, svg } = this.figure;
      this.ink();
      this.pad ??= this.made();
      picture.append(this.pad);
      picture.classList.add("live-sketching");
      svg.scrollIntoView({ block: "center", behavior: calm.matches ? "instant" : "smooth" });
      this.pad.focus({ preventScroll: true });
      this.figure.announce(
        "Draw with the pointer, or: left and right for the place, up and down for the height, Enter when done.",
      );
      this.tell();
    }

    close() {
      this.pad?.remove();
      this.figure.picture.classList.remove("live-sketching");
    }

    ink() {
      this.path = this.path?.isConnected ? this.path : draw("path", { class: "live-sketch" });
      this.line.path.parentNode.before(this.path);
      const { xs } = this;
      const known = this.heights.map((height, i) => (height === undefined ? "" : `${xs[i]} ${height}`)).filter(Boolean);
      this.path.setAttribute("d", known.length ? `M${known.join("L")}${known.length > 1 ? "" : "h0"}` : "");
    }

    made() {
      const pad = make("div", { class: "live-pad", role: "slider", tabindex: "0", "aria-orientation": "vertical" });
      pad.ariaLabel = `Your curve for ${this.line.name}`;
      let before = null;
      const at = ({ clientX, clientY }) => {
        const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.figure.svg.getScreenCTM().inverse());
        const place = Math.round(((x - this.xs[0]) / (this.xs.at(-1) - this.xs[0])) * (STATIONS - 1));
        return { place: Math.min(Math.max(place, 0), STATIONS - 1), height: y };
      };
      const put = (event) => {
        const to = at(event);
        const from = before ?? to;
        const steps = Math.max(1, Math.abs(to.place - from.place));
        for (let i = 0; i <= steps; i++) {
          const place = Math.round(from.place + ((to.place - from.place) * i) / steps);
          this.set(place, from.height + ((to.height - from.height) * i) / steps);
        }
        before = to;
        this.ink();
        this.tell();
      };
      pad.addEventListener("pointerdown", (event) => {
        pad.setPointerCapture(event.pointerId);
        put(event);
      });
      pad.addEventListener("pointermove", (event) => before && put(event));
      for (const end of ["pointerup", "pointercancel"]) pad.addEventListener(end, () => (before = null));
      pad.addEventListener("keydown", (event) => this.key(event));
      return pad;
    }

    set(place, height) {
      this.here = place;
      this.heights[place] = Math.min(Math.max(height, this.ends.high), this.ends.low);
    }

    key(event) {
      const [across, up] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
        event.key
      ] ?? [0, 0];
      if (event.key === "Enter" || event.key === "Escape") {
        this.close();
        this.draw.focus();
      } else if (!across && !up) return;
      else {
        const step = ((this.ends.low - this.ends.high) * (event.shiftKey ? 10 : 2)) / 100;
        const height = this.heights[this.here] ?? (this.ends.low + this.ends.high) / 2;
        this.set(this.here, height);
        this.set(Math.min(Math.max(this.here + across, 0), STATIONS - 1), height + up * step);
        this.ink();
        this.tell();
      }
      event.preventDefault();
      event.stopPropagation();
    }

    // "k = 126: ε about 0.84"
    read(place, height) {
      const { frame, symbols } = this.figure.data;
      return [
        `${symbols.x} = ${said(Number(valueAt(frame.x, this.xs[place]).toPrecision(3)))}`,
        shown(valueAt(frame.y, height)),
      ];
    }

    tell() {
      const height = this.heights[this.here] ?? (this.ends.low + this.ends.high) / 2;
      const [where, value] = this.read(this.here, height);
      this.pad.setAttribute(
        "aria-valuenow",
        String(Math.round((100 * (this.ends.low - height)) / (this.ends.low - this.ends.high))),
      );
      this.pad.ariaValueText = `${where}: ${this.figure.data.symbols.y} about ${value}`;
    }

    // The truth, and in words how far off the drawing was; `drawn` is one that was kept.
    reveal(drawn) {
      if (drawn) this.heights = drawn.map((height) => height ?? undefined);
      if (drawn) this.ink();
      else this.path?.remove();
      this.close();
      this.draw.hidden = true;
      return drawn ? this.verdict() : "";
    }

    verdict() {
      const { figure, line } = this;
      figure.play();
      const along = figure.along(line.y);
      const truth = this.xs.map((x) => {
        const value = live.picture.entry(along, live.picture.nearest(figure.xs, x));
        return Math.min(Math.max(figure.place.y(value), this.ends.high), this.ends.low);
      });
      const off = truth.map((height, i) =>
        this.heights[i] === undefined || Number.isNaN(height) ? 0 : Math.abs(height - this.heights[i]),
      );
      const worst = off.indexOf(Math.max(...off));
      const share = off[worst] / (this.ends.low - this.ends.high);
      if (share <= CLOSE) return " Your curve is nowhere further off than a tenth of the picture's height.";
      const [where, yours] = this.read(worst, this.heights[worst]);
      return ` Your curve is furthest off at ${where}: you drew ${yours}, it is ${this.read(worst, truth[worst])[1]}.`;
    }
  }

  predict.draw((question) => new Sketch(question));
  live.feature({ name: "sketch" });
})();
