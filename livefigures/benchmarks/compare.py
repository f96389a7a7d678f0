"""How fast a figure follows its slider, and what it weighs: livefigures and four other libraries, in one run.

A mouse drags the first slider of each figure in Chromium, without a network. The README has the table and says how to
repeat it.
"""

import gzip
import importlib.metadata
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from libraries import LIBRARIES
from models import MODELS
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

ROUNDS, MOVES, REST = 3, 30, 120  # REST: milliseconds after a move, in which nobody needs longer
# When a slider's event came, and when the picture changed last: a path of an SVG, or anything on a canvas.
WATCH = """
(() => {
  globalThis.moved = 0;
  globalThis.drawn = 0;
  addEventListener("pointermove", () => (moved = performance.now()), true);
  const draws = () => (drawn = performance.now());
  new MutationObserver(draws).observe(document, { subtree: true, attributes: true, attributeFilter: ["d"] });
  const canvas = CanvasRenderingContext2D.prototype;
  for (const name of ["stroke", "fill", "fillText", "fillRect", "clearRect", "drawImage"]) {
    const method = canvas[name];
    canvas[name] = function (...given) {
      draws();
      return method.apply(this, given);
    };
  }
})();
"""


def main(chromium: str) -> None:
    """Print the table, and the versions it was measured with."""
    delays, works = defaultdict(list), defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = written(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        version = browser.version
        for _ in range(ROUNDS):  # all of them in each round: a busy minute hits each alike
            for (library, name), path in pages.items():
                seen, work = dragged(browser, path, LIBRARIES[library])
                delays[library, name] += seen
                works[library, name].append(work)
        browser.close()
        print(table(pages, delays, works))
    names = [*LIBRARIES, "ipywidgets"]
    versions = ", ".join(f"{name} {importlib.metadata.version(name.lower())}" for name in names)
    print(f"\n{date.today()}, Chromium {version}, {versions}; medians of {ROUNDS * MOVES} moves of a slider")


def written(folder: Path) -> dict[tuple[str, str], Path]:
    """Write a page for each library and figure."""
    paths = {}
    for library, made in LIBRARIES.items():
        for name in MODELS:
            paths[library, name] = folder / f"{library}-{name}.html"
            paths[library, name].write_text(made.page(name), "utf-8")
    return paths


def dragged(browser: Browser, path: Path, library: type) -> tuple[list[float], float]:
    """Return the milliseconds from each event to the picture, and the page's work per event in milliseconds."""
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 1000})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator(library.thumb).first.wait_for()
    page.wait_for_timeout(1000)
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    (left, y), width = pressed(page, library)
    seen = []
    before = worked(session)
    for move in range(MOVES):
        page.mouse.move(left + width * ((move * 0.618034) % 1), y)
        page.wait_for_timeout(REST)
        seen.append(page.evaluate("drawn - moved"))
    work = worked(session) - before
    context.close()
    changed = [delay for delay in seen if delay > 0]  # else the move led to the same stop
    if len(changed) < 0.8 * MOVES:
        raise RuntimeError(f"{path.name}: {len(changed)} of {MOVES} moves changed the picture")
    return changed, 1e3 * work / len(changed)


def pressed(page: Page, library: type) -> tuple[tuple[float, float], float]:
    """Press the mouse on the first slider's thumb; return where the slider begins, and its width."""
    track = page.locator(library.track).first
    track.scroll_into_view_if_needed()
    thumb, along = page.locator(library.thumb).first.bounding_box(), track.bounding_box()
    y = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
    page.mouse.down()
    page.wait_for_timeout(REST)
    return (along["x"], y), along["width"]


def worked(session: CDPSession) -> float:
    """Return the seconds that the page's main thread has been at work."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def table(pages: dict, delays: dict, works: dict) -> str:
    """Return the measurements as a table: a line for each library, three numbers in a cell for the three figures."""
    heads = ("library", "event to picture, ms", "work per event, ms", "one figure, kB", "all three, kB", "sliders")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for library, made in LIBRARIES.items():
        page = [packed(pages[library, name].read_text("utf-8")) for name in MODELS]
        three = page[0] + sum(packed(made.part(name)) for name in list(MODELS)[1:])
        cells = (
            in_one_cell(f"{statistics.median(delays[library, name]):.1f}" for name in MODELS),
            in_one_cell(f"{statistics.median(works[library, name]):.1f}" for name in MODELS),
            in_one_cell(f"{one:.0f}" for one in page),
            f"{three:.0f}",
            made.sliders,
        )
        lines.append(f"| {library} | {' | '.join(cells)} |")
    return "\n".join(lines)


def in_one_cell(numbers: Iterable[str]) -> str:
    return " / ".join(numbers)


def packed(text: str) -> float:
    """Return the size of a text under gzip, in kB."""
    return len(gzip.compress(text.encode(), 9)) / 1e3


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: compare.py PATH-OF-CHROMIUM")
    main(sys.argv[1])
