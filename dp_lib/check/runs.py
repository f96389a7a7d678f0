"""The runs of a mechanism: each answer is checked, and a mechanism that is too slow for all of them is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dp_lib.check.time_limit import Watch
from dp_lib.domain import DomainError

TABLES = ("first table", "second table")
MOST_NUMBERS = 20_000_000  # kept from the runs on one table: 160 megabytes
SECONDS = 30  # that the runs of a check take at most, three times what they take on an ordinary computer
PACE = 20  # runs between two looks at their speed
OTHER_SOURCE = (
    "Two runs with the same rng gave different answers, so your mechanism draws from another source than rng, such as "
    "np.random.laplace in place of rng.laplace."
)

# Short names, since `help` writes them all into a function's first line.
Mechanism = Callable[[Any, Generator], Any]
Rng = Generator | None


def check_callable(name: str, value: Any) -> None:
    if not callable(value):
        raise DomainError(f"{name} must be a function, got {value!r} of type {type(value).__name__}")


@dataclass(frozen=True)
class Runner:
    """Runs a mechanism, as long as its runs are fast enough."""

    mechanism: Mechanism
    watch: Watch
    rng: Generator
    trials: int  # runs on each of two tables
    seconds: float

    def runs(self, table: Any, name: str) -> NDArray:
        """Return the answers of all runs on one table, one for each row, after checking each."""
        answers: list[NDArray] = []
        before = _snapshot(table)
        for run in range(1, self.trials + 1):
            where = f"in run {run:,} on the {name}"
            answer = answer_of(self.mechanism, table, self.rng, where)
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
        runs = 2 * self.trials
        if self.watch.needs(runs) <= self.seconds:
            return
        each = self.watch.each(self.seconds)
        possible = int(self.seconds / each) // 200 * 100  # on each of two tables
        instead = f"make it faster, or see less with trials={possible}" if possible >= 200 else "make it faster"
        wanted = f"{runs:,} runs in {self.seconds:g} seconds"
        found = f"a run takes {1000 * each:.3g} ms, so they take {each * runs:,.0f} seconds or more"
        raise DomainError(f"mechanism must be fast enough for {wanted}; {found}; {instead}")


def same_shape(first: NDArray, second: NDArray) -> None:
    if first.shape != second.shape:
        shapes = f"{first.shape[1:]} on the {TABLES[0]} and {second.shape[1:]} on the {TABLES[1]}"
        raise DomainError(f"mechanism must return one shape, got {shapes}; the shape alone tells the two tables apart")


def _snapshot(table: Any) -> bytes | str:
    """Return what shows a change of an array or a list; other tables are not watched."""
    return table.tobytes() if isinstance(table, np.ndarray) else repr(table) if isinstance(table, list) else ""


def answer_of(mechanism: Mechanism, table: Any, rng: Generator, where: str, name: str = "mechanism") -> NDArray:
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
    # Faster than np.isfinite(answer).all(): twice as fast for an array, and fifty times for a number.
    if not (np.count_nonzero(np.isfinite(answer)) == answer.size if answer.ndim else math.isfinite(answer)):
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


def notes_on(runner: Runner, table: Any, first: NDArray, second: NDArray) -> Iterator[str]:
    """Yield what the answers say of the mechanism's use of its randomness."""
    seed, where = int(runner.rng.integers(2**63)), f"in a last run on the {TABLES[0]}"
    fresh, *streams = (np.random.default_rng(seed) for _ in range(3))
    one, other = (
        [answer_of(runner.mechanism, table, stream, where) for _ in range(runner.trials // 100)] for stream in streams
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
