"""ε of a training run in the planner: never below the exact ε, and at most 1 per cent above it."""

import itertools

import exact_training
import mpmath
import numpy as np
import planner
import pytest
from in_node import Node

from dp_lib.pld import PrivacyLoss

# σ, q, steps, δ: where the bound is least close, because a few large losses decide and most losses are tiny.
CORNERS = [
    (0.7, 1e-4, 10**6, 1e-8),
    (1.0, 1e-4, 10**4, 1e-12),
    (1.0, 1e-4, 1000, 1e-12),
    (0.9678605, 1.0493e-4, 3054, 1e-12),
    (0.3938214, 1.373674e-4, 86, 9.872592e-4),
]
ORDINARY = [(1.1, 256 / 60_000, 7032, 1e-5), (2.0, 0.1, 1000, 1e-6), (0.8, 0.01, 50, 1e-9)]
FEW = [(0.7, 1e-4, 1e-12), (0.5, 1e-4, 1e-8), (1.0, 0.01, 1e-5), (0.3, 1e-3, 1e-3), (2.0, 0.3, 1e-6)]  # of two steps


def epsilon(sigma, q, steps, delta, sampler="poisson"):
    run = {"sigma": sigma, "q": q, "steps": steps, "delta": delta}
    return float(planner._node().evaluate("([way, run]) => globalThis.deskLosses.epsilon(way, run)", [sampler, run]))


def sampled_runs(count, seed, **more):
    """Runs of what the planner states: q from 1e-4, up to a million steps, ε from 0.05 to 50, δ from 1e-12.

    A batch is a whole number of a million examples.
    """
    rng = np.random.default_rng(seed)
    while count:
        q, sigma, steps = 10 ** rng.uniform(-4, -0.1), 10 ** rng.uniform(-0.6, 1), int(10 ** rng.uniform(0, 6))
        q = round(10**6 * q) / 10**6
        delta = 10 ** rng.uniform(-12, -3)
        if more:
            steps = min(steps, 3000)
        bracket = PrivacyLoss.subsampled_gaussian(sigma, q, **more).repeat(steps).epsilon(delta)
        if 0.05 <= bracket.upper <= 50:
            count -= 1
            texts = {"q": repr(float(q)), "noise": repr(float(sigma)), "steps": str(steps), "delta": repr(float(delta))}
            yield {"door": "train", "span": "rate", "settled": settled(texts)} | texts, bracket


def settled(texts):
    return {name: {"text": text, "value": float(text)} for name, text in texts.items()}


@pytest.mark.long
def test_100_sampled_runs_are_never_below_the_exact_epsilon_and_within_one_per_cent():
    runs = list(sampled_runs(100, 3))
    above = []
    for (task, bracket), found in zip(runs, planner.answers(*(task for task, _ in runs)), strict=True):
        assert bracket.lower <= found["epsilon"][0] <= float(found["epsilon"][1]), task
        above.append(found["epsilon"][0] / bracket.upper)
    assert max(above) <= 1.01 and np.median(above) <= 1.0005


@pytest.mark.long
@pytest.mark.parametrize("run", CORNERS + ORDINARY)
def test_many_steps_are_within_half_a_per_cent_of_an_integral(run):
    sigma, q, steps, delta = run
    found = epsilon(*run)
    assert exact_training.delta(sigma, q, steps, found) <= delta
    assert exact_training.delta(sigma, q, steps, found / 1.005) > delta


@pytest.mark.parametrize("run", FEW)
def test_two_steps_are_within_half_a_per_cent_of_an_integral(run):
    sigma, q, delta = run
    found = epsilon(sigma, q, 2, delta)
    with mpmath.workdps(25):
        assert exact_training.delta_of_two_steps(sigma, q, found) <= delta
        assert exact_training.delta_of_two_steps(sigma, q, found / 1.005) > delta


@pytest.mark.parametrize("run", ORDINARY[:2])
def test_epsilon_is_enough_when_the_example_is_added(run):
    sigma, q, steps, delta = run
    assert 0 < exact_training.delta(sigma, q, steps, epsilon(*run), added=True) <= delta


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("LOOK = 512", "LOOK = 24"),
        ("ACCURACY = 3e-4", "ACCURACY = 0.1"),
        ("OUTSIDE = 16", "OUTSIDE = 0.5"),
        ("FAR = 7", "FAR = 1.5"),
        ("MOST_FREQUENCIES = 16384", "MOST_FREQUENCIES = 40"),
        ("ROUNDS = 4", "ROUNDS = 1"),
    ],
)
def test_a_bad_choice_of_points_or_period_raises_epsilon(good, bad, tmp_path):
    source = (planner.form.HERE / "losses.js").read_text("utf-8")
    assert source.count(good) == 1
    (tmp_path / "losses.js").write_text(source.replace(good, bad), "utf-8")
    node = Node(*planner.ENGINE, tmp_path / "losses.js")
    for sigma, q, steps, delta in ORDINARY:
        run = {"sigma": sigma, "q": q, "steps": steps, "delta": delta}
        found = float(node.evaluate("(run) => globalThis.deskLosses.epsilon('poisson', run)", run))
        assert exact_training.delta(sigma, q, steps, found) <= delta
        assert found > epsilon(sigma, q, steps, delta)


@pytest.mark.parametrize(
    ("noise", "verdict"), [("0.9", "0.037 can hold - the truth is from 0.0364 to 0.0372"), ("2", "holds - ")]
)
def test_lines_of_python_call_no_number_false_that_lies_between_their_bounds(noise, verdict, capsys):
    run = {"n": "1e8", "batch": "5000", "span": "steps", "steps": "3000", "delta": "1e-9"}
    (found,) = planner.answers({"door": "train", "noise": noise, **run})
    exec(found["python"], {})
    assert verdict in capsys.readouterr().out


@pytest.mark.parametrize("steps", [10**7, 10**8, 10**9])
def test_more_than_a_million_steps_are_never_below_the_exact_epsilon(steps):
    bracket = PrivacyLoss.subsampled_gaussian(30.0, 1e-3).repeat(steps).epsilon(1e-6)
    assert bracket.lower <= epsilon(30.0, 1e-3, steps, 1e-6) <= 1.01 * bracket.upper


def test_epsilon_at_a_tiny_delta_is_not_below_that_at_a_larger_one():
    larger, smaller, smallest = (epsilon(1, 0.01, 1000, delta) for delta in (1e-300, 3e-308, 1e-308))
    assert 80 < larger <= smaller <= smallest


@pytest.mark.long
def test_epsilon_is_a_number_at_the_ends_of_the_fields():
    for way, sigma, q, steps, delta in itertools.product(
        ["poisson", "fixed"], [1e-3, 1, 1e12], [1e-300, 1 - 1e-16], [2, 10**9, 10**18], [1e-300, 0.999]
    ):
        assert epsilon(sigma, q, steps, delta, way) >= 0, (way, sigma, q, steps, delta)


@pytest.mark.long
def test_fixed_size_batches_are_within_one_per_cent_of_their_bound_and_never_below():
    for task, bracket in sampled_runs(20, 4, replaced=True):
        batch = str(round(float(task["q"]) * 10**6))
        (found,) = planner.answers(task | {"span": "steps", "sampler": "fixed", "n": str(10**6), "batch": batch})
        assert bracket.lower <= found["epsilon"][0] <= 1.01 * bracket.upper, task
