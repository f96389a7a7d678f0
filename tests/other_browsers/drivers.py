"""Firefox and WebKit, driven by the protocols that they speak themselves: WebDriver's commands, and no package.

Firefox takes the commands as JSON on a socket (Marionette). WebKitGTK takes them over HTTP from its own driver.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WAIT = 60.0  # seconds for a browser to start
SIZE = {"width": 1280, "height": 900}
KEYS = {"Enter": "\ue007", "Space": " ", "Right": "\ue014", "PageDown": "\ue00f", "Escape": "\ue00c"}
PREFERENCES = {
    "marionette.port": 0,  # any free one, which Firefox writes into its profile
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
MINI_BROWSERS = ("webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0")  # the folders of WebKitGTK's versions


class MissingError(RuntimeError):
    """A program that the walk needs is not installed; says which package of Debian brings it."""


class BrowserError(RuntimeError):
    """A browser did not start, or refused a command."""


def program(name: str, package: str) -> str:
    """Return the path of a program."""
    path = shutil.which(name)
    if path is None:
        raise MissingError(f"{name} is missing. On Debian or Ubuntu: apt-get install {package}")
    return path


def until(found: Callable[[], Any], what: str) -> Any:
    """Return what is found as soon as there is something."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.1)
    raise BrowserError(f"{what} did not come within {WAIT:.0f} seconds")


class Browser:
    """A browser with one window; subclasses send the commands."""

    name = ""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"walk-{self.name}-"))
        self.processes: list[subprocess.Popen] = []

    def __enter__(self) -> Self:
        try:
            self.start()
            self.command("SetWindowRect", **SIZE)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start the programs and a session."""
        raise NotImplementedError

    def command(self, name: str, **parameters: Any) -> Any:
        """Send one of WebDriver's commands, and return its answer."""
        raise NotImplementedError

    def complaints(self) -> list[str]:
        """Return the errors in the console since the last call, as far as the browser tells them."""
        raise NotImplementedError

    def run(self, *line: str, **options: Any) -> subprocess.Popen:
        """Start a program that ends with the browser."""
        self.processes.append(subprocess.Popen(line, **options))
        return self.processes[-1]

    def close(self) -> None:
        """End all that was started."""
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, address: str) -> None:
        """Load a page; the same page with another place is loaded anew."""
        self.command("Navigate", url="about:blank")
        self.command("Navigate", url=address)

    def ask(self, script: str, *given: Any) -> Any:
        """Return what a script on the page returns."""
        return self.command("ExecuteScript", script=script, args=list(given))

    def press(self, *keys: str) -> None:
        """Press keys one after the other, where the focus is."""
        strokes = [{"type": f"key{way}", "value": KEYS.get(key, key)} for key in keys for way in ("Down", "Up")]
        self.command("PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])

    def picture(self, file: Path) -> None:
        """Keep what the window shows."""
        file.write_bytes(base64.b64decode(self.command("TakeScreenshot", full=False)))


class Firefox(Browser):
    """Debian's Firefox, without a window."""

    name = "firefox"

    def start(self) -> None:
        binary = shutil.which("firefox-esr") or program("firefox", "firefox-esr")
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()]
        (self.folder / "user.js").write_text("\n".join(lines), "utf-8")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        options = ("--headless", "--no-remote", "--remote-allow-system-access", "--profile", str(self.folder))
        self.run(binary, "--marionette", *options, **quiet)
        file = self.folder / "MarionetteActivePort"
        port = until(lambda: file.exists() and file.read_text("utf-8").strip(), "Firefox")
        self.socket = socket.create_connection(("127.0.0.1", int(port)), WAIT)
        self.number = 0
        self._receive()  # who it is
        self.version = self.command("NewSession")["capabilities"]["browserVersion"]

    def command(self, name: str, **parameters: Any) -> Any:
        scope = "Marionette" if name == "SetContext" else "WebDriver"
        self.number += 1
        sent = json.dumps([0, self.number, f"{scope}:{name}", parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, result = self._receive()
        if error:
            raise BrowserError(f"{name}: {error['message']}")
        return result["value"] if set(result or {}) == {"value"} else result

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        text = b""
        while len(text) < int(length[:-1]):
            text += self.socket.recv(int(length[:-1]) - len(text))
        return json.loads(text)

    def complaints(self) -> list[str]:
        """Errors and warnings of pages, as the browser itself keeps them."""
        self.command("SetContext", value="chrome")
        found = self.ask(
            """const errors = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError);
            Services.console.reset();
            return errors.filter(({ sourceName }) => sourceName.startsWith("file:")).map((one) =>
                `${one.sourceName.split("/").at(-1)}:${one.lineNumber}: ${one.errorMessage}`);"""
        )
        self.command("SetContext", value="content")
        return found


class WebKit(Browser):
    """WebKitGTK's small browser, in a window that nobody sees where there is no display."""

    name = "webkit"

    def start(self) -> None:
        driver = program("WebKitWebDriver", "webkit2gtk-driver")
        places = [*Path("/usr/lib").glob("*/*/MiniBrowser"), *Path("/usr/libexec").glob("*/MiniBrowser")]
        binary = next((str(one) for name in MINI_BROWSERS for one in places if one.parent.name == name), None)
        if binary is None:
            raise MissingError(
                "WebKit's MiniBrowser is missing. On Debian or Ubuntu: apt-get install webkit2gtk-driver"
            )
        surroundings = os.environ | self._display()
        self.heard = self.folder / "console"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.root = f"http://127.0.0.1:{free.getsockname()[1]}"
        with self.heard.open("w") as file:
            self.run(driver, f"--port={self.root.rpartition(':')[2]}", env=surroundings, stdout=file, stderr=file)
        until(self._ready, "WebKit's driver")
        options = {"binary": binary, "args": ["--automation", "--enable-write-console-messages-to-stdout=true"]}
        made = self._send("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.session, self.version = made["sessionId"], made["capabilities"]["browserVersion"]
        self.read = 0

    def _display(self) -> dict[str, str]:
        """The display that is there, or a new one in memory."""
        if os.environ.get("DISPLAY"):
            return {}
        server = program("Xvfb", "xvfb")
        seen, told = os.pipe()
        size = f"{SIZE['width'] + 100}x{SIZE['height'] + 200}x24"
        line = (server, "-displayfd", str(told), "-screen", "0", size, "-nolisten", "tcp")
        self.run(*line, pass_fds=(told,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(told)
        with os.fdopen(seen) as file:
            number = file.readline().strip()
        if not number:
            raise BrowserError("Xvfb did not start")
        return {"DISPLAY": f":{number}"}

    def _ready(self) -> bool:
        try:
            return self._send("GET", "/status", None)["ready"]
        except urllib.error.URLError:
            return False

    def command(self, name: str, **parameters: Any) -> Any:
        method, path = {
            "Navigate": ("POST", "url"),
            "ExecuteScript": ("POST", "execute/sync"),
            "PerformActions": ("POST", "actions"),
            "TakeScreenshot": ("GET", "screenshot"),
            "SetWindowRect": ("POST", "window/rect"),
        }[name]
        return self._send(method, f"/session/{self.session}/{path}", None if method == "GET" else parameters)

    def _send(self, method: str, path: str, body: Any) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(f"{path.rpartition('/')[2]}: {json.load(error)['value']['message']}") from None
        except TimeoutError:
            raise BrowserError(f"{path.rpartition('/')[2]}: no answer within {WAIT:.0f} seconds") from None

    def complaints(self) -> list[str]:
        """The errors that the browser writes to its output."""
        text = self.heard.read_text("utf-8", "replace")
        new, self.read = text[self.read :], len(text)
        return [line for line in new.splitlines() if "CONSOLE" in line and ("ERROR" in line or "WARN" in line)]
