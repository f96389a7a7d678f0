"""A lecture hall opens the same chapter: `make load`.

500 readers at once load a chapter and everything it needs (HTML, styles, scripts) from a threaded server on this
computer, while one of them, in a browser, moves a slider. Not one request may fail, and the slider must redraw.
`make load SERVER_PORT=8088` asks a server that already runs on this computer instead, with the site at its root.
"""

import asyncio
import re
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from chromium import FLAGS, find  # noqa: E402 - the folder of the tests is no package
from playwright.sync_api import sync_playwright  # noqa: E402

SITE = ROOT / "_build" / "html"
CHAPTER, FIGURE = "chapters/accounting_compared.html", "rdp-vs-zcdp"
READERS = 500


class Server(ThreadingHTTPServer):
    request_queue_size = 1024  # more than all readers: none is turned away at the door


class SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


def assets(page: Path) -> list[str]:
    """What a browser loads with a page, as addresses from the site's root."""
    tags = re.findall(r"<(?:script|link|img)\b[^>]*>", page.read_text("utf-8"))
    found = re.findall(r'(?:src|href)="([^"#?:]+\.(?:js|css|svg|png))', " ".join(tags))
    paths = {(page.parent / address).resolve() for address in found}
    return sorted(path.relative_to(SITE.resolve()).as_posix() for path in paths if path.exists())


async def fetch(port: int, address: str) -> int:
    """The bytes of a body that arrived in full; an error if the server said anything but 200."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /{address} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
    await writer.drain()
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
    if b" 200 " not in head.splitlines()[0] or len(body) != length:
        raise ConnectionError(f"{address}: {head.splitlines()[0]!r}, {len(body)} of {length} bytes")
    return length


async def read(port: int, addresses: list[str]) -> tuple[int, float]:
    """One reader's load: bytes and seconds."""
    start = time.perf_counter()
    sizes = [await fetch(port, address) for address in addresses]
    return sum(sizes), time.perf_counter() - start


# From each event of a slider to its redraw.
TIMED = """() => {
  globalThis.redraws = [];
  addEventListener("input", () => (globalThis.began = performance.now()), true);
  addEventListener("live:redraw", () => redraws.push(performance.now() - began));
}"""


def slide(port: int, ready: threading.Event, stop: threading.Event) -> list[float]:
    """Milliseconds of each redraw while the others load. Runs in a thread, so that their client does not hold it up."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        page = browser.new_page()
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.goto(f"http://127.0.0.1:{port}/{CHAPTER}")
        page.locator(f"#{FIGURE} input[type=range][name=sigma]").focus()
        page.evaluate(TIMED)
        ready.set()
        while not stop.is_set():
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(50)
        redraws = page.evaluate("redraws")
        browser.close()
    if failed:
        raise ConnectionError(f"the browser's requests failed: {failed}")
    return redraws


async def crowd(port: int) -> int:
    addresses = [CHAPTER, *assets(SITE / CHAPTER)]
    ready, stop = threading.Event(), threading.Event()
    sliding = asyncio.create_task(asyncio.to_thread(slide, port, ready, stop))
    while not ready.is_set() and not sliding.done():
        await asyncio.sleep(0.1)
    start = time.perf_counter()
    loads = await asyncio.gather(*(read(port, addresses) for _ in range(READERS)), return_exceptions=True)
    seconds = time.perf_counter() - start
    stop.set()
    redraws = sorted(await sliding)
    failures = [load for load in loads if isinstance(load, BaseException)]
    done = sorted(load[1] for load in loads if not isinstance(load, BaseException))
    print(f"{READERS} readers, {len(addresses)} files each; {seconds:.1f} s in all, {len(failures)} failed")
    if done:
        print(f"a reader's load: median {done[len(done) // 2]:.1f} s, slowest {done[-1]:.1f} s")
    if redraws:
        middle = redraws[len(redraws) // 2]
        print(f"{len(redraws)} redraws meanwhile: median {middle:.2f} ms, slowest {redraws[-1]:.2f} ms")
    for failure in failures[:5]:
        print(f"failed: {failure!r}")
    return int(bool(failures) or not redraws)


def main(port: str) -> int:
    if port:
        return asyncio.run(crowd(int(port)))
    with Server(("127.0.0.1", 0), partial(SilentHandler, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        result = asyncio.run(crowd(server.server_port))
        server.shutdown()
    return result


if __name__ == "__main__":
    sys.exit(main(next(iter(sys.argv[1:]), "")))
