"""Divergences: `renyi(p, q, alpha)` returns how far apart two distributions of a mechanism's output are.

P and Q are two arrays of probabilities over the same outcomes (the last axis, which sums to 1; other axes broadcast),
or two `Normal`, or two `Laplace`, of one width. Two that are of different kinds or widths raise a `DomainError`. The
closed forms can be traced; arrays cannot, for they are summed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import hyp1f1

from dp_lib import domain, gdp, rdp


class Normal(NamedTuple):
    """The normal distribution with this mean and standard deviation sigma: what the Gaussian mechanism releases."""

    mean: Any
    sigma: Any


class Laplace(NamedTuple):
    """The Laplace distribution with this mean and scale: what the Laplace mechanism releases."""

    mean: Any
    scale: Any


Distribution = Normal | Laplace | ArrayLike


def privacy_loss(p: Distribution, q: Distribution, outcome: ArrayLike | None = None) -> NDArray:
    """Return the privacy loss ln(P(y)/Q(y)) of an outcome y.

    Parameters
    ----------
    p, q : two distributions of one kind
    outcome : y, for closed forms; arrays give the loss of every outcome, inf where Q(y) = 0, -inf where P(y) = 0

    Raises
    ------
    DomainError : p and q are not of one kind and width, or outcome is left out for closed forms or given for arrays

    References
    ----------
    Dwork & Roth 2014, section 3.5.

    >>> float(privacy_loss(Normal(0, 1), Normal(1, 1), 0.5))
    0.0
    >>> privacy_loss([0.75, 0.25], [0.25, 0.75]).round(4).tolist()
    [1.0986, -1.0986]
    """
    shift = _shift(p, q)
    if shift is None:
        if outcome is not None:
            raise domain.DomainError("outcome must be left out for arrays: they give every outcome's loss")
        return _loss(*_masses(p, q))
    if outcome is None:
        raise domain.DomainError("outcome must be given for Normal and Laplace: where to take the loss")
    from_p = (domain.real("outcome", outcome) - _mean(p)) / _width(p)
    from_q = from_p - shift
    return (from_q**2 - from_p**2) / 2 if isinstance(p, Normal) else abs(from_q) - abs(from_p)


def renyi(p: Distribution, q: Distribution, alpha: ArrayLike) -> NDArray:
    """Return the Rényi divergence of order α: ln E[e^((α-1)L)] / (α-1), the loss L taken under P.

    Parameters
    ----------
    p, q : two distributions of one kind
    alpha : order, 1 <= alpha <= inf, where 1 stands for the Kullback-Leibler divergence, the mean of the loss, and inf
        for the max divergence, the largest loss, which ε-DP bounds; broadcasts

    References
    ----------
    van Erven & Harremoës 2014; Mironov 2017, Definition 3.

    >>> float(renyi(Normal(0, 2), Normal(1, 2), 8))
    1.0
    >>> round(float(renyi([0.75, 0.25], [0.25, 0.75], 2)), 7)
    0.8472979
    """
    shift = _shift(p, q)
    if shift is None:
        return _discrete_renyi(*_masses(p, q), domain.order_or_limit("alpha", alpha))
    alpha = domain.order_or_limit("alpha", alpha)
    order = np.where((shift == 0) & np.isinf(alpha), 1.0, alpha)  # equal means: 0 at every order
    room = rdp.gaussian if isinstance(p, Normal) else rdp.laplace
    return (shift != 0) * room(order, 1, np.where(shift == 0, 1.0, abs(shift)))


def hockey_stick(p: Distribution, q: Distribution, epsilon: ArrayLike) -> NDArray:
    """Return the hockey-stick divergence, the most by which P(S) exceeds e^ε Q(S) over all S: E[(1 - e^(ε-L))₊].

    A mechanism is (ε, δ)-DP where it is at most δ for all neighbours, in both directions.

    Parameters
    ----------
    p, q : two distributions of one kind
    epsilon : ε >= 0; broadcasts

    References
    ----------
    Barthe & Olmedo 2013; Balle & Wang 2018.

    >>> round(float(hockey_stick([0.75, 0.25], [0.25, 0.75], 0)), 7)
    0.5
    >>> round(float(hockey_stick(Laplace(0, 1), Laplace(1, 1), 0.5)), 7)
    0.2211992
    """
    shift = _shift(p, q)
    epsilon = domain.nonnegative("epsilon", epsilon)
    if shift is None:
        p, q = _masses(p, q)
        return np.sum(p * abs(np.expm1(np.minimum(epsilon[..., np.newaxis] - _loss(p, q), 0))), axis=-1)
    if isinstance(p, Normal):
        return gdp.delta(abs(shift), epsilon)
    return abs(np.expm1(np.minimum(epsilon - abs(shift), 0) / 2))


def _shift(p: Any, q: Any) -> NDArray | None:
    """Return the distance between two closed forms' means in widths, with its sign; None for arrays."""
    closed = Normal | Laplace
    if not isinstance(p, closed) and not isinstance(q, closed):
        return None
    if type(p) is not type(q):
        raise domain.DomainError("p and q must be two Normal, two Laplace, or two arrays of probabilities")
    width = domain.condition(p._fields[1], _width(p), _width(p) == _width(q), "the same for p and q")
    return (_mean(q) - _mean(p)) / width


def _mean(closed: Any) -> NDArray:
    return domain.real("mean", closed.mean)


def _width(closed: Any) -> NDArray:
    return domain.positive(closed._fields[1], closed[1])


def _masses(p: ArrayLike, q: ArrayLike) -> tuple[NDArray, NDArray]:
    """Check two arrays of probabilities over the same outcomes, and return them."""
    p, q = (np.atleast_1d(domain.probability(name, value)) for name, value in (("p", p), ("q", q)))
    for name, value in (("p", p), ("q", q)):
        total = value.sum(axis=-1)
        domain.condition(f"the sum of {name}", total, abs(total - 1) <= 1e-9, "1")
    if p.shape[-1] != q.shape[-1]:
        raise domain.DomainError(f"p and q must have as many outcomes, got {p.shape[-1]} and {q.shape[-1]}")
    p, q = np.broadcast_arrays(p, q)
    return p, q


def _loss(p: NDArray, q: NDArray) -> NDArray:
    """Return ln(p/q), with all its digits also where p and q nearly agree; -inf where p = 0, else inf where q = 0."""
    some_p, some_q = np.where(p == 0, 1.0, p), np.where(q == 0, 1.0, q)
    near = abs(p - q) < q / 2
    ratio = np.where(near, np.log1p(np.where(near, (p - q) / some_q, 0)), np.log(some_p) - np.log(some_q))
    return np.select([p == 0, q == 0], [-np.inf, np.inf], ratio)


def _discrete_renyi(p: NDArray, q: NDArray, alpha: NDArray) -> NDArray:
    loss, t = np.where(p == 0, 0.0, _loss(p, q)), rdp._excess(alpha)
    width = np.max(abs(loss), axis=-1)
    small = (width < 1) & (t * width < 1)
    near = _from_zero(p, q, np.where(small[..., np.newaxis], loss, 0.0), np.where(small, t, 1.0))
    return np.where(np.isinf(width), np.inf, np.where(small, near, _from_top(p, loss, t)))[()]


def _from_zero(p: NDArray, q: NDArray, loss: NDArray, t: NDArray) -> NDArray:
    """Return ln E[e^(tL)]/t for small L and tL. No term is negative, so no digit cancels:

    E[e^(tL)] - 1 = t·KL + E[e^(tL) - 1 - tL], and KL = E[e^(-L) - 1 + L] + Q(P = 0).
    """
    mean = np.sum(p * _beyond(-loss), axis=-1) + np.sum(np.where(p == 0, q, 0.0), axis=-1)
    return np.log1p(t * mean + np.sum(p * _beyond(t[..., np.newaxis] * loss), axis=-1)) / t


def _from_top(p: NDArray, loss: NDArray, t: NDArray) -> NDArray:
    """Return ln E[e^(tL)]/t from the largest loss m down: m + ln E[e^(t(L-m))]/t, where nothing overflows."""
    most = np.max(np.where((p == 0) | np.isinf(loss), -np.inf, loss), axis=-1)
    down = np.where(p == 0, 0.0, np.minimum(t[..., np.newaxis] * (loss - most[..., np.newaxis]), 0))
    fall = np.sum(p * np.expm1(down), axis=-1)
    log_mean = np.where(fall < -0.5, np.log(np.sum(p * np.exp(down), axis=-1)), np.log1p(np.maximum(fall, -0.5)))
    return np.maximum(most + log_mean / t, 0)


def _beyond(x: NDArray) -> NDArray:
    """Return e^x - 1 - x for |x| <= 1."""
    return x**2 / 2 * hyp1f1(1, 3, x)
