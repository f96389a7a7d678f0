"""The chapters' sentences and questions as they stand in the source, and which of them a check quotes."""

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from livefigures.sphinx.predict import split_choices

ROOT = Path(__file__).parent.parent
CHECKS = sorted((ROOT / "tests" / "claims").glob("test_*.py"))
ANY = "{...}"  # an {eval} in a quotation
_EVAL = r"\{eval\}`[^`]*`"
_SEAM = r'"\s*\n\s*f?"'  # where two lines of a caption meet


def plain(text: str) -> str:
    """Text in one line: blanks and seams of strings joined, `{eval}` left out.

    >>> plain('caption="It  is {eval}`f(1)` "\\n    "or more."')
    'caption="It is {...} or more."'
    """
    return re.sub(r"\s+", " ", re.sub(_EVAL, lambda _: ANY, re.sub(_SEAM, "", text))).strip()


def without_numbers(text: str) -> str:
    """A sentence without what is computed in it."""
    return text.replace(ANY, "")


@cache
def source(chapter: str) -> str:
    """The source of chapters/<chapter>."""
    return (ROOT / "chapters" / chapter).read_text("utf-8")


def stands_in(chapter: str, sentence: str) -> bool:
    """Whether a chapter has this sentence."""
    return plain(sentence) in plain(source(chapter))


@dataclass
class Question:
    """A question of a chapter, as it stands there."""

    chapter: str
    line: int
    asked: str
    choices: list[str] = field(default_factory=list)
    answer: int = 0  # 0 where a number is asked for
    body: str = ""


def questions(chapter: str) -> list[Question]:
    """All questions of a chapter."""
    found = []
    for block in re.finditer(
        r"(?ms)^(?P<fence>`{3,}|:{3,})\{predict\} (?P<asked>[^\n]*)\n(?P<rest>.*?)^(?P=fence)$", source(chapter)
    ):
        options = dict(re.findall(r"(?m)^:(\w+): (.*)$", block["rest"]))
        line = source(chapter)[: block.start()].count("\n") + 1
        choices = split_choices(options["choices"]) if "choices" in options else []
        answer = int(options.get("answer", 0)) if choices else 0
        body = re.split(r"(?m)^:replies: .*\n", block["rest"])[-1]  # replies have numbers of their own
        found.append(Question(chapter, line, block["asked"], choices, answer, body))
    return found


def quoted(kind: str) -> list[tuple[str, str]]:
    """(chapter, words) of every check of a kind, `says` or `answers`, read from the source of tests/claims."""
    calls = [
        node for path in CHECKS for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == kind]
    return [(ast.literal_eval(call.args[0]), ast.literal_eval(call.args[1])) for call in named]
