"""The notebook of a lab as nbgrader wants it: each cell says whether it is the student's, the lab's, or a grade.

nbgrader reads this from the metadata of the cells. It puts back every locked cell that a student has changed, runs the
notebook, and gives the points of a graded cell that raises no error.
"""

import ast
import json
from pathlib import Path
from typing import Any

from book.handouts.points import TASKS, Task
from book.notebooks.downloads import EDITION

Cell = dict[str, Any]

SCHEMA = 3  # of nbgrader's metadata
SECONDS = 300  # that nbgrader waits for a cell
CONFIG = f"""\
# Read by nbgrader in the folder in which it is started.
c = get_config()
c.CourseDirectory.course_id = "dp"
c.Execute.timeout = {SECONDS}  # seconds for a cell; then it is interrupted, and the next cell runs
c.Execute.interrupt_on_timeout = True
c.ClearSolutions.code_stub = {{"python": "..."}}
"""
_HEADING = """\
## Your points

Each cell below is about one function, and passes if the function is right. If a cell fails, its last line says why. \
Run all cells above first."""


def write(labs: list[Path], folder: Path) -> None:
    """Write the notebooks of labs into a folder, with nbgrader's settings if there are any."""
    for file in labs:
        notebook = for_nbgrader(file.stem, json.loads(file.read_text("utf-8")))
        (folder / file.name).write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if labs:
        (folder / "nbgrader_config.py").write_text(CONFIG, "utf-8")


class PointsError(ValueError):
    """The functions that a lab asks for are not those that have points; the message says what to do."""


def for_nbgrader(name: str, notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook of a lab with nbgrader's metadata, and with a graded cell for each function at its end."""
    tasks = TASKS.get(name, ())
    names = {task.name for task in tasks}
    asked = {function for cell in notebook["cells"] for function in _unfinished(cell)}
    if asked != names:
        raise PointsError(
            f"book/handouts/points.py must give points to what {name} asks for, {sorted(asked)}, and it gives "
            f"points to {sorted(names)}"
        )
    cells = [_marked(cell, place) for place, cell in enumerate(notebook["cells"])]
    heading = {"cell_type": "markdown", "id": "points", "metadata": {}, "source": _HEADING}
    graded = [_graded(task) for task in tasks]
    metadata = {key: value for key, value in notebook["metadata"].items() if key != EDITION}  # it is another one
    return notebook | {"cells": [*cells, heading, *graded], "metadata": metadata}


def _marked(cell: Cell, place: int) -> Cell:
    """Return a cell of the lab with its role: the student's if it defines a function that is asked for."""
    if cell["cell_type"] != "code":
        return cell
    mine = _unfinished(cell)
    role = _role("-".join(mine), solution=True) if mine else _role(f"lab-{place}", locked=True)
    return cell | {"metadata": cell["metadata"] | {"nbgrader": role}}


def _unfinished(cell: Cell) -> list[str]:
    """Return the functions of a cell whose body is a docstring and `...`."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code" or "\n%" in source:  # a magic command is no Python
        return []
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return [node.name for node in functions if ast.unparse(node.body[-1]) == "..."]


def _graded(task: Task) -> Cell:
    role = _role(f"points-{task.name}", grade=True, locked=True) | {"points": task.points}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"points-{task.name}".replace("_", "-"),
        "metadata": {"nbgrader": role},
        "outputs": [],
        "source": f"# {task.name}: {task.points} point{'s' if task.points > 1 else ''}\n{task.test}",
    }


def _role(name: str, grade: bool = False, solution: bool = False, locked: bool = False) -> dict[str, Any]:
    roles = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    return {"grade_id": name, "schema_version": SCHEMA, "cell_type": "code", **roles}
