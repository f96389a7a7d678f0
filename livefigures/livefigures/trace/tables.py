"""Look-up tables: a function that cannot be traced, at every stop of its sliders."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import full, without_last_digits
from livefigures.declare.parts import FigureError
from livefigures.declare.sliders import LARGEST, Slider

# x of 201 points and a slider of 248 stops, say. A number takes half a byte (a density) to three bytes (Bessel's
# functions) of the compressed page, and six where nothing is smooth: then the second limit comes first.
FEW = 8  # stops, of which a slider should keep more
MOST_NUMBERS = 50_000
MOST_BYTES = 100_000
BYTES = 0.5, 3  # of a number, as above
DIGITS = 11  # of each number on the page: wrong by 5e-11 of it at most
MOST_OFTEN = 5  # differences along one slider
SPAN = 9 * 10 ** (DIGITS - 1)  # so many numbers of that many digits has each power of ten


def stops(figure: Declaration, name: str) -> NDArray:
    """Return the values at which a table knows a slider; the x axis is known at the points of its curves."""
    return figure.x.grid if name == figure.x.name else figure.controls[name].stops


def names(figure: Declaration, address: str) -> list[str]:
    """Return the sliders of the table of the function at `address`, x last: along x a function changes least."""
    return sorted(figure.follows(address), key=lambda name: name == figure.x.name)


def check_size(figure: Declaration, address: str) -> None:
    """Refuse a table of too many numbers, before any is computed.

    Raises
    ------
    FigureError : with the stops of each slider, and the step that would do
    """
    counts = {name: len(stops(figure, name)) for name in names(figure, address)}
    size = int(np.prod([*counts.values()], dtype=float))
    if size > MOST_NUMBERS:
        told = " x ".join(f"{count} stops of {name}" for name, count in counts.items())
        raise FigureError(
            f"figure {figure.name!r}: the table of {address} would hold {size} numbers ({told}), about "
            f"{_kilobytes(size)} of the compressed page, at most {MOST_NUMBERS}; "
            f"{_fewer(figure, counts, size)}"
        )


def _kilobytes(size: int) -> str:
    """How much of a page so many numbers take, from smooth ones to those of which no two are alike.

    >>> _kilobytes(80000)
    '40 to 240 kB'
    """
    least, most = (float(f"{size * each / 1000:.2g}") for each in BYTES)
    return f"{least:g} to {most:g} kB"


_TRACED = "or write the function so that it can be traced"


def _fewer(figure: Declaration, counts: Mapping[str, int], size: int) -> str:
    """What to change: the step of the slider with the most stops, if that is enough."""
    others = {name: count for name, count in counts.items() if name != figure.x.name} or dict(counts)
    name = max(others, key=lambda name: others[name], default="")
    room = MOST_NUMBERS * counts.get(name, 1) // size
    if room < FEW and (steps := _coarser(figure, others, counts)):
        return f"give the sliders larger steps, for example {' and '.join(steps)}, {_TRACED}"
    if room < 3:
        return (
            f"let it depend on fewer sliders than {', '.join(counts)}, or take a fixed number of steps in a loop, "
            "which needs no table: for a differential equation lf.ode, for an integral a sum over fixed "
            "points, for a root halving an interval, for the t-th term of a difference equation k = np.where(i < t, "
            "step(k), k) for each i"
        )
    slider = figure.controls[name]
    if slider.log or slider.options:
        return f"give the slider {name!r} a shorter range, of {room} stops at most, {_TRACED}"
    return f"give the slider {name!r} at most {room} stops, such as step={_step(slider, room):g}, {_TRACED}"


def _coarser(figure: Declaration, others: Mapping[str, int], counts: Mapping[str, int]) -> list[str]:
    """Steps for several sliders with which the table fits, each with eight stops or more; [] if there are none."""
    linear = [name for name in others if not (figure.controls[name].log or figure.controls[name].options)]
    found = {name: counts[name] for name in linear}
    rest = int(np.prod([count for name, count in counts.items() if name not in found], dtype=int))
    while rest * int(np.prod([*found.values()], dtype=int)) > MOST_NUMBERS:
        name = max(found, key=lambda name: found[name], default="")
        if not name or found[name] <= FEW:
            return []
        found[name] = found[name] * 4 // 5
    return [
        f"step={_step(figure.controls[name], room):g} for {name!r}"
        for name, room in found.items()
        if room < counts[name]
    ]


def _step(slider: Slider, room: int) -> float:
    """A round step, rounded up; the ends and the default may need two stops of their own."""
    step = (slider.high - slider.low) / max(room - 2, 1)
    if slider.integer:
        return float(np.ceil(step))
    unit = 10.0 ** np.floor(np.log10(step))
    rounded = unit * min(each for each in (1, 2, 2.5, 5, 10) if each * unit >= step * (1 - 1e-12))
    return min(float(f"{rounded:.2g}"), slider.high - slider.low)


def table(figure: Declaration, address: str) -> dict[str, Any]:
    """Return the values of the function at `address`, the last slider running fastest."""
    inputs = names(figure, address)
    axes = [stops(figure, name) for name in inputs]
    if inputs[-1:] == [figure.x.name] and figure.takes_x_axis(address):  # then one call has the values along x
        called = [(*place, axes[-1]) for place in product(*axes[:-1])]
    else:
        called = [*product(*axes)]
    values = [figure.evaluate(address, dict(zip(inputs, place, strict=True))) for place in called]
    return {"inputs": inputs, "stops": [axis.tolist() for axis in axes], "values": np.ravel(values).tolist()}


def packed(figure: Declaration, tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the tables as a page carries them.

    Raises
    ------
    FigureError : they take more bytes than a page can spare
    """
    found = [pack(table, figure.up) for table in tables]
    for each in found:  # the page knows the points of the x axis
        axes = zip(each["inputs"], each["stops"], strict=True)
        each["stops"] = [None if name == figure.x.name else stops for name, stops in axes]
    size = sum(_compressed(table) for table in found)
    if size > MOST_BYTES:
        raise FigureError(
            f"figure {figure.name!r}: its tables take {size} bytes of the compressed page, at most {MOST_BYTES}; "
            "give their sliders fewer stops (a larger step), or round what the functions give to fewer digits"
        )
    return found


def pack(table: Mapping[str, Any], up: bool = False) -> dict[str, Any]:
    """Return a table with its values as whole numbers; table.js reads them back to all DIGITS.

    Each value becomes its place among all numbers of so many digits, which along a curve changes smoothly, and of these
    places the differences are written, along each slider as often as makes the text shortest when it is compressed.

    >>> pack({"inputs": ["k"], "stops": [[1, 2, 3, 4]], "values": [1.0, 2.0, 3.0, float("nan")]})["gaps"]
    [[3, 1, 'NaN']]
    """
    values, shape = np.array(table["values"], dtype=float), [len(axis) for axis in table["stops"]]
    known = abs(values) <= LARGEST
    places, least = _places(values[known], up)
    places = places[np.maximum(np.cumsum(known) - 1, 0)] if len(places) else np.zeros(len(values), dtype=np.int64)
    common = {key: table[key] for key in ("inputs", "stops")} | {"least": least - DIGITS + 1, "gaps": [*_gaps(values)]}
    orders = _best_orders(places.reshape(shape))
    return common | {"sums": _sums(shape, orders), "values": _differences(places.reshape(shape), orders)}


def _best_orders(places: NDArray) -> list[int]:
    """How often to take differences along each axis, found axis by axis, twice, x first."""
    orders = [0] * places.ndim
    for axis in [*reversed(range(places.ndim))] * 2:
        tried = ([*orders[:axis], order, *orders[axis + 1 :]] for order in range(MOST_OFTEN + 1))
        # JavaScript adds whole numbers without loss up to 2^53.
        fitting = [each for each in tried if sum(each) == 0 or np.max(abs(places)) * 2.0 ** sum(each) < 2**53]
        orders = min(fitting, key=lambda each: _compressed(_differences(places, each)))
    return orders


def _places(values: NDArray, up: bool) -> tuple[NDArray, int]:
    """The values' places among the numbers of DIGITS digits from the least power of ten on, negative for negative ones.

    >>> _places(np.array([1.0, 0.1, 0.0, -0.1]), up=False)
    (array([90000000001,           1,           0,          -1]), -1)
    """
    found = [_parts(value, up) for value in values]
    least = min([power for digits, power in found if digits], default=0)
    first = 10 ** (DIGITS - 1)
    places = [np.sign(d) * ((power - least) * SPAN + abs(d) - first + 1) for d, power in found]
    return np.array(places, dtype=np.int64), least


def _parts(value: float, up: bool) -> tuple[int, int]:
    """A value's digits and its power of ten; `up` takes the next larger number unless the digits are all of it.

    >>> _parts(-0.25, up=False), _parts(1 / 3, up=True)
    ((-25000000000, -1), (33333333334, -1))
    """
    value = without_last_digits(value) if up else value
    digits, power = f"{value:.{DIGITS - 1}e}".split("e")
    whole = int(digits.replace(".", ""))
    if up and float(f"{digits}e{power}") < value:
        whole += 1
        if whole == 10**DIGITS:
            return 10 ** (DIGITS - 1), int(power) + 1
    return whole, int(power)


def _differences(places: NDArray, orders: Sequence[int]) -> list[int]:
    for axis, order in enumerate(orders):
        for _ in range(order):
            places = np.diff(places, axis=axis, prepend=0)
    return places.ravel().tolist()


def _sums(shape: Sequence[int], orders: Sequence[int]) -> list[list[int]]:
    """How the differences are summed up again: to each number the one so far before it, within stretches so long.

    >>> _sums([3, 201], [1, 2])
    [[201, 603], [1, 201], [1, 201]]
    """
    strides = [int(np.prod(shape[axis + 1 :], dtype=int)) for axis in range(len(shape))]
    return [[stride, stride * count] for stride, count, o in zip(strides, shape, orders, strict=True) for _ in range(o)]


def _gaps(values: NDArray) -> Iterator[list]:
    """Where no finite value is, or a huge one: first place, how many, which."""
    first = 0
    for said, run in groupby(values, key=lambda value: "" if abs(value) <= LARGEST else full(value)):
        count = len([*run])
        if said:
            yield [first, count, said]
        first += count


def _compressed(content: Any) -> int:
    return len(zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6))
