"""Composition as readers call it: a `PrivacyLoss`, and the bracket that contains each of its numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dp_lib import domain
from dp_lib.pld import pairs
from dp_lib.pld.lattice import Part, Profile, saddle_point

WIDTH = 1e-4  # aimed at, relative to epsilon or delta; where 2^20 points do not suffice the bracket is wider
FAINT = 1e-50  # noise outside (1e-50, 1e50) would leave float64's range when squared, composed, exponentiated
CUT = 1e-5  # of delta: a loss is followed as far out as all of its copies' tails together are worth


class Bracket(NamedTuple):
    """Two numbers, or arrays, lower <= upper, between which the truth lies."""

    lower: NDArray
    upper: NDArray


@dataclass(frozen=True)
class PrivacyLoss:
    """Mechanisms and how often each is run: noted when composed, computed when `epsilon` or `delta` is asked.

    One mechanism alone, any number of Gaussians and losses on a common lattice (randomized response) are exact to
    rounding. The others' bounds lie within about 1e-4 of epsilon: up to a million steps, and mostly within 1% at 1e9.
    Where a lattice of 2^20 points is too coarse, or delta has a kink, the bracket is wider, and still holds.

    >>> loss = PrivacyLoss.subsampled_gaussian(sigma=1, q=0.01).repeat(10000)
    >>> [f"{epsilon:.3f}" for epsilon in loss.epsilon(1e-5)]
    ['6.187', '6.188']
    """

    steps: tuple[tuple[tuple[pairs.Pair, pairs.Pair], int], ...] = ()

    @classmethod
    def gaussian(cls, sigma: float) -> PrivacyLoss:
        """Return the loss of Gaussian noise with 1e-50 <= sigma <= 1e50 on a query of sensitivity 1.

        >>> [f"{epsilon:.6f}" for epsilon in PrivacyLoss.gaussian(200).repeat(500).epsilon(1e-5)]
        ['0.384692', '0.384692']
        """
        return cls._of(pairs.Gaussian(1 / _noise("sigma", sigma)))

    @classmethod
    def laplace(cls, scale: float) -> PrivacyLoss:
        """Return the loss of Laplace noise with 1e-50 <= scale <= 1e50 on a query of sensitivity 1.

        >>> [f"{epsilon:.2f}" for epsilon in PrivacyLoss.laplace(10).repeat(1000).epsilon(1e-6)]
        ['18.95', '18.95']
        """
        return cls._of(pairs.Laplace(_noise("scale", scale)))

    @classmethod
    def randomized_response(cls, p: float) -> PrivacyLoss:
        """Return the loss of one bit that is true with probability p and flipped otherwise, 0 <= p <= 1.

        >>> [f"{epsilon:.5f}" for epsilon in PrivacyLoss.randomized_response(0.525).repeat(100).epsilon(1e-6)]
        ['4.77890', '4.77890']
        """
        p = _one("p", domain.probability("p", p))
        return cls._of(pairs.Discrete((p, 1 - p), (1 - p, p)))

    @classmethod
    def subsampled_gaussian(cls, sigma: float, q: float, replaced: bool = False) -> PrivacyLoss:
        """Return the loss of `gaussian(sigma)` on a Poisson sample of rate q, 0 <= q <= 1, for one record more or less.

        With `replaced`, the sample is a random share q of the records, of a fixed size, and one record is replaced by
        another, which moves a sum by 2. This loss is an upper bound: each step's profile is at most that of
        removing a record where ε >= 0 (Balle, Barthe & Gaboardi 2018), hence at most that of adding one where ε < 0,
        and the two together are the profile of one pair, which composes (Zhu, Dong & Wang 2022).

        >>> [f"{epsilon:.5f}" for epsilon in PrivacyLoss.subsampled_gaussian(1, 0.01).epsilon(1e-5)]
        ['0.19945', '0.19945']
        """
        sigma, q = _noise("sigma", sigma), _one("q", domain.probability("q", q))
        if q in (0, 1):
            return cls.gaussian(sigma / 2 if replaced else sigma).repeat(int(q))
        if replaced:
            return cls._of(pairs.ReplacedGaussian(sigma, q))
        return cls._of(pairs.SampledGaussian(sigma, q, added=False), pairs.SampledGaussian(sigma, q, added=True))

    @classmethod
    def discrete(cls, p: ArrayLike, q: ArrayLike) -> PrivacyLoss:
        """Return the loss of two distributions p and q on the same finitely many outcomes, each with sum 1.

        >>> [f"{epsilon:.6f}" for epsilon in PrivacyLoss.discrete([0.5, 0.5], [0.25, 0.75]).epsilon(0.1)]
        ['0.470004', '0.470004']
        """
        p, q = (np.atleast_1d(domain.probability(name, mass)) for name, mass in (("p", p), ("q", q)))
        for name, mass in (("p", p), ("q", q)):
            domain.condition(name, mass.ndim, mass.ndim == 1, "an array of one dimension")
        domain.condition("q", len(q), len(p) == len(q), "of as many outcomes as p")
        p, q = (
            tuple((mass / domain.condition(name, mass.sum(), abs(mass.sum() - 1) < 1e-9, "of sum 1")).tolist())
            for name, mass in (("p", p), ("q", q))
        )
        return cls._of(pairs.Discrete(p, q), pairs.Discrete(q, p))

    @classmethod
    def _of(cls, removed: pairs.Pair, added: pairs.Pair | None = None) -> PrivacyLoss:
        if any(np.isnan(number).any() for number in astuple(removed)):  # a gap in a figure
            removed = added = pairs.Gaussian(math.nan)
        return cls((((removed, added or removed), 1),))

    def compose(self, other: PrivacyLoss) -> PrivacyLoss:
        """Return the loss of both, one after the other.

        >>> once = PrivacyLoss.laplace(2)
        >>> once.compose(once) == once.repeat(2)
        True
        """
        return PrivacyLoss(tuple((Counter(dict(self.steps)) + Counter(dict(other.steps))).items()))

    def repeat(self, k: int) -> PrivacyLoss:
        """Return the loss of k runs, where k is a whole number >= 0.

        >>> [float(epsilon) for epsilon in PrivacyLoss.laplace(2).repeat(0).epsilon(1e-6)]
        [0.0, 0.0]
        """
        k = _one("k", domain.count("k", k))
        if np.isnan(k):  # a gap in a figure
            return PrivacyLoss.gaussian(k)
        k = int(k)
        return PrivacyLoss(tuple((pair, count * k) for pair, count in self.steps if k))

    def epsilon(self, delta: ArrayLike) -> Bracket:
        """Return (lower, upper) around the least epsilon >= 0 with delta(epsilon) <= delta; inf where there is none.

        Domain: 0 < delta < 1, an array or a number. Below 1e-300 the upper bound may be inf.

        >>> [f"{epsilon:.5f}" for epsilon in PrivacyLoss.laplace(10).repeat(100).epsilon(1e-6)]
        ['4.69216', '4.69267']
        """
        return self._bracket(_epsilon, domain.fraction("delta", delta))

    def delta(self, epsilon: ArrayLike) -> Bracket:
        """Return (lower, upper) around delta(epsilon), for numbers epsilon >= 0.

        >>> [f"{delta:.4e}" for delta in PrivacyLoss.gaussian(200).repeat(500).delta(0.3846924)]
        ['1.0000e-05', '1.0000e-05']
        """
        return self._bracket(_delta, domain.nonnegative("epsilon", epsilon))

    def _bracket(self, find: Callable[[Sequence[Part], float], tuple[float, float]], asked: NDArray) -> Bracket:
        directions = {tuple(_merged((both[side], count) for both, count in self.steps)) for side in (0, 1)}
        found = np.array([[find(parts, float(x)) for x in np.ravel(asked)] for parts in directions])
        return Bracket(*(found[..., side].max(axis=0).reshape(np.shape(asked))[()] for side in (0, 1)))


def _noise(name: str, value: float) -> float:
    value = domain.positive(name, value)
    return _one(name, domain.condition(name, value, (value >= FAINT) & (value <= 1 / FAINT), "between 1e-50 and 1e50"))


def _one(name: str, value: NDArray) -> float:
    return float(domain.single(name, value, "make a PrivacyLoss for each"))


def _merged(parts: Iterable[Part]) -> list[Part]:
    """Return the same composition with all Gaussians made into one, mu = sqrt(sum of k mu²)."""
    parts = list(parts)
    mu = math.hypot(*(math.sqrt(k) * pair.mu for pair, k in parts if isinstance(pair, pairs.Gaussian)))
    others = [(pair, k) for pair, k in parts if not isinstance(pair, pairs.Gaussian)]
    return others + [(pairs.Gaussian(mu), 1)] * (mu != 0)


def _epsilon(parts: Sequence[Part], delta: float) -> tuple[float, float]:
    if known := _without_lattice(parts, delta):
        return _crossing(known, delta)
    level = max(CUT * delta / sum(k for _, k in parts), pairs.TINY)
    guess = saddle_point(parts, level, lambda loss: loss.mean >= 0 and loss.log_delta <= math.log(delta))
    return _crossing(Profile(parts, level, guess, WIDTH * (abs(guess.mean) + guess.deviation / 10)), delta)


def _delta(parts: Sequence[Part], epsilon: float) -> tuple[float, float]:
    profile = _without_lattice(parts, epsilon) or _profile_at(parts, epsilon)
    return profile.lower(epsilon), profile.upper(epsilon)


def _without_lattice(parts: Sequence[Part], asked: float) -> pairs.Once | pairs.Constant | None:
    """Return the profile where no lattice is needed, or None."""
    if np.isnan([asked, *(pair.support(0.1)[1] for pair, _ in parts)]).any():
        return pairs.Constant(math.nan)
    if not parts or any(pair.infinite == 1 for pair, _ in parts):
        return pairs.Constant(float(len(parts) > 0))
    return parts[0][0] if len(parts) == 1 and parts[0][1] == 1 else None


def _profile_at(parts: Sequence[Part], epsilon: float) -> Profile:
    """Return the profile on a lattice for delta(epsilon); losses are followed as far as it takes to reach epsilon."""
    count = sum(k for _, k in parts)
    for digits in (20, 40, 80, 160, 300):
        level = max(10.0**-digits / count, pairs.TINY)
        guess = saddle_point(parts, level, lambda loss: loss.mean >= epsilon)
        if guess.mean >= epsilon or all(pair.bounded for pair, _ in parts):
            break
    level = max(min(level, CUT * math.exp(guess.log_delta) / count), pairs.TINY)
    guess = saddle_point(parts, level, lambda loss: loss.mean >= epsilon)
    return Profile(parts, level, guess, WIDTH * (guess.theta + 1) * min(1 / (guess.theta + 1), guess.deviation) ** 2)


def _crossing(profile: Profile | pairs.Once | pairs.Constant, delta: float) -> tuple[float, float]:
    """Return the two epsilons between which the profile passes delta."""
    low, high = profile.interval
    if not profile.infinite <= delta:
        return profile.infinite * math.inf, profile.infinite * math.inf
    if profile.upper(low) <= delta:
        return 0.0, low
    upper = _bisect(lambda e: profile.upper(e) <= delta, low, high)[1] if profile.upper(high) <= delta else math.inf
    high = min(upper, high)
    steps = ((high - low) * 2.0**i for i in range(-48, 1))
    below = next((high - step for step in steps if profile.lower(high - step) >= delta), None)
    return _bisect(lambda e: not profile.lower(e) >= delta, below, high)[0] if below else 0.0, upper


def _bisect(enough: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Return two numbers next to each other (nearly), with `enough` at the higher one."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low, high
