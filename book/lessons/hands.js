// Hands in front of a class: how many are up for each choice of a question. The counts are typed into the teacher's page,
// or blind in the window of the class (V), and stand beside the answer as bars. Before the answer the class sees none.
"use strict";

globalThis.lessonHands = (() => {
  const LETTERS = "ABCDEFGH";
  const NEXT = ["Enter", " ", ",", "Tab"];
  const MOST = 9999;

  // The question that leads to a figure.
  const questionOf = (figure) => globalThis.live.use("lecture").questionOf(figure);

  const choicesOf = (question) =>
    (question?.choices ?? []).map((choice) => ({
      words: choice.closest("label").querySelector("span").textContent.trim(), // hidden in front of a class
      right: choice.value === question.element.dataset.answer,
    }));

  const isCount = (value) => Number.isInteger(value) && value >= 0 && value <= MOST;

  const { make } = globalThis.book;
  const add = (parent, ...made) => parent.appendChild(make(...made));

  // One line for each choice: its letter and its words, a bar, its count.
  function bars(choices, counts) {
    const told = counts.map((count, i) => `${LETTERS[i]} ${count}`); // rjsmin reads no template in a template
    const made = make("div", "", { class: "lesson-hands", role: "img", "aria-label": `Hands: ${told.join(", ")}` });
    const longest = Math.max(...counts, 1);
    choices.forEach(({ right, words }, i) => {
      const choice = add(made, "span", "", right ? "choice right" : "choice");
      add(choice, "b", LETTERS[i]);
      choice.append(` ${words}`);
      const bar = add(made, "span", "", right ? "hand right" : "hand");
      bar.style.width = `${(100 * counts[i]) / longest}%`;
      add(made, "span", right ? `${counts[i]} ✓` : counts[i], "count");
    });
    return made;
  }

  // The hands at one figure in the window of the class; `isAnswered()` says whether the answer stands there.
  class Hands {
    constructor(figure, isAnswered) {
      this.figure = figure;
      this.isAnswered = isAnswered;
      this.choices = choicesOf(questionOf(figure));
      this.counts = null;
      this.typed = null; // while somebody counts: the digits of each choice so far
      this.told = make("p", "", { class: "lesson-counting", role: "status" });
      if (this.choices.length === 0) return;
      addEventListener("keydown", (event) => this.take(event), true); // before present mode, which has the digits
    }

    set(counts) {
      this.counts = counts;
      this.show();
    }

    show() {
      const { figure, choices, counts } = this;
      const side = figure.element.querySelector(".live-side");
      const before = side?.querySelector(".lesson-hands");
      const made = counts && this.isAnswered() ? bars(choices, counts) : null;
      if (!side || (!made && !before)) return;
      before?.remove();
      if (made) side.append(made);
      figure.fit();
    }

    take(event) {
      const { key } = event;
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("[type=text], select")) return;
      if (key === "v" && !this.typed && !this.isAnswered()) this.typed = [""];
      else if (!this.typed) return;
      else if (/^\d$/.test(key)) this.typed.push((this.typed.pop() + key).slice(0, String(MOST).length));
      else if (key === "Backspace") this.typed.push(this.typed.pop().slice(0, -1));
      else if (NEXT.includes(key)) this.typed.push("");
      else if (["Escape", "v"].includes(key)) this.typed = null;
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (this.typed?.length > this.choices.length) {
        this.set(this.typed.slice(0, -1).map(Number));
        this.typed = null;
      }
      this.tell();
    }

    // What is being counted, and never how many.
    tell() {
      const { typed, told } = this;
      told.textContent = typed ? `Counting hands: ${LETTERS.slice(0, typed.length).split("").join(" ✓ ")} …` : "";
      if (typed) this.figure.element.append(told); // the rest of the page is hidden
      else told.remove();
    }
  }

  // ---- the teacher's page: a field for each choice; `changed` gets the counts when all are there

  function fields(number, counts, changed) {
    const made = make("fieldset", "", "lesson-fields");
    add(made, "legend", "Hands");
    const read = () => {
      const typed = [...made.querySelectorAll("input")].map(({ value }) => (value === "" ? 0 : Number(value)));
      if (typed.every(isCount)) changed(typed);
    };
    for (const [i, letter] of LETTERS.slice(0, number).split("").entries()) {
      const field = add(add(made, "label", `${letter} `), "input", "");
      Object.assign(field, { type: "number", min: 0, max: MOST, step: 1, value: counts?.[i] ?? "" });
      field.addEventListener("input", read);
    }
    return made;
  }

  return { Hands, fields, questionOf, LETTERS };
})();
