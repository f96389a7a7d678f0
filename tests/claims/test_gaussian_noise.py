"""Checks of chapters/gaussian_noise.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy import optimize
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.accountants import exact_sigma, gaussian_delta, rounded_up
from dp_lib import approx


@claim("gaussian_noise.md", "two-answers-for-one-count")
def test_two_answers_for_one_count(passage):
    classic, least = math.sqrt(2 * math.log(1.25 / 1e-5)), exact_sigma(1, 1e-5)
    assert passage.printed == [*rounded_up([classic, least], 3), f"{100 * (classic / least - 1):.0f}"]


@claim("gaussian_noise.md", "two-answers-at-ten", numbers=[10])
def test_two_answers_at_ten(passage):
    classic, exact = math.sqrt(2 * math.log(1.25 / 1e-5)) / 10, exact_sigma(10, 1e-5)
    assert passage.printed == [f"{math.ceil(1000 * sigma) / 1000:.3f}" for sigma in (classic, exact)]
    assert classic < exact and gaussian_delta(classic, 10) > 1e-5


@claim("gaussian_noise.md", "the-promise-of-the-opening", numbers=[1, 1e-5])
def test_the_promise_of_the_opening(passage):
    sigma, first, second, difference = map(float, passage.printed)
    mu = 1 / sigma
    terms = norm.cdf(mu / 2 - 1 / mu), math.e * norm.cdf(-mu / 2 - 1 / mu)
    assert [first, second] == pytest.approx([1e4 * term for term in terms], abs=6e-4)
    assert 0.99e-5 < terms[0] - terms[1] <= 1e-5 and difference == pytest.approx(1e5 * (terms[0] - terms[1]), abs=6e-4)


def classic_true_delta(epsilon):
    """The true δ of the classic σ for δ = 1e-5, by the two tails of the loss, in 40 digits."""
    with mpmath.workdps(40):
        mu = epsilon / mpmath.sqrt(2 * mpmath.log(mpmath.mpf(125000)))
        return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


@answers(
    "gaussian_noise.md",
    "where-the-classic-formula-fails",
    numbers=[1, 1e-05, 4.845, 3.731],
    choices=[[1], [3], [5], []],
)
def test_question_where_the_classic_formula_fails(question):
    kept = [classic_true_delta(epsilon) <= 1e-5 for epsilon in (1.01, 2, 4, 5, 8)]
    broken = [classic_true_delta(epsilon) > 1e-5 for epsilon in (8.5, 10, 70)]
    assert question.right == [not kept[0], kept[1] and not kept[2], all(kept) and all(broken), not any(broken)]
    assert 25 < 1e-5 / classic_true_delta(3) < 35  # what a reply says
    assert f"{math.sqrt(2 * math.log(125_000)):.3f}" == "4.845"
    assert gaussian_delta(3.73, 1) > 1e-5 > gaussian_delta(3.731, 1)
    first = optimize.brentq(lambda epsilon: float(classic_true_delta(epsilon) - 1e-5), 5, 10)
    assert question.printed[-1] == f"{first:.1f}"
    assert 0.5 * (1 - math.exp(-1)) > 0.3  # half of the losses, each with the weight of a loss of ε + 1


@claim("gaussian_noise.md", "why-the-classic-formula-fails", numbers=[4.845])
def test_why_the_classic_formula_fails():
    """How many standard deviations a loss of ε lies above the mean loss, by draws of the noise."""
    c, y = math.sqrt(2 * math.log(125_000)), np.random.default_rng(4).standard_normal(100_000)
    away = []
    for epsilon in (0.01, 1, 4, 8, 12):
        sigma = c / epsilon
        losses = (sigma * y + 0.5) / sigma**2
        assert losses.mean() == pytest.approx(epsilon**2 / (2 * c**2), abs=0.02 * epsilon / c)
        assert losses.std() == pytest.approx(epsilon / c, rel=0.01)
        away.append((epsilon - losses.mean()) / losses.std())
    assert away[0] == pytest.approx(c, rel=0.01) and (np.diff(away) < 0).all()


@claim("gaussian_noise.md", "proof-of-the-classic-formula-goes-further", numbers=[1e-5])
def test_proof_of_the_classic_formula_goes_further():
    """The estimate of the proof's first case, at ε = 2 and 5."""
    c = math.sqrt(2 * math.log(125_000))
    for epsilon in (2, 5):
        t = c - epsilon / (2 * c)
        assert norm.sf(t) <= math.exp((epsilon - c**2) / 2) / (t * math.sqrt(2 * math.pi)) <= 1e-5


@claim("gaussian_noise.md", "true-delta.alt", numbers=[8])
def test_alt_true_delta():
    c = at_rest("gaussian_noise.md", "true-delta")
    curve, x = c["classic"], c["epsilon"]
    assert curve[0] < 0.01 and c.rises("classic").all() and 8 < x[curve > 1][0] < 9
    assert abs(np.min(c["false", "x"]) - 8.42) < 0.02


def discrete_profile(sigma, epsilon):
    """δ of the discrete Gaussian for counts that differ by 1: its weights, summed over the integers in 40 digits."""
    with mpmath.workdps(40):
        weights = [mpmath.exp(-(mpmath.mpf(x) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for x in range(-200, 201)]
        beyond = [p - mpmath.exp(epsilon) * q for p, q in zip(weights[1:], weights, strict=False)]
        return mpmath.fsum(part for part in beyond if part > 0) / mpmath.fsum(weights)


@claim("gaussian_noise.md", "discrete-gaussian-above-its-promise")
def test_discrete_gaussian_above_its_promise(passage):
    true, kept = discrete_profile(passage.names["sigma"], 1), approx.sigma_discrete(1, 1e-5)
    assert passage.printed == [f"{float(true):.3g}", f"{kept:.4f}"] and true > 1e-5
    assert discrete_profile(kept, 1) <= 1e-5 < discrete_profile(kept * (1 - 1e-6), 1)


@claim("gaussian_noise.md", "area-by-the-formula", numbers=[1, 1, 0.5])
def test_area_by_the_formula(passage):
    assert float(passage.printed[0]) == pytest.approx(gaussian_delta(1, 0.5), abs=5e-4)


@claim("gaussian_noise.md", "classic-at-seventy", numbers=[70, 1e-5])
def test_classic_at_seventy(passage):
    true = classic_true_delta(70)
    assert float(passage.printed[0]) == pytest.approx(float(true), abs=0.005) and true > 0.98


@claim("gaussian_noise.md", "four-counts-out-of-25", numbers=[2, 25, 5])
def test_four_counts_out_of_25(passage):
    """Drawn: up to four of the 25 counts change by at most 1; a narrower pair of bell curves needs a smaller δ."""
    rng = np.random.default_rng(1)
    places = rng.permuted(np.tile(np.arange(25), (1000, 1)), axis=1)[:, :4]
    changes = np.zeros((1000, 25))
    np.put_along_axis(changes, places, rng.integers(-1, 2, (1000, 4)), axis=1)
    farthest = max(math.dist(change, np.zeros(25)) for change in changes)
    enough, colleague, ratio = map(float, passage.printed)
    assert farthest == 2 and gaussian_delta(enough / farthest, 1) <= 1e-5 < gaussian_delta(enough / farthest - 0.001, 1)
    assert colleague == pytest.approx(enough / farthest * math.dist(np.ones(25), np.zeros(25)))
    assert ratio == pytest.approx(colleague / enough)
