"""Typed lines on a page: the figure that they make, what a link keeps, and curves added to a figure of the book."""

import gzip
from functools import cache

import numpy as np
import pytest
from random_formulas import TORN
from toolbar import press
from waiting import wait_until

from book.reference import formula_editor as workbench
from dp_lib import dp_sgd, gdp, live, rdp, zcdp
from livefigures.formulas import bundle
from livefigures.page import bundle as page_bundle
from livefigures.page import page as live_page

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="live.css"><script defer src="live.js" data-formulas="workbench.js"></script></head>
<body>{content}</body></html>"""
READ = "(cells) => cells.map((cell) => [cell.dataset.curve, Number(cell.dataset.value)])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the scripts of figures and of typed lines."""
    folder = tmp_path_factory.mktemp("typing").resolve()
    (folder / "live.js").write_text(page_bundle.script(), "utf-8")
    (folder / "live.css").write_text(page_bundle.style(), "utf-8")
    (folder / "workbench.js").write_text(bundle.script(workbench.functions(), workbench.ORDERS), "utf-8")
    return folder


@pytest.fixture
def typing(folder, witnessed):
    """`typing(figure, "#add=...")` is a page with this figure and the book's verbs."""

    def open_(figure, fragment=""):
        (folder / "page.html").write_text(PAGE.format(content=markup(figure)), "utf-8")
        page = witnessed(folder.as_uri() + "/").new_page()
        page.goto((folder / "page.html").as_uri() + fragment)
        wait_until(page, "Boolean(document.querySelector('figure.live').live)")
        return page

    return open_


@pytest.fixture
def lines(typing):
    """The lines of a workbench on its page, once they can be typed in; `lines.page` is the page."""
    found = typing(bench()).locator("#workbench input.live-line")
    found.nth(1).wait_for()
    return found


def readings(page):
    """The readings once all is drawn: a second change within a frame waits for the next one."""
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return dict(page.locator("[data-curve]").evaluate_all(READ))


markup = cache(live_page.html)


@cache
def bench():
    return live.workbench("rho = zcdp.gaussian(sigma) * k", "zcdp.epsilon(rho, delta)")


def plain():
    return live.Figure(
        name="plain",
        x=live.k(1, 500, at=100),
        y=("ε", 0, 3),
        sliders=[live.sigma(50, 400, at=200), live.delta(1e-9, 1e-3, at=1e-5)],
        curves={"zCDP": lambda sigma, k, delta: zcdp.epsilon(zcdp.gaussian(sigma) * k, delta)},
        caption="c",
        alt="a",
    )


def test_what_is_typed_is_drawn_read_and_linked(typing, lines):
    page = lines.page
    assert readings(page) == {"zcdp.epsilon": float(zcdp.epsilon(zcdp.gaussian(200) * 500, 1e-5))}
    lines.nth(1).fill("gdp.epsilon(gdp.repeat(gdp.gaussian(sigma), k), delta) * share + 0 * rho")
    expected = float(gdp.epsilon(gdp.repeat(gdp.gaussian(200), 500), 1e-5)) * 0.5
    assert readings(page)["gdp.epsilon …"] == pytest.approx(expected, rel=1e-9)
    assert page.locator("input[type=range]").evaluate_all("(all) => all.map((one) => one.name)") == [
        *("sigma", "delta", "share", "k"),
    ]
    lines.nth(1).fill("gdp.epsilon(")
    assert "the line ends" in page.locator("#workbench .live-fault:not(:empty)").inner_text()
    assert "gdp.epsilon …" in readings(page), "the last good picture stays while one types"
    lines.nth(0).fill("half = 0.5")
    lines.nth(1).fill("k * share * half")
    wait_until(page, "location.hash.endsWith('share~20*~20half')")
    again = typing(bench(), page.evaluate("location.hash"))
    again.locator("#workbench input[name=share]").wait_for()
    assert readings(again) == readings(page) == {"k * share * half": 125.0}


def test_a_claim_is_checked_along_the_curve(lines):
    page = lines.page
    page.locator("[data-action=line]").click()
    last = lines.last
    last.fill("zcdp.epsilon_tight(rho, delta) <= zcdp.epsilon(rho, delta)")
    assert "holds" in page.locator(".live-said:not(:empty)").inner_text()
    last.fill("rho < zcdp.gaussian(sigma) * 250")
    said = page.locator(".live-said:not(:empty)").inner_text()
    assert said == "✗ fails from k = 250 on", "between two points each k is tried"
    last.fill("rho > zcdp.gaussian(sigma) * 250")
    assert page.locator(".live-said:not(:empty)").inner_text() == "✗ holds only from k = 251 on"
    last.fill("rho * (1 + 5e-10) <= rho")
    said = page.locator(".live-said:not(:empty)").inner_text()
    assert said == "✓ holds: both sides are equal to nine digits at all 201 points"
    last.fill("rho * (1 - 5e-10) < rho")
    said = page.locator(".live-said:not(:empty)").inner_text()
    assert said == "✗ fails: both sides are equal to nine digits at all 201 points"
    last.fill("k < 100 and sigma > 300 or not k <= 700")
    assert page.locator(".live-said:not(:empty)").inner_text() == "✗ holds only from k = 701 on"


def test_a_curve_is_added_to_a_figure_and_kept_in_its_link(typing):
    page = typing(plain())
    press(page, "add")
    line = page.locator("#plain input.live-line")
    line.fill("zcdp.epsilon_tight(zcdp.gaussian(sigma) * k, delta)")
    expected = float(zcdp.epsilon_tight(zcdp.gaussian(200) * 100, 1e-5))
    assert readings(page)["yours"] == pytest.approx(expected, rel=1e-9)
    page.locator("#plain input[name=sigma]").evaluate(
        "(range) => { range.value = 100; range.dispatchEvent(new Event('input')); }"
    )
    expected = float(zcdp.epsilon_tight(zcdp.gaussian(100) * 100, 1e-5))
    assert readings(page)["yours"] == pytest.approx(expected, rel=1e-9)
    line.fill("mu + k")
    assert "mu is no slider of this figure" in page.locator("#plain .live-fault").inner_text()
    line.fill("k / 100")
    wait_until(page, "location.hash.endsWith('k~20~2F~20100;plain:sigma=100')")
    again = typing(plain(), page.evaluate("location.hash"))
    again.locator("#plain input.live-line").wait_for()
    assert readings(again) == readings(page)


def test_completion_says_what_a_verb_takes(lines):
    page = lines.page
    line = lines.nth(1)
    line.fill("")
    line.press_sequentially("zcdp.epsilon_t")
    assert "zcdp.epsilon_tight(rho, delta)" in page.locator("[role=option]").first.inner_text()
    line.press("Tab")
    assert line.input_value() == "zcdp.epsilon_tight(rho, delta)"
    line.fill("")
    line.press_sequentially("adv")
    line.press("Enter")
    assert line.input_value() == "approx.advanced(epsilon, delta, k, slack).epsilon"
    assert page.locator("#workbench.live-stale").count() == 0


def test_enter_takes_what_is_chosen_and_a_name_of_the_book_is_left_alone(lines):
    page = lines.page
    line = lines.nth(1)
    line.fill("")
    line.press_sequentially("dpsgd.eps")
    assert "dp_sgd.epsilon" in page.locator("[role=option]").first.inner_text()
    line.press("Enter")
    assert line.input_value() == "dp_sgd.epsilon(sigma, q, steps, delta)"
    line.fill("dp_sgd.epsilon(")
    assert (
        "dp_sgd.epsilon takes sigma, q, steps, delta" in page.locator("#workbench .live-fault:not(:empty)").inner_text()
    )
    line.fill("")
    line.press_sequentially("zcdp.epsilon(rho, delta")
    assert page.locator("[role=option][aria-selected=true]").count() == 0
    line.press("ArrowDown")
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    line.press("Escape")
    line.press_sequentially(")")
    line.press("Enter")
    assert lines.count() == 3


def test_a_curve_over_the_only_name_is_drawn_and_lines_stand_in_any_order(lines):
    page = lines.page
    lines.nth(0).fill("half / 2")
    lines.nth(1).fill("half = k / 2")
    assert len(page.locator("#workbench .live-curve path").get_attribute("d")) > 500
    assert readings(page) == {"half / 2": 125.0}
    figure = live.workbench("half / 2", "half = k / 2")
    assert figure.readings(figure.defaults) == {"curves/half / 2/y": 125.0}
    lines.nth(0).fill("half = rho + k")
    lines.nth(1).fill("rho = half + k")
    assert "would stand for itself" in page.locator("#workbench .live-fault:not(:empty)").first.inner_text()
    with pytest.raises(live.FigureError, match="would stand for itself"):
        live.workbench("half = rho + k", "rho = half + k")


def test_what_goes_wrong_is_said_in_words(lines):
    page = lines.page
    fault, said = page.locator("#workbench .live-fault:not(:empty)"), page.locator("#workbench .live-said:not(:empty)")
    for text, message in {
        "k ^ 2": "a power is **",
        "2 * σ": "write sigma",
        "2k": "between a number and a name stands *",
        "k sigma": "is there a * missing before it?",
        "zcdp.noise(sigma)": "zcdp has gaussian, laplace",
        "ln(k)": "write np.log",
        "np.sqrtt(k)": "did you mean sqrt?",
        "special.ndtri_(k)": "did you mean ndtri?",
        "constructor(k)": "no function is called constructor here",
    }.items():
        lines.nth(1).fill(text)
        assert message in fault.inner_text()
    lines.nth(1).fill("zcdp.epsilon(rho, Delta)")
    assert said.inner_text() == "Delta is a slider of its own here; did you mean delta?"
    lines.nth(1).fill("zcdp.epsilon(rho, delta) + eps + delta2")
    assert said.inner_text() == "eps is a slider of its own here; did you mean epsilon?"
    lines.nth(0).fill("eps = zcdp.epsilon(rho, delta)")
    lines.nth(1).fill("2 * eps")
    assert said.count() == 0  # a name of the line above
    lines.nth(1).fill("dp_sgd.epsilon(sigma, q, steps / 3, delta)")
    assert "dp_sgd.epsilon has none at steps = " in said.inner_text() and "whole number" in said.inner_text()
    lines.nth(1).fill("zcdp.epsilon(-1, delta)")
    assert "zcdp.epsilon has none at rho = -1; rho must be at least 0" in said.inner_text()


MISTAKES = ["import os", "pld.PrivacyLoss(k)", "np.log(k", "ln(k)", "x = 1; y = 2", "rho = rho + 1", "k^2", "k share"]


def sliders(page):
    ranges = page.locator("#workbench input[type=range]")
    return dict(ranges.evaluate_all("(all) => all.map((one) => [one.name, one.value])"))


@pytest.mark.parametrize("text", MISTAKES)
def test_the_beginning_of_a_line_with_a_mistake_leaves_no_curve_and_no_slider(lines, text):
    page = lines.page
    page.locator("#workbench input[name=sigma]").press("ArrowLeft")
    before = readings(page), sliders(page)
    page.locator("[data-action=empty]").click()
    lines.first.press_sequentially(text)
    assert page.locator("#workbench.live-stale").count() == 1
    assert (readings(page), sliders(page)) == before


def test_the_picture_of_a_line_stays_while_it_goes_on_or_if_it_was_finished(lines):
    page = lines.page
    page.locator("[data-action=empty]").click()
    lines.first.press_sequentially("k * share")
    drawn = readings(page)
    lines.first.press_sequentially(" + (")
    assert readings(page) == drawn and "k * share" in drawn, "the line ends too early, which is no mistake"
    lines.first.fill("k * share")
    lines.first.blur()
    lines.first.press("End")
    lines.first.press_sequentially("^2")
    assert "a power is **" in page.locator("#workbench .live-fault").inner_text() and readings(page) == drawn


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / (k - 500)", "divides by 0 at k = 500, which is an error in Python"),
        ("k // (k - 500)", "divides by 0 at k = 500, which is an error in Python"),
        ("(k - 1) / (k - 1)", "divides by 0 at k = 1, which is an error in Python"),
        ("(k - 500) ** -1", "divides by 0 at k = 500, which is an error in Python"),
        ("k / (k - k)", "divides by 0 at 201 of 201 points, the first at k = 1, which is an error in Python"),
        ("1 / (k - 500) if k != 500 else 0", ""),
        ("1 / (1 / (k - 500))", ""),
        ("np.exp(1000 * k) + 1 / k", "outside the picture: Fit axes brings it back"),
    ],
)
def test_a_division_by_0_is_said_where_the_curve_has_no_number_for_it(lines, text, words):
    lines.nth(1).fill(text)
    said = lines.page.locator("#workbench .live-said")
    assert said.nth(1).inner_text() == words


def test_a_comparison_beside_a_number_that_no_curve_can_show_is_left_alone(lines):
    """The picture is still that of other lines, whose tape knows nothing of this comparison."""
    page = lines.page
    page.locator("[data-action=empty]").click()
    lines.first.fill("k")
    lines.first.press("Enter")
    lines.nth(1).fill("2 * np.pi < 3 * np.e")
    lines.first.fill("5 * np.pi")
    page.locator("#workbench input[name=k]").press("ArrowLeft")
    assert page.locator("#workbench .live-fault").first.inner_text().endswith("such as k")
    assert page.locator("#workbench .live-said").all_inner_texts() == ["", ""]


def test_a_button_is_pressed_though_the_line_above_it_has_something_to_say(lines):
    """The list of functions closes, and the fault opens, when a line loses the focus."""
    page = lines.page
    lines.first.fill("rdp.opt")
    page.locator("#workbench .live-offer:visible").wait_for()
    page.locator("[data-action=empty]").scroll_into_view_if_needed()
    box = page.locator("[data-action=empty]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    assert lines.count() == 1 and lines.first.input_value() == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import os", "import has no meaning here"),
        ("k² * share", "a power is **"),
        ("np.log(-k)", "such as a logarithm or a root of a number below 0"),
    ],
)
def test_a_line_says_what_is_wrong_though_a_list_may_follow_its_last_word(lines, text, words):
    lines.nth(1).fill(text)
    assert words in lines.page.locator(".live-row").nth(1).inner_text()


def test_the_table_says_that_its_values_are_rounded_to_nearest(lines):
    lines.nth(1).fill("zcdp.epsilon(2 * rho, delta)")
    (note,) = lines.page.locator("#workbench .live-readings + .live-rounded").all()
    assert note.inner_text() == "Values are rounded to nearest, so a value can be above the number shown."


def test_reset_takes_the_axes_back_too(lines):
    page = lines.page
    page.locator("#workbench .live-end[data-for=k][data-end=low]").fill("100")
    page.locator("#workbench .live-end[data-for=k][data-end=low]").press("Enter")
    assert page.locator("#workbench .live-end[data-for=k][data-end=low]").input_value() == "100"
    page.locator("[data-action=reset]").click()
    assert page.locator("#workbench .live-end[data-for=k][data-end=low]").input_value() == "1"


COMPARED = "rdp.epsilon(32, rdp.gaussian(32, sigma) * k, delta) <= zcdp.epsilon(rho, delta)"


def test_a_comparison_draws_what_it_compares(lines):
    """Each side is a curve, but for one that is there; a step that only the sides use is none."""
    page = lines.page
    lines.nth(1).fill(COMPARED)
    by_rdp = float(rdp.epsilon(32, rdp.gaussian(32, 200) * 500, 1e-5))
    expected = {"rdp.epsilon": by_rdp, "zcdp.epsilon": float(zcdp.epsilon(zcdp.gaussian(200) * 500, 1e-5))}
    assert readings(page) == pytest.approx(expected, rel=1e-9)
    assert "fails" in page.locator(".live-said:not(:empty)").inner_text()
    same = live.workbench(lines.nth(0).input_value(), COMPARED)
    assert {key.split("/")[1]: value for key, value in same.readings(same.defaults).items()} == pytest.approx(expected)
    lines.nth(0).fill("rho <= 0.5")
    assert list(readings(page)) == ["rdp.epsilon", "zcdp.epsilon"]
    lines.nth(1).fill("k * best <= k * 2")
    said = page.locator(".live-said:not(:empty)").last.inner_text()
    assert said.endswith("best is a slider here, which no line explains")
    lines.nth(1).fill("zcdp.epsilon(rho, delta) <= zcdp.epsilon(rho, delta / 2)")
    assert list(readings(page)) == ["zcdp.epsilon", "zcdp.epsilon, delta / 2"]


def test_lines_are_cleared_and_brought_back(lines):
    before = readings(lines.page)
    lines.page.locator("[data-action=empty]").click()
    assert lines.count() == 1
    assert "Reset" in lines.page.locator("#workbench .live-fault").inner_text()
    lines.page.keyboard.type("rho")
    assert lines.input_value() == "rho"
    lines.fill("")
    lines.page.locator("[data-action=reset]").click()
    assert (lines.count(), readings(lines.page)) == (2, before)


@pytest.mark.parametrize(
    ("typed", "taken"),
    {
        "rdp eps": "rdp.epsilon(alpha, rdp.gaussian(alpha, sigma) * k, delta)",
        "2 * zcdp  epsilon_t": "2 * zcdp.epsilon_tight(rho, delta)",
        "sgd": "dp_sgd.epsilon(sigma, q, steps, delta)",
        "rdp.opt": "rdp.optimum(lambda alpha: rdp.gaussian(alpha, sigma) * k, delta).epsilon",
    }.items(),
)
def test_enter_takes_the_verb_that_the_words_mean(lines, typed, taken):
    lines.nth(1).fill("")
    lines.nth(1).press_sequentially(typed)
    lines.nth(1).press("Enter")
    assert lines.nth(1).input_value() == taken


def test_what_a_verb_says_finds_it_in_its_room(lines):
    lines.nth(1).fill("")
    lines.nth(1).press_sequentially("rdp.best")
    assert lines.page.locator("[role=option]").all_inner_texts()[0].startswith("rdp.optimum(curve, delta)")


def test_an_argument_finds_the_verbs_that_take_it(lines):
    lines.nth(1).fill("")
    lines.nth(1).press_sequentially("slack")
    assert lines.page.locator("[role=option] code").all_inner_texts()[0] == "approx.advanced(epsilon, delta, k, slack)"
    assert lines.page.locator("[role=option][aria-selected=true]").count() == 0, "slack alone is a slider"


def test_a_picture_that_is_not_of_these_lines_is_faint(lines):
    page = lines.page
    stale = page.locator("#workbench.live-stale")
    assert stale.count() == 0
    lines.nth(1).fill("zcdp.epsilon(rho")
    assert stale.count() == 1
    lines.nth(1).fill("rho")
    assert stale.count() == 0
    lines.nth(0).fill("")
    lines.nth(1).fill("")
    assert stale.count() == 1


def test_what_leaves_the_picture_says_so(lines):
    page = lines.page
    page.locator("#workbench input[name=sigma]").evaluate(
        "(range) => { range.value = 0; range.dispatchEvent(new Event('input')); }"
    )
    said = page.locator("#workbench .live-said:not(:empty)")
    said.wait_for()
    assert "Fit axes" in said.inner_text()
    page.locator("[data-action=fit]").click()
    assert said.count() == 0


def test_a_function_that_the_list_offers_has_numbers_and_each_line_a_name_to_remove(lines):
    page = lines.page
    lines.nth(1).fill("")
    lines.nth(1).type("adv")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert lines.nth(1).input_value().startswith("approx.advanced_simple(")
    assert all(readings(page).values()) and "no number" not in page.locator(".live-row").nth(1).inner_text()
    lines.nth(1).fill("approx.advanced_simple(0.9, delta, k, slack).epsilon")
    wait_until(page, "document.querySelectorAll('.live-row')[1].innerText.includes('no single argument is to blame')")
    names = page.locator("[data-action=remove]").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names == ["Remove formula 1", "Remove formula 2"]
    told = "[...document.querySelectorAll('.live-told')].map((one) => one.textContent).join(' ')"
    wait_until(page, f"({told}).includes('Formula 2: ')")
    page.locator("[data-action=remove]").first.click()
    assert page.evaluate("document.activeElement.ariaLabel") == "Formula 1"
    wait_until(page, f"({told}).startsWith('Formula 1 removed; 1 line left.')")


def test_the_noise_of_dp_sgd_is_a_multiplier_and_twins_are_counted(lines):
    page = lines.page
    lines.nth(0).fill("dp_sgd.epsilon(sigma, q, steps, delta)")
    lines.nth(1).fill("dp_sgd.epsilon(sigma, 2 * q, steps / 2, delta)")
    expected = {
        "dp_sgd.epsilon": float(dp_sgd.epsilon(1.1, 0.01, 1000, 1e-5)),
        "dp_sgd.epsilon, 2 * q": float(dp_sgd.epsilon(1.1, 0.02, 500, 1e-5)),
    }
    assert readings(page) == pytest.approx(expected, rel=1e-9)
    same = live.workbench(*[lines.nth(i).input_value() for i in (0, 1)])
    assert {key.split("/")[1]: value for key, value in same.readings(same.defaults).items()} == pytest.approx(expected)


def test_what_is_written_out_makes_the_same_figure(lines):
    page = lines.page
    page.locator("#workbench .live-end[data-for=sigma][data-end=low]").fill("100")
    page.locator("#workbench .live-end[data-for=sigma][data-end=low]").press("Enter")
    page.locator("[data-action=python]").click()
    text = page.locator(".live-python").input_value()
    names = {}
    exec(text.replace("live.workbench(", "figure = live.workbench("), names)
    figure = names["figure"]
    assert figure.controls["sigma"].low == 100
    assert figure.lines
    assert figure.readings(figure.defaults)["curves/zcdp.epsilon/y"] == readings(page)["zcdp.epsilon"]


def test_hostile_links_and_lines_change_nothing_outside_the_lines(lines):
    page = lines.page
    count = "document.querySelectorAll('script, img, iframe, object, embed, link, style, a').length"
    before = page.evaluate(count)
    rng = np.random.default_rng(3)
    for _ in range(60):
        text = "".join(rng.choice(np.array(TORN, dtype=object), 6))
        page.evaluate("(text) => { location.hash = text; }", f"add=workbench:{text}")
        lines.first.evaluate("(input, text) => { input.value = text; input.dispatchEvent(new Event('input')); }", text)
    assert page.evaluate(count) == before


HEARD = """() => {
  globalThis.heard = [];
  const note = (changes) => changes.forEach(({ target }) => {
    const region = (target.closest ? target : target.parentElement).closest("[role=alert], [role=status], [aria-live]");
    if (region?.closest(".live-lines") && region.textContent) globalThis.heard.push(region.textContent);
  });
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def heard(page):
    """What the lines have said aloud since it was asked last."""
    return page.evaluate("globalThis.heard.splice(0)")


def test_a_fault_is_said_once_when_typing_rests_and_only_by_the_line_that_has_it(lines):
    page = lines.page
    page.locator("[data-action=line]").click()
    lines.last.fill("zcdp.epsilon_tight(rho, delta) <= zcdp.epsilon(rho, delta)")
    told = page.locator("#workbench .live-told")
    wait_until(page, "document.querySelector('.live-told').textContent")
    assert told.inner_text() == "Formula 3: ✓ holds at all 201 points of the x axis."
    page.evaluate(HEARD)
    lines.nth(0).fill("")
    lines.nth(0).press_sequentially("rho = zcdp.gaussian(sigma) * 2 *")
    wait_until(page, "globalThis.heard.length")
    (said,) = heard(page)
    assert said.startswith("Formula 1: ") and "the line ends" in said
    assert [line.get_attribute("aria-invalid") for line in lines.all()] == ["true", "false", "false"]
    fault, _ = lines.nth(0).get_attribute("aria-describedby").split()
    assert "the line ends" in page.locator(f"[id={fault}]").inner_text()
    lines.nth(0).press_sequentially(" k")
    wait_until(page, "globalThis.heard.length")
    assert heard(page) == ["Formula 1: the fault is gone."]
    lines.nth(0).fill("rho = z")
    wait_until(page, "globalThis.heard.length")
    (said,) = heard(page)
    assert said == "Formula 1: z is the beginning of a function's name."


def test_a_verdict_is_said_again_only_if_it_changes(lines):
    page = lines.page
    lines.nth(1).fill("rho < zcdp.gaussian(sigma) * 250")
    wait_until(page, "document.querySelector('.live-told').textContent")
    page.evaluate(HEARD)
    page.locator("#workbench input[name=sigma]").press("ArrowLeft")
    page.wait_for_timeout(1500)  # longer than it waits
    assert heard(page) == []
    lines.nth(1).fill("rho < zcdp.gaussian(sigma) * 251")
    wait_until(page, "globalThis.heard.length")
    (said,) = heard(page)
    assert said.startswith("Formula 2: ✗ fails from k = 251 on")


def test_a_link_to_other_lines_leads_to_the_first_of_them_and_says_so(lines):
    page = lines.page
    page.evaluate("""() => {
      const link = document.createElement("a");
      link.href = "#add=workbench:2~20*~20k,k";
      link.textContent = "twice";
      document.body.append(link);
    }""")
    page.get_by_role("link", name="twice").press("Enter")
    wait_until(page, "document.querySelector('.live-told').textContent")
    assert lines.nth(0).evaluate("(line) => line === document.activeElement")
    assert lines.nth(0).input_value() == "2 * k"
    assert page.locator(".live-told").inner_text().startswith("The lines of the link stand here, 2 in all.")


def test_the_script_is_small(folder):
    assert len(gzip.compress((folder / "workbench.js").read_bytes(), 9)) <= 45_000
