"""The built book, and a real browser to read it in.

A test asks for `open_page` and gets pages of the site over file://. After the test the fixture insists, without any
list of exceptions, that the browser had nothing to complain of (no error or warning in its console) and that nothing
was requested from outside the site's folder.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromium
import fonts
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

# No stopwatch, since on shared cores a slow example says nothing; and the same examples in every run.
settings.register_profile("book", deadline=None, derandomize=True)
settings.register_profile("fast", deadline=None, derandomize=True, max_examples=10)  # `make test FAST=1`
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "book"))

SITE = Path(__file__).parent.parent / "_build" / "html"
CHAPTERS = Path(__file__).parent.parent / "chapters"
# They start Jupyter kernels, whose ports are chosen before they are bound: of two that start at once, one may find its
# port taken. So one process has them all.
KERNELS = {"test_lab", "test_messages", "test_notebook", "test_installed_package", "test_preview"}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="live.css"><script defer src="live.js"></script></head><body>{content}</body></html>"""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test by what it needs: the gate (make_test_stages.py) runs its stages by these marks."""
    fixtures = getattr(item, "fixturenames", [])
    if item.path.stem in KERNELS:
        item.add_marker(pytest.mark.xdist_group("kernels"))
    if "browser_with" in fixtures:
        item.add_marker("browser")
    if "site" in fixtures or hasattr(getattr(item, "module", None), "SITE"):
        item.add_marker("book")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, where time is short (FAST=1), the tests that run the cells of a chapter that nobody has changed."""
    if "CHANGED_CHAPTERS_ONLY" not in os.environ:
        return
    since = "origin/main" if _git("rev-parse", "--verify", "--quiet", "origin/main") else "HEAD"
    files = [*_git("diff", "--name-only", since), *_git("ls-files", "--others", "--exclude-standard")]
    changed = {file.removeprefix("chapters/").removesuffix(".md") for file in files}
    chapters = {path.relative_to(CHAPTERS).with_suffix("").as_posix() for path in CHAPTERS.glob("**/*.md")} - changed
    kept, left_out = [], []
    for item in items:
        groups = [mark.args[0] for mark in item.iter_markers("xdist_group")]
        (left_out if chapters.intersection(groups) else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def _git(*command: str) -> list[str]:
    done = subprocess.run(["git", *command], cwd=CHAPTERS, capture_output=True, text=True)
    return done.stdout.split("\n")[:-1]


class Witness:
    """What a browser context said and asked for, listened to from its creation."""

    def __init__(self, context: BrowserContext, root: str) -> None:
        self.complaints: list[str] = []
        self._root = root
        context.on("console", lambda message: self._note_console(message.type, message.text))
        context.on("weberror", lambda error: self.complaints.append(f"error: {error.error}"))
        context.on("request", lambda request: self._note_request(request.url))
        context.on("requestfailed", lambda request: self._note_failure(request.url, request.failure))

    def _note_console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning", "assert"):  # the others are a program's own notes
            self.complaints.append(f"console {kind}: {text}")

    def _note_failure(self, url: str, reason: str | None) -> None:
        if reason != "net::ERR_ABORTED":  # the browser itself gave up, since the page was left or loaded again
            self.complaints.append(f"failed, {reason}: {url}")

    def _note_request(self, url: str) -> None:
        if not url.startswith((self._root, "data:", "blob:")):
            self.complaints.append(f"request outside the site: {url}")


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
    """`witnessed("file:///the/site/", color_scheme="dark")` is a new browser context; its complaints fail the test."""
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
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment of a build: a book that another test builds in this process leaves it behind."""
    monkeypatch.delenv("LIVEFIGURES_BUILDING", raising=False)


LAY_OUT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("section { content-visibility: visible !important; overflow: visible !important }");
  document.adoptedStyleSheets.push(sheet);
}"""
DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


@pytest.fixture
def open_page(witnessed: Callable[..., BrowserContext], site: Path) -> Callable[..., Page]:
    """`open_page("chapters/comparing.html#state", color_scheme="dark")` is that page of the book, loaded and idle.

    All of it is laid out, as if somebody had read it; `fresh=True` leaves that to the browser, which lays out what is
    near; `slowed=6` makes the page's processor so many times slower.
    """

    def open_(address: str, fresh: bool = False, slowed: float = 1, **options: Any) -> Page:
        root = site.resolve().as_uri() + "/"
        page = witnessed(root, **options).new_page()
        if slowed != 1:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        page.goto(root + address, wait_until="load")
        if not fresh:
            page.evaluate(LAY_OUT)
        if options.get("java_script_enabled", True):
            page.evaluate(DRAWN)
        return page

    return open_


@pytest.fixture
def show(tmp_path: Path, witnessed: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """`show(figure, ..., after="<p>text</p>")` is a page with these figures and nothing else."""
    from livefigures.page import bundle  # the site's own tests need no matplotlib
    from livefigures.page import page as live_page

    def show_(*figures: Any, after: str = "", **options: Any) -> Page:
        (tmp_path / "live.js").write_text(bundle.script() + bundle.script(bundle.EXTRA), "utf-8")
        (tmp_path / "live.css").write_text(bundle.style(), "utf-8")
        content = "".join(map(live_page.html, figures)) + after
        (tmp_path / "page.html").write_text(PAGE.format(content=content), "utf-8")
        page = witnessed(tmp_path.resolve().as_uri() + "/", **options).new_page()
        page.goto((tmp_path / "page.html").as_uri())
        return page

    return show_
