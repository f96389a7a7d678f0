// A picture without a curve says so, and where the curves are.
"use strict";

(() => {
  const { make } = live.dom;

  // Where a curve is, of inside, above, below: all that it is at some place.
  function placesOf(figure, line) {
    const [, , low, high] = figure.data.frame.y;
    const y = figure.along(line.y);
    const values = typeof y === "number" ? [y] : [...y];
    return values
      .filter((value) => value === value)
      .map((value) => (value > high ? "above" : value < low ? "below" : "inside"));
  }

  function wordsFor(figure) {
    const places = new Set(figure.lines.flatMap((line) => placesOf(figure, line)));
    if (places.has("inside") || !figure.lines.length) return "";
    if (!places.size) return "No curve has a value at this setting.";
    return `Every curve is ${[...places].sort().join(" or ")} the picture at this setting; the table has the values.`;
  }

  function redraw(figure) {
    const words = wordsFor(figure);
    const note = figure.picture.querySelector(".live-outside");
    if (!words) note?.remove();
    else if (note) note.textContent = words;
    else figure.picture.append(make("p", { class: "live-outside" }, words));
  }

  live.feature({ name: "out_of_view", redraw });
})();
