"""Curves along a parameter: the same in the page's script, in its first picture and in a notebook."""

import numpy as np
import pytest
from parity import differences

import livefigures as lf
from livefigures.declare.colours import NEUTRAL
from livefigures.declare.parts import FigureError
from livefigures.draw import draw, svg
from livefigures.page import record
from livefigures.page.page import html


def ellipse(x=lambda u, a: a * np.cos(u), y=lambda u: np.sin(u), over=("u", 0, 2 * np.pi), **options):
    return lf.Figure(
        name="ellipse",
        x=("width, cm", -3, 3),
        y=("height, cm", -2, 2),
        sliders=[lf.slider("a", 0.5, 2, at=1, words="half of the width, cm")],
        marks={"ellipse": lf.Path(x, y, over=over, **options), "right end": lf.Point(lambda a: a, 0)},
        caption="A caption.",
        alt="A circle.",
    )


def test_path_is_drawn_from_one_end_of_its_parameter_to_the_other():
    shown = ellipse(size=5)
    scene = shown.scene({"a": 2.0, "x_axis": 0.0})
    assert scene["marks/ellipse/x"] == pytest.approx([2, 0, -2, 0, 2])
    assert scene["marks/ellipse/y"] == pytest.approx([0, 1, 0, -1, 0])
    drawn = draw.draw(shown)
    drawn.update({"a": 2.0, "x_axis": 0.0})
    assert drawn.artists["mark", "ellipse"].get_xdata().tolist() == scene["marks/ellipse/x"].tolist()
    frame = drawn.frame
    path = svg.polyline(frame, shown.scene(shown.defaults)["marks/ellipse/x"], scene["marks/ellipse/y"])
    assert path in html(shown)


def test_page_computes_the_places_that_the_kernel_computes(show):
    shown = ellipse(y=lambda u, a: lf.ode(lambda y, t: -a * y, 1.0, u), size=33)
    settings = record.parity(shown)
    assert {len(values) for setting in settings for values in setting["marks"].values()} == {33}
    assert differences(show(shown), {"name": "ellipse", "parity": settings}) == []


def test_path_follows_a_slider_and_has_a_gap_where_it_has_no_place(show):
    page = show(ellipse(y=lambda u: np.where(u < 3, np.sin(u), np.nan), over=("u", 0, 6), size=7))
    page.evaluate("document.getElementById('ellipse').live.set({ a: 2 })")
    path = page.get_attribute(".live-path path", "d")
    places = [tuple(map(float, place.split())) for place in path[1:].split("L")]
    frame = draw.draw(ellipse()).frame
    found = [(float(draw.place(frame["x"], 2 * np.cos(u))), float(draw.place(frame["y"], np.sin(u)))) for u in range(3)]
    np.testing.assert_allclose(places, found, atol=0.011)
    half = ellipse(x=lambda u: np.where(u < 3, u, np.nan), y=1, over=("u", 0, 6), size=7)
    assert show(half).get_attribute(".live-path path", "d").count("L") <= 2


def test_axis_that_is_no_slider_has_no_cursor_and_no_slider(show):
    shown = ellipse()
    page = show(shown)
    assert page.evaluate("[...document.querySelectorAll('input[type=range]')].map(({ name }) => name)") == ["a"]
    assert not page.locator(".live-cursor-line path").is_visible()
    assert page.inner_text("thead").strip() == "height against width"
    assert page.evaluate("document.getElementById('ellipse').live.settings()") == "a = 1"
    box = page.locator("figure svg").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("document.getElementById('ellipse').live.moved") == []
    told = page.text_content("#ellipse--now").replace("\u00a0", " ")
    assert told == "At a = 1, right end: width = 1.000, height = 0."


def test_notebook_and_file_have_no_cursor_either(tmp_path):
    shown = ellipse()
    assert list(shown.view.sliders) == ["a"]
    shown.values = {"a": 2}
    assert shown.values == {"a": 2}  # nobody moves the x axis
    with pytest.raises(FigureError, match="no slider 'x_axis'; its sliders are a$"):
        shown.values = {"x_axis": 1}
    shown.view.reset()
    assert shown.values == {"a": 1}
    assert not draw.draw(shown).artists["cursor", ""].get_visible()
    shown.savefig(tmp_path / "ellipse.svg", a=2)
    assert "cursor" not in (tmp_path / "ellipse.svg").read_text("utf-8")


def test_parameter_with_the_name_of_a_slider_is_the_parameter():
    shown = ellipse(x=lambda a: a, y=1, over=("a", 0, 2), size=3)
    assert shown.scene(shown.defaults)["marks/ellipse/x"].tolist() == [0, 1, 2]
    assert shown.follows("marks/ellipse/x") == ["step_of_3"]


def test_paths_are_told_apart_as_curves_are():
    looks = lf.Figure(
        name="two",
        x=lf.slider("t", 0, 5),
        y=("y", -9, 9),
        curves={"line": lambda t: t},
        marks={name: lf.Path(lambda u: 5 * u, lambda u: 2 * u) for name in ("one", "other")},
    ).looks
    assert len(set(looks.values())) == 3 and NEUTRAL not in [look.colour for look in looks.values()]


def test_path_outside_the_picture_is_told():
    with pytest.warns(UserWarning, match="the path 'ellipse' is outside the picture at the sliders' defaults"):
        ellipse(y=lambda u: 5 + np.sin(u))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"over": "u"}, r'over of the path \'ellipse\' must be its parameter and the range of it, such as \("u", 0,'),
        ({"over": ("u", 1, 1)}, "over of the path 'ellipse' must be"),
        ({"over": ("v", 0, 1)}, "neither x nor y of the path 'ellipse' has the argument 'v', which over names"),
        ({"size": 1}, "the path 'ellipse' needs a whole number of points, 2 to 5000, got size=1"),
        ({"y": lambda u, b: u * b}, "marks/ellipse/y has an argument 'b' without a slider; known: a;"),
    ],
)
def test_path_that_cannot_be_drawn_is_told(changes, words):
    with pytest.raises(FigureError, match=words):
        ellipse(**changes)


def test_curve_needs_a_slider_as_its_axis():
    with pytest.raises(FigureError, match=r"curves need a slider as their x axis; a curve along a parameter is a mark"):
        lf.Figure(name="plain", x=("x", 0, 1), y=("y", 0, 1), curves={"line": lambda x: x})
    own = {"sliders": [lf.slider("x_axis", 0, 1)], "marks": {"one": lf.Point(lambda x_axis: x_axis, 0)}}
    with pytest.raises(FigureError, match="two sliders are named 'x_axis'; give one of them a name of its own"):
        lf.Figure(name="plain", x=("x", 0, 1), y=("y", 0, 1), **own)
    with pytest.raises(FigureError, match="the x axis needs low < high"):
        lf.Figure(name="plain", x=("x", 1, 0), y=("y", 0, 1), marks={"one": lf.Point(0, 0)})
