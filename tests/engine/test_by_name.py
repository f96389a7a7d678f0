"""Distributions of scipy.stats by their names: in Python and in the page's script, against SciPy."""

import numpy as np
import pytest
from parity import differences
from scipy import stats
from test_arithmetic import NAMES, assert_close, played, traced

import livefigures as lf
from livefigures.page import record
from livefigures.trace.by_name import FUNCTIONS, by_name
from livefigures.trace.tracing import Tape, play

BEFORE = {name: getattr(stats, name) for name in [called.split(".")[0] for called in FUNCTIONS]}
WHOLE = ("binom", "nbinom", "poisson")  # their values are whole numbers, so they have no scale
READY = stats.gamma(2.5, scale=3)  # made before a figure


def shapes(name, rng, size):
    """Generated shapes, those that are not allowed among them; whole numbers where SciPy wants them."""
    if name == "binom":
        return [rng.integers(-1, 60, size).astype(float), rng.choice([-0.1, 0, 0.01, 0.3, 0.5, 0.99, 1], size)]
    if name == "nbinom":
        return [rng.choice([-1, 0, 0.5, 2.5, 40], size), rng.choice([-0.1, 0, 0.01, 0.3, 0.5, 0.99, 1], size)]
    if name == "poisson":
        return [rng.choice([-1, 0, 0.1, 2.5, 40], size) * rng.uniform(0.5, 1.5, size)]
    return [
        rng.choice([-1, 0, 0.3, 1, 2, 2, 7, 30], size) * rng.choice([1, 1, 1.37], size)
        for _ in range(BEFORE[name].numargs)
    ]


def places(name, method, given, rng, size):
    """Where a distribution has its values, at their ends and outside of them."""
    if method in ("ppf", "isf"):
        return rng.uniform(-0.01, 1.01, size)
    if name in WHOLE:
        return rng.integers(-2, 70, size) + rng.choice([0, 0, 0, 0.5], size)
    if name in ("beta", "uniform"):
        return np.round(rng.uniform(-0.1, 1.1, size), rng.choice([1, 6]))
    small = 1e-3 if name == "t" else 1e-9  # nearer to 0, SciPy's own t.cdf is wrong by 4e-9
    wide = rng.normal(0, 1, size) * rng.choice([small, 1e-3, 1, 5, 30], size)
    return np.where(
        rng.uniform(size=size) < 0.1,
        np.round(wide),
        wide if name in ("norm", "t", "cauchy") else abs(wide) + (name == "pareto"),
    )


def arguments(called, size=3000):
    """The place, the shapes, loc and, where there is one, scale."""
    name, method = called.split(".")
    rng = np.random.default_rng(sum(map(ord, called)))
    given = shapes(name, rng, size)
    x = places(name, method, given, rng, size)
    loc = rng.choice([0.0, 0.0, 0.0, 3.0], size)
    x = x + loc if method not in ("ppf", "isf") else x
    scale = [] if name in WHOLE else [rng.choice([1.0, 1.0, 0.25, 8.0, 0.0, -1.0], size)]
    x = np.where(rng.uniform(size=size) < 0.01, np.nan, x)
    return [x, *given, loc, *scale]


@pytest.mark.parametrize("called", FUNCTIONS)
def test_trace_of_a_distribution_plays_as_scipy_computes(called):
    name, method = called.split(".")
    given = arguments(called)
    operations, place = traced(lambda *each: getattr(BEFORE[name], method)(*each), len(given))
    inputs = dict(zip(NAMES, given, strict=False))
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(BEFORE[name], method)(*given), dtype=float)
    assert np.isfinite(expected).mean() > 0.3
    assert_close(np.asarray(play(operations, inputs)[place]), expected, *given, tolerance=1e-10)
    [shown] = played(operations, inputs, [place])
    assert_close(shown, expected, *given, tolerance=1e-10)


def test_t_cdf_keeps_its_digits_near_the_middle_and_in_the_tail():
    operations, place = traced(lambda x: stats.t.cdf(x, 3), 1)
    near = np.array([-1e-9, 1e-9, 1e-12])
    [shown] = played(operations, {"x": near}, [place])
    np.testing.assert_allclose(shown - 0.5, near * stats.t.pdf(0, 3), rtol=1e-3)
    [[tail, _]] = played(operations, {"x": [-1e4, 0]}, [place])
    assert tail == pytest.approx(2 * np.sqrt(3) / np.pi / 1e12, rel=1e-7)  # the first term of its series


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda a, x: stats.t.cdf(x, df=a, scale=2), stats.t.cdf(0.7, 2.5, scale=2)),
        (lambda a, x: stats.t(a).pdf(x), stats.t.pdf(0.7, 2.5)),
        (lambda a, x: stats.gamma(a, scale=2).cdf(x), stats.gamma.cdf(0.7, 2.5, scale=2)),
        (lambda a, x: stats.beta(a, 2).cdf(x), stats.beta.cdf(0.7, 2.5, 2)),
        (lambda a, x: stats.f(3, a, loc=0.1).cdf(x), stats.f.cdf(0.7, 3, 2.5, loc=0.1)),
        (lambda a, x: stats.binom(9, x).pmf(k=np.floor(a)), stats.binom.pmf(2, 9, 0.7)),
        (lambda a, x: stats.poisson(a).cdf(4 + x), stats.poisson.cdf(4, 2.5)),
        (lambda a, x: READY.pdf(a * x), stats.gamma.pdf(1.75, 2.5, scale=3)),
        (lambda a, x: stats.norm(a, 2).sf(x), stats.norm.sf(0.7, 2.5, 2)),
        (lambda a, x: stats.norm.isf(q=x, loc=a), stats.norm.isf(0.7, 2.5)),
    ],
)
def test_distribution_is_called_in_each_of_scipys_ways(function, expected):
    operations, place = traced(function, 2)
    assert play(operations, {"x": 2.5, "y": 0.7})[place] == pytest.approx(expected, rel=1e-12)


def test_classes_are_given_back_even_after_an_error_and_take_numbers_as_before():
    with pytest.raises(RuntimeError), by_name(), by_name():
        assert stats.t.cdf([0.0, 1.0], 3).tolist() == BEFORE["t"].cdf([0.0, 1.0], 3).tolist()
        raise RuntimeError
    left = {name: {called.split(".")[1] for called in FUNCTIONS} & {*vars(type(one))} for name, one in BEFORE.items()}
    assert left == dict.fromkeys(left, set())


def test_derived_distributions_are_left_alone():
    """SciPy derives that of one trial from the binomial one, which has another shape before its probability."""
    with by_name(), pytest.raises(TypeError):
        stats.bernoulli.pmf(1, Tape().input("p"))


def test_figure_of_distributions_shows_on_a_page_what_scipy_computes(show):
    made = lf.Figure(
        name="tests",
        x=lf.slider("x", 0, 12, at=3),
        y=("density", 0, 1),
        sliders=[lf.slider("df", 1, 20, at=4, integer=True)],
        curves={
            "t": lambda x, df: stats.t.cdf(x, df),
            "chi2": lambda x, df: stats.chi2(df).cdf(x),
            "poisson": lambda x, df: stats.poisson.cdf(x, df),
        },
        caption="A caption.",
        alt="Three curves.",
    )
    assert made.readings({"x": 3.0, "df": 4.0})["curves/t/y"] == stats.t.cdf(3, 4)
    assert differences(show(made), {"name": "tests", "parity": record.parity(made)}) == []
