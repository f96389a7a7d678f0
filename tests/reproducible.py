"""Two builds of the same commit, byte for byte: `make reproducible`.

The book is built twice from the committed files, in folders of different names, with different hash seeds, time zones
and clocks a minute or so apart, and the two sites are compared. Whatever differs (an id drawn at random, a date, a set
in no order, a path of the builder's computer) would change pages that nobody changed, and fills their history.

`reproducible.py chapters/zcdp` builds that chapter alone (with the first page and the references): cheap enough for
every run of the tests.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import project_copy

ROOT = Path(__file__).resolve().parent.parent
SURROUNDINGS = [
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "80"},
    {"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "COLUMNS": "133"},
]


def build(folder: Path, surroundings: dict[str, str], chapter: str | None) -> Path:
    """The site, built in `folder` from the files that git knows."""
    folder.mkdir(parents=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["cp", "--parents", "-t", folder, *files.decode().split("\0")[:-1]], cwd=ROOT, check=True)
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", "."]
    if chapter:
        (folder / "_toc.yml").write_text(
            f"format: jb-book\nroot: chapters/index\nchapters:\n- file: {chapter}\n- file: chapters/references\n",
            "utf-8",
        )
    else:
        command += ["-W", "-n", "--keep-going"]
    environment = project_copy.environment(folder) | surroundings
    run = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if run.returncode:
        raise SystemExit(f"the build in {folder} failed:\n{run.stdout}")
    return folder / "_build" / "html"


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def first_difference(one: Path, other: Path) -> str:
    """The first lines in which two files differ; for a file that is missing, that."""
    if not (one.exists() and other.exists()):
        return f"only in the {'first' if one.exists() else 'second'} build"
    pairs = zip(one.read_bytes().splitlines(), other.read_bytes().splitlines(), strict=False)
    for number, (here, there) in enumerate(pairs, 1):
        if here != there:
            start = max(0, len(os.path.commonprefix([here, there])) - 40)
            return f"line {number}\n    {here[start : start + 120]!r}\n    {there[start : start + 120]!r}"
    return "one is longer than the other"


def differences(one: Path, other: Path) -> list[str]:
    """What differs between two folders, a file at a time."""
    first, second = contents(one), contents(other)
    names = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    return [f"{name}: {first_difference(one / name, other / name)}" for name in names]


def main(chapter: str | None) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch, "a"), Path(scratch, "another-place", "with a blank")]
        one, other = (build(*pair, chapter) for pair in zip(folders, SURROUNDINGS, strict=True))
        found = differences(one, other)
        print("\n".join(found) or f"{len(contents(one))} files, the same in both builds")
        return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(next(iter(sys.argv[1:]), None)))
