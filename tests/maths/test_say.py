"""Numbers for sentences: against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import say

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e18, max_value=1e18)
DIGITS = st.integers(0, 12)


@given(FINITE, DIGITS, st.sampled_from("fe"))
def test_a_bound_is_on_its_side_and_no_further_than_a_last_place(x, digits, form):
    low, high = (Fraction(write(x, digits, form)) for write in (say.at_least, say.at_most))
    assert low <= Fraction(x) <= high
    place = Fraction(10) ** -digits if form == "f" else Fraction(10) ** (1 - digits) * abs(Fraction(x))
    assert high - low <= place
    assert Fraction(say.about(x, digits, form)) in (low, high)


@given(FINITE, DIGITS, st.sampled_from("fe"))
def test_about_is_python_s_own_format(x, digits, form):
    assert say.about(x, digits, form) == f"{x:z.{digits}{form}}"


@given(FINITE, DIGITS)
def test_a_power_of_ten_is_the_form_e_with_a_raised_exponent(x, digits):
    for write in (say.at_most, say.at_least, say.about):
        mantissa, _, raised = write(x, digits, "power").partition("·10")
        exponent = raised.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        assert f"{mantissa}e{int(exponent):+03d}" == write(x, digits, "e")


@pytest.mark.parametrize("x", [3, np.int64(3), np.float64(3), np.float32(3), np.array(3.0)])
def test_every_number_is_taken(x):
    assert [write(x, 1) for write in (say.at_most, say.at_least, say.about)] == ["3.0"] * 3


def test_a_whole_number_loses_no_bit():
    assert say.at_most(10**30 + 1, 0) == "1" + 29 * "0" + "1"


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


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_exact_writes_a_decimal_and_what_a_calculation_leaves_of_it(units, digits):
    x = units / 10**digits
    assert Fraction(say.exact(x, digits)) == Fraction(units, 10**digits)
    assert x == 0 or say.exact(np.nextafter(x, np.inf), digits) == say.exact(x, digits)


@pytest.mark.parametrize(("x", "digits"), [(2.1727, 2), (79.841, 0), (1e-9, 3), (0.1 + 1e-11, 1)])
def test_exact_refuses_what_has_to_be_rounded(x, digits):
    with pytest.raises(ValueError, match=f"x must be a decimal with {digits} digits after the point, got "):
        say.exact(x, digits)
