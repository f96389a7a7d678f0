"""Curves' names in the text: they look like their curve, light it, give no answer away, and are of what exists."""

import pytest
from small_book import build, environment  # noqa: F401 - a fixture of every test here

import livefigures as lf
from dp_lib import live  # noqa: F401 - which names the colours of the book
from livefigures.declare.colours import DARK, WHITE, contrast, known
from livefigures.page import page as live_page

WORDS = "See {curve}`fast <growth>` and {curve}`the slow one <growth: slow & sure>`."
ALL = (
    "{curve}`fast <growth>` {curve}`the slow one <growth: slow & sure>` {curve}`dots <growth: thin>` "
    "{curve}`both <growth: a > b>` {curve}`the level <growth: level>` {curve}`the spot <growth: spot>` "
    "{curve}`the strip <growth: strip>`"
)
QUESTION = """```{predict} Which is higher?
:choices: the fast one | the slow one
:answer: 1
:stays: slow & sure

The fast one.
```
"""


def figure(name="growth"):
    made = lf.Figure(
        name=name,
        x=lf.slider("x", 0, 10, at=5),
        y=("y", 0, 100),
        sliders=[lf.slider("a", 1, 5, at=2)],
        curves={
            "fast": lf.Curve(lambda x, a: a * x, colour="cycle-1"),
            "slow & sure": lf.Curve(lambda x: x / 2, colour="cycle-2", dash="dashed"),
            "thin": lf.Curve(lambda x: x / 3, colour="cycle-3", dash="dotted"),
            "a > b": lf.Curve(lambda x: x / 4, colour="cycle-4", dash="dashdot"),
        },
        marks={
            "level": lf.Line(y=lambda: 50.0, colour="neutral"),
            "spot": lf.Point(x=lambda: 3.0, y=lambda: 3.0, colour="neutral"),
            "strip": lf.Band(low=lambda x: 0 * x, high=lambda x: x, colour="neutral"),
        },
        caption="Lines.",
        alt="Lines.",
    )
    return f"```{{raw}} html\n{live_page.html(made)}\n```\n"


@pytest.fixture
def book(tmp_path, witnessed):
    """Opens a page with this text below the figure."""

    def open_(text, above="", **options):
        output, status, warnings = build(tmp_path, {"index": f"# Page\n\n{above}\n{figure()}\n{text}"})
        assert (status, warnings) == (0, "")
        page = witnessed(output.as_uri() + "/", **options).new_page()
        page.goto(output.as_uri() + "/index.html")
        return page

    return open_


# -- the role


def test_a_name_has_the_look_of_its_curve_or_mark(tmp_path):
    output, status, warnings = build(tmp_path, {"index": f"# Page\n\n{figure()}\n{ALL} {{curve}}`fast`"})
    assert (status, warnings) == (0, "")
    text = (output / "index.html").read_text("utf-8")
    told = 'data-figure="growth" data-part="'
    for look, part, words in [
        ("cycle-1 live-dash-solid", "fast", "fast"),
        ("cycle-2 live-dash-dashed", "slow &amp; sure", "the slow one"),
        ("cycle-3 live-dash-dotted", "thin", "dots"),
        ("cycle-4 live-dash-dashdot", "a &gt; b", "both"),
        ("neutral live-dash-dashed", "level", "the level"),
        ("neutral live-mark", "spot", "the spot"),
        ("neutral live-area", "strip", "the strip"),
    ]:
        assert f'<span class="live-name live-colour-{look}" {told}{part}">{words}</span>' in text
    assert text.count(f'{told}fast">fast</span>') == 2  # without its figure too, since the page has no other
    assert "live-names.js" in text


def test_a_page_without_names_asks_for_no_script_of_theirs(tmp_path):
    output, _, _ = build(tmp_path, {"index": f"# Page\n\n{figure()}"})
    assert "live-names.js" not in (output / "index.html").read_text("utf-8")


def test_without_html_a_name_is_its_words(tmp_path):
    output, status, _ = build(tmp_path, {"index": f"# Page\n\n{figure()}\n{WORDS}"}, builder="text")
    assert status == 0 and "See fast and the slow one." in (output / "index.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("best <growth>", "'growth' has no curve or mark 'best'; it has: fast, slow & sure, thin, a > b, level, spot"),
        ("the best <growth: best>", "'growth' has no curve or mark 'best'; it has: fast, slow & sure"),
        ("fast <waves>", "the page index has no live figure 'waves'; it has: growth"),
        ("fast <growth: >", "expected name of a curve <figure-name>, or words <figure-name: name of a curve>, got"),
        ("<growth>", "expected name of a curve <figure-name>"),
    ],
)
def test_a_name_of_nothing_fails_the_build_at_its_line_and_says_what_exists(text, complaint, tmp_path):
    _, status, warnings = build(tmp_path, {"index": f"# Page\n\n{figure()}\nA line.\n\n{{curve}}`{text}`"})
    lines = figure().count("\n") + 6
    assert status == 1
    assert f"index.md:{lines}: " in warnings and f"curve: {complaint}" in warnings


def test_of_two_figures_the_author_says_which(tmp_path):
    text = f"# Page\n\n{figure()}\n{figure('waves')}\n{{curve}}`fast`"
    _, status, warnings = build(tmp_path, {"index": text})
    assert status == 1
    assert "curve: say of which figure 'fast' is a curve, as in fast <growth>: growth, waves" in warnings


def test_a_name_in_a_figure_whose_cell_failed_is_no_second_mistake(tmp_path):
    failed = '```{raw} html\n<div class="output traceback"><pre>NameError: name</pre></div>\n```\n'
    cell = '<!--\n```{code-cell} python\nmade("growth")\n```\n-->\n'  # which no kernel runs here
    _, status, warnings = build(tmp_path, {"index": f"# Page\n\n{failed}\n{cell}\n{WORDS}"})
    assert (status, warnings) == (0, "")


def test_names_of_an_unchanged_page_are_checked_again(tmp_path):
    pages = {"index": f"# Page\n\n{figure()}\n{{curve}}`best <growth>`"}
    assert build(tmp_path, pages)[1] == 1
    assert "no curve or mark 'best'" in build(tmp_path, pages)[2]


# -- on the page

LIT = "[...document.querySelectorAll('.live-curve.live-lit')].map((curve) => curve.id)"


def test_pointed_at_a_name_lights_its_curve_and_a_click_keeps_it(book):
    page = book(WORDS)
    page.get_by_text("the slow one").hover()
    assert page.evaluate(LIT) == ["growth--curve-1"]
    assert page.locator(".live-tip").text_content() == "slow & sure: 2.500 at x = 5"
    page.locator("h1").hover()
    assert page.evaluate(LIT) == []
    page.get_by_text("the slow one").click()
    page.locator("h1").hover()
    assert page.evaluate(LIT) == ["growth--curve-1"]
    page.get_by_text("the slow one").click()
    page.locator("h1").hover()
    assert page.evaluate(LIT) == []


def test_a_mark_puts_all_curves_behind(book):
    page = book(ALL)
    page.get_by_text("the level").hover()
    assert page.locator(".live-picking .live-line.live-lit").count() == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.live-curve')).opacity") == "0.2"


def test_on_a_phone_a_tap_lights_a_curve_and_a_second_one_gives_it_back(book):
    page = book(WORDS, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_text("the slow one").tap()
    assert page.evaluate(LIT) == ["growth--curve-1"]
    page.get_by_text("the slow one").tap()
    page.locator("h1").tap()
    assert page.evaluate(LIT) == []


def test_the_keyboard_lights_one_curve_after_the_other_and_no_word_is_a_tab_stop(book):
    page = book(WORDS)
    assert page.evaluate("[...document.querySelectorAll('.live-name')].map((word) => word.tabIndex)") == [-1, -1]
    page.locator("[type=range]").first.focus()
    seen = []
    for _ in range(5):
        page.keyboard.press("n")
        seen.append((page.evaluate(LIT), page.locator(".live-status").text_content()))
    assert seen == [
        (["growth--curve-0"], "fast in front: 10.00"),
        (["growth--curve-1"], "slow & sure in front: 2.500"),
        (["growth--curve-2"], "thin in front: 1.667"),
        (["growth--curve-3"], "a > b in front: 1.250"),
        ([], "All curves in front"),
    ]


def test_in_front_of_a_class_the_letter_means_the_notes(book):
    page = book(WORDS, above=QUESTION)
    page.get_by_text("Show it without answering").click()
    page.locator("[data-action=present]").click()
    page.keyboard.press("n")
    assert page.locator('[data-action="notes"][aria-pressed="true"]').count() == 1 and page.evaluate(LIT) == []


def test_while_a_question_waits_a_name_gives_nothing_away(book):
    page = book(f"## Names\n\n{WORDS}", above=QUESTION)
    for act in ("hover", "click"):
        getattr(page.get_by_text("fast", exact=True).last, act)()
        assert page.locator(".live-picking, .live-lit").count() == 0
    page.get_by_text("the slow one").last.hover()  # it stays
    assert page.evaluate(LIT) == ["growth--curve-1"]
    page.get_by_label("the fast one").check()
    page.get_by_text("Commit to this answer").click()
    page.get_by_text("fast", exact=True).last.hover()
    assert page.evaluate(LIT) == ["growth--curve-0"]


PAINTED = """(property) => [...document.querySelectorAll('.live-name')].map((word) => {
    const pen = document.createElement('canvas').getContext('2d');
    pen.fillStyle = getComputedStyle(property === 'color' ? word : word.parentNode)[property];
    pen.fillRect(0, 0, 1, 1);
    return '#' + [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((v) => v.toString(16).padStart(2, 0)).join('');
})"""


@pytest.mark.parametrize(("scheme", "ground", "text"), [("light", WHITE, "#323232"), ("dark", DARK, "#ced6dd")])
def test_names_of_every_colour_can_be_read_on_a_page_and_in_a_question(scheme, ground, text, show):
    words = "".join(f'<span class="live-name live-colour-{name}">x</span>' for name in known())
    page = show(after=f"<main>{words}</main>")
    page.evaluate("document.querySelector('main').after(document.querySelector('main').cloneNode(true))")
    page.evaluate("document.querySelector('main + main').className = 'predict'")
    colours = f"--pst-color-background: {ground}; --pst-color-text-base: {text}"
    page.add_style_tag(content=f":root {{ color-scheme: {scheme}; {colours} }} main {{ background: {ground} }}")
    inks, grounds = page.evaluate(PAINTED, "color"), page.evaluate(PAINTED, "backgroundColor")
    assert len(inks) == 2 * len(known()) > 20 and len(set(grounds)) == 2 and ground in grounds
    assert min(contrast(*pair) for pair in zip(inks, grounds, strict=True)) >= 4.5


def test_colours_are_there_without_scripts_and_forced_colours_leave_the_name(book):
    page = book(WORDS, java_script_enabled=False)
    style = "getComputedStyle(document.querySelector('.live-name'))"
    assert page.get_by_text("the slow one").evaluate("word => getComputedStyle(word).color") == "rgb(179, 64, 15)"
    page.emulate_media(media="print")
    assert "gradient" in page.get_by_text("the slow one").evaluate("word => getComputedStyle(word).backgroundImage")
    page.emulate_media(media="screen", forced_colors="active")
    assert page.evaluate(f"[{style}.backgroundImage, {style}.paddingLeft]") == ["none", "0px"]
