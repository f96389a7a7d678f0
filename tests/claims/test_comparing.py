"""Checks of chapters/comparing.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom, norm

from claims import answers, at_rest, claim
from dp_lib import gdp, zcdp
from dp_lib.pld import PrivacyLoss


def rdp_line(sigma, alpha, k, delta):
    return alpha * k / (2 * sigma**2) + np.log(1 / delta) / (alpha - 1)


def zcdp_curve(sigma, k, delta):
    rho = k / (2 * sigma**2)
    return rho + 2 * np.sqrt(rho * np.log(1 / delta))


def advanced_curve(sigma, k, delta):
    """k Gaussian answers by the full form of advanced composition and the classic bound, half of δ for the slack."""
    slack = delta / 2
    step = math.sqrt(2 * math.log(1.25 * k / slack)) / sigma
    return step * math.sqrt(2 * k * math.log(1 / slack)) + k * step * math.expm1(step)


@claim("comparing.md", "line-touches-once")
def test_line_touches_once(passage):
    k = np.arange(1, 1_000_000) / 100
    above = rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)
    assert k[above.argmin()] == pytest.approx(float(passage.printed[0]), abs=0.05)
    assert above.min() >= 0 and (np.delete(above, above.argmin()) > 0).all()


@claim("comparing.md", "line-and-curve-in-numbers", numbers=[60, 100])
def test_line_and_curve_in_numbers(passage):
    """Rounded up to three digits."""
    wanted = [rdp_line(200, 60, 100, 1e-5), zcdp_curve(200, 100, 1e-5)]
    assert passage.printed == [f"{math.ceil(1000 * each) / 1000:.3f}" for each in wanted]


@claim("comparing.md", "line-is-tangent-to-curve", numbers=[0, 1, 2, 2, 1, 1, 2])
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


@claim("comparing.md", "simple-form-ratio-without-epsilon")
def test_simple_form_ratio_without_epsilon(passage):
    sigmas = passage.names["noises"]
    for delta, k in [(1e-9, 1), (1e-5, 100), (1e-2, 10_000)]:
        ratios = [
            (sigmas["composition, simple form"].y(eps, delta, k) / sigmas["vector, classic"].y(eps, delta, k)) ** 2
            for eps in (0.01, 0.3, 0.99)
        ]
        assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-12)


@claim("comparing.md", "three-parts-of-the-factor", numbers=[100, 3])
def test_three_parts_of_the_factor(passage):
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
    assert [float(each) for each in passage.printed] == pytest.approx(wanted, abs=0.006)
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


@claim("comparing.md", "three-steps-of-loss")
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


@claim("comparing.md", "table-row-of-100-answers", numbers=[100])
def test_table_row_of_100_answers(passage):
    def step(form):
        return brentq(lambda x: pairs(100, x, 5e-6, form) - 0.1, 1e-5, 0.1)

    vector = np.sqrt(2 * np.log(1.25e5)) * 10 / 0.1
    steps = [0.1 / (2 * np.sqrt(200 * np.log(2e5))), step("full"), step("optimal")]
    ratios = [np.sqrt(2 * np.log(1.25 / 5e-8)) / each / vector for each in steps]
    ratios.append(exact_sigma(step("optimal"), 5e-8) / (10 * exact_sigma(0.1, 1e-5)))
    assert [float(each) for each in passage.printed] == pytest.approx(ratios, abs=0.006)
    assert ratios[3] == pytest.approx(3.67, abs=0.006)


@claim("comparing.md", "best-guess-cases", numbers=[100])
def test_best_guess_cases(passage):
    y = np.linspace(-4000, 4500, 200_001) * np.sqrt(500)
    width = 200 * np.sqrt(500)
    larger = np.maximum(norm.pdf(y, 0, width), norm.pdf(y, 500, width))
    assert passage.printed == [f"{50 * np.trapezoid(larger, y):.0f}"]


@answers("comparing.md", "largest-over-smallest-epsilon", numbers=[3], choices=[[], [1.4], [10], [40]])
def test_question_largest_over_smallest_epsilon(question):
    step = np.sqrt(2 * np.log(1.25e8)) / 200
    proved = [pairs(500, step, 5e-6, "full"), zcdp_curve(200, 500, 1e-5), normal_epsilon(np.sqrt(500) / 200, 1e-5)]
    factor = max(proved) / min(proved)
    assert question.right == [factor < 1.01, abs(factor - 1.4) < 0.2, abs(factor - 10) < 0.2, abs(factor - 40) < 4]
    added = 500 * math.sqrt(2 * math.log(1.25 / (1e-5 / 500))) / 200  # by a mistake, which the reply names
    assert round(added / proved[2]) == 39


@claim("comparing.md", "less-noise-with-smaller-epsilon", numbers=[160])
def test_less_noise_with_smaller_epsilon(passage):
    assert passage.printed[1:] == [
        f"{np.ceil(100 * normal_epsilon(np.sqrt(500) / 160, 1e-5)) / 100:.2f}"
    ]  # a bound is rounded up
    assert float(passage.printed[1]) < zcdp_curve(200, 500, 1e-5)


@claim("comparing.md", "few-answers-add-up")
def test_few_answers_add_up():
    """Five coins or five Laplace answers of ε = 0.1 at δ = 1e-6: within two per cent of the sum."""
    assert pairs(5, 0.1, 1e-6, "optimal") > 0.98 * 0.5
    assert PrivacyLoss.laplace(10).repeat(5).epsilon(1e-6).lower > 0.98 * 0.5


@claim("comparing.md", "loss-of-conversion.alt")
def test_alt_loss_of_conversion():
    c = at_rest("comparing.md", "loss-of-conversion")
    high = c["advanced composition"]
    assert high[0] == pytest.approx(c["zCDP"][0], rel=0.05) and high[0] < c["RDP at this α"][0] and 40 < high[-1] < 50
    assert (high > c["RDP at this α"])[(c["k"] > 10) & (c["k"] < 1e4)].all()


@answers("comparing.md", "why-zcdp-is-near-exact-for-large-k", numbers=[1])
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


@claim("comparing.md", "touches-outside-the-picture")
def test_touches_outside_the_picture(passage):
    k = np.arange(1, 501)
    assert float(passage.printed[0]) > 500
    assert (rdp_line(200, 20, k, 1e-5) > zcdp_curve(200, k, 1e-5)).all()


@claim("comparing.md", "rdp-vs-zcdp.alt")
def test_alt_rdp_vs_zcdp():
    c = at_rest("comparing.md", "rdp-vs-zcdp")
    apart = c["RDP, best α of 2..100"] / c["zCDP"] - 1
    assert (apart >= 0).all() and apart[0] > 1 / 100 and apart[c["k"] > 100].max() < 1e-3
    assert (apart[c["k"] < 80] > 1e-3).all()  # the list ends at order 100, the best order of 94 queries


@answers("comparing.md", "gap-between-the-lines", numbers=[0.5, 1], choices=[[], [], [], [1]])
def test_question_gap_between_the_lines(question):
    k = np.arange(1, 101)
    gaps = [np.abs(1 / (epsilon / k) - k / epsilon).max() for epsilon in (0.5, 0.75, 1.0)]
    none = np.allclose(gaps, 0, atol=1e-12)
    assert question.right == [
        not none and gaps[2] == pytest.approx(gaps[0] / 2),
        not none and gaps[2] == pytest.approx(2 * gaps[0]),
        none,
        not none and gaps[2] < 1e-12,
    ]


@answers("comparing.md", "noise-of-simple-form", numbers=[0.1, 1e-05, 100, 12], choices=[[], [], [], [1]])
def test_question_noise_of_simple_form(question):
    def factor(epsilon):
        vector = np.sqrt(2 * 100 * np.log(1.25e5)) / epsilon
        return 4 * np.sqrt(100 * np.log(2e5) * np.log(250e5)) / epsilon / vector

    before, after = factor(0.1), factor(0.2)
    assert abs(before - 12) < 0.5
    same = [after == pytest.approx(wanted) for wanted in (before / 2, before, 2 * before, 1)]
    assert question.right == same


@answers("comparing.md", "how-rdp-meets-zcdp", numbers=[60], choices=[[], [2], [], []])
def test_question_how_rdp_meets_zcdp(question):
    k = np.geomspace(1e-3, 1e9, 1_000_001)
    above = (rdp_line(200, 60, k, 1e-5) - zcdp_curve(200, k, 1e-5)) / zcdp_curve(200, k, 1e-5)
    below, touching = above < -1e-12, above.min() < 1e-9
    once, twice = below[0] != below[-1], below.any() and not below[0] and not below[-1]
    assert question.right == [once, twice, touching and not below.any(), not touching]


@claim("comparing.md", "row-moves-some-counts")
def test_row_moves_some_counts():
    scale, k = 3.0, 6
    noise = np.random.default_rng(0).laplace(0, scale, (10_000, k))
    for moved in range(k + 1):
        shift = np.arange(k) < moved
        loss = (np.abs(noise + shift) - np.abs(noise)).sum(1) / scale
        assert loss.max() == pytest.approx(moved / scale)


@claim("comparing.md", "gap-left-by-optimal-composition")
def test_gap_left_by_optimal_composition(passage):
    """Of one step nothing is left; of a hundred a factor of 3.87 in σ, of the 11.9 of the simple form."""
    names = passage.names
    assert names["ratio"](1) ** 0.5 > 10 and names["ratio"](1, names["sigma_optimal"]) ** 0.5 < 1.05
    assert names["ratio"](100, names["sigma_optimal"]) ** 0.5 == pytest.approx(3.87, abs=0.005)


@claim("comparing.md", "best-order-with-tight-conversion", numbers=[36.6, 43.9, 500])
def test_best_order_with_tight_conversion():
    order, rho = np.linspace(2, 200, 1_980_001), 500 / (2 * 200**2)
    tight = order * rho + np.log1p(-1 / order) - (np.log(1e-5) + np.log(order)) / (order - 1)
    classic = order * rho + np.log(1e5) / (order - 1)
    assert round(order[tight.argmin()], 1) == 36.6 and round(order[classic.argmin()], 1) == 43.9


@claim("comparing.md", "noise-of-both")
def test_noise_of_both(passage):
    step = 0.1 / math.sqrt(800 * math.log(2e5))
    simple = math.sqrt(2 * math.log(1.25 * 200 / 1e-5)) / step
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert passage.printed == [f"{math.ceil(simple)}", f"{math.ceil(vector)}", f"{simple / vector:.1f}"]


@claim("comparing.md", "advanced-composition-ends-worst")
def test_advanced_composition_ends_worst():
    c = at_rest("comparing.md", "loss-of-conversion")
    over_exact = {name: c[name][-1] for name in ("advanced composition", "RDP at this α", "zCDP", "zCDP, tight")}
    assert max(over_exact, key=over_exact.get) == "advanced composition"


def rounded_up(values, digits):
    return [f"{math.ceil(10**digits * value) / 10**digits:.{digits}f}" for value in values]


@claim("comparing.md", "four-counts-by-four-accountants")
def test_four_counts_by_four_accountants(passage):
    """Each record, each total and each ε, the exact one of a single Gaussian answer with σ = 5."""
    step = math.sqrt(2 * math.log(1.25 / 2.5e-6)) / 10
    claimed = [4 * step, rdp_line(10, 10, 4, 1e-5), zcdp_curve(10, 4, 1e-5), normal_epsilon(1 / 5, 1e-5)]
    basic, renyi, concentrated, exact = rounded_up(claimed, 3)
    assert passage.printed == [
        *rounded_up([step], 4),
        basic,
        *(f"{10 / 200}", f"{4 * 10 / 200}", renyi),
        *(f"{1 / 200}", f"{4 / 200}", concentrated),
        *(f"{1 / 10}", f"{2 / 10}", exact),
    ]
    assert sorted(claimed, reverse=True) == claimed


@claim("comparing.md", "best-order-for-four-counts", numbers=[10, 25])
def test_best_order_for_four_counts(passage):
    by_order = [rdp_line(10, order, 4, 1e-5) for order in np.arange(1.5, 100, 0.5)]
    assert passage.printed == rounded_up([rdp_line(10, 25, 4, 1e-5)], 3) == rounded_up([zcdp_curve(10, 4, 1e-5)], 3)
    assert min(by_order) == rdp_line(10, 25, 4, 1e-5) < rdp_line(10, 10, 4, 1e-5)


@claim("comparing.md", "plain-sum-for-few-counts")
def test_plain_sum_for_few_counts(passage):
    def basic(k):
        return k * math.sqrt(2 * math.log(1.25 * k / 1e-5)) / 200

    basic_is_less = [k for k in range(1, 501) if basic(k) <= advanced_curve(200, k, 1e-5)]
    assert passage.printed[-1:] == [f"{basic_is_less[-1]}"] and basic_is_less == [*range(1, basic_is_less[-1] + 1)]


@claim("comparing.md", "promised-share-of-right-guesses")
def test_promised_share_of_right_guesses(passage):
    """Right guesses with equal odds: the two kinds of them are limited by P(S) <= e^ε P'(S) + δ, both ways."""
    exact, advanced = (normal_epsilon(math.sqrt(500) / 200, 1e-5), advanced_curve(200, 500, 1e-5))

    def most(epsilon):
        grid = np.linspace(0, 1, 200_001)  # the probability that the guess "yes" is wrong
        right = np.minimum(np.exp(epsilon) * grid + 1e-5, 1 - np.exp(-epsilon) * (1 - grid - 1e-5))
        return float(np.max((1 - grid + np.minimum(right, 1)) / 2))

    assert passage.printed[-3:] == [f"{math.ceil(100 * most(exact))}", f"{math.ceil(100 * most(advanced))}", "52"]


@claim("comparing.md", "two-parts-of-zcdp-loss")
def test_two_parts_of_zcdp_loss(passage):
    exact, classic = normal_epsilon(math.sqrt(500) / 200, 1e-5), zcdp_curve(200, 500, 1e-5)
    tight = zcdp.epsilon_tight(500 / 80_000, 1e-5)
    assert passage.printed == [f"{classic / exact:.2f}", f"{classic / tight:.2f}", f"{tight / exact:.2f}"]


@claim("comparing.md", "terms-at-a-million-counts")
def test_terms_at_a_million_counts(passage):
    by_zcdp, exact, rho = zcdp_curve(200, 1e6, 1e-5), gdp.epsilon(math.sqrt(1e6) / 200, 1e-5), 1e6 / 80_000
    assert passage.printed == [f"{rho}", *rounded_up([by_zcdp], 1), f"{by_zcdp - rho:.1f}", f"{exact - rho:.1f}"]


@claim("comparing.md", "advanced-composition-of-four-counts")
def test_advanced_composition_of_four_counts(passage):
    advanced = advanced_curve(10, 4, 1e-5)
    basic = 4 * math.sqrt(2 * math.log(1.25 / 2.5e-6)) / 10
    assert passage.printed == [f"{basic:.2f}", *rounded_up([advanced], 2)] and advanced > basic


@claim("comparing.md", "nine-counts-by-hand", numbers=[1800, 0.005, 5, 2.025, 41, 0.405])
def test_nine_counts_by_hand():
    rho = 9 / (2 * 30**2)
    grid = 1 + np.linspace(0.5, 200, 400_001)
    lines = grid * rho + 8 / (grid - 1)
    assert rho == pytest.approx(0.005) and lines.min() == pytest.approx(0.405, abs=1e-6)
    assert grid[lines.argmin()] == pytest.approx(41, abs=0.01)
    assert rdp_line(30, 5, 9, math.exp(-8)) == pytest.approx(2.025)
    assert rdp_line(30, 41, 9, math.exp(-8)) == pytest.approx(0.405) == zcdp_curve(30, 9, math.exp(-8))


@claim("comparing.md", "ten-decades", numbers=[10, 2, 16, 0.3125, 2, 2, 16, 0.0625])
def test_ten_decades():
    """All replacements of one row, which leaves one decade and enters another or the same."""
    moves = [np.eye(10)[new] - np.eye(10)[old] for old in range(10) for new in range(10)]
    assert max(abs(move).sum() for move in moves) == 2
    assert max(np.linalg.norm(move) for move in moves) == pytest.approx(math.sqrt(2))
    assert (10 / 4, 2 / 4, 10 / 32, 2 / 32) == (2.5, 0.5, 0.3125, 0.0625)


@claim("comparing.md", "share-of-right-guesses")
def test_share_of_right_guesses():
    """The pair that has all that (ε, δ)-DP allows reaches the bound, and random pairs stay below it."""
    rng = np.random.default_rng(8)
    for epsilon, delta in ((math.log(3), 0), (0.5, 0.1), (2, 0.01)):
        odds = math.exp(epsilon)
        bound = (odds + delta) / (1 + odds)
        p = np.array([delta, (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds), 0])
        assert np.maximum(p, p[::-1]).sum() / 2 == pytest.approx(bound)  # the best guess takes the likelier table
        for _ in range(300):
            p, q = rng.dirichlet(np.ones(4), 2)
            least = max(np.maximum(p - odds * q, 0).sum(), np.maximum(q - odds * p, 0).sum())
            assert np.maximum(p, q).sum() / 2 <= (odds + least) / (1 + odds) + 1e-12
    assert (3 + 0) / (1 + 3) == 3 / 4
