"""Prose in the colours of the picture: the role ``curve``.

{curve}`compound <growth>` has the colour and the dash of the curve of that name, and lights it when pointed at.
{curve}`what the bank pays <growth: compound>` says it in other words; a mark is named by the name it is declared under.
On a page with one figure its name can be left out: {curve}`compound`.

When the build finishes, each name is compared with what the page says of its figures: an unknown one fails the build.
"""

import re
from collections.abc import Iterator
from html import escape, unescape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

from livefigures.sphinx.checks import is_excused, missing
from livefigures.sphinx.errors import line_of
from livefigures.sphinx.finished import keep, pages, written
from livefigures.sphinx.markup import writes
from livefigures.sphinx.page_facts import PageFacts, facts_of

LOGGER = logging.getLogger(__name__)
_ROLE = re.compile(r"(?P<words>[^<>]+?)\s*(?:<(?P<figure>[\w-]+)\s*(?::\s*(?P<part>\S.*?)\s*)?>)?", re.DOTALL)
_FORM = "name of a curve <figure-name>, or words <figure-name: name of a curve>"
_WORD = re.compile(r'<span class="live-name" data-figure="([^"]*)" data-part="([^"]*)">')
# A sample of the part, by the class of its picture; a curve's own dashes come before these.
_SAMPLES = {"live-line": "live-dash-dashed", "live-band": "live-area"}


class curve_name(nodes.inline):  # noqa: N801 - Sphinx finds a node's visitor by its class name
    """A curve's name; where there is no HTML it is its text."""


def parse_name(text: str) -> tuple[str, str, str]:
    """The role's text as (words, figure or "", part).

    >>> parse_name("compound <growth>"), parse_name("the bank's <growth: compound>"), parse_name("compound")
    (('compound', 'growth', 'compound'), ("the bank's", 'growth', 'compound'), ('compound', '', 'compound'))
    >>> parse_name("the tail <loss: P(L > ε)>")
    ('the tail', 'loss', 'P(L > ε)')
    """
    match = _ROLE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected {_FORM}, got {text!r}")
    words = " ".join(match["words"].split())
    return words, match["figure"] or "", " ".join((match["part"] or words).split())


class CurveRole(SphinxRole):
    """The role itself: a word of the page."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        source, counted = self.get_source_info()
        line = line_of(source, counted, f"`{self.text}`")
        try:
            words, figure, part = parse_name(self.text)
        except ValueError as error:
            self.env.note_reread()  # so that the next build says it again
            message = self.inliner.reporter.warning(f"curve: {error}", line=line)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]
        return [curve_name("", words, figure=figure, part=part, place=f"{source}:{line}")], []


def visit_curve_name(self: HTML5Translator, node: curve_name) -> None:
    told = "".join(f' data-{key}="{escape(node[key])}"' for key in ("figure", "part"))
    self.body.append(f'<span class="live-name"{told}>')


def give_looks(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Give each name of a page the look that its curve has in the page's figure."""
    if app.builder.format == "html" and 'class="live-name"' in context.get("body", ""):
        context["body"] = with_looks(context["body"])


def with_looks(body: str) -> str:
    """The page's names with their figures and the classes of their looks; one that means nothing stays as it is."""
    facts = facts_of(body)

    def looking(match: re.Match) -> str:
        figure = match[1] or escape(the_only(facts))
        look = facts.looks(unescape(figure)).get(unescape(match[2]), "")
        return f'<span class="{" ".join(["live-name", *classes(look)])}" data-figure="{figure}" data-part="{match[2]}">'

    return re.sub(_WORD, looking, body)


def the_only(facts: PageFacts) -> str:
    """The name of a page's only figure, or ""."""
    return facts.figures[0] if len(set(facts.figures)) == 1 else ""


def the_figure(facts: PageFacts, figure: str) -> str:
    """The figure of a page that a name means, "" if it is missing or not said."""
    return figure if figure in facts.figures else "" if figure else the_only(facts)


def classes(look: str) -> list[str]:
    """The classes of a name, by those that a part has in the picture.

    >>> classes("live-curve live-colour-cycle-1 live-dash-dotted"), classes("live-band live-colour-cycle-2")
    (['live-colour-cycle-1', 'live-dash-dotted'], ['live-colour-cycle-2', 'live-area'])
    """
    if " " not in look:  # nothing in the picture
        return []
    shape, colour, *dash = look.split()
    return [colour, *(dash or [_SAMPLES.get(shape, "live-mark")])]


def faults(facts: PageFacts, page: str, figure: str, part: str) -> Iterator[str]:
    """What is wrong with one name: `facts` are those of its page."""
    if name := the_figure(facts, figure):
        known = facts.curves(name)
        if part not in known:
            yield f"{name!r} has no curve or mark {part!r}; it has: {', '.join(known) or 'none'}"
    elif figure or not facts.figures:
        yield missing(facts, page, figure)
    else:
        yield f"say of which figure {part!r} is a curve, as in {part} <{facts.figures[0]}>: {', '.join(facts.figures)}"


def check_names(app: Sphinx, exception: Exception | None) -> None:
    """Every name against its finished page."""
    known = pages(app, exception)
    for page, name in written(app, known, curve_name):
        facts, figure = known[page], name["figure"]
        if not the_figure(facts, figure) and is_excused(facts, figure, app.env, page):
            continue
        for fault in faults(facts, page, figure, name["part"]):
            LOGGER.warning("curve: " + fault, location=name["place"])


def setup(app: Sphinx) -> None:
    app.add_role("curve", CurveRole())
    app.add_node(curve_name, html=(visit_curve_name, writes("</span>")))
    app.connect("html-page-context", give_looks)
    app.connect("doctree-read", keep(curve_name))
    app.connect("build-finished", check_names, priority=650)
