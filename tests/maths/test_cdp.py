"""cdp against the definition, the counter-example to post-processing, and its own laws."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from dp_lib import cdp, divergence, gdp, rdp, zcdp

budgets = st.tuples(st.floats(1e-9, 100), st.floats(1e-6, 100))
deltas = st.floats(1e-300, 0.999)


def log_mgf(p, q, t):
    """ln E[e^(t(L - E L))] of the loss of two discrete distributions."""
    p = np.asarray(p)
    loss = divergence.privacy_loss(p, q)
    mean = divergence.renyi(p, q, 1)
    return logsumexp(np.multiply.outer(t, loss - mean), axis=-1, b=p)


def test_loss_of_a_gaussian_is_normal_with_this_mean_and_width():
    rng = np.random.default_rng(1)
    sigma = 3.0
    p, q = divergence.Normal(0, sigma), divergence.Normal(1, sigma)
    loss = divergence.privacy_loss(p, q, sigma * rng.standard_normal(10**6))
    mu, tau = cdp.gaussian(sigma)
    assert loss.mean() == pytest.approx(mu, abs=5 * tau / 1e3)
    assert loss.std() == pytest.approx(tau, rel=5e-3)
    assert divergence.renyi(p, q, 1) == pytest.approx(mu, rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1, 4, 5.25])
def test_randomized_response_has_the_mean_and_the_standard_of_from_pure(epsilon):
    mu, tau = cdp.from_pure(epsilon)
    p = 1 / (1 + np.exp(-epsilon))
    t = np.concatenate([-np.logspace(2, -2, 50), np.logspace(-2, 2, 50)])
    t = t[abs(t) * epsilon < 500]
    assert np.all(log_mgf([p, 1 - p], [1 - p, p], t) <= (t * tau) ** 2 / 2 + 1e-12)
    assert log_mgf([p, 1 - p], [1 - p, p], -1.0) == pytest.approx(tau**2 / 2, rel=1e-9)  # there it touches
    assert divergence.renyi([p, 1 - p], [1 - p, p], 1) == pytest.approx(mu, rel=1e-12)


def kearns_saul(one, other, p):
    """The standard of a variable with two values, the first with probability p."""
    odds = mp.log(p / (1 - p))
    return abs(one - other) * (mp.sqrt((2 * p - 1) / (2 * odds)) if abs(odds) > mp.mpf(10) ** -20 else mp.mpf(1) / 2)


def largest(function, low, high, cells=200):
    """The largest value of a function of one number: a scan, and thirds around its best cell."""
    grid = [low + (high - low) * mp.mpf(i) / cells for i in range(1, cells + 1)]
    best = max(range(cells), key=lambda i: function(grid[i]))
    left, right = grid[best - 1] if best else low + (high - low) / 10**9, grid[min(best + 1, cells - 1)]
    for _ in range(90):
        third = (right - left) / 3
        if function(left + third) < function(right - third):
            left += third
        else:
            right -= third
    return function((left + right) / 2)


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1, 5, 5.2, 5.25, 5.26, 5.3, 6, 10, 50, 100])
def test_from_pure_is_the_largest_standard_of_two_values_of_which_one_is_at_the_end(epsilon):
    with mp.workdps(120):
        e = mp.mpf(epsilon)
        near_top = largest(lambda b: kearns_saul(e, -b, mp.expm1(b) / (mp.exp(b) - mp.exp(-e))), mp.mpf(0), e)
        near_bottom = largest(lambda a: kearns_saul(a, -e, mp.expm1(e) / (mp.exp(e) - mp.exp(-a))), mp.mpf(0), e)
        assert float(cdp.from_pure(epsilon).tau / max(near_top, near_bottom) - 1) == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 0.5, 0.9, 1])
def test_proof_of_from_pure_up_to_one_by_its_steps(epsilon):
    """The width grows with y, because the derivative on the page is positive; each bound on the way to it holds."""
    with mp.workdps(60):
        epsilon = mp.mpf(epsilon)

        def other_value(y):
            return mp.log(1 + mp.exp(y) * (1 - mp.exp(-epsilon)))

        def width(y):  # of the loss on {-b, ε} whose larger value has the odds e^y
            return kearns_saul(epsilon, -other_value(y), 1 / (1 + mp.exp(-y)))

        for share in range(-50, 11):
            y = epsilon * (mp.mpf(share) / 10 if share else mp.mpf("1e-9"))
            b = other_value(y)
            fraction, bracket = 2 * (1 - mp.exp(-b)) / (epsilon + b), 1 / y - 1 / mp.sinh(y)
            slope = mp.diff(lambda at: 2 * mp.log(width(at)), y, h=abs(y) / 2**20)
            assert abs(slope - (fraction - bracket)) < mp.mpf("1e-4") * (fraction - bracket)
            if y > 0:
                assert bracket <= y / 6 and b <= epsilon * (1 + mp.mpf("1e-30"))
                assert mp.exp(b) >= 1 + epsilon / 2 and fraction >= mp.mpf(1) / 3
        assert width(epsilon) == pytest.approx(cdp.from_pure(float(epsilon)).tau, rel=1e-12)


def test_from_pure_tends_to_half_of_epsilon_and_never_passes_epsilon():
    assert cdp.from_pure(1e300).tau == pytest.approx(5e299)
    assert cdp.from_pure(1e-200).tau == pytest.approx(1e-200, rel=1e-14, abs=0)
    epsilon = np.logspace(-6, 4, 500)
    tau = cdp.from_pure(epsilon).tau
    assert np.all(tau <= epsilon * (1 + 1e-15)) and np.all(np.diff(tau) > 0)
    assert np.all(tau**2 / 2 >= cdp.from_pure(epsilon).mu * (1 - 1e-15))


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


def test_to_zcdp_is_half_the_squared_standard_whatever_the_mean():
    assert cdp.to_zcdp((1, 0.1)) == pytest.approx(0.005)
    assert cdp.to_zcdp((0.1, 2)) == 2
    assert cdp.to_zcdp(cdp.gaussian(7)) == pytest.approx(zcdp.gaussian(7), rel=1e-15)
    assert cdp.to_zcdp((np.ones((3, 1)), np.ones(4))).shape == (3, 4)
    epsilon = np.array([1e-9, 0.1, 2, 5.25])
    np.testing.assert_allclose(cdp.to_zcdp(cdp.from_pure(epsilon)), zcdp.from_pure(epsilon), rtol=1e-14)


def test_from_zcdp_is_its_formula_and_no_less_than_a_gaussian_needs():
    for rho in (1e-12, 0.005, 0.3, 1, 2, 50, 1e6):
        with mp.workdps(40):
            split = min(mp.mpf(1), mp.mpf("1.6") / (rho + mp.mpf("1.3")))
            exact = mp.sqrt(2 * mp.expm1(split * (1 + split) * rho)) / split
            best = mp.sqrt(
                -largest(lambda s, rho=rho: -2 * mp.expm1(s * (1 + s) * rho) / s**2, mp.mpf(0), mp.mpf(1), 2000)
            )
        assert cdp.from_zcdp(rho).tau == pytest.approx(float(exact), rel=1e-13)
        if rho < 100:  # beyond, the best is nearer to 0 than the scan
            assert best * (1 - mp.mpf(10) ** -9) <= exact <= 1.04 * best
    rho = np.logspace(-9, 9, 300)
    mu, tau = cdp.from_zcdp(rho)
    assert np.all(mu == rho) and np.all(np.diff(tau) > 0)
    assert np.all(tau >= cdp.gaussian(1 / np.sqrt(2 * rho)).tau)
    assert cdp.from_zcdp(0) == (0, 0)
    assert cdp.from_zcdp(1e300).tau < 1.76e300


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


def test_compose_takes_budgets_of_any_form_and_nothing_is_zero():
    assert cdp.compose() == (0, 0)
    assert cdp.compose((1, 3), cdp.Concentrated(2, 4)) == (3, 5)
    assert cdp.compose([1, 3]).tau == 3
    assert isinstance(cdp.compose((1, 3)), cdp.Concentrated)


@given(budgets)
def test_sigma_meets_both_numbers_and_one_of_them_exactly(budget):
    mu, tau = cdp.gaussian(cdp.sigma(budget))
    assert mu <= budget[0] * (1 + 1e-14)
    assert tau <= budget[1] * (1 + 1e-14)
    assert max(mu / budget[0], tau / budget[1]) == pytest.approx(1, rel=1e-14)


# The theorems of the chapter.

random_pairs = st.lists(st.floats(0.02, 1), min_size=2, max_size=6)
arguments = np.concatenate([-np.logspace(2, -3, 400), np.logspace(-3, 2, 400)])


def pair(weights):
    """Two different distributions: one, and itself reversed."""
    p = np.array([*weights, 2]) / np.sum([*weights, 2])
    return p, p[::-1]


def standard(values, probabilities):
    """The subgaussian standard of values less their mean, by a scan over the moment-generating function."""
    centred = values - np.sum(probabilities * values)
    exponents = np.multiply.outer(arguments, centred) + np.log(probabilities)
    log_mgf = np.logaddexp.reduce(exponents, axis=-1)
    small = abs(arguments) < 0.03  # there the logarithm has lost its digits; the limit is the variance
    scanned = np.max(np.where(small, 0, 2 * log_mgf / arguments**2))
    return np.sqrt(max(scanned, np.sum(probabilities * centred**2)))


@given(random_pairs)
def test_lemma_standard_is_at_least_the_deviation_at_most_half_the_range_and_adds_in_squares(weights):
    p, values = pair(weights)
    tau = standard(values, p)
    assert tau <= np.ptp(values) / 2 * (1 + 1e-6)
    assert tau**2 >= np.sum(p * values**2) - np.sum(p * values) ** 2 - 1e-12
    total = np.add.outer(values, values).ravel(), np.multiply.outer(p, p).ravel()
    assert standard(*total) <= np.sqrt(2) * tau * (1 + 1e-6)


@given(random_pairs, st.floats(0, 6))
def test_theorem_tail_bound(weights, t):
    p, q = pair(weights)
    loss = divergence.privacy_loss(p, q)
    mu, tau = divergence.renyi(p, q, 1), standard(loss, p) * (1 + 1e-3)
    assert np.sum(p[loss >= mu + t * tau + 1e-9]) <= np.exp(-(t**2) / 2)
    assert cdp.delta((mu, tau), mu + t * tau) == pytest.approx(np.exp(-(t**2) / 2), rel=1e-9)


@given(random_pairs, random_pairs, st.floats(0.5, 12))
def test_theorem_every_pure_mechanism_has_the_budget_of_from_pure(weights, others, reach):
    size = min(len(weights), len(others))
    q, tilt = (np.array(w[:size]) / np.sum(w[:size]) for w in (weights, others))
    p = q * np.exp(reach * (tilt / np.max(tilt) - 0.5))
    p = p / np.sum(p)
    mu, tau = cdp.from_pure(max(divergence.renyi(p, q, np.inf), divergence.renyi(q, p, np.inf)))
    for one, other in ((p, q), (q, p)):
        assert divergence.renyi(one, other, 1) <= mu * (1 + 1e-9) + 1e-12
        assert standard(divergence.privacy_loss(one, other), one) <= tau * (1 + 1e-6) + 1e-6


@pytest.mark.parametrize("epsilon", [0.5, 2, 5, 5.6, 9])
def test_theorem_no_pure_mechanism_of_three_outcomes_needs_more_than_from_pure_and_one_needs_it(epsilon):
    """Losses ε, x and -y, each on a grid, with the probabilities that make their law one of two tables."""
    worst = 0.0
    for middle in np.linspace(-1, 1, 21) * epsilon:
        for share in (0, 0.02, 0.2, 0.6):
            for low in -np.linspace(0.05, 1, 40) * epsilon:
                q_mass = 1 - share * np.exp(-middle)  # what is left for the ends under Q, and under P
                high = (q_mass - (1 - share) * np.exp(-low)) / (np.exp(-epsilon) - np.exp(-low))
                p = np.array([high, share, 1 - share - high])
                if np.all(p >= 0):
                    values = np.array([epsilon, middle, low])
                    worst = max(worst, standard(values[p > 0], p[p > 0]))
    assert 0.99 * cdp.from_pure(epsilon).tau < worst <= cdp.from_pure(epsilon).tau * (1 + 1e-6)


@given(random_pairs, random_pairs, st.floats(0.01, 9))
def test_theorem_every_zcdp_mechanism_has_the_budget_of_from_zcdp(weights, others, reach):
    size = min(len(weights), len(others))
    q, tilt = (np.array(w[:size]) / np.sum(w[:size]) for w in (weights, others))
    p = q * np.exp(reach * tilt)
    p = p / np.sum(p)
    orders = 1 + np.append(0, np.logspace(-4, 4, 400))
    rho = max(np.max(divergence.renyi(*both, orders) / orders) for both in ((p, q), (q, p)))
    mu, tau = cdp.from_zcdp(rho)
    for one, other in ((p, q), (q, p)):
        assert divergence.renyi(one, other, 1) <= mu * (1 + 1e-9) + 1e-12
        assert standard(divergence.privacy_loss(one, other), one) <= tau * (1 + 1e-6) + 1e-6


@given(random_pairs, random_pairs)
def test_theorem_composition_of_mechanisms_fixed_in_advance(one, other):
    pairs = [pair(one), pair(other)]
    budgets = [(divergence.renyi(p, q, 1), standard(divergence.privacy_loss(p, q), p)) for p, q in pairs]
    p, q = (np.multiply.outer(pairs[0][side], pairs[1][side]).ravel() for side in (0, 1))
    mu, tau = cdp.compose(*budgets)
    assert divergence.renyi(p, q, 1) == pytest.approx(mu, rel=1e-9, abs=1e-12)
    assert standard(divergence.privacy_loss(p, q), p) <= tau * (1 + 1e-3)


@given(st.floats(0.1, 10), st.integers(1, 9), st.floats(0.01, 2))
def test_theorem_groups_of_gaussian_and_pure_mechanisms(sigma, size, epsilon):
    mu, tau = cdp.gaussian(sigma)
    assert cdp.gaussian(sigma, size) == pytest.approx((size**2 * mu, size * tau), rel=1e-12)
    pair = divergence.Normal(0, sigma), divergence.Normal(size, sigma)
    assert divergence.renyi(*pair, 1) == pytest.approx(size**2 * mu)
    one, all_of_them = cdp.from_pure(epsilon), cdp.from_pure(size * epsilon)
    assert all_of_them.mu <= size**2 * one.mu and all_of_them.tau <= size * one.tau * (1 + 1e-15)


@given(random_pairs)
def test_theorem_cdp_implies_zcdp_and_half_the_squared_standard_is_enough(weights):
    p, q = pair(weights)
    tau = standard(divergence.privacy_loss(p, q), p) * (1 + 1e-3)
    alpha = 1 + np.append(0, np.logspace(-4, 3, 60))
    assert np.all(divergence.renyi(p, q, alpha) <= rdp.from_zcdp(alpha, tau**2 / 2) + 1e-9)
    assert cdp.to_zcdp((divergence.renyi(p, q, 1), tau)) == pytest.approx(tau**2 / 2, rel=1e-9)
