// Error bars: a line up and down from each point of data, and in the table the range of their lengths.
"use strict";

(() => {
  const { dots, entry, round } = live.picture;
  const { shown } = live.numbers;
  const CAP = 3; // units, half of a cap's width

  // Without a length, and without a place in the picture, there is no bar.
  function bar({ place, data }, x, ...ends) {
    const floor = data.frame.y[4] ? Number.MIN_VALUE : -Infinity; // a logarithmic axis has no place for zero
    const [at, low, high] = [place.x(x), ...ends.map((end) => place.y(Math.max(end, floor)))].map(round);
    return Number.isNaN(low + high)
      ? ""
      : `M${at} ${low}V${high}M${at - CAP} ${low}h${2 * CAP}M${at - CAP} ${high}h${2 * CAP}`;
  }

  function move(figure, mark) {
    const { x, y } = figure.placesOf(mark);
    mark.path.setAttribute("d", dots(figure.data.frame, figure.place.x, figure.place.y, x, y));
    if (!mark.yerr) return;
    const [down, up = down] = lengths(figure, mark);
    const bars = Array.from(x, (at, i) => bar(figure, at, y[i] - entry(down, i), y[i] + entry(up, i)));
    mark.path.nextElementSibling.setAttribute("d", bars.join(""));
    mark.cell.textContent = words(figure, mark);
  }

  // One for both directions, or those downwards and those upwards.
  const lengths = (figure, { yerr, yerr_up: up }) => (up ? [yerr, up] : [yerr]).map((one) => figure.at(one));

  // As still.py writes it: "9 points, ± 0.200 to 0.300".
  function words(figure, mark) {
    const said = (one) => shown(one, figure.data.up, mark.format ?? "{:.3g}");
    const told = [mark.cell.textContent.split(",")[0]];
    lengths(figure, mark).forEach((length, i, { length: ways }) => {
      const known = (typeof length === "number" ? [length] : [...length]).filter(Number.isFinite);
      const ends = new Set([Math.min(...known), Math.max(...known)].map(said));
      const way = ways < 2 ? "±" : ["down", "up"][i];
      if (known.length) told.push(`${way}\u00a0${[...ends].join(" to ")}`);
    });
    return told.join(", ");
  }

  live.feature({ name: "error_bars", kind: "points", move, words });
})();
