"""Names in the picture: where they stand on a page and in matplotlib's picture, and what they keep off."""

import ast
import itertools
import re

import numpy as np
import pytest
from test_write_html import interest
from waiting import wait_until

import livefigures as lf
from livefigures.draw import draw, names
from livefigures.draw.names import TALL, Names
from livefigures.page import bundle

COVERED = """() => [...document.querySelectorAll(".live-label:not([data-absent]) text")].map((text) => {
  const box = text.getBoundingClientRect();
  const { x, y, width, height } = document.querySelector(".live-points path").getBoundingClientRect();
  const matrix = text.ownerSVGElement.getScreenCTM();
  const dots = [...document.querySelector(".live-points path").getAttribute("d").matchAll(/M(\\S+) (\\S+?)h0/g)];
  const places = dots.map(([, px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
  const inside = ({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return [text.textContent, places.filter(inside).length];
})"""
NAME = "compound interest"
# A figure may be there before its place on the page is measured, and then its names are not.
NAMED = "document.querySelector('figure.live')?.live?.of('labels').columns !== undefined"


def test_names_in_a_file_keep_the_distances_of_those_on_a_page():
    script = (bundle.HERE / "features" / "labels.js").read_text("utf-8")
    theirs = dict(re.findall(r"const ([A-Z]+) = (\[.*?\n  \]|[\d.]+);", script, re.DOTALL))
    ours = {name: np.array(getattr(names, name)).tolist() for name in theirs}
    assert {name: ast.literal_eval(value) for name, value in theirs.items()} == ours and "SIDES" in ours


def measured(first, last):
    years = np.arange(first, last, 0.5)
    return interest(
        sliders=[lf.slider("rate", 0, 0.1, at=0.03)],
        curves={NAME: lambda rate, t: 10 * (1 + rate) ** t},
        marks={"measured": lf.Points(years, 10 * 1.03**years + 6 * np.sin(5 * years))},
    )


@pytest.mark.parametrize(("first", "leads"), [(24, 0), (0, 1)])  # where they are everywhere it stands a line away
def test_name_covers_no_points_on_a_phone(first, leads, show):
    page = show(measured(first, 40), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    assert page.evaluate(COVERED) == [[NAME, 0]]
    assert page.locator(".live-lead path:not([d=''])").count() == leads


def three():
    """Three lines so close that the middle one has no room for a name beside it."""
    return interest(
        x=lf.slider("t", 0, 40, at=0),
        curves={name: lambda t, up=up: 30 + up + 2 * t for name, up in [("upper", 3), (NAME, 1.5), ("lower", 0)]},
        sliders=[],
    )


def test_name_between_two_curves_stands_beyond_them_with_a_line_to_its_own(show):
    page = show(three(), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    assert set(page.evaluate(NAMES)) == {"upper", NAME, "lower"}  # and none is a number
    leads = page.locator(".live-lead path").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    assert [bool(lead) for lead in leads] == [False, True, False]


def test_name_away_from_its_curve_has_a_line_to_it_in_a_file_too():
    names = Names(draw.draw(three()), moved=True)
    names.put()
    assert [bool(len(names.leads[name].get_xdata())) for name in ("upper", NAME, "lower")] == [False, True, False]
    (x, _), (start, end) = names.leads[NAME].get_data()
    assert names.drawing.frame["height"] - start == pytest.approx(np.interp(x, names.xs, names.heights[NAME]))
    middle = names.drawing.artists["name", NAME].get_position()[1]
    assert end == pytest.approx(middle + np.copysign(TALL / 2, start - end))


def coarse():
    """A curve with a point at each of five whole numbers, and straight lines between them."""
    return interest(
        x=lf.slider("t", 0, 4, at=4, integer=True),
        curves={"a steep name": lambda t: 30 * t},
        sliders=[],
    )


# How many of 500 points of the first curve are behind its name.
OWN_COVERED = """() => {
  const text = document.querySelector(".live-label text");
  const { left, right, top, bottom } = text.getBoundingClientRect();
  const path = document.querySelector(".live-curve path");
  const matrix = path.getScreenCTM();
  const along = Array.from({ length: 500 }, (_, i) => path.getPointAtLength((path.getTotalLength() * i) / 499));
  return along.map((point) => point.matrixTransform(matrix))
    .filter(({ x, y }) => x > left && x < right && y > top + 2 && y < bottom - 2).length;
}"""


def test_name_keeps_off_the_straight_lines_between_few_points(show):
    page = show(coarse(), viewport={"width": 480, "height": 844})
    wait_until(page, NAMED)
    assert page.evaluate(OWN_COVERED) == 0


def test_name_is_led_away_from_a_bend_before_it_covers_it(show):
    bends = {
        "packing bound": lambda t: 90 / (1 + 19 * np.exp(-t / 2)),
        "exponential mech.": lambda t: 90 / (1 + 19 * np.exp(-t / 4)),
    }
    page = show(
        interest(x=lf.slider("t", 0, 40, at=10), curves=bends, sliders=[]), viewport={"width": 390, "height": 844}
    )
    wait_until(page, NAMED)
    assert page.evaluate(OWN_COVERED) == 0


def test_name_in_a_file_keeps_off_the_straight_lines_between_few_points():
    drawing = draw.draw(coarse())
    Names(drawing, moved=True).put()
    box = drawing.artists["name", "a steep name"].get_window_extent()
    line = drawing.artists["curve", "a steep name"]
    xs, ys = line.get_transform().transform(np.column_stack(line.get_data())).T
    along = np.linspace(xs[0], xs[-1], 500)
    height = np.interp(along, xs, ys)
    assert not np.any((along > box.x0) & (along < box.x1) & (height > box.y0 + 2) & (height < box.y1 - 2))


def marked():
    """A figure of 40 years whose marks ask for their names; one of them moves with the cursor."""
    return interest(
        marks={
            "goal": lf.Line(y=60, inside=True, dash="dotted"),
            "today": lf.Line(x=5),
            "retired": lf.Line(x=30, inside=True, dash="solid"),
            "saved": lf.Point(lambda t: t, 45, inside=True),
        }
    )


def limited():
    """A curve that comes close to a level line without a name, and an upright line where the curve is highest."""
    return interest(
        curves={"compound": lambda t: 60 - 30 * np.exp(-t / 8)},
        marks={"limit": lf.Line(y=64, label="the limit"), "start": lf.Line(x=20, label="the middle")},
        sliders=[],
    )


MET = """() => {
  const { left, right, top, bottom } = document.querySelector(".live-label text").getBoundingClientRect();
  return [...document.querySelectorAll(".live-line path")].map((path) => path.getBoundingClientRect())
    .filter((line) => line.left < right && line.right > left && line.top < bottom - 2 && line.bottom > top + 2).length;
}"""


SET = "([t, every]) => { const { live } = document.querySelector('figure.live'); live.set({ t }); live.draw(every); }"
CURSOR_COVERED = """() => {
  const { left, right } = document.querySelector(".live-label text").getBoundingClientRect();
  const line = document.querySelector(".live-cursor-line path").getBoundingClientRect();
  return line.left > left + 6 && line.right < right - 6; // but for a letter
}"""


def peak():
    """A curve that leaves the picture on both sides, so that its name stands in it, and goes up to the cursor."""
    return interest(curves={"most at twenty": lambda t: 80 - abs(t - 20) * 5}, sliders=[])


def test_name_covers_no_cursor(show):
    page = show(peak(), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    for t in range(0, 41, 2):
        page.evaluate(SET, [t, True])
        assert not page.evaluate(CURSOR_COVERED), t


def test_names_stay_while_the_cursor_alone_is_moved(show):
    page = show(peak(), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    before = page.evaluate(NAMES)
    for t in range(0, 41, 4):
        page.evaluate(SET, [t, False])
        assert page.evaluate(NAMES) == before


@pytest.mark.parametrize("cursor", [True, False])  # as in a notebook, as in a file
def test_matplotlib_names_keep_off_a_cursor_that_is_seen(cursor):
    drawing = draw.draw(peak())
    drawing.artists["cursor", ""].set_visible(cursor)
    met = []
    names = Names(drawing, moved=True)
    for t in range(0, 41, 2):
        drawing.update(peak().defaults | {"t": float(t)})
        names.put()
        box = drawing.artists["name", "most at twenty"].get_window_extent()
        line = drawing.artists["cursor", ""].get_window_extent()
        letter = 7 * drawing.canvas.dpi / 72
        met.append(box.x0 + letter < line.x1 and line.x0 < box.x1 - letter)
    assert any(met) != cursor


def test_name_covers_no_line_without_a_name(show):
    page = show(limited(), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    assert page.evaluate(MET) == 0


NAMES = """() => Object.fromEntries([...document.querySelectorAll(".live-label:not([data-absent]) text")].map((text) =>
  [text.textContent, text.getAttribute("transform").match(/[\\d.]+/g).map(Number)]))"""


def test_lines_and_points_that_ask_for_it_are_named_in_the_picture(show):
    page = show(marked())
    wait_until(page, NAMED)
    before = page.evaluate(NAMES)
    assert set(before) == {"compound", "simple", "goal", "retired", "saved"}
    dashes = "name => getComputedStyle(document.querySelector(`#interest--mark-${name} path`)).strokeDasharray"
    assert [page.evaluate(dashes, number) for number in range(3)] == ["1.5px, 2.5px", "6px, 4px", "none"]
    page.evaluate("document.querySelector('figure.live').live.set({ t: 35 })")
    wait_until(page, f"({NAMES})().saved[0] > {before['saved'][0] + 100}")
    assert page.evaluate(NAMES)["goal"] == before["goal"]
    page.evaluate("document.querySelector('figure.live').live.set({ t: 40 })")
    assert "saved" in page.evaluate(NAMES)  # at the edge it stands on the other side


@pytest.mark.parametrize("moved", [False, True])  # in a notebook, in a file
def test_matplotlib_names_lines_and_points_as_the_page_does(moved):
    drawing = draw.draw(marked())
    names = Names(drawing, moved)
    names.put()
    places = {name: artist.get_position() for (kind, name), artist in drawing.artists.items() if kind == "name"}
    assert {"goal", "retired", "saved"} <= set(places) and "today" not in places
    assert drawing.artists["name", "saved"].get_fontsize() == draw.FONT
    before = places["saved"]
    drawing.update(marked().defaults | {"t": 35.0})
    names.put()
    assert drawing.artists["name", "saved"].get_position()[0] > before[0] + 100
    patterns = [drawing.artists["mark", name]._unscaled_dash_pattern[1] for name in ("goal", "today", "retired")]
    assert patterns == [(1.5, 2.5), (6, 3), None]


def test_names_in_a_file_keep_apart_inside_the_picture():
    close = {
        "the first of two": lambda t: 10 + t,
        "the second of two": lambda t: 10.2 + t,
        "leaves at the top": lambda t: 10 + t**2 / 5,
    }
    drawing = draw.draw(interest(curves=close, sliders=[]))
    Names(drawing, moved=True).put()
    boxes = [drawing.artists["name", name].get_window_extent() for name in close]
    ends = draw.LEFT, drawing.right
    assert all(box.x0 >= ends[0] and box.x1 <= ends[1] for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert not any(drawing.artists["label", name].get_visible() for name in close)


def short():
    """A curve with a value at two points of its grid, between two of the places at which names are compared."""
    return interest(curves={"a short piece": lambda t: np.where(np.abs(t - 20.5) < 0.15, 50.0, np.nan)}, sliders=[])


def test_curve_shorter_than_the_distance_of_two_places_has_its_name(show):
    page = show(short(), viewport={"width": 390, "height": 844})
    wait_until(page, NAMED)
    assert set(page.evaluate(NAMES)) == {"a short piece"}


def test_curve_shorter_than_the_distance_of_two_places_has_its_name_in_a_file_too():
    drawing = draw.draw(short())
    Names(drawing, moved=True).put()
    assert drawing.artists["name", "a short piece"].get_visible()
