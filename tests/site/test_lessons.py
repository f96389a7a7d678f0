"""Lessons as decks: Page Down alone leads from the first step to the last, and the teacher's page drives a window."""

import math
import re
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from conftest import SITE
from docutils import nodes
from docutils.utils import new_document
from playwright.sync_api import expect
from readers import DRAWN, PHONE
from sphinx.errors import ExtensionError
from test_touch import Finger
from waiting import wait_until

from book.handouts import homework
from book.lessons import codes, extension
from livefigures.sphinx.predict import predict

LESSONS = sorted(path.stem for path in (SITE / "chapters/lessons").glob("lesson_*.html"))
SCREEN = {"viewport": {"width": 1280, "height": 720}}
# Which step, which part of its figure, the words that the class sees, and whether the answer waits for a later part.
SEEN = """() => {
  const text = (selector) => document.querySelector(selector)?.innerText ?? "";
  const seen = [...document.querySelectorAll("article *")].filter((one) => one.checkVisibility({
    visibilityProperty: true, contentVisibilityAuto: false }));
  const slide = document.querySelector(".slide.now");
  return {
    step: Number(/lesson=\\d+\\.(\\d+)/.exec(location.search)[1]),
    part: text(".live-lecture > span"),
    words: slide?.innerText ?? text(".live-title > span:not(.live-waiting)"),
    answer: document.querySelector(".live-title > .live-waiting:last-child")
      ? "waits" : text(".live-title > :last-child small"),
    curves: [...document.querySelectorAll(".live-presenting .live-curve path")]
      .filter((path) => path.getAttribute("d") && path.checkVisibility({ visibilityProperty: true })).length,
    screen: document.querySelector(".live-presenting")?.innerText ?? "",
    cut: slide ? slide.scrollHeight > slide.clientHeight + 1 || slide.scrollWidth > slide.clientWidth + 1 : false,
    script: seen.filter((one) => one.tagName === "P" && !one.closest(".slide.now, .live-presenting")).length,
  };
}"""
# How many items the list below each link that asks has: what to say at each press of the key.
SAID = """() => [...document.querySelectorAll("a.live-set[href*=':step=0']")].map((link) => {
  let next = link.closest("p").nextElementSibling;
  while (next.matches(".lesson-answer-of")) next = next.nextElementSibling;
  return next.matches("ol") ? next.childElementCount : 0;
})"""
READY = """() => document.readyState === "complete"
  && Boolean(document.querySelector(".slide.now, .live-presenting .live-title"))"""


def begun(page):
    with page.expect_event("load"):
        page.get_by_text("Show the lesson in this window").click()
    wait_until(page, READY)
    return page.evaluate(SEEN)


def opened(page, address):
    """What is seen of a step whose number was clicked; the history has no entry for it, as in the lesson."""
    with page.expect_event("load"):
        page.evaluate("to => location.replace(to)", f"{SITE.resolve().as_uri()}/{address}")
    wait_until(page, READY)
    return page.evaluate(SEEN)


def after(page, key, seen):
    """What is seen behind the key. A slide, and the last part of a figure, lead to another page."""
    first, _, last = seen["part"].partition("/")
    if first == last or key == "PageUp":
        with page.expect_event("load"):
            page.keyboard.press(key)
        wait_until(page, READY)
    else:
        page.keyboard.press(key)
    return page.evaluate(SEEN)


def typed(lesson):
    """Return the numbers of three digits or more in the list below each link that asks, none computed, none folded."""
    source = (SITE.parent.parent / "chapters/lessons" / f"{lesson}.md").read_text("utf-8")
    source = re.sub(r"```\{admonition\}.*?```", "", source, flags=re.S)
    for behind in re.split(r"\{ask\}`[^`]*`", source)[1:]:
        words = re.sub(r"\{\w+\}`[^`]*`", "", re.search(r"^1\. .*?^(?=\S(?<!\d))", behind, re.M | re.S)[0])
        yield [number for number in re.findall(r"\d+\.\d+", words) if len(number.replace(".", "").lstrip("0")) >= 3]


def is_shown(number, screen):
    digits = len(number.partition(".")[2])
    return any(round(float(each), digits) == float(number) for each in re.findall(r"\d+\.?\d*", screen))


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_lesson_at_a_glance_has_every_minute_and_every_step_once(lesson):
    page = BeautifulSoup((SITE / f"chapters/lessons/{lesson}.html").read_text("utf-8"), "html.parser")
    rows = [[cell.get_text() for cell in row.find_all("td")] for row in page.select(".lesson-glance tbody tr")]
    minutes = [[int(number) for number in re.findall(r"\d+", row[0])] for row in rows]
    assert [first for first, _ in minutes] == [0, *(last for _, last in minutes[:-1])] and minutes[-1][1] == 90
    steps = [[int(number) for number in re.findall(r"\d+", row[2])] for row in rows]
    covered = [step for ends in steps if ends for step in range(ends[0], ends[-1] + 1)]
    assert covered == list(range(1, len(page.select("a.step")) + 1))
    assert all(row[1] in [title.get_text().rstrip("¶") for title in page.select("h2")] for row in rows)


def test_a_script_says_what_its_words_are_for(open_page):
    page = open_page("chapters/lessons/lesson_1.html", **SCREEN)
    marks = page.evaluate("""() => {
      const of = (selector) => [...document.querySelectorAll(selector)]
        .map((one) => getComputedStyle(one, "::before").content).filter((word) => word !== "none");
      return [of(".say > :first-child"), of(".do"), of(".slide *, .minutes, details *, .say > :not(:first-child)")];
    }""")
    assert set(marks[0]) == {'"Say"'} and set(marks[1]) == {'"Do"'} and min(len(marks[0]), len(marks[1])) > 15
    assert not {'"Say"', '"Do"'} & set(marks[2])
    said = page.locator("article section section > blockquote")
    assert said.count() == page.locator("article section section > blockquote.say").count() > 5


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_a_class_may_ask_is_folded(lesson):
    page = BeautifulSoup((SITE / f"chapters/lessons/{lesson}.html").read_text("utf-8"), "html.parser")
    (late,) = [box for box in page.select("article details") if "Ten minutes late" in box.summary.get_text()]
    words, _, saved = late.get_text().partition("Together they save ")
    minutes = sum(int(each) for each in re.findall(r"\((\d+) minutes\)", words))
    assert minutes >= 10 and saved.startswith(f"{minutes} minutes.")
    assert any("If asked: " in one.get_text() for one in page.select("details > summary"))
    for box in page.select(".lesson-answer-of, details"):
        box.decompose()
    assert not re.findall(r"If (?:a student|somebody|they) asks?", page.select_one("article").get_text())


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_top_of_a_script_names_the_steps_that_need_the_keyboard(lesson):
    page = BeautifulSoup((SITE / f"chapters/lessons/{lesson}.html").read_text("utf-8"), "html.parser")
    (line,) = page.select("article .lesson-desk")
    at, step = {}, 0
    for each in page.select("a.step, .desk"):
        step += "step" in each["class"]
        if "desk" in each["class"] and not each.find_parent("details"):
            at.setdefault(step, {})[each.get_text()] = None
    keys, _, hands = line.get_text().partition("To enter hands")
    assert {int(step): used for step, used in re.findall(r"(\d+) \((.*?)\)", keys)} == {
        step: ", ".join(used) for step, used in at.items()
    }
    assert ("A clicker is enough" in keys) == (not at)
    asked = [link for link in page.select("a.step") if link["href"].endswith(":step=0")]
    boxes = zip(asked, page.select("details.lesson-answer"), strict=True)
    letters = [re.search(r"\d+", link.get_text())[0] for link, box in boxes if box.select_one("ol")]
    assert re.findall(r"\d+", hands) == letters


SPEED, LOOK, SITTING = 200, 20, 45  # words a minute, seconds for each step, minutes for both lessons
DENSE = 160  # words a minute of what is printed for a lecturer, as lecturers have read it


def open_words(name):
    """Return how many words of a page are open, and how many steps it has. Of a short key, only the homework."""
    page = BeautifulSoup((SITE / f"{name}.html").read_text("utf-8"), "html.parser")
    page = page.select_one("article") or page.body
    for later in page.select(".of-a-sheet ~ .of-a-sheet"):
        later.decompose()
    for hidden in page.select("details > :not(summary), script, style, annotation, .headerlink, [hidden]"):
        hidden.decompose()
    return len(page.get_text(" ").split()), len(page.select("a.step"))


def minutes(*names):
    words, steps = map(sum, zip(*map(open_words, names), strict=True))
    return words / SPEED + steps * LOOK / 60


def test_two_lessons_can_be_prepared_in_a_sitting():
    """All that is open on the plan of the course and in the scripts of lessons 1 and 4, and a look at each step."""
    scripts = ["chapters/lessons/lesson_1", "chapters/lessons/lesson_4"]
    assert sum(open_words(name)[1] for name in scripts) == 29
    assert minutes("chapters/teaching", *scripts) <= SITTING


@pytest.mark.parametrize("lesson", [1, 4])
def test_the_plan_says_how_long_a_lesson_takes_to_prepare(lesson):
    """With the plan, the script and what is printed, rounded to five minutes."""
    papers = [f"handouts/lesson-{lesson}/{name}" for name in ("sheet", "key-short", "card")]
    found = minutes("chapters/teaching", f"chapters/lessons/lesson_{lesson}", *papers)
    assert told("full", lesson) == 5 * round(found / 5)
    script = BeautifulSoup((SITE / f"chapters/lessons/lesson_{lesson}.html").read_text("utf-8"), "html.parser")
    for other in script.select(".lesson-answer-of, script, style, annotation, .headerlink, [hidden]"):
        other.decompose()
    everything = len(script.select_one("article").get_text(" ").split())
    folded = everything - open_words(f"chapters/lessons/lesson_{lesson}")[0]
    assert told("the subject is new", lesson) == 5 * round((found + folded / SPEED) / 5)


def told(case, lesson):
    """Return how many minutes the plan gives to preparing a lesson in one of its three cases."""
    page = BeautifulSoup((SITE / "chapters/teaching.html").read_text("utf-8"), "html.parser")
    rows = [[cell.get_text() for cell in row.select("td")] for row in page.select("tr")]
    cell = next(row for row in rows if row and row[0].strip() == case)[{1: 2, 4: 3}[lesson]]
    return int(re.search(r"about\s(\d+)\sminutes", cell)[1])


@pytest.mark.parametrize("lesson", [1, 4])
def test_the_plan_says_how_long_the_short_way_takes(lesson):
    """With the box of what the lesson takes from earlier ones, which the first one has not, the sheet and the card."""
    script = BeautifulSoup((SITE / f"chapters/lessons/lesson_{lesson}.html").read_text("utf-8"), "html.parser")
    for formula in script.select("annotation"):
        formula.decompose()
    boxes = [box for box in script.select("details") if "takes from earlier ones" in box.summary.get_text()]
    assert len(boxes) == (lesson > 1)
    box = sum(len(each.get_text(" ").split()) for each in boxes)
    sheet, card = (open_words(f"handouts/lesson-{lesson}/{name}")[0] for name in ("sheet", "card"))
    found = (box + sheet + card) / DENSE + len(script.select("a.step:not(.optional)")) * LOOK / 60
    assert found <= told("short of time", lesson) + 0.5 <= 20.5


def test_there_are_eight_of_them():
    assert [name[-1] for name in LESSONS] == list("12345678")


def card_of(lesson):
    """Yield how often Page Down is pressed at a step: as its row of the card says, and once more at its end."""
    card = homework.parsed(homework.card(lesson[-1], SITE))
    for row in card.select("tr"):
        if len(row.select("td")) > 1:
            presses = re.findall(r"Page Down(?: (\d+) times)?", " ".join(td.get_text() for td in row.select("td")[3:]))
            yield 1 + sum(int(times or 1) for times in presses)


# The right choice, the curve and the value of each reading that the class sees, and the names that the address hides.
READINGS = """() => {
  const figure = document.querySelector(".live-presenting");
  const all = [...document.querySelectorAll(".predict, figure.live")];
  const question = all[all.indexOf(figure) - 1];
  const right = question.querySelector(`input[value="${question.dataset.answer}"]`);
  const cells = [...figure.querySelectorAll(".live-side [data-curve]")];
  return {
    right: right?.closest("label").querySelector("span").textContent ?? "",
    seen: Object.fromEntries(cells.filter((cell) => cell.checkVisibility({ visibilityProperty: true }))
      .map(({ dataset: { curve, value } }) => [curve, Number(value)])),
    waits: new URLSearchParams(location.search).getAll("waits"),
    caption: figure.querySelector("figcaption")?.checkVisibility({ visibilityProperty: true }) ?? false,
    heard: [figure.querySelector("[id$='--now']"), figure.querySelector(".live-status")]
      .map((one) => one?.textContent ?? "").concat(figure.querySelector(".live-readings")?.ariaLabel ?? "").join(" "),
  };
}"""
REACHED = {
    "both answers"
}  # it is a bound on the loss that is asked for, and that the loss comes close to it is the answer


def tells(reading, choice):
    """Whether a number of a choice is that of a reading, as a share, in per cent, or as one in so many."""
    said = [reading, 100 * reading, 100 * (reading - 1), 1 / reading if reading else math.inf]
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", choice.replace(" 000", "000"))]
    return any(abs(value - number) < 0.025 * number for value in said for number in numbers)


def gives_nothing_away(asked, part):
    """No number of the table tells the answer before the vote is closed; what waits for it is then seen."""
    now, _, whole = part.partition("/")
    if now == whole:
        assert set(asked["waits"]) <= set(asked["seen"])  # each is the name of a curve
        return
    assert not asked["caption"], asked
    assert [
        curve for curve in asked["waits"] if re.search(rf"{re.escape(curve)}”?(?: is)?(?: lowest,)? \d", asked["heard"])
    ] == []
    telling = {curve for curve, value in asked["seen"].items() if tells(value, asked["right"])}
    assert not telling - REACHED and not set(asked["waits"]) & set(asked["seen"]), asked


@pytest.mark.parametrize("lesson", LESSONS)
def test_page_down_alone_leads_through_a_lesson_and_shows_no_answer_too_early(open_page, lesson):
    page = open_page(f"chapters/lessons/{lesson}.html", reduced_motion="reduce", **SCREEN)
    steps = page.evaluate("lessons[/\\d/.exec(location.pathname.split('/').pop())[0]]")
    said = page.evaluate(SAID)
    seen, asked = [begun(page)], {}
    page.set_viewport_size(PHONE["viewport"])
    page.evaluate(DRAWN)
    assert not page.evaluate(SEEN)["cut"]  # a slide fits a phone too
    page.set_viewport_size(SCREEN["viewport"])
    while seen[-1]["step"] < len(steps) - 1:
        seen.append(after(page, "PageDown", seen[-1]))
        before, now = seen[-2:]
        if over := range(before["step"] + 1, now["step"]):
            assert all("&optional" in steps[step] for step in over) and "&optional" not in steps[before["step"]]
            seen[-1] = now = opened(page, steps[over[0]])
        assert now["step"] in (before["step"], before["step"] + 1)
        if now["part"].startswith("1/") and now["answer"] == "waits":
            asked[now["step"]] = int(now["part"].partition("/")[2])
        if now["step"] in asked:
            gives_nothing_away(page.evaluate(READINGS), now["part"])
    shown = [" ".join(each["screen"] for each in seen if each["step"] == step) for step in asked]
    for numbers, screen in zip(typed(lesson), shown, strict=True):
        assert [number for number in numbers if not is_shown(number, screen)] == []
    # Each question opens where its answer still waits, and there are words for each of its parts.
    assert list(asked.values()) == said
    # The card counts the presses at each step. The last step has none that leads on.
    pressed = [sum(each["step"] == step for each in seen) for step in range(len(steps) - 1)]
    assert [*card_of(lesson)][:-1] == pressed
    for one in seen:
        assert one["words"] and not one["cut"] and not one["script"], one
        first, _, last = one["part"].partition("/")
        assert first == last or one["answer"] == "waits", one
    assert "Homework" in seen[-1]["words"]
    page.keyboard.press("PageDown")  # no step behind the last one
    assert page.evaluate(SEEN) == seen[-1]
    page.go_back()
    page.wait_for_url(f"**/{lesson}.html")


def test_the_steps_for_which_there_is_no_time_are_passed_over_both_ways_unless_one_is_shown(open_page):
    page, _ = with_a_window(open_page)
    status = page.locator(".lesson-bar [role=status]")
    page.locator("a.step", has_text="Step 9").click()
    expect(status).to_contain_text("Step 9 of 16")
    page.keyboard.press("PageUp")
    expect(status).to_contain_text("Step 6 of 16")
    page.locator("a.step", has_text="Step 7").click()
    expect(status).to_contain_text("Step 7 of 16, 4/4. Next: a larger sensitivity")
    page.keyboard.press("PageDown")
    expect(status).to_contain_text("Step 8 of 16, 4/4. Next: “")
    page.keyboard.press("PageUp")
    expect(status).to_contain_text("Step 7 of 16")


@pytest.mark.parametrize("steps", ["1", "16", "17", "two"])
def test_a_step_that_may_not_be_passed_over_is_told(steps):
    doctree = new_document("")
    doctree += [nodes.container("", classes=["slide"]) for _ in range(16)]
    with pytest.raises(ExtensionError, match=f"optional must be steps from 2 to 15, got {steps}"):
        extension.addresses("chapters/lessons/lesson_1", doctree, {steps})


def test_page_up_leads_back_and_escape_leaves(open_page):
    page = open_page("chapters/lessons/lesson_1.html", **SCREEN)
    first = begun(page)
    second = after(page, "PageDown", first)
    assert after(page, "PageUp", second) == first
    page.keyboard.press("Escape")
    page.wait_for_url("**/lesson_1.html")


def test_escape_leads_from_a_figure_to_the_script(open_page):
    page = open_page("chapters/lessons/lesson_1.html", **SCREEN)
    with page.expect_event("load"):
        page.evaluate("location.assign('../attackers.html?lesson=1.5#pure-odds:epsilon=1;present=pure-odds')")
    wait_until(page, READY)
    page.keyboard.press("n")  # notes are the teacher's
    assert page.locator(".live-panel:visible").count() == 0 and not page.locator("[data-action=notes]").is_visible()
    page.keyboard.press("c")
    page.keyboard.press("Escape")  # closes the caption
    assert page.locator("figure.live-presenting").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_url("**/lesson_1.html")


def test_a_black_screen_ends_with_the_next_key_and_nothing_else_happens(open_page):
    page, shown = with_a_window(open_page)
    black = "document.documentElement.matches('.lesson-black')"
    for key, back in (("b", "PageDown"), (".", "b")):
        page.keyboard.press(key)
        wait_until(shown, black)
        assert shown.evaluate("getComputedStyle(document.documentElement, '::after').backgroundColor") == "rgb(0, 0, 0)"
        page.keyboard.press(back)
        wait_until(shown, f"!{black}")
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 1 of 16")
    shown.keyboard.press("Escape")  # which does nothing in the window of the class
    shown.keyboard.press("PageDown")
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 2 of 16")


def test_a_script_that_was_reloaded_goes_on_at_its_step(open_page):
    page, shown = with_a_window(open_page)
    status = page.locator(".lesson-bar [role=status]")
    page.locator("a.step", has_text="Step 3").click()
    expect(status).to_contain_text("Step 3 of 16")
    began = page.evaluate("JSON.parse(sessionStorage.getItem('lesson')).began")
    page.reload()
    expect(status).to_contain_text("Page Down shows step 3 there again")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('lesson')).began") == began
    page.keyboard.press("PageDown")
    expect(status).to_contain_text("Step 3 of 16")
    page.keyboard.press("PageDown")
    expect(status).to_contain_text("Step 4 of 16")
    wait_until(shown, "location.search.includes('lesson=1.3')")


def test_an_address_without_a_figure_shows_the_page(open_page):
    page = open_page("chapters/pure.html?lesson=1.5", **SCREEN)
    wait_until(page, "!document.documentElement.matches('.in-lesson')")
    assert page.locator("h1").is_visible()


def with_a_window(open_page):
    """Return the script of lesson 1 and the window of its class."""
    page = open_page("chapters/lessons/lesson_1.html", **SCREEN)
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Open a window for the class").click()
    wait_until(opened.value, READY)
    return page, opened.value


def test_the_teachers_page_drives_a_window_of_the_class(open_page):
    page, shown = with_a_window(open_page)
    status = page.locator(".lesson-bar [role=status]")

    def told(text):
        expect(status).to_contain_text(text)

    told("Step 1 of 16")
    told("The class sees the marked slide.")
    assert page.locator(".clock").inner_text() == "Minute 0 (plan: 0 to 10)"
    page.keyboard.press("PageDown")
    told("Step 2 of 16")
    page.locator("a.step", has_text="Step 6").click()
    told("Step 6 of 16, 1/4")
    told("Next: more of this figure.")
    page.get_by_role("button", name="Next step").click()
    told("Step 6 of 16, 2/4")
    assert page.evaluate(
        "[...document.querySelectorAll('li.now')].map((li) => [...li.parentElement.children].indexOf(li))"
    ) == [1]
    assert page.locator("section.now > h2").inner_text().startswith("Laplace noise")
    assert page.locator("a.now").inner_text() == "two neighbouring answers"
    expect(page.locator("li.now")).to_be_in_viewport(ratio=1)
    shown.keyboard.press("PageUp")  # a clicker may be heard by either window
    told("Step 6 of 16, 1/4")
    assert "notes" not in status.inner_text().lower()
    assert shown.evaluate("document.querySelectorAll('.live-panel p').length") == 4  # the choices
    lines = status.inner_text().split("\n")
    assert [line[:3] for line in lines[1:]] == ["A. ", "B. ", "C. ", "D. "] and lines[0].endswith("?")


def words(part):
    return " ".join(part.get_text().split())


def asked_before(page, figure):
    """The question that stands before a figure of a built page."""
    found = page.select("div.predict, figure.live")
    return found[[each.get("id") for each in found].index(figure) - 1]


@pytest.mark.parametrize("lesson", LESSONS)
def test_script_has_the_answer_to_each_question_with_the_reasons(lesson):
    folder = SITE / "chapters/lessons"
    script = BeautifulSoup((folder / f"{lesson}.html").read_text("utf-8"), "html.parser")
    links, boxes = script.select("a.live-set[href*=':step=0']"), script.select("details.lesson-answer")
    assert len(links) == len(boxes) > 0
    for link, box in zip(links, boxes, strict=True):
        place, figure = re.fullmatch(r"([^?#]+)(?:\?[^#]*)?#.*;present=([^:]+):step=0", link["href"]).groups()
        page = BeautifulSoup((folder / place).read_text("utf-8"), "html.parser")
        question = asked_before(page, figure)
        letter = [each["value"] for each in question.select("input[type=radio]")].index(question["data-answer"])
        right = words(question.select("label span")[letter])
        assert words(box.summary) == f"Answer to “{words(link)}”: {'ABCDEFGH'[letter]}, {right}"
        assert words(question.legend) in words(box)
        assert all(words(reply) in words(box) for reply in question.select(".predict-reply"))
        assert not box.select("p p, p div, a.live-set, .live-name, .predict-reply, [id]")


HANDS = ["12", "30", "7", "3"]
QUESTION = "chapters/pure.html?lesson=1.5#pure-densities:epsilon=0.7,sensitivity=1,y=-3;present=pure-densities:step=0"


# Which choice of the question before a figure is right, in the order of the page.
RIGHT = """() => {
  const all = [...document.querySelectorAll(".predict, figure.live")];
  const question = all[all.findIndex(({ id }) => id === "pure-densities") - 1];
  return [...question.querySelectorAll("input")].findIndex(({ value }) => value === question.dataset.answer);
}"""


def test_hands_typed_on_the_teachers_page_stand_beside_the_answer_and_not_before(open_page):
    page, shown = with_a_window(open_page)
    expect(page.locator(".lesson-fields")).to_have_count(0)  # a slide asks nothing
    page.locator("a.step", has_text="Step 6").click()
    fields = page.locator(".lesson-fields input")
    expect(fields).to_have_count(4)
    for field, count in zip(fields.all(), HANDS, strict=True):
        field.fill(count)
    for part in ("2/4", "3/4"):
        fields.last.press("PageDown")
        expect(page.locator(".lesson-bar [role=status]")).to_contain_text(f"Step 6 of 16, {part}")
        assert shown.locator(".lesson-hands").count() == 0 and "30" not in shown.inner_text("body")
    fields.last.press("PageDown")
    counts = [f"{count} ✓" if place == shown.evaluate(RIGHT) else count for place, count in enumerate(HANDS)]
    expect(shown.locator(".lesson-hands .count")).to_have_text(counts)
    expect(shown.locator(".lesson-hands .choice").last).to_have_text(re.compile("^D it "))
    wait_until(
        shown, "(({ scrollHeight: all, clientHeight: seen }) => all <= seen + 1)(document.querySelector('.live-side'))"
    )
    for step in ("Step 5", "Step 6"):
        page.locator("a.step", has_text=step).click()
        expect(page.locator(".lesson-bar [role=status]")).to_contain_text(step)
    expect(fields).to_have_count(4)
    assert [field.input_value() for field in fields.all()] == HANDS


def test_hands_typed_blind_in_one_window(open_page):
    page = open_page(QUESTION, **SCREEN)
    wait_until(page, READY)
    counting, bars = page.locator(".lesson-counting"), page.locator(".lesson-hands")
    for key in ["v", "9", "Enter", "Escape", "v", "1", "2", "5", "Backspace", "Enter", "3"]:
        page.keyboard.press(key)
    assert counting.inner_text() == "Counting hands: A ✓ B …" and counting.is_visible()
    for key in ["0", "Enter", "7", ",", "3", "Enter"]:
        page.keyboard.press(key)
    expect(counting).to_have_count(0)
    page.keyboard.press("PageDown")
    assert bars.count() == 0
    page.keyboard.press("a")
    expect(bars).to_have_attribute("aria-label", "Hands: A 12, B 30, C 7, D 3")
    page.keyboard.press("PageUp")
    expect(bars).to_have_count(0)


def test_choices_stay_when_the_first_curve_comes(open_page):
    page = open_page(QUESTION, **SCREEN)
    wait_until(page, READY)
    beside, below = page.locator(".live-panel p"), page.locator(".live-title p")
    choices = beside.all_inner_texts()
    assert len(choices) == 4 and not below.first.is_visible()
    top = page.locator(".live-presenting .live-picture").bounding_box()["y"]
    page.keyboard.press("PageDown")
    expect(below.first).to_be_visible()
    assert ["".join(text.split()) for text in below.all_inner_texts()] == ["".join(text.split()) for text in choices]
    assert page.locator(".live-presenting .live-picture").bounding_box()["y"] == top
    page.keyboard.press("a")
    assert not below.first.is_visible()  # the answer takes their place


@pytest.mark.parametrize("asks", [True, False])
def test_arrow_keys_move_the_last_slider_that_the_link_sets(open_page, asks):
    site = open_page("chapters/lessons/lesson_1.html", reduced_motion="reduce", **SCREEN)
    steps = site.evaluate("lessons[1]")
    link = next(step for step in steps if ",y=-3;present=pure-densities" in step and (":step=" in step) == asks)
    page = open_page(link, reduced_motion="reduce", **SCREEN)
    wait_until(page, READY)
    assert page.evaluate("document.activeElement.name") == "y"
    assert page.evaluate("Object.keys(live.presented.figure.ranges)[0]") != "y"
    at = "live.presented.figure.values.y"
    for focused in (True, False):
        if not focused:
            page.evaluate("document.activeElement.blur()")
        for key in ("Home", "End", "ArrowLeft"):
            before = page.evaluate(at)
            page.keyboard.press(key)
            wait_until(page, f"{at} {'<' if key != 'End' else '>'} {before}")


def test_a_key_before_the_lessons_script_turns_nothing(open_page):
    page = open_page(QUESTION, **SCREEN)
    wait_until(page, READY)
    page.evaluate("document.documentElement.classList.remove('lesson-begun')")
    part = page.locator(".live-lecture > span").first
    before = part.inner_text()
    page.keyboard.press("PageDown")
    assert part.inner_text() == before
    page.evaluate("document.documentElement.classList.add('lesson-begun')")
    page.keyboard.press("PageDown")
    assert part.inner_text() != before


def test_page_down_before_the_page_is_ready_moves_no_slider_and_counts_once(open_page):
    page, held = open_page(QUESTION, own=True, **SCREEN), []
    page.route("**/lesson.js*", lambda route: held.append(route))
    page.reload(wait_until="domcontentloaded")
    wait_until(page, "document.activeElement.type === 'range' && globalThis.live.presented.figure")
    values = "JSON.stringify(live.presented.figure.values)"
    before, focused = page.evaluate(values), page.evaluate("document.activeElement.value")
    for key in ("PageDown", "PageDown", "ArrowLeft", "End"):
        page.keyboard.press(key)
    assert page.evaluate(values) == before and page.evaluate("document.activeElement.value") == focused
    held[0].continue_()
    wait_until(page, "document.querySelector('html.lesson-begun .live-lecture > span')?.textContent.startsWith('2/')")
    assert page.evaluate(values) == before


def test_page_up_from_a_figure_that_asks_nothing_leads_to_the_step_before(open_page):
    site = open_page("chapters/lessons/lesson_1.html", reduced_motion="reduce", **SCREEN)
    steps = site.evaluate("lessons[1]")
    place = next(i for i, step in enumerate(steps) if ";present=pure-densities" in step and ":step=" not in step)
    page = open_page(steps[place], reduced_motion="reduce", **SCREEN)
    wait_until(page, READY)
    page.keyboard.press("PageUp")
    page.wait_for_url(f"**lesson=1.{place - 1}*")


def test_keys_of_the_script_reach_the_class_and_leave_the_counts_alone(open_page):
    page, shown = with_a_window(open_page)
    page.locator("a.step", has_text="Step 6").click()
    fields = page.locator(".lesson-fields input")
    fields.last.fill("14")
    for part in ("2/4", "3/4", "4/4"):
        page.keyboard.press("PageDown")
        expect(page.locator(".lesson-bar [role=status]")).to_contain_text(f"Step 6 of 16, {part}")
    at = "JSON.stringify(live.presented.figure.values)"
    for key in ("2", "ArrowRight", "Home"):
        before = shown.evaluate(at)
        page.keyboard.press(key)
        wait_until(shown, f"{at} !== {before!r}")
    page.keyboard.press("Shift+C")  # a capital letter, as with Caps Lock
    expect(shown.locator(".live-panel:visible")).to_have_count(1)
    assert fields.last.input_value() == "14"


def test_a_lesson_runs_where_the_browser_remembers_nothing(open_page):
    page = open_page("chapters/lessons/lesson_1.html", own=True, **SCREEN)
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    page.reload()
    page.get_by_role("button", name="Open a window for the class").click()
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 1 of 16")
    page.keyboard.press("PageDown")
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 2 of 16")


def test_what_is_pressed_while_the_class_waits_for_its_page_is_not_lost(open_page):
    page, shown = with_a_window(open_page)
    page.evaluate("[...document.querySelectorAll('a.step')].find((link) => link.textContent === 'Step 6').click()")
    for key in ("PageDown", "2"):  # at once: the window of the class has not changed its page yet
        page.keyboard.press(key)
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 6 of 16, 2/4")
    second = "JSON.parse(live.use('lecture').presets(live.presented.figure)[1].dataset.values)"
    wait_until(
        shown, f"Object.entries({second}).every(([name, value]) => live.presented.figure.values[name] === value)"
    )


def test_a_window_that_was_closed_opens_again_at_its_step(open_page):
    page, shown = with_a_window(open_page)
    status = page.locator(".lesson-bar [role=status]")
    page.locator("a.step", has_text="Step 3").click()
    expect(status).to_contain_text("Step 3 of 16")
    shown.close()
    expect(status).to_contain_text("Page Down shows step 3 there again")
    with page.context.expect_page() as opened:
        page.keyboard.press("PageDown")
    wait_until(opened.value, READY)
    expect(status).to_contain_text("Step 3 of 16")
    opened.value.close()
    with page.context.expect_page() as opened:
        page.locator("a.step", has_text="Step 5").click()
    wait_until(opened.value, READY)
    expect(status).to_contain_text("Step 5 of 16")
    assert page.url.endswith("lesson_1.html")


def test_a_button_leads_to_what_is_still_to_say_below_the_window(open_page):
    page, _ = with_a_window(open_page)
    page.locator("a.step", has_text="Step 5").click()
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 5 of 16")
    more = page.locator(".lesson-bar button", has_text="More below")
    expect(more).to_be_visible()
    more.click()
    for _ in range(4):  # it may be gone by then, since all that is left is in sight
        more.evaluate("one => one.click()")
    expect(more).to_be_hidden()
    said = page.locator("article :is(p, blockquote, li, details).now").last
    assert (
        said.evaluate("one => one.getBoundingClientRect().bottom")
        <= page.locator(".lesson-bar").bounding_box()["y"] + 1
    )


def test_a_question_that_was_answered_is_answered_when_the_class_comes_back(open_page):
    page, shown = with_a_window(open_page)
    page.locator("a.step", has_text="Step 7").click()
    status = page.locator(".lesson-bar [role=status]")
    expect(status).to_contain_text("Step 7 of 16")
    wait_until(shown, READY)
    page.keyboard.press("PageUp")  # nothing is asked at step 7
    expect(status).to_contain_text("Step 6 of 16, 4/4")
    expect(shown.locator(".live-title > span", has_text=re.compile("Answer at .*: D"))).to_be_visible()


def presented(open_page, lesson, step, *keys):
    """Open a step of a lesson and press these keys. Return the page."""
    page = open_page(f"chapters/lessons/lesson_{lesson}.html", reduced_motion="reduce", **SCREEN)
    address = page.evaluate("([lesson, step]) => lessons[lesson][step - 1]", [lesson, step])
    shown = open_page(address, reduced_motion="reduce", **SCREEN)
    wait_until(shown, READY)
    for key in keys:
        shown.keyboard.press(key)
    return shown


def test_a_figure_that_asks_nothing_has_the_title_that_its_script_names(open_page):
    page = presented(open_page, "1", 7, "1")
    wait_until(page, "document.querySelector('.live-presenting').live.values.y === 0.5")
    assert page.locator(".live-title").inner_text() == "How do the two densities compare?"


def test_an_answer_is_quiet_at_a_setting_that_it_is_not_about(open_page):
    page = presented(open_page, "1", 11, *["PageDown"] * 4)
    title = page.locator(".live-title > span:last-child")
    expect(title).not_to_have_class(re.compile("lesson-moved"))
    assert title.inner_text().startswith("Answer at π = 0.1, ε = 1: C".replace(" = ", "\u00a0=\u00a0"))
    page.keyboard.press("2")
    expect(title).to_have_class(re.compile("lesson-moved"))
    wait_until(page, "document.querySelector('.live-presenting').live.values.prior === 0.5")
    assert title.inner_text().startswith("Answer at π = 0.1, ε = 1: C".replace(" = ", "\u00a0=\u00a0"))
    colour = "(one) => getComputedStyle(one).color"
    assert title.evaluate(colour) != title.locator("small").evaluate(colour)


def figure(name):
    return nodes.raw("", f'<figure class="live" id="{name}"></figure>', format="html")


def test_a_code_holds_the_address_of_the_question_on_the_published_site(tmp_path):
    doctree = new_document("page")
    doctree += [predict(name="predict-1"), figure("growth"), figure("alone"), nodes.raw("", "<hr>", format="html")]
    assert codes.question_of(doctree, "growth") == "predict-1"
    assert codes.question_of(doctree, "alone") is None and codes.question_of(doctree, "unknown") is None
    codes.write(tmp_path / "codes", {"1.5": "https://example.org/dp/chapters/pure.html#predict-1"})
    code = (tmp_path / "codes" / "1.5.svg").read_text("utf-8")
    assert code.startswith("<svg") and "http" not in code.replace("http://www.w3.org/2000/svg", "")


def test_lessons_are_written_anew_since_their_answers_come_from_other_pages():
    app = SimpleNamespace(builder=SimpleNamespace(format="text"))
    assert extension.write(app, SimpleNamespace(metadata={"lesson_1": {"steps": []}, "pure": {}})) == ["lesson_1"]


# The words of the step that are marked, and where the first of them and the step's slide stand in the window.
MARKED = """() => {
  const marked = [...document.querySelectorAll("article :is(p, blockquote, ul, ol, li, details).now")];
  const top = document.querySelector(".slide.now")?.getBoundingClientRect().top;
  return { words: marked.map((one) => one.innerText), top };
}"""


def test_what_is_said_at_a_step_is_marked_up_to_the_next_step(open_page):
    page, _ = with_a_window(open_page)
    page.locator("a.step", has_text="Step 4").click()
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 4 of 16")
    marked = page.evaluate(MARKED)
    assert 0 < marked["top"] < 200 and len(marked["words"]) > 2
    assert "Then ask about 106" in "".join(marked["words"]) and "36 cases does this happen" not in marked["words"][0]
    page.locator("a.step", has_text="Step 5").click()  # what leads to a figure is said before the class sees it
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("Step 5 of 16")
    marked = page.evaluate(MARKED)["words"]
    assert any(words.startswith("The dice fail in the tails") for words in marked)
    page.keyboard.press("PageDown")
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("1/4")
    first, *_, last = page.evaluate(MARKED)["words"]
    assert first.startswith("Now show") and last.startswith("The picture is still empty")
    page.keyboard.press("PageDown")
    expect(page.locator(".lesson-bar [role=status]")).to_contain_text("2/4")
    assert [words.startswith("If the true answer is 0") for words in page.evaluate(MARKED)["words"]] == [True]


def test_shift_goes_past_a_figure_from_the_script_too(open_page):
    page, _ = with_a_window(open_page)
    status = page.locator(".lesson-bar [role=status]")
    page.locator("a.step", has_text="Step 6").click()
    expect(status).to_contain_text("Step 6 of 16, 1/4")
    page.keyboard.press("Shift+PageDown")
    expect(status).to_contain_text("Step 7 of 16")
    page.keyboard.press("Shift+PageUp")
    expect(status).to_contain_text("Step 6 of 16")


def test_a_page_with_one_figure_says_which_step_it_is(open_page):
    assert (SITE / "chapters/errors.html").read_text("utf-8").count('<figure class="live"') == 1
    script = open_page("chapters/lessons/lesson_5.html", **SCREEN)
    page = open_page(f"chapters/{script.evaluate('globalThis.lessons[5][1]').split('chapters/')[1]}", **SCREEN)
    wait_until(page, READY)
    assert "chapters/errors.html?lesson=5.1" in page.url
    assert "step 2 of" in page.locator(".live-lecture").inner_text()


def test_a_message_from_elsewhere_turns_nothing(open_page):
    page = open_page("chapters/lessons/lesson_1.html?lesson=1.0", **SCREEN)
    wait_until(page, READY)
    before = page.evaluate(SEEN)
    page.evaluate("new Promise((done) => { postMessage({ turn: 1 }, '*'); setTimeout(done, 200); })")
    assert page.evaluate(SEEN) == before


def test_a_finger_goes_from_slide_to_slide_and_leaves(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page("chapters/lessons/lesson_1.html", **phone)
    begun(page)
    bar = page.locator(".slide.now .lesson-touch")
    assert "step 1 of 16" in bar.inner_text()
    sizes = bar.locator("button").evaluate_all("(all) => all.flatMap((one) => [one.offsetWidth, one.offsetHeight])")
    assert len(sizes) == 6 and min(sizes) >= 44
    with page.expect_event("load"):
        bar.get_by_role("button", name="Next step").tap()
    wait_until(page, READY)
    assert page.evaluate(SEEN)["step"] == 1 and "step 2 of 16" in bar.inner_text()
    with page.expect_event("load"):
        bar.get_by_role("button", name="Step back").press("Enter")  # a key that turns to the next step elsewhere
    wait_until(page, READY)
    assert page.evaluate(SEEN)["step"] == 0
    finger = Finger(page)
    finger.swipe(300, 300, -60, 200)  # down rather than sideways
    finger.swipe(300, 300, 0, 0)
    assert page.evaluate(SEEN)["step"] == 0
    for across, step in ((-150, 1), (150, 0)):
        with page.expect_event("load"):
            finger.swipe(195, 300, across, 20)
        wait_until(page, READY)
        assert page.evaluate(SEEN)["step"] == step
    bar.get_by_role("button", name="Leave the lesson").tap()
    page.wait_for_url(lambda url: "lesson=" not in url)


def test_a_finger_turns_a_figure_and_still_moves_its_sliders(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(QUESTION, reduced_motion="reduce", **phone)
    wait_until(page, READY)
    finger, parts = Finger(page), []
    for part, across in ((".live-title", -150), (".live-one [type=range]", -150), (".live-title", 150)):
        before = page.evaluate("JSON.stringify(live.presented.figure.values)")
        box = page.locator(part).bounding_box()
        finger.swipe(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, across, 10)
        page.evaluate(DRAWN)
        parts.append(page.evaluate(SEEN)["part"])
        moved = page.evaluate("JSON.stringify(live.presented.figure.values)") != before
        assert moved == part.endswith("[type=range]")
    assert parts == ["2/4", "2/4", "1/4"]


def test_fingers_find_what_a_script_opens(open_page):
    page = open_page(
        "chapters/lessons/lesson_1.html", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    found = page.locator(
        ":is(.lesson-bar > :is(a, button), .lesson-glance > summary, .lesson-answer > summary, .step):visible"
    )
    low = "(all) => all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.innerText)"
    assert found.count() > 10 and found.evaluate_all(low) == []
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open a window for the class").tap()
    wait_until(opened.value, READY)
    assert page.locator(".lesson-bar").bounding_box()["height"] < 125
    assert page.get_by_role("button", name="Next step").bounding_box()["width"] >= 44


def test_the_number_of_a_step_is_no_part_of_the_sentence_in_which_it_stands(open_page):
    page = open_page("chapters/lessons/lesson_5.html", **SCREEN)
    sentence = page.locator("p", has=page.locator(".live-joined > .step")).first.aria_snapshot()
    assert 'then show\n  - link "(Step 2)":' in sentence and 'link "▸ the four curves"' in sentence
    assert page.locator(".slide").first.aria_snapshot().count('link "Step 1"') == 1


def test_a_slide_on_a_large_screen_has_nothing_to_touch(open_page):
    page = open_page("chapters/lessons/lesson_1.html?lesson=1.0", **SCREEN)
    wait_until(page, READY)
    assert not page.locator(".lesson-touch").is_visible()
