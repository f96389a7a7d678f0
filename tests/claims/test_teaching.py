"""Checks of chapters/teaching.md."""

import re
from itertools import product

import numpy as np
from test_teaching import LESSONS, PLAN

from claims import claim
from dp_lib import pure


@claim("teaching.md", "links-open-at-the-question")
def test_links_open_at_the_question():
    """What is folded is a lesson of its own."""
    assert "{set}" not in PLAN
    for part in [part for lesson in LESSONS.values() for part in lesson.split("````")]:
        shown = re.findall(r"\{(ask|present)\}`[^`<]*<[^`#]*#([\w-]+):", part)
        first = {figure: role for role, figure in reversed(shown)}
        assert set(first.values()) <= {"ask"} and [role for role, _ in shown].count("ask") == len(first)


@claim("teaching.md", "dice-and-the-privacy-loss", numbers=[6, 36, 5, 36, 106, 36, 6, 5, 0.18])
def test_dice_and_the_privacy_loss():
    throws = [red - blue for red, blue in product(range(1, 7), repeat=2)]
    assert (throws.count(101 - 101), throws.count(101 - 100)) == (6, 5)
    assert (throws.count(106 - 101), throws.count(106 - 100)) == (1, 0)
    assert round(np.log(6 / 5), 2) == 0.18


@claim("teaching.md", "ratio-at-three-places", numbers=[3, 3, 0.5, 4, 2.01, 1, 0.5, 3])
def test_ratio_at_three_places():
    def ratio(y, sensitivity):
        return np.exp((abs(y - sensitivity) - abs(y)) * 0.7 / sensitivity)

    assert [round(float(ratio(y, 1)), 2) for y in (-3, 0.5, 4)] == [2.01, 1, 0.5]
    np.testing.assert_allclose(ratio(-3, 4), ratio(-3, 1), rtol=1e-12)


@claim("teaching.md", "belief-at-two-epsilons", numbers=[2, 73, 5, 3, 99.3])
def test_belief_at_two_epsilons():
    after = [pure.posterior_odds(1, epsilon)[1] for epsilon in (1, 5)]
    assert [f"{100 * odds / (1 + odds):.3g}" for odds in after] == ["73.1", "99.3"]
