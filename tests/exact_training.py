"""δ of DP-SGD by integrals: no lattice, no rounding of losses, and no code of dp_lib or of the planner."""

import exact_tails
import mpmath
import numpy as np
from numpy.typing import NDArray

OUTPUTS, FREQUENCIES, MOST = 2001, 512, 60_000


def log_ratio(x: NDArray, sigma: float, q: float) -> NDArray:
    """Return the loss at the output x when an example is removed; its negative when the example is added."""
    return np.logaddexp(np.log1p(-q), np.log(q) + (x - 0.5) / sigma**2)


def tilted(sigma: float, q: float, added: bool, theta: float) -> tuple[float, NDArray, NDArray]:
    """Return ln E e^(θL) of one step, losses at many outputs, and the tilted probabilities of these."""
    x = np.linspace(-13 * sigma - added * theta, 1 + (not added) * theta + 13 * sigma, OUTPUTS)
    log_p = -((x / sigma) ** 2) / 2 + np.log((x[1] - x[0]) / (sigma * np.sqrt(2 * np.pi)))
    loss = log_ratio(x, sigma, q)
    log_p, loss = (log_p, -loss) if added else (log_p + loss, loss)
    exponents = log_p + theta * loss
    largest = exponents.max()
    masses = np.exp(exponents - largest)
    return float(largest + np.log(masses.sum())), loss, masses / masses.sum()


def delta(sigma: float, q: float, steps: int, epsilon: float, added: bool = False) -> float:
    """Return δ(ε) of these steps: the integral of E e^(zS) e^(-zε) / (z(z+1)) over a line through its saddle point.

    S is the sum of the losses. The trapezoidal rule takes so many frequencies that the last ones add nothing.
    """
    low, high = -10.0, 25.0
    for _ in range(60):
        theta = np.exp((low + high) / 2)
        _, loss, p = tilted(sigma, q, added, theta)
        far = steps * (p @ loss) - 1 / theta - 1 / (theta + 1) > epsilon
        low, high = (low, np.log(theta)) if far else (np.log(theta), high)
    log_mean, loss, p = tilted(sigma, q, added, theta)
    mean = p @ loss
    deviation = np.sqrt(steps * (p @ (loss - mean) ** 2))
    rates, end = 7 / deviation / 2.0 ** np.arange(12), loss.max()
    reaches = [(steps * (np.log(p @ np.exp(r * (loss - end))) + r * (end - mean)) + 25) / r for r in rates]
    window = max(min(reaches) + 2 * deviation, (25 + 30) / theta)
    steps_from_first = 2 * np.pi / window * np.arange(FREQUENCIES)
    turned = np.exp(1j * np.outer(steps_from_first, loss - mean))
    total, first, last = 0.0, 0, np.inf
    while last >= 1e-9 * abs(total) and first < MOST:
        u = 2 * np.pi / window * first + steps_from_first
        once = turned @ (p * np.exp(1j * u[0] * (loss - mean)))
        z = theta + 1j * u
        terms = np.exp(steps * np.log(once) + 1j * u * (steps * mean - epsilon)) / (z * (z + 1))
        total += (2 - (first == 0)) * terms[0].real + 2 * terms[1:].real.sum()
        first += FREQUENCIES
        last = first * abs(terms[-20:]).max()
    assert last < 1e-4 * abs(total), "more frequencies matter: a few steps with little noise need another integral"
    return float(np.exp(steps * log_mean - theta * epsilon) * total / window)


def delta_of_two_steps(sigma: float, q: float, epsilon: float) -> mpmath.mpf:
    """Return δ(ε) of two steps by mpmath: the mean of one step's δ at ε less the other step's loss."""
    sigma, q, epsilon = map(mpmath.mpf, (sigma, q, epsilon))

    def loss(x):
        return mpmath.log(1 - q + q * mpmath.exp((x - mpmath.mpf(1) / 2) / sigma**2))

    def removing(x):
        rest = exact_tails.delta(exact_tails.sampled(sigma, q, epsilon - loss(x)))
        return mpmath.npdf(x, 0, sigma) * mpmath.exp(loss(x)) * rest

    def adding(x):
        return mpmath.npdf(x, 0, sigma) * exact_tails.delta(
            exact_tails.sampled(sigma, q, epsilon + loss(x), added=True)
        )

    largest = mpmath.mpf(1) / 2 + sigma**2 * mpmath.log((mpmath.exp(epsilon) - 1 + q) / q)  # where the loss is epsilon
    ends = sorted({-13 * sigma, mpmath.mpf(0), mpmath.mpf(1), largest, 1 + 13 * sigma})
    return max(mpmath.quad(removing, ends), mpmath.quad(adding, ends))
