"""Checks of chapters/desk.md."""

import exact_training
import numpy as np
import planner

from claims import claim
from dp_lib.pld import PrivacyLoss


def epsilon(sigma, q, steps, delta):
    """Return the planner's ε of a training run."""
    texts = {"q": repr(q), "noise": repr(sigma), "steps": str(steps), "delta": repr(delta)}
    settled = {name: {"text": text, "value": float(text)} for name, text in texts.items()}
    (found,) = planner.answers({"door": "train", "span": "rate", "settled": settled} | texts)
    return found["epsilon"][0]


@claim("desk.md", "planner-close-to-exact", numbers=[1e-4, 0.05, 50, 1e-12, 1, 0.7, 1e-4, 1e-8, 0.5])
def test_planner_is_close_to_the_exact_epsilon(passage):
    """The 500 random runs are in tests/planner/test_planner_training.py."""
    found = epsilon(0.7, 1e-4, 10**6, 1e-8)
    exact = [exact_training.delta(0.7, 1e-4, 10**6, one) for one in (found, found / 1.005)]
    assert exact[0] <= 1e-8 < exact[1]
    rng, seen = np.random.default_rng(8), 0
    while seen < 10:
        run = float(10 ** rng.uniform(-0.5, 1)), float(10 ** rng.uniform(-4, 0)), int(10 ** rng.uniform(0, 6))
        delta = float(10 ** rng.uniform(-12, -3))
        bracket = PrivacyLoss.subsampled_gaussian(*run[:2]).repeat(run[2]).epsilon(delta)
        if 0.05 <= bracket.upper <= 50:
            seen += 1
            assert bracket.lower <= epsilon(*run, delta) <= 1.01 * bracket.upper
