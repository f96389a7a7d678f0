"""Script and style of an extension: in the site, and on the pages only that need them."""

import hashlib
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

STATIC = Path(__file__).parent / "static"


def version(file: Path) -> str:
    """What stands behind a file's address and changes with its text: no browser keeps an old one."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def attach(app: Sphinx, needs: type[nodes.Node], *names: str) -> None:
    """Put the files of `_ext/static` on every page that holds a node of the class `needs`."""

    def copy(app: Sphinx) -> None:
        for name in names if app.builder.format == "html" else ():
            target = Path(app.outdir, "_static", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(STATIC / name, target)

    def add_to_page(
        app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None
    ) -> None:
        if doctree is None or next(doctree.findall(needs), None) is None:
            return
        for name in names:
            if name.endswith(".css"):
                app.add_css_file(name)
            else:
                app.add_js_file(name, loading_method="defer")

    app.connect("builder-inited", copy)
    app.connect("html-page-context", add_to_page)
