"""The accounts and the calibrated noises of "One release, ten accounts", over the whole range of their sliders."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import jupytext
import numpy as np
import pytest
from scipy.optimize import brentq

from dp_lib import approx, cdp, divergence, domain, gdp, pure, rdp, zcdp
from dp_lib.pld import PrivacyLoss

LAPLACE, GAUSSIAN, COINS = range(3)
DELTAS = (1e-12, 1e-5, 1e-3)
NOISES = {LAPLACE: (0.2, 1.0, 30.0, 1000.0), GAUSSIAN: (0.5, 3.0, 200.0, 1000.0), COINS: (0.001, 0.1, 1.0, 5.0)}


@pytest.fixture(scope="module")
def chapter():
    """The functions that the page defines: its code cells before the first figure, and before the second."""
    notebook = jupytext.read(Path(__file__).parents[2] / "chapters" / "accounts.md")
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    names = {}
    for source in cells:
        if source.startswith("import") or ("\ndef " in source and "live.Figure(" not in source):
            exec(source, names)
    return SimpleNamespace(**{name: value for name, value in names.items() if not name.startswith("__")})


def settings():
    """Mechanism, noise, k and δ: the ends of the sliders and places between."""
    return [
        (mechanism, noise, k, delta)
        for mechanism, noises in NOISES.items()
        for noise, k, delta in product(noises, (1, 2, 500, 10_000), DELTAS)
    ]


@pytest.fixture(scope="module")
def table(chapter):
    """The calculator's rows at all settings."""
    return {setting: rows(chapter, *setting) for setting in settings()}


def rows(chapter, mechanism, noise, k, delta):
    """Every row of the calculator, by dp_lib's arithmetic; NaN where there is none."""
    other = {LAPLACE: 1.0, GAUSSIAN: 1.0, COINS: 1.0} | {mechanism: noise}
    with domain.gaps(), np.errstate(all="ignore"):
        return {
            name: float(function(mechanism, other[LAPLACE], other[GAUSSIAN], other[COINS], k, delta))
            for name, function in chapter.ACCOUNTS.items()
        }


def expected(mechanism, noise, k, delta):
    """The same rows, each written out for one mechanism."""
    if mechanism == GAUSSIAN:
        rho = zcdp.repeat(zcdp.gaussian(noise), k)
        steps = [0.5 * approx.sigma(0.5, share) / noise for share in (delta / k, delta / 2 / k)]
        proved = [step if step < 1 else np.nan for step in steps]
        pair = (proved[1], delta / 2 / k, k, delta / 2)
        with domain.gaps(), np.errstate(all="ignore"):
            composed = approx.advanced(*pair).epsilon, approx.optimal(*pair).epsilon
        classic, tight = zcdp.epsilon(rho, delta), zcdp.epsilon_tight(rho, delta)
        renyi = classic, tight
        exact = gdp.epsilon(gdp.repeat(gdp.gaussian(noise), k), delta)
        rest = np.nan, k * proved[0], *composed, cdp.epsilon(cdp.repeat(cdp.gaussian(noise), k), delta)
    else:
        step = 1 / noise if mechanism == LAPLACE else noise
        one = zcdp.laplace(noise) if mechanism == LAPLACE else zcdp.from_pure(noise)
        classic, tight = zcdp.epsilon(k * one, delta), zcdp.epsilon_tight(k * one, delta)
        curve = (
            (lambda a: k * rdp.laplace(a, noise)) if mechanism == LAPLACE else (lambda a: k * rdp.from_pure(a, noise))
        )
        renyi = [rdp.optimum(curve, delta, tight=tight)[0] for tight in (False, True)]
        optimal = approx.optimal(step, 0, k, delta).epsilon
        exact = optimal
        if mechanism == LAPLACE:
            exact = PrivacyLoss.laplace(noise).epsilon(delta).upper if k == 1 else np.nan
        loss = cdp.epsilon(cdp.repeat(cdp.from_pure(step), k), delta)
        rest = k * step, k * step, approx.advanced(step, 0, k, delta).epsilon, optimal, loss
    names = ("ε-DP", "(ε, δ), basic", "(ε, δ), advanced", "(ε, δ), optimal", "CDP", "RDP", "RDP, tight", "zCDP")
    return dict(zip(names, (*rest, *renyi, classic), strict=True)) | {"zCDP, tight": tight, "exact": exact}


def test_every_row_is_dp_libs_own_number_up_to_the_ends_of_the_sliders(table):
    for setting, shown in table.items():
        shown, wanted = dict(shown), expected(*setting)
        near_best = shown.pop("RDP"), wanted.pop("RDP")
        assert shown == pytest.approx(wanted, rel=1e-11, abs=1e-13, nan_ok=True), setting
        assert near_best[1] * (1 - 1e-12) <= near_best[0] <= near_best[1] * 1.0025, setting


def test_rdp_row_is_within_a_quarter_of_a_per_cent_above_its_best_order_everywhere(chapter):
    rng = np.random.default_rng(3)
    k, delta = np.floor(10 ** rng.uniform(0, 4, 3000)), 10 ** rng.uniform(-12, -3, 3000)
    noise = {LAPLACE: 10 ** rng.uniform(-0.7, 3, 3000), COINS: 10 ** rng.uniform(-3, 0.7, 3000)}
    curves = {
        LAPLACE: lambda alpha: rdp.repeat(rdp.laplace(alpha, noise[LAPLACE]), k),
        COINS: lambda alpha: rdp.repeat(rdp.from_pure(alpha, noise[COINS]), k),
    }
    for mechanism, curve in curves.items():
        shown = chapter.by_rdp(mechanism, noise[LAPLACE], 1.0, noise[COINS], k, delta)
        best, _ = rdp.optimum(curve, delta, tight=False)
        assert (shown >= best * (1 - 1e-12)).all()
        assert (shown <= best * 1.0025).all()


def test_no_row_is_below_the_truth(table):
    for (mechanism, noise, k, delta), shown in table.items():
        truth = shown["exact"]
        if np.isnan(truth):
            if k == 10_000:
                continue  # the loss distribution would take seconds
            truth = float(PrivacyLoss.laplace(noise).repeat(k).epsilon(delta).lower)
        bounds = [value for name, value in shown.items() if name != "exact" and not np.isnan(value)]
        assert min(bounds) >= truth * (1 - 1e-11), (mechanism, noise, k, delta)


def test_gaps_are_just_those_that_the_table_explains(table):
    for (mechanism, noise, k, delta), shown in table.items():
        gaps = {name for name, value in shown.items() if np.isnan(value)}
        unknown = {"exact"} if mechanism == LAPLACE and k > 1 else set()
        explained = {"ε-DP"} if mechanism == GAUSSIAN else unknown
        classic = {"(ε, δ), basic", "(ε, δ), advanced", "(ε, δ), optimal"}
        unproved = mechanism == GAUSSIAN and 0.5 * approx.sigma(0.5, delta / 2 / k) / noise >= 1
        assert gaps - classic == explained
        assert not gaps & classic or unproved


def test_one_laplace_answer(chapter):
    """Theorem: its least ε is max(0, ε₀ + 2 ln(1 - δ))."""
    for scale, delta in product(NOISES[LAPLACE], (*DELTAS, 0.2, 0.9)):
        least = chapter.one_laplace(scale, delta)
        assert least == pytest.approx(PrivacyLoss.laplace(scale).epsilon(delta).upper, rel=1e-12, abs=1e-13)
        if least > 0:
            profile = divergence.hockey_stick(divergence.Laplace(0, scale), divergence.Laplace(1, scale), least)
            assert profile == pytest.approx(delta, rel=1e-3 if delta < 1e-9 else 1e-9)


def test_discrete_laplace_is_a_coin(chapter):
    """At sensitivity 1 its loss is ±1/b and nothing between."""
    n = np.arange(-400, 402)
    weights = np.exp(-abs(n) / 7)
    p, q = weights[1:-1] / weights[1:-1].sum(), weights[:-2] / weights[:-2].sum()
    assert abs(np.log(p / q)) == pytest.approx(np.full(len(p), 1 / 7), rel=1e-9)
    assert p[n[1:-1] <= 0].sum() == pytest.approx(float(pure.truth_probability(1 / 7)), rel=1e-12)


def test_where_the_two_noises_cross(chapter):
    """Theorem: k* = (εσ₁)²/2."""
    for epsilon, delta in product((0.05, 1, 10), DELTAS):
        crossing = brentq(
            lambda k, e=epsilon, d=delta: np.sqrt(2) * k / e - np.sqrt(k) * approx.sigma_exact(e, d), 1e-3, 1e4
        )
        assert chapter.crossing(epsilon, delta) == pytest.approx(crossing, rel=1e-9)


ACCOUNT_OF = {
    "sigma_basic": ("(ε, δ), basic", GAUSSIAN),
    "sigma_advanced": ("(ε, δ), advanced", GAUSSIAN),
    "sigma_zcdp": ("zCDP", GAUSSIAN),
    "sigma_zcdp_tight": ("zCDP, tight", GAUSSIAN),
    "sigma_exact": ("exact", GAUSSIAN),
    "deviation_laplace_zcdp": ("zCDP, tight", LAPLACE),
}


@pytest.mark.long
@pytest.mark.parametrize("calibrate", ACCOUNT_OF)
def test_calibrated_noise_meets_its_target_and_hardly_more(chapter, calibrate):
    """Over the whole range of the sliders: never above ε, and a millionth less noise would be."""
    account, mechanism = ACCOUNT_OF[calibrate]
    met = 0
    for epsilon, delta, k in product((0.05, 1, 10), DELTAS, (1, 7, 100, 10_000)):
        with domain.gaps(), np.errstate(all="ignore"):
            noise = float(getattr(chapter, calibrate)(epsilon, delta, k))
        if np.isnan(noise):
            assert account in ("(ε, δ), basic", "(ε, δ), advanced"), "only the classic bound has a limit"
            assert epsilon / k >= 1 or epsilon == 10
            continue
        noise = noise / np.sqrt(2) if mechanism == LAPLACE else noise
        claims = [rows(chapter, mechanism, noise * factor, k, delta)[account] for factor in (1, 1 - 1e-6)]
        assert claims[0] <= epsilon * (1 + 1e-11), (epsilon, delta, k)
        assert claims[1] > epsilon, (epsilon, delta, k)
        met += 1
    assert met >= 24


def test_a_solver_on_the_safe_side_needs_no_more_steps(chapter):
    """The tight ρ against a bracketing root finder."""
    for epsilon, delta in product((0.05, 0.3, 1, 10), DELTAS):
        least = brentq(
            lambda rho, e=epsilon, d=delta: np.log(zcdp.delta_tight(rho, e)) - np.log(d),
            float(chapter.rho_classic(epsilon, delta)),
            20,
            xtol=1e-300,
            rtol=1e-14,
        )
        assert chapter.rho_tight(epsilon, delta) == pytest.approx(least, rel=1e-11)
        assert chapter.rho_tight(epsilon, delta) <= least
