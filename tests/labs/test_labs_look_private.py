"""Lab 2: the attacks let the solutions and other right versions pass, and catch what programmers write wrong."""

import re
from collections import Counter

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from test_lab_examples import printed

from dp_lib import audit, check, mechanisms

pytestmark = pytest.mark.xdist_group("labs/look_private")


def test_the_tables_of_each_pair_differ_in_one_row(lab, monkeypatch):
    pairs = []
    monkeypatch.setitem(lab, "attacked", lambda mechanism, *attacked: pairs.extend(attacked) or (True, ""))
    for attack in ("attack_histogram", "attack_winner", "attack_median"):
        lab[attack](None)
    assert len(pairs) == 2 + 6 + 5
    for pair in pairs:
        one, other = (Counter(map(str, table.tolist())) for table in (pair.table, pair.other))
        assert (one - other).total() == (other - one).total() == 1


# -- step 1: the histogram


def counts_of(ages):
    return np.histogram(ages, range(20, 81, 10))[0]


def by_the_book(ages, epsilon, rng):
    return mechanisms.laplace(counts_of(ages), 2, epsilon, rng)


def rounded_and_cut(ages, epsilon, rng):
    return np.maximum(np.round(by_the_book(ages, epsilon, rng)), 0)


def cell_by_cell(ages, epsilon, rng):
    return [np.count_nonzero(ages // 10 == decade) + rng.laplace(0, 2 / epsilon) for decade in range(2, 8)]


def by_whole_numbers(ages, epsilon, rng):
    counts = counts_of(ages)
    up, down = (rng.geometric(1 - np.exp(-epsilon / 2), 6) for _ in range(2))
    return counts + up - down


def made_to_add_up(ages, epsilon, rng):
    """Post-processing with the public number of people, which leaves 0.91 of the noise."""
    noisy = by_the_book(ages, epsilon, rng)
    return noisy - (noisy.sum() - len(ages)) / 6


@pytest.mark.parametrize("mine", [by_the_book, rounded_and_cut, cell_by_cell, by_whole_numbers, made_to_add_up])
def test_right_histograms_pass(lab, mine):
    survived, said = lab["attack_histogram"](mine, 4_000)
    assert survived, said
    assert lab["noise_of_histogram"](mine)[0]


def mean_taken_for_scale(ages, epsilon, rng):
    counts = counts_of(ages)
    return counts + rng.exponential(1 / epsilon, len(counts))


def seed_used_twice(ages, epsilon, rng):
    seed = int(rng.integers(2**32))
    counts = counts_of(ages)
    return [count + np.random.default_rng(seed).laplace(0, 2 / epsilon) for count in counts]


def noise_once_a_table(ages, epsilon, rng):
    return np.histogram(ages + rng.laplace(0, 2 / epsilon), range(20, 81, 10))[0]


def empty_cells_left_out(ages, epsilon, rng):
    counts = counts_of(ages)
    return (counts + rng.laplace(0, 2 / epsilon, len(counts)))[counts > 0]


def in_place(ages, epsilon, rng):
    counts = counts_of(ages)
    counts += rng.laplace(0, 2 / epsilon, 6)
    return counts


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (mean_taken_for_scale, "came 0 times on the first table"),
        (seed_used_twice, "minus entry"),
        (noise_once_a_table, "You promise"),
        (empty_cells_left_out, "an array of shape (5,), and (6,) is one count for each cell"),
        (lambda ages, epsilon, rng: [by_the_book(ages, epsilon, rng)], "an array of shape (1, 6), and (6,) is"),
        (in_place, "Counts are whole numbers, so write counts + noise, not counts += noise"),
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
        assert said.startswith("CAUGHT on the first pair. You promise ε = 1, and the attacker can show ε >= ")


def test_the_histogram_with_running_totals_is_caught_on_the_second_pair():
    said = printed("labs/look_private", "attacked(each_with_epsilon, Pair(EIGHT, REPLACED), Pair(REPLACED, FAR))[1]")
    assert said.startswith("Not caught on the first pair. CAUGHT on the second pair.")


@pytest.mark.parametrize(
    "attack",
    [
        "attack_winner(same_noise_for_all)",
        "attack_winner(best_two_only)",
        "attack_response(truth_or_coin)",
        "attacked(asked_three_times, Pair(0, 1))",
    ],
)
def test_a_wrong_version_in_a_box_of_the_page_is_caught(attack):
    assert "CAUGHT" in printed("labs/look_private", f"{attack}[1]")


def one_negative_cell_again(ages, epsilon, rng):
    noisy = by_the_book(ages, epsilon, rng)
    while noisy.min() < 0:
        cell = noisy.argmin()
        noisy[cell] = by_the_book(ages, epsilon, rng)[cell]
    return noisy


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
    return np.argmax(takes.sum(axis=0) + rng.gumbel(0, 2 / epsilon, takes.shape[1]))


def by_exponential_noise(takes, epsilon, rng):
    return np.argmax(takes.sum(axis=0) + rng.exponential(2 / epsilon, takes.shape[1]))


def by_laplace(takes, epsilon, rng):
    noisy = [sum(column.tolist()) + rng.laplace(0, 2 / epsilon) for column in takes.T]
    return noisy.index(max(noisy))


def by_rounded_noise(takes, epsilon, rng):
    return np.rint(takes.sum(axis=0) + rng.laplace(0, 2 / epsilon, takes.shape[1])).argmax()


@pytest.mark.parametrize("mine", [by_gumbel, by_exponential_noise, by_laplace, by_rounded_noise])
def test_right_winners_pass(lab, mine):
    survived, said = lab["attack_winner"](mine)
    assert survived, said
    right, said = lab["names_of_winner"](mine)
    assert right, said
    fewer = "With exponential or Gumbel noise of this scale this is right." in said
    assert fewer == (mine is by_exponential_noise)


def with_laplace_noise(scale):
    """Return a winner with Laplace noise of so many times 1/ε."""
    return lambda takes, epsilon, rng: np.argmax(takes.sum(axis=0) + rng.laplace(0, scale / epsilon, takes.shape[1]))


def test_a_winner_with_too_little_laplace_noise_is_told_by_its_wrong_names(lab):
    said = lab["names_of_winner"](with_laplace_noise(1.65))[1]
    assert said.endswith("With Laplace noise it is not, because then the scale is too small.")


def test_the_last_pair_catches_what_it_should_and_no_right_noise(lab):
    """How often it does, from the exact probability with which the first of twenty medicines is named."""
    rivals, pair = 19, lab["PAIRS_OF_WINNER"][5]
    assert (pair.other.sum(axis=0) - pair.table.sum(axis=0)).tolist() == [1] + rivals * [-1]
    counted, rng = pair.trials // 2, np.random.default_rng(13)

    def named(noise, lead):
        return quad(lambda z: noise.pdf(z) * noise.cdf(z - lead) ** rivals, -60, 60, points=[0, lead], limit=500)[0]

    def caught(noise):
        hits, alarms = (rng.binomial(counted, named(noise, lead), 5000) for lead in (-1, 1))
        return np.mean(audit.epsilon_of_test(hits, alarms, counted, 0, check.CONFIDENCE) > 1)

    assert caught(stats.laplace(scale=1.5)) > 0.99
    assert caught(stats.norm(scale=np.sqrt(8))) > 0.95
    for right in (stats.laplace(scale=2), stats.gumbel_r(scale=2), stats.expon(scale=2)):
        assert caught(right) < 0.001


@pytest.mark.all_runs
def test_a_winner_with_its_noisy_count_is_caught_on_the_third_pair(lab):
    survived, said = lab["attacked"](lab["name_and_maximum"], *lab["PAIRS_OF_WINNER"])
    assert not survived
    assert said.startswith("Not caught on the first 2 pairs. CAUGHT on the third pair. You promise ε = 1,")


def noise_on(column):
    """Return a winner of which one column alone is noisy."""

    def winner(takes, epsilon, rng):
        counts = takes.sum(axis=0).astype(float)
        counts[min(column, len(counts) - 1)] += rng.laplace(0, 2 / epsilon)
        return counts.argmax()

    return winner


# -- step 3: the median


def _scores(numbers, candidates):
    numbers = numbers[:, None]
    return -np.maximum((numbers < candidates).sum(axis=0), (numbers > candidates).sum(axis=0))


def noisy_median(noise):
    """Return report noisy max of the scores with some noise, a function of ε, the size and rng."""

    def median(numbers, candidates, epsilon, rng):
        found = np.array(_scores(numbers, candidates))
        return candidates[(found + noise(epsilon, len(found), rng)).argmax()]

    return median


# With Gumbel noise it is the exponential mechanism.
median_by_the_book = noisy_median(lambda epsilon, size, rng: rng.gumbel(0, 2 / epsilon, size))


@pytest.mark.parametrize(
    "mine",
    [
        median_by_the_book,
        noisy_median(lambda epsilon, size, rng: rng.laplace(0, 2 / epsilon, size)),
        noisy_median(lambda epsilon, size, rng: rng.exponential(2 / epsilon, size)),
    ],
    ids=["Gumbel noise", "Laplace noise", "exponential noise"],
)
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


def test_a_median_that_is_wrong_only_on_the_real_table_is_told(lab):
    mine = drawn_by(lambda scores, epsilon: np.exp(epsilon / 2 * scores) + 1e-300)
    survived, said = lab["attack_median"](mine)
    assert survived, said
    right, said = lab["typical_number"](mine)
    assert not right
    assert "But on the real table at ε = 4 it draws" in said
    assert said.endswith("cannot be divided by their sum. Only their ratios matter.")


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_median_that_underflows_is_told(lab):
    as_it_stands = drawn_by(lambda scores, epsilon: np.exp(epsilon / 2 * scores))
    survived, said = lab["attack_median"](as_it_stands)
    assert not survived
    assert said.startswith("At ε = 4 on the fifth pair: mechanism raised ValueError: ")
    assert "contain NaN (in run 1 on the first table). If the weights become 0 in the computer" in said
    assert "at ε = 4 it raises ValueError" in lab["typical_number"](as_it_stands)[1]


def test_an_error_that_is_not_about_weights_says_nothing_of_them(lab):
    survived, said = lab["attack_median"](lambda numbers, candidates, epsilon, rng: candidates[99])
    assert not survived
    assert "IndexError" in said and "weights" not in said


def among(chosen):
    """Return a median by the book of those candidates alone that a function of the numbers and scores chooses."""

    def median(numbers, candidates, epsilon, rng):
        some = chosen(numbers, candidates, np.array(_scores(numbers, candidates)))
        return median_by_the_book(numbers, candidates[some], epsilon, rng)

    return median


@pytest.mark.parametrize(
    "mine",
    [
        drawn_by(lambda scores, epsilon: np.exp(0.6 * epsilon * (scores - scores.max()))),
        noisy_median(lambda epsilon, size, rng: rng.laplace(0, 1.5 / epsilon, size)),
    ],
    ids=["0.6 in place of 0.5", "Laplace noise of scale 1.5/ε"],
)
def test_a_median_that_is_too_close_is_told(lab, mine):
    assert lab["attack_median"](mine)[0]
    right, said = lab["typical_number"](mine)
    assert not right
    assert said.endswith(
        "This is closer than with the mechanism of this step. Is the exponent ε u/2Δ, or the scale of the noise 2Δ/ε?"
    )


def test_an_exact_median_is_caught(lab):
    def exact(numbers, candidates, epsilon, rng):
        return candidates[int(np.argmax(_scores(numbers, candidates)))]

    survived, said = lab["attack_median"](exact)
    assert not survived
    assert "your mechanism draws nothing from rng. So the choice is not random here." in said and "noise" not in said


# -- step 4: randomized response


def with_a_draw(answer, epsilon, rng):
    return answer if rng.random() < 1 / (1 + np.exp(-epsilon)) else 1 - answer


def test_a_right_response_passes(lab):
    survived, said = lab["attack_response"](with_a_draw)
    assert survived, said
    right, said = lab["lies_in_reports"](with_a_draw)
    assert right, said


def test_the_survey_uses_what_the_reader_wrote(lab):
    share, error = lab["survey"](3, np.random.default_rng(5)).removesuffix(" per cent").split(" ± ")
    assert abs(float(share) - 100 * lab["quit_smoking"].mean()) < 4 * float(error)


def test_the_book_s_estimate_and_error_are_those_of_the_theorem(lab):
    p = np.e / (1 + np.e)
    assert lab["book_estimate"](0.4, 1) == pytest.approx((0.4 - (1 - p)) / (2 * p - 1))
    assert lab["book_error"](1629, 1) == pytest.approx(np.sqrt(p * (1 - p) / 1629) / (2 * p - 1))


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


@pytest.mark.parametrize("name", ["estimate", "standard_error"])
def test_each_slip_that_the_page_knows_is_told_in_its_own_words(lab, capsys, name):
    right = {"estimate": lab["book_estimate"], "standard_error": lab["book_error"]}
    for words, slip in lab["SLIPS"][name]:

        def mine(slip=slip, **arguments):
            return slip(right[name](**arguments), *arguments.values())

        lab["tried_estimates"](*(right | {name: mine}).values())
        said = dict(zip(right, capsys.readouterr().out.splitlines(), strict=True))
        assert said[name].endswith(words) and "does not change" not in said[name]
        assert sum("agrees" in line for line in said.values()) == 1


def test_a_slip_is_shown_where_it_changes_the_first_digits(lab, capsys):
    lab["tried_estimates"](
        lambda reported_share, epsilon: reported_share - 1 / (1 + np.exp(epsilon)), lab["book_error"]
    )
    said = capsys.readouterr().out.splitlines()[0]
    assert "At reported_share = 0.5, epsilon = 1 your function returns 0.2310" in said
    assert "the right answer is 0.5." in said


def test_all_people_of_the_table_smoked_at_the_first_survey(lab):
    assert (lab["cigarettes"] > 0).all()


# -- what is said of a wrong version

AT_ONE_HALF = "Not caught at ε = 1. CAUGHT on the first pair. You promise ε = 0.5…"
ON_THE_SECOND = "Not caught at ε = 1 and on the first pair. CAUGHT on the second pair. You promise ε = 0.5…"
DRAWN_AGAIN = "…Does it draw again if a count is negative? This is not allowed, and np.maximum(noisy, 0) is.…"
NO_INDEX = "Return the index of a column, not its name or its noisy count. Your function returns …"
NO_COLUMN = "A table has 2 columns, counted from 0, and your function returns "
CANDIDATES = "The candidates are 10, 20 and 30, and your function returns "
UNUSED = np.random.default_rng(3)
WRONG = {
    "attack_histogram": {
        "scale that grows with ε": (
            lambda ages, epsilon, rng: counts_of(ages) + rng.laplace(0, 2 * epsilon, 6),
            AT_ONE_HALF,
        ),
        "noise from another source": (
            lambda ages, epsilon, rng: counts_of(ages) + UNUSED.laplace(0, 2 / epsilon, 6),
            "…rng…",
        ),
    },
    "noise_of_histogram": {
        "all drawn again": ("drawn_again", DRAWN_AGAIN),
        "one cell drawn again": (one_negative_cell_again, DRAWN_AGAIN),
    },
    "attack_winner": {
        "scale that grows with ε": (
            lambda takes, epsilon, rng: np.argmax(takes.sum(axis=0) + rng.laplace(0, 2 * epsilon, takes.shape[1])),
            ON_THE_SECOND,
        ),
        "among those within one noise of the best": (
            lambda takes, epsilon, rng: rng.choice(
                np.flatnonzero(takes.sum(axis=0) >= takes.sum(axis=0).max() - rng.exponential(2 / epsilon))
            ),
            "…CAUGHT on the sixth pair. You promise ε = 1, and the attacker can show ε >= 2.…",
        ),
        "noise before the sum is rounded away": (
            lambda takes, epsilon, rng: np.argmax(np.round(takes.sum(axis=0) + rng.laplace(0, 0.05, takes.shape[1]))),
            "…",
        ),
        "noise on the first column": (noise_on(0), "…CAUGHT on the …"),
        "noise on the second column": (noise_on(1), "…CAUGHT on the …"),
        "noise on the third column": (noise_on(2), "…CAUGHT on the …"),
        "its name": (lambda *given: ["nerves", "infection"][by_gumbel(*given)], NO_INDEX),
        "its count": (lambda takes, epsilon, rng: (takes.sum(axis=0) + rng.laplace(0, 2 / epsilon, 2)).max(), NO_INDEX),
        "its rounded count": (
            lambda takes, epsilon, rng: np.rint(takes.sum(axis=0) + rng.laplace(0, 2 / epsilon, 2)).max(),
            NO_INDEX,
        ),
        "counted from 1": (lambda *given: by_gumbel(*given) + 1, f"{NO_COLUMN}2. Is the index counted from 0?"),
        "sum of each row": (
            lambda takes, epsilon, rng: np.argmax(takes.sum(axis=1) + rng.laplace(0, 2 / epsilon, len(takes))),
            f"{NO_COLUMN}…Do you add up each column, over all the people?",
        ),
        "more than an index": (
            lambda takes, epsilon, rng: (by_gumbel(takes, epsilon, rng), rng.laplace(0, 50 / epsilon)),
            "…must return one index and nothing else…",
        ),
        "half the noise": ("half_the_noise", "…"),
        "noise on the maximum": ("noise_on_the_maximum", "…"),
    },
    "names_of_winner": {
        "means with the noise of sums": (
            lambda takes, epsilon, rng: np.argmax(takes.mean(axis=0) + rng.laplace(0, 2 / epsilon, takes.shape[1])),
            "…Is the noise far too large for the numbers to which you add it?",
        ),
        "the smallest count": (
            lambda takes, epsilon, rng: np.argmin(takes.sum(axis=0) + rng.laplace(0, 2 / epsilon, takes.shape[1])),
            "…Almost all names are wrong. Do you take the largest noisy count, or the smallest?",
        ),
        "at random": (
            lambda takes, epsilon, rng: rng.integers(takes.shape[1]),
            "…More than half of the names are wrong…",
        ),
        "error on the real table alone": (
            lambda takes, epsilon, rng: by_gumbel(takes, epsilon, rng) if len(takes) < 100 else 1 / 0,
            "But on the real table your function raises ZeroDivisionError: division by zero",
        ),
    },
    "attack_median": {
        "divided by ε": (drawn_by(lambda scores, epsilon: np.exp(scores / (2 * epsilon))), ON_THE_SECOND),
        "index": (
            lambda numbers, candidates, epsilon, rng: mechanisms.exponential(
                _scores(numbers, candidates), 1, epsilon, rng
            ),
            f"{CANDIDATES}0. Return one of them, not its index.",
        ),
        "array": (
            lambda *given: np.array([median_by_the_book(*given)]),
            f"{CANDIDATES}[10]. Return one of them, not an array.",
        ),
        "candidates in the range of the data": (
            among(lambda numbers, candidates, scores: (candidates >= numbers.min()) & (candidates <= numbers.max())),
            "…CAUGHT on the …",
        ),
        "candidates in the data": (
            among(lambda numbers, candidates, scores: np.isin(candidates, numbers)),
            "…CAUGHT on the …",
        ),
        "the best two candidates": (
            among(lambda numbers, candidates, scores: np.argsort(-scores, kind="stable")[:2]),
            "…CAUGHT on the …",
        ),
    },
    "typical_number": {
        "wrong sign": (
            drawn_by(lambda scores, epsilon: np.exp(-epsilon / 2 * (scores - scores.min()))),
            "…Is the sign right?",
        ),
        "divided by the number of people": (
            drawn_by(lambda scores, epsilon: np.exp(epsilon / 2 * scores / 49)),
            "…By what do you divide the scores?",
        ),
        "half of ε": (
            drawn_by(lambda scores, epsilon: np.exp(epsilon / 4 * (scores - scores.max()))),
            "…This is more than the promise needs: look again.",
        ),
    },
    "attack_response": {
        "without ε": (
            lambda answer, epsilon, rng: with_a_draw(answer, 1, rng),
            "Not caught at ε = 1. CAUGHT. You promise ε = 0.5,…",
        ),
        "a list": (lambda *given: [with_a_draw(*given)], "Your function must return 0 or 1, and it returns …"),
        "plus or minus 1": (
            lambda *given: 2 * with_a_draw(*given) - 1,
            "Your function must return 0 or 1, and it returns …",
        ),
        "without a draw": (
            lambda answer, epsilon, rng: answer,
            "…and your mechanism draws nothing from rng. So the report is not random.",
        ),
    },
    "lies_in_reports": {
        "inverted": (
            lambda *given: 1 - with_a_draw(*given),
            "…Your function lies more often than it tells the truth…",
        ),
        "blind": (
            lambda answer, epsilon, rng: with_a_draw(1, epsilon, rng),
            "…Your reports do not depend on the answer…",
        ),
        "smaller ε": (
            lambda answer, epsilon, rng: with_a_draw(answer, epsilon / 2, rng),
            "…more than the promise needs…",
        ),
        "larger ε": (
            lambda answer, epsilon, rng: with_a_draw(answer, 1.2 * epsilon, rng),
            "…less than the promise needs…",
        ),
    },
}
WRONG_BY_A_LITTLE = {
    "attack_winner": {
        "Laplace noise of 1.5/ε": (
            with_laplace_noise(1.5),
            "…CAUGHT on the sixth pair. You promise ε = 1, and the attacker can show ε >= 1.…",
        ),
    },
    "attack_median": {
        "without the two": ("without_the_two", "CAUGHT on the first pair.…"),
    },
}


def params(table, *marks):
    return [
        pytest.param(judge, *case, id=f"{judge}-{name}", marks=marks)
        for judge, cases in table.items()
        for name, case in cases.items()
    ]


@pytest.mark.parametrize(("judge", "mine", "said"), [*params(WRONG), *params(WRONG_BY_A_LITTLE, pytest.mark.all_runs)])
def test_a_wrong_version_is_told(lab, judge, mine, said):
    """Each … of what is said stands for other words; a name is that of a wrong version on the page."""
    right, words = lab[judge](lab[mine] if isinstance(mine, str) else mine)
    assert not right
    assert re.fullmatch(re.escape(said).replace("…", ".*"), words, re.DOTALL), words
