"""Tails of one mechanism's privacy loss by mpmath, at its working precision: P(L > x) and e^x Q(L > x).

Their difference is the privacy profile δ(x). No code of dp_lib or of the planner.
"""

from mpmath import mp, mpf, ncdf

Tails = tuple[mpf, mpf]


def delta(tails: Tails) -> mpf:
    """Return δ(x) from the tails at x."""
    beyond, discounted = tails
    return beyond - discounted


def gaussian(mu: float, x: float) -> Tails:
    """Return the tails of N(μ, 1) against N(0, 1)."""
    mu, x = mpf(mu), mpf(x)
    return ncdf(mu / 2 - x / mu), mp.exp(x) * ncdf(-mu / 2 - x / mu)


def laplace(scale: float, x: float) -> Tails:
    """Return the tails of Laplace noise y of this scale on 0 and on 1, where L = (|y - 1| - |y|)/scale."""
    x, end = mpf(x), 1 / mpf(scale)
    if x >= end:
        return mpf(0), mpf(0)
    if x < -end:
        return mpf(1), mp.exp(x)
    return 1 - mp.exp((x - end) / 2) / 2, mp.exp((x - end) / 2) / 2


def sampled(sigma: float, q: float, x: float, added: bool = False) -> Tails:
    """Return the tails of (1-q) N(0, σ²) + q N(1, σ²) against N(0, σ²), or the other way round: a record is added."""
    sigma, q, x = mpf(sigma), mpf(q), mpf(x)
    ratio = (mp.exp(-x if added else x) - 1 + q) / q
    z = mpf(1) / 2 + sigma**2 * mp.log(ratio) if ratio > 0 else -mp.inf
    sign = 1 if added else -1  # the loss falls with z where the mixture is Q
    plain = ncdf(sign * z / sigma)
    mixture = (1 - q) * plain + q * ncdf(sign * (z - 1) / sigma)
    return (plain, mp.exp(x) * mixture) if added else (mixture, mp.exp(x) * plain)
