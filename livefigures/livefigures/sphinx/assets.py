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
from livefigures.sphinx.curve_names import curve_name
from livefigures.sphinx.page_facts import facts_of
from livefigures.sphinx.predict import predict
from livefigures.sphinx.presets import set_link

PARTS = bundle.ON_SOME_PAGES | bundle.NEEDED
FILES = {
    "live.js": bundle.script,
    formulas.PLAIN: editor.script,
    **{f"live-{name}.js": partial(bundle.script, files) for name, files in PARTS.items()},
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
    if app.builder.format == "html" and doctree is not None and needs_script(doctree, context.get("body", "")):
        app.add_css_file("live.css")
        add_own_colours(app, context.get("body", ""))
        later = {"data-save": f"live-save.js?v={app.env.live_version}"}
        if name := formulas.script_of(app, context.get("body", "")):
            later["data-formulas"] = name
        app.add_js_file("live.js", loading_method="defer", **later)
        asked = parts_of(doctree, context.get("body", ""))
        for name in [name for name in PARTS if name in asked]:  # in the order in which they load
            app.add_js_file(f"live-{name}.js", loading_method="defer")


def parts_of(doctree: nodes.document, body: str) -> set[str]:
    """Return which of the parts this page needs."""
    asked = {
        "links": 'class="live-set"' in body,
        "questions": any(doctree.findall(predict)),
        "names": any(doctree.findall(curve_name)),
        "formulas": 'class="live-formulas"' in body,
    }
    needed = {name for told in re.findall('<figure[^>]* data-needs="([^"]+)"', body) for name in told.split()}
    return needed | {name for name, there in asked.items() if there}


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


def needs_script(doctree: nodes.document, body: str) -> bool:
    """Whether something on the page can be moved, set or answered."""
    mine = next(doctree.findall(lambda node: isinstance(node, predict | set_link)), None)
    return mine is not None or bool(facts_of(body).figures)


def pages_of_other_scripts(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """All pages if they were made for other scripts than there are now, else none: to be written, not to be run."""
    before, env.live_version = getattr(env, "live_version", None), bundle.version()
    return set() if before in (None, env.live_version) else set(env.found_docs)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write)
    app.connect("env-updated", pages_of_other_scripts)
    app.connect("html-page-context", add_to_page)
