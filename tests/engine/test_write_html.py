"""A figure as a file: one HTML file that works wherever it is opened, and a picture as matplotlib saves one."""

import gzip
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from readers import DRAWN
from test_axe import AXE, LEVELS
from test_html import faults
from waiting import wait_until

import livefigures as lf
from livefigures.draw import still
from livefigures.page import document, formula

FRAME = '<!DOCTYPE html><title>A course</title><link rel="icon" href="data:,"><iframe {} width=900 height=700></iframe>'
READY = "document.querySelector('figure.live')?.live !== undefined"


def interest(**changes):
    declared = {
        "name": "interest",
        "x": lf.slider("t", 0, 40, at=20, words="years"),
        "y": ("capital", 0, 90),
        "sliders": [
            lf.slider("rate", 0, 0.1, at=0.03, words="interest a year"),
            lf.choice("paid", ("yearly", "daily")),
        ],
        "curves": {
            "compound": lambda rate, paid, t: 10 * (1 + rate / (1 + 364 * paid)) ** (t * (1 + 364 * paid)),
            "simple": lf.Curve(lambda rate, t: 10 * (1 + rate * t), colour="#8b4513", dash="dashed"),
        },
        "caption": "What becomes of 10 & more at <fixed> interest, from $5 to $10 a year.",
        "alt": "A curve and a straight line rise from one point.",
    }
    declared |= changes
    return lf.Figure(out_of_view=dict.fromkeys({"compound"} & {*declared["curves"]}, "top"), **declared)


@pytest.fixture
def written(tmp_path):
    """The file of a figure: alone in its folder, so that nothing beside it can be loaded."""
    path = tmp_path / "alone" / "interest.html"
    path.parent.mkdir()
    assert interest().write_html(path) is None
    return path


@pytest.fixture
def visit(witnessed):
    """Open a file; what it requests besides itself, and what the browser complains of, fails the test."""

    def open_(path, **options):
        page = witnessed(path.parent.as_uri() + "/", **options).new_page()
        requested = []
        page.on("request", lambda request: requested.append(request.url))
        page.goto(path.as_uri())
        assert requested == [path.as_uri()]
        return page

    return open_


def move_rate_to_its_end(frame):
    """Move the slider by a key, and compare the table with what Python computes."""
    wait_until(frame, READY)
    frame.locator("input[type=range][name=rate]").focus()
    frame.locator("input[type=range][name=rate]").press("End")
    wait_until(frame, "document.querySelector('[data-curve=simple]').innerText === '30.00'")
    compare(frame, rate=0.1)


def compare(frame, **values):
    figure = interest()
    expected = figure.readings(figure.defaults | figure.check(values))
    frame.evaluate(DRAWN)  # the second change of a frame is drawn with the next
    for name in figure.curves:
        shown = float(frame.locator(f"[data-curve={name}]").get_attribute("data-value"))
        assert shown == pytest.approx(expected[f"curves/{name}/y"], rel=1e-12)


# -- where the file is opened


def test_file_works_from_a_disk(written, visit):
    page = visit(written)
    move_rate_to_its_end(page)
    page.get_by_label("daily").check()
    compare(page, rate=0.1, paid="daily")
    page.locator("input[data-for=rate]").fill("0.05")
    page.locator("input[data-for=rate]").press("Enter")
    compare(page, rate=0.05, paid="daily")
    wait_until(page, "location.hash === '#interest:rate=0.05,paid=daily'")


TYPED = """() => ({
  x: document.querySelector("figure.live").live.data.x,
  ends: [...document.querySelectorAll(".live-end")].map(({ value }) => value),
  curves: [...document.querySelectorAll("[data-curve]")].map(({ dataset }) => [dataset.curve, dataset.value]),
  faults: [...document.querySelectorAll(".live-fault")].map(({ textContent }) => textContent).filter(Boolean),
})"""


def test_formulas_are_typed_in_a_file_over_the_name_that_has_a_range(tmp_path, visit):
    path = tmp_path / "alone" / "typed.html"
    path.parent.mkdir()
    lf.typed("c ** (1 - gamma) / (1 - gamma)", "np.log(c)", c=(0, 5, 2), gamma=(1.1, 4, 3)).write_html(path)
    page = visit(path)
    wait_until(page, "document.querySelectorAll('.live-row > button').length === 2")
    shown = page.evaluate(TYPED)
    assert (shown["x"], shown["ends"], shown["faults"]) == ("c", ["1.1", "4", "0", "5"], [])
    assert [name for name, _ in shown["curves"]] == ["c ** (1 - gamma) / (1 -…", "np.log(c)"]
    page.locator(".live-line").nth(1).fill("np.log(c) / 2")
    wait_until(page, "location.hash.startsWith('#add=workbench:')")
    page.reload()
    wait_until(page, "document.querySelector('[data-curve=\"np.log(c) / 2\"]') !== null")
    shown = page.evaluate(TYPED)
    assert [float(value) for _, value in shown["curves"]] == pytest.approx([-1 / 8, np.log(2) / 2])
    assert shown["faults"] == []


@pytest.mark.parametrize("minus", ["-", "−"])
def test_end_of_a_slider_below_zero_is_typed_with_either_sign(minus, tmp_path, visit):
    path = tmp_path / "alone" / "typed.html"
    path.parent.mkdir()
    lf.typed("a * t", t=(-3, 5), a=(-2, 1)).write_html(path)
    page = visit(path)
    low = page.locator(".live-end[data-for=t][data-end=low]")
    wait_until(page, "document.querySelector('.live-end') !== null")
    assert low.input_value() == "−3"
    low.fill(f"{minus}4.5")
    low.press("Enter")
    wait_until(page, "document.querySelector('.live-end[data-for=t][data-end=low]').value === '−4.5'")
    assert page.evaluate("document.querySelector('figure.live').live.data.sliders.t.low") == -4.5


@pytest.mark.parametrize(("inside", "sandbox"), [("src", 'sandbox="allow-scripts"'), ("srcdoc", "")])
def test_file_works_in_a_frame(inside, sandbox, written, witnessed):
    content = written.read_text("utf-8").replace("&", "&amp;").replace('"', "&quot;")
    source = {"src": f'src="{written.name}"', "srcdoc": f'srcdoc="{content}"'}[inside]
    (written.parent / "course.html").write_text(FRAME.format(f"{sandbox} {source}"), "utf-8")
    page = witnessed(written.parent.as_uri() + "/").new_page()
    page.goto((written.parent / "course.html").as_uri())
    frame = page.frames[1]
    move_rate_to_its_end(frame)
    page.wait_for_timeout(400)  # the address follows a quarter of a second after the slider
    frame.get_by_role("button", name="Present").click()
    wait_until(frame, "document.querySelector('figure.live-presenting') !== null")
    frame.get_by_role("button", name="Leave").click()
    compare(frame, rate=0.1)


DECK = """<!DOCTYPE html><title>Slides</title><link rel="icon" href="data:,"><section>One</section>
<section hidden><iframe data-src="interest.html" width="960" height="600"></iframe></section>
<script>
  addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowRight") return;
    for (const section of document.querySelectorAll("section")) section.hidden = !section.hidden;
    for (const frame of document.querySelectorAll("iframe")) frame.src = frame.dataset.src;
  });
</script>"""


def test_file_works_on_a_slide_that_loads_its_frame_when_it_is_shown(written, witnessed):
    """As reveal.js does with the attribute data-src: the keys turn the slides until the figure has the focus."""
    (written.parent / "deck.html").write_text(DECK, "utf-8")
    page = witnessed(written.parent.as_uri() + "/").new_page()
    page.goto((written.parent / "deck.html").as_uri())
    page.keyboard.press("ArrowRight")
    frame = page.wait_for_selector("iframe").content_frame()
    move_rate_to_its_end(frame)
    frame.locator("input[type=range][name=rate]").press("ArrowRight")
    assert page.locator("iframe").is_visible()


def test_file_is_light_or_dark_as_the_system_is(written, visit):
    grounds = {}
    for scheme in ("light", "dark"):
        page = visit(written, color_scheme=scheme)
        wait_until(page, READY)
        colour = "(selector, key) => getComputedStyle(document.querySelector(selector))[key]"
        pairs = [("body", "backgroundColor"), ("figure", "color"), ("[id$=curve-1] path", "stroke")]
        grounds[scheme] = [page.evaluate(f"([selector, key]) => ({colour})(selector, key)", pair) for pair in pairs]
    assert grounds["light"] == ["rgb(255, 255, 255)", "rgb(26, 26, 26)", "rgb(139, 69, 19)"]
    assert grounds["dark"][:2] == ["rgb(20, 24, 30)", "rgb(230, 233, 237)"]
    assert grounds["dark"][2] != grounds["light"][2]


@pytest.mark.parametrize(("theme", "colour"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 30)")])
def test_file_of_a_theme_keeps_it_under_any_system(theme, colour, tmp_path, visit):
    file = tmp_path / "interest.html"
    interest().write_html(file, theme=theme)
    for scheme in ("light", "dark"):
        page = visit(file, color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == colour


def test_theme_is_one_of_three(tmp_path):
    with pytest.raises(lf.FigureError, match="theme must be one of system, light, dark, got 'white'"):
        interest().write_html(tmp_path / "interest.html", theme="white")


def test_file_shows_picture_table_and_caption_without_scripts(written, visit):
    page = visit(written, java_script_enabled=False)
    assert page.get_by_role("img", name="A curve and a straight line").is_visible()
    assert page.locator("[data-curve=simple]").inner_text() == "16.00"
    assert page.locator("figcaption").inner_text() == interest().caption


def test_picture_of_a_file_is_saved_under_its_policy(written, visit):
    page = visit(written)
    wait_until(page, READY)
    page.locator(".live-menu summary").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as PNG").click()
    assert imread(saved.value.path(), format="png").shape[:2] == (908, 1440)


def test_every_button_of_the_menu_works_in_a_file(written, visit):
    page = visit(written)
    wait_until(page, READY)
    names = page.locator(".live-menu button").all_text_contents()
    assert len(names) > 4 and "Add a curve" not in names  # which needs a page with a formula editor
    for name in names:
        page.locator(".live-menu summary").click()
        page.locator(".live-menu").get_by_role("button", name=name, exact=True).click()
        page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_file(scheme, written, visit):
    page = visit(written, color_scheme=scheme)
    wait_until(page, READY)
    page.evaluate(AXE)
    rules = {"page-has-heading-one": {"enabled": False}}  # in a frame the heading is that of the page around it
    found = page.evaluate("(options) => axe.run(options)", {"runOnly": LEVELS, "rules": rules, "preload": False})
    assert [violation["help"] for violation in found["violations"]] == []


# -- what is in the file


WIDE = {"width": 1920, "height": 900}
BOX = """(wanted) => {
  const { x, y, width, height } = document.querySelector("figure.live").getBoundingClientRect();
  return String([x, y, width, height]) === String(wanted);
}"""
STATIC = Path(document.__file__).parents[2] / "gallery" / "_static"


def test_file_includes_features_of_its_author(tmp_path, visit):
    path = tmp_path / "interest.html"
    interest().write_html(path, features=[STATIC / "full_width.js", str(STATIC / "full_width.css")])
    page = visit(path, viewport=WIDE)
    page.locator("input[type=range][name=rate]").press("w")
    wait_until(page, BOX, [0, 0, 1920, 900])
    assert page.locator(".live-status").text_content() == "The figure fills the window."
    wait_until(page, "location.hash === '#wide=interest'")
    page.reload()
    wait_until(page, BOX, [0, 0, 1920, 900])
    page.locator("input[type=range][name=rate]").press("w")
    wait_until(page, "location.hash === ''")
    assert page.locator("figure.live").bounding_box()["width"] == 1200


def test_text_of_a_feature_does_not_end_the_script(tmp_path):
    feature = tmp_path / "closing.js"
    feature.write_text('document.title = "</script>";', "utf-8")
    plain, longer = (document.document(interest(), files, "system", None) for files in ([], [feature]))
    assert longer.count("</script>") == plain.count("</script>") + 1
    assert r'document.title = "<\/script>";' in longer


@pytest.mark.parametrize(
    ("features", "got"),
    [
        (["a.ts"], "got 'a.ts'$"),
        ("wide.js", "got 'wide.js'$"),
        (["own/wide.js"], "got 'own/wide.js', but there is no file .*own"),
    ],
)
def test_features_that_are_no_list_of_scripts_and_styles_are_rejected(features, got, tmp_path):
    with pytest.raises(lf.FigureError, match=f"'interest': features must be a list of files that end in .*, {got}"):
        interest().write_html(tmp_path / "no.html", features=features)
    assert list(tmp_path.iterdir()) == []


def test_file_forbids_whatever_is_outside(written):
    assert document.POLICY == (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:"
    )
    head, body = written.read_text("utf-8").split("</head>")
    assert head.index(document.POLICY) < head.index("<link") < head.index("<style>")
    assert body.count("</script>") == 2 and "<!--" not in body


def test_file_is_valid_html(written):
    assert faults(written.read_text("utf-8")) == []


def test_file_keeps_to_its_size(written):
    assert len(gzip.compress(written.read_bytes(), 9)) <= 75_000


def test_file_has_the_scripts_that_its_figure_needs(tmp_path):
    marks = [
        ("error_bars", lf.Points([1], [20], yerr=3)),
        ("bar_chart", lf.Bars([1], [20])),
        ("paths", lf.Path(lambda u: 40 * u, 10)),
        ("paths", lf.Arrows(1, lambda t: t, x=("t", 0, 40), y=("capital", 0, 90))),
        ("paths", lf.Ensemble(lambda t, start: start + t, x=("t", 0, 40), each={"start": [8, 10]})),
    ]
    for name, mark in marks:
        interest(marks={name: mark}).write_html(str(tmp_path / "a.html"))
        scripts = re.findall(r'name: "(\w+)", kind', (tmp_path / "a.html").read_text("utf-8"))
        assert scripts == [name]


ASKED = {
    "asked": "Which is larger, <after> 40 years?",
    "choices": ["simple", "compound"],
    "answer": 2,
    "explanation": "Interest & interest on it.",
}


def test_question_of_a_file_hides_the_curves_until_it_is_answered(tmp_path, visit):
    interest().write_html(tmp_path / "a.html", question=lf.Question(**ASKED, stays=["simple"]))
    assert faults((tmp_path / "a.html").read_text("utf-8")) == []
    page = visit(tmp_path / "a.html")
    secret = "[...document.querySelectorAll('.live-readings .live-secret')].map((row) => row.textContent)"
    assert page.locator("legend").first.inner_text() == ASKED["asked"]
    assert len(page.evaluate(secret)) == 1 and page.locator("figcaption").is_hidden()
    page.get_by_role("radio", name="simple").check()
    page.get_by_role("button", name="Commit to this answer").click()
    assert page.evaluate(secret) == [] and page.locator("figcaption").is_visible()
    assert page.locator(".predict-said").inner_text() == "You chose: simple. The answer is: compound."
    assert page.get_by_text(ASKED["explanation"]).is_visible()


@pytest.mark.parametrize(
    ("order", "shown"), [("", ["nowhere", "there", "here"]), ("kept", ["here", "there", "nowhere"])]
)
def test_choices_of_a_file_are_shuffled_as_on_a_page(order, shown, tmp_path):
    question = lf.Question("Where?", ["here", "there", "nowhere"], 1, "Because.", order=order)
    interest().write_html(tmp_path / "a.html", question=question)
    written = (tmp_path / "a.html").read_text("utf-8")
    found = re.findall(r'name="question" value="(\d)"> <span>(.*?)</span>', written)
    assert [words for _, words in found] == shown and ("1", "here") in found and 'data-answer="1"' in written


def test_question_of_another_kind_is_rejected(tmp_path):
    with pytest.raises(lf.FigureError, match=r"question must be an lf.Question\(...\), got 'Which\?'"):
        interest().write_html(tmp_path / "a.html", question="Which?")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"order": "shuffled"}, "order must be \"kept\" or left out, got 'shuffled'"),
        ({"answer": 3}, "answer must be the number of a choice, 1 to 2, got 3"),
        ({"choices": "simple | compound"}, "choices must be a list of texts, got 'simple | compound'"),
        ({"choices": ["compound"]}, r"choices must be two or more, got \['compound'\]"),
        ({"stays": ["simpel"]}, "stays of the question must be among compound, simple, got 'simpel'"),
    ],
)
def test_question_that_cannot_be_asked_is_rejected(changes, told, tmp_path):
    with pytest.raises(lf.FigureError, match=told):
        interest().write_html(tmp_path / "a.html", question=lf.Question(**ASKED | changes))
    assert not list(tmp_path.iterdir())


def money():
    """A figure whose numbers are written as an economist writes them."""
    return interest(
        y=("capital", 0, 18000),
        sliders=[lf.slider("start", 500, 5000, at=1250, step=50, format="$ {:,.2f}")],
        curves={"saved": lf.Curve(lambda start, t: start * 1.03**t, format="$ {:,.0f}")},
        marks={
            "goal": lf.Point(20, lambda start: 2 * start, format="$ {:,.0f}"),
            "growth": lf.Reading(lambda: 0.03, format="{:.1%}"),
        },
    )


def test_numbers_have_their_format_in_the_table_the_sentence_and_the_slider(tmp_path, visit):
    still_table = still.first_table(money())
    assert "$ 2,258" in still_table and "$ 4,078" in money().table()
    money().write_html(tmp_path / "money.html")
    page = visit(tmp_path / "money.html")
    wait_until(page, READY)
    cells = page.locator(".live-readings tbody td").all_inner_texts()
    assert cells == ["$ 2,258", "t\u00a0=\u00a020.00, capital\u00a0=\u00a0$ 2,500", "3.0%"]
    assert "saved is $ 2,258; goal at t = 20.00, capital = $ 2,500" in page.locator("caption").inner_text().replace(
        "\u00a0", " "
    )
    field = page.locator(".live-typed[data-for=start]")
    assert field.input_value() == "$ 1,250.00"
    field.focus()
    assert field.input_value() == "1250"
    field.fill("2,000.00")
    field.press("Enter")
    assert field.input_value() == "$ 2,000.00"
    wait_until(page, "document.querySelector('[data-curve=saved]').innerText === '$ 3,612'")


@pytest.mark.parametrize("form", ["{:.2e}", "%.2f", 3])
def test_format_that_a_page_cannot_write_is_rejected(form):
    with pytest.raises(lf.FigureError, match="format of 'simple' must be text such as"):
        interest(curves={"simple": lf.Curve(10, format=form)}, sliders=[])


def test_formula_under_a_figure_has_the_sliders_numbers(tmp_path, visit):
    figure = interest(
        formulas={"simple": "10 (1 + r t)"},
        sliders=[lf.slider("rate", 0, 0.1, at=0.03, symbol="r")],
        curves={"simple": lambda rate, t: 10 * (1 + rate * t)},
    )
    figure.write_html(tmp_path / "formula.html")
    page = visit(tmp_path / "formula.html")
    wait_until(page, READY)
    page.locator("summary", has_text="Formulas").click()
    assert page.locator(".live-numbers").text_content() == "10(1+0.03⋅20)=16.00"


@pytest.mark.parametrize(
    "changes",
    [
        {"caption": r"What becomes of 10 at \(r\)."},
        {"caption": "Interest $r$ a year."},
        {"sliders": [lf.slider("rate", 0, 0.1, at=0.03, symbol=r"\rho"), lf.choice("paid", ("yearly", "daily"))]},
        {"alt": "A curve $y(t)$."},
    ],
)
def test_tex_is_rejected(changes, tmp_path):
    with pytest.raises(
        lf.FigureError, match="'interest': a figure shows no TeX but in formulas=.*: write '.*' in plain Uni"
    ):
        interest(**changes).write_html(tmp_path / "no.html")
    assert list(tmp_path.iterdir()) == []


def test_figure_without_alt_is_rejected(tmp_path):
    with pytest.raises(lf.FigureError, match="'interest': a page needs alt="):
        interest(alt="").write_html(tmp_path / "no.html")


def test_false_claim_is_rejected(tmp_path):
    figure = interest(claims={"Simple interest is ahead.": lambda c: c["simple"] > c["compound"]})
    with pytest.raises(lf.FigureError, match="'interest': the claim 'Simple interest is ahead.' fails at rate = 0.03"):
        figure.write_html(tmp_path / "no.html")


@pytest.mark.parametrize(
    ("tex", "curve", "told"),
    [
        (r"10 (1 + r t)", lambda rate, t: 10 * (1 + rate * t), ""),
        (r"10 (1 + r)", lambda rate, t: 10 * (1 + rate * t), "has no t, and the curve moves with the slider 't'"),
        (r"10 t", lambda rate, t: 10 * (1 + rate * t), "has no r, and the curve moves with the slider 'rate'; write r"),
        (r"10 t", lambda rate, t: 10 * t + 0 * rate, ""),  # of which it does not make use
        (r"10 \rho t", lambda rate, t: 10 * rate * t, "give the slider the symbol that stands there, symbol=..."),
    ],
)
def test_formula_that_lacks_the_symbol_of_a_slider_is_told(tex, curve, told):
    figure = interest(
        formulas={"simple": tex},
        sliders=[lf.slider("rate", 0, 0.1, at=0.03, symbol="r")],
        curves={"simple": curve},
    )
    found = list(formula.incomplete(figure))
    assert len(found) == bool(told) and all(told in each for each in found)


@pytest.mark.parametrize(
    ("tex", "told"),
    [
        (r"10 \color{red} r", r"\color needs a style, which a page's content policy may forbid; write the formula"),
        (r"\begin{cases} r & t \\ 1 & 2 \end{cases}", r"\begin{cases} needs a style"),
        (r"\mathop{r}", r"\mathop needs a style"),
        (r"\foo r", r'Unknown command "\foo"'),
        ("x", "no symbol in the formula of 'simple' is one of"),
    ],
)
def test_formula_that_no_page_can_show_is_refused_when_the_figure_is_made(tex, told):
    with pytest.raises(lf.FigureError, match=re.escape(told)):
        interest(formulas={"simple": tex}, sliders=[lf.slider("rate", 0, 0.1, symbol="r")], curves={"simple": 10})


@pytest.mark.parametrize("space", [r"\!", r"\negthinspace", r"\mkern-3mu"])
def test_negative_space_of_a_formula_is_left_out(space):
    root = formula.mathml(f"r {space} t")
    assert "".join(root.itertext()) == "rt" and not any("style" in one.attrib for one in root.iter())


def test_formula_without_its_package_is_rejected(monkeypatch):
    monkeypatch.setitem(sys.modules, "math_core", None)
    with pytest.raises(ValueError, match="it needs the package math-core, `pip install math-core`"):
        formula.mathml("a + b")
    figure = interest(formulas={"simple": "10"}, sliders=[], curves={"simple": 10})  # no page shows it yet
    with pytest.raises(lf.FigureError, match="it needs the package math-core"):
        figure.write_html("no.html")


# -- a picture as matplotlib saves one


def test_saved_picture_has_pixels_for_print_and_cuts_no_name(tmp_path):
    sizes, right_edges = {}, {}
    for name in ("short", "wide and WIDE"):
        interest(curves={name: lambda rate, t: 10 * (1 + rate * t)}).savefig(tmp_path / "a.png", paid="daily")
        pixels = imread(tmp_path / "a.png")
        sizes[name], right_edges[name] = pixels.shape[:2], pixels[:, -5:, :3]
    assert sizes["short"] == (1166, 2000) and sizes["wide and WIDE"] > (1166, 2000)
    assert all((edge == 1).all() for edge in right_edges.values())  # white
    interest(curves={"short": lambda rate, t: 10 * (1 + rate * t)}).savefig(tmp_path / "a.png", dpi=100, paid="daily")
    assert imread(tmp_path / "a.png").shape[:2] == (583, 1000)


def test_saved_picture_may_be_without_cursor_and_dots(tmp_path):
    seen = {}
    for cursor in (True, False):
        interest().savefig(tmp_path / "a.svg", cursor=cursor)
        seen[cursor] = re.findall(r'<g id="(curve-\d|cursor|dot-\d)"', (tmp_path / "a.svg").read_text("utf-8"))
    assert sorted(seen[True]) == ["cursor", "curve-0", "curve-1", "dot-0", "dot-1"]
    assert sorted(seen[False]) == ["curve-0", "curve-1"]


def test_saved_picture_is_that_of_its_settings(tmp_path):
    """A curve in the file ends where its function does: two linear maps from the y axis to the picture."""
    ends = {}
    for name, values in {"rest": {}, "moved": {"rate": 0.05, "paid": "daily"}}.items():
        interest().savefig(tmp_path / f"{name}.svg", **values)
        svg = (tmp_path / f"{name}.svg").read_text("utf-8")
        for curve in ("curve-0", "curve-1"):
            path = re.search(rf'<g id="{curve}">\s*<path d="([^"]+)"', svg)[1]
            ends[name, curve] = float(path.split()[-1])
    frame = {"bottom": 420 - 56, "top": 14}
    for (name, curve), end in ends.items():
        rate = {"rest": 0.03, "moved": 0.05}[name]
        compound = {"rest": 10 * 1.03**40, "moved": 10 * (1 + 0.05 / 365) ** (365 * 40)}[name]
        value = {"curve-0": compound, "curve-1": 10 * (1 + 40 * rate)}[curve]
        assert end == pytest.approx(frame["bottom"] + (frame["top"] - frame["bottom"]) * value / 90, abs=1e-3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"speed": 3}, "'interest': no slider 'speed'; its sliders are rate, paid, t"),
        ({"rate": 0.2}, "rate must be a number from 0 to 0.1, got 0.2"),
        ({"paid": "hourly"}, "paid must be one of yearly, daily, got 'hourly'"),
    ],
)
def test_setting_that_a_slider_cannot_take_is_rejected(values, reason, tmp_path):
    with pytest.raises(lf.FigureError, match=reason):
        interest().savefig(tmp_path / "no.png", **values)
    assert list(tmp_path.iterdir()) == []


def test_slider_may_be_called_path(tmp_path):
    sliders = [lf.slider("path", 0, 9, at=3), lf.slider("figure", 0, 1)]
    shown = interest(sliders=sliders, curves={"phase": lambda path, figure, t: path * t / 9 + figure})
    shown.savefig(tmp_path / "optics.png", path=5, figure=0.5)
    assert (tmp_path / "optics.png").exists()
