"""Checks of chapters/zcdp_guarantees.md."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from claims import answers, claim


def tight(rho, delta):
    """The tight conversion, over a fine grid of orders."""
    over = np.geomspace(1e-3, 1e6, 400_000)
    alpha = 1 + over
    return (rho * alpha + np.log1p(-1 / alpha) - np.log(delta * alpha) / over).min()


def above(bound, printed):
    """Is the printed number the bound, rounded up to two digits?"""
    return printed == f"{math.ceil(100 * bound) / 100:.2f}"


@claim("zcdp_guarantees.md", "promise-of-the-office", numbers=[1])
def test_promise_of_the_office(passage):
    """By both conversions, of which the tight one is searched over a fine grid of orders."""
    rho, log = 41 / (2 * 30**2), math.log(1e6)
    classic = rho + 2 * math.sqrt(rho * log)
    assert above(classic, passage.printed[0]) and above(tight(rho, 1e-6), passage.printed[1])
    assert tight(rho, 1e-6) < 1 < classic


@claim("zcdp_guarantees.md", "household-in-the-counts-of-the-office")
def test_household_in_the_counts_of_the_office(passage):
    rho = 16 * 41 / (2 * 30**2)
    assert rho <= float(passage.printed[0]) < rho + 0.001 and above(tight(rho, 1e-6), passage.printed[1])
    assert above(tight(rho / 16, 1e-6), passage.printed[2])
    assert tight(rho, 1e-6) > 4 * tight(rho / 16, 1e-6)


@answers(
    "zcdp_guarantees.md", "order-with-smallest-delta", numbers=[0.1, 2, 1, 20], choices=[[9.5], [10], [10.5], [20]]
)
def test_question_order_with_smallest_delta(question):
    orders = np.linspace(1.01, 25, 200_001)
    best = orders[((orders - 1) * (0.1 * orders - 2)).argmin()]
    assert question.right == [abs(best - float(choice)) < 0.01 for choice in ("2", "10", "10.5", "20")]


@answers(
    "zcdp_guarantees.md", "gap-closed-by-tight-conversion", numbers=[0.25, 1e-05], choices=[[0.1], [1 / 3], [2 / 3], []]
)
def test_question_gap_closed_by_tight_conversion(question):
    mu = math.sqrt(0.5)

    def profile(epsilon):
        above = epsilon / mu + mu / 2
        return stats.norm.sf(above - mu) - math.exp(epsilon) * stats.norm.sf(above) - 1e-5

    exact = optimize.brentq(profile, 0, 10)
    classic = 0.25 + 2 * math.sqrt(0.25 * math.log(1e5))
    closed = (classic - tight(0.25, 1e-5)) / (classic - exact)
    assert question.right == [abs(closed - offered) < 0.05 for offered in (0.1, 1 / 3, 2 / 3, 0.9)]


@claim("zcdp_guarantees.md", "table-row-delta-of-zcdp", numbers=[2, 4])
def test_table_row_delta_of_zcdp():
    """Left of ρ the formula would be too small for Gaussian noise."""

    def exact(rho, epsilon):
        mu = math.sqrt(2 * rho)
        return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)

    for rho in (0.1, 2, 5):
        assert math.exp(-rho / 4) < exact(rho, 0) or rho < 1
        for epsilon in np.linspace(rho, rho + 10, 40):
            assert exact(rho, epsilon) <= math.exp(-((epsilon - rho) ** 2) / (4 * rho)) + 1e-15


@claim("zcdp_guarantees.md", "factor-of-the-tight-conversion", numbers=[2])
def test_factor_of_the_tight_conversion():
    """The largest quotient of the weight (1 - 1/u)+ and u^(α - 1), over a fine grid of u."""
    over = np.geomspace(1.0001, 1e4, 400_001)

    def largest(order):
        return ((1 - 1 / over) * over ** (1 - order)).max()

    assert largest(2) == pytest.approx(1 / 4, abs=1e-6)
    assert largest(7) < 1 / 10  # what a reply says
    assert all(largest(order) < 1 for order in (1.01, 1.5, 20))
    assert largest(200) == pytest.approx(1 / (math.e * 200), rel=0.01)


@claim("zcdp_guarantees.md", "rho-is-like-a-square")
def test_rho_is_like_a_square(passage):
    whole, quarter = map(float, passage.printed)
    assert tight(0.5, 1e-6) <= whole < tight(0.5, 1e-6) + 0.011
    assert tight(0.125, 1e-6) <= quarter < tight(0.125, 1e-6) + 0.011
    assert 0.4 < quarter / whole < 0.5
