"""The role `check`, which labels the line at whose end it stands for a test in tests/claims, and shows nothing.

The line touches the curve at $k =$ {eval}`touch`.{check}`where-the-line-touches`
"""

from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    app.add_role("check", lambda *_: ([], []))
