"""Grade five submissions of a lab with nbgrader, and compare the points with those that they deserve.

By hand, since it takes minutes: `make grading-trial`. One submission is right, one is wrong in one function, one is
empty with cells that were tampered with, one raises errors, and one loops for ever. What a right and a wrong function
is, test_labs_break_and_defend.py asks of the lab itself.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from book.handouts import grading

LAB = "break_and_defend"
NOTEBOOK = Path(__file__).parents[1] / "_build" / "html" / "_sources" / "chapters" / "labs" / f"{LAB}.ipynb"
SECONDS = 40  # for a cell: of the lab's own cells the slowest needs a few

HAS_QUIT = """
def has_quit(office, target):
    everybody = np.full(len(target), True)
    return office(everybody) - office(~target)
"""
RECONSTRUCT = """
def reconstruct(groups, published):
    values = np.linalg.lstsq(groups, published, rcond=None)[0]
    return (values > 0.5).astype(int)
"""
DEFENDED = """
def defended(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, len(groups) / epsilon, len(groups))
"""
NOT_ROUNDED = """
def reconstruct(groups, published):
    return np.linalg.lstsq(groups, published, rcond=None)[0]
"""
RAISES = """
def has_quit(office, target):
    return office(everyone) - office(~target)


def defended(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, "len(groups)")
"""
LOOPS = """
def reconstruct(groups, published):
    guess = np.zeros(groups.shape[1])
    while np.abs(groups @ guess - published).max() > 0:
        guess = (guess + 1) % 2
    return guess


def defended(column, groups, epsilon, rng):
    noisy = groups @ column
    while True:
        noisy = noisy + rng.laplace(0, len(groups) / epsilon, len(groups))
    return noisy
"""
RIGHT = HAS_QUIT + RECONSTRUCT + DEFENDED
# A student's code, and the points that it deserves: has_quit 3, reconstruct 3, defended 4.
SUBMISSIONS = {
    "right": (RIGHT, 10),
    "tampers": ("", 0),
    "not-rounded": (RIGHT + NOT_ROUNDED, 7),
    "raises": (RIGHT + RAISES, 3),
    "loops": (RIGHT + LOOPS, 3),
}


def submission(release: dict, code: str) -> dict:
    """Return the notebook of a student: the code at the end of each of their cells, or tampered cells."""
    notebook = json.loads(json.dumps(release))
    for cell in notebook["cells"]:
        role = cell["metadata"].get("nbgrader", {})
        if role.get("solution"):
            cell["source"] = "".join(cell["source"]) + "\n\n" + code
        elif not code and role.get("grade"):
            cell["source"] = "assert True"
        elif not code and "def try_differencing" in "".join(cell["source"]):
            cell["source"] = "def try_differencing(attack):\n    return 'All people found'"
    return notebook


def write(file: Path, notebook: dict) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(notebook), "utf-8")


def graded(nbgrader: Path, course: Path) -> dict[str, float]:
    """Return the points that nbgrader gives to each submission."""

    path = os.pathsep.join([str(nbgrader.parent), os.environ["PATH"]])  # nbgrader looks for a program beside it

    def run(*arguments: str) -> None:
        subprocess.run([nbgrader, *arguments], cwd=course, check=True, env=os.environ | {"PATH": path})

    notebook = grading.for_nbgrader(LAB, json.loads(NOTEBOOK.read_text("utf-8")))
    (course / "nbgrader_config.py").write_text(grading.CONFIG, "utf-8")
    write(course / "source" / LAB / f"{LAB}.ipynb", notebook)
    run("generate_assignment", LAB, "--create")
    release = json.loads((course / "release" / LAB / f"{LAB}.ipynb").read_text("utf-8"))
    for student, (code, _) in SUBMISSIONS.items():
        write(course / "submitted" / student / LAB / f"{LAB}.ipynb", submission(release, code))
    run("autograde", LAB, "--create", f"--Execute.timeout={SECONDS}")
    run("export", "--to", "grades.csv")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def main(nbgrader: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        given = graded(Path(nbgrader).absolute(), Path(folder))
    print(f"{'submission':24}{'points':>8}{'deserved':>10}")
    for student, (_, deserved) in SUBMISSIONS.items():
        print(f"{student:24}{given.get(student, -1):8g}{deserved:10g}")
    return int(given != {student: deserved for student, (_, deserved) in SUBMISSIONS.items()})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
