"""Say why a cell failed where its author looks: the last line of its error is the last line that the build says of it.

MyST-NB itself says that a notebook failed, and which file of 120 lines has the reason.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
_TOO_LONG = (
    "a cell took longer than {seconds} seconds; each function with lookup=True{tables} is called at each combination "
    "of its sliders' stops, so give these sliders larger steps; run a file with the figure, `python file.py`, to see "
    "how many minutes its table takes; or let cells take longer, in _config.yml of a Jupyter Book with timeout: {more} "
    "below execute:, in conf.py with nb_execution_timeout = {more}"
)
_DEFAULT, _ENOUGH = 30, 300  # seconds: what MyST-NB gives a cell, and what most tables need
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def last_line(traceback: str, code: str = "") -> str:
    """Return what Python says last of an error, and of a cell with this code that took too long, which table it makes.

    >>> last_line("Traceback ...\\n  File ...\\n\\x1b[31mValueError\\x1b[39m: no such ε\\n\\n")
    'ValueError: no such ε'
    """
    if "CellTimeoutError" in traceback:
        given = re.search(r"after (\d+) seconds", traceback)
        seconds = int(given[1]) if given else _DEFAULT
        tables = ", ".join(map(repr, looked_up(code)))
        more = _ENOUGH if seconds < _ENOUGH else 4 * seconds
        return _TOO_LONG.format(seconds=seconds, tables=tables and f", here {tables},", more=more)
    lines = _COLOUR.sub("", traceback).strip().splitlines()
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def looked_up(code: str) -> Iterator[str]:
    """Yield the names of the parts that ask for a table in a cell.

    >>> [*looked_up('lf.Figure("lock", curves={"days": lf.Curve(days, lookup=True), "cost": cost})')]
    ['days']
    """
    try:
        found = ast.walk(ast.parse(code))
    except SyntaxError:  # a command of IPython
        return
    for parts in (node for node in found if isinstance(node, ast.Dict)):
        for name, part in zip(parts.keys, parts.values, strict=True):
            options = [one.arg for one in part.keywords] if isinstance(part, ast.Call) else []
            if "lookup" in options and isinstance(name, ast.Constant):
                yield str(name.value)


def is_cell(node: nodes.Node) -> bool:
    """Return whether this is a cell of code, by MyST-NB's own mark."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def place(
    env: BuildEnvironment, page: str, number: int, kind: Callable[[nodes.Node], bool] = is_cell
) -> tuple[str, int] | str:
    """Return where the cell of this number begins in its page, for a warning; only the page if it is a notebook."""
    source = Path(env.doc2path(page))
    found = [] if source.suffix == ".ipynb" else [*env.get_doctree(page).findall(kind)]
    line = found[number].line if 0 <= number < len(found) else None
    if line and kind is is_cell:  # MyST-NB's line is somewhere in the cell
        above = source.read_text("utf-8").splitlines()[:line]
        line = next((n for n in range(len(above), 0, -1) if "{code-cell}" in above[n - 1]), line)
    return (page, line) if line else page


def line_of(source: str, near: int, words: str) -> int:
    """Return the line of a file on which these words begin, the next one to the line that was counted.

    A link is counted where its paragraph begins, and MyST-NB counts the blank lines before a part of the page as one.
    """
    lines = Path(source).read_text("utf-8").splitlines() if Path(source).is_file() else []
    found = [number for number, line in enumerate(lines, 1) if words and words.splitlines()[0] in line]
    return min(found, key=lambda number: (number < near - 1, abs(number - near)), default=near)


def failed_cell(env: BuildEnvironment, page: str, traceback: str) -> tuple[int, str]:
    """Return the number and the code of the cell that ended with this error, which quotes it; (-1, "") if none did."""
    quoted = re.search(r"^-{18,}\n(.*?)\n-{18,}$", traceback, re.DOTALL | re.MULTILINE)
    cells = [cell.children[0].astext().strip() for cell in env.get_doctree(page).findall(is_cell) if cell.children]
    found = (each for each in enumerate(cells) if quoted and quoted[1].strip() in (each[1], _shortened(each[1])))
    return next(found, (-1, ""))


def _shortened(code: str) -> str:
    """Return a cell of 11 lines or more as nbclient quotes it when it took too long."""
    lines = code.split("\n")
    return f"{lines[:5]}\n...\n{lines[-5:]}"


def is_stopped(env: BuildEnvironment, page: str) -> str:
    """Return the traceback with which the execution of a page ended before its last cell, "" if none did."""
    known = getattr(env, "nb_metadata", {}).get(page, {}).get("exec_data")  # MyST-NB's own
    return (known and known["traceback"]) or ""


def tell(app: Sphinx, env: BuildEnvironment) -> None:
    """Log the last line of each page whose execution ended in an error; silent where MyST-NB's own message is."""
    for page in sorted(env.found_docs):
        if traceback := is_stopped(env, page):
            number, code = failed_cell(env, page, traceback)
            where = place(env, page, number)
            LOGGER.warning(last_line(traceback, code), location=where, type="mystnb", subtype="exec")


def setup(app: Sphinx) -> None:
    app.connect("env-updated", tell)
