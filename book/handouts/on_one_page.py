"""For a lecturer, on one page each: the answers of a lesson's homework with their points, and a card of the lesson.

The card is taken from the built script: each step with the minutes of its part, what to press, and how the words begin.
"""

import re
from collections.abc import Iterator
from html import escape

from bs4 import BeautifulSoup, Tag

from book.handouts import paper
from book.handouts.rubric import Rubric, steps

_STYLE = "<style>body {{ font-size: {size}; line-height: 1.3; }} h1, section, table {{ margin: .3em 0; }}</style>"
_WORDS = 8  # of a slide's beginning


def short_key(title: str, exercises: list[tuple[str, Rubric]]) -> str:
    """Return the steps of all solutions of a lesson, with their points and without mistakes."""
    answers = (paper.part(each, rule.points, f"<table>{steps(rule)}</table>") for each, rule in exercises)
    return paper.page(title, _STYLE.format(size="8.5pt") + "".join(answers), listed=False)


def card(title: str, script: Tag) -> str:
    """Return the card of the lesson with this script."""
    goal = next(p for p in script.find_all("p") if p.get_text().startswith("In this lesson"))
    parts = "".join(_part(heading.parent) for heading in script.select("article h2"))
    head = "<tr><th>step</th><th>the class sees</th><th>say</th><th>press; answer</th></tr>"
    table = f"<table><thead>{head}</thead>{parts}</table>"
    return paper.page(title, _STYLE.format(size="7.5pt") + paper.on_paper(goal) + table, listed=False)


def _part(section: Tag) -> str:
    """Return the rows of a part of the script: its title with its minutes, and its steps."""
    minutes = re.search(r"from minute (.*)\.", section.find(class_="minutes").get_text())[1]
    title = f"<b>{escape(section.h2.get_text().strip('¶'))}</b>, minutes {minutes}"
    rows = "".join(_step(link) for link in section.select("a.step"))
    return f'<tr><td colspan="4">{title}</td></tr>{rows}'


def _step(link: Tag) -> str:
    block = link.find_parent(class_="slide") or link.find_parent("p")
    after = list(_until_the_next_step(block))
    said = _said(after)
    if said and "?" in block.get_text():  # what is said then may be the answer
        said = f"<i>After their answers:</i> {said}"
    cells = [link.get_text().removeprefix("Step "), _name(link, block), said, _pressed(after)]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _until_the_next_step(block: Tag) -> Iterator[Tag]:
    for part in block.find_next_siblings(True):
        if part.name == "section" or part.select_one("a.step"):
            return
        yield part


def _name(link: Tag, block: Tag) -> str:
    if shown := link.find_next_sibling("a", class_="live-set"):
        return paper.on_paper(shown)
    words = block.get_text(" ").partition(link.get_text())[2].split()
    return escape(" ".join(words[:_WORDS])) + " …"


def _said(after: list[Tag]) -> str:
    """Return the first sentence that is said at a step, with its formulas."""
    quotes = (quote for part in after for quote in [part, *part.select(".say")] if "say" in quote.get("class", []))
    if (quote := next(quotes, None)) is None:
        return ""
    words = paper.on_paper(quote.p).removeprefix("<p>").removesuffix("</p>")
    return paper.on_paper(BeautifulSoup(" ".join(re.split(r"(?<=[.?!])\s", words)[:2]), "html.parser"))


def _pressed(after: list[Tag]) -> str:
    """Return how often to press the key, and the right choice of a step that asks."""
    answer = next((found for part in after if (found := part.select_one(".lesson-answer > summary"))), None)
    if answer is None:
        return "Page Down"
    times = len(next(part for part in after if part.name == "ol").find_all("li", recursive=False))
    return f"Page Down {times} times; {escape(answer.get_text().partition('”: ')[2].split(',')[0])}"
