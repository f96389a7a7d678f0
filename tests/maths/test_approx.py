"""approx against 60 digits and brute force, and its own laws."""

import itertools
import math

import exact_tails
import mpmath as mp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit

from dp_lib import approx, divergence, domain, gdp, pure, zcdp
from dp_lib.pld import PrivacyLoss

epsilons = st.floats(1e-6, 20)
slacks = st.floats(1e-200, 0.99)
LEAST_SLACK = 1e-100  # below it approx.optimal may be a bound


# --- the Gaussian mechanism ---


def log_sigma_error(epsilon, delta, sigma):
    """ln(σ / exact σ), from the exact profile at σ and its slope."""
    with mp.workdps(400):
        mu = 1 / mp.mpf(float(sigma))
        profile = exact_tails.delta(exact_tails.gaussian(mu, epsilon))
        slope = mp.npdf(mp.mpf(epsilon) / mu - mu / 2)
        return float((mp.log(mp.mpf(delta)) - mp.log(profile)) * profile / (mu * slope))


@pytest.mark.parametrize("epsilon", [0, 1e-9, 1e-3, 0.1, 1, 10, 1e3, 1e6])
@pytest.mark.parametrize("delta", [5e-324, 1e-300, 1e-12, 1e-5, 0.1, 0.9, 1 - 1e-9, 1 - 1e-15])
def test_sigma_exact_is_right_to_1e_12_and_errs_upward(epsilon, delta):
    if delta > 1e-320 or epsilon > 0:  # (0, 5e-324) asks for a σ beyond 1e308
        sigma = approx.sigma_exact(epsilon, delta)
        assert -1e-14 < log_sigma_error(epsilon, delta, sigma) < 1e-12
        assert approx.sigma_exact(epsilon, delta, 3) == pytest.approx(3 * sigma, rel=1e-14)


# --- discrete Gaussian noise ---


def discrete_profile(sigma, epsilon, shift):
    """The sum of what P(x) has beyond e^ε P(x - shift), over all integers that matter, term by term."""
    with mp.workdps(40):
        sigma, factor = mp.mpf(float(sigma)), mp.exp(mp.mpf(epsilon))
        reach = int(30 * sigma) + shift + 30
        weight = {x: mp.exp(-(x**2) / (2 * sigma**2)) for x in range(-reach - shift, reach + shift + 1)}
        beyond = (weight[x] - factor * weight[x - shift] for x in range(-reach, reach + 1))
        return mp.fsum(term for term in beyond if term > 0) / mp.fsum(weight.values())


@pytest.mark.parametrize("sigma", [0.05, 0.3, 0.7533, 1, 2.9, 3.1, 8, 25])
@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0, 1), (0.3, 1), (1, 1), (3, 1), (2, 4), (0.1, 3)])
def test_delta_discrete_is_the_sum_over_the_integers_and_errs_upward(sigma, epsilon, sensitivity):
    exact = discrete_profile(sigma, epsilon, sensitivity)
    found = float(approx.delta_discrete(sigma, epsilon, sensitivity))
    if exact > 1e-290:
        assert 0 <= float(mp.mpf(found) / exact - 1) < 2e-12 or found == 1
    else:
        assert found <= 1e-289
    for less in range(1, sensitivity):
        assert discrete_profile(sigma, epsilon, less) <= found


def test_delta_discrete_of_wide_noise_is_nearly_the_continuous_one():
    np.testing.assert_allclose(approx.delta_discrete(1e4, [0, 1e-4], 7), gdp.delta(7e-4, [0, 1e-4]), rtol=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sensitivity"),
    [
        (1, 1e-5, 1),
        (3, 1e-2, 1),
        (0.1, 1e-5, 1),
        (5, 1e-9, 2),
        (20, 1e-5, 1),
        (0.5, 0.9, 1),
        (1.5, 3e-4, 1),
        (2, 1e-40, 3),
        (8.157734783148154, 6.326423201020327e-32, 1),  # a hump that only its top lifts above δ
        (11.570315248323144, 2.6635192709587376e-39, 2),
    ],
)
def test_sigma_discrete_keeps_its_promise_from_there_on_and_a_millionth_less_does_not(epsilon, delta, sensitivity):
    sigma = approx.sigma_discrete(epsilon, delta, sensitivity)
    assert discrete_profile(sigma, epsilon, sensitivity) <= mp.mpf(delta)
    assert discrete_profile(sigma * (1 - 1e-6), epsilon, sensitivity) > mp.mpf(delta)
    more = sigma * np.linspace(1, 1.5, 4001)
    assert np.all(approx.delta_discrete(more, epsilon, sensitivity) <= delta)


def test_more_discrete_noise_can_need_a_larger_delta():
    """At ε = 3: why the last passing is looked for, and not the first."""
    less, more = approx.delta_discrete([0.41, 0.5], 3)
    assert less < more
    first = approx.sigma_discrete(3, 0.6 * less + 0.4 * more)
    assert first > 0.5


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.01, 1), (0.3, 1), (0.5, 1), (1, 2), (2, 5)])
def test_up_to_half_the_sensitivity_more_discrete_noise_needs_less_delta(epsilon, sensitivity):
    """Where the calibration looks for no humps."""
    profile = approx.delta_discrete(sensitivity * np.linspace(0.05, 9, 6000), epsilon, sensitivity)
    assert np.all(np.diff(profile) <= 1e-12 * profile[1:])


def test_discrete_calibration_is_near_the_continuous_one_and_below_zcdps():
    epsilon, delta = np.array([[0.05], [0.4], [1]]), np.array([1e-9, 1e-5, 1e-2])
    found = approx.sigma_discrete(epsilon, delta)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found, approx.sigma_exact(epsilon, delta), rtol=0.02)
    assert np.all(zcdp.delta_tight(zcdp.gaussian(found), epsilon) > delta)
    with domain.gaps():
        assert np.isnan(approx.sigma_discrete([1, -1], 1e-5)).tolist() == [False, True]
        assert np.isnan(approx.delta_discrete([1, 2e4], 1)).tolist() == [False, True]


# --- composition ---


def brute_optimal(epsilon, k, slack):
    """max over j of ln((A_j - slack)/B_j): the profile is the largest of its pieces."""
    with mp.workdps(60):
        p, q = 1 / (1 + mp.exp(-mp.mpf(epsilon))), 1 / (1 + mp.exp(mp.mpf(epsilon)))
        best = above = below = mp.mpf(0)
        for j in range(k // 2 + 1):
            above += mp.binomial(k, j) * p ** (k - j) * q**j
            below += mp.binomial(k, j) * p**j * q ** (k - j)
            if above > slack:
                best = max(best, mp.log((above - mp.mpf(slack)) / below))
        return float(best)


def true_profile(epsilon, k, at):
    """Σ C(k,l) (e^((k-l)ε) - e^(ε'+lε))₊ / (1+e^ε)^k, term by term."""
    with mp.workdps(60):
        e, at = mp.mpf(epsilon), mp.mpf(at)
        terms = (mp.binomial(k, l) * max(mp.exp((k - l) * e) - mp.exp(at + l * e), 0) for l in range(k + 1))
        return mp.fsum(terms) / (1 + mp.exp(e)) ** k


@given(st.floats(-4, 2.5).map(lambda e: 10.0**e), st.integers(1, 80), slacks)
def test_optimal_is_the_brute_force_sum_solved(epsilon, k, slack):
    slack = max(slack, LEAST_SLACK)
    exact = brute_optimal(epsilon, k, slack)
    found = float(approx.optimal(epsilon, 0, k, slack).epsilon)
    assert -1e-15 * exact - 1e-15 <= found - exact <= 1e-12 * exact + 1e-14 * np.sqrt(k) * 10
    assert true_profile(epsilon, k, found * (1 + 4e-16)) <= slack * (1 + 1e-15)


@pytest.mark.parametrize(("epsilon", "k"), [(1e-5, 600), (0.02, 1000), (0.5, 700), (3, 150), (0.5, 161), (3.8, 27)])
@pytest.mark.parametrize("slack", [1e-12, 1e-5, 0.3, 0.99, 1 - 1e-9])
def test_optimal_for_many_queries(epsilon, k, slack):
    exact = brute_optimal(epsilon, k, slack)
    found = approx.optimal(epsilon, 0, k, slack).epsilon
    assert -1e-15 < found - exact < 1e-13 * np.sqrt(k) + exact * (1e-12 + 1e-15 / (1 - slack))


def test_advanced_of_a_large_step_and_of_many_small_ones():
    step = np.sqrt(2 * np.log(1.25 / 5e-6))
    assert approx.advanced(step, 5e-6, 1, 5e-6).epsilon == pytest.approx(749, abs=0.5)
    step = np.sqrt(2 * np.log(1.25 * 1000 / 1e-5)) / 200
    total = approx.advanced(step, 1e-8, 500, 5e-6)
    assert total.epsilon == pytest.approx(3.8464714, abs=5e-8)
    assert total.delta == pytest.approx(1e-5, rel=1e-12)


@given(st.floats(1e-6, 3), st.integers(1, 10**6), slacks)
def test_theorem_3_20_no_composition_is_below_the_optimal(epsilon, k, slack):
    best = approx.optimal(epsilon, 0, k, slack).epsilon
    assert best <= k * epsilon * (1 + 1e-14)
    mean = k * zcdp.from_pure(epsilon)
    assert best <= mean + epsilon * np.sqrt(-2 * k * np.log(slack)) + epsilon * (2 + 1e-9)
    if slack >= LEAST_SLACK:  # elsewhere other bounds may be below this one
        assert best <= approx.advanced(epsilon, 0, k, slack).epsilon * (1 + 1e-9) + 1e-10
        assert best <= zcdp.epsilon_tight(mean, slack) * (1 + 1e-9) + 1e-10


def test_optimal_of_many_small_steps_is_gaussian():
    for k in (1e6, 1e9):
        found = approx.optimal(2 / np.sqrt(k), 0, k, [1e-12, 1e-5, 1e-2]).epsilon
        np.testing.assert_allclose(found, gdp.epsilon(2, [1e-12, 1e-5, 1e-2]), rtol=20 / k + 1e-9)


@pytest.mark.parametrize(("epsilon", "k", "slack"), [(1.52753, 457, 2.289e-11), (1.5952476, 437, 2.84042366e-11)])
def test_optimal_uses_no_tail_that_has_lost_its_digits(epsilon, k, slack):
    """SciPy's incomplete beta function has few right digits left near 1e-280, and none near 1e-290."""
    assert brute_optimal(epsilon, k, slack) <= approx.optimal(epsilon, 0, k, slack).epsilon


@pytest.mark.parametrize(
    ("epsilon", "k", "slack"), [(1, 1024, 1e-6), (2, 1000, 1e-6), (0.77, 2685, 2.7e-60), (20, 40, 0.5), (9, 900, 1e-99)]
)
def test_optimal_where_one_of_its_tails_underflows(epsilon, k, slack):
    exact = brute_optimal(epsilon, k, slack)
    found = approx.optimal(epsilon, 0, k, slack).epsilon
    assert -1e-15 * exact < found - exact < 1e-12 * exact + 1e-13 * np.sqrt(k)


def test_optimal_of_steps_that_reveal_nearly_everything():
    assert approx.optimal(900.0, 0, 3, 1e-6).epsilon == pytest.approx(2700 + np.log1p(-1e-6), rel=1e-15)


def test_optimal_of_many_steps_whose_total_is_large():
    """The loss distribution, which knows no binomial tails, agrees within its bracket."""
    for epsilon, k in [(0.07, 200_000), (0.3, 20_000)]:
        bracket = PrivacyLoss.randomized_response(expit(epsilon)).repeat(k).epsilon(1e-6)
        found = approx.optimal(epsilon, 0, k, 1e-6).epsilon
        assert found > 520
        assert bracket.lower <= found <= bracket.upper * (1 + 1e-9)


def test_optimal_below_the_least_slack_still_bounds():
    """Deep tails underflow: the answer is then at most the bound it started from."""
    found = approx.optimal(2.0, 0, 1000, 1e-250).epsilon
    assert brute_optimal(2.0, 1000, 1e-250) <= found
    width = 2 * np.sqrt(2000 * np.log(1e250)) / np.cosh(1)
    assert found <= 2000 * np.tanh(1) + width + 4.001


def test_optimal_at_its_ends():
    assert approx.optimal(0, 0, 10, 1e-6).epsilon == 0
    assert approx.optimal(0.1, 0, 0, 1e-6) == (0, 1e-6)
    assert approx.optimal(0.1, 1, 10, 1e-6).delta == 1
    assert approx.optimal(0.1, 0, 10, 0.9).epsilon == 0
    assert approx.optimal(1, 0, 1, 0.1).epsilon == pytest.approx(pure.epsilon(1, 0.1), rel=1e-13)
    assert approx.optimal(0.1, 1e-9, 100, 1e-6).delta == pytest.approx(1.0999989e-6, rel=1e-7)
    with pytest.raises(domain.DomainError, match="k must be <= 1e9"):
        approx.optimal(0.1, 0, 1e10, 1e-6)


def test_compose_takes_budgets_of_any_form_and_nothing_is_zero():
    assert approx.compose() == (0, 0)
    assert approx.compose((1, 0.25), approx.Approx(2, 0.5)) == (3, 0.75)
    assert approx.compose((1, 0.75), (1, 0.75)).delta == 1
    assert isinstance(approx.compose((1, 0.1)), approx.Approx)


def coins_profile(epsilons, at):
    """The δ at ε' = `at` of coins with these ε, by all their 2^k outcomes."""
    signs = np.array(list(itertools.product([1, -1], repeat=len(epsilons))))
    losses = signs @ np.array(epsilons)
    log_p = np.sum(-np.log1p(np.exp(-signs * np.array(epsilons))), axis=1)
    return math.fsum(np.exp(log_p) * -np.expm1(np.minimum(at - losses, 0)))


def dominating_pair(epsilon, delta):
    """Reveal all with probability δ, else answer by randomized response."""
    truth, lie = (1 - delta) * expit(epsilon), (1 - delta) * expit(-epsilon)
    return np.array([truth, lie, delta, 0]), np.array([lie, truth, 0, delta])


unequal = st.lists(st.floats(0.01, 2.5), min_size=1, max_size=9)


@given(unequal, st.floats(1e-9, 0.3))
def test_compose_advanced_is_never_below_the_exact_composition_of_unequal_coins(epsilons, slack):
    found, delta = approx.compose_advanced(*((epsilon, 0) for epsilon in epsilons), slack=slack)
    assert coins_profile(epsilons, found * (1 + 4e-16)) <= slack * (1 + 1e-9)
    assert delta == pytest.approx(slack, rel=1e-14)


@given(unequal, st.floats(1e-12, 0.3))
def test_compose_advanced_is_no_worse_than_adding_up_zcdp_or_the_published_forms(epsilons, slack):
    found = approx.compose_advanced(*((epsilon, 0) for epsilon in epsilons), slack=slack).epsilon * (1 - 1e-11)
    each = np.array(epsilons)
    mean, root = np.sum(each * np.tanh(each / 2)), np.sqrt(np.sum(each**2))
    assert found <= np.sum(each)
    assert found <= zcdp.epsilon_tight(mean, slack)
    # Kairouz, Oh & Viswanath's two simplified bounds for unequal budgets.
    assert found <= mean + root * np.sqrt(-2 * np.log(slack))
    assert found <= mean + root * np.sqrt(2 * np.log(np.e + root / slack))


@given(st.floats(0.01, 2), st.integers(1, 60), st.floats(1e-12, 0.3))
def test_compose_advanced_of_equal_budgets_is_above_the_optimal_and_near_it(epsilon, k, slack):
    best = approx.optimal(epsilon, 1e-9, k, slack)
    found = approx.compose_advanced(*[(epsilon, 1e-9)] * k, slack=slack)
    assert best.epsilon * (1 - 1e-12) <= found.epsilon
    assert found.delta == pytest.approx(best.delta, rel=1e-9)


@given(st.lists(st.tuples(st.floats(0.05, 2), st.floats(0, 0.2)), min_size=1, max_size=4), st.floats(1e-6, 0.3))
def test_compose_advanced_holds_for_mechanisms_that_reveal(budgets, slack):
    """All outcomes of the dominating pairs: reveal, truth or lie."""
    p, q = np.ones(1), np.ones(1)
    for epsilon, delta in budgets:
        p, q = (np.outer(*each).ravel() for each in zip((p, q), dominating_pair(epsilon, delta), strict=True))
    found = approx.compose_advanced(*budgets, slack=slack)
    assert divergence.hockey_stick(p, q, found.epsilon) <= found.delta * (1 + 1e-9)


def test_compose_advanced_at_its_ends():
    assert approx.compose_advanced(slack=0.1) == (0, pytest.approx(0.1))
    assert approx.compose_advanced((1, 1), (2, 0), slack=0.1).delta == 1
    assert approx.compose_advanced((1, 1e-300), slack=1e-200).delta == pytest.approx(1e-200)
    assert approx.compose_advanced((500, 0), slack=1e-9).epsilon == pytest.approx(500)
    assert approx.compose_advanced((np.ones((3, 1)), 0), (0.5, np.zeros(4)), slack=0.1).epsilon.shape == (3, 1)
    for call, name in (
        (lambda: approx.compose_advanced((1, 0), (-1, 0), slack=0.1), "epsilon"),
        (lambda: approx.compose_advanced((1, 0), (1, 2), slack=0.1), "delta"),
        (lambda: approx.compose_advanced((1, 0), slack=0), "slack"),
        (lambda: approx.compose_advanced(1, slack=0.1), "budget"),
    ):
        with pytest.raises(domain.DomainError, match=name):
            call()


def test_advanced_simple_is_twice_the_root_term():
    root = approx.advanced(1e-9, 0, 100, 1e-6).epsilon
    assert approx.advanced_simple(1e-9, 0, 100, 1e-6).epsilon == pytest.approx(2 * root, rel=1e-6)
    epsilon = np.log1p(np.sqrt(2 * np.log(1e6) / 100)) * (1 - 1e-12)  # the condition's edge: the two agree
    simple, full = approx.advanced_simple(epsilon, 0, 100, 1e-6), approx.advanced(epsilon, 0, 100, 1e-6)
    assert simple.epsilon == pytest.approx(full.epsilon, rel=1e-10)


# --- groups, the profile, subsampling ---


@given(epsilons, st.floats(1e-12, 1e-3), st.integers(1, 6))
def test_group_is_the_recursion_over_its_members(epsilon, delta, size):
    total, step = 0.0, delta
    for _ in range(size):
        total, step = total + step, step * np.exp(epsilon)
    found = approx.group((epsilon, delta), size)
    assert found.epsilon == size * epsilon
    assert found.delta == pytest.approx(min(total, 1), rel=1e-9)


def test_group_at_its_ends():
    assert approx.group((0, 0.1), 4).delta == pytest.approx(0.4)
    assert approx.group((1, 0), 1000) == (1000, 0)
    assert approx.group((1, 1e-300), 1000).delta == 1
    assert approx.group((1, 1e-9), 1).delta == pytest.approx(1e-9, rel=1e-14)


@given(st.floats(0, 10), st.floats(0, 1), st.floats(0, 12))
def test_delta_is_the_profile_of_the_dominating_pair(epsilon_0, delta_0, epsilon):
    exact = divergence.hockey_stick(*dominating_pair(epsilon_0, delta_0), epsilon)
    assert approx.delta((epsilon_0, delta_0), epsilon) == pytest.approx(exact, rel=1e-9, abs=1e-13)


@given(st.floats(0, 20), st.floats(0, 1), st.floats(0, 1))
def test_subsample_amplifies(epsilon, delta, q):
    found = approx.subsample((epsilon, delta), q)
    assert 0 <= found.epsilon <= epsilon * (1 + 1e-14)
    assert found.delta == q * delta
    assert np.exp(found.epsilon) == pytest.approx(1 + q * np.expm1(epsilon), rel=1e-12)


def test_subsample_at_its_ends():
    assert approx.subsample((1000, 0), 0.5).epsilon == pytest.approx(1000 + np.log(0.5))
    assert approx.subsample((1000, 0), 0).epsilon <= 1000
    assert approx.subsample((2, 0.1), 1) == (pytest.approx(2), 0.1)
    assert approx.subsample((2, 0.1), 0) == (0, 0)
    assert approx.subsample((1, 0), 1e-12).epsilon == pytest.approx(1e-12 * np.expm1(1), rel=1e-12)


# --- the theorems of the chapter, each on small examples that can be written out ---

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def distributions(rng, *shape):
    """Random distributions along the last axis, some outcomes impossible."""
    masses = rng.exponential(size=shape) ** 2 * (rng.random(shape) < 0.8) + 1e-3 * (np.arange(shape[-1]) == 0)
    return masses / masses.sum(axis=-1, keepdims=True)


def both_ways(p, q, epsilon):
    """The least δ at which two distributions are (ε, δ)-close in both directions."""
    return max(divergence.hockey_stick(p, q, epsilon), divergence.hockey_stick(q, p, epsilon))


@given(seeds, st.floats(0, 3), st.floats(0.01, 3))
def test_thm_tail_bounds_the_profile_from_both_sides(rng, epsilon, t):
    p, q = distributions(rng, 2, 6)
    with np.errstate(divide="ignore"):
        loss = np.log(np.where(p > 0, p, 1)) - np.log(q)
    profile = divergence.hockey_stick(p, q, epsilon)
    assert profile <= p[loss > epsilon].sum() + 1e-14
    assert p[loss > epsilon + t].sum() <= profile / -np.expm1(-t) + 1e-14


@given(seeds, st.floats(0.01, 3))
def test_thm_hidden_event_makes_any_close_pair_from_the_four_symbols(rng, epsilon):
    p, q = distributions(rng, 2, 6)
    delta = both_ways(p, q, epsilon)
    assume(1e-9 < delta < 1 - 1e-9)
    grown = np.exp(epsilon)
    a, b = np.minimum(p, grown * q), np.minimum(q, grown * p)
    if a.sum() < b.sum():
        b = mix(b, a / grown, a.sum())
    else:
        a = mix(a, b / grown, b.sum())
    a, b = (1 - delta) * a / a.sum(), (1 - delta) * b / b.sum()
    yes, no = (grown * a - b) / (grown - 1) / (1 - delta), (grown * b - a) / (grown - 1) / (1 - delta)
    function = np.array([yes, no, (p - a) / delta, (q - b) / delta])
    assert function.min() > -1e-6
    np.testing.assert_allclose(function.sum(axis=1), 1, atol=1e-6)
    for symbols, made in zip(dominating_pair(epsilon, delta), (p, q), strict=True):
        np.testing.assert_allclose(symbols @ function, made, atol=1e-12)


def mix(large, small, mass):
    """The mixture of two functions that has this mass."""
    share = (mass - small.sum()) / (large.sum() - small.sum())
    return share * large + (1 - share) * small


@given(seeds, st.floats(0, 2))
def test_thm_group_holds_along_a_chain_of_neighbours(rng, epsilon):
    chain = distributions(rng, 4, 5)
    delta = max(both_ways(p, q, epsilon) for p, q in zip(chain, chain[1:], strict=False))
    total = approx.group((epsilon, delta), 3)
    assert divergence.hockey_stick(chain[0], chain[3], total.epsilon) <= total.delta + 1e-14


@given(st.floats(1e-6, 1), st.floats(1e-300, 0.999999), st.floats(0.01, 100))
def test_thm_classic_holds_up_to_epsilon_1_for_every_delta(epsilon, delta, sensitivity):
    c = np.sqrt(2 * (np.log(1.25) - np.log(delta)))
    assert gdp.delta(epsilon / c, epsilon) <= delta * (1 + 1e-12)
    if epsilon < 1:
        assert approx.sigma(epsilon, delta, sensitivity) == pytest.approx(sensitivity * c / epsilon, rel=1e-14)


@given(seeds, st.floats(0.01, 2), st.floats(0, 4))
def test_thm_copies_and_thm_optimal_bound_an_adaptive_composition(rng, epsilon, at):
    """Two steps; which pair the second one uses depends on what the first has answered."""
    first, second = distributions(rng, 2, 4), distributions(rng, 4, 2, 4)
    delta = max(both_ways(*pair, epsilon) for pair in (first, *second))
    whole = [(first[side][:, None] * second[:, side]).ravel() for side in (0, 1)]
    copies = [np.outer(symbols, symbols).ravel() for symbols in dominating_pair(epsilon, delta)]
    bound = divergence.hockey_stick(*copies, at)
    slack = float(true_profile(epsilon, 2, at))
    assert bound == pytest.approx(1 - (1 - delta) ** 2 * (1 - slack), rel=1e-9)
    assert both_ways(*whole, at) <= bound + 1e-14
    basic = approx.repeat((epsilon, delta), 2)
    assert both_ways(*whole, basic.epsilon) <= basic.delta + 1e-14


@given(st.floats(1e-3, 0.999), st.integers(1, 10**5), slacks)
def test_cor_simple_is_above_the_full_form_wherever_it_answers(share, k, slack):
    epsilon = np.log1p(share * np.sqrt(2 * np.log(1 / slack) / k))  # it answers where √k(e^ε-1) <= √(2 ln 1/slack)
    simple = approx.advanced_simple(epsilon, 0, k, slack).epsilon
    assert simple >= approx.advanced(epsilon, 0, k, slack).epsilon * (1 - 1e-14)


def test_advanced_meets_basic_once_below_ln_2_and_never_from_there_on():
    k = np.arange(1, 10**5)
    below = approx.advanced(0.2, 0, k, 1e-6).epsilon < 0.2 * k
    assert np.flatnonzero(np.diff(below)).tolist() == [44]  # 2 ln(1/δ')/(2 - e^ε)² = 45.6
    assert np.all(approx.advanced(np.log(2), 0, k, 1e-6).epsilon > np.log(2) * k)


@pytest.mark.parametrize("epsilon", [0, 0.5, 2])
def test_thm_dominating_pairs_compose_when_the_second_query_depends_on_the_first_answer(epsilon):
    """Two Gaussian counts; the second one's distance, 0 to 1, is chosen from the first answer."""

    def profile(mu, at):  # also below 0
        above = gdp.delta(mu, abs(at))
        return np.where(at >= 0, above, 1 - np.exp(at) + np.exp(at) * above)

    y = np.linspace(-9, 10, 4001)
    density, loss = np.exp(-((y - 1) ** 2) / 2) / np.sqrt(2 * np.pi), y - 0.5
    for distance in (np.ones_like(y), 0.0 + (y > 0.5), np.sin(3 * y) ** 2):
        whole = np.sum(density * profile(distance, epsilon - loss)) * (y[1] - y[0])
        assert whole <= gdp.delta(np.sqrt(2), epsilon) * (1 + 1e-6)


@given(seeds, st.floats(0.05, 2), st.integers(1, 3))
def test_thm_subsample_without_replacement_and_replaced_rows(rng, epsilon, m):
    """A mechanism on m bits that sees their sum; tables of 4 bits."""
    mechanism = distributions(rng, m + 1, 4)
    delta = max(both_ways(p, q, epsilon) for p, q in zip(mechanism, mechanism[1:], strict=False))
    bound = approx.subsample((epsilon, delta), m / 4)
    for ones in range(4):  # a table with so many ones, and a neighbour with one more
        one, other = (
            np.mean([mechanism[sum(drawn)] for drawn in itertools.combinations(table, m)], axis=0)
            for table in ([1] * ones + [0] * (4 - ones), [1] * (ones + 1) + [0] * (3 - ones))
        )
        assert both_ways(one, other, bound.epsilon) <= bound.delta + 1e-14


@given(seeds, st.floats(0.05, 2), st.floats(0.01, 0.99))
def test_thm_subsample_poisson_and_added_rows(rng, epsilon, q):
    """A mechanism that sees how many rows were kept."""
    mechanism = distributions(rng, 6, 4)
    delta = max(both_ways(a, b, epsilon) for a, b in zip(mechanism, mechanism[1:], strict=False))
    bound = approx.subsample((epsilon, delta), q)
    kept = [[math.comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(n + 1)] for n in (4, 5)]
    one, other = (np.array(weights) @ mechanism[: len(weights)] for weights in kept)
    assert both_ways(one, other, bound.epsilon) <= bound.delta + 1e-14


@given(seeds, st.integers(1, 8), st.integers(1, 2))
def test_thm_density_moves_no_further_than_its_sensitivity_at_any_points(rng, points, d):
    """The whitened move of the estimate is below √2/(n (2πh²)^(d/2)) wherever it is read."""
    n, h = 50, 0.3
    x, (gone, come) = rng.random((points, d)) * 3, rng.random((2, d)) * 3

    def kernel(a, b):
        return np.exp(-(((a[:, None] - b[None]) ** 2).sum(axis=-1)) / (2 * h**2))

    moved = (kernel(x, gone[None]) - kernel(x, come[None]))[:, 0] / (n * (2 * np.pi * h**2) ** (d / 2))
    covariance = kernel(x, x)
    assume(np.linalg.eigvalsh(covariance)[0] > 1e-9)
    distance = np.sqrt(moved @ np.linalg.solve(covariance, moved))
    assert distance <= np.sqrt(2) / (n * (2 * np.pi * h**2) ** (d / 2)) * (1 + 1e-6)


def test_delta_adds_up_to_one_at_most():
    assert approx.advanced(0.1, 1e-6, 100, 1e-5).delta == pytest.approx(1.1e-4)
    assert approx.advanced_simple(0.1, 1e-6, 100, 1e-5).delta == pytest.approx(1.1e-4)
    for rule in (approx.advanced, approx.advanced_simple):
        assert rule(0.1, 0.5, 10, 0.1).delta == 1


def test_the_largest_epsilon_of_advanced_composition_is_allowed():
    assert approx.advanced(300, 0, 1, 0.5).epsilon == pytest.approx(300 * np.expm1(300))


@pytest.mark.parametrize("epsilon", [600, 600.5, 601, 700])
@pytest.mark.parametrize("q", [0, 1e-300, 1e-255, 0.3, 1])
def test_sampling_of_an_extreme_budget_is_never_understated(epsilon, q):
    exact = float(mp.log1p(q * mp.expm1(epsilon)))
    found = approx.subsample((epsilon, 0), q).epsilon
    assert exact * (1 - 1e-15) <= found <= epsilon
    if q > 1e-200:
        assert found == pytest.approx(exact, rel=1e-12)
