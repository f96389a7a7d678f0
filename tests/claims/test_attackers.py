"""Checks of chapters/attackers.md."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, laplace

from claims import answers, at_rest, claim
from dp_lib import audit


@answers("attackers.md", "loss-for-three-rows", numbers=[0.5, 3, 3], choices=[[0.5], [3, 0.5, 0.87], [1.5], []])
def test_question_loss_for_three_rows(question):
    y = np.linspace(-50, 50, 10_001)
    largest = (laplace(0, 2).logpdf(y) - laplace(3, 2).logpdf(y)).max()
    assert question.right == [largest < 0.51, largest < 0.88, math.isclose(largest, 1.5), largest > 1.51]


@claim("attackers.md", "plateau-of-three-rows")
def test_plateau_of_three_rows(passage):
    first, second = laplace(0, 2), laplace(3, 2)
    y = np.linspace(-40, 0, 401)
    assert np.allclose(first.logpdf(y) - second.logpdf(y), 1.5) and first.cdf(0) == 0.5
    assert passage.printed == ["1.5"]


@answers("attackers.md", "belief-after-the-release", numbers=[10, 1], choices=[[11], [20], [23.2], [27.2]])
def test_question_belief_after_the_release(question):
    share = 0.1 * math.e / (0.1 * math.e + 0.9)  # Bayes' rule with the largest ratio of likelihoods
    assert question.right == [
        0 <= float(choice.split()[0]) - 100 * share < 0.1  # rounded up, because it is a limit
        for choice in ("11 per cent", "20 per cent", "23.2 per cent", "27.2 per cent")
    ]
    assert question.printed == ["23.2", f"{10 * math.e:.1f}"]


@claim("attackers.md", "pure-loss.alt")
def test_alt_pure_loss():
    c = at_rest("attackers.md", "pure-loss")
    loss, y = c["loss of y"], c["y"]
    assert np.allclose(loss[y <= 0], 1) and np.allclose(loss[y >= 1], -1)
    assert np.allclose(loss[(y > 0) & (y < 1)], 1 - 2 * y[(y > 0) & (y < 1)])


@claim("attackers.md", "pure-odds.alt")
def test_alt_pure_odds():
    c = at_rest("attackers.md", "pure-odds")
    x, high, low = c["prior"], c["at most"], c["at least"]
    inside = (x > 0) & (x < 1)
    assert (high[inside] > x[inside]).all() and (low[inside] < x[inside]).all() and np.allclose(low, 1 - high[::-1])


# In 100 rounds: what the best attacker gets right, by adding up the larger density.
def right(density, other):
    return 100 * sum(np.maximum(density, other)) / 2


def laplace_right(scale):
    y, step = np.linspace(-60, 61, 1_210_001, retstep=True)
    return right(laplace(1, scale).pdf(y) * step, laplace(0, scale).pdf(y) * step)


@answers("attackers.md", "rounds-won-by-best-attacker", numbers=[1, 1, 100], choices=[[63], [67], [70], [73]])
def test_question_rounds_won_by_best_attacker(question):
    assert question.right == [round(laplace_right(1.0)) == number for number in (63, 67, 70, 73)]


@claim("attackers.md", "best-attacker-against-laplace", numbers=[100])
def test_best_attacker_against_laplace(passage):
    assert float(passage.printed[0]) == round(laplace_right(1.0)) < 100 * math.e / (1 + math.e)


@claim("attackers.md", "randomized-response-reaches-the-limit", numbers=[100])
def test_randomized_response_reaches_limit(passage):
    truth = math.e / (1 + math.e)
    best = right([truth, 1 - truth], [1 - truth, truth])
    assert best == pytest.approx(100 * truth) and best <= float(passage.printed[0]) < best + 0.1


@claim("attackers.md", "half-the-noise-wins-more", numbers=[100, 1])
def test_half_the_noise_wins_more(passage):
    assert float(passage.printed[0]) == round(laplace_right(0.5)) > 100 * math.e / (1 + math.e)


@claim("attackers.md", "half-the-noise-is-caught", numbers=[1, 100, 100, 1000, 1000000])
def test_half_the_noise_is_caught(passage):
    printed = passage.printed
    chances = []
    for trials in (100, 1000):
        hits = np.arange(trials + 1)
        proves = audit.epsilon(hits, trials) > 1
        chances.append(math.fsum(binom.pmf(hits[proves], trials, 1 - math.exp(-1) / 2)))
        failing = math.fsum(binom.pmf(hits[~proves], trials, 1 - math.exp(-1) / 2))
    assert float(printed[0]) == round(100 * chances[0])
    assert float(printed[1]) == pytest.approx(1e6 * failing, abs=0.05)


@claim("attackers.md", "stopping-early-accuses", numbers=[1, 1000, 100])
def test_stopping_early_accuses(passage):
    rng, games, trials = np.random.default_rng(11), 20_000, np.arange(1, 1001)
    fewest = binom.isf(0.05, trials, math.e / (1 + math.e)) + 1
    accused = 0
    for _ in range(20):
        hits = np.cumsum(rng.random((games // 20, 1000)) < math.e / (1 + math.e), axis=1)
        accused += (hits >= fewest).any(axis=1).sum()
    assert float(passage.printed[0]) == pytest.approx(100 * accused / games, abs=1.5)


@claim("attackers.md", "attack.alt", numbers=[1, 0])
def test_alt_attack():
    c = at_rest("attackers.md", "attack")
    y = np.linspace(-6, 7, 201)
    assert abs(y[c["smokes"].argmax()] - 1) < 0.07 and abs(y[c["does not smoke"].argmax()]) < 0.07
    assert np.allclose(c["smokes"], c["does not smoke"][::-1], atol=1e-6)


@claim("attackers.md", "least-epsilon-to-be-sure", numbers=[1, 1, 2, 0.05, 2, 1, 2])
def test_least_epsilon_to_be_sure(passage):
    """At the printed ε 24 hits have no more than 5 per cent, at 0.001 more they have. 23 prove less."""
    chance = [
        (math.exp(epsilon) / (1 + math.exp(epsilon))) ** 24
        for epsilon in np.array([0, 0.001]) + float(passage.names["proved"])
    ]
    assert passage.names["needed"] == 24 and chance[0] <= 0.05 < chance[1]
    assert (math.exp(2) / (1 + math.exp(2))) ** 23 > 0.05


def belief_after(weights, chances):
    """The belief that row 0 is 1, before and after an output that a table has with so high a chance."""
    before = sum(weight for rows, weight in weights.items() if rows[0])
    seen = {rows: weight * chances[sum(rows)] for rows, weight in weights.items()}
    return before, sum(weight for rows, weight in seen.items() if rows[0]) / sum(seen.values())


@claim("attackers.md", "pure-odds.caption")
def test_caption_pure_odds():
    """Three rows, a 0.5-DP count of them by discrete noise: within the band if independent, outside it in a family."""
    epsilon, counts = 0.5, np.arange(4)
    chances = math.tanh(epsilon / 2) * np.exp(-epsilon * abs(counts - 40))  # an output far above all the counts
    rows = list(product([0, 1], repeat=3))
    apart = {each: math.prod((0.7, 0.3)[bit] for bit in each) for each in rows}
    family = {(0, 0, 0): 0.7, (1, 1, 1): 0.3}
    edge = 0.3 * math.exp(epsilon) / (0.7 + 0.3 * math.exp(epsilon))
    (before, independent), (_, together) = belief_after(apart, chances), belief_after(family, chances)
    assert before == pytest.approx(0.3) and before < independent <= edge + 1e-12 < together


@claim("attackers.md", "conclusions-differ", numbers=[1])
def test_conclusions_differ(passage):
    """Two hypotheses: your row multiplies the likelihood of one by e and divides that of the other by e."""
    prior = np.linspace(0.001, 0.999, 999)
    with_row = prior * math.e / (prior * math.e + (1 - prior) / math.e)
    assert float(passage.printed[0]) == round(100 * (with_row - prior).max())


@claim("attackers.md", "bound-of-ten-right-guesses", numbers=[10, 10, 5])
def test_bound_of_ten_right_guesses(passage):
    low, high = 0.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**10 < 0.05 else (low, middle)
    *rates, bound = passage.printed
    assert set(rates) == {f"{low:.3f}"}
    assert float(bound) <= np.log(low / (1 - low)) < float(bound) + 0.01
    assert audit.epsilon(10, 10) == pytest.approx(np.log(low / (1 - low)), rel=1e-6)
