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
from dp_lib.pld import PrivacyLoss


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
    assert passage.gives(math.ceil(1000 * np.log(ratio)) / 1000)
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


@claim("lessons/lesson_4.md", "a-hundred-answers-composed", numbers=[10])
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


@claim("lessons/lesson_1.md", "family-of-three", numbers=[3])
def test_family_of_three(passage):
    y = np.linspace(-20, 20, 4001)
    loss = (np.abs(y - 3) - np.abs(y)) * 0.5
    share = np.mean(np.random.default_rng(1).laplace(scale=2, size=100_000) <= 0)
    assert passage.gives(round(loss.max(), 9), 0.5) and share == pytest.approx(0.5, abs=0.01)


@claim("lessons/lesson_1.md", "belief-from-ten-per-cent", numbers=[9, 10, 50, 100])
def test_belief_from_ten_per_cent(passage):
    assert passage.gives(math.ceil(1000 * np.e / (np.e + 9)) / 10, round(10 * np.e)) and 0.5 * np.e > 1


@claim("lessons/lesson_2.md", "scale-of-a-histogram")
def test_scale_of_a_histogram(passage):
    """One replaced row takes 1 from a cell and adds 1 to another, or changes each of a hundred counts by 1."""
    cells = np.eye(100)
    moved = max(np.abs(cells[0] - cells[other]).sum() for other in range(100))
    assert passage.gives(moved / 0.5, 100 / 0.5)


@claim("lessons/lesson_2.md", "scale-of-a-vector")
def test_scale_of_a_vector(passage):
    """A hundred counts that all move by 1, or each with a hundredth of ε."""
    assert np.ones(100).sum() / 0.5 == 1 / (0.5 / 100) and passage.gives(np.ones(100).sum() / 0.5)


@claim("lessons/lesson_2.md", "loss-of-a-sum", numbers=[2, 2])
def test_loss_of_a_sum():
    """The sum of two Laplace variables has the density (1 + |y|) e^(-|y|) / 4, and here it moves by 2."""
    y = np.geomspace(1, 1e7, 1000)
    loss = 2 + np.log1p(-2 / (3 + y))
    assert np.all(loss < 2) and loss[-1] > 1.999999


@claim("lessons/lesson_3.md", "tail-of-a-small-sigma", numbers=[0.5])
def test_tail_of_a_small_sigma(passage):
    loss = stats.norm(1 / (2 * 1.5**2), 1 / 1.5)
    tail = loss.sf(0.5)
    delta = tail - math.exp(0.5) * stats.norm(-1 / (2 * 1.5**2), 1 / 1.5).sf(0.5)
    assert passage.gives(round(delta, 1), 1 / 3, round(loss.isf(tail / 2), 2))
    assert delta / tail == pytest.approx(1 / 3, abs=0.04)


@claim("lessons/lesson_3.md", "true-delta-at-ten")
def test_true_delta_at_ten(passage):
    sigma = math.sqrt(2 * math.log(1.25e5)) / 10
    delta = stats.norm.sf(10 * sigma - 1 / (2 * sigma)) - math.exp(10) * stats.norm.sf(10 * sigma + 1 / (2 * sigma))
    assert passage.gives(round(delta * 1e5, 1), round(delta * 1e5, 1), 1e-5)


@claim("lessons/lesson_4.md", "total-of-two-accounts", numbers=[500])
def test_total_of_two_accounts(passage):
    assert passage.gives(round((500 * 1e-5 + 1e-5) / 1e-5))


@claim("lessons/lesson_4.md", "lower-by-a-quarter", numbers=[0.25])
def test_lower_by_a_quarter():
    def advanced(step, slack):
        epsilon = math.sqrt(2 * math.log(1.25 / step)) / 200
        return epsilon * math.sqrt(1000 * math.log(1 / slack)) + 500 * epsilon * math.expm1(epsilon)

    assert 1 - advanced(1e-5, 1e-5) / advanced(1e-8, 5e-6) == pytest.approx(0.25, abs=0.01)


@claim("lessons/lesson_5.md", "half-of-the-losses", numbers=[0.5])
def test_half_of_the_losses():
    noise = np.random.default_rng(2).laplace(size=100_000)
    assert np.mean(np.isclose(np.abs(noise - 1) - np.abs(noise), 1)) == pytest.approx(0.5, abs=0.01)


@claim("lessons/lesson_5.md", "cuts-with-a-larger-parameter")
def test_cuts_with_a_larger_parameter(passage):
    scan = np.concatenate([-np.geomspace(1e-2, 60, 4000), np.geomspace(1e-2, 60, 4000)])

    def parameter(cut):
        low, high = stats.norm.cdf(cut), stats.norm.cdf(cut - 2)  # of the bit on both tables
        losses, chances = np.log([low / high, (1 - low) / (1 - high)]), np.array([low, 1 - low])
        centred = losses - chances @ losses
        return np.sqrt((2 * np.log(np.exp(np.outer(scan, centred)) @ chances) / scan**2).max())

    cuts = np.arange(-60, 40) / 20
    larger = [cut for cut in cuts if parameter(cut) > 2]
    assert larger == [cut for cut in cuts if cut <= max(larger)]
    assert passage.gives(0.3) and max(larger) == pytest.approx(-0.3, abs=0.1)


@claim("lessons/lesson_6.md", "losses-of-order-four")
def test_losses_of_order_four(passage):
    loss = np.linspace(-10, 20, 30_001)
    weight = stats.norm.pdf(loss, 0.5, 1) * np.exp(3 * loss)
    assert passage.gives(round(float(loss[weight.argmax()]), 1))


@claim("lessons/lesson_6.md", "order-beyond-the-list", numbers=[960, 100])
def test_order_beyond_the_list(passage):
    def epsilon(order):
        return order / (2 * 200**2) + math.log(1e5) / (order - 1)

    orders = np.arange(2, 5000)
    found = np.array([epsilon(order) for order in orders])
    assert orders[found.argmin()] == pytest.approx(960, abs=5)
    assert passage.gives(round(epsilon(100) / found.min()))


@claim("lessons/lesson_7.md", "rho-of-a-count", numbers=[2])
def test_rho_of_a_count(passage):
    assert passage.gives(1, 8) and 1 / (2 * 2**2) == 1 / 8


@claim("lessons/lesson_7.md", "noise-of-forty-one")
def test_noise_of_forty_one(passage):
    assert passage.gives(round(math.sqrt(41), 1), round(math.sqrt(41), 1), 41)


@claim("lessons/lesson_8.md", "misses-at-five-per-cent")
def test_misses_at_five_per_cent(passage):
    assert passage.gives(round(100 * stats.norm.cdf(stats.norm.isf(0.05) - 1)))


@claim("lessons/lesson_8.md", "largest-over-smallest")
def test_largest_over_smallest(passage):
    alone = math.sqrt(2 * math.log(1.25 / (1e-5 / 500))) / 200
    exact = PrivacyLoss.gaussian(200).repeat(500).epsilon(1e-5).upper
    assert passage.gives(40) and 500 * alone / exact == pytest.approx(40, abs=3)


@claim("lessons/lesson_8.md", "four-times-the-epochs", numbers=[4])
def test_four_times_the_epochs():
    step = PrivacyLoss.subsampled_gaussian(1, 0.01)
    short, long = (step.repeat(steps).epsilon(1e-5).upper for steps in (2000, 8000))
    assert 1.9 < long / short < 2.4


@claim("lessons/lesson_3.md", "gap-is-largest-at-the-crossing")
def test_gap_is_largest_at_the_crossing(passage):
    y = np.linspace(-4, 5, 9001)
    gap = stats.norm.sf(y, 1) - math.exp(0.5) * stats.norm.sf(y)
    assert passage.gives(round(float(y[gap.argmax()]), 2))
    above = np.maximum(stats.norm.pdf(y, 1) - math.exp(0.5) * stats.norm.pdf(y), 0)
    assert np.trapezoid(above, y) == pytest.approx(gap.max(), abs=1e-4)


@claim("lessons/lesson_3.md", "loss-above-one-as-often", numbers=[100_000])
def test_loss_above_one_as_often(passage):
    """The losses of a count with σ = 3.75 are N(1/2σ², 1/σ²)."""
    assert passage.gives(round(stats.norm.sf(1, 1 / (2 * 3.75**2), 1 / 3.75) * 1e5))


@claim("lessons/lesson_3.md", "smallest-sigma-of-a-count", numbers=[1])
def test_smallest_sigma_of_a_count(passage):
    """By the two tails of the loss, for σ in thousandths, and at the figure's steps of 0.05."""

    def delta(sigma):
        loss = stats.norm(1 / (2 * sigma**2), 1 / sigma)
        return loss.sf(1) - math.e * stats.norm(-1 / (2 * sigma**2), 1 / sigma).sf(1)

    smallest = next(step for step in range(3000, 4000) if delta(step / 1000) <= 1e-5) / 1000
    on_slider = next(step for step in range(60, 80) if delta(step / 20) <= 1e-5) / 20
    assert passage.gives(on_slider, smallest)


@claim("lessons/lesson_6.md", "largest-probability-at-order-two", numbers=[2])
def test_largest_probability_at_order_two(passage):
    """By a search over p: the divergence of order 2 of an event and its complement, 0.001 on the neighbour."""
    p = np.linspace(0.001, 0.05, 49_001)
    divergence = np.log(p**2 / 0.001 + (1 - p) ** 2 / 0.999)
    assert passage.gives(round(100 * p[divergence <= 0.5].max(), 1))
