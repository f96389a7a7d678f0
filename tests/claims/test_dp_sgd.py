"""Checks of chapters/dp_sgd.md."""

import math
from functools import cache

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from claims import answers, at_rest, claim
from dp_lib import dp_sgd, gdp
from dp_lib.pld import PrivacyLoss


@cache
def bracket(q, sigma, steps, delta=1e-5):
    return PrivacyLoss.subsampled_gaussian(sigma, q).repeat(steps).epsilon(delta)


def limit(q, sigma, steps, delta=1e-5):
    """The ε of N(0, 1) against N(μ, 1), by the definition of the divergence and a search."""
    mu = q * math.sqrt(steps * math.expm1(1 / sigma**2))

    def profile(epsilon):
        above = epsilon / mu + mu / 2
        return stats.norm.sf(above - mu) - math.exp(epsilon) * stats.norm.sf(above)

    return optimize.brentq(lambda epsilon: profile(epsilon) - delta, 1e-9, 600)


@claim("dp_sgd.md", "width-of-the-model", numbers=[2])
def test_width_of_the_model():
    """The hospital: 21 weights, 400 steps, 1000 patients. The sum of squares is χ² distributed, in two widths."""
    degrees, ratio = 21 * 400, (1000 / 999) ** 2

    def profile(epsilon):
        at = 2 * (epsilon + degrees / 2 * math.log(ratio)) / (1 - 1 / ratio)
        return stats.chi2.sf(at / ratio, degrees) - math.exp(epsilon) * stats.chi2.sf(at, degrees)

    true = optimize.brentq(lambda epsilon: profile(epsilon) - 1e-5, 0.01, 3)
    assert true == pytest.approx(float(gdp.epsilon(math.sqrt(2 * degrees) / 1000, 1e-5)), rel=0.03)


@claim("dp_sgd.md", "limit-errs-on-both-sides", numbers=[0.01, 0.5, 10000])
def test_limit_errs_on_both_sides(passage):
    assert float(passage.printed[0]) == pytest.approx(limit(0.01, 0.5, 10_000), abs=0.05)
    assert bracket(0.01, 0.5, 10_000).upper <= float(passage.printed[1]) < bracket(0.01, 0.5, 10_000).upper + 0.1


@claim("dp_sgd.md", "limit-errs-on-both-sides")
def test_epsilon_small_single_large_losses_decide():
    for q, sigma, steps in [(0.01, 0.5, 100), (0.01, 0.8, 100), (0.01, 2, 100), (0.04, 1.2, 25), (0.001, 1, 1000)]:
        assert limit(q, sigma, steps) < bracket(q, sigma, steps).lower
    assert limit(0.5, 0.5, 2) > 2 * bracket(0.5, 0.5, 2).upper  # neither a small q nor a long run is needed
    assert limit(0.1, 0.8, 640) > bracket(0.1, 0.8, 640).upper
    assert limit(0.5, 1, 100) > max(bracket(0.5, 1, 100).upper, float(dp_sgd.epsilon(1, 0.5, 100, 1e-5)))


@claim("dp_sgd.md", "few-steps-little-noise", numbers=[100])
def test_few_steps_little_noise(passage):
    answer, less, run, normal = map(float, passage.printed)
    assert less == pytest.approx(answer - math.log(100), abs=0.1)
    exact = bracket(0.01, 0.8, 100, 1e-7)
    assert exact.lower - 0.005 <= run <= exact.upper + 0.005 and normal < less < exact.lower < answer


@claim("dp_sgd.md", "normal-limit-below-the-truth")
def test_normal_limit_below_the_truth(passage):
    names = passage.names
    for run, (sigma, q, steps) in names["runs"].items():
        exact, claims = bracket(q, sigma, steps), [names["from_grid"](name, run)[0] for name in ("opacus", "google")]
        assert limit(q, sigma, steps) < exact.lower
        assert (
            min(*claims, names["from_grid"]("moments", run, names["rdp"].epsilon)[0], names["best"][run]) > exact.upper
        )


@claim("dp_sgd.md", "poisson-costs-more")
def test_poisson_costs_more(passage):
    printed = passage.printed
    assert float(printed[0]) <= bracket(0.1, 0.4, 10).lower and float(printed[0]) > float(printed[1])
    above = float(printed[1]) * 0.4 + 1 / 0.8  # of N(1/σ, 1) against N(0, 1)
    assert stats.norm.sf(above - 2.5) - math.exp(float(printed[1])) * stats.norm.sf(above) <= 1e-5


@claim("dp_sgd.md", "epsilon-of-the-hospitals-run")
def test_epsilon_of_the_hospitals_run(passage):
    """The binomial sum at each order, converted by the tight conversion; the loss distribution is below."""
    orders = np.arange(2, 65)

    def budget(order):
        i = np.arange(order + 1)
        return np.log((stats.binom.pmf(i, order, 0.05) * np.exp(i * (i - 1) / 32)).sum()) / (order - 1)

    claims = [400 * budget(a) + np.log1p(-1 / a) - np.log(1e-5 * a) / (a - 1) for a in orders]
    assert passage.printed == [f"{math.ceil(100 * min(claims)) / 100:.2f}"]
    assert PrivacyLoss.subsampled_gaussian(4, 0.05).repeat(400).epsilon(1e-5).upper < min(claims)


@claim("dp_sgd.md", "row-in-several-batches", numbers=[3])
def test_row_in_several_batches():
    """Epochs that leave one example out, and epochs that have it three times: how far their batches stand out."""
    none, three = stats.binom.pmf([0, 3], 1000, 1e-3)
    assert none > 0.36 and three > 0.06
    assert gdp.epsilon(0.0, 1e-5) == 0 and gdp.epsilon(math.sqrt(3) / 0.6, 1e-5) > gdp.epsilon(1 / 0.6, 1e-5)


@claim("dp_sgd.md", "shuffled-against-sampled")
def test_shuffled_against_sampled(passage):
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.5) + 9999 * stats.norm.logcdf(c / 0.5))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.5) + 9999 * stats.norm.logcdf(c / 0.5))
    assert (p - math.exp(float(passage.printed[0])) * q).max() >= 1e-5 and bracket(1e-4, 0.5, 10_000).upper <= float(
        passage.printed[1]
    )


@claim("dp_sgd.md", "accuracy-of-the-accountants")
def test_normal_limit_is_no_bound():
    assert limit(0.01, 0.8, 100) < bracket(0.01, 0.8, 100).lower and limit(0.1, 0.8, 640) > bracket(0.1, 0.8, 640).upper


@claim("dp_sgd.md", "accountants-over-exact.alt")
def test_alt_accountants_over_exact():
    seen = at_rest("dp_sgd.md", "accountants-over-exact")
    assert seen.falls("RDP, classic").all() and seen.falls("RDP, tight").all() and seen.rises("normal limit").all()
    assert (seen["RDP, tight"] > 1).all() and (seen["normal limit"] < 1).all()


@claim("dp_sgd.md", "sgd-accountant.alt", numbers=[70, 1500])
def test_alt_sgd_accountant():
    seen = at_rest("dp_sgd.md", "sgd-accountant")
    times = seen["sampling not counted"] / np.array([seen["RDP"], seen["normal limit"]])
    assert times.min() > 70 and times.max() < 1500


@claim("dp_sgd.md", "sgd-accountant.alt")
def test_alt_sgd_accountant_dotted_curve_runs():
    seen = at_rest("dp_sgd.md", "sgd-accountant")
    share = seen["normal limit"] / seen["RDP"]
    assert (share < 1).all() and share[0] < 0.5 and share[-1] > 0.9


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


@answers(
    "dp_sgd.md",
    "ten-times-the-steps",
    numbers=[20, 1, 0.01, 0.001, 20, 20_000, 2000],
    choices=[[10], [3], [], [0.5]],
)
def test_question_ten_times_the_steps(question):
    times = bracket(0.001, 1, 20_000).upper / bracket(0.01, 1, 2000).upper
    assert question.right == [times > 8, 2.5 < times < 3.5, 0.9 < times < 1.1, times < 0.5]
    at_two = [steps * math.log1p(q**2 * math.expm1(1)) for q, steps in ((0.01, 2000), (0.001, 20_000))]
    assert at_two[1] / at_two[0] == pytest.approx(0.1, rel=1e-3)


@answers("dp_sgd.md", "what-the-normal-limit-says", numbers=[0.01, 0.8, 1.51], choices=[[0.7], [1.51], [1.6], [2.2]])
def test_question_what_the_normal_limit_says(question):
    says_limit = limit(0.01, 0.8, 100)
    assert f"{bracket(0.01, 0.8, 100).upper:.2f}" == "1.51"
    assert question.right == [
        says_limit == pytest.approx(float(choice), abs=0.01) for choice in ("0.70", "1.51", "1.6", "2.2")
    ]


@answers(
    "dp_sgd.md", "epsilon-of-shuffled-batches", numbers=[0.6, 1000, 1e-05, 1.4], choices=[[1.2], [1.4], [2.8], [8]]
)
def test_question_epsilon_of_shuffled_batches(question):
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    least = np.log((p[p > 1e-5] - 1e-5) / q[p > 1e-5]).max()
    assert question.right == [abs(least / x - 1) < 0.05 for x in (1.2, 1.4, 2.8, 8)]


@answers("dp_sgd.md", "likelier-with-sampling", numbers=[1, 100, 0.01, 3], choices=[[12], [3], [1.1], []])
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
def test_sampled_loss_small_and_large():
    for q in (0.01, 0.1):
        for small in (1e-3, -1e-3):
            assert math.log(1 - q + q * math.exp(small)) == pytest.approx(q * small, rel=0.01)
        large = 4 - math.log(q)
        assert math.log(1 - q + q * math.exp(large)) == pytest.approx(large + math.log(q), abs=0.02)


@claim("dp_sgd.md", "shuffled-worst-case")
def test_shuffled_worst_case(passage):
    least, most, poisson = map(float, passage.printed)
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    assert (p - math.exp(least) * q).max() >= 1e-5
    above = most * 0.6 + 1 / 1.2  # of N(1/σ, 1) against N(0, 1)
    assert stats.norm.sf(above - 1 / 0.6) - math.exp(most) * stats.norm.sf(above) <= 1e-5
    assert bracket(1e-3, 0.6, 1000).upper <= poisson


@claim("dp_sgd.md", "accuracy-of-the-accountants", numbers=[6, 10, 64, 0.75])
def test_loss_distributions_epsilon_within_few_ten(passage):
    names = passage.names
    runs = [
        (q, sigma, delta) for q in (0.01, 0.04, 0.07, 0.1) for sigma in (0.8, 1.2, 1.6, 2.0) for delta in (1e-5, 1e-7)
    ]
    over = {
        epochs: [
            names["by_rdp"](q, sigma, np.rint(epochs / q), delta, True)
            / names["exact"](q, sigma, np.rint(epochs / q), delta)[1]
            for q, sigma, delta in runs
        ]
        for epochs in (1, 64)
    }
    assert min(over[64]) > 1.06 and max(over[64]) < 1.10 and 1.7 < max(over[1]) < 1.75
    for q, sigma, delta in runs:
        low, high = names["exact"](q, sigma, np.rint(64 / q), delta)
        assert high / low - 1 < 5e-4


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


@claim("dp_sgd.md", "shuffled-batches.alt")
def test_alt_shuffled_batches():
    seen = at_rest("dp_sgd.md", "shuffled-batches")
    whole, least, poisson = seen["not sampled at all"], seen["shuffled, at least"], seen["Poisson, at most"]
    assert seen.falls("not sampled at all").all() and whole[0] / whole[-1] < 10
    assert least[0] > 0.99 * whole[0] and least[-1] < whole[-1] / 10
    assert (poisson[:6] < least[:6] / 1.5).all() and abs(math.log(poisson[-1] / least[-1])) < math.log(4)


@claim("dp_sgd.md", "limit-against-exact")
def test_limit_against_exact(passage):
    assert float(passage.printed[1]) <= bracket(0.01, 0.8, 100).lower < float(passage.printed[1]) + 1e-3


@claim("dp_sgd.md", "limit-too-large")
def test_limit_too_large(passage):
    assert limit(0.1, 0.8, 640) == pytest.approx(float(passage.printed[0]), abs=0.05)
    assert bracket(0.1, 0.8, 640).upper <= float(passage.printed[1]) < limit(0.1, 0.8, 640)


@claim("dp_sgd.md", "one-full-batch-or-ten", numbers=[0.4, 10, 0.1])
def test_one_full_batch_or_ten(passage):
    printed = passage.printed[:2]
    full = optimize.brentq(
        lambda e: stats.norm.sf(0.4 * e - 1.25) - math.exp(e) * stats.norm.sf(0.4 * e + 1.25) - 1e-5, 1, 60
    )
    assert full <= float(printed[0]) < full + 0.1 and float(printed[1]) <= bracket(0.1, 0.4, 10).lower
    assert float(printed[0]) < float(printed[1])


@claim("dp_sgd.md", "factor-at-two-sigmas", numbers=[1, 0.5, 0.01, 100])
def test_factor_at_two_sigmas(passage):
    """One step at order 2, over that at a large σ, times σ²: by the sum over the three terms."""
    q, cheap = 1e-4, {}
    for sigma in (1.0, 0.5):
        total = (1 - q) ** 2 + 2 * q * (1 - q) + q**2 * math.exp(1 / sigma**2)
        cheap[sigma] = math.log(total) / (q**2 / sigma**2)
    *times, factor = [float(each) for each in passage.printed]
    assert times == [round(cheap[1.0], 1), round(cheap[0.5])]
    assert factor == round(100 * 1e-4 * math.expm1(1), 3)  # a hundred steps at q = 1/100, over one without sampling
    assert factor < 1 / 50


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


@claim("dp_sgd.md", "order-two-of-a-run", numbers=[1, 0.01, 1000, 2])
def test_order_two_of_a_run(passage):
    """The divergence of order 2 of one step, by integration: the mean of the squared likelihood ratio."""
    squared = integrate.quad(
        lambda y: (0.99 + 0.01 * math.exp(y - 0.5)) ** 2 * stats.norm.pdf(y), -20, 25, points=[0, 2], limit=200
    )[0]
    assert float(passage.printed[0]) == pytest.approx(1000 * math.log(squared), abs=0.005)


@claim("dp_sgd.md", "three-clipped-gradients", numbers=[2, 4, 3])
def test_three_clipped_gradients():
    gradients = [np.array(g, float) for g in ((6, 8), (0.6, 0), (0, -3))]
    shortened = [g if math.hypot(*g) <= 2 else 2 * g / math.hypot(*g) for g in gradients]
    assert sum(shortened) == pytest.approx([1.8, -0.4])
    assert (math.hypot(*shortened[0]), math.hypot(*(2 * shortened[0])), 1.5 * 2) == pytest.approx((2, 4, 3))


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
