"""Lab 3: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import exact_tails
import mpmath
import numpy as np
import pytest
from figures import TEXTS
from scipy import optimize, stats
from scipy.special import log_ndtr, ndtr, ndtri
from test_lab_examples import printed

from dp_lib import approx
from dp_lib.check import time_limit

pytestmark = pytest.mark.xdist_group("labs/what_delta_buys")


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
def tail(epsilon, mu):
    return ndtr(mu / 2 - epsilon / mu)


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (naive, "use log_ndtr at least for the second term"),
        (
            profile(lambda epsilon, mu: (1 - ndtr(epsilon / mu - mu / 2)) - np.exp(logarithms(epsilon, mu)[1])),
            "do not compute Φ(−x) as 1 − Φ(x).",
        ),
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

    used = lab["checked"]("true_delta", talks(lab["true_delta"]), lab["book_delta"], **lab["EXTREME"])
    assert used(1, 1, 1) == lab["true_delta"](1, 1, 1)
    assert lab["checked_twice"]("least_sigma", talks(lab["least_sigma"]))(1, 1e-5, 1) > 0
    release, _ = lab["releases"](talks(lab["release_laplace"]), lab["release_gaussian"])
    assert release(np.ones((2, 3)), 1, np.random.default_rng(1)).shape == (3,)
    said = capsys.readouterr().out
    assert "here" not in said and "in place of" not in said


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


def from_a_start(lab, start=None, swapped=False, reversed_loops=False, stop=1e-9):
    """A search with two numbers that both begin at 1, or at the sensitivity."""

    def mine(epsilon, delta, sensitivity):
        def enough(sigma):
            return lab["true_delta"](epsilon, sigma, sensitivity) <= delta

        low = high = start or sensitivity
        while enough(high) if reversed_loops else not enough(high):
            high *= 2
        while enough(low) != reversed_loops:
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


def test_a_short_bracket_is_found_at_both_ends(lab):
    def mine(epsilon, delta, sensitivity):
        return ends(lab, epsilon, delta, sensitivity, start=(0.1, 100))[1] * (1 + 1e-9)

    said = compared_search(lab, mine)[1]
    assert "your function returns 100, and the right answer is 30623.54" in said
    assert lab["judged"](mine).startswith("BROKEN PROMISE. For ε = 0.1, δ = 1e-12")


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
    assert compared_classic(lab, formula)[0]
    for mine in (lab["first_false"], by_root):
        assert compared_first_false(lab, mine)[0]


def formula(epsilon, delta, sensitivity, log=np.log):
    return np.sqrt(2 * log(1.25 / delta)) * sensitivity / epsilon


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda **promise: formula(**promise, log=np.log10), "base 10, not e"),
        (
            lambda epsilon, delta, sensitivity: math.sqrt(2 * math.log(1.25 * delta)) * sensitivity / epsilon,
            "The number under the root is negative. Is it the logarithm of 1.25/δ?",
        ),
    ],
)
def test_a_wrong_logarithm_in_the_classic_formula_is_named(lab, mine, said):
    agrees, words = compared_classic(lab, mine)
    assert not agrees
    assert said in words


def refuses_above_one(epsilon, delta, sensitivity):
    if epsilon > 1:
        raise ValueError("the formula is proved for epsilon <= 1 only")
    return formula(epsilon, delta, sensitivity)


def stays_at_one(epsilon, delta, sensitivity):
    return formula(min(epsilon, 1), delta, sensitivity)


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


# -- step 4: the releases


def gaussian(lab, change=math.sqrt, factor=1.0, size=None, then=lambda counts: counts):
    """A release with Gaussian noise, in which the sensitivity, the size of the noise or what follows may be wrong."""

    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        sigma = factor * lab["book_sigma"](epsilon, delta, change(d))
        return then(table.sum(axis=0) + rng.normal(0, sigma, size or d))

    return mine


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


def test_a_release_with_too_little_noise_is_caught():
    said = printed("labs/what_delta_buys", "tried(one_count_only, EPSILON, DELTA)[1]")
    assert (
        "standard deviation 3.73 (measured to within 2%). Gaussian noise for ε = 1, δ = 1e-05 needs 14.93. The noise "
        "is too small. It would be right for a single count. The attack: You promise" in said
    )
    said = printed("labs/what_delta_buys", "tried(root_for_laplace, EPSILON)[1].partition(' The shown')[0]")
    assert "standard deviation 5.67 (measured to within 2%). Laplace noise for ε = 1 needs 22.63. The noise is" in said
    assert said.index("It would be right for the ℓ2 distance") < said.index("The attack: You promise ε = 1.")


def draws_used_twice(lab):
    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        return table.sum(axis=0) + np.resize(rng.normal(0, lab["book_sigma"](epsilon, delta, math.sqrt(d)), 8), d)

    return mine


def another_source(lab):
    def mine(table, epsilon, delta, rng):
        return gaussian(lab)(table, epsilon, delta, np.random.default_rng())

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
        (another_source, "Two calls with the same seed return different counts. Draw all noise from rng."),
        (lambda lab: gaussian(lab, then=lambda counts: np.maximum(counts, 0)), "Do not cut the counts off."),
        (lambda lab: gaussian(lab, factor=1.3), "The noise is larger than necessary."),
        (
            lambda lab: lambda table, *promise_and_rng: gaussian(lab)(1 - table, *promise_and_rng),
            "But the average of many releases is not the true count.",
        ),
        (scale_as_average, "in place of 0. In rng.normal, the average comes first and the size second."),
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


def test_a_release_that_adds_into_its_table_is_told_and_spoils_no_later_check(lab):
    def mine(table, epsilon, rng):
        counts = table[0]
        for row in table[1:]:
            counts += row
        return counts + rng.laplace(0, table.shape[1] / epsilon, table.shape[1])

    assert lab["tried"](mine, 1) == (False, "It changes its table, which is needed again. Let it work on a copy.")
    assert lab["tried"](lambda table, epsilon, rng: mine(table.copy(), epsilon, rng), 1)[0]


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


def test_a_release_with_one_draw_for_all_is_caught():
    said = printed("labs/what_delta_buys", "tried(one_draw_for_all, EPSILON, DELTA)[1]")
    assert " The attack: You promise" in said and "minus entry" in said


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

    def up_to_25(epsilon, delta):
        for d in range(1, 26):
            if lab["book_sigma"](epsilon, delta, math.sqrt(d)) < math.sqrt(2) * d / epsilon:
                return d

    assert told(lab["least_answers"])[0]
    assert told(solved)[0]
    assert told(lambda epsilon, delta: math.ceil((epsilon * lab["book_sigma"](epsilon, delta, 1)) ** 2 / 2))[0]
    for wrong, said in (
        (up_to_25, "returns None"),
        (by_quantiles(lab), "the right answer is"),
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


# -- all steps: the slips that the page knows


def normal(deviation):
    def mine(table, epsilon, delta, rng):
        d = table.shape[1]
        return table.sum(axis=0) + rng.normal(0, deviation(d, epsilon, delta), d)

    return mine


# Who judges what a table has, and the right function, which stands in some tables for wrong arithmetic.
SLIPS = {
    "DELTA_SLIPS": (compared_profile, "book_delta"),
    "SIGMA_SLIPS": (compared_search, "book_sigma"),
    "CLASSIC_SLIPS": (compared_classic, "book_classic"),
    "FALSE_SLIPS": (compared_first_false, ""),
    "LAPLACE_SLIPS": (lambda lab, size: lab["tried"](laplace(lambda *of: size(*of) / math.sqrt(2)), 1), ""),
    "GAUSSIAN_SLIPS": (lambda lab, size: lab["tried"](normal(size), 1, 1e-5), ""),
    "PAYS_SLIPS": (compared_answers, ""),
}


@pytest.mark.parametrize("table", SLIPS)
def test_each_slip_that_the_page_knows_is_told_in_its_own_words(lab, table):
    judge, right = SLIPS[table]
    for words, wrong in lab[table].items():
        if wrong is lab.get(right):
            continue
        with np.errstate(all="ignore"):
            agrees, said = judge(lab, wrong)
        assert not agrees and words in said, (words, said)
