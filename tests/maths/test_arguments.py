"""Every argument of every home: a value outside its domain is refused under its own name, the domain's ends are not."""

import inspect
import re

import numpy as np
import pytest
from test_domain import RULES
from test_traceable_modules import PAIRS, public_functions

from dp_lib import approx, cdp, divergence, domain, gdp, pure, rdp, zcdp

# What an argument of this name may be, and an ordinary value of it.
ARGUMENTS = {
    "sigma": (domain.positive, 3),
    "scale": (domain.positive, 3),
    "sensitivity": (domain.positive, 2),
    "epsilon": (domain.nonnegative, 0.5),
    "epsilon_0": (domain.nonnegative, 0.5),
    "epsilon_bar": (domain.extended, 0.5),
    "rho": (domain.nonnegative, 0.5),
    "mu": (domain.nonnegative, 0.5),
    "tau": (domain.nonnegative, 0.5),
    "delta": (domain.fraction, 1e-5),
    "slack": (domain.fraction, 1e-5),
    "alpha": (domain.order_or_limit, 20),
    "k": (domain.count, 3),
    "size": (domain.positive_count, 3),
    "d": (domain.positive_count, 3),
    "n": (domain.positive_count, 100),
    "p": (domain.fraction, 0.7),
    "q": (domain.probability, 0.1),
    "prior_odds": (domain.nonnegative, 3),
    "probability": (domain.probability, 0.1),
    "type_one_error": (domain.probability, 0.1),
    "lambda_": (domain.positive, 4),
    "log_moment": (domain.extended, 2),
    "hits": (domain.count, 1),
    "detections": (domain.count, 1),
    "alarms": (domain.count, 1),
    "trials": (domain.positive_count, 10),
    "confidence": (domain.fraction, 0.95),
}
# Where a function asks for more, or for less.
OTHERWISE = {
    "pure.scale": {"epsilon": domain.positive},
    "pure.minimax_rate": {"epsilon": domain.positive},
    "approx.sigma": {"epsilon": domain.positive},
    "approx.sigma_discrete": {"epsilon": domain.positive, "sensitivity": domain.positive_count},
    "approx.delta_discrete": {"sensitivity": domain.positive_count},
    "cdp.sigma": {"mu": domain.positive, "tau": domain.positive},
    "rdp.sigma": {"epsilon_bar": domain.positive},
    "zcdp.sigma": {"rho": domain.positive},
    "gdp.sigma": {"mu": domain.positive},
    **{f"approx.{name}": {"delta": domain.probability} for name in ("advanced", "advanced_simple", "optimal")},
    **{f"audit.{name}": {"delta": domain.probability} for name in ("hit_rate", "epsilon", "epsilon_of_test")},
    **{f"approx.{name}": {"delta": domain.probability} for name in ("repeat", "group", "delta", "subsample")},
    "rdp.group": {"alpha": domain.order},
    "rdp.epsilon": {"alpha": domain.order},
    "rdp.epsilon_tight": {"alpha": domain.order},
    "rdp.delta": {"alpha": domain.order},
    "rdp.delta_tight": {"alpha": domain.order},
    "rdp.log_moment": {"alpha": domain.order},
    "rdp.probability_bounds": {"alpha": domain.order},
}
# The ends of each domain that belong to it.
ENDS = {
    domain.nonnegative: [0],
    domain.extended: [0, np.inf],
    domain.probability: [0, 1],
    domain.order: [np.inf],
    domain.order_or_limit: [1, np.inf],
    domain.count: [0],
    domain.positive_count: [1],
}


def of_pair(function):
    return lambda first, second, *rest: function((first, second), *rest)


def rules():
    """Of every argument: a function of plain numbers, ordinary values, the place, the name and the rule of this one."""
    for name, home, function in public_functions():
        names = list(inspect.signature(function).parameters)
        if home is divergence or name in (
            "approx.Approx",
            "cdp.Concentrated",
            "rdp.AtOrder",
            "rdp.best",
            "rdp.optimum",
        ):
            continue
        if names[:1] == ["budgets"]:
            continue
        if names[:1] == ["budget"] and home in PAIRS:
            names, function = [*PAIRS[home], *names[1:]], of_pair(function)
        elif names[1:2] == ["curve"]:
            names, function = ["alpha", "q"], lambda a, q, f=function: f(a, lambda order: rdp.gaussian(order, 3), q)
        if not set(names) <= set(ARGUMENTS):
            continue  # test_new_public_module.py names what is missing
        ordinary = [ARGUMENTS[argument][1] for argument in names]
        for place, argument in enumerate(names):
            rule = OTHERWISE.get(name, {}).get(argument, ARGUMENTS[argument][0])
            yield pytest.param(function, ordinary, place, argument, rule, id=f"{name} {argument}")


def composed():
    """compose of each module, the argument that is wrong being part of the first or the second budget."""
    for home, argument in ((pure, "epsilon"), (rdp, "epsilon_bar"), (zcdp, "rho"), (gdp, "mu")):
        for place in (0, 1):
            yield pytest.param(home.compose, [0.5, 0.5], place, argument, ARGUMENTS[argument][0])
    for home, checks in ((approx, [domain.nonnegative, domain.probability]), (cdp, [domain.nonnegative] * 2)):
        for place in range(4):
            function = lambda a, b, c, d, home=home: home.compose((a, b), (c, d))  # noqa: E731
            yield pytest.param(function, [0.5] * 4, place, PAIRS[home][place % 2], checks[place % 2])


def results(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize(("function", "ordinary", "place", "name", "rule"), [*rules(), *composed()])
def test_a_value_outside_its_domain_is_refused_under_its_own_name(function, ordinary, place, name, rule):
    for bad in (*RULES[rule][1], np.nan, None, "1", True):
        with pytest.raises(domain.DomainError) as expected:
            rule(name, bad)
        try:
            said = f"the result {function(*ordinary[:place], bad, *ordinary[place + 1 :])!r}"
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        add = f"{name} = domain.{rule.__name__}({name!r}, {name})"
        assert said == f"DomainError: {expected.value}", f"for {name}={bad!r}; begin the function with: {add}"


@pytest.mark.parametrize(("function", "ordinary", "place", "name", "rule"), [*rules(), *composed()])
def test_the_ends_that_belong_to_a_domain_are_answered_with_numbers(function, ordinary, place, name, rule):
    for end in [ordinary[place], *ENDS.get(rule, [])]:
        if function is rdp.log_moment and name == "alpha" and np.isinf(end):
            continue  # λ = ∞ has no moment: refused, with a message of its own
        for result in results(function(*ordinary[:place], end, *ordinary[place + 1 :])):
            assert isinstance(result, np.float64)
            assert not np.isnan(result)


@pytest.mark.parametrize(("function", "ordinary", "place", "name", "rule"), [*rules(), *composed()])
def test_an_array_is_answered_entry_by_entry_and_its_bad_entry_is_named(function, ordinary, place, name, rule):
    def answers(value):
        return results(function(*ordinary[:place], value, *ordinary[place + 1 :]))

    other = {domain.fraction: 0.3, domain.probability: 0.3}.get(rule, ordinary[place] + 1)
    if function is approx.sigma or (function is approx.advanced_simple and name == "epsilon"):
        other = 0.3  # within the proof
    both = answers([[ordinary[place]], [other]])
    for found, *each in zip(both, answers(ordinary[place]), answers(other), strict=True):
        assert np.ravel(np.broadcast_to(found, (2, 1))).tolist() == pytest.approx(each, rel=1e-14, abs=0)
    assert any(np.shape(found) == (2, 1) for found in both)
    bad = RULES[rule][1][0]
    with pytest.raises(
        domain.DomainError, match=rf"^{re.escape(name)}\[1\] must be .*, got {re.escape(repr(float(bad)))}"
    ):
        answers([ordinary[place], bad])
    with domain.gaps():
        gaps = [np.isnan(np.broadcast_to(found, 2)) for found in answers([ordinary[place], bad])]
    assert np.any(gaps, axis=0).tolist() == [False, True]


ROWS, COLUMNS = np.ones((3, 1)), np.ones(4)


@pytest.mark.parametrize(("function", "ordinary", "place", "name", "rule"), [*rules(), *composed()])
def test_a_column_and_a_row_make_a_table(function, ordinary, place, name, rule):
    first, *rest = ordinary
    if rest:
        shapes = [np.shape(found) for found in results(function(first * ROWS, *(each * COLUMNS for each in rest)))]
        assert shapes and set(shapes) <= {(3, 4), (3, 1), (4,)} and (3, 4) in shapes


OF_PAIRS = [
    pytest.param(function, id=name)
    for name, home, function in public_functions()
    if home in PAIRS and next(iter(inspect.signature(function).parameters)) in ("budget", "budgets")
]


@pytest.mark.parametrize("function", OF_PAIRS)
@pytest.mark.parametrize("bad", [3.0, None, "12", (1,), (1, 2, 3), np.array([1.0, 2.0])])
def test_a_budget_of_two_numbers_must_be_a_pair(function, bad):
    _, *others = inspect.signature(function).parameters
    with pytest.raises(domain.DomainError, match="budget must be a pair"):
        function(bad, **{name: ARGUMENTS[name][1] for name in others})


@pytest.mark.parametrize("home", [pure, rdp, zcdp, gdp, approx, cdp])
def test_nothing_composed_costs_nothing(home):
    for result in results(home.compose()):
        assert isinstance(result, np.float64)
        assert result == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: approx.sigma(1, 1e-5),
            "epsilon must be < 1 (the classic Gaussian bound is proved there only), got 1.0; use approx.sigma_exact",
        ),
        (lambda: approx.advanced(301, 0, 1, 0.1), "epsilon must be <= 300, got 301.0; use approx.repeat"),
        (
            lambda: approx.advanced_simple(1, 0, 100, 0.1),
            "epsilon must be such that sqrt(k) (e^epsilon - 1) <= sqrt(2 ln(1/slack)), got 1.0; use approx.advanced, ",
        ),
        (lambda: approx.optimal(1, 0, 1e9 + 1, 0.1), "k must be <= 1e9, got 1000000001.0; use zcdp"),
        (
            lambda: approx.sigma_discrete(1e-5, 1e-5),
            "epsilon must be such that zCDP's sigma is at most 10000, got 1e-05; use zcdp.sigma",
        ),
        (lambda: approx.delta_discrete(10001, 1), "sigma must be <= 10000, got 10001.0; use zcdp.delta_tight"),
        (lambda: gdp.from_pure(701), "epsilon must be <= 700, got 701.0"),
        (lambda: pure.posterior_odds(1, 301), "epsilon must be <= 300, got 301.0"),
        (lambda: rdp.subsampled_gaussian(2, 9e-51, 0.1), "sigma must be between 1e-50 and 1e50, got 9e-51"),
        (lambda: rdp.subsampled_gaussian(2, 2e50, 0.1), "sigma must be between 1e-50 and 1e50, got 2e+50"),
        (lambda: rdp.subsampled_gaussian(2e100, 1, 0.1), "alpha must be <= 1e100, or inf, got 2e+100"),
        (lambda: rdp.subsampled(10001, lambda a: a, 0.1), "alpha must be <= 10000, or inf, got 10001.0"),
        (lambda: rdp.subsampled(2, lambda a: -a, 0.1), "epsilon_bar must be a number >= 0 (inf allowed), got -inf"),
        (
            lambda: rdp.subsampled(2.5, lambda a: np.where(np.isinf(a), 1.0, -1.0), 0.1),
            "epsilon_bar[0] must be a number >= 0 (inf allowed), got -1.0",
        ),
        (
            lambda: rdp.subsampled(2.5, lambda a: np.where(np.equal(a, 2.5), -1.0, 1.0), 0.1),
            "epsilon_bar must be a number >= 0 (inf allowed), got -1.0",
        ),
        (lambda: rdp.log_moment(np.inf, 1), "alpha must be finite, got inf"),
        (lambda: rdp.best([], [], 0.1), "orders and epsilon_bars must be as many, at least one, got 0 and 0"),
        (lambda: rdp.best([2, 3], [1], 0.1), "orders and epsilon_bars must be as many, at least one, got 2 and 1"),
        (lambda: rdp.best([2], [-1], 0.1), "epsilon_bar must be a number >= 0 (inf allowed), got -1.0"),
        (lambda: rdp.optimum(lambda a: -a, 0.1), "epsilon_bar must be a number >= 0"),
        (
            lambda: rdp.optimum(lambda a: np.where(np.isinf(a), -1.0, 1.0), 0.1),
            "epsilon_bar must be a number >= 0 (inf allowed), got -1.0",
        ),
        (lambda: rdp.optimum(lambda a: a, 1), "delta must be strictly between 0 and 1, got 1.0"),
        (lambda: cdp.epsilon(1, 0.1), "budget must be a pair of numbers, got 1 of type int"),
        (lambda: approx.repeat(1, 1), "budget must be a pair of numbers, got 1 of type int"),
    ],
)
def test_a_narrower_domain_says_so_and_what_to_use_instead(call, said):
    with pytest.raises(domain.DomainError) as caught:
        call()
    assert str(caught.value).startswith(said)
