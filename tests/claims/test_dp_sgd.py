"""Checks of chapters/dp_sgd.md."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, at_rest, claim
from dp_lib import gdp


@claim("dp_sgd.md", "width-of-the-model", numbers=[2])
def test_width_of_the_model():
    """The hospital: 21 weights, 400 steps, 1000 patients. The sum of squares is χ² distributed, in two widths."""
    degrees, ratio = 21 * 400, (1000 / 999) ** 2

    def profile(epsilon):
        at = 2 * (epsilon + degrees / 2 * math.log(ratio)) / (1 - 1 / ratio)
        return stats.chi2.sf(at / ratio, degrees) - math.exp(epsilon) * stats.chi2.sf(at, degrees)

    true = optimize.brentq(lambda epsilon: profile(epsilon) - 1e-5, 0.01, 3)
    assert true == pytest.approx(float(gdp.epsilon(math.sqrt(2 * degrees) / 1000, 1e-5)), rel=0.03)


@answers("dp_sgd.md", "best-clipping-norm", numbers=[2, 20, 100], choices=[[], [3], [30], []])
def test_question_best_clipping_norm(question):
    def error(norm):
        """The bias by integration, the noise over the slope; on exponential data of mean 1."""

        def pull(w):
            return integrate.quad(lambda x: np.clip(w - x, -norm, norm) * math.exp(-x), 0, w + norm)[
                0
            ] - norm * math.exp(-(w + norm))

        rest = optimize.brentq(pull, 0.1, 1.5)
        slope = (pull(rest + 1e-4) - pull(rest - 1e-4)) / 2e-4
        return math.hypot(1 - rest, 2 * norm / (20 * 10 * slope))

    norms = np.geomspace(0.1, 30, 60)
    errors = np.array([error(norm) for norm in norms])
    best = norms[errors.argmin()]
    assert question.right == [best < 0.2, 2 < best < 4.5, best > 20, errors.max() < 1.1 * errors.min()]


@answers("dp_sgd.md", "noise-over-signal", numbers=[1000000, 1000, 1, 0.1], choices=[[0.1], [], [10], [1000]])
def test_question_noise_over_signal(question):
    noise = np.linalg.norm(np.random.default_rng(1).standard_normal(10**6)) / (1000 * 0.1)
    assert question.right == [noise < 0.5, 0.5 < noise < 2, noise == pytest.approx(10, rel=0.01), noise > 100]


@answers("dp_sgd.md", "likelier-with-sampling", numbers=[1, 100, 0.01, 3], choices=[[12], [3], [1.1], [1]])
def test_question_likelier_with_sampling(question):
    without, apart = stats.norm.pdf(3), stats.norm.pdf(3, loc=1)
    times = (0.99 * without + 0.01 * apart) / without
    assert question.right == [
        times == pytest.approx(12, rel=0.05),
        times == pytest.approx(3, rel=0.05),
        times == pytest.approx(1.1, rel=0.05),
        times == pytest.approx(1, abs=0.05),
    ]


@claim("dp_sgd.md", "sampled-loss-small-and-large")
def test_sampled_loss_small_and_large(passage):
    for q in (0.01, 0.1):
        for small in (1e-3, -1e-3):
            assert math.log(1 - q + q * math.exp(small)) == pytest.approx(q * small, rel=0.01)
        large = 4 - math.log(q)
        assert math.log(1 - q + q * math.exp(large)) == pytest.approx(large + math.log(q), abs=0.02)
    assert passage.printed == [f"{math.log(0.99 + 0.01 * math.exp(10)):.1f}"]


@claim("dp_sgd.md", "loss-of-a-step.alt")
def test_alt_loss_of_a_step():
    seen = at_rest("dp_sgd.md", "loss-of-a-step")
    sampled, floor = seen["sampled"], seen["minus ln(1/q)"]
    assert (abs(sampled[seen["x"] < 2]) < 0.05).all() and (sampled[seen["x"] < 0.5] < 0).all()
    assert 0 < sampled[-1] - floor[-1] < 0.5
    assert seen["in each step"] - floor == pytest.approx(4.6, abs=0.01)


@claim("dp_sgd.md", "clipping-norm.alt", numbers=[0.3, 5, 0.8])
def test_alt_clipping_norm():
    seen = at_rest("dp_sgd.md", "clipping-norm")
    norm, bias, noise = seen["C"], seen["bias"], seen["noise"]
    assert bias[0] == pytest.approx(0.3, abs=0.01) and seen.falls("bias").all() and (bias[norm > 5] < 0.01).all()
    level = np.isclose(noise, noise[0], rtol=1e-9)
    bend = optimize.brentq(lambda c: math.log(2 * math.sinh(c) / c) - c, 0.1, 5)  # where w_C = C
    assert bend == pytest.approx(0.8, abs=0.01) and norm[level].max() <= bend <= norm[~level].min()
    assert noise[0] == pytest.approx(0.01) and np.allclose(noise[norm > 5] / norm[norm > 5], 0.01, rtol=0.02)
    slopes = np.diff(noise[~level]) / np.diff(np.log(norm[~level]))  # the axis of the norms is logarithmic
    assert slopes[0] > 0 and (np.diff(slopes) > 0).all()
    together = seen["together"]
    assert (together >= np.maximum(bias, noise)).all() and 1 < norm[together.argmin()] < 5


@claim("dp_sgd.md", "noise-to-signal.alt")
def test_alt_noise_to_signal():
    seen = at_rest("dp_sgd.md", "noise-to-signal")
    assert seen.falls("one step").all()
    assert seen["one step"] / seen["mean of T steps"] == pytest.approx(math.sqrt(1000))


@claim("dp_sgd.md", "bias-and-noise-of-clipping", numbers=[5, 0.797])
def test_bias_and_noise_of_clipping(passage):
    assert float(passage.printed[1]) == round(math.exp(-6), 4)
    seen = at_rest("dp_sgd.md", "clipping-norm")
    rising = seen["C"][:-1] > 0.81
    assert (np.diff(seen["noise"])[rising] > 0).all() and (np.diff(seen["noise"])[seen["C"][1:] < 0.79] <= 1e-12).all()


@claim("dp_sgd.md", "noise-as-long-as-the-signal", numbers=[1, 100, 50, 0.2, 100])
def test_noise_as_long_as_the_signal():
    rng = np.random.default_rng(1)
    signal = 50 * 0.2
    steps = rng.standard_normal((200, 100, 100))  # runs, steps, weights
    assert np.linalg.norm(steps[:, 0], axis=1).mean() / signal == pytest.approx(1, abs=0.02)
    assert np.linalg.norm(steps.sum(axis=1), axis=1).mean() / (100 * signal) == pytest.approx(0.1, abs=0.002)


@claim("dp_sgd.md", "three-clipped-gradients", numbers=[2, 4, 3])
def test_three_clipped_gradients():
    gradients = [np.array(g, float) for g in ((6, 8), (0.6, 0), (0, -3))]
    shortened = [g if math.hypot(*g) <= 2 else 2 * g / math.hypot(*g) for g in gradients]
    assert sum(shortened) == pytest.approx([1.8, -0.4])
    turned = 2 * np.array([-6.0, -8.0]) / math.hypot(6, 8)
    assert shortened[0] == pytest.approx([1.2, 1.6]) and turned == pytest.approx([-1.2, -1.6])
    assert turned - shortened[0] == pytest.approx([-2.4, -3.2])  # the new sum minus the old one
    assert (math.hypot(*shortened[0]), math.hypot(*(turned - shortened[0])), 1.5 * 2) == pytest.approx((2, 4, 3))


@claim("dp_sgd.md", "loss-of-one-in-a-step", numbers=[1, 1.5, 5.7])
def test_loss_of_one_in_a_step():
    def sampled(x, q=0.01):
        return math.log((q * stats.norm.pdf(x, 1) + (1 - q) * stats.norm.pdf(x)) / stats.norm.pdf(x))

    assert sampled(1.5, q=1) == pytest.approx(1) and sampled(5.65) < 1 <= sampled(5.7)
    start = optimize.brentq(lambda x: sampled(x) - 1, 0, 10)
    both = 0.01 * stats.norm.sf(start, 1) + 0.99 * stats.norm.sf(start)
    assert start == pytest.approx(5.65, abs=0.005) and both == pytest.approx(2.4e-8, rel=0.02)
    assert stats.norm.sf(1.5, 1) == pytest.approx(0.31, abs=0.005)


@claim("dp_sgd.md", "clipping-in-two-layers", numbers=[3, 4, 5, 2, 10])
def test_clipping_in_two_layers():
    """Many gradients of 2 + 3 numbers, clipped part by part; the farthest comes close to 5 and none goes beyond."""
    rng = np.random.default_rng(5)
    longest = 0.0
    for g in rng.standard_normal((2000, 5)) * rng.exponential(5, (2000, 1)):
        a, b = g[:2] * min(1, 3 / np.linalg.norm(g[:2])), g[2:] * min(1, 4 / np.linalg.norm(g[2:]))
        longest = max(longest, np.linalg.norm(np.concatenate([a, b])))
    assert longest == pytest.approx(5) and longest <= 5 + 1e-12
