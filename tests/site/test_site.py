"""The built site as a reader meets it: every page, from a disk, without a network."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from conftest import SITE
from readers import PHONE

from livefigures.sphinx.page_facts import PageFacts

CHAPTERS = Path(__file__).parents[2] / "chapters"
DOOR = "index.html"  # no page: it leads on to the first one
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if "_static" not in path.parts and path != SITE / DOOR
)


READS_ALL = pytest.mark.xdist_group("facts")  # in one process, which reads each page once


def facts_of(path):
    """What a page holds; most links of the book lead to the same few pages."""
    return _read(path.resolve())


@cache
def _read(path):
    return PageFacts(path.read_text("utf-8"))


def test_the_site_has_its_chapters_index_and_search():
    assert {"chapters/index.html", "chapters/comparing.html", "genindex.html", "search.html"} <= set(PAGES)


def test_the_front_door_leads_to_the_first_page(witnessed, site):
    root = site.resolve().as_uri() + "/"
    page = witnessed(root).new_page()
    page.goto(root + DOOR)
    page.wait_for_url("**/chapters/index.html")


def test_only_chapters_and_sheets_are_pages():
    assert all(page.startswith(("chapters/", "handouts/")) for page in PAGES if "/" in page)


@pytest.mark.parametrize("address", PAGES)
def test_page_is_sound_from_a_disk_in_light_in_dark_and_on_a_phone(address, visited):
    page = visited(address, **PHONE)  # which insists on no complaint and no outside request
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, "the page scrolls sideways"


@READS_ALL
@pytest.mark.parametrize("address", [DOOR, *PAGES])
def test_links_lead_to_pages_and_places_that_exist(address, site):
    broken = []
    for link in facts_of(site / address).links:
        path, place = urldefrag(link)
        path = path.partition("?")[0]  # a step of a lesson
        if re.match(r"[a-z]+:", link) or place and ":" in place:  # another site; a figure's state, checked by the build
            continue
        target = (site / address).parent / unquote(path) if path else site / address
        if not target.exists():
            broken.append(link)
        elif place and target.suffix == ".html":
            facts = facts_of(target)
            broken += [link] if unquote(place) not in facts.ids | set(facts.figures) else []
    assert not broken


ERRORS = re.findall(r"^\((error-[a-z-]+)\)=$", (CHAPTERS / "errors.md").read_text("utf-8"), re.MULTILINE)


@READS_ALL
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_circulation_is_named_where_the_truth_is_taught(error, site):
    lessons = [site / page for page in PAGES if page.startswith("chapters/") and "teaching" not in page]
    assert [page for page in lessons if f"errors.html#{error}" in facts_of(page).links]


def test_published_site_holds_no_records_of_figures(site):
    assert not list(site.rglob("live/*.json"))
