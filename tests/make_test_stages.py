"""Everything that must hold before a change is kept: `make test`. `make test FAST=1` is its first part.

The stages run one after the other and all of them run; each says how long it took, and while it runs, each minute how
far it is. While the first ones run, the book is being built beside them, since they do not need it. FAST leaves out
whatever needs the built book, a browser or a kernel: the build, the gallery, the stages of the built book, and the same
bytes twice. It checks the types beside the others, and runs the tests of the folders (AREAS) and of the chapters
(conftest.py) that have changed, with fewer examples of each property and without the tests that are marked as long.
"""

import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
# What pytest writes when a test ends, and when it begins.
ENDED = re.compile(r"^\[gw\d+\] \[ *(\d+)%\] ([A-Z]+) (.*?) *\n", re.MULTILINE)
BEGAN = re.compile(r"^[\w./-]+\.py::.*\n", re.MULTILINE)


class Stage:
    """A command of the book's environment. What it says is shown if it failed."""

    def __init__(self, name: str, *command: str) -> None:
        self.name, self.command, self.named = name, [str(BIN / command[0]), *command[1:]], 0

    def start(self) -> None:
        self.began, self.output = time.monotonic(), TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT
        )

    def finish(self) -> bool:
        """Wait for the end, say how long it took, and whether it succeeded."""
        while self.runs_for_another(60):
            print(self.progress(), flush=True)
        succeeded = self.process.returncode == 0
        self.seconds = time.monotonic() - self.began
        print(f"{'ok' if succeeded else 'FAILED':<6} {self.name:<33} {self.seconds:6.1f} s", flush=True)
        with self.output:
            if not succeeded:
                print(BEGAN.sub("", ENDED.sub("", self.said())), flush=True)
        return succeeded

    def runs_for_another(self, seconds: float) -> bool:
        """Wait for the end, but no longer than this, and return whether it still runs."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def said(self) -> str:
        """Return what the command has written so far, without moving the place at which it goes on writing."""
        file = self.output.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    def progress(self) -> str:
        """Return how far the stage is: of tests, how many are done, and which have failed since it was last asked."""
        ended = ENDED.findall(self.said())
        failed = [name for _, result, name in ended if result in ("FAILED", "ERROR")]
        line = f"{'...':<6} {self.name:<33} {time.monotonic() - self.began:6.1f} s"
        if ended:
            line += f", {len(ended)} tests done ({ended[-1][0]}%), {len(failed)} failed"
        new, self.named = failed[self.named :], len(failed)
        return "\n".join([line, *(f"       failed: {name}" for name in new)])

    def run(self) -> bool:
        self.start()
        return self.finish()


def tests(name: str, marks: str, *folders: str, processes: int = 2) -> Stage:
    """A stage of the tests in some folders, chosen by their marks (see conftest.py)."""
    workers = ["-n", str(processes), "--dist", "loadgroup"]
    return Stage(name, "pytest", "-q", "-o", "verbosity_test_cases=1", *workers, "-m", marks, *folders)


WITH_BOOK = "book or browser or notebooks"


def unit_tests(*folders: str) -> Stage:
    """The stage of the tests that need neither the built book nor a browser."""
    return tests("doctests, unit and property tests", f"not ({WITH_BOOK})", *folders)


# The folders that have such tests (conftest.py), but for tests/clock.
FOLDERS = ["tests/engine", "tests/planner", "tests/project", "tests/site"]
GALLERY = "_build/gallery/html"
SCRIPTS = ["book", "livefigures", "tests", "tools"]  # folders with JavaScript

# None where a number is meant; an array handed to what takes one number.
TYPES = Stage("types", "mypy")
# Without a book. What each stage prevents stands above it.
FIRST = [
    # A diff that is about layout, an unused import, a mutable default.
    Stage("style", "ruff", "check", "."),
    Stage("layout", "ruff", "format", "--check", "."),
    # A name that nothing defines, one that nothing uses, a function of more than 60 lines (.oxlintrc.json): a page says
    # such a thing when a reader presses the button. And a difference that is only layout (.oxfmtrc.json).
    Stage("style of the scripts", "oxlint", *SCRIPTS),
    Stage("layout of the scripts", "oxfmt", "--check", *SCRIPTS),
    # A reader sees a slip of the pen and doubts the numbers. The book's own terms are checked by test_words.py.
    Stage("spelling", "codespell"),
    TYPES,
    # A wrong formula, a wrong digit, a guarantee understated, a domain unchecked; a dead guard of the build. And an
    # example in a docstring that no longer gives the number beside it.
    unit_tests("dp_lib", "livefigures/livefigures", "book", "tools", "tests"),
]
# A chapter that warns, ends in an error, links to nowhere, leaks TeX or stderr, or has a picture without a description
# (book/checks/cell_errors.py, book/checks/finished_pages.py): warnings are errors.
BUILD = Stage("book", "jupyter-book", "build", ".", "-W", "-n", "--keep-going")
# With the book.
SECOND = [
    # A figure that only this book can make: the gallery is another book, with livefigures.sphinx alone. All of it anew
    # (-E): a page that was built before livefigures changed says nothing.
    Stage("gallery", "sphinx-build", "-E", "-W", "-n", "--keep-going", "-j2", "livefigures/gallery", GALLERY),
    # A link or an anchor that leads nowhere; HTML that browsers have to guess at; a page without its download. A curve
    # on the page that is not dp_lib's, a dead slider, an error in the console, a request to another site, a page that
    # scrolls sideways on a phone. Each page is visited once, by one process. And a chapter that warns or fails as a
    # notebook, where widgets take the page's place. One process waits for a frame while two compute.
    tests("links, HTML, browser, notebooks", WITH_BOOK, *FOLDERS, processes=3),
    # What moves while a page arrives, and what a page does when nobody does anything: nothing else runs beside it.
    tests("arrival and rest", WITH_BOOK, "tests/clock", processes=3),
    # An id drawn at random, a date, a set in no order: pages that change though nobody changed them.
    Stage("the same bytes twice", "python", "tests/reproducible.py", "chapters/zcdp"),
]


# Where the tests of a changed file are, by how its name begins: the first that fits.
AREAS = {
    "dp_lib/": ["dp_lib", "tests/maths"],
    "livefigures/": ["livefigures/livefigures", "tests/engine"],
    "book/release_planner/": ["tests/planner"],
    "book/": ["book", "tests/project"],
    "tools/": ["tools", "tests/project"],
    "chapters/": ["tests/text"],
    **{f"tests/{name}/": [f"tests/{name}"] for name in ("engine", "maths", "planner", "project", "text")},
    # By chapter, or with the book.
    **dict.fromkeys(("tests/claims/", "tests/labs/", "tests/site/", "tests/clock/"), []),
    "tests/": ["tests"],  # what all of them use
    "": ["tests/project"],  # the documents, and what sets up
}


def git(*command: str) -> list[str]:
    """Return the lines that a command of git prints; none if it fails."""
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


class Change:
    """What differs from where this branch left origin/main, or from the last commit if there is no origin/main.

    Attributes
    ----------
    files : what differs, by its path in the project; a file that git does not know yet is one of them
    chapters : those whose text or checks differ
    words : both in a sentence
    """

    def __init__(self) -> None:
        left = git("merge-base", "HEAD", "origin/main")
        since = left[0] if left else "HEAD"
        self.files = {
            *git("diff", "--name-only", "--relative", since),
            *git("ls-files", "--others", "--exclude-standard"),
        }
        paths = sorted((ROOT / "chapters").glob("**/*.md"))
        names = [path.relative_to(ROOT / "chapters").with_suffix("").as_posix() for path in paths]
        code = "".join(
            path.read_text("utf-8") for path in checks_of_chapters() if path.relative_to(ROOT).as_posix() in self.files
        )
        self.chapters = [name for name in names if f"chapters/{name}.md" in self.files or is_about(code, name)]
        than = f"commit {since[:9]}, where your branch left origin/main" if left else "the last commit"
        than += "" if left else " (no origin/main here)"
        listed = f": {', '.join(self.chapters)}" if self.chapters else ""
        self.words = textwrap.fill(
            f"{len(self.chapters)} of {len(names)} chapters, or their checks, differ from {than}{listed}", 120
        )

    def tests(self) -> list[str]:
        """Return the folders and files with the tests of what differs."""
        areas = [next(begin for begin in AREAS if file.startswith(begin)) for file in self.files]
        checks = [
            path.relative_to(ROOT).as_posix()
            for path in checks_of_chapters()
            if any(is_about(path.read_text("utf-8"), name) for name in self.chapters)
        ]
        found = {folder for area in areas for folder in AREAS[area]}
        return ["tests"] if "tests" in found else sorted(found | set(checks))


def checks_of_chapters() -> list[Path]:
    """Return the files with the checks of chapters."""
    return sorted(path for folder in ("claims", "labs") for path in (ROOT / "tests" / folder).glob("test_*.py"))


def is_about(code: str, chapter: str) -> bool:
    """Return whether a file of checks is about a chapter."""
    return f'"{chapter}.md"' in code or f'("{chapter}")' in code


def main(change: Change | None) -> int:
    """Run all stages, or the fast ones of a change."""
    fast = change is not None
    began, beside = time.monotonic(), TYPES if fast else BUILD
    first = FIRST[:-1] + [unit_tests(*found) for found in [change.tests()] if found] if fast else FIRST
    beside.start()
    failed = [stage.name for stage in first if stage is not beside and not stage.run()]
    finished = beside.finish()
    failed += [] if finished else [beside.name]
    if not fast:
        failed += [stage.name for stage in SECOND if finished and not stage.run()]
    total = time.monotonic() - began
    ran = [stage for stage in [*first, BUILD, *SECOND] if hasattr(stage, "seconds")]
    shares = ", ".join(f"{stage.name} {stage.seconds / total:.0%}" for stage in ran if stage.seconds > total / 50)
    print(f"share of the time (some run side by side): {shares}")
    print(f"{'failed: ' + ', '.join(failed) if failed else 'all passed'} ({total:.0f} s)")
    if fast:
        print("left out: tests of what has not changed, long tests, and all that needs the built book or a browser")
    return int(bool(failed))


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # to rewrite the tests anew takes half of the time to collect them
    change = Change() if "--fast" in sys.argv[1:] else None
    if change:
        print(change.words, flush=True)
        os.environ |= {"HYPOTHESIS_PROFILE": "fast", "FAST_TESTS": " ".join(change.chapters)}  # which conftest.py reads
    sys.exit(main(change))
