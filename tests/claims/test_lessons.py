"""Checks of the scripts of the lessons, chapters/lessons."""

import math
import re
from itertools import product

import numpy as np
import pytest
from passages import question, source
from scipy import integrate, optimize, stats
from test_teaching import SCRIPTS

from claims import claim
from claims.test_composition import advanced_wins
from claims.test_errors import corner_of_the_fair_curve, gaussian_steps
from dp_lib import approx, gdp
from dp_lib.pld import PrivacyLoss
from livefigures.declare.question import shown_order

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


@claim("lessons/lesson_1.md", "two-dice-keep-no-epsilon", numbers=[])
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


@claim("lessons/lesson_1.md", "values-in-use")
@claim("lessons/lesson_4.md", "values-in-use")
def test_values_in_use(passage):
    """As the chapter on choosing ε has them, each with its δ and its unit."""
    rows = [line for line in source("choosing.md").splitlines() if "google2024" in line or "census2021" in line]
    chosen = " ".join(line for line in rows if line.startswith("|"))
    for said in ("17.14 for persons", "more than 30 language models", "0.994 to 13.69", "| user |"):
        assert said in chosen
    assert chosen.count(r"\delta = 10^{-10}") == 2 and passage.gives(17.14, 30, 0.994, 13.69)


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
    assert passage.printed == [*said_aloud, f"{mean:.3f}", *said_aloud]


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


@claim("lessons/lesson_4.md", "a-sample-and-a-replaced-row")
def test_a_sample_and_a_replaced_row(passage):
    """An output that has the chance a without the row, e·a with it, and a/e with the row that replaces it."""
    a = 0.1
    kept, other = 0.99 * a + 0.01 * math.e * a, 0.99 * a + 0.01 * a / math.e
    assert passage.gives(0.99, 0.01, 0.99, 0.01)
    assert passage.printed == [f"{math.ceil(10_000 * math.log(kept / other)) / 10_000:.4f}"]


@claim("lessons/lesson_4.md", "noise-by-zcdp")
def test_noise_by_zcdp(passage):
    """By a search over ρ, with the smallest ε over all orders."""
    over = np.linspace(1, 2000, 400_001)  # α − 1

    def epsilon(rho):
        return (rho * (1 + over) + math.log(1e5) / over).min()

    rho = optimize.brentq(lambda rho: epsilon(rho) - 0.1, 1e-5, 1e-2, xtol=1e-14)
    assert passage.printed == [f"{rho:.8f}", f"{math.sqrt(100 / (2 * rho)):.1f}"]
    assert passage.gives(0.1, 1e-5, 100) and "480.9" in SCRIPTS["lesson_4"]


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


@claim("lessons/lesson_4.md", "two-terms-of-advanced", numbers=[100, 0.1])
def test_two_terms_of_advanced(passage):
    walk, mean = 0.1 * math.sqrt(200 * math.log(1 / 5e-6)), 100 * 0.1 * math.expm1(0.1)
    assert passage.printed == [f"{walk:.2f}", f"{mean:.2f}"]
    assert approx.advanced(0.1, 0, 100, 5e-6).epsilon == pytest.approx(walk + mean)


@claim("lessons/lesson_4.md", "twice-the-true-mean", numbers=[2])
def test_twice_the_true_mean(passage):
    least = 100 * 0.1 * math.tanh(0.05)
    assert passage.printed == [f"{least:.1f}"]
    assert 100 * 0.1 * math.expm1(0.1) / least == pytest.approx(2, abs=0.2)


@claim("lessons/lesson_4.md", "hands-for-four-numbers")
def test_hands_for_four_numbers(passage):
    """The figure that follows opens at this number."""
    wins = advanced_wins(0.3)[0]
    assert passage.printed == [str(wins)]
    *choices, last = question("composition.md", "when-advanced-beats-basic").choices
    assert f": {', '.join(choices)} or {last}?" in SCRIPTS["lesson_4"]
    assert f"three-compositions: epsilon=0.3, delta=1e-5, k={wins}>" in SCRIPTS["lesson_4"]


@claim("lessons/lesson_4.md", "a-hundred-answers-composed")
def test_a_hundred_answers_composed(passage):
    advanced = approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon
    optimal = approx.optimal(0.1, 5e-8, 100, 5e-6).epsilon
    assert passage.printed == [f"{100 * 0.1:.0f}", f"{advanced:.0f}", f"{math.ceil(10 * optimal) / 10:.1f}"]
    asked = question("composition.md", "least-epsilon-of-100-steps")
    letters = zip("ABC", shown_order(asked.asked, asked.choices), strict=True)
    right = next(letter for letter, place in letters if asked.right[place])
    assert passage.printed[-1] == asked.choices[asked.right.index(True)] and f"choice {right}." in passage.text


@claim("lessons/lesson_4.md", "promise-of-advanced")
def test_promise_of_advanced(passage):
    """A little below the whole number that is said, so that this number holds too."""
    advanced = float(approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon)
    assert passage.printed == [] and passage.gives(round(advanced)) and 0 < round(advanced) - advanced < 0.01


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


@claim("lessons/lesson_4.md", "pair-of-each-step", numbers=[5, 1e-8])
def test_pair_of_each_step(passage):
    """The pair at σ = 1129 composes to the promise, and a larger ε₀ does not."""
    steps, simple = steps_and_vector()[1], 0.1 / (2 * math.sqrt(200 * math.log(1 / 5e-6)))
    pair = gdp.epsilon(1 / steps, 5e-8)
    assert passage.printed == [
        f"{pair:.5f}", str(math.ceil(steps)), f"{simple:.5f}", str(math.ceil(steps_by_the_simple_form()))
    ]  # fmt: skip
    assert approx.optimal(pair * 1.001, 5e-8, 100, 5e-6).epsilon > 0.1


@claim("lessons/lesson_4.md", "advanced-with-the-true-mean")
def test_advanced_with_the_true_mean(passage):
    """By the two results of randomized response."""
    chance = math.exp(0.1) / (1 + math.exp(0.1))
    mean = 100 * (0.1 * chance - 0.1 * (1 - chance))
    assert mean == pytest.approx(100 * 0.1 * math.tanh(0.05))
    assert passage.printed == [f"{mean:.2f}", f"{0.1 * math.sqrt(200 * math.log(1 / 5e-6)) + mean:.2f}"]
    assert passage.gives(round(approx.advanced(0.1, 5e-8, 100, 5e-6).epsilon, 3))


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


@claim("lessons/lesson_4.md", "delta-on-the-label")
def test_delta_on_the_label(passage):
    """The paper's δ₀ and slack are those at which the dashed curve of the figure that follows is drawn."""
    assert passage.gives(500, 200, 1e-5, 1e-5)
    assert "flattered-delta: sigma=200, delta=1e-5, k=500>" in SCRIPTS["lesson_4"]


@claim("lessons/lesson_4.md", "total-of-two-accounts")
def test_total_of_two_accounts(passage):
    total = sum([1e-5] * 500) + 1e-5
    assert passage.printed == [f"{total:.5f}", f"{total / 1e-5:.0f}"]


@claim("lessons/lesson_4.md", "lower-by-a-quarter", numbers=[0.25])
def test_lower_by_a_quarter(passage):
    def advanced(step, slack):
        epsilon = math.sqrt(2 * math.log(1.25 / step)) / 200
        return epsilon * math.sqrt(1000 * math.log(1 / slack)) + 500 * epsilon * math.expm1(epsilon)

    shown, fair = advanced(1e-5, 1e-5), advanced(1e-8, 5e-6)
    assert passage.printed == [f"{fair:.2f}", f"{shown:.2f}"]
    assert 1 - shown / fair == pytest.approx(0.25, abs=0.01)


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


# -- what a lesson takes from earlier ones

TRUE, FALSE = 0.75, 0.25  # the probabilities of a yes, on the table and on its neighbour
TAKEN = re.compile(
    r"^```\{admonition\} What this lesson takes from earlier ones\n:class: dropdown\n(.*?)^```$", re.M | re.S
)


def up(x, digits):
    """Return a number rounded up."""
    return f"{math.ceil(x * 10**digits - 1e-9) / 10**digits:.{digits}f}"


def advanced(epsilon, k, slack):
    """Return the ε of k answers without a δ of their own, by the two terms."""
    return epsilon * math.sqrt(2 * k * math.log(1 / slack)) + k * epsilon * (math.exp(epsilon) - 1)


def sampled(epsilon, q):
    """Return the loss of the worst mechanism on a sample: a yes is exp(ε) times as likely with the row as without."""
    yes, no = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
    return math.log((q * yes + (1 - q) * no) / no)


def delta_of_noise(sigma, epsilon):
    """Return the δ of a count with Gaussian noise, by an integral."""
    start = epsilon * sigma**2 + 0.5
    above = integrate.quad(lambda y: stats.norm.pdf(y, 1, sigma), start, np.inf, epsabs=1e-14)[0]
    return (
        above
        - math.exp(epsilon) * integrate.quad(lambda y: stats.norm.pdf(y, 0, sigma), start, np.inf, epsabs=1e-14)[0]
    )


def exact_of_noise(sigma):
    return optimize.brentq(lambda epsilon: delta_of_noise(sigma, epsilon) - 1e-5, 0.1, 10)


def over_all_orders(tight):
    """Return the smallest ε of ρ = 1/8 at δ = 10⁻⁵."""
    order = np.linspace(1.01, 60, 100_000)
    gain = np.log1p(-1 / order) - np.log(order) / (order - 1) if tight else 0
    return (order / 8 + math.log(1e5) / (order - 1) + gain).min()


@claim("lessons/lesson_2.md", "taken-from-lesson-one")
@claim("lessons/lesson_3.md", "taken-from-lessons-one-and-two")
@claim("lessons/lesson_4.md", "taken-from-lessons-one-to-three")
@claim("lessons/lesson_5.md", "taken-from-lessons-one-to-four")
@claim("lessons/lesson_6.md", "taken-from-lessons-one-to-five")
@claim("lessons/lesson_7.md", "taken-from-lessons-one-to-six")
@claim("lessons/lesson_8.md", "taken-from-lessons-one-to-seven")
def test_a_script_begins_with_what_it_takes_from_earlier_lessons(passage):
    """Each has the lesson that it is from, which for lesson 2 is always lesson 1."""
    script, number = source(passage.chapter), int(passage.chapter[-4])
    (box,) = TAKEN.findall(script)
    assert script.index(box) < script.index("Ten minutes late")
    items = re.findall(r"^- \*\*.*?\*\*(.*)$", box, re.MULTILINE)
    said = [item[: item.index(")")] for item in items if item.startswith(" (")]
    assert len(items) > 5 and (number == 2 or len(said) == len(items))
    assert all(int(lesson) < number for part in said for lesson in re.findall(r"lessons? (\d)", part))


@claim("lessons/lesson_2.md", "taken-from-lesson-one", numbers=[1, 1, 2, 1, 50, 3, 5, 6, 5])
def test_what_lesson_two_takes(passage):
    loss = optimize.brentq(lambda loss: math.exp(loss) - 2, 0, 1)
    scale = 1 / loss
    y = np.linspace(-5, 5, 101)
    ratio = stats.laplace.pdf(y, 5, scale) / stats.laplace.pdf(y, 6, scale)
    np.testing.assert_allclose(ratio, 2)
    assert passage.printed == [f"{loss:.2f}", up(100 * 2 / (2 + 1), 1), f"{2 * 2 * 2}", f"{scale:.2f}"]


@claim("lessons/lesson_3.md", "taken-from-lessons-one-and-two", numbers=[3, 10, 100, 1])
def test_what_lesson_three_takes(passage):
    """Ten ages, of which one moves by 100."""
    moves = np.mean([100, *[50] * 9]) - np.mean([0, *[50] * 9])
    assert passage.printed == [f"{math.log(TRUE / FALSE):.2f}", f"{moves / 1:.0f}"]


@claim(
    "lessons/lesson_4.md", "taken-from-lessons-one-to-three", numbers=[3, 4, 1, 4, 3, 4, 10, 1, 10, 10, 2, 4, 0.5, 1e-5]
)
def test_what_lesson_four_takes(passage):
    delta = max(TRUE - 2 * FALSE, 0) + max(FALSE - 2 * TRUE, 0)
    classic = math.sqrt(2 * math.log(1.25e5)) / 0.5
    smallest = optimize.brentq(lambda sigma: delta_of_noise(sigma, 0.5) - 1e-5, 1, 20)
    assert passage.printed == [f"{delta:.2f}", up(classic, 2), up(smallest, 2)]
    assert delta_of_noise(classic, 0.5) < 1e-5 and math.log(TRUE / FALSE) == pytest.approx(math.log(3))
    assert np.ones(10).sum() / 1 == pytest.approx(1 / (1 / 10)) and np.linalg.norm(np.ones(4)) == 2


@claim(
    "lessons/lesson_5.md", "taken-from-lessons-one-to-four", numbers=[3, 4, 1, 4, 2, 0.1, 100, 5, 1e-6, 100, 200, 1e-5]
)
def test_what_lesson_five_takes(passage):
    delta = TRUE * (1 - math.exp(math.log(2) - math.log(3)))
    y = np.linspace(-40, 40, 400_001)
    p, loss = stats.norm.pdf(y, 1, 2), stats.norm.logpdf(y, 1, 2) - stats.norm.logpdf(y, 0, 2)
    mean = np.trapezoid(p * loss, y)
    width = math.sqrt(np.trapezoid(p * (loss - mean) ** 2, y))
    steps = [math.sqrt(2 * math.log(1.25 / share)) / 200 for share in (1e-5 / 200, 1e-5)]
    composed = [f"{100 * 0.1:.0f}", up(advanced(0.1, 100, 5e-6), 3)]
    steps = [up(step, 4) for step in steps]
    assert passage.printed == [f"{delta:.2f}", f"{mean:.3f}", f"{width:.1f}", *composed, *steps]


@claim("lessons/lesson_6.md", "taken-from-lessons-one-to-five", numbers=[0.5, 2, 1, 1000, 3, 2, 2, 0.1, 1])
def test_what_lesson_six_takes(passage):
    def needed(scan):
        """Return the τ that both steps need. After heads the loss has mean 2 and variance 4, after tails it is 0."""
        loss = np.linspace(-40, 60, 20_001)
        heads = np.trapezoid(stats.norm.pdf(loss, 2, 2) * np.exp(scan * (loss - 1)), loss)
        return math.sqrt(2 * math.log((heads + math.exp(-scan)) / 2)) / abs(scan)

    coin = max(needed(scan) for scan in [*np.arange(-3, 0, 0.1), *np.arange(0.1, 5, 0.02)])
    weight = 1 - math.exp(math.log(2) - math.log(3))
    mean = (1 / 2) ** 2 / 2  # half of the variance
    seen = [f"{mean:.3f}", f"{2 / 1000:.3f}", f"{weight:.2f}", f"{coin:.1f}", up(sampled(1, 0.1), 3)]
    assert passage.printed == seen and coin > 2


@claim(
    "lessons/lesson_7.md",
    "taken-from-lessons-one-to-six",
    numbers=[3, 4, 3, 1, 3, 2, 3, 3, 4, 1, 3, 1, 4, 2, 5, 1e-5, 0.1, 100, 5, 1e-6, 1, 2],
)
def test_what_lesson_seven_takes(passage):
    second = math.log(TRUE**2 / FALSE + FALSE**2 / TRUE)
    y = np.linspace(-60, 80, 400_001)
    power = np.trapezoid(np.exp(5 * stats.norm.logpdf(y, 1, 2) - 4 * stats.norm.logpdf(y, 0, 2)), y)
    budget = math.log(power) / 4
    classic = budget + math.log(1e5) / 4
    tight = classic + math.log(1 - 1 / 5) - math.log(5) / 4
    width = stats.laplace(scale=2).std()
    seen = [f"{second:.3f}", f"{budget:.3f}", up(classic, 3), up(tight, 3), up(exact_of_noise(2), 3), "10"]
    assert passage.printed == [*seen, up(advanced(0.1, 100, 5e-6), 3), up(width, 2)]
    assert exact_of_noise(2) < tight < classic


@claim("lessons/lesson_8.md", "taken-from-lessons-one-to-seven", numbers=[0.1, 0, 100, 5, 1e-6, 1, 2, 0.1, 0.01, 0.1])
def test_what_lesson_eight_takes(passage):
    lies = np.arange(101)
    loss, chance = 0.1 * (100 - 2 * lies), stats.binom(100, 1 / (1 + math.exp(0.1))).pmf(lies)
    optimal = optimize.brentq(lambda e: chance @ np.maximum(-np.expm1(e - loss), 0) - 5e-6, 0, 10, xtol=1e-13)
    composed = [f"{100 * 0.1:.0f}", up(advanced(0.1, 100, 5e-6), 3), up(optimal, 3)]
    converted = [up(over_all_orders(tight), 3) for tight in (False, True)]
    exact = exact_of_noise(2)
    y = np.linspace(-10, 12, 200_001)
    without, with_it = stats.norm.pdf(y), stats.norm.pdf(y, 1)

    def step(q):
        """Return the budget at order 2 of a sampled count with σ = 1."""
        return math.log(np.trapezoid((q * with_it + (1 - q) * without) ** 2 / without, y))

    steps = [up(step(0.1), 4), up(step(0.01), 6)]
    assert passage.printed == [up(exact, 3), *composed, f"{1 / (2 * 2**2):.3f}", *converted, *steps]
    assert exact < over_all_orders(True) < over_all_orders(False)
