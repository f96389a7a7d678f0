"""Checks of chapters/index.md."""

import numpy as np
from scipy.special import ndtr, ndtri

from claims import answers, claim
from dp_lib import gdp, pure


@claim("index.md", "meaning-of-mu")
def test_meaning_of_mu():
    """Of a coin, which is μ-GDP by `gdp.from_pure`: no test does better on it than on the normals, and one as well."""
    for epsilon in (0.1, 1, 4):
        p, mu, a = pure.truth_probability(epsilon), gdp.from_pure(epsilon), np.linspace(1e-3, 1 - 1e-3, 999)
        coin = np.interp(a, [0, 1 - p, 1], [1, 1 - p, 0])  # the least share of misses at a share of false alarms
        normals = ndtr(ndtri(1 - a) - mu)
        assert (coin >= normals - 1e-12).all()


@answers("index.md", "likelier-at-epsilon-0-1", numbers=[0.1], choices=[[10], [1.5], [1.1], []])
def test_question_likelier_at_epsilon_0_1(question):
    y = np.linspace(60, 140, 800_001)
    ratio = np.exp(0.1 * (abs(y - 101) - abs(y - 100))).max()
    assert question.right == [abs(ratio - 10) < 1, abs(ratio - 1.5) < 0.1, abs(ratio - 1.1) < 0.05, ratio > 1e6]
