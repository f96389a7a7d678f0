"""Print how long a chapter takes to read: its words without what is folded, and with it, at 175 words per minute.

A formula counts as a word. Exercises take time of their own, and of the replies to a question's choices a reader reads
one at most, so neither is counted.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from book.theme.pages import fold
from livefigures.sphinx.predict import predict_reply

A_MINUTE = 175
SHORTEST = 3  # minutes: below, a page says nothing
_PASSED_OVER = (nodes.literal_block, nodes.raw, nodes.comment, nodes.Invisible, predict_reply)


def words(node: nodes.Node, folded: bool) -> Iterator[str]:
    """The words of running text; what is folded only if asked for."""
    if isinstance(node, (nodes.math, nodes.math_block)):
        yield node.astext()
    elif isinstance(node, nodes.Text):
        yield from node.astext().split()
    elif not (isinstance(node, _PASSED_OVER) or is_exercise(node)) and (folded or not isinstance(node, fold)):
        for child in node.children:
            yield from words(child, folded)


def is_exercise(node: nodes.Node) -> bool:
    """An exercise or its solution."""
    return isinstance(node, nodes.Element) and not {"exercise", "solution"}.isdisjoint(node.get("classes", []))


def minutes(node: nodes.Node, folded: bool) -> int:
    return round(sum(1 for _ in words(node, folded)) / A_MINUTE)


def say(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    spine, whole = (minutes(doctree, folded) if doctree else 0 for folded in (False, True))
    if spine >= SHORTEST and context["sourcename"]:
        context["reading"] = f"{spine} minutes" + (f", {whole} with all that opens" if whole > spine else "")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
