"""The three figures that are compared: the functions, their sliders, and where each slider may rest."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Model(NamedTuple):
    """A figure as every library gets it: curves over x that depend on sliders."""

    x: tuple[str, float, float]
    y: tuple[str, float, float]
    sliders: dict[str, tuple[float, float, float, float]]  # name -> low, high, step, default
    curves: dict[str, Callable]

    @property
    def first(self) -> str:
        """Return the name of the slider that is moved."""
        return next(iter(self.sliders))

    @property
    def grid(self) -> NDArray:
        """Return the 201 points of x."""
        return np.linspace(self.x[1], self.x[2], 201)

    @property
    def stops(self) -> NDArray:
        """Return all values of the slider that is moved."""
        low, high, step, _ = self.sliders[self.first]
        return np.round(low + step * np.arange(round((high - low) / step) + 1), 6)

    def at(self, moved: float) -> dict[str, NDArray]:
        """Return the curves for one value of the first slider, the others at their defaults."""
        values = {name: slider[3] for name, slider in self.sliders.items()} | {self.first: moved}
        t = self.grid
        return {name: np.round(curve(t=t, **values), 5) for name, curve in self.curves.items()}


def square(t: NDArray, n: float) -> NDArray:
    """Return the sum of the first n sines of a square wave."""
    total = 0.0
    for k in range(1, 41):
        total = total + np.where(k <= n, 4 / (np.pi * (2 * k - 1)) * np.sin(2 * np.pi * (2 * k - 1) * t), 0.0)
    return total


def shares(t: NDArray, r0: float, days: float, vaccinated: float) -> Sequence[NDArray]:
    """Return the susceptible, infected and recovered after t days, by 200 Euler steps."""
    s, i, r = 0.999 * (1 - vaccinated), 0.001, 0.999 * vaccinated
    step = t / 200
    for _ in range(200):
        infected, recovered = step * r0 / days * s * i, step / days * i
        s, i, r = s - infected, i + infected - recovered, r + recovered
    return s, i, r


MODELS = {
    "growth": Model(
        x=("t", 0, 10),
        y=("capital", 0, 100),
        sliders={"rate": (0, 0.4, 0.01, 0.2)},
        curves={
            "compound": lambda rate, t: 10 * np.exp(rate * t),
            "simple": lambda rate, t: 10 * (1 + rate * t),
        },
    ),
    "square-wave": Model(
        x=("t", 0, 2),
        y=("voltage", -1.4, 1.4),
        sliders={"n": (1, 40, 1, 4)},
        curves={"sum": square},
    ),
    "epidemic": Model(
        x=("t", 0, 120),
        y=("share", 0, 1),
        sliders={"r0": (0.5, 5, 0.1, 3), "days": (4, 14, 0.5, 7), "vaccinated": (0, 0.9, 0.01, 0)},
        curves={
            "susceptible": lambda t, r0, days, vaccinated: shares(t, r0, days, vaccinated)[0],
            "infected": lambda t, r0, days, vaccinated: shares(t, r0, days, vaccinated)[1],
            "recovered": lambda t, r0, days, vaccinated: shares(t, r0, days, vaccinated)[2],
        },
    ),
}
# The same formulas in JavaScript, for the libraries whose users write them: `t`, the sliders, and an object of curves.
IN_JAVASCRIPT = {
    "growth": """
  return { compound: 10 * Math.exp(rate * t), simple: 10 * (1 + rate * t) };
""",
    "square-wave": """
  let sum = 0;
  for (let k = 1; k <= n; k++) sum += 4 / (Math.PI * (2 * k - 1)) * Math.sin(2 * Math.PI * (2 * k - 1) * t);
  return { sum };
""",
    "epidemic": """
  let [susceptible, infected, recovered] = [0.999 * (1 - vaccinated), 0.001, 0.999 * vaccinated];
  const step = t / 200;
  for (let i = 0; i < 200; i++) {
    const [fell, got] = [step * r0 / days * susceptible * infected, step / days * infected];
    susceptible -= fell;
    infected += fell - got;
    recovered += got;
  }
  return { susceptible, infected, recovered };
""",
}
