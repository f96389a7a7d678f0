"""Prose that sets sliders: the role ``set``, and for a class ``ask`` and ``present``.

{set}`five years at ten per cent <growth: rate=0.1, t=5>` sets two sliders of the figure of that name on the same page;
{set}`text <interest.md#growth: rate=0.1>` leads to the figure of another page. A choice is set by the name of an
option, {set}`coins <calculator: mechanism=Randomized response>`, or as links have it, in small letters with dashes
for spaces.

{present}`text <interest.md#growth: rate=0.1>` opens the figure in present mode, and {ask}`text <...>` the
question that leads to it, from which the speaker goes on step by step.

When the build finishes, figure, sliders and values are compared with what the page says of its figure: a preset to
nowhere fails the build.
"""

import json
import math
import posixpath
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.writers.html5 import HTML5Translator

from livefigures.declare.numbers import typed
from livefigures.declare.options import closest
from livefigures.declare.sliders import key_of
from livefigures.sphinx.checks import is_excused, missing
from livefigures.sphinx.errors import line_of
from livefigures.sphinx.finished import keep, pages, written
from livefigures.sphinx.markup import writes
from livefigures.sphinx.page_facts import PageFacts, facts_of

LOGGER = logging.getLogger(__name__)
_ROLE = re.compile(r"(?P<text>.+?)\s*<(?:(?P<page>[^<>#]+)#)?(?P<figure>[\w-]+)\s*:(?P<values>[^<>]*)>", re.DOTALL)
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]")  # 2 doses, but not 6o
_FORM = "text <figure-name: slider=number, ...>"

Values = dict[str, float | str]


class set_link(nodes.inline):  # noqa: N801 - Sphinx finds a node's visitor by its class name
    """A preset; where there is no HTML it is its text."""


def parse_values(text: str) -> Values:
    """The sliders' settings of a preset.

    >>> parse_values(" alpha=60, delta=1e-5, noise=discrete-laplace, model=SEIR")
    {'alpha': 60, 'delta': 1e-05, 'noise': 'discrete-laplace', 'model': 'seir'}
    """
    values: Values = {}
    for setting in text.split(","):
        name, equals, number = (part.strip() for part in setting.partition("="))
        if not (equals and name.isidentifier()):
            commas = ", with a comma between settings and a point in a number" if name else ""
            raise ValueError(f"expected slider=number{commas}, got {setting.strip()!r}")
        if name in values:
            raise ValueError(f"slider {name!r} is set twice")
        values[name] = _value(number)
    return values


def _value(text: str) -> float | str:
    """A number, or an option as a link writes it."""
    try:
        value = float(text)
    except ValueError:
        if ";" in text:
            raise ValueError(f"settings are separated by commas, got {text!r}") from None
        if _WORD.search(text):
            return key_of(text) or text
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a finite number")
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else value


def parse_preset(text: str) -> tuple[str, str | None, str, Values]:
    """The role's text as (words, page or None, figure, values).

    >>> parse_preset("here <growth: t=5>")
    ('here', None, 'growth', {'t': 5})
    """
    match = _ROLE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected {_FORM}, got {text!r}")
    return match["text"], match["page"], match["figure"], parse_values(match["values"])


def fragment(figure: str, values: Values) -> str:
    """The state of one figure as it stands in a link: ``growth:rate=0.1,t=5``."""
    return f"{figure}:" + ",".join(f"{name}={value}" for name, value in values.items())


class SetRole(SphinxRole):
    """The role itself: a link in the page.

    `present` is what the link says of present mode: "" for a link that sets the sliders in their page.
    """

    def __init__(self, present: str = "") -> None:
        super().__init__()
        self.present = present

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            words, page, figure, values = parse_preset(self.text)
        except ValueError as error:
            self.env.note_reread()  # so that the next build says it again
            line = line_of(*self.get_source_info(), f"`{self.text}`")
            message = self.inliner.reporter.warning(f"link: {error}", line=line)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]
        link = linked(self, self.text, words, page, figure, values)
        link["present"] = self.present.format(figure)
        return [link], []


def linked(
    where: SphinxRole | SphinxDirective, text: str, words: str, page: str | None, figure: str, values: Values
) -> set_link:
    """The link that a role or a directive writes as `text`; its `place` is for the check at the end of the build."""
    here = where.env.docname
    there = here if page is None else page_name(here, page)
    source, counted = where.get_source_info()
    place = f"{source}:{line_of(source, counted, text)}"
    return set_link("", words, figure=figure, values=values, here=here, there=there, place=place)


def page_name(here: str, page: str) -> str:
    """comparing.md, written on the page chapters/index, is the page chapters/comparing."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(here), posixpath.splitext(page.strip())[0]))


def visit_set_link(self: HTML5Translator, node: set_link) -> None:
    figure, values, here, there = (node[key] for key in ("figure", "values", "here", "there"))
    elsewhere = "" if there == here else self.builder.get_relative_uri(here, there)
    if node.get("present"):  # an ordinary link: the page's script reads it where it leads
        self.body.append(f'<a class="live-set" href="{elsewhere}#{fragment(figure, values)};{node["present"]}">')
        return
    target = f"{elsewhere}#{fragment(figure, values)}" if elsewhere else f"#{figure}"
    data = json.dumps(values, separators=(",", ":"))
    self.body.append(
        f'<a class="live-set" href="{escape(target)}" data-figure="{escape(figure)}" data-values="{escape(data)}">'
    )


def faults(facts: PageFacts, page: str, figure: str, values: Values) -> Iterator[str]:
    """What is wrong with one preset: `facts` are those of the page it names."""
    if figure not in facts.figures:
        yield missing(facts, page, figure)
        return
    for name, value in values.items():
        yield from _slider_faults(figure, facts.sliders(figure), name, value)


def _slider_faults(figure: str, sliders: dict, name: str, value: float) -> Iterator[str]:
    if name not in sliders:
        yield f"{figure!r} has no slider {name!r}; it has: {', '.join(sliders)}; {closest(name, sliders)}".rstrip("; ")
        return
    keys = sliders[name].get("keys", [])
    low, high = sliders[name]["low"], sliders[name]["high"]
    if keys:
        if value not in keys:
            yield f"{name} = {value} is no option of {figure!r}; it has: {', '.join(keys)}"
    elif isinstance(value, str):
        yield f"{name} = {value} is not a number"
    elif not low <= value <= high:
        yield f"{name} = {value} is outside the slider of {figure!r}, {low} to {high}"
    elif sliders[name].get("integer") and value != round(value):
        yield f"{name} = {value} is not one of the whole numbers of the slider of {figure!r}"
    elif sliders[name].get("snaps"):
        yield from _between_stops(name, value, sliders[name].get("stops", []))


def _between_stops(name: str, value: float, stops: list[float]) -> Iterator[str]:
    """A value that a table does not have, at which no slider can rest; the x axis carries no stops.

    >>> [*_between_stops("beta", 0.33, [0.15, 0.25, 0.35])], [*_between_stops("beta", 0.35, [0.25, 0.35])]
    (["beta = 0.33 is no stop of the slider 'beta'; the nearest are 0.25 and 0.35"], [])
    """
    below, above = [s for s in stops if s <= value], [s for s in stops if s >= value]
    if below and above and not any(math.isclose(stop, value, abs_tol=1e-12) for stop in (below[-1], above[0])):
        nearest = f"{typed(below[-1])} and {typed(above[0])}"
        yield f"{name} = {value} is no stop of the slider {name!r}; the nearest are {nearest}"


class JoinSigns(SphinxPostTransform):
    """Keep a link and the sign behind it on one line: a number that can be dragged is a box, which ends lines."""

    default_priority = 900  # others look at what a link stands in
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for link in list(self.document.findall(set_link)):
            place = link.parent.index(link)
            after = next(iter(link.parent[place + 1 :]), None)
            if isinstance(after, nodes.Text) and (sign := re.match(r"[.,:;?)]+", after)):
                joined = nodes.inline("", "", classes=["live-joined"])
                link.parent[place : place + 2] = [joined, nodes.Text(after[sign.end() :])]
                joined += [link, nodes.Text(sign[0])]


def check_presets(app: Sphinx, exception: Exception | None) -> None:
    """Every preset against the finished pages."""
    known = pages(app, exception)
    for _, link in written(app, known, set_link):
        page, figure = link["there"], link["figure"]
        facts = known.get(page, facts_of(""))
        if figure not in facts.figures and is_excused(facts, figure, app.env, page):
            continue
        for fault in faults(facts, page, figure, link["values"]):
            LOGGER.warning("link: " + fault, location=link["place"])


def setup(app: Sphinx) -> None:
    app.add_role("set", SetRole())
    app.add_role("ask", SetRole("present={}:step=0"))
    app.add_role("present", SetRole("present={}"))
    app.add_node(set_link, html=(visit_set_link, writes("</a>")))
    app.connect("doctree-read", keep(set_link))
    app.add_post_transform(JoinSigns)
    app.connect("build-finished", check_presets, priority=650)
