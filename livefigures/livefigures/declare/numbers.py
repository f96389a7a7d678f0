"""How a number is written, for every renderer; numbers.js writes the same on a page, and a test compares the two."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

FORMAT = re.compile(r"([^{}]*)\{:(,?)\.(\d(?=[f%])|[1-9](?=g))([fg%])\}([^{}]*)")  # "$ {:,.2f}", a part of Python's own
MOST_TYPED = 6  # decimals: numbers with more were computed
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


def shown(value: float, up: bool = False, down: bool = False, written: str = "") -> str:
    """Return a reading in four digits, or as `written` says, or a dash where there is none.

    An upper bound is rounded `up`, so that what is shown is no less than the value, and a lower bound `down`. Digits
    after the fourteenth do not count, because they come from the arithmetic, as in 3 * 0.1 = 0.30000000000000004.

    >>> shown(0.57013), shown(1.5e-7), shown(float("nan")), shown(0.57013, up=True), shown(0.57018, down=True)
    ('0.5701', '1.500 × 10⁻⁷', '—', '0.5702', '0.5701')
    >>> shown(3 * 0.1, up=True)
    '0.3000'
    >>> shown(1250, written="$ {:,.2f}"), shown(0.1234, written="{:.1%}"), shown(0.57013, written="{:.3g} m")
    ('$ 1,250.00', '12.3%', '0.570 m')
    """
    if not np.isfinite(value):
        return "∞" if value == np.inf else "—"
    before, comma, places, kind, after = FORMAT.fullmatch(written or "{:.4g}").groups()  # "{:.3g}" has three digits
    value = float(value) * (100 if kind == "%" else 1) + 0.0
    value = without_last_digits(value) if up or down else value
    size, most = abs(value), int(places) - 1 if kind == "g" else 3
    plain = not value or (1e-3 <= size < 1e6 if kind == "g" else size < 1e15)
    of_all = max(0, most - int(np.floor(np.log10(size)))) if value else 0
    after = kind.strip("fg") + after
    exact = Decimal(repr(value)) if up or down else Decimal(value)  # what JavaScript compares, and what it rounds
    with localcontext(rounding=ROUND_CEILING if up else ROUND_FLOOR if down else ROUND_HALF_UP):
        if plain:
            return before + _minus(f"{exact:z{comma}.{of_all if kind == 'g' else places}f}") + after
        mantissa, exponent = f"{exact:.{most}e}".split("e")
    return before + _minus(f"{mantissa} × {power_of_ten(int(exponent))}") + after


def without_last_digits(value: float) -> float:
    """Return a value to fourteen digits, before it is rounded up or down: the others come from the arithmetic.

    >>> without_last_digits(3 * 0.1)
    0.3
    """
    return float(f"{value:.14g}")


def wrong(written: object) -> str:
    """Return what a format must be if this is none that a page can write, "" if it is one or is empty.

    >>> wrong("{:,.2f} €"), wrong("{:.2e}")[:22]
    ('', 'text such as "$ {:,.2f')
    """
    if written == "" or isinstance(written, str) and FORMAT.fullmatch(written):
        return ""
    return f'text such as "$ {{:,.2f}}", "{{:.1%}}" or "{{:.3g}}", got {written!r}'


def as_given(*values: NDArray | None) -> str:
    """Return the format with as many decimals as these numbers have, "" if they have none that somebody has typed.

    >>> as_given(np.array([0.05, 0.1])), as_given(np.array(3.0)), as_given(np.array([1 / 3])), as_given(np.array(1e-9))
    ('{:.2f}', '{:.0f}', '', '')
    """
    known = np.concatenate([[], *(np.ravel(some) for some in values if some is not None)])
    words = [typed(value) for value in known if np.isfinite(value)]
    places = max((len(word.partition(".")[2]) for word in words), default=MOST_TYPED + 1)
    return "" if places > MOST_TYPED or any("e" in word for word in words) else f"{{:.{places}f}}"


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
