"""Checks of the scripts of the lessons, chapters/lessons."""

from itertools import product

import numpy as np
import pytest

from claims import claim
from dp_lib import pure


@claim("lessons/lesson_1.md", "dice-and-the-privacy-loss")
def test_dice_and_the_privacy_loss(passage):
    throws = [red - blue for red, blue in product(range(1, 7), repeat=2)]
    yes, no = (throws.count(101 - count) for count in (101, 100))
    assert (throws.count(106 - 101), throws.count(106 - 100)) == (1, 0)
    throws_and_ratio = (yes, len(throws), no, len(throws), 106, len(throws), yes, no, round(np.log(yes / no), 2))
    assert passage.gives(*throws_and_ratio)  # in one call, because some of the numbers are typed twice


@claim("lessons/lesson_1.md", "ratio-at-three-places", numbers=[3])
def test_ratio_at_three_places(passage):
    def ratio(y, sensitivity):
        return np.exp((abs(y - sensitivity) - abs(y)) * 0.7 / sensitivity)

    places = (-3, 0.5, 4)
    assert passage.gives(*map(abs, places), *(round(float(ratio(y, 1)), 2) for y in places))
    np.testing.assert_allclose(ratio(-3, 4), ratio(-3, 1), rtol=1e-12)


@claim("lessons/lesson_1.md", "belief-at-two-epsilons", numbers=[5])
def test_belief_at_two_epsilons(passage):
    after = [pure.posterior_odds(1, epsilon)[1] for epsilon in (1, 5)]
    one, five = (100 * odds / (1 + odds) for odds in after)
    assert passage.gives(round(one), round(five, 1))


@claim("lessons/lesson_4.md", "walk-of-losses", numbers=[100])
def test_walk_of_losses(passage):
    """Of the worst mechanism with ε = 0.1, by its two results."""
    losses = np.array([0.1, -0.1])
    chances = np.array([np.exp(0.1), 1]) / (1 + np.exp(0.1))
    mean = chances @ losses
    width = np.sqrt(chances @ losses**2 - mean**2)
    assert passage.gives(100 * 0.1, round(100 * mean, 1), round(mean, 3), round(10 * width, 1), 0.1)


@claim("lessons/lesson_4.md", "a-sample-at-one", numbers=[99, 100])
def test_a_sample_at_one(passage):
    """Randomized response about a row that is there with probability 1/100 has the largest ratio of the two chances."""
    yes, no = np.e / (1 + np.e), 1 / (1 + np.e)
    ratio = (0.01 * yes + 0.99 * no) / no
    assert passage.gives(round(float(np.log(ratio)), 3))
    assert np.log(ratio) == pytest.approx(np.log(1 + (np.e - 1) / 100))
