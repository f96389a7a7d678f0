"""Checks of chapters/one_by_one.md."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import laplace, norm

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


@claim("one_by_one.md", "four-counts-by-their-pairs")
def test_four_counts_by_their_pairs(passage):
    sigma = math.ceil(2 * exact_sigma(0.1, 1e-5))
    together = normal_epsilon(2 / sigma, 1e-5)
    assert passage.printed == [str(sigma), *rounded_up([together], 4)] and together <= 0.1


@answers("one_by_one.md", "noise-of-100-steps", numbers=[0.1, 1e-05, 100], choices=[[1], [3.7], [11.9]])
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
    simple = [f"{ratio:.1f}" for ratio in ratios]
    assert passage.printed == [f"{times:.2f}", *simple, f"{ratios[0] / times:.1f}"]


@claim("one_by_one.md", "factor-of-100-simple-steps")
def test_factor_of_100_simple_steps(passage):
    """The quotient of the two formulas for σ in the simple formulas, from which ε and the factor k cancel."""
    steps, vector = 16 * math.log(2e5) * math.log(2.5e7), 2 * math.log(1.25e5)
    assert passage.printed == [f"{math.sqrt(steps / vector):.1f}"]


@claim("one_by_one.md", "factor-by-optimal-composition")
def test_factor_by_optimal_composition(passage):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    steps, vector = approx.sigma_exact(low, 5e-8), approx.sigma_exact(0.1, 1e-5, 10)
    assert passage.printed == [f"{math.ceil(steps)}", f"{math.ceil(vector)}", f"{steps / vector:.1f}"]
    assert passage.names["variance_ratio"](100) > 9 * (steps / vector) ** 2
    assert 3.66 < steps / vector < 3.68
    assert abs(passage.names["steps_optimal_sigma"](0.1, 1e-5, 100) / steps - 1) < 1e-4


@claim("one_by_one.md", "distance-from-the-mean-loss", numbers=[100, 0])
def test_distance_from_the_mean_loss(passage):
    """The quantile of the probability that a normal loss exceeds the ε of one of 100 steps."""
    step = brentq(lambda step: least_optimal(step, 1e-5, 100) - 0.1, 1e-3, 1e-2, xtol=1e-9)
    mu = 1 / approx.sigma_exact(step, 5e-8)
    distance = -norm.ppf(norm(mu**2 / 2, mu).sf(step))
    assert passage.printed == [f"{distance:.1f}"] and mu**2 / 2 < 1e-3 * step


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


def mean_loss(moves, sigma):
    """The zCDP budget of a Gaussian answer: the mean of its privacy loss, by an integral for each count that moves."""

    def one(move):
        def loss(y):
            return norm.pdf(y, 0, sigma) * (norm.logpdf(y, 0, sigma) - norm.logpdf(y, move, sigma))

        return quad(loss, -10 * sigma, 10 * sigma)[0]

    return sum(one(move) for move in moves)


@claim("one_by_one.md", "noise-of-the-diagnoses", numbers=[16, 16, 4, 4, 2, 0.02, 4, 0.2, 20])
def test_noise_of_the_diagnoses():
    """Over all numbers of diagnoses that two patients have and share, at most eight each."""
    moved = [a + b - 2 * both for a in range(9) for b in range(9) for both in range(min(a, b) + 1)]
    assert max(moved) == 16 and math.sqrt(max(moved)) == 4
    assert mean_loss([1] * 8 + [-1] * 8, 20) == pytest.approx(0.02)


@claim("one_by_one.md", "diagnoses-one-by-one", numbers=[20, 0.00125, 400, 0.00125, 0.5, 25])
def test_diagnoses_one_by_one():
    one = mean_loss([1], 20)
    assert one == pytest.approx(0.00125) and 400 * one == pytest.approx(0.5)
    assert 400 * one == pytest.approx(25 * mean_loss([1] * 8 + [-1] * 8, 20))


@claim("one_by_one.md", "epsilon-of-the-diagnoses", numbers=[0.02, 0.02, 8, 0.82, 0.5, 0.5, 8, 4.5])
def test_epsilon_of_the_diagnoses():
    """The conversion is the least of ρα + 8/(α - 1) over the orders, found on a grid, and it is above the exact ε."""
    orders = 1 + np.geomspace(0.1, 1000, 400_001)
    for rho, epsilon in ((0.02, 0.82), (0.5, 4.5)):
        assert (orders * rho + 8 / (orders - 1)).min() == pytest.approx(epsilon, abs=1e-6)
        assert normal_epsilon(math.sqrt(2 * rho), math.exp(-8)) < epsilon


@claim(
    "one_by_one.md",
    "three-statements-at-sigma-200",
    numbers=[0.75, 100, 0.75, 1e-5, 0.25, 100, 0.25, 1e-5, 0.2, 100, 0.2, 1e-5],
)
def test_three_statements_at_sigma_200():
    """The least ε at which σ = 200 is enough, each between a stop of the slider and the stop to its left."""
    pairs = least_optimal(normal_epsilon(1 / 200, 1e-5 / 200), 1e-5, 100)
    orders = 1 + np.geomspace(1, 1e5, 400_001)
    budget = (orders * mean_loss([1], 200) * 100 + math.log(1e5) / (orders - 1)).min()
    vector = normal_epsilon(10 / 200, 1e-5)
    for least, stop in ((pairs, 0.75), (budget, 0.25), (vector, 0.2)):
        assert stop - 0.05 < least <= stop


def noises(k):
    """The three standard deviations at (1, 1e-5) for k counts: two of Laplace noise and one of Gaussian noise."""
    scale = brentq(lambda b: np.ptp([laplace.logpdf(0, 0, b), laplace.logpdf(0, 1, b)]) * k - 1, 0.1, 1000)

    def spent(step):
        lies = np.arange(k + 1)
        ways = np.array([float(math.comb(k, lie)) for lie in lies]) / (1 + math.exp(step)) ** k
        return ways @ np.maximum(np.exp((k - lies) * step) - np.exp(1 + lies * step), 0)

    step = brentq(lambda s: spent(s) - 1e-5, 1 / k + 1e-9, 1, xtol=1e-15)
    return [laplace.std(scale=scale), laplace.std(scale=1 / step), math.sqrt(k) * exact_sigma(1, 1e-5)], step


@claim("one_by_one.md", "three-noises-for-four-counts", numbers=[4])
def test_three_noises_for_four_counts(passage):
    basic, optimal, gauss = noises(4)[0]
    assert passage.printed == rounded_up([basic, optimal, gauss], 3)
    assert basic < gauss and 0.999 < optimal / basic < 1


@claim("one_by_one.md", "three-noises-for-hundred-counts", numbers=[100])
def test_three_noises_for_hundred_counts(passage):
    basic, optimal, gauss = noises(100)[0]
    assert passage.printed == rounded_up([basic, optimal, gauss], 2)
    assert optimal < basic / 2 and gauss < optimal


@claim("one_by_one.md", "laplace-loss-in-between", numbers=[100])
def test_laplace_loss_in_between(passage):
    """The share of the output between the two counts, and outside it the loss is one of two values."""
    step = noises(100)[1]
    between = quad(lambda y: laplace.pdf(y, 0, 1 / step), 0, 1)[0]
    assert passage.printed == [f"{between:.3f}"]
    y = np.concatenate([np.linspace(-99, 0, 100), np.linspace(1, 99, 99)])
    assert abs(laplace.logpdf(y, 0, 1 / step) - laplace.logpdf(y, 1, 1 / step)) == pytest.approx(step)
