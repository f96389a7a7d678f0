"""Questions to predict: what waits for an answer, how it is judged, kept, forgotten and looked at again."""

import json

import pytest
from small_book import BUILDING, LINKED, RECORDS, build, environment, figure  # noqa: F401 - a fixture of every test
from toolbar import press
from waiting import wait_until

from dp_lib import live
from livefigures.page import page as live_page

PAGE = """# A page

```{{predict}} Where does it touch?
:choices: about 30 | at 265 | nowhere
:answer: 2
:replies: That is where they cross. | - | Slide *on*.
:show: touching: k=265

Because.
```

{figure}

(seen)=
This is what you saw.

## Further on

Look {{set}}`there <touching: k=1>`

```{{predict}} How many queries?
:choices: 3 | 30
:answer: 2
:figure: touching

All of them.
```
"""
FIGURE = {
    "name": "touching",
    "x": live.k(0, 500, at=100),
    "y": ("ε", 0, 100),
    "curves": {"grows": lambda k: k / 5, "level": lambda k: 0 * k + 50},
    "caption": "What it costs.",
    "alt": "Two lines.",
}


def drawn_figure(**more):
    return "```{raw} html\n" + live_page.html(live.Figure(**FIGURE, **more)) + "\n```"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the page with its two questions."""
    with pytest.MonkeyPatch.context() as patch:
        for name in (BUILDING, LINKED, RECORDS):
            patch.setenv(name, "")
        output, status, warnings = build(tmp_path_factory.mktemp("book"), {"index": PAGE.format(figure=drawn_figure())})
    assert (status, warnings) == (0, "")
    return output


@pytest.fixture
def book(built, witnessed):
    """Opens that page, in one browser context a test."""
    contexts = {}

    def open_(**options):
        key = json.dumps(options)
        contexts[key] = contexts.get(key) or witnessed(built.as_uri() + "/", **options)
        page = contexts[key].new_page()
        page.goto(built.as_uri() + "/index.html")
        return page

    return open_


def answer(page, number, choice=None):
    question = page.locator(f"#predict-{number}")
    if choice:
        question.get_by_label(choice, exact=True).check()
    question.locator("[type=submit]").click()
    return question.locator("[role=status]").inner_text()


def test_the_caption_and_the_sentence_wait_for_every_question_about_the_figure(book):
    page = book()
    caption = page.locator("figcaption")
    assert not caption.is_visible() and not page.locator(".live-readings caption").is_visible()
    told = """() => [...document.querySelectorAll(".live-readings caption, [id=touching--now]")]
        .map((one) => one.textContent)"""
    assert page.evaluate(told) == ["", ""]  # nor is it told to those who listen
    assert page.locator(".live-wait").inner_text().startswith("Answer the question to see the rest.")
    answer(page, 1, "nowhere")
    assert not caption.is_visible()  # another question still holds it
    page.locator("[data-action=unwait]").click()
    assert page.locator(".live-wait").count() == 0
    assert caption.is_visible() and page.locator(".live-readings caption").is_visible()
    assert all(text.startswith("At ") for text in page.evaluate(told))


def shown_reading(page):
    """Whether a curve and its reading are seen, and what stands in the number's place."""
    return page.evaluate("""() => {
      const seen = (part) => part.checkVisibility({ visibilityProperty: true });
      const cell = document.querySelector("[data-curve=level]");
      const curve = document.querySelector("#touching--curve-1 path");
      const cells = [...cell.parentElement.querySelectorAll("td")].filter(seen);
      return [seen(curve), seen(cell), cells.map(({ textContent }) => textContent === "?")];
    }""")


WAITS, SHOWN = [False, False, [True]], [True, True, [False]]


def test_curves_and_readings_wait_until_the_reader_answers_or_asks_for_them(book):
    page = book(reduced_motion="reduce")
    alt = "document.querySelector('.live-picture desc').textContent"
    assert shown_reading(page) == WAITS
    assert page.get_by_role("row", name="level").get_by_role("cell", name="?").count() == 1
    assert page.evaluate(alt) == "Hidden until you answer the question: grows and level."
    page.locator("input[name=k]").press("ArrowRight")
    assert shown_reading(page) == WAITS  # to move a slider is not to answer
    wait_until(page, "document.querySelector('.live-status').textContent === 'no curve is shown yet.'")
    page.locator(".live-menu summary").click()
    giving = page.locator(":is([data-action=table], [data-action=svg], [data-action=csv], [data-action^=png])")
    assert giving.count() == 6
    assert not any(button.is_visible() for button in giving.all())
    page.locator(".live-menu summary").click()
    page.locator("[data-action=unwait]").click()
    assert shown_reading(page) == SHOWN
    assert page.evaluate(alt).endswith("Two lines.")
    page.locator(".live-menu summary").click()
    assert all(button.is_visible() for button in giving.all())
    page.locator(".live-menu summary").click()
    wait_until(page, "location.hash === '#touching:k=101'")
    page.reload()
    assert shown_reading(page) == WAITS  # the address is the reader's own
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    assert shown_reading(page) == SHOWN  # a link shows what its sender saw
    page.goto("about:blank")
    page.goto(link.split("#")[0])
    assert shown_reading(page) == WAITS
    page.locator("article > p a.live-set, section > p a.live-set").first.click()  # who goes on in the text
    assert shown_reading(page) == SHOWN


def test_paper_shows_the_picture_its_numbers_and_the_text(book):
    page = book()
    page.emulate_media(media="print")
    assert shown_reading(page) == SHOWN and text_is_seen(page)
    said = page.locator(".live-readings caption")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert said.text_content().startswith("At k = 100, ") and "grows" in said.text_content()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert said.text_content() == "" and page.locator(".predict-answer:not([hidden])").count() == 0


def text_is_seen(page):
    """Whether the text below the figure is laid out, up to the next heading; what comes then always is."""
    assert page.get_by_role("heading", name="Further on").is_visible()
    return page.get_by_text("This is what you saw.").evaluate("text => text.offsetHeight > 0")


@pytest.mark.parametrize("button", ["unwait", "unwait-all"])
def test_text_below_the_figure_waits_with_it(button, book):
    page = book()
    assert not text_is_seen(page)
    page.locator(f"[data-action={button}]").click()
    assert text_is_seen(page) and shown_reading(page) == SHOWN and page.locator(".live-wait").count() == 0
    focused = "[document.activeElement.id, document.querySelector('.live-status').textContent]"
    assert page.evaluate(focused) == ["touching", "The whole figure is shown."]  # for those who listen


def test_buttons_that_show_what_waits_keep_apart_on_a_phone(book):
    page = book(viewport={"width": 390, "height": 844}, has_touch=True)
    one, other = (page.locator(f"[data-action={name}]").bounding_box() for name in ("unwait", "unwait-all"))
    across, down = other["x"] - one["x"] - one["width"], other["y"] - one["y"] - one["height"]
    assert max(across, down) >= 8
    touched = page.locator(".live-wait button, #predict-1 :is(label, [type=submit])").all()
    assert len(touched) == 6 and all(part.bounding_box()["height"] >= 44 for part in touched)


FURTHER = """# A page

```{predict} Which rule holds?
:choices: this | that
:answer: 2
:waits: rule another

That one.
```

(rule)=
## The rule

That one holds.

## An end

(another)=
As the rule says.
"""


def test_a_question_without_a_figure_holds_back_the_parts_that_it_names(tmp_path, witnessed):
    output, _, warnings = build(tmp_path, {"index": FURTHER, "wrong": FURTHER.replace("rule another", "rules")})
    assert ":waits: names 'rules', which is no label of this page" in warnings
    context = witnessed(output.as_uri() + "/")
    for release in ("document.querySelector('[data-action=unwait]').click()", "location.hash = 'rule'"):
        page = context.new_page()
        page.goto(output.as_uri() + "/index.html")
        parts = [
            page.get_by_text(words) for words in ("That one holds.", "As the rule says.", "Answer the question to")
        ]
        seen = "part => part.checkVisibility() && part.offsetHeight > 0"
        assert [part.evaluate(seen) for part in parts] == [False, False, True]
        assert page.get_by_role("heading", name="An end").is_visible()
        page.evaluate(release)
        wait_until(page, "document.querySelector('.live-wait') === null")
        assert [part.evaluate(seen) for part in parts[:2]] == [True, True]


def test_text_between_a_question_and_its_figure_waits(tmp_path, witnessed):
    question = "```{predict} Where?\n:choices: left | right\n:answer: 1\n\nHere.\n```"
    output, status, _ = build(tmp_path, {"index": f"# A page\n\nBefore.\n\n{question}\n\nBetween.\n\n{drawn_figure()}"})
    assert status == 0
    page = witnessed(output.as_uri() + "/").new_page()
    page.goto(output.as_uri() + "/index.html")
    heights = "[...document.querySelectorAll('section > p:not(.live-wait)')].map((part) => part.offsetHeight > 0)"
    assert page.evaluate(heights) == [True, False]
    answer(page, 1, "left")
    assert page.evaluate(heights) == [True, True]


def test_text_after_a_box_does_not_wait_for_a_figure_in_it(tmp_path, witnessed):
    question = "```{predict} Where?\n:choices: here | there\n:answer: 1\n\nHere.\n```"
    inside = f"{question}\n\n{drawn_figure()}\n\nIn the box."
    output, status, _ = build(tmp_path, {"index": f"# A page\n\n`````{{note}}\n{inside}\n`````\n\nAfter the box."})
    assert status == 0
    page = witnessed(output.as_uri() + "/").new_page()
    page.goto(output.as_uri() + "/index.html")
    height = [
        page.get_by_text(text).evaluate("text => text.offsetHeight") for text in ("In the box.", "After the box.")
    ]
    assert height[0] == 0 < height[1]


def test_text_that_waits_is_shown_to_who_comes_by_a_link_or_searches_the_page(book):
    page = book()
    asked = "document.querySelector('.predict-review') !== null"  # by then the script has followed the link
    page.evaluate("location.hash = 'seen'")
    wait_until(page, "document.querySelector('.live-wait') === null")
    assert text_is_seen(page)
    page.reload()
    wait_until(page, asked)
    assert text_is_seen(page)
    page.goto(page.url.split("#")[0])
    page.reload()
    wait_until(page, asked)
    assert not text_is_seen(page)
    page.get_by_text("This is what you saw.").dispatch_event("beforematch")
    assert text_is_seen(page)


def test_curves_that_a_question_names_stay_in_sight(tmp_path, witnessed):
    asked = "```{{predict}} Where does it touch?\n:choices: here | there\n:answer: 2\n:stays: {}\n\nBecause.\n```\n\n"
    pages = {name: "# A page\n\n" + asked.format(name) + drawn_figure() for name in ("level", "all", "slope")}
    output, _, warnings = build(tmp_path, {"index": "# Pages\n", **pages})
    assert "'touching' has no curve 'slope'; it has: grows, level" in warnings
    parts = ".live-curve path, td[data-curve], .live-readings > caption, figcaption"
    seen = f"""() => [...document.querySelectorAll("{parts}")]
        .map((part) => part.checkVisibility({{ visibilityProperty: true }}))"""
    found, told, heads = {}, {}, {}
    for name in ("level", "all"):
        page = witnessed(output.as_uri() + "/").new_page()
        page.goto(f"{output.as_uri()}/{name}.html")
        found[name] = page.evaluate(seen)
        press(page, "table")
        page.locator(".live-grid thead th").first.wait_for()  # the script of the table is loaded by its button
        heads[name] = page.locator(".live-grid thead th").all_inner_texts()
        told[name] = page.evaluate(
            "['desc', '[id=touching--now]'].map((one) => document.querySelector(one).textContent)"
        )
    hidden, shown, sentence, caption = False, True, True, False  # the caption explains, so it always waits
    assert found["level"] == [hidden, shown, False, hidden, shown, caption]
    assert found["all"] == [shown, shown, sentence, shown, shown, caption]
    assert told["level"] == [
        "It shows level. level is level. Hidden until you answer the question: grows.",
        "At k = 100, level 50.00.",
    ]
    assert told["all"][0] == "Two lines."
    assert heads == {"level": ["k", "level"], "all": ["k", "grows", "level"]}


def test_a_mark_that_waits_is_not_even_named(tmp_path, witnessed):
    marks = {
        "half": live.Line(y=lambda: 50.0, label="half of it"),
        "touch": live.Point(x=lambda: 250.0, y=lambda: 50.0, label="where they touch"),
    }
    output, _, warnings = build(tmp_path, {"index": PAGE.format(figure=drawn_figure(marks=marks))})
    assert warnings == ""
    page = witnessed(output.as_uri() + "/").new_page()
    page.goto(output.as_uri() + "/index.html")
    rows = page.locator(".live-readings tbody th")
    assert [row.inner_text() for row in rows.all() if row.is_visible()] == ["grows", "level"]
    page.locator("[data-action=unwait]").click()
    names = [row.inner_text() for row in rows.all() if row.is_visible()]
    assert names == ["grows", "level", "half of it", "where they touch"]


def test_before_its_script_has_begun_a_figure_tells_nothing_and_not_for_ever(tmp_path, witnessed):
    question = PAGE.partition("{figure}")[0].replace("{{", "{").replace("}}", "}")
    cell = drawn_figure().replace("html\n", 'html\n<div class="cell">', 1).replace("\n```", "</div>\n```")
    output, _, _ = build(tmp_path, {"index": question + cell})
    context = witnessed(output.as_uri() + "/")
    context.route("**/live*.js*", lambda route: route.fulfill(body=""))
    page = context.new_page()
    page.goto(output.as_uri() + "/index.html")
    seen = "getComputedStyle(document.querySelector('.live-curve')).visibility"
    assert page.evaluate(seen) == "hidden"
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    assert page.evaluate(seen) == "visible"
    page.emulate_media(media="print")
    assert page.evaluate(seen) == "visible"


def test_each_wrong_choice_has_its_own_reply_and_the_right_one_is_marked(book):
    page = book()
    assert answer(page, 1) == "Give an answer first."
    assert answer(page, 1, "about 30") == "You chose: about 30. That is where they cross. The answer is: at 265."
    assert page.get_by_label("at 265").is_disabled()
    labels = page.locator("#predict-1 label").all_inner_texts()
    assert sorted(" ".join(label.split()) for label in labels) == ["about 30 ✗ yours", "at 265 ✓ right", "nowhere"]
    assert page.locator("#predict-1 .predict-reply").first.is_visible() is False
    assert page.evaluate("document.activeElement.matches('#predict-1 .predict-said')")
    colours = [
        mark.evaluate("mark => getComputedStyle(mark).color") for mark in page.locator("#predict-1 label b").all()
    ]
    assert len(set(colours)) == 2
    page.locator("#predict-1 .live-set").click()
    page.wait_for_function("document.getElementById('touching').live.values.k === 265")  # it glides there


def test_the_right_answer_is_told_in_bold(book):
    page = book()
    page.get_by_label("at 265").check()
    page.keyboard.press("Enter")
    assert page.locator("#predict-1 .predict-said b").inner_text() == "That is right."


def test_answers_stay_in_this_browser_come_back_as_a_review_and_can_be_forgotten(book):
    page = book()
    assert not page.locator(".predict-review").is_visible()
    answer(page, 1, "nowhere")
    answer(page, 2, "30")
    again = book()
    review = again.locator(".predict-review")
    assert review.locator("p").first.inner_text() == (
        "You have answered 2 of 2 questions, 1 of 2 correct. Look again at:"
    )
    assert review.locator("a").all_inner_texts() == ["Where does it touch?"]
    assert again.get_by_label("nowhere").is_checked() and again.get_by_label("nowhere").is_disabled()
    assert again.locator("#predict-1 details").get_attribute("open") is None
    review.locator("[data-action=forget]").click()
    assert not review.is_visible() and again.get_by_label("nowhere").is_enabled()
    assert not again.locator("#predict-1 details").is_visible()
    assert again.evaluate("localStorage.length") == 0


def test_without_javascript_question_replies_and_answer_can_be_read(book):
    page = book(java_script_enabled=False)
    page.locator("#predict-1 summary").click()
    assert not page.locator("#predict-1 [type=submit]").is_visible()
    assert page.locator("#predict-1 .predict-reply").all_inner_texts() == [
        "If you chose “about 30”: That is where they cross.",
        "If you chose “nowhere”: Slide on.",
    ]
    assert page.locator("figcaption").is_visible()


def test_a_question_about_a_figure_that_is_not_there_fails_the_build(tmp_path):
    asked = "```{predict} How?\n:choices: a | b\n:answer: 1\nOPTIONS\n\nSo.\n```\n"
    for options, complaint in {
        ":figure: nowhere": "predict: no live figure 'nowhere' is on this page",
        ":figure: touching\n:stays: falls": "predict: 'touching' has no curve 'falls'; it has: grows, level",
    }.items():
        text = f"# P\n\n{drawn_figure()}\n\n{asked.replace('OPTIONS', options)}"
        _, status, warnings = build(tmp_path, {"index": text})
        assert status == 1 and complaint in warnings


def test_a_curve_that_arrives_stays_in_its_frame(show):
    page = show(live.Figure(name="steep", x=live.k(1, 9), y=("ε", 0, 1), curves={"a": lambda k: 1.0 * k}))
    page.evaluate("document.querySelector('figure.live').classList.add('live-arrives')")
    clips = "selector => getComputedStyle(document.querySelector(selector)).clipPath"
    assert page.evaluate(clips, ".live-curve path").startswith("url(")  # the frame
    assert page.evaluate(clips, ".live-curve").startswith("inset(")  # from left to right
