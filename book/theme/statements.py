"""The book's statements in one script: a phone shows one where a link names it, and no page is left for it.

The script comes when somebody first touches such a link. It is a script since browsers let no page that was opened from
a disk fetch a file.
"""

import json
import re
from pathlib import Path

from sphinx.application import Sphinx

from book.theme.pages import THEME
from livefigures.page import bundle

_BEGIN = re.compile(r'<div class="proof [^"]*admonition" id="([^"]+)">\n')
_BOX = re.compile(r"<div\b|</div>")
_PLACE = re.compile(r' (?:id|tabindex)="[^"]*"')  # in a second copy they would stand twice


def statements(html: str) -> dict[str, str]:
    """Return the content of each statement of a page, by its place.

    >>> statements('<div class="proof theorem admonition" id="a">\\n<p id="b">One.</p><div>2</div>\\n</div> 3')
    {'a': '<p>One.</p><div>2</div>'}
    """
    found = {}
    for begin in _BEGIN.finditer(html):
        depth = 1
        for box in _BOX.finditer(html, begin.end()):
            depth += 1 if box[0] == "<div" else -1
            if not depth:
                found[begin[1]] = _PLACE.sub("", html[begin.end() : box.start()]).strip()
                break
    return found


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the statements of all pages, by page and place, and the script that shows one."""
    if exception or app.builder.name != "html":
        return
    known = {}
    for page in sorted(app.env.found_docs):
        html = Path(app.builder.get_outfilename(page)).read_text("utf-8")
        known |= {f"{page}.html#{place}": text for place, text in statements(html).items()}
    script = bundle.script_of([THEME / "statements.js"])
    told = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "_static", "statements.js").write_text(f"globalThis.bookStatements={told};{script}", "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write)
