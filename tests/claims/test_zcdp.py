"""Checks of chapters/zcdp.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from claims import answers, says


def renyi(p, q, order):
    """The divergence of two distributions on a few points."""
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    return math.log(np.sum(p**order * q ** (1 - order))) / (order - 1)


def coin(epsilon, order):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    return renyi([truth, 1 - truth], [1 - truth, truth], order)


def laplace(epsilon, order):
    """The divergence of two Laplace laws at distance ε, by integration."""
    moment = integrate.quad(
        lambda y: math.exp(-order * abs(y - epsilon) - (1 - order) * abs(y)) / 2,
        -60,
        60,
        points=[0, epsilon],
        limit=400,
    )[0]
    return math.log(moment) / (order - 1)


def sampled(order, q, sigma):
    """The divergence of the sampled answer, by integration with many digits."""
    with mpmath.workdps(40):
        density = mpmath.npdf
        moment = mpmath.quad(
            lambda y: (
                ((1 - q) * density(y, 0, sigma) + q * density(y, 1, sigma)) ** order
                * density(y, 0, sigma) ** (1 - order)
            ),
            [-30, -5, 0, 5, order / 2, order, order + 30],
        )
        return float(mpmath.log(moment) / (order - 1))


def tight(rho, delta):
    """The tight conversion, over a fine grid of orders."""
    over = np.geomspace(1e-3, 1e6, 400_000)
    alpha = 1 + over
    return (rho * alpha + np.log1p(-1 / alpha) - np.log(delta * alpha) / over).min()


@says(
    "zcdp.md",
    r"Counted in $(\varepsilon, \delta)$, or by a Rényi curve at small orders, this costs less; $\rho$ stays "
    r"$1/2\sigma^2$ for every $q > 0$.",
)
def _():
    for q, sigma in [(0.5, 1), (0.01, 1), (0.001, 2)]:
        line = 1 / (2 * sigma**2)
        slopes = [sampled(order, mpmath.mpf(q), sigma) / order for order in (2, 20, 400)]
        assert max(slopes) < line and slopes[-1] > 0.85 * line
        assert all(
            slope >= line - math.log(1 / q) / (order - 1) for slope, order in zip(slopes, (2, 20, 400), strict=True)
        )


@says(
    "zcdp.md",
    r"At $\sigma = 1$ and $q = 0.01$ the divergence per order is {...} at order 2 and {...} at "
    r"order 512, and $\rho$ must "
    "cover both.",
)
def _(said):
    per_order = [sampled(order, mpmath.mpf("0.01"), 1) / order for order in (2, 512)]
    assert said == [f"{per_order[0]:.5f}", f"{per_order[1]:.2f}"]


def worst_choice():
    """The largest D_α/α of the exponential mechanism with ε = 1 over scores that move by 1 each, by brute force."""
    worst, rng = 0.0, np.random.default_rng(3)
    for answers_ in (2, 3, 5):
        for _ in range(300):
            scores = rng.uniform(0, 20, answers_)
            moved = scores + rng.choice([-1, 1], answers_)
            p, q = (np.exp(each / 2 - (each / 2).max()) for each in (scores, moved))
            p, q = p / p.sum(), q / q.sum()
            assert np.ptp(np.log(p / q)) <= 1 + 1e-12
            worst = max(worst, *(renyi(p, q, order) / order for order in (1.001, 1.5, 2, 8, 40)))
    return worst


@says(
    "zcdp.md",
    r"One row moves each score by at most $\Delta$, so the logarithm of each weight by at most $\varepsilon/2$ up or "
    "down; then the normalisation moves all logarithms alike.",
)
def _():
    assert worst_choice() <= 1 / 8  # and there the losses' range is asserted


@answers("zcdp.md", "Which is the smallest of these budgets")
def _():
    budgets = {"0.46, that of a coin": 0.46, "0.25": 0.25, "0.125": 0.125, "0.06": 0.06}
    covers = [budget for budget in budgets.values() if worst_choice() <= budget]
    assert worst_choice() > 0.95 / 8
    return {choice: budget == min(covers) for choice, budget in budgets.items()}


@says(
    "zcdp.md",
    "the four constants are {...} for the first bound, {...} for randomized response, {...} for Laplace noise and "
    "at most {...} for the exponential mechanism.",
)
def _(said):
    orders = 1 + np.geomspace(1e-4, 60, 60)
    assert float(said[0]) == 0.5 and said[3] == "0.125"
    assert float(said[1]) == pytest.approx(max(coin(1, order) / order for order in orders), abs=6e-4)
    assert float(said[2]) == pytest.approx(max(laplace(1, order) / order for order in orders), abs=6e-4)


@says("zcdp.md", "the first three are within {...} per cent of each other, and the fourth is still a quarter.")
def _(said):
    least = max(laplace(0.3, order) / order for order in (1.0001, 1.01, 2, 10))
    apart = 100 * (0.3**2 / 2 / least - 1)
    assert apart <= float(said[0]) < apart + 1.01


@says(
    "zcdp.md", r"no loss is above $\varepsilon$, so the divergence stays below $\varepsilon$ while the line rises on."
)
def _():
    for epsilon in (0.1, 1, 3):
        curve = [coin(epsilon, order) for order in np.geomspace(1.01, 60 / epsilon, 40)]
        assert max(curve) < epsilon and (np.diff(curve) > 0).all()


@says("zcdp.md", "From one count her best guess is right in {...} of 100 cases, from all 41 in {...}.")
@says("zcdp.md", "Her best guess is then right in {...} of 100 cases.")
def _(said):
    """Half of what the larger density of the sum integrates to, the two tables being equally likely."""

    def right(counts, sigma):
        width = sigma * math.sqrt(counts)
        y = np.linspace(-12 * width, 12 * width + counts, 400_001)
        larger = np.maximum(stats.norm.pdf(y, 0, width), stats.norm.pdf(y, counts, width))
        return f"{50 * np.trapezoid(larger, y):.0f}"

    promised = math.sqrt(41) * calibrated(1, 1e-6)
    assert said == ([right(1, 10), right(41, 10)] if len(said) == 2 else [right(41, promised)])


def calibrated(epsilon, delta):
    """σ of one count that is just (ε, δ)-DP, from its profile."""

    def above(sigma):
        at = epsilon * sigma + 1 / (2 * sigma)
        return stats.norm.sf(at - 1 / sigma) - math.exp(epsilon) * stats.norm.sf(at) - delta

    return optimize.brentq(above, 0.1, 100)


@answers("zcdp.md", "The office promises ε = 1 at δ = 10⁻⁶.")
def _():
    """Of 41 counts the loss is normal, of the mean that one count alone has with one of the three noises."""
    one = calibrated(1, 1e-6)
    assert one == pytest.approx(4.225, abs=1e-3)

    def mean_loss(times):
        """The sum of 41 divergences of order 1 over that of one count alone, by integration."""
        y = np.linspace(-60 * times, 60 * times, 400_001)
        p, q = (stats.norm.pdf(y, centre, one * times) for centre in (1, 0))
        kept = np.minimum(p, q) > 0
        return 41 * np.trapezoid((p * np.log(np.where(kept, p / np.where(kept, q, 1), 1))), y) * 2 * one**2

    return {
        "as much": mean_loss(1) == pytest.approx(1, rel=1e-3),
        "6.4 times as much, the root of 41": mean_loss(math.sqrt(41)) == pytest.approx(1, rel=1e-3),
        "41 times as much": mean_loss(41) == pytest.approx(1, rel=1e-3),
    }


@says("zcdp.md", r"Laplace noise is the smallest, and it spends no $\delta$.")
def _():
    assert math.sqrt(2) * 3 < math.sqrt(3) * calibrated(1, 1e-6)


@says("zcdp.md", "it is the largest by far, and {set}`a stricter δ <split: k=70, epsilon=1, delta=1e-10>` lifts")
def _():
    ell = math.log(1e6)
    rho = (math.sqrt(ell + 1) - math.sqrt(ell)) ** 2
    assert math.sqrt(2) * 70 > 1.5 * math.sqrt(70 / (2 * rho)) and calibrated(1, 1e-10) > calibrated(1, 1e-6)


@says("zcdp.md", "randomized response is {...} per cent below its line: nearly Gaussian.")
def _(said):
    assert said == [f"{100 * (1 - coin(0.2, 2) / (2 * 0.2 * math.tanh(0.1))):.1f}"] and float(said[0]) < 2


@says(
    "zcdp.md",
    r"The probability outside is {...} at most, and inside $D_\alpha \le \alpha/2\sigma^2$: the count is "
    r"$\delta$-approximately $1/2\sigma^2$-zCDP with this $\delta$.",
)
def _(said):
    """The answers that both counts can give lie between -59 and 60; both laws there, by integration."""
    noise = stats.truncnorm(-6, 6, scale=10)
    assert noise.sf(59) <= float(said[0]) < 1.2 * noise.sf(59)
    y = np.linspace(-59, 60, 200_001)
    p, q = noise.pdf(y) / noise.sf(-59), noise.pdf(y - 1) / noise.cdf(59)
    assert np.trapezoid(p, y) == pytest.approx(1, abs=1e-9) and np.trapezoid(q, y) == pytest.approx(1, abs=1e-9)
    for order in (1.001, 1.5, 2, 10, 100, 1000):
        for first, second in [(p, q), (q, p)]:
            log_moment = special.logsumexp(order * np.log(first) + (1 - order) * np.log(second)) + math.log(y[1] - y[0])
            assert log_moment / (order - 1) <= order / 200 * (1 + 1e-6)


@says(
    "zcdp.md",
    r"$\ln\mathbb{E}[e^{\lambda L}] \ge \lambda\,\mathbb{E}[L]$, so $D_\alpha \ge \mathbb{E}[L]$ at every order.",
)
def _():
    rng = np.random.default_rng(5)
    for _ in range(200):
        p, q = rng.dirichlet([1] * 4), rng.dirichlet([1] * 4)
        assert min(renyi(p, q, order) for order in (1.01, 2, 20)) >= np.sum(p * np.log(p / q)) - 1e-12


@says("zcdp.md", "{set}`The best share is a quarter <shares: rho=0.02, m=24, w=64, share=0.25>`")
@says("zcdp.md", "make the best share $1/11$, that of one count among eleven.")
def _():
    for weight, details, best in [(64, 24, 1 / 4), (1, 10, 1 / 11)]:
        shares = np.linspace(0.001, 0.999, 998_001)
        assert shares[(weight / shares + details**2 / (1 - shares)).argmin()] == pytest.approx(best, abs=1e-5)


@says(
    "zcdp.md",
    r"Read backwards by the tight conversion, these belong to $\rho =$ {...} and {...}, which round to the "
    r"budgets above.",
)
def _(said):
    for rho, epsilon, budget in zip(said, (17.14, 2.47), ("2.56", "0.07"), strict=True):
        assert (
            tight(float(rho), 1e-10) == pytest.approx(epsilon, abs=0.006) and f"{float(rho):.2f}".rstrip("0") in budget
        )


@says("zcdp.md", r"Adding them claims more than converting the sum, and has twice the $\delta$.")
def _():
    assert tight(2.555 + 0.0747, 1e-10) + 2 < 17.14 + 2.47


@says(
    "zcdp.md",
    r"So $\rho$-zCDP says: every *positive* exponential moment of the privacy loss, $\lambda > 0$, is at most that of "
    r"$N(\rho, 2\rho)$.",
)
def _():
    """A coin keeps to it; an answer that reveals nothing is ρ-zCDP too, and has a negative "
    "moment above the normal's."""
    truth, rho = math.e / (1 + math.e), math.tanh(0.5)
    for power in (0.01, 0.3, 1, 5, 20):
        moment = truth * math.exp(power) + (1 - truth) * math.exp(-power)
        assert moment <= math.exp(power * rho + power**2 * rho)
    assert math.exp(-0.5 * rho + 0.5**2 * rho) < 1


@answers("zcdp.md", "Each mechanism gets the lowest line")
def _():
    orders = np.array([1.0001, 1.5, 2, 4, 8, 100])
    shares = np.array([coin(1, order) / order for order in orders]) / math.tanh(0.5)
    touches = shares > 1 - 1e-4
    return {
        "at every order": bool(touches.all()),
        "at one order in the middle": bool(touches[2:5].any()),
        "as α falls to 1": bool(touches[0]) and not touches[1:].any(),
        "as α grows to ∞": bool(touches[-1]),
    }


@answers("zcdp.md", "For ρ = 0.1 and ε = 2 the parabola is zero")
def _():
    orders = np.linspace(1.01, 25, 200_001)
    best = orders[((orders - 1) * (0.1 * orders - 2)).argmin()]
    return {choice: abs(best - float(choice)) < 0.01 for choice in ("2", "10", "10.5", "20")}


@answers("zcdp.md", "At ρ = 0.25 and δ = 10⁻⁵ the classic conversion")
def _():
    mu = math.sqrt(0.5)

    def profile(epsilon):
        above = epsilon / mu + mu / 2
        return stats.norm.sf(above - mu) - math.exp(epsilon) * stats.norm.sf(above) - 1e-5

    exact = optimize.brentq(profile, 0, 10)
    classic = 0.25 + 2 * math.sqrt(0.25 * math.log(1e5))
    closed = (classic - tight(0.25, 1e-5)) / (classic - exact)
    return {"a tenth": closed < 0.2, "about two thirds": abs(closed - 2 / 3) < 0.05, "all of it": closed > 0.95}


@answers("zcdp.md", "The headline matters as much as 25 details")
def _():
    shares = np.linspace(0.001, 0.999, 998_001)
    best = shares[(25 / shares + 10 * 10 / (1 - shares)).argmin()]
    return {
        choice: abs(best - value) < 1e-3
        for choice, value in {"25/26": 25 / 26, "25/35": 25 / 35, "1/3": 1 / 3, "1/11": 1 / 11}.items()
    }


@answers("zcdp.md", "Discrete Gaussian noise with a small σ")
def _():
    whole = np.arange(-30, 40)

    def below(order, sigma=0.3):
        """The line less the divergence, term by term."""
        weight, log_ratio = -(whole**2) / (2 * sigma**2), (2 * whole - 1) / (2 * sigma**2)
        log_moment = special.logsumexp(weight + order * log_ratio) - special.logsumexp(weight)
        return order / (2 * sigma**2) - log_moment / (order - 1)

    at_whole, between = [below(order) for order in (2, 3, 4)], [below(order) for order in (1.5, 2.5, 3.5)]
    touches = max(map(abs, at_whole)) < 1e-9
    return {
        "it is below by a constant": np.ptp(at_whole + between) < 1e-6,
        "it hangs in arcs and touches the line at α = 1, 2, 3, …": touches and min(between) > 1e-3,
        "it touches at α = 1 only": not touches,
    }


@says("zcdp.md", r"| $\delta$ at $\varepsilon \ge \rho$ | $e^{-(\varepsilon - \rho)^2/4\rho}$, and a smaller one |")
def _():
    """Left of ρ the formula would be too small for Gaussian noise."""

    def exact(rho, epsilon):
        mu = math.sqrt(2 * rho)
        return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)

    for rho in (0.1, 2, 5):
        assert math.exp(-rho / 4) < exact(rho, 0) or rho < 1
        for epsilon in np.linspace(rho, rho + 10, 40):
            assert exact(rho, epsilon) <= math.exp(-((epsilon - rho) ** 2) / (4 * rho)) + 1e-15


@says("zcdp.md", "losses in an interval of length 1 can have a $\\rho$ of 0.1233, and no more.")
def _():
    """Two losses suffice, since one equation binds them, E exp(-L) = 1: all places of the interval and all orders."""
    orders, largest = 1 + np.geomspace(1e-4, 1e3, 400), 0.0
    for top in np.linspace(0.001, 0.999, 999):
        chance = -math.expm1(1 - top) / (math.exp(-top) - math.exp(1 - top))
        moment = np.logaddexp(math.log(chance) + (orders - 1) * top, math.log1p(-chance) + (orders - 1) * (top - 1))
        largest = max(largest, (moment / (orders - 1) / orders).max())
    assert round(largest, 4) == 0.1233


@says("zcdp.md", "which is the smaller bound from about $\\varepsilon = 8$ on.")
def _():
    epsilon = np.linspace(0.1, 30, 3000)
    smaller = epsilon * np.tanh(epsilon / 2) < epsilon**2 / 8
    assert (smaller == (epsilon > 8)).mean() > 0.999


@says("zcdp.md", "each of 41 needs {...}, both rounded up:")
def _(said):
    low, high = 1.0, 1000.0  # the σ at which the profile is 10⁻⁶, by halving
    for _ in range(60):
        sigma = (low + high) / 2
        mu = math.sqrt(41) / sigma
        delta = stats.norm.cdf(mu / 2 - 1 / mu) - math.e * stats.norm.cdf(-mu / 2 - 1 / mu)
        low, high = (sigma, high) if delta > 1e-6 else (low, sigma)
    assert high <= float(said[0]) + 1e-9 and float(said[0]) < high + 1


@says("zcdp.md", "while $Q = N(0, \\sigma^2)$, and $D_\\alpha \\ge \\alpha/2\\sigma^2 - ")
def _():
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
