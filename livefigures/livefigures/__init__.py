"""Live figures: declared once in Python, interactive on a built page without a kernel and in a notebook with one.

import livefigures as lf

lf.Figure(
    name="interest",
    x=lf.slider("years", 0, 40, at=20),
    y=("value", 0, 8),
    sliders=[lf.slider("rate", 0, 5, at=3, step=0.1)],
    curves={"compound": lambda years, rate: (1 + rate / 100) ** years},
)
"""

from livefigures.declare.arrows import Arrows
from livefigures.declare.bars import Bars
from livefigures.declare.claims import Claim, at_most, equal
from livefigures.declare.colours import palette
from livefigures.declare.ensemble import Ensemble
from livefigures.declare.parts import Band, Cloud, Curve, FigureError, Line, Path, Point, Points, Reading
from livefigures.declare.question import Question
from livefigures.declare.sliders import Slider, choice, slider
from livefigures.figure import Figure, figures
from livefigures.formulas.typed import typed
from livefigures.trace.ode import ode
from livefigures.trace.tracing import NotTraceable

__all__ = [
    "Arrows",
    "Band",
    "Bars",
    "Claim",
    "Cloud",
    "Curve",
    "Ensemble",
    "Figure",
    "FigureError",
    "Line",
    "NotTraceable",
    "Path",
    "Point",
    "Points",
    "Question",
    "Reading",
    "Slider",
    "at_most",
    "choice",
    "equal",
    "figures",
    "ode",
    "palette",
    "slider",
    "typed",
]
