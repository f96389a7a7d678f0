"""Checks of chapters/cdp_breaks.md."""

import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim


@claim("cdp_breaks.md", "ninth-patient")
def test_ninth_patient(passage):
    """The loss after the true count 4, where σ is 1: y - 3.5, and from y = 5 on that of a second count with σ = 4/3."""
    y = np.linspace(-8, 16, 240_001)
    mass, later, at = norm.pdf(y, 4, 1) * (y[1] - y[0]), y >= 5, 2.26
    mean = mass @ (y - 3.5) + mass @ later * (9 / 32)
    lam = at + 0.05 * np.arange(-160, 76)  # of both signs, and none is 0
    second = np.exp((lam + lam**2) * 9 / 32)
    moment = [mass @ (np.exp(a * (y - 3.5)) * np.where(later, b, 1)) for a, b in zip(lam, second, strict=True)]
    needed = np.sqrt(2 * (np.log(moment) - lam * mean)) / abs(lam)
    assert lam[needed.argmax()] == at  # where it is largest
    assert needed.max() > 1.31 > np.hypot(1, 3 / 4) == 1.25 and passage.gives(1.31, 1.25, at)
    assert passage.printed == [f"{mass @ later:.2f}", f"{mean:.2f}", str(0.5 + 9 / 32)]


@claim("cdp_breaks.md", "budgets-of-the-two-counts")
def test_budgets_of_the_two_counts(passage):
    """By integrals over the loss of neighbours that are 1 apart, whose loss is (1 - 2y)/2σ² at y."""

    def spread(sigma):
        y = np.linspace(-12 * sigma, 12 * sigma, 200_001)
        mass, loss = norm.pdf(y, 0, sigma) * (y[1] - y[0]), (1 - 2 * y) / (2 * sigma**2)
        mean = mass @ loss
        return mean, np.sqrt(mass @ (loss - mean) ** 2)

    first, second = spread(1), spread(4 / 3)
    total = first[0] + second[0], np.hypot(first[1], second[1])
    assert passage.printed == [
        f"{each:.{digits}f}" for each, digits in zip((*first, *total), (2, 2, 5, 2), strict=True)
    ]


@answers("cdp_breaks.md", "cuts-with-a-larger-tau", numbers=[2, 0], choices=[[4, 0.3], [0.3], [1], [1]])
def test_question_cuts_with_a_larger_tau(question):
    def over(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        high, low = np.log(p / q), np.log1p(-p) - np.log1p(-q)
        lam = np.concatenate([np.linspace(-8, -0.01, 4000), np.linspace(0.01, 8, 4000)])
        curve = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
        return (2 * curve / lam**2).max() > 4

    found = {cut: over(cut) for cut in (-6, -4, -2, -1, -0.35, -0.2, 0.5, 2.5)}
    assert question.right == [
        all(above == (-4 < cut < -0.3) for cut, above in found.items()),
        all(above == (cut < -0.3) for cut, above in found.items()),
        all(above == (cut < 1) for cut, above in found.items()),
        all(found.values()),
    ]


@claim("cdp_breaks.md", "one-bit.alt")
def test_alt_one_bit():
    c = at_rest("cdp_breaks.md", "one-bit")
    bit, line = c["one bit"], c["whole answer"][0]
    hump, dip = bit.argmax(), bit.argmin()
    assert hump < dip < len(bit) - 1 and bit[-1] < line and bit[dip] < bit[-1]
    assert line < bit[0] < bit[hump] and (np.diff(bit[: hump + 1]) > 0).all()


@claim("cdp_breaks.md", "cuts-with-tau-above-two", numbers=[2])
def test_cuts_with_tau_above_two(passage):
    def standard(cut):
        p, q = norm.cdf(cut), norm.cdf(cut - 2)
        gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
        return gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p)))

    edge = float(passage.printed[0])
    assert all(standard(cut) > 2 for cut in np.linspace(-8, edge, 300)) and standard(edge + 0.02) < 2


@claim("cdp_breaks.md", "tau-three-per-cent-above", numbers=[4.2, 1, 4.2, 1])
def test_tau_three_per_cent_above(passage):
    p, q = norm.cdf(-4.2), norm.cdf(-5.2)
    gap = np.log(p / q) - np.log1p(-p) + np.log1p(-q)
    tau = gap * np.sqrt((1 - 2 * p) / (2 * np.log((1 - p) / p)))
    assert tau == pytest.approx(1.034, abs=5e-4) and passage.gives(round(100 * (tau - 1)))


@claim("cdp_breaks.md", "one-sided-bound-fails", numbers=[0])
def test_one_sided_bound_fails():
    for tau in (0.01, 0.3, 2.0):
        mu = tau**2 / 2
        lam = 2.001 * np.log(2) / mu
        centred = np.logaddexp(-lam * mu / 2, lam * mu / 2 + (lam * tau) ** 2 / 2) - np.log(2)
        assert centred > (lam * tau) ** 2 / 2


@claim("cdp_breaks.md", "two-counts-after-looking", numbers=[0.78125])
def test_two_counts_after_looking(passage):
    """Some Λ gives a τ that is no larger, and the printed τ is enough for the analyst who looks."""
    rho, split = 1 / 2 + 9 / 32, np.linspace(0.01, 1, 1000)
    taus = np.sqrt(2 * np.expm1(split * (1 + split) * rho)) / split
    assert passage.printed[0] == str(rho)
    assert taus.min() <= float(passage.printed[1]) < 1.05 * taus.min() and float(passage.printed[1]) > 1.32


@claim("cdp_breaks.md", "tau-after-computation", numbers=[2])
def test_tau_after_computation(passage):
    """The bits that cut the answer, in both directions, have no larger mean and no larger τ."""
    lam, tau = np.geomspace(1e-3, 40, 4000), float(passage.printed[0])
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


@claim("cdp_breaks.md", "bit-of-the-newspaper", numbers=[1, 3])
def test_bit_of_the_newspaper(passage):
    """Whether a count of 7 or 8 with σ = 1 is below 3: the parameter of its loss, by a search over λ."""
    p, q = norm.cdf(3 - 7), norm.cdf(3 - 8)
    high, low = np.log(p / q), np.log1p(-p) - np.log1p(-q)
    lam = np.concatenate([-np.geomspace(1e-3, 60, 40_000), np.geomspace(1e-3, 60, 40_000)])
    moment = np.logaddexp(np.log(p) + lam * high, np.log1p(-p) + lam * low) - lam * (p * high + (1 - p) * low)
    assert passage.printed == [f"{np.sqrt((2 * moment / lam**2).max()):.3f}"] and float(passage.printed[0]) > 1


@answers("cdp_breaks.md", "tau-of-perhaps-answer", numbers=[2], choices=[[1.4], [2], [2.2], [2.8]])
def test_question_tau_of_perhaps_answer(question):
    lam = np.concatenate([-np.geomspace(1e-3, 50, 20_000), np.geomspace(1e-3, 50, 20_000)])
    moment = np.logaddexp(0, 2 * lam + 2 * lam**2) - np.log(2) - lam  # a loss of 0, or of N(2, 2²); its mean is 1
    tau = np.sqrt((2 * moment / lam**2).max())
    assert question.right == [
        tau == pytest.approx(np.sqrt(2), rel=0.01),
        tau == pytest.approx(2, rel=1e-3),
        tau == pytest.approx(2.2, abs=0.05),
        tau == pytest.approx(2 * np.sqrt(2), rel=0.01),
    ]


@claim("cdp_breaks.md", "looking-first.alt")
def test_alt_looking_first():
    seen = at_rest("cdp_breaks.md", "looking-first")
    own, budget, line = seen["about its own mean"], seen["about the budget μ"], float(seen["budget", "y"])
    assert own[0] < line < own.max() and line < own[-1] < line + 0.1 and 0 < own.argmax() < len(own) - 1
    assert budget[0] == 0 and seen.rises("about the budget μ").all() and line - 0.1 < budget[-1] < line
