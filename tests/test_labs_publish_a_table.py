"""Lab 5: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import numpy as np
import pytest
from figures import PARTS, run

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
    for split in ("EQUAL", "UNEVEN"):
        said = lab["compared"](lab["measure"], lab[split])
        assert said == "The code spends ρ = 0.1, which is the budget of the split."
    assert lab["judged"](lab["my_split"]).startswith("The error is 5.38 people, 36% less than naive (8.37) and 0.0%")
    assert lab["projected"](lab["consistent"]).startswith(
        "The tables agree, and with the reference split the error is 5.38"
    )
    assert lab["covered"](lab["deviations"], lab["chosen"]).startswith("In 600 releases")
    said = lab["sentence"](lab["promise"](), lab["measure"], lab["chosen"])
    assert said.startswith("The counts contain Gaussian noise. They satisfy ρ-zCDP with ρ = 0.1 for")
    assert "Gaussian noise with this ρ satisfies ε = 2.15 at δ = 1e-06" in said


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


# -- the margins


def test_a_wrong_margin_is_called_wrong_however_often_its_cell_runs(lab, capsys):
    (cell,) = [
        part["cell"]
        for part in PARTS.finditer(run("labs/publish_a_table").text)
        if "margins_right = " in str(part["cell"])
    ]
    names = lab | {"margin": lambda cells, keep: cells.sum(axis=keep)}
    for _ in range(2):
        exec(cell, names)
        said = capsys.readouterr().out
        assert "entry" in said or "shape" in said
        assert "are right" not in said and "use the book's function in place of your margin" in said
        assert names["margin_used"] is names["book_margin"]


# -- noise for each margin


def where_measured(split):
    return {keep: share for keep, share in split.items() if share > 0}


@pytest.mark.parametrize(
    "measure",
    [
        by_the_library,
        noise_around_the_counts,
        standard_noise,
        one_number_at_a_time,
        rounded_afterwards,
    ],
)
def test_right_mechanisms_of_other_styles_are_accepted(lab, measure):
    for split in (lab["EQUAL"], where_measured(lab["UNEVEN"])):
        assert lab["compared"](measure, split).startswith("The code spends ρ = 0.1, which is the budget")


def all_from_noisy_cells(cells, split, rng):
    noisy = cells + rng.normal(0, 1 / math.sqrt(sum(split.values())), cells.shape)
    return {keep: margin(noisy, keep) for keep in split}


def same_extra_noise_in_all_counts(cells, split, rng):
    return {keep: counts + rng.normal(0, 90) for keep, counts in noise_around_the_counts(cells, split, rng).items()}


def same_share_for_all(cells, split, rng):
    return noise_around_the_counts(cells, dict.fromkeys(split, sum(split.values()) / len(split)), rng)


def same_share_for_all_measured(cells, split, rng):
    return same_share_for_all(cells, where_measured(split), rng)


def decimals_cut_off(cells, split, rng):
    noisy = {}
    for keep, share in where_measured(split).items():
        counts = margin(cells, keep)
        for place in np.ndindex(counts.shape):
            counts[place] += rng.normal(0, 1 / math.sqrt(share))
        noisy[keep] = counts
    return noisy


@pytest.mark.parametrize(
    ("measure", "split", "said"),
    [
        (
            all_from_noisy_cells,
            "EQUAL",
            "In margin (0,) the noise has σ = 10.00, and the share of this margin gives σ = 8.37.",
        ),
        (same_extra_noise_in_all_counts, "EQUAL", "In margin (0,) the noise has σ = 90.39"),
        (same_share_for_all, "UNEVEN", "a margin with the share 0 is not measured."),
        (same_share_for_all_measured, "UNEVEN", "the code does not divide ρ as the split says."),
        (noise_around_the_counts, "UNEVEN", "Not yet: it raises ZeroDivisionError"),
        (decimals_cut_off, "EQUAL", "Not yet: it cuts off the decimals of the noisy counts"),
    ],
)
def test_a_mechanism_that_ignores_the_shares_is_told_where(lab, measure, split, said):
    found = lab["compared"](measure, lab[split])
    assert found.startswith("Not yet: ") and said in found


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
        (lambda rho: {(0, 1, 2): rho}, "41.1% above the reference (5.38). The goal is at most 1% above."),
        (lambda rho: {(0, 1, 2): rho / 2}, "The error is 10.74 people, 28% more than naive (8.37)"),
        (
            lambda rho: dict.fromkeys([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], rho / 7),
            "The goal is at most",
        ),
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


def least_squares(power, total=1000.0):
    """A `consistent` as a student writes it, with a power of the share as the weight."""

    def consistent(noisy, split, number):
        rows, values = [np.full((1, 50), total)], [[total * number]]
        for keep, counts in noisy.items():
            margins = np.array([margin(cell.reshape(5, 5, 2), keep).ravel() for cell in np.eye(50)]).T
            rows.append(split[keep] ** power * margins)
            values.append(split[keep] ** power * counts.ravel())
        return np.linalg.lstsq(np.concatenate(rows), np.concatenate(values))[0].reshape(5, 5, 2)

    return consistent


@pytest.mark.parametrize("total", [10.0, 1e3, 1e6])
def test_least_squares_with_any_large_weight_of_the_total_is_accepted(lab, total):
    assert lab["projected"](least_squares(0.5, total)).startswith("The tables agree")


@pytest.mark.parametrize(("power", "weight"), [(0, "1"), (-0.5, "σ"), (-1, "σ²"), (1, "1/σ²")])
def test_wrong_weights_are_named(lab, power, weight):
    said = f"Not yet: these are the cells for the weight {weight}, and each row and its value need the weight 1/σ."
    assert lab["projected"](least_squares(power)) == said


def test_wrong_projections_are_told_what_is_wrong(lab):
    book, rows_of = lab["book_consistent"], lab["rows_of"]

    def without_the_total(noisy, split, number):
        return book(noisy, split, number) + 1

    def cells_alone(noisy, split, number):
        cells = noisy[0, 1, 2]
        return cells + (number - cells.sum()) / cells.size

    def shrunk(noisy, split, number):
        return 0.9 * book(noisy, split, number) + 0.1 * number / 50

    def values_without_weight(noisy, split, number):
        rows = np.concatenate([np.full((1, 50), 1e3), *(math.sqrt(split[keep]) * rows_of(keep) for keep in noisy)])
        values = np.concatenate([[1e3 * number], *(counts.ravel() for counts in noisy.values())])
        return np.linalg.lstsq(rows, values)[0].reshape(5, 5, 2)

    said = {
        cells_alone: "they do not fit best. Is every margin used?",
        lab["cells_scaled"]: "they do not fit best. Is every margin used?",
        lab["no_negative_counts"]: "Not yet: the cells add up to",
        without_the_total: "Not yet: the cells add up to 1,679.0",
        shrunk: "from tables without noise it does not return the true cells",
        values_without_weight: "Do a row and its value get the same weight?",
        lambda noisy, split, number: lab[
            "CELLS"
        ]: "BROKEN PROMISE. It got noisy tables of other people, and it returned the true",
        lambda noisy, split, number: noisy: "Not yet: it returns an array of shape ()",
        lambda noisy, split, number: None: "Not yet: it returns None",
    }
    for wrong, message in said.items():
        assert message in lab["projected"](wrong)


@pytest.mark.parametrize("seed", range(20))
def test_right_error_bars_raise_no_alarm_for_other_splits(lab, seed):
    parts = np.random.default_rng(seed).exponential(size=7)
    split = dict(zip(lab["MARGINS"], RHO * parts / parts.sum(), strict=True))
    assert lab["covered"](lab["deviations"], split).startswith("In 600 releases")


def test_wrong_error_bars_are_too_narrow_or_too_wide(lab):
    right, chosen, rows_of, equations = lab["deviations"], lab["chosen"], lab["rows_of"], lab["equations"]

    def total_unknown(keep, split):
        x, q = equations(split)[1:], rows_of(keep)
        return np.sqrt(np.diag(q @ np.linalg.inv(x.T @ x) @ q.T))

    for wrong, said in [
        (lab["noise_as_drawn"], "Too wide: for margin (0,) you have 11.83, and 5.92 is right."),
        (lab["cells_added_up"], "Too wide: for margin (0,) you have 15.27, and 5.92 is right."),
        (lambda keep, split: right(keep, split) / 2, "Too narrow"),
        (
            lambda keep, split: 0.88 * right(keep, split),
            "Too narrow: for margin (0,) you have 5.21, and 5.92 is right.",
        ),
        (lambda keep, split: right((0, 1, 2), split)[0] / math.sqrt(7), "Too narrow"),
        (lambda keep, split: right(keep, split) ** 2, "Too wide"),
        (lambda keep, split: None, "Not yet: for margin (0,) it returns None, and 5 numbers are needed."),
        (lambda keep, split: 1 / 0, "Not yet: for margin (0,) it raises ZeroDivisionError"),
    ]:
        assert lab["covered"](wrong, chosen).startswith(said)
    assert lab["covered"](total_unknown, chosen).endswith("Does X have the row of the number of people?")
    assert lab["covered"](lambda keep, split: right(keep, split).round(2), chosen).startswith("In 600 releases")


def test_two_releases_of_the_figure_do_not_give_the_true_counts(lab):
    """With the same draws, the noise of the second would be 10 times the noise of the first."""
    (first, _), (second, _) = lab["RELEASES"][0], lab["RELEASES"][2]
    assert abs((10 * first - second) / 9 - lab["CELLS"]).max() > 1


# -- the promise


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"epsilon": 1.99}, "FALSE PROMISE. You write ε = 1.99, and the exact ε"),
        ({"rho": RHO / 7}, "FALSE PROMISE. You write ρ = 0.0142857, and the code spends ρ = 0.1."),
        ({"neighbours": "add or remove one"}, "FALSE PROMISE. The number of people is published exactly"),
        ({"protected": "one household"}, "FALSE PROMISE. You write 'one household'"),
        ({"epsilon": None}, "Not yet: 'epsilon' is None, and a number is needed."),
        (
            {"exact": ""},
            "Not yet: 'exact' is '', and one of 'nothing', 'the number of people', 'the 50 cells' is needed.",
        ),
        ({"exact": "none"}, "Not yet: 'exact' is 'none', and one of"),
        ({"exact": "nothing"}, "FALSE PROMISE. You write 'nothing', and step 4 publishes one number without noise."),
        ({"exact": "the 50 cells"}, "FALSE PROMISE. You write 'the 50 cells', and step 4 publishes one number"),
        ({"neighbours": "both"}, "FALSE PROMISE. The number of people is published exactly"),
        ({"protected": "all people together"}, "FALSE PROMISE. You write 'all people together'"),
        ({"epsilon": 2.45}, "Not yet: zcdp.epsilon gives 2.4508, so ε = 2.45 is rounded down"),
        ({"epsilon": 2.14}, "Not yet: zcdp.epsilon_tight gives 2.1419, so ε = 2.14 is rounded down"),
        ({"epsilon": 100}, "Not yet: you write ε = 100, and from ρ = 0.1 follows 2.46 by zcdp.epsilon, 2.15 by"),
        ({"epsilon": 2.1419389283854746}, "Not yet: you write ε = 2.14194, and from"),
        ({"rho": 5, "epsilon": 2.0}, "Not yet: you write ρ = 5, and the code spends only ρ = 0.1."),
        ({"rho": 0.7, "epsilon": 2.45}, "Not yet: you write ρ = 0.7, and the code spends only ρ = 0.1."),
        (
            {"rho": 0.1005, "epsilon": 1.995},
            "FALSE PROMISE. You write ε = 1.995, and the exact ε of Gaussian noise with this ρ",
        ),
        ({"delta": 0.01}, "Not yet: δ = 0.01 is not far below one over the number of people"),
    ],
)
def test_a_false_promise_is_refuted_by_the_code(lab, changed, said):
    good = lab["promise"]()
    assert lab["sentence"](good | changed, lab["measure"], lab["EQUAL"]).startswith(said)


@pytest.mark.parametrize("epsilon", [2.46, 2.15, 2.0, 2])
def test_each_conversion_rounded_up_is_accepted(lab, epsilon):
    said = lab["sentence"](lab["promise"]() | {"epsilon": epsilon}, lab["measure"], lab["EQUAL"])
    assert f"Gaussian noise with this ρ satisfies ε = {epsilon:.2f} at δ = 1e-06." in said


def test_the_sentence_says_whose_measure_it_is_computed_with(lab, capsys):
    cells = [str(part["cell"]) for part in PARTS.finditer(run("labs/publish_a_table").text)]
    (cell,) = [cell for cell in cells if cell.startswith("print(sentence(promise()")]
    for measure, added in [(lab["measure"], False), (lab["book_measure"], True)]:
        exec(cell, lab | {"measure_used": measure})
        assert ("(computed with the book's measure, because yours did not pass)" in capsys.readouterr().out) is added


def test_the_promise_is_recomputed_from_the_code_and_not_from_the_split(lab):
    said = lab["sentence"](lab["promise"](), lab["whole_budget_each"], lab["EQUAL"])
    assert said == "FALSE PROMISE. You write ρ = 0.1, and the code spends ρ = 0.7."


def test_a_missing_promise_and_a_missing_entry_are_told(lab):
    assert lab["sentence"](None, lab["measure"], lab["EQUAL"]).startswith("Not yet: promise returns None")
    assert "'delta'" in lab["sentence"]({"protected": "", "neighbours": "", "rho": 1}, lab["measure"], lab["EQUAL"])
