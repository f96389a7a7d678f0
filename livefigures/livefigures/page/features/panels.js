// Figures that stand together: one row of buttons for all of them, below the last one, and plots whose edges are in line.
"use strict";

(() => {
  const OF_ONE = ["present", "link"]; // buttons of the first figure alone
  const rowOf = (figure) => (figure.of("panels").row ??= figure.buttons); // its own
  let pressing = false;

  // Those that stand with a figure, in their order; typed formulas make their own row again and again.
  function group({ element }) {
    const card = element.closest(".live-panels");
    const all = card ? [...card.querySelectorAll("figure.live")].map((one) => one.live) : [];
    return all.every((one) => one && !one.data.lines) ? all : [];
  }

  const made = (figure) => figure.element.addEventListener("click", (event) => press(figure, event), figure.life);

  // What is pressed in the row is pressed for the other figures too, unless one fills the window.
  function press(figure, { target }) {
    const { action } = target.dataset;
    const all = group(figure);
    const owner = all.find((one) => rowOf(one).contains(target));
    if (pressing || !owner || owner.filling || OF_ONE.includes(action)) return;
    pressing = true;
    for (const other of all) if (other !== owner) rowOf(other).querySelector(`[data-action="${action}"]`)?.click();
    pressing = false;
  }

  function fit(figure) {
    const all = group(figure);
    if (!all.length) return;
    const filling = all.some((one) => one.filling);
    for (const one of all) {
      const row = rowOf(one);
      row.hidden = one !== all[0] && !one.filling;
      one.buttons = filling ? row : rowOf(all[0]);
    }
    const [row, { element }] = [rowOf(all[0]), all.at(filling ? 0 : -1)];
    if (row.parentNode !== element) element.querySelector(".live-status").before(row);
    if (!filling && !all.some(({ data }) => data.frame.equal)) align(all);
  }

  // Each picture shows as much as all of them need, so that a unit of it is as long in one as in the other.
  function align(all) {
    const boxes = all.map(own);
    const start = [0, 1].map((i) => Math.min(...boxes.map((box) => box[i])));
    const size = [0, 1].map((i) => Math.max(...boxes.map((box) => box[i] + box[i + 2])) - start[i]);
    const box = [...start, ...size].map(live.picture.round).join(" ");
    for (const one of all) {
      one.of("panels").common = box;
      one.svg.setAttribute("viewBox", box);
    }
  }

  // The box that a picture was fitted to last.
  function own(figure) {
    const [mine, now] = [figure.of("panels"), figure.svg.getAttribute("viewBox")];
    if (now !== mine.common) mine.own = now.split(" ").map(Number);
    return mine.own;
  }

  live.feature({ name: "panels", made, fit });
})();
