"""Guards over the figures of the finished pages. Each one fails a build whose warnings are errors."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

from livefigures.sphinx.page_facts import PageFacts, facts_of

LOGGER = logging.getLogger(__name__)
_COPIES = (
    "; give each figure a name of its own, or, if an earlier build left copies of your pages among them, leave its "
    'folder out in conf.py: exclude_patterns = ["_build"]'
)


def faults(pages: dict[str, PageFacts]) -> Iterator[tuple[str, str]]:
    """(page, fault) for all pages. A figure's name is its place in links and in the records of its values."""
    counts = Counter(name for facts in pages.values() for name in facts.figures)
    for page, facts in pages.items():
        for name in dict.fromkeys(facts.figures):
            if not name:
                yield page, "a live figure without a name"
            elif counts[name] > 1:
                yield page, f"the name of a live figure, {name!r}, is used {counts[name]} times in the book{_COPIES}"
        for name in facts.still_figures:
            yield (
                page,
                f"figure {name!r} stands still: its cell ran outside this build. Let the build run it: "
                "clear the notebook's outputs, or the cache of executed notebooks",
            )


def check(app: Sphinx, exception: Exception | None) -> None:
    """Log every fault as a warning."""
    if exception or app.builder.name != "html":
        return
    files = {page: Path(app.outdir, f"{page}.html") for page in sorted(app.env.found_docs)}
    pages = {page: facts_of(file.read_text("utf-8")) for page, file in files.items() if file.exists()}
    for page, fault in faults(pages):
        LOGGER.warning(fault, location=page)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", check, priority=640)  # after whatever still changes the pages
