"""The built book in a real browser, over file://, as a reader opens it."""

import json

import pytest
import toolbar
from conftest import SITE
from parity import differences, records
from readers import PHONE
from waiting import wait_until

RECORDS = records(SITE.parent / "live")
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("chapters/**/*.html"))
PAGES_WITH_FIGURES = [page for page in PAGES if '<figure class="live"' in (SITE / page).read_text("utf-8")]


# The sliders that some curve of the figure follows: a cloud's size, say, moves the picture and no reading.
FOLLOWED = "name => document.getElementById(name).live.lines.flatMap((line) => line.follows)"


def holding(name):
    """The address of the page that holds a figure."""
    return next(page for page in PAGES if f'<figure class="live" id="{name}"' in (SITE / page).read_text("utf-8"))


def figures_on(address):
    """The names of a page's figures."""
    text = (SITE / address).read_text("utf-8")
    return [name for name in RECORDS if f'<figure class="live" id="{name}"' in text]


def settle(page, name):
    """Wait until what was set is drawn: the second change of a frame waits for the next one."""
    wait_until(page, "name => !document.getElementById(name).live?.pending.size", arg=name)


def readings(page, name):
    """The table's full-precision values."""
    settle(page, name)
    script = """name => [...document.querySelectorAll(`#${name} [data-curve]`)]
        .map((cell) => [cell.dataset.curve, cell.dataset.value])"""
    return {curve: float(value) for curve, value in page.evaluate(script, name)}


# Picture, readings and spoken value, once all is drawn: in one question, since a page of many sliders asks it often.
SEEN = """async ([name, slider]) => {
    const figure = document.getElementById(name);
    while (figure.live.pending.size) await new Promise(requestAnimationFrame);
    const handle = figure.querySelector(`input[type=range][name=${slider}], :checked[data-for=${slider}]`);
    if (document.activeElement !== handle) handle.focus();
    return [
      [...figure.querySelectorAll(".live-picture path")].map((path) => path.getAttribute("d")),
      [...figure.querySelectorAll("[data-curve]")].map((cell) => cell.dataset.value),
      handle.ariaValueText ?? handle.closest("label").innerText,
    ];
}"""
SET = "([name, values]) => document.getElementById(name).live.set(values)"


def press(page, name, slider, settings):
    """Picture, readings and spoken value before and after two keys on a slider, which is then reset."""
    page.evaluate(SET, [name, settings.get("when", {})])
    before = page.evaluate(SEEN, [name, slider])
    for key in ["ArrowLeft", "PageDown"] if settings["at"] == settings["high"] else ["ArrowRight", "PageUp"]:
        page.keyboard.press(key)
    after = page.evaluate(SEEN, [name, slider])
    page.evaluate("name => document.querySelector(`#${name} [data-action=reset]`).click()", name)
    return before, after


# Figures whose y axis has its label on one of its numbers.
LABEL_ON_NUMBERS = """() => [...document.querySelectorAll("figure.live")].filter((figure) => {
    const label = figure.querySelector(".live-y-label text").getBoundingClientRect();
    const numbers = [...figure.querySelectorAll('.live-y-ticks text')].map((text) => text.getBoundingClientRect());
    return numbers.some((box) => box.left < label.right && box.top < label.bottom && label.top < box.bottom);
}).map((figure) => figure.id)"""


def test_the_book_was_built():
    assert len(PAGES) >= 2, "run `make book` first"
    assert "rdp-vs-zcdp" in RECORDS


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_parity_with_dp_lib(visited, address):
    page = visited(address)
    assert [line for name in figures_on(address) for line in differences(page, RECORDS[name])] == []


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_slider_answers_to_the_keyboard(visited, address):
    page = visited(address)
    for name in figures_on(address):
        read = page.evaluate(FOLLOWED, name)
        for slider, settings in RECORDS[name]["sliders"].items():
            before, after = press(page, name, slider, settings)
            assert after[0] != before[0], f"{name}: {slider} moves nothing in the picture"
            assert after[2] != before[2], f"{name}: {slider} says nothing new to a screen reader"
            assert after[1] != before[1] or slider not in read, f"{name}: {slider} changes no reading"


def test_golden_readings_at_the_defaults(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    shown = readings(page, "rdp-vs-zcdp")
    golden = {"RDP at this α": 0.5701343, "zCDP": 0.5427415, "exact": 0.3846924, "advanced composition": 3.8464714}
    assert {name: shown[name] for name in golden} == pytest.approx(golden, abs=1e-6)
    touch = page.locator("#rdp-vs-zcdp [data-mark=touch]")
    assert float(touch.get_attribute("data-x")) == pytest.approx(264.59, abs=0.005)
    assert "k\u00a0=\u00a0264.6" in touch.text_content()


def test_touching_point_runs_along_zcdps_curve(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    for alpha in (50, 60, 80, 100):
        page.evaluate("alpha => document.getElementById('rdp-vs-zcdp').live.set({ alpha, k: 500 })", alpha)
        settle(page, "rdp-vs-zcdp")
        touch = page.locator("#rdp-vs-zcdp [data-mark=touch]")
        k, epsilon = float(touch.get_attribute("data-x")), float(touch.get_attribute("data-y"))
        page.evaluate("k => document.getElementById('rdp-vs-zcdp').live.set({ k })", round(k))
        shown = readings(page, "rdp-vs-zcdp")
        assert shown["RDP at this α"] == pytest.approx(shown["zCDP"], rel=1e-4)
        assert shown["zCDP"] == pytest.approx(epsilon, rel=0.01)
        assert shown["RDP at this α"] >= shown["zCDP"]


def test_preset_sets_the_sliders_and_the_address(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    page.locator("#rdp-vs-zcdp [data-action=unwait]").click()  # and with it the text that has the links
    preset = page.locator("a.live-set[data-figure=rdp-vs-zcdp]:visible").first
    wanted = json.loads(preset.get_attribute("data-values"))
    preset.click()
    stands = "([name, value]) => document.getElementById('rdp-vs-zcdp').live.values[name] === value"
    wait_until(page, f"Object.entries({json.dumps(wanted)}).every({stands})")  # the sliders glide there
    page.wait_for_url("**#rdp-vs-zcdp:*")


def test_a_link_restores_the_state_and_a_reload_keeps_it(open_page):
    page = open_page(holding("rdp-vs-zcdp") + "#rdp-vs-zcdp:sigma=100,k=123;loss-of-conversion:alpha=30")
    for _ in range(2):
        slider = page.locator("#rdp-vs-zcdp input[type=range][name=sigma]")
        assert slider.input_value() == slider.get_attribute("aria-valuetext") == "100"
        assert page.locator("#rdp-vs-zcdp .live-cursor").text_content() == "123"
        assert page.locator("#loss-of-conversion input[name=alpha]").get_attribute("aria-valuetext") == "30"
        page.reload()


@pytest.mark.parametrize(
    "fragment",
    [
        "rdp-vs-zcdp:sigma=NaN,k=1e999,alpha=-3,delta=0",
        "rdp-vs-zcdp:sigma=<script>alert(1)</script>",
        "rdp-vs-zcdp:nosuch=3;nosuchfigure:k=2",
        "rdp-vs-zcdp:k=2.5",
        "rdp-vs-zcdp:__proto__=1,constructor=2",
        "%E0%A4%A",
        "rdp-vs-zcdp:" + "k=1e9," * 20_000,
    ],
)
def test_a_bad_fragment_changes_nothing(open_page, fragment):
    page = open_page(holding("rdp-vs-zcdp") + "#" + fragment)
    values = page.evaluate("document.getElementById('rdp-vs-zcdp').live.values")
    assert values == {"sigma": 200, "alpha": 60, "delta": 1e-5, "k": 500}


def test_typed_values_are_taken_exactly_or_refused_in_words(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    field = page.locator("#rdp-vs-zcdp .live-typed[type=text][data-for=delta]")
    field.fill("3.3e-7")
    field.press("Enter")
    assert page.evaluate("document.getElementById('rdp-vs-zcdp').live.values.delta") == 3.3e-7
    field.fill("1")
    field.press("Enter")
    assert page.locator("#rdp-vs-zcdp .live-slider:has([data-for=delta]) .live-problem").inner_text() == (
        "δ must be a number from 1e-9 to 0.001, got 1"
    )
    assert page.evaluate("document.getElementById('rdp-vs-zcdp').live.values.delta") == 3.3e-7


def test_reset_returns_to_the_defaults(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    before = readings(page, "rdp-vs-zcdp")
    page.evaluate("document.getElementById('rdp-vs-zcdp').live.set({ sigma: 77, alpha: 9, k: 33 })")
    assert readings(page, "rdp-vs-zcdp") != before
    page.locator("#rdp-vs-zcdp [data-action=reset]").click()
    assert readings(page, "rdp-vs-zcdp") == pytest.approx(before, rel=1e-12)


def test_copy_link_offers_the_address_of_the_state(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    page.evaluate("document.getElementById('rdp-vs-zcdp').live.set({ sigma: 77 })")
    toolbar.press(page, "link", "#rdp-vs-zcdp")
    link = page.locator("#rdp-vs-zcdp .live-link").input_value()
    assert link.endswith("accounting_compared.html#rdp-vs-zcdp:sigma=77")


def test_what_changed_is_announced_when_the_sliders_rest(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    page.locator("#rdp-vs-zcdp [data-action=unwait]").click()
    page.locator("#rdp-vs-zcdp input[name=k]").focus()
    page.keyboard.press("ArrowLeft")
    wait_until(page, "document.querySelector('#rdp-vs-zcdp .live-status').textContent.includes('curves')")
    status = page.locator("#rdp-vs-zcdp .live-status")
    assert status.get_attribute("role") == "status"
    assert status.inner_text() == "all 7 curves fall; exact is 0.3843, “zCDP, tight” 1.10 times that."


def test_present_mode_fills_the_screen_and_escape_leaves(open_page):
    page = open_page(holding("rdp-vs-zcdp"), viewport={"width": 1280, "height": 800})
    page.locator("#rdp-vs-zcdp [data-action=present]").click()
    box = page.locator("#rdp-vs-zcdp").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1280, 800)
    before = page.evaluate("document.getElementById('rdp-vs-zcdp').live.values.sigma")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getElementById('rdp-vs-zcdp').live.values.sigma") == before + 1
    page.keyboard.press("Escape")
    assert page.locator("#rdp-vs-zcdp").bounding_box()["width"] < 1000


def test_dark_mode_recolours_curves_and_text(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    colours = """() => {
        const look = (part) => getComputedStyle(document.querySelector(`#rdp-vs-zcdp ${part}`));
        return [look(".live-curve.live-colour-zcdp path").stroke, look(".live-picture text").fill,
                look(".live-label.live-colour-rdp text").fill];
    }"""
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    light = page.evaluate(colours)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = page.evaluate(colours)
    assert all(before != after for before, after in zip(light, dark, strict=True))


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_figures_fit_a_phone(visited, address):
    page = visited(address, **PHONE)
    page.wait_for_selector("figure.live.live-large")
    wide = "[...document.querySelectorAll('figure.live')].filter(f => f.scrollWidth > f.clientWidth + 1).map(f => f.id)"
    assert page.evaluate(wide) == []
    small = """[...document.querySelectorAll("figure.live :is(input[type=range], button, summary, .live-typed)")]
        .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44)
        .map((target) => target.closest("figure").id + " " + target.outerHTML)"""
    assert page.evaluate(small) == []
    type_ = """[...document.querySelectorAll("figure.live svg text")].filter((text) => text.checkVisibility())
        .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a)"""
    assert min(page.evaluate(type_)) >= 11.5
    assert page.evaluate(LABEL_ON_NUMBERS) == []


# What a figure lacks that nobody moves.
STILL = """() => [...document.querySelectorAll("figure.live")].flatMap((figure) => {
    const all = (part) => [...figure.querySelectorAll(part)];
    const seen = (part) => all(part).filter((one) => one.checkVisibility({ visibilityProperty: true })).length;
    const wrong = [];
    if (all('svg .live-curve path[d=""]').length > seen(".live-gap")) wrong.push("a curve is missing without a word");
    if (!(figure.querySelector(".live-picture svg").getBoundingClientRect().height > 200)) wrong.push("no picture");
    if (!figure.querySelector("[data-curve]").innerText.trim()) wrong.push("no reading");
    if (seen(".live-controls")) wrong.push("controls that do nothing");
    return wrong.map((words) => `${figure.id}: ${words}`);
})"""


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_without_javascript_picture_and_table_stand(visited, address):
    page = visited(address, java_script_enabled=False)
    assert page.evaluate(STILL) == []
    for answer in page.locator(".predict details").all():
        answer.locator("summary").click()
        assert answer.get_attribute("open") is not None


def test_a_question_opens_only_after_a_commitment(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    question = page.locator(".predict").first
    body = question.locator("details > :not(summary, .predict-reply)").first
    assert not body.is_visible()
    question.locator("input[type=radio]").first.check()
    question.locator("button[type=submit]").click()
    assert body.is_visible()


def test_settings_of_two_figures_do_not_mix(open_page):
    page = open_page(holding("gaussian-sigma"))
    before = readings(page, "laplace-vector")
    page.evaluate("document.getElementById('gaussian-sigma').live.set({ epsilon: 0.5 })")
    assert readings(page, "laplace-vector") == before


def test_first_change_of_a_frame_is_drawn_at_once(open_page):
    page = open_page(holding("rdp-vs-zcdp"))
    drawn = page.evaluate("""() => {
        const figure = document.getElementById("rdp-vs-zcdp");
        let redraws = 0;
        figure.addEventListener("live:redraw", () => redraws++);
        const slider = figure.querySelector("input[name=sigma]");
        const at = [];
        for (const value of [100, 110, 120, 130]) {
            slider.value = value;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            at.push(redraws);
        }
        const frame = () => new Promise(requestAnimationFrame);
        return frame().then(frame).then(() => [at, redraws]);
    }""")
    assert drawn == [[1, 1, 1, 1], 2]
