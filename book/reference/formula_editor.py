"""The workbench's script: reader.js, editor.js, and dp_lib's verbs as a tape; loaded when somebody types a formula."""

import inspect
from collections.abc import Callable
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.reference.entries import module
from dp_lib import dp_sgd
from dp_lib.live.formula_names import MODULES
from livefigures.sphinx import formulas

SPOKEN = MODULES
LONG = ("approx.compose_advanced", "rdp.best")  # the one would be half of the script, the other needs lists
ORDERS = {"rdp.subsampled_gaussian": (*dp_sgd.ORDERS, 32)}


def functions() -> dict[str, Callable]:
    """Every public function of these modules, by the name that a formula calls it."""
    return {
        f"{home}.{name}": function
        for home in SPOKEN
        for name, function in vars(module(home)).items()
        if inspect.isfunction(function) and name[0] != "_" and function.__module__ == f"dp_lib.{home}"
        if f"{home}.{name}" not in LONG
    }


WORKBENCH = "chapters/workbench"
PAGE = "workbench.html"  # beside every chapter


def address(lines: list[str]) -> str:
    """Where these lines stand typed.

    >>> address(["zcdp.epsilon(rho, delta)"])
    'workbench.html#add=workbench:zcdp.epsilon(rho~2C~20delta)'
    """
    return f"{PAGE}#add=workbench:" + ",".join(quote(line, safe="!*'()").replace("%", "~") for line in lines)


class Formulas(SphinxDirective):
    """The directive ``formulas``: a question, and the lines that answer it on the workbench."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        lines = [line for line in self.content if line.strip()]
        link = nodes.reference("", self.arguments[0], refuri=address(lines), internal=True)
        code = nodes.literal_block("\n".join(lines), "\n".join(lines), language="python")
        lead = "" if self.env.docname == WORKBENCH else "On the workbench: "
        return [nodes.paragraph("", "", nodes.Text(lead), link), code]


def setup(app: Sphinx) -> None:
    app.add_directive("formulas", Formulas)
    formulas.offer(app, functions(), ORDERS)
