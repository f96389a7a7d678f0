"""The map of the definitions: the directive ``map`` shows the same arrows as a picture and as a table.

A mechanism with the budget at an arrow's tail has the budget at its head. The tests run the call of each arrow and
compare its answer with what pairs of distributions need. The pictures are map_wide.svg and, for a phone, map_tall.svg,
which a drawing program or an editor can change; an arrow is a path whose id names its ends.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).parent
KINDS = ("wide", "tall")  # the style shows the wide one where there is room for it, and the tall one on a phone


class Arrow(NamedTuple):
    """One implication. `call` is dp_lib's; its variables are the tail's budget, and the δ or α that is asked for."""

    tail: str
    head: str
    tex: str
    call: str
    attained: str  # the mechanism that needs all of it; empty where a smaller bound holds
    smaller: str = ""  # the call of that smaller bound


class Definition(NamedTuple):
    """A box of the picture, which leads to its chapter."""

    tex: str
    chapter: str


DEFINITIONS = {
    "pure": Definition(r"$\varepsilon$-DP", "pure"),
    "approx": Definition(r"$(\varepsilon, \delta)$-DP", "approx"),
    "cdp": Definition("CDP", "cdp"),
    "rdp": Definition("RDP", "rdp"),
    "zcdp": Definition("zCDP", "zcdp"),
    "gdp": Definition("Gaussian DP", "tight"),
}

COIN, BELL = "randomized response", "the Gaussian"
ARROWS = [
    Arrow(
        "pure",
        "approx",
        r"$\varepsilon + \ln(1 - \delta - \delta e^{-\varepsilon})$",
        "pure.epsilon(epsilon, delta)",
        COIN,
    ),
    Arrow(
        "pure",
        "cdp",
        r"$\mu = \varepsilon\tanh(\varepsilon/2)$, $\tau = \sqrt{2\mu}$ for $\varepsilon \le 5.25$",
        "cdp.from_pure(epsilon)",
        COIN,
    ),
    Arrow("pure", "zcdp", r"$\rho = \varepsilon\tanh(\varepsilon/2)$", "zcdp.from_pure(epsilon)", COIN),
    Arrow("pure", "rdp", r"randomized response's $\bar\varepsilon(\alpha)$", "rdp.from_pure(alpha, epsilon)", COIN),
    Arrow("pure", "gdp", r"$\mu = -2\Phi^{-1}\big(1/(1 + e^\varepsilon)\big)$", "gdp.from_pure(epsilon)", COIN),
    Arrow(
        "rdp",
        "pure",
        r"$\varepsilon = \bar\varepsilon$ at $\alpha = \infty$, whatever $\delta$",
        "rdp.epsilon(inf, epsilon_bar, delta)",
        COIN,
    ),
    Arrow("cdp", "zcdp", r"$\rho = \tau^2/2$, whatever $\mu$", "cdp.to_zcdp((mu, tau))", BELL),
    Arrow(
        "zcdp",
        "cdp",
        r"$\mu = \rho$, $\tau = \sqrt{2(e^{\Lambda(1+\Lambda)\rho} - 1)}/\Lambda$ for any $0 < \Lambda \le 1$",
        "cdp.from_zcdp(rho)",
        "",
    ),
    Arrow("zcdp", "rdp", r"$\bar\varepsilon = \rho\alpha$ at every $\alpha$", "rdp.from_zcdp(alpha, rho)", BELL),
    Arrow("gdp", "zcdp", r"$\rho = \mu^2/2$", "zcdp.gaussian(gdp.sigma(mu))", BELL),
    Arrow("gdp", "cdp", "through zCDP", "cdp.from_zcdp(zcdp.gaussian(gdp.sigma(mu)))", ""),
    Arrow("gdp", "approx", r"the whole curve $\delta(\varepsilon)$, exactly", "gdp.epsilon(mu, delta)", BELL),
    Arrow("cdp", "approx", r"$\varepsilon = \mu + \tau\sqrt{2\ln(1/\delta)}$", "cdp.epsilon((mu, tau), delta)", ""),
    Arrow(
        "zcdp",
        "approx",
        r"$\varepsilon = \rho + 2\sqrt{\rho\ln(1/\delta)}$",
        "zcdp.epsilon(rho, delta)",
        "",
        "zcdp.epsilon_tight(rho, delta)",
    ),
    Arrow(
        "rdp",
        "approx",
        r"$\varepsilon = \bar\varepsilon + \ln(1/\delta)/(\alpha - 1)$",
        "rdp.epsilon(alpha, epsilon_bar, delta)",
        "",
        "rdp.epsilon_tight(alpha, epsilon_bar, delta)",
    ),
]


def call_in_myst(call: str) -> str:
    """The call, each function a link to its entry in the reference page.

    >>> call_in_myst("zcdp.epsilon(rho, delta)")
    '{py:func}`zcdp.epsilon <zcdp.epsilon>`{literal}`(rho, delta)`'
    """
    pieces = re.split(r"\b([a-z]+\.[a-z_]+)(?=\()", call)
    return "".join(f"{{py:func}}`{p} <{p}>`" if i % 2 else f"{{literal}}`{p}`" for i, p in enumerate(pieces) if p)


def table() -> str:
    """The arrows as a MyST table."""
    rows = ["```{table}", ":class: map-table", "", "| arrow | with | in code | attained by |", "|---|---|---|---|"]
    for arrow in ARROWS:
        ends = " → ".join(
            f"[{DEFINITIONS[end].tex}]({DEFINITIONS[end].chapter}.md)" for end in (arrow.tail, arrow.head)
        )
        smaller = f"; smaller: {call_in_myst(arrow.smaller)}" if arrow.smaller else ""
        rows.append(f"| {ends} | {arrow.tex} | {call_in_myst(arrow.call)}{smaller} | {arrow.attained or '–'} |")
    return "\n".join([*rows, "```"])


def picture(kind: str, addresses: Mapping[str, str]) -> str:
    """Return one of the two drawings; `addresses` are the chapters', as seen from the page.

    >>> picture("tall", {}).count("map-arrow")
    15
    """
    drawing = (HERE / f"map_{kind}.svg").read_text("utf-8")
    return re.sub(r'href="(\w+)"', lambda box: f'href="{addresses.get(box[1], "")}"', drawing)


class map_picture(nodes.container):  # noqa: N801 - Sphinx finds a node's visitor by its class name
    """The picture; where there is no HTML the table says all of it."""


class Map(SphinxDirective):
    """The directive ``map``."""

    def run(self) -> list[nodes.Node]:
        below = nodes.container()
        self.state.nested_parse(table().splitlines(), self.content_offset, below)
        return [map_picture(), *below.children]


def visit_map_picture(self: HTML5Translator, node: map_picture) -> None:
    here = self.builder.current_docname
    chapters = {name: f"chapters/{definition.chapter}" for name, definition in DEFINITIONS.items()}
    addresses = {name: self.builder.get_relative_uri(here, chapter) for name, chapter in chapters.items()}
    self.body.append(f'<div class="map">{"".join(picture(kind, addresses) for kind in KINDS)}')


def depart_map_picture(self: HTML5Translator, node: map_picture) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    app.add_directive("map", Map)
    app.add_node(map_picture, html=(visit_map_picture, depart_map_picture))
