"""A figure in a notebook: ipywidgets sliders, matplotlib pixels. Only the moving parts are redrawn (a blit)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from numpy.typing import NDArray

from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import said, typed
from livefigures.declare.panels import drawn_later
from livefigures.declare.parts import Cloud, FigureError
from livefigures.declare.sliders import Slider
from livefigures.draw import still
from livefigures.draw.caption import caption
from livefigures.draw.draw import draw, style
from livefigures.draw.names import Names
from livefigures.notebook.png import png

DPI = 80  # 800 x 467 pixels: most of a redraw is compressing them, and it has 15 ms


class View:
    """The widgets of one figure: sliders, picture, readings. `values` reads and sets the sliders."""

    def __init__(self, figure: Declaration, figures: Mapping[str, Any]) -> None:
        self.figure = figure
        self._figures = figures  # all that have been made, by name: sliders may be shared with them
        self.draws = dict(figure.draws)
        self._listening = True
        self._drawing = draw(figure, DPI, still=True)
        self._names = Names(self._drawing)
        self._background = self._draw_still_parts()
        self._canvas = self._drawing.canvas.canvas
        self._labels = self._cut_out_labels()
        self.sliders = {slider.name: _slider(slider) for slider in figure.moved_by_readers}
        for control in self.sliders.values():
            control.observe(self._slid, names="value")
        self.picture = widgets.Image(format="png", layout=widgets.Layout(width="100%", max_width="800px"))
        self.readings = widgets.HTML()
        self._buttons = widgets.HBox()
        self.show_buttons([self])
        self._controls = widgets.GridBox(
            list(self.sliders.values()), layout=widgets.Layout(grid_template_columns="repeat(2, 48%)", width="100%")
        )
        below = [self.readings, widgets.HTML(caption(figure))]
        self.widget = widgets.VBox([self.picture, self._controls, self._buttons, *below])
        self.widget.add_class(f"live-view-{figure.name}")
        self.redraw()

    @property
    def values(self) -> dict[str, float]:
        """The sliders' values."""
        return {name: self._value(name, float(control.value)) for name, control in self.sliders.items()}

    @values.setter
    def values(self, values: Mapping[str, float]) -> None:
        checked = self.figure.check(values)
        self._listening = False
        for name, value in checked.items():
            _move(self.sliders[name], value)
        self._listening = True
        self.redraw()
        self._lead()

    def leave_out(self, names: Collection[str]) -> None:
        """Show no sliders of these names: another panel has them."""
        self._controls.children = [control for name, control in self.sliders.items() if name not in names]

    def show_buttons(self, views: Sequence["View"]) -> None:
        """Show buttons that act on all of these views; none of them, no buttons."""
        clouds = [view for view in views if any(isinstance(mark, Cloud) for mark in view.figure.marks.values())]
        acts = [("Reset", View.reset, views), ("Draw again", View.draw_again, clouds)]
        self._buttons.children = [_button(text, act, those) for text, act, those in acts if those]

    def _lead(self) -> None:
        """Move the sliders that other figures share with this one."""
        mine = {name: value for name, value in self.values.items() if self.figure.controls[name].shared}
        for other in self._figures.values():
            if other is self.figure or "view" not in other.__dict__:
                continue
            sliders = other.controls
            theirs = {name: value for name, value in mine.items() if name in sliders and sliders[name].shared}
            moved = {name: value for name, value in theirs.items() if other.values[name] != value}
            if moved and other.takes(moved):
                other.values = moved

    def _value(self, name: str, value: float) -> float:
        """Arithmetic on a slider's steps leaves dust: 0.1 + 2 * 0.1."""
        stepped = isinstance(self.sliders[name], widgets.FloatSlider) and self.figure.controls[name].rests_on(value)
        return round(value, 12) if stepped else value

    def reset(self) -> None:
        """Back to the defaults."""
        self.values = {slider.name: slider.at for slider in self.figure.moved_by_readers}

    def draw_again(self) -> None:
        """New draws for the sample clouds."""
        for mark in self.figure.marks.values():
            if hasattr(mark, "sample"):
                self.draws |= mark.sample(np.random.default_rng())
        self.redraw()

    def redraw(self) -> None:
        """The picture and the readings at the sliders' values."""
        values = self.figure.defaults | self.values
        for name, control in self.sliders.items():
            control.layout.display = None if self.figure.awake(name, values) else "none"
        self._drawing.update(values, self.draws)
        self._names.put()
        self.picture.value = self._pixels()
        self.readings.value = still.table(self.figure, values, self._drawing.readings)

    def _slid(self, _: Any) -> None:
        if not self._listening:
            return
        try:
            self.redraw()
            self._lead()
        except FigureError as error:  # a kernel keeps what a callback raises to itself: say it beside the picture
            self.readings.value = f'<p role="alert">{escape(str(error))}</p>'

    def _draw_still_parts(self) -> Any:
        canvas = FigureCanvasAgg(self._drawing.canvas)
        for artist in self._drawing.artists.values():
            artist.set_animated(True)
        with style(self.figure.name):
            canvas.draw()
        return canvas.copy_from_bbox(self._drawing.canvas.bbox)

    def _cut_out_labels(self) -> dict[str, NDArray]:
        """Each label as pixels: moving them is quicker than setting the type again, and they are all on white."""
        labels = {name: artist for (kind, name), artist in self._drawing.artists.items() if kind == "label"}
        return {name: self._cut_out(label) for name, label in labels.items()}

    def _cut_out(self, label: Text) -> NDArray:
        self._canvas.restore_region(self._background)
        self._drawing.canvas.draw_artist(label)
        box, pixels = label.get_window_extent(), np.asarray(self._canvas.buffer_rgba())
        top, bottom = (len(pixels) - round(edge) for edge in (box.y1, box.y0))
        return pixels[top:bottom, round(box.x0) : round(box.x1) + 1].copy()

    def _pixels(self) -> bytes:
        self._canvas.restore_region(self._background)
        artists = {key: artist for key, artist in self._drawing.artists.items() if key[0] != "label"}
        for artist in sorted(artists.values(), key=lambda artist: artist.zorder):
            self._drawing.canvas.draw_artist(artist)
        pixels = np.asarray(self._canvas.buffer_rgba()).copy()
        for name, label in self._labels.items():
            artist = self._drawing.artists["label", name]
            if artist.get_visible():
                x, y = artist.get_transform().transform(artist.get_position())
                top, left = len(pixels) - round(y) - len(label) // 2, round(x)
                room = pixels[top : top + len(label), left : left + label.shape[1]]
                room[:] = label[: room.shape[0], : room.shape[1]]
        return png(pixels)


def panels(views: Sequence[View]) -> widgets.Widget:
    """Return the widgets of figures that stand together, each shared slider once, and one row of buttons for all."""
    for view, later in zip(views, drawn_later([view.figure for view in views]), strict=True):
        view.leave_out(later)
        view.show_buttons(views if view is views[-1] else [])
    return views[0].widget if len(views) == 1 else widgets.VBox([view.widget for view in views])


def _slider(slider: Slider) -> widgets.Widget:
    looks = {
        "description": f"{slider.symbol or slider.name} {slider.words}".strip(),
        "style": {"description_width": "45%"},
    }
    if slider.options:
        options = [(option, index) for index, option in enumerate(slider.options)]
        whole_row = widgets.Layout(grid_column="1 / -1")
        return widgets.ToggleButtons(options=options, value=int(slider.at), **looks, layout=whole_row)
    looks |= {"continuous_update": True, "layout": widgets.Layout(width="98%")}
    if slider.log or slider.base or not slider.rests_on(slider.at):
        options = [(slider.said(stop), float(stop)) for stop in slider.stops]
        return widgets.SelectionSlider(options=options, value=slider.at, **looks)
    kind = widgets.IntSlider if slider.integer else widgets.FloatSlider
    cast = int if slider.integer else float
    bounds = {"min": cast(slider.low), "max": cast(slider.high), "step": cast(slider.spacing), "value": cast(slider.at)}
    spec = slider.format.partition("{:")[2].partition("}")[0]
    form = {"readout_format": spec} if spec else {} if slider.integer else {"readout_format": _digits(slider)}
    return kind(**bounds, **form, **looks)


def _digits(slider: Slider) -> str:
    """As many decimals as the slider's stops have."""
    texts = [typed(slider.low), typed(slider.spacing)]
    return ".4g" if any("e" in text for text in texts) else f".{max(len(text.partition('.')[2]) for text in texts)}f"


def _move(control: widgets.Widget, value: float) -> None:
    if isinstance(control, widgets.SelectionSlider) and value not in [stop for _, stop in control.options]:
        control.options = sorted([*control.options, (said(value), value)], key=lambda option: option[1])
    control.value = int(value) if isinstance(control, widgets.IntSlider | widgets.ToggleButtons) else value


def _button(text: str, act: Callable[[View], None], views: Sequence[View]) -> widgets.Button:
    button = widgets.Button(description=text)

    def press(_: Any) -> None:
        for view in views:
            act(view)

    button.on_click(press)
    return button
