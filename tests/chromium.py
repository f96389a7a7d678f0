"""The browser that the tests drive: an installed one, else one that is installed now.

`python tests/chromium.py` prints its path. In order: the environment variable CHROMIUM; an installed Chromium or
Chrome; Debian's package, where the user is root; playwright's own download.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from in_node import NODE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Each context opens a window, and a window's own toolbar, omnibox and menus are pages too, which nobody looks at: they
# took a third of all the time. The list takes the place of playwright's: what of that touches a page stands here again.
WITHOUT = [
    *("InitialWebUI", "PreloadTopChromeWebUI", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
    *("WebUIToolbarProcessOverheadExperiment", "SpareRendererForSitePerProcess"),
    *("HttpsUpgrades", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding"),
    *("PreconnectToSearch", "ThirdPartyStoragePartitioning"),
]
# A test must see the book's requests and no others: no first run, no updates, no background traffic.
FLAGS = [
    f"--disable-features={','.join(WITHOUT)}",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-ipc-flooding-protection",  # a page may change its address more than 200 times in ten seconds: test_fuzz
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    # Chromium's sandbox refuses to start for root; for anybody else it stays on.
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]


class NoChromiumError(RuntimeError):
    """No browser was found, and none could be installed."""


def installed() -> str | None:
    """The path of an installed browser that starts, else None."""
    named = os.environ.get("CHROMIUM")
    if named and not _starts(named):
        raise NoChromiumError(f"CHROMIUM={named} does not start (tried: {named} --version)")
    candidates = [named] if named else _candidates()
    return next((path for path in candidates if path and _starts(path)), None)


def _candidates() -> Iterator[str | None]:
    yield from (shutil.which(name) for name in NAMES)
    yield _playwright_path()  # last, since asking takes half a second


def find() -> str:
    """The path of a browser that is already there; tests call this and install nothing."""
    path = installed()
    if path is None:
        raise NoChromiumError(
            "no Chromium is installed: `make test` installs one, if it can. On Debian: apt-get install chromium; "
            "elsewhere install Chromium or Chrome, or set CHROMIUM to its path"
        )
    return path


def ensure() -> str:
    """The path of a browser, after installing one if need be. A way that fails says why, and the next one is tried."""
    if not _starts(NODE):
        install_package("libatomic1")  # which the smallest Debian lacks
    if not _starts(NODE):
        raise NoChromiumError("playwright's node does not start. On Debian or Ubuntu: apt-get install libatomic1")
    if installed() is None:
        install_package("chromium")
    if installed() is None:
        # The system libraries that it needs come along where the user may install them.
        _run(sys.executable, "-m", "playwright", "install", *(["--with-deps"] if _is_root() else []), "chromium")
    return find()


def install_package(name: str) -> None:
    """Debian's package, without a question, where the user may install it."""
    if _is_root() and shutil.which("apt-get"):
        _run("apt-get", "update")
        _run("apt-get", "install", "--yes", "--no-install-recommends", name, DEBIAN_FRONTEND="noninteractive")


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _starts(path: str | Path) -> bool:
    """A file alone is not enough: Ubuntu's chromium-browser is a note that asks for a snap."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _playwright_path() -> str | None:
    """Where playwright's download is, or would be."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _run(*command: str, **environment: str) -> None:
    # Their talk goes to stderr: this program's output is the path alone.
    print(f"$ {' '.join(command)}", file=sys.stderr)
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=os.environ | environment)


if __name__ == "__main__":
    try:
        print(ensure())
    except NoChromiumError as error:
        sys.exit(f"error: {error}")
