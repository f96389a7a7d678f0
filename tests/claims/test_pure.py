"""Checks of chapters/pure.md."""

import math

import numpy as np
import pytest
from scipy.stats import laplace

from claims import answers, at_rest, claim


@claim("pure.md", "scale-of-the-opening", numbers=[2, 1])
def test_scale_of_the_opening(passage):
    """With this scale the noise moves the count by more than 1 in half of the cases, and the print is rounded up."""
    noisy = laplace(scale=1 / math.log(2))
    assert noisy.sf(1) + noisy.cdf(-1) == pytest.approx(0.5)
    assert noisy.std() / math.sqrt(2) <= float(passage.printed[0]) < noisy.std() / math.sqrt(2) + 0.001


@answers("pure.md", "guesses-from-one-noisy-count", numbers=[5, 6, 5.5, 100], choices=[[50], [65], [75]])
def test_question_guesses_from_one_noisy_count(question):
    noisy = laplace(scale=1 / math.log(2))
    told_six, told_five = noisy.sf(5.5 - 6), noisy.cdf(5.5 - 5)
    assert told_six == pytest.approx(told_five)
    assert question.right == [abs(100 * told_six - number) < 1 for number in (50, 65, 75)]
    assert 100 * noisy.sf(1) == pytest.approx(25)  # what a reply says
    assert float(question.printed[0]) == round(100 * told_six)
    assert float(question.printed[1]) == pytest.approx(1 - told_six, abs=0.005)


@claim("pure.md", "ten-patients-above-a-limit", numbers=[5, 9, 5.8, 0.2, 0.8, 2])
def test_ten_patients_above_a_limit(passage):
    above = [laplace(count, 1 / math.log(2)).sf(5.8) for count in (6, 5)]
    assert [float(each) for each in passage.printed[-3:-1]] == pytest.approx(above, abs=0.0005)
    assert float(passage.printed[-1]) == round(above[0] / above[1], 2) < 2


@claim("pure.md", "what-epsilon-means", numbers=[0.1, 0.7, 1, 2, 5])
def test_what_epsilon_means(passage):
    """The largest ratio that two Laplace densities at a distance of 1 reach, and Bayes' rule with even odds."""
    y = np.linspace(-3, 4, 8)
    assert len(passage.printed) == 10
    rows = zip((0.1, math.log(2), 1, 2, 5), passage.printed[::2], passage.printed[1::2], strict=True)
    for epsilon, ratio, sure in rows:
        density = [laplace(count, 1 / epsilon).pdf(y) for count in (1, 0)]
        most, belief = (density[0] / density[1]).max(), (density[0] / sum(density)).max()
        for printed, exact in ((ratio, most), (sure, 100 * belief)):
            digits = len(printed.partition(".")[2])
            assert exact - 1e-9 <= float(printed) < exact + 10.0**-digits


@claim("pure.md", "one-number-two-heights", numbers=[2, 0.05, 1.45, 6.8])
def test_one_number_two_heights(passage):
    height = [laplace(count, 1 / math.log(2)).pdf(6.8) for count in (6, 5)]
    assert height[0] == pytest.approx(2 * height[1])
    at_first = laplace(6, 1.45).pdf(6.8) / laplace(5, 1.45).pdf(6.8)
    assert float(passage.printed[0]) == pytest.approx(at_first, abs=0.005)
    assert abs(1.45 - 1 / math.log(2)) < 0.05 / 2  # so no other step is nearer


@claim("pure.md", "scale-that-keeps-a-factor-of-two")
def test_scale_that_keeps_a_factor_of_two(passage):
    y = np.linspace(-20, 30, 5001)
    ratio = {b: np.exp(abs(laplace(6, b).logpdf(y) - laplace(5, b).logpdf(y))).max() for b in (0.7, 1.45, 5)}
    assert 1.9 < ratio[1.45] < 2 and ratio[5] <= float(passage.printed[1]) < ratio[5] + 0.01
    assert float(passage.printed[0]) == pytest.approx(ratio[0.7], abs=0.05)


@claim("pure.md", "pure-one-count.alt", numbers=[6, 5])
def test_alt_pure_one_count():
    c = at_rest("pure.md", "pure-one-count")
    y = c["y"]
    assert abs(y[c["you smoke"].argmax()] - 6) < 0.07 and abs(y[c["you do not"].argmax()] - 5) < 0.07
    assert (c["factor 2", "low"] < c["you do not"]).all() and (c["you do not"] < c["factor 2", "high"]).all()


@answers("pure.md", "densities-on-a-log-axis", numbers=[0], choices=[[], [0], [], []])
def test_question_densities_on_a_log_axis(question):
    y, inside, edge = np.linspace(-30, 30, 6001), True, True
    for delta, epsilon in [(1, 0.1), (2, 0.7), (4, 1.5)]:
        ratio = laplace(0, delta / epsilon).logpdf(y) - laplace(delta, delta / epsilon).logpdf(y)
        inside &= (abs(ratio) <= epsilon + 1e-9).all()
        edge &= np.allclose(abs(ratio[(y <= 0) | (y >= delta)]), epsilon)
    assert question.right == [inside and edge, not inside, not edge, not inside]


@claim("pure.md", "loss-within-the-strip", numbers=[0])
def test_loss_within_the_strip():
    for delta, epsilon in [(1, 0.1), (3, 1), (4, 1.5)]:
        y = np.concatenate([np.linspace(-50, 0, 100), np.linspace(delta, 50, 100)])
        gap = laplace(0, delta / epsilon).logpdf(y) - laplace(delta, delta / epsilon).logpdf(y)
        assert np.allclose(abs(gap), epsilon)


@claim("pure.md", "strip-is-crossed-between-the-peaks", numbers=[0, 0])
def test_strip_is_crossed_between_the_peaks():
    """The loss falls from ε to -ε between the two answers, and to their left both tents are equally steep."""
    for delta, epsilon in [(1, 0.1), (3, 1), (4, 1.5)]:
        y = np.linspace(0, delta, 101)
        gap = laplace(0, delta / epsilon).logpdf(y) - laplace(delta, delta / epsilon).logpdf(y)
        assert np.allclose(gap[[0, -1]], [epsilon, -epsilon]) and (np.diff(gap) < 0).all()
        height = laplace(0, delta / epsilon).logpdf([-3, -2, -1]), laplace(delta, delta / epsilon).logpdf([-3, -2, -1])
        assert np.diff(height) == pytest.approx(epsilon / delta)  # both tents have the same slope there


@claim("pure.md", "mean-needs-less-noise")
def test_mean_needs_less_noise(passage):
    ages = passage.names["ages_tried"]
    queries = {
        "count": lambda t: (t > 65).sum(),
        "histogram": lambda t: np.histogram(t, [0, 18, 65, 121])[0],
        "mean": np.mean,
        "ends": lambda t: (t.min(), t.max()),
    }
    moved = {
        name: [passage.names["widest"](query, rows, ages) for rows in (1, 2, 3, 4)] for name, query in queries.items()
    }
    assert {name for name, by in moved.items() if by[3] < by[2] < by[1]} == {"mean"}
    assert {name for name, by in moved.items() if by[1] < by[0]} == {"mean", "ends"}
    assert {name for name, by in moved.items() if by[1] == by[2] == by[3]} == {"count", "histogram", "ends"}
