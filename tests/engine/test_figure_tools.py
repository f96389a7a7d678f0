"""What a reader does with a figure besides sliding: play it, keep its curves, save it, hear it, take it elsewhere."""

import csv
import functools
import io
import json
import math
import struct
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from toolbar import press
from waiting import wait_until

import livefigures as lf
from dp_lib import live
from livefigures.trace import tables

SVG = "{http://www.w3.org/2000/svg}"
LIVE = "document.querySelector('figure.live').live"


@functools.cache
def figure():
    return live.Figure(
        name="tools",
        x=live.k(1, 11, at=4),
        y=("ε, loss", 0, 30),
        sliders=[live.sigma(1, 5, at=2), live.delta(1e-6, 1e-2, at=1e-3)],
        curves={
            "zCDP": lambda sigma, k: k / sigma,
            'gap, "quoted"': live.Curve(
                lambda k, delta: np.where(k < 4, np.nan, np.sqrt(k - 4.0)) - np.log(delta), colour="rdp"
            ),
            "table": live.Curve(lambda k, sigma: math.sqrt(k) * sigma, lookup=True),
        },
        marks={"spot": live.Point(x=lambda sigma: sigma, y=lambda sigma: 2 * sigma, label="the spot")},
        caption="A caption.",
        alt="Three lines.",
    )


def values(page):
    return page.evaluate(f"{LIVE}.values")


def path_of(page, gid):
    return page.evaluate("gid => document.getElementById(gid).querySelector('path').getAttribute('d')", f"tools--{gid}")


def saved(page, kind):
    """What a click on the menu's item brings: the file's name and its bytes."""
    with page.expect_download() as waiting:
        press(page, kind)
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


# ---- play


def test_play_runs_through_every_whole_number_to_the_end(show):
    page = show(figure())
    page.clock.install()
    page.locator("[data-action=play][data-for=k]").click()
    seen = [values(page)["k"]]
    while page.evaluate(f"{LIVE}.motion.name"):
        page.clock.run_for(100)
        seen.append(values(page)["k"])
    assert sorted(set(seen)) == [4, 5, 6, 7, 8, 9, 10, 11]
    assert seen == sorted(seen)
    assert page.locator("[data-action=play][data-for=k]").get_attribute("aria-label") == "Play k"


def test_play_button_of_a_slider_that_asks_for_it_is_always_seen(show):
    sliders = [lf.slider("a", 0, 1, play=True), lf.slider("b", 0, 1)]
    shown = lf.Figure(
        name="tools", x=lf.slider("t", 0, 1), y=("y", 0, 1), sliders=sliders, curves={"c": lambda a, b, t: a * b * t}
    )
    page = show(shown)
    quiet = "(one) => getComputedStyle(document.querySelector(`[data-action=play][data-for=${one}]`)).opacity"
    assert [page.evaluate(quiet, name) for name in "tab"] == ["1", "1", "0"]


def test_play_from_the_end_begins_at_the_beginning_and_a_second_press_pauses(show):
    page = show(figure())
    page.clock.install()
    page.evaluate(f"{LIVE}.set({{ k: 11 }})")
    button = page.locator("[data-action=play][data-for=k]")
    button.click()
    page.clock.run_for(2000)
    assert button.get_attribute("aria-label") == "Pause k"
    button.click()
    paused = values(page)["k"]
    assert 1 <= paused < 11
    page.clock.run_for(2000)
    assert values(page)["k"] == paused


def test_a_log_slider_plays_evenly_in_the_logarithm_and_a_looked_up_one_from_stop_to_stop(show):
    page = show(figure())
    shares = [0, 0.25, 0.5, 0.75, 1]
    at = f"share => live.sliders.valueAt({LIVE}.data.sliders.NAME, share)"
    assert [page.evaluate(at.replace("NAME", "delta"), s) for s in shares] == [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]
    stops = page.evaluate(f"{LIVE}.data.sliders.sigma.stops")
    assert {page.evaluate(at.replace("NAME", "sigma"), s / 17) for s in range(18)} <= set(stops)
    for name in ("delta", "sigma", "k"):
        back = f"""() => {{ const slider = {LIVE}.data.sliders.{name};
            return live.sliders.valueAt(slider, live.sliders.shareOf(slider, slider.at)) - slider.at; }}"""
        assert page.evaluate(back) == 0


@pytest.mark.parametrize("by", ["ArrowLeft", "typed", "reset", "preset"])
def test_any_input_of_the_reader_pauses(show, by):
    page = show(figure(), after='<a class="live-set" href="#tools" data-figure="tools" data-values=\'{"k":2}\'>two</a>')
    page.clock.install()
    page.locator("[data-action=play][data-for=delta]").click()
    page.clock.run_for(500)
    assert page.evaluate(f"{LIVE}.motion.name") == "delta"
    if by == "typed":
        page.locator(".live-typed[type=text][data-for=k]").fill("3")
        page.keyboard.press("Enter")
    elif by == "preset":
        page.locator("a.live-set").click()
    elif by == "reset":
        page.locator("[data-action=reset]").click()
    else:
        page.locator("input[name=sigma]").press(by)
    assert page.evaluate(f"{LIVE}.motion.name") == ""


def test_escape_pauses_first_and_leaves_present_mode_then(show):
    page = show(figure())
    page.locator("[data-action=present]").click()
    page.keyboard.press("Space")
    assert page.evaluate(f"{LIVE}.motion.name") == "sigma"
    page.keyboard.press("Escape")
    assert page.evaluate(f"{LIVE}.motion.name") == ""
    assert page.locator("figure.live-presenting").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("figure.live-presenting").count() == 0


def test_arrows_move_a_slider_in_front_of_a_class_and_no_step(show):
    page = show(figure())
    page.locator("[data-action=present]").click()
    page.keyboard.press("PageUp")
    step = page.locator(".live-lecture span").first.text_content()
    for key in ("ArrowRight", "ArrowRight"):
        before = page.evaluate(f"{LIVE}.values.sigma")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        assert page.evaluate(f"{LIVE}.values.sigma") > before
    assert page.locator(".live-lecture span").first.text_content() == step == "3/4"


def test_reduced_motion_plays_in_eight_jumps(show):
    page = show(figure(), reduced_motion="reduce")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.evaluate(f"{LIVE}.set({{ delta: 1e-6 }})")
    page.locator("[data-action=play][data-for=delta]").click()
    seen = [values(page)["delta"]]
    for _ in range(8):
        page.clock.run_for(900)
        assert values(page)["delta"] == seen[-1]
        page.clock.run_for(100)
        seen.append(values(page)["delta"])
    assert seen == pytest.approx([10 ** (-6 + i / 2) for i in range(9)], rel=5e-3)
    assert page.evaluate(f"{LIVE}.motion.name") == ""


# ---- save


def test_saved_svg_stands_alone(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.set({{ sigma: 3 }})")
    press(page, "keep")
    page.evaluate(f"{LIVE}.set({{ sigma: 4 }})")
    wait_until(page, f"!{LIVE}.pending.size")
    name, content = saved(page, "svg")
    assert name == "tools_sigma=4_delta=0.001_k=4.svg"
    root = ET.fromstring(content)
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert "σ = 4, δ = 0.001, k = 4" in words
    assert "A: σ = 3, δ = 0.001" in words
    assert root.find(f"{SVG}title").text == "tools: σ = 4, δ = 0.001, k = 4"
    told = root.find(f"{SVG}desc").text
    assert told.startswith("A caption.\nAt the sliders' defaults: Three lines.\nAt σ = 4, δ = 0.001, k = 4, ")
    text = content.decode()
    assert "var(" not in text and "currentColor" not in text and "class=" not in text
    assert 'font-family="' in text
    drawn = [path.get("d") for path in root.iter(f"{SVG}path")]
    assert path_of(page, "curve-0") in drawn
    assert page.locator("svg .live-curve.live-colour-zcdp path").last.get_attribute("d") in drawn
    assert page.locator(".live-staged").count() == 0


def test_saved_picture_is_that_of_a_wide_page_whatever_the_screen(show):
    pictures = []
    for options in ({}, {"viewport": {"width": 390, "height": 844}}):
        page = show(figure(), **options)
        page.evaluate(f"{LIVE}.change(['sigma'])")  # in figure.js's own digits
        pictures.append(page.evaluate(f"live.use('save').picture({LIVE})"))
    page.locator("[data-action=present]").click()
    pictures.append(page.evaluate(f"live.use('save').picture({LIVE})"))
    assert page.locator("figure.live-large").count() == 1
    assert pictures[1] == pictures[0]
    assert pictures[2].count("<text") == pictures[0].count("<text")


def test_saved_picture_has_the_ground_that_the_reader_sees(show):
    page = show(figure())
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.add_style_tag(
        content=":root { --pst-color-background: rgb(18, 18, 18); --pst-color-text-base: rgb(240, 240, 240) }"
    )
    root = ET.fromstring(page.evaluate(f"live.use('save').picture({LIVE})"))
    assert root.find(f"{SVG}rect").get("fill") == "rgb(18, 18, 18)"
    assert {text.get("fill") for text in root.iter(f"{SVG}text")} >= {"rgb(240, 240, 240)"}


def test_saved_png_is_twice_the_pictures_size_and_shows_something(show):
    page = show(figure())
    name, content = saved(page, "png")
    assert name == "tools_sigma=2_delta=0.001_k=4.png"
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (1440, 2 * (420 + 14 + 20))
    assert len(content) > 20_000


def test_saved_csv_holds_every_curve_in_full_precision(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.set({{ sigma: 3, k: 9 }})")
    name, content = saved(page, "csv")
    assert name == "tools_sigma=3_delta=0.001_k=9.csv"
    lines = content.decode().splitlines()
    notes = [line for line in lines if line.startswith("#")]
    assert notes[1:4] == ["# sigma = 3", "# delta = 0.001", "# k = 9"]
    assert f"# at k = 9: table = {math.sqrt(9) * 3!r}".replace(".0", "") in [note.replace(".0", "") for note in notes]
    assert "# spot: x = 3, y = 6" in notes
    rows = list(csv.reader(io.StringIO("\n".join(lines[len(notes) :]))))
    assert rows[0] == ["k", "zCDP", 'gap, "quoted"', "table"]
    grid = figure().x.grid
    assert [float(row[0]) for row in rows[1:]] == grid.tolist()
    with np.errstate(invalid="ignore"):
        expected = np.array([grid, grid / 3, np.sqrt(grid - 4.0) - np.log(1e-3), np.sqrt(grid) * 3]).T
    found = np.array(rows[1:], dtype=float)
    np.testing.assert_allclose(found[:, :3], expected[:, :3], rtol=1e-15)
    np.testing.assert_allclose(found[:, 3], expected[:, 3], rtol=0.5 * 10 ** (1 - tables.DIGITS))  # a table's digits


# ---- addresses


def test_a_link_has_three_forms(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.set({{ sigma: 3 }})")
    press(page, "link")
    field, form = page.locator(".live-link"), page.locator(".live-share select")
    assert field.input_value().endswith("/page.html#tools:sigma=3")
    form.select_option("present")
    assert field.input_value().endswith("/page.html#tools:sigma=3;present=tools")
    form.select_option("frame")
    frame = field.input_value()
    assert frame.startswith('<iframe src="file:///') and "page.html?figure=tools#tools:sigma=3" in frame


@pytest.mark.parametrize(("width", "height"), [(960, 540), (640, 480), (400, 700)])
def test_a_figure_alone_fits_its_frame(show, width, height):
    page = show(figure(), after="<p id='prose'>Prose</p>", viewport={"width": width, "height": height})
    page.goto(page.url + "?figure=tools#tools:sigma=3")
    assert values(page)["sigma"] == 3
    assert page.locator("#tools").bounding_box() == {"x": 0, "y": 0, "width": width, "height": height}
    assert not page.evaluate("document.getElementById('prose').checkVisibility({ visibilityProperty: true })")
    assert page.evaluate("document.getElementById('tools').scrollWidth") <= width
    for name in ("sigma", "delta", "k"):
        assert page.locator(f"input[type=range][name={name}]").bounding_box()["width"] > 80
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('figure') !== null")


# ---- in words


def test_the_picture_is_described_as_the_sliders_stand(show):
    page = show(figure())
    svg = page.locator(".live-picture svg")
    described = f"document.getElementById({json.dumps(svg.get_attribute('aria-describedby'))}).textContent"
    assert page.evaluate(described) == (
        'At σ = 2, δ = 0.001, k = 4, from highest to lowest: gap, "quoted" 6.908; table 4.000; zCDP 2.000; '
        "the spot: k\u00a0=\u00a02, ε\u00a0=\u00a04.000."
    )
    page.locator("input[name=k]").press("Home")
    wait_until(page, f"{described}.includes('k = 1, ')")
    assert 'gap, "quoted": no value here' in page.evaluate(described)
    assert page.locator("[role=status]").inner_text() == 'gap, "quoted" has no value here.'
    assert page.locator("input[name=k]").get_attribute("aria-valuetext") == "1"


def test_menu_is_in_the_window_and_a_tap_beside_it_closes_it_and_moves_nothing(show):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = show(figure(), after="<p style='height: 2000px'></p>", **phone)
    page.evaluate("scrollBy(0, document.querySelector('.live-menu').getBoundingClientRect().top - 430)")
    page.locator(".live-menu summary").tap()
    box = page.locator(".live-menu div").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= page.evaluate("innerHeight")
    picture = page.locator(".live-picture svg").bounding_box()
    before = values(page)
    page.touchscreen.tap(picture["x"] + 0.8 * picture["width"], picture["y"] + 0.4 * picture["height"])
    wait_until(page, "!document.querySelector('.live-menu').open")
    assert values(page) == before
    page.touchscreen.tap(picture["x"] + 0.8 * picture["width"], picture["y"] + 0.4 * picture["height"])
    wait_until(page, f"{LIVE}.values.k !== {before['k']}")


NAMED = "document.activeElement.ariaLabel ?? document.activeElement.textContent"


def test_arrows_lead_through_the_menu_and_through_every_button_in_front_of_a_class(show):
    page, named = show(figure()), []
    page.locator(".live-menu summary").press("Enter")
    for key in ("ArrowDown", "End", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
        named.append(page.evaluate(NAMED))
    assert named == ["Keep", "Table", "More", "Table"]
    page.locator("input[name=sigma]").press("f")
    page.locator(".live-buttons [tabindex='0']").focus()
    row = page.locator(".live-buttons > :is(button, details), .live-lecture > button")
    for _ in range(row.count()):
        page.keyboard.press("ArrowRight")
        named.append(page.evaluate(NAMED))
    assert {"Leave", "Next step", "Full screen", "More", "Reset"} < set(named[4:])
    assert len(set(named[4:])) == row.count() and page.locator(".live-buttons [tabindex='0']").count() == 1
    page.locator("input[name=delta]").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # the first one may have left the full screen alone
    assert page.evaluate("document.activeElement.name ?? ''") in ("sigma", "delta")


def test_reset_is_said_with_its_values_and_a_setting_is_said_as_it_stands_by_then(show):
    page = show(figure())
    page.locator("input[name=k]").press("ArrowRight")
    page.locator("[data-action=reset]").click()
    wait_until(page, f"{LIVE}.element.querySelector('.live-status').textContent.startsWith('Reset: ')")
    said = "document.querySelector('.live-status').textContent"
    assert page.evaluate(said).startswith("Reset: σ = 2, δ = 0.001, k = 4: ")
    page.locator("input[name=k]").focus()
    # The setting is reached, and not said yet: the page's own clock, and no step before the key.
    page.evaluate(f"new Promise((done) => {{ {LIVE}.glide({{ k: 5 }}); setTimeout(done, 700); }})")
    page.keyboard.press("ArrowRight")
    wait_until(page, f"{said}.startsWith('k = 6: ')")


def test_menu_closes_at_escape_and_gives_the_focus_back(show):
    page = show(figure())
    page.locator(".live-menu summary").press("Enter")
    assert page.locator("[data-action=csv]").is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert not page.locator("[data-action=csv]").is_visible()
    assert page.evaluate("document.activeElement.ariaLabel") == "More"
