"""Checks of chapters/labs/accountant.md."""

import functools
import math

import mpmath
import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, at_rest, claim

DELTA = 1e-5
# (kind, noise relative to the sensitivity, times), by reading the page's code and not its ledger
RELEASE = [("gaussian", 10, 20), ("gaussian", 20 / math.sqrt(2), 1), ("laplace", 20, 2), ("gaussian", 20, 1)]


def gaussian_epsilon(mu, delta):
    """The exact ε of Gaussian noise whose means are μ standard deviations apart."""

    def excess(epsilon):
        upper = stats.norm.sf(epsilon / mu - mu / 2)
        return upper - math.exp(epsilon) * stats.norm.sf(epsilon / mu + mu / 2) - delta

    return optimize.brentq(excess, 1e-9, 400, xtol=1e-12) if excess(1e-9) > 0 else 0


def rdp_of_laplace(order, r):
    first = np.log(order / (2 * order - 1)) + (order - 1) * r
    return np.logaddexp(first, np.log((order - 1) / (2 * order - 1)) - order * r) / (order - 1)


@functools.cache
def exact_release():
    """ε of the release by integration over the two Laplace losses, in their closed distribution, and one Gaussian."""
    mu = math.sqrt(sum(times / noise**2 for kind, noise, times in RELEASE if kind == "gaussian"))
    r = 1 / 20
    inside = np.linspace(-r, r, 2001)
    weights = np.exp((inside - r) / 2) / 4  # the density of a Laplace loss between its two ends
    points = np.concatenate([[-r], (inside[1:] + inside[:-1]) / 2, [r]])
    masses = np.concatenate([[math.exp(-r) / 2], (weights[1:] + weights[:-1]) / 2 * np.diff(inside), [0.5]])
    assert masses.sum() == pytest.approx(1, abs=1e-6)
    both, mass = np.add.outer(points, points).ravel(), np.outer(masses, masses).ravel()
    keep = np.histogram(both, 2000, weights=mass)
    both, mass = np.histogram(both, 2000, weights=mass * both)[0] / np.maximum(keep[0], 1e-300), keep[0]

    def excess(epsilon):
        left = epsilon - both
        terms = stats.norm.sf(left / mu - mu / 2) - np.exp(left) * stats.norm.sf(left / mu + mu / 2)
        return (mass * terms).sum() - DELTA

    return optimize.brentq(excess, 0.1, 10)


@claim("labs/accountant.md", "all-people-smoked", numbers=[1971, 1975, 1982, 1984])
def test_all_people_smoked(passage):
    assert (passage.names["people"]["smokeintensity"] > 0).all()
    assert passage.printed == ["1,629"]  # as in the public table of NHEFS


@claim("labs/accountant.md", "the-sum-and-the-exact-epsilon")
def test_the_sum_and_the_exact_epsilon(passage):
    share = DELTA / 24
    added = sum(
        times * (gaussian_epsilon(1 / noise, share) if kind == "gaussian" else 1 / noise)
        for kind, noise, times in RELEASE
    )
    assert float(passage.printed[0]) == pytest.approx(added, abs=0.006)
    assert exact_release() <= float(passage.printed[1]) < exact_release() + 0.0015


@claim("labs/accountant.md", "laplace-at-order-three", numbers=[10, 2, 0.2, 3])
def test_laplace_at_order_three(passage):
    moment = integrate.quad(
        lambda y: math.exp(-3 * abs(y) + 2 * abs(y - 0.2)) / 2, -60, 60, points=[0, 0.2], limit=400
    )[0]
    assert passage.printed[2:] == [f"{moment:.4f}", f"{math.log(moment) / 2:.4f}"]
    assert sum(map(float, passage.printed[:2])) == pytest.approx(moment, abs=1e-4)


@claim("labs/accountant.md", "two-conversions-at-order-ten", numbers=[10])
def test_two_conversions_at_order_ten(passage):
    with mpmath.workdps(30):
        price = mpmath.log(10**5) / 9
        tight = 1 + price + mpmath.log(mpmath.mpf(9) / 10) - mpmath.log(10) / 9
        for printed, value in zip(passage.printed, (tight, 1 + price), strict=True):
            assert value <= float(printed) < value + 0.01


@claim("labs/accountant.md", "turned-signs-are-too-large")
def test_turned_signs_are_too_large(passage):
    rng = np.random.default_rng(2)
    for order, cost, delta in zip(1 + rng.exponential(20, 500), rng.exponential(1, 500), rng.random(500), strict=True):
        right = cost + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
        assert passage.names["turned_round"](order, cost, delta) > right
    assert passage.printed == ["2.3"]  # ln 10


def best_order_of_twenty_counts(sigma):
    def epsilon(order):
        return 20 * order / (2 * sigma**2) + math.log(1e5) / (order - 1)

    return optimize.minimize_scalar(epsilon, bounds=(1.01, 5000), method="bounded").x


@answers(
    "labs/accountant.md",
    "best-order-of-twenty-counts",
    numbers=[1e-5, 10, 12, 100],
    choices=[[2], [12], [108], [1200]],
)
def test_question_best_order_of_twenty_counts(question):
    assert round(best_order_of_twenty_counts(10)) == 12
    best = best_order_of_twenty_counts(100)
    assert question.right == [near / 1.5 < best < near * 1.5 for near in (2, 12, 108, 1200)]
    assert float(question.printed[0]) == pytest.approx(best, abs=0.06)
    # What the replies say: the sum is smallest near the crossing, and from 108 to 1200 the cost rises by more.
    crossing = optimize.brentq(lambda order: 0.001 * order * (order - 1) - math.log(1e5), 2, 1000)
    assert crossing == pytest.approx(best, rel=0.01)
    assert math.log(1e5) * (1 / 107 - 1 / 1199) <= 0.1 and 0.001 * (1200 - 108) > 1


@claim("labs/accountant.md", "valley-stays-above-the-exact-line")
def test_valley_stays_above_the_exact_line():
    seen = at_rest("labs/accountant.md", "lab-accountant-order")
    assert (seen["tight"] > seen["exact", "y"]).all()
    assert (seen["tight"] <= seen["classic"]).all()
    assert seen["exact", "y"] == pytest.approx(gaussian_epsilon(math.sqrt(20) / 10, DELTA), rel=1e-6)


@claim("labs/accountant.md", "valleys-outside-a-short-list", numbers=[200, 64, 500, 2, 2])
def test_valleys_outside_a_short_list(passage):
    def tight(order, times, sigma):
        classic = times * order / (2 * sigma**2) + math.log(1e5) / (order - 1)
        return classic + np.log1p(-1 / order) - np.log(order) / (order - 1)

    order = np.geomspace(1.01, 1e4, 200_000)
    one, many = tight(order, 1, 200), tight(order, 500, 2)
    whole = np.arange(2, 1000)
    assert tight(whole, 500, 2).argmin() == 0
    assert tight(np.arange(2, 65), 1, 200).argmin() == 62
    assert passage.printed == [
        f"{order[one.argmin()]:.0f}",
        f"{tight(64, 1, 200) / one.min():.0f}",
        f"{order[many.argmin()]:.2f}",
        f"{100 * (tight(2, 500, 2) / many.min() - 1):.0f}",
    ]


@claim("labs/accountant.md", "best-order-over-the-exact-epsilon", numbers=[200, 1e-5])
def test_best_order_over_the_exact_epsilon(passage):
    def share(rho, laplace, exact):
        order = np.geomspace(1.001, 1e4, 200_000)
        cost = rho * order + laplace * np.array(rdp_of_laplace(order, 1 / 20))
        tight = cost + math.log(1e5) / (order - 1) + np.log1p(-1 / order) - np.log(order) / (order - 1)
        return 100 * (tight.min() / exact - 1)

    rho = sum(times / noise**2 / 2 for kind, noise, times in RELEASE if kind == "gaussian")
    release, one = share(rho, 2, exact_release()), share(1 / 80_000, 0, gaussian_epsilon(1 / 200, DELTA))
    assert passage.printed == [f"{release:.0f}", f"{one:.0f}"]
    over = passage.names["over_exact"]
    assert max(over, key=over.get) == ("one Gaussian count, σ = 200", DELTA)


@claim("labs/accountant.md", "weights-in-six-regions", numbers=[120, 120])
def test_weights_in_six_regions(passage):
    def change(before, after):
        totals = np.zeros((2, 6))
        for which, (region, weight) in enumerate((before, after)):
            totals[which, region] = weight
        return np.linalg.norm(totals[1] - totals[0])

    people = [(region, weight) for region in range(6) for weight in (40, 80, 120)]
    most = max(change(before, after) for before in people for after in people)
    assert most == pytest.approx(change((1, 120), (4, 120)))
    assert most <= float(passage.printed[0]) < most + 0.01
    # Six answers of sensitivity 120 in place of one: the squares add up to three times as much.
    assert 6 * 120**2 / most**2 == pytest.approx(3)


@claim("labs/accountant.md", "rho-of-twenty-counts", numbers=[10, 0.1])
def test_rho_of_twenty_counts(passage):
    least = min(0.1 * order + math.log(1e5) / (order - 1) for order in np.geomspace(1.1, 1000, 100_000))
    assert least <= float(passage.printed[0]) < least + 0.0101


@claim("labs/accountant.md", "one-laplace-answer-by-zcdp", numbers=[50, 0.02, 1e-5])
def test_one_laplace_answer_by_zcdp(passage):
    rho = (1 / 50) ** 2 / 2
    least = min(rho * order + math.log(1e5) / (order - 1) for order in np.geomspace(1.1, 1e5, 100_000))
    assert least <= float(passage.printed[0]) < least + 0.00101


@claim("labs/accountant.md", "what-the-attack-shows", numbers=[1e-5])
def test_what_the_attack_shows(passage):
    names = passage.names
    mine, largest = names["attacked"](names["said"]), names["largest"]
    assert not mine.caught
    assert 4 * mine.epsilon < exact_release()
    assert f"The most revealing answer alone. The promise is ε = {largest:g} at δ = 1e-05. After 12,000" in passage.said
    assert mine.epsilon > largest  # the runs are the same
    # One count in place of twenty makes the promise far smaller, and the attack does not see it.
    slip = [("gaussian", 10, 1, 1), *names["RIGHT_LEDGER"][1:]]
    promise = float(passage.printed[0])
    assert names["accountant"](slip, DELTA) <= promise < names["accountant"](slip, DELTA) + 0.0101
    assert mine.epsilon < promise - 0.01 < names["said"]
    assert "twenty counts: the row costs 95% too little" in names["compared"](slip)


@claim("labs/accountant.md", "the-sum-is-above-from-two-counts", numbers=[2])
def test_the_sum_is_above_from_two_counts():
    seen = at_rest("labs/accountant.md", "lab-accountant-growth")
    others = np.array([seen[name] for name in ("yours, zCDP", "yours, RDP", "exact")])
    counts = 2 ** seen["doublings"]
    assert (seen["added up"] > others)[:, counts >= 2].all()
    assert seen["added up"][0] == pytest.approx(others[2, 0], rel=1e-6)


@claim("labs/accountant.md", "sum-against-exact-at-1024-counts", numbers=[1024])
def test_sum_against_exact_at_1024_counts(passage):
    times = 1024 * gaussian_epsilon(0.1, DELTA / 1024) / gaussian_epsilon(math.sqrt(1024) / 10, DELTA)
    assert passage.printed == [f"{times:.0f}"]


@claim("labs/accountant.md", "lab-accountant-order.caption")
@claim("labs/accountant.md", "lab-accountant-order.alt")
def test_conversions_of_the_order_figure_are_bounds():
    for times, sigma, delta in [(1, 200, 1e-9), (20, 10, 1e-5), (500, 2, 1e-2), (1, 2, 1e-2)]:
        mu, order = math.sqrt(times) / sigma, np.geomspace(1.2, 1000, 300)
        tight = times * order / (2 * sigma**2) + np.log1p(-1 / order) - np.log(delta * order) / (order - 1)
        assert np.maximum(tight, 0).min() >= gaussian_epsilon(mu, delta)
