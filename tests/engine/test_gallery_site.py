"""The gallery as `make gallery` builds it: its figures in a browser, and what stands on its pages."""

from pathlib import Path

import pytest
from parity import differences, records
from test_axe import found_in, unfold
from toolbar import press
from waiting import wait_until

from livefigures.sphinx.page_facts import PageFacts

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "livefigures" / "gallery"
SITE = ROOT / "_build" / "gallery" / "html"
PAGES = sorted(path.relative_to(SOURCE).with_suffix(".html").as_posix() for path in SOURCE.rglob("*.md"))
MODELS = [page for page in PAGES if page.startswith("models/")]
RECORDS = records(SITE.parent / "live")


def text_of(page):
    """A built page's HTML; without the gallery's build there is none."""
    assert (SITE / page).exists(), "the gallery is not built: run `make gallery` first"
    return (SITE / page).read_text("utf-8")


@pytest.fixture
def opened(read):
    """Open a page of the gallery."""

    def open_(page):
        tab = read(SITE.as_uri() + "/", page)
        wait_until(tab, "[...document.querySelectorAll('figure.live')].every((figure) => figure.live)")
        return tab

    return open_


@pytest.fixture(scope="module")
def looks_seen():
    """The looks of the gallery's words that axe has seen in this process."""
    return set()


@pytest.mark.parametrize("page", PAGES)
def test_figures_of_page_show_what_python_computes(page, opened):
    tab, figures = opened(page), PageFacts(text_of(page)).figures
    assert figures or page not in MODELS
    for name in figures:
        assert len(RECORDS[name]["parity"]) >= 10
        assert differences(tab, RECORDS[name]) == []


@pytest.mark.parametrize("page", PAGES)
def test_page_has_no_violation_in_light_and_dark(page, opened, looks_seen):
    tab = opened(page)
    unfold(tab)
    assert found_in(tab, looks_seen) == []


def test_feature_of_the_gallery_fills_the_window_and_gives_the_page_back(opened):
    tab = opened("docs/getting_started.html")
    figure = tab.locator("figure.live")
    width, picture = figure.bounding_box()["width"], figure.locator(".live-picture")
    narrow = picture.bounding_box()["width"]
    press(tab, "full-width")
    assert figure.bounding_box() == {"x": 0, "y": 0} | tab.viewport_size
    assert picture.bounding_box()["width"] > 1.5 * narrow
    tab.keyboard.press("w")  # the button below the picture may still be on its way
    assert figure.bounding_box()["width"] == width
    tab.goto(tab.url.partition("#")[0] + "?again")  # anew, where no change is about to be written into the address
    wait_until(tab, "document.querySelector('figure.live')?.live !== undefined")
    tab.evaluate("location.hash = `wide=${document.querySelector('figure.live').id}`")
    wait_until(tab, "document.querySelector('.full-width') !== null")
    tab.go_back()
    wait_until(tab, "document.querySelector('.full-width') === null")


def test_outlier_is_dragged_in_the_picture_and_takes_the_fit_with_it(opened):
    tab = opened("models/least_squares.html")
    tab.locator("#outlier").scroll_into_view_if_needed()
    outlier = tab.locator("#outlier [data-mark=outlier]")
    assert outlier.get_attribute("data-x") == "9.5"
    dots = "document.querySelector('#outlier .live-cloud').innerHTML"
    before = tab.evaluate(dots)
    box = tab.locator("#outlier svg").first.bounding_box()
    middle = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + 0.7 * box["width"], middle)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 0.4 * box["width"], middle, steps=5)
    tab.mouse.up()
    wait_until(tab, "document.querySelector('#outlier [data-mark=outlier]').dataset.x < 6")
    assert tab.evaluate(dots) != before


def test_how_the_trace_works_prints_the_trace(opened):
    words = opened("docs/how_the_trace_works.html").locator("article").inner_text()
    assert "3 ['mul', 0, 2]\n4 ['add', 1, 3]" in words
    assert "[2.0, 1.0, 10.0, 20.0, 21.0]" in words
