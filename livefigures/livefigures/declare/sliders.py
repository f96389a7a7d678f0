"""Sliders: a name, a range, the stops between, and what one end is called. A choice is a slider with names."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import numbers
from livefigures.declare.options import function_names_its_options, names_its_options

GRID_POINTS = 201  # a curve's points along x: more than a screen can show, few enough to redraw in a frame
LARGEST = 1e300  # beyond, the span of an axis overflows
LEAST_OF_LOG = 1e-300  # below, numbers have lost their digits
BASES = (2, 10, 0.1)
MOST_STOPS = 10**6  # all are kept in a list: more would only cost memory
FIXED = (
    "; a range is fixed: give the longest one, and let a curve end by np.where(t <= days, ..., np.nan), with gap=... "
    "for the reason"
)


@names_its_options
@dataclass(frozen=True)
class Slider:
    """A named number that the reader can move, and the x axis too: `years`, `rate`, ...

    Parameters
    ----------
    name : the argument's name in the figure's functions
    low, high, at : the range and the default (the high end if none is given)
    symbol, words : how it is written (r; σ for sigma if none is given) and what it is ("interest, %")
    step : distance of the stops of a linear slider; a log slider has ten stops a decade
    log, integer : logarithmic scale; whole numbers only
    toward : words for one end, and which end: ("cheaper", "low"); shown where `falls` or `rises` says what that means
    falls : the curve or mark that falls towards that end
    rises : instead, the curve or mark that rises towards it
    options : the names of 0, 1, 2, ... on a slider that chooses among things (see `choice`)
    when : ("mechanism", "Laplace"): shown only while that choice stands so; for sliders that mean nothing otherwise
    at_stops : as the x axis, curves are drawn at its stops only: a table over it then needs no values between
    base : 2, 10 or 0.1 for a slider whose number is an exponent: functions and links get 5, readers see its power, 10⁻⁵
    format : how its value is written, as Python formats it: "$ {:,.2f}", "{:.1%}", or "{:.3g}" in three digits
    shared : moves with the sliders of this name that are shared too, in the other figures of the page
    play : its play button is always seen on a page, as that of the x axis is, and not only while the slider is in use

    >>> slider("share", 50, 400, at=200).stops[:3].tolist()
    [50.0, 51.0, 52.0]
    """

    name: str
    low: float | None = None
    high: float | None = None
    at: float | None = None
    symbol: str = ""
    words: str = ""
    step: float | None = None
    log: bool = False
    integer: bool = False
    toward: tuple[str, str] | tuple[()] = field(default=(), kw_only=True)
    falls: str = field(default="", kw_only=True)
    rises: str = field(default="", kw_only=True)
    options: tuple[str, ...] = field(default=(), kw_only=True)
    when: tuple[str, str] | None = field(default=None, kw_only=True)
    at_stops: bool = field(default=False, kw_only=True)
    base: float = field(default=0, kw_only=True)
    format: str = field(default="", kw_only=True)
    shared: bool = field(default=False, kw_only=True)
    play: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", self.high if self.at is None else self.at)
        object.__setattr__(self, "symbol", self.symbol or _greek(str(self.name)))
        if not self.fault:
            object.__setattr__(self, "at", self.check(self.at))

    @cached_property
    def fault(self) -> str:
        """What keeps this from being a slider, in words; "" if nothing does.

        Nothing is raised here: a slider is made before its figure, which has the name that belongs into the message.
        """
        return next(self._faults(), "")

    def _faults(self) -> Iterator[str]:
        if not (isinstance(self.name, str) and self.name.isidentifier() and not iskeyword(self.name)):
            instead = ", so write for example 'lam' with symbol='λ'" if self.name == "lambda" else ""
            yield f"slider name {self.name!r} must be a Python identifier: it is an argument of the curves{instead}"
        said = f"slider {self.name!r}"
        if self.low is None or self.high is None:
            yield f"{said} needs a range: its low end, its high end and, best, its default at=..."
        if not all(is_number(end) for end in (self.low, self.high)) or not self.low < self.high:
            fixed = FIXED if callable(self.low) or callable(self.high) else ""
            yield f"{said} needs a range low < high, two finite numbers, got {self.low!r} to {self.high!r}{fixed}"
        if self.log and self.low < LEAST_OF_LOG:
            yield f"{said} is logarithmic: its low end must be > 0 (at least {LEAST_OF_LOG:g}), got {self.low!r}"
        if self.integer and not (float(self.low).is_integer() and float(self.high).is_integer()):
            yield f"{said} moves over whole numbers: so must its ends be, got {self.low!r} to {self.high!r}"
        if self.step is not None and not (is_number(self.step) and 0 < self.step <= self.high - self.low):
            yield f"{said} needs a step within its range, got {self.step!r}"
        if self.base and (self.base not in BASES or self.log or self.options):
            yield f"{said}: base must be 2, 10 or 0.1, and is for a linear slider of exponents, got {self.base!r}"
        if not self.log and (self.high - self.low) / self.spacing > MOST_STOPS:
            yield f"{said} has more than {MOST_STOPS} stops: give it a larger step, or log=True"
        if not (isinstance(self.symbol, str) and isinstance(self.words, str)):
            yield f"{said}: symbol and words must be text, got {self.symbol!r} and {self.words!r}"
        if problem := numbers.wrong(self.format):
            yield f"{said}: format must be {problem}"
        if self.format and (self.base or self.options):
            yield f"{said}: a choice and a slider with a base have no format"
        if self.toward and not is_named_end(self.toward):
            form = 'words for an end and which end it is, ("cheaper", "low")'
            yield f"{said}: toward must be {form}, got {self.toward!r}"
        if (self.falls or self.rises) and not self.toward:
            yield f'{said}: say towards which end {self.falls or self.rises!r} moves, toward=("cheaper", "low")'
        if self.falls and self.rises:
            yield f"{said}: falls and rises name what changes towards one end: give one of them"
        if len(set(self.keys)) < len(self.options):
            yield f"choice {self.name!r}: two of its options look alike in a link: {', '.join(self.keys)}"
        try:
            self.check(self.at)
        except ValueError as error:
            yield f"the default of {said}: {error}"

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The options as a link writes them: "randomized response" is `randomized-response`."""
        return tuple(key_of(option) or str(index) for index, option in enumerate(self.options))

    def takes(self, value: float | str) -> bool:
        """Whether this slider can stand at `value`."""
        if self.options:
            return any(value in names for names in self._names)
        return is_number(value) and self.low <= value <= self.high and (not self.integer or value == round(value))

    def check(self, value: float | str) -> float:
        """`value` as a float if this slider can take it, else a ValueError that says what it takes."""
        if self.options:
            return self._place(value)
        if not self.takes(value):
            kind = "a whole number" if self.integer else "a number"
            raise ValueError(f"{self.name} must be {kind} from {self.low:g} to {self.high:g}, got {value!r}")
        return float(value)

    @property
    def _names(self) -> tuple[Sequence, ...]:
        return self.options, self.keys, range(len(self.options))

    def _place(self, value: float | str) -> float:
        """The number of an option, which may be given by its name or as a link writes it."""
        for names in self._names:
            if value in names:
                return float(names.index(value))
        raise ValueError(f"{self.name} must be one of {', '.join(self.options)}, got {value!r}")

    @cached_property
    def spacing(self) -> float:
        """Distance of the stops of a linear slider: as declared, else 1, else about a hundredth of a short range.

        >>> slider("t", 0.05, 3, at=0.5).spacing, slider("t", 0, 1, at=0.25).spacing
        (0.01, 0.01)
        """
        span, default = self.high - self.low, self.at if is_number(self.at) else self.low
        return self.step or (1.0 if self.integer or span >= 50 else _round_step(span, default - self.low))

    def rests_on(self, value: float) -> bool:
        """Whether steps from the low end of a linear slider lead to `value`.

        >>> slider("t", 0, 1, at=0.25).rests_on(0.3), slider("t", 0, 1, at=0.25).rests_on(1 / 3)
        (True, False)
        """
        return _is_whole((value - self.low) / self.spacing)

    @property
    def doubt(self) -> str:
        """Why the thumb of a page cannot rest at the high end or at the default, in words; "" if it can.

        Only of a step that the author has chosen.
        """
        missed = [value for value in (self.high, self.at) if self.step and not self.log and not self.rests_on(value)]
        if not missed:
            return ""
        steps = np.floor((missed[0] - self.low) / self.spacing)
        beside = (self.low + self.spacing * count for count in (steps, steps + 1))
        low, step, value, below, above = map(numbers.typed, (self.low, self.spacing, missed[0], *beside))
        ways = f"slider {self.name!r} moves from {low} in steps of {step}, so it"
        if missed[0] == self.high:
            return f"{ways} does not reach its high end {value}: end it at {below} or {above}, or give it another step"
        return f"{ways} cannot return to its default {value}: write at={below} or at={above}, or give it another step"

    def moves_like(self, other: "Slider") -> bool:
        """Whether the two have the same default and rest on the same values.

        >>> slider("rate", 0, 1).moves_like(slider("rate", 0, 1, step=0.5))
        False
        """
        known = [(one.at, one.log, one.base, one.options, one.stops.tolist()) for one in (self, other)]
        return known[0] == known[1]

    @cached_property
    def stops(self) -> NDArray:
        """The values its thumb can rest on; the default is always one of them."""
        if self.log:
            decades = np.log10(self.high / self.low)
            raw = np.geomspace(self.low, self.high, round(10 * decades) + 1)
            stops = np.array([float(f"{value:.1e}") for value in raw])
        else:
            steps = np.floor((self.high - self.low) / self.spacing + 1e-9)
            stops = np.round(self.low + self.spacing * np.arange(steps + 1), 12)
        stops = np.rint(stops) if self.integer else stops
        return np.unique(np.clip(np.append(stops, [self.at, self.high]), self.low, self.high))

    @cached_property
    def grid(self) -> NDArray:
        """The points at which curves are drawn when this is the x axis."""
        if self.at_stops:
            return self.stops
        shares = [i / (GRID_POINTS - 1) for i in range(GRID_POINTS)]
        span, ratio = self.high - self.low, self.high / self.low if self.log else None
        grid = [self.low * ratio**share if self.log else self.low + span * share for share in shares]
        # The page computes these points again (gridOf). Seven digits, since there the last of sixteen may differ; they
        # place a point to a thousandth of a pixel.
        rounded = [np.floor(x + 0.5) if self.integer else float(f"{x:.7g}") for x in grid]
        return np.unique(np.clip(rounded, self.low, self.high))

    def said(self, value: float) -> str:
        """A value as a reader reads it.

        >>> slider("digits", 5, 7, base=0.1).said(6)
        '10⁻⁶'
        """
        return numbers.shown(value, written=self.format) if self.format else numbers.said(value, self.base)

    def told(self, value: float) -> str:
        """A value as a message has it: the option that it stands for, or the number as one would type it.

        >>> choice("model", ["SIR", "SEIR"]).told(1), slider("rate", 0, 1).told(0.5)
        ('SEIR', '0.5')
        """
        return self.options[int(value)] if self.options else numbers.typed(value)

    @property
    def marked_end(self) -> str:
        """The end that is marked with the words of `toward`, "low" or "high"; "" if none is."""
        return self.toward[1] if self.falls or self.rises else ""

    @property
    def words_after_name(self) -> str:
        """What the words say after the name, if they begin with it and it is shown; else all of them."""
        return self.words if self.symbol else re.sub(rf"^{self.name}\b(?![-’'])", "", self.words)

    @property
    def label(self) -> str:
        """Symbol and words, as an axis shows them; without a symbol the name, if the words do not begin with it.

        The part of a word is not the name, as in "cut-off" of a slider `cut`.

        >>> slider("t", 0, 1, words="years").label, slider("tax", 0, 1, words="tax per litre").label
        ('t, years', 'tax per litre')
        >>> slider("cut", 0, 1, words="cut-off of the test").label
        'cut, cut-off of the test'
        """
        if self.words_after_name != self.words:
            return self.words
        return ", ".join(filter(None, [self.symbol or self.name, self.words]))


def _greek(name: str) -> str:
    """Return the Greek letter of this name, with its index if a number follows, "" if none has it.

    >>> _greek("tau"), _greek("Delta"), _greek("omega_0"), _greek("t")
    ('τ', 'Δ', 'ω₀', '')
    """
    name, _, index = name.partition("_")
    if index and not (index.isascii() and index.isdecimal()):
        return ""
    case = "CAPITAL" if name[:1].isupper() else "SMALL"
    try:
        letter = unicodedata.lookup(f"GREEK {case} LETTER {name}")
    except KeyError:
        return ""
    below = index.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return letter + below if "Α" <= letter <= "ω" else ""


def _round_step(span: float, default: float) -> float:
    """The longest of 1, 2, 5, 10, ... (or a tenth, a hundredth, ... of them) near span/100 that leads to both."""
    power = int(np.floor(np.log10(span / 80)))
    steps = [float(f"{digit}e{power - down}") for down in range(4) for digit in (5, 2, 1)]
    steps = [step for step in steps if step <= span / 80]
    return next((s for s in steps if _is_whole(span / s) and _is_whole(default / s)), steps[0])


def _is_whole(count: float) -> bool:
    return bool(abs(count - np.rint(count)) < 1e-6)


def key_of(option: str) -> str:
    """An option as a link writes it.

    >>> key_of("Randomized response"), key_of("2 doses")
    ('randomized-response', '2-doses')
    """
    return re.sub("[^a-z0-9]+", "-", option.lower()).strip("-")


def is_number(value: Any) -> bool:
    """Whether this is one finite number (up to 1e300); True is none, though Python takes it for 1.

    >>> is_number(2.5), is_number("2.5"), is_number(float("nan")), is_number(True)
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and bool(abs(value) <= LARGEST)


def is_named_end(toward: Any) -> bool:
    """Whether this is words for an end and which end: ("cheaper", "low").

    >>> is_named_end(("cheaper", "low")), is_named_end(("cheaper", "left")), is_named_end("low")
    (True, False, False)
    """
    return isinstance(toward, tuple) and len(toward) == 2 and bool(toward[0]) and toward[1] in ("low", "high")


@function_names_its_options
def choice(
    name: str,
    options: Sequence[str],
    at: str = "",
    symbol: str = "",
    words: str = "",
    *,
    when: tuple[str, str] | None = None,
    shared: bool = False,
) -> Slider:
    """A choice among named things, the first of them if `at` does not say otherwise.

    The figure's functions get its number, 0, 1, 2, ..., and follow it with `np.where` or `np.select`.

    Parameters
    ----------
    name : the argument's name in the figure's functions
    options : the things' names, two or more
    at : the one that is chosen at first
    symbol, words, when, shared : as of a `Slider`

    >>> choice("noise", ("Laplace", "Gaussian"), at="Gaussian").at
    1.0
    """
    options = tuple(options)
    if len(options) < 2:
        raise ValueError(f"choice {name!r} needs at least two options, got {options!r}")
    last = len(options) - 1
    return Slider(
        name, 0, last, at or 0, symbol, words, step=1, integer=True, options=options, when=when, shared=shared
    )


slider = Slider


def scale(label: str, low: float, high: float, log: str = "") -> Slider:
    """An x axis that nobody moves, as the y axis is.

    >>> scale("position, cm", -1, 1).label
    'position, cm'
    """
    symbol, _, words = label.partition(", ")
    return Slider("x_axis", low, high, low, symbol, words, log=bool(log))
