"""Checks of chapters/gdp_composition.md."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from figures import figures
from scipy import integrate, optimize, stats

from claims import answers, claim
from dp_lib.pld import PrivacyLoss


def normal_epsilon(mu, delta):
    """ε of N(0, 1) against N(μ, 1), by the divergence and a search; 0 where δ is above the total variation."""

    def profile(epsilon):
        above = epsilon / mu + mu / 2
        return stats.norm.sf(above - mu) - math.exp(epsilon) * stats.norm.sf(above) - delta

    return optimize.brentq(profile, 0, 600, xtol=1e-13) if profile(0) > 0 else 0.0


def coins_epsilon(epsilon, k, delta):
    """ε of k coins, by the law of the number of lies, term by term."""
    lies = np.arange(k + 1)
    log_mass = stats.binom.logpmf(lies, k, 1 / (1 + math.exp(epsilon)))
    loss = (k - 2 * lies) * epsilon

    def profile(at):
        return np.sum(np.exp(log_mass[loss > at]) * -np.expm1(at - loss[loss > at])) - delta

    return optimize.brentq(profile, 0, k * epsilon, xtol=1e-13) if profile(0) > 0 else 0.0


def step(mu, k):
    return 2 * math.asinh(mu / (2 * math.sqrt(k)))


@claim("gdp_composition.md", "limit-too-small-for-two-coins", numbers=[0.1, 0.01])
def test_limit_too_small_for_two_coins(passage):
    exact, limit = coins_epsilon(step(0.1, 2), 2, 0.01), normal_epsilon(0.1, 0.01)
    assert passage.printed == [f"{exact:.4f}", f"{limit:.4f}"] and exact > 1.1 * limit


@claim("gdp_composition.md", "limit-below-the-truth")
def test_limit_below_the_truth(passage):
    limit = normal_epsilon(0.01 * math.sqrt(100 * math.expm1(1 / 0.8**2)), 1e-5)
    least = PrivacyLoss.subsampled_gaussian(0.8, 0.01).repeat(100).epsilon(1e-5).lower
    assert passage.printed[0] == f"{limit:.2f}" and limit < float(passage.printed[1]) <= least


@claim("gdp_composition.md", "composition-keeps-domination")
def test_composition_keeps_domination():
    """Two steps, the second chosen by the first answer among mechanisms that a coin of ε₀ = 1 dominates."""
    truth = math.e / (1 + math.e)
    coin = np.array([truth, 1 - truth]), np.array([1 - truth, truth])
    none = np.array([0.5, 0.5]), np.array([0.5, 0.5])
    turned = coin[::-1]
    weak = np.array([0.6, 0.4]), np.array([0.4, 0.6])

    def divergence(p, q, epsilon):
        return np.maximum(p - math.exp(epsilon) * q, 0).sum()

    pair = [np.outer(side, side).ravel() for side in coin]
    for second in [(coin, none), (none, coin), (turned, weak), (coin, turned), (weak, weak)]:
        p, q = (np.concatenate([coin[side][y] * second[y][side] for y in (0, 1)]) for side in (0, 1))
        for epsilon in (0, 0.3, 1, 1.7):
            assert max(divergence(p, q, epsilon), divergence(q, p, epsilon)) <= divergence(*pair, epsilon) + 1e-15
    assert divergence(*pair, 1.5) == pytest.approx(truth**2 * -math.expm1(1.5 - 2))


def curve(p, q, alarms):
    """Least miss rate of any test at these false-alarm rates, P against Q on a few points."""
    order = np.argsort(-p / np.maximum(q, 1e-300))
    q, p = np.append(0, np.cumsum(q[order])), np.append(0, np.cumsum(p[order]))
    return 1 - np.interp(alarms, q, p)


def revealed(epsilon, delta):
    """The pair of (ε, δ)-DP: both symbols, and a bit."""
    truth = 1 / (1 + math.exp(-epsilon))
    p = np.array([delta, (1 - delta) * truth, (1 - delta) * (1 - truth), 0.0])
    return p, p[::-1].copy()


@claim("gdp_composition.md", "pairs-dominate-tightly")
def test_pairs_dominate_tightly():
    """Answers drawn at random, with the δ that they need at some ε, and noise at smaller distances."""
    rng, losses = np.random.default_rng(8), np.exp(np.linspace(-4, 4, 81))

    def profile(p, q):
        return np.array([np.maximum(p - c * q, 0).sum() for c in losses])

    for _ in range(400):
        p, q = rng.dirichlet([0.7] * 5), rng.dirichlet([0.7] * 5)
        whole = np.abs(np.log(p / q)).max()
        for epsilon in (whole, whole / 2, whole / 10, 0.0):
            delta = max(np.maximum(x - math.exp(epsilon) * y, 0).sum() for x, y in [(p, q), (q, p)])
            most = profile(*revealed(epsilon, delta)) + 1e-12
            assert (profile(p, q) <= most).all() and (profile(q, p) <= most).all()
    y = np.linspace(-40, 45, 170_001)
    for law in (stats.laplace, stats.norm):
        whole = [law.pdf(y, at) * (y[1] - y[0]) for at in (0, 0.2, 0.7, 1)]
        most = profile(whole[3], whole[0])
        assert profile(whole[0], whole[3]) == pytest.approx(most, abs=1e-6)
        for nearer in whole[1:3]:
            assert (profile(nearer, whole[0]) <= most + 1e-9).all()


@answers("gdp_composition.md", "pair-dominating-pure-dp", numbers=[1], choices=[[1, 1, 0], [1, 1, 0], [0.5], [2]])
def test_question_pair_dominating_pure_dp(question):
    """At c = 1 the integral is half of the distance of the two laws, and that of a 1-DP coin is the largest possible.

    Of the pair that is left, the profile is nowhere below that of the coin: both are sums over two answers.
    """
    coin = 2 / (1 + math.exp(-1)) - 1
    y = np.linspace(-40, 41, 810_001)
    apart = {law: np.trapezoid(np.abs(law.pdf(y, 1) - law.pdf(y)), y) / 2 for law in (stats.laplace, stats.norm)}

    def profile(epsilon, c):
        truth = 1 / (1 + math.exp(-epsilon))
        return max(truth - c * (1 - truth), 0) + max(1 - truth - c * truth, 0)

    half, twice = (
        all(profile(epsilon, c) >= profile(1, c) - 1e-12 for c in np.geomspace(1e-4, 1e4, 2001)) for epsilon in (0.5, 2)
    )
    assert question.right == [apart[stats.laplace] >= coin, apart[stats.norm] >= coin, half, twice]
    assert question.printed == [f"{x:.3f}" for x in (coin, apart[stats.laplace], apart[stats.norm])]


@claim("gdp_composition.md", "berry-esseen-error", numbers=[100, 500, 1e-05])
def test_berry_esseen_error(passage):
    truth = 1 / (1 + math.exp(-0.01))
    mean = 0.01 * (2 * truth - 1)
    moments = [truth * abs(0.01 - mean) ** n + (1 - truth) * abs(-0.01 - mean) ** n for n in (2, 3)]
    gamma = 0.56 * moments[1] / moments[0] ** 1.5 / math.sqrt(10_000)
    assert passage.gives(round(100 * gamma, 2)) and gamma > 500e-5


@answers("gdp_composition.md", "exact-epsilon-of-many-coins", numbers=[1, 1e-05])
def test_question_exact_epsilon_of_many_coins(question):
    epsilons = [coins_epsilon(step(1, k), k, 1e-5) for k in (4, 10, 100, 1000, 10_000)]
    limit = normal_epsilon(1, 1e-5)
    towards = abs(epsilons[-1] / limit - 1) < 0.01
    assert question.right == [
        all(abs(epsilon / limit - 1) < 0.01 for epsilon in epsilons),
        towards and max(epsilons) < limit and epsilons == sorted(epsilons),
        towards and epsilons[0] > limit,
        towards and max(epsilons) > limit,
    ]


@claim("gdp_composition.md", "average-of-two-counts", numbers=[2])
def test_average_of_two_counts(passage):
    """The miss rates of the average of two N(1, 1) against that of two N(0, 1), and of a distance of 2."""
    t = stats.norm.isf(0.05, scale=1 / math.sqrt(2))
    missed = 100 * stats.norm.cdf(t, loc=1, scale=1 / math.sqrt(2))
    added = 100 * stats.norm.cdf(stats.norm.isf(0.05) - 2)
    assert passage.printed[:2] == [f"{1 / math.sqrt(2):.2f}", f"{math.sqrt(2):.2f}"]
    assert passage.printed[2] == f"{missed:.0f}" and int(passage.printed[3]) <= added < missed


def mean_loss(*sigmas):
    """Mean of the total loss of counts with these σ, by an integral for each: it is μ²/2 for normal pairs."""

    def integrand(y, sigma):
        lost = stats.norm.logpdf(y, 1, sigma) - stats.norm.logpdf(y, 0, sigma)
        return stats.norm.pdf(y, 1, sigma) * lost

    return sum(integrate.quad(integrand, -20 * sigma, 20 * sigma, args=(sigma,))[0] for sigma in sigmas)


@claim("gdp_composition.md", "noise-of-the-last-count", numbers=[3])
def test_noise_of_the_last_count():
    assert mean_loss(1.5, 1.5, 3) == pytest.approx(1 / 2) and mean_loss(1.5, 1.5, 2.99) > 1 / 2


@claim("gdp_composition.md", "noise-of-four-more-counts", numbers=[6, 2, 4])
def test_noise_of_four_more_counts():
    assert mean_loss(1.5, 1.5, 6, 6, 6, 6) == pytest.approx(1 / 2) and mean_loss(1.5, 1.5, 6, 6, 6, 5.99) > 1 / 2
    assert [6 / 3, 12 / 3] == [2, 4]


def two_steps(factor):
    """The largest δ at e^ε = factor of a ln 2-DP bit and a ln 3-DP bit that the first one chooses, among some bits."""
    worst = Fraction(0)

    def bits(most):
        """Pairs of the probabilities of an answer 1, with the row and without it."""
        truth = Fraction(most, 1 + most)
        half, third = Fraction(1, 2), Fraction(1, 3)
        return [(truth, 1 - truth), (1 - truth, truth), (half, half), (third, third / most), (third / most, third)]

    for first in bits(2):
        for after in itertools.product(bits(3), repeat=2):
            outcomes = [
                (first_p * second_p, first_q * second_q)
                for (first_p, first_q), (p, q) in zip([(1 - first[0], 1 - first[1]), first], after, strict=True)
                for second_p, second_q in [(p, q), (1 - p, 1 - q)]
            ]
            for swapped in (False, True):
                rows = [(q, p) if swapped else (p, q) for p, q in outcomes]
                worst = max(worst, sum(max(p - factor * q, Fraction(0)) for p, q in rows))
    return worst


@claim("gdp_composition.md", "delta-of-two-different-pairs", numbers=[3, 0.25])
def test_delta_of_two_different_pairs():
    assert two_steps(3) == Fraction(1, 4)


@claim("gdp_composition.md", "advantage-against-two-different-pairs", numbers=[0, 0.5])
def test_advantage_against_two_different_pairs():
    assert two_steps(1) == Fraction(1, 2)


@claim("gdp_composition.md", "limit-within-five-per-cent", numbers=[1e-5, 95, 40, 50, 1e-9, 95, 63, 79])
def test_limit_within_five_per_cent(passage):
    """At all stops of the figure's slider."""
    (shown,) = [each for each in figures("gdp_composition") if each.name == "coins-become-normal"]
    stops, printed = [int(k) for k in shown.x.stops], []
    for delta, before, first in [(1e-5, 40, 50), (1e-9, 63, 79)]:
        limit, exact = normal_epsilon(1, delta), {k: coins_epsilon(step(1, k), k, delta) for k in stops}
        assert [k for k in stops if abs(exact[k] - limit) < 0.05 * limit] == [k for k in stops if k >= first]
        assert stops[stops.index(before) + 1] == first
        printed += [limit, 0.95 * limit, exact[before], exact[first]]
    assert passage.printed == [f"{epsilon:.2f}" for epsilon in printed]


@claim("gdp_composition.md", "error-at-fifty-answers", numbers=[50, 1e-5])
def test_error_at_fifty_answers(passage):
    """With the third moment itself, and not its value in the limit."""
    epsilon = step(1, 50)
    truth = 1 / (1 + math.exp(-epsilon))
    mean = epsilon * (2 * truth - 1)
    second, third = (truth * abs(epsilon - mean) ** n + (1 - truth) * abs(epsilon + mean) ** n for n in (2, 3))
    gamma = 0.56 * third / second**1.5 / math.sqrt(50)
    assert passage.printed == [f"{gamma:.2f}"] and gamma > 2000 * 1e-5
