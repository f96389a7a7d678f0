"""What the preview of a chapter adds to the book's own extensions (`preview.py`); the built book knows nothing of it.

Cells that have not changed are not run: their outputs are kept from one build to the next, as long as nothing has
changed below the chapter. Links to chapters that are left out are no faults. The page reloads when it was built anew.
"""

import ast
import json
import logging
import re
import time
from pathlib import Path, PurePosixPath
from typing import Any

import myst_nb.core.execute
from nbformat import NotebookNode, from_dict
from sphinx.application import Sphinx

from book.checks.cell_errors import Cells
from book.checks.near_labels import labels
from book.checks.outdated import fingerprint, modules_below, page_of
from book.notebooks.downloads import digest

SCRIPT = Path(__file__).parent / "preview.js"
_MISSING = re.compile(r"(?:Unknown source|unknown) document:? '(.+?)'|label:? '(.+?)'|target not found: (\S+)")
_DEFINED = re.compile(r"^ *(?:def|class) (\w+)|^(\w+) = ", re.MULTILINE)


def only_shows(code: str) -> bool:
    """Whether a cell is one figure and nothing else: what comes after it does not depend on it.

    >>> only_shows("live.Figure(name='a')"), only_shows("f = live.Figure(name='a')"), only_shows("rng.random()")
    (True, False, False)
    """
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return False
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) == "live.Figure"


class Remembering(Cells):
    """Runs the cells that are new, and those before them that they need; the others show what they showed.

    A cell's key is its code, the code of all cells before it that may leave something behind, and what lies below the
    chapter. The kernel starts when the first cell needs it.
    """

    root: Path  # of the book
    store: Path  # the folder of what is kept

    def start_client(self) -> None:
        page = self.path.read_text("utf-8")
        self._file = self.store / f"{self.path.stem}.json"
        self._kept = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        self._used: dict[str, Any] = {}
        below = [*modules_below(self.root, page), self.root / "requirements.lock"]
        self._state = digest(fingerprint(self.root, below))
        self._seen, self._waiting, self._running = -1, [], False
        self._begin()

    def code_cell_outputs(self, cell_index: int) -> tuple[int | None, list[NotebookNode]]:
        while not self._cell_error and self._seen < cell_index:
            self._seen += 1
            self._show(self._seen)
        cell = self.notebook.cells[cell_index]
        return cell.get("execution_count"), cell.get("outputs", [])

    def _show(self, index: int) -> None:
        cell = self.notebook.cells[index]
        if cell.cell_type != "code":
            return
        key = digest(self._state, cell.source)
        if key in self._kept:
            cell.outputs = [from_dict(output) for output in self._kept[key]]
            self._waiting += [] if only_shows(cell.source) else [index]
        else:
            self._run([*self._waiting, index])
        if not any(output.output_type == "error" or output.get("name") == "stderr" for output in cell.outputs):
            self._used[key] = cell.outputs  # a complaint is to be heard again
        if not only_shows(cell.source):
            self._state = key

    def _run(self, cells: list[int]) -> None:
        if not self._running:
            super().start_client()
            self._running = True
        for index in cells:
            self._last_cell_executed = index - 1
            super().code_cell_outputs(index)
        self._waiting = []

    def eval_variable(self, name: str) -> list[NotebookNode]:
        if self._cell_error:
            return super().eval_variable(name)
        key = digest(self._state, "eval", name)
        if key in self._kept:
            self._used[key] = self._kept[key]
            return [from_dict(output) for output in self._kept[key]]
        self._run(self._waiting)
        outputs = super().eval_variable(name)
        if all(output.output_type != "error" for output in outputs):
            self._used[key] = outputs
        return outputs

    def finalise_client(self) -> None:
        """No widget's state: a page shows none."""

    def close_client(self, *exception: Any) -> None:
        self.store.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._used), "utf-8")
        if self._running:
            super().close_client(*exception)
        else:
            known = {"runtime": 0.0, "method": "inline", "succeeded": True, "error": None, "traceback": None}
            self.exec_metadata = {"mtime": time.time(), **known}


def documented(place: Path, file: Path) -> set[str]:
    """What the reference page may say of a file of dp_lib: zcdp.epsilon; pld.gaussian for pld.PrivacyLoss.gaussian."""
    module = place.parts[0].removesuffix(".py")
    return {f"{module}.{name}" for pair in _DEFINED.findall(file.read_text("utf-8")) for name in pair if name}


class LeftOut(logging.Filter):
    """Drops warnings about what stands in a chapter that the preview leaves out: a page, a label, a name of dp_lib."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__()
        self.root = root = Path(app.srcdir)
        built = {str(page) for page in app.config.external_site_map}
        pages = {file.relative_to(root).with_suffix("").as_posix(): file for file in root.glob("chapters/**/*.md")}
        files = [file for page, file in pages.items() if page not in built]
        self.pages = set(pages) - built | {file.stem for file in files}
        self.labels = {label for file in files for label in labels(file.read_text("utf-8"))}
        if "reference" in self.pages:
            modules = (root / "dp_lib").rglob("*.py")
            self.labels |= {name for file in modules for name in documented(file.relative_to(root / "dp_lib"), file)}

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if text.startswith("link: the page "):
            return text.split()[3] not in self.pages
        if text.startswith("needs must name pages of this folder"):
            folder = PurePosixPath(page_of(getattr(record, "location", None), self.root)).parent
            return str(folder / text.split("'")[1]) not in self.pages
        missing = _MISSING.search(text)
        name = next(filter(None, missing.groups())) if missing else ""
        return not {name, re.sub(r"\..*\.", ".", name)} & (self.pages | self.labels)


def prepare(app: Sphinx) -> None:
    Remembering.root, Remembering.store = Path(app.srcdir), Path(app.outdir).parent / "cells"
    myst_nb.core.execute.NotebookClientInline = Remembering  # MyST-NB has no setting for it
    for handler in logging.getLogger("sphinx").handlers:
        handler.filters.insert(0, LeftOut(app))  # before those that count
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / SCRIPT.name).write_text(SCRIPT.read_text("utf-8"), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.parallel = 1  # three pages; and a process that ends with its parent may have no children
    app.connect("builder-inited", prepare, priority=200)
    app.connect("html-page-context", lambda *_: app.add_js_file(SCRIPT.name, loading_method="defer"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
