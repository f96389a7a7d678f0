"""A figure from typed formulas: `typed("np.exp(-rate * t)", t=(0, 10))`."""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import zip_longest
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import context
from livefigures.declare.claims import Claim
from livefigures.declare.colours import CYCLE, LINES, OTHERWISE, by_word
from livefigures.declare.parts import Curve, FigureError
from livefigures.declare.sliders import Slider
from livefigures.figure import Figure
from livefigures.formulas import bundle, grammar, verbs, vocabulary
from livefigures.formulas.vocabulary import ranges_of, slider_of

_ORDINAL = {2: "2nd", 3: "3rd"}
_LONGEST = 24  # characters of a formula in a label
_LONGEST_ARGUMENT = 16


def typed(
    *lines: str,
    x: str = "",
    name: str = "workbench",
    caption: str = "Curves of typed formulas.",
    alt: str = "",
    **ranges: tuple,
) -> Figure:
    """Return a figure of typed formulas, which its readers can change on a page.

    A line is a formula, `np.exp(-rate * t)`, which is a curve; or a name and a formula, `rate = 1 / half_life`, a step
    that other lines use (a curve if none does); or a comparison, `a <= b`, a claim about the curves. A name that no
    line gives is a slider. A line may call the functions of NumPy (`np`), of scipy.special (`special`), of the modules
    that the book has registered (see `vocabulary.register`), and of those that a notebook has imported.

    Parameters
    ----------
    lines : the formulas, in Python's own words
    x : the name that runs along the horizontal axis; if it is not given, the first that the book has registered for it,
        else the first of `ranges`, else the first in the formulas
    name : the figure's address in links
    caption, alt : what stands under the figure, and what it shows, for a chapter
    ranges : of sliders, `rate=(0, 5)` or `rate=(0, 5, 3)`

    Raises
    ------
    FigureError : a line that is no formula, with the character at which it ends to be one
    """
    texts = [line for line in lines if line.strip()]
    about = {"name": name, "caption": caption, "alt": alt, "lines": tuple(texts)}
    return figure_of(texts, modules_of(texts), x, ranges, {key: text for key, text in about.items() if text})


class TypedFigure(Figure):
    """A figure of typed formulas, whose file can edit them if all functions that they call can be traced."""

    def editor(self) -> str:
        functions = functions_of(self.lines)
        return "" if verbs.vocabulary(functions, {})[1] else bundle.written(functions)


def functions_of(texts: Sequence[str]) -> dict[str, Callable]:
    """Return the functions that these lines call and that are not NumPy's or SciPy's, by the names in the lines."""
    modules = modules_of(texts)
    called = [pair for text in texts for pair in re.findall(r"\b(\w+)\.(\w+)\(", text)]
    return {
        f"{home}.{name}": getattr(modules[home], name) for home, name in called if home not in grammar.elementwise()
    }


def modules_of(texts: Sequence[str]) -> dict[str, Any]:
    """Return the modules whose functions these lines may call: the notebook's own, the book's, and NumPy's."""
    words = {word for text in texts for word in re.findall(r"\w+(?=\.)", text)}
    known = vocabulary.known
    registered = {name: import_module(f"{known.package}.{name}") for name in known.modules if name in words}
    imported = {name: value for name, value in _notebook().items() if isinstance(value, ModuleType)}
    return imported | registered | grammar.elementwise()


def _notebook() -> Mapping[str, Any]:
    """The names of the notebook that is running, none outside of one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell.user_ns if shell else {}


def figure_of(
    texts: Sequence[str], modules: Mapping[str, Any], x: str, ranges: Mapping[str, tuple], about: Mapping[str, Any]
) -> Figure:
    """The figure of the lines; `modules` are those that they may name, `about` what else a figure has."""
    bench = _Bench([grammar.read(text) for text in texts], modules)
    if not bench.names:
        raise FigureError("the formulas need a name to draw over, such as k")
    first = [each for each in vocabulary.known.first if each in bench.names]
    along = x or [*first, *ranges, *bench.names][0]
    unknown = [each for each in [along, *ranges] if each not in bench.names]
    if unknown:
        raise FigureError(f"no formula takes {unknown[0]!r}: they take {', '.join(bench.names)}")
    sliders = {each: slider_of(each, ranges.get(each), bench.ranges) for each in bench.names}
    given = {each: sliders[each] for each in [along, *ranges]} if x or ranges else {}
    curves = bench.curves()
    heights = bench.heights(curves, sliders, along)
    return TypedFigure(
        x=sliders.pop(along),
        y=(_symbol(bench.kinds), *extent(heights)),
        sliders=list(sliders.values()),
        curves=curves,
        claims=bench.claims(),
        ranges={each: (slider.low, slider.high, slider.at) for each, slider in given.items()},
        **{"alt": f"Curves over {along}: {', '.join(curves)}.", **about},
    )


class _Bench:
    """Lines that know one another."""

    def __init__(self, lines: Sequence[grammar.Line], modules: Mapping[str, Any]) -> None:
        known = [ast.unparse(line.node) for line in lines]
        sides = {ast.unparse(side.node): side for line in lines for side in grammar.sides(line)}
        lines = [*lines, *(side for text, side in sides.items() if text not in known)]
        self.lines, self.modules = lines, modules
        self.ranges = ranges_of([line.text for line in lines])
        self.steps = {line.name: line for line in lines if line.name}
        used = [name for line in lines for name in line.names]
        self.names = list(dict.fromkeys(name for name in used if name not in self.steps))
        steps = {name for line in lines if not grammar.compares(line.node) for name in line.names}
        self.drawn = [line for line in lines if not line.name or line.name not in steps]
        for line in lines:
            self.needs(line, [line.name] if line.name else [])

    def needs(self, line: grammar.Line, above: list[str]) -> None:
        """Reject a step that would need itself."""
        for name in line.names:
            if name in above:
                raise grammar.FormulaError(f"{name} would stand for itself", 0)
            if name in self.steps:
                self.needs(self.steps[name], [*above, name])

    def value(self, line: grammar.Line, values: Mapping[str, Any], read: Callable = grammar.evaluate) -> Any:
        """The line at these values of the sliders, the steps before it evaluated first."""
        steps = {name: self.value(self.steps[name], values) for name in line.names if name in self.steps}
        return read(line, {**values, **steps}, self.modules)

    def follows(self, line: grammar.Line) -> list[str]:
        """The sliders that a line depends on, in the order of the figure."""
        parts = [self.follows(self.steps[name]) if name in self.steps else [name] for name in line.names]
        own = {name for part in parts for name in part}
        return [name for name in self.names if name in own]

    def function(self, line: grammar.Line) -> Callable:
        """The line as a function of its sliders; its signature names them, as a figure wants it."""

        def function(**values: Any) -> Any:
            return self.value(line, values)

        plain = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in self.follows(line)]
        function.__signature__ = inspect.Signature(plain)
        return function

    @property
    def rest(self) -> dict[str, np.float64]:
        """The sliders at their defaults."""
        return {name: np.float64(slider_of(name, ranges=self.ranges).at) for name in self.names}

    def at_rest(self, line: grammar.Line) -> Any:
        """The line's value at the sliders' defaults."""
        with context.computing():
            return self.value(line, self.rest)

    def is_claim(self, line: grammar.Line) -> bool:
        """Whether the line is a comparison."""
        found = self.at_rest(line)
        if isinstance(found, tuple):
            raise grammar.FormulaError("two numbers stand here: say which, [0] or [1]", 0)
        return grammar.is_truth(found)

    @cached_property
    def plotted(self) -> list[grammar.Line]:
        """The lines that are curves: neither a comparison nor a pair that only has a name."""
        pairs = [line for line in self.drawn if line.name and isinstance(self.at_rest(line), tuple)]
        found = [line for line in self.drawn if line not in pairs and not self.is_claim(line)]
        if not found:
            raise FigureError("no line is a curve")
        return found

    @property
    def kinds(self) -> set[str]:
        """What numbers the curves are, by the last name of each: {"exp"}."""
        return {re.sub(r"_(tight|exact).*", "", grammar.kind(line.node)) for line in self.plotted}

    def curves(self) -> dict[str, Curve]:
        """The curves by their labels, told apart by their dashes."""
        found: dict[str, Curve] = {}
        lines: dict[str, grammar.Line] = {}
        for line in self.plotted:
            label = _label(line, lines)
            lines[label] = line
            colour = by_word(label) or by_word(line.text) or _next([curve.colour for curve in found.values()])
            same = sum(curve.colour == colour for curve in found.values())
            found[label] = Curve(self.function(line), colour=colour, dash=LINES[same % 4])
        return found

    def claims(self) -> list[Claim]:
        """The comparisons, each in its own words."""
        return [self.claim(line) for line in self.drawn if self.is_claim(line)]

    def claim(self, line: grammar.Line) -> Claim:
        """What a comparison says, run wherever the sliders stand."""
        follows = self.follows(line)
        return Claim(line.text.strip(), lambda c: self.value(line, {name: c[name] for name in follows}, grammar.holds))

    def heights(self, curves: Mapping[str, Curve], sliders: Mapping[str, Slider], along: str) -> NDArray:
        """Every curve's values at the sliders' defaults."""
        values: dict[str, Any] = {name: np.float64(slider.at) for name, slider in sliders.items()}
        values[along] = sliders[along].grid
        with context.computing():
            follows = [inspect.signature(curve.y).parameters for curve in curves.values()]
            drawn = [c.y(**{n: values[n] for n in names}) for c, names in zip(curves.values(), follows, strict=True)]
        return np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in drawn])


def _next(taken: Sequence[str]) -> str:
    """The book's colour for lines without a word, or the next of a cycle; axes.js says the same."""
    names = OTHERWISE or [colour.name for colour in CYCLE]
    return names[sum(colour in names for colour in taken) % len(names)]


def _label(line: grammar.Line, taken: Mapping[str, grammar.Line]) -> str:
    """What stands at a curve's end: its name, or the formula, or the book's function that it begins with and what an
    earlier line of the same function has not; `taken` are those by their labels. axes.js says the same."""
    verb = re.match(r"\s*((?!np\.|special\.)\w+\.\w+)\(", line.text)
    whole = "" if grammar.kind(line.node) else " …"
    label = line.name or (verb[1] + whole if verb else _shortened(line.text.strip()))
    if verb and not line.name and label in taken:
        pairs = zip_longest(_arguments(line), _arguments(taken[label]))
        unlike = next((given for given, other in pairs if given and given != other), "")
        label = f"{label}, {unlike[:_LONGEST_ARGUMENT]}" if unlike else label
    count = 1 + sum(other == label or other.endswith(f" {label}") for other in taken)
    return f"{_ORDINAL.get(count, f'{count}th')} {label}" if count > 1 else label


def _shortened(formula: str) -> str:
    return formula if len(formula) <= _LONGEST else f"{formula[: _LONGEST - 1].rstrip()}…"


def _arguments(line: grammar.Line) -> list[str | None]:
    """What the first call of a line is given."""
    calls = [node for node in ast.walk(line.node) if isinstance(node, ast.Call)]
    first = min(calls, key=lambda call: call.col_offset)
    return [ast.get_source_segment(line.text.strip(), part) for part in (*first.args, *first.keywords)]


def _symbol(kinds: set[str]) -> str:
    """The label of the y axis: the quantity's symbol where all curves are of one that has a symbol."""
    return (vocabulary.symbol_of(min(kinds)) if len(kinds) == 1 else "") or "value"


def extent(heights: NDArray) -> tuple:
    """Both ends of a y axis that shows these values, and "log" where they span much; axes.js has the same rule.

    >>> extent(np.array([0.3, 1.7])), extent(np.array([0.001, 1.7]))
    ((0.0, 2.0), (0.001, 10.0, 'log'))
    """
    known = heights[np.isfinite(heights)]
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    if low > 0 and high > 100 * low:
        top = np.ceil(np.log10(high))
        return float(10.0 ** max(np.floor(np.log10(low)), top - 12)), float(10.0**top), "log"
    ends = -_above(-low) if low < 0 else 0.0, _above(high) if high > 0 else 0.0
    return ends if ends[0] < ends[1] else (0.0, 1.0)


def _above(value: float) -> float:
    """A round number, no less."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(digit * power for digit in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20) if digit * power >= value))
