"""The declaration of a live figure: sliders, curves, marks. It says what to draw and knows nothing of how.

    live.Figure(
        name="two-noises",
        x=live.k(1, 500),
        y=("σ", 0, 50),
        sliders=[live.rho(0.01, 1, at=0.5)],
        curves={"zCDP": lambda rho, k: np.sqrt(k / (2 * rho))},
        caption="...", alt="...",
    )

A function's argument names say which sliders it follows; any dp_lib function and any of NumPy's elementwise functions
may stand in it.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dp_lib import domain
from dp_lib.live.colours import COLOURS, DASHES
from dp_lib.live.parts import STANDARD, Axis, Band, Cloud, Curve, FigureError, Function, Line, Mark, Point
from dp_lib.live.sliders import Slider

figures: dict[str, "Figure"] = {}  # by name, the latest of each: a notebook's cells reach them from here


@dataclass
class Figure:
    """A figure whose sliders work with a kernel (ipywidgets) and without one (the built page).

    Parameters
    ----------
    name : the figure's address in links, unique in the book: lower case, digits, dashes
    x : the slider that runs along the horizontal axis; its own slider moves the cursor
    y : (label, low, high) or (label, low, high, "log")
    sliders : the other sliders, in reading order
    curves : name -> function, or `Curve`
    marks : name -> `Band`, `Point`, `Line` or `Cloud`
    caption : what the figure shows, in a sentence or two
    alt : what a reader who cannot see the picture needs to know of its shape
    bars : whether each curve's reading has a bar beside it in the table; one far longer than the shortest is torn off

    Raises
    ------
    FigureError : naming the figure, the part, and the mend
    """

    name: str
    x: Slider
    y: tuple
    curves: Mapping[str, Function | Curve]
    sliders: Sequence[Slider] = ()
    marks: Mapping[str, Mark] = field(default_factory=dict)
    caption: str = ""
    alt: str = ""
    bars: bool = False

    def __post_init__(self) -> None:
        self._check_declaration()
        self.axis = Axis(*self.y[:3], log=len(self.y) == 4)
        self.curves = {name: c if isinstance(c, Curve) else Curve(c) for name, c in self.curves.items()}
        self.controls = {slider.name: slider for slider in [*self.sliders, self.x]}
        self._check_looks()
        self._check_choices()
        self.draws = {}
        for mark in self.marks.values():
            if isinstance(mark, Cloud):
                self.draws |= mark.sample(np.random.default_rng(7))
        self._check_arguments()
        self._pointwise = {address for address in self.parts if self.asks_for_table(address)}
        self._check_first_drawing()
        figures[self.name] = self

    @property
    def defaults(self) -> dict[str, float]:
        """The sliders' values at rest, the x slider's last."""
        return {name: slider.at for name, slider in self.controls.items()}

    def needs(self, name: str) -> dict[str, float]:
        """What must be chosen for a slider to be shown, {} for most: {"mechanism": 1.0}."""
        when = self.controls[name].when
        return {when[0]: self.controls[when[0]].check(when[1])} if when else {}

    @cached_property
    def parts(self) -> dict[str, Function]:
        """Every function of the figure under one address: `curves/zCDP/y`, `marks/touch/x`, ..."""
        owned = [("curves", self.curves), ("marks", self.marks)]
        return {
            address: getattr(part, coordinate)
            for kind, parts in owned
            for name, part in parts.items()
            for coordinate, address in self.addresses(kind, name).items()
        }

    def addresses(self, kind: str, name: str) -> dict[str, str]:
        """The coordinates of a part that are functions, with their addresses: {"y": "curves/zCDP/y"}."""
        part = getattr(self, kind)[name]
        named = ("x", "y", "low", "high")
        return {c: f"{kind}/{name}/{c}" for c in named if getattr(part, c, None) is not None}

    def asks_for_table(self, address: str) -> bool:
        """Whether the declaration says that this function is to be looked up."""
        return getattr(self._owner(address), "lookup", False)

    def follows(self, address: str) -> list[str]:
        """The names of the arguments of the function at `address`."""
        return self._arguments[address]

    @cached_property
    def _arguments(self) -> dict[str, list[str]]:
        return {address: list(inspect.signature(function).parameters) for address, function in self.parts.items()}

    def evaluate(self, address: str, values: Mapping[str, Any]) -> Any:
        """The function at `address`, called with dp_lib's own arithmetic; outside its domain it is NaN."""
        arguments = {name: values[name] for name in self.follows(address)}
        function = self.parts[address]
        with domain.gaps(), np.errstate(all="ignore"):
            if address in self._pointwise:
                return np.vectorize(function, otypes=[float])(**arguments) if arguments else function()
            return function(**arguments)

    def scene(self, values: Mapping[str, float], draws: Mapping[str, NDArray] | None = None) -> dict[str, NDArray]:
        """All that is drawn at these slider values: curves and bands along the grid, marks where they stand."""
        inputs = {**values, **(self.draws if draws is None else draws)}
        along = {**inputs, self.x.name: self.x.grid}
        drawn = {}
        for address in self.parts:
            on_grid = self.on_grid(address)
            value = np.asarray(self.evaluate(address, along if on_grid else inputs), dtype=float)
            drawn[address] = np.broadcast_to(value, self.x.grid.shape) if on_grid else value
        return drawn

    def on_grid(self, address: str) -> bool:
        """Whether a part runs along the x axis; for the others the x slider is just the cursor's place."""
        return isinstance(self._owner(address), Curve | Band)

    def readings(self, values: Mapping[str, float]) -> dict[str, float]:
        """Each curve's value at the cursor, and each point's and line's coordinates, by address."""
        return {address: float(self.evaluate(address, values)) for address in self.read}

    @property
    def read(self) -> list[str]:
        """The addresses whose values the table under the figure shows."""
        return [address for address in self.parts if isinstance(self._owner(address), Curve | Point | Line)]

    def _owner(self, address: str) -> Curve | Mark:
        kind, rest = address.split("/", 1)
        return getattr(self, kind)[rest.rsplit("/", 1)[0]]

    def check(self, values: Mapping[str, float | str]) -> dict[str, float]:
        """Slider values, each within its slider's range; FigureError names the one that is not."""
        unknown = sorted(set(values) - set(self.controls))
        if unknown:
            self._refuse(f"no slider {unknown[0]!r}; its sliders are {', '.join(self.controls)}")
        try:
            return {name: self.controls[name].check(value) for name, value in values.items()}
        except ValueError as error:
            raise FigureError(f"figure {self.name!r}: {error}") from None

    @cached_property
    def programme(self) -> Any:
        """What the built page plays (`tables.Programme`): computed once, since a look-up table may take seconds."""
        from dp_lib.live.tables import programme  # it imports this module

        return programme(self)

    @cached_property
    def view(self) -> Any:
        """The figure's widgets in a notebook (`notebook.View`)."""
        from dp_lib.live.notebook import View  # a page is built without ipywidgets

        return View(self)

    @property
    def values(self) -> dict[str, float]:
        """The sliders' values in a notebook; set some of them with `figure.values = {"sigma": 100}`."""
        return self.view.values

    @values.setter
    def values(self, values: Mapping[str, float | str]) -> None:
        self.view.values = values

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from dp_lib.live import notebook, page  # they import this module

        if page.building():
            page.record(self)
            return {"text/html": page.html(self), "text/plain": repr(self)}
        return notebook.mimebundle(self)

    def _ipython_display_(self) -> None:
        from dp_lib.live import notebook, page  # they import this module

        if page.building():
            raise NotImplementedError  # IPython then asks for the bundle
        notebook.show(self)

    def __repr__(self) -> str:
        return f"<live figure {self.name!r}: {', '.join(self.curves)}>"

    def _refuse(self, reason: str) -> None:
        raise FigureError(f"figure {self.name!r}: {reason}")

    def _check_declaration(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.name):
            self._refuse("a name is lower-case letters, digits and dashes: it is part of a link")
        if len(self.y) not in (3, 4) or (len(self.y) == 4 and self.y[3] != "log"):
            self._refuse(f'y must be (label, low, high) or (label, low, high, "log"), got {self.y!r}')
        _, low, high = self.y[:3]
        if not low < high or (len(self.y) == 4 and low <= 0):
            self._refuse(f"the y axis needs low < high (and low > 0 on a log scale), got {low!r} to {high!r}")
        names = [slider.name for slider in [*self.sliders, self.x]]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            self._refuse(f"two sliders are named {twice.pop()!r}")
        if not self.curves and not self.marks:
            self._refuse("it has neither curves nor marks")
        both = set(self.curves) & set(self.marks)
        if both:
            self._refuse(f"{both.pop()!r} names a curve and a mark")

    def _check_looks(self) -> None:
        for name, part in [*self.curves.items(), *self.marks.items()]:
            looks = [("colour", part.colour, ["", *COLOURS]), ("dash", getattr(part, "dash", ""), DASHES)]
            looks += [("draws", kind, STANDARD) for kind in getattr(part, "draws", {}).values()]
            for what, asked, known in looks:
                if asked not in known:
                    self._refuse(f"{what} of {name!r} must be one of {', '.join(filter(None, known))}, got {asked!r}")

    def _check_choices(self) -> None:
        if self.x.options or self.x.when:
            self._refuse(f"the x axis {self.x.name!r} can be no choice, and depend on none")
        for name, slider in self.controls.items():
            choice, option = slider.when or (None, None)
            if choice and choice not in [n for n, s in self.controls.items() if s.options]:
                self._refuse(f"slider {name!r} waits for a choice {choice!r} that is not there")
            if choice and option not in self.controls[choice].options:
                self._refuse(f"slider {name!r} waits for {option!r}, which is no option of {choice!r}")

    def _check_arguments(self) -> None:
        for address in self.parts:
            known = [*self.controls, *self.draws]
            for argument in self.follows(address):
                if argument not in known:
                    self._refuse(f"{address} has an argument {argument!r} without a slider; known: {', '.join(known)}")

    def _check_first_drawing(self) -> None:
        for address in self.parts:
            inputs = {**self.defaults, **self.draws}
            shapes = [(), *{draw.shape for draw in self.draws.values()}]
            if self.on_grid(address):
                inputs[self.x.name], shapes = self.x.grid, [(), self.x.grid.shape]
            try:
                value = np.asarray(self._first(address, inputs), dtype=float)
            except Exception as error:
                raise FigureError(
                    f"figure {self.name!r}: {address} raised {type(error).__name__}: {error} at the sliders' defaults"
                ) from error
            if value.shape not in shapes:
                self._refuse(f"{address} gave shape {value.shape}; it must give one value a point, {shapes[-1]}")
            owner = self._owner(address)
            if isinstance(owner, Curve) and not owner.gap and not np.isfinite(value).any():
                self._refuse(f"{address} is nowhere finite at the sliders' defaults: the picture would be empty")

    def _first(self, address: str, inputs: Mapping[str, Any]) -> Any:
        """The first call finds out whether a function takes arrays; one that does not is called point by point."""
        try:
            return self.evaluate(address, inputs)
        except (TypeError, ValueError):
            self._pointwise.add(address)
            return self.evaluate(address, inputs)
