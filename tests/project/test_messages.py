"""Mistakes that authors make, all in one book: each is told once, in words, at the line where it was made."""

import re
import subprocess
import sys
from pathlib import Path

import project_copy
import pytest
from fault_injection import CHAPTER, Injected, inject

pytestmark = pytest.mark.notebooks  # the cells of a dozen pages are run
HEAD = CHAPTER.partition("# A short chapter")[0] + "# Page\n\nText.\n\n"
SETUP = "```{code-cell} python\nimport numpy as np\nfrom dp_lib import live, zcdp\n```\n\n"
CURVE = "lambda rho, k, delta: zcdp.epsilon(zcdp.repeat(rho, k), delta)"


def figure(curve=CURVE, at="0.01", alt="A curve that rises.", name="NAME"):
    """A cell with a figure, and a preset that it must not leave behind as a second mistake."""
    return f"""```{{code-cell}} python
:tags: [hide-input]

live.Figure(
    name="{name}",
    x=live.k(1, 50, at=10),
    y=("ε", 0, 40),
    sliders=[live.rho(0.001, 0.1, at={at}), live.delta(1e-9, 1e-3, at=1e-5)],
    curves={{"zCDP": {curve}}},
    caption="A curve.",
    alt="{alt}",
)
```

{{set}}`here <{name}: k=20>`
"""


THEOREM = "```{prf:theorem} A\n:label: LABEL\nx\n```\n"
# Name: (text, a piece of the line where the mistake is, what is said of it). Of what a figure refuses, one mistake as
# it is declared and one as it is shown: the words of the others are asked of figures alone (tests/engine).
MISTAKES = {
    "default": (SETUP + figure(at="0.5"), "live.Figure(", r"FigureError: .*default of slider 'rho': .* got 0\.5"),
    "twice": (SETUP + figure(name="same") + figure(name="same").partition("{set}")[0], None, "'same', is used 2 times"),
    "traced": (
        SETUP + figure(f"{CURVE} if rho > 1 else rho * k + delta"),
        "live.Figure(",
        r"\(line \d+ of its cell: `curves=",
    ),
    "no-alt": (SETUP + figure(alt=""), "live.Figure(", "a page needs alt="),
    "name-error": (
        SETUP + "```{code-cell} python\na = 1\nb = nobody\n```\n\n{eval}`b`\n\n" + figure(),
        "b = no",
        "'nobody'",
    ),
    "syntax": (SETUP + "```{code-cell} python\na = 1\nb = 2 3\n```\n\n" + figure(), "b = 2 3", "SyntaxError: [^(]*$"),
    "deep": (
        SETUP
        + "```{code-cell} python\ndef f(x):\n    return zcdp.epsilon(x, 1)\n```\n\n"
        + "```{code-cell} python\n1\nf(-1)\n```\n",
        "f(-1)",
        "DomainError: rho must be .* got -1",
    ),
    "eval": (SETUP + "It is {eval}`nothing`.\n", "It is", "name 'nothing' is not defined"),
    "stderr": (
        SETUP + "```{code-cell} python\nimport warnings\nwarnings.warn('oh')\n```\n",
        "import w",
        "UserWarning: oh",
    ),
    "predict": (
        "```{predict} What?\n:choices: one | two\n:answer: 1\n\nBecause.\n\n"
        + THEOREM
        + "\n## Next\n\n```{tip}\nx\n```\n",
        "{predict}",
        "is not closed before line 21 begins another",
    ),
    "cell": (
        SETUP + "```{code-cell} ipython3\nx = 1\n\nText, and *more*.\n",
        "ipython3",
        "is not closed before the end",
    ),
    "tex": ("Let $\\frac{1}{$ be.\n", "Let", "formula .*: Expected closing token"),
    "cite": ("As in {cite}`Nobody99`.\n", "As in", 'could not find bibtex key "Nobody99"'),
    "link": ("[there](nowhere.md)\n", "[there]", "'nowhere.md'"),
    "anchor": ("[there](#nowhere)\n", "[there]", "'nowhere'"),
    "label": ("By {prf:ref}`thm-nowhere`.\n", "By", "'thm-nowhere' not found"),
    "near": ("By {prf:ref}`same-lable`.\n", "By", r"'same-lable' not found; did you mean 'same-label'\?$"),
    "same-label": (THEOREM + "\n" + THEOREM.replace(" A", " B"), None, "duplicate theorem label 'LABEL'"),
    "preset": ("{set}`x <nothing: k=3>`\n", "{set}", "no live figure 'nothing'"),
    "range": (SETUP + figure() + "\n{set}`x <NAME: k=300>`\n", "k=300", "k = 300 is outside the slider"),
    "image": ("![](../images/comparing.png)\n", "![]", "without a text that describes it"),
    "directive": ("```{prf:theorm} A\nx\n```\n", "theorm", "Unknown directive type: 'prf:theorm'"),
}


def text(name):
    return MISTAKES[name][0].replace("NAME", name).replace("LABEL", name)


# Each page is a kernel. What is no cell and closes stands on one page, and on another, which goes on after an error,
# those cells of which nothing is asked afterwards.
TOGETHER = {
    "text": [name for name in MISTAKES if "{code-cell}" not in text(name) and name != "predict"],
    "cells": ["stderr", "range", "no-alt", "twice", "eval", "syntax", "deep"],
}
PAGE_OF = {name: page for page, names in TOGETHER.items() for name in names}
PAGES = {name: HEAD + text(name) for name in MISTAKES if name not in PAGE_OF}
PAGES |= {page: HEAD + "\n".join(map(text, names)) for page, names in TOGETHER.items()}
GOES_ON = "mystnb:\n  execution_allow_errors: true\nkernelspec:"
PAGES["cells"] = PAGES["cells"].replace("kernelspec:", GOES_ON, 1)


NEW = "brand_new"  # a chapter as `make chapter` begins it, which stands among them
NEEDED = ("pure", "rdp")  # the pages that it needs


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the book, with its new chapter."""
    folder = tmp_path_factory.mktemp("mistakes")
    inject(folder, Injected("nothing"))
    begun = subprocess.run([sys.executable, "tools/chapter.py", NEW], cwd=folder, capture_output=True, check=True)
    assert f"make preview CHAPTER={NEW}".encode() in begun.stdout
    return folder


@pytest.fixture(scope="module")
def said(folder):
    """What the build says of each page: (line, words)."""
    for name, page in PAGES.items():
        (folder / "chapters" / f"{name}.md").write_text(page, "utf-8")
    for name in NEEDED:
        (folder / "chapters" / f"{name}.md").write_text(f"# {name}\n", "utf-8")
    files = "".join(f"- file: chapters/{name}\n" for name in [*PAGES, *NEEDED, NEW, "references"])
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: chapters/injected\nchapters:\n{files}", "utf-8")
    run = subprocess.run(
        [Path(sys.executable).parent / "jupyter-book", "build", ".", "-W", "-n", "--keep-going"],
        cwd=folder,
        env=project_copy.environment(folder),
        capture_output=True,
        text=True,
    )
    assert run.returncode
    found = {name: [] for name in [*PAGES, NEW, ""]}
    for line in re.sub(r"\x1b\[[\d;]*m", "", run.stderr).splitlines():
        place = re.match(r"\S*chapters/([\w-]+)\.md:(\d+): (?:WARNING|ERROR): (.*)", line)
        found[place[1] if place else ""].append((int(place[2]), place[3]) if place else line)
    return found


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_told_once_where_it_was_made(name, said):
    _, piece, words = MISTAKES[name]
    page, lines = PAGE_OF.get(name, name), text(name).split("\n")
    first = PAGES[page].partition(text(name))[0].count("\n") + 1
    ((line, told),) = [one for one in said[page] if page == name or first <= one[0] < first + len(lines)]
    assert re.search(words.replace("NAME", name).replace("LABEL", name), told)
    if piece is None:  # two that are alike: the second
        piece = f"label: {name}" if name == "same-label" else "{code-cell}"
        assert line == first + len(lines) - 1 - lines[::-1].index(next(one for one in lines if piece in one))
    else:
        assert line == first + next(number for number, one in enumerate(lines) if piece in one)


def test_nothing_else_is_said(said):
    """By Sphinx, that is: now and then a kernel's connection that closes ends in a line "ERROR:tornado.general:"."""
    assert not re.search("(WARNING|ERROR): |Exception occurred", "\n".join(said[""]))
    assert {page: len(said[page]) for page in TOGETHER} == {page: len(names) for page, names in TOGETHER.items()}


def test_new_chapter_builds_at_once_with_one_of_everything(said, folder):
    assert said[NEW] == []
    page = (folder / "_build" / "html" / "chapters" / f"{NEW}.html").read_text("utf-8")
    for part in ("proof definition", "proof theorem", "fold", "live-set", "predict", "exercise", "solution"):
        assert re.search(rf'class="[^"]*{part}', page), part
    for text in ('id="brand-new-counts"', "references.html#", "Bun and Steinke", "Summary"):
        assert text in page, text
