"""Arrows of a vector field: a path along which they stand one after the other, with a gap behind each."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from livefigures.declare.colours import Asked
from livefigures.declare.options import names_its_options
from livefigures.declare.parts import Coordinate, FigureError, Function, Path
from livefigures.declare.shapes import called, is_axis, of_point
from livefigures.declare.sliders import is_number

NUMBER = "arrow"  # the parameter of the path: which corner of which arrow
ALONG, ACROSS = [-0.5, 0.5, 0.2, 0.5, 0.2, 0], [0, 0, 0.15, 0, -0.15, 0]  # tail, tip, barb, tip, barb and the gap
CORNERS = len(ALONG)
ROOM = 0.8  # of the distance between two arrows, if all are equally long
MOST = 800


@names_its_options
class Arrows(Path):
    """The arrows of a vector field, such as that of a phase portrait; the middle of each stands at its place.

    Parameters
    ----------
    u, v : how far an arrow points to the right and up, functions of its place and of the sliders, or numbers
    x, y : the two arguments that are the place, each with its range, ("angle", -3, 3)
    columns, rows : how many arrows stand side by side, and how many one above the other
    scale : makes an arrow `scale` times (u, v) long; without it all are equally long, and none is where both are 0
    colour : as of a `Curve`
    label : its name in the table, if not the one it is declared under
    """

    width: ClassVar[float] = 1.2

    def __init__(
        self,
        u: Coordinate,
        v: Coordinate,
        x: Sequence,
        y: Sequence,
        columns: int = 15,
        rows: int = 10,
        scale: float | None = None,
        colour: Asked = "dimgrey",
        label: str = "",
    ) -> None:
        _check(u, v, [x, y], [columns, rows])

        def of(axis: int) -> Function:
            def coordinate(**values: Any) -> Any:
                return _corner((u, v), (x, y), (columns, rows), scale, values)[axis]

            return of_point(coordinate, NUMBER, (u, v), (x[0], y[0]))

        size = columns * rows * CORNERS
        super().__init__(of(0), of(1), over=(NUMBER, 0, size - 1), size=size, colour=colour, label=label)


def _corner(parts: tuple, axes: tuple, counts: tuple[int, int], scale: float | None, values: dict[str, Any]) -> list:
    """Return where a corner of an arrow is."""
    arrow, corner = values[NUMBER] // CORNERS, values[NUMBER] % CORNERS
    units = [(high - low) / count for (_, low, high), count in zip(axes, counts, strict=True)]
    cells = (arrow % counts[0], arrow // counts[0])
    middle = [low + unit * (cell + 0.5) for (_, low, _), unit, cell in zip(axes, units, cells, strict=True)]
    known = values | {name: place for (name, *_), place in zip(axes, middle, strict=True)}
    a, b = (called(part, known) / unit for part, unit in zip(parts, units, strict=True))
    length = ROOM / np.sqrt(a * a + b * b) if scale is None else scale
    length = np.where(corner == CORNERS - 1, np.nan, length)
    along, across = (np.interp(corner, np.arange(CORNERS), shape) for shape in (ALONG, ACROSS))
    ways = (along * a - across * b, along * b + across * a)
    return [place + unit * length * way for place, unit, way in zip(middle, units, ways, strict=True)]


def _check(u: Any, v: Any, axes: list, counts: list) -> None:
    if not all(callable(part) or is_number(part) for part in (u, v)):
        raise FigureError(f"u and v of Arrows must be functions of a place and of the sliders, got {u!r} and {v!r}")
    for axis in axes:
        if not is_axis(axis):
            raise FigureError(f'x and y of Arrows must be an argument and its range, x=("angle", -3, 3), got {axis!r}')
    if not all(isinstance(count, int) and count > 0 for count in counts) or np.prod(counts) > MOST:
        raise FigureError(f"Arrows need whole numbers of columns and rows, {MOST} arrows at most, got {counts}")
