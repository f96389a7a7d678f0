"""The declaration of a live figure: sliders, curves, marks. It says what to draw and does not know how.

    lf.Figure(
        name="interest",
        x=lf.slider("years", 0, 40),
        y=("value", 0, 8),
        sliders=[lf.slider("rate", 0, 5, at=3, step=0.1)],
        curves={"compound": lambda rate, years: (1 + rate / 100) ** years},
        caption="...", alt="...",
    )

A function's argument names say which sliders it follows; NumPy's elementwise functions and
whatever is made of them may stand in it.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import context, faults, panels, unseen
from livefigures.declare.claims import Check, Claim, declared
from livefigures.declare.colours import CYCLE, Look, by_word, faint, looks
from livefigures.declare.options import closest, names_its_options
from livefigures.declare.parts import Axis, Band, Cloud, Curve, FigureError, Function, Line, Mark, Path, Point, Points
from livefigures.declare.sliders import Slider, scale

SAME = 1e-9  # relative: so near are a call along the x axis and one with a single x


@names_its_options
@dataclass(eq=False)  # a figure equals itself alone
class Declaration:
    """A figure whose sliders work with a kernel (ipywidgets) and without one (the built page).

    Parameters
    ----------
    name : the figure's address in links, unique in the book: lower case, digits, dashes
    x : the slider that runs along the horizontal axis; its own slider moves the cursor; or (label, low, high) for an
        axis without a cursor, in a figure that has marks alone
    y : (label, low, high) or (label, low, high, "log")
    curves : name -> function, number, or `Curve`
    sliders : the other sliders, in reading order
    marks : name -> `Band`, `Point`, `Line`, `Points`, `Bars`, `Path`, `Arrows`, `Ensemble`, `Cloud` or `Reading`
    caption : what is drawn, in which units, at which fixed values
    alt : the shape of the picture at the sliders' defaults, for a reader who cannot see it
    up : whether readings are rounded up: those of an upper bound, or of what is needed
    bars : whether each curve's reading has a bar beside it in the table, as long as its number says
    sentence : whether a sentence below the readings compares the curves, if there are two or more
    equal : whether a unit of x is as long as a unit of y, so that a circle is round
    claims : what holds wherever the sliders stand: {"words": check}, or a list of `Claim`
    out_of_view : which curves and marks leave the picture at some setting, and where: {"demand": "top bottom"}
    lines : the typed formulas that it was made from, where it was (see `typed`)
    ranges : the ranges and defaults that typed formulas were given, that of the x axis first
    formulas : a curve's name -> its formula in TeX; a symbol in it that a slider has stands for that slider
    panels : other figures that stand with this one, for example for a quantity with an axis of its own; sliders that
        they share are drawn once
    stacked : whether the panel stands below the figure, so that one place of their common x axis is below the other

    Raises
    ------
    FigureError : naming the figure, the part, and the mend
    """

    name: str
    x: Slider | tuple
    y: tuple
    curves: Mapping[str, Function | float | Curve] = field(default_factory=dict)
    sliders: Sequence[Slider] = ()
    marks: Mapping[str, Mark] = field(default_factory=dict)
    caption: str = ""
    alt: str = ""
    up: bool = False
    bars: bool = False
    sentence: bool = True
    equal: bool = False
    claims: Mapping[str, Check] | Sequence[Claim] = ()
    out_of_view: Mapping[str, str] = field(default_factory=dict)
    lines: Sequence[str] = ()
    ranges: Mapping[str, tuple] = field(default_factory=dict)
    formulas: Mapping[str, str] = field(default_factory=dict)
    panels: Sequence["Declaration"] = ()
    stacked: bool = False

    def __post_init__(self) -> None:
        self._refuse_first(faults.of_form(self))
        ends = (end if abs(end) < 2**53 else float(end) for end in self.y[1:3])  # matplotlib knows 64 bits only
        self.axis = Axis(self.y[0], *ends, log=len(self.y) == 4)
        self.curves = {name: c if isinstance(c, Curve) else Curve(c) for name, c in self.curves.items()}
        self.claims = declared(self.claims)
        self.cursor = isinstance(self.x, Slider)
        if not self.cursor:
            self.x = scale(*self.x)
        self.controls = {slider.name: slider for slider in [*self.sliders, self.x]}
        self._refuse_first(panels.faults(self, Declaration))
        for one in self.together:
            one.aligned = self.together
        self._refuse_first(faults.of_draws(self))
        self.draws = {}
        for mark in self.marks.values():
            if isinstance(mark, Cloud):
                self.draws |= mark.sample(np.random.default_rng(7))
            if isinstance(mark, Points):
                self.draws |= mark.named()
            if isinstance(mark, Path):
                self.draws |= mark.steps
        self._refuse_first(faults.of_arguments(self))
        self._refuse_first(faults.of_loops(self))
        self._refuse_first(faults.of_marked_ends(self))
        self._single: set[str] = set()  # functions that take one x at a time
        self._pointwise = {address for address in self.functions if self.asks_for_table(address)}
        self._check_first_drawing()

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Each part's colour and dash, by its name."""
        paths = {name: mark for name, mark in self.marks.items() if isinstance(mark, Path)}
        curves = {name: (curve.colour, curve.dash) for name, curve in {**self.curves, **paths}.items()}
        marks = {name: mark.colour for name, mark in self.marks.items() if name not in paths}
        for kind in (Band, Point):  # two grey ones could not be told apart
            plain = [
                n for n, mark in self.marks.items() if isinstance(mark, kind) and not mark.colour and not by_word(n)
            ]
            if len(plain) > 1:
                marks |= {name: colour.name for name, colour in zip(plain, reversed(CYCLE), strict=False)}
        return looks(curves, marks)

    @property
    def defaults(self) -> dict[str, float]:
        """The sliders' values at rest, the x slider's last."""
        return {name: slider.at for name, slider in self.controls.items()}

    @property
    def moved_by_readers(self) -> list[Slider]:
        """The sliders that are drawn: all of them, but for an x axis that is none."""
        return [slider for slider in self.controls.values() if self.cursor or slider is not self.x]

    @property
    def together(self) -> list["Declaration"]:
        """The figure and its panels, as they stand one below the other."""
        return [self, *self.panels]

    def needs(self, name: str) -> dict[str, float]:
        """What must be chosen for a slider to be shown, {} for most: {"mechanism": 1.0}."""
        when = self.controls[name].when
        return {when[0]: self.controls[when[0]].check(when[1])} if when else {}

    def awake(self, name: str, values: Mapping[str, float]) -> bool:
        """Whether a slider is shown at these values."""
        return all(values[choice] == option for choice, option in self.needs(name).items())

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Every function of the figure under one address: `curves/demand/y`, `marks/touch/x`, ..."""
        owned = [("curves", self.curves), ("marks", self.marks)]
        return {
            address: self._function(part, coordinate)
            for kind, parts in owned
            for name, part in parts.items()
            for coordinate, address in self.addresses(kind, name).items()
        }

    def _function(self, part: Curve | Mark, coordinate: str) -> Function:
        """A part's function; what it gets instead of a point's own x or of a parameter is among the draws."""
        if isinstance(part, Points):
            return part.own(coordinate, self.x.name)
        return part.along(coordinate) if isinstance(part, Path) else getattr(part, coordinate)

    def addresses(self, kind: str, name: str) -> dict[str, str]:
        """The coordinates of a part that are functions, with their addresses: {"y": "curves/demand/y"}."""
        part = getattr(self, kind)[name]
        named = ("x", "y", "low", "high", "yerr", "yerr_up")
        return {c: f"{kind}/{name}/{c}" for c in named if getattr(part, c, None) is not None}

    def editor(self) -> str:
        """Return the script that edits the figure's lines in a file: a figure of typed formulas has one."""
        return ""

    def writes_gaps(self, address: str) -> bool:
        """Return whether NaN or infinity stands in a function's own text, and is meant; here nothing is known of it."""
        return True

    def check_before_points(self, address: str) -> None:
        """Refuse a function that takes single numbers before it is called at all points, which may take minutes."""

    def line_of(self, address: str, error: Exception | None = None) -> str:
        """Return the line of a function that raised this error, or that on which it begins, in brackets."""
        return ""

    def height(self, name: str) -> str:
        """The address of a curve's, point's or line's height; "" for what has none."""
        return next((a for kind in ("curves", "marks") if (a := f"{kind}/{name}/y") in self.read), "")

    def asks_for_table(self, address: str) -> bool:
        """Whether the declaration says that this function is to be looked up."""
        return getattr(self.owner(address), "lookup", False)

    def follows(self, address: str) -> list[str]:
        """The names of the arguments of the function at `address`."""
        return self._arguments[address]

    @cached_property
    def _arguments(self) -> dict[str, list[str]]:
        known = [*self.controls, *self.draws]
        return {address: faults.arguments(function, known) for address, function in self.functions.items()}

    def evaluate(self, address: str, values: Mapping[str, Any]) -> Any:
        """The function at `address`, called with NumPy's own arithmetic; outside its domain it is NaN."""
        try:
            return self._call(address, values)
        except Exception as error:
            at = ", ".join(f"{name} = {values[name]:g}" for name in self.follows(address) if np.ndim(values[name]) == 0)
            self._refuse(self._raised(address, error, at and f", at {at}") + faults.instead_of(error), error)

    def _raised(self, address: str, error: Exception, at: str) -> str:
        return f"{address} raised {type(error).__name__}: {str(error).rstrip('.')}{at}{self.line_of(address, error)}"

    def _call(self, address: str, values: Mapping[str, Any]) -> Any:
        arguments = {name: _numpys(values[name]) for name in self.follows(address)}
        function = self.functions[address]
        with context.computing():
            if address in self._pointwise:
                found = self._along_x(address, arguments)
                return _one_by_one(function, arguments) if found is None else found
            return function(**arguments)

    def told(self, setting: Mapping[str, float]) -> str:
        """A setting as a message has it: "rate = 0.1, model = SEIR"."""
        return ", ".join(f"{name} = {self.controls[name].told(value)}" for name, value in setting.items())

    def takes_x_axis(self, address: str) -> bool:
        """Whether a function that may be called with single numbers takes all points of the x axis in one call."""
        with context.computing():
            return self._along_x(address, {**self.defaults, self.x.name: self.x.grid}) is not None

    def _along_x(self, address: str, given: Mapping[str, Any]) -> NDArray | None:
        """What a function gives along x in one call, if single calls at two of the points give the same; else None."""
        function, x = self.functions[address], self.x.name
        arguments = {name: given[name] for name in self.follows(address)}
        if address in self._single or [name for name, value in arguments.items() if np.ndim(value)] != [x]:
            return None
        points, at = arguments[x], [len(arguments[x]) // 3, 2 * len(arguments[x]) // 3]
        try:
            with warnings.catch_warnings(action="ignore"):
                found = np.asarray(function(**arguments | {x: points.copy()}))
            if found.shape == points.shape and found.dtype.kind in "biuf":
                some = _one_by_one(function, arguments | {x: points[at]})
                if np.allclose(found[at], some, rtol=SAME, atol=0, equal_nan=True):
                    return found.astype(float)
        except (NameError, ImportError, OSError):  # of the function itself, whatever it is called with
            raise
        except Exception:  # of SciPy's solvers, which raise errors of all kinds where they get an array
            pass
        self._single.add(address)
        return None

    def scene(self, values: Mapping[str, float], draws: Mapping[str, NDArray] | None = None) -> dict[str, NDArray]:
        """All that is drawn at these slider values: curves and bands along the grid, marks where they stand."""
        inputs = {**values, **(self.draws if draws is None else draws)}
        along = {**inputs, self.x.name: self.x.grid}
        drawn = {}
        for address in self.functions:
            value = np.asarray(self.evaluate(address, along if self.on_grid(address) else inputs), dtype=float)
            drawn[address] = np.broadcast_to(value, self.shape(address))
        return drawn

    def shape(self, address: str) -> tuple[int, ...]:
        """Return the shape of what is drawn: along the grid, for each sample of a cloud, or ()."""
        owner = self.owner(address)
        if isinstance(owner, Points):
            return (self.counts[address.split("/")[1]],)
        if isinstance(owner, Cloud | Path):
            return (owner.size,)
        return self.x.grid.shape if self.on_grid(address) else ()

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many there are of each mark's points, which have numbers or functions that give them."""
        return {name: self._count(name, mark) for name, mark in self.marks.items() if isinstance(mark, Points)}

    def _count(self, name: str, mark: Points) -> int:
        known = [len(values) for values in mark.given.values()]
        functions = (f"marks/{name}/{coordinate}" for coordinate in ("x", "y"))
        found = known or [value.size for a in functions if (value := self._first_value(a)).ndim]
        count = found[0] if found else 1
        if not 1 <= count <= faults.MOST_SAMPLES:
            self._refuse(f"the points {name!r} must be 1 to {faults.MOST_SAMPLES}, got {count}")
        return count

    def on_grid(self, address: str) -> bool:
        """Whether a part runs along the x axis; for the others the x slider is just the cursor's place."""
        return isinstance(self.owner(address), Curve | Band)

    def readings(self, values: Mapping[str, float]) -> dict[str, float]:
        """Each curve's value at the cursor, and each point's and line's coordinates, by address."""
        return {address: float(self.evaluate(address, values)) for address in self.read}

    def errors(self, name: str, values: Mapping[str, float]) -> dict[str, tuple[float, float]]:
        """The least and the largest length of a mark's error bars, by the word for their direction."""
        at, found = self.addresses("marks", name), {}
        words = {"yerr": "down", "yerr_up": "up"} if "yerr_up" in at else {"yerr": "±"}
        for coordinate, word in words.items():
            length = np.atleast_1d(self.evaluate(at[coordinate], {**values, **self.draws})).astype(float)
            if len(known := length[np.isfinite(length)]):
                found[word] = (float(known.min()), float(known.max()))
        return found

    @property
    def read(self) -> list[str]:
        """The addresses whose values the table under the figure shows."""
        return [address for address in self.functions if isinstance(self.owner(address), Curve | Point | Line)]

    def owner(self, address: str) -> Curve | Mark:
        """Return the part whose function stands at `address`."""
        kind, rest = address.split("/", 1)
        return getattr(self, kind)[rest.rsplit("/", 1)[0]]

    def check(self, values: Mapping[str, float | str]) -> dict[str, float]:
        """Slider values, each within its slider's range; FigureError names the one that is not."""
        known = [slider.name for slider in self.moved_by_readers]
        for name in sorted(set(values) - set(known)):
            self._refuse(f"no slider {name!r}; its sliders are {', '.join(known)}; {closest(name, known)}".rstrip("; "))
        try:
            return {name: self.controls[name].check(value) for name, value in values.items()}
        except ValueError as error:
            self._refuse(str(error))

    def takes(self, values: Mapping[str, float | str]) -> bool:
        """Whether these are values that its sliders can take."""
        return all(name in self.controls and self.controls[name].takes(value) for name, value in values.items())

    def __repr__(self) -> str:
        return f"<live figure {self.name!r}: {', '.join(self.curves)}>"

    def _refuse(self, reason: str, cause: Exception | None = None) -> NoReturn:
        raise FigureError(f"figure {self.name!r}: {reason}") from cause

    def _refuse_first(self, faults: Iterator[str]) -> None:
        for fault in faults:
            self._refuse(fault)

    @cached_property
    def doubts(self) -> list[str]:
        """What an author has asked for and may not want, in words: colours, stops, and data that nobody sees."""
        parts = {name: part for name, part in {**self.curves, **self.marks}.items() if part.colour}
        named = [name for name, part in parts.items() if not isinstance(part, Band | Points | Cloud)]
        said: dict[str, list[str]] = {}
        for name in named:
            said.setdefault(faint(self.looks[name].colour), []).append(repr(name))
        found = [f"the colour of {', '.join(names)}, {why}" for why, names in said.items() if why]
        tabled = {name for address in self.functions if self.asks_for_table(address) for name in self.follows(address)}
        found += [slider.doubt for slider in self.sliders if slider.doubt and slider.name not in tabled]
        return [f"figure {self.name!r}: {doubt}" for doubt in [*found, *unseen.unseen(self)]]

    @cached_property
    def first_drawings(self) -> dict[str, NDArray]:
        """Every part at the sliders' defaults."""
        return {address: self._first_drawing(address) for address in self.functions}

    def _check_first_drawing(self) -> None:
        seen = self.first_drawings
        for address, value in seen.items():
            owner = self.owner(address)
            if isinstance(owner, Curve) and not owner.gap and not np.isfinite(value).any():
                self._refuse(
                    f"{address} is nowhere finite at the sliders' defaults, so this curve would not be seen; if it is "
                    "there at other settings only, say why not at these, Curve(..., gap='no tax'), or choose other "
                    "defaults, at=..."
                )
        if not self.curves and not any(np.isfinite(value).any() for value in seen.values()):
            self._refuse("nothing is finite at the sliders' defaults: the picture would be empty")
        heights = np.concatenate([[], *(v[np.isfinite(v)] for a, v in seen.items() if a.startswith("curves/"))])
        low, high = self.axis.low, self.axis.high
        if len(heights) and not ((low <= heights) & (heights <= high)).any():
            found = f"{np.min(heights):g} to {np.max(heights):g}"
            self._refuse(
                f"no curve enters the picture at the sliders' defaults: y is {low:g} to {high:g}, and they are {found}"
            )

    def _first_drawing(self, address: str) -> NDArray:
        """A part at the sliders' defaults, found to be what can be drawn."""
        shape, value = self.shape(address), self._first_value(address)
        if value.shape not in ((), shape):
            changes = not np.array_equal(value, self._first_value(address), equal_nan=True)
            wanted = faults.DRAWN if changes else self._wanted(address, value.shape)
            given = f"shape {value.shape}{', and other numbers at each call' * changes}"
            self._refuse(f"{address} gave {given}{self.line_of(address)}; {wanted}")
        if _is_length(address) and (value < 0).any():
            self._refuse(
                f"{address} is the length of each error bar, 0 or more, got {np.nanmin(value):g}; with limits it is a "
                "pair, yerr=(y - low, high - y)"
            )
        return value.astype(float)

    def _first_value(self, address: str) -> NDArray:
        """What a function gives at the sliders' defaults, found to be numbers."""
        inputs = {**self.defaults, **self.draws}
        if self.on_grid(address):
            inputs[self.x.name] = self.x.grid
        try:
            value = np.asarray(self._first(address, inputs))
        except FigureError:
            raise
        except Exception as error:
            said = self._raised(address, error, ", at the sliders' defaults")
            chosen = {name: self.controls[name] for name in self.follows(address) if name in self.controls}
            pair = f"; {faults.LENGTHS}" if _is_length(address) and "inhomogeneous" in str(error) else ""
            instead = pair or faults.instead_of(error) or faults.of_options(error, chosen, self.asks_for_table(address))
            self._refuse(said + instead, error)
        if value.dtype.kind not in "biuf":
            real = "real numbers, such as f(...).real" if value.dtype.kind == "c" else "numbers"
            self._refuse(f"{address} gave {value.ravel()[0]!r}; it must give {real}")
        return value

    def _wanted(self, address: str, given: tuple[int, ...]) -> str:
        """The shape that a function must give, and whose axis that is."""
        shape = self.shape(address)
        if _is_length(address) and given[0] == 2:
            return f"it gave 2 results; {faults.LENGTHS}"
        if given[1:] == shape and len(given) == 2:
            return f"it gave {given[0]} results, of which a part shows one: choose it, as in f(...)[0]"
        if not shape:
            return "it is called with single numbers and must give one number"
        if isinstance(self.owner(address), Points):
            return f"it must give one number for each of the {shape[0]} points, or one for all"
        if not self.on_grid(address):
            return f"its draws are arrays of {shape[0]} samples, and it must give one value a sample, {shape}"
        part = type(self.owner(address)).__name__
        return (
            f"the x slider {self.x.name!r} comes as an array of its {shape[0]} points, the other sliders as single "
            f"numbers, and it must give one value a point, {shape}; an array that it makes of {self.x.name!r}, as "
            f"np.linspace(0, {self.x.name}, 50) does, has these points on its last axis and cannot be traced: write a "
            "loop over a fixed range, for an integral up to x sum(f(x * (i + 0.5) / 50) for i in "
            f"range(50)) * x / 50, or {part}(..., lookup=True), which calls it with one number at a time; data and "
            f"random numbers are made before the figure; read them with "
            f"np.interp({self.x.name}, np.arange(len(values)), values)"
        )

    def _first(self, address: str, inputs: Mapping[str, Any]) -> Any:
        """The first call finds out whether a function takes arrays; one that does not is called point by point."""
        if address not in self._pointwise:
            try:
                return self._call(address, inputs)
            except Exception:  # SciPy's solvers raise a RuntimeError, for example
                if isinstance(owner := self.owner(address), Points) and not owner.given:
                    raise  # it has not been called with arrays
                self._pointwise.add(address)
                self._single.add(address)
        self._call(address, {**inputs, self.x.name: np.ravel(inputs[self.x.name])[0]})  # at the first point
        self.check_before_points(address)
        return self._call(address, inputs)


def _is_length(address: str) -> bool:
    return address.rpartition("/")[2] in ("yerr", "yerr_up")


def _one_by_one(function: Function, arguments: Mapping[str, Any]) -> Any:
    return np.vectorize(function, otypes=[float])(**arguments) if arguments else function()


def _numpys(value: Any) -> Any:
    """A number as NumPy's, which has infinity and no error where Python's own divides by zero; as a page has.

    An array is copied, since a function may change its argument by `t += 1`.
    """
    return np.float64(value) if isinstance(value, float) else np.copy(value) if np.ndim(value) else value
