"""Lab 2: the attacks let the solutions and other right versions pass, and catch what programmers write wrong."""

import numpy as np
import pytest
from figures import run

from dp_lib import mechanisms

pytestmark = pytest.mark.xdist_group("labs/look_private")


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/look_private").names


# -- step 1: the histogram


def by_the_book(ages, epsilon, rng):
    return mechanisms.laplace(np.histogram(ages, range(20, 81, 10))[0], 2, epsilon, rng)


def rounded_and_cut(ages, epsilon, rng):
    return np.maximum(np.round(by_the_book(ages, epsilon, rng)), 0)


def cell_by_cell(ages, epsilon, rng):
    return [
        sum(low <= age < low + 10 for age in ages.tolist()) + rng.laplace(0, 2 / epsilon) for low in range(20, 80, 10)
    ]


@pytest.mark.parametrize("mine", [by_the_book, rounded_and_cut, cell_by_cell])
def test_right_histograms_pass(lab, mine):
    survived, said = lab["attack_histogram"](mine, 4_000)
    assert survived, said
    assert "has a standard deviation of 2." in lab["noise_of_histogram"](mine)


def mean_taken_for_scale(ages, epsilon, rng):
    counts = np.histogram(ages, range(20, 81, 10))[0]
    return counts + rng.exponential(1 / epsilon, len(counts))


def seed_used_twice(ages, epsilon, rng):
    seed = int(rng.integers(2**32))
    counts = np.histogram(ages, range(20, 81, 10))[0]
    return [count + np.random.default_rng(seed).laplace(0, 2 / epsilon) for count in counts]


def noise_once_a_table(ages, epsilon, rng):
    return np.histogram(ages + rng.laplace(0, 2 / epsilon), range(20, 81, 10))[0]


def empty_cells_left_out(ages, epsilon, rng):
    counts = np.histogram(ages, range(20, 81, 10))[0]
    return (counts + rng.laplace(0, 2 / epsilon, len(counts)))[counts > 0]


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (mean_taken_for_scale, "never on the"),
        (seed_used_twice, "minus entry"),
        (noise_once_a_table, "You promise"),
        (empty_cells_left_out, "mechanism must return one shape"),
        (lambda ages, epsilon, rng: None, "is there a return?"),
        (lambda ages, epsilon, rng: ..., "mechanism must return a number or an array of numbers"),
        (lambda ages, epsilon, rng: 1 / 0, "mechanism raised ZeroDivisionError"),
    ],
)
def test_a_wrong_histogram_is_caught(lab, mine, said):
    survived, words = lab["attack_histogram"](mine, 2_000)
    assert not survived
    assert said in words


def test_the_page_catches_each_of_its_wrong_histograms(lab):
    for wrong, trials in lab["WRONG_HISTOGRAMS"].items():
        assert not lab["attack_histogram"](wrong, trials)[0], wrong.__name__


def test_too_much_noise_is_told(lab):
    def ten_times(ages, epsilon, rng):
        return mechanisms.laplace(lab["cells"](ages), 20, epsilon, rng)

    assert lab["attack_histogram"](ten_times, 2_000)[0]
    assert "of 28" in lab["noise_of_histogram"](ten_times)


# -- step 2: the winner


def by_gumbel(takes, epsilon, rng):
    return mechanisms.exponential(takes.sum(axis=0), 1, epsilon, rng)


def by_exponential_noise(takes, epsilon, rng):
    return mechanisms.permute_and_flip(takes.sum(axis=0), 1, epsilon, rng)


@pytest.mark.parametrize("mine", [by_gumbel, by_exponential_noise])
def test_right_winners_pass(lab, mine):
    survived, said = lab["attack_winner"](mine)
    assert survived, said


def noise_before_the_sum_is_rounded_away(takes, epsilon, rng):
    return np.argmax(np.round(takes.sum(axis=0) + rng.laplace(0, 0.05, takes.shape[1])))


@pytest.mark.parametrize("name", ["half_the_noise", "noise_on_the_maximum", "same_noise_for_all"])
def test_the_page_catches_each_of_its_wrong_winners(lab, name):
    assert not lab["attack_winner"](lab[name])[0]


def test_a_winner_without_enough_noise_is_caught(lab):
    assert not lab["attack_winner"](noise_before_the_sum_is_rounded_away)[0]


# -- step 3: the median


def median_by_the_book(numbers, candidates, epsilon, rng):
    return candidates[mechanisms.exponential(_scores(numbers, candidates), 1, epsilon, rng)]


def _scores(numbers, candidates):
    return [-max((numbers < r).sum(), (numbers > r).sum()) for r in candidates]


def test_a_right_median_passes(lab):
    survived, said = lab["attack_median"](median_by_the_book)
    assert survived, said
    assert "300 draws lie from 20 to 20" in lab["typical_number"](median_by_the_book)


def test_a_median_without_the_two_is_caught(lab):
    assert "You promise" in lab["attack_median"](lab["without_the_two"])[1]


def test_a_median_that_underflows_is_told(lab):
    survived, said = lab["attack_median"](lab["as_it_stands"])
    assert not survived
    assert "Are all weights 0?" in said


def test_an_exact_median_is_caught(lab):
    def exact(numbers, candidates, epsilon, rng):
        return candidates[int(np.argmax(_scores(numbers, candidates)))]

    survived, said = lab["attack_median"](exact)
    assert not survived
    assert "does your mechanism use rng?" in said


# -- step 4: randomized response


def with_a_draw(answer, epsilon, rng):
    return int(mechanisms.randomized_response(answer, epsilon, rng))


def test_a_right_response_passes(lab):
    survived, said = lab["attack_response"](with_a_draw)
    assert survived, said


@pytest.mark.parametrize("name", ["truth_or_coin", "asked_three_times"])
def test_the_page_catches_each_of_its_wrong_responses(lab, name):
    assert not lab["attack_response"](lab[name])[0]


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_estimate_and_error_are_those_of_repeated_surveys(lab, epsilon):
    rng, truth = np.random.default_rng(11), np.arange(400) < 100
    reports = mechanisms.randomized_response(np.tile(truth, (4000, 1)).astype(int), epsilon, rng).mean(axis=1)
    estimates = lab["estimate"](reports, epsilon)
    error = lab["standard_error"](400, epsilon)
    assert abs(estimates.mean() - 0.25) < 5 * error / np.sqrt(4000)
    assert 0.94 < estimates.std() / error < 1.06


def test_wrong_estimates_are_named(lab, capsys):
    lab["tried_estimates"](lab["share_of_yes"], lambda n, epsilon: 2 * lab["book_error"](n, epsilon))
    said = capsys.readouterr().out
    assert "your function returns 0" in said
    assert "2" in said.splitlines()[1]
    assert "agrees" not in said
