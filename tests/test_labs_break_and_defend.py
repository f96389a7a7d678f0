"""Lab 1: its solutions pass its checks, and what students write instead is caught with the right message."""

import numpy as np
import pytest
from figures import run

from dp_lib import mechanisms

pytestmark = pytest.mark.xdist_group("labs/break_and_defend")


@pytest.fixture(scope="module")
def lab():
    """What the lab's cells define."""
    return run("labs/break_and_defend").names


def everybody(target):
    return np.full(len(target), True)


# -- step 1


def by_complement(office, target):
    return int(office(everybody(target)) - office(np.logical_not(target)))


def by_one_half_of_the_people(office, target):
    """Ask about the target among the first or the second half of the people only."""
    row = int(np.argmax(target))
    half = np.arange(len(target)) // (len(target) // 2 + 1) == row // (len(target) // 2 + 1)
    return office(half) - office(half & ~target)


@pytest.mark.parametrize("attack", [by_complement, by_one_half_of_the_people])
def test_right_differencing_attacks_find_everybody(lab, attack):
    assert lab["try_differencing"](attack) == "All 349 of 349 people found, with two exact counts each."


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        (lambda office, target: None, "returns None"),
        (lambda office, target: ..., "returns Ellipsis, and an answer is 0 or 1"),
        (lambda office, target: office(target), "The office refused: a group of 1 is too small"),
        (lambda office, target: office(~target) - office(everybody(target)), "returns -1, and an answer is 0 or 1"),
        (lambda office, target: office(~target), "returns 428, and an answer is 0 or 1"),
        (lambda office, target: office(everybody(target)) / len(target), "returns 0.26"),
        (lambda office, target: 0, "is right for 254 of 349 people. Two exact counts leave no doubt"),
        (lambda office, target: office(everybody(target)) - office(-target), "raised TypeError"),
        (
            lambda office, target: office(everybody(target)) - office(1 - target),
            "a group is an array of True and False",
        ),
        (lambda office, target: target.astype(int), "returns an array of shape (1629,), and an answer is one number"),
    ],
)
def test_a_wrong_differencing_attack_is_told_what_is_wrong(lab, attack, said):
    assert said in lab["try_differencing"](attack)


# -- step 2


def by_normal_equations(groups, published):
    return np.rint(np.clip(np.linalg.solve(groups.T @ groups, groups.T @ published), 0, 1))


def by_pseudo_inverse(groups, published):
    return [value > 0.5 for value in np.linalg.pinv(groups) @ published]


@pytest.mark.parametrize("attack", [by_normal_equations, by_pseudo_inverse])
def test_right_reconstructions_find_nearly_everybody(lab, attack):
    said = lab["try_reconstruction"](attack)
    assert said.startswith("Right for 184 of 188 people") and said.endswith("Nearly everybody is found.")


def values(groups, published):
    return np.linalg.lstsq(groups, published, rcond=None)[0]


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        (lambda groups, published: None, "returns None"),
        (lambda groups, published: ..., "returns None"),
        (values, "and a guess is 0 or 1. Least squares gives other numbers too"),
        (
            lambda groups, published: np.rint(values(groups, published)) + 0.25,
            "and a guess is 0 or 1. Least squares gives other numbers too",
        ),
        (lambda groups, published: values(groups, published) > 0, "is your threshold too low?"),
        (lambda groups, published: values(groups.T, published), "raised LinAlgError"),
        (
            lambda groups, published: published > published.mean(),
            "shape (752,), and (188,) is one guess for each person",
        ),
        (
            lambda groups, published: np.zeros(188),
            "saying no of everybody is right for 120. Your guesses are no better. Do you use all of the counts?",
        ),
        (lambda groups, published: tuple(np.linalg.lstsq(groups, published)), "the values are the first, [0]"),
    ],
)
def test_a_wrong_reconstruction_is_told_what_is_wrong(lab, attack, said):
    assert said in lab["try_reconstruction"](attack)


# -- step 3


def by_the_library(column, groups, epsilon, rng):
    return mechanisms.laplace(groups @ column, len(groups), epsilon, rng)


def one_by_one(column, groups, epsilon, rng):
    share = epsilon / len(groups)
    return [sum(column[group == 1]) + rng.laplace(0, 1 / share) for group in groups]


def by_the_person_in_most_groups(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, groups.sum(axis=0).max() / epsilon, len(groups))


@pytest.mark.parametrize("mechanism", [by_the_library, one_by_one, by_the_person_in_most_groups])
def test_right_defences_are_not_caught(lab, mechanism, capsys):
    lab["try_defence"](mechanism)
    said = capsys.readouterr().out
    assert said.count("Not caught in 20,000 runs") == 2
    assert "The noise of the last release is 2.0 on average; the promise needs 2.0." in said


def with_noise(noise):
    return lambda column, groups, epsilon, rng: groups @ column + noise(len(groups), epsilon, rng)


WRONG = {
    "the budget is not split": (lambda k, epsilon, rng: rng.laplace(0, 1 / epsilon, k), "three times. You promise"),
    "split by a square root": (lambda k, epsilon, rng: rng.laplace(0, k**0.5 / epsilon, k), "three times. You promise"),
    "one noise for all": (lambda k, epsilon, rng: rng.laplace(0, k / epsilon), "one person. You promise ε = 1. After"),
    "scale for deviation": (
        lambda k, epsilon, rng: rng.laplace(0, k / 2**0.5 / epsilon, k),
        "three times. You promise",
    ),
    "scale upside down": (lambda k, epsilon, rng: rng.laplace(0, epsilon / k, k), "three times. You promise"),
    "no noise": (lambda k, epsilon, rng: 0, "Every run gave the same answer"),
    "noise cut off": (
        lambda k, epsilon, rng: np.clip(rng.laplace(0, k / epsilon, k), -5, 5),
        "never on the first table",
    ),
    "fixed seed": (
        lambda k, epsilon, rng: np.random.default_rng(0).laplace(0, k / epsilon, k),
        "A seed that is fixed inside it makes all noise known",
    ),
}


@pytest.mark.parametrize(("noise", "said"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_defence_is_caught(lab, noise, said, capsys):
    lab["try_defence"](with_noise(noise))
    out = capsys.readouterr().out
    assert "the attacker can show ε >= " in out and said in out


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (
            lambda column, groups, epsilon, rng: None,
            "cannot be tried: mechanism must return a number or an array, got None",
        ),
        (lambda column, groups, epsilon, rng: ..., "cannot be tried: mechanism must return a number or an array"),
        (lambda column, groups, epsilon, rng: groups @ np.rows, "cannot be tried: mechanism raised AttributeError"),
        (
            lambda column, groups, epsilon, rng: column.sum() + rng.laplace(0, 3 / epsilon),
            "an array of shape (), and (3,) is one count for each group",
        ),
    ],
)
def test_a_defence_that_cannot_be_tried_is_told_why(lab, mechanism, said, capsys):
    lab["try_defence"](mechanism)
    assert said in capsys.readouterr().out


def test_too_much_noise_is_told(lab, capsys):
    lab["try_defence"](with_noise(lambda k, epsilon, rng: rng.laplace(0, 10 * k / epsilon, k)))
    said = capsys.readouterr().out
    assert said.count("Not caught") == 2 and "the promise needs 2.0. That is more than it needs." in said


def test_too_little_noise_that_no_attack_shows_is_told(lab, capsys):
    lab["try_defence"](with_noise(lambda k, epsilon, rng: rng.normal(0, k / epsilon, k)))
    said = capsys.readouterr().out
    assert said.count("Not caught") == 2 and "That is too little, whatever the attacks have shown." in said
