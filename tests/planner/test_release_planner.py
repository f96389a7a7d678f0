"""The release planner as its users have it: what is typed, what is answered, and never on the unsafe side."""

import contextlib
import io
import itertools
import math
import re
from fractions import Fraction

import exact_tails
import mpmath
import numpy as np
import planner
import pytest
from scipy.special import ndtr
from waiting import wait_until

from book.release_planner import accounts as desk_accounts
from book.release_planner.form import ROWS
from dp_lib import approx, dp_sgd, zcdp
from dp_lib.pld import PrivacyLoss
from livefigures.declare.numbers import power_of_ten

NOISES = ("gaussian", "laplace", "discrete")
READY = "#desk[data-ready]"


def ask(tasks):
    """The answers of tasks, by name: what is shown, and its number in full."""
    return [
        {
            name: [content[1], content[0]] if name in ROWS and content else [content, None]
            for name, content in ({name: ["", ""] for name in ROWS} | answer).items()
        }
        for answer in planner.answers(*tasks)
    ]


@pytest.fixture
def desk(open_page):
    """The page, opened and ready, at an address of the desk."""

    def open_desk(state="", **options):
        page = open_page(f"chapters/desk.html{'#desk:' + state if state else ''}", **options)
        page.wait_for_selector(READY)
        return page

    return open_desk


def text(page, name):
    return page.locator(f'[data-answer="{name}"]').evaluate("(one) => one.value ?? one.textContent")


def profile(mu, epsilon):
    """δ(ε) of μ-GDP to fifty digits."""
    with mpmath.workdps(50):
        return exact_tails.delta(exact_tails.gaussian(mu, epsilon))


# ---- sensitivity


def brute_force(low, high, k, m, replace):
    """L1 and L2² of the worst pair, over people who add low, high or nothing to at most m of k answers."""
    people = [p for p in itertools.product({0, low, high}, repeat=k) if sum(x != 0 for x in p) <= m]
    moves = [
        [abs(x - y) for x, y in zip(one, other, strict=True)]
        for one in people
        for other in (people if replace else [(0,) * k])
    ]
    return max(map(sum, moves)), max(sum(x * x for x in move) for move in moves)


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 3), (-1, 2), (-2, 2), (1, 4), (-5, -1)])
def test_sensitivity_is_that_of_the_worst_pair(low, high, replace):
    for k in range(1, 5):
        for m in range(1, k + 1):
            asked = (low, high, k, m, int(replace), 0)
            found = float(desk_accounts.l1(*asked)), float(desk_accounts.l2(*asked)) ** 2
            assert found == pytest.approx(brute_force(low, high, k, m, replace))


def test_whoever_is_in_every_mean_moves_each_by_the_range():
    assert float(desk_accounts.l1(3, 5, 4, 4, 1, 1)) == 8
    assert float(desk_accounts.l2(3, 5, 4, 4, 1, 1)) == 4


def test_noise_of_the_tight_conversion_is_enough_and_hardly_more():
    rng = np.random.default_rng(1)
    epsilon, delta = np.exp(rng.uniform(np.log(0.01), np.log(20), 500)), 10 ** rng.uniform(-15, -2, 500)
    reached = zcdp.epsilon_tight(desk_accounts.rho_tight(epsilon, delta), delta)
    assert np.all(reached <= epsilon) and np.all(reached >= epsilon * (1 - 1e-6))


# ---- the acceptance: three tasks, by keyboard, from the page's opening


class Keys:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1

    def to(self, name):
        while self.page.evaluate("document.activeElement.name") != name:
            assert self.count < 60, f"{name} is not reached"
            self.press("Tab")


def at_the_desk(page):
    keys = Keys(page)
    keys.press("Tab", "Enter", "Tab")
    assert page.evaluate("document.activeElement.name") == "door"
    return keys


def test_twenty_gaussian_counts(desk):
    page = desk()
    keys = at_the_desk(page)
    keys.press("ArrowDown", "ArrowDown")
    assert 18.8933 <= float(text(page, "sigma")) <= 18.90
    keys.press("ArrowDown", "ArrowDown")  # round to the first door, with that noise
    keys.to("sigma")
    keys.press(*"18.90")
    assert float(text(page, "epsilon")) <= 1
    assert keys.count <= 20


def test_training_run(desk):
    page = desk()
    keys = at_the_desk(page)
    keys.press("ArrowDown")
    page.wait_for_selector('[data-answer="steps"]:visible')
    assert 1.6359 <= float(text(page, "epsilon")) <= 1.66
    assert "1.796" in page.locator("#desk tbody tr", has_text="Rényi").inner_text()
    keys.to("sampler")
    keys.press("s")
    page.wait_for_selector('[data-answer="lower"]:visible')
    assert "no guarantee" in text(page, "accounts") and "replaced by a blank" in text(page, "binding")
    assert keys.count <= 20


def test_laplace_histogram_under_both_relations(desk):
    page = desk()
    keys = at_the_desk(page)
    keys.press("ArrowDown", "ArrowDown", "Tab", "h", "Tab", "l", "Tab", "Tab", *"50")
    assert text(page, "scale") == "2" and "50 cells of a histogram" in text(page, "sentence")
    keys.press("Shift+Tab", "a")
    assert text(page, "scale") == "1"
    assert keys.count <= 20


# ---- never on the unsafe side


def release_tasks(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        k = int(10 ** rng.uniform(0, 3))
        m = int(rng.integers(1, k + 1))
        yield {
            "what": "counts",
            "mechanism": str(rng.choice(["gaussian", "laplace", "discrete"])),
            "neighbours": str(rng.choice(["replace", "remove"])),
            "k": str(k),
            "m": str(m),
            "rows": str(rng.integers(1, 10)),
            "delta": f"{10 ** rng.uniform(-12, -3):.2e}",
        }


def moved(task):
    """Answers that one person moves, each by how much."""
    both = min(int(task["k"]), 2 * int(task["m"]))
    return (both if task["neighbours"] == "replace" else int(task["m"])), int(task["rows"])


def assert_safe(task, noise, epsilon):
    """(ε, δ) holds with this noise, and ε is within 2 % of the best; by oracles that share no code with the page."""
    count, size = moved(task)
    if task["mechanism"] == "laplace":
        least, shown = Fraction(count * size) / Fraction(noise), Fraction(epsilon)
        assert least <= shown <= least * Fraction(102, 100)
        return
    mu = mpmath.sqrt(count) * size / mpmath.mpf(noise)
    assert profile(mu, epsilon) <= mpmath.mpf(task["delta"]) * (1 + mpmath.mpf(10) ** -12)
    if task["mechanism"] == "gaussian":
        assert profile(mu, mpmath.mpf(epsilon) / mpmath.mpf("1.02")) > mpmath.mpf(task["delta"])
    else:
        rho = float(mu) ** 2 / 2
        assert float(epsilon) >= zcdp.epsilon_tight(rho, float(task["delta"])) * (1 - 1e-9)


def test_500_releases_claim_no_less_than_they_cost():
    rng, tasks = np.random.default_rng(5), list(release_tasks(500, 1))
    for task in tasks:
        count, size = moved(task)
        width = np.sqrt(count) * size if task["mechanism"] != "laplace" else count * size
        task |= {"door": "release", "sigma": f"{width * 10 ** rng.uniform(-0.3, 2):.3g}"}
        task["scale"] = task["sigma"]
    for task, answers in zip(tasks, ask(tasks), strict=True):
        assert_safe(task, task["sigma"], answers["epsilon"][0])
        assert float(answers["epsilon"][0]) >= float(answers["epsilon"][1])


def test_500_targets_get_enough_noise():
    rng, tasks = np.random.default_rng(6), list(release_tasks(500, 2))
    for task in tasks:
        task |= {"door": "target", "goal": "epsilon", "epsilon": f"{10 ** rng.uniform(-2, 1):.3g}"}
    for task, answers in zip(tasks, ask(tasks), strict=True):
        name = "scale" if task["mechanism"] == "laplace" else "sigma"
        shown, full = answers[name]
        assert float(shown) >= float(full) and answers["epsilon"][0] == str(float(task["epsilon"])).removesuffix(".0")
        assert_safe(task, shown, task["epsilon"])


@pytest.mark.parametrize("goal", ["rho", "mu"])
def test_targets_of_other_definitions(goal):
    rng = np.random.default_rng(8)
    tasks = [t | {"mechanism": "gaussian", "door": "target", "goal": goal} for t in release_tasks(50, 3)]
    for task in tasks:
        task[goal] = f"{10 ** rng.uniform(-3, 0):.3g}"
    for task, answers in zip(tasks, ask(tasks), strict=True):
        count, size = moved(task)
        mu = math.sqrt(count) * size / float(answers["sigma"][0])
        reached, asked = (mu if goal == "mu" else mu**2 / 2), float(task[goal])
        assert asked / 1.01 <= reached <= asked * (1 + 1e-12)


def train_tasks(count):
    rng = np.random.default_rng(9)
    for _ in range(count):
        n = int(10 ** rng.uniform(3, 6))
        yield {
            "door": "train",
            "sampler": "poisson",
            "solve": "epsilon",
            "n": str(n),
            "batch": str(int(n * 10 ** rng.uniform(-3, -1)) + 1),
            "epochs": str(rng.integers(1, 60)),
            "noise": f"{rng.uniform(0.6, 3):.2f}",
            "delta": f"{10 ** rng.uniform(-8, -4):.1e}",
        }


@pytest.mark.long
def test_150_training_runs_claim_no_more_privacy_than_rdp_or_the_truth():
    tasks = list(train_tasks(150))
    for place, (task, answers) in enumerate(zip(tasks, ask(tasks), strict=True)):
        q, sigma, delta = int(task["batch"]) / int(task["n"]), float(task["noise"]), float(task["delta"])
        steps = math.ceil(Fraction(int(task["epochs"]) * int(task["n"]), int(task["batch"])))
        shown = float(answers["epsilon"][0])
        assert int(answers["steps"][0]) == steps
        assert shown <= 1.001 * dp_sgd.epsilon(sigma, q, steps, delta)
        if place % 10 == 0:  # a loss distribution takes a tenth of a second
            assert shown >= PrivacyLoss.subsampled_gaussian(sigma, q).repeat(steps).epsilon(delta).lower


def test_noise_for_a_training_run_keeps_its_target(desk):
    page = desk("door=train,solve=noise,epsilon=2")
    noise = float(text(page, "noise"))
    bracket = PrivacyLoss.subsampled_gaussian(noise, 256 / 60_000).repeat(7032).epsilon(1e-5)
    assert 1.9 <= bracket.upper <= float(text(page, "epsilon")) <= 2


def test_noise_of_a_training_run_is_searched_once_when_the_reader_has_paused(desk):
    page = desk("door=train,solve=noise,epsilon=2")
    page.evaluate("() => { globalThis.times = 0; addEventListener('desk:shown', () => times++); }")
    page.focus("#desk--epsilon")
    page.keyboard.type("2.75")
    assert text(page, "noise") == ""
    wait_until(page, "times > 0")
    page.wait_for_timeout(700)
    assert page.evaluate("times") == 1 and 2.7 <= float(text(page, "epsilon")) <= 2.75


def test_500_claims_say_no_less_than_a_belief_can_become():
    rng, tasks = np.random.default_rng(12), []
    for _ in range(500):
        delta = "0" if rng.random() < 0.3 else f"{10 ** rng.uniform(-12, -3):.1e}"
        told = {"epsilon": f"{10 ** rng.uniform(-2, 0.8):.3g}", "prior": f"{rng.uniform(0.1, 90):.2f}"}
        tasks.append({"door": "claim", "delta": delta, "times": str(rng.integers(1, 4))} | told)
    for task, answers in zip(tasks, ask(tasks), strict=True):
        odds = Fraction(task["prior"]) / (100 - Fraction(task["prior"]))
        factor = mpmath.exp(mpmath.mpf(task["epsilon"]))
        most, least = (100 * o / (1 + o) for o in (mpmath.mpf(odds) * factor, mpmath.mpf(odds) / factor))
        shown, lowest = (float(part) for part in re.findall(r"at (?:most|least) ([\d.]+) %", answers["own"][0])[:2])
        assert most <= shown <= most + 0.011 and least - 0.011 <= lowest <= least
        assert ("except" in answers["own"][0]) == (float(task["delta"]) > 0) == (answers["rare"][0] != "")
        said = re.search(r"factor of (?:at most|more than) ([\d.e]+), which is exp", answers["binding"][0])
        assert factor <= float(said[1]) <= 1.001 * factor
        rare, *words = answers["rare"][0].split() or ["0"]
        assert 3 * float(task["delta"]) * (1e6 if words else 1) * (1 - 1e-9) <= float(rare)
        if times := int(task["times"]) - 1:
            total = answers["total"][0].split("ε = ")[1].split()[0]
            assert (
                (times + 1) * Fraction(task["epsilon"])
                <= Fraction(total)
                <= (times + 1) * Fraction(task["epsilon"]) * 2
            )


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_odds_move_by_more_than_twice_the_factor_in_fewer_than_three_deltas(epsilon):
    """What the desk says of an (ε, δ) claim, of the pairs that stretch it: told outright, and Gaussian noise."""
    delta = 1e-3
    told = delta  # outright: the odds are infinite with probability δ
    mu = 1 / float(approx.sigma_exact(epsilon, delta))
    threshold = epsilon + math.log(2)
    gaussian = float(ndtr(mu / 2 - threshold / mu) + ndtr(-mu / 2 - threshold / mu))
    assert 0 < gaussian < told <= 3 * delta


def test_a_run_given_in_steps_is_that_of_as_many_epochs():
    for sampler in ("poisson", "shuffled", "fixed"):
        task = {"door": "train", "sampler": sampler, "n": "60000", "batch": "600", "noise": "1.1", "delta": "1e-5"}
        both = [task | {"span": "epochs", "epochs": "30"}, task | {"span": "steps", "steps": "3000"}]
        by_epochs, by_steps = ask(both)
        assert by_epochs["epsilon"] == by_steps["epsilon"] and by_steps["steps"][0] == "3000"


def test_tables_are_cells_of_which_one_person_is_in_one_each():
    common = {"door": "target", "goal": "epsilon", "epsilon": "1", "delta": "1e-6", "neighbours": "replace"}
    tables = [common | {"what": "tables", "mechanism": m, "tables": "4", "cells": "36", "rows": "1"} for m in NOISES]
    counts = [common | {"what": "counts", "mechanism": m, "k": "36", "m": "4", "rows": "1"} for m in NOISES]
    for mine, other in zip(ask(tables), ask(counts), strict=True):
        assert mine["sigma"] == other["sigma"] and mine["scale"] == other["scale"]
        assert "has 36 cells of 4 tables" in mine["sentence"][0]
        assert "Each person is in one cell of each table" in mine["sentence"][0]


@pytest.mark.parametrize("mechanism", NOISES)
def test_a_target_for_all_years_together_is_kept_after_all_of_them(mechanism):
    common = {"door": "target", "what": "counts", "goal": "epsilon", "epsilon": "1", "delta": "1e-6"}
    common |= {"k": "20", "m": "20", "rows": "1", "neighbours": "replace", "mechanism": mechanism, "times": "10"}
    together, apart = ask([common | {"spread": "all"}, common | {"spread": "each"}])
    noise = float(together["scale" if mechanism == "laplace" else "sigma"][0])
    if mechanism == "laplace":
        assert noise == 200 and float(apart["scale"][0]) == 20
    elif mechanism == "gaussian":
        assert profile(mpmath.sqrt(200) / noise, 1) <= mpmath.mpf("1e-6") < profile(mpmath.sqrt(200) / noise * 1.02, 1)
    else:
        assert zcdp.epsilon_tight(10 * zcdp.gaussian(noise, np.sqrt(20)), 1e-6) <= 1
    assert "published 10 times" in together["sentence"][0] and "one of 10 such" in apart["sentence"][0]
    assert together["total"][0] == "" != apart["total"][0]


def test_a_run_is_given_by_its_sampling_rate():
    task = {"door": "train", "sampler": "poisson", "noise": "1.1", "delta": "1e-5", "solve": "epsilon"}
    by_rate, by_batch = ask(
        [
            task | {"span": "rate", "q": "0.01", "steps": "3000"},
            task | {"span": "steps", "n": "60000", "batch": "600", "steps": "3000"},
        ]
    )
    assert by_rate["epsilon"] == by_batch["epsilon"]
    assert "at a rate of 0.01, 3000 steps" in by_rate["sentence"][0] and "n =" not in by_rate["sentence"][0]


def test_rho_of_one_answer_stands_among_the_accounts(desk):
    page = desk("k=20,sigma=18.9")
    row = page.locator("#desk tbody tr", has_text="ρ of one answer alone").locator("td").first
    assert float(row.get_attribute("data-value")) == pytest.approx(zcdp.gaussian(18.9))


def test_the_accounts_of_tables_are_of_tables(desk):
    page = desk("door=target,what=tables,tables=3,cells=42,epsilon=0.5,delta=1e-7,neighbours=remove")
    row = page.locator("#desk tbody tr", has_text="ρ of one table alone").locator("td").first
    whole = page.locator("#desk tbody tr", has_text="ρ itself").locator("td").first
    assert 3 * float(row.get_attribute("data-value")) == pytest.approx(float(whole.get_attribute("data-value")))


@pytest.mark.parametrize(("here", "there"), [("gaussian", "laplace"), ("laplace", "gaussian")])
def test_the_other_noise_stands_beside(here, there, desk):
    state = "door=target,what=tables,tables=3,cells=42,epsilon=0.5,delta=1e-7,times=10,mechanism="
    other = desk(state + there)
    noise = text(other, "scale") or text(other, "sigma")
    assert f"= {noise}, within ±{text(other, 'interval')}," in text(desk(state + here), "instead")


def test_the_answer_fills_the_window_for_a_class(desk):
    page = desk("door=train", viewport={"width": 1280, "height": 720})
    assert "if batches are Poisson-sampled (one example added" in page.locator(".desk-status").inner_text()
    page.click(".desk-present")
    box = page.locator(".desk-filling").bounding_box()
    assert (box["width"], box["height"]) == (1280, 720)
    assert page.evaluate("document.activeElement === document.querySelector('#desk > .desk-present')"), "Leave is first"
    wait_until(page, "document.querySelector('.desk-said').textContent !== ''")
    size = page.locator(".desk-status").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= 0.05 * 720
    page.keyboard.press("Escape")
    assert page.locator(".desk-filling").count() == 0
    assert page.get_attribute(".desk-present", "aria-pressed") is None, "its name says the state"


def test_who_leaves_the_full_window_is_where_they_were(desk):
    page = desk(viewport={"width": 1280, "height": 720})
    present = page.locator(".desk-present")
    present.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0
    present.press("Enter")
    for _ in range(40):  # further than the planner has controls
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('body, #desk *')")  # the body is between last and first
    page.keyboard.press("Escape")
    wait_until(page, "document.activeElement === document.querySelector('.desk-present')")
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_wrong_stands_at_its_field_alone_and_the_field_stays_where_it_is(width, desk):
    page = desk(viewport={"width": width, "height": 844})
    field = page.locator("#desk--k")
    field.focus()
    before = field.bounding_box()["y"], page.evaluate("scrollY")
    field.fill("10^12")
    assert "a whole number from 1 to 10⁹" in page.locator("#desk--k-problem").inner_text()
    assert "whole number" not in page.locator(".desk-status").inner_text()
    assert (field.bounding_box()["y"], page.evaluate("scrollY")) == before
    field.fill("20,000")
    assert (field.bounding_box()["y"], page.evaluate("scrollY")) == before
    assert field.evaluate("(one) => parseFloat(getComputedStyle(one).outlineWidth)") >= 2, "the ring of the focus"


def test_code_is_broken_and_fingers_find_fields_and_all_keys(desk):
    page = desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    code = page.locator('[data-answer="python"]')
    assert code.evaluate("(pre) => pre.scrollWidth <= pre.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("#desk [inputmode]").count() == 0, "no number pad has the signs of 1/1000, ln 3 and 1e-6"
    page.set_viewport_size({"width": 390, "height": 470})
    page.fill("#desk--sigma", "20,000")
    wait_until(page, "document.querySelectorAll('[data-field=sigma] .desk-ask button').length === 2")
    last = page.locator("[data-field=sigma] .desk-ask button").last.bounding_box()
    assert last["y"] + last["height"] <= 470, "what is asked is in view"
    page.fill("#desk--sigma", "20")
    fingers = page.locator("#desk :is(.desk-doors label, input[type=text], select, .desk-present):visible")
    assert min(fingers.evaluate_all("(all) => all.map((one) => one.offsetHeight)")) >= 44
    middle = "(one) => { const { y, height } = one.getBoundingClientRect(); return y + height / 2; }"
    door = page.locator(".desk-doors label").first
    assert abs(door.evaluate(middle) - door.locator("input").evaluate(middle)) <= 1


def test_a_reader_who_hears_the_answer_finds_its_parts_by_headings_and_text_has_powers_of_ten(desk):
    page = desk()
    titles = page.locator("#desk :is(h2, h3):visible").evaluate_all(
        "(all) => all.map((one) => one.tagName + one.innerText)"
    )
    assert titles[:3] == ["H2Your result", "H3The sentence to publish", "H3The same in Python"]
    assert page.locator("#desk pre:not([role=group][aria-labelledby])").count() == 0
    assert text(page, "delta") == "10⁻⁶" and "δ = 10⁻⁶" in text(page, "sentence") and "1e-6" in text(page, "python")
    names = page.locator("#desk .copy").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names[:2] == ["Copy The sentence to publish", "Copy The same in Python"]


# ---- what people type


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("k", "20 000", "20000"),
        ("delta", "10⁻⁶", "1e-6"),
        ("delta", "0,5", 0.5),
        ("delta", "1", None),
        ("k", "2.5", None),
        ("sigma", "", None),
    ],
)
def test_what_is_typed_is_understood_or_answered_at_its_field(name, typed, value, desk):
    page = desk()
    page.fill(f'#desk [name="{name}"]', typed)
    problem = page.locator(f"#desk--{name}-problem").inner_text()
    if value is None:
        assert "must be" in problem and f"“{typed}”" in problem
        assert page.get_attribute(f'#desk [name="{name}"]', "aria-invalid") == "true"
        assert text(page, "epsilon") == text(page, "sentence") == ""
    else:
        assert problem == "" and f"{name}={value}" in page.url


@pytest.mark.parametrize(
    ("state", "name", "words"),
    [
        ("k=3,m=4", "m", "at most the number of answers, 3"),
        ("what=sums,low=2,high=1", "high", "above the smallest value, 2"),
        ("what=means,neighbours=remove", "neighbours", "publish a sum and a count"),
        ("mechanism=discrete,rows=1.5", "rows", "a whole number"),
        ("door=target,mechanism=laplace,goal=rho", "goal", "take Gaussian noise"),
        ("door=train,n=100,batch=256", "batch", "at most the number of people, 100"),
        ("door=claim,delta=10-6", "delta", "a number below 1 and at least 1e-300, such as 1e-6, or nothing"),
    ],
)
def test_what_does_not_go_together_is_said_at_its_field(state, name, words, desk):
    page = desk(state)
    assert words in page.locator(f"#desk--{name}-problem").inner_text()
    assert text(page, "epsilon") == ""


def test_an_ambiguous_number_is_chosen_by_keyboard_before_anything_is_computed(desk):
    page = desk()
    page.fill("#desk--k", "1.000")
    assert text(page, "sentence") == text(page, "epsilon") == "" and not page.locator("#desk dl").is_visible()
    buttons = page.locator('[data-field="k"] .desk-ask button')
    assert buttons.all_inner_texts() == ["1", "1000"]
    page.focus("#desk--k")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "1000"
    page.keyboard.press("Enter")
    wait_until(page, "location.hash.includes('k=1000')")
    assert page.evaluate("document.activeElement.name") == "k" and page.input_value("#desk--k") == "1000"
    assert "1000 counts" in text(page, "sentence") and buttons.count() == 0


def test_a_link_to_an_ambiguous_number_asks_again_and_one_to_a_chosen_number_does_not(desk):
    page = desk("what=sums")
    page.fill("#desk--high", "2.125")
    wait_until(page, "location.hash.includes('high=2.125')")
    page.locator('[data-field="high"] .desk-ask button').first.click()
    wait_until(page, "document.querySelector('#desk [data-answer=sentence]').textContent !== ''")
    assert "clipped to 0 … 2.125" in text(desk(page.url.partition("#desk:")[2]), "sentence")
    page.fill("#desk--k", "1,000")
    wait_until(page, "location.hash.includes('k=1%2C000')")
    again = desk(page.url.partition("#desk:")[2])
    assert again.locator(".desk-ask button").all_inner_texts() == ["1000", "1"]


def test_what_was_read_stands_beside_the_field_and_is_named_by_it(desk):
    page = desk()
    page.fill("#desk--k", "18,900")
    assert page.locator("#desk--k-echo").inner_text() == "read as 18900"
    assert "desk--k-echo" in page.get_attribute("#desk--k", "aria-describedby")
    page.fill("#desk--k", "18900")
    assert page.locator("#desk--k-echo").inner_text() == ""


LISTEN = """() => {
  globalThis.announced = [];
  const told = document.querySelectorAll("#desk :is([role=status], [role=alert], [aria-live], output)");
  for (const one of told) {
    const note = () => announced.push(one.textContent);
    new MutationObserver(note).observe(one, { childList: true, characterData: true, subtree: true });
  }
}"""


@pytest.mark.parametrize(
    ("typed", "words"), [("100", "ε = 2.399"), ("abc", "must be a whole number"), ("1.000", "2 ways")]
)
def test_three_keys_announce_one_line_and_no_other_field_is_blamed(typed, words, desk):
    page = desk()
    page.evaluate(LISTEN)
    page.focus("#desk--k")
    page.keyboard.type(typed)
    wait_until(page, "announced.length > 0")
    page.wait_for_timeout(1000)
    (said,) = page.evaluate("announced")
    assert words in said
    wrong = page.locator('#desk [aria-invalid="true"]').evaluate_all("(all) => all.map((one) => one.name)")
    assert wrong == ([] if typed == "100" else ["k"])


def test_a_warning_stands_in_the_sentence_and_its_blanks_are_marked_and_listed(desk):
    page = desk("sigma=1")
    assert "Warning: ε = " in text(page, "sentence") and "Read the warning" in page.locator(".desk-status").inner_text()
    marked = page.locator('[data-answer="sentence"] mark').all_inner_texts()
    assert "[name of the data]" in marked and "[reference date]" in marked
    assert text(page, "blanks") == f"Still to fill in before you publish: {'; '.join(dict.fromkeys(marked))}"
    page.fill("#desk--delta", "0.1")
    assert text(page, "sentence").startswith("This promises too little") and text(page, "blanks") == ""
    assert page.locator(".desk-heading").first.inner_text() == "No sentence to publish"


# ---- the sentence, the calls, the link


STATES = [
    "",
    "door=target",
    "door=target,goal=rho",
    "door=target,goal=mu",
    "door=target,mechanism=discrete",
    "mechanism=laplace,what=histogram,scale=3",
    "door=target,mechanism=laplace,epsilon=0.3",
    "what=polls,k=3,m=3",
    "door=target,what=polls,epsilon=0.7",
    "what=choice,k=4",
    "what=means,low=-1,high=3,n=1000,sigma=0.05",
    "door=train",
    "door=train,sampler=shuffled",
    "door=train,sampler=fixed",
    "door=claim,epsilon=1,delta=0,times=3",
    "door=target,what=tables",
    "door=target,times=10",
    "door=target,times=10,mechanism=laplace",
    "door=train,span=rate",
]


def raised(words):
    """The words with 2.5 × 10⁻⁶ in place of 2.5e-6."""

    def power(found):
        return f"{found[1]} × ".removeprefix("1 × ") + power_of_ten(int(found[2]))

    return re.sub(r"\b([\d.]+)e(-?\d+)\b", power, words)


@pytest.mark.parametrize("door", ["release", "target", "train", "claim"])
def test_the_page_says_what_its_scripts_say_without_a_browser(door, desk):
    page, (found,) = desk(f"door={door}"), planner.answers({"door": door})
    assert text(page, "sentence") == raised(found["sentence"]) and text(page, "python") == found["python"]
    assert page.locator(".desk-status").inner_text() == raised(found["headline"])
    for name in ROWS:
        assert text(page, name) == raised(found.get(name, ["", ""])[1])


def test_python_of_the_sentence_runs_and_prints_the_number_shown(desk):
    page = desk()
    for state in STATES:
        page.evaluate("(state) => (location.hash = `desk:${state}`)", "door=release,what=counts,mechanism=gaussian")
        page = desk(state)
        numbers = {text(page, name) for name in ("sigma", "scale", "epsilon", "truth")}
        numbers |= set(page.locator("#desk tbody td").all_inner_texts()) | {
            text(page, "own").removeprefix("at most ").split(" %")[0]
        }
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(text(page, "python"), {})
        first = printed.getvalue().split()[0]
        assert float(first) in {float(n) for n in numbers if n.replace(".", "").replace("e-", "").isdigit()}, state
        assert "False" not in printed.getvalue() and "too small" not in printed.getvalue(), state


def test_sentence_names_all_that_is_needed_to_compute_it_again(desk):
    page = desk("door=target,k=20,neighbours=remove")
    sentence = text(page, "sentence")
    for part in ("added or removed", "20 counts", "L2 sensitivity", "Gaussian noise of σ = 18.9", "ε = 1", "δ = 10⁻⁶"):
        assert part in sentence
    for part in ("Accounting", "dp_lib 0.", "Noise drawn by", "Other releases"):
        assert part in sentence


def test_a_link_brings_all_of_it_back(desk):
    page = desk()
    page.check('#desk [value="target"]')
    page.select_option('#desk [name="what"]', "sums")
    page.fill('#desk [name="high"]', "1 000")
    page.fill('#desk [name="epsilon"]', "1/3")
    wait_until(page, "location.hash.includes('epsilon=0.333')")
    again = desk(page.url.partition("#desk:")[2])
    assert text(again, "sentence") == text(page, "sentence") != ""
    assert "high=1000" in page.url


@pytest.mark.parametrize(("state", "name", "value"), [("door=claim", "delta", ""), ("door=target", "epsilon", "0.5")])
def test_what_is_empty_is_no_part_of_the_address(state, name, value, desk):
    page = desk(state)
    page.fill(f"#desk--{name}", value)
    wait_until(page, "location.hash.includes('epsilon=')")
    again = desk(page.url.partition("#desk:")[2])
    assert text(again, "sentence") == text(page, "sentence") != ""
    assert again.locator(".live-lost").count() == 0
    assert "=," not in again.url


def test_an_address_that_means_nothing_changes_nothing(desk):
    usual = text(desk(), "sentence")
    for state in ("door=x,what=y", "nonsense", "%E0%A4%A,k", "toString=3,__proto__=4"):
        assert text(desk(state), "sentence") == usual


def test_desk_fits_a_phone_and_paper(desk):
    page = desk("door=train", viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    assert page.locator('[data-answer="sentence"]').is_visible()


def test_without_scripts_the_worked_example_stands(open_page):
    page = open_page("chapters/desk.html", java_script_enabled=False)
    assert not page.locator("#desk").is_visible()
    assert "18.90" in page.inner_text("article")


def test_what_only_one_door_needs_is_small_and_loaded_there(desk, site):
    page = desk()
    assert page.evaluate("globalThis.deskTrain") is None
    assert len((site / "_static" / "desk-train.js").read_bytes()) < 400_000


def test_the_noise_that_was_found_goes_along_and_survives_a_heading_and_a_reload(desk):
    page = desk("door=target,k=20,epsilon=2")
    page.check('#desk [value="release"]')
    wait_until(page, "document.querySelector('#desk--sigma').value === '9.975'")
    assert float(text(page, "epsilon")) <= 2
    page.evaluate("location.hash = 'how-to-read-the-answer'")
    wait_until(page, "Boolean(history.state?.desk?.includes('sigma=9.975'))")
    page.reload()
    page.wait_for_selector("#desk[data-ready]")
    assert page.input_value("#desk--sigma") == "9.975"


def test_beliefs_are_those_of_the_number_shown_and_never_certain(desk):
    page = desk("door=release,mechanism=laplace,k=1,scale=0.1")
    assert text(page, "belief").startswith("more than 99.99 %")
    page = desk("door=release,mechanism=laplace,k=1,scale=1")
    even, tenth = (float(text(page, name).split()[0]) for name in ("belief", "tenth"))
    odds = math.exp(float(text(page, "epsilon")))
    assert 0 <= even - 100 * odds / (1 + odds) < 0.01 and 0 <= tenth - 100 * odds / (9 + odds) < 0.01


def test_all_of_the_counts_is_not_all_of_a_histogram(desk):
    page = desk("door=release,what=counts,k=50,m=all")
    page.select_option("#desk--what", "histogram")
    assert page.input_value("#desk--m") == "1"


@pytest.mark.parametrize("sampler", ["shuffled", "fixed"])
def test_what_poisson_sampling_would_cost_stands_beside(sampler, desk):
    poisson, other = ask([{"door": "train", "sampler": name} for name in ("poisson", sampler)])
    row = desk(f"door=train,sampler={sampler}").locator("tbody tr", has_text="Poisson sampling").last
    assert row.locator("td").first.inner_text() == poisson["epsilon"][0] != other["epsilon"][0]
    assert "no guarantee" in row.inner_text()
