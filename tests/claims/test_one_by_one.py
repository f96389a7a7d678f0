"""Checks of chapters/one_by_one.md."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.accountants import exact_sigma, least_optimal, normal_epsilon, rounded_up
from dp_lib import approx


@claim("one_by_one.md", "four-counts-published-in-two-ways")
def test_four_counts_published_in_two_ways(passage):
    """The σ of a vector of four counts, and what four pairs add up to, from the normal distribution."""
    sigma = math.ceil(2 * exact_sigma(0.1, 1e-5))
    step = normal_epsilon(1 / sigma, 1e-5 / 4)
    assert passage.printed == [str(sigma), *rounded_up([step], 4), *rounded_up([4 * step], 2)]
    assert 4 * step > 2 * 0.1 and normal_epsilon(2 / sigma, 1e-5) <= 0.1


@answers("one_by_one.md", "noise-of-100-steps", numbers=[0.1, 1e-05, 100], choices=[[], [3.7], [11.9]])
def test_question_noise_of_100_steps(question):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    times = approx.sigma_exact(low, 5e-8) / approx.sigma_exact(0.1, 1e-5, 10)
    assert question.right == [times < 1.01, 3.6 < times < 3.75, times > 11]


@claim("one_by_one.md", "factor-by-the-simple-form")
def test_factor_by_the_simple_form(passage):
    ratios = [math.sqrt(8 * math.log(2e5) * math.log(2.5 * k / 1e-5) / math.log(1.25e5)) for k in (100, 1)]
    times = passage.names["steps_optimal_sigma"](0.1, 1e-5, 100) / approx.sigma_exact(0.1, 1e-5, 10)
    assert passage.printed == [f"{times:.2f}", *(f"{ratio:.1f}" for ratio in [*ratios, ratios[0] / times])]


@claim("one_by_one.md", "factor-by-optimal-composition")
def test_factor_by_optimal_composition(passage):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    steps, vector = approx.sigma_exact(low, 5e-8), approx.sigma_exact(0.1, 1e-5, 10)
    numbers = [f"{math.ceil(steps)}", f"{math.ceil(vector)}", f"{steps / vector:.1f}"]
    both = math.sqrt(passage.names["variance_ratio"](100))
    assert passage.printed == [*numbers, f"{both:.1f}", f"{both / (steps / vector):.1f}"]
    assert 3.66 < steps / vector < 3.68
    assert abs(passage.names["steps_optimal_sigma"](0.1, 1e-5, 100) / steps - 1) < 1e-4


@claim("one_by_one.md", "counts-noise.alt", numbers=[0.5])
def test_alt_counts_noise():
    c = at_rest("one_by_one.md", "counts-noise")
    simple, optimal, vector = c["steps, simple form"], c["steps, optimal"], c["vector, classic"]
    assert (simple / vector > 10).all() and (simple / vector < 14).all()
    apart = optimal / c["vector, exact"]
    assert apart[0] < 1.06 and (apart[50:] > 2).all() and apart[-1] == pytest.approx(apart.max(), rel=0.01)
    assert (optimal[100:] > vector[100:]).all() and (optimal < simple).all()
    assert np.allclose(vector / c["zCDP, either way"], 1, atol=0.05)


@claim("one_by_one.md", "table-of-accountings")
def test_table_of_accountings(passage):
    def pair(sigma, delta, steps):
        """The least ε of so many Gaussian counts at this δ: the profile, solved by halving."""
        low, high, mu = 0.0, 50.0, math.sqrt(steps) / sigma
        for _ in range(60):
            middle = (low + high) / 2
            profile = norm.cdf(mu / 2 - middle / mu) - math.exp(middle) * norm.cdf(-mu / 2 - middle / mu)
            low, high = (middle, high) if profile > delta else (low, middle)
        return high

    one = pair(50, 1e-5 / 200, 1)
    advanced = one * math.sqrt(200 * math.log(2e5)) + 100 * one * math.expm1(one)
    proved = [advanced, least_optimal(one, 1e-5, 100), pair(50, 1e-5, 100)]
    for bound, printed in zip(proved, map(float, passage.printed), strict=True):
        assert bound * (1 - 1e-9) <= printed < bound + 0.01


@claim("one_by_one.md", "steps-against-the-vector")
def test_steps_against_the_vector(passage):
    pair = 0.1 / math.sqrt(800 * math.log(2e5)), 1e-5 / 200
    steps = math.sqrt(2 * math.log(1.25 / pair[1])) / pair[0]
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert passage.printed[:2] == [f"{math.ceil(steps)}", f"{math.ceil(vector)}"]
    assert passage.printed[2:] == [f"{steps / vector:.1f}", f"{(steps / vector) ** 2:.0f}"]


@claim("one_by_one.md", "nine-counts-in-a-vector", numbers=[30, 20, 50, 25])
def test_nine_counts_in_a_vector():
    """The losses of one count and of each vector have the same mean, so they have the same normal distribution."""
    one = 1 / (2 * 10**2)
    for moves, sigma in ((np.ones(9), 30), (np.append(np.ones(4), np.zeros(5)), 20), (np.ones(25), 50)):
        assert (moves**2).sum() / (2 * sigma**2) == pytest.approx(one)


@claim("one_by_one.md", "sixteen-normal-counts", numbers=[16, 40, 0.1, 10])
def test_sixteen_normal_counts():
    """In two dimensions by a sum over a grid, for several c and μ; and the numbers of sixteen counts."""
    y = np.arange(-10, 10.001, 0.02)
    for mu, c in ((0.7, 0.5), (1.5, 1), (1.5, 3)):
        p, q = (np.outer(norm.pdf(y, mean), norm.pdf(y, mean)) for mean in (mu, 0))
        both = np.maximum(p - c * q, 0).sum() * 0.02**2
        one = np.maximum(norm.pdf(y, math.sqrt(2) * mu) - c * norm.pdf(y), 0).sum() * 0.02
        assert both == pytest.approx(one, abs=2e-4)
    assert math.sqrt(16) / 40 == pytest.approx(1 / 10)
