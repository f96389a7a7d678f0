"""matplotlib's drawing: geometry, labels that keep their distance, and colours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import live
from livefigures.draw import draw, svg

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


def test_update_moves_the_curve_to_the_new_values():
    drawn = draw.draw(FIGURE)
    drawn.update({"sigma": 100.0, "k": 7.0})
    assert drawn.artists["curve", "zCDP"].get_ydata().tolist() == (FIGURE.x.grid / 1e4).tolist()
    assert drawn.artists["cursor", ""].get_xdata() == [7.0, 7.0]
