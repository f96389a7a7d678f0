"""What a page says of a figure whose sliders do not do what they say: the build finds it in the page's data."""

import pytest

import livefigures as lf
from livefigures.page import page
from livefigures.page.claimed import idle, wrong_ends


def figure(curve=lambda rate, t: rate * t, rate=None, **changes):
    declared = {
        "name": "moved",
        "x": lf.slider("t", 0, 10, at=4),
        "y": ("y", 0, 10),
        "sliders": [rate or lf.slider("rate", 0, 1, at=0.5)],
        "curves": {"cost": curve},
        "alt": "A line.",
    }
    return lf.Figure(**declared | changes)


def test_a_slider_that_no_function_uses_is_named():
    assert idle(figure()) == []
    (told,) = idle(figure(lambda t: t))
    assert told.startswith("figure 'moved': no function uses the slider 'rate'; name it among the arguments")
    assert told.replace("'", "\\u0027") in page.html(figure(lambda t: t)) or told in page.html(figure(lambda t: t))


def test_the_x_axis_and_a_choice_that_others_wait_for_are_used():
    sliders = [lf.choice("plan", ["a", "b"]), lf.slider("rate", 0, 1, when=("plan", "a"))]
    assert idle(figure(lambda rate: rate, sliders=sliders)) == []


@pytest.mark.parametrize(
    ("toward", "said", "instead"),
    [
        ("low", {"falls": "cost"}, ""),
        ("high", {"rises": "cost"}, ""),
        (
            "high",
            {"falls": "cost"},
            "'cost' rises towards the high end of 'rate'; write rises='cost', or mark the other",
        ),
        ("low", {"rises": "cost"}, "'cost' falls towards the low end of 'rate'; write falls='cost', or mark the other"),
    ],
)
def test_an_end_towards_which_a_curve_moves_the_other_way_is_named(toward, said, instead):
    told = wrong_ends(figure(rate=lf.slider("rate", 0, 1, at=0.5, toward=("cheaper", toward), **said)))
    assert [words.partition(": ")[2].startswith(instead) for words in told] == [True] * bool(instead)
