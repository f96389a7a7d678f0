"""Checks of chapters/training_cost.md."""

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


def delta_at(epsilon, mu):
    """The δ of N(μ, 1) against N(0, 1), by the definition of the divergence."""
    above = epsilon / mu + mu / 2
    return stats.norm.sf(above - mu) - math.exp(epsilon) * stats.norm.sf(above)


def epsilon_of(mu, delta=1e-5):
    return optimize.brentq(lambda epsilon: delta_at(epsilon, mu) - delta, 1e-9, 600)


def limit(q, sigma, steps, delta=1e-5):
    """The ε of the normal limit."""
    return epsilon_of(q * math.sqrt(steps * math.expm1(1 / sigma**2)), delta)


@claim("training_cost.md", "limit-errs-on-both-sides", numbers=[0.01, 0.5, 10000])
def test_limit_errs_on_both_sides(passage):
    assert float(passage.printed[0]) == pytest.approx(limit(0.01, 0.5, 10_000), abs=0.05)
    assert bracket(0.01, 0.5, 10_000).upper <= float(passage.printed[1]) < bracket(0.01, 0.5, 10_000).upper + 0.1


@claim("training_cost.md", "limit-errs-on-both-sides")
def test_epsilon_small_single_large_losses_decide():
    for q, sigma, steps in [(0.01, 0.5, 100), (0.01, 0.8, 100), (0.01, 2, 100), (0.04, 1.2, 25), (0.001, 1, 1000)]:
        assert limit(q, sigma, steps) < bracket(q, sigma, steps).lower
    assert limit(0.5, 0.5, 2) > 2 * bracket(0.5, 0.5, 2).upper  # neither a small q nor a long run is needed
    assert limit(0.1, 0.8, 640) > bracket(0.1, 0.8, 640).upper
    assert limit(0.5, 1, 100) > max(bracket(0.5, 1, 100).upper, float(dp_sgd.epsilon(1, 0.5, 100, 1e-5)))


@claim("training_cost.md", "few-steps-little-noise", numbers=[100])
def test_few_steps_little_noise(passage):
    answer, less, run, normal = map(float, passage.printed)
    assert less == pytest.approx(answer - math.log(100), abs=0.1)
    exact = bracket(0.01, 0.8, 100, 1e-7)
    assert exact.lower - 0.005 <= run <= exact.upper + 0.005 and normal < less < exact.lower < answer


@claim("training_cost.md", "normal-limit-below-the-truth")
def test_normal_limit_below_the_truth(passage):
    names = passage.names
    for run, (sigma, q, steps) in names["runs"].items():
        exact, claims = bracket(q, sigma, steps), [names["from_grid"](name, run)[0] for name in ("opacus", "google")]
        assert limit(q, sigma, steps) < exact.lower
        assert (
            min(*claims, names["from_grid"]("moments", run, names["rdp"].epsilon)[0], names["best"][run]) > exact.upper
        )


@claim("training_cost.md", "poisson-costs-more")
def test_poisson_costs_more(passage):
    printed = passage.printed
    assert float(printed[0]) <= bracket(0.1, 0.4, 10).lower and float(printed[0]) > float(printed[1])
    above = float(printed[1]) * 0.4 + 1 / 0.8  # of N(1/σ, 1) against N(0, 1)
    assert stats.norm.sf(above - 2.5) - math.exp(float(printed[1])) * stats.norm.sf(above) <= 1e-5


@claim("training_cost.md", "three-accounts-of-one-run")
def test_epsilon_of_the_hospitals_run(passage):
    """The binomial sum at each order, converted by the tight conversion; the loss distribution is below."""
    orders = np.arange(2, 65)

    def budget(order):
        i = np.arange(order + 1)
        return np.log((stats.binom.pmf(i, order, 0.05) * np.exp(i * (i - 1) / 32)).sum()) / (order - 1)

    claims = [400 * budget(a) + np.log1p(-1 / a) - np.log(1e-5 * a) / (a - 1) for a in orders]
    assert passage.printed[2] == f"{math.ceil(100 * min(claims)) / 100:.2f}"
    assert PrivacyLoss.subsampled_gaussian(4, 0.05).repeat(400).epsilon(1e-5).upper < min(claims)


@claim("training_cost.md", "row-in-several-batches", numbers=[3])
def test_row_in_several_batches():
    """Epochs that leave one example out, and epochs that have it three times: how far their batches stand out."""
    none, three = stats.binom.pmf([0, 3], 1000, 1e-3)
    assert none > 0.36 and three > 0.06
    assert gdp.epsilon(0.0, 1e-5) == 0 and gdp.epsilon(math.sqrt(3) / 0.6, 1e-5) > gdp.epsilon(1 / 0.6, 1e-5)


@claim("training_cost.md", "shuffled-against-sampled")
def test_shuffled_against_sampled(passage):
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.5) + 9999 * stats.norm.logcdf(c / 0.5))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.5) + 9999 * stats.norm.logcdf(c / 0.5))
    assert (p - math.exp(float(passage.printed[0])) * q).max() >= 1e-5 and bracket(1e-4, 0.5, 10_000).upper <= float(
        passage.printed[1]
    )


@claim("training_cost.md", "accuracy-of-the-accountants")
def test_normal_limit_is_no_bound():
    assert limit(0.01, 0.8, 100) < bracket(0.01, 0.8, 100).lower and limit(0.1, 0.8, 640) > bracket(0.1, 0.8, 640).upper


@claim("training_cost.md", "accountants-over-exact.alt")
def test_alt_accountants_over_exact():
    seen = at_rest("training_cost.md", "accountants-over-exact")
    assert seen.falls("RDP, classic").all() and seen.falls("RDP, tight").all() and seen.rises("normal limit").all()
    assert (seen["RDP, tight"] > 1).all() and (seen["normal limit"] < 1).all()


@claim("training_cost.md", "sgd-accountant.alt", numbers=[70, 1500])
def test_alt_sgd_accountant():
    seen = at_rest("training_cost.md", "sgd-accountant")
    times = seen["sampling not counted"] / np.array([seen["RDP"], seen["normal limit"]])
    assert times.min() > 70 and times.max() < 1500


@claim("training_cost.md", "sgd-accountant.alt")
def test_alt_sgd_accountant_dotted_curve_runs():
    seen = at_rest("training_cost.md", "sgd-accountant")
    share = seen["normal limit"] / seen["RDP"]
    assert (share < 1).all() and share[0] < 0.5 and share[-1] > 0.9


@answers(
    "training_cost.md",
    "ten-times-the-steps",
    numbers=[20, 1, 0.01, 0.001, 20, 20_000, 2000],
    choices=[[10], [3], [], [0.5]],
)
def test_question_ten_times_the_steps(question):
    times = bracket(0.001, 1, 20_000).upper / bracket(0.01, 1, 2000).upper
    assert question.right == [times > 8, 2.5 < times < 3.5, 0.9 < times < 1.1, times < 0.5]
    at_two = [steps * math.log1p(q**2 * math.expm1(1)) for q, steps in ((0.01, 2000), (0.001, 20_000))]
    assert at_two[1] / at_two[0] == pytest.approx(0.1, rel=1e-3)


@answers(
    "training_cost.md",
    "what-the-normal-limit-says",
    numbers=[0.01, 0.8, 0.7, 2.2],
    choices=[[0.5], [1], [1.5], [3]],
)
def test_question_what_the_normal_limit_says(question):
    """The two ε that the question gives, and the true ε, which it asks for."""
    total = {}
    for a in range(2, 21):
        i = np.arange(a + 1)
        moment = (stats.binom.pmf(i, a, 0.01) * np.exp(i * (i - 1) / (2 * 0.8**2))).sum()
        total[a] = 100 * math.log(moment) / (a - 1) + math.log1p(-1 / a) - math.log(1e-5 * a) / (a - 1)
    assert limit(0.01, 0.8, 100) == pytest.approx(0.7, abs=0.01)
    assert 2.1 < min(total.values()) < 2.4  # whole orders alone; with orders between them it is 2.2
    true = bracket(0.01, 0.8, 100)
    assert true.lower < min(total.values()) and true.lower > limit(0.01, 0.8, 100)
    assert question.right == [true.upper == pytest.approx(choice, abs=0.02) for choice in (0.5, 1, 1.5, 3)]
    assert true.lower / limit(0.01, 0.8, 100) == pytest.approx(2, abs=0.25)  # what a reply says


@claim("training_cost.md", "the-third-colleague")
def test_the_third_colleague(passage):
    true, by_rdp = map(float, passage.printed)
    exact = bracket(0.05, 4, 400)
    assert exact.upper <= true < exact.upper + 0.01 and 1.05 < by_rdp / exact.upper < by_rdp / exact.lower < 1.15


@claim("training_cost.md", "the-shuffled-run", numbers=[20, 20])
def test_the_shuffled_run(passage):
    """Twenty epochs, each no worse than N(1/4, 1) against N(0, 1), are no worse than N(√20/4, 1)."""
    third, bound = map(float, passage.printed)
    assert bracket(0.05, 4, 400).upper < third < 1.1
    assert delta_at(bound, math.sqrt(20) / 4) <= 1e-5
    assert bound == pytest.approx(epsilon_of(math.sqrt(20) / 4), abs=0.1)


@claim("training_cost.md", "three-accounts-of-one-run")
def test_three_accounts_of_one_run(passage):
    """The first and the second by the definition, at the μ of that many unsampled answers; the third by its bound."""
    first, second, third = map(float, passage.printed)
    for said, true in ((first, epsilon_of(20 / 4)), (second, epsilon_of(math.sqrt(20) / 4))):
        assert true <= said < true + 0.1
    assert bracket(0.05, 4, 400).upper < third < 1.1 and math.exp(third) == pytest.approx(3, abs=0.2)


@answers(
    "training_cost.md",
    "epsilon-of-shuffled-batches",
    numbers=[0.6, 1000, 1e-05, 1.43],
    choices=[[1.2], [1.4], [2.8], [8]],
)
def test_question_epsilon_of_shuffled_batches(question):
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    least = np.log((p[p > 1e-5] - 1e-5) / q[p > 1e-5]).max()
    assert question.right == [abs(least / x - 1) < 0.05 for x in (1.2, 1.4, 2.8, 8)]


@claim("training_cost.md", "shuffled-worst-case")
def test_shuffled_worst_case(passage):
    least, most, poisson = map(float, passage.printed)
    c = np.linspace(1, 8, 4000)
    p = -np.expm1(stats.norm.logcdf((c - 2) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    q = -np.expm1(stats.norm.logcdf((c - 1) / 0.6) + 999 * stats.norm.logcdf(c / 0.6))
    assert (p - math.exp(least) * q).max() >= 1e-5
    above = most * 0.6 + 1 / 1.2  # of N(1/σ, 1) against N(0, 1)
    assert stats.norm.sf(above - 1 / 0.6) - math.exp(most) * stats.norm.sf(above) <= 1e-5
    assert bracket(1e-3, 0.6, 1000).upper <= poisson


@claim("training_cost.md", "accuracy-of-the-accountants", numbers=[6, 10, 64, 0.75])
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


@claim("training_cost.md", "shuffled-batches.alt")
def test_alt_shuffled_batches():
    seen = at_rest("training_cost.md", "shuffled-batches")
    whole, least, poisson = seen["not sampled at all"], seen["shuffled, at least"], seen["Poisson, at most"]
    assert seen.falls("not sampled at all").all() and whole[0] / whole[-1] < 10
    assert least[0] > 0.99 * whole[0] and least[-1] < whole[-1] / 10
    assert (poisson[:6] < least[:6] / 1.5).all() and abs(math.log(poisson[-1] / least[-1])) < math.log(4)


@claim("training_cost.md", "limit-against-exact")
def test_limit_against_exact(passage):
    assert float(passage.printed[1]) <= bracket(0.01, 0.8, 100).lower < float(passage.printed[1]) + 1e-3


@claim("training_cost.md", "limit-too-large")
def test_limit_too_large(passage):
    assert limit(0.1, 0.8, 640) == pytest.approx(float(passage.printed[0]), abs=0.05)
    assert bracket(0.1, 0.8, 640).upper <= float(passage.printed[1]) < limit(0.1, 0.8, 640)
    # the loss of a step: its mean and its variance in both directions, as parts of μ²/2 and μ² of the limit
    parts = {}
    for q, sigma in ((0.1, 0.8), (0.01, 0.5)):
        x, width = np.linspace(-12, 14, 200_001, retstep=True)
        without, drawn = stats.norm.pdf(x, 0, sigma), stats.norm.pdf(x, 1, sigma)
        present, square = (1 - q) * without + q * drawn, q**2 * math.expm1(1 / sigma**2)
        for of, other in ((present, without), (without, present)):
            seen = of > 0
            loss = np.log(of[seen] / other[seen])
            mean = (of[seen] * loss).sum() * width
            variance = (of[seen] * (loss - mean) ** 2).sum() * width
            parts.setdefault(sigma, []).append((mean / (square / 2), variance / square))
    assert np.all(np.array(parts[0.8]) < [0.75, 0.95])
    assert np.all(np.array(parts[0.5]) < np.array(parts[0.8]))


@claim("training_cost.md", "one-full-batch-or-ten", numbers=[0.4, 10, 0.1])
def test_one_full_batch_or_ten(passage):
    printed = passage.printed[:2]
    full = optimize.brentq(
        lambda e: stats.norm.sf(0.4 * e - 1.25) - math.exp(e) * stats.norm.sf(0.4 * e + 1.25) - 1e-5, 1, 60
    )
    assert full <= float(printed[0]) < full + 0.1 and float(printed[1]) <= bracket(0.1, 0.4, 10).lower
    assert float(printed[0]) < float(printed[1])


@claim("training_cost.md", "factor-at-two-sigmas", numbers=[1, 0.5, 0.01, 100])
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


@claim("training_cost.md", "last-term-of-the-sum", numbers=[8, 12])
def test_last_term_of_the_sum(passage):
    """The terms at σ = 1 and q = 1/100, in logarithms; the last one of order 12 exceeds all the others together."""
    terms = {
        order: [
            math.comb(order, i) * 0.99 ** (order - i) * math.exp(i * math.log(0.01) + i * (i - 1) / 2)
            for i in range(order + 1)
        ]
        for order in (8, 12)
    }
    small, thousands = map(float, passage.printed)
    assert terms[8][-1] == pytest.approx(small, abs=5e-6) and terms[12][-1] == pytest.approx(1000 * thousands, abs=500)
    assert terms[12][-1] > 10 * sum(terms[12][:-1]) and terms[8][-1] < sum(terms[8][:-1])


@claim("training_cost.md", "order-two-of-a-run", numbers=[1, 0.01, 1000, 2])
def test_order_two_of_a_run(passage):
    """The divergence of order 2 of one step, by integration: the mean of the squared likelihood ratio."""
    squared = integrate.quad(
        lambda y: (0.99 + 0.01 * math.exp(y - 0.5)) ** 2 * stats.norm.pdf(y), -20, 25, points=[0, 2], limit=200
    )[0]
    assert float(passage.printed[0]) == pytest.approx(1000 * math.log(squared), abs=0.005)
