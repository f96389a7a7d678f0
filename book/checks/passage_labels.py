"""The role `check`, which labels the line at whose end it stands for a test in tests/claims, and shows nothing.

The line touches the curve at $k =$ {eval}`touch`.{check}`where-the-line-touches`
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole


class PassageLabel(SphinxRole):
    """The role `check`."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [], []


def setup(app: Sphinx) -> None:
    app.add_role("check", PassageLabel())
