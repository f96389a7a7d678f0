"""Checks of chapters/randomized_response.md."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from claims import answers, claim


@answers(
    "randomized_response.md", "epsilon-of-one-lie-in-four", numbers=[4], choices=[[3], [4, 1.39], [3, 1.1], [0.25]]
)
def test_question_epsilon_of_one_lie_in_four(question):
    least = max(math.log(0.75 / 0.25), math.log(0.25 / 0.75))
    assert question.right == [
        math.isclose(least, 3),
        math.isclose(least, math.log(4)),
        math.isclose(least, math.log(3)),
        math.isclose(least, 0.25),
    ]


@claim("randomized_response.md", "two-variances-of-a-survey", numbers=[3, 4, 1, 4])
def test_two_variances_of_a_survey():
    n, p = 400, 0.75
    yes = np.arange(n + 1)
    estimate = (yes / n - (1 - p)) / (2 * p - 1)
    drawn = binom(n, 0.5).pmf(yes)
    assert math.isclose(drawn @ (estimate - 0.5) ** 2, 4 / (4 * n), rel_tol=1e-9)
    given = np.convolve(binom(n // 2, p).pmf(yes[: n // 2 + 1]), binom(n // 2, 1 - p).pmf(yes[: n // 2 + 1]))
    assert math.isclose(given @ (estimate - 0.5) ** 2, 3 / (4 * n), rel_tol=1e-9)


@claim("randomized_response.md", "pure-response.caption")
def test_caption_pure_response():
    truth = np.exp(np.arange(0.05, 5.01, 0.05))
    p = truth / (1 + truth)
    assert (np.diff(2 * p - 1) > 0).all() and (np.diff(np.sqrt(p * (1 - p))) < 0).all()


@claim(
    "randomized_response.md",
    "belief-after-one-answer",
    numbers=[3, 4, 3, 1, 12, 20, 4, 3, 4, 4, 16, 3, 7, 20, 15, 12, 15],
)
def test_belief_after_one_answer(passage):
    """Count 80 people, one fifth of them smokers, by what they are and what they say."""
    told = {(smoker, yes): 0 for smoker in (True, False) for yes in (True, False)}
    for person in range(80):
        smoker, truthful = person % 5 == 0, person // 5 % 4 != 0
        told[smoker, smoker == truthful] += 1
    after = [told[True, yes] / (told[True, yes] + told[False, yes]) for yes in (True, False)]
    assert [float(each) for each in passage.printed] == pytest.approx(after, abs=0.005)
    assert after[0] < 0.5  # so a "yes" is more likely to be false
    twenty = {pair: number / 4 for pair, number in told.items()}
    assert [twenty[True, True], twenty[False, True], twenty[False, False]] == [3, 4, 12]
    assert twenty[True, True] + twenty[False, False] == 15


@claim("randomized_response.md", "two-estimates-of-a-share", numbers=[780, 1800, 560, 600])
def test_two_estimates_of_a_share(passage):
    def spread(n, smokers):
        """Return the mean and the deviation of the estimate, by the distribution of the number of "yes"."""
        yes = np.convolve(
            binom(smokers, 2 / 3).pmf(np.arange(smokers + 1)), binom(n - smokers, 1 / 3).pmf(np.arange(n - smokers + 1))
        )
        estimate = (np.arange(n + 1) - n / 3) / (n / 3)
        mean = yes @ estimate
        return mean, math.sqrt(yes @ (estimate - mean) ** 2)

    first, deviation, second, enough = (float(each) for each in passage.printed)
    assert 1800 * (first * 2 / 3 + (1 - first) / 3) == pytest.approx(780)
    assert math.isclose(binom(1800, 1 / 3).mean(), 600)
    assert second == round((560 - 600) / 600, 3)
    for smokers in (0, 540, 1800):
        mean, exact = spread(1800, smokers)
        assert mean == pytest.approx(smokers / 1800, abs=1e-9) and deviation == pytest.approx(exact, abs=0.0005)
    assert second / exact == pytest.approx(-2, abs=0.02)
    assert spread(int(enough), 0)[1] == pytest.approx(exact / 2)


@claim("randomized_response.md", "answers-of-unequal-truth", numbers=[2])
def test_answers_of_unequal_truth(passage):
    smoker, other = np.array([3, 1]) / 4, np.array([1, 1]) / 2
    least = np.log(np.concatenate([smoker / other, other / smoker])).max()
    truths = np.linspace(0.5, 0.99, 491)
    private = truths[truths / (1 - truths) <= np.exp(least)].max()  # the most frequent truth with this ε
    rises = [smoker[0] - other[0], private - (1 - private)]
    printed = [float(each) for each in passage.printed]
    assert printed[0] == round(least, 2) and printed[1] == rises[0]
    assert printed[2] == pytest.approx(rises[1], abs=0.005) and rises[0] < rises[1]
    for share in np.linspace(0, 1, 11):  # the variance of the estimate for one person, whatever the share
        unequal = (share * smoker.prod() + (1 - share) * other.prod()) / rises[0] ** 2
        assert unequal > private * (1 - private) / rises[1] ** 2
