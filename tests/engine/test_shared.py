"""Shared sliders: figures of a page, of a file or of a notebook whose sliders move together."""

import warnings

import numpy as np
import pytest
from small_book import build, environment  # noqa: F401 - a fixture of the tests that build
from waiting import wait_until

import livefigures as lf
from livefigures.declare.parts import FigureError
from livefigures.notebook.view import panels
from livefigures.page.page import BUILDING, together
from livefigures.page.record import RECORDS
from livefigures.sphinx.page_facts import PageFacts

RATE = lf.slider("rate", 0, 0.4, at=0.2, shared=True)
YEARS = lf.slider("t", 0, 10, at=4, shared=True)
PLAN = lf.choice("plan", ["simple", "compound"], shared=True)
PAID = lf.choice("paid", ["yearly", "monthly"], when=("plan", "compound"), shared=True)


@pytest.fixture(autouse=True)
def no_other_figures(monkeypatch):
    """The figures of other tests are forgotten: on a page or in a notebook there are none."""
    monkeypatch.setattr("livefigures.figure.figures", type(lf.figures)())


def figure(name, function, sliders=(RATE,), x=YEARS, **options):
    return lf.Figure(
        name=name,
        x=x,
        y=("y", 0, 600),
        sliders=sliders,
        curves={"curve": function},
        caption="A caption.",
        alt="A curve.",
        **options,
    )


def capital(**changes):
    return figure("capital", lambda rate, t: 10 * np.exp(rate * t), **changes)


def growth(**changes):
    return figure("growth", lambda rate, t: 10 * rate * np.exp(rate * t), **changes)


def values(page, name):
    return page.evaluate(f"document.getElementById('{name}').live.values")


def test_slider_of_the_other_figure_follows_at_once(show):
    page = show(capital(), growth())
    page.focus("#capital input[name=rate]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert values(page, "growth") == values(page, "capital") == {"rate": 0.21, "t": 4}
    assert page.input_value("#growth input[name=rate]") == "0.21"
    page.focus("#growth input[name=t]")
    page.keyboard.press("End")
    assert values(page, "capital") == {"rate": 0.21, "t": 10}
    wait_until(page, "document.querySelector('#capital td[data-curve]').textContent === '81.66'")  # 10 exp(2.1)


def test_link_to_one_figure_sets_both(show):
    page = show(capital(), growth())
    page.evaluate("location.hash = 'growth:rate=0.3'")
    wait_until(page, "document.getElementById('capital').live.values.rate === 0.3")
    page.locator("#growth").get_by_role("button", name="Reset").click()
    assert values(page, "capital") == values(page, "growth") == {"rate": 0.2, "t": 4}


def test_only_shared_sliders_follow_and_only_as_far_as_they_go(show):
    own = lf.slider("rate", 0, 0.4, at=0.2)
    page = show(capital(), growth(sliders=[own]))
    page.evaluate("document.getElementById('capital').live.set({ rate: 0.3, t: 5 })")
    assert values(page, "growth") == {"rate": 0.2, "t": 5}
    shorter = lf.slider("rate", 0, 0.25, at=0.2, shared=True)
    with pytest.warns(UserWarning, match="slider 'rate' is shared with 'capital', where it has another range"):
        page = show(capital(), growth(sliders=[shorter]))
    page.evaluate("document.getElementById('capital').live.set({ rate: 0.3 })")
    assert values(page, "growth") == {"rate": 0.2, "t": 4}


def of_choices(name):
    return figure(name, lambda t, plan, paid: np.where(plan == 0, t, t + paid), sliders=(PLAN, PAID))


def test_choice_of_the_other_figure_follows_and_shows_the_choice_that_waits_for_it(show):
    page = show(of_choices("first"), of_choices("second"))
    yearly = page.locator("#second").get_by_label("yearly")
    assert not yearly.is_visible()
    page.locator("#first").get_by_label("compound").click()
    assert page.locator("#second").get_by_label("compound").is_checked() and yearly.is_visible()
    page.locator("#second").get_by_label("monthly").click()
    assert values(page, "first") == values(page, "second") == {"plan": 1, "paid": 1, "t": 4}
    page.locator("#second").get_by_label("simple").click()
    assert not yearly.is_visible() and not page.locator("#first").get_by_label("yearly").is_visible()


def test_choice_in_a_notebook_follows_too_and_its_panel_has_it_once():
    panel = of_choices("second")
    first = figure("first", lambda t, plan: t + plan, sliders=(PLAN,), panels=[panel])
    assert panel.view.sliders["paid"].layout.display == "none"
    first.view.sliders["plan"].value = 1
    assert panel.values["plan"] == 1 and panel.view.sliders["paid"].layout.display is None
    first.values = {"plan": "simple"}
    assert panel.view.sliders["paid"].layout.display == "none"
    panels([first.view, panel.view])
    assert (len(first.view.widget.children[1].children), len(panel.view.widget.children[1].children)) == (0, 3)


def test_readers_who_listen_hear_of_the_figure_that_they_move(show):
    page = show(capital(), growth())
    page.focus("#capital input[name=rate]")
    page.keyboard.press("End")
    wait_until(page, "document.querySelector('#capital .live-status').textContent !== ''")
    assert page.text_content("#growth .live-status") == ""


def test_widgets_of_a_notebook_follow_too():
    first, second = capital(), growth()
    first.values = {"rate": 0.3}  # the other one has no widgets yet
    assert second.values == {"rate": 0.2, "t": 4}
    first.view.sliders["t"].value = 7
    assert second.values == {"rate": 0.3, "t": 7}
    second.values = {"t": 2}
    assert first.values == {"rate": 0.3, "t": 2}


def test_figures_share_without_a_warning_what_is_made_once():
    with warnings.catch_warnings(action="error"):
        capital(), growth()


@pytest.fixture
def file(tmp_path, read):
    """Open the file of a figure and its panels."""

    def open_(shown, **options):
        shown.write_html(tmp_path / "both.html")
        return read(tmp_path.as_uri() + "/", "both.html", **options)

    return open_


def seen(page, selector):
    """How many of these elements are to be seen in each figure, from the first to the last."""
    visible = f"[...one.querySelectorAll('{selector}')].filter((each) => each.checkVisibility()).length"
    return page.evaluate(f"[...document.querySelectorAll('figure.live')].map((one) => {visible})")


def with_a_slider_of_its_own():
    """Return a figure with a panel, which shares one of its two sliders."""
    own = lf.slider("start", 5, 10, at=10)
    return figure("capital", lambda rate, t, start: start * np.exp(rate * t), sliders=[RATE, own], panels=[growth()])


def test_panel_has_the_shared_sliders_for_both_pictures(file):
    page = file(with_a_slider_of_its_own())
    assert seen(page, "input[type=range]") == [1, 2]
    page.focus("#growth input[name=rate]")
    page.keyboard.press("Home")
    assert values(page, "capital") == {"rate": 0, "start": 10, "t": 4}


def test_figure_without_sliders_of_its_own_has_keys_and_shows_them_in_front_of_a_class(file):
    page = file(capital(panels=[growth()]))
    assert seen(page, ".live-controls") == [0, 1]
    page.get_by_role("button", name="Reset").focus()
    page.keyboard.press("k")  # keeps a setting
    page.keyboard.press("h")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.querySelector('#capital.live-filling input[name=rate]')?.checkVisibility()")


def test_one_row_of_buttons_below_the_last_picture_is_for_both(file):
    page = file(with_a_slider_of_its_own())
    assert seen(page, ".live-buttons") == [0, 1]
    page.focus("#capital input[name=start]")
    page.keyboard.press("Home")
    page.locator("summary[aria-label=More]").locator("visible=true").click()
    page.get_by_role("button", name="Keep").click()
    assert seen(page, ".live-compare") == [1, 1]
    page.get_by_role("button", name="Reset").click()
    assert values(page, "capital") == {"rate": 0.2, "start": 10, "t": 4}
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.querySelector('#capital.live-filling .live-buttons [data-action=present]')")
    page.evaluate("document.querySelector('#capital [data-action=keep]').click()")
    page.keyboard.press("Escape")
    wait_until(page, "document.activeElement.matches('#growth > .live-buttons [data-action=present]')")
    assert seen(page, ".live-pinned [data-action=clear]") == [2, 1]  # what fills the window is alone
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("Shift+PageDown")
    wait_until(page, "document.querySelector('#growth.live-filling .live-buttons [data-action=present]')")
    page.keyboard.press("Escape")
    wait_until(page, "document.activeElement.matches('#growth > .live-buttons [data-action=present]')")
    assert seen(page, ".live-buttons") == [0, 1]


def edges(page, name):
    """The left, upper, right and lower edges of a figure's plot, in the window."""
    return page.evaluate(f"""() => {{
      const {{ svg, data: {{ frame: {{ x, y }} }} }} = document.getElementById("{name}").live;
      const {{ a, d, e, f }} = svg.getScreenCTM();
      return [a * x[0] + e, d * y[1] + f, a * x[1] + e, d * y[0] + f];
    }}""")


def stacked(**changes):
    curve = lambda rate, t: 10_000 * rate * np.exp(rate * t)  # noqa: E731
    options = {"sliders": [RATE], "curves": {"a long name": curve}, "caption": "A caption.", "alt": "A curve."}
    below = lf.Figure(name="growth", x=YEARS, y=("y", 0, 500_000), **options)
    return capital(panels=[below], stacked=True, **changes)


@pytest.mark.parametrize(
    ("window", "height", "column"), [(1280, 720, 1200), (1280, 720, 688), (1920, 1300, 1200), (390, 844, 390)]
)
def test_stacked_plots_have_one_axis_and_one_height(file, window, height, column):
    page = file(stacked(), viewport={"width": window, "height": height})
    page.add_style_tag(content=f"main {{ max-width: {column}px }}")
    wait_until(page, "document.getElementById('growth').live.of('panels').common")
    (left, top, right, bottom), (*below,) = edges(page, "capital"), edges(page, "growth")
    assert [below[0], below[2], below[3] - below[1]] == pytest.approx([left, right, bottom - top], abs=0.5)
    assert below[1] > bottom and bottom - top > 100
    if window > 600:
        assert below[3] < 0.95 * height  # both are in view, and so are the sliders beside them
        sliders = page.locator("#growth input[type=range]").all()
        assert all(right < one.bounding_box()["x"] and one.bounding_box()["y"] < below[3] for one in sliders)


def test_plots_side_by_side_have_one_height(file):
    page = file(capital(panels=stacked().panels), viewport={"width": 700, "height": 720})
    (_, top, _, bottom), below = edges(page, "capital"), edges(page, "growth")
    assert [below[1], below[3]] == pytest.approx([top, bottom], abs=0.5)


def test_picture_has_the_edges_of_its_panel_in_a_notebook_too():
    first = stacked()
    ends = [one.view._drawing.frame["x"][:2] for one in first.together]
    assert ends[0] == ends[1]


def test_panels_without_a_cursor_stand_together(file):
    axis = {"x": ("x", 0, 1), "y": ("y", 0, 1), "sliders": [RATE], "caption": "A caption.", "alt": "A line."}
    marks = {"line": lf.Path(lambda u: u, lambda u, rate: rate * u, over=("u", 0, 1))}
    below = lf.Figure(name="below", marks=marks, **axis)
    page = file(lf.Figure(name="first", marks=marks, panels=[below], stacked=True, **axis))
    assert edges(page, "first")[::2] == pytest.approx(edges(page, "below")[::2], abs=0.5)


def test_on_a_phone_each_picture_stays_above_sliders_that_move_both(file):
    page = file(capital(panels=[growth()]), viewport={"width": 390, "height": 844})
    assert seen(page, "input[type=range]") == [2, 2]
    for name in ("capital", "growth"):
        page.locator(f"#{name} input[name=t]").scroll_into_view_if_needed()
        page.evaluate(f"document.querySelector('#{name} input[name=t]').scrollIntoView({{ block: 'end' }})")
        picture = page.locator(f"#{name} .live-picture").bounding_box()
        slider = page.locator(f"#{name} input[name=t]").bounding_box()
        assert picture["y"] >= 0 and picture["y"] + picture["height"] <= slider["y"] < 844
    page.focus("#capital input[name=rate]")
    page.keyboard.press("Home")
    assert values(page, "growth")["rate"] == 0


@pytest.mark.parametrize(("window", "column"), [(1280, 1200), (1280, 688), (1366, 756), (640, 600)])
def test_both_pictures_and_their_sliders_are_in_view_in_the_column_of_a_book(file, window, column):
    """A Jupyter Book's text is 688 pixels wide in a window of 1280, and 756 in one of 1366."""
    page = file(capital(panels=[growth()]), viewport={"width": window, "height": 720})
    page.add_style_tag(content=f"main {{ max-width: {column}px }}")
    boxes = [page.locator(f"#{name} .live-picture").bounding_box() for name in ("capital", "growth")]
    assert boxes[0]["y"] == boxes[1]["y"] >= 0
    sliders = [one.bounding_box() for one in page.locator("#growth input[type=range]").all()]
    assert len(sliders) == 2 and all(box["y"] + box["height"] <= 720 for box in boxes + sliders)
    assert 0 <= sliders[0]["y"] - boxes[1]["y"] - boxes[1]["height"] < 80
    below = page.locator("#growth .live-controls").bounding_box()
    ends = [boxes[0]["x"], boxes[1]["x"] + boxes[1]["width"]]
    assert [below["x"], below["x"] + below["width"]] == pytest.approx(ends, abs=2)  # across both
    readings = [page.locator(f"#{name} .live-readings").bounding_box() for name in ("capital", "growth")]
    assert [one["x"] for one in readings] == [one["x"] for one in boxes]
    assert all(one["y"] >= below["y"] + below["height"] for one in readings)


def test_first_of_two_pictures_is_touched_and_has_its_own_sliders_below_the_shared_ones(file):
    own = lf.slider("start", 5, 10, at=10)
    curve = lambda rate, t, start: start * np.exp(rate * t)  # noqa: E731
    page = file(figure("capital", curve, sliders=[RATE, own], panels=[growth()]))
    shared = page.locator("#growth .live-controls").bounding_box()
    assert page.locator("#capital input[name=start]").bounding_box()["y"] >= shared["y"] + shared["height"]
    picture = page.locator("#capital .live-picture svg").bounding_box()
    page.mouse.click(picture["x"] + picture["width"] / 2, picture["y"] + picture["height"] / 2)
    wait_until(page, "document.querySelector('#growth').live.values.t !== 4")
    page.get_by_role("button", name="Reset").click()
    wait_until(page, "document.querySelector('#growth').live.values.t === 4")


def test_page_has_both_and_leaves_the_record_of_both(tmp_path, monkeypatch):
    monkeypatch.setenv(BUILDING, "1")
    monkeypatch.setenv(RECORDS, str(tmp_path))
    markup = capital(panels=[growth()])._repr_mimebundle_()["text/html"]
    assert PageFacts(markup).figures == ["capital", "growth"]
    assert sorted(path.stem for path in tmp_path.glob("*.json")) == ["capital", "growth"]


QUESTION = lf.Question("Which is larger?", ["capital", "growth"], answer=1, explanation="Because.", stays=["floor"])


def asked(tmp_path, read, question=QUESTION):
    """The page of a file with a question above two pictures, one of which has a mark."""
    panel = growth(marks={"floor": lf.Line(y=1)})
    capital(panels=[panel]).write_html(tmp_path / "asked.html", question=question)
    return read(tmp_path.as_uri() + "/", "asked.html")


def visible(page, selector):
    """Whether each of these elements is to be seen."""
    look = "(parts) => parts.map((part) => part.checkVisibility({ visibilityProperty: true }))"
    return page.locator(selector).evaluate_all(look)


def test_question_hides_the_curves_of_panels_too_and_keeps_what_stays(tmp_path, read):
    page = asked(tmp_path, read)
    assert visible(page, ".live-curve path") == [False, False]
    assert visible(page, "figcaption") == [False, False]
    assert visible(page, ".live-line path") == [True]
    assert page.locator(".live-wait").count() == 1
    page.get_by_label("growth").check()
    page.locator("[type=submit]").click()
    assert visible(page, ".live-curve path") == [True, True]
    assert visible(page, "figcaption") == [True, True]


def test_who_asks_to_see_one_picture_sees_both(tmp_path, read):
    page = asked(tmp_path, read)
    page.locator("[data-action=unwait]").click()
    assert visible(page, ".live-curve path") == [True, True]


def test_question_keeps_only_what_a_picture_of_the_group_has(tmp_path, read):
    wrong = lf.Question("Which?", ["one", "two"], answer=1, explanation="Because.", stays=["roof"])
    with pytest.raises(FigureError, match="stays of the question must be among curve, curve, floor, got 'roof'"):
        asked(tmp_path, read, wrong)


def test_build_knows_the_names_of_panels(tmp_path):
    markup = together(capital(panels=[growth(marks={"floor": lf.Line(y=1)})]))
    text = "# A page\n\n```{{predict}} Which?\n:choices: one | two\n:answer: 1\n:stays: {}\n\nBecause.\n```\n\n"
    raw = "```{raw} html\n" + markup + "\n```\n"
    _, _, warnings = build(tmp_path, {"index": text.format("floor") + raw})
    assert warnings == ""
    (tmp_path / "again").mkdir()
    _, _, warnings = build(tmp_path / "again", {"index": text.format("roof") + raw})
    assert "predict: 'capital' has no curve 'roof'; it has: curve, curve, floor" in warnings


def test_notebook_shows_a_shared_slider_once():
    first, second = capital(), growth()
    both = panels([first.view, second.view])
    shown = [len(each.children[1].children) for each in both.children]
    assert shown == [0, 2]
    second.view.sliders["rate"].value = 0.3
    assert first.values["rate"] == 0.3
    panels([first.view])
    assert len(first.view.widget.children[1].children) == 2


def buttons(*shown):
    """Return the buttons of figures that stand together in a notebook, in the order of the figures."""
    box = panels([one.view for one in shown])
    return [one.children[2].children for one in (box.children if len(shown) > 1 else [box])]


def words(rows):
    return [[button.description for button in row] for row in rows]


def test_notebook_has_one_row_of_buttons_for_all_panels():
    first, second = with_a_slider_of_its_own().together
    first.values, second.values = {"start": 6}, {"rate": 0.3}
    rows = buttons(first, second)
    assert words(rows) == [[], ["Reset"]]
    rows[1][0].click()
    assert (first.values, second.values) == (first.defaults, second.defaults)
    assert words(buttons(second)) == [["Reset"]]


def test_notebook_draws_the_clouds_of_all_panels_again():
    cloud = lf.Cloud(lambda u: u, lambda u: u, draws={"u": "uniform"})
    first, second = capital(marks={"cloud": cloud}), growth()
    before = first.view.draws["u"]
    rows = buttons(first, second)
    assert words(rows) == [[], ["Reset", "Draw again"]]
    rows[1][1].click()
    assert (first.view.draws["u"] != before).any()


def test_stacked_pictures_are_two_with_one_x():
    other = figure("other", lambda u: u, sliders=(), x=lf.slider("u", 0, 1))
    for given in ([], [other], [growth(), other]):
        with pytest.raises(FigureError, match="stacked=True puts one panel with the same x below the figure"):
            capital(panels=given, stacked=True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda: growth(), r"panels must be a list of other figures, panels=\[lf.Figure\(...\)\], got <live"),
        (lambda: ["growth"], "panels must be a list of other figures"),
        (lambda: [capital()], "each with a name of its own, got capital, capital"),
        (lambda: [growth(panels=[figure("third", lambda rate, t: rate * t)])], "the panel 'growth' has panels itself"),
        (
            lambda: [growth(sliders=[lf.slider("rate", 0, 0.4, at=0.2)])],
            "the panel 'growth' has another slider 'rate': make it once, with shared=True, and give it to both figures",
        ),
    ],
)
def test_panels_that_cannot_stand_together_are_told(given, words):
    with pytest.raises(FigureError, match=words):
        capital(panels=given())


def test_second_axis_is_told_to_be_a_panel():
    with pytest.raises(TypeError, match=r"for a second axis or picture write panels=\[lf.Figure\(...\)\]"):
        capital(y2=("speed", 0, 1))
