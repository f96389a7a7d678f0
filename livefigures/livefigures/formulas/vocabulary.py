"""What typed formulas are about: a book registers its modules, the ranges of its names and an example, once.

    vocabulary.register(package="physics", modules=("pendulum",), ranges={"length": ["l", "metres", 0.1, 5, 1, ""]})

Both readers of a formula, Python's in a notebook and the script's on a page, take them from here.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from livefigures.declare.sliders import Slider

known = SimpleNamespace()  # what the book that is running has registered


def register(
    *,
    package: str = "",
    call: str = "typed",
    modules: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
    ranges: Mapping[str, list[Any]] | None = None,
    meant: Mapping[str, Mapping[str, list[Any]]] | None = None,
    first: Sequence[str] = (),
    example: str = "np.exp(-t)",
    instead: Mapping[str, str] | None = None,
) -> None:
    """Say what typed formulas are about; a second call replaces the first.

    Parameters
    ----------
    package : the package of the modules, for the line `from package import ...` that a page offers
    call : how a notebook calls `typed`: "live.typed" if the package has a module `live` with it
    modules : the package's modules whose functions a formula may call, imported when a formula names them
    elsewhere : its other modules, of which a page says that they work only in a notebook
    ranges : a name -> [symbol, words, low, high, default, kind]; the kind is "log", "whole", both or neither
    meant : a part of a formula -> ranges that names have where that part stands
    first : the names that run along the x axis, the most likely one first
    example : a formula, for an empty line and for messages
    instead : what stands at first for an argument of this name, or of this kind: "pair", "curve" or "order"
    """
    vars(known).update(package=package, call=call, modules=modules, elsewhere=elsewhere)
    vars(known).update(first=first, example=example, ranges=ranges or {}, meant=meant or {}, instead=instead or {})


register()


def ranges_of(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the ranges of the names in these formulas."""
    meant = [ranges for part, ranges in known.meant.items() if any(part in text for text in texts)]
    found = dict(known.ranges)
    for ranges in meant:
        found |= ranges
    return found


def slider_of(name: str, given: tuple | None = None, ranges: Mapping[str, list[Any]] | None = None) -> Slider:
    """Return the slider of a name, from 0 to 1 if nothing is registered; `given` is (low, high) or (low, high, at).

    >>> slider_of("share").high, slider_of("share", (2, 50)).at
    (1.0, 2.0)
    """
    known_ranges = known.ranges if ranges is None else ranges
    symbol, words, low, high, at, kind = known_ranges.get(name, ["", "", 0.0, 1.0, 0.5, ""])
    if given is not None:
        low, high, *rest = given
        at = rest[0] if rest else min(max(at, low), high)
    log = "log" in kind and low > 0
    return Slider(name, low, high, at, symbol or name, words, log=log, integer="whole" in kind)


def symbol_of(name: str) -> str:
    """Return the symbol of a quantity, "" if none is registered."""
    return known.ranges[name][0] if name in known.ranges else ""
