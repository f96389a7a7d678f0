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
    assert lab["noise_of_histogram"](mine)[0]


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
        survived, said = lab["attack_histogram"](wrong, trials)
        assert not survived
        assert said.startswith(f"On the {'second' if wrong.__name__ == 'each_with_epsilon' else 'first'} pair: ")


def test_a_scale_that_grows_with_epsilon_is_caught_at_one_half(lab):
    def upside_down(ages, epsilon, rng):
        return lab["cells"](ages) + rng.laplace(0, 2 * epsilon, 6)

    survived, said = lab["attack_histogram"](upside_down)
    assert not survived
    assert said.startswith("No attack succeeded at ε = 1. On the first pair: You promise ε = 0.5.")


def test_noise_from_another_source_than_rng_is_told(lab):
    other = np.random.default_rng(3)
    survived, said = lab["attack_histogram"](
        lambda ages, epsilon, rng: lab["cells"](ages) + other.laplace(0, 2 / epsilon, 6), 2_000
    )
    assert not survived
    assert "rng" in said


@pytest.mark.parametrize(("sensitivity", "verdict"), [(1.5, "less than the promise needs"), (20, "more than the")])
def test_a_histogram_with_a_wrong_scale_is_told(lab, sensitivity, verdict):
    def scaled(ages, epsilon, rng):
        return mechanisms.laplace(lab["cells"](ages), sensitivity, epsilon, rng)

    assert lab["attack_histogram"](scaled, 2_000)[0]
    right, said = lab["noise_of_histogram"](scaled)
    assert not right
    assert verdict in said
    assert said.endswith("look again.")


# -- step 2: the winner


def by_gumbel(takes, epsilon, rng):
    return mechanisms.exponential(takes.sum(axis=0), 1, epsilon, rng)


def by_exponential_noise(takes, epsilon, rng):
    return mechanisms.permute_and_flip(takes.sum(axis=0), 1, epsilon, rng)


@pytest.mark.parametrize("mine", [by_gumbel, by_exponential_noise])
def test_right_winners_pass(lab, mine):
    survived, said = lab["attack_winner"](mine)
    assert survived, said
    right, said = lab["names_of_winner"](mine)
    assert right, said


def noise_before_the_sum_is_rounded_away(takes, epsilon, rng):
    return np.argmax(np.round(takes.sum(axis=0) + rng.laplace(0, 0.05, takes.shape[1])))


@pytest.mark.parametrize("name", ["half_the_noise", "noise_on_the_maximum", "same_noise_for_all", "name_and_maximum"])
def test_the_page_catches_each_of_its_wrong_winners(lab, name):
    assert not lab["attack_winner"](lab[name])[0]


def test_a_winner_without_enough_noise_is_caught(lab):
    assert not lab["attack_winner"](noise_before_the_sum_is_rounded_away)[0]


def test_a_winner_whose_scale_grows_with_epsilon_is_caught_at_one_half(lab):
    survived, said = lab["attack_winner"](
        lambda takes, epsilon, rng: np.argmax(takes.sum(axis=0) + rng.laplace(0, 2 * epsilon, takes.shape[1]))
    )
    assert not survived
    assert said.startswith("No attack succeeded at ε = 1. On the first pair: You promise ε = 0.5.")


def test_a_winner_with_its_noisy_count_is_caught_on_the_third_pair(lab):
    survived, said = lab["attack_winner"](lab["name_and_maximum"])
    assert not survived
    assert said.startswith("On the third pair: You promise ε = 1.")


def test_a_winner_that_returns_more_than_an_index_is_told(lab):
    def with_more_noise(takes, epsilon, rng):
        return by_gumbel(takes, epsilon, rng), rng.laplace(0, 50 / epsilon)

    survived, said = lab["attack_winner"](with_more_noise)
    assert not survived
    assert "must return one index and nothing else" in said


def test_a_winner_at_random_is_told(lab):
    right, said = lab["names_of_winner"](lambda takes, epsilon, rng: rng.integers(takes.shape[1]))
    assert not right
    assert "more than the promise needs: look again" in said


# -- step 3: the median


def median_by_the_book(numbers, candidates, epsilon, rng):
    return candidates[mechanisms.exponential(_scores(numbers, candidates), 1, epsilon, rng)]


def _scores(numbers, candidates):
    return [-max((numbers < r).sum(), (numbers > r).sum()) for r in candidates]


def median_by_noisy_max(numbers, candidates, epsilon, rng):
    return candidates[mechanisms.report_noisy_max(_scores(numbers, candidates), 1, epsilon, rng)]


def median_by_exponential_noise(numbers, candidates, epsilon, rng):
    return candidates[mechanisms.permute_and_flip(_scores(numbers, candidates), 1, epsilon, rng)]


@pytest.mark.parametrize("mine", [median_by_the_book, median_by_noisy_max, median_by_exponential_noise])
def test_right_medians_pass(lab, mine):
    survived, said = lab["attack_median"](mine)
    assert survived, said
    right, said = lab["typical_number"](mine)
    assert right, said


def drawn_by(weights):
    """Return a median that draws with these weights, a function of the scores and ε."""

    def median(numbers, candidates, epsilon, rng):
        found = weights(np.array(_scores(numbers, candidates)), epsilon)
        return rng.choice(candidates, p=found / found.sum())

    return median


@pytest.mark.parametrize(
    "weights",
    [lambda scores, epsilon: np.exp(scores / 2), lambda scores, epsilon: np.exp(scores / (2 * epsilon))],
    ids=["no ε", "divided by ε"],
)
def test_a_median_that_uses_epsilon_wrongly_is_caught_at_one_half(lab, weights):
    survived, said = lab["attack_median"](drawn_by(weights))
    assert not survived
    assert said.startswith("No attack succeeded at ε = 1. On the first pair: You promise ε = 0.5.")


def test_a_median_without_the_two_is_caught(lab):
    assert "You promise" in lab["attack_median"](lab["without_the_two"])[1]


@pytest.mark.parametrize(
    "mine",
    [
        drawn_by(lambda scores, epsilon: np.exp(epsilon / 2 * scores) + 1e-300),
        drawn_by(lambda scores, epsilon: np.exp(np.maximum(epsilon / 2 * scores, -700))),
    ],
    ids=["a small number added", "exponents clipped"],
)
def test_a_median_that_is_wrong_only_at_a_large_epsilon_is_told(lab, mine):
    survived, said = lab["attack_median"](mine)
    assert survived, said
    right, said = lab["typical_number"](mine)
    assert not right
    assert "But on the real table at ε = 4 it draws" in said
    assert said.endswith(
        "Even the largest weight is e^-1166, so all weights become 0 in the computer. Only their ratios matter."
    )


def test_a_median_that_underflows_is_told(lab):
    right, said = lab["typical_number"](lab["as_it_stands"])
    assert not right
    assert "But on the real table at ε = 4 it raises ValueError" in said
    assert said.endswith("Only their ratios matter.")


@pytest.mark.parametrize("name", ["wrong_sign", "uniform"])
def test_a_private_and_useless_median_is_told(lab, name):
    mine = lab.get(name, drawn_by(lambda scores, epsilon: np.ones(len(scores))))
    right, said = lab["typical_number"](mine)
    assert not right
    assert said.endswith("This is more than the promise needs: look again.")


def test_an_exact_median_is_caught(lab):
    def exact(numbers, candidates, epsilon, rng):
        return candidates[int(np.argmax(_scores(numbers, candidates)))]

    survived, said = lab["attack_median"](exact)
    assert not survived
    assert "your mechanism draws nothing from rng" in said


# -- step 4: randomized response


def with_a_draw(answer, epsilon, rng):
    return int(mechanisms.randomized_response(answer, epsilon, rng))


def test_a_right_response_passes(lab):
    survived, said = lab["attack_response"](with_a_draw)
    assert survived, said
    right, said = lab["lies_in_reports"](with_a_draw)
    assert right, said


def test_a_response_without_epsilon_is_caught_at_one_half(lab):
    survived, said = lab["attack_response"](lambda answer, epsilon, rng: with_a_draw(answer, 1, rng))
    assert not survived
    assert said.startswith("No attack succeeded at ε = 1. You promise ε = 0.5.")


@pytest.mark.parametrize(
    ("mine", "verdict"),
    [
        (lambda answer, epsilon, rng: 1 - with_a_draw(answer, epsilon, rng), "more than the promise needs"),
        (lambda answer, epsilon, rng: with_a_draw(1, epsilon, rng), "more than the promise needs"),
        (lambda answer, epsilon, rng: with_a_draw(answer, 1.2 * epsilon, rng), "less than the promise needs"),
    ],
    ids=["inverted", "blind", "larger ε"],
)
def test_a_response_with_a_wrong_share_of_truths_is_told(lab, mine, verdict):
    right, said = lab["lies_in_reports"](mine)
    assert not right
    assert verdict in said


def test_the_survey_uses_what_the_reader_wrote(lab):
    share, error = lab["survey"](3, np.random.default_rng(5)).removesuffix(" per cent").split(" ± ")
    assert abs(float(share) - 100 * lab["quit_smoking"].mean()) < 4 * float(error)


def test_the_book_s_estimate_and_error_are_those_of_the_theorem(lab):
    p = np.e / (1 + np.e)
    assert lab["book_estimate"](0.4, 1) == pytest.approx((0.4 - (1 - p)) / (2 * p - 1))
    assert lab["book_error"](1629, 1) == pytest.approx(np.sqrt(p * (1 - p) / 1629) / (2 * p - 1))


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
