"""Typed formulas for a book that offers functions: the script with them, which a page loads when somebody types."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sphinx.application import Sphinx

from livefigures.formulas import bundle

SCRIPT = "workbench.js"  # beside live.js


def offer(app: Sphinx, functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]) -> None:
    """Let readers compose these functions; called from a book's own extension."""

    def write(app: Sphinx) -> None:
        if app.builder.format == "html":
            static = Path(app.outdir, "_static")
            static.mkdir(parents=True, exist_ok=True)
            (static / SCRIPT).write_text(bundle.script(functions, orders), "utf-8")

    app.connect("builder-inited", write)
