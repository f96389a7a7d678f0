"""Error bars of data: the same in the page's script, in its first picture, in a notebook and in words."""

import re

import numpy as np
import pytest
from parity import differences
from waiting import wait_until

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.draw import draw, still
from livefigures.page import record
from livefigures.page.page import html

X, Y = [1, 2, 4], [10.0, 30.0, 20.0]


def figure(yerr, y=("mass, g", 0, 50), curves=None, **options):
    return lf.Figure(
        name="weighed",
        x=lf.slider("t", 0, 5, at=2),
        y=y,
        sliders=[lf.slider("n", 1, 100, at=4, words="repetitions")],
        curves=curves or {"line": lambda t, n: 10 + t + 0 * n},
        marks={"measured": lf.Points(X, Y, yerr=yerr, **options)},
        caption="A caption.",
        alt="Three points.",
    )


def growing(t, n):
    return (1 + t) / np.sqrt(n)


def bars(markup):
    """The path of the error bars, as numbers: x, lower end, upper end of each."""
    path = re.search(r'<path d="([^"]*)"[^>]*class="live-error"', markup)[1]
    return np.array(re.findall(r"M(\S+) (\S+)V([^M]+)M\S+ \S+h6M\S+ \S+h6", path), dtype=float)


def expected(shown, half):
    frame = draw.draw(shown).frame
    places = [draw.place(frame["x"], X), *(draw.place(frame["y"], np.array(Y) + side) for side in (-half, half))]
    return np.column_stack(places)


@pytest.mark.parametrize(
    ("yerr", "half"),
    [
        (3, [3, 3, 3]),
        ([1, 2, 3], [1, 2, 3]),
        (lambda n: 6 / np.sqrt(n), [3, 3, 3]),
        (growing, [1, 1.5, 2.5]),  # t is each point's own
    ],
)
def test_bar_reaches_half_its_height_to_either_side(yerr, half):
    shown = figure(yerr)
    assert bars(html(shown)) == pytest.approx(expected(shown, np.array(half)), abs=0.06)
    artist = draw.draw(shown).artists["error", "measured"]
    assert artist.get_xdata().tolist() == [x for x in X for _ in range(3)]
    ends = np.column_stack([np.array(Y) - half, np.array(Y) + half, [np.nan] * 3])
    np.testing.assert_allclose(artist.get_ydata(), ends.ravel())


def test_bars_and_their_words_follow_the_sliders_on_a_page_as_in_a_notebook(show):
    shown = figure(growing, format="{:.2f} g")
    page = show(shown)
    assert page.text_content("[data-mark=measured]") == "3\u00a0points, ±\u00a01.00 g to 2.50 g"
    page.evaluate("document.getElementById('weighed').live.set({ n: 16, t: 5 })")
    assert page.text_content("[data-mark=measured]") == "3\u00a0points, ±\u00a00.50 g to 1.25 g"
    moved = page.evaluate("document.querySelector('.live-points').innerHTML")
    at = {"n": 16.0, "t": 5.0}
    assert bars(moved) == pytest.approx(expected(shown, np.array([0.5, 0.75, 1.25])), abs=0.06)
    table = still.table(shown, at, shown.readings(at))
    assert page.text_content("[data-mark=measured]") in table
    shown.values = at
    assert shown.view.readings.value == table
    wait_until(page, "document.getElementById('weighed--now').textContent.includes('±\u00a00.50 g to 1.25 g')")


@pytest.mark.parametrize(
    ("yerr", "words"),
    [
        (0.05, "±\u00a00.05"),
        ([0.2, 0.25, 0.3], "±\u00a00.20 to 0.30"),
        (np.array([1, 2, 3]) / 3, "±\u00a00.333 to 1.00"),  # computed
        (lambda n: 0.2 + 0 * n, "±\u00a00.200"),
    ],
)
def test_half_heights_have_the_digits_that_their_author_gave(yerr, words, show):
    shown = figure(yerr)
    assert f"3\u00a0points, {words}<" in still.first_table(shown)
    page = show(shown)
    page.evaluate("document.getElementById('weighed').live.set({ n: 16 })")
    assert page.text_content("[data-mark=measured]") == f"3\u00a0points, {words}"


def test_in_front_of_a_class_the_half_heights_leave_the_names_their_width(show):
    page = show(figure(0.05, curves={"in the long run": lambda t: 10 + t}), viewport={"width": 1280, "height": 720})
    page.locator("[data-action=present]").click()
    name, value = (page.locator(f"tbody tr:first-child {part}").bounding_box() for part in ("th", "td"))
    assert name["height"] < 1.5 * value["height"]
    points = page.locator("[data-mark=measured]").bounding_box()
    assert points["x"] >= page.locator(".live-side").bounding_box()["x"] and points["height"] < 1.5 * value["height"]


def test_page_computes_the_half_heights_that_the_kernel_computes(show):
    shown = figure(growing)
    settings = record.parity(shown)
    assert {len(setting["marks"]["marks/measured/yerr"]) for setting in settings} == {3}
    assert differences(show(shown), {"name": "weighed", "parity": settings}) == []


def test_bar_of_no_height_is_left_out_and_one_below_zero_leaves_a_logarithmic_picture(show):
    shown = figure([np.nan, 40, 10], y=("mass", 1, 100, "log"))
    drawn = bars(html(shown))
    assert len(drawn) == 2 and drawn[0, 1] > draw.HEIGHT
    assert "±\u00a010 to 40" in still.first_table(shown)
    page = show(shown)
    page.evaluate("document.getElementById('weighed').live.draw(true)")
    assert bars(page.evaluate("document.querySelector('.live-points').innerHTML")) == pytest.approx(drawn, abs=0.06)
    assert "±" not in still.first_table(figure(lambda n: n * np.nan))


def test_bars_wait_for_an_answer_with_their_points(show):
    page = show(figure(3))
    assert page.evaluate("document.querySelector('.live-error').parentNode.id") == "weighed--mark-0"


def test_saved_numbers_tell_the_half_heights(show):
    page = show(figure(3))
    page.locator("#weighed summary").click()
    with page.expect_download() as download:
        page.locator("#weighed").get_by_role("button", name="CSV").click()
    assert "# measured: 3\u00a0points, ±\u00a03" in download.value.path().read_text("utf-8")


@pytest.mark.parametrize(
    ("yerr", "words"),
    [
        ([1, 2], "need as many x as y as yerr, got 3 and 3 and 2"),
        ([1, -2, 3], "yerr of the points 'measured' is half the height of each bar, 0 or more, got -2"),
        ("half", "yerr of the points 'measured' must be a list or an array of 1 to 5000 finite numbers"),
        (lambda m: m, "marks/measured/yerr has an argument 'm' without a slider"),
        (lambda n: 1 / int(n), "marks/measured/yerr cannot be drawn without a kernel"),
    ],
)
def test_half_heights_that_cannot_be_drawn_are_told(yerr, words):
    with pytest.raises(FigureError, match=words) as error:
        figure(yerr)
    assert "lookup" not in str(error.value)
