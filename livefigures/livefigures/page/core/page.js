// The page: its figures, its address, which holds their state, and the browser's Back.
"use strict";

(() => {
  const figures = new Map();
  live.page = { figures, adopt, enterHistory, unfold };

  // The figure that an element's markup and data make, in place of the one that they made before.
  function adopt(element) {
    element.live?.life.abort();
    const figure = new live.Figure(element);
    live.toolbar.fill(figure);
    live.keys.tellOf(figure);
    figure.begin();
    live.toolbar.start(figure);
    element.live = figure;
    figures.set(figure.data.name, figure);
    return figure;
  }

  // A feature whose script comes when the page has begun, by `live.load`: it has no button and no address of its own.
  const join = (feature) => figures.forEach((figure) => live.ask(feature, "made", figure));

  // What is folded around an element opens.
  function unfold(element) {
    for (let around = element.closest("details"); around; around = around.parentElement.closest("details"))
      around.open = true;
  }

  // ---- the address

  let soon = 0;
  function rememberSoon() {
    clearTimeout(soon);
    soon = setTimeout(remember, 250);
  }

  function remember() {
    clearTimeout(soon);
    const { parts, write, ours } = live.address;
    const states = [...figures.values()].map(write);
    const state = [...states, ...parts().map((part) => live.ask(part, "last") ?? "")].filter(Boolean).join(";");
    if (!state && location.hash && !ours(location.hash)) return; // a heading's own link stays
    history.replaceState(history.state, "", location.pathname + location.search + (state && "#" + state));
  }

  let asked = location.hash; // by the reader: we may have written over it before it is restored

  function restore(waited) {
    const { parts, read, report, faults } = live.address;
    const { pieces: all, lost } = read(asked.slice(1));
    const pieces = all.filter(({ name }) => figures.has(name));
    const coming = parts()
      .map((part) => live.ask(part, "before", pieces))
      .filter((one) => one instanceof Promise);
    const ready = Promise.all(coming.map((one) => one.catch(reportError))); // scripts that must be there first
    if (coming.length && !waited) return void ready.then(() => restore(true));
    const names = [...all.map(({ name }) => name), searched()];
    const unknown = names.filter((name) => name && !figures.has(name) && !document.getElementById(name));
    const sliders = pieces.filter(({ takes }) => takes === "sliders");
    lost.push(...unknown.map((name) => `This page has no figure “${name}”.`));
    lost.push(...sliders.flatMap(({ name, texts }) => faults(figures.get(name), texts)));
    pieces.forEach(restorePiece);
    report([...new Set(lost)]);
    for (const part of parts()) live.ask(part, "after", pieces);
    if (!pieces.length || live.presented.figure) return;
    const first = figures.get(pieces[0].name);
    first.fit(); // its height is known before the page goes there
    const go = () => first.element.scrollIntoView({ block: "start", behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(go)); // once what the address changes is laid out and painted
  }

  function restorePiece(piece) {
    const { name, verb, takes, texts } = piece;
    const figure = figures.get(name);
    const values = figure.understood(texts);
    if (!verb) figure.set(values);
    else if (takes !== "sliders" || Object.keys(values).every((key) => key in figure.allowed(values))) {
      live.ask(live.address.partOf(verb), "read", figure, values, piece);
    }
  }

  // ---- the browser's Back

  // What follows is one step of it.
  function enterHistory() {
    remember();
    history.replaceState({ live: true }, "");
    history.pushState({ live: true }, "");
  }

  // Back and Forward between entries of our own.
  function goBack(event) {
    if (!event.state?.live) return;
    const { pieces } = live.address.read(location.hash.slice(1));
    live.tell("back", pieces);
    for (const figure of figures.values()) {
      const texts = pieces.find(({ name, verb }) => !verb && name === figure.data.name)?.texts ?? {};
      if (!figure.stands(texts)) figure.glide(texts);
    }
  }

  // ---- the beginning

  const searched = () => new URLSearchParams(location.search).get("figure");

  function start() {
    live.onFeature(join);
    for (const element of document.querySelectorAll("figure.live")) {
      const figure = adopt(element);
      new ResizeObserver(() => element.live.fit()).observe(figure.picture);
    }
    live.tell("alone", figures.get(searched()));
    document.documentElement.classList.remove("live-alone"); // set in the page's head, before anything was drawn
    addEventListener("popstate", goBack);
    addEventListener("resize", () => figures.forEach((figure) => figure.fit()));
    document.addEventListener("live:state", rememberSoon);
    addEventListener("hashchange", ({ newURL }) => {
      asked = new URL(newURL).hash;
      if (!history.state?.live) restore(); // Back to an entry of ours is its own matter
    });
    // Sphinx's search script empties every input named q when the page is ready: show the sliders' values again.
    addEventListener("load", () => figures.forEach((figure) => figure.showValues()));
    restore();
    live.tell("started");
  }

  if (document.readyState === "complete") queueMicrotask(start); // when the features are there
  else document.addEventListener("DOMContentLoaded", start);
})();
