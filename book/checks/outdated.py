"""When a page is run again.

Sphinx re-reads a page when its own text has changed. The numbers and figures of a page also come from the modules of
dp_lib that it imports, from what those import, from the packages below, and from these extensions: a page is out of
date as soon as one of these is. Scripts, styles and the contents are in no page's text: for theirs, pages are
written again and not run.
"""

import ast
import hashlib
import json
import logging
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.logging import get_node_location, is_suppressed_warning

_ALL_PAGES = ("book/**/*.py", "requirements.txt", "requirements.lock")
_THEME = ("book/theme/*.html", "book/theme/*.svg", "book/theme/static/*")
_WRITTEN_ONLY = (*_THEME, "_toc.yml", "book/**/*.js", "book/**/*.css")  # the contents stand beside each page
_HOMES = {"dp_lib": ".", "book": ".", "livefigures": "livefigures"}  # our packages, and the folders that they lie in
_KERNEL_ONLY = "livefigures.notebook"  # no build loads it
_IMPORT = re.compile(r"^\s*(?:from|import) +(?:dp_lib|livefigures|book)\b(?:.*\([^)]*\)|.*)", re.MULTILINE)
_READS_ALL = re.compile(r"\{(reference|verbs|figure-parts)\}")  # directives that read every module


def fingerprint(root: Path, files: Iterable[Path]) -> str:
    """One hash of files: paths and contents."""
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def matching(root: Path, patterns: Iterable[str]) -> list[Path]:
    """The files of these patterns."""
    return [path for pattern in patterns for path in root.glob(pattern) if path.is_file()]


def imports(code: str) -> set[str]:
    """Every name of our own packages that Python code imports, anywhere in it.

    >>> sorted(imports("from dp_lib import live, rdp"))
    ['dp_lib', 'dp_lib.live', 'dp_lib.rdp']
    """
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in _HOMES}


@cache
def _imports_of_file(path: Path, changed: int) -> set[str]:
    return imports(path.read_text("utf-8"))


def modules_below(root: Path, page: str) -> set[Path]:
    """The files of our packages that a page's text imports, with all that these import.

    >>> [path.name for path in sorted(modules_below(Path(__file__).parents[2], "from dp_lib import domain"))]
    ['__init__.py', 'domain.py']
    """
    if _READS_ALL.search(page):
        return {file for package in ("dp_lib", "livefigures/livefigures") for file in (root / package).rglob("*.py")}
    waiting = [name for line in _IMPORT.findall(page) for name in imports(line.strip())]
    names, files = set(), set()
    while waiting:
        name = waiting.pop()
        if not name or name in names or name.startswith(_KERNEL_ONLY):
            continue
        names.add(name)
        waiting.append(name.rpartition(".")[0])  # a package's __init__ runs first
        path = root / _HOMES[name.split(".")[0]] / name.replace(".", "/")
        for file in (path / "__init__.py", path.with_suffix(".py")):
            if file.exists():
                files.add(file)
                waiting += _imports_of_file(file, file.stat().st_mtime_ns)
    return files


def outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """The pages below which something has changed since the last build, and those that warned in it."""
    root, before = Path(app.srcdir), getattr(env, "book_fingerprints", {})
    below_all = fingerprint(root, matching(root, _ALL_PAGES))
    env.book_fingerprints = {
        page: below_all + fingerprint(root, modules_below(root, Path(env.doc2path(page)).read_text("utf-8")))
        for page in env.found_docs
    }
    for page in removed:  # Sphinx forgets a page that left the book, and leaves its file in the site
        Path(app.outdir, f"{page}.html").unlink(missing_ok=True)
    stale = {page for page, now in env.book_fingerprints.items() if before.get(page) != now}
    return stale | warned(app) & env.found_docs


def pages_of_other_theme(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """All pages, to be written and not read, if the theme has changed: its files' versions stand in their addresses."""
    root = Path(app.srcdir)
    before, env.book_theme = getattr(env, "book_theme", None), fingerprint(root, matching(root, _WRITTEN_ONLY))
    return set() if before in (None, env.book_theme) else set(env.found_docs)


def forget(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Forget all pages that will be read: a label that has moved to one of the first would be found on two of them."""
    for page in docnames:
        app.emit("env-purge-doc", env, page)
        env.clear_doc(page)


class Warned(logging.Handler):
    """Notes the pages that warn. An unchanged page is not read again, and its warning would not be repeated."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__(logging.WARNING)
        self.app = app
        self.pages: set[str] = set()  # "" stands for a place that is no page

    def emit(self, record: logging.LogRecord) -> None:
        if not is_suppressed_warning(
            getattr(record, "type", ""), getattr(record, "subtype", ""), self.app.config.suppress_warnings
        ):
            self.pages.add(page_of(getattr(record, "location", None), Path(self.app.srcdir)))


def page_of(location: Any, root: Path) -> str:
    """The page of a warning's place: a node, (page, line), a page, or a file with a line; "" if it is none.

    >>> page_of(("chapters/rdp", 3), Path("/a")), page_of("/a/chapters/rdp.md:3", Path("/a")), page_of(None, Path("/a"))
    ('chapters/rdp', 'chapters/rdp', '')
    """
    if isinstance(location, tuple):
        return location[0] or ""
    place = (get_node_location(location) if isinstance(location, nodes.Node) else location) or ""
    file = Path(place.partition(":")[0])
    return file.relative_to(root).with_suffix("").as_posix() if file.is_relative_to(root) else place


def _file(app: Sphinx) -> Path:
    return Path(app.doctreedir, "warned.json")


def warned(app: Sphinx) -> set[str]:
    """The pages that warned in the last build."""
    return set(json.loads(_file(app).read_text("utf-8"))) if _file(app).exists() else set()


def listen(app: Sphinx) -> None:
    app.book_warned = Warned(app)
    logging.getLogger("sphinx").addHandler(app.book_warned)


def remember(app: Sphinx, exception: Exception | None) -> None:
    """Note who warned, before the checks over finished pages: these just run again."""
    logging.getLogger("sphinx").removeHandler(app.book_warned)
    pages = app.book_warned.pages
    _file(app).write_text(json.dumps(sorted(pages)), "utf-8")
    if exception or pages - app.env.found_docs:  # nobody knows whose it was: start afresh
        Path(app.doctreedir, "environment.pickle").unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", listen, priority=100)
    app.connect("env-get-outdated", outdated_pages)
    app.connect("env-before-read-docs", forget)
    app.connect("env-updated", pages_of_other_theme)
    app.connect("build-finished", remember, priority=100)
