"""Checks of chapters/cdp_limits.md."""

import mpmath
import numpy as np
import pytest
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


@answers("cdp_limits.md", "parabola-above-laplace-curve", numbers=[1], choices=[[0.5], [0.7], [0.9], [1]])
def test_question_parabola_above_laplace_curve(question):
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    both = [*np.geomspace(0.01, 50, 40), *-np.geomspace(0.01, 50, 40), -1]
    least = max(needed(lam, laplace_moment(lam, 1), mean) for lam in both)
    holds = {tau: tau >= least for tau in (0.5, 0.7, 0.9)}
    assert question.right == [*holds.values(), not any(holds.values())]


@answers("cdp_limits.md", "when-cdp-beats-the-sum", numbers=[0.1, 1e-05], choices=[[3], [12], [24], [26]])
def test_question_when_cdp_beats_the_sum(question):
    mean = 0.1 * np.tanh(0.05)

    def beats(k):
        return k * mean + np.sqrt(2 * mean * k * 2 * np.log(1e5)) < 0.1 * k

    assert question.right == [beats(k) and not beats(k - 1) for k in (3, 12, 24, 26)]
    widths = [np.sqrt(2 * mean * k * 2 * np.log(1e5)) for k in (23, 24)]  # a reply is about the widths alone
    assert widths[0] > 2.3 and widths[1] < 2.4


@answers("cdp_limits.md", "cuts-with-a-larger-tau", numbers=[2, 0], choices=[[4, 0.3], [0.3], [1], [1]])
def test_question_cuts_with_a_larger_tau(question):
    def over(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        high, low = np.log(p / q), np.log1p(-p) - np.log1p(-q)
        lam = np.concatenate([np.linspace(-8, -0.01, 4000), np.linspace(0.01, 8, 4000)])
        curve = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
        return (2 * curve / lam**2).max() > 4

    found = {cut: over(cut) for cut in (-6, -4, -2, -1, -0.35, -0.2, 0.5, 2.5)}
    assert question.right == [
        all(above == (-4 < cut < -0.3) for cut, above in found.items()),
        all(above == (cut < -0.3) for cut, above in found.items()),
        all(above == (cut < 1) for cut, above in found.items()),
        all(found.values()),
    ]


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


@claim("cdp_limits.md", "one-bit.alt")
def test_alt_one_bit():
    c = at_rest("cdp_limits.md", "one-bit")
    bit, line = c["one bit"], c["whole answer"][0]
    hump, dip = bit.argmax(), bit.argmin()
    assert hump < dip < len(bit) - 1 and bit[-1] < line and bit[dip] < bit[-1]
    assert line < bit[0] < bit[hump] and (np.diff(bit[: hump + 1]) > 0).all()


@claim("cdp_limits.md", "cuts-with-tau-above-two", numbers=[2])
def test_cuts_with_tau_above_two(passage):
    def standard(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
        return gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p)))

    edge = float(passage.printed[0])
    assert all(standard(cut) > 2 for cut in np.linspace(-8, edge, 300)) and standard(edge + 0.02) < 2


@claim("cdp_limits.md", "tau-three-per-cent-above", numbers=[4.2, 1, 4.2, 1])
def test_tau_three_per_cent_above(passage):
    p, q = norm.cdf(-4.2), norm.cdf(-5.2)
    gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
    tau = gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p)))
    assert tau == pytest.approx(1.034, abs=5e-4) and passage.gives(round(100 * (tau - 1)))


@claim("cdp_limits.md", "one-sided-bound-fails", numbers=[0])
def test_one_sided_bound_fails():
    for tau in (0.01, 0.3, 2.0):
        mu = tau**2 / 2
        lam = 2.001 * np.log(2) / mu
        centred = np.logaddexp(-lam * mu / 2, lam * mu / 2 + (lam * tau) ** 2 / 2) - np.log(2)
        assert centred > (lam * tau) ** 2 / 2


@claim("cdp_limits.md", "tau-after-computation", numbers=[2])
def test_tau_after_computation(passage):
    """The bits that cut the answer, in both directions, have no larger mean and no larger τ."""
    lam, tau = np.geomspace(1e-3, 40, 4000), float(passage.printed[0])
    for cut in np.linspace(-8, 8, 65):
        p, q = norm.cdf([cut - 2, cut]), norm.cdf([cut, cut - 2])
        for here, there in (p, q):
            losses = np.log([here / there, (1 - here) / (1 - there)])
            mean = here * losses[0] + (1 - here) * losses[1]
            for sign in (1, -1):
                with np.errstate(divide="ignore"):
                    moment = np.logaddexp(
                        np.log(here) + sign * lam * (losses[0] - mean),
                        np.log1p(-here) + sign * lam * (losses[1] - mean),
                    )
                assert mean <= 2 and np.sqrt(np.maximum(2 * moment, 0) / lam**2).max() <= tau


@claim("cdp_limits.md", "bit-of-the-newspaper", numbers=[1, 3])
def test_bit_of_the_newspaper(passage):
    """Whether a count of 7 or 8 with σ = 1 is below 3: the parameter of its loss, by a search over λ."""
    p, q = norm.cdf(3 - 7), norm.cdf(3 - 8)
    high, low = np.log(p / q), np.log1p(-p) - np.log1p(-q)
    lam = np.concatenate([-np.geomspace(1e-3, 60, 40_000), np.geomspace(1e-3, 60, 40_000)])
    moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
    assert passage.printed == [f"{np.sqrt((2 * moment / lam**2).max()):.3f}"] and float(passage.printed[0]) > 1


@answers("cdp_limits.md", "tau-of-perhaps-answer", numbers=[2], choices=[[1.4], [2], [2.2], [2.8]])
def test_question_tau_of_perhaps_answer(question):
    lam = np.concatenate([-np.geomspace(1e-3, 50, 20_000), np.geomspace(1e-3, 50, 20_000)])
    moment = np.logaddexp(0, 2 * lam + 2 * lam**2) - np.log(2) - lam  # a loss of 0, or of N(2, 2²); its mean is 1
    tau = np.sqrt((2 * moment / lam**2).max())
    assert question.right == [
        tau == pytest.approx(np.sqrt(2), rel=0.01),
        tau == pytest.approx(2, rel=1e-3),
        tau == pytest.approx(2.2, abs=0.05),
        tau == pytest.approx(2 * np.sqrt(2), rel=0.01),
    ]


@claim("cdp_limits.md", "looking-first.alt")
def test_alt_looking_first():
    seen = at_rest("cdp_limits.md", "looking-first")
    own, budget, line = seen["about its own mean"], seen["about the budget μ"], float(seen["budget", "y"])
    assert own[0] < line < own.max() and line < own[-1] < line + 0.1 and 0 < own.argmax() < len(own) - 1
    assert budget[0] == 0 and seen.rises("about the budget μ").all() and line - 0.1 < budget[-1] < line
