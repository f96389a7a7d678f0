"""rdp against 60 digits, its own laws, and the theorems of its chapters."""

from itertools import product

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import divergence, domain, gdp, pure, rdp, zcdp

alphas = st.floats(-9, 5).map(lambda e: 1 + 10.0**e)
deltas = st.floats(1e-300, 0.999)
ALPHAS = [1, 1 + 1e-9, 1.001, 1.5, 2, 10, 1e3, 1e6, 1e12, np.inf]


@pytest.fixture(autouse=True, scope="module")
def sixty_digits():
    with mp.workdps(60):
        yield


def exact_laplace(alpha, r):
    alpha, r = mp.mpf(alpha), mp.mpf(r)
    if mp.isinf(alpha):
        return r
    if alpha == 1:
        return r + mp.expm1(-r)
    t = alpha - 1
    return mp.log(alpha / (2 * alpha - 1) * mp.exp(t * r) + t / (2 * alpha - 1) * mp.exp(-alpha * r)) / t


def exact_randomized_response(alpha, p):
    alpha, p = mp.mpf(alpha), mp.mpf(p)
    if mp.isinf(alpha):
        return abs(mp.log(p / (1 - p)))
    if alpha == 1:
        return (2 * p - 1) * mp.log(p / (1 - p))
    return mp.log(p**alpha * (1 - p) ** (1 - alpha) + (1 - p) ** alpha * p ** (1 - alpha)) / (alpha - 1)


def relative(found, exact):
    return float(mp.mpf(float(found)) / exact - 1)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("r", [1e-9, 1e-6, 0.01, 0.09, 0.3, 1, 5, 50, 1000])
def test_proposition_6_laplace(alpha, r):
    assert abs(relative(rdp.laplace(alpha, 1, r), exact_laplace(alpha, r))) < 5e-15


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("p", [1e-12, 0.1, 0.4999999, 0.5000001, 0.6, 0.75, 0.9, 1 - 1e-12])
def test_proposition_5_randomized_response(alpha, p):
    assert abs(relative(rdp.randomized_response(alpha, p), exact_randomized_response(alpha, p))) < 2e-14


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("epsilon", [1e-9, 1e-6, 0.3, 1, 5, 50, 1000])
def test_every_pure_mechanism_is_within_randomized_response(alpha, epsilon):
    t, e = mp.mpf(alpha) - 1, mp.mpf(epsilon)
    if mp.isinf(t):
        exact = e
    else:
        exact = e * mp.tanh(e / 2) if t == 0 else mp.log(mp.cosh((t + mp.mpf(1) / 2) * e) / mp.cosh(e / 2)) / t
    assert abs(relative(rdp.from_pure(alpha, epsilon), exact)) < 5e-15
    assert rdp.laplace(alpha, 1, epsilon) <= rdp.from_pure(alpha, epsilon) * (1 + 1e-14)


@given(st.sampled_from([rdp.gaussian, rdp.laplace]), alphas, st.floats(1.0001, 100), st.floats(1e-3, 1e6))
def test_curves_grow_with_alpha_and_shrink_with_noise(curve, alpha, factor, noise):
    assert curve(alpha * factor, noise) >= curve(alpha, noise) * (1 - 1e-13)
    assert curve(alpha, noise * factor) <= curve(alpha, noise) * (1 + 1e-13)


def test_order_1_and_infinity_are_limits():
    assert rdp.gaussian(1, 2) == 0.125
    assert rdp.gaussian(np.inf, 2) == np.inf
    assert rdp.from_zcdp(np.inf, 0) == 0
    assert rdp.from_zcdp(np.inf, 1) == np.inf
    assert rdp.from_pure(np.inf, 3) == 3
    assert rdp.laplace(np.inf, 4) == 0.25
    assert rdp.from_pure(np.inf, 0) == 0


# --- conversions ---


@pytest.mark.parametrize("alpha", [1 + 1e-9, 1.01, 2, 60, 1e6, 1e12])
@pytest.mark.parametrize("delta", [5e-324, 1e-300, 1e-5, 0.5, 1 - 1e-12])
def test_proposition_3_and_proposition_12(alpha, delta):
    a, d = mp.mpf(alpha), mp.mpf(delta)
    bar = mp.mpf(0.375)
    classic = bar + mp.log(1 / d) / (a - 1)
    tight = bar + mp.log((a - 1) / a) - (mp.log(d) + mp.log(a)) / (a - 1)
    assert relative(rdp.epsilon(alpha, 0.375, delta), classic) == pytest.approx(0, abs=1e-14)
    if tight > 0:
        assert relative(rdp.epsilon_tight(alpha, 0.375, delta), tight) == pytest.approx(0, abs=1e-13)
    else:
        assert rdp.epsilon_tight(alpha, 0.375, delta) == 0


def test_at_infinity_rdp_is_pure_dp():
    assert rdp.epsilon(np.inf, 0.7, 1e-5) == 0.7
    assert rdp.epsilon_tight(np.inf, 0.7, 1e-5) == 0.7
    for delta in (rdp.delta, rdp.delta_tight):
        assert delta(np.inf, 0.7, 0.7) == 0
        assert delta(np.inf, 0.7, 0.6999) == 1
        assert delta(3, np.inf, 5) == 1


@given(alphas, st.floats(0, 100), deltas)
def test_delta_is_epsilon_solved_for_delta(alpha, bar, delta):
    assert rdp.delta(alpha, bar, rdp.epsilon(alpha, bar, delta)) == pytest.approx(delta, rel=1e-4, abs=1e-10)
    tight = rdp.epsilon_tight(alpha, bar, delta)
    assert rdp.delta_tight(alpha, bar, tight) <= delta * (1 + 1e-4) + 1e-10


@given(alphas, st.floats(0, 100), st.floats(0, 1000))
def test_delta_tight_is_never_above_delta(alpha, bar, epsilon):
    assert rdp.delta_tight(alpha, bar, epsilon) <= rdp.delta(alpha, bar, epsilon)


@given(alphas, st.floats(1e-3, 1e6), deltas)
def test_no_order_is_below_the_exact_epsilon(alpha, sigma, delta):
    exact = gdp.epsilon(gdp.gaussian(sigma), delta) * (1 - 1e-12)
    bar = rdp.gaussian(alpha, sigma)
    assert exact <= rdp.epsilon_tight(alpha, bar, delta) <= rdp.epsilon(alpha, bar, delta) * (1 + 1e-12) + 1e-12


@given(alphas, st.floats(0.001, 0.999), st.floats(0, 3))
def test_no_order_is_below_the_exact_delta_of_randomized_response(alpha, share, epsilon_0):
    bar = rdp.from_pure(alpha, epsilon_0)
    assert rdp.delta_tight(alpha, bar, share * epsilon_0) >= pure.delta(epsilon_0, share * epsilon_0) * (1 - 1e-9)


# --- best and optimum ---


@given(st.floats(1e-3, 1e6), st.floats(0, 12).map(lambda e: np.floor(10**e)), deltas)
def test_optimum_of_a_gaussian_is_the_tight_zcdp_conversion(sigma, k, delta):
    epsilon, alpha = rdp.optimum(lambda alpha: rdp.repeat(rdp.gaussian(alpha, sigma), k), delta)
    rho = zcdp.repeat(zcdp.gaussian(sigma), k)
    assert epsilon == pytest.approx(zcdp.epsilon_tight(rho, delta), rel=1e-12, abs=1e-12 * np.sqrt(rho))
    assert epsilon == pytest.approx(rdp.epsilon_tight(alpha, rho * alpha, delta), rel=1e-12, abs=1e-12 * np.sqrt(rho))


@given(st.floats(1e-3, 30), st.integers(1, 10**4), deltas)
def test_optimum_of_a_pure_curve_is_no_worse_than_any_order_nor_than_pure(epsilon_0, k, delta):
    def curve(alpha):
        return rdp.repeat(rdp.from_pure(alpha, epsilon_0), k)

    epsilon, _ = rdp.optimum(curve, delta)
    orders = np.array(rdp.ORDERS)
    assert epsilon <= np.min(rdp.epsilon_tight(orders, curve(orders), delta)) * (1 + 1e-11)
    assert epsilon <= k * epsilon_0
    assert epsilon >= pure.epsilon(epsilon_0, delta) * (1 - 1e-12) - 1e-15


def test_optimum_stays_inside_a_curve_that_ends():
    def curve(alpha):
        return np.where(alpha < 9, 0.01 * np.minimum(alpha, 9), np.inf)

    epsilon, alpha = rdp.optimum(curve, 1e-5, tight=False)
    assert 8.99 < alpha < 9
    floor = 0.09 - np.log(1e-5) / 8  # at the cliff, which no smooth valley leads to
    assert floor < epsilon < floor * 1.001


def test_optimum_of_no_privacy_is_infinite():
    assert rdp.optimum(lambda alpha: np.inf * np.ones_like(alpha), 1e-5)[0] == np.inf


def test_default_orders_lose_at_most_a_hundredth_and_a_half():
    rho = np.logspace(-9, 3, 40)
    found, _ = rdp.best(rdp.ORDERS, [rdp.from_zcdp(alpha, rho) for alpha in rdp.ORDERS], 1e-6, tight=False)
    assert np.all(found <= zcdp.epsilon(rho, 1e-6) * 1.016)
    assert np.all(found >= zcdp.epsilon(rho, 1e-6))


def test_best_names_the_order_it_used_and_keeps_nan():
    epsilon, alpha = rdp.best([2, 8, np.inf], [0.1, 0.4, [np.inf, 0.5]], 1e-5)
    assert alpha.tolist() == [8, np.inf]
    assert epsilon[0] == rdp.epsilon_tight(8, 0.4, 1e-5)
    assert epsilon[1] == 0.5
    with domain.gaps():
        epsilon, alpha = rdp.best([2, 8], [0.1, np.nan], 1e-5)
    assert np.isnan(epsilon)
    assert np.isnan(alpha)


def test_of_orders_that_are_as_good_best_names_the_first():
    assert rdp.best([np.inf, np.inf, 2], [0.5, 0.5, np.inf], 0.1) == (0.5, np.inf)
    assert rdp._better((0.5, 2), (0.5, 3)) == (0.5, 2)


# --- composition, groups, moments, bad outcomes ---


def test_no_guarantee_stays_no_guarantee():
    assert rdp.compose(0.5, np.inf) == np.inf
    assert rdp.repeat(np.inf, 3) == np.inf
    assert rdp.repeat(np.inf, 0) == 0
    assert rdp.compose() == 0
    assert rdp.epsilon(2, np.inf, 1e-5) == np.inf
    assert rdp.epsilon_tight(2, np.inf, 1e-5) == np.inf


def test_k_gaussians_are_one_of_sigma_over_root_k():
    k = np.arange(1, 100)
    np.testing.assert_allclose(rdp.repeat(rdp.gaussian(7, 30), k), rdp.gaussian(7, 30 / np.sqrt(k)), rtol=1e-14)


@pytest.mark.parametrize("alpha", [1 + 1e-9, 1.001, 1.5, 2, 32, 1e6, 1e12, 1e150])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_group_keeps_the_log_moment_and_raises_its_ratio_to_the_size(alpha, size):
    order, epsilon_bar = rdp.group(alpha, 0.375, size)
    with mp.workdps(20000 if alpha < 1.1 else 700):
        a = mp.mpf(alpha)
        exact = 1 / (1 - (1 - 1 / a) ** size)
        cost = (a - 1) / (exact - 1) * mp.mpf(0.375)
        assert abs(relative(order, exact)) < 1e-14
        assert epsilon_bar == np.inf if cost > 1e303 else abs(relative(epsilon_bar, cost)) < 1e-12


def test_groups_of_two_and_groups_at_their_ends():
    alpha = np.array([1.001, 1.5, 2, 32, 1e6])
    order, factor = rdp.group(alpha, 1.0, 2)
    np.testing.assert_allclose(order, alpha**2 / (2 * alpha - 1), rtol=1e-14)
    np.testing.assert_allclose(factor, (2 * alpha - 1) / (alpha - 1), rtol=1e-13)
    assert rdp.group(np.inf, 0.5, 3) == (np.inf, 1.5)
    assert rdp.group(2, np.inf, 3)[1] == np.inf
    assert rdp.group(2, 0, [1, 3, 1e9])[1].tolist() == [0, 0, 0]
    assert rdp.group(1.001, 0.5, 1e9) == (1, np.inf)  # no order is left, nothing is promised


@given(st.floats(0.01, 100), st.integers(1, 8), st.integers(1, 8))
def test_a_group_of_groups_is_the_whole_group(excess, one, other):
    steps = rdp.group(*rdp.group(1 + excess, 0.2, one), other)
    whole = rdp.group(1 + excess, 0.2, one * other)
    if whole[0] > 1 + 1e-6:  # nearer to 1 the order itself has lost its digits
        np.testing.assert_allclose(steps, whole, rtol=1e-9)


@given(st.integers(1, 5), st.integers(1, 6))
def test_group_is_never_worse_than_proposition_2(c, more):
    alpha = 2.0 ** (c + more)
    order, epsilon_bar = rdp.group(alpha, 1.0, 2**c)
    assert order > alpha / 2**c
    assert epsilon_bar < 3**c


@given(st.integers(1, 8), st.floats(0.1, 100))
def test_group_bound_holds_for_gaussians(size, sigma):
    alpha, bar = rdp.group(64, rdp.gaussian(64, sigma), size)
    assert bar >= rdp.gaussian(alpha, sigma, size) * (1 - 1e-12)


@given(st.floats(1e-3, 1e6), st.floats(1e-200, 1e6))
def test_moments_there_and_back(lambda_, log_moment):
    alpha, bar = rdp.moment(lambda_, log_moment)
    np.testing.assert_allclose(rdp.log_moment(alpha, bar), (lambda_, log_moment), rtol=1e-11)


@pytest.mark.parametrize("alpha", [1.01, 2, 20, 1e6, np.inf])
def test_probability_bounds_hold_for_every_half_line_of_two_normals(alpha):
    q = gdp.trade_off(0, np.linspace(0, 1, 101))
    p = gdp.trade_off(1.0, 1 - q)  # the least probability of an event that has q
    low, high = rdp.probability_bounds(alpha, rdp.gaussian(alpha, 1.0), q)
    assert np.all(low <= p + 1e-15)
    assert np.all(high >= 1 - gdp.trade_off(1.0, q) - 1e-15)


def test_probability_bounds_at_their_ends():
    np.testing.assert_allclose(rdp.probability_bounds(np.inf, 1.0, 0.1), (0.1 / np.e, 0.1 * np.e))
    assert rdp.probability_bounds(2, 1.0, 0) == (0, 0)
    assert rdp.probability_bounds(2, np.inf, 0.5) == (0, 1)
    assert rdp.probability_bounds(2, 0, 1) == (1, 1)
    assert rdp.probability_bounds(2, 1000, 1e-300)[1] == 1


def test_optimum_broadcasts_and_leaves_a_gap_at_a_bad_budget():
    assert rdp.optimum(lambda alpha: rdp.gaussian(alpha, [1, 2, 3]), [[1e-5], [1e-6]])[0].shape == (2, 3)
    for bad in (np.nan, [0.1, -0.1], "1", None):
        with pytest.raises(domain.DomainError, match="epsilon_bar"):
            rdp.optimum(lambda alpha, bad=bad: bad, 1e-5)
    with domain.gaps():
        assert np.isnan(rdp.optimum(lambda alpha: [0.1, -0.1], 1e-5)[0]).tolist() == [False, True]
    with pytest.raises(domain.DomainError, match="alpha"):
        rdp.best([0.5], [1], 1e-5)


# The theorems of chapters/rdp.md and chapters/rdp_guarantees.md, on random pairs of distributions and by brute force.

ORDERS = np.array([1.2, 2, 3.5, 8, 30])


def pair(seed, outcomes=4):
    """Two distributions on a few outcomes, far apart or close."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(outcomes) * rng.uniform(0.5, 20), 2)


def both_ways(p, q, alpha):
    """The budget of a mechanism with these two outputs: the larger of the two directions."""
    return max(divergence.renyi(p, q, alpha), divergence.renyi(q, p, alpha))


@pytest.mark.parametrize("seed", range(6))
def test_probability_preservation_for_every_event(seed):
    p, q = pair(seed)
    for alpha, event in product(ORDERS, product([False, True], repeat=4)):
        event = np.array(event)
        low, high = rdp.probability_bounds(alpha, both_ways(p, q, alpha), q[event].sum().clip(0, 1))
        assert low * (1 - 1e-9) <= p[event].sum() <= high * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_auxiliary_information_moves_the_odds_seldom(seed):
    p, q = pair(seed)
    for alpha, delta in product(ORDERS, [0.3, 0.1, 0.01]):
        epsilon_bar = divergence.renyi(p, q, alpha)
        assert np.sum(p * (p / q) ** (alpha - 1)) <= np.exp((alpha - 1) * epsilon_bar) * (1 + 1e-9)
        assert p[p / q >= np.exp(rdp.epsilon(alpha, epsilon_bar, delta)) * (1 + 1e-12)].sum() <= delta


@pytest.mark.parametrize("seed", range(6))
def test_composition_adaptive_and_exact_without_dependence(seed):
    (p, q), steps = pair(seed, 2), [pair(seed + 100), pair(seed + 200)]
    for alpha in ORDERS:
        first = divergence.renyi(p, q, alpha)
        second = [divergence.renyi(*step, alpha) for step in steps]
        adaptive = divergence.renyi(
            *(np.concatenate([a[i] * steps[i][j] for i in (0, 1)]) for j, a in ((0, p), (1, q))), alpha
        )
        assert adaptive <= rdp.compose(first, max(second)) * (1 + 1e-12)
        independent = divergence.renyi(np.outer(p, steps[0][0]).ravel(), np.outer(q, steps[0][1]).ravel(), alpha)
        assert independent == pytest.approx(rdp.compose(first, second[0]), rel=1e-11)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [1.2, 2, 8, 32])
def test_group_privacy_holds_along_every_chain(seed, alpha):
    chain = [pair(seed + 100 * link, outcomes=3)[0] for link in range(5)]
    for size in (2, 3, 4):
        budget = max(both_ways(p, q, alpha) for p, q in zip(chain[:size], chain[1:], strict=False))
        order, allowed = rdp.group(alpha, budget, size)
        if np.isfinite(allowed):
            assert both_ways(chain[0], chain[size], order) <= allowed * (1 + 1e-12)


@pytest.mark.parametrize("alpha", [1.5, 2, 8, 32])
@pytest.mark.parametrize("size", [2, 3])
def test_group_privacy_is_attained_by_coins(alpha, size):
    """Coins whose heads have probability e^(-x): Hölder is an equality where x grows by ε̄ and the factor α/(α-1)."""
    x = [np.log(2)]
    for _ in range(size):
        x.append(40 + alpha / (alpha - 1) * x[-1])

    def moment(one, other, order):  # with logarithms: heads are as rare as e^-1000
        tails = [np.log(-np.expm1(-each)) for each in (one, other)]
        heads = order * -one - (1 - order) * other
        return np.logaddexp(heads, order * tails[0] + (1 - order) * tails[1]) / (order - 1)

    steps = [moment(*link, alpha) for one in zip(x, x[1:], strict=False) for link in (one, one[::-1])]
    order, allowed = rdp.group(alpha, max(steps), size)
    assert moment(x[0], x[-1], order) == pytest.approx(allowed, rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_both_conversions_hold_and_the_tight_one_is_smaller(seed):
    p, q = pair(seed)
    for alpha, epsilon in product(ORDERS, [0.0, 0.2, 1.0]):
        budget = divergence.renyi(p, q, alpha)
        profile = np.sum(np.maximum(p - np.exp(epsilon) * q, 0))
        tight, classic = rdp.delta_tight(alpha, budget, epsilon), rdp.delta(alpha, budget, epsilon)
        assert profile <= tight * (1 + 1e-12) and tight <= classic
    assert rdp.epsilon_tight(60, 0.375, 1e-5) < rdp.epsilon(60, 0.375, 1e-5)


def test_moments_accountant_says_the_same_and_epsilon_is_a_slope():
    lambdas = np.linspace(0.5, 99.5, 100)
    log_moments = rdp.log_moment(lambdas + 1, rdp.repeat(rdp.gaussian(lambdas + 1, 200), 500))[1]
    order, budget = rdp.moment(lambdas, log_moments)
    assert order == pytest.approx(lambdas + 1) and budget == pytest.approx(500 * rdp.gaussian(lambdas + 1, 200))
    assert np.all(np.diff(log_moments, 2) > 0)
    slope = (log_moments + np.log(1e5)) / lambdas
    assert slope == pytest.approx(rdp.epsilon(order, budget, 1e-5), rel=1e-12)
    assert rdp.delta(order, budget, 0.7) == pytest.approx(np.minimum(np.exp(log_moments - lambdas * 0.7), 1), rel=1e-9)


def test_filter_lets_budgets_depend_on_the_answers():
    alpha, first, spent = 5.0, 0.7, rdp.randomized_response(5, 0.7)
    total = spent + rdp.randomized_response(alpha, 0.65)
    # After "yes" the rest is spent on one answer, after "no" on two smaller ones.
    truths = np.linspace(0.5, 0.65, 100001)[1:-1]
    small = truths[2 * rdp.randomized_response(alpha, truths) <= total - spent].max()
    p, q = (
        np.concatenate([f * np.array([s, 1 - s]), (1 - f) * np.outer([t, 1 - t], [t, 1 - t]).ravel()])
        for f, s, t in ((first, 0.65, small), (1 - first, 0.35, 1 - small))
    )
    assert divergence.renyi(p, q, alpha) <= total
    assert divergence.renyi(p, q, alpha) == pytest.approx(total, rel=1e-4)


def test_best_of_one_order_is_that_order():
    assert rdp.best([5], [0.3], 1e-5) == (rdp.epsilon_tight(5, 0.3, 1e-5), 5)


def test_the_bottom_of_a_parabola_is_found_exactly_and_never_far_away():
    assert rdp._parabola(lambda x: (x - 0.3) ** 2, 0.0, 0.09, 1.0) == pytest.approx(0.3, rel=1e-12)
    assert rdp._parabola(lambda x: (x + 0.2) ** 2 + 5, 0.0, 5.04, 0.5) == pytest.approx(-0.2, rel=1e-12)
    assert rdp._parabola(lambda x: np.exp(-x), 0.0, 1.0, 0.1) == 0.1
    assert rdp._parabola(np.exp, 0.0, 1.0, 0.1) == -0.1
    assert rdp._parabola(lambda x: -(x**2), 0.0, 0.0, 0.1) == 0


def test_order_32_never_proves_less_than_zcdp_with_the_same_conversion():
    """Check the formula editor's question: with the same conversion there is no k from which order 32 wins."""
    orders = 1 + np.geomspace(0.01, 1e4, 4000)

    def tight(order, budget):
        return budget + np.log1p(-1 / order) - (np.log(1e-5) + np.log(order)) / (order - 1)

    for rho in np.geomspace(1e-5, 5, 300):
        assert tight(orders, orders * rho).min() <= tight(32, 32 * rho) * (1 + 1e-3)
