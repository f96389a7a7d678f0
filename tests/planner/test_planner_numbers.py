"""Numbers as people type them into the release planner: each is taken as meant with an echo, asked about, or refused.

The texts are made from exact numbers, so each text's meaning is known before the page reads it. Where a text has a
second meaning, since a comma or a point separates groups in one half of the world and decimals in the other, that one
is known as well. Nothing here shares code with the page.
"""

import itertools
from fractions import Fraction
from typing import NamedTuple

import planner
import pytest

from livefigures.declare import numbers

SPACES = [" ", "\u00a0", "\u2009", "\u202f"]
SEPARATORS = [",", ".", "'", "’", "_", *SPACES]
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# The zero of each script whose digits are tried.
ZEROS = {
    "Arabic-Indic": "٠",
    "Persian": "۰",
    "Devanagari": "०",
    "Bengali": "০",
    "Tamil": "௦",
    "Thai": "๐",
    "Tibetan": "༠",
    "Khmer": "០",
    "fullwidth": "０",
    "double-struck": "𝟘",
}


class Typed(NamedTuple):
    """A text in a field, what its author meant, and what else it can mean."""

    field: str
    text: str
    meant: Fraction
    other: Fraction | None = None


def other_of_groups(number, separator):
    """What a grouped whole number means to a reader for whom its separator is the decimal sign."""
    return Fraction(number, 1000) if separator in ",." and 1000 <= number < 1_000_000 else None


def grouped_whole_numbers():
    wholes = [1000, 1234, 2000, 18_900, 20_000, 60_000, 123_456, 1_234_567, 12_000_000, 987_654_321]
    for number, separator, field in itertools.product(wholes, SEPARATORS, ["k", "high"]):
        text = f"{number:,}".replace(",", separator)
        yield Typed(field, text, Fraction(number), other_of_groups(number, separator))
    yield Typed("k", "12,34,567", Fraction(1_234_567))  # groups as in India
    yield Typed("k", "1,00,000", Fraction(100_000))


DECIMALS = "18.9 0.001 1.234 12.5 0.5 123.456 1234.567 7.25 .5 0.1234 5.000 00.250 20."


def decimals():
    for text, sign in itertools.product(DECIMALS.split(), ".,"):
        whole, _, part = text.partition(".")
        is_ambiguous = len(part) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
        value = Fraction(text)
        yield Typed("high", text.replace(".", sign), value, 1000 * value if is_ambiguous else None)


def grouped_decimals():
    signs = [(",", "."), (".", ","), (" ", ","), (" ", "."), ("\u202f", ","), ("'", "."), ("_", ".")]
    for text, (group, point) in itertools.product(["1,234.5", "1,234,567.89", "12,345.678"], signs):
        typed = text.replace(",", "G").replace(".", point).replace("G", group)
        yield Typed("high", typed, Fraction(text.replace(",", "")))
    yield Typed("delta", "0.000 001", Fraction(1, 10**6))


def quotients():
    for number, separator in itertools.product([1000, 1234, 60_000, 250_000, 1_000_000, 25_000_000], SEPARATORS):
        other = other_of_groups(number, separator)
        text = f"1/{number:,}".replace(",", separator)
        yield Typed("delta", text, Fraction(1, number), None if other is None else 1 / other)
    for slash in ["/", " / ", "÷", "⁄", "／"]:
        yield Typed("delta", f"3{slash}4000", Fraction(3, 4000))


def powers():
    for base, exponent in itertools.product([2, 10], range(-12, 0)):
        raised = str(exponent).translate(RAISED)
        minus = str(exponent).replace("-", "−")
        for text in [
            f"{base}^{exponent}",
            f"{base}**{exponent}",
            f"{base}{raised}",
            f"{base}^({exponent})",
            f"{base}^{minus}",
        ]:
            yield Typed("delta", text, Fraction(base) ** exponent)


def scientific():
    for text in ["1e-6", "1E-6", "1e−6", "1 e-6", "2.5e-7", "10e-6"]:
        yield Typed("delta", text, Fraction(text.replace(" ", "").replace("−", "-")))
    yield Typed("delta", "2,5e-7", Fraction("2.5e-7"))
    yield Typed("k", "6e4", Fraction(60_000))
    yield Typed("delta", "1.665e-10", Fraction("1.665e-10"))  # no groups stand before an exponent
    yield Typed("delta", "1,665e-10", Fraction("1.665e-10"))
    for cross in ["*", "·", "×", " x ", "⋅"]:
        for power in ["10^-7", "10⁻⁷", "10**-7"]:
            yield Typed("delta", f"5{cross}{power}", Fraction(5, 10**7))


def shares():
    for text, sign in itertools.product(["0.01", "1", "2.5", "12.5"], ".,"):
        for mark, size in [("%", 100), (" %", 100), ("\u00a0%", 100), ("٪", 100), ("‰", 1000), (" ‰", 1000)]:
            yield Typed("delta", text.replace(".", sign) + mark, Fraction(text) / size)
    yield Typed("prior", "50 %", Fraction(50))
    yield Typed("prior", "12,5", Fraction("12.5"))
    yield Typed("prior", "5‰", Fraction(1, 2))


def other_digits():
    for zero in ZEROS.values():
        digits = str.maketrans({str(i): chr(ord(zero) + i) for i in range(10)})
        for text, value in [("20", 20), ("1907", 1907), ("1 234", 1234), ("1'234'567", 1_234_567)]:
            yield Typed("k", text.translate(digits), Fraction(value))
        yield Typed("delta", "1e-6".translate(digits), Fraction(1, 10**6))
        yield Typed("k", "1,000".translate(digits), Fraction(1000), Fraction(1))
    yield Typed("k", "١٬٠٠٠", Fraction(1000))  # the Arabic group sign
    yield Typed("high", "١٫٠٠٠", Fraction(1))  # and the Arabic decimal sign


def signs():
    for minus in "-−–－":
        yield Typed("low", f"{minus}5", Fraction(-5))
        yield Typed("low", f"{minus} 1,5", Fraction(-3, 2))
    yield Typed("k", "+20", Fraction(20))
    yield Typed("k", "\ufeff20\u200b", Fraction(20))
    yield Typed("k", "007", Fraction(7))


MAKERS = [grouped_whole_numbers, decimals, grouped_decimals, quotients, powers, scientific, shares, other_digits, signs]
CASES = [case for make in MAKERS for case in make()]
ALLOWED = {
    "k": lambda x: x.denominator == 1 and 1 <= x <= 10**9,
    "high": lambda x: abs(x) <= 10**12,
    "low": lambda x: abs(x) <= 10**12,
    "delta": lambda x: 0 < x < 1,
    "prior": lambda x: 0 < x < 100,
}
AROUND = {
    "k": {"door": "release"},
    "high": {"door": "release", "what": "sums"},
    "low": {"door": "release", "what": "sums"},
    "delta": {"door": "release"},
    "prior": {"door": "claim"},
}
NO_NUMBERS = (
    "| |abc|ten|1k|5 million|1/2/3|5/0|1,2,3|1 5|12 34|1_00|10-6|--5|+-5|1e|e-6|1e400|1e-400|1e6.5|2^3^2|"
    "0x10|½|1½|∞|Infinity|NaN|十|Ⅻ|1, 2|1.000.|1,,000|1.2.3|1,0000,000|1234,567,890|.|,|%|5%%|5 per cent|"
    "<1e-6|~1|1:1000|1;000|(5)|2**|٪٥|$5"
)
REFUSED = NO_NUMBERS.split("|")


def is_close(number, exact):
    return abs(Fraction(number) - exact) <= exact.__abs__() / 10**14


def entered(cases):
    return planner.entered(*(AROUND[field] | {field: text} for field, text, *_ in cases))


def test_there_are_at_least_300_typed_forms():
    assert len({case[:2] for case in CASES}) + len(REFUSED) >= 300


def test_a_text_with_one_meaning_is_taken_and_with_two_is_asked_about():
    for case, result in zip(CASES, entered(CASES), strict=True):
        meanings = [one for one in (case.meant, case.other) if one is not None and ALLOWED[case.field](one)]
        assert case.meant in meanings, case
        if len(meanings) == 1:
            assert result["asks"] == {} and case.field not in result["problems"], (case, result["problems"])
            assert is_close(result["values"][case.field], case.meant), case
            continue
        choices = sorted(choice["value"] for choice in result["asks"][case.field]["choices"])
        assert len(choices) == 2 and all(map(is_close, choices, sorted(meanings))), case
        assert not result["whole"] and result["found"] is None and case.field not in result["values"], case


def test_an_echo_stands_wherever_the_text_is_not_what_the_page_would_write():
    for case, result in zip(CASES, entered(CASES), strict=True):
        if case.field not in result["values"]:
            continue
        value = result["values"][case.field]
        echo = result["echoes"].get(case.field, "")
        assert (echo == "") == (case.text == numbers.typed(value)), case
        if echo:
            assert float(echo.removeprefix("read as ").removeprefix("about ").removesuffix(" %")) == pytest.approx(
                value, 1e-5
            )


def test_a_chosen_reading_is_taken_without_another_question():
    asked = [(case, result) for case, result in zip(CASES, entered(CASES), strict=True) if result["asks"]]
    assert len(asked) > 40
    again, wanted = [], []
    for case, result in asked:
        for choice in result["asks"][case.field]["choices"]:
            settled = {case.field: {"text": choice["plain"], "value": choice["value"]}}
            again.append(AROUND[case.field] | {case.field: choice["plain"], "settled": settled})
            wanted.append((case.field, choice["value"]))
    for (field, value), result in zip(wanted, planner.entered(*again), strict=True):
        assert result["values"][field] == value and result["asks"] == {}


@pytest.mark.parametrize("field", ["k", "high", "delta"])
def test_what_is_no_number_is_refused_and_quoted(field):
    for text, result in zip(REFUSED, entered([(field, text) for text in REFUSED]), strict=True):
        problem = result["problems"][field]
        assert "must be" in problem and f"“{text.strip()}”" in problem, text
        assert not result["whole"] and result["asks"] == {}, text


def test_a_refusal_says_how_the_text_was_read():
    (result,) = entered([("k", "18,9")])
    assert result["problems"]["k"].endswith("got “18,9”, read as 18.9")


def test_a_division_after_which_a_product_stands_is_asked_about():
    (result,) = entered([("high", "1/2*10^6")])
    assert sorted(choice["value"] for choice in result["asks"]["high"]["choices"]) == [5e-7, 500_000]
    (result,) = entered([("delta", "1/(2*10^6)")])
    assert result["values"]["delta"] == 5e-7


def test_a_dot_in_the_middle_of_the_line_is_a_product_or_a_decimal_sign():
    (result,) = entered([("high", "1·5")])
    assert sorted(choice["value"] for choice in result["asks"]["high"]["choices"]) == [1.5, 5]


@pytest.mark.parametrize("field", ["sigma", "high"])
def test_the_page_s_own_form_is_taken_only_where_the_smaller_number_claims_less(field):
    what = {"sigma": "counts", "high": "sums"}[field]
    (result,) = planner.entered({"door": "release", "what": what, field: "9.975"})
    assert (result["values"].get(field) == 9.975) == (field == "sigma")
    assert (field in result["asks"]) == (field != "sigma")


@pytest.mark.parametrize("text", ["1.000", "1,000", "2.500"])
def test_no_epsilon_of_a_thousand_is_offered(text):
    (result,) = planner.entered({"door": "target", "epsilon": text})
    assert result["values"]["epsilon"] == float(text.replace(",", "."))
    assert result["echoes"]["epsilon"].startswith("read as")


def test_a_refused_delta_is_outside_the_range_that_is_named():
    (result,) = entered([("delta", "1e-310")])
    assert "must be a number below 1 and at least 1e-300" in result["problems"]["delta"]


@pytest.mark.parametrize("text", ["", "none", "0", "0.0", "0,0", "0 %", "0.000 %", "٠"])
def test_a_claim_without_a_delta_is_understood(text):
    (result,) = planner.entered({"door": "claim", "delta": text})
    assert result["values"]["delta"] == 0 and result["whole"]


@pytest.mark.parametrize("text", ["1e-400", "0x", "-"])
def test_what_is_not_nothing_is_not_taken_for_no_delta(text):
    (result,) = planner.entered({"door": "claim", "delta": text})
    assert "delta" in result["problems"]


def test_a_quotient_in_a_field_of_per_cent_is_asked_about():
    (result,) = entered([("prior", "1/2")])
    choices = result["asks"]["prior"]["choices"]
    assert [(choice["plain"], choice["value"]) for choice in choices] == [("50 %", 50), ("0.5 %", 0.5)]
    (result,) = entered([("prior", "100/3")])
    assert result["values"]["prior"] == pytest.approx(100 / 3) and result["asks"] == {}
