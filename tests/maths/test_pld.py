"""Exact composition: brackets hold the truth (formulas, integrals, enumeration), are narrow, and survive extremes."""

import itertools
import math
import tracemalloc
from fractions import Fraction

import exact_tails
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.special import expit, ndtri

from dp_lib import domain
from dp_lib.pld import PrivacyLoss, lattice, privacy_loss
from dp_lib.pld.pairs import Gaussian
from dp_lib.pld.tilted import GRID

ORDINARY = {
    "gaussian": PrivacyLoss.gaussian(3),
    "laplace": PrivacyLoss.laplace(4),
    "randomized response": PrivacyLoss.randomized_response(0.6),
    "subsampled gaussian": PrivacyLoss.subsampled_gaussian(1.1, 0.1),
    "discrete": PrivacyLoss.discrete([0.5, 0.3, 0.2], [0.3, 0.3, 0.4]),
}
every_mechanism = pytest.mark.parametrize("loss", ORDINARY.values(), ids=ORDINARY)


def assert_holds(bracket, truth, width):
    assert bracket.lower <= truth <= bracket.upper
    assert bracket.upper - bracket.lower <= width * truth


# Oracles at 40 digits: one mechanism's profile; two mechanisms', by integration over the first one's loss; counting.


@pytest.fixture(autouse=True)
def forty_digits():
    with mpmath.workdps(40):
        yield


def gaussian_delta(mu, epsilon):
    return exact_tails.delta(exact_tails.gaussian(mu, epsilon))


def laplace_delta(scale, epsilon):
    return exact_tails.delta(exact_tails.laplace(scale, epsilon))


def sampled_delta(sigma, q, epsilon, added=False):
    return exact_tails.delta(exact_tails.sampled(sigma, q, epsilon, added))


def after_laplace(scale, delta):
    """E delta(epsilon - L) for the loss L of one Laplace answer: two atoms and a density between them."""

    def composed(epsilon):
        end = 1 / scale
        kinks = sorted({-end, end, *(e for e in (epsilon - end, epsilon + end) if -end < e < end)})
        inside = mpmath.quad(lambda x: mp.exp((x - end) / 2) / 4 * delta(epsilon - x), kinks)
        return delta(epsilon - end) / 2 + mp.exp(-end) / 2 * delta(epsilon + end) + inside

    return composed


def counted_delta(pairs, epsilon):
    """The composition of discrete pairs, outcome by outcome, in fractions."""
    total = mpf(0)
    for outcome in itertools.product(*(zip(p, q, strict=True) for p, q in pairs)):
        p, q = (math.prod(Fraction(mass[side]) for mass in outcome) for side in (0, 1))
        total += max(mpf(p.numerator) / p.denominator - mp.exp(epsilon) * q.numerator / q.denominator, mpf(0))
    return total


# The bracket holds the truth


@pytest.mark.parametrize("sigma", [0.3, 2, 40, 1e4])
@pytest.mark.parametrize("epsilon", [0, 1e-4, 0.1, 3, 30])
def test_gaussian_brackets_the_exact_profile(sigma, epsilon):
    truth = gaussian_delta(1 / mpf(sigma), epsilon)
    bracket = PrivacyLoss.gaussian(sigma).delta(epsilon)
    assert bracket.lower <= truth <= bracket.upper
    assert bracket.upper - bracket.lower <= 1e-8 * truth or truth < 1e-300


@pytest.mark.parametrize("epsilon", [0, 0.05, 0.0999, 0.0999999])
def test_one_laplace_brackets_the_exact_profile(epsilon):
    truth = laplace_delta(10, epsilon)
    bracket = PrivacyLoss.laplace(10).delta(epsilon)
    assert bracket.lower <= truth <= bracket.upper
    assert bracket.upper - bracket.lower <= 1e-4


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.6, 0.95])
def test_two_laplace_answers_bracket_the_integral(epsilon):
    truth = after_laplace(mpf(2), lambda e: laplace_delta(2, e))(mpf(epsilon))
    assert_holds(PrivacyLoss.laplace(2).repeat(2).delta(epsilon), truth, 1e-3)


@pytest.mark.parametrize("epsilon", [0, 0.5, 2, 5, 9])
def test_laplace_after_gaussian_brackets_the_integral(epsilon):
    truth = after_laplace(mpf(2), lambda e: gaussian_delta(1, e))(mpf(epsilon))
    assert_holds(PrivacyLoss.gaussian(1).compose(PrivacyLoss.laplace(2)).delta(epsilon), truth, 1e-3)


@pytest.mark.parametrize("sigma, q", [(1, 0.01), (0.5, 0.3), (5, 0.9), (1, 1e-4)])
@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.5])
def test_one_subsampled_gaussian_brackets_the_exact_profile_of_the_worse_direction(sigma, q, epsilon):
    truth = max(sampled_delta(sigma, q, epsilon, added) for added in (False, True))
    assert_holds(PrivacyLoss.subsampled_gaussian(sigma, q).delta(epsilon), truth, 2e-3)


@pytest.mark.parametrize(("sigma", "q", "epsilon"), [(1.1, 0.01, 0.3), (2.0, 0.3, 1.0), (5.0, 0.05, 0.001)])
def test_one_replaced_record_of_a_sample_has_the_profile_of_its_theorem(sigma, q, epsilon):
    """q δ(ln(1 + (e^ε - 1)/q)) of the Gaussian mechanism that moves by 2 (Balle, Barthe & Gaboardi 2018)."""
    truth = q * gaussian_delta(mpf(2) / sigma, mp.log1p(mp.expm1(epsilon) / q))
    assert_holds(PrivacyLoss.subsampled_gaussian(sigma, q, replaced=True).delta(epsilon), truth, 2e-3)


@pytest.mark.parametrize("turned", [(False, False), (False, True), (True, True)])
@pytest.mark.parametrize(("sigma", "q", "epsilon"), [(1.5, 0.3, 0.5), (2.5, 0.1, 0.05), (1.2, 0.6, 1.0)])
def test_two_samples_of_fixed_size_cost_no_more_than_their_bound(sigma, q, epsilon, turned):
    """Each step holds the record or its replacement beside others that equal the other of the two, in either order."""
    x = np.linspace(-9 * sigma, 2 + 9 * sigma, 2001)
    normal = [np.exp(-((x - mean) ** 2) / (2 * sigma**2)) / np.sqrt(2 * np.pi) / sigma for mean in (0, 2)]
    pair = (1 - q) * normal[0] + q * normal[1], normal[0]
    (p, q_), (r, s) = (pair[::-1] if turn else pair for turn in turned)
    truth = np.maximum(np.outer(p, r) - np.exp(epsilon) * np.outer(q_, s), 0).sum() * (x[1] - x[0]) ** 2
    loss = PrivacyLoss.subsampled_gaussian(sigma, q, replaced=True).repeat(2)
    assert 0 < truth * (1 - 1e-5) <= loss.delta(epsilon).upper


@pytest.mark.parametrize("epsilon", [0.2, 1, 3])
def test_laplace_after_subsampled_gaussian_brackets_the_integral(epsilon):
    directions = [
        after_laplace(mpf(3), lambda e, added=added: sampled_delta(1, mpf("0.2"), e, added)) for added in (False, True)
    ]
    truth = max(delta(mpf(epsilon)) for delta in directions)
    loss = PrivacyLoss.subsampled_gaussian(1, 0.2).compose(PrivacyLoss.laplace(3))
    assert_holds(loss.delta(epsilon), truth, 2e-3)


fractions = st.lists(st.integers(0, 8), min_size=3, max_size=3).filter(any)


@pytest.mark.long
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(fractions, fractions), min_size=1, max_size=3), st.floats(0, 4))
def test_discrete_pairs_bracket_the_enumeration(weights, epsilon):
    pairs = [[[Fraction(w, sum(mass)) for w in mass] for mass in pair] for pair in weights]
    loss = PrivacyLoss()
    for p, q in pairs:
        loss = loss.compose(PrivacyLoss.discrete([float(x) for x in p], [float(x) for x in q]))
    truth = max(counted_delta(pairs, mpf(epsilon)), counted_delta([pair[::-1] for pair in pairs], mpf(epsilon)))
    bracket = loss.delta(epsilon)
    assert bracket.lower - 1e-12 <= truth <= bracket.upper + 1e-12  # the floats p and q are the fractions to 1e-16
    assert bracket.upper - bracket.lower <= 2e-3


def test_no_answer_is_counted_less_than_it_was_given():
    epsilon_0 = 1.1
    ten = PrivacyLoss.randomized_response(expit(epsilon_0)).repeat(10)
    assert ten.epsilon(1e-9).upper == pytest.approx(10 * epsilon_0, rel=1e-3)
    assert ten.compose(ten).epsilon(1e-12) == ten.repeat(2).epsilon(1e-12)


def test_one_gaussian_dominates_every_move_to_the_lattice():
    """The step on which the lower bound rests: probits differ by at most mu where logits differ by h."""
    middle = np.linspace(-30, 30, 6001)
    for h in (1e-3, 0.1, 1, 5, 20):
        low, high = (np.sign(logit) * -ndtri(expit(-abs(logit))) for logit in (middle - h / 2, middle + h / 2))
        assert np.max(high - low) == pytest.approx(lattice.move(h), rel=1e-12)


@pytest.mark.parametrize(
    "loss, more, epsilon",
    [
        (PrivacyLoss.subsampled_gaussian(1, 0.001).repeat(10), PrivacyLoss.laplace(10000).repeat(11), 0.1),
        (PrivacyLoss.subsampled_gaussian(1.5, 0.3).repeat(101), PrivacyLoss.subsampled_gaussian(0.8, 0.001), 3),
    ],
)
def test_one_mechanism_more_never_leaks_less(loss, more, epsilon):
    """Also where the lattice suits one of them: the other's losses then reach below their infimum, ln(1-q)."""
    alone, both = loss.delta(epsilon), loss.compose(more).delta(epsilon)
    assert alone.lower <= both.upper
    assert both.upper - both.lower <= 5e-3 * both.lower


# Numbers of the literature and of other accountants


@pytest.mark.parametrize("k, low, high", [(1, 0.0999980, 0.0999980), (100, 4.687, 4.697), (1000, 18.93, 18.96)])
def test_laplace_composition(k, low, high):
    bracket = PrivacyLoss.laplace(10).repeat(k).epsilon(1e-6)
    assert low - 5e-8 <= bracket.lower <= bracket.upper <= high + 5e-8
    assert bracket.upper - bracket.lower <= 2e-4 * bracket.upper


def test_dp_sgd_within_the_limits_of_two_other_accountants():
    bracket = PrivacyLoss.subsampled_gaussian(1, 0.01).repeat(10000).epsilon(1e-5)
    assert 6.1770 <= bracket.lower <= 6.18771 <= bracket.upper <= 6.1885
    assert bracket.upper - bracket.lower <= 2e-4 * bracket.upper


@pytest.mark.parametrize("k, epsilon", [(1, 0.0125134), (500, 0.3846924)])
def test_gaussian_composition_is_exact(k, epsilon):
    bracket = PrivacyLoss.gaussian(200).repeat(k).epsilon(1e-5)
    assert bracket.lower == pytest.approx(epsilon, abs=5e-8)
    assert bracket.upper - bracket.lower <= 1e-11 * epsilon


def test_pure_composition_is_optimal():
    bracket = PrivacyLoss.randomized_response(expit(0.1)).repeat(100).epsilon(1e-6)
    assert bracket.lower == pytest.approx(4.774568, abs=5e-7)
    assert bracket.upper - bracket.lower <= 1e-10


# What must hold for every mechanism


@every_mechanism
def test_epsilon_and_delta_are_each_others_inverse(loss):
    loss = loss.repeat(7)
    epsilon = loss.epsilon(1e-5)
    assert loss.delta(epsilon.lower).upper >= 1e-5 * (1 - 1e-9)
    assert loss.delta(epsilon.upper).lower <= 1e-5 * (1 + 1e-9)


@every_mechanism
def test_repeat_is_compose_k_times(loss):
    assert loss.compose(loss).compose(loss) == loss.repeat(3)
    assert loss.repeat(0).epsilon(0.5) == (0, 0)


@every_mechanism
def test_epsilon_grows_with_k_and_falls_with_delta(loss):
    by_k = [loss.repeat(k).epsilon(1e-6) for k in (1, 2, 5, 20, 100)]
    assert all(less.lower < more.upper for less, more in itertools.pairwise(by_k))
    by_delta = loss.repeat(10).epsilon([1e-2, 1e-4, 1e-8, 1e-30, 1e-100])
    assert np.all(np.diff(by_delta.upper) > -1e-12)
    assert np.all(np.diff(by_delta.lower) > -1e-3 * by_delta.upper[1:])


@every_mechanism
def test_a_coarse_lattice_contains_a_fine_one(loss, monkeypatch):
    fine = loss.repeat(50).epsilon(1e-6)
    monkeypatch.setattr(privacy_loss, "WIDTH", 5e-3)
    coarse = loss.repeat(50).epsilon(1e-6)
    assert coarse.lower <= fine.upper and fine.lower <= coarse.upper
    assert coarse.upper - coarse.lower <= 0.02 * coarse.upper


@pytest.mark.parametrize("name, k", [("laplace", 100), ("subsampled gaussian", 30), ("discrete", 1000)])
def test_the_bracket_is_as_wide_as_is_promised(name, k):
    """About 1e-4 of epsilon: no wider, and no narrower, which would be slower."""
    bracket = ORDINARY[name].repeat(k).epsilon(1e-6)
    assert 1e-4 <= (bracket.upper - bracket.lower) / bracket.upper <= 1.2e-4


@pytest.mark.parametrize("name", ["laplace", "subsampled gaussian"])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_the_bracket_of_delta_is_as_wide_as_is_promised(name, share):
    hundred = ORDINARY[name].repeat(100)
    bracket = hundred.delta(share * hundred.epsilon(1e-6).upper)
    assert 6e-5 <= (bracket.upper - bracket.lower) / bracket.upper <= 1e-4


@pytest.mark.parametrize("delta", [0.1, 1e-9])
def test_both_ends_of_a_bracket_are_certified(delta):
    """The profile's own bounds say so, to the last digit."""
    profile = Gaussian(0.7)
    lower, upper = privacy_loss._crossing(profile, delta)
    assert profile.lower(lower) >= delta >= profile.upper(upper)
    assert lower <= upper <= lower * (1 + 1e-12)


def test_stages_narrow_the_bracket_of_many_steps(monkeypatch):
    loss = PrivacyLoss.laplace(1000).repeat(2 * 10**6)
    truth = loss.epsilon(1e-6)
    assert truth.upper - truth.lower <= 2e-4 * truth.upper
    monkeypatch.setattr(lattice, "GRID", 2**13)
    staged = loss.epsilon(1e-6)
    monkeypatch.setattr(lattice.Plan, "add_stage", lambda plan: False)
    direct = loss.epsilon(1e-6)
    for coarse in (staged, direct):
        assert coarse.lower <= truth.lower <= truth.upper <= coarse.upper
    assert staged.upper - staged.lower <= (direct.upper - direct.lower) / 20


def test_many_laplace_answers_approach_the_gaussian_limit():
    """1e8 answers of loss variance 2/scale² (1 - ...): the central limit's epsilon, to its own accuracy."""
    scale, k = 1e4, 10**8
    bracket = PrivacyLoss.laplace(scale).repeat(k).epsilon(1e-6)
    limit = PrivacyLoss.gaussian(scale / math.sqrt(k)).epsilon(1e-6)
    assert bracket.upper - bracket.lower <= 5e-3 * bracket.upper
    assert bracket.lower <= limit.upper * 1.001 and limit.lower * 0.999 <= bracket.upper


def test_arrays_keep_their_shape():
    bracket = ORDINARY["laplace"].epsilon(np.full((2, 3), 1e-6))
    assert bracket.lower.shape == bracket.upper.shape == (2, 3)


def test_infinite_loss_is_counted_once_per_run():
    """Name and shame: with probability .001 the record is told; otherwise nothing is."""
    loss = PrivacyLoss.discrete([0.999, 0.001, 0], [0.999, 0, 0.001]).repeat(3)
    assert loss.epsilon(1e-3) == (math.inf, math.inf)
    assert loss.epsilon(3e-3) == (0, 0)
    truth = -math.expm1(3 * math.log1p(-0.001))
    assert_holds(loss.delta(5), truth, 1e-9)


def test_no_privacy_and_perfect_privacy():
    assert PrivacyLoss.randomized_response(1).epsilon(0.1) == (math.inf, math.inf)
    assert PrivacyLoss.randomized_response(0.5).repeat(9).epsilon(1e-300) == (0, 0)
    assert PrivacyLoss.subsampled_gaussian(1, 0).epsilon(1e-9) == (0, 0)
    assert PrivacyLoss.subsampled_gaussian(2, 1) == PrivacyLoss.gaussian(2)
    assert PrivacyLoss.subsampled_gaussian(2, 1, replaced=True) == PrivacyLoss.gaussian(1)


# Extremes


EXTREMES = [
    PrivacyLoss.gaussian(1e-3).repeat(10**9),
    PrivacyLoss.gaussian(1e6).repeat(10**12),
    PrivacyLoss.laplace(1e-3).repeat(1000),
    PrivacyLoss.laplace(1e6).repeat(10**9),
    PrivacyLoss.randomized_response(0.50001).repeat(10**9),
    PrivacyLoss.subsampled_gaussian(1e-3, 0.01).repeat(10),
    PrivacyLoss.subsampled_gaussian(1e-3, 0.5).repeat(10**9),
    PrivacyLoss.subsampled_gaussian(1e6, 0.5).repeat(10**12),
    PrivacyLoss.subsampled_gaussian(1, 1e-9).repeat(10**9),
    PrivacyLoss.gaussian(1e-3).compose(PrivacyLoss.laplace(1e3)),
]


@pytest.mark.long
@pytest.mark.parametrize("delta", [0.5, 1e-6, 1e-300])
@pytest.mark.parametrize("loss", EXTREMES)
def test_extremes_answer_in_bounded_memory(loss, delta):
    tracemalloc.start()
    bracket = loss.epsilon(delta)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0 <= bracket.lower <= bracket.upper
    assert peak <= 40 * 8 * GRID


def test_tiny_deltas_keep_their_precision():
    bracket = PrivacyLoss.laplace(10).repeat(1000).epsilon(1e-300)
    assert bracket.upper - bracket.lower <= 2e-4 * bracket.upper
    deltas = PrivacyLoss.laplace(10).repeat(1000).delta(bracket)
    assert deltas.lower[1] <= 1e-300 <= deltas.upper[0]
    assert deltas.upper[0] <= 1.2e-300
    assert bracket.upper < 100


# Domains


ONE = "must be one number, got an array of shape (2,); make a PrivacyLoss for each"
REFUSED = {
    "sigma must be a finite number > 0, got 0.0": lambda: PrivacyLoss.gaussian(0),
    "sigma must be between 1e-50 and 1e50, got 9e-51": lambda: PrivacyLoss.gaussian(9e-51),
    "sigma must be between 1e-50 and 1e50, got 1.1e+50": lambda: PrivacyLoss.gaussian(1.1e50),
    f"sigma {ONE}": lambda: PrivacyLoss.gaussian([1, 2]),
    "scale must be a finite number > 0, got -1.0": lambda: PrivacyLoss.laplace(-1),
    "scale must be between 1e-50 and 1e50, got 1e+51": lambda: PrivacyLoss.laplace(1e51),
    f"scale {ONE}": lambda: PrivacyLoss.laplace([1, 2]),
    "p must be between 0 and 1, got 1.1": lambda: PrivacyLoss.randomized_response(1.1),
    f"p {ONE}": lambda: PrivacyLoss.randomized_response([0.6, 0.7]),
    "sigma must be a finite number > 0, got -1.0": lambda: PrivacyLoss.subsampled_gaussian(-1, 0.1),
    "q must be between 0 and 1, got -0.1": lambda: PrivacyLoss.subsampled_gaussian(1, -0.1),
    f"q {ONE}": lambda: PrivacyLoss.subsampled_gaussian(1, [0.1, 0.2]),
    "p[1] must be between 0 and 1, got 1.4": lambda: PrivacyLoss.discrete([0.5, 1.4], [0.5, 0.5]),
    "q[1] must be between 0 and 1, got -0.4": lambda: PrivacyLoss.discrete([0.5, 0.5], [0.5, -0.4]),
    "p must be of sum 1, got 0.9": lambda: PrivacyLoss.discrete([0.5, 0.4], [0.5, 0.5]),
    "q must be of sum 1, got 1.1": lambda: PrivacyLoss.discrete([0.5, 0.5], [0.5, 0.6]),
    "p must be an array of one dimension, got 2.0": lambda: PrivacyLoss.discrete([[0.5, 0.5]], [0.5, 0.5]),
    "q must be an array of one dimension, got 2.0": lambda: PrivacyLoss.discrete([0.5, 0.5], [[0.5, 0.5]]),
    "q must be of as many outcomes as p, got 2.0": lambda: PrivacyLoss.discrete([1.0], [0.5, 0.5]),
    "k must be a whole number >= 0, got 1.5": lambda: PrivacyLoss.laplace(1).repeat(1.5),
    f"k {ONE}": lambda: PrivacyLoss.laplace(1).repeat([1, 2]),
    "delta must be strictly between 0 and 1, got 0.0": lambda: PrivacyLoss.laplace(1).epsilon(0),
    "epsilon must be a finite number >= 0, got -1.0": lambda: PrivacyLoss.laplace(1).delta(-1),
}


@pytest.mark.parametrize("said, make", REFUSED.items(), ids=REFUSED)
def test_errors_name_the_argument_and_what_is_allowed(said, make):
    with pytest.raises(domain.DomainError) as raised:
        make()
    assert str(raised.value) == said


def test_masses_that_sum_to_one_but_for_rounding_are_made_to():
    ((removed, _), _), *_ = PrivacyLoss.discrete([0.5, 0.5 + 8e-10], [0.4, 0.6 - 8e-10]).steps
    assert (sum(removed.p), sum(removed.q)) == pytest.approx((1, 1), rel=1e-15)


def test_the_ends_of_the_noise_are_allowed():
    for make in (PrivacyLoss.gaussian, PrivacyLoss.laplace):
        assert make(1e-50).epsilon(0.1).upper > 1e49
        assert make(1e50).epsilon(0.1) == (0, 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PrivacyLoss.laplace(-1),
        lambda: PrivacyLoss.gaussian(np.nan),
        lambda: PrivacyLoss.randomized_response(np.nan),
        lambda: PrivacyLoss.subsampled_gaussian(1, -1),
        lambda: PrivacyLoss.subsampled_gaussian(0, 0.1),
        lambda: PrivacyLoss.discrete([0.5, 0.5], [0.5, np.nan]),
        lambda: PrivacyLoss.discrete([0.5, 0.4], [0.5, 0.5]),
        lambda: PrivacyLoss.discrete([0.5, 0.5], [0.5, 0.4]),
        lambda: PrivacyLoss.laplace(1).repeat(-1),
        lambda: PrivacyLoss.laplace(1).compose(PrivacyLoss.gaussian(-1)),
    ],
)
def test_bad_values_leave_gaps_in_figures(make):
    with domain.gaps():
        assert np.all(np.isnan(make().epsilon([1e-5, 0.1]))) and np.all(np.isnan(make().delta(1.0)))
        assert np.all(np.isnan(PrivacyLoss.laplace(1).epsilon(-1.0)))
