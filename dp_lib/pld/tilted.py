"""Privacy losses tilted by e^(theta x), and their sums on a lattice. Private to `pld`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.fft import irfft, rfft
from numpy.typing import NDArray

from dp_lib.pld.pairs import EPS, Pair

GRID = 2**20  # most points of a lattice, to within a few percent: 8 MB an array
OUTSIDE = 32.0  # beyond an end of a sum's window lies at most e^-32 of it


def dots(pair: Pair, x: NDArray) -> tuple[NDArray, float]:
    """Return P's masses on the points x and at infinity when the pair's profile S - T is a chord between each two."""
    s, t = pair.tails(x)
    mass = np.clip(-np.diff(s), 0, None)
    up = np.clip(np.diff(s - t) / np.expm1(-np.diff(x)) - t[1:], 0, mass)
    return np.append(1 - s[0], up) + np.append(mass - up, t[-1]), max(s[-1] - t[-1], 0.0)


def log_of_sum(logarithms: NDArray) -> float:
    """Return ln of the sum of e^each, in a tenth of the time of SciPy's logsumexp, which allows for much more."""
    largest = logarithms.max()
    return largest + np.log(np.sum(np.exp(logarithms - largest)))


def fast_size(least: int) -> int:
    """Return the next number of the form 2^a, 3·2^a, 5·2^a, 9·2^a or 15·2^a."""
    return min(factor << max(0, (-(-least // factor) - 1).bit_length()) for factor in (1, 3, 5, 9, 15))


class Tilted:
    """A loss L with these masses on points x, `count` times; its probabilities are p ~ masses e^(theta x).

    The origin is the point nearest to the tilted mean, the offset what the mean has beyond it, and `log_scale`
    is ln E e^(theta (L - origin)), plus what a rescaling of the masses adds.
    """

    def __init__(self, count: int, x: NDArray, log_masses: NDArray, theta: float, log_scale: float = 0.0) -> None:
        peak = np.argmax(log_masses + theta * x)
        log_p = log_masses + theta * (x - x[peak])
        log_sum = log_of_sum(log_p)
        self.count, self.x, self.log_p = count, x, log_p - log_sum
        self.p = np.exp(self.log_p)
        mean = np.sum(self.p * (x - x[peak]))
        self.index = np.argmin(abs(x - x[peak] - mean))
        self.origin = x[self.index]
        self.offset = mean - (self.origin - x[peak])
        self.variance = np.sum(self.p * (x - self.origin - self.offset) ** 2)
        self.log_scale = log_scale + log_sum - theta * (self.origin - x[peak])

    def log_mgf(self, t: float) -> float:
        """Return ln E e^(t (S - E S)) of the composed, tilted loss S."""
        return self.count * log_of_sum(self.log_p + t * (self.x - self.origin - self.offset))

    def transform(self, size: int) -> tuple[NDArray, NDArray]:
        """Return the Fourier transform of S on the lattice, origins at index 0, and how it magnifies L's errors."""
        once = rfft(np.bincount((np.arange(len(self.p)) - self.index) % size, self.p, size))
        power, growth = np.zeros_like(once), np.full(len(once), self.count * 1e-18 ** (1 - 1 / self.count))
        seen = abs(once) > 1e-18 ** (1 / self.count)  # at few frequencies: a sum of many is smooth
        power[seen] = once[seen] ** self.count
        growth[seen] = self.count * abs(power[seen] / once[seen])
        return power, growth


class Sum:
    """The sum S of independent tilted losses. `log_scale` is ln E e^(theta (S - mean)) before the tilt."""

    def __init__(self, theta: float, parts: Sequence[Tilted]) -> None:
        self.theta, self.parts = theta, parts
        self.drift = sum(part.count * part.offset for part in parts)
        self.mean = sum(part.count * part.origin for part in parts) + self.drift
        self.log_scale = sum(part.count * part.log_scale for part in parts) - theta * self.drift
        self.bottom, self.top = (sum(part.count * part.x[end] for part in parts) for end in (0, -1))
        variance = sum(part.count * part.variance for part in parts)
        self.deviation = max(np.sqrt(variance), 1e-12 * max(self.top - self.bottom, abs(self.mean)), 1e-200)

    @property
    def log_delta(self) -> float:
        """Return about ln delta(mean): the saddle point's value."""
        return self.log_scale - np.log1p(self.theta) - np.log1p(2.5 * self.theta * self.deviation)

    def reach(self, rate: float) -> float:
        """Return where Chernoff's bound at this rate leaves e^-32 of S beyond, from the mean."""
        return (sum(part.log_mgf(rate) for part in self.parts) + OUTSIDE) / rate

    def rates(self) -> tuple[float, float]:
        """Return the rates, one below and one above, that reach least far."""
        rates = 7 / self.deviation / 2.0 ** np.arange(6)
        return tuple(min(side * rates, key=lambda rate: abs(self.reach(rate))) for side in (-1, 1))

    def window(self, rates: tuple[float, float]) -> tuple[float, float]:
        """Return the interval that holds all of S but twice e^-32, from the mean."""
        low, high = (self.reach(rate) for rate in rates)
        return max(low, self.bottom - self.mean), min(high, self.top - self.mean)

    def masses(self, h: float, window: tuple[float, float]) -> tuple[NDArray, NDArray, float]:
        """Return points y, P(S = mean + y) on a lattice of spacing h, and a bound on the errors' Euclidean norm."""
        size = fast_size(int((window[1] - window[0]) / h) + 3)
        first = int(np.floor((window[0] + self.drift) / h))
        spectrum, growth = np.ones(1), np.zeros(1)
        for part in self.parts:
            power, more = part.transform(size)
            spectrum, growth = spectrum * power, growth * abs(power) + abs(spectrum) * more
        unit = 4 * EPS * np.log2(size + 1)  # of one transform, at each frequency
        error = unit * (np.sqrt(2 * np.mean(growth**2)) + 2 * np.sqrt(size) * np.mean(abs(spectrum)))
        return (first + np.arange(size)) * h - self.drift, np.roll(irfft(spectrum, size), -first), error
