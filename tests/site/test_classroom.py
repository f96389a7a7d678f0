"""In front of a class: present mode, play, kept curves, saved figures, a figure alone in a frame."""

import pytest
from test_book import holding
from toolbar import press
from waiting import wait_until

FIGURE = "rdp-vs-zcdp"
VALUES = "name => document.getElementById(name).live.values"


def in_order(page):
    """The names of the page's figures, as they stand on it."""
    return page.evaluate("[...document.querySelectorAll('figure.live')].map((figure) => figure.id)")


def present(page, name):
    page.locator(f"#{name} [data-action=present]").click()
    assert page.locator("figure.live-presenting").get_attribute("id") == name


def focused(page):
    return page.evaluate("document.activeElement.name || document.activeElement.dataset.action")


def test_presenting_by_keyboard_alone(open_page):
    page = open_page(holding(FIGURE), viewport={"width": 1280, "height": 800})
    page.locator(f"#{FIGURE} [data-action=present]").focus()
    top = page.evaluate("scrollY")
    page.keyboard.press("Enter")
    assert page.locator(f"#{FIGURE}").bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 800}
    before = page.evaluate(VALUES, FIGURE)
    assert focused(page) == "sigma"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "alpha"
    page.keyboard.press("ArrowLeft")
    after = page.evaluate(VALUES, FIGURE)
    assert (after["sigma"], after["alpha"]) == (before["sigma"] + 1, before["alpha"] - 1)
    page.keyboard.press("ArrowUp")
    assert focused(page) == "sigma"
    page.keyboard.press("Escape")
    assert page.locator("figure.live-presenting").count() == 0
    assert page.evaluate("scrollY") == top
    assert focused(page) == "present"


def test_number_keys_apply_the_presets_of_the_page(open_page):
    page = open_page(holding(FIGURE))
    links = page.locator(f"a.live-set[data-figure={FIGURE}]:not(.solution *, .predict *)")
    wanted = [(link.text_content(), link.get_attribute("data-values")) for link in links.all()][:9]
    present(page, FIGURE)
    page.keyboard.press("s")
    listed = page.locator(".live-presets li").all_inner_texts()
    assert [text.split(maxsplit=1) for text in listed] == [[str(i), text] for i, (text, _) in enumerate(wanted, 1)]
    for key, (_, values) in enumerate(wanted, 1):
        page.keyboard.press(str(key))
        stands = f"Object.entries({values}).every(([name, value]) => ({VALUES})('{FIGURE}')[name] === value)"
        wait_until(page, stands)  # the sliders glide there


def test_settings_are_listed_and_keep_the_solutions_to_themselves(open_page):
    page = open_page(holding("calculator"), viewport={"width": 1280, "height": 720})
    present(page, "calculator")
    page.keyboard.press("s")
    listed = page.locator(".live-presets li")
    told = page.locator("a.live-set[data-figure=calculator]")
    solved = page.locator(":is(.solution, .predict) a.live-set[data-figure=calculator]").count()
    assert solved and listed.count() == told.count() - solved
    assert all(item.is_visible() for item in listed.all())


def test_a_number_typed_into_a_field_is_no_preset(open_page):
    page = open_page(holding(FIGURE))
    present(page, FIGURE)
    page.locator(f"#{FIGURE} .live-typed[type=text][data-for=sigma]").fill("")
    page.keyboard.type("123")
    page.keyboard.press("Enter")
    assert page.evaluate(VALUES, FIGURE) == {"sigma": 123, "alpha": 60, "delta": 1e-5, "k": 500}
    assert page.evaluate("document.activeElement.name") == "sigma"  # the next digit is a setting


def test_presenting_goes_round_the_figures_of_the_page(open_page):
    page = open_page(holding(FIGURE))
    names = in_order(page)
    present(page, names[0])
    seen = []
    for key in ["Shift+PageDown"] * len(names):
        seen.append(page.locator("figure.live-presenting").get_attribute("id"))
        page.keyboard.press(key)
    assert seen == names
    page.keyboard.press("Shift+PageUp")
    assert page.locator("figure.live-presenting").get_attribute("id") == names[-1]
    page.get_by_label("Next figure").click()
    assert page.locator("figure.live-presenting").get_attribute("id") == names[0]
    page.keyboard.press("Escape")
    assert page.locator("table.live-readings").count() == len(names)


def test_the_keyboard_stays_in_the_presented_figure(open_page):
    page = open_page(holding(FIGURE))
    present(page, FIGURE)
    outside = """() => [...document.querySelectorAll("a, button, input, select, summary, [tabindex]")]
        .filter((element) => !element.closest("figure.live-presenting"))
        .filter((element) => element.checkVisibility({ visibilityProperty: true })).length"""
    wait_until(page, f"({outside})() === 0")
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('body, figure.live-presenting *')")


def test_presenting_survives_a_reload_and_travels_in_the_link(open_page):
    page = open_page(holding(FIGURE))
    present(page, FIGURE)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**#{FIGURE}:sigma=201;present={FIGURE}:step=0")
    page.wait_for_load_state("networkidle")
    page.reload()
    assert page.locator("figure.live-presenting").get_attribute("id") == FIGURE
    assert page.evaluate(VALUES, FIGURE)["sigma"] == 201
    press(page, "link", f"#{FIGURE}")
    assert page.locator(".live-link").input_value().endswith(f"#{FIGURE}:sigma=201;present={FIGURE}:step=0")
    page.keyboard.press("Escape")  # out of the link's box
    page.keyboard.press("Escape")
    page.wait_for_url(f"**#{FIGURE}:sigma=201")


@pytest.mark.parametrize(
    "fragment", ["present=nosuch", "present=<b>", "present=", "present=__proto__", "keep=rdp-vs-zcdp:sigma=NaN"]
)
def test_a_bad_fragment_presents_and_keeps_nothing(open_page, fragment):
    page = open_page(holding(FIGURE) + "#" + fragment)
    assert page.locator("figure.live-filling, .live-ghosts").count() == 0


def test_a_figure_alone_is_the_first_thing_that_is_painted(witnessed, site):
    root = site.resolve().as_uri() + "/"
    page = witnessed(root).new_page()
    page.route("**/page.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{root}{holding(FIGURE)}?figure={FIGURE}")
    visible = "document.querySelector('article h1').checkVisibility({ visibilityProperty: true })"
    assert not page.evaluate(visible)
    page.goto(root + holding(FIGURE))
    assert page.evaluate(visible)
