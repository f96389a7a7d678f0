"""The declaration of a figure: what it accepts, what it computes, and each mistake's own message."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import livefigures as lf
from dp_lib import domain, live
from livefigures.page import page


def figure(**changes):
    """A small correct figure; `changes` make it something else."""
    parts = {
        "name": "small",
        "x": live.k(1, 50, at=10),
        "y": ("ε, loss", 0, 3),
        "sliders": [live.sigma(1, 10, at=2)],
        "curves": {"line": lambda sigma, k: k / sigma},
    }
    return live.Figure(**parts | changes)


def test_scene_holds_each_curve_along_the_grid():
    drawn = figure().scene({"sigma": 4.0, "k": 10.0})
    assert drawn["curves/line/y"].tolist() == (figure().x.grid / 4).tolist()


def test_a_curve_that_follows_no_slider_is_level():
    drawn = figure(curves={"level": lambda: 2.0}).scene({"sigma": 2.0, "k": 1.0})
    assert (drawn["curves/level/y"] == 2).all()


def test_readings_are_taken_at_the_cursor():
    assert figure().readings({"sigma": 4.0, "k": 20.0}) == {"curves/line/y": 5.0}


def test_outside_the_domain_is_a_gap_and_outside_the_figure_an_error():
    def guarded(k):
        return domain.positive("k - 10", k - 10)

    shown = figure(curves={"guarded": guarded})
    values = shown.scene(shown.defaults)["curves/guarded/y"]
    assert np.isnan(values[shown.x.grid <= 10]).all()
    assert np.isfinite(values[shown.x.grid > 10]).all()
    with pytest.raises(domain.DomainError):
        guarded(np.float64(5))


def test_a_function_for_single_numbers_is_called_point_by_point():
    shown = figure(curves={"branch": live.Curve(lambda k: 1.0 if k > 10 else 0.0, lookup=True)})
    values = shown.scene(shown.defaults)["curves/branch/y"]
    assert values.tolist() == (shown.x.grid > 10).astype(float).tolist()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Bad Name"}, "lower-case letters"),
        ({"y": ("ε", 3, 0)}, "low < high"),
        ({"y": ("ε", 0, 3, "log")}, "low > 0 on a log scale"),
        ({"y": ("ε", 0, 3, "cubic")}, '"log"'),
        ({"name": "abc\n"}, "lower-case letters"),
        ({"y": None}, r"y must be \(label, low, high\)"),
        ({"y": ("ε", np.nan, 1)}, "a text and two finite numbers"),
        ({"y": (1, 0, 3)}, "a text and two finite numbers"),
        ({"x": (1, 50)}, r'must be a slider such as slider\("rate", 0, 5, at=3\), got \(1, 50\)'),
        ({"sliders": [live.sigma]}, "must be a slider such as"),
        ({"sliders": live.sigma(1, 2)}, r"sliders must be a list, sliders=\[...\]"),
        ({"sliders": [live.sigma(3, 1)]}, "slider 'sigma' needs a range low < high"),
        ({"x": live.k(1, 50, at=51)}, "the default of slider 'k': k must be a whole number from 1 to 50, got 51"),
        ({"curves": [lambda k: k]}, r'curves must be a dictionary, curves=\{"name": ...\}'),
        ({"curves": {3: lambda k: k}}, "curves have names, which stand in the table: 3 is none"),
        ({"curves": {"": lambda k: k}}, "curves have names"),
        ({"curves": {"line": "3"}}, "curve 'line' must be a function of the sliders or a number, such as .*, got '3'"),
        ({"curves": {"line": live.Curve(lambda k: k, label=3)}}, "the label of 'line' must be text, got 3"),
        (
            {"curves": {"line": live.Curve(lambda k: k, label="")}},
            "the label of 'line' is empty: leave it out, and the name stands at the curve's end, or write inside=True",
        ),
        (
            {"marks": {"p": live.Point(1, 1, label="")}},
            "the label of 'p' is empty: leave it out, and the name stands in the table alone, or write inside=True",
        ),
        (
            {"marks": {"p": lf.Line(y=1, label="a", inside=True)}},
            "'p' has inside=True and a label: leave out the label",
        ),
        ({"curves": {"line": np.exp}}, "argument 'x' without a slider; known: sigma, k"),
        ({"curves": {"line": min}}, r"the arguments of curves/line/y cannot be read; write lambda sigma, k: ..."),
        ({"curves": {"line": lambda *numbers: 1.0}}, "argument 'numbers' without a slider"),
        ({"curves": {"line": lambda k: None}}, "curves/line/y gave None; it must give numbers"),
        ({"curves": {"line": lambda k: "much"}}, "curves/line/y gave .*'much'.*; it must give numbers"),
        ({"curves": {"line": lambda k: 1j * k}}, "curves/line/y gave .*; it must give real numbers"),
        (
            {"curves": {"line": lambda k: (k, k)}},
            r"gave shape \(2, 50\) \(.*test_figure.py:\d+: .*\); it gave 2 results, of which a part shows one",
        ),
        ({"curves": {"line": lambda k: np.trapezoid(np.linspace(0, k, 9))}}, r"gave shape \(9,\).* on its last axis"),
        ({"marks": {"m": live.Point(x=lambda: [1, 2], y=lambda: 1)}}, r"shape \(2,\) .* and must give one number$"),
        (
            {"marks": {"m": live.Cloud(x=lambda z: z[1:], y=lambda: 1)}},
            r"\(199,\) .*; its draws are arrays of 200",
        ),
        (
            {"curves": {"line": lambda sigma, k: sum(k for _ in range(sigma))}},
            r"interpreted as an integer, at .*; a slider gives a float, so write a loop over a fixed range .*np.where",
        ),
        (
            {"curves": {str(factor): lambda k: k / factor for factor in (2, 3, 4)}},  # noqa: B023
            "the curves '2', '3', '4' are all the same: a lambda in a loop .*curve.a. in the loop$",
        ),
        ({"curves": {"line": lambda k: 1 / 0}}, "curves/line/y raised ZeroDivisionError: division by zero, at the sli"),
        ({"curves": {"line": lambda k: k + 1000}}, "y is 0 to 3, and they are 1001 to 1050"),
        (
            {"curves": {"line": lambda k: k + 1000}, "marks": {"p": live.Point(x=lambda: 1, y=lambda: 1)}},
            "no curve enters the picture",
        ),
        ({"curves": {}, "marks": {"p": live.Point(x=lambda: np.nan, y=lambda: np.nan)}}, "nothing is finite"),
        ({"marks": [live.Line(y=lambda: 1.0)]}, "marks must be a dictionary"),
        ({"marks": {"p": lambda k: k}}, "'p' is a curve: put it into curves={'p': ...}"),
        (
            {"marks": {"p": 3}},
            "mark 'p' must be a Band, Point, Line, Points, Bars, Path, Arrows, Ensemble, Cloud or Reading",
        ),
        ({"curves": {"p": lf.Band(0, 1)}}, "'p' is a Band, no curve: put it into marks={'p': ...}"),
        ({"marks": {"p": live.Line()}}, "the line 'p' needs exactly one of x .vertical. and y .horizontal."),
        ({"marks": {"p": live.Line(x=lambda: 1, y=lambda: 1)}}, "the line 'p' needs exactly one of x"),
        ({"marks": {"p": live.Point(x="3", y=1)}}, "x of 'p' must be a number or a function of .*, got '3'"),
        (
            {"marks": {"p": live.Cloud(x=lambda z: z, y=lambda u: u, size=0)}},
            "a whole number of samples, 1 to 5000, got size=0",
        ),
        (
            {"marks": {"p": live.Cloud(x=lambda z: z, y=lambda k: k, draws={"z": "normal", "k": "normal"})}},
            "'k' is a slid",
        ),
        (
            {"marks": {n: live.Cloud(x=lambda z: z, y=lambda u: u, size=s) for n, s in (("a", 5), ("b", 6))}},
            "draw 'z', of",
        ),
        ({"marks": {"p": lf.Points([1, 2], [1])}}, "the points 'p' need as many x as y, got 2 and 1"),
        (
            {"marks": {"p": lf.Points([], [])}},
            r"x of the points 'p' must be a list .* got an array of the shape \(0,\)",
        ),
        (
            {"marks": {"p": lf.Points([1], ["a"])}},
            "y of the points 'p' must be a list .* 1 to 5000 .*, got no numbers",
        ),
        (
            {"marks": {"c": lf.Cloud(x=lambda z: z, y=lambda i: i, draws={"z": "normal", "i": np.arange(200)})}},
            r"got an array of shape \(200,\) for 'i'; numbers of your own .* np.interp",
        ),
        ({"marks": {"p": lf.Points([1, 2], [1, np.nan])}}, "leave out the one at 1, nan"),
        (
            {"marks": {"p": lf.Points(np.array(["2024-01-01", "2024-01-02"], "datetime64[D]"), [1, 2])}},
            r"x of the points 'p' are dates; give days: \(day - day\[0\]\) / np.timedelta64\(1, 'D'\)",
        ),
        (
            {"marks": {"p": lf.Points([1], [1])}, "out_of_view": {"p": "top"}},
            "'p', which does not move in the picture",
        ),
        ({"caption": 3}, "caption must be text, got 3"),
        ({"curves": {"line": lambda k, σ: k}}, "without a slider; known: sigma, k; did you mean 'sigma'?"),
        ({"curves": {}}, "neither curves nor marks"),
        ({"sliders": [live.sigma(1, 2), live.sigma(1, 3)]}, "two sliders are named 'sigma'"),
        ({"curves": {"line": lambda k: k / 0 * np.nan}}, "nowhere finite"),
        ({"curves": {"line": lambda k: undefined_name}}, "curves/line/y raised NameError"),  # noqa: F821
        ({"marks": {"line": live.Line(y=lambda: 1.0)}}, "names a curve and a mark"),
        ({"curves": {"line": live.Curve(lambda k: k, colour="pinkish")}}, "colour"),
        ({"curves": {"line": live.Curve(lambda k: k, colour="line")}}, "colour of 'line' must be"),
        (
            {
                "curves": {
                    name: live.Curve(lambda k: k, colour=lent) for name, lent in {"one": "two", "two": "one"}.items()
                }
            },
            "colour of 'one' must be",
        ),
        ({"curves": {"line": live.Curve(lambda k: k, dash="wavy")}}, "dash"),
        ({"marks": {"c": live.Cloud(x=lambda z: z, y=lambda u: u, draws={"z": "cauchy", "u": "normal"})}}, "cauchy"),
    ],
)
def test_each_mistake_names_the_figure_and_the_part(changes, said):
    with pytest.raises(live.FigureError, match=said) as caught:
        figure(**changes)
    assert str(caught.value).startswith(f"figure {changes.get('name', 'small')!r}: ")


def test_slider_whose_thumb_misses_its_default_is_drawn_with_a_warning_unless_a_table_knows_it():
    sliders = [live.sigma(1, 10, at=2.5, step=1)]
    with pytest.warns(UserWarning, match="'small': slider 'sigma' moves from 1 in steps of 1, .* at=2 or at=3"):
        figure(sliders=sliders)
    figure(sliders=sliders, curves={"line": live.Curve(lambda sigma, k: k / sigma, lookup=True)})


def test_points_outside_the_picture_are_a_warning():
    with pytest.warns(UserWarning, match="1 of the 2 points 'cases' are outside the picture: widen x or y"):
        shown = figure(marks={"cases": lf.Points([2, 900], [1, 1])})
    assert shown.scene(shown.defaults)["marks/cases/x"].tolist() == [2, 900]


@pytest.mark.parametrize(
    ("function", "at"),
    [
        (lambda k: np.where(k == 20, np.nan, 1.0), "k = 20"),
        (lambda k: np.sin((k - 7) / 9) / ((k - 7) / 9), "k = 7"),
    ],
)
def test_hole_in_a_curve_is_a_warning_that_says_where(function, at):
    with pytest.warns(UserWarning, match=f"the curve 'line' has no value at {at}, and has values beside it"):
        figure(curves={"line": function})


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda k, sigma: np.sqrt(k - 20 + sigma - 2), "has no value from k = 1 to 19 at the sliders' defaults; write"),
        (lambda k: np.log(30.5 - k), "has no value from k = 31 to 50"),
        (lambda k: np.exp(90 * k), "is infinite from k = 8 to 50"),
    ],
)
def test_stretch_without_a_value_is_a_warning_that_says_where(function, words):
    with pytest.warns(UserWarning, match=f"the curve 'line' {words}"):
        figure(curves={"line": function}, y=("y", -1, 1e300))


@pytest.mark.parametrize(
    "curve",
    [
        lambda k: np.where(k > 20, np.sqrt(k - 20), np.nan),  # NaN is written, so it is meant
        lambda k: np.where(k > 20, 1.0, -np.inf),  # and so is infinity
        lf.Curve(lambda k: np.sqrt(k - 20), gap="none"),
        lambda k: 1 / (k - 7),  # a pole
        lambda k: 0.01 / abs(k - 7),  # a pole whose sides are in the picture
        lambda k: np.where(k < 20, 1.0, np.nan),  # a curve that ends
        lambda k: np.where(abs(k - 20) < 5, np.nan, 1.0),  # a gap that is seen
        lf.Curve(lambda k: np.where(k == 20, np.nan, 1.0), gap="none"),
    ],
)
def test_gap_that_is_meant_is_no_warning(curve):
    assert figure(curves={"line": curve}, out_of_view={"line": "top bottom"}).doubts == []


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (lf.Point(10, 4), r"the point 'm' is outside the picture at .* at x = 10, y = 4: widen x or y, .*'m': \"top\""),
        (lf.Point(90, 1), r"the point 'm' is outside the picture .*, at x = 90, y = 1: .*\"right\""),
        (lf.Point(10, lambda sigma: 4 + sigma, lookup=True), "the point 'm' is outside the picture"),
        (lf.Line(y=-1), r"the line 'm' is outside the picture .*, at y = -1: widen y, or say .*'m': \"bottom\""),
        (lf.Line(x=lambda sigma: -sigma), r"the line 'm' is outside the picture .*: widen x, or say .*'m': \"left\""),
    ],
)
def test_mark_outside_the_picture_is_a_warning_that_says_where(mark, words):
    with pytest.warns(UserWarning, match=words):
        figure(marks={"m": mark})
    assert figure(marks={"m": mark}, out_of_view={"m": "top"}).doubts == []


def test_mark_at_the_edge_and_a_mark_without_a_place_are_no_warning():
    marks = {"edge": lf.Line(y=3), "none": lf.Point(10, lambda: np.nan), "r": lf.Reading(99)}
    assert figure(marks=marks).doubts == []


def test_a_reading_is_known_to_claims_and_to_ends_of_sliders():
    shown = figure(
        sliders=[live.slider("sigma", 1, 3, at=2, toward=("cheaper", "low"), rises="cost")],
        marks={"cost": lf.Reading(lambda sigma: 100 / sigma)},
        claims={"It costs something.": lambda c: c["cost"] > 0},
    )
    assert shown.readings(shown.defaults)["marks/cost/y"] == 50


def test_a_cloud_may_be_a_row():
    shown = figure(marks={"row": live.Cloud(x=lambda z: z, y=lambda: 1, size=7)})
    assert shown.scene(shown.defaults)["marks/row/y"].tolist() == [1.0] * 7
    assert page.html(shown)


def test_two_clouds_may_share_their_draws():
    clouds = {name: live.Cloud(x=lambda z: z, y=lambda u: u) for name in ("a", "b")}
    assert figure(marks=clouds).draws.keys() == {"z", "u"}


def test_a_curve_that_fails_at_other_settings_names_itself_and_the_setting():
    line = live.Curve(lambda sigma, k: k / 9 if sigma != 4 else undefined_name, lookup=True)  # noqa: F821
    shown = figure(curves={"line": line})
    with pytest.raises(live.FigureError, match="'small': curves/line/y raised NameError: .* at sigma = 4, k = 10"):
        shown.readings({"sigma": 4.0, "k": 10.0})
    with pytest.raises(live.FigureError, match="'small': curves/line/y raised NameError: .* at sigma = 4"):
        shown.scene({"sigma": 4.0, "k": 10.0})


def test_a_mistake_where_a_function_gets_all_points_is_told():
    line = live.Curve(lambda sigma, k: k / 9 if np.ndim(k) == 0 else undefined_name, lookup=True)  # noqa: F821
    with pytest.raises(live.FigureError, match="'small': curves/line/y raised NameError: name 'undefined_name'"):
        figure(curves={"line": line})


@pytest.mark.parametrize(
    ("x", "sliders", "said"),
    [
        (live.choice("k", ("a", "b")), [], "the x axis 'k' can be no choice"),
        (live.k(1, 9, when=("noise", "a")), [live.choice("noise", ("a", "b"))], "the x axis 'k' can be no choice"),
        (live.k(1, 9), [live.sigma(1, 2, when=("noise", "a"))], "waits for a choice 'noise' that is not there"),
        (live.k(1, 9), [live.sigma(1, 2, when=("k", "a"))], "waits for a choice 'k' that is not there"),
        (
            live.k(1, 9),
            [live.choice("noise", ("a", "b")), live.sigma(1, 2, when=("noise", "c"))],
            "waits for 'c', which is no option of 'noise'",
        ),
        (
            live.k(1, 9),
            [live.choice("a", "bc"), live.choice("d", "ef", when=("a", "b")), live.sigma(1, 2, when=("d", "e"))],
            "'sigma' waits for the choice 'd', which may not wait for another choice itself",
        ),
    ],
)
def test_choices_that_cannot_work_are_named(x, sliders, said):
    with pytest.raises(live.FigureError, match=said):
        live.Figure(name="bad", x=x, y=("y", 0, 1), sliders=sliders, curves={"c": lambda k: k})


def test_a_curve_may_have_no_value_anywhere_only_if_it_says_why():
    parts = {"name": "gaps", "x": live.k(1, 9), "y": ("y", 0, 1)}
    assert live.Figure(**parts, curves={"c": live.Curve(lambda k: k * np.nan, gap="not proved")})
    with pytest.raises(live.FigureError, match="nowhere finite"):
        live.Figure(**parts, curves={"c": lambda k: k * np.nan})


# -- any declaration at all

wild_numbers = st.one_of(
    st.floats(), st.integers(-(10**30), 10**30), st.sampled_from([None, "3", True, 1j, np.nan, np.inf, 5e-324, 1e308])
)
wild_names = st.text(max_size=4) | st.sampled_from(
    ["k", "sigma", "class", "__proto__", "a/b", "<b>", "정보", "\0", 3, None]
)
wild_sliders = st.builds(
    live.slider,
    wild_names,
    wild_numbers,
    wild_numbers,
    at=st.none() | wild_numbers,
    step=st.none() | wild_numbers,
    log=st.booleans(),
    integer=st.booleans(),
)
likely_sliders = st.builds(
    live.slider,
    st.sampled_from(["k", "sigma", "t"]),
    st.sampled_from([-1e9, 0, 1e-9, 1, 1.5]),
    st.sampled_from([1, 2.5, 7, 1e6]),
    log=st.booleans(),
    integer=st.booleans(),
)
wild_functions = st.sampled_from(
    [
        lambda: 1.0,
        lambda k: k,
        lambda sigma, k: k / sigma,
        lambda sigma: np.log(sigma - 5),
        lambda k: np.where(k > 3, np.nan, k),
        lambda k: k * 1e308,
        lambda k: k * np.nan,
        lambda k: 1 / 0,
        lambda k: [][0],
        lambda k: "text",
        lambda k: None,
        lambda k: k * 1j,
        lambda k: (k, k),
        lambda k: np.ones(7),
        lambda k: 1.0 if k > 3 else 2.0,
        lambda k: math.sqrt(k),
        lambda nobody: nobody,
        lambda *all_of_them: 1.0,
        np.sqrt,
        min,
        3,
    ]
)
sliders_of_all_kinds = wild_sliders | likely_sliders | st.just(3)
wild_curves = wild_functions | st.builds(
    live.Curve, wild_functions, colour=wild_names, dash=wild_names, label=wild_names, lookup=st.booleans()
)
wild_marks = st.one_of(
    st.builds(live.Band, wild_functions, wild_functions),
    st.builds(live.Point, wild_functions, wild_functions),
    st.builds(live.Line, x=st.none() | wild_functions, y=st.none() | wild_functions),
    st.builds(live.Cloud, st.just(lambda z: z), wild_functions, size=wild_numbers),
    wild_functions,
)
wild_parts = {
    "name": wild_names,
    "x": sliders_of_all_kinds,
    "y": st.tuples(wild_names, wild_numbers, wild_numbers) | st.tuples(st.just("y"), wild_numbers, wild_numbers),
    "sliders": st.lists(sliders_of_all_kinds, max_size=2) | st.just(live.sigma),
    "curves": st.dictionaries(wild_names, wild_curves, max_size=2) | wild_functions,
    "marks": st.dictionaries(wild_names, wild_marks, max_size=2),
    "caption": wild_names,
    "alt": wild_names,
}
one_change = st.one_of([st.fixed_dictionaries({part: wild}) for part, wild in wild_parts.items()])
changes_of_all_kinds = one_change | st.fixed_dictionaries({}, optional=wild_parts)


@settings(max_examples=120)
@given(changes_of_all_kinds)
def test_any_declaration_is_drawn_or_refused_under_the_figures_name(changes):
    try:
        text = page.html(figure(**changes))
    except live.FigureError as error:
        assert str(error).startswith(f"figure {changes.get('name', 'small')!r}: ")
    else:
        assert re.search(r'<path d="M[^"]*\d', text)


def test_number_stands_for_a_function_that_gives_it_everywhere():
    shown = figure(
        curves={"two": 2, "zero": live.Curve(np.float64(0)), "line": lambda k: k / 50},
        marks={"left": live.Line(x=1), "floor": live.Band(0, lambda k: k / 50), "dot": live.Point(25, 1)},
    )
    drawn = shown.scene(shown.defaults)
    assert set(drawn["curves/two/y"]) == {2.0} and set(drawn["curves/zero/y"]) == set(drawn["marks/floor/low"]) == {0.0}
    assert [float(drawn[f"marks/{name}"]) for name in ("left/x", "dot/x", "dot/y")] == [1, 25, 1]
    assert shown.follows("curves/two/y") == []
