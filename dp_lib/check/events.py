"""The event that tells two tables apart best: a statistic of an answer, compared with a number."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FROM_0 = "Entries are counted from 0."
LEAD = 0.1  # of an event that is hard to explain and was fitted to the runs that choose it, which makes it look better


@dataclass(frozen=True)
class Statistic:
    name: str  # "" for the answer itself
    of: Callable[[NDArray], NDArray]  # from answers, one for each row, to a number for each
    note: str = ""  # what the name does not say, in a sentence
    lead: float = 0.02  # by how much it must be better than a statistic that is easier to explain


@dataclass(frozen=True)
class Event:
    statistic: Statistic
    relation: str
    value: float
    on_first: bool  # the table on which it is more likely

    def count(self, answers: NDArray) -> int:
        found, value = self.statistic.of(_flat(answers)), self.value
        holds = {"above": found > value, "below": found < value, "equal to": found == value}
        return int(holds[self.relation].sum())

    def words(self) -> str:
        compared = f"{self.relation} {self.value:.10g}"
        return f"answers whose {self.statistic.name} is {compared}" if self.statistic.name else f"answers {compared}"


def _flat(answers: NDArray) -> NDArray:
    return answers.reshape(len(answers), -1)


def chosen(first: NDArray, second: NDArray, delta: float) -> Event:
    """Return the event that tells the two tables apart best, as far as these runs show."""
    best, best_score = Event(Statistic("", _column(0)), "above", 0.0, True), -np.inf
    for statistic in statistics(first, second):
        values = [np.sort(statistic.of(_flat(answers))) for answers in (first, second)]
        for relation, (candidates, counts) in _candidates(*values).items():
            for on_first in (True, False):
                scores = _score(*(counts if on_first else counts[::-1]), len(first), delta)
                place = int(np.argmax(scores))
                if scores[place] > best_score + statistic.lead:
                    best_score = scores[place]
                    best = Event(statistic, relation, float(candidates[place]), on_first)
    return best


def _candidates(first: NDArray, second: NDArray) -> dict[str, tuple[NDArray, tuple[NDArray, NDArray]]]:
    """Return the numbers to compare a statistic with, and how often each event came; the arguments are sorted."""
    pooled = np.sort(np.concatenate([first, second]), kind="stable")  # two sorted halves are merged, and not sorted
    quantiles = np.quantile(pooled, np.linspace(0, 1, 201))
    thresholds = np.unique(_rounded(np.concatenate([quantiles, first[[0, -1]], second[[0, -1]]]), quantiles))
    values, counts = np.unique(pooled, return_counts=True)
    often = values[np.argsort(-counts, kind="stable")[:200]]
    left, right = ([np.searchsorted(each, thresholds, side) for each in (first, second)] for side in ("left", "right"))
    equal = [np.searchsorted(each, often, "right") - np.searchsorted(each, often, "left") for each in (first, second)]
    return {
        "above": (thresholds, (len(first) - right[0], len(second) - right[1])),
        "below": (thresholds, (left[0], left[1])),
        "equal to": (often, (equal[0], equal[1])),
    }


def _rounded(thresholds: NDArray, quantiles: NDArray) -> NDArray:
    """Return thresholds with as few digits as their spread needs, because a reader is told them."""
    low, high = quantiles[[50, 150]]  # a quarter and three quarters
    if not 1e-100 < high - low < 1e100:  # no spread at all, or powers of ten that overflow
        return thresholds
    return np.round(thresholds, 2 - math.floor(math.log10(high - low)))


def _score(hits: NDArray, alarms: NDArray, trials: int, delta: float) -> NDArray:
    """Return an approximate lower bound on ε by Wilson's intervals: quick, and enough for a choice."""
    z = 3.3

    def end(count: NDArray, sign: int) -> NDArray:
        rate = count / trials
        width = z * np.sqrt(rate * (1 - rate) / trials + (z / trials) ** 2 / 4)
        return (rate + z**2 / (2 * trials) + sign * width) / (1 + z**2 / trials)

    return np.log(np.maximum(end(hits, -1) - delta, 1e-12) / end(alarms, 1))


def statistics(first: NDArray, second: NDArray) -> Iterator[Statistic]:
    """Yield what an attacker may look at, first what is easy to explain."""
    shape, first, second = first.shape[1:], _flat(first), _flat(second)
    size = first.shape[1]
    for i in range(size):
        yield Statistic(_entry(i, shape), _column(i), FROM_0 if shape else "")
    if size > 1:
        yield from _of_several(shape, first, second)
    for i in range(min(size, 20)):
        name = f"fractional part of {_entry(i, shape)}" if shape else "fractional part"
        yield Statistic(name, _fraction(i), FROM_0 if shape else "")
    yield _evidence(first, second)


def _entry(i: int, shape: tuple[int, ...]) -> str:
    return f"entry [{', '.join(str(j) for j in np.unravel_index(i, shape))}]" if shape else ""


def _column(i: int) -> Callable[[NDArray], NDArray]:
    return lambda x: x[:, i]


def _fraction(i: int) -> Callable[[NDArray], NDArray]:
    return lambda x: np.round(x[:, i] % 1, 9) % 1


def _difference(i: int, j: int) -> Callable[[NDArray], NDArray]:
    return lambda x: x[:, i] - x[:, j]


def _of_several(shape: tuple[int, ...], first: NDArray, second: NDArray) -> Iterator[Statistic]:
    yield Statistic("sum", lambda x: x.sum(axis=1))
    yield Statistic("largest entry", lambda x: x.max(axis=1))
    yield Statistic("smallest entry", lambda x: x.min(axis=1))
    yield Statistic("position of the largest entry", lambda x: x.argmax(axis=1), "Positions are counted from 0.")
    size = min(first.shape[1], 8)
    for i, j in itertools.combinations(range(size), 2):
        name = f"{_entry(j, shape)} minus {_entry(i, shape)}"
        yield Statistic(name, _difference(j, i), FROM_0)
    name, note = "number of different entries", "This number is 1 if all entries are equal to each other."
    yield Statistic(name, lambda x: 1 + (np.diff(np.sort(x, axis=1)) != 0).sum(axis=1), note)
    spread = first.var(axis=0) + second.var(axis=0)
    weights = (first.mean(axis=0) - second.mean(axis=0)) / np.where(spread > 0, spread, 1)
    top = np.abs(weights).max()
    weights = weights / (top if top > 0 else 1)
    note = (
        "In the weighted sum, an entry that is larger on the first table on average has a positive weight, and one "
        "that is smaller has a negative weight. So a large sum points to the first table."
    )
    yield Statistic("weighted sum", lambda x: x @ weights, note, LEAD)


def _evidence(first: NDArray, second: NDArray) -> Statistic:
    """Return the sum over the entries of the log ratio of how often entries of that size came on each table."""
    edges, ratios = [], []
    for a, b in zip(first.T, second.T, strict=True):
        values = np.unique(np.concatenate([a, b]))
        between = (values[1:] + values[:-1]) / 2
        edge = between if len(values) <= 64 else np.unique(np.quantile(values, np.linspace(0, 1, 33)[1:-1]))
        counts = [np.bincount(np.searchsorted(edge, each), minlength=len(edge) + 1) for each in (a, b)]
        clear = abs(counts[0] - counts[1]) > 2 * np.sqrt(counts[0] + counts[1])  # the rest would add noise alone
        edges.append(edge)
        ratios.append(np.where(clear, np.log((counts[0] + 0.5) / (counts[1] + 0.5)), 0))

    def evidence(answers: NDArray) -> NDArray:
        columns = zip(edges, ratios, answers.T, strict=True)
        return np.round(sum(ratio[np.searchsorted(edge, column)] for edge, ratio, column in columns), 9)

    adds, values = ("For each entry it adds", "entries") if first.shape[1] > 1 else ("It is", "answers")
    note = (
        "The score says how much an answer points to the first table, and a negative score points to the second. "
        f"{adds} about ln(a/b), if {values} of about this size came a times on the first table and b times on the "
        "second."
    )
    return Statistic("score", evidence, note, LEAD)
