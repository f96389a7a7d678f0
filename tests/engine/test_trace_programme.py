"""From functions to data: the shared tape, and the look-up table where a function cannot be traced."""

import dataclasses
import itertools
import math
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dp_lib import live
from livefigures.page import record
from livefigures.trace import programme, tables


def figure(marks=(), **curves):
    return live.Figure(
        name="tabled",
        x=live.k(1, 20, at=10),
        y=("y", 0, 30),
        sliders=[live.sigma(1, 5, at=2, step=1), live.alpha(2, 60, at=3)],
        curves=curves,
        marks=dict(marks),
    )


def test_curves_share_their_common_steps():
    one = programme.programme(figure(a=lambda sigma, k: np.sqrt(k) / sigma)).operations
    two = programme.programme(figure(a=lambda sigma, k: np.sqrt(k) / sigma, b=lambda sigma, k: np.sqrt(k) / sigma + 1))
    assert len(two.operations) == len(one) + 2


def test_asked_table_holds_every_stop_and_snaps_its_sliders():
    played = programme.programme(figure(a=live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True)))
    (table,) = played.tables
    assert table["inputs"] == ["sigma", "k"]
    assert len(table["values"]) == 5 * 20
    assert table["values"][1 * 20 + 3] == math.sqrt(4) * 2
    assert played.snapping == {"sigma", "k"}


def test_untraceable_function_is_refused_with_operation_line_and_what_to_write_last():
    words = r"figure 'tabled': curves/a/y cannot .*test_trace_programme.py:\d+: `.*; use the distribution's formula.*"
    with pytest.raises(live.FigureError, match=words + r" Curve\(..., lookup=True\)$") as refusal:
        figure(a=lambda k: stats.gumbel_r.cdf(k))
    assert "\n" not in str(refusal.value)  # so that it is in the last line that Python prints


def test_option_compared_by_its_name_is_refused_with_the_numbers_of_all():
    with pytest.raises(live.FigureError, match="use the number of the option, as in model == 1: SIR is 0, SEIR is 1$"):
        live.Figure(
            name="chosen",
            x=live.slider("t", 0, 9),
            y=("y", 0, 9),
            sliders=[live.choice("model", ["SIR", "SEIR"])],
            curves={"a": lambda t, model: np.where(model == "SEIR", t, 0)},
        )


def test_function_that_fails_on_stand_ins_is_refused():
    words = r"it raised KeyError: .* when it was traced \(.*\); use NumPy's .*lookup=True"
    with pytest.raises(live.FigureError, match=words):
        figure(a=live.Curve(lambda k: np.float64({0: 1.0}[0 if isinstance(k, np.ndarray | float) else 1]) + 0 * k))


@pytest.mark.parametrize("mark", [live.Point(x=math.sqrt, y=math.sqrt), live.Line(y=math.sqrt)])
def test_mark_can_ask_for_a_table(mark):
    functions = {c: lambda sigma: math.sqrt(sigma) for c in ("x", "y") if getattr(mark, c)}
    with pytest.raises(live.FigureError, match=rf"marks/m/. cannot .* {type(mark).__name__}\(..., lookup=True\)$"):
        figure({"m": dataclasses.replace(mark, **functions)}, a=lambda k: k)
    shown = figure({"m": dataclasses.replace(mark, **functions, lookup=True)}, a=lambda k: k)
    assert all(table["inputs"] == ["sigma"] for table in programme.programme(shown).tables)


@pytest.mark.parametrize(
    ("slider", "told"),
    [
        (
            live.slider("n", 0, 1000, at=5),
            "201201 numbers (1001 stops of n x 201 stops of x), at most 25000, each up to six bytes",
        ),
        (live.slider("n", 0, 1000, at=5), "the slider 'n' at most 124 stops, such as step=10, or write the function"),
        (live.slider("n", 1, 1000, at=5, integer=True), "at most 124 stops, such as step=9, or"),
        (live.slider("n", 1e-40, 1, at=0.5, log=True), "give the slider 'n' a shorter range, of 124 stops at most"),
    ],
)
def test_table_over_its_size_is_refused_with_the_counts_and_what_to_change(slider, told):
    with pytest.raises(live.FigureError, match=re.escape(told)):
        tabled(slider)


def test_step_that_a_refusal_advises_is_taken():
    for low, high, at, integer in [(0, 1000, 5, False), (1, 1000, 3, True), (0, 7, 1.5, False), (-1, 1999, 0.5, False)]:
        slider = live.slider("n", low, high, at=at, integer=integer, step=1 if high > 500 else 0.01)
        with pytest.raises(live.FigureError) as refusal:
            tabled(slider)
        step = float(re.search(r"step=([\d.e+-]+),", str(refusal.value))[1])
        tabled(dataclasses.replace(slider, step=step))


def test_a_function_of_single_numbers_is_traced_before_it_is_called_along_x():
    calls = []
    with pytest.raises(live.FigureError, match="np.log for math.log"):
        figure(a=lambda k: (calls.append(k), math.log(k))[1])
    assert len(calls) <= 3  # the array, one number, the stand-in


@pytest.mark.parametrize(
    ("solved", "most"),
    [
        (lambda x, n: n * np.sqrt(x), 60),
        (lambda x, n: n * math.sqrt(x), 4000),  # takes no array
        (lambda x, n: n * np.sqrt(x) + np.sum(np.isnan(np.atleast_1d(x))) + np.size(x), 4000),  # another value of it
    ],
)
def test_a_function_that_takes_the_x_axis_is_called_once_for_each_setting(solved, most):
    calls = []

    def counted(x, n):
        calls.append(x)
        return solved(x, n)

    declared = {"x": live.slider("x", 0, 5), "y": ("y", 0, 300), "sliders": [live.slider("n", 1, 2, step=0.1)]}
    shown = live.Figure("t", curves={"a": live.Curve(counted, lookup=True)}, **declared)
    (table,) = programme.programme(shown).tables
    assert len(calls) <= most
    singly = [solved(x, n) for n, x in itertools.product(*table["stops"])]
    assert table["values"] == pytest.approx(singly, rel=1e-12)


def test_table_for_which_no_step_will_do_names_its_sliders():
    others = [live.slider(name, 0, 100, at=5) for name in ("n", "m", "l")]
    with pytest.raises(live.FigureError, match="let it depend on fewer sliders than n, m, l, x, or take a fixed"):
        tabled(*others)


@pytest.mark.parametrize("ends", [{"n": (0, 100), "m": (0, 100)}, {"n": (1, 4), "m": (0, 8)}])
def test_steps_that_a_refusal_advises_for_several_sliders_are_taken(ends):
    others = {name: live.slider(name, low, high, at=low, step=high / 200) for name, (low, high) in ends.items()}
    with pytest.raises(live.FigureError) as refusal:
        tabled(*others.values())
    steps = re.findall(r"step=([\d.]+) for '(\w)'", str(refusal.value))
    assert steps
    for step, name in steps:
        others[name] = dataclasses.replace(others[name], step=float(step))
    tabled(*others.values())


def tabled(*sliders):
    """A figure with a table over these sliders and x of 201 points."""
    names = ", ".join(slider.name for slider in sliders)
    curve = eval(f"lambda {names}, x: np.sin(x) + {sliders[0].name}", {"np": np})
    axis = live.slider("x", 0, 5)
    y = ("y", -10, 3000)
    return live.Figure(name="t", x=axis, y=y, sliders=sliders, curves={"a": live.Curve(curve, lookup=True)})


SPECIAL = [0.0, -0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, 1e-300, 9.99999999999]


@given(st.sampled_from(SPECIAL) | st.floats(-50, 50) | st.floats(), st.booleans())
def test_value_of_a_table_is_carried_in_eleven_digits(value, up):
    shown = SimpleNamespace(x=SimpleNamespace(name="k"), up=up)
    (content,) = tables.packed(shown, [{"inputs": ["k"], "stops": [[1.0]], "values": [value]}])
    assert content["stops"] == [None]
    (back,) = content["values"]
    assert back == value or (math.isnan(back) and math.isnan(value)) or abs(back - value) <= 1.01e-10 * abs(value)
    assert not up or math.isnan(value) or back >= value
    assert not abs(value) <= 1e300 or back == float(f"{back:.11g}")


def test_too_many_operations_are_refused():
    def long(k):
        for i in range(4100):
            k = np.sqrt(k + i)
        return k / 9

    words = r"its trace has 12\d\d\d operations \(curves/\w+/y 12\d\d\d.*\), and at most 12000 .* fewer steps in lf.ode"
    with pytest.warns(UserWarning, match=words):  # when the figure is made
        made = figure(a=long)
    with pytest.raises(live.FigureError, match=words):
        programme.programme(made)


def test_table_that_takes_minutes_says_so_when_the_figure_is_made(monkeypatch):
    table = live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True)
    with warnings.catch_warnings(action="error"):
        calls = math.prod(len(axis) for axis in programme.programme(figure(a=table)).tables[0]["stops"])
    monkeypatch.setattr(tables, "SLOW", 0)
    words = rf"its table takes about 2 minutes, .* curves/a/y is called {calls} times; larger steps of sigma, k make"
    with pytest.warns(UserWarning, match=words):
        figure(a=table)


def test_parity_settings_of_a_table_are_stops():
    shown = figure(a=live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True))
    for setting in record.parity(shown):
        assert setting["values"]["sigma"] in shown.controls["sigma"].stops
        assert setting["values"]["k"] in shown.x.grid
