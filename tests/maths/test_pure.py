"""pure against the definition itself, and its own laws."""

import functools
import itertools

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import laplace

from dp_lib import divergence, mechanisms, pure

epsilons = st.floats(1e-9, 500)


def test_theorem_3_6_laplace_density_ratio_is_at_most_e_to_epsilon():
    y = np.linspace(-50, 50, 100_001)
    loss = divergence.privacy_loss(divergence.Laplace(0, 4), divergence.Laplace(1, 4), y)
    assert np.max(abs(loss)) == pytest.approx(pure.laplace(4), rel=1e-12)


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


def test_minimax_rate_terms_and_cap():
    np.testing.assert_allclose(pure.minimax_rate(10, 1000, 0.5), (0.01, 0.004))
    statistical, privacy = pure.minimax_rate(10, [10, 10**9], 1e-3)
    assert privacy[0] == 10  # no worse than knowing nothing
    assert statistical[0] == 1
    assert privacy[1] == pytest.approx(1e3 / (1e18 * 1e-6))


# The theorems of the chapter, each checked against the definition.


def response(bit, epsilon):
    """Randomized response to one bit, as probabilities of 0 and 1."""
    p = float(pure.truth_probability(epsilon))
    return np.array([1 - p, p] if bit else [p, 1 - p])


def responses(bits, epsilon):
    """Randomized response to every bit of a table: the probabilities of all their reports."""
    return functools.reduce(np.kron, [response(bit, epsilon) for bit in bits])


def worst(p, q):
    """The largest privacy loss, either way."""
    return max(divergence.renyi(p, q, np.inf), divergence.renyi(q, p, np.inf))


def random_pair(rng, size, epsilon_0):
    """A random pair of distributions whose losses stay within ±ε₀."""
    q = rng.dirichlet(np.ones(size))
    p = q * np.exp(rng.uniform(-epsilon_0 / 2, epsilon_0 / 2, size))
    return p / p.sum(), q


def test_thm_pure_densities_no_event_is_worse_than_its_worst_outcome():
    p, q = random_pair(np.random.default_rng(1), 8, 2)
    events = [list(event) for size in range(1, 9) for event in itertools.combinations(range(8), size)]
    ratios = [p[event].sum() / q[event].sum() for event in events]
    assert np.log(max(ratios)) == pytest.approx(divergence.renyi(p, q, np.inf), rel=1e-12)


def test_thm_pure_laplace_on_a_vector_charges_its_l1_distance():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(50, 4)), 5 * rng.normal(size=(50, 4))
    z = x + rng.dirichlet(np.ones(4), 50) * rng.choice([-2, 2], (50, 4))
    scale = pure.scale(0.7, 2)
    assert abs(z - x).sum(axis=1) == pytest.approx(2)
    loss = divergence.privacy_loss(divergence.Laplace(x, scale), divergence.Laplace(z, scale), y).sum(axis=1)
    assert np.all(abs(loss) <= 0.7 * (1 + 1e-12))
    below = divergence.privacy_loss(divergence.Laplace(0, scale), divergence.Laplace(2, scale), -1)
    assert below == pytest.approx(0.7)


def test_thm_pure_group_the_loss_of_three_replaced_rows_is_three_epsilon():
    assert worst(responses([0, 0, 0, 1], 0.4), responses([1, 1, 1, 1], 0.4)) == pytest.approx(pure.group(0.4, 3))


def test_thm_pure_odds_when_the_other_row_is_uncertain():
    """Two rows; the attacker does not know the other one, and sees the number of reported ones."""
    epsilon, other, prior = 0.8, 0.3, 0.2
    joint = {bit: (1 - other) * responses([bit, 0], epsilon) + other * responses([bit, 1], epsilon) for bit in (0, 1)}
    seen = {bit: np.array([p[0], p[1] + p[2], p[3]]) for bit, p in joint.items()}
    posterior = prior / (1 - prior) * seen[1] / seen[0]
    low, high = pure.posterior_odds(prior / (1 - prior), epsilon)
    assert (posterior.min(), posterior.max()) == (pytest.approx(low, rel=1e-12), pytest.approx(high, rel=1e-12))


def test_thm_pure_compose_when_the_second_query_depends_on_the_first_answer():
    def both(table):
        first = response(table[0], 0.3)
        second = [response(table[0] ^ table[1], 0.5), response(table[1], 0.5)]  # chosen by the first answer
        return np.concatenate([first[answer] * second[answer] for answer in (0, 1)])

    losses = [worst(both(a), both(b)) for a, b in [((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 0), (0, 1))]]
    assert max(losses) == pytest.approx(pure.compose(0.3, 0.5))


@pytest.mark.parametrize("k", [1, 3, 6])
def test_thm_pure_tight_laplace_loss_is_k_epsilon_with_probability_two_to_minus_k(k):
    here, there = divergence.Laplace(0, pure.scale(0.3)), divergence.Laplace(1, pure.scale(0.3))
    noise = np.random.default_rng(4).laplace(scale=pure.scale(0.3), size=(40_000, k))
    reached = np.isclose(divergence.privacy_loss(here, there, noise).sum(axis=1), pure.repeat(0.3, k), rtol=1e-12)
    assert np.array_equal(reached, (noise <= 0).all(axis=1))
    assert reached.mean() == pytest.approx(0.5**k, abs=0.01)


def test_thm_pure_parallel_maximum_if_a_row_leaves_and_sum_if_it_moves():
    def loss(before, after, answers):
        scales = pure.scale([0.3, 0.5])
        pair = divergence.Laplace(np.array(before), scales), divergence.Laplace(np.array(after), scales)
        return divergence.privacy_loss(*pair, answers).sum(axis=-1)

    grid = np.stack(np.meshgrid(np.linspace(-20, 40, 601), np.linspace(-20, 40, 601)), axis=-1)
    assert abs(loss([9, 7], [9, 6], grid)).max() == pytest.approx(0.5)
    assert abs(loss([9, 7], [8, 8], grid)).max() == pytest.approx(pure.compose(0.3, 0.5))


@pytest.mark.parametrize("epsilon", [0.2, 1, 4])
def test_thm_pure_response_estimate_is_unbiased_with_the_stated_deviation(epsilon):
    table = [1, 1, 0, 0, 0, 1]
    p = pure.truth_probability(epsilon)
    shares = np.array([np.mean(reports) for reports in itertools.product((0, 1), repeat=len(table))])
    estimates = (shares - (1 - p)) / (2 * p - 1)
    probabilities = responses(table, epsilon)
    assert probabilities @ estimates == pytest.approx(0.5, abs=1e-12)
    deviation = np.sqrt(probabilities @ (estimates - 0.5) ** 2)
    assert deviation == pytest.approx(1 / (2 * np.sinh(epsilon / 2) * np.sqrt(6)), rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 4), st.floats(0, 1))
def test_thm_pure_profile_no_mechanism_exceeds_that_of_randomized_response(seed, epsilon_0, share):
    p, q = random_pair(np.random.default_rng(seed), 5, epsilon_0)
    epsilon = share * epsilon_0
    assert divergence.hockey_stick(p, q, epsilon) <= pure.delta(worst(p, q), epsilon) + 1e-12


def test_thm_pure_mean_clipped_numbers_move_it_by_at_most_2_bound_over_n():
    def mean(values):
        return np.mean(np.clip(values, -2, 2))

    tables = list(itertools.product((-9, -2, 0.5, 2, 7), repeat=3))
    moves = [
        abs(mean(a) - mean(b)) for a in tables for b in tables if sum(x != y for x, y in zip(a, b, strict=True)) == 1
    ]
    assert max(moves) == pytest.approx(2 * 2 / 3)


def test_thm_pure_minimax_error_of_the_laplace_mean():
    d, n, epsilon, rng = 4, 20, 0.5, np.random.default_rng(5)
    means = rng.choice([-1, 1], (4000, n, d)).mean(axis=1)
    error = ((means + rng.laplace(scale=pure.scale(epsilon, 2 * d / n), size=means.shape)) ** 2).sum(axis=1).mean()
    assert error == pytest.approx(d / n + 8 * d**3 / (n * epsilon) ** 2, rel=0.05)


def test_thm_pure_minimax_sign_vectors_of_the_packing_exist_and_suffice():
    d, chosen = 10, []
    for vector in itertools.product((-1, 1), repeat=d):
        if all(np.sum(np.array(vector) != other) >= d / 4 for other in chosen):
            chosen.append(np.array(vector))
    assert len(chosen) >= np.exp(d / 8)
    assert np.exp(23 / 8 - 23 / 16) / 4 > 1 > np.exp(22 / 8 - 22 / 16) / 4


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 5))
def test_thm_pure_exponential_and_range(seed, epsilon):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0, 9, 7)
    p, q = (mechanisms.exponential_weights(each, 1, epsilon) for each in (scores, scores + rng.choice([-1, 1], 7)))
    loss = divergence.privacy_loss(p, q)
    assert abs(loss).max() <= epsilon * (1 + 1e-9)
    assert np.ptp(loss) <= epsilon * (1 + 1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 5), st.floats(0, 5))
def test_thm_pure_exponential_is_seldom_far_from_the_best(seed, epsilon, t):
    scores = np.random.default_rng(seed).uniform(0, 60, 12)
    far = scores.max() - scores > 2 / epsilon * (np.log(12) + t)
    assert mechanisms.exponential_weights(scores, 1, epsilon)[far].sum() <= np.exp(-t)


def stops(counts, epsilon):
    """Probabilities that sparse vector, with threshold 0, stops at the first, second, ... count, or never."""
    noise = np.linspace(-60 / epsilon, 60 / epsilon, 24_001)
    density = np.exp(-abs(noise) * epsilon / 2) * epsilon / 4
    below = np.array([laplace.cdf(noise - count, scale=4 / epsilon) for count in counts])
    passed = np.cumprod(np.vstack([np.ones_like(noise), below]), axis=0)
    events = np.vstack([passed[:-1] * (1 - below), passed[-1:]])
    return (events * density).sum(axis=1) * (noise[1] - noise[0])


@pytest.mark.parametrize("epsilon", [0.3, 1, 3])
def test_thm_pure_sparse_no_stopping_place_is_more_than_e_to_epsilon_likelier(epsilon):
    rng = np.random.default_rng(7)
    for _ in range(20):
        counts = rng.integers(-6, 4, 6)
        p, q = stops(counts, epsilon), stops(counts + rng.integers(-1, 2, 6), epsilon)
        assert p.sum() == pytest.approx(1, abs=1e-4)
        assert abs(np.log(p / q)).max() <= epsilon + 1e-3
    p, q = stops(np.append(np.zeros(60), 1), epsilon), stops(np.append(np.ones(60), 0), epsilon)
    assert abs(np.log(p[60] / q[60])) > 0.5 * epsilon  # the budget is not idle


def test_thm_pure_sparse_accuracy():
    epsilon, k, beta, rng = 1.0, 40, 0.1, np.random.default_rng(8)
    a = 8 / epsilon * np.log(2 * k / beta)
    threshold = rng.laplace(scale=2 / epsilon, size=(5000, 1))
    noisy = rng.laplace(scale=4 / epsilon, size=(5000, k))
    assert ((abs(threshold) > a / 2) | (abs(noisy) > a / 2)).any(axis=1).mean() < beta
