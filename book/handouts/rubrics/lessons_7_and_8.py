"""The rubrics of the exercises of lessons 7 and 8, by their labels."""

import math

import numpy as np
from scipy.special import ndtri

from book.handouts.numbers import number
from book.handouts.rubric import of
from dp_lib import approx, dp_sgd, rdp, say, zcdp
from dp_lib.pld import PrivacyLoss


@of("ex-envelope")
def envelope() -> str:
    order = 1 + math.sqrt(2 * 200**2 * math.log(1e5) / 50)
    return f"""
        3: With ρ = kΔ²/2σ², the derivative of ρα + ln(1/δ)/(α − 1) is set to zero.
        2: Its only zero is at α − 1 = √(ln(1/δ)/ρ), and it is a minimum, because the function is convex or grows at
          both ends.
        3: Both terms that depend on α − 1 are then √(ρ ln(1/δ)), so ε = ρ + 2√(ρ ln(1/δ)).
        2: α* = {order:.1f}.

        1: The 1 is forgotten. → {order - 1}
        2: k is forgotten. → {1 + math.sqrt(2 * 200**2 * math.log(1e5))}
        1: The zero is not shown to be a minimum.

        Answers: {order}
        Rule: the best order, ε = ρ + 2√(ρ ln(1/δ))
        """


@of("ex-zcdp-shares")
def best_share() -> str:
    share = 8 / 32
    headline, detail = (float(zcdp.sigma(each)) for each in (share * 0.02, (1 - share) * 0.02 / 24))
    return f"""
        4: The best share of the headline is 1/4, by the slider or as √64/(√64 + 24).
        3: The headline has ρ = 0.005, so its σ = {say.at_most(headline, 1)}.
        3: Each detail has ρ = 0.015/24, so its σ = {say.at_most(detail, 1)}, rounded up.

        2: The share is taken in proportion to the weights. → {64 / 88}
        3: The share of the details is not divided by their number. → {zcdp.sigma(0.015)}
        2: σ is taken as 1/(2ρ) without the root. The headline then has → 100

        Answers: {share}, {headline}, {detail}
        Rule: shares of ρ, with σ = 1/√(2ρ)
        """


@of("ex-zcdp-census")
def census() -> str:
    parts, delta = (2.56, 0.07), 1e-10
    together = float(zcdp.epsilon(sum(parts), delta))
    apart = sum(float(zcdp.epsilon(part, delta)) for part in parts)
    small = (math.sqrt(math.log(1e10) + 1) - math.sqrt(math.log(1e10))) ** 2
    return f"""
        3: The budgets add up to ρ = 2.63, and ε = {say.at_most(together, 2)}.
        3: Converted apart and added, ε = {say.at_most(apart, 2)}.
        2: The comparison: the sum of the ε is larger, and it holds only at 2δ in total, because each part has its
           own δ.
        2: ε = 1 allows ρ = {say.at_least(small, 4)}, rounded down.

        2: The tight conversion is used. → {zcdp.epsilon_tight(sum(parts), delta)}
        1: Nothing is said of the δ of the sum of two ε.
        2: ρ itself is neglected when ε = 1 is solved for ρ, so ρ = 1/(4 ln(1/δ)), which is too large. →
          {1 / (4 * math.log(1e10))}

        Answers: {together}, {apart}, {small}
        Rule: ρ adds up, and ε = ρ + 2√(ρ ln(1/δ))
        """


@of("ex-zcdp-kl")
def mean_loss() -> str:
    value = 0.5 * math.log(3)
    return f"""
        3: By Jensen's inequality, ln E e^(λL) ≥ λ E L, so every D_α is at least E L.
        3: From E L ≤ ρα for every α > 1 it follows that E L ≤ ρ, as α goes to 1.
        2: E L = 0.75 ln 3 − 0.25 ln 3 = {number(value)}.
        2: zcdp.from_pure(ln 3) is the same number, {number(float(zcdp.from_pure(math.log(3))))}.

        2: The inequality is used at one order only, which gives E L ≤ ρα and not E L ≤ ρ.
        2: ε²/2 is given for zcdp.from_pure. → {math.log(3) ** 2 / 2}
        2: The loss −ln 3 is counted as positive. → {math.log(3)}

        Answers: {value}
        Rule: Jensen's inequality, and the mean loss is at most ρ
        """


@of("ex-tight-cross")
def overtakes() -> str:
    powers = [2**j for j in range(11)]
    claims = [float(zcdp.epsilon_tight(zcdp.repeat(zcdp.laplace(1), k), 1e-6)) for k in powers]
    optimal = [float(approx.optimal(1, 0, k, 1e-6).epsilon) for k in powers]
    adding = next(k for k, ours in zip(powers, claims, strict=True) if ours < k)
    best = next(k for k, ours, theirs in zip(powers, claims, optimal, strict=True) if ours < theirs)
    return f"""
        2: The setting is right, ε₀ = 1 and δ = 10⁻⁶.
        4: zCDP claims less than pure composition from k = {adding} on.
        4: It claims less than optimal composition from k = {best} on.

        3: The two answers are exchanged.
        1: The position of the slider, log₂ k, is given for k. → {math.log2(adding)}
        2: A k between the powers of two is given. The figure computes only powers of two.

        Answers: {adding}, {best}
        Rule: adding up, optimal composition and zCDP with the tight conversion
        """


def first_half(tight: bool) -> int:
    """Return the first number of Laplace answers of scale 100 at which RDP's ε is at most half of ε-DP's."""
    k = np.arange(1, 200)
    claims = rdp.optimum(lambda alpha: rdp.repeat(rdp.laplace(alpha, 100), k), 1e-5, tight).epsilon
    return int(k[claims <= k / 200][0])


@of("ex-choosing-half")
def half_of_pure() -> str:
    tight, classic = first_half(True), first_half(False)
    return f"""
        3: The setting is right: Laplace noise of scale 100 and δ = 10⁻⁵.
        7: There must be {tight} answers. With {tight - 1} answers, ε is still more than half.

        2: The line “RDP” is read and not “RDP, tight”. → {classic}
        1: A stop of the slider near the answer, because no number was typed.

        Answers: {tight}
        Rule: the account “RDP, tight” against adding up
        """


@of("ex-sgd-crossing")
def shuffled() -> str:
    def is_above(sigma: float, steps: int) -> bool:
        poisson = PrivacyLoss.subsampled_gaussian(sigma, 1 / steps).repeat(steps).epsilon(1e-5).upper
        return bool(dp_sgd.shuffled(sigma, steps, 1e-5) > poisson)

    stops = [round(0.4 + 0.1 * place, 1) for place in range(17)]
    largest = next(sigma for sigma in reversed(stops) if is_above(sigma, 10_000))
    smallest = next(sigma for sigma in stops if is_above(sigma, 10))
    return f"""
        5: With T = 10 000, for σ up to {largest}.
        5: With T = 10, for σ of at least {smallest}.

        2: The comparison the other way round, so the first answer begins at → {round(largest + 0.1, 1)}
        1: One stop beside the answer. With T = 10 the next larger stop is → {round(smallest + 0.1, 1)}

        Answers: {largest}, {smallest}
        Rule: bounds for shuffled batches and for Poisson batches
        """


@of("ex-tight-errors")
def two_error_rates() -> str:
    largest = float(-2 * ndtri(0.45))
    return f"""
        3: The slope of the trade-off curve is −1 where both errors are Φ(−μ/2).
        3: The curve is convex, so it lies above its tangent there, and a + b ≥ 2Φ(−μ/2).
        2: 2Φ(−μ/2) = 0.9 is solved for μ, which gives μ = −2Φ⁻¹(0.45).
        2: μ = {say.at_least(largest, 3)}, rounded down.

        2: Convexity is not named, so only one guess is looked at.
        2: Φ(−μ/2) = 0.9 in place of its half gives a negative number. → {-2 * ndtri(0.9)}
        1: The factor 2 before the quantile is forgotten. → {-ndtri(0.45)}

        Answers: {largest}
        Rule: trade-off curve of μ-GDP and its tangent
        """
