"""What cells print, on a page: the words of a lab's checks stand folded, and a table of aligned columns is marked.

The page of a lab is built with the book's solutions. So a check below an exercise would say that the reader's function
is right before the reader has written it, and would print the book's answers. On paper, what is folded goes to the end
with the solutions (theme/static/book.js). A table that is marked scrolls sideways on a phone, where nobody could read
its wrapped lines.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from book.notebooks.solutions import is_lab, wanted

MOST = 90  # characters in a line of a table
TITLE = "The output with the book’s own functions"


def is_table(text: str) -> bool:
    """Return whether a printed text has aligned columns: short lines, with blanks between their entries.

    >>> is_table("name     age\\nAnna      31\\n"), is_table("Passed. Your table is right.\\n")
    (True, False)
    """
    lines = text.splitlines()
    return any(re.search(r"\S {2,}\S", line) for line in lines) and max(map(len, lines)) < MOST


def mark_tables(app: Sphinx, doctree: nodes.document) -> None:
    """Give a class to printed tables."""
    for node in doctree.findall(nodes.literal_block):
        if "output" in node["classes"] and is_table(node.astext()):
            node["classes"].append("aligned")


def outputs_of_checks(doctree: nodes.document) -> Iterator[nodes.Element]:
    """Yield what the first cell below each exercise prints, outside of the exercise and its solution."""
    waits = False
    for node in doctree.findall(nodes.Element):
        if node.tagname.startswith("exercise"):
            waits = True
        elif waits and is_printed(node) and not is_within_an_exercise(node):
            yield node
            waits = False


def is_printed(node: nodes.Element) -> bool:
    """Return whether a node is what a cell has printed, without a figure."""
    texts = all(isinstance(part, nodes.literal_block) for part in node)
    return node.get("nb_element") == "cell_code_output" and texts


def is_within_an_exercise(node: nodes.Node | None) -> bool:
    """Return whether a node is a part of an exercise or of a solution."""
    while (node := node.parent) is not None:
        if node.tagname.startswith(("exercise", "solution")):
            return True
    return False


def fold_checks(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold what checks say on the page of a lab."""
    if app.builder.format != "html" or not is_lab(docname):
        return
    kind = "fold solution" if wanted() else "fold"
    for node in list(outputs_of_checks(doctree)):
        opening = nodes.raw("", f'<details class="{kind} check"><summary>{TITLE}</summary>', format="html")
        place = node.parent.index(node)
        node.parent[place : place + 1] = [opening, node, nodes.raw("", "</details>", format="html")]


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", mark_tables)
    app.connect("doctree-resolved", fold_checks, priority=940)  # behind the notebook, before the theme's boxes
