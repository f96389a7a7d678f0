"""What the address of a step says of its figure: which numbers wait, and what stands above it.

A number of a figure that would give the answer to its question away waits for the answer in front of a class.

The script names its curve with the role `waits`, as in: The number of {waits}`at most` waits for the answer. The name
goes into the address of the step, where lesson.js finds it. In the same way, the role `headline` has the words above a
figure that would otherwise say what the class is to find: The title asks {headline}`Which is larger?`
"""

from collections.abc import Callable
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxRole


class Waits(SphinxRole):
    """The name of the curve, in quotation marks."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.inline(self.rawtext, f"“{self.text}”", waits=self.text)], []


class Headline(SphinxRole):
    """The words above a figure, in quotation marks."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.inline(self.rawtext, f"“{self.text}”", headline=self.text)], []


def in_addresses(doctree: nodes.document, is_step: Callable[[nodes.Node], bool]) -> list[str]:
    """Return what the address of each step says of its figure: "&waits=at%20most&headline=Why%3F", or nothing."""
    found: list[str] = []
    for node in doctree.findall(nodes.Element):
        if is_step(node):
            found.append("")
        for name in ("waits", "headline"):
            if node.get(name):
                found[-1] += f"&{name}={quote(node[name])}"
    return found
