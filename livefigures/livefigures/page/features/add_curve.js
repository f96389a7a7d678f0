// Typed formulas: their script comes when somebody types one, or where a page or a link has some.
"use strict";

globalThis.liveTyped = (() => {
  const here = document.currentScript;
  const script = here && here.dataset.formulas;
  let loading;

  function load() {
    loading ??= new Promise((done) => {
      const element = document.createElement("script");
      element.src = new URL(script, here.src);
      element.onload = () => done(globalThis.liveBench);
      document.head.append(element);
    });
    return loading;
  }

  const add = (figure) => load().then((bench) => bench.open(figure.element).add("", true));

  // A line in a link, and back: letters, digits and ~ alone, which mailers leave as they are.
  const encoded = (text) => encodeURIComponent(text.replaceAll("~", "?")).replaceAll("%", "~");
  const decoded = (text) => text.replaceAll("~", "%");

  return { offered: Boolean(script), load, add, encoded, decoded };
})();
