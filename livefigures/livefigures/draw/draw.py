"""matplotlib draws a figure once, as SVG for the page and as pixels for a notebook. Each moving part has a name (gid).

The picture's geometry is fixed: units of 1/72 inch on a canvas of WIDTH x HEIGHT, so that the page can write new paths
from two linear maps (`Drawing.frame`).
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure as Canvas
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter
from matplotlib.transforms import Affine2D, Transform
from numpy.typing import NDArray

from livefigures.declare import numbers
from livefigures.declare.bars import Bars
from livefigures.declare.colours import DASHES, NEUTRAL, Look
from livefigures.declare.figure import Declaration
from livefigures.declare.parts import Band, Cloud, Curve, Line, Path, Point, Points, Reading, has_errors

WIDTH, HEIGHT = 720, 420
LEFT, BOTTOM, TOP = 66, 56, 14
FONT = 13
MARGIN = 6  # beside a long label, since a page's type may be wider than matplotlib's
LABEL_GAP = 17  # least distance of two curve labels
NUMBERS, ACROSS, UP = 6, 48, 24  # steps between the numbers of an axis, and the least room of a number
FAR = 1e4  # a path's coordinates stay within +-FAR of the picture: the clip hides the rest

LEAST = 5e-324  # the least number above zero
CAP = 3  # half the width of an error bar's cap

_STYLE = {
    "svg.fonttype": "none",
    "path.simplify": False,
    "savefig.bbox": None,
    "font.size": FONT,
    "font.family": "sans-serif",
    "text.usetex": False,
    "text.parse_math": False,  # a price in $ is no formula
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.unicode_minus": True,
    "grid.alpha": 0.18,
    "grid.linewidth": 0.8,
    "grid.color": "#000000",
}


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Places moved apart to at least `gap`, in their order, as little as possible, within [low, high].

    >>> spread([10, 12, 50], 10, 0, 100)
    [6.0, 16.0, 50.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: list[list[float]] = []  # [sum of wished starts, members]
    for position, i in enumerate(order):
        groups.append([places[i] - position * gap, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] >= groups[-1][0] / groups[-1][1]:
            total, members = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += members
    starts = [total / members for total, members in groups for _ in range(int(members))]
    ceiling = high - gap * (len(places) - 1)
    moved = [0.0] * len(places)
    for position, i in enumerate(order):
        moved[i] = min(max(starts[position], low), max(ceiling, low)) + position * gap
    return moved


def place(axis: list, value: Any) -> NDArray:
    """Data to SVG coordinates along one axis of the frame: [at low, at high, low, high, logarithmic?]."""
    start, end, low, high, log = axis
    value = np.asarray(value, dtype=float)
    with np.errstate(over="ignore", divide="ignore"):  # as far out as numbers go is as far as the clip; so is 0
        if log:
            value, low, high = np.log(np.where(value >= 0, value, np.nan)), np.log(low), np.log(high)
        return np.clip(start + (end - start) * (value - low) / (high - low), -FAR, FAR)


def boxes(mark: Bars, x: NDArray, y: NDArray, log: bool) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The left, the right, the lower and the upper ends of bars."""
    base = max(mark.base, LEAST) if log else mark.base
    return x - mark.wide / 2, x + mark.wide / 2, np.full(len(y), base), y


@dataclass
class Drawing:
    """A figure drawn by matplotlib, its moving artists by gid."""

    figure: Declaration
    canvas: Canvas
    axes: Axes
    left: float
    right: float
    height: float = HEIGHT
    artists: dict[tuple[str, str], Artist] = field(default_factory=dict)
    readings: dict[str, float] = field(default_factory=dict)
    scene: dict[str, NDArray] = field(default_factory=dict)

    @property
    def frame(self) -> dict[str, Any]:
        """What the page needs to turn data into SVG coordinates, and back at the cursor."""
        x, y = self.figure.x, self.figure.axis
        return {
            "width": WIDTH,
            "height": self.height,
            "x": [self.left, self.right, x.low, x.high, x.log],
            "y": [self.height - BOTTOM, TOP, y.low, y.high, y.log],
        } | ({"equal": True} if self.figure.equal else {})

    @property
    def units(self) -> Transform:
        """From units of the picture, counted from below, to pixels."""
        return Affine2D().scale(1 / 72) + self.canvas.dpi_scale_trans

    def gid(self, kind: str, name: str) -> str:
        """A part's id: its kind and its number among the curves or the marks."""
        if kind == "cursor":
            return kind
        owners = self.figure.marks if kind in ("mark", "error") else self.figure.curves
        return f"{kind}-{list(owners).index(name)}"

    def update(self, values: Mapping[str, float], draws: Mapping[str, NDArray] | None = None) -> None:
        """Move every moving part to these slider values."""
        self.scene = scene = self.figure.scene(values, draws)
        x = self.figure.x.grid
        for name in self.figure.curves:
            self.artists["curve", name].set_data(x, scene[f"curves/{name}/y"])
        for name, mark in self.figure.marks.items():
            self._move(name, mark, scene)
        cursor = values[self.figure.x.name]
        self.artists["cursor", ""].set_xdata([cursor, cursor])
        self.readings = self.figure.readings(values)
        for name in self.figure.curves:
            self.artists["dot", name].set_data([cursor], [self.readings[f"curves/{name}/y"]])
        self.move_labels()

    def _move(self, name: str, mark: Any, scene: Mapping[str, NDArray]) -> None:
        artist, part = self.artists["mark", name], f"marks/{name}/"
        if isinstance(mark, Band):
            low, high = scene[part + "low"], scene[part + "high"]
            artist.set_data(self.figure.x.grid, low, high)
        elif isinstance(mark, Line):
            place = float(scene.get(part + "x", scene.get(part + "y")))
            (artist.set_xdata if mark.x else artist.set_ydata)([place, place])
        elif isinstance(mark, Path):
            artist.set_data(scene[part + "x"], scene[part + "y"])
        elif isinstance(mark, Bars):
            left, right, low, high = boxes(mark, scene[part + "x"], scene[part + "y"], self.figure.axis.log)
            corners = [[left, low], [left, high], [right, high], [right, low]]
            found = np.moveaxis(np.array(corners), -1, 0)
            artist.set_verts(found[np.isfinite(found).all(axis=(1, 2))])
        else:
            x, y = np.atleast_1d(scene[part + "x"], scene[part + "y"])
            (left, right), (bottom, top) = self.axes.get_xlim(), self.axes.get_ylim()
            inside = (left <= x) & (x <= right) & (bottom <= y) & (y <= top)
            artist.set_data(x[inside], y[inside])  # not clipped, so that a dot on an axis is not cut in half
        if has_errors(mark):
            x, low, high = self.error_bars(name)  # as one line, which is broken between them
            ends = np.column_stack([low, high, np.full(len(x), np.nan)])
            self.artists["error", name].set_data(np.repeat(x, 3), ends.ravel())

    def error_bars(self, name: str) -> tuple[NDArray, NDArray, NDArray]:
        """Where error bars stand, their lower and upper ends; a logarithmic axis has what is not positive far below."""
        at = {c: self.scene[address] for c, address in self.figure.addresses("marks", name).items()}
        low, high = at["y"] - at["yerr"], at["y"] + at.get("yerr_up", at["yerr"])
        return (at["x"], *(np.maximum(end, LEAST) if self.figure.axis.log else end for end in (low, high)))

    def move_labels(self, elsewhere: Collection[str] = ()) -> None:
        """Move the names beside the ends of curves, but for those that stand elsewhere."""
        labelled = [name for kind, name in self.artists if kind == "label"]
        ends = {name: self._end(self.scene[f"curves/{name}/y"]) for name in labelled}
        shown = {name: end for name, (end, _) in ends.items() if np.isfinite(end) and name not in elsewhere}
        places = np.round(spread(list(shown.values()), LABEL_GAP, TOP + 5, self.height - BOTTOM), 1).tolist()
        beside = dict.fromkeys(ends, float(TOP)) | dict(zip(shown, places, strict=True))
        for name, (end, inside) in ends.items():
            place = beside[name]
            self.artists["label", name].set_visible(name in shown)
            self.artists["label", name].set_position((self.right + 18, self.height - place))
            ends_of_lead = [self.height - end, self.height - place] if inside and name in shown else [np.nan, np.nan]
            self.artists["lead", name].set_data([self.right + 2, self.right + 14], ends_of_lead)

    def _end(self, y: NDArray) -> tuple[float, bool]:
        """Where a curve ends on the right, measured from the top (NaN if not drawn), and whether that is inside."""
        finite = y[np.isfinite(y)]
        if not len(finite):
            return np.nan, False
        bottom, top, low, high, log = self.frame["y"]
        last = np.clip(finite[-1], low, high)
        share = np.log(last / low) / np.log(high / low) if log else (last - low) / (high - low)
        return float(bottom + (top - bottom) * share), bool(last == finite[-1])


@contextmanager
def style(name: str) -> Iterator[None]:
    """matplotlib's settings for this figure alone; the hash salt makes ids the same in every build."""
    with mpl.rc_context({**mpl.rcParamsDefault, **_STYLE, "svg.hashsalt": name}):
        yield


def draw(figure: Declaration, dpi: int = 72, still: bool = False) -> Drawing:
    """Draw `figure` at its sliders' defaults; at 72 dpi a pixel is a unit of the SVG.

    `still` leaves the curves' names the room that matplotlib's own type needs, for a place where no script moves them.
    """
    with style(figure.name):
        canvas, axes, left, right = _blank(figure, dpi, still)
        for other in [one for one in figure.aligned if one is not figure]:
            *_, start, end = _blank(other, dpi, still)
            left, right = max(left, start), min(right, end)
        left, right, height = _equal(axes, left, right) if figure.equal else (left, right, HEIGHT)
        canvas.set_size_inches(WIDTH / 72, height / 72)
        axes.set_position(_box(left, right, height))
        drawing = Drawing(figure, canvas, axes, left, right, height)
        for name, mark in figure.marks.items():
            drawing.artists["mark", name] = _add_mark(axes, mark, figure.looks[name])
            if has_errors(mark):
                drawing.artists["error", name] = _add_bars(axes, figure.looks[name].colour.light)
        drawing.artists["cursor", ""] = axes.axvline(figure.x.at, color=NEUTRAL.light, linewidth=1, zorder=1.5)
        drawing.artists["cursor", ""].set_visible(figure.cursor)
        for name, curve in figure.curves.items():
            _add_curve(drawing, name, curve)
        for key, artist in drawing.artists.items():
            artist.set_gid(drawing.gid(*key))
        drawing.update(figure.defaults)
        return drawing


def _blank(figure: Declaration, dpi: int, still: bool) -> tuple[Canvas, Axes, float, float]:
    """A canvas with the figure's axes, and where these begin and end beside all that is written there."""
    canvas = Canvas(figsize=(WIDTH / 72, HEIGHT / 72), dpi=dpi)
    labels = [*filter(None, (_label(name, curve) for name, curve in figure.curves.items()))]
    widths = [7.1 * len(label) for label in labels]
    if still:
        widths += [TextPath((0, 0), label, size=FONT).get_extents().width for label in labels]
    right = WIDTH - (24 + max(widths, default=0))
    axes = canvas.add_axes(_box(LEFT, right, HEIGHT))
    _set_axes(axes, figure)
    return canvas, axes, *_room(axes, right)


def _box(left: float, right: float, height: float) -> tuple[float, float, float, float]:
    """Where the axes stand on the canvas, as matplotlib wants it: in shares of its size."""
    return left / WIDTH, BOTTOM / height, (right - left) / WIDTH, 1 - (BOTTOM + TOP) / height


def _room(axes: Axes, right: float) -> tuple[float, float]:
    """The ends of the axes at which no label and no number beside them is cut off at the canvas's edge."""
    unit = axes.figure.dpi / 72
    first, last = axes.yaxis.get_tightbbox().x0 / unit, axes.xaxis.get_tightbbox().x1 / unit
    return LEFT + (MARGIN - int(first) if first < 0 else 0), right - (MARGIN + int(last) - WIDTH if last > WIDTH else 0)


def _equal(axes: Axes, left: float, right: float) -> tuple[float, float, float]:
    """The ends of an x axis and the height of the canvas with which both axes have units of one length.

    An axis that becomes shorter has room for fewer numbers.
    """
    (x, x_end), (y, y_end) = axes.get_xlim(), axes.get_ylim()
    unit = min((right - left) / (x_end - x), (HEIGHT - BOTTOM - TOP) / (y_end - y))
    wide, high = unit * (x_end - x), unit * (y_end - y)
    for axis, steps in (("x", wide / ACROSS), ("y", high / UP)):
        axes.locator_params(axis=axis, nbins=max(1, min(NUMBERS, int(steps))))
    spare = (right - left - wide) / 2
    return round(left + spare, 2), round(right - spare, 2), round(high + BOTTOM + TOP, 2)


def _label(name: str, curve: Curve) -> str:
    return "" if curve.inside else curve.label or name


def _set_axes(axes: Axes, figure: Declaration) -> None:
    x, y = figure.x, figure.axis
    for axis, scale in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_tick_params(length=4)
        if scale.log:
            axis._set_axes_scale("log")
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if scale.high < 100 * scale.low else (1,), numticks=8))
            axis.set_minor_formatter(NullFormatter())
            axis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
        else:
            axis.set_major_locator(MaxNLocator(nbins=NUMBERS, steps=[1, 2, 2.5, 5, 10]))
            axis.set_major_formatter(_Ticks())
    if x.base:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=NUMBERS, steps=[1, 2, 5, 10], integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: x.said(value)))
    axes.set_xlim(x.low, x.high)
    axes.set_ylim(y.low, y.high)
    axes.set_xlabel(x.label, gid="x-label")
    upright = {"rotation": 0, "ha": "right", "va": "center"} if len(y.label) == 1 else {}  # ε on its side is a squiggle
    axes.set_ylabel(y.label, gid="y-label", **upright)


class _Ticks(ScalarFormatter):
    """The numbers of matplotlib, written out where it would put a factor of all of them beside the axis."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        apart = self.offset or self._orderOfMagnitude
        return long_tick(value, self._orderOfMagnitude) if apart else super().__call__(value, pos)

    def get_offset(self) -> str:
        return ""


def long_tick(value: float, power: int) -> str:
    """A tick label on an axis whose numbers are of this power of ten.

    >>> long_tick(250000, 6), long_tick(-2e12, 12), long_tick(5e-6, -5), long_tick(0, 12)
    ('250,000', '−2 × 10¹²', '5 × 10⁻⁶', '0')
    """
    mantissa, exponent = f"{value:.11e}".split("e")
    whole = not value or 0 <= power < 9
    words = f"{value:,.12g}" if whole else f"{float(mantissa):g} × {numbers.power_of_ten(int(exponent))}"
    return words.replace("-", "−")


def tick(value: float) -> str:
    """A tick label in plain text, since maths would become fixed glyphs.

    >>> tick(1e-5), tick(100), tick(0.5)
    ('10⁻⁵', '100', '0.5')
    """
    exponent = round(np.log10(value))
    if not np.isclose(value, 10.0**exponent):  # an axis of less than two decades has 2 and 5 as well
        return f"{value:g}"
    if 0 <= exponent <= 3:
        return f"{round(value):d}"
    if -2 <= exponent < 0:
        return f"{value:.{-exponent}f}"
    return numbers.power_of_ten(exponent)


def _add_curve(drawing: Drawing, name: str, curve: Curve) -> None:
    axes, look = drawing.axes, drawing.figure.looks[name]
    colour = look.colour.light
    looks = {"color": colour, "linewidth": 2.2, "linestyle": DASHES[look.dash], "dash_capstyle": "butt"}
    drawing.artists["curve", name] = axes.plot([], [], zorder=3, **looks)[0]
    drawing.artists["dot", name] = axes.plot([], [], "o", color=colour, markersize=6, zorder=4)[0]
    if not _label(name, curve):
        return
    plain = {"transform": drawing.units, "clip_on": False}
    drawing.artists["lead", name] = axes.plot([0, 0], [0, 0], color=colour, linewidth=1, **plain)[0]
    drawing.artists["label", name] = axes.text(0, 0, _label(name, curve), color=colour, va="center", **plain)


def _add_bars(axes: Axes, colour: str) -> Artist:
    looks = {"marker": "_", "markersize": 2 * CAP, "markeredgewidth": 1.4, "linewidth": 1.4}
    return axes.plot([], [], color=colour, zorder=2, **looks)[0]


def _add_mark(axes: Axes, mark: Any, look: Look) -> Artist:
    colour = look.colour.light
    if isinstance(mark, Band):
        return axes.fill_between([0, 1], [0, 0], [0, 0], color=colour, alpha=0.16, linewidth=0, zorder=1)
    if isinstance(mark, Point):
        looks = {"markersize": 10, "fillstyle": "none", "markeredgewidth": 2.5, "zorder": 5}
        return axes.plot([], [], "o", color=colour, clip_on=False, **looks)[0]
    if isinstance(mark, Path):
        looks = {"linewidth": mark.width, "linestyle": DASHES[look.dash], "dash_capstyle": "butt", "zorder": 3}
        return axes.plot([], [], color=colour, **looks)[0]
    if isinstance(mark, Bars):
        looks = {"facecolor": to_rgba(colour, 0.45), "edgecolor": colour, "linewidth": 1, "zorder": 2}
        return axes.add_collection(PolyCollection([], **looks), autolim=False)
    if isinstance(mark, Cloud | Points):
        size, alpha = (4, 0.5) if isinstance(mark, Cloud) else (6, 0.8)
        looks = {"markersize": size, "alpha": alpha, "markeredgewidth": 0, "zorder": 2}
        return axes.plot([], [], "o", color=colour, clip_on=False, **looks)[0]
    add = axes.axvline if mark.x else axes.axhline
    looks = {"color": colour, "linewidth": 1.4, "linestyle": DASHES[mark.dash or "dashed"], "zorder": 2.5}
    return add(0, visible=not isinstance(mark, Reading), **looks)
