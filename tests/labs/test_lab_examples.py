"""Labs: the examples in the docstrings of the functions that the reader finishes, run with the solutions."""

import ast
import doctest
import re

import pytest
from figures import PARTS, ROOT, TEXTS, run

from book.handouts.points import TASKS

_EXERCISE = re.compile(r"(?s)\{exercise-start\}.*?\{exercise-end\}")
_CELL = re.compile(r"(?ms)^```\{code-cell\}[^\n]*\n(.*?)^```")


def cell_with(page: str, words: str) -> str:
    """Return the one cell of a lab that has these words, without the options at its head."""
    cells = (part["cell"] for part in PARTS.finditer(TEXTS[page]) if words in (part["cell"] or ""))
    (cell,) = (re.sub(r"(?m)^:[\w-]+:.*\n", "", cell) for cell in cells)
    return cell


def printed(page: str, expression: str) -> str:
    """Return what a lab's {eval} of this expression prints, whose attacks have all of their runs."""
    ran = run(page)
    (said,) = (ran.printed[part.start()] for part in PARTS.finditer(ran.text) if part["eval"] == expression)
    return said


def unfinished(page: str) -> list[ast.FunctionDef]:
    """Return the functions of a lab whose body the reader writes: a docstring and `...`."""
    text = (ROOT / "chapters" / f"{page}.md").read_text("utf-8")
    cells = [cell for exercise in _EXERCISE.findall(text) for cell in _CELL.findall(exercise)]
    found = [node for cell in cells for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef)]
    return [node for node in found if ast.unparse(node.body[-1]) == "..."]


def failures(page: str, function: ast.FunctionDef) -> tuple[int, str]:
    """Return how many examples a docstring has, and what is wrong with them."""
    said: list[str] = []
    names = dict(run(page).names)
    example = doctest.DocTestParser().get_doctest(ast.get_docstring(function), names, function.name, page, 0)
    doctest.DocTestRunner().run(example, out=said.append)
    return len(example.examples), "".join(said)


# What the reader writes: so many functions a lab.
FUNCTIONS = {
    "labs/accountant": 9,
    "labs/break_and_defend": 3,
    "labs/look_private": 6,
    "labs/publish_a_table": 7,
    "labs/read_a_claim": 6,
    "labs/train_privately": 6,
    "labs/what_delta_buys": 7,
}


def test_every_lab_and_all_its_unfinished_functions_are_found():
    labs = {f"labs/{path.stem}" for path in (ROOT / "chapters" / "labs").glob("*.md")}
    assert {page: len(unfinished(page)) for page in labs} == FUNCTIONS


@pytest.mark.parametrize(
    ("page", "function"),
    [
        pytest.param(page, function, id=f"{page}-{function.name}", marks=pytest.mark.xdist_group(page))
        for page in FUNCTIONS
        for function in unfinished(page)
    ],
)
def test_the_examples_of_an_unfinished_function_are_right(page, function):
    examples, wrong = failures(page, function)
    assert examples and wrong == ""


@pytest.mark.usefixtures("short_attacks")
@pytest.mark.parametrize("page", [pytest.param(page, marks=pytest.mark.xdist_group(page)) for page in FUNCTIONS])
def test_the_solutions_of_a_lab_get_all_of_its_ten_points(page):
    tasks = TASKS[page.removeprefix("labs/")]
    assert {task.name for task in tasks} == {function.name for function in unfinished(page)}
    assert sum(task.points for task in tasks) == 10
    names = dict(run(page).names)
    for task in tasks:
        exec(compile(task.test, task.name, "exec"), names)
