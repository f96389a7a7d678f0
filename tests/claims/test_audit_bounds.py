"""Checks of chapters/audit_bounds.md."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from claims import answers, at_rest, claim
from claims.test_auditing import coin_right, laplace_right, proving, tail
from dp_lib import audit


@claim("audit_bounds.md", "worse-ends-of-two-rates", numbers=[90, 10, 1000, 0])
def test_worse_ends_of_two_rates(passage):
    """Clopper-Pearson ends by the beta distribution, and each printed number on the safe side of its end."""
    true_end, false_end = stats.beta.ppf(0.025, 90, 911), stats.beta.ppf(0.975, 11, 990)
    true_printed, false_printed, proved = map(float, passage.printed)
    assert true_printed <= true_end < true_printed + 1e-3 and false_printed - 1e-4 < false_end <= false_printed
    assert proved <= math.log(true_end / false_end) < proved + 0.01


@answers(
    "audit_bounds.md", "runs-needed-to-catch", numbers=[20, 1, 1, 0.95], choices=[[2000], [20000], [200000], [2000000]]
)
def test_question_runs_needed_to_catch(question):
    rng, audits = np.random.default_rng(6), 40_000

    def caught(trials):
        rates = stats.laplace(1, 0.8).sf(1), stats.laplace(0, 0.8).sf(1)
        detections, alarms = (rng.binomial(trials, rate, audits) for rate in rates)
        pairs, times = np.unique([detections, alarms], axis=1, return_counts=True)
        return times[audit.epsilon_of_test(*pairs, trials) > 1].sum() / audits

    enough = int(question.printed[0])
    assert caught(enough) > 0.945 and caught(enough - 200) < 0.95
    assert question.right == [1500 < enough < 2500, enough > 10_000, enough > 100_000, enough > 1_000_000]


@claim("audit_bounds.md", "runs-of-the-sharper-test", numbers=[1.25, 1, 0, 1])
def test_runs_of_the_sharper_test(passage):
    assert passage.printed == [str(passage.names["enough"])]  # which the question's check counts in audits

    def odds(y):
        return stats.laplace(1, 0.8).logpdf(y) - stats.laplace(0, 0.8).logpdf(y)

    assert np.allclose(odds(np.linspace(1, 20, 100)), 1.25) and (abs(odds(np.linspace(0.01, 0.99, 99))) < 1.25).all()


@claim("audit_bounds.md", "audit-proof.alt")
def test_alt_audit_proof():
    c = at_rest("audit_bounds.md", "audit-proof")
    gap = c["in the long run"] - c["proved"]
    assert gap[0] > 0.5 and 0 <= gap[-1] < 0.01 and gap[100] < gap[20]


@claim("audit_bounds.md", "audits-of-training", numbers=[0])
def test_audits_of_training():
    """Two rates prove far more than the same counts as guesses: Clopper-Pearson ends by the beta distribution."""
    true_end, false_end = stats.beta.ppf(0.025, 60, 941), stats.beta.ppf(0.975, 6, 995)
    share = stats.beta.ppf(0.05, 1055, 946)
    assert math.log(true_end / false_end) > 30 * math.log(share / (1 - share))


@claim("audit_bounds.md", "one-run-is-binomial")
def test_one_run_is_binomial():
    """Mechanisms on three coins that are ε-DP by construction, and attackers who guess at some of them, at random."""
    rng, epsilon = np.random.default_rng(11), 1.0
    tables = list(itertools.product((0, 1), repeat=3))
    rate = coin_right(epsilon)
    worst = 0.0
    for trial in range(300):
        if trial % 3:  # exponential weights: a score that one row moves by at most 1
            parts = rng.uniform(0, 1, (3, 2, 6))
            score = np.array([sum(parts[i][row[i]] for i in range(3)) for row in tables])
            mass = np.exp(epsilon / 2 * score)
            mass /= mass.sum(axis=1, keepdims=True)
        else:  # each row by its own randomized response
            mass = np.array(
                [
                    [math.prod(rate if r == a else 1 - rate for r, a in zip(row, y, strict=True)) for y in tables]
                    for row in tables
                ]
            )
        for row, other in itertools.combinations(range(8), 2):
            if sum(a != b for a, b in zip(tables[row], tables[other], strict=True)) == 1:
                assert abs(np.log(mass[row] / mass[other])).max() <= epsilon + 1e-9
        outputs = mass.shape[1]
        for _ in range(20):
            if trial % 3:
                guess = rng.integers(-1, 2, (outputs, 3))  # -1 is a blank
            else:
                guess = np.where(rng.random((outputs, 3)) < 0.3, -1, np.array(tables))
            made, right = (
                (guess >= 0).sum(axis=1),
                np.array([((guess == row) & (guess >= 0)).sum(axis=1) for row in tables]),
            )
            for k in set(made) - {0}:
                given = mass[:, made == k].sum()
                for hits in range(1, k + 1):
                    chance = (mass * ((made == k) & (right >= hits))).sum() / given
                    assert chance <= tail(hits, k, rate) + 1e-12
                    worst = max(worst, chance / tail(hits, k, rate))
    assert worst == pytest.approx(1)  # randomized response reaches it


@claim("audit_bounds.md", "twelve-guesses-about-one-run", numbers=[12, 12, 95])
def test_twelve_guesses_about_one_run(passage):
    p = 0.05 ** (1 / 12)
    shown = float(passage.printed[0])
    assert shown <= math.log(p / (1 - p)) < shown + 0.01


@claim("audit_bounds.md", "one-run-of-an-exact-count", numbers=[100, 50, 4, 100])
def test_one_run_of_an_exact_count(passage):
    coins = np.random.default_rng(12).integers(0, 2, (200_000, 100))
    assert abs(coins.sum(axis=1) - 50).mean() == pytest.approx(4, abs=0.1)
    guess = coins.sum(axis=1, keepdims=True) >= 50
    assert float(passage.printed[0]) == pytest.approx(100 * (coins == guess).mean(), abs=0.6)


@claim("audit_bounds.md", "test-needs-fewer-runs")
def test_test_needs_fewer_runs():
    """At 20% too little Laplace noise, 4000 runs are enough for the test, and for few audits by guesses."""
    rng = np.random.default_rng(14)
    detections, alarms = (rng.binomial(2000, stats.laplace(at, 0.8).sf(1), 4000) for at in (1, 0))
    by_test = (audit.epsilon_of_test(detections, alarms, 2000) > 1).mean()
    assert by_test > 0.9 > 5 * proving(laplace_right(0.8), 4000)
