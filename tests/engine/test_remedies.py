"""What the message about a function says is tried: the function is written as it says, and gives the same numbers."""

import functools
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pandas
import pytest
from scipy import special, stats
from scipy.integrate import cumulative_trapezoid, odeint
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator, interp1d
from scipy.optimize import brentq, curve_fit, fsolve, minimize_scalar

import livefigures as lf
from livefigures.trace.programme import MAX_OPERATIONS
from livefigures.trace.tracing import Tape

VALUES = np.random.default_rng(1).normal(size=11)
SUM = "sum(f(x * (i + 0.5) / 200) for i in range(200)) * x / 200"
MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


def figure(curve, **changes):
    declared = {
        "name": "tried",
        "x": lf.slider("t", 0, 10, at=4, integer=True),
        "y": ("y", -100, 200),
        "sliders": [lf.slider("s", 0.5, 1, at=0.6, step=0.1)],
        "curves": {"q": curve},
    }
    return lf.Figure(**declared | changes)


def said(curve, **changes):
    """What the declaration of this curve is rejected with."""
    with pytest.raises(lf.FigureError) as refusal:
        figure(curve, **changes)
    return str(refusal.value)


def halving(f, low, high):
    side = np.sign(f(low))
    for _ in range(50):
        middle = (low + high) / 2
        left = np.sign(f(middle)) == side
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return (low + high) / 2


def summed_to_a_whole(s, t, steps):
    total = 0.0
    for i in steps(t):
        total = total + s * i
    return total


def summed(s, t):
    total = 0.0
    for i in range(100):
        total = np.where(i < t, total + s * i, total)
    return total


def put_into_an_array(s, t):
    k = np.zeros(41)
    k[0] = s
    for i in range(40):
        k[i + 1] = 0.9 * k[i]
    return k[40] * t


def put_into_a_list(s, t):
    k = [s]
    for _ in range(40):
        k.append(0.9 * k[-1])
    return k[40] * t


def area(s, t):
    z = np.linspace(0, t, 201)
    return np.trapezoid(s * z**2, z)


def area_as_a_sum(s, t):
    return sum(s * (t * (i + 0.5) / 200) ** 2 for i in range(200)) * t / 200


def solved(s, t):
    (a11, a12), (a21, a22) = MATRIX
    return (s * a22 - t * a12) / (a11 * a22 - a12 * a21)


def pieces(s, t):
    return np.where(t < 5 * s, 0 + (1 - 0) * (t - 0) / (5 * s - 0), 1 + (2 - 1) * (t - 5 * s) / (10 - 5 * s))


def golden(f, a, b):
    for _ in range(60):
        c, d = b - 0.618 * (b - a), a + 0.618 * (b - a)
        left = f(c) < f(d)
        a, b = np.where(left, a, c), np.where(left, d, b)
    return f((a + b) / 2)


def run(code, **names):
    """What a piece of a message gives."""
    return eval(code, {"np": np, **names})


CONVOLVE = "[sum(a[n - k] * b[k] for k in range(n + 1)) for n in range(40)]"
DIFF = "[b - a for a, b in zip(values, values[1:])]"


MEASURED = pandas.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 4.0, 5.0, 9.0]})
SLOPE, LEVEL = curve_fit(lambda x, a, b: a * x + b, MEASURED["x"], MEASURED["y"])[0]


def fitted(s, t):
    a, b = curve_fit(lambda x, a, b: a * x + b, MEASURED["x"], MEASURED["y"] * s)[0]
    return a * t + b


KNOTS = [0.0, 5.0, 10.0], [0.0, 1.0, 2.0]
ROWS = [[height, 2 * height + 1] for height in KNOTS[1]]
GRID = RegularGridInterpolator(([0, 1], KNOTS[0]), np.transpose(ROWS), bounds_error=False)
LINES, CUBIC = interp1d(*KNOTS), CubicSpline(*KNOTS)


def read_by_whole(s, t):
    return VALUES[int(t)] * s


def read_by_type(s, t):
    return VALUES[t.astype(int)] * s


def read(s, t):
    return np.interp(t, np.arange(len(VALUES)), VALUES) * s


TIMES = [0.0, 1.0, 2.0, 3.0, 4.0]


def hill(s, t):
    return [u * (t * s - u) for u in TIMES]


def place_of_the_largest(s, t):
    values = hill(s, t)
    top, at = values[0], TIMES[0]
    for time, i in zip(TIMES, values, strict=True):
        at = np.where(i > top, time, at)
        top = np.maximum(top, i)
    return at


def largest_of(values):
    return np.array(values).max()


def newton_until(square):
    root = square
    while abs(root * root - square) > 1e-9:
        root = (root + square / root) / 2
    return root


def larger_eigenvalue(a, b, c, d):
    return (a + d) / 2 + np.sqrt(((a - d) / 2) ** 2 + b * c)


def eigenvalue_of_an_array(s, t):
    matrix = np.array([[s, t], [s, 2.0]])
    return np.linalg.eigvals(matrix).max()


# What authors write: the function, a piece of what is said of it, and the function as it is written then.
REMEDIES = {
    "brentq": (
        lambda s, t: brentq(lambda z: z - s * t, -1, 20),
        "brentq() cannot be traced",
        lambda s, t: halving(lambda z: z - s * t, -1, 20),
    ),
    "brentq of a falling function": (
        lambda s, t: brentq(lambda z: s * t + 1 - z**3, -1, 20),
        "left = np.sign(f(middle)) == side; low, high = np.where(left, middle, low), np.where(left, high, middle)",
        lambda s, t: halving(lambda z: s * t + 1 - z**3, -1, 20),
    ),
    "brentq up to a slider": (  # SciPy's own words are "Unable to parse arguments"
        lambda s, t: brentq(lambda z: z**3 - s, 0, s + t + 1),
        "use halving an interval at whose ends f has different signs: side = np.sign(f(low))",
        lambda s, t: halving(lambda z: z**3 - s, 0, s + t + 1),
    ),
    "fsolve": (
        lambda s, t: fsolve(lambda z: z - s * t, 1.0)[0],
        "fsolve() cannot be traced",
        lambda s, t: halving(lambda z: z - s * t, -1, 20),
    ),
    "range(int(t))": (
        lambda s, t: summed_to_a_whole(s, t, lambda t: range(int(t))),
        "use a loop over a fixed range",
        summed,
    ),
    "range(t)": (lambda s, t: summed_to_a_whole(s, t, range), "so write a loop over a fixed range", summed),
    "array that is filled": (put_into_an_array, "use a list in place of the array: k = [first]", put_into_a_list),
    "values[t]": (lambda s, t: VALUES[t] * s, "read an array with np.interp(t, np.arange(len(values)), values)", read),
    "values[int(t)]": (read_by_whole, "use np.interp(t, np.arange(len(values)), values), which is values[t]", read),
    "values[t.astype(int)]": (read_by_type, "np.interp(t, np.arange(len(values)), values), which is values[t]", read),
    "interp of a point that moves to the side": (
        lambda s, t: np.interp(t, [0, 5 * s, 10], [0, 1, 2]),
        "or the pieces themselves where a slider moves a point to the side",
        pieces,
    ),
    "interp of an array": (
        lambda s, t: np.interp(t, [0, 5, 10], np.array([0, s, 1])),
        "np.interp(x, xs, ys) with plain numbers for xs and a list for ys",
        lambda s, t: np.interp(t, [0, 5, 10], [0, s, 1]),
    ),
    "array of two unknowns": (
        lambda s, t: (np.array([s, t]) * 2.0)[1],
        "use a tuple or a list, (a, b), in place of np.array([a, b])",
        lambda s, t: [2.0 * each for each in (s, t)][1],
    ),
    "solve": (lambda s, t: np.linalg.solve(MATRIX, np.array([s, t]))[0], "use the formula of the solution", solved),
    "@": (
        lambda s, t: (MATRIX @ np.array([s, t]))[0],
        "sum(a * b for a, b in zip(first, second)) for a sum or @",
        lambda s, t: sum(a * b for a, b in zip(MATRIX[0], [s, t], strict=True)),
    ),
    "PchipInterpolator": (
        lambda s, t: PchipInterpolator([0, 5, 10], [0, 1, 2])(t * s),
        "use np.interp(x, xs, ys) if straight pieces do",
        lambda s, t: np.interp(t * s, [0, 5, 10], [0, 1, 2]),
    ),
    "cumsum of terms": (
        lambda s, t: np.cumsum([s, t])[1],
        "use list(itertools.accumulate([...])) for terms in a list",
        lambda s, t: list(itertools.accumulate([s, t]))[1],
    ),
    "sum over an array": (
        lambda s, t: np.sum(np.exp(-s * VALUES**2)) * t,
        "sum(f(a, u) for u in values) in place of np.sum(f(a, values))",
        lambda s, t: sum(np.exp(-s * u**2) for u in VALUES) * t,
    ),
    "Python's sum of an array": (
        lambda s, t: sum(np.exp(-s * VALUES**2)) * t,
        "use sum([rate * x for rate in rates]) for the sum of an array rates * x; np.sum is for numbers",
        lambda s, t: sum([np.exp(-s * u**2) for u in VALUES]) * t / np.sum(VALUES) * sum(VALUES),
    ),
    "running sum times a slider": (
        lambda s, t: np.interp(t, np.arange(11), np.cumsum(s * VALUES)),
        "a factor goes outside: a * np.interp(x, xs, ys)",
        lambda s, t: s * np.interp(t, np.arange(11), np.cumsum(VALUES)),
    ),
    "complex number": (
        lambda s, t: np.abs(1 / (s + 1j * t)),
        "the modulus 1 / np.sqrt(a**2 + b**2)",
        lambda s, t: 1 / np.sqrt(s**2 + t**2),
    ),
    "wave": (
        lambda s, t: np.exp(1j * s * t).real,
        "for np.exp(1j * x) its real part np.cos(x) and its imaginary part np.sin(x)",
        lambda s, t: np.cos(s * t),
    ),
    "phase": (
        lambda s, t: np.angle(1 / (s + 1j * t)),
        "the phase np.arctan2(-b, a)",
        lambda s, t: np.arctan2(-t, s),
    ),
    "polyval of sliders": (
        lambda s, t: np.polyval([0.1, 2.0, 1.0 * s], 10 * VALUES[1]) * t,
        "Horner's rule: (c2 * x + c1) * x + c0",
        lambda s, t: ((0.1 * (10 * VALUES[1]) + 2.0) * (10 * VALUES[1]) + 1.0 * s) * t,
    ),
    "quantile": (
        lambda s, t: stats.t.ppf(s / 3, t),
        "where f(middle) is cdf(middle) - q",
        lambda s, t: halving(lambda middle: stats.t.cdf(middle, t) - s / 3, -5, 5),
    ),
    "upper tail": (
        lambda s, t: stats.t.sf(s, t),
        "sf() cannot be traced",
        lambda s, t: 1 - stats.t.cdf(s, t),
    ),
    "minimize_scalar": (
        lambda s, t: minimize_scalar(lambda z: (z - s) ** 2 + t, bounds=(0, 10), method="bounded").fun,
        "golden sections in a loop",
        lambda s, t: golden(lambda z: (z - s) ** 2 + t, 0, 10),
    ),
    "searchsorted": (
        lambda s, t: np.searchsorted([1, 2, 5], s * t, side="right"),
        "sum(np.where(x >= edge, 1.0, 0.0) for edge in edges)",
        lambda s, t: sum(np.where(s * t >= edge, 1.0, 0.0) for edge in [1, 2, 5]),
    ),
    "digitize": (
        lambda s, t: np.array([0.1, s, 0.4])[np.digitize(t, [3.0, 6.0])],
        "use np.select([x < 10, x < 40], [a, b], c) for a value of each interval",
        lambda s, t: np.select([t < 3.0, t < 6.0], [0.1, s], 0.4),
    ),
    "interp1d": (lambda s, t: LINES(s * t), "interp1d() cannot be traced", lambda s, t: np.interp(s * t, *KNOTS)),
    "table of two dimensions": (
        lambda s, t: GRID((s, t)),
        "RegularGridInterpolator() cannot be traced",
        lambda s, t: np.interp(t, KNOTS[0], [np.interp(s, [0, 1], row) for row in ROWS]),
    ),
    "cubic spline": (lambda s, t: CUBIC(s * t), "use np.interp(x, xs, ys)", lambda s, t: np.interp(s * t, *KNOTS)),
    "vectorize": (
        lambda s, t: np.vectorize(lambda x: 1.0 if x > 3 else 2.0)(s * t),
        "use the function itself, f(x), with np.where(condition, a, b) for if",
        lambda s, t: np.where(s * t > 3, 1.0, 2.0),
    ),
    "diff": (
        lambda s, t: np.diff([0, s, 3.0])[1] * t,
        DIFF,
        lambda s, t: run(DIFF, values=[0, s, 3.0])[1] * t,
    ),
    "convolution": (
        lambda s, t: np.convolve([s, s * s, 1.0], [t, 1.0, 2.0])[2],
        CONVOLVE,
        lambda s, t: run(CONVOLVE, a=[s, s * s, 1.0] + 37 * [0.0], b=[t, 1.0, 2.0] + 37 * [0.0])[2],
    ),
    "curve_fit of pandas": (
        fitted,
        "use numbers that are fitted before the figure, at fixed settings, with the data as lf.Points",
        lambda s, t: s * (SLOPE * t + LEVEL),
    ),
    "max of a list": (
        lambda s, t: max([s * t, 2.0, t**2 / 4]),
        "functools.reduce(np.maximum, values) for max(values)",
        lambda s, t: functools.reduce(np.maximum, [s * t, 2.0, t**2 / 4]),
    ),
    "max of an array": (
        lambda s, t: largest_of([s * t, 2.0, t**2 / 4]),
        "functools.reduce(np.maximum, values) for np.array(values).max()",
        lambda s, t: functools.reduce(np.maximum, [s * t, 2.0, t**2 / 4]),
    ),
    "place of the largest": (
        lambda s, t: TIMES[np.argmax(hill(s, t))],
        "at = np.where(i > top, t, at); top = np.maximum(top, i)",
        place_of_the_largest,
    ),
    "root by a while": (
        lambda s, t: newton_until(s * t + 1),
        "as many steps as the slowest setting needs (compare with twice as many), or for a root halving an interval",
        lambda s, t: halving(lambda z: s * t + 1 - z * z, 0, 20),
    ),
    "special function": (
        lambda s, t: special.j1(s * t),
        "np.interp(u, grid, special.j1(grid)), which reads a table of a function of one number u, where grid",
        lambda s, t: np.interp(s * t, np.linspace(0, 10, 2000), special.j1(np.linspace(0, 10, 2000))),
    ),
    "special function of a given order": (
        lambda s, t: special.jv(2, s * t),
        "np.interp(u, grid, special.jv(..., grid))",
        lambda s, t: np.interp(s * t, np.linspace(0, 10, 2000), special.jv(2, np.linspace(0, 10, 2000))),
    ),
    "spherical Bessel function": (
        lambda s, t: special.spherical_jn(0, s * t),
        "np.interp(u, grid, special.spherical_jn(..., grid))",
        lambda s, t: np.interp(s * t, np.linspace(0, 10, 2000), special.spherical_jn(0, np.linspace(0, 10, 2000))),
    ),
    "special function of several results": (
        lambda s, t: special.sici(s * t)[0],
        "np.interp(u, grid, special.sici(grid)[0])",
        lambda s, t: np.interp(s * t, np.linspace(0, 10, 2000), special.sici(np.linspace(0, 10, 2000))[0]),
    ),
    "factorial": (
        lambda s, t: special.factorial(t) * s,
        "use np.exp(special.gammaln(n + 1))",
        lambda s, t: np.exp(special.gammaln(t + 1)) * s,
    ),
    "eigenvalues of a list": (
        lambda s, t: np.linalg.eigh([[1 + s, -s], [-s, 1 + s * t]])[0][1],
        "eigh() cannot be traced",
        lambda s, t: larger_eigenvalue(1 + s, -s, -s, 1 + s * t),
    ),
    "eigenvalues of an array": (
        eigenvalue_of_an_array,
        "use numbers in place of a matrix: the formula of the eigenvalues, which for the matrix [[a, b], [c, d]] are "
        "(a + d) / 2 + root and (a + d) / 2 - root with root = np.sqrt(((a - d) / 2)**2 + b * c)",
        lambda s, t: larger_eigenvalue(s, t, s, 2.0),
    ),
    "digit": (
        lambda s, t: int(str(t + 10)[1]) * s,
        "a value has no digits while it is traced: np.rint(10 * x) / 10 for a rounded value, np.floor(x / 10) % 10",
        lambda s, t: np.floor(t + 10) % 10 * s,
    ),
    "text of a number": (
        lambda s, t: float(str(s * t).replace(",", ".")),
        "arithmetic in place of a text, since a value has no digits while it is traced",
        lambda s, t: s * t,
    ),
    "trapezoid": (area, "for an integral up to x sum(f(x * (i + 0.5) / 50)", area_as_a_sum),
}


@pytest.mark.parametrize("case", REMEDIES)
def test_a_function_written_as_its_message_says_gives_the_same_numbers(case):
    wrong, words, mended = REMEDIES[case]
    assert words in said(wrong)
    made = figure(mended)
    for s, t in itertools.product((0.5, 0.8, 1.0), (1, 4, 9)):
        plain = wrong(np.float64(s), t if case == "values[t]" or case == "range(t)" else np.float64(t))
        assert made.readings({"s": s, "t": t})["curves/q/y"] == pytest.approx(plain, rel=1e-4)


@pytest.mark.parametrize("mark", [lf.Reading, lambda place: lf.Point(place, 0)])
def test_a_table_of_the_largest_values_place_is_advised_once(mark):
    def place(s, t):
        return TIMES[np.argmax(hill(s, t))]

    told = said(lambda t: t, marks={"peak": mark(place)})
    assert "use Reading(function, lookup=True) or Point(x=function, y=..., lookup=True)" in told
    assert told.count("lookup=True") == 2
    assert said(place).endswith("a table of its values, where each argument is one number: Curve(..., lookup=True)")


def test_a_differential_equation_is_solved_as_its_message_writes():
    told = said(lambda t: odeint(lambda y, t: -0.3 * y, 1.0, [0, t])[1, 0])
    assert "use lf.ode(slope, start, t), which takes fixed steps" in told
    made = figure(lambda t: lf.ode(lambda y, t: -0.3 * y, 1.0, t))
    assert made.readings({"t": 10})["curves/q/y"] == pytest.approx(np.exp(-3), rel=1e-6)


def test_ode_agrees_with_a_solver_for_several_unknowns_and_a_slope_that_depends_on_the_time():
    def slope(y, t):
        return y[1], np.cos(2 * t) - 0.1 * y[1] - np.sin(y[0])

    times = np.linspace(0, 12, 25)
    expected = odeint(slope, (0.5, 0.0), times, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(np.transpose(lf.ode(slope, (0.5, 0.0), times, steps=200)), expected, atol=1e-5)
    each = r"it must give the change of each of them in a tuple, as in lambda y, t: \(y\[1\], -y\[0\]\)"
    with pytest.raises(ValueError, match=f"slope gives 1 numbers for 2 unknowns; {each}"):
        lf.ode(lambda y, t: (y[0],), (1.0, 2.0), 1.0)
    for one in (lambda y, t: -1, lambda y, t: -y[0], lambda y, t: np.array(1.0)):
        with pytest.raises(ValueError, match=f"slope gives one number for 2 unknowns; {each}"):
            lf.ode(one, (1.0, np.float64(2.0)), 1.0)
    assert "slope gives one number for 2 unknowns" in said(lambda s, t: lf.ode(lambda y, t: s, (1.0, 2.0), t)[0])
    with pytest.raises(ValueError, match="slope gives nothing for 2 unknowns"):
        lf.ode(lambda y, t: None, (1.0, 2.0), 1.0)
    for time in (1.0, np.float64(1.0)):
        with pytest.raises(ValueError, match=r"slope\(y, t\) takes the unknowns first"):
            lf.ode(lambda t, y: (y[0], y[1]), (1.0, 2.0), time)
    assert "slope(y, t) takes the unknowns first" in said(lambda t: lf.ode(lambda t, y: (y[1], y[0]), (1.0, 2.0), t)[0])
    assert "slope takes two arguments, the unknowns and the time" in said(lambda t: lf.ode(lambda y: -y, 1.0, t))
    assert lf.ode(lambda *given: -given[0], 1.0, 1.0) == pytest.approx(np.exp(-1), rel=1e-6)
    assert "slope(y, t) takes the unknowns first" in said(lambda t: lf.ode(lambda t, y: y * (1 - y), 0.01, t))
    assert "slope(y, t) takes the unknowns first" in said(lambda t: lf.ode(unpacked, (1.0, 2.0), t)[0])
    assert "it gave 2 results, of which a part shows one" in said(lambda t: lf.ode(slope, (0.5, 0.0), t))


def oscillator(t, steps, damping=0.0):
    return [lf.ode(lambda y, now: (y[1], -((2 * np.pi) ** 2) * y[0] - damping * y[1]), (1.0, 0.0), t, steps)[0]]


def two_oscillators(t, steps, damping=0.0):
    return [*oscillator(t, steps, damping), *oscillator(t, steps, 2 * damping)]


def coupled_oscillators(t, steps, damping=0.0):
    def slope(y, now):
        a, va, b, vb = y
        k = (2 * np.pi) ** 2
        return va, -k * a - 4 * (a - b) - damping * va, vb, -k * b - 4 * (b - a) - damping * vb

    return lf.ode(slope, (1.0, 0.0, 0.0, 0.0), t, steps)[::2]


@pytest.mark.parametrize(
    ("curves", "steps", "periods"),
    [
        (oscillator, 80, 5),
        (oscillator, 250, 13),
        (oscillator, 330, 13),
        (two_oscillators, 165, 10),
        (coupled_oscillators, 125, 8),
    ],
)
def test_as_many_periods_of_an_oscillation_fit_as_the_limits_say(curves, steps, periods):
    """The readme's numbers: the steps suffice for so many periods, and a page can play them."""
    times = np.linspace(0, periods, 201)
    for y, finer in zip(curves(times, steps), curves(times, 2 * steps), strict=True):
        assert np.max(abs(y - finer)) < 0.01 * np.max(abs(finer))
    tape = Tape()
    places = [tape.output(y) for y in curves(tape.input("t"), steps, tape.input("damping"))]
    assert len(tape.finish(places)[0]) <= MAX_OPERATIONS


def unpacked(t, y):
    """The order of solve_ivp."""
    a, b = y
    return b, -a


def test_what_cannot_be_traced_in_a_slope_is_told_there():
    def stepped(y, now):
        return -y if now > 3 else y

    def in_an_array(y, now):
        return np.array([y[1], -y[0]])

    told = said(lambda t: lf.ode(stepped, 1.0, t))
    assert "`return -y if now > 3 else y`" in told and "np.where(condition, a, b)" in told
    told = said(lambda t: lf.ode(in_an_array, (1.0, 0.0), t)[0])
    assert "`return np.array([y[1], -y[0]])`" in told and "use a tuple or a list" in told


@pytest.mark.parametrize("wrong", [lambda y: y[:, 1], lambda y: y.T[1]])
def test_an_unknown_of_ode_is_taken_out_of_its_tuple(wrong):
    def slope(y, t):
        return -0.3 * y[0], 0.3 * y[0]

    told = said(lambda t: wrong(lf.ode(slope, (1.0, 0.0), t)))
    assert told.endswith("lf.ode gives one value for each unknown: s, i = lf.ode(slope, start, t)")
    s, i = lf.ode(slope, (1.0, 0.0), 2.0)
    assert (s, s + i) == (pytest.approx(np.exp(-0.6), rel=1e-6), pytest.approx(1))
    times = [0.0, 1.0, 2.0]
    told = said(lambda t: np.interp(t, times, wrong(lf.ode(slope, (1.0, 0.0), times))))
    assert told.endswith("gives the unknowns at each of them: s, i = zip(*lf.ode(slope, start, times))")
    s, i = zip(*lf.ode(slope, (1.0, 0.0), times), strict=True)
    np.testing.assert_allclose(s, np.exp(-0.3 * np.array(times)), rtol=1e-6)


def test_an_axis_that_a_slider_would_move_is_a_gap_in_the_curve():
    way = "a range is fixed: give the longest one, and let a curve end by np.where(t <= days, ..., np.nan), with gap="
    assert way in said(lambda t: t, x=("t, days", 0, lambda days: days))
    assert way in said(lambda t: t, x=lf.slider("t", 0, lambda days: days))
    assert way in said(lambda t: t, y=("y", lambda s: s, 3))
    assert way not in said(lambda t: t, y=("y", np.nan, 3))
    made = figure(lf.Curve(lambda s, t: np.where(t <= 10 * s, t, np.nan), gap="over"))
    assert np.isnan(made.readings({"s": 0.5, "t": 6})["curves/q/y"])


def test_start_of_ode_may_be_an_array():
    tuples, arrays = (lf.ode(lambda y, t: (y[1], -y[0]), start, 2.0) for start in ((1.0, 0.0), np.array([1.0, 0.0])))
    assert tuples == arrays


@pytest.mark.parametrize(
    "wrong",
    [lambda s, t: lf.ode(lambda y, t, s: -s * y, 1.0, t, s), lambda s, t: lf.ode(lambda y, t: -y, 1.0, t, args=(s,))],
)
def test_further_arguments_of_a_slope_are_those_of_the_function_around_it(wrong):
    assert "write slope inside the curve's function, where it knows the sliders" in said(wrong)

    def curve(t, s):
        def slope(y, t):
            return -s * y

        return lf.ode(slope, 1.0, t)

    assert figure(curve).readings({"s": 0.5, "t": 4})["curves/q/y"] == pytest.approx(np.exp(-2), rel=1e-6)


def test_a_table_of_odeint_asks_for_two_times():
    told = said(lf.Curve(lambda s, t: odeint(lambda y, t: -s * y, 1.0, t)[-1], lookup=True))
    assert "odeint(s, start, [0, t])[-1, 0] is the first of them" in told
    made = figure(lf.Curve(lambda s, t: odeint(lambda y, t: -s * y, 1.0, [0, t])[-1, 0], lookup=True))
    assert made.readings({"s": 0.5, "t": 4})["curves/q/y"] == pytest.approx(np.exp(-2), rel=1e-6)


def test_a_figure_of_another_page_is_told_to_be_in_another_kernel(monkeypatch):
    monkeypatch.setenv("LIVEFIGURES_BUILDING", "1")
    with pytest.raises(KeyError, match=r"no figure 'growths' has been made; .* \(each page has its own kernel\)"):
        lf.figures["growths"]


def test_a_complex_result_and_a_misspelt_name_say_what_is_meant():
    told = said(lambda s, t: special.lambertw(s * t))
    assert "it must give real numbers, such as f(...).real" in told
    figure(lambda t: t)
    with pytest.raises(KeyError, match="no figure 'tired' has been made; did you mean 'tried'"):
        lf.figures["tired"]


@pytest.mark.parametrize("numbers", [np.array([1.0, 2.0]), [1.0, 2.0]])
def test_arithmetic_on_an_array_is_written_element_by_element(numbers):
    def wrong(s, t):
        return sum(numbers * np.clip(s * t, 0, 1))

    assert "[rate * x for rate in rates]" in said(wrong)
    made = figure(lambda s, t: sum([rate * np.clip(s * t, 0, 1) for rate in numbers]))
    assert made.readings({"s": 0.5, "t": 4})["curves/q/y"] == 3


def test_a_power_of_an_array_is_named_as_it_is_written():
    """The line's np.interp takes plain numbers only, which is another matter."""
    incomes = np.array([1.0, 2.0, 4.0])

    def wrong(s, t):
        return np.interp(s, [0, 1], [0, np.sum(incomes**s)]) * t

    assert "incomes**s, cannot be traced" in said(wrong) and "use [value ** s for value in incomes], or" in said(wrong)
    made = figure(lambda s, t: np.interp(s, [0, 1], [0, sum([value**s for value in incomes])]) * t)
    assert made.readings({"s": 0.5, "t": 4})["curves/q/y"] == pytest.approx(2 * (3 + np.sqrt(2)))


def test_ode_at_fixed_times_is_a_list_that_can_be_searched_and_interpolated():
    times = [0.0, 1.0, 2.0, 5.0, 10.0]

    def path(s):
        return lf.ode(lambda y, t: -s * y, 1.0, times, steps=10)

    made = figure(lambda s, t: np.interp(t, times, path(s)) + functools.reduce(np.maximum, path(s)))
    expected = np.interp(4.0, times, np.exp(-0.8 * np.array(times))) + 1
    assert made.readings({"s": 0.8, "t": 4})["curves/q/y"] == pytest.approx(expected, rel=1e-3)


def recursion(s, t):
    k = 1.0
    for i in range(10):
        k = np.where(i < t, 0.9 * k + s, k)
    return k


def grown(s, t):
    k = [1.0]
    for _ in range(10):
        k.append(0.9 * k[-1] + s)
    return np.interp(t, np.arange(11), k)


def test_the_term_of_a_difference_equation_is_chosen_in_its_loop():
    written = "for i in range(100): k = np.where(i < t, step(k), k)"
    assert written in said(put_into_an_array) and written in said(lambda s, t: [1.0, s, s**2][t])
    for mended in (recursion, grown):
        assert figure(mended).readings({"s": 0.7, "t": 6})["curves/q/y"] == pytest.approx(grown(0.7, 6))


def test_a_dictionary_and_a_series_are_read_by_interpolation():
    rates = {1.0: 3.0, 5.0: 4.0}
    assert "np.interp(x, keys, values), keys in order, reads a dictionary or a Series" in said(
        lambda s, t: rates[t] * s
    )
    made = figure(lambda s, t: np.interp(t, list(rates), list(rates.values())) * s)
    assert made.readings({"s": 0.5, "t": 5})["curves/q/y"] == 2


def test_what_pandas_does_names_the_authors_line_and_another_way():
    series = pandas.Series([2.0, 3.0, 5.0], index=[1.0, 4.0, 9.0])
    for wrong in (lambda s, t: series[t] * s, lambda s, t: series.loc[t] * s):
        assert "keys in order, reads a dictionary or a Series" in said(wrong)
    told = said(lambda s, t: (series * s).sum() * t)
    assert "pandas cannot be traced (" in told and "test_remedies.py" in told
    assert "np.interp(x, series.index, series.values) for one from a Series, and list(table['cases'])" in told
    assert "np.interp(x, table['day'], table['cases']) for a number from two columns" in told
    at = lambda t: MEASURED.loc[t == MEASURED.x, "y"]  # noqa: E731
    for wrong in (lambda s, t: at(t).iloc[0] * s, lambda s, t: at(t).to_numpy()[0] * s):
        assert "np.interp(t, table['day'], table['cases']) reads two columns" in said(wrong)
    made = figure(lambda s, t: np.interp(t, MEASURED["x"], MEASURED["y"]) * s)
    assert made.readings({"s": 0.5, "t": 4})["curves/q/y"] == 4.5
    made = figure(lambda s, t: np.interp(t, series.index, series.values) * s)
    assert made.readings({"s": 0.5, "t": 9})["curves/q/y"] == 2.5


@pytest.mark.parametrize(
    ("wrong", "mended"),
    [
        (lambda gas, t: {"He": 4.0, "N2": 28.0}[gas] * t, lambda gas, t: np.interp(gas, np.arange(2), [4.0, 28.0]) * t),
        (lambda gas, t: [4.0, 28.0][gas] * t, lambda gas, t: np.interp(gas, np.arange(2), [4.0, 28.0]) * t),
        (lambda gas, t: np.choose(gas, [4.0, 28.0]) * t, lambda gas, t: np.where(gas == 0, 4.0, 28.0) * t),
    ],
)
def test_values_of_a_choice_are_read_by_the_number_of_its_option(wrong, mended):
    gases = {"sliders": [lf.choice("gas", ("He", "N2"))]}
    told = said(wrong, **gases)
    assert "'gas' is the number of the option (He is 0, N2 is 1), so np.interp(gas, np.arange(2), values) reads" in told
    assert figure(mended, **gases).readings({"gas": 1, "t": 3})["curves/q/y"] == 84
    assert "so values[int(gas)] reads a list of 2 values" in said(lf.Curve(wrong, lookup=True), **gases)


@pytest.mark.parametrize("added_up", [np.cumsum, lambda ys: cumulative_trapezoid(ys, dx=1.0, initial=0)])
def test_what_is_added_up_along_the_x_axis_is_a_sum_for_each_x(added_up):
    assert f"sum for each x: {SUM}" in said(lambda s, t: added_up(s * t**2)).replace("over fixed points ", "")
    assert figure(area_as_a_sum).readings({"s": 0.6, "t": 5})["curves/q/y"] == pytest.approx(0.2 * 5**3, rel=1e-4)


@pytest.mark.parametrize("case", ["brentq", "fsolve", "values[int(t)]", "solve", "@", "PchipInterpolator", "trapezoid"])
def test_a_table_takes_what_cannot_be_traced(case):
    wrong, *_ = REMEDIES[case]
    assert said(wrong).endswith("Curve(..., lookup=True)") or "Curve(..., lookup=True)" in said(wrong)
    made = figure(lf.Curve(wrong, lookup=True))
    assert made.readings({"s": 0.8, "t": 4})["curves/q/y"] == pytest.approx(wrong(0.8, np.float64(4)))


def test_a_function_that_numpy_vectorizes_is_given_itself():
    def product(s, t):
        return s * t

    assert "give its function: Curve(product, lookup=True)" in said(np.vectorize(product))
    assert figure(lf.Curve(product, lookup=True)).readings({"s": 0.8, "t": 5}) == {"curves/q/y": 4}


def test_an_argument_with_a_default_is_a_constant_unless_a_slider_has_its_name():
    def power(s, t, alpha=0.5):
        return s * t**alpha

    made = figure(power)
    assert (made.follows("curves/q/y"), made.readings({"s": 0.5, "t": 9})) == (["s", "t"], {"curves/q/y": 1.5})
    moved = figure(power, sliders=[lf.slider("s", 0.5, 1), lf.slider("alpha", 0, 1, at=0.5)])
    assert moved.follows("curves/q/y") == ["s", "t", "alpha"]
    assert "'beta' without a slider; known: s, t; give it a value, a number as its default" in said(lambda beta, t: t)


def test_data_are_a_curve_by_interpolation_and_are_not_printed():
    xs, ys = np.arange(201.0), np.arange(201.0) ** 2
    told = said(ys)
    assert told.endswith('or as dots marks={"data": lf.Points(xs, ys)}), got an array of shape (201,)')
    assert figure(lambda t: np.interp(t, xs, ys)).readings({"s": 0.5, "t": 4}) == {"curves/q/y": 16}


def test_random_numbers_are_drawn_before_the_figure():
    rng = np.random.default_rng(2)
    for told in (said(lambda s, t: rng.normal(size=41) * s), said(lambda s, t: rng.normal(s, 1) * t)):
        assert "draw random numbers once, outside the function, with a fixed seed, and use the array" in told
        assert "lookup=True" not in told
    told = said(lambda s, t: float(t) * s * rng.normal(size=41))
    assert "random numbers, before the figure, and read them with np.interp(t, np.arange(len(values)), values)" in told
    values = np.random.default_rng(1).normal(size=100)
    made = figure(lambda s, t: sum(s * t * u for u in values) / 100)
    assert made.readings({"s": 0.5, "t": 3})["curves/q/y"] == pytest.approx(1.5 * values.mean())
    values = rng.normal(size=11)
    made = figure(lambda s, t: np.interp(t, np.arange(len(values)), values) * s)
    assert made.readings({"s": 0.5, "t": 3})["curves/q/y"] == pytest.approx(values[3] / 2)


def test_an_error_while_tracing_is_told_with_its_line():
    def looked_up(t):
        return {True: 1.0}[isinstance(t, float | np.ndarray)] * t

    assert "it raised KeyError: False, when it was traced (" in said(looked_up)
    assert "`return {True: 1.0}[isinstance(t, float | np.ndarray)] * t`); use NumPy's" in said(looked_up)


def test_an_array_that_a_condition_fills_is_written_with_where():
    def filled(s, t):
        y = np.zeros_like(t)
        y[t > 5 * s] = 3.0
        return y

    assert "use np.where(condition, a, b) for y[condition] = a" in said(filled)
    assert figure(lambda s, t: np.where(t > 5 * s, 3.0, 0.0)).readings({"s": 0.5, "t": 4})["curves/q/y"] == 3


def test_an_error_of_a_function_names_its_line():
    told = said(lambda t: np.sin(omega0 * t))  # noqa: F821
    assert (
        "raised NameError: name 'omega0' is not defined" in told
        and "at the sliders' defaults (" in told
        and "`told = said(lambda t: np.sin(" in told
    )

    def runge_kutta(s, t):
        y = [1.0, 0.0]
        for _ in range(10):
            middle = y + t / 20 * [y[1], -s * y[0]]
            y = middle
        return y[0]

    told = said(runge_kutta)
    assert "at the sliders' defaults (" in told and "`middle = y + t / 20 * [y[1], -s * y[0]]`)" in told
    assert (
        "[h * a for a in y], or with one variable for each unknown; a differential equation is solved by lf.ode" in told
    )


def test_a_misspelt_name_is_asked_about_as_python_does():
    omega = 2.0
    assert said(lambda t: np.sinn(omega * t)).endswith("; did you mean 'sin'?")
    assert said(lambda t: np.sin(omega * t) + omeag).endswith("; did you mean 'omega'?")  # noqa: F821
    told = said(lambda t: np.zzzzzz(omega * t))
    assert told.endswith("`told = said(lambda t: np.zzzzzz(omega * t))`)")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda t: np.ones(5), "gave shape (5,) ("),
        (lambda t: np.ones(3) * t, "setting an array element with a sequence, at the sliders' defaults ("),
    ],
)
def test_an_array_of_another_shape_is_told_with_the_line_of_its_function(wrong, words):
    told = said(wrong)
    assert f"{words}{__file__}:{wrong.__code__.co_firstlineno}: `" in told


def test_a_division_by_zero_at_the_cursor_is_infinite_as_on_a_page():
    made = figure(lambda t: 1 / (t - 4))
    assert made.readings(made.defaults) == {"curves/q/y": np.inf}
    told = said(lf.Curve(lambda t: 1 / (math.sqrt(t) - 2), lookup=True))
    assert "division by zero, at t" in told.replace("the sliders' defaults", "t") and told.endswith("leaves a gap")


def test_fixed_times_of_ode_are_a_list():
    times = np.linspace(0, 10, 11)

    def path(times, s):
        return lf.ode(lambda y, t: (y[1], -s * y[0]), (1.0, 0.0), times, steps=20)

    assert "use a list, lf.ode(slope, start, list(times))" in said(lambda s, t: np.interp(t, times, path(times, s)[0]))
    told = said(lambda s, t: np.interp(t, times, [y[0] for y in path(times, s)]))
    assert "lf.ode gives them at fixed times if these are a list, lf.ode(slope, start, list(times))" in told
    made = figure(lambda s, t: np.interp(t, times, [y[0] for y in path(list(times), s)]))
    assert made.readings({"s": 1.0, "t": 4})["curves/q/y"] == pytest.approx(np.cos(4), abs=1e-4)


def test_table_of_two_dimensions_is_read_as_scipy_reads_it_in_ten_operations_a_row():
    page = Path(lf.__file__).parents[1].joinpath("gallery", "docs", "what_can_be_traced.md").read_text("utf-8")
    (code,) = (cell for cell in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "boiling" in cell)
    names = {"np": np}
    exec(code, names)
    grid = RegularGridInterpolator((names["pressures"], names["heights"]), names["rows"])
    shown = lf.Figure(
        name="boiling",
        x=lf.slider("height", 0, 3000, at=1000),
        y=("°C", 80, 110),
        sliders=[lf.slider("pressure", 980, 1040, at=1000)],
        curves={"water": names["boiling"]},
    )
    expected = grid(np.column_stack([np.full(len(shown.x.grid), 1000.0), shown.x.grid]))
    np.testing.assert_allclose(shown.scene(shown.defaults)["curves/water/y"], expected)
    tape = Tape()
    tape.output(names["boiling"](tape.input("height"), tape.input("pressure")))
    assert len(tape.operations) <= 12 * len(names["rows"])
