"""Lab 3: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import numpy as np
import pytest
from figures import run
from scipy import optimize, stats
from scipy.special import log_ndtr, ndtr, ndtri

from dp_lib import approx

pytestmark = pytest.mark.xdist_group("labs/what_delta_buys")


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/what_delta_buys").names


# -- step 1: the profile


def compared_profile(lab, mine):
    return lab["compared"](mine, lab["book_delta"], lab["DELTA_SLIPS"], lab["ORDINARY"], **lab["EXTREME"])


def difference_of_powers(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    return np.exp(log_ndtr(mu / 2 - epsilon / mu)) - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))


def as_a_product(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    first = log_ndtr(mu / 2 - epsilon / mu)
    return np.exp(first) * -np.expm1(epsilon + log_ndtr(-mu / 2 - epsilon / mu) - first)


def by_logcdf(epsilon, sigma, sensitivity):
    upper = stats.norm.logcdf(sensitivity / (2 * sigma) - epsilon * sigma / sensitivity)
    lower = stats.norm.logcdf(-sensitivity / (2 * sigma) - epsilon * sigma / sensitivity)
    return math.exp(upper) * -math.expm1(min(epsilon + lower - upper, 0))


@pytest.mark.parametrize("name", ["solution", "product", "logcdf"])
def test_right_profiles_are_accepted(lab, name):
    mine = {"solution": lab["true_delta"], "product": as_a_product, "logcdf": by_logcdf}[name]
    agrees, said = compared_profile(lab, mine)
    assert agrees, said


def naive(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


def naive_with_nan(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    with np.errstate(all="ignore"):
        return ndtr(mu / 2 - epsilon / mu) - np.exp(np.float64(epsilon)) * ndtr(-mu / 2 - epsilon / mu)


def tail(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    return ndtr(mu / 2 - epsilon / mu)


def without_power(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    return ndtr(mu / 2 - epsilon / mu) - ndtr(-mu / 2 - epsilon / mu)


def variance_for_deviation(epsilon, sigma, sensitivity):
    return difference_of_powers(epsilon, sigma**2, sensitivity)


def turned_over(epsilon, sigma, sensitivity):
    return difference_of_powers(epsilon, sensitivity, sigma)


def twice_the_sensitivity(epsilon, sigma, sensitivity):
    return difference_of_powers(epsilon, sigma, 2 * sensitivity)


def without_root(epsilon, sigma, sensitivity):
    mu = sensitivity / sigma
    upper, lower = (math.erfc(-x) / 2 for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
    return upper - math.exp(min(epsilon, 700)) * lower


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (naive, "use log_ndtr"),
        (naive_with_nan, "use log_ndtr"),
        (tail, "The second term is missing."),
        (without_power, "The factor e^ε of the second term is missing."),
        (variance_for_deviation, "not the variance"),
        (turned_over, "Your μ is σ/Δ, and it has to be Δ/σ."),
        (without_root, "lacks a √2"),
        (twice_the_sensitivity, "the right answer for sigma/2 everywhere"),
        (lambda epsilon, sigma, sensitivity: None, "returns None, which is no number"),
        (lambda epsilon, sigma, sensitivity: ..., "returns Ellipsis, which is no number"),
    ],
)
def test_a_wrong_profile_is_named(lab, mine, said):
    agrees, words = compared_profile(lab, mine)
    assert not agrees
    assert said in words


# -- step 2: the smallest σ


def ends(lab, epsilon, delta, sensitivity, steps=200, start=(1e-9, 1e6)):
    low, high = start
    for _ in range(steps):
        middle = (low + high) / 2
        if lab["delta_used"](epsilon, middle, sensitivity) <= delta:
            high = middle
        else:
            low = middle
    return low, high


def by_root_finder(lab):
    def mine(epsilon, delta, sensitivity):
        def excess(log_sigma):
            return math.log(max(lab["delta_used"](epsilon, math.exp(log_sigma), sensitivity), 1e-300) / delta)

        return math.exp(optimize.brentq(excess, -12, 14, xtol=1e-12)) * (1 + 1e-9)

    return mine


def test_right_searches_are_accepted(lab):
    right = [
        lab["least_sigma"],
        by_root_finder(lab),
        lambda epsilon, delta, sensitivity: ends(lab, epsilon, delta, sensitivity)[1],
        lambda epsilon, delta, sensitivity: sensitivity * ends(lab, epsilon, delta, 1)[1] * (1 + 1e-9),
        lambda epsilon, delta, sensitivity: approx.sigma_exact(epsilon, delta, sensitivity) * (1 + 1e-9),
    ]
    for mine in right:
        assert lab["judged"](mine).startswith("All 18 promises are kept, with at most 0.1%")
        agrees, said = lab["compared"](mine, lab["book_sigma"], lab["SIGMA_SLIPS"], **lab["any_promise"])
        assert agrees, said


@pytest.mark.parametrize("steps", [45, 50, 200])
def test_the_lower_end_of_a_search_breaks_the_promise(lab, steps):
    """Even where it has the same first 15 digits as the upper end."""
    said = lab["judged"](lambda epsilon, delta, sensitivity: ends(lab, epsilon, delta, sensitivity, steps)[0])
    assert said.startswith("BROKEN PROMISE. For ε = 1, δ = 0.01 and sensitivity 1 your σ = 1.87788 has a δ of 1.0000")


def test_the_middle_and_a_rounded_end_break_a_promise(lab):
    def middle(epsilon, delta, sensitivity):
        return sum(ends(lab, epsilon, delta, sensitivity, 40)) / 2

    def rounded(epsilon, delta, sensitivity):
        return round(ends(lab, epsilon, delta, sensitivity)[1], 4)

    for mine in (middle, rounded):
        assert lab["judged"](mine).startswith("BROKEN PROMISE.")


def test_a_short_bracket_is_found_at_both_ends(lab):
    def mine(epsilon, delta, sensitivity):
        return ends(lab, epsilon, delta, sensitivity, start=(1, 100))[1]

    said = lab["compared"](mine, lab["book_sigma"], lab["SIGMA_SLIPS"], **lab["any_promise"])[1]
    assert "your function returns 100, and the right answer is 14485.9" in said
    assert lab["judged"](mine).startswith("BROKEN PROMISE. For ε = 0.1, δ = 1e-12")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda sigma, epsilon, delta, sensitivity: sigma(epsilon, 2 * delta, sensitivity), "2 delta everywhere"),
        (lambda sigma, epsilon, delta, sensitivity: sigma(epsilon, delta / 2, sensitivity), "delta/2 everywhere"),
        (
            lambda sigma, epsilon, delta, sensitivity: sigma(epsilon, delta, sensitivity) ** 2,
            "the variance of",
        ),
        (lambda sigma, epsilon, delta, sensitivity: sigma(epsilon, delta, 1), "a factor sensitivity is missing"),
        (
            lambda sigma, epsilon, delta, sensitivity: 2 * sigma(epsilon, delta, sensitivity),
            "factor of 2 is too much",
        ),
        (
            lambda sigma, epsilon, delta, sensitivity: sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon,
            "Your value is that of the classic formula.",
        ),
    ],
)
def test_a_wrong_noise_is_named(lab, wrong, said):
    def mine(epsilon, delta, sensitivity):
        return wrong(approx.sigma_exact, epsilon, delta, sensitivity)

    agrees, words = lab["compared"](mine, lab["book_sigma"], lab["SIGMA_SLIPS"], **lab["any_promise"])
    assert not agrees
    assert said in words


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda epsilon, delta, sensitivity: None, "It returns None for ε = 1, δ = 0.01"),
        (lambda epsilon, delta, sensitivity: math.nan, "It returns nan for ε = 1"),
        (lambda epsilon, delta, sensitivity: -1.0, "It returns -1.0 for ε = 1"),
        (lambda epsilon, delta, sensitivity: np.ones(2), "It returns array([1., 1.]) for ε = 1"),
        (lambda epsilon, delta, sensitivity: 1 / 0, "It raises ZeroDivisionError: division by zero (for ε = 1"),
        (
            lambda epsilon, delta, sensitivity: 1.01 * approx.sigma_exact(epsilon, delta, sensitivity),
            "All 18 promises are kept, but σ is 1.0% too large",
        ),
    ],
)
def test_an_unfinished_or_wasteful_search_is_told(lab, mine, said):
    assert lab["judged"](mine).startswith(said)


def test_the_page_uses_the_book_after_a_broken_promise(lab, capsys):
    used = lab["checked_twice"]("least_sigma", lab["lower_end"])
    assert "BROKEN PROMISE" in capsys.readouterr().out
    assert used(1, 1e-5, 1) == lab["book_sigma"](1, 1e-5, 1)
    lab["checked_twice"]("least_sigma", lambda epsilon, delta, sensitivity: None)
    assert "The second check waits until the first one agrees." in capsys.readouterr().out


# -- step 3: the classic formula


def test_right_classic_functions_are_accepted(lab):
    def by_root(delta):
        def excess(epsilon):
            return difference_of_powers(epsilon, lab["classic_sigma"](epsilon, delta, 1), 1) - delta

        return optimize.brentq(excess, 2, 15, xtol=1e-12)

    assert lab["compared"](lab["classic_sigma"], lab["book_classic"], **lab["up_to_one"])[0]
    for mine in (lab["first_false"], by_root):
        assert lab["compared"](mine, lab["book_first_false"], lab["FALSE_SLIPS"], delta=(1e-12, 0.1))[0]


def formula(inside=1.25, outside=1.0, two=2.0, log=math.log, root=math.sqrt):
    return lambda epsilon, delta, sensitivity: outside * root(two * log(inside / delta)) * sensitivity / epsilon


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (formula(inside=1, outside=1.25), "The 1.25 is outside the logarithm, and it belongs inside."),
        (formula(inside=1, outside=math.sqrt(1.25)), "under the root but outside the logarithm"),
        (formula(inside=1), "The 1.25 is missing."),
        (formula(inside=2.5, two=1), "The 2 is inside the logarithm."),
        (formula(two=1), "a 2 is missing under the root."),
        (formula(log=math.log10), "base 10, not e"),
        (formula(log=math.log2), "base 2, not e"),
        (formula(root=float), "The root is missing."),
        (lambda epsilon, delta, sensitivity: approx.sigma_exact(epsilon, delta, sensitivity), "the exact σ of step 2"),
        (lambda epsilon, delta, sensitivity: formula()(epsilon, delta, 1), "a factor sensitivity is missing"),
        (lambda epsilon, delta, sensitivity: formula()(epsilon, delta / 2, sensitivity), "delta/2 everywhere"),
    ],
)
def test_a_wrong_classic_formula_is_named(lab, mine, said):
    agrees, words = lab["compared"](mine, lab["book_classic"], lab["CLASSIC_SLIPS"], **lab["up_to_one"])
    assert not agrees
    assert said in words


def test_a_wrong_end_of_the_classic_formula_is_told(lab):
    agrees, words = lab["compared"](lambda delta: 1, lab["book_first_false"], lab["FALSE_SLIPS"], delta=(1e-12, 0.1))
    assert not agrees
    assert "At ε = 1 the proof ends, and the formula is still true there." in words


# -- step 4: the releases


def gaussian(lab, table, rng, sensitivity, size):
    return table.sum(axis=0) + rng.normal(0, lab["book_sigma"](1, 1e-5, sensitivity), size)


def verdict(lab, mine, kind="gaussian"):
    if kind == "laplace":
        return lab["tried"](mine, 16 * math.sqrt(2))
    return lab["tried"](mine, 4 * lab["book_sigma"](1, 1e-5, 1), 1e-5)


def test_right_releases_are_accepted(lab):
    def scaled_noise(table, rng):
        return table.sum(axis=0) + lab["book_sigma"](1, 1e-5, 4) * rng.standard_normal(16)

    def count_by_count(table, rng):
        return [float(column.sum() + rng.laplace(0, table.shape[1])) for column in table.T]

    assert lab["laplace_used"] is lab["release_laplace"]
    assert lab["gaussian_used"] is lab["release_gaussian"]
    assert verdict(lab, scaled_noise)[0]
    assert verdict(lab, count_by_count, "laplace")[0]


def test_a_release_with_too_little_noise_is_caught(lab):
    right, said = verdict(lab, lambda table, rng: gaussian(lab, table, rng, 1, 16))
    assert not right
    assert "standard deviation 3.7, and the promise needs 15.0. You promise ε = 1 at δ = 1e-05." in said

    def root_for_laplace(table, rng):
        return table.sum(axis=0) + rng.laplace(0, 4, 16)

    right, said = verdict(lab, root_for_laplace, "laplace")
    assert not right
    assert "standard deviation 5.7, and the promise needs 22.7. You promise ε = 1." in said

    def scale_from_deviation(table, rng):
        return table.sum(axis=0) + rng.laplace(0, 16 / math.sqrt(2), 16)

    right, said = verdict(lab, scale_from_deviation, "laplace")
    assert not right
    assert "standard deviation 16.1, and the promise needs 22.7." in said


def test_a_release_with_one_draw_for_all_is_caught(lab):
    right, said = verdict(lab, lambda table, rng: gaussian(lab, table, rng, 4, None))
    assert not right
    assert "minus entry" in said


@pytest.mark.parametrize("power", [1.5, 2])
def test_a_release_with_too_much_noise_hears_it(lab, power):
    """σ² for σ, and the ℓ1 sensitivity for the ℓ2 sensitivity."""
    right, said = verdict(
        lab, lambda table, rng: table.sum(axis=0) + rng.normal(0, lab["book_sigma"](1, 1e-5, 4) ** power, 16)
    )
    assert not right
    assert said.endswith("That is safe but wasteful.")


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda table, rng: None, "It returns None for a table with 16 columns"),
        (lambda table, rng: ..., "It returns Ellipsis for a table with 16 columns"),
        (lambda table, rng: table.sum() + rng.normal(), "It returns "),
        (lambda table, rng: table.sum(axis=1) + rng.normal(), "It returns array("),
        (lambda table, rng: table[99], "It raises IndexError"),
    ],
)
def test_an_unfinished_release_is_told(lab, mine, said):
    right, words = verdict(lab, mine)
    assert not right
    assert words.startswith(said)


# -- step 5: from how many counts δ pays


def by_quantiles(lab):
    ratio = ndtri(0.975) / math.log(20)
    return lambda epsilon, delta: math.floor((ratio * epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2) + 1


def test_the_number_of_counts_is_checked(lab):
    def told(mine):
        return lab["compared"](mine, lab["book_answers"], lab["PAYS_SLIPS"], epsilon=(0.1, 4.0), delta=(1e-12, 1e-2))

    def solved(epsilon, delta):
        return math.floor((epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2) + 1

    assert told(lab["least_answers"])[0]
    assert told(solved)[0]
    for wrong, said in (
        (lab["scale_for_deviation"], "You compare σ with the scale b"),
        (lambda epsilon, delta: solved(epsilon, delta) - 1, "one too small"),
        (lambda epsilon, delta: solved(epsilon, delta) + 1, "one too large"),
        (by_quantiles(lab), "the right answer is"),
        (lambda epsilon, delta: None, "returns None"),
    ):
        agrees, words = told(wrong)
        assert not agrees
        assert said in words
