"""A figure's curves as a table in plain text, for a notebook or a terminal: the page's half is table.js."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from livefigures.declare.numbers import shown

PLACES = 10  # along the axis; table.js says the same


def text_table(figure: Any, values: Mapping[str, float]) -> str:
    """x against every curve at some ten places of the axis, in columns."""
    grid, scene = figure.x.grid, figure.scene(values)
    places = list(dict.fromkeys(np.floor(np.arange(PLACES) * (len(grid) - 1) / (PLACES - 1) + 0.5).astype(int)))
    columns = [[figure.x.symbol or figure.x.name, *(figure.x.said(grid[place]) for place in places)]]
    columns += [
        [name, *(shown(scene[f"curves/{name}/y"][place], figure.up, written=curve.format) for place in places)]
        for name, curve in figure.curves.items()
    ]
    widths = [max(map(len, column)) for column in columns]
    rows = zip(*columns, strict=True)
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([_head(figure, values), "", *lines])


def _head(figure: Any, values: Mapping[str, float]) -> str:
    others = [slider for slider in figure.sliders if figure.awake(slider.name, values)]
    at = ", ".join(f"{slider.symbol or slider.name} = {_written(slider, values[slider.name])}" for slider in others)
    return " at ".join(filter(None, [figure.axis.symbol, at]))


def _written(slider: Any, value: float) -> str:
    return slider.keys[int(value)] if slider.options else slider.said(value)
