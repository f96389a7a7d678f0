"""The table of functions: the directive ``verbs`` lists dp_lib's public functions by question and definition.

The functions are dp_lib's own, found when the book is built, each a link to its entry in the reference page. This file
says which question a function answers, and why a definition has no answer. If a function or a reason is missing here,
tests/project/test_reference.py fails.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.reference.definition_map import DEFINITIONS
from book.reference.entries import public

HERE = "book/reference/function_table.py"  # named in each problem

BUDGETS = {
    "pure": r"$\varepsilon$",
    "approx": r"$(\varepsilon, \delta)$",
    "cdp": r"$(\mu, \tau)$",
    "rdp": r"$(\alpha, \bar\varepsilon)$",
    "zcdp": r"$\rho$",
    "gdp": r"$\mu$",
}
# Modules without a column, and why.
WITHOUT_COLUMN = {
    "audit": "goes the other way: from what an attacker got right to the least ε",
    "check": "attacks and compares code of the reader's own",
    "divergence": "what the definitions are made of",
    "domain": "what a valid argument is",
    "dp_sgd": "an application",
    "mechanisms": "the randomness itself; what it costs stands in the definitions' columns",
    "pld": "composition of any mechanism, by number and not by formula",
    "say": "numbers for sentences",
}
QUESTIONS = {
    "budget of a mechanism": ["gaussian", "laplace", "randomized_response", "exponential", "from_pure", "from_zcdp"],
    "noise for a budget": ["sigma", "sigma_exact", "sigma_discrete", "scale", "truth_probability"],
    "different mechanisms": ["compose", "compose_advanced"],
    "one mechanism, k times": ["repeat", "advanced", "advanced_simple", "optimal"],
    "a group of people": ["group"],
    "a random sample": ["subsample", "subsampled", "subsampled_poisson", "subsampled_gaussian"],
    "ε at a given δ": ["epsilon", "epsilon_tight", "best", "optimum"],
    "δ at a given ε": ["delta", "delta_tight", "delta_discrete"],
}
ALONE = ["posterior_odds", "minimax_rate", "to_zcdp", "moment", "log_moment", "probability_bounds", "trade_off"]
WHY = {
    ("budget of a mechanism", "approx"): "the exact curve of Gaussian noise is `gdp.delta`, and the "
    "budgets of Laplace noise and randomized response are in `pure`. A pair $(\\varepsilon, \\delta)$ is one point of "
    "such a curve.",
    (
        "a group of people",
        "cdp",
    ): "in general there is no rule as simple as for the other definitions, and $\\tau$ can more than double for two "
    "people. For Gaussian noise, and for the budget that $\\varepsilon$-DP implies, $(s^2\\mu, s\\tau)$ is enough for "
    "$s$ people.",
    ("a random sample", "pure"): "use `approx.subsample` with $\\delta = 0$.",
    (
        "a random sample",
        "cdp",
    ): "sampling needs the loss order by order, which $(\\mu, \\tau)$ does not keep; use `rdp`.",
    ("a random sample", "zcdp"): "as $\\alpha$ grows, the divergence of Gaussian noise on a sample, divided by "
    "$\\alpha$, approaches the $\\rho$ without sampling, so no line $\\rho\\alpha$ with a smaller $\\rho$ bounds it; "
    "use `rdp`.",
    ("a random sample", "gdp"): "for Gaussian noise on a sample, no $\\mu$ smaller than without sampling is enough, "
    "because sampling lowers a large loss by at most $\\ln(1/q)$; `pld.PrivacyLoss.subsampled_gaussian` gives the loss "
    "of one step, and its `repeat` adds up the losses of many.",
    ("ε at a given δ", "approx"): "the budget already is a pair; "
    "what it promises at another $\\varepsilon$ is `approx.delta`.",
}


def cells() -> dict[tuple[str, str], list[str]]:
    """Return the functions that answer each question in each module."""
    return {
        (question, home): [verb for verb in verbs if verb in public(home)]
        for question, verbs in QUESTIONS.items()
        for home in BUDGETS
    }


def problems() -> Iterator[str]:
    """Yield what is missing in this file, or is no longer true, each a sentence that says what to write."""
    own = [(home, name) for home in BUDGETS for name in public(home) if name[0].islower()]
    listed = {verb for verbs in QUESTIONS.values() for verb in verbs} | set(ALONE)
    for home, name in own:
        if name not in listed:
            yield (
                f"dp_lib.{home}.{name} is not in the table of functions: in {HERE} add {name!r} to the list in "
                "QUESTIONS whose question it answers, or to ALONE if no other module has such a function"
            )
    if gone := sorted(listed - {name for _, name in own}):
        yield f"no definition has these functions: in {HERE} remove them from QUESTIONS or ALONE: {gone}"
    if wrong := [place for place, verbs in cells().items() if bool(verbs) == (place in WHY)]:
        yield f"in {HERE} WHY needs a reason for each empty place, and has none for another: {wrong}"


def link(home: str, verb: str) -> str:
    """Return the link of a function in a cell.

    >>> link("rdp", "group")
    '{py:func}`group <rdp.group>`'
    """
    return f"{{py:func}}`{verb} <{home}.{verb}>`"


def matrix() -> str:
    """Return the table and the reasons for its dashes, as MyST."""
    places = list(enumerate(WHY, 1))
    notes = {place: i for i, place in places}
    lines = ["````{list-table}", ":header-rows: 1", ":stub-columns: 1", ":class: verbs-matrix", "", "* - question"]
    lines += [f"  - [`{home}`]({DEFINITIONS[home].chapter}.md) {budget}" for home, budget in BUDGETS.items()]
    found = cells()
    for question in QUESTIONS:
        lines.append(f"* - {question}")
        for home in BUDGETS:
            links = [link(home, verb) for verb in found[question, home]]
            lines.append("  - " + (" ".join(links) or f"–<sup>{notes[question, home]}</sup>"))
    lines += ["````", "", "Why a dash:", ""]
    lines += [f"{i}. {DEFINITIONS[home].tex}, {question}: {WHY[question, home]}" for i, (question, home) in places]
    alone = [
        f"{{py:func}}`{home}.{verb} <{home}.{verb}>`" for verb in ALONE for home in BUDGETS if verb in public(home)
    ]
    return "\n".join([*lines, "", f"Functions of one module only: {', '.join(alone)}."])


class verbs_table(nodes.container):  # noqa: N801 - named as nodes are; it is written as the container it is
    """The table and what is said below it."""


class Verbs(SphinxDirective):
    """The directive ``verbs``."""

    def run(self) -> list[nodes.Node]:
        found = verbs_table()
        self.state.nested_parse(matrix().split("\n"), self.content_offset, found)
        return [found]


def setup(app: Sphinx) -> None:
    app.add_directive("verbs", Verbs)
