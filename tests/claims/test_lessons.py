"""Checks of the scripts of the lessons, chapters/lessons."""

import math
import re
from itertools import product

import numpy as np
import pytest
from scipy import stats
from test_teaching import SCRIPTS

from claims import claim
from claims.test_composition import advanced_wins
from dp_lib import approx, gdp, pure


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


@claim("lessons/lesson_2.md", "twenty-relatives")
def test_twenty_relatives(passage):
    assert passage.gives(math.ceil(10 * math.exp(20 * 0.1)) / 10)


@claim("lessons/lesson_3.md", "first-loss-above-one")
def test_first_loss_above_one(passage):
    y = np.linspace(0, 30, 300_001)
    loss = stats.norm.logpdf(y, 1, 3.75) - stats.norm.logpdf(y, 0, 3.75)
    assert passage.gives(math.ceil(10 * y[loss > 1][0]) / 10)


@claim("lessons/lesson_4.md", "two-terms-of-advanced", numbers=[100, 0.1, 0.5])
def test_two_terms_of_advanced(passage):
    walk, mean = 0.1 * math.sqrt(200 * math.log(1 / 5e-6)), 100 * 0.1 * math.expm1(0.1)
    assert passage.gives(math.ceil(100 * walk) / 100, math.ceil(100 * mean) / 100)
    assert approx.advanced(0.1, 0, 100, 5e-6).epsilon == pytest.approx(walk + mean)


@claim("lessons/lesson_4.md", "guesses-on-the-board")
def test_guesses_on_the_board(passage):
    assert passage.gives(advanced_wins(0.3)[0])


@claim("lessons/lesson_4.md", "a-hundred-answers-composed", numbers=[100, 10])
def test_a_hundred_answers_composed(passage):
    advanced = approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon
    optimal = approx.optimal(0.1, 5e-8, 100, 5e-6).epsilon
    assert passage.gives(math.ceil(100 * advanced) / 100, math.ceil(100 * optimal) / 100)


@claim("lessons/lesson_4.md", "steps-and-vector", numbers=[3.7])
def test_steps_and_vector():
    """Both σ on the slide before it are rounded up."""
    vector, steps = (int(sigma) for sigma in re.findall(r"(?:exactly|composed): σ = (\d+)", SCRIPTS["lesson_4"]))
    assert vector == math.ceil(approx.sigma_exact(0.1, 1e-5, 10)) and steps / vector == pytest.approx(3.7, abs=0.05)
    low, high = 100, 10_000  # of the smallest σ at which a hundred pairs, each with δ₀ = 5e-8, compose to the promise
    for _ in range(40):
        sigma = (low + high) / 2
        pair = gdp.epsilon(1 / sigma, 5e-8)
        low, high = (sigma, high) if approx.optimal(pair, 5e-8, 100, 5e-6).epsilon > 0.1 else (low, sigma)
    assert steps == math.ceil(high)


@claim("lessons/lesson_6.md", "bad-outcome-at-two-orders", numbers=[1000, 2, 50])
def test_bad_outcome_at_two_orders(passage):
    low, high = ((math.exp(0.5) / 1000) ** ((alpha - 1) / alpha) for alpha in (2, 50))
    assert passage.gives(math.ceil(1000 * low) / 10, math.ceil(10_000 * high) / 100)
