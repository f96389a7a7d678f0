"""Who may know whom, by the imports of a file and its functions. What a new module needs: test_new_public_module.py."""

import ast
from pathlib import Path

import pytest
import rooms

LIB = Path(__file__).parent.parent / "dp_lib"
FILES = sorted(LIB.rglob("*.py"))
# The rooms of live, from the ground up: each may import itself and those before it that are named.
LIVE = {
    "declaration": [],
    "tape": ["declaration"],
    "drawing": ["tape", "declaration"],
    "page": ["drawing", "tape", "declaration"],
    "notebook": ["drawing", "tape", "declaration"],
    "workbench": ["tape", "declaration"],
    "sphinx": ["workbench", "page", "drawing", "tape", "declaration"],
}


def dotted(path):
    """A file's module: dp_lib.live.page.page, dp_lib.live.page for its __init__."""
    parts = path.relative_to(LIB.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for path in FILES}


def imported(path):
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full here"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return found


def room_of(module):
    """dp_lib.live.page.page is of the room page; live's own front door of none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["dp_lib", "live"] and len(parts) > 2 and parts[2] in LIVE else ""


def inside(path, folder):
    return (LIB / folder) in path.parents


@pytest.mark.parametrize("path", [path for path in FILES if not inside(path, "live")], ids=lambda path: path.name)
def test_rooms_never_import_live(path):
    assert not [name for name in imported(path) if name.startswith("dp_lib.live")]


@pytest.mark.parametrize("path", [path for path in FILES if inside(path, "live")], ids=lambda path: path.name)
def test_live_never_imports_a_definition(path):
    definitions = {f"dp_lib.{room}" for room in rooms.ROOMS} - {"dp_lib.domain"}
    assert not [name for name in imported(path) if name in definitions]


@pytest.mark.parametrize("room", LIVE)
def test_arrows_between_the_rooms_of_live_run_one_way(room):
    for module, path in MODULES.items():
        if room_of(module) == room:
            others = {name for name in imported(path) if name.startswith("dp_lib.live")}
            wrong = [name for name in others if room_of(name) not in [room, *LIVE[room]]]
            assert not wrong, f"{module} may import {[room, *LIVE[room]]} and not {wrong}"


def test_every_room_of_live_is_known_and_only_the_front_door_is_beside_them():
    beside = {module for module in MODULES if module.startswith("dp_lib.live.") and not room_of(module)}
    assert beside == {"dp_lib.live.renderers"}
    assert {path.name for path in (LIB / "live").iterdir() if path.is_dir() and path.name != "__pycache__"} == set(LIVE)


def test_no_module_reaches_itself():
    uses = {module: imported(path) & set(MODULES) - {module} for module, path in MODULES.items()}
    while free := {module for module, needs in uses.items() if not needs & set(uses)}:
        uses = {module: needs for module, needs in uses.items() if module not in free}
    assert not uses, f"these import one another in a circle: {uses}"


def test_tracing_knows_numpy_and_scipys_ufuncs_and_nothing_of_privacy():
    names = imported(LIB / "live" / "tape" / "tracing.py")
    assert not [name for name in names if name.startswith(("dp_lib", "matplotlib", "ipywidgets"))]
    assert {name for name in names if name.startswith("scipy")} <= {"scipy", "scipy.special"}


@pytest.mark.parametrize("room", ["declaration", "tape", "drawing", "page", "sphinx"])
def test_a_page_is_built_without_ipywidgets(room):
    names = {name for path in (LIB / "live" / room).glob("*.py") for name in imported(path)}
    assert not [name for name in names if name.startswith(("ipywidgets", "IPython"))]


@pytest.mark.parametrize("room", [room for room in LIVE if room != "sphinx"])
def test_figures_are_drawn_without_sphinx(room):
    names = {name for path in (LIB / "live" / room).glob("*.py") for name in imported(path)}
    assert not [name for name in names if name.startswith(("sphinx", "docutils"))]
