// What a page does around its chapter: light, search, contents, one's place, paper. It is read before the page is
// drawn, so that light or dark is known at the first paint; the rest waits for the page.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const scripts = document.currentScript.dataset;

  // A browser may refuse to remember anything; then nothing is remembered.
  const remembered = (name) => {
    try {
      return window[name];
    } catch {
      return { getItem: () => null, setItem() {}, removeItem() {} };
    }
  };
  const memory = remembered("localStorage");
  const session = remembered("sessionStorage");

  // An element with its text and its attributes; a string in place of these is its class.
  const make = (tag, text, more = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    const attributes = typeof more === "string" ? { class: more } : more;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  const button = (text, label, act) => {
    const made = make("button", text, { type: "button", "aria-label": label });
    made.addEventListener("click", act);
    return made;
  };

  function addScript(src) {
    const script = document.createElement("script");
    document.head.append(Object.assign(script, { src }));
    return script;
  }

  root.classList.add("js");
  // A page asked for one figure alone (?figure=name) shows nothing before that figure can stand there.
  if (/[?&]figure=[a-z]/.test(location.search)) root.classList.add("live-alone");
  // One that is a step of a lesson (?lesson=1.3) shows that step and nothing else.
  const inLesson = /[?&]lesson=\d/.test(location.search);
  root.classList.toggle("in-lesson", inLesson);
  // A key that comes before the lesson's script would turn to another figure of the page, or move the slider that has the
  // focus. The first one that turns or presses a button is kept for that script, which plays it.
  const early = (event) => {
    if (!root.matches(".in-lesson:not(.lesson-begun)")) return;
    event.stopImmediatePropagation();
    if (event.ctrlKey || event.altKey || event.metaKey || !/^(Page|Arrow|Home|End|[acdhstv1-9]$)/.test(event.key))
      return;
    event.preventDefault();
    if (/^(Page|.$)/.test(event.key) && !event.repeat && !event.shiftKey) root.dataset.pressed ??= event.key;
  };
  if (inLesson) addEventListener("keydown", early, true);
  if (inLesson || /lesson_\d\.html$/.test(location.pathname)) addScript(scripts.lesson);

  // ---- light: the system's until the reader chooses; whoever chooses what the system has, follows it again

  const system = matchMedia("(prefers-color-scheme: dark)");
  const seen = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
  const sayLight = () => (document.querySelector("[data-do=light]").ariaPressed = seen() === "dark");
  const setLight = (chosen) => {
    if (chosen) root.dataset.theme = chosen;
    else delete root.dataset.theme;
  };
  setLight(memory.getItem("light"));

  function light() {
    const next = seen() === "dark" ? "light" : "dark";
    const systems = (next === "dark") === system.matches;
    setLight(systems ? null : next);
    if (systems) memory.removeItem("light");
    else memory.setItem("light", next);
    sayLight();
  }

  // ---- words: Greek letters and their names are one; a word is found from its beginning, with or without a plural's s

  const GREEK = {
    alpha: "α",
    beta: "β",
    gamma: "γ",
    delta: "δΔ",
    epsilon: "ε",
    lambda: "λ",
    mu: "μ",
    pi: "π",
    rho: "ρ",
    sigma: "σΣ",
    tau: "τ",
    phi: "φΦ",
    chi: "χ",
    psi: "ψ",
    omega: "ω",
  };
  const names = Object.keys(GREEK).join("|");
  const nameOf = Object.fromEntries(
    Object.entries(GREEK).flatMap(([name, letters]) => [...letters].map((one) => [one, name])),
  );

  function wordPattern(word) {
    const spelt = [...word].map((one) => nameOf[one] ?? one).join("");
    const stem = spelt.length > 3 ? spelt.replace(/s$/, "") : spelt;
    const safe = stem.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    const either = safe.replace(new RegExp(names, "g"), (name) => `(?:${name}|[${GREEK[name]}])`);
    return (/^[\p{L}\p{N}]/u.test(stem) ? "(?<![\\p{L}\\p{N}])" : "") + either;
  }

  const wordsOf = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

  // ---- search: its script and index come when they are wanted

  const asked = {};
  function load(name, made) {
    asked[name] ??= new Promise((done) => {
      const script = addScript(scripts[name]);
      script.onload = script.onerror = () => done(globalThis[made]);
    });
    return asked[name];
  }

  const loadSearch = () => load("search", "bookSearch");

  async function openSearch() {
    const dialog = document.getElementById("search");
    if (!dialog.open) dialog.showModal();
    (await loadSearch()).open(dialog);
  }

  // A finger cannot point at a link to see where it leads: a tap shows the statement, with a link to its place.
  const STATED = /^(Theorem|Definition|Lemma|Corollary|Proposition) \d+$/;

  async function showStatement(link) {
    if (!(await load("statements", "bookSheet"))?.show(link)) location.href = link.href;
  }

  // Where a search led: the words are marked, and the first of them is in view.
  function markFound() {
    const words = wordsOf(new URLSearchParams(location.search).get("find") ?? "");
    if (!words.length) return;
    const place = document.querySelector(":target") ?? document.querySelector("article");
    const pattern = new RegExp(words.map(wordPattern).join("|"), "giu");
    const filter = (node) => (node.parentElement.closest("svg, math, script, style, figure, .highlight") ? 2 : 1);
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT, filter);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const found = [...text.data.matchAll(pattern)];
      for (const { 0: word, index } of found.reverse()) {
        const rest = text.splitText(index);
        rest.splitText(word.length);
        const mark = make("mark", word);
        rest.replaceWith(mark);
      }
    }
    const first = all("mark", place).find((mark) => !mark.closest("h1, h2, h3, h4")) ?? place.querySelector("mark");
    for (let fold = first?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const box = first?.getBoundingClientRect();
    if (box && box.bottom > innerHeight) first.scrollIntoView({ block: "center" });
  }

  function unmark() {
    for (const mark of all("article mark")) {
      const parent = mark.parentNode;
      mark.replaceWith(mark.textContent);
      parent.normalize();
    }
  }

  // ---- contents: the section that one reads is marked; after a jump, the one that was asked for

  function centre(nav, link) {
    if (nav.scrollHeight > nav.clientHeight) nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
  }

  let here = null; // the section that is read
  function followContents() {
    const nav = document.getElementById("contents");
    const links = new Map(
      all("a[href^='#']", nav ?? root).map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    );
    const places = nav ? [...links.keys()].filter(Boolean).map((id) => document.getElementById(id)) : [];
    if (!places.length) return;
    const outermost = places.filter((place) => !places.some((other) => other !== place && other.contains(place)));
    let asked = null;
    let frame = 0;

    // Only the section in view is asked for its parts: asking lays a section out, and the others are left for later.
    const inView = () => {
      const begun = (place) => place.getBoundingClientRect().top <= 0.2 * innerHeight;
      const outer = outermost.filter(begun).at(-1);
      return outer ? places.filter((place) => outer.contains(place) && begun(place)).at(-1) : null;
    };

    const mark = () => {
      frame = 0;
      const next = asked ?? inView();
      if (next === here) return;
      nav.querySelector("[aria-current]")?.removeAttribute("aria-current");
      here = next;
      const link = here && links.get(here.id);
      link?.setAttribute("aria-current", "location");
      if (link) centre(nav, link);
    };

    // What stands above the place may still find its height while it comes into view: the place is held until then.
    const hold = (target, frames) => {
      if (!asked || !frames) return;
      target.scrollIntoView();
      requestAnimationFrame(() => hold(target, frames - 1));
    };

    const jump = () => {
      const target = document.querySelector(":target");
      asked = (target && places.filter((place) => place.contains(target)).at(-1)) ?? null;
      mark();
      if (target?.matches("section")) hold(target, 8);
    };

    addEventListener("scroll", () => (frame ||= requestAnimationFrame(mark)), { passive: true });
    for (const act of ["wheel", "touchmove", "keydown", "pointerdown"]) {
      addEventListener(act, () => (asked = null), { passive: true, capture: true });
    }
    addEventListener("hashchange", jump);
    nav.addEventListener("click", ({ target }) => {
      if (!target.closest("a")) return;
      if (nav.matches(":popover-open")) nav.hidePopover();
      setTimeout(jump);
    });
    if (location.hash) jump();
    else frame = requestAnimationFrame(mark);
  }

  // ---- the list of the chapters shows where one is, on a wide window beside the page

  function showChapter() {
    const nav = document.getElementById("chapters");
    const link = nav?.querySelector("[aria-current]");
    if (link) centre(nav, link);
  }

  // ---- a panel over the page has the keyboard for as long as it is open

  function keepFocus(panel) {
    panel.addEventListener("toggle", ({ newState }) => {
      if (newState === "open") (panel.querySelector("a[aria-current]") ?? panel.querySelector("a, button"))?.focus();
    });
    panel.addEventListener("focusout", ({ relatedTarget }) => {
      const left = relatedTarget && !panel.contains(relatedTarget);
      if (left && panel.matches(":popover-open")) panel.hidePopover();
    });
  }

  // ---- an old address leads on, with the settings of a figure that stand in it (redirects.py)

  function followMoved() {
    const [, name] = /^#(?:\w+=)?([\w.-]+)/.exec(location.hash) ?? [];
    const moved = name && document.getElementById(name);
    if (!moved?.matches(".moved")) return;
    const [page, place] = moved.querySelector("a").href.split("#");
    location.replace(`${page}${location.hash.replaceAll(name, place)}`);
  }

  // ---- Back: the browser finds the place before the figures' scripts fold away what stands above it

  function stay() {
    const key = () => `top ${location.href}`; // a figure may have changed the address
    const top = Number(session.getItem(key()));
    let now = top;
    addEventListener("scroll", () => (now = scrollY), { passive: true });
    addEventListener("pagehide", () => session.setItem(key(), now)); // whose scrollY is another one, on a phone
    const [{ type }] = performance.getEntriesByType("navigation");
    if (!top || !/^(back|reload)/.test(type)) return;
    const hold = (frames) => {
      scrollTo({ top, behavior: "instant" });
      if (frames) requestAnimationFrame(() => hold(frames - 1));
    };
    hold(8);
  }

  // ---- one's place in each chapter, kept in this browser and offered at the next visit

  function keepPlace() {
    const key = `place ${location.pathname}`;
    const saved = memory.getItem(key);
    const target = saved && document.getElementById(saved);
    const [visit] = performance.getEntriesByType("navigation");
    if (target && !location.hash && !location.search && visit?.type === "navigate") {
      const offer = make("p", "", "resume");
      const link = make("a", `Go on at “${target.querySelector("h2, h3, h4").firstChild.textContent}”`);
      link.href = `#${saved}`;
      offer.append(link, make("button", "×", { type: "button", "aria-label": "Stay here" }));
      offer.addEventListener("click", () => offer.remove());
      const leave = () => scrollY > innerHeight && (offer.remove(), removeEventListener("scroll", leave));
      addEventListener("scroll", leave, { passive: true });
      document.body.append(offer);
    }
    addEventListener("pagehide", () => {
      if (here && scrollY > innerHeight) memory.setItem(key, here.id);
      else if (document.querySelector(".resume") === null) memory.removeItem(key);
    });
  }

  // ---- code can be copied; what is wider than its box can be scrolled by keyboard

  function offerCopies() {
    if (!navigator.clipboard) return; // a page from an unsafe address
    const said = make("p", "", { class: "heard", role: "status" });
    document.body.append(said);
    for (const block of all("article .highlight:not(.cell_output *)")) {
      const pre = block.querySelector("pre");
      const code = pre.textContent.trim();
      const title = document.getElementById(pre.getAttribute("aria-labelledby"))?.textContent;
      const [, name] = /^(?:def|class) (\w+)/m.exec(code) ?? /\bname="([\w-]+)"/.exec(code) ?? [];
      const [line] = code.split("\n");
      const label = `Copy ${title ?? name ?? line.slice(0, 60).replace(line.length > 60 ? /\W+\w*$/ : "", "")}`;
      block.append(make("button", "Copy", { class: "copy", type: "button", "aria-label": label }));
    }
    document.addEventListener("click", async ({ target }) => {
      if (!target.matches("button.copy") || target.textContent !== "Copy") return;
      await navigator.clipboard.writeText(target.parentElement.querySelector("pre").textContent.trimEnd());
      target.textContent = "Copied";
      said.textContent = target.ariaLabel.replace("Copy", "Copied:");
      setTimeout(() => (target.textContent = "Copy"), 1500);
      setTimeout(() => (said.textContent = ""), 5000); // the next one is said even if it is the same
    });
  }

  function reachWideBoxes() {
    const kinds = Object.entries({ Code: ".highlight pre", Output: "pre", Table: ".scroll", Formula: "*" });
    const watch = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const isNamed = target.hasAttribute("aria-labelledby");
        target.classList.remove("dense");
        target.classList.toggle("dense", target.matches(".aligned pre") && target.scrollWidth > target.clientWidth + 1);
        if (target.scrollWidth > target.clientWidth + 1) {
          const [kind] = kinds.find(([, each]) => target.matches(each));
          target.tabIndex = 0;
          if (!isNamed) Object.assign(target, { role: "group", ariaLabel: `${kind}, wider than its box` });
        } else
          for (const name of ["tabindex", ...(isNamed ? [] : ["role", "aria-label"])]) target.removeAttribute(name);
      }
    });
    for (const box of all(".scroll, div.math, .formula-wide, .highlight pre, .output pre")) watch.observe(box);
  }

  // ---- paper: folded parts are opened, solutions gathered at the end, addresses of links become footnotes

  let undo = [];
  const put = (parent, child) => {
    parent.append(child);
    undo.push(() => child.remove());
    return child;
  };

  function unfold(article) {
    for (const fold of all("details:not([open], .code)", article)) {
      fold.open = true;
      undo.push(() => (fold.open = false));
    }
  }

  function gatherSolutions(article) {
    const solutions = all(".solution", article);
    if (!solutions.length) return;
    const section = put(article, make("section", "", "print-only"));
    section.append(make("h2", "Solutions"));
    for (const solution of solutions) {
      const place = document.createComment("a solution");
      solution.replaceWith(place);
      section.append(solution);
      undo.push(() => place.replaceWith(solution));
    }
  }

  // Answers to predict stand at the end, so that who reads on paper can still guess; the questions keep their numbers.
  function gatherAnswers(article) {
    const answers = all(".predict details", article);
    if (!answers.length) return;
    const section = put(article, make("section", "", "print-only"));
    section.append(make("h2", "Answers"));
    const copied = (part) => [...part.cloneNode(true).childNodes];
    answers.forEach((answer, i) => {
      const question = answer.closest(".predict");
      const right = question
        .querySelector(`input[value="${question.dataset.answer}"]`)
        ?.closest("label")
        .querySelector("span");
      put(question, make("p", `Question ${i + 1}: the answer is at the end of the chapter.`, "print-only"));
      const given = make("div", "", "print-answer");
      const asked = make("p", "");
      asked.append(make("b", `Question ${i + 1}. `), ...copied(question.querySelector("legend")));
      if (right) asked.append(make("b", " Answer: "), ...copied(right));
      given.append(asked, ...copied(answer));
      for (const part of all("summary", given)) part.remove();
      for (const part of all("[id]", given)) part.removeAttribute("id");
      section.append(given);
    });
  }

  // What the text says of the screen is then true of paper too.
  function noteFolds(article) {
    if ("bound" in root.dataset || !article.querySelector("details")) return;
    const said = ["On paper, folded boxes are open and collapsed code is left out."];
    if (article.querySelector(".predict")) said.push("Figures show what appears on the screen only after an answer.");
    const note = make("p", said.join(" "), "print-only print-note");
    article.querySelector("h1").after(note);
    undo.push(() => note.remove());
  }

  // Title and page number at each page's head and foot; edition and address at the end. A bound book has its own.
  function addHeads(article) {
    const [chapter, book] = document.title.split(" – ");
    const edition = document.querySelector("meta[name=version]")?.content;
    const file = location.protocol === "file:" && new URL(root.dataset.content_root, location).href;
    const address = location.href.split("#")[0].slice(file ? file.length : 0);
    put(article, make("p", `${book ?? chapter}, version ${edition}, ${address}`, "print-only print-edition"));
    if ("bound" in root.dataset) return;
    const sheet = new CSSStyleSheet();
    const head = (place, text) => `@${place} { content: ${text}; font-size: 8pt; color: #555; }`;
    sheet.replaceSync(`@page { ${head("top-left", JSON.stringify(book ?? ""))} ${head("top-right", JSON.stringify(chapter))}
      ${head("bottom-center", "counter(page)")} }`);
    document.adoptedStyleSheets.push(sheet);
    undo.push(() => (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)));
  }

  function noteLinks(article) {
    const addresses = [];
    for (const link of all("a.external[href]", article)) {
      if (!addresses.includes(link.href)) addresses.push(link.href);
      const number = make("sup", addresses.indexOf(link.href) + 1, "print-only");
      link.after(number);
      undo.push(() => number.remove());
    }
    if (!addresses.length) return;
    const section = put(article, make("section", "", "print-only print-links"));
    section.append(make("h2", "Links"));
    const list = make("ol", "");
    list.append(...addresses.map((address) => make("li", decodeURI(address))));
    section.append(list);
  }

  // A citation leads to another page: on paper its work stands below the chapter. A bound book lists all works once.
  function listWorks(article) {
    const works = new Map(all(".bibtex-citation a[title]", article).map((link) => [link.textContent, link.title]));
    if (!works.size || "bound" in root.dataset) return;
    const section = put(article, make("section", "", "print-only print-works"));
    const lines = [...works].sort().map(([label, work]) => make("p", `[${label}] ${work}`));
    section.append(make("h2", "References"), ...lines);
  }

  // Paper has no links: behind a theorem of another chapter stands where it is.
  function nameChapters(article) {
    for (const link of all("a[href*='.html#']", article)) {
      const page = link.getAttribute("href").split("#")[0];
      const number = document.querySelector(`#chapters a[href="${page}"] span`)?.textContent;
      if (!number || !/^[A-Z]\w+ \d+$/.test(link.textContent)) continue;
      const before = new Range();
      before.selectNodeContents(link.parentNode);
      before.setEndBefore(link);
      const inBrackets = /\([^)]*$/.test(before.toString());
      const words = inBrackets ? `, chapter ${number}` : ` (chapter ${number})`;
      const chapter = make("span", words, "print-only");
      link.after(chapter);
      undo.push(() => chapter.remove());
    }
  }

  addEventListener("beforeprint", () => {
    const article = document.querySelector("article");
    if (!article || undo.length) return;
    const { theme } = root.dataset;
    setLight("light"); // dark text on white paper, whatever the screen shows
    undo.push(() => setLight(theme));
    gatherSolutions(article);
    gatherAnswers(article);
    noteFolds(article);
    unfold(article);
    nameChapters(article);
    listWorks(article);
    noteLinks(article);
    addHeads(article);
  });

  addEventListener("afterprint", () => {
    for (const step of undo.reverse()) step();
    undo = [];
  });

  // ---- the bar, and keys

  const actions = {
    light,
    print: () => print(),
    fullscreen: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
  };

  function listen() {
    sayLight();
    system.addEventListener("change", sayLight);
    // A drawer opens at the page or section that is read.
    const showCurrent = ({ target, newState }) => {
      if (newState === "open") target.querySelector("nav [aria-current]")?.scrollIntoView({ block: "center" });
    };
    document.addEventListener("toggle", showCurrent, true);
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) {
        document.getElementById("page-menu").hidePopover();
        actions[button.dataset.do]();
      } else if (event.target.closest(".find")) {
        event.preventDefault();
        openSearch();
      } else if (matchMedia("(hover: none)").matches) {
        const link = event.target.closest("article a[href*='#']");
        if (!STATED.test(link?.textContent)) return;
        event.preventDefault();
        showStatement(link);
      }
    });
    addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openSearch();
      } else if (event.key === "Escape") unmark();
    });
  }

  addEventListener("load", stay); // before a figure's script hears of it
  globalThis.book = { make, button, session, wordPattern, wordsOf, loadSearch };

  document.addEventListener("DOMContentLoaded", () => {
    listen();
    followMoved();
    addEventListener("hashchange", followMoved);
    followContents();
    showChapter();
    all("[popover]").forEach(keepFocus);
    markFound();
    keepPlace();
    offerCopies();
    reachWideBoxes();
    const page = document.getElementById("search-page");
    if (page) loadSearch().then((search) => search.open(page, new URLSearchParams(location.search).get("q") ?? ""));
  });
})();
