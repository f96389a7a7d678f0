"""`make lab`: what becomes of the reader's notebooks, and a real JupyterLab driven in a real browser."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from book.notebooks import lab
from book.notebooks.downloads import EDITION, edition


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


def test_broken_notebook_stays_too(folders):
    built, own = folders
    (own / "pure.ipynb").write_text("", "utf-8")
    assert lab.bring(built, own) == [own / "pure-2.ipynb"]
    assert (own / "pure.ipynb").read_text("utf-8") == ""


def test_reader_s_other_notebooks_are_left_alone(folders):
    built, own = folders
    (own / "homework.ipynb").write_text("mine", "utf-8")
    lab.bring(built, own)
    assert (own / "homework.ipynb").read_text("utf-8") == "mine"


# -- a real JupyterLab

PATIENCE = 120_000  # milliseconds: a limit for a shared computer, and no measure of speed


@pytest.fixture
def project(tmp_path, site):
    """A reader's copy of the project, dp_lib and the notebooks, and an empty home."""
    shutil.copytree(lab.ROOT / "dp_lib", tmp_path / "project" / "dp_lib", ignore=shutil.ignore_patterns("__pycache__"))
    lab.bring(lab.BUILT, tmp_path / "project" / "notebooks")
    (tmp_path / "home").mkdir()
    return tmp_path / "project"


@pytest.fixture
def jupyterlab(project, tmp_path):
    """The address that `make lab` opens, of a JupyterLab on the reader's project."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | lab.environment(tmp_path / "state")
    environment |= {"HOME": str(tmp_path / "home"), "PYTHONPATH": str(project)}
    environment.pop("LIVEFIGURES_BUILDING", None)
    options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=t"]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(lab.command(project, *options), env=environment, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/api?token=t", server)
            yield address
        finally:
            server.terminate()
            server.wait()


def wait_for(address, server):
    for _ in range(PATIENCE // 250):
        assert server.poll() is None, "JupyterLab ended"
        try:
            urllib.request.urlopen(address).close()
            return
        except urllib.error.URLError:
            time.sleep(0.25)
    raise AssertionError("JupyterLab does not answer")


NO_CELL_WAITS = "![...document.querySelectorAll('.jp-InputPrompt')].some(prompt => prompt.textContent.includes('*'))"
PIXELS = """figure => {
  const image = figure.querySelector('img'), canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL();
}"""


class Notebook:
    """A notebook open in JupyterLab."""

    def __init__(self, page, address, name):
        self.page = page
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/lab/tree/notebooks?token=t")
        page.locator(".jp-DirListing-item", has_text=name).dblclick()
        page.locator(".jp-NotebookPanel .jp-RenderedMarkdown").first.wait_for()
        self.wait_for_kernel()

    def wait_for_kernel(self):
        self.page.wait_for_function(NO_CELL_WAITS)
        self.page.locator("#jp-main-statusbar", has_text="Idle").wait_for()

    def text(self):
        return "\n".join(self.page.locator(".jp-RenderedMarkdown").all_text_contents())

    def figure(self, name):
        return self.page.locator(f".live-view-{name}")

    def cell(self, **has):
        return self.page.locator(".jp-CodeCell").filter(**has).first

    def run_all(self, figures):
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.locator("[data-command='runmenu:run-all']").click()
        self.page.wait_for_function(f"document.querySelectorAll('[class*=live-view] img').length === {figures}")
        self.wait_for_kernel()

    def run(self, cell, source=None):
        """Run one cell, after writing `source` into it."""
        if source is None:
            cell.locator(".jp-InputPrompt").click()
        else:
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Control+a")
            self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Control+Enter")

    def pixels(self, name):
        return self.figure(name).evaluate(PIXELS)

    def wait_for_other_pixels(self, name, before):
        pixels = f"figure => figure?.querySelector('img')?.complete && ({PIXELS})(figure)"
        changed = (
            f"([place, before]) => ![false, undefined, before].includes(({pixels})(document.querySelector(place)))"
        )
        self.page.wait_for_function(changed, arg=[f".live-view-{name}", before])


def test_chapter_opens_as_text_and_its_figure_follows_slider_and_dp_lib(jupyterlab, project, tmp_path, browser):
    """One visit, as a student makes it: JupyterLab takes its time to start, so there is one."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    notebook = Notebook(page, jupyterlab, "accounting_compared.ipynb")
    name = "rdp-vs-zcdp"

    chapter = (lab.ROOT / "chapters" / "accounting_compared.md").read_text("utf-8")
    notebook.run_all(figures=chapter.count("live.Figure("))
    assert page.locator("[data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr']").count() == 0
    assert not page.locator(f".live-still-{name}").is_visible()  # the widget is alive
    assert page.locator("h4", has_text="Solution").first.is_visible()
    assert not page.get_by_text("α* = 136.7").is_visible()  # what a solution's cell prints

    page.locator("p", has_text="introduced RDP").wait_for(state="attached")  # what is far below is rendered last
    text = notebook.text()
    assert re.search(r"Theorem \d+ \(The curve of zCDP is the lower envelope of the RDP lines\)", text)
    assert "Mironov [Mir17] introduced RDP" in text
    assert not re.search(r"\{[\w:-]+\}`|`{3,}\{", text)

    # By keyboard: the picture changes.
    before, slider = notebook.pixels(name), notebook.figure(name).locator("[role=slider]").nth(1)
    assert slider.get_attribute("aria-valuenow") == "60.0"
    slider.press("ArrowRight")
    notebook.wait_for_other_pixels(name, before)
    assert slider.get_attribute("aria-valuenow") == "61.0"

    # A function of dp_lib is edited, the figure's cell run again.
    before, room = notebook.pixels(name), project / "dp_lib" / "zcdp.py"
    changed = room.read_text("utf-8").replace("rho + 2 * np.sqrt(", "rho + 3 * np.sqrt(")
    room.write_text(changed, "utf-8")
    notebook.run(notebook.cell(has=notebook.figure(name)))
    notebook.wait_for_other_pixels(name, before)
    assert notebook.figure(name).locator("tr", has_text="zCDP").filter(has_text="0.8110").count() == 1

    # The kernel is restarted: no dead widget, and a picture that says what to do.
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.locator("[data-command='kernelmenu:restart']").click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.locator(f".live-still-{name}").get_by_text("run its cell again").wait_for()
    assert not notebook.figure(name).is_visible()
    # A server that is told to end while a kernel starts would never end: the kernel answers first.
    notebook.run(notebook.cell(has_text='.values = {"alpha": 44'), "print('the new kernel', 'answers')")
    page.get_by_text("the new kernel answers").wait_for()

    page.close()
    assert list((tmp_path / "home").rglob("*")) == []
