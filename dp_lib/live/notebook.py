"""A figure in a notebook: ipywidgets sliders, matplotlib pixels. Only the moving parts are redrawn (a blit)."""

import io
import zlib
from collections.abc import Mapping
from html import escape
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from dp_lib.live.drawing import draw, style
from dp_lib.live.figure import Figure
from dp_lib.live.page import plain, shown, still
from dp_lib.live.sliders import Slider

DPI = 80  # 800 x 467 pixels: most of a redraw is compressing them, and it has 15 ms


class View:
    """The widgets of one figure: sliders, picture, readings. `values` reads and sets the sliders."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.draws = dict(figure.draws)
        self._listening = True
        self._drawing = draw(figure, DPI)
        self._background = self._draw_still_parts()
        self.sliders = {name: _slider(slider) for name, slider in figure.controls.items()}
        for control in self.sliders.values():
            control.observe(self._slid, names="value")
        self.picture = widgets.Image(format="png", layout=widgets.Layout(max_width="100%"))
        self.readings = widgets.HTML()
        buttons = [_button("Reset", self.reset)] + ([_button("Draw again", self.draw_again)] if figure.draws else [])
        controls = widgets.GridBox(
            list(self.sliders.values()), layout=widgets.Layout(grid_template_columns="repeat(2, 48%)", width="100%")
        )
        caption = widgets.HTML(f"<p>{escape(figure.caption)}</p>")
        self.widget = widgets.VBox([self.picture, controls, widgets.HBox(buttons), self.readings, caption])
        self.redraw()

    @property
    def values(self) -> dict[str, float]:
        """The sliders' values."""
        return {name: float(control.value) for name, control in self.sliders.items()}

    @values.setter
    def values(self, values: Mapping[str, float]) -> None:
        checked = self.figure.check(values)
        self._listening = False
        for name, value in checked.items():
            _move(self.sliders[name], value)
        self._listening = True
        self.redraw()

    def reset(self, *_: Any) -> None:
        """Back to the defaults."""
        self.values = self.figure.defaults

    def draw_again(self, *_: Any) -> None:
        """New draws for the sample clouds."""
        for mark in self.figure.marks.values():
            if hasattr(mark, "sample"):
                self.draws |= mark.sample(np.random.default_rng())
        self.redraw()

    def redraw(self) -> None:
        """The picture and the readings at the sliders' values."""
        values = self.values
        self._drawing.update(values, self.draws)
        self.picture.value = self._pixels()
        self.readings.value = _readings(self.figure, values)

    def _slid(self, _: Any) -> None:
        if self._listening:
            self.redraw()

    def _draw_still_parts(self) -> Any:
        canvas = FigureCanvasAgg(self._drawing.canvas)
        for artist in self._drawing.artists.values():
            artist.set_animated(True)
        with style(self.figure.name):
            canvas.draw()
        return canvas.copy_from_bbox(self._drawing.canvas.bbox)

    def _pixels(self) -> bytes:
        canvas = self._drawing.canvas.canvas
        canvas.restore_region(self._background)
        for artist in sorted(self._drawing.artists.values(), key=lambda artist: artist.zorder):
            self._drawing.canvas.draw_artist(artist)
        buffer = io.BytesIO()
        Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").save(
            buffer, format="PNG", compress_level=1, compress_type=zlib.Z_RLE
        )
        return buffer.getvalue()


def mimebundle(figure: Figure) -> dict[str, Any]:
    """The widget for a front end with a kernel; the still picture for one without."""
    bundle = figure.view.widget._repr_mimebundle_()
    return {**bundle, "text/html": still(figure), "text/plain": repr(figure)}


def _slider(slider: Slider) -> widgets.Widget:
    label = f"{slider.symbol or slider.name}"
    looks = {"description": label, "continuous_update": True, "layout": widgets.Layout(width="98%")}
    if slider.log:
        options = [(plain(stop), float(stop)) for stop in slider.stops]
        return widgets.SelectionSlider(options=options, value=slider.at, **looks)
    kind = widgets.IntSlider if slider.integer else widgets.FloatSlider
    cast = int if slider.integer else float
    bounds = {"min": cast(slider.low), "max": cast(slider.high), "step": cast(slider.spacing), "value": cast(slider.at)}
    form = {} if slider.integer else {"readout_format": ".4g"}
    return kind(**bounds, **form, **looks)


def _move(control: widgets.Widget, value: float) -> None:
    if isinstance(control, widgets.SelectionSlider) and value not in [stop for _, stop in control.options]:
        control.options = sorted([*control.options, (plain(value), value)], key=lambda option: option[1])
    control.value = int(value) if isinstance(control, widgets.IntSlider) else value


def _button(text: str, action: Any) -> widgets.Button:
    button = widgets.Button(description=text)
    button.on_click(action)
    return button


def _readings(figure: Figure, values: Mapping[str, float]) -> str:
    rows = [
        f"<tr><td>{escape(address.split('/', 1)[1].rsplit('/', 1)[0])}{_coordinate(figure, address)}</td>"
        f"<td style='text-align:right'>{shown(value)}</td></tr>"
        for address, value in figure.readings(values).items()
    ]
    at = f"{figure.x.symbol or figure.x.name} = {plain(values[figure.x.name])}"
    return f"<table><tr><th>{escape(figure.axis.label)}</th><th>at {at}</th></tr>{''.join(rows)}</table>"


def _coordinate(figure: Figure, address: str) -> str:
    if address.startswith("curves/"):
        return ""
    return f", {figure.x.symbol or figure.x.name}" if address.endswith("/x") else f", {figure.axis.symbol}"
