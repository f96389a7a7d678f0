"""Sliders: ranges, stops, grids and their refusals."""

import numpy as np
import pytest

from dp_lib import live


def test_default_is_always_a_stop():
    slider = live.sigma(50, 400, at=123.4)
    assert 123.4 in slider.stops
    assert slider.stops[[0, -1]].tolist() == [50, 400]


@pytest.mark.parametrize(
    ("slider", "step"),
    [
        (live.slider("t", 0.05, 3, at=0.5), 0.01),
        (live.slider("t", 0, 10, at=4), 0.1),
        (live.sigma(5, 50, at=10), 0.5),
        (live.slider("t", -3, 3, at=0.5), 0.05),
        (live.slider("t", 0, 1, at=1 / 3), 0.01),
        (live.sigma(0.4, 0.7, at=0.5, step=0.1), 0.1),
    ],
)
def test_steps_are_round_and_lead_to_the_default(slider, step):
    assert slider.spacing == step
    assert slider.rests_on(slider.at) == (slider.at != 1 / 3)
    assert slider.rests_on(slider.high)
    assert slider.at in slider.stops


@pytest.mark.parametrize(
    ("slider", "doubt"),
    [
        (
            live.slider("tax", 0, 9, at=4, step=3),
            "cannot return to its default 4: write at=3 or at=6, or give it another",
        ),
        (live.slider("tax", 0, 8, at=3, step=3), "does not reach its high end 8: end it at 6 or 9, or give it another"),
        (live.slider("tax", 0, 99.5), ""),
        (live.slider("tax", 0.1, 0.7, at=0.3, step=0.1), ""),
        (live.slider("tax", 1, 100, at=4.3, log=True), ""),
        (live.choice("tax", ["sellers", "buyers"]), ""),
    ],
)
def test_default_or_end_between_two_stops_is_doubted_with_the_nearest_stops(slider, doubt):
    assert doubt in slider.doubt and bool(doubt) == bool(slider.doubt)


def test_log_slider_has_ten_stops_a_decade_with_two_digits():
    stops = live.delta(1e-9, 1e-3, at=1e-5).stops
    assert len(stops) == 61
    assert all(stop == float(f"{stop:.1e}") for stop in stops)


def test_integer_grids_hold_whole_numbers_only():
    for slider in (live.k(1, 500), live.k(1, 10_000, log=True)):
        assert (slider.grid == np.rint(slider.grid)).all()
        assert len(np.unique(slider.grid)) == len(slider.grid) <= 201
        assert slider.grid[[0, -1]].tolist() == [slider.low, slider.high]


def test_an_axis_at_stops_has_no_points_between():
    assert live.sigma(0.4, 0.7, step=0.1, at_stops=True).grid.tolist() == [0.4, 0.5, 0.6, 0.7]


def test_default_without_at_is_the_high_end():
    assert live.k(1, 500).at == 500


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: live.sigma(400, 50, at=100), "low < high"),
        (lambda: live.sigma(50, float("inf"), at=100), "low < high"),
        (lambda: live.sigma(50, 400, at=20), "from 50 to 400, got 20"),
        (lambda: live.k(1, 10, at=2.5), "a whole number"),
        (lambda: live.delta(0, 1, at=0.5), "logarithmic"),
        (lambda: live.slider("not a name", 0, 1), "Python identifier"),
        (lambda: live.slider("x", 0, 1, step=0.0), "step"),
        (lambda: live.slider("x", 0, 1, toward=("less", "left")), "got ('less', 'left')"),
        (lambda: live.slider("x", 0, 1, toward="low"), "toward must be words for an end and which end it is"),
        (
            lambda: live.slider("x", 0, 1, falls="zCDP"),
            'say towards which end \'zCDP\' moves, toward=("cheaper", "low")',
        ),
        (lambda: live.slider("x", 0, 1, toward=("less", "low"), falls="a", rises="b"), "give one of them"),
        (lambda: live.sigma(50, 400, at=float("nan")), "from 50 to 400, got nan"),
        (lambda: live.sigma(), "slider 'sigma' needs a range: its low end, its high end and, best, its default at="),
        (lambda: live.sigma("50", 400), "two finite numbers, got '50' to 400"),
        (lambda: live.delta(1e-301, 1), "at least 1e-300"),
        (lambda: live.n(1.5, 10), "moves over whole numbers: so must its ends be, got 1.5 to 10"),
        (lambda: live.slider("class", 0, 1), "Python identifier"),
        (lambda: live.slider("x", 0, 1, step=2), "step"),
        (lambda: live.slider("x", 0, 1, step=9e-7), "more than 1000000 stops: give it a larger step, or log=True"),
        (lambda: live.choice("noise", ["Laplace", "laplace!"]), "look alike in a link: laplace, laplace"),
        (lambda: live.choice("noise", ["a", "b"], at="c"), "noise must be one of a, b, got 'c'"),
    ],
)
def test_bad_declarations_are_said_in_words_for_the_figure_to_raise(make, said):
    assert said in make().fault


def test_a_good_slider_has_no_fault():
    assert live.sigma(50, 400, at=200).fault == ""
    assert live.delta(1e-300, 1).fault == ""
    assert live.slider("t", 0, 1, step=1e-6).fault == ""
    assert live.k(np.int64(1), np.float64(9)).fault == ""


def test_a_choice_is_a_whole_number_with_names():
    noise = live.choice("noise", ("Laplace", "discrete Laplace", "σ²"), at="discrete Laplace")
    assert (noise.low, noise.high, noise.at, noise.stops.tolist()) == (0, 2, 1, [0, 1, 2])
    assert noise.keys == ("laplace", "discrete-laplace", "2")
    assert [noise.check(value) for value in ("Laplace", "discrete-laplace", 2.0)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: live.choice("noise", ["Laplace"]), "at least two options"),
        (lambda: live.choice("noise", ["a", "b"]).check(2), "noise must be one of a, b, got 2"),
    ],
)
def test_bad_choices_are_named(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_sliders_of_privacy_know_their_private_end_and_mark_none_unasked():
    sliders = (live.sigma(1, 2), live.epsilon(0, 1), live.delta(1e-9, 1e-3), live.rho(0, 1))
    ends = {"sigma": "high", "epsilon": "low", "delta": "low", "rho": "low"}
    assert {slider.name: slider.toward for slider in sliders} == {n: ("more private", end) for n, end in ends.items()}
    assert [slider.marked_end for slider in sliders] == [""] * 4


def test_a_greek_name_is_written_in_greek_unless_a_symbol_is_given():
    assert [lf_slider.symbol for lf_slider in (live.slider("tau", 0, 1), live.slider("tau", 0, 1, symbol="T"))] == [
        "τ",
        "T",
    ]
    assert live.slider("rate", 0, 1).symbol == ""
