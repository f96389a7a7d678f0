"""Bars for counts: points whose height is drawn as a bar."""

from dataclasses import dataclass, field

import numpy as np

from livefigures.declare.options import names_its_options
from livefigures.declare.parts import Points

SHARE = 0.8  # of the distance between two bars, if no width is given


@names_its_options
@dataclass(frozen=True)
class Bars(Points):
    """Bars, such as those of counts or of a probability for each whole number, and one row of the table for all.

    Parameters
    ----------
    x, y : their middles and their heights, each a list or an array of finite numbers, or a function of the sliders that
        gives one, as of `Points`; NaN leaves out a bar
    colour : as of a `Curve`
    label : their name in the table, if not the one they are declared under
    width : in units of x; without it 0.8 of the distance between two bars
    base : the height on which they stand
    """

    yerr: None = field(default=None, init=False)
    format: str = field(default="", init=False)
    width: float | None = None
    base: float = 0.0

    @property
    def wide(self) -> float:
        """How wide each bar is."""
        if self.width is not None:
            return float(self.width)
        places = np.unique(self.given["x"]) if "x" in self.given else np.arange(2)
        return SHARE * float(np.min(np.diff(places), initial=np.inf if len(places) > 1 else 1.0))
