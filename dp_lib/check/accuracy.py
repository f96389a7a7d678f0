"""The error of a mechanism, next to that of a naive one and of the best known one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dp_lib import domain
from dp_lib.check.runs import OTHER_SOURCE, SECONDS, Mechanism, Rng, answer_of
from dp_lib.check.time_limit import Watch
from dp_lib.domain import DomainError

Rival = Mechanism | float
EACH = SECONDS / 3  # seconds for each of the three mechanisms


@dataclass(frozen=True, repr=False)
class Accuracy:
    """What `accurate` found; it is true where the error is not shown to be larger, and `str` says it in words.

    Parameters
    ----------
    close : whether the runs do not show, by three standard errors, more than `within` times the best known error
    error : the root mean square error of your mechanism
    naive : that of the naive one
    best : that of the best known one
    within : how many times the best known error still counts as close
    runs : how often the mechanism ran
    below : whether your error is below the best known one by more than chance explains, which is five standard errors
    notes : what else the reader should know, in sentences
    """

    close: bool
    error: float
    naive: float
    best: float
    within: float
    runs: int
    below: bool
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.close

    def __str__(self) -> str:
        return " ".join([self._errors(), *self.notes])

    def _errors(self) -> str:
        said = (
            f"Your error is {self.error:.3g}, the root mean square in {self.runs:,} runs. It is "
            f"{_share(self.error, self.naive)} the naive error, {self.naive:.3g}, and "
            f"{_share(self.error, self.best)} the best known error, {self.best:.3g}."
        )
        if self.below:
            return f"{said} Do not believe this before you have checked that your mechanism keeps its promise."
        if not self.close:
            return f"{said} A better way is known."
        few = self.error > self.within * self.best
        return f"{said} So few runs do not show whether a better way is known: use more trials." if few else said

    __repr__ = __str__


def _share(error: float, other: float) -> str:
    if not other:
        return "above" if error else "equal to"
    share = 100 * (error / other - 1)
    return f"{abs(share):.3g}% {'above' if share > 0 else 'below'}" if abs(share) >= 0.05 else "equal to"


def accurate(
    mechanism: Mechanism,
    table: Any,
    truth: ArrayLike,
    *,
    naive: Rival,
    best: Rival,
    within: float = 1.05,
    weights: ArrayLike = 1,
    rng: Rng = None,
    trials: int = 200,
) -> Accuracy:
    """Return the error of a mechanism, next to the error of a naive one and of the best known one.

    The error is the root of the mean square, over all entries of all answers, of the difference from the truth. All
    mechanisms run with the same random numbers, so that two equal mechanisms have equal errors. A small error says
    nothing about privacy, because an answer without noise has none.

    Parameters
    ----------
    mechanism : your function, called as mechanism(table, rng); it returns a number or an array of fixed shape
    table : a table, in whatever form the mechanism takes
    truth : the right answer, in the shape of the mechanism's answer
    naive : a mechanism to compare with, such as the first that comes to mind, or its error where a formula gives it
    best : the best known mechanism under the same promise, or its error
    within : how many times the error of `best` still counts as close, >= 1
    weights : how much the square of each entry counts, >= 0; by default all count alike
    rng : source of randomness; by default another one in each check
    trials : runs of each mechanism, a whole number >= 100

    Raises
    ------
    DomainError : a mechanism raises an error, returns no finite numbers in the shape of the truth, or does not return

    References
    ----------
    Hay, Rastogi, Miklau & Suciu 2010, for answers made more accurate by post-processing, which costs no privacy.

    >>> split_in_three = lambda table, rng: np.mean(sum(table) + rng.laplace(0, 3, 3))
    >>> once = lambda table, rng: sum(table) + rng.laplace(0, 1)
    >>> table, rng = [1, 1, 0, 1], np.random.default_rng(1)
    >>> accuracy = accurate(split_in_three, table, 3, naive=3 * 2**0.5, best=once, rng=rng, trials=2000)
    >>> accuracy.close, round(accuracy.error, 1), round(accuracy.best, 1)
    (False, 2.5, 1.4)
    """
    truth = np.asarray(domain.real("truth", truth))
    within = float(domain.single("within", domain.real("within", within)))
    domain.condition("within", within, within >= 1, ">= 1")
    weights = np.asarray(domain.nonnegative("weights", weights))
    if weights.ndim and weights.shape != truth.shape or not weights.sum():
        raise DomainError(
            f"weights must have the shape of truth, {truth.shape}, and a sum > 0, got shape {weights.shape}"
        )
    trials = int(domain.single("trials", domain.positive_count("trials", trials)))
    domain.condition("trials", float(trials), trials >= 100, ">= 100")
    rng = np.random.default_rng() if rng is None else domain.generator("rng", rng)
    seeds = rng.integers(2**63, size=trials)
    shares = np.broadcast_to(weights, truth.shape) / np.broadcast_to(weights, truth.shape).sum()

    def squares(name: str, one: Any, seeds: NDArray = seeds) -> NDArray:
        return _squares(name, one, table, truth, shares, seeds)

    mine, of_naive, of_best = (squares(*one) for one in (("mechanism", mechanism), ("naive", naive), ("best", best)))
    error, by_naive, by_best = (float(np.sqrt(each.mean())) for each in (mine, of_naive, of_best))
    below = _larger(of_best, 1.01 * mine, 5)
    close = not _larger(mine, within**2 * of_best, 3)
    again = squares("mechanism", mechanism, seeds[: trials // 50])
    notes = () if np.array_equal(again, mine[: len(again)]) else (OTHER_SOURCE,)
    return Accuracy(close, error, by_naive, by_best, within, trials, below, notes)


def _squares(name: str, one: Any, table: Any, truth: NDArray, shares: NDArray, seeds: NDArray) -> NDArray:
    """Return the weighted mean square of each run; for an error that is given, its square each time."""
    if not callable(one):
        return np.full(len(seeds), float(domain.single(name, domain.nonnegative(name, one))) ** 2)
    found = np.empty(len(seeds))
    with Watch(name) as watch:
        watched = watch.over(one)
        for run, seed in enumerate(seeds):
            answer = answer_of(watched, table, np.random.default_rng(seed), f"in run {run + 1:,}", name)
            if answer.shape != truth.shape:
                raise DomainError(f"{name} must return the shape of truth, {truth.shape}, got {answer.shape}")
            found[run] = (shares * (answer - truth) ** 2).sum()
            if watch.needs(len(seeds)) > EACH:
                wanted = f"{len(seeds):,} runs in {EACH:g} seconds"
                measured = f"a run takes {1000 * watch.each(EACH):.3g} ms"
                raise DomainError(f"{name} must be fast enough for {wanted}; {measured}; use fewer trials")
    return found


def _larger(one: NDArray, other: NDArray, errors: float) -> bool:
    """Return whether one has the larger mean by so many standard errors; the runs are paired.

    Squares have a long tail: a mean that is too small by three standard errors is chance in 18 of 1,000 checks.
    """
    difference = one - other
    return bool(difference.mean() > errors * difference.std(ddof=1) / math.sqrt(len(difference)))
