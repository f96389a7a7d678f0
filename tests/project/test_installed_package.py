"""A book that is not this one: the wheel in an environment of its own, which cannot see this folder, and a browser."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from waiting import wait_until

from livefigures.sphinx import __main__ as starter

ROOT = Path(__file__).parents[2]
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"  # the command that its installation would have made
CONF = 'extensions = ["myst_nb"]\nhtml_theme = "basic"\nnb_execution_mode = "force"\n'


def run(*command, folder, **environment):
    """What a command says; the test fails with it if the command does."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DP_LIB", "PYTHONPATH"))}
    environment = inherited | {"IPYTHONDIR": str(folder / "ipython")} | environment
    talk = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, **talk)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """(its folder, its python): third-party packages are those of the tests, livefigures is the wheel's alone."""
    folder = tmp_path_factory.mktemp("other")
    sources = folder / "sources"
    shutil.copytree(ROOT / "livefigures", sources, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        sources,
        folder=folder,
    )
    shutil.rmtree(sources)
    venv.create(folder / "env", symlinks=True)
    python = folder / "env" / "bin" / "python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder).strip())
    wheel = next(folder.glob("livefigures-*.whl"))
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", packages, wheel, folder=folder)
    (packages / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    seen = run(python, "-c", "import livefigures; print(livefigures.__path__[0])", folder=folder)
    assert seen.strip() == str(packages / "livefigures")
    return folder, python


def test_a_plain_jupyter_book_is_alive_with_the_wheel_alone(other, browser):
    folder, python = other
    said = run(python, "-m", "livefigures.sphinx", "book", folder=folder)
    assert said == "Now: jupyter-book build book\n"
    run(python, "-c", JUPYTER_BOOK, "build", "book", "-W", "--keep-going", folder=folder)
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


def test_without_the_extension_a_figure_is_a_picture_that_says_how_to_bring_it_alive(other, browser):
    folder, python = other
    plain = folder / "plain"
    plain.mkdir()
    text = (starter.STARTER / "index.md").read_text("utf-8")
    figure = re.sub(r"(?s)Answer the question.*?```\n\n(?=```\{code-cell\})", "", text[: text.index("{set}")])
    assert "predict" not in figure
    (plain / "index.md").write_text(figure, "utf-8")
    (plain / "conf.py").write_text(CONF, "utf-8")
    run(python, "-m", "sphinx", "-W", "-q", "-b", "html", plain, folder / "site", folder=folder)
    html = (folder / "site" / "index.html").read_text("utf-8")
    assert not re.search("widget-(view|state)", html)
    page = browser.new_context(offline=True).new_page()
    page.goto((folder / "site" / "index.html").as_uri())
    assert page.get_by_role("img", name="A curve and a straight line").is_visible()
    assert page.get_by_text("add the extension livefigures.sphinx").is_visible()
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", re.sub(r"<a [^>]*>", "", html))
    page.context.close()


def test_a_starter_is_written_into_a_new_folder_only(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert starter.main([]) == 2
    assert starter.main(["book"]) == 0
    assert starter.main(["book"]) == 1
    assert "book is already there: name a new folder" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "book").iterdir()) == ["_config.yml", "_toc.yml", "index.md"]
