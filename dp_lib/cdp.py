"""Concentrated differential privacy: (μ, τ)-CDP holds the loss's mean to μ and its width to τ (Dwork & Rothblum 2016).

The privacy loss has mean at most μ, and about its mean it is subgaussian with standard τ. A budget is
`Concentrated(mu, tau)`, or a plain pair.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dp_lib import domain


class Concentrated(NamedTuple):
    """A (μ, τ)-CDP budget: mu, the loss's mean, and tau, its subgaussian standard, dimensionless."""

    mu: Any
    tau: Any


Budget = Concentrated | tuple[ArrayLike, ArrayLike]


def gaussian(sigma: ArrayLike, sensitivity: ArrayLike = 1) -> Concentrated:
    """(μ, τ) of the Gaussian mechanism: (Δ²/2σ², Δ/σ), where the loss is exactly normal.

    Parameters
    ----------
    sigma : standard deviation of the noise, > 0, in the query's units; broadcasts
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    Raises
    ------
    DomainError : sigma or sensitivity outside these

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
    """(μ, τ) of every ε-DP mechanism: (ε·tanh(ε/2), ε).

    Dwork & Rothblum give μ = ε(e^ε-1)/2; randomized response, the worst ε-DP mechanism, needs no more than this.

    Parameters
    ----------
    epsilon : pure budget, >= 0; broadcasts

    Raises
    ------
    DomainError : epsilon outside this

    References
    ----------
    Dwork & Rothblum 2016 for τ; Kairouz, Oh & Viswanath 2015 for randomized response being the worst.

    >>> round(float(from_pure(1).mu), 6), float(from_pure(1).tau)
    (0.462117, 1.0)
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    return Concentrated(epsilon * np.tanh(epsilon / 2), epsilon)


def to_zcdp(budget: Budget) -> NDArray:
    """ρ of every (μ, τ)-CDP mechanism: max(μ, τ²/2).

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast

    Raises
    ------
    DomainError : a budget outside these

    References
    ----------
    Bun & Steinke 2016, for the relation of the two definitions.

    >>> float(to_zcdp(Concentrated(0.125, 1.0)))
    0.5
    """
    mu, tau = _checked(budget)
    return np.maximum(mu, tau**2 / 2)


def sigma(budget: Budget, sensitivity: ArrayLike = 1) -> NDArray:
    """Standard deviation of the Gaussian noise that gives (μ, τ)-CDP: Δ/min(τ, √(2μ)). Both numbers must hold.

    Parameters
    ----------
    budget : (mu, tau), each > 0; they broadcast
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    Raises
    ------
    DomainError : an argument outside these

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
    """(μ, τ) of several CDP mechanisms together, fixed in advance: (Σμ, √Στ²).

    Where each may look at the earlier answers the loss keeps this upper tail, so that `epsilon`, `delta` and `to_zcdp`
    of the result hold, but its own standard may be larger: the means then depend on the answers.

    Parameters
    ----------
    budgets : pairs (mu, tau), each >= 0; they broadcast. None at all compose to (0, 0).

    Raises
    ------
    DomainError : a budget outside these

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
    """(μ, τ) of k mechanisms of one budget, composed as in `compose`: (kμ, √k τ).

    Parameters
    ----------
    budget : (mu, tau) of one, each >= 0; they broadcast
    k : how many, a whole number >= 0

    Raises
    ------
    DomainError : a budget or k outside these

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
    """ε that the loss of a (μ, τ)-CDP mechanism exceeds with probability at most δ: μ + τ√(2 ln(1/δ)).

    The mechanism is then (ε, δ)-DP.

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast with delta
    delta : failure mass, 0 < delta < 1

    Raises
    ------
    DomainError : budget or delta outside these

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
    """δ at which a (μ, τ)-CDP mechanism is (ε, δ)-DP: e^(-(ε-μ)²/2τ²), 1 where ε <= μ. `epsilon` solved for δ.

    Parameters
    ----------
    budget : (mu, tau), each >= 0; they broadcast with epsilon. At τ = 0 the loss never exceeds μ: δ = 0 from ε = μ on.
    epsilon : ε >= 0

    Raises
    ------
    DomainError : budget or epsilon outside these

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
