"""An id names one place of a page.

sphinx-proof and sphinx-exercise give the body of every theorem, exercise and solution one and the same id, which is no
valid HTML and nothing that a link could mean. It goes; the theorem's own id, which links use, stands outside of it.
"""

from docutils import nodes
from sphinx.application import Sphinx

SHARED = {"proof-content", "exercise-content", "solution-content"}


def drop_shared_ids(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for section in doctree.findall(nodes.section):
        section["ids"] = [name for name in section["ids"] if name not in SHARED]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", drop_shared_ids)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
