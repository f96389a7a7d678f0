"""Addresses that lead on: a section or a figure that has moved to another page is still found at its old address.

`chapters/moved.txt` has a line for each, the old address and the new: `rdp.html#amplified sampling.html#amplified`.
The old page ends with a link that is shown where one asks for it; book.js follows it, sliders' settings included.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def read(text: str) -> list[tuple[str, str, str]]:
    """Page, anchor and new address of each line; a ValueError names a line that is none.

    >>> read("rdp.html#a sampling.html#b")
    [('rdp.html', 'a', 'sampling.html#b')]
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if len(words) != 2 or any(word.count(".html#") != 1 for word in words):
            raise ValueError(f"line {number} must be two addresses page.html#anchor, got {line!r}")
        page, anchor = words[0].split("#")
        found.append((page, anchor, words[1]))
    return found


def lead_on(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    file = Path(app.srcdir, "chapters", "moved.txt")
    if doctree is None or not file.exists():
        return
    page = f"{Path(pagename).name}.html"
    try:
        moved = [(anchor, address) for old, anchor, address in read(file.read_text("utf-8")) if old == page]
    except ValueError as error:
        LOGGER.warning(str(error), location=str(file))
        return
    titles = app.env.titles
    names = {address: titles.get(f"chapters/{address.partition('.html')[0]}") for _, address in moved}
    for address in [address for address, title in names.items() if title is None]:
        LOGGER.warning(f"no page has the address {address}", location=str(file))
    context["moved"] = [(anchor, address, names[address].astext()) for anchor, address in moved if names[address]]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", lead_on)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
