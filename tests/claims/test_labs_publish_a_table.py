"""Checks of chapters/labs/publish_a_table.md."""

import math

import numpy as np
import pytest
from scipy import linalg, optimize

from claims import answers, at_rest, claim

SHAPE = (5, 5, 2)
KEPT = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def sums(keep):
    """The rows that add up cells to a margin, by Kronecker products of identities and rows of ones."""
    parts = [np.eye(size) if question in keep else np.ones((1, size)) for question, size in enumerate(SHAPE)]
    return np.kron(np.kron(parts[0], parts[1]), parts[2])


def deviations(split):
    """The root mean squared error of each margin, from the normal equations where the total is known."""
    basis = linalg.null_space(np.ones((1, 50)))
    information = sum(share * (sums(keep) @ basis).T @ (sums(keep) @ basis) for keep, share in split.items())
    covariance = basis @ np.linalg.inv(information) @ basis.T
    return {keep: math.sqrt(np.diag(sums(keep) @ covariance @ sums(keep).T).mean()) for keep in KEPT}


def error(split):
    return math.sqrt(np.mean([each**2 for each in deviations(split).values()]))


EQUAL = dict.fromkeys(KEPT, 0.1 / 7)
CELLS_ONLY = {(0, 1, 2): 0.1}


@claim("labs/publish_a_table.md", "two-people-in-a-cell", numbers=[65, 74, 7, 8])
def test_two_people_in_a_cell(passage):
    people = passage.names["people"]
    chosen = (people["age"] >= 65) & (people["education"].astype(int) == 5)
    stopped = people["qsmk"][chosen].astype(int)
    assert people["age"].max() == 74
    assert passage.printed == [f"{chosen.sum()}", f"{stopped.sum()}"] == ["8", "2"]
    assert all(stopped.sum() - stopped.drop(person).sum() == answer for person, answer in stopped.items())


@claim("labs/publish_a_table.md", "cost-of-a-move")
def test_cost_of_a_move(passage):
    """By the closed formula for correlated noise, of a mechanism with a known covariance."""
    names, rng = passage.names, np.random.default_rng(1)
    mix = rng.normal(size=(50, 50))

    def correlated(cells, split, rng):
        return {(0, 1, 2): cells + (mix @ rng.standard_normal(50)).reshape(SHAPE)}

    found = names["costs"](correlated, CELLS_ONLY)
    inverse = np.linalg.inv(mix @ mix.T)
    for a, b in [(0, 49), (3, 4), (17, 30)]:
        move = np.eye(50)[a] - np.eye(50)[b]
        assert found[a, b] == pytest.approx(move @ inverse @ move / 2, rel=1e-6)


@claim("labs/publish_a_table.md", "attack-misses-a-factor-of-two", numbers=[2])
def test_attack_misses_a_factor_of_two(passage):
    names = passage.names
    assert not names["attacked"](names["sensitivity_of_one_count"]).caught
    assert names["attacked"](names["whole_budget_each"]).caught


@claim("labs/publish_a_table.md", "variances-by-parts")
def test_variances_by_parts(passage):
    rng = np.random.default_rng(3)
    for split in (EQUAL, CELLS_ONLY, dict(zip(KEPT, rng.uniform(0.001, 0.1, 7), strict=True))):
        for keep, deviation in deviations(split).items():
            assert math.sqrt(passage.names["variance"](keep, split)) == pytest.approx(deviation, rel=1e-9)


@answers("labs/publish_a_table.md", "error-of-added-cells", numbers=[50, 3.16, 2], choices=[[3], [11], [16], [79]])
def test_question_error_of_added_cells(question):
    truth = deviations(CELLS_ONLY)[2,]
    assert question.right == [near / 1.2 < truth < near * 1.2 for near in (3, 11, 16, 79)]
    assert question.printed[0] == f"{truth:.1f}"


@claim("labs/publish_a_table.md", "errors-of-three-releases")
def test_errors_of_three_releases(passage):
    assert passage.printed == [f"{error(EQUAL):.2f}", f"{error(CELLS_ONLY):.2f}", f"{math.sqrt(7 / 0.1):.2f}"]


@claim("labs/publish_a_table.md", "reference-in-fourteenths")
def test_reference_in_fourteenths(passage):
    """By another search, over the squares of the roots of the shares."""

    def of_roots(roots):
        return error(dict(zip(KEPT, 0.1 * roots**2 / (roots**2).sum(), strict=True)))

    starts = (np.ones(7), np.arange(1.0, 8.0))
    least = min(optimize.minimize(of_roots, start, method="L-BFGS-B").fun for start in starts)
    mine = passage.names["my_split"](0.1)
    assert error(passage.names["REFERENCE"]) == pytest.approx(least, rel=1e-5)
    assert error(mine) == pytest.approx(least, rel=5e-4)
    assert all(abs(14 * share / 0.1 - round(14 * share / 0.1)) < 0.15 for share in passage.names["REFERENCE"].values())


@claim("labs/publish_a_table.md", "rounded-cells-do-not-add-up")
def test_rounded_cells_do_not_add_up(passage):
    names, sums = passage.names, []
    for seed in (1, 2, 3):
        noisy = names["book_measure"](names["CELLS"], EQUAL, np.random.default_rng(seed))
        sums.append(names["book_consistent"](noisy, EQUAL, 1629).round().sum())
    assert sums == [1630, 1629, 1626]


@claim("labs/publish_a_table.md", "known-seed-gives-the-counts", numbers=[50])
def test_known_seed_gives_the_counts(passage):
    """Least squares is linear, so the noise alone, drawn again, goes through it and can be subtracted."""
    names = passage.names
    for digits, (cells, _) in names["RELEASES"].items():
        split = {keep: share * float(f"1e-{digits}") / 0.1 for keep, share in names["chosen"].items()}
        noise = names["measure"](0 * names["CELLS"], split, np.random.default_rng(digits))
        assert np.allclose(cells - names["consistent"](noise, split, 0), names["CELLS"], atol=1e-6)


@claim("labs/publish_a_table.md", "no-negative-counts-are-biased")
def test_no_negative_counts_are_biased(passage):
    names, rng = passage.names, np.random.default_rng(4)
    cells = []
    for _ in range(100):
        noisy = names["book_measure"](names["CELLS"], EQUAL, rng)
        cells.append(names["book_consistent"](noisy, EQUAL, 1629))
    small = names["CELLS"] <= 5
    plain, cut = np.mean(cells, axis=0), np.mean(np.maximum(cells, 0), axis=0)
    assert abs((plain - names["CELLS"])[small].mean()) < 0.3
    assert (cut - names["CELLS"])[small].mean() > 0.5
    assert cut.sum() > 1629 + 3


@claim("labs/publish_a_table.md", "chance-in-the-errors", numbers=[400, 1])
def test_chance_in_the_errors(passage):
    """The relative standard error of a root mean square of Gaussian errors, by the eigenvalues of their covariance."""
    basis = linalg.null_space(np.ones((1, 50)))
    split = passage.names["REFERENCE"]
    rows = np.concatenate([math.sqrt(share) * sums(keep) for keep, share in split.items()]) @ basis
    tables = np.concatenate([sums(keep) / math.sqrt(7 * len(sums(keep))) for keep in KEPT]) @ basis
    parts = np.linalg.eigvalsh(tables @ np.linalg.inv(rows.T @ rows) @ tables.T)
    assert passage.printed == [f"{math.sqrt(parts.sum()):.2f}"]
    assert math.sqrt(2 * (parts**2).sum() / 400) / parts.sum() / 2 == pytest.approx(0.01, rel=0.25)


@claim("labs/publish_a_table.md", "bars-wider-than-most-counts", numbers=[0.01])
def test_bars_wider_than_most_counts(passage):
    width = 1.96 * deviations({keep: share / 10 for keep, share in passage.names["chosen"].items()})[0, 1, 2]
    stopped = passage.names["CELLS"][:, :, 1]
    assert np.mean(stopped < width) > 0.5


@claim("labs/publish_a_table.md", "sampling-error-of-a-cell", numbers=[36, 36, 6])
def test_sampling_error_of_a_cell(passage):
    share = 36 / 1629
    assert math.sqrt(1629 * share * (1 - share)) == pytest.approx(6, abs=0.1)
    assert deviations(passage.names["chosen"])[0, 1, 2] < 5.9


@claim("labs/publish_a_table.md", "lab-table-published.caption", numbers=[95, 100])
@claim("labs/publish_a_table.md", "lab-table-published.alt")
def test_published_figure():
    seen = at_rest("labs/publish_a_table.md", "lab-table-published")
    above, below = seen["upper end"] - seen["published"], seen["published"] - seen["lower end"]
    assert above == pytest.approx(below) and np.ptp(above) < 1e-9
    split = {keep: 0.1 * part / 14 for keep, part in zip(KEPT, (1, 1, 1, 2, 3, 3, 3), strict=True)}
    assert above[0] == pytest.approx(1.96 * deviations(split)[0, 1, 2])


@claim("labs/publish_a_table.md", "lab-table-split.caption")
@claim("labs/publish_a_table.md", "lab-table-split.alt")
def test_split_figure():
    seen = at_rest("labs/publish_a_table.md", "lab-table-split")
    assert seen.falls("50 cells").all()
    assert (seen["error of the release"] < math.sqrt(7 / 0.1)).all()
    assert seen["stopped or not"][-1] > seen["stopped or not"][0]


@claim("labs/publish_a_table.md", "errors-next-to-two-others")
def test_errors_next_to_two_others(passage):
    """The error of the best release by the normal equations, and that zeros make it larger."""
    names = passage.names
    best, split = names["best_known"], names["chosen"]
    found = names["compared_errors"](names["release"](names["book_consistent"], split), best)
    assert found and found.best == pytest.approx(error(names["REFERENCE"]), rel=0.036)  # four times its standard error
    cut = names["compared_errors"](names["release"](names["no_negative_counts"], split), best)
    assert not cut and cut.error > found.error
    assert names["compared_errors"](lambda cells, rng: names["TRUTH"], best).below
