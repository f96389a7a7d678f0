"""Checks of chapters/profiles.md."""

import itertools
import math

import mpmath
import numpy as np
import pytest

from claims import answers, at_rest, claim


@claim("profiles.md", "factor-two-is-too-small", numbers=[2])
def test_factor_two_is_too_small():
    """The letter's factor 3 is enough for randomized response with the truth in three of four cases, and 2 is not."""
    here, there = (0.75, 0.25), (0.25, 0.75)
    assert all(p <= 3 * q and q <= 3 * p for p, q in zip(here, there, strict=True))
    assert any(p > 2 * q for p, q in zip(here, there, strict=True))


def largest_gap(here, there, factor):
    """The δ that two distributions need, in both orders, event by event."""
    events = list(itertools.product((0, 1), repeat=len(here)))
    pairs = [(np.array(p), np.array(q)) for p, q in ((here, there), (there, here))]
    return max(np.dot(event, p - factor * q) for event in events for p, q in pairs)


def survey(factor, delta):
    """The four outputs of a survey with signed sheets, whose randomized response has this likelihood ratio."""
    true, false = (1 - delta) * factor / (1 + factor), (1 - delta) / (1 + factor)
    return (true, false, delta, 0), (false, true, 0, delta)


@claim("profiles.md", "light-by-its-pair", numbers=[2, 0.02, 0.98, 0])
def test_light_by_its_pair(passage):
    """By the events of the survey that has the pair of the light."""
    at_zero, at_ln_three = (largest_gap(*survey(2, 0.02), factor) for factor in (1, 3))
    printed = [float(each) for each in passage.printed]
    assert 0 <= printed[0] - at_zero < 1e-4 and printed[1] == pytest.approx(at_ln_three)


@claim("profiles.md", "light-by-its-probabilities", numbers=[0, 0.04, 3, 0.01])
def test_light_by_its_probabilities(passage):
    gaps = [largest_gap((0.04, 0.96), (0.01, 0.99), factor) for factor in (1, 3)]
    assert [float(each) for each in passage.printed] == pytest.approx(gaps)
    assert gaps[0] == pytest.approx(0.99 - 0.96)  # green in the other order


@claim("profiles.md", "bound-above-the-profile")
def test_bound_above_the_profile():
    """The light, and the survey with the same pair: the survey needs ten times as much at ε = 0."""
    light, worst = largest_gap((0.04, 0.96), (0.01, 0.99), 1), largest_gap(*survey(2, 0.02), 1)
    assert worst > 10 * light
    for mechanism in (((0.04, 0.96), (0.01, 0.99)), survey(2, 0.02)):
        assert largest_gap(*mechanism, 2) == pytest.approx(0.02)
    for factor in (1, 1.2, 1.5, 2, 3, 5):
        bound = largest_gap(*survey(2, 0.02), factor)
        assert largest_gap((0.04, 0.96), (0.01, 0.99), factor) <= bound + 1e-15


@claim("profiles.md", "delta-that-buys-nothing", numbers=[0.86, 0.79])
def test_delta_that_buys_nothing(passage):
    def worst(epsilon):
        p = mpmath.e / (1 + mpmath.e)
        return p - mpmath.exp(epsilon) * (1 - p)

    def noise(epsilon):
        """Two Laplace densities of scale 1, a distance of 1 apart, by an integral."""

        def above(y):
            return max(mpmath.exp(-abs(y)) - mpmath.exp(epsilon - abs(y - 1)), 0) / 2

        crossing = (1 - mpmath.mpf(epsilon)) / 2
        return mpmath.quad(above, [-60, -10, 0, crossing])

    assert worst(0.86) <= 0.1 < worst(0.85) and noise(0.79) <= 0.1 < noise(0.78)
    (least,) = passage.printed
    with mpmath.workdps(30):
        exact = mpmath.findroot(lambda epsilon: worst(epsilon) - mpmath.mpf("1e-5"), 1)
    assert 0 <= float(least) - float(exact) < 1e-6 and 0.9999 < float(least) < 1


@claim("profiles.md", "frequent-largest-loss", numbers=[1, 1e-5, 0, 1])
def test_frequent_largest_loss(passage):
    often = 1 / (1 + math.exp(-1))
    assert passage.printed == [f"{often:.2f}"]
    assert math.log(often / (1 - often)) == pytest.approx(1)  # the loss of a true answer
    assert 1e-5 / often < 2e-5  # the weight that a loss this frequent may have


@claim("profiles.md", "profile-of-ln-three", numbers=[0.01, 0.2575])
def test_profile_of_ln_three():
    here = np.array([0.99 * 3 / 4, 0.99 / 4, 0.01, 0])
    there = here[[1, 0, 3, 2]]
    events = itertools.product((0, 1), repeat=4)
    assert max(np.dot(event, here - 2 * there) for event in events) == pytest.approx(0.2575)


@answers(
    "profiles.md",
    "delta-of-randomized-response",
    numbers=[1, 0.9, 0.9, 0.73, 0.9],
    choices=[[0.73], [0.27], [0.1], [0.07]],
)
def test_question_delta_of_randomized_response(question):
    p, q = math.e / (1 + math.e), 1 / (1 + math.e)
    delta = max(0, p - math.exp(0.9) * q) + max(0, q - math.exp(0.9) * p)
    assert question.right == [round(delta, 2) == float(choice) for choice in ("0.73", "0.27", "0.10", "0.07")]


@claim("profiles.md", "pure-profile.alt")
def test_alt_pure_profile():
    c = at_rest("profiles.md", "pure-profile")
    worst, noise, inside = c["worst ε₀-DP mechanism"], c["Laplace noise"], c["epsilon"] < 2
    assert (np.diff(worst[inside]) < 0).all() and (np.diff(noise[inside]) < 0).all()
    assert (noise[inside] < worst[inside]).all() and (worst[~inside] == 0).all() and np.allclose(noise[~inside], 0)


@claim("profiles.md", "pure-profile.alt", numbers=[0])
def test_alt_pure_profile_above_dotted_line():
    c = at_rest("profiles.md", "pure-profile")
    tail, inside = c["P(L > ε), rand. resp."], c["epsilon"] < 2
    assert (
        np.ptp(tail[inside]) == 0
        and (tail[~inside] == 0).all()
        and (tail[inside] > c["worst ε₀-DP mechanism"][inside]).all()
    )


@claim("profiles.md", "worst-and-laplace-at-one-half")
def test_worst_and_laplace_at_one_half(passage):
    """At ε₀ = 2 and ε = 0.5: two answers of randomized response, an integral over Laplace noise of scale 1/2."""
    true = mpmath.exp(2) / (1 + mpmath.exp(2))
    worst = true - mpmath.exp(0.5) * (1 - true)

    def excess(y):
        return max(0, mpmath.exp(-2 * abs(y)) - mpmath.exp(0.5 - 2 * abs(y - 1)))

    laplace = mpmath.quad(excess, [-20, 0, 0.375, 0.5, 1, 20])
    assert all(0 <= float(text) - number < 0.01 for text, number in zip(passage.printed, (worst, laplace), strict=True))
