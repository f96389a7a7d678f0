// Keys of the figure that has the focus, or is in front of a class: ten stops at once, and what the features register.
// A key of a feature presses its button where it says nothing else: { key: "k", name: "K", does: "keep a setting" }. One
// without `key` is only told, since the feature itself, or the browser, listens to it.
"use strict";

live.keys = (() => {
  const { make } = live.dom;
  const TEN = 10;
  const WAYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
  const PAGES = { PageUp: 1, PageDown: -1 }; // in front of a class they turn
  const FIRST = [
    { name: "← →", does: "move a stop, with Shift ten" },
    { name: "Home, End", does: "go to an end" },
  ];
  const LAST = [{ name: "H, ?", does: "these keys" }];

  const registered = () => live.features.flatMap((feature) => (feature.keys ?? []).map((key) => ({ ...key, feature })));
  const onSlider = () => registered().filter(({ on }) => on === "slider");

  const figureOf = (target) => target.closest?.("figure.live")?.live ?? live.presented.figure;

  function take(event) {
    const figure = figureOf(event.target) ?? (event.key === "?" && document.querySelector("figure.live")?.live);
    if (!figure || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (act(figure, event)) event.preventDefault();
  }

  // True if the key was one of ours.
  function act(figure, event) {
    const { key, shiftKey, target } = event;
    const open = figure.element.querySelector(".live-help:popover-open");
    if (open && key === "Escape") return open.hidePopover() ?? true;
    if (target.matches("[type=range]")) {
      const way = shiftKey ? WAYS[key] : !live.presented.figure && PAGES[key];
      if (way) return leap(target, way);
      const found = onSlider().find((one) => one.key === key);
      if (found) return found.press(figure, event);
    }
    if (target.matches("input:not([type=range], [type=radio]), textarea, select")) return false;
    const letter = key.toLowerCase();
    if (figure === live.presented.figure && live.presented.letters.includes(letter)) return false;
    if (key === "?") return help(figure);
    if (shiftKey) return false;
    if (letter === "h") return help(figure);
    const found = registered().find((one) => one.key === letter && one.on !== "slider");
    return Boolean(found) && press(figure, found, event);
  }

  function press(figure, { press: act_, feature }, event) {
    if (act_) return act_(figure, event);
    const button = figure.button(feature.button.action);
    button?.click();
    return Boolean(button);
  }

  function leap(range, way) {
    range.stepUp(way * TEN);
    range.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  }

  // Above everything else, so that nothing moves.
  function help({ element }) {
    const panel = element.querySelector(".live-help") ?? element.appendChild(list());
    panel.togglePopover();
    return true;
  }

  function list() {
    const told = [...FIRST, ...registered(), ...LAST];
    const rows = told.flatMap(({ name, does }) => [make("dt", {}, make("kbd", {}, name)), make("dd", {}, does)]);
    const look = { class: "live-help", popover: "", tabindex: "-1", autofocus: "", role: "dialog" };
    return make("div", { ...look, "aria-label": "Keys of a figure" }, make("dl", {}, ...rows));
  }

  // A screen reader says which keys a slider has.
  function tellOf({ ranges }) {
    const keys = onSlider().map(({ name }) => name);
    for (const range of Object.values(ranges)) range.setAttribute("aria-keyshortcuts", keys.join(" "));
  }

  document.addEventListener("keydown", take, true); // before present mode, which has the arrows

  return { tellOf, WAYS };
})();
