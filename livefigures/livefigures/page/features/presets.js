// A link in the prose moves a figure's sliders, and picture and sentence are in view together; Back undoes it.
"use strict";

(() => {
  const sticky = live.use("sticky_picture");
  const ROOM = 10; // pixels around what must be seen
  const HELD = 600; // milliseconds: as long as sliders glide
  let held = null; // { figure, link, until, docked }, of the last link

  function take(event) {
    const link = event.target.closest("a.live-set");
    const figure = link && live.page.figures.get(link.dataset.figure);
    if (!figure || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    held = null; // else the figure of the link before would come, too
    prepare(link);
    live.tell("preset", figure, link);
    held = { figure, link, until: performance.now() + HELD, docked: sticky.isOf(figure) };
    figure.glide(JSON.parse(link.dataset.values));
  }

  // The links to where a figure stands say so.
  function mark(figure) {
    for (const link of document.querySelectorAll(`a.live-set[data-figure="${figure.data.name}"]`)) {
      link.ariaCurrent = figure.stands(JSON.parse(link.dataset.values));
    }
  }

  // Readings that grow by a line would push the sentence or the picture out of view. A picture that went home stays there.
  function hold() {
    if (!held || performance.now() >= held.until) return;
    if (held.docked && !sticky.isOf(held.figure)) held.until = 0;
    else show(held.figure, held.link);
    held.docked = sticky.isOf(held.figure);
  }

  // Picture and sentence come together; what follows is one step of the browser's Back.
  function prepare(link) {
    const figure = live.page.figures.get(link.dataset.figure);
    live.page.unfold(figure.element);
    show(figure, link);
    live.page.enterHistory();
  }

  // ---- both in view

  const around = (...parts) => {
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return {
      top: Math.min(...boxes.map((box) => box.top)) - ROOM,
      bottom: Math.max(...boxes.map((box) => box.bottom)) + ROOM,
    };
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
    const from = sticky.topOf(figure);
    if (!sticky.isOf(figure)) {
      const whole = [picture, table, element.querySelector(".live-controls"), link];
      if (bring(around(...whole), from) || bring(around(pictureOf(figure), link), from)) return;
    }
    if (!sticky.enter(figure, link)) return;
    bring(around(link), sticky.bottom());
    if (around(link).top < sticky.bottom() - 2) sticky.sink();
  }

  // From the figure to the link that has set it.
  function goBack(figure) {
    if (held?.figure === figure) held.link.focus();
    else if (document.querySelector("[data-action=back]")) return false; // whose key it is
    else figure.announce("No link has set this figure.");
    return true;
  }

  document.addEventListener("click", take);

  const keys = [{ key: "b", name: "B", does: "back to the text", press: goBack }];
  live.feature({ name: "presets", keys, redraw: hold, state: mark, offers: { prepare } });
})();
