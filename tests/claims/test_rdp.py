"""Checks of chapters/rdp.md."""

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
def test_one_coordinate_costs_most():
    """A move of 1 split among coordinates at random, each Laplace answer by the formula's two exponentials."""

    def log_moment(alpha, r):
        up, down = np.exp((alpha - 1) * r), np.exp(-alpha * r)
        return np.log((alpha * up + (alpha - 1) * down) / (2 * alpha - 1))

    random = np.random.default_rng(3)
    for alpha in (1.01, 1.5, 2, 8, 60):
        for scale in (0.1, 1, 10):
            moved = random.dirichlet(np.full(5, 0.4), 500) / scale
            assert (log_moment(alpha, moved).sum(1) <= log_moment(alpha, 1 / scale) * (1 + 1e-12)).all()


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
