"""What the book's typed formulas are about: the modules, and the sliders of the names that their functions take."""

from pkgutil import iter_modules
from typing import Any

import dp_lib

# These draw at random, write text, check values, draw figures, or compose on grids of their own.
NOT_TYPED = ("divergence", "domain", "live", "mechanisms", "pld", "say")
MODULES = sorted(module.name for module in iter_modules(dp_lib.__path__) if module.name not in NOT_TYPED)
MULTIPLIER = {"sigma": ["σ", "noise multiplier", 0.3, 10, 1.1, "log"]}
ONE_STEP = {"epsilon": ["ε", "privacy parameter of one step", 0.001, 5, 0.1, "log"]}
CURVE = "rdp.gaussian(alpha, sigma) * k"

VOCABULARY: dict[str, Any] = {
    "package": "dp_lib",
    "call": "live.workbench",
    "modules": MODULES,
    "elsewhere": NOT_TYPED,
    "ranges": {
        "sigma": ["σ", "noise", 0.5, 500, 200, "log"],
        "scale": ["b", "Laplace scale", 0.5, 500, 100, "log"],
        "sensitivity": ["Δ", "sensitivity", 0.1, 10, 1, "log"],
        "epsilon": ["ε", "privacy parameter", 0.01, 5, 1, "log"],
        "epsilon_0": ["ε₀", "privacy parameter of one step", 0.001, 5, 0.1, "log"],
        "delta": ["δ", "extra probability", 1e-12, 1e-2, 1e-5, "log"],
        "slack": ["δ′", "slack", 1e-12, 1e-2, 1e-6, "log"],
        "alpha": ["α", "order", 1.1, 200, 32, "log"],
        "epsilon_bar": ["ε̄", "Rényi budget", 0.001, 10, 0.5, "log"],
        "rho": ["ρ", "zCDP budget", 0.0001, 5, 0.1, "log"],
        "mu": ["μ", "Gaussian DP budget", 0.01, 5, 1, "log"],
        "tau": ["τ", "deviation of the loss", 0.01, 5, 1, "log"],
        "k": ["k", "number of answers", 1, 1000, 500, "whole"],
        "steps": ["T", "number of steps", 1, 10000, 1000, "log whole"],
        "n": ["n", "number of rows", 10, 100000, 1000, "log whole"],
        "d": ["d", "number of columns", 1, 1000, 10, "log whole"],
        "size": ["s", "people in a group", 1, 20, 2, "whole"],
        "p": ["p", "probability of the true answer", 0.01, 0.99, 0.75, ""],
        "q": ["q", "sampling rate", 0.0001, 1, 0.01, "log"],
    },
    "meant": {"dp_sgd.": MULTIPLIER, "subsampled_gaussian": MULTIPLIER, "approx.advanced": ONE_STEP},
    "first": ("k", "steps", "n", "epsilon", "sigma"),
    "example": "zcdp.epsilon(rho, delta)",
    "instead": {"pair": "(epsilon, delta)", "curve": f"lambda alpha: {CURVE}", "order": "8", "epsilon_bar": CURVE},
}
