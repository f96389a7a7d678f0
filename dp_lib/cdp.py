"""Concentrated DP (CDP): `gaussian(sigma)` returns the budget (μ, τ) of the Gaussian mechanism.

The privacy loss of a (μ, τ)-CDP mechanism has mean at most μ, and about its mean it is subgaussian with parameter τ
(Dwork & Rothblum 2016). A budget is `Concentrated(mu, tau)`, or a plain pair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dp_lib import domain


class Concentrated(NamedTuple):
    """A (μ, τ)-CDP budget: mu, the loss's mean, and tau, its subgaussian parameter, dimensionless."""

    mu: Any
    tau: Any


Budget = Concentrated | tuple[ArrayLike, ArrayLike]


def gaussian(sigma: ArrayLike, sensitivity: ArrayLike = 1) -> Concentrated:
    """Return the (μ, τ) of the Gaussian mechanism: (Δ²/2σ², Δ/σ), where the loss is exactly normal.

    Parameters
    ----------
    sigma : standard deviation of the noise, > 0, in the query's units; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dwork & Rothblum 2016.

    >>> tuple(map(float, gaussian(2)))
    (0.125, 0.5)
    """
    sigma = domain.positive("sigma", sigma)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return Concentrated((sensitivity / sigma) ** 2 / 2, sensitivity / sigma)


def from_pure(epsilon: ArrayLike) -> Concentrated:
    """Return the (μ, τ) of every ε-DP mechanism: (ε·tanh(ε/2), √(2ε·tanh(ε/2))) for ε <= 5.25.

    These are randomized response's own. That no loss needs a larger τ is proved below for ε <= 1 and was found by a
    search for 1 < ε <= 5.25. From ε = 5.26 on, τ is the subgaussian parameter of a loss with two values, ε and one
    nearer to 0, and it tends to ε/2. No smaller τ will do.

    Proof. Let L lie in [-ε, ε], E e^(-L) = 1. There are distributions on {-b, ε} and on {-ε, a} with the same E e^(-L)
    and mean. For λ > -1 take the curve c + c'x + c"e^(-x) that touches e^(λx) at -b and meets it at ε: a sum of four
    exponentials has at most three zeros, so it stays above, and E e^(λL) is largest on {-b, ε}; for λ < -1 on {-ε, a}.
    So τ² is the largest among two values, (width)² tanh(y/2)/2y at odds e^y (Kearns & Saul). On {-ε, a} it grows with
    a, up to randomized response. On {-b, ε}, where b = ln(1 + e^y(1-e^(-ε))), it grows with y for ε <= 1, since
    2(1-e^(-b))/(ε+b) >= 1/3 > 1/6 >= 1/y - 1/sinh(y), up to randomized response; for a larger ε it is taken there or
    where it is flat in y.

    Parameters
    ----------
    epsilon : pure budget, >= 0; broadcasts

    References
    ----------
    Kairouz, Oh & Viswanath 2015 for μ; the proof above, on Kearns & Saul 1998, for τ. Dwork & Rothblum 2016 have
    (ε(e^ε-1)/2, ε).

    >>> round(float(from_pure(1).mu), 6), round(float(from_pure(1).tau), 6), round(float(from_pure(10).tau), 6)
    (0.462117, 0.961371, 5.443743)
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    tilt = np.tanh(epsilon / 2)
    coin = np.sqrt(epsilon) * np.sqrt(2 * tilt)
    return Concentrated(epsilon * tilt, np.where(epsilon < 5.25, coin, np.maximum(coin, _lopsided(epsilon)))[()])


def _lopsided(epsilon: NDArray) -> NDArray:
    """Return the largest subgaussian parameter of a loss on {-b, ε}, for ε >= 5.25, where ln τ² has no slope in y.

    The start is right to one part in 3000, and one of Newton's steps from it ends within 1e-14 of the top; beyond
    ε = 1e6 the start does.
    """
    some = np.clip(epsilon, 5.25, 1e6)
    y = 6 / (some - 2.31436 - 1.00889 / (some - 2.64463 - 0.89386 / (some - 4.32796)))
    most = -np.expm1(-some)
    odds = most * np.exp(y)
    share, one, other = odds / (1 + odds), 1 / y, 1 / np.sinh(y)
    pull = share / (some + np.log1p(odds))
    slope, bend = 2 * pull + other - one, 2 * pull * (1 - share - pull) + one**2 - np.cosh(y) * other**2
    y = y - slope / bend
    return (epsilon + np.log1p(most * np.exp(y))) * np.sqrt(np.tanh(y / 2) / (2 * y))


def from_zcdp(rho: ArrayLike) -> Concentrated:
    """Return the (μ, τ) of every ρ-zCDP mechanism: (ρ, √(2(e^(Λ(1+Λ)ρ) - 1))/Λ) with Λ = min(1, 1.6/(ρ + 1.3)).

    Any 0 < Λ <= 1 will do; this one is within 4 % of the best. A Gaussian has τ = √(2ρ).

    Proof. The mean is m <= ρ. E e^(λL) is at most e^(λ(λ+1)ρ) for λ > 0 and, from the loss the other way round, for
    λ < -1; between them it is at most 1. For |λ| <= Λ, e^(λx) <= 1 + λx + (λ/Λ)²(e^(Λx) + e^(-Λx) - 2), so that
    E e^(λ(L-m)) <= e^(-λm)(1 + λm + λ²τ²/2) <= e^(λ²τ²/2). For λ > Λ it is at most e^(λ²ρ(1+1/Λ)), for λ < -Λ at most
    e^(λ²ρ/Λ), and ρ(1+1/Λ) = Λ(1+Λ)ρ/Λ² <= τ²/2.

    Parameters
    ----------
    rho : zCDP budget, >= 0; broadcasts

    References
    ----------
    Bun & Steinke 2016, Definition 1.1, for what is given; the proof above.

    >>> mu, tau = from_zcdp(0.005)
    >>> float(mu), round(float(tau), 6)
    (0.005, 0.141776)
    """
    rho = domain.nonnegative("rho", rho)
    split = np.minimum(1, 1.6 / (rho + 1.3))
    return Concentrated(rho, np.sqrt(2 * np.expm1(split * (1 + split) * rho)) / split)


def to_zcdp(budget: Budget) -> NDArray:
    """Return the ρ of every (μ, τ)-CDP mechanism: τ²/2, whatever μ is.

    Proof. Neighbours go both ways, so the loss is finite and E e^(-L) = 1; at λ = -1 the parameter τ then says that its
    mean is at most τ²/2. So D_α = ln E e^((α-1)L)/(α-1) <= τ²/2 + (α-1)τ²/2 = ατ²/2.

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast

    References
    ----------
    Bun & Steinke 2016, for the relation of the two definitions.

    >>> float(to_zcdp(Concentrated(1.0, 0.1)))
    0.005000000000000001
    """
    mu, tau = _checked(budget)
    return tau**2 / 2 + 0 * mu  # a missing mean stays missing


def sigma(budget: Budget, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the σ of the Gaussian noise that gives (μ, τ)-CDP: Δ/min(τ, √(2μ)), because both numbers must hold.

    Parameters
    ----------
    budget : (mu, tau), each > 0; they broadcast
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dwork & Rothblum 2016.

    >>> float(sigma(Concentrated(0.125, 0.5)))
    2.0
    """
    mu, tau = domain.pair("budget", budget)
    mu = domain.positive("mu", mu)
    tau = domain.positive("tau", tau)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / np.minimum(tau, np.sqrt(2 * mu))


def compose(*budgets: Budget) -> Concentrated:
    """Return the (μ, τ) of several CDP mechanisms together, fixed in advance: (Σμ, √Στ²).

    Where each may look at the earlier answers the loss keeps this upper tail, so that `epsilon`, `delta` and `to_zcdp`
    of the result hold, but its own subgaussian parameter can be larger: the means then depend on the answers.

    Parameters
    ----------
    budgets : pairs (mu, tau), each >= 0; they broadcast. None at all compose to (0, 0).

    References
    ----------
    Dwork & Rothblum 2016.

    >>> tuple(map(float, compose((0.5, 3), (0.25, 4))))
    (0.75, 5.0)
    """
    pairs = [_checked(budget) for budget in budgets]
    mu = sum((mu for mu, _ in pairs), np.float64(0))
    return Concentrated(mu, np.sqrt(sum((tau**2 for _, tau in pairs), np.float64(0))))


def repeat(budget: Budget, k: ArrayLike) -> Concentrated:
    """Return the (μ, τ) of k mechanisms of one budget, composed as in `compose`: (kμ, √k τ).

    Parameters
    ----------
    budget : (mu, tau) of one, each >= 0; they broadcast
    k : how many, a whole number >= 0

    References
    ----------
    Dwork & Rothblum 2016.

    >>> tuple(map(float, repeat((0.125, 0.5), 4)))
    (0.5, 1.0)
    """
    mu, tau = _checked(budget)
    k = domain.count("k", k)
    return Concentrated(k * mu, np.sqrt(k) * tau)


def epsilon(budget: Budget, delta: ArrayLike) -> NDArray:
    """Return the ε that the loss of a (μ, τ)-CDP mechanism exceeds with probability at most δ: μ + τ√(2 ln(1/δ)).

    The mechanism is then (ε, δ)-DP.

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast with delta
    delta : δ, 0 < delta < 1

    References
    ----------
    Dwork & Rothblum 2016.

    >>> round(float(epsilon(gaussian(200), 1e-5)), 7)
    0.0240051
    """
    mu, tau = _checked(budget)
    delta = domain.fraction("delta", delta)
    return mu + tau * np.sqrt(-2 * np.log(delta))


def delta(budget: Budget, epsilon: ArrayLike) -> NDArray:
    """Return a δ at which a (μ, τ)-CDP mechanism is (ε, δ)-DP: e^(-(ε-μ)²/2τ²), 1 for ε <= μ.

    This is `epsilon` solved for δ.

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast with epsilon. At τ = 0 the loss never exceeds μ: δ = 0 for ε >= μ.
    epsilon : ε >= 0

    References
    ----------
    Dwork & Rothblum 2016.

    >>> round(float(delta(gaussian(2), 1.5)), 7)
    0.0227942
    """
    mu, tau = _checked(budget)
    epsilon = domain.nonnegative("epsilon", epsilon)
    over = np.maximum(epsilon - mu, 0)
    # 40 widths out δ is below the least float: no need to divide on.
    widths = np.minimum(over, 40 * tau) / np.where(tau == 0, 1.0, tau)
    return np.where((tau == 0) & (epsilon >= mu), 0.0, np.exp(-(widths**2) / 2))[()]


def _checked(budget: Budget) -> Concentrated:
    mu, tau = domain.pair("budget", budget)
    return Concentrated(domain.nonnegative("mu", mu), domain.nonnegative("tau", tau))
