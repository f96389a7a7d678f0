"""A number of a figure that would give the answer to its question away waits for the answer in front of a class.

The script names its curve with the role `waits`, as in: The number of {waits}`at most` waits for the answer. The name
goes into the address of the step, where lesson.js finds it.
"""

from collections.abc import Callable
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxRole


class Waits(SphinxRole):
    """The name of the curve, in quotation marks."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.inline(self.rawtext, f"“{self.text}”", waits=self.text)], []


def in_addresses(doctree: nodes.document, is_step: Callable[[nodes.Node], bool]) -> list[str]:
    """Return what the address of each step says of the numbers that wait there: "&waits=at%20most", or nothing."""
    found: list[str] = []
    for node in doctree.findall(nodes.Element):
        if is_step(node):
            found.append("")
        elif node.get("waits"):
            found[-1] += f"&waits={quote(node['waits'])}"
    return found
