"""Audits: `epsilon(hits, trials)` returns the lower bound on ε that guesses about one row prove.

An audit proves a lower bound on ε from guesses about one row (Jagielski, Ullman & Oprea 2020). A mechanism runs on one
of two neighbouring tables, drawn by a fair coin; an attacker sees the answer and says which. Nobody is right more
often, in the long run, than (ε, δ)-DP allows, so enough right guesses, in a number of trials that was fixed beforehand,
prove a lower bound on ε. Rounding errs downward.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, expit

from dp_lib import domain


def hit_rate(epsilon: ArrayLike, delta: ArrayLike = 0) -> NDArray:
    """Return the largest share of right guesses that (ε, δ)-DP leaves to any attacker: (e^ε + δ)/(e^ε + 1).

    Parameters
    ----------
    epsilon, delta : budget, epsilon >= 0, 0 <= delta <= 1; they broadcast

    References
    ----------
    Kairouz, Oh & Viswanath 2015: the two kinds of errors that (ε, δ)-DP allows a test.

    >>> round(float(hit_rate(1)), 6)
    0.731059
    """
    epsilon = domain.nonnegative("epsilon", epsilon)
    delta = domain.probability("delta", delta)
    return expit(epsilon) + delta * expit(-epsilon)


def share(hits: ArrayLike, trials: ArrayLike, confidence: ArrayLike = 0.95) -> NDArray:
    """Return the lower end of the one-sided Clopper-Pearson interval for the long-run share of hits.

    Whatever the true share is, what is returned exceeds it in no more than 1 - confidence of all such experiments.

    Parameters
    ----------
    hits, trials : whole numbers, 0 <= hits <= trials, 1 <= trials; they broadcast
    confidence : 0 < confidence < 1; broadcasts

    References
    ----------
    Clopper & Pearson 1934: the share p at which P(Bin(trials, p) >= hits) = 1 - confidence.

    >>> round(float(share(90, 100)), 6)
    0.836282
    """
    trials = domain.positive_count("trials", trials)
    hits = _out_of("hits", hits, trials)
    confidence = domain.fraction("confidence", confidence)
    low, high = 0 * hits * trials * confidence, 1.0  # of the shape of all three; a gap (NaN) stays one
    for _ in range(52):
        middle = (low + high) / 2
        proved = betainc(np.maximum(hits, 1), trials - hits + 1, middle) <= 1 - confidence
        low, high = np.where(proved, middle, low), np.where(proved, high, middle)
    return np.where(hits > 0, low, 0 * low)[()]


def _out_of(name: str, value: ArrayLike, trials: NDArray) -> NDArray:
    value = domain.count(name, value)
    return domain.condition(name, value, value <= trials, "<= trials")


def epsilon(hits: ArrayLike, trials: ArrayLike, delta: ArrayLike = 0, confidence: ArrayLike = 0.95) -> NDArray:
    """Return a lower bound on ε, from guesses which of two tables it was: ln((p - δ)/(1 - p)) at p = `share`, or 0.

    A mechanism that is (ε, δ)-DP gets a bound above its ε in no more than 1 - confidence of all audits whose number of
    trials was fixed beforehand, also if the attacker learns from one guess for the next. An audit that stops
    as soon as the bound is large enough proves less.

    Parameters
    ----------
    hits, trials : how many guesses were right, of how many, 0 <= hits <= trials, 1 <= trials; they broadcast
    delta : δ of the promise that is audited, 0 <= delta <= 1; broadcasts
    confidence : 0 < confidence < 1; broadcasts

    References
    ----------
    Clopper & Pearson 1934, by `share`; `hit_rate`, solved for ε.

    >>> round(float(epsilon(90, 100)), 6)
    1.630823
    """
    delta = domain.probability("delta", delta)
    p = share(hits, trials, confidence)
    return np.log(np.maximum((p - delta) / (1 - p), 1))


def epsilon_of_test(
    detections: ArrayLike,
    alarms: ArrayLike,
    trials: ArrayLike,
    delta: ArrayLike = 0,
    confidence: ArrayLike = 0.95,
) -> NDArray:
    """Return a lower bound on ε, from a test that says "the row is in": ln((t - δ)/f), or 0.

    The rates t of true and f of false positives are taken at the worse ends of intervals that hold together with the
    confidence asked for, each at half of what may go wrong. A test that seldom speaks, and is then right, can
    prove more than one that guesses every time. The number of trials is fixed beforehand, as for `epsilon`.

    Parameters
    ----------
    detections : how often the test spoke with the row in, 0 <= detections <= trials
    alarms : how often it spoke with the row out, 0 <= alarms <= trials
    trials : how often each of the two was tried, >= 1; whole numbers all, they broadcast
    delta : δ of the promise that is audited, 0 <= delta <= 1; broadcasts
    confidence : 0 < confidence < 1; broadcasts

    References
    ----------
    Jagielski, Ullman & Oprea 2020, who train models on both tables (δ = 0); Nasr et al. 2021 put δ in.

    >>> round(float(epsilon_of_test(90, 10, 1000)), 6)
    1.382704
    """
    trials = domain.positive_count("trials", trials)
    alarms = _out_of("alarms", alarms, trials)
    detections = _out_of("detections", detections, trials)
    delta = domain.probability("delta", delta)
    each = (1 + domain.fraction("confidence", confidence)) / 2
    false_positives = 1 - share(trials - alarms, trials, each)
    return np.log(np.maximum((share(detections, trials, each) - delta) / false_positives, 1))
