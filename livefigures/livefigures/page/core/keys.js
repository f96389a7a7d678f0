// Keys of the figure that has the focus, or fills the screen: ten stops at once, and a letter for each button.
"use strict";

(() => {
  const { make } = liveDom;
  const TEN = 10;
  const BUTTONS = { k: "keep", r: "reset", c: "caption", f: "present" }; // by their data-action, where there is one
  const HELP = [
    ["← →", "move a stop, with Shift ten"],
    ["Home, End", "go to an end"],
    ["Enter", "type a value"],
    ["Space", "play"],
    ["K, R", "keep a setting, reset"],
    ["C, F", "caption, full screen"],
    ["B, Esc", "back to the text, close"],
    ["H, ?", "these keys"],
  ];
  const WAYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

  const figureOf = (target) => target.closest?.("figure.live")?.live ?? livePresent.shown;

  function take(event) {
    const figure = figureOf(event.target) ?? (event.key === "?" && document.querySelector("figure.live")?.live);
    if (!figure || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (act(figure, event)) event.preventDefault();
  }

  // True if the key was one of ours.
  function act(figure, { key, shiftKey, target }) {
    const open = figure.element.querySelector(".live-help:popover-open");
    if (open && key === "Escape") return open.hidePopover() ?? true;
    if (shiftKey && key in WAYS && target.matches("[type=range]")) return leap(target, WAYS[key]);
    if (target.matches("input:not([type=range], [type=radio]), textarea, select")) return false;
    const letter = key.toLowerCase();
    if (figure === livePresent.shown && /[?hcf]/.test(letter)) return false; // its own
    if (key === "?") return help(figure);
    if (shiftKey) return false;
    if (letter === "h") return help(figure);
    const button = figure.element.querySelector(`[data-action="${BUTTONS[letter]}"]`);
    button?.click();
    return Boolean(button);
  }

  function leap(range, way) {
    if (way > 0) range.stepUp(TEN);
    else range.stepDown(TEN);
    range.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  }

  // Above everything else, so that nothing moves.
  function help({ element }) {
    const keys = HELP.flatMap(([key, does]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, does)]);
    const made = () => make("dl", { class: "live-help", popover: "", tabindex: "-1", autofocus: "", "aria-label": "Keys of a figure" }, ...keys);
    const panel = element.querySelector(".live-help") ?? element.appendChild(made());
    panel.togglePopover();
    return true;
  }

  document.addEventListener("keydown", take, true); // before present mode, which has the arrows
})();
