"""Checks of chapters/approx.md."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.accountants import gaussian_delta


@answers(
    "approx.md",
    "counts-where-gaussian-noise-is-smaller",
    numbers=[1, 1.415, 1, 1e-05, 3.731],
    choices=[[3], [7], [14]],
)
def test_question_counts_where_gaussian_noise_is_smaller(question):
    assert gaussian_delta(3.72, 1) > 1e-5 > gaussian_delta(3.731, 1) and 1.414 < math.sqrt(2) < 1.415
    smaller = [k for k in range(1, 101) if 3.731 * math.sqrt(k) < math.sqrt(2) * k]
    assert smaller == list(range(7, 101)) and question.right == [smaller[0] == first for first in (3, 7, 14)]


@claim("approx.md", "rare-large-losses", numbers=[100_000, 2])
def test_rare_large_losses(passage):
    sigma = float(passage.names["first_sigma"])
    published, loss, needed, often = passage.printed
    assert norm.sf(float(published), 6, sigma) == pytest.approx(1e-5, rel=0.05)
    smallest = (norm.isf(1e-5, 6, sigma) - 5.5) / sigma**2
    assert smallest - 0.01 < float(loss) < smallest and float(loss) < (float(published) - 5.5) / sigma**2
    y = np.linspace(0, 60, 600_001)  # where the ratio of the two densities reaches e²
    reached = y[norm.logpdf(y, 6, sigma) - norm.logpdf(y, 5, sigma) >= 2].min()
    assert float(needed) == pytest.approx(reached, abs=0.006)
    assert plain(often) == pytest.approx(norm.sf(reached, 6, sigma), rel=0.05)


@claim("approx.md", "laplace-grows-faster-than-normal")
def test_laplace_grows_faster_than_normal():
    c = at_rest("approx.md", "what-delta-buys")
    assert np.allclose(c["Laplace noise, ε"] / c["k"], math.sqrt(2))
    assert np.ptp(c["Gaussian noise, (ε, δ)"] / np.sqrt(c["k"])) < 1e-9


@claim("approx.md", "what-delta-buys.alt")
def test_alt_what_delta_buys():
    c = at_rest("approx.md", "what-delta-buys")
    over = c["Laplace noise, ε"] > c["Gaussian noise, (ε, δ)"]
    assert (
        6 < c["k"][over][0] < 8 < 10_000**0.5
        and 6.5 < np.min(c["equal noise", "x"]) < 7.5
        and (np.diff(over.astype(int)) >= 0).all()
    )


@answers("approx.md", "shaded-area-as-epsilon-grows", numbers=[0.5, 1.5])
def test_question_shaded_area_as_epsilon_grows(question):
    areas = [gaussian_delta(1, epsilon) for epsilon in (0.5, 1, 1.5)]
    never = all(norm(1).pdf(y) > math.exp(epsilon) * norm(0).pdf(y) for epsilon in (5, 20) for y in (epsilon + 1,))
    assert question.right == [areas[0] == areas[2], not never, areas[0] > areas[1] > areas[2] > 0 and never]


@claim("approx.md", "delta-of-gaussian-never-vanishes")
def test_delta_of_gaussian_never_vanishes():
    for multiple in (1, 1e3, 1e50):
        y = math.log(multiple) + 1
        assert norm(1).logpdf(y) > math.log(multiple) + norm(0).logpdf(y)


@answers(
    "approx.md",
    "delta-from-tail-probability",
    numbers=[0.5, 0.34, 0.5, 0.86, 0.5],
    choices=[[0.34], [0.25], [0.1], [0.01]],
)
def test_question_delta_from_tail_probability(question):
    delta, tail = gaussian_delta(1.5, 0.5), norm(1 / 4.5, 1 / 1.5)
    assert round(tail.sf(0.5), 2) == 0.34 and tail.sf(0.86) / tail.sf(0.5) == pytest.approx(0.5, abs=0.01)
    assert question.right == [abs(delta - each) < 0.02 for each in (0.34, 0.25, 0.1, 0.01)]
    assert 0.17 * 0.30 > 0.05 and 0.17 * 0.30 + 0.17 < 0.25  # what the replies say


@claim("approx.md", "delta-is-a-third-of-the-tail", numbers=[1.5, 1 / 3, 0.5, 0.5, 0.86, 0.3])
def test_delta_is_a_third_of_the_tail(passage):
    tail = norm(1 / 4.5, 1 / 1.5)
    assert passage.printed[1:] == [f"{tail.sf(0.5):.2f}"] and 0.25 < gaussian_delta(1.5, 0.5) / tail.sf(0.5) < 0.4
    middle = tail.isf(tail.sf(0.5) / 2)
    assert round(middle, 2) == 0.86 and round(1 - math.exp(0.5 - middle), 2) == 0.30


@claim("approx.md", "only-infinite-losses-count-in-full", numbers=[1])
def test_only_infinite_losses_count_in_full():
    with mpmath.workdps(500):
        for loss in (0.6, 10, 1000):
            assert 0 < 1 - mpmath.exp(mpmath.mpf(0.5) - loss) < 1
        assert 1 - mpmath.exp(0.5 - mpmath.inf) == 1


@claim("approx.md", "area-of-delta.alt")
def test_alt_area_of_delta():
    c = at_rest("approx.md", "area-of-delta")
    y, gap, beyond = c["y"], c["gap of “beyond y”"], c["p, larger count"] - c["exp(ε) q"]
    above = beyond > 0
    assert abs(y[gap.argmax()] - y[above][0]) <= 1.01 * (y[1] - y[0]) and gap.max() < c["p, larger count"][above][0]
    assert np.allclose(c["area", "high"][above] - c["area", "low"][above], beyond[above])
    assert (c["area", "high"][~above] == c["area", "low"][~above]).all()


@claim("approx.md", "area-of-delta.claims")
def test_claims_area_of_delta(passage):
    """The height of the peak is the shaded area, at the ends of the sliders."""
    for sigma, epsilon in itertools.product([0.6, 2], [0, 2]):
        assert passage.names["profile"](sigma, epsilon) == pytest.approx(gaussian_delta(sigma, epsilon), rel=1e-4)


@claim("approx.md", "both-stricter-near-zero", numbers=[0])
def test_both_stricter_near_zero():
    rng = np.random.default_rng(1)
    for p, q in rng.dirichlet(np.ones(5), (50, 2)):
        delta = [np.maximum(p - np.exp(epsilon) * q, 0).sum() for epsilon in np.linspace(0, 3, 31)]
        assert (np.diff(delta) <= 0).all()  # the less ε, the more δ it takes: each promise implies the weaker ones
        assert np.allclose(p, q) == (delta[0] == 0)


@claim("approx.md", "shaded-area-shrinks")
def test_shaded_area_shrinks(passage):
    y = np.linspace(-12, 12, 240_001)
    areas = [
        np.maximum(np.exp(-((y - 1) ** 2) / 2) - np.exp(epsilon - y**2 / 2), 0).sum() * 1e-4 / np.sqrt(2 * np.pi)
        for epsilon in (0.5, 1.5)
    ]
    assert passage.printed == [f"{area:.3f}" for area in areas]


@claim("approx.md", "pure-noise-of-another-shape", numbers=[1, 100])
def test_pure_noise_of_another_shape(passage):
    """Drawn: the radius of the cube is Gamma(k), one coordinate on a face and the others uniform."""
    rng, k = np.random.default_rng(1), 100
    radius = rng.gamma(k, 1, 400_000)
    face = np.where(rng.random(400_000) < 1 / k, rng.choice([-1.0, 1.0], 400_000), rng.uniform(-1, 1, 400_000))
    assert np.std(radius * face) == pytest.approx(float(passage.printed[0]), rel=0.01)
    counts = np.arange(1, 101)  # E[radius²] (1/k + (1 - 1/k)/3), the mean square of one coordinate
    pure_noise = np.sqrt(counts * (counts + 1) * (1 / counts + (1 - 1 / counts) / 3))
    smaller = counts[float(passage.names["first_sigma"]) * np.sqrt(counts) < pure_noise]
    assert int(passage.printed[1]) == smaller[0] and (np.diff(smaller) == 1).all()


@claim("approx.md", "what-delta-buys")
def test_what_delta_buys(passage):
    counts = np.arange(1, 101)
    smaller = counts[float(passage.names["first_sigma"]) * np.sqrt(counts) < math.sqrt(2) * counts]
    assert int(passage.printed[0]) == smaller[0] and (np.diff(smaller) == 1).all()


@claim("approx.md", "weights-of-losses")
def test_weights_of_losses():
    weights = [1 - math.exp(-beyond) for beyond in (0.01, 5, math.inf)]
    assert weights[0] < 0.01 and 0.99 < weights[1] < 1 == weights[2]


@claim("approx.md", "weights-of-two-losses", numbers=[0.1, 3])
def test_weights_of_two_losses(passage):
    assert [float(each) for each in passage.printed] == pytest.approx([1 - math.exp(-0.1), 1 - math.exp(-3)], abs=0.005)


@claim("approx.md", "guarantee-of-the-release")
def test_guarantee_of_the_release(passage):
    total = sum(math.exp(i) for i in range(5)) * 1e-5
    digits, power = passage.printed[1].split("·10")
    assert passage.printed[0] == "5" and power == "⁻⁴" and total <= float(digits) * 1e-4 < total + 1e-5


@claim("approx.md", "basic-composition-needs-independent-randomness")
def test_basic_composition_needs_independent_randomness():
    """Two randomized responses with losses ±1 and ±0.5 and a record revealed with probability δ each, enumerated."""
    steps = [(1.0, 1e-3), (0.5, 2e-3)]
    here, there = {}, {}
    for chances, other in ((here, 0), (there, 1)):
        for outcome in itertools.product(("revealed", 0, 1), repeat=2):
            chance = 1.0
            for (epsilon, delta), symbol in zip(steps, outcome, strict=True):
                right = math.exp(epsilon) / (1 + math.exp(epsilon))
                chance *= delta if symbol == "revealed" else (1 - delta) * (right if symbol == other else 1 - right)
            chances[tuple((symbol, other) if symbol == "revealed" else symbol for symbol in outcome)] = chance
    lost = sum(max(0, p - math.exp(1.5) * there.get(outcome, 0)) for outcome, p in here.items())
    assert 0 < lost <= 3e-3


@claim("approx.md", "four-published-numbers", numbers=[5.5, 10, 20, 30])
def test_four_published_numbers(passage):
    sigma, cells = float(passage.names["first_sigma"]), iter(passage.printed)
    for published in (5.5, 10, 20, 30):
        smokes, other = norm(6, sigma), norm(5, sigma)
        ratio = smokes.pdf(published) / other.pdf(published)
        assert abs(float(next(cells)) - ratio) <= 0.05 and abs(float(next(cells)) - math.log(ratio)) <= 0.05
        assert plain(next(cells)) == pytest.approx(smokes.sf(published), rel=0.03)


@claim("approx.md", "laplace-is-smaller-for-six-counts", numbers=[1, 1, 1e-5, 6])
def test_laplace_is_smaller_for_six_counts():
    c = at_rest("approx.md", "what-delta-buys")
    smaller = {k: gaussian_delta(math.sqrt(2) * math.sqrt(k), 1) > 1e-5 for k in range(1, 10)}  # with Laplace's σ
    assert smaller == {k: k <= 6 for k in range(1, 10)} and 6 < np.min(c["equal noise", "x"]) < 7


def plain(text):
    """A number that is written as 2.3·10⁻⁵ or as 0.14."""
    digits, _, power = text.partition("·10")
    return float(digits) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


@claim("approx.md", "budget-that-is-left", numbers=[0.6, 6, 1e-6, 0.4, 4, 1e-6, 1e-5])
def test_budget_that_is_left(passage):
    """Counted in thousandths of ε and millionths of δ, one count after the other."""
    fits = [n for n in range(20) if 6 * 100 + n * 50 <= 1000]
    both = [n for n in fits if 6 * 1 + n * 2 <= 10]
    only_delta = [n for n in range(20) if 6 * 1 + n * 2 <= 10]
    assert passage.printed == [str(fits[-1]), str(only_delta[-1]), str(both[-1]), f"{(600 + both[-1] * 50) / 1000:.1f}"]
