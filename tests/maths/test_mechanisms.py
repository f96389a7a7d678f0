"""Mechanisms: their distributions, their accuracy, and what an auditor can measure of their budgets.

Seeds are fixed, so a test passes always or never. For a fresh seed a correct mechanism would fail a test of
distribution with probability ALARM, and the audit's bounds hold with probability 1 - ALARM each.
"""

import inspect
import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from test_domain import RULES

from dp_lib import approx, domain, dp_sgd, gdp, mechanisms, pure, rdp, zcdp

ALARM = 1e-6
N = 200_000


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


def chi_square(sample, outcomes, probabilities):
    """p-value of the sample's counts, rare outcomes pooled."""
    counts = np.array([np.sum(sample == outcome) for outcome in outcomes])
    counts, expected = np.append(counts, len(sample) - counts.sum()), len(sample) * np.append(probabilities, 0)
    expected[-1] = len(sample) - expected.sum()
    rare = expected < 10
    counts, expected = np.append(counts[~rare], counts[rare].sum()), np.append(expected[~rare], expected[rare].sum())
    keep = expected > 0
    return stats.chisquare(counts[keep], expected[keep]).pvalue


# Distributions


def test_laplace_has_scale_sensitivity_over_epsilon(rng):
    sample = mechanisms.laplace(np.full(N, 7.0), 3, 0.5, rng)
    assert stats.kstest(sample, stats.laplace(7, 6).cdf).pvalue > ALARM


@pytest.mark.parametrize(
    "sigma",
    [approx.sigma_exact(1, 1e-5), rdp.sigma(10, 0.5), zcdp.sigma(0.1), gdp.sigma(0.3)],
    ids=["approx", "rdp", "zcdp", "gdp"],
)
def test_gaussian_takes_the_sigma_of_every_module(sigma, rng):
    sample = mechanisms.gaussian(np.full(N, -2.0), sigma, rng)
    assert stats.kstest(sample, stats.norm(-2, sigma).cdf).pvalue > ALARM


def test_vectors_get_independent_noise_in_every_entry(rng):
    for sample in (mechanisms.gaussian(np.zeros((3, N)), 2, rng), mechanisms.laplace(np.zeros((3, N)), 1, 1, rng)):
        assert np.max(np.abs(np.corrcoef(sample) - np.eye(3))) < 5 / math.sqrt(N)


def test_noise_broadcasts_to_every_answer(rng):
    assert mechanisms.laplace(0, 1, [1, 2, 3], rng).shape == (3,)
    assert mechanisms.gaussian(np.zeros((2, 1)), [1, 2, 3], rng).shape == (2, 3)


def test_randomized_response_tells_the_truth_as_often_as_its_module_says(rng):
    reports = mechanisms.randomized_response(np.ones(N), 1.5, rng)
    assert stats.binomtest(int(reports.sum()), N, float(pure.truth_probability(1.5))).pvalue > ALARM


def test_response_mean_is_unbiased(rng):
    truth = rng.random((N // 100, 100)) < 0.3
    reports = mechanisms.randomized_response(truth.astype(int), 0.5, rng)
    means = [mechanisms.response_mean(row, 0.5) for row in reports]
    spread = np.std(means) / math.sqrt(len(means))
    assert abs(np.mean(means) - truth.mean()) < 5 * spread
    assert abs(reports.mean() - truth.mean()) > 20 * spread  # the plain mean is not


def test_exponential_mechanism_and_its_gumbel_form_have_one_law(rng):
    scores = np.array([0, 1, 2, 5, 5.5])
    weights = mechanisms.exponential_weights(scores, 2, 1.2)
    assert weights == pytest.approx(np.exp(0.3 * scores) / np.exp(0.3 * scores).sum())
    draws = mechanisms.exponential(np.tile(scores, (N, 1)), 2, 1.2, rng)
    assert chi_square(draws, range(5), weights) > ALARM


def test_report_noisy_max_of_two_follows_the_difference_of_laplaces(rng):
    draws = mechanisms.report_noisy_max(np.tile([0.0, 1.0], (N, 1)), 1, 2, rng)
    first = math.exp(-1) * (2 + 1) / 4  # P(X1 - X2 > t) = e^-t (2 + t)/4 for unit scales, t = 1
    assert stats.binomtest(int(np.sum(draws == 0)), N, first).pvalue > ALARM


def test_permute_and_flip_is_what_its_name_says(rng):
    """Candidates in random order, each taken with probability e^(-ε shortfall / 2 sensitivity): all orders, summed."""
    scores = np.array([0, 1, 2.5, 3])
    taken = np.exp(-1.2 * (scores.max() - scores) / (2 * 2))
    chances = np.zeros(4)
    for order in permutations(range(4)):
        left = 1 / math.factorial(4)
        for candidate in order:
            chances[candidate] += left * taken[candidate]
            left *= 1 - taken[candidate]
    draws = mechanisms.permute_and_flip(np.tile(scores, (N, 1)), 2, 1.2, rng)
    assert chi_square(draws, range(4), chances) > ALARM


def test_stable_histogram_publishes_a_rare_name_with_probability_delta(rng):
    table = ["twice"] * 2 + ["once"] + ["often"] * 100
    runs = [mechanisms.stable_histogram(table, 1.5, 0.03, rng) for _ in range(20_000)]
    for name, chance in {"once": 0.03, "twice": 0.03 * math.exp(0.75), "often": 1}.items():
        assert stats.binomtest(sum(name in run for run in runs), len(runs), chance).pvalue > ALARM
    assert stats.kstest([run["often"] for run in runs], stats.laplace(100, 2 / 1.5).cdf).pvalue > ALARM
    assert mechanisms.stable_histogram([], 1, 1e-5, rng) == {}


@pytest.mark.parametrize("epsilon", [0.1, 1, 3, 12])
@pytest.mark.parametrize("part", [1e-6, 0.3, 1])
def test_stable_histogram_keeps_its_promise_where_a_row_is_replaced(epsilon, part):
    """The row's name goes from 1 to 0 and another's from 4 to 5, or back: all outcomes of the two, by intervals."""
    delta = part * min(0.5, -math.expm1(-epsilon / 2))
    once, four, five = (stats.laplace(count, 2 / epsilon) for count in (1, 4, 5))
    bar = once.isf(delta)
    cuts = np.concatenate([[-np.inf], bar + np.linspace(0, 40 / epsilon, 4001), [np.inf]])
    with_row = np.outer([once.cdf(bar), once.sf(bar)], np.diff(four.cdf(cuts)))
    without = np.outer([1, 0], np.diff(five.cdf(cuts)))
    for one, other in ((with_row, without), (without, with_row)):
        spent = np.maximum(one - math.exp(epsilon) * other, 0).sum()
        assert spent <= delta + 4002 * 2.3e-16  # a rounding in each interval


@pytest.mark.parametrize("sensitivity, epsilon", [(1, 0.7), (3, 2.0), (1, 5.0)])
def test_discrete_laplace_is_two_sided_geometric(sensitivity, epsilon, rng):
    sample = mechanisms.discrete_laplace(np.full(4000, 5), sensitivity, epsilon, rng)
    outcomes, r = np.arange(-60, 71), math.exp(-epsilon / sensitivity)
    assert chi_square(sample, outcomes, (1 - r) / (1 + r) * r ** abs(outcomes - 5.0)) > ALARM


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.7])
def test_discrete_gaussian_is_the_normal_density_on_integers(sigma, rng):
    sample = mechanisms.discrete_gaussian(np.full(3000, -3), sigma, rng)
    outcomes = np.arange(-60, 60)
    density = np.exp(-((outcomes + 3.0) ** 2) / (2 * sigma**2))
    assert chi_square(sample, outcomes, density / density.sum()) > ALARM


def test_discrete_samplers_answer_in_integers_and_shapes(rng):
    assert mechanisms.discrete_laplace([[1, 2], [3, 4]], 1, 1, rng).dtype == np.int64
    assert mechanisms.discrete_gaussian(np.zeros((2, 3)), 1e6, rng).shape == (2, 3)
    assert isinstance(int(mechanisms.discrete_gaussian(0, 1, rng)), int)


def test_discrete_samplers_take_the_ends_of_what_they_allow(rng):
    assert mechanisms.discrete_laplace(2**53, 1, 1e3, rng) == 2**53
    assert mechanisms.discrete_laplace(-(2**53), 1, 1e3, rng) == -(2**53)
    assert abs(mechanisms.discrete_laplace(0, 2, 2.0**-47, rng)) < 2**55
    assert abs(mechanisms.discrete_gaussian(0, 2.0**48, rng)) < 2**52


def test_uniform_integers_of_any_size(rng):
    small = np.array([mechanisms._below(6, rng) for _ in range(6000)])
    assert chi_square(small, range(6), np.full(6, 1 / 6)) > ALARM
    assert all(mechanisms._below(10**40, rng) < 10**40 for _ in range(100))


def test_one_seed_one_answer():
    draws = [mechanisms.laplace(np.zeros(3), 1, 1, np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(*draws)


# Data


def test_private_density_adds_a_process_of_the_kernels_correlation_and_the_exact_sigma(rng):
    data, at, h = rng.normal(size=(50, 2)), np.array([[0, 0], [0.1, 0], [2, 2.0]]), 0.3
    draws = np.array([mechanisms.private_density(data, at, h, 1, 1e-3, rng) for _ in range(4000)])
    kernel = [stats.multivariate_normal(row, h**2).pdf(at) for row in data]
    sigma = approx.sigma_exact(1, 1e-3, math.sqrt(2) / (50 * 2 * math.pi * h**2))
    noise = (draws - np.mean(kernel, axis=0)) / sigma
    assert stats.kstest(noise[:, 0], stats.norm.cdf).pvalue > ALARM
    expected = np.exp(-((at[:, None] - at[None]) ** 2).sum(axis=2) / (2 * h**2))
    assert np.cov(noise.T) == pytest.approx(expected, abs=0.12)


def test_above_threshold_finds_the_first_large_answer(rng):
    found = [mechanisms.above_threshold([0, 0, 100, 200], 50, 1, 2, rng) for _ in range(200)]
    assert set(found) == {2}
    assert mechanisms.above_threshold(np.zeros(5), 1e6, 1, 1, rng) == -1


def test_above_threshold_spends_half_its_budget_on_the_bar_and_half_on_the_answers(monkeypatch, rng):
    """Dwork & Roth, AboveThreshold: Lap(2Δ/ε) on the threshold, Lap(4Δ/ε) on each answer."""
    asked = []

    def laplace(value, sensitivity, epsilon, _):
        asked.append((np.ndim(value), sensitivity / epsilon))
        return value

    monkeypatch.setattr(mechanisms, "laplace", laplace)
    assert mechanisms.above_threshold([0, 3, 5], 3, 1.5, 0.5, rng) == 1
    assert asked == [(0, 2 * 1.5 / 0.5), (1, 4 * 1.5 / 0.5)]


# Floating point


def test_textbook_sampler_looks_right_and_betrays_its_value(rng):
    outputs = mechanisms.textbook_laplace(np.zeros(20000), 1, rng)
    assert stats.kstest(outputs, stats.laplace.cdf).pvalue > ALARM
    assert np.all(mechanisms.possible(outputs, 0, 1))
    assert np.mean(mechanisms.possible(outputs, 1, 1)) < 0.5  # most outputs of 0 cannot come from its neighbour


# An audit: what samples on two neighbours prove about the budget


def proved_epsilon(hits, hits_on_neighbour, delta=0.0, n=N):
    """A lower bound on ε, right with probability 1 - ALARM: ln((P(E) - δ)/Q(E)), P from below and Q from above."""
    p = stats.beta.ppf(ALARM / 2, hits, n - hits + 1)
    q = stats.beta.isf(ALARM / 2, hits_on_neighbour + 1, n - hits_on_neighbour)
    return math.log((p - delta) / q)


def audit_laplace(epsilon, rng):
    here, there = (mechanisms.laplace(np.full(N, v), 1, epsilon, rng) for v in (1.0, 0.0))
    return proved_epsilon(np.sum(here >= 1), np.sum(there >= 1))


def audit_exponential(epsilon, rng, choose=mechanisms.exponential):
    """One candidate up, twenty down."""
    here, there = np.zeros(21), np.ones(21)
    here[0], there[0] = 1, 0
    draws = [choose(np.tile(scores, (N, 1)), 1, epsilon, rng) == 0 for scores in (here, there)]
    return proved_epsilon(*(np.sum(hit) for hit in draws))


DELTA = 0.02


def audit_gaussian(epsilon, rng, noise=1.0):
    """At the event where the loss exceeds ε, which decides δ."""
    sigma = noise * approx.sigma_exact(epsilon, DELTA)
    threshold = 0.5 + epsilon * sigma**2
    here, there = (mechanisms.gaussian(np.full(N, v), sigma, rng) for v in (1.0, 0.0))
    return proved_epsilon(np.sum(here >= threshold), np.sum(there >= threshold), DELTA)


TIGHT = {
    "laplace": (audit_laplace, 1.0),
    "exponential": (audit_exponential, 2.0),
    "gaussian": (audit_gaussian, 1.0),
}
tight_mechanisms = pytest.mark.parametrize("audit, epsilon", TIGHT.values(), ids=TIGHT)


@pytest.mark.long
@tight_mechanisms
def test_audit_proves_most_of_the_budget_and_never_more(audit, epsilon, rng):
    assert 0.8 * epsilon <= audit(epsilon, rng) <= epsilon


@pytest.mark.long
@tight_mechanisms
def test_audit_catches_a_fifth_too_little_noise(audit, epsilon, rng):
    measured = audit(epsilon, rng, noise=0.8) if audit is audit_gaussian else audit(epsilon / 0.8, rng)
    assert measured > epsilon


def test_audit_of_report_noisy_max_stays_within_the_budget(rng):
    assert 0.5 * 2 <= audit_exponential(2.0, rng, mechanisms.report_noisy_max) <= 2
    assert audit_exponential(4.0, rng, mechanisms.report_noisy_max) > 2  # half the noise


def test_audit_of_above_threshold_stays_within_the_budget(rng):
    n, epsilon = 4000, 2.0
    answers = [np.append(np.full(20, low), high) for low, high in ((0.0, 1.0), (1.0, 0.0))]
    last = [sum(mechanisms.above_threshold(a, 1.5, 1, epsilon, rng) == 20 for _ in range(n)) for a in answers]
    assert proved_epsilon(*last, n=n) <= epsilon


# Domains


# What an argument of this name may be (None: anything), and an ordinary value of it.
NAMED = {
    **dict.fromkeys(["value", "output", "threshold"], (domain.real, 0)),
    **dict.fromkeys(["bits", "reports"], (domain.real, 1)),
    **dict.fromkeys(["scores", "answers", "data", "at"], (domain.real, [0, 1])),
    **dict.fromkeys(["sensitivity", "epsilon", "sigma", "scale", "bandwidth"], (domain.positive, 1)),
    "delta": (domain.fraction, 0.1),
    "names": (None, ["a"]),
}
FROM_ZERO = ("randomized_response", "exponential_weights", "exponential", "private_density")


def arguments_of(name):
    """The arguments of a mechanism, but for its source of randomness: what each may be, and an ordinary value."""
    own = {each: NAMED[each] for each in inspect.signature(getattr(mechanisms, name)).parameters if each != "rng"}
    if name == "discrete_laplace":
        own["sensitivity"] = (domain.positive_count, 1)
    return own | ({"epsilon": (domain.nonnegative, 1)} if name in FROM_ZERO else {})


ARGUMENTS = {
    name: arguments_of(name)
    for name, each in vars(mechanisms).items()
    if getattr(each, "__module__", "") == "dp_lib.mechanisms" and not name.startswith("_") and "__mutmut" not in name
}


@pytest.mark.parametrize(
    ("name", "argument"), [(name, each) for name, some in ARGUMENTS.items() for each in some if some[each][0]]
)
def test_a_value_outside_its_domain_is_refused_under_its_own_name(name, argument, rng):
    function, arguments = getattr(mechanisms, name), ARGUMENTS[name]
    rule = arguments[argument][0]
    values = {each: ordinary for each, (_, ordinary) in arguments.items()}
    source = {"rng": rng} if "rng" in inspect.signature(function).parameters else {}
    function(**values, **source)
    for bad in (*RULES[rule][1], math.nan, None):
        with pytest.raises(domain.DomainError) as expected:
            rule(argument, bad)
        with pytest.raises(domain.DomainError) as caught:
            function(**(values | {argument: bad}), **source)
        assert str(caught.value) == str(expected.value)


RANDOM = [name for name in ARGUMENTS if "rng" in inspect.signature(getattr(mechanisms, name)).parameters]


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("bad", [5, None, np.random, np.random.RandomState(1), np.random.default_rng])
def test_a_source_of_randomness_that_is_none_is_refused_by_name(name, bad):
    values = {each: ordinary for each, (_, ordinary) in ARGUMENTS[name].items()}
    with pytest.raises(domain.DomainError) as caught:
        getattr(mechanisms, name)(**values, rng=bad)
    assert str(caught.value).startswith(f"rng must be a numpy.random.Generator, got {bad!r} of type ")
    assert str(caught.value).endswith("; use numpy.random.default_rng(1)")


def test_one_bit_may_be_told_at_several_budgets(rng):
    assert mechanisms.randomized_response(1, [100, 50, 80], rng).tolist() == [1, 1, 1]
    assert mechanisms.randomized_response(np.ones((2, 1)), [100, 50, 80], rng).shape == (2, 3)


def test_each_row_of_scores_has_weights_of_its_own():
    weights = mechanisms.exponential_weights([[0, 1], [3, 0]], 1, 2)
    assert weights == pytest.approx(np.array([[1, math.e], [math.e**3, 1]]) / [[1 + math.e], [1 + math.e**3]])


def test_the_smallest_and_the_largest_uniform_number_are_possible_and_no_other():
    """U is a multiple of 2^-53 in (0, 1]."""
    assert mechanisms.possible(-3 * np.log(2.0**-53), 0, 3)
    assert mechanisms.possible(7 + 3 * np.log(2.0**-53), 7, 3)
    assert mechanisms.possible(7, 7, 3)
    assert not mechanisms.possible(1000, 0, 3)
    assert not mechanisms.possible(-np.log(2.0**-53 / 1.5), 0, 1)
    assert not mechanisms.possible(-np.log1p(2.0**-52), 0, 1)
    for scale in (0.1, 3.0, 50.0):
        outputs = mechanisms.textbook_laplace(np.full(300, 2.0), scale, np.random.default_rng(1))
        assert np.all(mechanisms.possible(outputs, 2, scale))
        assert stats.kstest(outputs, stats.laplace(2, scale).cdf).pvalue > ALARM


def test_exponential_weights_survive_extremes():
    assert mechanisms.exponential_weights([0, 1e6], 1e-3, 10).tolist() == [0, 1]
    assert mechanisms.exponential_weights([3, 7], 1, 0).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda rng: mechanisms.randomized_response([0, 2], 1, rng), "bits[1] must be 0 or 1, got 2.0"),
        (lambda rng: mechanisms.response_mean([0, 2], 1), "reports[1] must be 0 or 1, got 2.0"),
        (lambda rng: mechanisms.response_mean([], 1), "the number of reports must be a whole number >= 1, got 0.0"),
        (lambda rng: mechanisms.exponential([], 1, 1, rng), "the number of candidates must be a whole number >= 1"),
        (
            lambda rng: mechanisms.stable_histogram(["a"], 3, 0.6, rng),
            "delta must be at most 1/2 and 1 - e^(-epsilon/2)",
        ),
        (lambda rng: mechanisms.stable_histogram(["a"], 0.1, 0.05, rng), "delta must be at most 1/2 and 1 - e^("),
        (
            lambda rng: mechanisms.discrete_laplace(0, 2, 2.0**-48, rng),
            f"epsilon/sensitivity must be >= 2^-48, got {2.0**-49}",
        ),
        (
            lambda rng: mechanisms.discrete_laplace([1, 0.5], 1, 1, rng),
            "value[1] must be an integer up to 2^53, got 0.5",
        ),
        (lambda rng: mechanisms.discrete_gaussian(2.0**54, 1, rng), "value must be an integer up to 2^53, got 1.8014"),
        (lambda rng: mechanisms.discrete_gaussian(0, 2.0**49, rng), "sigma must be <= 2^48, got 562949953421312.0"),
        (lambda rng: mechanisms.private_density([], [0], 1, 1, 0.1, rng), "the number of rows must be a whole number"),
        (
            lambda rng: mechanisms.private_density([[0, 0]], [1], 1, 1, 0.1, rng),
            "at must be of dimension 2, as data, got 1.0",
        ),
    ],
)
def test_a_refusal_names_the_argument_and_the_rule(call, said, rng):
    with pytest.raises(domain.DomainError) as caught:
        call(rng)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sensitivity", lambda many, rng: mechanisms.discrete_laplace([1, 2], many, 1, rng)),
        ("epsilon", lambda many, rng: mechanisms.discrete_laplace([1, 2], 1, many, rng)),
        ("sigma", lambda many, rng: mechanisms.discrete_gaussian([1, 2], many, rng)),
        ("epsilon", lambda many, rng: mechanisms.stable_histogram(["a", "b"], many, 1e-5, rng)),
        ("delta", lambda many, rng: mechanisms.stable_histogram(["a", "b"], 1, np.divide(many, 1e5), rng)),
        ("threshold", lambda many, rng: mechanisms.above_threshold([1, 2], many, 1, 1, rng)),
        ("sensitivity", lambda many, rng: mechanisms.above_threshold([1, 2], 1, many, 1, rng)),
        ("epsilon", lambda many, rng: mechanisms.above_threshold([1, 2], 1, 1, many, rng)),
        ("n", lambda many, rng: dp_sgd.sample(many, 0.5, rng)),
        ("q", lambda many, rng: dp_sgd.sample(10, np.divide(many, 4), rng)),
    ],
)
def test_what_must_be_one_number_refuses_an_array(name, call):
    with pytest.raises(domain.DomainError, match=rf"^{name} must be one number, got an array of shape \(2,\)"):
        call([1, 2], np.random.default_rng(1))
