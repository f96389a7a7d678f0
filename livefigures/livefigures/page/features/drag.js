// The picture itself is touched: dragged sideways it moves the cursor; a curve under the pointer says its name and value
// while the others fade, and a click keeps it so. Rows of the table do the same for their curves.
"use strict";

(() => {
  const { make } = live.dom;
  const { shown } = live.numbers;
  const { valueAt: valueAtShare } = live.sliders;
  const { come } = live.use("summary");
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
    for (const line of figure.lines.filter(come)) {
      const y = figure.along(line.y);
      for (let j = Math.max(0, i - 3); j <= Math.min(figure.xs.length - 1, i + 3); j++) {
        const far = Math.hypot(figure.xs[j] - at.x, figure.place.y(entry(y, j)) - at.y) / at.unit;
        if (far <= (best?.far ?? NEAR)) best = { line, far, value: entry(y, i), x: figure.data.grid[i] };
      }
    }
    return best;
  }

  // ---- one curve in front

  // A curve or a mark, or none.
  function light(figure, part, words = "") {
    const { picture, lines, marks } = figure;
    const { tip } = figure.of("drag");
    picture.classList.toggle("live-picking", Boolean(part));
    for (const other of [...lines, ...marks])
      for (const each of figure.partsOf(other)) each.classList.toggle("live-lit", other === part);
    tip.textContent = words;
    tip.hidden = !words;
  }

  const said = (figure, { name }, value, x) =>
    `${name}: ${value} at ${figure.data.symbols.x} = ${figure.said(figure.data.x, Number(x.toPrecision(4)))}`;

  // As it stands at the cursor, where a curve is read.
  function show(figure, part) {
    light(figure, part, part.kind ? "" : said(figure, part, part.cell.textContent, figure.values[figure.data.x]));
  }

  function rest(figure) {
    const { line } = figure.of("drag");
    if (line) show(figure, line);
    else light(figure);
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
    picture.append(mine.tip);
    let drag = null; // { x, y, before, moved }
    svg.addEventListener("pointerdown", (event) => {
      if (event.button || document.querySelector(".live-menu[open]") || !placeOf(figure, event)) return;
      drag = { x: event.clientX, y: event.clientY, before: { ...figure.values }, moved: false };
    });
    svg.addEventListener("pointermove", (event) => {
      if (drag) pull(figure, drag, event);
      else if (event.pointerType === "mouse") hover(figure, event);
    });
    svg.addEventListener("pointerup", (event) => {
      const at = drag && !drag.moved && placeOf(figure, event);
      drag = null;
      if (!at) return;
      const found = nearest(figure, at);
      if (!found || event.pointerType !== "mouse") moveCursor(figure, at.x); // a finger reads where it points
      isolate(figure, found ? found.line : mine.line);
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
        release(figure);
        event.preventDefault();
      },
      figure.life,
    );
  }

  function wireTable(figure) {
    const { table } = figure;
    const act = (kind, does) =>
      table.addEventListener(kind, ({ target }) => {
        const line = figure.lines.find(({ cell }) => cell.parentNode === target.closest("tr"));
        if (line) does(figure, line);
      });
    act("mouseover", show);
    act("click", isolate);
    table.addEventListener("mouseleave", () => rest(figure));
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
    if (found)
      light(
        figure,
        found.line,
        said(figure, found.line, shown(found.value, figure.data.up, found.line.format), found.x),
      );
    else rest(figure);
  }

  const redraw = (figure) => figure.of("drag").line && rest(figure);

  // All curves are in front again.
  const release = (figure) => isolate(figure, figure.of("drag").line);

  live.feature({ name: "drag", made, redraw, asked: release, present: release, offers: { show, rest, isolate } });
})();
