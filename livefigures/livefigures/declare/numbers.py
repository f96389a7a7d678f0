"""How a number is written, for every renderer; numbers.js writes the same on a page, and a test compares the two."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal, localcontext

import numpy as np

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def typed(value: float) -> str:
    """A slider's value as one would type it.

    >>> typed(1e-5), typed(200.0), typed(0.25)
    ('1e-5', '200', '0.25')
    """
    value = float(value) + 0.0  # -0 is 0
    with localcontext(rounding=ROUND_HALF_UP):  # as JavaScript rounds
        mantissa, exponent = f"{Decimal(value):.11e}".split("e")
    if value and (abs(value) < 1e-3 or abs(value) >= 1e7):
        return f"{float(mantissa):.12g}e{int(exponent)}"
    return f"{float(f'{mantissa}e{exponent}'):.12g}"


def said(value: float, base: float = 0) -> str:
    """A slider's value as a reader reads it: one that moves over exponents of `base` shows the power.

    >>> said(-0.25), said(-2, base=2), said(3, base=2), said(6, base=0.1), said(0.5, base=10)
    ('−0.25', '1/4', '8', '10⁻⁶', '3.162')
    """
    if not base:
        return _minus(typed(value))
    if base < 1:
        return said(-value, round(1 / base))
    if value != round(value):
        return typed(float(f"{base**value:.4g}"))
    exponent = round(value)
    if base == 10 and not -2 <= exponent <= 4:
        return power_of_ten(exponent)
    if exponent >= 0:
        return str(base**exponent)
    return typed(10.0**exponent) if base == 10 else f"1/{base**-exponent}"


def shown(value: float, up: bool = False, down: bool = False) -> str:
    """Return a reading in four digits, or a dash where there is none.

    An upper bound is rounded `up`, so that what is shown is no less than the value, and a lower bound `down`.

    >>> shown(0.57013), shown(1.5e-7), shown(float("nan")), shown(0.57013, up=True), shown(0.57018, down=True)
    ('0.5701', '1.500 × 10⁻⁷', '—', '0.5702', '0.5701')
    """
    if not np.isfinite(value):
        return "∞" if value == np.inf else "—"
    value = float(value) + 0.0
    digits = max(0, 3 - int(np.floor(np.log10(abs(value))))) if value else 0
    exact = Decimal(repr(value)) if up or down else Decimal(value)  # what JavaScript compares, and what it rounds
    with localcontext(rounding=ROUND_CEILING if up else ROUND_FLOOR if down else ROUND_HALF_UP):
        if not value or 1e-3 <= abs(value) < 1e6:
            return _minus(f"{exact:.{digits}f}")
        mantissa, exponent = f"{exact:.3e}".split("e")
    return _minus(f"{mantissa} × {power_of_ten(int(exponent))}")


def percent(share: float, up: bool = False) -> str:
    """Return a share in per cent with one decimal, `up` if it is an upper bound.

    >>> percent(0.7310586), percent(0.7310586, up=True), percent(0.6, up=True)
    ('73.1\xa0%', '73.2\xa0%', '60.0\xa0%')
    """
    exact = 100 * Decimal(repr(float(share))) if up else Decimal(100 * float(share))  # as JavaScript has them
    with localcontext(rounding=ROUND_CEILING if up else ROUND_HALF_UP):
        return f"{exact:.1f}\u00a0%"


def full(value: float) -> str:
    """Every digit, in JavaScript's words: for attributes and JSON, which have no NaN and no infinity.

    >>> full(0.1), full(float("-inf"))
    ('0.1', '-Infinity')
    """
    special = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    return special.get(str(float(value)), repr(float(value)))


def _minus(text: str) -> str:
    """Write a minus sign for readers; what is typed and what an address has keep the hyphen."""
    return text.replace("-", "−", 1) if text.startswith("-") else text


def power_of_ten(exponent: int) -> str:
    """A power of ten in plain text.

    >>> power_of_ten(-5)
    '10⁻⁵'
    """
    return "10" + str(exponent).translate(_SUPERSCRIPTS)
