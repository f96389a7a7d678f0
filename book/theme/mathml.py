r"""Formulas as MathML: the build turns TeX into what browsers set themselves, without a script.

TeX that math-core does not know, and a character that the formulas' font lacks, is a warning that names page and line.
The font is Latin Modern Math with CHARACTERS alone: add what is missing there, and run tools/math_font.py.
"""

import base64
import html
import re
import string
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import rjsmin
from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)
THEME = Path(__file__).parent
FONT_SCRIPT = "formulas-font.js"
_GREEK = "αβγδεζηθικλμνξοπρςστυφχψωϑϕϖΓΔΘΛΞΠΣΦΨΩ"
# A variable of one letter is drawn by the letter's italic form.
_ITALIC = {
    int(unicodedata.decomposition(chr(code)).split()[1], 16): chr(code)
    for code in [*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)]
    if unicodedata.decomposition(chr(code))
} | {ord("h"): "ℎ"}
CHARACTERS = frozenset(
    string.ascii_letters + string.digits + (string.ascii_letters + _GREEK).translate(_ITALIC) + "ΓΔΘΛΞΠΣΦΨΩ"
    " ℓ𝔼ℕℙℝℤ𝐊ℳ𝒩!#%&'*+,-./:;<=>?@()[]{|}‖∣⌈⌉⌊⌋⟨⟩√¯ˆ˜\u0332…⋯±·×−∗⋅∘∏∑∫∂∞′∼≈≠≡≤≥⪯∈∉⊂⊆∪∩∅⊤→↦⇒\u00a0\u2061\u2063"
)
_SPELLED = str.maketrans({"″": "′′", "‴": "′′′", "\ufe00": None})  # ready-made double primes stand too high
_RELATIONS = frozenset("=≠<>≤≥≈∼∈→⪯,")
# Characters. A formula in the line that is longer may break behind a relation; what is still longer than a phone's
# column scrolls.
_LONG, _WIDE = 16, 24
# What math-core writes as style attributes, as classes of book.css: a content policy may forbid the attributes.
_CLASSES = {
    "margin-left:-0.16666667em;": "formula-back",
    "padding-right:0.1667em;": "formula-gap",
    "text-align: right;justify-items: end;padding-right: 0;": "formula-right",
    "text-align: left;justify-items: start;padding-left: 0;": "formula-left",
    "text-align: left;justify-items: start;padding-right: 0;": "formula-case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "formula-if",
}
_TEX = LatexToMathML(fancy_error=False)


def aligned(tex: str) -> str:
    r"""A display of several lines, as Sphinx has it: a blank line or \\ outside of any environment ends a line.

    >>> aligned("a &= b\n\nc &= d")
    '\\begin{aligned}a &= b\\\\ c &= d\\end{aligned}'
    """
    tex = re.sub(r"\\(begin|end)\{(align|gather)\*?\}", r"\\\1{\2ed}", tex.strip())  # these would count their lines
    tex = re.sub(r"\n\s*\n", r"\\\\ ", tex)
    outside = re.sub(r"(?s)\\begin\{(\w+\*?)\}.*\\end\{\1\}", "", tex)
    return rf"\begin{{aligned}}{tex}\end{{aligned}}" if r"\\" in outside else tex


def tree(tex: str, display: bool) -> ElementTree.Element:
    """The formula's MathML; a ValueError says what is wrong with the TeX."""
    try:
        mathml = _TEX.convert_with_local_state(aligned(tex) if display else tex, displaystyle=display)
    except LatexError as error:
        raise ValueError(str(error).partition(": ")[2]) from None
    root = ElementTree.fromstring(re.sub(r"&(?!lt;|gt;|amp;)\w+;", lambda name: html.unescape(name[0]), mathml))
    for element in root.iter():
        if element.text:
            element.text = element.text.translate(_SPELLED)
        style = element.attrib.pop("style", None)
        if style:
            if style not in _CLASSES:
                raise ValueError(f"no class stands for the style {style!r}; add one to {__name__} and book.css")
            element.set("class", _CLASSES[style])
    lacking = drawn(root) - CHARACTERS
    if lacking:
        raise ValueError(f"the formulas' font lacks {' '.join(sorted(lacking))}; see {__name__}")
    return root


def drawn(root: ElementTree.Element) -> set[str]:
    """The characters that a browser takes from the font."""
    found: set[str] = set()
    for element in root.iter():
        text = element.text or ""
        variable = element.tag == "mi" and len(text) == 1 and "mathvariant" not in element.attrib
        found.update(text.translate(_ITALIC) if variable else text)
    return found


def pieces(root: ElementTree.Element) -> list[ElementTree.Element]:
    """A long formula as several, each of which ends in a relation: between them a line may break.

    >>> [ElementTree.tostring(piece) for piece in pieces(ElementTree.fromstring("<math><mi>a</mi></math>"))]
    [b'<math><mi>a</mi></math>']
    """
    if size(root) <= _LONG:
        return [root]
    parts, ended = [ElementTree.Element("math")], False
    for child in root:
        blank = child.tag == "mspace" or child.text == "\u00a0"  # no line begins with one
        if ended and not blank:
            parts.append(ElementTree.Element("math"))
        parts[-1].append(child)
        ended = child.text in _RELATIONS or ended and blank
    return parts


def size(root: ElementTree.Element) -> int:
    """How many characters a formula has."""
    return len("".join(root.itertext()))


def keep_together(app: Sphinx, doctree: nodes.document) -> None:
    """No line breaks between a formula and what stands at it without a blank: a comma, "-DP", a bracket."""
    for formula in list(doctree.findall(nodes.math)):
        whole = tail = formula
        while isinstance(whole.parent, nodes.Inline) and len(whole.parent) == 1:
            whole = tail = whole.parent
        while isinstance(tail.parent, nodes.Inline) and tail.parent[-1] is tail:  # *if $x$*, then
            tail = tail.parent
        start, end = re.search(r"[^\s–—]*$", beside(whole, -1))[0], re.match(r"[^\s–—]*[–—]?", beside(tail, 1))[0]
        parent, place = whole.parent, whole.parent.index(whole)
        if end:
            tail.parent[tail.parent.index(tail) + 1] = nodes.Text(beside(tail, 1).removeprefix(end))
        if start:
            parent[place - 1] = nodes.Text(beside(whole, -1).removesuffix(start))
        if start or end:
            parent[place] = nodes.inline("", start, classes=["formula"])
            parent[place] += [whole, nodes.Text(end)]


def beside(node: nodes.Element, step: int) -> str:
    """The text right before (-1) or after (1) a node, if it is text that stands there."""
    place = node.parent.index(node) + step
    found = node.parent[place] if 0 <= place < len(node.parent) else None
    return str(found) if isinstance(found, nodes.Text) else ""


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """A formula in the line."""
    between = '</span><wbr /><span class="formula">' if "formula" in node.parent["classes"] else "<wbr />"
    for number, piece in enumerate(pieces(converted(self, node, False))):
        self.body.append(between * bool(number))
        wide = size(piece) > _WIDE
        self.body.append(f'<span class="formula-wide">{written(piece)}</span>' if wide else written(piece))
    raise nodes.SkipNode


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """A display, which scrolls where it is too wide."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f"{written(converted(self, node, True))}</div>\n")
    raise nodes.SkipNode


def converted(self: HTML5Translator, node: nodes.Element, display: bool) -> ElementTree.Element:
    """The formula's MathML; where the TeX is wrong, a warning."""
    try:
        return tree(node.astext(), display)
    except ValueError as error:
        LOGGER.warning(f"formula {node.astext()!r}: {error}", location=node)
        return ElementTree.Element("math")


def written(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, "unicode")


def write_font(app: Sphinx) -> None:
    """Put the script that carries the font into the site before any page is written (see formulas-font.js)."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        font = base64.b64encode((THEME / "static" / "formulas.woff2").read_bytes()).decode()
        script = (THEME / FONT_SCRIPT).read_text("utf-8").replace("FONT", font)
        (static / FONT_SCRIPT).write_text(rjsmin.jsmin(script), "utf-8")


def add_font(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Add that script to a page with formulas."""
    if app.builder.format == "html" and "<math" in context.get("body", ""):
        app.add_js_file(FONT_SCRIPT)


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("builder-inited", write_font)
    app.connect("html-page-context", add_font)
    app.connect("doctree-read", keep_together, priority=400)  # before Sphinx takes the titles
