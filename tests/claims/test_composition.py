"""Checks of chapters/composition.md."""

import math
import re
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from claims import answers, at_rest, claim
from claims.accountants import least_optimal


@answers("composition.md", "least-epsilon-of-100-steps", numbers=[100, 0.1, 1e-05, 0.5], choices=[[10], [4.5], [1]])
def test_question_least_epsilon_of_100_steps(question):
    least = least_optimal(0.1, 1e-5, 100)
    assert question.right == [least > 9.9, 4.35 < least < 4.45, least < 1.5]


@claim("composition.md", "mean-and-deviation-of-the-sum", numbers=[100, 0.1, 1])
@claim("composition.md", "deviations-of-the-answer", numbers=[0.5, 1, 4.2, 4.7, 1e-05])
def test_mean_and_deviation_of_the_sum(passage):
    lies = binom(100, 1 / (1 + math.exp(0.1)))
    loss = 0.1 * (100 - 2 * np.arange(101))
    weights = lies.pmf(np.arange(101))
    mean = weights @ loss
    deviation = math.sqrt(weights @ (loss - mean) ** 2)
    assert passage.printed == [f"{mean:.1f}"] * (passage.label == "mean-and-deviation-of-the-sum")
    assert round(mean, 1) == 0.5 and abs(deviation - 1) < 0.01
    widths = next(t for t in np.arange(0, 10, 0.1) if weights[loss > mean + t * deviation].sum() <= 1e-5)
    assert round(widths, 1) == 4.2 and weights[loss > mean + widths * deviation].sum() > 0.5e-5


@claim("composition.md", "three-compositions.claims")
def test_claims_three_compositions():
    for step in (0.05, 0.3, 1.5):
        for k in (1, 7, 60):
            least = least_optimal(step, 1e-5, k)
            full = step * math.sqrt(2 * k * math.log(2e5)) + k * step * math.expm1(step)
            assert least <= min(full, k * step) * (1 + 1e-9)


@claim("composition.md", "three-compositions.alt", numbers=[0.5])
def test_alt_three_compositions():
    c = at_rest("composition.md", "three-compositions")
    basic, advanced, simple, k = c["basic"], c["advanced alone"], c["simple form, where valid"], c["k"]
    met = np.min(c["crossing", "x"])
    assert np.allclose(basic / k, basic[0]) and ((advanced < basic) == (k > met)).all()
    slope = np.diff(np.log(advanced)) / np.diff(np.log(k))
    assert 0.5 < slope[0] < 0.52 and (np.diff(slope) > -1e-6).all() and slope[-1] > 0.6
    valid = np.isfinite(simple)
    assert valid.any() and (simple[valid] > advanced[valid] * (1 - 1e-9)).all()


@claim("composition.md", "total-delta-of-500-steps", numbers=[1e-05, 1e-05, 500])
def test_total_delta_of_500_steps(passage):
    assert passage.printed == [f"{501e-5:.5f}", "501"]


@claim("composition.md", "average-loss-of-a-response", numbers=[2, 0.1])
def test_average_loss_of_a_response(passage):
    with mpmath.workdps(30):
        for epsilon in map(mpmath.mpf, ["1e-9", "0.1", "3", "40"]):
            truth = mpmath.e**epsilon / (1 + mpmath.e**epsilon)
            mean = (2 * truth - 1) * epsilon  # by definition: +ε with this probability, else -ε
            assert mpmath.almosteq(mean, epsilon * mpmath.tanh(epsilon / 2), rel_eps=mpmath.mpf(10) ** -15)
            if epsilon == mpmath.mpf("0.1"):
                assert mean <= mpmath.mpf(passage.printed[0])


def advanced_wins(epsilon):
    """The k below 200 for which advanced composition, at the slack 5·10⁻⁶, is below basic composition."""
    k = np.arange(1, 200)
    return k[epsilon * np.sqrt(2 * k * np.log(2e5)) + k * epsilon * np.expm1(epsilon) < k * epsilon]


@answers("composition.md", "when-advanced-beats-basic", numbers=[0.3, 1e-05, 0.5])
def test_question_when_advanced_beats_basic(question):
    k = np.arange(1, 200)
    deviation, wins = 0.3 * np.sqrt(2 * k * np.log(2e5)), advanced_wins(0.3)
    without_mean, simple = (k[bound < 0.3 * k][0] for bound in (deviation, 2 * deviation))
    assert list(map(int, question.choices)) == [without_mean, advanced_wins(0.1)[0], wins[0], simple]
    assert question.right == [False, False, True, False] and (np.diff(wins) == 1).all()
    met, first = question.printed
    assert wins[0] - 1 < float(met) < int(first) == wins[0]
    assert np.sqrt(simple) * np.expm1(0.3) <= np.sqrt(2 * np.log(2e5))  # the condition of the simple form


@claim("composition.md", "least-epsilon-by-optimal-composition", numbers=[0.5])
def test_least_epsilon_by_optimal_composition(passage):
    least = least_optimal(0.1, 1e-5, 100)
    assert least <= float(passage.printed[0]) < least + 0.01


@claim("composition.md", "three-compositions-of-one-run")
def test_three_compositions_of_one_run(passage):
    least, advanced = least_optimal(0.1, 1e-5, 30), 0.1 * math.sqrt(60 * math.log(2e5)) + 3 * math.expm1(0.1)
    for proved, printed in zip((3, advanced, least), map(float, passage.printed), strict=True):
        assert proved <= printed < proved + 0.01


@claim("composition.md", "advanced-composition-needs-independent-coins")
def test_advanced_composition_needs_independent_coins():
    """Without independence the theorem would be false: a fair bit, and the row's bit added to it, say the row's bit."""
    outputs = {row: {(bit, row ^ bit) for bit in (0, 1)} for row in (0, 1)}
    assert all({pair[i] for pair in outputs[0]} == {pair[i] for pair in outputs[1]} == {0, 1} for i in (0, 1))
    assert not outputs[0] & outputs[1]


@claim("composition.md", "two-randomized-responses", numbers=[4, 2, 2, 0, 2, 2])
def test_two_randomized_responses(passage):
    rows = [row.split("|")[2:6] for row in passage.source.split("\n") if row.strip()]
    thirds = [(Fraction(2, 3) ** (2 - no) * Fraction(1, 3) ** no) * math.comb(2, no) for no in (0, 1, 2)]
    for (if_yes, if_no, ratio, loss), on_yes, on_no in zip(rows, thirds, thirds[::-1], strict=True):
        assert (_fraction(if_yes), _fraction(if_no), _fraction(ratio)) == (on_yes, on_no, on_yes / on_no)
        times = {"$2 \\ln 2$": 2, "0": 0, "$-2 \\ln 2$": -2}[loss.strip()]
        assert math.log(on_yes / on_no) == pytest.approx(times * math.log(2))


def _fraction(cell):
    """The number in a cell of a table: $\\frac49$ or 4."""
    if found := re.fullmatch(r"\$\\frac(\d)(\d)\$", cell.strip()):
        return Fraction(int(found[1]), int(found[2]))
    return Fraction(cell.strip())


@claim("composition.md", "ten-randomized-responses", numbers=[2, 3, 10])
def test_ten_randomized_responses(passage):
    truths = binom(10, 2 / 3)
    losses = (2 * np.arange(11) - 10) * math.log(2)
    mean = truths.pmf(np.arange(11)) @ losses
    assert passage.printed == [f"{truths.pmf(10):.3f}", f"{losses[-1]:.1f}", f"{mean:.1f}"]


@claim("composition.md", "mean-and-deviation-of-many-answers", numbers=[0.1, 10_000])
def test_mean_and_deviation_of_many_answers(passage):
    truth = 1 / (1 + math.exp(-0.1))
    mean = 0.1 * (2 * truth - 1)
    deviation = math.sqrt(0.1**2 - mean**2)
    assert passage.printed == [f"{10_000 * mean:.0f}", f"{100 * deviation:.0f}"]


@claim("composition.md", "two-terms-of-advanced-composition", numbers=[100, 0.1, 5, 1e-6])
def test_two_terms_of_advanced_composition(passage):
    first, second = 0.1 * math.sqrt(200 * math.log(1 / 5e-6)), 100 * 0.1 * (math.exp(0.1) - 1)
    assert passage.printed[:2] == [f"{first:.2f}", f"{second:.2f}"]
    assert first + second <= float(passage.printed[2]) < first + second + 0.01


@claim("composition.md", "where-the-simple-form-ends", numbers=[0.1, 5, 1e-6, 1])
def test_where_the_simple_form_ends(passage):
    for step, printed in zip((0.1, 1), map(int, passage.printed), strict=True):
        holds = [math.sqrt(k) * math.expm1(step) <= math.sqrt(2 * math.log(1 / 5e-6)) for k in (printed, printed + 1)]
        assert holds == [True, False]


@claim("composition.md", "two-answers-by-optimal-composition", numbers=[2, 2, 0, 4, 9])
def test_two_answers_by_optimal_composition():
    """The definition, over all sets of the four pairs of answers, at some ε'."""
    on_yes, on_no = np.array([4, 2, 2, 1]) / 9, np.array([1, 2, 2, 4]) / 9
    sets = [np.array([chosen >> i & 1 for i in range(4)]) for chosen in range(16)]
    for claimed in (0, 0.3, math.log(2), 1.2, 2 * math.log(2)):
        needed = max(
            max(each @ p - math.exp(claimed) * (each @ q) for each in sets)
            for p, q in [(on_yes, on_no), (on_no, on_yes)]
        )
        assert needed == pytest.approx((4 - math.exp(claimed)) / 9, abs=1e-12)
        assert claimed != math.log(2) or needed == pytest.approx(2 / 9)


@claim("composition.md", "answers-for-a-total-of-ten", numbers=[10])
def test_answers_for_a_total_of_ten():
    advanced = lambda k: 0.1 * math.sqrt(2 * k * math.log(2e5)) + k * 0.1 * math.expm1(0.1)  # noqa: E731
    for total, more in ((2, False), (10, True)):
        basic = max(k for k in range(1, 1000) if k * 0.1 <= total * (1 + 1e-12))
        assert (max(k for k in range(1, 1000) if advanced(k) <= total) > basic) is more


@claim("composition.md", "two-answers-with-ln-3", numbers=[9, 16, 3])
def test_two_answers_with_ln_3():
    """The largest P(S) - e^ε Q(S) over all events of the four pairs of answers."""
    yes = {pair: math.prod(Fraction(3 if answer else 1, 4) for answer in pair) for pair in product((0, 1), repeat=2)}
    no = {pair: yes[tuple(1 - answer for answer in pair)] for pair in yes}
    assert [yes[1, 1], yes[0, 1] + yes[1, 0], yes[0, 0]] == [Fraction(9, 16), Fraction(6, 16), Fraction(1, 16)]
    for odds, delta in ((1, Fraction(1, 2)), (3, Fraction(3, 8)), (9, 0)):
        events = product((0, 1), repeat=4)
        most = max(sum(s * (yes[p] - odds * no[p]) for s, p in zip(event, yes, strict=True)) for event in events)
        assert most == delta


@claim("composition.md", "simulated-hundred-losses", numbers=[0.27, 0.13])
def test_simulated_hundred_losses():
    truths = np.arange(101)
    mass, odds = binom.pmf(truths, 100, 1 / (1 + math.exp(-0.1))), np.exp(0.1 * (2 * truths - 100))
    assert mass[2 * truths - 100 > 10].sum() == pytest.approx(0.27, abs=0.005)
    delta = np.maximum(mass - math.e * mass / odds, 0).sum()
    assert delta == pytest.approx(0.13, abs=0.005) and delta < mass[2 * truths - 100 > 10].sum() / 2
