"""The edition without solutions, for a class: ``make book SOLUTIONS=0``.

The text between ``solution-start`` and ``solution-end`` is taken out before a chapter is read, so its cells do not run
either, and out of the chapters' sources that the site offers. sphinx-exercise's own switch hides only the title. A
lesson begins with the homework of the lesson before: its slide stays, and the answers below the slide are taken out.

A lab, which is a page of the folder chapters/labs, needs its solutions: the cells after them check what they define. So
the solutions of a lab run in both editions, and are taken out of the page after they have run.
"""

import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

LABS = "chapters/labs/"
SWITCH = "SOLUTIONS"  # make passes what stands in its command line on as a variable of the environment
_SOLUTION = re.compile(
    r"^(?P<start>`{3,}|:{3,})\{solution-start\}.*?^(?P<end>`{3,}|:{3,})\{solution-end\}[^\n]*\n(?P=end)[ \t]*\n+",
    re.DOTALL | re.MULTILINE,
)
_ANSWERS = re.compile(
    r"^(?P<slide>## Homework: .*?^```\{slide\}.*?^```\n\n).*?(?=^\([\w-]+\)=\n|^## )", re.DOTALL | re.MULTILINE
)


def wanted() -> bool:
    """Whether this build is the edition with solutions, as it is unless SOLUTIONS=0 is said."""
    choice = os.environ.get(SWITCH, "1")
    if choice not in ("0", "1"):
        raise ValueError(f"{SWITCH} must be 0 or 1, got {choice!r}")
    return choice == "1"


def without_solutions(text: str) -> str:
    """A page's text without its solutions, and without a lesson's answers to the homework before it.

    >>> without_solutions("Why?\\n\\n```{solution-start} ex\\n```\\nSo.\\n```{solution-end}\\n```\\n\\nNext.\\n")
    'Why?\\n\\nNext.\\n'
    """
    return _ANSWERS.sub(r"\g<slide>", _SOLUTION.sub("", text))


def is_lab(docname: str) -> bool:
    """Return whether a page is a lab, whose solutions run in every edition and stand in no notebook."""
    return docname.startswith(LABS)


def check_switch(app: Sphinx, config: Config) -> None:
    wanted()  # raises an error before anything is built


def take_out(app: Sphinx, docname: str, source: list[str]) -> None:
    if not wanted() and not is_lab(docname):
        source[0] = without_solutions(source[0])


def take_out_after_running(app: Sphinx, doctree: nodes.document) -> None:
    """Remove the solutions that are left, which are those of labs, with what their cells printed."""
    if not wanted():
        for node in [node for node in doctree.findall() if node.tagname == "solution_node"]:
            node.parent.remove(node)


def take_out_of_downloads(app: Sphinx, exception: Exception | None) -> None:
    """The sources beside the pages: a reader may download them."""
    if exception is None and not wanted():
        for file in Path(app.outdir, "_sources").rglob("*.md*"):
            file.write_text(without_solutions(file.read_text("utf-8")), "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("config-inited", check_switch)
    app.connect("source-read", take_out)
    app.connect("doctree-read", take_out_after_running, priority=100)  # before whatever collects from the page
    app.connect("build-finished", take_out_of_downloads)
