"""The programme of a figure: one tape that its functions share, and a look-up table for each that asks for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from livefigures.declare import faults
from livefigures.declare.figure import Declaration
from livefigures.declare.parts import Cloud, FigureError, Path, Points
from livefigures.trace import ode, vectors
from livefigures.trace.by_name import by_name
from livefigures.trace.tables import check_size, table
from livefigures.trace.tracing import NotTraceable, Tape, needed, operands, told

NEAR = 32  # a step of a search is shorter
MOST_TOLD = 3  # functions, when there are too many operations
MAX_OPERATIONS = 12_000  # a replay of as many on 201 points takes 6 to 7 ms, less than half a frame


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
def programme(figure: Declaration) -> Programme:
    """Return the figure's functions as one tape, common steps shared, and a table for each that asks for one."""
    if fault := too_long(figure):
        raise FigureError(fault)
    operations, places = traced(figure)
    tabled = [address for address in figure.functions if address not in places]
    outputs: dict[str, Any] = {**places, **{address: {"table": number} for number, address in enumerate(tabled)}}
    return Programme(operations, [table(figure, address) for address in tabled], outputs)


def too_long(figure: Declaration) -> str:
    """Return what to change if the trace has too many operations for a page, else ""."""
    operations, places = traced(figure)
    if len(operations) > MAX_OPERATIONS:
        long = {address: len(needed(operations, place)) for address, place in places.items()}
        most = sorted(places, key=lambda address: -long[address])[:MOST_TOLD]
        told = ", ".join(f"{address} {long[address]}" for address in most)
        return (
            f"figure {figure.name!r}: its trace has {len(operations)} operations ({told}), and at most "
            f"{MAX_OPERATIONS} keep the sliders smooth; take fewer steps in lf.ode(..., steps=...), of which a shorter "
            "range and slower oscillations need fewer, or in a loop, call one function with the same arguments in "
            "several curves, which then share its operations, or give a curve, a reading or a point lookup=True"
        )
    return ""


def steps_too_long(figure: Declaration, address: str, tried: Sequence[dict[str, float]]) -> dict[str, float] | None:
    """Return the first of these settings at which half the step of `ode` changes a function, None where none does.

    A function that is looked up is called once.
    """
    looked_up = figure.asks_for_table(address)
    along = {figure.x.name: figure.x.grid} if figure.on_grid(address) and not looked_up else {}
    for setting in tried[:1] if looked_up else tried:
        with ode.errors() as found:
            figure.evaluate(address, {**setting, **along, **figure.draws})
        if not found:
            return None  # it solves no equation
        if max(found) > ode.INEXACT:
            return setting
    return None


@lru_cache(maxsize=16)  # when the figure is made, and again when it is shown
def traced(figure: Declaration) -> tuple[list[list], dict[str, int]]:
    """Return the tape of all functions that are not looked up, and each one's place in it.

    Raises
    ------
    FigureError : a function that cannot be traced, with what to write instead; a table of too many numbers
    """
    tape = Tape()
    nodes: dict[str, int] = {}
    for address in figure.functions:
        if figure.asks_for_table(address):
            check_size(figure, address)
        else:
            nodes[address] = trace(figure, address, tape)
    figure.draws.update(tape.data)
    operations, indices = tape.finish(list(nodes.values()))
    return operations, dict(zip(nodes, indices, strict=True))


def trace(figure: Declaration, address: str, tape: Tape) -> int:
    """Return the function's place on the tape; what keeps it from being traced is said last, where logs are read."""
    part = type(figure.owner(address))
    tape.size = figure.shape(address)[0] if issubclass(part, Points) else 0
    instead = (
        ""
        if issubclass(part, Cloud | Points | Path)
        else f", or ask for a table of its values, where each argument is one number: {part.__name__}(..., lookup=True)"
    )
    try:
        with by_name():
            value = figure.functions[address](**{name: tape.input(name) for name in figure.follows(address)})
            return tape.output(vectors.one_for_each(tape, value) if issubclass(part, Points) else value)
    except NotTraceable as error:
        reason = str(error)
        if f"{part.__name__}(" in reason.rpartition("; use ")[2]:  # which has it among its own remedies
            instead = ""
        if error.draws:  # a table would hold other random numbers for each setting
            instead = f": {faults.DRAWN}"
    except Exception as error:
        reason = told(error)
    mended = _with_numbers(figure, address, reason) or reason + instead
    raise FigureError(f"figure {figure.name!r}: {address} cannot be drawn without a kernel: {mended}")


def _with_numbers(figure: Declaration, address: str, reason: str) -> str:
    """The reason with the numbers of a choice, where a function has compared it with the name of an option; else ""."""
    for name in figure.follows(address):
        options = figure.controls[name].options if name in figure.controls else ()
        if any(f"on {option!r} of type str" in reason for option in options):
            numbers = ", ".join(f"{option} is {place}" for place, option in enumerate(options))
            return f"{reason.rpartition('; use ')[0]}; use the number of the option, as in {name} == 1: {numbers}"
    return ""


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
