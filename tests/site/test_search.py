"""Searching the book as a reader does: from a disk, by words and by symbols."""

import json
import re

import pytest
from conftest import SITE
from docutils import nodes
from waiting import wait_until

from book.theme import search
from livefigures.sphinx.predict import predict_answer

VISITS = "search.html"
RESULTS = "query => book.loadSearch().then(({ find }) => find(query).map((section) => section.slice(0, 3)))"


SEEN = """() => [...document.querySelectorAll("article mark")].some((mark) => {
  const { top, bottom } = mark.getBoundingClientRect();
  return top > 0 && bottom < innerHeight;
})"""


@pytest.fixture
def find(visited):
    page = visited(VISITS)
    return lambda query: [
        (f"{address}#{place}", titles[-1]) for address, place, titles in page.evaluate(RESULTS, query)
    ]


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("moments accountant", "chapters/orders#"),
        ("advanced composition", "chapters/"),
        ("group privacy", "chapters/"),
        ("census", "chapters/budgets#"),
        ("randomized response", "chapters/"),
        ("Rényi divergence", "chapters/rdp#"),
    ],
)
def test_words_lead_to_a_section_that_is_about_them(query, address, find):
    assert any(place.startswith(address) for place, _ in find(query)[:5])


@pytest.mark.parametrize(
    ("symbol", "word"), [("σ", "sigma"), ("ε", "epsilon"), ("ρ", "rho"), ("(ε, δ)", "(epsilon, delta)")]
)
def test_a_greek_letter_and_its_name_are_one(symbol, word, find):
    assert find(symbol) == find(word) != []


def test_explanations_come_before_functions_of_the_same_name(find):
    assert not [title for _, title in find("epsilon")[:10] if re.fullmatch(r"\w+\.\w+", title)]
    assert any(title == "zcdp.epsilon" for _, title in find("zcdp.epsilon")[:3])


def test_plural_and_singular_are_one_and_a_word_is_not_found_inside_another(find):
    assert {place for place, _ in find("theorem")} == {place for place, _ in find("theorems")}
    assert find("zzzz") == [] and find("  ") == []


def test_every_result_leads_to_a_place_that_exists(open_page):
    page = open_page("search.html")
    sections = page.evaluate("book.loadSearch().then(({ find }) => find('a').map(([page, place]) => [page, place]))")
    missing = []
    for name, place in sections:
        text = (SITE / f"{name}.html").read_text("utf-8")
        missing += [] if not place or f'id="{place}"' in text else [(name, place)]
    assert sections and not missing


def test_search_by_keyboard_and_the_match_is_marked_where_one_lands(open_page):
    page = open_page("chapters/index.html")
    page.keyboard.press("Control+k")
    page.wait_for_selector("#search input:focus")
    page.keyboard.type("census redistricting")
    page.keyboard.press("ArrowDown")
    assert page.locator("#search-results a mark").count() > 0
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapters/*.html?find=*")
    marks = page.locator("article mark")
    assert {text.lower().rstrip("s") for text in marks.all_text_contents()} <= {"censu", "census", "redistricting"}
    wait_until(page, SEEN)
    page.keyboard.press("Escape")
    assert marks.count() == 0


@pytest.mark.parametrize("size", [{"width": 844, "height": 390}, {"width": 320, "height": 256}])
def test_low_window_shows_a_result(size, open_page):
    page = open_page("chapters/budgets.html", viewport=size)
    page.keyboard.press("Control+k")
    page.wait_for_selector("#search input:focus")
    page.keyboard.type("laplace")
    box = page.locator("#search-results strong").first.bounding_box()
    assert box["y"] + box["height"] < size["height"]
    page.keyboard.press("End")
    close = page.locator("#search .leave").bounding_box()
    assert close["y"] >= 0 and min(close["width"], close["height"]) >= 44
    page.locator("#search .leave").click()
    assert page.locator("#search[open]").count() == 0


def test_number_of_results_is_said_once_when_typing_rests(open_page):
    page = open_page("search.html")
    page.wait_for_selector("#search-page input")
    page.evaluate(
        "window.said = []; new MutationObserver(() => said.push(document.querySelector('.said').textContent))"
        ".observe(document.querySelector('.said'), { childList: true })"
    )
    page.keyboard.type("laplace", delay=20)
    wait_until(page, "said.length > 0")
    assert page.evaluate("said.length") == 1 and "places" in page.evaluate("said[0]")


@pytest.mark.parametrize(
    ("query", "title"),
    [("laplace", r"Theorem \d+: Laplace mechanism"), ("sensitivity", r"Definition \d+: Sensitivity")],
)
def test_what_states_a_name_comes_first(query, title, find):
    assert re.fullmatch(title, find(query)[0][1])


@pytest.mark.parametrize(
    ("query", "better"),
    [("laplase", "Laplace"), ("sensitivvty", "Sensitivity"), ("gaussean noise", "Gaussian noise"), ("xyzzyx", "")],
)
def test_a_slip_of_the_pen_is_put_right(query, better, visited):
    assert (
        visited(VISITS).evaluate("query => book.loadSearch().then(({ meant }) => meant(query))", query).lower()
        == better.lower()
    )


def test_what_was_meant_is_offered_and_found(open_page):
    page = open_page("search.html?q=laplase")
    page.get_by_role("button", name="Did you mean Laplace?").click()
    titles = page.locator("#search-results a").first.inner_text()
    assert re.match(r"Theorem \d+: Laplace mechanism in ", titles)


@pytest.mark.parametrize(
    ("query", "address"), [("composition", "chapters/composition"), ("audit", "chapters/auditing")]
)
def test_the_chapter_of_that_name_is_among_the_first(query, address, find):
    assert f"{address}#" in [place for place, _ in find(query)[:3]]


def test_no_label_is_left_in_what_is_found():
    script = (SITE / "_static" / "search.js").read_text("utf-8").split("\n")[0]
    found = json.loads(script.removeprefix("globalThis.bookSections = ").removesuffix(";"))
    label = re.compile(r"\b(?:thm|def|cor|lem|prop)-[a-z]+|[\ue000\ue001]")
    assert not [text for _, _, titles, text, _ in found for text in (*titles, text) if label.search(text)]


def test_formula_in_a_result_is_set_and_a_function_s_name_is_not(open_page):
    page = open_page("search.html")
    page.wait_for_selector("#search-page input")
    shown = page.evaluate("bookSearch.excerpt('e^(-ε k) of ℓ_1 by noise_scale', 'k').innerHTML")
    assert shown == "e<sup>-ε <mark>k</mark></sup> of ℓ<sub>1</sub> by noise_scale"


def test_result_on_the_same_page_closes_the_search(open_page):
    page = open_page("chapters/budgets.html")
    page.locator(".find").click()
    page.wait_for_selector("#search input:focus")
    page.keyboard.type("planning a budget")
    page.keyboard.press("Enter")
    page.wait_for_url("**/budgets.html?find=*")
    assert not page.locator("#search").is_visible()


def test_the_search_page_takes_the_words_of_its_address(open_page):
    page = open_page("search.html?q=comparing")
    page.wait_for_selector("#search-results li a[href*='chapters/comparing.html']")


def test_without_javascript_the_search_page_says_what_it_needs(open_page):
    page = open_page("search.html", java_script_enabled=False)
    assert "needs JavaScript" in page.locator("main").inner_text()


def test_hostile_words_find_nothing_and_harm_nothing(open_page):
    page = open_page("search.html")
    for words in ("(", "[", "\\", "a{9999}", "<img src=x onerror=1>", "*", "𝜎" * 500):
        page.locator("#search-page input").fill(words)
    assert page.locator("#search-page img").count() == 0


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\alpha \le \frac{1}{\delta}", "α ≤ 1/δ"),
        (r"2\sigma/\sqrt{m - n}", "2σ/√(m - n)"),
        (r"\sqrt k", "√k"),
        (r"\Delta = \max \lVert f(D) - f(D') \rVert_1", "Δ = max ‖f(D) - f(D')‖_1"),
        (r"X_1, \dots, X_n", "X_1, ..., X_n"),
        (r"\frac{P(v \mid y)}{P(w \mid y)} \;\le\; e^{\varepsilon}", "(P(v | y))/(P(w | y)) ≤ e^ε"),
        (r"\bar\varepsilon = \frac{\alpha k}{2\sigma^2}", "ε = (α k)/(2σ^2)"),
        (r"e^{2(a + b)(c)}", "e^(2(a + b)(c))"),
        (r"\begin{aligned} a &= \mathrm{b} \\ c \end{aligned}", "a = b c"),
    ],
)
def test_formula_reads_as_text_that_means_the_same(tex, text):
    assert search.readable(tex) == text


def test_text_is_read_with_its_formulas_and_without_answers():
    text = nodes.paragraph("", "cost ", nodes.math("", r"\rho"), nodes.Text(" grows"))
    assert search.text_of(text) == "cost ρ grows"
    answered = nodes.container("", text, predict_answer("", nodes.paragraph("", "The first one.")))
    assert search.text_of(answered).strip() == "cost ρ grows"
