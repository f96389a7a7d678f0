// The row of buttons under a figure, made of what the features register: those that say `stays`, and a menu of the rest.
// The row is one tab stop, with arrow keys among its buttons.
"use strict";

live.toolbar = (() => {
  const { make, button } = live.dom;
  const EDGE = 8; // pixels between a menu and its figure's side
  const ROOM_ABOVE = 70; // for the page's own bar
  const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
  const DOWN = { ArrowDown: 1, ArrowUp: -1 };

  // The features' buttons that this figure has use for.
  function fill(figure) {
    const list = make("div");
    for (const { button: one } of live.features) {
      if (!one || (one.when && !live.ask(one, "when", figure))) continue;
      (live.ask(one, "stays", figure) ? figure.buttons : list).append(...made(figure, one));
    }
    if (list.firstChild) figure.buttons.append(menu(list));
  }

  function made(figure, { text, action, press, items }) {
    if (items) return items.map(([words, name, act]) => button(words, name, () => act(figure)));
    return [button(text, action, ({ currentTarget }) => press(figure, currentTarget))];
  }

  // The button of this action, or the menu that holds it.
  function holder(figure, action) {
    const button = figure.button(action);
    return button.closest(".live-menu")?.firstChild ?? button;
  }

  // A menu closes at Escape, before a choice is carried out, which may take the focus, and when the focus goes elsewhere.
  function menu(list) {
    const title = make("summary", { "aria-label": "More" }, "…");
    const folded = make("details", { class: "live-menu" }, title, list);
    const leave = (event, wanted) => {
      if (!wanted || !folded.open) return;
      folded.open = false;
      title.focus();
      if (event.key) event.preventDefault();
    };
    folded.addEventListener("click", (event) => leave(event, event.target.matches("button")), true);
    folded.addEventListener("keydown", (event) => {
      leave(event, event.key === "Escape");
      if (folded.open) walk([title, ...list.children], DOWN, event);
    });
    folded.addEventListener("toggle", () => folded.open && bringIn(folded));
    folded.addEventListener("focusout", ({ relatedTarget }) => (folded.open &&= folded.contains(relatedTarget)));
    document.addEventListener("pointerdown", ({ target }) => (folded.open &&= folded.contains(target)));
    return folded;
  }

  // An open menu is inside its figure, which clips it, and below its button where there is too little room above, and more
  // below. It scrolls where it fits on neither side.
  function bringIn(folded) {
    const list = folded.lastChild;
    list.style.translate = "";
    const { top, bottom } = folded.getBoundingClientRect();
    const [above, below] = [top - ROOM_ABOVE, innerHeight - bottom - 2 * EDGE];
    const turned = list.scrollHeight > above - EDGE && below > above;
    folded.classList.toggle("live-below", turned);
    list.style.maxHeight = `${turned ? below : above}px`;
    const [box, room] = [list, list.closest("figure")].map((element) => element.getBoundingClientRect());
    list.style.translate = `${Math.max(room.left - box.left, Math.min(0, room.right - EDGE - box.right))}px`;
  }

  // ---- one tab stop

  // What the arrow keys reach: not the items of a menu, which are there only while it is open.
  const items = (bar) => [
    ...bar.querySelectorAll(":scope > button, :scope > div > button, :scope > details > summary"),
  ];

  // From one to the next by a key, from the last to the first.
  function walk(parts, steps, event) {
    const all = parts.filter((one) => one.checkVisibility());
    const here = all.indexOf(event.target);
    const place = { Home: 0, End: all.length - 1 }[event.key] ?? here + steps[event.key];
    if (here < 0 || Number.isNaN(place)) return;
    event.preventDefault();
    all[(place + all.length) % all.length].focus();
  }

  function rove(bar, current) {
    const all = items(bar);
    const stop = all.includes(current) ? current : (all.find((one) => one.tabIndex === 0) ?? all[0]);
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  }

  function start({ buttons }) {
    buttons.role = "toolbar";
    buttons.ariaLabel = "Figure";
    rove(buttons);
    new MutationObserver(() => rove(buttons)).observe(buttons, { childList: true });
    buttons.addEventListener("focusin", ({ target }) => items(buttons).includes(target) && rove(buttons, target));
    buttons.addEventListener("keydown", (event) => walk(items(buttons), STEPS, event));
  }

  return { fill, holder, start };
})();
