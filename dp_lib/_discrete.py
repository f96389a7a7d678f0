"""Compute the exact privacy profile of discrete Gaussian noise, as a sum over the integers. Private to `approx`."""

import numpy as np

LIMIT = 1e4  # the widest noise that is summed: some 90 000 terms
UPWARD = 1e-12  # what rounding may take from a sum, relative to it


def delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """Return P(X > s) - e^ε P(X > s + Δ), s = εσ²/Δ - Δ/2, as one sum without differences, rounded up.

    X = x loses Δ(x - s)/σ² more than ε; where it loses less it does not count.
    """
    if np.isnan(sigma + epsilon + sensitivity):
        return np.nan
    start = epsilon * sigma**2 / sensitivity - sensitivity / 2
    nearest = max(np.floor(start) + 1, 0.0)
    if nearest > 40 * sigma:  # below the least float
        return 0.0
    # To both sides of the nearest integer as far as a term can be seen; downward there are more where the start is < 0.
    x = np.arange(max(np.floor(start) + 1, -np.ceil(40 * sigma)), np.ceil(np.hypot(nearest, 10 * sigma)) + 2)
    weights = np.exp(-(x**2) / (2 * sigma**2))
    found = np.sum(weights * -np.expm1(-sensitivity * (x - start) / sigma**2)) / _total(sigma)
    return float(min(found * (1 + UPWARD), 1))


def _total(sigma: float) -> float:
    """Return the sum of e^(-x²/2σ²) over all integers; for σ >= 3 it is the integral, to 1e-76."""
    if sigma >= 3:
        return float(np.sqrt(2 * np.pi) * sigma)
    return float(1 + 2 * np.sum(np.exp(-(np.arange(1.0, 40 * sigma + 1) ** 2) / (2 * sigma**2))))


def sigma(epsilon: float, target: float, sensitivity: float, enough: float) -> float:
    """Return the σ at which the profile, followed down from `enough` noise, first passes the target.

    Where ε is above half the sensitivity the profile has a hump between each two thresholds, eight steps apart; one
    that looks low is climbed, for its top may pass the target between two steps.
    """
    if np.isnan(epsilon + enough):
        return np.nan
    humps = epsilon > sensitivity / 2
    high = here = enough
    of_high = of_here = delta(here, epsilon, sensitivity)
    while True:
        low = here - min(here / 100, sensitivity / (16 * epsilon * here) if humps else here)
        of_low = delta(low, epsilon, sensitivity)
        if of_low > target:
            return _between(low, here, epsilon, target, sensitivity)
        if of_here > max(of_low, of_high):
            top = _top(low, high, epsilon, sensitivity)
            if delta(top, epsilon, sensitivity) > target:
                return _between(top, high, epsilon, target, sensitivity)
        high, here, of_high, of_here = here, low, of_here, of_low


def _top(low: float, high: float, epsilon: float, sensitivity: float) -> float:
    """Return where the profile is largest between two ends, by ternary search."""
    for _ in range(50):
        third = (high - low) / 3
        if delta(low + third, epsilon, sensitivity) < delta(high - third, epsilon, sensitivity):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _between(low: float, high: float, epsilon: float, target: float, sensitivity: float) -> float:
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if delta(middle, epsilon, sensitivity) > target:
            low = middle
        else:
            high = middle
    return high
