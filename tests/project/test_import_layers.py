"""Who may import whom: the three packages, and the folders of livefigures. Read from the imports of each file."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"dp_lib": ROOT / "dp_lib", "livefigures": ROOT / "livefigures" / "livefigures", "book": ROOT / "book"}
# The parts of livefigures, from the ground up: each may import itself and those that are named.
FOLDERS = {
    "declare": [],
    "trace": ["declare"],
    "draw": ["declare", "trace"],
    "page": ["declare", "trace", "draw"],
    "notebook": ["declare", "trace", "draw"],
    "figure": ["declare", "trace", "draw", "page", "notebook"],  # a file: a figure shows itself
    "formulas": ["declare", "trace", "figure"],
    "sphinx": ["declare", "trace", "draw", "page", "formulas"],
}


def modules():
    """Every module of the three packages by its name, `livefigures.page.page`, with its file."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in folder.rglob("*.py"):
            parts = (package, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(path):
    """Every module that a file imports, at its top or when a function is called."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full here"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return found


def of_package(package):
    return {module: path for module, path in MODULES.items() if module.split(".")[0] == package}


def folder_of(module):
    """livefigures.page.page is of the part page."""
    parts = module.split(".")
    return parts[1] if parts[0] == "livefigures" and len(parts) > 1 and parts[1] in FOLDERS else ""


def test_livefigures_imports_neither_the_mathematics_nor_the_book():
    for module, path in of_package("livefigures").items():
        assert not [name for name in imported(path) if name.split(".")[0] in ("dp_lib", "book")], module


def test_mathematics_imports_numpy_scipy_and_itself():
    known = {"numpy", "scipy", "dp_lib"}
    for module, path in of_package("dp_lib").items():
        if not module.startswith("dp_lib.live"):
            packages = {name.split(".")[0] for name in imported(path)} - sys.stdlib_module_names
            assert packages <= known and "dp_lib.live" not in imported(path), module


def knowing(package):
    """The modules of dp_lib that import a package of ours."""
    found = {module: imported(path) for module, path in of_package("dp_lib").items()}
    return {module for module, names in found.items() if any(name.split(".")[0] == package for name in names)}


def test_dp_lib_live_is_the_one_place_that_knows_mathematics_and_figures():
    assert knowing("livefigures") == {"dp_lib.live", "dp_lib.live.sphinx"}
    assert knowing("book") == {"dp_lib.live"}  # `live.Game` for notebooks of version 0.1, until version 0.3


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_of_livefigures_import_one_way(folder):
    for module, path in of_package("livefigures").items():
        if folder_of(module) == folder:
            others = {name for name in imported(path) if name.startswith("livefigures")}
            wrong = [name for name in others if folder_of(name) not in [folder, *FOLDERS[folder]]]
            assert not wrong, f"{module} may import {[folder, *FOLDERS[folder]]} and not {wrong}"


def test_every_folder_of_livefigures_is_known():
    beside = {module for module in of_package("livefigures") if not folder_of(module)}
    assert beside == {"livefigures"}
    assert {path.stem for path in PACKAGES["livefigures"].iterdir()} - {"__pycache__", "__init__"} == set(FOLDERS)


def test_no_module_reaches_itself():
    uses = {module: imported(path) & set(MODULES) - {module} for module, path in MODULES.items()}
    TopologicalSorter(uses).prepare()  # an error names the modules of a circle
