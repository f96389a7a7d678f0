"""Differential equations in steps that a page can repeat.

    >>> float(ode(lambda y, t: -y, 1.0, 2.0)), float(np.exp(-2))  # y' = -y
    (0.13533528..., 0.13533528...)

A solver chooses its steps by the numbers that it meets, which stand-ins do not have. Here the steps are fixed, and a
build compares them with steps of half the length.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from typing import Any

import numpy as np

from livefigures.trace.tracing import NotTraceable

INEXACT = 0.01  # of the largest value, by which a solution may change with half the step
_CLOSURE = (
    "further arguments are not handed to slope: write slope inside the curve's function, where it knows the sliders, "
    "def curve(t, r0): then def slope(y, t): ... with r0 in it, and return lf.ode(slope, start, t)"
)
_EACH = "it must give the change of each of them in a tuple, as in lambda y, t: (y[1], -y[0])"
_FIRST = "slope(y, t) takes the unknowns first and the time second, in the other order than solve_ivp of SciPy"
_SWAPPED = ("an index", "invalid index", "subscript", "cannot unpack", "a walk through a value")
_ERRORS: ContextVar[list[float] | None] = ContextVar("errors", default=None)


def ode(slope: Callable[[Any, Any], Any], start: Any, t: Any, steps: int = 80, **unknown: Any) -> Any:
    """Return the solution of y' = slope(y, t) with y(0) = start at the time t, by Runge and Kutta's fourth-order steps.

    Parameters
    ----------
    slope : a function of y and t; several unknowns are a tuple, and then it gives a tuple of as many numbers
    start : a number, or a tuple of numbers
    t : the time, which may be the x axis; or a list of fixed times in order, list(times) of an
        array, and then there is a list of results
    steps : how many steps lead from 0 to t, or from each time of a list to the next; each adds operations to the trace

    An oscillator, x'' = -x, has the unknowns x and v:

    >>> x, v = ode(lambda y, t: (y[1], -y[0]), (1.0, 0.0), np.pi)
    >>> round(float(x), 6)
    -1.0

    A list of values can be searched, added up, and drawn with np.interp(t, times, values):

    >>> [round(float(y), 3) for y in ode(lambda y, t: -y, 1.0, [0, 1, 2], steps=10)]
    [1.0, 0.368, 0.135]
    """
    if unknown:
        raise TypeError(f"ode has no option {next(iter(unknown))!r}; {_CLOSURE}")
    if not isinstance(steps, int | np.integer) or steps < 1:
        raise TypeError(f"steps of ode must be a whole number, 1 or more; {_CLOSURE}")
    arguments = [*inspect.signature(slope).parameters.values()]
    if arguments and arguments[0].name in ("t", "time"):
        raise ValueError(_FIRST)
    if len(arguments) < 2 and not any(one.kind is one.VAR_POSITIONAL for one in arguments):
        raise ValueError("slope takes two arguments, the unknowns and the time, as in lambda y, t: -rate * y")
    try:
        found = _solved(slope, start, t, steps)
    except NotTraceable:
        if isinstance(t, np.ndarray) and t.ndim:  # plainly, these are the points of the x axis
            raise NotTraceable("lf.ode at an array of times", "a list, lf.ode(slope, start, list(times))") from None
        raise
    errors = _ERRORS.get()
    if errors is not None:
        errors.append(_difference(found, _solved(slope, start, t, 2 * steps)))
    return found


@contextmanager
def errors() -> Iterator[list[float]]:
    """Collect how much each solution changes with half the step, as a share of its largest value."""
    found: list[float] = []
    token = _ERRORS.set(found)
    try:
        yield found
    finally:
        _ERRORS.reset(token)


def _solved(slope: Callable, start: Any, t: Any, steps: int) -> Any:
    several = isinstance(start, tuple | list | np.ndarray)
    y, begin, found = tuple(start) if several else (start,), 0.0, []

    def change(y: Sequence, time: Any) -> Sequence:
        try:
            found = slope(y if several else y[0], time)
        except (TypeError, IndexError, NotTraceable) as error:
            if several and any(words in str(error) for words in _SWAPPED):
                raise ValueError(_FIRST) from None
            raise
        if several and (found is None or _is_one_number(found)):
            given = "nothing" if found is None else "one number"
            raise ValueError(f"slope gives {given} for {len(y)} unknowns; {_EACH}")
        found = tuple(found) if several else (found,)
        if len(found) != len(y):
            raise ValueError(f"slope gives {len(found)} numbers for {len(y)} unknowns; {_EACH}")
        return found

    for end in t if isinstance(t, list | tuple) else [t]:
        step = (end - begin) / steps
        for i in range(steps):
            time = begin + i * step
            first = change(y, time)
            second = change(_moved(y, first, step / 2), time + step / 2)
            third = change(_moved(y, second, step / 2), time + step / 2)
            fourth = change(_moved(y, third, step), time + step)
            sums = [a + 2 * (b + c) + d for a, b, c, d in zip(first, second, third, fourth, strict=True)]
            y = _moved(y, sums, step / 6)
        begin = end
        found.append(y if several else y[0])
    return found if isinstance(t, list | tuple) else found[0]


def _is_one_number(found: Any) -> bool:
    return isinstance(found, Real) or isinstance(found, np.ndarray) and not found.ndim or hasattr(found, "is_traced")


def _moved(y: Sequence, change: Sequence, step: Any) -> tuple:
    return tuple(a + step * b for a, b in zip(y, change, strict=True))


def _difference(found: Any, finer: Any) -> float:
    one, other = (np.ravel(np.array(np.broadcast_arrays(*_leaves(y)), dtype=float)) for y in (found, finer))
    changed = float(np.max(abs(one - other)))
    return changed and float(np.nan_to_num(changed / np.max(abs(other)), nan=np.inf))


def _leaves(y: Any) -> list:
    return [leaf for part in y for leaf in _leaves(part)] if isinstance(y, list | tuple) else [y]
