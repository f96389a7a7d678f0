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


@claim("teaching.md", "dice-and-the-privacy-loss")
def test_dice_and_the_privacy_loss(passage):
    throws = [red - blue for red, blue in product(range(1, 7), repeat=2)]
    yes, no = (throws.count(101 - count) for count in (101, 100))
    assert (throws.count(106 - 101), throws.count(106 - 100)) == (1, 0)
    throws_and_ratio = (101, yes, len(throws), no, len(throws), 106, len(throws), yes, no, round(np.log(yes / no), 2))
    assert passage.gives(*throws_and_ratio)  # in one call, because some of the numbers are typed twice


@claim("teaching.md", "ratio-at-three-places", numbers=[3])
def test_ratio_at_three_places(passage):
    def ratio(y, sensitivity):
        return np.exp((abs(y - sensitivity) - abs(y)) * 0.7 / sensitivity)

    places = (-3, 0.5, 4)
    assert passage.gives(*map(abs, places), *(round(float(ratio(y, 1)), 2) for y in places))
    np.testing.assert_allclose(ratio(-3, 4), ratio(-3, 1), rtol=1e-12)


@claim("teaching.md", "belief-at-two-epsilons", numbers=[5])
def test_belief_at_two_epsilons(passage):
    after = [pure.posterior_odds(1, epsilon)[1] for epsilon in (1, 5)]
    one, five = (100 * odds / (1 + odds) for odds in after)
    assert passage.gives(round(one), round(five, 1))
