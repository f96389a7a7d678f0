"""What the paths of many shapes have in common, arrows and ensembles: functions of the number of a point."""

from collections.abc import Collection, Sequence
from inspect import Parameter, Signature, signature
from typing import Any

from livefigures.declare.parts import Function
from livefigures.declare.sliders import is_number


def of_point(function: Function, number: str, parts: Sequence[Any], own: Collection[str]) -> Function:
    """Return the function with the arguments that it takes: the number of a point, and what the parts take beside it.

    The path itself gives the parts their `own` arguments.
    """
    used = {key: one for part in parts if callable(part) for key, one in signature(part).parameters.items()}
    others = [one.replace(kind=Parameter.KEYWORD_ONLY) for key, one in used.items() if key not in own]
    function.__signature__ = Signature([Parameter(number, Parameter.KEYWORD_ONLY), *others])
    return function


def called(part: Any, known: dict[str, Any]) -> Any:
    """Return what a part gives for those of the known values that it takes; a number gives itself."""
    return part(**{key: known[key] for key in signature(part).parameters if key in known}) if callable(part) else part


def is_axis(axis: Any) -> bool:
    """Whether it is an argument with its range, ("t", 0, 10)."""
    return isinstance(axis, tuple) and len(axis) == 3 and isinstance(axis[0], str) and all(map(is_number, axis[1:]))
