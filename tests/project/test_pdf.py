"""The book as a PDF, shown on its smallest pages."""

import importlib.util
import io
from unicodedata import normalize

import pytest
from conftest import SITE
from pypdf import PdfReader

PROGRAM = SITE.parents[1] / "tools" / "pdf.py"


@pytest.fixture(scope="module")
def pdf():
    """The program, which is no package."""
    spec = importlib.util.spec_from_file_location("pdf", PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


@pytest.fixture(scope="module")
def small(pdf, browser, site):
    """A book of two pages of the site."""
    pages = [site / "chapters" / name for name in ("index.html", "references.html")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf, "files_in_order", lambda site: pages)
        file = io.BytesIO()
        pdf.book(browser, site, "Differential Privacy").write(file)
    return PdfReader(file)


def test_all_chapters_are_in_the_order_of_the_contents(pdf, site):
    files = pdf.files_in_order(site)
    assert files[0] == site / "chapters/index.html" and site / "chapters/comparing.html" in files
    assert all(file.exists() for file in files)


def test_contents_name_the_page_on_which_a_chapter_begins(small):
    contents = normalize("NFKC", small.pages[1].extract_text()).split("\n")  # its "ff" is one character
    bookmarks = {item.title: small.get_destination_page_number(item) + 1 for item in small.outline}
    assert list(bookmarks) == ["Differential Privacy", "References"]
    text = " ".join(contents)
    for title, number in bookmarks.items():
        assert title in text and str(number) in text


def test_every_page_after_the_contents_has_its_number(small):
    for number, page in enumerate(small.pages[2:], 3):
        assert page.extract_text().rstrip().endswith(f"·  {number}") or f"·  {number}" in page.extract_text()


def test_links_are_footnotes_and_none_leads_to_this_computer(small):
    assert "Links" in small.pages[-1].extract_text() + small.pages[-2].extract_text()
    assert "https://doi.org/" in small.pages[-1].extract_text()
    for page in small.pages:
        for annotation in page.get("/Annots", []):
            assert not annotation.get_object().get("/A", {}).get("/URI", "").startswith("file:")


def printed(open_page, address, script):
    """What a script finds while the page is as it will be printed."""
    page = open_page(address, color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    found = page.evaluate(script)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    return page, found


def test_solutions_are_unfolded_at_the_end_and_go_back(open_page):
    script = """() => {
      const article = document.querySelector("article");
      const solutions = [...article.querySelectorAll(".solution")];
      return [solutions.length, solutions.every((one) => one.closest(".print-only")),
        article.querySelectorAll(".solution:not([open])").length, document.documentElement.dataset.theme];
    }"""
    page, (count, gathered, folded, theme) = printed(open_page, "chapters/errors.html", script)
    assert count > 0 and gathered and folded == 0 and theme == "light"
    assert page.locator(".print-only").count() == 0
    assert page.locator(".solution:not([open])").count() == count
    assert page.evaluate("document.documentElement.dataset.theme") is None  # the system's again


def test_an_answer_at_the_end_stands_with_its_question(open_page):
    script = "[...document.querySelectorAll('.print-answer')].map((given) => given.firstChild.textContent)"
    page, heads = printed(open_page, "chapters/cdp.html", script)
    questions = page.locator(".predict").all()
    source = (SITE.parent.parent / "chapters/cdp.md").read_text("utf-8")
    assert len(heads) == len(questions) == source.count("```{predict}") == 4
    for number, (head, question) in enumerate(zip(heads, questions, strict=True), 1):
        asked, right = question.locator("legend").text_content(), question.get_attribute("data-answer")
        words = question.locator(f'label:has(input[value="{right}"]) span').text_content() if right else ""
        assert head == f"Question {number}. {asked}" + (f" Answer: {words}" if words else "")
