"""The workbench's script as one file: how formulas are read, what is shown, and the book's verbs."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rjsmin import jsmin

from livefigures.declare.colours import WORDS
from livefigures.formulas.grammar import ufuncs
from livefigures.formulas.names import MEANT, RANGES
from livefigures.formulas.verbs import vocabulary
from livefigures.trace.tracing import UFUNCS

SCRIPTS = ("reader", "axes", "editor")
HERE = Path(__file__).parent / "scripts"


def script(functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]) -> str:
    """All of it; a script, since a page that was opened from a disk may not fetch a file."""
    reader, *others = [jsmin((HERE / f"{name}.js").read_text("utf-8")) for name in SCRIPTS]
    learn = f'live.use("formula_reader").learn({words(functions, orders)});'
    return "\n".join([reader, learn, *others, ""])


def words(functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]) -> str:
    """What reader.js learns, as JSON."""
    known: dict[str, Any] = vocabulary(functions, orders)[0]
    known["elementwise"] = {name: [UFUNCS[ufunc], ufunc.nin] for name, ufunc in ufuncs().items()}
    known["ranges"] = RANGES
    known["meant"] = MEANT
    known["colours"] = WORDS
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
