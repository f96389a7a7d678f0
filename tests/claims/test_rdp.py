"""Checks of chapters/rdp.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from claims import answers, at_rest, claim
from dp_lib import rdp


@answers("rdp.md", "curve-growing-without-end", numbers=[3], choices=[[], [], [], []])
def test_question_curve_growing_without_end(question):
    far = 1e7
    grows = {
        "Gaussian": rdp.gaussian(far, 2.5) > 1e5,
        "Laplace": rdp.laplace(far, 1) > 1.0001,
        "response": rdp.randomized_response(far, 0.8) > np.log(4) * 1.0001,
    }
    assert question.right == [
        all(grows.values()),
        list(grows.values()) == [True, False, False],
        list(grows.values()) == [False, True, False],
        not any(grows.values()),
    ]


@answers("rdp.md", "losses-an-order-looks-at", numbers=[1, 4], choices=[[0.5], [2], [3.5], []])
def test_question_losses_an_order_looks_at(question):
    loss = np.linspace(-10, 20, 300_001)
    weight = np.exp(-((loss - 0.5) ** 2) / 2 + 3 * loss)
    centre = (loss * weight).sum() / weight.sum()
    choices = {"those around 0.5, where most of them are": 0.5, "those around 2": 2, "those around 3.5": 3.5}
    assert question.right == [*[abs(centre - at) < 0.1 for at in choices.values()], centre > 5]


def gaussian_epsilon(sigma, delta):
    """ε of one Gaussian answer, by the root of its profile."""

    def profile(epsilon):
        half, far = 0.5 / sigma, epsilon * sigma
        return norm.cdf(half - far) - np.exp(epsilon) * norm.cdf(-half - far)

    return brentq(lambda epsilon: profile(epsilon) - delta, 0, 20, xtol=1e-13)


@answers("rdp.md", "sum-of-receipts-over-least-epsilon", numbers=[2, 1e-08, 500, 1e-05], choices=[[], [5], [27], [500]])
def test_question_sum_of_receipts_over_least_epsilon(question):
    times = 500 * gaussian_epsilon(200, 2e-8) / gaussian_epsilon(200 / np.sqrt(500), 1e-5)
    assert question.right == [times < 1.01, 4 < times < 6, round(times) == 27, times > 400]


@claim("rdp.md", "receipts.alt", numbers=[3])
def test_alt_receipts():
    c = at_rest("rdp.md", "receipts")
    added, curves, least = (c[name] for name in ("pairs added", "curves added", "exact"))
    assert added[0] / least[0] < 1.01 and curves[0] / least[0] < 1.3
    assert added[-1] > 20 * least[-1] and 1 < curves[-1] / least[-1] < 1.3


@claim("rdp.md", "three-curves.alt")
def test_alt_three_curves():
    c = at_rest("rdp.md", "three-curves")
    for name in ("Laplace", "randomized response"):
        steps = np.diff(c[name])
        assert c.rises(name).all() and steps[0] > 5 * steps[-1]
    assert 0.8 < c["Laplace"][-1] < c["pure ε of Laplace", "y"]
    assert 0.8 * np.log(4) < c["randomized response"][-1] < c["pure ε of randomized response", "y"]


@claim("rdp.md", "two-orders-bound-those-between")
def test_two_orders_bound_those_between():
    """Both kinds of convexity, on random pairs of distributions."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        p0, p1, q0, q1 = rng.dirichlet(np.full(4, 0.4), size=4)
        w, low, high = rng.uniform(), *np.sort(rng.uniform(1.01, 30, 2))

        def moment(order, p, q):
            return np.log(np.sum(p**order * q ** (1 - order)))

        mixed = moment(high, (1 - w) * p0 + w * p1, (1 - w) * q0 + w * q1)
        assert mixed <= max(moment(high, p0, q0), moment(high, p1, q1)) + 1e-9
        between = moment((1 - w) * low + w * high, p0, q0)
        assert between <= (1 - w) * moment(low, p0, q0) + w * moment(high, p0, q0) + 1e-9


@claim("rdp.md", "noise-left-in-the-average")
def test_noise_left_in_the_average(passage):
    noise = np.random.default_rng(3).normal(scale=200, size=(20_000, 500)).mean(axis=1)
    assert float(passage.printed[0]) == pytest.approx(noise.std(), rel=0.02)


@claim("rdp.md", "one-coordinate-costs-most")
def test_one_coordinate_costs_most(passage):
    """A move of 1 split among coordinates at random, each Laplace answer by the formula's two exponentials."""

    def log_moment(alpha, r):
        up, down = np.exp((alpha - 1) * r), np.exp(-alpha * r)
        return np.log((alpha * up + (alpha - 1) * down) / (2 * alpha - 1))

    random = np.random.default_rng(3)
    for alpha in (1.01, 1.5, 2, 8, 60):
        for scale in (0.1, 1, 10):
            moved = random.dirichlet(np.full(5, 0.4), 500) / scale
            assert (log_moment(alpha, moved).sum(1) <= log_moment(alpha, 1 / scale) * (1 + 1e-12)).all()
    for shown, exact in zip(map(float, passage.printed), (log_moment(3, 1) / 2, log_moment(3, 0.5)), strict=True):
        assert exact <= shown < exact + 1e-3  # a divergence is rounded up


@claim("rdp.md", "best-conversion-over-exact")
def test_best_conversion_over_exact(passage):
    """The tight conversion at the best order of a fine list, over the exact ε of an answer with μ = √500/200."""
    orders = np.linspace(1.5, 200, 20_000)
    tight = orders * 500 / 80_000 + np.log1p(-1 / orders) - (np.log(1e-5) + np.log(orders)) / (orders - 1)
    mu, low, high = np.sqrt(500) / 200, 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        delta = norm.cdf(mu / 2 - middle / mu) - np.exp(middle) * norm.cdf(-mu / 2 - middle / mu)
        low, high = (middle, high) if delta > 1e-5 else (low, middle)
    assert passage.printed[-1] == f"{np.ceil(1000 * tight.min()) / 1000:.3f}"
    assert tight.min() / high == pytest.approx(1.1, abs=0.01)


def attained(order, budget, loss):
    """How likely the loss is, just within the budget, for a mechanism whose first output has this loss."""

    def above(chance):
        p, q = np.array([chance, 1 - chance]), chance * np.exp(-loss)
        return np.log(np.sum(p**order * np.array([q, 1 - q]) ** (1 - order))) / (order - 1) - budget

    return brentq(above, 1e-12, 0.5)


@claim("rdp.md", "two-guarantees-for-a-large-loss", numbers=[2.3, 0.3, 2.3, 0.7])
@claim("rdp.md", "two-guarantees-for-a-loss-above-one", numbers=[1])
def test_two_guarantees_for_a_large_loss(passage):
    """Of all that satisfies a guarantee, a mechanism with two outputs comes near to what Markov's inequality allows."""
    loss, places = (2.3, (5, 7)) if passage.label == "two-guarantees-for-a-large-loss" else (1, (3, 3))
    for (order, budget), printed, digits in zip([(5, 0.3), (9, 0.7)], passage.printed, places, strict=True):
        bound = mpmath.exp((order - 1) * (mpmath.mpf(budget) - loss))
        assert float(printed) == pytest.approx(float(mpmath.ceil(bound * 10**digits) / 10**digits))
        assert 0.6 * bound < attained(order, budget, loss) < bound


@claim("rdp.md", "loss-where-two-bounds-are-equal", numbers=[0.3, 0.7, 1.1, 1.1])
def test_loss_where_two_bounds_are_equal():
    losses = np.linspace(0.3, 5, 4701)
    first, second = np.exp(0.3 - losses) ** 4, np.exp(0.7 - losses) ** 8
    assert losses[np.argmax(second <= first * (1 + 1e-9))] == pytest.approx(1.1)
    assert (second[losses > 1.1005] < first[losses > 1.1005]).all()


@claim("rdp.md", "budget-of-a-small-epsilon", numbers=[1.05, 1.05, 4])
@claim("rdp.md", "budget-of-a-large-epsilon", numbers=[3.25, 3.25, 4, 4])
def test_budget_of_a_small_or_large_epsilon(passage):
    """The largest divergence at order 2 of ε-DP pairs on two outputs, by brute force over the pairs."""
    factor = 1.25 if passage.label == "budget-of-a-small-epsilon" else 4
    q = np.linspace(1e-4, 1 - 1e-4, 9999)
    p = np.minimum(factor * q, 1 - (1 - q) / factor)  # as far above q as ε allows
    worst, epsilon = np.log(np.max(p**2 / q + (1 - p) ** 2 / (1 - q))), np.log(factor)
    assert np.exp(worst) == pytest.approx(1.05 if factor == 1.25 else 3.25, rel=1e-4)
    if factor == 1.25:
        budget, bound, most = (float(number) for number in passage.printed)
        assert worst <= budget < worst + 1.1e-4 and epsilon**2 <= bound < epsilon**2 + 1e-4
        assert most == round(epsilon, 3) and epsilon > 4 * bound > 4 * budget
    else:
        budget, most, bound = (float(number) for number in passage.printed)
        assert worst <= budget < worst + 1.1e-3 and (most, bound) == (round(epsilon, 3), round(epsilon**2, 3))
        assert budget < most < bound


@claim("rdp.md", "orders-that-look-at-one-loss", numbers=[1.25, 3.2, 5.5, 1.5, 7.7])
@claim("rdp.md", "rarity-of-one-loss", numbers=[1.25, 1.5, 3.2, 3.2, 0.32, 0.8, 3.6, 100_000, 1_000_000])
def test_order_that_looks_at_one_loss(passage):
    """The loss of one noisy count, as a function of the noise, weighed on a grid."""
    stops, found, rare = np.arange(10, 81) / 10, [], []
    for sigma in (1.25, 1.5):
        noise = np.linspace(-14, 14, 140_001) * sigma
        loss = (noise + 0.5) / sigma**2  # of the true count 1 against 0, at the output 1 + noise
        density = norm.pdf(noise, 0, sigma)
        heights = []
        for order in stops:
            weighed = density * np.exp((order - 1) * loss)
            heights.append(np.interp(3.2, loss, weighed / np.trapezoid(weighed, loss)))
        found.append(stops[np.argmax(heights)])
        rare.append(np.trapezoid(np.where(loss > 3.2, density, 0), noise))
    assert found == [5.5, 7.7]
    if passage.label == "rarity-of-one-loss":
        assert passage.printed == [f"{1e5 * rare[0]:.0f}", f"{1e6 * rare[1]:.0f}"]


@claim("rdp.md", "receipts-of-two-rolls", numbers=[2])
@claim("rdp.md", "one-roll-for-two-answers", numbers=[0])
def test_receipts_of_two_rolls(passage):
    """All faces of two dice, or of one, counted."""

    def pairs(rolls, truth):
        said = [(truth ^ one, truth ^ two) for one, two in rolls]
        return [said.count(pair) / len(said) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))]

    if passage.label == "receipts-of-two-rolls":
        rolls = [(one in (1, 2), two in (1, 2)) for one in range(1, 7) for two in range(1, 7)]
        p, q = pairs(rolls, True), pairs(rolls, False)
        assert [round(9 * each) for each in p] == [4, 2, 2, 1] and q == p[::-1]
        receipt = np.log(sum(one**2 / other for one, other in zip(p, q, strict=True)))
        assert passage.printed == [f"{receipt:.2f}"] and receipt == pytest.approx(2 * np.log(1.5))
    else:
        rolls = [(face in (1, 2), face in (3, 4)) for face in range(1, 7)]
        p, q = pairs(rolls, True), pairs(rolls, False)
        assert p == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0]) and q == p[::-1] and p[0] > 0 == q[0]
