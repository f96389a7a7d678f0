"""Names inside matplotlib's picture, where a part can be told apart, as labels.js places them on a page."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from livefigures.declare.bars import Bars
from livefigures.declare.parts import Line, Point, Points, Reading, stands_inside
from livefigures.draw.draw import FONT, Drawing, place

# As in labels.js, which says more of them.
COLUMNS = 60
APART = 4
GAP = 0.3
SIDES = np.array(
    [
        *([-0.5, -1], [-0.5, 0], [-1, -1], [0, -1], [-1, 0], [0, 0]),
        *([-0.5, -1.5], [-0.5, 0.5], [-1, -1.5], [0, -1.5], [-1, 0.5], [0, 0.5]),
    ]
)
FAR = 2.5
MARK, DOT, RULE = 8, 4, 1
CURSOR, LETTER = 2, 9
WORST = 6
STAYS = 1.2  # of worth, for the place at which a name stands already
TALL = 1.12 * FONT


@dataclass
class _Place:
    """Where a name may stand: at each of the spots (x, y, column), `gap` away from it."""

    spots: NDArray
    gap: float = GAP * TALL
    upright: bool = False


_Found = tuple[float, float, tuple[float, float] | None]


class Names:
    """The names in a drawing's picture: of each part that asks for it, and of curves without a place beside their end.

    The latter only if `moved`, as in a file.
    """

    def __init__(self, drawing: Drawing, moved: bool = False) -> None:
        self.drawing = drawing
        self.last: dict[str, int] = {}
        figure = drawing.figure
        beside = [name for kind, name in drawing.artists if kind == "label" and moved]
        for name, part in {**figure.curves, **figure.marks}.items():
            if name in beside or stands_inside(part):
                looks = {"color": figure.looks[name].colour.light, "va": "center", "zorder": 6}
                looks |= {"fontsize": FONT, "parse_math": False}
                ground = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0}
                words = getattr(part, "label", None) or name
                text = drawing.axes.text(0, 0, words, transform=drawing.units, bbox=ground, **looks)
                drawing.artists["name", name] = text
        texts = {name: artist for (kind, name), artist in drawing.artists.items() if kind == "name"}
        self.leads = {name: self._lead(name) for name in texts}
        self.widths = {name: text.get_window_extent().width / drawing.canvas.dpi * 72 for name, text in texts.items()}

    def _lead(self, name: str) -> Line2D:
        colour = self.drawing.figure.looks[name].colour.light
        return self.drawing.axes.plot([], [], color=colour, linewidth=1, transform=self.drawing.units, zorder=5)[0]

    def put(self) -> None:
        """Put each name where the drawing's last update wants it."""
        if not self.widths:
            return
        drawing, figure = self.drawing, self.drawing.figure
        self._measure()
        found = {}
        for name in self._free():
            wanted = self._curve(name) if name in figure.curves else self._mark(name)
            if len(wanted.spots):
                at = self._within(name, wanted, WORST)
                found[name] = self._within(name, wanted, np.inf) if at is None else at
        for name in self.widths:
            at = found.get(name)
            drawing.artists["name", name].set_visible(at is not None)
            if at is not None:
                drawing.artists["name", name].set_position((at[0], drawing.frame["height"] - at[1] - TALL / 2))
            self._point(name, at)
        drawing.move_labels({name for name, at in found.items() if at is not None})

    def _point(self, name: str, at: _Found | None) -> None:
        """Draw the line from a curve to a name that stands further away."""
        if at is None or at[2] is None:
            self.leads[name].set_data([], [])
            return
        x, y, (x0, y0) = at
        ends = y0, y + (TALL if y < y0 else 0)
        self.leads[name].set_data(
            [x0, min(max(x, x0), x + self.widths[name])], [self.drawing.frame["height"] - end for end in ends]
        )

    def _measure(self) -> None:
        """Find the heights of curves and level lines at the columns, and what names keep off."""
        drawing, figure = self.drawing, self.drawing.figure
        frame = drawing.frame
        self.left, self.right = frame["x"][:2]
        self.bottom, self.top = frame["y"][:2]
        along = place(frame["x"], figure.x.grid)
        self.xs = np.clip(np.linspace(self.left, self.right, COLUMNS), along[0], along[-1])
        heights = {name: place(frame["y"], drawing.scene[f"curves/{name}/y"]) for name in figure.curves}
        nearest = np.abs(along - self.xs[:, None]).argmin(axis=1)
        self.heights = {}
        for name, values in heights.items():
            there = np.interp(self.xs, along, values)
            self.heights[name] = np.where(np.isnan(there), values[nearest], there)
        self.taken, self.dots = [], []
        cursor = drawing.artists["cursor", ""]
        seen = place(frame["x"], cursor.get_xdata()[0]) if cursor.get_visible() else -np.inf
        self.cursor = self._upright(seen, -LETTER)
        for name, mark in figure.marks.items():
            x, y = (place(frame[c], drawing.scene.get(f"marks/{name}/{c}", np.nan)) for c in ("x", "y"))
            if isinstance(mark, Line) and name in self.widths:
                self.heights[name] = np.full(COLUMNS, y)
            if isinstance(mark, Point) and np.isfinite(x + y):
                self.taken.append((x - MARK, y - MARK, 2 * MARK, 2 * MARK))
            if isinstance(mark, Line) and mark.x is not None:
                self.dots.append(self._upright(x))
            elif isinstance(mark, Line) and not isinstance(mark, Reading) and name not in self.widths:
                self.dots.append((self.left, y - RULE, self.right - self.left, 2 * RULE))
            if isinstance(mark, Points) and not isinstance(mark, Bars):
                self.dots += [(px - DOT, py - DOT, 2 * DOT, 2 * DOT) for px, py in zip(x, y, strict=True)]

    def _upright(self, x: float, room: float = RULE) -> tuple[float, float, float, float]:
        return x - room, self.top, 2 * room, self.bottom - self.top

    def _inside(self, y: NDArray) -> NDArray:
        return (y >= self.top - 0.5) & (y <= self.bottom + 0.5)

    def _free(self) -> Iterator[str]:
        """The names that stand in the picture: not those beside an end that is inside and alone."""
        labelled = [name for name in self.widths if ("label", name) in self.drawing.artists]
        ends = {name: y[-1] for name in labelled if self._inside((y := self.heights[name])[-1:]).all()}
        for name in self.widths:
            close = [other for other, end in ends.items() if other != name and abs(end - ends.get(name, end)) < APART]
            if name not in ends or close:
                yield name

    def _curve(self, name: str) -> _Place:
        y = self.heights[name]
        known = np.flatnonzero(self._inside(y))
        columns = known[(known % 2 == 0) | (known == known[-1:])]
        return _Place(np.column_stack([self.xs[columns], y[columns], columns]))

    def _mark(self, name: str) -> _Place:
        mark, frame = self.drawing.figure.marks[name], self.drawing.frame
        if isinstance(mark, Line) and mark.x is None:
            return self._curve(name)
        x, y = (place(frame[c], self.drawing.scene.get(f"marks/{name}/{c}", np.nan)) for c in ("x", "y"))
        heights = np.linspace(self.top, self.bottom, COLUMNS) if isinstance(mark, Line) else np.atleast_1d(y)
        column = np.abs(self.xs - x).argmin() if np.isfinite(x) else 0
        spots = np.column_stack(np.broadcast_arrays(x, heights, column))
        seen = self._inside(heights) & (x >= self.left) & (x <= self.right)
        return _Place(spots[seen], GAP * TALL if isinstance(mark, Line) else MARK + 2, isinstance(mark, Line))

    def _within(self, name: str, wanted: _Place, least: float) -> _Found | None:
        """The left and the upper edge of a name at its best place, and where a line to its curve begins if it has one.

        None if no place is worth `least`.
        """
        wide, gap = self.widths[name], wanted.gap
        spots, (across, down) = np.repeat(wanted.spots, len(SIDES), axis=0), np.tile(SIDES, (len(wanted.spots), 1)).T
        own, columns = spots[:, 1], spots[:, 2].astype(int)
        x = spots[:, 0] + across * wide + (2 * across + 1) * gap
        y = own + down * TALL + (2 * down + 1) * gap
        fits = (x >= self.left + 3) & (x + wide <= self.right - 1) & (y >= self.top) & (y + TALL <= self.bottom - 2)
        far = down % 1 != 0
        fits &= ~(wanted.upright & ((across == -0.5) | far))
        for box in self.taken:
            fits &= ~_overlap(x, y, wide, box)
        others = {other: heights for other, heights in self.heights.items() if other != name}
        apart = np.full(len(x), 3 * TALL)
        for heights in others.values():
            apart = np.fmin(apart, np.abs(heights[columns] - own))
        last = columns == wanted.spots[-1, 2]
        worth = -apart / TALL - 0.5 * last + 0.6 * (1 - columns / COLUMNS) + 3 * (apart < APART) + FAR * far
        worth += CURSOR * _overlap(x, y, wide, self.cursor)
        worth += 5 * np.any([_overlap(x, y, wide, box) for box in self.dots] or [np.zeros(len(x), bool)], axis=0)
        for other, heights in self.heights.items():
            crossed = self._crossed(heights, x, y, wide)
            height = heights[columns]
            parts = np.where(y > own, (height > own + 1) & (height < y), (height < own - 1) & (height > y + TALL))
            worth += np.where(crossed, 4 if other == name else 9, np.where(far, 1, 5) * parts * (other != name))
        if self.last.get(name, len(x)) < len(x):
            worth[self.last[name]] -= STAYS
        worth[~fits] = np.inf
        best = int(np.argmin(worth))
        if not worth[best] < least:
            return None
        self.last[name] = best
        self.taken.append((x[best], y[best], wide, TALL))
        return x[best], y[best], (spots[best, 0], own[best]) if far[best] else None

    def _crossed(self, heights: NDArray, x: NDArray, y: NDArray, wide: float) -> NDArray:
        """Whether a curve crosses the box of a name, for each of its places."""
        first, last = ((edge - self.left) / (self.right - self.left) * (COLUMNS - 1) for edge in (x, x + wide))
        steps = np.arange(COLUMNS - 1)
        there = (steps >= np.floor(first)[:, None]) & (steps < np.ceil(last)[:, None])
        low, high = np.minimum(heights[:-1], heights[1:]), np.maximum(heights[:-1], heights[1:])
        return (there & (high > y[:, None]) & (low < y[:, None] + TALL)).any(axis=1)


def _overlap(x: NDArray, y: NDArray, wide: float, box: tuple[float, float, float, float]) -> NDArray:
    left, top, width, height = box
    aside = (x >= left + width + 3) | (left >= x + wide + 3)
    return ~(aside | (y >= top + height + 1) | (top >= y + TALL + 1))
