"""Checks of readers' code: wrong mechanisms are caught, right ones raise no alarm, and errors are told in words.

The mechanisms are written as students write them. The promise is ε = 1 (with δ where it is given), for a table in which
one row is replaced.
"""

import re
import threading
import time

import numpy as np
import pytest
from scipy.stats import binom

from dp_lib import approx, audit, check, domain, gdp, pure, zcdp
from dp_lib.check import comparison, events, time_limit

YES_NO = ([1, 1, 1, 0, 0, 1, 0, 1, 0, 1], [1, 1, 1, 0, 0, 1, 0, 1, 0, 0])
WARDS = ([0, 0, 0, 1, 1, 2, 3, 3], [0, 0, 0, 1, 1, 2, 3, 2])
AGES = ([34.0, 51.0, 29.0, 80.0, 62.0], [34.0, 51.0, 29.0, 80.0, 0.0])
INCOMES = ([20.0, 30.0, 25.0, 40.0], [20.0, 30.0, 25.0, 4000.0])
HALVES = ([1.5, 2.0, 0.0, 3.5], [1.5, 2.0, 0.0, 3.0])
CLOSE = ([0, 0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 1, 2])
ORDER = ([1, 0, 0, 1], [0, 0, 0, 1])
NOBODY = ([0] * 10, [0] * 9 + [1])
PROMISE = 1.0


def counted(table, cells=4):
    return np.bincount(table, minlength=cells)


# -- wrong mechanisms


def half_the_scale(table, rng):
    return sum(table) + rng.laplace(0, 0.5)


def half_range_for_a_mean(table, rng):
    return np.mean(np.clip(table, 0, 100)) + rng.laplace(0, 50 / len(table) / 2)


def histogram_with_the_sensitivity_of_one_cell(table, rng):
    return counted(table) + rng.laplace(0, 1, 4)


def winner_without_noise(table, rng):
    return int(np.argmax(counted(table, 3)))


def rounding_of_the_noise_alone(table, rng):
    return sum(table) + np.floor(rng.laplace(0, 8))


def fixed_seed(table, rng):
    return sum(table) + np.random.default_rng(42).laplace(0, 1)


def no_noise(table, rng):
    return float(sum(table))


def epsilon_per_answer(table, rng):
    return [sum(table) + rng.laplace(0, 1) for _ in range(3)]


def root_of_the_scale(table, rng):
    return 10 * sum(table) + rng.laplace(0, np.sqrt(10))


def forgotten_clipping(table, rng):
    return sum(table) + rng.laplace(0, 100)


def bounds_read_off_the_data(table, rng):
    return np.mean(table) + rng.laplace(0, (max(table) - min(table)) / len(table))


def noise_only_when_positive(table, rng):
    count = sum(table)
    return count + rng.laplace(0, 1) if count > 0 else 0


def unsorted_answers(table, rng):
    return [bit + rng.laplace(0, 0.4) for bit in table]


def unsorted_without_noise(table, rng):
    return np.array(table)


def gaussian_without_the_logarithm(table, rng):
    return sum(table) + rng.normal(0, 1 / PROMISE)


def response_true_three_times_in_four_at_one(table, rng):
    return [bit if rng.random() < 0.85 else 1 - bit for bit in table]


WRONG = [
    (half_the_scale, YES_NO, 0),
    (half_range_for_a_mean, AGES, 0),
    (histogram_with_the_sensitivity_of_one_cell, WARDS, 0),
    (winner_without_noise, CLOSE, 0),
    (rounding_of_the_noise_alone, HALVES, 0),
    (fixed_seed, YES_NO, 0),
    (no_noise, YES_NO, 0),
    (epsilon_per_answer, YES_NO, 0),
    (root_of_the_scale, YES_NO, 0),
    (forgotten_clipping, INCOMES, 0),
    (bounds_read_off_the_data, INCOMES, 0),
    (noise_only_when_positive, NOBODY, 0),
    (unsorted_answers, ORDER, 0),
    (unsorted_without_noise, ORDER, 0),
    (gaussian_without_the_logarithm, YES_NO, 1e-5),
    (response_true_three_times_in_four_at_one, YES_NO, 0),
]


FEW = 4000  # runs, a fifth of those that a check takes by itself: what they catch, more of them catch too


@pytest.mark.long
@pytest.mark.parametrize(("mechanism", "tables", "delta"), WRONG, ids=lambda each: getattr(each, "__name__", ""))
def test_a_wrong_mechanism_is_caught_with_a_bound_above_its_promise(mechanism, tables, delta):
    verdict = check.private(mechanism, *tables, PROMISE, delta, rng=np.random.default_rng(1), trials=FEW)
    assert verdict.caught
    assert verdict.epsilon > PROMISE
    assert float(re.search(r"can show ε >= ([\d.]+)", str(verdict))[1]) > PROMISE


# -- right mechanisms, which use their whole budget


def noisy_count(table, rng):
    return sum(table) + rng.laplace(0, 1)


def clipped_mean(table, rng):
    return np.mean(np.clip(table, 0, 100)) + rng.laplace(0, 100 / len(table))


def histogram(table, rng):
    return counted(table) + rng.laplace(0, 2, 4)


def two_answers_at_half_each(table, rng):
    return [sum(table) + rng.laplace(0, 2), len(table) - sum(table) + rng.laplace(0, 2)]


def response(table, rng):
    truth = np.e / (1 + np.e)
    return [bit if rng.random() < truth else 1 - bit for bit in table]


def noisy_winner(table, rng):
    return np.argmax(counted(table, 3) + rng.laplace(0, 2, 3))


EXACT = float(approx.sigma_exact(PROMISE, 1e-2))


def gaussian_at_the_exact_sigma(table, rng):
    return sum(table) + rng.normal(0, EXACT)


def size_only(table, rng):
    return len(table)


def truth_with_probability_delta(table, rng):
    return sum(table) if rng.random() < 1e-2 else noisy_count(table, rng)


RIGHT = [
    *((mechanism, YES_NO, 0) for mechanism in (noisy_count, two_answers_at_half_each, response, size_only)),
    (clipped_mean, AGES, 0),
    (histogram, WARDS, 0),
    (noisy_winner, CLOSE, 0),
    *((mechanism, YES_NO, 1e-2) for mechanism in (gaussian_at_the_exact_sigma, truth_with_probability_delta)),
]


@pytest.mark.long
@pytest.mark.parametrize(("mechanism", "tables", "delta"), RIGHT, ids=lambda each: getattr(each, "__name__", ""))
def test_a_right_mechanism_raises_no_alarm(mechanism, tables, delta):
    verdict = check.private(mechanism, *tables, PROMISE, delta, rng=np.random.default_rng(1), trials=1000)
    assert not verdict.caught
    assert str(verdict).startswith("Not caught in 1,000 runs on each table. You promise ε = 1")
    assert "That is no proof" in str(verdict) and "another source" not in str(verdict)


def false_alarms(seeds, trials, mechanism=response, tables=YES_NO, delta=0):
    """Return in how many checks a right mechanism is caught, each with a seed of its own."""
    verdicts = (
        check.private(mechanism, *tables, PROMISE, delta, rng=np.random.default_rng(seed), trials=trials)
        for seed in seeds
    )
    return sum(verdict.caught for verdict in verdicts)


def one_response(table, rng):
    return table[0] if rng.random() < np.e / (1 + np.e) else 1 - table[0]


def test_simulated_false_alarms_of_the_mechanism_that_uses_all_of_its_budget():
    assert false_alarms(range(1000, 1200), 400, one_response, ([1], [0])) == 0


def test_an_event_that_fits_the_choosing_runs_by_chance_raises_no_alarm():
    """Of thirty entries of noise that no table changes, some event is more likely on one table in the choosing runs."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        assert not check.private(lambda table, rng: rng.normal(size=30), [1], [0], 0, rng=rng, trials=400).caught


@pytest.mark.parametrize("counts", [(731, 269), (500, 184)])
def test_the_counted_runs_alone_keep_the_level(counts):
    """The event is chosen beforehand, so the exact binomial sum over all that can be counted bounds a false alarm."""
    trials = 200
    shares = np.array(counts) / 1000
    hits = np.arange(trials + 1)
    caught = audit.epsilon_of_test(hits[:, None], hits, trials, 0, check.CONFIDENCE) > np.log(shares[0] / shares[1])
    mass = [binom.pmf(hits, trials, share) for share in shares]
    assert (mass[0][:, None] * mass[1] * caught).sum() <= 1 - check.CONFIDENCE


# -- the verdict


def test_a_verdict_says_promise_bound_event_and_counts():
    verdict = check.private(half_the_scale, *YES_NO, 1, rng=np.random.default_rng(1))
    pattern = (
        r"You promise ε = 1\. After 20,000 runs on each table the attacker can show ε >= 1\.\d\d \(99\.9% confidence\)"
        r": answers (above|below) [\d.]+ come \d\.\d times as often on the (first|second) table as on the "
        r"(first|second) \([\d,]+ and [\d,]+ times in 10,000 runs, after the other 10,000 had chosen this event\)\. "
        r"The shown ε is smaller than the logarithm of this ratio, because it allows for chance\."
    )
    assert re.fullmatch(pattern, str(verdict).replace("second table (", "second (").replace("first table (", "first ("))
    assert repr(verdict) == str(verdict)


def test_a_verdict_counts_what_it_says():
    verdict = check.private(lambda table, rng: table[0], [1], [0], 1, rng=np.random.default_rng(1))
    assert verdict.counts in ((10_000, 0), (0, 10_000))
    said = str(verdict)
    assert "(10,000 times in 10,000 runs, after the other 10,000 had chosen this event) and never on the" in said
    assert "An event that never came may still have a small probability, so the shown ε is finite." in said
    assert verdict.epsilon == audit.epsilon_of_test(10_000, 0, 10_000, 0, 0.999)


def test_a_bound_just_above_the_promise_is_shown_above_it():
    verdict = check.Verdict(True, 1.00004, 1.0, 0, 1000, 500, "answers above 3", (300, 90))
    assert "ε >= 1.00004 (" in str(verdict)


def test_the_same_seed_gives_the_same_verdict():
    one, other = (check.private(noisy_count, *YES_NO, 1, rng=np.random.default_rng(3), trials=500) for _ in "ab")
    assert one == other
    assert check.private(noisy_count, *YES_NO, 1, trials=500) != one  # another seed in each check


def test_delta_is_part_of_the_promise_and_of_the_bound():
    sometimes = lambda table, rng: table[0] if rng.random() < 0.1 else 2  # noqa: E731
    with_delta = check.private(sometimes, [1], [0], 1, 0.1, rng=np.random.default_rng(1), trials=4000)
    without = check.private(sometimes, [1], [0], 1, 0, rng=np.random.default_rng(1), trials=4000)
    assert without.caught and not with_delta.caught
    assert "ε = 1 at δ = 0.1" in str(with_delta)


def noise_on_the_winner_alone(table, rng):
    counts = counted(table, 3).astype(float)
    counts[counts.argmax()] += abs(rng.laplace(0, 2))
    return counts.argmax()


def one_noise_for_the_winner(table, rng):
    return np.argmax(counted(table, 3) + rng.laplace(0, 2))


NO_EFFECT = "although your mechanism draws from rng. So its noise has no effect on the answer."
NO_DRAW = (
    "and your mechanism draws nothing from rng. Either it adds no noise, or its noise comes from a seed that is fixed"
)


@pytest.mark.parametrize(
    ("mechanism", "tables", "said"),
    [
        (fixed_seed, YES_NO, f"answer, 6.79388 on the first table and 5.79388 on the second table, {NO_DRAW}"),
        (no_noise, YES_NO, f"the same answer, 6 on the first table and 5 on the second table, {NO_DRAW}"),
        (unsorted_without_noise, ORDER, "answer, [1., 0., 0., 1.] on the first table and [0., 0., 0., 1.] on the"),
        (noise_on_the_winner_alone, CLOSE, f"0 on the first table and 1 on the second table, {NO_EFFECT}"),
        (one_noise_for_the_winner, CLOSE, f"0 on the first table and 1 on the second table, {NO_EFFECT}"),
        (size_only, YES_NO, "both tables, 10, so this pair shows nothing. Your mechanism draws nothing from rng"),
        (
            lambda table, rng: len(table) + 0 * rng.laplace(),
            YES_NO,
            "Your mechanism draws from rng, but this has no effect on the answer here.",
        ),
    ],
)  # fmt: skip
def test_answers_that_are_all_the_same_are_explained_by_the_use_of_rng(mechanism, tables, said):
    assert said in str(check.private(mechanism, *tables, 1, rng=np.random.default_rng(1), trials=1000))


def test_one_noise_for_two_counts_is_found_by_a_subtraction():
    """Two counts that are equal on one table alone: the number of different entries would give them away as well."""
    one_noise = lambda table, rng: np.array([sum(table), sum(table[1:])]) + rng.laplace(0, 2)  # noqa: E731
    verdict = check.private(one_noise, [1, 1, 0], [0, 1, 0], 1, rng=np.random.default_rng(1), trials=1000)
    assert re.search(r"answers whose entry \[1\] minus entry \[0\] is .* come on the ", str(verdict))
    assert str(verdict).endswith("Entries are counted from 0.")


@pytest.mark.parametrize(
    ("mechanism", "tables", "said"),
    [
        (
            histogram_with_the_sensitivity_of_one_cell,
            WARDS,
            "and a negative score points to the second. For each entry it adds about ln(a/b), if entries of about this "
            "size came a times on the first table and b times on the second.",
        ),
        (bounds_read_off_the_data, INCOMES, "It is about ln(a/b), if answers of about this size came a times on"),
    ],
)
def test_a_score_is_explained(mechanism, tables, said):
    verdict = check.private(mechanism, *tables, 1, rng=np.random.default_rng(1), trials=4000)
    assert "answers whose score is" in verdict.event
    assert "The score says how much an answer points to the first table, and a negative" in str(verdict)
    assert said in str(verdict)


def test_a_weighted_sum_and_different_entries_are_explained():
    notes = {
        each.name: each.note for each in events.statistics(np.array([[1.0, 2], [2, 1]]), np.array([[0.0, 2], [1, 3]]))
    }
    assert (
        "positive weight" in notes["weighted sum"]
        and "So a large sum points to the first table" in notes["weighted sum"]
    )
    assert notes["number of different entries"] == "This number is 1 if all entries are equal to each other."
    assert notes["entry [1]"] == "Entries are counted from 0."


@pytest.mark.parametrize("mechanism", [root_of_the_scale, gaussian_without_the_logarithm, half_range_for_a_mean])
def test_a_threshold_is_preferred_to_a_score_where_it_shows_about_as_much(mechanism):
    tables, delta = next((tables, delta) for each, tables, delta in WRONG if each is mechanism)
    verdict = check.private(mechanism, *tables, PROMISE, delta, rng=np.random.default_rng(1), trials=4000)
    assert verdict.caught and re.match(r"answers (above|below) ", verdict.event)


@pytest.mark.parametrize("unit", [1e-120, 1e-20, 1e20, 1e120])
def test_the_unit_of_an_answer_does_not_matter(unit):
    twice = lambda table, rng: unit * np.array([sum(table), 0] + rng.laplace(0, 1, 1))  # noqa: E731
    verdict = check.private(twice, *YES_NO, 1, rng=np.random.default_rng(1), trials=2000)
    assert verdict.counts in ((1000, 0), (0, 1000))


@pytest.mark.parametrize(("unit", "step"), [(1000.0, 10), (1.0, 0.01)])
def test_a_threshold_has_as_few_digits_as_the_spread_of_the_answers_needs(unit, step):
    rng = np.random.default_rng(1)
    first, second = (unit * rng.laplace(shift, 1, 1000) for shift in (0, 2))
    event = events.chosen(first, second, 0)
    assert event.relation in ("above", "below")
    assert event.value / step == pytest.approx(round(event.value / step), abs=1e-6)


ELSEWHERE = np.random.default_rng()


def winner_from_elsewhere(table, rng):
    return np.argmax(counted(table, 3) + ELSEWHERE.laplace(0, 2, 3))


def noise_by_numpy(table, rng):
    return sum(table) + np.random.laplace(0, 1)  # noqa: NPY002, as students write it


@pytest.mark.parametrize(
    ("mechanism", "tables"),
    [
        (lambda table, rng: sum(table) + np.random.default_rng().laplace(0, 1), YES_NO),
        (noise_by_numpy, YES_NO),
        (winner_from_elsewhere, CLOSE),
        (lambda table, rng: int(ELSEWHERE.random() < 0.05), YES_NO),
    ],
)
def test_another_source_of_randomness_is_told(mechanism, tables):
    verdict = check.private(mechanism, *tables, 1, trials=10_000)
    assert verdict.notes[-1] == check.OTHER_SOURCE and str(verdict).endswith("in place of rng.laplace.")


def breaks_on_the_second(table, rng):
    return 1 / table[-1] + rng.laplace(0, 1)


def sometimes_longer(table, rng):
    return [0.0] * (1 + int(rng.random() < 0.1))


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (
            breaks_on_the_second,
            r"mechanism raised ZeroDivisionError: division by zero \(in run 1 on the second table\)",
        ),
        (lambda table, rng: None, "got None in run 1 on the first table; is there a return"),
        (lambda table, rng: np.nan, "must return finite numbers, got nan in run 1 on the first table"),
        (lambda table, rng: [1.0, np.inf], r"must return finite numbers, got \[1.0, inf\] in run 1"),
        (lambda table, rng: "flu", "must return a number or an array of numbers, got 'flu' of type str in run 1"),
        (lambda table, rng: [], r"array of numbers, got \[\] of type list in run 1"),
        (
            lambda table, rng: [[1], [1, 2]],
            r"got a list of 2 parts of different shapes \(part \[0\] has shape \(1,\) and part \[1\] has shape \(2,\), "
            r"counted from 0\) in run 1 on the first table",
        ),
        (
            lambda table, rng: (3, [1, 2]),
            r"a tuple of 2 parts of different shapes \(part \[0\] is a single value and part \[1\] has shape \(2,\)",
        ),
        (lambda table, rng: ([1, [2, 3]], 1), "got a tuple of 2 with lists of different lengths inside in run 1"),
        (
            lambda table, rng: np.array([[1], [1, 2]]),
            r"inhomogeneous shape .* \(in run 1 on the first table\); are there lists of different lengths, or a",
        ),
        (lambda table, rng: {"a": 1}, "got {'a': 1} of type dict in run 1"),
        (sometimes_longer, r"must return one shape, got \(1,\) in run 1 and \(2,\) in run \d+ on the first table"),
        (lambda table, rng: [0.0] * (1 + table[-1]), "the shape alone tells the two tables apart"),
        (lambda table, rng: np.zeros(10**6), "at most 66,666 numbers with 300 trials, got 1,000,000"),
        (lambda table: 1.0, "mechanism raised TypeError: .* takes 1 positional argument but 2 were given"),
        (lambda table, rng: float(table.append(0) or len(table)), "leave its table as it is, and it changes the first"),
        (3, "mechanism must be a function, got 3 of type int"),
    ],
)
def test_a_mistake_in_the_readers_code_is_told(mechanism, said):
    with pytest.raises(domain.DomainError, match=said):
        check.private(mechanism, *map(list, YES_NO), 1, trials=300, rng=np.random.default_rng(1))


def test_an_array_that_a_mechanism_changes_is_told():
    def shifts(table, rng):
        table -= table.mean()
        return rng.laplace(0, 1)

    with pytest.raises(domain.DomainError, match="changes the first table; let it work on a copy"):
        check.private(shifts, np.array([1.0, 2.0]), np.array([1.0, 3.0]), 1, trials=300)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"epsilon": -1}, "epsilon must be a finite number >= 0"),
        ({"delta": 2}, "delta must be between 0 and 1"),
        ({"delta": 1}, "delta must be < 1"),
        ({"epsilon": [1, 2]}, "epsilon must be one number"),
        ({"trials": 199}, "trials must be >= 200, got 199.0"),
        ({"trials": 300.5}, "trials must be a whole number"),
        ({"rng": 5}, "rng must be a numpy.random.Generator"),
        ({"neighbour": list(YES_NO[0])}, "neighbour must differ from table in one row"),
        ({"neighbour": np.array(YES_NO[0])}, "neighbour must differ from table in one row"),
    ],
)
def test_a_bad_argument_of_private_is_refused(changed, said):
    with pytest.raises(domain.DomainError, match=said):
        check.private(**{"mechanism": noisy_count, "table": YES_NO[0], "neighbour": YES_NO[1], "epsilon": 1} | changed)


# -- accurate


def mean_of_three(table, rng):
    return np.mean(sum(table) + rng.laplace(0, 3, 3))


def accuracy(mechanism, **changed):
    given = {"table": YES_NO[0], "truth": 6, "naive": mean_of_three, "best": noisy_count, "trials": 1000}
    return check.accurate(mechanism, **given | {"rng": np.random.default_rng(1)} | changed)


def test_errors_are_those_of_the_distributions():
    found = accuracy(noisy_count, trials=8_000)
    assert found.error == pytest.approx(np.sqrt(2), rel=0.03)
    assert found.naive == pytest.approx(np.sqrt(6), rel=0.03)
    assert found.best == found.error and found.close and not found.below


@pytest.mark.parametrize(
    ("mechanism", "close", "said"),
    [
        (
            noisy_count,
            True,
            r"Your error is [\d.]+, the root mean square in 1,000 runs\. It is 4\d(\.\d)?% below the naive",
        ),
        (noisy_count, True, r"and equal to the best known error, [\d.]+\.$"),
        (
            mean_of_three,
            False,
            r"It is equal to the naive error, .* above the best known error, .*\. A better way is known\.$",
        ),
        (lambda table, rng: 7 + rng.laplace(0, 1), False, "A better way is known"),
        (half_the_scale, True, r"50% below the best known error, .* Do not believe this before you have checked"),
        (no_noise, True, r"Your error is 0, .* 100% below the naive error, .* 100% below the best known"),
    ],
)
def test_an_error_is_told_next_to_two_others(mechanism, close, said):
    found = accuracy(mechanism)
    assert bool(found) is found.close is close
    assert re.search(said, str(found)) and repr(found) == str(found)


def test_known_errors_may_stand_for_mechanisms_and_chance_alone_is_not_held_against_anyone():
    assert all(
        accuracy(noisy_count, best=2**0.5, within=1, trials=100, rng=np.random.default_rng(seed)) for seed in range(100)
    )
    assert not accuracy(noisy_count, best=1.0)
    assert not accuracy(noisy_count, best=0, naive=0)


def test_an_error_measured_with_another_source_of_randomness_is_told():
    found = accuracy(noise_by_numpy)
    assert found.notes == (check.OTHER_SOURCE,) and str(found).endswith(check.OTHER_SOURCE)
    assert accuracy(noisy_count).notes == ()


def test_runs_that_do_not_decide_say_so():
    rarely = lambda table, rng: sum(table) + rng.laplace(0, 1) + (1000 if rng.random() < 0.005 else 0)  # noqa: E731
    found = accuracy(rarely, best=2**0.5)
    assert found.error > 10 * found.best and str(found).endswith("use more trials.")


def test_weights_say_how_much_an_entry_counts():
    two = lambda table, rng: np.array([sum(table) + rng.laplace(0, 1), 100.0])  # noqa: E731
    assert accuracy(two, truth=[6, 0], naive=1, best=1, weights=[1, 0]).error < 2
    assert accuracy(two, truth=[6, 0], naive=1, best=1).error == pytest.approx(100 / np.sqrt(2), rel=0.01)
    assert accuracy(two, truth=[6, 0], naive=1, best=1, weights=[0, 5]).error == 100


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"truth": np.nan}, "truth must be a finite number"),
        ({"truth": [1, 2]}, r"mechanism must return the shape of truth, \(2,\), got \(\)"),
        ({"naive": -1.0}, "naive must be a finite number >= 0"),
        ({"best": lambda table, rng: "x"}, "best must return a number or an array of numbers, got 'x'"),
        ({"naive": lambda table, rng: 1 / 0}, "naive raised ZeroDivisionError"),
        ({"within": 0.5}, "within must be >= 1"),
        ({"weights": [1, 2]}, r"weights must have the shape of truth, \(\), and a sum > 0"),
        ({"weights": 0}, "a sum > 0"),
        ({"trials": 99}, "trials must be >= 100"),
    ],
)
def test_a_bad_argument_of_accurate_is_refused(changed, said):
    with pytest.raises(domain.DomainError, match=said):
        accuracy(noisy_count, **changed)


# -- matches

SIGMA = {"epsilon": (0.01, 10.0), "delta": (1e-12, 0.1)}
TRIES = [
    (
        lambda sensitivity, epsilon: sensitivity / epsilon,
        pure.scale,
        {"sensitivity": (0.1, 9.0), "epsilon": (0.1, 9.0)},
    ),
    (lambda sigma: 1 / (2 * sigma**2), zcdp.gaussian, {"sigma": (0.1, 1e4)}),
    (lambda epsilon, delta: bisected(epsilon, delta), approx.sigma_exact, SIGMA),
]


def bisected(epsilon, delta):
    low, high = 1e-3, 1e6
    for _ in range(80):
        middle = np.sqrt(low * high)
        low, high = (low, middle) if gdp.delta(1 / middle, epsilon) <= delta else (middle, high)
    return high


@pytest.mark.parametrize(("mine", "reference", "ranges"), TRIES)
def test_a_right_function_matches(mine, reference, ranges):
    match = check.matches(mine, reference, rng=np.random.default_rng(1), **ranges)
    assert match
    assert str(match).startswith("Your function agrees with the book's function at 2")


def classic(epsilon, delta, log=np.log, two=2):
    return np.sqrt(two * log(1.25 / delta)) / epsilon


def advanced(epsilon, k, delta):
    return epsilon * np.sqrt(2 * k * np.log(1 / delta))


@pytest.mark.parametrize(
    ("mine", "reference", "ranges", "said"),
    [
        (lambda **a: 2 * classic(**a), classic, SIGMA, "twice the right one everywhere it was tried: a factor of 2"),
        (lambda **a: classic(**a) / 2, classic, SIGMA, "1/2 of the right one everywhere it was tried: a factor"),
        (lambda **a: classic(**a, two=1), classic, SIGMA, "1/√2 of the right one everywhere"),
        (lambda **a: classic(**a, two=4), classic, SIGMA, "√2 times the right one everywhere"),
        (lambda **a: -classic(**a), classic, SIGMA, "Your value is the negative of the right one everywhere"),
        (lambda **a: classic(**a, log=np.log2), classic, SIGMA, "logarithm under the root has base 2"),
        (lambda **a: classic(**a, log=np.log10), classic, SIGMA, "logarithm under the root has base 10"),
        (lambda p: np.log2(p), lambda p: np.log(p), {"p": (1.5, 9.0)}, "the logarithm has base 2"),
        (lambda p: np.log10(p), lambda p: np.log(p), {"p": (1.5, 9.0)}, "the logarithm has base 10"),
        (
            lambda epsilon, k, delta: advanced(epsilon, 1, delta),
            advanced,
            {**SIGMA, "k": (1, 1000)},
            "factor √k is missing",
        ),
        (lambda rho, k: rho, zcdp.repeat, {"rho": (0.1, 2.0), "k": (1, 99)}, "a factor k is missing"),
        (
            lambda sigma, k: k / sigma,
            lambda sigma, k: np.sqrt(k) / sigma,
            {"sigma": (1.0, 2.0), "k": (1, 9)},
            "too large by √k",
        ),
        (lambda epsilon, delta: classic(epsilon, delta / 2), classic, SIGMA, "the right answer for delta/2 everywhere"),
        (
            lambda epsilon, delta: float(approx.sigma_exact(epsilon, 2 * delta)),
            approx.sigma_exact,
            SIGMA,
            "for 2 delta",
        ),
    ],
)
def test_a_known_slip_is_recognized(mine, reference, ranges, said):
    match = check.matches(mine, reference, rng=np.random.default_rng(1), **ranges)
    assert not match
    assert said in str(match)


def test_the_first_difference_is_named_with_both_values_and_without_a_slip_that_does_not_fit():
    wrong_for_large = lambda sigma: 1 / (2 * sigma**2) if sigma < 90 else 0.0  # noqa: E731
    match = check.matches(wrong_for_large, zcdp.gaussian, rng=np.random.default_rng(1), sigma=(1.0, 100.0))
    assert str(match) == "At sigma = 100 your function returns 0, and the right answer is 5e-05."
    assert (match.arguments, match.mine, match.reference, match.slip) == ({"sigma": 100.0}, 0.0, 5e-05, "")


def test_a_slip_at_some_arguments_is_told_with_their_number():
    sometimes = lambda sigma, k: zcdp.gaussian(sigma) * k * (2 if k > 20 else 1)  # noqa: E731
    right = lambda sigma, k: zcdp.gaussian(sigma) * k  # noqa: E731
    match = check.matches(sometimes, right, rng=np.random.default_rng(1), sigma=(1.0, 9.0), k=(1, 60))
    share = re.search(r"twice the right one wherever it is wrong, at (\d+) of 229 arguments: a factor of 2", str(match))
    assert 100 < int(share[1]) < 190
    rare = lambda sigma, k: zcdp.gaussian(sigma) * k * (2 if k == 60 else 1)  # noqa: E731
    assert not check.matches(rare, right, rng=np.random.default_rng(2), sigma=(1.0, 9.0), k=(1, 60)).slip


@pytest.mark.parametrize(
    ("ranges", "shown"),
    [
        ({"x": (0.5, 2.0)}, 1.0),
        ({"x": (1e-12, 0.1)}, 1e-7),
        ({"x": (1, 50)}, 20),
        ({"x": (-9.0, -1.0)}, -5.0),
        ({"x": (-1.0, 1.0)}, 0.0),
        ({"x": (1.51, 1.59)}, 1.55),
        ({"x": (3, 3)}, 3),
    ],
)
def test_a_difference_is_shown_at_a_round_number_if_there_is_one(ranges, shown):
    match = check.matches(lambda x: x + 1, lambda x: x, **ranges)
    assert match.arguments["x"] == pytest.approx(shown, rel=1e-12)
    assert isinstance(match.arguments["x"], type(ranges["x"][0]))


@pytest.mark.parametrize(
    ("mine", "reference", "ranges", "said"),
    [
        (lambda epsilon, delta: 3 / epsilon, classic, SIGMA, "does not change with delta, but the right answer does."),
        (
            lambda epsilon, delta: 7.0,
            classic,
            SIGMA,
            "does not change with epsilon or delta, but the right answer does.",
        ),
        (
            lambda epsilon: epsilon - 1,
            lambda epsilon: np.expm1(epsilon),
            {"epsilon": (0.1, 0.9)},
            "Your value is negative, but no right answer is.",
        ),
        (
            lambda mu: 2 - gdp.delta(mu, 0.1),
            lambda mu: gdp.delta(mu, 0.1),
            {"mu": (0.1, 2.0)},
            "Your value is above 1, but no right answer is.",
        ),
        (
            lambda x: x + 0.5,
            lambda x: np.ceil(x),
            {"x": (0.1, 8.7)},
            "Your value is not a whole number, but all right answers are.",
        ),
    ],
)
def test_what_is_striking_about_a_wrong_value_is_told(mine, reference, ranges, said):
    match = check.matches(mine, reference, rng=np.random.default_rng(1), **ranges)
    assert not match.slip
    assert str(match).endswith(f"Your value {said}" if said.startswith("does") else said)


def test_a_value_that_is_cut_off_at_its_ends_is_not_said_to_ignore_an_argument():
    def estimate(share, epsilon):
        p = 1 / (1 + np.exp(-epsilon))
        return (share - (1 - p)) / (2 * p - 1)

    def match(mine):
        ranges = {"share": (0.0, 1.0), "epsilon": (0.1, 8.0)}
        return str(check.matches(mine, estimate, rng=np.random.default_rng(1), **ranges))

    assert "does not change" not in match(lambda share, epsilon: np.clip(estimate(share, epsilon), 0, 1))
    assert match(lambda share, epsilon: share).endswith("does not change with epsilon, but the right answer does.")


def test_an_error_or_a_missing_return_of_a_function_is_a_difference():
    assert "your function raises ZeroDivisionError" in str(
        check.matches(lambda mu: 1 / 0, lambda mu: mu, mu=(0.0, 1.0))
    )
    assert "returns None, which is no number" in str(check.matches(lambda mu: None, lambda mu: mu, mu=(0.0, 1.0)))


def test_arguments_that_the_reference_rejects_are_left_out():
    match = check.matches(lambda epsilon: 1 / epsilon, lambda epsilon: pure.scale(epsilon), epsilon=(0.0, 1.0))
    assert match
    with pytest.raises(domain.DomainError, match="it rejects all that were tried"):
        check.matches(lambda epsilon: 1.0, lambda epsilon: pure.scale(epsilon), epsilon=(-2.0, -1.0))


def test_whole_ranges_give_whole_numbers_and_wide_ranges_are_tried_on_a_logarithmic_scale():
    seen = []

    def reference(k, delta):
        seen.append((k, delta))
        return 1.0

    assert check.matches(lambda k, delta: 1.0, reference, rng=np.random.default_rng(1), k=(1, 50), delta=(1e-12, 1.0))
    assert all(isinstance(k, int) for k, _ in seen)
    assert 60 < sum(delta < 1e-6 for _, delta in seen[-200:]) < 140
    assert {(1, 1e-12), (50, 1.0)} <= set(seen)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({}, "ranges must name at least one argument"),
        ({"sigma": 3}, "sigma must be a pair of numbers"),
        ({"sigma": (3.0, 1.0)}, "sigma must be <= 1, the other end of its range, got 3.0"),
        ({"sigma": (1.0, np.inf)}, "sigma must be a finite number"),
    ],
)
def test_a_bad_range_is_refused(ranges, said):
    with pytest.raises(domain.DomainError, match=said):
        check.matches(zcdp.gaussian, zcdp.gaussian, **ranges)


# -- a function that does not return


def stuck(table, rng):
    if rng.random() < 0.01:
        while True:
            pass
    return len(table) + rng.laplace()


def never(sensitivity, epsilon):
    while True:
        try:
            float(epsilon)
        except Exception:  # which the end of the patience is not
            break


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(time_limit, "PATIENCE", 0.2)


CHECKS_OF_LOOPS = [
    ("mechanism", r"\d+", lambda: check.private(stuck, [0], [1], 1, rng=np.random.default_rng(1))),
    ("mine", "1", lambda: check.matches(never, pure.scale, sensitivity=(1, 2), epsilon=(0.5, 2.0))),
    ("naive", "1", lambda: check.accurate(noisy_count, [0], 0, naive=lambda table, rng: never(1, 1), best=1)),
]


@pytest.mark.parametrize(("name", "call", "attempt"), CHECKS_OF_LOOPS)
def test_a_call_that_does_not_return_is_told(name, call, attempt, impatient):
    said = (
        rf"{name} must return, and call {call} has lasted for 0.2 seconds or more; is there a loop that does not end\?"
    )
    with pytest.raises(domain.DomainError, match=said):
        attempt()


def test_a_call_that_does_not_return_is_told_in_another_thread(impatient):
    told = []

    def attempt():
        try:
            check.private(stuck, [0], [1], 1, rng=np.random.default_rng(1))
        except domain.DomainError as error:
            told.append(str(error))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join(60)
    assert "is there a loop that does not end?" in told[0]


def test_a_call_that_returns_late_stops_nothing_afterwards(impatient):
    with time_limit.Watch("mine") as watch:
        assert watch.over(lambda: 3)() == 3
        watch._late = True
        time_limit._raise_in(threading.get_ident(), None)
    assert sum(range(10**5)) == 4999950000


def one_millisecond(table, rng):
    time.sleep(0.001)
    return sum(table) + rng.laplace(0, 1)


def test_a_slow_mechanism_is_refused_at_once_and_told_how_many_runs_are_possible():
    runs = []
    with pytest.raises(domain.DomainError, match="fast enough for 40,000 runs in 30 seconds; a run takes") as refused:
        check.private(lambda table, rng: runs.append(1) or one_millisecond(table, rng), *YES_NO, 1)
    assert len(runs) < 1000
    trials = int(re.search(r"or see less with trials=(\d+)$", str(refused.value))[1])
    assert 200 <= trials <= 15_000
    assert not check.private(one_millisecond, *YES_NO, 1, trials=200).caught
    assert check.private(noisy_count, *YES_NO, 1, trials=200, seconds=60)
    with pytest.raises(domain.DomainError, match="or more; make it faster$"):
        check.private(one_millisecond, *YES_NO, 1, trials=200, seconds=0.01)
    with pytest.raises(domain.DomainError, match="naive must be fast enough for 12,000 runs in 10 seconds"):
        check.accurate(noisy_count, YES_NO[0], 6, naive=one_millisecond, best=1, trials=12_000)


def test_a_mechanism_whose_runs_have_used_up_their_time_is_told_their_mean(monkeypatch):
    monkeypatch.setattr(time_limit.Watch, "computed", lambda watch: watch.calls / 100)
    refused = "a run takes 10 ms, so they take 400 seconds or more; make it faster, or see less with trials=1500"
    with pytest.raises(domain.DomainError, match=refused):
        check.private(noisy_count, *YES_NO, 1)


def test_a_slow_function_is_compared_as_often_as_the_time_allows(monkeypatch):
    monkeypatch.setattr(comparison, "SECONDS", 0.05)
    match = check.matches(lambda epsilon: 1 / epsilon + 0 * sum(range(200_000)), pure.scale, epsilon=(0.1, 2.0))
    assert match and 1 <= match.tried < 100
    assert "It was tried for 0.05 seconds only, since one call takes" in str(match)


def test_a_key_press_that_interrupts_a_check_stays_one():
    def interrupted(table, rng):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check.private(interrupted, [0], [1], 1)


def test_numbers_too_small_to_have_digits_agree():
    """Machines round them differently."""
    right = lambda n: 8e-324 * n  # noqa: E731
    assert check.matches(lambda n: 5e-324 * n, right, n=(1, 100))
    assert not check.matches(lambda n: 1.01e-300 * n, lambda n: 1e-300 * n, n=(1, 100))
