"""`make preview CHAPTER=zcdp`: one chapter, built anew at each save, in a browser that follows.

The book of three pages (the first one, the chapter, the references) lies in _build/preview; what is wrong with it
stands in the page and in the terminal, by file and line. Each build is a fresh process, forked from one that has
Sphinx and NumPy in it: an edit of dp_lib or of an extension counts at once, and the second of imports is paid once.
"""

import contextlib
import functools
import http.server
import importlib
import io
import json
import multiprocessing
import re
import signal
import sys
import textwrap
import threading
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import watchfiles
import yaml

ROOT = Path(__file__).resolve().parent.parent
WATCHED = ("chapters", "dp_lib", "book", "livefigures", "images", "_config.yml", "_toc.yml", "tools/preview.js")
# What takes long to import, and no edit here changes.
LOADED = ("jupyter_book.sphinx", "myst_nb.sphinx_ext", "nbclient", "sphinx.builders.html", "sphinx.writers.html5")
LOADED += ("sphinx_proof", "sphinx_exercise", "sphinxcontrib.bibtex", "sphinx_comments", "sphinx_external_toc")
LOADED += ("math_core", "numpy", "scipy.special", "scipy.stats", "matplotlib.figure", "jupyter_client")
PROCESSES = multiprocessing.get_context("forkserver")


def folder(chapter: str) -> Path:
    """Where the preview of a chapter lies, its site in `html`."""
    return ROOT / "_build" / "preview" / chapter


def build(chapter: str) -> list[str]:
    """Build the small book in this process, and leave what is wrong with it beside its pages: one text a fault."""
    from jupyter_book.sphinx import build_sphinx

    place = folder(chapter)
    place.mkdir(parents=True, exist_ok=True)
    first = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["root"]
    others = dict.fromkeys([f"chapters/{chapter}", "chapters/references"])
    pages = {"format": "jb-book", "root": first, "chapters": [{"file": page} for page in others if page != first]}
    (place / "toc.yml").write_text(yaml.safe_dump(pages), "utf-8")
    extensions = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["extensions"]
    settings = {
        "external_toc_path": str(place / "toc.yml"),
        "extensions": [*extensions, "preview_book"],
        "live_records": False,
        "latex_individualpages": False,  # Jupyter Book asks for it by name
        "nitpicky": True,
    }
    heard = io.StringIO()
    options = {"noconfig": True, "path_config": ROOT / "_config.yml", "quiet": True, "keep_going": True}
    with contextlib.redirect_stderr(heard):
        try:
            build_sphinx(ROOT, place / "html", confoverrides=settings, **options)
        except SystemExit as end:  # what cannot be read at all
            print(end, file=sys.stderr)
    faults = [fault.replace(f"{ROOT}/", "") for fault in split(heard.getvalue())]
    site = place / "html" / "_static"
    site.mkdir(parents=True, exist_ok=True)
    written = site / "preview.json.new"
    written.write_text(json.dumps({"built": time.time_ns(), "faults": faults}), "utf-8")
    written.replace(site / "preview.json")  # at once: a page may be reading it
    return faults


def split(heard: str) -> list[str]:
    r"""The faults that Sphinx wrote, each with the lines that belong to it.

    >>> split("\x1b[91m/a/b.md:3: WARNING: one\nmore\x1b[0m\n/a/b.md: ERROR: two\n")
    ['/a/b.md:3: WARNING: one\nmore', '/a/b.md: ERROR: two']
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", heard).strip()
    return [fault.strip() for fault in re.split(r"\n(?=[^\s:]+(?::\d+)?: (?:WARNING|ERROR|CRITICAL))", plain) if fault]


def build_and_tell(chapter: str) -> None:
    started = time.monotonic()
    faults = build(chapter)
    print(
        "\n".join(
            [*faults, f"{chapter}: {time.monotonic() - started:.1f} s, {len(faults)} fault{'s' * (len(faults) != 1)}"]
        ),
        flush=True,
    )


def wait_and_build(chapter: str, saved: Event) -> None:
    """In a process of its own, with a kernel that is ready; nothing is built once whoever saves is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path.insert(0, str(ROOT))
    importlib.import_module("book.checks.kernels").prepare(folder(chapter) / "html")
    ready_kernel = importlib.import_module("book.checks.ready_kernel")
    ready_kernel.start()
    author = multiprocessing.parent_process()
    while not saved.wait(1) and author and author.is_alive():
        pass
    if saved.is_set():
        build_and_tell(chapter)
    ready_kernel.end()


class Builds:
    """One build after the other, each in a process that waits for its turn."""

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.prepare()

    def prepare(self) -> None:
        self.saved = PROCESSES.Event()
        self.process = PROCESSES.Process(target=wait_and_build, args=(self.chapter, self.saved), daemon=True)
        self.process.start()

    def run(self) -> None:
        self.saved.set()
        self.process.join()
        self.prepare()


class Handler(http.server.SimpleHTTPRequestHandler):
    """The files as they are now."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing: the terminal is for the chapter's faults."""


def serve(chapter: str, port: int) -> http.server.ThreadingHTTPServer:
    """Serve the small book on this computer; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=str(folder(chapter) / "html"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def unknown(chapter: str) -> str:
    """Return what is said of a chapter that does not exist: the one that was probably meant, and all that there are."""
    from livefigures.declare.options import closest

    folder = ROOT / "chapters"
    known = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.glob("**/*.md"))
    close = closest(chapter, known) or "name one of those below"
    first = f"make preview CHAPTER=...: there is no chapters/{chapter}.md; {close}"
    return "\n".join([first, *textwrap.wrap(", ".join(known), 100, initial_indent="  ", subsequent_indent="  ")])


def main(chapter: str, port: int) -> int:
    if not (ROOT / "chapters" / f"{chapter}.md").exists():
        print(unknown(chapter), file=sys.stderr)
        return 1
    PROCESSES.set_forkserver_preload(list(LOADED))
    try:
        server = serve(chapter, port)
    except OSError as error:
        print(f"make preview: PORT={port} cannot be used, {error.strerror}; try PORT={port + 1}", file=sys.stderr)
        return 1
    print(f"building {chapter} ...", flush=True)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl C, also during a build
        builds = Builds(chapter)
        builds.run()
        print(
            f"http://127.0.0.1:{server.server_port}/chapters/{chapter}.html follows each save; Ctrl C ends", flush=True
        )
        for _ in watchfiles.watch(*(ROOT / name for name in WATCHED), debounce=200, step=30):
            builds.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if sys.argv[1:] else "", int(sys.argv[2]) if sys.argv[2:] else 0))
