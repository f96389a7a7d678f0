"""For a lecturer: the answers of a lesson's homework with their points, and a card of the lesson to hold.

The card is taken from the built script. It has each step with the minutes of its part and what to press, a row for
each paragraph of what is done, what is said in short, and each line of a proof for the board. What is said in short
is its first sentence, its questions, and its sentences with a reason, so the author writes a reason as "because" or
"so". A sentence that leans on the sentence before it, for example one with "So" or "there", brings that sentence with
it. A supposition comes with what follows from it.
"""

import re
from collections.abc import Iterator
from html import escape

from bs4 import BeautifulSoup, Tag

from book.handouts import paper
from book.handouts.rubric import IN_SHORT, Mistake, Rubric, shown, steps, typeset

_STYLE = "<style>body {{ font-size: {size}; line-height: 1.3; }} h1, section, table, p {{ margin: .3em 0; }}</style>"
_ROWS = """<style>
@page { margin: 11mm 12mm 13mm; }
body { line-height: 1.2; }
h1 { font-size: 1.2em; }
table { break-inside: auto; }
tr { break-inside: avoid; }
td, th { padding: 0 .5em 0 0; }
td[colspan="4"] { padding-left: 2.7em; } /* what goes on stands beside the column of the steps' numbers */
tr:has(> th[colspan]) { break-after: avoid; } /* the title of a part */
.step > td { border-top: 1px solid #aaa; }
.step > td:first-child > b { font-size: 1.4em; line-height: 1; }
.step > td:nth-child(2) { width: 15%; }
td:nth-child(4) { width: 14%; }
.desk { font-weight: 700; }
</style>"""
_SHEETS = """<style>
@page { margin: 12mm 16mm; }
h1 { font-size: 1.3em; }
.grading { font-size: 7.5pt; }
.of-a-sheet > h2 { border-bottom: 1px solid; margin-top: .6em; }
section h2 { font-size: 1em; }
.of-a-sheet:first-of-type { break-after: page; }
</style>"""
_SIZE = "8.8pt"  # of a card
_PASSED = "<p>Page Down passes over the steps in parentheses, which are for when there is time.</p>"
_SAY = "<i>Say</i>"
_BESIDE = 2  # how many lines of a step stand beside what the class sees, and the others below it
_WORDS = 6  # of a slide's beginning
# At the end of these words, what says nothing without the next word, or is not closed.
_DANGLES = re.compile(r"(?:[,:;]| [(“][^)”]*| (?:an?|and|as|at|by|do|if|in|is|of|on|or|that|the|to|with|[=>]))+$")
_SHOWS = re.compile(
    r"(?:Then |Now |If there is time, )?(?:Show|show|Take|take|ask) (?:in the same figure )?Step \d+ [^.]*\."
)
_SENTENCE = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]</span>))\s")
_LEANS = re.compile(
    r"^(?:So|There|This|It|Then|But|Therefore)\b|\bthere\b|\bthis way\b"
    r"|^Why( so \w+)?\?$|\bthen\?$|\b(?:it|its|they)\b[^,]*\?$"
)
_LETTERS = re.compile(r"Let everybody write down a letter[^.]*, and count hands\.")
_TITLE = re.compile(r"The title asks (?:<span[^>]*>)?“[^”]*”(?:</span>)?\s?")  # which the teacher's window says
_REASON = re.compile(r"\b(?:because|since|therefore|reason)\b|^So (?!far\b)|, so (?!far\b)", re.IGNORECASE)
# What each figure that asks has, and what the window of the class does by itself.
_ALWAYS = re.compile(
    r"Read out the choices\.|If the class is silent, [^.]*(?:\.\d[^.]*)*\."
    r"|The numbers? of “.*” waits? for the answer\.|Let them answer\."
)


def short_key(title: str, sheets: dict[str, list[tuple[str, Rubric]]], grading: str = IN_SHORT) -> str:
    """Return how to grade, and the steps, rule and mistakes of each exercise, which has a title and a rubric.

    The exercises of each sheet stand under its name. Those of the first sheet have a page for themselves.
    """
    graded = "".join(
        f'<div class="of-a-sheet"><h2>{escape(name)}</h2>{"".join(_answers(*each) for each in exercises)}</div>'
        for name, exercises in sheets.items()
    )
    style = _STYLE.format(size="9.5pt") + _SHEETS
    body = f'{style}<p class="grading"><b>Grading:</b> {escape(grading)}</p>{graded}'
    return paper.page(title, body, listed=False)


def _answers(title: str, graded: Rubric) -> str:
    mistakes = " ".join(_mistake(each) for each in graded.mistakes)
    rule = f"<b>Rule:</b> {typeset(graded.rule)}. " if graded.rule else ""
    below = f"<p>{rule}<b>Mistakes:</b> {mistakes}</p>"
    return paper.part(title, graded.points, f"<table>{steps(graded)}</table>{below}")


def _mistake(mistake: Mistake) -> str:
    gives = "" if mistake.gives is None else f" → {shown(mistake.gives)}"
    return f"<b>−{mistake.costs}</b> {typeset(mistake.words.removesuffix('.'))}{gives}."


def card(title: str, script: Tag) -> str:
    """Return the card of the lesson with this script."""
    goal = next(p for p in script.find_all("p") if p.get_text().startswith("In this lesson"))
    parts = "".join(_part(heading.parent) for heading in script.select("article h2"))
    head = "<tr><th>step</th><th>the class sees</th><th>say, ask or do</th><th>press; answer</th></tr>"
    table = f"<table><thead>{head}</thead>{parts}</table>"
    style = _STYLE.format(size=_SIZE) + _ROWS
    passed = _PASSED if script.select("a.step.optional") else ""
    return paper.page(title, style + paper.on_paper(goal) + passed + table, listed=False)


def _part(section: Tag) -> str:
    """Return the rows of a part of the script: its title with its minutes, and its steps."""
    minutes = re.search(r"from minute (.*)\.", section.find(class_="minutes").get_text())[1]
    title = f"<b>{escape(section.h2.get_text().strip('¶'))}</b>, minutes {minutes}"
    links = section.select("a.step")
    rows = "".join(_step(link, [] if place else _lead(link)) for place, link in enumerate(links))
    return f'<tbody><tr><th colspan="4">{title}</th></tr>{rows}</tbody>'


def _step(link: Tag, lead: list[Tag]) -> str:
    """Return the rows of a step: one for each part of what is said, asked and done there."""
    block = _block(link)
    after = list(_until_the_next_step(block))
    may_be_left_out = "optional" in link["class"]
    told = list(_lines(after, in_short=may_be_left_out))
    if told and told[0].startswith(_SAY) and "?" in block.get_text():  # what is said then may be the answer
        told[0] = f"<i>Then say</i>{told[0].removeprefix(_SAY)}"
    lines = [*_lines(lead), *_lines([block] if block.name == "p" else []), *told] or [""]
    beside, below = lines[:_BESIDE], lines[_BESIDE:]
    spans = f' rowspan="{len(beside)}"'
    step = link.get_text().removeprefix("Step ").partition(" ")[0]
    number = f"<b>({step})</b>" if may_be_left_out else f"<b>{step}</b>"
    sees, press = _name(link, block), re.sub(r"(?:^|; )Page Down$", "", pressed(block, after))  # it ends each step
    wide, last = ("", f"<td{spans}>{press}</td>") if press else (' colspan="2"', "")
    top = f'<tr class="step"><td{spans}>{number}</td><td{spans}>{sees}</td><td{wide}>{beside[0]}</td>{last}</tr>'
    rows = [f"<tr><td{wide}>{line}</td></tr>" for line in beside[1:]]
    return top + "".join([*rows, *(f'<tr><td colspan="4">{line}</td></tr>' for line in below)])


def _block(link: Tag) -> Tag:
    """Return the slide of a step, or the paragraph that shows its figure."""
    block = link.find_parent(class_="slide") or link.find_parent("p")
    assert block is not None, f"{link.get_text()} stands in no slide and in no paragraph"
    return block


def _lead(link: Tag) -> list[Tag]:
    """Return what stands before the first step of a part, below its title."""
    return [part for part in reversed(list(_block(link).find_previous_siblings(True))) if part.name != "h2"]


def _until_the_next_step(block: Tag) -> Iterator[Tag]:
    for part in block.find_next_siblings(True):
        if part.name == "section" or part.select_one("a.step"):
            return
        yield part


def _name(link: Tag, block: Tag) -> str:
    if shown := link.find_next_sibling("a", class_="live-set"):
        return paper.on_paper(shown)
    slide = BeautifulSoup(paper.on_paper(block), "html.parser")
    formulas = [str(formula.replace_with(f"\0{place}\0")) for place, formula in enumerate(slide.find_all("math"))]
    words = slide.get_text().partition(link.get_text())[2].split()
    begins = _DANGLES.sub("", " ".join(words[:_WORDS]))
    return re.sub("\0(\\d+)\0", lambda place: formulas[int(place[1])], escape(begins)) + " …"


def _lines(parts: list[Tag], in_short: bool = False) -> Iterator[str]:
    """Yield what is said, asked and done in the open text of these parts, with one row for each part of a figure.

    A step that may be left out is `in_short`, and has only the question of its figure and the answer.
    """
    for part in parts:
        if part.name == "ol":
            items = part.find_all("li", recursive=False)
            for place, item in enumerate(items, 1):
                if in_short and 1 < place < len(items):
                    continue
                lines = _lines(item.find_all(True, recursive=False))
                yield " ".join([f"<b>{place}/{len(items)}</b>", *lines])
        elif part.name == "ul":  # a proof for the board
            yield from (f"– {paper.inside(item.p or item)}" for item in part.find_all("li", recursive=False))
        elif "say" in part.get("class", []):
            yield from (f"{_SAY} {_in_short(said)}" for said in part.find_all("p"))
        elif part.name == "p" and "minutes" not in part.get("class", []):
            yield from filter(None, [_done(part)])


def _done(part: Tag) -> str:
    """Return what is done, without a sentence that only shows the figure of a step, or that stands at each figure."""
    sentences = [_TITLE.sub("", each) for each in _sentences(part) if not _SHOWS.fullmatch(_text(each))]
    kept = (each for each in sentences if not _ALWAYS.fullmatch(_text(each)))
    return _whole(" ".join("Letters, hands." if _LETTERS.fullmatch(_text(each)) else each for each in kept))


def _in_short(said: Tag) -> str:
    """Return the first sentence of what is said, each question, each sentence with a reason, and what these lean on."""
    kept: list[str] = []
    wanted = False
    first, *more = _sentences(said)
    for sentence in reversed(more):
        wanted = wanted or _is_key(sentence) or (bool(kept) and _text(sentence).startswith("Suppose "))
        if wanted:
            kept.insert(0, sentence)
            wanted = bool(_LEANS.search(_text(sentence)))
    return _whole(" ".join([first, *kept]))


def _is_key(sentence: str) -> bool:
    """Whether it asks, or gives a reason.

    >>> _is_key("It is 3, because 1 + 2 is 3."), _is_key("So far it is 3.")
    (True, False)
    """
    words = _text(sentence)
    return words.rstrip("”").endswith("?") or bool(_REASON.search(words))


def _sentences(part: Tag) -> list[str]:
    """Return the sentences of a part as HTML."""
    return _SENTENCE.split(paper.inside(part))


def _text(sentence: str) -> str:
    return BeautifulSoup(sentence, "html.parser").get_text()


def _whole(sentences: str) -> str:
    """Return these sentences with each of their elements closed."""
    return str(BeautifulSoup(sentences, "html.parser"))


def pressed(block: Tag, after: list[Tag]) -> str:
    """Return what is pressed at a step, in this order, and the right choice of a step that asks."""
    answer = next((found for part in after if (found := part.select_one(".lesson-answer > summary"))), None)
    if answer is None:
        return "; ".join(filter(None, [_used([block, *after]), "Page Down"]))
    place = next(i for i, part in enumerate(after) if part.name == "ol")
    items = after[place].find_all("li", recursive=False)
    right = escape(answer.get_text().partition("”: ")[2].split(",")[0])
    at_last = _used([items[-1], *after[place + 1 :]])
    keys = [*_turns([_used([item]) for item in items[:-1]]), f"answer {right}", at_last, "Page Down"]
    return "; ".join(filter(None, keys))


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
