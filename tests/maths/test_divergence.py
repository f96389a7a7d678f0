"""divergence against sums and integrals at 60 digits, and the laws that the definitions rest on."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from dp_lib import divergence, domain, gdp, pure, rdp
from dp_lib.divergence import Laplace, Normal

ORDERS = [1, 1 + 1e-9, 1.5, 2, 30, 1e4]


@st.composite
def pairs(draw):
    """Two distributions whose masses are multiples of 2^-40, so that they sum to 1 without rounding."""
    size = draw(st.integers(2, 6))
    return tuple(
        np.diff([0, *sorted(draw(st.sets(st.integers(1, 2**40 - 1), min_size=size - 1, max_size=size - 1))), 2**40])
        / 2**40
        for _ in range(2)
    )


def exact_renyi(p, q, alpha):
    with mp.workdps(60):
        p, q = ([mp.mpf(float(mass)) for mass in masses] for masses in (p, q))
        if alpha == 1:
            return mp.fsum(a * mp.log(a / b) for a, b in zip(p, q, strict=True))
        alpha = mp.mpf(alpha)
        return mp.log(mp.fsum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))) / (alpha - 1)


@given(pairs(), st.sampled_from(ORDERS))
def test_renyi_is_the_sum_of_its_definition(pair, alpha):
    assert divergence.renyi(*pair, alpha) == pytest.approx(float(exact_renyi(*pair, alpha)), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("alpha", ORDERS)
@pytest.mark.parametrize("h", [2.0**-20, 2.0**-30, 0.125])
def test_renyi_keeps_its_digits_where_p_and_q_nearly_agree(alpha, h):
    pair = [0.25 + h, 0.5 - h, 0.25], [0.25 - h, 0.5, 0.25 + h]
    assert divergence.renyi(*pair, alpha) == pytest.approx(float(exact_renyi(*pair, alpha)), rel=1e-14)


def test_renyi_of_a_rare_outcome_does_not_vanish():
    """ln(1e-40 e^(2·92) + ...): the mean of e^L is carried by an outcome of probability 1e-20."""
    pair = [1e-20, 1.0], [1e-60, 1.0]
    assert divergence.renyi(*pair, 3) == pytest.approx(float(exact_renyi(*pair, 3)), rel=1e-14)
    assert divergence.renyi(*pair, np.inf) == pytest.approx(40 * np.log(10))


@given(pairs())
def test_renyi_grows_with_its_order_from_kl_to_max(pair):
    values = divergence.renyi(*pair, [1, 1.001, 1.5, 2, 5, 100, 1e6, np.inf])
    assert np.all(np.diff(values) >= -1e-13)
    assert values[-1] == pytest.approx(np.max(divergence.privacy_loss(*pair)), abs=1e-14)
    assert values[0] >= 0


@given(pairs(), st.floats(0, 5))
def test_hockey_stick_is_the_largest_excess_over_every_event(pair, epsilon):
    p, q = pair
    events = (np.arange(2 ** len(p))[:, np.newaxis] >> np.arange(len(p))) & 1
    excess = events @ (p - np.exp(epsilon) * q)
    assert divergence.hockey_stick(p, q, epsilon) == pytest.approx(excess.max(), abs=1e-14)


@given(pairs(), pairs(), st.sampled_from([1, 1.5, 4, np.inf]))
def test_divergences_add_over_independent_outcomes(one, two, alpha):
    joint = [np.outer(a, b).ravel() for a, b in zip(one, two, strict=True)]
    total = divergence.renyi(*one, alpha) + divergence.renyi(*two, alpha)
    assert divergence.renyi(*joint, alpha) == pytest.approx(total, abs=1e-9)


@given(pairs(), st.integers(0, 2**32 - 1), st.sampled_from([1, 1.5, 4, np.inf]), st.floats(0, 3))
def test_no_random_function_of_the_outcome_adds(pair, seed, alpha, epsilon):
    function = np.random.default_rng(seed).dirichlet(np.full(3, 0.3), len(pair[0]))
    after = [masses @ function for masses in pair]
    assert divergence.renyi(*after, alpha) <= divergence.renyi(*pair, alpha) + 1e-12
    assert divergence.hockey_stick(*after, epsilon) <= divergence.hockey_stick(*pair, epsilon) + 1e-14


def test_impossible_outcomes():
    assert divergence.privacy_loss([0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0]).tolist() == [0, np.inf, -np.inf, -np.inf]
    here_only = [0.5, 0.5], [1, 0]
    assert np.all(divergence.renyi(*here_only, [1, 2, np.inf]) == np.inf)
    there_only = [1, 0], [0.5, 0.5]
    np.testing.assert_allclose(divergence.renyi(*there_only, [1, 2, 1e6, np.inf]), np.log(2), rtol=1e-15)
    assert divergence.hockey_stick(*here_only, 100) == 0.5
    assert divergence.hockey_stick([1, 0], [0, 1], 700) == 1
    assert divergence.renyi([1, 0], [0, 1], 2) == np.inf


def test_name_and_shame_has_no_renyi_divergence():
    """errors.md, error 10: a hidden event of probability δ makes D_α infinite for every α > 1."""
    pair = [1e-6, 1 - 1e-6, 0], [0, 1 - 1e-6, 1e-6]
    assert np.all(divergence.renyi(*pair, [1.0001, 2, 50]) == np.inf)
    assert divergence.hockey_stick(*pair, 0.01) == pytest.approx(1e-6)


def test_equal_distributions_are_not_apart():
    for same in ([0.3, 0.7], Normal(1, 2), Laplace(1, 2)):
        assert np.all(divergence.renyi(same, same, [1, 7, np.inf]) == 0)
        assert divergence.hockey_stick(same, same, 0) == 0


@pytest.mark.parametrize("kind", [Normal, Laplace])
def test_closed_forms_agree_with_fine_histograms(kind):
    edges = np.linspace(-30, 30, 60_001)
    middle = (edges[1:] + edges[:-1]) / 2
    density = (lambda x: -(x**2) / 2) if kind is Normal else (lambda x: -abs(x))
    p, q = (np.exp(density(middle - mean)) for mean in (0, 1))
    p, q = p / p.sum(), q / q.sum()
    closed = kind(0, 1), kind(1, 1)
    inside = (p > 1e-200) & (q > 1e-200)
    np.testing.assert_allclose(
        divergence.privacy_loss(*closed, middle[inside]), np.log(p[inside] / q[inside]), atol=1e-9
    )
    for alpha in (1, 1.5, 3):
        assert divergence.renyi(*closed, alpha) == pytest.approx(divergence.renyi(p, q, alpha), abs=1e-6)
    for epsilon in (0, 0.3, 0.9):
        assert divergence.hockey_stick(*closed, epsilon) == pytest.approx(
            divergence.hockey_stick(p, q, epsilon), abs=1e-6
        )


def test_closed_forms_are_the_rooms():
    assert divergence.renyi(Normal(3, 2), Normal(1, 2), 5) == rdp.gaussian(5, 2, 2)
    assert divergence.renyi(Laplace(0, 4), Laplace(1, 4), np.inf) == pure.laplace(4)
    assert divergence.renyi(Normal(0, 1), Normal(1, 1), np.inf) == np.inf
    assert divergence.hockey_stick(Normal(0, 2), Normal(1, 2), 0.3) == gdp.delta(0.5, 0.3)
    assert divergence.hockey_stick(Laplace(0, 1), Laplace(1, 1), 1) == 0


def test_loss_beyond_epsilon_is_sufficient_only():
    """content.md: the exact Gaussian at (1, 1e-5) has P(L > 1) = 1.6e-4; σ = 4.845 has P(L > .902) = 1e-5."""
    mu = 1 / 3.730631635
    edge = 0.5 - 1 / mu**2  # the loss falls in y; it is 1 here
    assert divergence.privacy_loss(Normal(0, 1 / mu), Normal(1, 1 / mu), edge) == pytest.approx(1)
    assert ndtr(edge * mu) == pytest.approx(1.6e-4, rel=0.02)
    assert divergence.hockey_stick(Normal(0, 1 / mu), Normal(1, 1 / mu), 1) == pytest.approx(1e-5, rel=1e-8)
    edge = 0.5 - 0.902 * 4.845**2
    assert ndtr(edge / 4.845) == pytest.approx(1e-5, rel=0.01)


def test_many_pairs_and_orders_broadcast():
    p = np.array([[0.5, 0.5], [0.75, 0.25], [1, 0]])
    q = [0.5, 0.5]
    assert divergence.renyi(p, q, 2).shape == (3,)
    assert divergence.renyi(p, q, [[1], [2], [np.inf], [1.5]]).shape == (4, 3)
    assert divergence.hockey_stick(p, q, [[0], [1]]).shape == (2, 3)
    assert divergence.privacy_loss(p, q).shape == (3, 2)
    assert divergence.renyi(Normal(0, 1), Normal([0, 1, 2], 1), [[1], [2]]).shape == (2, 3)


@pytest.mark.parametrize(
    ("p", "q", "message"),
    [
        ([0.5, 0.4], [0.5, 0.5], "the sum of p must be 1"),
        ([0.5, 0.5], [1.5, -0.5], "q.0. must be between 0 and 1"),
        ([0.5, np.nan], [0.5, 0.5], "p.1. must be between 0 and 1"),
        ([0.5, 0.5], [0.25, 0.25, 0.5], "as many outcomes"),
        (Normal(0, 1), Laplace(1, 1), "two Normal, two Laplace"),
        (Normal(0, 1), [0.5, 0.5], "two Normal, two Laplace"),
        (Normal(0, 1), Normal(1, 2), "sigma must be the same"),
        (Laplace(0, 0), Laplace(1, 0), "scale must be a finite number > 0"),
        (Normal(np.nan, 1), Normal(1, 1), "mean must be a finite number"),
        ("half", [0.5, 0.5], "p must be between 0 and 1"),
    ],
)
def test_what_is_no_pair_of_distributions_is_refused(p, q, message):
    for function in (divergence.renyi, divergence.hockey_stick):
        with pytest.raises(domain.DomainError, match=message):
            function(p, q, 1)


def test_outcome_goes_with_closed_forms_only():
    with pytest.raises(domain.DomainError, match="outcome must be given"):
        divergence.privacy_loss(Normal(0, 1), Normal(1, 1))
    with pytest.raises(domain.DomainError, match="outcome must be left out"):
        divergence.privacy_loss([0.5, 0.5], [0.5, 0.5], 0)


@pytest.mark.parametrize("bad", [0.5, np.nan, "2", None])
def test_a_bad_order_raises(bad):
    for pair in (([0.5, 0.5], [0.5, 0.5]), (Normal(0, 1), Normal(1, 1))):
        with pytest.raises(domain.DomainError, match="alpha"):
            divergence.renyi(*pair, bad)
