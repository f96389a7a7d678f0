"""Say above a page's title which pages it builds on: those that the field `needs` at the top of its source names."""

from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def say(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    context["needs"] = []
    for name in str(app.env.metadata.get(pagename, {}).get("needs", "")).split():
        page = str(PurePosixPath(pagename).parent / name)
        if page in app.env.titles:
            context["needs"].append({"name": page, "title": app.env.titles[page].astext()})
        else:
            place = (pagename, line_of_field(app.env.doc2path(pagename)))
            LOGGER.warning("needs must name pages of this folder, got %r", name, location=place)


def line_of_field(source: str | Path) -> int:
    """Return the number of the line of a page at which its field `needs` stands."""
    lines = Path(source).read_text("utf-8").split("\n")
    return next((number for number, line in enumerate(lines, 1) if line.startswith("needs:")), 1)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", say)
