"""Checks of chapters/many_answers.md."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import geom, laplace

from claims import answers, at_rest, claim


@answers("many_answers.md", "scale-of-a-histogram-cell", numbers=[1000, 100, 0.5], choices=[[200], [20], [4], [2]])
def test_question_scale_of_a_histogram_cell(question):
    one, other = np.zeros(100), np.zeros(100)
    one[3], other[70] = 1, 1
    moved = abs(one - other).sum() / 0.5
    assert question.right == [moved == int(choice) for choice in ("200", "20", "4", "2")]


@claim("many_answers.md", "pure-vector.caption")
def test_caption_pure_vector():
    for before, after in [(0, 1), (5, 7), (3, 3)]:
        cells = [np.histogram([value, 2, 9], range(11))[0] for value in (before, after)]
        assert np.count_nonzero(cells[0] - cells[1]) in (0, 2)


@claim("many_answers.md", "pure-vector.alt")
def test_alt_pure_vector():
    c = at_rest("many_answers.md", "pure-vector")
    one, other, third = c["k counts, composed"], c["k counts, one vector"], c["histogram, k cells"]
    assert np.allclose(one, other) and c.rises("k counts, composed").all() and np.ptp(third) == 0
    assert math.isclose(np.min(third), one[0]) and one[-1] > 100 * np.min(third)


def largest_loss(moves, scale):
    """The largest ln of a ratio of Laplace densities on a fine grid, added up over counts that move by so much."""
    y = np.linspace(-30, 30, 6001)
    return sum((laplace.logpdf(y, 0, scale) - laplace.logpdf(y, move, scale)).max() for move in moves)


@claim("many_answers.md", "counts-at-a-scale-of-eight", numbers=[16, 2, 16, 2, 8, 17, 8.5, 16])
def test_counts_at_a_scale_of_eight():
    assert largest_loss([1] * 16, 8) == pytest.approx(2) and largest_loss([1] * 17, 8) > 2.1
    assert largest_loss([1] * 17, 8.5) == pytest.approx(2)


@claim("many_answers.md", "histogram-at-a-scale-of-eight", numbers=[8, 0.25, 100, 0.25, 0.2, 10, 0.25])
def test_histogram_at_a_scale_of_eight():
    """A replaced row moves two cells or none; two counts that both move lose as much, and three lose more."""
    moved = [1, -1] + [0] * 98
    assert largest_loss(moved, 8) == pytest.approx(0.25) and largest_loss(moved, 10) == pytest.approx(0.2)
    assert largest_loss([1, 1], 8) == pytest.approx(0.25) and largest_loss([1, 1, 1], 8) > 0.3


@claim("many_answers.md", "years-until-the-largest-loss", numbers=[1_048_576, 1_048_576])
def test_years_until_the_largest_loss(passage):
    """By the density: the probability of one loss of 1/20, and the mean waiting time."""
    one = quad(
        lambda y: laplace.pdf(y, 0, 20) * (abs(y - 1) - abs(y) > 1 - 1e-12), -1000, 1000, points=[0, 1], limit=200
    )[0]
    often = one**20
    assert 1 / often == pytest.approx(1_048_576, rel=1e-4) and geom.mean(often) == pytest.approx(1 / often)
    assert largest_loss([1] * 20, 20) == pytest.approx(1)
    assert int(passage.printed[0]) == round(2**20 / 365.25)


@claim("many_answers.md", "largest-loss-of-five-counts", numbers=[0.05, 5, 0.05, 0.25, 32])
def test_largest_loss_of_five_counts():
    assert largest_loss([1] * 5 + [0] * 15, 20) == pytest.approx(0.25) and largest_loss([1], 20) == pytest.approx(0.05)
    noise = np.random.default_rng(11).laplace(scale=20, size=(400_000, 5))
    share = np.mean(((abs(noise - 1) - abs(noise)) / 20).sum(axis=1) > 0.25 - 1e-9)
    assert share == pytest.approx(1 / 32, abs=0.0015)


@claim("many_answers.md", "closer-of-two-numbers", numbers=[1, 2, 2, 6, 5, 6.8, 4])
def test_closer_of_two_numbers():
    """The density of the closer number, from the density of one and an integral for the other that is further away."""
    scale = 1 / math.log(2)

    def published(y, count):
        away = abs(y - count)
        near = quad(lambda z: laplace.pdf(z, count, scale), count - away, count + away, points=[count])[0]
        return 2 * laplace.pdf(y, count, scale) * (1 - near)

    ratios = [published(y, 6) / published(y, 5) for y in np.linspace(0, 11, 56)]
    assert max(ratios) == pytest.approx(4) and published(6.8, 6) / published(6.8, 5) == pytest.approx(4)
    for y in (5, 5.5, 8):
        assert published(y, 6) == pytest.approx(laplace.pdf(y, 6, 1 / math.log(4)))
