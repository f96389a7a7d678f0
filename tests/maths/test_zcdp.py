"""zcdp against 60 digits, its definition at every order, and its own laws."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import divergence, gdp, mechanisms, pure, rdp, zcdp

rhos = st.floats(1e-13, 1e4)
deltas = st.floats(1e-300, 0.999)
ORDERS = np.array([1, 1 + 1e-9, 1.01, 1.5, 2, 7, 60, 1e4, 1e9])


@pytest.fixture(autouse=True, scope="module")
def sixty_digits():
    with mp.workdps(60):
        yield


def increasing_root(function, low, high):
    low, high = mp.mpf(low), mp.mpf(high)
    for _ in range(260):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return high


def exact_epsilon_tight(rho, delta):
    rho, ell = mp.mpf(rho), -mp.log(mp.mpf(delta))
    t = mp.exp(increasing_root(lambda s: rho * mp.exp(2 * s) + mp.log1p(mp.exp(s)) - ell, -400, 800))
    return rho * (1 + t) - mp.log1p(1 / t) + (ell - mp.log1p(t)) / t


def exact_log_delta_tight(rho, epsilon):
    rho, epsilon = mp.mpf(rho), mp.mpf(epsilon)
    t = mp.exp(increasing_root(lambda s: rho * (1 + 2 * mp.exp(s)) - epsilon - mp.log1p(mp.exp(-s)), -400, 800))
    return t * (rho * (1 + t) - epsilon) - t * mp.log1p(1 / t) - mp.log1p(t)


@pytest.mark.parametrize("rho", [5e-13, 1.25e-5, 0.005, 0.1, 1, 30, 1e6, 5e17])
@pytest.mark.parametrize("delta", [5e-324, 1e-300, 1e-12, 1e-5, 0.3, 0.999999])
def test_epsilon_tight_is_the_minimum_over_every_order(rho, delta):
    exact = exact_epsilon_tight(rho, delta)
    found = mp.mpf(float(zcdp.epsilon_tight(rho, delta)))
    if exact > 0:
        assert float(found / exact - 1) == pytest.approx(0, abs=2e-15 * max(1, np.sqrt(rho) / float(exact)))
    else:
        assert found == 0


@pytest.mark.parametrize("rho", [5e-13, 1.25e-5, 0.1, 1, 30, 1e4, 5e17])
@pytest.mark.parametrize("widths", [-20, -2, 0, 0.01, 1, 8, 35])
def test_delta_tight_is_the_minimum_over_every_order(rho, widths):
    epsilon = max(rho + widths * np.sqrt(2 * rho), 0)
    exact = exact_log_delta_tight(rho, epsilon)
    found = mp.log(mp.mpf(float(zcdp.delta_tight(rho, epsilon))))
    # ε - ρ itself is known to an ulp of ρ only: at ρ = 5e17 an ulp is 64.
    assert abs(float(found - exact)) < 1e-12 * max(1, -float(exact))


@given(
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-1, 1)), min_size=2, max_size=6),
    st.floats(1e-3, 8),
    st.floats(0.1, 9),
)
def test_exponential_mechanism_keeps_under_its_line_at_every_order(candidates, epsilon, sensitivity):
    scores, moves = np.array(candidates).T
    before, after = (
        mechanisms.exponential_weights(each, sensitivity, epsilon) for each in (scores, scores + sensitivity * moves)
    )
    alpha = 1 + np.append(0, np.logspace(-6, 4, 60))
    for pair in ((before, after), (after, before)):
        assert np.all(divergence.renyi(*pair, alpha) <= alpha * zcdp.exponential(epsilon) * (1 + 1e-9) + 1e-12)


def test_exponential_mechanism_needs_nearly_all_of_it_where_epsilon_is_small():
    weights = mechanisms.exponential_weights([0, 0.1], 0.05, 0.1)  # one moves up, one down
    needed = divergence.renyi([0.5, 0.5], weights, 1)
    assert needed == pytest.approx(zcdp.exponential(0.1), rel=1e-3)
    assert zcdp.exponential(3) == pytest.approx(9 / 8)
    assert zcdp.exponential([0, 2]).tolist() == [0, 0.5]


@given(st.sampled_from(ORDERS), st.floats(1e-6, 50))
def test_pure_and_laplace_stay_under_the_line_at_every_order_and_touch_it_at_1(alpha, epsilon):
    slack = 1 + 1e-13
    assert rdp.from_pure(alpha, epsilon) <= alpha * zcdp.from_pure(epsilon) * slack
    assert rdp.laplace(alpha, 1 / epsilon) <= alpha * zcdp.laplace(1 / epsilon) * slack
    assert rdp.from_pure(1, epsilon) == pytest.approx(zcdp.from_pure(epsilon), rel=1e-13)
    assert rdp.laplace(1, 1, epsilon) == zcdp.laplace(1, epsilon)


@given(rhos, deltas)
def test_classic_conversion_is_the_least_of_rdp_lines(rho, delta):
    alpha = 1 + np.sqrt(-np.log(delta) / rho)
    at_best = rdp.epsilon(alpha, rdp.from_zcdp(alpha, rho), delta)
    assert zcdp.epsilon(rho, delta) == pytest.approx(at_best, rel=1e-6)  # α - 1 has lost digits at large ρ
    for factor in (0.5, 0.99, 1.01, 2):
        other = 1 + (alpha - 1) * factor
        if other > 1:
            assert rdp.epsilon(other, rdp.from_zcdp(other, rho), delta) >= zcdp.epsilon(rho, delta) * (1 - 1e-12)


@given(rhos, deltas)
def test_tight_is_between_exact_and_classic(rho, delta):
    tight = zcdp.epsilon_tight(rho, delta)
    assert gdp.epsilon(np.sqrt(2 * rho), delta) * (1 - 1e-12) <= tight <= zcdp.epsilon(rho, delta)


@given(rhos, deltas)
def test_epsilon_and_delta_are_inverse(rho, delta):
    epsilon = zcdp.epsilon(rho, delta)
    assert np.log(zcdp.delta(rho, epsilon)) == pytest.approx(np.log(delta), rel=1e-6, abs=1e-9)
    tight = zcdp.epsilon_tight(rho, delta)
    assert zcdp.delta_tight(rho, tight) <= delta * (1 + 1e-6)


@given(rhos, st.floats(1.001, 10), deltas)
def test_epsilon_grows_with_rho_and_shrinks_with_delta(rho, factor, delta):
    for convert in (zcdp.epsilon, zcdp.epsilon_tight):
        assert convert(rho * factor, delta) >= convert(rho, delta) * (1 - 1e-14)
        assert convert(rho, delta / factor) >= convert(rho, delta) * (1 - 1e-14)


def test_vectorisation_is_composition_for_gaussian_noise():
    """k answers of sensitivity 1, or one of L2 sensitivity √k: the same ρ."""
    k = np.arange(1, 100)
    np.testing.assert_allclose(zcdp.repeat(zcdp.gaussian(7), k), zcdp.gaussian(7, np.sqrt(k)), rtol=1e-14)


def test_limits():
    assert zcdp.compose() == 0
    for zero in (zcdp.epsilon, zcdp.epsilon_tight):
        assert zero(0, 1e-5) == 0
    for zero in (zcdp.delta, zcdp.delta_tight):
        assert zero(0, 0) == 0
        assert zero(0, 1) == 0
        assert zero(2, 0) <= 1
    assert zcdp.delta(2, 1) == 1
    assert zcdp.epsilon_tight(1e-10, 0.9) == 0
    assert pure.epsilon(0.01, 1e-9) <= zcdp.epsilon(zcdp.from_pure(0.01), 1e-9)


# The theorems of the chapter.

random_pairs = st.lists(st.floats(0.02, 1), min_size=2, max_size=6)
finite_orders = 1 + np.logspace(-6, 3, 40)


def masses(weights):
    return np.array(weights) / np.sum(weights)


def worst_slope(p, q):
    """The ρ of a pair of distributions, both ways."""
    both = [divergence.renyi(*pair, finite_orders) / finite_orders for pair in ((p, q), (q, p))]
    return max(np.max(both), divergence.renyi(p, q, 1), divergence.renyi(q, p, 1))


@given(random_pairs, random_pairs)
def test_theorem_randomized_response_is_the_worst_pure_mechanism(p, q):
    size = min(len(p), len(q))
    p, q = masses(p[:size]), masses(q[:size])
    epsilon = max(divergence.renyi(p, q, np.inf), divergence.renyi(q, p, np.inf))
    assert np.all(divergence.renyi(p, q, finite_orders) <= rdp.from_pure(finite_orders, epsilon) * (1 + 1e-9) + 1e-12)
    assert worst_slope(p, q) <= zcdp.from_pure(epsilon) * (1 + 1e-9) + 1e-12


@given(random_pairs, st.floats(0, 3))
def test_theorem_tight_conversion_is_never_below_the_hockey_stick_divergence(p, epsilon):
    p, q = masses(p), masses(p[::-1])
    assert divergence.hockey_stick(p, q, epsilon) <= zcdp.delta_tight(worst_slope(p, q), epsilon) * (1 + 1e-6) + 1e-12


@given(st.lists(st.floats(0.1, 1), min_size=12, max_size=12))
def test_theorem_group_pays_the_square_along_any_chain_of_neighbours(weights):
    chain = [masses(weights[i : i + 3]) for i in (0, 3, 6, 9)]
    rho = max(worst_slope(*pair) for pair in zip(chain, chain[1:], strict=False))
    assert worst_slope(chain[0], chain[2]) <= zcdp.group(rho, 2) * (1 + 1e-9) + 1e-12
    assert worst_slope(chain[0], chain[3]) <= zcdp.group(rho, 3) * (1 + 1e-9) + 1e-12


@given(st.lists(st.floats(0.1, 100), min_size=3, max_size=3), st.lists(st.floats(0.1, 1), min_size=3, max_size=3))
def test_theorem_best_split_follows_the_roots_of_the_weights(weights, shares):
    weights, rho = np.array(weights), 0.1

    def error(split):
        return np.sum(weights * zcdp.sigma(split) ** 2)

    least = error(rho * masses(np.sqrt(weights)))
    assert least == pytest.approx(np.sum(np.sqrt(weights)) ** 2 / (2 * rho), rel=1e-12)
    assert error(rho * masses(shares)) >= least * (1 - 1e-12)
