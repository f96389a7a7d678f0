"""Checks of chapters/sampling.md."""

import math
from itertools import combinations, product

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim
from dp_lib import rdp


def divergence(alpha, one, other):
    """D_α of two mixtures of normal laws of deviation 1, each (weight, mean), by mpmath's quadrature."""

    def density(parts, y):
        return sum(w * mpmath.exp(-((y - m) ** 2) / 2) for w, m in parts) / mpmath.sqrt(2 * mpmath.pi)

    def integrand(y):
        return density(one, y) ** alpha * density(other, y) ** (1 - alpha)

    return float(mpmath.log(mpmath.quad(integrand, range(-3 * alpha - 12, 3 * alpha + 13, 2))) / (alpha - 1))


def both(alpha, one, other):
    return max(divergence(alpha, one, other), divergence(alpha, other, one))


Q = 0.01
POISSON = ((1 - Q, 0), (Q, 1)), ((1, 0),)
OPPOSITE = ((1 - Q, 0), (Q, 1)), ((1 - Q, 0), (Q, -1))
FIXED = ((1 - Q, -1), (Q, 1)), ((1, -1),)
BLANKED = ((1 - Q, -1), (Q, 1)), ((1 - Q, -1), (Q, 0))


def in_units_of(sigma, pair):
    """The same two mixtures with noise of deviation σ, which is then the unit."""
    return tuple(tuple((weight, mean / sigma) for weight, mean in mixture) for mixture in pair)


def thousand(pair, orders, steps=1000):
    """ε of this many steps at δ = 1e-5, the least over these orders by the tight conversion."""
    return min(steps * both(a, *pair) + math.log1p(-1 / a) - math.log(1e-5 * a) / (a - 1) for a in orders)


def rounded_up(number):
    return f"{math.ceil(100 * number) / 100:.2f}"


def rounded_down(number):
    return f"{math.floor(100 * number) / 100:.2f}"


@claim("sampling.md", "table-row-poisson")
def test_table_row_poisson(passage):
    one = rounded_up(thousand(POISSON, (7, 8, 9)))
    group = by_group_of_two()
    assert passage.printed == [one, one, rounded_down(thousand(OPPOSITE, (6, 7, 8))), rounded_up(group)]


@claim("sampling.md", "table-row-fixed-size")
def test_table_row_fixed_size(passage):
    fixed, blank = thousand(FIXED, (2, 3)), thousand(BLANKED, (2, 3))
    # the theorem at order 2, by hand: q² C(2,2) min{4(e^ε(2) - 1), 2 e^ε(2)} with ε(2) = 4
    bound = np.log1p(Q**2 * min(4 * np.expm1(4), 2 * np.exp(4)))
    most = rounded_up(1000 * bound + math.log(1 / 2) - math.log(2e-5))
    assert passage.printed == [rounded_up(fixed), rounded_down(blank), most, rounded_down(fixed), most]


@claim("sampling.md", "pair-of-a-fixed-size-sample", numbers=[1, 2])
def test_pair_of_a_fixed_size_sample():
    for alpha in (2, 3, 8, 40):
        for q in (0.01, 0.3):
            curve = [rdp.subsampled_gaussian(alpha, 1 / apart, q) for apart in np.linspace(0.05, 2, 40)]
            assert (np.diff(curve) > 0).all()


@claim("sampling.md", "fixed-size-has-half-the-noise", numbers=[1, 2])
def test_fixed_size_has_half_the_noise():
    """Brute force: all sets of m = 2 of 4 rows, on a grid; the row 1 is removed, others random or all -1."""
    y = np.arange(-14, 14, 0.01)
    rng = np.random.default_rng(2)

    def law(rows, m):
        sums = [sum(chosen) for chosen in combinations(rows, m)]
        return np.mean([np.exp(-((y - s) ** 2) / 2) for s in sums], axis=0) / np.sqrt(2 * np.pi)

    for others in [[-1.0] * 3, *rng.uniform(-1, 1, size=(20, 3)).tolist()]:
        p, r = law([1.0, *others], 2), law(others, 2)
        for alpha in (2, 3, 5):
            allowed = rdp.subsampled_gaussian(alpha, 0.5, 0.5)
            found = [np.log(np.sum(a**alpha * b ** (1 - alpha)) * 0.01) / (alpha - 1) for a, b in ((p, r), (r, p))]
            assert max(found) <= allowed + 1e-9
            if others == [-1.0] * 3:
                assert max(found) == pytest.approx(allowed, rel=1e-6)


@claim("sampling.md", "loss-of-a-sampled-output")
def test_loss_of_a_sampled_output():
    """The pair by brute force: a bit that tells the row with odds e^ε, on a sample; both directions."""
    for epsilon in (0.1, 1, 5):
        for q in (0.01, 0.5):
            with_row = np.array([np.exp(epsilon), 1]) / (1 + np.exp(epsilon))
            without = with_row[::-1]
            sampled = (1 - q) * without + q * with_row
            losses = abs(np.log(sampled / without))
            assert losses.max() == pytest.approx(np.log(1 + q * np.expm1(epsilon)))


@answers("sampling.md", "epsilon-of-one-fixed-sample", numbers=[500], choices=[[0.5], [5], [45], [50]])
def test_question_epsilon_of_one_fixed_sample(question):
    with mpmath.workdps(50):
        epsilon = float(mpmath.log(1 + (mpmath.exp(50) - 1) / 100))
    assert question.right == [abs(epsilon - 0.5) < 0.1, abs(epsilon - 5) < 1, 45.35 < epsilon <= 45.4, epsilon > 49.9]


@answers(
    "sampling.md",
    "epsilon-of-fixed-size-batches",
    numbers=[1, 500, 1.5, 0.73, 1, 1],
    choices=[[0.73], [1.5], [3.8], [6.4]],
)
def test_question_epsilon_of_fixed_size_batches(question):
    poisson = thousand(in_units_of(1.5, POISSON), (18, 19, 20), steps=500)
    assert 0.72 < poisson <= 0.73
    epsilon = thousand(in_units_of(1.5, FIXED), (3, 4, 5), steps=500)
    assert question.right == [abs(epsilon - offered) < 0.05 * offered for offered in (0.73, 1.5, 3.8, 6.4)]
    larger = rdp.subsampled_gaussian(2, 0.75, 0.01) / rdp.subsampled_gaussian(2, 1.5, 0.01)
    assert abs(larger - 8.8) < 0.05 and abs(larger * 0.73 - 6.4) < 0.05


@claim("sampling.md", "once-or-fresh.alt", numbers=[100])
def test_alt_once_or_fresh():
    c = at_rest("sampling.md", "once-or-fresh")
    none, one, fresh = (c[name] for name in ("no sample", "one sample", "fresh samples"))
    assert one[0] < none[0] / 50 and one[-1] > 0.9 * none[-1]
    assert ((none / fresh > 90) & (none / fresh < 110)).all()


@claim("sampling.md", "sampling-relations.alt")
def test_alt_sampling_relations():
    c = at_rest("sampling.md", "sampling-relations")
    steps = np.diff(np.log(c["fixed size"]))
    assert c["fixed size"][0] > 10 * c["Poisson, replaced"][0] and steps.argmax() <= 2
    assert np.diff(np.log(c["Poisson"])).argmax() in range(6, 12)


@claim("sampling.md", "bend-of-the-dashed-curve", numbers=[0.01, 1.75, 8])
def test_bend_of_the_dashed_curve():
    curve = np.log(rdp.subsampled_gaussian(np.arange(2, 41), 0.875, 0.01))
    assert 2 < 2 + np.diff(curve).argmax() < 20


def by_group_of_two():
    """ε of 1000 steps by binomial sums, the group theorem for two and the tight conversion, each written out."""

    def epsilon(order):
        terms = [
            math.comb(order, j) * 0.01**j * 0.99 ** (order - j) * math.exp(j * (j - 1) / 2) for j in range(order + 1)
        ]
        budget = 1000 * math.log(math.fsum(terms)) / (order - 1)
        two, of_two = order**2 / (2 * order - 1), (2 * order - 1) / (order - 1) * budget
        return of_two + math.log1p(-1 / two) - (math.log(1e-5) + math.log(two)) / (two - 1)

    return min(map(epsilon, range(2, 38)))


@claim("sampling.md", "bound-by-a-group-of-two")
def test_bound_by_a_group_of_two(passage):
    assert passage.printed == [rounded_up(by_group_of_two())]


def delta_of_run(epsilon, sigma, q, steps):
    """δ of steps with a row removed, by the Fourier transform of the loss on a fine lattice."""
    h, size = 1e-4, 2**20
    y = np.linspace(-15 * sigma, 1 + 15 * sigma, 2_000_001)
    loss = np.log1p(q * np.expm1((2 * y - 1) / (2 * sigma**2)))
    mass = ((1 - q) * norm.pdf(y, 0, sigma) + q * norm.pdf(y, 1, sigma)) * (y[1] - y[0])
    place = np.rint(loss / h).astype(int)
    assert abs(place).max() < size // 2
    one = np.bincount(place % size, mass, size)
    total = np.fft.irfft(np.fft.rfft(one) ** steps, size)
    at = h * np.fft.fftfreq(size, 1 / size)
    return (total * -np.expm1(np.minimum(epsilon - at, 0))).sum()


@claim("sampling.md", "exact-epsilon-of-the-first-column")
def test_exact_epsilon_of_the_first_column(passage):
    """The printed ε are as small as two digits allow: δ crosses 1e-5 within the last digit."""
    poisson, by_renyi, fixed, fixed_by_renyi = map(float, passage.printed)
    assert (by_renyi, fixed_by_renyi) == (2.11, 15.48)
    assert delta_of_run(poisson, 1, Q, 1000) < 1e-5 < delta_of_run(poisson - 0.011, 1, Q, 1000)
    assert delta_of_run(fixed, 0.5, Q, 1000) < 1e-5 < delta_of_run(fixed - 0.011, 0.5, Q, 1000)


@claim("sampling.md", "best-order-of-a-fixed-size", numbers=[4])
def test_best_order_of_a_fixed_size(passage):
    """By quadrature at the orders 2 to 8. The budget grows with the order, and at order 8 it is already larger."""
    pair = in_units_of(1.5, FIXED)
    by_order = {order: thousand(pair, [order], steps=500) for order in range(2, 9)}
    assert min(by_order.values()) == by_order[4]
    assert 500 * divergence(8, *pair) > by_order[4]
    conversion = math.log(1 - 1 / 4) - math.log(1e-5 * 4) / 3  # the tight one at order 4
    assert passage.printed == [f"{500 * divergence(4, *pair):.1f}", f"{conversion:.1f}"]


@claim("sampling.md", "fixed-size-with-the-wrong-sensitivity")
def test_fixed_size_with_the_wrong_sensitivity(passage):
    """The theorem with the sensitivity 1, term by term, next to the true ε of half the noise."""

    def epsilon(order):
        c = {j: 2 * math.exp(j * (j - 1) / 2) for j in range(2, order + 1)}
        c[2] = min(c[2], 4 * math.expm1(1))
        budget = 1000 * math.log1p(sum(math.comb(order, j) * Q**j * c[j] for j in c)) / (order - 1)
        return budget + math.log1p(-1 / order) - math.log(1e-5 * order) / (order - 1)

    wrong, true = map(float, passage.printed)
    assert wrong == pytest.approx(min(map(epsilon, range(2, 38))), abs=0.005)
    assert delta_of_run(true, 0.5, Q, 1000) > 1e-5


@answers("sampling.md", "epsilon-of-five-on-one-per-cent-of-rows", numbers=[5, 1, 5], choices=[[5.5], [30], [100]])
def test_question_epsilon_of_five_on_one_per_cent_of_rows(question):
    """Of all mechanisms the worst is randomized response on the one row; sampled, its odds are these."""
    p = math.exp(5) / (1 + math.exp(5))
    times = 5 / math.log((0.01 * p + 0.99 * (1 - p)) / (1 - p))
    assert question.right == [abs(times - each) < 0.05 for each in (5.5, 30, 100)]
    assert 2 / math.log(1 + 0.01 * math.expm1(2)) == pytest.approx(30, rel=0.1) and round(math.expm1(5)) == 147


@claim("sampling.md", "amplified-epsilon-for-small-q", numbers=[1, 1])
def test_amplified_epsilon_for_small_q():
    assert math.log(1 + 0.01 * math.expm1(5)) < 0.62 * 0.01 * math.expm1(5)  # a small q alone does not do it
    for epsilon in (0.01, 1, 5):
        sampled = math.log(1 + 1e-5 * (math.exp(epsilon) - 1))
        assert math.isclose(sampled, 1e-5 * (math.exp(epsilon) - 1), rel_tol=1e-3)
        assert math.isclose(sampled, 1e-5 * epsilon, rel_tol=0.01) == (epsilon == 0.01)


@claim("sampling.md", "sampled-budget.alt", numbers=[1, 1])
def test_alt_sampled_budget():
    c = at_rest("sampling.md", "sampled-budget")
    now, upper, lower = c["sampled"], c["q(exp(ε) − 1)"], c["qε"]
    assert now[0] == pytest.approx(1) and lower[0] == pytest.approx(1)
    assert now[-1] == pytest.approx(upper[-1], rel=0.01) and (now[5:] > lower[5:]).all()


@claim("sampling.md", "epsilon-after-sampling", numbers=[1, 0.01, 5, 1])
def test_epsilon_after_sampling(passage):
    exact = math.log(1 + 0.01 * (math.exp(5) - 1))
    assert exact <= float(passage.printed[0]) < exact + 0.01 and float(passage.printed[1]) == round(5 / exact, 1)


@claim("sampling.md", "nine-pairs-on-ten-rows")
def test_nine_pairs_on_ten_rows(passage):
    """All samples of two rows, all sets of kept rows and all orders in which your row has another place."""
    others = [-1] * 9
    tables = {"here": [1, *others], "removed": others, "blanked": [0, *others], "replaced": [-1, *others]}

    fixed = {
        name: {s: sum(a + b == s for a, b in combinations(rows, 2)) / math.comb(len(rows), 2) for s in range(-3, 3)}
        for name, rows in tables.items()
    }
    moves = {name: {s: share for s, share in sums.items() if share} for name, sums in fixed.items()}
    assert moves["here"] == pytest.approx({0: 1 / 5, -2: 4 / 5})
    assert moves["blanked"] == pytest.approx({-1: 1 / 5, -2: 4 / 5})
    assert moves["removed"] == moves["replaced"] == {-2: 1}

    def extra(value):  # what your row adds to the sum of the other rows that are kept
        return {move: sum(p for kept, p in ((1, 1 / 5), (0, 4 / 5)) if kept * value == move) for move in {0, value}}

    assert extra(1) == {0: 4 / 5, 1: 1 / 5} and extra(-1) == {0: 4 / 5, -1: 1 / 5} and list(extra(0)) == [0]

    def batches(rows):
        shuffled = ([*rows[1 : i + 1], rows[0], *rows[i + 1 :]] for i in range(len(rows)))
        return {tuple(sorted(sum(order[j : j + 2]) for j in range(0, 10, 2))) for order in shuffled}

    assert batches(tables["here"]) == {(-2, -2, -2, -2, 0)} and batches(tables["blanked"]) == {(-2, -2, -2, -2, -1)}
    assert batches(tables["replaced"]) == {(-2,) * 5} and len(tables["removed"]) % 5


@claim("sampling.md", "ten-rows-at-order-two")
def test_ten_rows_at_order_two(passage):
    """By an integral over the answer, with noise of deviation 2."""
    fixed = in_units_of(2, (((0.8, -2), (0.2, 0)), ((1, -2),)))
    poisson = in_units_of(2, (((0.8, 0), (0.2, 1)), ((1, 0),)))
    assert passage.printed == [f"{both(2, *pair):.3f}" for pair in (fixed, poisson)]


@claim("sampling.md", "one-row-in-four", numbers=[1, 40])
def test_one_row_in_four():
    """Two outputs: the row's own sample has them with 5/6 and 1/6 in one order or the other."""
    for q, ratio in ((1 / 4, 2), (1 / 40, 1.1)):
        kept, not_kept = np.array([5, 1]) / 6, np.array([1, 5]) / 6
        assert max(((1 - q) * not_kept + q * kept) / not_kept) == pytest.approx(ratio)
    assert min((0.75 * not_kept + 0.25 * kept) / not_kept) == pytest.approx(0.8)
    assert math.log(0.8) == pytest.approx(-0.22, abs=0.005)


@claim("sampling.md", "five-of-ten-rows")
def test_five_of_ten_rows():
    def sums(rows):
        return sorted({sum(sample) for sample in combinations(rows, 5)})

    assert (sums([1, *[-1] * 9]), sums([-1] * 9)) == ([-5, -3], [-5])
    drawn = [sample for sample in combinations(range(10), 5) if 0 in sample]
    assert len(drawn) * 2 == math.comb(10, 5)
    assert sums([1] * 10) == sums([1] * 9) == [5]
    for kept in product((0, 1), repeat=9):
        assert {sum(kept) + you for you in (0, 1)} == {sum(kept), sum(kept) + 1}
