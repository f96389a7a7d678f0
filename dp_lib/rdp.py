"""Rényi DP (RDP): `gaussian(alpha, sigma)` returns the budget ε̄ of the Gaussian mechanism at order α.

(α, ε̄)-RDP bounds the Rényi divergence of one order, D_α <= ε̄ (Mironov 2017). The order α is the first argument of each
function. Orders 1 (KL) and ∞ (max) stand for the limits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dp_lib import domain
from dp_lib.pld import sampled

# Orders for `best`: α - 1 from 1/64 to 2²⁰ in factors of √2, and ∞. Two neighbours lose at most 1.5% of ε between them.
ORDERS: tuple[float, ...] = (*(1 + 2.0 ** (j / 2) for j in range(-12, 41)), np.inf)


class AtOrder(NamedTuple):
    """The budget epsilon, and the order alpha that proves it, dimensionless."""

    epsilon: Any
    alpha: Any


def gaussian(alpha: ArrayLike, sigma: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the ε̄ of the Gaussian mechanism at order α: αΔ²/2σ².

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf (where ε̄ = inf); broadcasts
    sigma : standard deviation of the noise, > 0, in the query's units
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Mironov 2017, Proposition 7 and Corollary 3.

    >>> float(gaussian(60, 200))
    0.00075
    """
    alpha = domain.order_or_limit("alpha", alpha)
    sigma = domain.positive("sigma", sigma)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return alpha * (sensitivity / sigma) ** 2 / 2


def laplace(alpha: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the ε̄ of the Laplace mechanism at order α: with r = Δ/b,

    ln(α/(2α-1) e^((α-1)r) + (α-1)/(2α-1) e^(-αr)) / (α-1).

    At α = 1 it is r + e^(-r) - 1, at α = ∞ it is r. Written so that no digit is lost near α = 1 or under much noise.

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf; broadcasts
    scale : b of the Laplace noise, > 0, in the query's units
    sensitivity : L1 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Mironov 2017, Table II.

    >>> round(float(laplace(2, 1)), 7)
    0.6191236
    """
    alpha = domain.order_or_limit("alpha", alpha)
    scale = domain.positive("scale", scale)
    sensitivity = domain.positive("sensitivity", sensitivity)
    t, r = _excess(alpha), sensitivity / scale
    plain = r + np.log1p(t / (1 + 2 * t) * np.expm1(-(1 + 2 * t) * r)) / t
    # Where αr is small the two exponentials nearly cancel: there they are taken beyond 1 + x.
    s = np.minimum(r, 0.1 / (1 + t))
    mean = (1 + t) * (t * s**2 * _curvature(t * s) + (1 + t) * s**2 * _curvature(-(1 + t) * s)) / (1 + 2 * t)
    return np.where((1 + t) * r < 0.1, np.log1p(t * mean) / t, plain)[()]


def randomized_response(alpha: ArrayLike, p: ArrayLike) -> NDArray:
    """Return the ε̄ of randomized response at order α: ln(p^α (1-p)^(1-α) + (1-p)^α p^(1-α)) / (α-1).

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf; broadcasts
    p : probability of the true answer, 0 < p < 1

    References
    ----------
    Mironov 2017, Table II.

    >>> round(float(randomized_response(2, 0.75)), 7)
    0.8472979
    """
    alpha = domain.order_or_limit("alpha", alpha)
    p = domain.fraction("p", p)
    return from_pure(alpha, abs(logit(p)))


def subsampled_gaussian(alpha: ArrayLike, sigma: ArrayLike, q: ArrayLike) -> NDArray:
    """Return the ε̄ at order α of the Gaussian mechanism on a Poisson sample of rate q, for one record more or less:

    D_α((1-q) N(0, σ²) + q N(1, σ²) ‖ N(0, σ²)), the larger of the two directions, to about 1e-13. No bound for a record
    replaced, nor for batches of a fixed size (see `subsampled`). It traces in sigma and q, at one whole order to 300.

    Parameters
    ----------
    alpha : order, 1 <= alpha <= 1e100, or inf (where ε̄ = inf unless q = 0); broadcasts
    sigma : standard deviation of the noise, 1e-50 <= sigma <= 1e50, for a query of L2 sensitivity 1
    q : sampling rate, 0 <= q <= 1

    References
    ----------
    Mironov, Talwar & Zhang 2019.

    >>> [round(float(epsilon_bar), 9) for epsilon_bar in subsampled_gaussian([1.25, 2, 10.75], 1, 0.01)]
    [0.000105398, 0.000171813, 0.309425049]
    """
    alpha = domain.order_or_limit("alpha", alpha)
    sigma = domain.positive("sigma", sigma)
    sigma = domain.condition("sigma", sigma, (sigma >= 1e-50) & (sigma <= 1e50), "between 1e-50 and 1e50")
    alpha = domain.condition("alpha", alpha, (alpha <= 1e100) | np.isinf(alpha), "<= 1e100, or inf")
    q = domain.probability("q", q)
    if domain.is_traced(sigma) or domain.is_traced(q):
        return sampled.recorded(_whole_order(alpha), sigma, q)
    found = q * gaussian(np.where(q == 0, 1.0, alpha), sigma)  # right at q = 0, at q = 1 and at α = ∞
    mixed = np.broadcast_to(np.isfinite(alpha) & (q > 0) & (q < 1) & ~np.isnan(sigma), found.shape)
    t, sigma, q = (np.broadcast_to(v, found.shape)[mixed] for v in (_excess(alpha), sigma, q))
    found = np.array(found)
    found[mixed] = sampled.divergence(t, sigma, q)
    return found[()]


def _whole_order(alpha: Any) -> int:
    """Return the order as an integer, for a sum with as many terms; another order would need another sum."""
    if np.ndim(alpha) or not (2 <= alpha <= sampled.SUM and alpha == np.floor(alpha)):
        raise domain.DomainError(
            f"alpha must be one whole order from 2 to {sampled.SUM} where sigma or q is traced, got {alpha}; "
            "look the curve up instead: live.Curve(..., lookup=True)"
        )
    return int(alpha)


def subsampled(alpha: ArrayLike, curve: Callable[[Any], Any], q: ArrayLike) -> NDArray:
    """Return the ε̄ at order α of any mechanism on a sample of qn of n records, for replacing one record.

    The sample is drawn without replacement. The bound is computed from the mechanism's own curve at whole orders: with
    ε(j) = curve(j) and ε(∞) = curve(∞),
    A = 1 + q² C(α,2) min{4(e^ε(2) - 1), e^ε(2) min{2, (e^ε(∞) - 1)²}}
      + sum over j = 3..α of q^j C(α,j) e^((j-1)ε(j)) min{2, (e^ε(∞) - 1)^j},
    and ε̄ = ln A / (α-1). Between whole orders ln A, convex in the order, is interpolated; pure DP bounds every order.
    Not traceable.

    Parameters
    ----------
    alpha : order, 1 <= alpha <= 10000, or inf; broadcasts with q
    curve : one mechanism's ε̄ for replacing one record, as a function of the order, for example
        `lambda alpha: rdp.gaussian(alpha, 5)`
    q : sampled share, 0 <= q <= 1; the size of the sample is fixed and public, the sample is secret

    Raises
    ------
    DomainError : the curve returns a number that is no budget

    References
    ----------
    Wang, Balle & Kasiviswanathan 2019.

    >>> round(float(subsampled(8, lambda alpha: gaussian(alpha, 5), 0.01)), 9)
    8.3569e-05
    """
    return _of_a_sample(sampled.fixed_size, alpha, curve, q)


def subsampled_poisson(alpha: ArrayLike, curve: Callable[[Any], Any], q: ArrayLike) -> NDArray:
    """Return the ε̄ at order α of any mechanism on a Poisson sample of rate q, for one record more or less.

    The bound comes from the mechanism's own curve at whole orders: ε̄ = ln max(A, B)/(α-1), with ε(j) = curve(j) and
    A = sum over j = 0..α of C(α,j) q^j (1-q)^(α-j) e^((j-1)ε(j)), the terms 0 and 1 without their powers of e,
    B = min{(1-q)^(1-α), 1 - q + q e^((α-1)ε(α)), 1 + ((1-q)^(1-α) - 1 - (α-1)q)(e^ε(2) - 1)}, at α = 2 no more than
    1 + q²(e^ε(2) - 1).
    Between whole orders ln max(A, B) is interpolated; pure DP bounds every order. Not traceable.

    Proof. Both moments are jointly convex, so fix who else is drawn; let P₀ and P₁ be the mechanism's distributions
    without and with the record, r = P₁/P₀. The sampled one has M = (1-q)P₀ + qP₁. Its moment against P₀ is E₀(1 - q +
    qr)^α, whose binomial sum is A. The other way round it is E₀(1 + qx)^(1-α), x = r-1, in which 1 + qx >= 1 - q; by
    convexity it is at most E₀(1 - q + q r^(1-α)); and as x >= -1 falls, ((1+qx)^(1-α) - 1 + (α-1)qx)/x² grows, up to
    B's factor at x = -1, while E₀x = 0 and E₀x² <= e^ε(2) - 1. At α = 2 it is 1 + q² ∫(P₀-P₁)²/M, and 1/M <= (1-q)/P₀ +
    q/P₁.

    Parameters
    ----------
    alpha : order, 1 <= alpha <= 10000, or inf; broadcasts with q
    curve : one mechanism's ε̄ for one record more or less, in both directions, as a function of the order
    q : sampling rate, 0 <= q <= 1: each record is drawn with probability q on its own, and the sample is secret

    Raises
    ------
    DomainError : the curve returns a number that is no budget

    References
    ----------
    Zhu & Wang 2019 for A, and for both directions with the terms from j = 3 on taken three times; for B see above.

    >>> round(float(subsampled_poisson(8, lambda alpha: gaussian(alpha, 5), 0.01)), 9)
    1.6826e-05
    """
    return _of_a_sample(sampled.poisson, alpha, curve, q)


def _of_a_sample(bound: Callable[..., float], alpha: ArrayLike, curve: Callable[[Any], Any], q: ArrayLike) -> NDArray:
    """Return a bound on ε̄ at every order, from one on ln E e^((α-1)L) at whole orders."""
    alpha = domain.order_or_limit("alpha", alpha)
    alpha = domain.condition("alpha", alpha, (alpha <= 10000) | np.isinf(alpha), "<= 10000, or inf")
    q = domain.probability("q", q)
    most = domain.extended("epsilon_bar", curve(np.inf))
    finite = np.where(np.isfinite(alpha), np.maximum(alpha, 1 + 1e-9), 2)
    orders = np.arange(2.0, np.max(np.ceil(finite)) + 1)
    budgets = domain.extended("epsilon_bar", np.broadcast_to(curve(orders), orders.shape))
    at = np.vectorize(lambda order, q: bound(order, orders, budgets, most, q), otypes=[float])
    below, above = np.floor(finite), np.ceil(finite)
    whole = below == above
    above_too = np.where(whole, 0.0, at(above, q))
    between = np.where(whole, 1.0, above - finite) * at(below, q) + (finite - below) * above_too
    at_infinity = at(np.inf, q)
    found = np.where(np.isinf(alpha), at_infinity, np.minimum(between / (finite - 1), at_infinity))
    return np.minimum(found, domain.extended("epsilon_bar", curve(alpha)))[()]  # sampling never hurts


def from_pure(alpha: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return the ε̄ at order α of every ε-DP mechanism, that is, of randomized response with p = e^ε/(1+e^ε).

    Its moment is e^((α-1)D) = cosh((α-1/2)ε) / cosh(ε/2).

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf; broadcasts
    epsilon : pure budget, >= 0

    References
    ----------
    Mironov 2017, Table II, for the curve; Steinke 2024 ("Tight RDP & zCDP Bounds from Pure DP"), Theorem 4, for
    its being the worst.

    >>> round(float(from_pure(1, 1.0)), 6), float(from_pure(np.inf, 1.0))
    (0.462117, 1.0)
    """
    alpha = domain.order_or_limit("alpha", alpha)
    epsilon = domain.nonnegative("epsilon", epsilon)
    t = _excess(alpha)
    plain = epsilon + np.log1p(expit(-epsilon) * np.expm1(-2 * t * epsilon)) / t
    # Where αε is small, the moment beyond 1 is a product: nothing cancels.
    s = np.minimum(epsilon, 1 / (1 + t))
    beyond = 2 * np.sinh(t * s / 2) * np.sinh((1 + t) * s / 2) / np.cosh(s / 2)
    return np.where((1 + t) * epsilon < 1, np.log1p(beyond) / t, plain)[()]


def from_zcdp(alpha: ArrayLike, rho: ArrayLike) -> NDArray:
    """Return the ε̄ at order α of every ρ-zCDP mechanism: αρ.

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf; broadcasts
    rho : zCDP budget, >= 0

    References
    ----------
    Bun & Steinke 2016, Definition 1.1.

    >>> float(from_zcdp(4, 0.5))
    2.0
    """
    alpha = domain.order_or_limit("alpha", alpha)
    rho = domain.nonnegative("rho", rho)
    return np.where((rho == 0) & np.isinf(alpha), 1.0, alpha) * rho  # rho = 0 says 0 at every order


def sigma(alpha: ArrayLike, epsilon_bar: ArrayLike, sensitivity: ArrayLike = 1) -> NDArray:
    """Return the σ of the Gaussian noise that gives (α, ε̄)-RDP: Δ√(α/2ε̄).

    Parameters
    ----------
    alpha : order, 1 <= alpha <= inf (where no finite noise does); broadcasts
    epsilon_bar : RDP budget at order alpha, > 0
    sensitivity : L2 sensitivity Δ of the query, > 0, in the query's units

    References
    ----------
    Mironov 2017, Corollary 3.

    >>> round(float(sigma(60, 0.00075)), 9)
    200.0
    """
    alpha = domain.order_or_limit("alpha", alpha)
    epsilon_bar = domain.positive("epsilon_bar", epsilon_bar)
    sensitivity = domain.positive("sensitivity", sensitivity)
    return sensitivity * np.sqrt(alpha / (2 * epsilon_bar))


def compose(*budgets: ArrayLike) -> NDArray:
    """Return the ε̄ of an adaptive composition, with all budgets at one order: Σε̄.

    Parameters
    ----------
    budgets : the ε̄ of each at that order, >= 0 (inf allowed); they broadcast. None at all compose to 0.

    References
    ----------
    Mironov 2017, Proposition 1.

    >>> float(compose(0.25, 0.5))
    0.75
    """
    return sum((domain.extended("epsilon_bar", budget) for budget in budgets), domain.NOTHING)


def repeat(epsilon_bar: ArrayLike, k: ArrayLike) -> NDArray:
    """Return the ε̄ of k mechanisms of one ε̄, at its order: kε̄.

    Parameters
    ----------
    epsilon_bar : budget of one, >= 0 (inf allowed); broadcasts
    k : how many, a whole number >= 0

    References
    ----------
    Mironov 2017, Proposition 1.

    >>> float(repeat(0.00075, 500))
    0.375
    """
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    k = domain.count("k", k)
    return k * np.where((k == 0) & np.isinf(epsilon_bar), 0.0, epsilon_bar)  # nothing asked, nothing lost


def group(alpha: ArrayLike, epsilon_bar: ArrayLike, size: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the (order, ε̄) for a group of s = `size` people: (1 + 1/x, (α-1)x ε̄) with x = (α/(α-1))^s - 1.

    For two people (α²/(2α-1), (2α-1)/(α-1) ε̄); at α = ∞ (∞, sε̄). The log-moment (α-1)ε̄ stays as it is, and 1 - 1/α is
    raised to the power s; so a group of groups costs what the whole group costs.

    Proof. For neighbours P₀, P₁, ..., P_s let f_i = P_(i-1)^α P_i^(1-α), whose integral is at most e^((α-1)ε̄). With
    weights w_i in proportion to (1-1/α)^i that sum to 1, all but the ends cancel: Π f_i^(w_i) = P₀^β P_s^(1-β), where
    β = 1/(1 - (1-1/α)^s). By Hölder its integral is at most Π (∫f_i)^(w_i) <= e^((α-1)ε̄), and it is e^((β-1)D_β).

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts. Where the group's order is next to 1 it is rounded to 1, the KL limit.
    epsilon_bar : budget towards one person at order alpha, >= 0 (inf allowed)
    size : people in the group, a whole number >= 1

    References
    ----------
    Mironov 2017, Proposition 11, at the orders that make both of its terms the budget's own, for two people; the proof
    above for more. Mironov's Proposition 2, (α/2^c, 3^c ε̄) for s = 2^c, is weaker in both numbers.

    >>> order, epsilon_bar = group(32, 0.1, 2)
    >>> round(float(order), 6), round(float(epsilon_bar), 6)
    (16.253968, 0.203226)
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    size = domain.positive_count("size", size)
    t = _excess(alpha)
    exponent = size * np.log1p(1 / t)
    x = np.where(exponent > 700, np.inf, np.expm1(np.minimum(exponent, 700)))
    times = t * np.where((epsilon_bar == 0) & (exponent > 700), 1.0, x)  # of no loss at all nothing is lost
    return np.where(np.isinf(alpha), np.inf, 1 + 1 / x)[()], times * epsilon_bar


def epsilon(alpha: ArrayLike, epsilon_bar: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return an ε at which an (α, ε̄)-RDP mechanism is (ε, δ)-DP: ε̄ + ln(1/δ)/(α-1).

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)
    delta : δ, 0 < delta < 1

    References
    ----------
    Mironov 2017, Proposition 3.

    >>> round(float(epsilon(60, 0.375, 1e-5)), 7)
    0.5701343
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    delta = domain.fraction("delta", delta)
    return epsilon_bar - np.log(delta) / (alpha - 1)


def epsilon_tight(alpha: ArrayLike, epsilon_bar: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return a smaller ε than `epsilon`, by the tight conversion: ε̄ + ln((α-1)/α) - (ln δ + ln α)/(α-1), or 0.

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)
    delta : δ, 0 < delta < 1

    References
    ----------
    Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> round(float(epsilon_tight(60, 0.375, 1e-5)), 7)
    0.4839315
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    delta = domain.fraction("delta", delta)
    return np.maximum(_tight(alpha, epsilon_bar, delta), 0)


def _tight(alpha: NDArray, epsilon_bar: NDArray, delta: NDArray) -> NDArray:
    """Return `epsilon_tight` before it is held at 0, and without checks."""
    t = _excess(alpha)
    return epsilon_bar - np.log1p(1 / t) - (np.log(delta) + np.log1p(t)) / t


def delta(alpha: ArrayLike, epsilon_bar: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return a δ at which an (α, ε̄)-RDP mechanism is (ε, δ)-DP: e^((α-1)(ε̄-ε)), or 1. This is `epsilon` solved for δ.

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)
    epsilon : ε >= 0

    References
    ----------
    Mironov 2017, Proposition 3.

    >>> round(float(delta(60, 0.375, 0.5701343)), 8)
    1e-05
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    epsilon = domain.nonnegative("epsilon", epsilon)
    log_delta = _excess(alpha) * (epsilon_bar - epsilon)
    return _delta(alpha, epsilon_bar, epsilon, log_delta)


def delta_tight(alpha: ArrayLike, epsilon_bar: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return a smaller δ than `delta`, by the tight conversion: e^((α-1)(ε̄-ε)) (1-1/α)^α / (α-1), or 1.

    `epsilon_tight` solved for δ.

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)
    epsilon : ε >= 0

    References
    ----------
    Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> round(float(delta_tight(60, 0.375, 0.4839315)), 8)
    1e-05
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    epsilon = domain.nonnegative("epsilon", epsilon)
    t = _excess(alpha)
    log_delta = t * (epsilon_bar - epsilon) - t * np.log1p(1 / t) - np.log1p(t)
    return _delta(alpha, epsilon_bar, epsilon, log_delta)


def _delta(alpha: NDArray, epsilon_bar: NDArray, epsilon: NDArray, log_delta: NDArray) -> NDArray:
    """Return δ, at most 1; at α = ∞ the loss never exceeds ε̄, so δ is 0 for ε >= ε̄."""
    covered = np.isinf(alpha) & (epsilon_bar <= epsilon)
    return np.where(covered, 0.0, np.exp(np.minimum(log_delta, 0)))[()]


def best(orders: Sequence[float], epsilon_bars: Sequence[Any], delta: ArrayLike, tight: bool = True) -> AtOrder:
    """Return the least ε over several orders, and the order α that gives it: (ε, α).

    Parameters
    ----------
    orders : orders, each 1 < alpha <= inf, for example `ORDERS`
    epsilon_bars : as many budgets, one an order, >= 0 (inf allowed); each may be an array, they broadcast
    delta : δ, 0 < delta < 1; broadcasts
    tight : by `epsilon_tight` (True) or by `epsilon` (False)

    Raises
    ------
    DomainError : there are no orders, or not as many budgets as orders

    References
    ----------
    Mironov 2017, Proposition 3; Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> epsilon, alpha = best(ORDERS, [gaussian(alpha, 200) for alpha in ORDERS], 1e-5)
    >>> round(float(epsilon), 6), round(float(alpha), 1)
    (0.014487, 725.1)
    """
    orders, epsilon_bars = list(orders), list(epsilon_bars)
    if not orders or len(orders) != len(epsilon_bars):
        raise domain.DomainError(
            f"orders and epsilon_bars must be as many, at least one, got {len(orders)} and {len(epsilon_bars)}"
        )
    convert = epsilon_tight if tight else epsilon
    pairs = [(convert(alpha, bar, delta), alpha) for alpha, bar in zip(orders, epsilon_bars, strict=True)]
    return AtOrder(*functools.reduce(_better, pairs[1:], _better(pairs[0], pairs[0])))


def _better(one: tuple, other: tuple) -> tuple:
    """Return the (ε, α) with the smaller ε, the first of equals; NaN stays NaN."""
    epsilon = np.minimum(one[0], other[0])
    alpha = np.where(one[0] <= other[0], one[1], other[1])
    return epsilon, np.where(np.isnan(epsilon), np.nan, alpha)[()]


def optimum(curve: Callable[[Any], Any], delta: ArrayLike, tight: bool = True) -> AtOrder:
    """Return the least ε over every order α > 1 of an RDP curve, and the best order, which gives it: (ε, α).

    Golden-section search over ln(α-1), 21 steps between α - 1 = e^-30 and e^30, one along a parabola, and a look at
    α = ∞. For the curve of a mechanism what is minimised has one valley, and the search ends within 1e-12 (1 + ε) of
    its floor. Every order gives a valid ε: a search that is led astray (by a curve that is only a bound) still errs
    upward.

    On a tape of a figure it writes the curve 27 times.

    Parameters
    ----------
    curve : the budget ε̄ as a function of the order, for example `lambda alpha: rdp.gaussian(alpha, 200)`; called with
        orders 1 < alpha <= inf in the shape of delta and of its own results; it may answer inf
    delta : δ, 0 < delta < 1; broadcasts with what the curve answers
    tight : by `epsilon_tight` (True) or by `epsilon` (False)

    Raises
    ------
    DomainError : the curve returns a number that is no budget

    References
    ----------
    Mironov 2017, Proposition 3; Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> epsilon, alpha = optimum(lambda alpha: gaussian(alpha, 200), 1e-5)
    >>> round(float(epsilon), 7), round(float(alpha), 1)
    (0.0143413, 637.0)
    """
    delta = domain.fraction("delta", delta)
    convert: Callable[..., NDArray] = _tight if tight else _classic

    def at(log_excess: Any) -> Any:
        alpha = 1 + np.exp(log_excess)
        return convert(alpha, domain.extended("epsilon_bar", curve(alpha)), delta)

    golden = (np.sqrt(5) - 1) / 2
    low, high = -30.0, 30.0
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(21):
        lower = at_left <= at_right  # the valley is left of `right`
        low, high = np.where(lower, low, left), np.where(lower, right, high)
        new = np.where(lower, high - golden * (high - low), low + golden * (high - low))
        at_new = at(new)
        left, right = np.where(lower, new, right), np.where(lower, left, new)
        at_left, at_right = np.where(lower, at_new, at_right), np.where(lower, at_left, at_new)
    middle, at_middle = np.where(at_left <= at_right, left, right), np.minimum(at_left, at_right)
    bottom = _parabola(at, middle, at_middle, high - low)
    at_infinity = convert(np.inf, domain.extended("epsilon_bar", curve(np.inf)), delta)
    found, alpha = functools.reduce(
        _better, [(at(bottom), 1 + np.exp(bottom)), (at_middle, 1 + np.exp(middle)), (at_infinity, np.inf)]
    )
    return AtOrder(np.maximum(found, 0), alpha)


def _parabola(function: Callable[[Any], Any], middle: NDArray, at_middle: NDArray, h: Any) -> NDArray:
    """Return where the parabola through `middle` and its neighbours at distance h has its bottom, at most h away."""
    before, here, after = (np.minimum(y, 1e300) for y in (function(middle - h), at_middle, function(middle + h)))
    bend = before - 2 * here + after
    return middle + h * np.clip((before - after) / np.where(bend > 0, 2 * bend, np.inf), -1, 1)


def _classic(alpha: NDArray, epsilon_bar: NDArray, delta: NDArray) -> NDArray:
    """Return `epsilon` without checks."""
    return epsilon_bar - np.log(delta) / _excess(alpha)


def moment(lambda_: ArrayLike, log_moment: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the moments accountant's log-moment at λ as RDP: (α, ε̄) = (λ+1, α_M(λ)/λ).

    Parameters
    ----------
    lambda_ : λ > 0, the moment's order; broadcasts
    log_moment : α_M(λ) = ln E[e^(λL)], >= 0 (inf allowed)

    References
    ----------
    Abadi et al. 2016; Mironov 2017.

    >>> tuple(map(float, moment(4, 2)))
    (5.0, 0.5)
    """
    lambda_ = domain.positive("lambda_", lambda_)
    log_moment = domain.extended("log_moment", log_moment)
    return lambda_ + 1, log_moment / lambda_


def log_moment(alpha: ArrayLike, epsilon_bar: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return (α, ε̄)-RDP as the moments accountant's log-moment, the inverse of `moment`: (λ, α_M(λ)) = (α-1, (α-1)ε̄).

    Parameters
    ----------
    alpha : order, 1 < alpha < inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)

    References
    ----------
    Abadi et al. 2016; Mironov 2017.

    >>> tuple(map(float, log_moment(5, 0.5)))
    (4.0, 2.0)
    """
    alpha = domain.order("alpha", alpha)
    alpha = domain.condition("alpha", alpha, np.isfinite(alpha), "finite")
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    return alpha - 1, (alpha - 1) * epsilon_bar


def probability_bounds(alpha: ArrayLike, epsilon_bar: ArrayLike, probability: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the range of an event's probability p under a neighbour, where it has probability q here: (low, high) =

    (e^(-ε̄) q^(α/(α-1)), (e^ε̄ q)^((α-1)/α)), at most 1. The "bad outcomes" guarantee.

    Parameters
    ----------
    alpha : order, 1 < alpha <= inf; broadcasts
    epsilon_bar : budget at order alpha, >= 0 (inf allowed)
    probability : q, between 0 and 1

    References
    ----------
    Mironov 2017, Proposition 10.

    >>> low, high = probability_bounds(20, 0.1, 1e-6)
    >>> float(f"{low:.4g}"), float(f"{high:.4g}")
    (4.373e-07, 2.194e-06)
    """
    alpha = domain.order("alpha", alpha)
    epsilon_bar = domain.extended("epsilon_bar", epsilon_bar)
    q = domain.probability("probability", probability)
    ratio = 1 / (1 + 1 / _excess(alpha))  # (α-1)/α, also at ∞
    log_q = np.log(np.where(q == 0, 1.0, q))
    low, high = np.exp(log_q / ratio - epsilon_bar), np.exp(np.minimum(epsilon_bar + log_q, 0) * ratio)
    return (q > 0) * low, (q > 0) * high


def _excess(alpha: NDArray) -> NDArray:
    """Return α - 1, kept off 0 and ∞: at these two ends the formulas have reached their limits to the last digit."""
    return np.clip(alpha - 1, 1e-100, 1e200)


def _curvature(x: Any) -> Any:
    """Return (e^x - 1 - x)/x² for |x| <= 0.1, by its series."""
    return functools.reduce(lambda rest, n: (1 + x * rest) / n, range(10, 1, -1), 0.0)
