"""Checks of chapters/choosing.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, laplace, norm

from claims import answers, at_rest, claim
from dp_lib.pld import PrivacyLoss


def gaussian_delta(mu, epsilon):
    """δ(ε) of μ-GDP, by an integral of the discounted loss."""

    def discounted(loss):
        return mpmath.npdf(loss, mu**2 / 2, mu) * -mpmath.expm1(epsilon - loss)

    return mpmath.quad(discounted, [epsilon, epsilon + 2 * mu, epsilon + 12 * mu])


def least_epsilon(mu, delta):
    """ε of μ-GDP at δ, by bisection of that integral."""
    return brentq(lambda epsilon: float(gaussian_delta(mu, epsilon)) - delta, 0, 100 * mu, xtol=1e-9)


@claim("choosing.md", "loss-beyond-exact-epsilon")
def test_loss_beyond_exact_epsilon(passage):
    mu = np.sqrt(500) / 200
    epsilon = least_epsilon(mu, 1e-5)
    up, down = norm.sf(epsilon, mu**2 / 2, mu), norm.cdf(-epsilon, mu**2 / 2, mu)
    assert (passage.names["up"], passage.names["down"]) == pytest.approx((up, down), rel=1e-5)
    assert up + down > 50e-5
    for noise in (0.5, 3, 50):  # the tail is above δ at every noise
        one = least_epsilon(1 / noise, 1e-5)
        assert norm.sf(one, 0.5 / noise**2, 1 / noise) > 1e-5


@claim("choosing.md", "epsilon-beyond-which-hospital-moves", numbers=[1e-05])
def test_epsilon_beyond_which_hospital_moves(passage):
    mu, epsilon, factor = np.sqrt(500) / 200, *map(float, passage.printed)
    beyond = [norm.sf(e, mu**2 / 2, mu) + norm.cdf(-e, mu**2 / 2, mu) for e in (epsilon - 1e-4, epsilon)]
    assert beyond[1] <= 1e-5 < beyond[0]
    odds = [norm.sf(e, mu**2 / 2, mu) + norm.cdf(-e, mu**2 / 2, mu) for e in np.log([factor - 0.01, factor])]
    assert odds[1] <= 1e-5 < odds[0]
    for part in (0.2, 0.6, 0.9):  # a row that moves the counts by less is protected better
        less = part * mu
        assert norm.sf(epsilon, less**2 / 2, less) + norm.cdf(-epsilon, less**2 / 2, less) < beyond[1]


@claim("choosing.md", "local-noise-against-total-only", numbers=[1e-06, 1000, 1])
def test_local_noise_against_total_only(passage):
    truth = np.e / (1 + np.e)

    def needed(yes_sayers):
        """ε of one coin among 999 others, `yes_sayers` of which would say yes."""
        others = np.convolve(
            binom.pmf(np.arange(yes_sayers + 1), yes_sayers, truth),
            binom.pmf(np.arange(1000 - yes_sayers), 999 - yes_sayers, 1 - truth),
        )
        one, other = (np.convolve(others, bit) for bit in ([1 - truth, truth], [truth, 1 - truth]))

        def profile(e):
            return max(np.maximum(p - np.exp(e) * q, 0).sum() for p, q in ((one, other), (other, one)))

        return brentq(lambda e: profile(e) - 1e-6, 0, 1)

    assert float(passage.printed[0]) == pytest.approx(needed(0), abs=6e-4)
    assert max(needed(m) for m in range(0, 1000, 111)) <= needed(0) + 1e-9  # and no others hide it less


@claim("choosing.md", "gaussian-smaller-in-the-tail", numbers=[1000])
def test_gaussian_smaller_in_the_tail(passage):
    sigma = brentq(lambda s: float(gaussian_delta(1 / s, 1)) - 1e-6, 1, 20)
    star = sigma**2 / 2

    def at(k):
        return (laplace.isf(5e-4, scale=k), norm.isf(5e-4, scale=np.sqrt(k) * sigma))

    meet = brentq(lambda k: at(k)[0] - at(k)[1], 0.1, 100)
    assert meet / star <= float(passage.printed[0]) < meet / star + 0.01


@answers("choosing.md", "largest-over-smallest-number", choices=[[1.4], [4], [10], [40]])
def test_question_largest_over_smallest_number(question):
    step = np.sqrt(2 * np.log(1.25 * 500 / 1e-5)) / 200
    times = 500 * step / least_epsilon(np.sqrt(500) / 200, 1e-5)
    assert question.right == [times == pytest.approx(said, rel=0.1) for said in (1.4, 4, 10, 40)]


@claim("choosing.md", "two-numbers-of-five-rows")
def test_two_numbers_of_five_rows(passage):
    rho, exact = 500 / (2 * 200**2), least_epsilon(np.sqrt(500) / 200, 1e-5)
    orders = np.geomspace(1.01, 1e4, 200_001)
    tight = (orders * rho + np.log1p(-1 / orders) - (np.log(1e-5) + np.log(orders)) / (orders - 1)).min()
    classic = (orders * rho + np.log(1e5) / (orders - 1)).min()
    assert passage.printed[-2:] == [f"{tight / exact:.2f}", f"{classic / exact:.2f}"]
    shown = {name: value / exact for name, value in passage.names["hospital"].items()}
    assert [shown[name] for name in ("RDP, tight", "zCDP, tight")] == pytest.approx([tight / exact] * 2, rel=1e-5)
    assert [shown[name] for name in ("CDP", "RDP", "zCDP")] == pytest.approx([classic / exact] * 3, rel=1e-5)


@claim("choosing.md", "calculator-near-the-truth")
def test_calculator_near_the_truth(passage):
    """A hundred answers have the largest distance, where the calculator takes each for a randomized response."""
    losses = (100 - 2 * np.arange(101)) * 0.1
    mass = binom.pmf(np.arange(101), 100, 1 / (1 + np.exp(0.1)))
    least = brentq(lambda e: (mass * np.maximum(-np.expm1(e - losses), 0)).sum() - 1e-5, 0, 10)
    excess = passage.names["excess"]
    assert len(excess) == 3 and max(excess) == excess[1]
    above = 100 * (least / PrivacyLoss.laplace(10).repeat(100).epsilon(1e-5).lower - 1)
    assert above <= float(passage.printed[0]) < above + 0.1


@answers("choosing.md", "laplace-noise-over-gaussian", numbers=[1, 1e-06, 1000], choices=[[10], [32], [100], [1000]])
def test_question_laplace_noise_over_gaussian(question):
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.05, 0.5)  # of all counts together

    def times(k):
        return np.sqrt(2) * k / (np.sqrt(k) / mu)

    assert question.right == [abs(times(1000) / offered - 1) < 0.1 for offered in (10, 32, 100, 1000)]
    assert times(8) < 1 < times(9) and abs(3 * times(1) - 1) < 0.05
    assert question.printed == [f"{times(1000):.1f}"]


@answers(
    "choosing.md", "epsilon-of-a-person-with-ten-rows", numbers=[0.5, 1e-05, 10], choices=[[0.5], [1.6], [5], [6.6]]
)
def test_question_epsilon_of_a_person_with_ten_rows(question):
    mu = brentq(lambda m: float(gaussian_delta(m, 0.5)) - 1e-5, 0.05, 0.5)
    ten = least_epsilon(10 * mu, 1e-5)
    assert question.right == [abs(ten - 0.5) < 0.1, abs(ten - 1.6) < 0.2, abs(ten - 5) < 0.2, abs(ten - 6.6) < 0.1]


@claim("choosing.md", "two-laplace-answers-need-bounds")
def test_two_laplace_answers_need_bounds():
    two = PrivacyLoss.laplace(1).repeat(2)
    beyond = [-np.log1p(-two.delta(e).lower) for e in (0.5, 1.0, 1.5)]  # a line in ε for one answer
    assert abs(beyond[0] - 2 * beyond[1] + beyond[2]) > 0.01


@answers("choosing.md", "least-epsilon-for-accuracy", numbers=[50, 95, 100], choices=[[0.06], [0.6], [6], [60]])
def test_question_least_epsilon_for_accuracy(question):
    least = brentq(
        lambda epsilon: laplace.cdf(50, scale=1 / epsilon) - laplace.cdf(-50, scale=1 / epsilon) - 0.95, 1e-3, 10
    )
    assert question.right == [least == pytest.approx(said, rel=0.05) for said in (0.06, 0.6, 6, 60)]


@claim("choosing.md", "yearly-release", numbers=[1, 1e-06, 5, 10])
def test_yearly_release(passage):
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    for printed, years in zip(passage.printed, (5, 10), strict=True):
        assert 0 <= float(printed) - least_epsilon(mu * np.sqrt(years), 1e-6) < 0.0101


@claim("choosing.md", "patients-in-empty-cells", numbers=[2, 1000, 1])
def test_patients_in_empty_cells(passage):
    gain = mpmath.quad(lambda noise: noise * mpmath.exp(-noise) / 2, [0, mpmath.inf])
    assert float(1000 * gain) == pytest.approx(float(passage.printed[0]))


@claim("choosing.md", "odds-multiplied-at-most")
def test_odds_multiplied_at_most():
    """Every answer of a Laplace count, and the belief after it."""
    for epsilon in (0.1, 1, 5):
        y = np.linspace(-30 / epsilon, 30 / epsilon, 4001)
        after = laplace.pdf(y, 1, 1 / epsilon) / (laplace.pdf(y, 0, 1 / epsilon) + laplace.pdf(y, 1, 1 / epsilon))
        assert after.max() == pytest.approx(1 / (1 + np.exp(-epsilon)))


@claim("choosing.md", "belief-and-error.alt", numbers=[0.5, 0.1, 0.2])
def test_alt_belief_and_error():
    seen = at_rest("choosing.md", "belief-and-error")
    belief, right, epsilon = seen["attacker, at most"], seen["count within ±m"], seen["epsilon"]
    assert belief[0] == pytest.approx(0.5, abs=0.01) and right[0] < 0.1 and min(belief[-1], right[-1]) > 0.99
    assert (right < belief)[epsilon < 0.1].all() and (right > belief)[epsilon > 0.2].all()


@claim("choosing.md", "calculator.alt", numbers=[3])
def test_alt_calculator():
    seen = at_rest("choosing.md", "calculator")
    curves = {name: seen[name] for name in seen.figure.curves}
    pairs = np.array([curve for name, curve in curves.items() if name.startswith("(ε, δ)")])
    rest = np.array([curves[name] for name in ("CDP", "RDP", "RDP, tight", "zCDP", "zCDP, tight")])
    many = seen["k"] > 100
    assert (np.nanmin(pairs, axis=0) > 2 * rest.max(axis=0))[many].all() and (
        rest.max(axis=0) < 2 * rest.min(axis=0)
    ).all()
    assert (curves["exact"] < rest.min(axis=0)).all()


@claim("choosing.md", "noise-needed.alt", numbers=[2])
def test_alt_noise_needed():
    seen = at_rest("choosing.md", "noise-needed")
    slopes = {}
    for name in seen.figure.curves:
        known = np.flatnonzero(np.isfinite(seen[name]) & (seen["k"] > 100))
        slopes[name] = np.polyfit(np.log(seen["k"][known]), np.log(seen[name][known]), 1)[0]
    steep = {"Laplace, ε-DP", "Gaussian, basic"}
    assert all(slope == pytest.approx(1 if name in steep else 0.5, abs=0.06) for name, slope in slopes.items())
    ends = {name: seen[name][-1] for name in slopes}
    assert min(ends[name] for name in steep) > 3 * max(end for name, end in ends.items() if name not in steep)


@claim("choosing.md", "rows-of-one-person.alt")
def test_alt_rows_of_one_person():
    seen = at_rest("choosing.md", "rows-of-one-person")
    line, rows = seen["Laplace, ε-DP"], seen["m"]
    assert np.allclose(line / rows, line[0] / rows[0])
    for name in ("Gaussian, exact", "Gaussian, zCDP tight"):
        assert seen[name][0] > line[0] and (np.diff(seen[name], 2) > -1e-9).all()


@claim("choosing.md", "basic-below-optimal-composition", numbers=[18.9, 20, 1e-06])
@claim("choosing.md", "calculator.caption", numbers=[0.5])
def test_basic_below_optimal_composition(passage):
    """The classic σ read backwards; optimal composition by the binomial tail."""
    k, sigma, delta = 20, 18.9, 1e-6
    basic = k * np.sqrt(2 * np.log(1.25 * k / delta)) / sigma
    step = np.sqrt(2 * np.log(2.5 * k / delta)) / sigma
    told, losses = 1 - (1 - delta / 2 / k) ** k, (k - 2 * np.arange(k + 1)) * step
    mass = binom.pmf(np.arange(k + 1), k, 1 / (1 + np.exp(step)))

    def profile(epsilon):
        return told + (1 - told) * (mass * np.maximum(-np.expm1(epsilon - losses), 0)).sum()

    optimal = brentq(lambda epsilon: profile(epsilon) - delta, 0, k * step)
    assert optimal > basic
    assert not passage.printed or passage.printed == [
        f"{np.ceil(100 * proved) / 100:.2f}" for proved in (optimal, basic)
    ]


@claim("choosing.md", "counts-tends-times-gaussian", numbers=[2])
def test_counts_tends_times_gaussian(passage):
    laplace, gaussian = passage.names["deviation_laplace_zcdp"], passage.names["sigma_zcdp_tight"]
    for epsilon in (1.0, 8.0):
        ratios = [laplace(epsilon, 1e-6, k) / gaussian(epsilon, 1e-6, k) for k in (1, 10, 100, 1000, 100_000)]
        assert (np.diff(ratios) > 0).all() and 1.413 < ratios[-1] < np.sqrt(2)


@claim("choosing.md", "laplace-noise-standard-deviation")
def test_laplace_noise_standard_deviation(passage):
    assert float(passage.printed[0]) == round(float(np.sqrt(2)), 2)
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    assert 1 / mu <= float(passage.printed[1]) < 1 / mu + 0.01


@claim("choosing.md", "weak-laplace-answers-are-nearly-binary", numbers=[100, 500])
def test_weak_laplace_answers_are_nearly_binary(passage):
    """The share of answers at which neither log-density is parallel to the other: between the two counts."""
    y, width = np.linspace(-3000, 3001, 6_001_001, retstep=True)
    loss = (abs(y - 1) - abs(y)) / 100
    between = abs(loss) < 0.01 - 1e-9
    share = width * laplace.pdf(y, scale=100)[between].sum()
    assert float(passage.printed[-1]) == pytest.approx(100 * share, abs=0.05)
