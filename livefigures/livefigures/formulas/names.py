"""The sliders of names in formulas: range, symbol and words of those that the book uses, and 0 to 1 for any other."""

from collections.abc import Mapping, Sequence
from typing import Any

from livefigures.declare.sliders import Slider

# name: symbol, words, low, high, at, and "log" or "whole" or both
RANGES: dict[str, list[Any]] = {
    "sigma": ["σ", "noise", 0.5, 500, 200, "log"],
    "scale": ["b", "Laplace scale", 0.5, 500, 100, "log"],
    "sensitivity": ["Δ", "sensitivity", 0.1, 10, 1, "log"],
    "epsilon": ["ε", "privacy loss allowed", 0.01, 5, 1, "log"],
    "epsilon_0": ["ε₀", "privacy loss of one step", 0.001, 5, 0.1, "log"],
    "delta": ["δ", "failure mass", 1e-12, 1e-2, 1e-5, "log"],
    "slack": ["δ′", "slack", 1e-12, 1e-2, 1e-6, "log"],
    "alpha": ["α", "order", 1.1, 200, 32, "log"],
    "epsilon_bar": ["ε̄", "Rényi budget", 0.001, 10, 0.5, "log"],
    "rho": ["ρ", "zCDP budget", 0.0001, 5, 0.1, "log"],
    "mu": ["μ", "Gaussian DP budget", 0.01, 5, 1, "log"],
    "tau": ["τ", "deviation of the loss", 0.01, 5, 1, "log"],
    "k": ["k", "number of queries", 1, 1000, 500, "whole"],
    "steps": ["T", "number of steps", 1, 10000, 1000, "log whole"],
    "n": ["n", "number of rows", 10, 100000, 1000, "log whole"],
    "d": ["d", "number of columns", 1, 1000, 10, "log whole"],
    "size": ["s", "people in a group", 1, 20, 2, "whole"],
    "p": ["p", "probability of the true answer", 0.01, 0.99, 0.75, ""],
    "q": ["q", "sampling rate", 0.0001, 1, 0.01, "log"],
}
_MULTIPLIER = {"sigma": ["σ", "noise multiplier", 0.3, 10, 1.1, "log"]}
# what a name means in lines that call these
MEANT: dict[str, dict[str, list[Any]]] = {"dp_sgd.": _MULTIPLIER, "subsampled_gaussian": _MULTIPLIER}
FIRST = ("k", "steps", "n", "epsilon", "sigma")  # which of them runs along the x axis, if several are there


def ranges_of(texts: Sequence[str]) -> dict[str, list[Any]]:
    """The ranges of the names in these lines.

    >>> ranges_of(["dp_sgd.epsilon(sigma, q, steps, delta)"])["sigma"][1]
    'noise multiplier'
    """
    found = dict(RANGES)
    for word, meant in MEANT.items():
        if any(word in text for text in texts):
            found |= meant
    return found


def slider_of(name: str, given: tuple | None = None, ranges: Mapping[str, list[Any]] = RANGES) -> Slider:
    """The slider of a name: the book's, or from 0 to 1; `given` is (low, high) or (low, high, at).

    >>> slider_of("k").label, slider_of("share").high
    ('k, number of queries', 1.0)
    """
    symbol, words, low, high, at, kind = ranges.get(name, ["", "", 0.0, 1.0, 0.5, ""])
    if given is not None:
        low, high, *rest = given
        at = rest[0] if rest else min(max(at, low), high)
    log = "log" in kind and low > 0
    return Slider(name, low, high, at, symbol, words, log=log, integer="whole" in kind)
