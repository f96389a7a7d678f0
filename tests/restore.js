// A page as it was at first: figures at their defaults, folds open or not, at its top, with nothing in the keyboard's
// hands. Returns what tells whether it is that page again.
(folds) => {
  const all = [...document.querySelectorAll("details")];
  if (folds) {
    for (const { live } of document.querySelectorAll("figure.live")) {
      live?.reset();
      if (live?.pending.size) live.draw();
    }
    all.forEach((fold, i) => {
      if (fold.open !== folds[i]) fold.open = folds[i];
    });
    document.activeElement?.blur();
    scrollTo({ top: 0, behavior: "instant" });
  }
  const { classList, dataset } = document.documentElement;
  return {
    folds: all.map(({ open }) => open),
    figures: [...document.querySelectorAll("figure.live")].map(({ className }) => className),
    elements: document.querySelectorAll("*").length,
    sheets: document.adoptedStyleSheets.length,
    page: [...classList, JSON.stringify(dataset), document.body.className],
  };
};
