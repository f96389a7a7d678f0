// Curves along a parameter: an ellipse, a phase plane. Both coordinates are functions, so a path may cross itself.
"use strict";

(() => {
  const { entry, round } = live.picture;

  function move(figure, mark) {
    const { x, y } = figure.placesOf(mark);
    const count = Math.max(x.length ?? 1, y.length ?? 1);
    let path = "";
    let pen = "M";
    for (let i = 0; i < count; i++) {
      const [px, py] = [figure.place.x(entry(x, i)), figure.place.y(entry(y, i))];
      const known = !Number.isNaN(px + py);
      if (known) path += `${pen}${round(px)} ${round(py)}`;
      pen = known ? "L" : "M";
    }
    mark.path.setAttribute("d", path);
  }

  live.feature({ name: "paths", kind: "path", move });
})();
