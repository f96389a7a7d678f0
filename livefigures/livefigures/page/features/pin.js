// Pin: up to three settings stay, as faint curves with their letter and as columns of the table, while the sliders move.
"use strict";

(() => {
  const { make, draw, button } = live.dom;
  const { shown } = live.numbers;
  const { entry, nearest } = live.picture;
  const LETTERS = ["A", "B", "C"];
  const APART = 14; // units of the picture between two letters

  // A figure's pins, { letter, values }.
  const pinsOf = (figure) => figure.of("pin").pins ?? [];

  // The x slider is no part of a setting: readings are compared where the cursor stands.
  const setting = (figure, values) => Object.entries(values).filter(([name]) => name !== figure.data.x);

  function pin(figure, values, letter = LETTERS.find((free) => pinsOf(figure).every((one) => one.letter !== free))) {
    const named = setting(figure, values);
    const same = pinsOf(figure).find((one) => named.every(([name, value]) => one.values[name] === value));
    if (same) return figure.announce(`This is ${same.letter} already.`, true);
    if (!letter) return figure.announce("A, B and C are kept: remove one of them first.", true);
    const others = pinsOf(figure).filter((one) => one.letter !== letter);
    const one = { letter, values: Object.fromEntries(named) };
    show(
      figure,
      [...others, one].sort((a, b) => (a.letter < b.letter ? -1 : 1)),
    );
    figure.announce(`Kept as ${letter}: ${figure.settings(one.values)}.`, true);
  }

  function drop(figure, letter) {
    show(
      figure,
      pinsOf(figure).filter((one) => one.letter !== letter),
    );
    (figure.element.querySelector(".live-pinned button") ?? live.toolbar.holder(figure, "keep")).focus();
  }

  function show(figure, pins) {
    if (!pinsOf(figure).length) hold(figure);
    figure.element.querySelectorAll(".live-pinned").forEach((part) => part.remove());
    figure.of("pin").pins = pins;
    drawGhosts(figure);
    pins.forEach((one) => addColumn(figure, one));
    if (pins.length) refresh(figure);
    else release(figure);
    figure.button("keep").ariaDisabled = String(pins.length === LETTERS.length);
    if (figure.filling) figure.fit();
    figure.tell();
  }

  const clear = (figure) => pinsOf(figure).length && show(figure, []);

  // ---- in the picture

  const frameOf = ({ data: { frame } }) => `${frame.x},${frame.y}`; // in which they stand

  function drawGhosts(figure) {
    figure.svg.querySelectorAll(".live-ghosts").forEach((part) => part.remove());
    for (const one of pinsOf(figure)) figure.lines[0].path.parentNode.before(ghosts(figure, one));
    figure.of("pin").frame = frameOf(figure);
  }

  function ghosts(figure, { letter, values }) {
    const group = draw("g", { class: "live-ghosts" });
    const taken = [];
    for (const { path, d, y } of figure.curvesAt(values)) {
      const ghost = path.parentNode.cloneNode(true);
      ghost.removeAttribute("id");
      ghost.classList.remove("live-waiting");
      ghost.querySelector("path").setAttribute("d", d);
      const place = placeOf(figure, letter, y);
      if (place && taken.every((other) => Math.abs(other - place[1]) > APART)) {
        taken.push(place[1]);
        ghost.append(draw("text", { x: place[0], y: place[1] }, letter));
      }
      group.append(ghost);
    }
    return group;
  }

  // Each letter at its own part of the axis, or where the curve is inside nearest to that.
  function placeOf(figure, letter, y) {
    const [bottom, top] = figure.data.frame.y;
    const wanted = ((LETTERS.indexOf(letter) + 1) / (LETTERS.length + 1)) * (figure.xs.length - 1);
    const height = (i) => figure.place.y(entry(y, i));
    const inside = [...figure.xs.keys()].filter((i) => height(i) > top && height(i) < bottom);
    if (!inside.length) return null;
    const i = inside[nearest(inside, wanted)];
    return [Number(figure.xs[i]), Math.max(height(i) - 5, top + 12)];
  }

  // ---- in the table

  // Nothing moves when a column comes: rows keep their height, and the readings their place at the right; names are cut
  // short, and a narrow screen scrolls what is between.
  function hold(figure) {
    const { table } = figure;
    const rows = [...table.rows];
    const text = document.createRange();
    const sizes = rows.map((row) => {
      text.selectNodeContents(row.lastElementChild);
      return [row.getBoundingClientRect().height, text.getBoundingClientRect().width];
    });
    const sentence = table.caption?.getBoundingClientRect().width;
    table.classList.add("live-comparing");
    span(table, 1);
    figure.of("pin").filling = figure.filling; // the window whose sizes are held
    if (figure.filling) return; // a window's side scrolls by itself
    rows.forEach(({ style, lastElementChild }, i) => {
      style.height = `${sizes[i][0]}px`;
      if (i) lastElementChild.style.minWidth = `${sizes[i][1]}px`; // the head may stand over its neighbour
    });
    if (table.caption) table.caption.style.width = `${sentence}px`; // it breaks where it broke
  }

  // The columns that a name takes: one while settings are kept behind the names.
  function span(table, columns) {
    for (const name of table.querySelectorAll("tbody th[colspan]")) {
      name.colSpan = columns;
      name.parentNode.lastElementChild.colSpan = 3 - columns;
    }
  }

  // The table stands in a box that scrolls, and in a window that it fills in that of present mode.
  function frame({ element, picture, table, filling }) {
    const box =
      element.querySelector(".live-compare") ??
      make(
        "div",
        { class: "live-compare" },
        make("p", { class: "live-kept" }),
        make("div", { class: "live-scroll", tabindex: "0", role: "region", "aria-label": "Readings" }),
      );
    if (filling && !box.isConnected) picture.after(box);
    if (filling || box.contains(table)) return;
    table.before(box);
    box.lastChild.append(table);
  }

  function release(figure) {
    const { table, element } = figure;
    letGo(figure);
    table.classList.remove("live-comparing");
    span(table, 2);
    const box = element.querySelector(".live-compare");
    if (box.contains(table)) box.replaceWith(table);
    else box.remove();
  }

  function letGo({ table }) {
    if (table.caption) table.caption.style.width = "";
    for (const { style, lastElementChild } of table.rows) style.height = lastElementChild.style.minWidth = "";
  }

  function addColumn(figure, { letter, values }) {
    const words = figure.settings(values);
    const back = button(letter, "return", () => figure.set(values));
    back.title = `${words}: reading, ratio and difference to now`;
    back.ariaLabel = `Back to ${letter}: ${words}`;
    const clear = button("×", "clear", () => drop(figure, letter));
    clear.ariaLabel = `Remove ${letter}`;
    const look = { scope: "col", class: "live-pinned", "aria-label": `${letter}, ${words}` }; // without its buttons' names
    add(figure.table.tHead.rows[0], make("th", look, back, clear));
    for (const row of figure.table.tBodies[0].rows) add(row, make("td", { class: "live-pinned", "data-kept": letter }));
  }

  // Before the present reading, and its bar.
  function add(row, cell) {
    [...row.cells].find((other) => other !== row.cells[0] && !other.matches(".live-pinned")).before(cell);
  }

  // "0.8050 ×1.412 +0.2350": the reading there, over the present one if that says something, less the present one.
  function compared(there, now, up, format) {
    if (!Number.isFinite(there) || !Number.isFinite(now)) return [shown(there, up, format)];
    const [less, share] = [there - now, there / now];
    const ratio = share >= 0.01 && share <= 100 ? [make("small", {}, `×${shown(share)}`), " "] : [];
    return [
      `${shown(there, up, format)} `,
      make("span", {}, ...ratio, make("small", {}, `${less < 0 ? "−" : "+"}${shown(Math.abs(less), 0, format)}`)),
    ];
  }

  function refresh(figure) {
    if (figure.of("pin").filling !== figure.filling) letGo(figure); // another window, other sizes
    frame(figure);
    for (const { letter, values } of pinsOf(figure)) {
      const readings = figure.readingsAt(values);
      for (const part of [...figure.lines, ...figure.marks].filter(({ cell }) => cell)) {
        const cell = part.cell.parentElement.querySelector(`[data-kept=${letter}]`);
        const reading = readings.get(part);
        // Of a mark its numbers alone: their names are beside them.
        if (typeof reading !== "number")
          cell.textContent = (cell.title = reading).replace(/[^=,]+=\u00a0/g, " ").trim();
        else {
          cell.dataset.value = String(reading);
          cell.replaceChildren(...compared(reading, Number(part.cell.dataset.value), figure.data.up, part.format));
        }
      }
    }
    figure.element.querySelector(".live-kept").textContent = pinsOf(figure)
      .map((one) => `${one.letter}: ${differing(figure, one)}`)
      .join(" · ");
  }

  // What a pinned setting has unlike the present one.
  function differing(figure, { values }) {
    const unlike = Object.entries(values).filter(([name, value]) => figure.values[name] !== value);
    return unlike.length ? figure.settings(Object.fromEntries(unlike)) : "as now";
  }

  function follow(figure) {
    if (!pinsOf(figure).length) return;
    if (figure.of("pin").frame !== frameOf(figure)) drawGhosts(figure);
    refresh(figure);
  }

  // ---- in the address: keep=figure:slider=value, keep-b=figure:slider=value

  function write(figure) {
    const which = (letter) => (letter === "A" ? "keep" : `keep-${letter.toLowerCase()}`);
    return pinsOf(figure).map(
      ({ letter, values }) => `${which(letter)}=${live.address.settings(figure, Object.entries(values))}`,
    );
  }

  const before = (pieces) => pieces.forEach(({ name }) => clear(live.page.figures.get(name)));
  const read = (figure, values, { letter }) => pin(figure, { ...figure.defaults, ...values }, letter);

  addEventListener("resize", () => document.querySelectorAll(".live-comparing").forEach((table) => letGo({ table })));

  live.feature({
    name: "pin",
    button: {
      text: "Keep",
      action: "keep",
      press: (figure) => pin(figure, figure.values),
      when: ({ lines }) => lines.length,
    },
    keys: [{ key: "k", name: "K", does: "keep a setting" }],
    address: { verb: "keep", takes: "sliders", write, before, read },
    redraw: follow,
    state: follow,
    lines: clear,
    replacing: clear,
    offers: { pinsOf },
  });
})();
