"""Guards over the finished pages. Each one fails the build, and says which page and why.

Those over live figures are the extension's own, `livefigures.sphinx.checks`, and those over cells are in cell_errors.
"""

from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

from livefigures.sphinx.page_facts import PageFacts, facts_of

LOGGER = logging.getLogger(__name__)


def faults_of_page(facts: PageFacts) -> Iterator[str]:
    """What is wrong with one page, in words."""
    # TeX that is no formula for Sphinx (in a figure's text, in raw HTML) is shown as backslashes.
    for tex in facts.raw_tex:
        yield f"TeX outside a formula: {tex}"
    # A reader who cannot see the picture is left with nothing, or with the name of a file.
    for source in facts.images_without_alt:
        yield f"an image without a text that describes it: {source}"
    # The state of a widget is dead weight in a static page: 100 kB and more for sliders that never move.
    if facts.widget_state:
        yield "the state of a notebook's widgets is in the page"
    # Without a network such a page is broken; with one, it tells a third party who is reading.
    for address in facts.outside:
        yield f"loads from outside the book: {address}"


def read_pages(app: Sphinx) -> dict[str, PageFacts]:
    """The facts of every page that this book has now, by page name; also index and search, which have no source."""
    folder = Path(app.outdir)
    names = sorted(app.env.found_docs) + ["genindex", "search", "index"]
    files = {name: folder / f"{name}.html" for name in names}
    return {name: facts_of(file.read_text("utf-8")) for name, file in files.items() if file.exists()}


def check_book(app: Sphinx, exception: Exception | None) -> None:
    """Log every fault as a warning: with warnings as errors, the build fails."""
    if exception or app.builder.name != "html":
        return
    pages = read_pages(app)
    for page, facts in pages.items():
        for fault in faults_of_page(facts):
            LOGGER.warning(fault, location=page)
    if any(facts.errors for facts in pages.values()):
        app.statuscode = 1  # a failing cell, which cell_errors tells, fails the build also where warnings are no errors


def setup(app: Sphinx) -> None:
    app.connect("build-finished", check_book, priority=700)  # after the extensions that still write files
