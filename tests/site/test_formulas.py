r"""Formulas: TeX becomes MathML, in a font that has all of its characters; nothing wrong passes the build."""

import io
import re
import shutil

import numpy as np
import pytest
from conftest import SITE
from fontTools.ttLib import TTFont
from PIL import Image
from small_book import build, environment  # noqa: F401 - a fixture of every test here
from waiting import wait_until

from book.theme import mathml as formulas
from book.theme.pages import THEME

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("chapters/**/*.html"))
STATIC = THEME / "static"
MATHML = {"extensions": ["livefigures.sphinx", "book.theme.mathml"], "html_math_renderer": "mathml"}

# Hard ones, as the book has them or may.
HARD = {
    "aligned": r"\begin{aligned} f &= \frac{K(\cdot, x_n) - K(\cdot, x_n')}{n (2\pi h^2)^{d/2}}, \\ g &\le \Delta^2 "
    r"\end{aligned}",
    "cases": r"T(a) = \begin{cases} 1 - e^{\varepsilon} a & \text{if } a \le \frac{1}{1 + e^\varepsilon} \\ 0 & "
    r"\text{otherwise} \end{cases}",
    "sums with limits": r"\sum_{i=0}^{\infty} \prod_{j \le i} \int_0^r \binom{\alpha}{j} q^j\, dy + "
    r"\sum_{i \ge 2} (1 - q)^{\alpha - i} q^i e^{i(i - 1)}",
    "nested fractions": r"\left[ \frac{1 + \frac{\alpha(\alpha-1)}{2\sigma^2}}{1 - \frac{1}{1 + \frac{1}{q}}} \right]",
    "roots": r"\sqrt{\frac{2k \ln(1/\delta)}{\sqrt{1 + \sqrt{\rho}}}} + \sqrt[3]{x}",
    "stretched brackets": r"\left( \left\{ \left\lVert \frac{\frac{a}{b}}{c} \right\rVert_2 \right\} + "
    r"\left\lceil \frac{\frac{x}{y}}{z} \right\rceil \right)^{2}",
    "accents": r"\bar\varepsilon + \hat\mu + \tilde x + \overline{u(r)} + \bar{P}_i",
    "letters": r"\mathbb{E}_{\mathcal{M}}[X] \in \mathbb{R}^d, \quad \mathbf{K} \sim \mathcal{N}(0, \sigma^2), \quad "
    r"\operatorname{argmin}_i \ell_i",
    "primes": r"M'(D') = f'' + \varepsilon_{x'}^{n'} + e^{\varepsilon'}",
    "text inside": r"\tau(X) = \inf\{\tau \ge 0 : X \text{ is } \tau\text{-subgaussian}\}, \qquad "
    r"\Phi\!\left( \tfrac{c - 2}{\sigma} \right)",
}
SHEET = "# Hard formulas\n\n" + "".join(f"{name}: ${tex}$, and\n\n$$\n{tex}\n$$\n\n" for name, tex in HARD.items())


def page_with(tmp_path, text):
    """The page of a book with this text alone."""
    output, status, warnings = build(tmp_path, {"index": text}, **MATHML)
    assert (status, warnings) == (0, "")
    return (output / "index.html").read_text("utf-8")


def body(page):
    return re.search(r'<div class="body" role="main">(.*?)<div class="clearer">', page, re.DOTALL)[1]


# -- what is wrong fails the build

WRONG = [
    (r"\foo{x}", r'Unknown command "\\foo"'),
    (r"\frac{1}{", 'Expected closing token "}"'),
    (r"\left( a", r'Expected closing token "\\right"'),
    (r"\begin{spilt} a \end{spilt}", 'Unknown environment "spilt"'),
    (r"\mathfrak{X}", "the formulas' font lacks 𝔛"),
    ("\\text{Übung}", "the formulas' font lacks Ü"),
]


@pytest.mark.parametrize(("tex", "complaint"), WRONG)
@pytest.mark.parametrize("form", ["Text.\n\nSee ${}$.", "Text.\n\n$${}$$"], ids=["line", "display"])
def test_wrong_formula_fails_the_build_at_its_line(tex, complaint, form, tmp_path):
    _, status, warnings = build(tmp_path, {"index": "# Page\n\n" + form.replace("{}", tex)}, **MATHML)
    assert status == 1
    assert re.search(r"index\.md:5: WARNING: formula ", warnings)
    assert repr(tex) in warnings and complaint.replace(r"\\", "\\") in warnings


def test_style_without_a_class_is_no_style_attribute_but_an_error():
    with pytest.raises(ValueError, match="no class stands for the style 'color"):
        formulas.tree(r"\color{red} x", display=False)


def test_every_class_of_a_formula_has_its_style():
    sheet = (STATIC / "book.css").read_text("utf-8")
    assert [name for name in formulas._CLASSES.values() if not re.search(rf"\.{name}\b", sheet)] == []


# -- the forms of a formula


def test_display_of_several_lines_is_aligned_as_sphinx_has_it(tmp_path):
    page = page_with(tmp_path, "# Page\n\n$$\na &= b \\\\\n  &= c\n$$\n\n```{math}\nx = y\n\ny = z\n```\n")
    assert page.count("<mtr>") == 4


def test_numbered_display_has_its_number_and_is_linked_to(tmp_path):
    page = page_with(tmp_path, "# Page\n\n```{math}\n:label: bound\nx \\le y\n```\n\nBy {eq}`bound` it holds.\n")
    assert re.search(r'<div class="math" id="equation-bound">\s*<span class="eqno">\(1\)<a class="headerlink"', page)
    assert re.search(r'href="#equation-bound">\(1\)</a>', page)


@pytest.mark.parametrize("name", ["align", "align*", "gather"])
def test_environment_of_amsmath_is_a_display_without_numbers(name):
    root = formulas.tree(rf"\begin{{{name}}} a = b \\ c = d \end{{{name}}}", display=True)
    assert "".join(root.itertext()) == "a=bc=d"


def test_formula_of_a_title_is_one_in_the_contents_and_words_in_the_browser_s_title(tmp_path):
    page = page_with(tmp_path, "# About $\\varepsilon$-DP\n\n## And $\\delta$\n\nText.\n")
    assert "<title>About ε-DP" in page
    assert re.search(r'<h1>About <span class="formula"><math><mi>ε</mi></math>-DP</span>', page)
    assert page.count("<math><mi>δ</mi></math>") == 2  # the heading, and the contents at the side


def test_double_prime_is_two_primes():
    assert [part.text for part in formulas.tree("f''", display=False).iter("mo")] == ["′′"]


# -- a line never begins with what belongs to a formula


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("Let $x$, then", "<math><mi>x</mi></math>,"),
        ("Call it $x$.", "<math><mi>x</mi></math>."),
        ("the $x$-DP mechanism", "<math><mi>x</mi></math>-DP"),
        ("here ($x$); there", "(<math><mi>x</mi></math>);"),
        ("a **$x$**, b", "<strong><math><mi>x</mi></math></strong>,"),
        ("*if $x$*, then", "<math><mi>x</mi></math>,"),
        ("so $x$—which", "<math><mi>x</mi></math>—"),
        ("a “$x$” b", "“<math><mi>x</mi></math>”"),
    ],
)
def test_what_stands_at_a_formula_without_a_blank_stays_with_it(text, run, tmp_path):
    assert f'<span class="formula">{run}</span>' in page_with(tmp_path, f"# Page\n\n{text}\n")


def test_formula_between_blanks_stands_alone(tmp_path):
    assert "<p>Let <math><mi>x</mi></math> be</p>" in page_with(tmp_path, "# Page\n\nLet $x$ be\n")


def test_text_reads_as_before(tmp_path):
    text = page_with(tmp_path, "# Page\n\nLet ($x$,$y$)-DP, and $z$-$w$ _for $u$_: it.\n")
    assert re.sub(r"<[^>]*>", "", re.search(r"<p>(Let.*?)</p>", text)[1]) == "Let (x,y)-DP, and z-w for u: it."


def test_long_formula_may_break_behind_a_relation_and_nowhere_else():
    tex = r"\Phi((t - km)/s) = \Phi(\Phi^{-1}(1 - a_0) - 2km/s) \le G_\mu(a_0)"
    parts = formulas.pieces(formulas.tree(tex, display=False))
    assert [part[-1].text for part in parts] == ["=", "≤", ")"]
    assert sum(map(formulas.size, parts)) == formulas.size(formulas.tree(tex, display=False))


# -- the font


@pytest.fixture(scope="module")
def font():
    return TTFont(STATIC / "formulas.woff2")


def test_font_has_the_characters_that_the_build_believes_in(font):
    assert {chr(code) for code in font.getBestCmap()} == formulas.CHARACTERS


def test_font_can_stretch_brackets_and_roots(font):
    variants = font["MATH"].table.MathVariants
    names = font.getBestCmap()
    for bracket in "()[]{}|‖⌈⌉⌊⌋⟨⟩√":
        forms = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(names[ord(bracket)])]
        assert len(forms.MathGlyphVariantRecord) >= 5, bracket


# -- in a browser

# How far a formula is from where it would be without the box that scrolls it.
BASELINES = """
(boxes) => boxes.map((box) => {
  const top = () => box.firstElementChild.getBoundingClientRect().top - box.closest("p").getBoundingClientRect().top;
  const inside = top();
  box.style.display = "inline";
  const outside = top();
  box.style.display = "";
  return Math.round(inside - outside);
})
"""


@pytest.fixture
def sheet(tmp_path, witnessed):
    """Opens the page of hard formulas, in Sphinx's plainest theme and the book's style."""
    text = page_with(tmp_path, SHEET)
    folder = (tmp_path / "build" / "html").resolve()
    shutil.copytree(STATIC, folder / "_static", dirs_exist_ok=True)
    style = '<link rel="stylesheet" href="_static/book.css"></head>'
    (folder / "index.html").write_text(text.replace("</head>", style), "utf-8")
    root = "http://formulas.test/"  # what asks for the fonts reads a page again, which a browser does not do on a disk

    def answer(route):
        route.fulfill(path=folder / route.request.url.removeprefix(root).partition("?")[0])

    def open_(**options):
        context = witnessed(root, **options)
        context.route(f"{root}**", answer)
        page = context.new_page()
        page.goto(root + "index.html", wait_until="load")
        assert page.locator("math").count() == 2 * len(HARD) + page.locator("wbr").count()
        return page

    return open_


# Of each bracket that stretches: how far what it encloses stands out above and below it.
STICKS_OUT = """
() => [...document.querySelectorAll("mrow > mo:first-child:not([stretchy=false])")]
  .filter((mo) => "([{‖⌈".includes(mo.textContent))
  .map((mo) => {
    const inner = [...mo.parentElement.children].filter((one) => one.tagName !== "mo");
    const [box, ...boxes] = [mo, ...inner].map((one) => one.getBoundingClientRect());
    const above = box.top - Math.min(...boxes.map((one) => one.top));
    const below = Math.max(...boxes.map((one) => one.bottom)) - box.bottom;
    return [mo.textContent, Math.max(above, below)];
  })
"""


def test_brackets_are_as_tall_as_what_they_enclose(sheet):
    found = sheet().evaluate(STICKS_OUT)
    assert len(found) >= 16 and {bracket for bracket, _ in found} == set("([{‖⌈")
    assert [bracket for bracket, out in found if out > 0] == []


def test_all_is_drawn_in_the_formulas_font(sheet):
    page = sheet()
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    tokens = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "math :is(mi, mo, mn, mtext)"})[
        "nodeIds"
    ]
    fonts = {
        font["familyName"]
        for token in tokens
        for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": token})["fonts"]
    }
    assert len(tokens) > 300 and fonts == {"Formulas"}


BOXES = """(root) => {
  root.scrollIntoView({ block: "center" });
  const boxes = [root, root.firstElementChild].map((one) => one.getBoundingClientRect().toJSON());
  return [...boxes, parseFloat(getComputedStyle(root).fontSize)];
}"""
SCALE = 4  # pixels of the picture in one of the page


@pytest.mark.parametrize("address", ["zcdp", "rdp", "composition"])
def test_a_root_sits_on_the_line(address, open_page):
    page = open_page(f"chapters/{address}.html", device_scale_factor=SCALE, viewport={"width": 1280, "height": 800})
    roots = page.locator("p msqrt:visible").all()
    assert roots
    for root in roots:
        sign, inner, size = root.evaluate(BOXES)
        assert 0 <= sign["right"] - inner["right"] <= 0.06 * size  # no hole behind it
        clip = {"x": sign["x"], "y": sign["y"] - 2, "width": sign["width"]}
        clip["height"] = inner["bottom"] - clip["y"] + 0.4 * size
        picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")
        grey = np.asarray(picture, float)
        ink = np.abs(grey - np.median(grey)) > 60  # the ground is the commonest grey
        start = round((inner["x"] - sign["x"]) * SCALE)
        covered = ink[: SCALE * 6, start : round((inner["right"] - sign["x"]) * SCALE)].mean(axis=1)
        top = int(np.argmax(covered > 0.9))
        free = np.flatnonzero(covered[top:] < 0.05)  # between the bar and the letters
        assert len(free) >= SCALE / 2, f"the bar lies on the letters: {covered}"
        rows = ink[:, : start - SCALE].any(axis=1)
        middle = round((inner["y"] + inner["height"] / 2 - clip["y"]) * SCALE)
        sign_ends = middle + int(np.argmin(np.append(rows[middle:], False)))  # below a gap is the next line
        lowest = (sign_ends - 1) / SCALE + clip["y"]
        assert lowest <= inner["bottom"] + 0.2 * size, "the sign hangs below the line"


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_wide_formulas_scroll_in_their_box_and_the_page_does_not(width, sheet):
    page = sheet(viewport={"width": width, "height": 700})
    page.add_style_tag(content="div.body { min-width: 0 }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.locator("div.math, .formula-wide").all()
    wide = [box for box in boxes if box.evaluate("box => box.scrollWidth > box.clientWidth")]
    assert wide
    for box in wide:
        box.evaluate("box => box.scrollIntoView()")
        page.mouse.click(1, 1)
        while not box.evaluate(
            "box => box === document.activeElement"
        ):  # by keyboard: the browser stops at what scrolls
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        wait_until(page, "document.activeElement.scrollLeft > 0")


def test_box_that_scrolls_has_its_baseline_in_the_line(sheet):
    page = sheet(viewport={"width": 390, "height": 700})
    offsets = page.locator(".formula-wide").evaluate_all(BASELINES)
    assert len(offsets) >= 4 and set(offsets) == {0}


on_pure = pytest.mark.parametrize("address", ["chapters/pure.html"])


@on_pure
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_line_begins_with_what_belongs_to_a_formula(width, address, visited):
    page = visited(address, viewport={"width": width, "height": 700})
    lines = page.evaluate("[...document.querySelectorAll('.formula')].map((run) => run.getClientRects().length)")
    assert len(lines) > 100 and set(lines) <= {0, 1}  # none: in a folded part


@on_pure
def test_formulas_are_formulas_without_javascript(address, visited):
    page = visited(address, java_script_enabled=False)
    assert page.locator("math").first.evaluate("one => getComputedStyle(one).fontFamily").startswith("Formulas")
    assert "\\(" not in page.locator("body").inner_text()


PAPER = 790  # pixels: what a page of A4 has between the margins of tools/pdf.py, at its scale
TOO_WIDE = """
() => {
  for (const button of document.querySelectorAll(".toggle-button-hidden")) button.click();
  return [...document.querySelectorAll("div.math, .formula-wide")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.textContent);
}
"""


@pytest.mark.parametrize("address", PAGES)
def test_no_formula_is_wider_than_paper(address, visited):
    page = visited(address, unfolded=True, viewport={"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate(TOO_WIDE) == []
