"""Checks of chapters/cdp.md."""

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, norm

from claims import answers, at_rest, says


def laplace_moment(lam, epsilon):
    """E exp(λL) of a Laplace count, by its atoms at ±ε and an integral between."""
    between = mpmath.quad(lambda t: mpmath.exp(lam * t + (t - epsilon) / 2) / 4, [-epsilon, epsilon])
    return mpmath.exp(lam * epsilon) / 2 + mpmath.exp(-(1 + lam) * epsilon) / 2 + between


def needed(lam, moment, mean):
    """The τ whose parabola just reaches the centred moment at λ."""
    return float(mpmath.sqrt(2 * (mpmath.log(moment) - lam * mean))) / abs(lam)


@says("cdp.md", "The total loss has a mean of {...} and a standard deviation of {...}.")
def _(said):
    truths, p = np.arange(101), np.exp(0.1) / (1 + np.exp(0.1))
    mass, loss = binom.pmf(truths, 100, p), (2 * truths - 100) * 0.1
    mean = mass @ loss
    assert said == [f"{mean:.2f}", f"{np.sqrt(mass @ (loss - mean) ** 2):.2f}"]


@says(
    "cdp.md",
    "Large losses add up to a bell too, with a larger mean: for randomized responses with "
    "$\\varepsilon = 3$ it is {...} "
    "times half the variance, however many there are.",
)
def _(said):
    p = np.exp(3) / (1 + np.exp(3))
    for k in (1, 10, 100_000):
        truths = np.arange(k + 1)
        mass, loss = binom.pmf(truths, k, p), (2.0 * truths - k) * 3
        mean = mass @ loss
        assert said == [f"{mean / (mass @ (loss - mean) ** 2 / 2):.2f}"]
    standardised = (np.arange(100_001) + 0.5 - 100_000 * p) / np.sqrt(100_000 * p * (1 - p))
    assert abs(np.cumsum(mass) - norm.cdf(standardised)).max() < 1e-3  # a bell it is


@says(
    "cdp.md", "the sum of many losses, each small in itself, is nearly normal, with a mean close to half its variance."
)
def _():
    for epsilon in (0.01, 0.1, 0.3):
        p = np.exp(epsilon) / (1 + np.exp(epsilon))
        assert (2 * p - 1) * epsilon / (2 * p * (1 - p) * epsilon**2) == pytest.approx(1, abs=0.02)


@says(
    "cdp.md",
    "have $\\tau =$ {...} towards one person, and {...} towards two.",
)
def _(said):
    def standard(p, q):
        """By a search over λ of both signs."""
        high, low = np.log(p / q), np.log((1 - p) / (1 - q))
        mean = p * high + (1 - p) * low
        lam = np.concatenate([-np.geomspace(1e-3, 30, 40_000), np.geomspace(1e-3, 30, 40_000)])
        moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * mean
        return np.sqrt((2 * moment / lam**2).max())

    a, b, c = 3e-10, 7e-4, 0.97
    one = max(standard(a, b), standard(b, a), standard(b, c), standard(c, b))
    two = max(standard(a, c), standard(c, a))
    assert [float(each) for each in said] == pytest.approx([one, two], abs=0.006)
    assert two > 2 * one


@says("cdp.md", "For positive $\\lambda$ alone the loss's standard deviation, {...}, would do.")
def _(said):
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    right = [needed(lam, laplace_moment(lam, 1), mean) for lam in np.geomspace(0.01, 50, 60)]
    deviation = float(mpmath.sqrt(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0, 2) - mean**2))
    assert said == [f"{deviation:.3f}"] and max(right) <= deviation


@says("cdp.md", "holds for Laplace noise on the right, and fails on the left.")
def _():
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    assert all(needed(lam, laplace_moment(lam, 1), mean) < 0.83 for lam in np.geomspace(0.01, 50, 60))
    assert needed(-1, laplace_moment(-1, 1), mean) > 0.83


@answers("cdp.md", "At ε = 1, which parabola stays above the curve of Laplace noise for all λ?")
def _():
    mean = float(mpmath.diff(lambda lam: laplace_moment(lam, 1), 0))
    both = [*np.geomspace(0.01, 50, 40), *-np.geomspace(0.01, 50, 40), -1]
    least = max(needed(lam, laplace_moment(lam, 1), mean) for lam in both)
    holds = {tau: tau >= least for tau in (0.5, 0.7, 0.9)}
    return {f"τ = {tau}": held for tau, held in holds.items()} | {"only τ = 1": not any(holds.values())}


@answers("cdp.md", "You double σ, the noise of the count, from 1 to 2.")
def _():
    def moments(sigma):
        def loss(y):
            return ((y - 1) ** 2 - y**2) / (2 * sigma**2)

        mean = quad(lambda y: loss(y) * norm.pdf(y, 0, sigma), -20, 20)[0]
        return mean, np.sqrt(quad(lambda y: (loss(y) - mean) ** 2 * norm.pdf(y, 0, sigma), -20, 20)[0])

    (mean, deviation), (half, quarter) = moments(1), moments(2)
    found = round(mean / half), round(deviation / quarter)
    return {
        "both halve": found == (2, 2),
        "the mean is halved, the deviation quartered": found == (2, 4),
        "the mean is quartered, the deviation halved": found == (4, 2),
        "both are quartered": found == (4, 4),
    }


@answers("cdp.md", "A Laplace count with ε = 1 has a loss between -1 and 1.")
def _():
    noise = np.random.default_rng(1).laplace(size=100_000)
    share = np.mean(abs(noise - 1) - abs(noise) >= 1 - 1e-12)
    return {
        "never": share == 0,
        "one time in a hundred": abs(share - 0.01) < 0.005,
        "half of the time": abs(share - 0.5) < 0.01,
        "always": share == 1,
    }


@answers("cdp.md", "Let p = 0.9, and let τ be the exact standard.")
def _():
    lam = np.arange(-100_000, 100_001) / 10_000
    curve = np.log(0.9 * np.exp(lam) + 0.1 * np.exp(-lam)) - 0.8 * lam
    tau2 = (2 * curve[lam != 0] / lam[lam != 0] ** 2).max()
    gap = lam**2 * tau2 / 2 - curve
    touching = lam[(gap < 1e-8) & (abs(lam) > 0.1)]
    left, right = (touching < 0).any(), (touching > 0).any()
    assert np.ptp(touching) < 0.01
    return {
        "only at λ = 0": not left and not right,
        "at λ = 0 and at one negative λ": left and not right,
        "at λ = 0 and at two values on either side": left and right,
        "nowhere": abs(gap[lam == 0]) > 1e-8,
    }


@answers("cdp.md", "At t = 4 the bound reads")
def _():
    share = norm.sf(4) / np.exp(-8)
    return {
        "all of it": share > 0.9,
        "about a half": 0.3 < share < 0.7,
        "about a tenth": 0.07 < share < 0.15,
        "a millionth": share < 1e-5,
    }


@answers("cdp.md", "With ε = 0.1 an answer and δ = 10⁻⁵, from how many answers on does CDP beat the pure sum?")
def _():
    mean = 0.1 * np.tanh(0.05)

    def beats(k):
        return k * mean + np.sqrt(2 * mean * k * 2 * np.log(1e5)) < 0.1 * k

    return {str(k): beats(k) and not beats(k - 1) for k in (2, 10, 26, 100)}


@answers("cdp.md", "The whole answer has τ = 2. For which cuts c does the bit")
def _():
    def over(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        high, low = np.log(p / q), np.log1p(-p) - np.log1p(-q)
        lam = np.concatenate([np.linspace(-8, -0.01, 4000), np.linspace(0.01, 8, 4000)])
        curve = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
        return (2 * curve / lam**2).max() > 4

    found = {cut: over(cut) for cut in (-6, -4, -2, -1, -0.35, -0.2, 0.5, 2.5)}
    return {
        "only near c = -2": [cut for cut, above in found.items() if above] == [-2],
        "for every c below about -0.3": all(above == (cut < -0.3) for cut, above in found.items()),
        "for every c above 2": found[2.5],
        "for no c but -2": not any(above for cut, above in found.items() if cut != -2),
    }


@says("cdp.md", "It is {set}`τ = 0.94 <coin: p=0.8, tau=0.94, lam=-1.4>`;")
def _():
    lam = np.linspace(-20, 20, 400_001)
    curve = np.log(0.8 * np.exp(lam) + 0.2 * np.exp(-lam)) - 0.6 * lam
    assert (curve <= lam**2 * 0.94**2 / 2 + 1e-15).all() and (curve > lam**2 * 0.93**2 / 2 + 1e-6).any()


def responses(k, epsilon):
    """Losses of k randomized responses together, and their probabilities."""
    truths, p = np.arange(k + 1), np.exp(epsilon) / (1 + np.exp(epsilon))
    return (2.0 * truths - k) * epsilon, binom.pmf(truths, k, p)


@answers("cdp.md", "By which factor do her odds move towards the truth")
def _(said):
    losses, mass = responses(100, 0.1)
    beyond = np.array([mass[losses > loss].sum() for loss in losses])
    unlucky = losses[beyond <= 1e-5].min()
    factor = np.exp(unlucky)
    assert said[:2] == [f"{np.ceil(factor):.0f}", f"{unlucky:.1f}"] == ["100", "4.6"]
    assert mass[losses > np.log(99)].sum() > 1e-5  # 99 is passed more often than the question allows
    return {
        "22 000": factor > 20_000,
        "about 5 000": 4000 < factor < 6000,
        "about 100": 90 < factor < 110,
        "they do not move": factor < 1.01,
    }


@answers("cdp.md", "The loss of one randomized response has two values.")
def _(said):
    losses, mass = responses(100, 0.5)
    mean = mass @ losses
    deviation = np.sqrt(mass @ (losses - mean) ** 2)
    heights = mass * deviation / 1.0  # the bars are 2ε = 1 wide
    apart = abs(heights - norm.pdf((losses - mean) / deviation)).max()
    assert said == [f"{heights.max():.3f}", f"{norm.pdf(0):.3f}"]
    return {
        "two tall bars at the ends": mass[0] + mass[-1] > 0.5,
        "a flat block between the ends": mass.max() < 2 / 101,
        "a bell": apart < 0.02,
    }


@says("cdp.md", "what matters here is that the bound is a straight line in $\\alpha$.")
def _():
    """The bridge, on random pairs of coins, with the standard found by a search."""
    for p, q in np.random.default_rng(4).uniform(0.02, 0.98, size=(40, 2)):
        high, low = np.log(p / q), np.log((1 - p) / (1 - q))
        mean = p * high + (1 - p) * low
        lam = np.concatenate([-np.geomspace(1e-3, 60, 4000), np.geomspace(1e-3, 60, 4000)])
        moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low)
        tau2 = (2 * (moment - lam * mean) / lam**2).max()
        right = lam > 0
        assert (moment[right] / lam[right] <= mean + lam[right] * tau2 / 2 * (1 + 1e-9) + 1e-12).all()


@says(
    "cdp.md",
    "On a logarithmic scale a staircase falls ever more steeply and leaves the picture near a loss of six. A dashed "
    "curve runs above it, and a vertical line stands far to the right of both, at ten.",
)
def _():
    c = at_rest("cdp.md", "hundred-answers")
    tail, bound, loss = c["k answers"], c["what CDP says"], c["loss"]
    shown = tail > 1e-9
    assert c.falls("k answers").all() and (tail[shown] <= bound[shown]).all()
    assert 5.5 < loss[shown].max() < 7 and c["pure ε", "x"] == pytest.approx(10)
    steps = np.log(tail[[10, 20, 30, 40, 50]])
    assert (np.diff(steps, 2) < 0).all()


@says(
    "cdp.md",
    "a solid curve of the same shape two to sixteen times below, and a staircase that crosses the solid curve, falls "
    "below it",
)
def _():
    c = at_rest("cdp.md", "tails")
    t, stairs, normal = c["t"], c["k rand. responses"], c["Gaussian"]
    assert (c["bound"] / normal).min() > 1.9 and 15 < (c["bound"] / normal).max() < 16
    over = stairs > normal
    assert over.any() and not over[(t > 1.9) & (t < 2.4)].any() and 2.3 < t[~np.isnan(stairs)].max() < 2.6


@says(
    "cdp.md",
    "{set}`Two hundred responses <tails: k=200, epsilon=0.2, t=2>` run close to the normal tail, now above it and now "
    "below: {...} against {...} at $t = 2$. "
    "Further out they fall behind, since their loss has an end.",
)
def _(said):
    losses, mass = responses(200, 0.2)
    mean = 200 * 0.2 * np.tanh(0.1)
    tau = np.sqrt(2 * mean)
    stairs = {t: mass[losses >= mean + t * tau - 1e-9].sum() for t in np.arange(0, 61) / 10}
    assert said == [f"{stairs[2.0]:.3f}", f"{norm.sf(2):.3f}"]
    higher = [t for t, value in stairs.items() if value > norm.sf(t)]
    assert len(higher) > 5 and max(higher) < 5 and len(higher) < 50


@says(
    "cdp.md",
    "A straight line that leaves the others behind, two curves that rise like square roots, the optimal one lower,",
)
def _():
    c = at_rest("cdp.md", "cdp-composition")
    k, last = c["k"], -1
    assert np.ptp(c["pure"] / k) < 1e-12 and c["pure"][last] > 2 * c["CDP"][last]
    for name in ("CDP", "optimal"):
        assert 1.6 < c[name][last] / c[name][np.searchsorted(k, 50)] < 2.4
    assert (c["optimal"] <= c["CDP"]).all() and c["mean loss"][last] <= 1


@says(
    "cdp.md",
    "a curve that starts below it on the right, dips to a low point, rises to the left across the line to a hump, and "
    "then sinks slowly back towards the line.",
)
def _():
    c = at_rest("cdp.md", "one-bit")
    bit, line = c["one bit"], c["whole answer"][0]
    hump, dip = bit.argmax(), bit.argmin()
    assert hump < dip < len(bit) - 1 and bit[-1] < line and bit[dip] < bit[-1]
    assert line < bit[0] < bit[hump] and (np.diff(bit[: hump + 1]) > 0).all()


@says("cdp.md", "Left of the crossing less information has a larger standard.")
def _():
    c = at_rest("cdp.md", "one-bit")
    over = c["one bit"] > c["whole answer"]
    assert (np.diff(over.astype(int)) <= 0).all() and over[0] and not over[-1]


@says("cdp.md", "The standard is above 2 for every cut below {...}.")
def _(said):
    def standard(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
        return gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p)))

    edge = float(said[0])
    assert all(standard(cut) > 2 for cut in np.linspace(-8, edge, 300)) and standard(edge + 0.02) < 2


@says(
    "cdp.md", "There is: {set}`near c = -4.2 <one-bit: distance=1, cut=-4.2>` the standard is three per cent above 1."
)
def _():
    p, q = norm.cdf(-4.2), norm.cdf(-5.2)
    gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
    assert gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p))) == pytest.approx(1.034, abs=5e-4)


@says("cdp.md", "It does for every $\\tau > 0$: for large $\\lambda$ the logarithm is")
def _():
    for tau in (0.01, 0.3, 2.0):
        mu = tau**2 / 2
        lam = 2.001 * np.log(2) / mu
        centred = np.logaddexp(-lam * mu / 2, lam * mu / 2 + (lam * tau) ** 2 / 2) - np.log(2)
        assert centred > (lam * tau) ** 2 / 2


@says("cdp.md", "At $\\delta = 10^{-5}$ it proves $\\varepsilon =$ {...} for the hundred answers.")
def _(said):
    mean = 100 * 0.1 * np.tanh(0.05)
    epsilon = mean + np.sqrt(2 * mean * 2 * np.log(1e5))
    assert epsilon <= float(said[0]) < epsilon + 0.01


@says("cdp.md", "The exponent is right; what is lost is, for large $t$, a factor of about $t\\sqrt{2\\pi}$.")
def _():
    lost = [np.exp(-(t**2) / 2) / norm.sf(t) / (t * np.sqrt(2 * np.pi)) for t in (1, 3, 6, 20)]
    assert lost[0] > 1.5 and (np.diff(lost) < 0).all() and 1 < lost[-1] < 1.01


@says("cdp.md", "For a small $\\varepsilon$ their means are small compared with their bounds:")
def _():
    for epsilon in (0.01, 0.1):
        losses, mass = responses(1, epsilon)
        assert 0 < losses @ mass < 0.06 * epsilon


@says("cdp.md", "and the standard is about {...}.")
def _(said):
    lam = np.concatenate([np.linspace(-20, -1e-3, 200_000), np.linspace(1e-3, 20, 200_000)])
    log_mgf = np.logaddexp(np.log(0.9) + lam, np.log(0.1) - lam) - 0.8 * lam
    assert float(said[0]) == round(np.sqrt(2 * log_mgf / lam**2).max(), 3)


@says("cdp.md", "whatever is computed from this answer is $(2, \\tau)$-CDP with $\\tau$ at most {...}.")
def _(said):
    """The bits that cut the answer, in both directions, have no larger mean and no larger τ."""
    lam, tau = np.geomspace(1e-3, 40, 4000), float(said[0])
    for cut in np.linspace(-8, 8, 65):
        p, q = norm.cdf([cut - 2, cut]), norm.cdf([cut, cut - 2])
        for here, there in (p, q):
            losses = np.log([here / there, (1 - here) / (1 - there)])
            mean = here * losses[0] + (1 - here) * losses[1]
            for sign in (1, -1):
                with np.errstate(divide="ignore"):
                    moment = np.logaddexp(
                        np.log(here) + sign * lam * (losses[0] - mean),
                        np.log1p(-here) + sign * lam * (losses[1] - mean),
                    )
                assert mean <= 2 and np.sqrt(np.maximum(2 * moment, 0) / lam**2).max() <= tau


@says("cdp.md", r"| $\delta$ at $\varepsilon \ge \mu$ | $e^{-(\varepsilon - \mu)^2/2\tau^2}$ |")
def _():
    """Left of the mean the formula would be too small: Gaussian noise with μ = τ = 2 at ε = 0."""
    assert np.exp(-((0 - 2) ** 2) / 8) < 2 * norm.cdf(1) - 1
    for epsilon in np.linspace(2, 12, 50):
        exact = norm.cdf(1 - epsilon / 2) - np.exp(epsilon) * norm.cdf(-1 - epsilon / 2)
        assert exact <= np.exp(-((epsilon - 2) ** 2) / 8)


@says("cdp.md", "and at most half the squared subgaussian standard if both tables have the same possible outputs")
def _():
    """Without that: P always 0 and Q a fair bit lose ln 2 for certain, at a mean of ln 2 and a standard of 0."""
    losses, mass = np.log([1 / 0.5]), np.array([1.0])
    assert losses @ mass > 0 == np.ptp(losses)
