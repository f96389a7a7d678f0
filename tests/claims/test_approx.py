"""Checks of chapters/approx.md."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.stats import laplace, norm

from claims import answers, at_rest, says
from dp_lib import approx, gdp


def gaussian_delta(sigma, epsilon):
    """δ of a count with Gaussian noise: the area of p above e^ε q, added up."""
    y = np.linspace(-20 * sigma, 20 * sigma + 1, 400_001)
    return np.maximum(norm(1, sigma).pdf(y) - np.exp(epsilon) * norm(0, sigma).pdf(y), 0).sum() * (y[1] - y[0])


@answers("approx.md", "The clinic allows δ = 10⁻⁵ beside ε = 1")
def _(said):
    low, high = 10, 100
    for _ in range(50):
        middle = (low + high) / 2
        exact = mpmath.ncdf(5 / middle - middle / 10) - mpmath.e * mpmath.ncdf(-5 / middle - middle / 10)
        low, high = (middle, high) if exact > 1e-5 else (low, middle)
    assert high <= float(said[0]) < high + 0.1 and high / 10 <= float(said[1]) < high / 10 + 0.01
    return {"141, as before": high > 140, "about 37": 36.5 < high < 37.5, "about 1.4": high < 2}


@says("approx.md", "Laplace noise grows like $k$, normal noise like $\\sqrt k$.")
def _():
    c = at_rest("approx.md", "what-delta-buys")
    assert np.allclose(c["Laplace noise, ε"] / c["k"], math.sqrt(2))
    assert np.ptp(c["Gaussian noise, (ε, δ)"] / np.sqrt(c["k"])) < 1e-9


@says("approx.md", "The Laplace line is the steeper one; they cross at a circle near seven counts.")
def _():
    c = at_rest("approx.md", "what-delta-buys")
    over = c["Laplace noise, ε"] > c["Gaussian noise, (ε, δ)"]
    assert (
        6 < c["k"][over][0] < 8 and 6.5 < np.min(c["equal noise", "x"]) < 7.5 and (np.diff(over.astype(int)) >= 0).all()
    )


@answers("approx.md", "Two unit normals one apart, and ε = 0.5")
def _():
    areas = [gaussian_delta(1, epsilon) for epsilon in (0.5, 1, 1.5)]
    never = all(norm(1).pdf(y) > math.exp(epsilon) * norm(0).pdf(y) for epsilon in (5, 20) for y in (epsilon + 1,))
    return {
        "it stays, since p and q do not change": areas[0] == areas[2],
        "it shrinks to zero at some ε": not never,
        "it shrinks and never reaches zero": areas[0] > areas[1] > areas[2] > 0 and never,
    }


@says("approx.md", "It never vanishes: far enough to the right $p$ is above every multiple of $q$.")
def _():
    for multiple in (1, 1e3, 1e50):
        y = math.log(multiple) + 1
        assert norm(1).logpdf(y) > math.log(multiple) + norm(0).logpdf(y)


@answers("approx.md", "A noisy count with σ = 1.5 has a loss above")
def _():
    delta = gaussian_delta(1.5, 0.5)
    assert round(norm.sf(0.5, 1 / 4.5, 1 / 1.5), 2) == 0.34
    return {
        "0.34": abs(delta - 0.34) < 0.01,
        "about 0.1": abs(delta - 0.1) < 0.03,
        "about 0.001": delta < 0.01,
        "larger than 0.34": delta > 0.34,
    }


@says(
    "approx.md",
    "about a third of the tail's {...}: half of the losses above 0.5 stay below 0.86, where the weight is only 0.30.",
)
def _(said):
    tail = norm(1 / 4.5, 1 / 1.5)
    assert said == [f"{tail.sf(0.5):.2f}"] and 0.25 < gaussian_delta(1.5, 0.5) / tail.sf(0.5) < 0.4
    middle = tail.isf(tail.sf(0.5) / 2)
    assert round(middle, 2) == 0.86 and round(1 - math.exp(0.5 - middle), 2) == 0.30


@says(
    "approx.md",
    "The weight is below 1 for every finite loss. Only infinite losses, such as a published record, count in full.",
)
def _():
    with mpmath.workdps(500):
        for loss in (0.6, 10, 1000):
            assert 0 < 1 - mpmath.exp(mpmath.mpf(0.5) - loss) < 1
        assert 1 - mpmath.exp(0.5 - mpmath.inf) == 1


@answers("approx.md", "The clinic's σ makes the release exactly")
def _(names):
    sigma = float(names["first_sigma"])
    often = norm.sf(1, 1 / (2 * sigma**2), 1 / sigma)
    return {
        "once in 100 000 releases": abs(often - 1e-5) < 1e-6,
        "about 16 times as often": 15 < often / 1e-5 < 17,
        "never": often == 0,
    }


@answers("approx.md", "All three mechanisms satisfy")
def _(names):
    gaussian = mpmath.ncdf(0.5 / names["first_sigma"] - 3 * names["first_sigma"]) <= 1e-10
    shame = 1e-5 - math.exp(3) * 0 <= 1e-10  # the event that the old row is seen
    return {"all three": gaussian and shame, "only the Gaussian": gaussian and not shame, "none": not gaussian}


@says(
    "approx.md",
    r"The other two lose all or nothing. No $\varepsilon$ makes up for a published record, so their "
    r"$\delta$ stays.",
)
def _():
    for epsilon in (0, 1, 10, 100):
        assert max(1e-5 - math.exp(epsilon) * 0, 0) == 1e-5


@answers("approx.md", "A table has n = 10 000 rows and δ = 1/n")
def _():
    often = 1 - math.comb(10_000, 0) * (1 - 1e-4) ** 10_000
    return {
        "1 in 10 000": often < 0.001,
        "about 10%": 0.05 < often < 0.15,
        "about 63%": 0.625 < often < 0.635,
        "certain": often == 1,
    }


@answers("approx.md", "Somebody uses the classic σ for ε = 10")
def _():
    with mpmath.workdps(30):
        mu = 10 / mpmath.sqrt(2 * mpmath.log(mpmath.mpf(125000)))
        true = mpmath.ncdf(mu / 2 - 10 / mu) - mpmath.exp(10) * mpmath.ncdf(-mu / 2 - 10 / mu)
    return {
        "smaller than 10⁻⁵; the formula is cautious": true < 1e-5,
        "about 2.3 · 10⁻⁵": 2.25e-5 < true < 2.35e-5,
        "about 0.1": true > 0.05,
    }


def published(s, epsilon, delta):
    """How often the histogram publishes a name that s rows carry."""
    return laplace(s, 2 / epsilon).sf(1 + 2 / epsilon * math.log(1 / (2 * delta)))


@answers("approx.md", "A diagnosis is carried by one patient. ε = 1")
def _(said):
    often = published(1, 1, 1e-5)
    rows = range(1, 100)
    assert said == [
        str(next(s for s in rows if published(s, 1, 1e-5) > 0.5)),
        str(next(s for s in rows if 1e-5 * sum(math.exp(i) for i in range(s)) > 0.5)),
    ]
    return {"never": often == 0, "once in 100 000 times": math.isclose(often, 1e-5), "half of the times": often > 0.4}


def cell(count, epsilon, edges):
    """A name's part of the histogram: nothing, then the probabilities of narrow bins above the threshold."""
    if not count:
        return np.append(1, np.zeros(len(edges)))
    above = laplace(count, 2 / epsilon).sf(edges)
    return np.concatenate([[1 - above[0]], above[:-1] - above[1:], above[-1:]])


@says(
    "approx.md",
    r"and publish the name and the noisy count where that is above $T = 1 + \frac2\varepsilon \ln "
    r"\frac1{2\delta}$. This is $(\varepsilon, \delta)$-DP.",
)
def _():
    """Two names, before and after a row has moved from one to the other: the hockey-stick divergence on a grid."""
    for epsilon, delta in [(0.5, 0.2), (1, 0.01), (2, 0.3), (0.2, 0.09), (3, 0.5)]:
        bar, step = 1 + 2 / epsilon * math.log(1 / (2 * delta)), 0.02 / epsilon
        edges = bar + step * np.arange(1500)

        for c, other in itertools.product((1, 2, 3), (0, 1, 2)):
            before = np.outer(cell(c, epsilon, edges), cell(other, epsilon, edges))
            after = np.outer(cell(c - 1, epsilon, edges), cell(other + 1, epsilon, edges))
            assert np.maximum(before - np.exp(epsilon) * after, 0).sum() <= delta * (1 + 1e-9)
            assert np.maximum(after - np.exp(epsilon) * before, 0).sum() <= delta * (1 + 1e-9)


@says(
    "approx.md",
    "A dotted curve that jumps from nought to one near twelve rows, and a solid one that does so "
    "more gently near twenty-three.",
)
def _():
    c = at_rest("approx.md", "unknown-names")
    s, bound, solid = c["s"], c["limit"], c["histogram"]
    assert bound[s == 10] < 0.15 and bound[s == 13] == 1 and solid[s == 12] < 0.01
    assert 22 <= s[solid > 0.5][0] <= 23 and 0.9 < solid[s == 30] < 0.99


@answers("approx.md", "A 1-DP mechanism runs on 1% of the rows")
def _():
    """Of all mechanisms the worst is randomized response on the one row; sampled, its odds are these."""
    p = math.e / (1 + math.e)
    now = math.log((0.01 * p + 0.99 * (1 - p)) / (1 - p))
    return {
        "0.01": abs(now - 0.01) < 0.002,
        "about 0.017": abs(now - 0.017) < 0.001,
        "about 0.1 (the square root)": now > 0.05,
        "still 1": now > 0.9,
    }


@says(
    "approx.md",
    r"Where $q(e^\varepsilon - 1)$ is small that is about $q(e^\varepsilon - 1)$, and about $q\varepsilon$ only when "
    r"$\varepsilon$ is small as well.",
)
def _():
    assert math.log(1 + 0.01 * math.expm1(5)) < 0.62 * 0.01 * math.expm1(5)  # a small q alone does not do it
    for epsilon in (0.01, 1, 5):
        sampled = math.log(1 + 1e-5 * (math.exp(epsilon) - 1))
        assert math.isclose(sampled, 1e-5 * (math.exp(epsilon) - 1), rel_tol=1e-3)
        assert math.isclose(sampled, 1e-5 * epsilon, rel_tol=0.01) == (epsilon == 0.01)


@answers("approx.md", "In d = 2 dimensions with bandwidth h = 0.05")
def _():
    right, careless = math.sqrt(2) / (2 * math.pi * 0.05**2), 1 / 0.05
    times = right / careless
    return {
        "it is enough": times <= 1,
        "about 1.5 times": 1.3 < times < 1.7,
        "about 4.5 times": 4.4 < times < 4.6,
        "about 100 times": times > 90,
    }


@says("approx.md", "Beyond it only the Gaussian goes on falling.")
def _():
    c = at_rest("approx.md", "three-profiles")
    beyond = c["claimed"] > 1
    assert (np.diff(c["Gaussian of this (ε, δ)"][beyond]) < 0).all()
    assert np.ptp(c["dominating pair"][beyond]) == 0


@says("approx.md", "The Gaussian runs below the dominating pair, passes through the point and plunges.")
def _():
    c = at_rest("approx.md", "three-profiles")
    gaussian, pair, x = c["Gaussian of this (ε, δ)"], c["dominating pair"], c["claimed"]
    assert (gaussian <= pair * (1 + 1e-9)).all() and math.isclose(gaussian[abs(x - 1).argmin()], 1e-5, rel_tol=1e-6)
    assert gaussian[-1] < 1e-10


@says(
    "approx.md",
    "The first has probability 63 per cent at n = 1/δ and is almost certain from a few times that on; the second has "
    "probability δ whatever n is.",
)
def _():
    c = at_rest("approx.md", "records-published")
    assert np.ptp(c["every record"]) == 0 and np.min(c["every record"]) == 1e-5
    for delta in (1e-7, 1e-5, 1e-2):
        assert 1 - (1 - delta) ** (5 / delta) > 0.99
        assert 1 - (1 - delta) ** (1 / delta) == pytest.approx(0.63, abs=0.005)


@says(
    "approx.md",
    "On logarithmic axes one line rises from left to right with slope one, bends near the vertical line at n = 1/δ and "
    "levels off at probability one.",
)
def _():
    c = at_rest("approx.md", "records-published")
    line, n = c["somebody's record"], c["n"]
    slope = np.diff(np.log(line)) / np.diff(np.log(n))
    assert np.allclose(slope[n[1:] < 1e3], 1, atol=0.01) and (line[n > 5e5] > 0.99).all()
    assert np.min(c["n = 1/δ", "x"]) == pytest.approx(1e5)


@says("approx.md", "Left of the vertical line it is proved, above the horizontal line it is false.")
def _(names):
    for delta in (1e-9, 1e-5, 1e-2):
        ratio = names["overshoot"](np.linspace(0.05, 1, 96), delta)
        assert (ratio < 1).all()


@says(
    "approx.md",
    "A curve on a logarithmic scale, far below one at small ε, rising through the line at one near ε "
    "= 8 at a ringed point.",
)
def _():
    c = at_rest("approx.md", "true-delta")
    curve, x = c["classic"], c["epsilon"]
    assert curve[0] < 0.01 and c.rises("classic").all() and 8 < x[curve > 1][0] < 9
    assert abs(np.min(c["false", "x"]) - 8.42) < 0.02


@says(
    "approx.md",
    "Where the right curve is above the enlarged one, the area between is shaded. A third curve "
    "rises to its maximum straight below the crossing.",
)
def _():
    c = at_rest("approx.md", "area-of-delta")
    y, gap, beyond = c["y"], c["gap of “beyond y”"], c["p, larger count"] - c["exp(ε) q"]
    above = beyond > 0
    assert abs(y[gap.argmax()] - y[above][0]) <= 0.06 and gap.max() < c["p, larger count"][above][0]
    assert np.allclose(c["area", "high"][above] - c["area", "low"][above], beyond[above])
    assert (c["area", "high"][~above] == c["area", "low"][~above]).all()


@says(
    "approx.md",
    "The dashed tail probability starts near one half and stays above the solid profile; the "
    "vertical distance between them grows to more than a decade.",
)
def _():
    c = at_rest("approx.md", "tail-against-delta")
    apart = np.log10(c["P(L > ε)"] / c["δ(ε), exact"])
    assert abs(c["P(L > ε)"][0] - 0.5) < 0.06 and (apart > 0).all() and (np.diff(apart) > 0).all() and apart[-1] > 1


@says(
    "approx.md",
    "At q = 1, on the left, the amplified ε is the original one and meets qε; for small q it follows "
    "q(exp(ε) − 1) and lies above qε.",
)
def _():
    c = at_rest("approx.md", "sampled-budget")
    now, upper, lower = c["sampled"], c["q(exp(ε) − 1)"], c["qε"]
    assert now[0] == pytest.approx(1) and lower[0] == pytest.approx(1)
    assert now[-1] == pytest.approx(upper[-1], rel=0.01) and (now[5:] > lower[5:]).all()


def discrete_profile(sigma, epsilon):
    """δ of the discrete Gaussian for counts that differ by 1: its weights, summed over the integers in 40 digits."""
    with mpmath.workdps(40):
        weights = [mpmath.exp(-(mpmath.mpf(x) ** 2) / (2 * mpmath.mpf(sigma) ** 2)) for x in range(-200, 201)]
        beyond = [p - mpmath.exp(epsilon) * q for p, q in zip(weights[1:], weights, strict=False)]
        return mpmath.fsum(part for part in beyond if part > 0) / mpmath.fsum(weights)


@says("approx.md", "Both parameters are stricter the nearer they are to 0.")
def _():
    rng = np.random.default_rng(1)
    for p, q in rng.dirichlet(np.ones(5), (50, 2)):
        delta = [np.maximum(p - np.exp(epsilon) * q, 0).sum() for epsilon in np.linspace(0, 3, 31)]
        assert (np.diff(delta) <= 0).all()  # the less ε, the more δ it takes: each promise implies the weaker ones
        assert np.allclose(p, q) == (delta[0] == 0)


@says(
    "approx.md",
    r"It has a profile of its own, a sum over integers: at the $\sigma$ above $\delta$ would be {...}, above the "
    "promise. `approx.sigma_discrete(1, 1e-5)` is {...}, and keeps it.",
)
def _(said, names):
    true, kept = discrete_profile(names["sigma"], 1), approx.sigma_discrete(1, 1e-5)
    assert said == [f"{float(true):.4g}", f"{kept:.4f}"] and true > 1e-5
    assert discrete_profile(kept, 1) <= 1e-5 < discrete_profile(kept * (1 - 1e-6), 1)


@says("approx.md", "All pass through the ringed point.")
def _():
    for epsilon, delta in [(0.1, 1e-5), (1, 1e-9), (3, 1e-2)]:
        assert gdp.delta(gdp.gaussian(approx.sigma_exact(epsilon, delta)), epsilon) == pytest.approx(delta, rel=1e-9)
        pair = [[(1 - delta) * np.exp(epsilon) / (1 + np.exp(epsilon)), (1 - delta) / (1 + np.exp(epsilon)), delta, 0]]
        pair.append([pair[0][1], pair[0][0], 0, delta])
        assert np.maximum(pair[0] - np.exp(epsilon) * np.array(pair[1]), 0).sum() == pytest.approx(delta, rel=1e-6)


@says("approx.md", "The dashed curve grows by the factor $e$ and the area between shrinks from {...} to {...}.")
def _(said):
    y = np.linspace(-12, 12, 240_001)
    areas = [
        np.maximum(np.exp(-((y - 1) ** 2) / 2) - np.exp(epsilon - y**2 / 2), 0).sum() * 1e-4 / np.sqrt(2 * np.pi)
        for epsilon in (0.5, 1.5)
    ]
    assert said == [f"{area:.3f}" for area in areas]


@says("approx.md", "The tail is the larger one, by a factor that grows with ε.")
def _():
    for sigma in (1, 3.75, 8):
        ratios = []
        for epsilon in mpmath.linspace(0, 2, 41):
            above = epsilon * sigma + mpmath.mpf(1) / (2 * sigma)  # in units of σ, from the smaller count
            tail, other = mpmath.ncdf(1 / mpmath.mpf(sigma) - above), mpmath.ncdf(-above)
            ratios.append(tail / (tail - mpmath.exp(epsilon) * other))
        assert ratios[0] > 1 and (np.diff(ratios) > 0).all()


@says(
    "approx.md",
    "Pure noise whose density is proportional to $e^{-\\varepsilon \\lVert z \\rVert_\\infty}$ keeps the same promise, "
    "because your row moves no count by more than 1. For 100 counts it takes a standard deviation of about {...} each, "
    "and Gaussian noise is smaller only from {...} counts on.",
)
def _(said, names):
    """Drawn: the radius of the cube is Gamma(k), one coordinate on a face and the others uniform."""
    rng, k = np.random.default_rng(1), 100
    radius = rng.gamma(k, 1, 400_000)
    face = np.where(rng.random(400_000) < 1 / k, rng.choice([-1.0, 1.0], 400_000), rng.uniform(-1, 1, 400_000))
    assert np.std(radius * face) == pytest.approx(float(said[0]), rel=0.01)
    counts = np.arange(1, 101)  # E[radius²] (1/k + (1 - 1/k)/3), the mean square of one coordinate
    pure_noise = np.sqrt(counts * (counts + 1) * (1 / counts + (1 - 1 / counts) / 3))
    smaller = counts[float(names["first_sigma"]) * np.sqrt(counts) < pure_noise]
    assert int(said[1]) == smaller[0] and (np.diff(smaller) == 1).all()


@says(
    "approx.md",
    r"Compared with Laplace noise, $\delta$ buys the step from $k$ to $\sqrt k$, here from {...} counts on;",
)
def _(said, names):
    counts = np.arange(1, 101)
    smaller = counts[float(names["first_sigma"]) * np.sqrt(counts) < math.sqrt(2) * counts]
    assert int(said[0]) == smaller[0] and (np.diff(smaller) == 1).all()


@says(
    "approx.md",
    "A loss just above $\\varepsilon$ counts hardly at all, a huge one nearly in full, and an infinite one in full.",
)
def _():
    weights = [1 - math.exp(-beyond) for beyond in (0.01, 5, math.inf)]
    assert weights[0] < 0.01 and 0.99 < weights[1] < 1 == weights[2]


@says("approx.md", "has the guarantee $\\varepsilon =$ {...}, $\\delta =$ {...}.")
def _(said):
    total = sum(math.exp(i) for i in range(5)) * 1e-5
    digits, power = said[1].split("·10")
    assert said[0] == "5" and power == "⁻⁴" and total <= float(digits) * 1e-4 < total + 1e-5


@says("approx.md", "It is $\\ln(1 + 0.01\\,(e - 1))$, at most {...}.")
def _(said):
    assert math.log(1 + 0.01 * (math.e - 1)) <= float(said[0]) < math.log(1 + 0.01 * (math.e - 1)) + 1e-4


@says("approx.md", r"To be published half of the times takes at least $\frac1\varepsilon")
def _():
    """And near ε = 1 it is about ln(1/δ)/ε, but not for a small ε, where that is far too many."""
    rows = {epsilon: math.log1p(math.expm1(epsilon) / 2e-5) / epsilon for epsilon in (1, 0.01)}
    assert rows[1] == pytest.approx(math.log(1e5), rel=0.02) and rows[0.01] < 0.6 * math.log(1e5) / 0.01
    for epsilon, least in rows.items():
        chance = lambda s, e=epsilon: 1e-5 * sum(math.exp(i * e) for i in range(s))  # noqa: E731 - the group theorem's δ
        assert chance(math.floor(least)) < 0.5 <= chance(math.ceil(least))


@says(
    "approx.md",
    "Mechanisms with independent coins that are each $(\\varepsilon_i, \\delta_i)$-DP, whatever the answers before it, "
    "compose to $(\\sum \\varepsilon_i, \\sum \\delta_i)$-DP.",
)
def _():
    """Two randomized responses with losses ±1 and ±0.5 and a record told with probability δ each, by enumeration."""
    steps = [(1.0, 1e-3), (0.5, 2e-3)]
    here, there = {}, {}
    for law, other in ((here, 0), (there, 1)):
        for outcome in itertools.product(("told", 0, 1), repeat=2):
            chance = 1.0
            for (epsilon, delta), symbol in zip(steps, outcome, strict=True):
                right = math.exp(epsilon) / (1 + math.exp(epsilon))
                chance *= delta if symbol == "told" else (1 - delta) * (right if symbol == other else 1 - right)
            law[tuple((symbol, other) if symbol == "told" else symbol for symbol in outcome)] = chance
    lost = sum(max(0, p - math.exp(1.5) * there.get(outcome, 0)) for outcome, p in here.items())
    assert 0 < lost <= 3e-3
