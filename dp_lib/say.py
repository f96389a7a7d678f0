"""Round numbers for sentences outwards, so that "at most 8.01" is true where "at most 8.00" is not.

>>> "at most " + at_most(8.00369, 2)
'at most 8.01'
"""

import decimal
from fractions import Fraction
from math import isfinite
from typing import Any

from dp_lib.domain import DomainError

# Every number to its last bit
_WIDE = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def at_most(x: Any, digits: int, form: str = "f") -> str:
    """Return the least decimal with so many digits that is no less than x: for "at most", "no more than".

    Parameters
    ----------
    x : one finite number, a double or an integer; taken as exact, to its last bit
    digits : how many, after the point
    form : "f" as in `.2f`, "e" as in `.2e`, or "power" as in 1.04·10⁻⁵

    >>> at_most(8.00369, 2), at_most(0.5, 1), at_most(-0.001, 2), at_most(1.0346e-5, 2, "e")
    ('8.01', '0.5', '0.00', '1.04e-05')
    """
    return _decimal(x, digits, form, decimal.ROUND_CEILING)


def at_least(x: Any, digits: int, form: str = "f") -> str:
    """Return the greatest decimal with so many digits that is no more than x: for "at least", "no less than".

    Parameters
    ----------
    x : one finite number, a double or an integer; taken as exact, to its last bit
    digits : how many, after the point
    form : "f" as in `.2f`, "e" as in `.2e`, or "power" as in 1.04·10⁻⁵

    >>> at_least(9.99096, 1), at_least(9.99096, 2), at_least(-0.001, 2), at_least(9.999e-5, 1, "e")
    ('9.9', '9.99', '-0.01', '9.9e-05')
    """
    return _decimal(x, digits, form, decimal.ROUND_FLOOR)


def about(x: Any, digits: int, form: str = "f") -> str:
    """Return the nearest decimal with so many digits, the even one of two, which bounds nothing.

    Parameters
    ----------
    x : one finite number, a double or an integer; taken as exact, to its last bit
    digits : how many, after the point
    form : "f" as in `.2f`, "e" as in `.2e`, or "power" as in 1.04·10⁻⁵

    >>> about(8.00369, 2), about(0.125, 2), about(9.999e-5, 1, "e"), about(9.999e-5, 1, "power")
    ('8.00', '0.12', '1.0e-04', '1.0·10⁻⁴')
    """
    return _decimal(x, digits, form, decimal.ROUND_HALF_EVEN)


def exact(x: Any, digits: int) -> str:
    """Return the decimal with so many digits that x is, for a bound or a needed amount that no rounding changes.

    Parameters
    ----------
    x : one finite number, no further from the decimal than the last bits of a calculation, 10⁻¹² of its size
    digits : how many, after the point

    Raises
    ------
    DomainError : x or digits are none of these; a number that has to be rounded takes `at_most` or `at_least`

    >>> exact(100 / 0.5, 0), exact(30 * 0.1, 1)
    ('200', '3.0')
    """
    written = _decimal(x, digits, "f", decimal.ROUND_HALF_EVEN)
    value = Fraction(_exact(x))
    if abs(value - Fraction(written)) * 10**12 > abs(value):
        raise DomainError(f"x must be a decimal with {digits} digits after the point, got {x!r}")
    return written


def _decimal(x: Any, digits: int, form: str, rounding: str) -> str:
    if form not in ("f", "e", "power"):
        raise DomainError(f'form must be "f", "e" or "power", got {form!r}')
    if not isinstance(digits, int) or isinstance(digits, bool) or digits < 0:
        raise DomainError(f"digits must be a whole number >= 0, got {digits!r}")
    exact = _exact(x)
    with decimal.localcontext(_WIDE, rounding=rounding):
        kind = "f" if form == "f" else "e"
        written = f"{exact:z.{digits}{kind}}" if exact or form == "f" else f"{0:.{digits}e}"
    mantissa, _, exponent = written.partition("e")
    if form == "power":
        return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}"
    return f"{mantissa}e{int(exponent):+03d}" if exponent else written  # the exponent as Python writes a float's


def _exact(x: Any) -> decimal.Decimal:
    """Return the very value of a number: of a double, of a NumPy scalar, of an integer."""
    try:
        finite = isfinite(x)
        return decimal.Decimal(x if isinstance(x, int) else float(x)) if finite else _refuse(x)
    except TypeError:
        return _refuse(x)


def _refuse(x: Any) -> Any:
    raise DomainError(f"x must be one finite number, got {x!r}") from None
