"""Checks of chapters/using_delta.md."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import laplace

from claims import answers, at_rest, claim
from claims.test_approx import gaussian_delta


def published(s, epsilon, delta):
    """How often the histogram publishes a name that s rows carry."""
    return laplace(s, 2 / epsilon).sf(1 + 2 / epsilon * math.log(1 / (2 * delta)))


def cell(count, epsilon, edges):
    """A name's part of the histogram: nothing, then the probabilities of narrow bins above the threshold."""
    if not count:
        return np.append(1, np.zeros(len(edges)))
    above = laplace(count, 2 / epsilon).sf(edges)
    return np.concatenate([[1 - above[0]], above[:-1] - above[1:], above[-1:]])


def truncated(epsilon, delta, steps=20_000):
    """A grid of truncated Laplace noise with the bound's A, and the points of the grid in one unit."""
    far = math.log(1 + (math.exp(epsilon) - 1) / (2 * delta)) / epsilon
    z = (np.arange(-math.ceil(far * steps), math.ceil(far * steps) + 1)) / steps
    weights = np.where(abs(z) <= far, np.exp(-epsilon * abs(z)), 0)
    return far, z, weights / weights.sum(), steps


def distance(table, answer, values):
    """Of how many rows another answer is away: all tables, one after another."""
    others = [other for other in itertools.product(values, repeat=len(table)) if answer(other) != answer(table)]
    return min(sum(a != b for a, b in zip(table, other, strict=True)) for other in others)


@answers(
    "using_delta.md",
    "how-often-a-rare-diagnosis-is-published",
    numbers=[1, 1e-05, 100000],
    choices=[[], [5], [7], [50000]],
)
def test_question_how_often_a_rare_diagnosis_is_published(question):
    once, often = published(1, 1, 1e-5), published(5, 1, 1e-5)
    rows = range(1, 100)
    assert math.isclose(once, 1 / 100_000)
    assert question.printed == [
        f"{often / once:.1f}",
        str(next(s for s in rows if published(s, 1, 1e-5) > 0.5)),
        str(next(s for s in rows if 1e-5 * sum(math.exp(i) for i in range(s)) > 0.5)),
    ]
    assert question.right == [round(often / once) == times for times in (1, 5, 7, 50_000)]


@claim("using_delta.md", "histogram-threshold", numbers=[1, 2, 1, 2])
def test_histogram_threshold():
    """Two names, before and after a row has moved from one to the other: the hockey-stick divergence on a grid."""
    for epsilon, delta in [(0.5, 0.2), (1, 0.01), (2, 0.3), (0.2, 0.09), (3, 0.5)]:
        bar, step = 1 + 2 / epsilon * math.log(1 / (2 * delta)), 0.02 / epsilon
        edges = bar + step * np.arange(1500)

        for c, other in itertools.product((1, 2, 3), (0, 1, 2)):
            before = np.outer(cell(c, epsilon, edges), cell(other, epsilon, edges))
            after = np.outer(cell(c - 1, epsilon, edges), cell(other + 1, epsilon, edges))
            assert np.maximum(before - np.exp(epsilon) * after, 0).sum() <= delta * (1 + 1e-9)
            assert np.maximum(after - np.exp(epsilon) * before, 0).sum() <= delta * (1 + 1e-9)


@claim("using_delta.md", "unknown-names.alt", numbers=[12, 23])
def test_alt_unknown_names():
    c = at_rest("using_delta.md", "unknown-names")
    s, bound, solid = c["s"], c["limit"], c["histogram"]
    assert bound[s == 10] < 0.15 and bound[s == 13] == 1 and solid[s == 12] < 0.01
    assert 22 <= s[solid > 0.5][0] <= 23 and 0.9 < solid[s == 30] < 0.99


@answers("using_delta.md", "kernel-noise-too-small", numbers=[2, 0.05, 2, 1], choices=[[], [1.4], [4.5], [100]])
def test_question_kernel_noise_too_small(question):
    right, careless = math.sqrt(2) / (2 * math.pi * 0.05**2), 1 / 0.05
    times = right / careless
    assert question.right == [times <= 1, 1.35 < times < 1.45, 4.4 < times < 4.6, times > 90]


@claim("using_delta.md", "rows-to-be-published-half-of-the-time", numbers=[0.5])
def test_rows_to_be_published_half_of_the_time():
    """With one row fewer than the formula says, the limit of the theorem is below one half."""
    rows = {epsilon: math.log1p(math.expm1(epsilon) / 2e-5) / epsilon for epsilon in (1, 0.01)}
    for epsilon, least in rows.items():
        chance = lambda s, e=epsilon: 1e-5 * sum(math.exp(i * e) for i in range(s))  # noqa: E731 - the group theorem's δ
        assert chance(math.floor(least)) < 0.5 <= chance(math.ceil(least))


@claim("using_delta.md", "truncated-laplace", numbers=[0])
def test_truncated_laplace():
    """The δ of two answers, added up on a grid: as promised a unit apart, less if nearer, and more with a smaller A."""
    for epsilon, delta in [(0.1, 0.01), (1, 0.5), (1, 1e-3), (3, 0.2)]:
        _, _, noise, unit = truncated(epsilon, delta)
        for shift in (unit, unit // 2, unit // 10):
            here, there = np.pad(noise, (0, shift)), np.pad(noise, (shift, 0))
            lost = np.maximum(here - np.exp(epsilon) * there * (1 + 1e-9), 0).sum()
            assert lost <= delta * (1 + 1e-3) and (shift < unit or lost == pytest.approx(delta, rel=1e-2))


@claim("using_delta.md", "truncated-laplace-table", numbers=[0.1, 0.5, 1, 2])
def test_truncated_laplace_table(passage):
    rows = zip(*[iter(map(float, passage.printed))] * 3, strict=True)
    for epsilon, (far, deviation, gaussian) in zip((0.1, 0.5, 1, 2), rows, strict=True):
        least, z, noise, _ = truncated(epsilon, 1e-5, 2000)
        assert least <= far < least + 0.1
        assert deviation == pytest.approx(math.sqrt(np.dot(noise, z**2)), abs=0.011)
        assert gaussian_delta(gaussian, epsilon) <= 1e-5 < gaussian_delta(gaussian - 0.01, epsilon)
        assert deviation < gaussian / 2


@claim("using_delta.md", "stable-answer", numbers=[1, 2])
def test_stable_answer():
    """The winner among three, with ties to the first, on all tables of five rows and all their neighbours."""
    tables = list(itertools.product("abc", repeat=5))
    answer = lambda table: max("abc", key=table.count)  # noqa: E731
    far = {table: distance(table, answer, "abc") for table in tables}
    for epsilon, delta in [(0.5, 0.2), (1, 0.01), (2, 0.5)]:
        bar = 1 + math.log(1 / (2 * delta)) / epsilon
        chance = {table: laplace(d, 1 / epsilon).sf(bar) for table, d in far.items()}
        for table in tables:
            for row, value in itertools.product(range(5), "abc"):
                other = (*table[:row], value, *table[row + 1 :])
                same = answer(table) == answer(other)
                lost = max(chance[table] - math.exp(epsilon) * chance[other] * same, 0)
                lost += max(1 - chance[table] - math.exp(epsilon) * (1 - chance[other]), 0)
                assert lost <= delta * (not same) + 1e-12


@claim("using_delta.md", "stable-ward", numbers=[1, 1e-5, 18])
def test_stable_ward(passage):
    asthma, diabetes, moved = 45, 10, 0
    while asthma > diabetes:
        asthma, diabetes, moved = asthma - 1, diabetes + 1, moved + 1
    bar = 1 + math.log(1 / 2e-5)
    threshold, chance = map(float, passage.printed)
    assert moved == 18 and 0 <= threshold - bar < 0.1 and 0 <= laplace(18).sf(bar) - chance < 1e-4


@claim("using_delta.md", "median-of-101-ages", numbers=[20, 2])
def test_median_of_101_ages():
    """Replaced rows move the median by places in the sorted table; the worst are the ones that go to an end."""
    ages = np.sort(np.concatenate([np.full(30, 18), np.linspace(50, 52, 41), np.full(30, 95)]))
    for replaced in range(20):
        medians = []
        for up in (0, 95):
            moved = ages.copy()
            moved[slice(replaced + 1) if up else slice(-replaced - 1, None)] = up or 18
            medians.append(np.median(moved))
        assert medians[1] - medians[0] <= 2  # even from one end to the other


@claim("using_delta.md", "packing-grows-with-candidates", numbers=[0.5, 1, 1])
def test_packing_grows_with_candidates():
    for epsilon, m in [(1, 1000), (0.5, 20)]:
        lead = math.log(m - 1) / epsilon
        assert math.exp(epsilon * lead) / (math.exp(epsilon * lead) + m - 1) == pytest.approx(0.5)
    assert math.exp(35) / (math.exp(35) + 1e30) < 1e-12  # the lead of the ward, a long list


@claim("using_delta.md", "noise-of-the-density", numbers=[1000, 0.06, 0.5, 1e-5])
def test_noise_of_the_density(passage):
    noise = math.sqrt(2 * math.log(2e5)) * math.sqrt(2) / (1000 * 0.5 * math.sqrt(2 * math.pi * 0.06**2))
    assert noise <= float(passage.printed[0]) < noise + 0.01


@claim("using_delta.md", "cut-at-two", numbers=[2, 3, 7, 4, 8])
def test_cut_at_two():
    for delta, far in ((1 / 8, 2), (1 / 80, 4)):
        bound, z, noise, unit = truncated(math.log(3), delta)
        assert bound == pytest.approx(far)
        here, there = np.pad(noise, (0, unit)), np.pad(noise, (unit, 0))
        assert here[there == 0].sum() == pytest.approx(delta, rel=1e-3)  # a unit at the end, as for 6 above 7
        assert np.maximum(here - 3 * there * (1 + 1e-9), 0).sum() == pytest.approx(delta, rel=1e-3)


@claim("using_delta.md", "stable-ward-of-ten", numbers=[5])
def test_stable_ward_of_ten():
    """The distance by trying every way to replace so many patients, as counts of the three diagnoses."""

    def answer(counts):
        return ["asthma", "diabetes", "gout"][int(np.argmax(counts))]  # the first of those that are tied

    def far(ward):
        all_wards = [(a, b, 10 - a - b) for a in range(11) for b in range(11 - a)]
        return min(
            sum(abs(x - y) for x, y in zip(ward, other, strict=True)) // 2
            for other in all_wards
            if answer(other) != answer(ward)
        )

    bar = 1 + math.log(16 / 2) / math.log(2)
    assert bar == pytest.approx(4) and (far((8, 0, 2)), far((9, 0, 1))) == (4, 5)
    chances = [laplace(distance, 1 / math.log(2)).sf(bar) for distance in (4, 5)]
    assert chances == pytest.approx([1 / 2, 3 / 4])


@claim("using_delta.md", "rows-for-a-smaller-delta", numbers=[26, 13, 40, 19])
def test_rows_for_a_smaller_delta():
    for delta, rows, at_limit in ((1e-5, 26, 13), (1e-8, 40, 19)):
        assert published(rows - 1, 1, delta) < 0.9 <= published(rows, 1, delta)
        least = next(s for s in range(1, 80) if delta * sum(math.exp(i) for i in range(s)) >= 1)
        assert least == at_limit


@claim("using_delta.md", "exact-answers-are-constant")
def test_exact_answers_are_constant():
    """Every function with two values on the tables of three bits is constant, or differs on some neighbours."""
    tables = list(itertools.product((0, 1), repeat=3))
    for values in itertools.product((0, 1), repeat=len(tables)):
        f = dict(zip(tables, values, strict=True))
        pairs = [(d, e) for d in tables for e in tables if sum(a != b for a, b in zip(d, e, strict=True)) == 1]
        assert (len(set(values)) == 1) == all(f[d] == f[e] for d, e in pairs)
