// A picture that its text calls for from afar stands below the bar, over the text, until the reader has done with it.
"use strict";

(() => {
  const { make, button } = live.dom;
  const SHARE = { upright: 0.32, wide: 0.4 }; // of the window's height
  const HALF = 0.5; // of a low window's, with what covers its edge
  const SHAPE = 0.64; // a picture's height to its width, on a phone
  const BESIDE = 600; // pixels of width from which the readings stand beside the picture
  const GAP = 10; // pixels between the picture and what has the focus
  const LOWEST = 400; // pixels of height: a lower window shows the figure in the text's place
  let docked = null; // { figure, link, box, slot, readings, said, watch }

  const topOf = (figure) => parseFloat(getComputedStyle(figure.picture).scrollMarginTop);

  const tiny = () => innerWidth <= BESIDE && innerHeight < LOWEST;

  // The picture's place in its figure is kept by a slot of its size. False in a window that has no room for it.
  function enter(figure, link) {
    if (tiny()) return lead(figure, link);
    if (docked?.figure === figure) docked.link = link;
    else open(figure, link);
    docked.box.classList.remove("live-dock-low");
    clear();
    return true;
  }

  // What has the focus is not behind the picture.
  function clear() {
    const { style } = document.documentElement;
    const low = docked?.box.matches(".live-dock-low");
    const { top, bottom } = docked?.box.getBoundingClientRect() ?? {};
    const covered = docked ? `${Math.ceil(low ? innerHeight - top : bottom) + GAP}px` : "";
    style.scrollPaddingTop = low ? "" : covered; // never emptied first: for each change the whole page is styled again
    style.scrollPaddingBottom = low ? covered : "";
  }

  function open(figure, link) {
    leave();
    const { picture } = figure;
    const slot = make("div", { class: "live-slot" });
    const said = make("p", {});
    const readings = make("div", { class: "live-dock-readings", "aria-hidden": "true" });
    const there = button("To the figure", "there", () => goThere());
    const close = button("×", "undock", () => leave());
    close.ariaLabel = "Close the picture";
    const box = make("aside", { class: "live-dock", "aria-label": `Picture: ${figure.element.ariaLabel}` });
    slot.style.height = `${picture.offsetHeight}px`;
    picture.replaceWith(slot);
    box.append(picture, make("div", { class: "live-dock-row" }, said, there, close), readings);
    document.body.append(box);
    docked = { figure, link, box, slot, readings, said };
    place();
    follow();
    // Until its own place is seen below it; where there is width, until it is whole below the bar.
    const { top, bottom } = box.getBoundingClientRect();
    for (const [edge, threshold] of [
      [bottom, 0.4],
      [innerWidth > BESIDE ? top : bottom, 0.95],
    ]) {
      new IntersectionObserver(([seen]) => seen.isIntersecting && docked?.slot === slot && leave(), {
        rootMargin: `${-Math.round(edge)}px 0px 0px`,
        threshold,
      }).observe(slot);
    }
  }

  // As wide as the text, and so high that some lines of it are seen.
  function place() {
    if (!docked) return;
    if (tiny()) return void leave();
    const { figure, box, slot } = docked;
    const { left, width } = (slot.closest("article") ?? slot).getBoundingClientRect();
    const share = innerWidth <= BESIDE ? SHARE.upright : SHARE.wide;
    const high = innerHeight > 500 ? share * innerHeight : HALF * innerHeight - topOf(figure) - 2 * GAP;
    box.classList.toggle("live-dock-wide", width >= BESIDE);
    box.style.left = `${left}px`;
    box.style.width = `${width}px`;
    figure.picture.style.height = `${Math.round(Math.min(high, SHAPE * width))}px`;
    figure.fit();
    clear();
  }

  function follow() {
    if (!docked) return;
    const { figure, readings, said } = docked;
    said.textContent = figure.settings();
    readings.replaceChildren(figure.table.cloneNode(true));
  }

  function leave() {
    if (!docked) return;
    const { figure, link, box, slot } = docked;
    docked = null;
    clear();
    figure.picture.style.height = "";
    const held = box.contains(document.activeElement);
    slot.replaceWith(figure.picture);
    box.remove();
    figure.fit();
    if (held) link.focus({ preventScroll: true });
  }

  function goThere() {
    const { figure, link } = docked;
    leave();
    lead(figure, link);
    figure.current?.focus({ preventScroll: true });
  }

  function lead(figure, link) {
    figure.element.scrollIntoView({ block: "start", behavior: "instant" });
    offerReturn(figure.element, link);
    return false;
  }

  // ---- back to the text

  function offerReturn(element, link) {
    document.querySelector("[data-action=back]")?.remove();
    const back = button("Back to the text (B)", "back", () => {
      back.remove();
      link.scrollIntoView({ block: "center", behavior: "instant" });
      link.focus({ preventScroll: true });
    });
    document.body.append(back);
    const watch = new IntersectionObserver(([seen]) => {
      if (seen.isIntersecting !== (seen.target === link)) return; // still wanted: the figure is seen, and the sentence is not
      watch.disconnect();
      back.remove();
    });
    watch.observe(link);
    watch.observe(element);
  }

  function takeKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && docked) leave();
    const back = document.querySelector("[data-action=back]");
    if (back && event.key.toLowerCase() === "b" && !event.target.matches("input[type=text], select, textarea"))
      back.click();
  }

  // The picture's buttons follow its sentence, though they stand at the page's end.
  function walk(event) {
    if (event.key !== "Tab" || !docked) return;
    const { link, box } = docked;
    const [there, close] = box.querySelectorAll(".live-dock-row button");
    const to = event.shiftKey ? event.target === there && link : event.target === link && there;
    if (to) event.preventDefault();
    if (to) to.focus({ preventScroll: true });
    else if (!event.shiftKey && event.target === close) link.focus({ preventScroll: true }); // and the browser goes on from it
  }

  // Who tabs back to the figure's sliders finds them uncovered.
  function leaveInside({ target }) {
    if (!docked?.figure.element.contains(target)) return;
    leave();
    target.scrollIntoView({ block: "nearest" });
  }

  // Who is more than a window's height away from the sentence has done with its picture.
  function leaveIfFar() {
    if (!docked) return;
    const { top } = docked.link.getBoundingClientRect();
    if (Math.abs(top / innerHeight - 0.5) > 1.5) leave();
  }

  addEventListener("scroll", leaveIfFar, { passive: true });
  addEventListener("resize", place);
  addEventListener("beforeprint", leave);
  document.addEventListener("keydown", takeKey);
  document.addEventListener("keydown", walk);
  document.addEventListener("focusin", leaveInside);

  live.feature({
    name: "sticky_picture",
    keys: [{ name: "Esc", does: "close" }],
    redraw: follow,
    present: leave,
    back: leave,
    offers: {
      enter,
      topOf,
      isOf: (figure) => docked?.figure === figure,
      bottom: () => docked.box.getBoundingClientRect().bottom,
      // At the window's lower edge, for a sentence at the page's beginning.
      sink: () => {
        docked.box.classList.add("live-dock-low");
        clear();
      },
    },
  });
})();
