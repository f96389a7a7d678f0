"""The rubrics of the exercises of lessons 5 and 6, by their labels."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from book.handouts.numbers import number, up
from book.handouts.rubric import of
from dp_lib import cdp, rdp, say, zcdp


@of("ex-cdp-normal")
def normal_loss() -> str:
    sigma = float(cdp.sigma((0.045, 0.3)))
    return f"""
        4: The mean of a normal loss is half of its variance.
        2: So the mean is 0.3²/2 = 0.045.
        4: The standard deviation is Δ/σ, so σ = 1/0.3 = {up(sigma)}, rounded up. Here 3.33 is right as well.

        4: The loss is said to have the mean 0, like the noise. → 0
        2: The variance without the half. → 0.09
        3: σ is taken as the standard deviation of the loss. → 0.3

        Answers: 0.045, {sigma}
        Rule: a normal loss has μ = τ²/2, with τ = Δ/σ
        """


@of("ex-cdp-coin")
def biased_bit() -> str:
    parameter, deviation = math.sqrt(1.2 / math.log(4)), 2 * math.sqrt(0.8 * 0.2)
    stop = math.ceil(100 * parameter) / 100
    return f"""
        5: The smallest τ of the slider is {stop:.2f}.
        3: The standard deviation is 2√(0.8 · 0.2) = {number(deviation)}.
        2: The subgaussian parameter is larger than the standard deviation, and a sentence says so.

        5: The standard deviation is given for τ. → {deviation}
        1: One stop too low, where the table shows that the curve is above the parabola. → {stop - 0.01}
        2: The deviation of a bit with the values 0 and 1. → {math.sqrt(0.8 * 0.2)}

        Answers: {stop}, {deviation}
        Rule: subgaussian parameter, not the standard deviation
        """


def looked(tau: float) -> float:
    """Return the subgaussian parameter of a fair coin that decides whether a Gaussian answer with τ is published."""
    lam, mu = np.geomspace(1e-3, 50, 20_000), tau**2 / 2
    log_mgf = np.logaddexp(-lam * mu / 2, lam * mu / 2 + lam**2 * tau**2 / 2) - math.log(2)
    return float(np.sqrt((2 * log_mgf / lam**2).max()))


@of("ex-cdp-look")
def coin_first() -> str:
    found = [looked(tau) for tau in (1.0, 3.0, 4.0)]
    spread = math.sqrt(3**2 / 2 + 3**4 / 16)
    return f"""
        4: The code has the logarithm of the moment-generating function of the loss, about the mean μ/2 of both steps.
        4: The parameters are {", ".join(f"{each:.3f}" for each in found)}. Accept two digits after the point.
        2: Yes, for every τ > 0: for large λ the logarithm is above λ²τ²/2.

        2: No, because at τ = 1 the difference is small enough to be taken for an error of rounding.
        3: The mean is taken as μ, the mean of the second step alone. For λ > 0 the numbers are then below τ, and for λ
          < 0 no parameter is large enough.
        6: The standard deviation of the loss is computed, and so the answer is no. At τ = 3 it is → {spread}

        Answers: {found[0]}, {found[1]}, {found[2]}
        Rule: CDP of a mechanism that is chosen after a look
        """


@of("ex-cdp-wide")
def wide_budget() -> str:
    first = float(cdp.epsilon(cdp.repeat((0.3 * math.expm1(0.3) / 2, 0.3), 50), 1e-6))
    best = float(cdp.epsilon(cdp.repeat(cdp.from_pure(0.3), 50), 1e-6))
    through = float(zcdp.epsilon_tight(zcdp.repeat(zcdp.from_pure(0.3), 50), 1e-6))
    return f"""
        3: The analyst's budget gives ε = {up(first)}.
        3: The better μ and τ give ε = {up(best)}, which is {number(first - best)} smaller.
        4: Through zCDP with the tight conversion, ε = {up(through)}, which is {number(first - through)} smaller.

        2: The τ of 50 mechanisms is 50 τ and not √50 τ. → {cdp.epsilon((25 * 0.3 * math.expm1(0.3), 15), 1e-6)}
        1: The classic conversion of zCDP, which gains nothing here. It has ρ = 2.25 and no τ, and gives →
          {up(float(zcdp.epsilon(zcdp.repeat(zcdp.from_pure(0.3), 50), 1e-6)))}

        Answers: {first}, {best}, {through}
        Rule: CDP for many answers, and the way through zCDP
        """


@of("ex-rdp-coin")
def three_orders() -> str:
    first, second, last = (float(each) for each in rdp.randomized_response(np.array([1, 2, np.inf]), 0.6))
    return f"""
        3: D₁ = 0.6 ln 1.5 − 0.4 ln 1.5 = {number(first)}.
        4: D₂ = ln(0.6²/0.4 + 0.4²/0.6) = {number(second)}.
        2: D∞ = ln 1.5 = {number(last)}.
        1: The three increase, and a sentence says so.

        1: D₂ without the logarithm. → {math.exp(second)}
        2: D₂ with only its larger summand. → {math.log(0.9)}
        2: D₁ without the minus sign of the second loss. → {last}

        Answers: {first}, {second}, {last}
        Rule: Rényi divergences of orders 1, 2 and ∞
        """


def best_line(k: int, delta: float) -> tuple[int, float]:
    """Return the whole order up to 100 whose claim for k counts with σ = 200 is the smallest, and this claim."""
    orders = np.arange(2, 101)
    claims = rdp.epsilon(orders, rdp.repeat(rdp.gaussian(orders, 200), k), delta)
    return int(orders[claims.argmin()]), float(claims.min())


@of("ex-rdp-slope")
def slope() -> str:
    order, epsilon = best_line(1000, 1e-9)
    other_order, other = best_line(1000, 1e-5)
    neighbours = [rdp.epsilon(each, rdp.repeat(rdp.gaussian(each, 200), 1000), 1e-9) for each in (order - 2, order + 2)]
    return f"""
        5: The order is α = {order}. Accept an order that is at most 2 away.
        5: ε = {say.at_most(epsilon, 3)}, rounded up. At the orders that are 2 away it is at most
          {say.at_most(max(neighbours), 3)}.

        3: δ was left at 10⁻⁵, so the order is {other_order} and ε is → {other}
        2: The value of the logarithm of the moment is given for ε. →
          {(order - 1) * rdp.repeat(rdp.gaussian(order, 200), 1000)}
        2: The order is not chosen but left at another place of the slider, for example at α = 20, where ε is →
          {up(float(rdp.epsilon(20, rdp.repeat(rdp.gaussian(20, 200), 1000), 1e-9)))}

        Answers: {order}, {epsilon}
        Rule: ε is the slope of a line to the log-moment, at the best order
        """


@of("ex-rdp-mixed")
def mixed() -> str:
    def gaussians(alpha: float) -> NDArray:
        return rdp.repeat(rdp.gaussian(alpha, 50), 100)

    def laplaces(alpha: float) -> NDArray:
        return rdp.repeat(rdp.laplace(alpha, 100), 300)

    def both(alpha: float) -> NDArray:
        return rdp.compose(gaussians(alpha), laplaces(alpha))

    def total(*curves: Callable[[float], NDArray], delta: float, tight: bool = True) -> float:
        return sum(float(rdp.optimum(curve, delta, tight).epsilon) for curve in curves)

    together, apart = total(both, delta=1e-5), total(gaussians, laplaces, delta=5e-6)
    classic = total(both, delta=1e-5, tight=False)
    classic_apart = total(gaussians, laplaces, delta=5e-6, tight=False)
    one_by_one = 100 * total(lambda alpha: rdp.gaussian(alpha, 50), delta=1e-5)
    one_by_one += 300 * total(lambda alpha: rdp.laplace(alpha, 100), delta=1e-5)
    return f"""
        4: The budgets of the two parts are added at the same order, and then the order is chosen.
        3: Together, ε = {say.at_most(together, 3)}. By the classic conversion it is {say.at_most(classic, 3)}, which is
          right as well if it is named.
        3: Apart, ε = {say.at_most(apart, 3)} with half of δ for each part, or {say.at_most(classic_apart, 3)} by the
          classic conversion.

        2: δ is not halved for the two parts, so their sum holds only at 2δ in total. →
           {total(gaussians, laplaces, delta=1e-5)}
        3: Each of the 400 answers is converted on its own at δ, and the ε are added. → {one_by_one}
        1: A list of few orders is used and not named. The ε is then a little larger.

        Answers: {together}, {apart}
        Rule: RDP budgets add up at the same order
        """


@of("ex-rdp-noise")
def noise_for_a_promise() -> str:
    log_term = math.log(1e5)
    rho = (math.sqrt(log_term + 1) - math.sqrt(log_term)) ** 2
    sigma, order = math.sqrt(500 / (2 * rho)), 1 + math.sqrt(log_term / rho)
    return f"""
        3: With the best order, ε = ρ + 2√(ρ ln(1/δ)), where ρ = k/2σ².
        3: So √ρ = √(ln(1/δ) + ε) − √ln(1/δ), and ρ = {say.at_least(rho, 4)}, rounded down.
        2: σ = √(500/2ρ) = {say.at_most(sigma, 1)}, rounded up.
        2: The order is 1 + √(ln(1/δ)/ρ) = {order:.1f}.

        2: ρ is neglected beside the root, so ρ = ε²/(4 ln(1/δ)). The σ is then too small. →
          {math.sqrt(500 * 4 * log_term / 2)}
        2: The noise of a single count. → {sigma / math.sqrt(500)}
        1: Only whole orders are tried, and the answer does not say so. The σ is then a little larger.

        Answers: {sigma}, {order}
        Rule: Gaussian RDP budget at the best order
        """
