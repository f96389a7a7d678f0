"""The sheets of the homework, a sample exam and their keys as pages of the site, so that a reader can print them.

The edition for a class, which has no solutions, has no keys either.
"""

import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.handouts import exam, homework, paper
from book.notebooks import solutions

_KEYS = "<p>Keys: {links}.</p>\n"
_NO_KEYS = "<p>You read the edition without solutions, which has no keys.</p>\n"
_EXAM = '<p>For practice: <a href="../handouts/exam-sample/exam.html">a sample exam</a>{key}.</p>\n'
_KEY = (
    ', <a href="../handouts/exam-sample/key.html">its key</a> and its '
    '<a href="../handouts/exam-sample/key-short.html">short key</a>. Use another seed than {seed} for yours'
)


class Keys(SphinxDirective):
    """Links to the keys of all lessons, in an edition that has them, and to the sample exam."""

    def run(self) -> list[nodes.Node]:
        links = (f'<a href="../handouts/lesson-{number}/key.html">lesson {number}</a>' for number in homework.lessons())
        keys, key = _NO_KEYS, ""
        if solutions.wanted():
            keys, key = _KEYS.format(links=", ".join(links)), _KEY.format(seed=exam.SAMPLE)
        return [nodes.raw("", keys + _EXAM.format(key=key), format="html")]


def write(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html" or "chapters/teaching" not in app.env.found_docs:
        return  # a preview has one chapter and no lessons
    site = Path(app.outdir)
    shutil.rmtree(site / "handouts", ignore_errors=True)  # the other edition's keys, if it was built here
    for number in homework.lessons():
        lecturer = homework.for_the_lecturer(number, site) if solutions.wanted() else {}
        paper.write(site / "handouts" / f"lesson-{number}", homework.sheets(number, site) | lecturer)
    papers = exam.pages(exam.SAMPLE)
    if not solutions.wanted():
        papers = {"exam.html": papers["exam.html"]}
    paper.write(site / "handouts" / "exam-sample", papers)


def setup(app: Sphinx) -> None:
    app.add_directive("keys", Keys)
    app.connect("build-finished", write, priority=600)  # after the pages are in their last form
