"""Lab 3: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import exact_tails
import mpmath
import numpy as np
import pytest
from figures import TEXTS, run
from scipy import optimize, stats
from scipy.special import log_ndtr, ndtr, ndtri

from dp_lib import approx
from dp_lib.check import time_limit

pytestmark = [pytest.mark.xdist_group("labs/what_delta_buys"), pytest.mark.usefixtures("short_attacks")]


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/what_delta_buys").names


@pytest.fixture
def impatient(monkeypatch):
    """A second in place of the five that the lab names, for a call that uses up all of them."""
    assert time_limit.PATIENCE == 5
    monkeypatch.setattr(time_limit, "PATIENCE", 1.0)


# -- step 1: the profile


def compared_profile(lab, mine):
    return lab["compared"](mine, lab["book_delta"], lab["DELTA_SLIPS"], lab["ORDINARY"], **lab["EXTREME"])


def profile(terms):
    """A profile by a formula in ε and μ."""
    return lambda epsilon, sigma, sensitivity: terms(epsilon, sensitivity / sigma)


def logarithms(epsilon, mu):
    """Those of the two terms of the profile."""
    return log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)


def of_mu(epsilon, mu):
    first, second = logarithms(epsilon, mu)
    return np.exp(first) - np.exp(second)


difference_of_powers = profile(of_mu)


@profile
def as_a_product(epsilon, mu):
    first, second = logarithms(epsilon, mu)
    return np.exp(first) * -np.expm1(second - first)


def by_logcdf(epsilon, sigma, sensitivity):
    upper = stats.norm.logcdf(sensitivity / (2 * sigma) - epsilon * sigma / sensitivity)
    lower = stats.norm.logcdf(-sensitivity / (2 * sigma) - epsilon * sigma / sensitivity)
    return math.exp(upper) * -math.expm1(min(epsilon + lower - upper, 0))


@pytest.mark.parametrize("name", ["solution", "product", "logcdf"])
def test_right_profiles_are_accepted(lab, name):
    mine = {"solution": lab["true_delta"], "product": as_a_product, "logcdf": by_logcdf}[name]
    agrees, said = compared_profile(lab, mine)
    assert agrees, said


@profile
def naive(epsilon, mu):
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


@profile
def naive_with_nan(epsilon, mu):
    with np.errstate(all="ignore"):
        return ndtr(mu / 2 - epsilon / mu) - np.exp(np.float64(epsilon)) * ndtr(-mu / 2 - epsilon / mu)


@profile
def tail(epsilon, mu):
    return ndtr(mu / 2 - epsilon / mu)


def with_second(log_second):
    """The profile with another logarithm of its second term."""
    return profile(
        lambda epsilon, mu: np.exp(log_ndtr(mu / 2 - epsilon / mu)) - np.exp(np.minimum(log_second(epsilon, mu), 700))
    )


@profile
def product_for_quotient(epsilon, mu):
    return np.exp(log_ndtr(mu / 2 - epsilon * mu)) - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon * mu))


@profile
def without_root(epsilon, mu):
    upper, lower = (math.erfc(-x) / 2 for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
    return upper - math.exp(min(epsilon, 700)) * lower


def difference_of_logarithms(epsilon, mu):
    first, second = logarithms(epsilon, mu)
    return first - second


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (naive, "use log_ndtr at least for the second term"),
        (
            profile(lambda epsilon, mu: (1 - ndtr(epsilon / mu - mu / 2)) - np.exp(logarithms(epsilon, mu)[1])),
            "do not compute Φ(−x) as 1 − Φ(x).",
        ),
        (
            with_second(lambda epsilon, mu: np.log(epsilon) + log_ndtr(-mu / 2 - epsilon / mu)),
            "The logarithm of e^ε is ε, and you have ln ε.",
        ),
        (profile(difference_of_logarithms), "You subtract the logarithms of the two terms. Take np.exp of each one"),
        (
            profile(lambda epsilon, mu: np.exp(np.minimum(difference_of_logarithms(epsilon, mu), 700))),
            "You subtract the logarithms of the two terms, which divides them.",
        ),
        (naive_with_nan, "use log_ndtr"),
        (tail, "The second term is missing."),
        (
            with_second(lambda epsilon, mu: log_ndtr(-mu / 2 - epsilon / mu)),
            "The factor e^ε of the second term is missing.",
        ),
        (
            lambda epsilon, sigma, sensitivity: difference_of_powers(epsilon, sigma**2, sensitivity),
            "not the variance",
        ),
        (profile(lambda epsilon, mu: of_mu(epsilon, 1 / mu)), "Your μ is σ/Δ, and it has to be Δ/σ."),
        (without_root, "lacks a √2"),
        (
            with_second(lambda epsilon, mu: epsilon + log_ndtr(mu / 2 - epsilon / mu)),
            "In the second Φ, μ/2 needs a minus sign.",
        ),
        (
            with_second(lambda epsilon, mu: epsilon + log_ndtr(-mu / 2 + epsilon / mu)),
            "In the second Φ, ε/μ needs a minus sign.",
        ),
        (product_for_quotient, "Your Φ has ε·μ, and it needs ε/μ."),
        (with_second(lambda epsilon, mu: epsilon * log_ndtr(-mu / 2 - epsilon / mu)), "ε has to be added to it."),
        (profile(lambda epsilon, mu: np.round(of_mu(epsilon, mu), 5)), "or do you round the result?"),
        (profile(lambda epsilon, mu: of_mu(epsilon, 2 * mu)), "the right answer for sigma/2 everywhere"),
        (lambda epsilon, sigma, sensitivity: None, "returns None, which is no number"),
        (lambda epsilon, sigma, sensitivity: ..., "returns Ellipsis, which is no number"),
    ],
)
def test_a_wrong_profile_is_named(lab, mine, said):
    agrees, words = compared_profile(lab, mine)
    assert not agrees
    assert said in words


@pytest.mark.parametrize(
    ("mine", "shown"),
    [
        (tail, "At epsilon = 1, sigma = 1, sensitivity = 1 your function returns 0.308537539, and the right answer is"),
        (naive, "At epsilon = 1000, sigma = 5, sensitivity = 5 your function raises OverflowError"),
    ],
)
def test_the_check_of_a_profile_begins_with_round_numbers(lab, mine, shown):
    assert compared_profile(lab, mine)[1].startswith(shown)


def test_what_a_function_prints_is_hidden_by_the_checks_and_in_the_next_steps(lab, capsys):
    def talks(function):
        def mine(*arguments, **named):
            print("here")
            return function(*arguments, **named)

        return mine

    assert compared_profile(lab, talks(lab["true_delta"]))[0]
    assert lab["judged"](talks(lab["least_sigma"])).startswith("All 18")
    assert lab["tried"](talks(lab["release_laplace"]), 1)[0]
    capsys.readouterr()
    used = lab["checked"]("true_delta", talks(lab["true_delta"]), lab["book_delta"], **lab["EXTREME"])
    assert used(1, 1, 1) == lab["true_delta"](1, 1, 1)
    assert lab["checked_twice"]("least_sigma", talks(lab["least_sigma"]))(1, 1e-5, 1) > 0
    release, _ = lab["releases"](talks(lab["release_laplace"]), lab["release_gaussian"])
    assert release(np.ones((2, 3)), 1, np.random.default_rng(1)).shape == (3,)
    assert "here" not in capsys.readouterr().out


def test_the_next_steps_have_the_books_value_where_an_accepted_function_raises_an_error(lab):
    def refuses_two(epsilon, delta, sensitivity):
        if epsilon == 2:
            raise ValueError
        return lab["classic_sigma"](epsilon, delta, sensitivity)

    used = lab["accepted"](refuses_two, lab["book_classic"])
    assert used(2, 1e-5, 1) == lab["book_classic"](2, 1e-5, 1)
    assert used(1, 1e-5, 1) == lab["classic_sigma"](1, 1e-5, 1)


# -- step 2: the smallest σ


def compared_search(lab, mine):
    hint = {"hint": lab["at_an_end"]}
    return lab["compared"](
        mine, lab["book_sigma"], lab["SIGMA_SLIPS"], lab["ordinary_promise"], **hint, **lab["any_promise"]
    )


def ends(lab, epsilon, delta, sensitivity, steps=200, start=(1e-9, 1e15)):
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

        return math.exp(optimize.brentq(excess, -20, 35, xtol=1e-12)) * (1 + 1e-9)

    return mine


def test_right_searches_are_accepted(lab):
    right = [
        lab["least_sigma"],
        by_root_finder(lab),
        lambda epsilon, delta, sensitivity: ends(lab, epsilon, delta, sensitivity)[1] * (1 + 1e-9),
        lambda epsilon, delta, sensitivity: sensitivity * ends(lab, epsilon, delta, 1)[1] * (1 + 1e-9),
        lambda epsilon, delta, sensitivity: approx.sigma_exact(epsilon, delta, sensitivity) * (1 + 1e-9),
    ]
    for mine in right:
        assert lab["judged"](mine).startswith("All 18 promises are kept, with at most 0.1%")
        agrees, said = compared_search(lab, mine)
        assert agrees, said


def doubled_and_halved(lab, halved=True, stop=1e-9, relative=True, margin=1 + 1e-9, end="upper", until_equal=False):
    """The search of the solution, with the slips that students made in it."""

    def mine(epsilon, delta, sensitivity):
        high = sensitivity
        while not lab["delta_used"](epsilon, high, sensitivity) <= delta:
            high = 2 * high
        low = high / 2
        while halved and lab["delta_used"](epsilon, low, sensitivity) <= delta:
            low = low / 2
        while high - low > (stop * high if relative else stop):
            middle = (low + high) / 2
            if until_equal and not low < middle < high:
                break
            if lab["delta_used"](epsilon, middle, sensitivity) <= delta:
                high = middle
            else:
                low = middle
        return {"upper": high, "lower": low, "mean": (low + high) / 2}[end] * margin

    return mine


MARGIN_MISSING = "Is the factor 1 + 1e-9 missing, or do you return the lower number or the mean?"


def test_a_search_without_the_last_factor_is_told(lab):
    """Whether it stops early or goes on to the last digit."""
    for slip in ({}, {"stop": 1e-12}):
        mine = doubled_and_halved(lab, margin=1, **slip)
        assert compared_search(lab, mine)[0]
        assert lab["judged"](mine).endswith(MARGIN_MISSING)
        assert lab["judged"](doubled_and_halved(lab, **slip)).startswith("All 18 promises are kept")
    last_digit = lab["judged"](lambda epsilon, delta, sensitivity: ends(lab, epsilon, delta, sensitivity)[1])
    assert last_digit.startswith("BROKEN PROMISE.") or last_digit.endswith(MARGIN_MISSING)


def test_the_lower_number_and_the_mean_with_the_factor_are_told(lab):
    for end in ("lower", "mean"):
        mine = doubled_and_halved(lab, end=end)
        assert compared_search(lab, mine)[0]
        said = lab["judged"](mine)
        assert said.startswith("BROKEN PROMISE.") or said.endswith(MARGIN_MISSING)
        assert "Do you round it?" not in said


def test_an_absolute_difference_never_ends_at_a_large_sensitivity(lab, impatient):
    agrees, said = compared_search(lab, doubled_and_halved(lab, relative=False))
    assert not agrees
    assert said.startswith("It did not return at epsilon = ")
    assert said.endswith("sensitivity = 1e+09 within five seconds. Is there a loop that does not end?")


def test_a_search_that_ends_at_the_last_digit_of_an_absolute_difference_hears_it(lab):
    agrees, said = compared_search(lab, doubled_and_halved(lab, relative=False, until_equal=True))
    assert not agrees
    assert "sensitivity = 1e-06" in said
    assert "Does it stop at a relative difference?" in said


@pytest.mark.parametrize("start", [(1e-3, 1e6), (1e-2, 1e5)])
def test_a_wide_bracket_of_two_fixed_numbers_is_too_short(lab, start):
    def mine(epsilon, delta, sensitivity):
        return ends(lab, epsilon, delta, sensitivity, start=start)[1] * (1 + 1e-9)

    agrees, said = compared_search(lab, mine)
    assert not agrees
    assert "Is the solution here between the two numbers with which it begins?" in said


def test_a_rounded_result_hears_it(lab):
    for digits in (6, 7):
        agrees, said = compared_search(
            lab, lambda *each, n=digits, **names: round(lab["least_sigma"](*each, **names), n)
        )
        assert not agrees
        assert "Do you round the result?" in said
    assert "Do you round it?" in lab["judged"](lambda *each: float(f"{lab['least_sigma'](*each):.9g}"))


def test_a_search_that_never_halves_hears_that_it_is_right_for_ordinary_promises(lab):
    agrees, said = compared_search(lab, doubled_and_halved(lab, halved=False))
    assert not agrees
    assert said.startswith("At epsilon = 900")
    assert "For ordinary promises your search is right. Is the solution here between the two numbers" in said


def from_a_start(lab, start=None, swapped=False, halved=True, reversed_loops=False, stop=1e-9):
    """A search with two numbers that both begin at 1, or at the sensitivity."""

    def mine(epsilon, delta, sensitivity):
        def enough(sigma):
            return lab["true_delta"](epsilon, sigma, sensitivity) <= delta

        low = high = start or sensitivity
        while enough(high) if reversed_loops else not enough(high):
            high *= 2
        while halved and (enough(low) != reversed_loops):
            low /= 2
        while high - low > stop * high:
            middle = (low + high) / 2
            if enough(middle) != swapped:
                high = middle
            else:
                low = middle
        return high * (1 + 1e-9)

    return mine


@pytest.mark.parametrize("start", [1.0, None])
def test_a_search_in_the_wrong_direction_hears_where_it_ended(lab, start):
    agrees, said = compared_search(lab, from_a_start(lab, start, swapped=True))
    assert not agrees
    assert said.endswith(
        "Your search ended at a number with which it began. Does it go the right way? "
        "Is the solution between its first two numbers?"
    )


def test_a_search_that_only_doubles_1_hears_where_it_ended(lab):
    agrees, said = compared_search(lab, from_a_start(lab, 1.0, halved=False))
    assert not agrees
    assert "your function returns 1, and the right answer is 0.9" in said
    assert "Your search ended at a number with which it began." in said


def test_a_search_with_reversed_loops_hears_that_sigma_became_0(lab):
    agrees, said = compared_search(lab, from_a_start(lab, 1.0, reversed_loops=True))
    assert not agrees
    assert said.endswith("Your σ became 0. Does each loop go the right way? A smaller σ has a larger δ.")


def test_a_search_to_six_digits_is_accepted(lab):
    """On purpose: its σ is at most a millionth too large, which breaks no promise, and its docstring allows it."""
    mine = from_a_start(lab, stop=9e-7)
    assert compared_search(lab, mine)[0]
    assert lab["judged"](mine).startswith("All 18 promises are kept, with at most 0.1%")


@pytest.mark.parametrize("epsilon", [0.001, 0.003, 0.1, 1, 30])
def test_the_smallest_sigma_keeps_its_promise_for_each_epsilon_that_its_docstring_allows(lab, epsilon):
    """To four hundred digits, also for a δ that the check does not try. At ε = 1e-6 the rounding errors are larger."""
    assert "epsilon : at least 0.001" in TEXTS["labs/what_delta_buys"]
    for delta in (0.9, 0.1, 1e-5, 1e-12, 1e-15, 1e-50):
        sigma = lab["least_sigma"](epsilon, delta, 1)
        with mpmath.workdps(400):
            assert exact_tails.delta(exact_tails.gaussian(1 / mpmath.mpf(float(sigma)), epsilon)) <= delta


def test_a_search_to_four_digits_hears_it(lab):
    agrees, said = compared_search(lab, doubled_and_halved(lab, stop=1e-4))
    assert not agrees
    assert said.startswith("At epsilon = 1, delta = 1e-05, sensitivity = 1 your function returns 3.7")
    assert said.endswith("Does your calculation stop too early, or do you round the result?")


@pytest.mark.parametrize("steps", [45, 50, 200])
def test_the_lower_end_of_a_search_breaks_the_promise(lab, steps):
    """Even where it has the same first 15 digits as the upper end."""
    said = lab["judged"](
        lambda epsilon, delta, sensitivity: ends(lab, epsilon, delta, sensitivity, steps, (1e-9, 1e6))[0]
    )
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
        return ends(lab, epsilon, delta, sensitivity, start=(0.1, 100))[1] * (1 + 1e-9)

    said = compared_search(lab, mine)[1]
    assert "your function returns 100, and the right answer is 30623.54" in said
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

    agrees, words = compared_search(lab, mine)
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
    said = capsys.readouterr().out
    assert "BROKEN PROMISE" in said
    assert "The next steps use the book's function in place of your least_sigma." in said
    assert used(1, 1e-5, 1) == lab["book_sigma"](1, 1e-5, 1)
    lab["checked_twice"]("least_sigma", lambda epsilon, delta, sensitivity: None)
    assert "The second check waits until the first one agrees." in capsys.readouterr().out


# -- step 3: the classic formula


def compared_first_false(lab, mine):
    return lab["compared"](mine, lab["book_first_false"], lab["FALSE_SLIPS"], **lab["any_delta"])


def compared_classic(lab, mine):
    return lab["compared"](mine, lab["book_classic"], lab["CLASSIC_SLIPS"], lab["up_to_one"], **lab["any_epsilon"])


def test_right_classic_functions_are_accepted(lab):
    def by_root(delta):
        def excess(epsilon):
            return difference_of_powers(epsilon, lab["classic_sigma"](epsilon, delta, 1), 1) - delta

        return optimize.brentq(excess, 2, 15, xtol=1e-12)

    assert compared_classic(lab, lab["classic_sigma"])[0]
    assert compared_classic(lab, formula(log=np.log, root=np.sqrt))[0]
    for mine in (lab["first_false"], by_root):
        assert compared_first_false(lab, mine)[0]


def formula(inside=1.25, outside=1.0, two=2.0, log=math.log, root=math.sqrt):
    return lambda epsilon, delta, sensitivity: outside * root(two * log(inside / delta)) * sensitivity / epsilon


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (formula(inside=1, outside=1.25), "The 1.25 is outside the logarithm, and it belongs inside."),
        (formula(inside=1, outside=math.sqrt(1.25)), "under the root but outside the logarithm"),
        (formula(inside=1), "The 1.25 is missing."),
        (
            lambda epsilon, delta, sensitivity: math.sqrt(2 * math.log(1.25 / delta) * sensitivity / epsilon),
            "Δ and ε are under the root, and they belong outside.",
        ),
        (
            lambda epsilon, delta, sensitivity: math.sqrt(2 * math.log(1.25 * delta)) * sensitivity / epsilon,
            "The number under the root is negative. Is it the logarithm of 1.25/δ?",
        ),
        (
            lambda epsilon, delta, sensitivity: math.sqrt(-2 * math.log(1.25 * delta)) * sensitivity / epsilon,
            "Your logarithm is that of 1.25·δ, and it has to be that of 1.25/δ.",
        ),
        (formula(inside=2.5, two=1), "The 2 is inside the logarithm."),
        (formula(two=1), "a 2 is missing under the root."),
        (formula(log=math.log10), "base 10, not e"),
        (formula(log=math.log2), "base 2, not e"),
        (formula(root=float), "The root is missing."),
        (formula(outside=math.sqrt(2), two=1, root=float), "A root of the logarithm is needed too, not only of the 2."),
        (
            lambda epsilon, delta, sensitivity: formula()(1, delta, sensitivity) / math.sqrt(epsilon),
            "ε is under the root",
        ),
        (lambda epsilon, delta, sensitivity: formula()(epsilon, delta, sensitivity) ** 2, "the variance"),
        (lambda epsilon, delta, sensitivity: approx.sigma_exact(epsilon, delta, sensitivity), "the exact σ of step 2"),
        (lambda epsilon, delta, sensitivity: formula()(epsilon, delta, 1), "a factor sensitivity is missing"),
        (lambda epsilon, delta, sensitivity: formula()(epsilon, delta / 2, sensitivity), "delta/2 everywhere"),
    ],
)
def test_a_wrong_classic_formula_is_named(lab, mine, said):
    agrees, words = compared_classic(lab, mine)
    assert not agrees
    assert said in words


def refuses_above_one(epsilon, delta, sensitivity):
    if epsilon > 1:
        raise ValueError("the formula is proved for epsilon <= 1 only")
    return formula()(epsilon, delta, sensitivity)


def stays_at_one(epsilon, delta, sensitivity):
    return formula()(min(epsilon, 1), delta, sensitivity)


@pytest.mark.parametrize("mine", [refuses_above_one, stays_at_one])
def test_a_classic_formula_that_ends_at_one_hears_that_the_next_exercise_needs_more(lab, mine):
    agrees, said = compared_classic(lab, mine)
    assert not agrees
    assert said.startswith("At epsilon = 20")
    assert "For ε up to 1 your function is right. Compute the formula for every ε > 0" in said


def test_a_misspelt_name_in_the_classic_formula_is_no_negative_root(lab):
    agrees, said = compared_classic(lab, lambda epsilon, delta, sensitivity: sensitivities / epsilon)  # noqa: F821
    assert not agrees
    assert "NameError" in said
    assert "root" not in said


def search_for_false(
    lab,
    of_sigma=None,
    promised=None,
    at=None,
    sigma_at=None,
    exact=False,
    measured=1,
    returns_sigma=False,
    swapped=False,
    inverted=False,
    stop=1e-9,
):
    """The search of the solution, with the slips that students made in it."""

    def mine(delta):
        kept, broken = 1, 20
        while broken - kept > stop:
            middle = (kept + broken) / 2
            sigma = lab["sigma_used" if exact else "classic_used"](sigma_at or middle, of_sigma or delta, 1)
            arguments = (sigma, middle, 1) if swapped else (at or middle, sigma, measured)
            holds = lab["delta_used"](*arguments) <= (promised or delta)
            kept, broken = (middle, broken) if holds != inverted else (kept, middle)
        return sigma if returns_sigma else broken

    return mine


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"returns_sigma": True}, "Your value is the σ of the first false promise, and its ε is asked for."),
        ({"measured": 2}, "You compute σ for sensitivity 1, and its δ for sensitivity 2."),
        ({"sigma_at": 20}, "At ε = 1 the formula is still true. If your search ended there, does it go the wrong way?"),
        ({"inverted": True}, "Your search ended at 20. Either it goes the wrong way, or"),
        ({"sigma_at": 1}, "never finds a broken promise. Is σ computed again for each ε, by the classic formula?"),
        ({"exact": True}, "never finds a broken promise. Is σ computed again for each ε, by the classic formula?"),
        ({"swapped": True}, "Your search ended at 20."),
        ({"stop": 1e-3}, "The first digits are right. Does your calculation stop too early"),
        ({"of_sigma": 1e-5, "promised": 1e-5}, "Your value is the one for δ = 1e-5, whatever δ is asked for."),
        ({"promised": 1e-5}, "You compare with 1e-5, and not with the δ asked for."),
        ({"of_sigma": 1e-5}, "Your σ is always the one for δ = 1e-5."),
        ({"at": 1}, "You compute the δ that σ really has at ε = 1, and it has to be at the ε of the σ."),
    ],
)
def test_a_wrong_search_for_the_first_false_promise_is_named(lab, slip, said):
    agrees, words = compared_first_false(lab, search_for_false(lab, **slip))
    assert not agrees
    assert said in words


def test_a_wrong_end_of_the_classic_formula_is_told(lab):
    agrees, words = compared_first_false(lab, lambda delta: 1)
    assert not agrees
    assert "At ε = 1 the formula is still true." in words


def test_the_search_for_the_first_false_promise_needs_no_classic_formula_of_the_student(lab):
    assert compared_first_false(lab, search_for_false({**lab, "classic_used": lab["book_classic"]}))[0]


# -- step 4: the releases


def gaussian(lab, change=math.sqrt, factor=1.0, power=1.0, size=None, then=lambda counts: counts):
    """A release with Gaussian noise, in which the sensitivity, the size of the noise or what follows may be wrong."""

    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        sigma = factor * lab["book_sigma"](epsilon, delta, change(d)) ** power
        return then(table.sum(axis=0) + rng.normal(0, sigma, size or d))

    return mine


def of_sigma(sigma):
    """A release with the Gaussian noise that a function of the book's σ, ε, δ and d says."""

    def of(lab):
        def mine(table, epsilon, delta, rng):
            d = table.shape[1]
            return table.sum(axis=0) + rng.normal(0, sigma(lab["book_sigma"], epsilon, delta, d), d)

        return mine

    return of


def laplace(scale):
    def mine(table, epsilon, rng):
        return table.sum(axis=0) + rng.laplace(0, scale(table.shape[1], epsilon), table.shape[1])

    return mine


def test_right_releases_are_accepted(lab):
    def scaled_noise(table, epsilon, delta, rng):
        d = table.shape[1]
        return table.sum(axis=0) + lab["book_sigma"](epsilon, delta, math.sqrt(d)) * rng.standard_normal(d)

    def count_by_count(table, epsilon, rng):
        return [float(column.sum() + rng.laplace(0, table.shape[1] / epsilon)) for column in table.T]

    for used, mine, promise in (
        ("laplace_used", "release_laplace", (1,)),
        ("gaussian_used", "release_gaussian", (1, 1e-5)),
    ):
        one, other = (lab[name](np.ones((2, 3)), *promise, np.random.default_rng(1)) for name in (used, mine))
        assert np.array_equal(one, other)
    assert lab["tried"](scaled_noise, 1, 1e-5)[0]
    right, said = lab["tried"](count_by_count, 1)
    assert right
    assert "Laplace noise for ε = 1 needs 22.63. This agrees. Two attacks did not catch it." in said


@pytest.mark.all_runs
def test_a_release_with_too_little_noise_is_caught(lab):
    right, said = lab["tried"](gaussian(lab, change=lambda d: 1), 1, 1e-5)
    assert not right
    assert (
        "standard deviation 3.73 (measured to within 2%). Gaussian noise for ε = 1, δ = 1e-05 needs 14.93. The noise "
        "is too small. It would be right for a single count. The attack: You promise" in said
    )
    right, said = lab["tried"](laplace(lambda d, epsilon: math.sqrt(d) / epsilon), 1)
    assert not right
    assert "standard deviation 5.67 (measured to within 2%). Laplace noise for ε = 1 needs 22.63. The noise is" in said
    assert said.index("It would be right for the ℓ2 distance") < said.index("The attack: You promise ε = 1.")


def rows_for_columns(lab):
    def mine(table, epsilon, delta, rng):
        sigma = lab["book_sigma"](epsilon, delta, math.sqrt(len(table)))
        return table.sum(axis=0) + rng.normal(0, sigma, table.shape[1])

    return mine


def draws_used_twice(lab):
    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        return table.sum(axis=0) + np.resize(rng.normal(0, lab["book_sigma"](epsilon, delta, math.sqrt(d)), 8), d)

    return mine


def another_source(lab):
    def mine(table, epsilon, delta, rng):
        return gaussian(lab)(table, epsilon, delta, np.random.default_rng())

    return mine


def for_each_person(lab):
    def mine(table, epsilon, delta, rng):
        return (table + rng.normal(0, lab["book_sigma"](epsilon, delta, math.sqrt(table.shape[1])), table.shape)).sum(
            axis=0
        )

    return mine


def scale_as_average(lab):
    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.normal(lab["book_sigma"](epsilon, delta, math.sqrt(d)), size=d)

    return mine


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (
            lambda lab: gaussian(lab, factor=0.97),
            "The noise is too small. Two attacks did not catch it. That is no proof.",
        ),
        (draws_used_twice, "Each count needs a draw of its own."),
        (lambda lab: gaussian(lab, size=16, change=lambda d: 4), "(for a table with 3 columns)."),
        (lambda lab: gaussian(lab, change=lambda d: 4), "Does your function use all of its arguments?"),
        (
            of_sigma(lambda sigma, epsilon, delta, d: sigma(1, 1e-5, math.sqrt(d))),
            "Does your function use all of its arguments?",
        ),
        (another_source, "Two calls with the same seed return different counts. Draw all noise from rng."),
        (lambda lab: gaussian(lab, then=lambda counts: np.maximum(counts, 0)), "Do not cut the counts off."),
        (lambda lab: gaussian(lab, power=2), "rng.normal takes the standard deviation, and you gave it the variance."),
        (
            of_sigma(lambda sigma, epsilon, delta, d: sigma(epsilon / d, delta / d, 1)),
            "It would be right if each count had ε/d and δ/d for itself. All counts as one vector need less.",
        ),
        (lambda lab: gaussian(lab, change=lambda d: d), "It would be right for the ℓ1 distance"),
        (rows_for_columns, "Your d is the number of people, and it has to be the number of questions."),
        (lambda lab: gaussian(lab, power=1.2), "The noise is larger than necessary."),
        (
            lambda lab: lambda table, *promise_and_rng: gaussian(lab)(1 - table, *promise_and_rng),
            "But the average of many releases is not the true count.",
        ),
        (
            of_sigma(lambda sigma, epsilon, delta, d: sigma(epsilon, delta / d, math.sqrt(d))),
            "You divide δ by d. One δ is promised for all counts together.",
        ),
        (
            of_sigma(lambda sigma, epsilon, delta, d: sigma(epsilon / math.sqrt(d), delta, 1)),
            "It would be right if each count had ε/√d for itself.",
        ),
        (
            of_sigma(lambda _, epsilon, delta, d: formula()(epsilon, delta, math.sqrt(d))),
            "It is the noise of the classic formula. Use sigma_used.",
        ),
        (for_each_person, "You add noise for each person. Add it once, to the counts."),
        (scale_as_average, "in place of 0. In rng.normal, the average comes first and the size second."),
        (lambda lab: gaussian(lab, then=lambda counts: counts.astype(int)), "Do not round or truncate the counts"),
        (lambda lab: gaussian(lab, then=np.round), "Do not round or truncate the counts"),
    ],
)
def test_a_wrong_release_with_gaussian_noise_is_named(lab, mine, said):
    right, words = lab["tried"](mine(lab), 1, 1e-5)
    assert not right
    assert said in words


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        (
            lambda d, epsilon: 0.97 * d / epsilon,
            "The noise is too small. Two attacks did not catch it. That is no proof.",
        ),
        (lambda d, epsilon: d / epsilon / math.sqrt(2), "Your scale b is too small by a factor of √2."),
        (lambda d, epsilon: math.sqrt(2) * d / epsilon, "rng.laplace takes the scale b"),
        (lambda d, epsilon: 11 / epsilon, "Your d is the number of people"),
        (lambda d, epsilon: 2 * d / epsilon, "It would be right if one person could change each count by 2"),
        (lambda d, epsilon: d * epsilon, "Does your function use all of its arguments?"),
    ],
)
def test_a_wrong_scale_of_laplace_noise_is_named(lab, scale, said):
    right, words = lab["tried"](laplace(scale), 1)
    assert not right
    assert said in words


def test_noise_that_depends_on_the_answers_is_caught(lab):
    def mine(table, epsilon, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.laplace(0, d * table.max() / epsilon, d)

    right, said = lab["tried"](mine, 1)
    assert not right
    assert "This agrees. But does it depend on the answers in the table?" in said


def test_a_scale_in_place_of_the_average_is_named(lab):
    def mine(table, epsilon, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.laplace(d / epsilon, size=d)

    right, said = lab["tried"](mine, 1)
    assert not right
    assert "The average of your noise is 16.0 in place of 0." in said
    assert "In rng.laplace, the average comes first and the size second." in said


def test_a_release_that_adds_into_its_table_is_told_and_spoils_no_later_check(lab):
    def mine(table, epsilon, rng):
        counts = table[0]
        for row in table[1:]:
            counts += row
        return counts + rng.laplace(0, table.shape[1] / epsilon, table.shape[1])

    assert lab["tried"](mine, 1) == (False, "It changes its table, which is needed again. Let it work on a copy.")
    assert lab["tried"](lab["release_laplace"], 1)[0]
    assert lab["tried"](lambda table, epsilon, rng: mine(table.copy(), epsilon, rng), 1)[0]


def test_laplace_noise_for_each_person_is_named(lab):
    def mine(table, epsilon, rng):
        return (table + rng.laplace(0, table.shape[1] / epsilon, table.shape)).sum(axis=0)

    right, said = lab["tried"](mine, 1)
    assert not right
    assert "You add noise for each person. Add it once, to the counts." in said
    assert "this is not Laplace noise" not in said


@pytest.mark.parametrize("promise", [(1,), (1, 1e-5)])
def test_a_sum_over_the_whole_table_is_named(lab, promise):
    def mine(table, *promise_and_rng):
        *promise, rng = promise_and_rng
        release = lab["release_gaussian" if promise[1:] else "release_laplace"]
        return table.sum() + release(np.zeros_like(table), *promise, rng)

    right, said = lab["tried"](mine, *promise)
    assert not right
    assert "in place of 0. Do you add each column for itself (axis=0)? The attack:" in said
    assert "the average comes first" not in said


def test_the_smaller_noise_of_another_shape_is_not_called_too_small(lab):
    """The noise with a density proportional to exp(-ε max|z|), which is ε-DP, drawn in two ways."""

    def in_the_cube(table, epsilon, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.gamma(d + 1, 1 / epsilon) * rng.uniform(-1, 1, d)

    def on_the_cube(table, epsilon, rng):
        d = table.shape[1]
        direction = rng.uniform(-1, 1, d)
        direction[rng.integers(d)] = rng.choice([-1, 1])
        return table.sum(axis=0) + rng.gamma(d, 1 / epsilon) * direction

    for mine in (in_the_cube, on_the_cube):
        right, said = lab["tried"](mine, 1)
        assert not right
        assert "keeps ε-DP with a smaller standard deviation. But this exercise asks for Laplace noise" in said
        assert "too small" not in said
        assert "this is not Laplace noise" not in said


@pytest.mark.parametrize("kind", ["laplace", "normal"])
def test_independent_noise_of_that_smaller_size_is_called_too_small(lab, kind):
    def mine(table, epsilon, rng):
        d = table.shape[1]
        deviation = math.sqrt((d + 1) * (d + 2) / 3) / epsilon
        scale = deviation / math.sqrt(2) if kind == "laplace" else deviation
        return table.sum(axis=0) + getattr(rng, kind)(0, scale, d)

    right, said = lab["tried"](mine, 1)
    assert not right
    assert "The noise is too small." in said


def test_noise_of_the_right_size_but_of_the_wrong_kind_is_named(lab):
    def normal(table, epsilon, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.normal(0, math.sqrt(2) * d / epsilon, d)

    right, said = lab["tried"](normal, 1)
    assert not right
    assert "But this is not Laplace noise" in said


def test_a_release_with_one_draw_for_all_is_caught(lab):
    right, said = lab["tried"](lab["one_draw_for_all"], 1, 1e-5)
    assert not right
    assert "minus entry" in said


@pytest.mark.parametrize("seed", range(3))
def test_right_noise_is_measured_to_within_two_per_cent(seed):
    """Both kinds, for both sizes of table. The limit is more than five standard errors away."""
    rng = np.random.default_rng(seed)
    for d in (16, 3):
        for noise in (rng.laplace(0, 1, (96_000 // d, d)) / math.sqrt(2), rng.normal(0, 1, (96_000 // d, d))):
            assert abs(math.sqrt(noise.var(axis=0).mean()) - 1) < 0.02


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda table, epsilon, rng: None, "It returns None for a table with 16 columns"),
        (lambda table, epsilon, rng: ..., "It returns Ellipsis for a table with 16 columns"),
        (lambda table, epsilon, rng: table.sum() + rng.normal(), "It returns "),
        (lambda table, epsilon, rng: table.sum(axis=1) + rng.normal(), "It returns array("),
        (lambda table, epsilon, rng: table[99], "It raises IndexError"),
    ],
)
def test_an_unfinished_release_is_told(lab, mine, said):
    right, words = lab["tried"](mine, 1)
    assert not right
    assert words.startswith(said)


# -- step 5: from how many counts δ pays


def by_quantiles(lab):
    ratio = ndtri(0.975) / math.log(20)
    return lambda epsilon, delta: math.floor((ratio * epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2) + 1


def compared_answers(lab, mine):
    words = {"endless": lab["PAYS_ENDLESS"], "hint": lab["from_zero"]}
    return lab["compared"](mine, lab["book_answers"], lab["PAYS_SLIPS"], **words, **lab["any_pair"])


def test_the_number_of_counts_is_checked(lab):
    def told(mine):
        return compared_answers(lab, mine)

    def solved(epsilon, delta):
        return math.floor((epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2) + 1

    def scale_for_deviation(epsilon, delta):
        d = 1
        while lab["book_sigma"](epsilon, delta, 1) * math.sqrt(d) >= d / epsilon:
            d += 1
        return d

    def without_root_d(epsilon, delta):
        d = 1
        while lab["book_sigma"](epsilon, delta, 1) >= math.sqrt(2) * d / epsilon:
            d += 1
        return d

    def up_to_25(epsilon, delta):
        for d in range(1, 26):
            if lab["book_sigma"](epsilon, delta, math.sqrt(d)) < math.sqrt(2) * d / epsilon:
                return d

    assert told(lab["least_answers"])[0]
    assert told(solved)[0]
    assert told(lambda epsilon, delta: math.ceil((epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2))[0]
    for wrong, said in (
        (scale_for_deviation, "You compare σ with the scale b"),
        (up_to_25, "returns None"),
        (
            lambda epsilon, delta: math.floor(formula()(epsilon, delta, epsilon) ** 2 / 2) + 1,
            "Your σ is that of the classic formula. Use sigma_used.",
        ),
        (
            lambda epsilon, delta: round((epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2),
            "You round to the nearest whole number. Round up.",
        ),
        (without_root_d, "You compare with the σ of a single count, and d counts need √d times this."),
        (
            lambda epsilon, delta: math.floor(lab["book_sigma"](epsilon, delta, 1) ** 2 / 2) + 1,
            "Laplace noise is √2 d/ε.",
        ),
        (lambda epsilon, delta: (epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2, "This is no whole number."),
        (lambda epsilon, delta: solved(epsilon, delta) - 1, "one too small"),
        (lambda epsilon, delta: solved(epsilon, delta) + 1, "one too large"),
        (by_quantiles(lab), "the right answer is"),
        (lambda epsilon, delta: None, "returns None"),
    ):
        agrees, words = told(wrong)
        assert not agrees
        assert said in words


def test_a_search_with_the_wrong_distance_for_gaussian_noise_never_ends_and_hears_why(lab, impatient):
    def mine(epsilon, delta):
        d = 1
        while d * lab["book_sigma"](epsilon, delta, 1) >= math.sqrt(2) * d / epsilon:
            d += 1
        return d

    agrees, said = compared_answers(lab, mine)
    assert not agrees
    assert said == (
        "It did not return at epsilon = 1, delta = 1e-07 within five seconds. Do you compare two standard deviations, "
        "and do both belong to all d counts together? Does d begin at 1?"
    )


def test_a_loop_over_the_counts_may_begin_at_0_if_sigma_is_right_there(lab):
    """On purpose: no counts need no noise, and the number is right. An error at 0 counts is named."""

    def mine(sigma):
        def answers(epsilon, delta):
            d = 0
            while sigma(epsilon, delta, math.sqrt(d)) >= math.sqrt(2) * d / epsilon:
                d += 1
            return d

        return answers

    assert compared_answers(lab, mine(lambda *promise: lab["book_sigma"](*promise) if promise[2] else 0))[0]
    agrees, said = compared_answers(lab, mine(lab["least_sigma"]))
    assert not agrees
    assert said.endswith("Does d begin at 1?")


def test_a_wrong_function_is_not_run_again_for_each_known_mistake(lab):
    called = []

    def mine(epsilon, delta):
        called.append((epsilon, delta))

    assert "returns None" in compared_answers(lab, mine)[1]
    assert len(called) == len(set(called)) > 1
