"""A warning that names its page and no line gets the line of what it quotes."""

import logging
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import get_node_location

from book.checks.outdated import page_of

_QUOTED = re.compile(r"'([^']+)'|(?<=: )(\S+)$")


def line_of(message: str, text: str) -> int | None:
    """The last line of a page that holds what a message quotes: of two with one name, the second is the mistake.

    >>> line_of("label 'b' not found", "a\\nb\\nc"), line_of("TeX outside a formula: c", "a\\nb\\nc")
    (2, 3)
    """
    for pair in _QUOTED.findall(message):
        words = "".join(pair).rpartition("/")[2]  # of a file, its name: pages and chapters lie in different folders
        found = [number for number, line in enumerate(text.split("\n"), 1) if words and words in line]
        if found:
            return found[-1]
    return None


class Placed(logging.Filter):
    """Changes no warning but its place."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__()
        self.app = app

    def filter(self, record: logging.LogRecord) -> bool:
        place = getattr(record, "location", None)
        page = page_of(place, Path(self.app.srcdir))
        place = get_node_location(place) if isinstance(place, nodes.Node) else place
        has_line = place[1] if isinstance(place, tuple) else re.search(r":\d", place or "")
        if page in self.app.env.found_docs and not has_line:
            text = Path(self.app.env.doc2path(page)).read_text("utf-8")
            record.location = (page, line_of(record.getMessage(), text))
        return True


def prepare(app: Sphinx) -> None:
    for handler in logging.getLogger("sphinx").handlers:
        handler.filters.insert(0, Placed(app))


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", prepare, priority=300)
