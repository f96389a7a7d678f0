"""Amplification by sampling in RDP: the sampled Gaussian against 30 digits, the general bound against exact curves."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from dp_lib import divergence, domain, rdp
from dp_lib.pld import PrivacyLoss, sampled
from livefigures.trace import tracing

FRACTIONAL = np.arange(1.25, 11, 0.25)
orders = st.floats(-9, 4).map(lambda e: 1 + 10.0**e)
sigmas = st.floats(-3, 6).map(lambda e: 10.0**e)
rates = st.floats(-12, 0).map(lambda e: 10.0**e)


def exact(alpha, sigma, q, digits=40):
    """ln E (1+x)^α / (α-1) by the trapezoidal rule, whose error on this analytic integrand is e^(-50)."""
    with mp.workdps(digits):
        alpha, sigma, q = mp.mpf(float(alpha)), mp.mpf(sigma), mp.mpf(q)
        step = min(sigma, sigma**2) / 3
        moment = mp.mpf(0)
        for i in range(int(-14 * sigma / step), int((alpha + 14 * sigma) / step)):
            z = i * step
            x = q * mp.expm1((2 * z - 1) / (2 * sigma**2))
            moment += mp.exp(-((z / sigma) ** 2) / 2) * ((1 + x) ** alpha - 1 - alpha * x)
        return float(mp.log1p(moment * step / sigma / mp.sqrt(2 * mp.pi)) / (alpha - 1))


@pytest.mark.parametrize("sigma, q", [(1, 0.01), (0.8, 0.5)])
def test_fractional_orders_to_twelve_digits(sigma, q):
    some = FRACTIONAL[::6]
    assert rdp.subsampled_gaussian(some, sigma, q) == pytest.approx(
        [exact(a, sigma, q) for a in some], rel=1e-12, abs=0
    )


@pytest.mark.parametrize("alpha", [1.0001, 1.5, 2, 7.3, 40, 60.5])
@pytest.mark.parametrize("sigma, q", [(0.4, 1e-6), (5, 0.99), (30, 0.1), (2, 1e-3)])
def test_all_orders_and_rates_to_twelve_digits(alpha, sigma, q):
    assert rdp.subsampled_gaussian(alpha, sigma, q) == pytest.approx(exact(alpha, sigma, q), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "sigma, q", [(0.3, 0.2), (1, 0.01), (4, 0.7), (20, 1e-4), (1e-3, 0.1), (1e6, 0.5), (0.13, 7e-11)]
)
def test_the_sum_over_draws_and_the_integral_agree(sigma, q):
    whole = np.array([2, 3, 10, 64, 299])
    beside = whole + 1e-11  # not whole: integrated
    summed, integrated = rdp.subsampled_gaussian(whole, sigma, q), rdp.subsampled_gaussian(beside, sigma, q)
    assert integrated == pytest.approx(summed, rel=1e-9, abs=0)


def where_the_mixture_turns():
    """Noise, order and a rate that puts the turn, from x < 1 to x > 1, below, between, above or at the peaks."""
    rng = np.random.default_rng(1)
    for alpha in (2, 3, 4, 6, 9, 16, 31, 61, 121):
        for sigma in 10 ** rng.uniform(-1.8, 0.6, 30):
            for turn in (rng.choice([0, 2, alpha]) + sigma * rng.uniform(-6, 6), rng.uniform(0, alpha)):
                q = expit((0.5 - turn) / sigma**2)
                if 1e-290 < q < 1 - 1e-9:
                    yield np.array([[alpha - 1.0]]), np.array([[sigma]]), np.array([[q]])


def test_the_integral_is_the_sum_wherever_the_mixture_turns():
    cases = list(where_the_mixture_turns())
    summed, integrated = (np.ravel([rule(*case) for case in cases]) for rule in (sampled._summed, sampled._integrated))
    some = summed > -600  # of what is less a float64 has no digits
    assert some.sum() > 250
    assert integrated[some] == pytest.approx(summed[some], abs=1e-11, rel=1e-12)


@pytest.mark.parametrize("t, sigma, turn", [(0.1, 0.0933, 1.354), (0.1, 0.0846, 1.6785), (0.001, 0.0819, 1.5551)])
def test_a_turn_steeper_than_the_peaks_between_them(t, sigma, turn):
    """Between its peaks at the order and at 2 such an integrand has a kink, σ² wide."""
    q = float(expit((0.5 - turn) / sigma**2))
    assert rdp.subsampled_gaussian(1 + t, sigma, q) == pytest.approx(
        exact(1 + t, sigma, q, digits=180), rel=1e-12, abs=0
    )


def test_a_peak_far_above_two():
    """Where the record is drawn seldom but in numbers: 40 σ from 0, and 560 σ below the order."""
    assert rdp.subsampled_gaussian(60000.5, 100, 0.045) == pytest.approx(exact(60000.5, 100, 0.045), rel=1e-12)


@pytest.mark.parametrize("sigma, most", [(0.3, 260), (0.5, 150), (1, 100), (2.5, 60), (30, 35)])
def test_few_even_steps_serve_ordinary_noise(sigma, most):
    """Fewer points than panels have."""
    t = np.array([[0.5], [3.7]])
    noise = np.full_like(t, sigma)
    z, step = sampled._even(t, noise)
    assert z.shape == (2, sampled._steps(t, noise) + 1)
    assert most / 2 < z.shape[1] < most < sampled.EVEN < sampled._panels(t, noise, np.full_like(t, 0.01))[0].shape[1]
    assert np.ravel(z[:, 0]) == pytest.approx([-9 * sigma] * 2)
    assert np.ravel(z[:, -1]) == pytest.approx([1.5 + 9 * sigma, 4.7 + 9 * sigma])
    assert np.diff(z, axis=1) == pytest.approx(np.broadcast_to(step, (2, z.shape[1] - 1)))


@pytest.mark.parametrize("sigma", [1e-3, 0.5, 3, 1e6])
def test_order_one_is_the_limit(sigma):
    near = rdp.subsampled_gaussian([1, 1 + 1e-12], sigma, 0.3)
    assert near[0] == pytest.approx(near[1], rel=1e-5, abs=0)


def test_no_order_is_infinite_in_long_training():
    budget = 1000 * rdp.subsampled_gaussian(np.append(FRACTIONAL, np.arange(2, 257)), 0.8, 0.5)
    assert np.all(np.isfinite(budget))


def test_ends_of_the_domain():
    assert rdp.subsampled_gaussian([1, 5, np.inf], 2, 0).tolist() == [0, 0, 0]
    assert rdp.subsampled_gaussian([1, 5, np.inf], 2, 1) == pytest.approx(rdp.gaussian([1, 5, np.inf], 2))
    assert rdp.subsampled_gaussian(np.inf, 2, 0.1) == np.inf
    assert 1e99 < rdp.subsampled_gaussian(2.5, 1e-50, 0.1) < rdp.gaussian(2.5, 1e-50)
    assert 0 < rdp.subsampled_gaussian(2.5, 1e50, 0.1) < rdp.gaussian(2.5, 1e50)


def test_the_last_order_that_is_summed_and_the_first_that_is_integrated():
    found = rdp.subsampled_gaussian([299, 300, 301, 302], 3, 0.01)
    assert found == pytest.approx(rdp.subsampled_gaussian(np.arange(299, 303) + 1e-9, 3, 0.01), rel=1e-9, abs=0)


@settings(max_examples=50)
@given(orders, sigmas, rates)
def test_between_nothing_and_no_sampling_and_growing_with_q_and_alpha(alpha, sigma, q):
    found = rdp.subsampled_gaussian(alpha, sigma, q)
    assert 0 <= found <= rdp.gaussian(alpha, sigma) * (1 + 1e-12)
    assert rdp.subsampled_gaussian(alpha, sigma, q / 2) <= found * (1 + 1e-12)
    assert found <= rdp.subsampled_gaussian(1 + (alpha - 1) * 1.5, sigma, q) * (1 + 1e-12)


def test_arguments_broadcast_and_keep_their_values():
    grid = rdp.subsampled_gaussian([[2], [2.5]], [1, 3, 9], 0.1)
    assert grid.shape == (2, 3)
    assert grid[1, 2] == rdp.subsampled_gaussian(2.5, 9, 0.1)


def test_dp_sgd_by_rdp_is_above_the_exact_answer_and_as_good_as_published():
    epsilon, _ = rdp.optimum(lambda alpha: rdp.repeat(rdp.subsampled_gaussian(alpha, 1, 0.01), 10000), 1e-5)
    assert PrivacyLoss.subsampled_gaussian(1, 0.01).repeat(10000).epsilon(1e-5).upper <= epsilon <= 6.7128


# Wang, Balle & Kasiviswanathan's bound


def test_the_general_bound_is_its_formula():
    q, sigma, alpha = 0.02, 3.0, 6
    curve = [rdp.gaussian(j, sigma) for j in range(alpha + 1)[2:]]
    terms = [q**2 * mp.binomial(alpha, 2) * min(4 * mp.expm1(curve[0]), 2 * mp.exp(curve[0]))]
    terms += [q**j * mp.binomial(alpha, j) * 2 * mp.exp((j - 1) * curve[j - 2]) for j in range(3, alpha + 1)]
    found = rdp.subsampled(alpha, lambda a: rdp.gaussian(a, sigma), q)
    assert found == pytest.approx(float(mp.log1p(sum(terms)) / (alpha - 1)), rel=1e-12, abs=0)


@pytest.mark.parametrize("epsilon, q", [(0.1, 0.01), (1, 0.1), (3, 0.5)])
@pytest.mark.parametrize("alpha", [1, 1.5, 2, 3.7, 20, np.inf])
def test_the_general_bound_covers_randomized_response_on_a_sampled_bit(epsilon, q, alpha):
    """One row of n = 1/q is told by randomized response: replacing it changes the answer's law from p to a mixture."""
    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
    p = np.array([q * truth + (1 - q) * (1 - truth), 0])  # the others are all 0
    p[1] = 1 - p[0]
    base = np.array([1 - truth, truth])
    t = max(alpha - 1, 1e-9)
    both = [
        np.log(np.max(a / b)) if np.isinf(alpha) else np.log(np.sum(a * (a / b) ** t)) / t
        for a, b in ((p, base), (base, p))
    ]
    assert max(both) <= rdp.subsampled(alpha, lambda a: rdp.from_pure(a, epsilon), q) * (1 + 1e-9) + 1e-12


def test_sampling_everything_or_nothing():
    def curve(alpha):
        return rdp.laplace(alpha, 2)

    alphas = [1, 1.3, 2, 9, np.inf]
    assert rdp.subsampled(alphas, curve, 0).tolist() == [0] * 5
    assert np.all(rdp.subsampled(alphas, curve, 1) <= curve(np.array(alphas)))
    assert rdp.subsampled(np.inf, curve, 0.1) == pytest.approx(np.log1p(0.1 * np.expm1(0.5)))
    assert np.all(np.diff([rdp.subsampled(8, curve, q) for q in (0.01, 0.1, 0.5, 1)]) >= 0)


def test_below_order_two_the_general_bound_is_that_of_order_two():
    """The moment's bound is interpolated from ln A = 0 at order 1."""
    at_two = np.log1p(0.01**2 * 2 * np.exp(1))  # a budget of 1 there: 2e < 4(e - 1)
    for alpha in (1 + 1e-6, 1.2, 1.9, 2):
        assert rdp.subsampled(alpha, lambda a: rdp.gaussian(a, 1), 0.01) == pytest.approx(at_two, rel=1e-13, abs=0)


def test_the_largest_order_of_the_general_bound_is_allowed():
    largest = rdp.subsampled([9999, 10000], lambda a: rdp.gaussian(a, 1e3), 0.01)
    assert 0 < largest[0] < largest[1] <= rdp.gaussian(10000, 1e3)


# Any mechanism on a Poisson sample


def three_outcomes(seed):
    """A mechanism's laws without and with a record, and its curve."""
    rng = np.random.default_rng(seed)
    p0, p1 = rng.dirichlet(np.ones(3) * rng.uniform(0.3, 5), 2)

    def curve(alpha):
        both = [np.asarray(divergence.renyi(*pair, alpha)) for pair in ((p0, p1), (p1, p0))]
        return np.maximum(*both)

    return p0, p1, curve


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("q", [1e-3, 0.1, 0.5, 0.95, 1])
def test_the_poisson_bound_holds_both_ways_for_any_mechanism(seed, q):
    p0, p1, curve = three_outcomes(seed)
    sampled = (1 - q) * p0 + q * p1
    alpha = np.array([1, 1.3, 2, 2.6, 3, 7, 40, np.inf])
    bound = rdp.subsampled_poisson(alpha, curve, q)
    for pair in ((sampled, p0), (p0, sampled)):
        assert np.all(divergence.renyi(*pair, alpha) <= bound * (1 + 1e-9) + 1e-14)


def test_the_poisson_bound_holds_where_others_are_sampled_too():
    """Two more records, each drawn or not; the mechanism is randomized response on whether an odd number was drawn."""
    epsilon, q = 1.2, 0.3
    truth = np.exp(epsilon) / (1 + np.exp(epsilon))

    def law(odd):
        return odd * truth + (1 - odd) * (1 - truth)

    def odd_of(records):
        return (1 - (1 - 2 * q) ** records) / 2

    laws = [np.array([law(odd_of(records)), 1 - law(odd_of(records))]) for records in (2, 3)]
    alpha = np.array([1, 1.5, 2, 5, 30, np.inf])
    bound = rdp.subsampled_poisson(alpha, lambda a: rdp.from_pure(a, epsilon), q)
    for pair in (laws, laws[::-1]):
        assert np.all(divergence.renyi(*pair, alpha) <= bound * (1 + 1e-9))


@pytest.mark.parametrize("alpha", [2, 3, 8, 30])
@pytest.mark.parametrize("sigma, q", [(0.5, 0.01), (1, 0.1), (3, 1e-9), (3, 0.01), (20, 0.5), (1, 0.9)])
def test_the_poisson_bound_is_its_formula(alpha, sigma, q):
    with mp.workdps(50):
        rate, e2, top = mp.mpf(q), mp.exp(mp.mpf(1) / sigma**2), mp.exp(mp.mpf(alpha * (alpha - 1)) / (2 * sigma**2))
        terms = (mp.binomial(alpha, j) * rate**j * (1 - rate) ** (alpha - j) for j in range(alpha + 1))
        a = mp.fsum(term * mp.exp(mp.mpf(j * (j - 1)) / (2 * sigma**2)) for j, term in enumerate(terms))
        bend = rate**2 if alpha == 2 else (1 - rate) ** (1 - alpha) - 1 - (alpha - 1) * rate
        b = min((1 - rate) ** (1 - alpha), 1 - rate + rate * top, 1 + bend * (e2 - 1))
        exact = min(mp.log(max(a, b)) / (alpha - 1), mp.mpf(alpha) / (2 * sigma**2))
    found = rdp.subsampled_poisson(alpha, lambda x: rdp.gaussian(x, sigma), q)
    assert found == pytest.approx(float(exact), rel=1e-11, abs=0)
    gaussian = rdp.subsampled_gaussian(alpha, sigma, q)
    assert gaussian * (1 - 1e-12) <= found <= 3 * gaussian
    assert found == pytest.approx(gaussian, rel=1e-11, abs=0) or b > a


def test_sampling_by_a_coin_of_everything_or_nothing():
    def curve(alpha):
        return rdp.laplace(alpha, 2)

    alphas = [1, 1.3, 2, 9, np.inf]
    assert rdp.subsampled_poisson(alphas, curve, 0).tolist() == [0] * 5
    np.testing.assert_allclose(rdp.subsampled_poisson([2, 9, np.inf], curve, 1), curve(np.array([2, 9, np.inf])))
    assert rdp.subsampled_poisson(np.inf, curve, 0.1) == pytest.approx(np.log1p(0.1 * np.expm1(0.5)))
    assert rdp.subsampled_poisson(1e4, curve, 0.1) <= np.log1p(0.1 * np.expm1(0.5)) * (1 + 1e-14)
    assert np.isfinite(rdp.subsampled_poisson(50, lambda a: np.where(np.isinf(a), np.inf, a), [1e-9, 0.999])).all()


@pytest.mark.parametrize("sample", [rdp.subsampled, rdp.subsampled_poisson])
def test_rates_and_orders_of_a_sampled_mechanism_broadcast(sample):
    def curve(alpha):
        return rdp.gaussian(alpha, 3)

    orders, rates = np.array([1, 2.5, 8, np.inf]), np.array([[0], [0.1], [0.7]])
    grid = sample(orders, curve, rates)
    assert grid.shape == (3, 4)
    for i, j in np.ndindex(3, 4):
        assert grid[i, j] == sample(orders[j], curve, rates[i, 0])
    with pytest.raises(domain.DomainError, match=r"q\[1\] must be between 0 and 1, got 1.5"):
        sample(2, curve, [0.5, 1.5])
    with domain.gaps():
        assert np.isnan(sample(2, curve, [0.5, 1.5])).tolist() == [False, True]


def test_at_the_middle_between_the_means_the_mixture_is_as_likely():
    """x = 0, h = 0."""
    t, sigma, q = np.array([[2.5]]), np.array([[1.5]]), np.array([[0.1]])
    assert sampled._log_h(np.array([[0.5]]), t, sigma, q) == -np.inf


# Domains


def recording(alpha, **known):
    """The tape of a sampled Gaussian at this order, with sigma and q as inputs, but for what is known."""
    tape = tracing.Tape()
    inputs = {name: known.get(name) or tape.input(name) for name in ("sigma", "q")}
    return tape.finish([tape.output(rdp.subsampled_gaussian(alpha, **inputs))])


@pytest.mark.parametrize("alpha", [2, 3, 64, 300])
def test_at_a_whole_order_it_is_traced_and_plays_the_same(alpha):
    operations, (last,) = recording(alpha)
    sigma, q = [x.ravel() for x in np.meshgrid([0.3, 1, 20, 1e4, -1], [0, 1e-9, 0.01, 0.9, 1, 2])]
    with np.errstate(all="ignore"), domain.gaps():
        played = tracing.play(operations, {"sigma": sigma, "q": q})[last]
        assert played == pytest.approx(rdp.subsampled_gaussian(alpha, sigma, q), rel=1e-10, abs=0, nan_ok=True)
    assert np.isnan(played).sum() == 10


def test_one_of_noise_and_rate_may_stay_a_number():
    for known in ({"q": 0.2}, {"q": 1.0}, {"sigma": 1.5}):
        operations, (last,) = recording(8, **known)
        at = {"q": 0.2, "sigma": 1.5, **known}
        assert tracing.play(operations, at)[last] == pytest.approx(rdp.subsampled_gaussian(8, **at), rel=1e-12, abs=0)


@pytest.mark.parametrize("alpha", [2.5, 1, 301, np.inf, [2, 3]])
def test_only_a_whole_order_can_be_traced(alpha):
    with pytest.raises(domain.DomainError) as caught:
        recording(alpha)
    allowed = "alpha must be one whole order from 2 to 300 where sigma or q is traced"
    assert (
        str(caught.value)
        == f"{allowed}, got {np.array(alpha, float)}; look the curve up instead: live.Curve(..., lookup=True)"
    )


def test_no_order_can_be_traced_nor_the_general_bound_and_both_say_so():
    for call in (
        lambda alpha: rdp.subsampled_gaussian(alpha, alpha, 0.1),
        lambda alpha: rdp.subsampled_gaussian(alpha, 1, 0.1),
        lambda alpha: rdp.subsampled(alpha, lambda a: rdp.gaussian(a, 1), 0.1),
        lambda alpha: rdp.subsampled_poisson(alpha, lambda a: rdp.gaussian(a, 1), 0.1),
    ):
        with pytest.raises(tracing.NotTraceable):
            call(tracing.Tape().input("alpha"))
