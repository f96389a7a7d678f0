"""A lesson's homework as sheets, a key and the notebook of its lab: `make handout LESSON=3`. The site has both, too.

The plan of the course (chapters/teaching.md) says which exercises a lesson has. Their words and their solutions are
taken from the built pages, so that nothing is written twice. Points and usual mistakes are in `rubrics`, and the sheet
for more practice is in `ten_rows`.
"""

import re
import sys
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from book.handouts import grading, key_and_card, paper, rubric, rubrics, ten_rows

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PLAN = ROOT / "chapters" / "teaching.md"
HEAD = (
    '<p class="name">Name:{day}</p><p><b>{due} Keep a photo.</b> {told} '
    "The figures are in the book{there}, in the chapter that is named with each exercise.</p>{line}"
)
DUE = "Hand in at the beginning of the next lesson, before it is discussed."
AT_LAST = "Hand in by the day above."  # no lesson follows
DAY = "<span>Due:</span>"  # to write the day on
LINE = '<p class="name">The book:</p>'  # to write its address on
# On paper, so that three exercises fit on one page of A4 and of letter, with their table if they have one.
CLOSE = """<style>@media print {
body { font-size: 11pt; line-height: 1.3; }
h1 { margin: 0 0 .3em; } section, .name { margin: .7em 0; } p, ul, ol, div.formula { margin: .3em 0; }
}</style>
"""
BY_CODE = (
    "<p>An exercise “by code” is for students who program. If you do not program, write this beside your name. Then "
    "{instead}.</p>"
)
# What a sheet says below an exercise whose key expects it.
_NOTES = {
    "ex-approx-questions": "Type values that the slider skips into its box.",
    "ex-errors-picture": "Whole per cent are enough.",
}
_READ_ME = """{title}

sheet.html               the homework, to print or to hand out as it is: A4 and letter, no network needed
sheet-ten-rows.html      more practice: three exercises that repeat the lesson on a table of ten rows
sheet-harder.html        one exercise more, for students who found the homework easy
key.html                 the solutions of all three sheets, with points and usual mistakes; it stays with you
key-short.html           answers, points, rules and usual mistakes; the homework has the first page
card.html                the lesson in short: its steps, what to say, ask and do, and what to press
{lab}"""
_LABS = """nbgrader_config.py       for nbgrader, which can grade the labs; the teaching page says how

A notebook runs where this project is installed: pip install "path/to/this/project[notebook,labs]", then jupyter lab.
"""


class HandoutError(ValueError):
    """What a handout needs is not there; the message says what to do."""


def lessons() -> dict[str, tuple[str, str]]:
    """Return the title and the plan of each lesson by its number."""
    parts = [part.partition("\n") for part in PLAN.read_text("utf-8").split("\n## ") if re.match(r"\d+\. ", part)]
    return {title.split(".")[0]: (title, plan) for title, _, plan in parts}


def lesson_of(number: str) -> tuple[str, str]:
    """Return the title and the plan of a lesson."""
    found = lessons()
    if number not in found:
        raise HandoutError(f"LESSON must be a whole number from 1 to {len(found)}, got {number!r}")
    return found[number]


def labels(plan: str, part: str) -> list[str]:
    """Return the labels of the exercises that a plan names in a part, which is "Homework" or "Harder"."""
    return re.findall(r"\{ref\}`(ex-[^`]+)`", plan.partition(f"*{part}:*")[2].partition("\n\n")[0])


def exercises(names: list[str], site: Path) -> list[Tag]:
    """Return the exercises of these labels, as the built pages have them."""
    pages = [file.read_text("utf-8") for file in sorted(site.glob("chapters/*.html"))]
    if not pages:
        raise HandoutError("the book is not built: run `make book` first")
    return [find(name, pages) for name in names]


def find(name: str, pages: list[str]) -> Tag:
    """Return the exercise of that label."""
    for page in pages:
        opening = f'<div class="exercise admonition" id="{name}">'  # looked for first, since to read a page takes time
        if opening in page and (exercise := parsed(page).find("div", id=name)):
            return exercise
    raise HandoutError(f"no built page has the exercise {name!r}: run `make book` again")


def head(number: str, site: Path) -> str:
    """Return what stands above each sheet of a lesson, with the address of the book, or a line to write it on."""
    address = re.search(r'<link rel="canonical" href="([^"]+)index\.html"', (site / "index.html").read_text("utf-8"))
    there = f" ({address[1]})" if address else ""
    day, due = (DAY, AT_LAST) if number == list(lessons())[-1] else ("", DUE)
    return HEAD.format(day=day, due=due, told=rubric.TOLD, there=there, line="" if address else LINE)


@cache
def parsed(page: str) -> BeautifulSoup:
    """Return a page, which is read once for all of its exercises."""
    return BeautifulSoup(page, "html.parser")


def solution_of(exercise: Tag) -> Tag:
    """Return the solution that stands behind an exercise."""
    solution, number = exercise.find_next("details", class_="solution"), exercise.find(class_="caption-number")
    if not (solution and number and f"Solution to {number.get_text().strip()} " in solution.get_text()):
        raise HandoutError("this edition has no solutions: run `make book` without SOLUTIONS=0")
    return solution


def solution_on_paper(exercise: Tag) -> str:
    """Return a solution's words, with its code if the exercise asks for code. Elsewhere a cell checks the solution."""
    return paper.on_paper(solution_of(exercise), code="code" in title_of(exercise).lower())


def title_of(exercise: Tag) -> str:
    """Return an exercise's number and title, and the chapter that it is in."""
    title, chapter = exercise.find(class_="admonition-title"), exercise.find_previous("h1")
    words = [" ".join(each.get_text().replace("¶", "").split()) for each in (title, chapter) if each]
    return ", in ".join(words)


def lab_of(plan: str) -> list[Path]:
    """Return the notebooks of the labs that a plan names."""
    names = re.findall(r"\(labs/(\w+)\.md\)", plan)
    return [SITE / "_sources" / "chapters" / "labs" / f"{name}.ipynb" for name in names]


def of_the_book(names: list[str], site: Path, solve: bool) -> str:
    """Return the exercises of these labels as the body of a sheet or, with their solutions and points, of a key."""
    body = ""
    for name, each in zip(names, exercises(names, site), strict=True):
        rule, words = rubrics.RUBRICS[name](), paper.on_paper(each)
        if name in _NOTES:
            words += f"<p>{_NOTES[name]}</p>"
        if solve:
            words += f"<h3>Solution</h3>{solution_on_paper(each)}<h3>Points</h3>{rubric.html(rule)}"
        body += paper.part(title_of(each), rule.points, words)
    return body


def tracks(names: list[str], site: Path) -> str:
    """Return what a sheet says to students who do not program, if one of its exercises is by code."""
    if not any("code" in title_of(each).lower() for each in exercises(names, site)):
        return ""
    instead = "hand in an exercise of the sheet “More practice” in its place"
    if any(rubrics.RUBRICS[name]().by_code for name in names):
        instead = "leave out the check by code, so that the sheet has fewer points"
    return BY_CODE.format(instead=instead)


def on_ten_rows(number: str, solve: bool) -> str:
    """Return the exercises on ten rows as the body of a sheet or, with their solutions and points, of a key."""
    body = ten_rows.table()
    for exercise in ten_rows.exercises(number):
        rule, question = exercise.rubric, rubric.paragraphs(exercise.asked)
        body += paper.part(exercise.title, rule.points, question + (rubric.html(rule) if solve else ""))
    return body


def sheets(number: str, site: Path) -> dict[str, str]:
    """Return a lesson's three sheets by the names of their files."""
    title, plan = lesson_of(number)
    names = labels(plan, "Homework")
    bodies = {
        "sheet.html": (f"Homework {title}", CLOSE + tracks(names, site) + of_the_book(names, site, solve=False)),
        "sheet-ten-rows.html": (f"More practice {title}", CLOSE + on_ten_rows(number, solve=False)),
        "sheet-harder.html": (f"Harder {title}", of_the_book(labels(plan, "Harder"), site, solve=False)),
    }
    return {name: paper.page(heading, head(number, site) + body) for name, (heading, body) in bodies.items()}


def key(number: str, site: Path) -> str:
    """Return the key to a lesson's three sheets."""
    title, plan = lesson_of(number)
    parts = [
        *(f"<p>{rule}</p>" for rule in rubric.RULES),
        of_the_book(labels(plan, "Homework"), site, solve=True),
        f"<h2>More practice</h2>{on_ten_rows(number, solve=True)}",
        f"<h2>Harder</h2>{of_the_book(labels(plan, 'Harder'), site, solve=True)}",
    ]
    return paper.page(f"Key to homework {title}", f'<div class="key">{"".join(parts)}</div>', listed=False)


def short_key(number: str, site: Path) -> str:
    """Return the answers to a lesson's three sheets with their points, rules and mistakes."""
    title, plan = lesson_of(number)

    def graded(part: str) -> list[tuple[str, rubric.Rubric]]:
        names = labels(plan, part)
        titles = (title_of(each).partition(", in ")[0] for each in exercises(names, site))
        return [(each, rubrics.RUBRICS[name]()) for name, each in zip(names, titles, strict=True)]

    sheets = {
        "Homework": graded("Homework"),
        "Harder (volunteers)": graded("Harder"),
        "Ten rows": [(each.title, each.rubric) for each in ten_rows.exercises(number)],
    }
    return key_and_card.short_key(f"Short key to homework {title}", sheets)


def card(number: str, site: Path) -> str:
    """Return a lesson's card, from its built script."""
    script = (site / "chapters" / "lessons" / f"lesson_{number}.html").read_text("utf-8")
    return key_and_card.card(f"Card of lesson {lesson_of(number)[0]}", parsed(script))


def for_the_lecturer(number: str, site: Path) -> dict[str, str]:
    """Return the papers of a lesson that have solutions, by the names of their files."""
    return {
        "key.html": key(number, site),
        "key-short.html": short_key(number, site),
        "card.html": card(number, site),
    }


def make(number: str) -> Path:
    """Write the handout of a lesson and return its folder."""
    title, plan = lesson_of(number)
    labs = lab_of(plan)
    said = "".join(f"{file.name:<24} the lab, for the students\n" for file in labs) + (_LABS if labs else "")
    read_me = _READ_ME.format(title=f"Homework {title}", lab=said)
    pages = sheets(number, SITE) | for_the_lecturer(number, SITE) | {"read-me.txt": read_me}
    place = paper.write(paper.FOLDER / f"lesson-{number}", pages)
    grading.write(labs, place)
    return place


def main(number: str) -> int:
    try:
        print(f"Handout: {make(number)}")
    except HandoutError as error:
        print(f"{error}, for example: make handout LESSON=3", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
