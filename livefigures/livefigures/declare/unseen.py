"""What a figure's author wants to show, and what its picture does not show at the sliders' defaults."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.numbers import typed
from livefigures.declare.parts import Line, Path, Point, Points, Reading

SLACK = 1e-9  # of an axis: a mark may stand at its end
HOLE = 2  # points of the x axis without a value, at most: a longer gap is seen


def unseen(figure: Any) -> Iterator[str]:
    """Yield what is outside the picture, if nobody has said that it leaves it, and the holes in curves."""
    for name in [] if figure.lines else figure.curves:  # formulas that readers write change under their hands
        if not figure.curves[name].gap:
            yield from _hole(figure, name)
            yield from _stretch(figure, name)
    for name, mark in figure.marks.items():
        if name in figure.out_of_view or isinstance(mark, Reading):
            continue
        if isinstance(mark, Points):
            yield from _points_outside(figure, name)
        if isinstance(mark, Path) and not _within(figure, name).any():
            yield f"the path {name!r} is outside the picture at the sliders' defaults: widen x or y"
        if isinstance(mark, Point | Line):
            yield from _mark_outside(figure, name)


def _hole(figure: Any, name: str) -> Iterator[str]:
    """Where a curve has no value between two that are seen."""
    grid, low, high = figure.x.grid, figure.axis.low, figure.axis.high
    value = np.broadcast_to(figure.first_drawings[f"curves/{name}/y"], grid.shape)
    none = np.isnan(value)  # an infinite value is a pole, which everybody sees
    for run in _runs(none)[1:-1]:
        beside = value[[run[0] - 1, run[-1] + 1]]
        if none[run[0]] and len(run) <= HOLE and ((low <= beside) & (beside <= high)).all():
            x, at = figure.x.name, typed(float(grid[run[0]]))
            yield (
                f"the curve {name!r} has no value at {x} = {at}, and has values beside it, so it has a hole there; "
                f"write the value itself, np.where({x} == {at}, value, ...), or say why there is none with gap=..."
            )
            return


def _stretch(figure: Any, name: str) -> Iterator[str]:
    """Where a curve has no value along a part of the axis, or is infinite, unless its function writes it there."""
    x, address = figure.x, f"curves/{name}/y"
    value = np.broadcast_to(figure.first_drawings[address], x.grid.shape)
    infinite = np.isinf(value) & (name not in figure.out_of_view)
    told = [] if figure.writes_gaps(address) else [(np.isnan(value), "has no value"), (infinite, "is infinite")]
    for there, words in told:
        for run in [run for run in _runs(there) if there[run[0]] and len(run) > HOLE][:1]:
            low, high = (typed(float(x.grid[place])) for place in (run[0], run[-1]))
            yield (
                f"the curve {name!r} {words} from {x.name} = {low} to {high} at the sliders' defaults; write np.where "
                "for this case, give a slider a shorter range, or say why with gap=..."
            )


def _runs(there: NDArray) -> list[NDArray]:
    """Return the places of each run of equal truths, one run after the other."""
    return np.split(np.arange(len(there)), np.flatnonzero(np.diff(there)) + 1)


def _points_outside(figure: Any, name: str) -> Iterator[str]:
    count = figure.counts[name]
    known = ~np.isnan(np.sum(list(_places(figure, name).values()), axis=0))
    if out := np.count_nonzero(known & ~_within(figure, name)):
        yield f"{out} of the {count} points {name!r} are outside the picture: widen x or y"


def _mark_outside(figure: Any, name: str) -> Iterator[str]:
    """A point or a line; without a number it is nowhere, which is mostly meant."""
    places = _places(figure, name)
    if np.isnan(list(places.values())).any() or _within(figure, name).all():
        return
    axes = {"x": figure.x, "y": figure.axis}
    where = ", ".join(f"{c} = {typed(float(at))}" for c, at in places.items())
    sides = {"x": ("left", "right"), "y": ("bottom", "top")}
    side = next(sides[c][int(at > axes[c].low)] for c, at in places.items() if not _inside(axes[c], at).all())
    part = type(figure.marks[name]).__name__.lower()
    widen = " or ".join(places)
    yield (
        f"the {part} {name!r} is outside the picture at the sliders' defaults, at {where}: widen {widen}, or say "
        f'out_of_view={{{name!r}: "{side}"}}'
    )


def _places(figure: Any, name: str) -> dict[str, NDArray]:
    """Where a mark stands at the sliders' defaults, by coordinate."""
    addresses = {c: address for c, address in figure.addresses("marks", name).items() if c in ("x", "y")}
    return {c: np.broadcast_to(figure.first_drawings[a], figure.shape(a)) for c, a in addresses.items()}


def _within(figure: Any, name: str) -> NDArray:
    """Whether a mark's points are in the picture."""
    axes = {"x": figure.x, "y": figure.axis}
    return np.logical_and.reduce([_inside(axes[c], at) for c, at in _places(figure, name).items()])


def _inside(axis: Any, at: NDArray) -> NDArray:
    slack = SLACK * (axis.high - axis.low)
    return (axis.low - slack <= at) & (at <= axis.high + slack)
