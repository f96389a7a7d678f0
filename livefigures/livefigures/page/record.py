"""What a figure leaves behind when its page is built: its sliders, and the values of its functions at random settings.

A browser test replays them. They are no part of the published site.
"""

import json
import os
import pathlib
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from livefigures.declare.figure import Declaration
from livefigures.declare.numbers import full
from livefigures.declare.parts import Path, Points
from livefigures.declare.sliders import Slider
from livefigures.trace.programme import programme
from livefigures.trace.tables import stops

RECORDS = "LIVEFIGURES_RECORDS"  # an environment variable: the folder that takes the records, where a book wants them
PARITY_SETTINGS = 36


def write(figure: Declaration) -> None:
    """Leave the figure's record in the build's folder, if there is to be one."""
    if not os.environ.get(RECORDS):
        return
    folder = pathlib.Path(os.environ[RECORDS])
    folder.mkdir(parents=True, exist_ok=True)
    sliders = {
        name: {"low": s.low, "high": s.high, "integer": s.integer, "at": s.at} | choosing(figure, s)
        for name, s in figure.controls.items()
    }
    operations = len(programme(figure).operations)
    content = {"name": figure.name, "sliders": sliders, "operations": operations, "parity": parity(figure)}
    (folder / f"{figure.name}.json").write_text(json.dumps(finite(content), ensure_ascii=False), encoding="utf-8")


def parity(figure: Declaration) -> list[dict[str, Any]]:
    """Settings of the sliders with the values that the page must show: the defaults, both ends, and random ones."""
    rng = np.random.default_rng(zlib.crc32(figure.name.encode()))
    snaps = programme(figure).snapping
    places = np.vstack([np.zeros(len(figure.controls)), np.ones(len(figure.controls))])
    places = np.vstack([places, rng.random((PARITY_SETTINGS - 3, len(figure.controls)))])
    settings = [
        {
            s.name: _place(figure, s, share, s.name in snaps)
            for s, share in zip(figure.controls.values(), row, strict=True)
        }
        for row in places
    ]
    return [_expected(figure, values, rng) for values in [figure.defaults, *settings]]


def _expected(figure: Declaration, values: Mapping[str, float], rng: np.random.Generator) -> dict[str, Any]:
    at = np.sort(rng.choice(len(figure.x.grid), size=min(9, len(figure.x.grid)), replace=False))
    scene = figure.scene(values)
    return {
        "values": dict(values),
        "readings": figure.readings(values),
        "at": at.tolist(),
        "along": {address: scene[address][at].tolist() for address in scene if figure.on_grid(address)},
        "marks": {address: scene[address].tolist() for address in scene if _has_many(figure, address)},
    }


def _has_many(figure: Declaration, address: str) -> bool:
    """Whether a mark has a number for each of its points, which its function computes."""
    return isinstance(figure.owner(address), Points | Path)


def _place(figure: Declaration, slider: Slider, share: float, snaps: bool) -> float:
    if snaps:
        known = stops(figure, slider.name)
        return float(known[round(share * (len(known) - 1))])
    low, high = (np.log(slider.low), np.log(slider.high)) if slider.log else (slider.low, slider.high)
    value = low + share * (high - low)
    value = np.clip(np.exp(value) if slider.log else value, slider.low, slider.high)
    return float(np.rint(value) if slider.integer else value)


def choosing(figure: Declaration, slider: Slider) -> dict[str, Any]:
    """What a choice calls its options in a link, and what must be chosen for a slider to be shown."""
    keys, needs = list(slider.keys), figure.needs(slider.name)
    return ({"keys": keys} if keys else {}) | ({"when": needs} if needs else {})


def finite(content: Any) -> Any:
    """JSON has no NaN and no infinity: they are written as JavaScript's names for them."""
    if isinstance(content, dict):
        return {key: finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [finite(value) for value in content]
    if isinstance(content, float) and not np.isfinite(content):
        return full(content)
    return content
