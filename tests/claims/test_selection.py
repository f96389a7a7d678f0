"""Checks of chapters/selection.md."""

import math
from itertools import combinations_with_replacement

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, laplace

from claims import answers, at_rest, claim
from dp_lib import mechanisms


@answers("selection.md", "how-often-best-is-named", numbers=[20, 10, 1], choices=[[50], [89], [99.3], [99.99]])
def test_question_how_often_best_is_named(question):
    votes = np.array([30] + [20] * 19)
    weights = mechanisms.exponential_weights(votes, 1, 1)
    assert [float(printed) for printed in question.printed] == [round(math.exp(-5), 4), round(weights[0], 2)]
    share = round(100 * weights[0], 2)
    assert question.right == [abs(share - offered) < 0.5 for offered in (50, 89, 99.3, 99.99)]
    assert round(100 / (1 + math.exp(-5)), 1) == 99.3  # what a reply says


@claim("selection.md", "how-often-permute-and-flip-names-the-leader", numbers=[20, 6, 1])
def test_how_often_permute_and_flip_names_the_leader(passage):
    votes = np.tile([26] + [20] * 19, (200_000, 1))
    for draw, printed in zip((mechanisms.permute_and_flip, mechanisms.exponential), passage.printed, strict=True):
        draws = draw(votes, 1, 1, np.random.default_rng(2))
        assert abs(np.mean(draws == 0) - float(printed) / 100) < 0.007


@answers("selection.md", "published-median-within-three-years", numbers=[61, 0.5, 3], choices=[[10], [60], [95], [100]])
def test_question_published_median_within_three_years(question):
    ward = question.names["ward"]
    scores = [-abs(int((ward < age).sum()) - int((ward > age).sum())) / 2 for age in range(18, 96)]
    draws = 18 + mechanisms.exponential(np.tile(scores, (100_000, 1)), 1, 0.5, np.random.default_rng(3))
    near = np.mean(abs(draws - np.median(ward)) <= 3)
    assert question.right == [near < 0.2, 0.55 < near < 0.67, near > 0.9, near == 1]


@answers(
    "selection.md", "error-of-sparse-vector", numbers=[1000000, 1, 95], choices=[[140], [1400], [140000], [17, 1000000]]
)
def test_question_error_of_sparse_vector(question):
    a = next(a for a in range(1, 10**6) if 2e6 * math.exp(-a / 8) <= 0.05)
    assert question.right == [130 < a < 150, 1300 < a < 1500, 130_000 < a < 150_000, a > 10**7]


@claim("selection.md", "pure-choice.alt", numbers=[3])
def test_alt_pure_choice():
    c = at_rest("selection.md", "pure-choice")
    exponential, flip, bound = c["exponential mech."], c["permute-and-flip"], c["packing bound"]
    for curve in (exponential, flip, bound):
        assert math.isclose(curve[0], 0.05) and curve[-1] > 0.999
    assert (exponential <= flip + 1e-12).all() and (flip <= bound + 1e-12).all() and (flip - exponential).max() < 0.15
    assert (bound - flip).max() > 0.3


@claim("selection.md", "pure-sparse.alt", numbers=[9, 1000000, 5])
def test_alt_pure_sparse():
    c = at_rest("selection.md", "pure-sparse")
    every, sparse, k = c["all k counts"], c["sparse vector"], c["k"]
    assert c.rises("all k counts").all() and 8 < k[every > sparse][0] < 11 and sparse[-1] < 6 * sparse[0]
    assert 4.8 < math.log10(every[-1] / sparse[-1]) < 5.3


@claim("selection.md", "pure-sparse.caption")
def test_caption_pure_sparse():
    """At rest ε = 1 and β = 0.05. The largest of k Laplace variables has a known distribution."""
    c = at_rest("selection.md", "pure-sparse")
    uniform = np.random.default_rng(4).random((2, 20_000))
    for k, every, sparse in list(zip(c["k"], c["all k counts"], c["sparse vector"], strict=True))[::20]:
        assert (-math.expm1(-every / k)) ** k >= 0.95  # no error is larger
        largest = -4 * np.log(-np.expm1(np.log(uniform[0]) / k))  # of k |Laplace(4)|, by its quantile
        assert np.mean(largest - 2 * np.log(uniform[1]) <= sparse) >= 0.95  # with the noise of the threshold


@claim("selection.md", "pure-datasets.alt")
def test_alt_pure_datasets():
    c = at_rest("selection.md", "pure-datasets")
    assert c.falls("resolution").all() and (np.diff(c["privacy"]) >= 0).all()
    lowest = np.min(c["best", "y"])
    assert lowest <= c["bound"].min() and np.min(c["sampling", "y"]) < lowest < 4 * np.min(c["sampling", "y"])


def weighed(m, n, epsilon):
    """All datasets of m of m grid points: their distances to rows that follow Beta(2, 5), and their probabilities."""
    share = beta(2, 5).cdf(np.arange(1, m + 1) / m)
    datasets = np.array(list(combinations_with_replacement(range(m), m)))
    reached = np.stack([np.mean(datasets <= j, axis=1) for j in range(m)], axis=1)
    distances = abs(reached - share).max(axis=1)
    weights = np.exp(-epsilon * n * (distances - distances.min()) / 2)
    return distances, weights / weights.sum()


@claim("selection.md", "distance-of-the-dataset", numbers=[1, 1, 2, 2, 4, 1])
def test_distance_of_the_dataset():
    for m in range(1, 8):
        for n_epsilon in (1, 30, 300, 3000):
            distances, chances = weighed(m, n_epsilon, 1)
            assert distances.min() <= 1 / (2 * m) + 1e-12
            for failure in (0.01, 0.1, 0.5):
                bound = 1 / (2 * m) + 2 / n_epsilon * (m * math.log(4) + math.log(1 / failure))
                assert chances[distances > bound].sum() <= failure


@claim("selection.md", "mean-distance-for-beta-rows", numbers=[2, 5, 10000, 1, 42])
def test_mean_distance_for_beta_rows(passage):
    for m, n in [(3, 50), (6, 200), (8, 400)]:
        distances, chances = weighed(m, n, 1)
        over = passage.names["exact_mean"](m, n, 1) - distances @ chances
        assert 0 <= over <= 0.011 / math.sqrt(n)  # the chapter rounds distances up to a grid of 0.01/√n
    # At m = 42 by a random walk: one point at a time moves to a neighbouring grid point, or stays.
    rng, total, kept = np.random.default_rng(1), 0.0, 0
    share = beta(2, 5).cdf(np.arange(1, 43) / 42).tolist()
    reached = [round(42 * each) for each in share]
    off = [abs(now / 42 - each) for now, each in zip(reached, share, strict=True)]
    points, moves = rng.integers(41, size=120_000).tolist(), rng.choice((-1, 1), 120_000).tolist()
    for step, (j, move) in enumerate(zip(points, moves, strict=True)):
        there = reached[j] + move
        below, above = (reached[j - 1] if j else 0), reached[j + 1]
        if below <= there <= above:
            now, moved = max(off), abs(there / 42 - share[j])
            then = max(*off[:j], *off[j + 1 :], moved)
            if rng.random() < math.exp(min(0.0, 5000 * (now - then))):
                reached[j], off[j] = there, moved
        if step >= 20_000:
            total, kept = total + max(off), kept + 1
    assert abs(total / kept - float(passage.printed[0])) < 0.001


@answers("selection.md", "points-with-smallest-bound", numbers=[10000, 1], choices=[[40], [460], [10000], []])
def test_question_points_with_smallest_bound(question):
    points = np.arange(1, 100_001)
    best = points[(1 / (2 * points) + 2 / 10_000 * (points * math.log(4) + math.log(20))).argmin()]
    assert question.right == [36 <= best <= 45, 400 <= best <= 520, best == 10_000, best == points[-1]]


@claim("selection.md", "bound-with-95-per-cent", numbers=[95, 460])
def test_bound_with_95_per_cent(passage):
    bounds = [1 / (2 * m) + 2 / 10_000 * (m * math.log(4) + math.log(20)) for m in (42, 460)]
    assert passage.printed == [f"{math.ceil(1e4 * bounds[0]) / 1e4:.4f}", f"{math.ceil(100 * bounds[1]) / 100:.2f}"]


@claim("selection.md", "weight-of-an-age", numbers=[4, 0.5])
def test_weight_of_an_age(passage):
    ward = np.arange(20, 81)
    ages = np.arange(20, 81)
    scores = [-abs(int((ward < age).sum()) - int((ward > age).sum())) / 2 for age in ages]
    weights = mechanisms.exponential_weights(scores, 1, 0.5)
    even, off = ages == 50, ages == 54
    assert math.isclose(weights[even].item() / weights[off].item(), math.e)
    assert passage.gives(-2 * scores[54 - 20])  # so many more patients are on one side
    patients = passage.names["ages"][:61]
    scores = [-abs(int((patients < age).sum()) - int((patients > age).sum())) / 2 for age in (54, 51, 57)]
    first, *others = mechanisms.exponential_weights(scores, 1, 0.5)
    assert passage.printed == [f"{weight / first:.2f}" for weight in others]


@claim("selection.md", "shortfall-in-the-ward", numbers=[78, 0.5, 3, 4, 61, 30.5, 30.5])
def test_shortfall_in_the_ward(passage):
    bound = 2 / 0.5 * (math.log(95 - 18 + 1) + 3)
    assert passage.printed == [f"{math.ceil(10 * bound) / 10:.1f}"]
    patients = passage.names["ward"]
    scores = [-abs(int((patients < age).sum()) - int((patients > age).sum())) / 2 for age in range(18, 96)]
    assert len(patients) == 61 and min(scores) >= -61 / 2  # the difference is at most the number of patients
    assert max(scores) - min(scores) < 1.05 * bound  # so the bound excludes hardly any age


@claim("selection.md", "pure-choice.caption")
def test_caption_pure_choice():
    """The leader of 20 names, g votes ahead, against the bound by m tables that are at most g rows apart."""
    c = at_rest("selection.md", "pure-choice")
    least = 1 / (1 + 19 * np.exp(-np.asarray(c["lead"]) * 1.0))
    assert np.allclose(c["packing bound"], least, rtol=1e-12)
    chosen = [mechanisms.exponential_weights(np.array([lead] + [0] * 19), 1, 1)[0] for lead in c["lead"]]
    assert np.allclose(c["exponential mech."], chosen, rtol=1e-9)


@claim("selection.md", "errors-of-independent-laplace", numbers=[1000000, 1000000])
def test_errors_of_independent_laplace(passage):
    k = 10**6
    laplace = -math.log(-math.expm1(math.log(0.95) / k)) * k  # the least t with (1 - e^(-t/k))^k = 0.95
    assert float(passage.printed[1]) == round(laplace / 1e6)


@claim("selection.md", "errors-of-independent-laplace", numbers=[0.5])
def test_enough_half():
    rng = np.random.default_rng(1)
    largest = -4 * np.log(-np.expm1(np.log(rng.random(20_000)) / 1e6))  # of a million |Laplace(4)|, by its quantile
    assert abs(np.quantile(abs(rng.laplace(0, 2, 20_000)) + largest, 0.95) / (8 * math.log(4e7)) - 0.5) < 0.02


@claim("selection.md", "mean-distance-for-beta-rows", numbers=[0.2, 42, 0.0117, 42, 60])
def test_resolution_because_dataset_points_nearer_best(passage):
    values = np.linspace(0, 1, 1001)
    assert math.isclose(values[beta(2, 5).pdf(values).argmax()], 0.2)  # the top of the bump
    share = beta(2, 5).cdf(np.arange(1, 43) / 42)
    assert round(abs(np.rint(42 * share) / 42 - share).max(), 4) == 0.0117 and float(passage.printed[1]) < 0.0117


@claim("selection.md", "pure-weights.caption")
def test_caption_pure_weights(passage):
    names = passage.names
    ages = np.arange(18, 96)
    median = np.median(names["ward"])
    scores = [-abs(int((names["ward"] < age).sum()) - int((names["ward"] > age).sum())) / 2 for age in ages]
    weights = np.exp(2 * np.array(scores) / 2)
    assert weights[abs(ages - median) <= 3].sum() / weights.sum() > 0.95


@claim("selection.md", "ten-votes-for-a-colour", numbers=[8, 8, 8, 2, 26])
def test_ten_votes_for_a_colour():
    """With Gumbel noise of scale 2Δ/ε, which has nothing to do with weights, over many draws."""
    noise = np.random.default_rng(10).gumbel(scale=1 / math.log(2), size=(400_000, 4))
    for votes, shares in (([4, 3, 3, 0], np.array([16, 8, 8, 1]) / 33), ([3, 3, 3, 1], np.array([8, 8, 8, 2]) / 26)):
        counted = np.bincount((noise + votes).argmax(axis=1), minlength=4) / len(noise)
        assert counted == pytest.approx(shares, abs=0.004)
    assert pytest.approx(1.27, abs=0.005) == (8 / 26) / (8 / 33) and pytest.approx(2.54, abs=0.005) == (2 / 26) / (
        1 / 33
    )
    assert pytest.approx(1.58, abs=0.005) == (16 / 33) / (8 / 26)


@claim("selection.md", "mean-shortfalls-of-four-wards", numbers=[0.55, 0.33, 0.07, 0.05, 0.85])
def test_mean_shortfalls_of_four_wards():
    weights = np.exp(np.array([5, 4, 1, 0]) / 2)
    shares = weights / weights.sum()
    assert [f"{share:.2f}" for share in shares] == ["0.55", "0.33", "0.07", "0.05"]
    assert shares @ [0, 1, 4, 5] == pytest.approx(0.85, abs=0.005)


@claim("selection.md", "median-of-a-thousand", numbers=[20, 95])
def test_median_of_a_thousand(passage):
    """The bound to forty digits, and the true probability on tables with as few good ages as these numbers allow."""
    with mpmath.workdps(40):
        bound = 2 * mpmath.log(100 * 20)
        shortfall, size, difference = map(float, passage.printed[:3])
        assert bound <= shortfall < bound + 0.01 and 5 + bound <= size < 5 + bound + 0.01
        assert 2 * (5 + bound) <= difference < 2 * (5 + bound) + 0.01
        assert passage.printed[3] == str(int(2 * (5 + bound))) == "40"
    for younger, older in [
        (range(53, 54), range(55, 56)),
        (range(14, 54), range(55, 95)),
        (range(1, 54), range(55, 101)),
    ]:
        table = (
            [54] * 50 + [younger[i % len(younger)] for i in range(480)] + [older[i % len(older)] for i in range(470)]
        )
        apart = [abs(sum(y < age for y in table) - sum(y > age for y in table)) for age in range(1, 101)]
        assert min(apart) == apart[53] == 10
        weights = [math.exp(-each / 4) for each in apart]
        far = sum(weight for weight, each in zip(weights, apart, strict=True) if each > 40)
        assert far / sum(weights) <= 0.05


@claim("selection.md", "dataset-within-two-points", numbers=[1.5, 52, 52, 52, 1.4, 0.02])
def test_dataset_within_two_points(passage):
    """At each value of the slider the least bound over whole numbers, in logarithms of the theorem's probability."""

    def exceeded(m, budget, distance):
        """4^m datasets, each with a probability of at most e^(-nε(distance - 1/2m)/2): the logarithm of the sum."""
        return m * math.log(4) - 10_000 * budget * (distance - 1 / (2 * m)) / 2

    def enough(m, budget, distance):
        return exceeded(m, budget, distance) <= math.log(0.05)

    first = next(i / 10 for i in range(1, 51) if any(enough(m, i / 10, 0.02) for m in range(1, 1001)))
    assert first == 1.5
    heights = {m: brentq(lambda d, m=m: exceeded(m, 1.5, d) - math.log(0.05), 0, 1) for m in range(1, 200)}
    assert min(heights, key=heights.get) == 52 and passage.printed[0] == f"{math.ceil(1e4 * heights[52]) / 1e4:.4f}"
    under, shown = float(passage.printed[1]), [m for m in range(1, 1001) if enough(m, 1.4, float(passage.printed[1]))]
    assert under > 0.02 and not shown and any(enough(m, 1.4, under + 0.0001) for m in range(1, 1001))


@claim("selection.md", "seventh-month-at-a-quarter", numbers=[97, 1.6, 1.5])
def test_seventh_month_at_a_quarter():
    """By the integral over the noise of the threshold, for each month at which the procedure can stop."""
    months, stops = [12, 9, 15, 11, 14, 13, 160, 17, 12], []
    noise, step = np.linspace(-400, 400, 400_001, retstep=True)  # of the threshold, of scale 2/ε = 8
    passed = np.exp(-abs(noise) / 8) / 16 * step
    for cases in months:
        stopped = laplace.sf(100 + noise - cases, 0, 16)
        stops.append((passed * stopped).sum())
        passed = passed * (1 - stopped)
    assert sum(stops) + passed.sum() == pytest.approx(1, abs=1e-6)
    assert round(100 * stops[6]) == 97
    assert [round(100 * each, 1) for each in (sum(stops[:6]), passed.sum())] == [1.6, 1.5]


@claim("selection.md", "no-bounded-range-of-permute-and-flip", numbers=[1, 2])
def test_no_bounded_range_of_permute_and_flip(passage):
    """The chances by the integral over exponential noise of scale 2, for scores 0, 0 and 1, -1."""

    def wins(lead):
        """P(Z - Z' > -lead) for two exponential variables of scale 2."""
        with mpmath.workdps(30):
            noise = mpmath.quad(
                lambda z: mpmath.exp(-z / 2) / 2 * (1 - mpmath.exp(-(z + lead) / 2)) if z + lead > 0 else mpmath.mpf(0),
                [max(0, -lead), max(0, -lead) + 20, mpmath.inf],
            )
            return noise

    up, down = (mpmath.log(wins(0) / wins(lead)) for lead in (-2, 2))
    assert math.isclose(up, 1, rel_tol=1e-9) and up - down > 1.4
    assert passage.printed == [f"−{-float(down):.2f}"]
