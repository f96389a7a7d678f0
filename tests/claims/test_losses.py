"""Checks of chapters/losses.md."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, at_rest, claim
from claims.test_gdp_composition import coins_epsilon, curve, normal_epsilon, revealed
from dp_lib.pld import PrivacyLoss


def tight(rho, delta):
    """zCDP's tight conversion, over a fine grid of orders."""
    over = np.geomspace(1e-3, 1e6, 400_000)
    alpha = 1 + over
    return (rho * alpha + np.log1p(-1 / alpha) - np.log(delta * alpha) / over).min()


@claim("losses.md", "discount-against-tail", numbers=[2])
def test_discount_against_tail(passage):
    def tail(mu):
        return mu**2 / 2 + mu * stats.norm.isf(1e-5)

    assert passage.printed == [f"{math.ceil(100 * proved) / 100:.2f}" for proved in (tail(2), tight(2, 1e-5))]
    better = [tight(mu**2 / 2, 1e-5) < tail(mu) for mu in (math.sqrt(500) / 200, 0.5, 1, 1.15, 1.25, 2, 5)]
    assert better == [True, True, True, True, False, False, False]


@claim("losses.md", "what-is-forgotten.alt", numbers=[4, 10])
def test_alt_what_is_forgotten():
    seen = at_rest("losses.md", "what-is-forgotten")
    both = np.array([seen["one point, optimal"], seen["one point, advanced"]])
    assert both.min() > 4 and both.max() < 10


@claim("losses.md", "what-is-forgotten.alt", numbers=[4, 3, 0.5])
def test_alt_what_is_forgotten_four_lie_three():
    seen = at_rest("losses.md", "what-is-forgotten")
    others = np.array([seen[name] for name in ("one moment, RDP", "all moments, zCDP", "tail", "zCDP, tight")])
    assert others.min() >= 1 and others.max() < 3.5 and (others[:, -1] > others[:, -20]).all()


@claim("losses.md", "lattice-bracket.alt")
def test_alt_lattice_bracket():
    seen = at_rest("losses.md", "lattice-bracket")
    up, down, dots = seen["round up"], seen["round down"], seen["dots connected"]
    assert (up > 1).all() and (np.diff(up) < 0).all() and (down < 1).all() and (np.diff(down) > 0).all()
    assert max(up[-1] - 1, 1 - down[-1]) < 0.002
    assert 0.01 < dots[0] - 1 < 0.05 and abs(dots[3:] - 1).max() < 0.001


@claim("losses.md", "least-mu-of-a-coin", numbers=[1, 1, 1])
def test_least_mu_of_a_coin(passage):
    rate = 1 / (1 + math.e)
    least = optimize.brentq(lambda mu: stats.norm.cdf(stats.norm.isf(rate) - mu) - rate, 0.1, 5)
    assert passage.printed[:1] == [f"{least:.3f}"]
    a = np.linspace(1e-6, 1, 1001)
    assert (stats.norm.cdf(stats.norm.isf(a) - least) <= curve(*revealed(1, 0), a) + 1e-9).all()


@claim("losses.md", "claim-over-exact")
def test_claim_over_exact(passage):
    """The best order by a grid of orders, the moments by the closed form of two exponentials."""
    worst = 1.0
    for doublings in (0, 2, 4, 6, 8, 10):
        k, alpha = 2**doublings, 1 + np.geomspace(1e-2, 60, 4000)
        moment = (alpha * np.exp(alpha - 1) + (alpha - 1) * np.exp(-alpha)) / (2 * alpha - 1)
        claim = k * np.log(moment) / (alpha - 1) + np.log1p(-1 / alpha) - np.log(1e-6 * alpha) / (alpha - 1)
        exact = PrivacyLoss.laplace(1).repeat(k).epsilon(1e-6).upper
        worst = max(worst, min(claim.min(), k) / exact)
    excess, bound = passage.printed
    assert worst <= float(bound) + 1e-9 and excess == f"{100 * (min(claim.min(), k) / exact - 1):.1f}"  # at k = 1024


@claim("losses.md", "excess-of-connected-dots", numbers=[0.25, 2, 4])
def test_excess_of_connected_dots(passage):
    assert float(passage.printed[1]) / float(passage.printed[0]) == pytest.approx(0.25, abs=0.06)


def added(one, buckets):
    """Return ε at δ = 10⁻⁶ of 50 answers, from the probabilities of one loss on -1, ..., 1, convolved one by one."""
    total = np.ones(1)
    for _ in range(50):
        total = np.convolve(total, one)
    loss = np.linspace(-50, 50, 50 * buckets + 1)

    def profile(at):
        return np.sum(np.maximum(total * -np.expm1(at - loss), 0)[loss > at]) - 1e-6

    return optimize.brentq(profile, 0, 50)


def one_laplace(buckets, split):
    """Return the loss of one Laplace answer of ε₀ = 1; split(p, q, low, high) goes to the upper end of a bucket."""
    points = np.linspace(-1, 1, buckets + 1)
    one = np.zeros(buckets + 1)
    one[0], one[-1] = math.exp(-1) / 2, 0.5
    for i, (low, high) in enumerate(itertools.pairwise(points)):
        p = integrate.quad(lambda loss: math.exp((loss - 1) / 2) / 4, low, high)[0]
        q = integrate.quad(lambda loss: math.exp((loss - 1) / 2 - loss) / 4, low, high)[0]
        up = split(p, q, low, high)
        one[i : i + 2] += p - up, up
    return one


def on_both(p, q, low, high):
    """Return the part that goes up if both probabilities are kept."""
    return np.linalg.solve([[1, 1], [math.exp(-low), math.exp(-high)]], [p, q])[1]


@answers("losses.md", "gap-with-twice-the-buckets", numbers=[4, 2], choices=[[], [0.5], [0.25], [0.1]])
def test_question_gap_with_twice_the_buckets(question):
    exact = PrivacyLoss.laplace(1).repeat(50).epsilon(1e-6).lower
    few, more = (added(one_laplace(buckets, on_both), buckets) - exact for buckets in (2, 4))
    assert question.right == [abs(more / few - ratio) < 0.03 for ratio in (1, 0.5, 0.25, 0.1)]
    assert question.printed[-4:-2] == [f"{few:.2f}", f"{more:.2f}"]


@claim("losses.md", "gap-between-rounded-bounds", numbers=[0.5, 16, 32])
def test_gap_between_rounded_bounds(passage):
    gaps = [
        added(one_laplace(buckets, lambda p, *_: p), buckets) - added(one_laplace(buckets, lambda *_: 0), buckets)
        for buckets in (16, 32)
    ]
    assert passage.printed == [f"{gap:.2f}" for gap in gaps] and gaps[1] / gaps[0] == pytest.approx(0.5, abs=0.03)


@claim("losses.md", "one-loss-on-two-points", numbers=[2, 0.5, 0.75, 0.75, 0.5])
def test_one_loss_on_two_points(passage):
    """Dividing one loss keeps both probabilities, and its δ is never above that of rounding up."""
    up = on_both(1, 0.5, 0.5, 0.75)
    assert passage.printed == [f"{100 * up:.0f}"] and 0 < up < 1
    for epsilon in np.linspace(-1, 1, 201):
        exact, low, high = (max(1 - math.exp(epsilon - loss), 0) for loss in (math.log(2), 0.5, 0.75))
        assert exact - 1e-12 <= (1 - up) * low + up * high <= high + 1e-12


@claim("losses.md", "chernoff-against-tail", numbers=[4])
def test_chernoff_against_tail(passage):
    best = min(math.exp(rate**2 / 2 - 4 * rate) for rate in np.linspace(0, 8, 8001))
    assert passage.printed == [f"{4 * math.sqrt(2 * math.pi):.1f}", f"{best / stats.norm.sf(4):.1f}"]
    for x in (0.01, 1, 4, 8):
        assert stats.norm.sf(x) < math.exp(-(x**2) / 2) / (x * math.sqrt(2 * math.pi))


@claim("losses.md", "chernoff-and-tail-at-two-deltas", numbers=[1e-5, 1e-12])
def test_chernoff_and_tail_at_two_deltas(passage):
    """Where each of the two falls to δ, in standard deviations, rounded up, and the difference."""
    said = []
    for delta in (1e-5, 1e-12):
        chernoff = optimize.brentq(lambda x, delta=delta: math.exp(-(x**2) / 2) - delta, 1, 20, xtol=1e-12)
        tail = stats.norm.isf(delta)
        said += [math.ceil(100 * chernoff) / 100, math.ceil(100 * tail) / 100, round(chernoff - tail, 2)]
    assert passage.printed == [f"{number:.2f}" for number in said]
    assert chernoff / tail < math.sqrt(-2 * math.log(1e-5)) / stats.norm.isf(1e-5)


@answers("losses.md", "zcdp-over-exact-as-delta-shrinks", numbers=[0.001, 1e-12, 200, 500])
def test_question_zcdp_over_exact_as_delta_shrinks(question):
    rho = 500 / (2 * 200**2)
    ratios = [
        (rho + 2 * math.sqrt(rho * math.log(1 / delta))) / normal_epsilon(math.sqrt(2 * rho), delta)
        for delta in 10.0 ** -np.arange(3, 13)
    ]
    assert question.right == [
        ratios[-1] > ratios[0],
        ratios == sorted(ratios, reverse=True),
        ratios[-1] > 0.95 * ratios[0],
    ]


@answers("losses.md", "least-claim-above-exact", numbers=[1000, 0.1, 1e-06], choices=[[6], [40], [2], [5]])
def test_question_least_claim_above_exact(question):
    """The replies say whose the other ratios are, and compare the terms of zCDP and of advanced composition."""
    delta, rho, exact = 1e-6, 1000 * 0.1 * math.tanh(0.05), coins_epsilon(0.1, 1000, 1e-6)
    root, other = 0.1 * math.sqrt(2 * 1000 * math.log(1 / delta)), 1000 * 0.1 * math.expm1(0.1)
    zcdp_root = 2 * math.sqrt(rho * math.log(1 / delta))
    assert zcdp_root == pytest.approx(root, rel=1e-3) and 1.9 < other / rho < 2.2
    ratios = [claimed / exact for claimed in (tight(rho, delta), rho + zcdp_root, root + other, 100)]
    assert ratios[2] == pytest.approx(1.4, abs=0.02) and ratios[3] == pytest.approx(5, abs=0.2)
    percents = [f"{100 * (ratio - 1):.0f}" for ratio in ratios[:3]]
    assert question.printed[:4] == [*percents, f"{ratios[3]:.1f}"]
    assert question.right == [abs(ratios[0] - ratio) < 0.02 for ratio in (1.06, 1.4, 2, 5)]


@answers("losses.md", "cost-of-treating-answers-as-coins", numbers=[64, 1, 1e-06], choices=[[15], [22], [60], [4]])
def test_question_cost_of_treating_answers_as_coins(question):
    """A reply says that the second choice is right for 1024 answers."""
    cost = coins_epsilon(1, 64, 1e-6) / PrivacyLoss.laplace(1).repeat(64).epsilon(1e-6).upper
    assert question.names["laplace_ratio"]("optimal composition", 1.0, 1024, 1e-6) == pytest.approx(1.22, abs=0.005)
    assert question.right == [abs(cost - 1.15) < 0.03, abs(cost - 1.22) < 0.03, abs(cost - 1.6) < 0.1, cost > 3]


@claim("losses.md", "coins-and-laplace-without-delta", numbers=[0])
def test_coins_and_laplace_without_delta():
    """All losses can be at their largest together, so at δ = 0 the sum is exact."""
    for k, epsilon in [(1, 1.0), (7, 0.3)]:
        coins_all_true = (math.exp(epsilon) / (1 + math.exp(epsilon))) ** k
        assert coins_all_true - math.exp(k * epsilon * 0.999) * (1 / (1 + math.exp(epsilon))) ** k > 0
        assert (
            0.5**k - math.exp(k * epsilon * 0.999) * (0.5 * math.exp(-epsilon)) ** k > 0
        )  # all Laplace answers below 0


@claim("losses.md", "one-loss-four-ways")
def test_one_loss_four_ways():
    """By the probabilities of the two answers under P and Q, which each way moves to points of the lattice."""
    true_p, true_q = 3 / 4, 1 / 4  # of the true answer, on your table and on the neighbour

    def delta(parts):  # (probability under P, loss), so that under Q it is divided by e^loss
        return sum(max(p - 2 * p / math.exp(loss), 0) for p, loss in parts)

    exactly = max(true_p - 2 * true_q, 0) + max(true_q - 2 * true_p, 0)
    share = optimize.brentq(lambda w: true_p * (w / 4 + (1 - w) / 2) - true_q, 0, 1)
    found = [
        exactly,
        delta([(true_p, math.log(4)), (1 / 4, -math.log(2))]),
        delta([(true_p, math.log(2)), (1 / 4, -math.log(4))]),
        delta([(true_p * share, math.log(4)), (true_p * (1 - share), math.log(2))]),
    ]
    assert share == pytest.approx(2 / 3) and found == pytest.approx([1 / 4, 3 / 8, 0, 1 / 4])


@claim("losses.md", "delta-from-the-tail")
def test_delta_from_the_tail():
    """For a normal loss with mean μ²/2 and deviation μ, against Gaussian noise's own profile; and for two answers."""
    for mu, epsilon in ((1, 0.5), (0.3, 1), (2, 3)):
        loss = stats.norm(mu**2 / 2, mu)
        weighted, _ = integrate.quad(lambda x, e=epsilon, loss=loss: math.exp(e - x) * loss.sf(x), epsilon, math.inf)
        cut = epsilon / mu + mu / 2
        assert weighted == pytest.approx(stats.norm.sf(cut - mu) - math.exp(epsilon) * stats.norm.sf(cut), rel=1e-6)
        assert weighted <= loss.sf(epsilon)
    assert pytest.approx(2 / 9) == 4 / 9 - 2 * 1 / 9  # both answers true, on one table and on the other
