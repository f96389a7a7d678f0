"""Numbers for sentences: against Decimal's own directed rounding, and the chapters' bounds take them."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import say

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e18, max_value=1e18)
DIGITS = st.integers(0, 12)
ROUNDINGS = [(say.at_most, ROUND_CEILING), (say.at_least, ROUND_FLOOR), (say.about, ROUND_HALF_EVEN)]


@pytest.mark.parametrize(("write", "rounding"), ROUNDINGS)
@given(FINITE, DIGITS)
def test_digits_after_the_point_are_those_of_decimal(write, rounding, x, digits):
    wide = Context(prec=2000, rounding=rounding)
    expected = Decimal(x).quantize(Decimal(1).scaleb(-digits, wide), context=wide)
    assert write(x, digits) == f"{abs(expected) if expected == 0 else expected:f}"


@pytest.mark.parametrize(("write", "rounding"), ROUNDINGS)
@given(FINITE.filter(bool), DIGITS)
def test_digits_of_a_mantissa_are_those_of_decimal(write, rounding, x, digits):
    rounded = Context(prec=digits + 1, rounding=rounding).create_decimal(Decimal(x))
    assert Decimal(write(x, digits, "e")) == rounded
    point = rf"\.\d{{{digits}}}" if digits else ""
    assert re.fullmatch(rf"-?[1-9]{point}e[+-]\d\d+", write(x, digits, "e"))


@given(FINITE, DIGITS, st.sampled_from("fe"))
def test_a_bound_is_on_its_side_and_no_further_than_a_last_place(x, digits, form):
    low, high = (Fraction(write(x, digits, form)) for write in (say.at_least, say.at_most))
    assert low <= Fraction(x) <= high
    place = Fraction(10) ** -digits if form == "f" else Fraction(10) ** (1 - digits) * abs(Fraction(x))
    assert high - low <= place
    assert Fraction(say.about(x, digits, form)) in (low, high)


@given(FINITE, DIGITS, st.sampled_from("fe"))
def test_about_is_python_s_own_format(x, digits, form):
    assert Fraction(say.about(x, digits, form)) == Fraction(f"{x:.{digits}{form}}")


@pytest.mark.parametrize("x", [3, np.int64(3), np.float64(3), np.float32(3), Fraction(3), np.array(3.0)])
def test_every_number_is_taken(x):
    assert [write(x, 1) for write in (say.at_most, say.at_least, say.about)] == ["3.0"] * 3


def test_a_whole_number_and_a_fraction_lose_no_bit():
    assert say.at_most(10**30 + 1, 0) == "1" + 29 * "0" + "1"
    assert (say.at_least(Fraction(1, 3), 3), say.at_most(Fraction(1, 3), 3)) == ("0.333", "0.334")


@pytest.mark.parametrize("x", [float("nan"), float("inf"), "3", None, [1.0, 2.0], np.array([1.0, 2.0]), 1j])
def test_no_number_is_refused(x):
    with pytest.raises(ValueError, match="x must be one finite number, got "):
        say.at_most(x, 2)


@pytest.mark.parametrize(
    ("digits", "form", "said"),
    [
        (-1, "f", "digits must be"),
        (1.5, "f", "digits must be"),
        (True, "f", "digits must be"),
        (2, "g", "form must be"),
    ],
)
def test_a_form_that_is_none_is_refused(digits, form, said):
    with pytest.raises(ValueError, match=said):
        say.about(1.0, digits, form)


# -- the chapters' bounds

CHAPTERS = sorted(Path(__file__).parent.parent.glob("chapters/*.md"))
BOUNDS = {
    r"at (the )?most|no(t| )more than|never more than|no greater than": ("at_most",),
    r"at (the )?least|no(t| )less than|never less than|no fewer than": ("at_least",),
    r"up to": ("at_most", "at_least"),  # of what is bounded, or of the bound
}
FROM_ON = r"(?i)\bfrom (?P<between>[^{}.]{0,12})\{eval\}`(?P<code>[^`]*)`[^.{}]{0,25}? on\b"


def bounds(text):
    """(where, what stands there, the helpers that may write the number) for each bound before a computed number."""
    for words, helpers in BOUNDS.items():
        for found in re.finditer(
            rf"(?i)\b({words})\s+(?P<between>[^{{}}.\n]{{0,15}})\{{eval\}}`(?P<code>[^`]*)`", text
        ):
            yield found, helpers
    for found in re.finditer(FROM_ON, text):
        yield found, ("at_most", "at_least")


def unwritten(text):
    """The bounds whose number is rounded to the nearest, or to another side."""
    return {
        " ".join(found[0].split())
        for found, helpers in bounds(text)
        if not re.match(rf"(say\.)?({'|'.join(helpers)})\(", found["code"])
    }


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_bound_in_prose_is_rounded_outwards(path):
    assert unwritten(path.read_text("utf-8")) == set(), "write the number with say.at_most or say.at_least"


@pytest.mark.parametrize(
    "text",
    [
        '{eval}`f"{8.00369:.2f}"`',
        "{eval}`say.at_least(8.00369, 2)`",
        '$k =$ {eval}`f"{1:.0f}"`',
    ],
)
def test_a_bound_to_the_nearest_or_the_wrong_side_is_found(text):
    assert len(unwritten(f"It is at most {text}.")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "at most {eval}`say.at_most(8.00369, 2)`",
        "At least\n  {eval}`at_least(8.00369, 2)` per cent",
        "From {eval}`say.at_most(3.2, 0)` steps on",
        "about {eval}`say.about(8.00369, 2)`",
        "at most as much. It is {eval}`f(1)`",
    ],
)
def test_a_bound_that_is_written_outwards_passes(text):
    assert unwritten(text) == set()


def test_from_on_is_a_bound():
    assert unwritten("From $k =$ {eval}`f(1)` steps on it wins.") == {"From $k =$ {eval}`f(1)` steps on"}
