"""Checks of chapters/orders.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from claims import answers, at_rest, claim
from dp_lib import rdp


def coin_moment(lam, epsilon):
    """ln E exp(λL) of randomized response."""
    p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
    return mpmath.log(p * mpmath.exp(lam * epsilon) + (1 - p) * mpmath.exp(-lam * epsilon))


@claim("orders.md", "best-of-three-orders-by-week")
def test_best_of_three_orders_by_week():
    """Seven counts a week with σ = 10: the sum of αΔ²/2σ² and the price of δ, at the three orders of the table."""
    best = [
        min((4, 20, 60), key=lambda order: 7 * weeks * order / 200 + math.log(1e5) / (order - 1))
        for weeks in (1, 4, 13)
    ]
    assert best == [20, 20, 4]


@claim("orders.md", "weeks-converted-one-by-one", numbers=[1e-5])
def test_weeks_converted_one_by_one(passage):
    def smallest(budget, delta):
        """The least of ρα + ln(1/δ)/(α - 1) on a fine list of orders."""
        orders = np.linspace(1.01, 100, 1_000_000)
        return (budget * orders + math.log(1 / delta) / (orders - 1)).min()

    apart, together = 4 * smallest(0.035, 1e-5 / 4), smallest(4 * 0.035, 1e-5)
    assert apart > 2 * together
    assert passage.printed == [f"{math.ceil(100 * value) / 100:.2f}" for value in (apart, together)]


@claim("orders.md", "needs-an-order-to-start")
def test_needs_an_order_to_start(passage):
    def own(order):
        """The tight conversion of αΔ²/2σ² for Δ = 2, σ = 10."""
        return order / 50 + math.log1p(-1 / order) - math.log(1e-5 * order) / (order - 1)

    best = min(own(1 + step / 1000) for step in range(1, 100_000))
    assert math.isclose(passage.names["own"], best, rel_tol=1e-6)
    for start in range(2, 400):
        assert rdp.epsilon_tight(*rdp.group(start, rdp.gaussian(start, 10), 2), 1e-5) >= best


@claim("orders.md", "best-epsilon-is-least-slope")
def test_best_epsilon_is_least_slope():
    with mpmath.workdps(60):
        cost = mpmath.log(10**5)
        slopes = [(coin_moment(mpmath.mpf(10) ** n, 1) + cost) / mpmath.mpf(10) ** n for n in range(1, 30)]
        assert all(a > b > 1 for a, b in zip(slopes, slopes[1:], strict=False)) and slopes[-1] - 1 < 1e-27
        # the tangent's condition, α_M'(λ) λ - α_M(λ) = ln(1/δ), is met by no λ: its left side ends below ln(1 + e^(-1))
        gaps = [mpmath.diff(lambda x: coin_moment(x, 1), lam) * lam - coin_moment(lam, 1) for lam in (1, 3, 10, 30)]
        assert all(a < b < 0.32 for a, b in zip(gaps, gaps[1:], strict=False)) and cost > 0.32
        # a line touches for a Gaussian, and for randomized response where δ is large
        assert gaps[0] < mpmath.log(1 / mpmath.mpf("0.8")) < gaps[-1]


@answers("orders.md", "best-of-whole-orders", numbers=[200, 1e-05, 2, 3, 100], choices=[[3], [], [2], [5]])
def test_question_best_of_whole_orders(question):
    def at(alpha):
        return alpha / (2 * 200**2) + np.log(1e5) / (alpha - 1)

    times = min(map(at, range(2, 101))) / minimize_scalar(at, bounds=(2, 1e5), method="bounded").fun
    assert question.right == [times < 1.0005, 1.05 < times < 1.2, 1.6 < times < 2.5, 4 < times < 6]


@answers("orders.md", "touching-point-as-delta-falls", numbers=[0.001, 1e-09])
def test_question_touching_point_as_delta_falls(question):
    def touching(delta):
        def slope(lam):
            return (lam * (lam + 1) * 500 / (2 * 200**2) + np.log(1 / delta)) / lam

        return minimize_scalar(slope, bounds=(1, 1e4), method="bounded").x

    before, after = touching(1e-3), touching(1e-9)
    assert question.right == [after < before - 1, after > before + 1, abs(after - before) < 1, not np.isfinite(after)]


@answers(
    "orders.md", "what-rdp-allows", numbers=[1000000, 250, 20, 0.05, 270000], choices=[[50], [500], [5000], [250000]]
)
def test_question_what_rdp_allows(question):
    def moment(alpha):
        """ln E e^((α-1)L) of one Laplace answer of scale 20, its density integrated."""
        r = mpmath.mpf(1) / 20
        inner = mpmath.quad(lambda y: mpmath.exp(-y + (alpha - 1) * (r - 2 * y)) / 2, [0, r])
        return mpmath.log(mpmath.exp((alpha - 1) * r) / 2 + inner + mpmath.exp(-alpha * r) / 2)

    orders = [1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 16, 32, 64]
    logs = [(250 * float(moment(a)) + (a - 1) * np.log(1e-6)) / a - np.log(1e-6) for a in orders]
    times = np.exp(min(logs))
    assert np.exp(250 * 0.05) == pytest.approx(270_000, rel=0.01)
    assert question.right == [35 < times < 70, 400 < times < 600, 3000 < times < 7000, times > 2e5]
    assert 3 * min(logs) < 12.5 and round(np.exp(12.5 / 2), -2) == 500  # what a reply says


@claim("orders.md", "epsilon-of-alpha.alt")
def test_alt_epsilon_of_alpha():
    c = at_rest("orders.md", "epsilon-of-alpha")
    lowest = c["classic"].argmin()
    assert (np.diff(c["classic"][: lowest + 1]) < 0).all() and (np.diff(c["classic"][lowest:]) > 0).all()
    assert abs(np.log(c["alpha"][lowest] / c["best of all", "x"])) < 0.1


@claim("orders.md", "epsilon-of-alpha.alt")
def test_short_search_finds_the_best_of_the_whole_list(passage):
    scan, best_of = passage.names["scan"], passage.names["best_of"]
    for k in (1, 50, 99, 500, 10_000, 10**7):
        assert scan(200, 1, k, 1e-5) == best_of(range(2, 101))(200, 1, k, 1e-5)


@claim("orders.md", "epsilon-of-alpha.alt")
def test_alt_epsilon_of_alpha_tight_curve_runs():
    c = at_rest("orders.md", "epsilon-of-alpha")
    assert (c["tight"] < c["classic"]).all()


@claim("orders.md", "one-bad-outcome.alt", numbers=[2])
def test_alt_one_bad_outcome():
    c = at_rest("orders.md", "one-bad-outcome")
    inside = c["Laplace, basic"] < 0.999e6
    slopes = np.log(c["Laplace, basic"][inside]) / c["k"][inside]
    assert inside.sum() > 20 and np.ptp(slopes) < 1e-9
    assert c["Laplace, advanced"][-1] < c["Laplace, basic"][-1]
    assert max(c[name][-1] for name in ("Gaussian, RDP", "Laplace, RDP")) < c["Laplace, basic"][-1] / 100


@claim("orders.md", "log-moment.alt")
def test_alt_log_moment():
    c = at_rest("orders.md", "log-moment")
    assert c["tangent"][0] == pytest.approx(c["line at this α"][0]) == pytest.approx(np.log(1e-5))
    ahead = np.sign(c["line at this α"] - c["log-moment"])
    turns = c["lambda_"][1:][np.diff(ahead) > 0]
    assert turns.size and abs(turns[0] - 19) <= 1


@claim("orders.md", "log-moment.alt")
def test_alt_log_moment_solid_touches_below():
    c = at_rest("orders.md", "log-moment")
    gap = c["log-moment"] - c["tangent"]
    assert np.nanmin(gap) > -1e-9 and abs(c["lambda_"][np.nanargmin(gap)] - c["touch", "x"]) <= 1


@claim("orders.md", "epsilon-of-all-orders")
def test_epsilon_of_all_orders(passage):
    """The student's ledger by its own formulas, on a fine grid of orders, beside the chapter's ladder."""

    def epsilon(a):
        noise = 400 * a / (2 * 200**2) + a * 0.1**2 / 8
        r = mpmath.mpf(1) / 20
        share = a / (2 * a - 1) * mpmath.exp((a - 1) * r) + (a - 1) / (2 * a - 1) * mpmath.exp(-a * r)
        return noise + mpmath.log(share) / (a - 1) + mpmath.log1p(-1 / a) - mpmath.log(1e-5 * a) / (a - 1)

    least = float(min(epsilon(mpmath.mpf(a) / 10) for a in range(200, 500)))
    assert least <= float(passage.printed[0]) < least + 1e-4 and least <= passage.names["epsilons"].min() < least * 1.01


@claim("orders.md", "zcdp-line-at-its-best-order")
def test_zcdp_line_at_its_best_order():
    """The line ρα of Laplace noise: above its curve, which is no line, by the integral of the two densities."""

    def divergence(alpha):
        def integrand(y):
            return mpmath.exp(-alpha * abs(y) - (1 - alpha) * abs(y - 1)) / 2

        return mpmath.log(mpmath.quad(integrand, [-mpmath.inf, 0, 1, mpmath.inf])) / (alpha - 1)

    rho = mpmath.exp(-1)  # the slope of the tangent at order 1, where the divergence is the mean of the loss
    slopes = [divergence(alpha) / alpha for alpha in (1.01, 1.5, 2, 5, 20)]
    assert all(slope < rho for slope in slopes) and slopes[-1] < 0.2 * rho


@claim("orders.md", "bounded-loss-needs-infinite-order")
def test_bounded_loss_needs_infinite_order():
    orders = np.concatenate([1 + np.geomspace(0.01, 1e6, 200)])
    coin = [float(coin_moment(mpmath.mpf(order) - 1, 1)) / (order - 1) for order in orders]
    assert np.argmin(np.array(coin) + np.log(1e5) / (orders - 1)) == len(orders) - 1


@claim("orders.md", "weekly-tight-below-table")
@claim("orders.md", "weekly-orders-fall", numbers=[4, 1, 13])
def test_weekly_tight_below_table():
    """In each of thirteen weeks, the tight conversion's best of a fine list is below the classic closed form."""
    orders = np.linspace(1.01, 100, 1_000_000)
    term = np.log1p(-1 / orders) - (math.log(1e-5) + np.log(orders)) / (orders - 1)
    best = [(0.035 * week * orders + term).argmin() for week in range(1, 14)]
    for week, place in enumerate(best, start=1):
        tight, rho = 0.035 * week * orders[place] + term[place], 0.035 * week
        assert 0 < tight < rho + 2 * math.sqrt(rho * math.log(1e5))
    assert (np.diff(orders[best]) < 0).all()
    classic = [(0.035 * week * orders + math.log(1e5) / (orders - 1)).argmin() for week in range(1, 14)]
    assert (np.diff(orders[classic]) < 0).all()


@claim("orders.md", "ratio-of-the-ladder-is-fine-enough", numbers=[2])
def test_ratio_of_the_ladder_is_fine_enough(passage):
    """A line ρα, the classic conversion: the worst place of the best order between two orders of the list."""
    ladder = 1 + 2.0 ** (np.arange(-12, 41) / 2)
    worst = 0.0
    for rho in np.geomspace(1e-8, 100, 3001):
        cost = math.log(1e5)
        if ladder[0] < 1 + math.sqrt(cost / rho) < ladder[-1]:
            least = rho + 2 * math.sqrt(rho * cost)
            worst = max(worst, (rho * ladder + cost / (ladder - 1)).min() / least)
    assert 1.4 < 100 * (worst - 1) <= float(passage.printed[0]) < 1.7
