"""An attack on a mechanism: it runs on two neighbouring tables, and an event likely on one of them is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dp_lib import audit, domain, say
from dp_lib.check.events import chosen
from dp_lib.check.runs import SECONDS, TABLES, Mechanism, Rng, Runner, check_callable, notes_on, same_shape
from dp_lib.check.time_limit import Watch
from dp_lib.domain import DomainError

# A right mechanism is called caught only if the bound is wrong. The event is fixed before the runs that are counted, so
# this has probability at most 1 - CONFIDENCE, which is one false alarm in a thousand checks, whatever was tried before.
CONFIDENCE = 0.999


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
    neighbour : a table that differs from it in one row
    epsilon : the ε that you promise, >= 0
    delta : the δ that you promise, 0 <= delta < 1
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
    """
    epsilon = float(domain.single("epsilon", domain.nonnegative("epsilon", epsilon)))
    delta = float(domain.single("delta", domain.probability("delta", delta)))
    domain.condition("delta", delta, delta < 1, "< 1", "at delta = 1 every mechanism keeps the promise")
    trials = int(domain.single("trials", domain.positive_count("trials", trials)))
    domain.condition("trials", float(trials), trials >= 200, ">= 200")
    rng = np.random.default_rng() if rng is None else domain.generator("rng", rng)
    seconds = float(domain.single("seconds", domain.positive("seconds", seconds)))
    check_callable("mechanism", mechanism)
    _different(table, neighbour)
    with Watch("mechanism") as watch:
        runner = Runner(watch.over(mechanism), watch, rng, trials, seconds)
        first, second = runner.runs(table, TABLES[0]), runner.runs(neighbour, TABLES[1])
        same_shape(first, second)
        notes = list(notes_on(runner, table, first, second))
    event = chosen(first[: trials // 2], second[: trials // 2], delta)
    counted = trials - trials // 2
    counts = (event.count(first[trials // 2 :]), event.count(second[trials // 2 :]))
    hits, alarms = counts if event.on_first else counts[::-1]
    shown = float(audit.epsilon_of_test(hits, alarms, counted, delta, CONFIDENCE))
    caught = shown > epsilon
    if caught and event.statistic.note:
        notes.insert(0, event.statistic.note)
    return Verdict(caught, shown, epsilon, delta, trials, counted, event.words(), counts, tuple(notes))


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
