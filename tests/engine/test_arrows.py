"""Arrows of a vector field: a path, the same in the page's script, in its first picture and in a notebook."""

import numpy as np
import pytest
from parity import differences

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw, svg
from livefigures.page import record
from livefigures.page.page import html

PLACE = {"x": ("angle", -3, 3), "y": ("speed", -2, 2)}


def pendulum(u=lambda speed: speed, v=lambda angle, speed, damping: -np.sin(angle) - damping * speed, **options):
    return lf.Figure(
        name="pendulum",
        x=("angle, rad", -3, 3),
        y=("speed, rad/s", -2, 2),
        sliders=[lf.slider("damping", 0, 1, at=0.5)],
        marks={"flow": lf.Arrows(u, v, **PLACE | options)},
        caption="A caption.",
        alt="Arrows that go round.",
    )


def corners(shown, **values):
    """The corners of each arrow, (arrows, corners, 2), and the middle of its shaft."""
    scene = shown.scene(shown.defaults | values)
    found = np.column_stack([scene["marks/flow/x"], scene["marks/flow/y"]]).reshape(-1, 6, 2)
    return found, (found[:, 0] + found[:, 1]) / 2


def test_arrow_of_a_scale_is_so_many_times_as_long_as_the_field():
    found, middle = corners(pendulum(columns=3, rows=2, scale=0.25), damping=0.1)
    assert middle == pytest.approx(np.array([[x, y] for y in (-1, 1) for x in (-2, 0, 2)]))
    angle, speed = middle.T
    field = np.column_stack([speed, -np.sin(angle) - 0.1 * speed])
    assert found[:, 1] - found[:, 0] == pytest.approx(0.25 * field)
    assert found[:, 1].tolist() == found[:, 3].tolist() and np.isnan(found[:, 5]).all()


def test_arrows_without_a_scale_have_one_length_and_none_is_where_the_field_is_zero():
    found, middle = corners(pendulum(v=lambda angle: -np.sin(angle), columns=5, rows=5))
    room = np.array([6 / 5, 4 / 5])
    lengths = np.linalg.norm((found[:, 1] - found[:, 0]) / room, axis=1)
    at_rest = np.isnan(lengths)
    assert found[at_rest].size == 12 and np.isnan(found[at_rest]).all()  # in the middle of the picture
    assert lengths[~at_rest] == pytest.approx(0.8)


def test_direction_field_has_one_number_and_one_function():
    found, middle = corners(pendulum(u=1, v=lambda speed, damping: damping * speed))
    slopes = (found[:, 1] - found[:, 0])[:, 1] / (found[:, 1] - found[:, 0])[:, 0]
    assert slopes == pytest.approx(0.5 * middle[:, 1])


@pytest.mark.parametrize("options", [{}, {"scale": 0.2, "columns": 4, "rows": 3}])
def test_page_draws_the_arrows_that_the_kernel_draws(options, show):
    shown = pendulum(**options)
    scene, drawing = shown.scene(shown.defaults), draw.draw(shown)
    assert svg.polyline(drawing.frame, scene["marks/flow/x"], scene["marks/flow/y"]) in html(shown)
    page = show(shown)
    assert differences(page, {"name": "pendulum", "parity": record.parity(shown)}) == []
    page.evaluate("document.getElementById('pendulum').live.set({ damping: 1 })")
    path = page.locator(".live-arrows path")
    assert path.get_attribute("d").count("M") == len(scene["marks/flow/x"]) / 6
    assert path.evaluate("path => getComputedStyle(path).strokeWidth") == "1.2px"
    drawing.update({"damping": 1.0, "x_axis": 0.0})
    assert drawing.artists["mark", "flow"].get_linewidth() == 1.2


def test_script_of_the_paths_draws_arrows_and_is_only_where_they_are(tmp_path):
    pendulum().write_html(tmp_path / "arrows.html")
    assert 'name: "paths"' in (tmp_path / "arrows.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"u": "speed"},
            "u and v of Arrows must be functions of a place and of the sliders, got 'speed' and <function",
        ),
        ({"x": (-3, 3)}, r'x and y of Arrows must be an argument and its range, x=\("angle", -3, 3\), got \(-3, 3\)'),
        ({"columns": 50, "rows": 20}, r"columns and rows, 800 arrows at most, got \[50, 20\]"),
        ({"v": lambda angle, mass: angle * mass}, "marks/flow/x has an argument 'mass' without a slider"),
        ({"v": lambda angle: int(angle)}, "marks/flow/x raised TypeError"),
    ],
)
def test_arrows_that_cannot_be_drawn_are_told(options, words):
    with pytest.raises(FigureError, match=words):
        pendulum(**options)
