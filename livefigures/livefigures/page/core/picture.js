// From numbers to SVG paths: the page's half of svg.py, which writes the same at the defaults.
"use strict";

live.picture = (() => {
  const TYPE = 13; // height of matplotlib's type, in units of the picture
  const FAR = 1e4; // coordinates stay near the picture: the clip hides the rest

  // One number stands for a level line.
  const entry = (values, i) => (typeof values === "number" ? values : values[i]);
  const round = (value) => Math.round(value * 100) / 100;

  // A map from data to SVG coordinates along one axis of the frame: [at low, at high, low, high, logarithmic?].
  function scale([start, end, low, high, log]) {
    const from = log ? Math.log(low) : low;
    const slope = (end - start) / ((log ? Math.log(high) : high) - from);
    return (value) => {
      const place = start + slope * ((log ? Math.log(value) : value) - from);
      return place > FAR ? FAR : place < -FAR ? -FAR : place;
    };
  }

  // `xs` are coordinates already; `y` is data.
  function polyline(xs, y, place) {
    let path = "";
    let pen = "M";
    for (let i = 0; i < xs.length; i++) {
      const py = place(entry(y, i));
      if (py === py) path += pen + xs[i] + " " + round(py);
      pen = py === py ? "L" : "M";
    }
    return path;
  }

  function band(xs, low, high, place) {
    const height = (edge, i) => place(entry(edge, i));
    let path = "";
    for (let first = 0; first < xs.length; first++) {
      let last = first;
      while (last < xs.length && !Number.isNaN(height(low, last) + height(high, last))) last++;
      if (last - first > 1) {
        let upper = "";
        let lower = "";
        for (let i = first; i < last; i++) {
          upper += (i > first ? "L" : "M") + xs[i] + " " + round(height(high, i));
          lower = "L" + xs[i] + " " + round(height(low, i)) + lower;
        }
        path += upper + lower + "Z";
      }
      first = last;
    }
    return path;
  }

  // Dots are strokes of no length with round caps; those outside the picture are left out.
  function dots(frame, placeX, placeY, x, y) {
    const count = Math.max(x.length ?? 1, y.length ?? 1);
    let path = "";
    for (let i = 0; i < count; i++) {
      const px = placeX(entry(x, i));
      const py = placeY(entry(y, i));
      const inside = px >= frame.x[0] && px <= frame.x[1] && py >= frame.y[1] && py <= frame.y[0];
      if (inside) path += `M${round(px)} ${round(py)}h0`;
    }
    return path;
  }

  // Places moved apart to at least `gap`, in their order, as little as possible, within [low, high].
  function spread(places, gap, low, high) {
    const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
    const groups = [];
    order.forEach((i, position) => {
      groups.push({ total: places[i] - position * gap, members: 1 });
      for (let last = groups.length - 1; last > 0; last--) {
        const [before, after] = [groups[last - 1], groups[last]];
        if (before.total / before.members < after.total / after.members) break;
        before.total += after.total;
        before.members += after.members;
        groups.pop();
      }
    });
    const starts = groups.flatMap(({ total, members }) => Array(members).fill(total / members));
    const ceiling = Math.max(high - gap * (places.length - 1), low);
    const moved = [];
    order.forEach((i, position) => {
      moved[i] = Math.min(Math.max(starts[position], low), ceiling) + position * gap;
    });
    return moved;
  }

  // Which of these is nearest to a value.
  function nearest(values, value) {
    let best = 0;
    for (let i = 1; i < values.length; i++) if (Math.abs(values[i] - value) < Math.abs(values[best] - value)) best = i;
    return best;
  }

  return { entry, nearest, TYPE, scale, polyline, band, dots, spread, round };
})();
