"""A warning about a label that is nowhere in the book asks for the one that was probably meant."""

import logging
import re
from pathlib import Path

from sphinx.application import Sphinx

from livefigures.declare.options import closest

_LABEL = re.compile(r"^\(([\w:-]+)\)=|^:(?:label|name): *([\w:-]+)", re.MULTILINE)
_MISSING = re.compile(r"label '(.+)' not found\.|undefined label: '(.+)'")


def labels(text: str) -> set[str]:
    r"""Return the labels that a chapter's source declares.

    >>> sorted(labels("(a-place)=\n## A place\n\n```{prf:theorem} A\n:label: thm-a\n"))
    ['a-place', 'thm-a']
    """
    return {label for pair in _LABEL.findall(text) for label in pair if label}


def with_nearest(message: str, known: set[str]) -> str:
    """Return a warning, with the label that is nearest to the one that it misses.

    >>> with_nearest("label 'thm-tial' not found.", {"thm-tail", "thm-post"})
    "label 'thm-tial' not found; did you mean 'thm-tail'?"
    >>> with_nearest("label 'thm-tail' not found.", {"thm-tail"})  # in a chapter that is not built
    "label 'thm-tail' not found."
    """
    missing = _MISSING.fullmatch(message)
    name = missing[1] or missing[2] if missing else ""
    close = closest(name, known) if name and name not in known else ""
    return f"{message.removesuffix('.')}; {close}" if close else message


class NearestLabel(logging.Filter):
    """Lets every warning pass, and changes those that miss a label."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__()
        self.root = Path(app.srcdir)

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if _MISSING.fullmatch(message):
            texts = (page.read_text("utf-8") for page in self.root.glob("chapters/**/*.md"))
            record.msg, record.args = with_nearest(message, set().union(*map(labels, texts))), ()
        return True


def prepare(app: Sphinx) -> None:
    for handler in logging.getLogger("sphinx").handlers:
        handler.filters.insert(0, NearestLabel(app))


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", prepare, priority=300)
