"""The steps at which a clicker is not enough, because something has to be pressed, moved or typed at the desk.

The script marks what is used there with the role `desk`, as in: Press {desk}`1`, which moves y to 0.5.
"""

from collections.abc import Callable
from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from book.lessons.answers import asks

_LINE = '<p class="lesson-desk">{keys} {hands}</p>\n'


class Desk(SphinxRole):
    """What is pressed or moved at a step."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.inline(self.rawtext, self.text, classes=["desk"])], []


def is_folded(node: nodes.Node) -> bool:
    """Whether it stands in a box that is opened only if it is needed."""
    while node := node.parent:
        if isinstance(node, nodes.Admonition):
            return True
    return False


def used(doctree: nodes.document, is_step: Callable[[nodes.Node], bool]) -> dict[int, list[str]]:
    """Return what is used at the desk, in the open part of a script, by the number of the step."""
    found: dict[int, list[str]] = {}
    step = 0
    for node in doctree.findall(nodes.Element):
        step += is_step(node)
        if "desk" in node["classes"] and not is_folded(node) and node.astext() not in found.setdefault(step, []):
            found[step].append(node.astext())
    return found


def asking(doctree: nodes.document, is_step: Callable[[nodes.Node], bool]) -> list[int]:
    """Return the numbers of the steps that ask for a letter, so that hands can be counted there."""
    boxes = [node for node in doctree.findall(nodes.container) if "lesson-answer-of" in node["classes"]]
    steps = [step for step, node in enumerate(doctree.findall(is_step), 1) if asks(node)]
    return [step for step, box in zip(steps, boxes, strict=False) if any(box.findall(nodes.enumerated_list))]


def listed(words: list[str]) -> str:
    """Return the words for some steps.

    >>> listed(["6"]), listed(["6", "10"]), listed(["6", "10", "11"])
    ('step 6', 'steps 6 and 10', 'steps 6, 10 and 11')
    """
    return f"step{'s' * (len(words) > 1)} " + " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def html(doctree: nodes.document, is_step: Callable[[nodes.Node], bool]) -> str:
    """Return a paragraph that names the steps at which to be at the desk, and what is used there."""
    steps = [f"{step} ({', '.join(map(escape, keys))})" for step, keys in used(doctree, is_step).items()]
    keys = f"Be at the keyboard at {listed(steps)}." if steps else "A clicker is enough for all steps."
    letters = [str(step) for step in asking(doctree, is_step)]
    hands = f"To enter hands, go to the keyboard at {listed(letters)}." if letters else ""
    return _LINE.format(keys=keys, hands=hands)
