"""A copy of the project in a folder of its own: what runs there imports the copy's packages, and writes no bytecode."""

import os
from pathlib import Path


def environment(folder: Path) -> dict[str, str]:
    """Return this process's environment, for a command in a copy of the project."""
    packages = os.pathsep.join([str(folder), str(folder / "livefigures")])
    return {**os.environ, "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"}
