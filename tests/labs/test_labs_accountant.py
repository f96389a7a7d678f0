"""Lab 4: the checks accept the solution and other right versions, and catch what students write wrong."""

import math
import re

import numpy as np
import pytest
from figures import PARTS, TEXTS
from scipy import optimize
from test_lab_examples import cell_with, failures, unfinished

from dp_lib import gdp, rdp, zcdp

pytestmark = pytest.mark.xdist_group("labs/accountant")

DELTA = 1e-5


def costs(ledger, alpha):
    curves = {"gaussian": rdp.gaussian, "laplace": rdp.laplace}
    return sum(times * curves[kind](alpha, noise, sensitivity) for kind, noise, sensitivity, times in ledger)


# -- the accountant


def test_solution_is_accepted(lab):
    assert lab["judged"](lab["accountant"]).startswith("Never below the exact ε in 20 tries, and at most 0.")
    assert lab["compared"](lab["ledger_of_release"]()) == "The ledger agrees with what the code of the release does."


def with_orders(orders, ledger, delta):
    return np.min(rdp.epsilon_tight(orders, costs(ledger, orders), delta))


def with_an_array(ledger, delta):
    return with_orders(1 + np.geomspace(1e-2, 1e5, 300), ledger, delta)


def by_a_loop(ledger, delta):
    best, alpha = math.inf, 1.01
    while alpha < 1e6:
        best = min(best, float(rdp.epsilon_tight(alpha, costs(ledger, alpha), delta)))
        alpha = 1 + (alpha - 1) * 1.05
    return best


def by_a_search(ledger, delta):
    return rdp.optimum(lambda alpha: costs(ledger, alpha), delta).epsilon


def by_the_orders_of_the_chapter(ledger, delta):
    return with_orders(1 + 2.0 ** (np.arange(-12, 41) / 2), ledger, delta)


def takes_rows_out(ledger, delta):
    rows = []
    while ledger:
        rows.append(ledger.pop())
    return with_an_array(rows, delta)


def sorts_the_ledger(ledger, delta):
    ledger.sort()
    return with_an_array(ledger, delta)


def by_a_bounded_search(ledger, delta):
    def epsilon(t):
        return float(rdp.epsilon_tight(1 + math.exp(t), costs(ledger, 1 + math.exp(t)), delta))

    return optimize.minimize_scalar(epsilon, bounds=(-16, 12), method="bounded").fun


def by_the_exact_formula_where_only_gaussian_noise_is_used(ledger, delta):
    if any(row[0] == "laplace" for row in ledger):
        return with_an_array(ledger, delta)
    return float(gdp.epsilon(math.sqrt(sum(k * (d / s) ** 2 for _, s, d, k in ledger)), delta)) * (1 + 1e-9)


@pytest.mark.parametrize(
    "accountant",
    [
        with_an_array,
        by_a_loop,
        by_a_search,
        by_a_bounded_search,
        by_the_exact_formula_where_only_gaussian_noise_is_used,
        by_the_orders_of_the_chapter,
        sorts_the_ledger,
    ],
)
def test_right_accountants_of_other_styles_are_accepted(lab, accountant):
    before = repr(lab["LEDGERS"])
    said = lab["judged"](accountant)
    assert said.startswith("Never below the exact ε") and "wasteful" not in said
    assert repr(lab["LEDGERS"]) == before


def test_an_accountant_that_empties_the_ledger_is_refused(lab):
    said = lab["judged"](takes_rows_out)
    assert said == "It changes the rows of the ledger, and the next call needs them: work on list(ledger)."


def test_orders_that_differ_by_forty_per_cent_are_close_enough(lab):
    """The page says so, and the list begins where it hurts most."""
    for start in 1.4 ** np.linspace(-1, 0, 9):
        orders = 1 + 0.001 * start * 1.4 ** np.arange(57)
        assert orders[-1] > 100_000
        said = lab["judged"](lambda ledger, delta, orders=orders: with_orders(orders, ledger, delta))
        assert said.startswith("Never below the exact ε") and "wasteful" not in said


def test_orders_that_differ_by_sixty_per_cent_may_be_too_coarse(lab):
    orders = 1 + 0.001 * 1.6 ** np.arange(41)
    assert "wasteful" in lab["judged"](lambda ledger, delta: with_orders(orders, ledger, delta))


def over_orders(lab, orders, keep=min):
    """An accountant of a student, by the functions of steps 2 and 3."""
    return lambda ledger, delta: keep(
        lab["to_epsilon"](alpha, lab["total_cost"](ledger, alpha), delta) for alpha in orders
    )


def keep_the_smaller(values):
    best = math.inf
    for value in values:
        if value < best:
            best = value
    return best


@pytest.mark.parametrize("larger_first", [True, False])
@pytest.mark.parametrize("keep", [min, keep_the_smaller])
@pytest.mark.parametrize(
    ("orders", "named"),
    [
        (np.geomspace(0.01, 1e5, 200), "0.01"),
        (range(1, 1000), "1"),
        ([0.5, *(1 + np.geomspace(1e-3, 1e5, 300))], "0.5"),
    ],
)
def test_an_order_that_is_not_above_one_is_named(lab, orders, named, keep, larger_first, monkeypatch):
    """Although max(0, nan) is 0, and a comparison with nan is false, so that the list may pass otherwise."""

    def tight(alpha, epsilon_bar, delta):
        epsilon = epsilon_bar + np.log((alpha - 1) / alpha) - (np.log(delta) + np.log(alpha)) / (alpha - 1)
        return max(0, epsilon) if larger_first else max(epsilon, 0)

    monkeypatch.setitem(lab, "to_epsilon", tight)
    said = lab["judged"](over_orders(lab, orders, keep))
    assert said.startswith(f"It raises ValueError: your list has the order {named}; orders must be above 1")
    monkeypatch.setitem(lab, "total_cost", lab["total"])  # the student's, which refuses no order
    with np.errstate(divide="ignore"):
        with pytest.warns(RuntimeWarning, match="invalid value"):
            over_orders(lab, orders, keep)([("gaussian", 10, 1, 20)], DELTA)
        assert "is an order 1 or below" in lab["judged"](over_orders(lab, orders, keep))


def test_a_loop_that_begins_with_zero_hears_it_and_no_other_does(lab):
    hint = " Does your loop begin with 0?"
    assert lab["judged"](lambda ledger, delta: min(0, with_an_array(ledger, delta))).endswith(hint)
    assert hint not in lab["judged"](lambda ledger, delta: min(10, with_an_array(ledger, delta)))


def cost_first(lab):
    """The order of the smallest cost, which is the first order."""

    def accountant(ledger, delta):
        orders = 1 + np.geomspace(0.01, 1e5, 200)
        each = [lab["total_cost"](ledger, alpha) for alpha in orders]
        return lab["to_epsilon"](orders[np.argmin(each)], min(each), delta)

    return accountant


def test_a_single_order_and_the_cheapest_order_are_named(lab):
    for accountant in (over_orders(lab, 1 + np.geomspace(0.01, 1e5, 200), next), cost_first(lab)):
        said = lab["judged"](accountant)
        assert "That is safe but wasteful. Is a return inside the loop, or is the order chosen by the smallest" in said
    assert "return" not in lab["judged"](orders_to_64)


def test_a_large_waste_has_no_decimals(lab):
    for accountant, decimals in ((classic_conversion, True), (orders_to_64, False)):
        found = re.search(r"at most ([\d.]+)% above", lab["judged"](accountant))[1]
        assert ("." in found) is decimals is (float(found) < 100)


def without_times(ledger, delta):
    return with_an_array([(*row[:3], 1) for row in ledger], delta)


def largest_row(ledger, delta):
    return max(with_an_array([row], delta) for row in ledger)


def without_laplace_rows(ledger, delta):
    return with_an_array([row for row in ledger if row[0] == "gaussian"] or ledger, delta)


def without_gaussian_rows(ledger, delta):
    return with_an_array([row for row in ledger if row[0] == "laplace"] or ledger, delta)


def without_sensitivity_of_gaussian_rows(ledger, delta):
    return with_an_array([(*row[:2], 1 if row[0] == "gaussian" else row[2], row[3]) for row in ledger], delta)


def without_sensitivity_of_laplace_rows(ledger, delta):
    return with_an_array([(*row[:2], 1 if row[0] == "laplace" else row[2], row[3]) for row in ledger], delta)


def begins_at_a_thousand_million(ledger, delta):
    return min(1e9, with_an_array(ledger, delta))


def rounded_to_five_digits(ledger, delta):
    return round(with_an_array(ledger, delta), 5)


@pytest.mark.parametrize(
    "accountant",
    [
        without_sensitivity_of_gaussian_rows,
        without_sensitivity_of_laplace_rows,
        begins_at_a_thousand_million,
        rounded_to_five_digits,
        without_times,
        largest_row,
        without_laplace_rows,
        without_gaussian_rows,
    ],
)
def test_an_accountant_that_claims_too_little_makes_a_false_promise(lab, accountant):
    assert lab["judged"](accountant).startswith("FALSE PROMISE. For ")


def classic_conversion(ledger, delta):
    return rdp.optimum(lambda alpha: costs(ledger, alpha), delta, tight=False).epsilon


def orders_to_64(ledger, delta):
    return min(rdp.epsilon_tight(alpha, costs(ledger, alpha), delta) for alpha in range(2, 65))


def orders_to_a_thousand(ledger, delta):
    return with_orders(1 + np.geomspace(0.01, 1000, 300), ledger, delta)


def evenly_spaced_orders_instead_of_alpha_minus_one(ledger, delta):
    return with_orders(np.geomspace(1.01, 1e5, 50), ledger, delta)


def added_up(ledger, delta):
    share = delta / sum(row[3] for row in ledger)
    return sum(row[3] * with_an_array([(*row[:3], 1)], share) for row in ledger)


@pytest.mark.parametrize(
    "accountant",
    [
        classic_conversion,
        orders_to_64,
        orders_to_a_thousand,
        evenly_spaced_orders_instead_of_alpha_minus_one,
        added_up,
    ],
)
def test_a_safe_accountant_that_wastes_noise_hears_it(lab, accountant):
    assert " That is safe but wasteful." in lab["judged"](accountant)


def keeps_the_larger_value(ledger, delta):
    best = math.inf
    for alpha in 1 + np.geomspace(1e-2, 1e5, 300):
        epsilon = rdp.epsilon_tight(alpha, costs(ledger, alpha), delta)
        if epsilon > best:
            best = epsilon
    return best


def test_an_infinite_epsilon_is_told_and_the_later_steps_go_on(lab, capsys):
    said = lab["judged"](keeps_the_larger_value)
    assert said == "It says ε = ∞ for one Gaussian count, σ = 200: does your loop keep the smaller value?"
    book = lab["book_accountant"]
    assert lab["safe_or_the_book"]("accountant", keeps_the_larger_value, book) is book
    assert "The next steps use the book's function" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("accountant", "said"),
    [
        (lambda ledger, delta: None, "It returns None for one Gaussian count, σ = 200, and not a number yet."),
        (lambda ledger, delta: ..., "It returns Ellipsis for one Gaussian count"),
        (lambda ledger, delta: np.ones(3), "It returns array([1., 1., 1.]) for one Gaussian count"),
        (lambda ledger, delta: math.nan, "It returns nan for one Gaussian count, σ = 200: is an order 1 or below, or"),
        (lambda ledger, delta: np.array(math.nan), "It returns nan for one Gaussian count"),
        (lambda ledger, delta: ledger[7], "It raises IndexError: list index out of range (for one Gaussian count"),
    ],
)
def test_an_unfinished_accountant_is_told_what_is_missing(lab, accountant, said):
    assert lab["judged"](accountant).startswith(said)


# -- the functions of steps 1, 2, 3 and 5, with the ranges of the page


def natural_log_of_ten(alpha, epsilon_bar, delta):
    return epsilon_bar + math.log10(1 / delta) / (alpha - 1)


WRONG = [
    (lambda alpha, sigma, sensitivity: alpha * (sensitivity / sigma) ** 2, rdp.gaussian, "a factor of 2 is too much"),
    (lambda alpha, sigma, sensitivity: alpha * sensitivity / sigma**2 / 2, rdp.gaussian, "sensitivity is missing"),
    (lambda alpha, sigma, sensitivity: alpha * sensitivity**2 / sigma / 2, rdp.gaussian, "the right answer is"),
    (lambda alpha, scale, sensitivity: sensitivity / scale, rdp.laplace, "the right answer is"),
    (lambda alpha, scale, sensitivity: alpha * (sensitivity / scale) ** 2 / 2, rdp.laplace, "the right answer is"),
    (natural_log_of_ten, rdp.epsilon, "the right answer is"),
    (lambda rho, delta: rho + math.sqrt(rho * math.log(1 / delta)), zcdp.epsilon, "the right answer is"),
    (lambda rho, delta: zcdp.epsilon(rho, delta / 2), zcdp.epsilon, "is delta halved or doubled on the way?"),
]


@pytest.mark.parametrize(("mine", "reference", "said"), WRONG)
def test_a_wrong_function_differs_and_the_slip_is_named(lab, mine, reference, said):
    ranges = {
        rdp.gaussian: {"sigma": (0.5, 100.0), **lab["orders"]},
        rdp.laplace: {"scale": (0.5, 100.0), **lab["orders"]},
        rdp.epsilon: lab["any_order"],
        zcdp.epsilon: {"rho": (1e-6, 10.0), "delta": (1e-12, 0.1)},
    }[reference]
    right, sentence = lab["told"]("mine", mine, reference, **ranges)
    assert not right and said in sentence
    assert "replacing a row" not in sentence and "a row is replaced" not in sentence  # no such mistake can occur here


EXAMPLES = {  # wrong functions, most of which agree where α = 2 and Δ = 1
    "gaussian_curve": [
        lambda alpha, sigma, sensitivity: sensitivity**2 / sigma**2,
        lambda alpha, sigma, sensitivity: alpha**2 * sensitivity / (2 * sigma) ** 2,
        lambda alpha, sigma, sensitivity: alpha * sensitivity / (2 * sigma**2),
    ],
    "laplace_curve": [
        lambda alpha, scale, sensitivity: (alpha - 1) * rdp.laplace(alpha, scale, sensitivity),
        lambda alpha, scale, sensitivity: rdp.laplace(alpha, scale),
        lambda alpha, scale, sensitivity: rdp.laplace(2, scale, sensitivity),
    ],
    "total": [lambda ledger, alpha: costs([(*row[:2], 1, row[3]) for row in ledger], alpha)],
    "rho_of": [
        lambda ledger: sum(k * d / (2 * s**2) for _, s, d, k in ledger),
        lambda ledger: sum(k / (2 * s**2) for _, s, _, k in ledger),
    ],
}


@pytest.mark.parametrize(("name", "wrong"), [(name, each) for name, some in EXAMPLES.items() for each in some])
def test_the_example_of_a_docstring_shows_a_factor_that_is_missing(lab, name, wrong, monkeypatch):
    (function,) = (each for each in unfinished("labs/accountant") if each.name == name)
    assert failures("labs/accountant", function)[1] == ""
    monkeypatch.setitem(lab, name, wrong)
    assert "Expected" in failures("labs/accountant", function)[1]


UPPER_BOUND = "your value was never too small, so it is an upper bound and safe, but larger than it has to be."


def laplace_or_its_limit(alpha, scale, sensitivity):
    return sensitivity / scale if alpha * sensitivity / scale > 700 else rdp.laplace(alpha, scale, sensitivity)


def laplace_or_infinity(alpha, scale, sensitivity):
    return math.inf if alpha * sensitivity / scale > 700 else rdp.laplace(alpha, scale, sensitivity)


def laplace_too_small_under_much_noise(alpha, scale, sensitivity):
    return sensitivity / scale if scale < 50 else sensitivity / scale / 10_000


@pytest.mark.parametrize(
    ("mine", "safe"),
    [(laplace_or_its_limit, True), (laplace_or_infinity, True), (laplace_too_small_under_much_noise, False)],
)
def test_an_upper_bound_is_called_safe_and_no_other_function_is(lab, mine, safe):
    right, said = lab["told"]("laplace_curve", mine, rdp.laplace, scale=(0.5, 100.0), **lab["orders"])
    assert not right and said.endswith(UPPER_BOUND) is safe


def by_kind(ledger, cost):
    found = {}
    for row in ledger:
        found[row[0]] = cost(row)
    return sum(found.values())


def of_exactly_two(ledger, cost):
    one, two = ledger
    return cost(one) + cost(two)


def of_the_first(ledger, cost):
    for row in ledger:
        return cost(row)


def of_different_rows(ledger, cost):
    return sum(map(cost, set(ledger)))


def of_rows_taken_out(ledger, cost):
    added = 0
    while ledger:
        added += cost(ledger.pop())
    return added


def of_sorted_rows(ledger, cost):
    ledger.sort()
    return sum(map(cost, ledger))


def gaussian_cost(alpha, number):
    """Return a cost of a row, in which a Gaussian row has a wrong number."""
    return lambda row: number(alpha, *row[1:]) if row[0] == "gaussian" else costs([row], alpha)


HALF = (
    "[('gaussian', 50.0, 2.0, 20), ('laplace', 50.0, 2.0, 3), ('gaussian', 50.0, 2.0, 20), ('laplace', 50.0, 2.0, 3)]"
)
WHOLE_COST = f"{40 * 0.04 + 6 * float(rdp.laplace(50, 50, 2)):.9g}"
HALF_COST = f"{20 * 0.04 + 3 * float(rdp.laplace(50, 50, 2)):.9g}"
TOTALS = {
    "sensitivity of Gaussian rows ignored": (
        lambda ledger, alpha: sum(map(gaussian_cost(alpha, lambda a, s, d, k: k * a / (2 * s**2)), ledger)),
        "total([('gaussian', 50.0, 2.0, 20)], 50.0) returns 0.2, and the right answer is 0.8. Your value does not "
        "change with gaussian_sensitivity",
    ),
    "sensitivity of Gaussian rows not squared": (
        lambda ledger, alpha: sum(map(gaussian_cost(alpha, lambda a, s, d, k: k * a * d / (2 * s**2)), ledger)),
        "total([('gaussian', 50.0, 2.0, 20)], 50.0) returns 0.4, and the right answer is 0.8.",
    ),
    "sensitivity of Laplace rows ignored": (
        lambda ledger, alpha: costs(
            [(*row[:2], row[2] if row[0] == "gaussian" else 1, row[3]) for row in ledger], alpha
        ),
        "total([('laplace', 50.0, 2.0, 3)], 50.0) returns",
    ),
    "one number for each kind": (
        lambda ledger, alpha: by_kind(ledger, lambda row: costs([row], alpha)),
        f"total({HALF}, 50.0) returns {HALF_COST}, and the right answer is {WHOLE_COST}. Some rows are lost: "
        "is the return inside the loop, or does a dictionary or a set keep one row in place of several?",
    ),
    "equal rows once": (
        lambda ledger, alpha: of_different_rows(ledger, lambda row: costs([row], alpha)),
        f"total({HALF}, 50.0) returns {HALF_COST}, and the right answer is {WHOLE_COST}. Some rows are lost: ",
    ),
    "exactly two rows": (
        lambda ledger, alpha: of_exactly_two(ledger, lambda row: costs([row], alpha)),
        "total([('gaussian', 50.0, 2.0, 20)], 50.0) raises ValueError: not enough values to unpack",
    ),
    "first row": (
        lambda ledger, alpha: of_the_first(ledger, lambda row: costs([row], alpha)),
        f"total({HALF}, 50.0) returns 0.8, and the right answer is {WHOLE_COST}. Some rows are lost: is the return",
    ),
    "rows taken out": (
        lambda ledger, alpha: of_rows_taken_out(ledger, lambda row: costs([row], alpha)),
        "total([('gaussian', 50.0, 2.0, 20)], 50.0) raises ValueError: it takes rows out of the ledger",
    ),
    "nothing written": (lambda ledger, alpha: None, "total([('gaussian', 50.0, 2.0, 20)], 50.0) returns None"),
}


@pytest.mark.parametrize(("mine", "said"), TOTALS.values(), ids=list(TOTALS))
def test_a_wrong_total_is_shown_the_ledger(lab, mine, said):
    right, sentence = lab["told"]("total", mine, lab["book_total"], of=lab["of_two_rows"], **lab["two_rows"])
    assert not right and sentence.startswith(said)
    assert "rows halved" not in sentence and "a factor of 2 is lost" not in sentence


def rho_of_row(row):
    return row[3] * (row[2] / row[1]) ** 2 / 2


RHOS = {
    "fits sensitivities 2 and 1 only": (
        lambda ledger: sum(k * d / (s**2 * (1 + (kind == "laplace"))) for kind, s, d, k in ledger),
        "rho_of([('gaussian', 50.0, 0.5, 20)]) returns 0.004, and the right answer is 0.001.",
    ),
    "sensitivity not squared": (
        lambda ledger: sum(k * d / (2 * s**2) for _, s, d, k in ledger),
        "rho_of([('gaussian', 50.0, 2.0, 20)]) returns 0.008, and the right answer is 0.016.",
    ),
}


@pytest.mark.parametrize(("mine", "said"), RHOS.values(), ids=list(RHOS))
def test_a_wrong_rho_is_shown_the_ledger(lab, mine, said):
    right, sentence = lab["told"]("rho_of", mine, lab["book_rho"], of=lab["rho_of_two_rows"], **lab["few"])
    assert not right and sentence.startswith(said) and "halved or doubled" not in sentence


def test_functions_of_a_ledger_may_sort_it(lab):
    def total(ledger, alpha):
        return of_sorted_rows(ledger, lambda row: costs([row], alpha))

    def rho(ledger):
        return of_sorted_rows(ledger, rho_of_row)

    assert lab["told"]("total", total, lab["book_total"], of=lab["of_two_rows"], **lab["two_rows"])[0]
    assert lab["told"]("rho_of", rho, lab["book_rho"], of=lab["rho_of_two_rows"], **lab["few"])[0]


@pytest.mark.parametrize("name", ["rho_of", "epsilon_of"])
def test_the_accountant_by_zcdp_uses_no_function_that_was_refused(lab, name, monkeypatch, capsys):
    cell = cell_with("labs/accountant", "rho_of_used = ")
    for used in ("rho_of_used", "epsilon_of_used", "by_zcdp_used"):
        monkeypatch.setitem(lab, used, None)
    monkeypatch.setitem(lab, name, lambda *arguments: 0.001)
    exec(cell, lab)
    said = capsys.readouterr().out
    assert f"The next steps use the book's function in place of your {name}." in said
    assert f"by_zcdp, with the book's {name}: Never below the exact ε" in said
    by_the_book = lab["book_by_zcdp"](lab["RIGHT_LEDGER"], DELTA)
    assert (
        lab["by_zcdp_used"](lab["RIGHT_LEDGER"], DELTA) == pytest.approx(by_the_book) == pytest.approx(2.318, abs=1e-3)
    )


def test_nobody_is_praised_for_functions_of_the_book(lab, monkeypatch, capsys):
    cell = cell_with("labs/accountant", "rho_of_used = ")
    for name in ("rho_of_used", "epsilon_of_used", "by_zcdp_used"):
        monkeypatch.setitem(lab, name, None)
    exec(cell, lab)
    assert "by_zcdp: Never below" in capsys.readouterr().out
    for name in ("rho_of", "epsilon_of"):
        monkeypatch.setitem(lab, name, lambda *arguments: None)
    exec(cell, lab)
    assert "by_zcdp, with the book's rho_of and epsilon_of: Never below" in capsys.readouterr().out
    assert lab["promised"](lab["ledger_of_release"]()) == ("Your", 1.979)
    assert lab["promised"](None) == ("The book's", 1.979)
    monkeypatch.setitem(lab, "accountant_used", lab["book_accountant"])
    assert lab["promised"](lab["ledger_of_release"]()) == ("The book's", 1.979)


def test_no_open_cell_names_the_right_ledger():
    cells = [part["cell"] for part in PARTS.finditer(TEXTS["labs/accountant"]) if part["cell"]]
    visible = [cell for cell in cells if ":tags: [hide-input]" not in cell]
    assert len(visible) > 10 and not any("RIGHT_LEDGER" in cell for cell in visible)


# -- the ledger


def with_row(lab, row, other):
    return [*lab["RIGHT_LEDGER"][:row], other, *lab["RIGHT_LEDGER"][row + 1 :]]


AGES_CHANGE = "Between two neighbouring tables, the answers can change by (-1, 0, 0, 0, 1)."


@pytest.mark.parametrize(
    ("row", "wrong", "said"),
    [
        (0, ("gaussian", 10, 1, 1), "twenty counts: the row costs 95% too little, so its promise is false. Between"),
        (0, ("gaussian", 1, 1, 20), "twenty counts: you write noise = 1, and the code asks for 10."),
        (
            1,
            ("gaussian", 20, 1, 1),
            "age groups: the row costs 50% too little, so its promise is false. " + AGES_CHANGE,
        ),
        (1, ("gaussian", 20, 1.414, 1), "age groups: the row costs 0.0302% too little, so its promise is false."),
        (
            1,
            ("gaussian", 20, 1, 5),
            "age groups: the row makes no false promise, but it costs 150% more than it has to.",
        ),
        (
            1,
            ("gaussian", 20, 2, 1),
            "age groups: the row makes no false promise, but it costs 100% more than it has to.",
        ),
        (2, ("gaussian", 20, 1, 2), "Laplace counts: you write kind = 'gaussian', and the code asks for laplace."),
        (2, ("laplace", 20, 1, 1), "Laplace counts: the row costs 50% too little"),
        (2, ("laplace", 20, 2, 1), "Laplace counts: the row makes no false promise, but it costs"),
        (2, ("laplace", 20, math.sqrt(2), 1), "Laplace counts: the row costs 29.29% too little"),
        (
            3,
            ("gaussian", 1600, 120, 1),
            "weight: the row makes no false promise, but it costs 125% more than it has to.",
        ),
        (3, ("gaussian", 1600, 1, 1), "weight: the row costs 99.98% too little"),
    ],
)
def test_a_wrong_row_of_the_ledger_is_named(lab, row, wrong, said):
    assert lab["compared"](with_row(lab, row, wrong)).startswith(said)


@pytest.mark.parametrize(
    ("row", "other"),
    [
        (0, ("gaussian", 10.0, 1.0, 20)),
        (0, ("gaussian", 10, math.sqrt(20), 1)),
        (1, ("gaussian", 20, 1, 2)),
        (1, ["gaussian", 20, 2**0.5, 1]),
        (1, ("gaussian", np.int64(20), np.linalg.norm([-1, 0, 1]), np.int64(1))),
        (3, ("gaussian", 20, 1, 1)),
        (2, ("laplace", 40, 2, 2)),
    ],
)
def test_a_row_that_costs_the_same_is_accepted(lab, row, other):
    assert lab["compared"](with_row(lab, row, other)).startswith("The ledger agrees")


def test_the_right_ledger_comes_from_the_code_of_the_release(lab):
    by_hand = [
        ("gaussian", 10, 1, 20),
        ("gaussian", 20, math.sqrt(2), 1),
        ("laplace", 20, 1, 2),
        ("gaussian", 1600, 80, 1),
    ]
    assert lab["RIGHT_LEDGER"] == by_hand


def test_a_missing_ledger_and_a_missing_row_are_told(lab):
    assert "None" in lab["compared"](None) and "Ellipsis" in lab["compared"](...)
    assert "needs four entries" in lab["compared"]([("gaussian", 10, 1)] * 4)
    assert "has 3" in lab["compared"](lab["RIGHT_LEDGER"][:3])
    numbers = "and noise, sensitivity and times are numbers above 0, and times is whole."
    for last in [
        (10, None, 1),
        (10, -1, 20),
        (10, math.nan, 20),
        (10, 1, 0),
        (10, 1, 2.5),
        (10, 1, "20"),
        ("ten", 1, 20),
    ]:
        said = lab["compared"](with_row(lab, 0, ("gaussian", *last)))
        assert said == f"twenty counts: you write {last!r}, {numbers}"
