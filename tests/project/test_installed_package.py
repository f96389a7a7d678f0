"""A book that is not this one, made with the wheel in the place of this folder's package, and a browser."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from waiting import wait_until

from livefigures.sphinx import __main__ as starter

ROOT = Path(__file__).parents[2]
CONF = 'extensions = ["myst_nb"]\nhtml_theme = "basic"\nnb_execution_mode = "force"\n'


def run(folder, program, *arguments):
    """What a program of the tests' environment says, with the wheel's livefigures; if it fails, so does the test."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DP_LIB")}
    done = subprocess.run(
        [Path(sys.executable).parent / program, *arguments],
        cwd=folder,
        env=inherited | {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(folder / "wheel")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files of the wheel, which Python finds before those of this project."""
    folder = tmp_path_factory.mktemp("other")
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(ROOT / "livefigures", folder / "sources", ignore=ignored)
    run(folder, "python", "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", ".", "./sources")
    with ZipFile(next(folder.glob("livefigures-*.whl"))) as wheel:
        wheel.extractall(folder / "wheel")
    seen = run(folder, "python", "-c", "import livefigures; print(livefigures.__path__[0])")
    assert seen.strip() == str(folder / "wheel" / "livefigures")
    return folder


def test_a_plain_jupyter_book_is_alive_with_the_wheel(folder, browser):
    said = run(folder, "python", "-m", "livefigures.sphinx", "book")
    assert said == "Now: jupyter-book build book\n"
    run(folder, "jupyter-book", "build", "book", "-W", "--keep-going")
    site = folder / "book" / "_build"
    assert not (site / "live").exists()  # nobody asked for records
    page = browser.new_page()
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto((site / "html" / "index.html").as_uri())
    wait_until(page, "document.querySelector('figure.live')?.live !== undefined")
    reading = page.locator("[data-curve=simple]")
    assert reading.inner_text() == "16.00"
    slider = page.locator("input[type=range][name=rate]")
    slider.focus()
    page.keyboard.press("End")
    assert reading.inner_text() == "18.00"
    page.get_by_text("Ten years at ten per cent").click()
    wait_until(page, "document.querySelector('[data-curve=simple]').innerText === '20.00'")
    page.get_by_label("compound interest").check()
    page.get_by_role("button", name="Commit to this answer").click()
    assert page.get_by_text("It earns interest on interest").is_visible()
    assert not [address for address in requested if re.search("require|widgets|html-manager", address)]
    page.close()


def test_without_the_extension_a_figure_is_a_picture_that_says_how_to_bring_it_alive(folder):
    (folder / "plain").mkdir()
    text = (starter.STARTER / "index.md").read_text("utf-8")
    figure = re.sub(r"(?s)Answer the question.*?```\n\n(?=```\{code-cell\})", "", text[: text.index("{set}")])
    assert "predict" not in figure
    (folder / "plain" / "index.md").write_text(figure, "utf-8")
    (folder / "plain" / "conf.py").write_text(CONF, "utf-8")
    run(folder, "python", "-m", "sphinx", "-W", "-q", "-b", "html", "plain", "site")
    html = (folder / "site" / "index.html").read_text("utf-8")
    assert re.search(r'<svg[^>]* role="img"[^>]*>\s*<desc[^>]*>A curve and a straight line', html)
    assert "add the extension <code>livefigures.sphinx</code>" in html
    assert not re.search("widget-(view|state)", html)
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", re.sub(r"<a [^>]*>", "", html))


def test_a_starter_is_written_into_a_new_folder_only(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert starter.main([]) == 2
    assert starter.main(["book"]) == 0
    assert starter.main(["book"]) == 1
    assert "book is already there: name a new folder" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "book").iterdir()) == ["_config.yml", "_toc.yml", "index.md"]
