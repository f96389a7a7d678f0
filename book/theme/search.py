"""Searching the book: every section with its text, in one script that a page loads when somebody searches.

Sphinx's own index knows which page holds a word; a reader wants the section, the words around it, and "epsilon" where
the text has ε. A script, since browsers let no page that was opened from a disk fetch a file.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from book.theme.formula_text import readable
from book.theme.pages import THEME
from livefigures.sphinx.predict import predict_answer

Entry = tuple[str, list[str], str, int]  # place, titles from the page's inwards, text, what it is
# The more, the higher it stands: what a reader looks for is stated in a definition, and explained before it is coded.
_FUNCTION, _SECTION, _PAGE, _STATEMENT = -12, 0, 4, 8
_REFERENCE = re.compile("\ue000([^\ue001]*)\ue001")  # a label, whose theorem or section has a name when all is read
_UNREAD = (nodes.section, nodes.title, nodes.literal_block, nodes.comment, nodes.raw, nodes.Invisible, addnodes.desc)
_UNREAD += (predict_answer,)  # who searches has not answered yet


def text_of(node: nodes.Node) -> str:
    """The running text of a node, without the sections inside it."""
    if isinstance(node, nodes.math | nodes.math_block):
        return readable(node.astext())
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, addnodes.pending_xref) and node.get("refdomain") == "cite":
        return ""
    if isinstance(node, addnodes.pending_xref) and node.get("reftype") == "ref" and node.astext() == node["reftarget"]:
        return _reference(node["reftarget"])
    own = (child for child in node.children if not isinstance(child, _UNREAD) or _is_body(child))
    return ("" if isinstance(node, nodes.TextElement) else " ").join(map(text_of, own))


def _reference(label: str) -> str:
    return f"\ue000{label}\ue001"


def named(text: str, env: BuildEnvironment) -> str:
    """Put the names of what a text refers to, such as "Theorem 25", in place of their labels."""
    return _REFERENCE.sub(lambda match: _name(match[1], env), text)


def _name(label: str, env: BuildEnvironment) -> str:
    made = getattr(env, "proof_list", {}).get(label)
    if not made:
        return env.domains["std"].labels.get(label, ("", "", ""))[2]
    numbers = env.toc_fignumbers.get(made["docname"], {}).get(made["countertype"], {})
    return " ".join([made["realtype"].capitalize(), ".".join(map(str, numbers.get(label, ())))]).rstrip()


def _is_body(node: nodes.Node) -> bool:
    """sphinx-proof makes the body of a theorem a section."""
    return isinstance(node, nodes.section) and not isinstance(node.parent, nodes.section | nodes.document)


def entries(doctree: nodes.document) -> Iterator[Entry]:
    """The sections of a page, the page first (its place is its top), then its statements, and its functions."""
    page = text_of(next(doctree.findall(nodes.title)))
    for section in doctree.findall(nodes.section):
        if _is_body(section):
            continue
        titles = [text_of(title) for title in _titles(section)]
        place, kind = (section["ids"][0], _SECTION) if len(titles) > 1 else ("", _PAGE)
        yield place, titles, " ".join(text_of(section).split()), kind
    for statement in doctree.findall(lambda node: isinstance(node, nodes.Element) and bool(node.get("realtype"))):
        title = text_of(statement[0]).strip().removeprefix("(").removesuffix(")")
        if title and statement["realtype"] != "proof":
            place = statement["label"]
            yield place, [page, f"{_reference(place)}: {title}"], " ".join(text_of(statement).split()), _STATEMENT
    for function in doctree.findall(addnodes.desc):
        signature = next(function.findall(addnodes.desc_signature))
        for place in signature["ids"][:1]:
            yield place, [page, place], " ".join(text_of(function[1]).split()), _FUNCTION


def _titles(section: nodes.section) -> list[nodes.title]:
    above = _titles(section.parent) if isinstance(section.parent, nodes.section) else []
    return [*above[:1], next(section.findall(nodes.title))]


def note(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the entries of a page with what Sphinx keeps of it between builds."""
    app.env.metadata[app.env.docname]["search"] = list(entries(doctree))


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the script: what there is, and how to search it."""
    if exception or app.builder.name != "html":
        return
    pages = sorted(app.env.metadata.items())
    found: list[list[Any]] = [[page, *entry] for page, kept in pages for entry in kept.get("search", [])]
    script = (THEME / "search.js").read_text("utf-8")
    index = named(json.dumps(found, ensure_ascii=False, separators=(",", ":")), app.env)
    Path(app.outdir, "_static", "search.js").write_text(f"globalThis.bookSections = {index};\n{script}", "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", note)
    app.connect("build-finished", write)
