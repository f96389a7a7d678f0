"""Lab 7: the checks accept the solution and other right readings, and catch what students read wrong."""

import contextlib
import io
import math
import re
from decimal import Decimal
from fractions import Fraction

import pytest
from figures import PARTS, TEXTS
from test_lab_examples import cell_with

from dp_lib import approx, pure, say, zcdp

pytestmark = pytest.mark.xdist_group("labs/read_a_claim")


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
    assert found.startswith("Complete. All entries that can be checked agree with the source.")
    assert said in found and "book writes" not in found, "the site shows this below the exercise"


@pytest.mark.parametrize("name", ["census", "apple", "wikimedia"])
def test_a_complete_template_shows_the_book_s_words_beside_the_reader_s(lab, name):
    mine = {"census": "people per state", "apple": "how many reports", "wikimedia": "the rule of 150"}[name]
    found = lab["assessed"](name, lab[name]() | {"outside": mine})
    assert f"you write {mine!r}, and the book writes {lab[name]()['outside']!r}." in found


@pytest.mark.parametrize("value", [2.5563, 2.56])
def test_the_epsilon_of_a_rounded_rho_is_that_of_the_page(lab, value):
    found = lab["assessed"]("census", lab["CLAIMS"]["census"] | {"value": value})
    assert "The ρ of the source gives ε = 17.1436 at δ = 1e-10 by the tight conversion and 17.9002" in found


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("census", {"value": 2.56}),
        ("census", {"value": 2.5563}),
        ("census", {"value": Fraction(542, 339) ** 2}),
        ("census", {"value": 1 / (339 / 542) ** 2}),
        ("census", {"outside": "states' population totals"}),
        ("census", {"outside": "housing units in each block"}),
        ("census", {"value": Decimal("2.5563")}),
        ("census", {"people": Fraction(331_449_281)}),
        ("wikimedia", {"people": 600_000_000, "outside": "exact world counts: pages above 150"}),
        ("wikimedia", {"outside": "the threshold of a hundred and fifty views"}),
        ("wikimedia", {"people": 20e6, "epsilon": 1.0, "value": Fraction(15, 1000)}),
        ("apple", {"value": 16.0, "outside": "whether a report is sent"}),
        ("apple", {"outside": "how often the device reports"}),
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
        {"unit": "day of one user or device"},
        "The unit is not 'day of one user or device'. What is one record of this file about?",
    ),
    ("census", {"unit": "one datum"}, "The unit is not 'one datum'. What is one record of this file about?"),
    # the neighbours
    ("census", {"neighbours": "add or remove"}, "The neighbours are not 'add or remove'."),
    ("apple", {"neighbours": "not stated"}, "The neighbours are not 'not stated'."),
    ("apple", {"neighbours": "add or remove"}, "What happens to each datum of a day"),
    ("wikimedia", {"neighbours": "replace"}, "Write 'not stated'"),
    ("wikimedia", {"neighbours": "add or remove"}, "Write 'not stated'"),
    # δ and the number of people
    ("wikimedia", {"people": None}, "δ is above 0, so the number of people matters."),
    ("wikimedia", {"people": 1000}, "The number of people is not 1,000."),
    ("wikimedia", {"delta": 0}, "δ is not 0. The source names it beside ε."),
    ("apple", {"delta": 1e-6}, "δ is not 1e-06. Pure DP has δ = 0."),
    ("apple", {"people": 1_000_000}, "The source names no number of people, and at δ = 0 you need none. Write None."),
    ("census", {"people": 325e6}, "The number of people is not 325,000,000. The source has the exact number."),
    ("census", {"people": 337e6}, "The number of people is not 337,000,000."),
    ("census", {"people": 331e6}, "The number of people is not 331,000,000. The source has the exact number. Write"),
    ("census", {"people": 331_449_280}, "The number of people is not 331,449,280."),
    ("wikimedia", {"people": 700e6}, "The number of people is not 700,000,000."),
    # rounded down
    ("census", {"value": 2.55}, "Yours is a little too small, and a privacy loss is rounded up"),
    ("census", {"value": 2.5562}, "The value is not 2.5562."),
    ("census", {"value": 2.549}, "The value is not 2.549."),
    ("census", {"value": 2.57}, "The value is not 2.57. Which ρ is spent in one period? The program has"),
    # ε of a datum
    ("apple", {"epsilon": 1}, "The source names ε = 1 for one datum. One period is a day"),
    # what is not covered
    *[
        ("census", {"outside": words}, "Which numbers does the source call not protected, and for which places?")
        for words in (
            "names in each state",
            "anything about statements",
            "the population counts",
        )
    ],
    *[
        ("apple", {"outside": words}, "Which fact about them is the same on the two days that we compare?")
        for words in (
            "the number of emojis",
            "I have nothing to report",
            "data without noise that are sent",
        )
    ],
    *[
        ("wikimedia", {"outside": words}, "looks at exact counts, without noise. Name it with its number.")
        for words in (
            "150 devices",
            "noisy counts above 90; the 150 is noisy",
            "1500 views of a page",
        )
    ],
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
        (None, "it returns None, and a dictionary is needed."),
        (..., "it returns Ellipsis"),
        ({}, "the entry 'unit' is missing."),
        (
            TypeError("no ^ for 'float'"),
            "your function raises TypeError: no ^ for 'float'. A power is written ** in Python.",
        ),
        (NameError("name 'census' is not defined"), "your function raises NameError: name 'census' is not defined. If"),
        ({"unit": ...}, "the entry 'unit' is missing."),
        (
            {"unit": "household"},
            "the entry 'unit' is 'household'. It should be 'person' or 'day of one user or device' or 'one datum'",
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
        ("outside", ["the number of people in each state"]),
        ("measure", "ρ"),
        ("unit", ["person"]),
    ],
)
def test_an_entry_of_the_wrong_kind_is_named(lab, entry, value):
    found = lab["assessed"]("census", lab["CLAIMS"]["census"] | {entry: value})
    assert found.startswith(f"Not yet: the entry {entry!r} is {value!r}. It should be ")


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("bounded", "replace"),
        ("modify a record", "replace"),
        ("change one record", "replace"),
        ("unbounded", "add or remove"),
        ("adding", "add or remove"),
    ],
)
def test_other_words_for_the_neighbours_are_told_the_template_s_word(lab, value, word):
    found = lab["assessed"]("census", lab["CLAIMS"]["census"] | {"neighbours": value})
    assert found.endswith(f"For what you mean, this template has the word {word!r}.")


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


def the_same_entry_of_a_pure_claim(claim, days):
    return by_cases(claim | {"value": claim["epsilon"]} if claim["delta"] == 0 else claim, days)


@pytest.mark.parametrize("mine", [by_cases, group_before_the_days, the_same_entry_of_a_pure_claim])
def test_right_totals_of_other_styles_are_accepted(lab, mine):
    assert lab["judged_total"](mine).startswith("Your conversion agrees")


def two_slips(claim, days):
    return by_cases(claim | {"period": "once"}, 1) / (1 if claim["neighbours"] == "replace" else 2)


def changes_the_value(claim, days):
    if claim["period"] == "day":
        claim["value"] *= days
    return by_cases(claim | {"period": "once"}, days)


def changes_the_period(claim, days):
    spent = by_cases(claim, days)
    claim["period"] = "once"
    return spent


def prints(claim, days):
    print("spent", by_cases(claim, days))
    return by_cases(claim, days)


def test_a_print_in_a_function_is_not_repeated_by_the_checks(lab, capsys):
    assert lab["judged_total"](prints).startswith("Your conversion agrees")
    assert lab["judged_common"](lambda *arguments: print(arguments) or converted(*arguments)).startswith(
        "Your ε agrees"
    )
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda claim, days: claim["value"] * days ^ 2, "A power is written ** in Python."),
        (lambda claim, days: pure.repeat(claim["value"], days) ^ 2, "A power is written ** in Python."),
        (lambda claim, days: by_cases(claim, 30), "Your value does not change with days, but the right answer does."),
        (two_slips, "Here the value is multiplied by 1 for the period and by 2 for the neighbours."),
        (lambda claim, days: round(by_cases(claim, days), 3), "You round. Return the number as it is"),
        (lambda claim, days: math.ceil(100 * by_cases(claim, days)) / 100, "You round."),
        (
            changes_the_value,
            "raises ChangedTemplate: it changes claim (compute with a name of your own, such as spent)",
        ),
        (changes_the_period, "raises ChangedTemplate: it changes claim ("),
        (lambda claim, days: None, "which is no number"),
        (lambda claim, days: claim["ε"], "KeyError: 'ε'"),
    ],
)
def test_a_wrong_total_is_named(lab, mine, said):
    found = lab["judged_total"](mine)
    assert said in found
    assert "perhaps a row is replaced" not in found


def test_each_wrong_total_that_the_page_knows_is_told_in_its_own_words(lab):
    for words, wrong in lab["KNOWN"].items():
        assert words in lab["judged_total"](wrong), words


def converted(claim, days, delta):
    spent = by_cases(claim, days)
    return spent if claim["measure"] == "epsilon" else float(zcdp.epsilon_tight(spent, delta))


def by_delta(claim, days, delta):
    spent = by_cases(claim, days)
    return spent if claim["delta"] == 0 else zcdp.epsilon_tight(spent, delta)


def by_way_of_rho(claim, days, delta):
    """Return less than the sum for many days of a small pure ε."""
    spent = converted(claim, days, delta)
    if claim["measure"] == "rho":
        return spent
    factor = 1 if claim["neighbours"] == "replace" else 2
    rho = zcdp.from_pure(factor * claim["value"]) * (days if claim["period"] == "day" else 1)
    return min(spent, zcdp.epsilon_tight(rho, delta))


def optimal(claim, days, delta):
    if claim["measure"] == "rho":
        return converted(claim, days, delta)
    factor, k = 1 if claim["neighbours"] == "replace" else 2, days if claim["period"] == "day" else 1
    return approx.optimal(factor * claim["value"], 0, k, delta).epsilon


def changes_in_common(claim, days, delta):
    claim["value"] = by_cases(claim, days)
    return converted(claim | {"period": "once", "neighbours": "replace"}, days, delta)


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


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (converted, "Your ε agrees with the book's for 192 claims."),
        (by_delta, "Your ε agrees with the book's for 192 claims."),
        (by_way_of_rho, "Smaller than the sum, which this step asks for. For epsilon = 0.015, day"),
        (by_way_of_rho, "you say ε = 0.187199, and the sum is 0.45."),
        (lambda claim, days, delta: converted(claim, 1, delta), "you say ε = 0.015, and the sum is 0.45."),
        (lambda claim, days, delta: by_cases(claim, days) ^ 2, "A power is written ** in Python."),
        (optimal, "Smaller than the sum, which this step asks for."),
        (lambda claim, days, delta: 0.9 * optimal(claim, days, delta), "FALSE PROMISE. For epsilon"),
        (changes_in_common, "it raises ChangedTemplate: it changes claim ("),
        (lambda claim, days, delta: round(converted(claim, days, delta), 3), "You round."),
        (lambda claim, days, delta: round(converted(claim, days, delta), 2), "You round."),
        (classic, f"{LARGER} For rho"),
        (each_day, f"{LARGER} For rho"),
        (one_delta, "FALSE PROMISE. For rho = 0.015, once, replace, days = 1, δ = 1e-12"),
        (one_delta, "Your result does not depend on δ."),
        (tight_for_both, f"{LARGER} For epsilon = 0.015"),
        (lambda claim, days, delta: by_cases(claim, days), "FALSE PROMISE. For rho"),
        (lambda claim, days, delta: converted(claim, days, delta) + delta, f"{LARGER} For epsilon"),
        (lambda claim, days, delta: classic(claim, days, delta) + delta, "You add δ to ε"),
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
    before = [dict(claim) for claim, _, _ in lab["TRIED"]]
    assert said in lab["judged_common"](mine)
    assert [claim for claim, _, _ in lab["TRIED"]] == before


@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_each_slip_in_the_conversion_that_the_page_knows_is_told_in_its_own_words(lab, measure):
    for words, wrong in lab["SLIPS"][measure].items():

        def mine(claim, days, delta, wrong=wrong):
            return (wrong if claim["measure"] == measure else converted)(claim, days, delta)

        said = lab["judged_common"](mine)
        assert f" For {measure} = " in said and said.endswith(words), (words, said)


def used_next(lab, mine):
    """Return the function that the steps after the third use if a reader wrote this one."""
    names = lab | {"in_common": mine}
    exec(cell_with("labs/read_a_claim", "common_used = "), names)
    return names["common_used"]


@pytest.mark.parametrize("mine", [classic, one_delta])  # larger than need be, and a false promise
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
    "epsilon": 15.27,
    "left_out": "pages above 150 views, and other devices",
}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"delta": 1e-13, "epsilon": 15.86},
        {"epsilon": Decimal("15.27")},
        {"epsilon": Fraction(1527, 100), "delta": Fraction(1, 10**12)},
        {"protected": "a page view among the first 10 of a device on one day"},
        {"protected": "the first ten page-views per phone per day"},
        {"protected": "ten unique page visits a day from one device"},
        {"protected": "no more than 10 page views of one device on a day, no matter which"},
        {"left_out": "exact world counts: pages above 150"},
        {"left_out": "the rule of a hundred and fifty views"},
        {"left_out": "the limit of one hundred and fifty"},
    ],
)
def test_a_true_sentence_is_printed(lab, changed):
    said = GOOD | changed
    found = lab["sentence"](said)
    assert found.startswith(
        f"We protect {said['protected']}. If the list of pages of each day is taken as fixed, what is"
    )
    assert "so it is not covered, unless these counts are public already." in found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"epsilon": 1}, "FALSE PROMISE. ε = 1 is too small for 30 days of ρ = 0.015 a day at δ = 1e-12."),
        ({"epsilon": 1.07}, "Yours is enough for one day at most"),
        ({"epsilon": 2.5}, "Yours is enough for one day at most"),
        ({"epsilon": 0.45}, "Yours is the ρ of the month"),
        ({"epsilon": 1.8}, "Yours is the ρ of the month"),
        ({"epsilon": 6.5}, "To replace is two steps, which cost 4ρ."),
        ({"epsilon": 7.1}, "To replace is two steps, which cost 4ρ."),
        ({"epsilon": 14.2}, "You convert first and double afterwards."),
        ({"epsilon": 14}, "Yours is the ε at δ = 1e-10, and a smaller δ needs a larger ε."),
        ({"epsilon": 10}, "Compute the ρ of 30 days for replacing"),
        ({"epsilon": 10.37}, "You multiply ρ by 2. For two steps it is multiplied by 2² = 4."),
        ({"epsilon": 15.2649}, "FALSE PROMISE. ε = 15.2649 is too small"),
        ({"epsilon": zcdp.epsilon_tight(1.8, 1e-12)}, "ε = 15.26490049 is true, but it has more than two digits"),
        ({"epsilon": 15.265}, "Not yet: ε = 15.265 is true, but it has more than two digits after the point."),
        ({"epsilon": 15.28}, "Not yet: ε = 15.28 is true, but larger than need be"),
        ({"epsilon": 15.3}, "convert it at your δ, and round up only at the end, to two digits."),
        ({"epsilon": 15.92}, "You use the classic conversion"),
        ({"epsilon": 73.5}, "You convert each day. Add up ρ first"),
        ({"epsilon": 15.26}, "Round up."),
        ({"epsilon": 15.2}, "Round up."),
        ({"epsilon": 14.97}, "Yours is the ε of 29 days."),
        ({"epsilon": 15.08}, "Compute the ρ of 30 days for replacing, and convert it at your δ."),
        ({"epsilon": 34.44}, "You take 16ρ for the two steps, and they cost 4ρ."),
        ({"epsilon": 30}, "You add up the ε of each day. Add up ρ first"),
        ({"epsilon": 1000}, "Not yet: ε = 1000 is true, but larger than need be"),
        ({"delta": 1e-7}, "δ = 1e-07 is too large. With ten billion devices δ·n is 1e+03"),
        ({"delta": 1e-10}, "With ten billion devices δ·n is 1, and it should be at most 0.01."),
        ({"delta": 1.1e-12}, "δ = 1.1e-12 is too large."),
        ({"delta": 0}, "Not yet: 'delta' is 0"),
        ({"protected": "everybody"}, "does not say '10' or 'view' or 'device' or 'day'. It has to name the device"),
        ({"protected": "10 views of a device in the month"}, "'protected' does not say 'day'."),
        ({"protected": "all views of all devices of a person, far more than 10"}, "'protected' does not say 'day'."),
        ({"protected": "nothing about 10 views of a device"}, "'protected' does not say 'day'."),
        ({"protected": "10 users without a device"}, "has to name the device and its 10 page views"),
        ({"protected": "100 page views of a device"}, "has to name the device and its 10 page views"),
        (
            {"protected": "all 10 views of a person; device and day do not matter"},
            "Not yet: 'protected' has the word 'not'. Say there only what is protected",
        ),
        ({"protected": "10 views of a device and day aren't safe"}, "'protected' has the word \"aren't\"."),
        ({"protected": "nothing about the 10 views of a device on a day"}, "'protected' has the word 'nothing'."),
        ({"neighbours": "add or remove"}, "Write the sentence for neighbours that replace."),
        ({"days": 365}, "the sentence is for 30 days, and you write 365."),
        ({"left_out": "nothing at all"}, "'left_out' has to name the rule of 150 views in the world"),
        ({"left_out": "other devices"}, "'left_out' has to name the rule of 150 views in the world"),
        ({"left_out": "150"}, "'left_out' has to name the rule of 150 views in the world"),
        ({"left_out": "the exact world counts"}, "'left_out' has to name the rule of 150 views in the world"),
        ({"left_out": ""}, "Not yet: the sentence does not say 'left_out'."),
        ({"epsilon": say.at_most(15.2649, 2)}, "It should be a number above 0. Yours is a text, and float(...)"),
    ],
)
def test_a_wrong_sentence_is_named(lab, changed, said):
    assert said in lab["sentence"](GOOD | changed)


def test_the_solution_is_the_sentence(lab):
    found = lab["sentence"](lab["better"]())
    assert "satisfies (15.27, 1e-12)-differential privacy, where neighbouring tables differ by replacing" in found
    assert "even if this ρ is meant for neighbours that add or remove" in found
    assert "book writes" not in found, "the site shows this below the exercise"
    other = lab["better"]() | {"protected": "10 page views a day of a device"}
    assert "(Whether the words of 'protected' are right, a reader has to judge. The book writes" in lab["sentence"](
        other
    )
    assert lab["sentence"](other).count(repr(lab["better"]()["protected"])) == 1
    assert "None" in lab["sentence"](None)


# -- a student's cells that end with an error, or stay empty


def printed(bodies):
    """Return what the page prints to a student who has written these functions and no others."""
    names, said = {}, io.StringIO()
    text = re.sub(r"(?ms)^`+\{solution-start\}.*?^`+\{solution-end\}", "", TEXTS["labs/read_a_claim"])
    for part in PARTS.finditer(text):
        if not part["cell"]:
            continue
        written = re.match(r"def (\w+)", part["cell"])
        with contextlib.redirect_stdout(said):
            if not written:
                exec(compile(re.sub(r"(?m)^:[\w-]+:.*$", "", part["cell"]), "lab", "exec"), names)
            elif written[1] in bodies:  # a cell with a syntax error defines nothing
                exec(bodies[written[1]], names)
    return said.getvalue()


def test_errors_in_what_a_student_writes_stop_no_other_cell():
    said = printed(
        {name: f"def {name}(*arguments):\n    return undefined" for name in ("census", "in_common", "better")}
    )
    assert "census: Not yet: your function raises NameError: name 'undefined' is not defined." in said
    assert "raises NameError: name 'total' is not defined" in said
    assert "in_common: For epsilon = 0.015, once, replace, days = 1, δ = 0.001: it raises NameError" in said
    assert "apple: Not yet: your function raises NameError: name 'apple' is not defined." in said
    assert said.count("The next steps use the book's function") == 2
    assert said.count("is the book's, because yours is not complete.") == 3
    assert "Not yet: your function raises NameError: name 'undefined'" in said.splitlines()[-1]


BETTER = """
def better():
    return {
        "protected": "the first 10 page views of a device on each day", "neighbours": "replace", "days": 30,
        "delta": 1e-12, "epsilon": float(say.at_most(common("wikimedia", 30, 1e-12), 2)), "left_out": "the rule of 150",
    }
"""


def test_the_sentence_has_the_epsilon_of_the_book_if_all_other_steps_are_left_out():
    said = printed({"better": BETTER})
    assert "The template of wikimedia is the book's, because yours is not complete." in said
    assert "satisfies (15.27, 1e-12)-differential privacy" in said.splitlines()[-2]


def test_the_lines_that_try_total_print_what_their_comments_say():
    total = """
def total(claim, days):
    print("tried")
    return claim["value"] * days * {"replace": 1, "add or remove": 2}[claim["neighbours"]]
"""
    said = printed({"total": total}).splitlines()
    place = said.index("tried")
    assert [said[place], float(said[place + 1]), said[place + 2], float(said[place + 3])] == [
        "tried",
        120,
        "tried",
        0.3,
    ]
    assert said.count("tried") == 2
