"""Checks of chapters/budgets.md."""

import math

import numpy as np
import pytest
from scipy import special, stats

from claims import answers, claim
from claims.test_zcdp_guarantees import tight


def sampled(order, q, sigma):
    """The divergence of the sampled answer, by the trapezoidal rule, which is exact to rounding for such bells."""
    y, step = np.linspace(-40, order + 40, 100 * (order + 80), retstep=True)
    without, shifted = stats.norm.logpdf(y, 0, sigma), stats.norm.logpdf(y, 1, sigma)
    mixture = np.logaddexp(math.log1p(-q) + without, math.log(q) + shifted)
    return (special.logsumexp(order * mixture + (1 - order) * without) + math.log(step)) / (order - 1)


@claim("budgets.md", "summary-sampling-keeps-rho")
@claim("budgets.md", "rho-stays-under-sampling", numbers=[1, 2, 2, 0])
def test_rho_stays_under_sampling():
    for q, sigma in [(0.5, 1), (0.01, 1), (0.001, 2)]:
        line = 1 / (2 * sigma**2)
        slopes = [sampled(order, q, sigma) / order for order in (2, 20, 400)]
        assert max(slopes) < line and slopes[-1] > 0.85 * line
        least = [line - math.log(1 / q) / (order - 1) for order in (2, 20, 400)]  # reached to 12 digits at order 400
        assert all(slope >= bound - 1e-12 for slope, bound in zip(slopes, least, strict=True))


@claim("budgets.md", "divergence-per-order", numbers=[1, 0.01, 2, 512])
def test_divergence_per_order(passage):
    at_2, at_512 = (sampled(order, 0.01, 1) / order for order in (2, 512))
    most, least = map(float, passage.printed)
    assert 0 <= most - at_2 < 1e-5 and 0 <= at_512 - least < 1e-2


@claim("budgets.md", "best-share-is-a-quarter", numbers=[0.25, 0.02, 24, 64, 0.25])
def test_best_share_is_a_quarter():
    shares = np.linspace(0.001, 0.999, 998_001)
    assert shares[(64 / shares + 24**2 / (1 - shares)).argmin()] == pytest.approx(1 / 4, abs=1e-5)


@claim("budgets.md", "census-budgets")
def test_census_budgets(passage):
    for rho, epsilon, budget in zip(passage.printed[:2], (17.14, 2.47), ("2.56", "0.07"), strict=True):
        assert (
            tight(float(rho), 1e-10) == pytest.approx(epsilon, abs=0.006) and f"{float(rho):.2f}".rstrip("0") in budget
        )
    for rho, epsilon, budget in zip(passage.printed[2:], (17.14, 2.47), (2.56, 0.07), strict=True):
        classic = float(rho) + 2 * math.sqrt(float(rho) * math.log(1e10))
        assert classic == pytest.approx(epsilon, abs=0.05) and round(float(rho), 2) != budget


@claim("budgets.md", "census-budgets", numbers=[2])
def test_adding_claims_converting_sum_twice_delta():
    assert tight(2.555 + 0.0747, 1e-10) + 2 < 17.14 + 2.47


@answers("budgets.md", "share-of-the-headline", numbers=[25, 25, 10], choices=[[1, 3], [1, 2], [25, 35], [25, 26]])
def test_question_share_of_the_headline(question):
    shares = np.linspace(0.001, 0.999, 998_001)
    best = shares[(25 / shares + 10 * 10 / (1 - shares)).argmin()]
    assert question.right == [
        abs(best - value) < 1e-3
        for value in (
            1 / 3,
            1 / 2,
            25 / 35,
            25 / 26,
        )
    ]


@answers("budgets.md", "discrete-gaussian-below-its-line", numbers=[0.25, 2, 3, 4, 1.5], choices=[[78], [85], [98]])
def test_question_discrete_gaussian_below_its_line(question):
    whole = np.arange(-30, 40)

    def share(order, sigma=0.25):
        """The divergence over the line, term by term."""
        weight, log_ratio = -(whole**2) / (2 * sigma**2), (2 * whole - 1) / (2 * sigma**2)
        log_moment = special.logsumexp(weight + order * log_ratio) - special.logsumexp(weight)
        return log_moment / (order - 1) / (order / (2 * sigma**2))

    np.testing.assert_allclose([share(order) for order in (2, 3, 4)], 1, rtol=1e-9)
    assert [round(share(1.5, sigma), 2) for sigma in (0.32, 0.5)] == [0.85, 0.98]  # which the replies name
    assert question.right == [abs(share(1.5) - offered) < 0.005 for offered in (0.78, 0.85, 0.98)]


@claim("budgets.md", "gaussian-divergence-is-reached", numbers=[0, 2, 2, 2])
def test_gaussian_divergence_is_reached():
    y = np.linspace(-60, 700, 760_001)
    for sigma, q, order in [(1, 0.01, 40), (1, 0.1, 600), (2, 0.5, 3)]:
        log_p = np.logaddexp(
            math.log(q) + stats.norm(1, sigma).logpdf(y), math.log1p(-q) + stats.norm(0, sigma).logpdf(y)
        )
        total = np.logaddexp.reduce(order * log_p - (order - 1) * stats.norm(0, sigma).logpdf(y)) + math.log(
            y[1] - y[0]
        )
        least = order / (2 * sigma**2) - order / (order - 1) * math.log(1 / q)
        assert total / (order - 1) >= least - 1e-9  # nearly equal at a large order


@claim("budgets.md", "two-counts-split-by-roots", numbers=[])
def test_two_counts_split_by_roots(passage):
    shares = np.linspace(0.001, 0.999, 998_001)
    weighted = (4 / shares + 1 / (1 - shares)) / (2 * 0.02)
    best = shares[weighted.argmin()]
    variances = [1 / (2 * 0.02 * share) for share in (best, 1 - best)]
    assert [float(each) for each in passage.printed] == pytest.approx(
        [*variances, weighted.min(), 4 * 50 + 50], abs=1e-3
    )


@claim("budgets.md", "noise-of-the-office-by-three-methods")
def test_noise_of_the_office_by_three_methods(passage):
    """The smallest σ for 41 counts at (1, 1e-6), by the tight conversion and by the exact profile, each by a search."""
    orders = np.linspace(1.01, 60, 60_000)

    def by_orders(sigma):
        rho = 41 / (2 * sigma**2)
        return (rho * orders + np.log1p(-1 / orders) - (math.log(1e-6) + np.log(orders)) / (orders - 1)).min() <= 1

    def exactly(sigma):
        mu = math.sqrt(41) / sigma
        return stats.norm.cdf(mu / 2 - 1 / mu) - math.e * stats.norm.cdf(-mu / 2 - 1 / mu) <= 1e-6

    rho, by_tight, by_classic, by_exact = passage.printed
    root = math.sqrt(math.log(1e6))
    classic = math.sqrt(41 / 2) / (math.sqrt(1 + root**2) - root)
    assert by_classic == f"{math.ceil(10 * classic) / 10:.1f}"
    sigmas = [by_tight, by_exact]
    least = []
    for enough, printed in zip((by_orders, exactly), sigmas, strict=True):
        low, high = 10.0, 100.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        assert printed == f"{math.ceil(10 * high) / 10:.1f}"
        least.append(high)
    assert rho == f"{math.floor(1e4 * 41 / (2 * least[0] ** 2)) / 1e4:.4f}"  # a budget is rounded down


@claim("budgets.md", "shares-like-the-weights", numbers=[4, 1, 0.02, 4, 1])
def test_shares_like_the_weights(passage):
    """No better than equal shares, and worse than the best share, which a grid finds at two to one."""

    def variances(share):
        return 1 / (2 * 0.02 * share), 1 / (2 * 0.02 * (1 - share))

    def weighted(share):
        return 4 * variances(share)[0] + variances(share)[1]

    said = [*variances(0.8), weighted(0.8), weighted(0.5)]
    assert [float(each) for each in passage.printed] == pytest.approx(said, abs=1e-9)
    assert weighted(0.8) == pytest.approx(weighted(0.5), rel=1e-12)
    shares = np.linspace(0.001, 0.999, 998_001)
    assert shares[weighted(shares).argmin()] == pytest.approx(2 / 3, abs=1e-5)
