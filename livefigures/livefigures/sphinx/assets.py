"""The figures' script and style, one file each: in the site, and on the pages only that need them."""

import hashlib
import re
from collections.abc import Iterator
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

FILES = {
    "live.js": bundle.script,
    "live-links.js": partial(bundle.script, bundle.LINKS),
    "live-questions.js": partial(bundle.script, bundle.QUESTIONS),
    "live-names.js": partial(bundle.script, bundle.NAMES),
    "live-drawing.js": partial(bundle.script, bundle.DRAWING),
    "live-formulas.js": partial(bundle.script, bundle.FORMULAS),
    formulas.PLAIN: editor.script,
    **{f"live-{name}.js": partial(bundle.script, files) for name, files in bundle.NEEDED.items()},
    "live-save.js": partial(bundle.script, bundle.SAVE),
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
        for name in extra_scripts(doctree, context.get("body", "")):
            app.add_js_file(name, loading_method="defer")


def extra_scripts(doctree: nodes.document, body: str) -> Iterator[str]:
    """Yield the scripts of what this page has and others have not, in the order in which they load."""
    if 'class="live-set"' in body:
        yield "live-links.js"
    questions = [*doctree.findall(predict)]
    if questions:
        yield "live-questions.js"
    if any(node["draw"] for node in questions):
        yield "live-drawing.js"
    if next(doctree.findall(curve_name), None) is not None:
        yield "live-names.js"
    if 'class="live-formulas"' in body:
        yield "live-formulas.js"
    needed = {name for told in re.findall('<figure[^>]* data-needs="([^"]+)"', body) for name in told.split()}
    yield from (f"live-{name}.js" for name in bundle.NEEDED if name in needed)


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
