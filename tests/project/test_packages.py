"""What the two packages need, from what they declare and by an import in which everything else is missing.

dp_lib needs NumPy and SciPy; livefigures needs matplotlib besides, and knows nothing of this book.
"""

import doctest
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "livefigures"
README = ENGINE / "README.md"
BOOKS_WORDS = re.compile("epsilon|zcdp|rdp|privacy|private|attacker|dp_lib", re.IGNORECASE)
FILES = [
    path
    for path in sorted(ENGINE.rglob("*"))
    if path.is_file() and not re.search(r"__pycache__|\.egg-info|/build/", str(path.relative_to(ROOT)))
]

# Importing anything but these raises what Python raises where it is not installed.
BLOCKED = """
import sys


class OnlyThese:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, OnlyThese())
"""


def canonical(name):
    return re.sub("[-_.]+", "-", name).lower()


def needed(package):
    """The packages that an installation without extras brings, as pip finds them: by the names of distributions."""
    found, waiting = set(), [package]
    while waiting:
        name = canonical(waiting.pop())
        if name not in found:
            found.add(name)
            lines = [line for line in requires(name) or [] if not re.search("extra *==|python_version *<", line)]
            waiting += [re.match("[A-Za-z0-9._-]+", line)[0] for line in lines]
    return found


@cache
def modules():
    """Every top-level module that is installed here, with its distribution; an editable one too."""
    found = {"dp_lib": "dp-lib", "livefigures": "livefigures", "book": "dp-lib"}
    for distribution in distributions():
        for file in distribution.files or []:
            top = file.parts[0].removesuffix(".py").partition(".")[0]
            if file.suffix in (".py", ".so") and top.isidentifier():
                found[top] = canonical(distribution.name)
    return found


def alone(package, script):
    """What a script says where only this package is installed, with what it needs."""
    known = needed(package)
    missing = {module for module, distribution in modules().items() if distribution not in known}
    text = f"MISSING = {sorted(missing)!r}\n{BLOCKED}\n{script}"
    return subprocess.run([sys.executable, "-c", text], cwd=ENGINE, capture_output=True, text=True)


def declared(package):
    return {canonical(re.match("[A-Za-z0-9._-]+", line)[0]) for line in requires(package) if "extra" not in line}


def test_dp_lib_declares_numpy_and_scipy_only():
    assert declared("dp_lib") == {"numpy", "scipy"}


def test_livefigures_declares_numpy_scipy_and_matplotlib_only():
    assert declared("livefigures") == {"numpy", "scipy", "matplotlib"}


@pytest.mark.long
def test_dp_lib_computes_where_nothing_else_is_installed():
    done = alone("dp_lib", "import dp_lib, dp_lib.zcdp\nprint(dp_lib.zcdp.repeat(dp_lib.zcdp.gaussian(200), 500))")
    assert (done.returncode, done.stdout.strip()) == (0, "0.00625"), done.stderr


def test_dp_lib_without_livefigures_says_in_one_sentence_what_to_install():
    done = alone("dp_lib", "from dp_lib import live")
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        "ModuleNotFoundError: dp_lib.live draws the book's figures: install the package livefigures, "
        "`pip install ./livefigures` in the project's folder"
    )


FIGURE = """
import livefigures as lf
from livefigures.page import page

figure = lf.Figure(
    name="growth", x=lf.slider("t", 0, 10, at=4), y=("value", 0, 9), sliders=[lf.slider("rate", 0, 1, at=0.5)],
    curves={"line": lambda rate, t: rate * t}, caption="A line.", alt="A line.",
)
figure.write_html("/dev/null")
print(lf.typed("np.exp(-t)", t=(0, 5)).name, page.html(figure).count("<figure"), "sphinx" in __import__("sys").modules)
"""


@pytest.mark.long
def test_livefigures_makes_a_figure_where_nothing_else_is_installed():
    done = alone("livefigures", FIGURE)
    assert (done.returncode, done.stdout.strip()) == (0, "workbench 1 False"), done.stderr


IMPORTS = """
for name in ("sphinx", "ipywidgets", "IPython", "dp_lib", "book"):
    try:
        __import__(name)
    except ModuleNotFoundError:
        print(name)
"""


def test_livefigures_is_alone_with_what_it_needs_in_these_tests():
    assert alone("livefigures", IMPORTS).stdout.split() == ["sphinx", "ipywidgets", "IPython", "dp_lib", "book"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_livefigures_says_no_word_of_privacy(path):
    found = [f"{path.name}:{number}: {line.strip()}" for number, line in enumerate(lines(path), 1) if found_in(line)]
    assert not found, "\n".join(found)


def lines(path):
    return path.read_text("utf-8").splitlines()


def found_in(line):
    return BOOKS_WORDS.search(line)


def test_git_ignores_what_pip_leaves_in_the_folder_of_livefigures(tmp_path):
    """An author may have the folder alone, in a repository of their own."""
    shutil.copy(ENGINE / ".gitignore", tmp_path)
    for left in ("build/lib/figure.py", "livefigures.egg-info/PKG-INFO"):
        (tmp_path / left).parent.mkdir(parents=True)
        (tmp_path / left).touch()
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    seen = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert seen.stdout.split() == ["??", ".gitignore"]


def test_readme_of_livefigures_shows_a_figure_that_can_be_made_and_written(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names = {}  # of all cells, as in a notebook
    for cell in re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL):
        exec(cell, names)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["growth.html", "growth.pdf"]


def test_links_of_the_readme_of_livefigures_lead_to_files_and_headings_and_every_part_is_in_its_table():
    text = README.read_text("utf-8")
    for file, _, heading in re.findall(r"\]\(([\w/.]*)(#?)([\w-]*)\)", text):
        target = ENGINE / file if file else README
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
        names = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
        assert not heading or heading in names, (file, heading)
    table = text.partition("## What do you want to draw?")[2].partition("\n## ")[0]
    parts = ("Curve", "Band", "Bars", "Point", "Points", "Line", "Path", "Arrows", "Ensemble", "Cloud", "Reading")
    assert [part for part in (*parts, "Figure", "slider", "choice") if f"lf.{part}(" not in table] == []


def test_readme_of_livefigures_shows_the_trace_as_it_is():
    done = doctest.testfile(str(README), module_relative=False)
    assert (done.failed, done.attempted) == (0, 6)
