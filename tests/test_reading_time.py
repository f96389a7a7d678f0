"""Reading times: what is counted as a word, and what is left out."""

from docutils import nodes

from book.theme.pages import fold, fold_title
from book.theme.reading_time import minutes, words


def test_a_formula_is_a_word_and_code_is_none():
    text = nodes.paragraph("", "", nodes.Text("Noise of "), nodes.math("", r"\sigma = 2"), nodes.Text(" is enough."))
    node = nodes.section("", text, nodes.literal_block("", "sigma = 2"), nodes.raw("", "<p>drawn</p>", format="html"))
    assert list(words(node, True)) == ["Noise", "of", r"\sigma = 2", "is", "enough."]


def test_what_is_folded_counts_only_where_all_is_opened():
    proof = fold("", fold_title("", "Proof."), nodes.paragraph("", "word " * 175))
    chapter = nodes.section("", nodes.paragraph("", "word " * 349), proof)
    assert (minutes(chapter, False), minutes(chapter, True)) == (2, 3)


def test_an_exercise_is_not_read_but_done():
    asked = nodes.admonition("", nodes.paragraph("", "Show it."), classes=["exercise"])
    done = fold("", fold_title("", "Solution"), nodes.paragraph("", "Done."), classes=["solution"])
    assert list(words(nodes.section("", nodes.paragraph("", "One word."), asked, done), True)) == ["One", "word."]
