"""One mistake of each kind, injected in a scratch copy of the book, and the stage of the gate that finds it.

`make fault-injection`, by hand: it takes minutes. Each mistake is alone in a copy of the files that git knows; there
the stages that it concerns run in the gate's order, over a book of one short chapter, until one of them fails. The
first line is the control: nothing injected, nothing found. A mistake that no stage finds makes the run fail.
`python tests/fault_injection.py link slider` tries the kinds whose names hold one of these words.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

import project_copy

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

CHAPTER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  name: python3
  display_name: Python 3
---

# A short chapter

(all-controls)=
## A figure

```{{code-cell}} python
import math
import numpy as np
from dp_lib import live, zcdp

live.Figure(
    name="injected",
    x=live.k(1, 50, at=10),
    y=("ε", 0, 40),
    sliders=[live.rho(0.001, 0.1, at=0.01), live.delta(1e-9, 1e-3, at=1e-5)],
    curves={{"zCDP": {curve}}},
    caption="A curve.",
    alt={alt},
)
```

{text}
"""
CURVE = "lambda rho, k, delta: zcdp.epsilon(zcdp.repeat(rho, k), delta)"
SOUND = {"curve": CURVE, "alt": '"A curve that rises."', "text": "Nothing more."}
LONG = "lambda rho, k, delta: sum(np.sqrt(rho * k + i) for i in range(4100)) / 41000 + delta"

# The stages, as tests/make_test_stages.py names them.
STAGES = {
    "doctests, unit and property tests": ["pytest", "-q", "-x", "tests/maths/test_zcdp.py"],
    "book": ["jupyter-book", "build", ".", "-W", "-n", "--keep-going"],
    "links, HTML": ["pytest", "-q", "-x", "tests/site/test_site.py", "-k", "links and injected"],
    "browser, parity": ["pytest", "-q", "-x", "tests/site/test_book.py", "-k", "parity"],
    "browser, sliders": ["pytest", "-q", "-x", "tests/site/test_book.py", "-k", "every_slider"],
    "browser, pages": ["pytest", "-q", "-x", "tests/site/test_site.py", "-k", "sound and injected"],
    "browser, axe": ["pytest", "-q", "-x", "tests/site/test_axe.py", "-k", "no_violation and injected"],
    "browser, weight": ["pytest", "-q", "-x", "tests/site/test_page_weight.py", "-k", "first_load and injected"],
    "the same bytes twice": ["python", "tests/reproducible.py", "chapters/injected"],
}
WITH_BOOK = ["book", "links, HTML", *(stage for stage in STAGES if stage.startswith("browser"))]
QUESTION = "```{{predict}} How much?\n:choices: little | much\n:answer: {answer}\n\nMuch.\n```"


class Injected(NamedTuple):
    """A mistake: words of the chapter that are changed, or `old` -> `new` in a file; the stages that may find it."""

    kind: str
    chapter: dict[str, str] = {}
    file: str = ""
    old: str = ""
    new: str = ""
    stages: list[str] = WITH_BOOK


INJECTED = [
    Injected("nothing", stages=["doctests, unit and property tests", *WITH_BOOK, "the same bytes twice"]),
    Injected(
        "a wrong digit in a formula",
        file="dp_lib/zcdp.py",
        old="return rho + 2 * np.sqrt(",
        new="return rho + 2.0001 * np.sqrt(",
        stages=["doctests, unit and property tests"],
    ),
    Injected(
        "a wrong digit in the arithmetic of the page",
        file="livefigures/livefigures/page/core/trace.js",
        old="m[o + i] = Math.log(m[a + (i & p)]);",
        new="m[o + i] = 1.0000001 * Math.log(m[a + (i & p)]);",
    ),
    Injected("a formula of unknown TeX", {"text": r"Let $\unheardof{x}$."}),
    Injected("a character that the formulas' font lacks", {"text": r"Let $\mathfrak{X}$ be."}),
    Injected("a link to a page that is not there", {"text": "[Nowhere](nowhere.md)"}),
    Injected("a link to a place that is not there", {"text": '<a href="#nowhere">Nowhere</a>'}),
    Injected("a preset of a slider that is not there", {"text": "{set}`here <injected: sigma=3>`"}),
    Injected("a slider that no curve follows", {"curve": "lambda rho, k: zcdp.epsilon(rho * k, 1e-5)"}),
    Injected("a slider that moves nothing", {"curve": "lambda rho, k, delta: zcdp.epsilon(rho * k, 1e-5) + 0 * delta"}),
    Injected(
        "a slider that the page does not hear",
        file="livefigures/livefigures/page/core/figure.js",
        old='range.addEventListener("input"',
        new='range.addEventListener("inputs"',
    ),
    Injected("a figure of more than 12,000 operations", {"curve": LONG}),
    Injected("a look-up table that nobody asked for", {"curve": "lambda k: math.sqrt(k)"}),
    Injected(
        "a claim of a figure that is false", {"curve": CURVE + '},\n    claims={"Below 1.": lambda c: c["zCDP"] < 1'}
    ),
    Injected("a curve that is not defined everywhere", {"curve": CURVE + " + 0 * np.log(k - 20)"}),
    Injected("a curve with a name of another one", {"text": "{curve}`The line <injected: RDP>` rises."}),
    Injected("a setting beyond the end of a slider", {"text": "{set}`here <injected: k=51>`"}),
    Injected("a question whose answer is no choice", {"text": QUESTION.format(answer=3)}),
    Injected("a question without an explanation", {"text": QUESTION.format(answer=2).replace("\nMuch.", "")}),
    Injected("a theorem that is not there", {"text": "By {prf:ref}`thm-nowhere`."}),
    Injected("a source that is not in the bibliography", {"text": "{cite:t}`nobody2099`"}),
    Injected("a brace that is not closed", {"text": r"Let $\frac{1}{2$ be."}),
    Injected("a name that no cell defines", {"text": "{eval}`unheard_of`"}),
    Injected("a cell that fails", {"text": "```{code-cell} python\n1 / 0\n```"}),
    Injected("a cell that warns", {"text": "```{code-cell} python\nnp.log(np.zeros(1))\n```"}),
    Injected("a role that is not there", {"text": "{nowhere}`word`"}),
    Injected("a heading below a level that is missing", {"text": "#### Deep"}),
    Injected("one id on two elements", {"text": '<p id="twice">One</p><p id="twice">Two</p>'}),
    Injected("a box that is wider than a phone", {"text": '<svg width="900" height="9" aria-hidden="true"></svg>'}),
    Injected("pale letters", {"text": '<p><font color="#bbbbbb">Hardly seen</font></p>'}),
    Injected("a button without a name", {"text": "<button></button>"}),
    Injected("a link without words", {"text": '<a href="#a-short-chapter"></a>'}),
    Injected(
        "a value that the table shows with a wrong sign",
        file="livefigures/livefigures/page/core/trace.js",
        old="m[o + i] = -m[a + (i & p)];",
        new="m[o + i] = m[a + (i & p)];",
    ),
    Injected(
        "a guarantee that is too small",
        file="dp_lib/zcdp.py",
        old="return k * rho",
        new="return np.sqrt(k) * rho",
        stages=["doctests, unit and property tests"],
    ),
    Injected("a page over its bytes", {"text": "<p hidden>RANDOM</p>"}),
    Injected("an image without a description", {"text": "![](../images/comparing.png)"}),
    Injected("a figure without a description", {"alt": '""'}),
    Injected(
        "an error in the console",
        file="livefigures/livefigures/page/core/page.js",
        old="  function start() {\n",
        new='  function start() {\n    console.error("injected");\n',
    ),
    Injected(
        "a script that throws",
        file="livefigures/livefigures/page/core/page.js",
        old="  function start() {\n",
        new="  function start() {\n    setTimeout(() => injected());\n",
    ),
    Injected("an image from another site", {"text": '<img src="https://example.org/a.png" alt="A cat">'}),
    Injected(
        "a request to another site",
        file="livefigures/livefigures/page/core/page.js",
        old="  function start() {\n",
        new='  function start() {\n    fetch("https://example.org/").catch(() => {});\n',
    ),
    Injected(
        "an id drawn at random",
        file="livefigures/livefigures/page/page.py",
        old='<p class="live-status" role="status">',
        new='<p class="live-status" id="status-\' + str(id(figure)) + \'" role="status">',
        stages=["book", "the same bytes twice"],
    ),
    Injected(
        "a number drawn at random",
        {"text": "{eval}`np.random.default_rng().random()`"},
        stages=["the same bytes twice"],
    ),
]


def inject(folder: Path, mistake: Injected) -> None:
    """A copy of the book's files in `folder`, with one short chapter and one mistake, known to git there."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["cp", "--parents", "-t", folder, *files.decode().split("\0")[:-1]], cwd=ROOT, check=True)
    text = CHAPTER.format(**SOUND | mistake.chapter)
    noise = "".join(map(chr, Random(1).choices(range(0x4E00, 0x9FA5), k=90_000)))  # it does not compress
    (folder / "chapters" / "injected.md").write_text(text.replace("RANDOM", noise), "utf-8")
    toc = "format: jb-book\nroot: chapters/injected\nchapters:\n- file: chapters/references\n"
    (folder / "_toc.yml").write_text(toc, "utf-8")
    if mistake.file:
        path = folder / mistake.file
        source = path.read_text("utf-8")
        if source.count(mistake.old) != 1:
            raise SystemExit(f"{mistake.kind}: {mistake.file} has changed, {mistake.old!r} is not there once")
        path.write_text(source.replace(mistake.old, mistake.new), "utf-8")
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def finder(folder: Path, mistake: Injected) -> tuple[str, str]:
    """The first stage that fails, and the line in which it says why; ("", "") if none does."""
    variables = project_copy.environment(folder)
    for stage in mistake.stages:
        program, *arguments = STAGES[stage]
        run = subprocess.run(
            [BIN / program, *arguments],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if run.returncode:
            said = [line for line in run.stdout.splitlines() if any(word in line for word in COMPLAINTS)]
            said = (said or run.stdout.strip().splitlines() or [""])[-1]
            return stage, re.sub(r"\x1b\[[\d;]*m", "", said).replace(str(folder), "").strip()
    return "", ""


COMPLAINTS = ("E  ", "WARNING:", "CRITICAL:", "ERROR:", "injected.html: line")


def main(words: list[str]) -> int:
    missed = []
    for mistake in INJECTED:
        if words and not any(word in mistake.kind for word in words):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            inject(Path(scratch), mistake)
            stage, said = finder(Path(scratch), mistake)
        if bool(stage) is (mistake.kind == "nothing"):
            missed.append(mistake.kind)
        print(f"{mistake.kind:<42} {stage or 'not found':<26} {said[:160]}", flush=True)
    print(f"wrong: {', '.join(missed)}" if missed else "each mistake was found, and nothing else")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
