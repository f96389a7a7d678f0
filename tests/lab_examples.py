"""The examples in the docstrings of a lab's unfinished functions, run with the solutions."""

import ast
import doctest
import re

from figures import ROOT, run

_EXERCISE = re.compile(r"(?s)\{exercise-start\}.*?\{exercise-end\}")
_CELL = re.compile(r"(?ms)^```\{code-cell\}[^\n]*\n(.*?)^```")


def unfinished(page: str) -> list[ast.FunctionDef]:
    """Return the functions of a lab whose body the reader writes: a docstring and `...`."""
    text = (ROOT / "chapters" / f"{page}.md").read_text("utf-8")
    cells = [cell for exercise in _EXERCISE.findall(text) for cell in _CELL.findall(exercise)]
    found = [node for cell in cells for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef)]
    return [node for node in found if ast.unparse(node.body[-1]) == "..."]


def failures(page: str, function: ast.FunctionDef) -> tuple[int, str]:
    """Return how many examples a docstring has, and what is wrong with them."""
    said: list[str] = []
    names = dict(run(page).names)
    example = doctest.DocTestParser().get_doctest(ast.get_docstring(function), names, function.name, page, 0)
    doctest.DocTestRunner().run(example, out=said.append)
    return len(example.examples), "".join(said)
