// A picture's type at the size that its readers need: small screens, and the back row of a class.
"use strict";

(() => {
  const { TYPE, round } = live.picture;
  const labels = live.use("labels");
  const SMALLEST = 11; // pixels: below, matplotlib's type would be too small
  const SMALL_TYPE = 12; // pixels, on a small screen
  const LEAST = 190; // pixels of a picture that makes room for its sliders and readings
  const FOOT = 4.9; // units from a mark of the y axis down to its number's foot, as matplotlib writes it
  const STUCK = 0.42; // of a phone's height, for a picture that stays while one reads

  const move = (part, x, y) =>
    x || y ? part.setAttribute("transform", `translate(${x} ${y})`) : part.removeAttribute("transform");

  // An axis label that would be longer than its axis is its symbol.
  function write(label, text = label.textContent.trim()) {
    const line = label.querySelector("text");
    if (text !== line.textContent) line.textContent = text;
  }

  function shorten(label, symbol, longest, measure) {
    label.dataset.full ??= label.textContent.trim();
    const { full } = label.dataset;
    write(label, measure(full) > longest ? symbol : full);
  }

  function parts({ svg }) {
    const all = (selector) => [...svg.querySelectorAll(selector)];
    return {
      xTicks: all(".live-x-ticks text"),
      yTicks: all(".live-y-ticks text"),
      xLabel: svg.querySelector(".live-x-label"),
      yLabel: svg.querySelector(".live-y-label"),
    };
  }

  // Where matplotlib drew the x axis's right end and the y axis's lower one.
  const drawnEnds = ({ data: { frame } }) => (frame.drawn ??= [frame.x[1], frame.y[0]]);

  // The axes so much longer than matplotlib drew them: what stands still is stretched, the rest is placed anew.
  function stretch(figure, wider = 0, taller = 0) {
    const { data, svg } = figure;
    const { x, y } = data.frame;
    const [right, low] = drawnEnds(figure);
    const [end, bottom] = [right + round(wider), low + round(taller)];
    if (end === x[1] && bottom === y[0]) return;
    const [a, d] = [(end - x[0]) / (right - x[0]), (bottom - y[1]) / (low - y[1])];
    for (const path of svg.querySelectorAll(":scope > path, [class$=ticks] path")) {
      if (a * d === 1) path.removeAttribute("transform");
      else path.setAttribute("transform", `matrix(${a} 0 0 ${d} ${round(x[0] - x[0] * a)} ${round(y[1] - y[1] * d)})`);
    }
    const clip = svg.querySelector("clipPath rect");
    clip.setAttribute("width", round(end - x[0]));
    clip.setAttribute("height", round(bottom - y[1]));
    figure.reach(end, bottom);
    figure.draw(true);
  }

  // The page's picture as matplotlib drew it.
  function plain(figure) {
    const { width, height } = figure.data.frame;
    stretch(figure);
    const { xTicks, yTicks, xLabel, yLabel } = parts(figure);
    figure.svg.style.removeProperty("--live-picture-type");
    for (const label of [xLabel, yLabel]) {
      move(label, 0, 0);
      write(label, label.dataset.full);
      delete label.dataset.full;
    }
    for (const tick of [...xTicks, ...yTicks]) tick.style.removeProperty("translate");
    figure.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    labels.fit(figure, TYPE, true);
  }

  // Larger type: axis labels make room for it, and the box grows around all that is written.
  function enlarge(figure, type) {
    const { frame, symbols } = figure.data;
    const { xTicks, yTicks, xLabel, yLabel } = parts(figure);
    const more = type - TYPE;
    const measure = labels.measure(figure, type);
    figure.svg.style.setProperty("--live-picture-type", `${type}px`);
    const [[start, now], [floor, top]] = [frame.x, frame.y];
    shorten(xLabel, symbols.x, now, measure);
    shorten(yLabel, symbols.y, floor + 20, measure);
    const [end, low] = drawnEnds(figure);
    const [wider, taller] = [now - end, floor - low];
    // By how much a place moves; a number's foot is below its mark.
    const along = (x) => ((x - start) * wider) / (end - start);
    const down = (y) => ((y - FOOT - top) * taller) / (low - top);
    const at = (tick, name) => Number(tick.getAttribute(name));
    for (const tick of xTicks) tick.style.translate = `${along(at(tick, "x"))}px ${1.15 * more + taller}px`;
    for (const tick of yTicks) tick.style.translate = `0 ${0.36 * more + down(at(tick, "y"))}px`;
    const widest = Math.max(0, ...yTicks.map((tick) => tick.getBBox().width));
    const [across, up] = [xLabel.getBBox(), yLabel.getBBox()];
    const dx = Math.min(0, start - 8 - widest - 0.3 * type - up.x - up.width);
    const dy = 2.35 * more + taller;
    move(yLabel, dx, taller / 2);
    move(xLabel, wider / 2, dy);
    across.x += wider / 2;
    up.y += taller / 2;
    const last = xTicks
      .map((tick) => tick.getBBox())
      .reduce((most, box) => Math.max(most, box.x + along(box.x + box.width / 2) + box.width), now + 6);
    const left = Math.min(up.x + dx, across.x) - 2;
    const upper = Math.min(up.y, top - 0.6 * type);
    const right = Math.max(last, across.x + across.width) + 2;
    const bottom = Math.max(across.y + across.height + dy, up.y + up.height) + 2;
    return [left, upper, right - left, bottom - upper];
  }

  // The height at which the picture, all sliders and all readings are in one view; on a phone, picture and text.
  function highest({ element, picture, table }) {
    const { position, scrollMarginTop, maxHeight } = getComputedStyle(picture);
    const { paddingTop, rowGap } = getComputedStyle(element);
    const view = innerHeight - parseFloat(scrollMarginTop);
    const controls = element.querySelector(".live-controls");
    if (position === "sticky") return innerWidth > 600 ? view - 8 : STUCK * innerHeight;
    const beside = (part) => part.offsetLeft >= picture.offsetLeft + picture.offsetWidth;
    const said = table.caption?.offsetHeight ?? 0; // the sentence below the readings may leave the view
    const gap = parseFloat(rowGap);
    const taken = [controls, table].map((part, i) => (beside(part) ? 0 : part.offsetHeight + gap - i * said));
    const stacked = table.offsetTop >= controls.offsetTop + controls.offsetHeight;
    const below = stacked ? taken[0] + taken[1] : Math.max(...taken);
    const room = Math.floor(view - below - 2 * parseFloat(paddingTop) - 2);
    return Math.max(LEAST, Math.min(room, parseFloat(maxHeight) || room));
  }

  // All that a fit depends on: nothing in it may follow from a fit, or each fit would call for the next.
  function roomOf(figure) {
    const { element, picture, filling } = figure;
    const { contain } = getComputedStyle(picture);
    const bounded = contain === "size"; // it fills a window, or a dock
    const height = bounded ? picture.clientHeight : filling ? Infinity : highest(figure);
    picture.style.setProperty("--live-room", bounded || filling ? "none" : `${height}px`);
    const wanted = filling ? parseFloat(getComputedStyle(element).fontSize) : SMALL_TYPE;
    return { filling, bounded, width: picture.clientWidth, height, wanted };
  }

  const scaleOf = ([, , width, height], room) => Math.min(room.width / width, room.height / height);

  // The picture's box when its type measures `wanted` pixels on the screen. Type and box depend on each other, nearly
  // along a line: the one through the last two tries leads to the next.
  function fitted(figure, room) {
    const { frame } = figure.data;
    const tried = (type) => {
      const [, , width, height] = enlarge(figure, type);
      const [end, low] = drawnEnds(figure);
      const [across, up] = [width - frame.x[1] + end, height - frame.y[0] + low]; // of the axes as they were drawn
      const shape = room.width / room.height;
      if (room.bounded && !frame.equal)
        stretch(figure, Math.max(0, up * shape - across), Math.max(0, across / shape - up));
      else stretch(figure);
      const box = enlarge(figure, type);
      return { type, box, needed: room.wanted / scaleOf(box, room) };
    };
    let [before, last] = [null, tried(TYPE)];
    for (let tries = 0; tries < 8 && last.type < 0.99 * last.needed; tries++) {
      const slope = before ? (last.needed - before.needed) / (last.type - before.type) : 0;
      const met = slope < 1 ? (last.needed - slope * last.type) / (1 - slope) : last.needed;
      [before, last] = [last, tried(round(Math.min(Math.max(met, last.needed), 2 * last.needed)))];
    }
    return last;
  }

  function fit(figure) {
    const room = roomOf(figure);
    const known = Object.values(room).join();
    const mine = figure.of("fit");
    if (!(room.width && room.height) || known === mine.room) return; // inside something folded, or fitted already
    mine.room = known;
    fitInto(figure, room);
  }

  function fitInto(figure, room) {
    const { element, svg } = figure;
    const { width, height } = figure.data.frame;
    const large = room.filling || TYPE * scaleOf([0, 0, width, height], room) < SMALLEST;
    for (const part of [element, figure.picture]) part.classList.toggle("live-large", large); // a docked picture is alone
    if (!large) return plain(figure);
    const { type, box } = fitted(figure, room);
    svg.setAttribute("viewBox", box.map(round).join(" "));
    labels.fit(figure, type, false); // names stand in a large picture, and cost it nothing
  }

  // What `work` gives when the picture stands as matplotlib drew it.
  function plainly(figure, work) {
    const { classList } = figure.element;
    const large = classList.contains("live-large");
    plain(figure);
    const result = work();
    if (large) fitInto(figure, roomOf(figure));
    return result;
  }

  live.feature({ name: "fit", fit, offers: { plainly } });
})();
