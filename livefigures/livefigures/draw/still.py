"""A figure without sliders: matplotlib's picture, and the table of readings at the defaults.

It is what stands on a page before any script has run, and all that there is where none ever runs.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

import numpy as np

from livefigures.declare.bars import Bars
from livefigures.declare.colours import Colour
from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import full, shown
from livefigures.declare.parts import Band, Line, Mark, Path, Point, Points, Reading, has_errors
from livefigures.draw import svg
from livefigures.draw.caption import called, caption
from livefigures.draw.draw import Drawing, draw

TEAR = '<path class="live-tear" d="M60 14l8-14h4l-8 14z" fill="#fff"/>'  # through the bar of what has no end


def still(figure: Declaration) -> str:
    """Picture and table at the defaults, for a place without widgets and without the page's scripts."""
    return f"<figure>{picture(draw(figure, still=True))}{first_table(figure)}{caption(figure)}</figure>"


def picture(drawing: Drawing) -> str:
    """The picture as SVG, with words for those who do not see it."""
    figure = drawing.figure
    words = figure.alt or figure.caption or f"Curves over {figure.x.label}: {', '.join(figure.curves)}."
    return svg.markup(drawing, words)


def first_table(figure: Declaration) -> str:
    """The table at the defaults."""
    return table(figure, figure.defaults, figure.readings(figure.defaults))


def table(figure: Declaration, settings: Mapping[str, float], readings: Mapping[str, float]) -> str:
    """Each curve at the cursor, and where points and lines stand."""
    cursor = settings[figure.x.name]
    values = {name: readings[f"curves/{name}/y"] for name in figure.curves}
    lengths = dict(zip(values, bars(list(values.values())), strict=True))
    rows = [_curve_row(figure, name, value, lengths[name]) for name, value in values.items()]
    rows += [_mark_row(figure, name, settings, readings) for name, mark in figure.marks.items() if _in_table(mark)]
    at = (
        f'{escape(figure.x.symbol or figure.x.name)} = <span class="live-cursor">{escape(figure.x.said(cursor))}</span>'
    )
    looks = "live-readings" if _is_said(figure) else "live-readings live-unsaid"
    left, right = ("", _across(figure)) if figure.cursor else (' colspan="3"', " hidden")
    head = figure.axis.label if figure.cursor else f"{figure.axis.symbol} against {figure.x.symbol}"
    return (
        f'<table class="{looks}"><thead><tr><th scope="col"{left}>{escape(head)}</th>'
        f'<th scope="col"{right}>at {at}</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _in_table(mark: Mark) -> bool:
    return bool(mark.label) if isinstance(mark, Band) else isinstance(mark, Point | Line | Points | Path)


def _is_said(figure: Declaration) -> bool:
    """Whether a sentence has more to say than the table; a single curve has its number there."""
    compared = len(figure.curves) > 1 or figure.lines or any(isinstance(mark, Point) for mark in figure.marks.values())
    return bool(figure.sentence and figure.cursor and compared)


def _across(figure: Declaration) -> str:
    """The middle column is the bars'; a row without one has its name there, or the place of a point, which is long."""
    points = any(isinstance(mark, Point) or has_errors(mark) for mark in figure.marks.values())
    return ' colspan="2"' if figure.bars or points else ""


def bars(values: Sequence[float]) -> list[float]:
    """Each value's bar as a share of the longest, so that bars compare as their numbers do; 0 where there is no value.

    >>> bars([100, 1, 2, float("nan")])
    [1.0, 0.01, 0.02, 0.0]
    """
    full = max([value for value in values if value > 0 and np.isfinite(value)], default=1.0)
    return [max(float(value), 0.0) / full if value == value else 0.0 for value in values]


def _bar(share: float, colour: Colour) -> str:
    """A drawing: it has a length and a colour without a style sheet, and without a style of its own."""
    torn, tear = (" live-torn", TEAR) if share > 1 else ("", "")
    size = f'width="{100 * min(share, 1):.4g}%" height="14"'
    ground = f'<rect width="100%" height="14" rx="3" fill="{colour.light}"/>{tear}'
    return f'<svg class="live-bar{torn}" {size} aria-hidden="true">{ground}</svg>'


def _curve_row(figure: Declaration, name: str, value: float, share: float) -> str:
    curve, look = figure.curves[name], figure.looks[name]
    swatch = f"live-swatch live-colour-{look.colour.name} live-dash-{look.dash}"
    known = " hidden" if value == value else ""
    gap = f'<span class="live-gap"{known}>{escape(curve.gap)}</span>' if curve.gap else ""
    bar = f'<td class="live-colour-{look.colour.name}">{_bar(share, look.colour)}{gap}</td>' if figure.bars else ""
    why = f" {gap}" if gap and not bar else ""
    across = "" if bar else _across(figure)
    words = escape(shown(value, figure.up, written=curve.format))
    return (
        f'<tr><th scope="row"{across}><span class="{swatch}"></span>{escape(name)}{why}</th>{bar}'
        f'<td data-curve="{escape(name)}" data-value="{full(value)}">{words}</td></tr>'
    )


def _points_cell(figure: Declaration, name: str, settings: Mapping[str, float]) -> str:
    """How many points of data, and how long their error bars are: "9 points, ± 0.200 to 0.300"."""
    mark = figure.marks[name]
    many = figure.counts[name]
    count = f"{many}\u00a0{'bar' if isinstance(mark, Bars) else 'point'}{'s' * (many > 1)}"
    if not has_errors(mark):
        return f"<td>{count}</td>"
    said = partial(shown, up=figure.up, written=mark.format or "{:.3g}")
    lengths = figure.errors(name, settings).items()
    words = ", ".join([count, *(f"{way}\u00a0{' to '.join(dict.fromkeys(map(said, ends)))}" for way, ends in lengths)])
    return f'<td{_across(figure)} data-mark="{escape(name)}">{escape(words)}</td>'


def _mark_row(figure: Declaration, name: str, settings: Mapping[str, float], readings: Mapping[str, float]) -> str:
    mark = figure.marks[name]
    shape = f"live-dash-{mark.dash or 'dashed'}" if isinstance(mark, Line) else "live-mark"
    shape = f"live-dash-{figure.looks[name].dash}" if isinstance(mark, Path) else shape
    shape = "live-area" if isinstance(mark, Band) else shape
    swatch = "live-swatch" + (
        "" if isinstance(mark, Reading) else f" {shape} live-colour-{figure.looks[name].colour.name}"
    )
    of_name, of_value = ("", _across(figure)) if isinstance(mark, Point) or has_errors(mark) else (_across(figure), "")
    head = f'<tr><th scope="row"{of_name}><span class="{swatch}"></span>{escape(called(figure, name))}</th>'
    if isinstance(mark, Path | Band):
        return f"{head}<td>{getattr(mark, 'said', '')}</td></tr>"
    if isinstance(mark, Points):
        return f"{head}{_points_cell(figure, name, settings)}</tr>"
    places = {c: readings[f"marks/{name}/{c}"] for c in ("x", "y") if getattr(mark, c)}
    attributes = " ".join(f'data-{c}="{full(value)}"' for c, value in places.items())
    return (
        f'{head}<td{of_value} data-mark="{escape(name)}" {attributes}>{escape(_where(figure, mark, places))}</td></tr>'
    )


def _where(figure: Declaration, mark: Point | Line, places: Mapping[str, float]) -> str:
    symbols = {"x": figure.x.symbol or figure.x.name, "y": figure.axis.symbol}
    said = figure.x.base or figure.x.format or (figure.x.integer and places.get("x", 0.5) % 1 == 0)
    words = {"x": figure.x.said if said else shown}
    words |= {"y": partial(shown, up=figure.up, written=mark.format)}
    if "x" not in places:  # a level line, whose reading is a number like the curves'
        return words["y"](places["y"])
    if any(value != value for value in places.values()):
        return "never"
    pairs = (f"{symbols[c]} = {words[c](value)}" for c, value in places.items())
    return ", ".join(re.sub(" (?=[=×])|(?<=[=×]) ", "\u00a0", pair) for pair in pairs)
