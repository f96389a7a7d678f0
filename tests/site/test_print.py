"""What leaves the screen: pictures for light and dark pages, a menu that fits, and paper."""

import io
import re
from unicodedata import normalize

import pytest
from pypdf import PdfReader
from test_book import PAGES_WITH_FIGURES
from test_figure_tools import LIVE, figure, saved, values
from waiting import wait_until

from dp_lib import live

GROUND = f"""scheme => /<rect[^>]*fill="([^"]*)"/.exec(live.use('save').picture({LIVE}, scheme))[1]"""


def test_a_picture_is_saved_for_a_light_and_for_a_dark_page(show):
    page = show(figure(), color_scheme="light")
    page.add_style_tag(
        content=":root { color-scheme: light dark; --live-page: light-dark(rgb(250, 250, 250), rgb(9, 9, 9)) }"
    )
    assert page.evaluate(GROUND, "") == page.evaluate(GROUND, "light") == "rgb(250, 250, 250)"
    assert page.evaluate(GROUND, "dark") == "rgb(9, 9, 9)"
    names = [saved(page, kind)[0] for kind in ("png-light", "png-dark")]
    assert names == ["tools_sigma=2_delta=0.001_k=4.light.png", "tools_sigma=2_delta=0.001_k=4.dark.png"]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_save_menu_is_inside_the_window_wherever_its_button_is(show, width):
    page = show(figure(), viewport={"width": width, "height": 500})
    for top in (0, 200, 10_000):
        page.evaluate("top => scrollTo(0, top)", top)
        summary = page.locator(".live-menu summary")
        summary.evaluate("summary => summary.scrollIntoView({ block: 'nearest' })")
        summary.click()
        wait_until(page, "document.querySelector('.live-menu div').style.translate !== ''")
        box = page.locator(".live-menu div").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] >= 0
        page.keyboard.press("Escape")
        page.locator(".live-menu div").evaluate("list => (list.style.translate = '')")


def test_a_picture_without_a_curve_says_where_the_curves_are(show):
    curves = {"high": lambda k, sigma: k * sigma, "low": lambda k, sigma: k * sigma / 2}
    page = show(
        live.Figure(name="far", x=live.k(1, 9), y=("ε", 0.5, 9), sliders=[live.sigma(0.01, 99, at=1)], curves=curves)
    )
    note = page.locator(".live-outside")
    assert note.count() == 0
    before = page.locator("table").bounding_box()
    page.evaluate(f"{LIVE}.set({{ sigma: 99 }})")
    assert note.inner_text() == "Every curve is above the picture at this setting; the table has the values."
    assert page.locator("table").bounding_box() == before
    page.evaluate(f"{LIVE}.set({{ sigma: 0.01 }}), {LIVE}.draw()")
    assert note.inner_text() == "Every curve is below the picture at this setting; the table has the values."
    page.evaluate(f"{LIVE}.reset(), {LIVE}.draw()")
    assert note.count() == 0 and values(page) == {"sigma": 1, "k": 9}


# At its sliders' corners a figure says that no curve is in the picture exactly where no point of a curve is.
CORNERS = """() => [...document.querySelectorAll("figure.live")].flatMap(({ live }) => {
    if (!live.lines.length) return [];
    const { x: across, y: [bottom, top] } = live.data.frame;
    const drawn = ({ y }) => globalThis.live.picture.polyline(live.xs, live.along(y), live.place.y);
    const inside = () => live.lines.some((line) => drawn(line).split(/[ML]/).filter(Boolean)
        .some((point) => { const y = Number(point.split(" ")[1]); return y <= bottom + 0.01 && y >= top - 0.01; }));
    const sliders = Object.entries(live.data.sliders).filter(([, { keys }]) => !keys);
    const wrong = [];
    for (let corner = 0; corner < 2 ** Math.min(sliders.length, 5); corner++) {
        live.set(Object.fromEntries(sliders.map(([name, { low, high }], i) => [name, (corner >> i) & 1 ? high : low])));
        live.draw();
        const said = live.picture.querySelector(".live-outside") !== null;
        if (said === inside()) wrong.push(`${live.data.name}: ${JSON.stringify(live.values)}`);
    }
    live.reset();
    return wrong;
})"""


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_figure_says_so_where_all_its_curves_are_outside(visited, address):
    assert visited(address).evaluate(CORNERS) == []


ON_PAPER = "dispatchEvent(new Event('beforeprint'))"
ON_SCREEN = "dispatchEvent(new Event('afterprint'))"
# What paper shows of controls, and how bars compare.
PRINTED = """() => {
    const seen = [...document.querySelectorAll("figure.live :is(input, button, select, summary), .predict details")];
    const paper = seen.filter((element) => element.checkVisibility() && !element.matches(".live-line"));
    const shown = paper.map((element) => element.outerHTML.slice(0, 80));
    const mutely = (figure) => !/ = /.test(figure.querySelector(".live-setting").textContent);
    const unsaid = [...document.querySelectorAll("figure.live")].filter(mutely);
    const here = (link) => document.getElementById(link.dataset.figure)?.live; // not the place of one that moved
    const links = [...document.querySelectorAll("a.live-set")].filter(here);
    const after = (link) => {
        const range = new Range();
        range.selectNodeContents(link.parentNode);
        range.setStartAfter(link);
        return range.toString();
    };
    const behind = (link) => /^\\s*\\([^)]*\\)/.exec(after(link))?.[0];
    const told = (link) => link.dataset.setting ?? behind(link) ?? link.textContent;
    const mute = links.map(told).filter((words) => !/=/.test(words));
    return [...shown, ...unsaid.map((figure) => figure.id), ...mute];
}"""


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_on_paper_values_stand_in_place_of_sliders_and_answers_at_the_end(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    assert page.evaluate(PRINTED) == []
    questions, answers = page.locator(".predict").count(), page.locator(".print-answer").count()
    assert questions == answers
    page.evaluate(ON_SCREEN)
    assert page.locator(".print-answer, .live-setting, .print-only").count() == 0


on_the_first_page = pytest.mark.parametrize("address", ["chapters/index.html"])
on_gaussian_noise = pytest.mark.parametrize("address", ["chapters/gaussian_noise.html"])
on_comparing = pytest.mark.parametrize("address", ["chapters/comparing.html"])


@on_the_first_page
def test_paper_has_running_heads_page_numbers_version_and_address(visited, address):
    page = visited(address)
    title, version = page.title().split(" – ")[0], page.locator("meta[name=version]").get_attribute("content")
    found = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    pages = [normalize("NFKC", each.extract_text()) for each in found]  # its "ff" is one character
    assert len(pages) > 2
    for number, text in enumerate(pages, 1):
        assert title in text and str(number) in text.split()
    assert f"version {version}" in pages[-1] and "chapters/index.html" in pages[-1]


@on_gaussian_noise
def test_paper_says_in_which_chapter_a_theorem_of_another_page_is(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    approx = page.locator("#chapters a[href='approx.html'] span").inner_text()
    links = page.locator("article a[href^='approx.html#']").filter(has_text=re.compile(r"^Theorem \d+$"))
    behind = links.evaluate_all("all => all.map((link) => link.nextSibling.textContent)")
    assert set(behind) == {f" (chapter {approx})", f", chapter {approx}"}  # alone, and inside brackets
    assert not re.search(r"\([^)]*\(chapter", page.locator("article").inner_text())
    page.evaluate(ON_SCREEN)
    assert "(chapter " not in page.locator("article").inner_text()


@on_comparing
def test_paper_has_each_work_that_the_chapter_cites_below_it(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    cited = page.locator("article .bibtex-citation a").all_inner_texts()
    page.evaluate(ON_PAPER)
    lines = page.locator(".print-works p").all_inner_texts()
    labels = [line[1:].split("] ")[0] for line in lines]
    assert "DR14" in cited and labels == sorted(set(cited))
    (work,) = [line for line in lines if line.startswith("[DR14] ")]
    assert "The algorithmic foundations of differential privacy" in work
    page.evaluate(ON_SCREEN)
    assert page.locator(".print-works").count() == 0


def test_chapter_of_a_bound_book_does_not_repeat_its_references(open_page):
    page = open_page("chapters/comparing.html")
    page.evaluate("document.documentElement.dataset.bound = ''")
    page.evaluate(ON_PAPER)
    assert page.locator(".print-works").count() == 0 and page.locator(".print-edition").count() == 1


@on_comparing
def test_paper_says_below_the_title_what_is_open_and_what_is_left_out(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    assert "folded boxes are open" in page.locator("h1 + .print-note").inner_text()
    page.evaluate(ON_SCREEN)
    assert page.locator(".print-note").count() == 0


on_dp_sgd = pytest.mark.parametrize("address", ["chapters/dp_sgd.html"])


@on_dp_sgd
def test_paper_does_not_repeat_a_setting_that_the_text_gives_in_brackets(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    setting = "link => getComputedStyle(link, '::after').content"
    links = page.locator("a.live-set")
    assert links.filter(has_text="a small batch and a lot of noise").evaluate(setting) == "none"
    assert "d = " in links.filter(has_text="a billion weights").evaluate(setting)
    page.evaluate(ON_SCREEN)


@on_gaussian_noise
def test_on_paper_the_key_stands_beside_its_picture(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    page.set_viewport_size({"width": 673, "height": 1000})  # A4 between its margins
    figure = page.locator("figure.live:not(:has(.live-bar))").first
    picture, key = (figure.locator(part).bounding_box() for part in (".live-picture", ".live-readings"))
    assert picture["width"] == 400 and key["x"] >= picture["x"] + 400 and key["y"] < picture["y"] + picture["height"]
    box = figure.bounding_box()
    assert key["x"] + key["width"] <= box["x"] + box["width"]
    sizes = figure.locator("svg .live-x-ticks text").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert min(sizes) >= 11.5
    page.evaluate(ON_SCREEN)
    page.set_viewport_size({"width": 1280, "height": 800})


@on_the_first_page
def test_paper_leaves_out_the_keys_of_the_figures(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    page.evaluate(ON_PAPER)
    assert not page.locator("#all-controls").is_visible() and page.locator("#where-to-begin").is_visible()
    page.evaluate(ON_SCREEN)


@on_gaussian_noise
def test_displayed_formulas_are_as_large_on_paper_as_those_in_the_line(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    size = "one => getComputedStyle(one).fontSize"
    inline, displayed = page.locator("article p > math"), page.locator("div.math:not([tabindex]) > math")
    assert inline.first.evaluate(size) == displayed.first.evaluate(size)


@pytest.mark.parametrize("address", ["chapters/lessons/lesson_1.html"])
def test_a_lessons_labels_stay_with_what_they_name_on_paper(visited, address):
    page = visited(address)
    page.emulate_media(media="print")
    style = "one => { const { breakAfter, breakInside } = getComputedStyle(one); return [breakAfter, breakInside]; }"
    for name, kept in ((".slide > .step", 0), (".minutes", 0), (".say", 1), (".do", 1)):
        assert page.locator(name).first.evaluate(style)[kept] == "avoid"
