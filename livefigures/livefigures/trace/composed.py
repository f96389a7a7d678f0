"""Functions made of operations that a trace has: what they add to a trace, a page can play already.

>>> float(arctan2(np.float64(1), np.float64(-1))) == 3 * np.pi / 4
True
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import special


def arctan2(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y), from -π to π, as np.arctan2 does."""
    high, wide = abs(y), abs(x)
    with np.errstate(all="ignore"):
        # Where both are zero, or both infinite, their ratio is no number.
        angle = np.where(high == wide, np.where(high == 0, 0.0, np.pi / 4), np.arctan(high / wide))
        angle = np.where(_is_negative(x), np.pi - angle, angle)
        return np.where(_is_negative(y), -angle, angle)


def betaln(a: Any, b: Any) -> Any:
    """Return the logarithm of the beta function for positive a and b, as special.betaln does."""
    return special.gammaln(a) + special.gammaln(b) - special.gammaln(a + b)


def hypot(x: Any, y: Any) -> Any:
    """Return the length of (x, y), as np.hypot does: no square is taken of a number that is large."""
    large, small = np.maximum(abs(x), abs(y)), np.minimum(abs(x), abs(y))
    with np.errstate(all="ignore"):
        length = np.where(large == 0, 0.0, large * np.sqrt(1 + (small / large) ** 2))
    return np.where(np.isinf(x) | np.isinf(y), np.inf, length)


def sinc(x: Any) -> Any:
    """Return sin(πx) / (πx), as np.sinc does."""
    angle = np.pi * np.where(x == 0, 1e-20, x)
    return np.sin(angle) / angle


# A ufunc of NumPy or SciPy, and what it is made of: operations that a trace has.
UFUNCS: dict[np.ufunc, Callable] = {
    np.arctan2: arctan2,
    special.betaln: betaln,
    np.arcsin: lambda x: np.arctan(x / np.sqrt((1 - x) * (1 + x))),
    np.arccos: lambda x: 2 * np.arctan(np.sqrt((1 - x) / (1 + x))),
    np.cbrt: lambda x: np.sign(x) * abs(x) ** (1 / 3),
    np.heaviside: lambda x, at: np.where(x < 0, 0.0, np.where(x > 0, 1.0, np.where(x == 0, at, x))),
    np.hypot: hypot,
    **dict.fromkeys((np.deg2rad, np.radians), lambda x: x * (np.pi / 180)),
    **dict.fromkeys((np.rad2deg, np.degrees), lambda x: x * (180 / np.pi)),
}
# The same of functions that are no ufuncs.
FUNCTIONS: dict[Callable, Callable] = {
    np.polyval: lambda p, x: functools.reduce(lambda y, factor: y * x + factor, p, 0.0),
    np.sinc: sinc,
    np.zeros_like: lambda x, dtype=float: 0.0,
    np.ones_like: lambda x, dtype=float: 1.0,
    np.full_like: lambda x, value, dtype=float: value,
}


def _is_negative(x: Any) -> Any:
    """Return whether the sign is a minus, that of a zero included."""
    return (x < 0) | (np.where(x == 0, np.divide(1.0, x), 1.0) < 0)


def interpolated(x: Any, xs: Sequence[float], ys: Sequence[float], left: float, right: float) -> Any:
    """Return np.interp(x, xs, ys, left, right) for finite, increasing xs."""
    value = np.where(x < xs[0], left, ys[0])
    for i in range(len(xs) - 1):
        slope = (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i])
        value = np.where(x >= xs[i], slope * (x - xs[i]) + ys[i], value)
    value = np.where(x >= xs[-1], np.where(x > xs[-1], right, ys[-1]), value)
    return np.where(np.isnan(x), np.nan, value)
