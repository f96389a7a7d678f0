"""Grade ten submissions of a lab with nbgrader, and compare the points with those that they deserve.

By hand, since it takes minutes: `make grading-trial`. The submissions are right in three styles, wrong in different
ways, empty with cells that were tampered with, raise an error, or loop for ever.
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
IN_LOOPS = """
def has_quit(office, target):
    others = np.array([not each for each in target])
    with_target = office(others | target)
    return with_target - office(others)


def reconstruct(groups, published):
    answers = np.linalg.pinv(groups) @ published
    return [1 if answer >= 0.5 else 0 for answer in answers]


def defended(column, groups, epsilon, rng):
    noisy = []
    for group in groups:
        count = 0
        for member, bit in zip(group, column):
            count += member * bit
        noisy.append(count + rng.laplace(scale=len(groups) / epsilon))
    return np.array(noisy)
"""
BY_THE_LIBRARY = """
def has_quit(office, target):
    return office(np.ones_like(target)) - office(np.logical_not(target))


def reconstruct(groups, published):
    normal = groups.T @ groups
    return np.round(np.clip(np.linalg.solve(normal, groups.T @ published), 0, 1))


def defended(column, groups, epsilon, rng):
    return mechanisms.laplace(groups @ column, len(groups), epsilon, rng)
"""
WRONG_WAY_ROUND = """
def has_quit(office, target):
    return office(~target) - office(np.full(len(target), True))
"""
NOT_ROUNDED = """
def reconstruct(groups, published):
    return np.linalg.lstsq(groups, published, rcond=None)[0]
"""
NOT_SPLIT = """
def defended(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, 1 / epsilon, len(groups))
"""
ONE_NOISE = """
def defended(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, len(groups) / epsilon)
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
    "right-in-loops": (IN_LOOPS, 10),
    "right-by-the-library": (BY_THE_LIBRARY, 10),
    "tampers": ("", 0),
    "wrong-way-round": (RIGHT + WRONG_WAY_ROUND, 7),
    "not-rounded": (RIGHT + NOT_ROUNDED, 7),
    "budget-not-split": (RIGHT + NOT_SPLIT, 6),
    "one-noise": (RIGHT + ONE_NOISE, 6),
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
