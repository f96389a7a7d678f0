"""Checks of chapters/libraries.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy import linalg, optimize, stats

from claims import answers, claim
from claims.test_approx import plain
from claims.test_training_cost import bracket


def tree(steps):
    """The tree's blocks that each step is in, and how few of them make up each running sum."""
    blocks = {(i, i + size) for size in (2**j for j in range(steps.bit_length())) for i in range(0, steps, size)}
    (per_step,) = {sum(a <= step < b for a, b in blocks) for step in range(steps)}
    fewest = [0] + [10**9] * steps
    for end in range(1, steps + 1):
        fewest[end] = min(fewest[a] + 1 for a, b in blocks if b == end)
    return per_step, fewest


@claim("libraries.md", "tree-of-eight-steps", numbers=[8, 1, 2, 4, 8, 7])
def test_tree_of_eight_steps(passage):
    """Each step is in four blocks, and three of the blocks make up the first seven steps."""
    blocks = [(start, size) for size in (1, 2, 4, 8) for start in range(0, 8, size)]
    covers = [sum(start <= step < start + size for start, size in blocks) for step in range(8)]
    assert covers == [4] * 8
    seven = [(0, 4), (4, 2), (6, 1)]
    assert set(seven) <= set(blocks) and sum(size for _, size in seven) == 7
    tree, alone = math.sqrt(len(seven) * covers[0]), math.sqrt(8)  # the noisiest running sum of each
    assert passage.printed == [f"{tree:.2f}", f"{alone:.2f}"] and tree > alone


@answers("libraries.md", "deviation-of-a-running-sum", numbers=[1024], choices=[[1], [10], [32], [110]])
def test_question_deviation_of_a_running_sum(question):
    """Every running sum from the fewest blocks; each block's noise has deviation √11 σ."""
    blocks = [[2**j for j in range(11) if t >> j & 1] for t in range(1, 1025)]
    assert max(map(len, blocks)) == 10 and all(sum(b) == t for t, b in enumerate(blocks, 1))
    assert [t for t, b in enumerate(blocks, 1) if len(b) == 10] == [1023]
    worst = max(math.sqrt(11 * len(b)) for b in blocks)
    assert question.right == [abs(worst / x - 1) < 0.1 for x in (1, 10, 32, 110)]


@claim("libraries.md", "noise-left-by-a-weak-generator")
def test_noise_left_by_a_weak_generator(passage):
    """The square root by scipy, the columns' and rows' lengths by hand."""
    size = 1024
    running = np.tril(np.ones((size, size)))
    column = np.ones(size)
    for k in range(1, size):
        column[k] = column[k - 1] * (2 * k - 1) / (2 * k)
    root = linalg.toeplitz(column, np.zeros(size))
    assert np.abs(root @ root - running).max() < 1e-9
    longest = (root**2).sum(axis=0).max()
    assert longest >= (root**2).sum(axis=1).max() - 1e-12 and passage.printed == [f"{longest:.2f}"]


@claim("libraries.md", "sampling-wins-at-strict-epsilon", numbers=[4])
def test_sampling_wins_at_strict_epsilon(passage):
    """The multipliers checked anew: by the bracket, and by the exact Gaussian's profile."""
    table = passage.names["last_sum"]
    sampled, root = table["Poisson batches, independent noise"], table["no sampling, square root"]
    for target, noise, other in zip((0.25, 1, 4), sampled, root, strict=True):
        assert bracket(1 / 1024, noise / 32, 1024).upper <= target < bracket(1 / 1024, noise / 32.1, 1024).lower
        mu = passage.names["ROOT"] / other
        above = target / mu + mu / 2
        assert stats.norm.sf(above - mu) - math.exp(target) * stats.norm.sf(above) == pytest.approx(1e-5, rel=1e-6)
    assert sampled[0] < root[0] and sampled[1] > root[1] and sampled[2] > root[2]
    tree = table["no sampling, tree"]
    assert sampled[0] < tree[0] and sampled[1] < tree[1] and sampled[2] > tree[2]


@claim("libraries.md", "tree-against-poisson-batches", numbers=[1024, 4, 1])
def test_tree_against_poisson_batches():
    """Give Poisson batches as much noise as the tree leaves: their ε is above 4, but below 1 and 1/4."""

    def epsilon_with_the_trees_noise(target):
        def over(mu):
            above = target / mu + mu / 2
            return stats.norm.sf(above - mu) - math.exp(target) * stats.norm.sf(above) - 1e-5

        per_step, fewest = tree(1024)
        noise = math.sqrt(per_step * max(fewest[1:])) / optimize.brentq(over, 1e-3, 10)
        return bracket(1 / 1024, noise / 32, 1024)

    assert epsilon_with_the_trees_noise(4).lower > 4
    assert all(epsilon_with_the_trees_noise(target).upper < target for target in (0.25, 1))


@claim("libraries.md", "tau-of-a-larger-batch-bound", numbers=[1250, 1000])
def test_tau_of_a_larger_batch_bound(passage):
    tail = mpmath.mpf(0)
    with mpmath.workdps(40):
        for k in range(1251, 1800):
            tail += mpmath.binomial(100_000, k) * mpmath.mpf("0.01") ** k * mpmath.mpf("0.99") ** (100_000 - k)
    tau = plain(passage.printed[0])
    assert float(10_000 * tail) <= tau < 1.2 * float(10_000 * tail) and tau < 1e-9


@claim("libraries.md", "a-run-for-four-libraries", numbers=[60_000, 600, 0.01, 1000, 1.1, 1, 1e-5])
def test_a_run_for_four_libraries(passage):
    assert (600 / 60_000, 10 * 60_000 / 600) == (0.01, 1000)
    held = bracket(0.01, 1.1, 1000, 1e-5)
    assert held.upper <= float(passage.printed[0]) < held.lower + 0.011


@claim("libraries.md", "multiplier-halved-by-mistake")
def test_multiplier_halved_by_mistake(passage):
    for sigma, printed, step in ((1.1, passage.printed[0], 0.01), (0.55, passage.printed[1], 0.1)):
        held = bracket(0.01, sigma, 1000, 1e-5)
        assert held.upper <= float(printed) < held.lower + 1.1 * step
    assert 0.55 * 0.5 == (1.1 * 1) / 4  # the noise itself, σC


@claim("libraries.md", "noise-of-adaptive-clipping", numbers=[600, 20, 30, 1.1])
def test_noise_of_adaptive_clipping(passage):
    """The privacy loss of two Gaussian answers is Gaussian with the sum of the two squared distances."""
    larger = float(passage.printed[0])
    assert 600 / 20 == 30
    both = math.hypot(1 / larger, 0.5 / 30)
    assert both <= 1 / 1.1 < math.hypot(1 / (larger - 1e-4), 0.5 / 30)


@claim("libraries.md", "tree-of-sixteen-steps", numbers=[32, 30, 32, 32])
def test_tree_of_sixteen_steps():
    """The tree itself: blocks of consecutive steps, and each running sum from as few of them as possible."""
    per_step, fewest = tree(16)
    assert (per_step, fewest[13], max(fewest[1:]), fewest.index(max(fewest[1:]))) == (5, 3, 4, 15)
    assert math.sqrt(15) == pytest.approx(3.87, abs=0.005) and math.sqrt(13) == pytest.approx(3.61, abs=0.005)
    variances = {steps: tree(steps)[0] * max(tree(steps)[1][1:]) for steps in (2, 4, 8, 16, 32)}
    assert [variances[steps] < steps for steps in variances] == [False] * 4 + [True] and variances[32] == 30


@claim("libraries.md", "tree-in-short-and-long-runs", numbers=[8, 1024])
def test_tree_in_short_and_long_runs():
    def noisiest(steps):
        per_step, fewest = tree(steps)
        return math.sqrt(per_step * max(fewest[1:]))

    assert noisiest(8) > math.sqrt(8) and noisiest(1024) < math.sqrt(1024)


@claim("libraries.md", "noise-for-the-count", numbers=[15, 16, 4, 3, 10, 20])
def test_noise_for_the_count(passage):
    """The example moves two Gaussian answers, and the square of the length of the two moves has to be 1."""
    printed = [float(number) for number in passage.printed]
    for larger, moves in zip(printed, (0.5, 1), strict=True):
        count = moves / 2  # in standard deviations of its noise, σ_b = 40/20
        assert math.hypot(1 / larger, count) <= 1 < math.hypot(1 / (larger - 0.01), count)
    for b, moves in ((10, 0.5), (20, 1)):
        assert moves / (b / 20) == 1  # the count alone


@claim("libraries.md", "a-batch-in-four-parts", numbers=[150, 60_000, 0.0025, 4000, 0.01, 1000, 2.2])
def test_a_batch_in_four_parts(passage):
    assert (150 / 60_000, 10 * 60_000 / 150) == (0.0025, 4000) and math.hypot(*[1.1] * 4) == pytest.approx(2.2)
    entered, own, noisier = map(float, passage.printed)
    assert bracket(0.0025, 1.1, 4000).upper <= entered < bracket(0.0025, 1.1, 4000).lower + 0.011
    assert bracket(0.01, 2.2, 1000).upper <= noisier < bracket(0.01, 2.2, 1000).lower + 0.011
    assert bracket(0.01, 1.1, 1000).upper - 0.011 < own <= bracket(0.01, 1.1, 1000).lower
    assert entered < own and noisier < own


@claim("libraries.md", "first-patient-in-a-microbatch")
def test_first_patient_in_a_microbatch(passage):
    gradients = [(3, 4), (0.3, 0.4), (0, -2)]
    three, two = (np.mean(some, axis=0).tolist() for some in (gradients, gradients[1:]))
    clipped = [tuple(part / max(1, math.dist(mean, (0, 0))) for part in mean) for mean in (three, two)]
    assert passage.printed == [f"{math.dist(*clipped):.2f}"] and math.dist(two, (0, 0)) < 1
