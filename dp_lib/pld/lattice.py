"""Compose privacy losses on a lattice, bounded from both sides. Private to `pld`.

*Above.* Each loss moves to the lattice points beside it so that P and Q keep their masses ("connect the dots";
Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022). The profile can only rise, also after composition.

*Below.* Given the loss, its move is itself a small mechanism: two outcomes whose likelihood ratios differ by e^h. One
Gaussian mechanism dominates them all, mu = 2 Phi^-1(1/(1+e^(-h/2))). So the moved losses lie below
the true ones composed with k of these, which make one Gaussian Z of sqrt(k) mu. Connect Z's dots too, masses w_m at
m s:
    moved(eps) <= sum_m w_m true(eps - m s)   and   true <= moved,   hence
    true(eps) >= [moved(eps) - sum over m != 0 of w_m moved(eps - m s)] / w_0.

*Small delta.* Each loss is tilted by e^(theta x), theta near the saddle point. The FFT then works on numbers of order
one, and delta(eps) = E[e^(theta S)] sum_x r(x) e^(-theta x) (1 - e^(eps - x))+ keeps its relative precision.

*Large k.* 1024 losses are composed on a lattice 32 times finer, and their sum moves to the coarser lattice: its
deviation, in lattice points, is what it was. So k = 1e9 moves as little as a few thousand losses do.

*Errors* (mass that wraps around, rounding) add at most `error` to the sum over r(x) e^(-theta (x - eps)) (1 - ...)+.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_expit, ndtri_exp

from dp_lib.pld.pairs import EPS, Discrete, Gaussian, Pair
from dp_lib.pld.tilted import GRID, OUTSIDE, Sum, Tilted, dots

STEEP = 2.0  # the steepest tilt, in units of 1/Z's deviation: beyond, it would tell apart what the lattice cannot
REACH = 300.0  # the profile is kept for so many e-folds below its center
BLOCK, FINER = 1024, 32  # composed before the move to a lattice so much coarser; FINER² = BLOCK

Part = tuple[Pair, int]  # a pair, and how many times it is composed


def log(masses: NDArray) -> NDArray:
    with np.errstate(divide="ignore"):
        return np.log(masses)


def saddle_point(parts: Sequence[Part], level: float, enough: Callable[[Sum], bool]) -> Sum:
    """Return the composed loss on a few points each, tilted as little as is enough (to within a part in a million)."""
    looks = [(count, x := np.unique(pair.nodes(level)), log(dots(pair, x)[0])) for pair, count in parts]
    span = sum(count * max(x[-1] - x[0], 1e-6 * abs(x[0])) for count, x, _ in looks) or 1.0
    low, high = np.log(1e-6 / span), np.log(1e12 / span)
    for _ in range(25):
        theta = np.exp((low + high) / 2)
        found = Sum(theta, [Tilted(*look, theta) for look in looks])
        low, high = (low, np.log(theta)) if enough(found) else (np.log(theta), high)
    return found


def block(loss: Tilted, h: float, theta: float) -> tuple[Tilted, float]:
    """Return the sum of these losses, moved from spacing h to a lattice FINER times coarser, and an error bound."""
    total = Sum(theta, [loss])
    y, r, error = total.masses(h, total.window(total.rates()))
    r = np.append(np.maximum(r, 0), np.zeros(-len(r) % FINER)).reshape(-1, FINER)
    beyond = h * np.arange(FINER)
    up = np.expm1(-beyond) / np.expm1(-h * FINER)
    masses = np.append(r @ ((1 - up) * np.exp(-theta * beyond)), 0)
    masses[1:] += r @ (up * np.exp(theta * (h * FINER - beyond)))
    y = y[0] + h * FINER * np.arange(len(masses))
    return Tilted(1, total.mean + y, log(masses) - theta * y, theta, total.log_scale), np.sqrt(r.size) * error


def composed(pair: Pair, level: float, h: float, stage: int, theta: float) -> tuple[Tilted, float]:
    """Return BLOCK^stage losses of this pair on the lattice of spacing h, and a bound on the errors' sum."""
    bottom, top = pair.support(level)
    fine = h / FINER**stage
    x = top - fine * np.arange(np.ceil((top - bottom) / fine - 1e-9), -1, -1)
    loss, error = Tilted(1, x, log(dots(pair, x)[0]), theta), 0.0
    for coarser in range(stage):
        loss.count = BLOCK
        loss, more = block(loss, fine * FINER**coarser, theta)
        error = BLOCK * error + more + 2 * np.exp(-OUTSIDE)
    return loss, error


def digits(count: int, stages: int) -> list[int]:
    """Return the digits with count = sum of digits[s] BLOCK^s; the last digit is as large as it has to be."""
    return [count // BLOCK**s % BLOCK for s in range(stages)] + [count // BLOCK**stages]


class Plan:
    """A lattice for these parts: its spacing h, and for each part the stages in which it is composed."""

    def __init__(self, parts: Sequence[Part], level: float, guess: Sum, width: float) -> None:
        self.guess, self.rates, self.aim = guess, guess.rates(), width
        low, high = guess.window(self.rates)
        ends = [pair.support(level) for pair, _ in parts]
        self.spans = [top - bottom for bottom, top in ends]
        self.width = high - low
        largest = max(abs(guess.mean), *np.abs(ends).ravel())
        self.finest = max(max(self.width, *self.spans) / GRID, 1e-12 * (largest or 1.0))  # floats, too, are a lattice
        self.magnitude = sum(
            count * max(pair.middle, *map(abs, end)) for (pair, count), end in zip(parts, ends, strict=True)
        )
        self.stages = [0] * len(parts)
        span = self.spans[np.argmax(self.moves())]
        if span >= self.finest and self.moving(parts, ends, span) == 0:
            self.h = span  # nothing moves: fine enough
        else:
            while self.wanted() < self.finest and self.add_stage():
                pass
            self.h = self.aligned(self.spacing())
        moving = self.moving(parts, ends, self.h)
        self.steepness = guess.theta * self.h * max(np.sqrt(moving), 0.1)

    def moves(self) -> list[int]:
        """Return how many moves on the lattice each part's losses make, the finer lattices' in proportion."""
        return [
            sum((s + 1) * digit for s, digit in enumerate(digits(loss.count, stages)))
            for loss, stages in zip(self.guess.parts, self.stages, strict=True)
        ]

    def wanted(self) -> float:
        """Return the spacing that gives the width aimed at, and a Z well within the scale on which delta changes."""
        theta = self.guess.theta
        return min(np.sqrt(2 * self.aim / (theta + 1)), 0.5 / (theta + np.sqrt(theta))) / np.sqrt(sum(self.moves()))

    def spacing(self) -> float:
        return max(min(self.wanted(), self.width / 256), self.finest)

    def moving(self, parts: Sequence[Part], ends: Sequence[tuple[float, float]], h: float) -> int:
        """Return how many of these moves are there because losses are not on the lattice already."""
        some = zip(self.moves(), parts, ends, strict=True)
        return sum(moves for moves, (pair, _), (_, top) in some if not on_lattice(pair, top, h))

    def aligned(self, h: float) -> float:
        """Return about h, a fraction of the commonest loss's span: both of its ends are then on the lattice."""
        span = self.spans[np.argmax(self.moves())]
        pieces = np.ceil(span / h) if self.width * np.ceil(span / h) <= GRID * span else span // h
        return span / pieces if pieces else h

    def add_stage(self) -> bool:
        """Add a stage for the part that moves most, if that helps and its lattices keep to GRID points."""
        before, i = sum(self.moves()), np.argmax(self.moves())
        self.stages[i] += 1
        if sum(self.moves()) < before and self.fits(i):
            return True
        self.stages[i] -= 1
        return False

    def fits(self, i: int) -> bool:
        loss, stages, h = copy(self.guess.parts[i]), self.stages[i], self.spacing()
        for stage in range(stages):
            loss.count = BLOCK ** (stage + 1)
            some = Sum(self.guess.theta, [loss])
            low, high = some.window(some.rates())
            if max(high - low, self.spans[i]) > GRID * h / FINER ** (stages - stage):
                return False
        return True


class Profile:
    """delta as a function of epsilon, from above and from below, near the epsilon that `guess` was tilted to."""

    def __init__(self, parts: Sequence[Part], level: float, guess: Sum, width: float) -> None:
        variance, self.error = 0.0, 0.0
        plan = Plan(parts, level, guess, width)
        while plan.steepness > STEEP:
            theta = plan.guess.theta / plan.steepness
            plan = Plan(parts, level, saddle_point(parts, level, lambda loss, theta=theta: loss.theta > theta), width)
        self.theta, losses = plan.guess.theta, []
        for (pair, count), stages in zip(parts, plan.stages, strict=True):
            for stage, digit in enumerate(digits(count, stages)):
                if digit:
                    loss, error = composed(pair, level, plan.h, stage, self.theta)
                    loss.count = digit
                    losses.append(loss)
                    self.error += digit * error
                    if stage or not on_lattice(pair, loss.x[-1], plan.h):
                        variance += digit * sum(BLOCK**s * move(plan.h / FINER**s) ** 2 for s in range(stage + 1))
        self._add_up(Sum(self.theta, losses), plan)
        self._blur(np.sqrt(variance))
        self._bound_rest(parts, level)

    def _add_up(self, total: Sum, plan: Plan) -> None:
        """Set the sum's masses at mean + y, untilted: P's tails, and Q's from each point on times e^that point."""
        y, r, norm = total.masses(plan.h, total.window(plan.rates))
        self.mean, self.log_scale = total.mean, total.log_scale
        self.top = total.top + 8 * EPS * plan.magnitude
        self.most = np.exp(-total.log_scale) if total.log_scale > -700 else np.inf  # delta = 1
        weights = plan.h * self.theta * (2 * self.theta + 1) * (2 * self.theta + 2)  # 1/norm² of (1-e^-y) e^(-theta y)
        self.error += norm * np.sqrt(min(len(y), 1 + 1 / weights)) + 2 * np.exp(-OUTSIDE)
        keep = y * self.theta >= -REACH
        self.y, self.start = y[keep], -REACH / self.theta
        if not keep.all():
            self.start = max(self.start, self.y[0] - plan.h)
        self.interval = max(0.0, self.mean + self.start), max(0.0, self.top)
        masses = r[keep] * np.exp(-self.theta * self.y)
        self.tail_p, self.tail_q = np.cumsum(masses[::-1])[::-1], discounted(masses, plan.h)

    def _blur(self, mu: float) -> None:
        """Set the dots of Z, the Gaussian mechanism that makes up for all moves."""
        self.z, self.w = np.zeros(1), np.ones(1)
        if mu > 0:
            self.z = 1.6 * mu * np.arange(-24, 25)
            self.w, _ = dots(Gaussian(mu), self.z)

    def _bound_rest(self, parts: Sequence[Part], level: float) -> None:
        """Bound what is not on the lattice: infinite losses, those beyond the supports, rounding of the tails."""
        count = sum(count for _, count in parts)
        beyond = [max(pair.infinite, np.subtract(*pair.tails(pair.support(level)[1]))) for pair, _ in parts]
        self.infinite = any_of((pair.infinite, count) for pair, count in parts)
        self.unlimited = any_of((chance, count) for chance, (_, count) in zip(beyond, parts, strict=True))
        self.below = level * sum(count for pair, count in parts if not pair.bounded)
        self.error += count * EPS * (64 - 2 * np.log(level))  # tails are exp of numbers as large as log(level)

    def _moved(self, epsilon: ArrayLike, side: int) -> NDArray:
        """Return the moved losses' profile, error added or subtracted, in units of e^log_scale."""
        y = np.minimum(epsilon - self.mean, self.y[-1])
        place = np.searchsorted(self.y, y)
        value = self.tail_p[place] - np.exp(y - self.y[place]) * self.tail_q[place]
        value += side * self.error * np.exp(-self.theta * np.maximum(y, self.start))
        return np.where(y > self.start, value, self.most if side > 0 else 0.0)

    def upper(self, epsilon: float) -> float:
        inside = np.exp(self.log_scale) * self._moved(epsilon, 1) if epsilon < self.top else 0.0
        return min(inside + self.unlimited, 1.0)

    def lower(self, epsilon: float) -> float:
        others = (self.z != 0) & (self.w > 0)
        blurred = self.w[others] @ self._moved(epsilon - self.z[others], 1)
        here = np.exp(self.log_scale) * (self._moved(epsilon, -1) - blurred)
        w_0 = self.w[self.z == 0][0]
        finite = max(here / w_0, 0.0) if w_0 > 1e-6 else 0.0  # a Z so wide tells nothing
        return max(finite + self.infinite - self.below, 0.0)


def move(h: float) -> float:
    """Return the μ of the Gaussian mechanism that dominates every move to the neighbours on a lattice of spacing h."""
    return -2 * ndtri_exp(log_expit(-h / 2))


def discounted(masses: NDArray, h: float) -> NDArray:
    """Return sum over j >= i of masses[j] e^(-h (j - i)): in chunks, within which e^(h m) does not overflow."""
    m = max(1, min(int(REACH / h), len(masses)))
    decay = np.exp(-h * np.arange(m + 1))
    chunks = np.append(masses, np.zeros(-len(masses) % m)).reshape(-1, m)
    chunks = np.cumsum((chunks * decay[:m])[:, ::-1], axis=1)[:, ::-1] / decay[:m]
    chunks[:-1] += chunks[1:, :1] * decay[:0:-1]  # from the next chunk; from the one after it, at most e^-300
    return chunks.ravel()[: len(masses)]


def any_of(chances: Iterable[tuple[float, int]]) -> float:
    """Return the probability that at least one of independent events occurs, each tried `count` times."""
    return 0.0 - np.expm1(sum(count * np.log1p(-chance) for chance, count in chances))


def on_lattice(pair: Pair, top: float, h: float) -> bool:
    """Return whether no loss has to move."""
    if not isinstance(pair, Discrete):
        return False
    steps = (top - pair.nodes(1)) / h
    return bool(np.all(abs(steps - np.rint(steps)) <= 4 * EPS * (1 + steps[0])))
