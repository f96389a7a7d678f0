"""Pure DP (ε-DP): `laplace(scale)` returns the budget ε of the Laplace mechanism.

ε-DP bounds the largest privacy loss, |L| <= ε (Dwork et al. 2006). Gaussian noise has no such bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dp_lib import domain


def laplace(scale: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the ε of the Laplace mechanism: Δ/b.

    Parameters
    ----------
    scale : b of the Laplace noise, > 0, in the query's units; broadcasts
    sensitivity : L1 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dwork & Roth 2014, Theorem 3.6.

    >>> float(laplace(10))
    0.1
    """
    scale = domain.positive("scale", scale)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / scale


def randomized_response(p: ArrayLike) -> NDArray:
    """Return the ε of randomized response that tells the truth with probability p: |ln(p/(1-p))|.

    Parameters
    ----------
    p : probability of the true answer, 0 < p < 1; broadcasts

    References
    ----------
    Warner 1965; Dwork & Roth 2014, section 3.2.

    >>> round(float(randomized_response(0.75)), 7)
    1.0986123
    """
    p = domain.fraction("p", p)
    return abs(logit(p))


def scale(epsilon: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the scale b of the Laplace noise that gives ε-DP: Δ/ε.

    Parameters
    ----------
    epsilon : budget, > 0, dimensionless; broadcasts
    sensitivity : L1 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dwork & Roth 2014, Theorem 3.6.

    >>> float(scale(0.1))
    10.0
    """
    epsilon = domain.positive("epsilon", epsilon)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity / epsilon


def truth_probability(epsilon: ArrayLike) -> NDArray:
    """Return the probability of the true answer with which randomized response is ε-DP: e^ε/(1+e^ε).

    Parameters
    ----------
    epsilon : budget, >= 0, dimensionless; broadcasts

    References
    ----------
    Warner 1965; Dwork & Roth 2014, section 3.2.

    >>> round(float(truth_probability(np.log(3))), 12)
    0.75
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    return expit(epsilon)


def compose(*budgets: ArrayLike) -> NDArray:
    """Return the ε of an adaptive composition: Σε.

    Parameters
    ----------
    budgets : the ε of each, >= 0, dimensionless; they broadcast. None at all compose to 0.

    References
    ----------
    Dwork & Roth 2014, section 3.5.

    >>> float(compose(0.25, 0.5))
    0.75
    """
    return sum((domain.nonnegative("epsilon", epsilon) for epsilon in budgets), domain.NOTHING)


def repeat(epsilon: ArrayLike, k: ArrayLike) -> NDArray:
    """Return the ε of k mechanisms of one ε: kε.

    Parameters
    ----------
    epsilon : budget of one, >= 0, dimensionless; broadcasts
    k : how many, a whole number >= 0

    References
    ----------
    Dwork & Roth 2014, section 3.5.

    >>> float(repeat(0.5, 10))
    5.0
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    k = domain.count("k", k)
    return k * epsilon


def group(epsilon: ArrayLike, size: ArrayLike) -> NDArray:
    """Return the ε for a group of `size` people: size·ε.

    Parameters
    ----------
    epsilon : budget for one person, >= 0, dimensionless; broadcasts
    size : people in the group, a whole number >= 1

    References
    ----------
    Dwork & Roth 2014, Theorem 2.2.

    >>> float(group(0.5, 3))
    1.5
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    size = domain.positive_count("size", size)
    return size * epsilon


def epsilon(epsilon_0: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return the least ε >= 0 at which every ε₀-DP mechanism is (ε, δ)-DP: ε₀ + ln(1 - δ(1 + e^(-ε₀))), or 0.

    Randomized response is the worst of them; this is its profile `delta` solved for ε.

    Parameters
    ----------
    epsilon_0 : budget, >= 0, dimensionless; broadcasts with delta
    delta : δ, 0 < delta < 1

    References
    ----------
    Kairouz, Oh & Viswanath 2015.

    >>> round(float(epsilon(1, 0.1)), 7)
    0.8529051
    """
    epsilon_0 = domain.nonnegative("epsilon_0", epsilon_0)
    delta = domain.fraction("delta", delta)
    lost = np.maximum(-delta * (1 + np.exp(-epsilon_0)), np.expm1(-epsilon_0))  # at the second, ε = 0
    return np.maximum(epsilon_0 + np.log1p(lost), 0)


def delta(epsilon_0: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return the least δ at which every ε₀-DP mechanism is (ε, δ)-DP: (e^ε₀ - e^ε)/(1 + e^ε₀), 0 for ε >= ε₀.

    Parameters
    ----------
    epsilon_0 : budget, >= 0, dimensionless; broadcasts with epsilon
    epsilon : ε >= 0

    References
    ----------
    Kairouz, Oh & Viswanath 2015.

    >>> round(float(delta(1, 0)), 7)
    0.4621172
    """
    epsilon_0 = domain.nonnegative("epsilon_0", epsilon_0)
    epsilon = domain.nonnegative("epsilon", epsilon)
    return abs(np.expm1(np.minimum(epsilon - epsilon_0, 0))) / (1 + np.exp(-epsilon_0))


def posterior_odds(prior_odds: ArrayLike, epsilon: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the odds to which one ε-DP answer can move an observer, (low, high) = (e^(-ε), e^ε) times the prior odds.

    Parameters
    ----------
    prior_odds : odds before the answer, >= 0; broadcasts
    epsilon : budget, 0 <= epsilon <= 300 (beyond, e^ε has left all meaning behind)

    References
    ----------
    Bayes' rule on the definition; Kasiviswanathan & Smith 2014.

    >>> low, high = posterior_odds(1, np.log(2))
    >>> round(float(low), 12), round(float(high), 12)
    (0.5, 2.0)
    """
    prior_odds = domain.nonnegative("prior_odds", prior_odds)
    epsilon = domain.nonnegative("epsilon", epsilon)
    epsilon = domain.condition("epsilon", epsilon, epsilon <= 300, "<= 300")
    return prior_odds * np.exp(-epsilon), prior_odds * np.exp(epsilon)


def minimax_rate(d: ArrayLike, n: ArrayLike, epsilon: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the best rate for a private mean in its two terms, (statistical, privacy) = (d/n, d³/(n²ε²)).

    For X in [-1, 1]^d, squared L2 loss, ε-DP, up to constants; the rate is their sum, at most d, and so is each.

    Parameters
    ----------
    d : dimension, a whole number >= 1; broadcasts
    n : sample size, a whole number >= 1
    epsilon : budget, > 0, dimensionless

    References
    ----------
    Barber & Duchi 2014.

    >>> tuple(map(float, minimax_rate(10, 1000, 0.5)))
    (0.01, 0.004)
    """
    d = domain.positive_count("d", d)
    n = domain.positive_count("n", n)
    epsilon = domain.positive("epsilon", epsilon)
    return d / n, d * np.minimum((d / n / epsilon) ** 2, 1)
