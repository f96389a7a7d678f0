"""The verbs of a book as one tape: what a page composes formulas from.

Each function is called once with traced numbers, all on one tape, so that what two functions share is written once.
An argument named `sigma` is the tape's input of that name; the page puts a formula in its place.
"""

import inspect
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any

import numpy as np

from livefigures.trace.programme import packed
from livefigures.trace.tracing import Tape, Traced

MOST_GIVEN = 4  # arguments that a function of any number of them takes on a page
_KINDS = ("number", "pair", "curve")  # what an argument is: a number, a pair of numbers, a function of one


def vocabulary(
    functions: Mapping[str, Callable], orders: Mapping[str, Sequence[int]]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What a page needs to compose formulas, and why some functions are not in it.

    The first has the tape and, for each verb by its name, its words, its arguments and its results' places on the tape.

    Parameters
    ----------
    functions : name as a formula writes it -> function
    orders : of the functions whose first argument must be a known number: which
    """
    tape, verbs, missing = Tape(lists=False), {}, {}
    for name, function in functions.items():
        parameters = [p for p in inspect.signature(function).parameters.values() if not isinstance(p.default, bool)]
        kinds, reason = _kinds(function, parameters, orders.get(name, ()))
        if kinds:
            verbs[name] = _verb(tape, function, dict(zip(parameters, kinds, strict=True)), orders.get(name, ()))
        else:
            missing[name] = reason
    outputs = [place for verb in verbs.values() for places in verb["out"].values() for place in places]
    operations, kept = tape.finish(outputs)
    places = dict(zip(outputs, kept, strict=True))
    for verb in verbs.values():
        verb["out"] = {key: [places[place] for place in found] for key, found in verb["out"].items()}
    return {"verbs": verbs, "operations": packed(operations)}, missing


def _kinds(function: Callable, parameters: list[Parameter], orders: Sequence[int]) -> tuple[tuple[str, ...], str]:
    """What each argument is, found by trying on a tape of its own; () and the first reason if nothing traces."""
    reason = ""
    fits = [("order",) if orders and not place else _KINDS for place in range(len(parameters))]
    for kinds in itertools.product(*fits):
        tape = Tape(lists=False)
        try:
            results = _call(tape, function, dict(zip(parameters, kinds, strict=True)), orders[0] if orders else 2)
            for result in results if isinstance(results, tuple) else (results,):
                tape.output(result)
        except (TypeError, ValueError, ArithmeticError, RecursionError, AttributeError) as error:
            reason = reason or str(error)
        else:
            return kinds, ""
    return (), reason


def _verb(tape: Tape, function: Callable, kinds: Mapping[Parameter, str], orders: Sequence[int]) -> dict[str, Any]:
    many = any(p.kind is Parameter.VAR_POSITIONAL for p in kinds)
    out, fields = {}, ()
    for key in orders or (range(1, MOST_GIVEN + 1) if many else [0]):
        results = _call(tape, function, kinds, key)
        fields = getattr(results, "_fields", fields)
        out[str(key)] = [tape.output(each) for each in (results if isinstance(results, tuple) else (results,))]
    arguments = [_argument(function, parameter, kind) for parameter, kind in kinds.items()]
    says = inspect.cleandoc(function.__doc__ or "").split("\n")[0]
    return {"says": says, "arguments": arguments, "fields": list(fields), "out": out}


def _call(tape: Tape, function: Callable, kinds: Mapping[Parameter, str], key: int) -> Any:
    """The function, called with stand-ins; the key is an order, or how many arguments there are."""
    plain: list[Any] = []
    named: dict[str, Any] = {}
    for parameter, kind in kinds.items():
        if parameter.kind is Parameter.VAR_POSITIONAL:
            plain += [_stand_in(tape, f"{parameter.name}{place}", kind) for place in range(key)]
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            named[parameter.name] = _stand_in(tape, parameter.name, kind)
        else:
            plain.append(key if kind == "order" else _stand_in(tape, parameter.name, kind))
    return function(*plain, **named)


def _stand_in(tape: Tape, name: str, kind: str) -> Any:
    if kind == "number":
        return tape.input(name)
    if kind == "pair":
        return tape.input(f"{name}.0"), tape.input(f"{name}.1")
    return lambda value: Traced(tape, tape._write("call", tape.output(value)), np.dtype(np.float64))


def _argument(function: Callable, parameter: Parameter, kind: str) -> dict[str, Any]:
    """Name, kind, words, and where they apply its default, and whether it may be given often or by name only."""
    found = re.search(rf"^\s*{parameter.name}\b.*? : (.*)$", function.__doc__ or "", re.MULTILINE)
    about: dict[str, Any] = {"name": parameter.name, "kind": kind, "says": found[1] if found else ""}
    if parameter.default is not Parameter.empty:
        about["default"] = float(parameter.default)
    if parameter.kind is Parameter.VAR_POSITIONAL:
        about["many"] = True
    if parameter.kind is Parameter.KEYWORD_ONLY:
        about["named"] = True
    return about
