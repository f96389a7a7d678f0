"""A lesson's script is an ordinary page, chapters/lessons/lesson_N, of which a class sees the slides and the figures.

The directive `slide` holds what is shown to the class, and each `ask` or `present` link shows a figure. In the order of
the page they are the lesson's steps; the rest of the page is for the teacher. lesson.js goes through them, on whatever
page a step's figure is, so it needs the addresses of all steps.
"""

import json
import re
from html import escape
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from book.lessons import answers, codes, desk, waiting
from book.notebooks import solutions
from livefigures.page import bundle
from livefigures.sphinx.presets import fragment, set_link

HERE = Path(__file__).parent
_PAGE = re.compile(r".*/lesson_(\d+)")
_BAR = """<div class="lesson-bar" role="region" aria-label="Lesson">
<button type="button" class="with-script">Open a window for the class</button>
<a href="{first}">Show the lesson in this window</a> <span role="status"></span></div>
"""
_MARKS = """<p>The class sees the numbered steps. Say what is marked “Say”, in your own words if you prefer. A list
below a figure has one entry for each press of the key. <a href="../teaching.html">The plan of the course</a> explains
the rest.</p>
"""
# Written by book/handouts/sheets.py.
_SHEETS = """<p>To print: <a href="../../handouts/lesson-{number}/sheet.html">the homework</a>,
<a href="../../handouts/lesson-{number}/sheet-ten-rows.html">more practice on ten rows</a>, <a
href="../../handouts/lesson-{number}/sheet-harder.html">a harder exercise</a>{key}.</p>
"""
_KEY = """, and for you <a href="../../handouts/lesson-{number}/key.html">the key</a>, a <a
href="../../handouts/lesson-{number}/key-short.html">short key</a>, and a <a
href="../../handouts/lesson-{number}/card.html">card</a> with this lesson in short"""


_GLANCE = """<details class="lesson-glance"><summary>The lesson at a glance</summary>
<table><thead><tr><th>minutes</th><th>part</th><th>steps</th></tr></thead><tbody>
{rows}</tbody></table></details>
"""


class Slide(SphinxDirective):
    """What the class sees of a step that shows no figure."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        slide = nodes.container(classes=["slide"])
        self.state.nested_parse(self.content, self.content_offset, slide)
        return [slide]


def is_step(node: nodes.Node) -> bool:
    """Whether a class sees it: a slide, or a link that opens a figure in present mode."""
    if isinstance(node, set_link):
        return bool(node.get("present"))
    return isinstance(node, nodes.container) and "slide" in node["classes"]


def add_minutes(app: Sphinx, doctree: nodes.document) -> None:
    """Say from which minute of the lesson to which each part goes, where its length stands below its title."""
    minute = 0
    if not _PAGE.fullmatch(app.env.docname):
        return
    for length in doctree.findall(nodes.emphasis):
        if found := re.fullmatch(r"(\d+) minutes\.", length.astext()):
            begin, minute = minute, minute + int(found[1])
            length[:] = [nodes.Text(f"{found[1]} minutes, from minute {begin} to {minute}.")]
            length.parent["classes"].append("minutes")
            length.parent.parent["minutes"] = f"{begin} to {minute}"


def mark_words(app: Sphinx, doctree: nodes.document) -> None:
    """Give a class to what the teacher says and to what the teacher does, which the style marks with a word each."""
    for part in doctree.findall(lambda node: isinstance(node, nodes.section) and "minutes" in node):
        for node in part.findall(lambda node: isinstance(node, nodes.paragraph | nodes.block_quote)):
            known = node["classes"] or any(node.findall(is_step))  # a step has its number in place of a mark
            if not known and is_for_the_teacher(node):
                node["classes"].append("say" if isinstance(node, nodes.block_quote) else "do")


def is_for_the_teacher(node: nodes.Node) -> bool:
    """Whether it stands in the open part of a script: on no slide, in no box, and in nothing that is said."""
    while not isinstance(node.parent, nodes.section):
        node = node.parent
        if not isinstance(node, nodes.list_item | nodes.bullet_list | nodes.enumerated_list):
            return False
    return True


def glance(doctree: nodes.document) -> str:
    """Return a table of the parts of a lesson as HTML: its minutes, its title, the numbers of its steps."""
    rows, step = "", 0
    for part in doctree.findall(lambda node: isinstance(node, nodes.section) and "minutes" in node):
        first, step = step + 1, step + sum(1 for _ in part.findall(is_step))
        steps = f"{first} to {step}" if step > first else f"{step}" * (step == first)
        title = escape(part.next_node(nodes.title).astext())
        rows += f"<tr><td>{part['minutes']}</td><td>{title}</td><td>{steps}</td></tr>\n"
    return _GLANCE.format(rows=rows)


def optional(env: BuildEnvironment, page: str) -> set[str]:
    """The numbers of the steps that are shown only if there is time: the field `optional` at the top of a script."""
    return set(str(env.metadata[page].get("optional", "")).split())


def addresses(page: str, doctree: nodes.document, passed: set[str]) -> list[str]:
    """The address of each step of a lesson's page, from the site's root; the clicker passes over the steps `passed`."""
    number, found = _PAGE.fullmatch(page)[1], []
    steps = list(zip(doctree.findall(is_step), waiting.in_addresses(doctree, is_step), strict=True))
    between = set(map(str, range(2, len(steps))))  # the first step begins the lesson, and the last one ends it
    if unknown := passed - between:
        raise ExtensionError(f"{page}: optional must be steps from 2 to {len(steps) - 1}, got {min(unknown)}")
    for step, (node, waits) in enumerate(steps):
        there, place = page, ""
        if isinstance(node, set_link):
            there, place = node["there"], f"{waits}#{fragment(node['figure'], node['values'])};{node['present']}"
        mark = "&optional" if str(step + 1) in passed else ""
        found.append(f"{quote(there)}.html?lesson={number}.{step}{mark}{place}")
    return found


def add_links(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Number the steps, with a link to each, and put what begins the lesson below the title. Nothing comes later."""
    if not (_PAGE.fullmatch(page) and app.builder.format == "html"):
        return
    passed = optional(app.env, page)
    links = [f"../../{escape(address)}" for address in addresses(page, doctree, passed)]
    for place, (node, link) in enumerate(zip(list(doctree.findall(is_step)), links, strict=True), 1):
        more, words = (" optional", " (optional)") if str(place) in passed else ("", "")
        number = nodes.raw("", f'<a class="step{more}" href="{link}">Step {place}{words}</a> ', format="html")
        parent, before = (node.parent, node.parent.index(node)) if isinstance(node, set_link) else (node, 0)
        parent.insert(before, number)
    title = next(doctree.findall(nodes.title))
    number = _PAGE.fullmatch(page)[1]
    key = _KEY.format(number=number) if solutions.wanted() else ""
    parts = [_BAR.format(first=links[0]), glance(doctree), desk.html(doctree, is_step), _MARKS]
    top = "".join(parts) + _SHEETS.format(number=number, key=key)
    title.parent.insert(title.parent.index(title) + 1, nodes.raw("", top, format="html"))


def note(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the steps of a lesson with what Sphinx keeps of a page between builds."""
    page = app.env.docname
    if _PAGE.fullmatch(page):
        app.env.metadata[page]["steps"] = addresses(page, doctree, optional(app.env, page))


def _lessons(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the steps of each lesson, by its page."""
    return {page: kept["steps"] for page, kept in env.metadata.items() if "steps" in kept}


def script(lessons: dict[str, list[str]], questions: dict[str, str]) -> str:
    """lesson.js behind the steps of all lessons, by number, and the addresses of the questions that have a code."""
    steps = {_PAGE.fullmatch(page)[1]: found for page, found in sorted(lessons.items())}
    known = {"lessons": steps} | ({"lessonCodes": questions} if questions else {})
    told = "".join(f"globalThis.{name}={json.dumps(value, separators=(',', ':'))};" for name, value in known.items())
    return told + bundle.script_of([HERE / "hands.js", HERE / "lesson.js"])


def questions(env: BuildEnvironment, site: str) -> dict[str, str]:
    """The address of the question of each step that asks one, on the published site."""
    found = {}
    for steps in _lessons(env).values():
        for address in filter(lambda step: step.endswith(":step=0"), steps):
            page, number, figure = re.fullmatch(
                r"(.*)\.html\?lesson=([\d.]+)[^#]*#.*;present=([^:]+):step=0", address
            ).groups()
            if question := codes.question_of(env.get_doctree(page), figure):
                found[number] = f"{site.rstrip('/')}/{page}.html#{question}"
    return found


def write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put script and style into the site before any page is written: Sphinx adds the version to the style's address.

    Return the lessons' pages, which are written anew since their answers come from other pages.
    """
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        asked = questions(env, app.config.html_baseurl) if app.config.html_baseurl else {}
        (static / "lesson.js").write_text(script(_lessons(env), asked), "utf-8")
        codes.write(static / "codes", asked)
        (static / "lesson.css").write_text(bundle.style_of([HERE / "lesson.css"]), "utf-8")
    return list(_lessons(env))


def add_to_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """A lesson's page has the style. The script comes when it is wanted, here or on a figure's page (theme/book.js)."""
    if app.builder.format == "html" and _PAGE.fullmatch(pagename):
        app.add_css_file("lesson.css")


def setup(app: Sphinx) -> None:
    app.add_directive("slide", Slide)
    app.add_role("waits", waiting.Waits())
    app.add_role("headline", waiting.Headline())
    app.add_role("desk", desk.Desk())
    app.add_post_transform(answers.Answers)
    app.connect("doctree-read", note)
    app.connect("doctree-read", add_minutes)
    app.connect("doctree-read", mark_words)
    app.connect("env-updated", write)
    app.connect("doctree-resolved", add_links)
    app.connect("html-page-context", add_to_page, priority=600)
