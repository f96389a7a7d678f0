"""Look-up tables: a function that no tape can hold, at every stop of its sliders."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.figure import Figure
from livefigures.declare.parts import FigureError

MAX_NUMBERS = 6000  # a table's size: about 50 kB compressed, a third of a chapter's budget


def stops(figure: Figure, name: str) -> NDArray:
    """The values at which a table knows a slider; the x axis is known at the points of its curves."""
    return figure.x.grid if name == figure.x.name else figure.controls[name].stops


def table(figure: Figure, address: str) -> dict[str, Any]:
    """The values of the function at `address`, the last slider running fastest; FigureError if they are too many."""
    names = figure.follows(address)
    axes = [stops(figure, name) for name in names]
    size = int(np.prod([len(axis) for axis in axes], dtype=float))
    if size > MAX_NUMBERS:
        counts = " x ".join(f"{len(axis)} stops of {name}" for name, axis in zip(names, axes, strict=True))
        raise FigureError(
            f"figure {figure.name!r}: the table of {address} would hold {size} numbers ({counts}), at most "
            f"{MAX_NUMBERS}; give its sliders a larger step, or make the function traceable"
        )
    values = [float(figure.evaluate(address, dict(zip(names, place, strict=True)))) for place in product(*axes)]
    return {"inputs": names, "stops": [axis.tolist() for axis in axes], "values": values}
