"""An ensemble of curves: a path, the same in the page's script, in its first picture and in a notebook."""

import numpy as np
import pytest
from parity import differences

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw, svg
from livefigures.page import record
from livefigures.page.page import html

STARTS = np.array([8.0, 10.0, 13.0])
WALKS = np.random.default_rng(2).normal(size=(3, 11)).cumsum(axis=1)


def figure(y=lambda t, rate, start: start * np.exp(rate * t), **options):
    asked = {"x": ("t", 0, 10), "each": {"start": STARTS}, "points": 11} | options
    return lf.Figure(
        name="growth",
        x=lf.slider("t", 0, 10, at=4),
        y=("capital", 0, 40),
        sliders=[lf.slider("rate", 0, 0.1, at=0.05)],
        curves={"mean": lambda t, rate: 10 * np.exp(rate * t)},
        marks={"runs": lf.Ensemble(y, **asked)},
        caption="A caption.",
        alt="Three curves that rise.",
    )


def walking(t, rate, start, walk):
    return start + rate * t + walk


def curves(shown, **values):
    """The places of the points of each curve, (curves, points, 2), and whether a gap is behind each."""
    scene = shown.scene(shown.defaults | values)
    found = np.column_stack([scene["marks/runs/x"], scene["marks/runs/y"]]).reshape(3, 12, 2)
    return found[:, :-1], np.isnan(found[:, -1]).any(axis=1)


def test_each_curve_has_its_number():
    found, gaps = curves(figure(), rate=0.02)
    assert gaps.all() and found[0, :, 0] == pytest.approx(np.arange(11))
    assert found[:, :, 1] == pytest.approx(STARTS[:, None] * np.exp(0.02 * np.arange(11)))


def test_each_curve_has_a_number_for_each_of_its_points():
    found, gaps = curves(figure(walking, each={"start": STARTS, "walk": WALKS}), rate=0.1)
    assert gaps.all() and found[:, :, 1] == pytest.approx(STARTS[:, None] + 0.1 * np.arange(11) + WALKS)


@pytest.mark.parametrize("options", [{}, {"y": walking, "each": {"start": STARTS, "walk": WALKS}, "dash": "dotted"}])
def test_page_draws_the_curves_that_the_kernel_draws(options, show):
    shown = figure(**options)
    scene, drawing = shown.scene(shown.defaults), draw.draw(shown)
    assert svg.polyline(drawing.frame, scene["marks/runs/x"], scene["marks/runs/y"]) in html(shown)
    page = show(shown)
    assert differences(page, {"name": "growth", "parity": record.parity(shown)}) == []
    page.evaluate("document.getElementById('growth').live.set({ rate: 0.1 })")
    path = page.locator(".live-ensemble path")
    assert path.get_attribute("d").count("M") == 3
    assert path.evaluate("path => getComputedStyle(path).strokeWidth") == "1.1px"
    assert page.locator(".live-readings tbody tr").last.inner_text().split("\t")[-1] == "3\u00a0curves"
    drawing.update({"rate": 0.1, "t": 4.0})
    assert drawing.artists["mark", "runs"].get_linewidth() == 1.1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y": 3}, "y of an Ensemble must be a function of x, of the names in each and of sliders, got 3"),
        ({"x": (0, 10)}, r'x of an Ensemble must be an argument and its range, x=\("t", 0, 10\), got \(0, 10\)'),
        ({"each": {}}, r'must be numbers by name, each=\{"start": \[8, 10, 13\]\}, got \{\}'),
        ({"each": {"start": WALKS[:, :5]}}, r"or 11 for each as points=... says, .* 'start' has the shape \(3, 5\)"),
        ({"each": {"start": [1, np.nan]}}, "must have finite numbers, one for each curve"),
        ({"each": {"begin": [1, 2]}}, "y of an Ensemble has no argument 'begin', which each names"),
        ({"each": {"start": np.ones(500)}}, "an Ensemble of 11 points has 166 curves at most, got 500; say points=..."),
        ({"points": 1}, "needs a whole number of points for each curve, 2 or more, got 1"),
        ({"y": lambda t, start, mass: start * mass * t}, "marks/runs/y has an argument 'mass' without a slider"),
    ],
)
def test_ensemble_that_cannot_be_drawn_is_told(options, words):
    with pytest.raises(FigureError, match=words):
        figure(**options)
