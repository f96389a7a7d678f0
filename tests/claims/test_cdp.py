"""Checks of chapters/cdp.md."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, laplace, norm

from claims import answers, at_rest, claim


@claim("cdp.md", "mean-and-deviation-of-100-losses", numbers=[0.5, 0.1, 100, 1])
def test_mean_and_deviation_of_100_losses(passage):
    truths, p = np.arange(101), np.exp(0.1) / (1 + np.exp(0.1))
    mass, loss = binom.pmf(truths, 100, p), (2 * truths - 100) * 0.1
    mean = mass @ loss
    deviation = np.sqrt(mass @ (loss - mean) ** 2)
    assert passage.printed == [f"{mass @ truths:.1f}", f"{mass @ (100 - truths):.1f}"]
    assert mean == pytest.approx(0.5, abs=0.005) and deviation == pytest.approx(1, abs=0.005)
    assert (10 - mean) / deviation > 9


@answers("cdp.md", "loss-when-sigma-triples", numbers=[1, 3], choices=[[3], [3, 9], [9, 3], [9]])
def test_question_loss_when_sigma_triples(question):
    def moments(sigma):
        def loss(y):
            return ((y - 1) ** 2 - y**2) / (2 * sigma**2)

        mean = quad(lambda y: loss(y) * norm.pdf(y, 0, sigma), -20, 20)[0]
        return mean, np.sqrt(quad(lambda y: (loss(y) - mean) ** 2 * norm.pdf(y, 0, sigma), -20, 20)[0])

    (mean, deviation), (less_mean, less_deviation) = moments(1), moments(3)
    found = round(mean / less_mean), round(deviation / less_deviation)
    assert question.right == [found == (3, 3), found == (3, 9), found == (9, 3), found == (9, 9)]


@answers("cdp.md", "how-often-loss-is-exactly-one", numbers=[1, 1, 1, 1], choices=[[], [100], [0.5], [9, 10]])
def test_question_how_often_loss_is_exactly_one(question):
    noise = np.random.default_rng(1).laplace(size=100_000)
    share = np.mean(abs(noise - 1) - abs(noise) >= 1 - 1e-12)
    assert question.right == [share == 0, abs(share - 0.01) < 0.005, abs(share - 0.5) < 0.01, share > 0.8]


@answers("cdp.md", "share-of-tail-bound-used", numbers=[4, 3.4, 0.0001], choices=[[9], [0.5], [0.1], []])
def test_question_share_of_tail_bound_used(question):
    share = norm.sf(4) / np.exp(-8)
    assert question.right == [share > 0.9, 0.3 < share < 0.7, 0.07 < share < 0.15, share < 1e-5]


def responses(k, epsilon):
    """Losses of k randomized responses together, and their probabilities."""
    truths, p = np.arange(k + 1), np.exp(epsilon) / (1 + np.exp(epsilon))
    return (2.0 * truths - k) * epsilon, binom.pmf(truths, k, p)


@answers("cdp.md", "odds-in-all-but-one-case", numbers=[100000], choices=[[22000], [5000], [100], [3]])
def test_question_odds_in_all_but_one_case(question):
    losses, mass = responses(100, 0.1)
    beyond = np.array([mass[losses > loss].sum() for loss in losses])
    unlucky = losses[beyond <= 1e-5].min()
    factor = np.exp(unlucky)
    assert question.printed[:2] == [f"{np.ceil(factor):.0f}", f"{unlucky:.1f}"] == ["100", "4.6"]
    assert mass[losses > np.log(99)].sum() > 1e-5  # 99 is passed more often than the question allows
    assert question.right == [factor > 20_000, 4000 < factor < 6000, 90 < factor < 110, factor < 4]
    assert abs(mass @ losses - 0.5) < 0.01 and abs(np.sqrt(mass @ losses**2 - (mass @ losses) ** 2) - 1) < 0.01
    assert mass[losses > np.log(3)].sum() > 0.2  # many patients exceed a factor of 3


@claim("cdp.md", "bound-is-a-line-in-alpha")
def test_bound_is_a_line_in_alpha():
    """The bridge, on random pairs of coins, with the standard found by a search."""
    for p, q in np.random.default_rng(4).uniform(0.02, 0.98, size=(40, 2)):
        high, low = np.log(p / q), np.log((1 - p) / (1 - q))
        mean = p * high + (1 - p) * low
        lam = np.concatenate([-np.geomspace(1e-3, 60, 4000), np.geomspace(1e-3, 60, 4000)])
        moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low)
        tau2 = (2 * (moment - lam * mean) / lam**2).max()
        right = lam > 0
        assert (moment[right] / lam[right] <= mean + lam[right] * tau2 / 2 * (1 + 1e-9) + 1e-12).all()


@claim("cdp.md", "hundred-answers.alt", numbers=[6, 10])
def test_alt_hundred_answers():
    c = at_rest("cdp.md", "hundred-answers")
    tail, bound, loss = c["k answers"], c["what CDP says"], c["loss"]
    shown = tail > 1e-9
    assert c.falls("k answers").all() and (tail[shown] <= bound[shown]).all()
    assert 5.5 < loss[shown].max() < 7 and c["pure ε", "x"] == pytest.approx(10)
    steps = np.log(tail[[10, 20, 30, 40, 50]])
    assert (np.diff(steps, 2) < 0).all()


@claim("cdp.md", "loss-histogram.claims")
def test_claims_loss_histogram():
    """The Gaussian loss, N(1/2σ², 1/σ²), can exceed ε even with the most noise, and the Laplace loss cannot."""
    y = np.linspace(-30, 30, 6001)
    for epsilon in (0.3, 2):
        assert norm.sf(epsilon, 1 / (2 * 4**2), 1 / 4) > 0
        assert (laplace.logpdf(y, 0, 1 / epsilon) - laplace.logpdf(y, 1, 1 / epsilon)).max() <= epsilon + 1e-12


@claim("cdp.md", "tails.alt", numbers=[16])
def test_alt_tails():
    c = at_rest("cdp.md", "tails")
    t, stairs, normal = c["t"], c["k rand. responses"], c["Gaussian"]
    assert (c["bound"] / normal).min() > 1.9 and 15 < (c["bound"] / normal).max() < 16
    over = stairs > normal
    assert over.any() and not over[(t > 1.9) & (t < 2.4)].any() and 2.3 < t[~np.isnan(stairs)].max() < 2.6


@claim("cdp.md", "tail-of-200-responses", numbers=[200, 0.2, 2, 2, 2.1])
def test_tail_of_200_responses(passage):
    losses, mass = responses(200, 0.2)
    mean = 200 * 0.2 * np.tanh(0.1)
    tau = np.sqrt(2 * mean)
    stairs = {t: mass[losses >= mean + t * tau - 1e-9].sum() for t in np.arange(0, 61) / 10}
    both = [each for t in (2.0, 2.1) for each in (stairs[t], norm.sf(t))]
    assert passage.printed == [f"{each:.3f}" for each in both] and both[0] < both[1] and both[2] > both[3]
    higher = [t for t, value in stairs.items() if value > norm.sf(t)]
    assert len(higher) > 5 and max(higher) < 5 and len(higher) < 50


@claim("cdp.md", "epsilon-of-100-answers", numbers=[1e-05, 100])
def test_epsilon_of_100_answers(passage):
    mean = 100 * 0.1 * np.tanh(0.05)
    epsilon = mean + np.sqrt(2 * mean * 2 * np.log(1e5))
    assert epsilon <= float(passage.printed[0]) < epsilon + 0.01


@claim("cdp.md", "factor-lost-in-the-tail", numbers=[2])
def test_factor_lost_in_the_tail():
    lost = [np.exp(-(t**2) / 2) / norm.sf(t) / (t * np.sqrt(2 * np.pi)) for t in (1, 3, 6, 20)]
    assert lost[0] > 1.5 and (np.diff(lost) < 0).all() and 1 < lost[-1] < 1.01


@claim("cdp.md", "small-means-for-small-epsilon")
def test_small_means_for_small_epsilon(passage):
    means = {epsilon: np.dot(*responses(1, epsilon)) for epsilon in (0.01, 0.1, 1)}
    assert 0 < means[0.01] < 0.06 * 0.01 and 0 < means[0.1] < 0.06 * 0.1
    laplace = quad(lambda y: np.exp(-abs(y)) / 2 * (abs(y - 1) - abs(y)), -40, 40, points=[0, 1])[0]
    assert passage.printed == [f"{mean:.3f}" for mean in (means[0.1], means[1], laplace)]


@claim("cdp.md", "table-row-delta-of-cdp", numbers=[2, 2, 2])
def test_table_row_delta_of_cdp():
    """Left of the mean the formula would be too small: Gaussian noise with μ = τ = 2 at ε = 0."""
    assert np.exp(-((0 - 2) ** 2) / 8) < 2 * norm.cdf(1) - 1
    for epsilon in np.linspace(2, 12, 50):
        exact = norm.cdf(1 - epsilon / 2) - np.exp(epsilon) * norm.cdf(-1 - epsilon / 2)
        assert exact <= np.exp(-((epsilon - 2) ** 2) / 8)


@claim("cdp.md", "mean-at-most-half-the-square", numbers=[0.5])
def test_mean_at_most_half_the_square():
    """Without that: P always 0 and Q a fair bit lose ln 2 for certain, at a mean of ln 2 and a standard of 0."""
    losses, mass = np.log([1 / 0.5]), np.array([1.0])
    assert losses @ mass > 0 == np.ptp(losses)


@claim("cdp.md", "widths-at-a-small-delta", numbers=[2, 1e-5])
def test_widths_at_a_small_delta(passage):
    widths = np.sqrt(2 * np.log(1e5))
    assert float(passage.printed[0]) == pytest.approx(widths, abs=0.05)
    assert 1 / 8 + widths / 2 <= float(passage.printed[1]) < 1 / 8 + widths / 2 + 0.01


@claim("cdp.md", "loss-of-six-smokers")
def test_loss_of_six_smokers(passage):
    """By the two densities; the mean and the deviation by integrals over what is published."""

    def loss(y):
        return norm.logpdf(y, 6, 2) - norm.logpdf(y, 5, 2)

    mean = quad(lambda y: norm.pdf(y, 6, 2) * loss(y), -30, 40)[0]
    square = quad(lambda y: norm.pdf(y, 6, 2) * loss(y) ** 2, -30, 40)[0]
    assert mean == pytest.approx(1 / 8) and np.sqrt(square - mean**2) == pytest.approx(1 / 2)
    assert passage.printed == [f"{loss(6.8):.3f}", f"{loss(4):.3f}"] == ["0.325", "-0.375"]


@claim("cdp.md", "releases-below-two-widths", numbers=[100, 1.125])
def test_releases_below_two_widths(passage):
    published = np.random.default_rng(6).normal(6, 2, 400_000)
    share = np.mean((2 * published - 11) / 8 < 1.125)
    assert share == pytest.approx(float(passage.printed[0]) / 100, abs=0.005)
    assert float(passage.printed[1]) == pytest.approx(np.exp(1.125), abs=0.05)


@claim("cdp.md", "six-smokers-with-more-noise", numbers=[8, 50, 5, 0.02, 0.2])
def test_six_smokers_with_more_noise(passage):
    """The loss by the two densities, and its mean and deviation by integrals over what is published."""

    def loss(y):
        return norm.logpdf(y, 6, 5) - norm.logpdf(y, 5, 5)

    mean = quad(lambda y: norm.pdf(y, 6, 5) * loss(y), -60, 70)[0]
    square = quad(lambda y: norm.pdf(y, 6, 5) * loss(y) ** 2, -60, 70)[0]
    deviation = np.sqrt(square - mean**2)
    assert (mean, deviation) == (pytest.approx(0.02), pytest.approx(0.2))
    assert passage.printed == [f"{loss(8):.1f}", f"{mean + deviation * np.sqrt(2 * 12.5):.2f}"]


@claim("cdp.md", "fifty-answers", numbers=[3.6, 3.7, 3.3, 1e-5])
def test_fifty_answers(passage):
    losses, mass = responses(50, 0.1)
    mean = losses @ mass
    stops = np.arange(201) / 10
    bound = np.exp(-((np.maximum(stops - mean, 0)) ** 2) / (4 * mean))  # τ² = 2μ
    stairs = np.array([mass[losses >= stop - 1e-9].sum() for stop in stops])
    assert stops[bound <= 1e-5].min() == 3.7 and stops[stairs <= 1e-5].min() == 3.3
    exact = [f"{each:.1e}" for each in (bound[36], bound[37], stairs[33])]
    assert passage.printed == [each.replace("e-05", "·10⁻⁵").replace("e-06", "·10⁻⁶") for each in exact]
    assert losses.max() == pytest.approx(5)


@claim("cdp.md", "answer-true-three-times-in-four")
def test_answer_true_three_times_in_four(passage):
    losses, mass = responses(1, np.log(3))
    mean = losses @ mass
    deviation = np.sqrt(mass @ (losses - mean) ** 2)
    assert passage.printed == [f"{each:.2f}" for each in (mean, deviation, np.sqrt(2 * mean))]


@claim("cdp.md", "tau-needed-at-minus-one", numbers=[1, 2])
def test_tau_needed_at_minus_one():
    """By a finer and wider grid than the exercise has."""
    losses, mass = responses(1, np.log(3))
    mean = losses @ mass
    lam = np.concatenate([-np.geomspace(1e-2, 40, 20_000), [-1.0], np.geomspace(1e-2, 40, 20_000)])
    moment = np.log(mass @ np.exp(np.outer(losses - mean, lam)))
    needed = np.sqrt(2 * moment) / abs(lam)
    assert lam[needed.argmax()] == pytest.approx(-1, abs=0.01) and needed.max() == pytest.approx(np.sqrt(2 * mean))
    assert needed.max() > np.sqrt(mass @ (losses - mean) ** 2)
