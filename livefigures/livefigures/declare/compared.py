"""What a claim compares: values that remember their comparisons, so that a message can say by how much one fails."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.numbers import typed

SIDES = {  # what a comparison says of its first side, and how far it misses that
    np.less_equal: ("at most", lambda a, b: a - b),
    np.less: ("below", lambda a, b: a - b),
    np.greater_equal: ("at least", lambda a, b: b - a),
    np.greater: ("above", lambda a, b: b - a),
    np.equal: ("equal to", lambda a, b: abs(a - b)),
}
ROUNDING, SOLVER = 1e-9, 1e-3  # of the largest value: what is smaller may be an error of the arithmetic, of a solver


@dataclass(frozen=True)
class Comparison:
    """Two sides that a claim compared, and how."""

    ufunc: np.ufunc
    sides: tuple[NDArray, NDArray]

    def missed(self, index: int, points: tuple[int, ...]) -> str:
        """Return by how much it fails at this point of the grid, and how large the values are; "" if it holds there."""
        words, far = SIDES[self.ufunc]
        a, b = np.broadcast_arrays(*self.sides)
        with np.errstate(all="ignore"):
            wrong = np.asarray(~self.ufunc(a, b) & np.isfinite(a) & np.isfinite(b))
            misses = np.where(wrong, far(a, b), -np.inf)
        at = index if points and a.shape == points else np.unravel_index(np.argmax(misses), a.shape)
        if not wrong[at]:
            return ""
        largest = max(float(np.max(np.abs(side[np.isfinite(side)]))) for side in (a, b))
        worst = float(np.max(misses))
        along = f", and by {_few(worst)} where it is worst" if worst > 1.01 * misses[at] else ""
        one, other = float(a[at]), float(b[at])
        return (
            f"; {_enough(one, other)} should be {words} {_enough(other, one)} and misses it by "
            f"{_few(float(misses[at]))}{along}, in values of up to {_few(largest)}{_hint(worst, largest)}"
        )


def _hint(worst: float, largest: float) -> str:
    if worst <= ROUNDING * largest:
        return "; this may be rounding, which lf.at_most(a, b) and lf.equal(a, b) allow"
    if worst <= SOLVER * largest:
        return (
            "; this may be the error of a solver, such as lf.ode: let it take more steps, or allow for it, as in "
            f"a <= b + {typed(float(f'{2 * worst:.0e}'))}"
        )
    return ""


def _few(value: float) -> str:
    return typed(float(f"{value:.3g}"))


def _enough(value: float, other: float) -> str:
    """Return a number in four digits, or in as many as tell it from the other one."""
    digits = next((n for n in range(4, 17) if f"{value:.{n}g}" != f"{other:.{n}g}"), 17 if value != other else 4)
    return typed(float(f"{value:.{digits}g}"))


class Value(np.ndarray):
    """Numbers that a claim asked for: each array that is made of them remembers the same comparisons."""

    comparisons: list[Comparison]

    def __array_finalize__(self, parent: Any) -> None:
        self.comparisons = getattr(parent, "comparisons", [])

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        """Compute as NumPy does, and note a comparison."""
        plain = [one.view(np.ndarray) if isinstance(one, Value) else one for one in inputs]
        if out is not None:
            options["out"] = tuple(one.view(np.ndarray) if isinstance(one, Value) else one for one in out)
        found = getattr(ufunc, method)(*plain, **options)
        if ufunc in SIDES and method == "__call__":
            self.note(ufunc, *plain)
        return self._marked(found)

    def note(self, ufunc: np.ufunc, a: Any, b: Any) -> None:
        """Keep a comparison for the message."""
        self.comparisons.append(Comparison(ufunc, (np.asarray(a, dtype=float), np.asarray(b, dtype=float))))

    def _marked(self, found: Any) -> Any:
        if isinstance(found, tuple):
            return tuple(map(self._marked, found))
        if np.asarray(found).dtype == bool:
            return found
        return noting(found, self.comparisons)


def noting(value: Any, comparisons: list[Comparison]) -> Value:
    """Return the value as one that notes its comparisons in this list."""
    marked = np.asarray(value).view(Value)
    marked.comparisons = comparisons
    return marked


def note(ufunc: np.ufunc, a: Any, b: Any) -> None:
    """Keep a comparison that a function makes of values, if one of them notes it."""
    known = next((one for one in (a, b) if isinstance(one, Value)), None)
    if known is not None:
        known.note(ufunc, a, b)
