"""Checks of chapters/cdp_mechanisms.md."""

import math

import numpy as np
import pytest

from claims import answers, at_rest, claim
from claims.accountants import normal_epsilon, rounded_up
from claims.test_cdp import responses


@answers("cdp_mechanisms.md", "where-parabola-touches", numbers=[0.9, 2], choices=[[0], [0], [0, 2], []])
def test_question_where_parabola_touches(question):
    lam = np.arange(-100_000, 100_001) / 10_000
    curve = np.log(0.9 * np.exp(lam) + 0.1 * np.exp(-lam)) - 0.8 * lam
    tau2 = (2 * curve[lam != 0] / lam[lam != 0] ** 2).max()
    gap = lam**2 * tau2 / 2 - curve
    touching = lam[(gap < 1e-8) & (abs(lam) > 0.1)]
    left, right = (touching < 0).any(), (touching > 0).any()
    assert np.ptp(touching) < 0.01
    assert question.right == [not left and not right, left and not right, left and right, abs(gap[lam == 0]) > 1e-8]


@claim("cdp_mechanisms.md", "tau-of-a-biased-bit", numbers=[0.94, 0.8, 0.94, 1.4])
def test_tau_of_a_biased_bit():
    lam = np.linspace(-20, 20, 400_001)
    curve = np.log(0.8 * np.exp(lam) + 0.2 * np.exp(-lam)) - 0.6 * lam
    assert (curve <= lam**2 * 0.94**2 / 2 + 1e-15).all() and (curve > lam**2 * 0.93**2 / 2 + 1e-6).any()


@claim("cdp_mechanisms.md", "coin.alt")
def test_alt_coin():
    c = at_rest("cdp_mechanisms.md", "coin")
    lam, bit, dashed, dotted = c["lam"], c["the bit"], c["your τ"], c["τ(X)"]
    assert bit == pytest.approx(np.log(0.9 * np.exp(0.2 * lam) + 0.1 * np.exp(-1.8 * lam)), abs=1e-9)
    assert (bit[lam < 0] > bit[::-1][lam < 0]).all() and abs(bit[abs(lam) < 1e-9]).max() < 1e-9
    gap, touches = dotted - bit, c["touch", "x"]
    assert (dashed - bit >= -1e-9).all() and (gap >= -1e-9).all() and touches == pytest.approx(-np.log(9))
    away = (abs(lam) > 0.1) & (abs(lam - touches) > 0.1)
    assert all(gap[abs(lam - at).argmin()] < 1e-4 < gap[away].min() for at in (0, touches))


@claim("cdp_mechanisms.md", "tau-about")
def test_tau_about(passage):
    lam = np.concatenate([np.linspace(-20, -1e-3, 200_000), np.linspace(1e-3, 20, 200_000)])
    log_mgf = np.logaddexp(np.log(0.9) + lam, np.log(0.1) - lam) - 0.8 * lam
    assert float(passage.printed[1]) == round(np.sqrt(2 * log_mgf / lam**2).max(), 3)


@claim("cdp_mechanisms.md", "pure-mechanism-like-gaussian-count", numbers=[0.1, 2, 0.005, 0.1, 10])
def test_pure_mechanism_like_gaussian_count():
    losses, mass = responses(1, 0.1)
    mean = losses @ mass
    assert mean == pytest.approx(0.005, rel=0.01) and np.sqrt(2 * mean) == pytest.approx(0.1, rel=0.01)
    sigma = 10
    assert 1 / (2 * sigma**2) == pytest.approx(0.005) and 1 / sigma == pytest.approx(0.1)


@claim("cdp_mechanisms.md", "sum-of-dependent-losses")
def test_sum_of_dependent_losses():
    """Two fair bits of ±1, which are 1-subgaussian, with any correlation: the parameter of their sum by a scan."""
    lam = np.concatenate([-np.geomspace(1e-2, 30, 400), np.geomspace(1e-2, 30, 400)])
    for same in (0, 0.25, 0.5, 0.75, 1):  # the probability that the two bits agree
        moment = same * np.cosh(2 * lam) + 1 - same
        parameter = np.sqrt((2 * np.log(moment) / lam**2).max())
        assert parameter <= 2 + 1e-9 and (same != 0.5 or parameter == pytest.approx(np.sqrt(2), abs=1e-3))
    assert parameter == pytest.approx(2, abs=1e-3)  # the same bit twice


@claim("cdp_mechanisms.md", "budget-of-the-two-programs")
def test_budget_of_the_two_programs(passage):
    """By the loss of the count on a fine grid and the two losses of the response; τ by a scan of the total loss."""
    y, step = np.linspace(-34, 46, 80_001, retstep=True)
    count = np.exp(-((y - 6) ** 2) / 8) / np.sqrt(8 * np.pi) * step
    losses, mass = responses(1, np.log(2))
    mean = count @ ((2 * y - 11) / 8) + losses @ mass
    lam = np.concatenate([np.linspace(-6, -0.02, 300), np.linspace(0.02, 6, 300)])
    response = np.array([np.log(mass @ np.exp(x * losses)) - x * (losses @ mass) for x in lam])
    total = response + [np.log(count @ np.exp(x * ((2 * y - 11) / 8 - 1 / 8))) for x in lam]
    tau, tau_of_both = (np.sqrt((2 * log_mgf / lam**2).max()) for log_mgf in (response, total))
    assert passage.printed == [*(f"{each:.2f}" for each in (losses @ mass, tau)), *rounded_up([mean, tau_of_both], 2)]


@claim("cdp_mechanisms.md", "two-programs-by-basic-composition", numbers=[1e-5])
def test_two_programs_by_basic_composition(passage):
    mean = 1 / 8 + math.log(2) / 3
    by_cdp = mean + math.sqrt(2 * mean) * math.sqrt(2 * math.log(1e5))
    count = normal_epsilon(1 / 2, 1e-5)
    total, both = rounded_up([by_cdp, count + math.log(2)], 2)
    mean = math.log(2) / 3
    alone = mean + math.sqrt(2 * mean) * math.sqrt(2 * math.log(1e5))
    assert passage.printed == [total, *rounded_up([count], 3), both, f"{alone:.1f}", f"{math.log(2):.2f}"]
