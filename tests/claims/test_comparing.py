"""Checks of chapters/comparing.md."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.accountants import advanced_curve, exact_sigma, normal_epsilon, pairs, rdp_line, rounded_up, zcdp_curve
from claims.test_approx import plain


@claim("comparing.md", "simple-form-ratio-without-epsilon")
def test_simple_form_ratio_without_epsilon(passage):
    sigmas = passage.names["noises"]
    for delta, k in [(1e-9, 1), (1e-5, 100), (1e-2, 10_000)]:
        ratios = [
            (sigmas["simple form"].y(eps, delta, k) / sigmas["classic vector"].y(eps, delta, k)) ** 2
            for eps in (0.01, 0.3, 0.99)
        ]
        assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-12)
    simple, classic = (sigmas[name].y for name in ("simple form", "classic vector"))
    targets = (0.05, 1e-8, 100), (0.9, 1e-3, 100)
    assert passage.printed == [f"{simple(*target) / classic(*target):.0f}" for target in targets]


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


@answers("comparing.md", "largest-over-smallest-epsilon", numbers=[3], choices=[[1], [1.4], [10], [40]])
def test_question_largest_over_smallest_epsilon(question):
    step = np.sqrt(2 * np.log(1.25e8)) / 200
    proved = [pairs(500, step, 5e-6, "full"), zcdp_curve(200, 500, 1e-5), normal_epsilon(np.sqrt(500) / 200, 1e-5)]
    factor = max(proved) / min(proved)
    assert question.right == [factor < 1.01, abs(factor - 1.4) < 0.2, abs(factor - 10) < 0.2, abs(factor - 40) < 4]
    added = 500 * math.sqrt(2 * math.log(1.25 / (1e-5 / 500))) / 200  # by a mistake, which the reply names
    assert round(added / proved[2]) == 39


@answers("comparing.md", "gap-between-the-lines", numbers=[0.5, 1], choices=[[], [], [], []])
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


@answers("comparing.md", "noise-of-simple-form", numbers=[0.1, 1e-05, 100, 12], choices=[[], [], [], [0.25]])
def test_question_noise_of_simple_form(question):
    def factor(epsilon):
        vector = np.sqrt(2 * 100 * np.log(1.25e5)) / epsilon
        return 4 * np.sqrt(100 * np.log(2e5) * np.log(250e5)) / epsilon / vector

    before, after = factor(0.1), factor(0.2)
    assert abs(before - 12) < 0.5
    same = [after == pytest.approx(wanted) for wanted in (before / 2, before, 2 * before, before / 4)]
    assert question.right == same


@claim("comparing.md", "row-moves-some-counts")
def test_row_moves_some_counts():
    scale, k = 3.0, 6
    noise = np.random.default_rng(0).laplace(0, scale, (10_000, k))
    for moved in range(k + 1):
        shift = np.arange(k) < moved
        loss = (np.abs(noise + shift) - np.abs(noise)).sum(1) / scale
        assert loss.max() == pytest.approx(moved / scale)


@claim("comparing.md", "gap-left-by-optimal-composition", numbers=[100, 5, 3])
def test_gap_left_by_optimal_composition(passage):
    """Of one step nothing is left; of a hundred a factor of 3.87 in σ, of the 11.9 of the simple form."""
    assert np.sqrt(2 * np.log(1.25 / 5e-8)) > 5  # ε_i σ by the classic formula; a loss has the deviation 1/σ
    step = passage.names["step_optimal"](0.1, 1e-5, 100)
    assert norm.cdf(step / 6 - 3) - np.exp(step) * norm.cdf(-step / 6 - 3) > 5e-8  # so the exact σ is above 3/ε_i
    names = passage.names
    assert names["ratio"](1) ** 0.5 > 10 and names["ratio"](1, names["sigma_optimal"]) ** 0.5 < 1.05
    assert names["ratio"](100, names["sigma_optimal"]) ** 0.5 == pytest.approx(3.87, abs=0.005)


@claim("comparing.md", "noise-of-both")
def test_noise_of_both(passage):
    step = 0.1 / math.sqrt(800 * math.log(2e5))
    simple = math.sqrt(2 * math.log(1.25 * 200 / 1e-5)) / step
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert passage.printed == [f"{math.ceil(simple)}", f"{math.ceil(vector)}", f"{simple / vector:.1f}"]


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


@claim("comparing.md", "advanced-composition-of-four-counts")
def test_advanced_composition_of_four_counts(passage):
    advanced = advanced_curve(10, 4, 1e-5)
    basic = 4 * math.sqrt(2 * math.log(1.25 / 2.5e-6)) / 10
    assert passage.printed == [f"{basic:.2f}", *rounded_up([advanced], 2)] and advanced > basic


@claim("comparing.md", "more-than-exact-at-the-same-rho", numbers=[0.0004, 0.00018, 21, 0.02, 1e-5])
def test_more_than_exact_at_the_same_rho(passage):
    """Both divergences at many orders; the exact ε of a single Gaussian answer with σ = 5."""
    above = np.geomspace(1e-4, 1e6, 200_001)
    yes, no = np.log([0.0004, 0.00018]), np.log1p([-0.0004, -0.00018])
    largest = {}
    for first, second in [(0, 1), (1, 0)]:
        moment = np.logaddexp(*((above + 1) * each[first] - above * each[second] for each in (yes, no)))
        share = moment / above / (above + 1)
        assert (share <= 0.02).all()
        largest[share.max()] = above[share.argmax()] + 1
    moment = math.exp(20 * 21 * max(largest))
    assert float(passage.printed[0]) == pytest.approx(moment, rel=0.01)
    assert round(largest[max(largest)]) == 21 and passage.printed[1] == rounded_up([max(largest)], 4)[0]
    needed = 0.0004 - math.exp(normal_epsilon(1 / 5, 1e-5)) * 0.00018
    printed = plain(passage.printed[2])
    assert 1e-5 < printed <= needed < printed + 1e-6
    assert passage.printed[3] == f"{math.exp(normal_epsilon(1 / 5, 1e-5)):.3f}"


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


@claim("comparing.md", "claimed-over-exact.alt")
def test_alt_claimed_over_exact():
    c = at_rest("comparing.md", "claimed-over-exact")
    high, low = c["advanced composition"], c["zCDP"]
    assert high[0] == pytest.approx(low[0], rel=0.05) and (high[1:] > low[1:]).all() and 40 < high[-1] < 50
    assert (np.diff(high / low) > 0).all() and c.falls("zCDP").all() and 2 > low[0] > low[-1] > 1
