// A link in the prose moves a figure's sliders, and picture and sentence are in view together; Back undoes it.
"use strict";

globalThis.livePresets = (() => {
  const { topOf } = globalThis.liveDock;
  const ROOM = 10; // pixels around what must be seen
  const HELD = 600; // milliseconds: as long as sliders glide
  let page = null; // { figures, remember }

  function take(event) {
    const link = event.target.closest("a.live-set");
    const figure = link && page.figures.get(link.dataset.figure);
    if (!figure || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    prepare(link);
    liveDrag.settle(link.dataset.figure);
    hold(figure, link);
    figure.take(link);
  }

  // The links to where a figure stands say so.
  function mark({ target: { live } }) {
    for (const link of document.querySelectorAll(`a.live-set[data-figure="${live.data.name}"]`)) {
      link.ariaCurrent = live.stands(JSON.parse(link.dataset.values));
    }
  }

  // Readings that grow by a line would push the sentence or the picture out of view.
  function hold(figure, link) {
    const stay = () => show(figure, link);
    document.addEventListener("live:redraw", stay); // after the docked readings
    setTimeout(() => document.removeEventListener("live:redraw", stay), HELD);
  }

  // Picture and sentence come together; what follows is one step of the browser's Back.
  function prepare(link) {
    const figure = page.figures.get(link.dataset.figure);
    for (let fold = figure.element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    show(figure, link);
    enterHistory();
  }

  function enterHistory() {
    page.remember();
    history.replaceState({ live: true }, "");
    history.pushState({ live: true }, "");
  }

  // ---- both in view

  const around = (...parts) => {
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return { top: Math.min(...boxes.map((box) => box.top)) - ROOM, bottom: Math.max(...boxes.map((box) => box.bottom)) + ROOM };
  };

  // Scrolls as little as brings the box between these heights of the window; false if it is too high for that.
  function bring({ top, bottom }, from) {
    if (bottom - top > innerHeight - from) return false;
    const by = top < from ? top - from : Math.max(0, bottom - innerHeight);
    if (by) scrollBy({ top: by, behavior: "instant" });
    return true;
  }

  // A picture that sticks is where its figure begins.
  function pictureOf(figure) {
    const { top } = figure.element.getBoundingClientRect();
    return { getBoundingClientRect: () => ({ top, bottom: top + figure.picture.offsetHeight + 2 * ROOM }) };
  }

  function show(figure, link) {
    const { picture, table, element } = figure;
    const from = topOf(figure);
    if (liveDock.figure !== figure) {
      const whole = [picture, table, element.querySelector(".live-controls"), link];
      if (bring(around(...whole), from) || bring(around(pictureOf(figure), link), from)) return;
    }
    liveDock.enter(figure, link);
    bring(around(link), liveDock.bottom);
    if (around(link).top < liveDock.bottom - 2) liveDock.sink();
  }

  // ---- Back and Forward between entries of our own

  function goBack(event) {
    if (!event.state?.live) return;
    liveDock.leave();
    const { pieces } = liveAddress.read(location.hash.slice(1));
    if (!pieces.some(({ verb }) => verb === "present")) livePresent.leave();
    for (const figure of page.figures.values()) {
      const texts = pieces.find(({ name, verb }) => verb === "set" && name === figure.data.name)?.texts ?? {};
      if (!figure.stands(texts)) figure.glide(texts);
    }
  }

  function start(of) {
    page = of;
    document.addEventListener("click", take);
    document.addEventListener("live:state", mark);
    liveDrag.start();
    addEventListener("popstate", goBack);
    addEventListener("resize", () => page.figures.forEach((figure) => figure.fit()));
  }

  return { start, prepare, enterHistory };
})();
