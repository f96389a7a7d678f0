"""Write a first chapter to change: `make chapter NAME=x TITLE="What it is called"`.

It writes chapters/x.md, a small chapter with one of everything, which passes the tests as it is, the checks of a
sentence and of its question in tests/claims/test_x.py, and a line in _toc.yml.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = Path(__file__).parent / "chapter.md"
DEFAULT_TITLE = "Many answers from one table"  # what the template is about
CHECKS = '''"""Checks of chapters/NAME.md."""

import math

from claims import answers, claim


@claim("NAME.md", "a-year-of-counts", numbers=[52, 0.005])
def test_a_year_of_counts(passage):
    assert passage.printed == [f"{52 * 0.005:.2f}"]


@answers("NAME.md", "from-13-counts-to-52", numbers=[0.005, 1e-5, 13, 52])
def test_question_from_13_counts_to_52(question):
    def epsilon(rho):
        """Return ε at δ = 1e-5 by the formula of Bun & Steinke 2016, Proposition 1.3."""
        return rho + 2 * math.sqrt(rho * math.log(1e5))

    growth = epsilon(52 * 0.005) / epsilon(13 * 0.005)
    assert question.right == [growth < 1.1, 1.8 < growth < 2.2, growth > 3.6]
'''


def with_chapter(contents: str, name: str) -> str:
    r"""A table of contents with one more chapter: the last before the labs and the part for reference.

    >>> with_chapter("parts:\n  - chapters:\n      - file: a\n  - caption: For reference\n", "new")
    'parts:\n  - chapters:\n      - file: a\n      - file: chapters/new\n  - caption: For reference\n'
    """
    before = re.split(r"^  - caption: (?:Labs|For reference)$", contents, maxsplit=1, flags=re.MULTILINE)[0]
    place = list(re.finditer(r"^( *- file:) .*\n", before, re.MULTILINE))[-1]
    return f"{contents[: place.end()]}{place[1]} chapters/{name}\n{contents[place.end() :]}"


def write(name: str, title: str) -> list[Path]:
    """Write the chapter and its checks and return their paths, or raise a ValueError that says why not."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"NAME must be lower-case letters, digits and _, as in dp_sgd, got {name!r}")
    chapter, checks = ROOT / "chapters" / f"{name}.md", ROOT / "tests" / "claims" / f"test_{name}.py"
    for file in (chapter, checks):
        if file.exists():
            raise ValueError(f"{file.relative_to(ROOT)} is already there")
    text = TEMPLATE.read_text("utf-8").replace("NAME", name.replace("_", "-"))
    chapter.write_text(text.replace("# TITLE\n", f"# {title or DEFAULT_TITLE}\n", 1), "utf-8")
    checks.write_text(CHECKS.replace("NAME", name), "utf-8")
    contents = ROOT / "_toc.yml"
    contents.write_text(with_chapter(contents.read_text("utf-8"), name), "utf-8")
    return [chapter, checks]


def main(name: str, title: str = "") -> int:
    try:
        written = [str(file.relative_to(ROOT)) for file in write(name, title)]
    except ValueError as error:
        print(f"make chapter NAME=...: {error}", file=sys.stderr)
        return 1
    print(f"Written: {', '.join(written)}, and a line in _toc.yml. Now: make preview CHAPTER={name}")
    if not title:
        print(f'Its title is "{DEFAULT_TITLE}": change it in the file, or give TITLE="..."')
    return 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:3] or [""])))
