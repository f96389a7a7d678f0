"""What can be seen of a figure before its question is answered gives no right choice away."""

import re

import pytest
from passages import ROOT, questions

CHAPTERS = sorted(
    path.relative_to(ROOT / "chapters").with_suffix("").as_posix()
    for path in ROOT.glob("chapters/**/*.md")
    if "{predict}" in path.read_text("utf-8")
)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?![\d⁰¹²³⁴-⁹])")  # but no power's base
# Of each question with choices: its words, the right choice, the others, and the words that its figure shows or says:
# values of sliders, names and numbers of the table, labels in the picture, but no ends of an axis or a slider.
ASKED = """
[...document.querySelectorAll(".predict[data-answer]")].map((question) => {
  const words = ({ textContent }) => textContent.replace(/\\s+/g, " ").trim();
  const choice = (label) => ({ value: label.querySelector("input").value, words: words(label) });
  const choices = [...question.querySelectorAll("fieldset label:has([type=radio])")].map(choice);
  const waitsFor = ({ live }) => [...(live.of("predict").questions ?? [])].some(({ element }) => element === question);
  const figure = [...document.querySelectorAll("figure.live")].find(waitsFor);
  const ends = ".live-x-ticks, .live-y-ticks, .live-ends";
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(ends);
  const leaves = figure ? [...figure.querySelectorAll("*")].filter((node) => !node.children.length && seen(node)) : [];
  return {
    asked: words(question.querySelector("legend")),
    right: choices.find(({ value }) => value === question.dataset.answer).words,
    others: choices.filter(({ value }) => value !== question.dataset.answer).map(({ words }) => words),
    figure: figure?.id,
    shown: leaves.map((node) => node.ariaValueText ?? `${words(node)} ${node.ariaLabel ?? ""}`),
  };
})
"""


def numbers(text):
    """The numbers of a text, as they are written."""
    return set(NUMBER.findall(text))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_number_beside_a_waiting_figure_is_that_of_the_right_choice_alone(chapter, open_page):
    page = open_page(f"chapters/{chapter}.html", fresh=True)
    asked = page.evaluate(ASKED)
    assert len(asked) == sum(bool(each.choices) for each in questions(f"{chapter}.md"))
    telling = {
        (one["asked"], one["figure"]): words
        for one in asked
        for own in [numbers(one["right"]) - numbers(one["asked"]) - numbers(" ".join(one["others"]))]
        if (words := [text for text in one["shown"] if numbers(text) & own])
    }
    assert telling == {}
