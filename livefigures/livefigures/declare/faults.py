"""What a figure's declaration must be. Each mistake is said in words, with its mend; `Figure` raises the first.
A slider's own are in sliders.py, a claim's in claims.py, and what the first drawing shows in figure.py.

A check may rely on those before it: nothing is asked of a slider's range before it is known to be a slider.
"""

import inspect
import re
import reprlib
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any
from unicodedata import category

import numpy as np

from livefigures.declare import colours, numbers
from livefigures.declare.bars import Bars
from livefigures.declare.claims import Claim, declared
from livefigures.declare.options import closest
from livefigures.declare.parts import DATA, STANDARD, STEP, Cloud, Curve, Line, Mark, Path, Point, Points, Reading
from livefigures.declare.sliders import FIXED, Slider, is_number, scale

SIDES = ("top", "bottom", "left", "right")  # of the picture
_UNKNOWNS = "; lf.ode gives one value for each unknown: s, i = lf.ode(slope, start, t)"
_TIMES = "; at a list of times, lf.ode gives the unknowns at each of them: s, i = zip(*lf.ode(slope, start, times))"
_ROW = "; a row with day == t is there at few t only: np.interp(t, table['day'], table['cases']) reads two columns"
# What an error says, and what to write instead.
_RAISED = {
    "interpreted as an integer": "; a slider gives a float, so write a loop over a fixed range that is long enough, "
    "with np.where for the steps beyond: for i in range(100): total = np.where(i < n, total + term(i), total)",
    "Cannot index by location": "; a slider gives a float: np.interp(x, series.index, series.values) reads a Series",
    "are valid indices": "; a slider gives a float, so read an array with np.interp(t, np.arange(len(values)), values)",
    "can't multiply sequence": "; arithmetic on a list is written element by element, [rate * x for rate in rates] or "
    "[h * a for a in y], or with one variable for each unknown; a differential equation is solved by lf.ode",
    "tuple indices must be integers or slices, not tuple": _UNKNOWNS,
    "'tuple' object has no attribute 'T'": _UNKNOWNS,
    "list indices must be integers or slices, not tuple": _TIMES,
    "'list' object has no attribute 'T'": _TIMES,
    "single positional indexer is out-of-bounds": _ROW,
    "out of bounds for axis 0 with size 0": _ROW,
    "Lengths must match to compare": _ROW,
    "division by zero": "; np.divide(a, b) is infinite there and leaves a gap",
    "fp and xp are not of the same length": "; np.interp takes as many heights as points, and lf.ode gives "
    "them at fixed times if these are a list, lf.ode(slope, start, list(times))",
    "diff requires input": "; with lookup=True each argument is one number, and odeint needs two times or more: "
    "odeint(s, start, [0, t])[-1] has the unknowns at t, and odeint(s, start, [0, t])[-1, 0] is the first of them",
    "setting an array element": "; it gave an array for one x, where one number belongs; choose one, such as "
    "f(...)[-1], or make arrays, such as random numbers, before the figure, and read them with np.interp(t, "
    "np.arange(len(values)), values)",
}
DRAWN = (
    "draw random numbers once, outside the function, with a fixed seed, and use the array: "
    "values = np.random.default_rng(1).normal(size=100) before the figure, and sum(f(a, u) for u in values) / 100 or "
    "np.interp(t, np.arange(len(values)), values) in the function; or let lf.Cloud draw them"
)
LENGTHS = (
    "error bars that are longer on one side take a pair of functions, yerr=(down, up), each of which gives the lengths "
    "on its side, as in yerr=(lambda level: rate - low(level), lambda level: high(level) - rate)"
)
MOST_SAMPLES = 5000  # each is a number in the page's bytes, and a dot that is drawn at every move of a slider


def of_form(figure: Any) -> Iterator[str]:
    """Mistakes in what was handed over, before anything is made of it."""
    if not (isinstance(figure.name, str) and re.fullmatch(r"[a-z][a-z0-9-]*", figure.name)):
        yield "a name is lower-case letters, digits and dashes: it is part of a link"
    yield from _faults_of_axis("y", figure.y)
    if isinstance(figure.x, tuple) and any(map(is_text, figure.x[:1])):
        yield from _faults_of_axis("x", figure.x)
        yield from _faults_of_sliders(figure.sliders, scale(*figure.x))
        if figure.curves:
            yield "curves need a slider as their x axis; a curve along a parameter is a mark, lf.Path(x, y, over=(...))"
    else:
        yield from _faults_of_sliders(figure.sliders, figure.x)
    yield from _faults_of_parts(figure.curves, figure.marks)
    yield from _faults_of_equal_axes(figure)
    for what in ("caption", "alt"):
        if not is_text(getattr(figure, what)):
            yield f"{what} must be text, got {getattr(figure, what)!r}"
    yield from _faults_of_claims(figure.claims)
    yield from _faults_of_out_of_view(figure)
    yield from _faults_of_formulas(figure)


def _faults_of_equal_axes(figure: Any) -> Iterator[str]:
    if figure.equal not in (True, False):
        yield f"equal must be True or False, got {figure.equal!r}"
    x = scale(*figure.x) if isinstance(figure.x, tuple) else figure.x
    if figure.equal and (x.log or len(figure.y) == 4):
        yield "equal=True needs two axes without a logarithm: a unit has another length at each place of such an axis"


def _faults_of_axis(name: str, y: Any) -> Iterator[str]:
    form = f'{name} must be (label, low, high) or (label, low, high, "log")'
    if not isinstance(y, tuple | list) or len(y) not in (3, 4) or (len(y) == 4 and y[3] != "log"):
        yield f"{form}, got {y!r}"
    label, low, high = y[:3]
    if not (is_text(label) and label.strip() and is_number(low) and is_number(high)):
        fixed = FIXED if callable(low) or callable(high) else ""
        yield f"{form}, a text and two finite numbers, got {y!r}{fixed}"
    if not low < high or (len(y) == 4 and low <= 0):
        yield f"the {name} axis needs low < high (and low > 0 on a log scale), got {low!r} to {high!r}"


def _faults_of_sliders(sliders: Any, *x: Any) -> Iterator[str]:
    if not isinstance(sliders, Sequence):
        yield f"sliders must be a list, sliders=[...], got {sliders!r}"
    for slider in [*sliders, *x]:
        if not isinstance(slider, Slider):
            yield f'x and each of the sliders must be a slider such as slider("rate", 0, 5, at=3), got {slider!r}'
        if slider.fault:
            yield slider.fault
    twice = _twice([slider.name for slider in [*sliders, *x]])
    if twice:
        yield f"two sliders are named {twice!r}; give one of them a name of its own with slider(name, low, high)"
    for axis in x:
        if axis.options or axis.when:
            yield f"the x axis {axis.name!r} can be no choice, and depend on none"
    yield from _faults_of_choices({slider.name: slider for slider in sliders})


def _faults_of_choices(sliders: Mapping[str, Slider]) -> Iterator[str]:
    choices = {name: slider.options for name, slider in sliders.items() if slider.options}
    for name, slider in sliders.items():
        choice, option = slider.when or (None, None)
        if choice and choice not in choices:
            yield f"slider {name!r} waits for a choice {choice!r} that is not there"
        if choice and option not in choices[choice]:
            yield f"slider {name!r} waits for {option!r}, which is no option of {choice!r}"
        if choice and sliders[choice].when:
            yield f"slider {name!r} waits for the choice {choice!r}, which may not wait for another choice itself"


def _faults_of_parts(curves: Any, marks: Any) -> Iterator[str]:
    for what, parts in (("curves", curves), ("marks", marks)):
        if not isinstance(parts, Mapping):
            yield f'{what} must be a dictionary, {what}={{"name": ...}}, got {parts!r}'
        lenders = [  # to marks
            *(curves if isinstance(curves, Mapping) else ()),
            *(n for n, p in parts.items() if isinstance(p, Path)),
        ]
        for name, part in parts.items():
            if not (is_text(name) and name.strip()):
                yield f"{what} have names, which stand in the table: {name!r} is none"
            if what == "marks":
                yield from _faults_of_mark(name, part, lenders)
            else:  # another curve, with a colour of its own, lends it to this one
                lends = [n for n, c in curves.items() if not colours.names_curve(getattr(c, "colour", ""), curves)]
                yield from _faults_of_curve(name, part, {*lends} - {name})
    if not curves and not marks:
        yield "it has neither curves nor marks"
    both = _twice([*curves, *marks])
    if both:
        yield f"{both!r} names a curve and a mark"


def _faults_of_curve(name: str, curve: Any, lenders: Collection[str]) -> Iterator[str]:
    function = curve.y if isinstance(curve, Curve) else curve
    if not callable(function) and not is_number(function):
        example = "such as lambda rate, t: rate * t (of data, lambda t: np.interp(t, xs, ys), or as dots "
        example += 'marks={"data": lf.Points(xs, ys)})'
        if isinstance(curve, Mark):
            yield f"{name!r} is a {type(curve).__name__}, no curve: put it into marks={{{name!r}: ...}}"
        yield f"curve {name!r} must be a function of the sliders or a number, {example}, got {short(function)}"
    if isinstance(function, np.vectorize):
        yield f"curve {name!r} is made by np.vectorize; give its function: Curve({_called(function)}, lookup=True)"
    if isinstance(curve, Curve):
        yield from _faults_of_looks(name, curve, lenders)


def _faults_of_mark(name: str, mark: Any, lenders: Collection[str]) -> Iterator[str]:
    if not isinstance(mark, Mark):
        if callable(mark) or isinstance(mark, Curve):
            yield f"{name!r} is a curve: put it into curves={{{name!r}: ...}}"
        kinds = "Band, Point, Line, Points, Bars, Path, Arrows, Ensemble, Cloud or Reading"
        yield f"mark {name!r} must be a {kinds}, got {mark!r}"
    if isinstance(mark, Line) and (mark.x is None) == (mark.y is None):
        yield f"the line {name!r} needs exactly one of x (vertical) and y (horizontal)"
    if isinstance(mark, Points):
        yield from _faults_of_points(name, mark)
    for coordinate in ("x", "y", "low", "high"):
        function = getattr(mark, coordinate, None)
        left_out = function is None and (isinstance(mark, Line) or not hasattr(mark, coordinate))
        if not callable(function) and not left_out:
            wanted = "a number or a function of the sliders, such as lambda rate: 2 * rate"
            yield f"{coordinate} of {name!r} must be {wanted}, got {short(function)}"
    if isinstance(mark, Path):
        yield from _faults_of_path(name, mark)
    if isinstance(mark, Cloud):
        yield from _faults_of_cloud(name, mark)
    yield from _faults_of_looks(name, mark, [] if isinstance(mark, Path) else lenders)


def _faults_of_claims(claims: Any) -> Iterator[str]:
    if not isinstance(claims, Mapping | Sequence) or isinstance(claims, str):
        yield f'claims must be {{"words": check}} or a list of Claim, got {claims!r}'
    for claim in declared(claims):
        if not isinstance(claim, Claim):
            yield f"each of the claims must be a Claim, got {claim!r}"
        if not (is_text(claim.words) and claim.words.strip()):
            yield f"a claim's words stand under the figure: {claim.words!r} is no text"
        if not callable(claim.check) or not (claim.where is None or callable(claim.where)):
            yield f'check and where of the claim {claim.words!r} must be functions, such as lambda c: c["demand"] > 0'


def _faults_of_out_of_view(figure: Any) -> Iterator[str]:
    if not isinstance(figure.out_of_view, Mapping):
        yield f'out_of_view must be a dictionary, out_of_view={{"demand": "top"}}, got {figure.out_of_view!r}'
    for name, sides in figure.out_of_view.items():
        if name not in [*figure.curves, *figure.marks]:
            yield f"out_of_view names {name!r}, which is neither a curve nor a mark"
        mark = figure.marks.get(name)
        if isinstance(mark, Reading) or (isinstance(mark, Points) and not mark.moves):
            yield f"out_of_view names {name!r}, which does not move in the picture"
        if not isinstance(sides, str) or not sides.split() or not set(sides.split()) <= set(SIDES):
            yield f"{name!r} leaves the picture at one or more of {', '.join(SIDES)}, got {sides!r}"


def _faults_of_formulas(figure: Any) -> Iterator[str]:
    if not isinstance(figure.formulas, Mapping):
        yield f'formulas must be a dictionary, formulas={{"growth": r"y = a x + b"}}, got {figure.formulas!r}'
    for name, tex in figure.formulas.items():
        if name not in figure.curves:
            yield f"formulas names {name!r}, which is none of its curves: {', '.join(figure.curves)}"
        if not is_text(tex) or not tex.strip():
            yield f"the formula of {name!r} must be TeX, got {tex!r}"


def of_marked_ends(figure: Any) -> Iterator[str]:
    """Name what falls or rises towards a slider's end and has no height in the picture."""
    for slider in figure.controls.values():
        named = slider.falls or slider.rises
        known = [name for kind in ("curves", "marks") for name in getattr(figure, kind) if figure.height(name)]
        if named and named not in known:
            yield f"the {slider.marked_end} end of {slider.name!r} names {named!r}, which is none of {', '.join(known)}"


def _faults_of_cloud(name: str, cloud: Cloud) -> Iterator[str]:
    if not (isinstance(cloud.size, int) and is_number(cloud.size) and 1 <= cloud.size <= MOST_SAMPLES):
        yield f"the cloud {name!r} needs a whole number of samples, 1 to {MOST_SAMPLES}, got size={cloud.size!r}"
    for argument, kind in cloud.draws.items():
        if not (isinstance(kind, str) and kind in STANDARD):
            yield (
                f"draws of {name!r} must be one of {', '.join(STANDARD)}, got {short(kind)} for {argument!r}; numbers "
                "of your own that a slider moves are read by a function, np.interp(i, np.arange(len(values)), values)"
            )


def _faults_of_path(name: str, path: Path) -> Iterator[str]:
    form = f'over of the path {name!r} must be its parameter and the range of it, such as ("u", 0, 2 * np.pi)'
    over = path.over
    if not (isinstance(over, tuple | list) and len(over) == 3 and is_text(over[0]) and all(map(is_number, over[1:]))):
        yield f"{form}, got {over!r}"
    if not over[0].isidentifier() or over[1] == over[2]:
        yield f"{form}, got {over!r}"
    if not (isinstance(path.size, int) and 2 <= path.size <= MOST_SAMPLES):
        yield f"the path {name!r} needs a whole number of points, 2 to {MOST_SAMPLES}, got size={path.size!r}"
    used = [given for one in (path.x, path.y) for given in arguments(one) or []]
    if over[0] not in used:
        yield f"neither x nor y of the path {name!r} has the argument {over[0]!r}, which over names"


def _faults_of_points(name: str, points: Points) -> Iterator[str]:
    form = f"a list or an array of 1 to {MOST_SAMPLES} finite numbers"
    for coordinate, values in points.given.items():
        if points.dates.get(coordinate):
            yield f"{coordinate} of the points {name!r} are dates; give days: (day - day[0]) / np.timedelta64(1, 'D')"
        if not (values is not None and values.ndim == 1 and 1 <= len(values) <= MOST_SAMPLES):
            got = "no numbers" if values is None else f"an array of the shape {values.shape}"
            yield f"{coordinate} of the points {name!r} must be {form}, got {got}"
        if not coordinate.startswith("yerr") and not np.isfinite(values).all():
            place = np.flatnonzero(~np.isfinite(values))[0]
            yield f"{coordinate} of the points {name!r} must be {form}; leave out the one at {place}, {values[place]:g}"
    lengths = [len(values) for values in points.given.values()]
    if len(set(lengths)) > 1:
        every = "as many " + " as ".join(points.given)
        yield f"the points {name!r} need {every}, got {' and '.join(map(str, lengths))}"
    if isinstance(points, Bars):
        yield from _faults_of_bars(name, points)


def _faults_of_bars(name: str, bars: Bars) -> Iterator[str]:
    if not is_number(bars.base):
        yield f"base of the bars {name!r} is the height on which they stand, a number, got {short(bars.base)}"
    if not (bars.width is None or (is_number(bars.width) and bars.width > 0)):
        yield f"width of the bars {name!r} must be a number above 0, in units of x, got {short(bars.width)}"


_UNNAMED = (
    "leave it out, and the name stands in the table alone, or write inside=True to put the name into the picture",
    "leave it out, and the name stands at the curve's end, or write inside=True to put the name into the picture, or "
    "make it a mark, lf.Path(lambda u: u, ...), which has its name in the table alone",
)


def _faults_of_looks(name: str, part: Curve | Mark, lenders: Collection[str] = ()) -> Iterator[str]:
    named = isinstance(part.colour, str) and part.colour in ["", *colours.known(), *lenders]
    if not named:
        try:
            colours.own(part.colour)
        except colours.ColourError as error:
            yield f"colour of {name!r} must be {error}"
    dash = getattr(part, "dash", "")
    if dash not in [*colours.DASHES]:
        yield f"dash of {name!r} must be one of {', '.join(filter(None, colours.DASHES))}, got {dash!r}"
    written = getattr(part, "format", "")
    if problem := numbers.wrong(written):
        yield f"format of {name!r} must be {problem}"
    label = getattr(part, "label", None)  # what stands in neither picture nor table has none
    if label is not None and not is_text(label):
        yield f"the label of {name!r} must be text, got {label!r}"
    if label == "" and isinstance(part, Curve | Point | Line):
        yield f"the label of {name!r} is empty: {_UNNAMED[isinstance(part, Curve)]}"
    if label and getattr(part, "inside", False):
        yield f"{name!r} has inside=True and a label: leave out the label, and declare it under the name to be shown"


def of_draws(figure: Any) -> Iterator[str]:
    """A draw is an argument of the cloud's functions, as a slider is; two clouds with one name share its numbers."""
    seen: dict[str, tuple[str, int]] = {}
    for name, cloud in figure.marks.items():
        for draw, kind in getattr(cloud, "draws", {}).items():
            if draw in figure.controls:
                yield f"{draw!r} is a slider and a draw of the cloud {name!r}; rename the draw in draws={{...}}"
            if seen.setdefault(draw, (kind, cloud.size)) != (kind, cloud.size):
                yield f"two clouds draw {draw!r}, of two kinds or sizes; rename one in draws={{...}}"


def of_arguments(figure: Any) -> Iterator[str]:
    """An argument is a slider's name or a draw's: nothing else can be handed to the function."""
    known = [*figure.controls, *figure.draws]
    ours = [name for name in known if name.startswith((DATA, STEP))] + [figure.x.name] * (not figure.cursor)
    said = [name for name in known if name not in ours]
    for address, function in figure.functions.items():
        names = arguments(function, known)
        if names is None:
            yield f"the arguments of {address} cannot be read; write lambda {', '.join(said)}: ..."
        for name in names or []:
            if name not in known:
                close = closest(name, said)
                mend = f"{close} Else " if close else ""
                mend += "give it a value, a number as its default, or a slider"
                yield f"{address} has an argument {name!r} without a slider; known: {', '.join(said)}; {mend}"
        mark = figure.marks.get(address.split("/")[1])
        if isinstance(mark, Points) and "x" not in mark.given and figure.x.name in names and address[-2:] != "/x":
            yield (
                f"{address} has the argument {figure.x.name!r}, which stands for the x of each point if these are "
                "numbers; here they are a function, so use its formula in its place"
            )


def of_loops(figure: Any) -> Iterator[str]:
    """Lambdas that a loop makes read the loop's variable when they are called, which is after the loop."""
    made: dict[tuple, list[str]] = {}
    for name, curve in figure.curves.items():
        function = curve.y
        cells = tuple(map(id, getattr(function, "__closure__", None) or ()))
        if getattr(function, "__name__", "") == "<lambda>" and (cells or _reads_a_value(function)):
            made.setdefault((function.__code__, cells, function.__defaults__), []).append(name)
    for names in made.values():
        if len({id(figure.curves[name].y) for name in names}) > 1:
            yield (
                f"the curves {', '.join(map(repr, names))} are all the same: a lambda in a loop uses what the loop's "
                "variable is after the loop; write a function that makes them: "
                "def curve(a): return lambda x: a * x, and then curve(a) in the loop"
            )


def _reads_a_value(function: Callable) -> bool:
    """Whether a function reads a variable of its module, other than modules and functions."""
    names = (function.__globals__.get(name) for name in function.__code__.co_names)
    return any(value is not None and not callable(value) and not isinstance(value, ModuleType) for value in names)


def instead_of(error: Exception) -> str:
    """What to write instead of what raised an error in a curve, where that is known; else "".

    >>> instead_of(TypeError("'float' object cannot be interpreted as an integer"))[:34]
    '; a slider gives a float, so write'
    """
    return next((instead for words, instead in _RAISED.items() if words in str(error)), "") or _meant(error)


def _meant(error: Exception) -> str:
    """Return the question for a misspelt name that Python asks when it prints an error, and that is not in its text."""
    known: list[str] = []
    if isinstance(error, AttributeError):
        known = dir(error.obj)
    elif type(error) is NameError:
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        known = [*frame.f_locals, *frame.f_globals]
    close = closest(error.name, known) if known and error.name else ""
    return close and f"; {close}"


def of_options(error: Exception, sliders: Mapping[str, Any], lookup: bool) -> str:
    """What to write where a slider was the key of a dictionary or the index of a list; else ""."""
    chosen = next((name for name, slider in sliders.items() if slider.options), None)
    if chosen is None and isinstance(error, KeyError):
        return "; a slider gives a float: np.interp(x, keys, values), keys in order, reads a dictionary or a Series"
    if chosen is None and "list indices" in str(error):
        return (
            "; a slider gives a float: np.interp(t, np.arange(len(values)), values) reads a list of data, and the t-th "
            "term of a difference equation is for i in range(100): k = np.where(i < t, step(k), k)"
        )
    if chosen is None or not isinstance(error, KeyError | TypeError):
        return ""
    options = sliders[chosen].options
    numbers = ", ".join(f"{option} is {place}" for place, option in enumerate(options))
    read = f"values[int({chosen})]" if lookup else f"np.interp({chosen}, np.arange({len(options)}), values)"
    values = f"{len(options)} values, in the order of the options"
    return f"; {chosen!r} is the number of the option ({numbers}), so {read} reads a list of {values}"


def is_text(value: Any) -> bool:
    """Whether this is text that a page can show: no control characters but line breaks, no half of a character.

    >>> is_text("ε, \\n 정보"), is_text("\\0"), is_text("\\ud800"), is_text(3)
    (True, False, False, False)
    """
    return isinstance(value, str) and all(category(c) not in ("Cc", "Cs") for c in value.replace("\n", ""))


def arguments(function: Callable, known: Sequence[str] = ()) -> list[str] | None:
    """The names of a function's arguments; None for one of those built-in functions that do not tell.

    An argument with a default is a constant unless it is one of the `known` names.

    >>> arguments(lambda sigma, k, alpha=0.5: alpha * k / sigma)
    ['sigma', 'k']
    """
    try:
        parameters = inspect.signature(function).parameters.items()
    except ValueError:
        return None
    return [name for name, one in parameters if one.default is one.empty or name in known]


def short(value: Any) -> str:
    """Return a value in few words: the shape of an array, the beginning of a long list.

    >>> short(np.zeros(201)), short([0] * 201)
    ('an array of shape (201,)', '[0, 0, 0, 0, 0, 0, ...]')
    """
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return " ".join(reprlib.repr(value).split())  # one line: of a log, a build shows the last


def _called(function: np.vectorize) -> str:
    name = getattr(function.pyfunc, "__name__", "function")
    return "function" if name == "<lambda>" else name


def _twice(names: Sequence[str]) -> str:
    """The first name that stands there twice, or ""."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")
