"""Check parameters: what a valid parameter is, said in one place.

Every public function passes each argument through one of these checks and goes on with what the check returns:

    sigma = domain.positive("sigma", sigma)

A function raises `DomainError` for an argument outside the domain that its "Parameters" give. Its docstring has a
section "Raises" only where the function raises the error for another reason as well.

A check returns its value as float64 (a number or an array), so that the theorem below it can be written plainly.
A bad value, also a single bad entry of an array, raises `DomainError`. Inside `gaps()` it becomes NaN instead, which
a figure shows as a gap in the curve. A traced value (see `livefigures.trace`) records the same rule: NaN where it
is broken.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

NOTHING: Any = np.float64(0)  # where a sum of budgets starts
_leave_gaps: ContextVar[bool] = ContextVar("leave_gaps", default=False)


class DomainError(ValueError):
    """A parameter outside its domain: says its name, its value, what is allowed and what to use instead."""


@contextmanager
def gaps() -> Iterator[None]:
    """Turn bad values into NaN within this context, where they would otherwise raise an error.

    >>> with gaps():
    ...     float(positive("sigma", -1.0))
    nan
    """
    token = _leave_gaps.set(True)
    try:
        yield
    finally:
        _leave_gaps.reset(token)


def condition(name: str, value: Any, ok: Any, allowed: str, instead: str = "") -> Any:
    """Return `value` where `ok` holds; elsewhere raise, or leave a gap. `value` and `ok` broadcast.

    For rules that tie several parameters together; `value` is a number that has passed its own check.

    >>> float(condition("epsilon", np.float64(0.5), 0.5 < 1, "< 1"))
    0.5
    """
    if not is_traced(ok) and not is_traced(value):
        if np.all(ok):
            return value
        if not _leave_gaps.get():
            raise DomainError(_message(name, value, ok, allowed, instead))
    return np.where(ok, value, np.nan)[()]


def single(name: str, value: Any, instead: str = "") -> Any:
    """Return `value`, which has passed its own check, if it is one number and no array.

    >>> float(single("sigma", np.float64(2)))
    2.0
    """
    if np.ndim(value):
        shape = np.shape(value)
        raise DomainError(
            f"{name} must be one number, got an array of shape {shape}" + (f"; {instead}" if instead else "")
        )
    return value


def is_traced(value: Any) -> bool:
    """Return True for the stand-ins that record a function's operations (they say so themselves)."""
    return getattr(type(value), "is_traced", False)


def _message(name: str, value: Any, ok: Any, allowed: str, instead: str) -> str:
    value, ok = np.broadcast_arrays(value, ok)
    where = np.argwhere(~ok)[0]
    place = f"[{', '.join(map(str, where))}]" if len(where) else ""
    return f"{name}{place} must be {allowed}, got {float(value[tuple(where)])!r}" + (f"; {instead}" if instead else "")


def _numbers(name: str, value: Any, allowed: str) -> Any:
    """Return `value` as float64 before any arithmetic: integers would overflow, the rest is not a number at all."""
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return np.float64(value)
        except OverflowError:
            raise DomainError(f"{name} must be {allowed}, got an integer too large for a float64") from None
    mixed = isinstance(value, list | tuple) and any(isinstance(entry, bool | np.bool_) for entry in value)
    try:
        array = np.asarray(value)
    except ValueError:
        raise DomainError(f"{name} must be {allowed}, got a ragged list: {value!r}") from None
    if array.dtype.kind not in "iuf" or mixed or isinstance(value, np.ma.MaskedArray):
        raise DomainError(f"{name} must be {allowed}, got {value!r} of type {type(value).__name__}")
    return array.astype(np.float64)[()]


def _check(rule: Callable[[Any], Any], allowed: str, used_for: str) -> Callable[..., Any]:
    def check(name: str, value: Any, instead: str = "") -> Any:
        if not isinstance(value, float) and not is_traced(value):
            value = _numbers(name, value, allowed)
        if isinstance(value, float) and rule(value):  # the common case, kept under half a microsecond
            return np.float64(value)
        return condition(name, value, rule(value), allowed, instead)

    check.__doc__ = f"Check that a value is {allowed}: {used_for}"
    return check


real = _check(lambda x: abs(x) < np.inf, "a finite number", "an answer.")
positive = _check(lambda x: (x > 0) & (x < np.inf), "a finite number > 0", "sigma, scale, ...")
nonnegative = _check(lambda x: (x >= 0) & (x < np.inf), "a finite number >= 0", "budgets.")
extended = _check(lambda x: x >= 0, "a number >= 0 (inf allowed)", "budgets, where inf is no guarantee at all.")
fraction = _check(lambda x: (x > 0) & (x < 1), "strictly between 0 and 1", "a target delta, a slack.")
probability = _check(lambda x: (x >= 0) & (x <= 1), "between 0 and 1", "a budget's delta, a sampling rate.")
order = _check(lambda x: x > 1, "an order > 1 (inf allowed)", "a Rényi order.")
order_or_limit = _check(
    lambda x: x >= 1, "an order >= 1 (inf allowed)", "a Rényi order, 1 (KL) and inf (max) included."
)
count = _check(lambda x: (x >= 0) & (x < np.inf) & (np.floor(x) == x), "a whole number >= 0", "a number of answers, k.")
positive_count = _check(
    lambda x: (x >= 1) & (x < np.inf) & (np.floor(x) == x), "a whole number >= 1", "a number of rows, a group's size."
)


def pair(name: str, value: Any) -> tuple[Any, Any]:
    """Return the two numbers of a budget such as `Approx(epsilon, delta)`; each still needs its own check.

    >>> pair("budget", (1.0, 1e-5))
    (1.0, 1e-05)
    """
    if isinstance(value, tuple | list) and len(value) == 2:
        return value[0], value[1]
    raise DomainError(f"{name} must be a pair of numbers, got {value!r} of type {type(value).__name__}")


def generator(name: str, value: Any) -> np.random.Generator:
    """Return `value` if it is a source of randomness of NumPy's.

    >>> generator("rng", 5)
    Traceback (most recent call last):
    ...
    dp_lib.domain.DomainError: rng must be a numpy.random.Generator, got 5 of type int; use numpy.random.default_rng(1)
    """
    if isinstance(value, np.random.Generator):
        return value
    got = f"{value!r} of type {type(value).__name__}"
    raise DomainError(f"{name} must be a numpy.random.Generator, got {got}; use numpy.random.default_rng(1)")
