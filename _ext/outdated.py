"""When a page is run again.

Sphinx re-reads a page when its own text has changed. The numbers and figures of a page also come from dp_lib, so a
page is out of date as soon as dp_lib is, or the packages below it, or these extensions.
"""

import hashlib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

_SOURCES = ("dp_lib/**/*.py", "dp_lib/**/*.js", "dp_lib/**/*.css", "_ext/*.py", "requirements.txt", "requirements.lock")


def fingerprint(root: Path) -> str:
    """One hash of everything that pages are made from, apart from their own text: paths and contents."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _SOURCES for path in root.glob(pattern)}):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """All pages if anything below them has changed since the last build, else none."""
    before, env.book_fingerprint = getattr(env, "book_fingerprint", None), fingerprint(Path(app.srcdir))
    for page in removed:  # Sphinx forgets a page that left the book, and leaves its file in the site
        Path(app.outdir, f"{page}.html").unlink(missing_ok=True)
    return set() if before == env.book_fingerprint else set(env.found_docs)


def forget_failed_build(app: Sphinx, exception: Exception | None) -> None:
    """After a warning, start afresh: an unchanged page is not read again, and its warning would not be repeated."""
    if app._warncount:
        Path(app.doctreedir, "environment.pickle").unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", outdated_pages)
    app.connect("build-finished", forget_failed_build, priority=900)  # last: the checks warn before it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
