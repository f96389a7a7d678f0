"""Checks of chapters/composition.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import binom, norm

from claims import answers, at_rest, says
from dp_lib import approx


@answers("composition.md", "100 steps of ε = 0.1, total δ = 10⁻⁵")
def _():
    least = least_optimal(0.1, 1e-5, 100)
    return {"10, the sum": least > 9.9, "about 4.4": 4.35 < least < 4.45, "about 1, one stray": least < 1.5}


@says(
    "composition.md",
    r"the sum has a mean of {...} and strays by $\sqrt{100} \cdot 0.1 = 1$. A tail of $10^{-5}$ lies "
    "about four such strays above the mean.",
)
def _(said):
    lies = binom(100, 1 / (1 + math.exp(0.1)))
    loss = 0.1 * (100 - 2 * np.arange(101))
    weights = lies.pmf(np.arange(101))
    mean = weights @ loss
    assert said == [f"{mean:.1f}"] and abs(math.sqrt(weights @ (loss - mean) ** 2) - 1) < 0.01
    tail = next(t for t in np.arange(0, 10, 0.1) if weights[loss > mean + t].sum() <= 1e-5)
    assert 3.5 < tail < 4.5


@answers("composition.md", "The steps are composed by optimal composition")
def _(names):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    times = approx.sigma_exact(low, 5e-8) / approx.sigma_exact(0.1, 1e-5, 10)
    return {"the same": times < 1.01, "about 3.7 times": 3.6 < times < 3.75, "about 12 times": times > 11}


@says(
    "composition.md",
    r"By the simple form and the classic $\sigma$ it would be {...}, and {...} for a single count, "
    "where there is nothing to compose.",
)
def _(said):
    ratios = [math.sqrt(8 * math.log(2e5) * math.log(2.5 * k / 1e-5) / math.log(1.25e5)) for k in (100, 1)]
    assert said == [f"{ratio:.1f}" for ratio in ratios]


@says("composition.md", "Optimal composition is never above any of them.")
def _():
    for step in (0.05, 0.3, 1.5):
        for k in (1, 7, 60):
            least = least_optimal(step, 1e-5, k)
            full = step * math.sqrt(2 * k * math.log(2e5)) + k * step * math.expm1(step)
            assert least <= min(full, k * step) * (1 + 1e-9)


@says(
    "composition.md",
    "Basic composition has slope one. Advanced composition starts above it with slope one half, "
    "meets it at the ringed point and runs below it afterwards, bending up for large k. The simple "
    "form runs above advanced composition.",
)
def _():
    c = at_rest("composition.md", "three-compositions")
    basic, advanced, simple, k = c["basic"], c["advanced alone"], c["simple form, where valid"], c["k"]
    met = np.min(c["crossing", "x"])
    assert np.allclose(basic / k, basic[0]) and ((advanced < basic) == (k > met)).all()
    slope = np.diff(np.log(advanced)) / np.diff(np.log(k))
    assert 0.5 < slope[0] < 0.52 and (np.diff(slope) > -1e-6).all() and slope[-1] > 0.6
    valid = np.isfinite(simple)
    assert valid.any() and (simple[valid] > advanced[valid] * (1 - 1e-9)).all()


@says(
    "composition.md",
    r"Not if every step of advanced composition has $\delta_i = 10^{-5}$ and the slack is another "
    r"$10^{-5}$. After 500 steps that is {...}, {...} times the others' $\delta$.",
)
def _(said):
    assert said == [f"{501e-5:.5f}", "501"]


def least_optimal(step, delta, k):
    """The ε' of k steps of (step, δ/2k) at the slack δ/2: the theorem's sum over lies, solved by halving."""
    lies = np.arange(k + 1)
    coefficients = np.array([float(mpmath.binomial(k, lie) / (1 + mpmath.e**step) ** k) for lie in lies])
    low, high = 0.0, k * step
    for _ in range(50):
        middle = (low + high) / 2
        excess = np.maximum(np.exp((k - lies) * step) - np.exp(middle + lies * step), 0)
        low, high = (middle, high) if coefficients @ excess > delta / 2 else (low, middle)
    return high


@says(
    "composition.md",
    r"on average the loss is $\varepsilon \tanh(\varepsilon/2)$, at $\varepsilon = 0.1$ no more than "
    "{...}.",
)
def _(said):
    with mpmath.workdps(30):
        for epsilon in map(mpmath.mpf, ["1e-9", "0.1", "3", "40"]):
            truth = mpmath.e**epsilon / (1 + mpmath.e**epsilon)
            mean = (2 * truth - 1) * epsilon  # by definition: +ε with this probability, else -ε
            assert mpmath.almosteq(mean, epsilon * mpmath.tanh(epsilon / 2), rel_eps=mpmath.mpf(10) ** -15)
            if epsilon == mpmath.mpf("0.1"):
                assert mean <= mpmath.mpf(said[0])


@says(
    "composition.md",
    r"by optimal composition and the exact $\sigma$ the steps need {...} and the vector {...}, a "
    "factor of {...}.",
)
def _(said, names):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    steps, vector = approx.sigma_exact(low, 5e-8), approx.sigma_exact(0.1, 1e-5, 10)
    assert said == [f"{math.ceil(steps)}", f"{math.ceil(vector)}", f"{steps / vector:.1f}"]
    assert 3.66 < steps / vector < 3.68
    assert abs(names["steps_optimal_sigma"](0.1, 1e-5, 100) / steps - 1) < 1e-4


@says(
    "composition.md",
    "The steps by the simple form run a decade above the classic vector. The steps by optimal composition start at the "
    "lowest line, the exact vector, climb away from it and then run between the two. The classic vector and the dotted "
    "line of zCDP nearly lie on one another, with slope one half.",
)
def _():
    c = at_rest("composition.md", "counts-noise")
    simple, optimal, vector = c["steps, simple form"], c["steps, optimal"], c["vector, classic"]
    assert (simple / vector > 10).all() and (simple / vector < 14).all()
    apart = optimal / c["vector, exact"]
    assert apart[0] < 1.06 and (apart[50:] > 2).all() and apart[-1] == pytest.approx(apart.max(), rel=0.01)
    assert (optimal[100:] > vector[100:]).all() and (optimal < simple).all()
    assert np.allclose(vector / c["zCDP, either way"], 1, atol=0.05)


@answers("composition.md", "Steps of ε = 0.1, total δ = 10⁻⁵, half of it for the slack")
def _(said):
    k = np.arange(1, 200)
    advanced = 0.1 * np.sqrt(2 * k * np.log(2e5)) + k * 0.1 * np.expm1(0.1)
    wins = k[advanced < 0.1 * k]
    assert int(said[0]) == int(said[2]) == wins[0] and (np.diff(wins) == 1).all()
    assert wins[0] - 1 < float(said[1]) < wins[0]


@says("composition.md", r"is a step of $\varepsilon =$ {...}, rounded up. The full form then claims {...};")
def _(said):
    with mpmath.workdps(30):
        profile = lambda e: mpmath.ncdf(0.5 - e) - mpmath.exp(e) * mpmath.ncdf(-0.5 - e)  # noqa: E731
        step = mpmath.findroot(lambda e: mpmath.log(profile(e)) - mpmath.log(5e-6), (4, 5), solver="anderson")
        full = step * mpmath.sqrt(2 * mpmath.log(2e5)) + step * mpmath.expm1(step)
        assert [mpmath.mpf(each) for each in said] == [mpmath.ceil(100 * step) / 100, mpmath.ceil(full)]
        assert mpmath.expm1(step) > mpmath.sqrt(2 * mpmath.log(2e5))  # the simple form's condition fails


@says("composition.md", "At most {...}, by {prf:ref}`thm-optimal`, with half of $\\delta$ for the steps.")
def _(said):
    least = least_optimal(0.1, 1e-5, 100)
    assert least <= float(said[0]) < least + 0.01


@says(
    "composition.md",
    "optimal composition proves {...}, rounded up, where basic composition proves {...} and advanced "
    "composition {...}.",
)
def _(said):
    least, advanced = least_optimal(0.1, 1e-5, 30), 0.1 * math.sqrt(60 * math.log(2e5)) + 3 * math.expm1(0.1)
    for proved, printed in zip((least, 3, advanced), map(float, said), strict=True):
        assert proved <= printed < proved + 0.01


@says(
    "composition.md",
    "| the same point, advanced composition | {...} | | the same point, optimal composition | {...} | | the whole "
    "profile, by the dominating pair | {...} |",
)
def _(said):
    def pair(sigma, delta, steps):
        """The least ε of so many Gaussian counts at this δ: the profile, solved by halving."""
        low, high, mu = 0.0, 50.0, math.sqrt(steps) / sigma
        for _ in range(60):
            middle = (low + high) / 2
            profile = norm.cdf(mu / 2 - middle / mu) - math.exp(middle) * norm.cdf(-mu / 2 - middle / mu)
            low, high = (middle, high) if profile > delta else (low, middle)
        return high

    one = pair(50, 1e-5 / 200, 1)
    advanced = one * math.sqrt(200 * math.log(2e5)) + 100 * one * math.expm1(one)
    proved = [advanced, least_optimal(one, 1e-5, 100), pair(50, 1e-5, 100)]
    for bound, printed in zip(proved, map(float, said), strict=True):
        assert bound * (1 - 1e-9) <= printed < bound + 0.01


@says("composition.md", "need $\\sigma =$ {...} and the classic vector {...}, a factor of {...}, or {...} in variance.")
def _(said):
    pair = 0.1 / math.sqrt(800 * math.log(2e5)), 1e-5 / 200
    steps = math.sqrt(2 * math.log(1.25 / pair[1])) / pair[0]
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert said[:2] == [f"{math.ceil(steps)}", f"{math.ceil(vector)}"]
    assert said[2:] == [f"{steps / vector:.1f}", f"{(steps / vector) ** 2:.0f}"]


@says(
    "composition.md",
    "with independent coins that are each $(\\varepsilon, \\delta)$-DP, whatever the answers before it,",
)
def _():
    """Without independence the theorem would be false: a fair bit, and the row's bit added to it, say the row's bit."""
    outputs = {row: {(bit, row ^ bit) for bit in (0, 1)} for row in (0, 1)}
    assert all({pair[i] for pair in outputs[0]} == {pair[i] for pair in outputs[1]} == {0, 1} for i in (0, 1))
    assert not outputs[0] & outputs[1]
