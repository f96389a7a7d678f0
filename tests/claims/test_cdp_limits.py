"""Checks of chapters/cdp_limits.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from claims import answers, at_rest, claim
from claims.test_cdp import responses


def laplace_moment(lam, epsilon):
    """E exp(λL) of a Laplace count, by its atoms at ±ε and an integral between."""
    between = mpmath.quad(lambda t: mpmath.exp(lam * t + (t - epsilon) / 2) / 4, [-epsilon, epsilon])
    return mpmath.exp(lam * epsilon) / 2 + mpmath.exp(-(1 + lam) * epsilon) / 2 + between


def needed(lam, moment, mean):
    """The τ whose parabola just reaches the centred moment at λ."""
    return float(mpmath.sqrt(2 * (mpmath.log(moment) - lam * mean))) / abs(lam)


@claim("cdp_limits.md", "large-losses-have-a-larger-mean", numbers=[3, 0.5])
def test_large_losses_have_a_larger_mean(passage):
    p = np.exp(3) / (1 + np.exp(3))
    for k in (1, 10, 100_000):
        truths = np.arange(k + 1)
        mass, loss = binom.pmf(truths, k, p), (2.0 * truths - k) * 3
        mean = mass @ loss
        assert passage.printed == [f"{mean / (mass @ (loss - mean) ** 2 / 2):.2f}"]
    standardised = (np.arange(100_001) + 0.5 - 100_000 * p) / np.sqrt(100_000 * p * (1 - p))
    assert abs(np.cumsum(mass) - norm.cdf(standardised)).max() < 1e-3  # a bell it is


@claim("cdp_limits.md", "small-losses-add-to-a-normal", numbers=[0.5])
def test_small_losses_add_to_a_normal():
    for epsilon in (0.01, 0.1, 0.3):
        p = np.exp(epsilon) / (1 + np.exp(epsilon))
        assert (2 * p - 1) * epsilon / (2 * p * (1 - p) * epsilon**2) == pytest.approx(1, abs=0.02)


@claim("cdp_limits.md", "tau-towards-one-and-two-people")
def test_tau_towards_one_and_two_people(passage):
    def standard(p, q):
        """By a search over λ of both signs."""
        high, low = np.log(p / q), np.log((1 - p) / (1 - q))
        mean = p * high + (1 - p) * low
        lam = np.concatenate([-np.geomspace(1e-3, 30, 40_000), np.geomspace(1e-3, 30, 40_000)])
        moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * mean
        return np.sqrt((2 * moment / lam**2).max())

    a, b, c = 3e-10, 7e-4, 0.97
    one = max(standard(a, b), standard(b, a), standard(b, c), standard(c, b))
    two = max(standard(a, c), standard(c, a))
    assert [float(each) for each in passage.printed] == pytest.approx([one, one, 2 * one, two], abs=0.006)
    assert two > 2 * one


@claim("cdp_limits.md", "deviation-suffices-for-positive-lambda")
def test_deviation_suffices_for_positive_lambda(passage):
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    right = [needed(lam, laplace_moment(lam, 1), mean) for lam in np.geomspace(0.01, 50, 60)]
    deviation = float(mpmath.sqrt(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0, 2) - mean**2))
    assert passage.printed == [f"{deviation:.3f}"] and max(right) <= deviation


@claim("cdp_limits.md", "tau-holds-on-the-right-only")
def test_tau_holds_on_the_right_only():
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    assert all(needed(lam, laplace_moment(lam, 1), mean) < 0.83 for lam in np.geomspace(0.01, 50, 60))
    assert needed(-1, laplace_moment(-1, 1), mean) > 0.83


@answers("cdp_limits.md", "parabola-above-laplace-curve", numbers=[1], choices=[[0.5], [0.83], [0.9], [1]])
def test_question_parabola_above_laplace_curve(question):
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    both = [*np.geomspace(0.01, 50, 40), *-np.geomspace(0.01, 50, 40), -1]
    least = max(needed(lam, laplace_moment(lam, 1), mean) for lam in both)
    holds = {tau: tau >= least for tau in (0.5, 0.83, 0.9)}
    assert question.right == [*holds.values(), not any(holds.values())]
    curve = float(mpmath.log(laplace_moment(-1, 1)) + mean)
    assert (round(0.83**2 / 2, 2), round(curve, 2)) == (0.34, 0.37)  # what a reply says


@answers("cdp_limits.md", "when-cdp-beats-the-sum", numbers=[0.1, 1e-05], choices=[[3], [12], [24], [26]])
def test_question_when_cdp_beats_the_sum(question):
    mean = 0.1 * np.tanh(0.05)

    def beats(k):
        return k * mean + np.sqrt(2 * mean * k * 2 * np.log(1e5)) < 0.1 * k

    assert question.right == [beats(k) and not beats(k - 1) for k in (3, 12, 24, 26)]
    widths = [np.sqrt(2 * mean * k * 2 * np.log(1e5)) for k in (23, 24)]  # a reply is about the widths alone
    assert widths[0] > 2.3 and widths[1] < 2.4


@answers(
    "cdp_limits.md",
    "bars-of-a-hundred-responses",
    numbers=[0.5, 0.5, 0.5, 50, 50, 95, 100],
    choices=[[10], [20], [25], [50]],
)
def test_question_bars_of_a_hundred_responses(question):
    losses, mass = responses(100, 0.5)
    mean = mass @ losses
    deviation = np.sqrt(mass @ (losses - mean) ** 2)
    heights = mass * deviation / 1.0  # the bars are 2ε = 1 wide
    apart = abs(heights - norm.pdf((losses - mean) / deviation)).max()
    assert apart < 0.02  # the bell that the explanation speaks of
    printed = [f"{deviation / 10:.2f}", f"{deviation:.1f}", f"{heights.max():.3f}", f"{norm.pdf(0):.3f}"]
    assert question.printed == printed
    within = {distance: mass[abs(losses - mean) <= distance].sum() for distance in (10, 20, 25, 50)}
    assert question.right == [abs(share - 0.95) < 0.02 for share in within.values()] and round(within[10], 2) == 0.96


@claim("cdp_limits.md", "cdp-composition.alt")
def test_alt_cdp_composition():
    c = at_rest("cdp_limits.md", "cdp-composition")
    k, last = c["k"], -1
    assert np.ptp(c["pure"] / k) < 1e-12 and c["pure"][last] > 2 * c["CDP"][last]
    for name in ("CDP", "optimal"):
        assert 1.6 < c[name][last] / c[name][np.searchsorted(k, 50)] < 2.4
    assert (c["optimal"] <= c["CDP"]).all() and c["mean loss"][last] <= 1


@claim("cdp_limits.md", "smallest-number-at-two-deltas", numbers=[16, 46])
def test_smallest_number_at_two_deltas(passage):
    """The smallest numbers by trying one number after another, and the bounds by bisection."""
    mean = 0.1 * np.expm1(0.1) / (np.exp(0.1) + 1)

    def excess(k, delta):
        return k * mean + np.sqrt(2 * mean * k * 2 * np.log(1 / delta)) - 0.1 * k

    for delta, printed in zip((1e-3, 1e-9), passage.printed, strict=True):
        assert passage.gives(next(k for k in range(1, 201) if excess(k, delta) < 0))
        assert printed == f"{brentq(excess, 1, 200, args=(delta,)):.1f}"


@claim("cdp_limits.md", "widths-in-both-orders")
def test_widths_in_both_orders(passage):
    """The widths by a search over λ of both signs, and half of the distance."""

    def width(p, q):
        high, low = np.log(p / q), np.log((1 - p) / (1 - q))
        lam = np.concatenate([-np.geomspace(1e-3, 30, 40_000), np.geomspace(1e-3, 30, 40_000)])
        moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
        return np.sqrt((2 * moment / lam**2).max()), (high - low) / 2

    (first, half), (second, other) = width(1 / 5, 1 / 65), width(1 / 65, 1 / 5)
    assert half == pytest.approx(np.log(4)) and half == pytest.approx(-other)
    assert passage.printed == [f"{first:.2f}", f"{second:.2f}", f"{half:.2f}"] and second < first < half


@claim("cdp_limits.md", "ten-true-answers", numbers=[0.1, 0.9])
def test_ten_true_answers(passage):
    """All ten answers are true, the total loss is 1, and by the formula of δ(ε) this loss alone exceeds δ."""
    true = (1 / (1 + np.exp(-0.1))) ** 10
    part = true * (1 - np.exp(0.9 - 1))
    assert passage.printed == [f"{true:.4f}", f"{np.floor(1e5 * part) / 1e5:.5f}"]
    assert part > 1e-5
