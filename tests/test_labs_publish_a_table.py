"""Lab 5: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import numpy as np
import pytest
from figures import run

from dp_lib import mechanisms

pytestmark = pytest.mark.xdist_group("labs/publish_a_table")

RHO = 0.1


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/publish_a_table").names


def margin(cells, keep):
    return cells.sum(axis=tuple({0, 1, 2} - set(keep)))


# -- the mechanism


def test_solutions_are_accepted(lab):
    assert lab["compared"](lab["measure"], lab["EQUAL"]) == (
        "The code spends ρ = 0.1, which is the budget of the split."
    )
    assert lab["judged"](lab["my_split"]).startswith("The error is 5.38 people, 36% less than naive (8.37) and 0.0%")
    assert lab["projected"](lab["consistent"], lab["chosen"]).startswith("The tables agree. In 100 releases")
    assert lab["covered"](lab["deviations"], lab["chosen"]).startswith("In 600 releases")
    said = lab["sentence"](lab["promise"](), lab["measure"], lab["chosen"])
    assert said.startswith("The counts contain Gaussian noise. They satisfy ρ-zCDP with ρ = 0.1 for")
    assert "ε = 2.15 at δ = 1e-06" in said


def by_the_library(cells, split, rng):
    return {keep: mechanisms.gaussian(margin(cells, keep), 1 / math.sqrt(share), rng) for keep, share in split.items()}


def noise_around_the_counts(cells, split, rng):
    return {keep: rng.normal(margin(cells, keep), share**-0.5) for keep, share in split.items()}


def standard_noise(cells, split, rng):
    exact = {keep: margin(cells, keep) for keep in split}
    return {keep: exact[keep] + rng.standard_normal(exact[keep].shape) / math.sqrt(split[keep]) for keep in split}


def one_number_at_a_time(cells, split, rng):
    noisy = {}
    for keep, share in split.items():
        counts = margin(cells, keep).astype(float)
        for place in np.ndindex(counts.shape):
            counts[place] += rng.normal() / math.sqrt(share)
        noisy[keep] = counts
    return noisy


def rounded_afterwards(cells, split, rng):
    return {keep: np.round(counts) for keep, counts in noise_around_the_counts(cells, split, rng).items()}


def all_from_noisy_cells(cells, split, rng):
    noisy = cells + rng.normal(0, 1 / math.sqrt(sum(split.values())), cells.shape)
    return {keep: margin(noisy, keep) for keep in split}


@pytest.mark.parametrize(
    "measure",
    [
        by_the_library,
        noise_around_the_counts,
        standard_noise,
        one_number_at_a_time,
        rounded_afterwards,
        all_from_noisy_cells,
    ],
)
def test_right_mechanisms_of_other_styles_are_accepted(lab, measure):
    assert lab["compared"](measure, lab["EQUAL"]).startswith("The code spends ρ = 0.1, which is the budget")


def deviation_is_the_share(cells, split, rng):
    return {
        keep: margin(cells, keep) + rng.normal(0, share, margin(cells, keep).shape) for keep, share in split.items()
    }


def one_margin_without_noise(cells, split, rng):
    return noise_around_the_counts(cells, split, rng) | {(2,): margin(cells, (2,)).astype(float)}


def same_noise_in_both_answers(cells, split, rng):
    noise = rng.normal(0, 3, (5, 5, 1))
    return noise_around_the_counts(cells, split, rng) | {(0, 1, 2): cells + noise}


def noise_of_another_table_used_again(cells, split, rng):
    noise = rng.normal(0, 1 / math.sqrt(split[0, 1, 2]), cells.shape)
    return {
        keep: margin(cells, keep) + noise.ravel()[: margin(cells, keep).size].reshape(margin(cells, keep).shape)
        for keep in split
    }


def cells_published_twice(cells, split, rng):
    sigma = 1 / math.sqrt(split[0, 1, 2])
    twice = [cells + rng.normal(0, sigma, cells.shape) for _ in range(2)]
    return noise_around_the_counts(cells, split, rng) | {(0, 1, 2): (twice[0] + twice[1]) / 2}


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("whole_budget_each", "the code spends ρ = 0.7, which is 7.00 times as much."),
        ("sensitivity_of_one_count", "the code spends ρ = 0.2, which is 2.00 times as much."),
        ("one_draw_for_all", "so ρ is infinite."),
        (deviation_is_the_share, "times as much."),
        (one_margin_without_noise, "so ρ is infinite."),
        (same_noise_in_both_answers, "so ρ is infinite."),
        (noise_of_another_table_used_again, "BROKEN PROMISE"),
        (cells_published_twice, "which is 1.14 times as much."),
    ],
)
def test_a_mechanism_that_spends_too_much_breaks_its_promise(lab, measure, said):
    measure = lab[measure] if isinstance(measure, str) else measure
    found = lab["compared"](measure, lab["EQUAL"])
    assert found.startswith("BROKEN PROMISE. ") and said in found


def raises(cells, split, rng):
    return cells[7]


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("own_seed", "Not yet: it draws nothing from rng"),
        (lambda cells, split, rng: None, "Not yet: it returns an object of type NoneType"),
        (lambda cells, split, rng: ..., "Not yet: it returns an object of type ellipsis"),
        (lambda cells, split, rng: {(2,): np.ones(2)}, "Not yet: it returns the margins [(2,)]"),
        (lambda cells, split, rng: {keep: rng.normal(size=3) for keep in split}, "Not yet: margin (0,) has the shape"),
        (
            lambda cells, split, rng: {k: margin(cells, k) + rng.laplace(0, 9) for k in split},
            "knows Gaussian noise only",
        ),
        (raises, "Not yet: it raises IndexError"),
    ],
)
def test_an_unfinished_mechanism_is_told_what_is_missing(lab, measure, said):
    measure = lab[measure] if isinstance(measure, str) else measure
    assert said in lab["compared"](measure, lab["EQUAL"])


def noise_that_grows_with_the_count(cells, split, rng):
    return {
        k: margin(cells, k) * (1 + rng.normal(0, 1 / math.sqrt(s), margin(cells, k).shape)) for k, s in split.items()
    }


def noise_cut_off(cells, split, rng):
    noisy = noise_around_the_counts(cells, split, rng)
    return {keep: np.clip(counts, margin(cells, keep) - 5, margin(cells, keep) + 5) for keep, counts in noisy.items()}


def noise_only_on_this_table(cells, split, rng):
    noisy = noise_around_the_counts(cells, split, rng)
    return noisy if cells.sum() < 1700 else {keep: margin(cells, keep) + 0.0 for keep in split}


@pytest.mark.parametrize("measure", [noise_that_grows_with_the_count, noise_cut_off, noise_only_on_this_table])
def test_noise_that_depends_on_the_data_or_is_cut_off_is_told(lab, measure):
    assert "its noise is not a fixed multiple of its draws" in lab["compared"](measure, lab["EQUAL"])


def too_much_noise(cells, split, rng):
    return {keep: rng.normal(margin(cells, keep), 1 / share) for keep, share in split.items()}


def test_wasted_noise_is_told(lab):
    assert "That is noise wasted." in lab["compared"](too_much_noise, lab["EQUAL"])


# -- the split


@pytest.mark.parametrize(
    ("split", "said"),
    [
        (lambda rho: dict.fromkeys([(2,), (0, 1, 2)], rho), "BROKEN PROMISE. The shares add up to 0.2"),
        (lambda rho: {(0, 1, 2): rho**2}, "Part of the budget is not spent."),
        (lambda rho: {(0, 1, 2): rho}, "41.1% above the reference"),
        (lambda rho: {(0, 1): rho}, "without a share for (0, 1, 2)"),
        (lambda rho: {(1, 0): rho / 2, (0, 1, 2): rho / 2}, "(1, 0) is no margin"),
        (lambda rho: {(2,): -rho, (0, 1, 2): 2 * rho}, "a share is negative"),
        (lambda rho: [rho / 7] * 7, "a dictionary from margins to shares is needed"),
        (lambda rho: {(0, 1, 2): math.nan}, "a share is not a finite number"),
        (lambda rho: None, "it returns None"),
        (lambda rho: 1 / 0, "it raises ZeroDivisionError"),
    ],
)
def test_a_split_is_told_what_it_spends_and_how_good_it_is(lab, split, said):
    assert said in lab["judged"](split)


# -- consistency and error bars


def test_wrong_projections_are_told_what_is_wrong(lab):
    book, reference = lab["book_consistent"], lab["REFERENCE"]

    def without_the_total(noisy, split, number):
        return book(noisy, split, number) + 1

    def cells_alone(noisy, split, number):
        cells = noisy[0, 1, 2]
        return cells + (number - cells.sum()) / cells.size

    def shrunk(noisy, split, number):
        return 0.9 * book(noisy, split, number) + 0.1 * number / 50

    said = {
        lab["without_weights"]: "Is every margin used, with weight 1/σ?",
        cells_alone: "Is every margin used, with weight 1/σ?",
        lab["no_negative_counts"]: "Not yet: the cells add up to",
        without_the_total: "Not yet: the cells add up to 1,679.0",
        shrunk: "from tables without noise it does not return the true cells",
        lambda noisy, split, number: noisy: "Not yet: it returns an array of shape ()",
        lambda noisy, split, number: None: "Not yet: it returns None",
    }
    for wrong, message in said.items():
        assert message in lab["projected"](wrong, reference)


@pytest.mark.parametrize("seed", range(20))
def test_right_error_bars_raise_no_alarm_for_other_splits(lab, seed):
    parts = np.random.default_rng(seed).exponential(size=7)
    split = dict(zip(lab["MARGINS"], RHO * parts / parts.sum(), strict=True))
    assert lab["covered"](lab["deviations"], split).startswith("In 600 releases")


def test_wrong_error_bars_are_too_narrow_or_too_wide(lab):
    right, chosen = lab["deviations"], lab["chosen"]
    for wrong, said in [
        (lab["noise_as_drawn"], "Too wide"),
        (lab["cells_added_up"], "Too wide"),
        (lambda keep, split: right(keep, split) / 2, "Too narrow"),
        (lambda keep, split: right((0, 1, 2), split)[0] / math.sqrt(7), "Too narrow"),
        (lambda keep, split: right(keep, split) ** 2, "Too wide"),
        (lambda keep, split: None, "Not yet: for margin (0,) it returns None, and 5 numbers are needed."),
        (lambda keep, split: 1 / 0, "Not yet: for margin (0,) it raises ZeroDivisionError"),
    ]:
        assert lab["covered"](wrong, chosen).startswith(said)


# -- the promise


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"epsilon": 1.99}, "FALSE PROMISE. You write ε = 1.99, and the exact ε"),
        ({"rho": RHO / 7}, "FALSE PROMISE. You write ρ = 0.0142857, and the code spends ρ = 0.1."),
        ({"neighbours": "add or remove one"}, "FALSE PROMISE. The number of people is published exactly"),
        ({"protected": "one household"}, "FALSE PROMISE. You write 'one household'"),
        ({"epsilon": None}, "Not yet: 'epsilon' is None, and a number is needed."),
        ({"exact": ""}, "Not yet: one number is published exactly."),
        ({"delta": 0.01}, "Not yet: δ = 0.01 is not far below one over the number of people"),
    ],
)
def test_a_false_promise_is_refuted_by_the_code(lab, changed, said):
    good = lab["promise"]()
    assert lab["sentence"](good | changed, lab["measure"], lab["EQUAL"]).startswith(said)


def test_the_promise_is_recomputed_from_the_code_and_not_from_the_split(lab):
    said = lab["sentence"](lab["promise"](), lab["whole_budget_each"], lab["EQUAL"])
    assert said == "FALSE PROMISE. You write ρ = 0.1, and the code spends ρ = 0.7."


def test_a_missing_promise_and_a_missing_entry_are_told(lab):
    assert lab["sentence"](None, lab["measure"], lab["EQUAL"]).startswith("Not yet: promise returns None")
    assert "'delta'" in lab["sentence"]({"protected": "", "neighbours": "", "rho": 1}, lab["measure"], lab["EQUAL"])
