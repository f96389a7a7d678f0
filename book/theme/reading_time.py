"""Print how long a chapter takes a first reader: what is not folded, and with all that opens.

A reader who meets the subject for the first time reads about 80 words a minute, thinking included. A formula takes
longer than a word, a figure is looked at and moved, and a question is thought about. Exercises take time of their own,
and of the replies to a question's choices a reader reads one at most, so neither is counted.
"""

from docutils import nodes
from sphinx.application import Sphinx

from book.theme.pages import fold
from livefigures.sphinx.predict import predict, predict_reply

A_MINUTE = 80
FORMULA, DISPLAYED_FORMULA = 4, 20  # in words, as all of these
FIGURE, QUESTION = A_MINUTE, 3 * A_MINUTE // 2
SHORTEST = 3  # minutes: below, a page says nothing
_PASSED_OVER = (nodes.literal_block, nodes.raw, nodes.comment, nodes.Invisible, predict_reply)


def words(node: nodes.Node, folded: bool) -> int:
    """Return for how many words' time a part is read; what is folded counts only if asked for."""
    if isinstance(node, nodes.raw) and '<figure class="live"' in node.astext():
        return FIGURE
    if isinstance(node, nodes.math):
        return FORMULA
    if isinstance(node, nodes.math_block):
        return DISPLAYED_FORMULA
    if isinstance(node, nodes.Text):
        return len(node.astext().split())
    if isinstance(node, _PASSED_OVER) or is_exercise(node) or (isinstance(node, fold) and not folded):
        return 0
    return QUESTION * isinstance(node, predict) + sum(words(child, folded) for child in node.children)


def is_exercise(node: nodes.Node) -> bool:
    """An exercise or its solution."""
    return isinstance(node, nodes.Element) and not {"exercise", "solution"}.isdisjoint(node.get("classes", []))


def minutes(node: nodes.Node, folded: bool) -> int:
    return round(words(node, folded) / A_MINUTE)


def say(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    spine, whole = (minutes(doctree, folded) if doctree else 0 for folded in (False, True))
    if spine >= SHORTEST and context["sourcename"]:
        opened = f", {whole} with the folded parts" if whole > spine else ""
        context["reading"] = f"{spine} minutes{opened}, without the exercises"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
