"""Sliders as people use them: what they type is understood or refused in words, and what a slider shows it holds."""

import re

import pytest
from test_book import PAGES_WITH_FIGURES
from waiting import wait_until

from dp_lib import live
from livefigures.page import formula

FIGURE = "document.querySelector('figure.live').live"


def figure():
    return live.Figure(
        name="typing",
        x=live.slider("doublings", 0, 10, at=6, integer=True, base=2, symbol="k", words="answers"),
        y=("ε", 0.01, 4000, "log"),
        sliders=[
            live.sigma(1, 20_000, at=200),
            live.delta(1e-9, 1e-3, at=1e-5),
            live.slider("digits", 5, 7, at=5, step=2, integer=True, base=0.1, symbol="δ′"),
            live.slider("rate", -12, 0, at=-7, integer=True, base=2, symbol="q"),
            live.slider("log_norm", -1, 1, at=0, step=0.5, base=10, symbol="C"),
            live.slider("share", 0.5, 1.5, at=1, step=0.25, symbol="s"),
            live.n(1, 100, at=10),
        ],
        curves={
            "ε": lambda doublings, sigma, delta, rate, n: 2**doublings * (1 + 0 * (sigma + delta + rate + n)),
            "looked up": live.Curve(
                lambda doublings, share, digits, log_norm: doublings * share + 0 * (digits + log_norm), lookup=True
            ),
        },
        marks={"spot": live.Point(x=lambda doublings: doublings, y=lambda: 1.0)},
        alt="A line.",
    )


@pytest.fixture
def page(show):
    return show(figure())


def values(page, name):
    return page.evaluate(f"name => {FIGURE}.values[name]", name)


def box(page, name):
    return page.locator(f".live-typed[type=text][data-for={name}]")


def message(page, name):
    return page.locator(f".live-slider:has([name={name}]) .live-problem").inner_text()


UNDERSTOOD = [
    ("sigma", "20'000", 20_000, "20000"),
    ("sigma", "1.234", 1.234, "1.234"),  # as the box itself writes it
    ("sigma", "1 234", 1234, "1234"),
    ("sigma", "2,5", 2.5, "2.5"),
    ("sigma", "2^-3*80", 10, "10"),
    ("sigma", "10**2", 100, "100"),
    ("delta", "10^-6", 1e-6, "1e-6"),
    ("delta", "10⁻⁶", 1e-6, "1e-6"),
    ("delta", "1e-6", 1e-6, "1e-6"),
    ("delta", "1/1000", 1e-3, "0.001"),
    ("delta", "3·10^-5", 3e-5, "3e-5"),
    ("delta", "0.01 %", 1e-4, "1e-4"),
    ("digits", "1e-7", 7, "10⁻⁷"),
    ("digits", "10^(−5)", 5, "10⁻⁵"),
    ("rate", "1/64", -6, "1/64"),
    ("rate", "2^-3", -3, "1/8"),
    ("log_norm", "3.162", 0.5, "3.162"),
    ("delta", "1/60 000", 1 / 60_000, "1.66666666667e-5"),
    ("delta", "0,001", 1e-3, "0.001"),
    ("n", "1e2", 100, "100"),
]
REFUSED = [
    ("sigma", "far", "σ must be a number from 1 to 20000, got far"),
    ("sigma", "", "σ must be a number from 1 to 20000, got nothing"),
    ("sigma", "1/0", "σ must be a number from 1 to 20000, got 1/0"),
    ("sigma", "1/2/3", "σ must be a number from 1 to 20000, got 1/2/3"),
    ("sigma", "1,2,3", "σ must be a number from 1 to 20000, got 1,2,3"),
    ("sigma", "20,000", "20,000 can be read as 20000 or as 20: type one of these"),
    ("sigma", "1.500", "1.500 can be read as 1.5 or as 1500: type one of these"),
    ("sigma", "1e400", "σ must be a number from 1 to 20000, got 1e400"),
    ("delta", "5", "δ must be a number from 1e-9 to 0.001, got 5"),
    ("digits", "5", "δ′ must be one of 10⁻⁵, 10⁻⁷, got 5"),
    ("rate", "-1", "q must be a power of 2 from 1/4096 to 1, got -1"),
    ("n", "2.5", "n must be a whole number from 1 to 100, got 2.5"),
]
ECHOED = [
    ("doublings", "1,024", 10, "1,024 is read as 1024"),
    ("n", "20,000", 20, "20,000 is read as 20"),
    ("delta", "1/60,000", 1 / 60_000, "1/60,000 is read as 1.66666666667e-5"),
]
NEAREST = [
    ("share", "0.6", 0.5, "0.5 is the nearest to 0.6 that is computed here"),
    ("rate", "0.1", -3, "1/8 is the nearest to 0.1 that is computed here"),
    ("log_norm", "3", 0.5, "3.162 is the nearest to 3 that is computed here"),
]


def enter(page, name, typed):
    box(page, name).fill(typed)
    box(page, name).press("Enter")


def test_what_people_type_is_understood_and_the_box_shows_what_is_held(page):
    for name, typed, held, shown in UNDERSTOOD:
        enter(page, name, typed)
        assert values(page, name) == held
        assert (box(page, name).input_value(), message(page, name)) == (shown, "")
        assert page.locator(f"input[name={name}]").get_attribute("aria-valuetext") == shown


def test_a_box_is_chosen_whole_when_somebody_presses_it(page):
    box(page, "sigma").click()
    wait_until(page, "getSelection().toString() === '200' || document.activeElement.selectionEnd === 3")
    page.keyboard.type("30")
    page.keyboard.press("Enter")
    assert values(page, "sigma") == 30


def test_a_phone_shows_digits_where_a_number_needs_no_minus_and_no_power(page):
    keypads = {
        name: box(page, name).get_attribute("inputmode") for name in ("n", "sigma", "delta", "rate", "doublings")
    }
    assert keypads == {"n": "numeric", "sigma": "decimal", "delta": None, "rate": None, "doublings": None}


def test_a_text_of_which_the_slider_takes_one_reading_is_read_so_and_the_message_says_it(page):
    for name, typed, held, said in ECHOED:
        enter(page, name, typed)
        assert (values(page, name), message(page, name)) == (held, said)


def test_a_wrong_entry_is_refused_at_its_box_with_what_is_allowed(page):
    for name, typed, said in REFUSED:
        before = values(page, name)
        enter(page, name, typed)
        assert (message(page, name), values(page, name)) == (said, before)
        assert box(page, name).get_attribute("aria-invalid") == "true"
        assert box(page, name).evaluate("box => box.ariaDescribedByElements[0].textContent") == said
        box(page, name).blur()
        assert message(page, name) == said  # the message stays; the box shows what the slider holds
        assert box(page, name).input_value() == page.evaluate(f"name => {FIGURE}.said(name)", name)
        assert box(page, name).get_attribute("aria-invalid") == "false"
        page.evaluate(f"{FIGURE}.reset()")
        assert message(page, name) == ""


def test_between_two_stops_the_nearest_is_taken_and_said(page):
    for name, typed, held, said in NEAREST:
        enter(page, name, typed)
        assert (values(page, name), message(page, name)) == (held, said)


def test_escape_takes_a_mistyped_entry_back_and_stays_in_present_mode(page):
    page.locator("[data-action=present]").click()
    box(page, "sigma").fill("20x")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert (box(page, "sigma").input_value(), message(page, "sigma")) == ("200", "")
    assert page.locator("figure.live-presenting").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("figure.live-presenting").count() == 0


def test_a_slider_of_exponents_shows_their_powers_everywhere(page):
    assert page.locator("thead .live-cursor").inner_text() == "64"
    assert page.locator("[data-mark=spot]").inner_text() == "k\u00a0=\u00a064, ε\u00a0=\u00a01.000"
    ticks = page.evaluate("""[...document.querySelectorAll('.live-x-ticks text')].map((tick) => tick.textContent)""")
    assert ticks == ["1", "4", "16", "64", "256", "1024"]
    ends = [text.split("\n") for text in page.locator(".live-ends").all_inner_texts()]
    assert ["10⁻⁵", "10⁻⁷"] in ends and ["1/4096", "1"] in ends and ["0.1", "10"] in ends and ["1", "1024"] in ends
    assert ["1", "20\u00a0000"] in ends  # as a text has it
    page.locator("input[name=rate]").press("ArrowRight")
    assert (values(page, "rate"), box(page, "rate").input_value()) == (-6, "1/64")
    assert "q = 1/64" in page.evaluate(f"live.use('summary').described({FIGURE})")
    page.wait_for_url("**#typing:rate=-6")  # in links it is what it was
    page.evaluate(f"{FIGURE}.set({{ doublings: 3 }})")
    assert page.locator("thead .live-cursor").inner_text() == "8"
    assert page.locator("[data-mark=spot]").inner_text() == "k\u00a0=\u00a08, ε\u00a0=\u00a01.000"


def test_shift_is_ten_stops_and_home_and_end_are_the_ends(page):
    sigma = page.locator("input[name=sigma]")
    sigma.press("Shift+ArrowRight")
    assert values(page, "sigma") == 210
    sigma.press("Shift+ArrowLeft")
    sigma.press("Shift+ArrowDown")
    assert values(page, "sigma") == 190
    sigma.press("PageUp")
    assert values(page, "sigma") == 200
    delta = page.locator("input[name=delta]")
    delta.press("Shift+ArrowUp")
    assert values(page, "delta") == 1e-4
    sigma.press("End")
    assert values(page, "sigma") == 20_000
    sigma.press("Home")
    assert values(page, "sigma") == 1
    page.locator("[data-action=present]").click()
    sigma.press("Shift+ArrowUp")  # without it the arrow goes to the next slider
    assert values(page, "sigma") == 11


def test_letters_press_the_buttons_and_h_shows_them_all(page):
    sigma = page.locator("input[name=sigma]")
    sigma.press("k")
    assert page.evaluate(f"live.use('pin').pinsOf({FIGURE}).length === 1")
    sigma.press("End")
    sigma.press("R")
    assert values(page, "sigma") == 200
    before = page.evaluate("document.querySelector('figure.live').getBoundingClientRect().toJSON()")
    sigma.press("h")
    keys = page.locator(".live-help")
    assert keys.is_visible() and "with Shift ten" in keys.inner_text()
    assert page.evaluate("document.activeElement.matches('.live-help')")  # so that it is read
    assert page.evaluate("document.querySelector('figure.live').getBoundingClientRect().toJSON()") == before
    page.set_viewport_size({"width": 320, "height": 256})
    window = keys.bounding_box()
    assert window["y"] >= 0 and window["y"] + window["height"] <= 256
    page.keyboard.press("ArrowDown")
    wait_until(page, "document.querySelector('.live-help').scrollTop > 0")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("Escape")
    assert not keys.is_visible() and page.evaluate("document.activeElement.name") == "sigma"
    sigma.press("f")
    assert page.locator("figure.live-presenting").count() == 1
    box(page, "sigma").fill("")
    page.keyboard.type("krfh")
    assert box(page, "sigma").input_value() == "krfh"
    assert page.locator("figure.live-presenting").count() == 1 and not keys.is_visible()


# ---- every slider of the book

# Of each range input: its name, how far the fill ends from the thumb's middle in pixels, and what is said of its ends.
SLIDERS = """() => [...document.querySelectorAll("figure.live input[type=range]")].map((range) => {
    const { live } = range.closest("figure.live");
    const slider = live.data.sliders[range.name];
    const name = `${live.data.name} ${range.name}`;
    const row = range.closest(".live-slider");
    const said = (end) => end.value ?? end.textContent.replace(/(?<=\\d)\u00a0(?=\\d{3})/g, ""); // 1 000 000
    const ends = [...row.querySelectorAll(".live-ends :is(span, input)")].map(said);
    const share = () => Number(range.style.getPropertyValue("--live-share"));
    const place = () => (range.value - range.min) / (range.max - range.min);
    const wrong = [];
    const [low, high] = [slider.low, slider.high].map((value) => globalThis.live.numbers.said(value, slider.base));
    if (!(ends[0] === low || ends[0] === `${low}\u00a0← more private`)) wrong.push(`${name}: low end ${ends[0]}`);
    if (!(ends[1] === high || ends[1] === `more private →\u00a0${high}`)) wrong.push(`${name}: high end ${ends[1]}`);
    if (ends.join().split("more private").length > 2) wrong.push(`${name}: two private ends`);
    if (/log|minus/.test(row.querySelector("label").textContent)) wrong.push(`${name}: a logarithm`);
    const tried = [0, 0.13, 0.37, 0.5, 0.83, 1].map((part) => globalThis.live.sliders.valueAt(slider, part));
    for (const value of [slider.at, ...tried]) {
        live.set({ [range.name]: value });
        if (Math.abs(share() - place()) > 1e-9) wrong.push(`${name} at ${value}: fill ${share()}, thumb ${place()}`);
        const shown = globalThis.live.numbers.held(globalThis.live.numbers.understood(
        row.querySelector(".live-typed").value), slider.base);
        const held = live.values[range.name];
        if (Math.abs(shown - held) > 2e-4 * Math.abs(held)) wrong.push(`${name} at ${held}: its box shows ${shown}`);
    }
    live.reset();
    return wrong;
}).flat()"""


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_slider_shows_its_ends_and_what_it_holds(visited, address):
    assert visited(address).evaluate(SLIDERS) == []


READ = """() => [...document.querySelectorAll("body *:not(script, style, desc)")].flatMap((element) => [
  element.matches("[type=text]") ? element.value : "", element.ariaValueText ?? "", element.dataset.text ?? "",
  ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)])"""


@pytest.mark.parametrize(("name", "curve"), [("k0", lambda k0, t: k0**2 * t), ("k_0", lambda k_0, t: k_0**2 * t)])
def test_a_number_stands_in_a_formula_for_a_symbol_with_an_index_and_a_power(name, curve, show):
    growth = live.Figure(
        name="growth",
        x=live.slider("t", 0, 9, at=5),
        y=("y", 0, 99),
        sliders=[live.slider(name, 1, 3, at=2)],
        curves={"line": curve},
        formulas={"line": r"\frac{k_0^{2} t}{1}"},
    )
    assert list(formula.incomplete(growth)) == []
    page = show(growth)
    page.locator(".live-formulas summary").click()
    written = page.locator(".live-numbers").text_content()
    assert "k" not in written and written.startswith("2") and "5" in written


def test_number_below_zero_has_a_minus_sign_where_it_is_read_and_a_hyphen_where_it_is_typed(show):
    below = live.Figure(
        name="below",
        x=live.slider("t", -3, 3, at=-1.5, step=0.5),
        y=("height", -20, 0),
        sliders=[live.slider("a", -2, -1, at=-2, step=0.25)],
        curves={"line": live.Curve(lambda a, t: -9 + a * t, label="up")},
        marks={"spot": live.Point(x=lambda a: a, y=-1, label="here"), "level": live.Line(y=lambda a: 4 * a)},
        formulas={"line": "h = a t - 9"},
        caption="A line.",
        alt="A line.",
    )
    text, values_ = "At -1.5 it is lower.", '{"t": -1.5}'
    link = f"<a class='live-set' href='#below' data-figure='below' data-values='{values_}'>{text}</a>"
    page = show(below, after=link)
    page.locator(".live-formulas summary").click()
    page.locator("a.live-drag").press("ArrowRight")
    for typed in ("-1.25", "−1.25"):
        page.evaluate(f"{FIGURE}.set({{ a: -1 }})")
        enter(page, "a", typed)
        assert (values(page, "a"), box(page, "a").input_value()) == (-1.25, "−1.25")
    enter(page, "t", "-4")
    assert message(page, "t") == "t must be a number from −3 to 3, got -4"
    box(page, "t").press("Escape")
    seen = " | ".join(page.evaluate(READ))
    assert [seen.count(f"−{number}") > 0 for number in ("1", "1.25", "2", "3", "5", "20", "7.750")] == [True] * 7
    assert re.findall(r".{9}-\d.{9}", seen) == []
    wait_until(page, "location.hash === '#below:a=-1.25,t=-1'")
