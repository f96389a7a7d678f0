// A lesson in front of a class: its steps are the slides and the figures of its script, one after the other. Here are the
// window of the class (?lesson=1.3, on whatever page a step is) and the teacher's, which is the script's own page and
// drives it. The two send each other messages, since pages from a disk may not look into each other.
"use strict";

(() => {
  const { make, button, session } = globalThis.book;
  const root = document.documentElement;
  const site = new URL("..", document.currentScript.src);
  const STEPS = '.slide, a.live-set[href*=";present="]';
  const FORWARD = ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"];
  const BACK = ["PageUp", "ArrowLeft", "ArrowUp"];
  const PASSED = /^([abcdhstv1-9.]|ArrowLeft|ArrowRight|Home|End)$/; // keys that the script passes on to the window of the class
  const HELD = "input, select, .live-picture svg"; // what a finger moves sideways
  const SWIPE = 50; // pixels
  const asked = /[?&]lesson=(\d+)\.(\d+)/.exec(location.search);

  const wayOf = (key) => Number(FORWARD.includes(key)) - Number(BACK.includes(key));
  const address = (lesson, step) => globalThis.lessons[lesson]?.[step];

  // The step to which the clicker leads. It passes over those that are shown only if there is time, unless the class
  // sees one of them.
  function turned(lesson, step, by) {
    const passed = (place) => address(lesson, place)?.includes("&optional");
    let to = step + by;
    if (!passed(step)) while (passed(to)) to += by;
    return to;
  }

  // ---- the class's window

  function showStep(lesson, step) {
    // No step is kept in the history, so that Back returns to where the lesson was begun.
    // A question to which the class comes back has been answered.
    const go = (by) => {
      if (!by) return leave();
      const to = address(lesson, turned(lesson, step, by));
      if (!to) return;
      window.opener?.postMessage({ lesson, leaving: true }, "*");
      location.replace(new URL(by < 0 ? to.replace(/lesson=[\d.]+/, "$&&answered") : to, site));
    };
    const slide = address(lesson, step)?.includes("#") ? null : document.querySelectorAll(STEPS)[step];
    const hands = slide ? null : showFigure(go, lesson, step);
    const turn = (by) => lit() || (hands ? turnFigure : go)(by);
    addEventListener("keydown", blacken, true);
    if (slide) showSlide(slide, go, placeOf(lesson, step));
    takeSwipes(turn);
    const say = () => window.opener?.postMessage({ lesson, step, ...seen(slide, hands) }, "*");
    document.addEventListener("live:state", say);
    addEventListener("message", ({ source, data }) => {
      if (source !== window.opener) return;
      if ([1, -1].includes(data?.turn)) turn(data.turn);
      const counts = data?.key === "v" && hands && !isLast(); // in its own window: the script has fields for that
      if (PASSED.test(data?.key) && !counts) press(data.key);
      if (data?.hands?.step === step) hands?.set(data.hands.counts);
      if (data?.code === step) toggleCode(lesson, step);
    });
    say();
  }

  // A black screen, as in slides of other programs: the next key only brings the lesson back.
  function blacken(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("[type=text]")) return;
    if (/^[b.]$/.test(event.key) && !root.matches(".lesson-black")) root.classList.add("lesson-black");
    else if (!lit()) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function lit() {
    const black = root.matches(".lesson-black");
    root.classList.remove("lesson-black");
    return black;
  }

  // What stands on the screen, in words for the teacher.
  function seen(slide, hands) {
    if (slide) return { shown: "", part: "" };
    const title = document.querySelector(".live-title > span:not(.live-waiting)")?.innerText ?? "";
    const choices = hands?.choices ?? [];
    const lines = title.split(/\n+/);
    const asked = [lines[0], ...choices.map(({ words }, i) => `${globalThis.lessonHands.LETTERS[i]}. ${words}`)];
    return { shown: (hands && !isLast() ? asked : lines).join("\n"), part: part(), choices: choices.length };
  }

  const part = () => document.querySelector(".live-lecture > span")?.textContent ?? "";

  // A figure's last part is its answer.
  function isLast() {
    const [shown, last] = part().split("/");
    return shown === last;
  }

  // The question's address for the phones in the room, over everything else.
  function toggleCode(lesson, step) {
    const code = globalThis.lessonCodes?.[`${lesson}.${step}`];
    const before = document.querySelector(".lesson-code");
    if (before || !code) return before?.remove();
    const made = make("div", "", { class: "lesson-code", role: "dialog", "aria-label": "The question for phones" });
    made.append(
      make("img", "", { src: new URL(`_static/codes/${lesson}.${step}.svg`, site), alt: "" }),
      make("p", code),
    );
    globalThis.live.presented.figure.element.append(made); // the rest of the page is hidden
  }

  const placeOf = (lesson, step) => `step ${step + 1} of ${globalThis.lessons[lesson]?.length}`;

  // For fingers: a figure has such buttons of its own.
  function touchBar(go, place) {
    const bar = make("div", "", { class: "lesson-touch", role: "group", "aria-label": "Lesson" });
    bar.append(
      button("‹", "Step back", () => go(-1)),
      make("span", place),
      button("›", "Next step", () => go(1)),
      button("Leave", "Leave the lesson", () => (window.opener ? window.close() : leave())),
    );
    return bar;
  }

  function showSlide(slide, go, place) {
    slide.append(touchBar(go, place));
    slide.classList.add("now");
    slide.tabIndex = -1;
    slide.setAttribute("role", "region"); // a name of its own: from its words, the formulas would be missing
    slide.ariaLabel = place;
    slide.focus();
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.matches("button") && [" ", "Enter"].includes(event.key)) return;
      const way = wayOf(event.key);
      if (way) go(way);
      else if (event.key === "Escape" && !document.fullscreenElement) leave();
      else if (event.key === "f") root.requestFullscreen?.();
      else return;
      event.preventDefault();
    });
  }

  // A finger that goes sideways, and moves no slider and no cursor, turns.
  function takeSwipes(turn) {
    let from = null;
    document.addEventListener("pointerdown", (event) => {
      const free = event.pointerType === "touch" && event.isPrimary && !event.target.closest(HELD);
      from = free && root.matches(".in-lesson") ? event : null;
    });
    document.addEventListener("pointercancel", () => (from = null)); // it scrolls
    document.addEventListener("pointerup", ({ clientX, clientY }) => {
      if (!from) return;
      const [across, down] = [clientX - from.clientX, clientY - from.clientY];
      from = null;
      if (Math.abs(across) > Math.max(SWIPE, 2 * Math.abs(down))) turn(across < 0 ? 1 : -1);
    });
  }

  // The script holds the answers: it is not shown in the window of the class, where Escape does nothing.
  function leave() {
    if (!window.opener) history.back();
  }

  // The hands at its question, if the step asks one.
  function showFigure(go, lesson, step) {
    const presented = globalThis.live?.presented;
    if (!presented?.figure) return root.classList.remove("in-lesson"); // the page says what is wrong with the address
    presented.beyond = go;
    document.head.append(make("link", "", { rel: "stylesheet", href: new URL("_static/lesson.css", site) }));
    const [count, other] = document.querySelectorAll(".live-lecture > span");
    if (other) [other.previousSibling, other.nextSibling, other].forEach((part) => part.remove()); // figures of the page
    count.nextSibling.after(make("span", placeOf(lesson, step)));
    const asks = address(lesson, step).endsWith(":step=0");
    const hands = asks ? new globalThis.lessonHands.Hands(presented.figure, isLast) : null;
    const told = () => {
      hideNumbers(presented.figure);
      writeTitle(presented.figure);
      if (presented.figure) hands?.show();
      else root.classList.remove("in-lesson");
    };
    document.addEventListener("live:state", told);
    told();
    shorten(document.querySelector(".live-panel"));
    focusNamed(presented.figure, address(lesson, step));
    if (hands && location.search.includes("&answered")) press("a");
    addEventListener("keydown", (event) => {
      if (!root.matches(".in-lesson")) return;
      if (event.key === "n") event.stopPropagation(); // the notes are on the teacher's page
      if (event.key === "q") toggleCode(lesson, step);
      if (event.key !== "PageUp" || event.shiftKey || hands) return;
      event.preventDefault(); // a figure that asked nothing has been shown whole: back to the step before it
      event.stopPropagation();
      go(-1);
    }, true); // prettier-ignore
    return hands;
  }

  // The numbers of these curves would give the answer away.
  const wanted = new URLSearchParams(location.search);
  const waits = wanted.getAll("waits");

  function hideNumbers(figure) {
    for (const cell of document.querySelectorAll(".live-side [data-curve]"))
      cell.closest("tr").classList.toggle("live-unread", figure && !isLast() && waits.includes(cell.dataset.curve));
    if (figure) globalThis.live.use("summary").hide(figure); // nor are they read aloud
  }

  // An answer is about one setting, which it names. At another one it is quiet, so that the line below it comes first,
  // which holds at all of them. A script may have a title of its own for a figure that asks nothing.
  function writeTitle(figure) {
    const line = figure && document.querySelector(".live-title > :last-child");
    if (!line) return;
    if (wanted.has("headline")) line.textContent = wanted.get("headline");
    const about = Object.entries(globalThis.lessonHands.questionOf(figure)?.shown ?? {});
    const moved = about.some(([name, value]) => figure.values[name] !== value);
    line.classList.toggle("lesson-moved", moved && line.querySelector("b") !== null);
  }

  // A caption that is too long for the screen loses its last sentences. The page of the chapter has all of them.
  function shorten(panel) {
    const side = panel.closest(".live-side");
    const fits = () => side.scrollHeight <= side.clientHeight + 1 && /[.?!]\s*$/.test(panel.textContent);
    const cut = () => {
      if (panel.ariaLabel !== "caption" || panel.querySelector("p")) return; // there the choices stand, too
      while (panel.hasChildNodes() && !fits()) {
        const last = panel.lastChild;
        const kept = /^[^]*[.?!](?=\s)/.exec((last.data ?? "").trimEnd());
        if (kept) last.data = kept[0];
        else last.remove();
      }
    };
    const later = () => requestAnimationFrame(cut); // when the side has its width
    new MutationObserver(later).observe(panel, { childList: true });
  }

  // The arrow keys move what the script moves: the last slider that the link sets.
  function focusNamed(figure, link) {
    const [name] = /[^:,]+(?==[^=]*;present=)/.exec(link) ?? [];
    figure.ranges[name]?.focus();
  }

  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const turnFigure = (by) => press(by > 0 ? "PageDown" : "PageUp");

  // ---- the teacher's page

  // What a step is called: the words of its link, or how its slide begins.
  const nameOf = (step) => (step.matches(".slide") ? `“${step.children[1].innerText} …”` : step.innerText);

  // What to say at a press of the key, which counts from 0. A step has the words up to the next step or section. At a
  // figure that asks, each press has an item of a list, the first press what stands above the list too, and the last one
  // what stands below it.
  function wordsOf(step, press) {
    const block = step.closest("p") ?? step;
    const after = run(block, "nextElementSibling");
    const list = step.hash?.endsWith(":step=0") ? after.findIndex((part) => part.matches("ol")) : -1;
    if (list < 0) return [block, ...after];
    const { children } = after[list];
    return [
      ...(press === 0 ? [block, ...after.slice(0, list)] : []),
      ...(children[press] ? [children[press]] : []),
      ...(press === children.length - 1 ? after.slice(list + 1) : []),
    ];
  }

  // What stands before the first step of a section leads to that step: it is said while the class still sees the step
  // before it.
  function leadOf(step) {
    const block = step?.closest("p") ?? step;
    const before = block ? run(block, "previousElementSibling") : [];
    const above = [block, ...before].at(-1)?.previousElementSibling;
    return above?.matches("h2") ? before.reverse().slice(1) : []; // without its minutes
  }

  // The parts beside a step, one way, up to another step or a title.
  function run(block, way) {
    const found = [];
    for (let part = block[way]; part && !part.matches(`section, h2, h3, ${STEPS}`); part = part[way]) {
      if (part.querySelector(STEPS)) break;
      found.push(part);
    }
    return found;
  }

  class Script {
    constructor(lesson) {
      this.lesson = lesson;
      this.steps = [...document.querySelectorAll(STEPS)];
      this.names = this.steps.map(nameOf);
      this.bar = document.querySelector(".lesson-bar");
      this.said = this.bar.querySelector("[role=status]");
      this.bar.querySelector("button").addEventListener("click", () => this.start());
      document.querySelectorAll(".step").forEach((link, i) => {
        link.addEventListener("click", (event) => this.jump(event, i));
        if (this.steps[i].matches("a")) this.steps[i].addEventListener("click", (event) => this.jump(event, i));
      });
      document.addEventListener("keydown", (event) => this.take(event));
      addEventListener("message", ({ source, data }) => source === this.shown && data?.lesson && this.hear(data));
      const [visit] = performance.getEntriesByType("navigation");
      const kept = JSON.parse(session.getItem("lesson"));
      if (visit?.type === "reload" && kept?.lesson === lesson) this.run(kept);
    }

    // While the window of the class changes its page it hears nothing: what is sent to it waits.
    send(message) {
      if (this.waiting) this.waiting.push(message);
      else this.shown.postMessage(message, "*");
    }

    hear(data) {
      if (data.leaving) {
        this.waiting ??= [];
        return;
      }
      const waited = this.waiting ?? [];
      this.waiting = null;
      this.follow(data);
      waited.forEach((message) => this.send(message));
    }

    // In the window of the class, or in a new one where it has been closed.
    show(step) {
      this.waiting = [];
      const to = new URL(address(this.lesson, step), site);
      if (this.shown && !this.shown.closed) this.shown.location.replace(to);
      else this.shown = window.open(to, "class", "popup,width=1280,height=720");
    }

    start() {
      this.show(0);
      if (!this.shown) {
        this.said.textContent =
          "The browser opened no window. Allow windows for this page, or show the lesson in this one.";
        return;
      }
      this.run({ step: 0, began: Date.now() });
    }

    // After a reload the script has no hold of the window of the class until it shows a step there.
    run({ step, began }) {
      this.shown ??= { closed: true, postMessage() {} };
      this.began = began;
      this.clock = make("span", "", { class: "clock" });
      this.more = make("button", "More below ↓", { type: "button", hidden: "" });
      this.more.addEventListener("click", () => this.below()?.scrollIntoView({ block: "start" }));
      this.asking = make("span", "");
      this.hands = {}; // the counts at each step
      root.classList.add("lesson-runs");
      this.bar.classList.add("running");
      this.bar.replaceChildren(
        button("‹", "Step back", () => this.turn(-1)),
        button("›", "Next step", () => this.turn(1)),
        this.clock,
        this.more,
        this.asking,
        this.said,
      );
      setInterval(() => this.tick(), 1000);
      for (const moved of ["scroll", "resize"]) addEventListener(moved, () => this.look());
      this.follow({ step, part: "", shown: "" });
    }

    turn(by) {
      if (this.shown.closed) this.show(this.step);
      else this.send({ turn: by });
    }

    // The counts are finished when the lesson goes on: then digits choose settings again.
    take(event) {
      if (!this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
      const key = event.key[1] ? event.key : event.key.toLowerCase(); // with Caps Lock too
      const way = { PageDown: 1, PageUp: -1 }[key];
      if (way) {
        document.activeElement.blur();
        if (!event.shiftKey) this.turn(way);
        else if (address(this.lesson, this.step + way)) this.show(this.step + way);
      } else if (PASSED.test(key) && !event.target.matches("input")) {
        this.send({ key });
      } else return;
      event.preventDefault();
    }

    // With a window for the class a step is shown there; without one its link is an ordinary one.
    jump(event, i) {
      if (!this.shown) return;
      this.show(i);
      event.preventDefault();
    }

    // Where the class is asked, its hands can be counted. A figure that comes back gets its counts again.
    ask(step, choices) {
      const give = () => this.hands[step] && this.send({ hands: { step, counts: this.hands[step] } });
      if (step === this.asked && choices > 0) return give();
      this.asked = choices > 0 ? step : null;
      this.asking.replaceChildren();
      if (choices === 0) return;
      give();
      const changed = (counts) => {
        this.hands[step] = counts;
        give();
      };
      this.asking.append(globalThis.lessonHands.fields(choices, this.hands[step], changed));
      if (!globalThis.lessonCodes?.[`${this.lesson}.${step}`]) return;
      const code = make("button", "Code for phones", { type: "button" });
      code.addEventListener("click", () => this.send({ code: step }));
      this.asking.append(" ", code);
    }

    follow({ step, part, shown, choices = 0 }) {
      this.step = step;
      session.setItem("lesson", JSON.stringify({ lesson: this.lesson, step, began: this.began }));
      this.ask(step, choices);
      this.steps.forEach((each, i) => each.classList.toggle("now", i === step));
      const here = this.steps[step].closest("section");
      this.here?.classList.remove("now");
      here.classList.add("now");
      this.here = here;
      const [shownPart, lastPart] = part.split("/");
      const whole = part === "" || shownPart === lastPart;
      const words = wordsOf(this.steps[step], part ? Number(shownPart) - 1 : 0);
      const following = turned(this.lesson, step, 1);
      this.mark([
        ...(step === 0 ? leadOf(this.steps[0]) : []),
        ...words,
        ...(whole ? leadOf(this.steps[following]) : []),
      ]);
      const next = whole ? this.names[following] : "more of this figure";
      const of = `Step ${step + 1} of ${this.steps.length}` + (part ? `, ${part}` : "");
      const sees = this.steps[step].matches(".slide") ? "The class sees the marked slide." : `The class sees: ${shown}`;
      this.said.textContent = `${of}. Next: ${next ?? "the end"}. ${sees}`;
      this.tick();
    }

    // What to say now is marked, and begins at the top of the window, or is in its middle if it is one short item of a list.
    mark(now) {
      this.now?.forEach((part) => part.classList.remove("now"));
      now.forEach((part) => part.classList.add("now"));
      const [place] = now;
      const short = place?.matches("li") && place.offsetHeight < innerHeight / 4;
      if (place !== this.now?.[0]) place?.scrollIntoView({ block: short ? "center" : "start" });
      this.now = now;
    }

    // The first part of what to say that the bar covers, or that is below the window.
    below() {
      const { top } = this.bar.getBoundingClientRect();
      return this.now?.find((part) => part.getBoundingClientRect().bottom > top + 1);
    }

    look() {
      this.more.hidden = !this.below();
    }

    tick() {
      this.look();
      const seconds = Math.floor((Date.now() - this.began) / 1000);
      const [, plan] = /from minute (.*)\./.exec(this.here.querySelector(".minutes")?.textContent) ?? [];
      const minute = `Minute ${Math.floor(seconds / 60)}`;
      this.clock.textContent = plan ? `${minute} (plan: ${plan})` : minute;
      if (!this.shown.closed) return;
      this.said.textContent = `The script has lost the window of the class. Page Down shows step ${this.step + 1} there again.`;
    }
  }

  function begin() {
    root.classList.add("lesson-begun");
    if (asked) {
      showStep(asked[1], Number(asked[2]));
      if (root.dataset.pressed) press(root.dataset.pressed); // it came before this script
      return;
    }
    const own = /lesson_(\d+)\.html$/.exec(location.pathname);
    if (own) new Script(own[1]); // eslint-disable-line no-new
  }

  // Behind the figures' own script, which has put the figure in front of the class by then.
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
})();
