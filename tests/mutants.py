"""Mutation testing of one room: `make mutants ROOM=zcdp`.

mutmut changes one thing of the room at a time (a number, an operator, an argument, a name in an error) and asks whether
a test of that room notices. It works on a copy in _build/mutants; a run that was interrupted goes on where it stopped.
Those that live are listed at the end; tests/mutants.md says why each may.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "pure": ["pure"],
    "approx": ["approx"],
    "cdp": ["cdp"],
    "rdp": ["rdp", "_sampled"],
    "zcdp": ["zcdp"],
    "gdp": ["gdp"],
    "divergence": ["divergence"],
    "domain": ["domain"],
    "mechanisms": ["mechanisms"],
    "pld": ["pld", "_pairs", "_tilted", "_lattice"],
}
MORE_TESTS = {"rdp": ["tests/test_sampled.py"]}
KILLED = {1, 3, 24, 36, 152, 255}  # a test failed, the run broke off, or it never ended


def prepare(room: str) -> Path:
    """A copy of the library and its tests, with mutmut's settings for this room."""
    folder = ROOT / "_build" / "mutants" / room
    for name in ("dp_lib", "_ext", "tests"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
    shutil.copy2(ROOT / "pyproject.toml", folder)
    files = [f"dp_lib/{module}.py" for module in ROOMS[room]]
    tests = ["tests/test_arguments.py", f"tests/test_{room}.py", *MORE_TESTS.get(room, []), *files]
    settings = {
        "source_paths": ["dp_lib"],
        "only_mutate": files,
        "also_copy": ["_ext"],
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": ["-pno:cacheprovider"],
        "timeout_constant": ["20.0"],
    }
    lines = [line for key, values in settings.items() for line in (f"{key}=", *(f"    {value}" for value in values))]
    (folder / "setup.cfg").write_text("\n".join(["[mutmut]", *lines, ""]), "utf-8")
    return folder


def report(folder: Path) -> None:
    """How many were killed, and each that lives as the line that was and the line that it became."""
    found = {}
    for path in sorted(folder.glob("mutants/dp_lib/*.py.meta")):
        found |= json.loads(path.read_text("utf-8"))["exit_code_by_key"]
    alive = [name for name, code in found.items() if code is not None and code not in KILLED]
    for name in alive:
        shown = subprocess.run(
            [sys.executable, "-m", "mutmut", "show", name], cwd=folder, capture_output=True, text=True, check=True
        )
        changed = [line for line in shown.stdout.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print("\n".join([name, *changed]))
    codes = Counter("not run" if code is None else "killed" if code in KILLED else "alive" for code in found.values())
    print(", ".join(f"{count} {what}" for what, count in codes.items()))


def main(room: str) -> int:
    if room not in ROOMS:
        print(f"make mutants ROOM=zcdp, or another of {', '.join(ROOMS)}")
        return 1
    folder = prepare(room)
    run = subprocess.run([sys.executable, "-m", "mutmut", "run"], cwd=folder)
    report(folder)
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(next(iter(sys.argv[1:]), "")))
