"""Keep: settings A, B and C stay, in the picture, in the table, in links and in what is saved, and nothing moves."""

import pytest
from readers import DRAWN, PHONE
from test_book import PAGES_WITH_FIGURES
from test_figure_tools import LIVE, figure, path_of, saved, values
from toolbar import press
from waiting import wait_until

import livefigures as lf

PINS = f"live.use('pin').pinsOf({LIVE})"
# What on the page, but for what is kept, stands elsewhere after a press of "keep" in each figure; what keeps nothing.
MOVED = """async (atLowEnds) => {
    const figures = [...document.querySelectorAll("figure.live:has([data-action=keep])")];
    const kept = ".live-pinned, .live-compare > p, .live-ghosts, .live-status, td, script, .live-picture svg";
    // What is written in a table stands still; a reason beside a name is cut short with it.
    const table = ".live-compare, .live-scroll, th, thead, tr, tbody, table, th .live-gap";
    const there = (part) => !part.closest(kept) && !part.matches(table) && part.checkVisibility();
    const boxes = () => [...document.querySelectorAll("figure.live, figure.live *, article > section, h2, h3")]
        .filter(there).map((part) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            const box = [x + scrollX, y + scrollY, width, height].map((side) => Math.round(8 * side) / 8);
            return [part.localName, part.className, part.textContent.slice(0, 40), ...box].join(" ");
        });
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const { live } of figures) {
        const sliders = Object.entries(live.data.sliders).filter(([, { keys }]) => !keys);
        if (!atLowEnds) live.table.querySelectorAll("[data-action=clear]").forEach((button) => button.click());
        live.set(Object.fromEntries(sliders.map(([key, { low, at }]) => [key, atLowEnds ? low : at])));
    }
    await drawn();
    const before = boxes();
    for (const figure of figures) figure.querySelector("[data-action=keep]").click();
    await drawn();
    const after = boxes();
    const moved = before.filter((box, i) => box !== after[i]);
    const without = figures.filter((figure) => !figure.querySelector(".live-ghosts")).map(({ id }) => id);
    return [before.length - after.length, moved, without];
}"""


# Left and right of name, kept reading and present one, in each row.
COLUMNS = """() => [...document.querySelectorAll(".live-comparing tbody tr")].map((row) => {
    const parts = ["th", "[data-kept=A]", "[data-curve], [data-mark]"].map((part) => row.querySelector(part));
    return parts.map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right]);
})"""


def settle(page):
    wait_until(page, f"!{LIVE}.pending.size")


def keep(page):
    press(page, "keep")


def column(page, letter):
    return [cell.text_content() for cell in page.locator(f"[data-kept={letter}]").all()]


def test_kept_curves_stay_with_their_letter_while_the_sliders_move_on(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.change(['sigma', 'delta'])")  # in figure.js's own digits
    settle(page)
    before = [path_of(page, f"curve-{i}") for i in range(3)]
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 5, delta: 1e-5 }})")
    settle(page)
    ghosts = page.locator(".live-ghosts path")
    assert [ghost.get_attribute("d") for ghost in ghosts.all()] == before
    assert [path_of(page, f"curve-{i}") for i in range(3)] != before
    clips = [path.get_attribute("clip-path") for path in page.locator(".live-ghosts path, #tools--curve-0 path").all()]
    assert len(set(clips)) == 1
    assert {name.text_content() for name in page.locator(".live-ghosts text").all()} == {"A"}
    assert page.locator(".live-kept").inner_text() == "A: σ = 2, δ = 0.001"
    page.get_by_label("Remove A").click()
    assert page.locator(".live-ghosts, .live-kept, .live-pinned, .live-compare").count() == 0
    assert page.evaluate("document.activeElement.ariaLabel") == "More"  # which holds the button


def test_readings_of_three_settings_are_columns_with_ratio_and_difference(show):
    page = show(figure())
    for sigma in (2, 4, 5):
        page.evaluate(f"{LIVE}.set({{ sigma: {sigma} }})")
        keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 1, k: 8 }})")
    settle(page)
    assert [text[0] for text in page.locator("thead .live-pinned").all_inner_texts()] == ["A", "B", "C"]
    assert page.locator("thead .live-pinned").first.get_attribute("aria-label").startswith("A, σ = 2, ")
    assert column(page, "A") == [
        "4.000 ×0.5000 −4.000",
        "8.908 ×1.000 +0",
        "5.657 ×2.000 +2.828",
        "2, 4.000",
    ]
    assert column(page, "B")[0] == "2.000 ×0.2500 −6.000"
    assert page.locator("[data-kept=C]").first.get_attribute("data-value") == "1.6"
    assert page.locator(".live-kept").inner_text() == "A: σ = 2 · B: σ = 4 · C: σ = 5"
    assert values(page)["sigma"] == 1  # the figure stands where it stood
    keep(page)  # a fourth has no letter
    assert page.locator("[data-action=keep]").get_attribute("aria-disabled") == "true"
    assert page.locator("[role=status]").inner_text() == "A, B and C are kept: remove one of them first."
    page.get_by_label("Remove B").click()
    page.get_by_label("Back to C").click()
    settle(page)
    assert (values(page)["sigma"], values(page)["k"]) == (5, 8)
    keep(page)  # which is C
    assert page.locator("thead .live-pinned").count() == 2
    assert page.locator("[role=status]").inner_text() == "This is C already."


def test_what_the_button_did_is_seen_for_some_seconds(show):
    page = show(figure())
    press(page, "keep")
    wide = "document.querySelector('.live-status').offsetWidth"
    assert page.locator(".live-status").inner_text().startswith("Kept as A: ") and page.evaluate(wide) > 50
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    assert page.evaluate(wide) <= 1


def test_the_answer_to_a_button_is_not_talked_over_by_the_slider_before_it(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.set({{ sigma: 5 }})")  # its news waits until the slider rests
    keep(page)
    page.evaluate("new Promise((done) => setTimeout(done, 1000))")
    assert page.locator("[role=status]").inner_text() == "Kept as A: σ = 5, δ = 0.001."


FAMILIES = ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono"]
IN_FAMILY = """(family) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`figure, figure * { font-family: "${family}" !important }`);
    document.adoptedStyleSheets.push(sheet);
}"""


@pytest.mark.parametrize("fonts_seen", ["liberation"])
def test_a_kept_column_stands_beside_the_present_one_in_any_font_and_size(show):
    page = show(figure(), viewport={"width": 1366, "height": 768})
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 5 }})")
    for family in FAMILIES:
        page.evaluate(IN_FAMILY, family)
        for width, height in [(1280, 720), (1024, 768), (800, 900), (390, 844), (1366, 768)]:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            settle(page)
            for name, there, now in page.evaluate(COLUMNS):
                assert name[1] <= there[0] + 1 and there[1] <= now[0] + 1, (family, width)


def taxed(**changes):
    parts = {"curves": {"supply with tax": lambda q, tax: 1 + 0.8 * q + tax, "demand": lambda q: 10 - q}}
    q, tax = lf.slider("q", 0, 10, at=3), lf.slider("tax", 0, 6, at=2)
    return lf.Figure(name="taxed", x=q, y=("price, euros", 0, 12), sliders=[tax], alt="Two lines.", **parts | changes)


@pytest.mark.parametrize("width", [390, 900])
def test_a_kept_point_leaves_room_for_names_and_readings(width, show):
    spot = lf.Point(lambda tax: tax + 0.125, lambda tax: tax + 1.625, label="buyers pay")
    page = show(taxed(marks={"spot": spot}), viewport={"width": width, "height": 844})
    keep(page)
    page.evaluate(f"{LIVE}.set({{ tax: 5 }})")
    settle(page)
    assert column(page, "A")[-1] == "2.125, 3.625"
    for name, there, now in page.evaluate(COLUMNS):
        assert name[1] - name[0] >= 65 and name[1] <= there[0] + 1 and there[1] <= now[0] + 1
    cut = "(cell) => cell.scrollWidth > cell.clientWidth"
    assert width > 390 or not any(cell.evaluate(cut) for cell in page.locator("[data-kept=A]").all())


def test_a_kept_reading_has_no_ratio_that_says_less_than_the_two_values(show):
    page = show(taxed(curves={"steep": lambda tax: 1000.0**tax, "signed": lambda tax: tax - 3, "zero": 0}))
    keep(page)
    page.evaluate(f"{LIVE}.set({{ tax: 4 }})")
    settle(page)
    assert column(page, "A") == ["1.000 × 10⁶ −1.000 × 10¹²", "−1.000 −2.000", "0 +0"]


def test_kept_settings_leave_the_picture_its_room_in_a_lecture(show):
    page = show(figure(), viewport={"width": 1280, "height": 720})
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 5 }})")
    page.evaluate(f"live.use('present').enter({LIVE})")
    settle(page)
    picture, side = (page.locator(part).bounding_box() for part in (".live-picture", ".live-side"))
    assert picture["height"] > 300 and side["x"] >= picture["x"] + picture["width"]
    assert column(page, "A")
    page.keyboard.press("Escape")
    assert page.locator(".live-compare .live-readings").is_visible()


def test_a_column_has_a_dash_where_there_is_no_value(show):
    page = show(figure())
    page.evaluate(f"{LIVE}.set({{ k: 2 }})")
    keep(page)
    assert column(page, "A")[1] == "—"


def test_kept_settings_travel_in_the_address_also_in_the_old_form(show):
    page = show(figure())
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 5 }})")
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 3 }})")
    page.wait_for_url("**#tools:sigma=3;keep=tools:sigma=2,delta=0.001;keep-b=tools:sigma=5,delta=0.001")
    kept = page.locator(".live-ghosts path").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    page.reload()
    assert page.locator(".live-ghosts path").evaluate_all("paths => paths.map((p) => p.getAttribute('d'))") == kept
    assert values(page) == {"sigma": 3, "delta": 1e-3, "k": 4}
    page.get_by_label("Remove A").click()
    page.wait_for_url("**#tools:sigma=3;keep-b=tools:sigma=5,delta=0.001")
    page.evaluate("location.hash = '#tools:sigma=4;keep=tools:sigma=2'")
    wait_until(page, f"{PINS}.length === 1")
    assert page.evaluate(PINS) == [{"letter": "A", "values": {"sigma": 2, "delta": 1e-3}}]


def test_kept_settings_are_saved_with_the_numbers(show):
    page = show(figure())
    keep(page)
    page.evaluate(f"{LIVE}.set({{ sigma: 4 }})")
    lines = saved(page, "csv")[1].decode().splitlines()
    assert "# A: sigma = 2" in lines and "# at k = 4, A: zCDP = 2" in lines and "# at k = 4: zCDP = 1" in lines
    rows = [line for line in lines if not line.startswith("#")]
    assert rows[0] == 'k,zCDP,"gap, ""quoted""",table,"zCDP, A","gap, ""quoted"", A","table, A"'
    assert rows[-1].split(",")[1] == "2.75" and rows[-1].split(",")[4] == "5.5"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_nothing_moves_when_a_setting_is_kept(visited, address, width):
    """All figures of the page: at the low ends, then at the defaults with nothing else kept, and both together."""
    page = visited(address, **(PHONE if width < 400 else {}))
    for at_low_ends in (True, False, True):
        assert page.evaluate(MOVED, at_low_ends) == [0, [], []]
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
