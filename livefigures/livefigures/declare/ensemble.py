"""An ensemble of curves of one family, such as twenty runs of a model: a path along which they follow each other."""

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.colours import Asked
from livefigures.declare.options import names_its_options
from livefigures.declare.parts import FigureError, Function, Path
from livefigures.declare.shapes import called, is_axis, of_point

NUMBER = "place"  # the parameter of the path: which point of which curve
MOST = 2000  # points of all curves


@names_its_options
class Ensemble(Path):
    """Many curves of one family, each with numbers of its own, such as runs of a model with random starts.

    Parameters
    ----------
    y : the height of each curve, a function of its place along x, of the numbers in `each` and of the sliders
    x : the argument that is the place, with its range, ("t", 0, 10)
    each : an argument's name -> one number for each curve, or an array with a row for each curve and a column for each
        point, such as the steps of random walks
    points : at how many places each curve is drawn, from one end of the range to the other
    colour, dash : as of a `Curve`
    label : its name in the table, if not the one it is declared under
    """

    width: ClassVar[float] = 1.1

    def __init__(
        self,
        y: Function,
        x: Sequence,
        each: Mapping[str, Any],
        points: int = 51,
        colour: Asked = "",
        dash: str = "",
        label: str = "",
    ) -> None:
        numbers = _checked(y, x, each, points)
        count = len(next(iter(numbers.values())))
        object.__setattr__(self, "count", count)
        size = count * (points + 1)

        def place(step: Any) -> Any:
            return x[1] + (x[2] - x[1]) / (points - 1) * step

        def along(**values: Any) -> Any:
            step = values[NUMBER] % (points + 1)
            return np.where(step < points, place(step), np.nan)  # a gap behind each curve

        def height(**values: Any) -> Any:
            known = values | {name: _read(values[NUMBER], row, points) for name, row in numbers.items()}
            known[x[0]] = place(np.minimum(values[NUMBER] % (points + 1), points - 1))
            return called(y, known)

        coordinates = of_point(along, NUMBER, (), ()), of_point(height, NUMBER, (y,), (*numbers, x[0]))
        super().__init__(*coordinates, over=(NUMBER, 0, size - 1), size=size, colour=colour, dash=dash, label=label)

    @property
    def said(self) -> str:
        """What its row of the table says."""
        return f"{self.count}\u00a0curves"


def _read(number: Any, values: NDArray, points: int) -> Any:
    """The number of a curve, or of a curve at a point; the gap behind each has that of its last point."""
    if values.ndim == 1:
        return np.interp(number // (points + 1), np.arange(len(values)), values)
    row = np.column_stack([values, values[:, -1]]).ravel()
    return np.interp(number, np.arange(len(row)), row)


def _checked(y: Any, x: Any, each: Any, points: Any) -> dict[str, NDArray]:
    """Return the numbers of the curves by name, found to be what can be drawn."""
    if not callable(y):
        raise FigureError(f"y of an Ensemble must be a function of x, of the names in each and of sliders, got {y!r}")
    if not is_axis(x):
        raise FigureError(f'x of an Ensemble must be an argument and its range, x=("t", 0, 10), got {x!r}')
    if not (isinstance(points, int) and points > 1):
        raise FigureError(f"an Ensemble needs a whole number of points for each curve, 2 or more, got {points!r}")
    if not (isinstance(each, Mapping) and each):
        raise FigureError(f'each of an Ensemble must be numbers by name, each={{"start": [8, 10, 13]}}, got {each!r}')
    numbers = {name: np.asarray(values, dtype=float) for name, values in each.items()}
    counts = {len(values) if values.ndim else 0 for values in numbers.values()}
    for name, values in numbers.items():
        wide = values.ndim == 2 and values.shape[1] == points
        if not (values.ndim == 1 or wide) or len(counts) > 1 or not np.isfinite(values).all():
            raise FigureError(
                f"each of an Ensemble must have finite numbers, one for each curve, or {points} for each as points=... "
                f"says, and for as many curves under each name; {name!r} has the shape {values.shape}"
            )
        if name not in signature(y).parameters:
            raise FigureError(f"y of an Ensemble has no argument {name!r}, which each names")
    if not counts or max(counts) * (points + 1) > MOST:
        most = MOST // (points + 1)
        raise FigureError(
            f"an Ensemble of {points} points has {most} curves at most, got {max(counts)}; say points=..."
        )
    return numbers
