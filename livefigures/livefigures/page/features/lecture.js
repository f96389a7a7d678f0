// A figure as a lecture: its question, its curves one by one, its answer. Beside the picture stand the readings, or on
// demand the caption, the settings that the text links to, or the speaker's notes.
"use strict";

(() => {
  const { make, button } = live.dom;
  const summary = live.use("summary");
  const KEYS = [
    ["PgDn, PgUp", "step on, step back"],
    ["Space", "step on, then play"],
    ["A", "all"],
    ["← → ↑ ↓", "move a slider, take another"],
    ["1 … 9", "a setting of the text"],
    ["S, C, N", "settings, caption, notes"],
    ["H, F, Esc", "picture, full screen, leave"],
    ["Shift PgDn, PgUp", "other figures"],
  ];

  let questionOf = () => null; // that leads to a figure: class_question.js makes it

  // The settings that the page's prose has for a figure; a solution's or an answer's are not for the class that has yet
  // to find it.
  function presets({ data }) {
    return [...document.querySelectorAll(`a.live-set[data-figure="${data.name}"]`)].filter(
      (link) => !link.closest(".solution, .predict"),
    );
  }

  const take = (figure, link) => link && figure.glide(JSON.parse(link.dataset.values));

  const standing = (figure) => JSON.stringify(figure.values);
  const copied = (element) => [...element.cloneNode(true).childNodes];

  // A line of a title does not end within "x = 10⁻⁵", nor within "20 000", "x-axis" or "(ε, δ)-DP".
  const together = (text) =>
    text
      .replace(/ ([=<>≤≥≈]) |(?<=\d) (?=\d{3})/g, (gap) => gap.replaceAll(" ", "\u00a0"))
      .replace(/(?<=(?:^|\s)\S|\))-/g, "-\u2060");

  // What the figure shows at all settings, as one sentence: its first claim, else how its caption begins.
  function claimOf({ element }) {
    const caption = element.querySelector("figcaption");
    const claim = element.querySelector(".live-claims li");
    if (claim) return claim.textContent;
    return caption ? /^[^]*?[.?!](?=\s|$)|^[^]*/.exec(caption.firstChild.textContent.trim())[0] : "";
  }

  class Lecture {
    // `step` counts from 0; without a number that it has, all is shown.
    constructor(figure, step) {
      this.figure = figure;
      this.question = questionOf(figure);
      this.first = this.question ? 0 : 1; // so many curves are there at the first step
      this.last = Math.max(0, figure.lines.length - this.first + (this.question || figure.marks.length ? 1 : 0));
      this.title = make("p", { class: "live-title", role: "heading", "aria-level": "2", tabindex: "-1" });
      this.panel = make("div", { class: "live-panel", role: "region", tabindex: "0" });
      this.topic = "";
      this.began = { ...figure.values };
      this.step = this.known(step);
    }

    get whole() {
      return this.step === this.last;
    }

    has(by) {
      return this.step + by >= 0 && this.step + by <= this.last;
    }

    known(step) {
      return Number.isInteger(step) && step >= 0 && step < this.last ? step : this.last;
    }

    goTo(step) {
      const { figure, whole, began } = this;
      const shown = this.question?.shown;
      this.step = this.known(step);
      if (shown && whole && !this.whole) figure.motion.glide(began);
      else if (shown && this.whole && standing(figure) === JSON.stringify(began)) figure.motion.glide(shown); // unless somebody has moved it
      this.topic = "";
      this.show();
      this.say();
      figure.tell();
    }

    // For those who listen: the question and its choices, what has come with this step, or the claim.
    say() {
      const { lines } = this.figure;
      const line = this.whole ? null : lines[this.step + this.first - 1];
      const read = line?.cell.closest(".live-unread") ? "" : line?.cell.textContent;
      const news = line ? `${line.name} ${read}` : `${this.title.innerText} ${this.told()}`;
      this.figure.announce(`Step ${this.count.textContent}: ${news}`);
    }

    told() {
      return this.panel.innerText.replace(/\n+/g, ", ");
    }

    show() {
      this.figure.of("lecture").posed ||= !this.whole; // the class has seen the question
      this.title.replaceChildren(...this.headline());
      this.count.textContent = `${this.step + 1}/${this.last + 1}`;
      this.open(this.topic);
      this.figure.fit(); // which may make labels anew
      this.hide();
    }

    // What has not come yet keeps its place.
    hide() {
      const { figure, whole } = this;
      const wait = (parts, waiting) => parts.forEach((part) => part.classList.toggle("live-waiting", waiting));
      figure.lines.forEach((line, i) => wait(figure.partsOf(line), !whole && i >= this.step + this.first));
      figure.marks.forEach((mark) => wait(figure.partsOf(mark), !whole));
      wait(figure.element.querySelectorAll("figcaption"), !whole && Boolean(this.question)); // screen readers find it
      summary.hide(figure);
    }

    // Until the last step the question stands above the picture, then its answer and below it the claim, which may give
    // the answer away. The answer is for a class that has seen the question. Both have their room all the time.
    headline() {
      const { figure, question, whole } = this;
      const claim = make("span", {}, together(claimOf(figure)));
      if (!question || !figure.of("lecture").posed) return [claim];
      const both = question.headline(claim);
      both[Number(!whole)].classList.add("live-waiting");
      return both;
    }

    // ---- beside the picture

    toggle(topic) {
      this.open(this.topic === topic ? "" : topic);
      this.figure.fit();
      this.figure.announce(topic === this.topic ? `${topic}: ${this.told()}` : "");
    }

    open(topic) {
      this.topic = topic;
      const asking = !topic && this.question && this.step === 0 && !this.whole;
      const content = asking ? this.question.offered(() => this.answer()) : (this[topic]?.() ?? []);
      this.panel.replaceChildren(...content);
      this.panel.hidden = content.length === 0;
      this.panel.ariaLabel = topic || "Choices";
      this.figure.element.classList.toggle("live-panelled", !this.panel.hidden);
      for (const made of this.row.querySelectorAll("[aria-pressed]"))
        made.ariaPressed = String(made.dataset.action === topic);
    }

    answer() {
      this.goTo();
      this.figure.current.focus(); // what was pressed is gone
    }

    // Words that may be the answer wait for it: one screen may be all that the speaker has.
    caption() {
      if (this.question && !this.whole)
        return [...this.question.asked(), make("p", {}, "The rest comes with the answer.")];
      return copied(this.figure.element.querySelector("figcaption") ?? make("p"));
    }

    // What the chapter says of the question, and the caption.
    notes() {
      return [...(this.question && this.whole ? this.question.notes() : []), ...this.caption()];
    }

    settings() {
      const items = presets(this.figure).map((link, i) => {
        const set = button(link.textContent, "preset", () => take(this.figure, link));
        set.prepend(make("kbd", {}, String(i + 1)), " ");
        return make("li", {}, set);
      });
      return [make("ol", { class: "live-presets" }, ...items)];
    }

    keys() {
      return KEYS.map(([key, does]) => make("p", {}, make("kbd", {}, key), ` ${does}`));
    }

    // ---- the row of buttons; on small screens one slider at a time

    // `turn(by)` goes so many steps, `jump(by)` so many figures on; `others` are the buttons of present mode itself.
    build({ turn, jump, place, others }) {
      const { element } = this.figure;
      const named = (text, label, act) => {
        const made = button(text, "turn", act);
        made.ariaLabel = label;
        return made;
      };
      const topic = (text, name) => {
        const made = button(text, name, () => this.toggle(name));
        made.ariaPressed = "false";
        return made;
      };
      this.count = make("span");
      this.row = make(
        "div",
        { class: "live-lecture" },
        named("‹", "Step back", () => turn(-1)),
        this.count,
        named("›", "Next step", () => turn(1)),
        ...(place
          ? [
              named("«", "Previous figure", () => jump(-1)),
              make("span", {}, place),
              named("»", "Next figure", () => jump(1)),
            ]
          : []),
        ...(element.querySelector("figcaption") ? [topic("Caption", "caption")] : []),
        ...(presets(this.figure).length ? [topic("Settings", "settings")] : []),
        topic("Notes", "notes"),
        topic("Keys", "keys"),
        ...others,
      );
      this.buildSwitch(element);
      this.figure.button("present").after(this.row);
      element.prepend(this.title);
      element.querySelector(".live-side").append(this.panel);
      element.addEventListener("live:redraw", this.follow);
      this.show();
    }

    buildSwitch(element) {
      const name = (block) => (block.querySelector(".live-symbol") ?? block.querySelector("legend")).textContent;
      this.blocks = [...element.querySelectorAll(".live-slider, .live-choice")];
      this.switch = make(
        "div",
        { class: "live-switch", role: "group", "aria-label": "Slider" },
        ...this.blocks.map((block) => button(name(block), "one", () => this.showOne(block))),
      );
      element.querySelector(".live-controls").prepend(this.switch);
      // A choice may put some sliders to sleep and wake others.
      this.follow = () => this.blocks.forEach((block, i) => (this.switch.children[i].hidden = block.hidden));
      this.follow();
      this.showOne(this.blocks.find((block) => !block.hidden));
    }

    showOne(shown) {
      this.blocks.forEach((block, i) => {
        block.classList.toggle("live-one", block === shown);
        this.switch.children[i].ariaPressed = String(block === shown);
      });
    }

    remove() {
      const { element } = this.figure;
      element.removeEventListener("live:redraw", this.follow);
      element.querySelectorAll(".live-waiting").forEach((part) => part.classList.remove("live-waiting"));
      element.classList.remove("live-panelled", "live-clean");
      for (const part of [this.title, this.row, this.switch, this.panel]) part.remove();
    }
  }

  live.feature({
    name: "lecture",
    offers: {
      Lecture,
      presets,
      take,
      copied,
      together,
      asks: (made) => (questionOf = made),
      questionOf: (figure) => questionOf(figure),
    },
  });
})();
