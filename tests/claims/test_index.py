"""Checks of chapters/index.md."""

import numpy as np

from claims import answers, claim


@answers("index.md", "likelier-at-epsilon-3", numbers=[1.5, 3], choices=[[3], [9], [20], []])
def test_question_likelier_at_epsilon_3(question):
    y = np.linspace(60, 140, 800_001)
    ratio, half = (np.exp(epsilon * (abs(y - 101) - abs(y - 100))).max() for epsilon in (3, 1.5))
    assert question.right == [abs(ratio - 3) < 1, abs(ratio - 9) < 1, abs(ratio - 20) < 0.5, ratio > 1e6]
    assert abs(half - 4.5) < 0.05 and abs(half**2 - ratio) < 1e-9 * ratio


@claim("index.md", "factor-at-three-epsilons", numbers=[3, 1.5, 0.1])
def test_factor_at_three_epsilons(passage):
    y = np.linspace(60, 140, 800_001)
    for epsilon, printed in zip((3, 1.5, 0.1), passage.printed, strict=True):
        ratio = np.exp(epsilon * (abs(y - 101) - abs(y - 100))).max()
        assert ratio <= float(printed) * (1 + 1e-12) and float(printed) < ratio + 0.1
