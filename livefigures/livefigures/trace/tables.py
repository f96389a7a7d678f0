"""Look-up tables: a function that cannot be traced, at every stop of its sliders."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Context
from itertools import product
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import without_last_digits
from livefigures.declare.parts import FigureError
from livefigures.declare.sliders import LARGEST, Slider

FEW = 8  # stops, of which a slider should keep more
MOST_NUMBERS = 25_000  # x of 201 points and a slider of 101 stops, its usual ones, and some more
SLOW = 60  # seconds after which nobody waits for a table without a word
DIGITS = 11  # of each number on the page: wrong by 5e-11 of it at most
UP = Context(prec=DIGITS, rounding=ROUND_CEILING)


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
            f"figure {figure.name!r}: the table of {address} would hold {size} numbers ({told}), at most "
            f"{MOST_NUMBERS}, each up to six bytes of the compressed page; {_fewer(figure, counts, size)}"
        )


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


def _calls(figure: Declaration, address: str) -> list[dict[str, Any]]:
    """Return what the function at `address` is called with for its table, the last slider running fastest."""
    inputs = names(figure, address)
    axes = [stops(figure, name) for name in inputs]
    if inputs[-1:] == [figure.x.name] and figure.takes_x_axis(address):  # then one call has the values along x
        called = [(*place, axes[-1]) for place in product(*axes[:-1])]
    else:
        called = [*product(*axes)]
    return [dict(zip(inputs, place, strict=True)) for place in called]


def slow(figure: Declaration) -> Iterator[str]:
    """Yield a sentence for each table that takes long, as two of its calls say, without the time of other programs."""
    for address in filter(figure.asks_for_table, figure.functions):
        calls = _calls(figure, address)
        begun = process_time()
        try:
            for place in (len(calls) // 2, -1):
                figure.evaluate(address, calls[place])
        except FigureError:
            continue  # which a page says
        seconds = len(calls) * (process_time() - begun) / 2
        if seconds > SLOW:
            yield (
                f"figure {figure.name!r}: its table takes about {max(2, round(seconds / 60))} minutes, when a page "
                f"or a file is made, since {address} is called {len(calls)} times; larger steps of "
                f"{', '.join(names(figure, address))} make it shorter"
            )


def table(figure: Declaration, address: str) -> dict[str, Any]:
    """Return the values of the function at `address`, the last slider running fastest."""
    inputs = names(figure, address)
    values = [figure.evaluate(address, given) for given in _calls(figure, address)]
    axes = [stops(figure, name).tolist() for name in inputs]
    return {"inputs": inputs, "stops": axes, "values": np.ravel(values).tolist()}


def packed(figure: Declaration, tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the tables as a page carries them, in DIGITS digits; the page knows the points of the x axis."""
    return [
        {
            "inputs": table["inputs"],
            "stops": [
                None if name == figure.x.name else axis
                for name, axis in zip(table["inputs"], table["stops"], strict=True)
            ],
            "values": [_short(value, figure.up) for value in table["values"]],
        }
        for table in tables
    ]


def _short(value: float, up: bool) -> float:
    """Return a value in DIGITS digits; `up` takes the next larger number unless the digits are all of it.

    >>> _short(-0.25, up=False), _short(1 / 3, up=True), _short(1 / 3, up=False)
    (-0.25, 0.33333333334, 0.33333333333)
    """
    if not abs(value) <= LARGEST:  # nor NaN
        return value
    if up:
        return float(UP.create_decimal(repr(without_last_digits(value))))
    return float(f"{value:.{DIGITS}g}")
