"""Checks of chapters/labs/read_a_claim.md."""

import bisect
import math
from fractions import Fraction

import mpmath
import numpy as np
import planner
import pytest
from figures import run

from claims import answers, at_rest, claim
from livefigures.declare.numbers import shown

SCALE = Fraction(339, 542)  # source/configs/production/pl94/person_default.ini of the Census Bureau's program


def tight(rho, delta):
    """The tight conversion of Canonne, Kamath & Steinke 2020, over a fine grid of orders."""
    order = 1 + np.geomspace(1e-3, 1e5, 400_000)
    return float(np.min(rho * order + np.log1p(-1 / order) - np.log(delta * order) / (order - 1)))


def classic(rho, delta):
    """The classic conversion, over a fine grid of orders."""
    order = 1 + np.geomspace(1e-3, 1e5, 400_000)
    return float(np.min(rho * order - np.log(delta) / (order - 1)))


def rounded_up(printed, value):
    step = 10.0 ** -len(printed.partition(".")[2])
    return value - 1e-9 <= float(printed) < value + step + 1e-6


@claim("labs/read_a_claim.md", "rho-of-the-census")
def test_rho_of_the_census(passage):
    rho = 1 / SCALE**2
    assert Fraction(passage.printed[0]) >= rho > Fraction(passage.printed[0]) - Fraction(1, 10_000)


@claim("labs/read_a_claim.md", "epsilon-of-the-census", numbers=[17.14])
def test_epsilon_of_the_census(passage):
    rho = float(1 / SCALE**2)
    computed, other, up = passage.printed
    assert rounded_up(computed, tight(rho, 1e-10))
    assert round(tight(rho, 1e-10), 2) == 17.14
    assert rounded_up(up, tight(rho, 1e-10))
    assert rounded_up(other, classic(rho, 1e-10))


@claim("labs/read_a_claim.md", "delta-of-the-census", numbers=[3, 1e-9, 1e-10])
def test_delta_of_the_census(passage):
    people = 331_449_281
    assert round(1e9 / people, 1) == 3
    factor, product = map(float, passage.printed)
    assert factor == round(1 / (1e-10 * people)) < 100
    assert product == pytest.approx(1e-10 * people, abs=6e-4)
    assert 0.01 < product < 1
    assert passage.names["too_large"](1e-10, people)


@claim("labs/read_a_claim.md", "add-up-first", numbers=[0.01, 0.3, 30])
def test_add_up_first(passage):
    month, day, days = passage.printed
    assert rounded_up(month, tight(0.3, 1e-10))
    assert rounded_up(day, tight(0.01, 1e-10))
    assert rounded_up(days, 30 * tight(0.01, 1e-10))
    assert float(days) - 0.01 < 30 * float(day) <= float(days)  # as a reader multiplies


@claim("labs/read_a_claim.md", "laptop-after-a-month", numbers=[1])
def test_laptop_after_a_month(passage):
    assert passage.printed == [str(sum([16] * 30))]


@claim("labs/read_a_claim.md", "devices-on-a-day", numbers=[31, 600, 19, 600])
def test_devices_on_a_day(passage):
    average, most = (float(each.replace(",", "")) for each in passage.printed)
    assert average == pytest.approx(600 / 31, abs=0.5)
    assert not passage.names["too_large"](1e-7, most)
    assert passage.names["too_large"](1e-7, most + 1)
    assert passage.names["PEOPLE"]["wikimedia"] == (19e6, 600e6)
    assess, right = passage.names["assessed"], passage.names["CLAIMS"]["wikimedia"]
    for people in np.linspace(600e6 / 31, 600e6, 30):
        assert "is above 0.01. A mechanism" in assess("wikimedia", right | {"people": people})
        assert 1e-7 * people > 1


@claim("labs/read_a_claim.md", "wikimedia-by-the-classic-conversion")
def test_wikimedia_by_the_classic_conversion(passage):
    assert rounded_up(passage.printed[0], classic(0.015, 1e-7))
    assert round(classic(0.015, 1e-7), 2) == 1
    assert round(tight(0.015, 1e-7), 1) < 1


@claim("labs/read_a_claim.md", "one-day-of-page-views", numbers=[1e-10, 4])
def test_one_day_of_page_views(passage):
    stated, replaced = passage.printed
    assert rounded_up(stated, tight(0.015, 1e-10))
    assert rounded_up(replaced, tight(4 * 0.015, 1e-10))


@claim("labs/read_a_claim.md", "noise-against-budget", numbers=[10, 0.015])
def test_noise_against_budget(passage):
    with mpmath.workdps(30):
        # D_α of two Gaussians whose means are √10 apart is α·10/2σ², here at α = 2 by its integral
        density = mpmath.npdf
        moment = mpmath.quad(
            lambda x: density(x, mpmath.sqrt(10), 10) ** 2 / density(x, 0, 10), mpmath.linspace(-150, 150, 61)
        )
    assert float(passage.printed[0]) == pytest.approx(float(mpmath.log(moment)) / 2, rel=1e-6)
    sigma = float(passage.printed[1])
    assert 10 / (2 * sigma**2) <= 0.015 < 10 / (2 * (sigma - 0.1) ** 2)


@claim("labs/read_a_claim.md", "order-of-the-claims")
def test_order_of_the_claims(passage):
    common = passage.names["common"]
    for days in (1, 30, 365):
        assert common("census", days) == pytest.approx(tight(float(1 / SCALE**2), 1e-10), rel=1e-6)
        assert common("apple", days) == 16 * days
        assert common("wikimedia", days) == pytest.approx(tight(4 * 0.015 * days, 1e-10), rel=1e-6)
    assert 5 * common("wikimedia", 1) < min(common("census", 1), common("apple", 1))
    assert common("wikimedia", 42) < common("census", 1) < common("wikimedia", 43)


@answers(
    "labs/read_a_claim.md",
    "day-on-which-page-views-pass-the-census",
    numbers=[2.5563, 0.015],
    choices=[[8], [43], [86], [171]],
)
def test_question_day_on_which_page_views_pass_the_census(question):
    census = tight(2.5563, 1e-10)

    def first_day(epsilon):
        return 1 + bisect.bisect_right(range(1, 1000), census, key=epsilon)  # it rises from day to day

    assert first_day(lambda day: day * tight(0.06, 1e-10)) == 8
    assert first_day(lambda day: tight(0.03 * day, 1e-10)) == 86
    assert first_day(lambda day: tight(0.015 * day, 1e-10)) == 171
    right = first_day(lambda day: tight(0.06 * day, 1e-10))
    assert question.right == [day == right for day in (8, 43, 86, 171)]
    printed, ratio = question.printed
    assert (int(printed), float(ratio)) == (right, pytest.approx(2.5563 / 0.06, abs=0.06))


@claim("labs/read_a_claim.md", "factors-of-the-claims")
def test_factors_of_the_claims(passage):
    day, reports, month, census, digits = passage.printed
    assert rounded_up(day, math.exp(tight(0.06, 1e-10)))
    assert rounded_up(month, math.exp(tight(1.8, 1e-10)) / 1e6)
    assert rounded_up(census, math.exp(tight(float(1 / SCALE**2), 1e-10)) / 1e6)
    assert rounded_up(reports, math.exp(16) / 1e6)
    with mpmath.workdps(300):
        assert int(digits) == len(str(int(mpmath.exp(480))))
    days = int(passage.names["crossing"])
    assert tight(0.06 * (days - 1), 1e-10) < tight(float(1 / SCALE**2), 1e-10) < tight(0.06 * days, 1e-10)
    assert 10_000 * float(day) < 1e6 < 1e6 * min(map(float, (month, census, reports)))


@claim("labs/read_a_claim.md", "page-views-cross-the-census", numbers=[512])
@claim("labs/read_a_claim.md", "lab-claims-over-days.caption")
@claim("labs/read_a_claim.md", "lab-claims-over-days.alt")
def test_curves_of_the_claims():
    seen = at_rest("labs/read_a_claim.md", "lab-claims-over-days")
    days = np.round(2.0 ** seen["doublings"])
    views, census = seen["page views"], np.asarray(seen["census"])
    dotted, dashed = seen["page views, added up"], seen["reports, macOS 10.12"]
    assert 5 * views[0] < census[0]
    assert 4 * census[-1] < views[-1]
    assert (views[days <= 32] < census[days <= 32]).all()
    assert (views[days >= 64] > census[days >= 64]).all()
    assert np.ptp(census) == 0
    (figure,) = run("labs/read_a_claim").figures
    assert shown(census[0], figure.up) == "17.15"  # as in the table
    assert (dashed > np.maximum(dotted, views)).all()
    assert dotted / days == pytest.approx(dotted[0])
    assert dashed / days == pytest.approx(dashed[0])
    assert (np.diff(np.log(views)) < np.diff(np.log(dotted)) - 1e-6).all()


@claim("labs/read_a_claim.md", "larger-delta-lowers-three-curves")
def test_larger_delta_lowers_three_curves(passage):
    common = passage.names["common"]
    for days in 2 ** np.arange(10):
        assert common("apple", days, 1e-6) == common("apple", days, 1e-10)
        for name in ("census", "wikimedia"):
            assert common(name, days, 1e-6) < common(name, days, 1e-10)


@claim("labs/read_a_claim.md", "converted-first-against-added-first", numbers=[32])
def test_converted_first_against_added_first(passage):
    assert float(passage.printed[0]) == pytest.approx(32 * tight(0.06, 1e-10) / tight(32 * 0.06, 1e-10), abs=0.06)


@claim("labs/read_a_claim.md", "what-the-planner-says", numbers=[1, 1e-7, 30, 30, 3, 1e-6])
def test_what_the_planner_says(passage):
    (found,) = planner.answers({"door": "claim", "epsilon": "1", "delta": "1e-7", "times": "30"})
    assert found["total"][1].startswith("ε = 30 at δ = 3e-6 for all 30")
    ours = tight(4 * 0.015 * 30, 1e-12)
    assert 0.45 * 30 < ours < 0.55 * 30
    (once,) = planner.answers({"door": "claim", "epsilon": f"{math.ceil(10 * ours) / 10}", "delta": "1e-12"})
    assert "as good as certain" in once["headline"]
