"""Checks of the scripts of the lessons, chapters/lessons."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from test_teaching import SCRIPTS

from claims import claim
from claims.test_composition import advanced_wins
from claims.test_errors import corner_of_the_fair_curve, gaussian_steps
from dp_lib import approx, gdp
from dp_lib.pld import PrivacyLoss

DICE = [red - blue for red, blue in product(range(1, 7), repeat=2)]  # what is added to the count


def rounded_up(x):
    """Two digits after the point."""
    return f"{math.ceil(100 * x) / 100:.2f}"


@claim("lessons/lesson_1.md", "dice-and-the-privacy-loss")
def test_dice_and_the_privacy_loss(passage):
    yes, no = (DICE.count(101 - count) for count in (101, 100))
    assert (DICE.count(106 - 101), DICE.count(106 - 100)) == (1, 0)
    assert passage.gives(*[len(DICE)] * 3, 106)
    assert passage.printed == [str(yes), str(no), str(yes), str(no), f"{np.log(yes / no):.2f}"]


@claim("lessons/lesson_1.md", "two-dice-keep-no-epsilon", numbers=[0])
def test_two_dice_keep_no_epsilon(passage):
    assert passage.gives(106) and 106 - 101 in DICE and 106 - 100 not in DICE


@claim("lessons/lesson_1.md", "ratio-at-three-places", numbers=[3])
def test_ratio_at_three_places(passage):
    def ratio(y, sensitivity):
        return np.exp((abs(y - sensitivity) - abs(y)) * 0.7 / sensitivity)

    places = (-3, 0.5, 4)
    assert passage.gives(*map(abs, places))
    left, middle, right = (ratio(y, 1) for y in places)
    assert passage.printed == [f"{left:.2f}", f"{middle:.0f}", f"{right:.2f}"] and middle == pytest.approx(1)
    np.testing.assert_allclose(ratio(-3, 4), ratio(-3, 1), rtol=1e-12)


@claim("lessons/lesson_1.md", "belief-at-two-epsilons", numbers=[5])
def test_belief_at_two_epsilons(passage):
    one, five = (100 / (1 + math.exp(-epsilon)) for epsilon in (1, 5))
    assert passage.printed == [f"{one:.0f}", f"{five:.1f}"]


@claim("lessons/lesson_1.md", "attacker-loses")
def test_attacker_loses(passage):
    wrong, _ = integrate.quad(lambda z: math.exp(-abs(z)) / 2, 0.5, np.inf)
    assert passage.printed == [f"{100 * wrong:.0f}"]


@claim("lessons/lesson_4.md", "hundred-laplace-answers", numbers=[])
def test_hundred_laplace_answers(passage):
    laplace = PrivacyLoss.laplace(10).repeat(100).epsilon(1e-5)
    responses = PrivacyLoss.randomized_response(1 / (1 + math.exp(-0.1))).repeat(100).epsilon(1e-5)
    assert passage.printed == [rounded_up(laplace.upper), rounded_up(responses.upper)]
    assert 0.95 < laplace.lower / responses.upper < 1


@claim("lessons/lesson_4.md", "walk-of-losses", numbers=[100])
def test_walk_of_losses(passage):
    """Of the worst mechanism with ε = 0.1, by its two results."""
    losses = np.array([0.1, -0.1])
    chances = np.array([np.exp(0.1), 1]) / (1 + np.exp(0.1))
    mean = chances @ losses
    width = np.sqrt(chances @ losses**2 - mean**2)
    typical = f"{10 * width:.0f}"
    assert passage.gives(0.1) and width == pytest.approx(0.1, abs=1e-3)
    said_aloud = ["10", f"{100 * mean:.1f}", typical]
    assert passage.printed == ["10", f"{100 * mean:.1f}", f"{mean:.3f}", typical, *said_aloud]


@claim("lessons/lesson_4.md", "probability-of-a-step", numbers=[0.1, 0.1])
def test_probability_of_a_step(passage):
    """The probability at which the two losses, +0.1 and -0.1, are those of a mechanism: yes / no = e^0.1."""
    found = next(p for p in np.arange(0.5, 0.6, 1e-6) if math.log(p / (1 - p)) >= 0.1)
    assert passage.printed == [f"{found:.3f}"]


@claim("lessons/lesson_4.md", "a-sample-at-one", numbers=[99, 100])
def test_a_sample_at_one(passage):
    """Randomized response about a row that is there with probability 1/100 has the largest ratio of the two chances."""
    yes, no = np.e / (1 + np.e), 1 / (1 + np.e)
    ratio = (0.01 * yes + 0.99 * no) / no
    assert passage.printed == [f"{math.ceil(10_000 * np.log(ratio)) / 10_000:.4f}"]
    assert np.log(ratio) == pytest.approx(np.log(1 + (np.e - 1) / 100))


@claim("lessons/lesson_2.md", "twenty-relatives")
def test_twenty_relatives(passage):
    odds = math.exp(20 * 0.1)
    assert passage.gives(50)
    most = [math.ceil(10 * odds) / 10, math.ceil(10 * 100 * odds / (1 + odds)) / 10]
    assert passage.printed == [f"{number:.1f}" for number in most]


@claim("lessons/lesson_3.md", "first-loss-above-one")
def test_first_loss_above_one(passage):
    y = np.linspace(0, 30, 300_001)
    loss = stats.norm.logpdf(y, 1, 3.75) - stats.norm.logpdf(y, 0, 3.75)
    assert passage.printed == [f"{math.ceil(10 * y[loss > 1][0]) / 10:.1f}"]


@claim("lessons/lesson_4.md", "two-terms-of-advanced", numbers=[100, 0.1, 2])
def test_two_terms_of_advanced(passage):
    walk, mean = 0.1 * math.sqrt(200 * math.log(1 / 5e-6)), 100 * 0.1 * math.expm1(0.1)
    least = 100 * 0.1 * math.tanh(0.05)
    assert passage.printed == [f"{walk:.2f}", f"{mean:.2f}", f"{least:.1f}"]
    assert approx.advanced(0.1, 0, 100, 5e-6).epsilon == pytest.approx(walk + mean)
    assert mean / least == pytest.approx(2, abs=0.2)


@claim("lessons/lesson_4.md", "guesses-on-the-board")
def test_guesses_on_the_board(passage):
    """The figure that follows opens at this number."""
    wins = advanced_wins(0.3)[0]
    assert passage.printed == [str(wins)]
    assert f"three-compositions: epsilon=0.3, delta=1e-5, k={wins}>" in SCRIPTS["lesson_4"]


@claim("lessons/lesson_4.md", "a-hundred-answers-composed")
def test_a_hundred_answers_composed(passage):
    advanced = approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon
    optimal = approx.optimal(0.1, 5e-8, 100, 5e-6).epsilon
    on_screen = [f"{epsilon:.3f}" for epsilon in (advanced, optimal)]
    assert passage.printed == [f"{100 * 0.1:.0f}", *on_screen, rounded_up(optimal)]


@claim("lessons/lesson_4.md", "promise-of-advanced")
def test_promise_of_advanced(passage):
    """As the table of the figure shows it."""
    assert passage.printed == [] and passage.gives(round(approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon, 3))


@claim("lessons/lesson_4.md", "half-of-delta-is-the-slack")
def test_half_of_delta_is_the_slack(passage):
    """At a hundred answers with ε = 0.1 and no δ of their own; at 500 counts by the classic σ = 200."""

    def advanced(epsilon, k, slack):
        return epsilon * np.sqrt(2 * k * np.log(1 / slack)) + k * epsilon * np.expm1(epsilon)

    def counts(share):
        return advanced(np.sqrt(2 * np.log(1.25 * 500 / (1e-5 - share * 1e-5))) / 200, 500, share * 1e-5)

    shares = np.linspace(0.001, 0.999, 9999)
    saved = 1 - counts(shares).min() / counts(0.5)
    most = [f"{advanced(0.1, 100, slack):.3f}" for slack in (1e-5, 5e-6)]
    assert passage.printed == [*most, f"{100 * saved:.2f}"] and most[0] < most[1]
    assert np.all(np.diff(advanced(0.1, 100, shares * 1e-5)) < 0)  # the whole δ is the best slack


@claim("lessons/lesson_4.md", "waves-of-optimal", numbers=[20, 21, 21, 22])
def test_waves_of_optimal(passage):
    """By the least ε at which the sum over the lies of k randomized responses is at most the slack."""

    def least(k):
        lies = np.arange(k + 1)
        chance = stats.binom(k, 1 / (1 + np.exp(0.1))).pmf(lies)
        loss = 0.1 * (k - 2 * lies)
        return optimize.brentq(lambda e: chance @ np.maximum(-np.expm1(e - loss), 0) - 5e-6, 0, 0.1 * k, xtol=1e-13)

    found = [least(k) for k in (20, 21, 22)]
    assert passage.printed == [f"{found[1] - found[0]:.4f}", f"{found[2] - found[1]:.2f}"]


@claim("lessons/lesson_4.md", "noise-of-a-hundred-steps", numbers=[100])
def test_noise_of_a_hundred_steps(passage):
    steps, simple = steps_and_vector()[1], steps_by_the_simple_form()
    assert passage.printed == [str(math.ceil(steps))]
    assert steps / simple == pytest.approx(1 / 5, abs=0.005) and passage.gives(math.ceil(simple))


def steps_by_the_simple_form():
    """σ of a hundred steps by the simple form and the classic formula."""
    one = 0.1 / (2 * math.sqrt(200 * math.log(1 / 5e-6)))
    return math.sqrt(2 * math.log(1.25 / 5e-8)) / one


def steps_and_vector():
    """The least σ of one vector, and that at which 100 pairs, each with δ₀ = 5e-8, compose to the promise."""
    low, high = 100, 10_000
    for _ in range(40):
        sigma = (low + high) / 2
        pair = gdp.epsilon(1 / sigma, 5e-8)
        low, high = (sigma, high) if approx.optimal(pair, 5e-8, 100, 5e-6).epsilon > 0.1 else (low, sigma)
    return approx.sigma_exact(0.1, 1e-5, 10), high


@claim("lessons/lesson_4.md", "noise-of-steps-and-vector", numbers=[100])
def test_noise_of_steps_and_vector(passage):
    assert passage.printed == [str(math.ceil(sigma)) for sigma in steps_and_vector()]


@claim("lessons/lesson_4.md", "steps-and-vector")
def test_steps_and_vector(passage):
    vector, steps = steps_and_vector()
    assert passage.printed == [f"{steps / vector:.1f}"]


@claim("lessons/lesson_6.md", "bad-outcome-at-two-orders", numbers=[1000, 2, 50])
def test_bad_outcome_at_two_orders(passage):
    low, high = ((math.exp(0.5) / 1000) ** ((alpha - 1) / alpha) for alpha in (2, 50))
    assert passage.printed == [f"{math.ceil(1000 * low) / 10:.1f}", rounded_up(100 * high)]


@claim("lessons/lesson_1.md", "family-of-three", numbers=[3])
def test_family_of_three(passage):
    y = np.linspace(-20, 20, 4001)
    loss = (np.abs(y - 3) - np.abs(y)) * 0.5
    share = np.mean(np.random.default_rng(1).laplace(scale=2, size=100_000) <= 0)
    assert passage.printed == [f"{loss.max():.1f}"] and passage.gives(0.5, 0.5)
    assert loss.max() == pytest.approx(1.5) and share == pytest.approx(0.5, abs=0.01)


@claim("lessons/lesson_1.md", "belief-from-ten-per-cent", numbers=[9])
def test_belief_from_ten_per_cent(passage):
    assert passage.printed == [f"{math.ceil(1000 * np.e / (np.e + 9)) / 10:.1f}"]


@claim("lessons/lesson_1.md", "ten-per-cent-times-e", numbers=[10, 50, 100])
def test_ten_per_cent_times_e(passage):
    assert passage.printed == [f"{10 * np.e:.1f}"] and 0.5 * np.e > 1


@claim("lessons/lesson_2.md", "two-counts-together", numbers=[0.5])
def test_two_counts_together(passage):
    assert math.exp(0.3) * math.exp(0.2) <= float(passage.printed[0]) < math.exp(0.5) + 0.01


@claim("lessons/lesson_2.md", "scale-of-a-histogram")
def test_scale_of_a_histogram(passage):
    """One replaced row takes 1 from a cell and adds 1 to another, or changes each of a hundred counts by 1."""
    cells = np.eye(100)
    moved = max(np.abs(cells[0] - cells[other]).sum() for other in range(100))
    assert passage.printed == [f"{moved / 0.5:.0f}", f"{100 / 0.5:.0f}"]


@claim("lessons/lesson_2.md", "scale-of-a-vector")
def test_scale_of_a_vector(passage):
    """A hundred counts that all move by 1, or each with a hundredth of ε."""
    assert np.ones(100).sum() / 0.5 == 1 / (0.5 / 100) and passage.printed == [f"{np.ones(100).sum() / 0.5:.0f}"]


@claim("lessons/lesson_2.md", "loss-of-a-sum")
def test_loss_of_a_sum(passage):
    """The sum of two Laplace variables has the density (1 + |y|) e^(-|y|) / 4, and here it moves by 2."""
    y = np.geomspace(1, 1e7, 1000)
    loss = 2 + np.log1p(-2 / (3 + y))
    assert np.all(loss < 2) and loss[-1] > 1.999999 and passage.printed == ["2", "2"]


def tail_and_delta():
    """The probability of a loss above 0.5 at σ = 1.5, and the δ at 0.5, by the tails of the loss on both tables."""
    loss, other = (stats.norm(mean, 1 / 1.5) for mean in (1 / (2 * 1.5**2), -1 / (2 * 1.5**2)))
    return loss.sf(0.5), loss.sf(0.5) - math.exp(0.5) * other.sf(0.5)


@claim("lessons/lesson_3.md", "choices-about-a-tail", numbers=[1.5, 0.5, 0.5, 0.5])
def test_choices_about_a_tail(passage):
    tail, delta = tail_and_delta()
    middle = stats.norm(1 / (2 * 1.5**2), 1 / 1.5).isf(tail / 2)
    assert passage.printed == [f"{tail:.2f}", f"{middle:.2f}", f"{tail:.2f}", f"{delta:.1f}"]


@claim("lessons/lesson_3.md", "tail-of-a-small-sigma", numbers=[1 / 3, 0.5, 0.5])
def test_tail_of_a_small_sigma(passage):
    tail, delta = tail_and_delta()
    middle = stats.norm(1 / (2 * 1.5**2), 1 / 1.5).isf(tail / 2)
    weight = 1 - math.exp(0.5 - middle)
    bounds = tail / 2 * weight, tail / 2 * weight + tail / 2
    assert passage.printed[:3] == [f"{delta:.1f}", f"{middle:.2f}", f"{weight:.1f}"] and weight < 1 / 3
    assert passage.printed[3:] == [f"{bound:.2f}" for bound in bounds] and bounds[0] < delta < bounds[1]
    assert delta / tail == pytest.approx(1 / 3, abs=0.04)


@claim("lessons/lesson_3.md", "true-delta-at-ten")
def test_true_delta_at_ten(passage):
    sigma = math.sqrt(2 * math.log(1.25e5)) / 10
    delta = stats.norm.sf(10 * sigma - 1 / (2 * sigma)) - math.exp(10) * stats.norm.sf(10 * sigma + 1 / (2 * sigma))
    assert passage.printed == [f"{delta * 1e5:.3f}", f"{delta * 1e5:.1f}"] and passage.gives(1e-5)


@claim("lessons/lesson_4.md", "total-of-two-accounts", numbers=[500])
@claim("lessons/lesson_4.md", "delta-on-the-label")
def test_total_of_two_accounts(passage):
    assert passage.printed == [f"{(500 * 1e-5 + 1e-5) / 1e-5:.0f}"]


@claim("lessons/lesson_4.md", "lower-by-a-quarter", numbers=[0.25])
def test_lower_by_a_quarter():
    def advanced(step, slack):
        epsilon = math.sqrt(2 * math.log(1.25 / step)) / 200
        return epsilon * math.sqrt(1000 * math.log(1 / slack)) + 500 * epsilon * math.expm1(epsilon)

    assert 1 - advanced(1e-5, 1e-5) / advanced(1e-8, 5e-6) == pytest.approx(0.25, abs=0.01)


@claim("lessons/lesson_4.md", "lower-with-exact-steps")
def test_lower_with_exact_steps(passage):
    lower = 1 - gaussian_steps(1e-5, 1e-5) / gaussian_steps(1e-8, 5e-6)
    assert passage.printed == [f"{100 * lower:.0f}"]


@claim("lessons/lesson_4.md", "corner-of-the-fair-curve")
def test_corner_of_the_fair_curve(passage):
    assert passage.printed == [str(corner_of_the_fair_curve())]


@claim("lessons/lesson_5.md", "lower-by-a-fifth")
def test_lower_by_a_fifth(passage):
    def advanced(step_delta, slack):
        epsilon = math.sqrt(2 * math.log(1.25 / step_delta)) / 200
        return math.sqrt(2 * 100 * math.log(1 / slack)) * epsilon + 100 * epsilon * math.expm1(epsilon)

    def by_zcdp(delta):
        rho = 100 / (2 * 200**2)
        return rho + 2 * math.sqrt(rho * math.log(1 / delta))

    gains = 1 - advanced(1e-5, 1e-5) / advanced(1e-5 / 200, 5e-6), 1 - by_zcdp(101e-5) / by_zcdp(1e-5)
    assert passage.printed == [f"{100 * gain:.0f}" for gain in gains] and gains[0] < gains[1]


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
    assert passage.printed == [f"{max(larger):.1f}"] and max(larger) == pytest.approx(-0.3, abs=0.01)


@claim("lessons/lesson_6.md", "losses-of-order-four")
def test_losses_of_order_four(passage):
    loss = np.linspace(-10, 20, 30_001)
    weight = stats.norm.pdf(loss, 0.5, 1) * np.exp(3 * loss)
    assert passage.printed == [f"{loss[weight.argmax()]:.1f}"]


@claim("lessons/lesson_6.md", "order-beyond-the-list", numbers=[100])
def test_order_beyond_the_list(passage):
    def epsilon(order):
        return order / (2 * 200**2) + math.log(1e5) / (order - 1)

    orders = np.arange(2, 5000)
    found = np.array([epsilon(order) for order in orders])
    assert passage.printed == [f"{epsilon(100) / found.min():.0f}", f"{round(orders[found.argmin()], -1)}"]


@claim("lessons/lesson_7.md", "rho-of-a-count", numbers=[5])
def test_rho_of_a_count(passage):
    assert passage.printed == [f"{2 * 5**2 / 1**2:.0f}"] and passage.gives(1, 1)


@claim("lessons/lesson_7.md", "noise-of-forty-one", numbers=[41])
def test_noise_of_forty_one(passage):
    """One vector of 41 counts, each of which one person can change by 1, against a single count."""
    times = approx.sigma_exact(1, 1e-6, math.sqrt(41)) / approx.sigma_exact(1, 1e-6)
    assert passage.printed == [f"{times:.1f}", f"{math.sqrt(41):.1f}"]


@claim("lessons/lesson_8.md", "misses-at-five-per-cent")
def test_misses_at_five_per_cent(passage):
    assert passage.printed == [f"{100 * stats.norm.cdf(stats.norm.isf(0.05) - 1):.0f}"]


@claim("lessons/lesson_8.md", "largest-over-smallest")
def test_largest_over_smallest(passage):
    alone = math.sqrt(2 * math.log(1.25 / (1e-5 / 500))) / 200
    exact = PrivacyLoss.gaussian(200).repeat(500).epsilon(1e-5).upper
    assert passage.printed == [f"{round(500 * alone / exact, -1):.0f}"]


@claim("lessons/lesson_8.md", "ten-times-the-steps")
def test_ten_times_the_steps(passage):
    large, small = (
        PrivacyLoss.subsampled_gaussian(1, q).repeat(round(20 / q)).epsilon(1e-5).upper for q in (0.01, 0.001)
    )
    assert small / large < 0.5 and passage.gives(0.5) and passage.gives(10)
    one_step = [math.log1p(q**2 * math.expm1(1)) for q in (0.01, 0.001)]  # at order 2
    assert one_step[0] / one_step[1] == pytest.approx(100, rel=1e-3)


@claim("lessons/lesson_3.md", "gap-is-largest-at-the-crossing")
def test_gap_is_largest_at_the_crossing(passage):
    y = np.linspace(-4, 5, 9001)
    gap = stats.norm.sf(y, 1) - math.exp(0.5) * stats.norm.sf(y)
    assert passage.printed == [f"{y[gap.argmax()]:.0f}"] and y[gap.argmax()] == pytest.approx(1, abs=1e-3)
    above = np.maximum(stats.norm.pdf(y, 1) - math.exp(0.5) * stats.norm.pdf(y), 0)
    assert np.trapezoid(above, y) == pytest.approx(gap.max(), abs=1e-4)


@claim("lessons/lesson_3.md", "loss-above-one-as-often", numbers=[100_000])
def test_loss_above_one_as_often(passage):
    """The losses of a count with σ = 3.75 are N(1/2σ², 1/σ²)."""
    assert passage.printed == [f"{stats.norm.sf(1, 1 / (2 * 3.75**2), 1 / 3.75) * 1e5:.0f}"]


@claim("lessons/lesson_3.md", "smallest-sigma-of-a-count")
def test_smallest_sigma_of_a_count(passage):
    """By the two tails of the loss, for σ in thousandths, and at the figure's steps of 0.05."""

    def delta(sigma):
        loss = stats.norm(1 / (2 * sigma**2), 1 / sigma)
        return loss.sf(1) - math.e * stats.norm(-1 / (2 * sigma**2), 1 / sigma).sf(1)

    smallest = next(step for step in range(3000, 4000) if delta(step / 1000) <= 1e-5) / 1000
    on_slider = next(step for step in range(60, 80) if delta(step / 20) <= 1e-5) / 20
    assert passage.printed == [f"{on_slider:.2f}", f"{smallest:.3f}"]


@claim("lessons/lesson_6.md", "largest-probability-at-order-two", numbers=[2])
def test_largest_probability_at_order_two(passage):
    """By a search over p: the divergence of order 2 of an event and its complement, 0.001 on the neighbour."""
    p = np.linspace(0.001, 0.05, 49_001)
    divergence = np.log(p**2 / 0.001 + (1 - p) ** 2 / 0.999)
    assert passage.printed == [f"{100 * p[divergence <= 0.5].max():.1f}"]
