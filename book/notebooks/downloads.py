"""Each chapter as a notebook to download, beside the page: what the page says, and cells to run.

It is made of the page's own doctree, so that numbers, theorems and citations are those of the page (download_text.py),
and it holds no outputs: the reader's kernel makes them. The same sources make the same file, byte for byte.
The notebook of a lab holds no solutions either, whatever the edition, because the reader is to write them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from book.notebooks.markdown import PageText, escaped
from book.notebooks.solutions import is_lab
from livefigures.sphinx.errors import is_cell

LOGGER = logging.getLogger(__name__)
EDITION = "dp_book_edition"  # a notebook's metadata: the hash of its cells as the book made them
SETUP = """\
# The book's package and a kernel, once, in a terminal: pip install {project}
# With autoreload an edit of dp_lib counts as soon as a cell is run again.
%load_ext autoreload
%autoreload 2"""
TRY = "# Take away a # and run this cell, after the cell of the figure: its sliders move."

Cell = dict[str, Any]


class Notebook:
    """The cells of one page, in reading order."""

    def __init__(self, page: nodes.section, text: PageText, project: str, solutions: bool = True) -> None:
        self.cells: list[Cell] = []
        self._text, self._solutions = text, solutions
        self._written: list[str] = []  # what will be the next Markdown cell
        self._in_solution = False
        self._heading(page[0], 1)
        self._code(SETUP.format(project=project))
        self._flow(page[1:], 2)
        self._works_cited()
        self._end_text()

    def _flow(self, children: Iterable[nodes.Node], depth: int) -> None:
        for node in children:
            if isinstance(node, nodes.section):
                self._heading(node[0], depth)
                self._flow(node[1:], depth + 1)
            elif node.tagname in ("exercise_node", "exercise_enumerable_node"):
                self._exercise(node, depth)
            elif node.tagname == "solution_node":
                if self._solutions:
                    self._solution(node, depth + 1)
            else:
                self._go_on(depth - 1)
                self._part(node)

    def _part(self, node: nodes.Node) -> None:
        if is_cell(node):
            self._cell(node)
        else:
            self._written.append(self._text.block(node))
            self._presets()

    def _heading(self, title: nodes.Element, depth: int) -> None:
        self._end_text()
        self._title, self._in_solution = self._text.inline(title), False
        self._written.append(f"{'#' * depth} {self._title}")

    def _presets(self) -> None:
        """Below a paragraph with presets, a cell with their lines, at rest: running all cells runs none."""
        lines = self._text.take_presets()
        if lines:
            self._code("\n".join([TRY, *(f"# {line}" for line in lines)]))

    def _exercise(self, node: nodes.Element, depth: int) -> None:
        self._end_text()
        self._in_solution = False
        self._written.append(f"{'#' * depth} {self._text.exercise_title(node)}")
        for part in node[1]:
            self._part(part)

    def _solution(self, node: nodes.Element, depth: int) -> None:
        """A folded heading: it hides cells too, and goes on hiding them when all are run."""
        self._end_text()
        self._add("markdown", f"{'#' * depth} Solution", metadata={"jp-MarkdownHeadingCollapsed": True})
        self._in_solution = True
        for part in node[1]:
            self._part(part)

    def _go_on(self, depth: int) -> None:
        """Text after a solution needs a heading of its own, or it would be folded too."""
        if self._in_solution:
            self._end_text()
            self._in_solution = False
            self._written.append(f"{'#' * depth} {self._title} (continued)")

    def _works_cited(self) -> None:
        if self._text.citations:
            self._end_text()
            works = [f"- {escaped(f'[{label}] {work}')}" for label, work in sorted(self._text.citations.items())]
            self._written += ["## References", "\n".join(works)]

    def _cell(self, node: nodes.Element) -> None:
        sources = [part for part in node.findall(nodes.container) if part.get("nb_element") == "cell_code_source"]
        if not sources:
            LOGGER.warning("notebook: this cell's code, which others may need, is not on the page", location=node)
            return
        folded = "hide-input" in node["cell_metadata"].get("tags", [])
        self._code(sources[0].astext(), {"jupyter": {"source_hidden": True}} if folded else {})

    def _code(self, source: str, metadata: dict[str, Any] | None = None) -> None:
        self._end_text()
        self._add("code", source, metadata=metadata or {}, execution_count=None, outputs=[])

    def _end_text(self) -> None:
        """What has been written since the last cell becomes a cell."""
        source, self._written = "\n\n".join(filter(None, self._written)), []
        if source:
            self._add("markdown", source, metadata={})

    def _add(self, kind: str, source: str, **parts: Any) -> None:
        self.cells.append({"cell_type": kind, "source": source.splitlines(keepends=True)} | parts)

    def json(self) -> str:
        """The file's text."""
        seen: Counter[str] = Counter()
        for cell in self.cells:
            name = digest(cell["cell_type"], *cell["source"])[:8]
            cell["id"] = f"{name}-{seen[name]}"
            seen[name] += 1
        content = {
            "cells": self.cells,
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
                EDITION: edition(self.cells),
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def edition(cells: Iterable[Cell]) -> str:
    """The hash of what the cells say, whatever their outputs."""
    return digest(*("".join(cell["source"]) for cell in cells))


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def notebook_file(app: Sphinx, docname: str) -> Path:
    """Where the page's notebook lies in the site: beside its source."""
    return Path(app.outdir, "_sources", f"{docname}.ipynb")


def note_page(app: Sphinx, doctree: nodes.document) -> None:
    """A page is a notebook too if it has code. This is kept with what Sphinx keeps of a page between builds."""
    app.env.metadata[app.env.docname]["notebook"] = any(doctree.findall(is_cell))


def _pages(env: BuildEnvironment) -> set[str]:
    """Return the pages that are notebooks."""
    return {page for page, kept in env.metadata.items() if kept.get("notebook")}


def write_notebook(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """The notebook of a page whose doctree is complete."""
    if app.builder.name != "html" or docname not in _pages(app.env):
        return
    text = PageText(doctree, docname, app.env.toc_fignumbers.get(docname, {}), _pages(app.env))
    address = app.config.html_theme_options.get("repository_url")
    extras = "notebook,labs" if is_lab(docname) else "notebook"
    project = f'"dp_lib[{extras}] @ git+{address}"' if address else f'"path/to/this/project[{extras}]"'
    page = next(iter(doctree.findall(nodes.section)))
    file = notebook_file(app, docname)
    file.parent.mkdir(parents=True, exist_ok=True)
    notebook = Notebook(page, text, project, solutions=not is_lab(docname))
    file.write_text(notebook.json(), "utf-8")


def offer_notebook(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Tell the theme, whose menu then offers the file."""
    if notebook_file(app, pagename).exists():
        context["notebook"] = context["pathto"](f"_sources/{pagename}.ipynb", 1)


def drop_old_notebooks(app: Sphinx, exception: Exception | None) -> None:
    """Remove the notebooks of pages that the book no longer has."""
    for file in Path(app.outdir, "_sources").rglob("*.ipynb"):
        if file.relative_to(Path(app.outdir, "_sources")).with_suffix("").as_posix() not in _pages(app.env):
            file.unlink()


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", note_page)
    app.connect("doctree-resolved", write_notebook, priority=900)  # after whatever still changes the page
    app.connect("html-page-context", offer_notebook)
    app.connect("build-finished", drop_old_notebooks)
