// What the site's pages need before they are drawn, and the buttons of the theme's header. The theme has all this as
// scripts and handlers inside each page, which a content policy without 'unsafe-inline' forbids.
(() => {
  "use strict";
  const root = document.documentElement;

  // Light or dark is known before the first paint: no flash.
  for (const name of ["mode", "theme"]) root.dataset[name] = localStorage.getItem(name) || "auto";
  root.classList.add("js");

  // A page asked for one figure alone (?figure=name) shows nothing before that figure can stand there (present.js).
  if (/[?&]figure=[a-z]/.test(location.search)) root.classList.add("live-alone");

  // What sphinx-togglebutton's script reads.
  Object.assign(window, {
    togglebuttonSelector: ".toggle, .admonition.dropdown",
    toggleHintShow: "Click to show",
    toggleHintHide: "Click to hide",
    toggleOpenOnPrint: "true",
  });

  // The page of search results waits for the next words.
  document.addEventListener("DOMContentLoaded", () => document.querySelector(".bd-search-container input")?.focus());

  // MathJax weighs as much as all the rest of a page. It comes last: by then the page is drawn, and its figures slide.
  const { formulas } = document.currentScript.dataset;
  const pageIsDrawn = new Promise((done) => addEventListener("load", () => requestAnimationFrame(() => setTimeout(done))));
  const setFormulas = async () => {
    await pageIsDrawn;
    const script = document.createElement("script");
    script.src = formulas;
    const ended = new Promise((done) => (script.onload = script.onerror = done));
    document.head.append(script);
    await ended;
    if (window.MathJax) await MathJax.startup.promise;
    root.classList.remove("formulas-come"); // if none came, their TeX can be read
  };
  if (formulas) root.classList.add("formulas-come");
  globalThis.formulasSet = formulas ? setFormulas() : Promise.resolve();

  const actions = {
    print: () => window.print(),
    fullscreen: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shell]");
    if (button) actions[button.dataset.shell]();
  });
})();
