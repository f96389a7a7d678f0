"""Pages are read side by side, by one process for each processor: Jupyter Book has no option for it.

Two extensions leave unsaid that this is safe, and it is: the theorems are merged by sphinx-proof itself, which keeps
them outside its domain's data, and the chapters are numbered when all pages have been read.
"""

import os

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx_proof.domain import ProofDomain

MOST = 8  # processes: each holds the book and a page's kernel, some 500 MB


def share(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Deal the pages out: Sphinx gives neighbours to one process, and the labs, which take longest, are neighbours."""
    docnames[:] = [page for first in range(MOST) for page in docnames[first::MOST]]
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True  # switched on after this extension


def setup(app: Sphinx) -> None:
    app.parallel = min(os.cpu_count() or 1, MOST)
    ProofDomain.merge_domaindata = lambda *_: None
    app.connect("env-before-read-docs", share)
