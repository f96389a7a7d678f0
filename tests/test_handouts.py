"""Paper for a class: a lesson's homework from the built pages, and an exam whose numbers come from a seed."""

import math
import re
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from book.handouts import exam, homework, paper

SEEDS = range(200)
FIRST = {question.title: question for question in exam.questions(2027)}


def values(question):
    """The numbers of a question's words."""
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*", " ".join(question.asked))]


# -- the exam


def test_an_exam_has_twelve_questions_over_all_lessons_and_a_hundred_points():
    for seed in SEEDS:
        asked = exam.questions(seed)
        assert len(asked) == 12 and sum(question.points for question in asked) == 100
        assert {question.lesson for question in asked} == set(range(1, 9))


def test_seeds_give_other_numbers_and_the_same_seed_the_same_ones():
    assert exam.pages(3) == exam.pages(3)
    for place in range(len(exam.QUESTIONS)):
        assert len({tuple(exam.questions(seed)[place].asked) for seed in SEEDS}) >= 3


def test_no_mistake_gives_the_right_number():
    for seed in SEEDS:
        for question in exam.questions(seed):
            for mistake, value in question.mistakes.items():
                assert abs(value - question.answer) > 0.02 * question.answer, (seed, question.title, mistake)


def test_the_sheet_holds_no_step_of_the_solution():
    sheet, key = exam.pages(2027).values()
    for question in FIRST.values():
        for _, step in question.steps:
            assert exam.escape(step) in key and exam.escape(step) not in sheet


@pytest.mark.parametrize("seed", ["-1", "x", ""])
def test_a_seed_that_is_none_is_refused(seed, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    assert exam.main(seed) == 1
    assert f"got {seed!r}" in capsys.readouterr().err and not list(tmp_path.iterdir())


# -- its answers, computed in another way for three seeds


by_seed = pytest.mark.parametrize("seed", [1, 2027, 90210])


def of(seed, title):
    return next(question for question in exam.questions(seed) if question.title == title)


@by_seed
def test_belief(seed):
    question = of(seed, "What an attacker learns")
    prior, epsilon = values(question)
    likely = prior * math.exp(epsilon)
    assert question.answer == pytest.approx(100 * likely / (likely + 100 - prior))


@by_seed
def test_histogram_keeps_its_promise_and_half_the_noise_does_not(seed):
    question = of(seed, "A histogram")
    epsilon = values(question)[1]
    y = np.linspace(-50, 50, 2001)

    def largest(scale):  # loss of two cells that change by one each
        loss = (np.abs(y - 1) - np.abs(y)) / scale
        return 2 * loss.max()

    assert largest(question.answer) == pytest.approx(epsilon) and largest(question.answer / 2) > 1.9 * epsilon


@by_seed
def test_profile_of_randomized_response_by_all_events(seed):
    question = of(seed, "δ of a coin")
    own, at = values(question)[0], values(question)[-1]
    p = np.array([math.exp(own), 1]) / (1 + math.exp(own))
    worst = max(event @ (p - math.exp(at) * p[::-1]) for event in map(np.array, product([0, 1], repeat=2)))
    assert question.answer == pytest.approx(worst)


@by_seed
def test_walk_by_its_distribution(seed):
    question = of(seed, "A walk of losses")
    k, epsilon = int(values(question)[0]), values(question)[1]
    chances = stats.binom(k, math.exp(epsilon) / (1 + math.exp(epsilon)))
    assert question.answer == pytest.approx(2 * epsilon * chances.std())


@by_seed
def test_budget_of_one_order_by_an_integral(seed):
    question = of(seed, "One order")
    k, sigma, alpha = (values(question)[place] for place in (0, 1, 3))
    power = integrate.quad(
        lambda y: math.exp(alpha * stats.norm.logpdf(y, 1, sigma) + (1 - alpha) * stats.norm.logpdf(y, 0, sigma)),
        -40 * sigma,
        60 * sigma,
    )[0]
    assert question.answer == pytest.approx(k * math.log(power) / (alpha - 1) + math.log(1e5) / (alpha - 1), rel=1e-6)


@by_seed
def test_best_order_by_trying_many(seed):
    question = of(seed, "The best order")
    k, sigma = values(question)[:2]
    orders = np.linspace(1.01, 100, 100_000)
    tried = k / (2 * sigma**2) * orders + math.log(1e6) / (orders - 1)
    assert question.answer == pytest.approx(tried.min(), rel=1e-6)


@by_seed
def test_shares(seed):
    question = of(seed, "Shares of a budget")
    rho, times = values(question)[:2]
    assert 1 / (2 * question.answer**2) == pytest.approx(rho / (times + 1))


@by_seed
def test_two_errors_by_all_lines(seed):
    question = of(seed, "Two errors")
    epsilon, alarms = values(question)[0], values(question)[2] / 100
    steep, flat = 1 - 1e-5 - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - 1e-5 - alarms)
    assert question.answer == pytest.approx(max(steep, flat)) and steep > flat


def test_numbers_are_rounded_up():
    for value in np.random.default_rng(0).uniform(0.001, 900, 500):
        assert value <= float(exam.up(value)) <= value * 1.01


# -- the homework


LESSONS = [str(number) for number in range(1, 9)]


@pytest.fixture
def handouts(site, tmp_path, monkeypatch):
    """Handouts go into a folder of the test's own."""
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_handout_has_the_plans_exercises_and_their_solutions_in_the_key_alone(lesson, handouts):
    place = homework.make(lesson)
    sheet, key = ((place / name).read_text("utf-8") for name in ("sheet.html", "key.html"))
    _, plan = homework.lesson_of(lesson)
    pairs = homework.exercises(plan)
    assert len(pairs) == len(re.findall(r"\{ref\}`ex-", plan)) == sheet.count("<section>") == key.count("<section>")
    for exercise, solution in pairs:
        assert homework.title_of(exercise) in sheet
        assert homework.on_paper(solution) in key and homework.on_paper(solution) not in sheet
    assert "Solution" not in sheet and "<script" not in sheet + key and "<a " not in sheet + key
    labs = {file.name for file in place.glob("*.ipynb")}
    assert labs == {file.name for file in homework.lab_of(plan)}
    assert all(name in (place / "read-me.txt").read_text("utf-8") for name in labs)


def test_an_unknown_lesson_and_a_missing_book_are_told(handouts, capsys, monkeypatch, tmp_path):
    for lesson in ("9", "0", "", "x"):
        assert homework.main(lesson) == 1
        assert f"LESSON must be a whole number from 1 to 8, got {lesson!r}" in capsys.readouterr().err
    monkeypatch.setattr(homework, "SITE", tmp_path)
    assert homework.main("3") == 1
    assert "run `make book` first" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_sheets_and_exam_print_without_cut_lines(size, handouts, browser):
    homework.make("2")
    paper.write("exam", exam.pages(2027))
    page = browser.new_page()
    for name in ("lesson-2/sheet", "lesson-2/key", "exam/exam", "exam/key"):
        page.goto((handouts / f"{name}.html").as_uri())
        page.set_viewport_size({"width": {"A4": 672, "Letter": 694}[size], "height": 900})  # between the margins
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
