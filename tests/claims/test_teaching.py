"""Checks of chapters/teaching.md."""

import re
from itertools import product

import numpy as np
from test_teaching import LESSONS, PLAN

from claims import says
from dp_lib import pure


@says(
    "teaching.md",
    "Every link with settings opens its figure in present mode, as it should stand: a lesson's first link to a "
    "figure at the question that leads to it, the others with the whole picture.",
)
def _():
    """What is folded is a lesson of its own."""
    assert "{set}" not in PLAN
    for part in [part for lesson in LESSONS.values() for part in lesson.split("````")]:
        shown = re.findall(r"\{(ask|present)\}`[^`<]*<[^`#]*#([\w-]+):", part)
        first = {figure: role for role, figure in reversed(shown)}
        assert set(first.values()) <= {"ask"} and [role for role, _ in shown].count("ask") == len(first)


@says("teaching.md", "With her yes that needs a double, 6 cases of 36; without it red one above blue, 5 of 36.")
@says("teaching.md", "Then ask about 106: one case of 36 with her, none without.")
@says("teaching.md", "Write the ratio, 6/5, take its logarithm, 0.18, and give it its name, the privacy loss.")
def _():
    throws = [red - blue for red, blue in product(range(1, 7), repeat=2)]
    assert (throws.count(101 - 101), throws.count(101 - 100)) == (6, 5)
    assert (throws.count(106 - 101), throws.count(106 - 100)) == (1, 0)
    assert round(np.log(6 / 5), 2) == 0.18


@says("teaching.md", "Step on, and read the ratio at three places: y = -3, 0.5 and 4 give 2.01, 1 and 0.50.")
@says("teaching.md", "at -3 the ratio is the same, since the noise grew too.")
def _():
    def ratio(y, sensitivity):
        return np.exp((abs(y - sensitivity) - abs(y)) * 0.7 / sensitivity)

    assert [round(float(ratio(y, 1)), 2) for y in (-3, 0.5, 4)] == [2.01, 1, 0.5]
    np.testing.assert_allclose(ratio(-3, 4), ratio(-3, 1), rtol=1e-12)


@says("teaching.md", "Key 2: 73 per cent. And at ε = 5? Key 3: 99.3.")
def _():
    after = [pure.posterior_odds(1, epsilon)[1] for epsilon in (1, 5)]
    assert [f"{100 * odds / (1 + odds):.3g}" for odds in after] == ["73.1", "99.3"]
