"""The figures' script and style, one file each: in the site, and on the pages only that need them."""

import hashlib
import re
from functools import partial
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from livefigures.declare.colours import Colour, known
from livefigures.formulas import bundle as editor
from livefigures.page import bundle
from livefigures.sphinx import formulas

LIVE = ('class="live"', 'class="predict"', 'class="live-set"')  # can be moved, answered, set
FILES = {
    "live.js": bundle.script,
    formulas.PLAIN: editor.script,
    **{f"live-{name}.js": partial(bundle.script, files) for name, (_, files) in bundle.PARTS.items()},
    "live.css": bundle.style,
}


def write(app: Sphinx) -> None:
    """Put them into the site before any page is written: Sphinx then adds their version to the address."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        for name, content in FILES.items():
            (static / name).write_text(content(), "utf-8")


def add_to_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """They, on pages with a live figure, a preset or a question."""
    body = context.get("body", "")
    if app.builder.format == "html" and doctree is not None and any(mark in body for mark in LIVE):
        app.add_css_file("live.css")
        add_own_colours(app, body)
        later = {"data-save": f"live-save.js?v={app.env.live_version}"}
        if name := formulas.script_of(app, body):
            later["data-formulas"] = name
        app.add_js_file("live.js", loading_method="defer", **later)
        for name in bundle.parts_of(body):
            app.add_js_file(f"live-{name}.js", loading_method="defer")


def add_own_colours(app: Sphinx, body: str) -> None:
    """Put the colours of a page's figures that no palette names into a file of their own, which the page loads."""
    own = sorted(own_colours(body), key=lambda colour: colour.name)
    if own:
        content = bundle.colours_of(own)
        name = f"live-colours-{hashlib.sha256(content.encode()).hexdigest()[:8]}.css"
        Path(app.outdir, "_static", name).write_text(content, "utf-8")
        app.add_css_file(name)


def own_colours(body: str) -> set[Colour]:
    """Return the colours in a page's figures that the style sheet of all pages has not.

    >>> own_colours('<figure data-colours="cycle-1 #1f5fbf #7db4ff, own-ff0000-ff8080 #ff0000 #ff8080">')
    {Colour(name='own-ff0000-ff8080', light='#ff0000', dark='#ff8080')}
    """
    listed = [one for told in re.findall('<figure[^>]* data-colours="([^"]+)"', body) for one in told.split(", ")]
    return {Colour(*one.split(" ")) for one in listed} - {*known().values()}


def pages_of_other_scripts(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """All pages if they were made for other scripts than there are now, else none: to be written, not to be run."""
    before, env.live_version = getattr(env, "live_version", None), bundle.version()
    return set() if before in (None, env.live_version) else set(env.found_docs)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write)
    app.connect("env-updated", pages_of_other_scripts)
    app.connect("html-page-context", add_to_page)
