"""Live figures with the book's sliders and colours: the one place that knows both the mathematics and the figures.

Keep the prefix, `live.sigma(...)`: then your own `sigma = 200` in the next cell breaks nothing.
"""

from functools import partial
from typing import Any

from livefigures.declare import context

from dp_lib import domain
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
    choice,
    equal,
    figures,
    no_more,
    palette,
    slider,
    workbench,
)

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

sigma = partial(Slider, "sigma", symbol="σ", words="noise", end="high")
scale = partial(Slider, "scale", symbol="b", words="Laplace scale", end="high")
epsilon = partial(Slider, "epsilon", symbol="ε", words="privacy loss allowed", end="low")
delta = partial(Slider, "delta", symbol="δ", words="failure mass", log=True, end="low")
alpha = partial(Slider, "alpha", symbol="α", words="order")
rho = partial(Slider, "rho", symbol="ρ", words="zCDP budget", end="low")
mu = partial(Slider, "mu", symbol="μ", words="Gaussian DP budget", end="low")
q = partial(Slider, "q", symbol="q", words="sampling rate", end="low")
k = partial(Slider, "k", symbol="k", words="number of queries", integer=True, end="low")
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


def __getattr__(name: str) -> Any:
    """Notebooks downloaded before version 0.2 call the attack game `live.Game`; this goes with version 0.3."""
    if name == "Game":
        from book.attack_game import Game

        return Game
    raise AttributeError(f"module 'dp_lib.live' has no attribute {name!r}")
