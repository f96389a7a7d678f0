"""Checks of chapters/selection.md."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.stats import beta, gamma

from claims import answers, at_rest, claim
from dp_lib import mechanisms


@answers("selection.md", "how-often-best-is-named", numbers=[20, 10, 1], choices=[[50], [89], [99.3], [99.99]])
def test_question_how_often_best_is_named(question):
    votes = np.array([30] + [20] * 19)
    weights = mechanisms.exponential_weights(votes, 1, 1)
    draws = mechanisms.permute_and_flip(np.tile(votes, (200_000, 1)), 1, 1, np.random.default_rng(2))
    assert abs(np.mean(draws == 0) - float(question.printed[2]) / 100) < 0.007
    share = round(100 * weights[0], 2)
    assert question.right == [abs(share - offered) < 0.5 for offered in (50, 89, 99.3, 99.99)]
    assert round(100 / (1 + math.exp(-5)), 1) == 99.3  # what a reply says


@answers("selection.md", "least-lead-for-one-half", numbers=[1000, 1, 0.5], choices=[[7], [14], [500]])
def test_question_least_lead_for_one_half(question):
    least = next(g for g in range(2000) if math.exp(g) / (math.exp(g) + 999) >= 0.5)
    assert question.right == [least == 7, least == 14, 400 < least < 600]
    assert 0.5 < 1 / (1 + 999 * math.exp(-14 / 2)) < 0.55  # what a reply says


@answers("selection.md", "published-median-within-three-years", numbers=[61, 0.5, 3], choices=[[10], [60], [95], []])
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


@claim("selection.md", "packing-bound", numbers=[1])
def test_packing_bound():
    """The best mechanism for such tables: the linear programme, by symmetry one probability for the leader."""
    for m, g, epsilon in [(2, 1, 1.0), (5, 3, 0.5), (40, 7, 0.3)]:
        right = np.linspace(0, 1, 100_001)  # told i on table i, else any other alike
        wrong = (1 - right) / (m - 1)
        allowed = right <= np.exp(g * epsilon) * wrong
        assert abs(right[allowed].max() - math.exp(g * epsilon) / (math.exp(g * epsilon) + m - 1)) < 1e-4


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


@claim("selection.md", "pure-minimax.alt")
def test_alt_pure_minimax():
    c = at_rest("selection.md", "pure-minimax")
    statistical, privacy, n = c["statistical"], c["privacy"], c["n"]
    assert np.allclose(statistical * n, 20) and np.allclose(privacy[n <= 40], 20)
    assert np.allclose((privacy * n**2)[n > 40], 20**3 / 0.25)
    higher = np.minimum(np.maximum(statistical, privacy), 20)
    assert (c["best possible"] >= higher * (1 - 1e-9)).all() and (c["best possible"] <= 2 * higher).all()
    assert math.isclose(20 / np.min(c["equal", "x"]), np.min(c["equal", "y"]), rel_tol=1e-6)


@claim("selection.md", "pure-datasets.alt")
def test_alt_pure_datasets():
    c = at_rest("selection.md", "pure-datasets")
    assert c.falls("resolution").all() and (np.diff(c["privacy"]) >= 0).all()
    lowest = np.min(c["best", "y"])
    assert lowest <= c["bound"].min() and np.min(c["sampling", "y"]) < lowest < 4 * np.min(c["sampling", "y"])


@claim("selection.md", "pure-lattice.alt", numbers=[1])
def test_alt_pure_lattice():
    c = at_rest("selection.md", "pure-lattice")
    y, gap = c["y"], c["half a gap"]
    assert abs(y[gap.argmin()] - 1) < 0.05 and (np.diff(gap[y <= 1]) < 0).all() and (np.diff(gap[y >= 1]) > 0).all()


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
    share = beta(2, 5).cdf(np.arange(1, 43) / 42)
    reached = np.rint(42 * share).astype(int)
    off = abs(reached / 42 - share)
    for step in range(120_000):
        j = rng.integers(41)
        there = reached[j] + rng.choice((-1, 1))
        below, above = (reached[j - 1] if j else 0), reached[j + 1]
        if below <= there <= above:
            now, moved = off.max(), abs(there / 42 - share[j])
            then = max(np.delete(off, j).max(), moved)
            if rng.random() < math.exp(min(0.0, 5000 * (now - then))):
                reached[j], off[j] = there, moved
        if step >= 20_000:
            total, kept = total + off.max(), kept + 1
    assert abs(total / kept - float(passage.printed[0])) < 0.001


@answers("selection.md", "points-with-smallest-bound", numbers=[10000, 1], choices=[[40], [460], [10000], []])
def test_question_points_with_smallest_bound(question):
    points = np.arange(1, 100_001)
    best = points[(1 / (2 * points) + 2 / 10_000 * (points * math.log(4) + math.log(20))).argmin()]
    assert question.right == [36 <= best <= 45, 400 <= best <= 520, best == 10_000, best == points[-1]]


def seen_through(count, bits, answers=4000):
    """Share of answers on a count, by ±ln u with u of so many bits as a double, that no u makes from the next count."""
    rng = np.random.default_rng(bits + count)
    lost = 0
    for _ in range(answers):
        whole = int.from_bytes(rng.bytes(-(-bits // 8)), "big") % 2**bits + 1
        answer = count + int(rng.choice((-1, 1))) * math.log(whole / 2**bits)
        guess = math.exp(-abs(answer - count - 1))
        grain = 2.0**-53 if bits == 53 else math.ulp(guess)  # more bits: every double is some u, rounded
        tries = [(round(guess / grain) + i) * grain for i in range(-40, 41)]
        logs = [math.log(u) for u in tries if 0 < u <= 1]
        lost += answer not in {count + 1 + log for log in logs} | {count + 1 - log for log in logs}
    return lost / answers


@claim("selection.md", "telltale-answers-of-doubles", numbers=[20000, 0, 0, 1, 1])
def test_telltale_answers_of_doubles(passage):
    assert seen_through(324, 53) > 0 == seen_through(324, 106) == passage.names["betrayed_finely"](324)
    assert 0.4 < seen_through(0, 106) < 0.55 < seen_through(0, 53)
    assert abs(seen_through(0, 106) - passage.names["betrayed_finely"](0)) < 0.03


@answers("selection.md", "leak-with-more-random-bits", choices=[[100], [], []])
def test_question_leak_with_more_random_bits(question):
    def distances(bits):
        """How far each answer of the count 0 within 3 of 0 is from the nearest one of the count 1, scale 1."""
        with mpmath.workdps(40):
            logs = np.array([mpmath.log(mpmath.mpf(k) / 2**bits) for k in range(2**bits // 20, 2**bits + 1)])
            here = np.concatenate([logs, -logs])
            there = np.sort(here + 1)
            at = np.clip(np.searchsorted(there, here), 1, len(there) - 1)
            return np.minimum(abs(here - there[at]), abs(here - there[at - 1]))

    finer = [distances(bits) for bits in (6, 9, 12)]
    gaps, telling = [min(each) for each in finer], [np.mean(each > 1e-30) for each in finer]
    assert question.right == [
        not all(gaps),
        all(gap > 0 for gap in gaps) and gaps[0] > gaps[1] > gaps[2],
        telling[2] > telling[0],
    ]


@answers("selection.md", "rows-until-rate-term-is-smaller", numbers=[30, 0.5], choices=[[60], [360], [1800], [3600]])
def test_question_rows_until_rate_term_is_smaller(question):
    n = np.arange(1, 100_001)
    first = n[30**3 / (n**2 * 0.5**2) <= 30 / n][0]
    assert question.right == [first == int(choice.replace(" ", "")) for choice in ("60", "360", "1800", "3600")]


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


@claim("selection.md", "answer-sets-never-meet", numbers=[1])
def test_answer_sets_never_meet():
    for bits, epsilon in [(4, 1), (8, 2), (10, mpmath.mpf(1) / 2)]:
        with mpmath.workdps(50):
            logs = [mpmath.log(mpmath.mpf(whole) / 2**bits) / epsilon for whole in range(1, 2**bits + 1)]
            here = sorted({*logs, *(-log for log in logs)})
            there = sorted(1 + answer for answer in here)
            at = 0
            for answer in here:
                while at < len(there) - 1 and there[at + 1] <= answer:
                    at += 1
                assert abs(answer - there[at]) > mpmath.mpf(10) ** -30


@claim("selection.md", "pure-choice.caption")
def test_caption_pure_choice():
    """m tables, each with another leader g votes ahead, are at most g rows apart; the chances of one name sum to 1."""
    c = at_rest("selection.md", "pure-choice")
    least = 1 / (1 + 19 * np.exp(-np.asarray(c["lead"]) * 1.0))
    assert np.allclose(c["packing bound"], least, rtol=1e-12)


def splits(votes, largest=None):
    """All ways to share so many votes among candidates, the most first."""
    if not votes:
        yield ()
    for first in range(min(votes, largest or votes), 0, -1):
        for rest in splits(votes - first, first):
            yield first, *rest


def sizes(split, m):
    """The numbers of votes that some candidate has."""
    return sorted(set(split)) + [0] * (len(split) < m)


def moves(split, m):
    """(the split after one row is replaced, pairs of votes of a candidate before and after)."""
    for giver in set(split):
        for taker in sizes(split, m):
            if (taker == giver and split.count(giver) < 2) or (taker == 0 and len(split) == m):
                continue
            others = list(split)
            others.remove(giver)
            if taker:
                others.remove(taker)
            after = tuple(sorted([*others, taker + 1, *[giver - 1] * (giver > 1)], reverse=True))
            without = [0] * (m > len(split) + (taker == 0))  # a third candidate who has no votes
            yield after, {(giver, giver - 1), (taker, taker + 1), *((votes, votes) for votes in others + without)}


def best_choice(m, votes, epsilon):
    """How often any ε-DP mechanism can name the candidate of all votes: a linear programme, by symmetry a small one."""
    tables = list(splits(votes))
    at = {}
    for table in tables:
        for size in sizes(table, m):
            at[table, size] = len(at)
    whole = [(row, at[t, s], t.count(s) if s else m - len(t)) for row, t in enumerate(tables) for s in sizes(t, m)]
    pairs = {(at[t, s], at[after, r]) for t in tables for after, kept in moves(t, m) for s, r in kept}
    pairs = np.array(sorted(pairs | {(there, here) for here, there in pairs}))
    rows, ones = np.arange(len(pairs)), np.ones(len(pairs))
    ratio = coo_matrix(
        (np.r_[ones, -math.exp(epsilon) * ones], (np.r_[rows, rows], np.r_[pairs[:, 0], pairs[:, 1]])),
        shape=(len(pairs), len(at)),
    )
    row, column, value = zip(*whole, strict=True)
    total = coo_matrix((value, (row, column)), shape=(len(tables), len(at)))
    goal = np.zeros(len(at))
    goal[at[(votes,), votes]] = -1
    found = linprog(goal, ratio.tocsr(), np.zeros(len(pairs)), total.tocsr(), np.ones(len(tables)), (0, 1))
    return -found.fun


@claim("selection.md", "packing-bound", numbers=[20, 10, 98.7, 99.9])
@claim("selection.md", "pure-choice.caption")
def test_packing_bound_2():
    assert abs(best_choice(2, 1, 1.0) - math.e / (1 + math.e)) < 1e-9  # one row, two candidates: randomized response
    assert round(100 * best_choice(20, 10, 1.0), 1) == 98.7
    assert round(100 * math.exp(10) / (math.exp(10) + 19), 1) == 99.9


@claim("selection.md", "votes-by-linear-program", numbers=[20, 891, 892])
def test_votes_by_linear_program():
    assert best_choice(891, 20, 0.5) > 0.9 + 1e-5 and best_choice(892, 20, 0.5) < 0.9 - 1e-5


@claim("selection.md", "errors-of-independent-laplace", numbers=[1000000, 1000000])
def test_errors_of_independent_laplace(passage):
    k = 10**6
    laplace = -math.log(-math.expm1(math.log(0.95) / k)) * k  # the least t with (1 - e^(-t/k))^k = 0.95
    assert float(passage.printed[1]) == round(laplace / 1e6) and abs(gamma(k).ppf(0.95) / 1e6 - 1) < 0.01


@claim("selection.md", "errors-of-independent-laplace", numbers=[0.5])
def test_enough_half():
    rng = np.random.default_rng(1)
    largest = -4 * np.log(-np.expm1(np.log(rng.random(20_000)) / 1e6))  # of a million |Laplace(4)|, by its quantile
    assert abs(np.quantile(abs(rng.laplace(0, 2, 20_000)) + largest, 0.95) / (8 * math.log(4e7)) - 0.5) < 0.02


@claim("selection.md", "mean-distance-for-beta-rows", numbers=[42, 0.0117, 42, 60])
def test_resolution_because_dataset_points_nearer_best(passage):
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


@claim("selection.md", "four-smokers-with-whole-noise", numbers=[1, 324])
def test_four_smokers_with_whole_noise():
    """As the difference of two geometric variables, exactly."""
    third = Fraction(1, 3)
    one = [(1 - third) * third**i for i in range(60)]
    noise = {d: sum(one[i] * one[i + abs(d)] for i in range(60 - abs(d))) for d in range(-59, 60)}
    assert float(noise[0]) == pytest.approx(1 / 2) and float(noise[-1] + noise[0] + noise[1]) == pytest.approx(5 / 6)
    assert float(sum(p for d, p in noise.items() if 4 + d < 0)) == pytest.approx(1 / 324)


@claim("selection.md", "leads-among-a-hundred", numbers=[14, 13, 0.9, 6, 7])
def test_leads_among_a_hundred():
    """The exponential mechanism's weights, permute-and-flip by an integral over its noise, and the lemma's bound."""

    def flips(lead):  # exponential noise of scale 2: the leader wins if no rival's noise exceeds its own plus the lead
        win = lambda z: math.exp(-z / 2) / 2 * (1 - math.exp(-(z + lead) / 2)) ** 99  # noqa: E731
        return float(mpmath.quad(win, [0, 10, 20, 60]))

    chances = {
        14: lambda g: math.exp(g / 2) / (math.exp(g / 2) + 99),
        13: flips,
        7: lambda g: math.exp(g) / (math.exp(g) + 99),
    }
    for least, chance in chances.items():
        assert chance(least - 1) < 0.9 <= chance(least)


@claim("selection.md", "shortfall-in-the-ward", numbers=[0.55, 0.33, 0.07, 0.05, 0.85])
def test_shortfall_in_the_ward():
    weights = np.exp(np.array([5, 4, 1, 0]) / 2)
    shares = weights / weights.sum()
    assert [f"{share:.2f}" for share in shares] == ["0.55", "0.33", "0.07", "0.05"]
    assert shares @ [0, 1, 4, 5] == pytest.approx(0.85, abs=0.005)


@claim("selection.md", "packing-for-the-mean")
def test_packing_for_the_mean():
    """The best mean of all ε-DP mechanisms on four neighbouring tables, by a linear program."""
    for n, epsilon in ((4, math.log(3)), (3, 0.5), (6, 1.0)):
        rows = []
        for i, j, r in product(range(n), range(n), range(n)):  # P(i names r) <= e^ε P(j names r)
            if i != j:
                row = np.zeros((n, n))
                row[i, r], row[j, r] = 1, -math.exp(epsilon)
                rows.append(row.ravel())
        sums = np.kron(np.eye(n), np.ones(n))
        best = linprog(-np.eye(n).ravel() / n, A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=sums, b_eq=np.ones(n))
        assert -best.fun == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + n - 1))
