"""Browser contexts in which test after test reads: to make one, and its page, takes longer than many a test.

What a test leaves behind is cleared away; where that cannot be done, the context is closed.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

# What can be changed on a page that is there; whatever else a test asks for, a finger say, needs a context of its own.
AT_FIRST: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    "reduced_motion": "no-preference",
    "forced_colors": "none",
}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
STILL_PHONE: dict[str, Any] = PHONE | {"reduced_motion": "reduce"}
# Whether the page has been told so: its paper is a screen, and its scheme, motion and colours are these.
GRANTED = """([scheme, motion, colours]) =>
  matchMedia(`screen and (prefers-color-scheme: ${scheme}) and (prefers-reduced-motion: ${motion})`).matches &&
  matchMedia(`(forced-colors: ${colours})`).matches"""
# Whether nothing is left that only a new context is free of: a clock that stands still.
CLEARED = "() => { localStorage.clear(); sessionStorage.clear(); return !('__pwClock' in globalThis); }"
RESTORE = f"(asked) => {{ {Path(__file__).with_name('restore.js').read_text('utf-8')} return restore(asked); }}"
DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


class Witness:
    """What a browser context said and asked for, listened to from its creation."""

    def __init__(self, context: BrowserContext, root: str) -> None:
        self.complaints: list[str] = []
        self.root = root
        context.on("console", lambda message: self._note_console(message.type, message.text))
        context.on("weberror", lambda error: self.complaints.append(f"error: {error.error}"))
        context.on("request", lambda request: self._note_request(request.url))
        context.on("requestfailed", lambda request: self._note_failure(request.url, request.failure))

    def told(self) -> list[str]:
        """Return the complaints since the last time."""
        told, self.complaints = self.complaints, []
        return told

    def _note_console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning", "assert"):  # the others are a program's own notes
            self.complaints.append(f"console {kind}: {text}")

    def _note_failure(self, url: str, reason: str | None) -> None:
        if reason != "net::ERR_ABORTED":  # the browser itself gave up, since the page was left or loaded again
            self.complaints.append(f"failed, {reason}: {url}")

    def _note_request(self, url: str) -> None:
        if not url.startswith((self.root, "data:", "blob:", "about:")):
            self.complaints.append(f"request outside the site: {url}")


class Reader:
    """A browser context, its page and its witness."""

    def __init__(self, context: BrowserContext) -> None:
        self.witness, self.page = Witness(context, ""), context.new_page()
        self._looks: dict[str, Any] = {}
        self._begun: Any = None

    def look(self, looks: dict[str, Any]) -> None:
        """Give the page this window and these wishes."""
        if self.page.viewport_size != looks["viewport"]:
            self.page.set_viewport_size(looks["viewport"])
            if self._begun:
                self.page.evaluate(DRAWN)  # figures learn of it in the next frame
        wishes = [looks[name] for name in AT_FIRST if name != "viewport"]
        if self._looks != looks or not self.page.evaluate(GRANTED, wishes):
            color_scheme, reduced_motion, forced_colors = wishes
            self.page.emulate_media(
                media="null", color_scheme=color_scheme, reduced_motion=reduced_motion, forced_colors=forced_colors
            )
        self._looks = looks

    def slow_down(self, rate: float) -> None:
        """Make the page's processor so many times slower, for ever."""
        self.page.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": rate})

    def open(self, root: str, address: str, draw: bool) -> Page:
        """Load a page, and wait until it is drawn where its scripts run."""
        self.witness.root = root
        self.page.goto(root + address, wait_until="load")
        if draw:
            self.page.evaluate(DRAWN)
        return self.page

    def restore(self, looks: dict[str, Any], unfolded: bool) -> bool:
        """Bring a page back to where it was at first, or unfold it; whether it is there, as far as can be seen."""
        if self._begun is None:
            self._begun = self.page.evaluate(RESTORE, [None, unfolded])
            return True
        self.look(looks)
        return self.page.evaluate(RESTORE, [self._begun["folds"], unfolded]) == self._begun

    def clear(self) -> bool:
        """Leave the page; whether nothing is left of it."""
        self._begun = None
        try:
            if self.page.context.pages != [self.page] or not self.page.url.startswith("file:"):
                return False
            cleared = self.page.evaluate(CLEARED)
            self.page.mouse.move(-9, -9)
            self.page.goto("about:blank")
            return cleared and self.page.context.pages == [self.page]
        except Error:  # a page that was closed, or is on its way somewhere
            return False


class Readers:
    """The readers of a run, and those that still have a page of one address before them."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Reader]] = {}
        self._there: dict[str, tuple[str, Reader]] = {}
        self._address = ""

    def take(self, browser: Browser, options: dict[str, Any], own: bool = False) -> tuple[str, Reader]:
        """Return a reader with such a browser, of a test's own or not, and the kind under which it is given back."""
        asked = {name: value for name, value in options.items() if name not in AT_FIRST}
        kind = "" if own else repr((id(browser), sorted(asked.items())))
        idle = self._idle.setdefault(kind, [])
        reader = idle.pop() if idle else Reader(browser.new_context(**asked))
        reader.look(looks_of(options))
        return kind, reader

    def give_back(self, kind: str, reader: Reader) -> None:
        """Keep a reader for the next test, or close it."""
        if kind and reader.clear():
            self._idle[kind].append(reader)
        else:
            reader.page.context.close()

    def visit(
        self,
        browser: Browser,
        root: str,
        address: str,
        options: dict[str, Any],
        unfolded: bool,
        narrowed: bool = False,
    ) -> Reader:
        """Return the reader who has this page before him as it was at first; a page of another address is left.

        A window that is narrow from the beginning is another visit, unless it may be narrowed; otherwise its size is
        changed, and so is its wish for less motion.
        """
        if address != self._address:
            self.leave()
            self._address = address
        narrow = not narrowed and options.get("viewport", AT_FIRST["viewport"])["width"] < 500
        asked = {name: value for name, value in options.items() if name not in ("viewport", "reduced_motion")}
        key = repr((id(browser), sorted(asked.items()), narrow))
        if key in self._there and not self._there[key][1].restore(looks_of(options), unfolded):
            self.give_back(*self._there.pop(key))
        if key not in self._there:
            kind, reader = self.take(browser, options)
            reader.open(root, address, options.get("java_script_enabled", True))
            reader.restore({}, unfolded)
            self._there[key] = kind, reader
        return self._there[key][1]

    def leave(self) -> None:
        """Leave all pages."""
        while self._there:
            self.give_back(*self._there.popitem()[1])


def looks_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return all looks of a page: those that are asked for, and the others as they are at first."""
    return AT_FIRST | {name: value for name, value in options.items() if name in AT_FIRST}
