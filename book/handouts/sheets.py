"""The sheets of the homework and their keys as pages of the site, so that a lecturer who only reads it can print them.

The edition for a class, which has no solutions, has no keys either.
"""

import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.handouts import homework, paper
from book.notebooks import solutions

_KEYS = "<p>Keys: {links}.</p>\n"
_NO_KEYS = "<p>You read the edition without solutions, which has no keys.</p>\n"


class Keys(SphinxDirective):
    """Links to the keys of all lessons, in an edition that has them."""

    def run(self) -> list[nodes.Node]:
        links = (f'<a href="../handouts/lesson-{number}/key.html">lesson {number}</a>' for number in homework.lessons())
        text = _KEYS.format(links=", ".join(links)) if solutions.wanted() else _NO_KEYS
        return [nodes.raw("", text, format="html")]


def write(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html" or "chapters/teaching" not in app.env.found_docs:
        return  # a preview has one chapter and no lessons
    site = Path(app.outdir)
    shutil.rmtree(site / "handouts", ignore_errors=True)  # the other edition's keys, if it was built here
    for number in homework.lessons():
        lecturer = homework.for_the_lecturer(number, site) if solutions.wanted() else {}
        paper.write(site / "handouts" / f"lesson-{number}", homework.sheets(number, site) | lecturer)


def setup(app: Sphinx) -> None:
    app.add_directive("keys", Keys)
    app.connect("build-finished", write, priority=600)  # after the pages are in their last form
