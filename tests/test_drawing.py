"""matplotlib's drawing: geometry, labels that keep their distance, and colours."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import live
from livefigures.declare import colours
from livefigures.draw import draw, svg
from livefigures.page import bundle

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


def test_frame_is_matplotlibs_own_transform():
    drawn = draw.draw(FIGURE)
    for x, y in [(1, 0.001), (500, 10), (123, 0.5)]:
        px, py = drawn.axes.transData.transform((x, y))
        frame = drawn.frame
        assert svg.place(frame["x"], x) == pytest.approx(px, abs=1e-6)
        assert draw.HEIGHT - svg.place(frame["y"], y) == pytest.approx(py, abs=1e-6)


def test_one_colour_per_definition():
    names = {
        "zCDP, tight": "zcdp",
        "RDP at this α": "rdp",
        "CDP": "cdp",
        "exact": "exact",
        "advanced composition": "approx",
    }
    assert {name: colours.colour_of(name, "") for name in names} == names
    assert len(set(colours.COLOURS.values())) == len(colours.COLOURS)


def test_page_css_knows_every_colour_twice_light_and_dark():
    css = bundle.style()
    for name in colours.COLOURS:
        assert len(re.findall(rf"--live-{name}: light-dark\(#\w+, #\w+\);", css)) == 1
        assert f".live-colour-{name} " in css
    assert all(f"--live-{name}: light-dark({colour}, " in css for name, colour in colours.COLOURS.items())


def _luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_colours_are_readable_as_text_on_white():
    for colour in colours.COLOURS.values():
        assert 1.05 / (_luminance(colour) + 0.05) >= 4.5


def test_update_moves_the_curve_to_the_new_values():
    drawn = draw.draw(FIGURE)
    drawn.update({"sigma": 100.0, "k": 7.0})
    assert drawn.artists["curve", "zCDP"].get_ydata().tolist() == (FIGURE.x.grid / 1e4).tolist()
    assert drawn.artists["cursor", ""].get_xdata() == [7.0, 7.0]
