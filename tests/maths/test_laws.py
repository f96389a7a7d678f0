"""The laws that the definitions have in common, each stated once for every module that has its functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import approx, cdp, gdp, pure, rdp, zcdp

ANSWERS = {
    "pure": (pure.repeat, pure.compose, st.floats(0, 100)),
    "rdp": (rdp.repeat, rdp.compose, st.floats(0, 100)),
    "zcdp": (zcdp.repeat, zcdp.compose, st.floats(0, 100)),
    "gdp": (gdp.repeat, gdp.compose, st.floats(1e-6, 50)),
    "cdp": (cdp.repeat, cdp.compose, st.tuples(st.floats(1e-9, 100), st.floats(1e-6, 100))),
    "approx": (approx.repeat, approx.compose, st.tuples(st.floats(1e-6, 20), st.floats(0, 1))),
}
NOISES = {
    "pure": (pure.laplace, pure.scale),
    "zcdp": (zcdp.gaussian, zcdp.sigma),
    "gdp": (gdp.gaussian, gdp.sigma),
    "cdp": (cdp.gaussian, cdp.sigma),
    "rdp": (lambda *noise: rdp.gaussian(20, *noise), lambda *budget: rdp.sigma(20, *budget)),
}


@pytest.mark.parametrize("room", ANSWERS)
@given(data=st.data(), k=st.integers(0, 12))
def test_repeat_is_compose_k_times(room, data, k):
    repeat, compose, budgets = ANSWERS[room]
    budget = data.draw(budgets)
    np.testing.assert_allclose(repeat(budget, k), compose(*[budget] * k), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("room", NOISES)
@given(noise=st.floats(1e-3, 1e6), sensitivity=st.floats(1e-3, 1e3))
def test_noise_to_budget_to_noise(room, noise, sensitivity):
    budget_of, noise_of = NOISES[room]
    assert noise_of(budget_of(noise, sensitivity), sensitivity) == pytest.approx(noise, rel=1e-13)


@given(alpha=st.floats(-9, 5).map(lambda e: 1 + 10.0**e), sigma=st.floats(1e-3, 1e6))
def test_noise_to_budget_to_noise_at_any_order(alpha, sigma):
    assert rdp.sigma(alpha, rdp.gaussian(alpha, sigma)) == pytest.approx(sigma, rel=1e-14)


@pytest.mark.parametrize(
    ("group", "budget_of"), [(pure.group, pure.laplace), (zcdp.group, zcdp.gaussian), (gdp.group, gdp.gaussian)]
)
def test_group_is_a_change_of_sensitivity(group, budget_of):
    size = np.arange(1, 9)
    np.testing.assert_allclose(group(budget_of(3), size), budget_of(3, size), rtol=1e-14)
    assert group(0.7, 1) == 0.7
