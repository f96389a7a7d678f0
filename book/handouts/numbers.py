"""Numbers on paper, to three digits."""

import math
from collections.abc import Callable

from dp_lib import say


def number(value: float) -> str:
    """Return a number to three digits.

    >>> number(0.123456), number(1234.5), number(2e-7)
    ('0.123', '1230', '2.00 · 10⁻⁷')
    """
    if not 1e-4 <= abs(value) < 1e6:
        return say.about(value, 2, "power").replace("·", " · ")
    return (
        f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"
        if abs(value) < 1000
        else f"{round(value, -1):.0f}"
    )


def up(value: float) -> str:
    """Return a number to three digits, rounded up: an ε, a δ or a σ is never understated.

    >>> up(0.123001), up(4.0), up(0.57), up(3.721e-6)
    ('0.124', '4.00', '0.570', '3.73 · 10⁻⁶')
    """
    return _to_three_digits(value * (1 - 1e-12), math.ceil)


def down(value: float) -> str:
    """Return a number from 0 to 1 to three digits, rounded down.

    >>> down(0.98765), down(0.0030201)
    ('0.987', '0.00302')
    """
    return _to_three_digits(value * (1 + 1e-12), math.floor)


def _to_three_digits(value: float, rounded: Callable[[float], int]) -> str:
    unit = 10.0 ** (2 - math.floor(math.log10(value)))
    return number(rounded(value * unit) / unit)
