"""Zero-concentrated DP (zCDP): `gaussian(sigma)` returns the budget ρ of the Gaussian mechanism.

ρ-zCDP bounds the Rényi divergence of every order by a line, D_α <= ρα (Bun & Steinke 2016).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dp_lib import domain, rdp


def gaussian(sigma: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the ρ of the Gaussian mechanism: Δ²/2σ².

    Parameters
    ----------
    sigma : standard deviation of the noise, > 0, in the query's units; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Bun & Steinke 2016, Proposition 1.6.

    >>> float(gaussian(200))
    1.25e-05
    """
    sigma = domain.positive("sigma", sigma)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return (sensitivity / sigma) ** 2 / 2


def laplace(scale: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the ρ of the Laplace mechanism: r + e^(-r) - 1 with r = Δ/b, its divergence at order 1.

    Parameters
    ----------
    scale : b of the Laplace noise, > 0, in the query's units; broadcasts
    sensitivity : L1 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Harrison & Manurangsi, arXiv 2510.25746.

    >>> round(float(laplace(1)), 6)
    0.367879
    """
    return rdp.laplace(1, scale, sensitivity)


def from_pure(epsilon: ArrayLike) -> NDArray:
    """Return the ρ of every ε-DP mechanism: ε·tanh(ε/2), all of which randomized response needs.

    The simpler bound is ε²/2.

    Parameters
    ----------
    epsilon : pure budget, >= 0; broadcasts

    References
    ----------
    Bun & Steinke 2016, Proposition 1.4, for ε²/2; Steinke 2024 ("Tight RDP & zCDP Bounds from Pure DP") for this form.

    >>> round(float(from_pure(1)), 6)
    0.462117
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    return epsilon * np.tanh(epsilon / 2)


def exponential(epsilon: ArrayLike) -> NDArray:
    """Return the ρ of the exponential mechanism, with probabilities in proportion to e^(ε score / 2Δ): ε²/8.

    For a small ε this is a quarter of what `from_pure` allows. It holds for every mechanism whose losses against one
    neighbour lie in an interval of length ε and not 2ε, because one record moves each score by at most Δ, so each
    logarithm by at most ε/2, and their normalisation moves all alike. Proof. By Hoeffding's lemma a loss L in such an
    interval has E e^((α-1)L) <= e^((α-1)E L + (α-1)²ε²/8) at every α; at α = 0 the left side is 1, so that E L <= ε²/8,
    and D_α <= ε²/8 + (α-1)ε²/8.

    Parameters
    ----------
    epsilon : ε of `mechanisms.exponential`, >= 0; broadcasts

    References
    ----------
    Cesar & Rogers 2021; Dong, Durfee & Rogers 2020 for the range of the losses.

    >>> float(exponential(0.5))
    0.03125
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    return epsilon**2 / 8


def sigma(rho: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the σ of the Gaussian noise that gives ρ-zCDP: Δ/√(2ρ).

    Parameters
    ----------
    rho : budget, > 0, dimensionless; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Bun & Steinke 2016, Proposition 1.6.

    >>> float(sigma(0.5))
    1.0
    """
    rho = domain.positive("rho", rho)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / np.sqrt(2 * rho)


def compose(*budgets: ArrayLike) -> NDArray:
    """Return the ρ of an adaptive composition of zCDP mechanisms: Σρ.

    Parameters
    ----------
    budgets : the ρ of each, >= 0, dimensionless; they broadcast. None at all compose to 0.

    References
    ----------
    Bun & Steinke 2016, Lemma 1.7.

    >>> float(compose(0.25, 0.5))
    0.75
    """
    return sum((domain.nonnegative("rho", rho) for rho in budgets), domain.NOTHING)


def repeat(rho: ArrayLike, k: ArrayLike) -> NDArray:
    """Return the ρ of k mechanisms of one ρ: kρ.

    Parameters
    ----------
    rho : budget of one, >= 0, dimensionless; broadcasts
    k : how many, a whole number >= 0

    References
    ----------
    Bun & Steinke 2016, Lemma 1.7.

    >>> float(repeat(1.25e-05, 500))
    0.00625
    """
    rho = domain.nonnegative("rho", rho)
    k = domain.count("k", k)
    return k * rho


def group(rho: ArrayLike, size: ArrayLike) -> NDArray:
    """Return the ρ for a group of `size` people: size²·ρ.

    Parameters
    ----------
    rho : budget for one person, >= 0, dimensionless; broadcasts
    size : people in the group, a whole number >= 1

    References
    ----------
    Bun & Steinke 2016.

    >>> float(group(0.5, 3))
    4.5
    """
    rho = domain.nonnegative("rho", rho)
    size = domain.positive_count("size", size)
    return size**2 * rho


def epsilon(rho: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return an ε at which a ρ-zCDP mechanism is (ε, δ)-DP: ρ + 2√(ρ ln(1/δ)).

    Parameters
    ----------
    rho : budget, >= 0, dimensionless; broadcasts with delta
    delta : δ, 0 < delta < 1

    References
    ----------
    Bun & Steinke 2016, Proposition 1.3.

    >>> round(float(epsilon(0.00625, 1e-5)), 7)
    0.5427415
    """
    rho = domain.nonnegative("rho", rho)
    delta = domain.fraction("delta", delta)
    return rho + 2 * np.sqrt(rho * -np.log(delta))


def epsilon_tight(rho: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return a smaller ε than `epsilon`, by the tight conversion: the least `rdp.epsilon_tight(α, αρ, δ)` over all α.

    With t = α - 1 the best order solves ρt² + ln(1+t) = ln(1/δ), convex in ln t: Newton's steps close in on it from
    one side. Every order gives a valid ε, so a step too few errs upward.

    Parameters
    ----------
    rho : budget, >= 0, dimensionless; broadcasts with delta
    delta : δ, 0 < delta < 1

    References
    ----------
    Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> round(float(epsilon_tight(0.00625, 1e-5)), 7)
    0.4233192
    """
    rho = domain.nonnegative("rho", rho)
    delta = domain.fraction("delta", delta)
    some = np.where(rho == 0, 1.0, rho)
    ell = -np.log(delta)
    # Start where either of the two terms alone reaches ln(1/δ).
    log_t = np.minimum((np.log(ell) - np.log(some)) / 2, ell + np.log(-np.expm1(-ell)))
    for _ in range(6):
        t, square = np.exp(log_t), np.exp(2 * log_t + np.log(some))
        log_t = log_t - (square + np.log1p(t) - ell) / (2 * square + t / (1 + t))
    t = np.exp(log_t)
    tight = some * (1 + t) - np.log1p(1 / t) + (ell - np.log1p(t)) / t
    return (rho > 0) * np.maximum(tight, 0)


def delta(rho: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return a δ at which a ρ-zCDP mechanism is (ε, δ)-DP: e^(-(ε-ρ)²/4ρ), 1 for ε <= ρ.

    This is `epsilon` solved for δ.

    Parameters
    ----------
    rho : budget, >= 0, dimensionless (ρ = 0 gives δ = 0); broadcasts with epsilon
    epsilon : ε >= 0

    References
    ----------
    Bun & Steinke 2016, Proposition 1.3.

    >>> round(float(delta(0.00625, 0.5427415)), 8)
    1e-05
    """
    rho = domain.nonnegative("rho", rho)
    epsilon = domain.nonnegative("epsilon", epsilon)
    some = np.where(rho == 0, 1.0, rho)
    tail = np.maximum(epsilon - some, 0) / (2 * np.sqrt(some))
    return (rho > 0) * np.exp(-(tail**2))


def delta_tight(rho: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return a smaller δ than `delta`, by the tight conversion: the least `rdp.delta_tight(α, αρ, ε)` over all α.

    With w = ln(α/(α-1)) the best order solves (w + ε - ρ)(e^w - 1) = 2ρ, whose log is concave in w: Newton's steps
    close in on it from one side. Every order gives a valid δ, so a step too few errs upward.

    Parameters
    ----------
    rho : budget, >= 0, dimensionless (ρ = 0 gives δ = 0); broadcasts with epsilon
    epsilon : ε >= 0

    References
    ----------
    Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> round(float(delta_tight(0.00625, 0.4233192)), 8)
    1e-05
    """
    rho = domain.nonnegative("rho", rho)
    epsilon = domain.nonnegative("epsilon", epsilon)
    some = np.where(rho == 0, 1.0, rho)
    # Beyond these two ends δ is 1, or 0, to 12 digits, and any order near by shows it.
    over = np.clip(epsilon - some, -30.0, 60 * np.sqrt(some))
    low = np.log1p(4 * some / (over + np.sqrt(over**2 + 8 * some)))
    lambert = np.log1p(2 * some * np.exp(np.minimum(over, 0)))
    w = np.maximum(low, lambert / (1 + lambert) - over)
    for _ in range(5):
        log_ratio = np.log((w + over) / (2 * some)) + w + np.log(-np.expm1(-w))
        w = w - log_ratio / (1 / (w + over) - 1 / np.expm1(-w))
    t = np.exp(-w) / -np.expm1(-w)  # α - 1
    log_delta = t * (some * t - (epsilon - some) - w) - np.log1p(t)
    return (rho > 0) * np.exp(np.minimum(log_delta, 0))
