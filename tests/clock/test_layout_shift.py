"""Nothing moves while a page arrives, whatever fonts its reader has and however slow the processor is."""

import pytest
from test_page_weight import PAGES

# What moves, moves before the fonts are there and the page has nothing more to do.
SHIFTS = """async () => {
  await document.fonts.ready;
  for (let i = 0; i < 3; i++) await new Promise((idle) => requestAnimationFrame(() => requestIdleCallback(idle)));
  const seen = new PerformanceObserver(() => {});
  seen.observe({ type: "layout-shift", buffered: true });
  return seen.takeRecords().reduce((sum, shift) => sum + shift.value, 0);
}"""


def test_a_shift_is_seen(open_page):
    page = open_page("chapters/references.html")
    page.evaluate("document.querySelector('h1').style.marginTop = '200px'")
    assert page.evaluate(SHIFTS) > 0.02


NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
ARRIVING = [*PAGES, "chapters/accounting_compared.html#rdp-vs-zcdp:alpha=60,k=265"]
# At a sixth of the speed: the pages that once moved, the longest, and one of each kind.
KINDS = ["composition", "cdp", "accounts", "comparing", "accounting_compared", "rdp", "index", "lesson_1", "accountant"]
KINDS += ["desk", "reference"]
SLOWLY = [address for address in ARRIVING if any(f"{kind}.html" in address for kind in KINDS)]
# Each page in either window and with either set of fonts, in two arrivals: the wider letters on the phone.
ARRIVALS = [(address, "dejavu", NARROW, 1) for address in ARRIVING]
ARRIVALS += [(address, "liberation", WIDE, 1) for address in ARRIVING]
ARRIVALS += [(address, "dejavu", NARROW, 6) for address in SLOWLY]
ARRIVALS += [("chapters/comparing.html", "dejavu", WIDE, 6)]


@pytest.mark.parametrize(("address", "fonts_seen", "size", "slowed"), ARRIVALS)
def test_nothing_shifts_while_a_page_arrives(address, size, slowed, open_page):
    assert open_page(address, own=True, slowed=slowed, viewport=size).evaluate(SHIFTS) <= 0.02
