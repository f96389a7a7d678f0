// Each curve's name stands where the curve can be told apart: beside its end, or in the picture where it leaves it, where
// it is far from the others. A name that finds no room is a number, and the table of readings says whose.
"use strict";

(() => {
  const { draw } = live.dom;
  const { entry, nearest, round, spread, TYPE } = live.picture;
  const COLUMNS = 60; // places across the picture at which curves are compared
  const APART = 4; // units between two ends that are told apart
  const GAP = 0.3; // of a name's height, between it and its curve
  const SIDES = [
    [-0.5, -1],
    [-0.5, 0],
    [-1, -1],
    [0, -1],
    [-1, 0],
    [0, 0],
    [-0.5, -1.5],
    [-0.5, 0.5],
    [-1, -1.5],
    [0, -1.5],
    [-1, 0.5],
    [0, 0.5],
  ]; // of a place: a name's corner, in its sizes; the last six are a line further away
  const FAR = 2.5; // a name there, with a line that leads to its curve, is that much worse
  const MARK = 8; // units around a marked point that no name covers
  const DOT = 4; // units around a point of data that a name prefers not to cover
  const RULE = 1; // on each side of a line without a name, which it does not cover either
  const CURSOR = 2; // a name over it is that much worse
  const LETTER = 9; // units: the cursor may pass below a name's first or last letter, 6 wide, and the 3 before it
  const WORST = 6; // a name that fits no better becomes a number

  const pen = document.createElement("canvas").getContext("2d"); // it measures words without a layout of the page
  pen.textRendering = "geometricPrecision"; // as the picture draws them (figure.css)

  // All that has a name in the picture: curves, and the marks that ask for one.
  const named = ({ lines, marks }) => [...lines, ...marks.filter((mark) => mark.named)];

  // Takes the place of the labels that the build wrote for a page without scripts.
  function make(figure, mine) {
    const { xs, data } = figure;
    const [left, right] = data.frame.x;
    mine.names = new Map(); // a curve's
    for (const line of named(figure)) dress(figure, line);
    mine.columns = Array.from({ length: COLUMNS }, (_, c) => {
      const x = left + ((right - left) * c) / (COLUMNS - 1);
      const at = nearest(xs, x);
      const next = at + Math.sign(x - xs[at]);
      return [at, next, (x - xs[at]) / (xs[next] - xs[at]) || 0];
    }); // their places in the grid: the nearest point, the one on the other side, and what share of the way there
  }

  // One curve's name and the line that leads to it.
  function dress(figure, line) {
    const { svg } = figure;
    const colour = line.path.parentNode.getAttribute("class").match(/live-colour-\S+/)[0];
    const words = line.text?.textContent.trim() || line.name;
    const name = {
      text: draw("text", { "font-size": TYPE }),
      beside: Boolean(line.text),
      words: [words, "①"],
    };
    line.text?.remove();
    line.lead?.parentNode.remove();
    line.lead = draw("path", { fill: "none", d: "" });
    line.text = draw("g", { class: `live-label ${colour}` }, name.text);
    svg.append(draw("g", { class: `live-lead ${colour}` }, line.lead), line.text);
    figure.of("labels").names.set(line, name);
  }

  // How wide words are at this size of type.
  function measure({ svg }, type) {
    pen.font = `${type}px ${getComputedStyle(svg).fontFamily}`;
    return (words) => pen.measureText(words).width;
  }

  // At another size of type; `beside` says whether the right margin is there.
  function fit(figure, type, beside) {
    const mine = figure.of("labels");
    if (!mine.columns) make(figure, mine);
    Object.assign(mine, { type, beside });
    const widthOf = measure(figure, type);
    for (const line of named(figure)) {
      const name = mine.names.get(line);
      name.last = {}; // where it stood, for each of the two costs of the cursor
      name.widths = name.words.map(widthOf);
    }
    figure.play();
    place(figure);
  }

  // Other curves: new ones get a name, and what was of those that are gone goes.
  function lines(figure) {
    const { columns, names, type, beside } = figure.of("labels");
    if (!columns) return;
    const all = named(figure);
    for (const line of all) if (!names.has(line)) dress(figure, line);
    for (const line of [...names.keys()].filter((one) => !all.includes(one))) {
      line.text.remove();
      line.lead.parentNode.remove();
      names.delete(line);
    }
    fit(figure, type, beside);
  }

  // What lies between two points of the grid is on the straight line that is drawn there, if both have a value.
  const between =
    (valueOf) =>
    ([at, next, share]) => {
      const near = valueOf(at);
      const there = near + share * (valueOf(next) - near);
      return there === there ? there : near;
    };

  function heights(figure, labelled) {
    const { columns } = figure.of("labels");
    const along = labelled.map((line) => (line.kind ? (line.x ? NaN : figure.at(line.y)) : figure.along(line.y)));
    return along.map((y) => columns.map(between((at) => figure.place.y(entry(y, at)))));
  }

  // Off the cursor, unless more names would then be numbers. They stay while the cursor alone is moved.
  function place(figure) {
    if (!figure.of("labels").columns) return;
    const numbers = arrange(figure, CURSOR);
    if (numbers && arrange(figure, 0) >= numbers) arrange(figure, CURSOR);
  }

  // `covers` is what a name over the cursor costs; the answer is how many names are numbers.
  function arrange(figure, covers) {
    const { columns, names, type, beside } = figure.of("labels");
    const { frame } = figure.data;
    const [bottom, top] = frame.y;
    const labelled = named(figure);
    const all = heights(figure, labelled);
    const inside = (y) => y >= top - 0.5 && y <= bottom + 0.5;
    const scene = {
      xs: columns.map(between((at) => Number(figure.xs[at]))),
      type,
      all,
      taken: [],
      numbered: 0,
      cursor: upright(figure, figure.values[figure.data.x], -LETTER),
      covers,
      dots: figure.marks.flatMap((mark) => dotsOf(figure, mark)),
      tall: 1.12 * type,
      left: frame.x[0],
      right: frame.x[1],
      top,
      bottom,
      inside,
    };
    for (const { stands: [x, y] = [] } of figure.marks) scene.taken.push(around(x, y, MARK));
    const drawn = labelled
      .map((line, i) => ({ line, name: names.get(line), i, y: all[i], ...spotsOf(figure, scene, line, all[i]) }))
      .filter(({ spots }) => spots.length);
    for (const line of labelled) show({ line, name: names.get(line) }, null);
    const ends = drawn.filter(({ name, y }) => beside && name.beside && inside(y.at(-1)));
    const close = ({ y, i }) => ends.some((other) => other.i !== i && Math.abs(other.y.at(-1) - y.at(-1)) < APART);
    const free = drawn.filter((one) => !ends.includes(one) || close(one));
    const found = free.filter((one) => !within(scene, one, 0) && (ends.includes(one) || !within(scene, one, 1)));
    const margin = [...ends.filter((one) => !free.includes(one)), ...found.filter((one) => ends.includes(one))];
    besideEnds(scene, margin);
    for (const one of found.filter((each) => !margin.includes(each))) anywhere(scene, one);
    return scene.numbered;
  }

  // Where a name may stand, `gap` away: at a dot, at an upright line, else at every second place of a curve.
  function spotsOf(figure, { xs, inside, tall, left, right, top, bottom }, mark, y) {
    if (!mark.x) {
      const last = y.findLastIndex(inside);
      return {
        gap: GAP * tall,
        spots: y.flatMap((at, c) => (inside(at) && (c === last || c % 2 === 0) ? [[xs[c], at, c]] : [])),
      };
    }
    const [x, at] = Object.values(figure.placesOf(mark)).map((value, i) => figure.place[i ? "y" : "x"](value));
    const heights = mark.y ? [at] : xs.map((_, c) => top + ((bottom - top) * c) / (COLUMNS - 1));
    const spots = heights
      .filter((one) => inside(one) && x >= left && x <= right)
      .map((one) => [x, one, nearest(xs, x)]);
    return { gap: mark.y ? MARK + 2 : GAP * tall, upright: !mark.y, spots };
  }

  const around = (x, y, room) => ({ x: x - room, y: y - room, wide: 2 * room, tall: 2 * room });

  const upright = ({ place: at, data }, x, room = RULE) => {
    const [bottom, top] = data.frame.y;
    return { x: at.x(x) - room, y: top, wide: 2 * room, tall: bottom - top };
  };

  // What a name prefers not to cover: points of data, and lines, but for a level one with a name.
  function dotsOf(figure, mark) {
    const { x, y } = figure.placesOf(mark);
    const across = figure.data.frame.x;
    if (mark.kind === "line" && !mark.path.closest(".live-reading"))
      return mark.x
        ? [upright(figure, x)]
        : mark.named
          ? []
          : [{ x: across[0], y: figure.place.y(y) - RULE, wide: across[1] - across[0], tall: 2 * RULE }];
    if (mark.kind !== "points") return [];
    return Array.from(x, (at, i) => around(figure.place.x(at), figure.place.y(y[i]), DOT));
  }

  // At the right edge, in the order of the ends.
  function besideEnds({ type, right, top, bottom }, margin) {
    const ends = margin.map(({ y }) => y.at(-1));
    const places = spread(ends, 1.3 * type, top + 5, bottom);
    margin.forEach((one, i) => {
      show(one, { x: right + 18, y: places[i] });
      lead(one, right + 2, ends[i], right + 14, places[i]);
    });
  }

  // In the picture: false if there is no room for the name, or (form 1) for its number.
  function within(scene, one, form) {
    const { name, i, gap, upright, spots } = one;
    const { taken, cursor, covers, dots, tall, left, right, top, bottom, all } = scene;
    const wide = name.widths[form];
    let best = null;
    let least = form ? Infinity : WORST;
    for (const [x, y, c] of spots) {
      let apart = 3 * tall;
      for (const [j, other] of all.entries())
        if (j !== i && other[c] === other[c]) apart = Math.min(apart, Math.abs(other[c] - y));
      const here =
        -apart / tall + (c === spots.at(-1)[2] ? -0.5 : 0) + 0.6 * (1 - c / COLUMNS) + (apart < APART ? 3 : 0);
      for (const [side, [across, down]] of SIDES.entries()) {
        if (upright && (across % 1 || down % 1)) continue;
        const box = {
          x: x + across * wide + (2 * across + 1) * gap,
          y: y + down * tall + (2 * down + 1) * gap,
          wide,
          tall,
        };
        const key = `${form} ${upright ? y : c} ${side}`;
        let worth = here + (down % 1 ? FAR : 0) + (name.last[covers] === key ? -1.2 : 0);
        if (worth >= least || box.x < left + 3 || box.x + wide > right - 1 || box.y < top || box.y + tall > bottom - 2)
          continue;
        if (taken.some((other) => overlap(box, other))) continue;
        if (overlap(box, cursor)) worth += covers;
        if (dots.some((other) => overlap(box, other))) worth += 5;
        for (const [j, other] of all.entries()) {
          if (worth >= least) break;
          if (crossed(scene, other, box)) worth += j === i ? 4 : 9;
          else if (j !== i && parts(other[c], y, box)) worth += down % 1 ? 1 : 5;
        }
        if (worth < least) [least, best] = [worth, { ...box, key, from: down % 1 && [x, y] }];
      }
    }
    if (!best) return false;
    name.last[scene.covers] = best.key;
    taken.push(best);
    show(one, { x: best.x, y: best.y + tall / 2 }, form && number(scene));
    if (best.from) {
      const [x, y] = best.from;
      lead(one, x, y, Math.max(best.x, Math.min(x, best.x + wide)), best.y + (best.y < y ? tall : 0));
    }
    return true;
  }

  const overlap = (a, b) =>
    a.x < b.x + b.wide + 3 && b.x < a.x + a.wide + 3 && a.y < b.y + b.tall + 1 && b.y < a.y + a.tall + 1;

  // Whether a curve runs between a name and the name's own.
  const parts = (other, own, { y, tall }) =>
    y > own ? other > own + 1 && other < y : other < own - 1 && other > y + tall;

  function crossed({ left, right }, y, box) {
    const column = (x) => ((x - left) / (right - left)) * (COLUMNS - 1);
    const to = Math.min(COLUMNS - 1, Math.ceil(column(box.x + box.wide)));
    for (let c = Math.max(0, Math.floor(column(box.x))); c < to; c++) {
      if (Math.max(y[c], y[c + 1]) > box.y && Math.min(y[c], y[c + 1]) < box.y + box.tall) return true;
    }
    return false;
  }

  // The number, at the nearest free place, with a line to the curve.
  function anywhere(scene, one) {
    const { name, spots } = one;
    const { taken, tall, left, right, top, bottom } = scene;
    const wide = name.widths[1];
    const [x0, y0] = spots.at(-1);
    let best = null;
    for (let x = left + 3; x + wide < right; x += wide / 2) {
      for (let at = top; at + tall < bottom; at += tall / 2) {
        const box = { x, y: at, wide, tall, far: Math.hypot(x + wide / 2 - x0, at + tall / 2 - y0) };
        if (box.far > tall && !(best?.far <= box.far) && !taken.some((other) => overlap(box, other))) best = box;
      }
    }
    if (!best) return;
    taken.push(best);
    show(one, { x: best.x, y: best.y + tall / 2 }, number(scene));
    lead(one, x0, y0, best.x + wide / 2, best.y + tall / 2);
  }

  const lead = ({ line }, ...ends) => {
    const [x0, y0, x, y] = ends.map(round);
    line.lead.setAttribute("d", `M${x0} ${y0}L${x} ${y}`);
  };

  // The next number, from ① on: names that find no room are counted in the order of the declaration.
  const number = (scene) => String.fromCodePoint(0x2460 + scene.numbered++);

  // Shows a name or its number from its left end on, or nothing.
  function show({ line, name }, at, numbered = "") {
    line.lead.setAttribute("d", "");
    line.text.toggleAttribute("data-absent", !at);
    const row = line.cell.parentNode.cells[0];
    if (at && numbered) row.dataset.key = numbered;
    else delete row.dataset.key;
    if (!at) return;
    const words = numbered || name.words[0];
    if (name.shown !== words) name.text.textContent = words;
    name.shown = words;
    name.text.setAttribute("transform", `translate(${round(at.x)} ${round(at.y)})`);
    name.text.setAttribute("dy", "0.35em");
  }

  live.feature({ name: "labels", draw: place, lines, offers: { fit, measure } });
})();
