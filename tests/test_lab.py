"""`make lab`: what becomes of the reader's notebooks, and a real JupyterLab driven in a real browser."""

import json

import lab
import pytest
from notebooks import EDITION, edition


def write(file, *sources, outputs=()):
    """A notebook of the book with these cells; its name for the edition is that of its cells."""
    cells = [{"cell_type": "code", "source": [source], "outputs": list(outputs)} for source in sources]
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"cells": cells, "metadata": {EDITION: edition(cells)}}), "utf-8")


def change(file, source):
    """What JupyterLab saves when the reader edits the first cell."""
    content = json.loads(file.read_text("utf-8"))
    content["cells"][0]["source"] = [source]
    file.write_text(json.dumps(content), "utf-8")


def sources(file):
    return ["".join(cell["source"]) for cell in json.loads(file.read_text("utf-8"))["cells"]]


@pytest.fixture
def folders(tmp_path):
    """The book's notebooks, one chapter of one cell, and the reader's folder with a copy."""
    built, own = tmp_path / "built", tmp_path / "notebooks"
    write(built / "pure.ipynb", "first edition")
    assert lab.bring(built, own) == []
    return built, own


def test_reader_gets_every_notebook(folders):
    built, own = folders
    assert (own / "pure.ipynb").read_bytes() == (built / "pure.ipynb").read_bytes()


def test_untouched_notebook_is_replaced_by_the_newer_one_of_the_book(folders):
    built, own = folders
    write(own / "pure.ipynb", "first edition", outputs=[{"output_type": "stream"}])  # it was run and saved
    write(built / "pure.ipynb", "second edition")
    assert lab.bring(built, own) == []
    assert sources(own / "pure.ipynb") == ["second edition"]


def test_changed_notebook_stays_and_the_newer_one_is_put_beside_it(folders):
    built, own = folders
    change(own / "pure.ipynb", "mine")
    assert lab.bring(built, own) == []  # the book has nothing newer
    write(built / "pure.ipynb", "second edition")
    assert lab.bring(built, own) == [own / "pure-2.ipynb"]
    assert (sources(own / "pure.ipynb"), sources(own / "pure-2.ipynb")) == (["mine"], ["second edition"])


def test_changed_notebooks_beside_one_another_all_stay(folders):
    built, own = folders
    change(own / "pure.ipynb", "mine")
    write(built / "pure.ipynb", "second edition")
    lab.bring(built, own)
    write(built / "pure.ipynb", "third edition")
    assert lab.bring(built, own) == [own / "pure-2.ipynb"]  # which was untouched
    change(own / "pure-2.ipynb", "mine too")
    write(built / "pure.ipynb", "fourth edition")
    assert lab.bring(built, own) == [own / "pure-3.ipynb"]
    assert lab.bring(built, own) == []
    assert [sources(file) for file in sorted(own.iterdir())] == [["mine too"], ["fourth edition"], ["mine"]]


def test_reader_s_other_notebooks_are_left_alone(folders):
    built, own = folders
    (own / "homework.ipynb").write_text("mine", "utf-8")
    lab.bring(built, own)
    assert (own / "homework.ipynb").read_text("utf-8") == "mine"
