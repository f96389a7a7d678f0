"""Guards over the figures of the finished pages. Each one fails a build whose warnings are errors."""

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from livefigures.sphinx.errors import is_stopped, place
from livefigures.sphinx.finished import pages
from livefigures.sphinx.page_facts import PageFacts

LOGGER = logging.getLogger(__name__)
_COPIES = (
    "; give each figure a name of its own, or, if an earlier build left copies of your pages among them, leave its "
    'folder out in conf.py: exclude_patterns = ["_build"]'
)

_HEADING = (
    "is the address of a heading or a label of this page too, so links to one of the two lead to the other; give the "
    "figure another name, or word the heading differently"
)


def faults(
    pages: dict[str, PageFacts], said: Callable[[str, int], str] = lambda page, cell: page
) -> Iterator[tuple[str, int, str]]:
    """(page, cell, fault) for all pages; `said` gives the place of a cell in words.

    A figure's name is its place in links and in the records of its values.
    """
    counts = Counter(name for facts in pages.values() for name in facts.figures)
    for page, facts in pages.items():
        for name, cells in facts.figure_cells.items():
            if not name:
                yield page, cells[0], "a live figure without a name"
            elif counts[name] > 1:
                used = f"the name of a live figure, {name!r}, is used {counts[name]} times in the book"
                all_places = [said(other, cell) for other in pages for cell in pages[other].figure_cells.get(name, [])]
                yield page, cells[-1], f"{used} ({', '.join(all_places)}){_COPIES}"
            elif name in facts.repeated_ids:
                yield page, cells[-1], f"the name of figure {name!r} {_HEADING}"
        for name in facts.still_figures:
            yield (
                page,
                -1,
                f"figure {name!r} stands still: its cell ran outside this build. Let the build run it: "
                "clear the notebook's outputs, or the cache of executed notebooks",
            )


def cells(file: Path) -> list[tuple[int, str]]:
    """Return the first line and the code of each cell of a page; 0 in place of the line in a notebook."""
    text = file.read_text("utf-8")
    if file.suffix == ".ipynb":
        return [(0, "".join(cell["source"])) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    form = r"^```\{code-cell\}[^\n]*\n(?:---\n.*?\n---\n)?(?::[^\n]*\n)*(.*?)^```"
    found = re.finditer(form, text, re.DOTALL | re.MULTILINE)
    return [(text.count("\n", 0, cell.start()) + 1, cell[1]) for cell in found]


def is_excused(facts: PageFacts, figure: str, env: BuildEnvironment, page: str) -> bool:
    """Return whether a figure is missing because a cell that makes it has failed or was not run."""
    failed = bool(facts.errors or is_stopped(env, page))  # a cell that takes too long may leave no error on the page
    return failed and (not figure or any(figure in code for _, code in cells(Path(env.doc2path(page)))))


def missing(facts: PageFacts, page: str, figure: str) -> str:
    """Return what is said of a figure that a page does not have."""
    refused = "; a cell of this page ended in an error, so that its figures are missing" if facts.errors else ""
    return f"the page {page} has no live figure {figure!r}; it has: {', '.join(facts.figures) or 'none'}{refused}"


def _parsed(code: str) -> list[ast.AST]:
    try:
        return [*ast.walk(ast.parse(code))]
    except SyntaxError:  # a command of IPython, or an error that the cell itself tells
        return []


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def made(code: str) -> list[str]:
    """Return the names of the figures that a cell declares.

    >>> made('fig = lf.Figure(name="growth", x=lf.slider("t", 0, 1))'), made('Figure("growth")')
    (['growth'], ['growth'])
    """
    calls = [node for node in _parsed(code) if isinstance(node, ast.Call) and _called(node) == "Figure"]
    given = [[*call.args[:1], *(one.value for one in call.keywords if one.arg == "name")] for call in calls]
    return [name.value for names in given for name in names if isinstance(name, ast.Constant)]


def not_shown(source: Path, facts: PageFacts, failed: Collection[int]) -> Iterator[tuple[int, str]]:
    """A figure that is not the last line of its cell is made and never seen; `failed` are the lines of failed cells."""
    for line, name in [(line, name) for line, code in cells(source) if line not in failed for name in made(code)]:
        if name not in facts.figures + facts.still_figures:
            yield (
                line,
                f"figure {name!r} is made, but not shown: put it on the last line of a cell of its own, without a name "
                "before it (fig = ...) and without a semicolon behind it",
            )


def check(app: Sphinx, exception: Exception | None) -> None:
    """Log every fault as a warning."""
    known = pages(app, exception)

    def said(page: str, cell: int) -> str:
        where = place(app.env, page, cell)
        return app.env.doc2path(page, False) + ("" if isinstance(where, str) else f":{where[1]}")

    for page, cell, fault in faults(known, said):
        LOGGER.warning(fault, location=place(app.env, page, cell))
    for page, facts in known.items():
        if is_stopped(app.env, page):
            continue  # which is told: nothing is known of the cells below
        allowed = getattr(app.config, "nb_execution_allow_errors", False)  # of which MyST-NB says nothing
        for cell, error in facts.unmeant_errors if allowed else ():
            LOGGER.warning(error, location=place(app.env, page, cell), type="mystnb", subtype="exec")
        failed = {place(app.env, page, cell) for cell in facts.failed_cells}
        lines = {where[1] for where in failed if isinstance(where, tuple)}
        for line, fault in not_shown(Path(app.env.doc2path(page)), facts, lines):
            LOGGER.warning(fault, location=(page, line) if line else page)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", check, priority=640)  # after whatever still changes the pages
