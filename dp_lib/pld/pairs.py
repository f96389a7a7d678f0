"""Pairs of distributions (P, Q), each described by the tails of its privacy loss L = ln(P/Q). Private to `pld`.

`tails(x)` gives S = P(L > x) and T = e^x Q(L > x), so that S - T is the privacy profile delta(x), and the mass of
any interval is a difference of tails: precise where it matters, far out on the right.
`support(level)` gives an interval outside of which P(L) has at most `level` on either side; `nodes(level)` points
of it, as close as the loss is dense.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, ndtr, ndtri

EPS = np.finfo(float).eps
TINY = 1e-307  # a tail beyond which a float64 holds no precise number
NODES = 1024  # points of a first look at a loss


class Once:
    """The exact profile of a pair that is not composed, between bounds on its rounding errors."""

    infinite = 0.0  # P(L = inf)
    bounded = False  # whether all finite losses are within `support`
    middle = 0.0  # what the losses' rounding errors are relative to, if larger than the losses

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval in which to look for an epsilon."""
        return 0.0, max(0.0, self.support(TINY)[1])

    def support(self, level: float) -> tuple[float, float]:
        return tuple(self.nodes(level)[[0, -1]])

    def upper(self, epsilon: float) -> float:
        return min(self._delta(epsilon, 1) + (not self.bounded) * TINY, 1.0)

    def lower(self, epsilon: float) -> float:
        return max(self._delta(epsilon, -1), 0.0)

    def _delta(self, epsilon: float, side: int) -> float:
        shifted = max(epsilon - side * 4 * EPS * (epsilon + self.middle), 0.0)
        s, t = self.tails(np.float64(shifted))
        return float(s - t + side * s * EPS * (64 - 4 * np.log(max(s, TINY))))


@dataclass(frozen=True)
class Gaussian(Once):
    """N(mu, 1) against N(0, 1): the loss is N(mu²/2, mu²)."""

    mu: float

    @property
    def middle(self) -> float:
        return self.mu**2 / 2

    def tails(self, x: NDArray) -> tuple[NDArray, NDArray]:
        u, v = self.mu / 2 - x / self.mu, -self.mu / 2 - x / self.mu
        mills = erfcx(-np.minimum(v, 0) / np.sqrt(2)) / erfcx(-np.minimum(u, 30) / np.sqrt(2))
        return ndtr(u), np.where(v > 0, np.exp(np.minimum(x, 0)) * ndtr(v), ndtr(u) * mills)

    def support(self, level: float) -> tuple[float, float]:
        return self.mu**2 / 2 + self.mu * ndtri(level), self.mu**2 / 2 - self.mu * ndtri(level)

    def nodes(self, level: float) -> NDArray:
        return np.linspace(*self.support(level), NODES)


@dataclass(frozen=True)
class Laplace(Once):
    """Laplace noise of this scale, shifted by 1: the loss has an atom at each end of [-1/scale, 1/scale]."""

    scale: float
    bounded = True

    def tails(self, x: NDArray) -> tuple[NDArray, NDArray]:
        end = 1 / self.scale
        half = np.exp((np.minimum(x, end) - end) / 2) / 2
        sides = [x < -end, x >= end]
        return np.select(sides, [1, 0], 1 - half), np.select(sides, [np.exp(np.minimum(x, -end)), 0], half)

    def support(self, level: float) -> tuple[float, float]:
        return -1 / self.scale, 1 / self.scale

    def nodes(self, level: float) -> NDArray:
        return np.linspace(*self.support(level), NODES)


@dataclass(frozen=True)
class SampledGaussian(Once):
    """The mixture (1-q) N(0, sigma²) + q N(1, sigma²) against N(0, sigma²): a record is removed. Or added: reversed."""

    sigma: float
    q: float
    added: bool

    def tails(self, x: NDArray) -> tuple[NDArray, NDArray]:
        z = self._output(-x if self.added else x)
        if self.added:
            without = ndtr(z / self.sigma)
            mixture = (1 - self.q) * without + self.q * ndtr((z - 1) / self.sigma)
            return without, np.exp(np.minimum(x, -np.log1p(-self.q))) * mixture
        s, t = Gaussian(1 / self.sigma).tails((z - 0.5) / self.sigma**2)
        without = ndtr(-z / self.sigma)
        rest = np.minimum(np.exp(np.minimum(x, 0)), 1 - self.q)  # e^x = rest + q e^(loss of the record, if drawn)
        return (1 - self.q) * without + self.q * s, rest * without + self.q * t

    def nodes(self, level: float) -> NDArray:
        reach = -self.sigma * ndtri(level)
        loss = self._loss(np.linspace(-reach, reach + (not self.added), NODES))
        return -loss[::-1] if self.added else loss

    def _loss(self, z: NDArray) -> NDArray:
        return np.logaddexp(np.log1p(-self.q), np.log(self.q) + (z - 0.5) / self.sigma**2)

    def _output(self, loss: NDArray) -> NDArray:
        """Return the z at which the mixture's loss is this; minus infinity below its infimum ln(1-q)."""
        above = np.maximum(loss - np.log1p(-self.q), 0)
        change = np.expm1(np.minimum(loss, 1)) / self.q
        with np.errstate(divide="ignore"):
            far = loss + np.log(-np.expm1(-above)) - np.log(self.q)
        return 0.5 + self.sigma**2 * np.where(abs(change) < 0.5, np.log1p(np.maximum(change, -0.5)), far)


@dataclass(frozen=True)
class ReplacedGaussian(Once):
    """A bound for replacing a record of a sample of fixed size: removing it above ε = 0, adding it below, twice as far.

    The profile's slope, as a function of e^ε, rises at ε = 0, so it is convex: the pair's loss has an atom there.
    """

    sigma: float
    q: float

    def _sides(self) -> tuple[SampledGaussian, SampledGaussian]:
        return SampledGaussian(self.sigma / 2, self.q, False), SampledGaussian(self.sigma / 2, self.q, True)

    def tails(self, x: NDArray) -> tuple[NDArray, NDArray]:
        removed, added = (side.tails(x) for side in self._sides())
        return np.where(x < 0, added[0], removed[0]), np.where(x < 0, added[1], removed[1])

    def nodes(self, level: float) -> NDArray:
        removed, added = (side.nodes(level) for side in self._sides())
        return np.concatenate([added[added < 0], removed[removed >= 0]])


@dataclass(frozen=True)
class Discrete(Once):
    """Finitely many outcomes with these probabilities under P and under Q."""

    p: tuple[float, ...]
    q: tuple[float, ...]
    bounded = True

    def __post_init__(self) -> None:
        p, q = np.array(self.p), np.array(self.q)
        with np.errstate(divide="ignore"):
            change = (p - q)[p > 0] / q[p > 0]
            near, far = np.log1p(np.maximum(change, -0.5)), np.log(p[p > 0]) - np.log(q[p > 0])
        loss = np.where(abs(change) < 0.5, near, far)
        order = np.argsort(loss)
        after = [np.append(np.cumsum(mass[p > 0][order][::-1])[::-1], 0) for mass in (p, q)]
        object.__setattr__(self, "_losses", loss[order])
        object.__setattr__(self, "infinite", float(p[q == 0].sum()))
        object.__setattr__(self, "_after", after)

    def tails(self, x: NDArray) -> tuple[NDArray, NDArray]:
        place = np.searchsorted(self._losses, x, side="right")
        with np.errstate(divide="ignore"):
            return self._after[0][place], np.exp(x + np.log(self._after[1][place]))

    def nodes(self, level: float) -> NDArray:
        finite = np.unique(self._losses[np.isfinite(self._losses)])
        return finite if len(finite) else np.zeros(1)


@dataclass(frozen=True)
class Constant:
    """Not a pair but a profile: delta(epsilon) is this for every epsilon (no mechanism at all, or no privacy)."""

    infinite: float
    interval = 0.0, 0.0

    def upper(self, epsilon: float) -> float:
        return self.infinite

    lower = upper


Pair = Gaussian | Laplace | SampledGaussian | ReplacedGaussian | Discrete
