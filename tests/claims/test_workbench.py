"""Checks of chapters/workbench.md."""

import re
import sys
from pathlib import Path

import pytest

from claims import claim
from dp_lib import live, zcdp  # noqa: F401 - the lines name zcdp
from livefigures.formulas import grammar
from livefigures.formulas.verbs import vocabulary

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))


@claim("workbench.md", "unexplained-name-becomes-slider")
def test_unexplained_name_becomes_slider():
    made = live.workbench("rho = zcdp.gaussian(sigma) * k", "zcdp.epsilon(rho, delta)", name="named")
    assert set(made.controls) == {"sigma", "k", "delta"}


@claim("workbench.md", "functions-in-notebooks-only")
def test_functions_in_notebooks_only():
    from book.reference import formula_editor as workbench

    spoken, missing = vocabulary(workbench.functions(), workbench.ORDERS)
    assert not [name for name in spoken["verbs"] if name.split(".")[0] in ("pld", "mechanisms")]
    assert {"dp_sgd.sigma", "approx.sigma_discrete", "dp_sgd.sample"} <= set(missing)
    assert not {"dp_sgd.sigma", "approx.sigma_discrete", "dp_sgd.sample"} & set(spoken["verbs"])


@claim("workbench.md", "limits-of-the-lines")
def test_limits_of_the_lines(passage):
    script = "".join(
        path.read_text("utf-8") for path in (ROOT / "livefigures/livefigures/formulas/scripts").glob("*.js")
    )
    assert [int(limit) for limit in re.findall(r"LONGEST = (\d+);", script)] == [grammar.LONGEST]
    (most,) = re.findall(r"MOST_OPERATIONS = (\d+);", script)
    assert passage.gives(int(most), grammar.LONGEST)
    with pytest.raises(grammar.FormulaError):
        grammar.read("k" * (grammar.LONGEST + 1))
