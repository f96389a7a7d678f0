"""Searching the book: every section with its text, in one script that a page loads when somebody searches.

Sphinx's own index knows which page holds a word; a reader wants the section, the words around it, and "epsilon" where
the text has ε. A script, since browsers let no page that was opened from a disk fetch a file.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from html import unescape
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from book.theme.formula_text import readable
from book.theme.pages import THEME, shows_figure
from livefigures.sphinx.predict import predict, predict_answer

Entry = tuple[str, list[str], str, int]  # place, titles from the page's inwards, text, what it is
# The more, the higher it stands: what a reader looks for is stated in a definition, and explained before it is coded.
_FUNCTION, _SECTION, _PAGE, _STATEMENT = -12, 0, 4, 8
_REFERENCE = re.compile("\ue000([^\ue001]*)\ue001")  # a label, whose theorem or section has a name when all is read
_UNREAD = (nodes.section, nodes.title, nodes.literal_block, nodes.comment, nodes.raw, nodes.Invisible, addnodes.desc)
_UNREAD += (predict_answer,)  # who searches has not answered yet
_FIELDS = re.compile(r'<div class="predict"[^>]*>\s*<fieldset(?: aria-label="[^"]*")?>(.*?)</fieldset>', re.DOTALL)
_TAG = re.compile(r'<(?:"[^"]*"|[^">])*>')

Waits = Mapping[int, set[int]]  # by the id of a node, the numbers of the questions that it waits for


def text_of(node: nodes.Node, waits: Waits = MappingProxyType({})) -> str:
    """The running text of a node, without the sections inside it, and with marks around what waits (for search.js)."""
    if id(node) in waits:
        numbers = sorted(set().union(*(waits[id(part)] for part in node.findall())))
        return f"\ue002{','.join(map(str, numbers))}\ue003{text_of(node)}\ue004"
    if isinstance(node, nodes.math | nodes.math_block):
        return readable(node.astext())
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, addnodes.pending_xref) and node.get("refdomain") == "cite":
        return ""
    if isinstance(node, addnodes.pending_xref) and node.get("reftype") == "ref" and node.astext() == node["reftarget"]:
        return _reference(node["reftarget"])
    own = (child for child in node.children if not isinstance(child, _UNREAD) or _is_body(child))
    return ("" if isinstance(node, nodes.TextElement) else " ").join(text_of(child, waits) for child in own)


def waiting(doctree: nodes.document) -> Waits:
    """What waits for an answer: parts that a question names, and the text about its figure (features/predict.js)."""
    found = defaultdict(set)
    for number, question in enumerate(doctree.findall(predict)):
        names, figure = set(question["waits"] or []), question["figure"]
        parts = [node for node in doctree.findall(nodes.Element) if names & set(node["ids"])]
        named = [cell for cell in doctree.findall(shows_figure) if figure and f'name="{figure}"' in cell.astext()]
        begins = named[0] if named else question
        beside = begins.parent.children[begins.parent.index(begins) + (0 if named else 1) :]
        ahead = list(takewhile(partial(_goes_on, figure), beside))
        figures = [at for at, node in enumerate(ahead) if next(node.findall(shows_figure), None)]
        parts += ahead[: (*figures, None)[1]] if figures else []
        for node in (each for part in parts for each in part.findall()):
            found[id(node)].add(number)
    return found


def _goes_on(figure: str | None, node: nodes.Node) -> bool:
    """Whether text about a figure does not end here: at a section, or at a question about something else."""
    return not isinstance(node, nodes.section | predict) or (figure is not None and node.get("figure") == figure)


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
    page, waits = text_of(next(doctree.findall(nodes.title))), waiting(doctree)
    for section in doctree.findall(nodes.section):
        if _is_body(section):
            continue
        titles = [text_of(title) for title in _titles(section)]
        place, kind = (section["ids"][0], _SECTION) if len(titles) > 1 else ("", _PAGE)
        yield place, titles, " ".join(text_of(section, waits).split()), kind
    for statement in doctree.findall(lambda node: isinstance(node, nodes.Element) and bool(node.get("realtype"))):
        title = text_of(statement[0]).strip().removeprefix("(").removesuffix(")")
        if title and statement["realtype"] != "proof":
            place = statement["label"]
            titles = [page, f"{_reference(place)}: {title}"]
            yield place, titles, " ".join(text_of(statement, waits).split()), _STATEMENT
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


def questions_of(html: str) -> list[str]:
    """Return the words of each question and its choices, under which a browser keeps its answer."""
    return [" ".join(unescape(_TAG.sub("", fields)).split()) for fields in _FIELDS.findall(html)]


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the script: what there is, and how to search it."""
    if exception or app.builder.name != "html":
        return
    pages = sorted(app.env.metadata.items())
    found: list[list[Any]] = [[page, *entry] for page, kept in pages for entry in kept.get("search", [])]
    script = (THEME / "search.js").read_text("utf-8")
    index = named(json.dumps(found, ensure_ascii=False, separators=(",", ":")), app.env)
    files = {page: Path(app.outdir, f"{page}.html") for page, _ in pages}
    asked = {page: questions_of(file.read_text("utf-8")) for page, file in files.items() if file.exists()}
    questions = json.dumps({page: keys for page, keys in asked.items() if keys}, ensure_ascii=False)
    made = f"globalThis.bookSections = {index};\nglobalThis.bookQuestions = {questions};\n{script}"
    Path(app.outdir, "_static", "search.js").write_text(made, "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", note)
    app.connect("build-finished", write)
