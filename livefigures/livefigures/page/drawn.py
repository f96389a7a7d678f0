"""What a picture does not show of a curve or a path: turns between points, a part outside, too few steps of `ode`.

Tried at the defaults, at both ends of each slider, at some settings at random and at every setting that the prose
links to; whether it leaves the picture, and whether its steps are too long, also where all sliders are at an end. Each
curve is told once.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.faults import MOST_SAMPLES
from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import typed
from livefigures.declare.parts import Path
from livefigures.page.claimed import CORNERS, linked
from livefigures.trace.programme import MAX_OPERATIONS, steps_too_long, too_long, traced
from livefigures.trace.settings import corners, ends_together, settings

BETWEEN = 0.382  # of the way to the next point, where no oscillation of a whole number of turns comes back
TURN = 0.03  # of the picture's height, by which a curve may leave the straight line between two points
RIPPLE, WAVES = 0.005, 3  # by which it may do so at more than three places: an oscillation, and not a corner
BEND = 0.012  # of the picture, by which a path may: a circle as high as the picture has 13 points or more
OUTSIDE = 0.1  # of a curve's points may be outside the picture, and none at the defaults
SLACK = 1e-9  # of the picture's height
CUT = 0.01  # of the picture's height, by which a peak may be higher

Drawn = Sequence[tuple[Mapping[str, float], NDArray]]  # settings, and a curve's heights there
Look = Callable[[Declaration, str, Mapping[str, float], NDArray], str]


def unshown(figure: Declaration) -> Iterator[str]:
    """Yield what to change about each curve, with the first setting at which it is so.

    Formulas that readers write change under their hands: there is nothing to say of the first ones.
    """
    tried, chosen = [*settings(figure), *linked(figure)], [*settings(figure, at_random=0), *linked(figure)]
    inexact = {} if too_long(figure) else _inexact(figure, tried)  # the former says itself what to do about steps
    for name in [] if figure.lines else figure.curves:
        address = f"curves/{name}/y"
        found: dict[Look, str] = {}
        seen = [] if figure.asks_for_table(address) else tried
        drawn = [(setting, _heights(figure, name, setting, figure.x.grid)) for setting in seen]
        at_corners = _at_corners(figure, name)
        turns = [_turns] * (address not in inexact)  # where more points do not help
        looks = [(look, drawn) for look in (_empty, _unread, *turns)] + [(_leaves, [*drawn, *at_corners])]
        for look, places in looks:
            told = ((setting, look(figure, name, setting, y)) for setting, y in places)
            for setting, words in (each for each in told if each[1] and look not in found):
                found[look] = words.format(_at(figure, address, setting, [figure.x.name]))
        yield from (f"figure {figure.name!r}: the curve {name!r} {words}" for words in found.values())
        if _leaves not in found:
            at_ends = [each for each in drawn if each[0] in chosen]  # not at random
            yield from _cut(figure, name, address, [*at_ends, *at_corners])
        if drawn and name in figure.out_of_view and not _ever_leaves(figure, [*drawn, *at_corners]):
            yield (
                f"figure {figure.name!r}: the curve {name!r} stays in the picture at every setting that was tried; "
                "leave it out of out_of_view"
            )
    for name, path in figure.marks.items():
        if type(path) is Path:
            yield from _bends(figure, name, tried)
    if inexact:
        yield _too_few_steps(figure, inexact)


def _at(figure: Declaration, address: str, setting: Mapping[str, float], along: Collection[str]) -> str:
    """A setting in words, of the sliders that a function follows but for those along which it was drawn."""
    named = {name: setting[name] for name in figure.follows(address) if name in setting and name not in along}
    return f" at {figure.told(named)}" if named else ""


def _at_corners(figure: Declaration, name: str) -> list[tuple[dict[str, float], NDArray]]:
    """Where the curve is with each of its sliders at one of its ends; a table is known at the defaults."""
    address, x = f"curves/{name}/y", figure.x.grid
    if figure.asks_for_table(address):
        return [(figure.defaults, _scaled(figure, figure.first_drawings[address], x.shape))]
    ends = corners(figure, figure.follows(address), CORNERS)
    return [(setting, _heights(figure, name, setting, x)) for setting in (figure.defaults | each for each in ends)]


def _heights(figure: Declaration, name: str, setting: Mapping[str, float], x: NDArray) -> NDArray:
    """Where the curve is at these x, from 0 at the picture's lower edge to 1 at its upper one."""
    return _scaled(figure, figure.evaluate(f"curves/{name}/y", {**setting, figure.x.name: x}), x.shape)


def _scaled(figure: Declaration, value: Any, shape: tuple[int, ...]) -> NDArray:
    return _share(np.broadcast_to(value, shape).astype(float), figure.axis)


def _share(value: NDArray, axis: Any) -> NDArray:
    """Return how far these values are along an axis, from 0 at its low end to 1 at its high one."""
    if not axis.log:
        return (value - axis.low) / (axis.high - axis.low)
    with np.errstate(all="ignore"):
        return np.log(value / axis.low) / np.log(axis.high / axis.low)


def _turns(figure: Declaration, name: str, setting: Mapping[str, float], y: NDArray) -> str:
    grid = figure.x.grid
    if figure.x.integer or figure.x.at_stops or figure.bars:
        return ""
    share = BETWEEN * np.diff(np.log(grid) if figure.x.log else grid)
    between = np.exp(np.log(grid[:-1]) + share) if figure.x.log else grid[:-1] + share
    middle = _heights(figure, name, setting, between)
    low, high = np.minimum(y[:-1], y[1:]), np.maximum(y[:-1], y[1:])
    with np.errstate(invalid="ignore"):
        beyond = np.maximum(low - middle, middle - high) * ((low < 1) & (high > 0))
    if not np.nanmax(np.append(beyond, 0)) > TURN and np.count_nonzero(beyond > RIPPLE) <= WAVES:
        return ""
    near = typed(float(f"{between[np.nanargmax(beyond)]:.3g}"))
    step = float(f"{(figure.x.high - figure.x.low) / 1000:.1g}")
    return (
        f"turns between the {len(grid)} points at which it is drawn, near {figure.x.name} = {near}{{}}; "
        f"give the x slider a shorter range, or more points with step={step:g}, at_stops=True"
    )


def _bends(figure: Declaration, name: str, tried: Sequence[Mapping[str, float]]) -> Iterator[str]:
    """Yield how many points a path needs, if somewhere it bends much between two of them."""
    if any(figure.asks_for_table(f"marks/{name}/{coordinate}") for coordinate in "xy"):
        return
    drawn = size = figure.marks[name].size
    at: Mapping[str, float] = {}
    for setting in tried:
        while size <= MOST_SAMPLES and _bend(figure, name, setting, size) > BEND:
            size, at = 2 * size - 1, setting
    if size > drawn:
        enough = f"give it size={size}" if size <= MOST_SAMPLES else "give its parameter a shorter range"
        yield (
            f"figure {figure.name!r}: the path {name!r} bends between the {drawn} points at which it is drawn"
            f"{_at(figure, f'marks/{name}/x', at, [])}; {enough}"
        )


def _bend(figure: Declaration, name: str, setting: Mapping[str, float], size: int) -> float:
    """By how much of the picture a path leaves its chords inside it, if it is drawn at so many points."""
    step = (figure.marks[name].size - 1) / (size - 1)
    whole = step * np.arange(size)
    at, middle = (_places(figure, name, setting, n) for n in (whole, whole[:-1] + BETWEEN * step))
    chord, away = np.diff(at), middle - at[:-1]
    with np.errstate(all="ignore"):
        bend = np.where(chord == 0, abs(away), abs((away * chord.conj()).imag) / abs(chord))
    inside = (np.abs(at[:-1].real - 0.5) <= 0.5) & (np.abs(at[:-1].imag - 0.5) <= 0.5)
    return float(np.max(np.where(inside & np.isfinite(bend), bend, 0)))


def _places(figure: Declaration, name: str, setting: Mapping[str, float], numbers: NDArray) -> NDArray:
    """Where the points of a path with these numbers are in the picture, from 0 to 1 + 1j."""
    inputs = {**setting, **figure.draws, **dict.fromkeys(figure.marks[name].steps, numbers)}
    x, y = (
        np.broadcast_to(figure.evaluate(f"marks/{name}/{coordinate}", inputs), numbers.shape).astype(float)
        for coordinate in "xy"
    )
    return _share(x, figure.x) + 1j * _share(y, figure.axis)


def _empty(figure: Declaration, name: str, setting: Mapping[str, float], y: NDArray) -> str:
    if figure.curves[name].gap or np.isfinite(y).any():
        return ""
    return "has no value{}; write np.where for this case, give a slider a shorter range, or say why with gap=..."


def _unread(figure: Declaration, name: str, setting: Mapping[str, float], y: NDArray) -> str:
    x = figure.x
    if figure.curves[name].gap or setting != figure.defaults or not np.isnan(y[np.argmin(abs(x.grid - x.at))]):
        return ""
    return (
        f"has no value at {x.name} = {typed(x.at)}, where that slider begins, so that its table begins with a dash; "
        f"give the slider {x.name!r} another at=..., or say why with gap=..."
    )


def _leaves(figure: Declaration, name: str, setting: Mapping[str, float], y: NDArray) -> str:
    if name in figure.out_of_view:
        return ""
    y = y[np.isfinite(y)]
    sides = {"top": np.count_nonzero(y > 1 + SLACK), "bottom": np.count_nonzero(y < -SLACK)}
    at_rest = all(setting[name] == value for name, value in figure.defaults.items())
    if sum(sides.values()) <= (0 if at_rest else OUTSIDE * len(y)):
        return ""
    told = " ".join(side for side, count in sides.items() if count)
    most = "mostly" if 2 * sum(sides.values()) > len(y) else "partly"
    does = _missing(figure, name, setting) + ("leaves" if at_rest else f"is {most} outside")
    return (
        f'{does} the picture{{}}; widen y, give a slider a shorter range, or say out_of_view={{{{{name!r}: "{told}"}}}}'
    )


def _ever_leaves(figure: Declaration, drawn: Drawn) -> bool:
    """Whether a curve leaves the picture anywhere that was tried."""
    below = np.nan if not figure.axis.log else -np.inf  # what a logarithmic axis has no place for
    heights = (np.where(np.isnan(y), below, y) for _, y in drawn)
    return any(((y > 1 + SLACK) | (y < -SLACK)).any() for y in heights)


def _cut(figure: Declaration, name: str, address: str, drawn: Drawn) -> Iterator[str]:
    """Yield what to change if the picture's top cuts off the highest point of a curve, which turns there."""
    if name in figure.out_of_view or not drawn:
        return
    peak, setting = max(((_peak(y), setting) for setting, y in drawn), key=lambda each: each[0])
    if peak > 1 + CUT:
        low, high = figure.axis.low, figure.axis.high
        y = low * (high / low) ** peak if figure.axis.log else low + (high - low) * peak
        yield (
            f"figure {figure.name!r}: the top of the picture cuts off the peak of the curve {name!r}"
            f"{_at(figure, address, setting, [figure.x.name])}, which needs y up to {y:.3g}; widen y, give a slider a "
            f'shorter range, or say out_of_view={{{name!r}: "top"}}'
        )


def _peak(y: NDArray) -> float:
    """The height of the curve's highest point if it turns there, else 0."""
    known = np.where(np.isfinite(y), y, -np.inf)
    top = int(np.argmax(known))
    turns = 0 < top < len(y) - 1 and np.isfinite(y[top - 1 : top + 2]).all() and y[top] > max(y[0], y[-1])
    return float(y[top]) if turns else 0.0


def _missing(figure: Declaration, name: str, setting: Mapping[str, float]) -> str:
    """From where to where a curve has no value, in words that other advice follows; "" if it has all or says why."""
    none = np.flatnonzero(np.isnan(_heights(figure, name, setting, figure.x.grid)))
    if figure.curves[name].gap or not len(none):
        return ""
    end = none[np.argmax(np.append(np.diff(none), 2) > 1)]  # of the first part
    low, high = (typed(float(figure.x.grid[place])) for place in (none[0], end))
    return (
        f"has no value from {figure.x.name} = {low} to {high}, so look there first, and write np.where for this "
        "case, or say why with gap=...; where it has values, it "
    )


def _inexact(figure: Declaration, tried: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return the functions in which steps of `ode` are too long, each with a setting at which they are."""
    places = ((a, steps_too_long(figure, a, [*tried, *ends_together(figure, a)])) for a in figure.functions)
    return {address: setting for address, setting in places if setting is not None}


def _too_few_steps(figure: Declaration, found: Mapping[str, dict[str, float]]) -> str:
    """Return what to change about steps of `ode` that are too long, in one sentence."""
    address, setting = next(iter(found.items()))
    looked_up = figure.asks_for_table(address)
    place = _at(figure, address, setting, [figure.x.name] if figure.on_grid(address) and not looked_up else [])
    return (
        f"figure {figure.name!r}: {', '.join(found)} {'need' if len(found) > 1 else 'needs'} more steps{place}, since "
        f"with half the step the solution changes by more than 1 %; {_more_steps(figure, looked_up)}; or, if a rate "
        "changes at a moment, spread the change over a step: np.clip((now - day) / step + 0.5, 0, 1) with "
        "step = t / 80 + 1e-9 in place of np.where(now > day, 1, 0)"
    )


def _more_steps(figure: Declaration, looked_up: bool) -> str:
    """What to do about steps that are too long, and how many more a page can play."""
    length = len(traced(figure)[0])
    if looked_up or 2 * length <= MAX_OPERATIONS:
        return "give ode a larger number of steps, or a slider a shorter range"
    room = np.floor(10 * MAX_OPERATIONS / length) / 10
    more = f"room for {room:g} times as many steps, steps=..." if room > 1 else "no room for more steps"
    return (
        f"give a slider or the time a shorter range, or let the oscillations be slower, since the trace has {length} "
        f"operations of at most {MAX_OPERATIONS}, and so it has {more}; other curves may do with fewer steps"
    )
