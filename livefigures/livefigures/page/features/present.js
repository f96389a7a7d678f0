// Present mode: one figure fills the window, in type for the back row. The same frame shows a figure alone (?figure=name).
"use strict";

(() => {
  const { make, button } = live.dom;
  const { Lecture, presets, take } = live.use("lecture");
  // What a side that is too tall gives up, one after the other.
  const SAVINGS = ["live-no-caption", "live-wide-side", "live-no-bars", "live-dense", "live-tall-side"];
  let lecture = null; // its steps
  let returnTo = null; // where the page stood before: its figure and scroll position
  let screenful = false; // whether the full screen is ours

  const figures = () => [...document.querySelectorAll("figure.live")].map((element) => element.live);

  // ---- filling the window: style hides the rest of the page

  function fill(figure, ...extras) {
    const { element } = figure;
    element.classList.add("live-filling");
    const side = make("div", { class: "live-side" }, ...extras);
    element.querySelector(".live-compare")?.before(figure.table); // kept settings scroll it on the page
    figure.table.replaceWith(side);
    side.prepend(figure.table);
    document.documentElement.classList.add("live-covered");
    setAside(element, true);
  }

  // The rest of the page, but for the note on a lost link.
  function setAside(element, yes) {
    for (let part = element; part !== document.body; part = part.parentNode)
      for (const other of part.parentNode.children)
        if (other !== part && !other.matches(".live-lost")) other.inert = yes;
  }

  function empty(figure) {
    figure.element.querySelector(".live-side").replaceWith(figure.table);
    figure.element.classList.remove("live-filling", "live-no-choices", ...SAVINGS);
    document.documentElement.classList.remove("live-covered");
    setAside(figure.element, false);
  }

  // The caption stays where there is room for it; a long table gets more of the width, and does without its bars. What a
  // speaker opens in the readings' place has their room, and moves nothing.
  function fitSide(figure) {
    const side = figure.element.querySelector(".live-side");
    if (!side) return;
    const { classList } = figure.element;
    const tall = () => side.scrollHeight > side.clientHeight + 1;
    const broad = () => side.scrollWidth > side.clientWidth + 1;
    const panelled = classList.contains("live-panelled");
    classList.remove(...SAVINGS, "live-panelled");
    if (broad()) classList.add("live-wide-side");
    for (const saving of SAVINGS) if (tall() || (broad() && saving === "live-no-bars")) classList.add(saving);
    classList.toggle("live-panelled", panelled);
    if (getComputedStyle(figure.element).display === "flex")
      for (const part of figure.element.children)
        part.style.setProperty("--tall", `${part.getBoundingClientRect().height}px`);
    const low = figure.element.querySelector(".live-picture").clientHeight < 0.4 * innerHeight;
    if (tall() || low) classList.add("live-no-choices"); // below the question; it stays, so that no step moves the picture
  }

  function alone(figure) {
    if (!figure) return;
    const caption = figure.element.querySelector("figcaption");
    figure.element.classList.add("live-alone");
    fill(figure, make("p", { class: "live-caption", "aria-hidden": "true" }, caption?.textContent ?? ""));
    figure.fit();
  }

  // ---- in front of a class

  const isAlone = (figure) => figure.element.classList.contains("live-alone");

  // From the button the lecture begins at its first step; a link opens the whole figure, or the step that it names.
  function toggle(figure) {
    if (live.presented.figure === figure) return leave();
    live.page.enterHistory(); // the browser's Back leaves it
    enter(figure, questioned(figure) ? (figure.of("present").step ?? 0) : undefined);
    fullScreen(true);
  }

  const questioned = (figure) => new Lecture(figure).question !== null;

  function enter(figure, step) {
    if (live.presented.figure === figure) return lecture.goTo(step);
    if (live.presented.figure) close();
    else returnTo = { figure: scrollY && figure, top: scrollY, held: document.activeElement }; // a link has opened the page at its top
    const { element } = figure;
    live.page.unfold(element);
    live.presented.figure = figure;
    live.tell("present", figure);
    if (isAlone(figure)) empty(figure);
    fill(figure);
    element.classList.add("live-presenting");
    element.role = "dialog";
    lecture = new Lecture(figure, step);
    lecture.build({
      turn,
      jump,
      place: place(figure),
      others: [button("Picture only", "clean", clean), button("Full screen", "screen", () => fullScreen())],
    });
    lecture.title.addEventListener("click", () => element.classList.contains("live-clean") && clean());
    figure.button("present").textContent = "Leave";
    figure.fit();
    figure.current.focus();
    lecture.say();
    figure.tell();
  }

  function place(figure) {
    const all = figures();
    return isAlone(figure) || all.length < 2 ? "" : `${all.indexOf(figure) + 1} of ${all.length}`;
  }

  function close() {
    const { figure } = live.presented;
    live.presented.figure = null;
    figure.element.classList.remove("live-presenting");
    figure.element.role = null;
    figure.of("present").step = lecture.step; // where the lecture goes on
    lecture.remove();
    empty(figure);
    figure.button("present").textContent = "Present";
    return figure;
  }

  function leave() {
    if (!live.presented.figure) return;
    const figure = close();
    if (isAlone(figure)) alone(figure);
    else figure.fit();
    const back = () => {
      if (figure === returnTo.figure) scrollTo({ top: returnTo.top, behavior: "instant" });
      else figure.element.scrollIntoView({ block: "start", behavior: "instant" });
    };
    back();
    fullScreen(false)?.then(back); // the page is laid out anew in the smaller window
    const { held } = returnTo; // by F it is no button
    (figure.element.contains(held) ? held : figure.button("present")).focus({ preventScroll: true });
    figure.tell();
  }

  // So many steps on; before the first step and after the last one stand the neighbouring figures.
  function turn(by) {
    if (lecture.has(by)) lecture.goTo(lecture.step + by);
    else jump(by, by < 0);
  }

  function jump(by, whole = false) {
    const { figure, beyond } = live.presented;
    const all = figures();
    if (beyond) return beyond(by);
    if (!place(figure)) return;
    const next = all[(all.indexOf(figure) + by + all.length) % all.length];
    enter(next, whole || !questioned(next) ? undefined : 0);
  }

  // Picture and title only, and back to what had the focus.
  function clean() {
    const { figure } = live.presented;
    const held = document.activeElement;
    if (figure.element.classList.toggle("live-clean")) {
      lecture.held = held;
      lecture.title.focus();
    } else lecture.held.focus();
    figure.fit();
  }

  // Where it is refused (a frame, a link, a phone) the window is filled all the same.
  function fullScreen(on = !document.fullscreenElement) {
    if (on && !document.fullscreenElement && navigator.userActivation?.isActive) {
      return document.documentElement.requestFullscreen?.().then(
        () => (screenful = true),
        () => (screenful = false),
      );
    }
    if (on || !screenful) return undefined;
    screenful = false;
    return document.exitFullscreen();
  }

  // The browser keeps Escape to itself while the screen is full.
  function screenChanged() {
    if (document.fullscreenElement || !screenful) return;
    screenful = false;
    if (live.presented.figure) leaveOne(document.activeElement);
  }

  // ---- in the address: with no step all of the figure is there

  const written = (figure) =>
    `present=${figure.data.name}` + (figure === live.presented.figure && !lecture.whole ? `:step=${lecture.step}` : "");

  const last = () => (live.presented.figure ? written(live.presented.figure) : "");

  function after(pieces) {
    const piece = pieces.find(({ verb }) => verb === "present");
    if (piece) enter(live.page.figures.get(piece.name), Number(piece.texts.step));
    else leave();
  }

  const back = (pieces) => pieces.some(({ verb }) => verb === "present") || leave();

  const share = [
    {
      value: "present",
      text: "the figure in present mode",
      chosen: (figure) => live.presented.figure === figure,
      address: (figure, page, state) => `${page}#${state ? state + ";" : ""}${written(figure)}`,
    },
    {
      value: "frame",
      text: "the figure alone, for a frame",
      address: ({ data: { name } }, page, state) =>
        `<iframe src="${page}?figure=${name}#${state || name}" title="${name}" width="960" height="600"></iframe>`,
    },
  ];

  // ---- keys

  const OWN = "?hcfn"; // letters that mean something else than on the page
  const TOPICS = { c: "caption", s: "settings", n: "notes", "?": "keys" };
  const STEPS = {
    ArrowRight: (slider) => slider.stepUp(),
    ArrowLeft: (slider) => slider.stepDown(),
    Home: (slider) => (slider.value = slider.min),
    End: (slider) => (slider.value = slider.max),
  };
  const WALKS = { ArrowDown: 1, ArrowUp: -1 };
  const PAGES = { PageDown: 1, PageUp: -1 };

  function takeKey(event) {
    if (!live.presented.figure || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const writing = event.target.matches("[type=text], select") && event.key.length === 1;
    if (!writing && act(event.key, event.target, event.shiftKey)) event.preventDefault();
  }

  // True if the key was one of ours.
  function act(key, target, shift) {
    const { figure } = live.presented;
    if (key === "Escape") leaveOne(target);
    else if (key in PAGES) (shift ? jump : turn)(PAGES[key]);
    else if (/^[1-9]$/.test(key)) take(figure, presets(figure)[key - 1]);
    else if (target.matches("select, [type=text]")) return false;
    else if (key in WALKS) walk(figure, WALKS[key]);
    else if (key in TOPICS) lecture.toggle(TOPICS[key]);
    else if (key === "a") lecture.goTo();
    else if (key === "h") clean();
    else if (key === "f") fullScreen();
    else if (target.matches("button, summary, [type=radio]")) return false;
    else if (key === " " && !lecture.whole) turn(1);
    else if (key === " " && figure.current?.type === "range") figure.motion.toggle(figure.current.name);
    else if (key in STEPS && !target.matches("[type=range]")) step(figure.current, STEPS[key]);
    else return false;
    return true;
  }

  // Out of what was opened last.
  function leaveOne(target) {
    if (target.matches("[type=text], select")) leaveBox(target);
    else if (lecture.topic) lecture.toggle(lecture.topic);
    else if (live.presented.figure.element.classList.contains("live-clean")) clean();
    else (live.presented.beyond ?? leave)(0);
  }

  // A box left unfinished shows its slider's value again.
  function leaveBox(box) {
    const { figure } = live.presented;
    const slider = figure.ranges[box.dataset.for];
    box.blur();
    (slider ?? figure.current).focus();
    figure.showValues();
  }

  function walk({ controls, current }, by) {
    controls[(controls.indexOf(current) + by + controls.length) % controls.length]?.focus();
  }

  // A key pressed while nothing has the focus moves the slider used last.
  function step(slider, way) {
    slider?.focus();
    if (slider?.type !== "range") return;
    way(slider);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  live.presented.letters = OWN;
  document.addEventListener("keydown", takeKey);
  document.addEventListener("fullscreenchange", screenChanged);

  live.feature({
    name: "present",
    button: { text: "Present", action: "present", press: toggle, stays: () => true },
    keys: [
      { name: "C", does: "caption, in front of a class" },
      { key: "f", name: "F", does: "full screen" },
    ],
    address: { verb: "present", takes: "settings", last, after },
    share,
    alone,
    back,
    room: fitSide,
    offers: { enter, leave },
  });
})();
