// The curves as a table: x against every curve at some ten places of the axis, as the sliders stand. A page loads it with
// save.js, when its button is pressed.
"use strict";

(() => {
  const { make } = live.dom;
  const { shown } = live.numbers;
  const { bring } = live.use("save_buttons");
  const PLACES = 10;

  function toggle(figure, button) {
    const open = figure.element.querySelector(".live-grid");
    if (open) open.remove();
    else figure.table.after(tableOf(figure));
    button.ariaExpanded = String(!open);
    if (!open) fill(figure);
  }

  function tableOf(figure) {
    const { data, lines } = figure;
    const last = data.grid.length - 1;
    const places = [...new Set(Array.from({ length: PLACES }, (_, i) => Math.round((i * last) / (PLACES - 1))))];
    const head = [data.symbols.x, ...lines.map(({ name }) => name)].map((name) => make("th", { scope: "col" }, name));
    const rows = places.map((place) =>
      make(
        "tr",
        { "data-place": place },
        make("th", { scope: "row" }, figure.said(data.x, data.grid[place])),
        ...lines.map(() => make("td")),
      ),
    );
    const table = make(
      "table",
      {},
      make("caption"),
      make("thead", {}, make("tr", {}, ...head)),
      make("tbody", {}, ...rows),
    );
    return make(
      "div",
      { class: "live-grid", role: "region", tabindex: "0", "aria-label": "The curves as a table" },
      table,
    );
  }

  function fill(figure) {
    const open = figure.element.querySelector(".live-grid");
    if (!open) return;
    const { data, lines, values } = figure;
    const others = { ...values };
    delete others[data.x];
    open.querySelector("caption").textContent = [data.symbols.y, figure.settings(others)].filter(Boolean).join(" at ");
    figure.play(); // a figure that has never moved has not played yet
    const curves = lines.map(({ y }) => figure.along(y));
    for (const row of open.querySelectorAll("[data-place]")) {
      row.querySelectorAll("td").forEach((cell, i) => {
        cell.textContent = shown(live.picture.entry(curves[i], row.dataset.place), data.up, lines[i].format);
      });
    }
  }

  bring({ table: toggle });
  live.feature({ name: "table", redraw: fill });
})();
