"""Functions of points: they give an array of as many numbers as there are points, a list of them, or one for all."""

import functools
from typing import Any

import numpy as np

from livefigures.declare.parts import DATA
from livefigures.trace.tracing import Tape, needed


def one_for_each(tape: Tape, value: Any) -> Any:
    """Return what a function of points gave as a value that has a number for each of them.

    A list is put together from its elements, each where its own number stands:

    >>> tape = Tape()
    >>> tape.size = 2
    >>> a = tape.input("a")
    >>> place = tape.output(one_for_each(tape, [a, 2 * a]))
    >>> [name for name, *_ in tape.operations]
    ['in', 'num', 'mul', 'in', 'num', 'le', 'where']
    """
    if isinstance(value, list | tuple) and any(getattr(one, "is_traced", False) for one in value):
        places = reversed([*enumerate(value)][:-1])
        return functools.reduce(lambda rest, one: np.where(tape.along() <= one[0], one[1], rest), places, value[-1])
    return value if _runs_along(tape, tape.output(value)) else np.where(tape.along() >= 0, value, value)


def _runs_along(tape: Tape, place: int) -> bool:
    """Whether an operation of the tape needs an array of the points."""
    entries = [tape.operations[one] for one in needed(tape.operations, place)]
    inputs = [arguments[0] for name, *arguments in entries if name == "in"]
    return any(name in tape.data or name.startswith(DATA) for name in inputs)
