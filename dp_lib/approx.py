"""Approximate DP, (ε, δ)-DP: `sigma_exact(epsilon, delta)` returns the Gaussian noise that satisfies a budget.

(ε, δ)-DP bounds the privacy profile at one point (Dwork, Kenthapadi et al. 2006). The profile of Gaussian noise is
`gdp.delta`. A budget is `Approx(epsilon, delta)`, or a plain pair.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, expit, ndtri, xlog1py

from dp_lib import _discrete, domain, gdp, pure, rdp, zcdp


class Approx(NamedTuple):
    """An (ε, δ)-DP budget (epsilon, delta), dimensionless."""

    epsilon: Any
    delta: Any


Budget = Approx | tuple[ArrayLike, ArrayLike]


def sigma(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the σ of Gaussian noise that gives (ε, δ)-DP by the classic bound: Δ√(2 ln(1.25/δ))/ε.

    Parameters
    ----------
    epsilon : 0 < epsilon < 1, where the bound is proved; broadcasts
    delta : 0 < delta < 1
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Dwork & Roth 2014, Theorem 3.22.

    >>> round(float(sigma(0.5, 1e-5)), 6)
    9.689611
    """
    epsilon = domain.positive("epsilon", epsilon)
    proved = "< 1 (the classic Gaussian bound is proved there only)"
    epsilon = domain.condition("epsilon", epsilon, epsilon < 1, proved, "use approx.sigma_exact")
    delta = domain.fraction("delta", delta)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity * np.sqrt(2 * (np.log(1.25) - np.log(delta))) / epsilon


def sigma_exact(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the least σ of Gaussian noise that gives (ε, δ)-DP: `gdp.delta(Δ/σ, ε) = δ` solved for σ.

    log δ is concave in log μ, so each of Newton's steps ends on the safe side of the root, at a smaller μ, more noise.
    Seven from the larger of two lower bounds on μ reach it to 1e-12.

    Parameters
    ----------
    epsilon : ε >= 0; broadcasts
    delta : 0 < delta < 1
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Balle & Wang 2018, Theorem 8.

    >>> round(float(sigma_exact(0.1, 1e-5)), 9)
    30.749566132
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    delta = domain.fraction("delta", delta)
    sensitivity = domain.positive("sensitivity", sensitivity)
    target = np.log(delta)
    # δ <= P(L > ε), a quadratic in μ, and δ <= μ/√(2π), the profile's top.
    x = -ndtri(delta)
    root = np.sqrt(x**2 + 2 * epsilon)
    by_tail = np.where(x > 0, 2 * epsilon / (root + abs(x)), root + abs(x))
    mu = np.maximum(by_tail, np.sqrt(2 * np.pi) * delta)
    for _ in range(7):
        log_delta, _, slope = gdp._log_delta(mu, epsilon / mu - mu / 2)
        mu = mu * np.exp((target - log_delta) / (mu * slope))
    return sensitivity / mu


def sigma_discrete(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the least σ from which on an integer with discrete Gaussian noise is (ε, δ)-DP, by its exact profile.

    The noise is that of `mechanisms.discrete_gaussian`. Its profile has a kink at every integer: it is not smooth in σ,
    and for an ε near the sensitivity or above it not even falling, so that a little more noise can need a larger δ. The
    function finds the last σ at which the profile passes δ, in a search down from zCDP's σ (enough for every larger
    one) that looks at every hump on its way. At the σ returned the profile is at most δ, rounding included, and one
    part in 10^12 below it is above.

    Parameters
    ----------
    epsilon : ε > 0, such that zCDP's σ is at most 10^4; broadcasts. Not traceable.
    delta : 0 < delta < 1
    sensitivity : of one integer answer, a whole number >= 1; several answers at once are not covered, not even by
        their ℓ2 sensitivity, because a sum of discrete Gaussian losses has another profile

    References
    ----------
    Canonne, Kamath & Steinke 2020, for the profile; `delta_discrete`.

    >>> round(float(sigma_discrete(1, 1e-5)), 6), round(float(sigma_exact(1, 1e-5)), 6)
    (3.740485, 3.730632)
    """
    epsilon = domain.positive("epsilon", epsilon)
    delta = domain.fraction("delta", delta)
    sensitivity = domain.positive_count("sensitivity", sensitivity)
    enough = np.asarray(sigma_exact(epsilon, delta, sensitivity))
    while np.any(short := zcdp.delta_tight((sensitivity / enough) ** 2 / 2, epsilon) > delta):
        enough = np.where(short, 1.05 * enough, enough)
    allowed = "such that zCDP's sigma is at most 10000"
    epsilon = domain.condition("epsilon", epsilon, ~(enough > _discrete.LIMIT), allowed, "use zcdp.sigma")
    return np.vectorize(_discrete.sigma, otypes=[float])(epsilon, delta, sensitivity, enough)[()]


def compose(*budgets: Budget) -> Approx:
    """Return the (ε, δ) of an adaptive composition, by adding up: (Σε, Σδ), δ at most 1.

    Parameters
    ----------
    budgets : pairs (epsilon, delta), epsilon >= 0, 0 <= delta <= 1; they broadcast. None at all compose to (0, 0).

    References
    ----------
    Dwork & Roth 2014, Theorem 3.16.

    >>> tuple(map(float, compose((0.5, 0.25), (1, 0.125))))
    (1.5, 0.375)
    """
    pairs = [_checked(budget) for budget in budgets]
    epsilon = sum((epsilon for epsilon, _ in pairs), np.float64(0))
    return Approx(epsilon, np.minimum(sum((delta for _, delta in pairs), np.float64(0)), 1))


def compose_advanced(*budgets: Budget, slack: ArrayLike) -> Approx:
    """Return the (ε', 1-(1-δ') Π(1-δ_i)) of an adaptive composition with unequal budgets (ε_i, δ_i).

    ε' is the least over all orders α of Σ `rdp.from_pure`(α, ε_i), converted tightly at the slack δ': at most the sum
    Σε_i (α = ∞) and `zcdp.epsilon_tight`(Σ ε_i tanh(ε_i/2), δ'). Equal budgets have `optimal`, which is smaller.

    Proof. An (ε_i, δ_i)-DP mechanism reveals no more than one that reveals all with probability δ_i and otherwise
    answers by randomized response with ε_i. Unless one reveals all, the loss is that of the randomized responses, whose
    Rényi budgets add up.

    On a tape of a figure it writes each budget's curve 27 times.

    Parameters
    ----------
    budgets : pairs (epsilon, delta), epsilon >= 0, 0 <= delta <= 1, fixed in advance; they broadcast with the slack
    slack : δ', 0 < slack < 1

    References
    ----------
    Kairouz, Oh & Viswanath 2015 for the reduction to randomized response; Canonne, Kamath & Steinke 2020, Proposition
    12, for ε'. The least ε' of unequal budgets is #P-complete to find (Murtagh & Vadhan 2016); `pld` brackets it.

    >>> epsilon, delta = compose_advanced(*[(0.1, 1e-8)] * 60, *[(0.3, 0)] * 5, slack=1e-6)
    >>> round(float(epsilon), 4), float(f"{delta:.4g}")
    (4.8421, 1.6e-06)
    """
    pairs = [_checked(budget) for budget in budgets]
    slack = domain.fraction("slack", slack)
    found, _ = rdp.optimum(lambda alpha: rdp.compose(*(rdp.from_pure(alpha, epsilon) for epsilon, _ in pairs)), slack)
    kept = sum((np.log1p(-np.where(delta < 1, delta, 0.0)) for _, delta in pairs), np.log1p(-slack))
    lost = functools.reduce(np.maximum, [delta for _, delta in pairs], np.float64(0))
    return Approx(found, np.where(lost < 1, -np.expm1(kept), lost)[()])


def repeat(budget: Budget, k: ArrayLike) -> Approx:
    """Return the (ε, δ) of k mechanisms of one budget, by adding up: (kε, kδ), δ at most 1.

    Parameters
    ----------
    budget : (epsilon, delta) of one, epsilon >= 0, 0 <= delta <= 1; they broadcast
    k : how many, a whole number >= 0

    References
    ----------
    Dwork & Roth 2014, Theorem 3.16.

    >>> tuple(map(float, repeat((0.5, 0.125), 4)))
    (2.0, 0.5)
    """
    epsilon, delta = _checked(budget)
    k = domain.count("k", k)
    return Approx(k * epsilon, np.minimum(k * delta, 1))


def advanced(epsilon: ArrayLike, delta: ArrayLike, k: ArrayLike, slack: ArrayLike) -> Approx:
    """Return the (ε, δ) of k mechanisms by advanced composition: (ε√(2k ln(1/δ')) + kε(e^ε-1), kδ+δ'), δ at most 1.

    Parameters
    ----------
    epsilon, delta : budget of one, 0 <= epsilon <= 300 (beyond, basic composition is better by far), 0 <= delta <= 1
    k : how many, a whole number >= 0; all broadcast
    slack : δ', 0 < slack < 1

    References
    ----------
    Dwork, Rothblum & Vadhan 2010; Dwork & Roth 2014, Theorem 3.20.

    >>> round(float(advanced(0.1, 0, 100, 1e-6).epsilon), 6)
    6.308231
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    epsilon = domain.condition("epsilon", epsilon, epsilon <= 300, "<= 300", "use approx.repeat")
    delta = domain.probability("delta", delta)
    k = domain.count("k", k)
    slack = domain.fraction("slack", slack)
    return Approx(
        epsilon * np.sqrt(-2 * k * np.log(slack)) + k * epsilon * np.expm1(epsilon), np.minimum(k * delta + slack, 1)
    )


def advanced_simple(epsilon: ArrayLike, delta: ArrayLike, k: ArrayLike, slack: ArrayLike) -> Approx:
    """Return the (ε, δ) of k mechanisms by simplified advanced composition: (2ε√(2k ln(1/δ')), kδ+δ'), δ at most 1.

    Parameters
    ----------
    epsilon, delta : budget of one, epsilon >= 0, 0 <= delta <= 1; all broadcast
    k : how many, a whole number >= 0, with √k (e^ε-1) <= √(2 ln(1/δ')), where `advanced` is no larger than this
    slack : δ', 0 < slack < 1

    References
    ----------
    Dwork & Roth 2014, Theorem 3.20 and Corollary 3.21.

    >>> round(float(advanced_simple(0.1, 0, 100, 1e-6).epsilon), 6)
    10.513044
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    delta = domain.probability("delta", delta)
    k = domain.count("k", k)
    slack = domain.fraction("slack", slack)
    half = np.sqrt(-2 * np.log(slack))
    proved = np.sqrt(k) * np.expm1(np.minimum(epsilon, 300)) <= half
    allowed = "such that sqrt(k) (e^epsilon - 1) <= sqrt(2 ln(1/slack))"
    epsilon = domain.condition("epsilon", epsilon, proved, allowed, "use approx.advanced, approx.optimal or zcdp")
    return Approx(2 * epsilon * np.sqrt(k) * half, np.minimum(k * delta + slack, 1))


def optimal(epsilon: ArrayLike, delta: ArrayLike, k: ArrayLike, slack: ArrayLike) -> Approx:
    """Return the (ε', 1-(1-δ)^k (1-δ')) of k mechanisms by optimal composition: no smaller ε' holds for all of them.

    ε' is the least number >= 0 with P(Bin(k, q) <= j) - e^ε' P(Bin(k, 1-q) <= j) <= δ', where q = 1/(1+e^ε) and j
    counts the lies of k randomized responses: their loss (k - 2j)ε is still above ε'. On the grid ε' = (k - 2j)ε this
    δ' is a log-concave sequence in j, so Newton's steps, rounded down, never leave the safe side; within a step of the
    grid the equation is solved outright.

    On a tape of a figure it is heavy: three incomplete beta functions per step.

    Parameters
    ----------
    epsilon, delta : budget of one, epsilon >= 0, 0 <= delta <= 1; all broadcast
    k : how many, a whole number, 0 <= k <= 1e9
    slack : δ', 0 < slack < 1. While δ' >= 1e-100, the answer is right to 1e-13·√k and to 1e-12 + 1e-15/(1-δ') of
        itself, upward; below, floats do not hold the binomial tails and ε' is a valid bound, at most
        kε·tanh(ε/2) + ε√(2k ln(1/δ'))/cosh(ε/2), rounded up to the grid.

    References
    ----------
    Kairouz, Oh & Viswanath 2015; Okamoto 1958 for the bound it starts from.

    >>> round(float(optimal(0.1, 0, 100, 1e-6).epsilon), 6)
    4.774568
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    delta = domain.probability("delta", delta)
    k = domain.count("k", k)
    k = domain.condition("k", k, k <= 1e9, "<= 1e9", "use zcdp")
    slack = domain.fraction("slack", slack)
    total = -np.expm1(xlog1py(k, -delta) + np.log1p(-slack))
    some, n = np.where(epsilon == 0, 1.0, epsilon), np.maximum(k, 1)
    margin = 5e-15 * np.sqrt(n)  # what rounding may do to the tails
    target = np.log(slack) * (1 + margin) - 4e-16
    mean, width = n * expit(-some), np.sqrt(n * expit(some) * expit(-some))
    j = np.maximum(np.floor(mean - width * np.sqrt(-2 * target)), 0)
    here = np.floor(mean + width * ndtri(slack))  # if j were normal; the first step corrects it
    most = np.floor(n / 2) + 1
    for _ in range(6):
        here = np.clip(here, 1, most)  # at 0 there is no δ' to take a log of
        tail, ratio, known = _binomial_tails(n, here, some)
        growth = np.log1p(ratio / (1 - ratio) * -np.expm1(-2 * some))
        step = np.floor((target - np.log(tail) - np.log1p(-ratio)) / growth)
        j = here = np.where(known, np.clip(here + step, 0, most), j)
    tail, ratio, known = _binomial_tails(n, j, some)
    inside = np.log(np.maximum(-np.expm1(target - np.log(tail)), 1e-300) / ratio)
    inside = np.where(known, np.clip(inside + margin, -2 * some, 0), 0.0)
    answer = np.maximum((n - 2 * j) * some + inside, 0)
    return Approx(((epsilon > 0) & (k > 0)) * answer, total)


def _binomial_tails(n: NDArray, j: NDArray, epsilon: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return A = P(Bin(n, q) <= j), the ratio R = e^((n-2j)ε) P(Bin(n, p) <= j)/A < 1, and whether A is known.

    A tail below 1e-247 has lost its digits in SciPy's sum, so none below 1e-230 is used. Where the tail at p is so
    small, R is its sum over its last term, times the last term of A over A: both last terms are the same.
    """
    rare = betainc(n - j, j + 1, expit(-epsilon))
    tail = np.maximum(betainc(n - j, j + 1, expit(epsilon)), 1e-300)
    last = tail - (j > 0) * betainc(n - j + 1, np.maximum(j, 1), expit(epsilon))
    plain = np.exp(np.minimum((n - 2 * j) * epsilon, 690)) * rare
    ratio = np.where(rare > 1e-230, plain, last * _sum_over_last_term(n, j, np.exp(-epsilon))) / tail
    return tail, np.clip(ratio, 1e-300, 1 - 2.0**-52), tail > 1e-230


def _sum_over_last_term(n: NDArray, j: NDArray, odds: NDArray) -> NDArray:
    """Return P(Bin(n, p) <= j)/P(Bin(n, p) = j) for odds (1-p)/p <= 1, right to 1e-12 where the tail is below 1e-230.

    It is ₂F₁(1, -j; n-j+1; -odds), by seven terms of Gauss's continued fraction (DLMF 15.7.1).
    """
    a = np.maximum(n - j, 1)  # of no use at j = n, where no tail is rare
    rest = a + 7
    for m in (3, 2, 1):
        rest = a + 2 * m - odds * (j - m) * (a + m) / rest
        rest = a + (2 * m - 1) + odds * m * (n + m) / rest
    return a / (a - odds * j * a / rest)


def group(budget: Budget, size: ArrayLike) -> Approx:
    """Return the (ε, δ) for a group of `size` people: (sε, δ(e^(sε)-1)/(e^ε-1)), δ at most 1.

    Parameters
    ----------
    budget : (epsilon, delta) for one person, epsilon >= 0, 0 <= delta <= 1; they broadcast
    size : s people in the group, a whole number >= 1

    References
    ----------
    Vadhan 2017, on group privacy, before its last rounding.

    >>> epsilon, delta = group((0.5, 1e-6), 3)
    >>> float(epsilon), float(f"{delta:.6g}")
    (1.5, 5.367e-06)
    """
    epsilon, delta = _checked(budget)
    size = domain.positive_count("size", size)
    some, part = np.where(epsilon == 0, 1.0, epsilon), np.where(delta == 0, 1.0, delta)
    log_ratio = (size - 1) * some + np.log(np.expm1(-size * some) / np.expm1(-some))
    log_ratio = np.where(epsilon == 0, np.log(size), log_ratio)
    return Approx(size * epsilon, (delta > 0) * np.exp(np.minimum(np.log(part) + log_ratio, 0)))


def delta(budget: Budget, epsilon: ArrayLike) -> NDArray:
    """Return the least δ for an ε, where the budget is (ε₀, δ₀): δ₀ + (1-δ₀)(e^ε₀ - e^ε)/(1 + e^ε₀), δ₀ for ε >= ε₀.

    The worst mechanism with this budget reveals all with probability δ₀ and is randomized response otherwise.

    Parameters
    ----------
    budget : (epsilon_0, delta_0), epsilon_0 >= 0, 0 <= delta_0 <= 1; they broadcast with epsilon
    epsilon : ε >= 0

    References
    ----------
    Kairouz, Oh & Viswanath 2015.

    >>> round(float(delta((1, 0.01), 0)), 7)
    0.467496
    """
    epsilon_0, delta_0 = _checked(budget)
    return delta_0 + (1 - delta_0) * pure.delta(epsilon_0, epsilon)


def delta_discrete(sigma: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the least δ at which `mechanisms.discrete_gaussian` on integers is (ε, δ)-DP: with s = εσ²/Δ - Δ/2,

    P(X > s) - e^ε P(X > s + Δ), X the noise; rounded up by one part in 10^12. A shift by less than Δ needs no more: on
    every half-line where Δ is worst, a smaller shift changes the probability less.

    Parameters
    ----------
    sigma : 0 < σ <= 10^4, of the noise before it is made an integer; broadcasts. Not traceable.
    epsilon : ε >= 0
    sensitivity : Δ of one integer answer, a whole number >= 1

    References
    ----------
    Canonne, Kamath & Steinke 2020.

    >>> float(f"{delta_discrete(sigma_exact(1, 1e-5), 1):.5g}")
    1.0346e-05
    """
    sigma = domain.positive("sigma", sigma)
    sigma = domain.condition("sigma", sigma, sigma <= _discrete.LIMIT, "<= 10000", "use zcdp.delta_tight")
    epsilon = domain.nonnegative("epsilon", epsilon)
    sensitivity = domain.positive_count("sensitivity", sensitivity)
    return np.vectorize(_discrete.delta, otypes=[float])(sigma, epsilon, sensitivity)[()]


def subsample(budget: Budget, q: ArrayLike) -> Approx:
    """Return the (ε, δ) of a mechanism run on a random sample of the rows: (ln(1 + q(e^ε-1)), qδ).

    For Poisson sampling at rate q with add/remove neighbours, and for samples of fixed size m = qn with replace-one
    neighbours.

    Parameters
    ----------
    budget : (epsilon, delta) of the mechanism, epsilon >= 0, 0 <= delta <= 1; they broadcast
    q : sampling rate, between 0 and 1

    References
    ----------
    Balle, Barthe & Gaboardi 2018.

    >>> epsilon, delta = subsample((1, 1e-5), 0.01)
    >>> round(float(epsilon), 7), float(f"{delta:.6g}")
    (0.0170369, 1e-07)
    """
    epsilon, delta = _checked(budget)
    q = domain.probability("q", q)
    moderate = np.log1p(q * np.expm1(np.minimum(epsilon, 600)))
    extreme = epsilon + np.log(q + np.exp(-600.0))  # e^(-600) is at least what is missing: it errs upward
    return Approx(np.where(epsilon <= 600, moderate, np.minimum(extreme, epsilon))[()], q * delta)


def _checked(budget: Budget) -> Approx:
    epsilon, delta = domain.pair("budget", budget)
    return Approx(domain.nonnegative("epsilon", epsilon), domain.probability("delta", delta))
