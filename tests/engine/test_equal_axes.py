"""Axes whose units have one length: on a page, in front of a class, in a notebook and in a file."""

import numpy as np
import pytest
from matplotlib.image import imread
from waiting import wait_until

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw
from livefigures.notebook.view import View


def circle(x=("x, cm", -3, 3), y=("y, cm", -2, 2), **options):
    return lf.Figure(
        name="circle",
        x=x,
        y=y,
        sliders=[lf.slider("r", 0.5, 2, at=1, words="radius, cm")],
        marks={
            "circle": lf.Path(
                lambda u, r: r * np.cos(u), lambda u, r: r * np.sin(u), over=("u", 0, 2 * np.pi), colour="tab:blue"
            )
        },
        caption="A caption.",
        alt="A circle.",
        **{"equal": True, **options},
    )


def lengths(frame):
    """The lengths of a unit of x and of y."""
    return [abs((end - start) / (high - low)) for start, end, low, high, _ in (frame["x"], frame["y"])]


@pytest.mark.parametrize("y", [(-2, 2), (-3, 3), (-1, 1), (-20, 20)])
def test_unit_of_x_is_as_long_as_one_of_y(y):
    wide, high = lengths(draw.draw(circle(y=("y, cm", *y))).frame)
    assert wide == pytest.approx(high, rel=1e-3)
    wide, high = lengths(draw.draw(circle(y=("y, cm", *y), equal=False)).frame)
    assert abs(wide / high - 1) > 0.1


def test_picture_is_no_larger_than_others_and_stands_in_the_middle():
    for y in ((-2, 2), (-20, 20), (-0.5, 0.5)):
        frame = draw.draw(circle(y=("y, cm", *y))).frame
        plain = draw.draw(circle(y=("y, cm", *y), equal=False)).frame
        assert frame["height"] <= plain["height"] + 0.01 and frame["x"][1] <= plain["x"][1] + 0.01
        assert sum(frame["x"][:2]) == pytest.approx(sum(plain["x"][:2]), abs=0.03)
        assert frame["y"][1] == plain["y"][1] and frame["height"] - frame["y"][0] == pytest.approx(56)


def test_short_axis_has_few_numbers():
    axes = draw.draw(circle(y=("y, cm", -20, 20))).axes
    assert len([tick for tick in axes.get_xticks() if -3 <= tick <= 3]) <= 3


def test_circle_is_round_on_a_page_and_where_it_fills_the_window(show):
    page = show(circle())
    box = page.locator("#circle .live-path path").bounding_box()
    assert box["width"] == pytest.approx(box["height"], rel=0.02)
    page.locator("#circle [data-action=present]").click()
    wait_until(page, "document.getElementById('circle').live.filling")
    for _ in range(3):  # it may come step by step
        page.keyboard.press("ArrowRight")
    larger = page.locator("#circle .live-path path").bounding_box()
    assert larger["width"] == pytest.approx(larger["height"], rel=0.02) and larger["width"] > 1.1 * box["width"]


def test_circle_is_round_in_a_notebook_and_in_a_file(tmp_path):
    shown = circle()
    view = View(shown, {})
    ends = view._drawing.axes.transData.transform([(0, 0), (1, 1)])
    wide, high = ends[1] - ends[0]
    assert wide == pytest.approx(high, rel=1e-3)
    shown.savefig(tmp_path / "circle.png", dpi=100)
    pixels = imread(tmp_path / "circle.png")[..., :3]
    coloured = np.argwhere(np.ptp(pixels, axis=2) > 0.2)  # the axes are grey
    high, wide = np.ptp(coloured, axis=0)
    assert wide == pytest.approx(high, rel=0.02)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"equal": "yes"}, "equal must be True or False, got 'yes'"),
        ({"y": ("y", 1, 10, "log")}, "equal=True needs two axes without a logarithm"),
        ({"x": ("x", 1, 10, "log")}, "equal=True needs two axes without a logarithm"),
        ({"x": lf.slider("t", 1, 10, log=True)}, "equal=True needs two axes without a logarithm"),
    ],
)
def test_axes_that_cannot_be_equal_are_told(options, words):
    with pytest.raises(FigureError, match=words):
        circle(**options)
