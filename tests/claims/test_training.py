"""Checks of chapters/training.md."""

import math

import mpmath
import numpy as np
import pytest
from scipy import optimize, special, stats

from claims import answers, at_rest, claim
from claims.test_training_cost import bracket
from dp_lib import dp_sgd


def renyi(p, q, order):
    """The divergence of two distributions on a few points."""
    with mpmath.workdps(60):
        moment = mpmath.fsum(mpmath.mpf(a) ** order * mpmath.mpf(b) ** (1 - order) for a, b in zip(p, q, strict=True))
        return float(mpmath.log(moment) / (order - 1))


def best_of(shown, mean):
    """The law of the best run, of a geometric number: `shown` has each outcome's probability, the best first."""
    stop, rest, law = 1 / mean, 1.0, []
    none_so_far = 1.0
    for probability in shown:
        rest -= probability
        none = stop * rest / (1 - (1 - stop) * rest) if rest > 1e-15 else 0.0  # no run of the K is so good
        law.append(none_so_far - none)
        none_so_far = none
    return law


def sampled_budget(order, sigma, q):
    """The divergence of a sampled Gaussian step at a whole order: the binomial sum, in logarithms."""
    i = np.arange(order + 1)
    chosen = special.gammaln(order + 1) - special.gammaln(i + 1) - special.gammaln(order - i + 1)
    terms = chosen + (order - i) * np.log1p(-q) + i * np.log(q) + i * (i - 1) / (2 * sigma**2)
    return np.logaddexp.reduce(terms) / (order - 1)


def converted(budgets, delta=1e-5):
    """The least ε of the budgets, one for each of the package's orders, by the tight conversion."""
    return min(
        budget + math.log1p(-1 / order) - (math.log(delta) + math.log(order)) / (order - 1)
        for order, budget in zip(dp_sgd.ORDERS, budgets, strict=True)
    )


def least_sigma(epsilon, q, steps):
    """The multiplier at which so many sampled steps have this ε at δ = 1e-5."""

    def over(sigma):
        return converted([steps * sampled_budget(order, sigma, q) for order in dp_sgd.ORDERS]) - epsilon

    return optimize.brentq(over, 0.3, 100, xtol=1e-7)


def exact_mu(epsilon, delta=1e-5):
    """The μ of the Gaussian answer that is exactly (ε, δ)-DP."""

    def over(mu):
        at = epsilon / mu + mu / 2
        return stats.norm.sf(at - mu) - math.exp(epsilon) * stats.norm.sf(at) - delta

    return optimize.brentq(over, 1e-3, 10)


@claim("training.md", "batches-of-the-hospital", numbers=[0.5, 2])
def test_batches_of_the_hospital(passage):
    fewer, hospital, more = (least_sigma(1, q, 400) for q in (0.025, 0.05, 0.1))
    few, noisier, larger, many, quieter, smaller = map(float, passage.printed)
    assert (few, many) == (math.ceil(100 * fewer) / 100, math.ceil(100 * more) / 100)
    assert (noisier, quieter) == (round(fewer / 25, 3), round(more / 100, 3))
    assert (larger, smaller) == (round(200 * fewer / hospital - 100), round(100 - 50 * more / hospital))
    assert hospital > fewer > 2  # above it, by the rule, larger batches gain little


@claim("training.md", "two-batches-of-the-figure", numbers=[8, 100, 2, 1000])
def test_two_batches_of_the_figure(passage):
    printed = [float(number) for number in passage.printed]
    for at, (epsilon, q, steps) in enumerate([(8, 2**-7, 100), (2, 2**-4, 1000)]):
        sigma, doubled = least_sigma(epsilon, q, steps), least_sigma(epsilon, 2 * q, steps)
        assert sigma <= printed[2 * at] < sigma + 0.011
        assert printed[2 * at + 1] == round(100 * (1 - doubled / sigma / 2))


@claim("training.md", "solid-above-dotted", numbers=[1])
def test_solid_above_dotted(passage):
    full = passage.names["NEEDED"][:, :, -1]
    exact = np.outer([1 / exact_mu(2.0**power) for power in range(-1, 4)], np.sqrt([100, 1000, 10_000]))
    assert (full > exact).all() and (full < 1.1 * exact).all()
    in_the_mean = passage.names["NEEDED"] / 2.0 ** passage.names["HALVINGS"]
    assert (np.diff(in_the_mean) <= 0).all()  # the solid curve does not rise with q


@claim("training.md", "settings-of-the-runs")
def test_settings_of_the_runs(passage):
    names = passage.names
    norms = [float(f"{norm:.1f}" if norm > 1 else f"{norm:.2g}") for norm in names["NORMS"]]
    assert passage.gives(names["RATE"], *names["EPOCHS"], *norms, 720) and passage.gives(1, 2, 4, 8)
    assert list(names["EPSILONS"]) == [1 / 4, 1 / 2, 1, 2, 4, 8] and passage.gives(6, 4, 5, 6)
    assert len(names["EPSILONS"]) * len(names["EPOCHS"]) * len(norms) * len(names["SEEDS"]) == 720


@claim("training.md", "publish-the-best-run-only")
def test_publish_the_best_run_only():
    """Outcomes ranked by themselves, under two neighbours; the bound's own minimum over many orders."""
    pairs = [([0.2, 0.3, 0.5], [0.1, 0.35, 0.55]), ([0.05, 0.9, 0.05], [0.01, 0.9, 0.09]), ([0.4, 0.6], [0.6, 0.4])]
    others = 1 + np.geomspace(1e-3, 300, 60)
    for one, other in pairs:
        costs = {x: max(renyi(one, other, x), renyi(other, one, x)) for x in (1.2, 2, 8, 40, *others)}
        for mean in (1, 1.5, 10, 200):
            extra = min(math.log(mean), *((1 - 1 / x) * costs[x] + math.log(mean) / x for x in others))
            for order in (1.2, 2, 8, 40):
                allowed = costs[order] + math.log(mean) / (order - 1) + 2 * extra
                assert renyi(best_of(one, mean), best_of(other, mean), order) <= allowed + 1e-12


@claim("training.md", "cost-of-choosing-the-best-run", numbers=[10, 1, 10, 49])
def test_cost_of_choosing_the_best_run(passage):
    wrong = sum(0.1 * 0.9 ** (k - 1) * 0.5**k for k in range(1, 400))
    assert wrong == pytest.approx(1 / 11) and passage.gives(1, round(1 / wrong))
    true = renyi([1 - wrong, wrong], [wrong, 1 - wrong], 50)
    assert passage.printed == [f"{true:.2f}", f"{math.log(10) / 49:.3f}"] and true > 10 * math.log(10) / 49


@claim("training.md", "large-batches-gain-little", numbers=[2])
def test_large_batches_gain_little(passage):
    sigmas = np.geomspace(2, 1e3, 400)
    factors = sigmas * np.sqrt(np.expm1(1 / sigmas**2))
    most = 100 * (1 - 1 / factors[0])  # to the noise of a very large σ
    assert (np.diff(factors) < 0).all() and 1 < factors[-1] < 1.001
    assert most <= float(passage.printed[0]) < most + 0.1


@claim("training.md", "gain-by-the-accountant", numbers=[25, 100, 10, 0.5, 80, 160])
def test_gain_by_the_accountant(passage):
    fewer, more = least_sigma(1, 0.025, 400), least_sigma(1, 0.1, 400)
    sigma, most, falls, *short = map(float, passage.printed)
    assert sigma == math.ceil(100 * fewer) / 100
    limit = 100 * (1 - 1 / (fewer * math.sqrt(math.expm1(1 / fewer**2))))  # to the noise of a very large σ
    assert limit <= most < limit + 0.1 and falls == round(100 * (1 - more / fewer / 4), 1) and falls > most
    once, twice = least_sigma(0.5, 0.08, 10), least_sigma(0.5, 0.16, 10)
    assert short == [math.ceil(100 * once) / 100, round(100 * (1 - twice / once / 2))] and once > 2 and short[1] > falls


@claim("training.md", "none-of-the-runs", numbers=[2])
def test_none_of_the_runs():
    """The sum over the number of runs, and how much it changes if p and 1 - p change by factors of up to e^ε."""

    def none(p, mean):
        return sum((1 - p) ** k * (1 - 1 / mean) ** (k - 1) / mean for k in range(1, 400 * mean))

    for mean in (2, 10, 50):
        for p, other in ((0.1, 0.2), (0.02, 0.03), (0.5, 0.9), (0.4, 0.6)):
            assert none(p, mean) == pytest.approx((1 - p) / (1 - p + mean * p))
            factor = max(other / p, (1 - p) / (1 - other))
            assert none(p, mean) / none(other, mean) <= factor**2
    assert (0.6 / 0.4) ** 10 > (0.6 / 0.4) ** 2  # exactly ten runs at p = 0.4 and 0.6


@answers("training.md", "best-clipping-norm-at-smaller-epsilon", numbers=[1, 4, 1])
def test_question_best_clipping_norm_at_smaller_epsilon(question):
    names = question.names
    rates = names["accuracy"][20].mean(axis=0)  # ε, C
    quarter, one = names["NORMS"][rates[0].argmax()], names["NORMS"][rates[2].argmax()]
    assert question.right == [quarter < one, quarter == one, quarter > one]


@answers(
    "training.md", "patients-classified-correctly", numbers=[92, 100, 20, 1, 4, 1], choices=[[71], [80], [87], [90]]
)
def test_question_patients_classified_correctly(question):
    names = question.names
    assert names["NORMS"][2] == 1 and list(names["EPSILONS"][:3]) == [0.25, 0.5, 1]
    quarter, half, one = 100 * names["accuracy"][20][:, :3, 2].mean(axis=0)
    assert round(names["without_privacy"]) == 92
    assert [round(each) for each in (names["always_no"], quarter, half, one)] == [71, 80, 87, 90]
    assert question.right == [abs(quarter - offered) < 2 for offered in (71, 80, 87, 90)]
    again = dp_sgd.sigma(names["EPSILONS"][:3], 1e-5, 0.05, 400)  # the noise multipliers that the replies compare
    assert 1.8 < again[0] / again[1] < 2 and abs(again[0] / again[2] - 3.5) < 0.05


@claim("training.md", "noise-by-rate.alt")
def test_alt_noise_by_rate():
    seen = at_rest("training.md", "noise-by-rate")
    mean, sigma, full = seen["σ/q, in the mean"], seen["σ"], seen["all rows, exact"]
    assert seen.falls("σ/q, in the mean").all() and (mean > full).all()
    assert mean[0] / mean[len(mean) // 3] > 5 and mean[-4] / mean[-1] < 1.1
    assert seen.rises("σ").all() and sigma[len(sigma) // 3] / sigma[0] < 1.6 and sigma[-1] / sigma[-4] > 1.7


@claim("training.md", "accuracy-against-epsilon.alt", numbers=[80, 92])
def test_alt_accuracy_against_epsilon():
    seen = at_rest("training.md", "accuracy-against-epsilon")
    mean, high, low = seen["mean of six"], seen["best seed"], seen["worst seed"]
    assert (np.diff(mean) > -0.2).all() and mean[0] == pytest.approx(80, abs=2)
    assert 0 < seen["without privacy", "y"] - mean[-1] < 1.5 and round(float(seen["without privacy", "y"])) == 92
    assert (low <= mean).all() and (mean <= high).all() and high[0] - low[0] > 3 and high[-1] - low[-1] < 1.5


@claim("training.md", "constant-moves-too-far", numbers=[4])
def test_constant_moves_too_far(passage):
    """The training written again, and the constant over the length of the other weights."""
    names = passage.names
    records, y, truth, table = names["X"], names["y"], names["WEIGHTS"], names["TABLE"]
    fresh, y_new, sigma = names["X_new"], names["y_new"], float(dp_sgd.sigma(8.0, 1e-5, 0.05, 80))
    constants, yes, turned, accuracy = {}, {}, {}, {}
    for norm in names["NORMS"]:
        ratios, says_yes, right, as_trained = [], [], [], []
        for seed in range(6):
            rng, w = np.random.default_rng(seed), np.zeros(21)
            for _ in range(80):
                batch = rng.random(len(records)) < 0.05
                gradients = (special.expit(records[batch] @ w) - y[batch])[:, None] * records[batch]
                size = np.linalg.norm(gradients, axis=1)
                clipped = (gradients / np.maximum(1, size / norm)[:, None]).sum(axis=0)
                w = w - 0.5 * (clipped / norm + sigma * rng.standard_normal(21)) / (0.05 * table)
            ratios.append(w[0] / np.linalg.norm(w[1:]))
            says_yes.append((fresh @ w > 0).mean())
            as_trained.append(((fresh @ w > 0) == y_new).mean())
            w[0] = truth[0] / np.linalg.norm(truth[1:]) * np.linalg.norm(w[1:])
            right.append(((fresh @ w > 0) == y_new).mean())
        constants[norm], yes[norm], turned[norm] = np.mean(ratios), np.mean(says_yes), np.mean(right)
        accuracy[norm] = 100 * np.mean(as_trained)
    least = min(constants)
    assert 3.5 < constants[least] / (truth[0] / np.linalg.norm(truth[1:])) < 4.7
    assert yes[least] < 0.5 * y_new.mean()
    missing = names["without_privacy"] - accuracy[least]  # in percentage points
    assert float(passage.printed[0]) == pytest.approx(missing, abs=0.5)
    assert 100 * turned[least] > names["without_privacy"] - 2  # with the true constant the same weights are good


@claim("training.md", "epsilon-of-six-runs", numbers=[6])
def test_epsilon_of_six_runs(passage):
    noise = math.ceil(1000 * passage.names["noise"]) / 1000
    six = bracket(0.05, noise, 6 * 400)
    assert six.lower < six.upper <= float(passage.printed[0]) < six.upper + 0.01
    assert len(passage.names["at_one"]) == 6  # the report's accuracies are of six runs on the same patients


@claim("training.md", "runs-on-the-same-patients")
def test_runs_on_the_same_patients(passage):
    assert passage.printed == [str(6 * 4 * 5 * 6)]


@claim("training.md", "price-of-a-search", numbers=[10])
def test_price_of_a_search(passage):
    orders = np.array(dp_sgd.ORDERS)
    run = np.array([400 * sampled_budget(order, passage.names["noise"], 0.05) for order in dp_sgd.ORDERS])

    def best_of_about(mean, run):
        extra = 2 * ((1 - 1 / orders) * run + math.log(mean) / orders).min()
        return converted(run + math.log(mean) / (orders - 1) + extra)

    costs = converted(run), best_of_about(10, run), best_of_about(100, run), converted(10 * run)
    said = map(float, passage.printed)
    assert all(cost - 1e-6 <= each < cost + 0.01 for cost, each in zip(costs[1:2], said, strict=True))
    noisy = [best_of_about(mean, run + orders / (2 * 20**2)) for mean in (10, 100)]
    assert all(0.02 < more - cost < 0.06 for more, cost in zip(noisy, costs[1:3], strict=True))
    assert 2 < costs[1] / costs[0] < 2.2 and 0.5 < (costs[2] - costs[1]) / costs[0] < 0.6
    assert costs[3] < 5 * costs[0]


@claim("training.md", "noise-of-four-batches", numbers=[40, 80, 17, 160, 7, 4, 2, 40, 80])
def test_noise_of_four_batches(passage):
    full = math.sqrt(400) / optimize.brentq(
        lambda mu: converted([order * mu**2 / 2 for order in dp_sgd.ORDERS]) - 4, 0.1, 2
    )  # the budget of full batches at each order is that of one Gaussian answer
    sigmas = [*(least_sigma(4, q, 400) for q in (0.04, 0.08, 0.16)), full]
    assert passage.names["by_batch"] == pytest.approx(sigmas, rel=1e-4)
    rounded = [*(math.ceil(100 * sigma) / 100 for sigma in sigmas[:3]), math.ceil(10 * full) / 10]
    assert passage.gives(*rounded, 0.031, 0.0258, 0.0241, 0.0232) and rounded[0] < 2 < rounded[1]
    noise = [sigma / patients for sigma, patients in zip(rounded, (40, 80, 160, 1000), strict=True)]
    assert noise == pytest.approx([0.031, 0.0258, 0.0241, 0.0232], abs=5.1e-5)
    assert [round(100 * (1 - after / before)) for before, after in zip(noise, noise[1:], strict=False)] == [17, 7, 4]


@claim("training.md", "rate-where-doubling-hardly-helps", numbers=[1, 32, 1, 64, 1, 32, 13])
def test_rate_where_doubling_hardly_helps():
    """The multiplier by RDP at whole orders with the theorem's sum, in logarithms."""

    def epsilon(sigma, q, steps=1000):
        claims = []
        for alpha in range(2, 80):
            i = np.arange(alpha + 1)
            chance = special.gammaln(alpha + 1) - special.gammaln(i + 1) - special.gammaln(alpha - i + 1)
            with np.errstate(divide="ignore"):
                terms = chance + special.xlogy(i, q) + special.xlog1py(alpha - i, -q) + i * (i - 1) / (2 * sigma**2)
            budget = steps * special.logsumexp(terms) / (alpha - 1)
            claims.append(budget + math.log1p(-1 / alpha) - math.log(1e-5 * alpha) / (alpha - 1))
        return min(claims)

    mean = {j: 2**j * optimize.brentq(lambda s, j=j: epsilon(s, 2.0**-j) - 2, 0.3, 50) for j in range(3, 9)}
    falls = {j: 1 - mean[j - 1] / mean[j] for j in range(4, 9)}
    assert falls[6] == pytest.approx(0.13, abs=0.01) and falls[5] < 0.1 and all(falls[j] > 0.1 for j in (6, 7, 8))
    assert 2 < mean[5] / 2**5 < 2.4


@claim("training.md", "patient-with-five-rows", numbers=[4, 4, 2])
def test_patient_with_five_rows():
    """Five rows of random gradients: what one patient adds, in both ways, never exceeds 5C and C."""
    rng = np.random.default_rng(6)
    clip = lambda g: g * min(1, 1 / np.linalg.norm(g))  # noqa: E731 - to C = 1
    rows = rng.standard_normal((500, 5, 3)) * rng.exponential(3, (500, 5, 1))
    assert max(np.linalg.norm(sum(clip(g) for g in patient)) for patient in rows) <= 5
    assert max(np.linalg.norm(clip(patient.sum(axis=0))) for patient in rows) <= 1 + 1e-12
    assert np.linalg.norm(sum(clip(np.array([2.0, 0, 0])) for _ in range(5))) == pytest.approx(5)
    mu = {moves: math.sqrt(4 * moves**2 / 5**2) for moves in (1, 5)}  # the squares of four answers add up
    assert mu == pytest.approx({1: 2 / 5, 5: 2})
    profile = lambda m, e: stats.norm.sf(e / m - m / 2) - math.exp(e) * stats.norm.sf(e / m + m / 2)  # noqa: E731
    exact = [optimize.brentq(lambda e, m=m: profile(m, e) - 1e-5, 0, 50) for m in mu.values()]
    assert exact[1] > 5 * exact[0]
