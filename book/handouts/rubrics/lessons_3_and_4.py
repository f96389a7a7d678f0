"""The rubrics of the exercises of lessons 3 and 4, by their labels."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from book.handouts.numbers import number, up
from book.handouts.rubric import of
from dp_lib import approx, gdp, zcdp


@of("ex-approx-profile")
def profile() -> str:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.3, 0.6])

    def above(one: NDArray, other: NDArray, factor: float) -> float:
        """Return by how much one distribution exceeds the other times the factor, added up over the answers."""
        return float(np.maximum(one - factor * other, 0).sum())

    half, other_order, zero = above(p, q, 2), above(q, p, 2), above(p, q, 1)
    return f"""
        3: In one order, p exceeds 2q only at “yes”, by 0.5 − 2 · 0.1 = {number(half)}.
        3: In the other order, q exceeds 2p only at “no”, by 0.6 − 2 · 0.2 = {number(other_order)}.
        2: Both orders have to hold, so δ(ln 2) is the larger of the two, {number(half)}.
        2: δ(0) = {number(zero)}, in both orders.

        5: Only the order that begins with q is looked at. → {other_order}
        4: Only the order that begins with p is looked at, which gives the right number by luck. → {half}
        6: The probability of a loss above ln 2 is taken for δ, which is that of “yes”. → 0.5
        2: The δ of the two orders are added up. → {half + other_order}

        Answers: {half}, {zero}
        Rule: privacy profile, δ(ε) = Σ(p − e^ε q)₊ in the worse order
        """


def loss_tail(sigma: NDArray, epsilon: float) -> NDArray:
    """Return the probability that the loss of a Gaussian count, which is normal with mean 1/2σ², is above ε."""
    return ndtr(1 / (2 * sigma) - epsilon * sigma)


@of("ex-approx-tail")
def two_readings() -> str:
    stops = np.round(np.arange(1, 8.01, 0.05), 2)
    by_profile = float(stops[gdp.delta(1 / stops, 2) <= 1e-5][0])
    by_tail = float(stops[loss_tail(stops, 2) <= 1e-5][0])
    exact = float(approx.sigma_exact(2, 1e-5))
    return f"""
        3: The profile is at most 10⁻⁵ from σ = {by_profile:.2f} on, exactly from {up(exact)} on (rounded up).
        3: The tail is at most 10⁻⁵ from σ = {by_tail:.2f} on.
        4: The sufficient condition costs {100 * (by_tail / by_profile - 1):.1f} per cent more noise. (Neither a reason
          nor a calculation is asked.)

        6: One of the two curves is taken for the other, so both σ are the same, or they are exchanged. → {by_tail}
        1: The share is taken of the larger σ, in per cent. → {100 * (1 - by_profile / by_tail)}
        1: The difference is given and not a ratio. → {by_tail - by_profile}
        1: One stop too far to the left, where the profile is still above 10⁻⁵. → {by_profile - 0.05}

        Answers: {by_profile}, {by_tail}, {100 * (by_tail / by_profile - 1)}
        Rule: the profile is exact, and the tail of the loss is a sufficient condition
        """


def first_false(delta: float) -> float:
    """Return the first ε, in hundredths, at which the classic formula's σ is too small."""
    epsilon = np.round(np.arange(1, 15, 0.01), 2)
    scale = 0.5 * approx.sigma(0.5, delta)
    return float(epsilon[gdp.delta(epsilon / scale, epsilon) > delta][0])


@of("ex-approx-classic")
def classic_breaks() -> str:
    first = first_false(1e-6)
    return f"""
        3: The classic σ is √(2 ln(1.25/δ))/ε, computed by the formula and not by a function that refuses ε above 1.
        4: The code computes the exact δ of this σ at ε, for example by gdp.delta(1/σ, ε).
        3: The first ε at which it is above 10⁻⁶ is {first:.2f}. A root that is not rounded is right as well.

        5: ε = 1, the end of the range for which the formula is proved, is taken for the place where it fails. → 1
        2: The chapter's δ = 10⁻⁵ is used. → {first_false(1e-5)}
        1: The last ε at which the formula still holds. → {first - 0.01}

        Answers: {first}
        Rule: the classic σ, and the exact δ of Gaussian noise
        """


@of("ex-approx-names")
def names() -> str:
    threshold = 1 + 4 * math.log(1 / 2e-6)
    rows = math.ceil(threshold + 4 * math.log(50))
    least = math.ceil(math.log1p(0.99 * math.expm1(0.5) / 1e-6) / 0.5)
    return f"""
        2: The threshold is T = 1 + (2/ε) ln(1/2δ) = {number(threshold)}.
        3: A name with s ≥ T rows is missed with probability ½e^(−ε(s − T)/2).
        2: This is at most 0.01 for s ≥ T + (2/ε) ln 50, so for {rows} rows.
        3: Any such mechanism needs e^(sε) ≥ 1 + 0.99(e^ε − 1)/δ, so at least {least} rows.

        2: The ½ is forgotten, so ln 100 stands for ln 50. → {math.ceil(threshold + 4 * math.log(100))}
        2: The noise of scale 1/ε in place of 2/ε. → {math.ceil(1 + 2 * math.log(1 / 2e-6) + 2 * math.log(50))}
        2: The threshold itself. There the name is published only half of the time. → {math.ceil(threshold)}

        Answers: {rows}, {least}
        Rule: noise and a threshold for names
        """


@of("ex-approx-crossing")
def crossing() -> str:
    k = 2 * math.log(1e6) / (2 - math.exp(0.2)) ** 2
    return f"""
        3: Both bounds are set equal and divided by ε√k, so √(2 ln(1/δ′)) = √k (2 − e^ε).
        2: Squaring and solving for k gives the formula.
        3: For ε ≥ ln 2 the right-hand side is not positive, and the left-hand side is, so the two do not meet.
        2: k = {number(k)}. ({math.ceil(k)}, the first whole number after it, gets both points. Which bound is smaller
          is not asked.)

        8: Only the number, from the formula on the sheet. It gets the 2 points of its step.
        3: The equation is squared without a look at the sign, so the two seem to meet for every ε.
        2: Only ε = ln 2 is treated, where the denominator is 0, and no larger ε. (Then the line above does not count.)
        2: The logarithm to base 10. → {12 / (2 - math.exp(0.2)) ** 2}
        2: The square is forgotten. → {2 * math.log(1e6) / (2 - math.exp(0.2))}

        Answers: {k}
        Rule: advanced composition against basic composition
        """


def allowed(total: float, slack: float) -> tuple[int, int, int]:
    """Return how many answers with ε = 0.1 basic, advanced and optimal composition allow at δ = 10⁻⁵."""
    k = np.arange(1, 200)
    alone = (1e-5 - slack) / k
    bounds = (
        0.1 * k,
        approx.advanced(0.1, alone, k, slack).epsilon,
        approx.optimal(0.1, alone, k, slack).epsilon,
    )
    basic, advanced, optimal = (int(k[bound <= total * (1 + 1e-12)].max()) for bound in bounds)
    return basic, advanced, optimal


@of("ex-approx-questions", by_code=2)
def how_many() -> str:
    basic, advanced, optimal = allowed(2, 5e-6)
    return f"""
        2: With (2, 10⁻⁵) in total, basic composition allows {basic} answers.
        3: Advanced composition allows {advanced} answers.
        3: Optimal composition allows {optimal} answers.
        2: The code gives the same three numbers. (The code or what it prints has to be there. If slider and code differ
          and the student says so, the numbers of the code count, and 1 point is lost.)

        1: Basic composition allows one answer less, because the sum of twenty decimals is a little above 2. →
          {basic - 1}
        2: Each bound is given for one answer more, the first that is not allowed. Basic composition then has →
          {basic + 1}
        3: Advanced composition is said to allow the most, without a number.
        2: The curve “better of the two” is read as advanced composition, which then has → {basic}
        2: No k is typed, so the largest stops of the slider are given. (If the code has the right numbers and the
          student says so, only the 1 point above is lost.) Optimal composition then has 25, and advanced
          composition → 13

        Answers: {basic}, {advanced}, {optimal}
        Rule: basic, advanced and optimal composition at one total δ
        """


def stepwise(k: int, alone: float, step: float, slack: float) -> float:
    """Return ε of k counts with σ = 200 by the classic formula, composed by the better of basic and advanced."""
    by_basic = k * float(approx.sigma(0.5, alone)) * 0.5 / 200
    by_advanced = float(approx.advanced(float(approx.sigma(0.5, step)) * 0.5 / 200, step, k, slack).epsilon)
    return min(by_basic, by_advanced)


def heights(k: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return ε of advanced composition and of zCDP, each at the δ of the label and at k + 1 times this δ."""
    rho = zcdp.repeat(zcdp.gaussian(200), k)
    advanced = stepwise(k, 1e-5 / k, 5e-6 / k, 5e-6), stepwise(k, 1e-5, 1e-5, 1e-5)
    return advanced, (float(zcdp.epsilon(rho, 1e-5)), float(zcdp.epsilon(rho, (k + 1) * 1e-5)))


def lowered(k: int) -> tuple[float, float]:
    """Return by how many per cent the larger δ lowers the curves of advanced composition and of zCDP."""
    advanced, by_zcdp = (100 * (1 - flattered / fair) for fair, flattered in heights(k))
    return advanced, by_zcdp


@of("ex-errors-picture")
def fair_picture() -> str:
    advanced, by_zcdp = lowered(100)
    elsewhere = lowered(500)
    difference, of_zcdp = (fair - flattered for fair, flattered in heights(100))
    return f"""
        4: With 101 times the total δ, advanced composition is {advanced:.2f} per cent lower at k = 100.
           {advanced:.0f} is enough. (The two values that it comes from need not stand there.)
        4: zCDP is {by_zcdp:.2f} per cent lower at k = 100. {by_zcdp:.0f} is enough. (Nor need its two values.)
        2: The ε of zCDP falls by the larger percentage, by a little. (No reason is asked.)

        2: The values are read at k = 500, so zCDP has {elsewhere[1]:.1f} and advanced composition, in per cent, →
          {elsewhere[0]}
        1: The ratio is taken the other way round, so zCDP has {100 * (100 / (100 - by_zcdp) - 1):.1f} and advanced
          composition, in per cent, → {100 * (100 / (100 - advanced) - 1)}
        5: The values are subtracted, and no percentage is formed, so zCDP has {number(of_zcdp)}, and advanced
          composition seems to fall by more, by → {difference}
        6: Two different methods are compared with each other, and not the two curves of one method.

        Answers: {advanced}, {by_zcdp}
        Rule: total δ = kδ₀ + δ′
        """


@of("ex-approx-poisson")
def poisson_sampling() -> str:
    grown = float(approx.subsample((1, 1e-5), 0.1).epsilon)
    return f"""
        2: With the extra row, the density is (1 − q)p₀ + q p₁. Without it, the density is p₀.
        3: Row removed: p − e^ε′ p₀ = q(p₁ − e^ε p₀), whose positive part integrates to at most qδ.
        2: Row added: p₀ − e^ε′ p = a(p₀ − b p₁), with a and b named.
        3: a ≤ q and b ≥ e^ε are shown, so this positive part integrates to at most qδ as well.

        5: Only one direction is shown.
        2: b ≥ e^ε is claimed and not shown.
        3: ε is multiplied by q. At ε = 1 and q = 0.1 this claims less than the true {up(grown)}, namely → 0.1

        Answers: {grown}
        Rule: amplification by Poisson sampling
        """
