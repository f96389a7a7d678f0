"""Reading times: for how many words' time a part is read, and what is left out."""

import re

from docutils import nodes

from book.theme.pages import fold, fold_title
from book.theme.reading_time import (
    A_MINUTE,
    DISPLAYED_FORMULA,
    FIGURE,
    FORMULA,
    QUESTION,
    SITTING,
    minutes,
    pauses,
    with_minutes,
    words,
)
from livefigures.sphinx.predict import predict


def test_formulas_figures_and_questions_take_longer_than_a_word_and_code_takes_none():
    text = nodes.paragraph("", "", nodes.Text("Noise of "), nodes.math("", r"\sigma = 2"), nodes.Text(" is enough."))
    node = nodes.section("", text, nodes.literal_block("", "sigma = 2"), nodes.raw("", "<p>drawn</p>", format="html"))
    assert words(node, True) == 4 + FORMULA
    node += [nodes.math_block("", r"\sigma = 2"), nodes.raw("", '<figure class="live" id="a">', format="html")]
    node += predict("", nodes.paragraph("", "How large?"))
    assert words(node, True) == 4 + FORMULA + DISPLAYED_FORMULA + FIGURE + QUESTION + 2


def test_what_is_folded_counts_only_where_all_is_opened():
    proof = fold("", fold_title("", "Proof."), nodes.paragraph("", "word " * A_MINUTE))
    chapter = nodes.section("", nodes.paragraph("", "word " * 2 * A_MINUTE), proof)
    assert (minutes(chapter, False), minutes(chapter, True)) == (2, 3)


def test_an_exercise_is_not_read_but_done():
    asked = nodes.admonition("", nodes.paragraph("", "Show it."), classes=["exercise"])
    done = fold("", fold_title("", "Solution"), nodes.paragraph("", "Done."), classes=["solution"])
    assert words(nodes.section("", nodes.paragraph("", "One word."), asked, done), True) == 2


def part(title, length):
    return nodes.section("", nodes.title("", title), nodes.paragraph("", "word " * (length * A_MINUTE)), ids=[title])


def test_a_long_chapter_is_read_in_sittings_that_take_about_as_long():
    lengths = {"a": 30, "b": 40, "c": 20, "d": 30, "e": 10}
    chapter = nodes.section("", nodes.title("", "Chapter"), *(part(*each) for each in lengths.items()))
    assert [each["ids"] for each in pauses(chapter)] == [["c"]]
    assert pauses(nodes.section("", part("a", SITTING // 2), part("b", SITTING // 4))) == []
    assert pauses(nodes.section("", part("a", 3 * SITTING))) == []


def test_contents_say_how_long_each_section_takes():
    chapter = nodes.section("", nodes.title("", "Chapter"), part("a", 12), part("b", 3), part("empty", 0))
    links = "".join(f'<li><a class="reference internal" href="#{name}">{name}</a></li>' for name in ("a", "b", "empty"))
    said = re.findall(r">([^<]+)<", with_minutes(links, chapter))
    assert said == ["a ", "12&nbsp;min", "b ", "3&nbsp;min", "empty"]
