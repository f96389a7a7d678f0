"""The cells of a page: how they are run, and what goes wrong in one, said once and by the chapter's line.

What the text between two cells asks for ({eval}) is asked in one request: there are two thousand of them in the book.

A cell's first complaint is its cause: what the same cell says after it, what an {eval} misses because of it, and
MyST-NB's own two messages without a line are not said.
"""

import re
import time
from itertools import takewhile

import myst_nb.core.execute
from ipykernel.compiler import get_tmp_hash_seed, murmur2_x86
from myst_nb.core.execute.inline import NotebookClientInline
from nbformat import NotebookNode
from nbformat.v4 import new_output
from sphinx.application import Sphinx
from sphinx.config import Config

from book.checks import ready_kernel
from book.checks.unclosed_blocks import FAULTY

_LINE = re.compile(r"Cell In\[\d+\], line (\d+)|<ipython-input-[^>]*>, line (\d+)")
_KERNEL_FILE = re.compile(r"[^\s(]*ipykernel_\d+[/\\](\d+)\.py:(\d+)")  # how a kernel calls a cell
_WARNED = re.compile(r"^\S+:\d+: (\w+): ")  # how Python begins a warning
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_EVAL = re.compile(r"\{eval\}`([^`]*)`")


def join(outputs: list[NotebookNode]) -> None:
    """A stream's parts as one: a kernel sends what was printed when its clock says so, in the middle of a line too,
    and MyST-NB would end the line there.

    >>> parts = [new_output("stream", text=text) for text in ("a", "b\\n")]
    >>> join(parts)
    >>> [part.text for part in parts]
    ['ab\\n']
    """
    found: dict[str, NotebookNode] = {}
    for output in list(outputs):
        first = found.setdefault(output.get("name", ""), output) if output.output_type == "stream" else output
        if first is not output:
            first.text += output.text
            outputs.remove(output)


class Cells(NotebookClientInline):
    """Runs a page's cells, and tells what each complains of."""

    def start_client(self) -> None:
        self._begin()
        client = ready_kernel.take(self.path.parent)
        client.nb, client.timeout = self.notebook, self.nb_config.execution_timeout
        client.allow_errors = self.nb_config.execution_allow_errors
        client.reset_execution_trackers()
        self._client, self._time_start = client, time.perf_counter()

    def _begin(self) -> None:
        """Note that no cell has been run."""
        self.notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
        self._last_cell_executed, self._evaluated = -1, None
        self._cell_error = self._exc_string = self._tmp_path = None

    def code_cell_outputs(self, cell_index: int) -> tuple[int | None, list[NotebookNode]]:
        first = self._last_cell_executed + 1
        count, outputs = super().code_cell_outputs(cell_index)
        if first <= self._last_cell_executed:
            self._evaluated = None
        for index in range(first, self._last_cell_executed + 1):
            join(self.notebook.cells[index].get("outputs", []))
            self._tell(index)
        return count, outputs

    def eval_variable(self, name: str) -> list[NotebookNode]:
        if self._cell_error:  # what it asks for may be missing because of that
            return [new_output("execute_result", {"text/plain": "?"})]
        if self._evaluated is None:
            self._evaluated = self._evaluate_up_to_the_next_cell()
        return self._evaluated.get(name) or super().eval_variable(name)  # which says what is wrong with the others

    def _evaluate_up_to_the_next_cell(self) -> dict[str, list[NotebookNode]]:
        text = takewhile(lambda cell: cell.cell_type != "code", self.notebook.cells[self._last_cell_executed + 1 :])
        asked = {name: name for cell in text for name in _EVAL.findall(cell.source)}
        reply = self._client.wait_for_reply(self._client.kc.execute("", silent=True, user_expressions=asked))
        answers = reply["content"]["user_expressions"] if reply else {}
        return {
            name: [new_output("execute_result", answer["data"], metadata=answer["metadata"])]
            for name, answer in answers.items()
            if answer["status"] == "ok" and answer["data"].get("text/plain") != "None"
        }

    def _tell(self, index: int) -> None:
        """The first complaint of a cell that has been run."""
        cell = self.notebook.cells[index]
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                trace = _COLOUR.sub("", "\n".join(output.traceback))
                self._warn(index, f"a cell ended in an error: {output.ename}: {output.evalue}", _LINE.search(trace))
                return
            if output.get("name") == "stderr":
                first = _WARNED.sub(r"\1: ", output.text.strip().split("\n")[0])
                self._warn(index, f"a cell wrote to stderr: {first}", None)
                return
        if self._cell_error and index == self._last_cell_executed:
            self._warn(index, "a cell did not end: " + str(self._cell_error).strip().split("\n")[0], None)

    def _warn(self, index: int, text: str, line: re.Match | None) -> None:
        """At the line of the trace, else the one that the text names, else the cell's first."""
        inside = int(next(filter(None, line.groups()))) - 1 if line else 0
        named = _KERNEL_FILE.search(text)
        place = self._line_of_file(named) if named and not line else None
        text = re.sub(r" \(\d+\.py, line \d+\)$", "", text)
        text = _KERNEL_FILE.sub(lambda name: f"{self.path.name}:{self._line_of_file(name)}", text)
        if self.logger.extra["docname"] in FAULTY:
            return
        self.logger.warning(text, line=place or self._first_line(index) + inside, subtype="cell")

    def _line_of_file(self, name: re.Match) -> int:
        """The chapter's line for a line of a kernel's file, whose name is the hash of a cell."""
        for index, cell in enumerate(self.notebook.cells):
            if cell.cell_type == "code" and str(murmur2_x86(cell.source, get_tmp_hash_seed())) == name[1]:
                return self._first_line(index) + int(name[2]) - 1
        return int(name[2])

    def _first_line(self, index: int) -> int:
        """Where the code of a cell begins: below its fence and its options."""
        fence = self.cell_line(index)
        lines = self.path.read_text("utf-8").splitlines()
        code = self.notebook.cells[index].source.partition("\n")[0]
        return next((i for i, line in enumerate(lines, 1) if i >= fence and line == code), fence)


def be_silent(app: Sphinx, config: Config) -> None:
    config.suppress_warnings = [*config.suppress_warnings, "mystnb.exec", "mystnb.stderr"]


def setup(app: Sphinx) -> None:
    myst_nb.core.execute.NotebookClientInline = Cells  # MyST-NB has no setting for it
    app.connect("config-inited", be_silent)
