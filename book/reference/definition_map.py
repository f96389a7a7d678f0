"""The map of the definitions: the directive ``map`` shows one list of arrows as a picture and as a table.

Whoever has the budget at an arrow's tail has the one at its head. The tests take each arrow at its word: they run its
call and compare what it promises with what pairs of distributions need.
"""

import re
from html import escape
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class Arrow(NamedTuple):
    """One implication. `call` is dp_lib's; its variables are the tail's budget, and the δ or α that is asked for."""

    tail: str
    head: str
    label: str  # in the picture
    tex: str  # in the table
    call: str
    attained: str  # the mechanism that needs all of it; empty where a smaller bound holds
    smaller: str = ""  # the call of that smaller bound


class Definition(NamedTuple):
    """A box of the picture, which leads to its chapter."""

    title: str
    tex: str
    chapter: str
    colour: str


DEFINITIONS = {
    "pure": Definition("ε-DP", r"$\varepsilon$-DP", "pure", "pure"),
    "approx": Definition("(ε, δ)-DP", r"$(\varepsilon, \delta)$-DP", "approx", "approx"),
    "cdp": Definition("CDP", "CDP", "cdp", "cdp"),
    "rdp": Definition("RDP", "RDP", "rdp", "rdp"),
    "zcdp": Definition("zCDP", "zCDP", "zcdp", "zcdp"),
    "gdp": Definition("Gaussian DP", "Gaussian DP", "tight", "exact"),
}

COIN, BELL = "randomized response", "the Gaussian"
ARROWS = [
    Arrow(
        "pure",
        "approx",
        "ε + ln(1 − δ − δ exp(−ε))",
        r"$\varepsilon + \ln(1 - \delta - \delta e^{-\varepsilon})$",
        "pure.epsilon(epsilon, delta)",
        COIN,
    ),
    Arrow(
        "pure",
        "cdp",
        "μ = ε tanh(ε/2)\nτ = √(2μ), ε ≤ 5.25",
        r"$\mu = \varepsilon\tanh(\varepsilon/2)$, $\tau = \sqrt{2\mu}$ for $\varepsilon \le 5.25$",
        "cdp.from_pure(epsilon)",
        COIN,
    ),
    Arrow(
        "pure",
        "zcdp",
        "ρ = ε tanh(ε/2)",
        r"$\rho = \varepsilon\tanh(\varepsilon/2)$",
        "zcdp.from_pure(epsilon)",
        COIN,
    ),
    Arrow(
        "pure",
        "rdp",
        "randomized\nresponse’s curve",
        r"randomized response's $\bar\varepsilon(\alpha)$",
        "rdp.from_pure(alpha, epsilon)",
        COIN,
    ),
    Arrow(
        "pure",
        "gdp",
        "μ = −2Φ⁻¹(p)\np = 1/(1 + exp ε)",
        r"$\mu = -2\Phi^{-1}\big(1/(1 + e^\varepsilon)\big)$",
        "gdp.from_pure(epsilon)",
        COIN,
    ),
    Arrow(
        "rdp",
        "pure",
        "at α = ∞: ε = ε̄",
        r"$\varepsilon = \bar\varepsilon$ at $\alpha = \infty$, whatever $\delta$",
        "rdp.epsilon(inf, epsilon_bar, delta)",
        COIN,
    ),
    Arrow("cdp", "zcdp", "ρ = τ²/2", r"$\rho = \tau^2/2$, whatever $\mu$", "cdp.to_zcdp((mu, tau))", BELL),
    Arrow(
        "zcdp",
        "cdp",
        "μ = ρ, wider τ",
        r"$\mu = \rho$, $\tau = \sqrt{2(e^{\Lambda(1+\Lambda)\rho} - 1)}/\Lambda$ for any $0 < \Lambda \le 1$",
        "cdp.from_zcdp(rho)",
        "",
    ),
    Arrow(
        "zcdp",
        "rdp",
        "ε̄ = ρα",
        r"$\bar\varepsilon = \rho\alpha$ at every $\alpha$",
        "rdp.from_zcdp(alpha, rho)",
        BELL,
    ),
    Arrow("gdp", "zcdp", "ρ = μ²/2", r"$\rho = \mu^2/2$", "zcdp.gaussian(gdp.sigma(mu))", BELL),
    Arrow("gdp", "cdp", "through zCDP", "through zCDP", "cdp.from_zcdp(zcdp.gaussian(gdp.sigma(mu)))", ""),
    Arrow("gdp", "approx", "exact", r"the whole curve $\delta(\varepsilon)$, exactly", "gdp.epsilon(mu, delta)", BELL),
    Arrow(
        "cdp",
        "approx",
        "μ + τ√(2 ln 1/δ)",
        r"$\varepsilon = \mu + \tau\sqrt{2\ln(1/\delta)}$",
        "cdp.epsilon((mu, tau), delta)",
        "",
    ),
    Arrow(
        "zcdp",
        "approx",
        "ρ + 2√(ρ ln 1/δ)",
        r"$\varepsilon = \rho + 2\sqrt{\rho\ln(1/\delta)}$",
        "zcdp.epsilon(rho, delta)",
        "",
        "zcdp.epsilon_tight(rho, delta)",
    ),
    Arrow(
        "rdp",
        "approx",
        "ε̄ + ln(1/δ)/(α − 1)",
        r"$\varepsilon = \bar\varepsilon + \ln(1/\delta)/(\alpha - 1)$",
        "rdp.epsilon(alpha, epsilon_bar, delta)",
        "",
        "rdp.epsilon_tight(alpha, epsilon_bar, delta)",
    ),
]


class Layout(NamedTuple):
    """Where everything stands: middles of the boxes, and each arrow's path with the middle of its label."""

    size: tuple[int, int]
    boxes: dict[str, tuple[int, int]]
    paths: dict[tuple[str, str], tuple[str, tuple[int, int]]]


# The style shows the wide one where there is room for it and the tall one on a phone.
LAYOUTS = {
    "wide": Layout(
        (720, 430),
        {
            "pure": (340, 26),
            "cdp": (110, 165),
            "zcdp": (340, 200),
            "rdp": (555, 165),
            "gdp": (246, 302),
            "approx": (380, 404),
        },
        {
            ("pure", "approx"): ("M386 20C720 10 800 400 436 405", (628, 330)),
            ("pure", "cdp"): ("M294 42L138 146", (140, 74)),
            ("pure", "gdp"): ("M318 45Q262 150 252 282", (262, 126)),
            ("pure", "zcdp"): ("M340 45L340 180", (390, 142)),
            ("pure", "rdp"): ("M386 30Q560 50 562 145", (548, 78)),
            ("rdp", "pure"): ("M528 145L380 46", (450, 100)),
            ("cdp", "zcdp"): ("M158 165L292 187", (205, 172)),
            ("zcdp", "cdp"): ("M292 210Q220 224 146 185", (206, 214)),
            ("zcdp", "rdp"): ("M387 193L507 172", (446, 184)),
            ("gdp", "zcdp"): ("M272 282L328 220", (304, 253)),
            ("gdp", "cdp"): ("M212 282L122 185", (150, 246)),
            ("gdp", "approx"): ("M272 322L342 384", (304, 353)),
            ("cdp", "approx"): ("M100 184Q110 400 324 405", (114, 318)),
            ("zcdp", "approx"): ("M344 219L376 384", (382, 318)),
            ("rdp", "approx"): ("M548 184Q530 340 424 385", (505, 286)),
        },
    ),
    "tall": Layout(
        (360, 600),
        {
            "pure": (165, 26),
            "cdp": (58, 175),
            "zcdp": (165, 255),
            "rdp": (285, 175),
            "gdp": (105, 405),
            "approx": (190, 572),
        },
        {
            ("pure", "approx"): ("M213 16C410 10 385 520 240 563", (278, 508)),
            ("pure", "cdp"): ("M140 45L70 156", (68, 92)),
            ("pure", "gdp"): ("M148 45Q98 200 104 386", (60, 292)),
            ("pure", "zcdp"): ("M165 45L165 235", (168, 166)),
            ("pure", "rdp"): ("M212 32Q285 60 296 154", (286, 84)),
            ("rdp", "pure"): ("M262 155L192 46", (216, 118)),
            ("cdp", "zcdp"): ("M90 194L142 235", (128, 212)),
            ("zcdp", "cdp"): ("M117 262Q76 246 62 195", (56, 243)),
            ("zcdp", "rdp"): ("M192 235L254 194", (240, 220)),
            ("gdp", "zcdp"): ("M113 386L157 275", (142, 330)),
            ("gdp", "cdp"): ("M84 386Q40 300 50 195", (52, 352)),
            ("gdp", "approx"): ("M114 424L178 552", (142, 482)),
            ("cdp", "approx"): ("M44 194Q-10 500 134 566", (64, 520)),
            ("zcdp", "approx"): ("M169 274L189 552", (212, 446)),
            ("rdp", "approx"): ("M284 194Q292 420 212 552", (268, 330)),
        },
    ),
}
_HEIGHT = 38  # of a box
_LINE = 15  # between the lines of a label

DESCRIPTION = (
    "A map of six definitions of differential privacy. Arrows lead from ε-DP to every other one, from Gaussian DP to "
    "zCDP and to CDP, from CDP to zCDP and back, from zCDP to RDP, from RDP at infinite order back to ε-DP, and from "
    "all of them to (ε, δ)-DP, from which none leads away. The table below lists every arrow."
)


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


def picture(kind: str, addresses: dict[str, str]) -> str:
    """One layout as SVG; `addresses` are the chapters', as seen from the page.

    >>> picture("tall", {}).count("<path class")
    15
    """
    width, height = LAYOUTS[kind].size
    arrows = "".join(_arrow(kind, arrow) for arrow in ARROWS)
    labels = "".join(_label(kind, arrow) for arrow in ARROWS)
    boxes = "".join(_box(kind, name, addresses.get(name, "")) for name in DEFINITIONS)
    head = (
        f'<marker id="map-{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
    )
    return (
        f'<svg class="map-{kind}" viewBox="0 0 {width} {height}" role="group" aria-label="{escape(DESCRIPTION)}">'
        f'<defs>{head}<path d="M0 1L10 5L0 9z"/></marker></defs>{arrows}{labels}{boxes}</svg>'
    )


def _arrow(kind: str, arrow: Arrow) -> str:
    path, _ = LAYOUTS[kind].paths[arrow.tail, arrow.head]
    look = "map-arrow" if arrow.attained else "map-arrow map-loose"
    return f'<path class="{look}" d="{path}" marker-end="url(#map-{kind})"/>'


def _label(kind: str, arrow: Arrow) -> str:
    _, (x, y) = LAYOUTS[kind].paths[arrow.tail, arrow.head]
    lines = arrow.label.split("\n")
    first = y + 4 - _LINE * (len(lines) - 1) / 2
    spans = (f'<tspan x="{x}" y="{first + _LINE * i:g}">{line}</tspan>' for i, line in enumerate(lines))
    return f'<text class="map-label">{"".join(spans)}</text>'


def _box(kind: str, name: str, address: str) -> str:
    (x, y), definition = LAYOUTS[kind].boxes[name], DEFINITIONS[name]
    width = max(96, 10 * len(definition.title) + 16)
    rect = f'<rect x="{x - width / 2:g}" y="{y - _HEIGHT / 2:g}" width="{width}" height="{_HEIGHT}" rx="8"/>'
    text = f'<text x="{x}" y="{y + 5}">{definition.title}</text>'
    return f'<a class="map-box live-colour-{definition.colour}" href="{address}">{rect}{text}</a>'


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
    self.body.append(f'<div class="map">{"".join(picture(kind, addresses) for kind in LAYOUTS)}')


def depart_map_picture(self: HTML5Translator, node: map_picture) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("map", Map)
    app.add_node(map_picture, html=(visit_map_picture, depart_map_picture))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
