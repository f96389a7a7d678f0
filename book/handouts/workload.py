"""A table for the plan of the course: how long a student reads, solves and programs for each lesson.

The minutes of a page are those that it prints at its top (theme/reading_time.py).
"""

from collections.abc import Iterator, Sequence
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from book.handouts import homework
from book.theme import reading_time

Part = tuple[str, str, str]  # a page, the title of the first section that is read, and of the first that is not
SHEET, LAB = 75, 90  # minutes of a sheet with three exercises, and of a lab, by the lecturer's estimate
PLAN = "chapters/teaching"


def page(name: str, first: str = "", stop: str = "") -> Part:
    return f"chapters/{name}", first, stop


_FAMILY = page("attackers", stop="Common misconceptions")
_CDP = [page(name) for name in ("cdp", "cdp_mechanisms", "cdp_limits", "cdp_breaks")]
_TRAINING = [page("dp_sgd"), page("training_cost")]
# What the class reads before each lesson, and what is enough. Before the last one, each half of the class has a part.
READING: dict[str, tuple[list[Part], list[Part]]] = {
    "1": ([page("pure"), page("randomized_response"), _FAMILY], [page("pure"), _FAMILY]),
    "2": (
        two := [
            page("many_answers"),
            page("averages", "Does averaging help?", "Local privacy"),
            page("averages", "The price of a mean", "Exercises"),
        ],
        two,
    ),
    "3": (
        [page("approx", stop="Composition"), page("gaussian_noise"), page("meaning_of_delta")],
        [page("approx", stop="Composition")],
    ),
    "4": ([page("profiles"), page("composition"), page("one_by_one")], [page("composition")]),
    "5": (_CDP, _CDP[:1]),
    "6": (
        [
            *(page("rdp"), page("rdp_guarantees"), page("orders", stop="Composing")),
            page("sampling", stop="Amplification by subsampling"),
            page("sampled_gaussian", stop="A whole training run"),
        ],
        [page("rdp"), page("rdp_guarantees", "From RDP to (ε, δ)", "Common misconceptions")],
    ),
    "7": (
        [
            *(page("zcdp"), page("zcdp_guarantees"), page("comparing"), page("accounting_compared")),
            page("budgets", "Planning a budget", "Noise on whole numbers"),
        ],
        [page("zcdp"), page("zcdp_guarantees")],
    ),
    "8": (
        [page("tight"), page("gdp_composition"), page("losses", stop="Where the factors come from"), *_TRAINING],
        [page("tight"), *_TRAINING],
    ),
}
_COLUMNS = ("lesson", "reading, hours", "short reading, hours", "sheet, minutes", "labs, minutes", "in all, hours")
_HEAD = "".join(f"<th>{each}</th>" for each in _COLUMNS)
# How many labs a lesson has, where one that extends over two lessons is half a lab, and so is a second part.
LABS = {"1": 0.5, "2": 1.5, "3": 0.5, "4": 0.5, "6": 0.5, "7": 1.5, "8": 2.5}


class Workload(SphinxDirective):
    """The place of the table, which is filled when all pages have been read."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", "", format="html", workload=True)]


def sections(part: nodes.Element) -> Iterator[tuple[str, int]]:
    """Yield the title of a section and for how many words' time it is read, then the same of the sections in it."""
    inside = [each for each in part if isinstance(each, nodes.section) and isinstance(each[0], nodes.title)]
    yield part[0].astext(), sum(reading_time.words(each, folded=False) for each in part if each not in inside)
    for each in inside:
        yield from sections(each)


def minutes(doctree: nodes.document, first: str, stop: str) -> float:
    """Return for how long a part of a page is read, without what is folded and without exercises."""
    titles, words = zip(*sections(doctree.next_node(nodes.section)), strict=True)
    begin, end = titles.index(first) if first else 0, titles.index(stop) if stop else len(titles)
    return sum(words[begin:end]) / reading_time.A_MINUTE


def hours(total: float) -> str:
    """Return a time in minutes in hours and halves of an hour.

    >>> hours(20), hours(85), hours(155)
    ('½', '1½', '2½')
    """
    whole, half = divmod(round(total / 30), 2)
    return f"{whole or ''}{'½' * half}" or "0"


def table(env: BuildEnvironment) -> str:
    """Return the table as HTML."""

    def read(parts: list[Part]) -> float:
        return sum(minutes(env.get_doctree(page), first, stop) for page, first, stop in parts)

    times = {
        title: (*map(read, READING[number]), SHEET, LAB * LABS.get(number, 0))
        for number, (title, _) in homework.lessons().items()
    }
    times["all"] = tuple(map(sum, zip(*times.values(), strict=True)))
    rows = "".join(
        f"<tr><td>{escape(title)}</td>{_cells(each, len(READING) if title == 'all' else 1)}</tr>\n"
        for title, each in times.items()
    )
    return f'<div class="scroll"><table><thead><tr>{_HEAD}</tr></thead><tbody>\n{rows}</tbody></table></div>\n'


def _cells(times: Sequence[float], lessons: int) -> str:
    """Return the times of a row, of which the last is the sum with the full reading and the lessons."""
    full, short, sheet, labs = times
    whole = hours(full + sheet + labs + lessons * reading_time.SITTING)
    return "".join(f"<td>{each}</td>" for each in (hours(full), hours(short), sheet, round(labs), whole))


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the table into the plan of the course, unless a preview has only this page."""
    if docname == PLAN and READING["1"][0][0][0] in app.env.found_docs:
        for place in list(doctree.findall(lambda node: isinstance(node, nodes.raw) and "workload" in node)):
            place.replace_self(nodes.raw("", table(app.env), format="html"))


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the plan of the course, whose table depends on other pages."""
    return [PLAN] if PLAN in env.found_docs else []


def setup(app: Sphinx) -> None:
    app.add_directive("workload", Workload)
    app.connect("doctree-resolved", fill)
    app.connect("env-updated", pages_to_write)
