"""Fingers: a swipe that begins on a slider scrolls the page and changes nothing, one along the slider moves it."""

import pytest
from readers import DRAWN, PHONE

# A figure answers a finger in the same way on all pages: these have one in a fold, one with a game, one in a lab.
PAGES = ["chapters/comparing.html", "chapters/approx.html", "chapters/labs/accountant.html", "chapters/attackers.html"]

FIGURES = "[...document.querySelectorAll('figure.live')].map((figure) => figure.id)"
# A slider of the figure in the middle of the window, and where its thumb is not.
AIM = """(name) => {
  const figure = document.getElementById(name);
  for (let fold = figure.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const range = [...figure.querySelectorAll("input[type=range]")].find((each) => each.checkVisibility());
  range.scrollIntoView({ block: "center", behavior: "instant" });
  const box = range.getBoundingClientRect();
  const share = (Number(range.value) - range.min) / (range.max - range.min);
  return { x: box.left + box.width * (share > 0.5 ? 0.1 : 0.9), y: box.top + box.height / 2, top: scrollY };
}"""
VALUES = "(name) => JSON.stringify(document.getElementById(name).live.values)"


class Finger:
    """Touches as the browser gets them from a screen."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind, *points):
        places = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def swipe(self, x, y, across, down, steps=6):
        self._send("touchStart", (x, y))
        for step in range(1, steps + 1):
            self._send("touchMove", (x + across * step / steps, y + down * step / steps))
        self._send("touchEnd")


@pytest.mark.parametrize("address", PAGES)
def test_swipes_scroll_and_drags_move_the_slider(visited, address):
    page = visited(address, **PHONE, has_touch=True, is_mobile=True)
    finger, found = Finger(page), []
    for name in page.evaluate(FIGURES):  # all of these first: a finger on a page that still scrolls only stops it
        page.evaluate(AIM, name)
        at, before = page.evaluate(AIM, name), page.evaluate(VALUES, name)
        finger.swipe(at["x"], at["y"], -70 if at["x"] > 195 else 70, 6)
        page.evaluate(DRAWN)
        if page.evaluate(VALUES, name) == before:
            found.append(f"{name}: a drag along the slider changed nothing")
    for name in page.evaluate(FIGURES):
        page.evaluate(AIM, name)
        at, before = page.evaluate(AIM, name), page.evaluate(VALUES, name)
        finger.swipe(at["x"], at["y"], 8, -220)
        page.evaluate(DRAWN)
        if page.evaluate(VALUES, name) != before:
            found.append(f"{name}: a swipe changed {before} to {page.evaluate(VALUES, name)}")
        if abs(page.evaluate("scrollY") - at["top"]) < 50:
            found.append(f"{name}: a swipe did not scroll")
    assert not found, "\n".join(found)
