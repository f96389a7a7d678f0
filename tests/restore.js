// A page as it was at first: no figure in the whole window, figures at their defaults, with nothing kept or said, folds open or
// not, at its top, with nothing in the keyboard's hands; or all of it unfolded. Returns what tells whether it is that
// page again, and which folds were open at first.
globalThis.restore = ([folds, unfolded]) => {
  const all = [...document.querySelectorAll("details")];
  const first = folds ?? all.map(({ open }) => open);
  if (folds) {
    if (globalThis.live?.presented.figure) live.use("present").leave();
    for (let kept; (kept = document.querySelector(".live-pinned [data-action=clear]"));) kept.click();
    for (const { live: figure } of document.querySelectorAll("figure.live")) {
      figure?.reset();
      if (figure?.pending.size) figure.draw();
      figure?.announce("");
    }
    document.activeElement?.blur();
    scrollTo({ top: 0, behavior: "instant" });
  }
  all.forEach((fold, i) => {
    const open = unfolded || first[i];
    if (fold.open !== open) fold.open = open;
  });
  const { classList, dataset } = document.documentElement;
  return {
    folds: first,
    // Of the window's size, in a frame or two.
    figures: [...document.querySelectorAll("figure.live")].map(({ className }) => className.replace(" live-large", "")),
    elements: document.querySelectorAll("*:not(.live-picture svg *, .live-status *, .live-numbers, .live-numbers *)")
      .length,
    sheets: document.adoptedStyleSheets.length,
    page: [...classList, JSON.stringify(dataset), document.body.className],
  };
};
