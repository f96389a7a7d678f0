"""Compute Rényi divergences of sampled mechanisms, first of the Poisson-sampled Gaussian. Private to `rdp`.

With x(z) = q (e^((2z-1)/2σ²) - 1), so that E x = 0 over z ~ N(0, σ²), the moment at order α = 1 + t is

    A = E (1+x)^α = 1 + α t E h(x),    h(x) = ((1+x)^α - 1 - αx)/(αt) >= 0.

Nothing cancels in E h, however small the sampling rate, the order's distance from 1 or the divergence. For a whole
order up to `SUM` it is a sum of positive terms over how often the record is drawn: A = E e^(J(J-1)/2σ²), J ~ Bin(α, q).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, hyp1f1, hyp2f1, logsumexp

SUM = 300  # whole orders up to this one are summed, all others integrated
LOG_FACTORIAL = gammaln(np.arange(SUM + 1) + 1)
EVEN = 400  # steps: where more are needed, panels take fewer points
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)
BULK = np.arange(-14, 15.0)  # panels around a peak, in σ
TURN = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17, 22, 28, 36, 46.0])  # around the mixture's turn, in σ²


def divergence(t: NDArray, sigma: NDArray, q: NDArray) -> NDArray:
    """Return ln A / t at orders 1 + t, t > 0, noise σ > 0 and rates 0 < q < 1, which are vectors of one length."""
    whole = (t == np.floor(t)) & (t < SUM)
    log_beyond = np.empty(t.shape)
    for some, rule in ((whole, _summed), (~whole, _integrated)):
        if some.any():
            log_beyond[some] = rule(*(v[some][:, None] for v in (t, sigma, q)))
    return np.logaddexp(0, log_beyond) / t


def _summed(t: NDArray, sigma: NDArray, q: NDArray) -> NDArray:
    """Return ln(A - 1), by the number of draws j = 2..α."""
    alpha = t.astype(int) + 1
    j = np.arange(2, alpha.max() + 1)
    rest = alpha - j
    terms = _drawn(j, sigma, q) - LOG_FACTORIAL[rest]
    terms[rest < 0] = -np.inf
    return logsumexp(terms, axis=1) + (LOG_FACTORIAL[alpha] + alpha * np.log1p(-q))[:, 0]


def _drawn(j: Any, sigma: Any, q: Any) -> Any:
    """Return ln of what j draws add to A - 1, without the factors that hold the order."""
    gain = j * (j - 1) / (2 * sigma**2)
    return j * (np.log(q) - np.log1p(-q)) + gain + np.log(-np.expm1(-gain)) - LOG_FACTORIAL[j]


def recorded(alpha: int, sigma: Any, q: Any) -> Any:
    """Return `divergence` at one whole order up to SUM, in elementwise steps alone, which a figure's tape can hold."""
    some = np.where(q < 1, q, 0.5)
    terms = [_drawn(j, sigma, some) - LOG_FACTORIAL[alpha - j] for j in range(2, alpha + 1)]
    log_beyond = functools.reduce(np.logaddexp, terms) + LOG_FACTORIAL[alpha] + alpha * np.log1p(-some)
    whole = q * alpha / (2 * sigma**2)  # with q, so that a missing rate stays missing
    return np.where(q < 1, np.logaddexp(0, log_beyond) / (alpha - 1), whole)


def _integrated(t: NDArray, sigma: NDArray, q: NDArray) -> NDArray:
    """Return ln(α t E h)."""
    z, weights = _even(t, sigma) if _steps(t, sigma) < EVEN else _panels(t, sigma, q)
    density = np.log(weights) - (z / sigma) ** 2 / 2 - np.log(np.sqrt(2 * np.pi) * sigma)
    return (np.log1p(t) + np.log(t))[:, 0] + logsumexp(density + _log_h(z, t, sigma, q), axis=1)


def _steps(t: NDArray, sigma: NDArray) -> float:
    """Return how many even steps lead from 9σ below 0 to 9σ above the order."""
    return float(np.ceil(np.max((1 + t + 18 * sigma) / np.minimum(0.6 * sigma, 0.45 * sigma**2))))


def _even(t: NDArray, sigma: NDArray) -> tuple[NDArray, NDArray]:
    """Return nodes and step of the trapezoidal rule.

    It is exact to rounding on a Gaussian times what is analytic within πσ² of the real line.
    """
    step = (1 + t + 18 * sigma) / _steps(t, sigma)
    return step * np.arange(_steps(t, sigma) + 1) - 9 * sigma, step


def _panels(t: NDArray, sigma: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
    """Return nodes and weights of Gauss' rule on panels around the integrand's one or two peaks and their turn."""
    alpha, turn = 1 + t, 0.5 + sigma**2 * (np.log1p(-q) - np.log(q))
    peaks = [np.zeros_like(alpha), alpha]
    for _ in range(60):  # peaks solve z = α P(drawn | z); from either end, so that two of them are found
        peaks = [alpha / (1 + np.exp(np.minimum((turn - z) / sigma**2, 700))) for z in peaks]
    peaks[0] = np.maximum(peaks[0], 2)  # h is like x² before the turn, and x² times the density peaks at 2
    edges = [z + sigma * BULK for z in peaks] + [turn + sigma**2 * side * TURN for side in (-1, 1)]
    edges = np.sort(np.concatenate(edges, axis=1), axis=1)[:, :, None]
    half = np.maximum(np.diff(edges, axis=1) / 2, 1e-300)
    return (edges[:, :-1] + half * (1 + POINTS)).reshape(len(t), -1), (half * WEIGHTS).reshape(len(t), -1)


def _log_h(z: NDArray, t: NDArray, sigma: NDArray, q: NDArray) -> NDArray:
    """Return ln h = y - ln α + ln((e^(ty) - 1)/t + e^(-y) - 1), y = ln(1+x); by its series where αx is small."""
    alpha, w = 1 + t, (z - 0.5) / sigma**2
    x = q * np.expm1(np.minimum(w, 700))
    y = np.where(w < 700, np.log1p(x), w + np.log(q))
    near = np.minimum(abs(x), 0.1 / alpha) * np.sign(x)
    series = functools.reduce(lambda rest, n: 1 + (alpha - n + 1) * near / n * rest, range(12, 2, -1), 1.0)
    steep = np.minimum(t * y, 80)
    direct = np.log(np.maximum(np.expm1(steep) / t + np.expm1(-y), 1e-300)) + (t * y - steep)
    with np.errstate(divide="ignore"):
        return np.where(abs(x) < 0.1 / alpha, 2 * np.log(abs(near)) + np.log(series / 2), y + direct - np.log(alpha))


def fixed_size(order: float, orders: NDArray, budgets: NDArray, most: float, q: float) -> float:
    """Return Wang, Balle & Kasiviswanathan's ln A at a whole order; at order inf, ln(1 - q + q e^most)."""
    if (known := _plain(order, most, q)) is not None:
        return known
    with np.errstate(divide="ignore", over="ignore"):
        j, budgets = orders[orders <= order], budgets[orders <= order]
        terms = (j - 1) * budgets + np.minimum(np.log(2), j * np.log(np.expm1(most)))
        terms[0] = np.minimum(np.log(4 * np.expm1(budgets[0])), terms[0])
    return float(np.logaddexp(0, logsumexp(_log_ways(order, j) + j * np.log(q) + terms)))


def poisson(order: float, orders: NDArray, budgets: NDArray, most: float, q: float) -> float:
    """Return ln max(A, B) of `rdp.subsampled_poisson` at a whole order, as sums of each term's excess over budget 0."""
    if (known := _plain(order, most, q)) is not None:
        return known
    t, j, budgets = order - 1, orders[orders <= order], budgets[orders <= order]
    if q == 1:
        return float(t * budgets[-1])
    with np.errstate(divide="ignore"):
        drawn = _log_ways(order, j) + j * np.log(q) + (order - j) * np.log1p(-q)
        more = np.logaddexp(0, logsumexp(drawn + _log_expm1((j - 1) * budgets)))
        ceiling = -t * np.log1p(-q)
        some = min(ceiling, 600.0)  # beyond, the bend would overflow, and is more than the ceiling
        bend = some**2 / 2 * hyp1f1(1, 3, some) + t * q**2 / 2 * hyp2f1(1, 2, 3, q)  # (1-q)^-t - 1 - tq
        bent = np.logaddexp(0, np.log(q**2 if t == 1 else bend) + _log_expm1(budgets[0]))
        mixed = np.logaddexp(0, np.log(q) + _log_expm1(t * budgets[-1]))
        less = min(ceiling, mixed, bent if some == ceiling or t == 1 else np.inf)
    return float(max(more, less))


def _plain(order: float, most: float, q: float) -> float | None:
    """Return the bounds at orders 1 and inf, and where nothing is drawn; None elsewhere."""
    if np.isnan(order + q + most):
        return np.nan
    if order == 1 or q == 0:
        return 0.0
    if np.isinf(order):
        return float(np.logaddexp(np.log1p(-q), np.log(q) + most)) if q < 1 else float(most)
    return None


def _log_ways(order: float, j: NDArray) -> NDArray:
    return gammaln(order + 1) - gammaln(j + 1) - gammaln(order - j + 1)


def _log_expm1(x: Any) -> Any:
    return x + np.log(-np.expm1(-x))
