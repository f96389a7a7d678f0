"""Checks of your own code: `private(mechanism, table, neighbour, epsilon)` attacks a mechanism that you wrote.

`private` runs a mechanism many times on two neighbouring tables and looks for an event that is more likely on one of
them than the promise allows. A mechanism that it catches breaks its promise. A mechanism that it does not catch may
break it all the same, because no number of runs is a proof. `matches` compares a function with a correct one and
recognizes common slips. `accurate` puts the error of a mechanism next to that of a naive one and of the best known.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dp_lib import _neighbours, audit, domain, say
from dp_lib._time_limit import Watch
from dp_lib.domain import DomainError

# A right mechanism is called caught only if the bound is wrong. The event is fixed before the runs that are counted, so
# this has probability at most 1 - CONFIDENCE, which is one false alarm in a thousand checks, whatever was tried before.
CONFIDENCE = 0.999
TABLES = ("first table", "second table")
MOST_NUMBERS = 20_000_000  # kept from the runs on one table: 160 megabytes
SECONDS = 10  # that a check takes at most
PILOT = 500  # runs with each neighbour, where a neighbour is searched
PACE = 20  # runs between two looks at their speed
OTHER_SOURCE = (
    "Two runs with the same rng gave different answers, so your mechanism draws from another source than rng, such as "
    "np.random.laplace in place of rng.laplace."
)
FROM_0 = "Entries are counted from 0."
LEAD = 0.1  # of an event that is hard to explain and was fitted to the runs that choose it, which makes it look better
TOLERANCE = 1e-6  # relative, so that a search for σ may stop after six digits

# Short names, since `help` writes them all into a function's first line.
Mechanism = Callable[[Any, Generator], Any]
Rival = Mechanism | float
Rng = Generator | None
Values = Iterable[Any]


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `private` found; `str` says it in words.

    Parameters
    ----------
    caught : whether the bound is above the promise
    epsilon : the lower bound on ε that the attacker can show
    promised : ε of the promise
    delta : δ of the promise
    runs : how often the mechanism ran on each table
    counted : how many of these runs were counted, after the others had chosen the event
    event : the event in words, such as "answers above 103.5"
    counts : how often the event came on the first and on the second table
    notes : what else the reader should know, in sentences
    """

    caught: bool
    epsilon: float
    promised: float
    delta: float
    runs: int
    counted: int
    event: str
    counts: tuple[int, int]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self._caught() if self.caught else self._not_caught(), *self.notes])

    __repr__ = __str__

    def _caught(self) -> str:
        digits = next(n for n in range(2, 20) if float(say.at_least(self.epsilon, n)) > self.promised or n == 19)
        return (
            f"You promise {self._promise()}. After {self.runs:,} runs on each table the attacker can show "
            f"ε >= {say.at_least(self.epsilon, digits)} (99.9% confidence): {self._compared()}. {self._allowance()}"
        )

    def _not_caught(self) -> str:
        return (
            f"Not caught in {self.runs:,} runs on each table. You promise {self._promise()}, and the attacker can show "
            f"ε >= {say.at_least(self.epsilon, 2)} (99.9% confidence). That is no proof: another pair of tables, "
            "another event or more runs may show more. A proof compares all neighbouring tables and all outputs."
        )

    def _promise(self) -> str:
        return f"ε = {self.promised:g}" + (f" at δ = {self.delta:g}" if self.delta else "")

    def _compared(self) -> str:
        more, less = (0, 1) if self.counts[0] >= self.counts[1] else (1, 0)
        runs = f"times in {self.counted:,} runs, after the other {self.runs - self.counted:,} had chosen this event"
        if not self.counts[less]:
            numbers = f"{self.counts[more]:,} {runs}"
            return f"{self.event} come on the {TABLES[more]} ({numbers}) and never on the {TABLES[less]}"
        ratio = say.about(self.counts[more] / self.counts[less], 1)
        numbers = f"{self.counts[more]:,} and {self.counts[less]:,} {runs}"
        return f"{self.event} come {ratio} times as often on the {TABLES[more]} as on the {TABLES[less]} ({numbers})"

    def _allowance(self) -> str:
        if not min(self.counts):
            return "An event that never came may still have a small probability, so the shown ε is finite."
        allowed = "chance and for δ" if self.delta else "chance"
        return f"The shown ε is smaller than the logarithm of this ratio, because it allows for {allowed}."


def private(
    mechanism: Mechanism,
    table: Any,
    neighbour: Any,
    epsilon: float,
    delta: float = 0,
    *,
    values: Values = (),
    rng: Rng = None,
    trials: int = 20_000,
    seconds: float = SECONDS,
) -> Verdict:
    """Return whether an attacker can show that a mechanism breaks its promise of (ε, δ)-DP, and the bound on ε.

    One half of the runs chooses an event that is likely on one table and unlikely on the other, and the other half
    counts it. A mechanism that keeps its promise is caught in at most 1 of 1,000 checks.

    Parameters
    ----------
    mechanism : your function, called as mechanism(table, rng); it returns a number or an array of fixed shape
    table : a table, in whatever form the mechanism takes
    neighbour : a table that differs from it in one row; with None, the check tries up to 24 neighbours of a list or an
        array in short runs, and attacks with the one that tells most
    epsilon : the ε that you promise, >= 0
    delta : the δ that you promise, 0 <= delta < 1
    values : extreme rows that your promise covers, such as the oldest possible age; the search with None replaces rows
        by these, and by rows that occur in the table
    rng : source of randomness; by default another one in each check
    trials : runs on each table, a whole number >= 200
    seconds : how long the runs may take, > 0


    Raises
    ------
    DomainError : the mechanism raises an error, changes its table, returns no finite numbers of one shape, is too slow
        for so many runs, or does not return at all. A call that lasts for five seconds is stopped, unless it waits in
        compiled code or catches every error

    References
    ----------
    Ding, Wang, Wang, Zhang & Kifer 2018, who choose the event in separate runs; `audit.epsilon_of_test` for the bound.

    >>> half_the_noise = lambda table, rng: sum(table) + rng.laplace(0, 0.5)
    >>> verdict = private(half_the_noise, [1, 1, 0], [1, 1, 1], 1, rng=np.random.default_rng(1))
    >>> verdict.caught, round(verdict.epsilon, 2)
    (True, 1.84)
    >>> forgotten_clipping = lambda table, rng: sum(table) + rng.laplace(0, 1)
    >>> verdict = private(forgotten_clipping, [1, 1, 0], None, 1, values=[9], rng=np.random.default_rng(1))
    >>> verdict.notes
    ('The second table has table[2] = 9 in place of 0, the most telling of 4 neighbours.',)
    """
    epsilon = float(domain.single("epsilon", domain.nonnegative("epsilon", epsilon)))
    delta = float(domain.single("delta", domain.probability("delta", delta)))
    domain.condition("delta", delta, delta < 1, "< 1", "at delta = 1 every mechanism keeps the promise")
    trials = int(domain.single("trials", domain.positive_count("trials", trials)))
    domain.condition("trials", float(trials), trials >= 200, ">= 200")
    rng = np.random.default_rng() if rng is None else domain.generator("rng", rng)
    seconds = float(domain.single("seconds", domain.positive("seconds", seconds)))
    _callable("mechanism", mechanism)
    search = neighbour is None
    if search:
        neighbours = _neighbours.of(table, values)
    elif tuple(values):
        raise DomainError("values must be left out where neighbour is given, because only a search uses them")
    else:
        _different(table, neighbour)
    with Watch("mechanism") as watch:
        runner = _Runner(watch.over(mechanism), watch, rng, trials, seconds, len(neighbours) + 1 if search else 0)
        notes = []
        if search:
            neighbour, replaced = runner.most_telling(table, neighbours, delta)
            notes.append(f"The second table has {replaced}, the most telling of {len(neighbours)} neighbours.")
        first, second = runner.runs(table, TABLES[0], trials), runner.runs(neighbour, TABLES[1], trials)
        _same_shape(first, second, TABLES[1])
        notes += _notes(runner, table, first, second)
    event, _ = _chosen(first[: trials // 2], second[: trials // 2], delta)
    counted = trials - trials // 2
    counts = (event.count(first[trials // 2 :]), event.count(second[trials // 2 :]))
    hits, alarms = counts if event.on_first else counts[::-1]
    shown = float(audit.epsilon_of_test(hits, alarms, counted, delta, CONFIDENCE))
    caught = shown > epsilon
    if caught and event.statistic.note:
        notes.insert(0, event.statistic.note)
    return Verdict(caught, shown, epsilon, delta, trials, counted, event.words(), counts, tuple(notes))


def _callable(name: str, value: Any) -> None:
    if not callable(value):
        raise DomainError(f"{name} must be a function, got {value!r} of type {type(value).__name__}")


def _different(table: Any, neighbour: Any) -> None:
    """Check that there is something to tell apart, where the tables are arrays or lists."""
    arrays = isinstance(table, np.ndarray | list | tuple) and isinstance(neighbour, np.ndarray | list | tuple)
    if table is neighbour or (arrays and _equal(table, neighbour)):
        raise DomainError("neighbour must differ from table in one row, got two equal tables")


def _equal(table: Any, neighbour: Any) -> bool:
    try:
        return np.array_equal(table, neighbour)
    except ValueError:  # rows of different lengths make no array
        return bool(table == neighbour)


# The runs.


@dataclass(frozen=True)
class _Runner:
    """Runs a mechanism, as long as its runs are fast enough."""

    mechanism: Mechanism
    watch: Watch
    rng: Generator
    trials: int  # runs on each of two tables
    seconds: float
    pilots: int  # tables of the search for a neighbour

    def runs(self, table: Any, name: str, number: int) -> NDArray:
        """Return the answers of so many runs on one table, one for each row, after checking each."""
        answers: list[NDArray] = []
        before = _snapshot(table)
        for run in range(1, number + 1):
            where = f"in run {run:,} on the {name}"
            answer = _answer(self.mechanism, table, self.rng, where)
            shape = answers[0].shape if answers else answer.shape
            if answer.shape != shape:
                raise DomainError(f"mechanism must return one shape, got {shape} in run 1 and {answer.shape} {where}")
            if run == 1 and self.trials * answer.size > MOST_NUMBERS:
                most = f"at most {MOST_NUMBERS // self.trials:,} numbers with {self.trials:,} trials"
                raise DomainError(f"mechanism must return {most}, got {answer.size:,} {where}; use fewer trials")
            answers.append(answer)
            if run % PACE == 0 or self.watch.slow:
                self.check_pace()
        if _snapshot(table) != before:  # later runs had another table than the first
            raise DomainError(
                f"mechanism must leave its table as it is, and it changes the {name}; let it work on a copy"
            )
        return np.array(answers)

    def check_pace(self) -> None:
        """Raise an error if all runs would take longer than allowed."""
        pilots = self.pilots * self.pilot
        needed = self.watch.needs(pilots + 2 * self.trials)
        if needed <= self.seconds:
            return
        possible = int(self.seconds / self.watch.fastest - pilots) // 200 * 100  # on each of two tables
        instead = f"make it faster, or see less with trials={possible}" if possible >= 200 else "make it faster"
        wanted = f"{pilots + 2 * self.trials:,} runs in {self.seconds:g} seconds"
        found = f"a run takes {1000 * self.watch.fastest:.3g} ms, so they take {needed:,.0f} seconds or more"
        raise DomainError(f"mechanism must be fast enough for {wanted}; {found}; {instead}")

    @property
    def pilot(self) -> int:
        return min(PILOT, self.trials)

    def most_telling(self, table: Any, neighbours: list[tuple[Any, str]], delta: float) -> tuple[Any, str]:
        """Return the neighbour that short runs tell apart best, with what was replaced in words."""
        first, best, best_score = self.runs(table, TABLES[0], self.pilot), neighbours[0], -np.inf
        for neighbour, replaced in neighbours:
            second = self.runs(neighbour, f"table with {replaced}", self.pilot)
            _same_shape(first, second, f"table with {replaced}")
            _, score = _chosen(first, second, delta)
            if score > best_score:
                best, best_score = (neighbour, replaced), score
        return best


def _same_shape(first: NDArray, second: NDArray, name: str) -> None:
    if first.shape != second.shape:
        shapes = f"{first.shape[1:]} on the {TABLES[0]} and {second.shape[1:]} on the {name}"
        raise DomainError(f"mechanism must return one shape, got {shapes}; the shape alone tells the two tables apart")


def _snapshot(table: Any) -> bytes | str:
    """Return what shows a change of an array or a list; other tables are not watched."""
    return table.tobytes() if isinstance(table, np.ndarray) else repr(table) if isinstance(table, list) else ""


def _answer(mechanism: Mechanism, table: Any, rng: Generator, where: str, name: str = "mechanism") -> NDArray:
    try:
        value = mechanism(table, rng)
    except Exception as error:
        hint = "; are there lists of different lengths, or a pair?" if "inhomogeneous" in str(error) else ""
        raise DomainError(f"{name} raised {type(error).__name__}: {error} ({where}){hint}") from error
    if value is None:
        raise DomainError(f"{name} must return a number or an array, got None {where}; is there a return?")
    try:
        answer = np.asarray(value)
    except ValueError:
        raise DomainError(f"{name} must return a number or an array, got {_ragged(value)} {where}") from None
    if answer.dtype.kind not in "biuf" or not answer.size:
        got = f"{value!r} of type {type(value).__name__}"
        raise DomainError(f"{name} must return a number or an array of numbers, got {got} {where}")
    if not (np.isfinite(answer).all() if answer.ndim else math.isfinite(answer)):  # the second is ten times faster
        raise DomainError(f"{name} must return finite numbers, got {value!r} {where}")
    return answer.astype(np.float64)


def _ragged(value: Any) -> str:
    """Return in words what NumPy makes no array of, such as a pair of a number and a list."""
    got = f"a {type(value).__name__} of {len(value)}"
    try:
        shapes = [np.shape(part) for part in value]
    except ValueError:  # the parts are ragged themselves
        return f"{got} with lists of different lengths inside"
    other = next((i for i, shape in enumerate(shapes) if shape != shapes[0]), 0)
    sizes = [f"[{i}] {f'has shape {shapes[i]}' if shapes[i] else 'is a single value'}" for i in (0, other)]
    return f"{got} parts of different shapes (part {sizes[0]} and part {sizes[1]}, counted from 0)"


def _notes(runner: _Runner, table: Any, first: NDArray, second: NDArray) -> Iterator[str]:
    """Yield what the answers say of the mechanism's use of its randomness."""
    seed, where = int(runner.rng.integers(2**63)), f"in a last run on the {TABLES[0]}"
    fresh, *streams = (np.random.default_rng(seed) for _ in range(3))
    one, other = (
        [_answer(runner.mechanism, table, stream, where) for _ in range(runner.trials // 100)] for stream in streams
    )
    if all((answers == answers[0]).all() for answers in (first, second)):
        draws = streams[0].bit_generator.state != fresh.bit_generator.state
        yield _of_one_answer(first[0], second[0], draws)
    if not all(map(np.array_equal, one, other)):
        yield OTHER_SOURCE


def _of_one_answer(first: NDArray, second: NDArray, draws: bool) -> str:
    """Return what it means that all answers on the first table are the same, and all on the second."""
    if np.array_equal(first, second):
        why = (
            "Your mechanism draws from rng, but this has no effect on the answer here."
            if draws
            else "Your mechanism draws nothing from rng, and an answer without noise is private only if it is the same "
            "for every table."
        )
        return f"Every run gave the same answer on both tables, {_number(first)}, so this pair shows nothing. {why}"
    why = (
        "although your mechanism draws from rng. So its noise has no effect on the answer."
        if draws
        else "and your mechanism draws nothing from rng. Either it adds no noise, or its noise comes from a seed that "
        "is fixed inside it, and an attacker can repeat this noise and subtract it."
    )
    values = f"{_number(first)} on the {TABLES[0]} and {_number(second)} on the {TABLES[1]}"
    return f"Every run gave the same answer, {values}, {why}"


def _number(value: NDArray) -> str:
    return np.array2string(value, precision=6, separator=", ", threshold=8) if value.ndim else f"{value:.6g}"


# The event: a statistic of an answer, compared with a number.


@dataclass(frozen=True)
class _Statistic:
    name: str  # "" for the answer itself
    of: Callable[[NDArray], NDArray]  # from answers, one for each row, to a number for each
    note: str = ""  # what the name does not say, in a sentence
    lead: float = 0.02  # by how much it must be better than a statistic that is easier to explain


@dataclass(frozen=True)
class _Event:
    statistic: _Statistic
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


def _chosen(first: NDArray, second: NDArray, delta: float) -> tuple[_Event, float]:
    """Return the event that tells the two tables apart best, as far as these runs show, and about which ε it shows."""
    best, best_score = _Event(_Statistic("", _column(0)), "above", 0.0, True), -np.inf
    for statistic in _statistics(first, second):
        values = [np.sort(statistic.of(_flat(answers))) for answers in (first, second)]
        for relation, (candidates, counts) in _candidates(*values).items():
            for on_first in (True, False):
                scores = _score(*(counts if on_first else counts[::-1]), len(first), delta)
                place = int(np.argmax(scores))
                if scores[place] > best_score + statistic.lead:
                    best_score = scores[place]
                    best = _Event(statistic, relation, float(candidates[place]), on_first)
    return best, best_score


def _candidates(first: NDArray, second: NDArray) -> dict[str, tuple[NDArray, tuple[NDArray, NDArray]]]:
    """Return the numbers to compare a statistic with, and how often each event came; the arguments are sorted."""
    pooled = np.concatenate([first, second])
    ends = [np.quantile(pooled, np.linspace(0, 1, 201)), first[[0, -1]], second[[0, -1]]]
    thresholds = np.unique(_rounded(np.concatenate(ends), pooled))
    values, counts = np.unique(pooled, return_counts=True)
    often = values[np.argsort(-counts, kind="stable")[:200]]
    left, right = ([np.searchsorted(each, thresholds, side) for each in (first, second)] for side in ("left", "right"))
    equal = [np.searchsorted(each, often, "right") - np.searchsorted(each, often, "left") for each in (first, second)]
    return {
        "above": (thresholds, (len(first) - right[0], len(second) - right[1])),
        "below": (thresholds, (left[0], left[1])),
        "equal to": (often, (equal[0], equal[1])),
    }


def _rounded(thresholds: NDArray, pooled: NDArray) -> NDArray:
    """Return thresholds with as few digits as their spread needs, because a reader is told them."""
    low, high = np.quantile(pooled, [0.25, 0.75])
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


def _statistics(first: NDArray, second: NDArray) -> Iterator[_Statistic]:
    """Yield what an attacker may look at, first what is easy to explain."""
    shape, first, second = first.shape[1:], _flat(first), _flat(second)
    size = first.shape[1]
    for i in range(size):
        yield _Statistic(_entry(i, shape), _column(i), FROM_0 if shape else "")
    if size > 1:
        yield from _of_several(shape, first, second)
    for i in range(min(size, 20)):
        name = f"fractional part of {_entry(i, shape)}" if shape else "fractional part"
        yield _Statistic(name, _fraction(i), FROM_0 if shape else "")
    yield _evidence(first, second)


def _entry(i: int, shape: tuple[int, ...]) -> str:
    return f"entry [{', '.join(str(j) for j in np.unravel_index(i, shape))}]" if shape else ""


def _column(i: int) -> Callable[[NDArray], NDArray]:
    return lambda x: x[:, i]


def _fraction(i: int) -> Callable[[NDArray], NDArray]:
    return lambda x: np.round(x[:, i] % 1, 9) % 1


def _difference(i: int, j: int) -> Callable[[NDArray], NDArray]:
    return lambda x: x[:, i] - x[:, j]


def _of_several(shape: tuple[int, ...], first: NDArray, second: NDArray) -> Iterator[_Statistic]:
    yield _Statistic("sum", lambda x: x.sum(axis=1))
    yield _Statistic("largest entry", lambda x: x.max(axis=1))
    yield _Statistic("smallest entry", lambda x: x.min(axis=1))
    yield _Statistic("position of the largest entry", lambda x: x.argmax(axis=1), "Positions are counted from 0.")
    size = min(first.shape[1], 8)
    for i, j in itertools.combinations(range(size), 2):
        name = f"{_entry(j, shape)} minus {_entry(i, shape)}"
        yield _Statistic(name, _difference(j, i), FROM_0)
    name, note = "number of different entries", "This number is 1 if all entries are equal to each other."
    yield _Statistic(name, lambda x: 1 + (np.diff(np.sort(x, axis=1)) != 0).sum(axis=1), note)
    spread = first.var(axis=0) + second.var(axis=0)
    weights = (first.mean(axis=0) - second.mean(axis=0)) / np.where(spread > 0, spread, 1)
    top = np.abs(weights).max()
    weights = weights / (top if top > 0 else 1)
    note = (
        "In the weighted sum, an entry that is larger on the first table on average has a positive weight, and one "
        "that is smaller has a negative weight. So a large sum points to the first table."
    )
    yield _Statistic("weighted sum", lambda x: x @ weights, note, LEAD)


def _evidence(first: NDArray, second: NDArray) -> _Statistic:
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
    return _Statistic("score", evidence, note, LEAD)


# A function against a correct one.


@dataclass(frozen=True, repr=False)
class Match:
    """What `matches` found; it is true where the two functions agree, and `str` says it in words.

    Parameters
    ----------
    agrees : whether the two agree at all arguments tried
    tried : at how many settings of the arguments the two were compared
    arguments : the first at which they differ, by name
    mine : what your function returned there; in words if that is no number, or if the function raised an error
    reference : what the correct function returned there
    slip : the mistake that explains the difference, or nothing
    notes : what else the reader should know, in sentences
    """

    agrees: bool
    tried: int
    arguments: dict[str, float]
    mine: Any = None
    reference: float | None = None
    slip: str = ""
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.agrees

    def __str__(self) -> str:
        if self.agrees:
            agrees = f"Your function agrees with the book's function at {self.tried} arguments. That is no proof."
            return " ".join([agrees, *self.notes])
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.arguments.items())
        # Nine digits show every difference that counts, and none of the last digits, which vary between computers.
        got = self.mine if isinstance(self.mine, str) else f"returns {self.mine:.9g}"
        said = f"At {at} your function {got}, and the right answer is {self.reference:.9g}."
        return " ".join([said, *([self.slip] if self.slip else []), *self.notes])

    __repr__ = __str__


def matches(mine: Callable[..., Any], reference: Callable[..., Any], *, rng: Rng = None, **ranges: Any) -> Match:
    """Return whether a function agrees with a correct one, and the first arguments at which it does not.

    It is tried at round numbers, at the ends of the ranges, at 200 random arguments, and at ten of these with one
    argument changed, or at as many of them as ten seconds allow. Two values agree if they differ by at most a
    millionth. Arguments that the reference rejects with a DomainError are left out.

    Parameters
    ----------
    mine : your function, called with the arguments by name; it returns a number
    reference : a correct function of the same arguments
    rng : source of randomness; by default another one in each check
    ranges : for each argument a pair (low, high); whole numbers such as (1, 100) give whole numbers, and a range over
        more than a factor of 100 is tried evenly on a logarithmic scale


    Raises
    ------
    DomainError : a range is no pair of increasing numbers, the reference answers nowhere in the ranges, or your
        function does not return

    References
    ----------
    Claessen & Hughes 2000 (QuickCheck), for trying functions at random arguments.

    >>> from dp_lib import pure
    >>> half = lambda sensitivity, epsilon: sensitivity / epsilon / 2
    >>> match = matches(half, pure.scale, sensitivity=(1, 1), epsilon=(0.5, 2.0))
    >>> bool(match), match.arguments, match.mine, match.reference
    (False, {'sensitivity': 1, 'epsilon': 1.0}, 0.5, 1.0)
    >>> match.slip.split(":")[0]
    'Your value is 1/2 of the right one everywhere it was tried'
    """
    _callable("mine", mine)
    _callable("reference", reference)
    rng = np.random.default_rng() if rng is None else domain.generator("rng", rng)
    pairs = {name: _range(name, value) for name, value in ranges.items()}
    if not pairs:
        raise DomainError("ranges must name at least one argument, for example epsilon=(0.1, 10.0)")
    found: _Found = []
    notes: tuple[str, ...] = ()
    with Watch("mine") as watch:
        watched = watch.over(mine)
        for arguments in _arguments(pairs, rng):
            if watch.computed() > SECONDS and found:
                notes = (
                    f"It was tried for {SECONDS:g} seconds only, since one call takes {1000 * watch.fastest:.3g} ms.",
                )
                break
            if (right := _right(reference, arguments)) is not None:
                found.append((arguments, _of_mine(watched, arguments), right))
    if not found:
        raise DomainError("ranges must hold arguments that the reference answers, and it rejects all that were tried")
    for arguments, got, right in found:
        if not _agree(got, right):
            slip = _slip(found, reference)
            return Match(False, len(found), arguments, got, right, slip, () if slip else tuple(_symptoms(found, got)))
    return Match(True, len(found), {}, notes=notes)


def _range(name: str, value: Any) -> tuple[float, float]:
    low, high = (domain.single(name, domain.real(name, each)) for each in domain.pair(name, value))
    domain.condition(name, low, low <= high, f"<= {high:g}, the other end of its range")
    whole = all(isinstance(each, int | np.integer) for each in value)
    return (int(low), int(high)) if whole else (float(low), float(high))


def _arguments(pairs: dict[str, tuple[float, float]], rng: Generator) -> Iterator[dict[str, float]]:
    """Yield round numbers, each argument at its ends, all corners of few arguments, and random places."""
    middle = {name: _round(_inside(pair, 0.5), pair) for name, pair in pairs.items()}
    yield middle
    for name, pair in pairs.items():
        yield from ({**middle, name: end} for end in pair)
    names = list(pairs)
    for corner in range(2 ** min(len(names), 6)):
        yield {name: pairs[name][corner >> i & 1] if i < 6 else middle[name] for i, name in enumerate(names)}
    places = [{name: _inside(pair, rng.random()) for name, pair in pairs.items()} for _ in range(200)]
    yield from places
    for name, pair in pairs.items():  # one argument alone changes, which shows whether a value depends on it
        yield from ({**place, name: _inside(pair, rng.random())} for place in places[:10])


def _round(value: float, pair: tuple[float, float]) -> float:
    """Return the number nearest to a value with which a reader can calculate, if the range has one."""
    if abs(value) <= 10 and float(value).is_integer():
        return value
    low, high = pair
    exponent = math.floor(math.log10(abs(value)))
    easy = [
        math.copysign(float(f"{digits}e{exponent}"), value) for digits in ((1, 10) if _wide(pair) else (1, 2, 5, 10))
    ]
    found = min(
        (each for each in easy if low <= each <= high), key=lambda each: abs(math.log(each / value)), default=value
    )
    return int(found) if isinstance(low, int) else found


def _wide(pair: tuple[float, float]) -> bool:
    return pair[0] > 0 and pair[1] / pair[0] > 100


def _inside(pair: tuple[float, float], share: float) -> float:
    low, high = pair
    value = min(max(low * (high / low) ** share, low), high) if _wide(pair) else low + (high - low) * share
    return round(value) if isinstance(low, int) else float(value)


def _right(reference: Callable[..., Any], arguments: dict[str, float]) -> float | None:
    try:
        return float(reference(**arguments))
    except DomainError:
        return None


def _of_mine(mine: Callable[..., Any], arguments: dict[str, float]) -> float | str:
    """Return the value, or in words what came in its place."""
    try:
        value = mine(**arguments)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    try:
        return float(value)
    except (TypeError, ValueError):
        return f"returns {value!r}, which is no number" + ("" if value is not None else " (is there a return?)")


def _agree(got: float | str, right: float) -> bool:
    if isinstance(got, str):
        return False
    near = max(TOLERANCE * abs(right), sys.float_info.min)  # below it a float loses its digits, on each machine others
    return got == right or (math.isnan(got) and math.isnan(right)) or abs(got - right) <= near


_FACTORS = {
    2: (
        "twice the right one",
        "a factor of 2 is too much, for example the sensitivity of replacing a row where a row is added or removed",
    ),
    -1: ("the negative of the right one", "perhaps two terms are subtracted the wrong way round"),
    1 / 2: ("1/2 of the right one", "a factor of 2 is lost, perhaps a row is replaced and moves two counts"),
    math.sqrt(2): ("√2 times the right one", "perhaps the noise's deviation is taken for its scale"),
    1 / math.sqrt(2): ("1/√2 of the right one", "perhaps a 2 is missing under the root"),
    1 / math.log(2): ("1/ln 2 times the right one", "the logarithm has base 2, and the formula needs base e"),
    1 / math.log(10): ("1/ln 10 times the right one", "the logarithm has base 10, and the formula needs base e"),
    1 / math.sqrt(math.log(2)): ("1/√(ln 2) times the right one", "the logarithm under the root has base 2, not e"),
    1 / math.sqrt(math.log(10)): ("1/√(ln 10) times the right one", "the logarithm under the root has base 10, not e"),
}
_Found = list[tuple[dict[str, float], float | str, float]]
_Formula = Callable[[dict[str, float], float], float | None]  # from arguments and the right value to a wrong value


def _slip(found: _Found, reference: Callable[..., Any]) -> str:
    """Return the mistake that explains every value, or else every wrong one, or nothing."""
    names = list(found[0][0])
    positive = [name for name in names if all(arguments[name] > 0 for arguments, _, _ in found)]
    found = sorted(found, key=lambda each: _agree(each[1], each[2]))  # the wrong ones first, which reject most formulas
    wrong = [each for each in found if not _agree(each[1], each[2])]
    places = [(found, "everywhere it was tried")]
    if 10 <= len(wrong) < len(found):  # a few values fit a formula by chance
        places.append((wrong, f"wherever it is wrong, at {len(wrong)} of {len(found)} arguments"))
    for some, where in places:
        for formula, sentence in _slips(names, positive, reference):
            if _explains(formula, some):
                return sentence.format(where=where)
    return ""


def _explains(formula: _Formula, found: _Found) -> bool:
    known = 0
    for arguments, got, right in found:
        expected = formula(arguments, right)
        if expected is None:  # 2δ may lie outside the domain
            continue
        if not _agree(got, expected):
            return False
        known += 1
    return known > len(found) / 2


def _slips(names: list[str], positive: list[str], reference: Callable[..., Any]) -> Iterator[tuple[_Formula, str]]:
    """Yield wrong formulas, each with a sentence about it."""
    for factor, (size, why) in _FACTORS.items():
        yield _times(factor), f"Your value is {size} {{where}}: {why}."
    for name in positive:
        yield _power(name, -0.5), f"Your value is too small by √{name} {{where}}: a factor √{name} is missing."
        yield _power(name, -1), f"Your value is too small by {name} {{where}}: a factor {name} is missing."
        large = f"Your value is too large by √{name} {{where}}"
        yield _power(name, 0.5), f"{large}: {name} stands where √{name} is needed, or a division by √{name} is missing."
    for name in names:
        for factor, at in ((0.5, f"{name}/2"), (2, f"2 {name}")):
            sentence = f"Your value is the right answer for {at} {{where}}: is {name} halved or doubled on the way?"
            yield _moved(reference, name, factor), sentence


def _symptoms(found: _Found, shown: float | str) -> Iterator[str]:
    """Yield what is striking about values that no known mistake explains."""
    mine, rights = [got for _, got, _ in found], [right for _, _, right in found]
    if isinstance(shown, str) or any(isinstance(got, str) for got in mine):
        return
    if fixed := [name for name in found[0][0] if _ignores(name, found)]:
        yield f"Your value does not change with {' or '.join(fixed)}, but the right answer does."
    if shown < 0 <= min(rights):
        yield "Your value is negative, but no right answer is."
    if shown > 1 >= max(rights) and min(rights) >= 0:
        yield "Your value is above 1, but no right answer is."
    if not float(shown).is_integer() and all(right.is_integer() for right in rights):
        yield "Your value is not a whole number, but all right answers are."


def _ignores(name: str, found: _Found) -> bool:
    """Return whether the right value changes with one argument alone, at ten or more places, and yours never does.

    Fewer places may all lie where yours is cut off: a share that is clipped does not change where it is 0 or 1.
    """
    groups: dict[tuple[float, ...], list[tuple[Any, float]]] = {}
    for arguments, got, right in found:
        others = tuple(value for other, value in arguments.items() if other != name)
        groups.setdefault(others, []).append((got, right))
    changing = [group for group in groups.values() if any(not _agree(right, group[0][1]) for _, right in group)]
    return sum(map(len, changing)) >= 10 and all(got == group[0][0] for group in changing for got, _ in group)


def _times(factor: float) -> _Formula:
    return lambda arguments, right: right * factor


def _power(name: str, power: float) -> _Formula:
    return lambda arguments, right: right * arguments[name] ** power


def _moved(reference: Callable[..., Any], name: str, factor: float) -> _Formula:
    return lambda arguments, right: _right(reference, {**arguments, name: arguments[name] * factor})


# The error of a mechanism, next to two others.


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

    mine, others = (
        squares("mechanism", mechanism),
        [squares(name, one) for name, one in (("naive", naive), ("best", best))],
    )
    error, by_naive, by_best = (float(np.sqrt(each.mean())) for each in (mine, *others))
    below = _larger(others[1], 1.01 * mine, 5)
    close = not _larger(mine, within**2 * others[1], 3)
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
            answer = _answer(watched, table, np.random.default_rng(seed), f"in run {run + 1:,}", name)
            if answer.shape != truth.shape:
                raise DomainError(f"{name} must return the shape of truth, {truth.shape}, got {answer.shape}")
            found[run] = (shares * (answer - truth) ** 2).sum()
            if watch.needs(len(seeds)) > SECONDS / 3:  # for three mechanisms
                wanted = f"{len(seeds):,} runs in {SECONDS / 3:.2g} seconds"
                measured = f"a run takes {1000 * watch.fastest:.3g} ms"
                raise DomainError(f"{name} must be fast enough for {wanted}; {measured}; use fewer trials")
    return found


def _larger(one: NDArray, other: NDArray, errors: float) -> bool:
    """Return whether one has the larger mean by so many standard errors; the runs are paired.

    Squares have a long tail: a mean that is too small by three standard errors is chance in 18 of 1,000 checks.
    """
    difference = one - other
    return bool(difference.mean() > errors * difference.std(ddof=1) / math.sqrt(len(difference)))
