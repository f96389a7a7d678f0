"""The book's budgets, measured and printed as a table: `make bench`. A budget that is missed makes the run fail."""

import gzip
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from chromium import FLAGS, find  # noqa: E402 - the folder of the tests is no package
from parity import records  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from dp_lib import gdp  # noqa: E402

BOOK = ROOT / "_build" / "html" / "chapters"
EVENTS = 200

DRAW = """
([name, events]) => new Promise((done) => {
  const figure = document.getElementById(name);
  const sliders = [...figure.querySelectorAll("input[type=range]")];
  const times = [];
  const step = (i) => {
    if (i === events + 20) return done(times.slice(20));
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


def page_redraws() -> dict[str, float]:
    """Median milliseconds from a slider's event to new paths, for each figure."""
    medians = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        for path in sorted(BOOK.glob("*.html")):
            page = browser.new_page()
            page.goto(path.as_uri())
            for name in records(ROOT / "_build" / "live"):
                if page.locator(f"figure.live#{name}").count():
                    medians[name] = statistics.median(page.evaluate(DRAW, [name, EVENTS]))
        browser.close()
    return medians


def own_bytes(path: Path) -> int:
    """Compressed size of a chapter's page: its HTML with the figures' data."""
    return len(gzip.compress(path.read_bytes(), 9))


def import_seconds() -> float:
    """`import dp_lib` with all its rooms, beyond NumPy and SciPy: the median of seven fresh interpreters."""
    code = (
        "import time, numpy, scipy.special; start = time.perf_counter(); "
        "import dp_lib; from dp_lib import approx, cdp, gdp, pure, rdp, zcdp; print(time.perf_counter() - start)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True) for _ in range(7)]
    return statistics.median(float(run.stdout) for run in runs)


def kernel_redraw() -> float:
    """Median milliseconds from a slider's change to the new image, in a notebook: the book's figure of seven curves."""
    figure = main_figure()
    view = figure.view
    times = []
    for i in range(60):
        start = time.perf_counter()
        view.sliders["sigma"].value = 60 + 5 * i
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main_figure():
    """The figure rdp-vs-zcdp, made by running its chapter's cells up to it."""
    import jupytext

    notebook = jupytext.read(ROOT / "chapters" / "comparing.md")
    names: dict = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            source = cell.source
            if 'name="rdp-vs-zcdp"' in source:
                exec(source.replace("live.Figure(", "figure = live.Figure(", 1), names)
                return names["figure"]
            exec(source, names)
    raise LookupError("no figure rdp-vs-zcdp in chapters/comparing.md")


def exact_epsilons() -> float:
    """Milliseconds for the exact ε of 100 Gaussian compositions."""
    mu = gdp.repeat(gdp.gaussian(200.0), np.arange(1, 101))
    gdp.epsilon(mu, 1e-5)
    times = []
    for _ in range(50):
        start = time.perf_counter()
        gdp.epsilon(mu, 1e-5)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main() -> int:
    redraws = page_redraws()
    heaviest = max(redraws, key=redraws.get)
    rows = [("page redraw, median of figures", statistics.median(redraws.values()), 1.0, "ms")]
    rows += [(f"page redraw, heaviest ({heaviest})", redraws[heaviest], 4.0, "ms")]
    rows += [(f"{path.name}, gzip", own_bytes(path) / 1e3, 150, "kB") for path in sorted(BOOK.glob("*.html"))]
    rows += [("import dp_lib", import_seconds(), 0.3, "s"), ("kernel redraw, median", kernel_redraw(), 15, "ms")]
    rows += [("gdp.epsilon, 100 values of k", exact_epsilons(), 1.0, "ms")]
    for name, median in sorted(redraws.items()):
        print(f"  figure {name:<28} {median:8.3f} ms")
    print(f"{'budget':<46} {'measured':>10} {'allowed':>10}")
    for name, measured, allowed, unit in rows:
        print(
            f"{name:<46} {measured:>7.3f} {unit:<2} {allowed:>7g} {unit:<2} {'' if measured <= allowed else 'MISSED'}"
        )
    return int(any(not measured <= allowed for _, measured, allowed, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
