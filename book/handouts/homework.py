"""A lesson's homework as a sheet, a key and the notebook of its lab: `make handout LESSON=3`.

The plan of the course (chapters/teaching.md) says which exercises a lesson has. Their words and their solutions are
taken from the built pages, so that nothing is written twice.
"""

import re
import sys
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from book.handouts import grading, paper

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PLAN = ROOT / "chapters" / "teaching.md"
POINTS = 10  # of each exercise
_READ_ME = """{title}

sheet.html    the homework, to print or to hand out as it is: A4 and letter, no network needed
key.html      the solutions; it stays with you
{lab}
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


def exercises(plan: str) -> list[tuple[Tag, Tag]]:
    """Return the exercises of a plan with their solutions, as the built pages have them."""
    wanted = re.findall(r"\{ref\}`(ex-[^`]+)`", plan)
    pages = [file.read_text("utf-8") for file in sorted(SITE.glob("chapters/*.html"))]
    if not pages:
        raise HandoutError("the book is not built: run `make book` first")
    return [(exercise, solution_of(exercise)) for exercise in (find(name, pages) for name in wanted)]


def find(name: str, pages: list[str]) -> Tag:
    """Return the exercise of that label."""
    for page in pages:
        opening = f'<div class="exercise admonition" id="{name}">'  # looked for first, since to read a page takes time
        if opening in page and (exercise := BeautifulSoup(page, "html.parser").find("div", id=name)):
            return exercise
    raise HandoutError(f"no built page has the exercise {name!r}: run `make book` again")


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


def make(number: str) -> Path:
    """Write the handout of a lesson and return its folder."""
    title, plan = lesson_of(number)
    pairs = exercises(plan)
    asked = "".join(paper.part(title_of(exercise), POINTS, on_paper(exercise)) for exercise, _ in pairs)
    solved = "".join(
        paper.part(title_of(exercise), POINTS, f"{on_paper(exercise)}<h3>Solution</h3>{on_paper(solution)}")
        for exercise, solution in pairs
    )
    labs = lab_of(plan)
    said = "".join(f"{file.name}    the lab, for the students\n" for file in labs)
    place = paper.write(
        f"lesson-{number}",
        {
            "sheet.html": paper.page(f"Homework {title}", f'<p class="name">Name:</p>{asked}'),
            "key.html": paper.page(f"Key to homework {title}", solved),
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
