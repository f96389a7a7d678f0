"""Checks of chapters/symbols.md."""

import numpy as np
from scipy.special import ndtr, ndtri

from claims import claim
from dp_lib import gdp, pure


@claim("symbols.md", "meaning-of-mu")
def test_meaning_of_mu():
    """Compare randomized response, which is μ-GDP by `gdp.from_pure`: no test does better on it than on the normals."""
    for epsilon in (0.1, 1, 4):
        p, mu, a = pure.truth_probability(epsilon), gdp.from_pure(epsilon), np.linspace(1e-3, 1 - 1e-3, 999)
        coin = np.interp(a, [0, 1 - p, 1], [1, 1 - p, 0])  # the least share of misses at a share of false alarms
        normals = ndtr(ndtri(1 - a) - mu)
        assert (coin >= normals - 1e-12).all()
