"""Gaussian DP (GDP): `gaussian(sigma)` returns the budget μ of the Gaussian mechanism.

Two neighbours under a μ-GDP mechanism are no easier to tell apart than N(0, 1) and N(μ, 1) (Dong, Roth & Su 2022). For
the Gaussian mechanism nothing is lost: `epsilon` and `delta` are exact, the reference for every bound of the book.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, expit, log_ndtr, ndtr, ndtri

from dp_lib import domain


def gaussian(sigma: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the μ of the Gaussian mechanism: Δ/σ.

    Parameters
    ----------
    sigma : standard deviation of the noise, > 0, in the query's units; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dong, Roth & Su 2022.

    >>> float(gaussian(200))
    0.005
    """
    sigma = domain.positive("sigma", sigma)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / sigma


def from_pure(epsilon: ArrayLike) -> NDArray:
    """Return the μ of every ε-DP mechanism: 2Φ⁻¹(e^ε/(1+e^ε)). Randomized response needs all of it.

    Proof. The least type II error of a test on an ε-DP mechanism is at least 1 - e^ε a and e^(-ε)(1 - a), two lines
    that meet at a = 1/(1+e^ε) = Φ(-μ/2), where the error is a as well. There Φ(Φ⁻¹(1-a) - μ) has the same value; it is
    convex in a and shares the ends (0, 1) and (1, 0) with the lines, so it lies below both. Randomized response has
    the lines themselves, and a smaller μ lies above them where they meet.

    Parameters
    ----------
    epsilon : pure budget, 0 <= epsilon <= 700 (beyond, μ > 74: two normals that no one mixes up); broadcasts

    References
    ----------
    Wasserman & Zhou 2010 for the two lines; the proof above.

    >>> round(float(from_pure(1)), 6)
    1.232035
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    epsilon = domain.condition("epsilon", epsilon, epsilon <= 700, "<= 700")
    tilt = np.tanh(epsilon / 2)  # 2Φ(μ/2) - 1, of which a small one keeps its digits
    w = np.pi * tilt**2
    series = np.sqrt(2 * np.pi) * tilt * (1 + w / 12 * (1 + 7 * w / 40 * (1 + 127 * w / 588)))
    return np.where(epsilon < 0.03, series, -2 * ndtri(expit(-epsilon)))[()]


def sigma(mu: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the σ of the Gaussian noise that gives μ-GDP: Δ/μ.

    Parameters
    ----------
    mu : budget, > 0, dimensionless; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dong, Roth & Su 2022.

    >>> float(sigma(0.5))
    2.0
    """
    mu = domain.positive("mu", mu)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / mu


def compose(*budgets: ArrayLike) -> NDArray:
    """Return the μ of an adaptive composition of GDP mechanisms: √Σμ².

    Parameters
    ----------
    budgets : the μ of each, >= 0, dimensionless; they broadcast. None at all compose to 0.

    References
    ----------
    Dong, Roth & Su 2022, Corollary 3.3 (numbered as in arXiv 1905.02383).

    >>> float(compose(3, 4))
    5.0
    """
    mus = [domain.nonnegative("mu", mu) for mu in budgets]
    return np.sqrt(sum((mu**2 for mu in mus), np.float64(0)))


def repeat(mu: ArrayLike, k: ArrayLike) -> NDArray:
    """Return the μ of k mechanisms of one μ: √k μ.

    Parameters
    ----------
    mu : budget of one, >= 0, dimensionless; broadcasts
    k : how many, a whole number >= 0

    References
    ----------
    Dong, Roth & Su 2022, Corollary 3.3 (numbered as in arXiv 1905.02383).

    >>> float(repeat(0.005, 400))
    0.1
    """
    mu = domain.nonnegative("mu", mu)
    k = domain.count("k", k)
    return np.sqrt(k) * mu


def group(mu: ArrayLike, size: ArrayLike) -> NDArray:
    """Return the μ for a group of `size` people: size·μ.

    Parameters
    ----------
    mu : budget for one person, >= 0, dimensionless; broadcasts
    size : people in the group, a whole number >= 1

    References
    ----------
    Dong, Roth & Su 2022.

    >>> float(group(0.5, 3))
    1.5
    """
    mu = domain.nonnegative("mu", mu)
    size = domain.positive_count("size", size)
    return size * mu


def trade_off(mu: ArrayLike, type_one_error: ArrayLike) -> NDArray:
    """Return the least type II error of any test that tells two neighbours apart: Φ(Φ⁻¹(1 - a) - μ).

    Parameters
    ----------
    mu : budget, >= 0, dimensionless; broadcasts
    type_one_error : a, the test's chance of a false alarm, between 0 and 1

    References
    ----------
    Dong, Roth & Su 2022.

    >>> round(float(trade_off(1, 0.05)), 6)
    0.740489
    """
    mu = domain.nonnegative("mu", mu)
    a = domain.probability("type_one_error", type_one_error)
    return ndtr(-ndtri(a) - mu)


def delta(mu: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return the least δ at which every μ-GDP mechanism is (ε, δ)-DP, its exact privacy profile.

    δ = Φ(μ/2 - ε/μ) - e^ε Φ(-μ/2 - ε/μ).

    Parameters
    ----------
    mu : budget, >= 0, dimensionless; broadcasts with epsilon
    epsilon : ε >= 0

    References
    ----------
    Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Corollary 2.13 (numbered as in arXiv 1905.02383).

    >>> round(float(delta(1, 1)), 6)
    0.126937
    """
    mu = domain.nonnegative("mu", mu)
    epsilon = domain.nonnegative("epsilon", epsilon)
    some = np.where(mu == 0, 1.0, mu)
    # Past x = 45 δ is below the least float: no need to divide on.
    x = np.minimum(epsilon, some * (some / 2 + 45)) / some - some / 2
    log_delta, _, _ = _log_delta(some, x)
    return (mu > 0) * np.exp(np.minimum(log_delta, 0))


def epsilon(mu: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return the least ε >= 0 at which every μ-GDP mechanism is (ε, δ)-DP: `delta` solved for ε.

    log δ is concave in ε, so each of Newton's steps ends on the safe side of the root, at a larger ε. Seven steps from
    the tail bound P(L > ε) <= δ reach it to 1e-12 (relative to ε where δ is at most .8 of δ at ε = 0, and to μ beyond),
    and what is left of rounding errs upward.

    Parameters
    ----------
    mu : budget, >= 0, dimensionless; broadcasts with delta
    delta : δ, 0 < delta < 1

    References
    ----------
    Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Corollary 2.13 (numbered as in arXiv 1905.02383).

    >>> round(float(epsilon(0.005, 1e-5)), 7)
    0.0125134
    """
    mu = domain.nonnegative("mu", mu)
    delta = domain.fraction("delta", delta)
    some = np.where(mu == 0, 1.0, mu)
    target = np.log(delta)
    x = -ndtri(delta)
    for _ in range(7):
        x = np.maximum(x, -some / 2)  # ε >= 0
        log_delta, slope, _ = _log_delta(some, x)
        x = x - (log_delta - target) / slope
    return (mu > 0) * np.maximum(some * (x + some / 2), 0)


def _log_delta(mu: NDArray, x: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return log δ, rounded up, its slope in x at this μ, and in μ at this ε. x = ε/μ - μ/2, so P(L > ε) = Φ(-x).

    δ = Φ(-x)(1 - R), R = e^ε Φ(-x - μ)/Φ(-x), a ratio of two Mills ratios: nothing overflows. 1 - R loses its digits
    at small μ, so there log R is the integral of -g = (log erfcx)' between its two ends, by the trapezoid rule with
    end corrections.
    """
    a, b, h = x / np.sqrt(2), (x + mu) / np.sqrt(2), mu / np.sqrt(2)
    erfcx_a, erfcx_b = erfcx(a), erfcx(b)
    ratio = erfcx_b / erfcx_a
    pull_a, pull_b = 2 / np.sqrt(np.pi) / erfcx_a, 2 / np.sqrt(np.pi) / erfcx_b
    g_a, g_b = pull_a - 2 * a, pull_b - 2 * b
    bend = pull_a * g_a - pull_b * g_b
    twist = _third_slope(pull_a, g_a) - _third_slope(pull_b, g_b)
    minus_log_ratio = h / 2 * (g_a + g_b) + h**2 / 12 * (bend - h**2 / 60 * twist)
    small = mu < 0.01 + 0.01 * np.maximum(x, 0)
    gap = np.where(small, -np.expm1(-np.maximum(minus_log_ratio, 0)), 1 - ratio)
    log_gap = np.where(small, np.log(gap), np.log1p(-np.where(small, 0.0, ratio)))
    log_tail = log_ndtr(-x)
    rounding = 2e-15 * (ratio / np.where(small, 0.2, gap) - log_tail)
    return log_tail + log_gap + rounding, -mu * ratio / gap, pull_a / np.sqrt(2) / gap


def _third_slope(pull: NDArray, g: NDArray) -> NDArray:
    """Return the third derivative of g = pull - 2x, where pull' = pull·g."""
    return pull * (g * (g**2 + 4 * pull * g + pull**2 - 6) - 2 * pull)
