"""Lab 1: its solutions pass its checks, and what students write instead is caught with the right message."""

import numpy as np
import pytest

from dp_lib import mechanisms

pytestmark = pytest.mark.xdist_group("labs/break_and_defend")


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
        (
            lambda office, target: 0,
            "never asks `office`, and the attacker has nothing else.",
        ),
        (
            lambda office, target: 0 * office(~target),
            "right for 254 of 349 people. For the first whom it misses, it returns 0 and asks about 1 group, and the "
            "target is in 0 of them. Two exact counts leave no doubt if their groups differ in the target alone.",
        ),
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


def test_an_attack_that_looks_into_the_table_is_told_to_ask_the_office(lab):
    said = lab["try_differencing"](lambda office, target: lab["quit_smoking"][target][0])
    assert said.startswith("Your function never asks `office`")


def test_an_attack_that_asks_and_then_looks_into_the_table_is_noticed(lab):
    def attack(office, target):
        office(~target)
        return lab["quit_smoking"][target][0]

    said = lab["try_differencing"](attack)
    assert said.startswith("Your function finds what all 349 people answered, but not if a person has the other answer")


@pytest.mark.parametrize("first", [0, 40, 700, 1500])
def test_an_attack_whose_second_group_may_contain_the_target_is_told_so(lab, first):
    place = np.arange(len(lab["quit_smoking"]))
    decoy = (place >= first) & (place < first + 40)
    said = lab["try_differencing"](lambda office, target: office(decoy | target) - office(decoy))
    assert "it returns 0 and asks about 2 groups, and the target is in 2 of them." in said


def test_the_count_of_everybody_may_be_asked_once(lab):
    total = lab["office"](np.full(len(lab["people"]), True))
    said = lab["try_differencing"](lambda office, target: total - office(~target))
    assert said == "All 349 of 349 people found, with one exact count each."


def test_the_counts_of_a_differencing_attack_are_counted(lab):
    thrice = lambda office, target: office(everybody(target)) - (office(~target) + office(~target)) / 2  # noqa: E731
    assert lab["try_differencing"](thrice) == "All 349 of 349 people found, with 3 exact counts each."


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
        (
            lambda groups, published: values(groups, published) > 0,
            "Do you solve all of the equations together, and is your threshold one half?",
        ),
        (
            lambda groups, published: groups.T @ published / groups.sum(axis=0) > published.mean(),
            "Do you solve all of the equations together, and is your threshold one half?",
        ),
        (
            lambda groups, published: groups.T @ published / groups.sum(axis=0) > 0.5,
            "no better. Do you solve all of the equations together?",
        ),
        (
            lambda groups, published: values(groups, published) < 0.5,
            "Right for 4 of 188 people; guessing 'no' for everybody is right for 120. Nearly everybody is "
            "wrong, so perhaps you have exchanged yes and no.",
        ),
        (lambda groups, published: np.round(np.linalg.lstsq(groups, published)), "the values are the first, [0]"),
        (lambda groups, published: np.linalg.lstsq(groups, published) > 0.5, "the values are the first, [0]"),
        (lambda groups, published: values(groups.T, published), "raised LinAlgError"),
        (
            lambda groups, published: published > published.mean(),
            "shape (752,), and (188,) is one guess for each person",
        ),
        (
            lambda groups, published: np.zeros(188),
            "is right for 120. Your guesses are no better. Do you solve all of the equations together?",
        ),
        (lambda groups, published: tuple(np.linalg.lstsq(groups, published)), "the values are the first, [0]"),
        (
            lambda groups, published: (np.linalg.lstsq(groups, published)[3] > 0.5).astype(int),
            "You guess 1 for everybody. `np.linalg.lstsq` returns four things, and the values are the first, [0].",
        ),
        (lambda groups, published: ["yes"] * 188, "returns ['yes', 'yes', 'yes', 'yes', 'yes', 'yes, and a guess is"),
    ],
)
def test_a_wrong_reconstruction_is_told_what_is_wrong(lab, attack, said):
    assert said in lab["try_reconstruction"](attack)


def test_an_attack_that_knows_the_answers_is_noticed(lab):
    said = lab["try_reconstruction"](lambda groups, published: lab["secret"])
    assert "On 200 made-up counts about 20 people: Your function returns an array of shape (188,)" in said


@pytest.mark.parametrize("threshold", [0.25, 0.4, 0.45, 0.55, 0.6, 0.8])
def test_another_threshold_than_one_half_is_noticed(lab, threshold):
    said = lab["try_reconstruction"](lambda groups, published: (values(groups, published) > threshold).astype(int))
    assert said.endswith(("threshold one half?", "Least squares finds more of them."))


def with_the_noise_estimated(groups, published):
    """Pull the values towards one half by the noise that the residuals show, which as many counts as people do not."""
    solution, residual, *_ = np.linalg.lstsq(groups, published, rcond=None)
    deviation = 2 * np.sqrt(residual[0]) / (len(groups) - groups.shape[1])
    return 0.5 + (solution - 0.5) / (1 + deviation) > 0.5


def test_an_attack_that_fails_with_as_many_counts_as_people_passes_and_the_picture_says_why_it_shows_0(
    lab, capsys, monkeypatch
):
    monkeypatch.setitem(lab, "LOG_SCALES", lab["LOG_SCALES"][::4])
    assert lab["try_reconstruction"](with_the_noise_estimated).endswith("Nearly everybody is found.")
    shares = lab["shares_found"](with_the_noise_estimated)
    assert (shares[0] == 0).all() and (shares[1:] > 40).all()
    said = capsys.readouterr().out
    assert said.count("With 188 counts about 188 people: Your function raised IndexError") == said.count("\n") == 1


# -- step 3


def by_the_library(column, groups, epsilon, rng):
    return mechanisms.laplace(groups @ column, len(groups), epsilon, rng)


def one_by_one(column, groups, epsilon, rng):
    share = epsilon / len(groups)
    return [sum(column[group == 1]) + rng.laplace(0, 1 / share) for group in groups]


def by_the_person_in_most_groups(column, groups, epsilon, rng):
    return groups @ column + rng.laplace(0, groups.sum(axis=0).max() / epsilon, len(groups))


def clipped(column, groups, epsilon, rng):
    """Return counts that are possible, which post-processing may make of the noisy ones."""
    return np.clip(np.rint(by_the_library(column, groups, epsilon, rng)), 0, groups.sum(axis=1))


EPSILONS = [1, 0.5]


def of_whole_numbers(column, groups, epsilon, rng):
    """Add the difference of two geometric numbers to each count."""
    stops = 1 - np.exp(-epsilon / len(groups))
    return groups @ column + rng.geometric(stops, len(groups)) - rng.geometric(stops, len(groups))


def cut_to_whole_numbers(column, groups, epsilon, rng):
    return by_the_library(column, groups, epsilon, rng).astype(int)


RIGHT = [by_the_library, one_by_one, by_the_person_in_most_groups, clipped, of_whole_numbers, cut_to_whole_numbers]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("mechanism", RIGHT)
def test_right_defences_are_not_caught(lab, mechanism, epsilon):
    right, said = lab["tried_defence"](mechanism, epsilon)
    assert right and said.count("Not caught: the attacker shows ε >= ") == 3
    assert f"wrong by {3 / epsilon:.1f} on average" in said
    assert said.endswith(f"scale 3/ε they are wrong by {3 / epsilon:.1f}.")


def with_the_mean_of_equal_groups(column, groups, epsilon, rng):
    """Return for equal groups the mean of their noisy counts."""
    noisy = by_the_library(column, groups, epsilon, rng)
    return np.array([noisy[(groups == group).all(axis=1)].mean() for group in groups])


def test_counts_that_processing_makes_less_wrong_are_not_called_a_broken_promise(lab, capsys):
    twice = {"Twice": np.ones((2, 10), dtype=int)}
    lab["try_defence"](with_the_mean_of_equal_groups, 1, twice)
    said = capsys.readouterr().out
    assert "Not caught" in said and "Yours are less wrong. Processing noisy counts can do this; otherwise" in said


def with_noise(noise):
    return lambda column, groups, epsilon, rng: groups @ column + noise(len(groups), epsilon, rng)


def by_scale(scale):
    return lambda column, groups, epsilon, rng: (
        groups @ column + rng.laplace(0, scale(column, groups) / epsilon, len(groups))
    )


def with_empty_groups_exact(column, groups, epsilon, rng):
    return np.where(groups @ column > 0, by_the_library(column, groups, epsilon, rng), 0)


def redrawn(possible):
    def mechanism(column, groups, epsilon, rng):
        noisy = [np.inf] * len(groups)
        for i, group in enumerate(groups):
            while not possible(noisy[i], group):
                noisy[i] = group @ column + rng.laplace(0, len(groups) / epsilon)
        return np.array(noisy)

    return mechanism


ONE, TWO, THREE = "One count. CAUGHT.", "With and without one person. CAUGHT.", "Three groups. CAUGHT."
WRONG = {
    "the budget is not split": (with_noise(lambda k, epsilon, rng: rng.laplace(0, 1 / epsilon, k)), THREE),
    "split by a square root": (with_noise(lambda k, epsilon, rng: rng.laplace(0, k**0.5 / epsilon, k)), THREE),
    "one noise for all": (with_noise(lambda k, epsilon, rng: rng.laplace(0, k / epsilon)), TWO),
    "scale for deviation": (with_noise(lambda k, epsilon, rng: rng.laplace(0, k / 2**0.5 / epsilon, k)), ONE),
    "scale upside down": (with_noise(lambda k, epsilon, rng: rng.laplace(0, epsilon / k, k)), "CAUGHT."),
    "no noise": (with_noise(lambda k, epsilon, rng: 0), "Every run gave the same answer"),
    "noise cut off": (
        with_noise(lambda k, epsilon, rng: np.clip(rng.laplace(0, k / epsilon, k), -5, 5)),
        "never on the second table",
    ),
    "fixed seed": (
        with_noise(lambda k, epsilon, rng: np.random.default_rng(0).laplace(0, k / epsilon, k)),
        "or its noise comes from a seed that is fixed inside it",
    ),
    "Gaussian noise": (with_noise(lambda k, epsilon, rng: rng.normal(0, 1.25 * k / epsilon, k)), ONE),
    "no noise for 0": (with_empty_groups_exact, ONE),
    "split among groups that are not empty": (
        by_scale(lambda column, groups: max((groups @ column > 0).sum(), 1)),
        THREE,
    ),
    "drawn again if negative": (redrawn(lambda noisy, group: 0 <= noisy < np.inf), ONE),
    "drawn again if impossible": (redrawn(lambda noisy, group: 0 <= noisy <= group.sum()), ONE),
    "mean groups of a person": (by_scale(lambda column, groups: groups.sum(axis=0).mean()), THREE),
    "groups of the first person": (by_scale(lambda column, groups: groups[:, 0].sum()), THREE),
    "groups of the last person": (by_scale(lambda column, groups: groups[:, -1].sum()), THREE),
    "groups of those who quit": (by_scale(lambda column, groups: max((groups * column).sum(axis=0).max(), 1)), THREE),
}


NARROWLY = {"split by a square root", "noise cut off", "drawn again if negative", "drawn again if impossible"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.all_runs] if name in NARROWLY else []) for name in WRONG]
)
def test_a_wrong_defence_is_caught(lab, name):
    mechanism, said = WRONG[name]
    right, out = lab["tried_defence"](mechanism, 1)
    assert not right and "the attacker can show ε >= " in out and said in out


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (
            lambda column, groups, epsilon, rng: (
                np.array([column[group].sum() for group in groups]) + rng.laplace(0, len(groups) / epsilon, len(groups))
            ),
            "on average, and 300.0, 300.0, 200.0 are right. So they are wrong before the noise",
        ),
        (
            lambda column, groups, epsilon, rng: groups @ column + rng.laplace(len(groups) / epsilon, size=len(groups)),
            "are right. So they are wrong before the noise, or the noise does not have mean 0.",
        ),
    ],
    ids=["0 and 1 as an index", "scale as the mean"],
)
def test_counts_that_are_wrong_on_average_are_told(lab, mechanism, said, epsilon):
    right, out = lab["tried_defence"](mechanism, epsilon)
    assert not right and said in out


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
            "an array of shape (), and (1,) is one count for each group",
        ),
    ],
)
def test_a_defence_that_cannot_be_tried_is_told_why(lab, mechanism, said, capsys):
    lab["try_defence"](mechanism, 1)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "scale", [lambda k, epsilon: k, lambda k, epsilon: k * epsilon], ids=["forgotten", "multiplied"]
)
def test_a_scale_that_is_right_at_epsilon_one_only_is_noticed_at_one_half(lab, scale):
    mechanism = with_noise(lambda k, epsilon, rng: rng.laplace(0, scale(k, epsilon), k))
    assert lab["tried_defence"](mechanism, 1)[0]
    right, said = lab["tried_defence"](mechanism, 0.5)
    assert not right and said.startswith(ONE)


def test_too_much_noise_is_told(lab):
    right, said = lab["tried_defence"](with_noise(lambda k, epsilon, rng: rng.laplace(0, 10 * k / epsilon, k)), 1)
    assert not right and said.count("Not caught") == 3
    assert said.endswith(
        "wrong by 3.0.\nYours are more wrong than that, because of the noise. Without it they are right."
    )


def test_too_little_noise_that_no_attack_shows_is_told(lab):
    three = {"Three groups": lab["releases"]["Three groups"]}
    mechanism = with_noise(lambda k, epsilon, rng: rng.normal(0, k / epsilon, k))
    right, said = lab["tried_defence"](mechanism, 1, three)
    assert not right and "Not caught" in said and "otherwise the noise is too little, whatever the attacks" in said


def test_step_4_says_which_function_is_missing(lab):
    assert "have shape (), and (752,) is one for each group" in lab["found_by"](values, lab["groups"], None)[1]
    assert "returns None" in lab["found_by"](lambda groups, published: None, lab["groups"], lab["published"])[1]


# -- the homework: one solution of each problem


def test_three_counts_give_one_person_away_to_an_office_with_a_memory(lab):
    quit_smoking, row = lab["quit_smoking"], int(lab["alone"][0])
    place, answer = np.arange(len(quit_smoking)), lab["office_with_a_memory"]()
    first, second = (place < 800) & (place != row), (place >= 800) & (place != row)
    counts = [answer(group) for group in (first, second, everybody(place))]
    assert counts[2] - counts[0] - counts[1] == quit_smoking[row]
    for refused in (place != row, first):
        with pytest.raises(lab["Refused"], match="too similar to an earlier one"):
            answer(refused)
    with pytest.raises(lab["Refused"], match="too small"):
        lab["office_with_a_memory"]()(place == row)


@pytest.mark.parametrize(
    ("number", "said", "unsaid"),
    [
        (lambda column, groups: groups.sum(axis=0).max(), "wrong by 3.0 on average", "Yours are"),
        (lambda column, groups: len(groups), "Yours are more wrong", "CAUGHT"),
        (lambda column, groups: groups.sum(axis=1).max(), "Yours are more wrong", "CAUGHT"),
        pytest.param(
            lambda column, groups: groups.sum(axis=0).mean(), "CAUGHT", "Not caught", marks=pytest.mark.all_runs
        ),
        (lambda column, groups: groups.sum(axis=0).min(), "CAUGHT", "Not caught"),
        (lambda column, groups: max((groups * column).sum(axis=0).max(), 1), "CAUGHT", "Not caught"),
    ],
    ids=[
        "most groups of a person",
        "all groups",
        "most members",
        "mean groups of a person",
        "least groups of a person",
        "most groups of a person who has quit",
    ],
)
def test_the_most_groups_of_one_person_are_enough_noise_and_other_numbers_are_noticed(
    lab, number, said, unsaid, capsys
):
    lab["try_defence"](by_scale(number), 1, lab["overlapping"], shares=3)
    out = capsys.readouterr().out
    assert said in out and unsaid not in out


def test_in_the_office_s_groups_the_most_groups_of_one_person_are_far_fewer_than_all(lab):
    assert len(lab["groups"]) == 752 and lab["groups"].sum(axis=0).max() == 422


def pulled(groups, published):
    """Return guesses from values that are pulled towards the share of those who have quit, the more the more noise."""
    share, people, groups = 0.36, groups.shape[1], groups.astype(float)
    variance = max(published.var() - people * share / 4, 0.01)  # of the noise
    matrix = groups.T @ groups / variance + np.eye(people) / (share * (1 - share))
    values = share + np.linalg.solve(matrix, groups.T @ (published - groups @ np.full(people, share)) / variance)
    return values > 0.5


def test_an_attack_that_pulls_by_the_estimated_noise_stays_near_the_horizontal_line_or_above(lab):
    shares, least_squares = lab["shares_found"](pulled), lab["shares"]
    assert shares.min() > lab["always_no"] - 3 and least_squares.min() < 50
    assert shares[2, 2] > 95


def once_for_each_person(column, groups, epsilon, rng):
    return groups @ (column + rng.laplace(0, 1 / epsilon, len(column)))


def by_randomized_response(column, groups, epsilon, rng):
    reports = mechanisms.randomized_response(column, epsilon, rng)
    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
    return groups @ ((reports - (1 - truth)) / (2 * truth - 1))


@pytest.mark.parametrize(
    ("mechanism", "error", "found"), [(once_for_each_person, 11.0, 131.0), (by_randomized_response, 7.3, 137.4)]
)
def test_noise_drawn_once_for_each_person_keeps_the_promise_and_grows_with_no_number_of_counts(
    lab, mechanism, error, found, capsys
):
    for epsilon in EPSILONS:
        lab["try_defence"](mechanism, epsilon)
    said = capsys.readouterr().out
    assert said.count("Not caught") == 6 and said.count("Yours are more wrong than that, because of the noise") == 2
    groups, secret, rng = lab["groups"], lab["secret"], np.random.default_rng(1)
    releases = np.array([mechanism(secret, groups, 1, rng) for _ in range(100)])
    assert np.mean(abs(releases - groups @ secret)) == pytest.approx(error, abs=1.2)
    right = (releases @ np.linalg.pinv(groups).T > 0.5) == secret
    assert right.sum(axis=1).mean() == pytest.approx(found, abs=2.5)
