// Bars for counts: each stands on its base at its place, and is as high as its number.
"use strict";

(() => {
  const { entry, round } = live.picture;

  function move(figure, mark) {
    const { x, y } = figure.placesOf(mark);
    const { place, data } = figure;
    const half = mark.width / 2;
    const base = data.frame.y[4] ? Math.max(mark.base, Number.MIN_VALUE) : mark.base;
    const bar = (_, i) => {
      const [at, height] = [entry(x, i), entry(y, i)];
      const ends = [place.x(at - half), place.x(at + half), place.y(base), place.y(height)].map(round);
      const [left, right, low, high] = ends;
      return ends.some(Number.isNaN) ? "" : `M${left} ${low}V${high}H${right}V${low}Z`;
    };
    const count = Math.max(x.length ?? 1, y.length ?? 1);
    mark.path.setAttribute("d", Array.from({ length: count }, bar).join(""));
  }

  live.feature({ name: "bar_chart", kind: "bars", move });
})();
