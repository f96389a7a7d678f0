"""No silent wrong trace: what a page would show is compared with plain calls when a figure is made."""

import itertools
import math
import time

import numpy as np
import pytest

from dp_lib import live
from livefigures.trace.settings import settings

CHANGES = (
    r"^figure 'agreed': curves/f/y gives \S+ and then \S+ at the same setting, a = 2, x = 5; "
    r"write a function of its arguments alone, without random numbers, a counter or a clock: .*draw them$"
)


def figure(curve, name="agreed", **marks):
    return live.Figure(
        name=name,
        x=live.slider("x", 0, 10, at=5),
        y=("y", -100, 100),
        sliders=[live.slider("a", 1, 3, at=2), live.choice("which", ("one", "two"))],
        curves={"f": curve},
        marks=marks,
    )


draw = np.random.standard_normal


def caught(x, a):
    try:
        return math.sqrt(x) * a
    except TypeError:  # an array or a stand-in
        return x


counter, seen = itertools.count(1), []


def first_call(x, a):
    seen.append(a)
    return a * x if len(seen) < 10 else x + 1


REFUSED = {
    "random": (lambda x, a: a * x + draw(), CHANGES),
    "counter": (lambda x, a: a * x + next(counter), CHANGES),
    "clock": (lambda x, a: a * x + 0 * time.perf_counter() + time.perf_counter_ns() % 10**6 * 1e-9, CHANGES),
    "first call": (first_call, "curves/f/y gives"),
    "random table": (live.Curve(lambda x, a: a * x + draw(), lookup=True), CHANGES),
    "caught error": (
        caught,
        r"curves/f/y gives 4.47213595\d* at a = 2, x = 5, but its trace, which a page plays, gives 5.0; "
        r"write one formula .*without try and except.*np.where\(condition, a, b\)",
    ),
    "type": (
        lambda x, a: a * x if isinstance(x, float | np.ndarray) else a * x + 1,
        r"gives 10.0 at a = 2, x = 5, but its trace, .* gives 11.0",
    ),
    "array": (
        lambda x: x + 1 if isinstance(x, np.ndarray) else x,
        r"gives 1.0 at x = 0, but its trace, which a page plays, gives 0.0",
    ),
    "at an end": (
        lambda x, a: a * x + 1 if isinstance(a, float) and a == 3 else a * x,
        r"gives 16.0 at a = 3, x = 5, but its trace, .* gives 15.0",
    ),
    "nan": (lambda x, a: np.nan if isinstance(x, float) else a * x, r"gives nan at a = 2, x = 5"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_function_that_a_page_would_show_otherwise_is_refused_with_both_values(case):
    function, words = REFUSED[case]
    with pytest.raises(live.FigureError, match=words) as refusal:
        figure(function)
    if case == "random":
        told = str(refusal.value).split()
        first, second = (float(told[told.index(word) + 1]) for word in ("gives", "then"))
        assert first != second and all(abs(value - 10) < 6 for value in (first, second))


def test_function_that_changes_its_arguments_in_place_leaves_the_axis_and_the_samples_as_they_are():
    def moved(x, a):
        x += a
        return x

    def spread(z):
        z *= 2
        return z

    made = figure(moved, m=live.Cloud(x=spread, y=lambda u: u, size=30))
    assert made.x.grid[-1] == 10 and made.scene(made.defaults)["curves/f/y"][-1] == 12
    np.testing.assert_array_equal(made.scene(made.defaults)["marks/m/x"], 2 * made.draws["z"])


def test_the_same_nan_is_no_difference():
    assert figure(lambda x, a: np.where(x > 5, np.nan, a * x))


@pytest.mark.parametrize(
    "mark",
    [
        live.Point(x=lambda: 3.0, y=lambda a: a + draw()),
        live.Line(y=lambda a: a + draw()),
        live.Band(low=lambda x: x, high=lambda x, a: x + a + draw()),
        live.Cloud(x=lambda z: z, y=lambda a, u: a * u + draw()),
    ],
)
def test_every_kind_of_mark_is_checked(mark):
    with pytest.raises(live.FigureError, match="marks/m/.* and then .* at the same setting"):
        figure(lambda x: x, m=mark)


def test_clouds_of_the_figures_own_draws_and_seeded_numbers_are_taken():
    noise = np.random.default_rng(1).normal()  # drawn once, before the figure
    made = figure(lambda x, a: a * x + noise, m=live.Cloud(x=lambda z: 5 + z, y=lambda a, u: a * u, size=30))
    assert made.draws.keys() == {"z", "u"}


def test_settings_are_the_defaults_both_ends_and_the_same_random_ones_each_time():
    made = figure(lambda x, a: a * x)
    tried = settings(made)
    assert tried == settings(made) and tried[0] == made.defaults
    for name, slider in made.controls.items():
        assert {slider.low, slider.high} <= {setting[name] for setting in tried}
        assert all(setting[name] in slider.stops for setting in tried)
    assert tried[1:4] != settings(figure(lambda x, a: a * x, name="another"))[1:4]


def test_slider_of_one_choice_is_tried_where_it_counts():
    made = live.Figure(
        name="waits",
        x=live.slider("x", 0, 10),
        y=("y", 0, 30),
        sliders=[live.choice("kind", ("p", "q")), live.slider("a", 1, 3, when=("kind", "q"))],
        curves={"f": lambda x, a, kind: np.where(kind > 0, a, 1.0) * x},
    )
    ends = [setting for setting in settings(made)[4:] if setting["a"] == 1]
    assert ends and all(setting["kind"] == 1 for setting in ends)


def test_cloud_that_depends_on_the_cursor_is_compared_at_the_cursor():
    cloud = live.Cloud(lambda z: z, lambda x, z: x + z, size=150)
    made = figure(lambda x, a: a * x, cloud=cloud)
    np.testing.assert_allclose(made.scene(made.defaults)["marks/cloud/y"], 5 + made.draws["z"])
