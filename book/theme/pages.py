"""What the theme's templates ask for, and what a page is made of before it is written.

The templates beside this file own the markup around a chapter. Here: the content policy, the book's parts, a page's
description, and what is changed in a chapter's tree: boxes that fold are `<details>`, wide tables scroll in their own
box, the body of a theorem is no section, plain words of code need no element.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from html import escape, unescape
from pathlib import Path

import rcssmin
import rjsmin
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Operator, Punctuation, Whitespace, _TokenType
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.writers.html5 import HTML5Translator

from livefigures.sphinx.predict import predict

THEME = Path(__file__).parent
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)
# Netlify and Cloudflare Pages read this file; on other hosts the same lines go into the server's settings.
_HEADERS = f"/*\n  Content-Security-Policy: {POLICY}\n  X-Content-Type-Options: nosniff\n"
# Sheets and scripts of Sphinx and its extensions, in whose place book.css and book.js stand.
_REPLACED = ("pygments.", "basic.", "mystnb.", "proof.", "exercise.", "documentation_opt", "doctools.", "sphinx_high")
_UNSTYLED = re.compile(r'(<[^<>]* class="(?:[^"]* )?)docutils ?(?:container)?')  # on every cell and word of code
# What neither a style nor a script knows: elements around a number, a link's words or code, and classes.
_UNSTYLED_ELEMENT = re.compile(r'<span class="(?:output text_plain|(?:doc )?std std-\w+|pre)">([^<]*)</span>')
_TWO_BOXES = re.compile(
    r'<div class="highlight-\w+ notranslate"><div class="highlight">(<pre>.*?</pre>\n?)</div>\n</div>', re.S
)
UNSTYLED_CLASSES = {"reference", "internal", "simple", "arabic", "literal", "row-odd", "row-even", "tag_hide-input"} | {
    "highlight-ipython3", "highlight-myst-ansi", "tex2jax_ignore", "mathjax_ignore"
}  # fmt: skip
_CODE_IN_TABLE = re.compile(r"(<code[^<>]*>)([^<]*)(?=</code>)")
_THOUSANDS = re.compile("(?<![\\d.])\\d{1,3}(?:[ \u00a0]\\d{3})+(?!\\d)")
_AS_TYPED = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw)
_CLASSES = re.compile(r'(<[a-z][^<>]*?) class="([^"]*)"')
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
_WIDE = re.compile(r"\bGame\(|\bpanels=")  # a figure that takes the whole width
_PHONE = 34  # characters of code across a phone
PLAIN = (Name, Name.Namespace, Operator, Punctuation, Whitespace)


class Coloured(HtmlFormatter):
    """Code with colours, and no element for words in the colour of plain text: they are half of a chapter's words."""

    def _get_css_classes(self, ttype: _TokenType) -> str:
        return "" if ttype in PLAIN else super()._get_css_classes(ttype)

    def wrap(self, source: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        return super().wrap((kind, hung(line)) for kind, line in source)


def hung(line: str) -> str:
    """A line of code that a phone breaks, with a class for its blanks: what goes on below hangs behind them.

    >>> hung("    return 1\\n"), hung("    " + "x" * 40)[:27]
    ('    return 1\\n', '<span class="i4">    xxxxxx')
    """
    text = unescape(re.sub("<[^<>]*>", "", line)).rstrip()
    blanks = min(len(text) - len(text.lstrip()), 12) // 4 * 4
    return f'<span class="i{blanks}">{line}</span>' if len(text) > _PHONE else line


class fold(nodes.General, nodes.Element):  # noqa: N801 - Sphinx finds a node's visitor by its class name
    """A box that opens: a proof, a solution."""


class fold_title(nodes.TextElement):  # noqa: N801
    """What is read while it is folded."""


class scroll(nodes.General, nodes.Element):  # noqa: N801
    """A box whose content may be wider than the page."""


def visit(self: HTML5Translator, node: nodes.Element, tag: str, name: str = "") -> None:
    self.body.append(self.starttag(node, tag, CLASS=name))


def depart(self: HTML5Translator, node: nodes.Element, tag: str) -> None:
    self.body.append(f"</{tag}>\n")


def visit_code(self: HTML5Translator, node: nodes.Element) -> None:
    what, names = what_code(node.astext())
    label = f' aria-label="{what}: {", ".join(names)}"' if names else ""
    self.body.append(f'<details class="fold code"><summary{label}>{what}</summary>\n')


def what_code(text: str) -> tuple[str, list[str]]:
    """What a folded cell is, and the names that tell it from others: of its figure, else of its functions.

    >>> what_code("def gap(y):\\n    return y\\n"), what_code('live.Figure(name="rdp", ...)')
    (('Code', ['gap']), ('Code of this figure', ['rdp']))
    """
    if "live.Figure(" in text:
        return "Code of this figure", re.findall(r'\bname="([a-z0-9-]+)"', text)[:1]
    return "Code", re.findall(r"(?m)^def (\w+)", text)[:3]


def visit_citation(self: HTML5Translator, node: nodes.citation) -> None:
    """An item of a list: docutils gives it a role that ARIA has given up, and that is no item."""
    HTML5Translator.visit_citation(self, node)
    self.body[-1] = self.body[-1].replace("doc-biblioentry", "listitem")


def reshape(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Change the tree; last of all, since the notebooks are made of the same tree."""
    if app.builder.format != "html":
        return
    hold_thousands(doctree)
    numbers = app.env.toc_fignumbers.get(docname, {})
    for box in list(doctree.findall(nodes.Admonition)):
        for body in [child for child in box.children if isinstance(child, nodes.section)]:
            put(body, body.children)
        if "dropdown" in box["classes"]:
            put(box, [folded(box, numbers)])
    for cell in list(doctree.findall(shows_figure)):
        cell.append(cell.pop(0))  # a figure stands where the text has led to, and its code below it
    for question in list(doctree.findall(predict)):
        cell = question.next_node(descend=False, siblings=True)
        if shows_figure(cell) and isinstance(cell.parent, nodes.section) and not _WIDE.search(cell.astext()):
            ask_beside(question, cell)
    for table in list(doctree.findall(nodes.table)):
        box = scroll()
        put(table, [box])
        box += table


def hold_thousands(doctree: nodes.document) -> None:
    """Put a thin space at which no line breaks into 100 000; what is code stays as one types it."""
    for text in list(doctree.findall(nodes.Text)):
        held = _THOUSANDS.sub(lambda number: re.sub("[ \u00a0]", "\u202f", number[0]), text.astext())
        if held != text.astext() and not isinstance(text.parent, _AS_TYPED):
            text.parent.replace(text, nodes.Text(held))


def shows_figure(node: nodes.Node | None) -> bool:
    """Whether a node is a cell with a figure, and with code that is folded."""
    if not isinstance(node, nodes.container) or node.get("nb_element") != "cell_code" or len(node) < 2:
        return False
    return bool(node.get("hide_mode")) and "live.Figure(" in node.astext()


def ask_beside(question: nodes.Element, cell: nodes.Element) -> None:
    """A question and the cell of its picture in one box, which a wide window sets side by side."""
    box = nodes.container(classes=["asked"])
    put(question, [box])
    cell.parent.remove(cell)
    box += [question, cell]


def put(node: nodes.Element, others: list[nodes.Node]) -> None:
    """Others in place of a node, whose ids and classes go with it."""
    place = node.parent.index(node)
    node.parent[place : place + 1] = others


def folded(box: nodes.Element, numbers: dict) -> fold:
    """A box as one that opens. A link in its title would lead away whoever wants to open it."""
    title = next(box.findall(nodes.title))
    for link in list(title.findall(nodes.reference)):
        put(link, link.children)
    if title.astext().strip() == "Proof":
        title += nodes.Text(proved(box, numbers))
    classes = [name for name in box["classes"] if name != "dropdown"]
    rest = [child for child in box.children if child is not title]
    return fold("", fold_title("", "", *title.children), *rest, ids=box["ids"], classes=classes)


def proved(box: nodes.Element, numbers: dict) -> str:
    """What a proof is one of, " of Theorem 6": the statement last made before it; "" where none was."""
    before = box.parent.children[: box.parent.index(box)]
    for made in (one for one in reversed(before) if isinstance(one, nodes.Element) and one.get("realtype")):
        known = numbers.get(made.get("countertype", ""), {})
        number = next((".".join(map(str, known[ident])) for ident in made["ids"] if ident in known), "")
        return f" of {made['realtype'].capitalize()} {number}".rstrip()
    return ""


def parts(app: Sphinx) -> list[dict]:
    """The book's parts as _toc.yml has them, with its pages numbered through."""
    site, found, number = app.env.external_site_map, [], 1
    for numeral, tree in zip(_ROMAN, site[site.root.docname].subtrees, strict=False):
        pages = [{"name": name, "title": app.env.titles[name].astext()} for name in map(str, tree.items)]
        found.append({"caption": f"{numeral} {tree.caption}" if tree.caption else "", "first": number, "pages": pages})
        number += len(pages)
    return found


def listed(parts: list[dict], name: str) -> list[dict]:
    """The parts as the side bar of a page lists them: the lessons only beside their plan and one another."""
    if "/lessons/" in name or name.endswith("/teaching"):
        return parts
    return [part | {"pages": [page for page in part["pages"] if "/lessons/" not in page["name"]]} for part in parts]


def place(parts: list[dict], name: str) -> dict | None:
    """A page's part and number."""
    for part in parts:
        for number, page in enumerate(part["pages"], part["first"]):
            if page["name"] == name:
                return {"caption": part["caption"], "number": number}
    return None


def version(file: Path) -> str:
    """What stands behind a file's address and changes with its text: no browser keeps an old one."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def minify(app: Sphinx, error: Exception | None) -> None:
    """Take the comments and blanks out of the site's own script and style sheet."""
    static = Path(app.outdir, "_static")
    for name, shorter in (("book.js", rjsmin.jsmin), ("book.css", rcssmin.cssmin)):
        if (static / name).exists():
            (static / name).write_text(shorter((THEME / "static" / name).read_text("utf-8")), "utf-8")


def ask(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """What the templates ask for."""
    book = parts(app)
    context |= {"policy": POLICY, "parts": listed(book, pagename), "here": place(book, pagename)}
    context["edition"] = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]
    context["root_title"] = app.env.titles[app.config.root_doc].astext()
    context |= {part: without_unstyled(context.get(part, "")) for part in ("body", "toc")}
    context["display_toc"] = context.get("display_toc", False)
    context["script_version"] = version(THEME / "static" / "book.js")
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if not Path(str(file.filename)).name.startswith(_REPLACED)]
    if 'name="description"' not in context.get("metatags", ""):
        text = first_paragraph(doctree) if doctree else ""
        content = escape(shortened(text or app.config.book_description))
        context["metatags"] = f'{context.get("metatags", "")}<meta name="description" content="{content}">\n'


# The title of a theorem, a definition or an exercise, which screen readers find as a heading.
_NUMBERED = '<p class="admonition-title"><span class="caption-number">'


def without_unstyled(html: str) -> str:
    """The same page without the elements and classes that mean nothing in it: they are half a kilobyte on the wire.

    >>> without_unstyled('<a class="reference internal" href="#a"><span class="std std-ref">a</span></a>')
    '<a href="#a">a</a>'
    >>> without_unstyled('<a class="reference external" href="a">at most <span class="output text_plain">3</span></a>')
    '<a class="external" href="a">at most 3</a>'
    >>> without_unstyled('<h2>Noise<a class="headerlink" href="#noise">¶</a></h2>')  # is read as "Noise"
    '<h2>Noise<a aria-hidden="true" tabindex="-1" class="headerlink" href="#noise">¶</a></h2>'
    """
    html = html.replace('<a class="headerlink"', '<a aria-hidden="true" tabindex="-1" class="headerlink"')
    html = html.replace(_NUMBERED, _NUMBERED.replace(">", ' role="heading" aria-level="3">', 1))
    html = _UNSTYLED.sub(r"\1", html).replace('<svg xmlns="http://www.w3.org/2000/svg"', "<svg")  # which HTML knows
    html = _TWO_BOXES.sub(r'<div class="highlight notranslate">\1</div>', html.replace("<pre><span></span>", "<pre>"))
    html = _CLASSES.sub(_styled, _UNSTYLED_ELEMENT.sub(r"\1", html))
    return re.sub(r"(?s)<table.*?</table>", lambda table: _CODE_IN_TABLE.sub(_breakable, table[0]), html)


def _breakable(code: re.Match) -> str:
    """A name in a narrow column, which breaks behind its dots and underscores.

    >>> _breakable(_CODE_IN_TABLE.match("<code>rdp.of_gaussian(0.5)</code>"))
    '<code>rdp.<wbr>of_<wbr>gaussian(0.5)'
    """
    return code[1] + re.sub(r"(?<=[._])(?=[^\W\d])", "<wbr>", code[2])


def _styled(tag: re.Match) -> str:
    classes = " ".join(name for name in tag[2].split() if name not in UNSTYLED_CLASSES)
    return f'{tag[1]} class="{classes}"' if classes else tag[1]


def first_paragraph(doctree: nodes.document) -> str:
    """The first paragraph of running text without a formula: TeX has no place in a description."""
    paragraphs = (node for node in doctree.findall(nodes.paragraph) if isinstance(node.parent, nodes.section))
    plain = (node.astext() for node in paragraphs if not list(node.findall(nodes.math)))
    return next((" ".join(text.split()) for text in plain if len(text) > 60), "")


def shortened(text: str, length: int = 160) -> str:
    """Whole sentences up to a length, or whole words where the first sentence is longer.

    >>> shortened("One. Two is long.", 8), shortened("One two three", 9)
    ('One.', 'One two …')
    """
    if len(text) <= length:
        return text
    sentence = text.rfind(". ", 0, length)
    return text[: sentence + 1] if sentence > 0 else text[: text.rfind(" ", 0, length - 1)] + " …"


def own_pages(app: Sphinx, config: Config) -> None:
    """The site's address leads to the book's first page; the search page is ours (search.py), not Sphinx's."""
    config.html_additional_pages = config.html_additional_pages | {"index": "cover.html", "search": "search.html"}


def prepare(app: Sphinx) -> None:
    if app.builder.format == "html":
        app.builder.search = False
        app.builder.highlighter.formatter = Coloured


def write_headers(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.name == "html":
        Path(app.outdir, "_headers").write_text(_HEADERS, "utf-8")


def setup(app: Sphinx) -> None:
    app.add_config_value("book_description", "", "html")  # for search engines, on a page without a paragraph
    app.add_html_theme("book", str(THEME))
    for node, tag, name in ((fold, "details", "fold"), (fold_title, "summary", ""), (scroll, "div", "scroll")):
        app.add_node(node, html=(partial(visit, tag=tag, name=name), partial(depart, tag=tag)))
    app.add_node(HideCodeCellNode, override=True, html=(visit_code, partial(depart, tag="details")))
    app.add_node(nodes.citation, override=True, html=(visit_citation, HTML5Translator.depart_citation))
    app.connect("config-inited", own_pages)
    app.connect("builder-inited", prepare)
    app.connect("doctree-resolved", reshape, priority=950)
    app.connect("html-page-context", ask, priority=900)
    app.connect("build-finished", minify)
    app.connect("build-finished", write_headers)
