"""Mechanisms: `gaussian(value, sigma, rng)` returns a noisy answer. Each takes a source of randomness, `rng`, last.

How much noise a budget needs, the modules of the definitions say. `laplace` takes ε; `gaussian` takes σ, which comes
from `approx.sigma_exact(epsilon, delta)`, `rdp.sigma(alpha, epsilon_bar)`, `zcdp.sigma(rho)`, `cdp.sigma(budget)` or
`gdp.sigma(mu)`.

All but `discrete_laplace` and `discrete_gaussian` compute in floating point. They show what a mechanism does to
statistics; as they stand they do not protect anyone (see `textbook_laplace`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax

from dp_lib import approx, domain


def laplace(value: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike, rng: Generator) -> NDArray:
    """Return value + Laplace noise of scale sensitivity/ε, which is ε-DP.

    Parameters
    ----------
    value : the true answer, a number or an array (each entry gets its own noise)
    sensitivity : L1 sensitivity of the whole answer, > 0, in its units
    epsilon : pure budget for the whole answer, > 0
    rng : source of randomness

    References
    ----------
    Dwork, McSherry, Nissim & Smith 2006.

    >>> round(float(laplace(10, 1, 0.5, np.random.default_rng(1))), 3)
    10.048
    """
    value = domain.real("value", value)
    sensitivity = domain.positive("sensitivity", sensitivity)
    epsilon = domain.positive("epsilon", epsilon)
    rng = domain.generator("rng", rng)
    return value + rng.laplace(
        0, sensitivity / epsilon, np.broadcast_shapes(*map(np.shape, (value, sensitivity, epsilon)))
    )


def gaussian(value: ArrayLike, sigma: ArrayLike, rng: Generator) -> NDArray:
    """Return value + Gaussian noise of standard deviation σ.

    Parameters
    ----------
    value : the true answer, a number or a vector (each entry gets its own noise)
    sigma : standard deviation, > 0, in the answer's units; `sigma` in a definition's module gives it for a budget
    rng : source of randomness

    References
    ----------
    Dwork, Kenthapadi, McSherry, Mironov & Naor 2006; Balle & Wang 2018 for the exact σ.

    >>> sigma = approx.sigma_exact(1, 1e-5)
    >>> round(float(gaussian(10, sigma, np.random.default_rng(1))), 3)
    11.289
    """
    value = domain.real("value", value)
    sigma = domain.positive("sigma", sigma)
    rng = domain.generator("rng", rng)
    return value + rng.normal(0, sigma, np.broadcast_shapes(np.shape(value), np.shape(sigma)))


def randomized_response(bits: ArrayLike, epsilon: ArrayLike, rng: Generator) -> NDArray:
    """Return each bit as it is with probability e^ε/(1 + e^ε), otherwise flipped: ε-DP for each bit.

    Parameters
    ----------
    bits : 0 or 1, a number or an array
    epsilon : pure budget of each bit, >= 0
    rng : source of randomness

    References
    ----------
    Warner 1965.

    >>> randomized_response([0, 0, 1, 1], 1, np.random.default_rng(1)).tolist()
    [0, 0, 0, 1]
    """
    bits = domain.real("bits", bits)
    bits = domain.condition("bits", bits, (bits == 0) | (bits == 1), "0 or 1")
    epsilon = domain.nonnegative("epsilon", epsilon)
    rng = domain.generator("rng", rng)
    flip = rng.random(np.broadcast_shapes(np.shape(bits), np.shape(epsilon))) < expit(-epsilon)
    return np.where(flip, 1 - bits, bits).astype(int)[()]


def response_mean(reports: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return the unbiased estimate of the true bits' mean from randomized responses: (mean - 1/2)/tanh(ε/2) + 1/2.

    Parameters
    ----------
    reports : 0 or 1, an array with at least one entry
    epsilon : the budget with which they were given, > 0

    References
    ----------
    Warner 1965.

    >>> round(float(response_mean([0, 1, 1, 1], 2)), 4)
    0.8283
    """
    reports = np.atleast_1d(domain.real("reports", reports))
    reports = domain.condition("reports", reports, (reports == 0) | (reports == 1), "0 or 1")
    domain.positive_count("the number of reports", reports.size)
    epsilon = domain.positive("epsilon", epsilon)
    return (reports.mean() - 0.5) / np.tanh(epsilon / 2) + 0.5


def exponential_weights(scores: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike) -> NDArray:
    """Return the exponential mechanism's probabilities, in proportion to e^(ε score / 2 sensitivity).

    Parameters
    ----------
    scores : how good each candidate is; the last axis runs over candidates
    sensitivity : how far one record can move any score, > 0, in the scores' units
    epsilon : pure budget, >= 0

    References
    ----------
    McSherry & Talwar 2007.

    >>> exponential_weights([0, 1, 2], 1, 2 * np.log(2)).round(4).tolist()
    [0.1429, 0.2857, 0.5714]
    """
    return softmax(_exponents(scores, sensitivity, epsilon), axis=-1)


def exponential(scores: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike, rng: Generator) -> NDArray:
    """Return the index of a candidate, drawn by the exponential mechanism, which is ε-DP.

    Drawn as the largest of ε score / 2 sensitivity + Gumbel noise, which has the distribution `exponential_weights`.

    Parameters
    ----------
    scores : how good each candidate is; the last axis runs over candidates, one draw for each row
    sensitivity : how far one record can move any score, > 0, in the scores' units
    epsilon : pure budget of one draw, >= 0
    rng : source of randomness

    References
    ----------
    McSherry & Talwar 2007.

    >>> int(exponential([0, 10, 2], 1, 5, np.random.default_rng(1)))
    1
    """
    rng = domain.generator("rng", rng)
    return _noisy_max(_exponents(scores, sensitivity, epsilon), rng.gumbel)


def _exponents(scores: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike) -> NDArray:
    scores = np.atleast_1d(domain.real("scores", scores))
    domain.positive_count("the number of candidates", scores.shape[-1])
    sensitivity = domain.positive("sensitivity", sensitivity)
    epsilon = domain.nonnegative("epsilon", epsilon)
    return scores * np.asarray(epsilon / sensitivity)[..., None] / 2


def _noisy_max(exponents: NDArray, noise: Callable[..., NDArray]) -> NDArray:
    return np.argmax(exponents + noise(size=exponents.shape), axis=-1)


def report_noisy_max(scores: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike, rng: Generator) -> NDArray:
    """Return the index of the largest score after Laplace noise of scale 2 sensitivity/ε on each, which is ε-DP.

    Parameters
    ----------
    scores : how good each candidate is; the last axis runs over candidates, one draw for each row
    sensitivity : how far one record can move any score, > 0, in the scores' units
    epsilon : pure budget of one draw, > 0
    rng : source of randomness

    References
    ----------
    Dwork & Roth 2014, report noisy max (there for counts, which only move together and need half the noise).

    >>> int(report_noisy_max([0, 10, 2], 1, 5, np.random.default_rng(1)))
    1
    """
    epsilon = domain.positive("epsilon", epsilon)
    rng = domain.generator("rng", rng)
    return _noisy_max(_exponents(scores, sensitivity, epsilon), rng.laplace)


def permute_and_flip(scores: ArrayLike, sensitivity: ArrayLike, epsilon: ArrayLike, rng: Generator) -> NDArray:
    """Return the index of the largest score after exponential noise of mean 2 sensitivity/ε on each, which is ε-DP.

    This has the distribution of the mechanism's first form: look at the candidates in random order, and take each with
    probability e^(-ε shortfall / 2 sensitivity), where the shortfall is its distance from the best score.

    Parameters
    ----------
    scores : how good each candidate is; the last axis runs over candidates, one draw for each row
    sensitivity : how far one record can move any score, > 0, in the scores' units
    epsilon : pure budget of one draw, > 0
    rng : source of randomness

    References
    ----------
    McKenna & Sheldon 2020; Ding, Kifer, Saghaian, Steinke, Wang, Xiao & Zhang 2021 for this form.

    >>> int(permute_and_flip([0, 10, 2], 1, 5, np.random.default_rng(1)))
    1
    """
    epsilon = domain.positive("epsilon", epsilon)
    rng = domain.generator("rng", rng)
    return _noisy_max(_exponents(scores, sensitivity, epsilon), rng.exponential)


def above_threshold(answers: ArrayLike, threshold: float, sensitivity: float, epsilon: float, rng: Generator) -> int:
    """Return the index of the first answer above a noisy threshold, or -1; ε-DP for any number of answers.

    This is also called the sparse vector technique.

    Parameters
    ----------
    answers : true answers in the order of their questions, an array
    threshold : what is looked for, in the answers' units
    sensitivity : how far one record can move any answer, > 0, in the same units
    epsilon : pure budget of the whole search, > 0
    rng : source of randomness

    References
    ----------
    Dwork, Naor, Reingold, Rothblum & Vadhan 2009; Dwork & Roth 2014, AboveThreshold.

    >>> above_threshold([0, 1, 100, 0], 50, 1, 1, np.random.default_rng(1))
    2
    """
    answers = np.atleast_1d(domain.real("answers", answers))
    threshold = domain.single("threshold", domain.real("threshold", threshold))
    sensitivity = domain.single("sensitivity", domain.positive("sensitivity", sensitivity))
    epsilon = domain.single("epsilon", domain.positive("epsilon", epsilon))
    bar = laplace(threshold, sensitivity, epsilon / 2, rng)
    above = np.flatnonzero(laplace(answers, sensitivity, epsilon / 4, rng) >= bar)
    return int(above[0]) if above.size else -1


# Exact samplers: integers and fractions only, so that what is sampled is what was proved.


def discrete_laplace(value: ArrayLike, sensitivity: int, epsilon: float, rng: Generator) -> NDArray:
    """Return integers + exact discrete Laplace noise, P(x) ~ e^(-ε|x|/Δ) at sensitivity Δ, which is ε-DP.

    Parameters
    ----------
    value : the true answer, an integer or an array of integers up to 2^53
    sensitivity : L1 sensitivity of the whole answer, a whole number >= 1
    epsilon : pure budget for the whole answer, >= 2^-48 sensitivity; taken as the fraction that the float is
    rng : source of randomness

    References
    ----------
    Ghosh, Roughgarden & Sundararajan 2009; sampled as by Canonne, Kamath & Steinke 2020.

    >>> discrete_laplace([10, 10, 10], 1, 0.5, np.random.default_rng(1)).tolist()
    [9, 13, 10]
    """
    value = _integers(value)
    sensitivity = domain.single("sensitivity", domain.positive_count("sensitivity", sensitivity))
    epsilon = domain.single("epsilon", domain.positive("epsilon", epsilon))
    domain.condition("epsilon/sensitivity", epsilon / sensitivity, epsilon / sensitivity >= 2.0**-48, ">= 2^-48")
    rng = domain.generator("rng", rng)
    rate = Fraction(float(epsilon)) / int(sensitivity)
    return value + _each(np.shape(value), lambda: _laplace_noise(rate, rng))


def discrete_gaussian(value: ArrayLike, sigma: float, rng: Generator) -> NDArray:
    """Return integers + exact discrete Gaussian noise, P(x) ~ e^(-x²/2σ²): Δ²/2σ²-zCDP at L2 sensitivity Δ.

    Parameters
    ----------
    value : the true answer, an integer or an array of integers up to 2^53
    sigma : 0 < σ <= 2^48, of the noise before it is made an integer; taken as the fraction that the float is
    rng : source of randomness

    References
    ----------
    Canonne, Kamath & Steinke 2020.

    >>> discrete_gaussian([10, 10, 10], 2, np.random.default_rng(1)).tolist()
    [14, 9, 10]
    """
    value = _integers(value)
    sigma = domain.single("sigma", domain.positive("sigma", sigma))
    sigma = Fraction(float(domain.condition("sigma", sigma, sigma <= 2.0**48, "<= 2^48")))
    rng = domain.generator("rng", rng)
    return value + _each(np.shape(value), lambda: _gaussian_noise(sigma, rng))


def _integers(value: ArrayLike) -> NDArray:
    value = domain.real("value", value)
    value = domain.condition(
        "value", value, (np.floor(value) == value) & (abs(value) <= 2**53), "an integer up to 2^53"
    )
    return np.asarray(value).astype(np.int64)


def _each(shape: tuple[int, ...], draw: Callable[[], int]) -> NDArray:
    return np.array([draw() for _ in range(math.prod(shape))], np.int64).reshape(shape)


def _laplace_noise(rate: Fraction, rng: Generator) -> int:
    """Return an integer with P(x) ~ e^(-rate |x|): geometric in steps of the denominator, with a random sign."""
    while True:
        remainder = _below(rate.denominator, rng)
        if not _bernoulli_exp(Fraction(remainder, rate.denominator), rng):
            continue
        steps = 0
        while _bernoulli_exp(Fraction(1), rng):
            steps += 1
        size = (remainder + rate.denominator * steps) // rate.numerator
        negative = _below(2, rng)
        if size or not negative:  # 0 has no sign
            return -size if negative else size


def _gaussian_noise(sigma: Fraction, rng: Generator) -> int:
    """Return a Laplace integer, kept with the probability that makes it Gaussian."""
    rate = Fraction(1, math.floor(sigma) + 1)
    while True:
        x = _laplace_noise(rate, rng)
        if _bernoulli_exp((abs(x) - sigma**2 * rate) ** 2 / (2 * sigma**2), rng):
            return x


def _bernoulli_exp(gamma: Fraction, rng: Generator) -> bool:
    """Return True with probability e^(-γ), γ >= 0: by e^(-1) for each whole in it, then by the series of the rest."""
    for _ in range(math.floor(gamma)):
        if not _bernoulli_exp(Fraction(1, 2), rng) or not _bernoulli_exp(Fraction(1, 2), rng):
            return False
    gamma -= math.floor(gamma)
    steps = 1
    while _below(gamma.denominator * steps, rng) < gamma.numerator:  # with probability γ/steps
        steps += 1
    return steps % 2 == 1


def _below(n: int, rng: Generator) -> int:
    """Return a uniform integer 0 <= i < n, of any size."""
    bits = (n - 1).bit_length()
    while True:
        i = int.from_bytes(rng.bytes(-(-bits // 8))) >> (-bits % 8)
        if i < n:
            return i


# Data, not numbers.


def stable_histogram(names: ArrayLike, epsilon: float, delta: float, rng: Generator) -> dict[str, float]:
    """Return noisy counts of names that need not be known beforehand: (ε, δ)-DP for replacing one row.

    Each count that is not 0 gets Laplace noise of scale 2/ε; what is then above 1 + (2/ε) ln(1/2δ) is published.

    Parameters
    ----------
    names : one for each row
    epsilon : ε > 0
    delta : 0 < δ < 1, and at most 1/2 and 1 - e^(-ε/2)
    rng : source of randomness

    References
    ----------
    Korolova, Kenthapadi, Mishra & Ntoulas 2009; the chapter on (ε, δ)-DP proves it for replacing a row.

    >>> stable_histogram(["flu"] * 60 + ["gout"], 1, 1e-5, np.random.default_rng(1)).keys()
    dict_keys(['flu'])
    """
    epsilon = domain.single("epsilon", domain.positive("epsilon", epsilon))
    delta = domain.single("delta", domain.fraction("delta", delta))
    enough = (delta <= 0.5) & (delta <= -np.expm1(-epsilon / 2))
    delta = domain.condition("delta", delta, enough, "at most 1/2 and 1 - e^(-epsilon/2)")
    found, counts = np.unique(np.asarray(names), return_counts=True)
    noisy = laplace(counts, 2, epsilon, rng)
    bar = 1 - 2 / epsilon * np.log(2 * delta)
    return {str(name): float(count) for name, count in zip(found, noisy, strict=True) if count > bar}


def private_density(
    data: ArrayLike, at: ArrayLike, bandwidth: float, epsilon: float, delta: float, rng: Generator
) -> NDArray:
    """Return a Gaussian kernel density estimate + a Gaussian process: (ε, δ)-DP for all points together.

    The guarantee is for replacing one row. The process G has variance 1 and the kernel's correlation e^(-|x-y|²/2h²);
    it is scaled by the exact Gaussian mechanism's σ for sensitivity √2/(n (2πh²)^(d/2)), the estimate's in the norm
    that belongs to G.

    Parameters
    ----------
    data : n >= 1 rows, shape (n, d) or (n,) for d = 1
    at : points of evaluation, public, shape (m, d) or (m,)
    bandwidth : h > 0 of the kernel, public, in the data's units
    epsilon : ε >= 0
    delta : 0 < δ < 1
    rng : source of randomness

    References
    ----------
    Hall, Rinaldo & Wasserman 2013 (with √(2 ln(2/δ))/ε for the exact σ); Balle & Wang 2018.

    >>> rng = np.random.default_rng(1)
    >>> private_density(rng.normal(size=10000), [0, 0.1, 2], 0.3, 1, 1e-5, rng).round(2).tolist()
    [0.38, 0.38, 0.06]
    """
    data, at = (_rows(name, points) for name, points in (("data", data), ("at", at)))
    h = domain.positive("bandwidth", bandwidth)
    n = domain.positive_count("the number of rows", len(data))
    domain.condition("at", float(at.shape[1]), at.shape[1] == data.shape[1], f"of dimension {data.shape[1]}, as data")
    peak = 1 / (n * (2 * np.pi * h**2) ** (data.shape[1] / 2))
    estimate = peak * _kernel(at, data, h).sum(axis=1)
    rng = domain.generator("rng", rng)
    sigma = approx.sigma_exact(epsilon, delta, np.sqrt(2) * peak)
    values, vectors = np.linalg.eigh(_kernel(at, at, h))
    return estimate + sigma * vectors @ (np.sqrt(np.maximum(values, 0)) * rng.normal(size=len(at)))


def _rows(name: str, points: ArrayLike) -> NDArray:
    points = np.atleast_1d(domain.real(name, points))
    return points[:, None] if points.ndim == 1 else points


def _kernel(x: NDArray, y: NDArray, h: float) -> NDArray:
    return np.exp(-((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2) / (2 * h**2))


# Why a textbook sampler in floating point leaks (Mironov 2012).


def textbook_laplace(value: ArrayLike, scale: float, rng: Generator) -> NDArray:
    """Return value ± scale ln U for a U of 53 bits, as in textbooks. Do not use it: `possible` sees through it.

    Parameters
    ----------
    value : the true answer, a number or an array
    scale : of the noise, > 0
    rng : source of randomness

    References
    ----------
    Mironov 2012.

    >>> bool(possible(textbook_laplace(0, 1, np.random.default_rng(1)), 0, 1))
    True
    """
    value = domain.real("value", value)
    scale = domain.positive("scale", scale)
    rng = domain.generator("rng", rng)
    uniform = 1 - rng.random(np.shape(value))  # in (0, 1], a multiple of 2^-53
    return value + rng.choice([-1, 1], np.shape(value)) * (-scale * np.log(uniform))


def possible(output: ArrayLike, value: float, scale: float) -> NDArray:
    """Return whether `textbook_laplace` of this value can give this output, that is, whether some U leads there.

    Parameters
    ----------
    output : what was released, a number or an array
    value : a guess at the true answer
    scale : of the noise, > 0

    References
    ----------
    Mironov 2012.

    >>> outputs = textbook_laplace(np.zeros(1000), 1, np.random.default_rng(1))
    >>> bool(possible(outputs, 0, 1).all()), int(possible(outputs, 1, 1).sum())
    (True, 320)
    """
    output, value = domain.real("output", output), domain.real("value", value)
    scale = domain.positive("scale", scale)
    nearest = np.rint(np.exp(-abs(output - value) / scale) * 2**53)
    candidates = np.clip(nearest + np.arange(-8, 9).reshape(-1, *[1] * np.ndim(nearest)), 1, 2**53) * 2.0**-53
    noise = -scale * np.log(candidates)
    return np.any((value + noise == output) | (value - noise == output), axis=0)
