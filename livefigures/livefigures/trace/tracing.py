"""From a NumPy function to a tape: the flat list of elementwise operations that the page plays.

A function is called once with stand-ins for its numbers. Each operation on a stand-in is written down, equal ones once:

    >>> tape = Tape()
    >>> sigma = tape.input("sigma")
    >>> output = tape.output(np.log(sigma) * 4)
    >>> tape.operations
    [['in', 'sigma'], ['log', 0], ['num', 4.0], ['mul', 1, 2]]
    >>> float(play(tape.operations, {"sigma": 1.0})[output])
    0.0

Only what stands in `UFUNCS`, and `np.where`, `np.clip`, `np.select`, `np.interp`, `np.arctan2`, can be written down.
All else raises `NotTraceable`: a wrong trace would draw a wrong curve without a word.
"""

import functools
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray
from scipy import special

from livefigures.declare.contents import named
from livefigures.declare.numbers import full
from livefigures.trace import composed

# Each entry is a ufunc, and its name on the tape where this is another one.
_OF_NUMPY = """
    add subtract=sub multiply=mul divide=div floor_divide=floordiv remainder=mod power=pow negative=neg absolute=abs
    fabs=abs reciprocal square sqrt exp exp2 expm1 log log2 log10 log1p logaddexp sin cos tan arctan sinh cosh tanh
    arctanh floor ceil rint sign minimum=min maximum=max less=lt less_equal=le equal=eq not_equal=ne logical_and=and
    logical_or=or logical_xor=xor logical_not=not bitwise_and=and bitwise_or=or bitwise_xor=xor invert=not
    isnan isinf isfinite
"""
_OF_SCIPY = """
    ndtr ndtri log_ndtr erf erfc erfcx gammaln betainc gammainc gammaincc xlogy xlog1py expit logit log_expit
    exp2 expm1 log1p
"""
# A ufunc and its name on the tape. Each name has its arithmetic in arithmetic.js or trace.js.
UFUNCS: dict[np.ufunc, str] = {
    getattr(home, entry.partition("=")[0]): entry.rpartition("=")[2]
    for home, entries in ((np, _OF_NUMPY), (special, _OF_SCIPY))
    for entry in entries.split()
}
LEAVES = ("in", "num", "list")
_SWAPPED = {np.greater: np.less, np.greater_equal: np.less_equal}
MOST_POINTS = 2000  # of np.interp: two numbers of the page for each
_COMMUTATIVE = {"add", "mul", "eq", "ne", "and", "or", "xor"}  # min and max are not: of 0 and -0 they take the second
_TRUTHS = {"lt", "le", "eq", "ne", "and", "or", "xor", "not", "isnan", "isinf", "isfinite", "min", "max"}
_WHOLE = {"add", "sub", "mul", "neg", "abs", "sign", "square", "min", "max"}  # as exact on float64 as on integers

_STEPS = (
    "lf.ode(slope, start, t), which takes fixed steps: slope(y, t) gives the change of y, and for several unknowns "
    "start is a tuple and slope gives a tuple"
)
_HALVING = (
    "halving an interval at whose ends f has different signs: side = np.sign(f(low)), and in a loop "
    "for _ in range(50): middle = (low + high) / 2; left = np.sign(f(middle)) == side; "
    "low, high = np.where(left, middle, low), np.where(left, high, middle)"
)
_LOWEST = (
    "the zero of the slope, by halving an interval 50 times, or golden sections in a loop: for _ in range(60): "
    "c, d = b - 0.618 * (b - a), a + 0.618 * (b - a); left = f(c) < f(d); "
    "a, b = np.where(left, a, c), np.where(left, d, b)"
)
_AREA = "sum(f(x * (i + 0.5) / 200) for i in range(200)) * x / 200"
_FIXED = (
    "a loop over a fixed range that is long enough, with np.where for the steps beyond: "
    "for i in range(100): total = np.where(i < n, total + term(i), total)"
)
_READ = "np.interp(t, np.arange(len(values)), values), which is values[t] at a whole t"
_ALONG = (
    "a function knows one x at a time, so the {} value along x is its formula, or the one at fixed points: "
    "functools.reduce(np.{}, [f(x) for x in points])"
)
_PEAK = (
    "Reading(function, lookup=True) or Point(x=function, y=..., lookup=True), which call NumPy itself at each stop of "
    "the sliders; or, with values at fixed points, functools.reduce(np.maximum, values) for the largest, and for its "
    "place a loop with at = np.where(i > top, t, at); top = np.maximum(top, i) for each value i at t"
)
_RECURSION = "for the t-th term of a difference equation: for i in range(100): k = np.where(i < t, step(k), k)"
_FORMULA = "the distribution's formula, written with np and scipy.special"
_INTERVAL = (
    "np.select([x < 10, x < 40], [a, b], c) for a value of each interval, here below 10, below 40 and above; the "
    "number of the interval is sum(np.where(x >= edge, 1.0, 0.0) for edge in edges)"
)
_EIGENVALUES = (
    "the formula of the eigenvalues, which for the matrix [[a, b], [c, d]] are (a + d) / 2 + root and "
    "(a + d) / 2 - root with root = np.sqrt(((a - d) / 2)**2 + b * c)"
)
_SPLINES = (
    *("interp1d", "PchipInterpolator", "CubicSpline", "Akima1DInterpolator", "make_interp_spline", "BSpline"),
    *("UnivariateSpline", "InterpolatedUnivariateSpline", "LSQUnivariateSpline"),
)
_INSTEAD = {
    "fmin": "np.minimum, which lets NaN through",
    "fmax": "np.maximum, which lets NaN through",
    "nanmin": "functools.reduce(np.minimum, [...])",
    "nanmax": "functools.reduce(np.maximum, [...])",
    "min": f"np.minimum(a, b), or functools.reduce(np.minimum, [...]); {_ALONG.format('least', 'minimum')}",
    "max": f"np.maximum(a, b), or functools.reduce(np.maximum, [...]); {_ALONG.format('largest', 'maximum')}",
    "amin": "functools.reduce(np.minimum, [...])",
    "amax": "functools.reduce(np.maximum, [...])",
    "argmin": _PEAK,
    "argmax": _PEAK,
    "sum": "sum([a, b, ...]), Python's own, as in sum([rate * x for rate in rates])",
    "mean": "sum([a, b, ...]) / n",
    "prod": "functools.reduce(np.multiply, [...])",
    "any": "functools.reduce(np.logical_or, [...])",
    "all": "functools.reduce(np.logical_and, [...])",
    "dot": "sum(a * b for a, b in zip(first, second))",
    "matmul": "sum(a * b for a, b in zip(first, second))",
    "clip": "np.clip(x, low, high)",
    "round": "np.rint",
    "around": "np.rint",
    "trunc": "np.floor or np.ceil",
    "fix": "np.floor or np.ceil",
    "divmod": "// and %",
    "modf": "np.floor(x) and x - np.floor(x)",
    "fmod": "%",
    "float_power": "**",
    "logaddexp2": "np.logaddexp",
    "piecewise": "np.select",
    "nan_to_num": "np.where(np.isnan(x), ..., x)",
    "isclose": "abs(x - y) <= tolerance",
    "interp": (
        "np.interp(x, xs, ys) with plain numbers for xs and a list for ys, or the pieces themselves where a slider "
        "moves a point to the side: np.where(x < x1, y0 + (y1 - y0) * (x - x0) / (x1 - x0), ...); a factor goes "
        f"outside: a * np.interp(x, xs, ys); {_RECURSION}"
    ),
    **dict.fromkeys(_SPLINES, "np.interp(x, xs, ys) if straight pieces do"),
    **dict.fromkeys(
        ("RegularGridInterpolator", "interpn", "RectBivariateSpline", "griddata"),
        "np.interp(y, ys, [np.interp(x, xs, row) for row in rows]) for a table with a row for each y",
    ),
    "solve": "the formula of the solution: x = (b1 * a22 - b2 * a12) / (a11 * a22 - a12 * a21) for two equations",
    "inv": "the formula of the inverse matrix's numbers",
    **dict.fromkeys(("eig", "eigh", "eigvals", "eigvalsh"), _EIGENVALUES),
    "cumulative_trapezoid": f"a sum over fixed points for each x: {_AREA}",
    "trapezoid": f"a sum over fixed points: {_AREA}",
    "cumsum": f"list(itertools.accumulate([...])) for terms in a list; along the x axis a sum for each x: {_AREA}",
    "convolve": "[sum(a[n - k] * b[k] for k in range(n + 1)) for n in range(40)] with lists of as many numbers",
    "cumprod": "itertools.accumulate([...], np.multiply)",
    "arcsinh": "np.sign(x) * np.log(abs(x) + np.sqrt(x**2 + 1))",
    "arccosh": "np.log(x + np.sqrt(x**2 - 1))",
    "angle": "np.arctan2(imaginary part, real part)",
    "polyval": "Horner's rule: (c2 * x + c1) * x + c0",
    "choose": "np.where(choice == 0, a, b), or np.interp(choice, np.arange(len(values)), values) for plain numbers",
    "linspace": "a loop over a fixed range, for steps in time or for the terms of sum(...)",
    "quad": f"a sum over fixed points: {_AREA}",
    "solve_ivp": _STEPS,
    "odeint": _STEPS,
    "brentq": _HALVING,
    "bisect": _HALVING,
    "root_scalar": _HALVING,
    "fsolve": _HALVING,
    "newton": "a fixed number of steps: for _ in range(20): y = y - f(y) / slope(y)",
    "minimize_scalar": _LOWEST,
    "minimize": _LOWEST,
    **dict.fromkeys(("searchsorted", "digitize"), _INTERVAL),
    "astype": f"np.floor(x), or nothing, since every traced number is a float64; {_READ}",
    "copy": "x + 0.0, or nothing where no += changes it",
    **dict.fromkeys(("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf"), _FORMULA),
    **dict.fromkeys(("sf", "logsf"), f"1 - cdf(...) where cdf can be traced, or {_FORMULA}"),
    **dict.fromkeys(("ppf", "isf"), f"{_HALVING}, where f(middle) is cdf(middle) - q"),
    "logsumexp": "functools.reduce(np.logaddexp, [...])",
    "quantile": "np.interp(q, np.linspace(0, 1, len(values)), np.sort(values))",
    "percentile": "np.interp(q, np.linspace(0, 100, len(values)), np.sort(values))",
    "diff": "[b - a for a, b in zip(values, values[1:])] with a list",
    "vectorize": "the function itself, f(x), with np.where(condition, a, b) for if, since x is one number here",
    "gradient": "(f(t + h) - f(t - h)) / (2 * h) with a small number h",
    "curve_fit": "numbers that are fitted before the figure, at fixed settings, with the data as lf.Points",
    "gamma": "np.exp(special.gammaln(x))",
    "beta": "np.exp(special.betaln(a, b))",
    "binom": "np.exp(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))",
    "pandas": "np.interp(x, table['day'], table['cases']) for a number from two columns, np.interp(x, series.index, "
    "series.values) for one from a Series, and list(table['cases']) for arithmetic with a column",
    "erfinv": "special.ndtri((x + 1) / 2) / np.sqrt(2)",
    "erfcinv": "-special.ndtri(x / 2) / np.sqrt(2)",
    "factorial": "np.exp(special.gammaln(n + 1))",
}
_INSTEAD["comb"] = _INSTEAD["binom"]
_OF_GRID = {"zeta": "zeta(grid)", "lambertw": "lambertw(grid).real"}  # functions of special that are no ufuncs
_OF_GRID |= {name: f"{name}(..., grid)" for name in ("spherical_jn", "spherical_yn", "spherical_in", "spherical_kn")}
_OF_GRID |= {
    name: f"{name}({'..., ' * (ufunc.nin > 1)}grid){'[0]' * (ufunc.nout > 1)}"
    for name, ufunc in vars(special).items()
    if isinstance(ufunc, np.ufunc) and name not in _INSTEAD
}
_INSTEAD |= {
    name: f"np.interp(u, grid, special.{values}), which reads a table of a function of one number u, where "
    "grid = np.linspace(low, high, 2000) goes from the least u to the largest"
    for name, values in _OF_GRID.items()
}
_NUMBER = (
    "arithmetic and NumPy's function of the same name (np.log for math.log, np.floor for int, np.rint for round); "
    "a solver that asks for floats becomes a fixed number of steps with np.where"
)
_LARGER = "np.minimum / np.maximum for min / max, functools.reduce(np.maximum, values) for max(values)"
_SIGNS = "& | ~ for and / or / not, (0 < x) & (x < 1) for 0 < x < 1"
_ENOUGH = "as many steps as the slowest setting needs (compare with twice as many), or for a root halving an interval"
_WHILE = f"a loop over range(n) with {_ENOUGH}"
_BRANCH = f"np.where(condition, a, b) for if, {_SIGNS}; in place of a break {_ENOUGH}"
_TRUTH = f"np.where(condition, a, b) for if, {_LARGER}, {_SIGNS}; for while {_WHILE}"
_LIST = (
    "a list of numbers for an array of them, with [rate * x for rate in rates] for rates * x, "
    "sum(a * b for a, b in zip(first, second)) for a sum or @, "
    "functools.reduce(np.minimum, [...]) for np.minimum.reduce([...]), functools.reduce(np.maximum, values) for "
    "np.array(values).max(), and plain numbers in place of np.asarray"
)
_NUMBERS = (
    "numbers, since every argument is one number here: arithmetic on a list or an array is written element by element, "
    "[rate * x for rate in rates] for rates * x, and sum(f(a, u) for u in values) in place of "
    "np.sum(f(a, values)), for a running sum itertools.accumulate([a * u for u in values]), and for a largest value or "
    "its place Reading(function, lookup=True), which calls NumPy itself"
)
_REAL = (
    "real numbers: for np.exp(1j * x) its real part np.cos(x) and its imaginary part np.sin(x), for 1 / (a + 1j * b) "
    "the modulus 1 / np.sqrt(a**2 + b**2) and the phase np.arctan2(-b, a)"
)
_WITH_ARRAYS = (
    r"\b(interp|solve|inv|eigh?|eigvalsh?|cumulative_trapezoid|trapezoid|curve_fit|diff|digitize|searchsorted"
    r"|spherical_[jyik]n)\("
)
_TUPLE = (
    "a tuple or a list, (a, b), in place of np.array([a, b]); arithmetic on it is written element by element, "
    f"[rate * x for rate in rates]; a differential equation is solved by lf.ode; otherwise {_LIST}"
)
_MATRIX = (
    f"numbers in place of a matrix: {_EIGENVALUES}; {_INSTEAD['solve']}; and sum(a * b for a, b in zip(row, x)) for "
    "each row of a product"
)
_DIGITS = (
    "arithmetic in place of a text, since a value has no digits while it is traced: np.rint(10 * x) / 10 for a "
    "rounded value, np.floor(x / 10) % 10 for a digit"
)
_SUM = (
    "sum([rate * x for rate in rates]) for the sum of an array rates * x; np.sum is for numbers in which no slider is"
)
_ONE = (
    "the formula for one number, without the loop (for, len, enumerate), since every argument is one number here, "
    f"the x slider too; data are read with {_READ}"
)
_OWN_SUM = r"(?<![\w.])sum\((?!.*\bfor\b)"  # without a loop in its line
_POWER = r"(\w+) ?\*\* ?(\w+)"
_RANDOM = r"\b(?:random|rng|generator)\.\w+\(|\.(?:rvs|standard_normal|normal|permutation)\("
# What an array or a conversion is for, by what stands in the line: the call itself comes later or fails in C.
_LINES: dict[str, dict[str, Callable[[re.Match], str]]] = {
    _NUMBER: {r"\brange\(": lambda _: _FIXED, r"\w\[": lambda _: _READ},
    _ONE: {_OWN_SUM: lambda _: _SUM},
    _TRUTH: {
        r"^while\b": lambda _: _WHILE,
        r"^(?!.*\b(?:min|max)\().*\bif\b": lambda _: _BRANCH,
        r"^(?!.*\b(?:if|and|or|not)\b).*\b(?:min|max)\(": lambda _: _LARGER,
    },
    **dict.fromkeys(
        (_LIST, _NUMBERS),
        {
            _OWN_SUM: lambda _: _SUM,
            _WITH_ARRAYS: lambda found: _INSTEAD[found[1]],
            r"\bnp\.array\(\[\[": lambda _: _MATRIX,
            r"\bnp\.array\(\[": lambda _: _TUPLE,
        },
    ),
}
_STARTED = f"a list in place of the array: k = [first] before the loop, and k.append(...) in it; {_RECURSION}"
_NEW = "a new value: x = x + 1 in place of x += 1, which would change an array under all its names"
_CHOSEN = "np.where(condition, a, b) for y[condition] = a"
_LIVE = Path(__file__).parent.parent
_PANDAS = os.path.join("-packages", "pandas", "")  # site-packages, or Debian's dist-packages
_HERE = tuple(
    os.path.join(folder, "") for folder in (_LIVE, Path(np.__file__).parent, Path(special.__path__[0]).parent)
)


class NotTraceable(TypeError):  # noqa: N818 (the name says what it is)
    """An operation that a tape cannot hold: says which, on which source line, and what to write instead."""

    __doc__ += "\n\n    A tape can hold "
    __doc__ += ", ".join(sorted({one.__name__ for one in [*UFUNCS, *composed.UFUNCS, *composed.FUNCTIONS]}))
    __doc__ += ",\n    and where, clip, select and interp."

    def __init__(self, operation: str, instead: str) -> None:
        self.filename, self.lineno, called = _source(traceback.walk_stack(sys._getframe(1)))
        self.line = linecache.getline(self.filename, self.lineno).strip()
        self.draws = bool(re.search(_RANDOM, self.line))
        if self.draws:
            instead = "numbers that are drawn before"
        elif operation.startswith("np.power on a list") and (found := re.search(_POWER, self.line)):
            operation, instead = f"{operation}, {found[0]},", f"[value ** {found[2]} for value in {found[1]}]"
        elif called:  # np.max([x]) or norm.cdf(x) fail deep inside: name what the reader called
            operation, instead = _call(called), _INSTEAD[called]
        else:
            forms = _LINES.get(instead, {}).items()
            instead = next((known(found) for form, known in forms if (found := re.search(form, self.line))), instead)
        super().__init__(f"{operation} cannot be traced ({_written(self.filename, self.lineno)}); use {instead}")


def told(error: Exception) -> str:
    """Return what an error of a traced function says: its own words, its line and what to write instead."""
    filename, lineno, called = _source(reversed([*traceback.walk_tb(error.__traceback__)]))
    place = _written(filename, lineno)
    if called:
        return f"{_call(called)} cannot be traced ({place}); use {_INSTEAD[called]}"
    known = {"setting an array element": _STARTED, "item assignment": f"{_CHOSEN}, or {_STARTED}"}
    known |= dict.fromkeys(("could not convert string", "invalid literal for int"), _DIGITS)
    instead = next((way for words, way in known.items() if words in str(error)), "NumPy's elementwise functions")
    return f"it raised {type(error).__name__}: {error}, when it was traced ({place}); use {instead}"


def line_of(error: Exception | None, function: Callable) -> str:
    """Return the line of a figure's function that raised this, or its first one, in brackets; "" if none is known."""
    filename, lineno, _ = _source(reversed([*traceback.walk_tb(error.__traceback__)])) if error else ("", 0, "")
    code = getattr(function, "__code__", None)
    if not lineno and code and not code.co_filename.startswith(_HERE):
        filename, lineno = code.co_filename, code.co_firstlineno
    return f" ({_written(filename, lineno)})" if lineno else ""


class _NoAttributeError(NotTraceable, AttributeError):
    """A missing method, such as `.min()`: `hasattr` may ask for it."""


class Tape:
    """The operations of one or several functions, each entry `[name, *operands]`, an operand being an earlier index.

    Leaves are `["in", "sigma"]` and `["num", 2.5]` (NaN and the infinities as strings, for JSON has none), and
    `["list", [...]]`, the data of an "interp". Truth values are 0 and 1.

    Without `lists`, for a player that has none, np.interp is written as arithmetic. Among points, an array of as many
    numbers as there are points, its `size`, is an input of its own, whose numbers are kept in `data`.
    """

    def __init__(self, lists: bool = True) -> None:
        self.operations: list[list] = []
        self.lists = lists
        self.size = 0
        self.data: dict[str, NDArray] = {}
        self._seen: dict[tuple, int] = {}

    def input(self, name: str) -> "Traced":
        """The stand-in for a slider's number; the same name gives the same entry."""
        return Traced(self, self._write("in", name), np.dtype(np.float64))

    def along(self) -> "Traced":
        """The stand-in for the numbers of the points, 0, 1, 2, ..., one for each."""
        return Traced(self, self._array("points", np.arange(self.size)), np.dtype(np.float64))

    def output(self, value: Any) -> int:
        """The entry that holds a function's result, which may also be a plain number.

        Raises
        ------
        NotTraceable : an array, a list, None, ... : the function has not been one of its arguments
        """
        return self._operand("a function's result", value)[0]

    def finish(self, outputs: Sequence[int]) -> tuple[list[list], list[int]]:
        """The operations that `outputs` need, in order, and the indices of `outputs` among them.

        >>> tape = Tape()
        >>> unused, used = tape.output(7.0), tape.output(tape.input("k") + 1)
        >>> tape.finish([used])
        ([['in', 'k'], ['num', 1.0], ['add', 0, 1]], [2])
        """
        used = sorted(needed(self.operations, *outputs))
        place = {old: new for new, old in enumerate(used)}
        return [_renumbered(self.operations[old], place) for old in place], [place[index] for index in outputs]

    def _write(self, name: str, *arguments: Any) -> int:
        if name in _COMMUTATIVE:
            arguments = tuple(sorted(arguments))
        key = (name, float(arguments[0]).hex()) if name == "num" else (name, *arguments)  # hex tells 0 from -0
        key = (name, str(arguments)) if name == "list" else key
        if key not in self._seen:
            self._seen[key] = len(self.operations)
            self.operations.append([name, *arguments])
        return self._seen[key]

    def _operand(self, operation: str, value: Any) -> tuple[int, Any]:
        """An operand's index, and what NumPy needs to find the result's type: a dtype, or a plain Python number."""
        if isinstance(value, Traced):
            if value._tape is not self:
                raise NotTraceable(f"{operation} on values of two tapes", "the arguments of one function only")
            if value._changed:
                raise NotTraceable("another name of a value that += or its like has changed", _NEW)
            return value._index, value._dtype
        number = np.asarray(value)
        if self.size and number.ndim and number.dtype.kind in "biuf":
            return self._array(operation, number), number.dtype
        if number.ndim:
            raise NotTraceable(f"{operation} on a list or an array", _NUMBERS)
        if number.dtype.kind not in "biuf":
            raise NotTraceable(f"{operation} on {value!r} of type {type(value).__name__}", _REAL)
        plain = type(value) in (int, float)
        return self._write("num", _jsonable(float(number))), value if plain else number.dtype

    def _array(self, operation: str, numbers: NDArray) -> int:
        if numbers.shape != (self.size,):
            form = f"arrays of {self.size} numbers, as many as there are points"
            raise NotTraceable(f"{operation} on an array of the shape {numbers.shape}", form)
        values = numbers.astype(float)
        name = named("array_", values)
        self.data[name] = values
        return self._write("in", name)


def _refuse(operation: str, instead: str) -> Callable[..., NoReturn]:
    def refused(self: "Traced", *arguments: Any, **keywords: Any) -> NoReturn:
        raise NotTraceable(operation, instead)

    return refused


def _rebinds(operator: str) -> Callable:
    """`x += y` is `x = x + y`, but an array changes under all its names: the others are refused from then on."""
    plain = getattr(NDArrayOperatorsMixin, operator)

    def rebound(self: "Traced", other: Any) -> Any:
        value = plain(self, other)
        self._changed = True
        return value

    return rebound


class Traced(NDArrayOperatorsMixin):
    """The stand-in for one float64: NumPy's functions and operators on it are written on its tape."""

    __slots__ = ("_changed", "_dtype", "_index", "_tape")
    is_traced = True

    def __init__(self, tape: Tape, index: int, dtype: np.dtype) -> None:
        self._tape, self._index, self._dtype = tape, index, dtype
        self._changed = False

    def __repr__(self) -> str:
        return f"Traced({self._tape.operations[self._index]})"

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> "Traced":
        if method != "__call__":
            added = ufunc is np.add and method == "reduce"
            instead = _INSTEAD["sum"] if added else f"functools.reduce({_name(ufunc)}, [...])"
            raise NotTraceable(f"{_name(ufunc)}.{method}", instead)
        if "out" in keywords:
            raise NotTraceable(f"{_name(ufunc)} into an array (out=, or += on an array)", "a new name: y = y + x")
        if keywords:
            raise NotTraceable(f"{_name(ufunc)} with {', '.join(keywords)}=", f"plain {_name(ufunc)}, and np.where")
        if ufunc is np.positive:
            return Traced(self._tape, self._index, self._dtype)
        if ufunc in _SWAPPED:
            ufunc, inputs = _SWAPPED[ufunc], inputs[::-1]
        if ufunc in composed.UFUNCS:
            return composed.UFUNCS[ufunc](*inputs)
        if ufunc not in UFUNCS:
            raise NotTraceable(_name(ufunc), _instead(ufunc.__name__))
        indices, types = zip(*(self._tape._operand(_name(ufunc), value) for value in inputs), strict=True)
        dtype = _result_type(ufunc, types)
        if ufunc is np.power and type(inputs[1]) in (int, float) and inputs[1] == 2:
            return Traced(self._tape, self._tape._write("square", indices[0]), dtype)
        return Traced(self._tape, self._tape._write(UFUNCS[ufunc], *indices), dtype)

    def __array_function__(self, function: Callable, types: Any, arguments: tuple, keywords: dict) -> "Traced":
        if function in composed.FUNCTIONS:
            return composed.FUNCTIONS[function](*arguments, **keywords)
        if function not in _FUNCTIONS:
            raise NotTraceable(_name(function), _instead(function.__name__))
        return _FUNCTIONS[function](self._tape, *arguments, **keywords)

    def __getitem__(self, key: Any) -> "Traced":
        if isinstance(key, tuple) and key == ():  # x[()] turns a 0-d array into its number: nothing to do
            return self
        raise NotTraceable("an index (x[...])", "np.where; every argument is one number here")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # protocols (copying, NumPy's interfaces) ask for these and expect a plain no
            raise AttributeError(name)
        raise _NoAttributeError(f"the attribute .{name}", _instead(name))

    __iadd__, __isub__, __imul__, __itruediv__ = map(_rebinds, ("__add__", "__sub__", "__mul__", "__truediv__"))
    __ifloordiv__, __imod__, __ipow__ = map(_rebinds, ("__floordiv__", "__mod__", "__pow__"))
    __iand__, __ior__, __ixor__ = map(_rebinds, ("__and__", "__or__", "__xor__"))
    __bool__ = _refuse("the truth of a value (if, while, and, or, not, min, max, 0 < x < 1)", _TRUTH)
    __float__ = __int__ = __index__ = __complex__ = _refuse("a conversion to a number (float, int, math.*)", _NUMBER)
    __round__ = __trunc__ = __floor__ = __ceil__ = _refuse("rounding outside NumPy", "np.rint, np.floor or np.ceil")
    __array__ = _refuse("an array of values", _LIST)
    __iter__ = __len__ = __contains__ = __reversed__ = _refuse("a walk through a value", _ONE)
    __setitem__ = __delitem__ = _refuse("a change in place", "np.where, and a new name")
    __hash__ = _refuse(
        "a value as a key (dict, set, functools.cache)",
        "np.where, or np.interp(choice, np.arange(2), list(values.values())) for a number of each option",
    )
    __format__ = _refuse("a value's digits in a text", _DIGITS)


def play(operations: Sequence[Sequence], inputs: Mapping[str, ArrayLike]) -> list:
    """Every operation's value, by NumPy itself: what the page must show.

    >>> play([["in", "k"], ["num", 2.0], ["mul", 0, 1]], {"k": [1, 2]})[2]
    array([2., 4.])
    """
    values: list = []
    with np.errstate(all="ignore"):
        for name, *arguments in operations:
            if name == "in":
                values.append(np.asarray(inputs[arguments[0]], dtype=np.float64)[()])
            elif name in ("num", "list"):
                values.append(np.asarray(arguments[0], dtype=np.float64)[()])
            else:
                values.append(_PLAYED[name](*(values[index] for index in arguments)))
    return values


def operands(operation: Sequence) -> list[int]:
    """The earlier operations that this one needs.

    >>> operands(["mul", 1, 4]), operands(["in", "k"])
    ([1, 4], [])
    """
    return [] if operation[0] in LEAVES else list(operation[1:])


def needed(operations: Sequence[Sequence], *places: int) -> set[int]:
    """The places of all operations that lead to these ones, themselves included.

    >>> needed([["in", "k"], ["in", "a"], ["log", 0]], 2)
    {0, 2}
    """
    found = set(places)
    for index in range(max(places, default=-1), -1, -1):
        if index in found:
            found.update(operands(operations[index]))
    return found


def _renumbered(operation: list, place: Mapping[int, int]) -> list:
    return [operation[0], *(place[index] for index in operands(operation))] if operands(operation) else operation


def _where(tape: Tape, condition: Any, *choices: Any) -> Traced:
    if len(choices) != 2:
        raise NotTraceable("np.where with one argument", "np.where(condition, a, b)")
    indices, types = zip(*(tape._operand("np.where", value) for value in (condition, *choices)), strict=True)
    return Traced(tape, tape._write("where", *indices), np.result_type(*types[1:]))


def _clip(tape: Tape, x: Any, a_min: Any = None, a_max: Any = None, **keywords: Any) -> Any:
    low, high = keywords.pop("min", a_min), keywords.pop("max", a_max)
    if keywords:
        raise NotTraceable(f"np.clip with {', '.join(keywords)}=", "np.clip(x, low, high)")
    raised = x if low is None else np.maximum(x, low)
    return raised if high is None else np.minimum(raised, high)


def _select(tape: Tape, conditions: Sequence, choices: Sequence, default: Any = 0) -> Any:
    pairs = list(zip(conditions, choices, strict=True))
    for condition, _ in pairs:
        _truth(tape, condition)
    return functools.reduce(lambda rest, pair: _where(tape, *pair, rest), reversed(pairs), default)


def _truth(tape: Tape, condition: Any) -> None:
    kind = tape._operand("np.select", condition)[1]
    if kind != np.bool_:
        raise NotTraceable("np.select with a condition that is no truth value", "comparisons")


def _interp(
    tape: Tape, x: Any, xp: Any, fp: Any, left: float | None = None, right: float | None = None, period: Any = None
) -> Any:
    instead = "np.interp(x, xs, ys) with as many plain numbers in xs as in ys, two or more, and those in xs increasing"
    if period is not None:
        raise NotTraceable("np.interp with a period", instead)
    if any(isinstance(value, Traced) for value in [xp, fp, left, right, *(xp if isinstance(xp, list | tuple) else [])]):
        raise NotTraceable("np.interp with a point that a slider moves to the side", _INSTEAD["interp"])
    xs, ys = np.asarray(xp, dtype=float), list(fp) if np.ndim(xp) == 1 else []
    plain = [value for value in [*np.ravel(xs), *ys] if not isinstance(value, Traced)]
    if len(ys) != len(xs) or len(ys) < 2 or not np.isfinite(plain).all() or any(np.diff(xs) <= 0):
        raise NotTraceable("np.interp of these points", instead)
    ends = (ys[0] if left is None else left, ys[-1] if right is None else right)
    if not tape.lists or len(plain) < 2 * len(xs):
        return composed.interpolated(x, xs, ys, *ends)
    if len(xs) > MOST_POINTS:
        raise NotTraceable(f"np.interp of {len(xs)} points", f"at most {MOST_POINTS}, such as xs[::5] and ys[::5]")
    data = [len(xs), *map(_jsonable, map(float, (*ends, *xs, *ys)))]
    places = tape._operand("np.interp", x)[0], tape._write("list", data)
    return Traced(tape, tape._write("interp", *places), np.dtype(np.float64))


def _interpolated(x: Any, data: NDArray) -> Any:
    """np.interp of a list: how many points, the values beyond the ends, then the points and their heights."""
    (count, left, right), points = data[:3], data[3:]
    return np.interp(x, points[: int(count)], points[int(count) :], left, right)


_FUNCTIONS: dict[Callable, Callable] = {np.where: _where, np.clip: _clip, np.select: _select, np.interp: _interp}
_PLAYED: dict[str, Callable] = {name: ufunc for ufunc, name in reversed(UFUNCS.items())} | {"where": np.where}
_PLAYED["interp"] = _interpolated
_PLAYED |= {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "not": np.logical_not}


@functools.cache
def _resolved(ufunc: np.ufunc, types: tuple) -> np.dtype:
    return ufunc.resolve_dtypes((*types, None))[-1]


def _result_type(ufunc: np.ufunc, types: Sequence) -> np.dtype:
    """The result's type by NumPy's own rules; refused where its values would differ from float64's."""
    kinds = tuple(type(kind) if isinstance(kind, int | float) else kind for kind in types)
    try:
        dtype = _resolved(ufunc, kinds)
    except TypeError:  # NumPy refuses too: & of float64, - of truth values
        dtype = None
    name = UFUNCS[ufunc]
    if dtype == np.float64 or (dtype == np.bool_ and name in _TRUTHS) or (dtype == np.int64 and name in _WHOLE):
        return dtype
    names = " and ".join(getattr(kind, "__name__", None) or str(kind) for kind in kinds)
    raise NotTraceable(
        f"{_name(ufunc)} of {names}",
        "& | ~ on comparisons only, and arithmetic on floats only: np.where(x > 0, 1.0, 0.0) in place of x > 0",
    )


def _jsonable(number: float) -> float | str:
    return number if np.isfinite(number) else full(number)


def _name(function: Callable) -> str:
    """How a reader would write it: np.fmin, special.gamma."""
    name = function.__name__
    home = "np." if getattr(np, name, None) is function else "special." if hasattr(special, name) else ""
    return home + name


def _instead(name: str) -> str:
    """What to write in place of a NumPy or SciPy function."""
    known = "arithmetic, np.where, np.clip, np.select and the elementwise functions that help(lf.NotTraceable) lists"
    return _INSTEAD.get(name, known)


def _source(frames: Iterable[tuple[FrameType, int]]) -> tuple[str, int, str]:
    """The line that asked for it, and the function of NumPy or SciPy that it called, if there is another to write.

    The line is the innermost one outside livefigures, NumPy, SciPy and pandas; but of a function that a solver calls it
    is the line that calls the solver. `frames` begin with the innermost one.
    """
    place, called, inside = None, "", []
    for frame, lineno in frames:
        code = frame.f_code
        pandas = _PANDAS in code.co_filename
        if pandas or code.co_filename.startswith(_HERE):
            if place and code.co_filename.startswith(_HERE[0]):
                break  # what has called the traced function
            name = code.co_qualname.split(".")[0 if code.co_name in ("__init__", "__new__") else -1]
            if name == "__call__":  # of a spline, made before
                name = type(frame.f_locals.get("self")).__name__
            inside.append("pandas" if pandas else name)
            continue
        known = [name for name in inside if name in _INSTEAD]
        called = known[-1] if known else called
        if place is None or known:
            place = code.co_filename, lineno
        inside = []
    asked = re.search(_WITH_ARRAYS, linecache.getline(*place)) if called == "pandas" and place else None
    return *(place or ("", 0)), asked[1] if asked else called  # what the data of pandas are for


def _call(name: str) -> str:
    return name if name == "pandas" else f"{name}()"


def _written(filename: str, lineno: int) -> str:
    """A place in a file or in a notebook's cell, and the line that stands there."""
    line = linecache.getline(filename, lineno).strip()
    place = f"line {lineno} of its cell" if "ipykernel_" in filename else f"{filename}:{lineno}"
    return f"{place}: `{line if len(line) <= 100 else line[:97] + '...'}`"
