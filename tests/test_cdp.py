"""cdp against the definition, the counter-example to post-processing, and its own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from dp_lib import cdp, divergence, domain, gdp, rdp, zcdp

budgets = st.tuples(st.floats(1e-9, 100), st.floats(1e-6, 100))
deltas = st.floats(1e-300, 0.999)


def log_mgf(p, q, t):
    """ln E[e^(t(L - E L))] of the loss of two discrete distributions."""
    p = np.asarray(p)
    loss = divergence.privacy_loss(p, q)
    mean = divergence.kl(p, q)
    return logsumexp(np.multiply.outer(t, loss - mean), axis=-1, b=p)


def test_loss_of_a_gaussian_is_normal_with_this_mean_and_width():
    rng = np.random.default_rng(1)
    sigma = 3.0
    p, q = divergence.Normal(0, sigma), divergence.Normal(1, sigma)
    loss = divergence.privacy_loss(p, q, sigma * rng.standard_normal(10**6))
    mu, tau = cdp.gaussian(sigma)
    assert loss.mean() == pytest.approx(mu, abs=5 * tau / 1e3)
    assert loss.std() == pytest.approx(tau, rel=5e-3)
    assert divergence.kl(p, q) == pytest.approx(mu, rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1, 4])
def test_randomized_response_is_subgaussian_with_the_standard_of_from_pure(epsilon):
    mu, tau = cdp.from_pure(epsilon)
    p = 1 / (1 + np.exp(-epsilon))
    t = np.concatenate([-np.logspace(2, -2, 50), np.logspace(-2, 2, 50)])
    t = t[abs(t) * epsilon < 500]
    assert np.all(log_mgf([p, 1 - p], [1 - p, p], t) <= (t * tau) ** 2 / 2 + 1e-12)
    assert divergence.kl([p, 1 - p], [1 - p, p]) == pytest.approx(mu, rel=1e-12)


def test_from_pure_improves_on_the_first_constant():
    """content.md: at ε = 1 Dwork & Rothblum's mean is .859, this one .462."""
    assert np.expm1(1) / 2 == pytest.approx(0.859, abs=5e-4)
    assert cdp.from_pure(1).mu == pytest.approx(0.462, abs=5e-4)


def test_cdp_is_not_closed_under_post_processing():
    """content.md: of (2,2)-CDP release only 1[y < -2]: τ is 2.3513 then; it stays 2-zCDP."""
    p, q = 0.022750131948179195, 3.167124183311992e-05  # Φ(-2), Φ(-4)
    binary = [p, 1 - p], [q, 1 - q]
    np.testing.assert_allclose(divergence.privacy_loss(*binary), [6.5769, -0.02298], atol=5e-5)
    t = np.linspace(0.05, 3, 2000)
    tau = np.sqrt(np.max(2 * log_mgf(*binary, t) / t**2))
    assert tau == pytest.approx(2.3513, abs=5e-4)
    assert cdp.gaussian(0.5) == (2, 2)
    alpha = 1 + np.logspace(-3, 3, 50)
    assert np.all(divergence.renyi(*binary, alpha) <= rdp.from_zcdp(alpha, cdp.to_zcdp((2, 2))))


def test_to_zcdp_takes_the_larger():
    assert cdp.to_zcdp((3, 1)) == 3
    assert cdp.to_zcdp((0.1, 2)) == 2
    assert cdp.to_zcdp(cdp.gaussian(7)) == pytest.approx(zcdp.gaussian(7), rel=1e-15)


@given(st.floats(1e-3, 1e3), deltas)
def test_conversion_is_never_below_the_exact_epsilon(sigma, delta):
    epsilon = cdp.epsilon(cdp.gaussian(sigma), delta)
    assert epsilon >= gdp.epsilon(gdp.gaussian(sigma), delta)
    assert epsilon == pytest.approx(zcdp.epsilon(zcdp.gaussian(sigma), delta), rel=1e-12)


@given(budgets, deltas)
def test_delta_is_epsilon_solved_for_delta(budget, delta):
    mu, tau = budget
    epsilon = cdp.epsilon(budget, delta)
    blur = 1e-15 * epsilon / tau * np.sqrt(-2 * np.log(delta))
    assert np.log(cdp.delta(budget, epsilon)) == pytest.approx(np.log(delta), rel=1e-9, abs=2 * blur + 1e-12)
    assert cdp.delta(budget, mu / 2) == 1


def test_delta_at_its_ends():
    assert cdp.delta((0, 0), 0) == 0
    assert cdp.delta((1, 0), [0.5, 1, 2]).tolist() == [1, 0, 0]
    assert cdp.delta((1, 1e-300), 2) == 0
    assert cdp.delta((1, 1), 1e300) == 0
    assert cdp.epsilon((0, 0), 1e-5) == 0


@given(budgets, st.integers(0, 12))
def test_repeat_is_compose_k_times(budget, k):
    np.testing.assert_allclose(cdp.repeat(budget, k), cdp.compose(*[budget] * k), rtol=1e-14)


def test_compose_takes_budgets_of_any_form_and_nothing_is_zero():
    assert cdp.compose() == (0, 0)
    assert cdp.compose((1, 3), cdp.Concentrated(2, 4)) == (3, 5)
    assert cdp.compose([1, 3]).tau == 3
    assert isinstance(cdp.compose((1, 3)), cdp.Concentrated)


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e3))
def test_noise_to_budget_to_noise(sigma, sensitivity):
    assert cdp.sigma(cdp.gaussian(sigma, sensitivity), sensitivity) == pytest.approx(sigma, rel=1e-13)


@given(budgets)
def test_sigma_meets_both_numbers_and_one_of_them_exactly(budget):
    mu, tau = cdp.gaussian(cdp.sigma(budget))
    assert mu <= budget[0] * (1 + 1e-14)
    assert tau <= budget[1] * (1 + 1e-14)
    assert max(mu / budget[0], tau / budget[1]) == pytest.approx(1, rel=1e-14)


def test_everything_broadcasts():
    assert cdp.epsilon((np.ones((3, 1)), np.ones(4)), 1e-5).shape == (3, 4)
    assert cdp.delta((np.ones((3, 1)), 1), np.ones(4)).shape == (3, 4)
    assert np.ndim(cdp.delta((1, 1), 1)) == 0


@pytest.mark.parametrize("bad", [3.0, None, "12", (1,), (1, 2, 3), np.array([1.0, 2.0])])
def test_a_budget_must_be_a_pair(bad):
    for call in (cdp.compose, cdp.to_zcdp, cdp.sigma):
        with pytest.raises(domain.DomainError, match="budget must be a pair"):
            call(bad)


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf, [0.1, -0.1], "1", None, True])
def test_bad_numbers_raise_and_leave_gaps(bad):
    with pytest.raises(domain.DomainError, match="mu"):
        cdp.epsilon((bad, 1), 1e-5)
    with pytest.raises(domain.DomainError, match="tau"):
        cdp.delta((1, bad), 1)
    if isinstance(bad, list):
        with domain.gaps():
            assert np.isnan(cdp.epsilon((bad, 1), 1e-5)).tolist() == [False, True]
            assert np.isnan(cdp.delta((1, bad), 2)).tolist() == [False, True]
