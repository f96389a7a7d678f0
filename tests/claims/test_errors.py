"""Checks of chapters/errors.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom, norm

from claims import answers, at_rest, says


def optimal(k, slack=1e-5):
    """ε of k randomized responses of ε = 1, from their binomial losses."""
    truths = np.arange(k + 1)
    mass, loss = binom.pmf(truths, k, expit(1)), 2.0 * truths - k
    return brentq(lambda eps: mass @ np.maximum(-np.expm1(np.minimum(eps - loss, 0)), 0) - slack, 0, k)


def simple(k, slack=1e-5):
    return 2 * np.sqrt(2 * k * np.log(1 / slack))


@says("errors.md", "on it is false: for 1000 steps it says {...}, and some cost {...} or more |")
def _(said):
    assert said == [f"{simple(1000):.1f}", f"{np.floor(10 * optimal(1000)) / 10:.1f}"]
    assert simple(1000) < float(said[1]) <= optimal(1000)


@says("errors.md", r"From $k =$ {...} on the form is false:")
def _(said):
    holds = np.sqrt(np.arange(1, 20)) * np.expm1(1) <= np.sqrt(2 * np.log(1e5))
    assert holds.sum() == 7 and holds[:7].all()
    false = [k for k in range(1, 400) if optimal(k) > simple(k)]
    assert false == list(range(int(said[0]), 400))
    assert all(optimal(k) > simple(k) for k in (1000, 5000, 20_000))


@says("errors.md", r"Over the vector's variance that is $8\ln(1/\delta) =$ {...} times for every $k$:")
def _(said):
    for k in (1, 100, 10_000):
        composed = 16 * k * np.log(1.25e5) * np.log(1e5) / 0.1**2
        assert said == [f"{composed / (2 * k * np.log(1.25e5) / 0.1**2):.0f}"]


@says("errors.md", r"Not quite: the factor is below 2 at every $\varepsilon$. It is largest, {...}, near")
def _(said):
    def log_delta(sigma, epsilon):
        def tail(x):
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        a, b = epsilon * sigma - 1 / (2 * sigma), epsilon * sigma + 1 / (2 * sigma)
        return mpmath.log(tail(a) - mpmath.exp(epsilon) * tail(b))

    def sigma(epsilon):
        """By bisection at 40 digits."""
        low, high = mpmath.mpf("1e-3"), mpmath.mpf(10) ** 6
        for _ in range(120):
            middle = mpmath.sqrt(low * high)
            low, high = (middle, high) if log_delta(middle, mpmath.mpf(epsilon)) > mpmath.log("1e-5") else (low, middle)
        return high

    with mpmath.workdps(40):
        ratios = [float(sigma(e) / sigma(2 * e)) for e in (1e-6, 1e-3, 0.1, 0.2239, 0.5, 5, 100, 3000)]
    assert max(ratios) == ratios[3] < 2 and said == [f"{ratios[3]:.2f}"]
    assert ratios[0] < 1.06 and abs(ratios[-1] - np.sqrt(2)) < 0.03


@says(
    "errors.md",
    r"where a pair is about one $\delta$, and no pair with $\delta > 0$ gives a finite moment of any order, as",
)
def _():
    shame, other = np.array([1e-9, 1 - 1e-9]), np.array([0.0, 1.0])
    with np.errstate(divide="ignore"):
        assert np.isinf(np.sum(shame**1.001 * other**-0.001))


@answers("errors.md", "After 500 answers the flattered δ is 501 times the label's.")
def _():
    def total(step_delta, slack):
        step = np.sqrt(2 * np.log(1.25 / step_delta)) / 200
        return step * np.sqrt(1000 * np.log(1 / slack)) + 500 * step * np.expm1(step)

    lower = 1 - total(1e-5, 1e-5) / total(1e-8, 5e-6)
    return {
        "hardly at all": lower < 0.05,
        "by about a quarter": 0.2 < lower < 0.3,
        "by half": 0.45 < lower < 0.55,
        "501 times": lower > 0.99,
    }


@answers("errors.md", "The coin is fair, and the answer alone needs τ = 2.")
def _():
    lam = np.concatenate([-np.geomspace(1e-3, 50, 20_000), np.geomspace(1e-3, 50, 20_000)])
    moment = np.logaddexp(0, 2 * lam + 2 * lam**2) - np.log(2) - lam  # a loss of 0, or of N(2, 2²); its mean is 1
    tau = np.sqrt((2 * moment / lam**2).max())
    return {
        "1, half of it": tau == pytest.approx(1, rel=0.01),
        "√2 ≈ 1.41": tau == pytest.approx(np.sqrt(2), rel=0.01),
        "2, the same": tau == pytest.approx(2, rel=1e-3),
        "more than 2": tau > 2.01,
    }


@says("errors.md", "Far below lie the two curves of zCDP, again with the dashed one lower.")
def _():
    seen = at_rest("errors.md", "flattered-delta")
    fair, flattered, zcdp, lower = (seen[name][1:] for name in seen.figure.curves)
    assert (lower < zcdp).all() and (flattered < fair).all() and 2.5 * zcdp[-1] < flattered[-1]
    assert 0.2 < 1 - flattered[-1] / fair[-1] < 0.3


@says(
    "errors.md",
    "One curve starts below the line, rises above it and falls back towards it. The dashed one starts at zero and "
    "rises to the line from below.",
)
def _():
    seen = at_rest("errors.md", "looking-first")
    own, budget, line = seen["about its own mean"], seen["about the budget μ"], float(seen["budget", "y"])
    assert own[0] < line < own.max() and line < own[-1] < line + 0.1 and 0 < own.argmax() < len(own) - 1
    assert budget[0] == 0 and seen.rises("about the budget μ").all() and line - 0.1 < budget[-1] < line


@says("errors.md", "The first eight understate the loss.")
def _(names):
    """What each of the eight promises, and what is true."""

    assert names["poisson_epoch"] < names["shuffled_epoch"]  # 12
    mu = brentq(lambda m: norm.sf(1 / m - m / 2) - np.e * norm.sf(1 / m + m / 2) - 1e-5, 0.1, 1)
    assert norm.sf(1 / mu - mu / 2) > 1e-5  # 5
    assert simple(1000) < optimal(1000)  # 4
    mu = 10 / np.sqrt(2 * np.log(1.25e5))
    assert norm.sf(10 / mu - mu / 2) - np.exp(10) * norm.sf(10 / mu + mu / 2) > 1e-5  # 6
    mu, at = 1 / 200, 60 / (2 * 200**2)
    assert norm.sf(at / mu - mu / 2) - np.exp(at) * norm.sf(at / mu + mu / 2) > 1e-3  # 7
    assert names["flattered"].delta > 1e-5 and names["flattered"].epsilon < names["fair"].epsilon  # 3
    assert names["far_loss"] > 1.97  # 9, where less than 2 is promised from the middle: it comes as near as one likes
    assert 2 + np.log((1 + 1e6) / (3 + 1e6)) > 1.99999
    assert names["density_delta"] > 0  # 10


@says("errors.md", "for 100 steps it is still true, because CDP proves less, as the table shows.")
def _():
    """Basic composition is best up to 92 steps of ε = 1, then CDP's mean and width, at the end optimal composition."""
    k = np.arange(1, 1001)
    form = 2 * np.sqrt(2 * k * np.log(1e5))
    mean = k * np.tanh(0.5)
    proved = np.minimum(k, mean + np.sqrt(2 * mean) * np.sqrt(2 * np.log(1e5)))
    assert (np.sqrt(7) * np.expm1(1) <= np.sqrt(2 * np.log(1e5))) and np.sqrt(8) * np.expm1(1) > np.sqrt(
        2 * np.log(1e5)
    )
    assert form[99] > proved[99] and form[999] < optimal(1000) and optimal(175) < form[174] and optimal(176) > form[175]
    assert (form[:92] >= k[:92]).all() and form[92] < k[92]
