"""Settings of the sliders at which a figure is tried."""

import zlib
from collections.abc import Collection, Iterator
from itertools import islice, product

import numpy as np

from livefigures.declare.figure import Declaration

AT_RANDOM = 3  # settings, besides the defaults and both ends of each slider
TOGETHER = 4  # sliders that are at their ends together, so that there are 16 settings at most


def settings(figure: Declaration, at_random: int = AT_RANDOM) -> list[dict[str, float]]:
    """Return the settings at which a figure is tried: the defaults, some at random, both ends of each slider."""
    rng = np.random.default_rng(zlib.crc32(figure.name.encode()))
    sliders = figure.controls.items()
    drawn = [{name: float(rng.choice(slider.stops)) for name, slider in sliders} for _ in range(at_random)]
    ends = [figure.defaults | figure.needs(n) | {n: float(end)} for n, s in sliders for end in (s.low, s.high)]
    return [figure.defaults, *drawn, *ends]


def corners(figure: Declaration, names: Collection[str], most: int) -> Iterator[dict[str, float]]:
    """Yield the values of these sliders, the x slider left out, with each at one of its ends; not more than `most`."""
    sliders = [slider for slider in figure.sliders if slider.name in names]
    for ends in islice(product(*((slider.low, slider.high) for slider in sliders)), most):
        yield {slider.name: float(end) for slider, end in zip(sliders, ends, strict=True)}


def ends_together(figure: Declaration, address: str) -> list[dict[str, float]]:
    """Return the settings with each of the first sliders that a function follows at one of its ends."""
    names = [slider.name for slider in figure.sliders if slider.name in figure.follows(address)]
    return [figure.defaults | each for each in corners(figure, names[:TOGETHER], 2**TOGETHER)]
