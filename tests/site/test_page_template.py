"""The page around a chapter: what it weighs, what it holds, what its buttons do."""

import re

import pytest
from conftest import SITE
from docutils.core import publish_doctree
from docutils.nodes import document
from test_page_weight import OTHERS, PAGES, text_of
from test_site import READS_ALL, facts_of
from waiting import wait_until

from book.theme import pages as shell

LONG, SYMBOLS = "chapters/rdp.html", "chapters/symbols.html"
on_long = pytest.mark.parametrize("address", [LONG])
on_symbols = pytest.mark.parametrize("address", [SYMBOLS])
NARROW = {"width": 390, "height": 844}
TOUCH = {"viewport": NARROW, "has_touch": True, "is_mobile": True}
LOW = [{"width": 844, "height": 390}, {"width": 320, "height": 256}]  # a phone that lies down, and 400 %


# -- what a page says of itself


def descriptions(page):
    return re.findall(r'<meta [^>]*name="description"[^>]*>', text_of(page))


def test_chapters_describe_themselves_and_not_the_book():
    chapters = [page for page in PAGES if not page.endswith("references.html")]
    assert len({tag for page in chapters for tag in descriptions(page)}) == len(chapters)


def test_description_is_the_first_plain_paragraph():
    source = "Title\n=====\n\n.. note:: a note that is no running text, however long it may go on and on and on\n\n"
    source += "Here :math:`x` is a formula, which no search engine shows as a reader would like to see it.\n\n"
    source += "This is the first paragraph that is long enough, plain, and part of the running text.\n"
    tree: document = publish_doctree(source, settings_overrides={"doctitle_xform": False})
    assert shell.first_paragraph(tree).startswith("This is the first")


# -- the title


COVERED = """() => {
  const cell = document.querySelector("h1 + .cell"), below = cell?.nextElementSibling;
  return cell ? cell.getBoundingClientRect().bottom - below.getBoundingClientRect().top : 0;
}"""


@pytest.mark.parametrize("address", PAGES)
def test_code_beside_the_title_covers_no_text(address, visited):
    assert visited(address).evaluate(COVERED) <= 1


# -- where one is


@on_long
def test_side_bar_has_the_books_parts_and_numbers_its_chapters(address, visited):
    nav = visited(address).locator("#chapters")
    captions = nav.locator("p").all_inner_texts()
    assert [caption.split()[0] for caption in captions] == ["I", "II", "III", "IV", "V", "VI"][: len(captions)]
    numbers = nav.locator("li span").all_inner_texts()
    chapters = [page for page in PAGES if "/lessons/" not in page]
    assert numbers == [str(number) for number in range(1, len(chapters))]
    assert nav.locator("[aria-current=page]").get_attribute("href") == "#"


@pytest.mark.parametrize("address", ["chapters/teaching.html", "chapters/lessons/lesson_3.html"])
def test_side_bar_lists_the_lessons_beside_their_plan(address, visited):
    numbers = visited(address).locator("#chapters li span").all_inner_texts()
    assert numbers == [str(number) for number in range(1, len(PAGES))]


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, NARROW])
def test_contents_mark_the_section_that_one_jumps_to_and_it_is_in_view(size, open_page):
    page = open_page(LONG, viewport=size)
    links = [link for link in page.locator("#contents a").all() if link.get_attribute("href") != "#"]
    opener = page.locator(".bar [popovertarget=contents]")
    for link in [*links[::4], links[-1], links[1]]:
        if opener.is_visible():
            opener.click()
        link.click()
        place = link.get_attribute("href")[1:]
        marked = "place => document.querySelector('#contents [aria-current]')?.hash === `#${place}`"
        wait_until(page, marked, arg=place)
        assert page.evaluate("location.hash") == f"#{place}"
        top = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", place)
        assert 0 <= top <= 110 or page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")


@pytest.mark.parametrize("width", [390, 1280])
def test_address_with_a_place_opens_at_that_place(width, open_page):
    places = re.findall(r'<section id="([^"]+)"', text_of(LONG))
    page = open_page(f"{LONG}#{places[-2]}", viewport={"width": width, "height": 800})
    in_view = (
        "id => { const { top } = document.getElementById(id).getBoundingClientRect(); return top >= 0 && top < 200; }"
    )
    wait_until(page, in_view, arg=places[-2])


def test_browser_finds_words_that_are_far_below(open_page):
    page = open_page(LONG)
    assert (
        page.evaluate("find('Further reading', true)")
        and page.evaluate("scrollY") == 0
        or page.evaluate("scrollY > 3000")
    )


def test_place_in_a_chapter_is_kept_and_offered(open_page):
    page = open_page(LONG, viewport={"width": 1600, "height": 900})
    link = page.locator("#contents a").nth(5)
    link.click()
    name, place = link.inner_text(), link.get_attribute("href")
    page.locator("#chapters a[href='zcdp.html']").click()
    page.wait_for_url("**/zcdp.html")
    assert page.locator(".resume").count() == 0
    page.locator("#chapters a[href='rdp.html']").click()
    page.wait_for_url("**/rdp.html")
    offer = page.locator(".resume a")
    assert name in offer.inner_text()
    offer.click()
    assert page.evaluate("location.hash") == place and page.locator(".resume").count() == 0


@on_long
def test_the_first_heading_is_the_title(address, visited):
    assert visited(address).locator("h1, h2, h3").first.evaluate("one => one.tagName") == "H1"


@pytest.mark.parametrize("address", ["chapters/comparing.html", "chapters/composition.html"])
def test_back_leads_to_the_same_place(address, open_page):
    page = open_page(address, **TOUCH)
    link = page.locator("article a[href*='.html#']:visible").nth(3)
    link.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    top = "one => Math.round(one.getBoundingClientRect().top)"
    before = link.evaluate(top)
    page.goto(f"{SITE.as_uri()}/{LONG}")
    page.go_back()
    page.wait_for_timeout(500)  # the place is held for some frames
    assert abs(link.evaluate(top) - before) <= 1


@pytest.mark.parametrize("place", ["gaussian_noise.html#thm-classic", "#thm-laplace-vector"])
def test_a_tap_shows_a_statement_and_leads_there_only_if_asked(place, open_page):
    page = open_page("chapters/comparing.html", **TOUCH)
    link, sheet = page.locator(f"article a[href='{place}']:visible").first, page.locator("#sheet")
    for _ in range(2):  # again after it has been closed
        link.tap()
        sheet.locator("math").first.wait_for()
        assert sheet.locator(".admonition-title").inner_text().startswith(f"{link.inner_text()} (")
        assert page.url.endswith("comparing.html")
        assert min(sheet.locator("> button, > a").evaluate_all("all => all.map((one) => one.offsetHeight)")) >= 44
        sheet.get_by_role("button", name="Close").tap()
        assert not sheet.is_visible()
    link.tap()
    sheet.get_by_role("link", name="Go there").tap()
    page.wait_for_url(f"**/*{place}")


def test_a_mouse_follows_a_link_to_a_statement(open_page):
    page = open_page("chapters/comparing.html")
    page.locator("article a[href='gaussian_noise.html#thm-classic']:visible").first.click()
    page.wait_for_url("**/gaussian_noise.html#thm-classic")


@on_long
def test_bar_of_a_phone_has_the_title_of_the_page(address, visited):
    page = visited(address, viewport=NARROW)
    title = page.locator(".this-page")
    assert title.inner_text() == page.title().split(" – ")[0] and not page.locator(".brand").is_visible()
    assert title.evaluate("one => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth")


@on_long
def test_bar_does_not_stay_in_a_very_low_window(address, visited):
    page = visited(address, viewport=LOW[1])
    page.evaluate("scrollTo(0, 900)")
    assert page.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom") < 0


# -- light


GROUND = "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)[0]"


@pytest.mark.parametrize("script", [True, False])
def test_light_is_the_systems_with_and_without_javascript(script, open_page):
    for scheme, dark in (("light", False), ("dark", True)):
        page = open_page("chapters/accounting_compared.html", color_scheme=scheme, java_script_enabled=script)
        ground = page.locator("html").evaluate("one => getComputedStyle(one).backgroundColor")
        assert (int(re.findall(r"\d+", ground)[0]) < 60) is dark
        curve = page.locator(".live-colour-rdp path").first.evaluate("one => getComputedStyle(one).stroke")
        assert (int(re.findall(r"\d+", curve)[1]) > 150) is dark


def test_chosen_light_is_kept_for_the_next_page_until_it_is_the_systems_again(open_page):
    page = open_page("chapters/index.html", color_scheme="light", own=True)
    button = page.get_by_role("button", name="Dark colours")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert page.evaluate(GROUND) < 60 and button.get_attribute("aria-pressed") == "true"
    page.add_init_script(
        "new MutationObserver(() => (window.first ??= document.documentElement.dataset.theme))"
        ".observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-theme'] })"
    )
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("[data-do=light]").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") is None


# -- menus and folds


@pytest.mark.parametrize("script", [True, False])
def test_menus_of_a_phone_open_with_and_without_javascript(script, open_page):
    page = open_page(LONG, viewport=NARROW, java_script_enabled=script)
    for menu in ("chapters", "contents", "page-menu"):
        assert not page.locator(f"#{menu}").is_visible()
        page.locator(f".bar [popovertarget={menu}]").click()
        assert page.locator(f"#{menu} a").first.is_visible()
        page.keyboard.press("Escape")
        assert not page.locator(f"#{menu}").is_visible()


@pytest.mark.parametrize("menu", ["chapters", "contents"])
def test_drawer_opens_at_the_entry_that_is_read_and_has_a_button_that_closes_it(menu, open_page):
    page = open_page(SYMBOLS, **TOUCH)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    opener = page.locator(f".bar [popovertarget={menu}]")
    place = opener.bounding_box()
    opener.click()
    current = page.locator(f"#{menu} [aria-current]")
    in_view = "one => { const { top, bottom } = one.getBoundingClientRect(); return top > 0 && bottom < innerHeight; }"
    wait_until(page, f"({in_view})(document.querySelector('#{menu} [aria-current]'))")
    assert current.bounding_box()["height"] >= 44
    if menu == "chapters":  # where the finger is
        page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    else:
        page.locator(f"#{menu} .close").tap()
    wait_until(page, f"!document.getElementById('{menu}').matches(':popover-open')")
    assert page.url.endswith("symbols.html")


@pytest.mark.parametrize("script", [True, False])
def test_proofs_and_solutions_open_with_and_without_javascript(script, open_page):
    page = open_page(LONG, java_script_enabled=script)
    for kind in ("details.fold:not(.code, .solution)", "details.solution"):
        fold = page.locator(kind).first
        fold.locator("summary").click()
        assert fold.get_attribute("open") is not None and fold.locator("p").first.is_visible()


def test_print_and_full_screen_are_in_the_pages_menu(open_page):
    page = open_page("chapters/index.html")
    page.evaluate("window.print = () => (window.printed = true)")
    page.locator("[popovertarget=page-menu]").click()
    page.locator("[data-do=print]").click()
    assert page.evaluate("window.printed") is True
    for state in ("document.fullscreenElement === document.documentElement", "document.fullscreenElement === null"):
        page.locator("[popovertarget=page-menu]").click()
        page.locator("[data-do=fullscreen]").click()
        wait_until(page, state)


def test_notebook_is_offered_where_there_is_one():
    offered = re.findall(r'<a href="([^"]*\.ipynb)" download>', text_of(LONG))
    assert offered and (SITE / "chapters" / offered[0]).resolve().exists()
    assert ".ipynb" not in text_of("chapters/references.html").split("</header>")[0]


# -- code and wide tables


def test_code_is_copied(witnessed):
    context = witnessed(SITE.as_uri(), permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{SITE.as_uri()}/{LONG}")
    block = page.locator("article .highlight:visible").first
    block.hover()
    block.locator(".copy").click()
    wait_until(page, "[...document.querySelectorAll('.copy')].some((one) => one.textContent === 'Copied')")
    assert page.locator("body > [role=status]").inner_text().startswith("Copied: ")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == block.locator("pre").inner_text().strip()


@pytest.mark.parametrize("address", ["chapters/desk.html"])
def test_the_name_of_a_copy_button_does_not_say_all_that_it_copies(address, visited):
    page = visited(address)
    names = page.locator(".copy").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert names and max(map(len, names)) < 80
    code = page.locator("pre").evaluate_all("all => all.map((one) => one.textContent)")
    words = {word for text in code for word in text.split()}
    assert {name.split()[-1] for name in names if name.startswith("Copy from ")} <= words  # none is cut within a word


def test_copy_buttons_have_a_name_each_and_are_seen_where_nothing_hovers(open_page):
    page = open_page(LONG, **TOUCH)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    buttons = page.locator(".copy")
    names = buttons.evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert len(set(names)) > 0.9 * len(names) > 0 and all(name.startswith("Copy ") for name in names)
    assert buttons.first.evaluate("one => getComputedStyle(one).opacity") == "1"
    box, code = buttons.first.bounding_box(), page.locator(".highlight:has(.copy) pre").first.bounding_box()
    assert box["height"] >= 44 and box["y"] >= code["y"] + code["height"] - 1


@on_long
def test_headings_are_read_without_the_sign_of_their_link(address, visited):
    page = visited(address)
    assert page.locator(".headerlink").count() > 5
    assert page.locator(".headerlink:not([aria-hidden=true][tabindex='-1'])").count() == 0
    page.get_by_role("heading", name="Further reading", exact=True).wait_for()


@pytest.mark.parametrize("address", [SYMBOLS, LONG])
def test_names_in_tables_break_at_dots_and_underscores_alone(address, visited):
    torn = """all => all.filter((code) => [...code.childNodes].some((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return !/\\s/.test(part.data ?? " ") && range.getClientRects().length > 1;
    })).map((code) => code.textContent)"""
    page = visited(address, viewport=NARROW)
    assert page.locator("td code").evaluate_all(torn) == []


@pytest.mark.parametrize("address", ["chapters/index.html"])
def test_the_front_page_of_a_phone_has_the_books_name_and_a_card_for_each_reader(address, visited):
    page = visited(address, viewport=NARROW)
    assert page.locator(".brand").is_visible()
    cells = page.locator("#where-to-begin td")
    assert cells.count() > 9 and min(box["width"] for box in [cells.nth(i).bounding_box() for i in range(9)]) > 300


@pytest.mark.parametrize(
    ("address", "boxes"),
    [(f"chapters/{name}.html", ".scroll, div.math") for name in ("composition", "comparing")]
    + [("chapters/profiles.html", "#summary .scroll")],
)
def test_tables_and_formulas_of_a_phone_fit(address, boxes, visited):
    page = visited(address, viewport=NARROW)
    wide = """all => all.filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.innerText.slice(0, 60))"""
    assert page.locator(boxes).evaluate_all(wide) == []
    widths = page.locator("#summary td").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert all(width > 300 for width in widths)  # the question above its answer


@pytest.mark.parametrize("address", ["chapters/labs/publish_a_table.html"])
def test_code_of_a_lab_fits_a_phone_and_is_copied_as_it_is(address, visited):
    page = visited(address, viewport=NARROW)
    blocks = page.locator("pre:visible")
    assert max(blocks.evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)")) <= 1
    block = page.locator("pre:has(.i4):visible").first
    selected = "one => { getSelection().selectAllChildren(one); return getSelection().toString(); }"
    assert block.evaluate(selected).strip() == block.text_content().strip()


@pytest.mark.parametrize("text", ["100 000", "-10 000", "1 048 576", "100\u00a0000"])
def test_a_long_number_stays_on_its_line_and_code_stays_as_it_is(text):
    tree: document = publish_doctree(f"{text} times, ``{text}``, in 1990 100, 0.5 100\n")
    shell.hold_thousands(tree)
    held = re.sub("[ \u00a0]", "\u202f", text)
    assert tree.astext().strip() == f"{held} times, {text}, in 1990 100, 0.5 100"


@on_symbols
def test_what_is_wider_than_a_phone_has_a_shade_and_scrolls_by_keyboard_and_nothing_else_is_a_stop(address, visited):
    page = visited(address, viewport=NARROW)
    stops = """() => [...document.querySelectorAll(".scroll")]
        .map((box) => [box.scrollWidth > box.clientWidth + 1, box.tabIndex])"""
    page.evaluate("for (const box of document.querySelectorAll('.scroll')) box.scrollIntoView()")
    wait_until(page, f"({stops})().every(([wide, stop]) => wide === (stop === 0))")
    assert any(wide for wide, _ in page.evaluate(stops))
    shade = page.locator(".scroll[tabindex]").first.evaluate("one => getComputedStyle(one).backgroundImage")
    assert "linear-gradient" in shade
    names = page.locator("[role=group][tabindex]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert set(names) >= {"Table, wider than its box"}


@READS_ALL
def test_a_page_says_which_scripts_stand_inside_it():
    assert not any(facts_of(SITE / page).inline_scripts for page in PAGES + OTHERS)
