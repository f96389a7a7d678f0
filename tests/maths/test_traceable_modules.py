"""Every public function of the modules leaves a tape that gives what a call gives, gaps included."""

import inspect
import itertools

import numpy as np
import pytest

from book.reference.entries import NAMES, module
from dp_lib import approx, cdp, divergence, domain, gdp, pure, rdp, zcdp
from livefigures.trace import tracing

# Rooms of which no function stands in a figure, and why.
NOT_TRACED_MODULES = {
    "check": "runs code of the reader's own",
    "domain": "its checks are traced in test_domain",
    "dp_sgd": "trains a model",
    "mechanisms": "draws at random",
    "pld": "composes by number, on grids of its own",
    "say": "writes text",
}
MODULES = [module(home) for home in NAMES if home not in NOT_TRACED_MODULES]
NOT_TRACED = {
    "approx.Approx": "a name for two numbers",
    "cdp.Concentrated": "a name for two numbers",
    "divergence.Normal": "a name for two numbers",
    "divergence.Laplace": "a name for two numbers",
    "rdp.subsampled_gaussian": "adds up as many terms as its order has; test_sampled traces one order",
    "rdp.subsampled": "adds up as many terms as its order has",
    "rdp.subsampled_poisson": "adds up as many terms as its order has",
    "approx.delta_discrete": "adds up as many terms as its noise is wide",
    "approx.sigma_discrete": "searches in steps that its own findings choose",
}

# Values of each argument by name: ordinary, extreme, and one that is bad.
VALUES = {
    "sigma": [200, 1e-3, 1e6, -1],
    "scale": [1, 1e-3, 1e6, 0],
    "sensitivity": [1, 3, 1e-3, 0],
    "epsilon": [0.5, 0, 4, 1e-6, 650, -1],
    "epsilon_0": [0.5, 0, 20, -1],
    "delta": [1e-5, 1e-300, 0.9, 0],
    "slack": [1e-5, 1e-200, 0.9, 1],
    "rho": [0.00625, 0, 5e9, 1e-12, -1],
    "mu": [0.1, 0, 30, 1e-6, 1e6, -1],
    "tau": [0.4, 0, 30, -1],
    "alpha": [60, 1, 1 + 1e-9, 2, 1e6, np.inf, 0.5],
    "epsilon_bar": [0.375, 0, 30, np.inf, -1],
    "k": [500, 1, 0, 1e8, 0.5],
    "hits": [700, 0, 1000, 10**6, 0.5],
    "detections": [700, 0, 1000, 10**6, 0.5],
    "alarms": [30, 0, 1000, 10**6, 0.5],
    "trials": [1000, 10**6, 0],
    "confidence": [0.95, 0.5, 1],
    "size": [1, 3, 2**20, 0],
    "p": [0.75, 0.5, 1e-12, 1],
    "q": [0.01, 0, 1, 2],
    "d": [10, 1, 0],
    "n": [1000, 1, 0.5],
    "prior_odds": [3, 0, -1],
    "probability": [1e-6, 0, 1, 2],
    "type_one_error": [0.05, 0, 1, -1],
    "lambda_": [4, 1e-3, 0],
    "log_moment": [2, 0, np.inf, -1],
    "outcome": [0.3, -5, np.inf],
    "mean": [0, 1, -2, np.inf],
}
PAIRS = {approx: ("epsilon", "delta"), cdp: ("mu", "tau")}


def normals(function):
    return lambda mean, sigma, *rest: function(divergence.Normal(0, sigma), divergence.Normal(mean, sigma), *rest)


def laplaces(function):
    return lambda mean, scale, *rest: function(divergence.Laplace(0, scale), divergence.Laplace(mean, scale), *rest)


SPECIAL = {
    "rdp.best": (
        lambda sigma, k, delta: rdp.best(
            rdp.ORDERS, [rdp.repeat(rdp.gaussian(alpha, sigma), k) for alpha in rdp.ORDERS], delta
        ),
        ["sigma", "k", "delta"],
    ),
    "rdp.optimum": (
        lambda scale, k, delta: rdp.optimum(lambda alpha: rdp.repeat(rdp.laplace(alpha, scale), k), delta),
        ["scale", "k", "delta"],
    ),
    "gdp.compose": (gdp.compose, ["mu", "mu"]),
    "pure.compose": (pure.compose, ["epsilon", "epsilon_0"]),
    "rdp.compose": (rdp.compose, ["epsilon_bar", "epsilon"]),
    "zcdp.compose": (zcdp.compose, ["rho", "mu"]),
    "approx.compose": (
        lambda epsilon, delta, q: approx.compose((epsilon, delta), (epsilon, q)),
        ["epsilon", "delta", "q"],
    ),
    "approx.compose_advanced": (
        lambda epsilon, delta, q, slack: approx.compose_advanced((epsilon, delta), (0.3, q), slack=slack),
        ["epsilon", "delta", "q", "slack"],
    ),
    "cdp.compose": (lambda mu, tau, rho: cdp.compose((mu, tau), (rho, tau)), ["mu", "tau", "rho"]),
}
for name, extra in (("privacy_loss", "outcome"), ("renyi", "alpha"), ("hockey_stick", "epsilon")):
    SPECIAL[f"divergence.{name}"] = (normals(getattr(divergence, name)), ["mean", "sigma", extra])
    SPECIAL[f"divergence.{name} of Laplace"] = (laplaces(getattr(divergence, name)), ["mean", "scale", extra])


def public_functions():
    for home in MODULES:
        short = home.__name__.rsplit(".", 1)[1]
        for name, function in vars(home).items():
            own = getattr(function, "__module__", "") == home.__name__
            if callable(function) and own and not name.startswith("_") and "__mutmut_" not in name:  # make mutants
                yield f"{short}.{name}", home, function


def cases():
    """Each function as one of plain numbers, and the names of these numbers."""
    for name, home, function in public_functions():
        if name in NOT_TRACED:
            continue
        if name in SPECIAL:
            yield pytest.param(*SPECIAL[name], id=name)
            continue
        names = list(inspect.signature(function).parameters)
        if names[:1] == ["budget"]:
            if home not in PAIRS:
                continue  # test_new_public_module.py names what is missing
            both = PAIRS[home]
            yield pytest.param(lambda a, b, *rest, f=function: f((a, b), *rest), [*both, *names[1:]], id=name)
        else:
            yield pytest.param(function, names, id=name)
    for name in SPECIAL:
        if " " in name:
            yield pytest.param(*SPECIAL[name], id=name)


def settings_of(names, count=100):
    """The ordinary setting, each argument through its values, every two together at odds, and random mixtures."""
    values = {name: [*VALUES[name], np.nan] for name in names}
    rows = [[VALUES[name][0] for name in names]]
    for one, other in itertools.combinations_with_replacement(range(len(names)), 2):
        for pair in itertools.product(values[names[one]], values[names[other]]):
            row = list(rows[0])
            row[one], row[other] = pair
            rows.append(row)
    rng = np.random.default_rng(len(names))
    rows += [[rng.choice(values[name]) for name in names] for _ in range(count)]
    return np.array(rows, dtype=float).T


def results(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize(("function", "names"), list(cases()))
def test_the_tape_gives_what_the_call_gives(function, names):
    tape = tracing.Tape()
    keys = [f"{name}{place}" for place, name in enumerate(names)]
    outputs = [tape.output(result) for result in results(function(*(tape.input(key) for key in keys)))]
    columns = settings_of(names)
    played = tracing.play(tape.operations, dict(zip(keys, columns, strict=True)))
    with domain.gaps():
        called = results(function(*columns))
    assert len(called) == len(outputs)
    for output, expected in zip(outputs, called, strict=True):
        np.testing.assert_array_max_ulp(*np.broadcast_arrays(played[output], expected), maxulp=2)
    gap = np.any([np.isnan(np.broadcast_to(result, columns[0].shape)) for result in called], axis=0)
    assert np.all(gap[np.any(np.isnan(columns), axis=0)]), "NaN in an argument must show in the result"


def test_no_trace_of_a_module_is_long():
    """A figure may have 12,000 operations in all."""
    limits = {
        "gdp.epsilon": 600,
        "approx.sigma_exact": 650,
        "approx.optimal": 850,
        "rdp.best": 1500,
        "rdp.optimum": 3500,
        "approx.compose_advanced": 3000,
        "audit.share": 400,
        "audit.epsilon": 400,
        "audit.epsilon_of_test": 800,
    }
    for case in cases():
        tape = tracing.Tape()
        function, names = case.values
        outputs = [tape.output(r) for r in results(function(*(tape.input(f"{n}{i}") for i, n in enumerate(names))))]
        assert len(tape.finish(outputs)[0]) <= limits.get(case.id, 150), case.id
