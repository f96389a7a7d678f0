"""Lab 5: the checks accept the solution and other right versions, and catch what students write wrong."""

import math

import numpy as np
import pytest
from figures import PARTS, TEXTS
from scipy import optimize
from test_lab_examples import cell_with

from dp_lib import mechanisms, zcdp

pytestmark = pytest.mark.xdist_group("labs/publish_a_table")

RHO = 0.1


def margin(cells, keep):
    return cells.sum(axis=tuple({0, 1, 2} - set(keep)))


# -- the mechanism


def test_solutions_are_accepted(lab):
    for split, rho in (("EQUAL", 0.1), ("UNEVEN", 0.2)):
        said = lab["compared"](lab["measure"], lab[split])
        assert said == f"The code spends ρ = {rho}, which is the budget of the split."
    assert lab["judged"](lab["my_split"]).startswith("The error is 5.38 people, 36% less than naive (8.37) and 0.0%")
    assert lab["judged"](lab["my_split"]).endswith("Passed.")
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


def rounded_afterwards(cells, split, rng):
    return {keep: np.round(counts) for keep, counts in noise_around_the_counts(cells, split, rng).items()}


# -- the table and its margins


def counted_once(age, school, stopped):
    cells = np.zeros((5, 5, 2), int)
    cells[age, school, stopped] += 1
    return cells


def in_a_loop(age, school, stopped):
    cells = np.zeros((5, 5, 2))
    for a, e, q in zip(age, school, stopped, strict=True):
        cells[a, e, q] += 1
    return cells


def test_wrong_tables_and_margins_are_told_where(lab, capsys):
    people, same = (lab["age"], lab["school"], lab["stopped"]), lab["same"]

    def of_all_people(age, school, stopped):
        cells = np.zeros((5, 5, 2), int)
        for i in range(len(lab["people"])):
            cells[age[i], school[i], stopped[i]] += 1
        return cells

    for name, mine, right, arguments, said in [
        ("count", counted_once, lab["book_count"], people, "count: entry (0, 0, 0) is 1, and 25 is right."),
        ("count", of_all_people, lab["book_count"], people, "for data of other people, it raises IndexError"),
        ("count", lambda *people: lab["CELLS"], lab["book_count"], people, "does it use its arguments alone?"),
        ("margin", lambda cells, keep: cells.sum(axis=keep), lab["book_margin"], (lab["CELLS"], (0, 2)), "shape (5,)"),
        (
            "margin",
            lambda cells, keep: margin(lab["CELLS"], keep),
            lab["book_margin"],
            (lab["CELLS"], (0, 2)),
            "margin: for data of other people, entry (0, 0) is 368, and 36 is right; does it use its arguments alone?",
        ),
    ]:
        assert not same(name, mine, right, arguments)
        assert said in capsys.readouterr().out
    assert same("count", in_a_loop, lab["book_count"], people)


def by_histogram(age, school, stopped):
    """Without a range, the bins go from the least to the greatest answer that occurs."""
    return np.histogramdd(np.array([age, school, stopped]).T, bins=(5, 5, 2))[0]


def by_histogram_with_range(age, school, stopped):
    ranges = [(-0.5, 4.5), (-0.5, 4.5), (-0.5, 1.5)]
    return np.histogramdd(np.array([age, school, stopped]).T, bins=(5, 5, 2), range=ranges)[0]


def test_count_is_tried_on_the_people_of_its_docstring(lab, capsys):
    people, same = (lab["age"], lab["school"], lab["stopped"]), lab["same"]
    assert same("count", by_histogram_with_range, lab["book_count"], people)
    assert not same("count", by_histogram, lab["book_count"], people)
    said = capsys.readouterr().out
    assert "count: for the three people of the docstring, entry" in said and "do its bins depend on the people?" in said


def test_no_code_changes_the_cells_of_the_survey(lab):
    with pytest.raises(ValueError, match="read-only"):
        lab["CELLS"][0, 0, 0] = 7


def test_a_wrong_margin_is_called_wrong_however_often_its_cell_runs(lab, capsys):
    cell = cell_with("labs/publish_a_table", "margins_right = ")
    names = lab | {"margin": lambda cells, keep: cells.sum(axis=keep)}
    for _ in range(2):
        exec(cell, names)
        said = capsys.readouterr().out
        assert said.startswith("margin (0,): it returns an array of shape (5, 2), and shape (5,) is needed; these")
        assert said.count("these are the sums over the questions that should stay.") == 1
        assert "are right" not in said and "use the book's function in place of your margin" in said
        assert names["margin_used"] is names["book_margin"]


def test_a_list_of_axes_is_told_in_one_line(lab, capsys):
    cell = cell_with("labs/publish_a_table", "margins_right = ")
    exec(cell, lab | {"margin": lambda cells, keep: cells.sum(axis=[q for q in range(3) if q not in keep])})
    said = capsys.readouterr().out
    assert said.count("TypeError") == 1 and "axis must be a tuple, such as (0, 1), and not a list." in said


# -- noise for each margin


def where_measured(split):
    return {keep: share for keep, share in split.items() if share > 0}


@pytest.mark.parametrize(
    "measure",
    [
        by_the_library,
        noise_around_the_counts,
        rounded_afterwards,
        "book_measure",
    ],
)
def test_right_mechanisms_of_other_styles_are_accepted(lab, measure):
    measure = lab[measure] if isinstance(measure, str) else measure
    for split, rho in ((lab["EQUAL"], 0.1), (where_measured(lab["UNEVEN"]), 0.2)):
        assert lab["compared"](measure, split).startswith(f"The code spends ρ = {rho}, which is the budget")


def all_from_noisy_cells(cells, split, rng):
    noisy = cells + rng.normal(0, 1 / math.sqrt(sum(split.values())), cells.shape)
    return {keep: margin(noisy, keep) for keep in split}


def same_extra_noise_in_all_counts(cells, split, rng):
    return {keep: counts + rng.normal(0, 90) for keep, counts in noise_around_the_counts(cells, split, rng).items()}


def same_share_for_all(cells, split, rng):
    return noise_around_the_counts(cells, dict.fromkeys(split, sum(split.values()) / len(split)), rng)


def same_share_for_all_measured(cells, split, rng):
    return same_share_for_all(cells, where_measured(split), rng)


def shares_in_the_order_of_the_margins(cells, split, rng):
    """Reads the shares by their places, not by their margins."""
    margins = sorted((keep for keep, share in split.items() if share > 0), key=lambda keep: (len(keep), keep))
    shares = [share for share in split.values() if share > 0]
    return noise_around_the_counts(cells, dict(zip(margins, shares, strict=True)), rng)


def every_margin_has_a_share(cells, split, rng):
    kept = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    return noise_around_the_counts(cells, {keep: split[keep] for keep in kept if split[keep] > 0}, rng)


def ten_percent_always(cells, split, rng):
    total = sum(split.values())
    return noise_around_the_counts(cells, {keep: RHO * share / total for keep, share in split.items() if share}, rng)


def sigma_of_the_library(cells, split, rng):
    sigmas = {keep: zcdp.sigma(float(share), math.sqrt(2)) for keep, share in split.items()}
    return {keep: rng.normal(margin(cells, keep), sigma) for keep, sigma in sigmas.items()}


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
        (
            noise_around_the_counts,
            "UNEVEN",
            "negative power; a split may leave margins out, or give them the share 0.",
        ),
        (sigma_of_the_library, "UNEVEN", "got 0.0; a split may leave margins out, or give them the share 0."),
        (shares_in_the_order_of_the_margins, "UNEVEN", "the code does not divide ρ as the split says."),
        (every_margin_has_a_share, "UNEVEN", "raises KeyError: (2,); a split may leave margins out, or give them"),
        (decimals_cut_off, "EQUAL", "Not yet: it cuts off the decimals of the noisy counts"),
    ],
)
def test_a_mechanism_that_ignores_the_shares_is_told_where(lab, measure, split, said):
    found = lab["compared"](measure, lab[split])
    assert found.startswith("Not yet: ") and said in found


def test_a_mechanism_that_spends_the_same_budget_at_every_split_is_told(lab):
    assert "spends only ρ = 0.1 of 0.2. That is noise wasted." in lab["compared"](ten_percent_always, lab["UNEVEN"])


# -- answers that are no sums of cells


def answers_of(change):
    """A mechanism with the right noise around a wrong answer."""

    def measure(cells, split, rng):
        return {
            keep: change(cells, keep) + rng.normal(0, share**-0.5, margin(cells, keep).shape)
            for keep, share in where_measured(split).items()
        }

    return measure


def lone_persons_hidden(cells, keep):
    counts = margin(cells, keep)
    return np.where(counts < 2, 0, counts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lone_persons_hidden,
            "Not yet: its answers are not sums of cells; on another table, margin (0, 1, 2), entry",
        ),
        (
            lambda cells, keep: np.minimum(margin(cells, keep), 2000),
            "Not yet: its answers are not sums of cells; on another table, margin (0,), entry (0,) is 2000 without",
        ),
        (
            lambda cells, keep: margin(cells.transpose(1, 0, 2), keep),
            "Not yet: margin (0,), entry (0,) is 311 without noise, and 466 is right.",
        ),
        (
            lambda cells, keep: 1629 - margin(cells, keep),
            "Not yet: margin (0,), entry (0,) is 1163 without noise, and 466 is right.",
        ),
        (lambda cells, keep: margin(cells, keep) + 100, "Not yet: margin (0,), entry (0,) is 566 without noise"),
        (
            lambda cells, keep: 0,
            "Not yet: its answers do not change with `cells`; does it use the global CELLS, or noise",
        ),
    ],
)
def test_answers_that_are_not_sums_of_cells_are_told(lab, change, said):
    for split in ("EQUAL", "UNEVEN"):
        assert lab["compared"](answers_of(change), lab[split]).startswith(said)


def test_a_mechanism_that_publishes_the_global_table_is_told(lab):
    measure = answers_of(lambda cells, keep: margin(lab["CELLS"], keep))
    assert "does it use the global CELLS, or noise only?" in lab["compared"](measure, lab["EQUAL"])


def one_margin_without_noise(cells, split, rng):
    return noise_around_the_counts(cells, split, rng) | {(2,): margin(cells, (2,)).astype(float)}


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
        (one_margin_without_noise, "so ρ is infinite."),
        (cells_published_twice, "which is 1.14 times as much."),
    ],
)
def test_a_mechanism_that_spends_too_much_breaks_its_promise(lab, measure, said):
    measure = lab[measure] if isinstance(measure, str) else measure
    found = lab["compared"](measure, lab["EQUAL"])
    assert found.startswith("BROKEN PROMISE. ") and said in found


def raises(cells, split, rng):
    return cells[7]


def another_source(cells, split, rng):
    return noise_around_the_counts(cells, split, np.random.default_rng())


def added_in_place(cells, split, rng):
    noisy = {keep: margin(cells, keep) for keep in split}
    for keep, counts in noisy.items():
        counts += rng.normal(0, split[keep] ** -0.5, counts.shape)
    return noisy


def changes_its_table(cells, split, rng):
    noisy = noise_around_the_counts(cells, split, rng)
    cells[0] = 0
    return noisy


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
        (
            lambda *given: {k: noisy.tolist() for k, noisy in by_the_library(*given).items()},
            "Not yet: margin (0,) is an object of type list, and an array is needed.",
        ),
        (another_source, "Not yet: two runs with the same rng gave different answers, so it draws from another source"),
        (added_in_place, "the counts are whole numbers, so make a new array, as in exact + noise."),
        (changes_its_table, "Not yet: it changes its table; make a new array"),
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


@pytest.mark.parametrize(
    "measure",
    [
        noise_that_grows_with_the_count,
        noise_cut_off,
        noise_only_on_this_table,
    ],
)
def test_noise_that_depends_on_the_data_or_is_cut_off_is_told(lab, measure):
    said = lab["compared"](measure, lab["EQUAL"])
    assert "its noise is not a fixed multiple of its draws" in said
    assert said.endswith("so only add noise here, and round or cut off after step 4.")


def too_much_noise(cells, split, rng):
    return {keep: rng.normal(margin(cells, keep), 1 / share) for keep, share in split.items()}


def test_wasted_noise_is_told(lab):
    said = lab["compared"](too_much_noise, lab["EQUAL"])
    assert "That is noise wasted. In margin (0,) the noise has σ = 70.00" in said
    assert said.endswith("Is it the variance? Take its root.")


def test_factors_of_usual_slips_are_named(lab):
    def with_sigma(sigma):
        return lambda cells, split, rng: {k: rng.normal(margin(cells, k), sigma(s, split)) for k, s in split.items()}

    for sigma, said in [
        (lambda share, split: 2 / math.sqrt(2 * share), "Is the sensitivity 2, the ℓ1 sensitivity?"),
        (lambda share, split: 1 / math.sqrt(2 * share), "Is the sensitivity 1?"),
        (lambda share, split: math.sqrt(2) / (2 * share), "Is the root missing in the denominator of Δ/√(2ρ)?"),
        (lambda share, split: math.sqrt(2 / 2 * share), "Is ρ in the numerator?"),
        (lambda share, split: math.sqrt(2**0.5**2 / 2 * share), "Is ρ in the numerator?"),
        (lambda share, split: sum(split.values()) ** -0.5, "Does each margin get the whole budget?"),
    ]:
        assert said in lab["compared"](with_sigma(sigma), lab["EQUAL"])


def test_noise_that_is_added_twice_is_not_taken_for_a_wrong_sensitivity(lab):
    def twice(cells, split, rng):
        once = noise_around_the_counts(cells, split, rng)
        return {keep: counts + rng.normal(0, split[keep] ** -0.5, counts.shape) for keep, counts in once.items()}

    said = lab["compared"](twice, lab["EQUAL"])
    assert said.endswith("Is the noise added twice? Each count has two draws.") and "sensitivity" not in said


# -- the split


@pytest.mark.parametrize(
    ("split", "said"),
    [
        (lambda rho: dict.fromkeys([(2,), (0, 1, 2)], rho), "BROKEN PROMISE. The shares add up to 0.2"),
        (lambda rho: {(0, 1, 2): rho / 10}, "Part of the budget is not spent."),
        (lambda rho: {(0, 1, 2): RHO}, "for rho = 0.1 the shares add up to 0.1, and for rho = 0.3 to 0.1. Does it use"),
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


def in_parts(one, rho):
    """A split with one part for each single question, two for each pair and three for the cells."""
    parts = {(0,): one, (1,): one, (2,): one, (0, 1): 2, (0, 2): 2, (1, 2): 2, (0, 1, 2): 3}
    return {keep: rho * part / sum(parts.values()) for keep, part in parts.items()}


@pytest.mark.parametrize(
    "who_stopped",
    [
        lambda lab: lab["CELLS"][..., 1].sum(),
        lambda lab: lab["stopped"].sum(),
        lambda lab: lab["people"]["qsmk"].sum(),
    ],
)
def test_a_split_that_looks_at_the_counts_breaks_its_promise(lab, who_stopped):
    before = {name: lab[name] for name in lab["OTHERS"]}

    def split(rho):
        return in_parts(1 + float(who_stopped(lab)) / 16290, rho)

    assert lab["predicted"](split(RHO)) < 1.01 * lab["predicted"](lab["REFERENCE"])  # it would have passed
    said = "BROKEN PROMISE. The split changes when the table changes: choose it without the counts."
    assert lab["judged"](split) == said
    assert all(lab[name] is data for name, data in before.items())


def test_the_table_is_put_back_after_an_error(lab):
    before = lab["CELLS"]
    assert lab["judged"](lambda rho: in_parts(1 / (lab["CELLS"] is before), rho)).startswith("Not yet: it raises")
    assert lab["CELLS"] is before


def test_a_split_drawn_at_random_is_told_and_one_from_a_fixed_seed_is_accepted(lab):
    rng = np.random.default_rng(3)
    assert lab["judged"](lambda rho: in_parts(rng.uniform(0.95, 1.05), rho)).startswith(
        "Not yet: called twice, it returns two different splits."
    )

    def searched(rho):
        tried = 3 + np.random.default_rng(0).dirichlet(np.ones(7), 50)
        splits = [dict(zip(lab["MARGINS"], rho * parts / parts.sum(), strict=True)) for parts in tried]
        return min(splits, key=lab["predicted"])

    assert lab["judged"](searched).startswith("The error is 5.")


def test_a_split_that_uses_the_number_of_people_is_accepted(lab):
    """This number is public."""
    assert lab["judged"](lambda rho: in_parts(1629 / lab["CELLS"].sum(), rho)).endswith("Passed.")


def test_a_split_that_spends_a_little_less_than_its_budget_passes(lab):
    """The exercise asks for a sum of at most ρ."""
    said = lab["judged"](lambda rho: {keep: 0.99 * share for keep, share in lab["my_split"](rho).items()})
    assert said.endswith("Part of the budget is not spent. Passed.")


def test_the_search_that_the_page_describes_passes(lab):
    def searched(rho):
        def split(x):
            return dict(zip(lab["MARGINS"], rho * np.exp(x) / np.exp(x).sum(), strict=True))

        return split(optimize.minimize(lambda x: lab["predicted"](split(x)), np.zeros(7)).x)

    assert lab["judged"](searched).endswith("Passed.")


def test_a_split_of_half_the_budget_is_published_with_the_noise_of_its_sentence(lab):
    half = {keep: share / 2 for keep, share in lab["EQUAL"].items()}
    cell = cell_with("labs/publish_a_table", "def published(rho")
    function = cell[cell.index("def published(rho") : cell.index("# Each release")]
    names = lab | {"chosen": half}
    exec(function, names)
    bar = 1.96 * names["published"](RHO, seed=1)[1]
    said = lab["sentence"](lab["promise"]() | {"rho": RHO / 2, "epsilon": 1.48}, lab["measure"], half)
    assert f"lie within {math.ceil(10 * bar) / 10:.1f} of the true count" in said


def test_a_split_without_some_margins_works_to_the_end(lab):
    """Its error is above the goal, and it can be published all the same."""
    split = {(0, 1, 2): RHO / 2, (0,): 0, (2,): RHO / 2}
    assert lab["judged"](lambda rho: {keep: share * rho / RHO for keep, share in split.items()}).startswith("The error")
    assert lab["covered"](lab["deviations"], split).startswith("In 600 releases")
    assert lab["sentence"](lab["promise"](), lab["measure"], split).startswith("The counts contain")


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


@pytest.mark.parametrize("total", [100.0, 1e3, 1e6])
def test_least_squares_with_any_large_weight_of_the_total_is_accepted(lab, total):
    assert lab["projected"](least_squares(0.5, total)).startswith("The tables agree")


# With the weight 10, the cells add up to 1,628.998, and the docstring's example has three digits.
@pytest.mark.parametrize(("total", "found"), [(1.0, "1,628.818"), (10.0, "1,628.998")])
def test_a_weight_of_the_total_that_is_too_small_is_told(lab, total, found):
    said = f"Not yet: the cells add up to {found}, and there are 1,629 people. This equation needs a larger weight."
    assert lab["projected"](least_squares(0.5, total)) == said


def test_rows_and_values_in_different_orders_are_told(lab):
    def consistent(noisy, split, number):
        rows = [math.sqrt(share) * lab["rows_of"](keep) for keep, share in split.items() if share > 0]
        values = [math.sqrt(split[keep]) * counts.ravel() for keep, counts in noisy.items()]
        rows, values = np.concatenate([*rows, np.full((1, 50), 1e3)]), np.concatenate([*values, [1e3 * number]])
        return np.linalg.lstsq(rows, values)[0].reshape(5, 5, 2)

    said = "Not yet: the rows and the values are in different orders. Take both in the order of noisy."
    assert lab["projected"](consistent) == said


def test_rows_and_values_in_the_order_of_the_margins_are_accepted(lab):
    def consistent(noisy, split, number):
        return least_squares(0.5)({keep: noisy[keep] for keep in lab["MARGINS"] if keep in noisy}, split, number)

    assert lab["projected"](consistent).startswith("The tables agree")


def test_other_ways_to_the_best_cells_are_accepted(lab):
    rows_of = lab["rows_of"]

    def added_in_equal_parts(noisy, split, number):
        """All cells have the same error, so the correction of the sum is the same for each."""
        cells = least_squares(0.5, 0)(noisy, split, number)
        return cells + (number - cells.sum()) / 50

    def multiplier(noisy, split, number):
        matrix = sum(split[keep] * rows_of(keep).T @ rows_of(keep) for keep in noisy)
        right = sum(split[keep] * rows_of(keep).T @ counts.ravel() for keep, counts in noisy.items())
        ones = np.ones((50, 1))
        solved = np.linalg.solve(np.block([[matrix, ones], [ones.T, np.zeros((1, 1))]]), np.append(right, number))
        return solved[:50].reshape(5, 5, 2)

    for consistent in (added_in_equal_parts, multiplier):
        assert lab["projected"](consistent).startswith("The tables agree")


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

    def rows_without_weight(noisy, split, number):
        rows = np.concatenate([np.full((1, 50), 1e3), *(rows_of(keep) for keep in noisy)])
        values = np.concatenate([[1e3 * number], *(math.sqrt(split[k]) * noisy[k].ravel() for k in noisy)])
        return np.linalg.lstsq(rows, values)[0].reshape(5, 5, 2)

    def scaled(noisy, split, number):
        cells = least_squares(0.5, 0)(noisy, split, number)
        return cells * number / cells.sum()

    def share_of_each_margin(noisy, split, number):
        return book({keep: noisy[keep] for keep in split}, split, number)

    def of_the_chosen_split(noisy, split, number):
        return book(noisy, lab["REFERENCE"] | split if set(split) == set(lab["MARGINS"]) else lab["chosen"], number)

    said = {
        cells_alone: "they do not fit best. Is every margin used, with its share of split?",
        lab["cells_scaled"]: "they do not fit best. Is every margin used, with its share of split?",
        lab["no_negative_counts"]: "Not yet: the cells add up to",
        without_the_total: "Not yet: the cells add up to 1,679.0",
        shrunk: "from tables without noise it does not return the true cells",
        values_without_weight: "Not yet: you multiply only the rows by the weight, and each row and its value need",
        rows_without_weight: "Not yet: you multiply only the values by the weight, and each row and its value need",
        scaled: "the number of people must be an equation of least squares",
        lambda noisy, split, number: np.round(
            book(noisy, split, number)
        ): "Not yet: it rounds the cells, and rounded cells need not add up to the number of people.",
        share_of_each_margin: "with 960 people and the split UNEVEN: it raises KeyError: (0, 1); a split may leave",
        of_the_chosen_split: "with 960 people and the split UNEVEN: the cells add up to the number of people, but they",
        lambda noisy, split, number: book(
            noisy, split, 1629
        ): "with 960 people and the split UNEVEN: the cells add up to 1,629.0, and there are 960 people.",
        lambda noisy, split, number: lab[
            "CELLS"
        ]: "BROKEN PROMISE: it got noisy tables of other people, and it returned the true",
        lambda noisy, split, number: noisy: "Not yet: it returns an array of shape ()",
        lambda noisy, split, number: None: "Not yet: it returns None",
    }
    for wrong, message in said.items():
        assert message in lab["projected"](wrong)


@pytest.mark.parametrize("seed", range(3))
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
        (lambda keep, split: right((0, 1, 2), split)[: len(rows_of(keep))] / math.sqrt(7), "Too narrow"),
        (
            lambda keep, split: right(keep, split)[0],
            "Not yet: for margin (0,) it returns one number, and 5 numbers are needed, one for each count.",
        ),
        (
            lambda keep, split: np.full(len(rows_of(keep)), math.sqrt(lab["variance"](keep, split))),
            "Not yet: it calls the book's variance, and this exercise asks for a function of X and Q.",
        ),
        (lambda keep, split: right(keep, lab["chosen"]), "Too wide: for margin (0,) and the split EQUAL"),
        (lambda keep, split: None, "Not yet: for margin (0,) it returns None, and 5 numbers are needed, one"),
        (lambda keep, split: 1 / 0, "Not yet: for margin (0,) it raises ZeroDivisionError"),
    ]:
        assert lab["covered"](wrong, chosen).startswith(said)
    for wrong, said in [
        (total_unknown, "Does X have the row of the number of people?"),
        (lambda keep, split: right(keep, split) ** 2, "Is it the variance? Take its root."),
        (lab["cells_added_up"], "The errors of the cells are not independent."),
        (lambda keep, split: 1.96 * right(keep, split), "The check multiplies by 1.96 itself."),
        (lambda keep, split: right(keep, chosen), "Does it use its argument split?"),
        (
            lambda keep, split: split[keep] and right(keep, split),
            "a split may leave margins out, or give them the share 0.",
        ),
    ]:
        assert lab["covered"](wrong, chosen).endswith(said)
    for same in (
        lambda keep, split: right(keep, split).round(2),
        lambda keep, split: right(keep, split).tolist(),
        lambda keep, split: right(keep, split).reshape([(5, 5, 2)[question] for question in keep]),
        lambda keep, split: np.linalg.norm(rows_of(keep) @ np.linalg.pinv(equations(split)), axis=1),
    ):
        assert lab["covered"](same, chosen).startswith("In 600 releases")


def test_the_coverage_is_told_only_where_it_is_far_from_95_per_cent(lab):
    right, chosen = lab["deviations"], lab["chosen"]
    for factor, told in [(0.5, True), (0.95, False), (1.05, False), (2, True)]:
        said = lab["covered"](lambda keep, split, by=factor: by * right(keep, split), chosen)
        assert said.startswith("Too ") and ("of the true counts lie within" in said) is told


def test_the_release_of_the_office_has_fresh_noise_each_time(lab, capsys):
    """With a known seed, the noise can be subtracted."""
    cells = [str(part["cell"]) for part in PARTS.finditer(TEXTS["labs/publish_a_table"])]
    (cell,) = [cell for cell in cells if "published(RHO)" in cell]
    assert cell.startswith(":tags: [remove-output]\n")  # or each build of the page would be another
    said = []
    for _ in range(2):
        exec(cell.split("\n", 1)[1], lab | {"said": "The counts contain"})
        said.append(capsys.readouterr().out)
    assert said[0] != said[1]
    assert all("8th grade or less" in each and "65-74" in each for each in said)
    assert all(each.endswith("Each of these counts has an error bar of ± 9.5 people.\n") for each in said)
    exec(cell.split("\n", 1)[1], lab | {"said": "FALSE PROMISE."})
    assert capsys.readouterr().out == ""


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
        ({"exact": "nothing"}, "FALSE PROMISE. You write 'nothing', and step 4 publishes one number without noise."),
        ({"exact": "the 50 cells"}, "FALSE PROMISE. You write 'the 50 cells', and step 4 publishes one number"),
        ({"epsilon": 2.45}, "Not yet: zcdp.epsilon gives 2.4508, so ε = 2.45 is rounded down"),
        ({"epsilon": 2.14}, "Not yet: zcdp.epsilon_tight gives 2.1419, so ε = 2.14 is rounded down"),
        ({"epsilon": 2.5}, "True, but larger than needed: you write ε = 2.5, and these are enough for ρ = 0.1"),
        ({"epsilon": 2.1419389283854746}, "Not yet: round ε = 2.14194 up to two, three or four digits after"),
        ({"rho": 0.7, "epsilon": 2.45}, "Not yet: you write ρ = 0.7, and the code spends only ρ = 0.1."),
        (
            {"rho": 0.1005, "epsilon": 1.995},
            "FALSE PROMISE. You write ε = 1.995, and the exact ε of Gaussian noise with this ρ",
        ),
        (
            {"delta": 0},
            "Not yet: you write δ = 0, and Gaussian noise satisfies no finite ε with δ = 0. It needs δ > 0.",
        ),
        ({"delta": 0.01}, "Not yet: δ = 0.01 is not far below one over the number of people"),
    ],
)
def test_a_false_promise_is_refuted_by_the_code(lab, changed, said):
    good = lab["promise"]()
    assert lab["sentence"](good | changed, lab["measure"], lab["EQUAL"]).startswith(said)


@pytest.mark.parametrize(
    ("epsilon", "written"),
    [(2.46, 2.46), (2.15, 2.15), (2.0, "2.00"), (2, "2.00"), (1.995, 1.995), (2.142, 2.142), (2.4508, 2.4508)],
)
def test_each_conversion_rounded_up_is_accepted_and_written_with_its_digits(lab, epsilon, written):
    said = lab["sentence"](lab["promise"]() | {"epsilon": epsilon}, lab["measure"], lab["EQUAL"])
    assert f"Gaussian noise with this ρ satisfies ε = {written} at δ = 1e-06." in said


def test_the_sentence_is_that_of_a_measure_that_divides_the_budget_as_the_split_says(lab):
    said = lab["sentence"](
        lab["promise"](), lambda *given: by_the_library(given[0], lab["EQUAL"], given[2]), lab["chosen"]
    )
    assert "but the error bars are those of another measure. In margin (0,)" in said
    said = lab["sentence"](lab["promise"](), answers_of(lone_persons_hidden), lab["EQUAL"])
    assert said.startswith("Not yet: with this measure, its answers are not sums of cells")


def test_the_sentence_says_whose_measure_it_is_computed_with(lab, capsys):
    cell = cell_with("labs/publish_a_table", "said = sentence(promise()")
    for measure, added in [(lab["measure"], False), (lab["book_measure"], True)]:
        exec(cell, lab | {"measure_used": measure})
        said = capsys.readouterr().out
        assert ("(computed with the book's measure, because yours did not pass)" in said) is added
        assert said.startswith("The counts contain")
    exec(cell, lab | {"promise": lambda: lab["promise"]() | {"epsilon": 1}})
    assert capsys.readouterr().out.startswith("FALSE PROMISE")


def test_the_promise_is_recomputed_from_the_code_and_not_from_the_split(lab):
    said = lab["sentence"](lab["promise"](), lab["whole_budget_each"], lab["EQUAL"])
    assert said == "FALSE PROMISE. You write ρ = 0.1, and the code spends ρ = 0.7."


def test_a_missing_promise_and_a_missing_entry_are_told(lab):
    assert lab["sentence"](None, lab["measure"], lab["EQUAL"]).startswith("Not yet: promise returns None")
    assert "'delta'" in lab["sentence"]({"protected": "", "neighbours": "", "rho": 1}, lab["measure"], lab["EQUAL"])
