"""Checks of chapters/composition.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import binom, norm

from claims import answers, at_rest, claim
from dp_lib import approx


@answers("composition.md", "least-epsilon-of-100-steps", numbers=[100, 0.1, 1e-05, 0.5], choices=[[10], [4.4], [1]])
def test_question_least_epsilon_of_100_steps(question):
    least = least_optimal(0.1, 1e-5, 100)
    assert question.right == [least > 9.9, 4.35 < least < 4.45, least < 1.5]


@claim("composition.md", "mean-and-deviation-of-the-sum", numbers=[100, 0.1, 1, 1e-05])
def test_mean_and_deviation_of_the_sum(passage):
    lies = binom(100, 1 / (1 + math.exp(0.1)))
    loss = 0.1 * (100 - 2 * np.arange(101))
    weights = lies.pmf(np.arange(101))
    mean = weights @ loss
    assert passage.printed == [f"{mean:.1f}"] and abs(math.sqrt(weights @ (loss - mean) ** 2) - 1) < 0.01
    tail = next(t for t in np.arange(0, 10, 0.1) if weights[loss > mean + t].sum() <= 1e-5)
    assert passage.gives(round(tail))


@answers("composition.md", "noise-of-100-steps", numbers=[0.1, 1e-05, 100], choices=[[], [3.7], [12]])
def test_question_noise_of_100_steps(question):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    times = approx.sigma_exact(low, 5e-8) / approx.sigma_exact(0.1, 1e-5, 10)
    assert question.right == [times < 1.01, 3.6 < times < 3.75, times > 11]


@claim("composition.md", "factor-by-the-simple-form")
def test_factor_by_the_simple_form(passage):
    ratios = [math.sqrt(8 * math.log(2e5) * math.log(2.5 * k / 1e-5) / math.log(1.25e5)) for k in (100, 1)]
    assert passage.printed[1:] == [f"{ratio:.1f}" for ratio in ratios]


@claim("composition.md", "three-compositions.caption")
def test_caption_three_compositions():
    for step in (0.05, 0.3, 1.5):
        for k in (1, 7, 60):
            least = least_optimal(step, 1e-5, k)
            full = step * math.sqrt(2 * k * math.log(2e5)) + k * step * math.expm1(step)
            assert least <= min(full, k * step) * (1 + 1e-9)


@claim("composition.md", "three-compositions.alt", numbers=[0.5])
def test_alt_three_compositions():
    c = at_rest("composition.md", "three-compositions")
    basic, advanced, simple, k = c["basic"], c["advanced alone"], c["simple form, where valid"], c["k"]
    met = np.min(c["crossing", "x"])
    assert np.allclose(basic / k, basic[0]) and ((advanced < basic) == (k > met)).all()
    slope = np.diff(np.log(advanced)) / np.diff(np.log(k))
    assert 0.5 < slope[0] < 0.52 and (np.diff(slope) > -1e-6).all() and slope[-1] > 0.6
    valid = np.isfinite(simple)
    assert valid.any() and (simple[valid] > advanced[valid] * (1 - 1e-9)).all()


@claim("composition.md", "total-delta-of-500-steps", numbers=[1e-05, 1e-05, 500])
def test_total_delta_of_500_steps(passage):
    assert passage.printed == [f"{501e-5:.5f}", "501"]


def least_optimal(step, delta, k):
    """The ε' of k steps of (step, δ/2k) at the slack δ/2: the theorem's sum over lies, solved by halving."""
    lies = np.arange(k + 1)
    coefficients = np.array([float(mpmath.binomial(k, lie) / (1 + mpmath.e**step) ** k) for lie in lies])
    low, high = 0.0, k * step
    for _ in range(50):
        middle = (low + high) / 2
        excess = np.maximum(np.exp((k - lies) * step) - np.exp(middle + lies * step), 0)
        low, high = (middle, high) if coefficients @ excess > delta / 2 else (low, middle)
    return high


@claim("composition.md", "average-loss-of-a-response", numbers=[2, 0.1])
def test_average_loss_of_a_response(passage):
    with mpmath.workdps(30):
        for epsilon in map(mpmath.mpf, ["1e-9", "0.1", "3", "40"]):
            truth = mpmath.e**epsilon / (1 + mpmath.e**epsilon)
            mean = (2 * truth - 1) * epsilon  # by definition: +ε with this probability, else -ε
            assert mpmath.almosteq(mean, epsilon * mpmath.tanh(epsilon / 2), rel_eps=mpmath.mpf(10) ** -15)
            if epsilon == mpmath.mpf("0.1"):
                assert mean <= mpmath.mpf(passage.printed[0])


@claim("composition.md", "factor-by-optimal-composition")
def test_factor_by_optimal_composition(passage):
    low, high = 1e-3, 1e-2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if least_optimal(middle, 1e-5, 100) < 0.1 else (low, middle)
    steps, vector = approx.sigma_exact(low, 5e-8), approx.sigma_exact(0.1, 1e-5, 10)
    assert passage.printed[1:] == [f"{math.ceil(steps)}", f"{math.ceil(vector)}", f"{steps / vector:.1f}"]
    assert 3.66 < steps / vector < 3.68
    assert abs(passage.names["steps_optimal_sigma"](0.1, 1e-5, 100) / steps - 1) < 1e-4


@claim("composition.md", "counts-noise.alt", numbers=[0.5])
def test_alt_counts_noise():
    c = at_rest("composition.md", "counts-noise")
    simple, optimal, vector = c["steps, simple form"], c["steps, optimal"], c["vector, classic"]
    assert (simple / vector > 10).all() and (simple / vector < 14).all()
    apart = optimal / c["vector, exact"]
    assert apart[0] < 1.06 and (apart[50:] > 2).all() and apart[-1] == pytest.approx(apart.max(), rel=0.01)
    assert (optimal[100:] > vector[100:]).all() and (optimal < simple).all()
    assert np.allclose(vector / c["zCDP, either way"], 1, atol=0.05)


@answers("composition.md", "when-advanced-beats-basic", numbers=[0.1, 1e-05, 0.5])
def test_question_when_advanced_beats_basic(question):
    printed = question.printed
    k = np.arange(1, 200)
    advanced = 0.1 * np.sqrt(2 * k * np.log(2e5)) + k * 0.1 * np.expm1(0.1)
    wins = k[advanced < 0.1 * k]
    assert int(printed[0]) == int(printed[2]) == wins[0] and (np.diff(wins) == 1).all()
    assert wins[0] - 1 < float(printed[1]) < wins[0]


@claim("composition.md", "step-of-the-doubled-formula")
def test_step_of_the_doubled_formula(passage):
    with mpmath.workdps(30):
        profile = lambda e: mpmath.ncdf(0.5 - e) - mpmath.exp(e) * mpmath.ncdf(-0.5 - e)  # noqa: E731
        step = mpmath.findroot(lambda e: mpmath.log(profile(e)) - mpmath.log(5e-6), (4, 5), solver="anderson")
        full = step * mpmath.sqrt(2 * mpmath.log(2e5)) + step * mpmath.expm1(step)
        assert [mpmath.mpf(each) for each in passage.printed[:2]] == [mpmath.ceil(100 * step) / 100, mpmath.ceil(full)]
        assert mpmath.expm1(step) > mpmath.sqrt(2 * mpmath.log(2e5))  # the simple form's condition fails


@claim("composition.md", "least-epsilon-by-optimal-composition", numbers=[0.5])
def test_least_epsilon_by_optimal_composition(passage):
    least = least_optimal(0.1, 1e-5, 100)
    assert least <= float(passage.printed[0]) < least + 0.01


@claim("composition.md", "three-compositions-of-one-run")
def test_three_compositions_of_one_run(passage):
    least, advanced = least_optimal(0.1, 1e-5, 30), 0.1 * math.sqrt(60 * math.log(2e5)) + 3 * math.expm1(0.1)
    for proved, printed in zip((least, 3, advanced), map(float, passage.printed), strict=True):
        assert proved <= printed < proved + 0.01


@claim("composition.md", "table-of-accountings")
def test_table_of_accountings(passage):
    def pair(sigma, delta, steps):
        """The least ε of so many Gaussian counts at this δ: the profile, solved by halving."""
        low, high, mu = 0.0, 50.0, math.sqrt(steps) / sigma
        for _ in range(60):
            middle = (low + high) / 2
            profile = norm.cdf(mu / 2 - middle / mu) - math.exp(middle) * norm.cdf(-mu / 2 - middle / mu)
            low, high = (middle, high) if profile > delta else (low, middle)
        return high

    one = pair(50, 1e-5 / 200, 1)
    advanced = one * math.sqrt(200 * math.log(2e5)) + 100 * one * math.expm1(one)
    proved = [advanced, least_optimal(one, 1e-5, 100), pair(50, 1e-5, 100)]
    for bound, printed in zip(proved, map(float, passage.printed), strict=True):
        assert bound * (1 - 1e-9) <= printed < bound + 0.01


@claim("composition.md", "steps-against-the-vector")
def test_steps_against_the_vector(passage):
    pair = 0.1 / math.sqrt(800 * math.log(2e5)), 1e-5 / 200
    steps = math.sqrt(2 * math.log(1.25 / pair[1])) / pair[0]
    vector = 10 * math.sqrt(2 * math.log(1.25e5)) / 0.1
    assert passage.printed[:2] == [f"{math.ceil(steps)}", f"{math.ceil(vector)}"]
    assert passage.printed[2:] == [f"{steps / vector:.1f}", f"{(steps / vector) ** 2:.0f}"]


@claim("composition.md", "advanced-composition-needs-independent-coins")
def test_advanced_composition_needs_independent_coins():
    """Without independence the theorem would be false: a fair bit, and the row's bit added to it, say the row's bit."""
    outputs = {row: {(bit, row ^ bit) for bit in (0, 1)} for row in (0, 1)}
    assert all({pair[i] for pair in outputs[0]} == {pair[i] for pair in outputs[1]} == {0, 1} for i in (0, 1))
    assert not outputs[0] & outputs[1]
