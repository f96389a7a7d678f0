"""Checks of chapters/zcdp.md."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, claim


def renyi(p, q, order):
    """The divergence of two distributions on a few points."""
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    return math.log(np.sum(p**order * q ** (1 - order))) / (order - 1)


def coin(epsilon, order):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    return renyi([truth, 1 - truth], [1 - truth, truth], order)


def laplace(epsilon, order):
    """The divergence of two Laplace laws at distance ε, by integration."""
    moment = integrate.quad(
        lambda y: math.exp(-order * abs(y - epsilon) - (1 - order) * abs(y)) / 2,
        -60,
        60,
        points=[0, epsilon],
        limit=400,
    )[0]
    return math.log(moment) / (order - 1)


def worst_choice():
    """The largest D_α/α of the exponential mechanism with ε = 1 over scores that move by 1 each, by brute force."""
    worst, rng = 0.0, np.random.default_rng(3)
    for answers_ in (2, 3, 5):
        for _ in range(300):
            scores = rng.uniform(0, 20, answers_)
            moved = scores + rng.choice([-1, 1], answers_)
            p, q = (np.exp(each / 2 - (each / 2).max()) for each in (scores, moved))
            p, q = p / p.sum(), q / q.sum()
            assert np.ptp(np.log(p / q)) <= 1 + 1e-12
            worst = max(worst, *(renyi(p, q, order) / order for order in (1.001, 1.5, 2, 8, 40)))
    return worst


@claim("zcdp.md", "exponential-mechanism-range")
def test_exponential_mechanism_range():
    assert worst_choice() <= 1 / 8  # and there the losses' range is asserted


@answers("zcdp.md", "least-rho-of-exponential-mechanism", numbers=[1], choices=[[0.463], [0.250], [0.125], [0.063]])
def test_question_least_rho_of_exponential_mechanism(question):
    budgets = {"0.463, that of randomized response": 0.463, "0.250": 0.25, "0.125": 0.125, "0.063": 0.063}
    covers = [budget for budget in budgets.values() if worst_choice() <= budget]
    assert worst_choice() > 0.95 / 8
    assert question.right == [budget == min(covers) for budget in budgets.values()]


@claim("zcdp.md", "four-constants", numbers=[4])
def test_four_constants(passage):
    printed = passage.printed
    orders = 1 + np.geomspace(1e-4, 60, 60)
    assert float(printed[0]) == 0.5 and printed[3] == "0.125"
    for shown, curve in zip(printed[1:3], (coin, laplace), strict=True):
        largest = max(curve(1, order) / order for order in orders)
        assert largest <= float(shown) < largest + 1.1e-3  # rounded up, and the orders stop just above 1


@claim("zcdp.md", "choice-between-equal-scores", numbers=[0.5])
def test_choice_between_equal_scores(passage):
    """The mean loss by hand, and the divergence at an order just above 1, which tends to it."""
    old, new = np.array([0.5, 0.5]), np.array([math.e, 1]) / (1 + math.e)
    mean = np.sum(old * np.log(old / new))
    assert 0 <= mean - float(passage.printed[0]) < 0.01
    assert math.log(np.sum(old**1.001 * new**-0.001)) / 0.001 == pytest.approx(mean, rel=0.01)


@claim("zcdp.md", "first-three-constants-are-close", numbers=[0.5, 0.3, 0.25])
def test_first_three_constants_are_close(passage):
    for epsilon, printed in zip((0.5, 0.3), passage.printed, strict=True):
        least = max(laplace(epsilon, order) / order for order in (1.0001, 1.01, 2, 10))
        apart = 100 * (epsilon**2 / 2 / least - 1)
        assert apart <= float(printed) < apart + 1.01


@claim("zcdp.md", "divergence-bends-away")
def test_divergence_bends_away():
    for epsilon in (0.1, 1, 3):
        curve = [coin(epsilon, order) for order in np.geomspace(1.01, 60 / epsilon, 40)]
        assert max(curve) < epsilon and (np.diff(curve) > 0).all()


@claim("zcdp.md", "best-guess-from-one-and-all-counts", numbers=[100])
@claim("zcdp.md", "best-guess-with-the-noise", numbers=[41, 10, 100, 100])
def test_best_guess_from_one_and_all_counts(passage):
    """Half of what the larger density of the sum integrates to, the two tables being equally likely."""

    def right(counts, sigma):
        width = sigma * math.sqrt(counts)
        y = np.linspace(-12 * width, 12 * width + counts, 400_001)
        larger = np.maximum(stats.norm.pdf(y, 0, width), stats.norm.pdf(y, counts, width))
        return f"{50 * np.trapezoid(larger, y):.0f}"

    promised = math.sqrt(41) * calibrated(1, 1e-6)
    assert passage.printed == ([right(1, 10)] if len(passage.printed) == 1 else [right(41, 10), right(41, promised)])


def calibrated(epsilon, delta):
    """σ of one count that is just (ε, δ)-DP, from its profile."""

    def above(sigma):
        at = epsilon * sigma + 1 / (2 * sigma)
        return stats.norm.sf(at - 1 / sigma) - math.exp(epsilon) * stats.norm.sf(at) - delta

    return optimize.brentq(above, 0.1, 100)


@answers("zcdp.md", "noise-of-each-of-41-counts", numbers=[1, 1e-06, 41], choices=[[], [3.7], [6.4], [41]])
def test_question_noise_of_each_of_41_counts(question):
    """Of 41 counts the loss is normal, of the mean that one count alone has with one of the three noises."""
    one = calibrated(1, 1e-6)
    assert one == pytest.approx(4.225, abs=1e-3)

    def mean_loss(times):
        """The sum of 41 divergences of order 1 over that of one count alone, by integration."""
        y = np.linspace(-60 * times, 60 * times, 400_001)
        p, q = (stats.norm.pdf(y, centre, one * times) for centre in (1, 0))
        kept = np.minimum(p, q) > 0
        return 41 * np.trapezoid((p * np.log(np.where(kept, p / np.where(kept, q, 1), 1))), y) * 2 * one**2

    assert question.right == [
        mean_loss(1) == pytest.approx(1, rel=1e-3),
        mean_loss(3.7) == pytest.approx(1, rel=1e-3),
        mean_loss(math.sqrt(41)) == pytest.approx(1, rel=1e-3),
        mean_loss(41) == pytest.approx(1, rel=1e-3),
    ]


@claim("zcdp.md", "laplace-smallest-for-three-counts", numbers=[3, 0.5])
def test_laplace_smallest_for_three_counts():
    assert math.sqrt(2) * 3 / 0.5 < math.sqrt(3) * calibrated(0.5, 1e-6)


@claim("zcdp.md", "laplace-largest-for-seventy-counts", numbers=[70, 2, 1e-10])
def test_laplace_largest_for_seventy_counts():
    ell = math.log(1e6)
    rho = (math.sqrt(ell + 2) - math.sqrt(ell)) ** 2
    assert math.sqrt(2) * 70 / 2 > 1.5 * math.sqrt(70 / (2 * rho)) and calibrated(2, 1e-10) > calibrated(2, 1e-6)


@claim("zcdp.md", "response-below-its-line", numbers=[0.5, 2, 0.2, 0.5, 2, 0.125])
def test_response_below_its_line(passage):
    gaps = [100 * (1 - coin(epsilon, 2) / (2 * epsilon * math.tanh(epsilon / 2))) for epsilon in (0.5, 0.2)]
    slope = 0.5 * math.tanh(0.25)
    assert passage.printed[::2] == [f"{gap:.1f}" for gap in gaps] and gaps[0] < 8 and gaps[1] < 2
    assert slope <= float(passage.printed[1]) < slope + 1e-3  # a budget is rounded up


@claim("zcdp.md", "mean-loss-below-every-divergence")
def test_mean_loss_below_every_divergence():
    rng = np.random.default_rng(5)
    for _ in range(200):
        p, q = rng.dirichlet([1] * 4), rng.dirichlet([1] * 4)
        assert min(renyi(p, q, order) for order in (1.01, 2, 20)) >= np.sum(p * np.log(p / q)) - 1e-12


@claim("zcdp.md", "positive-moments-of-the-loss", numbers=[0, 2])
def test_positive_moments_of_the_loss():
    """A coin keeps to it; an answer that reveals nothing is ρ-zCDP too, and has a negative "
    "moment above the normal's."""
    truth, rho = math.e / (1 + math.e), math.tanh(0.5)
    for power in (0.01, 0.3, 1, 5, 20):
        moment = truth * math.exp(power) + (1 - truth) * math.exp(-power)
        assert moment <= math.exp(power * rho + power**2 * rho)
    assert math.exp(-0.5 * rho + 0.5**2 * rho) < 1


@answers("zcdp.md", "where-response-touches-its-line", choices=[[], [], [], []])
def test_question_where_response_touches_its_line(question):
    orders = np.array([1.0001, 1.5, 2, 4, 8, 100])
    shares = np.array([coin(1, order) / order for order in orders]) / math.tanh(0.5)
    touches = shares > 1 - 1e-4
    assert question.right == [
        bool(touches.all()),
        bool(touches[2:5].any()),
        bool(touches[0]) and not touches[1:].any(),
        bool(touches[-1]),
    ]


@claim("zcdp.md", "largest-rho-of-bounded-loss", numbers=[1, 0.1233])
def test_largest_rho_of_bounded_loss():
    """Two losses suffice, since one equation binds them, E exp(-L) = 1: all places of the interval and all orders."""
    orders, largest = 1 + np.geomspace(1e-4, 1e3, 400), 0.0
    for top in np.linspace(0.001, 0.999, 999):
        chance = -math.expm1(1 - top) / (math.exp(-top) - math.exp(1 - top))
        moment = np.logaddexp(math.log(chance) + (orders - 1) * top, math.log1p(-chance) + (orders - 1) * (top - 1))
        largest = max(largest, (moment / (orders - 1) / orders).max())
    assert round(largest, 4) == 0.1233


@claim("zcdp.md", "smaller-bound-for-large-epsilon", numbers=[8])
def test_smaller_bound_for_large_epsilon():
    epsilon = np.linspace(0.1, 30, 3000)
    smaller = epsilon * np.tanh(epsilon / 2) < epsilon**2 / 8
    assert (smaller == (epsilon > 8)).mean() > 0.999


@claim("zcdp.md", "noise-rounded-up", numbers=[41])
def test_noise_rounded_up(passage):
    low, high = 1.0, 1000.0  # the σ at which the profile is 10⁻⁶, by halving
    for _ in range(60):
        sigma = (low + high) / 2
        mu = math.sqrt(41) / sigma
        delta = stats.norm.cdf(mu / 2 - 1 / mu) - math.e * stats.norm.cdf(-mu / 2 - 1 / mu)
        low, high = (sigma, high) if delta > 1e-6 else (low, sigma)
    assert high <= float(passage.printed[1]) + 1e-9 and float(passage.printed[1]) < high + 1


@claim("zcdp.md", "divergences-of-the-ten-patients")
def test_divergences_of_the_ten_patients(passage):
    """Those of N(6, 2²) and N(5, 2²), by integration; the rows of the table are multiples of the slope."""
    y = np.linspace(-60, 80, 400_001)
    p, q = stats.norm(6, 2).logpdf(y), stats.norm(5, 2).logpdf(y)
    for order in (1.5, 2, 4, 8):
        moment = np.trapezoid(np.exp(order * p + (1 - order) * q), y)
        assert math.log(moment) / (order - 1) / order == pytest.approx(float(passage.printed[0]), abs=1e-9)


@claim("zcdp.md", "two-half-distances-cost-less")
def test_two_half_distances_cost_less(passage):
    halves, whole = (times * (r + math.exp(-r) - 1) for times, r in ((2, 0.5), (1, 1)))
    assert passage.printed == [f"{math.ceil(100 * cost) / 100:.2f}" for cost in (halves, whole)]


@claim("zcdp.md", "noise-for-a-tenth-of-the-budget", numbers=[1025])
def test_noise_for_a_tenth_of_the_budget(passage):
    """The σ at which 41 counts that move by 1 have a divergence of 0.02 at order 1, each by integration."""

    def budget(sigma):
        y = np.linspace(-12 * sigma, 12 * sigma, 200_001)
        p, q = stats.norm(1, sigma), stats.norm(0, sigma)
        return 41 * np.trapezoid(p.pdf(y) * (p.logpdf(y) - q.logpdf(y)), y)

    assert budget(10) == pytest.approx(0.205, abs=1e-6)
    least = optimize.brentq(lambda sigma: budget(sigma) - 0.02, 20, 60, xtol=1e-9)
    assert least**2 == pytest.approx(1025, abs=1e-3)
    assert passage.printed == [f"{math.ceil(100 * least) / 100:.2f}"]


@claim("zcdp.md", "what-a-budget-of-eight-hundredths-buys", numbers=[2, 2])
def test_what_a_budget_of_eight_hundredths_buys():
    """The two simple bounds by halving; the ρ of Laplace noise by integration, at the scale that costs 0.08."""

    def largest(bound):
        return optimize.brentq(lambda epsilon: bound(epsilon) - 0.08, 0.01, 2)

    unknown, choice = largest(lambda epsilon: epsilon**2 / 2), largest(lambda epsilon: epsilon**2 / 8)
    noise = largest(lambda epsilon: max(laplace(epsilon, order) / order for order in (1.0001, 1.01, 1.5, 3)))
    response = largest(lambda epsilon: max(coin(epsilon, order) / order for order in (1.0001, 1.01, 1.5, 3)))
    assert choice == pytest.approx(2 * unknown) == pytest.approx(0.8)
    assert (math.floor(1000 * response), math.floor(1000 * noise)) == (402, 428)
    assert stats.laplace(scale=1 / noise).std() / 2.5 == pytest.approx(4 / 3, rel=0.02)
    y = np.linspace(-40, 40, 400_001)
    p, q = stats.norm(1, 2.5), stats.norm(0, 2.5)
    assert np.trapezoid(p.pdf(y) * (p.logpdf(y) - q.logpdf(y)), y) == pytest.approx(0.08)


@claim("zcdp.md", "orders-above-the-line-of-the-employee", numbers=[1.8, 1.8, 0.32, 1])
@claim("zcdp.md", "line-above-the-laplace-curve", numbers=[1.15, 1.2])
def test_orders_above_the_line_of_the_employee(passage):
    """At the stops of the slider, where order 1 is the mean loss, by integration."""
    mean_loss = integrate.quad(lambda y: math.exp(-abs(y)) / 2 * (abs(y - 1) - abs(y)), -60, 60, points=[0, 1])[0]
    stops = np.arange(10, 81) / 10
    curve = np.array([mean_loss, *(laplace(1, order) for order in stops[1:])])
    above = {sigma: stops[curve > stops / (2 * sigma**2)] for sigma in (1.25, 1.2, 1.15)}
    assert above[1.25].tolist() == stops[:9].tolist() and stops[8] == 1.8 and f"{curve[10]:.3f}" == "0.619"
    assert len(above[1.2]) > 0 and len(above[1.15]) == 0
    if passage.label == "line-above-the-laplace-curve":
        slopes = [1 / (2 * sigma**2) for sigma in (1.15, 1.2)]
        least = math.ceil(1000 * mean_loss) / 1000
        assert passage.printed == [f"{slopes[0]:.3f}", f"{least:.3f}", f"{slopes[1]:.3f}"]
        assert slopes[1] < mean_loss == pytest.approx(math.exp(-1)) and mean_loss < slopes[0]


@claim("zcdp.md", "mean-loss-of-the-alarm", numbers=[100, 0.01, 0.99, 0.9999])
def test_mean_loss_of_the_alarm(passage):
    """A million draws that fall out just as often as they should, 10 000 of them alarms."""
    losses = np.repeat([math.log(0.01 / 0.0001), math.log(0.99 / 0.9999)], [10_000, 990_000])
    assert passage.printed == [f"{losses.mean():.3f}"] and losses.mean() < 0.04


@claim("zcdp.md", "budget-that-the-alarm-demands", numbers=[2, 1.98, 3, 100.97])
def test_budget_that_the_alarm_demands(passage):
    p, q = [0.01, 0.99], [0.0001, 0.9999]
    least = [renyi(p, q, order) / order for order in (2, 3)]
    assert passage.printed == [f"{math.floor(100 * each) / 100:.2f}" for each in least]
    moments = [math.exp((order - 1) * order * each) for order, each in zip((2, 3), least, strict=True)]
    assert [f"{moment:.2f}" for moment in moments] == ["1.98", "100.97"]
