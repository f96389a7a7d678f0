"""Checks of chapters/choosing.md."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, laplace, norm

from claims import answers, at_rest, claim


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


@answers(
    "choosing.md", "epsilon-of-a-person-with-ten-rows", numbers=[0.5, 1e-05, 10], choices=[[0.5], [1.6], [5], [6.6]]
)
def test_question_epsilon_of_a_person_with_ten_rows(question):
    mu = brentq(lambda m: float(gaussian_delta(m, 0.5)) - 1e-5, 0.05, 0.5)
    ten = least_epsilon(10 * mu, 1e-5)
    assert question.right == [abs(ten - 0.5) < 0.1, abs(ten - 1.6) < 0.2, abs(ten - 5) < 0.2, abs(ten - 6.6) < 0.1]


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


@claim("choosing.md", "rows-of-one-person.alt")
def test_alt_rows_of_one_person():
    seen = at_rest("choosing.md", "rows-of-one-person")
    line, rows = seen["Laplace, ε-DP"], seen["m"]
    assert np.allclose(line / rows, line[0] / rows[0])
    for name in ("Gaussian, exact", "Gaussian, zCDP tight"):
        assert seen[name][0] > line[0] and (np.diff(seen[name], 2) > -1e-9).all()


@claim("choosing.md", "hundred-answers-by-zcdp", numbers=[100])
def test_hundred_answers_by_zcdp(passage):
    """The tight conversion at the best of many orders, and the exact σ by the integral."""
    orders = np.geomspace(1.01, 1e3, 100_001)

    def by_zcdp(sigma):
        rho = 100 / (2 * sigma**2)
        return (orders * rho + np.log1p(-1 / orders) - (np.log(1e-6) + np.log(orders)) / (orders - 1)).min()

    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    times = brentq(lambda sigma: by_zcdp(sigma) - 1, 20, 100) * mu / 10
    assert times <= float(passage.printed[0]) < times + 0.01 + 1e-6


@claim("choosing.md", "hundred-answers-by-pairs", numbers=[100])
def test_hundred_answers_by_pairs(passage):
    """Half of δ for the steps, by the classic σ read backwards, and half as the slack of optimal composition."""
    mu = brentq(lambda m: float(gaussian_delta(m, 1)) - 1e-6, 0.1, 0.5)
    k, delta = 100, 1e-6
    step = np.sqrt(2 * np.log(2.5 * k / delta)) * mu / 10
    given_away, losses = 1 - (1 - delta / 2 / k) ** k, (k - 2 * np.arange(k + 1)) * step
    mass = binom.pmf(np.arange(k + 1), k, 1 / (1 + np.exp(step)))

    def profile(epsilon):
        return given_away + (1 - given_away) * (mass * np.maximum(-np.expm1(epsilon - losses), 0)).sum()

    times = brentq(lambda epsilon: profile(epsilon) - delta, 0, k * step)
    assert times <= float(passage.printed[0]) < times + 0.1
