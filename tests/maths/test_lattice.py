"""The parts of exact composition, each alone: tails at 40 digits, chords, tilts, transforms and sums by plain loops."""

import math
from fractions import Fraction

import exact_tails
import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from dp_lib.pld import lattice, pairs, tilted
from dp_lib.pld.lattice import Plan, Profile, saddle_point
from dp_lib.pld.pairs import Constant, Discrete, Gaussian, Laplace, SampledGaussian
from dp_lib.pld.tilted import Sum, Tilted, dots, fast_size

PAIRS = {
    "gaussian": Gaussian(0.7),
    "much gaussian": Gaussian(12.0),
    "laplace": Laplace(0.8),
    "removed": SampledGaussian(0.9, 0.2, added=False),
    "added": SampledGaussian(0.9, 0.2, added=True),
    "rarely removed": SampledGaussian(1.3, 1e-6, added=False),
    "rarely added": SampledGaussian(1.3, 1e-6, added=True),
    "discrete": Discrete((0.5, 0.3, 0.2, 0.0), (0.2, 0.3, 0.1, 0.4)),
}
every_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


@pytest.fixture(autouse=True)
def forty_digits():
    with mpmath.workdps(40):
        yield


def tails_of(pair, x):
    """P(L > x) and e^x Q(L > x)."""
    x = mpf(float(x))
    if isinstance(pair, Gaussian):
        return exact_tails.gaussian(pair.mu, x)
    if isinstance(pair, Laplace):
        return exact_tails.laplace(pair.scale, x)
    if isinstance(pair, SampledGaussian):
        return exact_tails.sampled(pair.sigma, pair.q, x, pair.added)
    some = [(mpf(p), mpf(q)) for p, q in zip(pair.p, pair.q, strict=True) if p and mp.log(mpf(p) / mpf(q)) > x]
    return mpmath.fsum(p for p, _ in some), mp.exp(x) * mpmath.fsum(q for _, q in some)


@every_pair
def test_tails_to_eleven_digits(pair):
    low, high = pair.support(1e-9)
    for x in np.append(np.linspace(low, high, 23) + 1e-4, [-30.0, low - 1, high + 1]):
        exact = tails_of(pair, x)
        for found, true in zip(pair.tails(np.float64(x)), exact, strict=True):
            assert abs(found - true) <= 1e-11 * true + 1e-300, (x, found, true)


def test_the_atoms_of_a_laplace_loss_are_not_above_themselves():
    pair = Laplace(0.5)
    for x in (-2.0, 2.0):
        assert np.ravel(pair.tails(np.float64(x))) == pytest.approx([float(tail) for tail in tails_of(pair, x)])


@every_pair
@pytest.mark.parametrize("level", [1e-3, 1e-9])
def test_outside_the_support_lies_at_most_the_level(pair, level):
    low, high = pair.support(level)
    assert pair.tails(high)[0] <= level * (1 + 1e-9)
    below = low - 1e-9 if pair.bounded else low  # there may be an atom at the very end
    assert pair.tails(below)[0] >= 1 - level * (1 + 1e-9) - 1e-15
    if isinstance(pair, Gaussian):
        assert pair.tails(high)[0] == pytest.approx(level, rel=1e-9, abs=0)
        assert 1 - pair.tails(low)[0] == pytest.approx(level, rel=1e-6, abs=0)
    if isinstance(pair, Laplace):
        assert (low, high) == (-1.25, 1.25)
    if isinstance(pair, SampledGaussian):  # the largest z that one of both distributions reaches
        reach = mpmath.erfinv(1 - 2 * mpf(level)) * mp.sqrt(2) * pair.sigma
        for z, loss in ((reach + (not pair.added), low if pair.added else high), (-reach, high if pair.added else low)):
            exact = mp.log(1 - pair.q + pair.q * mp.exp((z - 0.5) / mpf(pair.sigma) ** 2))
            assert float((-1 if pair.added else 1) * exact) == pytest.approx(loss, rel=1e-9)


@every_pair
def test_nodes_rise_from_one_end_of_the_support_to_the_other(pair):
    x = pair.nodes(1e-9)
    assert np.all(np.diff(x) > 0)
    assert (x[0], x[-1]) == pair.support(1e-9)
    assert len(x) == (3 if isinstance(pair, Discrete) else pairs.NODES)


def test_a_discrete_loss_may_be_infinite():
    pair = Discrete((0.5, 0.3, 0.2), (0.7, 0.3, 0.0))
    assert pair.infinite == 0.2
    assert pair.tails(100.0) == (0.2, 0)
    assert pair.tails(0.0)[0] == 0.2  # the loss 0 is not above 0
    assert Discrete((0.0, 1.0), (1.0, 0.0)).nodes(0.1).tolist() == [0]


@every_pair
def test_one_mechanism_alone_is_bracketed_to_rounding(pair):
    for epsilon in (0.0, 0.01, 0.3, 1.1):
        s, t = tails_of(pair, epsilon)
        assert pair.lower(epsilon) <= s - t <= pair.upper(epsilon)
        assert pair.upper(epsilon) - pair.lower(epsilon) <= 2e-13 * max(s, 1e-9)
    assert pair.interval == (0, max(0, pair.support(pairs.TINY)[1]))


@pytest.mark.parametrize("epsilon", [4000.0, 4999.9, 5000.0, 5300.0])
def test_large_losses_are_rounded_outwards(epsilon):
    """Of a loss near 5000 the last digit that a float holds is worth more than rounding of the tails."""
    much = Gaussian(100.0)
    s, t = tails_of(much, epsilon)
    assert much.lower(epsilon) < s - t < much.upper(epsilon)
    assert much.upper(epsilon) - much.lower(epsilon) < 2e-12 * s


def test_beyond_what_floats_hold_a_tail_is_not_nothing():
    assert Gaussian(0.1).upper(50.0) == pairs.TINY
    assert Laplace(0.1).upper(50.0) == 0
    assert SampledGaussian(1.0, 0.5, added=True).lower(50.0) == 0


def test_the_same_at_every_epsilon():
    nothing = Constant(0.25)
    assert (nothing.lower(3), nothing.upper(5), nothing.interval) == (0.25, 0.25, (0, 0))


# Chords, and numbers that transform quickly


@every_pair
def test_dots_have_the_pairs_profile_at_each_dot_and_chords_between(pair):
    """As a mechanism: P sums to 1, and so does Q where no loss below the first point is cut off."""
    low, high = pair.support(1e-6)
    x = np.linspace(low - 0.1, high + 0.1, 40)
    masses, infinite = dots(pair, x)
    s, t = pair.tails(x)
    assert masses.shape == x.shape and np.all(masses >= 0)
    assert masses.sum() + infinite == pytest.approx(1, rel=1e-12)
    for at, delta in zip(x, s - t, strict=True):
        assert masses @ np.maximum(-np.expm1(at - x), 0) + infinite == pytest.approx(delta, rel=1e-9, abs=1e-14)
    middle = x[7] + np.log((1 + math.exp(x[8] - x[7])) / 2)  # where e^epsilon is halfway
    between = masses @ np.maximum(-np.expm1(middle - x), 0) + infinite
    assert between == pytest.approx(((s - t)[7] + (s - t)[8]) / 2, rel=1e-9)


def test_fast_sizes_are_the_next_of_their_forms():
    forms = sorted(factor << power for factor in (1, 3, 5, 9, 15) for power in range(12))
    for least in range(1, 1000):
        assert fast_size(least) == next(size for size in forms if size >= least)


# Tilted losses and their sums, by plain loops

THETA = 1.7
X = 0.05 * np.arange(-3, 9)
MASSES = np.array([2, 1, 4, 1, 7, 3, 1, 1, 5, 2, 0.5, 0.1]) / 30


def a_tilted(count=3, log_scale=0.0):
    return Tilted(count, X, np.log(MASSES), THETA, log_scale)


def test_a_tilted_loss_has_the_moments_of_its_masses():
    loss, weights = a_tilted(log_scale=0.25), MASSES * np.exp(THETA * X)
    p = weights / weights.sum()
    mean = p @ X
    assert loss.p == pytest.approx(p, rel=1e-12)
    assert loss.origin == X[np.argmin(abs(X - mean))] == X[loss.index]
    assert loss.origin + loss.offset == pytest.approx(mean, rel=1e-12)
    assert loss.variance == pytest.approx(p @ (X - mean) ** 2, rel=1e-12)
    assert loss.log_scale == pytest.approx(0.25 + math.log(MASSES @ np.exp(THETA * (X - loss.origin))), rel=1e-12)
    assert loss.log_mgf(0.8) == pytest.approx(3 * math.log(p @ np.exp(0.8 * (X - mean))), rel=1e-12)


@pytest.mark.parametrize("count", [1, 3])
def test_the_transform_is_of_the_sum_and_its_growth_that_of_an_error(count):
    loss = a_tilted(count)
    size, base = 64, np.zeros(64)
    for k, p in enumerate(loss.p):
        base[(k - loss.index) % size] += p
    power, growth = loss.transform(size)
    assert power == pytest.approx(np.fft.rfft(base) ** count, rel=1e-9, abs=1e-15)
    assert growth == pytest.approx(count * abs(np.fft.rfft(base)) ** (count - 1), rel=1e-9, abs=1e-15)


def test_a_transform_that_has_faded_is_left_out_and_its_errors_are_not():
    loss = Tilted(4000, X, np.log(MASSES), THETA)
    power, growth = loss.transform(64)
    once = np.fft.rfft(np.roll(np.append(loss.p, np.zeros(64 - len(X))), -loss.index))
    faded = abs(once) <= 1e-18 ** (1 / 4000)
    assert 20 < faded.sum() < 33
    assert np.all(power[faded] == 0)
    assert growth[faded] == pytest.approx(4000 * 1e-18 ** (1 - 1 / 4000), rel=1e-12, abs=0)
    assert power[~faded] == pytest.approx(once[~faded] ** 4000, rel=1e-9, abs=0)


def two():
    other = Tilted(2, X[:5] - 0.01, np.log([1, 2, 3, 1, 0.2]), THETA, -0.5)
    return Sum(THETA, [a_tilted(), other])


def by_loops(parts):
    """All sums of the losses, one after the other: {value: probability}, and E e^(theta sum) before the tilt."""
    sums = {0.0: 1.0}
    for part in parts:
        for _ in range(part.count):
            found = {}
            for before, chance in sums.items():
                for x, p in zip(part.x, part.p, strict=True):
                    value = round(before + x, 9)
                    found[value] = found.get(value, 0.0) + chance * p
            sums = found
    values = np.array(sorted(sums))
    return values, np.array([sums[value] for value in values])


def test_a_sum_has_the_moments_and_ends_of_its_losses():
    total, (values, p) = two(), by_loops(two().parts)
    mean = p @ values
    assert total.mean == pytest.approx(mean, rel=1e-9)
    assert total.deviation == pytest.approx(math.sqrt(p @ (values - mean) ** 2), rel=1e-9)
    assert (total.bottom, total.top) == (pytest.approx(values[0]), pytest.approx(values[-1]))
    scale = 3 * math.log(MASSES @ np.exp(THETA * X))
    scale += 2 * (math.log(np.array([1, 2, 3, 1, 0.2]) @ np.exp(THETA * (X[:5] - 0.01))) - 0.5)
    assert total.log_scale == pytest.approx(scale - THETA * mean, rel=1e-9)
    below_saddle = math.log1p(THETA) + math.log1p(2.5 * THETA * total.deviation)
    assert total.log_delta == pytest.approx(total.log_scale - below_saddle, rel=1e-12)


def test_a_sum_that_does_not_vary_has_a_width_all_the_same():
    one = np.zeros(1)
    assert Sum(1.0, [Tilted(5, one + 2, one, 1.0)]).deviation == pytest.approx(1e-11, abs=0)
    assert Sum(1.0, [Tilted(5, one, one, 1.0)]).deviation == 1e-200


def test_outside_the_window_lies_what_chernoff_allows():
    total, (values, p) = two(), by_loops(two().parts)
    mean = p @ values
    for rate in (-9.0, 0.5, 4.0, 200.0):
        exact = math.log(p @ np.exp(rate * (values - mean)))
        assert total.reach(rate) == pytest.approx((exact + 32) / rate, rel=1e-9)
    low, high = total.rates()
    tried = 7 / total.deviation / 2.0 ** np.arange(6)
    assert -low in tried and high in tried
    assert abs(total.reach(low)) == min(abs(total.reach(-rate)) for rate in tried)
    assert total.reach(high) == min(total.reach(rate) for rate in tried)
    bottom, top = total.bottom - total.mean, total.top - total.mean
    assert total.window((low, high)) == (max(total.reach(low), bottom), min(total.reach(high), top))
    assert total.window((-1e-9, 1e-9)) == (bottom, top)


def test_masses_of_a_sum_are_those_of_its_convolution():
    total, (values, p) = two(), by_loops(two().parts)
    y, r, error = total.masses(0.05, (total.bottom - total.mean, total.top - total.mean))
    assert np.diff(y) == pytest.approx(0.05)
    for value, chance in zip(values, p, strict=True):
        at = np.argmin(abs(total.mean + y - value))
        assert total.mean + y[at] == pytest.approx(value, abs=1e-9)
        assert r[at] == pytest.approx(chance, abs=1e-15)
    assert r.sum() == pytest.approx(1, rel=1e-12)
    assert 1e-17 < error < 1e-13


def test_the_errors_of_a_sum_are_bounded_by_those_of_its_transforms():
    part = a_tilted(3)
    y, _, error = Sum(THETA, [part]).masses(0.05, (-1.0, 1.0))
    power, growth = part.transform(len(y))
    forth, back = np.sqrt(2) * np.linalg.norm(growth) / np.sqrt(len(growth)), 2 * np.sqrt(len(y)) * np.mean(abs(power))
    assert error == pytest.approx(4 * tilted.EPS * np.log2(len(y) + 1) * (forth + back), rel=1e-12, abs=0)


# The lattice


@every_pair
def test_the_saddle_point_is_where_it_is_asked_for(pair):
    parts = [(pair, 50)]
    asked = saddle_point(parts, 1e-9, lambda loss: False).mean * 0.3 + 0.7 * saddle_point(parts, 1e-9, bool).mean
    found = saddle_point(parts, 1e-9, lambda loss: loss.mean >= asked)
    assert found.mean == pytest.approx(asked, rel=1e-4)
    assert [loss.count for loss in found.parts] == [50]


def test_a_move_to_a_coarser_lattice_keeps_p_and_q():
    h = 0.004
    x = h * np.arange(-20, 30)
    masses = np.exp(-((x / 0.06) ** 2)) * (1 + x)
    loss = Tilted(3, x, np.log(masses), THETA)
    fine = Sum(THETA, [loss])
    coarse, error = lattice.block(loss, h, THETA)
    assert coarse.count == 1
    assert np.diff(coarse.x) == pytest.approx(h * lattice.FINER)
    before = [3 * math.log(masses @ np.exp(power * x)) for power in (0, -1)]  # P's whole mass, and Q's
    log_masses = coarse.log_p - THETA * (coarse.x - coarse.origin) + coarse.log_scale
    after = [np.log(np.sum(np.exp(log_masses + power * coarse.x))) for power in (0, -1)]
    assert after == pytest.approx(before, abs=1e-9)
    assert coarse.x[0] <= fine.mean + fine.window(fine.rates())[0] + h
    y, r, norm = fine.masses(h, fine.window(fine.rates()))
    assert error == pytest.approx(norm * math.sqrt(-(-len(y) // lattice.FINER) * lattice.FINER), abs=0)


@pytest.mark.parametrize("stage", [0, 1])
def test_losses_composed_in_stages_keep_p_and_q(stage):
    h, theta, count = 0.002 * 32**stage, 0.2, 1024**stage
    loss, error = lattice.composed(Laplace(20), 1e-9, h, stage, theta)
    assert np.diff(loss.x) == pytest.approx(h)
    log_masses = loss.log_p - theta * (loss.x - loss.origin) + loss.log_scale
    whole = [np.log(np.sum(np.exp(log_masses + power * loss.x))) for power in (0, -1)]
    assert whole == pytest.approx([0, 0], abs=1e-8)
    assert (loss.x[-1] >= 0.05) and (stage or loss.x[-1] == 0.05)
    assert error == 0 if stage == 0 else 2 * math.exp(-32) < error < 1e-9

    def moment(n):
        """E L^n for Laplace noise y, whose loss is (|y - 1| - |y|)/20."""
        return mpmath.quad(
            lambda y: ((abs(y - 1) - abs(y)) / 20) ** n * mp.exp(-abs(y) / 20) / 40, [-mp.inf, 0, 1, mp.inf]
        )

    mean = np.exp(log_masses) @ loss.x
    assert mean == pytest.approx(float(count * moment(1)), rel=0.02)
    assert np.exp(log_masses) @ (loss.x - mean) ** 2 == pytest.approx(
        float(count * (moment(2) - moment(1) ** 2)), rel=0.02
    )


def test_each_stage_multiplies_the_errors_of_the_one_before():
    fine, theta = 0.001, 0.2
    once, _ = lattice.composed(Laplace(20), 1e-9, fine, 0, theta)
    once.count = 1024
    first, one = lattice.block(once, fine, theta)
    first.count = 1024
    second, two = lattice.block(first, 32 * fine, theta)
    found, error = lattice.composed(Laplace(20), 1e-9, 1024 * fine, 2, theta)
    assert found.x == pytest.approx(second.x)
    assert found.p == pytest.approx(second.p, abs=1e-15)
    assert error == pytest.approx(1024 * (one + 2 * math.exp(-32)) + two + 2 * math.exp(-32), rel=1e-12, abs=0)


@pytest.mark.parametrize("count", [1, 1023, 1024, 5 * 1024**2 + 7 * 1024 + 3, 10**12])
@pytest.mark.parametrize("stages", [0, 1, 2])
def test_a_count_is_the_sum_of_its_digits(count, stages):
    found = lattice.digits(count, stages)
    assert len(found) == stages + 1
    assert sum(digit * 1024**place for place, digit in enumerate(found)) == count
    assert all(digit < 1024 for digit in found[:-1])


@pytest.mark.parametrize("h", [1e-3, 0.3, 5, 100, 400])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_discounted_tails_are_the_sums(h, size):
    masses = np.sin(np.arange(size)) ** 2 + 1e-3
    exact = [sum(masses[j] * math.exp(-h * (j - i)) for j in range(i, size)) for i in range(size)]
    assert lattice.discounted(masses, h) == pytest.approx(exact, rel=1e-12)


def test_any_of_independent_events():
    assert lattice.any_of([(0.1, 2), (0.5, 1)]) == pytest.approx(float(1 - Fraction(9, 10) ** 2 / 2), rel=1e-15)
    assert lattice.any_of([(1e-18, 3)]) == pytest.approx(3e-18, rel=1e-12, abs=0)
    assert lattice.any_of([(0.0, 9)]) == 0
    assert not np.signbit(lattice.any_of([(0.0, 9)]))


def test_what_is_on_the_lattice_does_not_move():
    even = Discrete((0.75, 0.25), (0.25, 0.75))
    assert lattice.on_lattice(even, math.log(3), math.log(3))
    assert lattice.on_lattice(even, math.log(3), 2 * math.log(3))
    assert not lattice.on_lattice(even, math.log(3), 0.9 * math.log(3))
    assert not lattice.on_lattice(Laplace(1), 1.0, 0.5)
    assert lattice.on_lattice(even, math.log(3), math.log(3) / 1e6)
    assert not lattice.on_lattice(even, math.log(3) + 1e-9, math.log(3))


def planned(*parts, delta=1e-6, width=1e-3):
    guess = saddle_point(parts, 1e-12, lambda loss: loss.mean >= 0 and loss.log_delta <= math.log(delta))
    return Plan(parts, 1e-12, guess, width)


def test_both_ends_of_the_commonest_loss_are_on_the_lattice():
    plan = planned((Laplace(5), 30), (Laplace(7), 200), (Gaussian(0.3), 1))
    assert plan.h <= plan.wanted() <= 1.01 * plan.h
    assert 2 / 7 / plan.h == pytest.approx(round(2 / 7 / plan.h), abs=1e-6)
    assert plan.spans == pytest.approx([0.4, 2 / 7, 0.6 * 7.0344838253], rel=1e-9)
    assert plan.moves() == [30, 200, 1]
    assert plan.steepness == pytest.approx(plan.guess.theta * plan.h * math.sqrt(231))
    assert plan.stages == [0, 0, 0]


def test_a_lattice_on_which_nothing_moves_is_as_coarse_as_the_losses():
    plan = planned((Discrete((0.6, 0.4), (0.4, 0.6)), 100))
    assert plan.h == pytest.approx(2 * math.log(1.5))
    assert plan.steepness == pytest.approx(plan.guess.theta * plan.h * 0.1)


@pytest.mark.parametrize("count", [10**6, 10**9])
def test_many_losses_are_composed_in_stages_whose_lattices_stay_small(count):
    plan = planned((Laplace(1000), count), width=1e-4)
    (stages,) = plan.stages
    assert stages > 0
    assert sum(plan.moves()) < count / 100
    assert plan.width / plan.h <= tilted.GRID
    fine = plan.h / 32**stages
    loss, _ = lattice.composed(Laplace(1000), 1e-12, plan.h, stages, plan.guess.theta)
    assert len(loss.x) <= 1.1 * tilted.GRID
    assert 0.002 / fine <= tilted.GRID
    assert plan.moves()[0] == sum((place + 1) * digit for place, digit in enumerate(lattice.digits(count, stages)))


def test_the_part_that_moves_most_is_composed_in_stages():
    assert planned((Laplace(10), 1), (Laplace(1000), 10**8), width=1e-4).stages[0] == 0
    assert planned((Laplace(10), 1), (Laplace(1000), 10**8), width=1e-4).stages[1] > 0


def test_a_short_sum_has_points_enough():
    few = planned((Laplace(2), 9), delta=0.1, width=10.0)
    assert few.wanted() > 2 * few.h
    assert few.width / 300 < few.h <= few.width / 256


def test_the_spacing_never_asks_for_more_than_the_grid_nor_for_less_than_the_floats_hold():
    tight = planned((Laplace(3), 50), width=1e-18)
    assert tight.h >= max(tight.width, 2 / 3) / tilted.GRID * 0.999
    far = planned((Gaussian(1e-3), 1), (Laplace(1e5), 1), (Discrete((0.5, 0.5), (1e-9, 1 - 1e-9)), 3), width=1e-30)
    assert far.h >= 1e-12 * 20 * 0.999


def test_floats_near_a_large_sum_are_a_lattice_too():
    """A thousand losses of ln 2, to 4e-13: their sum is a float near 693."""
    parts = [(Discrete((0.5, 0.5, 0.0), (0.25 + 1e-13, 0.25 - 1e-13, 0.5)), 1000)]
    plan = Plan(parts, 1e-12, saddle_point(parts, 1e-12, lambda loss: True), 1e-4)
    assert plan.finest == pytest.approx(1e-12 * 1000 * math.log(2), rel=1e-6, abs=0)


def profile_of(parts, width=1e-3):
    guess = saddle_point(parts, 1e-12, lambda loss: loss.mean >= 1)
    return Profile(parts, 1e-12, guess, width)


def test_a_profile_keeps_the_masses_of_the_sum():
    """`_moved` against the sum over all the points, one by one, and the error's bound against its definition."""
    parts = [(Laplace(2), 2), (Laplace(3), 1)]
    guess = saddle_point(parts, 1e-12, lambda loss: loss.mean >= 0.5)
    plan = Plan(parts, 1e-12, guess, 1e-2)
    theta = guess.theta
    losses = []
    for pair, count in parts:
        loss, _ = lattice.composed(pair, 1e-12, plan.h, 0, theta)
        loss.count = count
        losses.append(loss)
    total = Sum(theta, losses)
    profile = object.__new__(Profile)
    profile.theta, profile.error = theta, 0.0
    profile._add_up(total, plan)
    y, r, norm = total.masses(plan.h, total.window(plan.rates))
    for epsilon in (0.0, 0.3, 0.61, 1.0):
        exact = r @ (np.exp(-theta * y) * np.maximum(-np.expm1(epsilon - total.mean - y), 0))
        assert profile._moved(epsilon, 0) == pytest.approx(exact, rel=1e-9)
        spread = profile._moved(epsilon, 1) - profile._moved(epsilon, -1)
        assert spread == pytest.approx(2 * profile.error * math.exp(-theta * (epsilon - total.mean)), rel=1e-2, abs=0)
    assert (profile.mean, profile.log_scale) == (total.mean, total.log_scale)
    assert profile.most == pytest.approx(math.exp(-total.log_scale))
    assert total.top < profile.top < total.top + 1e-13
    assert profile.interval == (0, profile.top)
    grid = plan.h * np.arange(0.5, 10**5)
    weights = np.sum((-np.expm1(-grid) * np.exp(-theta * grid)) ** 2)
    assert profile.error - 2 * math.exp(-32) == pytest.approx(
        norm * math.sqrt(min(len(y), 1 + weights)), rel=0.02, abs=0
    )


def test_where_nothing_moves_the_bounds_lie_two_errors_apart():
    profile = profile_of([(Discrete((0.6, 0.4), (0.4, 0.6)), 100)])
    for epsilon in (3.0, 5.0, 8.0):
        error = profile.error * math.exp(profile.log_scale - profile.theta * (epsilon - profile.mean))
        assert profile.upper(epsilon) - profile.lower(epsilon) == pytest.approx(2 * error, rel=0.05, abs=0)


def test_what_lies_below_the_kept_masses_has_delta_at_most_one():
    profile = profile_of([(Laplace(2), 2000)])
    below = profile.mean + 1.001 * profile.start
    assert (profile._moved(below, 1), profile._moved(below, -1)) == (profile.most, 0)
    assert profile.upper(below) == pytest.approx(1, abs=1e-9)
    assert profile.lower(below) == 0


def test_beyond_the_largest_loss_there_is_only_what_is_infinite():
    certain = (Discrete((0.9, 0.1, 0.0), (0.9, 0.0, 0.1)), 3)
    profile = profile_of([(Laplace(2), 6), certain])
    infinite = 1 - 0.9**3
    assert profile.infinite == pytest.approx(infinite)
    assert profile.upper(profile.top + 1e-9) == pytest.approx(infinite) == profile.lower(profile.top + 1e-9)
    assert profile.below == 0
    unbounded = profile_of([(Gaussian(0.5), 1), (Laplace(2), 6)])
    assert unbounded.below == 1e-12
    assert unbounded.infinite == 0
    s, t = Gaussian(0.5).tails(np.float64(Gaussian(0.5).support(1e-12)[1]))
    assert unbounded.unlimited == pytest.approx(s - t, rel=1e-3, abs=0)


def test_moves_too_wide_to_be_made_up_for_tell_nothing_below():
    profile = profile_of([(Laplace(2), 6)])
    assert profile.lower(1.0) > 0.1
    profile._blur(30.0)
    assert profile.lower(1.0) == 0


@pytest.mark.parametrize("h", [0.01, 0.3])
def test_the_gaussian_that_makes_up_for_all_moves_is_dotted_in_full(h):
    profile = object.__new__(Profile)
    profile._blur(h)
    assert profile.w.sum() == pytest.approx(1, rel=1e-12)
    assert profile.w @ np.exp(-profile.z) == pytest.approx(1, rel=1e-9)
    assert np.diff(profile.z) == pytest.approx(1.6 * h)
    assert 0 in profile.z
    profile._blur(0.0)
    assert (profile.z.tolist(), profile.w.tolist()) == ([0], [1])
