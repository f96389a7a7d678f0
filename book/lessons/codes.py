"""QR codes of the questions of a lesson, for the phones in the room.

A code holds the address of a question on the published site, so there is one only if the site's address is known
(`baseurl` in _config.yml). The codes are made with the book, so that no page asks another site for one.
"""

from pathlib import Path

import segno
from docutils import nodes

from livefigures.sphinx.predict import predict

_BORDER = 4  # modules of white around a code, as its standard asks


def question_of(doctree: nodes.document, figure: str) -> str | None:
    """Return the name of the question that stands before a figure of a page, or None if none does."""
    question = None
    for node in doctree.findall(lambda each: isinstance(each, predict | nodes.raw)):
        if isinstance(node, predict):
            question = node["name"]
        elif f'<figure class="live" id="{figure}"' in node.astext():
            return question
        elif '<figure class="live"' in node.astext():
            question = None
    return None


def write(folder: Path, questions: dict[str, str]) -> None:
    """Write a code for each question, by its step, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for step, address in questions.items():
        code = segno.make(address, error="m", micro=False)
        code.save(str(folder / f"{step}.svg"), border=_BORDER, light="#fff", omitsize=True, xmldecl=False)
