"""Checks of chapters/errors.md."""

import math
import re

import mpmath
import numpy as np
from passages import ROOT, source
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom, norm

from claims import answers, at_rest, claim


def optimal(k, slack=1e-5):
    """ε of k randomized responses of ε = 1, from their binomial losses."""
    truths = np.arange(k + 1)
    mass, loss = binom.pmf(truths, k, expit(1)), 2.0 * truths - k
    return brentq(lambda eps: mass @ np.maximum(-np.expm1(np.minimum(eps - loss, 0)), 0) - slack, 0, k)


def simple(k, slack=1e-5):
    return 2 * np.sqrt(2 * k * np.log(1 / slack))


@claim("errors.md", "simple-form-cheaper-than-true", numbers=[800, 800])
def test_simple_form_cheaper_than_true(passage):
    assert passage.printed == [f"{np.ceil(10 * simple(800)) / 10:.1f}", f"{np.floor(10 * optimal(800)) / 10:.1f}"]
    assert simple(800) < float(passage.printed[1]) <= optimal(800)


@claim("errors.md", "condition-of-the-simple-form", numbers=[1, 7, 8])
def test_condition_of_the_simple_form(passage):
    left, right = np.sqrt(np.arange(1, 20)) * np.expm1(1), np.sqrt(2 * np.log(1e5))
    assert ((left <= right) == (np.arange(1, 20) <= 7)).all()
    assert passage.printed == [f"{each:.2f}" for each in (right, left[6], left[7])]


@claim("errors.md", "simple-form-false")
def test_simple_form_false(passage):
    false = [k for k in range(1, 400) if optimal(k) > simple(k)]
    assert false == list(range(int(passage.printed[0]), 400))
    assert all(optimal(k) > simple(k) for k in (1000, 5000, 20_000))
    # four times as many steps: the simple form doubles, and the true ε is nearly four times as large
    assert simple(20_000) / simple(5000) < 2.01 and 3.5 < optimal(20_000) / optimal(5000) < 4


@claim("errors.md", "variance-factor-for-every-k", numbers=[8, 1])
def test_variance_factor_for_every_k(passage):
    for k in (1, 100, 10_000):
        composed = 16 * k * np.log(1.25e5) * np.log(1e5) / 0.1**2
        assert passage.printed == [f"{composed / (2 * k * np.log(1.25e5) / 0.1**2):.0f}"]


@claim("errors.md", "doubling-epsilon-less-than-halves-noise", numbers=[2])
def test_doubling_epsilon_less_than_halves_noise(passage):
    def log_delta(sigma, epsilon):
        def tail(x):
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        a, b = epsilon * sigma - 1 / (2 * sigma), epsilon * sigma + 1 / (2 * sigma)
        return mpmath.log(tail(a) - mpmath.exp(epsilon) * tail(b))

    def sigma(epsilon):
        """By bisection at 40 digits."""
        low, high = mpmath.mpf("1e-3"), mpmath.mpf(10) ** 6
        for _ in range(120):
            middle = mpmath.sqrt(low * high)
            low, high = (middle, high) if log_delta(middle, mpmath.mpf(epsilon)) > mpmath.log("1e-5") else (low, middle)
        return high

    with mpmath.workdps(40):
        ratios = [float(sigma(e) / sigma(2 * e)) for e in (1e-6, 1e-3, 0.1, 0.215, 0.2239, 0.23, 0.5, 5, 100, 3000)]
    assert max(ratios) == ratios[4] < 2 and passage.printed == [f"{ratios[4]:.2f}", "0.2"]
    assert ratios[0] < 1.06 and abs(ratios[-1] - np.sqrt(2)) < 0.03


@claim("errors.md", "no-finite-moment-with-delta", numbers=[0])
def test_no_finite_moment_with_delta():
    shame, other = np.array([1e-9, 1 - 1e-9]), np.array([0.0, 1.0])
    with np.errstate(divide="ignore"):
        assert np.isinf(np.sum(shame**1.001 * other**-0.001))


@answers("errors.md", "curve-lowered-by-larger-delta", numbers=[500, 501], choices=[[], [0.25], [0.5], [9]])
def test_question_curve_lowered_by_larger_delta(question):
    def total(step_delta, slack):
        step = np.sqrt(2 * np.log(1.25 / step_delta)) / 200
        return step * np.sqrt(1000 * np.log(1 / slack)) + 500 * step * np.expm1(step)

    lower = 1 - total(1e-5, 1e-5) / total(1e-8, 5e-6)
    assert question.right == [lower < 0.05, 0.2 < lower < 0.3, 0.45 < lower < 0.55, lower > 0.9]


@claim("errors.md", "larger-delta-with-exact-steps", numbers=[0.002])
def test_larger_delta_with_exact_steps(passage):
    """The ε of one answer from Balle & Wang's formula, solved by SciPy, and advanced composition written out."""
    totals = [gaussian_steps(1e-8, 5e-6), gaussian_steps(1e-5, 1e-5)]
    shown = [np.ceil(100 * total) / 100 for total in totals]
    assert passage.printed == [*(f"{total:.2f}" for total in shown), f"{100 * (1 - totals[1] / totals[0]):.0f}"]
    assert norm.cdf(1 / 400) - norm.cdf(-1 / 400) <= 0.002  # the δ of one answer at ε = 0


def gaussian_steps(step_delta, slack):
    """Return the ε of 500 answers with σ = 200 by advanced composition, where each has its exact ε."""

    def missing(epsilon):
        least, most = norm.cdf([1 / 400 - 200 * epsilon, -1 / 400 - 200 * epsilon])
        return least - np.exp(epsilon) * most - step_delta

    step = brentq(missing, 0, 1, xtol=1e-15)
    return step * np.sqrt(1000 * np.log(1 / slack)) + 500 * step * np.expm1(step)


def corner_of_the_fair_curve():
    """Return the first k at which advanced composition is below basic composition, at σ = 200 and δ = 1e-5."""

    def epsilon(delta):
        return math.sqrt(2 * math.log(1.25 / delta)) / 200

    def is_smaller(k):
        step = epsilon(5e-6 / k)
        advanced = step * math.sqrt(2 * k * math.log(1 / 5e-6)) + k * step * math.expm1(step)
        return advanced < k * epsilon(1e-5 / k)

    return next(k for k in range(1, 501) if is_smaller(k))


@claim("errors.md", "flattered-delta.alt")
def test_alt_flattered_delta():
    seen = at_rest("errors.md", "flattered-delta")
    fair, flattered, zcdp, lower = (seen[name][1:] for name in seen.figure.curves)
    assert (lower < zcdp).all() and (flattered < fair).all() and 2.5 * zcdp[-1] < flattered[-1]
    assert 0.2 < 1 - flattered[-1] / fair[-1] < 0.3


@claim("errors.md", "corner-of-advanced-composition")
def test_corner_of_advanced_composition(passage):
    """By the sum of the ε, and by the theorem of advanced composition with half of δ as the slack."""
    assert passage.printed == [str(corner_of_the_fair_curve())]


@claim("errors.md", "eight-understate-the-loss", numbers=[8])
def test_eight_understate_the_loss(passage):
    """What each of the eight promises, and what is true."""

    names = passage.names
    assert names["poisson_epoch"] < names["shuffled_epoch"]  # 8
    mu = brentq(lambda m: norm.sf(1 / m - m / 2) - np.e * norm.sf(1 / m + m / 2) - 1e-5, 0.1, 1)
    assert norm.sf(1 / mu - mu / 2) > 1e-5  # 3
    assert simple(800) < optimal(800)  # 5
    mu = 10 / np.sqrt(2 * np.log(1.25e5))
    assert norm.sf(10 / mu - mu / 2) - np.exp(10) * norm.sf(10 / mu + mu / 2) > 1e-5  # 2
    mu, at = 1 / 200, 60 / (2 * 200**2)
    assert norm.sf(at / mu - mu / 2) - np.exp(at) * norm.sf(at / mu + mu / 2) > 1e-3  # 6
    assert names["flattered"].delta > 1e-5 and names["flattered"].epsilon < names["fair"].epsilon  # 7
    assert names["far_loss"] > 1.97  # 1, where less than 2 is promised from the middle: it comes as near as one likes
    assert 2 + np.log((1 + 1e6) / (3 + 1e6)) > 1.99999
    assert names["density_delta"] > 0  # 4


@claim("errors.md", "simple-form-true-at-100", numbers=[100])
def test_simple_form_true_at_100():
    """Of steps of ε = 1: basic composition up to 92, CDP's mean and width at 100, optimal composition at the end."""
    k = np.arange(1, 1001)
    form = 2 * np.sqrt(2 * k * np.log(1e5))
    mean = k * np.tanh(0.5)
    proved = np.minimum(k, mean + np.sqrt(2 * mean) * np.sqrt(2 * np.log(1e5)))
    assert (np.sqrt(7) * np.expm1(1) <= np.sqrt(2 * np.log(1e5))) and np.sqrt(8) * np.expm1(1) > np.sqrt(
        2 * np.log(1e5)
    )
    assert form[99] > proved[99] and form[999] < optimal(1000) and optimal(175) < form[174] and optimal(176) > form[175]
    assert (form[:92] >= k[:92]).all() and form[92] < k[92]


@claim("errors.md", "numbers-of-the-errors")
def test_numbers_of_the_errors():
    """In the headings, in the list, and wherever a chapter names an error by its number."""
    headings = re.findall(r"^\((error-\w+)\)=\n### (\d+)\. ", source("errors.md"), re.MULTILINE)
    numbers = {label: int(number) for label, number in headings}
    assert list(numbers.values()) == list(range(1, 13))
    pages = [path.read_text("utf-8") for path in sorted(ROOT.glob("chapters/**/*.md"))]
    named = re.findall(r"\{ref\}`(?:[Ee]rror )?(\d+) <(error-\w+)>`", "\n".join(pages))
    rows = re.findall(r"^\| \{ref\}`(\d+) <(error-\w+)>`", source("errors.md"), re.MULTILINE)
    assert [(label, int(number)) for number, label in rows] == list(numbers.items())  # each has its row, in this order
    assert [(int(number), label) for number, label in named if int(number) != numbers[label]] == []
