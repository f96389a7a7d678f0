"""What accountants claim for Gaussian answers, computed in another way than the chapters do, for several pages."""

import math

import mpmath
import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom, norm


def rdp_line(sigma, alpha, k, delta):
    return alpha * k / (2 * sigma**2) + np.log(1 / delta) / (alpha - 1)


def zcdp_curve(sigma, k, delta):
    rho = k / (2 * sigma**2)
    return rho + 2 * np.sqrt(rho * np.log(1 / delta))


def advanced_curve(sigma, k, delta):
    """k Gaussian answers by the full form of advanced composition and the classic bound, half of δ for the slack."""
    slack = delta / 2
    step = math.sqrt(2 * math.log(1.25 * k / slack)) / sigma
    return step * math.sqrt(2 * k * math.log(1 / slack)) + k * step * math.expm1(step)


def pairs(k, step, slack, form):
    """ε of k pairs (step, ...) by the full form of advanced composition, or by optimal composition."""
    if form == "full":
        return step * np.sqrt(2 * k * np.log(1 / slack)) + k * step * np.expm1(step)
    truths = np.arange(k + 1)
    mass, loss = binom.pmf(truths, k, expit(step)), (2 * truths - k) * step
    return brentq(lambda eps: mass @ np.maximum(-np.expm1(eps - loss), 0) - slack, 0, k * step)


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


def gaussian_delta(sigma, epsilon):
    """δ of a count with Gaussian noise: the area of p above e^ε q, added up."""
    y = np.linspace(-20 * sigma, 20 * sigma + 1, 400_001)
    return np.maximum(norm(1, sigma).pdf(y) - np.exp(epsilon) * norm(0, sigma).pdf(y), 0).sum() * (y[1] - y[0])


def profile(epsilon, mu):
    """δ of N(μ, 1) against N(0, 1)."""
    at = epsilon / mu + mu / 2
    return norm.sf(at - mu) - np.exp(epsilon) * norm.sf(at)


def normal_epsilon(mu, delta):
    return brentq(lambda eps: profile(eps, mu) - delta, 0, 100, xtol=1e-14)


def exact_sigma(epsilon, delta):
    """σ at sensitivity 1 that is just (ε, δ)-DP."""
    return 1 / brentq(lambda mu: profile(epsilon, mu) - delta, 1e-4, 20)


def rounded_up(values, digits):
    return [f"{math.ceil(10**digits * value) / 10**digits:.{digits}f}" for value in values]
