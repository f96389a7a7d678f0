"""Checks of chapters/accounts.md."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, laplace, norm

from claims import answers, at_rest, claim
from claims.test_choosing import gaussian_delta, least_epsilon
from dp_lib.pld import PrivacyLoss


@claim("accounts.md", "gaussian-smaller-in-the-tail", numbers=[1000, 4, 5])
def test_gaussian_smaller_in_the_tail(passage):
    sigma = brentq(lambda s: float(gaussian_delta(1 / s, 1)) - 1e-6, 1, 20)
    star = sigma**2 / 2

    def at(k):
        return (laplace.isf(5e-4, scale=k), norm.isf(5e-4, scale=np.sqrt(k) * sigma))

    meet = brentq(lambda k: at(k)[0] - at(k)[1], 0.1, 100)
    laplace_error, gaussian_error, factor, again, share, crossing = map(float, passage.printed)
    assert laplace_error == round(laplace.isf(5e-4) / laplace.std(), 1) and gaussian_error == round(norm.isf(5e-4), 1)
    assert factor == again == round(laplace.isf(5e-4) / laplace.std() / norm.isf(5e-4), 2)
    assert meet / star <= share < meet / star + 0.01
    assert crossing == round(star, 1) and 4 < meet < share * crossing < 5


@answers("accounts.md", "largest-over-smallest-number", choices=[[1.4], [4], [10], [40]])
def test_question_largest_over_smallest_number(question):
    step = np.sqrt(2 * np.log(1.25 * 500 / 1e-5)) / 200
    times = 500 * step / least_epsilon(np.sqrt(500) / 200, 1e-5)
    assert question.right == [times == pytest.approx(said, rel=0.1) for said in (1.4, 4, 10, 40)]


@claim("accounts.md", "two-numbers-of-five-rows")
def test_two_numbers_of_five_rows(passage):
    rho, exact = 500 / (2 * 200**2), least_epsilon(np.sqrt(500) / 200, 1e-5)
    orders = np.geomspace(1.01, 1e4, 200_001)
    tight = (orders * rho + np.log1p(-1 / orders) - (np.log(1e-5) + np.log(orders)) / (orders - 1)).min()
    classic = (orders * rho + np.log(1e5) / (orders - 1)).min()
    assert passage.printed[-2:] == [f"{tight / exact:.2f}", f"{classic / exact:.2f}"]
    shown = {name: value / exact for name, value in passage.names["hospital"].items()}
    assert [shown[name] for name in ("RDP, tight", "zCDP, tight")] == pytest.approx([tight / exact] * 2, rel=1e-5)
    assert [shown[name] for name in ("CDP", "RDP", "zCDP")] == pytest.approx([classic / exact] * 3, rel=1e-5)


@claim("accounts.md", "calculator-near-the-truth")
def test_calculator_near_the_truth(passage):
    """A hundred answers have the largest distance, where the calculator takes each for a randomized response."""
    losses = (100 - 2 * np.arange(101)) * 0.1
    mass = binom.pmf(np.arange(101), 100, 1 / (1 + np.exp(0.1)))
    least = brentq(lambda e: (mass * np.maximum(-np.expm1(e - losses), 0)).sum() - 1e-5, 0, 10)
    excess = passage.names["excess"]
    assert len(excess) == 3 and max(excess) == excess[1]
    above = 100 * (least / PrivacyLoss.laplace(10).repeat(100).epsilon(1e-5).lower - 1)
    assert above <= float(passage.printed[0]) < above + 0.1


@answers("accounts.md", "laplace-noise-over-gaussian", numbers=[1, 1e-06, 1000], choices=[[10], [32], [100], [1000]])
def test_question_laplace_noise_over_gaussian(question):
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.05, 0.5)  # of all counts together

    def times(k):
        return np.sqrt(2) * k / (np.sqrt(k) / mu)

    assert question.right == [abs(times(1000) / offered - 1) < 0.1 for offered in (10, 32, 100, 1000)]
    assert times(8) < 1 < times(9) and abs(3 * times(1) - 1) < 0.05
    assert question.printed == [f"{times(1000):.1f}"]


@claim("accounts.md", "two-laplace-answers-need-bounds")
def test_two_laplace_answers_need_bounds():
    two = PrivacyLoss.laplace(1).repeat(2)
    beyond = [-np.log1p(-two.delta(e).lower) for e in (0.5, 1.0, 1.5)]  # a line in ε for one answer
    assert abs(beyond[0] - 2 * beyond[1] + beyond[2]) > 0.01


@claim("accounts.md", "calculator.alt", numbers=[3])
def test_alt_calculator():
    seen = at_rest("accounts.md", "calculator")
    curves = {name: seen[name] for name in seen.figure.curves}
    pairs = np.array([curve for name, curve in curves.items() if name.startswith("(ε, δ)")])
    rest = np.array([curves[name] for name in ("CDP", "RDP", "RDP, tight", "zCDP", "zCDP, tight")])
    many = seen["k"] > 100
    assert (np.nanmin(pairs, axis=0) > 2 * rest.max(axis=0))[many].all() and (
        rest.max(axis=0) < 2 * rest.min(axis=0)
    ).all()
    assert (curves["exact"] < rest.min(axis=0)).all()


@claim("accounts.md", "noise-needed.alt", numbers=[2])
def test_alt_noise_needed():
    seen = at_rest("accounts.md", "noise-needed")
    slopes = {}
    for name in seen.figure.curves:
        known = np.flatnonzero(np.isfinite(seen[name]) & (seen["k"] > 100))
        slopes[name] = np.polyfit(np.log(seen["k"][known]), np.log(seen[name][known]), 1)[0]
    steep = {"Laplace, ε-DP", "Gaussian, basic"}
    assert all(slope == pytest.approx(1 if name in steep else 0.5, abs=0.06) for name, slope in slopes.items())
    ends = {name: seen[name][-1] for name in slopes}
    assert min(ends[name] for name in steep) > 3 * max(end for name, end in ends.items() if name not in steep)


@claim("accounts.md", "calculator.caption", numbers=[0.5])
def test_basic_below_optimal_composition():
    """The classic σ read backwards; optimal composition by the binomial tail."""
    k, sigma, delta = 20, 18.9, 1e-6
    basic = k * np.sqrt(2 * np.log(1.25 * k / delta)) / sigma
    step = np.sqrt(2 * np.log(2.5 * k / delta)) / sigma
    told, losses = 1 - (1 - delta / 2 / k) ** k, (k - 2 * np.arange(k + 1)) * step
    mass = binom.pmf(np.arange(k + 1), k, 1 / (1 + np.exp(step)))

    def profile(epsilon):
        return told + (1 - told) * (mass * np.maximum(-np.expm1(epsilon - losses), 0)).sum()

    optimal = brentq(lambda epsilon: profile(epsilon) - delta, 0, k * step)
    assert optimal > basic


@claim("accounts.md", "counts-tends-times-gaussian", numbers=[2])
def test_counts_tends_times_gaussian(passage):
    laplace, gaussian = passage.names["deviation_laplace_zcdp"], passage.names["sigma_zcdp_tight"]
    for epsilon in (1.0, 8.0):
        ratios = [laplace(epsilon, 1e-6, k) / gaussian(epsilon, 1e-6, k) for k in (1, 10, 100, 1000, 100_000)]
        assert (np.diff(ratios) > 0).all() and 1.413 < ratios[-1] < np.sqrt(2)


@claim("accounts.md", "laplace-noise-standard-deviation")
def test_laplace_noise_standard_deviation(passage):
    assert float(passage.printed[0]) == round(float(np.sqrt(2)), 2)
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    assert 1 / mu <= float(passage.printed[1]) < 1 / mu + 0.01
    assert np.sqrt(2) < 1 / mu  # Laplace noise has the smaller standard deviation


@claim("accounts.md", "weak-laplace-answers-are-nearly-binary", numbers=[100, 500])
def test_weak_laplace_answers_are_nearly_binary(passage):
    """The share of answers at which neither log-density is parallel to the other: between the two counts."""
    y, width = np.linspace(-3000, 3001, 6_001_001, retstep=True)
    loss = (abs(y - 1) - abs(y)) / 100
    between = abs(loss) < 0.01 - 1e-9
    share = width * laplace.pdf(y, scale=100)[between].sum()
    assert float(passage.printed[-1]) == pytest.approx(100 * share, abs=0.05)
