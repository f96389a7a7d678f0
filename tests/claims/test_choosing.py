"""Checks of chapters/choosing.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, laplace, norm

from claims import answers, at_rest, says
from dp_lib.pld import PrivacyLoss


def gaussian_delta(mu, epsilon):
    """δ(ε) of μ-GDP, by an integral of the discounted loss."""

    def discounted(loss):
        return mpmath.npdf(loss, mu**2 / 2, mu) * -mpmath.expm1(epsilon - loss)

    return mpmath.quad(discounted, [epsilon, epsilon + 2 * mu, epsilon + 12 * mu])


def least_epsilon(mu, delta):
    """ε of μ-GDP at δ, by bisection of that integral."""
    return brentq(lambda epsilon: float(gaussian_delta(mu, epsilon)) - delta, 0, 100 * mu, xtol=1e-9)


@says(
    "choosing.md",
    r"under Gaussian noise at its exact $\varepsilon$ more often than $\delta$ (see below), under $\varepsilon$-DP "
    "never",
)
def _(names):
    mu = np.sqrt(500) / 200
    epsilon = least_epsilon(mu, 1e-5)
    up, down = norm.sf(epsilon, mu**2 / 2, mu), norm.cdf(-epsilon, mu**2 / 2, mu)
    assert (names["up"], names["down"]) == pytest.approx((up, down), rel=1e-5)
    assert up + down > 50e-5
    for noise in (0.5, 3, 50):  # the tail is above δ at every noise
        one = least_epsilon(1 / noise, 1e-5)
        assert norm.sf(one, 0.5 / noise**2, 1 / noise) > 1e-5


@says("choosing.md", r"The $\varepsilon$ beyond which the hospital moves them with probability $10^{-5}$ is {...}:")
def _(said):
    mu, epsilon = np.sqrt(500) / 200, float(said[0])
    beyond = [norm.sf(e, mu**2 / 2, mu) + norm.cdf(-e, mu**2 / 2, mu) for e in (epsilon - 5e-5, epsilon + 5e-5)]
    assert beyond[1] < 1e-5 < beyond[0]


@says(
    "choosing.md",
    r"against those who see the total alone it is far less, since the others' coins are noise too: {...} at "
    r"$\delta = 10^{-6}$ for a thousand coins of $\varepsilon_0 = 1$, if the others all would say no.",
)
def _(said):
    truth = np.e / (1 + np.e)

    def needed(yes_sayers):
        """ε of one coin among 999 others, `yes_sayers` of which would say yes."""
        others = np.convolve(
            binom.pmf(np.arange(yes_sayers + 1), yes_sayers, truth),
            binom.pmf(np.arange(1000 - yes_sayers), 999 - yes_sayers, 1 - truth),
        )
        one, other = (np.convolve(others, bit) for bit in ([1 - truth, truth], [truth, 1 - truth]))

        def profile(e):
            return max(np.maximum(p - np.exp(e) * q, 0).sum() for p, q in ((one, other), (other, one)))

        return brentq(lambda e: profile(e) - 1e-6, 0, 1)

    assert float(said[0]) == pytest.approx(needed(0), abs=6e-4)
    assert max(needed(m) for m in range(0, 1000, 111)) <= needed(0) + 1e-9  # and no others hide it less


@says(
    "choosing.md",
    "By the error that is exceeded once in a thousand times, Gaussian noise is smaller from "
    "{...} $k^*$ on, since its tail "
    "is shorter.",
)
def _(said):
    sigma = brentq(lambda s: float(gaussian_delta(1 / s, 1)) - 1e-6, 1, 20)
    star = sigma**2 / 2

    def at(k):
        return (laplace.isf(5e-4, scale=k), norm.isf(5e-4, scale=np.sqrt(k) * sigma))

    meet = brentq(lambda k: at(k)[0] - at(k)[1], 0.1, 100)
    assert meet / star <= float(said[0]) < meet / star + 0.01


@answers("choosing.md", "The largest and the smallest of the numbers for the hospital's release")
def _():
    step = np.sqrt(2 * np.log(1.25 * 500 / 1e-5)) / 200
    times = 500 * step / least_epsilon(np.sqrt(500) / 200, 1e-5)
    return {f"{said} times": times == pytest.approx(said, rel=0.1) for said in (1.4, 4, 40, 400)}


@answers("choosing.md", "For (ε, δ) = (1, 10⁻⁶): from how many counts on")
def _():
    def smaller(k):
        return least_epsilon(1 / (np.sqrt(2) * np.sqrt(k)), 1e-6) < 1  # σ = √2 k for the sum, √k apart

    first = next(k for k in range(1, 2000) if smaller(k))
    return {"from the first": first == 1} | {f"from about {k}": k / 2 < first < 2 * k for k in (10, 100, 1000)}


@answers("choosing.md", "A Gaussian release has exact ε = 0.5 for a person with one row.")
def _():
    mu = brentq(lambda m: float(gaussian_delta(m, 0.5)) - 1e-5, 0.05, 0.5)
    ten = least_epsilon(10 * mu, 1e-5)
    return {
        "still 0.5": abs(ten - 0.5) < 0.1,
        "1.6": abs(ten - 1.6) < 0.2,
        "5, ten times as much": abs(ten - 5) < 0.2,
        "more than 5": ten > 5.2,
    }


@says(
    "choosing.md",
    "For two Laplace answers or more there is no such line. A privacy loss distribution gives "
    "the truth between two bounds,",
)
def _():
    two = PrivacyLoss.laplace(1).repeat(2)
    beyond = [-np.log1p(-two.delta(e).lower) for e in (0.5, 1.0, 1.5)]  # a line in ε for one answer
    assert abs(beyond[0] - 2 * beyond[1] + beyond[2]) > 0.01


@answers("choosing.md", "One count, published unrounded, is to be right within 5 in 95 cases of 100.")
def _():
    least = brentq(
        lambda epsilon: laplace.cdf(5, scale=1 / epsilon) - laplace.cdf(-5, scale=1 / epsilon) - 0.95, 1e-3, 10
    )
    return {f"{said:g}": least == pytest.approx(said, rel=0.05) for said in (0.06, 0.6, 6, 60)}


@says(
    "choosing.md",
    "A yearly release at exactly $(1, 10^{-6})$ by Gaussian noise has at most {...} after five years and at "
    "most {...} after ten, "
    "at the same $\\delta$;",
)
def _(said):
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    for printed, years in zip(said, (5, 10), strict=True):
        assert 0 <= float(printed) - least_epsilon(mu * np.sqrt(years), 1e-6) < 0.0101


@says(
    "choosing.md",
    "an empty cell gets $b/2$. A table with 1000 empty cells and $b = 1$ gains {...} patients that nobody has",
)
def _(said):
    gain = mpmath.quad(lambda noise: noise * mpmath.exp(-noise) / 2, [0, mpmath.inf])
    assert float(1000 * gain) == pytest.approx(float(said[0]))


@says("choosing.md", "his odds are multiplied by $e^{\\varepsilon}$ at most ({prf:ref}`thm-pure-odds`).")
def _():
    """Every answer of a Laplace count, and the belief after it."""
    for epsilon in (0.1, 1, 5):
        y = np.linspace(-30 / epsilon, 30 / epsilon, 4001)
        after = laplace.pdf(y, 1, 1 / epsilon) / (laplace.pdf(y, 0, 1 / epsilon) + laplace.pdf(y, 1, 1 / epsilon))
        assert after.max() == pytest.approx(1 / (1 + np.exp(-epsilon)))


@says(
    "choosing.md",
    "Two rising curves on a logarithmic axis. The solid one starts at one half and the dashed one near zero; they "
    "cross between 0.1 and 0.2, and for large ε both are close to one.",
)
def _():
    seen = at_rest("choosing.md", "belief-and-error")
    belief, right, epsilon = seen["attacker, at most"], seen["count within ±m"], seen["epsilon"]
    assert belief[0] == pytest.approx(0.5, abs=0.01) and right[0] < 0.1 and min(belief[-1], right[-1]) > 0.99
    assert (right < belief)[epsilon < 0.1].all() and (right > belief)[epsilon > 0.2].all()


@says("choosing.md", "three lines for (ε, δ) composition far above, and close together below them CDP, RDP and zCDP,")
def _():
    seen = at_rest("choosing.md", "calculator")
    curves = {name: seen[name] for name in seen.figure.curves}
    pairs = np.array([curve for name, curve in curves.items() if name.startswith("(ε, δ)")])
    rest = np.array([curves[name] for name in ("CDP", "RDP", "RDP, tight", "zCDP", "zCDP, tight")])
    many = seen["k"] > 100
    assert (np.nanmin(pairs, axis=0) > 2 * rest.max(axis=0))[many].all() and (
        rest.max(axis=0) < 2 * rest.min(axis=0)
    ).all()
    assert (curves["exact"] < rest.min(axis=0)).all()


@says(
    "choosing.md",
    "The lines of Laplace noise under ε-DP and of basic composition are twice as steep as the others and end",
)
def _():
    seen = at_rest("choosing.md", "noise-needed")
    slopes = {}
    for name in seen.figure.curves:
        known = np.flatnonzero(np.isfinite(seen[name]) & (seen["k"] > 100))
        slopes[name] = np.polyfit(np.log(seen["k"][known]), np.log(seen[name][known]), 1)[0]
    steep = {"Laplace, ε-DP", "Gaussian, basic"}
    assert all(slope == pytest.approx(1 if name in steep else 0.5, abs=0.06) for name, slope in slopes.items())
    ends = {name: seen[name][-1] for name in slopes}
    assert min(ends[name] for name in steep) > 3 * max(end for name, end in ends.items() if name not in steep)


@says("choosing.md", "The Laplace line is straight; the two Gaussian curves start above it and bend upwards.")
def _():
    seen = at_rest("choosing.md", "rows-of-one-person")
    line, rows = seen["Laplace, ε-DP"], seen["m"]
    assert np.allclose(line / rows, line[0] / rows[0])
    for name in ("Gaussian, exact", "Gaussian, zCDP tight"):
        assert seen[name][0] > line[0] and (np.diff(seen[name], 2) > -1e-9).all()


@says(
    "choosing.md",
    "so both can be above it: for $\\sigma = 18.9$, $k = 20$ and $\\delta = 10^{-6}$ optimal composition has {...} and "
    "basic composition {...}.",
)
@says(
    "choosing.md",
    "For Gaussian noise basic composition spends all of δ on the steps, advanced and optimal composition half of it: "
    "they can lie above it.",
)
def _(said):
    """The classic σ read backwards; optimal composition by the binomial tail."""
    k, sigma, delta = 20, 18.9, 1e-6
    basic = k * np.sqrt(2 * np.log(1.25 * k / delta)) / sigma
    step = np.sqrt(2 * np.log(2.5 * k / delta)) / sigma
    told, losses = 1 - (1 - delta / 2 / k) ** k, (k - 2 * np.arange(k + 1)) * step
    mass = binom.pmf(np.arange(k + 1), k, 1 / (1 + np.exp(step)))

    def profile(epsilon):
        return told + (1 - told) * (mass * np.maximum(-np.expm1(epsilon - losses), 0)).sum()

    optimal = brentq(lambda epsilon: profile(epsilon) - delta, 0, k * step)
    assert optimal > basic
    assert not said or said == [f"{np.ceil(100 * proved) / 100:.2f}" for proved in (optimal, basic)]


@says("choosing.md", "For many counts it tends to $\\sqrt 2$ times Gaussian noise in the same account.")
def _(names):
    laplace, gaussian = names["deviation_laplace_zcdp"], names["sigma_zcdp_tight"]
    for epsilon in (1.0, 8.0):
        ratios = [laplace(epsilon, 1e-6, k) / gaussian(epsilon, 1e-6, k) for k in (1, 10, 100, 1000, 100_000)]
        assert (np.diff(ratios) > 0).all() and 1.413 < ratios[-1] < np.sqrt(2)


@says("choosing.md", "Laplace noise has a standard deviation of about {...}, Gaussian noise of at most {...}.")
def _(said):
    assert float(said[0]) == round(float(np.sqrt(2)), 2)
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    assert 1 / mu <= float(said[1]) < 1 / mu + 0.01
