"""Points that sliders move: the same in the page's script, in its first picture, in a notebook and in a file."""

import re

import numpy as np
import pytest
from parity import differences

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw, still
from livefigures.page import record
from livefigures.page.page import html
from livefigures.trace.programme import programme, traced
from livefigures.trace.tracing import play

XS = np.array([1.0, 2.0, 4.0, 4.5])


def figure(x=XS, y=lambda a: a * XS, out_of_view=None, **options):
    return lf.Figure(
        name="moved",
        x=lf.slider("t", 0, 10, at=2),
        y=("y", 0, 20),
        sliders=[lf.slider("a", 0, 2, at=1, step=0.1)],
        curves={"line": lambda t, a: a * t},
        marks={"measured": lf.Points(x, y, **options)},
        out_of_view=out_of_view or {},
        caption="A caption.",
        alt="Four points on a line.",
    )


def solved(a):
    return lf.ode(lambda y, t: a * y / 4, 1.0, [1, 2, 4, 4.5], steps=5)


def places(markup):
    """The places of the dots in the picture."""
    path = re.search(r'class="live-points[^>]*>\s*<path[^>]* ?d="([^"]*)"', markup)
    return np.array(re.findall(r"M(\S+) (\S+)h0", path[1]), dtype=float)


def expected(shown, x, y):
    frame = draw.draw(shown).frame
    return np.column_stack([draw.place(frame["x"], x), draw.place(frame["y"], y)])


WAYS = {
    "arrays": ({}, [0.5, 1, 2, 2.25]),
    "own-x": ({"y": lambda t, a: a * t}, [0.5, 1, 2, 2.25]),
    "list": ({"y": lambda a: [a * x for x in XS]}, [0.5, 1, 2, 2.25]),
    "ode": ({"y": solved}, solved(0.5)),
    "functions": ({"y": lambda a: np.where(2 * a < XS, np.clip(XS - a, 0, 3), a)}, [0.5, 1.5, 3, 3]),
    "one-number": ({"y": lambda a: 2 * a}, [1, 1, 1, 1]),
}


@pytest.mark.parametrize(("options", "y"), WAYS.values(), ids=WAYS)
def test_page_draws_the_points_where_the_kernel_does(options, y, show):
    shown = figure(**options)
    assert np.broadcast_to(shown.scene({"a": 0.5, "t": 2.0})["marks/measured/y"], 4) == pytest.approx(y)
    settings = record.parity(shown)
    assert differences(show(shown), {"name": "moved", "parity": settings}) == []
    page = show(shown)
    page.evaluate("document.getElementById('moved').live.set({ a: 0.5 })")
    drawn = places(page.evaluate("document.getElementById('moved').outerHTML"))
    assert drawn == pytest.approx(expected(shown, XS, np.array(y)), abs=0.011)
    drawing = draw.draw(shown)
    drawing.update({"a": 0.5, "t": 2.0})
    assert drawing.artists["mark", "measured"].get_ydata().tolist() == pytest.approx(y)


def test_both_coordinates_and_the_bars_move(show, tmp_path):
    shown = figure(x=lambda a: XS + a, y=lambda a: [3.0 + a, 4.0, 5.0, 6.0], yerr=lambda a: a * XS / 10)
    assert shown.counts == {"measured": 4}
    page = show(shown)
    assert page.text_content("[data-mark=measured]") == "4\u00a0points, ±\u00a00.100 to 0.450"
    assert places(html(shown)) == pytest.approx(expected(shown, XS + 1, [4, 4, 5, 6]), abs=0.06)
    assert differences(page, {"name": "moved", "parity": record.parity(shown)}) == []
    page.evaluate("document.getElementById('moved').live.set({ a: 2 })")
    assert page.locator(".live-points .live-error").get_attribute("d").count("V") == 4
    drawn = places(page.evaluate("document.getElementById('moved').outerHTML"))
    assert drawn == pytest.approx(expected(shown, XS + 2, [5, 4, 5, 6]), abs=0.011)
    at = {"a": 2.0, "t": 2.0}
    shown.values = at
    assert page.text_content("[data-mark=measured]") in still.table(shown, at, shown.readings(at))
    shown.savefig(tmp_path / "moved.svg", a=2)
    shown.write_html(tmp_path / "moved.html")


def test_bars_stand_at_points_of_one_x(show):
    page = show(figure(x=lambda a: 4 * a, y=lambda a: a * XS, yerr=0.5))
    page.evaluate("document.getElementById('moved').live.draw(true)")
    assert page.locator(".live-points .live-error").get_attribute("d").count("V") == 4


# Different numbers with one checksum, crc32.
ALIKE = np.array([[2.0, 12.1, 17.0, 6.1], [11.5, 5.6, 10.8, 1.4]])


def test_arrays_with_the_same_checksum_stay_apart():
    marks = {str(i): lf.Points(XS, ys) for i, ys in enumerate(ALIKE)}
    marks |= {f"moved {i}": lf.Points(XS, lambda a, ys=ys: a * ys) for i, ys in enumerate(ALIKE)}
    shown = lf.Figure(
        name="alike", x=lf.slider("t", 0, 10), y=("y", 0, 20), sliders=[lf.slider("a", 0, 1)], marks=marks
    )
    for i, ys in enumerate(ALIKE):
        for name in (str(i), f"moved {i}"):
            assert shown.scene(shown.defaults)[f"marks/{name}/y"].tolist() == ys.tolist()
    operations, outputs = traced(shown)
    played = play(operations, shown.defaults | shown.draws)
    for i, ys in enumerate(ALIKE):
        assert played[outputs[f"marks/moved {i}/y"]].tolist() == ys.tolist()


def test_point_of_no_number_is_left_out():
    shown = figure(y=lambda a: np.where(2 * a < XS, XS, np.nan))
    assert len(places(html(shown))) == 2


def test_points_that_leave_are_told_unless_the_figure_says_so():
    with pytest.warns(UserWarning, match="1 of the 4 points 'measured' are outside the picture: widen x or y"):
        figure(y=lambda a: 5 * a * XS)
    figure(y=lambda a: 5 * a * XS, out_of_view={"measured": "top"})


def test_points_of_a_list_need_few_operations():
    assert len(programme(figure(y=lambda a: [a * x for x in XS])).operations) < 25


def shares(a):
    return XS / sum(a * XS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"y": lambda a: a * np.ones(3)},
            r"marks/measured/y gave shape \(3,\); it must give one number for each of the 4",
        ),
        ({"x": lambda a: a * XS, "y": lambda t: t}, "marks/measured/y has the argument 't', which stands for the x of"),
        ({"x": lambda a: [], "y": lambda a: []}, "the points 'measured' must be 1 to 5000, got 0"),
        ({"x": lambda a: undefined, "y": lambda a: a * XS}, "marks/measured/x raised NameError"),  # noqa: F821
        ({"y": lambda a: XS[9 * a > XS]}, "marks/measured/y cannot be drawn without a kernel"),
        (
            {"y": lambda a: a * XS + 0 * sum(a * np.arange(3))},
            r"on an array of the shape \(3,\) .* arrays of 4 numbers",
        ),
        ({"y": lambda a: a * np.random.default_rng().normal(size=4)}, "at the same setting"),
        ({"y": shares}, r"a walk through a value .* use sum\(\[rate \* x for rate in rates\]\)"),
        ({"y": lambda a: XS / np.sum(a * XS)}, r"np.sum cannot .* as in sum\(\[rate \* x for rate in rates\]\)"),
        ({"y": lambda b: b * XS}, "marks/measured/y has an argument 'b' without a slider"),
    ],
)
def test_points_that_cannot_be_drawn_are_told(options, words):
    with pytest.raises(FigureError, match=words):
        figure(**options)
