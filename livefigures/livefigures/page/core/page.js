// The page: its figures, its address, which holds their state, and the browser's Back.
"use strict";

(() => {
  const figures = new Map();
  live.page = { figures, adopt, enterHistory, unfold };

  // The figure that an element's markup and data make, in place of the one that they made before.
  function adopt(element) {
    element.live?.life.abort();
    const figure = new live.Figure(element);
    live.toolbar.fill(figure, live.features);
    live.keys.tellOf(figure);
    figure.begin();
    live.toolbar.start(figure);
    element.live = figure;
    figures.set(figure.data.name, figure);
    return figure;
  }

  // A feature whose script comes when the page has begun.
  function join(feature) {
    for (const figure of figures.values()) {
      live.toolbar.fill(figure, [feature]);
      feature.made?.(figure);
    }
    feature.started?.();
  }

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
    const state = [...states, ...parts().map((part) => part.last?.() ?? "")].filter(Boolean).join(";");
    if (!state && location.hash && !ours(location.hash)) return; // a heading's own link stays
    history.replaceState(history.state, "", location.pathname + location.search + (state && "#" + state));
  }

  function restore() {
    const { parts, read, report } = live.address;
    const { pieces: all, lost } = read(location.hash.slice(1));
    const pieces = all.filter(({ name }) => figures.has(name));
    const coming = parts()
      .map((part) => part.before?.(pieces))
      .filter(Boolean); // scripts that must be there first
    if (coming.length) return void Promise.all(coming).then(restore);
    const asked = [...all.map(({ name }) => name), searched()];
    const unknown = asked.filter((name) => name && !figures.has(name) && !document.getElementById(name));
    lost.push(...unknown.map((name) => `This page has no figure “${name}”.`), ...pieces.flatMap(restorePiece));
    report([...new Set(lost)]);
    for (const part of parts()) part.after?.(pieces);
    if (!pieces.length || live.presented.figure) return;
    const first = figures.get(pieces[0].name);
    first.fit(); // its height is known before the page goes there
    first.element.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // The answer is what could not be restored, in words.
  function restorePiece(piece) {
    const { name, verb, takes, texts } = piece;
    const figure = figures.get(name);
    const values = figure.understood(texts);
    const lost = takes === "sliders" ? live.address.faults(figure, texts) : [];
    if (!verb) figure.set(values);
    else if (Object.keys(values).every((key) => key in figure.allowed(values))) {
      live.address.partOf(verb).read?.(figure, values, piece);
    }
    return lost;
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
    addEventListener("hashchange", () => history.state?.live || restore()); // Back to an entry of ours is its own matter
    // Sphinx's search script empties every input named q when the page is ready: show the sliders' values again.
    addEventListener("load", () => figures.forEach((figure) => figure.showValues()));
    restore();
    live.tell("started");
  }

  if (document.readyState === "complete") queueMicrotask(start); // when the features are there
  else document.addEventListener("DOMContentLoaded", start);
})();
