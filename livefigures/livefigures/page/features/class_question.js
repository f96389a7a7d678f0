// A question of the page in front of a class: it stands above its figure up to the last step, and then its answer. To press
// one of its choices is an answer, too.
"use strict";

(() => {
  const { make, button } = live.dom;
  const { copied, together, asks } = live.use("lecture");
  const LETTERS = "ABCDEFGH";
  const LONG = 150; // characters of a question, which is then written smaller: the picture needs the height

  const joined = (node) => {
    if (node.nodeType === Node.TEXT_NODE) node.data = together(node.data);
    return node;
  };

  class Question {
    constructor(element, figure) {
      this.element = element;
      this.figure = figure;
      this.choices = [...element.querySelectorAll("input[type=radio]")];
      this.chosen = ""; // the choice that was pressed
    }

    // The choices, lettered, for a show of hands.
    asked() {
      const words = (choice) => copied(choice.closest("label").querySelector("span"));
      return this.choices.map((choice, i) => make("p", {}, make("b", {}, LETTERS[i]), " ", ...words(choice)));
    }

    offered(answered) {
      return this.asked().map((choice, i) => {
        const made = button("", "choose", () => {
          this.chosen = this.choices[i].value;
          answered();
        });
        made.append(...choice.childNodes);
        return make("p", {}, made);
      });
    }

    place(value) {
      return this.choices.findIndex((choice) => choice.value === value);
    }

    // The setting at which the figure shows the answer.
    get shown() {
      const { element, figure } = this;
      const link = element.querySelector(`.predict-show [data-figure="${figure.data.name}"]`);
      return link && figure.understood(JSON.parse(link.dataset.values));
    }

    // The question, and its answer above the claim. The answer names its setting, so that it stays true when the figure is
    // moved.
    headline(claim) {
      const { element, figure, shown, chosen } = this;
      const legend = element.querySelector("legend");
      const asked = make("span", {}, ...copied(legend).map(joined), make("small", {}, ...this.asked()));
      asked.classList.toggle("live-long", legend.textContent.length > LONG);
      const right = this.asked()[this.place(element.dataset.answer)];
      const at = shown ? ` at ${together(figure.settings(shown))}` : "";
      const chose = chosen && `You chose ${LETTERS[this.place(chosen)]}. `;
      claim.replaceChildren(`Answer${at}: `, ...copied(right), make("small", {}, chose + claim.textContent));
      return [asked, claim];
    }

    // What the chapter says of the question, and to the choice that was pressed.
    notes() {
      const said = copied(this.element.querySelector("details")).filter((part) => !part.matches?.("summary"));
      said.find(({ dataset }) => dataset?.choice === this.chosen)?.classList.remove("predict-reply");
      return said;
    }
  }

  // The question that leads to a figure stands before it, and after the figure before.
  asks((figure) => {
    const all = [...document.querySelectorAll("figure.live, .predict")];
    const before = all[all.indexOf(figure.element) - 1];
    return before?.matches(".predict") ? new Question(before, figure) : null;
  });

  live.feature({ name: "class_question" });
})();
