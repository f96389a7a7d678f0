"""Checks of chapters/sampling.md."""

import math
from itertools import combinations, product

import mpmath
import numpy as np
import pytest
from figures import run
from scipy.special import logsumexp
from scipy.stats import norm

from claims import answers, at_rest, says
from dp_lib import rdp


def divergence(alpha, one, other):
    """D_α of two mixtures of normal laws of deviation 1, each (weight, mean), by mpmath's quadrature."""

    def density(parts, y):
        return sum(w * mpmath.exp(-((y - m) ** 2) / 2) for w, m in parts) / mpmath.sqrt(2 * mpmath.pi)

    def integrand(y):
        return density(one, y) ** alpha * density(other, y) ** (1 - alpha)

    return float(mpmath.log(mpmath.quad(integrand, range(-3 * alpha - 12, 3 * alpha + 13, 2))) / (alpha - 1))


def both(alpha, one, other):
    return max(divergence(alpha, one, other), divergence(alpha, other, one))


Q = 0.01
POISSON = ((1 - Q, 0), (Q, 1)), ((1, 0),)
OPPOSITE = ((1 - Q, 0), (Q, 1)), ((1 - Q, 0), (Q, -1))
FIXED = ((1 - Q, -1), (Q, 1)), ((1, -1),)
BLANKED = ((1 - Q, -1), (Q, 1)), ((1 - Q, -1), (Q, 0))


def thousand(pair, orders):
    """ε of 1000 steps at δ = 1e-5, the least over these orders by the tight conversion."""
    return min(1000 * both(a, *pair) + math.log1p(-1 / a) - math.log(1e-5 * a) / (a - 1) for a in orders)


def rounded_up(number):
    return f"{math.ceil(100 * number) / 100:.2f}"


@says("sampling.md", "Poisson | {...} | {...} | {...} |")
def _(said):
    wants = [thousand(POISSON, (7, 8, 9)), thousand(POISSON, (7, 8, 9)), thousand(OPPOSITE, (6, 7, 8))]
    assert said == [rounded_up(want) for want in wants]


@says("sampling.md", "fixed size | {...} | {...} | {...} to {...} |")
def _(said):
    wants = [thousand(FIXED, (2, 3)), thousand(BLANKED, (2, 3)), thousand(FIXED, (2, 3))]
    assert said[:3] == [rounded_up(want) for want in wants]
    # the theorem at order 2, by hand: q² C(2,2) min{4(e^ε(2) - 1), 2 e^ε(2)} with ε(2) = 4
    bound = np.log1p(Q**2 * min(4 * np.expm1(4), 2 * np.exp(4)))
    assert said[3] == rounded_up(1000 * bound + math.log(1 / 2) - math.log(2e-5))


@says("sampling.md", "the pair is $(1-q)N(y) + qN(x)$ against $N(y)$, whose curve grows with $|x - y| \\le 2$.")
def _():
    for alpha in (2, 3, 8, 40):
        for q in (0.01, 0.3):
            curve = [rdp.subsampled_gaussian(alpha, 1 / apart, q) for apart in np.linspace(0.05, 2, 40)]
            assert (np.diff(curve) > 0).all()


@says(
    "sampling.md",
    "For a row removed from these $n$, or added to $n - 1$, the curve is that of a Poisson sample of rate $q = m/n$ "
    "with noise $\\sigma/2$, and it is reached.",
)
def _():
    """Brute force: all sets of m = 2 of 4 rows, on a grid; the row 1 is removed, others random or all -1."""
    y = np.arange(-14, 14, 0.01)
    rng = np.random.default_rng(2)

    def law(rows, m):
        sums = [sum(chosen) for chosen in combinations(rows, m)]
        return np.mean([np.exp(-((y - s) ** 2) / 2) for s in sums], axis=0) / np.sqrt(2 * np.pi)

    for others in [[-1.0] * 3, *rng.uniform(-1, 1, size=(20, 3)).tolist()]:
        p, r = law([1.0, *others], 2), law(others, 2)
        for alpha in (2, 3, 5):
            allowed = rdp.subsampled_gaussian(alpha, 0.5, 0.5)
            found = [np.log(np.sum(a**alpha * b ** (1 - alpha)) * 0.01) / (alpha - 1) for a, b in ((p, r), (r, p))]
            assert max(found) <= allowed + 1e-9
            if others == [-1.0] * 3:
                assert max(found) == pytest.approx(allowed, rel=1e-6)


@says("sampling.md", "the loss of the output $y$ is")
def _():
    """The pair by brute force: a bit that tells the row with odds e^ε, on a sample; both directions."""
    for epsilon in (0.1, 1, 5):
        for q in (0.01, 0.5):
            with_row = np.array([np.exp(epsilon), 1]) / (1 + np.exp(epsilon))
            without = with_row[::-1]
            sampled = (1 - q) * without + q * with_row
            losses = abs(np.log(sampled / without))
            assert losses.max() == pytest.approx(np.log(1 + q * np.expm1(epsilon)))


@says("sampling.md", "the divergence of the table with the row from the table without it is at most")
def _():
    for alpha in (2, 3, 5):
        for q in (0.05, 0.6):
            for p1, p0 in np.random.default_rng(7).dirichlet([1, 1, 1], size=(30, 2)):
                curve = {j: np.log(np.sum(p1**j * p0 ** (1.0 - j))) for j in range(2, alpha + 1)}  # (j-1) ε̄(j)
                total = (1 - q) ** (alpha - 1) * (1 + (alpha - 1) * q)
                total += sum(math.comb(alpha, j) * q**j * (1 - q) ** (alpha - j) * np.exp(c) for j, c in curve.items())
                sampled = (1 - q) * p0 + q * p1
                assert np.sum(sampled**alpha * p0 ** (1.0 - alpha)) <= total * (1 + 1e-12)


@answers("sampling.md", "The office draws one such sample and answers all 500 counts on it.")
def _():
    with mpmath.workdps(50):
        epsilon = float(mpmath.log(1 + (mpmath.exp(50) - 1) / 100))
    return {
        "about 0.5": abs(epsilon - 0.5) < 0.1,
        "about 5": abs(epsilon - 5) < 1,
        "about 45.4": 45.35 < epsilon <= 45.4,
        "50, as before": epsilon > 49.9,
    }


@answers("sampling.md", "A training run draws exactly 1 % of the rows in each of 1000 steps (σ = 1).")
def _():
    assert f"{thousand(POISSON, (7, 8, 9)):.2f}" == "2.11"
    epsilon = thousand(FIXED, (2, 3, 4))
    return {
        "2.11 too": abs(epsilon - 2.11) < 0.1,
        "about 3": abs(epsilon - 3) < 0.5,
        "about 15": abs(epsilon - 15) < 1,
        "about 650": abs(epsilon - 650) < 30,
    }


@answers("sampling.md", "Every row is kept with probability q = 0.01.")
def _():
    low = 1 / both(2, *POISSON)  # αΔ²/2σ² is 1 at order 2, and 32 at order 64
    with mpmath.workdps(60):
        terms = [
            mpmath.binomial(64, i)
            * mpmath.mpf("0.99") ** (64 - i)
            * mpmath.mpf("0.01") ** i
            * mpmath.exp(i * (i - 1) / 2)
            for i in range(65)
        ]
        high = float(32 * 63 / mpmath.log(sum(terms)))
    return {
        "100 times, 100 times": 50 < low < 200 and 50 < high < 200,
        "10 000 times, 10 000 times": low > 9000 and high > 9000,
        "thousands of times at a small order, hardly at all at a large one": 1000 < low < 9000 and high < 1.3,
        "hardly at all, thousands of times": low < 1.3 and high > 1000,
    }


@answers("sampling.md", "With q = 0.01 and σ = 1, training for 40 epochs instead of 10")
def _(names):
    times = names["training_epsilon"](40, 0.01, 1) / names["training_epsilon"](10, 0.01, 1)
    return {
        "it grows fourfold": 3.5 < times < 4.5,
        "it about doubles": 1.6 < times < 2.4,
        "it stays the same": times < 1.1,
        "it grows sixteenfold": times > 12,
    }


@says(
    "sampling.md",
    "a dashed curve on top; a curve that starts far below it and climbs up to it; and a curve a hundred times lower",
)
def _():
    c = at_rest("sampling.md", "once-or-fresh")
    none, one, fresh = (c[name] for name in ("no sample", "one sample", "fresh samples"))
    assert one[0] < none[0] / 50 and one[-1] > 0.9 * none[-1]
    assert ((none / fresh > 90) & (none / fresh < 110)).all()


@says("sampling.md", "the dashed curve of all rows climbs slowly.")
def _():
    c = at_rest("sampling.md", "sampled-gaussian")
    assert c.rises("every row").all() and c["every row"][-1] / c["every row"][0] < 25
    assert c["sample, Gaussian"][0] < c["every row"][0] / 1000


@says(
    "sampling.md",
    "the solid curve of sampled steps rises gently from about one; the dashed curve of full steps runs about eighty "
    "times higher on the left and six hundred times on the right.",
)
def _():
    c = at_rest("sampling.md", "training-run")
    times = c["every row"] / c["sampled, RDP"]
    assert c.rises("sampled, RDP").all() and 0.7 < c["sampled, RDP"][0] < 1.5
    assert times[0] == pytest.approx(80, rel=0.1) and times[-1] == pytest.approx(600, rel=0.1)


@says("sampling.md", "The dashed one starts higher and turns upwards at the lowest orders.")
def _():
    c = at_rest("sampling.md", "sampling-relations")
    steps = np.diff(np.log(c["fixed size"]))
    assert c["fixed size"][0] > 10 * c["Poisson, replaced"][0] and steps.argmax() <= 2
    assert np.diff(np.log(c["Poisson"])).argmax() in range(6, 12)


@says(
    "sampling.md",
    "With {set}`more noise <sampling-relations: rate=0.01, sigma=1.75, alpha=8>` the dashed curve's bend moves",
)
def _():
    curve = np.log(rdp.subsampled_gaussian(np.arange(2, 41), 0.875, 0.01))
    assert 2 < 2 + np.diff(curve).argmax() < 20


@says("sampling.md", "The line that meets the sampled curve far out is {...} times too high at order 2")
def _(said):
    assert said == [f"{1 / both(2, *POISSON):.0f}"]


@says(
    "sampling.md",
    r"The last term reaches 1 at $\alpha = 1 + 2\sigma^2\ln(1/q)$, the vertical line; at the figure's settings it "
    "overtakes the other about one order before.",
)
@says(
    "sampling.md",
    "The vertical line is where the last term reaches 1; it overtakes the term of second order in q about one order "
    "before.",
)
def _():
    """At the corners of the figure's sliders and between; each term of the binomial sum as a logarithm."""
    (shown,) = [each for each in run("sampling").figures if each.name == "sampled-gaussian"]
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


@says("sampling.md", "A bound for the first, for all rows, is {...}: a replacement removes a row and adds one")
def _(said):
    """Binomial sums, the group theorem for two and the tight conversion, each written out."""

    def epsilon(order):
        terms = [
            math.comb(order, j) * 0.01**j * 0.99 ** (order - j) * math.exp(j * (j - 1) / 2) for j in range(order + 1)
        ]
        budget = 1000 * math.log(math.fsum(terms)) / (order - 1)
        two, of_two = order**2 / (2 * order - 1), (2 * order - 1) / (order - 1) * budget
        return of_two + math.log1p(-1 / two) - (math.log(1e-5) + math.log(two)) / (two - 1)

    assert 0 <= float(said[0]) - min(map(epsilon, range(2, 38))) < 0.01


@says("sampling.md", "zCDP is left for what is not sampled,")
def _():
    """On all rows the divergence is a line in the order and ρ loses nothing; on a sample the line is far above it."""
    y = np.linspace(-60, 60, 240_001)
    out, full = norm.logpdf(y), norm.logpdf(y, 1)
    sampled = np.logaddexp(np.log(0.99) + out, np.log(0.01) + full)

    def per_order(inside, order):
        return (logsumexp(order * inside - (order - 1) * out) + np.log(y[1] - y[0])) / (order - 1) / order

    assert per_order(full, 2) == pytest.approx(0.5) == per_order(full, 16)
    assert per_order(sampled, 2) < per_order(sampled, 16) / 100
