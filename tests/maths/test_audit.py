"""Audits against exact binomial sums, SciPy's intervals, and ten thousand simulated ones."""

from math import comb

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from dp_lib import audit, domain, gdp, mechanisms, pure

counts = st.integers(1, 10**7).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
confidences = st.floats(0.5, 0.9999)


@given(counts, confidences)
def test_share_is_the_lower_end_of_the_clopper_pearson_interval(pair, confidence):
    hits, trials = pair
    expected = beta.ppf(1 - confidence, hits, trials - hits + 1) if hits else 0
    assert audit.share(hits, trials, confidence) == pytest.approx(expected, rel=1e-8, abs=4e-16)


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))), confidences)
def test_at_the_share_so_many_hits_come_no_more_often_than_the_level_says(pair, confidence):
    hits, trials = pair
    with mp.workdps(40):
        p = mp.mpf(float(audit.share(hits, trials, confidence)))
        tail = mp.fsum(comb(trials, h) * p**h * (1 - p) ** (trials - h) for h in range(hits, trials + 1))
        assert abs(tail - (1 - mp.mpf(confidence))) < 1e-12


@given(st.floats(0, 30), st.floats(0, 0.99))
def test_a_bound_at_the_largest_hit_rate_gives_epsilon_back(epsilon, delta):
    rate = audit.hit_rate(epsilon, delta)
    with mp.workdps(40):
        exact = (mp.exp(epsilon) + mp.mpf(delta)) / (mp.exp(epsilon) + 1)
        assert abs(mp.mpf(float(rate)) - exact) < 2.3e-16
        assert abs(mp.log((exact - mp.mpf(delta)) / (1 - exact)) - epsilon) < 1e-20


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
@pytest.mark.parametrize("delta", [0, 0.01])
@pytest.mark.parametrize("trials", [10, 100, 1000])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_best_attacker_is_believed_too_much_no_more_often_than_the_level_says(epsilon, delta, trials, confidence):
    hits = np.arange(trials + 1)
    wrong = audit.epsilon(hits, trials, delta, confidence) > epsilon
    assert binom.pmf(hits[wrong], trials, audit.hit_rate(epsilon, delta)).sum() <= 1 - confidence


def test_ten_thousand_simulated_audits_keep_their_level():
    rng, audits, trials, epsilon = np.random.default_rng(20261122), 10_000, 400, 1.0
    row = rng.integers(0, 2, (audits, trials))
    hits = (mechanisms.randomized_response(row, epsilon, rng) == row).sum(axis=1)
    wrong = (audit.epsilon(hits, trials) > epsilon).mean()
    assert 0.03 < wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / audits)
    half_the_noise = (mechanisms.randomized_response(row, 2 * epsilon, rng) == row).sum(axis=1)
    assert (audit.epsilon(half_the_noise, trials) > epsilon).mean() > 0.999


def test_ten_thousand_simulated_tests_keep_their_level():
    rng, audits, trials, sigma, delta = np.random.default_rng(7), 10_000, 2000, 1.0, 1e-5
    epsilon = gdp.epsilon(gdp.gaussian(sigma), delta)
    threshold = 2.2
    detections = rng.binomial(trials, 1 - below(threshold - 1), audits)
    alarms = rng.binomial(trials, 1 - below(threshold), audits)
    bounds = audit.epsilon_of_test(detections, alarms, trials, delta)
    assert (bounds > epsilon).mean() <= 0.05
    assert np.median(bounds) > np.median(audit.epsilon(detections + trials - alarms, 2 * trials, delta))


def below(x):
    return float(mp.ncdf(x))


@given(counts, st.floats(0, 1), confidences)
def test_bound_is_never_negative_and_falls_with_delta_and_confidence(pair, delta, confidence):
    hits, trials = pair
    bound = audit.epsilon(hits, trials, delta, confidence)
    assert bound >= 0
    assert bound >= audit.epsilon(hits, trials, min(1, delta + 0.1), confidence)
    assert bound >= audit.epsilon(hits, trials, delta, (1 + confidence) / 2)
    assert bound <= audit.epsilon(min(hits + 1, trials), trials, delta, confidence)


def test_a_test_that_never_speaks_proves_nothing():
    assert audit.epsilon_of_test(0, 0, 1000) == 0
    assert audit.epsilon_of_test(1000, 0, 1000) > pure.randomized_response(0.99)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: audit.share(11, 10), r"hits must be <= trials, got 11\.0"),
        (lambda: audit.epsilon([3, 11], 10), r"hits\[1\] must be <= trials, got 11\.0"),
        (lambda: audit.epsilon_of_test(11, 0, 10), "detections must be <= trials"),
        (lambda: audit.epsilon_of_test(1, 11, 10), "alarms must be <= trials"),
    ],
)
def test_more_hits_than_trials_are_refused(function, message):
    with pytest.raises(domain.DomainError, match=message):
        function()
