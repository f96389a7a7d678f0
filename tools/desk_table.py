"""The table behind the release planner's ε of DP-SGD: upper bounds of `dp_lib.pld` on a grid, one for each cell.

Its entry at noise multiplier σᵢ, rate qⱼ, epochs Eₖ and δₗ holds for every run of Poisson-sampled steps with σ >= σᵢ,
q in (qⱼ₋₁, qⱼ], q·steps <= Eₖ + q and δ >= δₗ. Proof.

- More noise, or a larger δ, never needs a larger ε: more noise is post-processing.
- A step at rate q is one at rate qⱼ that takes place with probability p = q/qⱼ and else answers without the data: its
  pair of distributions is that mixture, and the distribution that both share is the same on both sides. Tell the
  attacker which steps took place, and he has K steps at rate qⱼ, K ~ Bin(steps, p); not telling him is post-processing.
  So δ(q, steps; ε) <= E δ(qⱼ, K; ε) <= δ(qⱼ, T; ε) + P(K > T), for each T, since δ rises with the steps.
- E K = q·steps/qⱼ <= m = Eₖ/qⱼ + 1, its variance is at most m·h with h = 1 - qⱼ₋₁/qⱼ, and each coin is at most h above
  its mean: by Bernstein's inequality P(K > m + t) <= exp(-t²/(2h(m + t/3))), which is δₗ/1000 at the t of `steps`.
- The entry is ε of T = ⌊m + t⌋ steps at rate qⱼ and 0.999 δₗ, by an upper bound, and is rounded up.

    .venv/bin/python tools/desk_table.py

writes `book/release_planner/table.json` in about a quarter of an hour; a test computes random entries anew.
"""

import json
from functools import cache
from math import ceil, log
from pathlib import Path

import numpy as np

from dp_lib.pld import PrivacyLoss

FILE = Path(__file__).parent.parent / "book" / "release_planner" / "table.json"
RATIO = 1.06
LEFT, RIGHT = 25, 42  # the rates go through 256 of 60,000, down to 0.001 and up to 0.05
RATES = tuple(256 / 60_000 * RATIO**j for j in range(-LEFT, RIGHT + 1))
SIGMAS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 2.0)
EPOCHS = (0.2, 0.5, 1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 100)
DELTAS = (1e-5, 1e-6)
UNIT = 5e-4  # entries are whole numbers of it, in ln ε


def steps(rate: float, epochs: float, delta: float) -> int:
    """T of the proof: no run of the cell has more steps at the cell's rate, but with probability δ/1000."""
    h, m, odds = 1 - 1 / RATIO, epochs / rate + 1, log(1000 / delta)
    t = odds * h / 3 + np.sqrt((odds * h / 3) ** 2 + 2 * odds * h * m)
    return int(m + t)


def entry(sigma: float, rate: float, epochs: float, delta: float) -> int:
    """ε that holds for the whole cell, as a whole number of units of ln ε, rounded up."""
    loss = PrivacyLoss.subsampled_gaussian(sigma, rate).repeat(steps(rate, epochs, delta))
    return ceil(log(float(loss.epsilon(0.999 * delta).upper)) / UNIT)


def table() -> list[list[list[list[int]]]]:
    """All entries: by δ, σ, epochs, and rate."""
    return [[[[entry(s, q, e, d) for q in RATES] for e in EPOCHS] for s in SIGMAS] for d in DELTAS]


@cache
def read() -> dict:
    """The file: the grid and its entries."""
    return json.loads(FILE.read_text("utf-8"))


def main() -> None:
    grid = {"delta": DELTAS, "sigma": SIGMAS, "epochs": EPOCHS, "rate": RATES, "unit": UNIT}
    FILE.write_text(json.dumps(grid | {"entries": table()}, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
