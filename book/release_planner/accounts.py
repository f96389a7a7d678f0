"""What the release planner computes, in calls of dp_lib.

Each function is played on the page as a tape, and run as it is by tests.

What a search or a special function found is raised by 2e-9, more than a browser's arithmetic may differ from NumPy's:
ε and noise on the page err upward. What is a product or a quotient is left as it is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtr

from dp_lib import approx, dp_sgd, gdp, pure, zcdp
from livefigures.trace.programme import packed
from livefigures.trace.tracing import Tape

UP = 1 + 2e-9
MOST_MU = 1e5  # up to it, x = ε/μ - μ/2 has ten digits


def moved(low: Any, high: Any, k: Any, m: Any, replace: Any, always: Any) -> tuple[tuple[Any, Any, Any], ...]:
    """How one person can move k answers, at worst: numbers of answers and by how much, in three parts.

    A person adds low to high to each of m answers and nothing to the others, or to all of them (`always`). Added or
    removed, the person moves m answers by A = max(|low|, |high|). Replaced, t answers hold the person before and after
    and move by the range R, and 2(m - t) hold one of the two and move by A; t lies between 2m - k, or 0, and m. Every
    norm's power is linear in t, so that one of the two ends is the worst: (count, size) of them and of adding.
    """
    far = np.maximum(abs(low), abs(high))
    wide = np.where(always > 0, high - low, np.maximum(high, 0) - np.minimum(low, 0))
    least = np.maximum(2 * m - k, 0)
    return (
        (np.where(replace > 0, m, 0.0), wide, 0.0 * far),
        (np.where(replace > 0, least, 0.0), wide, far * np.where(replace > 0, 2 * (m - least), 0.0)),
        (np.where(replace > 0, 0.0, m), far, 0.0 * far),
    )


def l1(low: Any, high: Any, k: Any, m: Any, replace: Any, always: Any) -> Any:
    """The L1 sensitivity of all answers together."""
    one, two, added = moved(low, high, k, m, replace, always)
    return np.maximum(np.maximum(one[0] * one[1], two[0] * two[1] + two[2]), added[0] * added[1])


def l2(low: Any, high: Any, k: Any, m: Any, replace: Any, always: Any) -> Any:
    """The L2 sensitivity of all answers together."""
    one, two, added = moved(low, high, k, m, replace, always)
    far = np.maximum(abs(low), abs(high))
    squares = [one[0] * one[1] ** 2, two[0] * two[1] ** 2 + two[2] * far, added[0] * added[1] ** 2]
    return np.sqrt(np.maximum(np.maximum(squares[0], squares[1]), squares[2]))


def beyond(mu: Any, x: Any) -> Any:
    """P(|L| > ε) of Gaussian noise, where x = ε/μ - μ/2: how often the odds move by more than e^ε, up or down.

    Rounded up, to 1 at most.
    """
    return np.minimum(1, UP * (ndtr(-x) + ndtr(-mu - x)))


def beyond_least(mu: Any, delta: Any) -> Any:
    """P(|L| > ε) at the least ε of this δ, from above.

    It falls in x, and ε itself, which is rounded up, would give too large an x. So x is lowered by more than rounding
    raises it. A large μ leaves x no digits, but P falls in μ as well, for δ = Φ(-x) - φ(x)M(x + μ) with Mills' ratio M,
    which falls: the larger μ, the larger x. So P is that of MOST_MU there.
    """
    mu = np.minimum(mu, MOST_MU)
    x = gdp.epsilon(mu, delta) / mu - mu / 2
    return beyond(mu, x - 1e-9 * (1 + abs(x)))


def rho_classic(epsilon: Any, delta: Any) -> Any:
    """ρ at which zCDP's first conversion gives ε: below that of the tight one."""
    ell = -np.log(delta)
    return (epsilon / (np.sqrt(epsilon + ell) + np.sqrt(ell))) ** 2


def rho_tight(epsilon: Any, delta: Any) -> Any:
    """ρ at which the tight conversion gives ε, from below: log δ is concave in ρ, so secants stay on the left."""
    target = np.log(delta)
    high = rho_classic(epsilon, delta)
    low = high / 2
    f_low = np.log(zcdp.delta_tight(low, epsilon))
    for _ in range(12):
        f_high = np.log(zcdp.delta_tight(high, epsilon))
        slope = (f_high - f_low) / (high - low)
        rise = (target - f_high) / slope
        moves = abs(rise) > 1e-12 * high
        low, f_low, high = np.where(moves, high, low), np.where(moves, f_high, f_low), high + np.where(moves, rise, 0.0)
    return high * (1 - 1e-8)


def shuffled_in_part(sigma: Any, whole: Any, part: Any, delta: Any) -> Any:
    """ε of whole epochs in a shuffled order and of a part of one more, an example replaced by a blank.

    The order puts the example into the part that is trained on with probability `part`; then it is in whole + 1
    batches, else in `whole` of them. Given which, δ(ε) is that of Gaussian noise; given neither, δ(ε) is at most the
    mean of the two, since the divergence is convex. The halving keeps the upper end, where that mean is at most δ.
    """

    def failing(epsilon: Any) -> Any:
        without = np.where(whole > 0, gdp.delta(np.sqrt(np.maximum(whole, 1)) / sigma, epsilon), 0.0)
        return part * gdp.delta(np.sqrt(whole + 1) / sigma, epsilon) + (1 - part) * without

    low, high = 0.0 * sigma, gdp.epsilon(np.sqrt(whole + 1) / sigma, delta)
    for _ in range(50):
        middle = (low + high) / 2
        enough = failing(middle) <= delta
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


GAUSSIAN: dict[str, Callable] = {
    "mu": lambda l2, sigma: l2 / sigma,
    "rho": lambda l2, sigma: zcdp.gaussian(sigma, l2),
    "exact": lambda l2, sigma, delta: UP * gdp.epsilon(gdp.gaussian(sigma, l2), delta),
    "zcdp-tight": lambda l2, sigma, delta: UP * zcdp.epsilon_tight(zcdp.gaussian(sigma, l2), delta),
    "zcdp": lambda l2, sigma, delta: UP * zcdp.epsilon(zcdp.gaussian(sigma, l2), delta),
    "total-exact": lambda l2, sigma, delta, times: UP * gdp.epsilon(np.sqrt(times) * l2 / sigma, delta),
    "total-tight": lambda l2, sigma, delta, times: UP * zcdp.epsilon_tight(times * zcdp.gaussian(sigma, l2), delta),
    "beyond": lambda l2, sigma, epsilon: beyond(l2 / sigma, epsilon * sigma / l2 - l2 / sigma / 2),
    "beyond-least": lambda l2, sigma, delta: beyond_least(l2 / sigma, delta),
    "sigma": lambda l2, epsilon, delta: UP * approx.sigma_exact(epsilon, delta, l2),
    "sigma-discrete": lambda l2, epsilon, delta: UP * zcdp.sigma(rho_tight(epsilon, delta), l2),
    "sigma-rho": lambda l2, rho: UP * zcdp.sigma(rho, l2),
    "sigma-mu": lambda l2, mu: gdp.sigma(mu, l2),
}
LAPLACE: dict[str, Callable] = {
    "pure": lambda l1, scale: pure.laplace(scale, l1),
    "scale": lambda l1, epsilon: pure.scale(epsilon, l1),
    # Any ε-DP release at this ε, whichever way its answers move.
    "pure-tight": lambda epsilon, delta: UP * pure.epsilon(epsilon, delta),
    "pure-rho": lambda epsilon: UP * zcdp.from_pure(epsilon),
}
COINS: dict[str, Callable] = {
    "coins": lambda epsilon_0, m, delta: UP * approx.optimal(epsilon_0, 0, m, delta).epsilon,
    "lie": lambda epsilon_0: np.exp(-epsilon_0) * pure.truth_probability(epsilon_0),
    "coins-rho": lambda epsilon_0, m: UP * m * zcdp.from_pure(epsilon_0),
    "rho-total": lambda rho, delta, times: UP * zcdp.epsilon_tight(times * rho, delta),
    "choices-rho": lambda epsilon_0, k: UP * k * zcdp.exponential(epsilon_0),
    "choices": lambda epsilon_0, k, delta: UP * zcdp.epsilon_tight(k * zcdp.exponential(epsilon_0), delta),
}
MOVES: dict[str, Callable] = {"l1": l1, "l2": l2}
# Of each: how it is asked for, what "neighbouring" means under it, and how a sentence names its batches.
SAMPLERS = {
    "poisson": ("each example independently (Poisson)", "one example added or removed", "Poisson-sampled batches"),
    "shuffled": ("shuffled order", "one example replaced by a blank, whose gradient is 0", "shuffled batches"),
    "fixed": ("fixed size, at random", "one example replaced by another", "random fixed-size batches"),
}
TRAIN: dict[str, Callable] = {
    "rdp": lambda sigma, q, steps, delta: UP * dp_sgd.epsilon(sigma, q, steps, delta),
    # Sampling never costs: the steps without it, each moved by one clipping norm. Exact where the rate is 1.
    "every-step": lambda sigma, steps, delta: UP * gdp.epsilon(np.sqrt(steps) / sigma, delta),
    # No amplification: an example that is replaced moves each step's sum by 2 clipping norms.
    "fixed": lambda sigma, steps, delta: UP * gdp.epsilon(2 * np.sqrt(steps) / sigma, delta),
    # One batch of an epoch holds the example, and the others do not see it: one answer an epoch. Blanked, it moves 1.
    "shuffled": lambda sigma, epochs, delta: UP * gdp.epsilon(np.sqrt(epochs) / sigma, delta),
    "shuffled-part": lambda sigma, whole, part, delta: UP * shuffled_in_part(sigma, whole, part, delta),
    "shuffled-lower": lambda sigma, batches, delta: dp_sgd.shuffled(sigma, batches, delta) / UP,
}


def tape(functions: dict[str, Callable]) -> dict[str, Any]:
    """The functions as one tape, and the place of each one's result on it."""
    written = Tape()
    names = {
        name: function.__code__.co_varnames[: function.__code__.co_argcount] for name, function in functions.items()
    }
    results = [
        written.output(function(**{argument: written.input(argument) for argument in names[name]}))
        for name, function in functions.items()
    ]
    operations, places = written.finish(results)
    inputs = {name: list(arguments) for name, arguments in names.items()}
    return {"operations": packed(operations), "outputs": dict(zip(functions, places, strict=True)), "inputs": inputs}
