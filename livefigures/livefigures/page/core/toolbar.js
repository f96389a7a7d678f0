// Few tab stops: a figure's buttons are one, with arrow keys among them; a slider is one, and Enter leads from it to the
// box where its value is typed, Space plays it.
"use strict";

globalThis.liveToolbar = (() => {
  const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

  // What the arrow keys reach: not the items of a menu, which are there only while it is open.
  const items = (bar) => [...bar.querySelectorAll(":scope > button, :scope > details > summary")];

  function rove(bar, current) {
    const all = items(bar);
    const stop = all.includes(current) ? current : all.find((one) => one.tabIndex === 0) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  }

  function start({ element, buttons, ranges, fields, player }) {
    buttons.role = "toolbar";
    buttons.ariaLabel = "Figure";
    rove(buttons);
    new MutationObserver(() => rove(buttons)).observe(buttons, { childList: true });
    buttons.addEventListener("focusin", ({ target }) => items(buttons).includes(target) && rove(buttons, target));
    buttons.addEventListener("keydown", (event) => {
      const all = items(buttons).filter((one) => one.checkVisibility());
      const here = all.indexOf(event.target);
      const place = { Home: 0, End: all.length - 1 }[event.key] ?? here + STEPS[event.key];
      if (here < 0 || Number.isNaN(place)) return;
      event.preventDefault();
      all[(place + all.length) % all.length].focus();
    });
    for (const play of element.querySelectorAll("[data-action=play]")) play.tabIndex = -1;
    for (const [name, range] of Object.entries(ranges)) slider(range, fields[name], player);
  }

  function slider(range, field, player) {
    let entered = false; // Enter led to the box
    field.tabIndex = -1;
    range.setAttribute("aria-keyshortcuts", "Enter Space");
    range.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Enter") {
        entered = true;
        field.focus();
        field.select();
      } else if (event.key === " " && !livePresent.shown) player.toggle(range.name);
      else return;
      event.preventDefault();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !entered || event.defaultPrevented) return; // entry.js takes a changed box back
      event.preventDefault();
      range.focus();
    });
    field.addEventListener("change", () => {
      if ((entered || livePresent.shown) && field.getAttribute("aria-invalid") !== "true") range.focus();
    });
    field.addEventListener("blur", () => (entered = false));
  }

  return { start };
})();
