"""gdp against the profile's formula at 60 digits, and its own laws."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from dp_lib import approx, domain, gdp, rdp, zcdp

mus = st.floats(1e-6, 50)
deltas = st.floats(1e-300, 0.999)


@pytest.fixture(autouse=True, scope="module")
def sixty_digits():
    with mp.workdps(60):
        yield


def tails(mu, epsilon):
    """Φ(μ/2 - ε/μ) and e^ε Φ(-μ/2 - ε/μ), at the working precision."""
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
    root = mp.sqrt(2)
    return (
        mp.erfc((epsilon / mu - mu / 2) / root) / 2,
        mp.exp(epsilon) * mp.erfc((epsilon / mu + mu / 2) / root) / 2,
    )


def exact_epsilon(mu, delta, near):
    """Newton on log δ at 60 digits."""
    epsilon, target = mp.mpf(float(near)), mp.log(mp.mpf(float(delta)))
    for _ in range(60):
        inside, outside = tails(float(mu), epsilon)
        step = (mp.log(inside - outside) - target) * (inside - outside) / outside
        epsilon += step
        if abs(step) <= abs(epsilon) * mp.mpf(10) ** -30:
            return epsilon
    raise AssertionError("the reference has not converged")


def error(mu, delta):
    epsilon = gdp.epsilon(mu, delta)
    exact = exact_epsilon(mu, delta, epsilon)
    return float((mp.mpf(float(epsilon)) - exact) / exact)


def test_epsilon_of_a_hundred_k_is_within_1e_12_of_fifty_digits_and_errs_upward():
    for k in range(1, 501, 5):
        assert -4e-16 < error(np.sqrt(k) / 200, 1e-5) < 1e-12


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
    inside, outside = tails(mu, epsilon)
    difference = float(mp.mpf(float(gdp.delta(mu, epsilon))) / (inside - outside) - 1)
    assert -1e-15 < difference < 3e-12


def test_delta_is_the_integral_of_the_hockey_stick():
    def beyond(y):
        return max(mp.npdf(y, 0, 2) - mp.e * mp.npdf(y, 1, 2), 0)

    kink = mp.mpf("0.5") - 4  # where the loss is 1
    with mp.workdps(20):
        total = mp.quad(beyond, [-60, -20, kink])
    assert gdp.delta(gdp.gaussian(2), 1) == pytest.approx(float(total), rel=1e-12)


def test_golden_numbers():
    sums = gdp.repeat(gdp.gaussian(200), [1, 500])
    np.testing.assert_allclose(gdp.epsilon(sums, 1e-5), [0.0125134, 0.3846924], atol=5e-8)
    assert gdp.epsilon(gdp.gaussian(1), 1e-5) == pytest.approx(4.38, abs=5e-3)  # content.md's "exact 4.38"


def test_limits():
    assert gdp.epsilon(0, 1e-5) == 0
    assert gdp.delta(0, [0, 1]).tolist() == [0, 0]
    assert gdp.epsilon(1e-6, 0.5) == 0  # δ beyond the whole profile
    assert gdp.delta(1, 1e300) == 0
    assert gdp.delta(1e9, 0) == 1
    assert gdp.epsilon(1, 5e-324) > gdp.epsilon(1, 1e-300)


def test_compose_of_nothing_is_the_zero_budget():
    assert gdp.compose() == 0


def test_trade_off_ends_and_symmetry():
    np.testing.assert_array_equal(gdp.trade_off(2, [0, 1]), [1, 0])
    assert gdp.trade_off(0, 0.3) == pytest.approx(0.7)
    beta = gdp.trade_off(1.5, 0.05)
    assert gdp.trade_off(1.5, beta) == pytest.approx(0.05)  # its own inverse
    assert gdp.trade_off(3, 1e-300) == pytest.approx(ndtr(-ndtri(1e-300) - 3), rel=1e-12)


def test_trade_off_and_profile_say_the_same():
    """1 - δ(ε) - e^ε a supports the trade-off curve from below, and touches it."""
    mu, epsilon = 1.2, 0.7
    a = np.linspace(1e-6, 1 - 1e-6, 20001)
    above = gdp.trade_off(mu, a) - (1 - gdp.delta(mu, epsilon) - np.exp(epsilon) * a)
    assert above.min() == pytest.approx(0, abs=1e-8)
    assert np.all(above > -1e-12)


@given(mus, deltas)
def test_epsilon_then_delta_is_no_more_than_asked(mu, delta):
    assert gdp.delta(mu, gdp.epsilon(mu, delta)) <= delta * (1 + 1e-11)


@given(mus, deltas)
def test_no_bound_is_below_the_exact_epsilon(mu, delta):
    exact = float(gdp.epsilon(mu, delta)) * (1 - 1e-12)
    rho = zcdp.gaussian(gdp.sigma(mu))
    assert zcdp.epsilon_tight(rho, delta) >= exact
    assert zcdp.epsilon(rho, delta) >= exact
    assert rdp.best(rdp.ORDERS, [alpha * rho for alpha in rdp.ORDERS[:-1]] + [np.inf], delta)[0] >= exact


@given(mus, deltas)
def test_sigma_exact_is_the_inverse_of_epsilon(mu, delta):
    epsilon = gdp.epsilon(mu, delta)
    if epsilon > 1e-6 * mu:
        noise = approx.sigma_exact(epsilon, delta)
        assert noise == pytest.approx(gdp.sigma(mu), rel=1e-9)


@given(mus, st.floats(1.0001, 5), deltas)
def test_epsilon_grows_with_mu_and_shrinks_with_delta(mu, factor, delta):
    assert gdp.epsilon(factor * mu, delta) >= gdp.epsilon(mu, delta)
    assert gdp.epsilon(mu, delta / factor) >= gdp.epsilon(mu, delta)


@given(mus, st.integers(0, 12))
def test_repeat_is_compose_k_times(mu, k):
    assert gdp.repeat(mu, k) == pytest.approx(gdp.compose(*[mu] * k), rel=1e-14)


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e3))
def test_noise_to_budget_to_noise(sigma, sensitivity):
    assert gdp.sigma(gdp.gaussian(sigma, sensitivity), sensitivity) == pytest.approx(sigma, rel=1e-14)


def test_group_of_one_is_the_budget():
    assert gdp.group(0.7, 1) == 0.7


def test_everything_broadcasts():
    assert gdp.epsilon(np.ones((3, 1)), np.full(4, 1e-5)).shape == (3, 4)
    assert gdp.delta([[1.0], [2.0]], [0.5, 1.0]).shape == (2, 2)
    assert np.ndim(gdp.epsilon(1, 1e-5)) == 0


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf, [0.1, -0.1], "1", None, True, 1 + 0j])
def test_a_bad_mu_raises_and_leaves_a_gap(bad):
    for call in (lambda mu: gdp.epsilon(mu, 1e-5), lambda mu: gdp.delta(mu, 1), lambda mu: gdp.compose(1, mu)):
        with pytest.raises(domain.DomainError, match="mu"):
            call(bad)
    if isinstance(bad, list):
        with domain.gaps():
            assert np.isnan(gdp.epsilon(bad, 1e-5)).tolist() == [False, True]


@pytest.mark.parametrize("bad", [0, 1, -1e-5, np.nan, "1e-5", None])
def test_a_bad_delta_raises(bad):
    with pytest.raises(domain.DomainError, match="delta"):
        gdp.epsilon(1, bad)
