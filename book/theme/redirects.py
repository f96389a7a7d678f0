"""Addresses that lead on: a section or a figure that has moved to another page is still found at its old address.

`chapters/moved.txt` has a line for each, the old address and the new: `rdp.html#amplified sampling.html#amplified`.
Which addresses have to be found at all is written down in tests/site/addresses_to_keep.txt.
The old page ends with a link that is shown where one asks for it; book.js follows it, sliders' settings included.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


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


def take(app: Sphinx) -> None:
    """The list is read once a build, and a bad line ends it."""
    file = Path(app.srcdir, "chapters", "moved.txt")
    try:
        app.env.moved = read(file.read_text("utf-8")) if file.exists() else []
    except ValueError as error:
        raise ExtensionError(f"{file}: {error}") from error


def lead_on(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    page = f"{Path(pagename).name}.html"
    here = [(anchor, address) for old, anchor, address in app.env.moved if old == page]
    titles = {f"{Path(name).name}.html": title.astext() for name, title in app.env.titles.items()}
    # A preview has few pages: what leads elsewhere is left out. In the book a test follows every one.
    context["moved"] = [
        (anchor, address, titles[to]) for anchor, address in here if (to := address.partition("#")[0]) in titles
    ]


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", take)
    app.connect("html-page-context", lead_on)
