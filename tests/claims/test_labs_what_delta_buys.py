"""Checks of chapters/labs/what_delta_buys.md."""

import functools
import math

import mpmath
import numpy as np
import pytest
from scipy import integrate

from claims import answers, at_rest, claim


def profile(epsilon, sigma, sensitivity=1.0):
    """The exact δ of Gaussian noise, to thirty digits."""
    with mpmath.workdps(30 + int(epsilon)):
        mu = mpmath.mpf(sensitivity) / mpmath.mpf(sigma)
        upper = mpmath.ncdf(mu / 2 - epsilon / mu)
        return upper - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


@functools.cache
def least(epsilon, delta, sensitivity=1.0):
    """The least σ, by bisection on the profile."""
    low, high = 1e-3, 1e4
    for _ in range(50):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if profile(epsilon, middle, sensitivity) <= delta else (middle, high)
    return high


def classic(epsilon, delta):
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def first_false(delta):
    kept, broken = 1.0, 20.0
    for _ in range(60):
        middle = (kept + broken) / 2
        holds = profile(middle, classic(middle, delta)) <= delta
        kept, broken = (middle, broken) if holds else (kept, middle)
    return broken


def counts(epsilon, delta):
    """The least number of counts at which Gaussian noise has the smaller variance, one after another."""
    one = least(epsilon, delta)
    return next(d for d in range(1, 1000) if d * one**2 < 2 * (d / epsilon) ** 2)


@claim("labs/what_delta_buys.md", "noise-of-twenty-five-counts", numbers=[25, 25, 1e-5])
def test_noise_of_twenty_five_counts(passage):
    laplace, gaussian = map(float, passage.printed)
    assert laplace == pytest.approx(math.sqrt(2 * 25**2), abs=0.05)
    assert 0 <= gaussian - least(1, 1e-5, 5) < 0.1
    assert 0.5 < gaussian / laplace < 0.55


@claim("labs/what_delta_buys.md", "delta-at-one-by-hand", numbers=[1])
def test_delta_at_one_by_hand(passage):
    expected = [mpmath.ncdf(-0.5), mpmath.ncdf(-1.5), mpmath.e * mpmath.ncdf(-1.5), profile(1, 1)]
    assert [float(each) for each in passage.printed] == pytest.approx([float(each) for each in expected], abs=5.1e-5)


@claim("labs/what_delta_buys.md", "product-of-two-extremes")
def test_product_of_two_extremes(passage):
    with mpmath.workdps(60):
        mu = mpmath.mpf(1) / mpmath.mpf("0.02")
        small = mpmath.ncdf(-mu / 2 - 1000 / mu)
        product = mpmath.exp(1000) * small
    assert small < mpmath.mpf("5e-324")
    assert mpmath.exp(1000) > mpmath.mpf("1.8e308")
    assert float(passage.printed[0]) == pytest.approx(float(1e8 * product), rel=0.02)


@claim("labs/what_delta_buys.md", "both-terms-at-most-one", numbers=[1, 0])
def test_both_terms_are_at_most_one():
    for epsilon in (0.01, 1, 30):
        for sigma in (0.1, 1, 10):
            with mpmath.workdps(50):
                mu = 1 / mpmath.mpf(sigma)
                second = mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
                assert second <= mpmath.ncdf(mu / 2 - epsilon / mu) <= 1


@claim("labs/what_delta_buys.md", "bisection-by-hand")
def test_bisection_by_hand(passage):
    low, high = 2.0, 4.0
    assert profile(1, low) > 1e-5 >= profile(1, high)
    for row, printed in zip(passage.text.split("| |"), passage.printed, strict=True):
        *numbers, _, said = (each.strip() for each in row.strip("| ").split("|"))
        middle = (low + high) / 2
        enough = profile(1, middle) <= 1e-5
        assert [float(each) for each in numbers] == [low, high, middle]
        assert float(printed) == pytest.approx(float(1e5 * profile(1, middle)), abs=0.0051)
        assert said == ("large enough" if enough else "too small")
        low, high = (low, middle) if enough else (middle, high)


@claim("labs/what_delta_buys.md", "rounding-errors-of-delta", numbers=[1e-16, 0.001, 1, 1e-9])
def test_rounding_errors_of_delta(passage):
    """They move σ by more than 1e-13 and less than 1e-10 of itself where it is most sensitive to them."""
    shifts = []
    for epsilon, delta in ((0.001, 1e-12), (0.001, 1e-9), (0.002, 1e-12)):
        low, high = 1.0, 1e5
        for _ in range(80):
            middle = (low + high) / 2
            enough = passage.names["true_delta"](epsilon, middle, 1) <= delta
            low, high = (low, middle) if enough else (middle, high)
        rise = (profile(epsilon, high) - profile(epsilon, high * (1 + 1e-6))) / 1e-6
        shifts.append(abs(float((profile(epsilon, high) - delta) / rise)))
    assert 1e-13 < max(shifts) < 1e-10


@claim("labs/what_delta_buys.md", "classic-by-hand", numbers=[1, 1e-5, 125_000, 11.736])
def test_classic_by_hand(passage):
    by_formula, smallest, waste = map(float, passage.printed)
    assert math.log(125_000) == pytest.approx(11.736, abs=5e-4)
    assert by_formula == pytest.approx(classic(1, 1e-5), abs=5.1e-4)
    assert 0 <= smallest - least(1, 1e-5) < 1e-3
    assert waste == pytest.approx(100 * (classic(1, 1e-5) / least(1, 1e-5) - 1), abs=0.51)


@claim("labs/what_delta_buys.md", "classic-wastes-and-fails")
def test_classic_wastes_and_fails(passage):
    most, times = map(float, passage.printed)
    waste = {
        (epsilon, delta): 100 * (classic(epsilon, delta) / least(epsilon, delta) - 1)
        for epsilon in (0.25, 0.5, 1, 4, 14)
        for delta in (1e-2, 1e-3, 1e-5, 1e-8, 1e-12)
    }
    assert max(waste, key=waste.get) == (0.25, 1e-2)
    assert most == pytest.approx(waste[0.25, 1e-2], abs=0.51)
    assert times == pytest.approx(float(profile(14, classic(14, 1e-5)) / mpmath.mpf("1e-5")), abs=0.51)


@claim("labs/what_delta_buys.md", "first-false-moves")
def test_first_false_moves(passage):
    assert 0 <= float(passage.printed[0]) - first_false(1e-12) < 0.01  # rounded up, so false there
    ends = [first_false(delta) for delta in (1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2)]
    assert (np.diff(ends) < 0).all()


@claim("labs/what_delta_buys.md", "lab-delta-classic.caption")
def test_marked_place_is_where_the_noise_is_just_enough():
    seen = at_rest("labs/what_delta_buys.md", "lab-delta-classic")
    assert seen["false", "x"] == pytest.approx(first_false(1e-5), rel=1e-4)
    expected = [classic(epsilon, 1e-5) / least(epsilon, 1e-5) for epsilon in seen["epsilon"]]
    assert seen["classic / yours"] == pytest.approx(expected, rel=1e-4)


@claim("labs/what_delta_buys.md", "lab-delta-classic.alt")
def test_curve_of_the_classic_figure_falls():
    seen = at_rest("labs/what_delta_buys.md", "lab-delta-classic")
    assert seen.falls("classic / yours").all()
    assert 1.4 < seen["classic / yours"][0] < 1.6


@claim("labs/what_delta_buys.md", "attack-misses-the-false-promise", numbers=[14, 20_000])
def test_attack_misses_the_false_promise(passage):
    assert profile(14, passage.names["book_classic"](14, 1e-5, 1)) > 1e-5
    assert not passage.names["attack"].caught
    assert passage.names["attack"].runs == 20_000
    assert math.exp(14) > 1e6


@claim("labs/what_delta_buys.md", "four-and-sixteen-counts", numbers=[4, 1, 1e-5, 4, 2, 16])
def test_four_and_sixteen_counts(passage):
    one = least(1, 1e-5)
    expected = [4 * math.sqrt(2), one, 2 * one, 16 * math.sqrt(2), 4 * one]
    assert float(passage.printed[0]) == pytest.approx(expected[0], abs=5.1e-3)
    for printed, needed in zip(passage.printed[1:], expected[1:], strict=True):
        assert 0 <= float(printed) - needed < 1e-2  # rounded up, which is at most a unit of the last digit


@claim("labs/what_delta_buys.md", "sixteen-counts-with-noise-for-one", numbers=[1, 1e-5])
def test_sixteen_counts_with_noise_for_one(passage):
    """The profile of a change of √16 falls through δ there."""
    epsilon, sigma = float(passage.printed[0]), least(1, 1e-5)
    assert profile(epsilon - 0.005, sigma, 4) > 1e-5 > profile(epsilon + 0.005, sigma, 4)


@claim("labs/what_delta_buys.md", "twenty-five-real-counts", numbers=[25])
def test_twenty_five_real_counts(passage):
    names = passage.names
    true, laplace, gaussian = map(float, passage.printed)
    people = names["people"]
    assert true == people["tb"].sum()
    assert list(names["true_counts"][-3:]) == [
        (people["sex"].astype(str) == "1").sum(),
        people["age"].ge(50).sum(),
        people["smokeintensity"].ge(20).sum(),
    ]
    assert set(np.unique(names["table"])) == {0.0, 1.0}
    assert names["errors"][1] < names["errors"][0]
    assert min(abs(laplace - true), abs(gaussian - true)) > true


@answers(
    "labs/what_delta_buys.md",
    "counts-from-which-a-tiny-delta-pays",
    numbers=[1e-5, 7, 1e-10, 1],
    choices=[[9], [14], [18]],
)
def test_question_counts_from_which_a_tiny_delta_pays(question):
    assert counts(1, 1e-5) == 7
    found = counts(1, 1e-10)
    assert question.right == [found == offered for offered in (9, 14, 18)]
    assert 2.4 < (least(1, 1e-10) / least(1, 1e-5)) ** 2 < 2.6  # what a reply says
    assert question.printed[0] == str(found)
    for printed, delta in zip(question.printed[1:], (1e-5, 1e-10), strict=True):
        assert 0 <= float(printed) - least(1, delta) < 0.01


@claim("labs/what_delta_buys.md", "when-delta-pays", numbers=[25, 50, 12, 7, 0.01, 2])
def test_when_delta_pays(passage):
    assert counts(1, 0.01) == 2
    seen = at_rest("labs/what_delta_buys.md", "lab-delta-answers")
    gaussian, laplace = seen["Gaussian"], seen["Laplace"]
    assert gaussian[2] > laplace[2]
    assert 0.5 < gaussian[24] / laplace[24] < 0.55
    assert seen["pays", "x"] == counts(1, 1e-5)
    assert seen["Gaussian, measured"][6] > seen["Laplace, measured"][6]  # the other order, near the crossing
    assert seen["Laplace, measured"] == pytest.approx(laplace, rel=0.12)
    assert seen["Gaussian, measured"] == pytest.approx(gaussian, rel=0.12)
    assert float(passage.printed[0]) == pytest.approx(0.01 * len(passage.names["people"]), abs=0.5)


@claim("labs/what_delta_buys.md", "epsilon-hardly-matters", numbers=[1e-5, 0.1, 1, 4])
def test_epsilon_hardly_matters(passage):
    assert passage.printed == [str(counts(epsilon, 1e-5)) for epsilon in (0.1, 1, 4)]
    grid = [counts(epsilon, 1e-5) for epsilon in (0.1, 0.25, 0.5, 1, 2, 4)]
    assert grid == sorted(grid)


def deviation_of_largest(d):
    """The standard deviation of noise with a density proportional to exp(-max|z|), by an integral over the largest.

    One entry is the largest, and the others are uniform up to it.
    """
    mass, above = (integrate.quad(lambda r, n=n: r**n * math.exp(-r), 0, 10 * d + 50)[0] for n in (d - 1, d + 1))
    return math.sqrt(above / mass * (1 / d + (1 - 1 / d) / 3))


@claim("labs/what_delta_buys.md", "noise-of-another-shape", numbers=[1, 1, 7, 25, 1e-5])
def test_noise_of_another_shape(passage):
    expected = [deviation_of_largest(7), deviation_of_largest(25), least(1, 1e-5, math.sqrt(7)), least(1, 1e-5, 5)]
    for printed, needed in zip(passage.printed[:4], expected, strict=True):
        assert 0 <= float(printed) - needed < 0.01
    gaussian_is_smaller = [least(1, 1e-5, math.sqrt(d)) < deviation_of_largest(d) for d in range(1, 60)]
    assert gaussian_is_smaller == [d >= int(passage.printed[4]) for d in range(1, 60)]


@claim("labs/what_delta_buys.md", "noise-of-another-shape")
def test_noise_of_another_shape_has_this_standard_deviation_and_is_private():
    """In two dimensions, by a sum over a grid: the deviation, and e^ε as the largest ratio of two densities."""
    grid = np.linspace(-40, 40, 1601)
    largest = np.maximum(abs(grid[:, None]), abs(grid[None, :]))
    density = np.exp(-largest) / np.exp(-largest).sum()
    assert math.sqrt((density.sum(axis=1) * grid**2).sum()) == pytest.approx(2.0, abs=2e-3)
    assert deviation_of_largest(2) == pytest.approx(2.0)
    one = round(1 / (grid[1] - grid[0]))
    for change in ((one, one), (one, -one), (one, 0)):
        moved = np.roll(density, change, (0, 1))[one:-one, one:-one]
        assert abs(np.log(moved / density[one:-one, one:-one])).max() == pytest.approx(1)


@claim("labs/what_delta_buys.md", "answer-to-the-opening", numbers=[25])
def test_answer_to_the_opening(passage):
    gaussian, laplace = map(float, passage.printed)
    assert 0 <= gaussian - least(1, 1e-5, math.sqrt(3)) < 0.01
    assert 0 <= laplace - 3 * math.sqrt(2) < 0.01
    assert 0.5 < least(1, 1e-5, 5) / (25 * math.sqrt(2)) < 0.55
    assert deviation_of_largest(25) < least(1, 1e-5, 5)
    assert passage.names["sigma_used"](1, 1e-5, 5) == pytest.approx(least(1, 1e-5, 5), rel=1e-8)
