// A finger that scrolls the page and began on a slider changes nothing: it must go sideways, or tap.
"use strict";

(() => {
  const MEANT = 5; // pixels sideways
  let touch = null; // { range, id, x, y, before, meant }

  const slider = (event) => event.target.matches?.("figure.live input[type=range]") && event.target;

  function begin(event) {
    const range = slider(event);
    if (range && event.pointerType === "touch") {
      touch = { range, id: event.pointerId, x: event.clientX, y: event.clientY, before: range.value, meant: false };
    }
  }

  function go(event) {
    if (event.pointerId !== touch?.id || touch.meant) return;
    const [across, down] = [Math.abs(event.clientX - touch.x), Math.abs(event.clientY - touch.y)];
    touch.meant = across >= MEANT && across > down;
  }

  // What the browser has moved before anybody knows what was meant is kept from the figure.
  function hold(event) {
    if (event.target !== touch?.range || touch.meant) return;
    event.stopImmediatePropagation();
    touch.held = touch.range.value;
    touch.range.value = touch.before;
  }

  function end(event) {
    if (event.pointerId !== touch?.id) return;
    const { range, before, held, meant } = touch;
    touch = null;
    if (event.type === "pointercancel") set(range, before, meant);
    else if (!meant) set(range, held ?? before, held !== undefined); // a tap
  }

  function set(range, value, said) {
    range.value = value;
    if (said) range.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("pointerdown", begin, true);
  document.addEventListener("pointermove", go, true);
  document.addEventListener("pointerup", end, true);
  document.addEventListener("pointercancel", end, true);
  document.addEventListener("input", hold, true);

  live.feature({ name: "touch" });
})();
