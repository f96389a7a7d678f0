"""No trace without a check: what the page will show is compared with what Python computes when a figure is made.

A function is traced by one call with stand-ins for its numbers. What does not depend on these becomes a constant:
a random number, a counter, the branch of a caught error. So each function is also called plainly, twice, at several
settings of the sliders, with single numbers and along the x axis.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import faults
from livefigures.declare.figure import Declaration
from livefigures.declare.parts import FigureError
from livefigures.trace.programme import traced
from livefigures.trace.settings import settings
from livefigures.trace.tracing import play

TOLERANCE = 1e-9  # relative, as the built page is compared with Python
ALONG = 2  # of these settings, at which functions are also called along the x axis
LOOKED_UP = 2  # of these settings, for a function that is not traced: it may take long

Called = list[tuple[dict[str, Any], NDArray]]  # what a function was called with, and what it gave


def check(figure: Declaration) -> None:
    """Compare each function's trace with plain calls, and plain calls with each other.

    Raises
    ------
    FigureError : naming the function, the first setting at which they differ, both values and what to write instead
    """
    operations, places = traced(figure)
    tried = settings(figure)
    called = {address: _call(figure, address, tried) for address in figure.functions}
    for address, first in called.items():
        for (inputs, value), (_, again) in zip(first, _call(figure, address, tried), strict=True):
            _compare_calls(figure, address, inputs, value, again)
    points = _played(figure, operations, tried, along=False)
    curves = _played(figure, operations, tried[:ALONG], along=True)
    for address, place in places.items():
        shown = [*points(place), *(curves(place) if figure.on_grid(address) else [])]
        for (inputs, value), traced_value in zip(called[address], shown, strict=True):
            _compare_trace(figure, address, inputs, value, traced_value)


def _call(figure: Declaration, address: str, tried: Sequence[Mapping[str, float]]) -> Called:
    """Plain calls: with single numbers at each setting, and along the grid at some."""
    looked_up = figure.asks_for_table(address)
    inputs: list[dict[str, Any]] = [
        {name: np.float64(value) for name, value in setting.items()}
        for setting in (tried[:LOOKED_UP] if looked_up else tried)
    ]
    if figure.on_grid(address) and not looked_up:
        inputs += [{**setting, figure.x.name: figure.x.grid} for setting in inputs[:ALONG]]
    return [(each, np.asarray(figure.evaluate(address, each | figure.draws), dtype=float)) for each in inputs]


def _played(
    figure: Declaration, operations: Sequence[list], tried: Sequence[Mapping[str, float]], along: bool
) -> Callable[[int], NDArray]:
    """Play the tape at all these settings at once, one row each."""
    rows: dict[str, Any] = {name: np.array([[setting[name]] for setting in tried]) for name in figure.controls}
    # Along the grid nobody asks for a cloud, and its samples are as many as they are.
    others = {**dict.fromkeys(figure.draws, 0.0), figure.x.name: figure.x.grid} if along else figure.draws
    values = play(operations, rows | others)
    return lambda place: np.broadcast_to(values[place], np.broadcast_shapes(np.shape(values[place]), (len(tried), 1)))


def _compare_calls(
    figure: Declaration, address: str, inputs: Mapping[str, Any], value: NDArray, again: NDArray
) -> None:
    differ = (value != again) & ~(np.isnan(value) & np.isnan(again))
    if np.any(differ):
        found = _found(figure, address, inputs, differ, value, again)
        raise FigureError(
            f"figure {figure.name!r}: {address} gives {found[1]!r} and then {found[2]!r} at the same setting, "
            f"{found[0]}; write a function of its arguments alone, without random numbers, a counter or a clock: "
            f"{faults.DRAWN}"
        )


def _compare_trace(
    figure: Declaration, address: str, inputs: Mapping[str, Any], value: NDArray, shown: NDArray
) -> None:
    value, shown = np.broadcast_arrays(value, shown)
    with np.errstate(invalid="ignore"):
        near = abs(value - shown) <= TOLERANCE * np.maximum(abs(value), abs(shown))
    differ = ~(near | (value == shown) | (np.isnan(value) & np.isnan(shown)))
    if np.any(differ):
        found = _found(figure, address, inputs, differ, value, shown)
        raise FigureError(
            f"figure {figure.name!r}: {address} gives {found[1]!r} at {found[0]}, but its trace, which a page plays, "
            f"gives {found[2]!r}; write one formula for single numbers and arrays alike, without try and except, "
            "isinstance or an outside value that changes: np.where(condition, a, b) and NumPy's elementwise functions"
        )


def _found(
    figure: Declaration, address: str, inputs: Mapping[str, Any], differ: NDArray, *values: NDArray
) -> tuple[str, float, float]:
    """The first place where they differ, in words, and the two values there."""
    first = np.unravel_index(int(np.argmax(differ)), differ.shape)
    at = {name: inputs[name] for name in figure.controls if name in figure.follows(address)}
    at = {name: value if np.ndim(value) == 0 else value[first[-1]] for name, value in at.items()}
    words = figure.told(at) or "all settings"
    one, other = (float(np.broadcast_to(value, differ.shape)[first]) for value in values)
    return words, one, other
