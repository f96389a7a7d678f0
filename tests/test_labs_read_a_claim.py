"""Lab 7: the checks accept the solution and other right readings, and catch what students read wrong."""

import math

import pytest
from figures import PARTS, TEXTS, run

from dp_lib import pure, zcdp

pytestmark = pytest.mark.xdist_group("labs/read_a_claim")


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/read_a_claim").names


# -- the templates


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("census", "But δ·n = 0.033 is above 0.01."),
        ("apple", "δ is 0, so there is nothing to compare with 1/n."),
        ("wikimedia", "But δ·n = 1.9 is above 0.01."),
    ],
)
def test_solutions_are_complete(lab, name, said):
    found = lab["assessed"](name, lab[name]())
    assert found.startswith(
        "Complete. All entries that can be checked agree with the source. Whether 'outside' is right,"
    )
    assert said in found


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("census", {"value": 2.56}),
        ("census", {"people": 331e6, "outside": "state populations"}),
        ("wikimedia", {"people": 600_000_000}),
        ("wikimedia", {"people": 20e6, "epsilon": 1.0}),
        ("apple", {"value": 16.0, "outside": "other applications"}),
    ],
)
def test_right_readings_in_other_words_are_complete(lab, name, changed):
    assert lab["assessed"](name, lab["CLAIMS"][name] | changed).startswith("Complete.")


@pytest.mark.parametrize(("delta", "small"), [(0.01 / 331_449_281, True), (0.0101 / 331_449_281, False), (3e-9, False)])
def test_delta_is_small_enough_up_to_a_hundredth_of_one_over_n(lab, monkeypatch, delta, small):
    changed = lab["CLAIMS"]["census"] | {"delta": delta}
    monkeypatch.setitem(lab["CLAIMS"], "census", changed)
    found = lab["assessed"]("census", changed)
    assert ("is at most 0.01, so δ is small enough if n is no larger than that." in found) == small
    assert ("is above 0.01. A mechanism that publishes" in found) == (not small)


WRONG = [
    # δ added to ε
    ("census", {"epsilon": 17.14 + 1e-10}, "You add δ to ε."),
    ("wikimedia", {"epsilon": 1 + 1e-7}, "You add δ to ε."),
    # ε of a day read as the total
    ("apple", {"period": "once"}, "You read the loss of one day as the total."),
    ("wikimedia", {"period": "once"}, "You read the loss of one day as the total."),
    ("census", {"period": "day"}, "The tables were published once."),
    # ρ taken for ε
    ("wikimedia", {"measure": "epsilon"}, "You take ρ for ε. The source's 0.015 is a ρ"),
    ("wikimedia", {"epsilon": 0.015}, "You take ρ for ε. 0.015 is the ρ of one period"),
    ("census", {"epsilon": 2.56}, "You take ρ for ε. 2.56 is the ρ of one period"),
    ("census", {"value": 17.14}, "17.14 is the ε that the source names. The program has ρ = 1/scale²"),
    ("census", {"measure": "epsilon", "value": 17.14}, "The publisher adds up in ρ and converts at the end."),
    ("apple", {"measure": "rho"}, "The source speaks of an ε, and you write 'rho'."),
    # a promise for an event compared with promises for users
    ("apple", {"unit": "one datum", "value": 1, "epsilon": 1}, "The unit is too small."),
    ("apple", {"value": 2, "epsilon": 2}, "Take what the system permits on one day to the four applications"),
    (
        "wikimedia",
        {"unit": "person"},
        "The unit is not 'person'. The promise is about a device and starts again each day.",
    ),
    (
        "apple",
        {"unit": "person"},
        "The unit is not 'person'. Take the largest unit for which the source names a limit.",
    ),
    (
        "census",
        {"unit": "day of one user"},
        "The unit is not 'day of one user'. What is one record of this file about?",
    ),
    ("census", {"unit": "one datum"}, "The unit is not 'one datum'. What is one record of this file about?"),
    # the neighbours
    ("census", {"neighbours": "add or remove"}, "The neighbours are not 'add or remove'."),
    ("apple", {"neighbours": "not stated"}, "The neighbours are not 'not stated'."),
    ("apple", {"neighbours": "add or remove"}, "The first line of the claim says what local DP compares"),
    ("wikimedia", {"neighbours": "replace"}, "Write 'not stated'"),
    ("wikimedia", {"neighbours": "add or remove"}, "Write 'not stated'"),
    # δ and the number of people
    ("wikimedia", {"people": None}, "δ is above 0, so the number of people matters."),
    ("wikimedia", {"people": 1000}, "The number of people is not 1,000."),
    ("wikimedia", {"delta": 0}, "δ is not 0. The source names it beside ε."),
    ("apple", {"delta": 1e-6}, "δ is not 1e-06. Pure DP has δ = 0."),
    ("apple", {"people": 1_000_000}, "The source names no number of people, and at δ = 0 you need none. Write None."),
    # persons and housing units together
    ("census", {"epsilon": 19.61}, "ε = 19.61 is the sum for persons and housing units"),
]


@pytest.mark.parametrize(("name", "changed", "said"), WRONG)
def test_a_wrong_reading_is_named(lab, name, changed, said):
    found = lab["assessed"](name, lab["CLAIMS"][name] | changed)
    assert said in found
    assert not found.startswith("Complete")


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (None, "it returns None, and a dictionary with nine entries is needed."),
        (..., "it returns Ellipsis"),
        ({}, "the entry 'unit' is missing."),
        ({"unit": ...}, "the entry 'unit' is missing."),
        (
            {"unit": "household"},
            "the entry 'unit' is 'household'. It should be 'person' or 'day of one user' or 'one datum'",
        ),
    ],
)
def test_an_unfinished_template_is_told_what_is_missing(lab, claim, said):
    assert lab["assessed"]("census", claim).startswith(f"Not yet: {said}")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("value", "2.56"),
        ("value", math.nan),
        ("value", -1),
        ("epsilon", None),
        ("delta", 1),
        ("delta", True),
        ("people", 0),
        ("outside", ""),
        ("outside", None),
        ("measure", "ρ"),
        ("unit", ["person"]),
    ],
)
def test_an_entry_of_the_wrong_kind_is_named(lab, entry, value):
    found = lab["assessed"]("census", lab["CLAIMS"]["census"] | {entry: value})
    assert found.startswith(f"Not yet: the entry {entry!r} is {value!r}. It should be ")


# -- the two conversions


def by_cases(claim, days):
    spent = claim["value"]
    if claim["period"] == "day":
        spent *= days
    if claim["neighbours"] != "replace":
        spent *= {"epsilon": 2, "rho": 4}[claim["measure"]]
    return spent


def group_before_the_days(claim, days):
    rules = {"epsilon": pure, "rho": zcdp}[claim["measure"]]
    once = rules.group(claim["value"], 1 if claim["neighbours"] == "replace" else 2)
    return rules.repeat(once, {"day": days, "once": 1}[claim["period"]])


@pytest.mark.parametrize("mine", [by_cases, group_before_the_days])
def test_right_totals_of_other_styles_are_accepted(lab, mine):
    assert lab["judged_total"](mine).startswith("Your conversion agrees")


def times(claim, days):
    return claim["value"] * (days if claim["period"] == "day" else 1)


def stated_only(claim, days):
    factor = {"epsilon": 2, "rho": 4}[claim["measure"]]
    return times(claim, days) * (factor if claim["neighbours"] == "add or remove" else 1)


def squared_for_both(claim, days):
    return times(claim, days) * (1 if claim["neighbours"] == "replace" else 4)


def doubled_for_both(claim, days):
    return times(claim, days) * (1 if claim["neighbours"] == "replace" else 2)


def every_claim_daily(claim, days):
    return by_cases(claim | {"period": "day"}, days)


def a_day_for_all(claim, days):
    return by_cases(claim, 1)


def inverted(claim, days):
    other = "add or remove" if claim["neighbours"] == "replace" else "replace"
    return by_cases(claim | {"neighbours": other}, days)


def days_as_a_group(claim, days):
    return by_cases(claim, days**2 if claim["measure"] == "rho" else days)


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (times, "To replace a person is two steps"),
        (stated_only, "Neighbours that are not stated may be the weaker ones"),
        (squared_for_both, "For two steps ε is multiplied by 2, and you take 4"),
        (doubled_for_both, "For two steps ρ is multiplied by 2² = 4, and you take 2."),
        (every_claim_daily, "You multiply by the days although the claim's period is 'once'."),
        (a_day_for_all, "The days are forgotten"),
        (inverted, "The factor belongs to neighbours that add or remove, and you take it for those that replace."),
        (days_as_a_group, "ρ grows with their number and not with its square."),
        (lambda claim, days: None, "which is no number"),
        (lambda claim, days: claim["epsilon"], "KeyError: 'epsilon'"),
    ],
)
def test_a_wrong_total_is_named(lab, mine, said):
    assert said in lab["judged_total"](mine)


def converted(claim, days, delta):
    spent = by_cases(claim, days)
    return spent if claim["measure"] == "epsilon" else float(zcdp.epsilon_tight(spent, delta))


def classic(claim, days, delta):
    spent = by_cases(claim, days)
    return spent if claim["measure"] == "epsilon" else zcdp.epsilon(spent, delta)


def each_day(claim, days, delta):
    daily = claim["period"] == "day"
    return (days if daily else 1) * converted(claim, 1, delta)


def one_delta(claim, days, delta):
    return converted(claim, days, 1e-10)


def tight_for_both(claim, days, delta):
    return zcdp.epsilon_tight(by_cases(claim, days), delta)


def exchanged(claim, days, delta):
    spent = by_cases(claim, days)
    return spent if claim["measure"] == "epsilon" else zcdp.epsilon_tight(delta, spent)


LARGER = "Not too small at the claims tried, but larger than need be."


def replaced_after_the_conversion(claim, days, delta):
    return (1 if claim["neighbours"] == "replace" else 2) * converted(claim | {"neighbours": "replace"}, days, delta)


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (converted, "Your ε agrees with the book's for 192 claims."),
        (classic, f"{LARGER} For rho"),
        (classic, "You use the classic conversion"),
        (each_day, f"{LARGER} For rho"),
        (each_day, "You convert each day."),
        (one_delta, "FALSE PROMISE. For rho = 0.015, once, replace, days = 1, δ = 1e-12"),
        (one_delta, "Your result does not depend on δ."),
        (tight_for_both, f"{LARGER} For epsilon = 0.015"),
        (tight_for_both, "A pure ε is not converted: it stays as it is."),
        (lambda claim, days, delta: by_cases(claim, days), "FALSE PROMISE. For rho"),
        (lambda claim, days, delta: by_cases(claim, days), "You take ρ for ε."),
        (lambda claim, days, delta: converted(claim, days, delta) + delta, f"{LARGER} For epsilon"),
        (lambda claim, days, delta: classic(claim, days, delta) + delta, "You add δ to ε"),
        (exchanged, "You exchange the arguments: zcdp.epsilon_tight takes ρ first and δ second."),
        (lambda claim, days, delta: converted(claim, 1, delta), "FALSE PROMISE. For epsilon = 0.015, day"),
        (
            lambda claim, days, delta: converted(claim | {"neighbours": "replace"}, days, delta),
            "FALSE PROMISE. For epsilon = 0.015, once, add or remove",
        ),
        (lambda claim, days, delta: converted(claim, days, 10 * delta), "FALSE PROMISE. For rho"),
        (lambda claim, days, delta: None, "it returns None, and a number is needed."),
        (lambda claim, days, delta: ..., "it returns Ellipsis, and a number is needed."),
        (lambda claim, days, delta: math.nan, "it returns nan, and a number is needed."),
        (lambda claim, days, delta: claim["ε"], "it raises KeyError: 'ε'."),
    ],
)
def test_the_common_currency_is_judged(lab, mine, said):
    assert said in lab["judged_common"](mine)


def test_doubling_epsilon_after_the_conversion_is_not_accepted(lab):
    # 2ε at the same δ: group privacy of (ε, δ) makes δ larger.
    found = lab["judged_common"](replaced_after_the_conversion)
    assert found.startswith("FALSE PROMISE. For rho")
    assert found.endswith(
        "You convert first and double afterwards. Multiply ρ by 4 for the two steps, and then convert."
    )


def used_next(lab, mine):
    """Return the function that the steps after the third use if a reader wrote this one."""
    found = (part["cell"] or "" for part in PARTS.finditer(TEXTS["labs/read_a_claim"]))
    cell = next(each for each in found if "common_used = " in each)
    names = lab | {"in_common": mine}
    exec(compile(cell, "the cell that chooses", "exec"), names)
    return names["common_used"]


@pytest.mark.parametrize("mine", [classic, each_day, one_delta, tight_for_both, exchanged])
def test_the_next_steps_use_no_function_that_disagrees(lab, mine):
    assert used_next(lab, mine) is lab["book_common"]


def test_the_next_steps_use_a_function_that_agrees(lab):
    assert used_next(lab, converted) is converted


# -- the sentence

GOOD = {
    "protected": "the first ten page views a day of one device",
    "neighbours": "replace",
    "days": 30,
    "delta": 1e-12,
    "epsilon": 15.3,
    "left_out": "other devices",
}


@pytest.mark.parametrize("changed", [{}, {"delta": 1e-13, "epsilon": 16.5}, {"epsilon": 15.9}])
def test_a_true_sentence_is_printed(lab, changed):
    found = lab["sentence"](GOOD | changed)
    assert found.startswith("We protect the first ten page views")
    assert "more than needed" not in found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"epsilon": 1}, "FALSE PROMISE. ε = 1 is too small for 30 days of ρ = 0.015 a day at δ = 1e-12."),
        ({"epsilon": 1.07}, "Yours is enough for one day at most"),
        ({"epsilon": 1.2}, "Yours is enough for one day at most"),
        ({"epsilon": 2.21}, "Yours is enough for one day at most"),
        ({"epsilon": 2.5}, "Yours is enough for one day at most"),
        ({"epsilon": 0.45}, "Yours is the ρ of the month"),
        ({"epsilon": 1.8}, "Yours is the ρ of the month"),
        ({"epsilon": 6.5}, "To replace is two steps, which cost 4ρ."),
        ({"epsilon": 7.1}, "To replace is two steps, which cost 4ρ."),
        ({"epsilon": 14.2}, "You convert first and double afterwards."),
        ({"epsilon": 14}, "Yours is the ε at δ = 1e-10, and a smaller δ needs a larger ε."),
        ({"epsilon": 10}, "Compute the ρ of 30 days for replacing"),
        ({"epsilon": 15.26}, "Round up."),
        ({"epsilon": 30}, "This is more than needed: compose ρ first"),
        ({"delta": 1e-7}, "δ = 1e-07 is too large. With ten billion devices δ·n is 1e+03"),
        ({"delta": 1e-10}, "With ten billion devices δ·n is 1, and it should be at most 0.01."),
        ({"delta": 1.1e-12}, "δ = 1.1e-12 is too large."),
        ({"delta": 0}, "Not yet: 'delta' is 0"),
        ({"protected": "everybody"}, "has to name the device and its 10 page views"),
        ({"protected": "10 users without a device"}, "has to name the device and its 10 page views"),
        ({"protected": "100 page views of a device"}, "has to name the device and its 10 page views"),
        ({"neighbours": "add or remove"}, "Write the sentence for neighbours that replace."),
        ({"days": 365}, "the sentence is for 30 days, and you write 365."),
        ({"left_out": "x"}, "'left_out' is 'x'. It should be a few words"),
        ({"left_out": ""}, "Not yet: the sentence does not say 'left_out'."),
        ({"epsilon": "14"}, "Not yet: 'epsilon' is '14'"),
    ],
)
def test_a_wrong_sentence_is_named(lab, changed, said):
    assert said in lab["sentence"](GOOD | changed)


def test_the_solution_is_the_sentence(lab):
    found = lab["sentence"](lab["better"]())
    assert "satisfies (15.3, 1e-12)-differential privacy, where neighbouring tables differ by replacing" in found
    assert "even if this ρ is meant for neighbours that add or remove" in found
    assert found.endswith("(Whether the words of 'protected' and 'left_out' are right, a reader has to judge.)")
    assert "None" in lab["sentence"](None)
