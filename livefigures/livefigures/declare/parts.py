"""What a figure is made of: curves and marks, each a function of the sliders and a few words about its looks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import numbers
from livefigures.declare.colours import Asked
from livefigures.declare.contents import named
from livefigures.declare.options import names_its_options
from livefigures.declare.sliders import is_number

Function = Callable[..., Any]
Coordinate = Function | float  # a number stands for a function that gives it everywhere


# The standard draws of a cloud; figure.js draws the same kinds again.
STANDARD: dict[str, Callable] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "uniform": lambda rng, size: rng.random(size),
    "laplace": lambda rng, size: rng.laplace(size=size),
}


DATA, STEP = "data_", "step_of_"  # how names begin that stand for numbers of our own


class FigureError(ValueError):
    """A mistake in a figure's declaration: names the figure, the part and the mend."""


def _constant(value: float) -> Function:
    def constant() -> float:
        return value

    return constant


class _Part:
    """What has coordinates: numbers among them become functions."""

    def __post_init__(self) -> None:
        for coordinate in ("x", "y", "low", "high"):
            if is_number(value := getattr(self, coordinate, None)):
                object.__setattr__(self, coordinate, _constant(float(value)))


@names_its_options
@dataclass(frozen=True)
class Curve(_Part):
    """A line y(x).

    Parameters
    ----------
    y : a function of the sliders, whose arguments' names say of which, or a number
    colour : a name of the book's `palette`, a colour as matplotlib knows it, or two, (on light pages, on dark pages);
        or the name of another curve of the figure, for one that is moved; without it the palette's words in the
        curve's name give it, or else a cycle of colours
    dash : "solid", "dashed", "dotted" or "dashdot"; without it solid, or the first that tells two curves apart
    label : what stands at its right end, the name if not given; the table, the sentence and the text have the name
    lookup : True asks for a table of its values at the sliders' stops, for a function that cannot be traced
    gap : in a few words why there is no value where there is none; the table shows it beside the dash
    format : how its number is written, as Python formats it: "$ {:,.2f}", "{:.1%}", or "{:.3g}" in three digits
    inside : True puts its name into the picture, where it can be told apart, in place of its right end
    """

    y: Coordinate
    colour: Asked = ""
    dash: str = ""
    label: str | None = None
    lookup: bool = False
    gap: str = ""
    format: str = ""
    inside: bool = False


@names_its_options
@dataclass(frozen=True)
class Band(_Part):
    """The area between two functions of x.

    Parameters
    ----------
    low, high : its edges, functions of the sliders or numbers
    colour, lookup : as of a `Curve`
    label : its name in the table; without it the table does not show it
    """

    low: Coordinate
    high: Coordinate
    colour: Asked = ""
    lookup: bool = False
    label: str = ""


@names_its_options
@dataclass(frozen=True)
class Point(_Part):
    """A dot; it is read in the table too.

    Parameters
    ----------
    x, y : its place, functions of the sliders or numbers
    colour : as of a `Curve`, or the name of a curve whose colour it takes, as every mark can
    label : its name in the table, if not the one it is declared under
    lookup : as of a `Curve`
    format : as of a `Curve`, of its y; its x is written as the x slider's value
    inside : True puts its name into the picture too
    """

    x: Function
    y: Coordinate
    colour: Asked = ""
    label: str | None = None
    lookup: bool = False
    format: str = ""
    inside: bool = False


@names_its_options
@dataclass(frozen=True)
class Line(_Part):
    """A straight line across the picture.

    Parameters
    ----------
    x, y : exactly one of them, a function of the sliders or a number: a vertical line at x or a horizontal one at y
    colour : as of a `Curve`
    label : as of a `Point`
    lookup : as of a `Curve`
    dash : as of a `Curve`; without it dashed
    format : as of a `Curve`, of a horizontal line
    inside : as of a `Point`

    Raises
    ------
    FigureError : both or neither given
    """

    x: Coordinate | None = None
    y: Coordinate | None = None
    colour: Asked = ""
    label: str | None = None
    lookup: bool = False
    dash: str = ""
    format: str = ""
    inside: bool = False


@names_its_options
@dataclass(frozen=True)
class Reading(Line):
    """A number without a place in the picture: a row of the table.

    Parameters
    ----------
    y : the number, or a function of the sliders that gives it
    label : its name in the table, if not the one it is declared under, for example with a unit
    lookup, format : as of a `Curve`
    """

    x: None = field(default=None, init=False)
    y: Coordinate = field()
    colour: str = field(default="", init=False)
    dash: str = field(default="", init=False)
    inside: bool = field(default=False, init=False)


@names_its_options
@dataclass(frozen=True)
class Points:
    """Small dots, such as data, and one row of the table that says how many they are.

    Parameters
    ----------
    x, y : their places, each a list or an array of finite numbers, or a function of the sliders that gives one, as long
        at every setting; where x are numbers, the x slider stands in y for the x of each point; NaN leaves out a point
    colour : as of a `Curve`
    label : their name in the table, if not the one they are declared under
    yerr : half the height of their error bars: a number, as many numbers, or a function of the sliders, as for y; NaN
        leaves out a bar; or a pair of these, (down, up), the lengths of the bars downwards and upwards
    format : as of a `Curve`, of these lengths in the table; without it numbers have the digits that you give
    """

    x: Function | Sequence[float]
    y: Function | Sequence[float]
    colour: Asked = ""
    label: str = ""
    yerr: Function | float | Sequence | None = None
    format: str = ""
    yerr_up: Function | None = field(default=None, init=False)  # of a pair, whose lengths downwards are yerr
    given: dict[str, NDArray | None] = field(default_factory=dict, init=False, repr=False)  # of the numbers among them
    dates: dict[str, bool] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        lengths = self._lengths() if has_errors(self) else ()
        if not self.format and not any(map(callable, lengths)):
            object.__setattr__(self, "format", numbers.as_given(*map(_numbers, lengths)))
        asked = (self.x, self.y, *(_constant(float(one)) if is_number(one) else one for one in lengths))
        for coordinate, function in zip(("x", "y", "yerr", "yerr_up"), asked, strict=False):
            object.__setattr__(self, coordinate, function)
            if callable(function):
                continue
            self.dates[coordinate] = np.asarray(function).dtype.kind in "mM"
            self.given[coordinate] = values = _numbers(function)
            if values is not None:  # faults.py says it: only the figure knows the name
                object.__setattr__(self, coordinate, _given(named(DATA, values)))

    def _lengths(self) -> tuple:
        """Return the lengths of the error bars: one for both directions, or those downwards and those upwards.

        As in matplotlib, a list of two plain numbers is one for each of two points.
        """
        asked = np.asarray(self.yerr) if getattr(self.yerr, "ndim", 0) == 2 else self.yerr
        if not isinstance(asked, tuple | list | np.ndarray) or len(asked) != 2:
            return (asked,)
        plain = not any(callable(one) or np.ndim(one) for one in asked)
        if plain and isinstance(asked, tuple) and 2 in map(np.size, (self.x, self.y)):
            low, high = asked
            raise FigureError(
                f"yerr={asked!r} of two points has two meanings; write [{low}, {high}] for the half height of each, or "
                f"([{low}, {low}], [{high}, {high}]) for the lengths downwards and upwards"
            )
        return (asked,) if plain and not isinstance(asked, tuple) else tuple(asked)

    @property
    def moves(self) -> bool:
        """Whether sliders can move them."""
        return not {"x", "y"} <= set(self.given)

    def named(self) -> dict[str, NDArray]:
        """The numbers by the names of the functions' arguments: a figure hands them over as it does a cloud's draws."""
        return {named(DATA, values): values for values in self.given.values()}

    def own(self, coordinate: str, x: str) -> Function:
        """A coordinate as a function that gets the points' own x, if these are numbers, in place of the x slider."""
        function = getattr(self, coordinate)
        return (
            _renamed(function, x, named(DATA, self.given["x"])) if "x" in self.given and coordinate != "x" else function
        )


def _numbers(values: Any) -> NDArray | None:
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError):
        return None


def _given(name: str) -> Function:
    """A function that gives its one argument, of this name, back."""

    def given(**draws: NDArray) -> NDArray:
        return draws[name]

    given.__signature__ = Signature([Parameter(name, Parameter.KEYWORD_ONLY)])
    return given


def has_errors(part: Any) -> bool:
    """Whether a part has error bars."""
    return getattr(part, "yerr", None) is not None


def _renamed(
    function: Function, argument: str, name: str, change: Callable[[Any], Any] = lambda value: value
) -> Function:
    """The function with another name, and other numbers, for an argument; itself if it has no such argument."""
    try:
        parameters = signature(function).parameters
    except ValueError:  # a built-in function that does not tell; faults.py says it
        return function
    if argument not in parameters:
        return function

    def renamed(**values: Any) -> Any:
        return function(**{argument: change(values.pop(name))}, **values)

    others = [one.replace(kind=Parameter.KEYWORD_ONLY) for key, one in parameters.items() if key != argument]
    renamed.__signature__ = Signature([Parameter(name, Parameter.KEYWORD_ONLY), *others])
    return renamed


@names_its_options
@dataclass(frozen=True)
class Path(_Part):
    """A curve along a parameter, such as an ellipse or a phase portrait; it may cross itself.

    Parameters
    ----------
    x, y : its places, functions of the sliders and of the parameter, or numbers
    over : the parameter and its range, ("u", 0, 6.28); a slider of this name does not move the path
    size : at how many values of the parameter it is drawn, from one end of the range to the other
    colour, dash : as of a `Curve`
    label : its name in the table, if not the one it is declared under
    """

    width: ClassVar[float] = 2.2  # of its line
    said: ClassVar[str] = ""  # in its row of the table

    x: Coordinate
    y: Coordinate
    over: tuple[str, float, float] = ("u", 0.0, 1.0)
    size: int = 201
    colour: Asked = ""
    dash: str = ""
    label: str = ""

    @property
    def steps(self) -> dict[str, NDArray]:
        """The numbers of its points, 0, 1, 2, ..., by the name of an argument: paths of one size share them."""
        return {f"{STEP}{self.size}": np.arange(self.size, dtype=float)}

    def along(self, coordinate: str) -> Function:
        """A coordinate as a function of the number of the point in place of the parameter."""
        name, low, high = self.over
        step = (high - low) / (self.size - 1)
        (number,) = self.steps
        return _renamed(getattr(self, coordinate), name, number, lambda place: low + step * place)


@names_its_options
@dataclass(frozen=True)
class Cloud(_Part):
    """Samples: fixed standard draws, moved and scaled by the sliders.

    Parameters
    ----------
    x, y : functions of the sliders and of the draws, which their arguments name
    draws : argument's name -> "normal", "uniform" or "laplace" (standard each, mutually independent)
    size : how many
    colour : as of a `Curve`
    """

    x: Coordinate
    y: Coordinate
    draws: Mapping[str, str] = field(default_factory=lambda: {"z": "normal", "u": "uniform"})
    size: int = 200
    colour: Asked = ""

    def sample(self, rng: np.random.Generator) -> dict[str, NDArray]:
        """New standard draws; six digits, as the page stores them."""
        return {name: np.round(STANDARD[kind](rng, self.size), 6) for name, kind in self.draws.items()}


Mark = Band | Point | Line | Points | Path | Cloud


def stands_inside(part: Curve | Mark) -> bool:
    """Whether the name of a part is asked to stand in the picture."""
    return getattr(part, "inside", False)


@dataclass(frozen=True)
class Axis:
    """A vertical axis: its label, its range, its scale."""

    label: str
    low: float
    high: float
    log: bool = False

    @property
    def symbol(self) -> str:
        """What stands before the comma in "V, volume"."""
        return self.label.split(",")[0]
