"""Pages are read side by side, by one process for each processor: Jupyter Book has no option for it."""

import os

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

MOST = 8  # processes: each holds the book and a page's kernel, some 500 MB


def share(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Deal the pages out: Sphinx gives neighbours to one process, and the labs, which take longest, are neighbours."""
    docnames[:] = [page for first in range(MOST) for page in docnames[first::MOST]]


def declare_safe(app: Sphinx, *_: object) -> None:
    """Say what two extensions leave unsaid: that their pages can be read side by side.

    The theorems' domain keeps nothing itself, and sphinx-proof merges what it keeps elsewhere. The chapters get their
    numbers when all of them have been read; Jupyter Book switches this extension on, for some books, after ours.
    """
    if theorems := app.registry.domains.get("prf"):
        theorems.merge_domaindata = lambda *_: None
    if numbering := app.extensions.get("sphinx_multitoc_numbering"):
        numbering.parallel_read_safe = True


def setup(app: Sphinx) -> None:
    app.parallel = min(os.cpu_count() or 1, MOST)
    app.connect("env-before-read-docs", share)
    app.connect("env-before-read-docs", declare_safe)
