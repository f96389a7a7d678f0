"""Checks of chapters/limits.md."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from claims import answers, at_rest, claim
from dp_lib import mechanisms


@answers("limits.md", "least-lead-for-one-half", numbers=[1000, 1, 0.5], choices=[[7], [14], [500]])
def test_question_least_lead_for_one_half(question):
    least = next(g for g in range(2000) if math.exp(g) / (math.exp(g) + 999) >= 0.5)
    assert question.right == [least == 7, least == 14, 400 < least < 600]
    assert 0.5 < 1 / (1 + 999 * math.exp(-14 / 2)) < 0.55  # what a reply says


@claim("limits.md", "packing-bound", numbers=[1])
def test_packing_bound():
    """The best mechanism for such tables: the linear programme, by symmetry one probability for the leader."""
    for m, g, epsilon in [(2, 1, 1.0), (5, 3, 0.5), (40, 7, 0.3)]:
        right = np.linspace(0, 1, 100_001)  # told i on table i, else any other alike
        wrong = (1 - right) / (m - 1)
        allowed = right <= np.exp(g * epsilon) * wrong
        assert abs(right[allowed].max() - math.exp(g * epsilon) / (math.exp(g * epsilon) + m - 1)) < 1e-4


@claim("limits.md", "leader-limit.alt", numbers=[0.5])
def test_alt_leader_limit():
    c = at_rest("limits.md", "leader-limit")
    exponential, bound, lead = c["exponential mech."], c["packing bound"], np.asarray(c["lead"])
    for curve in (exponential, bound):
        assert math.isclose(curve[0], 0.05) and curve[-1] > 0.999
    assert (bound >= exponential - 1e-12).all()
    assert np.allclose(np.interp(lead / 2, lead, bound), exponential, atol=0.02)


@claim("limits.md", "leader-limit.caption")
def test_caption_leader_limit():
    """The packing bound, by the sum of the probabilities on one table, and the exponential mechanism by its weights."""
    c = at_rest("limits.md", "leader-limit")
    for lead, exponential, bound in zip(c["lead"], c["exponential mech."], c["packing bound"], strict=True):
        weights = mechanisms.exponential_weights(np.array([lead] + [0] * 19), 1, 1)
        assert math.isclose(exponential, weights[0], rel_tol=1e-9)
        doubled = mechanisms.exponential_weights(np.array([2 * lead] + [0] * 19), 1, 1)
        assert math.isclose(bound, doubled[0], rel_tol=1e-9)


@claim("limits.md", "pure-minimax.alt")
def test_alt_pure_minimax():
    c = at_rest("limits.md", "pure-minimax")
    statistical, privacy, n = c["statistical"], c["privacy"], c["n"]
    assert np.allclose(statistical * n, 20) and np.allclose(privacy[n <= 40], 20)
    assert np.allclose((privacy * n**2)[n > 40], 20**3 / 0.25)
    higher = np.minimum(np.maximum(statistical, privacy), 20)
    assert (c["best possible"] >= higher * (1 - 1e-9)).all() and (c["best possible"] <= 2 * higher).all()
    assert math.isclose(20 / np.min(c["equal", "x"]), np.min(c["equal", "y"]), rel_tol=1e-6)


@claim("limits.md", "pure-lattice.alt", numbers=[1])
def test_alt_pure_lattice():
    c = at_rest("limits.md", "pure-lattice")
    y, gap = c["y"], c["half a gap"]
    assert abs(y[gap.argmin()] - 1) < 0.05 and (np.diff(gap[y <= 1]) < 0).all() and (np.diff(gap[y >= 1]) > 0).all()


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


@claim("limits.md", "telltale-answers-of-doubles", numbers=[20000, 0, 0, 1, 1])
def test_telltale_answers_of_doubles(passage):
    assert seen_through(324, 53) > 0 == seen_through(324, 106) == passage.names["betrayed_finely"](324)
    assert 0.4 < seen_through(0, 106) < 0.55 < seen_through(0, 53)
    assert abs(seen_through(0, 106) - passage.names["betrayed_finely"](0)) < 0.03


@answers("limits.md", "leak-with-more-random-bits", choices=[[100], [], []])
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


@answers("limits.md", "rows-until-rate-term-is-smaller", numbers=[30, 0.5], choices=[[60], [360], [1800], [3600]])
def test_question_rows_until_rate_term_is_smaller(question):
    n = np.arange(1, 100_001)
    first = n[30**3 / (n**2 * 0.5**2) <= 30 / n][0]
    assert question.right == [first == int(choice.replace(" ", "")) for choice in ("60", "360", "1800", "3600")]


@claim("limits.md", "answer-sets-never-meet", numbers=[1])
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


@claim("limits.md", "packing-bound", numbers=[20, 10, 98.7, 99.9])
@claim("limits.md", "leader-limit.caption")
def test_packing_bound_2():
    assert abs(best_choice(2, 1, 1.0) - math.e / (1 + math.e)) < 1e-9  # one row, two candidates: randomized response
    assert round(100 * best_choice(20, 10, 1.0), 1) == 98.7
    assert round(100 * math.exp(10) / (math.exp(10) + 19), 1) == 99.9


@claim("limits.md", "votes-by-linear-program", numbers=[20, 891, 892])
def test_votes_by_linear_program():
    assert best_choice(891, 20, 0.5) > 0.9 + 1e-5 and best_choice(892, 20, 0.5) < 0.9 - 1e-5


@claim("limits.md", "four-smokers-with-whole-noise", numbers=[1, 324])
def test_four_smokers_with_whole_noise():
    """As the difference of two geometric variables, exactly."""
    third = Fraction(1, 3)
    one = [(1 - third) * third**i for i in range(60)]
    noise = {d: sum(one[i] * one[i + abs(d)] for i in range(60 - abs(d))) for d in range(-59, 60)}
    assert float(noise[0]) == pytest.approx(1 / 2) and float(noise[-1] + noise[0] + noise[1]) == pytest.approx(5 / 6)
    assert float(sum(p for d, p in noise.items() if 4 + d < 0)) == pytest.approx(1 / 324)


@claim("limits.md", "leads-among-a-hundred", numbers=[14, 13, 0.9, 6, 7])
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


@claim("limits.md", "packing-for-the-mean")
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
