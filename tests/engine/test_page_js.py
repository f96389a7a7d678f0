"""figure.js alone, in a real browser: figures that no chapter has, as a teacher might write them."""

import json
import math
from functools import reduce
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread
from parity import differences
from scipy import special
from scipy.special import log_ndtr
from svg_paths import points_of
from waiting import wait_until

import livefigures as lf
from dp_lib import domain, live
from livefigures.draw.still import bars
from livefigures.page.record import finite, parity


def teachers_figure():
    """One slider, one curve, ten lines of Python."""
    return live.Figure(
        name="teachers",
        x=live.k(1, 300, at=40),
        y=("bound", 0, 40),
        sliders=[live.sigma(1, 20, at=5)],
        curves={
            "best": lambda sigma, k: np.where(
                k > 100, -log_ndtr(-k / sigma), reduce(np.minimum, [k / a + a * sigma for a in range(1, 30)])
            )
        },
    )


def looked_up_figure():
    return live.Figure(
        name="looked-up",
        x=live.k(1, 20, at=10),
        y=("y", 0, 30),
        sliders=[live.sigma(1, 5, at=2, step=1)],
        curves={"table": live.Curve(lambda sigma, k: math.sqrt(k) * sigma, lookup=True)},
    )


def figure_of_large_tables():
    """Tables of x and a slider, of both signs, over many powers of ten, with gaps and infinities."""

    def odd(a, x):
        return math.inf if x == 0 else math.nan if x > 9 - a else math.cos(x) * math.exp(20 * math.sin(x))

    return live.Figure(
        name="large",
        x=live.slider("x", 0, 10, at=4),
        y=("y", -1, 1),
        sliders=[live.slider("a", 0, 2.5, at=1, step=0.05)],
        curves={
            "Bessel": live.Curve(lambda a, x: special.jv(a, x), lookup=True),
            "odd": live.Curve(odd, lookup=True),
        },
        marks={"m": live.Point(x=lambda: 3.0, y=lambda a: special.jv(a, 3.0), lookup=True)},
    )


def figure_of_marks():
    return live.Figure(
        name="marked",
        x=live.slider("t", -3, 3, at=0.5, step=0.1),
        y=("y", -2, 2),
        sliders=[live.sigma(0.1, 2, at=1, step=0.1)],
        curves={
            "root": lambda t, sigma: np.sqrt(domain.nonnegative("t", t)) / sigma,
            "unlabelled": live.Curve(lambda t: t**3, inside=True),
        },
        marks={
            "spot": live.Point(x=lambda sigma: sigma, y=lambda sigma: -sigma),
            "follower": live.Point(x=lambda t: t, y=lambda t: t / 2),
            "strip": live.Band(low=lambda t: np.where(abs(t) < 1, -1.0, np.nan), high=lambda t, sigma: t * sigma),
            "cloud": live.Cloud(x=lambda z, sigma: z * sigma, y=lambda u: u - 1, size=50),
            "wall": live.Line(x=lambda sigma: sigma - 1),
            "floor": live.Line(y=lambda sigma: -sigma),
            "cases": lf.Points([-2, 0, 2.5], [0.25, 1, -1], label="cases seen"),
            "cost": lf.Reading(lambda sigma: 1000 * sigma, label="cost, euros"),
        },
    )


def figure_of_choices():
    """Two mechanisms, each with its own slider, a curve that one of them has not, bars in the table."""
    return live.Figure(
        name="choosing",
        x=live.k(1, 100, at=10),
        y=("ε", 0.01, 100, "log"),
        sliders=[
            live.choice("noise", ("Laplace", "rounded normal"), words="noise"),
            live.scale(1, 20, at=5, when=("noise", "Laplace")),
            live.sigma(1, 20, at=2, when=("noise", "rounded normal")),
        ],
        curves={
            "pure": live.Curve(lambda noise, scale, k: np.where(noise == 0, k / scale, np.nan), gap="no finite <ε>"),
            "zCDP": lambda noise, scale, sigma, k: np.where(noise == 0, np.sqrt(k) / scale, k / sigma**2),
            "never": live.Curve(lambda k: np.nan * k, gap="not here"),
        },
        bars=True,
    )


def record(figure):
    """What the build writes, read back from its JSON."""
    return json.loads(json.dumps({"name": figure.name, "parity": finite(parity(figure))}))


MADE = [teachers_figure, looked_up_figure, figure_of_large_tables, figure_of_marks, figure_of_choices]


def test_parity_replay_notices_a_wrong_digit(show):
    figure = teachers_figure()
    wrong = record(figure)
    wrong["parity"][3]["readings"]["curves/best/y"] *= 1 + 1e-8
    wrong["parity"][5]["along"]["curves/best/y"][0] = "NaN"
    assert len(differences(show(figure), wrong)) == 2


def test_looked_up_sliders_rest_on_stops_only(show):
    page = show(looked_up_figure())
    page.evaluate("document.getElementById('looked-up').live.set({ sigma: 3.4, k: 7 })")
    assert page.evaluate("document.getElementById('looked-up').live.values") == {"sigma": 3, "k": 7}
    shown = float(page.locator("[data-curve=table]").get_attribute("data-value"))
    assert shown == pytest.approx(math.sqrt(7) * 3, rel=1e-10)


def test_a_swatch_shows_its_line_s_dashes(show):
    """The strokes along the middle of each swatch, in pixels: one, several alike, or long and short in turn."""
    curves = {dash: live.Curve(lambda k: k, colour="exact", dash=dash) for dash in ("solid", "dashed", "dashdot")}
    wall = live.Line(x=lambda: 5.0, colour="exact")
    page = show(live.Figure(name="dashes", x=live.k(1, 9), y=("ε", 0, 9), curves=curves, marks={"wall": wall}))
    solid, dashed, dashdot, line = strokes(page)
    assert len(solid) == 1 < len(dashed) and len(set(dashed[1:-1])) <= 1
    assert len(line) > 1  # a dot is for a point
    assert len(dashdot) == 3 and dashdot[1] < min(dashdot[0], dashdot[2]) / 2
    page.locator("[data-action=present]").click()
    _, _, dashdot, _ = strokes(page)  # shorter in front of a class, but no dash alone
    assert len(dashdot) == 2 and dashdot[1] < 0.7 * dashdot[0]


def strokes(page):
    """The lengths of the strokes along the middle of each swatch, in pixels."""
    found = []
    for swatch in page.locator(".live-swatch").all():
        row = imread(BytesIO(swatch.screenshot()))[:, :, 0]
        inked = "".join("#" if pixel < 0.5 else " " for pixel in row[len(row) // 2])
        found.append([len(stroke) for stroke in inked.split()])
    return found


def test_a_mark_that_has_no_place_says_never(show):
    def figure(at):
        meet = live.Point(x=lambda epsilon: 3 + 0 * np.sqrt(1 - epsilon), y=lambda: 2.0, colour="exact", label="meets")
        wall = live.Line(x=lambda epsilon: 2 + np.sqrt(1 - epsilon), colour="exact", label="wall")
        return live.Figure(
            name="meeting",
            x=live.k(1, 9),
            y=("ε", 0, 9),
            sliders=[live.epsilon(0.1, 2, at=at, step=0.1)],
            curves={"a": live.Curve(lambda k: k, colour="exact")},
            marks={"meet": meet, "wall": wall},
        )

    page = show(figure(1))
    assert page.locator("[data-mark]").all_inner_texts() == [
        "k\u00a0=\u00a03, ε\u00a0=\u00a02.000",
        "k\u00a0=\u00a02",
    ]
    page.evaluate("document.getElementById('meeting').live.set({ epsilon: 2 })")
    assert page.locator("[data-mark]").all_inner_texts() == ["never"] * 2
    assert show(figure(2)).locator("[data-mark]").all_text_contents() == ["never"] * 2  # as the build writes it


def test_a_number_beside_a_mark_is_not_torn_from_its_power(show):
    spot = live.Point(x=lambda k: k, y=lambda epsilon: 1e-5 * epsilon, colour="exact", label="spot")
    figure = live.Figure(
        name="small",
        x=live.k(1, 9, at=2),
        y=("δ", 1e-9, 1, "log"),
        sliders=[live.epsilon(1, 2, at=1, step=0.5)],
        curves={"a": live.Curve(lambda k: 1e-3 / k, colour="exact")},
        marks={"spot": spot},
    )
    page, words = show(figure), "k = 2, δ = 1.500 × 10⁻⁵".replace(" ", "\u00a0").replace(",\u00a0", ", ")
    assert page.locator("[data-mark]").inner_text() == words.replace("1.5", "1.0")
    page.evaluate("document.getElementById('small').live.set({ epsilon: 1.5 })")
    assert page.locator("[data-mark]").inner_text() == words


def test_a_gap_is_drawn_as_a_gap_and_read_as_a_dash(show):
    page = show(figure_of_marks())
    page.evaluate("document.getElementById('marked').live.set({ t: -1 })")
    assert page.locator("[data-curve=root]").inner_text() == "—"
    assert page.locator("[data-curve=root]").get_attribute("data-value") == "NaN"
    assert page.evaluate("document.getElementById('marked--dot-0').querySelector('path').getAttribute('d')") == ""


def test_a_mark_that_follows_the_cursor_moves_with_it(show):
    page = show(figure_of_marks())
    page.locator("input[type=range][name=t]").focus()
    page.keyboard.press("End")
    assert page.locator("[data-mark=follower]").get_attribute("data-x") == "3"


def test_draw_again_moves_the_cloud_and_nothing_else(show):
    page = show(figure_of_marks())
    cloud = "document.getElementById('marked--mark-3').querySelector('path').getAttribute('d')"
    curve = "document.getElementById('marked--curve-0').querySelector('path').getAttribute('d')"
    before = page.evaluate(cloud), page.evaluate(curve)
    page.locator("[data-action=again]").click()
    after = page.evaluate(cloud), page.evaluate(curve)
    assert after[0] != before[0]
    assert after[1] == before[1]
    assert after[0].count("h0") > 25


def test_data_stand_still_have_one_row_and_are_not_in_the_sentence(show):
    page = show(figure_of_marks())
    path = "document.getElementById('marked--mark-6').querySelector('path')"
    before = page.evaluate(f"{path}.getAttribute('d')")
    page.locator("[data-action=again]").click()
    page.evaluate("document.getElementById('marked').live.set({ sigma: 0.3 })")
    after = page.evaluate(f"{path}.getAttribute('d')")
    assert points_of(after) == pytest.approx(points_of(before), abs=0.05) and after.count("h0") == 3
    assert page.evaluate(f"getComputedStyle({path}).strokeWidth") == "6px"
    (row,) = page.locator(".live-readings tr", has_text="cases seen").all_inner_texts()
    assert row.split() == ["cases", "seen", "3", "points"]
    assert "cases" not in page.locator(".live-readings caption").inner_text()


def test_data_alone_are_never_drawn_again(show):
    page = show(
        live.Figure(
            name="data",
            x=live.slider("t", 0, 9),
            y=("y", 0, 9),
            curves={"line": lambda t: t},
            marks={"one": lf.Points([1], [1])},
        )
    )
    assert page.locator("[data-action=again]").count() == 0
    assert "1\u00a0point" in page.locator(".live-readings").inner_text()


def test_a_reading_is_a_row_and_nothing_in_the_picture(show):
    page = show(figure_of_marks())
    cell = page.locator("[data-mark=cost]")
    assert cell.inner_text() == "1000"
    page.evaluate("document.getElementById('marked').live.set({ sigma: 0.3 })")
    assert (cell.inner_text(), cell.get_attribute("data-y")) == ("300.0", "300")
    assert page.evaluate("getComputedStyle(document.getElementById('marked--mark-7')).visibility") == "hidden"
    assert "cost" not in page.locator(".live-readings caption").inner_text()
    assert "cost, euros: 1000." in page.locator("#marked--now").text_content()  # until the sliders rest


def test_a_slider_named_q_survives_the_search_script(show):
    sampled = live.Figure(
        name="sampled",
        x=live.k(1, 50),
        y=("y", 0, 60),
        sliders=[live.q(0, 1, at=0.2)],
        curves={"c": lambda k, q: k * q},
    )
    sphinx = """<script>document.addEventListener("DOMContentLoaded",
        () => document.querySelectorAll('input[name="q"]').forEach((input) => (input.value = null)));</script>"""
    page = show(sampled, after=sphinx)
    assert page.locator("input[type=range][name=q]").input_value() == "0.2"


def test_a_choice_is_made_by_mouse_by_keyboard_and_by_link(show):
    page = show(figure_of_choices())
    values, figure = "document.getElementById('choosing').live.values.noise", page.locator("#choosing")
    figure.get_by_label("rounded normal").check()
    assert page.evaluate(values) == 1
    wait_until(page, "location.hash === '#choosing:noise=rounded-normal'")
    page.reload()
    assert page.evaluate(values) == 1
    assert figure.get_by_label("rounded normal").is_checked()
    figure.get_by_label("rounded normal").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(values) == 0
    page.evaluate("location.hash = 'choosing:noise=nonsense'")
    page.evaluate("location.hash = 'choosing:noise=2'")
    assert page.evaluate(values) == 0


def test_a_slider_is_shown_while_its_choice_stands(show):
    page = show(figure_of_choices())
    shown = lambda: [page.locator(f"input[type=range][name={name}]").is_visible() for name in ("scale", "sigma", "k")]  # noqa: E731
    assert shown() == [True, False, True]
    page.get_by_label("rounded normal").check()
    assert shown() == [False, True, True]
    page.locator("[data-action=reset]").click()
    assert shown() == [True, False, True]


def test_a_missing_value_has_its_reason_in_words(show):
    page = show(figure_of_choices())
    row = page.locator("tr:has([data-curve=pure])")
    assert not row.get_by_text("no finite <ε>").is_visible()
    page.get_by_label("rounded normal").check()
    assert row.get_by_text("no finite <ε>").is_visible()
    assert page.get_by_text("not here").is_visible()
    assert row.locator(".live-bar").evaluate("bar => getComputedStyle(bar).display") == "none"


def test_a_label_comes_and_goes_with_its_curve(show):
    """Also that of a curve which the build could not draw."""
    later = live.Figure(
        name="later",
        x=live.k(1, 9),
        y=("ε", 0, 9),
        sliders=[live.choice("noise", ("Gaussian", "Laplace"))],
        curves={
            "always": lambda k: k,
            "pure": live.Curve(lambda noise, k: np.where(noise == 1, k / 2, np.nan), gap="none"),
        },
    )
    page = show(later)
    label = page.locator("#later .live-label text", has_text="pure")
    assert not label.is_visible()
    page.get_by_label("Laplace").check()
    assert label.is_visible()
    page.get_by_label("Gaussian").check()
    assert not label.is_visible()


def test_bars_are_as_long_as_the_rule_says(show):
    """Drawn first by Python, then by the page, whatever the values."""
    page = show(figure_of_choices())
    drawn = """() => [...document.querySelectorAll(".live-bar")].map(
        (bar) => [parseFloat(bar.getAttribute("width")), getComputedStyle(bar).maskImage !== "none"])"""
    before = page.evaluate(drawn)
    for settings in ({"k": 10}, {"k": 100, "scale": 1}, {"noise": 1, "k": 3}):
        page.evaluate(
            "values => { const f = document.getElementById('choosing').live; f.set(values); f.draw(); }", settings
        )
        figure = figure_of_choices()
        shares = bars(list(figure.readings(figure.defaults | settings).values()))
        expected = [[pytest.approx(100 * min(share, 1), rel=1e-3), share > 1] for share in shares]
        assert page.evaluate(drawn) == expected
        if settings == {"k": 10}:
            assert before == expected
    assert before == [[100, False], [pytest.approx(31.6, abs=0.1), False], [0, False]]


LINES = """() => [...document.querySelectorAll(".live-readings tbody th")].map((name) => {
  const range = document.createRange();
  range.selectNodeContents(name.lastChild); // behind the sample of its line
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
})"""
KEPT = """() => [...document.querySelectorAll(".live-pinned")].map((cell) => cell.getBoundingClientRect().x)"""


@pytest.mark.parametrize("bars", [False, True])
def test_long_name_of_points_or_of_a_number_takes_two_lines_on_a_phone(bars, show):
    """Beside a place, which is long, and beside bars; a setting that is kept stands in one column all the same."""
    figure = lf.Figure(
        name="epidemic",
        x=lf.slider("t", 0, 14, at=5, words="days"),
        y=("boys in bed", 0, 450),
        sliders=[lf.slider("a", 1, 3, at=2)],
        curves={"model": lambda a, t: a * 10 * t, "growth": lambda a, t: a * 5 * t},
        marks={
            "data": lf.Points(range(3), [3, 8, 26], label="reported cases of influenza in the boarding school"),
            "above": lf.Reading(lambda a: 100 * a, label="more boys than beds from the first day on, days"),
            "peak": lf.Point(x=lambda a: a, y=lambda a: 100 * a),
        },
        bars=bars,
        alt="A line.",
    )
    page = show(figure, viewport={"width": 390, "height": 844})
    assert page.evaluate(LINES) == [1, 1, 2, 2, 1]
    page.locator("[data-action=reset]").press("k")
    kept = page.evaluate(KEPT)
    assert len(kept) == 6 and len(set(kept)) == 1
    page.locator("[data-action=clear]").click()
    assert page.evaluate(LINES) == [1, 1, 2, 2, 1]
