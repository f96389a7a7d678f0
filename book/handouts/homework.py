"""A lesson's homework as sheets, a key and the notebook of its lab: `make handout LESSON=3`.

The plan of the course (chapters/teaching.md) says which exercises a lesson has. Their words and their solutions are
taken from the built pages, so that nothing is written twice. Points and usual mistakes are in `rubrics`, and the sheet
for more practice is in `ten_rows`.
"""

import re
import sys
from functools import cache
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from book.handouts import grading, paper, rubric, rubrics, ten_rows

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PLAN = ROOT / "chapters" / "teaching.md"
HEAD = f'<p class="name">Name:</p><p>{rubric.TOLD}</p>'
_READ_ME = """{title}

sheet.html               the homework, to print or to hand out as it is: A4 and letter, no network needed
sheet-ten-rows.html      more practice: three exercises that repeat the lesson on a table of ten rows
sheet-harder.html        one exercise more, for students who found the homework easy
key.html                 the solutions of all three sheets, with points and usual mistakes; it stays with you
{lab}"""
_LABS = """nbgrader_config.py       for nbgrader, which can grade the labs; the teaching page says how

A notebook runs where this project is installed: pip install "path/to/this/project[notebook,labs]", then jupyter lab.
"""


class HandoutError(ValueError):
    """What a handout needs is not there; the message says what to do."""


def lesson_of(number: str) -> tuple[str, str]:
    """Return the title and the plan of a lesson."""
    lessons = [part for part in PLAN.read_text("utf-8").split("\n## ") if re.match(r"\d+\. ", part)]
    if number not in [lesson.split(".")[0] for lesson in lessons]:
        raise HandoutError(f"LESSON must be a whole number from 1 to {len(lessons)}, got {number!r}")
    title, _, plan = lessons[int(number) - 1].partition("\n")
    return title, plan


def labels(plan: str, part: str) -> list[str]:
    """Return the labels of the exercises that a plan names in a part, which is "Homework" or "Harder"."""
    return re.findall(r"\{ref\}`(ex-[^`]+)`", plan.partition(f"*{part}:*")[2].partition("\n\n")[0])


def exercises(names: list[str]) -> list[tuple[Tag, Tag]]:
    """Return the exercises of these labels with their solutions, as the built pages have them."""
    pages = [file.read_text("utf-8") for file in sorted(SITE.glob("chapters/*.html"))]
    if not pages:
        raise HandoutError("the book is not built: run `make book` first")
    return [(exercise, solution_of(exercise)) for exercise in (find(name, pages) for name in names)]


def find(name: str, pages: list[str]) -> Tag:
    """Return the exercise of that label."""
    for page in pages:
        opening = f'<div class="exercise admonition" id="{name}">'  # looked for first, since to read a page takes time
        if opening in page and (exercise := parsed(page).find("div", id=name)):
            return exercise
    raise HandoutError(f"no built page has the exercise {name!r}: run `make book` again")


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


def on_paper(part: Tag) -> str:
    """Return the words of a part of a page, without its title and without links, which lead nowhere on paper."""
    copy = BeautifulSoup(str(part), "html.parser")
    for drawn in copy.select(".admonition-title, summary, figure.live, script, button, .headerlink"):
        drawn.decompose()
    for folded in copy.find_all("details"):
        folded.name = "div"
    for link in copy.find_all("a"):
        link.unwrap()
    for element in copy.find_all(True):
        element.attrs = {name: value for name, value in element.attrs.items() if name != "id"}
    return str(copy)


def title_of(exercise: Tag) -> str:
    """Return an exercise's number and title, and the chapter that it is in."""
    title, chapter = exercise.find(class_="admonition-title"), exercise.find_previous("h1")
    words = [" ".join(each.get_text().replace("¶", "").split()) for each in (title, chapter) if each]
    return ", in ".join(words)


def lab_of(plan: str) -> list[Path]:
    """Return the notebooks of the labs that a plan names."""
    names = re.findall(r"\(labs/(\w+)\.md\)", plan)
    return [SITE / "_sources" / "chapters" / "labs" / f"{name}.ipynb" for name in names]


def of_the_book(names: list[str]) -> tuple[str, str]:
    """Return the exercises of these labels as the body of a sheet, and as that of a key."""
    asked = solved = ""
    for name, (exercise, solution) in zip(names, exercises(names), strict=True):
        title, question, graded = title_of(exercise), on_paper(exercise), rubrics.RUBRICS[name]()
        asked += paper.part(title, graded.points, question)
        answer = f"{question}<h3>Solution</h3>{on_paper(solution)}<h3>Points</h3>{rubric.html(graded)}"
        solved += paper.part(title, graded.points, answer)
    return asked, solved


def on_ten_rows(number: str) -> tuple[str, str]:
    """Return the exercises on ten rows as the body of a sheet, and as that of a key."""
    asked = solved = ten_rows.table()
    for exercise in ten_rows.exercises(number):
        question = "\n".join(f"<p>{escape(line)}</p>" for line in exercise.asked)
        asked += paper.part(exercise.title, exercise.rubric.points, question)
        solved += paper.part(exercise.title, exercise.rubric.points, question + rubric.html(exercise.rubric))
    return asked, solved


def make(number: str) -> Path:
    """Write the handout of a lesson and return its folder."""
    title, plan = lesson_of(number)
    sheet, key = of_the_book(labels(plan, "Homework"))
    harder, harder_key = of_the_book(labels(plan, "Harder"))
    easier, easier_key = on_ten_rows(number)
    rules = "".join(f"<p>{rule}</p>" for rule in rubric.RULES)
    keys = f'<div class="key">{rules}{key}<h2>More practice</h2>{easier_key}<h2>Harder</h2>{harder_key}</div>'
    labs = lab_of(plan)
    said = "".join(f"{file.name:<24} the lab, for the students\n" for file in labs) + (_LABS if labs else "")
    place = paper.write(
        f"lesson-{number}",
        {
            "sheet.html": paper.page(f"Homework {title}", HEAD + sheet),
            "sheet-ten-rows.html": paper.page(f"More practice {title}", HEAD + easier),
            "sheet-harder.html": paper.page(f"Harder {title}", HEAD + harder),
            "key.html": paper.page(f"Key to homework {title}", keys),
            "read-me.txt": _READ_ME.format(title=f"Homework {title}", lab=said),
        },
    )
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
