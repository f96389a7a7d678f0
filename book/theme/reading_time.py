"""Print how long a chapter and its sections take a first reader, without and with what is folded, and where to pause.

A reader who meets the subject for the first time reads about 80 words a minute, thinking included. A formula takes
longer than a word, a figure is looked at and moved, and a question is thought about. Exercises take time of their own,
and of the replies to a question's choices a reader reads one at most, so neither is counted.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx

from book.theme.pages import fold
from livefigures.sphinx.predict import predict, predict_reply

A_MINUTE = 80
FORMULA, DISPLAYED_FORMULA = 4, 20  # in words, as all of these
FIGURE, QUESTION = A_MINUTE, 3 * A_MINUTE // 2
SHORTEST = 3  # minutes: below, a page says nothing
SITTING = 90  # minutes, as a lesson has: a longer page is read in several sittings
TEACHERS = re.compile(r"chapters/(teaching|lessons/.*)")  # pages that are used and not read from end to end
_ORDINALS = ("second", "third", "fourth", "fifth")
_PASSED_OVER = (nodes.literal_block, nodes.raw, nodes.comment, nodes.Invisible, predict_reply)


def words(node: nodes.Node, folded: bool) -> int:
    """Return for how many words' time a part is read; what is folded counts only if asked for."""
    if isinstance(node, nodes.raw) and '<figure class="live"' in node.astext():
        return FIGURE
    if isinstance(node, nodes.math):
        return FORMULA
    if isinstance(node, nodes.math_block):
        return DISPLAYED_FORMULA
    if isinstance(node, nodes.Text):
        return len(node.astext().split())
    if isinstance(node, _PASSED_OVER) or is_exercise(node) or (is_folded(node) and not folded):
        return 0
    return QUESTION * isinstance(node, predict) + sum(words(child, folded) for child in node.children)


def is_folded(node: nodes.Node) -> bool:
    """Whether a part is folded, also before pages.py has made a fold of it."""
    return isinstance(node, fold) or (isinstance(node, nodes.Admonition) and "dropdown" in node["classes"])


def is_exercise(node: nodes.Node) -> bool:
    """An exercise or its solution."""
    return isinstance(node, nodes.Element) and not {"exercise", "solution"}.isdisjoint(node.get("classes", []))


def minutes(node: nodes.Node, folded: bool) -> int:
    return round(words(node, folded) / A_MINUTE)


def pauses(chapter: nodes.Element) -> list[nodes.section]:
    """Return the sections with which the second, the third, ... sitting begins, so that all take about as long."""
    begun, found = 0, []
    for part in chapter.children:
        found += [(begun, part)] if isinstance(part, nodes.section) else []
        begun += words(part, folded=False)
    sittings = -(-begun // (SITTING * A_MINUTE))
    ends = [begun * place / sittings for place in range(1, sittings)]
    return [min(found[1:], key=lambda each: abs(each[0] - end))[1] for end in ends if len(found) > 1]


def with_minutes(contents: str, chapter: nodes.Element) -> str:
    """Return a chapter's contents with the minutes of each of its sections that takes one or more."""
    for part in chapter.children:
        if isinstance(part, nodes.section) and (long := minutes(part, folded=False)):
            link = rf'(<a [^>]*href="#{re.escape(part["ids"][0])}"[^>]*>.*?)(</a>)'
            contents = re.sub(
                link, rf'\1 <small class="minutes">{long}&nbsp;min</small>\2', contents, count=1, flags=re.DOTALL
            )
    return contents


def say(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    spine, whole = (minutes(doctree, folded) if doctree else 0 for folded in (False, True))
    if spine >= SHORTEST and context["sourcename"] and not TEACHERS.fullmatch(pagename):
        opened = f", {whole} with the folded parts" if whole > spine else ""
        chapter = doctree.next_node(nodes.section)
        context["toc"] = with_minutes(context.get("toc", ""), chapter)
        left_out = ", without the exercises" if any(map(is_exercise, doctree.findall())) else ""
        context["reading"] = f"{spine} minutes{opened}{left_out}"
        context["pauses"] = [
            {"ordinal": ordinal, "title": part.next_node(nodes.title).astext(), "anchor": part["ids"][0]}
            for ordinal, part in zip(_ORDINALS, pauses(chapter), strict=False)
        ]


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", say)
