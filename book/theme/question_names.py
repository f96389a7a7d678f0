"""A question as a screen reader names it: browsers leave the formulas of a legend out of its name."""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from book.theme.search import text_of
from livefigures.sphinx.predict import predict_question

_BEGIN = "<fieldset>\n<legend>"


def named(html: str, names: list[str]) -> str:
    """Return the page with a name for each of its questions; an empty one is as the browser makes it.

    >>> named("<fieldset>\\n<legend>A, <fieldset>\\n<legend>B", ["", "ε = 1"])
    '<fieldset>\\n<legend>A, <fieldset aria-label="ε = 1">\\n<legend>B'
    """
    first, *rest = html.split(_BEGIN)
    labels = [f' aria-label="{escape(name)}"' if name else "" for name in names]
    begun = [_BEGIN.replace(">", f"{label}>", 1) + part for label, part in zip(labels, rest, strict=True)]
    return first + "".join(begun)


def name(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Name the questions with formulas; a plain one is read as it stands."""
    if doctree and _BEGIN in context.get("body", ""):
        asked = doctree.findall(predict_question)
        names = [" ".join(text_of(one).split()) if list(one.findall(nodes.math)) else "" for one in asked]
        context["body"] = named(context["body"], names)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", name, priority=910)
