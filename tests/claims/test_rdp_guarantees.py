"""Checks of chapters/rdp_guarantees.md."""

import math

import mpmath
import numpy as np
import pytest

from claims import answers, at_rest, claim
from dp_lib import rdp


@claim("rdp_guarantees.md", "one-number-at-two-orders", numbers=[1000, 2, 0.375, 1000, 0.375, 1000])
def test_one_number_at_two_orders(passage):
    with mpmath.workdps(30):
        budget = mpmath.mpf(500) * 60 / (2 * 200**2)
        bounds = [1000 * (mpmath.exp(budget) / 1000) ** (1 - mpmath.mpf(1) / order) for order in (60, 2, mpmath.inf)]
    assert passage.printed == [f"{math.ceil(100 * bound) / 100:.2f}" for bound in bounds]


@claim("rdp_guarantees.md", "questions-of-the-opening", numbers=[1000, 3, 1, 1000, 1000])
def test_questions_of_the_opening(passage):
    """Each bound by its theorem's formula, from the budget 0.375 at order 60; the couple's order is rounded down."""
    budget, order, log = 0.375, 60, math.log(1e5)
    premium = 1000 * (math.exp(budget) / 1000) ** ((order - 1) / order)
    odds = 3 * math.exp(budget + log / (order - 1))
    couple, total = order**2 / (2 * order - 1), budget * (2 * order - 1) / (order - 1)
    epsilon = budget + math.log(1 - 1 / order) + (log - math.log(order)) / (order - 1)
    up = [math.ceil(1e2 * premium) / 1e2, math.ceil(1e2 * odds) / 1e2]
    printed = [float(number) for number in passage.printed]
    event = 1000 * (math.exp(total) / 1000) ** ((couple - 1) / couple)
    couple = [math.floor(1e2 * couple) / 1e2, math.ceil(1e3 * total) / 1e3, math.ceil(1e2 * event) / 1e2]
    assert printed == [*up, *couple, math.ceil(1e2 * epsilon) / 1e2] and epsilon < 1


@claim("rdp_guarantees.md", "couple-in-two-ways", numbers=[60])
def test_couple_in_two_ways(passage):
    """By the formula of the tight conversion: the couple's own budget at order a is 500 * a * 2² / (2 * 200²)."""

    def tight(a, budget):
        return budget + np.log(1 - 1 / a) + (math.log(1e5) - np.log(a)) / (a - 1)

    order = 60**2 / 119
    orders = np.linspace(1.5, 200, 200_000)
    epsilons = tight(order, 0.375 * 119 / 59), tight(orders, 500 * orders * 4 / (2 * 200**2)).min()
    assert passage.printed == [f"{math.ceil(100 * epsilon) / 100:.2f}" for epsilon in epsilons]
    starts = np.linspace(3, 200, 20_000)  # from the best order of one person, the theorem is almost as good
    couple = starts**2 / (2 * starts - 1)
    by_theorem = tight(couple, 500 * starts / (2 * 200**2) * (2 * starts - 1) / (starts - 1)).min()
    assert epsilons[1] < by_theorem < epsilons[1] + 0.001


@claim("rdp_guarantees.md", "odds-bound-is-nearly-reached", numbers=[4])
def test_odds_bound_is_nearly_reached(passage):
    def moment(one, other, order):
        """D_order of two coins with heads of probability exp(-one) and exp(-other)."""
        p, q = mpmath.exp(-one), mpmath.exp(-other)
        total = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
        return mpmath.log(total) / (order - 1)

    with mpmath.workdps(2000):  # heads are as rare as e^-1000
        alpha, order, wants = mpmath.mpf(32), mpmath.mpf(32) ** 2 / 63, []
        allowed = (2 * alpha - 1) / (alpha - 1)
        for apart in (10, 100, 1000):
            x = [mpmath.log(2)]
            for _ in range(2):
                x.append(apart + alpha / (alpha - 1) * x[-1])
            links = [(x[0], x[1]), (x[1], x[0]), (x[1], x[2]), (x[2], x[1])]
            budget = max(moment(*link, alpha) for link in links)
            wants.append(1 - moment(x[0], x[2], order) / (allowed * budget))
    assert wants[0] > wants[1] > wants[2] >= 0 and wants[2] < 1e-9
    gaussian = 4 * order / alpha  # αΔ²/2σ², at the order for two people and twice the sensitivity
    assert passage.printed == [f"{float(order):.2f}", f"{float(gaussian):.4f}", f"{float(allowed):.4f}"]
    assert 0.95 * allowed < gaussian <= allowed


@claim("rdp_guarantees.md", "one-moment-every-delta", numbers=[0])
def test_one_moment_every_delta():
    for delta in (1e-300, 1e-5, 0.999):
        assert np.isfinite(rdp.epsilon(2, 0.5, delta))
    shame, other = np.array([1e-9, 1 - 1e-9]), np.array([0.0, 1.0])
    with np.errstate(divide="ignore"):
        assert np.isinf(np.sum(shame**1.001 * other**-0.001)) and shame[0] - other[0] == 1e-9


@answers("rdp_guarantees.md", "band-as-alpha-grows", numbers=[0.5, 2, 50])
def test_question_band_as_alpha_grows(question):
    q = np.geomspace(1e-6, 0.5, 50)
    widths = [
        np.minimum((np.exp(0.5) * q) ** ((a - 1) / a), 1) / (np.exp(-0.5) * q ** (a / (a - 1))) for a in (2, 10, 50)
    ]
    pure = np.minimum(np.exp(0.5) * q, 1) / (np.exp(-0.5) * q)
    assert question.right == [
        (widths[2] > widths[0]).any(),
        (widths[0] > widths[1]).all() and (widths[1] > widths[2]).all() and (widths[2] > pure).all(),
        np.allclose(widths[0], widths[2]),
        (widths[2] < 1.01).all(),
    ]


@answers("rdp_guarantees.md", "how-much-lower-the-tight-exponential", numbers=[0.5, 6], choices=[[1], [2], [15], [100]])
def test_question_how_much_lower_the_tight_exponential(question):
    loss = np.linspace(0.5, 4, 1_000_001)
    lower = 1 / (-np.expm1(0.5 - loss) * np.exp(-5 * (loss - 0.5))).max()
    assert question.right == [lower < 1.01, 1.5 < lower < 3, 12 < lower < 18, lower > 70]


@claim("rdp_guarantees.md", "bad-outcome.alt")
def test_alt_bad_outcome():
    c = at_rest("rdp_guarantees.md", "bad-outcome")
    assert (c["RDP, at least"] < c["Gaussian, exact"]).all() and (c["Gaussian, exact"] < c["RDP, at most"]).all()


@claim("rdp_guarantees.md", "two-conversions.alt")
def test_alt_two_conversions():
    c = at_rest("rdp_guarantees.md", "two-conversions")
    loss, tight, counted = c["loss"], c["tight bound"], c["what δ counts"]
    assert (tight >= counted - 1e-12).all()
    touch = c["touch", "x"]
    assert touch == pytest.approx(0.5 + np.log(6 / 5)) and c["touch", "y"] == pytest.approx(-np.expm1(0.5 - touch))
    before = loss < 0.45
    assert (c["classic bound"][before] > 10 * tight[before]).all()


@claim("rdp_guarantees.md", "gain-for-large-alpha")
def test_gain_for_large_alpha():
    for alpha in (50, 500, 5000):
        u = np.linspace(0, 1, 2_000_001)
        assert 1 / ((1 - u) * u ** (alpha - 1)).max() == pytest.approx(np.e * alpha, rel=0.6 / alpha)


@claim("rdp_guarantees.md", "tight-conversion-is-smaller")
def test_tight_conversion_is_smaller():
    for alpha in (1.01, 2, 60, 1e5):
        for delta in (1e-9, 1e-5, 0.5):
            assert rdp.epsilon_tight(alpha, 0.4, delta) < rdp.epsilon(alpha, 0.4, delta)


def two_valued(p, q, order):
    """The larger divergence of two coins, over the directions."""
    one = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
    other = q**order * p ** (1 - order) + (1 - q) ** order * (1 - p) ** (1 - order)
    return np.log(np.maximum(one, other)) / (order - 1)


@claim("rdp_guarantees.md", "bad-outcome.caption")
def test_caption_bad_outcome():
    """What an event may reach is what a coin may: by post-processing the event's own bit keeps (α, ε̄)-RDP."""
    for order, budget, q in [(4, 0.5, 1e-3), (1.5, 0.05, 1e-6), (20, 1, 0.1)]:
        p = q * np.geomspace(1, min(1 / q, 1e5), 200_001)[:-1]
        reached = p[two_valued(p, q, order) <= budget].max()
        assert reached < (np.exp(budget) * q) ** (1 - 1 / order)


@claim("rdp_guarantees.md", "largest-probability-allowed", numbers=[2, 0.5])
def test_largest_probability_allowed(passage):
    bound = (np.exp(0.5) * 1e-6) ** 0.5
    assert bound <= float(passage.printed[0]) < bound + 1e-4 and bound / 1e-6 > 1000
    p = np.linspace(1e-6, 2e-3, 400_001)
    largest = p[two_valued(p, 1e-6, 2) <= 0.5].max()
    assert largest <= float(passage.printed[1]) < largest + 1e-5 and round(largest / 1e-6, -2) == 800
    assert (1 - bound) ** 2 / (1 - 1e-6) > 0.99  # what the outputs outside the event contribute at least


@claim("rdp_guarantees.md", "difference-at-high-and-low-order", numbers=[0.375, 60, 0.5, 2, 9, 0.00075, 60, 47])
def test_difference_at_high_and_low_order():
    """One order implies what it implies of coins: the most of p - e^ε q that the divergence leaves."""

    def most(order, budget, epsilon):
        q = np.geomspace(1e-12, 0.5, 4000)
        low, high = q, np.ones_like(q)
        for _ in range(60):
            p = (low + high) / 2
            with np.errstate(over="ignore", divide="ignore"):
                kept = order * np.log(p) + (1 - order) * np.log(q)
                rest = order * np.log1p(-p) + (1 - order) * np.log1p(-q)
                inside = np.logaddexp(kept, rest) / (order - 1) <= budget
            low, high = np.where(inside, p, low), np.where(inside, high, p)
        return (low - np.exp(epsilon) * q).max()

    losses = []
    assert (500 * 60 / (2 * 200**2), 60 / (2 * 200**2)) == (0.375, 0.00075)  # the hospital's year, and one answer
    for order, budget in [(2, 0.5), (60, 0.375), (60, 0.00075)]:
        tight = budget + np.log1p(-1 / order) - (np.log(1e-5) + np.log(order)) / (order - 1)
        low, high = 0.0, tight
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if most(order, budget, middle) > 1e-5 else (low, middle)
        losses.append(1 - high / tight)
    assert [round(100 * loss) for loss in losses] == [9, 0, 47] and losses[1] < 1e-3
