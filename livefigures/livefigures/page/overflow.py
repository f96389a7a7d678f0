"""Curves that leave all numbers at some corner of the sliders: steps that are too long there, which nobody has seen."""

from collections.abc import Iterator

import numpy as np

from livefigures.declare import context
from livefigures.declare.figure import Declaration
from livefigures.trace.settings import corners

MOST = 32  # corners of one curve


def overflowing(figure: Declaration) -> Iterator[str]:
    """Yield a warning for each curve that overflows and then has no value; one that says why has a gap there."""
    for name, curve in figure.curves.items():
        address = f"curves/{name}/y"
        if curve.gap or figure.asks_for_table(address):
            continue
        for setting in corners(figure, figure.follows(address), MOST):
            if _overflows(figure, address, setting):
                at = figure.told(setting) or "any setting"
                yield (
                    f"figure {figure.name!r}: the curve {name!r} overflows and has no value somewhere at {at}; "
                    "take more steps, give a slider a shorter range, or say why with gap=..."
                )
                break


def _overflows(figure: Declaration, address: str, setting: dict[str, float]) -> bool:
    inputs = {name: np.float64(value) for name, value in setting.items()} | {figure.x.name: figure.x.grid}
    seen: list[str] = []
    given = {name: inputs[name] for name in figure.follows(address)}
    with context.computing(), np.errstate(over="call", call=lambda error, _: seen.append(error)):
        value = figure.functions[address](**given)
    return bool(seen) and not np.isfinite(value).all()
