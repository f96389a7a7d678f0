"""Questions and headers of tables as a screen reader names them: browsers leave formulas out of these names."""

import re
from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from book.theme.search import text_of
from livefigures.sphinx.predict import predict_question

_BEGIN = "<fieldset>\n<legend>"
_HEADER = re.compile(r"(<th\b[^<>]*)(>(?:(?!</th>).)*<math)", re.DOTALL)


def named(html: str, names: list[str]) -> str:
    """Return the page with a name for each of its questions; an empty one is as the browser makes it.

    >>> named("<fieldset>\\n<legend>A, <fieldset>\\n<legend>B", ["", "ε = 1"])
    '<fieldset>\\n<legend>A, <fieldset aria-label="ε = 1">\\n<legend>B'
    """
    first, *rest = html.split(_BEGIN)
    labels = [f' aria-label="{escape(name)}"' if name else "" for name in names]
    begun = [_BEGIN.replace(">", f"{label}>", 1) + part for label, part in zip(labels, rest, strict=True)]
    return first + "".join(begun)


def headed(html: str, names: list[str]) -> str:
    """Return the page with a name for each header of a table that has a formula.

    >>> headed('<th>a</th><th class="head">b <math>c</math></th>', ["b c"])
    '<th>a</th><th class="head" aria-label="b c">b <math>c</math></th>'
    """
    first, *rest = re.split(_HEADER, html)
    parts = zip(rest[::3], names, rest[1::3], rest[2::3], strict=True)
    return first + "".join(f'{tag} aria-label="{escape(label)}"{inside}{after}' for tag, label, inside, after in parts)


def is_header(entry: nodes.entry) -> bool:
    """Whether a cell of a table is written as a header: it is in the head, or in a column of stubs."""
    if isinstance(entry.parent.parent, nodes.thead):
        return True
    columns = [one for one in entry.parent.parent.parent if isinstance(one, nodes.colspec)]
    return bool(columns[entry.parent.index(entry)].get("stub"))


def spoken(node: nodes.Node) -> str:
    """The text of a node that has a formula, in one line; "" for a plain one, which is read as it stands."""
    return " ".join(text_of(node).split()) if list(node.findall(nodes.math)) else ""


def name(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Name the questions and the headers that have formulas."""
    if not doctree or "body" not in context:
        return
    if _BEGIN in context["body"]:
        context["body"] = named(context["body"], list(map(spoken, doctree.findall(predict_question))))
    headers = [spoken(entry) for entry in doctree.findall(nodes.entry) if is_header(entry)]
    context["body"] = headed(context["body"], list(filter(None, headers)))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", name, priority=910)
