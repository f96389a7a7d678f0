"""Checks of chapters/index.md."""

import numpy as np

from claims import answers, claim


@answers("index.md", "likelier-at-epsilon-0-1", numbers=[0.1], choices=[[10], [1.5], [1.1], []])
def test_question_likelier_at_epsilon_0_1(question):
    y = np.linspace(60, 140, 800_001)
    ratio = np.exp(0.1 * (abs(y - 101) - abs(y - 100))).max()
    assert question.right == [abs(ratio - 10) < 1, abs(ratio - 1.5) < 0.1, abs(ratio - 1.1) < 0.05, ratio > 1e6]


@claim("index.md", "factor-at-two-epsilons", numbers=[0.1, 1.5])
def test_factor_at_two_epsilons(passage):
    y = np.linspace(60, 140, 800_001)
    for epsilon, printed in zip((0.1, 1.5), passage.printed, strict=True):
        ratio = np.exp(epsilon * (abs(y - 101) - abs(y - 100))).max()
        assert ratio <= float(printed) * (1 + 1e-12) and float(printed) < ratio + 0.1
