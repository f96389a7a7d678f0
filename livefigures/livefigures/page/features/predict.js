// Questions to predict: the answer opens only after the reader has committed to one, and the next figure waits for it:
// its curves, numbers and caption, but for what the question leaves in sight, and the text that follows it. Answers stay
// in this browser. Without this script a question is a folded block that opens by itself.
"use strict";

(() => {
  const { make, button } = live.dom;
  const { shown } = live.numbers;
  const { entry } = live.picture;
  const summary = live.use("summary");
  const STORE = `live-answers:${location.pathname}`;
  const ARRIVES = 1500; // milliseconds, somewhat more than the animation in predict.css

  // A browser may refuse to keep anything: then answers last as long as the page.
  function stored() {
    try {
      return JSON.parse(localStorage.getItem(STORE)) ?? {};
    } catch {
      return {};
    }
  }

  function store(answers) {
    try {
      if (Object.keys(answers).length) localStorage.setItem(STORE, JSON.stringify(answers));
      else localStorage.removeItem(STORE);
    } catch {
      // as above
    }
  }

  // What somebody's link shows; after a reload the address is the reader's own, who has not answered yet.
  const [visit] = performance.getEntriesByType("navigation");
  const sent = visit?.type === "navigate" ? location.hash : "";

  const parts = [...document.querySelectorAll("figure.live, .predict, h2, h3")]; // of the page, in order

  // ---- what waits in a figure

  let printed = false; // where nothing waits
  const asking = (figure) => (printed ? [] : [...(figure.of("predict").questions ?? [])]);

  // A curve's row keeps its name, as a legend's, and hides its number. A mark's name would tell: its row is gone (predict.css).
  function veil(figure) {
    const given = (name) => asking(figure).every(({ stays }) => stays === "all" || stays.includes(name));
    const secret = (parts, name) => parts.forEach((part) => part.classList.toggle("live-secret", !given(name)));
    for (const part of [...figure.lines, ...figure.marks]) secret(figure.partsOf(part), part.name);
    for (const { name, cell } of figure.lines) stand(cell, !given(name));
    secret(figure.svg.querySelectorAll(".live-ghosts"));
    summary.hide(figure);
  }

  // Where a drawn curve is highest; numbers at its ends could be those of an answer.
  function shape(figure, { name, y, format }) {
    const { grid, x, sliders, symbols, up } = figure.data;
    const along = figure.along(y);
    const values = grid.map((_, i) => entry(along, i));
    const top = values.indexOf(Math.max(...values.filter(Number.isFinite)));
    const last = grid.length - 1;
    const rough = (place) => (sliders[x].integer ? place : Number(place.toPrecision(2))); // as a picture is read
    if (values.every((value) => value === values[0])) return `${name} is level. `;
    if (top < 1 || top === last) return `${name} is highest at the ${top < 1 ? "left" : "right"} end. `;
    const place = figure.said(x, rough(grid[top]));
    return `${name} has a peak of ${shown(values[top], up, format)} near ${symbols.x} = ${place}. `;
  }

  summary.shape((figure) => {
    figure.play(); // a figure that has never moved has not played yet
    const drawn = figure.filling ? [] : figure.lines.filter(summary.come);
    return drawn.map((line) => shape(figure, line)).join("");
  });

  // A cell of its own says that a number waits: what a hidden cell shows is in no table for a screen reader.
  function stand(cell, waits) {
    const before = cell.previousElementSibling;
    const stands = before.matches(".live-unknown");
    if (waits && !stands) cell.before(make("td", { class: "live-unknown" }, "?"));
    else if (stands && !waits) before.remove();
  }

  // What stands below a figure, up to the next heading or figure or its question: text that says what is to be seen
  // there, and theorems that prove it; below a figure in a box it ends with the box. What stands between a question and
  // its figure. And the code of its cell, which holds its caption and formulas.
  function textAbout({ element }) {
    const found = [...(element.closest(".cell")?.children ?? [])].filter((part) => !part.contains(element));
    let part = element;
    while (!part.parentElement.matches("section, article, body, details, .admonition")) part = part.parentElement;
    const between = [];
    let before = part;
    while ((before = before.previousElementSibling) && !before.matches("h1, h2, h3, .predict, :has(figure.live)"))
      between.push(before);
    if (
      !part.querySelector(".predict") &&
      before?.matches(".predict") &&
      [undefined, element.id].includes(before.dataset.figure)
    )
      found.push(...between);
    while ((part = part.nextElementSibling) && !part.matches("section, :has(figure.live)")) {
      if (!part.matches(".predict")) found.push(part);
      else if (part.dataset.figure !== element.id) break;
    }
    return found;
  }

  // Further parts of the page that wait for a question, by their ids.
  const further = ({ dataset }) => dataset.waits?.split(" ").map((id) => document.getElementById(id)) ?? [];

  // Who looks for a word, or comes by a link, finds it there all the same.
  function reveal({ target }) {
    const waiting = ({ element, figure }) => [...further(element), ...(figure ? textAbout(figure) : [])];
    const asked = questions.filter((question) => waiting(question).some((part) => part.contains(target)));
    asked.forEach((question) => question.release());
    return asked.length > 0;
  }

  function follow() {
    const target = location.hash && document.getElementById(location.hash.slice(1)); // :target may not be known yet
    if (target && reveal({ target })) target.scrollIntoView({ behavior: "instant" });
  }

  // Says that something waits, and lets who reads on have it without an answer. The button goes, so that `part`, which
  // has come, takes the focus.
  function note(show, part) {
    const then = (act) => () => {
      act();
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
      part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
      part.live?.announce("The whole figure is shown.");
    };
    const everything = () => questions.forEach((each) => each.release());
    const several = document.querySelectorAll(".predict").length > 1;
    const made = make("p", { class: "live-wait" }, "Answer the question to see the rest. ");
    made.append(button("Show it without answering", "unwait", then(show)));
    if (several) made.append(" ", button("Show all of this page", "unwait-all", then(everything)));
    return made;
  }

  // The figure and those that stand with it, which may give the same answer.
  function withPanels({ element }) {
    const panels = element.closest(".live-panels")?.querySelectorAll("figure.live") ?? [element];
    return [...panels].map((one) => one.live);
  }

  const unwait = (figure) => asking(figure).forEach((question) => question.release());

  // The questions that a figure waits for.
  const holdersOf = (figure) => (figure.of("predict").questions ??= new Set());

  // One note for a figure and its panels.
  function wait(figure) {
    const { element } = figure;
    const held = asking(figure);
    const caption = element.querySelector("figcaption");
    element.classList.toggle("live-waits", held.length > 0);
    veil(figure);
    for (const part of textAbout(figure)) part.hidden = held.length > 0 && "until-found";
    element.querySelector(".live-wait")?.remove();
    if (!held.some((question) => question.figure === figure)) return;
    const made = note(() => unwait(figure), element);
    if (caption) caption.before(made);
    else element.append(made);
  }

  // Curves that have waited are drawn from left to right (predict.css); a reader who wants no motion sees them at once.
  function arrive({ element }) {
    element.classList.add("live-arrives");
    setTimeout(() => element.classList.remove("live-arrives"), ARRIVES);
  }

  // ---- questions

  class Question {
    constructor(element) {
      const part = (selector) => element.querySelector(selector);
      this.element = element;
      this.fields = part("fieldset");
      this.answer = part("details");
      this.status = part(".predict-said");
      this.submit = part("button");
      this.asked = part("legend").textContent.trim();
      this.key = this.fields.textContent.replace(/\s+/g, " ").trim(); // an edited question is another one
      this.marks = [];
      this.figure = this.waiting();
      this.figures = this.figure ? withPanels(this.figure) : [];
      this.beside = element.nextElementSibling?.contains(this.figure?.element);
      // The curves and marks that the figure shows all the same: those named, or all of them where it stands at another
      // setting than the one asked about.
      this.stays = JSON.parse(element.dataset.stays ?? "[]");
      this.submit.addEventListener("click", () => this.take());
      this.fields.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.take();
      });
      this.reset();
    }

    // The answer that the reader commits to.
    take() {
      const { chosen, status } = this;
      if (!chosen) return void (status.textContent = "Give an answer first.");
      this.commit(chosen.value);
      store({ ...stored(), [this.key]: { choice: chosen.value } });
      status.focus({ preventScroll: true }); // the button that had it is gone
      // The picture of the answer is in sight, where the reply is too.
      const seen = this.beside ? [this.figure.picture, status] : [status];
      for (const part of seen) part.scrollIntoView({ block: "nearest" });
    }

    // The figure that would give the answer away: the one named, else the next before anything else begins.
    waiting() {
      const { figure } = this.element.dataset;
      const next = figure ? document.getElementById(figure) : parts[parts.indexOf(this.element) + 1];
      return next?.live ?? null;
    }

    get chosen() {
      return this.element.querySelector("input:checked");
    }

    reset() {
      if (this.chosen) this.chosen.checked = false;
      this.fields.disabled = false;
      this.submit.hidden = false;
      this.answer.hidden = true;
      this.answer.open = false;
      this.status.replaceChildren();
      this.marks.splice(0).forEach((mark) => mark.remove());
      this.element.classList.remove("predict-right", "predict-wrong");
      this.hold();
    }

    hold() {
      if (this.figures.some(({ data }) => sent.includes(`${data.name}:`))) return; // a link shows what its sender saw
      this.withhold(true);
      this.figures.forEach((figure) => holdersOf(figure).add(this));
      this.figures.forEach(wait);
    }

    release() {
      this.withhold(false);
      this.figures.forEach((figure) => holdersOf(figure).delete(this));
      this.figures.forEach(wait);
      for (const figure of this.figures) live.tell("redraw", figure); // its table has more columns
    }

    withhold(yes) {
      const parts = further(this.element);
      for (const part of parts) part.hidden = yes && "until-found";
      if (this.figure || !parts.length) return;
      this.note?.remove();
      if (yes) this.element.after((this.note = note(() => this.release(), parts[0])));
    }

    commit(choice, again = false) {
      this.element.querySelector(`input[value="${choice}"]`).checked = true;
      this.right = choice === this.element.dataset.answer;
      this.status.replaceChildren(...this.said());
      this.element.classList.add(this.right ? "predict-right" : "predict-wrong");
      this.fields.disabled = true;
      this.submit.hidden = true;
      this.answer.hidden = false;
      this.answer.open = !again;
      this.release();
      if (!again) this.figures.filter((figure) => !holdersOf(figure).size).forEach(arrive);
      review();
    }

    said() {
      const { answer } = this.element.dataset;
      const of = (value) => this.element.querySelector(`input[value="${value}"]`).closest("label");
      const words = (label) => label.querySelector("span").cloneNode(true);
      const ended = (label) => [words(label), ...(/[.…]$/.test(words(label).textContent) ? [] : ["."])];
      const said = ["You chose: ", ...ended(of(this.chosen.value))];
      const mark = (value, text) => this.marks.push(of(value).appendChild(make("b", {}, text)));
      mark(answer, "✓ right");
      if (this.right) return [...said, " ", make("b", {}, "That is right.")];
      mark(this.chosen.value, "✗ yours");
      const reply = this.element.querySelector(`.predict-reply[data-choice="${this.chosen.value}"]`);
      const own = reply ? [" ", ...[...reply.cloneNode(true).childNodes].slice(1)] : [];
      return [...said, ...own, " The answer is: ", ...ended(of(answer))];
    }
  }

  let questions = [];
  const section = make("div", { class: "predict-review", role: "region", "aria-label": "Your answers" });

  // At the chapter's end: how many, and which to look at again.
  function review() {
    const answered = questions.filter((question) => question.submit.hidden);
    const wrong = answered.filter(({ right }) => !right);
    section.hidden = !answered.length;
    const right = `${answered.length - wrong.length} of ${answered.length} correct`;
    const count = `You have answered ${answered.length} of ${questions.length} questions, ${right}.`;
    const again = wrong.map(({ element, asked }) => make("li", {}, make("a", { href: `#${element.id}` }, asked)));
    const score = [make("p", {}, `${count}${again.length ? " Look again at:" : ""}`)];
    if (again.length) score.push(make("ul", {}, ...again));
    section.replaceChildren(
      ...(questions.length > 1 ? score : []),
      make("p", {}, "Your answers stay in this browser and go nowhere else. ", button("Forget them", "forget", forget)),
    );
  }

  function forget() {
    store({});
    questions.forEach((question) => question.reset());
    review();
    questions[0].element.querySelector("input").focus();
  }

  function started() {
    questions = [...document.querySelectorAll(".predict")].map((element) => new Question(element));
    if (!questions.length) return;
    let last = questions.at(-1).element;
    while (last.parentElement.closest("section")) last = last.parentElement.closest("section");
    if (last.matches("section")) last.append(section);
    else last.parentElement.append(section);
    review();
    const kept = stored();
    for (const question of questions)
      if (Object.hasOwn(kept, question.key)) question.commit(kept[question.key].choice, true);
    follow();
  }

  // On paper nothing opens either.
  function print({ type }) {
    printed = type === "beforeprint";
    for (const { answer, figures, submit } of questions) {
      answer.hidden = !(answer.open = printed || submit.hidden);
      figures.forEach(veil);
    }
  }

  addEventListener("beforeprint", print);
  addEventListener("afterprint", print);

  document.addEventListener("beforematch", reveal);
  addEventListener("hashchange", follow);

  live.feature({
    name: "predict",
    started,
    fit: (figure) => asking(figure).length && veil(figure), // which may make labels anew
    // Who goes on in the text has left the question; what is seen all the same is enough to go on with.
    preset: (figure, link) =>
      link.closest(".predict") || asking(figure).every(({ stays }) => stays.length) || unwait(figure),
  });
})();
