"""What the checks in tests/claims get from their labels: the passage, the question, and the numbers in them."""

import re

import claims
import passages
import pytest
from claims import conftest
from figures import Chapter

from livefigures.declare import claims as figure_claims

TEXT = """# Page

The first line with {eval}`f"{1 + 1:.1f}"`, at $k = 7$.{check}`first`
Another line, with {eval}`3` of 20 000, and twice 5.{check}`second`
- An item of the same passage, {eval}`4`.{check}`second`

| a row | {eval}`5`{check}`row` |

The bound is{check}`displayed`

$$
k \\le 12 .
$$

It ends here.{check}`full-stop`

$$
k \\le 13 .
$$

```{predict} Which $k$ is it, of 3?
:label: which-k
:choices: about 1.5 | two | {eval}`9`
:answer: 2
:replies: not 1 | - | {eval}`8`

It is {eval}`k`.
```
"""


class Shown:
    """Stands for a figure of the page."""

    name, caption, alt = "drawn", "It is drawn at k = 4.", "A curve falls to 0.3."
    claims = [figure_claims.Claim("It falls.", lambda c: True), figure_claims.Claim("It ends.", lambda c: True)]


@pytest.fixture(autouse=True)
def page(monkeypatch):
    printed = {place.start(): f"<{place[1]}>" for place in re.finditer(r"\{eval\}`([^`]*)`", TEXT)}
    monkeypatch.setattr(passages, "source", lambda _: TEXT)
    monkeypatch.setattr(passages, "run", lambda _: Chapter(TEXT, {"k": 2}, [Shown()], printed))
    for cached in (passages.passages, passages.questions):
        cached.cache_clear()
    yield
    for cached in (passages.passages, passages.questions):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("label", "text", "printed", "numbers"),
    [
        ("first", "The first line with {...}, at $k = 7$.", ['<f"{1 + 1:.1f}">'], [7]),
        (
            "second",
            "Another line, with {...} of 20 000, and twice 5. - An item of the same passage, {...}.",
            ["<3>", "<4>"],
            [20000, 2, 5],
        ),
        ("row", "| a row | {...} |", ["<5>"], []),
        ("displayed", "The bound is $$ k \\le 12 . $$", [], [12]),
        ("full-stop", "It ends here.", [], []),
        ("drawn.caption", "It is drawn at k = 4.", [], [4]),
        ("drawn.alt", "A curve falls to 0.3.", [], [0.3]),
        ("drawn.claims", "It falls. It ends.", [], []),
    ],
)
def test_a_passage_is_the_lines_of_its_label(label, text, printed, numbers):
    found = passages.passage("page.md", label)
    assert (found.text, found.printed, found.numbers, found.names) == (text, printed, numbers, {"k": 2})


def test_a_question_says_which_choice_is_right():
    found = passages.question("page.md", "which-k")
    assert found.choices == ["about 1.5", "two", "{eval}`9`"]
    assert (found.right, found.printed) == ([False, True, False], ["<k>"])


def test_a_label_that_is_nowhere_is_named_with_its_file():
    with pytest.raises(
        AssertionError, match=r"no line of chapters/page.md ends with .check.`third`; it has: first, sec"
    ):
        passages.passage("page.md", "third")
    with pytest.raises(AssertionError, match=r"no question of chapters/page.md has `:label: third`; it has: which-k"):
        passages.question("page.md", "third")
    with pytest.raises(AssertionError, match=r"chapters/page.md has no figure 'nothing'"):
        assert passages.passage("page.md", "nothing.alt").text


@pytest.mark.parametrize(
    ("decorator", "fault"),
    [
        (claims.claim("page.md", "second", numbers=[5, 20_000]), None),
        (
            claims.claim("page.md", "second", numbers=[5, 5]),
            r"'second' no longer gives 5; it has 20000, 2, 5: Another line",
        ),
        (
            claims.claim("page.md", "first", numbers=[1]),
            r"chapters/page.md:3: 'first' no longer gives 1; it has 7: The",
        ),
        (claims.answers("page.md", "which-k", numbers=[3], choices=[[1.5], [2], []]), None),
        (
            claims.answers("page.md", "which-k", numbers=[4]),
            r"page.md:21: 'which-k' no longer gives 4; it has 3: Which",
        ),
        (claims.answers("page.md", "which-k", choices=[[1.4], [2], []]), r"no longer gives 1.4; it has 1.5: about 1.5"),
        (claims.answers("page.md", "which-k", choices=[[1.5], [2]]), "has 3 choices, not 2"),
        (
            claims.claim("page.md", "drawn.alt", numbers=[4]),
            r"page.md: 'drawn.alt' no longer gives 4; it has 0.3: A curve",
        ),
        (claims.claim("page.md", "row", numbers=[4]), r"page.md:7: 'row' no longer gives 4; it has no number: "),
    ],
)
def test_numbers_that_a_check_is_about_have_to_be_there(decorator, fault):
    if fault is None:
        assert conftest.found(decorator.mark, "test_it").label in ("second", "which-k")
        return
    argument = "choices=" if decorator.mark.kwargs.get("choices") else "numbers="
    with pytest.raises(
        pytest.fail.Exception, match=rf"{fault}.*\nIf the text is right, change {argument} above test_it\."
    ):
        conftest.found(decorator.mark, "test_it")


@pytest.mark.parametrize(
    ("above", "cut"),
    [
        ("At $k = 7$ it is", True),
        ("For $k = 7$ it is {eval}`7`", True),
        ("For the line $k = 7$", True),
        ("(For $k = 7$ it is", False),  # a bracket, or a target of MyST
        ("For $k = 7$ it ends.", False),
        ("For $k = 7$ it ends.{check}`other`", False),
        ("It is the same line{check}`late`", False),  # which is a part of the passage
        ("$$", False),
        ("", False),
    ],
)
def test_a_labelled_line_that_begins_in_the_middle_of_a_sentence_is_told(above, cut, monkeypatch):
    monkeypatch.setattr(passages, "source", lambda _: f"# Page\n{above}\nthe end.{{check}}`late`\n")
    if not cut:
        assert conftest.found(claims.claim("page.md", "late").mark, "test_it").label == "late"
        return
    with pytest.raises(
        pytest.fail.Exception, match="page.md:3: the line of 'late' begins in the middle of a sentence, and"
    ):
        conftest.found(claims.claim("page.md", "late", numbers=[7]).mark, "test_it")


def test_an_item_of_a_list_begins_a_sentence_of_its_own(monkeypatch):
    monkeypatch.setattr(passages, "source", lambda _: "- one\n- two{check}`late`\n1. one\n2. two{check}`later`\n")
    for label in ("late", "later"):
        assert passages.passage("page.md", label).cut == []


def test_a_passage_gives_each_number_as_often_as_it_is_typed():
    found = passages.passage("page.md", "second")
    assert found.gives(5) and found.gives(2, 5) and not found.gives(5, 5) and not found.gives(3)


def test_chapters_of_a_test_are_its_group():
    marks = [claims.claim("one.md", "a").mark, claims.answers("two.md", "b").mark]
    assert conftest.chapters(marks) == {"one", "two"}
