// The curves that wait for no answer as a table: x against every curve at some ten places of the axis, at the cursor and at each curve's peak.
// A page loads it with save.js, when its button is pressed.
"use strict";

(() => {
  const { make } = live.dom;
  const { shown } = live.numbers;
  const { entry, nearest } = live.picture;
  const { bring } = live.use("save_buttons");
  const { come } = live.use("summary");
  const PLACES = 10;

  function toggle(figure, button) {
    const open = figure.element.querySelector(".live-grid");
    if (open) open.remove();
    else (figure.table.closest(".live-compare") ?? figure.table).after(tableOf());
    button.ariaExpanded = String(!open);
    if (open) return;
    fill(figure);
    figure.element.querySelector(".live-grid").focus();
  }

  function tableOf() {
    const table = make("table", {}, make("caption"), make("thead"), make("tbody"));
    return make(
      "div",
      { class: "live-grid", role: "region", tabindex: "0", "aria-label": "The curves as a table" },
      table,
    );
  }

  function fill(figure) {
    const open = figure.element.querySelector(".live-grid");
    if (!open) return;
    const { data, values } = figure;
    const lines = figure.lines.filter(come);
    const others = { ...values };
    delete others[data.x];
    open.querySelector("caption").textContent = [data.symbols.y, figure.settings(others)].filter(Boolean).join(" at ");
    figure.play(); // a figure that has never moved has not played yet
    const curves = lines.map(({ y }) => figure.along(y));
    const cells = (place) =>
      lines.map(({ format }, i) => make("td", {}, shown(entry(curves[i], place), data.up, format)));
    const rows = placesOf(figure, curves).map((place) =>
      make("tr", {}, make("th", { scope: "row" }, figure.said(data.x, data.grid[place])), ...cells(place)),
    );
    const head = [data.symbols.x, ...lines.map(({ name }) => name)].map((name) => make("th", { scope: "col" }, name));
    open.querySelector("thead").replaceChildren(make("tr", {}, ...head));
    open.querySelector("tbody").replaceChildren(...rows);
  }

  // Ten places evenly along the axis, the cursor's, and that of each curve's largest value.
  function placesOf({ data, values }, curves) {
    const last = data.grid.length - 1;
    const even = Array.from({ length: PLACES }, (_, i) => Math.round((i * last) / (PLACES - 1)));
    const peak = (y) => data.grid.reduce((best, _, i) => (entry(y, i) > entry(y, best) ? i : best), 0);
    return [...new Set([...even, nearest(data.grid, values[data.x]), ...curves.map(peak)])].sort((a, b) => a - b);
  }

  bring({ table: toggle });
  live.feature({ name: "table", redraw: fill });
})();
