// A curve's name in the text has the curve's look from the build. Pointed at, it puts its curve in front of the others;
// a click keeps it there. For the keyboard the letter N does so, one curve after the other: no word is a tab stop.
"use strict";

(() => {
  const { come } = live.use("summary");
  const { show, rest, isolate } = live.use("drag");

  // What a word names; nothing while a question hides it.
  function named({ target }) {
    const { figure: name, part } = target.closest(".live-name")?.dataset ?? {};
    const figure = live.page.figures.get(name);
    const found = figure && [...figure.lines, ...figure.marks].find((one) => one.name === part);
    return found && come(found) ? { figure, found } : null;
  }

  const listen = (kind, act) =>
    document.addEventListener(kind, (event) => {
      const { figure, found } = named(event) ?? {};
      if (figure) act(figure, found);
    });

  // The next curve, and after the last one all of them.
  function next(figure) {
    const lines = figure.lines.filter(come);
    const line = lines[lines.indexOf(figure.of("drag").line) + 1];
    isolate(figure, line ?? figure.of("drag").line);
    figure.announce(line ? `${line.name} in front: ${line.cell.textContent}` : "All curves in front");
    return true;
  }

  listen("mouseover", show);
  listen("mouseout", rest);
  listen("click", isolate);

  live.feature({ name: "curve_names", keys: [{ key: "n", name: "N", does: "next curve in front", press: next }] });
})();
