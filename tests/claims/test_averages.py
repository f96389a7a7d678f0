"""Checks of chapters/averages.md."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, norm

from claims import answers, at_rest, claim


@answers("averages.md", "patients-reconstructed", numbers=[400, 2, 0.5, 100, 100], choices=[[50], [75], [98], [100]])
def test_question_patients_reconstructed(question):
    rng, patients = np.random.default_rng(3), np.repeat([0, 1], 50)
    right = []
    for _ in range(8):
        groups = rng.integers(2, size=(400, 100))
        found = np.linalg.lstsq(groups, groups @ patients + rng.normal(0, 2, 400))[0] > 0.5
        right.append(np.sum(found == patients))
    mean = np.mean(right)
    assert question.right == [mean < 60, 65 < mean < 85, 97.5 < mean < 99, mean > 99]


@claim("averages.md", "reconstruction-error", numbers=[2, 0.5])
def test_reconstruction_error(passage):
    rng, patients = np.random.default_rng(4), np.repeat([0, 1], 50)
    for m, sigma in [(150, 0.5), (400, 5), (1000, 10)]:
        errors, right = [], []
        for _ in range(8):
            groups = rng.integers(2, size=(m, 100))
            found = np.linalg.lstsq(groups, groups @ patients + rng.normal(0, sigma, m))[0]
            errors.append(np.mean((found - patients) ** 2))
            right.append(np.mean((found > 0.5) == patients))
        assert math.sqrt(np.mean(errors)) == pytest.approx(2 * sigma / math.sqrt(m - 100), rel=0.1)
        assert np.mean(right) == pytest.approx(passage.names["read_off"](m, sigma), abs=0.03)


@claim("averages.md", "pure-reconstruction.alt", numbers=[0.5])
def test_alt_pure_reconstruction():
    c = at_rest("averages.md", "pure-reconstruction")
    assert 0.64 < c["noise σ on each"][0] < 0.67 and c["noise σ on each"][-1] > 0.99
    assert abs(c["ε-DP in all"] - 0.5).max() < 0.005


@answers(
    "averages.md",
    "patients-for-equal-accuracy",
    numbers=[1000, 1],
    choices=[[20_000], [100_000], [500_000], [10_000_000]],
)
def test_question_patients_for_equal_accuracy(question):
    p = math.e / (1 + math.e)
    n = p * (1 - p) / (2 * p - 1) ** 2 / (2 / 1000**2)
    assert question.right == [abs(math.log(n / offered)) < 0.2 for offered in (20_000, 100_000, 500_000, 1e7)]
    errors = [math.sqrt(n / people) for people in (1000, 100_000, 1e7)]  # over the hospital's, as the replies say
    assert [round(error) for error in errors[:2]] == [21, 2] and errors[1] > 2 and 0.2 < errors[2] < 0.22


@answers("averages.md", "when-privacy-noise-is-smaller", numbers=[1, 10, 10, 0.5], choices=[[60], [300], [800], [3000]])
def test_question_when_privacy_noise_is_smaller(question):
    n = np.arange(1, 100_001)
    first = n[laplace(0, 20 / (n * 0.5)).std() <= 1 / np.sqrt(n)][0]
    assert question.right == [abs(math.log(first / offered)) < 0.2 for offered in (60, 300, 800, 3000)]


@claim("averages.md", "pure-mean.caption", numbers=[2])
def test_caption_pure_mean(passage):
    n = np.geomspace(10, 1e6, 400)
    for bound, epsilon in [(1, 2), (10, 0.5), (100, 0.05)]:
        noise = passage.names["mean_noise"](n, bound, epsilon)
        assert np.allclose(np.diff(np.log(noise)), -np.diff(np.log(n)))
        assert ((noise < 1 / np.sqrt(n)) == (n > 8 * (bound / epsilon) ** 2)).all()


@claim("averages.md", "pure-local.alt", numbers=[2])
def test_alt_pure_local():
    c = at_rest("averages.md", "pure-local")
    slope = {name: np.diff(np.log(c[name])) for name in ("local", "sampling", "trusted hospital")}
    assert np.allclose(slope["local"], slope["sampling"]) and np.allclose(slope["trusted hospital"], 2 * slope["local"])
    assert c["trusted hospital"][-1] < 0.01 * min(c["local"][-1], c["sampling"][-1])


@claim("averages.md", "pure-mean.alt")
def test_alt_pure_mean():
    c = at_rest("averages.md", "pure-mean")
    noise, sampling, both, left = c["privacy noise"], c["sampling error"], c["both"], c["n"] < 3200
    assert (noise[left] > sampling[left]).all() and (noise[~left] <= sampling[~left] * (1 + 1e-9)).all()
    higher = np.maximum(noise, sampling)
    assert (both >= higher).all() and (both <= math.sqrt(2) * higher * (1 + 1e-9)).all()


@claim("averages.md", "loss-approaches-two", numbers=[2])
def test_loss_approaches_two(passage):
    y = np.linspace(-400, 400, 800_001)

    def density(total, mean):
        return np.exp(-abs(y - mean) - abs(total - y - mean)).sum()

    losses = [math.log(density(-t, 0) / density(-t, 1)) for t in (10, 30, 100)]
    assert losses[0] < losses[1] < losses[2] < 2 and 2 - losses[2] < 0.025
    assert passage.printed == [f"{losses[2]:.3f}"]


@claim("averages.md", "weight-of-the-negative-pairs", numbers=[1, 100, 1, 1, 101, 1, 1, 102, 1, 102, 1, 103, 100, 0])
def test_weight_of_the_negative_pairs(passage):
    """By an integral over the first answer of the density of the pair on the second table, times e^102."""

    def density(first):
        return math.exp(102 - abs(first - 1) - abs(-100 - first - 1))

    assert [density(first) for first in (-101, -100, -50, 0, 1)] == pytest.approx([1] * 5)
    for d in (0.5, 2):  # the first or the second answer is 1 + d
        assert [density(1 + d), density(-101 - d)] == pytest.approx([math.exp(-2 * d)] * 2)
    negative = quad(density, -100, 0)[0]
    tails = quad(density, -140, -101)[0] + quad(density, 1, 40)[0]
    assert [quad(density, -140, -101)[0], quad(density, 1, 40)[0]] == pytest.approx([0.5] * 2)
    assert tails == pytest.approx(1)
    share = negative / (tails + quad(density, -101, 1)[0])
    assert passage.printed == [f"{100 * share:.0f}"]
    losses = [abs(y - 1) + abs(-101 - y) - abs(y) - abs(-100 - y) for y in (-99.9, -50, -0.1)]
    assert losses == pytest.approx([2] * 3)


@answers("averages.md", "epsilon-of-a-published-sum", numbers=[1], choices=[[1], [2, 1.41], [2, 2], [2]])
def test_question_epsilon_of_a_published_sum(question):
    def loss(total):
        """By the integral of the two densities' product."""
        y = np.linspace(-400, 400, 1_600_001)
        density = [np.exp(-abs(y - mean) - abs(total - y - mean)).sum() for mean in (0, 1)]
        return math.log(density[0] / density[1])

    seen = [loss(total) for total in (-20, -50, -100, -300)]
    assert np.all(np.diff(seen) > 0) and max(seen) > 1.99
    assert question.right == [max(seen) <= 1, max(seen) <= math.sqrt(2), max(seen) < 1.95, 1.99 < max(seen) <= 2]


@claim("averages.md", "pure-average.alt", numbers=[2])
def test_alt_pure_average():
    c = at_rest("averages.md", "pure-average")
    both, one, only = c["both answers"], c["one answer"], c["only their sum"]
    assert np.allclose(both, 2 * one) and 1 < only[0] / np.min(one) < 1.4
    assert c.rises("only their sum").all() and np.min(both) - only[-1] < 0.001


@claim("averages.md", "local-protocol-on-the-table")
def test_local_protocol_on_the_table():
    """With a bit in common each report says nothing about its row, and two of them say whether the rows differ."""
    shared = {x: {tuple(row ^ bit for row in x): 0.5 for bit in (0, 1)} for x in product([0, 1], repeat=2)}
    alone = [{x: sum(p for report, p in law.items() if report[i]) for x, law in shared.items()} for i in (0, 1)]
    assert all(chance == 0.5 for law in alone for chance in law.values())
    assert not set(shared[0, 0]) & set(shared[0, 1])  # no output in common: an infinite loss


@claim("averages.md", "noise-that-stops-reconstruction", numbers=[400, 1, 0, 100])
def test_noise_that_stops_reconstruction(passage):
    """One row can move each of 400 counts by 1, so the scale is 400/ε."""
    draws = np.random.default_rng(5).laplace(scale=400, size=200_000)
    assert draws.std() == pytest.approx(float(passage.printed[-1]), rel=0.01)


@claim("averages.md", "sixteen-hundred-answers", numbers=[100])
def test_sixteen_hundred_answers(passage):
    """By the distribution of the average under both truths, for each number of answers up to 5000."""
    k = np.arange(1, 5001)
    right = [norm.sf(0.5, 1, 10 / np.sqrt(k)), norm.cdf(0.5, 0, 10 / np.sqrt(k))]
    assert np.allclose(*right)
    (needed,) = k[np.isclose(0.5, 2 * norm(0, 10 / np.sqrt(k)).std(), rtol=1e-9)]
    assert needed == 1600 and passage.printed == [f"{100 * right[0][needed - 1]:.1f}"]


@claim("averages.md", "averages-under-one-budget", numbers=[1, 100, 1600])
def test_averages_under_one_budget(passage):
    """By draws of the average; the noise of one answer by the distribution of scipy."""
    rng = np.random.default_rng(11)
    for k, shown in zip((1, 100, 1600), passage.printed, strict=True):
        assert float(shown) == pytest.approx(laplace(0, k).std() / math.sqrt(k), rel=0.005)
        drawn = laplace(0, k).ppf(rng.random((2000, k))).mean(axis=1)
        assert drawn.std() == pytest.approx(float(shown), rel=0.1)


def density_of_sum(total, mean):
    """Density of the sum of two Laplace answers of scale 1, each with this true count, by an integral."""
    ends = sorted({mean, total - mean, -60.0, 60.0})
    product = [
        quad(lambda y: math.exp(-abs(y - mean) - abs(total - y - mean)) / 4, a, b)[0]
        for a, b in zip(ends, ends[1:], strict=False)
    ]
    return sum(product)


@claim("averages.md", "loss-at-a-sum-of-minus-five", numbers=[5, 4, 5])
def test_loss_at_a_sum_of_minus_five(passage):
    losses = [math.log(density_of_sum(-t, 0) / density_of_sum(-t, 1)) for t in range(1, 8)]
    assert (np.diff(losses) > 0).all() and losses[3] < 1.7 <= losses[4]
    low = quad(lambda y: laplace.pdf(y) * laplace.cdf(-5 - y), -60, -5)[0]
    low += quad(lambda y: laplace.pdf(y) * laplace.cdf(-5 - y), -5, 0)[0]
    low += quad(lambda y: laplace.pdf(y) * laplace.cdf(-5 - y), 0, 60)[0]
    assert passage.printed == [f"{losses[4]:.2f}", f"{losses[3]:.2f}", f"{low:.3f}"]


@claim("averages.md", "one-answer-at-the-same-cost", numbers=[2, 4, 1, 2])
def test_one_answer_at_the_same_cost(passage):
    """The variance of the average by an integral of its density, the scale of one answer by its largest loss."""
    variance = 2 * quad(lambda s: (s / 2) ** 2 * density_of_sum(s, 0), 0, 50)[0]
    assert variance == pytest.approx(1, abs=1e-6)
    y = np.linspace(-10, 10, 2001)
    assert (laplace.logpdf(y, 0, 0.5) - laplace.logpdf(y, 1, 0.5)).max() == pytest.approx(2)
    assert passage.printed == [f"{laplace(0, 0.5).std():.2f}"] and laplace(0, 0.5).std() < math.sqrt(variance)


@claim("averages.md", "rounding-is-no-protection", numbers=[95, 96, 100])
def test_rounding_is_no_protection(passage):
    """With a solver of its own, the normal equations, and counts that are rounded by whole numbers alone."""
    rng, patients, right = np.random.default_rng(12), np.repeat([1, 0], 50), []
    for _ in range(200):
        groups = rng.random((400, 100)) < 0.5
        counts = (groups & (patients == 1)).sum(axis=1)
        published = (counts + 4 + counts // 10 % 2) // 10 * 10  # 15 and 25 both become 20
        inside = groups.astype(float)
        found = np.linalg.solve(inside.T @ inside, inside.T @ published) > 0.5
        right.append(np.sum(found == patients))
    assert 95 < np.mean(right) < 96
    share = sum(math.comb(50, smokers) for smokers in range(15, 35)) / 2**50
    assert share > 0.98  # the published number is 20 or 30
    assert [round(count / 10) * 10 for count in (24, 26)] == [20, 30]
