"""Say above a page's title which pages it builds on: those that the field `needs` at the top of its source names."""

from pathlib import PurePosixPath

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
            LOGGER.warning("needs must name pages of this folder, got %r", name, location=pagename)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", say)
