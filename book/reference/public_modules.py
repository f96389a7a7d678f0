"""The public modules of dp_lib, read from its folder; test_new_public_module.py compares every other list with it."""

from pathlib import Path

LIB = Path(__file__).parents[2] / "dp_lib"
FIGURES = "live"  # no part of the mathematics


def modules(name: str, lib: Path = LIB) -> list[str]:
    """A module's files, as their paths from dp_lib without the ending.

    >>> modules("zcdp"), modules("pld")[:2]
    (['zcdp'], ['pld/lattice', 'pld/pairs'])
    """
    inside = sorted(path for path in (lib / name).glob("*.py") if path.stem != "__init__")
    return [f"{name}/{path.stem}" for path in inside] or [name]


def names(lib: Path = LIB) -> list[str]:
    """Every public module and folder of dp_lib but that of the figures, by its name."""
    files = [path.stem for path in lib.glob("*.py")]
    folders = [path.parent.name for path in lib.glob("*/__init__.py")]
    return sorted(name for name in files + folders if name[0] != "_" and name != FIGURES)


NAMES = names()
