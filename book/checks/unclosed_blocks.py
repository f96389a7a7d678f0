"""Blocks that nobody closes, by the line where they begin.

A block without its end swallows what comes after it, and each piece of that complains for itself. Here the missing end
is said, and put where the next block begins, so that nothing else complains and no line moves.
"""

import re

from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
_FENCE = re.compile(r"^ {0,3}(`{3,}|:{3,}|~{3,})\s*(\S.*)?$")
FAULTY: set[str] = set()  # the pages where something is not closed: what else they complain of may follow from it

Fault = tuple[int, str]


def mended(text: str) -> tuple[str, list[Fault]]:
    r"""The text with its missing ends, and (line, words) for each.

    >>> mended("```{note}\nA\n\n```{tip}\nB\n```\n")
    ('```{note}\nA\n```\n```{tip}\nB\n```\n', [(1, '```{note} is not closed before line 4 begins another')])
    """
    lines, faults = text.split("\n"), []
    # A block ends at a bare fence of its kind, at least as long; a directive in it needs a shorter one.
    opened: list[tuple[str, int]] = []
    for number, line in enumerate(list(lines), 1):
        fence, info = (match := _FENCE.match(line)) and match.groups() or ("", "")
        outer, start = opened[-1] if opened else ("", 0)
        alike = bool(fence and outer) and fence[0] == outer[0] and len(fence) >= len(outer)
        if fence and opened and not info:  # it ends the outermost block that it can, and all in it
            ended = (i for i, (other, _) in enumerate(opened) if fence[0] == other[0] and len(fence) >= len(other))
            del opened[next(ended, len(opened)) :]
        elif alike and info.startswith("{"):
            said = f"{lines[start - 1].strip()} is not closed before line {number} begins another"
            faults.append((start, said))
            if not lines[number - 2].strip():
                lines[number - 2] = outer
            opened[-1] = (fence, number)
        elif fence and (not outer or info and info.startswith("{") and _holds_blocks(lines[start - 1])):
            opened.append((fence, number))
    for fence, start in reversed(opened):
        faults.append((start, f"{lines[start - 1].strip()} is not closed before the end of the chapter"))
        lines.append(fence)
    return "\n".join(lines), faults


def _holds_blocks(line: str) -> bool:
    """Whether a block's text is read as MyST, and not as code."""
    return not re.search(r"\{(code|code-block|code-cell|raw|math|literalinclude)\}|^ {0,3}[`~]+\s*\w", line)


def check(app: Sphinx, docname: str, source: list[str]) -> None:
    """Say what is not closed, and read the chapter as if it were."""
    source[0], faults = mended(source[0])
    FAULTY.discard(docname)
    for line, words in faults:
        FAULTY.add(docname)
        LOGGER.warning(words, location=(docname, line))


def setup(app: Sphinx) -> None:
    app.connect("source-read", check, priority=400)  # before the solutions are taken out
