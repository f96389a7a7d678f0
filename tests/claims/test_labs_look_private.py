"""Checks of chapters/labs/look_private.md."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from claims import answers, at_rest, claim
from dp_lib import mechanisms


def losses_of_laplace(changes, scale):
    """The largest privacy loss of independent Laplace noises on answers that change so far."""
    return sum(abs(change) for change in changes) / scale


def told(passage, name):
    """What the page prints about a mechanism."""
    (said,) = (line for line in passage.said.splitlines() if line.startswith(f"{name}: "))
    return said.removeprefix(f"{name}: ")


def cells(ages):
    return [sum(low <= age < low + 10 for age in ages) for low in range(20, 80, 10)]


@claim("labs/look_private.md", "histogram-by-hand", numbers=[8, 2, 47, 52])
def test_histogram_by_hand(passage):
    before = passage.names["EIGHT"].tolist()
    after = [52 if age == 47 else age for age in before]
    assert (cells(before)[2:4], cells(after)[2:4]) == ([2, 2], [1, 3])
    assert np.abs(np.subtract(cells(before), cells(after))).sum() == 2


@claim("labs/look_private.md", "one-cell-is-half", numbers=[1, 2])
def test_one_cell_is_half(passage):
    assert losses_of_laplace([1, -1], 1) == 2


@claim("labs/look_private.md", "one-draw-cancels")
def test_one_draw_cancels(passage):
    release, rng = passage.names["one_draw"], np.random.default_rng(5)
    for ages in (passage.names["EIGHT"], passage.names["REPLACED"]):
        answer = release(ages, 1, rng)
        assert answer - answer[0] == pytest.approx(np.subtract(cells(ages), cells(ages)[0]))


@claim("labs/look_private.md", "empty-cells-speak", numbers=[0])
def test_empty_cells_speak(passage):
    release, rng = passage.names["full_cells_only"], np.random.default_rng(5)
    for ages in (passage.names["EIGHT"], passage.names["REPLACED"]):
        assert ((release(ages, 1, rng) == 0) == (np.array(cells(ages)) == 0)).all()


@claim("labs/look_private.md", "histogram-and-totals", numbers=[1, 25, 72, 5, 1, 2, 1, 5, 3.5])
def test_histogram_and_totals(passage):
    ages = list(range(20, 80, 5))
    spent = []
    for old in ages:
        for new in ages:
            change = np.subtract(cells([old]), cells([new]))
            spent.append(losses_of_laplace(change, 2) + losses_of_laplace(np.cumsum(change), 2))
    assert max(spent) == 3.5
    change = np.subtract(cells([25]), cells([72]))
    assert losses_of_laplace(change, 2) == 1
    assert np.count_nonzero(np.cumsum(change)) == 5
    assert losses_of_laplace([*change, *np.cumsum(change)], 2) == 3.5


@claim("labs/look_private.md", "drawing-again-costs")
def test_drawing_again_costs(passage):
    """The loss at the answer whose first entry is 0, of two cells; a count c is accepted with probability A(c)."""

    def accepted(count):
        return 1 - math.exp(-count / 2) / 2

    def loss(many):  # of the counts 0 and many + 1 against 1 and many, where the second entry is large
        return 1 + math.log(accepted(1) / accepted(0)) + math.log(accepted(many) / accepted(many + 1))

    assert accepted(0) == 0.5 < accepted(1)
    losses = [loss(many) for many in (0, 1, 2, 5, 100)]
    assert losses[0] == pytest.approx(1) and losses == sorted(losses)
    assert float(passage.printed[1]) == pytest.approx(losses[-1], abs=0.0005)
    assert passage.printed[0].startswith("No attack succeeded")
    assert not passage.names["noise_of_histogram"](passage.names["drawn_again"])[0]
    rng = np.random.default_rng(5)
    answers = [passage.names["drawn_again"](passage.names["EIGHT"], 1, rng) for _ in range(200)]
    assert np.min(answers) >= 0


@claim("labs/look_private.md", "large-counts-without-noise", numbers=[101, 25, 72, 101, 100])
def test_large_counts_without_noise(passage):
    names = passage.names

    def mine(ages, rng):
        counts = names["cells"](ages)
        return np.where(counts > 100, counts, counts + rng.laplace(0, 2, 6))

    def attack(table, other):
        return names["check"].private(mine, table, other, 1, rng=np.random.default_rng(1), trials=2000)

    table, other = np.full(101, 25), np.append(np.full(100, 25), 72)
    assert (table != other).sum() == 1
    assert attack(table, other).caught
    assert not attack(names["EIGHT"], names["REPLACED"]).caught


@claim("labs/look_private.md", "luck-of-an-attack", numbers=[2, 1.75])
def test_luck_of_an_attack(passage):
    seen = at_rest("labs/look_private.md", "lab2-shown")
    shown = dict(zip(seen["b"], seen["shown by the attack"], strict=True))
    assert float(passage.printed[0]) == pytest.approx(shown[2], abs=0.001)
    assert shown[1.75] < shown[2]


@claim("labs/look_private.md", "what-the-attack-shows", numbers=[2, 1.75, 1])
def test_what_the_attack_shows(passage):
    seen = at_rest("labs/look_private.md", "lab2-shown")
    scales, shown = seen["b"], seen["shown by the attack"]
    true, at_low, at_half = map(float, passage.printed)
    assert (shown <= 2 / scales).all()  # two cells change by 1 each
    assert 0 <= true - 2 / 1.75 < 0.001
    assert at_low == pytest.approx(shown[scales == 1.75][0], abs=0.001)
    assert at_low < 1 < true
    assert at_half == pytest.approx(shown[scales == 1][0], abs=0.001)
    assert 1 < at_half < 2


@claim("labs/look_private.md", "an-attack-is-repeated", numbers=[1])
def test_an_attack_is_repeated(passage):
    names = passage.names

    def shown(seed, trials):
        verdict = names["check"].private(
            lambda ages, rng: names["one_cell"](ages, 1, rng),
            names["EIGHT"],
            names["REPLACED"],
            1,
            rng=np.random.default_rng(seed),
            trials=trials,
        )
        return verdict.epsilon

    few, many = ([shown(seed, trials) for seed in range(1, 5)] for trials in (8_000, 20_000))
    assert np.mean(few) < np.mean(many) < max(many) < 2
    assert len({round(each, 3) for each in many}) == len(many)
    assert max(many) - min(many) > 0.1


@claim("labs/look_private.md", "lead-by-hand", numbers=[6, 4, 2])
def test_lead_by_hand(passage):
    rows = passage.names["rows"]
    before, after = (table.sum(axis=0) for table in (rows(7, 1), rows(6, 2)))
    assert [before[0] - before[1], after[0] - after[1]] == [6, 4]


@claim("labs/look_private.md", "lead-on-the-real-table")
def test_lead_on_the_real_table(passage):
    people = passage.names["people"]
    infection, nerves, lead = map(int, passage.printed)
    assert [infection, nerves] == [(people["infection"] == 1).sum(), (people["nerves"] == 1).sum()]
    assert lead == infection - nerves
    assert max(people[name].sum() for name in passage.names["MEDICINES"]) == infection
    deviation = math.sqrt(2) * math.sqrt(2) * 2  # of the difference of two noises of scale 2
    assert lead / deviation == pytest.approx(1.5)
    rng = np.random.default_rng(8)
    named = mechanisms.report_noisy_max(np.tile(passage.names["takes"].sum(axis=0), (4000, 1)), 1, 1, rng)
    assert 0.01 < np.mean(named == 0) < 0.2
    assert set(named) <= {0, 1}


@claim("labs/look_private.md", "always-the-exact-winner")
def test_always_the_exact_winner(passage):
    rows, rng = passage.names["rows"], np.random.default_rng(6)
    for first, second in ((7, 1), (6, 2), (4, 3), (3, 4)):
        for wrong in ("noise_on_the_maximum", "same_noise_for_all"):
            assert {int(passage.names[wrong](rows(first, second), 1, rng)) for _ in range(200)} == {int(second > first)}


@claim("labs/look_private.md", "not-caught-on-the-first-pair")
def test_not_caught_on_the_first_pair(passage):
    assert told(passage, "half_the_noise").startswith("CAUGHT on the first pair. You promise ε = 1,")
    assert told(passage, "noise_on_the_maximum").startswith("Not caught on the first pair. CAUGHT on the second pair.")
    assert told(passage, "name_and_maximum").startswith("Not caught on the first 2 pairs. CAUGHT on the third pair.")


@claim("labs/look_private.md", "name-and-maximum", numbers=[5, 1, 5, 1, 5, 2.5])
def test_name_and_maximum(passage):
    """The name is as likely on both tables, and the maximum of five noisy counts is not."""
    names, rng = passage.names, np.random.default_rng(7)
    assert (names["ALL"].sum(axis=0) - names["NONE"].sum(axis=0)).tolist() == [1] * 5

    def below(x):  # P(noise <= x) at ε = 1, where its scale is 2
        return math.exp(x / 2) / 2 if x < 0 else 1 - math.exp(-x / 2) / 2

    for small in (-2, -5):  # that the maximum is at most so large, which all five noisy counts have to be
        assert math.log((below(small) / below(small - 1)) ** 5) == pytest.approx(2.5)
    assert losses_of_laplace([1] * 5, 2) == 2.5  # of all five noisy counts, from which name and maximum are computed
    on_all = [names["name_and_maximum"](names["ALL"], 1, rng) for _ in range(4000)]
    assert np.bincount([name for name, _ in on_all]) / 4000 == pytest.approx([0.2] * 5, abs=0.04)
    assert np.mean([largest <= 1 for _, largest in on_all]) == pytest.approx(below(0) ** 5, abs=0.02)


def minus_the_larger_side(numbers, candidates):
    return [-max(sum(x < r for x in numbers), sum(x > r for x in numbers)) for r in candidates]


@claim("labs/look_private.md", "largest-weight-of-the-real-table", numbers=[4, 1166])
def test_largest_weight_of_the_real_table(passage):
    best = max(minus_the_larger_side(passage.names["cigarettes"].tolist(), range(1, 81)))
    assert 4 * best / 2 == -1166
    assert math.exp(-1166) == 0


@claim("labs/look_private.md", "scores-of-the-real-table", numbers=[801, 4, 68, 4])
def test_scores_of_the_real_table(passage):
    numbers = passage.names["cigarettes"].tolist()
    scores = dict(zip(range(1, 81), minus_the_larger_side(numbers, range(1, 81)), strict=True))
    old, best, gap = map(int, passage.printed)
    assert best == max(scores, key=scores.get) == sorted(numbers)[len(numbers) // 2]
    second, first = sorted(scores.values())[-2:]
    assert gap == first - second
    assert 80 * math.exp(-4 * gap / 2) < 1e-90  # the probability of all other numbers together
    assert len(passage.names["tens"](401, 400)) == 801
    assert old == (passage.names["people"]["age"] >= 68).sum() == len(passage.names["OLDEST"])


@claim("labs/look_private.md", "weights-by-hand", numbers=[10, 2, 20, 6])
def test_weights_by_hand(passage):
    people = [10] * 6 + [20] * 2
    score = {r: -max(sum(x < r for x in people), sum(x > r for x in people)) for r in (10, 20)}
    assert score == {10: -2, 20: -6}
    weights = {r: math.exp(u / 2) for r, u in score.items()}
    assert float(passage.printed[0]) == pytest.approx(weights[20] / sum(weights.values()), abs=0.005)


@claim("labs/look_private.md", "quick-fix-at-four", numbers=[1, 0.5, 801, 4])
def test_quick_fix_at_four(passage):
    names = passage.names
    said = "Not caught at ε = 1 and at ε = 0.5. CAUGHT on the fifth pair. You promise ε = 4,"
    assert told(passage, "quick_fix").startswith(said)
    for table, best in ((names["tens"](401, 400), 10), (names["tens"](400, 401), 20)):
        found = names["scores"](table, names["THREE"][:2])
        assert len(table) == 801 and not np.exp(2 * found).any()
        drawn = {
            int(names["quick_fix"](table, names["THREE"][:2], 4, np.random.default_rng(seed))) for seed in range(50)
        }
        assert drawn == {best}


@claim("labs/look_private.md", "private-and-useless")
def test_private_and_useless(passage):
    """Over all tables of four people and all their neighbours, by brute force."""
    names, candidates = passage.names, np.array([1, 2, 3])
    tables = [np.array(one) for one in np.ndindex(3, 3, 3, 3)]

    def weights(factor, table):
        exponents = factor * names["scores"](table + 1, candidates)
        return np.exp(exponents) / np.exp(exponents).sum()

    def loss(factor):
        pairs = [(x, y) for x in tables for y in tables if (x != y).sum() == 1]
        return max(np.log(weights(factor, x) / weights(factor, y)).max() for x, y in pairs)

    assert loss(0.5) <= 1 + 1e-12
    assert loss(-0.5) <= 1 + 1e-12  # private, and it prefers the worst
    assert loss(1) > 1
    real = np.array([10] * 6 + [20] * 2)
    drawn = [names["wrong_sign"](real, np.array([10, 20]), 1, np.random.default_rng(seed)) for seed in range(200)]
    assert np.mean(np.array(drawn) == 20) > 0.8


@claim("labs/look_private.md", "estimate-by-hand", numbers=[3, 400, 1000, 250])
def test_estimate_by_hand(passage):
    truth = Fraction(3, 4)  # e^ε / (1 + e^ε) at e^ε = 3
    assert (1 - truth) * 1000 == 250
    assert truth - (1 - truth) == Fraction(1, 2)  # what a person who has stopped adds
    stopped = 300  # by the example of `estimate`
    assert stopped * truth + (1000 - stopped) * (1 - truth) == 400
    assert float(passage.names["estimate"](0.4, math.log(3))) == pytest.approx(stopped / 1000)


@claim("labs/look_private.md", "estimate-of-the-example", numbers=[300, 1000])
def test_estimate_of_the_example(passage):
    assert float(passage.printed[0]) == 300 / 1000 == pytest.approx(float(passage.names["estimate"](0.4, math.log(3))))


@claim("labs/look_private.md", "coin-and-three-answers", numbers=[1, 3])
def test_coin_and_three_answers(passage):
    p = math.e / (1 + math.e)
    true, other = p + (1 - p) / 2, (1 - p) / 2
    assert float(passage.printed[0]) == pytest.approx(math.log(true / other), abs=0.0005)
    assert math.log(binom.pmf(3, 3, p) / binom.pmf(3, 3, 1 - p)) == pytest.approx(3)


@claim("labs/look_private.md", "price-of-no-trust", numbers=[1629])
def test_price_of_no_trust(passage):
    p = math.e / (1 + math.e)
    nobody = math.sqrt(p * (1 - p) / 1629) / (2 * p - 1)
    office = math.sqrt(2) / 1629
    assert [float(each) for each in passage.printed] == pytest.approx([100 * nobody, 100 * office], abs=0.005)
    seen = at_rest("labs/look_private.md", "lab2-response")
    assert (seen["nobody is trusted"] > seen["an office is trusted"]).all()


@claim("labs/look_private.md", "last-digits-give-away")
def test_last_digits_give_away(passage):
    names, rng = passage.names, np.random.default_rng(9)
    assert 0.3 < names["given_away"](0, rng) < 1
    verdict = names["check"].private(
        lambda table, rng: float(mechanisms.textbook_laplace(float(sum(table)), 1.0, rng)),
        [0, 0],
        [0, 1],
        1,
        rng=rng,
        trials=4000,
    )
    assert not verdict.caught


@claim("labs/look_private.md", "normal-noise-is-not-seen", numbers=[1])
def test_normal_noise_is_not_seen(passage):
    names = passage.names

    def normal(ages, epsilon, rng):
        return names["cells"](ages) + rng.normal(0, 2 * math.sqrt(2) / epsilon, 6)

    assert names["attack_histogram"](normal)[0]
    assert names["noise_of_histogram"](normal)[0]
    far = 1000  # the loss of one cell that falls by 1, so far out: it exceeds every ε
    assert ((far + 1) ** 2 - far**2) / (2 * 2 * 2**2) > 100


@claim("labs/look_private.md", "normal-noise-far-out", numbers=[2])
def test_normal_noise_is_seen_where_it_has_to_be_far_out(passage):
    def normal(takes, epsilon, rng):
        return np.argmax(takes.sum(axis=0) + rng.normal(0, 2 * math.sqrt(2) / epsilon, takes.shape[1]))

    survived, said = passage.names["attack_winner"](normal)
    assert not survived
    assert said.startswith("Not caught on the first 5 pairs. CAUGHT on the sixth pair.")


@claim("labs/look_private.md", "limits-of-the-attacks", numbers=[4, 3, 1, 2, 2])
def test_limits_of_the_attacks(passage):
    """The tests of the labels that the four limits name: quick-fix-at-four, what-the-attack-shows, and so on."""
    assert told(passage, "noise_on_the_maximum").startswith("Not caught on the first pair.")
    assert told(passage, "median").startswith("No attack succeeded at ε = 1 or 0.5 or 4.")


@answers("labs/look_private.md", "never-caught-in-a-thousand-attacks", numbers=[1])
def test_question_never_caught_in_a_thousand_attacks(question):
    """On two real tables without an empty cell, only one version is not told from the right mechanism."""
    names = question.names
    ages, replaced = names["age"], np.append(names["age"][1:], 71)
    assert ages[0] < 70 and min(cells(ages)) > 0 and min(cells(replaced)) > 0

    def escapes(wrong):
        def mechanism(ages, rng):
            return names[wrong](ages, 1, rng)

        verdict = names["check"].private(
            mechanism, ages, replaced, 1, rng=np.random.default_rng(1), trials=names["WRONG_HISTOGRAMS"][names[wrong]]
        )
        return not verdict.caught

    assert question.right == [escapes(wrong) for wrong in ("one_cell", "one_draw", "full_cells_only", "fixed_seed")]
    for table in (ages, replaced):
        one, other = (names[each](table, 1, np.random.default_rng(3)) for each in ("full_cells_only", "histogram"))
        assert (one == other).all()


@claim("labs/look_private.md", "failed-attack-on-a-false-promise", numbers=[1, 1.75])
@claim("labs/look_private.md", "lab2-shown.caption", numbers=[1])
@claim("labs/look_private.md", "lab2-shown.alt", numbers=[4, 1, 2])
def test_attack_on_two_cells(passage):
    seen = at_rest("labs/look_private.md", "lab2-shown")
    scales, shown, true = seen["b"], seen["shown by the attack"], seen["true ε"]
    assert true == pytest.approx(2 / scales)
    assert (true[0], true[-1], scales[true == 1]) == (4, 0.5, 2)
    assert (shown < true).all()
    assert scales[shown > 1].max() < 2
    assert true[scales == 1.75] > 1 > shown[scales == 1.75]


@claim("labs/look_private.md", "lab2-response.alt")
def test_two_falling_curves(passage):
    seen = at_rest("labs/look_private.md", "lab2-response")
    nobody, office = seen["nobody is trusted"], seen["an office is trusted"]
    assert (np.diff(nobody) < 0).all() and (np.diff(office) < 0).all()
    assert (office < nobody / 3).all()
