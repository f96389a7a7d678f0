"""Claims: what a figure says of all its settings, in words and in a check that is run at them.

    claims={
        "Compound interest is never below simple interest.": lambda c: c["compound"] >= c["simple"],
        "Longer is more.": lambda c: c.rises("compound"),
    }

A check gets the figure at one setting (`Seen`) and gives True, or an array of truths along the grid. It speaks only of
where all the values that it used are numbers: at a gap (NaN) of one of them nothing is claimed. A check that gives one
truth for the whole grid has to leave the gaps out itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from livefigures.declare.parts import FigureError

ROUNDING = 1e-12  # relative: what double arithmetic may lose on the way to two equal numbers
NEAR = 1e-3  # relative: what a solver may lose

Check = Callable[["Seen"], Any]


@dataclass(frozen=True)
class Claim:
    """A sentence that holds wherever the sliders stand, and its check.

    Parameters
    ----------
    words : the sentence, as it stands under the figure; its scope stands in it
    check : a function of the figure at one setting, `Seen`: True, or an array of truths along the grid
    where : of the same form: the scope of the sentence, everywhere if not given

    >>> Claim("After a year compound interest is ahead.",
    ...       lambda c: c["compound"] > c["simple"], where=lambda c: c["t"] > 1).words
    'After a year compound interest is ahead.'
    """

    words: str
    check: Check
    where: Check | None = None


class Seen:
    """A figure at one setting, its numbers by name, as a claim's functions get it.

    `c["compound"]` is a curve along the grid, `c["touch", "y"]` a mark's coordinate, `c["band", "low"]` an edge along
    the grid, `c["rate"]` a slider's value. The x slider's name gives the grid, `c.cursor` the value of that slider.
    """

    def __init__(self, figure: Any, values: Mapping[str, float], scene: Mapping[str, NDArray]) -> None:
        self.figure, self.setting, self.scene = figure, values, scene
        self.forget()

    def forget(self) -> None:
        """Begin another check: forget what was asked for."""
        self.used: dict[str, NDArray] = {}  # by the name that stands in the message
        self.before: dict[str, NDArray] = {}  # of what has to rise or fall, at each point the value that came before

    @property
    def values(self) -> dict[str, Any]:
        """The sliders' values by name; that of the x slider is the grid, as `c["t"]` is."""
        return {**self.setting, self.figure.x.name: self.figure.x.grid}

    @property
    def _at(self) -> str:
        return f"figure {self.figure.name!r}:"

    @property
    def cursor(self) -> float:
        """Where the x slider stands."""
        return self.setting[self.figure.x.name]

    def chosen(self, name: str) -> str:
        """The option that a choice stands at: "randomized response"."""
        return self.figure.controls[name].options[int(self.setting[name])]

    def __getitem__(self, key: str | tuple[str, str]) -> NDArray:
        name, coordinate = (key, "") if isinstance(key, str) else key
        value = np.asarray(self._find(name, coordinate), dtype=float)
        self.used[_words(key)] = value
        return value

    def _find(self, name: str, coordinate: str) -> Any:
        for kind in ("curves", "marks"):
            if name in getattr(self.figure, kind):
                places = self.figure.addresses(kind, name)
                if coordinate in places or (not coordinate and len(places) == 1):
                    return self.scene[places[coordinate] if coordinate else next(iter(places.values()))]
                wanted = " or ".join(f"c[{name!r}, {place!r}]" for place in places)
                raise FigureError(f"{self._at} a claim asks for {(name, coordinate)}; write {wanted}")
        if name in self.figure.controls and not coordinate:
            return self.values[name]
        known = ", ".join([*self.figure.curves, *self.figure.marks, *self.figure.controls])
        raise FigureError(f"{self._at} a claim asks for {name!r}, which is none of {known}")

    def rises(self, key: str | tuple[str, str]) -> NDArray:
        """Along the grid: whether the value is no less than the one before it, up to rounding; gaps are passed over."""
        return self._steps(key, lambda before, after: at_most(before, after))

    def falls(self, key: str | tuple[str, str]) -> NDArray:
        """Along the grid: whether the value is no more than the one before it, up to rounding; gaps are passed over."""
        return self._steps(key, lambda before, after: at_most(after, before))

    def _steps(self, key: str | tuple[str, str], compare: Callable) -> NDArray:
        value = self[key]
        holds, known = np.ones(value.shape, dtype=bool), np.flatnonzero(~np.isnan(value))
        self.before[_words(key)] = before = value.copy()
        before[known[1:]] = value[known[:-1]]
        holds[known[1:]] = compare(before[known[1:]], value[known[1:]])
        return holds


def _words(key: str | tuple[str, str]) -> str:
    """Return what a message calls a value: touch y."""
    return key if isinstance(key, str) else " ".join(filter(None, key))


def at_most(a: ArrayLike, b: ArrayLike) -> NDArray:
    """a <= b, up to the rounding of double arithmetic (a part in 10^12): for curves that are equal somewhere.

    >>> at_most(0.1 + 0.2, 0.3), at_most([1, 1 + 1e-9], 1).tolist(), at_most(np.inf, np.inf)
    (np.True_, [True, False], np.True_)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    with np.errstate(invalid="ignore"):
        return (a <= b) | (a - b <= ROUNDING * np.maximum(abs(a), abs(b)))


def equal(a: ArrayLike, b: ArrayLike) -> NDArray:
    """a == b, up to rounding, as in `at_most`.

    Of two numbers that are compared with each other: the difference of two that are nearly equal is only rounding, and
    it is not 0 up to its own rounding.

    >>> equal(0.1 + 0.2, 0.3), equal(1, 1 + 1e-9)
    (np.True_, np.False_)
    """
    return at_most(a, b) & at_most(b, a)


@dataclass(frozen=True)
class Verdict:
    """What a check said at one setting: the first fault in words, "" if there is none, and whether it spoke at all."""

    fault: str
    spoke: bool


def judge(claim: Claim, seen: Seen) -> Verdict:
    """Run a claim's check on the figure at one setting."""
    seen.forget()
    scope = _truths(claim, seen, claim.where, "where") if claim.where else np.True_
    holds = _truths(claim, seen, claim.check, "check")
    spoken = np.logical_and(scope, _numbers(seen, along=bool(holds.ndim or scope.ndim)))
    wrong = np.flatnonzero(spoken & ~holds)
    fault = _fault(claim, seen, int(wrong[0]), np.ndim(spoken & ~holds) > 0) if len(wrong) else ""
    return Verdict(fault, bool(np.any(spoken)))


def _truths(claim: Claim, seen: Seen, function: Check, what: str) -> NDArray:
    try:
        with np.errstate(all="ignore"):
            truths = np.asarray(function(seen))
    except ValueError as error:
        if "truth value of an array" not in str(error):
            raise
        raise FigureError(
            f"figure {seen.figure.name!r}: the {what} of the claim {claim.words!r} asks for one truth of many values; "
            "use (a >= 0) & (b >= 0) for and, | for or, and (0 <= a) & (a <= 1) for 0 <= a <= 1"
        ) from None
    if truths.dtype != bool or truths.shape not in ((), seen.figure.x.grid.shape):
        form = f"True, or {len(seen.figure.x.grid)} truths along the grid"
        got = f"{truths.dtype} of shape {truths.shape}"
        advice = "; write np.all(...) for one truth" if truths.dtype == bool else ""
        raise FigureError(
            f"figure {seen.figure.name!r}: the {what} of the claim {claim.words!r} must give {form}, got {got}{advice}"
        )
    return truths


def _numbers(seen: Seen, along: bool) -> NDArray:
    """Where all that was used is a number: along the grid, if the claim speaks point by point."""
    shapes = [(), seen.figure.x.grid.shape] if along else [()]
    known = [~np.isnan(value) for value in seen.used.values() if value.shape in shapes]
    return np.logical_and.reduce(np.broadcast_arrays(np.True_, *known))


def _fault(claim: Claim, seen: Seen, index: int, along: bool) -> str:
    x = seen.figure.x
    setting = {name: value for name, value in seen.setting.items() if name != x.name}
    if along or seen.figure.cursor:
        setting[x.name] = x.grid[index] if along else seen.cursor
    grid = x.grid.shape
    found = {
        name: value[index] if value.shape == grid and along else value
        for name, value in seen.used.items()
        if name not in setting and (value.ndim == 0 or along and value.shape == grid)
    }
    controls = seen.figure.controls
    texts = {n: controls[n].options[int(v)] if controls[n].options else f"{float(v):.12g}" for n, v in setting.items()}
    at = ", ".join(f"{name} = {text}" for name, text in texts.items())
    before = {name: f" ({value[index]:.12g} at the point before)" for name, value in seen.before.items() if along}
    got = ", ".join(f"{name} = {float(v):.12g}{before.get(name, '')}" for name, v in found.items())
    near = any(abs(a - b) <= NEAR * max(abs(a), abs(b)) for a, b in combinations(map(float, found.values()), 2))
    hint = "; this may be rounding or the error of a solver: lf.at_most(a, b), or a <= b + 0.001" if near else ""
    return f"figure {seen.figure.name!r}: the claim {claim.words!r} fails at {at}" + (f": {got}" if got else "") + hint


def declared(claims: Any) -> list[Claim]:
    """The claims of a declaration: {"words": check} or a list of claims.

    >>> [claim.words for claim in declared({"It rises.": lambda c: c.rises("a")})]
    ['It rises.']
    """
    if isinstance(claims, Mapping):
        return [Claim(words, check) for words, check in claims.items()]
    return list(claims)


def failures(figure: Any, settings: list[dict[str, float]]) -> list[str]:
    """What the figure's claims get wrong at some settings of its sliders, each claim once."""
    scenes = [Seen(figure, values, figure.scene(values)) for values in settings] if figure.claims else []
    faults = ([judge(claim, seen).fault for seen in scenes] for claim in figure.claims)
    return [found[0] for said in faults if (found := [*filter(None, said)])]
