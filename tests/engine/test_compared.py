"""What a failing claim says of the sides that it compared: by how much it fails, and how large the values are."""

import numpy as np
import pytest

import livefigures as lf
from livefigures.declare.claims import failures

ROUNDING = "this may be rounding, which lf.at_most(a, b) and lf.equal(a, b) allow"
SOLVER = "this may be the error of a solver, such as lf.ode: let it take more steps, or allow for it, as in a <= b + "


def fault(check):
    figure = lf.Figure(
        name="claiming",
        x=lf.slider("k", 1, 100, at=50, integer=True),
        y=("height", 0, 100),
        sliders=[lf.slider("scale", 1, 4, at=2)],
        curves={"line": lambda k, scale: k / scale, "gap": lambda k: np.where(k > 50, k, np.nan)},
        claims={"It holds.": check},
    )
    return "".join(failures(figure, [figure.defaults | {"scale": 1.0}]))


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (lambda c: c["line"] >= c["line"] + 1, "k = 1: line = 1; 1 should be at least 2 and misses it by 1, in values"),
        (
            lambda c: c["line"] <= 60,
            "61 should be at most 60 and misses it by 1, and by 40 where it is worst, in",
        ),
        (lambda c: np.max(c["line"]) < 90, "100 should be below 90 and misses it by 10, in values of up to 100"),
        (lambda c: c.falls("line"), "2 should be at most 1 and misses it by 1, in values of up to 100"),
        (lambda c: np.sqrt(c["line"] ** 2) - 2 * c["line"] > 0, "-1 should be above 0 and misses it by 1, and by 100"),
        (lambda c: c["gap"] == 51, "52 should be equal to 51 and misses it by 1, and by 49 where it is worst"),
        (lambda c: c["scale"] > 1, "1 should be above 1 and misses it by 0, in values of up to 1"),
        (lambda c: c["line"] * (1 + 1e-14) <= c["line"], ROUNDING),
        (lambda c: c["line"] * (1 + 1e-5) <= c["line"], f"in values of up to 100; {SOLVER}0.002"),
        (lambda c: lf.at_most(c["line"] + 1e-4, c["line"]), f"by 1e-4, in values of up to 100; {SOLVER}2e-4"),
        (lambda c: lf.equal(c["line"] + 1e-4, c["line"]), "1.0001 should be equal to 1 and misses it by 1e-4"),
    ],
)
def test_fault_says_by_how_much_and_how_large_the_values_are(check, words):
    assert words in fault(check)


def test_fault_in_a_figure_without_a_cursor_names_no_place():
    bars = lf.Bars([1, 2], lambda p: [p, 1 - p])
    claims = {"It holds.": lambda c: c["bars", "y"].sum() > 1}
    figure = lf.Figure(
        "one", ("k", 0, 3), ("share", 0, 1), {}, [lf.slider("p", 0, 1, at=1)], {"bars": bars}, claims=claims
    )
    (said,) = failures(figure, [figure.defaults])
    assert "fails at p = 1; 1 should be above 1" in said


def test_fault_of_a_difference_that_no_solver_makes_has_no_hint():
    assert fault(lambda c: c["line"] <= 60).endswith("in values of up to 100")


def test_what_a_claim_asked_for_can_be_used_as_an_array():
    def check(c):
        line = c["line"] + 0
        line -= 1
        return (
            (np.where(line > 3, line, 0)[3] == 0)
            & (len(line) == len(c["k"]))
            & (float(c["scale"]) == 1)
            & (round(line[0] / 3 + 1, 1) == 1)
            & (dict.fromkeys(line[:2]) == {0: None, 1: None})
        )

    assert fault(check) == ""
