"""What can be seen of a figure before its question is answered gives no right choice away."""

import pytest
from passages import numbers_in, questions
from test_questions import CHAPTERS

# Of each question, in the order of the page: the words that its figure shows or says, which are values of sliders,
# names and numbers of the table, and labels, but no ends of an axis or a slider.
BESIDE = """
[...document.querySelectorAll(".predict")].map((question) => {
  const waitsFor = ({ live }) => [...(live.of("predict").questions ?? [])].some(({ element }) => element === question);
  const figure = [...document.querySelectorAll("figure.live")].find(waitsFor);
  const ends = ".live-x-ticks, .live-y-ticks, .live-ends";
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(ends);
  const leaves = figure ? [...figure.querySelectorAll("*")].filter((node) => !node.children.length && seen(node)) : [];
  const said = (node) => node.ariaValueText ?? `${node.textContent} ${node.ariaLabel ?? ""}`;
  const others = figure ? [...figure.closest(".cell").children].filter((part) => !part.contains(figure)) : [];
  const code = others.filter((part) => seen(part.firstElementChild)).length;
  const described = figure?.querySelector("desc").textContent ?? ""; // in numbers where some curves are drawn
  return { shown: [...leaves.map(said), described], code };
})
"""


def page_of(chapter):
    return f"chapters/{chapter.removesuffix('.md')}.html"


@pytest.mark.parametrize("address", [page_of(chapter) for chapter in CHAPTERS if questions(chapter)])
def test_no_number_beside_a_waiting_figure_is_that_of_the_right_choice_alone(address, visited):
    page, chapter = visited(address), address.removeprefix("chapters/").replace(".html", ".md")
    telling, found = {}, page.evaluate(BESIDE)
    assert sum(beside["code"] for beside in found) == 0  # which has the caption and the formulas
    for question, beside in zip(questions(chapter), found, strict=True):
        choices = list(zip(question.choices, question.right, strict=True))
        right = " ".join(choice for choice, is_right in choices if is_right)
        others = " ".join([question.asked, *(choice for choice, is_right in choices if not is_right)])
        own = set(numbers_in(right)) - set(numbers_in(others))
        telling[question.label] = [text for text in beside["shown"] if own & set(numbers_in(text))]
    assert {label: words for label, words in telling.items() if words} == {}


# Words of the answers; each is long enough to stand nowhere else.
WAITS = """
[...document.querySelectorAll(".predict-reply, .predict-answer > p")]
  .map((part) => part.textContent.trim().slice(0, 60)).filter((words) => words.length === 60)
"""


@pytest.mark.parametrize("address", ["chapters/approx.html", "chapters/comparing.html", "chapters/pure.html"])
def test_no_answer_is_in_the_accessibility_tree_of_a_page_that_nobody_has_scrolled(address, open_page):
    page = open_page(address, own=True)
    waits = page.evaluate(WAITS)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    told = [node["name"]["value"] for node in tree if not node["ignored"] and "value" in node.get("name", {})]
    assert len(waits) > 5 and any(words.startswith("Answer the question to see") for words in told)
    assert [words for words in told if words.strip()[:60] in waits] == []
