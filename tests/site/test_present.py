"""In front of a class: what the back row reads, on projectors and on a phone; steps, notes, keys, the full screen."""

import re
from html import unescape

import pytest
import toolbar
from conftest import SITE
from test_book import PAGES_WITH_FIGURES, holding
from waiting import wait_until

from dp_lib import live

MAIN, HOME = "rdp-vs-zcdp", "chapters/accounting_compared.html"

# What the class reads and how high it is at least, in hundredths of the window: all that is smaller. The rest of the
# words, on buttons for the speaker, have a floor of their own.
SMALL_TYPE = """() => {
    const figure = document.querySelector("figure.live-presenting");
    const svg = figure.querySelector(".live-picture svg");
    const unit = svg.getScreenCTM().a;
    const least = (element) => element.matches("tbody td, tbody td *") ? 5
        : element.closest(".live-buttons") ? 2.5 : 3.5;
    const small = [];
    for (const element of figure.querySelectorAll("*")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!(own || element.matches("input[type=text]"))) continue;
        if (element.closest(".live-status, script, figcaption, desc, [hidden]") || !element.checkVisibility()) continue;
        const pixels = parseFloat(getComputedStyle(element).fontSize) * (svg.contains(element) ? unit : 1);
        const share = 100 * pixels / innerHeight;
        if (share < least(element)) small.push([element.textContent.slice(0, 30), share]);
    }
    return small;
}"""
# What sticks out of the window, or is cut off: a phone may scroll its readings.
CUT_OFF = """() => {
    const figure = document.querySelector("figure.live-presenting");
    const boxes = [figure, ...(innerHeight > 500 ? [figure.querySelector(".live-side")] : [])];
    const cut = boxes.filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1);
    return cut.map((box) => [box.className, box.scrollHeight, box.clientHeight, box.scrollWidth, box.clientWidth]);
}"""
# The thumbs of the sliders that stand in one row are on one line.
UNEVEN = """() => {
    const sliders = [...document.querySelectorAll("figure.live-presenting [type=range]")];
    const boxes = sliders.filter((one) => one.checkVisibility()).map((one) => one.closest(".live-slider"));
    const ends = (box) => box.querySelector("[type=range]").getBoundingClientRect().bottom;
    return boxes.filter((box, i) => i && boxes[i - 1].offsetLeft < box.offsetLeft && ends(box) !== ends(boxes[i - 1]))
        .map((box) => box.textContent);
}"""
ASKED = f"""() => {{
    const figure = document.querySelector("figure.live-presenting");
    const picture = figure.querySelector(".live-picture").getBoundingClientRect();
    const shown = [...figure.querySelectorAll("[type=range], .live-choice")].filter((one) => one.checkVisibility());
    return {{
        name: figure.id, small: ({SMALL_TYPE})(), cut: ({CUT_OFF})(), uneven: ({UNEVEN})(),
        picture: picture.height / innerHeight, controls: shown.length,
        title: figure.querySelector(".live-title > :not(.live-waiting)")?.textContent,
    }};
}}"""
# And what the picture has of the height at least. All is measured in hundredths of it: 1920 x 1080 is 1280 x 720.
SCREENS = ((1280, 720, 0.4), (844, 390, 0.9))


def three(name="three", **options):
    """A small figure of three curves and no question."""
    return live.Figure(
        name=name,
        x=live.k(1, 11, at=5),
        y=("ε, loss", 0, 30),
        sliders=[live.sigma(1, 5, at=2)],
        curves={"a": lambda k: k, "b": lambda k: 2 * k, "c": lambda k, sigma: k / sigma},
        caption="The lines of 0.5. More of them.",
        alt="Three lines.",
        **options,
    )


def in_order(page):
    return page.evaluate("[...document.querySelectorAll('figure.live')].map((figure) => figure.id)")


def present(page, name, step=None):
    """As a link does; without a step the whole figure."""
    page.evaluate(
        "([name, step]) => live.use('present').enter(document.getElementById(name).live, step ?? undefined)",
        [name, step],
    )


def faults(page, least, phone):
    """What is wrong with the figure that is presented."""
    seen = page.evaluate(ASKED)
    yield from seen["small"] + seen["cut"] + seen["uneven"]
    if seen["picture"] < least:
        yield "picture", seen["picture"]
    if not seen["title"]:
        yield "no title"
    if phone and seen["controls"] != 1:
        yield "controls", seen["controls"]


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_figure_is_readable_from_the_back_row(visited, address):
    page, found = visited(address), []
    for width, height, least in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for name in in_order(page):
            for step in (None, 0) if height == 720 else (None,):
                present(page, name, step)
                found += [(height, name, step, fault) for fault in faults(page, least, phone=height < 500)]
    assert found == []


# Many curves, bars, sliders.
@pytest.mark.parametrize(
    ("address", "name"),
    [
        (HOME, MAIN),
        ("chapters/accounts.html", "calculator"),
        ("chapters/zcdp_guarantees.html", "conversions"),
        ("chapters/orders.html", "epsilon-of-alpha"),
    ],
)
def test_an_older_projector_shows_them_too(open_page, address, name):
    page = open_page(address, viewport={"width": 1024, "height": 768})
    present(page, name)
    assert list(faults(page, 0.3, phone=False)) == []


@pytest.mark.parametrize("address", [HOME])
def test_strokes_are_wide(visited, address):
    page = visited(address)
    present(page, MAIN)
    path = page.locator(f"#{MAIN} .live-curve path").first
    assert path.evaluate("path => getComputedStyle(path).strokeWidth") == "3.6px"


# ---- steps

SEEN = """() => {
    const figure = document.querySelector("figure.live-presenting");
    const seen = (part) => part.checkVisibility({ visibilityProperty: true });
    const shown = (selector) => [...figure.querySelectorAll(selector)].filter(seen);
    return {
        title: [...(figure.querySelector(".live-title > :not(.live-waiting)")?.childNodes ?? [])]
            .filter((part) => !part.querySelector?.("p")) // without the choices
            .map((part) => part.textContent).join("").replaceAll("\\u00a0", " ").replaceAll("\\u2060", ""),
        curves: shown(".live-curve path").map((path) => path.parentNode.id.split("-").pop()).join(""),
        names: shown(".live-label").length,
        marks: shown('[id*="--mark-"] path').length,
        rows: shown(".live-readings tbody tr").length,
        panel: shown(".live-panel p").map((p) => p.textContent),
    };
}"""


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return page.evaluate(SEEN)


def question(page, name):
    """The text and the choices of the question before a figure, as the page has them."""
    return page.evaluate(
        """(name) => {
            const all = [...document.querySelectorAll(".predict, figure.live")];
            const asked = all[all.findIndex((one) => one.id === name) - 1];
            const texts = [...asked.querySelectorAll("label span")].map((span) => span.textContent);
            const right = asked.querySelector(`label:has([value="${asked.dataset.answer}"]) span`);
            return [asked.querySelector("legend").textContent, texts, right.textContent];
        }""",
        name,
    )


SETTINGS = "JSON.stringify(live.presented.figure.values)"
VALUES = "name => document.getElementById(name).live.values"


def test_question_then_curves_one_by_one_then_the_answer(open_page):
    page = open_page(holding(MAIN), reduced_motion="reduce")
    asked, choices, answer = question(page, MAIN)
    page.locator(f"#{MAIN} [data-action=present]").click()
    first = page.evaluate(SEEN)
    offered = [f"{letter} {text}" for letter, text in zip("ABCD", choices, strict=True)]
    assert (first["title"], first["curves"], first["marks"], first["panel"]) == (asked, "", 0, offered)
    for count, key in enumerate(["PageDown", "Space"] * 3 + ["PageDown"], 1):
        step = press(page, key)
        assert (step["title"], step["curves"], step["rows"]) == (asked, "0123456"[:count], count)
        assert (step["marks"], step["panel"]) == (0, [])
    began = page.evaluate(SETTINGS)
    whole = press(page, "Space")
    assert page.evaluate(SETTINGS) != began
    claim = page.locator(f"#{MAIN} .live-claims li").first.text_content()
    assert whole["title"] == f"Answer at α = 60, k = 265: {'ABCD'[choices.index(answer)]} {answer}{claim}"
    assert (whole["curves"], whole["rows"], whole["marks"]) == ("0123456", 8, 1)
    assert press(page, "PageUp", "PageUp")["curves"] == "012345"
    assert page.evaluate(SETTINGS) == began
    assert press(page, "a") == whole
    names = in_order(page)
    press(page, "PageDown")
    after = names[(names.index(MAIN) + 1) % len(names)]
    assert page.evaluate("live.presented.figure.data.name") == after
    assert press(page)["title"] == question(page, after)[0]
    assert press(page, "PageUp") == whole
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")  # the button has the focus; the lecture goes on where it was
    assert page.evaluate(SEEN)["curves"] == "0123456"
    page.keyboard.press("Escape")
    assert page.locator(".live-waiting, .live-title, .live-panel, .live-switch, .live-lecture").count() == 0


def test_the_picture_keeps_its_place_from_the_question_to_the_answer(open_page):
    page = open_page(holding(MAIN), viewport={"width": 1280, "height": 720})
    page.locator(f"#{MAIN} [data-action=present]").click()
    box = f"""() => {{
        const {{ x, y, width, height }} = document.querySelector("#{MAIN} svg").getBoundingClientRect();
        return [x, y, width, height, document.querySelector("#{MAIN} svg").getAttribute("viewBox")];
    }}"""
    boxes = [page.evaluate(box)]
    for _ in range(8):
        press(page, "PageDown")
        boxes.append(page.evaluate(box))
    wait_until(page, f"document.getElementById('{MAIN}').live.values.k === 265")
    assert [*boxes, page.evaluate(box)] == [boxes[0]] * 10


def test_a_step_travels_in_the_link_and_a_link_without_one_shows_all(open_page):
    page = open_page(holding(MAIN))
    page.locator(f"#{MAIN} [data-action=present]").click()
    page.keyboard.press("PageDown")
    page.wait_for_url(f"**#present={MAIN}:step=1")
    page.reload()
    assert page.evaluate(SEEN)["curves"] == "0"
    for step, curves in (("", "0123456"), (":step=3", "012"), (":step=99", "0123456"), (":step=x", "0123456")):
        page.evaluate("hash => (location.hash = hash)", f"present={MAIN}{step}")
        wait_until(page, f"({SEEN})().curves === '{curves}'")
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)


def test_a_lecture_that_a_link_has_opened_is_left_for_its_figure(open_page):
    page = open_page(holding(MAIN) + f"#present={MAIN}:step=0")
    page.keyboard.press("Escape")
    box = page.locator(f"#{MAIN} .live-picture").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] / 2 < page.viewport_size["height"]


def test_an_answer_stays_with_its_setting_when_the_figure_has_glided_to_another_one(open_page):
    page = open_page("chapters/attackers.html#pure-odds:epsilon=1,prior=0.1;present=pure-odds:step=0")
    press(page, *["PageDown"] * 4)
    press(page, "2")
    wait_until(page, "document.getElementById('pure-odds').live.values.prior === 0.5")
    wait_until(page, "!document.getElementById('pure-odds').live.motion.gliding")
    assert page.evaluate(SEEN)["title"].startswith("Answer at π = 0.1, ε = 1: C 23.2 per cent")
    assert page.locator(".live-title > :last-child").is_visible()


def test_the_answer_is_shown_at_its_setting_unless_somebody_has_moved_the_figure(open_page):
    asks = "chapters/rdp.html#order-as-lens:alpha=4,sigma=1,loss=0.5;present=order-as-lens:step=0"
    page, losses = open_page(asks), "document.getElementById('order-as-lens').live.values.loss"
    press(page, "PageDown", "PageDown")
    assert page.evaluate(losses) == 0.5
    press(page, "PageDown")
    wait_until(page, f"{losses} === 3.5")
    press(page, "PageUp")
    page.evaluate("document.getElementById('order-as-lens').live.set({ loss: 2 })")
    assert "Answer at α = 4, σ = 1, L = 3.5: " in press(page, "PageDown")["title"]
    assert page.evaluate(losses) == 2


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("chapters/meaning_of_delta.html#present=tail-against-delta:step=0", "(1, 10⁻⁵)-\u2060DP"),
        ("chapters/training_cost.html#present=sgd-accountant:step=0", "20\u202f000 steps"),
    ],
)
def test_no_line_of_a_title_ends_within_a_number_or_a_name(open_page, address, kept):
    assert kept in open_page(address).locator(".live-title").text_content()


def test_the_browsers_back_leaves_a_lecture_that_a_button_began(open_page):
    page = open_page(holding(MAIN))
    page.locator(f"#{MAIN} [data-action=present]").click()
    press(page, "PageDown")
    page.go_back()
    wait_until(page, "live.presented.figure === null")
    assert holding(MAIN) in page.url
    wait_until(page, "!location.hash.includes('present')")


@pytest.mark.parametrize("height", [720, 900])
def test_back_from_a_lecture_leads_to_the_link_of_the_lesson(open_page, height):
    page = open_page("chapters/lessons/lesson_6.html", viewport={"width": 1280, "height": height})
    link = page.get_by_role("link", name="▸ what an order looks at")
    link.scroll_into_view_if_needed()
    before = link.bounding_box()["y"]
    with page.expect_event("load"):
        link.click()
    wait_until(page, "Boolean(globalThis.live?.presented?.figure)")
    with page.expect_event("load"):
        page.go_back()
    wait_until(page, "location.pathname.endsWith('lesson_6.html') && document.readyState === 'complete'")
    assert abs(link.bounding_box()["y"] - before) < 40


def test_what_opens_beside_the_picture_is_told(open_page):
    page = open_page(holding(MAIN))
    page.locator(f"#{MAIN} [data-action=present]").click()
    said = page.locator(f"#{MAIN} .live-status")
    assert re.search(r"\? A .*, B .*, C ", said.text_content())
    for key, begun in {"?": "keys: PgDn, PgUp step on, step back", "n": "notes: A ", "c": "caption: A "}.items():
        page.keyboard.press(key)
        assert said.text_content().startswith(begun)


def test_what_was_opened_on_the_page_is_not_for_the_class(show):
    page = show(three())
    for action in ("keep", "link"):
        toolbar.press(page, action)
    page.locator("[data-action=present]").click()
    assert page.locator(".live-share").count() == 0 and not page.locator(".live-scroll").is_visible()
    drawn = page.locator(".live-buttons :is(button, summary):visible").evaluate_all(
        "all => all.map((one) => [one.getBoundingClientRect().x, one.dataset.action])"
    )
    assert drawn == sorted(drawn) and "present" in dict(map(reversed, drawn))


# What an upright phone has empty between the readings and the buttons, the picture's box, and what must be scrolled to.
UPRIGHT = """() => {
    const box = (part) => document.querySelector(`.live-presenting > ${part}`).getBoundingClientRect();
    const { x, y, width, height } = box(".live-picture");
    const { scrollHeight, clientHeight } = document.querySelector(".live-presenting");
    return { empty: box(".live-buttons").top - box(".live-side").bottom, picture: [x, y, width, height],
        hidden: scrollHeight - clientHeight };
}"""


def test_on_an_upright_phone_a_tap_answers_and_the_picture_fills_the_screen(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    address = "chapters/attackers.html#pure-odds:epsilon=1;present=pure-odds:step=0"
    page = open_page(address, reduced_motion="reduce", **phone)
    seen = [page.evaluate(UPRIGHT)]
    seen += [press(page, "PageDown") and page.evaluate(UPRIGHT) for _ in range(4)]
    assert seen == [seen[0]] * 5
    assert seen[0]["hidden"] == 0 and seen[0]["empty"] < 30 and seen[0]["picture"][3] > 350
    smallest = page.locator(".live-presenting [class$=ticks] text").evaluate_all(
        "(all) => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"
    )
    assert smallest > 13.9
    press(page, *["PageUp"] * 4)
    choices = page.locator(".live-panel button")
    assert all(box.bounding_box()["height"] >= 44 for box in choices.all())
    choices.nth(1).tap()
    title = page.locator(".live-title > :last-child")
    assert re.match(r"Answer at π.=.0\.1, ε.=.1: C 23\.2 per cent\s+You chose B\. If a belief", title.inner_text())
    assert page.evaluate("document.activeElement.name") == "epsilon"
    page.get_by_role("button", name="Notes").tap()
    assert page.locator(".live-panel").inner_text().startswith("If you chose “20 per cent”: ")


@pytest.mark.parametrize(("width", "height"), [(320, 256), (427, 300), (390, 844)])
def test_in_a_narrow_window_all_is_in_one_column(width, height, show):
    page = show(three(), viewport={"width": width, "height": height})
    page.locator("[data-action=present]").click()
    boxes = [page.locator(part).bounding_box() for part in (".live-picture", ".live-one", ".live-buttons")]
    assert all(box["width"] > 0.9 * width for box in boxes)
    assert page.locator("figure.live").evaluate("one => one.scrollWidth === one.clientWidth")


def test_what_was_kept_waits_for_its_curves(open_page):
    page = open_page(holding(MAIN))
    toolbar.press(page, "keep", f"#{MAIN}")
    page.locator(f"#{MAIN} [data-action=present]").click()
    ghosts = f"[...document.querySelectorAll('#{MAIN} .live-ghosts path')]"
    visible = f"{ghosts}.map((ghost) => ghost.checkVisibility({{ visibilityProperty: true }}))"
    assert set(page.evaluate(visible)) == {False}
    press(page, "a")
    assert set(page.evaluate(visible)) == {True}


def test_an_answer_is_for_a_class_that_has_seen_its_question(open_page):
    page = open_page(holding(MAIN) + f"#present={MAIN}")
    assert "Answer" not in page.evaluate(SEEN)["title"]
    assert "Answer at " in press(page, "PageUp", "PageDown")["title"]


# Where the marks of the x axis stand on the screen, by their numbers, and where what is drawn along it stands and ends.
ALONG = """() => {
    const box = (part) => part.getBoundingClientRect();
    const middle = (part) => (box(part).left + box(part).right) / 2;
    const svg = document.querySelector("figure.live .live-picture svg");
    const marks = [...svg.querySelectorAll(".live-x-ticks text")];
    return {
        ticks: Object.fromEntries(marks.map((mark) => [mark.textContent, middle(mark)])),
        cursor: middle(svg.querySelector(".live-cursor-line path")),
        dot: middle(svg.querySelector(".live-dot path")),
        ends: [...svg.querySelectorAll(".live-curve path, .live-ghosts .live-curve path")].map((p) => box(p).right),
        label: middle(svg.querySelector(".live-x-label text")),
        box: svg.viewBox.baseVal.width / svg.viewBox.baseVal.height,
        place: svg.parentNode.clientWidth / svg.parentNode.clientHeight,
    };
}"""
# An empty style is none.
STILL = "document.querySelector('figure.live .live-picture svg').outerHTML.replaceAll(' style=\"\"', '')"


def test_a_picture_is_as_wide_as_its_place_and_all_of_it_follows_the_longer_axis(show):
    page = show(three(), viewport={"width": 1700, "height": 720})
    stand = "(values) => { document.querySelector('figure.live').live.set(values); }"
    page.evaluate(stand, {"k": 10, "sigma": 4})
    toolbar.press(page, "keep")
    page.evaluate(stand, {"sigma": 2})
    page.evaluate("document.querySelector('figure.live').live.draw(true)")  # the build writes its paths in fewer points
    before = page.evaluate(STILL)
    page.locator("[data-action=present]").click()
    press(page, "a")
    seen = page.evaluate(ALONG)
    assert seen["box"] == pytest.approx(seen["place"], rel=1e-2) and seen["place"] > 2
    unit = (seen["ticks"]["10"] - seen["ticks"]["2"]) / 8
    assert seen["cursor"] == pytest.approx(seen["ticks"]["10"], abs=1) == seen["dot"]
    assert seen["ticks"]["4"] == pytest.approx(seen["ticks"]["2"] + 2 * unit, abs=1)
    assert len(seen["ends"]) == 6 and seen["ends"] == pytest.approx([seen["ticks"]["10"] + unit] * 6, abs=3)
    assert seen["label"] == pytest.approx(seen["ticks"]["6"], abs=1)
    top = page.locator(".live-picture svg").bounding_box()["y"]
    page.mouse.move(seen["cursor"], top + 150)
    page.mouse.down()
    page.mouse.move(seen["ticks"]["4"], top + 150)
    page.mouse.up()
    assert page.evaluate("document.querySelector('figure.live').live.values.k") == pytest.approx(4, abs=0.02)
    page.evaluate(stand, {"k": 10})
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    assert page.evaluate(STILL) == before


def test_a_figure_without_a_question_is_there_at_once_and_its_title_is_what_it_claims(show):
    page = show(three(claims={"It rises.": lambda c: c.rises("a")}), three(name="other", out_of_view={"a": "top"}))
    for name, title in (("three", "It rises."), ("other", "The lines of 0.5.")):
        page.locator(f"#{name} [data-action=present]").click()
        assert (page.evaluate(SEEN)["curves"], page.evaluate(SEEN)["title"]) == ("012", title)
        assert press(page, "PageUp", "PageUp")["curves"] == "0"
        page.keyboard.press("Escape")


TEACHING = [*SITE.glob("chapters/teaching.html"), *SITE.glob("chapters/lessons/lesson_*.html")]
LINKS = [
    unescape(link).removeprefix("../").split("#")
    for page in TEACHING
    for link in re.findall(r'<a class="live-set" href="([^"]+)"', page.read_text("utf-8"))
]
# As the browser follows a link within a page, at once.
FOLLOW = """(fragment) => {
    history.replaceState(null, "", `#${fragment}`);
    dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href }));
    return live.presented.figure?.data.name;
}"""


def test_the_lessons_have_links():
    assert len(TEACHING) == 9 and len(LINKS) >= 60


@pytest.mark.parametrize("address", sorted({f"chapters/{there}" for there, _ in LINKS}))
def test_every_link_of_the_lessons_opens_present_mode(visited, address):
    page = visited(address)
    for fragment in dict.fromkeys(fragment for there, fragment in LINKS if address == f"chapters/{there}"):
        name = page.evaluate(FOLLOW, fragment)
        assert name == fragment.split(":")[0]
        assert page.locator(".live-lost").count() == 0, fragment
        asks = page.evaluate(SEEN)["title"] == question(page, name)[0]
        assert asks == fragment.endswith(":step=0"), fragment
    page.evaluate("history.replaceState(null, '', location.pathname)")


# ---- on demand


def test_caption_settings_and_notes_are_shown_on_demand_and_not_before_the_answer(open_page):
    page = open_page(holding(MAIN))
    page.locator(f"#{MAIN} [data-action=present]").click()
    panel, caption = page.locator(".live-panel"), page.locator(f"#{MAIN} figcaption").text_content()
    explained = page.locator(f".predict:has(~ * #{MAIN}, ~ #{MAIN}) .predict-answer > p").last.text_content()
    for key in "cn":
        page.keyboard.press(key)
        assert panel.text_content().startswith("A") and panel.text_content().endswith("The rest comes with the answer.")
    page.keyboard.press("Escape")
    assert panel.text_content().startswith("A")  # the choices are back
    page.keyboard.press("a")
    page.keyboard.press("c")
    assert panel.text_content() == caption
    page.keyboard.press("n")
    assert explained in panel.text_content() and caption in panel.text_content()
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    page.keyboard.press("?")
    assert "step on" in panel.text_content() and page.locator(".live-help").count() == 0
    assert page.locator(f"#{MAIN}.live-presenting").count() == 1


def test_picture_and_title_only(open_page):
    page = open_page(holding(MAIN), viewport={"width": 1280, "height": 720})
    present(page, MAIN)
    height = page.locator(f"#{MAIN} .live-picture").bounding_box()["height"]
    page.keyboard.press("h")
    shown = """() => [...document.querySelector("figure.live-presenting").children]
        .filter((part) => part.checkVisibility() && part.offsetHeight > 1 && !part.matches("figcaption"))
        .map((part) => part.classList[0])"""
    assert page.evaluate(shown) == ["live-title", "live-picture"]
    assert page.evaluate("document.activeElement.className") == "live-title"
    assert page.locator(f"#{MAIN} .live-picture").bounding_box()["height"] > height + 100
    page.locator(".live-title").click()
    assert page.evaluate(shown) != ["live-title", "live-picture"]


def test_picture_only_gives_the_focus_back_and_the_rest_of_the_page_is_inert(show):
    page = show(three(claims={"It rises.": lambda c: c.rises("a")}), after="<p><a href='#x'>after</a></p>")
    page.locator("[data-action=present]").click()
    page.locator("input[type=range][name=sigma]").focus()
    page.keyboard.press("h")
    assert page.evaluate("document.activeElement.className") == "live-title"
    page.keyboard.press("End")  # the slider is out of sight, and moves
    page.keyboard.press("ArrowDown")
    assert page.evaluate("live.presented.figure.values.sigma") == 5
    page.keyboard.press("h")
    assert page.evaluate("document.activeElement.name") == "sigma"
    assert page.evaluate("document.querySelector('a').closest('[inert]') !== null")
    assert page.evaluate("document.querySelector('figure.live').closest('[inert]') === null")
    page.keyboard.press("Escape")
    assert page.locator("[inert]").count() == 0


def test_names_of_picture_and_readings_follow_the_step(show):
    page = show(three(claims={"It rises.": lambda c: c.rises("a")}))
    page.locator("[data-action=present]").click()
    names = "['desc', 'table'].map((one, i) => document.querySelector(one)[i ? 'ariaLabel' : 'textContent'])"
    whole = ["Three lines.", "At k = 5, c is lowest, 2.500; a is 2.00 times that, and b, the highest, 4.00 times that."]
    assert page.evaluate(names) == whole
    press(page, "PageUp")
    assert page.evaluate(names) == [
        "It shows a and b. Not shown yet: c.",
        "At k = 5, b is 2.00 times a.",
    ]
    press(page, "PageDown")
    assert page.evaluate(names) == whole
    page.keyboard.press("Escape")
    assert page.evaluate(names) == whole


# ---- the screen and the keys


def test_the_full_screen_is_asked_for_and_left(open_page):
    page = open_page(holding(MAIN))
    full = "document.fullscreenElement !== null"
    page.locator(f"#{MAIN} [data-action=present]").click()
    wait_until(page, full)
    page.keyboard.press("f")
    wait_until(page, f"!({full})")
    assert page.locator(f"#{MAIN}.live-presenting").count() == 1
    page.keyboard.press("f")
    wait_until(page, full)
    page.evaluate("document.exitFullscreen()")  # as Escape does there, which no page hears
    wait_until(page, "live.presented.figure === null")
    page.locator(f"#{MAIN} [data-action=present]").click()
    wait_until(page, full)
    page.locator(f"#{MAIN} [data-action=present]").click()
    wait_until(page, f"!({full}) && live.presented.figure === null")


def test_a_refused_full_screen_fills_the_window(open_page):
    page = open_page(holding(MAIN), viewport={"width": 1280, "height": 720})
    page.evaluate(
        "() => { document.documentElement.requestFullscreen = () => Promise.reject(new TypeError('refused')) }"
    )
    page.locator(f"#{MAIN} [data-action=present]").click()
    assert page.locator(f"#{MAIN}").bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}


def focused(page):
    return page.evaluate("document.activeElement.name || document.activeElement.dataset.action")


def test_presenting_by_keyboard_alone(open_page):
    page = open_page(holding(MAIN), viewport={"width": 1280, "height": 800})
    page.locator(f"#{MAIN} [data-action=present]").focus()
    top = page.evaluate("scrollY")
    page.keyboard.press("Enter")
    assert page.locator(f"#{MAIN}").bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 800}
    before = page.evaluate(VALUES, MAIN)
    assert focused(page) == "sigma"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "alpha"
    page.keyboard.press("ArrowLeft")
    after = page.evaluate(VALUES, MAIN)
    assert (after["sigma"], after["alpha"]) == (before["sigma"] + 1, before["alpha"] - 1)
    page.keyboard.press("ArrowUp")
    assert focused(page) == "sigma"
    page.keyboard.press("Escape")
    assert page.locator("figure.live-presenting").count() == 0
    assert page.evaluate("scrollY") == top
    assert focused(page) == "present"


def test_number_keys_apply_the_presets_of_the_page_and_a_number_in_a_box_is_none(open_page):
    page = open_page(holding(MAIN))
    links = page.locator(f"a.live-set[data-figure={MAIN}]:not(.solution *, .predict *)")
    wanted = [(link.text_content(), link.get_attribute("data-values")) for link in links.all()][:9]
    present(page, MAIN)
    page.keyboard.press("s")
    listed = page.locator(".live-presets li").all_inner_texts()
    assert [text.split(maxsplit=1) for text in listed] == [[str(i), text] for i, (text, _) in enumerate(wanted, 1)]
    for key, (_, values) in enumerate(wanted, 1):
        page.keyboard.press(str(key))
        stands = f"Object.entries({values}).every(([name, value]) => ({VALUES})('{MAIN}')[name] === value)"
        wait_until(page, stands)  # the sliders glide there
    before = page.evaluate(VALUES, MAIN)
    page.locator(f"#{MAIN} .live-typed[type=text][data-for=sigma]").fill("")
    page.keyboard.type("123")
    page.keyboard.press("Enter")
    assert page.evaluate(VALUES, MAIN) == before | {"sigma": 123}
    assert focused(page) == "sigma"  # the next digit is a setting


def test_settings_are_listed_and_keep_the_solutions_to_themselves(open_page):
    page = open_page(holding("calculator"), viewport={"width": 1280, "height": 720})
    present(page, "calculator")
    page.keyboard.press("s")
    listed = page.locator(".live-presets li")
    told = page.locator("a.live-set[data-figure=calculator]")
    solved = page.locator(":is(.solution, .predict) a.live-set[data-figure=calculator]").count()
    assert solved and listed.count() == told.count() - solved
    assert all(item.is_visible() for item in listed.all())


def test_presenting_goes_round_the_figures_of_the_page(open_page):
    page = open_page(holding(MAIN))
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
    page = open_page(holding(MAIN))
    present(page, MAIN)
    outside = """() => [...document.querySelectorAll("a, button, input, select, summary, [tabindex]")]
        .filter((element) => !element.closest("figure.live-presenting"))
        .filter((element) => element.checkVisibility({ visibilityProperty: true })).length"""
    wait_until(page, f"({outside})() === 0")
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('body, figure.live-presenting *')")


def test_a_figure_alone_is_the_first_thing_that_is_painted(witnessed, site):
    root = site.resolve().as_uri() + "/"
    page = witnessed(root).new_page()
    page.route("**/page.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{root}{holding(MAIN)}?figure={MAIN}")
    visible = "document.querySelector('article h1').checkVisibility({ visibilityProperty: true })"
    assert not page.evaluate(visible)
    page.goto(root + holding(MAIN))
    assert page.evaluate(visible)


# ---- a phone


def test_a_phone_on_its_side_has_one_slider_at_a_time_and_no_keys(open_page):
    page = open_page(holding(MAIN), viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    page.locator(f"#{MAIN} [data-action=present]").tap()
    assert page.locator(f"#{MAIN} .live-picture").bounding_box()["height"] > 0.7 * 390  # and below it all buttons
    assert not page.locator("[data-action=keys]").is_visible()
    for symbol, name in (("α", "alpha"), ("k", "k"), ("σ", "sigma")):
        page.locator(f"#{MAIN} .live-switch").get_by_text(symbol, exact=True).tap()
        ranges = page.locator(f"#{MAIN} [type=range]")
        assert [one.get_attribute("name") for one in ranges.all() if one.is_visible()] == [name]
    touched = page.locator(f"#{MAIN} :is(.live-switch button, .live-one .live-typed, .live-lecture button):visible")
    for button in touched.all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert page.locator(f"#{MAIN} .live-one [type=range]:visible").bounding_box()["height"] >= 44
    page.keyboard.press("s")
    assert not page.locator(".live-panel kbd").first.is_visible()
