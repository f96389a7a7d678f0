"""The private end of a slider is where the curve that it names is lower (or higher, if it `rises`).

At every stop, or 41 of them, with the other sliders at rest, as linked, in every corner, and at twenty random places.
"""

import numpy as np
import pytest
from figures import BY_CHAPTER, figures
from private_ends import fault

from dp_lib import live
from livefigures.page import page


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_every_marked_end_is_the_private_one(chapter):
    faults = [fault(figure, chapter, name) for figure in figures(chapter) for name in figure.controls]
    assert [*filter(None, faults)] == []


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_at_a_fixed_promise_no_number_of_answers_is_more_private(chapter):
    """The noise that is needed is calibrated anew for each k: the curve falls towards k = 1, and the promise stays."""
    noise = [each for each in figures(chapter) if each.up and "ε" not in each.y[0]]
    answers = [(each.name, each.controls["k"]) for each in noise if "k" in each.controls]
    assert [name for name, k in answers if k.marked_end] == []


def figure(**changes):
    parts = {
        "name": "ends",
        "x": live.k(1, 10, at=5),
        "y": ("ε", 0, 100),
        "sliders": [live.sigma(1, 10, at=5), live.slider("turn", -1, 1, at=0)],
        "curves": {
            "loss": lambda sigma, k: k / sigma,
            "noise": lambda sigma, turn, k: sigma + 0 * k,
            "flat": lambda k: 1,
        },
        "marks": {"spot": live.Point(x=lambda: 5, y=lambda k, turn: k * (turn + 1)), "at": live.Line(x=lambda: 5)},
    }
    return live.Figure(**parts | changes)


def faults(**changes):
    shown = figure(**changes)
    return [*filter(None, (fault(shown, "nowhere", name) for name in shown.controls))]


@pytest.mark.parametrize(
    "slider",
    [
        {
            "sliders": [
                live.sigma(1, 10, falls="loss"),
                live.slider("turn", -1, 1, toward=("more private", "low"), falls="spot"),
            ]
        },
        {"sliders": [live.sigma(1, 10, rises="noise"), live.slider("turn", -1, 1)]},
        {"sliders": [live.sigma(1, 10, falls="flat"), live.slider("turn", -1, 1)]},  # weakly
        {"x": live.k(1, 10, at=5, falls="loss")},
        {"x": live.k(1, 10, at=5, falls="spot")},
    ],
)
def test_a_true_end_passes(slider):
    assert faults(**slider) == []


def test_a_false_end_is_named_with_its_setting():
    (found,) = faults(sliders=[live.sigma(1, 10, falls="noise"), live.slider("turn", -1, 1)])
    assert "'noise' does not fall towards the private end of 'sigma': 1 at 1, " in found
    (found,) = faults(x=live.k(1, 10, at=5, rises="loss"))
    assert "'loss' does not rise towards the private end of 'k'" in found


def test_an_end_that_holds_at_rest_and_fails_elsewhere_is_found():
    curves = {"loss": lambda sigma, turn, k: k + (1 - 2 * (turn > 0.5)) / sigma}
    turning = live.slider("turn", -1, 1, at=0)
    assert faults(curves=curves, sliders=[live.sigma(1, 10), turning], marks={}) == []
    assert len(faults(curves=curves, sliders=[live.sigma(1, 10, falls="loss"), turning], marks={})) == 1


def test_gaps_are_passed_over():
    curves = {"loss": lambda sigma, k: np.where((sigma > 3) & (sigma < 4), np.nan, k / sigma)}
    assert faults(curves=curves, sliders=[live.sigma(1, 10, falls="loss"), live.slider("turn", -1, 1)]) == []


def test_only_an_end_that_is_about_something_is_marked():
    assert "more private" not in page.html(figure())
    marked = page.html(
        figure(
            x=live.k(1, 10, falls="loss"),
            sliders=[live.sigma(1, 10, rises="noise")],
            curves={"loss": lambda sigma, k: k / sigma, "noise": lambda sigma: sigma},
            marks={},
        )
    )
    assert marked.count("more private →") == 1
    assert marked.count("← more private") == 1


@pytest.mark.parametrize("part", ["los", "at"])
def test_what_has_no_height_is_refused(part):
    with pytest.raises(live.FigureError, match=f"the low end of 'k' names '{part}', which is none of loss, noise"):
        figure(x=live.k(1, 10, falls=part))
