"""Checks of chapters/tight.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, claim


@claim("tight.md", "neither-guarantee-implies-the-other", numbers=[30])
def test_neither_guarantee_implies_the_other(passage):
    """The two error rates of a test are either way round: at 0.3, 1/e of what is left is more than 1 - 0.3 e."""
    pure, gaussian = max(1 - 0.3 * math.e, 0.7 / math.e), stats.norm.cdf(stats.norm.isf(0.3) - 1)
    at_five = 1 - math.e * 0.05, stats.norm.cdf(stats.norm.isf(0.05) - 1)
    assert pure < gaussian and at_five[0] > at_five[1]
    for shown, exact in zip(map(float, passage.printed), (*at_five, pure, gaussian), strict=True):
        assert shown <= exact < shown + 1e-3  # a lower bound is rounded down


@claim("tight.md", "line-between-touching-points", numbers=[2, 1])
def test_line_between_touching_points(passage):
    """The line is below the curve except at the two points and at a = 1, where both are 0."""
    a = np.linspace(0, 1, 20_001)[:-1]
    smooth = stats.norm.cdf(stats.norm.isf(a) - 1.5)
    for epsilon in (0.5, 1, 4):
        above = epsilon / 1.5 + 0.75
        delta = stats.norm.sf(above - 1.5) - math.exp(epsilon) * stats.norm.sf(above)
        line = np.maximum(np.maximum(1 - delta - math.exp(epsilon) * a, (1 - delta - a) / math.exp(epsilon)), 0)
        points = stats.norm.sf(above), stats.norm.cdf(above - 1.5)
        elsewhere = (abs(a - points[0]) > 0.01 * points[0]) & (abs(a - points[1]) > 0.01 * (1 - points[1]))
        assert (line[elsewhere] < smooth[elsewhere]).all()
        for point in points:
            at = max(1 - delta - math.exp(epsilon) * point, (1 - delta - point) / math.exp(epsilon), 0)
            assert at == pytest.approx(stats.norm.cdf(stats.norm.isf(point) - 1.5), abs=1e-9)
    at = abs(a - 0.1).argmin()  # on the last line, that of ε = 4
    most, *least = map(float, passage.printed)
    assert delta <= most < delta + 1e-4
    assert least[0] <= line[at] < least[0] + 1e-3 and least[1] <= smooth[at] < least[1] + 1e-3


@claim("tight.md", "tangent-at-the-middle", numbers=[1, 2, 2, 2, 2])
def test_tangent_at_the_middle():
    a = np.linspace(1e-6, 1 - 1e-6, 100_001)
    for mu in (0.1, 1, 4):
        sums = a + stats.norm.cdf(stats.norm.isf(a) - mu)
        assert sums.min() >= 2 * stats.norm.cdf(-mu / 2) - 1e-12
        assert a[sums.argmin()] == pytest.approx(stats.norm.cdf(-mu / 2), abs=1e-3)


@answers("tight.md", "misses-at-five-per-cent", numbers=[1, 5], choices=[[26], [74], [83], [95]])
def test_question_misses_at_five_per_cent(question):
    missed = 100 * stats.norm.cdf(stats.norm.isf(0.05) - 1)
    assert question.right == [abs(missed - x) < 1 for x in (26, 74, 83, 95)]
    assert round(100 * stats.norm.cdf(1.96 - 1)) == 83  # what a reply says


@answers("tight.md", "broken-line-as-delta-grows", numbers=[0])
def test_question_broken_line_as_delta_grows(question):
    a = np.linspace(0, 1, 1001)

    def line(delta):
        return np.maximum.reduce([1 - delta - math.e * a, (1 - delta - a) / math.e, 0 * a])

    before, after = line(0), line(0.1)
    (steep, less_steep), (flat, less_flat) = ([np.diff(y)[at] for y in (before, after)] for at in (5, 800))
    same = steep == pytest.approx(less_steep) and flat == pytest.approx(less_flat)
    both = (before > 0) & (after > 0)
    assert [before[5] - after[5], before[800] - after[800]] == pytest.approx([0.1, 0.1 / math.e])
    assert question.right == [
        not same,
        bool((after[both] < before[both]).all()) and same,
        bool((after[5] < before[5]) and (after[800] == before[800])),
        bool((after == before)[both].any()),
    ]


@answers("tight.md", "touching-point-on-the-steep-half", numbers=[0.5], choices=[[0], [], [1], []])
def test_question_touching_point_on_the_steep_half(question):
    """The point of contact by brute force: where the curve is nearest to the steep line."""
    a = np.linspace(1e-9, 1, 2_000_001)
    curve = stats.norm.cdf(stats.norm.isf(a) - 1)
    points = [a[(curve + math.exp(epsilon) * a).argmin()] for epsilon in (0, 0.5, 1, 2, 3, 4)]
    falls = bool((np.diff(points) < 0).all())
    assert question.right == [
        falls and points[-1] < 1e-4,
        abs(points[-1] - 0.5) < 0.1,
        points[-1] > 0.9,
        min(points) <= 1e-9,
    ]


@claim("tight.md", "gaussian-noise-needs-delta", numbers=[0])
def test_gaussian_noise_keeps_finite_epsilon_delta():
    """The mass of the losses above ε is not 0, however large ε is."""
    for mu in (0.01, 0.5, 4.0):
        for epsilon in (0.1, 1.0, 10.0, 100.0):
            assert mpmath.ncdf(mpmath.mpf(mu) / 2 - epsilon / mpmath.mpf(mu)) > 0
    for mu, t in ((0.5, 1.0), (1.0, 3.0), (4.0, 6.0)):  # the slope of the curve at the threshold t
        missed = mpmath.ncdf(t + 1e-6 - mu) - mpmath.ncdf(t - mu)
        alarms = mpmath.ncdf(-t - 1e-6) - mpmath.ncdf(-t)
        assert float(missed / alarms) == pytest.approx(-math.exp(mu * t - mu**2 / 2), rel=1e-4)


def least_miss_rate(epsilon, delta, alarm):
    """Least miss rate of all tests on a pair that needs all of (ε, δ)-DP, by linear programming over the tests."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    p = np.array([delta, (1 - delta) * truth, (1 - delta) * (1 - truth), 0])
    found = optimize.linprog(-p, A_ub=[p[::-1]], b_ub=[alarm], bounds=(0, 1))
    return 1 + found.fun


@claim("tight.md", "attack-below-the-bent-line", numbers=[0.1, 0.9, 0.3, 0.6, 0.5, 0.3, 0.9, 0.3, 3, 0.2])
def test_attack_below_the_bent_line():
    claimed = [least_miss_rate(math.log(3), 0.1, alarm) for alarm in (0, 0.1, 0.225, 0.3)]
    assert claimed == pytest.approx([0.9, 0.6, 0.225, 0.2], abs=1e-9)
    assert claimed[1] > 0.5


@claim("tight.md", "least-delta-for-two-attacks", numbers=[0.2])
def test_least_delta_for_two_attacks():
    """Both attacks are possible at δ = 0.2, and not at a smaller δ."""
    for delta, possible in [(0.1, False), (0.19, False), (0.2, True), (0.21, True)]:
        least = [least_miss_rate(math.log(3), delta, alarm) for alarm in (0.1, 0.3)]
        assert (least[0] <= 0.5 + 1e-9 and least[1] <= 0.2 + 1e-9) is possible


@claim("tight.md", "tangent-at-five-per-cent", numbers=[1.1, 1.2, 0.05, 1.1])
def test_tangent_at_five_per_cent(passage):
    """The points of contact by brute force, where curve and steep line are nearest, and δ by its integral."""
    a = np.linspace(1e-9, 0.2, 2_000_001)
    curve = stats.norm.cdf(stats.norm.isf(a) - 1)
    points = {epsilon: a[(curve + math.exp(epsilon) * a).argmin()] for epsilon in np.arange(61) / 10}
    delta = integrate.quad(
        lambda y: max(stats.norm.pdf(y, 1) - math.exp(1.1) * stats.norm.pdf(y), 0), -10, 12, points=[1.6]
    )[0]
    assert min(points, key=lambda epsilon: abs(points[epsilon] - 0.05)) == 1.1
    rates = list(map(float, passage.printed[:2]))
    assert rates == pytest.approx([points[1.1], points[1.2]], abs=6e-5)
    assert passage.printed[2] == f"{delta:.3f}"


@claim("tight.md", "pure-dp-implies-gdp", numbers=[2.3, 2.4, 2.4, 2, 0])
def test_pure_dp_implies_gdp(passage):
    """The smooth curve against the two lines at many false-alarm rates, for the stops of the slider."""
    corner = 1 / (1 + math.exp(2))
    a = np.append(np.linspace(0, 1, 100_001), corner)
    line = np.maximum(1 - math.exp(2) * a, (1 - a) / math.exp(2))
    stops = np.arange(1, 41) / 10
    implied = [mu for mu in stops if (stats.norm.cdf(stats.norm.isf(a) - mu) <= line + 1e-12).all()]
    assert implied[0] == 2.4 and implied == [mu for mu in stops if mu >= 2.4]
    assert passage.printed == [f"{stats.norm.cdf(stats.norm.isf(corner) - mu):.3f}" for mu in (2.3, 2.4)]


@claim("tight.md", "gdp-does-not-imply-pure-dp", numbers=[1e-88])
def test_gdp_does_not_imply_pure_dp():
    with mpmath.workdps(120):
        alarms = mpmath.erfc(mpmath.mpf("20.05") / mpmath.sqrt(2)) / 2
        hits = mpmath.erfc(mpmath.mpf("19.95") / mpmath.sqrt(2)) / 2
        assert alarms < mpmath.mpf(10) ** -88 and 1 - hits < 1 - mpmath.exp(2) * alarms
