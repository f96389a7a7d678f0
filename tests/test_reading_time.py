"""Reading times: for how many words' time a part is read, and what is left out."""

from docutils import nodes

from book.theme.pages import fold, fold_title
from book.theme.reading_time import A_MINUTE, DISPLAYED_FORMULA, FIGURE, FORMULA, QUESTION, minutes, words
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
