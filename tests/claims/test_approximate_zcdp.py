"""Checks of chapters/approximate_zcdp.md."""

import math

import numpy as np
import pytest
from scipy import special, stats

from claims import claim
from claims.test_approx import plain
from claims.test_zcdp_guarantees import tight


@claim("approximate_zcdp.md", "truncated-noise-is-approximate-zcdp", numbers=[2, 2, 1, 2, 2])
def test_truncated_noise_is_approximate_zcdp(passage):
    """The answers that both counts can give lie between -59 and 60; both laws there, by integration."""
    noise = stats.truncnorm(-6, 6, scale=10)
    assert noise.sf(59) <= plain(passage.printed[0]) < 1.2 * noise.sf(59)
    y = np.linspace(-59, 60, 200_001)
    p, q = noise.pdf(y) / noise.sf(-59), noise.pdf(y - 1) / noise.cdf(59)
    assert np.trapezoid(p, y) == pytest.approx(1, abs=1e-9) and np.trapezoid(q, y) == pytest.approx(1, abs=1e-9)
    for order in (1.001, 1.5, 2, 10, 100, 1000):
        for first, second in [(p, q), (q, p)]:
            log_moment = special.logsumexp(order * np.log(first) + (1 - order) * np.log(second)) + math.log(y[1] - y[0])
            assert log_moment / (order - 1) <= order / 200 * (1 + 1e-6)


@claim("approximate_zcdp.md", "hundred-steps-in-approximate-zcdp", numbers=[0.1, 1e-9, 1e-7, 1e-6, 1.1, 1e-6, 10])
def test_hundred_steps_in_approximate_zcdp(passage):
    """A hundred randomized responses at 0.1 are the worst case; their δ at the ε printed, by the binomial."""
    rho, epsilon = map(float, passage.printed)
    mean_loss = 0.1 * (2 * math.exp(0.1) / (1 + math.exp(0.1)) - 1)
    assert 100 * mean_loss <= rho < 100 * mean_loss + 0.001
    assert tight(rho - 0.0009, 1e-6) <= epsilon <= tight(rho, 1e-6) + 0.01 < 10
    truths = np.arange(101)
    mass = stats.binom(100, math.exp(0.1) / (1 + math.exp(0.1))).pmf(truths)
    loss = 0.1 * (2 * truths - 100)
    assert np.sum(mass * np.maximum(-np.expm1(epsilon - loss), 0)) <= 1e-6
    assert 1 - (1 - 1e-9) ** 100 + 1e-6 <= 1.1e-6


def poisson_divergence(mean, other, order):
    """D of the Poisson number with this mean from the one with the other mean, by adding up."""
    n = np.arange(20_000)
    terms = order * stats.poisson(mean).logpmf(n) + (1 - order) * stats.poisson(other).logpmf(n)
    return special.logsumexp(terms) / (order - 1)


@claim("approximate_zcdp.md", "divergence-of-the-larger-poisson-number")
def test_divergence_of_the_larger_poisson_number():
    for order in (1.1, 2, 3.5, 10):
        assert poisson_divergence(2, 1, order) == pytest.approx((2**order - 1 - order) / (order - 1), rel=1e-9)


@claim("approximate_zcdp.md", "poisson-number-has-no-rho", numbers=[2, 10])
def test_poisson_number_has_no_rho(passage):
    """Both divergences of Poisson numbers with means 2 and 1, by adding up."""
    assert float(passage.printed[0]) == pytest.approx(poisson_divergence(2, 1, 2), abs=1e-9)
    assert float(passage.printed[1]) == pytest.approx(poisson_divergence(2, 1, 10), abs=0.5)
    per_order = [poisson_divergence(2, 1, order) / order for order in (2, 4, 6, 8, 10, 12)]
    assert (np.diff(per_order) > 0).all() and per_order[-1] > 25
    for order in (1.1, 2, 10, 100):
        smaller = poisson_divergence(1, 2, order)
        assert 0 < smaller < 1 and smaller == pytest.approx(1 - (1 - 2 ** (1 - order)) / (order - 1), abs=1e-9)


@claim("approximate_zcdp.md", "odometer-after-each-answer", numbers=[5, 3, 4, 2])
def test_odometer_after_each_answer(passage):
    """At order 13 and δ = 10⁻⁶, and by the best of many orders where the total is fixed; each number is rounded up."""
    rows = np.reshape([float(number) for number in passage.printed], (4, 4))
    orders = 1 + np.geomspace(1, 100, 100_001)
    costs = 1 / (2 * np.array([5, 3, 4, 2]) ** 2)
    for (cost, total, said, fixed), own, spent in zip(rows, costs, np.cumsum(costs), strict=True):
        assert 0 <= cost - own < 1e-4 and -1e-12 <= total - spent < 1e-4
        assert 0 <= said - (13 * spent + np.log(1e6) / 12) < 1e-3
        assert 0 <= fixed - np.min(orders * spent + np.log(1e6) / (orders - 1)) + 1e-6 < 1.1e-3


@claim("approximate_zcdp.md", "ten-counts-of-a-program-that-crashes", numbers=[1e-5, 10, 8, 1e-5, 1e-5, 1e-5, 2, 1e-5])
def test_ten_counts_of_a_program_that_crashes(passage):
    """The least bound over many orders; the exact δ of ten Gaussian counts and a crash in any run is below it."""
    rho = 10 / (2 * 2**2)
    orders = 1 + np.geomspace(0.1, 100, 1_000_001)
    least = np.min(orders * rho + math.log(1e5) / (orders - 1))
    epsilon = float(passage.printed[0])
    assert least <= epsilon < least + 0.01
    mu, crash = math.sqrt(10) / 2, 1 - (1 - 1e-6) ** 10
    gaussian = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    assert gaussian <= 1e-5 and crash + (1 - crash) * gaussian <= 2e-5


@claim("approximate_zcdp.md", "odometer-at-order-eleven", numbers=[10, 1, 10, 11, 1, 2, 10])
def test_odometer_at_order_eleven(passage):
    """In whole numbers of thousandths, and by the best of many orders where the total is fixed."""
    sums = np.array([25, 100, 400])
    said, fixed = np.reshape([float(number) for number in passage.printed], (2, 3))
    assert said.tolist() == ((11 * sums + 1000) / 1000).tolist()
    orders = 1 + np.geomspace(1, 100, 1_000_001)
    assert fixed == pytest.approx([np.min(orders * total / 1000 + 10 / (orders - 1)) for total in sums], abs=1e-9)
    assert (said == fixed).tolist() == [False, True, False]
    assert said - fixed == pytest.approx((np.sqrt(10 * sums / 1000) - 1) ** 2)
    assert (said >= fixed).all()
