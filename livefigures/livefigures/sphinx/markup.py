"""What nodes of the page write in HTML."""

from collections.abc import Callable

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator


def writes(markup: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    """Return a visitor that writes always the same: the end of an element."""

    def visit(self: HTML5Translator, node: nodes.Element) -> None:
        self.body.append(markup)

    return visit
