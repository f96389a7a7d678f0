// How MathJax sets the formulas: this stands before MathJax in the one file that pages load (_ext/offline_math.py).
// What the reader sees comes first, the rest in short steps between which the page answers to the reader.
(() => {
  "use strict";
  const STEP = 15; // milliseconds of work before the page has its turn; with what follows, a task of 50 or more is felt

  const SLOW = 250; // milliseconds: a browser that needs them to draw the page would draw for a minute

  const inView = (element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < window.innerHeight;
  };

  const pageIsDrawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  // Where the page takes very long to be drawn, it is drawn less often.
  const inSteps = async (formulas, work) => {
    let [start, step] = [performance.now(), STEP];
    for (const formula of formulas) {
      const paused = performance.now();
      if (paused - start > step) {
        await pageIsDrawn();
        start = performance.now();
        step = start - paused > SLOW ? start - paused : STEP;
      }
      work(formula);
    }
  };

  const setAll = async () => {
    const places = [...document.querySelectorAll(".math, .output_area")];
    const first = places.filter(inView);
    MathJax.typeset(first); // also gives the page MathJax's styles
    const book = MathJax.startup.document;
    book.options.elements = places.filter((place) => !first.includes(place));
    book.reset();
    book.findMath();
    const formulas = [...book.math];
    await inSteps(formulas, (formula) => formula.compile(book));
    book.getMetrics(); // measures the page, once for all
    await inSteps(formulas, (formula) => formula.render(book));
  };

  const settings = window.MathJax || {};
  window.MathJax = {
    ...settings,
    loader: { load: [] }, // all that is needed follows in this file
    startup: { typeset: false, pageReady: setAll },
    svg: { fontCache: "global", ...settings.svg },
    tex: { packages: ["base", "ams", "newcommand", "noundefined"], ...settings.tex },
  };
})();
