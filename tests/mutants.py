"""Mutation testing of one module: `make mutants MODULE=zcdp`, or part of it: `make mutants MODULE=pld SAMPLE=300`.

mutmut changes one thing of the module at a time (a number, an operator, an argument, a name in an error) and asks if a
test of that module notices. It works on a copy in _build/mutants; a run that was interrupted goes on where it stopped,
and the next one tries again those that lived. They are listed at the end; tests/mutants.md says why each may. A sample
is random, and always the same.
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from book.reference.entries import NAMES  # noqa: E402 - the folder of the extensions is no package

FILES = {}  # of each module
for name in NAMES:
    inside = sorted(path.stem for path in (ROOT / "dp_lib" / name).glob("[!_]*.py"))
    FILES[name] = [f"{name}/{stem}" for stem in inside] or [name]
FILES["pld"].remove("pld/sampled")  # which is tested with rdp
FILES["rdp"].append("pld/sampled")
COMMON_TESTS = ["tests/maths/test_arguments.py", "tests/maths/test_laws.py"]
MORE_TESTS = {"rdp": ["tests/maths/test_sampled.py"], "pld": ["tests/maths/test_lattice.py"]}
STUCK = 100  # seconds after which a test is taken to run for ever; the slowest takes 10, or 30 beside other work
KILLED = {1, 3, -24, 24, 36, 152, 255}  # a test failed, the run broke off, or it never ended


def prepare(module: str) -> Path:
    """A copy of the library and its tests, with mutmut's settings for this module."""
    folder = ROOT / "_build" / "mutants" / module
    for name in ("dp_lib", "livefigures", "book", "tests"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
    shutil.copy2(ROOT / "pyproject.toml", folder)
    files = [f"dp_lib/{file}.py" for file in FILES[module]]
    tests = [*COMMON_TESTS, f"tests/maths/test_{module}.py", *MORE_TESTS.get(module, []), *files]
    settings = {
        "source_paths": ["dp_lib"],
        "only_mutate": files,
        "also_copy": ["livefigures", "book"],
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": [
            "-pno:cacheprovider",
            f"-ofaulthandler_timeout={STUCK}",
            "-ofaulthandler_exit_on_timeout=true",
        ],
        "timeout_constant": ["20.0"],
        "timeout_multiplier": ["2.0"],
    }
    lines = [line for key, values in settings.items() for line in (f"{key}=", *(f"    {value}" for value in values))]
    (folder / "setup.cfg").write_text("\n".join(["[mutmut]", *lines, ""]), "utf-8")
    return folder


def judged(folder: Path) -> dict[str, int]:
    """The exit code of each mutant's tests, as far as they were run."""
    codes = {}
    for path in sorted(folder.glob("mutants/dp_lib/**/*.py.meta")):
        codes |= json.loads(path.read_text("utf-8"))["exit_code_by_key"]
    return {name: code for name, code in codes.items() if code is not None}


def forget_the_living(folder: Path) -> None:
    """Those that lived are run again: a new test may kill them."""
    for path in folder.glob("mutants/dp_lib/**/*.py.meta"):
        meta = json.loads(path.read_text("utf-8"))
        codes = meta["exit_code_by_key"]
        meta["exit_code_by_key"] = {name: code if code in KILLED else None for name, code in codes.items()}
        path.write_text(json.dumps(meta), "utf-8")


def sample(module: str, folder: Path, count: int) -> list[str]:
    """`count` of the module's mutants at random: by a hash of the name, so that another change does not shift them."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    names = []
    with contextlib.chdir(folder):  # mutmut reads its settings where it runs
        for file in FILES[module]:
            path = Path("dp_lib", f"{file}.py")
            mutants = mutate_file_contents(str(path), path.read_text("utf-8")).mutant_names
            names += [f"dp_lib.{module.replace('/', '.')}.{name}" for name in mutants]
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())[:count]


def report(folder: Path, codes: dict[str, int]) -> None:
    """How many were killed, and each that lives as the line that was and the line that it became."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    alive = [name for name, code in codes.items() if code not in KILLED]
    with contextlib.chdir(folder):
        for name in alive:
            lines = get_diff_for_mutant(name).splitlines()
            print(name, *(line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")), sep="\n")
    print(f"{len(codes)} run, {len(codes) - len(alive)} killed, {len(alive)} alive")


def main() -> int:
    parser = argparse.ArgumentParser(prog="mutants.py")
    parser.add_argument("module", choices=FILES)
    parser.add_argument("--sample", type=int, help="so many mutants, chosen at random, instead of all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    asked = parser.parse_args()
    folder = prepare(asked.module)
    forget_the_living(folder)
    names = sample(asked.module, folder, asked.sample) if asked.sample else []
    left = [name for name in names if name not in judged(folder)]  # mutmut would run again whatever it is given by name
    returncode = 0
    if left or not names:
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(asked.jobs), *left]
        returncode = subprocess.run(command, cwd=folder).returncode
    codes = judged(folder)
    report(folder, {name: code for name, code in codes.items() if not names or name in names})
    return returncode


if __name__ == "__main__":
    sys.exit(main())
