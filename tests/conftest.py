"""The built book, and a real browser to read it in.

A test asks for `open_page` and gets pages of the site over file://. After the test the fixture insists, without any
list of exceptions, that the browser had nothing to complain of (no error or warning in its console) and that nothing
was requested from outside the site's folder.
"""

import functools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Matrices so small are solved 50 times faster by one thread than by two that wait for each other on shared cores.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import chromium
import fonts
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from readers import Reader, Readers, Witness

from dp_lib import check

# A grammar of addresses that jsonschema makes as it is imported, in two seconds of each process, and no test asks for.
sys.modules.setdefault("rfc3987_syntax", None)
# No stopwatch, since on shared cores a slow example says nothing; and the same examples in every run.
settings.register_profile("book", deadline=None, derandomize=True)
settings.register_profile("fast", deadline=None, derandomize=True, max_examples=10)  # `make test FAST=1`
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "book"))

SITE = Path(__file__).parent.parent / "_build" / "html"
CHAPTERS = Path(__file__).parent.parent / "chapters"
# They start Jupyter kernels, whose ports are chosen before they are bound: of two that start at once, one may find its
# port taken. So one process has them all.
KERNELS = {"test_lab", "test_messages", "test_notebook", "test_installed_package", "test_preview"}
ALONE = {"claims", "labs", "maths", "text"}  # folders of tests that need no book and no browser (make_test_stages.py)
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="live.css"><script defer src="live.js"></script></head><body>{content}</body></html>"""


FAILED = pytest.StashKey[bool]()


def page_of(item: pytest.Item) -> str:
    """Return the page that a test visits, of which one process has all the tests, one after another."""
    if "visited" not in getattr(item, "fixturenames", []):
        return ""
    page = getattr(item.module, "VISITS", "") or item.callspec.params["address"]
    return page if isinstance(page, str) else ""  # no page at all, where the book is not built


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test by what it needs: the gate (make_test_stages.py) runs its stages by these marks."""
    fixtures = getattr(item, "fixturenames", [])
    if page_of(item):
        item.add_marker(pytest.mark.xdist_group(page_of(item)))
    if item.path.stem in KERNELS:
        item.add_marker(pytest.mark.xdist_group("kernels"))
    if "browser_with" in fixtures:
        item.add_marker("browser")
    if "site" in fixtures or hasattr(getattr(item, "module", None), "SITE"):
        item.add_marker("book")
    needed = {"book", "browser", "notebooks"} & {mark.name for mark in item.iter_markers()}
    if needed and item.path.parent.name in ALONE:
        raise pytest.UsageError(f"{item.nodeid} needs a {needed.pop()}: put it into tests/site")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of a page together; with FAST=1, leave out what takes long and chapters that nobody has changed."""
    items.sort(key=lambda item: (page_of(item), item.get_closest_marker("spoils") is not None))
    if "FAST_TESTS" not in os.environ:
        return
    changed = set(os.environ["FAST_TESTS"].split())  # chapters (make_test_stages.py)
    others = {path.relative_to(CHAPTERS).with_suffix("").as_posix() for path in CHAPTERS.glob("**/*.md")} - changed
    kept, left_out = [], []
    for item in items:
        groups = {mark.args[0] for mark in item.iter_markers("xdist_group")}
        slow = item.get_closest_marker("long") is not None
        (left_out if slow or groups & others and not groups & changed else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Note a failure: who knows how it has left its page."""
    report = yield
    item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built book; `make test` builds it before it calls pytest."""
    assert (SITE / "index.html").exists(), "the book is not built: run `make book` first"
    return SITE


@pytest.fixture(scope="session")
def browser_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Browser]]:
    """`browser_with("dejavu")` is a Chromium that sees that set of fonts alone (fonts.py): one for the whole run."""
    path = chromium.find()
    with sync_playwright() as playwright:
        launched: dict[str, Browser] = {}

        def browser(seen: str) -> Browser:
            if seen not in launched:
                variables = os.environ | fonts.environment(seen, tmp_path_factory.mktemp(seen))
                launched[seen] = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS, env=variables)
            return launched[seen]

        yield browser
        for one in launched.values():
            one.close()


@pytest.fixture(scope="session")
def browser(browser_with: Callable[[str], Browser]) -> Browser:
    """The Chromium with the first set of fonts."""
    return browser_with(fonts.SETS[0])


@pytest.fixture
def fonts_seen() -> str:
    """The set of fonts that the pages are laid out with; a test of layout names others as its parameter."""
    return fonts.SETS[0]


@pytest.fixture
def witnessed(browser_with: Callable[[str], Browser], fonts_seen: str) -> Iterator[Callable[..., BrowserContext]]:
    """`witnessed("file:///the/site/", color_scheme="dark")` is a context of its own; its complaints fail the test."""
    opened: list[tuple[BrowserContext, Witness]] = []

    def make(root: str, **options: Any) -> BrowserContext:
        context = browser_with(fonts_seen).new_context(**options)
        opened.append((context, Witness(context, root)))
        return context

    yield make
    complaints = [complaint for _, witness in opened for complaint in witness.complaints]
    for context, _ in opened:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def short_attacks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Attacks of a tenth of the runs, for what all catch or none; the labs' own cells get all of the runs.

    A test that is marked with `all_runs` needs them too: its mistake is so small that a short attack may miss it.
    """
    if request.node.get_closest_marker("all_runs"):
        return
    from figures import run  # the site's own tests run no chapter

    run(request.node.get_closest_marker("xdist_group").args[0])  # the lab itself, before its attacks are short
    attack = check.private

    def short(*tables: Any, trials: int = 20_000, **options: Any) -> check.Verdict:
        return attack(*tables, trials=max(trials // 10, 200), **options)

    monkeypatch.setattr(check, "private", short)


@pytest.fixture
def lab(request: pytest.FixtureRequest, short_attacks: None) -> dict[str, Any]:
    """What the cells of the lab's page define, with the solutions; a test that asks for it has short attacks."""
    from figures import run

    return run(request.node.get_closest_marker("xdist_group").args[0]).names


@pytest.fixture(autouse=True)
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment of a build: a book that another test builds in this process leaves it behind."""
    for name in ("LIVEFIGURES_BUILDING", "LIVEFIGURES_RECORDS", "LIVEFIGURES_LINKED"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def readers() -> Readers:
    """The contexts of the run that are used again."""
    return Readers()


@pytest.fixture
def read(browser_with: Callable[[str], Browser], fonts_seen: str, readers: Readers) -> Iterator[Callable[..., Page]]:
    """`read("file:///the/site/", "page.html", color_scheme="dark")` is that page; its complaints fail the test.

    `own=True` is for a test that nobody can clear up after, or that must find nothing in the browser's memory, and
    `slowed=6` makes the processor so many times slower for it.
    """
    taken: list[tuple[str, Reader]] = []

    def read_(root: str, address: str, draw: bool = False, **options: Any) -> Page:
        own, slowed = options.pop("own", False), options.pop("slowed", 1)
        kind, reader = readers.take(browser_with(fonts_seen), options, own)
        taken.append((kind, reader))
        if slowed != 1:
            reader.slow_down(slowed)
        return reader.open(root, address, draw)

    yield read_
    complaints = [complaint for _, reader in taken for complaint in reader.witness.told()]
    for one in taken:
        readers.give_back(*one)
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def open_page(read: Callable[..., Page], site: Path) -> Callable[..., Page]:
    """`open_page("chapters/comparing.html#state", color_scheme="dark")` is that page of the book, loaded and idle."""
    root = site.resolve().as_uri() + "/"

    def open_(address: str, **options: Any) -> Page:
        return read(root, address, options.get("java_script_enabled", True), **options)

    return open_


@pytest.fixture
def visited(
    browser_with: Callable[[str], Browser],
    fonts_seen: str,
    readers: Readers,
    site: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Page]]:
    """`visited("chapters/rdp.html")` is a page as `open_page` opens it, one for all tests that ask for that page alike.

    For a check of every page: it finds the page as it was at first, or `unfolded=True`, and may leave it otherwise
    (restore.js). With `narrowed=True` a narrow window is the wide one's, narrowed.
    """
    root, seen = site.resolve().as_uri() + "/", []

    def visit(address: str, unfolded: bool = False, narrowed: bool = False, **looks: Any) -> Page:
        seen.append(readers.visit(browser_with(fonts_seen), root, address, looks, unfolded, narrowed))
        return seen[-1].page

    yield visit
    complaints = [complaint for reader in seen for complaint in reader.witness.told()]
    if complaints or request.node.stash.get(FAILED, False):
        readers.leave()
    assert not complaints, "\n".join(complaints)


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages that `show` makes, with the script and the style of figures."""
    from livefigures.page import bundle  # the site's own tests need no matplotlib

    folder = tmp_path_factory.mktemp("shown")
    (folder / "live.js").write_text(bundle.script() + bundle.script(bundle.EXTRA), "utf-8")
    (folder / "live.css").write_text(bundle.style(), "utf-8")
    return folder


@functools.cache
def markup(figure: Any) -> str:
    """Return the HTML of a figure, made once for all tests that show it."""
    from livefigures.page import page as live_page

    return live_page.html(figure)


@pytest.fixture
def show(shown: Path, read: Callable[..., Page]) -> Callable[..., Page]:
    """`show(figure, ..., after="<p>text</p>")` is a page with these figures and nothing else."""

    def show_(*figures: Any, after: str = "", **options: Any) -> Page:
        content = "".join(map(markup, figures)) + after
        (shown / "page.html").write_text(PAGE.format(content=content), "utf-8")
        return read(shown.resolve().as_uri() + "/", "page.html", **options)

    return show_
