"""Private gradient descent (DP-SGD): `epsilon(sigma, q, steps, delta)` returns what a training run costs.

Throughout, the noise multiplier sigma is the noise's standard deviation in units of the clipping norm, each example
joins a step with probability q on its own (Poisson sampling), and a neighbour has one example more or less.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

from dp_lib import domain, rdp

# Whole orders, so that a figure can play their sums.
ORDERS: tuple[int, ...] = (*range(2, 17), 18, 20, 22, 24, 27, 30, 34, 38, 43, 48, 56, 64, 80, 96, 128)


def clip(gradients: ArrayLike, norm: ArrayLike) -> NDArray:
    """Return each gradient g, shortened to length C where it is longer: g · min(1, C/‖g‖).

    Parameters
    ----------
    gradients : one per row, the last axis running over coordinates; a leading axis can run over models
    norm : clipping norm C > 0, in the gradients' units; one number, or one per model

    References
    ----------
    Abadi et al. 2016, Algorithm 1.

    >>> clip([[3.0, 4.0], [0.3, 0.4]], 1.0).round(3).tolist()
    [[0.6, 0.8], [0.3, 0.4]]
    """
    gradients = domain.real("gradients", gradients)
    norm = domain.positive("norm", norm)
    length = np.sqrt(np.sum(gradients**2, axis=-1, keepdims=True))
    return gradients * np.minimum(1, norm[..., None, None] / np.maximum(length, 1e-300))


def noisy_sum(gradients: ArrayLike, norm: ArrayLike, sigma: ArrayLike, rng: Generator) -> NDArray:
    """Return the sum of the clipped gradients + Gaussian noise of standard deviation σC on each coordinate.

    Parameters
    ----------
    gradients : one per row, as `clip` takes them; with no row at all the sum is the noise alone
    norm : clipping norm C > 0: the sum's L2 sensitivity for one example more or less
    sigma : noise multiplier >= 0; 0 is clipping without privacy
    rng : source of randomness

    References
    ----------
    Song, Chaudhuri & Sarwate 2013; Abadi et al. 2016, Algorithm 1.

    >>> noisy_sum([[3.0, 4.0], [0.3, 0.4]], 1.0, 2.0, np.random.default_rng(1)).round(3).tolist()
    [1.591, 2.843]
    """
    total = np.sum(clip(gradients, norm), axis=-2)
    sigma = domain.nonnegative("sigma", sigma)
    norm = domain.positive("norm", norm)
    rng = domain.generator("rng", rng)
    return total + (sigma * norm)[..., None] * rng.standard_normal(total.shape)


def sample(n: int, q: float, rng: Generator) -> NDArray:
    """Return a Poisson sample: the indices of 0..n-1 that are kept, each independently with probability q.

    Parameters
    ----------
    n : examples, a whole number >= 0
    q : sampling rate, 0 <= q <= 1
    rng : source of randomness

    References
    ----------
    Mironov, Talwar & Zhang 2019.

    >>> sample(10, 0.3, np.random.default_rng(1)).tolist()
    [2, 9]
    """
    n = domain.single("n", domain.count("n", n))
    q = domain.single("q", domain.probability("q", q))
    rng = domain.generator("rng", rng)
    return np.flatnonzero(rng.random(int(n)) < q)


def epsilon(sigma: ArrayLike, q: ArrayLike, steps: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return the ε of a run by RDP: the sampled Gaussian's ε̄ times the steps, converted at the best of `ORDERS`.

    The conversion is `rdp.epsilon_tight`.

    Parameters
    ----------
    sigma : noise multiplier, 1e-50 <= sigma <= 1e50; broadcasts
    q : sampling rate, 0 <= q <= 1
    steps : a whole number >= 0
    delta : δ, 0 < delta < 1

    References
    ----------
    Abadi et al. 2016; Mironov, Talwar & Zhang 2019; Canonne, Kamath & Steinke 2020, Proposition 12.

    >>> round(float(epsilon(1.0, 0.01, 1000, 1e-5)), 4)
    2.1078
    """
    one_order = [
        rdp.epsilon_tight(alpha, rdp.repeat(rdp.subsampled_gaussian(alpha, sigma, q), steps), delta) for alpha in ORDERS
    ]
    return functools.reduce(np.minimum, one_order)


def sigma(epsilon: ArrayLike, delta: ArrayLike, q: ArrayLike, steps: ArrayLike) -> NDArray:
    """Return the least noise multiplier with which a run satisfies (ε, δ)-DP by this module's `epsilon`, rounded up.

    Parameters
    ----------
    epsilon : ε > 0 of the whole run, within reach of the orders (at δ = 1e-5 about 0.05 or more); broadcasts
    delta : δ, 0 < delta < 1
    q : sampling rate, 0 < q <= 1
    steps : a whole number >= 1

    References
    ----------
    `epsilon`, inverted by bisection between 0.01 and 10^6 to 8 digits; the end that is private is returned.

    >>> round(float(sigma(2.0, 1e-5, 0.01, 1000)), 4)
    1.0229
    """
    target = domain.positive("epsilon", epsilon)
    delta = domain.fraction("delta", delta)
    q = domain.probability("q", q)
    steps = domain.positive_count("steps", steps)
    target, delta, q, steps = np.broadcast_arrays(target, delta, q, steps)
    low, high = np.full(target.shape, np.log(0.01)), np.full(target.shape, np.log(1e6))
    reached = _spent(high, q, steps, delta) <= target
    target = domain.condition("epsilon", target, reached, "within reach of the orders", "allow more, or raise delta")
    for _ in range(32):
        middle = (low + high) / 2
        private = _spent(middle, q, steps, delta) <= target
        low, high = np.where(private, low, middle), np.where(private, middle, high)
    return np.exp(high)[()]


def _spent(log_sigma: NDArray, q: NDArray, steps: NDArray, delta: NDArray) -> NDArray:
    return epsilon(np.exp(log_sigma), q, steps, delta)


def limit(sigma: ArrayLike, q: ArrayLike, steps: ArrayLike) -> NDArray:
    """Return an estimate of the run's μ in Gaussian DP, and no bound: q √(steps (e^(1/σ²) - 1)).

    It is the limit of many steps at rates that fall like 1/√steps. Short of it the ε of this μ is too small where
    single large losses decide (q = 0.01, σ = 0.8, 100 steps, δ = 1e-5: 0.70, and the truth is at least 1.51) and too
    large where there is little noise (q = 0.01, σ = 0.5, 10 000 steps: 57.2, and the truth is at most 43.4).
    `pld.PrivacyLoss.subsampled_gaussian` has the truth between bounds; `epsilon` is one from above.

    Parameters
    ----------
    sigma : noise multiplier > 0; broadcasts
    q : sampling rate, 0 <= q <= 1
    steps : a whole number >= 0

    References
    ----------
    Bu, Dong, Long & Su 2020.

    >>> round(float(limit(1.0, 0.01, 1000)), 4)
    0.4145
    """
    sigma = domain.positive("sigma", sigma)
    q = domain.probability("q", q)
    steps = domain.count("steps", steps)
    return q * np.sqrt(steps * np.expm1(1 / sigma**2))


def shuffled(sigma: ArrayLike, steps: ArrayLike, delta: ArrayLike) -> NDArray:
    """Return a lower bound on the ε of one epoch with shuffled batches: no accountant can claim less.

    The neighbour has one example blanked out. Seen from a batch sum at its other examples' worst, the example's batch
    has mean 2 and all the others 0, after the blank 1 and 0. The event that some sum exceeds c has probabilities
    P = 1 - Φ((c-2)/σ) Φ(c/σ)^(steps-1) and Q, the same with c-1; and ε >= ln((P - δ)/Q). The best of 33 c counts.

    Parameters
    ----------
    sigma : noise multiplier > 0; broadcasts
    steps : batches in the epoch, a whole number >= 1
    delta : δ, 0 < delta < 1

    References
    ----------
    Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang 2024.

    >>> round(float(shuffled(0.6, 1000, 1e-5)), 2)
    7.98
    """
    sigma = domain.positive("sigma", sigma)
    steps = domain.positive_count("steps", steps)
    delta = domain.fraction("delta", delta)

    def claim(z: float) -> NDArray:
        c = 2 + sigma * z
        others = (steps - 1) * log_ndtr(c / sigma)
        p, q = (-np.expm1(log_ndtr((c - mean) / sigma) + others) for mean in (2, 1))
        return np.log(np.maximum(p - delta, 1e-300) / q)

    return np.maximum(functools.reduce(np.maximum, [claim(z) for z in np.linspace(-2, 6, 33).tolist()]), 0)
