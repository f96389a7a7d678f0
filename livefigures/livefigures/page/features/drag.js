// The picture itself is touched: dragged sideways it moves the cursor; a curve under the pointer says its name and value
// while the others fade, and a click keeps it so. Rows of the table do the same for their curves.
"use strict";

(() => {
  const { make } = live.dom;
  const { shown } = live.numbers;
  const { valueAt: valueAtShare } = live.sliders;
  const { entry } = live.picture;
  const NEAR = 16; // pixels from a curve
  const MEANT = 4; // pixels that make a click a drag

  // Where a pointer is, in the picture's units; null beside the axes.
  function placeOf(figure, { clientX, clientY }) {
    const { a, d, e, f } = figure.svg.getScreenCTM();
    const { x, y } = figure.data.frame;
    const at = { x: (clientX - e) / a, y: (clientY - f) / d, unit: 1 / a };
    return at.x >= x[0] - 6 && at.x <= x[1] + 6 && at.y >= y[1] - 6 && at.y <= y[0] + 6 ? at : null;
  }

  // A slider's value at a place of the axis: whole where it must be, with the digits that a pixel tells apart.
  function valueAt(figure, x) {
    const { frame, sliders, x: name } = figure.data;
    const [start, end] = frame.x;
    return valueAtShare(sliders[name], Math.max((x - start) / (end - start), 0));
  }

  function moveCursor(figure, x) {
    figure.set({ [figure.data.x]: valueAt(figure, x) });
  }

  // The curve nearest to a place, if it is near; `distance` is measured up and down and along.
  function nearest(figure, at) {
    const i = live.picture.nearest(figure.xs, at.x);
    let best = null;
    figure.play();
    for (const line of figure.lines) {
      const y = figure.along(line.y);
      for (let j = Math.max(0, i - 3); j <= Math.min(figure.xs.length - 1, i + 3); j++) {
        const far = Math.hypot(figure.xs[j] - at.x, figure.place.y(entry(y, j)) - at.y) / at.unit;
        if (far <= (best?.far ?? NEAR)) best = { line, far, value: entry(y, i), x: figure.data.grid[i] };
      }
    }
    return best;
  }

  // ---- one curve in front

  function light(figure, line, words = "") {
    const { picture } = figure;
    const { tip } = figure.of("drag");
    picture.classList.toggle("live-picking", Boolean(line));
    for (const other of figure.lines) {
      for (const part of [other.path, other.dot, other.lead, other.text])
        part.closest("g").classList.toggle("live-lit", other === line);
      other.cell.parentNode.classList.toggle("live-lit", other === line);
    }
    tip.textContent = words;
    tip.hidden = !words;
  }

  const said = ({ line, value, x }, figure) =>
    `${line.name}: ${shown(value, figure.data.up)} at ${figure.data.symbols.x} = ${figure.said(figure.data.x, Number(x.toPrecision(4)))}`;
  const atCursor = (figure, line) => ({
    line,
    value: Number(line.cell.dataset.value),
    x: figure.values[figure.data.x],
  });

  function rest(figure) {
    const { line } = figure.of("drag");
    light(figure, line, line ? said(atCursor(figure, line), figure) : "");
  }

  function isolate(figure, line) {
    const mine = figure.of("drag"); // `line` is the curve that stays in front
    mine.line = mine.line === line ? null : line;
    rest(figure);
  }

  // ---- pointer

  function made(figure) {
    const { picture, svg } = figure;
    const mine = figure.of("drag");
    mine.tip = make("p", { class: "live-tip", hidden: "" });
    mine.line = null;
    picture.append(mine.tip);
    let drag = null; // { x, y, before, moved }
    svg.addEventListener("pointerdown", (event) => {
      if (event.button || !placeOf(figure, event)) return;
      drag = { x: event.clientX, y: event.clientY, before: { ...figure.values }, moved: false };
    });
    svg.addEventListener("pointermove", (event) => {
      if (drag) pull(figure, drag, event);
      else if (event.pointerType === "mouse") hover(figure, event);
    });
    svg.addEventListener("pointerup", (event) => {
      const at = drag && placeOf(figure, event);
      const clicked = at && !drag.moved;
      drag = null;
      if (!clicked) return;
      const found = nearest(figure, at);
      if (!found || event.pointerType !== "mouse") moveCursor(figure, at.x); // a finger reads where it points
      if (found) return isolate(figure, found.line);
      mine.line = null;
      rest(figure);
    });
    svg.addEventListener("pointercancel", () => {
      if (drag?.moved) figure.set(drag.before);
      drag = null;
    });
    svg.addEventListener("pointerleave", () => drag || rest(figure));
    wireTable(figure);
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !mine.line || event.defaultPrevented) return;
        isolate(figure, mine.line);
        event.preventDefault();
      },
      figure.life,
    );
  }

  function wireTable(figure) {
    const { table } = figure;
    const lineOf = ({ target }) => figure.lines.find((line) => line.cell.parentNode === target.closest("tr"));
    table.addEventListener("mouseover", (event) => {
      const line = lineOf(event);
      if (line) light(figure, line, said(atCursor(figure, line), figure));
    });
    table.addEventListener("mouseleave", () => rest(figure));
    table.addEventListener("click", (event) => lineOf(event) && isolate(figure, lineOf(event)));
  }

  function pull(figure, drag, event) {
    const across = Math.abs(event.clientX - drag.x);
    if (!drag.moved && across < MEANT) return;
    if (!drag.moved) {
      drag.moved = true;
      figure.svg.setPointerCapture(event.pointerId);
      light(figure, figure.of("drag").line);
    }
    const { a, e } = figure.svg.getScreenCTM();
    moveCursor(figure, (event.clientX - e) / a);
  }

  function hover(figure, event) {
    const at = placeOf(figure, event);
    const found = at && nearest(figure, at);
    if (found) light(figure, found.line, said(found, figure));
    else rest(figure);
  }

  const redraw = (figure) => figure.of("drag").line && rest(figure);

  // All curves are in front again.
  const release = (figure) => figure.of("drag").line && isolate(figure, figure.of("drag").line);

  live.feature({ name: "drag", made, redraw, asked: release, present: release });
})();
