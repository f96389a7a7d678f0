"""matplotlib's drawing: geometry, labels that keep their distance, and colours."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import livefigures as lf
from dp_lib import live
from livefigures.draw import draw, still, svg

FIGURE = live.Figure(
    name="drawn",
    x=live.k(1, 500, at=200),
    y=("ε", 0.001, 10, "log"),
    sliders=[live.sigma(50, 400, at=200)],
    curves={"zCDP": lambda sigma, k: k / sigma**2, "gap": lambda k: np.where(k > 100, 1.0, np.nan)},
)


@given(st.lists(st.floats(-50, 450), min_size=1, max_size=9))
def test_labels_keep_their_distance_and_their_order(places):
    moved = draw.spread(places, 17, 0, 400)
    order = np.argsort(places, kind="stable")
    assert (np.diff(np.array(moved)[order]) >= 17 - 1e-9).all()
    assert min(moved) >= -1e-9
    assert max(moved) <= 400 + 1e-9


def test_labels_far_apart_do_not_move():
    assert draw.spread([100.0, 10.0], 17, 0, 400) == [100.0, 10.0]


EQUAL = lf.Figure("equal", ("x", 1, 500), ("y", -9, 20), marks={"dot": lf.Point(2, 3)}, equal=True)
LONG = lf.Figure("long", lf.slider("x", 1, 1e6, log=True), ("y", 0, 2e12), {"a curve of a long name": 5.0})


@pytest.mark.parametrize("figure", [FIGURE, EQUAL, LONG], ids=lambda figure: figure.name)
def test_frame_is_matplotlibs_own_transform(figure):
    drawn = draw.draw(figure)
    frame, y = drawn.frame, figure.axis
    for x, height in [(1, y.low), (500, y.high), (123, (y.low + y.high) / 2)]:
        px, py = drawn.axes.transData.transform((x, height))
        assert svg.place(frame["x"], x) == pytest.approx(px, abs=0.01)  # the ends of equal axes are rounded
        assert frame["height"] - svg.place(frame["y"], height) == pytest.approx(py, abs=0.01)


def test_update_moves_the_curve_to_the_new_values():
    drawn = draw.draw(FIGURE)
    drawn.update({"sigma": 100.0, "k": 7.0})
    assert drawn.artists["curve", "zCDP"].get_ydata().tolist() == (FIGURE.x.grid / 1e4).tolist()
    assert drawn.artists["cursor", ""].get_xdata() == [7.0, 7.0]


def with_range(low, high, x_high=10):
    x = live.slider("t", 0, x_high, at=x_high)
    return draw.draw(
        live.Figure(name="wide", x=x, y=("people", low, high), curves={"I": lambda t: low + t * (high - low) / x_high})
    )


@pytest.mark.parametrize(
    ("low", "high", "top"),
    [
        (0, 1e5, "100000"),
        (0, 1e6, "1,000,000"),
        (-2e12, 0, "0"),
        (0, 4e-6, "4 × 10⁻⁶"),
        (1_000_000, 1_000_010, "1,000,010"),
    ],
)
def test_numbers_of_an_axis_are_whole_and_inside_with_its_label(low, high, top):
    made = with_range(low, high)
    texts = [tick.get_text() for tick in made.axes.get_yticklabels()]
    assert texts[-1] == top
    assert made.axes.yaxis.get_offset_text().get_text() == ""
    assert made.axes.yaxis.get_tightbbox().x0 >= 0
    assert made.left > draw.LEFT


def test_the_last_number_of_the_x_axis_is_inside():
    assert with_range(0, 1, x_high=1_000_000).axes.xaxis.get_tightbbox().x1 <= draw.WIDTH


def test_axes_whose_labels_have_room_stay_where_they_are():
    made = with_range(0, 1000)
    assert (made.left, made.axes.get_yticklabels()[-1].get_text()) == (draw.LEFT, "1000")


def test_a_still_picture_has_room_for_the_names_of_its_curves():
    figure = live.Figure(name="market", x=live.k(1, 9), y=("price", 0, 9), curves={"demand": lambda k: 9 - k})
    assert draw.draw(figure, still=True).canvas.get_tightbbox().x1 * 72 <= draw.WIDTH


def test_a_price_in_dollars_is_no_formula():
    priced = lf.Figure("priced", lf.slider("t", 0, 1), ("tax in $ per $100", 0, 1), {"US$ and A$": lambda t: t})
    found = svg.markup(draw.draw(priced), "A line.")
    assert "tax in $ per $100" in found and "US$ and A$" in found


def test_several_areas_have_several_colours():
    areas = {"one": lf.Band(0, 1), "two": lf.Band(1, 2), "three": lf.Band(2, 3, colour="C3")}
    made = lf.Figure("areas", lf.slider("t", 0, 1), ("y", 0, 3), {}, marks=areas)
    assert len({made.looks[name].colour.light for name in areas}) == 3


def test_an_area_with_a_label_is_named_in_the_table_with_its_shading():
    areas = {"one": lf.Band(0, 1, label="what is lost"), "two": lf.Band(1, 2)}
    table = still.first_table(lf.Figure("areas", lf.slider("t", 0, 1), ("y", 0, 3), {"c": lambda t: t}, marks=areas))
    (row,) = re.findall(r"<tr>(?=[^/]*live-area).*?</tr>", table)
    assert re.search(r'class="live-swatch live-area live-colour-cycle-\d"></span>what is lost</th><td></td>', row)
    assert "two" not in table


def test_a_dot_on_an_axis_is_whole_and_one_outside_is_not_drawn():
    with pytest.warns(UserWarning, match="1 of the 3 points 'data' are outside"):
        made = lf.Figure(
            "dots", lf.slider("t", 0, 2), ("y", 0, 30), {}, marks={"data": lf.Points([0, 1, 2], [0, 8, 31])}
        )
    drawing = draw.draw(made)
    assert drawing.artists["mark", "data"].get_xdata().tolist() == [0, 1]
    assert not drawing.artists["mark", "data"].get_clip_on()
    path = svg.markup(drawing, "Dots.").split('id="dots--mark-0"')[1].split("/>")[0]
    assert path.count("h0") == 2 and "clip-path" not in path
