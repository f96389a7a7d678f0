"""The script of typed formulas as one file: how they are read, what is shown, and the book's functions."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from livefigures.declare import colours
from livefigures.formulas import verbs, vocabulary
from livefigures.formulas.grammar import ufuncs
from livefigures.trace.tracing import UFUNCS

SCRIPTS = ("reader", "axes", "editor")
NONE: Mapping[str, Any] = MappingProxyType({})
HERE = Path(__file__).parent / "scripts"


def script(functions: Mapping[str, Callable] = NONE, orders: Mapping[str, Sequence[int]] = NONE) -> str:
    """All of it without comments; a script, since a page that was opened from a disk may not fetch a file."""
    from rjsmin import jsmin  # of the extra `sphinx`: a file of one figure has the scripts as they are written

    return jsmin(written(functions, orders))


def written(functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]] = NONE) -> str:
    """Return the script as it is written."""
    reader, *others = [(HERE / f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    learn = f'live.use("formula_reader").learn({words(functions, orders)});'
    return "\n".join([reader, learn, *others, ""])


def words(functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]) -> str:
    """What reader.js learns, as JSON."""
    known, missing = verbs.vocabulary(functions, orders)
    homes = {name.partition(".")[0] for name in known["verbs"]}
    modules = {*vocabulary.known.modules, *vocabulary.known.elsewhere}
    known["notebook"] = sorted((modules - homes) | missing.keys())
    known["elementwise"] = {name: [UFUNCS[ufunc], ufunc.nin] for name, ufunc in ufuncs().items()}
    known |= {name: value for name, value in vars(vocabulary.known).items() if name not in ("modules", "elsewhere")}
    known["colours"] = colours.WORDS
    known["otherwise"] = colours.OTHERWISE or [colour.name for colour in colours.CYCLE]
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
