"""Print the sentences that generalise and that nothing supports: no check, no claim of a figure, no theorem, no source.

    .venv/bin/python tools/generalising.py                    # all, by kind, with file and line
    .venv/bin/python tools/generalising.py comparing.md       # one chapter

Read are captions, alt texts, the explanations of questions, misconceptions and summaries, because readers take them for
facts. Running prose, solutions, theorems and proofs are not read. A sentence generalises if it has certain words
(always, never, every, at most, grows, ...). It is supported if its line or its figure has a label that a check in
tests/claims names, if a claim of its figure (`claims=`) has the same words, or if it names a theorem (prf:ref) or a
source (cite).
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from passages import LABEL, checked  # noqa: E402 - as a script it has to say first where tests/ is

KINDS = ("caption", "alt", "answer", "misconception", "summary")
WORDS = re.compile(
    r"(?i)\b(always|never|every|everywhere|nowhere|no|none|nothing|only|at (the )?(most|least)"
    r"|above|below|grows?|falls?|rises?|best|worst|hardly|mostly|whatever|wherever"
    r"|the (more|less|larger|smaller|fewer|higher|lower|greater|longer|shorter)\b[^.;]*,? the)\b"
)
SUPPORT = re.compile(r"\{(prf:ref|cite\S*)\}`")
SECTIONS = {"Common misconceptions": "misconception", "Summary": "summary"}
# What is no word of a sentence: what is computed or code, formulas, roles and addresses.
_PRESET = r"\{(?:set|ask|present|curve)\}`([^<`]*)(?:<[^`]*)?`"
_BOUND = r"\bat (?:the )?(?:most|least) \{eval\}`[^`]*`"  # a computed bound: tests/text/test_rounding_words.py reads it
_NOT_WORDS = rf"{_BOUND}|\{{eval\}}`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|{_PRESET}|\{{[\w:-]+\}}`[^`]*`|`[^`]*`|\]\([^)]*\)"
_END = re.compile(r"(?<=[.!?])[*”\"')]*\s+(?=[*“\"(]*[A-Z$\[{0-9])")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a chapter, where it stands and what it is part of."""

    chapter: str
    line: int
    kind: str
    text: str
    labels: tuple[str, ...]  # of its line, or of its figure

    @property
    def generalises(self) -> str:
        """The word by which it generalises, or nothing."""
        found = WORDS.search(re.sub(_NOT_WORDS, lambda found: found[1] or "", self.text))
        return found[0] if found else ""


def sentences(chapter: str, text: str) -> Iterator[Sentence]:
    """Yield the sentences of a chapter that readers take for facts."""
    section, blocks = "", []  # the kinds of the blocks that are open, from the outermost in
    lines = enumerate(text.split("\n"), 1)
    for number, line in lines:
        fence = re.match(r"(`{3,}|:{3,})(\{([\w:-]+)\})?(.*)", line)
        if line == "---" and number == 1:
            _skip(lines, "---")
        elif fence and fence[3] == "code-cell":
            yield from _of_cell(chapter, number, _skip(lines, fence[1]))
        elif fence and fence[3] in ("solution-start", "solution-end", "exercise-start", "exercise-end"):
            _skip(lines, fence[1])
        elif fence and not fence[2] and not fence[4]:
            blocks = blocks[:-1]
        elif fence:
            blocks.append("answer" if fence[3] == "predict" else "")
        elif line.startswith("## "):
            section = SECTIONS.get(line[3:], "")
        elif not line.startswith(("#", ":", "(", "%")) or re.match(r"\(.*[^)=]$", line):
            yield from _split(chapter, number, (blocks or [section])[-1], line)


def _skip(lines: Iterator[tuple[int, str]], end: str) -> str:
    """What stands before the line that is `end`."""
    kept = []
    for _, line in lines:
        if line == end:
            break
        kept.append(line)
    return "\n".join(kept)


def _split(chapter: str, number: int, kind: str, line: str, labels: tuple[str, ...] = ()) -> Iterator[Sentence]:
    labels, line = (*labels, *LABEL.findall(line)), LABEL.sub("", line)
    cells = re.split(r"(?<!\\)\|", line) if line.startswith("|") else [line]
    for text in [part.strip(" *-") for cell in cells for part in _END.split(cell)]:
        if kind and re.search(r"\w", text):
            yield Sentence(chapter, number, kind, text, labels)


def _of_cell(chapter: str, first: int, code: str) -> Iterator[Sentence]:
    """Yield the sentences of a cell's captions and alt texts that are no claim of their figure."""
    tree = ast.parse(re.sub(r"(?m)^:[\w-]+:.*$", "", code))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        claimed, name = _claims(given.get("claims")), _text(given["name"]) if "name" in given else ""
        for kind in ("caption", "alt"):
            if kind in given and (text := _text(given[kind])):
                found = _split(chapter, first + given[kind].lineno, kind, text, (f"{name}.{kind}",))
                yield from (sentence for sentence in found if sentence.text not in claimed)


def _claims(value: ast.expr | None) -> list[str]:
    """Return the words of a figure's claims, which are checked at every setting of its sliders."""
    return [_text(key) for key in value.keys if key] if isinstance(value, ast.Dict) else []


def _text(value: ast.expr) -> str:
    """A string of the source; what is computed in it is {...}."""
    if isinstance(value, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "{...}" for part in value.values)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def unsupported(chapters: list[Path]) -> list[Sentence]:
    """Return the sentences that generalise and that nothing supports."""
    checks = set(checked("claim"))
    return [
        sentence
        for path in chapters
        for sentence in sentences(_name(path), path.read_text("utf-8"))
        if sentence.generalises
        and not SUPPORT.search(sentence.text)
        and not any((sentence.chapter, label) in checks for label in sentence.labels)
    ]


def _name(path: Path) -> str:
    """Return a chapter's file as its checks name it: pure.md, labs/accountant.md."""
    folder = ROOT / "chapters"
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def chapters(names: list[str]) -> list[Path]:
    """The chapters of these names, all of them if none is given."""
    return [path for path in sorted(ROOT.glob("chapters/**/*.md")) if not names or path.name in names]


def main(arguments: list[str]) -> None:
    found = unsupported(chapters(arguments))
    for kind in KINDS:
        for sentence in (each for each in found if each.kind == kind):
            print(f"chapters/{sentence.chapter}:{sentence.line}: {kind}: {sentence.text}")
    print(f"{len(found)} sentences generalise without support")


if __name__ == "__main__":
    main(sys.argv[1:])
