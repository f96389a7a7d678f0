"""Checks of chapters/labs/break_and_defend.md."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from causaldata import nhefs
from scipy.optimize import linprog
from scipy.stats import beta, norm

from claims import answers, at_rest, claim
from dp_lib import check


@pytest.fixture(scope="module")
def people():
    """The survey as the package has it."""
    return nhefs.load_pandas().data


def guessed(groups, counts):
    """Return the guesses of least squares, by the normal equations."""
    return np.linalg.solve(groups.T @ groups, groups.T @ counts) > 0.5


def share_found(people, scale, per_person, releases, seed):
    """Return the mean percentage of the people of 60 or more whom least squares names correctly."""
    rng, secret = np.random.default_rng(seed), people.qsmk[people.age >= 60].to_numpy()
    right = []
    for _ in range(releases):
        groups = rng.integers(0, 2, (per_person * len(secret), len(secret))).astype(float)
        right.append(np.mean(guessed(groups, groups @ secret + rng.laplace(0, scale, len(groups))) == secret))
    return 100 * np.mean(right)


@claim("labs/break_and_defend.md", "people-of-the-survey", numbers=[1971, 1975, 1982, 1984])
def test_people_of_the_survey(passage, people):
    assert (people.smokeintensity > 0).all()  # cigarettes a day at the first survey
    found = [f"{len(people):,}", f"{people.age.min():.0f}", f"{people.age.max():.0f}", str(sum(people.qsmk == 1))]
    assert passage.printed == found


@claim("labs/break_and_defend.md", "people-who-stand-alone")
def test_people_who_stand_alone(passage, people):
    times = Counter(zip(people.sex, people.age, people.school, strict=True))
    alone = sum(count == 1 for count in times.values())
    assert passage.printed == [str(alone), f"{100 * alone / len(people):.0f}"]


@claim("labs/break_and_defend.md", "three-people-by-hand", numbers=[1.3, 0.8, 1.2, 1.7, 0.85, 0.45, 0.35])
def test_three_people_by_hand(passage):
    a, b, c = np.linalg.solve([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1.3, 0.8, 1.2])
    assert np.allclose([2 * a, a, b, c], [1.7, 0.85, 0.45, 0.35])
    assert list(passage.names["reconstruct"](np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]]), [1.3, 0.8, 1.2])) == [1, 0, 0]


@claim("labs/break_and_defend.md", "noise-of-a-fixed-size", numbers=[8])
def test_noise_of_a_fixed_size(passage, people):
    office, four_times, always_no, eight = map(float, passage.printed)
    assert always_no == pytest.approx(100 * np.mean(people.qsmk[people.age >= 60] == 0), abs=0.5)
    assert share_found(people, 2, 4, 20, 1) == pytest.approx(office, abs=2)
    assert share_found(people, 8, 4, 20, 1) == pytest.approx(four_times, abs=3.5)
    assert share_found(people, 8, 8, 20, 1) == pytest.approx(eight, abs=3.5)
    assert eight - four_times > 5


@claim("labs/break_and_defend.md", "three-answers-by-hand", numbers=[1, 6.4, 5.8, 6.9, 6.4, 6])
@claim("labs/break_and_defend.md", "three-answers-with-more-noise", numbers=[3, 7.2, 5.4, 8.7, 7.1])
def test_three_answers_by_hand():
    first, second = np.array([6.4, 5.8, 6.9]), np.array([7.2, 5.4, 8.7])
    assert np.allclose(3 * (first - 6), second - 6)
    assert round(first.mean(), 1) == 6.4 and round(second.mean(), 1) == 7.1


def right_by_rounding(scale, answers):
    """Return how often the nearest whole number to the mean of so many noisy counts is the count."""
    return np.mean(abs(np.random.default_rng(1).laplace(0, scale, (400_000, answers)).mean(axis=1)) < 0.5)


@claim("labs/break_and_defend.md", "how-often-three-answers-are-right", numbers=[1])
def test_how_often_three_answers_are_right():
    assert right_by_rounding(1, 3) == pytest.approx(1 / 2, abs=0.01)
    assert right_by_rounding(1, 1) == pytest.approx(2 / 5, abs=0.01)


@claim("labs/break_and_defend.md", "how-often-more-noise-is-right", numbers=[5])
def test_how_often_more_noise_is_right():
    assert right_by_rounding(3, 3) == pytest.approx(1 / 5, abs=0.02)


def largest_loss(scale, moves):
    """Return the largest privacy loss of counts that one row moves so far, by the densities on a grid."""
    y = np.linspace(-30, 30, 6001)
    return sum(max((abs(y - move) - abs(y)) / scale) for move in moves)


@claim("labs/break_and_defend.md", "budget-that-is-not-split", numbers=[1, 3])
def test_budget_that_is_not_split(passage):
    assert largest_loss(1, [1, 1, 1]) == pytest.approx(3)
    assert largest_loss(1, [1]) == largest_loss(1, [1, 0]) == pytest.approx(1)
    releases = passage.names["releases"]
    assert [list(groups[:, -1]) for groups in releases.values()] == [[1], [1, 0], [1, 1, 1]]
    one, two, three, *_ = passage.said.partition("DOES_NOT_SPLIT\n")[2].splitlines()
    assert one.startswith("One count. Not caught: ") and two.startswith("With and without one person. Not caught: ")
    assert three.startswith("Three groups. CAUGHT. You promise ε = 1. ")
    assert 2.5 < float(re.search(r"can show ε >= ([\d.]+)", three)[1]) < 3


def attacked(names, mechanism, release):
    """Return the verdict of the page on a mechanism at ε = 1."""
    mechanism = names[mechanism] if isinstance(mechanism, str) else mechanism
    table = names["ten" if release == "With and without one person" else "nobody"]
    return names["attacked"](mechanism, names["releases"][release], 1, table)


@claim("labs/break_and_defend.md", "gaussian-noise-is-not-caught")
def test_gaussian_noise_is_not_caught(passage):
    (noise,) = re.findall(r"`(rng\.normal.*?)`", passage.text)
    gaussian = eval(f"lambda column, groups, epsilon, rng: groups @ column + {noise}")

    said = [attacked(passage.names, gaussian, release).caught for release in passage.names["releases"]]
    assert said == [True, False, False]
    many = gaussian(np.zeros(1), np.zeros((20_000, 1)), 1, np.random.default_rng(1))
    assert np.mean(abs(many)) == pytest.approx(len(many), rel=0.03)  # as wrong as Laplace noise of scale k/ε
    y = np.array([-1e2, -1e4, -1e6])  # the loss of a count that moves from 0 to 1, by the log densities
    loss = norm.logpdf(y, 0, 2.5) - norm.logpdf(y, 1, 2.5)
    assert loss[1] / loss[0] == pytest.approx(100, rel=0.01) and loss[2] > 10_000


@claim("labs/break_and_defend.md", "half-of-the-promise-is-used", numbers=[99.9, 1000, 2])
def test_half_of_the_promise_is_used(passage):
    for epsilon in (1, 0.5):
        assert largest_loss(2 / epsilon, [1, 0]) == pytest.approx(epsilon / 2)
        assert largest_loss(2 / epsilon, [1, 1]) == pytest.approx(epsilon)
    groups = passage.names["releases"]["With and without one person"]
    assert list(groups.sum(axis=0)) == [2] * 9 + [1]
    said = attacked(passage.names, "defended", "With and without one person")
    assert said.counted == said.runs // 2 and said.epsilon < 0.5
    assert pytest.approx(0.999) == check.CONFIDENCE


@claim("labs/break_and_defend.md", "scale-taken-for-a-deviation")
def test_scale_taken_for_a_deviation():
    assert largest_loss(3 / math.sqrt(2), [1, 1, 1]) == pytest.approx(math.sqrt(2))


@claim("labs/break_and_defend.md", "one-noise-cancels")
def test_one_noise_cancels(passage):
    names, groups = passage.names, passage.names["releases"]["With and without one person"]
    for column in (names["ten"], np.append(names["ten"][:-1], 1 - names["ten"][-1])):
        counts = names["one_noise_for_all"](column, groups, 1, np.random.default_rng(1))
        assert counts[0] - counts[1] == pytest.approx(column[-1], abs=1e-12)


@claim("labs/break_and_defend.md", "most-that-the-runs-can-show", numbers=[10_000])
def test_most_that_the_runs_can_show(passage):
    share = 0.0005 ** (1 / 10_000)  # by Clopper and Pearson, of an event that came each time
    assert share == pytest.approx(beta.ppf(0.0005, 10_000, 1))
    most = math.log(share / (1 - share))
    assert 0 <= most - float(passage.printed[0]) < 0.01
    said = attacked(passage.names, "one_noise_for_all", "With and without one person")
    assert set(said.counts) == {0, 10_000} and said.epsilon == pytest.approx(most, abs=0.01)


@claim("labs/break_and_defend.md", "found-before-and-after")
def test_found_before_and_after(passage, people):
    names = passage.names
    groups, secret = names["groups"].astype(float), people.qsmk[people.age >= 60].to_numpy()
    found = [int(np.sum(guessed(groups, names[counts]) == secret)) for counts in ("published", "afterwards")]
    assert passage.printed == [str(number) for number in [*found, len(secret) // 2]]
    assert abs(found[1] - len(secret) / 2) < 2 * math.sqrt(len(secret)) / 2


@claim("labs/break_and_defend.md", "guess-when-one-answer-is-likelier")
def test_guess_when_one_answer_is_likelier(passage, people):
    e, bound = math.e, float(passage.printed[0])
    quit_smoking = np.mean(people.qsmk[people.age >= 60])
    assert passage.printed[1:] == [f"{1 - quit_smoking:.2f}", passage.printed[0]]
    for yes in (0.5, quit_smoking, 1 - e / (1 + e), 0.2):
        best = -linprog([-yes, yes - 1], A_ub=[[1, e], [e, 1]], b_ub=[e, e], bounds=[(0, 1)] * 2).fun
        assert best == pytest.approx(max(e / (1 + e), 1 - yes))
    assert 1 - quit_smoking < e / (1 + e) <= bound < e / (1 + e) + 0.001


@claim("labs/break_and_defend.md", "scale-for-the-groups-of-step-2")
def test_scale_for_the_groups_of_step_2(passage):
    groups = passage.names["groups"]
    of_a_person, members = max(map(sum, groups.T)), max(map(sum, groups))
    assert passage.printed == [str(number) for number in (len(groups), len(groups), of_a_person, of_a_person, members)]
    assert members < of_a_person


@claim("labs/break_and_defend.md", "one-noise-for-each-person", numbers=[1])
def test_one_noise_for_each_person(passage, people):
    groups, secret = passage.names["groups"], people.qsmk[people.age >= 60].to_numpy()
    rng = np.random.default_rng(1)
    errors = groups @ rng.laplace(0, 1, (len(secret), 2000))
    assert passage.printed == [str(len(groups)), f"{abs(errors).mean():.0f}"]
    assert largest_loss(1, [1] + [0] * (len(secret) - 1)) == pytest.approx(1)  # one answer moves one noisy answer
    assert 0.5 < abs(errors).mean() / math.sqrt(len(secret)) < 1


@claim("labs/break_and_defend.md", "variance-of-the-counts", numbers=[0, 1])
def test_variance_of_the_counts(passage, people):
    secret, rng = people.qsmk[people.age >= 60].to_numpy(), np.random.default_rng(1)
    groups = rng.integers(0, 2, (20_000, len(secret)))
    assert passage.printed[1:] == [f"{sum(secret) / 4:.0f}"]
    for scale in (1, 4):
        counts = groups @ secret + rng.laplace(0, scale, len(groups))
        assert counts.var() == pytest.approx(float(passage.printed[1]) + 2 * scale**2, rel=0.05)


@answers(
    "labs/break_and_defend.md",
    "people-found-by-least-squares",
    numbers=[752, 188, 2, 120, 4, 2],
    choices=[[120], [140], [160], [185]],
)
def test_question_people_found_by_least_squares(question, people):
    deviation = 2 * 4 * math.sqrt(2) / math.sqrt(752 - 188)
    assert question.printed == [f"{deviation:.2f}"]
    for found in (188 * (2 * norm.cdf(0.5 / deviation) - 1) / 2 + 94, 188 * share_found(people, 4, 4, 20, 3) / 100):
        assert question.right == [abs(found - offered) < 7 for offered in (120, 140, 160, 185)]
    assert sum(people.age >= 60) == 188 and sum(people.qsmk[people.age >= 60] == 0) == 120


@answers("labs/break_and_defend.md", "counts-within-five", numbers=[188, 5, 2], choices=[[5], [10], [100], [188]])
def test_question_counts_within_five(question):
    noise = abs(np.random.default_rng(1).laplace(0, 1, 10**6)).mean()
    most = max(k for k in range(1, 200) if k * noise / 2 <= 5.01)
    assert question.right == [most == offered for offered in (5, 10, 100, 188)]
    assert max(k for k in range(1, 200) if np.sqrt(k) / 2 <= 5.01) == 100  # what the third reply speaks of


@claim("labs/break_and_defend.md", "lab1-found.caption", numbers=[188])
def test_caption_lab1_found(people):
    c = at_rest("labs/break_and_defend.md", "lab1-found")
    assert c["always no", "y"] == pytest.approx(100 * np.mean(people.qsmk[people.age >= 60] == 0))
    assert 2 ** c["before", "x"] == pytest.approx(2)
    assert 2 ** c["after", "x"] == pytest.approx(4 * sum(people.age >= 60))
    rows = c["log_scale"] == np.round(c["log_scale"])
    assert len(c["least squares"][rows]) == 13 and sum(people.age >= 60) == 188


@claim("labs/break_and_defend.md", "lab1-found.alt", numbers=[100, 2, 32, 64, 50, 752])
def test_alt_lab1_found(people):
    c = at_rest("labs/break_and_defend.md", "lab1-found")
    curve, log_scale = c["least squares"], np.round(c["log_scale"])
    by_scale = {2.0**stop: curve[log_scale == stop] for stop in range(-1, 12)}
    assert (by_scale[0.5] > 95).all() and (by_scale[2] > 95).all() and (by_scale[32] < 60).all()
    assert round(100 * np.mean(people.qsmk[people.age >= 60] == 0)) == 64
    assert all((abs(by_scale[2.0**stop] - 50) < 6).all() for stop in range(6, 12))
    assert 4 * sum(people.age >= 60) == 752
