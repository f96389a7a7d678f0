"""The chapters as notebooks that readers download: they have the page's cells, and they run with dp_lib alone.

A chapter's cells run when the book is built, and once more for the tests of its figures (figures.py). Here a kernel
runs the notebook with the book's main figure, the one with a game, and one lab. The labs run as plain Python too, as
they are handed out, with nothing written into them.
"""

import contextlib
import io
import re
import warnings
from pathlib import Path

import nbformat
import project_copy
import pytest
from conftest import SITE
from figures import PARTS, TEXTS
from interactive_client import AttendedClient

from book.handouts.points import TASKS

NOTEBOOKS = {
    path.relative_to(SITE / "_sources/chapters").with_suffix("").as_posix(): path
    for path in sorted(SITE.glob("_sources/chapters/**/*.ipynb"))
}
LABS = [name for name in NOTEBOOKS if name.startswith("labs/")]
IN_A_KERNEL = ["accounting_compared", "pure", "labs/what_delta_buys"]
SOLUTION = r"(?ms)^`+\{solution-start\}.*?^`+\{solution-end\}"
STRICT = 'import warnings\nwarnings.simplefilter("error")'


def cells(name):
    """The code of a notebook's cells, without the book's own first one."""
    notebook = nbformat.read(NOTEBOOKS[name], as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"][1:]


def written(text):
    """The code of the cells that a chapter's text shows, without their options."""
    return [
        re.sub(r"(?m)^:[\w-]+:.*\n", "", part["cell"]).strip()
        for part in PARTS.finditer(text)
        if part["cell"] and "remove-cell" not in part["cell"]
    ]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_has_the_cells_of_its_chapter(name):
    expected = written(re.sub(SOLUTION, "", TEXTS[name]) if name in LABS else TEXTS[name])
    found = [cell for cell in cells(name) if not cell.startswith("# Take away a #")]
    assert found == expected


@pytest.mark.parametrize("name", LABS)
def test_lab_in_which_nothing_is_written_yet_runs_to_its_end(name):
    """Its checks and pictures say what is missing; a warning is an error."""
    names, said = {}, io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("error")
        for cell in cells(name):
            exec(compile(cell, name, "exec"), names)
    assert said.getvalue() == ""
    for task in TASKS[name.removeprefix("labs/")]:  # and it gets no points
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises((AssertionError, TypeError, ValueError)):
            exec(compile(task.test, task.name, "exec"), names)


@pytest.mark.notebooks
@pytest.mark.xdist_group("kernels")
@pytest.mark.parametrize("name", IN_A_KERNEL)
def test_notebook_runs_in_a_kernel_and_shows_its_widgets(name, tmp_path):
    for package in ("dp_lib", "livefigures", "book"):  # and no chapter
        (tmp_path / package).symlink_to(Path(__file__).parents[2] / package)
    notebook = nbformat.read(NOTEBOOKS[name], as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    where = {"metadata": {"path": str(tmp_path)}}
    # A kernel may send one print in two messages; they are one output.
    client = AttendedClient(notebook, timeout=120, kernel_name="python3", resources=where, coalesce_streams=True)
    client.execute(env=project_copy.environment(tmp_path))
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    shown = [output for output in outputs if "application/vnd.jupyter.widget-view+json" in output.get("data", {})]
    still = [output for output in outputs if "<svg" in output.get("data", {}).get("text/html", "")]
    declared = "\n".join(cells(name))
    figures = declared.count("live.Figure(") + declared.count("live.workbench(")
    assert len(still) == figures
    assert len(shown) == figures + declared.count("Game(")
