"""The book's budgets of time, measured and printed as a table: `make bench`. One that is missed makes the run fail.

Computers differ threefold in speed: a time is stated in units of what matplotlib needs, in the same run, to draw the
book's main figure anew as a PNG. What is counted, the operations of a figure and the bytes of a page, is the same on
every computer: `make test` insists on it (test_trace_programme.py, test_page_weight.py).
"""

import io
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jupytext
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from chromium import FLAGS, find  # noqa: E402 - the folder of the tests is no package
from parity import records  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from dp_lib import gdp  # noqa: E402
from livefigures.draw.draw import draw, style  # noqa: E402
from livefigures.notebook.view import DPI, View  # noqa: E402

BOOK = ROOT / "_build" / "html" / "chapters"
RECORDS = ROOT / "_build" / "live"
HEAVIEST = 10  # so many figures, by their number of operations, are measured thoroughly, the others briefly
MANY, FEW, WARM_UP = 200, 20, 5  # redraws

DRAW = """
([name, warmUp, events]) => new Promise((done) => {
  const figure = document.getElementById(name);
  const sliders = [...figure.querySelectorAll("input[type=range]")];
  const times = [];
  const step = (i) => {
    if (i === events + warmUp) return done(times.slice(warmUp));
    const slider = sliders[i % sliders.length];
    const [low, high] = [Number(slider.min), Number(slider.max)];
    const grain = Number(slider.step);
    slider.value = low + grain * Math.round((high - low) / grain * ((i * 0.618034) % 1));
    let redrawn = 0;
    figure.addEventListener("live:redraw", () => (redrawn = performance.now()), { once: true });
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (redrawn) times.push(redrawn - start);
    else times.push(NaN);
    setTimeout(() => requestAnimationFrame(() => step(i + 1)));
  };
  step(0);
})
"""


class Row(NamedTuple):
    """One line of the table."""

    budget: str
    measured: float
    allowed: float

    @property
    def kept(self) -> bool:
        """Also False where nothing could be measured: NaN keeps no budget."""
        return self.measured <= self.allowed


def timed(figures: dict[str, dict]) -> list[Row]:
    """What a clock says, in full redraws of a picture."""
    view = main_view()
    yardstick = full_redraw(view, 30)
    redraws = page_redraws(figures)
    slowest = max(redraws, key=redraws.get)
    times = {
        "page redraw, median of figures": (statistics.median(redraws.values()), 1 / 50),
        f"page redraw, slowest ({slowest})": (redraws[slowest], 1 / 12),
        "kernel redraw, median": (kernel_redraw(view, 60), 1 / 3),
        "gdp.epsilon, 100 values of k": (exact_epsilons(50), 1 / 40),
        "import dp_lib, beyond NumPy and SciPy": (import_time(7), 6),
    }
    return [Row(what, time_ / yardstick, allowed) for what, (time_, allowed) in times.items()]


def milliseconds(act: Callable[[int], object], runs: int) -> float:
    """The median time of act(0), act(1), ..., in milliseconds."""
    times = []
    for i in range(runs):
        start = time.perf_counter()
        act(i)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def full_redraw(view: View, runs: int) -> float:
    """What a redraw costs who does nothing about it: matplotlib draws all of it, to a PNG."""
    drawing = draw(view.figure, DPI)

    def redraw(i: int) -> None:
        drawing.update(view.values | {"sigma": 60 + 5 * i}, view.draws)
        drawing.canvas.savefig(io.BytesIO(), format="png")

    with style(view.figure.name):
        return milliseconds(redraw, runs)


def page_redraws(figures: dict[str, dict]) -> dict[str, float]:
    """Median milliseconds from a slider's event to new paths, for each figure."""
    medians = {}
    by_operations = sorted(figures, key=lambda name: -figures[name]["operations"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        for path in sorted(BOOK.glob("*.html")):
            page = browser.new_page()
            page.goto(path.as_uri())
            for name in figures:
                if page.locator(f"figure.live#{name}").count():
                    events = MANY if name in by_operations[:HEAVIEST] else FEW
                    times = page.evaluate(DRAW, [name, WARM_UP, events])
                    medians[name] = statistics.median(times)
            page.close()
        browser.close()
    return medians


def import_time(runs: int) -> float:
    """Median milliseconds, in fresh interpreters, of `import dp_lib` with all its modules, beyond NumPy and SciPy."""
    code = (
        "import time, numpy, scipy.special; start = time.perf_counter(); "
        "import dp_lib; from dp_lib import approx, cdp, gdp, pure, rdp, zcdp; print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", code]
    return 1e3 * statistics.median(
        float(subprocess.run(command, capture_output=True, check=True, text=True).stdout) for _ in range(runs)
    )


def kernel_redraw(view: View, runs: int) -> float:
    """From a slider's change to the new image, in a notebook: the book's figure of seven curves."""
    slider = view.sliders["sigma"]
    return milliseconds(lambda i: setattr(slider, "value", 60 + 5 * i), runs)


def main_view() -> View:
    """The figure rdp-vs-zcdp in a notebook, made by running its chapter's cells up to it."""
    names: dict = {}
    for cell in jupytext.read(ROOT / "chapters" / "accounting_compared.md").cells:
        if cell.cell_type == "code":
            if 'name="rdp-vs-zcdp"' in cell.source:
                exec(cell.source.replace("live.Figure(", "figure = live.Figure(", 1), names)
                return names["figure"].view
            exec(cell.source, names)
    raise LookupError("no figure rdp-vs-zcdp in chapters/accounting_compared.md")


def exact_epsilons(runs: int) -> float:
    """The exact ε of 100 Gaussian compositions, in milliseconds."""
    mu = gdp.repeat(gdp.gaussian(200.0), np.arange(1, 101))
    return milliseconds(lambda i: gdp.epsilon(mu, 1e-5), runs)


def table(rows: list[Row]) -> str:
    """The rows as text, a word at each budget that is missed."""
    lines = [f"{'budget':<60} {'measured':>9} {'allowed':>9}"]
    for row in rows:
        missed = "" if row.kept else "  MISSED"
        lines.append(f"{row.budget:<60} {row.measured:>9.5g} {row.allowed:>9g} full redraws{missed}")
    return "\n".join(lines)


def main() -> int:
    figures = records(RECORDS)
    rows = timed(figures)
    print(table(rows))
    heaviest = max(figures, key=lambda name: figures[name]["operations"])
    print(f"{len(figures)} figures; the heaviest, {heaviest}, has {figures[heaviest]['operations']} operations")
    return int(not all(row.kept for row in rows))


if __name__ == "__main__":
    sys.exit(main())
