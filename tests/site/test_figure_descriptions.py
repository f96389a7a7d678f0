"""What a figure says of itself: in one sentence, to a screen reader, by its names, as a table, in forced colours."""

import fonts
import numpy as np
import pytest
from test_book import PAGES_WITH_FIGURES
from toolbar import press
from waiting import wait_until

from dp_lib import live

LIVE = "document.querySelector('figure.live').live"
SET = """async (values) => {
    const { live } = document.querySelector("figure.live");
    live.set(values);
    while (live.pending.size) await new Promise(requestAnimationFrame);
    const { settle, announce } = globalThis.live.use("summary");
    settle(live);
    announce(live);
}"""


def figure(**changes):
    parts = {
        "name": "meant",
        "x": live.k(1, 11, at=4),
        "y": ("ε, loss", 0, 30),
        "sliders": [live.sigma(1, 5, at=2), live.delta(1e-6, 1e-2, at=1e-3)],
        "curves": {
            "zCDP": lambda sigma, k: k / sigma,
            "two words": live.Curve(lambda k: np.sqrt(k - 2.0) + 2, colour="rdp"),
            "exact": lambda k, sigma: 3 * k / sigma,
        },
        "marks": {"spot": live.Point(x=lambda sigma: 4 * sigma, y=lambda: 1.0, label="the spot")},
        "caption": "What k costs. It is 0.5 at most.",
        "alt": "Three lines.",
    }
    return live.Figure(**parts | changes)


def said(page):
    return page.locator(".live-says, .live-readings > caption").inner_text()


def told(page, **values):
    """What a screen reader hears once the sliders rest."""
    page.evaluate(SET, values)
    return page.locator(".live-status").inner_text()


# ---- one sentence


@pytest.mark.parametrize(("changes", "seen"), [({}, True), ({"sentence": False}, False)])
def test_a_figure_may_do_without_its_sentence(changes, seen, show):
    page = show(figure(**changes))
    assert page.locator(".live-readings > caption").is_visible() == seen
    assert told(page, sigma=4) == "“two words” is now above exact; the spot has left the picture."
    assert "zCDP" in page.locator("#meant--now").text_content()


@pytest.mark.parametrize(("marks", "seen"), [({}, False), ({"spot": live.Point(2, 1)}, True)])
def test_a_single_curve_has_its_number_in_the_table_alone(marks, seen, show):
    page = show(figure(curves={"a": lambda k: k * 1.0}, marks=marks))
    assert page.locator(".live-readings > caption").is_visible() == seen


SENTENCES = [
    ({"a": lambda k: k * 1.0, "b": lambda k: 2.5 * k}, "At k = 4, b is 2.50 times a."),
    ({"a": lambda k: k * 1.0, "b": lambda k: k * 1.0}, "At k = 4, a and b are equal, 4.000."),
    ({"a": lambda k: k * 1.0, "b": lambda k: 1.001 * k}, "At k = 4, b is within 0.5 % of a."),
    ({"a": lambda k: k * 0.0, "b": lambda k: 1.0 * k}, "At k = 4, a is 0, and b is 4.000."),
    ({"a": lambda k: -1.0 * k, "b": lambda k: 1.0 * k}, "At k = 4, a is −4.000, and b is 4.000."),
    ({"a": lambda k: 1.0 * k, "b": lambda k: 100.0 * k}, "At k = 4, b is 100 times a."),
    ({"a": lambda k: 1.0 * k, "b": lambda k: 101.0 * k}, "At k = 4, a is 4.000, and b is 404.0."),
    (
        {"a": lambda k: k * 1.0, "b": lambda k: np.where(k < 5, np.nan, 1.0 * k), "long name": lambda k: 3.0 * k},
        "At k = 4, “long name” is 3.00 times a; b: no value here.",
    ),
    (
        {"a": lambda k: np.where(k > 5, 1.0, np.nan), "b": lambda k: np.where(k > 5, 2.0, np.nan)},
        "At k = 4, no curve has a value.",
    ),
    (
        {"a": lambda k: k * 1.0, "b": lambda k: k * 1.0, "c": lambda k: 2.0 * k, "d": lambda k: 4.0 * k},
        "At k = 4, a and b are lowest, 4.000; c is 2.00 times that, and d, the highest, 4.00 times that.",
    ),
    (
        {"a": lambda k: k * 1.0, "b": lambda k: 2.0 * k, "c": lambda k: k + k},
        "At k = 4, a is lowest, 4.000; b and c are 2.00 times that.",
    ),
    (
        {"a": lambda k: k * 1.0, "b": lambda k: 2.0 * k, "c": lambda k: 4.0 * k, "d": lambda k: 4.0 * k},
        "At k = 4, a is lowest, 4.000; b is 2.00 times that, and c and d, the highest, 4.00 times that.",
    ),
    (
        {"a": lambda k: k - 4.0, "b": lambda k: k * 1.0, "c": lambda k: 2.0 * k},
        "At k = 4, a is lowest, 0; b is 4.000, and c, the highest, 8.000.",
    ),
    (
        {"a": lambda k: 1.0 * k, "b": lambda k: 2.0 * k, "c": lambda k: 1e6 * k},
        "At k = 4, a is lowest, 4.000; b is 2.00 times that, and c, the highest, 4.000 × 10⁶.",
    ),
]


def test_the_sentence_above_the_readings(show):
    figures = [figure(name=f"meant-{i}", curves=curves, marks={}) for i, (curves, _) in enumerate(SENTENCES)]
    found = show(*figures).locator(".live-says, .live-readings > caption").all_inner_texts()
    assert found == [sentence for _, sentence in SENTENCES]


def test_the_sentence_follows_the_sliders_and_names_the_points(show):
    page = show(figure())
    assert said(page) == (
        "At k = 4, zCDP is lowest, 2.000; “two words” is 1.71 times that, and exact, the highest, 3.00 times that; "
        "the spot at k\u00a0=\u00a08, ε\u00a0=\u00a01.000."
    )
    told(page, sigma=4)
    assert said(page).endswith("; the spot is outside the picture.")
    spot = live.Point(x=lambda sigma: np.sqrt(sigma - 3.0), y=lambda: 1.0, label="the spot")  # not at sigma = 2
    assert said(show(figure(marks={"spot": spot}))).endswith("; the spot has no value here.")


# ---- what is announced: what has changed, and no more


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"sigma": 2.5}, "at k = 4: zCDP 1.600, exact 4.800; the spot at k\u00a0=\u00a010, ε\u00a0=\u00a01.000."),
        ({"sigma": 4}, "“two words” is now above exact; the spot has left the picture."),
        ({"k": 1}, "“two words” has no value here."),
        ({"k": 11, "sigma": 1}, "“two words” is now lowest."),
        ({"k": 5}, "at k = 5: zCDP 2.500, “two words” 3.732, exact 7.500."),
        ({"delta": 1e-5}, "no reading changes."),
    ],
)
def test_what_is_announced_word_by_word(show, values, words):
    assert told(show(figure()), **values) == words


def test_a_curve_that_comes_back_and_one_that_moves_alone(show):
    page = show(figure(marks={}))
    told(page, k=1)
    assert told(page, k=3) == "“two words” has a value again."
    alone = show(figure(curves={"a": lambda sigma: sigma * 1.0, "b": lambda k: 9.0 * k}, marks={}))
    assert told(alone, sigma=3) == "a rises to 3.000."
    assert told(alone, sigma=1) == "a falls to 1.000."


def test_after_a_picture_without_curves_the_first_values_are_told(show):
    late = {"a": lambda k: np.where(k > 5, k * 1.0, np.nan)}
    page = show(figure(curves=late, marks={}))
    told(page, k=3)
    assert told(page, k=7) == "At k = 7, a is 7.000."


def test_of_more_than_three_curves_it_is_told_how_many_rise(show):
    curves = {name: lambda k, by=by: by * k for by, name in enumerate("abcd", 1)}
    assert told(show(figure(curves=curves, marks={})), k=5) == "all 4 readings rise; a is 5.000, b 2.00 times that."


@pytest.mark.parametrize(
    ("slope", "words"),
    [(3.0, "at k = 5: a 5.000, b 15.00; b is 3.00 times a."), (300.0, "at k = 5: a 5.000, b 1500.")],
)
def test_of_two_curves_the_ratio_is_told_too_unless_it_says_less_than_the_values(slope, words, show):
    curves = {"a": lambda k: 1.0 * k, "b": lambda k: slope * k}
    page = show(figure(curves=curves, marks={}))
    assert told(page, k=5) == words


def test_it_is_announced_by_itself_once_the_sliders_rest(show):
    page = show(figure())
    page.locator("input[name=k]").press("ArrowRight")
    wait_until(page, "document.querySelector('.live-status').textContent !== ''")
    status = page.locator("[role=status]").inner_text()
    assert status == "at k = 5: zCDP 2.500, “two words” 3.732, exact 7.500."


# ---- names, and the order of the tab stops

TREE = """() => [...document.querySelectorAll("figure.live :is(a[href], button, input, select, summary, [tabindex])")]
    .filter((one) => one.tabIndex >= 0 && one.checkVisibility())
    .map((one) => one.name || one.dataset.action || one.tagName)"""


def test_names_and_order_in_the_accessibility_tree(show):
    page = show(figure())
    snapshot = page.locator("figure.live").aria_snapshot()
    names = [line.strip() for line in snapshot.splitlines()]
    assert names[0] == '- figure "What k costs.":'
    assert '- toolbar "Figure":' in names
    sliders = [line.partition(":")[0] for line in names if line.startswith("- slider")]
    assert sliders == ['- slider "σ noise"', '- slider "δ extra probability"', '- slider "k number of answers"']
    spoken = "[...document.querySelectorAll('input[type=range]')].map((range) => range.ariaValueText)"
    assert page.evaluate(spoken) == ["2", "0.001", "4"]
    assert page.evaluate(TREE) == ["sigma", "delta", "k", "reset"]


def test_keys_among_the_buttons_and_from_a_slider_to_its_box(show):
    page = show(figure())
    focused = "document.activeElement.dataset.action ?? document.activeElement.name ?? document.activeElement.ariaLabel"
    page.locator("[data-action=reset]").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home"):
        page.keyboard.press(key)
        walked.append(page.evaluate(focused))
    assert walked == ["present", "More", "present", "More", "reset", "More", "reset"]
    page.locator("input[name=sigma]").press("Enter")
    assert page.evaluate("document.activeElement.dataset.for") == "sigma"
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.name") == "sigma"
    assert page.evaluate(f"{LIVE}.values.sigma") == 3
    page.keyboard.press("Enter")
    page.keyboard.type("nonsense")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.name") == "sigma"
    assert page.locator(".live-typed[data-for=sigma]").input_value() == "3"
    page.keyboard.press("Space")
    assert page.evaluate(f"{LIVE}.motion.name") == "sigma"
    wait_until(page, f"{LIVE}.values.sigma !== 3")
    page.keyboard.press("Space")  # at a stop of the slider, which is told
    assert page.evaluate(f"{LIVE}.values.sigma === {LIVE}.fromRange({LIVE}.ranges.sigma)")
    wait_until(page, f"document.querySelector('.live-status').textContent.startsWith({LIVE}.settings().split(',')[0])")


def test_the_alt_text_is_of_the_defaults_and_says_so_elsewhere(show):
    page = show(figure())
    alt = "document.querySelector('.live-picture desc').textContent"
    assert page.evaluate(alt) == "Three lines."
    told(page, k=5)
    assert page.evaluate(alt) == "At the sliders' defaults: Three lines."
    told(page, k=4)
    assert page.evaluate(alt) == "Three lines."


# ---- the curves as a table


def test_the_curves_as_a_table_follow_the_sliders(show):
    page = show(figure())
    button = page.locator("[data-action=table]")
    press(page, "table")
    assert button.get_attribute("aria-expanded") == "true"
    told(page, sigma=4)
    cells = page.evaluate(
        "[...document.querySelectorAll('.live-grid tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    shown = figure()
    lines = shown.table().splitlines()
    assert lines[0] == "ε at σ = 2, δ = 0.001"
    assert page.locator(".live-grid caption").inner_text() == "ε at σ = 4, δ = 0.001"
    assert cells[0] == ["k", "zCDP", "two words", "exact"]
    assert [row[0] for row in cells[1:]] == [line.split()[0] for line in lines[3:]]
    assert len(cells) == 11 and [cells[1][0], cells[-1][0]] == ["1", "11"]
    for k, zcdp, words, exact in cells[1:]:
        assert float(zcdp) == pytest.approx(float(k) / 4, rel=1e-3)
        assert float(exact) == pytest.approx(3 * float(k) / 4, rel=1e-3)
        assert words == "—" if k == "1" else float(words) >= 2
    press(page, "table")
    assert page.locator(".live-grid").count() == 0


def test_the_table_stands_below_the_columns_that_are_kept(show):
    page = show(figure())
    press(page, "keep")
    press(page, "table")
    assert page.locator("figure > .live-grid").count() == 1


def test_the_table_has_the_cursor_and_the_peak_of_each_curve_and_takes_the_focus(show):
    hill = {"hill": lambda k, sigma: 9 - np.abs(k - 30 * sigma), "slope": lambda k: k / 10}
    page = show(figure(x=live.k(1, 101, at=47), curves=hill, marks={}), viewport={"width": 390, "height": 600})
    press(page, "table")
    rows = "[...document.querySelectorAll('.live-grid tbody th')].map((one) => Number(one.textContent))"
    wait_until(page, "document.activeElement.matches('.live-grid')")
    assert {47, 60} <= set(page.evaluate(rows)) and page.evaluate(rows) == sorted(page.evaluate(rows))
    box = page.locator(".live-grid").bounding_box()
    assert box["y"] < 600 and box["y"] + box["height"] > 0
    told(page, sigma=1)
    assert 30 in page.evaluate(rows)


def test_the_text_table_stands_as_the_sliders_do():
    shown = figure(sliders=[live.sigma(1, 5, at=2), live.choice("noise", ("Laplace", "Gaussian"))])
    head, _, names, *rows = shown.table().splitlines()
    assert head == "ε at σ = 2, noise = laplace"
    assert names.split("  ")[-1] == "exact" and len(rows) == 10
    assert len({len(row) for row in [names, *rows]}) == 1


# ---- forced colours

PAINTED = """() => ["[data-action=play]", "input[type=range]", ".live-typed", "[data-action=reset]"].map((part) => {
    const one = document.querySelector(part);
    one.focus();
    const { outlineStyle, outlineColor, outlineWidth } = getComputedStyle(one);
    return [outlineStyle, outlineColor === getComputedStyle(document.querySelector("figure.live")).backgroundColor];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_show_buttons_and_focus(show, scheme):
    page = show(figure(), forced_colors="active", color_scheme=scheme)
    page.locator("input[name=sigma]").focus()
    page.keyboard.press("Tab")  # by keyboard, so that the focus is seen
    assert page.evaluate(PAINTED) == [["solid", False]] * 4
    icon = page.evaluate("getComputedStyle(document.querySelector('[data-action=play]'), '::before').backgroundColor")
    ground = page.evaluate("getComputedStyle(document.querySelector('[data-action=play]')).backgroundColor")
    assert icon != ground
    stroke = page.evaluate("getComputedStyle(document.querySelector('.live-curve.live-colour-exact path')).stroke")
    assert stroke == ("rgb(26, 26, 26)" if scheme == "light" else "rgb(244, 244, 244)")


# ---- every figure of the book

WALK = """() => [...document.querySelectorAll("figure.live")].map((figure) => {
    const stops = [...figure.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
        .filter((one) => one.tabIndex >= 0 && one.checkVisibility())
        .filter((one) => !one.closest(".live-game, .live-guess, .live-lines, .live-ends"));
    const groups = new Set(stops.map((one) => (one.type === "radio" ? one.name : one)));
    const sliders = [...figure.querySelectorAll(".live-slider, .live-choice")].filter((one) => one.checkVisibility());
    const ranges = [...figure.querySelectorAll("input[type=range]")];
    return {
        id: figure.id,
        name: figure.ariaLabel,
        more: groups.size - sliders.length,
        unnamed: ranges.filter((one) => one.labels[0].textContent.trim().length < 1).map((one) => one.name),
        python: ranges.filter((one) => /[a-z_]{2}/.test(one.ariaValueText)).map((one) => one.ariaValueText),
        sentence: figure.querySelector(".live-readings > caption").textContent,
    };
})"""


@pytest.mark.parametrize("fonts_seen", fonts.SETS[1:])  # nobody reads on in this visit, whose figures wait no longer
@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_figure_has_a_name_a_sentence_and_few_tab_stops(visited, address):
    page = visited(address)
    waiting = page.evaluate("document.querySelectorAll('figure.live.live-waits:has(.live-secret)').length")
    assert sum(not found["sentence"] for found in page.evaluate(WALK)) == waiting  # for an answer
    page.evaluate("document.querySelectorAll('[data-action=unwait]').forEach((button) => button.click())")
    for found in page.evaluate(WALK):
        assert found["name"] and found["name"] != found["id"], found
        assert found["more"] <= 3, found
        assert not found["unnamed"] and not found["python"], found
        assert found["sentence"].startswith("At ") and found["sentence"].endswith("."), found
        assert "NaN" not in found["sentence"] and "undefined" not in found["sentence"], found
    names = [found["name"] for found in page.evaluate(WALK)]
    assert len(set(names)) == len(names), "two figures of a page have one name"


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_what_opens_says_what_it_opens(visited, address):
    page = visited(address)
    names = page.evaluate("""[...document.querySelectorAll("article details > summary, main details > summary")]
        .map((one) => one.ariaLabel ?? one.textContent.trim())""")
    assert [name for name in names if name in ("Proof", "Code of this figure", "Toggle hidden content")] == []
