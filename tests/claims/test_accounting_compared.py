"""Checks of chapters/accounting_compared.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.accountants import advanced_curve, normal_epsilon, pairs, rdp_line, rounded_up, zcdp_curve
from dp_lib import gdp, zcdp
from dp_lib.pld import PrivacyLoss


@claim("accounting_compared.md", "three-promises")
def test_three_promises(passage):
    """Each ε, and the right guesses in a hundred that it allows, by the bound of an exercise of comparing.md."""
    claimed = [advanced_curve(200, 500, 1e-5), zcdp_curve(200, 500, 1e-5), normal_epsilon(math.sqrt(500) / 200, 1e-5)]
    shares = [100 * (math.exp(epsilon) + 1e-5) / (1 + math.exp(epsilon)) for epsilon in claimed]
    wanted = zip(rounded_up(claimed, 3), [str(math.ceil(share)) for share in shares], strict=True)
    assert passage.printed == [printed for both in wanted for printed in both]


@claim("accounting_compared.md", "line-touches-once")
def test_line_touches_once(passage):
    k = np.arange(1, 1_000_000) / 100
    above = rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)
    assert k[above.argmin()] == pytest.approx(float(passage.printed[0]), abs=0.05)
    assert above.min() >= 0 and (np.delete(above, above.argmin()) > 0).all()


@claim("accounting_compared.md", "line-and-curve-in-numbers", numbers=[60, 100])
def test_line_and_curve_in_numbers(passage):
    """Rounded up to three digits."""
    wanted = [rdp_line(200, 60, 100, 1e-5), zcdp_curve(200, 100, 1e-5)]
    assert passage.printed == [f"{math.ceil(1000 * each) / 1000:.3f}" for each in wanted]


@claim("accounting_compared.md", "line-is-tangent-to-curve", numbers=[0, 1, 2, 2, 1, 1, 2])
def test_line_is_tangent_to_curve():
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


@claim("accounting_compared.md", "three-steps-of-loss")
def test_three_steps_of_loss(passage):
    whole, step = normal_epsilon(np.sqrt(500) / 200, 1e-5), normal_epsilon(1 / 200, 1e-8)
    classic = np.sqrt(2 * np.log(1.25e8)) / 200
    tower = [
        whole,
        pairs(500, step, 5e-6, "optimal"),
        pairs(500, step, 5e-6, "full"),
        pairs(500, classic, 5e-6, "full"),
    ]
    assert [float(each) for each in passage.printed] == pytest.approx(np.divide(tower[1:], tower[:-1]), abs=0.006)


@claim("accounting_compared.md", "less-noise-with-smaller-epsilon", numbers=[160])
def test_less_noise_with_smaller_epsilon(passage):
    assert passage.printed[1:] == [
        f"{np.ceil(1000 * normal_epsilon(np.sqrt(500) / 160, 1e-5)) / 1000:.3f}"
    ]  # a bound is rounded up
    assert float(passage.printed[1]) < zcdp_curve(200, 500, 1e-5)


@claim("accounting_compared.md", "few-answers-add-up")
def test_few_answers_add_up():
    """Five coins or five Laplace answers of ε = 0.1 at δ = 1e-6: within two per cent of the sum."""
    assert pairs(5, 0.1, 1e-6, "optimal") > 0.98 * 0.5
    assert PrivacyLoss.laplace(10).repeat(5).epsilon(1e-6).lower > 0.98 * 0.5


@claim("accounting_compared.md", "loss-of-conversion.alt")
def test_alt_loss_of_conversion():
    c = at_rest("accounting_compared.md", "loss-of-conversion")
    high = c["advanced composition"]
    assert high[0] == pytest.approx(c["zCDP"][0], rel=0.05) and high[0] < c["RDP at this α"][0] and 40 < high[-1] < 50
    assert (high > c["RDP at this α"])[(c["k"] > 10) & (c["k"] < 1e4)].all()


@answers("accounting_compared.md", "why-zcdp-is-near-exact-for-large-k", numbers=[1])
def test_question_why_zcdp_is_near_exact_for_large_k(question):
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

    near, far = over(1e6), over(1e12)
    assert (far[:2] < near[:2]).all() and far[:2].max() < 1.001 and far[3] > far[2] > 59

    def share_of_rho(k):
        """Of the exact ε."""
        return k / (2 * 200**2) / gdp.epsilon(np.sqrt(k) / 200, 1e-5)

    def converted(k):
        """What the conversion adds to ρ."""
        return zcdp_curve(200, k, 1e-5) - k / (2 * 200**2)

    y = np.linspace(-1000, 1000, 21)
    loss_of_one = norm(1, 200).logpdf(y) - norm(0, 200).logpdf(y)
    easy = gdp.epsilon(np.sqrt(1e12) / 200, 1e-5) < gdp.epsilon(np.sqrt(1e6) / 200, 1e-5)
    largest = share_of_rho(1e6) < share_of_rho(1e12) and 0.99 < share_of_rho(1e12) < 1
    bent_at_first = not np.allclose(np.diff(loss_of_one, 2), 0, atol=1e-12)  # a straight line of a normal y is normal
    nothing_converted = converted(1e12) < converted(1e6)
    assert question.right == [easy, largest, bent_at_first, nothing_converted]


@claim("accounting_compared.md", "touches-outside-the-picture")
def test_touches_outside_the_picture(passage):
    k = np.arange(1, 501)
    assert float(passage.printed[0]) > 500
    assert (rdp_line(200, 20, k, 1e-5) > zcdp_curve(200, k, 1e-5)).all()


@claim("accounting_compared.md", "rdp-vs-zcdp.alt")
def test_alt_rdp_vs_zcdp():
    c = at_rest("accounting_compared.md", "rdp-vs-zcdp")
    apart = c["RDP, best α of 2..100"] / c["zCDP"] - 1
    assert (apart >= 0).all() and apart[0] > 1 / 100 and apart[c["k"] > 100].max() < 1e-3
    assert (apart[c["k"] < 80] > 1e-3).all()  # the list ends at order 100, the best order of 94 queries


@answers("accounting_compared.md", "how-rdp-meets-zcdp", numbers=[60], choices=[[], [2], [], []])
def test_question_how_rdp_meets_zcdp(question):
    k = np.geomspace(1e-3, 1e9, 1_000_001)
    above = (rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)) / zcdp_curve(200, k, 1e-5)
    below, touching = above < -1e-12, above.min() < 1e-9
    once, twice = below[0] != below[-1], below.any() and not below[0] and not below[-1]
    assert question.right == [once, twice, touching and not below.any(), not touching]


@claim("accounting_compared.md", "best-order-with-tight-conversion", numbers=[36.6, 43.9, 500])
def test_best_order_with_tight_conversion(passage):
    order, rho = np.linspace(2, 200, 1_980_001), 500 / (2 * 200**2)
    tight = order * rho + np.log1p(-1 / order) - (np.log(1e-5) + np.log(order)) / (order - 1)
    classic = order * rho + np.log(1e5) / (order - 1)
    assert round(order[tight.argmin()], 1) == 36.6 and round(order[classic.argmin()], 1) == 43.9
    single = np.linspace(2, 2000, 199_801)
    least = (single / (2 * 200**2) + np.log(1e5) / (single - 1)).argmin()
    assert passage.printed == ["43.9", f"{single[least]:.0f}"]


@claim("accounting_compared.md", "advanced-composition-ends-worst")
def test_advanced_composition_ends_worst():
    c = at_rest("accounting_compared.md", "loss-of-conversion")
    over_exact = {name: c[name][-1] for name in ("advanced composition", "RDP at this α", "zCDP", "zCDP, tight")}
    assert max(over_exact, key=over_exact.get) == "advanced composition"


@claim("accounting_compared.md", "two-parts-of-zcdp-loss")
def test_two_parts_of_zcdp_loss(passage):
    exact, classic = normal_epsilon(math.sqrt(500) / 200, 1e-5), zcdp_curve(200, 500, 1e-5)
    tight = zcdp.epsilon_tight(500 / 80_000, 1e-5)
    assert passage.printed == [f"{classic / exact:.2f}", f"{classic / tight:.2f}", f"{tight / exact:.2f}"]


@claim("accounting_compared.md", "terms-at-a-million-counts")
def test_terms_at_a_million_counts(passage):
    by_zcdp, exact, rho = zcdp_curve(200, 1e6, 1e-5), gdp.epsilon(math.sqrt(1e6) / 200, 1e-5), 1e6 / 80_000
    terms = [f"{by_zcdp - rho:.1f}", f"{exact - rho:.1f}"]
    one = (zcdp_curve(200, 1, 1e-5) - 1 / 80_000) / (gdp.epsilon(1 / 200, 1e-5) - 1 / 80_000)
    ratios = [f"{one:.2f}", f"{(by_zcdp - rho) / (exact - rho):.2f}"]
    assert passage.printed == [f"{rho}", *rounded_up([by_zcdp], 1), *terms, *ratios]


@claim("accounting_compared.md", "nine-counts-by-hand", numbers=[1800, 0.005, 5, 2.025, 41, 0.405])
def test_nine_counts_by_hand():
    rho = 9 / (2 * 30**2)
    grid = 1 + np.linspace(0.5, 200, 400_001)
    lines = grid * rho + 8 / (grid - 1)
    assert rho == pytest.approx(0.005) and lines.min() == pytest.approx(0.405, abs=1e-6)
    assert grid[lines.argmin()] == pytest.approx(41, abs=0.01)
    assert rdp_line(30, 5, 9, math.exp(-8)) == pytest.approx(2.025)
    assert rdp_line(30, 41, 9, math.exp(-8)) == pytest.approx(0.405) == zcdp_curve(30, 9, math.exp(-8))
