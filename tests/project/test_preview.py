"""The author's loop: a chapter is begun, previewed, changed, broken and mended."""

import logging
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import chapter
import preview
import preview_book
import project_copy
import pytest
from fault_injection import Injected, inject

ROOT = Path(__file__).parents[2]
COUNT = "```{code-cell} python\nwith open('ran', 'a') as note:\n    _ = note.write('x')\n```\n\n"


@pytest.fixture
def previewed(tmp_path):
    """A copy of the book with one short chapter, being previewed: its file, its address, and what the terminal says."""
    inject(tmp_path, Injected("nothing", {"text": COUNT + "Nothing more: {eval}`1 + 1`.\n\n" + "A line.\n\n" * 200}))
    file, terminal = tmp_path / "chapters" / "injected.md", tmp_path / "terminal"
    text = file.read_text("utf-8").replace("\nlive.Figure(", "```\n\n```{code-cell} python\nlive.Figure(")
    text = text.replace("---\n", "---\nneeds: pure approx\n", 1)  # two chapters that the preview leaves out
    file.write_text(text, "utf-8")
    with terminal.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "tools/preview.py", "injected", "0"],
            cwd=tmp_path,
            env=project_copy.environment(tmp_path),
            stdout=said,
        )
    end = time.monotonic() + 120
    while "follows" not in terminal.read_text("utf-8"):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    address = re.search(r"http:\S+", terminal.read_text("utf-8"))[0]
    yield SimpleNamespace(file=file, address=address, terminal=lambda: terminal.read_text("utf-8"))
    process.terminate()
    process.wait()


def test_a_port_that_is_taken_is_told(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert preview.main("pure", port) == 1
    assert capsys.readouterr().err.startswith(f"make preview: PORT={port} cannot be used, ")


def test_preview_follows_each_save_and_stays_where_it_was(previewed, witnessed):
    assert re.match(r"building injected \.\.\.\ninjected: [\d.]+ s, 0 faults\n", previewed.terminal())
    page = witnessed(previewed.address.partition("/chapters")[0]).new_page()
    page.set_default_timeout(120_000)  # each save builds the page, on a machine that may be busy
    page.goto(previewed.address)
    page.get_by_text("Nothing more: 2").wait_for()
    page.evaluate("scrollTo(0, 2000)")
    sound = previewed.file.read_text("utf-8")

    def ran():
        return len((previewed.file.parent / "ran").read_text("utf-8"))

    assert ran() == 1
    previewed.file.write_text(sound.replace("Nothing more", "A word more"), "utf-8")
    page.get_by_text("A word more: 2").wait_for(state="attached")
    assert ran() == 1  # no cell is run for a word
    page.wait_for_timeout(500)
    assert abs(page.evaluate("scrollY") - 2000) < 50

    previewed.file.write_text(sound.replace('y=("ε", 0, 40)', 'y=("ε, new", 0, 40)'), "utf-8")
    page.locator("figure.live", has_text="ε, new").wait_for(state="attached")
    assert ran() == 1  # what stands before the figure is run again, not what comes after it

    previewed.file.write_text(sound.replace("live.k(1, 50, at=10)", "live.k(1, 50, at=100)"), "utf-8")
    line = sound[: sound.index("live.Figure(")].count("\n") + 1
    faults = page.locator("#preview-faults")
    faults.wait_for()
    assert faults.inner_text().startswith(f"chapters/injected.md:{line}: WARNING: a cell ended in an error")
    assert "\n" not in faults.inner_text() and faults.inner_text() in previewed.terminal()

    previewed.file.write_text(sound, "utf-8")
    faults.wait_for(state="detached")
    page.get_by_text("Nothing more: 2").wait_for(state="attached")


def test_unknown_chapter_is_told_with_the_one_that_was_meant_and_the_known_ones(capsys):
    assert preview.main("gausian_nois", 0) == 1
    first, *known = capsys.readouterr().err.splitlines()
    assert first.endswith("there is no chapters/gausian_nois.md; did you mean 'gaussian_noise'?")
    assert {"zcdp", "labs/accountant"} <= set(" ".join(known).replace(",", "").split())
    assert preview.main("", 0) == 1
    assert "no chapters/.md; name one of those below\n" in capsys.readouterr().err


def test_ctrl_c_during_a_build_ends_the_preview(monkeypatch):
    def run(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(preview, "serve", lambda chapter, port: SimpleNamespace(server_port=0))
    monkeypatch.setattr(preview.Builds, "prepare", lambda self: None)
    monkeypatch.setattr(preview.Builds, "run", run)
    assert preview.main("zcdp", 0) == 0


@pytest.mark.parametrize(("faults", "said"), [([], "0 faults"), (["one"], "1 fault"), (["one", "two"], "2 faults")])
def test_the_faults_of_a_build_are_counted(faults, said, monkeypatch, capsys):
    monkeypatch.setattr(preview, "build", lambda chapter: faults)
    preview.build_and_tell("zcdp")
    assert capsys.readouterr().out.endswith(f" s, {said}\n")


def test_the_book_itself_holds_nothing_of_the_preview():
    config = (ROOT / "_config.yml").read_text("utf-8")
    files = [file for folder in ("book", "dp_lib", "livefigures") for file in (ROOT / folder).rglob("*.*")]
    texts = [file.read_bytes() for file in files if file.suffix in (".py", ".js", ".css", ".html")]
    assert "preview" not in config
    assert not [text for text in texts if b"preview_book" in text or b"preview.js" in text]


# -- links to chapters that are left out


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Unknown source document 'chapters/other'", False),
        ("Unknown source document 'chapters/nowhere'", True),
        ("unknown document: 'other'", False),
        ("undefined label: 'its-label'", False),
        ("undefined label: 'no-label'", True),
        ("label 'thm-its' not found.", False),
        ("py:func reference target not found: zcdp.epsilon", False),
        ("py:func reference target not found: zcdp.epsilonn", True),
        ("link: the page chapters/other has no live figure 'a'; it has: none", False),
        ("link: the page chapters/here has no live figure 'a'; it has: none", True),
        ("needs must name pages of this folder, got 'other'", False),
        ("needs must name pages of this folder, got 'nowhere'", True),
        ("needs must name pages of this folder, got 'in_labs'", True),
        ("a cell ended in an error: NameError: name 'other' is not defined", True),
    ],
)
def test_only_what_the_preview_leaves_out_is_not_missed(message, said, tmp_path):
    (tmp_path / "chapters" / "labs").mkdir(parents=True)
    (tmp_path / "chapters" / "labs" / "in_labs.md").touch()
    (tmp_path / "dp_lib").mkdir()
    (tmp_path / "dp_lib" / "zcdp.py").write_text("def epsilon(rho, delta):\n    return rho\n", "utf-8")
    for name, text in {"here": "", "other": "(its-label)=\n:label: thm-its\n", "reference": ""}.items():
        (tmp_path / "chapters" / f"{name}.md").write_text(text, "utf-8")
    config = SimpleNamespace(external_site_map={"chapters/here": None})
    left_out = preview_book.LeftOut(SimpleNamespace(srcdir=tmp_path, config=config))
    record = logging.LogRecord("sphinx", logging.WARNING, "", 0, message, (), None)
    record.location = ("chapters/here", 10)
    assert left_out.filter(record) is said


# -- a new chapter


def test_new_chapter_of_the_book_comes_before_the_labs():
    contents = (ROOT / "_toc.yml").read_text("utf-8")
    lines = chapter.with_chapter(contents, "new").splitlines()
    place = lines.index("      - file: chapters/new")
    assert lines[place + 1] == "  - caption: Labs"
    assert [line for line in lines if "chapters/new" not in line] == contents.splitlines()


@pytest.mark.parametrize("name", ["", "New", "a b", "../x", "zcdp"])
def test_chapter_that_cannot_be_begun_is_refused(name, tmp_path, capsys):
    before = (ROOT / "_toc.yml").read_text("utf-8")
    assert chapter.main(name) == 1
    assert "make chapter NAME=" in capsys.readouterr().err
    assert (ROOT / "_toc.yml").read_text("utf-8") == before
