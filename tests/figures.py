"""All figures of a chapter without building it, and all settings at which they are tried.

A chapter's cells are run as plain Python: figures are declared and none is drawn, which takes a second or two. What is
evaluated is what the page plays: the figure's tape, and its tables where a slider rests on their stops.
"""

import contextlib
import functools
import io
import re
import zlib
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from dp_lib import live
from livefigures.sphinx.claims import linked_settings
from livefigures.trace import tables, tracing
from livefigures.trace.programme import programme

ROOT = Path(__file__).parent.parent
TEXTS = {
    path.relative_to(ROOT / "chapters").with_suffix("").as_posix(): path.read_text("utf-8")
    for path in sorted(ROOT.glob("chapters/**/*.md"))
}
CHAPTERS = [chapter for chapter, text in TEXTS.items() if "live.Figure(" in text]
# A chapter's tests run in one process, which then runs its cells once.
BY_CHAPTER = [pytest.param(chapter, id=chapter, marks=pytest.mark.xdist_group(chapter)) for chapter in CHAPTERS]
RANDOM = 200
MOST_NUMBERS = 20_000_000  # held at once while a tape is played


@dataclass
class Chapter:
    """A chapter that was run: what its cells define and say, its figures in reading order, what its {eval} print."""

    text: str
    names: dict = field(default_factory=dict)
    figures: list = field(default_factory=list)
    printed: dict[int, str] = field(default_factory=dict)  # by place
    said: str = ""  # what its cells print, in reading order


PARTS = re.compile(r"(?ms)^```\{code-cell\}[^\n]*\n(?P<cell>.*?)^```|\{eval\}`(?P<eval>[^`]*)`")


@functools.cache
def run(chapter):
    """A chapter with its cells and {eval} run, in reading order."""
    mpl.use("agg")
    ran, before = Chapter((ROOT / "chapters" / f"{chapter}.md").read_text("utf-8")), dict(live.figures)
    live.figures.clear()
    # Two processes of tests would wait for each other's threads.
    with threadpool_limits(1), contextlib.redirect_stdout(io.StringIO()) as said:
        for part in PARTS.finditer(ran.text):
            if part["cell"] is None:
                ran.printed[part.start()] = str(eval(part["eval"], ran.names))
            else:
                exec(compile(re.sub(r"(?m)^:[\w-]+:.*$", "", part["cell"]), f"{chapter}.md", "exec"), ran.names)
    ran.said, ran.figures = said.getvalue(), list(live.figures.values())
    live.figures.clear()
    live.figures.update(before)
    return ran


def figures(chapter):
    """The figures of a chapter, in reading order."""
    return run(chapter).figures


@functools.cache
def linked():
    """(page, figure) -> the settings that the book's prose links to."""
    return linked_settings({f"chapters/{chapter}": text for chapter, text in TEXTS.items()})


def linked_of(figure, chapter):
    """The linked settings of a figure, with its other sliders at rest."""
    found = linked().get((f"chapters/{chapter}", figure.name), [])
    return [figure.defaults | figure.check(values) for values in found]


def stops(figure, name):
    """Where a slider can rest."""
    return tables.stops(figure, name) if name in programme(figure).snapping else figure.controls[name].stops


def moved_by_x(figure):
    """Whether some mark stands elsewhere when the x slider moves, which for curves is only the cursor."""
    return any(figure.x.name in figure.follows(a) for a in figure.functions if not figure.on_grid(a))


def moving(figure):
    """The sliders that change the picture."""
    return [name for name in figure.controls if name != figure.x.name or moved_by_x(figure)]


def corners(figure, names):
    """Every corner of the sliders' box; a choice has no ends, so every option."""
    ends = [stops(figure, name) if figure.controls[name].options else stops(figure, name)[[0, -1]] for name in names]
    return [figure.defaults | dict(zip(names, map(float, corner), strict=True)) for corner in product(*ends)]


def each_stop(figure, names):
    """Every stop of each slider, the others at rest; a slider that waits for a choice has it."""
    return [
        figure.defaults | figure.needs(name) | {name: float(stop)} for name in names for stop in stops(figure, name)
    ]


def at_random(figure, names, count=RANDOM):
    """Settings drawn evenly along each slider's scale; also between its stops, which can be typed in."""
    rng = np.random.default_rng(zlib.crc32(figure.name.encode()))
    return [figure.defaults | {name: _drawn(figure, name, rng) for name in names} for _ in range(count)]


def _drawn(figure, name, rng):
    slider = figure.controls[name]
    if name in programme(figure).snapping:
        return float(rng.choice(stops(figure, name)))
    low, high = slider.low, slider.high
    value = np.exp(rng.uniform(np.log(low), np.log(high))) if slider.log else rng.uniform(low, high)
    return float(np.clip(np.rint(value) if slider.integer else value, low, high))


def settings(figure, chapter):
    """All settings at which a figure is tried."""
    names = moving(figure)
    tried = [*corners(figure, names), *each_stop(figure, names), *at_random(figure, names)]
    return [figure.defaults, *linked_of(figure, chapter), *tried]


def scenes(figure, tried, only=None):
    """(values, what is drawn there by address) for each setting, some hundreds of settings at a time."""
    wanted = [address for address in figure.functions if only is None or address in only]
    operations, places = _needed(figure, [address for address in wanted if figure.on_grid(address)])
    size = max(1, MOST_NUMBERS // ((len(operations) + 1) * len(figure.x.grid)))
    for start in range(0, len(tried), size):
        some = tried[start : start + size]
        inputs = {name: np.array([values[name] for values in some])[:, None] for name in figure.controls}
        along = inputs | {figure.x.name: figure.x.grid[None, :]}
        played = tracing.play(operations, along)
        drawn = {}
        for address in wanted:
            value = played[places[address]] if address in places else _beside(figure, address, inputs, along)
            drawn[address] = np.broadcast_to(value, (len(some), *(figure.shape(address) or (1,))))
        for row, values in enumerate(some):
            yield values, {a: v[row].reshape(figure.shape(a)) for a, v in drawn.items()}


@functools.lru_cache(maxsize=1)
def everywhere(chapter):
    """(figure, its scenes at all settings at which it is tried) for the figures of a chapter; two tests share them."""
    return [(figure, list(scenes(figure, settings(figure, chapter)))) for figure in figures(chapter)]


def _needed(figure, addresses):
    """The part of the tape that these functions need, and where each of them is in it."""
    outputs = {a: programme(figure).outputs[a] for a in addresses}
    taped = {a: place for a, place in outputs.items() if not isinstance(place, dict)}
    tape = tracing.Tape()
    tape.operations = programme(figure).operations
    operations, places = tape.finish(list(taped.values()))
    return operations, dict(zip(taped, places, strict=True))


def _beside(figure, address, inputs, along):
    """A part that is on no tape: looked up, or (a mark, which is quick) called."""
    place = programme(figure).outputs[address]
    inputs = along if figure.on_grid(address) else inputs
    if not isinstance(place, dict):
        return figure.evaluate(address, inputs | figure.draws)
    table = programme(figure).tables[place["table"]]
    at = [np.searchsorted(known, inputs[name]) for name, known in zip(table["inputs"], table["stops"], strict=True)]
    return np.reshape(table["values"], [len(known) for known in table["stops"]])[tuple(at)]
