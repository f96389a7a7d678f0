// A figure in words: the sentence above its readings, what is announced when it has changed, the description of its
// picture, and an alt text that is said to be of the defaults as soon as the picture is another one.
"use strict";

(() => {
  const { make } = live.dom;
  const { shown } = live.numbers;
  const REST = 700; // milliseconds after which sliders rest
  const SAME = 1e-9; // relative: rounding alone parts the two
  const NEAR = 1.005; // nearer, three digits of a ratio would say 1.00
  const FAR = 100; // a larger ratio says less than the two values

  // A name of several words is seen as one.
  const quoted = (name) => (/ /.test(name) && !/[“"]/.test(name) ? `“${name}”` : name);

  const title = (cell) => cell.closest("tr").querySelector("th").textContent;

  const reading = ({ cell }) => Number(cell.dataset.value);

  // Whether a part is seen and may be read, and waits for no answer: in present mode steps alone hide it.
  const come = ({ path, cell }) =>
    !path.closest(".live-waiting, .live-secret:not(.live-filling *)") && !cell?.closest(".live-unread");

  // The readings: curves with a number from the lowest up, those without one, and where the points stand.
  function facts(figure) {
    const { frame, symbols, x, up } = figure.data;
    const read = figure.lines.filter(come).map((line) => {
      const value = reading(line);
      return { name: quoted(line.name), value, words: shown(value, up, line.format) };
    });
    const drawn = read.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.value - b.value);
    const within = (value, [, , low, high]) => value >= low && value <= high;
    const points = figure.marks.filter(come).filter(({ kind, cell }) => kind === "point" && cell);
    const spots = points.map(({ cell }) => {
      const [px, py] = [Number(cell.dataset.x), Number(cell.dataset.y)];
      const where = cell.textContent;
      const nowhere = Number.isNaN(px + py) ? "has no value here" : "is outside the picture";
      return { name: title(cell), where, nowhere, inside: within(px, frame.x) && within(py, frame.y) };
    });
    return {
      at: `${symbols.x} = ${figure.said(x)}`,
      drawn,
      absent: read.filter((one) => !drawn.includes(one)).map(({ name }) => name),
      spots,
      values: new Map(read.map(({ name, value }) => [name, value])),
    };
  }

  const same = (a, b) => Math.abs(a.value - b.value) <= SAME * Math.max(Math.abs(a.value), Math.abs(b.value));

  // Whether a ratio of two readings says something; what is not positive has none.
  const comparable = (low, high) => low.value > 0 && high.value <= FAR * low.value;

  // How far one reading is above another, in a few words.
  function above(high, low, it) {
    const ratio = high.value / low.value;
    if (!comparable(low, high)) return high.words;
    return ratio < NEAR ? `within 0.5 % of ${it}` : `${ratio.toPrecision(3)} times ${it}`;
  }

  function list(names) {
    return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  }

  // The curves among themselves: "simple is lowest, 0.3847; compound is 1.41 times that".
  function compared({ drawn }) {
    if (!drawn.length) return "no curve has a value";
    const [low] = drawn;
    const lowest = drawn.filter((one) => same(one, low));
    const others = drawn.filter((one) => !lowest.includes(one));
    const names = list(lowest.map(({ name }) => name));
    const [next, high] = [others[0], others.at(-1)];
    if (!next) return `${names} ${lowest.length > 1 ? "are equal," : "is"} ${low.words}`;
    if (drawn.length === 2)
      return (
        (comparable(low, high) ? "" : `${names} is ${low.words}, and `) + `${high.name} is ${above(high, low, names)}`
      );
    const first = `${names} ${lowest.length > 1 ? "are" : "is"} lowest, ${low.words}`;
    const highest = others.filter((one) => same(one, high));
    const top = list(highest.map(({ name }) => name));
    if (highest.includes(next))
      return `${first}; ${top} ${highest.length > 1 ? "are" : "is"} ${above(high, low, "that")}`;
    return `${first}; ${next.name} is ${above(next, low, "that")}, and ${top}, the highest, ${above(high, low, "that")}`;
  }

  const stands = ({ name, where, nowhere, inside }) => `${name} ` + (inside ? `at ${where}` : nowhere);

  // The figure as it stands: "At t = 5, compound is 1.41 times simple; touch at t = 2.6."
  function sentence(figure) {
    const now = facts(figure);
    const absent = now.absent.length && now.drawn.length ? [`${list(now.absent)}: no value here`] : [];
    const parts = [...(now.values.size ? [compared(now)] : []), ...absent, ...now.spots.map(stands)];
    return parts.length ? `At ${now.at}, ${parts.join("; ")}.` : "";
  }

  // ---- what has changed since

  function turned(before, now) {
    const found = [];
    const names = now.drawn.map(({ name }) => name);
    const gone = now.absent.filter((name) => !before.absent.includes(name));
    const back = names.filter((name) => before.absent.includes(name));
    if (gone.length) found.push(`${list(gone)} ${gone.length > 1 ? "have" : "has"} no value here`);
    if (back.length) found.push(`${list(back)} ${back.length > 1 ? "have values" : "has a value"} again`);
    const older = before.drawn.map(({ name }) => name);
    const kept = names.filter((name) => older.includes(name));
    const old = older.filter((name) => names.includes(name));
    const called = (name) => now.drawn.find((one) => one.name === name);
    const below = (one, other) => called(one).value < called(other).value && !same(called(one), called(other));
    if (kept.length > 1 && kept[0] !== old[0] && below(kept[0], old[0])) found.push(`${kept[0]} is now lowest`);
    else {
      const i = kept.findIndex(
        (name, j) => j && old.indexOf(name) < old.indexOf(kept[j - 1]) && below(kept[j - 1], name),
      );
      if (i > 0) found.push(`${kept[i]} is now above ${kept[i - 1]}`);
    }
    now.spots.forEach((spot, i) => {
      if (spot.inside === (before.spots[i] ?? spot).inside) return;
      found.push(`${spot.name} ` + (spot.inside ? `is back at ${spot.where}` : "has left the picture"));
    });
    return found;
  }

  // Numbers alone: one curve in full, up to three with their names, of more how many rise and fall, and the lowest two.
  function moved(before, now) {
    const ways = now.drawn.map((one) => ({ ...one, before: before.values.get(one.name) }));
    const changed = ways.filter((one) => one.before !== undefined && shown(one.value) !== shown(one.before));
    const rising = changed.filter((one) => one.value > one.before).length;
    if (changed.length === 1) return [`${changed[0].name} ${rising ? "rises" : "falls"} to ${changed[0].words}`];
    if (!changed.length) return [];
    const named = [...now.values.keys()].flatMap((name) => changed.filter((one) => one.name === name));
    const values = named.map(({ name, words }) => `${name} ${words}`).join(", ");
    const pair = now.drawn.length === 2 && comparable(...now.drawn);
    if (named.length < 4) return [`at ${now.at}: ${values}`, ...(pair ? [compared(now)] : [])];
    const falling = changed.length - rising;
    const all = now.values.size;
    const share = (some) => (some < all ? `${some} of ${all} readings` : `all ${all} readings`);
    const count = (some, verb) => (some ? [`${share(some)} ${verb}${some > 1 ? "" : "s"}`] : []);
    const [low, next] = changed;
    const then = same(next, low) ? `${next.name} too` : `${next.name} ${above(next, low, "that")}`;
    return [...count(rising, "rise"), ...count(falling, "fall"), `${low.name} is ${low.words}, ${then}`];
  }

  // One short sentence for readers who listen: what is otherwise now, or else the numbers. The slider has said itself.
  function change(figure) {
    const now = facts(figure);
    const mine = figure.of("summary");
    const before = mine.told ?? now;
    mine.told = now;
    if (now.drawn.length && !before.drawn.length) return sentence(figure);
    const spots = now.spots.filter((spot, i) => spot.inside && spot.where !== before.spots[i]?.where);
    const turns = turned(before, now).slice(0, 2);
    const steps = turns.length ? turns : [...moved(before, now), ...spots.slice(0, 1).map(stands)];
    const still = figure.lines.length && !now.values.size ? "no curve is shown yet" : "no reading changes";
    return `${steps.join("; ") || still}.`;
  }

  // What changes with the sliders, for readers who do not see the picture.
  function described(figure) {
    const [lines, marks] = [figure.lines, figure.marks].map((parts) => parts.filter(come));
    const drawn = lines.filter((line) => !Number.isNaN(reading(line))).sort((a, b) => reading(b) - reading(a));
    const absent = lines.filter((line) => !drawn.includes(line)).map((line) => `${line.name}: no value here`);
    const order = drawn.length > 1 ? "from highest to lowest: " : "";
    const curves = drawn.map((line) => `${line.name} ${line.cell.textContent}`);
    const spots = marks.filter((mark) => mark.cell).map((mark) => `${title(mark.cell)}: ${mark.cell.textContent}`);
    const said = [...curves, ...absent, ...spots].join("; ");
    return said && `At ${figure.settings()}, ${order}${said}.`;
  }

  // ---- on the page

  function made(figure) {
    const { element, data, picture, svg, table } = figure;
    const caption = element.querySelector("figcaption")?.firstChild.textContent ?? "";
    const [first] = /^.*?[.!?](?=\s|$)/.exec(caption) ?? [caption];
    element.ariaLabel = first || data.name;
    const now = make("p", { id: `${data.name}--now`, hidden: "" });
    picture.append(now);
    svg.setAttribute("aria-describedby", now.id);
    const says = make("span", { class: figure.lines.length < 3 ? "live-brief" : "" });
    table.createCaption().append(says);
    Object.assign(figure.of("summary"), { now, says, alt: svg.querySelector("desc").textContent });
    change(figure);
    hide(figure);
  }

  let shapes = () => ""; // of curves that are drawn beside others that wait: predict.js has the words

  // What of the picture is drawn, and what may be the answer to a question that the reader has yet to answer.
  function partly(figure, waiting) {
    const { lines, marks, filling } = figure;
    const names = (parts) => list(parts.map(({ name }) => quoted(name)));
    const drawn = names([...lines, ...marks].filter(come));
    const curves = names(lines.filter((line) => waiting.includes(line))) ?? "the rest"; // a mark's name would tell
    const until = filling ? "Not shown yet" : "Hidden until you answer the question";
    return (drawn ? `It shows ${drawn}. ${shapes(figure)}` : "") + `${until}: ${curves}.`;
  }

  function show(figure) {
    const mine = figure.of("summary");
    const { filling, lines, marks, table } = figure;
    const waiting = [...lines, ...marks].filter((part) => !come(part));
    mine.says.textContent = waiting.length && !filling ? "" : sentence(figure);
    table.ariaLabel = mine.says.textContent || "Readings"; // style may hide its caption
    const away = figure.moved.length > 0 ? "At the sliders' defaults: " : "";
    const words = waiting.length ? partly(figure, waiting) : away + mine.alt;
    const desc = figure.svg.querySelector("desc");
    if (desc.textContent !== words) desc.textContent = words;
  }

  function describe(figure) {
    figure.of("summary").now.textContent = described(figure);
  }

  // Some parts have come, or wait.
  function hide(figure) {
    show(figure);
    describe(figure);
  }

  // A slider says itself; the setting of a link, or of Reset, does not. It is said as it is by then.
  function announce(figure) {
    const mine = figure.of("summary");
    const { asked: now, how } = mine;
    let words = change(figure);
    if (now) {
      for (const name in now) now[name] = figure.values[name];
      if (figure.data.x in now) words = words.replace(/^at [^:]*: /, "");
      words = `${how}${figure.settings(now) || "As at first"}: ${words}`;
    }
    figure.announce(words);
    mine.asked = null;
  }

  function asked(figure, settings, how = "") {
    Object.assign(figure.of("summary"), { asked: { ...settings }, how });
  }

  // Screen readers hear the readings once the sliders rest, unless something else has been said since.
  function announceAtRest(figure) {
    const mine = figure.of("summary");
    clearTimeout(mine.timer);
    mine.timer = setTimeout(() => {
      describe(figure);
      if (!figure.motion.name) announce(figure);
    }, REST);
  }

  // At rest at once, and nothing is announced.
  function settle(figure) {
    clearTimeout(figure.of("summary").timer);
    describe(figure);
  }

  live.feature({
    name: "summary",
    made,
    redraw: show,
    fit: show,
    asked,
    reset: (figure) => asked(figure, figure.values, "Reset: "),
    moved: announceAtRest,
    announced: settle,
    offers: { come, described, announce, settle, hide, shape: (made) => (shapes = made) },
  });
})();
