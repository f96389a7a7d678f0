"""Checks of chapters/workbench.md."""

import re
import sys
from pathlib import Path

import pytest

from claims import says
from dp_lib import live, zcdp  # noqa: F401 - the lines name zcdp
from livefigures.formulas import grammar
from livefigures.formulas.verbs import vocabulary

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))


@says("workbench.md", "A name that no line explains, such as `sigma` or `k`, becomes a slider.")
def _():
    made = live.workbench("rho = zcdp.gaussian(sigma) * k", "zcdp.epsilon(rho, delta)", name="named")
    assert set(made.controls) == {"sigma", "k", "delta"}


@says(
    "workbench.md",
    "`pld`, `mechanisms`, `dp_sgd.sigma` and what else searches or draws at random works in a notebook only.",
)
def _():
    from book.reference import formula_editor as workbench

    spoken, missing = vocabulary(workbench.functions(), workbench.ORDERS)
    assert not [name for name in spoken["verbs"] if name.split(".")[0] in ("pld", "mechanisms")]
    assert "dp_sgd.sigma" in missing


@says("workbench.md", "All lines together take at most 12,000 operations, a line at most 1,000 characters.")
def _():
    script = "".join(
        path.read_text("utf-8") for path in (ROOT / "livefigures/livefigures/formulas/scripts").glob("*.js")
    )
    assert [int(limit) for limit in re.findall(r"LONGEST = (\d+);", script)] == [grammar.LONGEST] == [1000]
    assert "MOST_OPERATIONS = 12000;" in script
    with pytest.raises(grammar.FormulaError):
        grammar.read("k" * 1001)
