"""The game's script and style, in the site and on those pages alone that have a game."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from livefigures.page import bundle

HERE = Path(__file__).parent


def write(app: Sphinx) -> None:
    """Put them into the site before any page is written: Sphinx then adds their version to the address."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        (static / "live-game.js").write_text(bundle.script_of([HERE / "game.js"]), "utf-8")
        (static / "live-game.css").write_text(bundle.style_of([HERE / "game.css"]), "utf-8")


def add_to_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Load them on a page with a game, behind the figures' own."""
    if app.builder.format == "html" and 'class="live-game"' in context.get("body", ""):
        app.add_css_file("live-game.css")
        app.add_js_file("live-game.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write)
    app.connect("html-page-context", add_to_page, priority=600)  # behind the figures' script, which it needs
    return {"parallel_read_safe": True, "parallel_write_safe": True}
