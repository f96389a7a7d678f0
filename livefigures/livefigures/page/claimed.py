"""What a figure says, tried where a page shows it: its claims, and what its sliders move.

Claims are tried at the sliders' defaults, at their ends and corners, at some settings at random and at every setting
that the prose links to.

What fails stands in the page's data, where the build finds it; a test runs the claims at many more settings.
"""

import json
import os
from pathlib import Path

import numpy as np

from livefigures.declare.claims import failures
from livefigures.declare.figure import Declaration
from livefigures.trace.settings import corners, settings

AT_RANDOM, CORNERS = 20, 64  # settings at which claims are tried
LINKED = "LIVEFIGURES_LINKED"  # an environment variable: the file with each figure's linked settings


def failing(figure: Declaration) -> list[str]:
    """What the claims get wrong there, in words, each claim once."""
    at_corners = [figure.defaults | ends for ends in corners(figure, figure.controls, CORNERS)]
    return failures(figure, [*settings(figure, AT_RANDOM), *at_corners, *linked(figure)])


def idle(figure: Declaration) -> list[str]:
    """Return a sentence for each slider that moves nothing."""
    used = {name for address in figure.functions for name in figure.follows(address)}
    used |= {slider.when[0] for slider in figure.controls.values() if slider.when} | {figure.x.name}
    instead = "name it among the arguments of a curve or a mark, or leave it out"
    found = [name for name in figure.controls if name not in used]
    return [f"figure {figure.name!r}: no function uses the slider {name!r}; {instead}" for name in found]


def wrong_ends(figure: Declaration) -> list[str]:
    """Return a sentence for each slider with a marked end towards which its curve or mark moves the other way."""
    found = []
    for name, slider in figure.controls.items():
        if not slider.marked_end:
            continue
        ends = np.float64(slider.low), np.float64(slider.high)
        part, setting = slider.falls or slider.rises, figure.defaults | figure.needs(name)
        low, high = (figure.evaluate(figure.height(part), setting | {name: end}) for end in ends)
        marked, other = (low, high) if slider.marked_end == "low" else (high, low)
        if (marked > other) if slider.falls else (marked < other):
            does = "rises" if slider.falls else "falls"
            found.append(
                f"figure {figure.name!r}: {part!r} {does} towards the {slider.marked_end} end of {name!r}; write "
                f"{does}={part!r}, or mark the other end with toward"
            )
    return found


def linked(figure: Declaration) -> list[dict[str, float]]:
    """The linked settings, the other sliders at rest; an impossible one is the preset check's to report."""
    if not os.environ.get(LINKED):
        return []
    settings = json.loads(Path(os.environ[LINKED]).read_text("utf-8")).get(figure.name, [])
    return [figure.defaults | figure.check(values) for values in settings if figure.takes(values)]
