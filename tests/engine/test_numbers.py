"""How a number is written: by Python, and by the page in the same words."""

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
from in_node import Node

from livefigures.declare import numbers
from livefigures.page import bundle

SCRIPT = Path(bundle.__file__).parent / "core" / "numbers.js"
SPECIAL = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.57013, "0.5701"),
        (3.84647, "3.846"),
        (1234.5, "1235"),
        (0.0, "0"),
        (-0.0, "0"),
        (2.5e-5, "2.500 × 10⁻⁵"),
        (-0.5, "−0.5000"),
        (-7.1e8, "−7.100 × 10⁸"),
        (7.1e8, "7.100 × 10⁸"),
        (np.inf, "∞"),
        (-np.inf, "—"),
        (np.nan, "—"),
    ],
)
def test_readings_have_four_digits(value, text):
    assert numbers.shown(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(18.8933, "18.90"), (4.22, "4.220"), (9.9991, "10.000"), (9.9991e8, "1.000 × 10⁹"), (1.00001e-7, "1.001 × 10⁻⁷")],
)
def test_noise_that_is_needed_is_never_shown_too_small(value, text):
    assert numbers.shown(value, up=True) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.1319, "1.131"), (0.71819, "0.7181"), (9.99999e-6, "9.999 × 10⁻⁶"), (0.99996, "0.9999"), (0.5, "0.5000")],
)
def test_lower_bound_is_never_shown_too_large(value, text):
    assert numbers.shown(value, down=True) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(200.0, "200"), (0.1 + 0.2, "0.3"), (1e-5, "1e-5"), (2.5e-300, "2.5e-300"), (1e7, "1e7"), (-0.0, "0")],
)
def test_a_typed_value_has_no_dust_and_no_padding(value, text):
    assert numbers.typed(value) == text


@pytest.mark.parametrize("value", [0.1, 1e-300, 123456789.123, -2.5])
def test_a_typed_value_is_read_back(value):
    assert float(numbers.typed(value)) == pytest.approx(value, rel=1e-12)
    assert float(numbers.full(value)) == value


ROUNDED = [(False, False), (True, False), (False, True)]  # to the nearest, up, down


def samples():
    """Numbers of every size, those next to the powers of ten and of two, halves, and what is typed by hand.

    A little above a power of ten, a lower bound has larger digits than a number a little below it.
    """
    draw = random.Random(1)
    sizes = [draw.choice([1, -1]) * 10 ** draw.uniform(-12, 12) for _ in range(3000)]
    sizes += [draw.choice([1, -1]) * 10 ** draw.uniform(-300, 300) for _ in range(500)]
    powers = [float(f"1e{exponent}") for exponent in range(-12, 13)]
    corners = [float(np.nextafter(power, side)) for power in powers for side in (0, np.inf)]
    halves = [digits / 2**places for digits in range(1, 400) for places in (1, 3, 11, 20)]
    short = [float(f"{draw.uniform(1, 10):.{draw.randrange(5)}f}e{draw.randrange(-9, 10)}") for _ in range(1000)]
    above = [
        float(f"1.{'0' * zeros}5{digit}e{power}") for zeros in range(4) for digit in (1, 5, 9) for power in (-9, 8)
    ]
    return sizes + powers + corners + halves + short + above


@pytest.fixture(scope="module")
def node():
    return Node(SCRIPT.with_name("arithmetic.js"), SCRIPT)


def test_python_and_the_page_write_every_number_alike(node):
    values = samples()
    ways = "[...[0, true, -1].map((way) => live.numbers.shown(v, way)), live.numbers.typed(v)]"
    written = node.evaluate(f"values => values.map((v) => {ways})", values)
    differ = [
        (value, *pair)
        for value, pair in zip(values, written, strict=True)
        if pair != [*(numbers.shown(value, up, down) for up, down in ROUNDED), numbers.typed(value)]
    ]
    assert differ == []
    special = "texts => texts.map((text) => live.numbers.shown(Number(text)))"
    assert node.evaluate(special, [numbers.full(value) for value in SPECIAL]) == [numbers.shown(v) for v in SPECIAL]


FORMATS = ["$ {:,.2f}", "{:.1%}", "{:.3g} m", "{:,.0f} people", "{:,.6g}"]


def test_python_and_the_page_write_every_number_alike_in_a_format(node):
    values = [*samples()[::5], -0.001, -1e-17, 0.0, 1234567.5]
    tried = [(value, way, form) for form in FORMATS for value in values for way in (0, 1, -1)]
    found = node.evaluate("tried => tried.map((one) => live.numbers.shown(...one))", tried)
    expected = [numbers.shown(value, way > 0, way < 0, form) for value, way, form in tried]
    assert [pair for pair in zip(tried, found, expected, strict=True) if pair[1] != pair[2]][:3] == []


@pytest.mark.parametrize(("value", "form", "text"), [(0.3125, "{:.3g}", "0.313"), (-322.5, "{:.3g}", "−323")])
def test_half_way_between_two_numbers_is_rounded_away_from_zero_unlike_an_f_string(node, value, form, text):
    assert node.evaluate("([value, form]) => live.numbers.shown(value, 0, form)", [value, form]) == text
    assert numbers.shown(value, written=form) == text
    assert form.format(value) != text.replace("−", "-")


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (1250, "$ {:,.2f}", "$ 1,250.00"),
        (1250.4, "{:,.0f}", "1,250"),
        (12.345, "{:.1f} %", "12.3 %"),
        (0.12345, "{:.1%}", "12.3%"),
        (0.57013, "{:.3g}", "0.570"),
        (-0.001, "{:,.2f}", "0.00"),
        (np.nan, "$ {:,.2f}", "—"),
    ],
)
def test_number_is_written_in_its_format(value, form, text):
    assert numbers.shown(value, written=form) == text


EXPONENTS = [(value, base) for base in (2, 10, 0.1) for value in (-12, -9, -5, -3, -2, -1, 0, 1, 2, 4, 5, 8, 9)]
HALVES = [(value, 10) for value in (-1.5, -0.5, 0.5, 2.5)]
PLAIN = [(value, 0) for value in (-9.975, -0.5, -1e-5, 0.0, 20.0)]


def test_page_and_python_write_powers_alike(node):
    tried = EXPONENTS + HALVES + PLAIN
    found = node.evaluate("(tried) => tried.map(([value, base]) => live.numbers.said(value, base))", tried)
    assert found == [numbers.said(value, base) for value, base in tried]
    back = node.evaluate(
        """(tried) => tried.map(([value, base]) =>
            live.numbers.held(live.numbers.understood(live.numbers.said(value, base)), base))""",
        EXPONENTS + PLAIN,
    )
    assert back == [value for value, _ in EXPONENTS + PLAIN]


def test_upper_bound_of_a_share_is_no_less():
    shares = [*np.random.default_rng(1).random(2000), *np.arange(1001) / 1000]
    for share in map(float, shares):
        near, up = (float(numbers.percent(share, way).removesuffix("\u00a0%") + "e-2") for way in (False, True))
        assert share <= up < share + 0.001 and abs(near - share) <= 0.00051
    assert numbers.percent(math.e / (1 + math.e), up=True) == "73.2\u00a0%"


def test_nothing_else_on_the_page_writes_a_number():
    """All rounding to digits is in numbers.js; a slider's own steps are arithmetic."""
    others = [path for path in SCRIPT.parent.parent.glob("*/*.js") if path != SCRIPT]
    found = {path.name for path in others if re.search(r"toExponential|⁰", path.read_text("utf-8"))}
    assert found == set()
