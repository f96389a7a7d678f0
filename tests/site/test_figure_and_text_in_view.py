"""Picture and text together: a figure in one view, links that move it in sight, names of curves, touch."""

import json
import re

import fonts
import numpy as np
import pytest
from conftest import SITE
from playwright.sync_api import expect
from readers import DRAWN, STILL_PHONE
from test_book import holding
from waiting import wait_until

from dp_lib import live

PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.glob("chapters/**/*.html")
    if 'class="live-picture"' in path.read_text("utf-8")
)
SIZES = [(1366, 640), (390, 844)]
MORE_SIZES = [(1440, 900), (844, 390)]  # of the page with the book's main figure
LIVE = "document.getElementById('held').live"

FRAMES = "const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"

# Links of the prose, all or every so many, at one place of the window after another: what is seen of the picture, and
# where the link is.
CLICK = f"""async (every) => {{
  {FRAMES}
  const bar = document.querySelector(".bar").offsetHeight;
  const found = [];
  let links = 0;
  const unwait = (all) => document.querySelector(`[data-action=unwait${{all}}]`);
  (unwait("-all") ?? unwait(""))?.click();
  for (const [n, link] of document.querySelectorAll("a.live-set").entries()) {{
    const figure = document.getElementById(link.dataset.figure);
    if (!figure?.live || !link.checkVisibility()) continue; // of another page, or of an answer that is not given yet
    if (links++ % every) continue;
    const come = () => link.scrollIntoView({{ block: ["center", "start", "end"][n % 3], behavior: "instant" }});
    come();
    await drawn();
    const at = scrollY;
    come(); // what stands between had no height yet, and a reader clicks what is seen
    if (scrollY !== at) await drawn();
    link.click();
    await drawn();
    const picture = figure.live.svg.getBoundingClientRect();
    const dock = document.querySelector(".live-dock:not(.live-dock-low)");
    const seen = (Math.min(picture.bottom, innerHeight) - Math.max(picture.top, bar)) / picture.height;
    const text = link.getBoundingClientRect();
    const from = dock ? dock.getBoundingClientRect().bottom : bar;
    const said = `${{link.textContent}} <${{figure.id}}>: `;
    if (document.querySelectorAll(".live-dock").length > 1) found.push(said + "another picture stays");
    if (seen < 0.9) found.push(said + `${{seen}} of the picture is seen`);
    if (text.top < from - 1 || text.bottom > innerHeight + 1) found.push(said + "the sentence is out of view");
    const values = Object.entries(figure.live.understood(JSON.parse(link.dataset.values)));
    if (values.some(([name, value]) => figure.live.values[name] !== value)) found.push(said + "not set");
  }}
  return [links, found];
}}"""

# Figures of which picture, awake controls and readings are not within one window below the bar.
TOO_TALL = """() => {
  const room = innerHeight - document.querySelector(".bar").offsetHeight;
  return [...document.querySelectorAll("figure.live")].map((figure) => {
    const seen = ".live-picture svg, .live-controls > :not([hidden]), .live-readings > :is(thead, tbody)";
    const parts = [...figure.querySelectorAll(seen)];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return [figure.id, Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top)), room];
  }).filter(([, tall, room]) => tall > room).map(String);
}"""

# Sliders of a phone that are not in view together with their picture.
APART = f"""async () => {{
  {FRAMES}
  const bar = document.querySelector(".bar").offsetHeight;
  const found = [];
  for (const range of document.querySelectorAll("figure.live input[type=range]")) {{
    if (!range.checkVisibility()) continue;
    const {{ svg }} = range.closest("figure").live;
    const top = range.getBoundingClientRect().top - 0.8 * innerHeight;
    scrollBy({{ top, behavior: "instant" }});
    await drawn();
    const [box, own] = [svg.getBoundingClientRect(), range.getBoundingClientRect()];
    if (box.top < bar - 1 || box.bottom > own.top + 1 || own.bottom > innerHeight) found.push(range.id);
  }}
  return found;
}}"""

# At the defaults, each corner of the sliders and each linked setting: curves that are drawn without a name, and names
# whose boxes overlap.
NAMES = """() => {
  const found = [];
  const both = (one, name, ends) => ends.map((end) => ({ ...one, [name]: end }));
  const ends = (all, [name, { low, high }]) => all.flatMap((one) => both(one, name, [low, high]));
  for (const { live } of document.querySelectorAll("figure.live")) {
    const { data } = live;
    const links = [...document.querySelectorAll(`a.live-set[data-figure="${data.name}"]`)];
    const settings = [{}, ...links.map((link) => live.understood(JSON.parse(link.dataset.values)))];
    settings.push(...Object.entries(data.sliders).filter(([name]) => name !== data.x).reduce(ends, [{}]));
    for (const setting of settings) {
      live.set({ ...live.defaults, ...setting });
      live.pending.forEach(() => live.draw());
      const say = (text) => found.push(`${data.name} at ${JSON.stringify(setting)}: ${text}`);
      const shown = live.lines.filter(({ text }) => !text.hasAttribute("data-absent"));
      const within = (value, [a, b]) => value >= Math.min(a, b) && value <= Math.max(a, b);
      const inside = ([x, y]) => within(x, data.frame.x) && within(y, data.frame.y);
      for (const line of live.lines) {
        const path = globalThis.live.picture.polyline(live.xs, live.along(line.y), live.place.y);
        const pairs = path.match(/-?[\\d.]+ -?[\\d.]+/g) ?? [];
        const points = pairs.map((pair) => pair.split(" ").map(Number));
        const drawn = points.filter(inside).length > points.length / 40;
        if (drawn && !shown.includes(line)) say(`${line.name} has no name`);
        if (!points.some(([, y]) => y > -9000 && y < 9000) && shown.includes(line)) say(`${line.name} is not drawn`);
      }
      const boxes = shown.map(({ text }) => text.getBoundingClientRect());
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const met = across > 0.5 && down > 0.25 * Math.min(a.height, b.height); // a box has room above small letters
        if (met) say(`${shown[i].name} overlaps ${shown[i + 1 + j].name}`);
      }));
      const keyed = shown.filter(({ text }) => text.textContent.length === 1 && /[①-⓿]/u.test(text.textContent));
      for (const { name, text, cell } of keyed) {
        if (cell.parentNode.cells[0].dataset.key !== text.textContent) say(`${name} has a number that no row explains`);
      }
    }
    live.reset();
  }
  return found;
}"""


def held():
    """A figure with a curve that leaves at the top, and one that stays."""
    return live.Figure(
        name="held",
        x=live.k(1, 100, at=50),
        y=("ε", 0, 10),
        sliders=[live.sigma(1, 20, at=10), live.delta(1e-9, 1e-3, at=1e-5)],
        curves={"steep": lambda sigma, k: k / sigma * 4, "level": lambda delta, k: 2 + 0 * k - np.log(delta) / 10},
        caption="The curves of 1. They are two.",
    )


def link(text, **values):
    return f"<a class='live-set' href='#held' data-figure='held' data-values='{json.dumps(values)}'>{text}</a>"


SENTENCE = (
    f"<p style='height: 3000px'></p><p>Set {link('σ = 2', sigma=2)} or {link('less', sigma=5, delta=1e-3)}.</p>"
    + "<p style='height: 3000px'></p>"
)


@pytest.mark.spoils
@pytest.mark.parametrize("address", PAGES)
def test_links_keep_picture_and_sentence_in_view(visited, address):
    page = visited(address, **STILL_PHONE)
    problems, counts = [], set()
    for width, height in SIZES + (MORE_SIZES if "accounting_compared" in address else []):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        links, found = page.evaluate(CLICK, 1 if min(width, height) < 500 else 2)  # a phone has less room
        counts.add(links)
        problems += [f"{width} x {height}: {one}" for one in found]
    assert not problems, "\n".join(problems)
    assert len(counts) == 1


def letters(address):
    """How many letters the names of a figure's curves have, of the figure with the most."""
    drawn = (SITE / address).read_text("utf-8").split('<figure class="live"')[1:]
    return max(sum(map(len, set(re.findall('data-curve="([^"]*)"', figure)))) for figure in drawn)


# The second fonts are smaller than the first: ten pages show what that changes, those where names come closest.
CROWDED = sorted(PAGES, key=letters)[-10:]
SHOWN_IN = [*((address, fonts.SETS[0]) for address in PAGES), *((address, fonts.SETS[1]) for address in CROWDED)]


@pytest.mark.parametrize(("address", "fonts_seen"), SHOWN_IN)
def test_a_figure_is_in_one_view_and_every_curve_has_its_name(visited, address, fonts_seen):
    """A window that is narrow from the beginning is another visit; with the second fonts, a wide one is narrowed."""
    problems, looks = [], {"unfolded": True, "narrowed": fonts_seen != fonts.SETS[0]}
    for width, height in [(1280, 640), (390, 844)]:  # as narrow as one laptop and as low as another
        page = visited(address, viewport={"width": width, "height": height}, **looks)
        page.evaluate(DRAWN)
        found = page.evaluate(APART if width == 390 else TOO_TALL) + page.evaluate(NAMES)
        problems += [f"{width}: {one}" for one in found]
    assert not problems, "\n".join(problems)


# Pages with a question beside its figure, and how high the two are together.
ASKING = [a for a in PAGES if 'class="asked"' in (SITE / a).read_text("utf-8")]
HEIGHTS = """(asked) => asked.map((one) => {
    const parts = [...one.querySelectorAll(":scope > .predict, .live-picture")];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
})"""


def test_most_chapters_ask_beside_a_figure():
    assert len(ASKING) >= 30


@pytest.mark.parametrize("fonts_seen", fonts.SETS)
@pytest.mark.parametrize("address", ASKING)
def test_each_question_fits_on_one_screen_with_its_picture(visited, address):
    page = visited(address, viewport={"width": 1280, "height": 800})
    page.evaluate(DRAWN)
    assert [height for height in page.locator(".asked").evaluate_all(HEIGHTS) if height > 800] == []


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, {"width": 390, "height": 844}])
@pytest.mark.parametrize("address", ["chapters/pure.html", "chapters/composition.html", "chapters/zcdp.html"])
def test_the_picture_and_the_reply_are_in_sight_when_an_answer_is_committed(open_page, address, viewport):
    page = open_page(address, viewport=viewport, reduced_motion="reduce")
    for asked in page.locator(".asked").all():
        asked.locator("input").first.check()
        asked.locator("[type=submit]").click()
        assert page.evaluate("document.activeElement.matches('.predict-said')")
        picture, said = (asked.locator(part).bounding_box() for part in (".live-picture", ".predict-said"))
        top = page.locator(".bar").bounding_box()["height"]
        assert top <= said["y"] + 1 and said["y"] + said["height"] <= viewport["height"] + 1
        assert top <= picture["y"] + 1 and picture["y"] + picture["height"] <= viewport["height"] + 1


def test_the_explanation_is_as_wide_as_question_and_figure(open_page):
    page = open_page("chapters/pure.html", viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    asked = page.locator(".asked .predict").first
    place = page.locator(".asked .live-picture").first.bounding_box
    before = place()
    wrong = asked.evaluate(
        "one => [...one.querySelectorAll('input')].find((each) => each.value !== one.dataset.answer).value"
    )
    asked.locator(f"input[value='{wrong}']").check()
    asked.locator("[type=submit]").click()
    page.evaluate("scrollTo(0, 0)")
    after = place()
    assert (after["x"], after["width"]) == (before["x"], before["width"])
    figure, answer = page.locator(".asked figure").first.bounding_box(), asked.locator("details").bounding_box()
    assert answer["y"] >= figure["y"] + figure["height"] and answer["width"] > 850
    said = asked.locator(".predict-said").bounding_box()
    assert said["x"] + said["width"] <= figure["x"] and said["height"] > 40  # beside the figure, and not behind it


def test_a_link_moves_the_sliders_on_the_way_and_back_undoes_it(show):
    page = show(held(), after=SENTENCE)
    page.evaluate("globalThis.seen = []")
    page.evaluate(f"{LIVE}.element.addEventListener('live:redraw', () => seen.push({LIVE}.values.sigma))")
    page.get_by_role("link", name="σ = 2").click()
    wait_until(page, f"{LIVE}.values.sigma === 2")
    seen = page.evaluate("seen")
    assert len(seen) > 3 and sorted(seen, reverse=True) == seen
    assert page.locator(".live-dock svg").is_visible()
    at = page.evaluate("scrollY")
    page.get_by_role("link", name="less").click()
    wait_until(page, f"{LIVE}.values.delta === 1e-3")
    page.go_back()
    wait_until(page, f"{LIVE}.values.sigma === 2 && {LIVE}.values.delta === 1e-5")
    page.go_back()
    wait_until(page, f"{LIVE}.values.sigma === 10")
    assert abs(page.evaluate("scrollY") - at) < 800
    page.go_forward()
    wait_until(page, f"{LIVE}.values.sigma === 2")


def test_a_link_brings_the_other_sliders_to_where_its_sentence_has_them(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.evaluate(f"{LIVE}.set({{ sigma: 5, delta: 1e-3 }})")
    page.evaluate("document.querySelector('a.live-set').click()")
    assert page.evaluate(f"[{LIVE}.values.sigma, {LIVE}.values.delta]") == [2, 1e-5]


RESTYLED = """() => {
  globalThis.restyled = [];
  const watch = new MutationObserver((changes) => restyled.push(...changes));
  watch.observe(document.documentElement, { attributeFilter: ["style"] });
}"""


def test_a_link_to_the_docked_picture_changes_nothing_for_which_the_whole_page_is_styled_again(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="σ = 2").click()
    page.evaluate(RESTYLED)
    page.get_by_role("link", name="less").click()
    assert page.evaluate("restyled.length") == 0
    page.get_by_role("button", name="Close the picture").click()
    assert page.evaluate("restyled.length") > 0


SAID = "document.querySelector('#held .live-status').textContent"


def test_a_link_says_what_it_has_set(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="less").press("Enter")
    wait_until(page, f"{SAID} !== ''")
    assert page.evaluate(SAID).startswith("σ = 5, δ = 0.001: ")
    page.go_back()
    wait_until(page, f"{SAID}.startsWith('As at first: ')")
    page.locator("input[name=sigma]").press("ArrowRight")  # a slider says itself
    wait_until(page, f"!{SAID}.startsWith('σ = 5')")
    assert "σ" not in page.evaluate(SAID)


def test_a_link_says_where_its_figure_stands(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    marked = "[...document.querySelectorAll('a.live-set')].map((link) => link.ariaCurrent)"
    page.get_by_role("link", name="less").press("Enter")
    assert page.evaluate(marked) == ["false", "true"]
    page.locator("input[name=sigma]").press("ArrowRight")
    assert page.evaluate(marked) == ["false", "false"]


def test_the_docked_sentence_is_that_of_the_docked_readings(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="less").click()
    sentence = page.evaluate("document.querySelector('.live-dock caption').textContent")
    assert sentence == "At k = 50, steep is 14.9 times level."  # 40.00 and 2.691 in the readings


def test_the_docked_readings_are_whole_on_a_laptop(open_page):
    page = open_page(holding("rdp-vs-zcdp"), viewport={"width": 1366, "height": 640}, reduced_motion="reduce")
    page.locator("[data-action=unwait-all]").first.click()
    page.get_by_role("link", name="α = 44").press("Enter")
    bottom = "document.querySelector('{}').getBoundingClientRect().bottom"
    rows, there = (page.evaluate(bottom.format(part)) for part in (".live-dock tbody", ".live-dock-readings"))
    assert 0 < rows <= there + 1


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844)])
def test_a_docked_picture_leaves_half_of_a_phone_and_keeps_what_waits(width, height, open_page):
    page = open_page("chapters/pure.html", viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    page.get_by_role("link", name="scale 5").tap()
    box = page.locator(".live-dock").bounding_box()
    assert box["y"] + box["height"] <= height / 2
    assert page.locator(".live-dock .live-curve").first.is_visible()
    assert not page.locator(".live-dock .live-band path").is_visible()


def test_a_curve_that_was_picked_lets_the_others_follow_a_link(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.locator(".live-readings tbody tr").first.click()
    page.mouse.move(0, 0)
    assert page.locator(".live-picking").count() == 1
    page.get_by_role("link", name="less").press("Enter")
    assert page.locator(".live-picking").count() == 0


def test_back_is_silent_in_figures_that_it_leaves_alone(show):
    other = live.Figure(name="other", x=live.k(1, 9, at=3), y=("ε", 0, 9), curves={"a": lambda k: k * 1.0})
    page = show(held(), other, after=SENTENCE, reduced_motion="reduce")
    page.evaluate("globalThis.drawn = 0; other.addEventListener('live:redraw', () => drawn++)")
    page.get_by_role("link", name="less").click()
    page.go_back()
    wait_until(page, f"{LIVE}.values.sigma === 10")
    assert page.evaluate("drawn") == 0


def test_to_the_figure_and_back_to_the_text(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="less").press("Enter")
    page.get_by_role("button", name="To the figure").click()
    assert page.locator(".live-dock").count() == 0
    assert page.locator("figure .live-picture").is_visible()
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.textContent") == "less"
    assert page.evaluate(
        "(({ top, bottom }) => top > 0 && bottom < innerHeight)(document.activeElement.getBoundingClientRect())"
    )
    expect(page.locator("[data-action=back]")).to_have_count(0)
    page.locator("input[name=delta]").focus()
    page.keyboard.press("b")  # also without the button
    assert page.evaluate("document.activeElement.textContent") == "less"


@pytest.mark.parametrize(("width", "height"), [(640, 450), (720, 450), (683, 384), (390, 420), (320, 256)])
def test_a_slider_that_has_the_focus_is_wholly_in_view(width, height, show):
    page = show(held(), reduced_motion="reduce", viewport={"width": width, "height": height})
    for name in page.evaluate(f"Object.keys({LIVE}.ranges)"):
        page.evaluate("scrollTo(0, 0)")
        slider = page.locator(f"input[name={name}]")
        slider.focus()
        box = slider.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        middle = "[x + width / 2, y + height / 2]"
        seen = f"one => {{ const {{ x, y, width, height }} = one.getBoundingClientRect(); return {middle}; }}"
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).name", slider.evaluate(seen)) == name


FOCUSED = "document.activeElement.textContent"


def test_tab_leads_from_a_sentence_to_its_docked_picture_and_on_and_nothing_is_behind_it(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="σ = 2").press("Enter")
    assert page.locator(".live-dock").get_attribute("aria-label").startswith("Picture: The curves of 1.")
    walked = []
    for key in ("Tab", "Tab", "Tab", "Shift+Tab"):
        page.keyboard.press(key)
        walked.append(page.evaluate(FOCUSED))
    assert walked[:3] == ["To the figure", "×", "less"] and walked[3].endswith("σ = 2")
    page.evaluate("scrollBy(0, document.activeElement.getBoundingClientRect().top - 100)")  # behind the picture
    page.get_by_role("link", name="less").focus()
    page.keyboard.press("Shift+Tab")
    edges = "[document.activeElement, document.querySelector('.live-dock')].map((one) => one.getBoundingClientRect())"
    below = f"{edges}.map(({{ top, bottom }}, i) => (i ? bottom : top)).reduce((top, bottom) => top >= bottom)"
    wait_until(page, below)
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.style.scrollPaddingTop") == ""


def test_a_tiny_window_shows_the_figure_and_no_docked_picture(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce", viewport={"width": 320, "height": 256})
    page.get_by_role("link", name="less").press("Enter")
    assert page.locator(".live-dock").count() == 0
    page.get_by_role("button", name="Back to the text").click()
    assert page.evaluate(FOCUSED) == "less"
    assert page.locator(".live-picture").evaluate("one => getComputedStyle(one).position") == "relative"
    page.locator("input[name=delta]").focus()
    box = page.locator("input[name=delta]").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 256


def test_a_link_is_high_enough_for_a_finger(show):
    page = show(held(), after=SENTENCE, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    hit = """(link) => {
      link.scrollIntoView({ block: "center", behavior: "instant" });
      const { x, y, width, height } = link.getBoundingClientRect();
      const found = (by) => document.elementFromPoint(x + width / 2, y + height / 2 + by);
      return [-21, 21].every((by) => found(by)?.closest("a") === link);
    }"""
    assert all(link.evaluate(hit) for link in page.locator("a.live-set").all())


def test_a_dragged_number_moves_no_word_beside_it(show):
    page = show(held(), after=SENTENCE)
    other = page.get_by_role("link", name="less")
    other.scroll_into_view_if_needed()
    page.locator("a.live-set").first.press("ArrowRight")
    page.locator("a.live-set").first.press("ArrowRight")
    before = other.bounding_box()
    page.keyboard.press("ArrowLeft")
    assert other.bounding_box() == before
    text = page.locator("a.live-set").first.evaluate("one => getComputedStyle(one, '::after').position")
    assert text == "absolute"


def test_a_docked_picture_goes_home(show):
    page = show(held(), after=SENTENCE, reduced_motion="reduce")
    page.get_by_role("link", name="less").click()
    page.keyboard.press("Escape")
    assert page.locator("figure > .live-picture").count() == 1
    page.get_by_role("link", name="less").click()
    page.evaluate("scrollTo(0, 0)")
    wait_until(page, "document.querySelector('figure > .live-picture') !== null")
    page.get_by_role("link", name="less").click()
    page.evaluate(f"live.use('present').enter({LIVE})")
    assert page.locator("figure > .live-picture").count() == 1


def test_a_number_in_a_sentence_is_dragged_and_stepped(show):
    page = show(held(), after=SENTENCE)
    number = page.get_by_role("link", name="σ = 2")
    number.scroll_into_view_if_needed()
    box = number.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=4)
    page.mouse.up()
    dragged = page.evaluate(f"{LIVE}.values.sigma")
    assert 5 < dragged < 8
    wait_until(page, f"document.querySelector('.live-status').textContent.startsWith('σ = {dragged:g}: ')")
    assert page.locator("a.live-set").first.inner_text().endswith(f"σ = {dragged:g}")
    page.locator("a.live-set").first.press("ArrowRight")
    assert page.evaluate(f"{LIVE}.values.sigma") > dragged
    page.keyboard.press("Escape")
    assert page.locator("a.live-set").first.inner_text().endswith("σ = 2")
    assert page.evaluate(f"{LIVE}.values.sigma") == 2
    page.locator("a.live-set").first.press("ArrowRight")
    assert page.locator("a.live-set").first.get_attribute("data-text") == "2"
    for settle in (lambda: page.get_by_role("link", name="less"), lambda: page.locator("a.live-set").first):
        settle().click()  # its author's number again, as its sentence has it
        assert page.locator("a.live-set").first.inner_text().endswith("σ = 2")
        assert page.locator("a.live-set").first.get_attribute("data-text") is None
        page.locator("a.live-set").first.press("ArrowRight")
    page.evaluate(f"{LIVE}.reset()")
    assert page.locator("a.live-set").first.inner_text().endswith("σ = 2")


PLACE = """([line, share]) => {
  const { svg, xs, place, lines, along } = LIVE;
  const { a, d, e, f } = svg.getScreenCTM();
  const i = Math.round(share * (xs.length - 1));
  return [a * xs[i] + e, d * place.y(LIVE.along(lines[line].y)[i]) + f];
}""".replace("LIVE", LIVE)


def test_the_picture_is_dragged_and_curves_are_told(show):
    page = show(held())
    box = page.locator("figure svg").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 120, y + 3, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{LIVE}.values.k") < 40
    place = page.evaluate(PLACE, [1, 0.7])
    page.mouse.move(*place)
    assert page.locator(".live-tip").inner_text().startswith("level: ")
    faded = "getComputedStyle(document.querySelector('.live-curve')).opacity"
    assert float(page.evaluate(faded)) < 0.5
    page.mouse.move(1, 1)
    assert float(page.evaluate(faded)) == 1
    page.mouse.click(*place)
    page.mouse.move(1, 1)
    assert float(page.evaluate(faded)) < 0.5
    page.keyboard.press("Escape")
    assert float(page.evaluate(faded)) == 1
    page.locator("tr:has([data-curve=level])").hover()
    assert page.locator(".live-tip").inner_text().startswith("level: ")


SHOWN = "all => all.map((one) => one.textContent)"


def test_no_name_becomes_a_number_to_keep_off_the_cursor(open_page):
    page = open_page("chapters/zcdp_guarantees.html#conversions", viewport={"width": 390, "height": 844})
    wait_until(page, "document.querySelector('#conversions').live?.of('labels').columns !== undefined")
    names = page.locator("#conversions .live-label:not([data-absent]) text").evaluate_all(SHOWN)
    assert names and not [name for name in names if len(name) == 1 and name >= "①"]
