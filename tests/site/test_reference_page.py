"""The reference page and the table of functions in the built book: links, anchors, search and size."""

import gzip

import pytest
from conftest import SITE
from readers import PHONE
from test_reference import ENTRIES

from book.reference import function_table as verbs
from book.reference.entries import public
from livefigures.sphinx.page_facts import PageFacts


def test_every_entry_has_its_anchor_and_the_table_leads_to_each_verb(site):
    anchors = PageFacts((site / "chapters/reference.html").read_text("utf-8")).ids
    assert set(ENTRIES) <= anchors
    links = PageFacts((site / "chapters/symbols.html").read_text("utf-8")).links
    for room in verbs.BUDGETS:
        for name in public(room):
            assert f"reference.html#{room}.{name}" in links or name[0].isupper()


@pytest.mark.parametrize("address", ["chapters/symbols.html"])
def test_verb_table_scrolls_in_its_own_box_on_a_phone(visited, address):
    page = visited(address, **PHONE)
    box = page.locator(":has(> .verbs-matrix)")
    wide, narrow = box.evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert wide > narrow
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_search_finds_a_verb(open_page):
    page = open_page("search.html?q=epsilon_tight")
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").evaluate_all("links => links.map((a) => new URL(a.href).hash)")
    assert {"#rdp.epsilon_tight", "#zcdp.epsilon_tight"} <= set(found)


def test_reference_page_keeps_the_budget_of_a_chapter():
    assert len(gzip.compress((SITE / "chapters/reference.html").read_bytes())) <= 150_000
