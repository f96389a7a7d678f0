"""What the release planner promises: safe defaults, warnings where they are read, the tightest account."""

import math
import re
from fractions import Fraction
from unicodedata import normalize

import exact_tails
import mpmath
import numpy as np
import planner
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from book.release_planner import accounts, form
from dp_lib import approx, gdp, pure, zcdp
from dp_lib.pld import PrivacyLoss

DOORS = ("release", "train", "target", "claim")


def answer(**task):
    (found,) = planner.answers(task)
    return found


def entered(**task):
    (result,) = planner.entered(task)
    return result


def account(found, name):
    (value,) = [row[1] for row in found["accounts"] if row[0].startswith(name)]
    return value


# ---- what is typed


def test_a_comma_group_in_a_quotient_is_asked_about_and_the_chosen_delta_is_used():
    task = {"door": "target", "delta": "1/60,000"}
    asked = entered(**task)
    assert asked["found"] is None
    assert [choice["plain"] for choice in asked["asks"]["delta"]["choices"]] == ["1/60000", "1/60"]
    chosen = answer(door="target", delta="1/60000")
    assert float(chosen["sigma"][1]) >= approx.sigma_exact(1, 1 / 60_000, math.sqrt(20)) > 16


def test_a_thousand_counts_and_one_count_are_told_apart():
    asked = entered(door="release", k="1.000")
    assert asked["found"] is None and [one["value"] for one in asked["asks"]["k"]["choices"]] == [1, 1000]
    one, thousand = planner.answers({"door": "release", "k": "1"}, {"door": "release", "k": "1000"})
    assert thousand["epsilon"][0] > 20 * one["epsilon"][0]


def test_a_wrong_number_of_answers_is_said_once():
    asked = entered(door="release", k="abc")
    assert list(asked["problems"]) == ["k"] and "all" not in asked["problems"]["k"].split("got")[1]


BAD = ["abc", "", "0", "-3", "2.5", "1e400", "1.000.000,0,0"]


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS)
def test_a_field_that_nobody_touched_is_never_blamed(door):
    """Each field alone is given each bad text, and each number that may not go with the others."""
    fields = form.page_data()["fields"]
    texts = [*BAD, "1", "7", "1000000", "1e9"]
    choices = [(one["name"], option) for one in fields if "options" in one for option in one["options"]]
    tasks = [{one["name"]: text} for one in fields if "rule" in one for text in texts] + [{n: o} for n, o in choices]
    for task, result in zip(tasks, planner.read(*({"door": door} | task for task in tasks)), strict=True):
        assert set(result["problems"]) | set(result["asks"]) <= set(task), task


def test_of_two_fields_that_disagree_the_last_one_touched_is_told():
    for first, last in [("n", "batch"), ("batch", "n")]:
        texts = {"n": "100", "batch": "256"}
        asked = entered(door="train", **{first: texts[first], last: texts[last]})
        assert list(asked["problems"]) == [last]


# ---- defaults are the safe reading


def test_a_person_answers_all_questions_of_a_poll_unless_it_is_said():
    found = answer(door="release", what="polls", k="10", epsilon_0="0.5")
    assert found["epsilon"] == [5, "5"] and "each person answers at most 10 of them" in found["sentence"]


def test_no_probability_is_above_one():
    sigmas, deltas = ["0.001", "1", "18.9", "1000", "1e6"], ["1e-6", "1e-3", "0.1", "0.5", "0.999"]
    tasks = [{"door": "release", "sigma": sigma, "delta": delta} for sigma in sigmas for delta in deltas]
    for task, found in zip(tasks, planner.answers(*tasks), strict=True):
        assert found["beyond"][0] <= 1 and float(found["beyond"][1].split(";")[0]) <= 1, task
    for found in planner.answers(*({"door": "claim", "delta": delta} for delta in deltas)):
        number, *words = found["rare"][1].split()
        assert float(number) <= (1e6 if words else 1)
        said = re.search(r"with probability at most ([\d.e-]*\d)", found["sentence"])
        assert 0 < float(said[1]) <= 1


# ---- warnings

VOID = [
    {"door": "release", "delta": "0.1"},  # ε = 0 there
    {"door": "target", "delta": "0.1"},
    {"door": "release", "sigma": "1e-9"},  # ε = 10^19
    {"door": "target", "epsilon": "900"},
    {"door": "train", "n": "300", "batch": "10", "delta": "0.004"},  # not below 1/n
    {"door": "release", "what": "means", "n": "2", "k": "1", "delta": "0.6"},
    {"door": "release", "what": "means", "n": "2000", "k": "1", "delta": "1/2000"},
    {"door": "release", "what": "polls", "k": "100", "epsilon_0": "3"},
    {"door": "release", "mechanism": "laplace", "scale": "0.1"},
    {"door": "release", "times": "1000000"},  # after all of them
]
WEAK = [
    {"door": "release", "sigma": "1"},
    {"door": "target", "epsilon": "30"},
    {"door": "target", "mechanism": "laplace", "epsilon": "30"},
    {"door": "train", "n": "256", "batch": "256"},
    {"door": "release", "delta": "0.001"},
    {"door": "release", "what": "choice", "k": "10", "epsilon_0": "3"},
    {"door": "release", "sigma": "1e6", "delta": "1e-5"},  # ε = 0, since δ covers the loss
    {"door": "release", "times": "300"},
    {"door": "target", "epsilon": "1e-9"},  # δ carries the promise
    {"door": "target", "epsilon": "1e-9", "times": "1000000", "spread": "each"},
    {"door": "target", "epsilon": "1e-9", "mechanism": "discrete"},
]


def test_a_void_guarantee_has_no_sentence_and_the_page_says_why():
    for task, found in zip(VOID, planner.answers(*VOID), strict=True):
        assert found["heading"] == "No sentence to publish", task
        assert found["sentence"].startswith("This promises too little") and found["warning"][1] in found["sentence"]
        assert "-DP with ε" not in found["sentence"] and found["blanks"] == []
        assert found["headline"].endswith("This promises too little to publish")
        assert found["belief"][1] == found["tenth"][1] == ""


def test_a_weak_guarantee_has_its_warning_in_the_sentence_and_in_the_line_at_the_top():
    for task, found in zip(WEAK, planner.answers(*WEAK), strict=True):
        assert "heading" not in found, task
        assert all(f"Warning: {text}." in found["sentence"] for text in found["warning"][1].split("; ε"))
        assert found["headline"].endswith("Read the warning")


def test_an_ordinary_guarantee_has_no_warning():
    ordinary = [{"door": door} for door in ("release", "train", "target")]
    for found in planner.answers(*ordinary):
        assert "warning" not in found and "Warning" not in found["sentence"]


# ---- the sentence


def test_the_sentence_explains_delta_names_the_person_and_lists_what_is_left_to_fill_in():
    for task in [{"door": "release"}, {"door": "target"}, {"door": "train"}]:
        found = answer(**task)
        delta = {"train": "1e-5 (1 in 100000)"}.get(task["door"], "1e-6 (1 in a million)")
        assert f"plus δ = {delta}" in found["sentence"] and "take anything that an attacker may" in found["sentence"]
        blanks = re.findall(r"\[[^\]]+\]", found["sentence"])
        assert found["blanks"] == list(dict.fromkeys(blanks))
        assert {"[name of the data]", "[reference date]", "[name the program]"} <= set(blanks)
        assert any("what counts as one" in blank or "one example" in blank for blank in blanks)
        assert "enforced by" in found["sentence"] or "clipped by the code" in found["sentence"]


def test_a_claim_s_sentence_has_delta_as_a_number_and_in_words():
    sentence = answer(door="claim", delta="0.3", prior="1")["sentence"]
    for part in ["δ = 0.3", "outright with probability 0.3 (30 in 100)", "at most 0.9", "Warning: δ = 0.3 is so large"]:
        assert part in sentence
    without = answer(door="claim", delta="0")["sentence"]
    assert "δ" not in without and "except" not in without


def test_the_words_for_delta_are_never_less_than_delta():
    units = {"million": 10**6, "billion": 10**9, "trillion": 10**12}
    rng = np.random.default_rng(4)
    deltas = [f"{10 ** rng.uniform(-20, -0.01):.3e}" for _ in range(200)] + ["1e-6", "1e-9", "1e-12", "0.1", "0.3"]
    for delta, found in zip(deltas, planner.answers(*({"door": "claim", "delta": d} for d in deltas)), strict=True):
        sentence = re.sub("10([⁰¹²³⁴-⁹]+)", lambda power: f"10^{normalize('NFKC', power[1])}", found["sentence"])
        said = re.search(r"probability \S+ \((\d+) in (10\^)?([\da]+)( \w+)?\)", sentence)
        count, power, among, unit = said.groups()
        number = 10 ** int(among) if power else 1 if among == "a" else int(among)
        words = Fraction(int(count), number * units.get((unit or "").strip(), 1))
        assert Fraction(delta) * (1 - Fraction(1, 10**9)) <= words <= Fraction(delta) * 10, delta


ONES = [
    {"door": "release", "k": "1"},
    {"door": "release", "what": "means", "k": "1", "n": "2"},
    {"door": "release", "what": "histogram", "k": "1"},
    {"door": "release", "what": "sums", "k": "1"},
    {"door": "release", "what": "tables", "tables": "1", "cells": "1"},
    {"door": "release", "what": "polls", "k": "1", "n": "1"},
    {"door": "release", "what": "choice", "k": "1", "options": "1"},
    {"door": "train", "n": "60000", "batch": "60000", "epochs": "1"},
    {"door": "claim", "epsilon": "30"},
    {"door": "claim", "epsilon": "30", "prior": "99", "times": "2"},
]


def test_one_of_something_is_singular_and_certainty_is_not_a_most():
    for task, found in zip(ONES, planner.answers(*ONES), strict=True):
        told = " ".join([found["sentence"], found["headline"], *(found.get(row, ["", ""])[1] for row in form.ROWS)])
        plural = r"\b1 (counts|means|sums|cells|tables|people|questions|choices|options|examples|epochs|steps|runs)\b"
        assert not re.search(plural, told), task
        assert "most more than" not in told and "in at most 1 of them" not in told, task
    assert "1 mean over 2 people" in planner.answers(ONES[1])[0]["sentence"]


# ---- the tightest account


def test_choices_offer_the_rho_that_their_own_account_uses():
    for k in (1, 5, 20):
        found = answer(door="release", what="choice", k=str(k), epsilon_0="0.5")
        epsilon = float(zcdp.epsilon_tight(account(found, "zCDP: ρ"), 1e-6))
        assert account(found, "zCDP of choices") == pytest.approx(epsilon, rel=1e-6)


def test_a_batch_of_all_examples_has_the_exact_epsilon_without_sampling():
    found = answer(door="train", n="256", batch="256", epochs="30")
    exact = float(gdp.epsilon(math.sqrt(30) / 1.1, 1e-5))
    assert exact <= found["epsilon"][0] <= 1.0001 * exact
    assert account(found, "Rényi DP") > 1.05 * exact


def test_half_an_epoch_of_poisson_samples_costs_less_than_a_whole_one():
    found = answer(door="train", epochs="0.5")
    upper = PrivacyLoss.subsampled_gaussian(1.1, 256 / 60_000).repeat(118).epsilon(1e-5).upper
    assert upper <= found["epsilon"][0] <= 1.06 * upper


@pytest.mark.parametrize("epochs", ["0.5", "2.5"])
def test_an_unfinished_epoch_of_shuffled_batches_lies_between_its_neighbours(epochs):
    tasks = [{"door": "train", "sampler": "shuffled", "epochs": one} for one in (epochs, str(math.ceil(float(epochs))))]
    part, whole = planner.answers(*tasks)
    assert part["epsilon"][0] < whole["epsilon"][0]
    assert (part["lower"][1] == "") == (epochs == "0.5")  # the lower bound is that of a whole epoch


def test_steps_of_shuffled_batches_count_for_a_loader_that_leaves_out_a_short_last_batch():
    """Of 1000 examples 900 are drawn in each step, and then all are shuffled again."""
    found = answer(door="train", sampler="shuffled", span="steps", n="1000", batch="900", steps="100", noise="20")
    assert found["epsilon"][0] == pytest.approx(float(gdp.epsilon(math.sqrt(100) / 20, 1e-5)), rel=1e-3)
    assert "100 steps in all" in found["sentence"]
    by_epochs = answer(door="train", sampler="shuffled", n="1000", batch="600", epochs="10")
    assert " 10 epochs. Each example" in by_epochs["sentence"]


@pytest.mark.parametrize("sigma", [0.7, 1.1, 3.0])
def test_half_an_epoch_of_two_shuffled_examples_keeps_what_is_claimed(sigma):
    """One of two examples is drawn: its gradient 1 (or a blank's 0) stands against the other's, wherever that lies."""
    delta = 1e-3
    epsilon = float(accounts.shuffled_in_part(sigma, 0, 0.5, delta))
    x = np.linspace(-40, 40, 80_001)
    for other in np.linspace(-3, 4, 15):
        density = lambda *means: sum(np.exp(-((x - m) ** 2) / (2 * sigma**2)) for m in means)  # noqa: E731
        p, q = density(1, other), density(0, other)
        scale = (x[1] - x[0]) / (2 * sigma * math.sqrt(2 * math.pi))
        for one, two in [(p, q), (q, p)]:
            assert scale * np.maximum(one - math.exp(epsilon) * two, 0).sum() <= delta * (1 + 1e-6)


def test_an_unfinished_epoch_is_the_least_epsilon_of_its_mixture():
    for sigma, whole, part, delta in [(1.1, 0, 0.5, 1e-5), (0.8, 3, 0.25, 1e-6), (5, 29, 0.9, 1e-9)]:
        epsilon = float(accounts.shuffled_in_part(sigma, whole, part, delta))

        def failing(eps, sigma=sigma, whole=whole, part=part):
            shares = [(whole + 1, part), (whole, 1 - part)]
            profiles = [(exact_tails.gaussian(mpmath.sqrt(k) / sigma, eps), share) for k, share in shares if k]
            return sum(share * exact_tails.delta(tails) for tails, share in profiles)

        assert failing(epsilon * (1 + 1e-9)) <= delta < failing(epsilon * (1 - 1e-6))


# ---- random tasks against what dp_lib or plain sums say


def test_500_polls_and_choices_claim_no_less_than_their_sum():
    rng, tasks = np.random.default_rng(21), []
    for _ in range(500):
        what, k = str(rng.choice(["polls", "choice"])), int(rng.integers(1, 40))
        tasks.append({"door": "release", "what": what, "k": str(k), "epsilon_0": f"{10 ** rng.uniform(-3, 0):.3g}"})
        if what == "polls":
            tasks[-1]["m"] = str(rng.integers(1, k + 1))  # of the k questions a person answers so many
    for task, found in zip(tasks, planner.answers(*tasks), strict=True):
        k, each = int(task.get("m", task["k"])), Fraction(task["epsilon_0"])
        assert k * each <= Fraction(found["epsilon"][1]) <= k * each * Fraction(1003, 1000)
        one = zcdp.from_pure if task["what"] == "polls" else zcdp.exponential
        assert k * float(one(float(each))) <= account(found, "zCDP: ρ") <= k * float(one(float(each))) * (1 + 1e-8)
        if task["what"] == "polls":
            share = float(found["truth"][1])
            assert pure.randomized_response(share) <= float(each) * (1 + 1e-12)


@pytest.mark.long
def test_60_runs_on_shuffled_or_whole_batches_claim_no_less_than_they_cost():
    rng, tasks = np.random.default_rng(22), []
    for place in range(60):
        n, batches = int(rng.integers(2, 500)), int(rng.integers(1, 20))
        batch = n if place % 2 else max(1, n // batches)
        steps, sigma = int(rng.integers(1, 200)), f"{rng.uniform(0.5, 5):.2f}"
        sampler = "poisson" if place % 2 else "shuffled"
        tasks.append({"door": "train", "sampler": sampler, "span": "steps", "n": str(n), "batch": str(batch)})
        tasks[-1] |= {"steps": str(steps), "noise": sigma, "delta": f"{10 ** rng.uniform(-9, -4):.1e}"}
    for task, found in zip(tasks, planner.answers(*tasks), strict=True):
        n, batch, steps, sigma = (float(task[name]) for name in ("n", "batch", "steps", "noise"))
        times = steps if task["sampler"] == "poisson" else steps // (n // batch)  # without a short last batch
        epsilon, mu = float(found["epsilon"][1]), math.sqrt(times) / sigma
        if mu:
            reached = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
            assert reached <= float(task["delta"]) * (1 + 1e-9), task
        most = float(gdp.epsilon(math.sqrt(times + (task["sampler"] == "shuffled")) / sigma, float(task["delta"])))
        assert epsilon <= 1.01 * most, task


# ---- the scripts


@pytest.mark.parametrize("name", ["entries.js", "answers.js", "losses.js"])
def test_reading_and_answering_know_no_document(name):
    code = re.sub(r"//.*", "", (form.HERE / name).read_text("utf-8")).replace("accountant.history", "")
    assert not re.search(r"\b(document|window|location|history|addEventListener|setTimeout)\b", code)


# ---- what a practitioner found


@pytest.mark.parametrize("what", ["polls", "choice"])
@pytest.mark.parametrize(("door", "field"), [("release", "epsilon_0"), ("target", "epsilon")])
def test_sentence_of_one_of_several_polls_or_choices_gives_the_total(what, door, field):
    found = answer(door=door, what=what, k="1", times="4", spread="each", **{field: "1"})
    promise = "This promise is for one of 4 such releases. For all 4 together, ε is 4"
    assert f"{promise}." in found["sentence"] or f"{promise}; or, with δ" in found["sentence"]


@pytest.mark.parametrize(
    ("fields", "offers"),
    [
        ({"what": "polls", "n": "500000", "delta": "1e-6"}, "; or, with δ = 1e-6, "),
        ({"what": "polls", "n": "5000000", "delta": "1e-6"}, ""),
        ({"what": "polls", "n": "60000", "delta": "0.5"}, ""),
        ({"what": "choice", "delta": "0.5"}, ""),
        ({"what": "choice", "delta": "1e-6"}, " by zCDP, if the data are of fewer than 1/δ = 1e6 people"),
    ],
)
def test_an_epsilon_at_a_delta_is_offered_only_where_this_delta_may_be_published(fields, offers):
    found = answer(door="release", k="1", times="52", epsilon_0="0.5", **fields)
    if offers:
        assert offers in found["sentence"] and offers in found["total"][1]
    else:
        assert "or, with δ" not in found["sentence"] + found["total"][1] and "is 26." in found["sentence"]


def test_sentence_of_one_of_several_releases_gives_the_total_at_its_delta():
    found = answer(door="release", times="4")
    four = float(gdp.epsilon(2 * math.sqrt(20) / 18.9, 1e-6))
    told = re.search(r"one of 4 such releases. For all 4 together, ε is (\S+) at the same δ\.", found["sentence"])
    assert four <= float(told[1]) <= 1.001 * four
    assert found["headline"].endswith(f"; for all 4 together, ε = {found['total'][1]}")


@pytest.mark.parametrize(("what", "often"), [("polls", ", 4 times. Each"), ("choice", ", made 4 times,")])
def test_sentence_of_a_target_for_all_times_says_how_often(what, often):
    found = answer(door="target", what=what, k="1", times="4", spread="all", epsilon="1")
    assert often in found["sentence"] and "ε₀ = 0.25" in found["sentence"]
    assert "together are ε-DP with ε = 1" in found["sentence"] or "are together ε-DP with ε = 1" in found["sentence"]


@pytest.mark.parametrize("epsilon_0", ["21", "36.5", "40", "49"])
def test_a_poll_whose_answers_are_all_but_the_truth_has_no_sentence(epsilon_0):
    found = answer(door="release", what="polls", k="1", epsilon_0=epsilon_0)
    assert found["heading"] == "No sentence to publish" and float(found["truth"][1]) < 1


@pytest.mark.parametrize("epsilon_0", ["1e-9", "0.0001", "0.0123", "0.5", "1", "3.7", "9", "12", "20.5"])
def test_the_probability_of_the_truth_keeps_its_digits_and_the_error_is_its_own(epsilon_0):
    found = answer(door="release", what="polls", k="1", n="60000", epsilon_0=epsilon_0)
    share = Fraction(found["truth"][1])
    with mpmath.workdps(40):
        exact = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon_0)))
        written = mpmath.mpf(share.numerator) / share.denominator
        assert written <= exact
        assert (1 - written) / (1 - exact) < 1.001 and (2 * exact - 1) / (2 * written - 1) < 1.001
        spread = mpmath.sqrt(60000 * written * (1 - written)) / (2 * written - 1)
    shown = float(found["deviation"][1].split()[0])
    assert spread <= shown * (1 + 1e-12) and shown <= 1.001 * spread


def test_the_error_of_a_poll_that_asks_almost_nothing_is_large_and_no_less_than_zero():
    found = answer(door="release", what="polls", k="1", n="60000", epsilon_0="1e-12")
    assert found["deviation"][0] > 1e14 and float(found["truth"][1]) > 0.5


@pytest.mark.parametrize("what", ["histogram", "tables"])
def test_sentence_of_cells_says_that_they_do_not_depend_on_the_people(what):
    sentence = answer(door="release", what=what)["sentence"]
    assert "The cells were fixed before anybody looked at the data, and empty cells are published too." in sentence
    assert "empty cells" not in answer(door="release", what="counts")["sentence"]


@pytest.mark.parametrize("rows", ["0.001", "1.5", "0"])
def test_a_person_moves_a_count_by_whole_rows(rows):
    (found,) = planner.entered({"door": "release", "what": "counts", "rows": rows})
    assert not found["whole"] and "whole number from 1" in str(found["problems"])


def test_a_sum_of_decimals_is_shown_without_the_dust_of_binary_numbers():
    assert answer(door="release", what="choice", k="3", epsilon_0="0.2")["epsilon"][1] == "0.6"
    assert answer(door="release", what="sums", mechanism="laplace", high="0.2", k="3", scale="1")["epsilon"][1] == "0.6"


@pytest.mark.parametrize("typed", ["1/60000", "1/30000", "1/7"])
def test_a_quotient_is_shown_in_four_digits_never_below_it_and_computed_in_full(typed):
    found, delta = answer(door="target", delta=typed), Fraction(typed)
    shown = found["delta"][1]
    assert len(shown) <= 9 and delta <= Fraction(shown) <= delta * Fraction(1001, 1000)
    assert float(found["sigma"][1]) >= approx.sigma_exact(1, float(delta), math.sqrt(20))
    assert f"{float(delta)}" in found["python"] or f"{float(delta):.21f}".rstrip("0") in found["python"]


PRINTED = [
    {"door": "release", "what": "polls", "k": "1", "epsilon_0": "0.1"},
    {"door": "release", "what": "polls", "k": "3", "epsilon_0": "0.1", "times": "7"},
    {"door": "release", "what": "choice", "k": "1", "epsilon_0": "0.2", "times": "3"},
    {"door": "release", "mechanism": "laplace", "k": "1", "scale": "10"},
    {"door": "release", "mechanism": "laplace", "k": "7", "scale": "30", "times": "12"},
    {"door": "release", "mechanism": "laplace", "k": "1", "scale": "1e7"},
    {"door": "target", "mechanism": "laplace", "k": "3", "epsilon": "0.6", "times": "2", "spread": "each"},
    {"door": "target", "what": "polls", "k": "3", "epsilon": "1", "times": "2", "spread": "each"},
    {"door": "release", "what": "choice", "k": "3", "epsilon_0": "1/3"},
    {"door": "release", "what": "polls", "k": "3", "epsilon_0": "ln 3", "times": "5"},
    {"door": "target", "what": "choice", "k": "3", "epsilon": "0.6"},
    {"door": "release", "mechanism": "laplace", "k": "1", "scale": "1/7"},
    {"door": "release", "mechanism": "laplace", "what": "means", "n": "3", "scale": "2/3"},
    {"door": "release", "sigma": "1/3", "delta": "1/70001"},
    {"door": "target", "goal": "mu", "mu": "10", "k": "1"},
    {"door": "release", "sigma": "12.3", "times": "5"},
    {"door": "release", "sigma": "12.3", "mechanism": "discrete", "times": "5", "neighbours": "remove"},
]


@pytest.mark.parametrize("task", PRINTED)
def test_python_prints_the_very_number_that_is_shown_and_that_of_all_times(task, capsys):
    """0.1 is no double: the nearest one is above it, which "at most" with one digit would round to 0.2."""
    found = answer(**task)
    exec(found["python"], {})
    printed = [float(line) for line in capsys.readouterr().out.split()]
    shown = [float(found[found["main"]][1])]
    shown += [float(found["total"][1].split()[0].rstrip(";"))] if "times" in task else []
    assert printed == shown


@pytest.mark.parametrize(
    ("task", "call"),
    [
        ({"k": "20", "rows": "3"}, "from_discrete_gaussian_mechanism(18.9, sensitivity=3).self_compose(20)"),
        ({"k": "20", "m": "3", "neighbours": "replace"}, "(18.9, sensitivity=1).self_compose(6)"),
        ({"what": "histogram", "neighbours": "replace"}, "(18.9, sensitivity=1).self_compose(2)"),
        ({"what": "sums", "low": "-2", "high": "5", "neighbours": "replace"}, "(18.9, sensitivity=7).self_compose(20)"),
        ({"what": "sums", "low": "2", "high": "5", "m": "3", "neighbours": "replace"}, "# One person changes some"),
    ],
)
def test_discrete_noise_is_composed_in_dp_accounting_too(task, call):
    assert call in answer(door="release", mechanism="discrete", **task)["dp-accounting"]


def test_what_is_published_of_a_budget_that_is_no_short_number_is_what_is_accounted_for():
    """Three choices with ε₀ = 1/3 are published with ε₀ = 0.3334, so their ε is not 1."""
    found = answer(door="release", what="choice", k="3", epsilon_0="1/3")
    assert found["epsilon_0"] == [0.3334, "0.3334"] and found["epsilon"][1] == "1.001"


def test_who_asks_dp_accounting_about_many_pure_answers_is_told_at_which_delta():
    """At δ = 1e-15, a thousand answers with ε₀ = 0.1 have an ε of about 29, and not of 100."""
    one, many, often = planner.answers(
        {"door": "release", "what": "polls", "k": "1"},
        {"door": "release", "what": "polls", "k": "1000", "epsilon_0": "0.1"},
        {"door": "release", "mechanism": "laplace", "times": "4"},
    )
    far = "at δ = 1e-15; can be far below the ε of δ = 0"
    assert one["dp-accounting"].endswith("# the ε of δ = 0, up to the width of its lattice")
    assert many["dp-accounting"].endswith(f"# {far}") and often["dp-accounting"].endswith(f"times together, {far}")


@pytest.mark.parametrize("epsilon", ["60", "400"])
def test_lines_for_a_claim_stop_where_odds_have_no_meaning(epsilon, capsys):
    found = answer(door="claim", epsilon=epsilon, times="7")
    exec(found["python"], {})
    assert capsys.readouterr().out == ("100.00 %\n" if epsilon == "60" else "")


def test_a_delta_is_the_same_number_all_over_a_sentence():
    (found,) = planner.answers({"door": "target", "what": "means", "n": "1000", "delta": "1/3000"})
    assert found["sentence"].count("1 in 2999") == 2 and "1 in 3000" not in found["sentence"]
    (counts,) = planner.answers({"door": "target", "delta": "1/60000"})
    assert "1/δ = 59988" in counts["sentence"]  # of 1.667e-5


def test_a_sensitivity_that_is_rounded_up_is_said_to_be_at_most_that():
    assert "The L2 sensitivity is at most 4.473 (for all " in answer(door="release")["sentence"]
    assert "The L2 sensitivity is 4 (for all " in answer(door="release", k="16")["sentence"]


def test_an_epsilon_is_taken_as_a_natural_logarithm_and_shown_rounded_up():
    found = answer(door="target", mechanism="laplace", epsilon="ln 3", k="1")
    assert found["epsilon"][1] == "1.099" and Fraction(found["scale"][1]) >= Fraction(1 / math.log(3))
    assert entered(door="release", sigma="sqrt(20)")["values"]["sigma"] == math.sqrt(20)
    assert entered(door="target", epsilon="ln2")["values"]["epsilon"] == pytest.approx(math.log(2))
    assert entered(door="target", epsilon="ln(1,5)")["values"]["epsilon"] == pytest.approx(math.log(1.5))
    assert "must be" in entered(door="target", epsilon="ln 0")["problems"]["epsilon"]


@pytest.mark.parametrize(("typed", "word"), [("1e-400", "small"), ("1e400", "large")])
def test_a_number_that_cannot_be_represented_is_said_to_be_so(typed, word):
    assert f"too {word} to be represented" in entered(door="release", delta=typed)["problems"]["delta"]


def test_noise_for_a_sampled_run_is_nearly_the_least_that_keeps_its_epsilon():
    for sampler, epsilon in [("poisson", "0.5"), ("poisson", "8"), ("fixed", "2"), ("shuffled", "3")]:
        task = {"door": "train", "sampler": sampler, "delta": "1e-6"}
        found = answer(solve="noise", epsilon=epsilon, **task)
        noise = float(found["noise"][1])
        assert 0.98 * float(epsilon) <= answer(noise=repr(noise), **task)["epsilon"][0] <= float(epsilon)


@pytest.mark.parametrize("sigma", ["0.001", "0.5", "1", "2.7", "30", "1234.5", "250000"])
def test_discrete_noise_is_within_the_least_whole_number_that_covers_95_of_100_answers(sigma):
    found = answer(door="release", mechanism="discrete", sigma=sigma, typical="7")
    shown, size = found["interval"][0], float(sigma)

    def covered(w):
        x = np.arange(1, math.ceil(12 * size) + 1, dtype=float)
        mass = np.exp(-((x / size) ** 2) / 2)
        return (1 + 2 * mass[: int(w)].sum()) / (1 + 2 * mass.sum())

    assert shown == int(shown) and covered(shown) >= 0.95
    assert shown == 0 or covered(shown - 1) < 0.95 + (1e-8 if size > 1e5 else 0)
    assert float(found["interval"][1]) >= shown
    assert found["relative"][0] == shown / 7


@pytest.mark.parametrize(
    ("told", "after"),
    [
        (("0.06", "0.02", "52"), "After 52 such releases no useful limit is left, since δ is then 1"),
        (("0.1", "0.0005", "20"), "After 20 such releases no useful limit is left, since δ is then 0.01"),
        (
            ("0.1", "0.0001", "20"),
            "After 20 such releases the belief can be at most 88.08 %, except in the cases that δ = 0.002 allows",
        ),
        (("0.1", "0", "20"), "After 20 such releases the belief can be at most 88.08 %"),
    ],
)
def test_a_claim_of_several_releases_names_their_delta_and_promises_nothing_where_it_is_large(told, after):
    found = answer(door="claim", **dict(zip(("epsilon", "delta", "times"), told, strict=True)))
    assert f"{after}." in found["sentence"]
    for row in (found["headline"].removesuffix(". Read the warning"), found["own"][1]):
        assert row.endswith(f"; {after.replace('After', 'after')}")
    assert found["total"][1].endswith(f"; {after.split(' releases ')[1]}")


@pytest.mark.parametrize("sampler", ["poisson", "shuffled", "fixed"])
def test_a_run_that_has_begun_has_a_step_and_costs_something(sampler):
    found = answer(door="train", sampler=sampler, n="500", batch="500", epochs="1e-12")
    one = answer(door="train", sampler=sampler, span="steps", n="500", batch="500", steps="1")
    assert found["epsilon"] == one["epsilon"] and found["epsilon"][0] > 1


def test_the_rounding_of_a_product_is_no_step():
    assert answer(door="train", n="100", batch="1", epochs="0.07")["steps"][0] == 7
    shuffled = {"door": "train", "sampler": "shuffled", "n": "100", "batch": "1"}
    part, steps = planner.answers(shuffled | {"epochs": "1.07"}, shuffled | {"span": "steps", "steps": "107"})
    assert part["epsilon"] == steps["epsilon"]


def test_sentence_of_choices_tells_the_epsilon_of_one_from_that_of_all():
    sentence = answer(door="target", what="choice", k="12", epsilon="1")["sentence"]
    assert "with ε₀ = 0.08333 each" in sentence and "exp(ε₀ × score / (2Δ))" in sentence
    assert "ε-DP with ε = 1." in sentence and "ε = 0.08333" not in sentence


def test_a_poll_is_of_yes_or_no_and_a_repeated_one_says_how_often():
    poll = {"door": "target", "what": "polls", "k": "5", "m": "2", "n": "1000", "times": "2"}
    found = answer(**poll, epsilon="2", spread="all")
    told = "1000 people are asked 5 questions, 2 times; each time a person answers at most 2 of them. This limit is"
    assert told in found["sentence"] and found["sentence"].count("enforced by") == 1
    once = answer(door="release", what="polls", k="1", epsilon_0="0.5")["sentence"]
    assert "enforced by" not in once and "enforced by" not in answer(door="release", what="polls", k="5")["sentence"]
    given = (
        "is given unchanged with probability 0.6224 and is otherwise turned into its opposite, so ε₀ = 0.5 per answer."
    )
    assert f"Each yes-or-no answer {given}" in once


@pytest.mark.parametrize(("n", "k", "m", "people"), [(400, 10, 2, 80), (7, 5, 2, 3), (400, 10, 10, 400)])
def test_the_accuracy_of_a_poll_is_that_of_the_people_who_answer_one_question(n, k, m, people):
    found = answer(door="release", what="polls", n=str(n), k=str(k), m=str(m), epsilon_0="3")
    share = float(found["truth"][1])
    spread = math.sqrt(people * share * (1 - share)) / (2 * share - 1)
    assert spread <= float(found["deviation"][1].split()[0]) <= 1.001 * spread
    who = f"among {people} people who answer the question, which is the average over all questions ({n} × {m} / {k}"
    assert (
        who in found["deviation"][1]
        if m < k
        else found["deviation"][1].endswith(f"{n} people who all answer the question")
    )
    assert ("rounded up" in found["deviation"][1]) == (people * k > n * m)
    assert 1.959 * spread <= float(found["interval"][1]) <= 1.961 * spread + 2 / (2 * share - 1)


NO_DELTA = [
    {"mechanism": "laplace"},
    {"what": "means", "mechanism": "laplace", "k": "1"},
    {"what": "polls", "k": "4"},
    {"what": "choice", "k": "4"},
]


@pytest.mark.parametrize("typed", ["0", ""])
@pytest.mark.parametrize("door", ["release", "target"])
@pytest.mark.parametrize("task", NO_DELTA)
def test_a_release_whose_epsilon_holds_without_a_delta_may_have_none(task, door, typed):
    found, usual = answer(door=door, delta=typed, **task), answer(door=door, **task)
    assert (
        found["delta"] == [0, "0"] and found["epsilon"] == usual["epsilon"] and found["sentence"] == usual["sentence"]
    )
    assert all(not math.isnan(float(value)) for _, value, text, _ in found["accounts"] if text != "none")
    needing = [name for name, *_, kind in found["accounts"] if kind == "needs a δ above 0"]
    assert len(needing) == (1 if task.get("mechanism") else 2) and not any("δ = " in name for name in needing)
    if door == "target" and "mechanism" in task:
        assert found["instead"][1].startswith("Gaussian noise needs a δ above 0")


@pytest.mark.parametrize("task", [{}, {"mechanism": "discrete"}, {"door": "target", "goal": "rho"}, {"door": "train"}])
def test_noise_without_a_bound_on_its_loss_needs_a_delta(task):
    asked = entered(**{"door": "release", "delta": "0"} | task)
    assert "at least 1e-300, such as 1e-6; got" in asked["problems"]["delta"]


SIGMAS = ["1e-12", "1e-5", "0.1", "18.9", "1e6", "1e12"]
EPSILONS = ["1e-300", "1e-9", "0.01", "1", "45", "999"]


def tail(mu, x):
    """P(|L| > ε) of N(μ, 1) against N(0, 1), where x = ε/μ - μ/2."""
    return mpmath.ncdf(-x) + mpmath.ncdf(-x - mu)


def tail_at_the_least_epsilon(mu, delta):
    """P(|L| > ε) where δ(ε) = δ, or at ε = 0."""
    low, high = -mu / 2, mpmath.mpf(40)
    if exact_tails.delta(exact_tails.gaussian(mu, 0)) <= delta:
        return tail(mu, low)
    for _ in range(60):
        x = (low + high) / 2
        is_more = exact_tails.delta(exact_tails.gaussian(mu, mu * (x + mu / 2))) > delta
        low, high = (x, high) if is_more else (low, x)
    return tail(mu, high)


@pytest.mark.parametrize("delta", ["1e-300", "1e-6", "0.3"])
def test_the_odds_move_by_more_than_epsilon_no_more_often_than_is_said(delta):
    tasks = [{"door": "release", "sigma": one, "delta": delta} for one in SIGMAS]
    for task, found in zip(tasks, planner.answers(*tasks), strict=True):
        with mpmath.workdps(90):
            exact = tail_at_the_least_epsilon(mpmath.sqrt(20) / mpmath.mpf(task["sigma"]), mpmath.mpf(delta))
            assert exact <= found["beyond"][0] <= 1.0005 * exact, task
            assert exact <= mpmath.mpf(found["beyond"][1].split(";")[0]), task


@pytest.mark.parametrize("delta", ["1e-300", "1e-6", "0.3"])
def test_the_odds_move_by_more_than_the_epsilon_of_a_target_no_more_often_than_is_said(delta):
    tasks = [{"door": "target", "epsilon": one, "delta": delta} for one in EPSILONS]
    for task, found in zip(tasks, planner.answers(*tasks), strict=True):
        with mpmath.workdps(90):
            mu = mpmath.sqrt(20) / mpmath.mpf(found["sigma"][1])
            exact = tail(mu, mpmath.mpf(task["epsilon"]) / mu - mu / 2)
            assert exact <= found["beyond"][0] <= 1.0001 * exact, task


def test_delta_carries_a_promise_where_alone_it_allows_as_much_as_epsilon_alone():
    """At most P - P' = tanh(ε/2) under (ε, 0), and δ under (0, δ)."""
    warned, plain = planner.answers({"door": "target", "epsilon": "1.99e-6"}, {"door": "target", "epsilon": "2.01e-6"})
    assert "δ = 1e-6 carries this promise" in warned["warning"][1] and "warning" not in plain
    assert "carries" not in str(answer(door="target", mechanism="laplace", epsilon="1e-9").get("warning"))
    assert "δ = 0.1 carries" in answer(door="claim", epsilon="0.1", delta="0.1")["warning"][1]


@pytest.mark.parametrize(
    ("delta", "said"),
    [("0.05", "0.15"), ("4e-4", "0.0012"), ("3e-4", "900 in a million"), ("1e-6", "3 in a million"), ("1e-8", "3e-8")],
)
def test_a_claim_says_a_rare_probability_in_a_million_and_another_as_it_is(delta, said):
    assert answer(door="claim", epsilon="60", delta=delta)["rare"][1] == said


@pytest.mark.parametrize(
    "task",
    [
        {"sigma": "1e-300"},
        {"sigma": "1e-300", "mechanism": "discrete"},
        {"sigma": "1e-153", "times": "1000000000"},
        {"scale": "1e-307", "mechanism": "laplace"},
        {"door": "train", "noise": "1e-300"},
        {"door": "train", "noise": "1e-300", "sampler": "shuffled"},
    ],
)
def test_an_epsilon_beyond_the_largest_number_is_said_at_its_noise(task):
    ((name, problem),) = entered(**{"door": "release"} | task)["found"]["problems"].items()
    assert name in task and task[name] in problem
    assert "ε is too large to be represented; enter more noise" in problem


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_a_person_who_is_missing_from_a_sum_counts_as_0_and_it_is_said_where_no_value_is_0(mechanism):
    told = "; a person can also be missing from a sum, and then adds 0 to it"
    task = {"door": "release", "what": "sums", "mechanism": mechanism, "k": "3"}
    for low, high, neighbours in [
        ("5", "10", "replace"),
        ("-10", "-5", "replace"),
        ("5", "10", "remove"),
        ("0", "10", "replace"),
    ]:
        found = answer(**task, low=low, high=high, neighbours=neighbours)
        assert found["sensitivity"][1].endswith(told) == (neighbours == "replace" and low != "0")
        size = 10 * (3 if mechanism == "laplace" else math.sqrt(3))
        assert found["sensitivity"][0] == pytest.approx(size)


@pytest.mark.parametrize(("door", "field"), [("release", "epsilon_0"), ("target", "epsilon")])
def test_a_poll_whose_truths_are_half_in_all_digits_is_refused(door, field):
    for typed in ("1e-300", "1e-14"):
        problems = entered(door=door, what="polls", k="1", **{field: typed})["found"]["problems"]
        assert f"with ε₀ = {typed} for each answer, the probability of a true answer is 0.5" in problems[field]
    found = answer(door=door, what="polls", k="1", **{field: "1e-12"})
    assert 0 < pure.randomized_response(float(found["truth"][1])) <= 1e-12


@pytest.mark.parametrize("epsilon", ["1e-300", "1e-16", "1e-9"])
def test_no_epsilon_above_0_has_a_factor_of_1_or_leaves_a_belief_where_it_is(epsilon):
    found = answer(door="target", mechanism="laplace", epsilon=epsilon)
    assert "exp(ε) = 1.001 times" in found["sentence"] and found["belief"][1] == "50.01 %"


def test_a_number_of_people_or_examples_that_is_used_is_said_to_be_public():
    public = "The number of {}, 60000, is treated as public and is not protected."
    poisson, rate, shuffled, means, counts = planner.answers(
        {"door": "train"},
        {"door": "train", "span": "rate"},
        {"door": "train", "sampler": "shuffled"},
        {"door": "release", "what": "means"},
        {"door": "release"},
    )
    assert public.format("examples") in poisson["sentence"] and "batches of 256 on average" in poisson["sentence"]
    assert public.format("examples") in shuffled["sentence"] and "on average" not in shuffled["sentence"]
    assert public.format("people") in means["sentence"] and "Each person is in all 20 of them" in means["sentence"]
    assert "treated as public" not in rate["sentence"] + counts["sentence"]


@pytest.mark.parametrize(
    ("delta", "words"),
    [("1/60001", "is not below 1/n"), ("1/70000", "is close to 1/n"), ("1e-6", "")],
)
def test_a_delta_is_compared_with_the_number_of_people_as_it_is_written(delta, words):
    """1/60001 is written as 1.667e-5, which is 1 in 59988."""
    found = answer(door="target", what="means", n="60000", delta=delta)
    assert words in found.get("warning", ["", ""])[1] and bool(words) == ("warning" in found)
    assert found["sentence"].count("(1 in") == (0 if "not below" in words else 1)


def test_who_signs_a_sentence_finds_the_error_later_changes_and_who_does_not_answer():
    release, poll = planner.answers({"door": "release"}, {"door": "release", "what": "polls", "k": "10", "m": "3"})
    assert "In 95 of 100 answers, the noise is within ±37.05." in release["sentence"]
    assert any(blank.startswith("[say whether they were rounded") for blank in release["blanks"])
    assert "and which answers are dropped, does not depend on the person's data." in poll["sentence"]
    assert "Whether a person answers at all is not protected." in poll["sentence"]


def test_every_program_is_told_of_all_times():
    found = answer(door="release", times="4")
    assert "accountant.history = [(18.9 / 20 ** 0.5, 1.0, 4)]" in found["opacus"]
    assert "print(loss.self_compose(4).get_epsilon_for_delta(1e-6))  # all 4 times" in found["dp-accounting"]


@pytest.mark.parametrize(("name", "value"), [("epsilon", 0), ("prior", 100)])
def test_a_link_brings_no_number_that_its_field_would_refuse(name, value):
    (found,) = planner.entered(
        {"door": "claim", name: str(value), "settled": {name: {"text": str(value), "value": value}}}
    )
    assert not found["whole"] and name in found["problems"]


def test_what_is_said_of_a_training_run_is_about_one_example():
    found = answer(door="train")
    assert all("% (a belief about one example), except in" in found[row][1] for row in ("belief", "tenth"))
    void, weak = planner.answers(
        {"door": "train", "delta": "1/60000"}, {"door": "train", "span": "rate", "delta": "0.001"}
    )
    assert "so it allows one randomly drawn example to be published in full" in void["sentence"]
    assert "allows 1 in 1000 examples to be published in full" in weak["sentence"]
    assert "all data of" not in void["sentence"] + weak["sentence"]


def test_delta_is_compared_with_a_number_of_people_that_is_to_fill_in():
    blank = "[number of people in the data, which must be below 1/δ = {}]"
    for what in ("counts", "histogram", "tables", "sums"):
        for delta, most in [("1e-6", "1e6"), ("1e-5", "100000"), ("3e-5", "33333")]:
            found = answer(door="release", what=what, delta=delta)
            assert blank.format(most) in found["blanks"], found["blanks"]
    by_rate = answer(door="train", span="rate", delta="1e-5")
    assert "[number of examples in the data, which must be below 1/δ = 100000]" in by_rate["blanks"]
    for task in [{"what": "means", "n": "9000"}, {"mechanism": "laplace"}, {"what": "polls", "k": "1"}]:
        assert "number of people in the data" not in answer(door="release", **task)["sentence"]


def test_the_warning_of_a_large_delta_begins_at_one_in_ten_thousand():
    warned, plain = planner.answers({"door": "release", "delta": "1e-4"}, {"door": "release", "delta": "9.9e-5"})
    assert "δ = 1e-4 is large" in warned["warning"][1] and "warning" not in plain


def test_a_sampling_rate_may_be_one():
    full = answer(door="train", span="rate", q="1", steps="100", delta="1e-5")
    batches = answer(door="train", n="1000", batch="1000", span="steps", steps="100", delta="1e-5")
    assert full["accounts"] == batches["accounts"] != []
    assert "must be a number of at most 1" in entered(door="train", span="rate", q="1.01")["problems"]["q"]


def test_no_number_of_steps_is_shown_where_it_depends_on_the_last_batch():
    by_epochs = {"door": "train", "sampler": "shuffled", "n": "1000", "batch": "600", "epochs": "3"}
    assert answer(**by_epochs)["steps"][1] == ""
    assert answer(door="train", sampler="shuffled", span="steps", steps="9")["steps"][1] == "9"


@pytest.mark.parametrize("n", [2, 5, 20, 1000])
def test_the_count_of_a_poll_is_within_its_interval_in_95_of_100_polls(n):
    for epsilon_0 in ("0.1", "1", "3", "5", "8"):
        found = answer(door="release", what="polls", k="1", n=str(n), epsilon_0=epsilon_0)
        share = float(found["truth"][1])
        reach = float(found["interval"][1]) * (2 * share - 1)
        for yes in (0, n // 3, n // 2, n):
            true, false = (binom.pmf(np.arange(of + 1), of, p) for of, p in [(yes, share), (n - yes, 1 - share)])
            said = np.convolve(true, false)
            mean = yes * share + (n - yes) * (1 - share)
            assert said[abs(np.arange(n + 1) - mean) <= reach].sum() >= 0.95, (epsilon_0, yes)
