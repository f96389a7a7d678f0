r"""A page's doctree as Markdown that reads well in any notebook.

A notebook's front end knows no directive. So theorems become quotations with the page's own numbers, proofs and answers
unfold, citations and computed numbers are text, and a preset is followed by the line of code that sets it, or is a link
to the notebook that has its figure. Working from the doctree, whatever a directive or a role has made of a page's
source is here already.
"""

import json
import posixpath
import re
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
NEW_CELL = "# To run in a new cell, after the cell of the figure, which may be further down:"

Numbers = dict[str, dict[str, tuple[int, ...]]]  # kind -> id -> number, as Sphinx keeps them for a page


class PageText:
    """Writes the nodes of one page; what it meets on the way is in `presets` and `citations`."""

    def __init__(self, document: nodes.document, docname: str, numbers: Numbers, notebooks: Iterable[str]) -> None:
        self.docname, self.numbers, self.notebooks = docname, numbers, set(notebooks)
        self.headings = {ident: section[0] for section in document.findall(nodes.section) for ident in section["ids"]}
        self.presets: list[str] = []  # lines of code, in reading order, until somebody takes them
        self.citations: dict[str, str] = {}  # label -> the work, in words

    def blocks(self, children: Iterable[nodes.Node]) -> str:
        """Paragraphs, lists, ... with a blank line between them."""
        return "\n\n".join(filter(None, (self.block(child) for child in children)))

    def block(self, node: nodes.Node) -> str:
        """One block by the rule of its kind."""
        if isinstance(node, nodes.Invisible):
            return ""
        if node.get("realtype"):  # sphinx-proof has a class for every kind of statement
            return self._statement(node)
        return self._rule("block", node)(node)

    def inline(self, node: nodes.Node) -> str:
        """The running text in a node."""
        text = "".join(self._rule("inline", child)(child) for child in node.children)
        return re.sub(r"(?<=[^\s`])``(?=[^\s`])", "", text)  # two neighbouring pieces of code are one

    def _rule(self, form: str, node: nodes.Node) -> Callable[[nodes.Element], str]:
        name = f"_{form}_{node.tagname.lstrip('#').lower()}"
        if hasattr(self, name):
            return getattr(self, name)
        LOGGER.warning(f"notebook: no rule for {node.tagname!r} ({form}); add one to {__name__}", location=node)
        return lambda node: self.inline(node)

    def take_presets(self) -> list[str]:
        """The lines of code since the last call, for figures of this page."""
        taken, self.presets = self.presets, []
        return taken

    # -- blocks

    def _block_paragraph(self, node: nodes.Element) -> str:
        return re.sub(r"^([-+>]|#+|\d+[.)])(?=\s)", _escaped_marker, self.inline(node).strip(), flags=re.MULTILINE)

    _block_term = _block_rubric = _block_paragraph

    def _block_container(self, node: nodes.Element) -> str:
        return self.blocks(node.children)

    _block_section = _block_definition = _block_figure = _block_legend = _block_verbs_table = _block_container

    def _block_raw(self, node: nodes.Element) -> str:
        return ""  # written for one builder only: what it says stands beside it

    _block_compound = _block_raw  # Sphinx's list of the book's pages
    _block_map_picture = _block_raw  # the table below it says all that it shows

    def _block_transition(self, node: nodes.Element) -> str:
        return "---"

    def _block_math_block(self, node: nodes.Element) -> str:
        # One line: in a quotation the marks at the line starts would become part of the formula.
        tex = " ".join(node.astext().split())
        if node.get("nowrap"):
            return tex
        return f"$$ \\begin{{split}} {tex} \\end{{split}} $$" if r"\\" in tex else f"$$ {tex} $$"

    def _block_literal_block(self, node: nodes.Element) -> str:
        language = "python" if node.get("language", "") in ("python", "ipython3") else node.get("language", "")
        file = Path(node.get("source") or "")
        from_file = f"# {file.parent.name}/{file.name}\n" if file.suffix == ".py" else ""  # of a literalinclude
        return fenced(from_file + node.astext(), language)

    def _block_doctest_block(self, node: nodes.Element) -> str:
        return fenced(node.astext(), "python")

    def _block_bullet_list(self, node: nodes.Element) -> str:
        return self._items(node, ["- "] * len(node))

    def _block_enumerated_list(self, node: nodes.Element) -> str:
        first = node.get("start", 1)
        return self._items(node, [f"{first + place}. " for place in range(len(node))])

    def _block_definition_list(self, node: nodes.Element) -> str:
        items = [f"- **{self.block(item[0])}.** {indented(self.blocks(item[1:]), 2)}" for item in node]
        return "\n".join(items)

    def _items(self, node: nodes.Element, markers: list[str]) -> str:
        texts = [self.blocks(item.children) for item in node]
        gap = "\n\n" if any("\n\n" in text for text in texts) else "\n"
        return gap.join(mark + indented(text, len(mark)) for mark, text in zip(markers, texts, strict=True))

    def _block_block_quote(self, node: nodes.Element) -> str:
        return quoted(self.blocks(node.children))

    def _block_table(self, node: nodes.Element) -> str:
        group = next(iter(node.findall(nodes.tgroup)))
        rows = [[self._table_cell(entry) for entry in row] for row in group.findall(nodes.row)]
        if not any(isinstance(part, nodes.thead) for part in group):
            rows.insert(0, [" "] * len(rows[0]))
        rows.insert(1, ["---"] * len(rows[0]))
        title = "".join(f"**{self.inline(part)}**\n\n" for part in node if isinstance(part, nodes.title))
        return title + "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def _table_cell(self, entry: nodes.Element) -> str:
        text = self.blocks(entry.children).replace("\n\n", "<br>").replace("\n", " ")
        pieces = re.split(r"(\$[^$]+\$)", text)  # a bar would end the cell, in a formula too
        pieces[1::2] = [re.sub(r"(\\?)\|\s*", _bar, piece) for piece in pieces[1::2]]
        pieces[::2] = [re.sub(r"(?<!\\)\|", r"\\|", piece) for piece in pieces[::2]]
        return "".join(pieces)

    def _block_admonition(self, node: nodes.Element) -> str:
        if "dropdown" in node["classes"]:
            return self.folded(node[0].astext(), node[1:])
        return quoted(f"**{self.inline(node[0])}**\n\n{self.blocks(node[1:])}")

    def folded(self, summary: str, children: Iterable[nodes.Node]) -> str:
        """Blocks that a click unfolds; their presets stay inside, since they may give an answer away."""
        outside, self.presets = self.presets, []
        lines = [self.blocks(children)]
        lines += [fenced("\n".join([NEW_CELL, *self.presets]), "python")] if self.presets else []
        body = "\n\n".join(lines).strip()
        self.presets = outside
        return f"<details>\n<summary>{escape(summary, quote=False)}</summary>\n\n{body}\n\n</details>"

    def _statement(self, node: nodes.Element) -> str:
        """A definition, theorem, lemma, ... with the number that it has on the page."""
        number = self._number(node, node.get("countertype", ""))
        title = self.inline(node[0]).strip()
        name = " ".join(filter(None, [node["realtype"].capitalize(), number]))
        return quoted(f"**{name}** {title}".rstrip() + f"\n\n{self.blocks(node[1:])}")

    def exercise_title(self, node: nodes.Element) -> str:
        """An exercise's number and words."""
        number, title = self._number(node, "exercise"), self.inline(node[0]).strip()
        return " ".join(filter(None, ["Exercise", number, title]))

    def _block_predict(self, node: nodes.Element) -> str:
        question, *choices, answer = node.children
        listed = "\n".join(f"{number}. {self.inline(choice)}" for number, choice in enumerate(choices, 1))
        # A page shuffles choices, and each keeps the number that it has in the source.
        places = {choice["number"]: place for place, choice in enumerate(choices)}
        right = places[node["answer"]]
        words = [nodes.Text(f"{right + 1}. "), *(part.deepcopy() for part in choices[right].children)]
        told = [nodes.paragraph("", "", nodes.strong("", "", *words)), *answer.children]
        return quoted(f"**Predict.** {self.inline(question)}\n\n{listed}") + "\n\n" + self.folded("Answer", told)

    def _block_predict_reply(self, node: nodes.Element) -> str:
        return self.inline(node)

    def _number(self, node: nodes.Element, kind: str) -> str:
        known = self.numbers.get(kind, {})
        return next((".".join(map(str, known[ident])) for ident in node["ids"] if ident in known), "")

    # -- running text

    def _inline_text(self, node: nodes.Text) -> str:
        return escaped(node.astext())

    def _inline_inline(self, node: nodes.Element) -> str:
        if "bibtex-citation" in node["classes"]:
            for work in node.findall(nodes.reference):
                self.citations[work.astext()] = work.get("reftitle", "")
        return self.inline(node)

    _inline_paragraph = _inline_inline
    _inline_curve_name = _inline_inline
    _inline_abbreviation = _inline_inline

    def _inline_math(self, node: nodes.Element) -> str:
        return f"${' '.join(node.astext().split())}$"

    def _inline_literal(self, node: nodes.Element) -> str:
        text = node.astext()
        marks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
        return f"{marks} {text} {marks}" if "`" in text else f"{marks}{text}{marks}"

    def _inline_emphasis(self, node: nodes.Element) -> str:
        return f"*{self.inline(node)}*"

    _inline_title_reference = _inline_emphasis

    def _inline_strong(self, node: nodes.Element) -> str:
        return f"**{self.inline(node)}**"

    def _inline_superscript(self, node: nodes.Element) -> str:
        return f"<sup>{self.inline(node)}</sup>"

    def _inline_subscript(self, node: nodes.Element) -> str:
        return f"<sub>{self.inline(node)}</sub>"

    def _inline_target(self, node: nodes.Element) -> str:
        return ""

    def _inline_raw(self, node: nodes.Element) -> str:
        return node.astext() if node.get("format") == "html" else ""

    def _inline_reference(self, node: nodes.Element) -> str:
        words, address = self.inline(node), self._address(node)
        return f"[{words}]({address})" if address else words

    def _address(self, node: nodes.Element) -> str:
        """Where a link leads in the notebooks; a page that is none, and a place that has no heading, are not linked."""
        if re.match(r"[a-z]+:", node.get("refuri", "")):
            return node["refuri"]
        if node.get("reftitle"):  # a citation
            return "#References"
        page, _, place = node.get("refuri", f"#{node.get('refid', '')}").partition("#")
        if not page:
            return f"#{anchor(self.headings[place])}" if place in self.headings else ""
        there = posixpath.normpath(posixpath.join(posixpath.dirname(self.docname), posixpath.splitext(page)[0]))
        return posixpath.splitext(page)[0] + ".ipynb" if there in self.notebooks else ""

    def _inline_image(self, node: nodes.Element) -> str:
        return escaped(node.get("alt", ""))  # the page shows the picture

    _block_image = _inline_image

    def _inline_set_link(self, node: nodes.Element) -> str:
        words = self.inline(node)
        values = json.dumps(node["values"])
        line = f'live.figures["{node["figure"]}"].values = {values}  # {" ".join(node.astext().split())}'
        if node["there"] == node["here"]:
            self.presets.append(line)
            return f"*{words}*"
        notebook = posixpath.relpath(node["there"], posixpath.dirname(node["here"])) + ".ipynb"
        return f"[{words}]({notebook})"  # no line of code: the figure lives in another notebook's kernel


# -- pieces of Markdown


def escaped(text: str) -> str:
    r"""Text in which no character is a mark.

    >>> escaped("2 * 3 < x_i, $5, and a_ b")
    '2 \\* 3 &lt; x_i, \\$5, and a\\_ b'
    """
    text = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace("](", "&#93;(")
    return re.sub(r"[*`$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", text)


def fenced(code: str, language: str) -> str:
    """A block of code.

    >>> fenced("x = 1", "python")
    '```python\\nx = 1\\n```'
    """
    marks = "`" * (1 + max([2, *map(len, re.findall("`+", code))]))
    return f"{marks}{language}\n{code.rstrip()}\n{marks}"


def quoted(text: str) -> str:
    """A quotation, the frame that every front end draws.

    >>> quoted("one\\n\\ntwo")
    '> one\\n>\\n> two'
    """
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def indented(text: str, width: int) -> str:
    """What follows a list's mark: all lines but the first are moved to the right.

    >>> indented("one\\n\\ntwo", 2)
    'one\\n\\n  two'
    """
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)


def anchor(heading: nodes.Element) -> str:
    """The place of a heading, as JupyterLab and nbconvert name it."""
    return re.sub(r"\s", "-", heading.astext())


def _escaped_marker(match: re.Match) -> str:
    return f"{match[1][:-1]}\\{match[1][-1]}"


def _bar(match: re.Match) -> str:
    return r"\Vert " if match[1] else r"\vert "
