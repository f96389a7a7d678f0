// A link that sets a slider and says its number can be dragged sideways, or stepped with the arrow keys: the number in
// the sentence, the slider and the picture move together. Escape gives the author's number back.
"use strict";

(() => {
  const { said, typed } = live.numbers;
  const { shareOf, valueAt } = live.sliders;
  const { prepare } = live.use("presets");
  const WIDTH = 320; // pixels from a slider's one end to the other
  const MEANT = 4;
  let drag = null; // { link, id, x, share, moved }

  // The text of a link that is one of its sliders' numbers: { node, before, after, name, value }.
  function numberIn(link) {
    const values = Object.entries(JSON.parse(link.dataset.values)).filter(([, value]) => typeof value === "number");
    const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const [name, value] of values) {
        const written = typed(value).replace(/[.+]/g, "\\$&").replace(/^-/, "[-−]");
        const found = new RegExp(`^(.*?(?<![\\d.,]|10))(${written})(?![\\d.,]*\\d|/| 0)(.*)$`, "su").exec(
          walker.currentNode.data,
        );
        if (found) return { node: walker.currentNode, before: found[1], after: found[3], name, value };
      }
    }
    return null;
  }

  function mark(link) {
    link.number = numberIn(link);
    if (!link.number) return;
    link.classList.add("live-drag");
    link.draggable = false;
    link.title = "Drag sideways, or press ← →";
  }

  const figureOf = (link) => document.getElementById(link.dataset.figure).live;

  function write(link, value) {
    const { node, before, after, name } = link.number;
    link.style.minWidth = value === link.number.value ? "" : `${link.offsetWidth}px`; // a shorter number moves no word
    node.data = before + said(value) + after;
    link.dataset.values = JSON.stringify({ ...JSON.parse(link.dataset.values), [name]: value });
    if (value === link.number.value) delete link.dataset.text;
    else link.dataset.text = said(link.number.value); // what else the sentence says is of that
  }

  // Numbers that were dragged are their author's again, as their sentences have them.
  function settle({ data }) {
    for (const link of document.querySelectorAll(`a.live-drag[data-figure="${data.name}"]`))
      write(link, link.number.value);
  }

  function reset(figure) {
    settle(figure);
    figure.tell(); // the links that it stands at
  }

  function set(link, value) {
    const { name } = link.number;
    const figure = figureOf(link);
    figure.set({ ...figure.understood(JSON.parse(link.dataset.values)), [name]: value });
    write(link, figure.values[name]);
    live.tell("asked", figure, { [name]: figure.values[name] });
  }

  function begin(event) {
    const link = !event.button && event.target.closest?.("a.live-drag");
    if (link) drag = { link, id: event.pointerId, x: event.clientX, moved: false };
  }

  function go(event) {
    if (event.pointerId !== drag?.id) return;
    const { link } = drag;
    const slider = figureOf(link).data.sliders[link.number.name];
    if (!drag.moved && Math.abs(event.clientX - drag.x) < MEANT) return;
    if (!drag.moved) {
      drag.moved = true;
      link.setPointerCapture(event.pointerId);
      prepare(link);
      drag.share = shareOf(slider, JSON.parse(link.dataset.values)[link.number.name]);
    }
    const share = Math.min(Math.max(drag.share + (event.clientX - drag.x) / WIDTH, 0), 1);
    set(link, valueAt(slider, share));
  }

  function end(event) {
    if (event.pointerId !== drag?.id) return;
    const { link, moved } = drag;
    drag = null;
    if (!moved) return;
    // The click that ends a drag is none.
    const stop = (click) => (click.preventDefault(), click.stopImmediatePropagation());
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
    if (event.type === "pointercancel") set(link, link.number.value);
  }

  function takeKey(event) {
    const link = event.target.closest?.("a.live-drag");
    const step = live.keys.WAYS[event.key];
    if (!link || event.ctrlKey || event.altKey || event.metaKey) return;
    const { number } = link;
    const now = JSON.parse(link.dataset.values)[number.name];
    if (event.key === "Escape" && now !== number.value) set(link, number.value);
    else if (step) {
      const figure = figureOf(link);
      if (figure.values[number.name] !== now) prepare(link);
      const range = figure.ranges[number.name];
      figure.set({ [number.name]: now });
      if (step > 0) range.stepUp();
      else range.stepDown();
      set(link, figure.fromRange(range));
    } else return;
    event.preventDefault();
  }

  function started() {
    for (const link of document.querySelectorAll("a.live-set"))
      if (live.page.figures.has(link.dataset.figure)) mark(link);
    document.addEventListener("pointerdown", begin);
    document.addEventListener("pointermove", go);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
    document.addEventListener("keydown", takeKey);
  }

  live.feature({ name: "drag_number", started, preset: settle, reset });
})();
