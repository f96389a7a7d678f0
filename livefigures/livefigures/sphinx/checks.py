"""Guards over the figures of the finished pages. Each one fails a build whose warnings are errors."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

from livefigures.sphinx.page_facts import PageFacts, facts_of

LOGGER = logging.getLogger(__name__)
_COPIES = (
    "; give each figure a name of its own, or, if an earlier build left copies of your pages among them, leave its "
    'folder out in conf.py: exclude_patterns = ["_build"]'
)


def faults(pages: dict[str, PageFacts]) -> Iterator[tuple[str, str]]:
    """(page, fault) for all pages. A figure's name is its place in links and in the records of its values."""
    counts = Counter(name for facts in pages.values() for name in facts.figures)
    for page, facts in pages.items():
        for name in dict.fromkeys(facts.figures):
            if not name:
                yield page, "a live figure without a name"
            elif counts[name] > 1:
                yield page, f"the name of a live figure, {name!r}, is used {counts[name]} times in the book{_COPIES}"
        for name in facts.still_figures:
            yield (
                page,
                f"figure {name!r} stands still: its cell ran outside this build. Let the build run it: "
                "clear the notebook's outputs, or the cache of executed notebooks",
            )


def cells(file: Path) -> list[str]:
    """Return the code of a page's cells, of a notebook or of a text."""
    text = file.read_text("utf-8")
    if file.suffix == ".ipynb":
        return ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return re.findall(
        r"^```\{code-cell\}[^\n]*\n(?:---\n.*?\n---\n)?(?::[^\n]*\n)*(.*?)^```", text, re.DOTALL | re.MULTILINE
    )


def made(code: str) -> list[str]:
    """Return the names of the figures that a cell declares.

    >>> made('fig = lf.Figure(name="growth", x=lf.slider("t", 0, 1))'), made('Figure("growth")')
    (['growth'], ['growth'])
    """
    try:
        calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    except SyntaxError:  # a command of IPython, or an error that the cell itself tells
        return []
    figures = [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", "")) == "Figure"]
    names = [one for call in figures for one in [*call.args[:1], *(k.value for k in call.keywords if k.arg == "name")]]
    return [name.value for name in names if isinstance(name, ast.Constant)]


def not_shown(source: Path, facts: PageFacts) -> Iterator[str]:
    """A figure that is not the last line of its cell is made and never seen."""
    if facts.errors:
        return  # the cell that failed is the mistake
    for name in [name for code in cells(source) for name in made(code)]:
        if name not in facts.figures + facts.still_figures:
            yield (
                f"figure {name!r} is made, but not shown: put it on the last line of a cell of its own, without a name "
                "before it (fig = ...) and without a semicolon behind it"
            )


def check(app: Sphinx, exception: Exception | None) -> None:
    """Log every fault as a warning."""
    if exception or app.builder.name != "html":
        return
    files = {page: Path(app.outdir, f"{page}.html") for page in sorted(app.env.found_docs)}
    pages = {page: facts_of(file.read_text("utf-8")) for page, file in files.items() if file.exists()}
    hidden = (
        (page, fault) for page, facts in pages.items() for fault in not_shown(Path(app.env.doc2path(page)), facts)
    )
    for page, fault in [*faults(pages), *hidden]:
        LOGGER.warning(fault, location=page)
    if getattr(app.config, "nb_execution_allow_errors", False):  # of which MyST-NB says nothing
        for page, facts in pages.items():
            for error in facts.unmeant_errors:
                LOGGER.warning(error, location=page, type="mystnb", subtype="exec")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", check, priority=640)  # after whatever still changes the pages
