"""From functions to data: the shared tape, and the look-up table where a function cannot be traced."""

import math

import numpy as np
import pytest

from dp_lib import live
from livefigures.page import record
from livefigures.trace import programme, tracing


def figure(**curves):
    return live.Figure(
        name="tabled",
        x=live.k(1, 20, at=10),
        y=("y", 0, 30),
        sliders=[live.sigma(1, 5, at=2, step=1), live.alpha(2, 60, at=3)],
        curves=curves,
    )


def test_curves_share_their_common_steps():
    one = programme.programme(figure(a=lambda sigma, k: np.sqrt(k) / sigma)).operations
    two = programme.programme(figure(a=lambda sigma, k: np.sqrt(k) / sigma, b=lambda sigma, k: np.sqrt(k) / sigma + 1))
    assert len(two.operations) == len(one) + 2


def test_tape_gives_what_calling_gives():
    shown = figure(a=lambda sigma, k: np.where(k > 5, np.log(k) / sigma, np.nan))
    played = programme.programme(shown)
    values = tracing.play(played.operations, {"k": shown.x.grid, "sigma": 3.0})[played.outputs["curves/a/y"]]
    np.testing.assert_array_equal(values, shown.scene({"sigma": 3.0, "alpha": 2.0, "k": 1.0})["curves/a/y"])


def test_asked_table_holds_every_stop_and_snaps_its_sliders():
    played = programme.programme(figure(a=live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True)))
    (table,) = played.tables
    assert table["inputs"] == ["sigma", "k"]
    assert len(table["values"]) == 5 * 20
    assert table["values"][1 * 20 + 3] == math.sqrt(4) * 2
    assert played.snapping == {"sigma", "k"}


def test_unasked_table_warns_with_operation_and_line():
    shown = figure(a=lambda sigma, k: math.sqrt(k) * sigma)
    with pytest.warns(programme.LookupWarning, match=r"'tabled': curves/a/y .*test_programme.py.*lookup=True"):
        played = programme.programme(shown)
    assert len(played.tables) == 1


def test_table_over_its_size_is_refused_with_the_counts():
    shown = live.Figure(
        name="tabled",
        x=live.k(1, 30),
        y=("y", 0, 30),
        sliders=[live.sigma(1, 5, at=2, step=1), live.alpha(2, 60, at=3)],
        curves={"a": live.Curve(lambda alpha, sigma, k: math.sqrt(k) * sigma * alpha, lookup=True)},
    )
    with pytest.raises(live.FigureError, match="8850 numbers .59 stops of alpha x 5 stops of sigma x 30 stops of k"):
        programme.programme(shown)


def test_too_many_operations_are_refused():
    def long(k):
        for i in range(3100):
            k = np.sqrt(k + i)
        return k / 9

    with pytest.raises(live.FigureError, match=r"9\d\d\d tape operations, at most 6000"):
        programme.programme(figure(a=long))


def test_parity_settings_of_a_table_are_stops():
    shown = figure(a=live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True))
    for setting in record.parity(shown):
        assert setting["values"]["sigma"] in shown.controls["sigma"].stops
        assert setting["values"]["k"] in shown.x.grid
