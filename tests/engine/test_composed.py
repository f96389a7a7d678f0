"""Functions built from a trace's own operations: in Python and in the page's script, against NumPy."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_arithmetic import NAMES, SPECIAL, assert_close, everywhere, played, traced

from livefigures.formulas.verbs import vocabulary
from livefigures.trace.tracing import NotTraceable, play

POINTS = [-3.0, -1.0, 0.0, 0.5, 2.0, 7.0]
HEIGHTS = [1.0, -2.0, 4.0, 4.0, 1e6, -0.5]

# What is traced, with as many arguments as it has; NumPy's own function is the oracle.
FUNCTIONS = {
    "arctan2": (2, lambda x, y: np.arctan2(x, y)),
    "arctan2 above the axis": (1, lambda x: np.arctan2(1.0, x)),
    "arctan2 on the axis": (1, lambda x: np.arctan2(x, -0.0)),
    "hypot": (2, lambda x, y: np.hypot(x, y)),
    "heaviside": (1, lambda x: np.heaviside(x, 0.5)),
    "sinc": (1, lambda x: np.sinc(x)),
    "cbrt": (1, lambda x: np.cbrt(x)),
    "arcsin": (1, lambda x: np.arcsin(x)),
    "arccos": (1, lambda x: np.arccos(x)),
    "angles": (1, lambda x: np.deg2rad(x) + np.radians(x)),
    "angles in degrees": (1, lambda x: np.rad2deg(x) + np.degrees(x)),
    "polyval": (2, lambda x, y: np.polyval([0.5, -2.0, 1.0], x)),
    "likes": (1, lambda x: x + np.zeros_like(x) + np.ones_like(x, dtype=float) + np.full_like(x, 3)),
    "interp": (1, lambda x: np.interp(x, POINTS, HEIGHTS)),
    "interp with ends": (1, lambda x: np.interp(x, POINTS, HEIGHTS, left=-9, right=np.nan)),
    "accumulate": (3, lambda x, y, z: list(itertools.accumulate([x, y, z]))[2]),
}


def arguments(name, count):
    """Generated inputs, such as have digits left in a float."""
    rng = np.random.default_rng(sum(map(ord, name)))
    if count == 3:
        return [*rng.uniform(-30, 30, (3, 2000))]
    if name == "sinc":  # of large numbers the sine itself is compared elsewhere
        return [np.concatenate([rng.uniform(-40, 40, 2000), np.arange(-5.0, 6), [1e-300, -0.0, np.nan]])]
    if name in ("arcsin", "arccos"):
        return [np.concatenate([rng.uniform(-1.1, 1.1, 2000), 1 - 10 ** rng.uniform(-15, 0, 500), [-1, 0, 1, np.nan]])]
    if name == "polyval":
        return [rng.uniform(5, 100, 2000)] * 2
    if name in ("arctan2", "hypot"):
        pairs = [values.ravel() for values in np.meshgrid(SPECIAL, SPECIAL)]
        return [np.concatenate([rng.permutation(everywhere(rng)), values]) for values in pairs]
    return [np.concatenate([everywhere(rng), POINTS] if count == 1 else [everywhere(rng)])]


def expected(function, values):
    with np.errstate(all="ignore"):
        return np.asarray(function(*values), dtype=float)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_composed_function_plays_here_and_in_the_script_as_numpy_computes(name):
    count, function = FUNCTIONS[name]
    values = arguments(name, count)
    operations, place = traced(function, count)
    inputs = dict(zip(NAMES, values, strict=False))
    [in_script] = played(operations, inputs, [place])
    for shown in (np.broadcast_to(play(operations, inputs)[place], values[0].shape), in_script):
        assert_close(shown, expected(function, values), *values)


def test_arctan2_keeps_the_sign_of_zero():
    operations, place = traced(lambda x, y: np.arctan2(x, y), 2)
    y, x = np.meshgrid([0.0, -0.0, 2.5, -2.5, np.inf, -np.inf, np.nan], [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf])
    shown, wanted = play(operations, {"x": y, "y": x})[place], np.arctan2(y, x)
    np.testing.assert_allclose(shown, wanted, rtol=1e-15)
    assert np.all(np.isnan(wanted) | (np.signbit(shown) == np.signbit(wanted)))


@given(
    st.lists(
        st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)),
        min_size=2,
        max_size=12,
        unique_by=lambda p: round(p[0], 3),
    ),
    st.floats(-2e3, 2e3),
)
def test_interp_of_any_points_plays_as_numpy_computes(points, x):
    xs, ys = zip(*sorted(points), strict=True)
    operations, place = traced(lambda x: np.interp(x, xs, ys), 1)
    assert play(operations, {"x": x})[place] == pytest.approx(np.interp(x, xs, ys), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("count", [2, 3, 200, 2000])
def test_interp_of_any_number_of_data_is_one_operation(count):
    rng = np.random.default_rng(count)
    xs, ys = np.sort(rng.uniform(-5, 5, count)), rng.normal(size=count)
    x = np.concatenate([rng.uniform(-6, 6, 5000), xs, np.nextafter(xs, 9), SPECIAL])
    operations, place = traced(lambda x: np.interp(x, xs, ys) + np.interp(x, list(xs), list(ys)), 1)
    assert [name for name, *_ in operations] == ["in", "list", "interp", "add"]
    [shown] = played(operations, {"x": x}, [place])
    assert np.array_equal(shown, 2 * np.interp(x, xs, ys), equal_nan=True)
    assert np.array_equal(play(operations, {"x": x})[place], 2 * np.interp(x, xs, ys), equal_nan=True)


def test_two_tables_of_data_in_one_trace_are_told_apart():
    operations, place = traced(lambda x: np.interp(x, [0, 1], [5, 7]) * np.interp(x, [0, 1], [5, 8]), 1)
    [shown] = played(operations, {"x": np.array([0.0, 0.5, 1.0])}, [place])
    assert list(shown) == [25, 6 * 6.5, 56]
    [shown] = played(operations, {"x": 0.5}, [place])
    assert shown == 39


def test_interp_of_heights_that_move_is_arithmetic():
    operations, place = traced(lambda x, y: np.interp(x, POINTS, [*HEIGHTS[:-1], y]), 2)
    x = np.concatenate([np.linspace(-4, 8, 500), POINTS, SPECIAL])
    for found in (played(operations, {"x": x, "y": 3.0}, [place])[0], play(operations, {"x": x, "y": 3.0})[place]):
        assert_close(found, np.interp(x, POINTS, [*HEIGHTS[:-1], 3.0]), x)


def test_interp_of_too_many_data_says_how_to_take_fewer():
    xs = np.arange(2001.0)
    with pytest.raises(NotTraceable, match=r"np.interp of 2001 points.*at most 2000, such as xs\[::5\] and ys\[::5\]"):
        traced(lambda x: np.interp(x, xs, xs), 1)


def test_tape_of_typed_formulas_has_no_lists():
    """The page's editor copies its operations one by one."""

    def table(x):
        return np.interp(x, POINTS, HEIGHTS)

    words, _ = vocabulary({"table": table}, {})
    assert "list" not in words["operations"][0] and "where" in words["operations"][0]
