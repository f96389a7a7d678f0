"""Checks of chapters/comparing.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom, norm

from claims import answers, at_rest, says
from dp_lib import gdp, zcdp
from dp_lib.pld import PrivacyLoss


def rdp_line(sigma, alpha, k, delta):
    return alpha * k / (2 * sigma**2) + np.log(1 / delta) / (alpha - 1)


def zcdp_curve(sigma, k, delta):
    rho = k / (2 * sigma**2)
    return rho + 2 * np.sqrt(rho * np.log(1 / delta))


@says("comparing.md", "It touches at $k =$ {...} and lies above for every other $k$.")
def _(said):
    k = np.arange(1, 1_000_000) / 100
    above = rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)
    assert k[above.argmin()] == pytest.approx(float(said[0]), abs=0.05)
    assert above.min() >= 0 and (np.delete(above, above.argmin()) > 0).all()


@says(
    "comparing.md",
    r"For Gaussian noise, every real $k > 0$ and every $\alpha > 1$, $\varepsilon_\alpha(k) \ge \varepsilon(k)$, "
    r"with equality exactly when $k = 2\sigma^2 \ln(1/\delta) / (\alpha - 1)^2$.",
)
def _():
    with mpmath.workdps(50):
        for sigma, delta in [(0.01, "1e-300"), (200, "1e-5"), (1e6, "0.999")]:
            loss = mpmath.log(1 / mpmath.mpf(delta))
            for over in ["1e-12", "1e-3", "1", "59", "1e9"]:  # the order less one
                at = 2 * mpmath.mpf(sigma) ** 2 * loss / mpmath.mpf(over) ** 2
                for times in ["1e-9", "0.999999", "1", "1.000001", "1e9"]:
                    rho = at * mpmath.mpf(times) / (2 * mpmath.mpf(sigma) ** 2)
                    line, curve = (
                        (1 + mpmath.mpf(over)) * rho + loss / mpmath.mpf(over),
                        rho + 2 * mpmath.sqrt(rho * loss),
                    )
                    assert (abs(line / curve - 1) < mpmath.mpf(10) ** -40) if times == "1" else line > curve


@says("comparing.md", r"the simple form's ratio depends on $\delta$ and $k$, and not at all on $\varepsilon$.")
def _(names):
    sigmas = names["noises"]
    for delta, k in [(1e-9, 1), (1e-5, 100), (1e-2, 10_000)]:
        ratios = [
            (sigmas["composition, simple form"].y(eps, delta, k) / sigmas["vector, classic"].y(eps, delta, k)) ** 2
            for eps in (0.01, 0.3, 0.99)
        ]
        assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-12)


@says(
    "comparing.md",
    r"At $k = 100$ it has three parts. Pairs $(\varepsilon_i, \delta_i)$, composed optimally, "
    r"need about {...} times the vector's "
    "σ; the full form needs about {...} times as much as that, and the simple form {...} times as much again.",
)
def _(said):
    """Each form solved by bisection; optimal composition from the binomial tails."""
    k, epsilon, slack = 100, 0.1, 5e-6

    def full(step):
        return step * np.sqrt(2 * k * np.log(1 / slack)) + k * step * np.expm1(step)

    def optimal(step):
        truths = np.arange(k + 1)
        p, loss = expit(step), (2 * truths - k) * step
        mass = binom.pmf(truths, k, p)
        return brentq(lambda eps: mass @ np.maximum(-np.expm1(eps - loss), 0) - slack, 0, k * step)

    steps = [brentq(lambda x, form=form: form(x) - epsilon, 1e-5, 0.1) for form in (optimal, full)]
    steps.append(epsilon / (2 * np.sqrt(2 * k * np.log(1 / slack))))
    sigmas = [np.sqrt(2 * np.log(1.25 * k / slack)) / step for step in steps]
    vector = np.sqrt(2 * k * np.log(1.25e5)) / epsilon
    wanted = np.divide(sigmas, [vector, *sigmas[:-1]])
    assert [float(each) for each in said] == pytest.approx(wanted, abs=0.006)
    assert sigmas[1] / vector == pytest.approx(5.98, abs=0.006)


def pairs(k, step, slack, form):
    """ε of k pairs (step, ...) by the full form of advanced composition, or by optimal composition."""
    if form == "full":
        return step * np.sqrt(2 * k * np.log(1 / slack)) + k * step * np.expm1(step)
    truths = np.arange(k + 1)
    mass, loss = binom.pmf(truths, k, expit(step)), (2 * truths - k) * step
    return brentq(lambda eps: mass @ np.maximum(-np.expm1(eps - loss), 0) - slack, 0, k * step)


def profile(epsilon, mu):
    """δ of N(μ, 1) against N(0, 1)."""
    at = epsilon / mu + mu / 2
    return norm.sf(at - mu) - np.exp(epsilon) * norm.sf(at)


def normal_epsilon(mu, delta):
    return brentq(lambda eps: profile(eps, mu) - delta, 0, 100, xtol=1e-14)


def exact_sigma(epsilon, delta):
    """σ at sensitivity 1 that is just (ε, δ)-DP."""
    return 1 / brentq(lambda mu: profile(epsilon, mu) - delta, 1e-4, 20)


@says(
    "comparing.md",
    r"and compose the pairs optimally: {...} times. The full form of advanced composition is {...} times that. "
    r"The classic bound for each $\varepsilon_i$, in place of the exact one, is another {...} times.",
)
def _(said):
    whole, step = normal_epsilon(np.sqrt(500) / 200, 1e-5), normal_epsilon(1 / 200, 1e-8)
    classic = np.sqrt(2 * np.log(1.25e8)) / 200
    tower = [
        whole,
        pairs(500, step, 5e-6, "optimal"),
        pairs(500, step, 5e-6, "full"),
        pairs(500, classic, 5e-6, "full"),
    ]
    assert [float(each) for each in said] == pytest.approx(np.divide(tower[1:], tower[:-1]), abs=0.006)


@says("comparing.md", r"| 100 | {...} | {...} | {...} | {...} |")
def _(said):
    def step(form):
        return brentq(lambda x: pairs(100, x, 5e-6, form) - 0.1, 1e-5, 0.1)

    vector = np.sqrt(2 * np.log(1.25e5)) * 10 / 0.1
    steps = [0.1 / (2 * np.sqrt(200 * np.log(2e5))), step("full"), step("optimal")]
    ratios = [np.sqrt(2 * np.log(1.25 / 5e-8)) / each / vector for each in steps]
    ratios.append(exact_sigma(step("optimal"), 5e-8) / (10 * exact_sigma(0.1, 1e-5)))
    assert [float(each) for each in said] == pytest.approx(ratios, abs=0.006)
    assert ratios[3] == pytest.approx(3.67, abs=0.006)


@says("comparing.md", "the best guess is right in {...} of 100 cases.")
def _(said):
    y = np.linspace(-4000, 4500, 200_001) * np.sqrt(500)
    width = 200 * np.sqrt(500)
    larger = np.maximum(norm.pdf(y, 0, width), norm.pdf(y, 500, width))
    assert said == [f"{50 * np.trapezoid(larger, y):.0f}"]


@answers("comparing.md", "Three accountants prove an ε for this one release")
def _():
    step = np.sqrt(2 * np.log(1.25e8)) / 200
    proved = [pairs(500, step, 5e-6, "full"), zcdp_curve(200, 500, 1e-5), normal_epsilon(np.sqrt(500) / 200, 1e-5)]
    factor = max(proved) / min(proved)
    return {
        "it does not: there is one ε": factor < 1.01,
        "about 1.4 times": abs(factor - 1.4) < 0.2,
        "about 10 times": abs(factor - 10) < 0.2,
        "about 500 times": factor > 400,
    }


@says(
    "comparing.md",
    "with $\\sigma = 160$, reported exactly, {...}, though there is less noise.",
)
def _(said):
    assert said == [f"{np.ceil(100 * normal_epsilon(np.sqrt(500) / 160, 1e-5)) / 100:.2f}"]  # a bound is rounded up
    assert float(said[0]) < zcdp_curve(200, 500, 1e-5)


@says("comparing.md", "no $\\delta$ is needed, and adding up is close to exact")
def _():
    """Five coins or five Laplace answers of ε = 0.1 at δ = 1e-6: within two per cent of the sum."""
    assert pairs(5, 0.1, 1e-6, "optimal") > 0.98 * 0.5
    assert PrivacyLoss.laplace(10).repeat(5).epsilon(1e-6).lower > 0.98 * 0.5


@says(
    "comparing.md",
    "Advanced composition starts beside zCDP, soon passes the RDP curve and ends near the top of the picture.",
)
def _():
    c = at_rest("comparing.md", "loss-of-conversion")
    high = c["advanced composition"]
    assert high[0] == pytest.approx(c["zCDP"][0], rel=0.05) and high[0] < c["RDP at this α"][0] and 40 < high[-1] < 50
    assert (high > c["RDP at this α"])[(c["k"] > 10) & (c["k"] < 1e4)].all()


@answers("comparing.md", "As k grows without end at fixed σ, which bounds come close to the exact ε?")
def _():
    def over(k):
        """zCDP, zCDP tight, RDP at order 60 and advanced composition over the exact ε."""
        exact = gdp.epsilon(np.sqrt(k) / 200, 1e-5)
        step = np.sqrt(2 * np.log(2.5e5 * k)) / 200
        advanced = min(k * step, step * np.sqrt(2 * k * np.log(2e5)) + k * step * np.expm1(step))
        rho = k / (2 * 200**2)
        return (
            np.array([zcdp_curve(200, k, 1e-5), zcdp.epsilon_tight(rho, 1e-5), rdp_line(200, 60, k, 1e-5), advanced])
            / exact
        )

    far = over(1e12)
    assert (far[:2] < over(1e6)[:2]).all() and far[3] > far[2] > 59
    near = far < 1.001
    return {
        "none of them": not near.any(),
        "the zCDP ones, in ratio": near.tolist() == [True, True, False, False],
        "all of them": near.all(),
        "only the tight one": near.tolist() == [False, True, False, False],
    }


@says(
    "comparing.md", "would touch at $k =$ {...}, far outside the picture: here the line is above the curve all the way;"
)
def _(said):
    k = np.arange(1, 501)
    assert float(said[0]) > 500
    assert (rdp_line(200, 20, k, 1e-5) > zcdp_curve(200, k, 1e-5)).all()


@says(
    "comparing.md",
    "The dotted line of the best order lies on zCDP's curve except in the left fifth.",
)
def _():
    c = at_rest("comparing.md", "rdp-vs-zcdp")
    apart = c["RDP, best α of 2..100"] / c["zCDP"] - 1
    assert (apart >= 0).all() and apart[0] > 1 / 100 and apart[c["k"] > 100].max() < 1e-3
    assert (apart[c["k"] < 80] > 1e-3).all()  # the list ends at order 100, the best order of 94 queries


@answers("comparing.md", "You slide ε from 0.5 to 1. What happens to the gap between the two lines?")
def _():
    k = np.arange(1, 101)
    gaps = [np.abs(1 / (epsilon / k) - k / epsilon).max() for epsilon in (0.5, 0.75, 1.0)]
    none = np.allclose(gaps, 0, atol=1e-12)
    return {
        "it halves": not none and gaps[2] == pytest.approx(gaps[0] / 2),
        "it doubles": not none and gaps[2] == pytest.approx(2 * gaps[0]),
        "there is no gap, before or after": none,
        "it closes only at ε = 1": not none and gaps[2] < 1e-12,
    }


@answers("comparing.md", "At ε = 0.1, δ = 10⁻⁵ and k = 100 counts, how many times the vector's σ")
def _():
    ratio = 4 * np.sqrt(100 * np.log(2e5) * np.log(250e5)) / np.sqrt(2 * 100 * np.log(1.25e5))
    return {
        "about 1.2 times": abs(ratio - 1.2) < 0.1,
        "about 12 times": abs(ratio - 12) < 1,
        "about 140 times": abs(ratio - 140) < 10,
        "100 times": abs(ratio - 100) < 1,
    }


@answers("comparing.md", "RDP at α = 60 is a straight line in k.")
def _():
    k = np.geomspace(1e-3, 1e9, 1_000_001)
    above = (rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)) / zcdp_curve(200, k, 1e-5)
    below, touching = above < -1e-12, above.min() < 1e-9
    return {
        "it crosses the curve twice": below.any(),
        "it touches it at one k and is above everywhere else": touching and not below.any(),
        "it runs below the curve for large k": below[-1],
        "they never meet": not touching,
    }


@says(
    "comparing.md",
    "If a row moves only $m$ of the counts, the vector is $m/b$-DP by the same middle sum; adding up knows nothing of "
    "that and claims $k/b$.",
)
def _():
    scale, k = 3.0, 6
    noise = np.random.default_rng(0).laplace(0, scale, (10_000, k))
    for moved in range(k + 1):
        shift = np.arange(k) < moved
        loss = (np.abs(noise + shift) - np.abs(noise)).sum(1) / scale
        assert loss.max() == pytest.approx(moved / scale)


@says("comparing.md", r"So what is left of the gap under optimal composition comes from describing a Gaussian step by")
def _(names):
    """Of one step nothing is left; of a hundred a factor of 3.87 in σ, of the 11.9 of the simple form."""
    assert names["ratio"](1) ** 0.5 > 10 and names["ratio"](1, names["sigma_optimal"]) ** 0.5 < 1.05
    assert names["ratio"](100, names["sigma_optimal"]) ** 0.5 == pytest.approx(3.87, abs=0.005)


@says(
    "comparing.md",
    "With the tight conversion the best order is lower, for example about 36.6 instead of 43.9 for 500 queries.",
)
def _():
    order, rho = np.linspace(2, 200, 1_980_001), 500 / (2 * 200**2)
    tight = order * rho + np.log1p(-1 / order) - (np.log(1e-5) + np.log(order)) / (order - 1)
    classic = order * rho + np.log(1e5) / (order - 1)
    assert round(order[tight.argmin()], 1) == 36.6 and round(order[classic.argmin()], 1) == 43.9


@says("comparing.md", "It needs $\\sigma =$ {...} against {...}, both rounded up: {...} times.")
def _(said):
    step = 0.1 / math.sqrt(800 * math.log(2e5))
    simple = math.sqrt(2 * math.log(1.25 * 200 / 1e-5)) / step
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert said == [f"{math.ceil(simple)}", f"{math.ceil(vector)}", f"{simple / vector:.1f}"]


@says("comparing.md", "At this order advanced composition ends worse than any of them.")
def _():
    c = at_rest("comparing.md", "loss-of-conversion")
    over_exact = {name: c[name][-1] for name in ("advanced composition", "RDP at this α", "zCDP", "zCDP, tight")}
    assert max(over_exact, key=over_exact.get) == "advanced composition"
