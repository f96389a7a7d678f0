"""Live figures: declared once in Python, alive on the built page and in a notebook.

Keep the prefix, `live.sigma(...)`: then a reader's own `sigma = 200` in the next cell breaks nothing.
"""

from dp_lib.live import renderers
from dp_lib.live.declaration.claims import Claim, equal, no_more
from dp_lib.live.declaration.figure import Figure, figures
from dp_lib.live.declaration.game import Game
from dp_lib.live.declaration.parts import Band, Cloud, Curve, FigureError, Line, Point
from dp_lib.live.declaration.sliders import (
    Slider,
    alpha,
    choice,
    delta,
    epsilon,
    k,
    mu,
    n,
    q,
    rho,
    scale,
    sigma,
    slider,
)
from dp_lib.live.tape.tracing import NotTraceable
from dp_lib.live.workbench.typed import workbench

Figure.renderers = renderers

__all__ = [
    "Band",
    "Claim",
    "Cloud",
    "Curve",
    "Figure",
    "FigureError",
    "Game",
    "Line",
    "NotTraceable",
    "Point",
    "Slider",
    "alpha",
    "choice",
    "delta",
    "epsilon",
    "equal",
    "figures",
    "k",
    "mu",
    "n",
    "no_more",
    "q",
    "rho",
    "scale",
    "sigma",
    "slider",
    "workbench",
]
