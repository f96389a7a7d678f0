"""Live figures with the book's sliders and colours: the one place that knows both the mathematics and the figures.

Keep the prefix, `live.sigma(...)`: then your own `sigma = 200` in the next cell breaks nothing.
"""

from functools import partial
from typing import Any

try:
    from livefigures.declare import context
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "livefigures":
        raise
    install = "install the package livefigures, `pip install ./livefigures` in the project's folder"
    raise ModuleNotFoundError(f"dp_lib.live draws the book's figures: {install}", name="livefigures") from None

from dp_lib import domain
from dp_lib.live.formula_names import VOCABULARY
from livefigures import (
    Band,
    Claim,
    Cloud,
    Curve,
    Figure,
    FigureError,
    Line,
    NotTraceable,
    Point,
    Slider,
    at_most,
    choice,
    equal,
    figures,
    palette,
    slider,
    typed,
)
from livefigures.formulas import vocabulary

workbench = typed
vocabulary.register(**VOCABULARY)
context.managers.append(domain.gaps)  # a value outside its domain is a gap in a curve, and no error

# One colour per definition through the whole book.
palette(
    pure=("#1f5fbf", "#7db4ff"),
    approx=("#b3400f", "#ff9a70"),
    cdp=("#9a2f8a", "#e59ddc"),
    rdp=("#00735c", "#3fd0ac"),
    zcdp=("#8a5a00", "#f0b942"),
    exact=("#1a1a1a", "#f4f4f4"),
    data=("#5b6670", "#a8b3bd"),
    words=[
        ("zcdp", "zcdp"),
        ("rdp", "rdp"),
        ("rényi", "rdp"),
        ("cdp", "cdp"),
        ("exact", "exact"),
        ("gdp", "exact"),
        ("advanced", "approx"),
        ("classic", "approx"),
        ("optimal", "approx"),
        ("δ", "approx"),
        ("laplace", "pure"),
        ("basic", "pure"),
        ("pure", "pure"),
        ("ε-dp", "pure"),
    ],
    otherwise="data",
)

PRIVATE_LOW, PRIVATE_HIGH = ("more private", "low"), ("more private", "high")

sigma = partial(Slider, "sigma", symbol="σ", words="noise", toward=PRIVATE_HIGH)
scale = partial(Slider, "scale", symbol="b", words="Laplace scale", toward=PRIVATE_HIGH)
epsilon = partial(Slider, "epsilon", symbol="ε", words="privacy parameter", toward=PRIVATE_LOW)
delta = partial(Slider, "delta", symbol="δ", words="extra probability", log=True, toward=PRIVATE_LOW)
alpha = partial(Slider, "alpha", symbol="α", words="order")
rho = partial(Slider, "rho", symbol="ρ", words="zCDP budget", toward=PRIVATE_LOW)
mu = partial(Slider, "mu", symbol="μ", words="Gaussian DP budget", toward=PRIVATE_LOW)
q = partial(Slider, "q", symbol="q", words="sampling rate", toward=PRIVATE_LOW)
k = partial(Slider, "k", symbol="k", words="number of answers", integer=True, toward=PRIVATE_LOW)
n = partial(Slider, "n", symbol="n", words="number of rows", integer=True)

__all__ = [
    "Band",
    "Claim",
    "Cloud",
    "Curve",
    "Figure",
    "FigureError",
    "Line",
    "NotTraceable",
    "Point",
    "Slider",
    "alpha",
    "at_most",
    "choice",
    "delta",
    "epsilon",
    "equal",
    "figures",
    "k",
    "mu",
    "n",
    "q",
    "rho",
    "scale",
    "sigma",
    "slider",
    "workbench",
]


def __getattr__(name: str) -> Any:
    """Return what notebooks of version 0.1 call `live.no_more`, and the attack game; this goes with version 0.3."""
    if name == "no_more":
        return at_most
    if name == "Game":
        from book.attack_game import Game

        return Game
    raise AttributeError(f"module 'dp_lib.live' has no attribute {name!r}")
