"""Marks of many points: the same in the page's script, in its first picture, in a notebook and in words."""

import re

import numpy as np
import pytest
from parity import differences
from scipy import stats
from svg_paths import from_path, points_of
from test_page_js import MADE
from waiting import wait_until

import livefigures as lf
from livefigures.declare.bars import Bars
from livefigures.declare.colours import NEUTRAL
from livefigures.declare.parts import FigureError, Path, Points, has_errors
from livefigures.draw import draw, still, svg
from livefigures.page import record
from livefigures.trace.programme import programme, traced
from livefigures.trace.tracing import play

WORDS = {"caption": "A caption.", "alt": "What is seen."}
NUMBER = re.compile(r"-?[\d.]+")

# -- the figures: one for each kind of mark


def arrows(u=lambda speed: speed, v=lambda angle, speed, damping: -np.sin(angle) - damping * speed, **options):
    name, place = options.pop("name", "arrows"), {"x": ("angle", -3, 3), "y": ("speed", -2, 2)}
    return lf.Figure(
        name=name,
        x=("angle, rad", -3, 3),
        y=("speed, rad/s", -2, 2),
        sliders=[lf.slider("damping", 0, 1, at=0.5)],
        marks={"flow": lf.Arrows(u, v, **place | options)},
        **WORDS,
    )


KS = np.arange(5)


def bars(x=KS, y=lambda p: stats.binom.pmf(KS, 4, p), axis=("probability", 0, 1), name="bars", **options):
    return lf.Figure(
        name=name,
        x=lf.slider("k", -1, 5, at=2),
        y=axis,
        sliders=[lf.slider("p", 0, 1, at=0.5)],
        curves={"level": lambda p: p},
        marks={"binomial": lf.Bars(x, y, **options)},
        **WORDS,
    )


def ensemble(y=lambda t, rate, start: start * np.exp(rate * t), name="ensemble", **options):
    asked = {"x": ("t", 0, 10), "each": {"start": STARTS}, "points": 11} | options
    return lf.Figure(
        name=name,
        x=lf.slider("t", 0, 10, at=4),
        y=("capital", 0, 40),
        sliders=[lf.slider("rate", 0, 0.1, at=0.05)],
        curves={"mean": lambda t, rate: 10 * np.exp(rate * t)},
        marks={"runs": lf.Ensemble(y, **asked)},
        **WORDS,
    )


STARTS = np.array([8.0, 10.0, 13.0])
WALKS = np.random.default_rng(2).normal(size=(3, 11)).cumsum(axis=1)


def walking(t, rate, start, walk):
    return start + rate * t + walk


def weighed(yerr, y=("mass, g", 0, 50), curves=None, name="weighed", **options):
    return lf.Figure(
        name=name,
        x=lf.slider("t", 0, 5, at=2),
        y=y,
        sliders=[lf.slider("n", 1, 100, at=4, words="repetitions")],
        curves=curves or {"line": lambda t, n: 10 + t + 0 * n},
        marks={"measured": lf.Points([1, 2, 4], [10.0, 30.0, 20.0], yerr=yerr, **options)},
        **WORDS,
    )


def growing(t, n):
    return (1 + t) / np.sqrt(n)


XS = np.array([1.0, 2.0, 4.0, 4.5])


def moved(x=XS, y=lambda a: a * XS, out_of_view=None, name="moved", **options):
    return lf.Figure(
        name=name,
        x=lf.slider("t", 0, 10, at=2),
        y=("y", 0, 20),
        sliders=[lf.slider("a", 0, 2, at=1, step=0.1)],
        curves={"line": lambda t, a: a * t},
        marks={"measured": lf.Points(x, y, **options)},
        out_of_view=out_of_view or {},
        **WORDS,
    )


def solved(a):
    return lf.ode(lambda y, t: a * y / 4, 1.0, [1, 2, 4, 4.5], steps=5)


def ellipse(x=lambda u, a: a * np.cos(u), y=lambda u: np.sin(u), over=("u", 0, 2 * np.pi), name="ellipse", **options):
    return lf.Figure(
        name=name,
        x=("width, cm", -3, 3),
        y=("height, cm", -2, 2),
        sliders=[lf.slider("a", 0.5, 2, at=1, words="half of the width, cm")],
        marks={"ellipse": lf.Path(x, y, over=over, **options), "right end": lf.Point(lambda a: a, 0)},
        **WORDS,
    )


# -- drawn alike everywhere

HEIGHTS = {
    "array": {},
    "own-x": {"y": lambda k, p: stats.binom.pmf(k, 4, p)},
    "list": {"y": lambda p: [(1 - p) ** 4, 4 * p * (1 - p) ** 3, 6 * (p * (1 - p)) ** 2, 4 * p**3 * (1 - p), p**4]},
}
PLACES = {
    "arrays": ({}, [0.5, 1, 2, 2.25]),
    "own-x": ({"y": lambda t, a: a * t}, [0.5, 1, 2, 2.25]),
    "list": ({"y": lambda a: [a * x for x in XS]}, [0.5, 1, 2, 2.25]),
    "ode": ({"y": solved}, solved(0.5)),
    "functions": ({"y": lambda a: np.where(2 * a < XS, np.clip(XS - a, 0, 3), a)}, [0.5, 1.5, 3, 3]),
    "one-number": ({"y": lambda a: 2 * a}, [1, 1, 1, 1]),
}
DRAWN = [
    (arrows, {}),
    (arrows, {"scale": 0.2, "columns": 4, "rows": 3}),
    *((bars, options) for options in HEIGHTS.values()),
    (bars, {"x": [0, 2, 4], "y": [0.2, 0.5, 0.3], "width": 1.5, "base": 0.1}),
    (bars, {"y": lambda k, p: np.where(k == 1, np.nan, p / (k + 1)), "axis": ("probability", 0.01, 1, "log")}),
    (ensemble, {}),
    (ensemble, {"y": walking, "each": {"start": STARTS, "walk": WALKS}, "dash": "dotted"}),
    (weighed, {"yerr": 3}),
    (weighed, {"yerr": [1, 2, 3]}),
    (weighed, {"yerr": lambda n: 6 / np.sqrt(n)}),
    (weighed, {"yerr": growing}),
    (weighed, {"yerr": [np.nan, 40, 10], "y": ("mass", 1, 100, "log")}),
    (weighed, {"yerr": (growing, [1, np.nan, 3])}),
    (weighed, {"yerr": (40, lambda n: n), "y": ("mass", 1, 100, "log")}),
    *((moved, options) for options, _ in PLACES.values()),
    (moved, {"x": lambda a: XS + a, "y": lambda a: [3.0 + a, 4.0, 5.0, 6.0], "yerr": lambda a: a * XS / 10}),
    (moved, {"x": lambda a: 4 * a, "yerr": 0.5}),
    (moved, {"y": lambda a: np.where(2 * a < XS, XS, np.nan)}),
    (ellipse, {"y": lambda u, a: lf.ode(lambda y, t: -a * y, 1.0, u), "size": 33}),
    (ellipse, {"y": lambda u: np.where(u < 3, np.sin(u), np.nan), "over": ("u", 0, 6), "size": 7}),
    (ellipse, {"x": lambda u: np.where(u < 3, u, np.nan), "y": 1, "over": ("u", 0, 6), "size": 7}),
]
PATHS = """(name) => Object.fromEntries(
  [...document.getElementById(name).querySelectorAll("svg g[id]")].map((part) =>
    [part.id.replace(`${name}--`, ""), [...part.querySelectorAll("path")].map((path) => path.getAttribute("d"))]))"""
SET = """([name, values]) => {
  const figure = document.getElementById(name).live;
  figure.set(values);
  if (figure.pending.size) figure.draw();
}"""


def paths(drawing):
    """The kernel's paths of each part that moves; the error bars are the second path of their points."""
    found = {gid: [path] for gid, path in svg.paths(drawing).items() if not gid.startswith("lead")}
    for kind, name in drawing.artists:
        if kind == "error":
            found[drawing.gid("mark", name)].append(svg._bars(drawing, name))
    return found


def assert_alike(page, kernel):
    """Dots and bars stand where they stood; a curve of the page lies on the kernel's, which has fewer points."""
    assert re.sub(r"[^MhVZ]", "", page) == re.sub(r"[^MhVZ]", "", kernel)
    if "h" in page or "V" in page:
        places = [[float(number) for number in NUMBER.findall(path)] for path in (page, kernel)]
        np.testing.assert_allclose(*places, rtol=0, atol=0.011)
        return
    for now, was in zip(page.split("M")[1:], kernel.split("M")[1:], strict=True):
        points, corners = points_of(now), points_of(was)
        assert max(from_path(point, corners) for point in points) < 0.16
        assert max(min(abs(point - corner) for point in points) for corner in corners) < 0.08  # last digits


def assert_drawn(drawing):
    """Matplotlib, which draws in a notebook and in files, has the places that the functions give."""
    for name, mark in drawing.figure.marks.items():
        artist, at = drawing.artists["mark", name], drawing.figure.addresses("marks", name)
        x, y, down = (drawing.scene.get(at.get(c)) for c in ("x", "y", "yerr"))
        if isinstance(mark, Bars):
            corners = np.array([path.vertices[:4] for path in artist.get_paths()])
            x, y = x[np.isfinite(y)], y[np.isfinite(y)]
            np.testing.assert_allclose(corners[:, 1], np.column_stack([x - mark.wide / 2, y]))
            np.testing.assert_allclose(corners[:, 3, 0], x + mark.wide / 2)
        elif isinstance(mark, Path | Points):
            places = np.column_stack([x, y])
            kept = np.isfinite(places).all(axis=1) | isinstance(mark, Path)
            np.testing.assert_array_equal(artist.get_xydata(), places[kept])
        if isinstance(mark, Path):
            assert artist.get_linewidth() == mark.width
        if has_errors(mark):
            lowest = 5e-324 if drawing.figure.axis.log else -np.inf
            up = drawing.scene.get(at.get("yerr_up"), down)
            ends = np.column_stack([np.maximum(y - down, lowest), y + up, np.full(len(y), np.nan)])
            np.testing.assert_allclose(drawing.artists["error", name].get_ydata(), ends.ravel())
            np.testing.assert_array_equal(drawing.artists["error", name].get_xdata(), np.repeat(x, 3))


def test_page_and_notebook_draw_every_mark_as_its_functions_say(show, monkeypatch):
    figures = [make(name=f"{make.__name__}-{i}", **options) for i, (make, options) in enumerate(DRAWN)]
    figures += [make() for make in MADE]
    page = show(*figures)
    drawings = {shown.name: draw.draw(shown) for shown in figures}
    for name, drawing in drawings.items():
        first = page.evaluate(PATHS, name)
        assert {gid: first[gid] for gid in paths(drawing)} == paths(drawing), name
    monkeypatch.setattr(svg, "_tenths", "{:.3f}".format)  # finer than the page, whose hundredths are compared
    for name, drawing in drawings.items():
        shown = drawing.figure
        settings = record.parity(shown)
        assert differences(page, {"name": name, "parity": settings}) == []
        for setting in settings[:5]:  # at rest, at the ends, and two at random; the kernel's cursor stays at rest
            values = setting["values"] | {shown.x.name: shown.x.at}
            page.evaluate(SET, [name, values])
            drawing.update(values)
            found = page.evaluate(PATHS, name)
            for gid, expected in paths(drawing).items():
                for now, was in zip(found[gid], expected, strict=True):
                    assert_alike(now, was)
            assert_drawn(drawing)
    width = "path => getComputedStyle(path).strokeWidth"
    thin = [page.locator(f".live-{kind} path").first.evaluate(width) for kind in ("arrows", "ensemble")]
    assert thin == ["1.2px", "1.1px"]
    told = [page.locator(f"#{name} tbody td").last.text_content() for name in ("bars-5", "ensemble-7")]
    assert told == ["3\u00a0bars", "3\u00a0curves"]


# -- arrows of a vector field


def corners(shown, **values):
    """The corners of each arrow, (arrows, corners, 2), and the middle of its shaft."""
    scene = shown.scene(shown.defaults | values)
    found = np.column_stack([scene["marks/flow/x"], scene["marks/flow/y"]]).reshape(-1, 6, 2)
    return found, (found[:, 0] + found[:, 1]) / 2


def test_arrow_of_a_scale_is_so_many_times_as_long_as_the_field():
    found, middle = corners(arrows(columns=3, rows=2, scale=0.25), damping=0.1)
    assert middle == pytest.approx(np.array([[x, y] for y in (-1, 1) for x in (-2, 0, 2)]))
    angle, speed = middle.T
    field = np.column_stack([speed, -np.sin(angle) - 0.1 * speed])
    assert found[:, 1] - found[:, 0] == pytest.approx(0.25 * field)
    assert found[:, 1].tolist() == found[:, 3].tolist() and np.isnan(found[:, 5]).all()


def test_arrows_without_a_scale_have_one_length_and_none_is_where_the_field_is_zero():
    found, middle = corners(arrows(v=lambda angle: -np.sin(angle), columns=5, rows=5))
    room = np.array([6 / 5, 4 / 5])
    lengths = np.linalg.norm((found[:, 1] - found[:, 0]) / room, axis=1)
    at_rest = np.isnan(lengths)
    assert found[at_rest].size == 12 and np.isnan(found[at_rest]).all()  # in the middle of the picture
    assert lengths[~at_rest] == pytest.approx(0.8)


def test_direction_field_has_one_number_and_one_function():
    found, middle = corners(arrows(u=1, v=lambda speed, damping: damping * speed))
    slopes = (found[:, 1] - found[:, 0])[:, 1] / (found[:, 1] - found[:, 0])[:, 0]
    assert slopes == pytest.approx(0.5 * middle[:, 1])


# -- bars for counts


@pytest.mark.parametrize("options", HEIGHTS.values(), ids=HEIGHTS)
def test_heights_of_bars_are_numbers_of_each_bar(options):
    heights = bars(**options).scene({"p": 0.2, "k": 2.0})["marks/binomial/y"]
    assert heights == pytest.approx(stats.binom.pmf(KS, 4, 0.2))


@pytest.mark.parametrize(("x", "wide"), [([0, 2, 5], 1.6), ([3], 0.8), ([4, 1, 1], 2.4)])
def test_width_is_a_share_of_the_distance_between_two_bars(x, wide):
    assert lf.Bars(x, [1] * len(x)).wide == pytest.approx(wide)


# -- an ensemble of curves


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, lambda t: STARTS[:, None] * np.exp(0.02 * t)),
        ({"y": walking, "each": {"start": STARTS, "walk": WALKS}}, lambda t: STARTS[:, None] + 0.02 * t + WALKS),
    ],
)
def test_each_curve_has_its_number_or_one_for_each_of_its_points(options, expected):
    scene = ensemble(**options).scene({"rate": 0.02, "t": 4.0})
    found = np.column_stack([scene["marks/runs/x"], scene["marks/runs/y"]]).reshape(3, 12, 2)
    assert np.isnan(found[:, -1]).any(axis=1).all() and found[0, :-1, 0] == pytest.approx(np.arange(11))
    assert found[:, :-1, 1] == pytest.approx(expected(np.arange(11)))


# -- error bars of data


@pytest.mark.parametrize(
    ("yerr", "half"),
    [
        (3, [3, 3, 3]),
        ([1, 2, 3], [1, 2, 3]),
        (lambda n: 6 / np.sqrt(n), [3, 3, 3]),
        (growing, [1, 1.5, 2.5]),  # t is each point's own
    ],
)
def test_half_height_is_a_number_one_for_each_point_or_a_function(yerr, half):
    shown = weighed(yerr)
    assert shown.scene(shown.defaults)["marks/measured/yerr"] == pytest.approx(np.array(half))


@pytest.mark.parametrize(
    ("yerr", "down", "up"),
    [
        ((1, 2), [1, 1, 1], [2, 2, 2]),
        (([1, 2, 3], 2), [1, 2, 3], [2, 2, 2]),
        ([[1, 2, 3], [4, 5, 6]], [1, 2, 3], [4, 5, 6]),
        (np.array([[1, 2, 3], [4, 5, 6]]), [1, 2, 3], [4, 5, 6]),
        ((growing, lambda n: 8 / n), [1, 1.5, 2.5], [2, 2, 2]),
        ((lambda t: t, (1, 2, 4)), [1, 2, 4], [1, 2, 4]),
    ],
)
def test_pair_has_the_lengths_downwards_and_upwards(yerr, down, up):
    shown = weighed(yerr)
    scene = shown.scene(shown.defaults)
    assert scene["marks/measured/yerr"] == pytest.approx(np.array(down))
    assert scene["marks/measured/yerr_up"] == pytest.approx(np.array(up))


def test_list_of_two_numbers_is_one_for_each_of_two_points_and_a_pair_is_asked_which_it_is():
    two = lf.Points([1, 2], [3, 4], yerr=[0.5, 0.7])
    assert two.yerr_up is None and two.given["yerr"].tolist() == [0.5, 0.7]
    with pytest.raises(FigureError, match=r"two meanings; write \[0.5, 0.7\] .* or \(\[0.5, 0.5\], \[0.7, 0.7\]\) for"):
        lf.Points([1, 2], lambda a: [a, a], yerr=(0.5, 0.7))


def test_bars_and_their_words_follow_the_sliders_on_a_page_as_in_a_notebook(show):
    shown = weighed(growing, format="{:.2f} g")
    page = show(shown)
    assert page.text_content("[data-mark=measured]") == "3\u00a0points, ±\u00a01.00 g to 2.50 g"
    page.evaluate("document.getElementById('weighed').live.set({ n: 16, t: 5 })")
    assert page.text_content("[data-mark=measured]") == "3\u00a0points, ±\u00a00.50 g to 1.25 g"
    at = {"n": 16.0, "t": 5.0}
    table = still.table(shown, at, shown.readings(at))
    assert page.text_content("[data-mark=measured]") in table
    shown.values = at
    assert shown.view.readings.value == table
    wait_until(page, "document.getElementById('weighed--now').textContent.includes('±\u00a00.50 g to 1.25 g')")


def test_half_heights_have_the_digits_that_their_author_gave(show):
    given = {
        "±\u00a00.05": 0.05,
        "±\u00a00.20 to 0.30": [0.2, 0.25, 0.3],
        "±\u00a00.333 to 1.00": np.array([1, 2, 3]) / 3,  # computed
        "±\u00a00.200": lambda n: 0.2 + 0 * n,
        "±\u00a010 to 40": [np.nan, 40, 10],
        "down\u00a00.50 to 1.50, up\u00a02.25": ([0.5, 1, 1.5], 2.25),
        "down\u00a00.750 to 2.25, up\u00a02.00": (lambda t, n: (2 * t + 1) / 4 + 0 * n, lambda n: 2 + 0 * n),
        "up\u00a02": (np.full(3, np.nan), 2),
    }
    figures = [weighed(yerr, name=f"weighed-{i}") for i, yerr in enumerate(given.values())]
    page = show(*figures)
    for shown, words in zip(figures, given, strict=True):
        assert f"3\u00a0points, {words}<" in still.first_table(shown)
        page.evaluate("(name) => document.getElementById(name).live.set({ n: 16 })", shown.name)
        assert page.text_content(f"#{shown.name} [data-mark=measured]") == f"3\u00a0points, {words}"
    assert "±" not in still.first_table(weighed(lambda n: n * np.nan))


def test_in_front_of_a_class_the_half_heights_leave_the_names_their_width(show):
    page = show(weighed(0.05, curves={"in the long run": lambda t: 10 + t}), viewport={"width": 1280, "height": 720})
    page.locator("[data-action=present]").click()
    name, value = (page.locator(f"tbody tr:first-child {part}").bounding_box() for part in ("th", "td"))
    assert name["height"] < 1.5 * value["height"]
    points = page.locator("[data-mark=measured]").bounding_box()
    assert points["x"] >= page.locator(".live-side").bounding_box()["x"] and points["height"] < 1.5 * value["height"]


def test_bars_wait_for_an_answer_with_their_points_and_saved_numbers_tell_them(show):
    page = show(weighed(3))
    assert page.evaluate("document.querySelector('.live-error').parentNode.id") == "weighed--mark-0"
    page.locator("#weighed summary").click()
    with page.expect_download() as download:
        page.locator("#weighed").get_by_role("button", name="CSV").click()
    assert "# measured: 3\u00a0points, ±\u00a03" in download.value.path().read_text("utf-8")


# -- points that sliders move


@pytest.mark.parametrize(("options", "y"), PLACES.values(), ids=PLACES)
def test_places_of_points_are_numbers_of_each_point(options, y):
    shown = moved(**options)
    assert np.broadcast_to(shown.scene({"a": 0.5, "t": 2.0})["marks/measured/y"], 4) == pytest.approx(y)


def test_words_of_points_whose_places_and_bars_move(show):
    shown = moved(x=lambda a: XS + a, y=lambda a: [3.0 + a, 4.0, 5.0, 6.0], yerr=lambda a: a * XS / 10)
    assert shown.counts == {"measured": 4}
    page = show(shown)
    assert page.text_content("[data-mark=measured]") == "4\u00a0points, ±\u00a00.100 to 0.450"
    page.evaluate("document.getElementById('moved').live.set({ a: 2 })")
    at = {"a": 2.0, "t": 2.0}
    assert page.text_content("[data-mark=measured]") in still.table(shown, at, shown.readings(at))


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


def test_points_that_leave_are_told_unless_the_figure_says_so():
    with pytest.warns(UserWarning, match="1 of the 4 points 'measured' are outside the picture: widen x or y"):
        moved(y=lambda a: 5 * a * XS)
    moved(y=lambda a: 5 * a * XS, out_of_view={"measured": "top"})


def test_points_of_a_list_need_few_operations():
    assert len(programme(moved(y=lambda a: [a * x for x in XS])).operations) < 25


# -- curves along a parameter


def test_path_is_drawn_from_one_end_of_its_parameter_to_the_other():
    scene = ellipse(size=5).scene({"a": 2.0, "x_axis": 0.0})
    assert scene["marks/ellipse/x"] == pytest.approx([2, 0, -2, 0, 2])
    assert scene["marks/ellipse/y"] == pytest.approx([0, 1, 0, -1, 0])


def test_axis_that_is_no_slider_has_no_cursor_and_no_slider(show):
    page = show(ellipse())
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


def test_curve_needs_a_slider_as_its_axis():
    with pytest.raises(FigureError, match=r"curves need a slider as their x axis; a curve along a parameter is a mark"):
        lf.Figure(name="plain", x=("x", 0, 1), y=("y", 0, 1), curves={"line": lambda x: x})
    own = {"sliders": [lf.slider("x_axis", 0, 1)], "marks": {"one": lf.Point(lambda x_axis: x_axis, 0)}}
    with pytest.raises(FigureError, match="two sliders are named 'x_axis'; give one of them a name of its own"):
        lf.Figure(name="plain", x=("x", 0, 1), y=("y", 0, 1), **own)
    with pytest.raises(FigureError, match="the x axis needs low < high"):
        lf.Figure(name="plain", x=("x", 1, 0), y=("y", 0, 1), marks={"one": lf.Point(0, 0)})


# -- what cannot be drawn


def shares(a):
    return XS / sum(a * XS)


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (
            arrows,
            {"u": "speed"},
            "u and v of Arrows must be functions of a place and of the sliders, got 'speed' and <",
        ),
        (arrows, {"x": (-3, 3)}, r'x and y of Arrows must be an argument and its range, x=\("angle", -3, 3\), got \('),
        (arrows, {"columns": 50, "rows": 20}, r"columns and rows, 800 arrows at most, got \[50, 20\]"),
        (arrows, {"v": lambda angle, mass: angle * mass}, "marks/flow/x has an argument 'mass' without a slider"),
        (arrows, {"v": lambda angle: int(angle)}, "marks/flow/x raised TypeError"),
        (bars, {"width": 0}, "width of the bars 'binomial' must be a number above 0, in units of x, got 0"),
        (
            bars,
            {"base": "floor"},
            "base of the bars 'binomial' is the height on which they stand, a number, got 'floor'",
        ),
        (bars, {"y": [1, 2]}, "the points 'binomial' need as many x as y, got 5 and 2"),
        (ensemble, {"y": 3}, "y of an Ensemble must be a function of x, of the names in each and of sliders, got 3"),
        (ensemble, {"x": (0, 10)}, r'x of an Ensemble must be an argument and its range, x=\("t", 0, 10\), got \(0'),
        (ensemble, {"each": {}}, r'must be numbers by name, each=\{"start": \[8, 10, 13\]\}, got \{\}'),
        (ensemble, {"each": {"start": WALKS[:, :5]}}, r"or 11 for each as points=... says, .* 'start' has .* \(3, 5\)"),
        (ensemble, {"each": {"start": [1, np.nan]}}, "must have finite numbers, one for each curve"),
        (ensemble, {"each": {"begin": [1, 2]}}, "y of an Ensemble has no argument 'begin', which each names"),
        (ensemble, {"each": {"start": np.ones(500)}}, "of 11 points has 166 curves at most, got 500; say points=..."),
        (ensemble, {"points": 1}, "needs a whole number of points for each curve, 2 or more, got 1"),
        (
            ensemble,
            {"y": lambda t, start, mass: start * mass * t},
            "marks/runs/y has an argument 'mass' without a slid",
        ),
        (weighed, {"yerr": [1, 2]}, "need as many x as y as yerr, got 3 and 3 and 2"),
        (
            weighed,
            {"yerr": [1, -2, 3]},
            "marks/measured/yerr is the length of each error bar, 0 or more, got -2; with .* yerr=.y - low, high - y",
        ),
        (weighed, {"yerr": (lambda n: -n, 2)}, "marks/measured/yerr is the length of each error bar, .* got -4"),
        (weighed, {"yerr": (2, [1, -3, 2])}, "marks/measured/yerr_up is the length of each error bar, .* got -3"),
        (weighed, {"yerr": (1, None)}, r"yerr_up of the points 'measured' must be .*, got an array of the shape \(\)"),
        (weighed, {"yerr": (1, [1, 2])}, "need as many x as y as yerr_up, got 3 and 3 and 2"),
        (weighed, {"yerr": "half"}, "yerr of the points 'measured' must be a list or an array of 1 to 5000 finite num"),
        (weighed, {"yerr": lambda m: m}, "marks/measured/yerr has an argument 'm' without a slider"),
        (weighed, {"yerr": lambda n: 1 / int(n)}, "marks/measured/yerr cannot be drawn without a kernel"),
        (moved, {"y": lambda a: a * np.ones(3)}, r"measured/y gave shape \(3,\) .*; it must give one .* of the 4"),
        (moved, {"x": lambda a: a * XS, "y": lambda t: t}, "y has the argument 't', which stands for the x of"),
        (moved, {"x": lambda a: [], "y": lambda a: []}, "the points 'measured' must be 1 to 5000, got 0"),
        (moved, {"x": lambda a: undefined}, "marks/measured/x raised NameError"),  # noqa: F821
        (moved, {"y": lambda a: XS[9 * a > XS]}, "marks/measured/y cannot be drawn without a kernel"),
        (moved, {"y": lambda a: a * XS + 0 * sum(a * np.arange(3))}, r"of the shape \(3,\) .* arrays of 4 numbers"),
        (moved, {"y": lambda a: a * np.random.default_rng().normal(size=4)}, "at the same setting"),
        (moved, {"y": shares}, r"a walk through a value .* use sum\(\[rate \* x for rate in rates\]\)"),
        (moved, {"y": lambda a: XS / np.sum(a * XS)}, r"np.sum cannot .* as in sum\(\[rate \* x for rate in rates\]\)"),
        (moved, {"y": lambda b: b * XS}, "marks/measured/y has an argument 'b' without a slider"),
        (ellipse, {"over": "u"}, r'over of the path \'ellipse\' must be its parameter and the range .* \("u", 0,'),
        (ellipse, {"over": ("u", 1, 1)}, "over of the path 'ellipse' must be"),
        (
            ellipse,
            {"over": ("v", 0, 1)},
            "neither x nor y of the path 'ellipse' has the argument 'v', which over names",
        ),
        (ellipse, {"size": 1}, "the path 'ellipse' needs a whole number of points, 2 to 5000, got size=1"),
        (ellipse, {"y": lambda u, b: u * b}, "marks/ellipse/y has an argument 'b' without a slider; known: a;"),
    ],
)
def test_mark_that_cannot_be_drawn_is_told(make, options, words):
    with pytest.raises(FigureError, match=words):
        make(**options)


@pytest.mark.parametrize(
    "both",
    [
        lambda n: (np.full(3, n), np.full(3, 2 * n)),
        lambda n: [n, 2 * n],
        lambda t, n: (t, n),  # of two lengths, which NumPy makes no array of
    ],
)
def test_function_of_both_lengths_is_told_to_be_two_functions(both):
    with pytest.raises(FigureError, match=r"measured/yerr .*; error bars .* a pair of functions, yerr=\(down, up\)"):
        weighed(both)


def test_half_heights_take_no_table_and_none_is_advised():
    with pytest.raises(FigureError) as error:
        weighed(lambda n: 1 / int(n))
    assert "lookup" not in str(error.value)
