"""Typed formulas: their editor is a script that a page loads when it has some, or when somebody types.

A book that offers functions of its own has a script with them, for all of its pages.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sphinx.application import Sphinx

from livefigures.formulas import bundle

SCRIPT = "workbench.js"  # beside live.js
PLAIN = "live-editor.js"  # with NumPy's functions alone


def script_of(app: Sphinx, body: str) -> str:
    """Return the script that edits formulas on a page, "" if the page needs none."""
    if Path(app.outdir, "_static", SCRIPT).exists():
        return SCRIPT
    return PLAIN if 'class="live-lines"' in body else ""


def offer(app: Sphinx, functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]) -> None:
    """Let readers compose these functions; called from a book's own extension."""

    def write(app: Sphinx) -> None:
        if app.builder.format == "html":
            static = Path(app.outdir, "_static")
            static.mkdir(parents=True, exist_ok=True)
            (static / SCRIPT).write_text(bundle.script(functions, orders), "utf-8")

    app.connect("builder-inited", write)
