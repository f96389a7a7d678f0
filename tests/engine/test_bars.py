"""Bars for counts: the same in the page's script, in its first picture, in a notebook and in a file."""

import re

import numpy as np
import pytest
from parity import differences
from scipy import stats

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw
from livefigures.page import bundle, record
from livefigures.page.page import html

KS = np.arange(5)


def figure(x=KS, y=lambda p: stats.binom.pmf(KS, 4, p), axis=("probability", 0, 1), **options):
    return lf.Figure(
        name="successes",
        x=lf.slider("k", -1, 5, at=2),
        y=axis,
        sliders=[lf.slider("p", 0, 1, at=0.5)],
        curves={"level": lambda p: p},
        marks={"binomial": lf.Bars(x, y, **options)},
        caption="A caption.",
        alt="Five bars that rise and fall.",
    )


def boxes(markup):
    """The left, lower, upper and right ends of the bars in a picture."""
    path = re.search(r'class="live-bars[^>]*>\s*<path[^>]* ?d="([^"]*)"', markup)
    return np.array(re.findall(r"M(\S+) ([^V]+)V([^H]+)H([^V]+)V[^Z]+Z", path[1]), dtype=float)


def expected(shown, x, y, wide=0.8, base=0.0):
    frame = draw.draw(shown).frame
    across = [draw.place(frame["x"], np.asarray(x) + side * wide / 2) for side in (-1, 1)]
    up = [draw.place(frame["y"], end) for end in (np.full(len(y), base), y)]
    return np.column_stack([across[0], *up, across[1]])


WAYS = {
    "array": {},
    "own-x": {"y": lambda k, p: stats.binom.pmf(k, 4, p)},
    "list": {"y": lambda p: [(1 - p) ** 4, 4 * p * (1 - p) ** 3, 6 * (p * (1 - p)) ** 2, 4 * p**3 * (1 - p), p**4]},
}


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_page_draws_the_bars_that_the_kernel_draws(options, show):
    shown = figure(**options)
    assert boxes(html(shown)) == pytest.approx(expected(shown, KS, stats.binom.pmf(KS, 4, 0.5)), abs=0.06)
    page = show(shown)
    assert differences(page, {"name": "successes", "parity": record.parity(shown)}) == []
    page.evaluate("document.getElementById('successes').live.set({ p: 0.2 })")
    heights = stats.binom.pmf(KS, 4, 0.2)
    drawn = boxes(page.evaluate("document.getElementById('successes').outerHTML"))
    assert drawn == pytest.approx(expected(shown, KS, heights), abs=0.011)
    drawing = draw.draw(shown)
    drawing.update({"p": 0.2, "k": 2.0})
    drawn = [path.vertices[1, 1] for path in drawing.artists["mark", "binomial"].get_paths()]
    assert drawn == pytest.approx(heights)


def test_counted_numbers_have_bars_of_a_width_and_a_base_and_a_row_of_the_table(show):
    shown = figure(x=[0, 2, 4], y=[0.2, 0.5, 0.3], width=1.5, base=0.1)
    assert boxes(html(shown)) == pytest.approx(expected(shown, [0, 2, 4], [0.2, 0.5, 0.3], 1.5, 0.1), abs=0.06)
    page = show(shown)
    assert page.locator(".live-readings tbody tr").last.inner_text().split("\t")[-1] == "3\u00a0bars"
    page.evaluate("document.getElementById('successes').live.draw()")
    assert len(boxes(page.evaluate("document.getElementById('successes').outerHTML"))) == 3


@pytest.mark.parametrize(("x", "wide"), [([0, 2, 5], 1.6), ([3], 0.8), ([4, 1, 1], 2.4)])
def test_width_is_a_share_of_the_distance_between_two_bars(x, wide):
    assert lf.Bars(x, [1] * len(x)).wide == pytest.approx(wide)


def test_bar_without_a_height_is_left_out_and_one_on_a_logarithmic_axis_reaches_its_end(show):
    shown = figure(y=lambda k, p: np.where(k == 1, np.nan, p / (k + 1)), axis=("probability", 0.01, 1, "log"))
    page = show(shown)
    page.evaluate("document.getElementById('successes').live.set({ p: 0.2 })")
    drawn = boxes(page.evaluate("document.getElementById('successes').outerHTML"))
    heights = np.array([0.2, 0.2 / 3, 0.05, 0.04])
    frame = draw.draw(shown).frame
    assert drawn[:, 2] == pytest.approx(draw.place(frame["y"], heights), abs=0.011)
    assert (drawn[:, 1] >= frame["y"][0]).all()
    drawing = draw.draw(shown)
    drawing.update({"p": 0.2, "k": 2.0})
    assert len(drawing.artists["mark", "binomial"].get_paths()) == 4


def test_script_of_the_bars_is_only_where_they_are(tmp_path):
    assert bundle.parts_of(html(figure())) == ["bar_chart"]
    figure().write_html(tmp_path / "bars.html")
    assert 'name: "bar_chart"' in (tmp_path / "bars.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 0}, "width of the bars 'binomial' must be a number above 0, in units of x, got 0"),
        ({"base": "floor"}, "base of the bars 'binomial' is the height on which they stand, a number, got 'floor'"),
        ({"y": [1, 2]}, "the points 'binomial' need as many x as y, got 5 and 2"),
    ],
)
def test_bars_that_cannot_be_drawn_are_told(options, words):
    with pytest.raises(FigureError, match=words):
        figure(**options)
