"""What the chapters still owe: tests/claims/left/<chapter>.txt, a line each. A line may go, and none may come.

outside | figure | curve or mark | side     it leaves the picture there, and its figure does not say so
question | what is asked                    nobody has checked its choices
generalising | kind | number                so many sentences generalise and nothing holds them up
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "claims" / "left"


def left(kind):
    """{chapter without .md: the lines of this kind, without it}."""
    return {path.stem: _of_kind(path, kind) for path in sorted(FOLDER.glob("*.txt"))}


def _of_kind(path, kind):
    lines = (line.partition(" | ") for line in path.read_text("utf-8").splitlines())
    return {rest for first, _, rest in lines if first == kind}


def differences(chapter, kind, found):
    """What is wrong with a chapter's lines of a kind, in words: more than stand there, or fewer."""
    known = left(kind).get(chapter, set())
    file = f"tests/claims/left/{chapter}.txt"
    new = [f"{chapter}.md: mend this, no line may come: {kind} | {line}" for line in sorted(found - known)]
    return new + [f"{file}: it is mended, take it out: {kind} | {line}" for line in sorted(known - found)]
