"""For a lecturer, on one page each: the answers of a lesson's homework with their points, and a card of the lesson.

The card is taken from the built script: each step with the minutes of its part, what to press, and how the words begin.
"""

import re
from collections.abc import Iterator
from html import escape

from bs4 import BeautifulSoup, Tag

from book.handouts import paper
from book.handouts.rubric import IN_SHORT, Mistake, Rubric, shown, steps

_STYLE = "<style>body {{ font-size: {size}; line-height: 1.3; }} h1, section, table, p {{ margin: .3em 0; }}</style>"
_WORDS = 8  # of a slide's beginning
_SENTENCE = re.compile(r"(?<=[.?!])\s")


def short_key(title: str, exercises: list[tuple[str, Rubric]]) -> str:
    """Return how to grade, and the steps, rule and mistakes of each exercise, which has a title and a rubric."""
    graded = "".join(_answers(*each) for each in exercises)
    body = f'{_STYLE.format(size="7.5pt")}<p class="grading"><b>Grading:</b> {escape(IN_SHORT)}</p>{graded}'
    return paper.page(title, body, listed=False)


def _answers(title: str, graded: Rubric) -> str:
    mistakes = " ".join(_mistake(each) for each in graded.mistakes)
    below = f"<p><b>Rule:</b> {escape(graded.rule)}. <b>Mistakes:</b> {mistakes}</p>"
    return paper.part(title, graded.points, f"<table>{steps(graded)}</table>{below}")


def _mistake(mistake: Mistake) -> str:
    gives = "" if mistake.gives is None else f" → {shown(mistake.gives)}"
    return f"<b>−{mistake.costs}</b> {escape(mistake.words.removesuffix('.'))}{gives}."


def card(title: str, script: Tag) -> str:
    """Return the card of the lesson with this script."""
    goal = next(p for p in script.find_all("p") if p.get_text().startswith("In this lesson"))
    parts = "".join(_part(heading.parent) for heading in script.select("article h2"))
    head = "<tr><th>step</th><th>the class sees</th><th>say or do</th><th>press; answer</th></tr>"
    table = f"<table><thead>{head}</thead>{parts}</table>"
    return paper.page(title, _STYLE.format(size="7.3pt") + paper.on_paper(goal) + table, listed=False)


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
    shown_and_said = [_name(link, block), said or _done(after)]
    cells = "".join(f"<td>{cell}</td>" for cell in shown_and_said if cell)
    if not all(shown_and_said):
        cells = cells.replace("<td>", '<td colspan="2">')
    return f"<tr><td>{link.get_text().removeprefix('Step ')}</td>{cells}<td>{pressed(block, after)}</td></tr>"


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
    return _beginning(quote.p, sentences=2)


def _done(after: list[Tag]) -> str:
    """Return the first sentence of what is done at a step at which nothing is said."""
    done = next((part for part in after if "do" in part.get("class", [])), None)
    return _beginning(done, sentences=1) if done else ""


def _beginning(part: Tag, sentences: int) -> str:
    """Return the first sentences of a part, with their formulas."""
    return paper.on_paper(BeautifulSoup(" ".join(_SENTENCE.split(paper.inside(part))[:sentences]), "html.parser"))


def pressed(block: Tag, after: list[Tag]) -> str:
    """Return what is pressed at a step, in this order, and the right choice of a step that asks."""
    answer = next((found for part in after if (found := part.select_one(".lesson-answer > summary"))), None)
    if answer is None:
        return "; ".join(filter(None, [_used([block, *after]), "Page Down"]))
    place = next(i for i, part in enumerate(after) if part.name == "ol")
    items = after[place].find_all("li", recursive=False)
    right = escape(answer.get_text().partition("”: ")[2].split(",")[0])
    at_last = _used([items[-1], *after[place + 1 :]])
    instead = _used([block])  # what leads past a step that may be left out
    keys = [*_turns([_used([item]) for item in items[:-1]]), f"answer {right}", at_last, "Page Down"]
    return f"{instead}, or " * bool(instead) + "; ".join(filter(None, keys))


def _used(parts: list[Tag]) -> str:
    """Return what the open text of these parts uses at the desk."""
    marked = (each for part in parts if part.name != "details" for each in part.select(".desk"))
    return escape(", ".join(dict.fromkeys(each.get_text() for each in marked if not each.find_parent("details"))))


def _turns(used: list[str]) -> Iterator[str]:
    """Return the presses of Page Down that lead past these parts of a figure, with what is used at some of them."""
    times = 0
    for keys in used:
        if keys:
            yield from filter(None, [_times(times), keys])
            times = 0
        times += 1
    yield _times(times)


def _times(times: int) -> str:
    return {0: "", 1: "Page Down"}.get(times, f"Page Down {times} times")
