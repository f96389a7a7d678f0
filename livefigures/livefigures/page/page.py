"""A figure for the built page: matplotlib's SVG, the sliders, the table, and the trace that figure.js replays.

The reader's browser computes nothing that the figure's functions did not: the trace is their own arithmetic, operation
by operation. Without JavaScript the picture and the table stand at the sliders' defaults.
"""

import json
import os
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from html import escape, unescape
from typing import Any

import numpy as np

from livefigures.declare.bars import Bars
from livefigures.declare.colours import CYCLE, NEUTRAL
from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import typed
from livefigures.declare.panels import drawn_later
from livefigures.declare.parts import FigureError, Mark, Path, Reading, stands_inside
from livefigures.declare.sliders import Slider
from livefigures.draw import still
from livefigures.draw.caption import caption
from livefigures.draw.draw import Drawing, draw
from livefigures.page import record
from livefigures.page.claimed import failing, idle, wrong_ends
from livefigures.page.drawn import unshown
from livefigures.page.formula import formulas, incomplete
from livefigures.page.overflow import overflowing
from livefigures.trace.programme import Programme, packed, programme
from livefigures.trace.tables import packed as packed_tables
from livefigures.trace.tables import stops

# A pair of dollars is TeX unless a blank stands inside it: "from $5 to $10" is not.
_TEX = re.compile(r"\\[()\[\]]|\\[A-Za-z]{2,}|\$\$|\$(?=\S)[^$]*(?<=\S)\$(?!\d)")
BUILDING = "LIVEFIGURES_BUILDING"  # an environment variable that is set while a book is being built


def building() -> bool:
    """True while a book is being built: figures make a page's HTML and no widget."""
    return bool(os.environ.get(BUILDING))


def mimebundle(figure: Declaration) -> dict[str, Any]:
    """What a cell of a page shows; the build's record of it is written on the way."""
    for one in figure.together:
        check_alt(one)
    markup = together(figure)
    for one in figure.together:
        check_texts(one, markup)
        record.write(one)
    return {"text/html": markup, "text/plain": repr(figure)}


def check_alt(figure: Declaration) -> None:
    """Reject a figure without words for readers who cannot see it."""
    if not figure.alt:
        raise FigureError(f"figure {figure.name!r}: a page needs alt=..., its shape for readers who cannot see it")


def check_texts(figure: Declaration, markup: str) -> None:
    """Reject TeX in a text that readers see: only `formulas` are typeset."""
    for text in re.split(r"<script.*?</script>|<[^>]*>", markup, flags=re.DOTALL):
        said = unescape(text).strip()
        if found := _TEX.search(said):
            raise FigureError(
                f"figure {figure.name!r}: a figure shows no TeX but in formulas={{...}}: write {found[0]!r} in plain "
                f"Unicode, as in σ² or √x, in {said!r}"
            )


def untitled(figure: Declaration) -> Iterator[str]:
    """Yield a warning for a figure without a caption."""
    if not figure.caption:
        yield f"figure {figure.name!r}: a page needs caption=..., what is drawn, in which units, at which fixed values"


def together(figure: Declaration) -> str:
    """Return the HTML of a figure and its panels; a shared slider stands below the last picture that it moves."""
    figures = figure.together
    found = [html(one, later) for one, later in zip(figures, drawn_later(figures), strict=True)]
    names, looks = " ".join(one.name for one in figures), "live-panels" + " live-stacked" * figure.stacked
    return (
        found[0] if len(found) == 1 else "\n".join([f'<div class="{looks}" data-figures="{names}">', *found, "</div>"])
    )


def html(figure: Declaration, later: Collection[str] = ()) -> str:
    """The figure as HTML: needs the scripts and styles of `bundle` on the page to come alive.

    The sliders of `later` are drawn in another panel, and here only when the figure fills the window.
    """
    name, played, drawing = figure.name, programme(figure), draw(figure)
    crossed = "" if figure.cursor else " data-uncrossed"
    return "\n".join(
        [
            f'<figure class="live" id="{name}" data-colours="{colours(figure)}"{crossed}>',
            *_lines(figure),
            f'<div class="live-picture">{still.picture(drawing)}</div>',
            '<div class="live-controls" hidden>',
            *[_slider(figure, slider, played, slider.name in later) for slider in figure.moved_by_readers],
            "</div>",
            still.first_table(figure),
            '<div class="live-buttons" hidden></div>',
            '<p class="live-status" role="status"></p>',
            formulas(figure),
            caption(figure),
            f'<script type="application/json" class="live-data">{_script(data(drawing, played))}</script>',
            "</figure>",
        ]
    )


def colours(figure: Declaration) -> str:
    """The figure's colours, for a style sheet: "name light dark" of each that is not in all of them."""
    used = {look.colour for look in figure.looks.values()} - {*CYCLE, NEUTRAL}
    return ", ".join(f"{one.name} {one.light} {one.dark}" for one in sorted(used, key=lambda one: one.name))


def _lines(figure: Declaration) -> Iterator[str]:
    """Typed formulas, to read where no script comes; editor.js puts its own in their place."""
    if figure.lines:
        yield '<div class="live-lines">'
        for number, line in enumerate(figure.lines, 1):
            field = (
                f'<input type="text" class="live-line" readonly value="{escape(line)}" aria-label="Formula {number}">'
            )
            yield f'<div class="live-row">{field}</div>'
        yield '<div class="live-line-tools"></div></div>'


@lru_cache(maxsize=16)  # a file of its own asks for them too
def shortcomings(figure: Declaration) -> tuple[str, ...]:
    """Return what an author may want to change, found by trying the figure at many settings."""
    written = (*untitled(figure), *overflowing(figure), *incomplete(figure))
    return (*written, *idle(figure), *wrong_ends(figure), *unshown(figure))


def data(drawing: Drawing, played: Programme) -> dict[str, Any]:
    """What figure.js needs besides the markup, and what the build warns of."""
    figure = drawing.figure
    return (
        {
            "name": figure.name,
            "x": figure.x.name,
            "sliders": {name: _carried(figure, slider, played) for name, slider in figure.controls.items()},
            "frame": drawing.frame,
            "symbols": {"x": figure.x.symbol or figure.x.name, "y": figure.axis.symbol},
            "curves": [_part(figure, "curves", name) for name in figure.curves],
            "marks": [_mark(figure, name, mark) for name, mark in figure.marks.items()],
            "draws": {name: values.tolist() for name, values in figure.draws.items()},
            "kinds": {n: kind for mark in figure.marks.values() for n, kind in getattr(mark, "draws", {}).items()},
            "operations": packed(played.operations),
            "tables": packed_tables(figure, played.tables),
            "outputs": played.outputs,
            "failing": [*figure.doubts, *shortcomings(figure), *failing(figure)],
        }
        | ({"grid": figure.x.grid.tolist()} if figure.x.at_stops else {})
        | ({"up": True} if figure.up else {})
        | ({"lines": list(figure.lines)} if figure.lines else {})
        | ({"ranges": figure.ranges} if figure.lines and figure.ranges else {})
    )


def _part(figure: Declaration, kind: str, name: str) -> dict[str, Any]:
    addresses = figure.addresses(kind, name)
    follows = {argument: None for address in addresses.values() for argument in figure.follows(address)}
    written = getattr(getattr(figure, kind)[name], "format", "")
    return {"name": name, "follows": list(follows)} | addresses | ({"format": written} if written else {})


def _mark(figure: Declaration, name: str, mark: Mark) -> dict[str, Any]:
    looks = {"width": mark.wide, "base": mark.base} if isinstance(mark, Bars) else {}
    looks |= {"named": True} if stands_inside(mark) else {}
    return _part(figure, "marks", name) | {"kind": _kind(mark)} | looks


def _kind(mark: Mark) -> str:
    """How figure.js moves a mark: a reading is a level line that is never seen, and arrows are a path."""
    if isinstance(mark, Path):
        return "path"
    return "line" if isinstance(mark, Reading) else type(mark).__name__.lower()


def _stops(figure: Declaration, slider: Slider, played: Programme) -> list[float]:
    """Where its thumb rests if it moves from stop to stop and not evenly, else nothing."""
    if slider.name in played.snapping:
        return stops(figure, slider.name).tolist()
    return slider.stops.tolist() if slider.log else []


def _carried(figure: Declaration, slider: Slider, played: Programme) -> dict[str, Any]:
    """A slider for figure.js: what it is not is left out, and the page knows the points of the x axis."""
    kept = {"low": slider.low, "high": slider.high, "at": slider.at, "symbol": slider.symbol or slider.name}
    asked = {name: getattr(slider, name) for name in ("integer", "base", "format", "shared", "play")}
    snaps = slider.name in played.snapping
    asked |= {"snaps": snaps, "stops": [] if snaps and slider is figure.x else _stops(figure, slider, played)}
    kept |= {name: value for name, value in asked.items() if value}
    kept |= {} if slider in figure.moved_by_readers else {"when": {"": 0}}  # nobody chooses this, so it is never awake
    return kept | record.choosing(figure, slider)


def _slider(figure: Declaration, slider: Slider, played: Programme, later: bool) -> str:
    looks = f'{" live-later" if later else ""}"{"" if figure.awake(slider.name, figure.defaults) else " hidden"}'
    if slider.options:
        return _choice(figure, slider, looks)
    ident = f"{figure.name}--{slider.name}"
    if known := _stops(figure, slider, played):
        rest = int(np.argmin(np.abs(np.array(known) - slider.at)))
        bounds = f'min="0" max="{len(known) - 1}" step="1" value="{rest}"'
    else:
        low, high, step, at = map(typed, (slider.low, slider.high, slider.spacing, slider.at))
        bounds = f'min="{low}" max="{high}" step="{step}" value="{at}"'
    symbol = escape(slider.symbol or slider.name)
    after = slider.words_after_name
    words = escape(after if after.startswith((" ", ",", ".", ":", ";")) else f" {after}")
    at, low_end, high_end = (escape(slider.said(value)) for value in (slider.at, slider.low, slider.high))
    low_end, high_end = map(_in_groups, (low_end, high_end))
    plain = not slider.base and slider.low >= 0 and (slider.integer or not slider.log)
    keypad = f' inputmode="{"numeric" if slider.integer else "decimal"}"' if plain else ""  # which has no −, ^ and e
    low_end += f"\u00a0← {escape(slider.toward[0])}" if slider.marked_end == "low" else ""
    high_end = (f"{escape(slider.toward[0])} →\u00a0" if slider.marked_end == "high" else "") + high_end
    return (
        f'<div class="live-slider{looks}><label for="{ident}">'
        f'<span class="live-symbol">{symbol}</span>{words}</label>'
        f'<input type="button"{keypad} class="live-typed" data-for="{slider.name}" value="{at}"'
        f' aria-label="{symbol}, typed value" tabindex="-1">'
        f'<input type="range" id="{ident}" name="{slider.name}" {bounds} autocomplete="off" aria-valuetext="{at}">'
        f'<span class="live-ends"><span>{low_end}</span><span>{high_end}</span></span>'
        f'<span class="live-problem" role="alert"></span></div>'
    )


def _in_groups(number: str) -> str:
    """Return a number of five digits or more in groups of three, as a text has it; it is not typed."""
    return re.sub(r"(?<=\d)(?=(\d{3})+$)", "\u00a0", number) if re.fullmatch(r"−?\d{5,}", number) else number


def _choice(figure: Declaration, slider: Slider, looks: str) -> str:
    """Radio buttons, named as the figure so that two figures do not share them."""
    ident = f"{figure.name}--{slider.name}"
    buttons = "".join(
        f'<label><input type="radio" name="{ident}" data-for="{slider.name}" value="{index}" autocomplete="off"'
        f"{' checked' if index == slider.at else ''}> <span>{escape(option)}</span></label>"
        for index, option in enumerate(slider.options)
    )
    legend = escape(" ".join(filter(None, [slider.symbol, slider.words or slider.name])))
    return f'<fieldset class="live-choice{looks}><legend>{legend}</legend>{buttons}</fieldset>'


def _script(content: Any) -> str:
    """JSON that can stand inside a script element: `</script>` and `<!--` cannot occur in it."""
    text = json.dumps(record.finite(content), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("&", "\\u0026")
