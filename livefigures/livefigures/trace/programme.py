"""The programme of a figure: one tape that its functions share, and a look-up table for each that cannot be traced."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from livefigures.declare.figure import Figure
from livefigures.declare.parts import FigureError
from livefigures.trace.tables import table
from livefigures.trace.tracing import NotTraceable, Tape, operands

NEAR = 32  # a step of a search is shorter
MAX_OPERATIONS = 6000  # a replay of 6000 operations on 201 points takes about 4 ms, a quarter of a frame


class LookupWarning(UserWarning):
    """A function could not be traced and nobody asked for a table: say which operation, and why it matters."""


@dataclass(frozen=True)
class Programme:
    """What figure.js plays: `outputs[address]` is an operation's index in the tape, or `{"table": n}`."""

    operations: list[list]
    tables: list[dict[str, Any]]
    outputs: dict[str, Any]

    @property
    def snapping(self) -> set[str]:
        """The sliders that rest on their stops only, because a table knows no value between."""
        return {name for table in self.tables for name in table["inputs"]}


@lru_cache(maxsize=16)  # a look-up table may take seconds, and a page asks several times
def programme(figure: Figure) -> Programme:
    """The figure's functions as one tape, common steps shared, and a table for each that cannot be traced."""
    tabled = [address for address in figure.functions if _needs_table(figure, address)]
    tape = Tape()
    taped = [address for address in figure.functions if address not in tabled]
    nodes = {address: tape.output(_call(figure, address, tape)) for address in taped}
    operations, indices = tape.finish(list(nodes.values()))
    if len(operations) > MAX_OPERATIONS:
        raise FigureError(
            f"figure {figure.name!r}: {len(operations)} tape operations, at most {MAX_OPERATIONS} keep the sliders "
            "smooth; share steps between curves or drop a curve"
        )
    outputs: dict[str, Any] = dict(zip(nodes, indices, strict=True))
    outputs |= {address: {"table": number} for number, address in enumerate(tabled)}
    return Programme(operations, [table(figure, address) for address in tabled], outputs)


def packed(operations: Sequence[list]) -> list:
    """The tape as a page carries it: its kinds of entries, a letter an entry, what the leaves hold, and all operands.

    An operand close by is written as so many steps back: the steps of a search are then the same text, which compresses
    to next to nothing.

    >>> packed([["in", "k"], ["log", 0], ["mul", 0, 1]])
    [['in', 'log', 'mul'], 'ABC', ['k'], [-1, -2, -1]]
    """
    kinds = list(dict.fromkeys(name for name, *_ in operations))
    letters = "".join(chr(ord("A") + kinds.index(name)) for name, *_ in operations)
    leaves = [entry[1] for entry in operations if not operands(entry)]
    places = [(index, place) for index, entry in enumerate(operations) for place in operands(entry)]
    back = [place - index if index - place <= NEAR else place for index, place in places]
    return [kinds, letters, leaves, back]


def _needs_table(figure: Figure, address: str) -> bool:
    if figure.asks_for_table(address):
        return True
    try:
        _call(figure, address, Tape())
    except NotTraceable as error:
        if not figure.on_grid(address) and set(figure.follows(address)) & set(figure.draws):
            raise
        warnings.warn(
            f"figure {figure.name!r}: {address} is looked up in a table, since it could not be traced: {error} "
            "(to ask for the table, write live.Curve(..., lookup=True))",
            LookupWarning,
            stacklevel=2,
        )
        return True
    return False


def _call(figure: Figure, address: str, tape: Tape) -> Any:
    return figure.functions[address](**{name: tape.input(name) for name in figure.follows(address)})
