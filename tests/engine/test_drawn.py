"""What a build says of curves that a picture does not show as they are."""

import re

import numpy as np
import pytest

import livefigures as lf
from livefigures.page.drawn import unshown
from livefigures.trace.programme import steps_too_long
from livefigures.trace.settings import ends_together, settings


def figure(curve, **changes):
    declared = {
        "name": "drawn",
        "x": lf.slider("t", 0, 10, at=4),
        "y": ("y", -2, 2),
        "sliders": [lf.slider("a", 1, 30, at=2)],
        "curves": {"c": curve},
    }
    return lf.Figure(**declared | changes)


@pytest.mark.parametrize(
    ("curve", "changes", "said"),
    [
        (lambda a, t: np.sin(a * t), {}, "turns between the 201 points at which it is drawn, near t = "),
        (lambda t: np.cos(2 * np.pi * 20 * t), {}, "step=0.01, at_stops=True"),
        (
            lambda t: np.exp(-(np.log(t / 2.013) ** 2) * 1e4),
            {"x": lf.slider("t", 0.1, 10, at=2, log=True)},
            "near t = 2.01",
        ),
        (lambda a, t: a * t / 8, {}, "leaves the picture at a = 2; widen y, give a slider a shorter range"),
        (lambda a, t: a * t, {"sliders": [lf.slider("a", 0, 30, at=0.1)]}, "is mostly outside the picture at a = "),
        (
            lambda a, t: a * t,
            {"sliders": [lf.choice("a", ["slow", "fast"])]},
            "outside the picture at a = fast; widen y",
        ),
        (lambda a, t: np.sin(t) + a / 30, {"out_of_view": {"c": "top"}}, "stays in the picture at every setting that"),
        (
            lambda a, t: np.where(t < a, np.nan, np.log(t - a)),
            {},
            "has no value from t = 0 to 1.95, so look there first",
        ),
        (
            lambda a, t: np.where(t < a, np.nan, np.log(t - a)),
            {},
            "where it has values, it leaves the picture at a = 2; widen y",
        ),
        (
            lambda a, t: lf.ode(lambda y, now: np.where(now > a / 4, y, -y), 1.0, t, 8),
            {"out_of_view": {"c": "top"}},
            "if a rate changes at a moment, spread the change over a step",
        ),
        (lambda t: np.where(t < 5, np.nan, t / 5), {}, "has no value at t = 4, where that slider begins"),
        (lambda a, t: -a * t, {}, "out_of_view={'c': \"bottom\"}"),
        (lambda a, t: lf.ode(lambda y, t: (y[1], -y[0] * a), (1.0, 0.0), t, 40)[0], {}, "needs more steps at "),
        (
            lf.Curve(lambda t: lf.ode(lambda y, t: -0.3 * y, 1.0, np.linspace(0, 20, 41), steps=2)[-1], lookup=True),
            {"y": ("y", -20, 20)},
            "needs more steps at t = 4, since",
        ),
    ],
)
def test_a_curve_that_is_not_drawn_as_it_is_is_told(curve, changes, said):
    (found,) = [each for each in unshown(figure(curve, **changes)) if said in each]
    assert found.startswith(("figure 'drawn': the curve 'c' ", "figure 'drawn': curves/c/y "))


def test_a_curve_that_too_few_steps_of_ode_make_jagged_is_not_told_to_have_more_points():
    def jagged(a, t):
        return lf.ode(lambda y, now: np.where(now > a / 4, 3 * np.cos(9 * now), 0), 0.0, t, 40)

    (told,) = unshown(figure(jagged))
    assert "needs more steps" in told


def told_of_a_path(turns, **options):
    """Return what the build says of a path of so many turns on a circle as high as the picture."""
    path = lf.Path(
        lambda u, a: 1.9 * np.cos(turns * a * u), lambda u, a: 1.9 * np.sin(turns * a * u), over=("u", 0, 2), **options
    )
    drawn = figure(
        lambda t: t, marks={"circle": path}, x=lf.slider("t", -2, 2, at=0), sliders=[lf.slider("a", 1, 9, at=1)]
    )
    return list(unshown(drawn))


def test_a_path_that_bends_between_its_points_is_told_with_the_points_that_it_needs():
    (found,) = told_of_a_path(np.pi * 2)
    assert found.startswith(
        "figure 'drawn': the path 'circle' bends between the 201 points at which it is drawn at a = 9"
    )
    (size,) = re.findall(r"; give it size=(\d+)$", found)
    assert told_of_a_path(np.pi * 2, size=int(size)) == []


def test_a_path_that_bends_too_often_for_any_number_of_points_is_told_so():
    (found,) = told_of_a_path(1000)
    assert found.endswith("; give its parameter a shorter range")


@pytest.mark.parametrize(
    ("curve", "changes"),
    [
        (lambda t: np.where(t < 5, -1.0, 1.0), {}),  # a jump is no turn
        (lambda a, t: np.sin(a * t / 10), {}),
        (lambda a, t: np.sin(a * t), {"x": lf.slider("t", 0, 10, at=4, step=0.01, at_stops=True)}),
        (lambda a, t: a * t, {"out_of_view": {"c": "top"}}),
        (lambda a, t: np.where(t > 5, np.nan, t / 5), {}),
        (lf.Curve(lambda a, t: np.where(t > 1, np.nan, t), gap="known up to 1"), {}),
        (lambda a, t: lf.ode(lambda y, t: -y * a / 30, 1.0, t), {}),
        (lambda a, t: lf.ode(lambda y, t: (y[1], -y[0]), (0.0, 0.0), t)[0] + a / 30, {}),  # 0 at all times is exact
        (lf.Curve(lambda a, t: float(np.sin(a)), lookup=True), {"sliders": [lf.slider("a", 1, 3, at=2, step=1)]}),
    ],
)
def test_a_curve_that_is_drawn_as_it_is_is_not(curve, changes):
    assert list(unshown(figure(curve, **changes))) == []


def pendulum(steps=80, **more):
    def swing(t, start, damping):
        return lf.ode(lambda y, s: (y[1], -damping * y[1] - np.sin(y[0])), (np.radians(start), 0.0), t, steps)[0]

    start, damping = lf.slider("start", 5, 170, at=90), lf.slider("damping", 0, 1, at=0.15)
    others = [lf.slider(f"other{i}", 0, 1) for i in range(4)]
    return figure(swing, x=lf.slider("t", 0, 30, at=5), y=("y", -4, 4), sliders=[start, damping, *others], **more)


def test_steps_that_are_too_long_where_two_sliders_are_at_an_end_are_told():
    (told,) = unshown(pendulum())
    assert "needs more steps at start = 170, damping = 0, since" in told
    assert "give ode a larger number of steps, or a slider a shorter range" in told
    assert list(unshown(pendulum(200))) == []


def test_steps_that_are_too_long_are_told_once_for_a_figure():
    def motion(t):
        return lf.ode(lambda y, s: (y[1], -9 * y[0]), (1.0, 0.0), t, 40)

    path = lf.Path(lambda t: motion(t)[0], lambda t: motion(t)[1], over=("t", 0, 12))
    told = [words for words in unshown(figure(lambda t: motion(t)[0], marks={"orbit": path})) if "steps" in words]
    assert len(told) == 1 and "curves/c/y, marks/orbit/x, marks/orbit/y need more steps, since" in told[0]


@pytest.mark.parametrize(
    ("steps", "room"),
    [(300, "it has room for 1.4 times as many steps, steps=..."), (400, "it has no room for more steps")],
)
def test_no_more_steps_are_asked_for_than_a_page_can_play(steps, room):
    shown = figure(lambda t: lf.ode(lambda y, s: (y[1], -900 * y[0]), (1.0, 0.0), t, steps)[0])
    (told,) = [words for words in unshown(shown) if "needs more steps" in words]
    assert "give a slider or the time a shorter range, or let the oscillations be slower, since the trace" in told
    assert room in told and "larger number" not in told


def test_steps_are_tried_at_the_corners_of_four_sliders_and_only_of_what_has_steps(monkeypatch):
    called = []

    def at_rest(a, b, c, d, e, t):
        return lf.ode(lambda y, s: -y, 1.0, t) + 0 * (a + b + c + d + e)

    shown = figure(at_rest, sliders=[lf.slider(name, 0, 1) for name in "abcde"])
    plain = figure(lambda a, t: np.sin(t) + 0 * a)
    for one in (shown, plain):
        monkeypatch.setattr(one, "evaluate", lambda *given, of=one: called.append(of) or type(of).evaluate(of, *given))
    drawn = [count_of_steps(one, called) for one in (shown, plain)]
    assert drawn == [len(settings(shown)) + 2**4, 1]


def count_of_steps(shown, called):
    """How often a figure is evaluated to look at the steps of its one curve."""
    called.clear()
    assert steps_too_long(shown, "curves/c/y", [*settings(shown), *ends_together(shown, "curves/c/y")]) is None
    return len(called)


def resonance(q, w):
    return 1 / np.sqrt((1 - w**2) ** 2 + (w / q) ** 2)


@pytest.mark.parametrize(
    ("changes", "needed"),
    [
        ({}, "y up to 50"),
        ({"y": ("y", 0.01, 10, "log")}, "y up to 50"),
        ({"y": ("y", 0, 50)}, ""),
        ({"out_of_view": {"c": "top"}}, ""),
        ({"x": lf.slider("w", 0, 1)}, ""),  # its highest point is at an end of the x axis
    ],
)
def test_a_peak_that_the_top_cuts_off_at_the_end_of_a_slider_is_told(changes, needed):
    axes = {"x": lf.slider("w", 0, 2, step=0.01), "y": ("y", 0, 10), "sliders": [lf.slider("q", 1, 50, at=5)]}
    told = list(unshown(figure(resonance, **axes | changes)))
    assert len(told) == bool(needed) and all(needed in each and " at q = 50, which" in each for each in told)
