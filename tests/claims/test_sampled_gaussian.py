"""Checks of chapters/sampled_gaussian.md."""

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from figures import run
from scipy.special import logsumexp
from scipy.stats import norm

from claims import answers, at_rest, claim
from dp_lib import rdp, zcdp


def log_moment(order, q, sigma=1):
    """ln of the mean of (1 - q + qr)^order under N(0, σ²), with r of N(1, σ²) to N(0, σ²), by the trapezoidal rule."""
    y, step = np.linspace(-12 * sigma, order + 12 * sigma, 5000, retstep=True)
    ratio = 1 - q + q * np.exp((2 * y - 1) / (2 * sigma**2))
    return logsumexp(order * np.log(ratio) + norm.logpdf(y, 0, sigma)) + math.log(step)


def cost(order, q, sigma=1):
    """D of order `order` of one sampled step from the step without the row."""
    return log_moment(order, q, sigma) / (order - 1)


@claim("sampled_gaussian.md", "moments-of-whole-order")
def test_moments_of_whole_order():
    for alpha in (2, 3, 5):
        for q in (0.05, 0.6):
            for p1, p0 in np.random.default_rng(7).dirichlet([1, 1, 1], size=(30, 2)):
                curve = {j: np.log(np.sum(p1**j * p0 ** (1.0 - j))) for j in range(2, alpha + 1)}  # (j-1) ε̄(j)
                total = (1 - q) ** (alpha - 1) * (1 + (alpha - 1) * q)
                total += sum(math.comb(alpha, j) * q**j * (1 - q) ** (alpha - j) * np.exp(c) for j, c in curve.items())
                sampled = (1 - q) * p0 + q * p1
                assert np.sum(sampled**alpha * p0 ** (1.0 - alpha)) <= total * (1 + 1e-12)


@answers(
    "sampled_gaussian.md",
    "gain-at-small-and-large-orders",
    numbers=[0.01, 1, 2, 40],
    choices=[[60, 1.3], [6000, 6000], [6000, 1.3], [60, 100]],
)
def test_question_gain_at_small_and_large_orders(question):
    low = 1 / cost(2, 0.01)  # αΔ²/2σ² is 1 at order 2, and 20 at order 40
    with mpmath.workdps(60):
        terms = [
            mpmath.binomial(40, i)
            * mpmath.mpf("0.99") ** (40 - i)
            * mpmath.mpf("0.01") ** i
            * mpmath.exp(i * (i - 1) / 2)
            for i in range(41)
        ]
        high = float(20 * 39 / mpmath.log(sum(terms)))
    offered = [(60, 1.3), (6000, 6000), (6000, 1.3), (60, 100)]
    assert question.right == [(low, high) == pytest.approx(pair, rel=0.05) for pair in offered]


@answers("sampled_gaussian.md", "four-times-the-steps", numbers=[0.01, 1, 40, 10, 4])
def test_question_four_times_the_steps(question):
    times = question.names["training_epsilon"](40, 0.01, 1) / question.names["training_epsilon"](10, 0.01, 1)
    assert question.right == [3.5 < times < 4.5, 1.6 < times < 2.4, times < 1.1, times > 12]


@claim("sampled_gaussian.md", "sampled-gaussian.alt")
def test_alt_sampled_gaussian():
    c = at_rest("sampled_gaussian.md", "sampled-gaussian")
    assert c.rises("every row").all() and c["every row"][-1] / c["every row"][0] < 25
    assert c["sample, Gaussian"][0] < c["every row"][0] / 1000


@claim("sampled_gaussian.md", "training-run.alt", numbers=[80, 600])
def test_alt_training_run():
    c = at_rest("sampled_gaussian.md", "training-run")
    times = c["every row"] / c["sampled, RDP"]
    assert c.rises("sampled, RDP").all() and 0.7 < c["sampled, RDP"][0] < 1.5
    assert times[0] == pytest.approx(80, rel=0.1) and times[-1] == pytest.approx(600, rel=0.1)


@claim("sampled_gaussian.md", "line-too-high-at-order-two", numbers=[2])
def test_line_too_high_at_order_two(passage):
    assert passage.printed == [f"{1 / cost(2, 0.01):.0f}"]


@claim("sampled_gaussian.md", "sampled-gaussian.caption", numbers=[1])
def test_caption_bound_for_a_sum_is_higher_than_for_a_count():
    """A replaced row moves a count by 1 and a sum of numbers between -1 and 1 by 2."""
    for rate, sigma, alpha in product((0.01, 0.05), (0.75, 1, 1.75), (2, 3, 8, 20, 40)):
        count, total = (
            rdp.subsampled(alpha, lambda order, s=s, sigma=sigma: rdp.gaussian(order, sigma, sensitivity=s), rate)
            for s in (1, 2)
        )
        assert count < total


@claim("sampled_gaussian.md", "training-run.caption")
def test_caption_best_of_all_real_orders():
    """The dashed curve, next to a search over orders above 1."""
    orders = 1 + np.geomspace(1e-3, 1e3, 20_001)
    for steps, sigma in product((20, 1000, 5000), (0.75, 1, 1.75)):
        searched = rdp.epsilon_tight(orders, rdp.repeat(rdp.gaussian(orders, sigma), steps), 1e-5).min()
        assert zcdp.epsilon_tight(zcdp.repeat(zcdp.gaussian(sigma), steps), 1e-5) == pytest.approx(searched, rel=1e-5)


@claim("sampled_gaussian.md", "last-term-overtakes", numbers=[1, 1, 2, 2, 1])
def test_last_term_overtakes():
    """At the corners of the figure's sliders and between; each term of the binomial sum as a logarithm."""
    (shown,) = [each for each in run("sampled_gaussian").figures if each.name == "sampled-gaussian"]
    ends = [(slider.low, slider.high) for slider in shown.sliders]
    for rate, sigma in product(*([low, math.sqrt(low * high), high] for low, high in ends)):

        def last(alpha, rate=rate, sigma=sigma):
            return alpha * math.log(rate) + alpha * (alpha - 1) / (2 * sigma**2)

        def second(alpha, rate=rate, sigma=sigma):
            return math.log(alpha * (alpha - 1) / 2 * rate**2 * math.expm1(1 / sigma**2))

        line = 1 + 2 * sigma**2 * math.log(1 / rate)
        assert last(line) == pytest.approx(0, abs=1e-9)
        assert last(line - 0.5) > second(line - 0.5)
        assert line - 1.5 <= 2.5 or last(line - 1.5) < second(line - 1.5)  # order 2 has one term, which is both


@claim("sampled_gaussian.md", "any-mechanism-at-order-two", numbers=[2, 1.02, 3])
def test_any_mechanism_at_order_two():
    """Two outputs whose probabilities, p and 1 - p, change places: p(1 - p) = 1/6 makes e^ε̄(2) = 3."""
    p = (1 + math.sqrt(1 / 3)) / 2
    assert p**2 / (1 - p) + (1 - p) ** 2 / p == pytest.approx(3)
    for one, other in (((p, 1 - p), (1 - p, p)), ((1 - p, p), (p, 1 - p))):
        sampled = [0.9 * b + 0.1 * a for a, b in zip(one, other, strict=True)]
        assert sum(s**2 / b for s, b in zip(sampled, other, strict=True)) == pytest.approx(1.02)
        assert sum(b**2 / s for s, b in zip(sampled, other, strict=True)) <= 1.02


@claim("sampled_gaussian.md", "general-bound-at-order-two", numbers=[1.06, 2, 3, 2, 4])
def test_general_bound_at_order_two():
    assert rdp.subsampled(2, lambda order: np.where(order == 2, np.log(3), np.inf), 0.1) == pytest.approx(np.log(1.06))


@claim("sampled_gaussian.md", "zcdp-for-what-is-not-sampled")
def test_zcdp_for_what_is_not_sampled():
    """On all rows the divergence is a line in the order and ρ loses nothing; on a sample the line is far above it."""
    y = np.linspace(-60, 60, 240_001)
    out, full = norm.logpdf(y), norm.logpdf(y, 1)
    sampled = np.logaddexp(np.log(0.99) + out, np.log(0.01) + full)

    def per_order(inside, order):
        return (logsumexp(order * inside - (order - 1) * out) + np.log(y[1] - y[0])) / (order - 1) / order

    assert per_order(full, 2) == pytest.approx(0.5) == per_order(full, 16)
    assert per_order(sampled, 2) < per_order(sampled, 16) / 100


@claim("sampled_gaussian.md", "cost-of-a-day-at-order-two", numbers=[0.81, 0.18, 0.01, 2.72, 1.0172, 60])
def test_cost_of_a_day_at_order_two(passage):
    """By the integral of the square, and of r and r² by themselves."""
    assert log_moment(1, 1) == pytest.approx(0, abs=1e-9)
    assert math.exp(log_moment(2, 1)) == pytest.approx(2.72, abs=0.005)
    square = math.exp(log_moment(2, 0.1))
    assert square == pytest.approx(1.0172, abs=5e-5)
    assert passage.printed == [f"{math.log(square):.3f}"] and 57 < 1 / math.log(square) < 60


@claim("sampled_gaussian.md", "cost-of-a-day-at-three-orders")
def test_cost_of_a_day_at_three_orders(passage):
    days = [f"{cost(order, 0.1):.{digits}f}" for order, digits in ((2, 3), (8, 2), (40, 1))]
    assert passage.printed == days
    assert [cost(order, 1) for order in (2, 8, 40)] == pytest.approx([1, 4, 20])


@claim("sampled_gaussian.md", "epsilon-of-ten-days", numbers=[5, 1e-5, 2, 100])
def test_epsilon_of_ten_days(passage):
    """By the integral, at the orders 2 to 15."""

    def epsilon(order, q):
        return 10 * cost(order, q) + math.log1p(-1 / order) - math.log(1e-5 * order) / (order - 1)

    least = [min(epsilon(order, q) for order in range(2, 16)) for q in (0.1, 1)]
    parts = 10 * cost(5, 0.1), epsilon(5, 0.1) - 10 * cost(5, 0.1)
    assert sum(parts) == least[0]
    assert passage.printed == [f"{part:.2f}" for part in parts] + [
        f"{math.ceil(100 * each) / 100:.2f}" for each in least
    ]
    # Budgets grow with the order, and the budget alone is larger than the least ε from order 16 on.
    assert all(10 * cost(16, q) > each for q, each in zip((0.1, 1), least, strict=True))


@claim("sampled_gaussian.md", "uses-of-a-row-in-an-epoch", numbers=[1, 10, 10, 2])
def test_uses_of_a_row_in_an_epoch(passage):
    """All 1024 ways in which ten samples have the row or not."""
    by_number = np.zeros(11)
    for ways in product((0, 1), repeat=10):
        by_number[sum(ways)] += 0.1 ** sum(ways) * 0.9 ** (10 - sum(ways))
    assert by_number @ np.arange(11) == pytest.approx(1)
    assert passage.printed == [f"{by_number[0]:.2f}", f"{by_number[2:].sum():.2f}"]


@claim("sampled_gaussian.md", "order-two-by-hand", numbers=[2.23, 6.93])
def test_order_two_by_hand():
    """By the integral, with the σ at which the mean of r² is 2."""
    sigma = math.log(2) ** -0.5
    sampled, whole = cost(2, 0.5, sigma), cost(2, 1, sigma)
    assert (sampled, whole) == pytest.approx((math.log(5 / 4), math.log(2)))
    assert [f"{10 * each:.2f}" for each in (sampled, whole)] == ["2.23", "6.93"]


@claim("sampled_gaussian.md", "order-three-by-hand", numbers=[0.405, 1.040])
def test_order_three_by_hand():
    sigma = math.log(2) ** -0.5
    assert math.exp(log_moment(3, 0.5, sigma)) == pytest.approx(9 / 4)
    assert [f"{cost(3, q, sigma):.3f}" for q in (0.5, 1)] == ["0.405", "1.040"]


@claim("sampled_gaussian.md", "variance-of-a-sampled-ratio", numbers=[2, 1, 10, 1.02])
def test_variance_of_a_sampled_ratio():
    """Two distributions on three outputs with v = 2, and random ones with whatever v they have."""
    rng = np.random.default_rng(3)
    for q in (0.1, 0.7):
        for p1, p0 in rng.dirichlet([1, 1, 1], size=(30, 2)):
            v = np.sum(p1**2 / p0) - 1
            ratio = 1 - q + q * p1 / p0
            assert ratio @ p0 == pytest.approx(1) and ratio**2 @ p0 == pytest.approx(1 + q**2 * v)
    assert pytest.approx(1.02) == 1 + 0.1**2 * 2
