"""Pages are read side by side, by one process for each processor: Jupyter Book has no option for it.

Two extensions leave unsaid that this is safe, and it is: the theorems are merged by sphinx-proof itself, which keeps
them outside its domain's data, and the chapters are numbered when all pages have been read.
"""

import os

from sphinx.application import Sphinx
from sphinx_proof.domain import ProofDomain


def declare_numbering_safe(app: Sphinx, *_: object) -> None:
    """Jupyter Book switches this extension on after all others."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def setup(app: Sphinx) -> None:
    app.parallel = os.cpu_count() or 1
    ProofDomain.merge_domaindata = lambda *_: None
    app.connect("env-before-read-docs", declare_numbering_safe)
