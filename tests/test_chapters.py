"""Each chapter as the notebook that readers download: it runs with dp_lib alone, and its sliders redraw."""

from pathlib import Path

import nbformat
import project_copy
import pytest
from conftest import SITE
from interactive_client import AttendedClient

pytestmark = pytest.mark.notebooks
NOTEBOOKS = sorted(SITE.glob("_sources/chapters/*.ipynb"))
LABS = sorted(SITE.glob("_sources/chapters/labs/*.ipynb"))

STRICT = 'import warnings\nwarnings.simplefilter("error")'

# Moves every slider of every figure of the chapter, one at a time, and reports those that leave the picture as it was.
MOVE = """
import gc
from dp_lib import live

_still = []
for _figure in [found for found in gc.get_objects() if isinstance(found, live.Figure) and "view" in vars(found)]:
    for _name, _control in _figure.controls.items():
        _figure.values = _figure.needs(_name)
        _before = _figure.view.picture.value
        _figure.values = {_name: _control.low if _control.at != _control.low else _control.high}
        if _figure.view.picture.value == _before:
            _still.append((_figure.name, _name))
        _figure.view.reset()
print(_still)
"""


def run(path, folder, monkeypatch):
    """The notebook after its cells ran, with warnings as errors; an error or text on stderr fails the test."""
    monkeypatch.delenv("LIVEFIGURES_BUILDING", raising=False)
    for package in ("dp_lib", "livefigures", "book"):  # and no chapter
        (folder / package).symlink_to(Path(__file__).parent.parent / package)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    notebook.cells.append(nbformat.v4.new_code_cell(MOVE))
    environment = project_copy.environment(folder)
    where = {"metadata": {"path": str(folder)}}
    # A kernel may send one print in two messages; they are one output.
    client = AttendedClient(notebook, timeout=120, kernel_name="python3", resources=where, coalesce_streams=True)
    client.execute(env=environment)
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []
    return notebook


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_lab_in_which_nothing_is_written_yet_runs_to_its_end(path, monkeypatch, tmp_path):
    """Its checks and pictures say what is missing, and no cell ends in an error."""
    assert outputs(run(path, tmp_path, monkeypatch))[-1].text.strip() == "[]", "these sliders move nothing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_chapter_runs_and_its_widgets_redraw(path, monkeypatch, tmp_path):
    notebook = run(path, tmp_path, monkeypatch)
    found = outputs(notebook)
    assert found[-1].text.strip() == "[]", "these sliders move nothing"
    shown = [output for output in found if "application/vnd.jupyter.widget-view+json" in output.get("data", {})]
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    figures = sum("live.Figure(" in source or "live.workbench(" in source for source in cells)
    assert len(shown) == figures + sum("Game(" in source for source in cells)
    still = [output for output in found if "<svg" in output.get("data", {}).get("text/html", "")]
    assert len(still) == figures
