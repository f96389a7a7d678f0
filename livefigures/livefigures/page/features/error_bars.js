// Error bars: a line up and down from each point of data, and in the table the range of their half heights.
"use strict";

(() => {
  const { dots, entry, round } = live.picture;
  const { shown } = live.numbers;
  const CAP = 3; // units, half of a cap's width

  // Without a half height, and without a place in the picture, there is no bar.
  function bar({ place, data }, x, y, half) {
    const floor = data.frame.y[4] ? Number.MIN_VALUE : -Infinity; // a logarithmic axis has no place for zero
    const [at, low, high] = [place.x(x), ...[y - half, y + half].map((end) => place.y(Math.max(end, floor)))].map(
      round,
    );
    return Number.isNaN(low + high)
      ? ""
      : `M${at} ${low}V${high}M${at - CAP} ${low}h${2 * CAP}M${at - CAP} ${high}h${2 * CAP}`;
  }

  function move(figure, mark) {
    const { x, y } = figure.placesOf(mark);
    mark.path.setAttribute("d", dots(figure.data.frame, figure.place.x, figure.place.y, x, y));
    if (!mark.yerr) return;
    const half = figure.at(mark.yerr);
    const bars = Array.from(x, (at, i) => bar(figure, at, y[i], entry(half, i)));
    mark.path.nextElementSibling.setAttribute("d", bars.join(""));
    mark.cell.textContent = words(figure, mark);
  }

  // As still.py writes it: "9 points, ± 0.200 to 0.300".
  function words(figure, mark) {
    const half = [figure.at(mark.yerr)].flatMap((one) => (typeof one === "number" ? one : [...one]));
    const known = half.filter(Number.isFinite);
    const said = (one) => shown(one, figure.data.up, mark.format ?? "{:.3g}");
    const ends = new Set([Math.min(...known), Math.max(...known)].map(said));
    const count = mark.cell.textContent.split(",")[0];
    return known.length ? `${count}, ±\u00a0${[...ends].join(" to ")}` : count;
  }

  live.feature({ name: "error_bars", kind: "points", move, words });
})();
