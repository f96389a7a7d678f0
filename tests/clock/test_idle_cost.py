"""At rest a page rests: no layout, next to no work, at every width, in present mode, turned, after its sliders moved.

A third of all pages are open at once and rest at the same time: the test mostly sleeps.
"""

from itertools import pairwise

import pytest
from conftest import SITE

from dp_lib import live

SIZES = [(320, 568), (768, 1024), (1280, 800)]
PRESENTED = [(1280, 800)]
UPRIGHT, TURNED = (390, 844), (844, 390)
CHAPTERS = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("chapters/**/*.html"))
FILLED = [page for page in CHAPTERS if 'class="live-picture"' in (SITE / page).read_text("utf-8")]

# The first figure fills the window, and is the only one left.
PRESENT = """
const [first, ...others] = document.querySelectorAll("figure.live");
others.forEach((figure) => figure.remove());
live.use("present").enter(first.live);
"""
MOVE = """
document.querySelectorAll("figure.live input[type=range]").forEach((range) => {
  range.value = range.max;
  range.dispatchEvent(new Event("input", { bubbles: true }));
})
"""
# The window's size, some milliseconds after it is drawn next. A page that nobody sees is not drawn: this never returns.
SETTLE = """
(milliseconds) => {
  globalThis.settled = new Promise((done) =>
    requestAnimationFrame(() => setTimeout(() => done([innerWidth, innerHeight]), milliseconds)));
}
"""
BUSY = 0.02  # of the time
PICTURES = "[...document.querySelectorAll('.live-picture svg')].map((svg) => svg.outerHTML)"


class Watched:
    """A page in a window of any size, and what Chromium counts of its work."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self._session = page.context.new_cdp_session(page)
        # Time of the thread itself: not what another process of a busy computer takes from it.
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def resize(self, size):
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self._session.send("Emulation.setDeviceMetricsOverride", metrics)  # playwright's own way takes far longer

    def work(self):
        """Layouts, and seconds at work, since the page was opened."""
        counted = {one["name"]: one["value"] for one in self._session.send("Performance.getMetrics")["metrics"]}
        return counted["LayoutCount"], counted["TaskDuration"]


def seconds(pages, count):
    """What each page lays out, and its share of the time at work, in each of so many seconds."""
    counts = [[each.work() for each in pages]]
    for _ in range(count):
        pages[0].page.wait_for_timeout(1000)
        counts.append([each.work() for each in pages])
    spent = [[(b[0] - a[0], b[1] - a[1]) for a, b in zip(*pair, strict=True)] for pair in pairwise(counts)]
    return [list(zip(*of, strict=True)) for of in zip(*spent, strict=True)]


def restless(pages):
    """Who lays out or works during two seconds in which nobody does anything, and how much."""
    found = []
    for each, (layouts, shares) in zip(pages, seconds(pages, 2), strict=True):
        # The browser now and then tidies up; what a page does for ever is in each second, and in two more.
        share = min(shares)
        if share >= BUSY:
            share = min(share, *seconds([each], 2)[0][1])
        if sum(layouts) or share >= BUSY:
            found.append(f"{each.name}: {sum(layouts)} layouts, {100 * share:.0f} % of the time")
    return found


def settle(pages, size, moved=False):
    for each in pages:
        each.resize(size)
        if moved:
            each.page.evaluate(MOVE)
        # The theme waits .3 s after the last change of size; readings are told to screen readers .7 s after a slider.
        each.page.evaluate(SETTLE, 800 if moved else 400)
    assert {tuple(each.page.evaluate("settled")) for each in pages} == {size}


def restless_at(pages, size, moved=False):
    settle(pages, size, moved)
    return [f"{size[0]} x {size[1]}, {one}" for one in restless(pages)]


def tour(pages, sizes):
    """Who is restless at which size; on a phone after a turn, and with the sliders moved."""
    found = [one for size in sizes for one in restless_at(pages, size)]
    settle(pages, TURNED)
    return found + restless_at(pages, UPRIGHT, moved=True)


@pytest.mark.parametrize("chapters", [CHAPTERS[first::3] for first in range(3)], ids=range(3))
def test_pages_at_rest_do_nothing(chapters, open_page):
    pages = [Watched(open_page(address, own=True), address) for address in chapters]
    found = tour(pages, SIZES)
    presenting = [each for each in pages if each.name in FILLED]
    for each in presenting:
        each.page.evaluate(PRESENT)
    found += tour(presenting, PRESENTED)
    assert not found, "\n".join(found)


def test_a_width_has_one_picture_whatever_came_before(show):
    page = show(
        live.Figure(
            name="narrow", x=live.k(1, 999), y=("ε, a name of some length", 0, 9), curves={"a": lambda k: k / 999}
        ),
        own=True,
    )
    pictures = []
    for width in (390, 320, 390, 412, 390, 430, 390, 1280, 390):
        settle([Watched(page, "narrow")], (width, 844))
        pictures.append(page.evaluate(PICTURES))
    assert len({str(picture) for picture in pictures[::2]}) == 1
    assert len({str(picture) for picture in pictures}) == 5
