"""gdp against the profile's formula at 60 digits, and its own laws."""

import itertools

import exact_tails
import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr, expit, ndtr, ndtri

from dp_lib import gdp, pure

mus = st.floats(1e-6, 50)
deltas = st.floats(1e-300, 0.999)


@pytest.fixture(autouse=True, scope="module")
def sixty_digits():
    with mp.workdps(60):
        yield


def exact_epsilon(mu, delta, near):
    """Newton on log δ at 60 digits."""
    epsilon, target = mp.mpf(float(near)), mp.log(mp.mpf(float(delta)))
    for _ in range(60):
        inside, outside = exact_tails.gaussian(float(mu), epsilon)
        step = (mp.log(inside - outside) - target) * (inside - outside) / outside
        epsilon += step
        if abs(step) <= abs(epsilon) * mp.mpf(10) ** -30:
            return epsilon
    raise AssertionError("the reference has not converged")


def error(mu, delta):
    epsilon = gdp.epsilon(mu, delta)
    exact = exact_epsilon(mu, delta, epsilon)
    return float((mp.mpf(float(epsilon)) - exact) / exact)


@pytest.mark.parametrize("sigma", [1e-3, 0.1, 1, 30, 200, 1e4, 1e6])
@pytest.mark.parametrize("k", [1, 1e3, 1e12])
@pytest.mark.parametrize("delta", [1e-320, 1e-300, 1e-100, 1e-12, 1e-5, 0.1])
def test_epsilon_is_right_to_1e_12_from_the_smallest_delta_to_the_largest_k(sigma, k, delta):
    mu = np.sqrt(k) / sigma
    if delta < 0.8 * gdp.delta(mu, 0):
        assert -4e-16 < error(mu, delta) < 1e-12
    else:
        assert gdp.epsilon(mu, delta) >= 0


@pytest.mark.parametrize("mu", [5, 20, 1e3, 1e8])
@pytest.mark.parametrize("missing", [0.5, 1e-3, 1e-8, 1e-15])
def test_epsilon_is_right_for_delta_close_to_1(mu, missing):
    if 1 - missing < gdp.delta(mu, 0):
        assert -4e-16 < error(mu, 1 - missing) < 1e-12


@pytest.mark.parametrize("mu", [1e-8, 1e-4, 3.9e-3, 4.1e-3, 0.1, 3])
@pytest.mark.parametrize("share", [0.9, 0.99, 0.9999])
def test_epsilon_next_to_zero_is_right_in_units_of_mu(mu, share):
    delta = share * float(gdp.delta(mu, 0))
    epsilon = gdp.epsilon(mu, delta)
    assert -1e-15 * mu < float(mp.mpf(float(epsilon)) - exact_epsilon(mu, delta, epsilon)) < 1e-12 * mu


@pytest.mark.parametrize("mu", [1e-9, 1e-6, 3.9e-3, 4.1e-3, 0.5, 3, 30])
@pytest.mark.parametrize("widths", [-3, 0, 0.5, 5, 36])
def test_delta_is_the_difference_of_the_two_tails(mu, widths):
    epsilon = max(mu * (mu / 2 + widths), 0)
    exact = exact_tails.delta(exact_tails.gaussian(mu, epsilon))
    difference = float(mp.mpf(float(gdp.delta(mu, epsilon))) / exact - 1)
    assert -1e-15 < difference < 3e-12


def test_limits():
    assert gdp.epsilon(0, 1e-5) == 0
    assert gdp.delta(0, [0, 1]).tolist() == [0, 0]
    assert gdp.epsilon(1e-6, 0.5) == 0  # δ beyond the whole profile
    assert gdp.delta(1, 1e300) == 0
    assert gdp.delta(1e9, 0) == 1
    assert gdp.epsilon(1, 5e-324) > gdp.epsilon(1, 1e-300)


def test_trade_off_ends_and_symmetry():
    np.testing.assert_array_equal(gdp.trade_off(2, [0, 1]), [1, 0])
    assert gdp.trade_off(0, 0.3) == pytest.approx(0.7)
    beta = gdp.trade_off(1.5, 0.05)
    assert gdp.trade_off(1.5, beta) == pytest.approx(0.05)  # its own inverse
    assert gdp.trade_off(3, 1e-300) == pytest.approx(ndtr(-ndtri(1e-300) - 3), rel=1e-12)


@given(mus, st.floats(1.0001, 5), deltas)
def test_epsilon_grows_with_mu_and_shrinks_with_delta(mu, factor, delta):
    assert gdp.epsilon(factor * mu, delta) >= gdp.epsilon(mu, delta)
    assert gdp.epsilon(mu, delta / factor) >= gdp.epsilon(mu, delta)


# The theorems of the chapter on Gaussian differential privacy


def test_the_privacy_loss_test_is_the_best_of_all_tests():
    """Every deterministic test on five outcomes, against the lower hull of the loss's own tests."""
    p, q = np.array([0.4, 0.3, 0.15, 0.1, 0.05]), np.array([0.05, 0.15, 0.2, 0.25, 0.35])
    order = np.argsort(q / p)
    alarms, misses = np.append(0, np.cumsum(q[order])), np.append(1, 1 - np.cumsum(p[order]))
    every = np.array(list(itertools.product([0, 1], repeat=5)))
    assert np.all(1 - every @ p >= np.interp(every @ q, alarms, misses) - 1e-12)


def test_post_processing_never_helps_a_test():
    """Release only whether N(μ, 1) or N(0, 1) is above c: its best tests stay above the curve."""
    mu, cut, a = 1.3, np.linspace(-3, 4, 29)[:, None], np.linspace(0, 1, 101)
    corner_alarm, corner_miss = ndtr(-cut), ndtr(cut - mu)
    steep = 1 - a * (1 - corner_miss) / corner_alarm
    flat = corner_miss * (1 - a) / (1 - corner_alarm)
    assert np.all(np.maximum(steep, flat) >= gdp.trade_off(mu, a) - 1e-12)


def test_gaussian_mechanism_has_the_trade_off_of_its_mu():
    """Thresholds on N(0, σ²) and N(Δ, σ²), by mpmath."""
    sigma, sensitivity = 2.5, 1.5
    for t in (-3, 0.2, 1, 6):
        alarm, miss = 1 - mp.ncdf(t / sigma), mp.ncdf((t - sensitivity) / sigma)
        found = gdp.trade_off(gdp.gaussian(sigma, sensitivity), float(alarm))
        assert found == pytest.approx(float(miss), rel=1e-12)


def test_trade_off_is_the_envelope_of_its_tangents():
    mu, epsilon = 1.2, np.linspace(0, 12, 4001)
    for a in (1e-6, 1e-3, 0.05, 0.25):  # the steep half: a <= Φ(-μ/2)
        assert np.max(1 - gdp.delta(mu, epsilon) - np.exp(epsilon) * a) == pytest.approx(gdp.trade_off(mu, a), abs=1e-6)


def test_composition_is_one_gaussian_at_the_euclidean_distance():
    """E δ_μ2(ε - L1) for the first loss L1 ~ N(μ1²/2, μ1²), integrated, is δ at √(μ1² + μ2²)."""
    one, two, epsilon = 0.8, 1.1, 0.9

    def second(z):
        return exact_tails.delta(exact_tails.gaussian(two, epsilon - one**2 / 2 - one * z))

    total = mp.quad(lambda z: mp.npdf(z) * second(z), [-12, -4, 0, 4, 12])
    assert gdp.delta(gdp.compose(one, two), epsilon) == pytest.approx(float(total), rel=1e-10)


@pytest.mark.parametrize("epsilon_0, k", [(0.1, 25), (0.1, 400), (0.5, 100), (1, 64)])
def test_central_limit_holds_within_its_error(epsilon_0, k):
    """k coins: at each threshold both error rates, exactly binomial, against G_μ moved by γ."""
    mean, deviation = epsilon_0 * np.tanh(epsilon_0 / 2), epsilon_0 / np.cosh(epsilon_0 / 2)
    truth = expit(epsilon_0)
    third = truth * (epsilon_0 - mean) ** 3 + (1 - truth) * (epsilon_0 + mean) ** 3
    mu, gamma = 2 * np.sqrt(k) * mean / deviation, 0.56 * third / deviation**3 / np.sqrt(k)
    assert mu == pytest.approx(2 * np.sqrt(k) * np.sinh(epsilon_0 / 2), rel=1e-12)
    lies = np.arange(k)
    alarm, miss = bdtr(lies, k, truth), 1 - bdtr(lies, k, 1 - truth)  # "P" if there are at most so many lies
    assert np.all(miss >= gdp.trade_off(mu, np.minimum(alarm + gamma, 1)) - gamma)
    assert np.all(miss <= gdp.trade_off(mu, np.maximum(alarm - gamma, 0)) + gamma)


# --- from pure DP ---


@pytest.mark.parametrize("epsilon", [1e-12, 1e-6, 1e-3, 0.0299, 0.03, 0.1, 1, 5, 30, 300, 700])
def test_from_pure_is_the_normal_pair_that_meets_randomized_response(epsilon):
    found = mp.mpf(float(gdp.from_pure(epsilon)))
    target = -mp.log1p(mp.exp(mp.mpf(epsilon)))  # ln Φ(-μ/2)
    tail = mp.erfc(found / 2 / mp.sqrt(2)) / 2
    slope = -mp.npdf(found / 2) / 2 / tail
    assert float((target - mp.log(tail)) / slope / found) == pytest.approx(0, abs=2e-14)  # Newton's step from it


@given(st.floats(0, 50), st.floats(0, 1))
def test_no_test_on_randomized_response_errs_less_than_one_on_its_normal_pair(epsilon, a):
    lines = max(1 - np.exp(epsilon) * a, np.exp(-epsilon) * (1 - a))
    assert gdp.trade_off(gdp.from_pure(epsilon), a) <= lines + 1e-14


@given(st.floats(0.01, 30), st.floats(0, 1.2))
def test_profile_of_a_pure_mechanism_is_below_that_of_its_normal_pair_and_meets_it_at_zero(epsilon_0, share):
    mu = gdp.from_pure(epsilon_0)
    assert pure.delta(epsilon_0, share * epsilon_0) <= gdp.delta(mu, share * epsilon_0) * (1 + 1e-9) + 1e-15
    assert pure.delta(epsilon_0, 0) == pytest.approx(gdp.delta(mu, 0), rel=1e-12)
    assert pure.delta(epsilon_0, 0) >= gdp.delta(mu * (1 - 1e-6), 0)


def test_from_pure_at_its_ends():
    assert gdp.from_pure(0) == 0
    assert np.all(np.diff(gdp.from_pure(np.linspace(0, 0.06, 401))) > 0)  # through the change of formula
