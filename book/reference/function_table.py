"""The verb table: the directive ``verbs`` sets dp_lib's public functions into a matrix of questions and definitions.

The functions are dp_lib's own, found when the book is built, each a link to its entry in the reference page. What is
said here is which question a verb answers, and why a definition has no answer; a function that no question lists, or
an empty place without a reason, fails the build.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.reference.definition_map import DEFINITIONS
from book.reference.entries import public

BUDGETS = {
    "pure": r"$\varepsilon$",
    "approx": r"$(\varepsilon, \delta)$",
    "cdp": r"$(\mu, \tau)$",
    "rdp": r"$(\alpha, \bar\varepsilon)$",
    "zcdp": r"$\rho$",
    "gdp": r"$\mu$",
}
# Rooms without a column, and why.
WITHOUT_COLUMN = {
    "audit": "goes the other way: from what an attacker got right to the least ε",
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
    ("budget of a mechanism", "approx"): "Gaussian noise has its exact curve in `gdp.delta`, Laplace noise and "
    "randomized response are pure: a pair $(\\varepsilon, \\delta)$ is a point of a curve that another room draws.",
    (
        "a group of people",
        "cdp",
    ): "in general $(\\mu, \\tau)$-CDP gives groups no budget as clean, and $\\tau$ can more "
    "than double for two people; for Gaussian and pure mechanisms $(s^2\\mu, s\\tau)$ is enough.",
    ("a random sample", "pure"): "use `approx.subsample` with $\\delta = 0$.",
    (
        "a random sample",
        "cdp",
    ): "sampling needs the loss order by order, which $(\\mu, \\tau)$ does not keep; use `rdp`.",
    ("a random sample", "zcdp"): "as $\\alpha$ grows a sampled Gaussian's divergence comes back to the "
    "unsampled one's, so no smaller line holds it; use `rdp`.",
    ("a random sample", "gdp"): "a sampled Gaussian is no Gaussian; `pld.PrivacyLoss.subsampled_gaussian` composes it.",
    ("ε at a given δ", "approx"): "the budget already is a pair; "
    "what it promises at another $\\varepsilon$ is `approx.delta`.",
}


def cells() -> dict[tuple[str, str], list[str]]:
    """The verbs that answer each question in each room; ValueError names what has no place."""
    functions = {room: [name for name in public(room) if name[0].islower()] for room in BUDGETS}
    listed = {verb for verbs in QUESTIONS.values() for verb in verbs} | set(ALONE)
    homeless = [f"{room}.{name}" for room, names in functions.items() for name in names if name not in listed]
    gone = sorted(listed - {name for names in functions.values() for name in names})
    found = {
        (question, room): [verb for verb in verbs if verb in functions[room]]
        for question, verbs in QUESTIONS.items()
        for room in BUDGETS
    }
    bare = [place for place, verbs in found.items() if bool(verbs) == (place in WHY)]
    if homeless or gone or bare:
        raise ValueError(f"verb table: without a question {homeless}, not in dp_lib {gone}, with or without why {bare}")
    return found


def link(room: str, verb: str) -> str:
    """A verb in a cell. The zero-width space lets a long name break at its underscore.

    >>> link("rdp", "group")
    '{py:func}`group <rdp.group>`'
    """
    shown = verb.replace("_", "_\u200b")
    return f"{{py:func}}`{shown} <{room}.{verb}>`"


def matrix() -> str:
    """The table and the reasons for its dashes, as MyST."""
    places = list(enumerate(WHY, 1))
    notes = {place: i for i, place in places}
    lines = ["````{list-table}", ":header-rows: 1", ":stub-columns: 1", ":class: verbs-matrix", "", "* - question"]
    lines += [f"  - [`{room}`]({DEFINITIONS[room].chapter}.md) {budget}" for room, budget in BUDGETS.items()]
    found = cells()
    for question in QUESTIONS:
        lines.append(f"* - {question}")
        for room in BUDGETS:
            links = [link(room, verb) for verb in found[question, room]]
            lines.append("  - " + (" ".join(links) or f"–<sup>{notes[question, room]}</sup>"))
    lines += ["````", "", "Why a dash:", ""]
    lines += [f"{i}. {DEFINITIONS[room].tex}, {question}: {WHY[question, room]}" for i, (question, room) in places]
    alone = [
        f"{{py:func}}`{room}.{verb} <{room}.{verb}>`" for verb in ALONE for room in BUDGETS if verb in public(room)
    ]
    return "\n".join([*lines, "", f"Verbs of one room only: {', '.join(alone)}."])


class verbs_table(nodes.container):  # noqa: N801 - named as nodes are; it is written as the container it is
    """The table and what is said below it."""


class Verbs(SphinxDirective):
    """The directive ``verbs``."""

    def run(self) -> list[nodes.Node]:
        found = verbs_table()
        self.state.nested_parse(matrix().split("\n"), self.content_offset, found)
        return [found]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
