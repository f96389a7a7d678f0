"""The built book in a real browser, over file://, as a reader opens it."""

import pytest
from conftest import SITE
from parity import differences, records
from readers import PHONE
from test_figure_tools import figure

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


@pytest.mark.parametrize("address", ["chapters/accounting_compared.html"])
def test_golden_readings_of_the_main_figure(visited, address):
    page = visited(address)
    told = "(cells) => cells.map((cell) => [cell.dataset.curve, Number(cell.dataset.value)])"
    shown = dict(page.locator("#rdp-vs-zcdp [data-curve]").evaluate_all(told))
    golden = {"RDP at this α": 0.5701343, "zCDP": 0.5427415, "exact": 0.3846924, "advanced composition": 3.8464714}
    assert {name: shown[name] for name in golden} == pytest.approx(golden, abs=1e-6)
    assert "k\u00a0=\u00a0264.6" in page.locator("#rdp-vs-zcdp [data-mark=touch]").text_content()


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


def test_first_change_of_a_frame_is_drawn_at_once(show):
    drawn = show(figure()).evaluate("""() => {
        const figure = document.querySelector("figure.live");
        let redraws = 0;
        figure.addEventListener("live:redraw", () => redraws++);
        const slider = figure.querySelector("input[name=sigma]");
        const at = [];
        for (const value of [3, 3.5, 4, 4.5]) {
            slider.value = value;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            at.push(redraws);
        }
        const frame = () => new Promise(requestAnimationFrame);
        return frame().then(frame).then(() => [at, redraws]);
    }""")
    assert drawn == [[1, 1, 1, 1], 2]
