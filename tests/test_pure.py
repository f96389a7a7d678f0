"""pure against the definition itself, and its own laws."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from dp_lib import divergence, domain, pure

epsilons = st.floats(1e-9, 500)


def test_theorem_3_6_laplace_density_ratio_is_at_most_e_to_epsilon():
    y = np.linspace(-50, 50, 100_001)
    loss = divergence.privacy_loss(divergence.Laplace(0, 4), divergence.Laplace(1, 4), y)
    assert np.max(abs(loss)) == pytest.approx(pure.laplace(4), rel=1e-12)


def test_two_averaged_laplace_answers_still_reach_2_epsilon():
    """content.md, error 9: for ε = 1 the loss of the sum is 1.980 at a sum of -100."""

    def density_of_sum(s):
        return (1 + abs(s)) * np.exp(-abs(s)) / 4

    loss = np.log(density_of_sum(-100.0) / density_of_sum(-102.0))
    assert loss == pytest.approx(1.980, abs=5e-4)
    assert loss < pure.repeat(1, 2)


def test_vectorisation_is_composition_for_laplace_noise():
    k = np.arange(1, 100)
    np.testing.assert_allclose(pure.scale(0.5, k), pure.scale(0.5 / k), rtol=1e-15)


@given(st.integers(1, 8), st.floats(0.01, 3))
def test_k_epsilon_is_tight_the_witness(k, epsilon):
    """k truthful answers in a row: their probabilities' ratio is e^(kε)."""
    p = float(pure.truth_probability(epsilon))
    assert k * np.log(p / (1 - p)) == pytest.approx(pure.repeat(epsilon, k), rel=1e-12)


@pytest.mark.parametrize("epsilon_0", [1e-8, 0.1, 1, 20, 800])
@pytest.mark.parametrize("share", [0, 0.3, 0.999, 1, 1.5])
def test_profile_is_the_hockey_stick_of_randomized_response(epsilon_0, share):
    with mp.workdps(500):
        e_0, e = mp.mpf(epsilon_0), mp.mpf(epsilon_0 * share)
        exact = max(float((mp.exp(e_0) - mp.exp(e)) / (1 + mp.exp(e_0))), 0)
    assert pure.delta(epsilon_0, epsilon_0 * share) == pytest.approx(exact, rel=1e-14, abs=0)
    if epsilon_0 < 30:
        p, lie = expit(epsilon_0), expit(-epsilon_0)
        stick = divergence.hockey_stick([p, lie], [lie, p], epsilon_0 * share)
        assert stick == pytest.approx(exact, rel=1e-6, abs=1e-15)


@given(epsilons, st.floats(1e-300, 0.999))
def test_epsilon_is_delta_solved_for_epsilon(epsilon_0, delta):
    epsilon = pure.epsilon(epsilon_0, delta)
    assert 0 <= epsilon <= epsilon_0
    assert pure.delta(epsilon_0, epsilon) <= delta * (1 + 1e-12) + 3e-16 * (1 + epsilon_0)


def test_epsilon_at_its_ends():
    assert pure.epsilon(1, 0.4622) == 0  # δ beyond tanh(1/2)
    assert pure.epsilon(0, 0.5) == 0
    assert pure.epsilon(800, 0.5) == pytest.approx(800 - np.log(2))
    assert pure.epsilon(800, 1 - 1e-16) > 700
    assert pure.epsilon(3, 1e-300) == 3


@given(st.floats(1e-12, 1 - 1e-12))
def test_randomized_response_there_and_back(p):
    back = pure.truth_probability(pure.randomized_response(p))
    assert back == pytest.approx(max(p, 1 - p), rel=1e-12)


def test_randomized_response_near_one_half_keeps_its_digits():
    assert pure.randomized_response(0.5 + 2.0**-40) == pytest.approx(4 * 2.0**-40, rel=1e-15)
    assert pure.randomized_response(0.5) == 0


@given(st.floats(1e-6, 1e6), st.floats(1e-3, 1e3))
def test_noise_to_budget_to_noise(scale, sensitivity):
    assert pure.scale(pure.laplace(scale, sensitivity), sensitivity) == pytest.approx(scale, rel=1e-14)


@given(st.floats(0, 100), st.integers(0, 12))
def test_repeat_is_compose_k_times(epsilon, k):
    assert pure.repeat(epsilon, k) == pytest.approx(pure.compose(*[epsilon] * k), rel=1e-14)


def test_compose_of_nothing_is_the_zero_budget():
    assert pure.compose() == 0


def test_group_of_s_is_s_steps():
    assert pure.group(0.5, 4) == pure.compose(0.5, 0.5, 0.5, 0.5)


@given(st.floats(0, 0.5), st.floats(0, 5))
def test_posterior_odds_hold_for_randomized_response(prior, epsilon):
    odds = prior / (1 - prior)
    p = pure.truth_probability(epsilon)
    low, high = pure.posterior_odds(odds, epsilon)
    assert odds * p / (1 - p) == pytest.approx(high, rel=1e-12)
    assert odds * (1 - p) / p == pytest.approx(low, rel=1e-12)


def test_posterior_odds_of_nothing_released():
    assert pure.posterior_odds(3, 0) == (3, 3)
    with pytest.raises(domain.DomainError, match="<= 300"):
        pure.posterior_odds(3, 301)


def test_minimax_rate_terms_and_cap():
    np.testing.assert_allclose(pure.minimax_rate(10, 1000, 0.5), (0.01, 0.004))
    statistical, privacy = pure.minimax_rate(10, [10, 10**9], 1e-3)
    assert privacy[0] == 10  # no worse than knowing nothing
    assert statistical[0] == 1
    assert privacy[1] == pytest.approx(1e3 / (1e18 * 1e-6))


def test_everything_broadcasts():
    assert pure.epsilon(np.ones((3, 1)), np.full(4, 1e-5)).shape == (3, 4)
    assert pure.delta([[1.0], [2.0]], [0.5, 1.0]).shape == (2, 2)
    assert np.ndim(pure.delta(1, 0.5)) == 0


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf, [0.1, -0.1], "1", None, True])
def test_a_bad_epsilon_raises_and_leaves_a_gap(bad):
    calls = [
        pure.scale,
        pure.truth_probability,
        pure.compose,
        lambda epsilon: pure.repeat(epsilon, 2),
        lambda epsilon: pure.group(epsilon, 2),
        lambda epsilon: pure.epsilon(epsilon, 1e-5),
        lambda epsilon: pure.delta(epsilon, 0.5),
        lambda epsilon: pure.delta(0.5, epsilon),
        lambda epsilon: pure.posterior_odds(1, epsilon),
        lambda epsilon: pure.minimax_rate(1, 1, epsilon),
    ]
    for call in calls:
        with pytest.raises(domain.DomainError, match="epsilon"):
            call(bad)
    if isinstance(bad, list):
        with domain.gaps():
            assert np.isnan(pure.epsilon(bad, 1e-5)).tolist() == [False, True]
            assert np.isnan(pure.delta(bad, 0.01)).tolist() == [False, True]


@pytest.mark.parametrize("bad", [0, 1, -0.1, np.nan])
def test_a_bad_truth_probability_raises(bad):
    with pytest.raises(domain.DomainError, match="p must be strictly between 0 and 1"):
        pure.randomized_response(bad)


@pytest.mark.parametrize("bad", [-1, 2.5, np.nan])
def test_counts_must_be_whole(bad):
    with pytest.raises(domain.DomainError, match="k must be a whole number"):
        pure.repeat(1, bad)
    with pytest.raises(domain.DomainError, match="size must be a whole number"):
        pure.group(1, bad)
