"""The declaration of a figure: what it accepts, what it computes, and each mistake's own message."""

import numpy as np
import pytest

from dp_lib import domain, live


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
    shown = figure(curves={"branch": lambda k: 1.0 if k > 10 else 0.0})
    values = shown.scene(shown.defaults)["curves/branch/y"]
    assert values.tolist() == (shown.x.grid > 10).astype(float).tolist()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Bad Name"}, "lower-case letters"),
        ({"y": ("ε", 3, 0)}, "low < high"),
        ({"y": ("ε", 0, 3, "log")}, "low > 0 on a log scale"),
        ({"y": ("ε", 0, 3, "cubic")}, '"log"'),
        ({"curves": {"line": lambda k, beta: k}}, "argument 'beta' without a slider; known: sigma, k"),
        ({"curves": {}}, "neither curves nor marks"),
        ({"sliders": [live.sigma(1, 2), live.sigma(1, 3)]}, "two sliders are named 'sigma'"),
        ({"sliders": [live.k(1, 3), live.sigma(1, 3)]}, "two sliders are named 'k'"),
        ({"curves": {"line": lambda k: [1, 2, 3]}}, r"curves/line/y gave shape \(3,\)"),
        ({"curves": {"line": lambda k: k / 0 * np.nan}}, "nowhere finite"),
        ({"curves": {"line": lambda k: undefined_name}}, "curves/line/y raised NameError"),  # noqa: F821
        ({"marks": {"line": live.Line(y=lambda: 1.0)}}, "names a curve and a mark"),
        ({"curves": {"line": live.Curve(lambda k: k, colour="pink")}}, "colour"),
        ({"curves": {"line": live.Curve(lambda k: k, dash="wavy")}}, "dash"),
        ({"marks": {"c": live.Cloud(x=lambda z: z, y=lambda u: u, draws={"z": "cauchy", "u": "normal"})}}, "cauchy"),
    ],
)
def test_each_mistake_names_the_figure_and_the_part(changes, said):
    with pytest.raises(live.FigureError, match=said) as caught:
        figure(**changes)
    assert changes.get("name", "small") in str(caught.value)


def test_a_line_is_vertical_or_horizontal():
    with pytest.raises(live.FigureError, match="exactly one"):
        live.Line(x=lambda: 1.0, y=lambda: 1.0)


def test_values_are_checked_by_name_and_range():
    with pytest.raises(live.FigureError, match="no slider 'beta'; its sliders are sigma, k"):
        figure().check({"beta": 1})
    with pytest.raises(live.FigureError, match="sigma must be a number from 1 to 10, got 11"):
        figure().check({"sigma": 11})


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
