"""Paper for a class: a lesson's homework from the built pages, and an exam whose numbers come from a seed."""

import io
import math
import re
from itertools import product
from types import SimpleNamespace

import fonts
import numpy as np
import pytest
from docutils import nodes
from docutils.utils import new_document
from pypdf import PdfReader
from scipy import integrate, optimize, stats

from book.handouts import exam, homework, key_and_card, numbers, paper, rubric, rubrics, sheets, ten_rows
from book.handouts.exam_questions import QUESTIONS
from book.lessons import extension
from dp_lib import approx
from dp_lib.pld import PrivacyLoss

SEEDS = range(200)
LESSONS = [str(number) for number in range(1, 9)]
TEXTS = {title: text for _, title, text in QUESTIONS}
POOL = {
    title: exam.read_exercise(exam.PLACES[place], title, text(np.random.default_rng(place_number)))
    for place_number, (place, title, text) in enumerate(QUESTIONS)
}


def values(question):
    """The numbers of a question's words."""
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*", " ".join(question.asked))]


# -- the exam


def test_an_exam_has_twelve_questions_over_all_lessons_and_a_hundred_points():
    for seed in SEEDS:
        asked = exam.questions(seed)
        assert len(asked) == 12 and sum(question.rubric.total for question in asked) == 100
        assert {question.lesson for question in asked} == set(LESSONS)


def in_words(question):
    return "Answer in words" in re.sub(r"\s+", " ", " ".join(question.asked))


def test_each_lesson_has_more_questions_than_an_exam_asks_and_at_least_two_of_an_exam_are_in_words():
    for lesson in LESSONS:
        places = [place for place, of_lesson in exam.PLACES.items() if of_lesson == lesson]
        assert len([place for place, *_ in QUESTIONS if place in places]) > len(places)
    assert sum(map(in_words, POOL.values())) >= 3
    chosen = [exam.questions(seed) for seed in SEEDS]
    assert min(sum(map(in_words, asked)) for asked in chosen) >= 2
    asked_at_all = {question.title for asked in chosen for question in asked}
    assert asked_at_all == {title for title in POOL if POOL[title].lesson in LESSONS}
    for title, question in POOL.items():
        assert len({each.rubric.total for each in POOL.values() if place_of(each) == place_of(question)}) == 1, title
        assert in_words(question) or question.rubric.answers


def place_of(question):
    return next(place for place, title, _ in QUESTIONS if title == question.title)


def test_an_exam_about_some_lessons_has_their_questions_their_points_and_minutes_in_proportion(handouts):
    for text, wanted in (("1,3,4,7", "1134477"), ("2", "2"), ("8, 1", "1188")):
        asked = exam.questions(5, exam.lessons_of(text))
        assert [question.lesson for question in asked] == list(wanted)
        assert all(question in exam.questions(5) for question in asked)
        total = sum(question.rubric.total for question in asked)
        said = re.search(r"(\d+) minutes, (\d+) points", exam.pages(5, exam.lessons_of(text))["exam.html"]).groups()
        assert int(said[1]) == total and abs(int(said[0]) - 0.9 * total) <= 2.5 and int(said[0]) % 5 == 0
    assert exam.main("5", "1,3,4,7") == 0 and exam.main("5") == 0
    assert {each.name for each in handouts.iterdir()} == {"exam-5", "exam-5-lessons-1-3-4-7"}


def test_selection_can_be_asked_about_in_place_of_lesson_five():
    asked = exam.questions(5, exam.lessons_of("1,2,3,4,selection,6,7,8"))
    assert len(asked) == 12 and sum(question.rubric.total for question in asked) == 100
    assert [question.lesson for question in asked if question not in exam.questions(5)] == ["selection"]
    assert "(selection)" in exam.pages(5, ("selection",))["key.html"]


@pytest.mark.parametrize("lessons", ["9", "1,9", "0", "1,1", "1;3", "x", ",", "1,"])
def test_lessons_that_are_none_are_refused(lessons, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    assert exam.main("2027", lessons) == 1 and not list(tmp_path.iterdir())
    said = capsys.readouterr().err
    assert "LESSONS must be numbers from 1 to 8 or the word selection, each at most once" in said
    assert f"got {lessons!r}" in said


def test_seeds_give_other_numbers_and_the_same_seed_the_same_ones():
    assert exam.pages(3) == exam.pages(3)
    for same in zip(*(exam.questions(seed) for seed in SEEDS), strict=True):
        assert len({tuple(question.asked) for question in same}) >= 3


class Draws:
    """A generator of random numbers that draws, one after the other, what stands at these places of its choices."""

    def __init__(self, places):
        self.places, self.choices = places, []

    def choice(self, of):
        place = dict(enumerate(self.places)).get(len(self.choices), 0)
        self.choices.append(len(of))
        return np.asarray(of)[place]


def every_draw(text):
    """Yield a question of the exam with all the numbers that a seed can give it."""
    text(any_draw := Draws(()))
    for places in product(*map(range, any_draw.choices)):
        yield exam.read_exercise("", "", text(Draws(places)))


def apart(one, other):
    return abs(one - other) > 0.02 * max(abs(one), abs(other))


@pytest.mark.parametrize("title", TEXTS)
def test_a_mistake_gives_no_right_number_in_any_draw_and_the_same_number_costs_the_same(title):
    """So a grader recognizes a mistake by its number, and knows what it costs."""
    for question in every_draw(TEXTS[title]):
        costs = {}
        assert question.rubric.total == POOL[title].rubric.total
        for mistake in question.rubric.mistakes:
            if mistake.gives is None:
                continue
            assert all(apart(mistake.gives, answer) for answer in question.rubric.answers), (question, mistake)
            part = re.match(r"\(\w\)|", mistake.words)[0]
            assert costs.setdefault((part, float(f"{mistake.gives:.3g}")), mistake.costs) == mistake.costs, question


def test_a_mistake_costs_no_more_than_its_question_has_and_each_question_has_two():
    for question in POOL.values():
        costs = [mistake.costs for mistake in question.rubric.mistakes]
        assert len(costs) >= 2 and min(costs) > 0 and max(costs) < question.rubric.total, question.title


def test_a_part_of_a_question_loses_no_more_than_it_has_and_an_answer_in_words_has_mistakes_in_words():
    for question in POOL.values():
        worth = {}
        for points, step in question.rubric.steps:
            part = re.match(r"\(\w\)|", step)[0]
            worth[part] = worth.get(part, 0) + points
        for mistake in question.rubric.mistakes:
            part = re.match(r"\(\w\)|", mistake.words)[0]
            assert mistake.costs <= worth.get(part, question.rubric.total), (question.title, mistake)
        if in_words(question):
            assert sum(mistake.gives is None for mistake in question.rubric.mistakes) >= 2, question.title


def test_the_key_of_an_exam_says_what_each_mistake_costs_and_has_the_rules_of_the_sheets():
    key = exam.pages(2027)["key.html"]
    for question in exam.questions(2027):
        assert rubric.html(question.rubric) in key and "<th>usual mistake</th>" in rubric.html(question.rubric)
    for of_exam, of_sheets in zip(rubric.rules("question", "in the exam"), rubric.RULES, strict=False):
        assert of_exam in key
        assert of_exam.replace("question", "exercise").replace("in the exam", "on each sheet") == of_sheets


def test_the_sheet_holds_no_step_of_the_solution():
    sheet, key, short = exam.pages(2027).values()
    for question in exam.questions(2027):
        for _, step in question.rubric.steps:
            assert rubric.typeset(step) in key and rubric.typeset(step) not in sheet
            assert rubric.typeset(step) in short
    assert exam.IN_WORDS in key and exam.IN_WORDS in short and "Rule:" not in short and "a sheet" not in short


@pytest.mark.parametrize("seed", ["-1", "x", ""])
def test_a_seed_that_is_none_is_refused(seed, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    assert exam.main(seed) == 1
    assert f"got {seed!r}" in capsys.readouterr().err and not list(tmp_path.iterdir())


# -- its answers, computed in another way for three seeds


by_seed = pytest.mark.parametrize("seed", [1, 2027, 90210])


def of(seed, title):
    return exam.read_exercise("", title, TEXTS[title](np.random.default_rng(seed)))


@by_seed
def test_belief(seed):
    question = of(seed, "What an attacker learns")
    prior, epsilon = values(question)
    likely = prior * math.exp(epsilon)
    assert question.rubric.answers[0] == pytest.approx(100 * likely / (likely + 100 - prior))


@by_seed
def test_histogram_keeps_its_promise_and_half_the_noise_does_not(seed):
    question = of(seed, "A table, a count and a newspaper")
    epsilon, other = values(question)[1:3]
    assert question.rubric.answers[1] == pytest.approx(epsilon + other)
    y = np.linspace(-50, 50, 2001)

    def largest(scale):  # loss of two cells that change by one each
        loss = (np.abs(y - 1) - np.abs(y)) / scale
        return 2 * loss.max()

    assert (
        largest(question.rubric.answers[0]) == pytest.approx(epsilon)
        and largest(question.rubric.answers[0] / 2) > 1.9 * epsilon
    )


@by_seed
def test_profile_of_randomized_response_by_all_events(seed):
    question = of(seed, "What δ allows")
    own, _, _, at, people, named = [each for each in values(question) if each][:6]
    assert question.rubric.answers[1] == pytest.approx(stats.binom(int(people), named).mean())
    p = np.array([math.exp(own), 1]) / (1 + math.exp(own))
    worst = max(event @ (p - math.exp(at) * p[::-1]) for event in map(np.array, product([0, 1], repeat=2)))
    assert question.rubric.answers[0] == pytest.approx(worst)


@by_seed
def test_walk_by_its_distribution(seed):
    question = of(seed, "A walk of losses")
    k, epsilon = int(values(question)[0]), values(question)[1]
    chances = stats.binom(k, math.exp(epsilon) / (1 + math.exp(epsilon)))
    assert question.rubric.answers[0] == pytest.approx(2 * epsilon * chances.std())


ADVANCED = r"Each of (\d+) .* ε₀ = ([\d.]+) .*δ₀ = (\d)\D.* δ′ = (\d)\D"


@by_seed
def test_advanced_composition_by_its_two_terms_and_by_the_worst_losses(seed):
    question = of(seed, "Basic or advanced composition")
    k, epsilon, delta, slack = map(float, re.search(ADVANCED, " ".join(question.asked)).groups())
    together, total = question.rubric.answers
    assert total == pytest.approx(k * delta * 1e-7 + slack * 1e-5)
    rest = together - k * epsilon * (math.exp(epsilon) - 1)
    assert math.exp(-(rest**2) / (2 * k * epsilon**2)) == pytest.approx(slack * 1e-5)  # as Azuma's inequality bounds it
    truths = stats.binom(k, math.exp(epsilon) / (1 + math.exp(epsilon)))
    assert truths.sf((together / epsilon + k) / 2) <= slack * 1e-5


def test_advanced_composition_is_compared_with_what_is_larger_in_some_exams_and_smaller_in_others():
    said = set()
    for question in every_draw(TEXTS["Basic or advanced composition"]):
        *_, (_, compared) = question.rubric.steps
        basic, which = re.search(r" kε₀ = ([\d.]+), so ε′ is (\w+) here", compared).groups()
        assert which == ("smaller" if question.rubric.answers[0] < float(basic) else "larger")
        assert apart(question.rubric.answers[0], float(basic))
        said.add(which)
    assert said == {"smaller", "larger"}


def test_accounts_of_a_training_run_in_all_draws():
    """The smallest proved ε is above what is true, and the estimate that is no bound is below it."""
    orders = np.linspace(1.001, 30, 100_000)
    for question in every_draw(TEXTS["Five accounts of a training run"]):
        steps, sigma, q = values(question)[:3]
        a, b, c, d, e = (float(line.split(" | ")[2]) for line in question.asked if line.startswith("| "))
        tried = (steps / (2 * sigma**2) * orders + math.log(1e5) / (orders - 1)).min()
        assert a == b and tried <= a < 1.01 * tried
        assert PrivacyLoss.subsampled_gaussian(sigma, q).repeat(int(steps)).epsilon(1e-5).lower < e < 0.97 * c < a
        assert apart(d, e) and d < e
        assert question.rubric.answers == pytest.approx([e, a / e])


@by_seed
def test_budget_of_one_order_by_an_integral(seed):
    question = of(seed, "One order")
    k, sigma, alpha = (values(question)[place] for place in (0, 1, 3))
    power = integrate.quad(
        lambda y: math.exp(alpha * stats.norm.logpdf(y, 1, sigma) + (1 - alpha) * stats.norm.logpdf(y, 0, sigma)),
        -40 * sigma,
        60 * sigma,
    )[0]
    assert question.rubric.answers[0] == pytest.approx(
        k * math.log(power) / (alpha - 1) + math.log(1e5) / (alpha - 1), rel=1e-6
    )


@by_seed
def test_best_order_by_trying_many(seed):
    question = of(seed, "The best order")
    k, sigma = values(question)[:2]
    orders = np.linspace(1.01, 100, 100_000)
    tried = k / (2 * sigma**2) * orders + math.log(1e6) / (orders - 1)
    assert question.rubric.answers[0] == pytest.approx(tried.min(), rel=1e-6)


@by_seed
def test_shares(seed):
    question = of(seed, "Shares of a budget")
    rho, times = values(question)[:2]
    assert 1 / (2 * question.rubric.answers[0] ** 2) == pytest.approx(rho / (times + 1))


@by_seed
def test_two_errors_by_all_lines(seed):
    question = of(seed, "Two errors")
    epsilon, alarms = values(question)[0], values(question)[2] / 100
    steep, flat = 1 - 1e-5 - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - 1e-5 - alarms)
    assert question.rubric.answers[0] == pytest.approx(max(steep, flat)) and steep > flat


@by_seed
def test_noise_and_sample_by_drawing_them(seed):
    question = of(seed, "Noise and sample")
    people, epsilon = values(question)[0], next(each for each in values(question) if 0 < each < 1)
    rng = np.random.default_rng(seed)
    noise = rng.laplace(scale=1 / epsilon, size=200_000) / people
    sample = rng.binomial(int(people), 0.5, 200_000) / people
    assert question.rubric.answers == pytest.approx([noise.std(), sample.std()], rel=0.01)
    larger = "noise" if noise.std() > sample.std() else "sampling error"
    assert f"(c) The {larger} is larger." in [step for _, step in question.rubric.steps]


def test_noise_for_one_promise_keeps_it_and_the_formula_fails_for_the_larger_epsilon():
    for question in every_draw(TEXTS["Noise for one promise"]):
        numbers_told = values(question)
        k, epsilon, larger = int(numbers_told[0]), numbers_told[2], numbers_told[-1]
        assert question.rubric.answers[0] >= approx.sigma_exact(epsilon, 1e-5, math.sqrt(k))
        assert question.rubric.answers[0] ** 2 == pytest.approx(2 * k * math.log(1.25e5) / epsilon**2)
        assert math.sqrt(2 * math.log(1.25e5)) / larger < approx.sigma_exact(larger, 1e-5)


@pytest.mark.parametrize("k", [50, 100, 200])
def test_pairs_need_more_than_twice_the_noise_of_a_vector(k):
    def promised(sigma):
        pair = optimize.brentq(lambda e: delta_of_gaussian(1 / sigma, e) - 5e-6 / k, 1e-6, 5)
        return approx.optimal(pair, 5e-6 / k, k, 5e-6).epsilon

    assert promised(2 * approx.sigma_exact(0.1, 1e-5, math.sqrt(k))) > 0.1


def delta_of_gaussian(mu, epsilon):
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize("k", [200, 400, 500])
def test_a_larger_delta_lowers_advanced_composition_by_about_a_quarter(k):
    def advanced(step, slack):
        epsilon = math.sqrt(2 * math.log(1.25 / step)) / 200
        return epsilon * math.sqrt(2 * k * math.log(1 / slack)) + k * epsilon * math.expm1(epsilon)

    assert 1 - advanced(1e-5, 1e-5) / advanced(5e-6 / k, 5e-6) == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("tau", [1, 2, 3])
def test_a_bit_needs_more_than_the_whole_answer_for_a_cut_far_to_the_left(tau):
    low, high = stats.norm.cdf(-6), stats.norm.cdf(-6 - tau)  # that the bit is 1, on both tables
    losses, chances = np.log([low / high, (1 - low) / (1 - high)]), np.array([low, 1 - low])
    scan = np.geomspace(1e-2, 20, 4000)
    moments = np.log(np.exp(np.outer(scan, losses - chances @ losses)) @ chances)
    assert math.sqrt((2 * moments / scan**2).max()) > tau


@by_seed
def test_winner_by_its_weights_and_by_packing(seed):
    question = of(seed, "The winner of a vote")
    m, lead = map(int, values(question)[:2])
    weights = np.exp(0.5 * np.array([lead, *[0] * (m - 1)]))
    assert question.rubric.answers[0] == pytest.approx(1 - weights[0] / weights.sum())
    limit = optimize.linprog(  # the largest p with which the right answer can be given on each of the tables
        [-1, 0], A_ub=[[1, -math.exp(lead)]], b_ub=[0], A_eq=[[1, m - 1]], b_eq=[1], bounds=[(0, 1)] * 2
    )
    assert question.rubric.answers[1] == pytest.approx(1 - limit.x[0], rel=1e-6)


@by_seed
def test_order_two_of_many_reports_by_all_results(seed):
    question = of(seed, "Order 2 of many reports")
    k, truth = values(question)[0], next(each for each in values(question) if 0 < each < 1)
    lie = 1 - truth
    power = sum(p**2 / q for p, q in ((truth, lie), (lie, truth)))
    assert question.rubric.answers == pytest.approx(
        [k * math.log(power) + math.log(1e5), k * math.log(truth / lie)], rel=1e-9
    )
    last = question.rubric.steps[-1][1]
    assert ("smaller" in last) == (question.rubric.answers[1] < question.rubric.answers[0])


@by_seed
def test_from_a_promise_to_the_noise_and_back(seed):
    question = of(seed, "From a promise to the noise")
    k, epsilon = values(question)[0], values(question)[2]
    rho = k / (2 * question.rubric.answers[0] ** 2)
    over = np.linspace(0.1, 100, 1_000_000)
    assert (rho * (1 + over) + math.log(1e6) / over).min() == pytest.approx(epsilon, rel=1e-6)


@by_seed
def test_two_budgets_by_trying_many_orders(seed):
    question = of(seed, "Two budgets")
    over = np.linspace(0.1, 200, 1_000_000)
    first, second = [each for each in values(question) if 0 < each < 1]

    def epsilon(rho):
        return (rho * (1 + over) + math.log(1e6) / over).min()

    assert question.rubric.answers == pytest.approx(
        [epsilon(first + second), epsilon(first) + epsilon(second)], rel=1e-6
    )


def test_numbers_are_rounded_up_and_down():
    for value in np.random.default_rng(0).uniform(0.001, 900, 500):
        assert value <= float(numbers.up(value)) <= value * 1.01
        assert value * 0.99 <= float(numbers.down(value)) <= value


# -- the homework


@pytest.fixture
def handouts(site, tmp_path, monkeypatch):
    """Handouts go into a folder of the test's own."""
    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_handout_has_the_plans_exercises_and_their_solutions_in_the_key_alone(lesson, handouts):
    place = homework.make(lesson)
    names = ("sheet", "sheet-ten-rows", "sheet-harder", "key")
    sheet, easier, harder, key = ((place / f"{name}.html").read_text("utf-8") for name in names)
    _, plan = homework.lesson_of(lesson)
    for part, page in (("Homework", sheet), ("Harder", harder)):
        labels = homework.labels(plan, part)
        for label, exercise in zip(labels, homework.exercises(labels, homework.SITE), strict=True):
            solution, title = homework.solution_on_paper(exercise), homework.title_of(exercise)
            assert title in page and solution in key and solution not in page
            assert ("cell_input" in solution) <= ("code" in title)
            assert rubric.html(rubrics.RUBRICS[label]()) in key
    assert [page.count("<section>") for page in (sheet, easier, harder, key)] == [3, 3, 1, 7]
    assert "Solution" not in sheet + easier + harder and "mistake" not in sheet + easier + harder
    assert "<script" not in sheet + key and "<a " not in sheet + key
    labs = {file.name for file in place.glob("*.ipynb")}
    assert labs == {file.name for file in homework.lab_of(plan)}
    assert all(name in (place / "read-me.txt").read_text("utf-8") for name in labs)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_site_has_the_sheets_and_the_key_with_links_to_them(lesson, site):
    folder = site / "handouts" / f"lesson-{lesson}"
    written = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert written == homework.sheets(lesson, site) | homework.for_the_lecturer(lesson, site)
    script = (site / "chapters" / "lessons" / f"lesson_{lesson}.html").read_text("utf-8")
    assert all(f'href="../../handouts/lesson-{lesson}/{name}"' in script for name in written)
    assert f'href="../handouts/lesson-{lesson}/key.html"' in (site / "chapters" / "teaching.html").read_text("utf-8")
    assert '<meta name="robots" content="noindex">' in written["key.html"]


def test_the_site_has_a_sample_exam_and_its_key_whose_seed_no_other_exam_can_have(site, capsys, handouts):
    folder = site / "handouts" / "exam-sample"
    written = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert written == exam.pages(exam.SAMPLE)
    assert all(f"sample exam, seed {exam.SAMPLE}</h1>" in page for page in written.values())
    teaching = (site / "chapters" / "teaching.html").read_text("utf-8")
    assert all(f'href="../handouts/exam-sample/{name}"' in teaching for name in written)
    assert '<meta name="robots" content="noindex">' in written["key.html"]
    assert exam.main(str(exam.SAMPLE)) == 1 and not list(handouts.iterdir())
    assert f"SEED must not be {exam.SAMPLE}" in capsys.readouterr().err
    assert exam.main("2027") == 0 and "seed" not in (handouts / "exam-2027" / "exam.html").read_text("utf-8")


def test_the_edition_without_solutions_has_no_key_and_no_link_to_one(site, tmp_path, monkeypatch):
    monkeypatch.setenv("SOLUTIONS", "0")
    monkeypatch.setattr(homework, "sheets", lambda number, site: {"sheet.html": "asked"})
    env = SimpleNamespace(found_docs={"chapters/teaching"})
    app = SimpleNamespace(builder=SimpleNamespace(format="html"), env=env, outdir=tmp_path)
    old = dict.fromkeys(homework.for_the_lecturer("1", site), "of an edition with solutions, in the same folder")
    paper.write(tmp_path / "handouts" / "lesson-1", old)
    paper.write(tmp_path / "handouts" / "exam-sample", exam.pages(exam.SAMPLE))
    sheets.write(app, None)
    assert {file.name for file in tmp_path.rglob("*.html")} == {"sheet.html", "exam.html"}
    (said,) = sheets.Keys.run(None)
    assert "has no keys" in said.astext() and "key.html" not in said.astext()
    assert "exam-sample/exam.html" in said.astext()
    script = script_of_lesson_one()
    assert "sheet-harder.html" in script and not re.search("(key|key-short|card).html", script)
    monkeypatch.setenv("SOLUTIONS", "1")
    assert "lesson-1/key.html" in script_of_lesson_one() and "lesson-8/key.html" in sheets.Keys.run(None)[0].astext()


def script_of_lesson_one():
    """Return what stands below the title of the first lesson's script."""
    env = SimpleNamespace(metadata={"chapters/lessons/lesson_1": {}})
    page, app = new_document("page"), SimpleNamespace(builder=SimpleNamespace(format="html"), env=env)
    page += nodes.section("", nodes.title("", "Lesson 1"), nodes.container(classes=["slide"]))
    extension.add_links(app, page, "chapters/lessons/lesson_1")
    return page[0][1].astext()


def test_a_sheet_says_where_a_published_book_is(tmp_path):
    link = '<link rel="canonical" href="https://example.org/dp/index.html">'
    (tmp_path / "index.html").write_text(link, "utf-8")
    assert "The figures are in the book (https://example.org/dp/), in the chapter" in homework.head("1", tmp_path)
    assert "The book:" not in homework.head("1", tmp_path)
    (tmp_path / "index.html").write_text("", "utf-8")
    assert "The figures are in the book, in the chapter" in homework.head("1", tmp_path)
    assert homework.head("1", tmp_path).endswith('<p class="name">The book:</p>')  # a line to write on


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_sheet_says_under_its_title_when_to_hand_it_in(lesson, site):
    """After the last lesson no other one follows, so its sheets have a line for the day."""
    for sheet in homework.sheets(lesson, site).values():
        head, _, _ = sheet.partition("</h1>")[2].partition("<section>")
        assert ("Hand in at the beginning of the next lesson" in head) == (lesson != LESSONS[-1])
        assert ("Due:" in head) == ("Hand in by the day" in head) == (lesson == LESSONS[-1])
        assert "Keep a photo." in head


def test_an_unknown_lesson_and_a_missing_book_are_told(handouts, capsys, monkeypatch, tmp_path):
    for lesson in ("9", "0", "", "x"):
        assert homework.main(lesson) == 1
        assert f"LESSON must be a whole number from 1 to 8, got {lesson!r}" in capsys.readouterr().err
    monkeypatch.setattr(homework, "SITE", tmp_path)
    assert homework.main("3") == 1
    assert "run `make book` first" in capsys.readouterr().err


# Of the two sizes of paper, A4 is the narrower one, and a letter has less room on a page.
A4 = {"width": 672, "height": 900}  # between the margins


def of_lesson(site, lesson, name):
    """A sheet or a key as the site has it, which is that of `homework`."""
    return (site / "handouts" / f"lesson-{lesson}" / f"{name}.html").as_uri()


def printed(page, size="Letter"):
    return PdfReader(io.BytesIO(page.pdf(format=size, prefer_css_page_size=True))).pages


def test_sheets_and_exam_print_without_cut_lines(site, tmp_path, browser):
    paper.write(tmp_path, exam.pages(2027))
    page = browser.new_page(viewport=A4)
    page.emulate_media(media="print")
    sheets = [of_lesson(site, "3", name) for name in ("sheet", "sheet-ten-rows", "key")]
    for address in [*sheets, *((tmp_path / f"{name}.html").as_uri() for name in ("exam", "key", "key-short"))]:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_short_key_has_two_pages_and_the_card_at_most_three(lesson, site, browser):
    """The homework has the first side of the short key for itself."""
    page = browser.new_page()
    page.goto(of_lesson(site, lesson, "card"))
    assert len(printed(page)) <= 3
    page.goto(of_lesson(site, lesson, "key-short"))
    first, second = (side.extract_text() for side in printed(page))
    assert "Harder (volunteers)" not in first and "Harder (volunteers)" in second
    page.close()


def test_no_title_of_a_card_is_the_last_line_of_a_sheet(site, browser):
    page = browser.new_page()
    for lesson in LESSONS:
        page.goto(of_lesson(site, lesson, "card"))
        titles = page.locator("tbody th").all_inner_texts()
        for side in [*printed(page, "A4"), *printed(page, "Letter")]:
            assert side.extract_text().strip().split("\n")[-1] not in titles  # the sheet's foot comes first in the text
    page.close()


@pytest.mark.parametrize("seen", fonts.SETS)
def test_a_sheet_has_one_page_in_a_size_that_can_be_read(seen, site, browser_with):
    page = browser_with(seen).new_page()
    page.emulate_media(media="print")
    for lesson, name in product(LESSONS, ("sheet", "sheet-ten-rows", "sheet-harder")):
        page.goto(of_lesson(site, lesson, name))
        for size in ("Letter", "A4"):
            (sheet,) = printed(page, size)
            last = page.locator("h2").last.evaluate("(title) => title.firstChild.textContent")
            assert last.split()[-1] in sheet.extract_text()
        words = "[...document.querySelectorAll('*:not(math *, sup)')]"  # an exponent is smaller
        sizes = page.evaluate(f"{words}.map((each) => getComputedStyle(each).fontSize)")
        assert min(float(each.removesuffix("px")) for each in sizes) >= 10.5 * 96 / 72
    page.close()


def test_the_short_key_says_in_two_lines_how_to_grade(site, browser):
    page = browser.new_page(viewport=A4)
    page.emulate_media(media="print")
    for lesson in LESSONS:
        page.goto(of_lesson(site, lesson, "key-short"))
        said = page.locator(".grading")
        assert said.inner_text() == f"Grading: {rubric.IN_SHORT}"
        assert said.evaluate("(one) => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)") < 2.1
    page.close()


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_short_key_has_every_step_rule_and_mistake(lesson, site):
    short = homework.short_key(lesson, site)
    _, plan = homework.lesson_of(lesson)
    labels = homework.labels(plan, "Homework") + homework.labels(plan, "Harder")
    assert re.findall("<h2>([^<]*)</h2>", short) == ["Homework", "Harder (volunteers)", "Ten rows"]
    graded = [rubrics.RUBRICS[label]() for label in labels]
    graded += [exercise.rubric for exercise in ten_rows.exercises(lesson)]
    assert all(rubric.typeset(step) in short for rule in graded for _, step in rule.steps)
    assert all(rubric.typeset(each.words.removesuffix(".")) in short for rule in graded for each in rule.mistakes)
    assert all(f"<b>Rule:</b> {rubric.typeset(rule.rule)}." in short for rule in graded)


def is_used(pressed):
    return not re.match("Page Down|answer ", pressed)


def built(items=(), answer="", lead="", below=""):
    """Return a step of a built script and what follows it up to the next step."""
    listed = "".join(f"<li>{item}</li>" for item in items)
    box = f'<div><details class="lesson-answer"><summary>Answer to “it”: {answer}</summary></details></div>'
    page = homework.parsed(f"<p>{lead}</p>{box * bool(answer)}<ol>{listed}</ol><p>{below}</p>")
    return page.p, page.p.find_next_siblings(True)


def test_a_card_has_what_is_pressed_in_its_order():
    key = '<b class="desk">{}</b>'.format
    pressed = [
        ({"lead": key("1") + key("2")}, "1, 2; Page Down"),
        (
            {"items": "abcde", "answer": "C, 27 per cent", "below": key("2")},
            "Page Down 4 times; answer C; 2; Page Down",
        ),
        ({"items": ["a", key("Home"), "c"], "answer": "B"}, "Page Down; Home; Page Down; answer B; Page Down"),
    ]
    for parts, words in pressed:
        assert key_and_card.pressed(*built(**parts)) == words


SCRIPT = """<p>In this lesson the class sees.</p><article><section><h2>A part</h2>
<p class="minutes">9 minutes, from minute 0 to 9.</p>
<blockquote class="say"><p>A lead. It is left out. Is this asked?</p></blockquote>
<p>Write it on the board. Then show <a class="step">Step 1</a> <a class="live-set">the figure</a>.</p>
<ol><li><blockquote class="say"><p>One. Two, because 1 + 1. So three. So far four.
It is odd. This is five, so six. Seven.</p></blockquote>
<p class="do">Let everybody write down a letter, and count hands. Let them <b>answer it. It is</b> 3.</p></li>
<li><details><p>If asked.</p></details><blockquote class="say"><p>Four.</p></blockquote></li></ol>
<div class="slide"><a class="step">Step 2</a><p>What is
<math><mi>x</mi><mo>′</mo></math>, when <em>L</em>, or so?</p></div>
<blockquote class="say"><p>It is 5. Six.</p></blockquote><p class="do">Prove it.</p><ul><li><p>First.</p></li>
<li><p>Second. Third.</p></li></ul></section></article>"""


def test_a_card_has_a_row_for_what_is_done_each_question_each_reason_and_each_line_of_a_proof():
    card = homework.parsed(key_and_card.card("Card", homework.parsed(SCRIPT)))
    rows = [[cell.get_text() for cell in row.find_all("td")] for row in card.select("tbody tr")]
    assert rows == [
        [],
        ["1", "the figure", "Say A lead. Is this asked?"],
        ["Write it on the board."],
        [
            "1/2 Say One. Two, because 1 + 1. So three. So far four. It is odd. This is five, so six. "
            "Letters, hands. Let them answer it. It is 3."
        ],
        ["2/2 Say Four."],
        ["2", "What is x′, when L …", "Then say It is 5."],
        ["Prove it."],
        ["– First."],
        ["– Second. Third."],
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_card_has_each_step_of_the_script_with_its_presses(lesson, site):
    card = homework.parsed(homework.card(lesson, site))
    script = homework.parsed((site / f"chapters/lessons/lesson_{lesson}.html").read_text("utf-8"))
    rows = [[cell.get_text() for cell in row.find_all("td")] for row in card.select("tr")]
    steps = [row for row in rows if len(row) > 1]  # of the others, each is a line more of its step
    assert all(all(row) for row in steps)  # no cell is empty
    links = script.select("a.step")
    assert [row[0].startswith("(") for row in steps] == ["optional" in link["class"] for link in links]
    for row, link in zip(steps, links, strict=True):
        row[0] = row[0].strip("()")
        assert re.fullmatch(rf"Step {row[0]}( \(optional\))?", link.get_text())
    asked = [found for link in links if (found := re.search(r"present=[\w-]+:step=0$", link["href"]))]
    assert sum("answer " in row[3] for row in steps if len(row) == 4) == len(asked) > 0
    assert all(len(row) in (3, 4) and "Page Down" not in row[3:] for row in steps)
    assert not [row[1] for row in steps if re.search(r"\s[,;:)]|[,;:(“]$", row[1].removesuffix(" …"))]
    pressed = [(row[0], row[3]) for row in steps if len(row) == 4]
    named = ((step, [each for each in re.split("; |, or (?=Page)", keys) if is_used(each)]) for step, keys in pressed)
    used = {step: ", ".join(dict.fromkeys(keys)) for step, keys in named if keys}
    assert used == dict(re.findall(r"(\d+) \((.*?)\)", script.select_one(".lesson-desk").get_text()))
    assert [title.get_text().partition(", minutes ")[0] for title in card.select("tbody th")] == [
        title.get_text().rstrip("¶") for title in script.select("article h2")
    ]


def test_a_sheet_says_for_whom_an_exercise_by_code_is(site):
    for lesson in LESSONS:
        head, _, exercises = homework.sheets(lesson, site)["sheet.html"].partition("<section>")
        assert ("is for students who program" in head) == ("by code" in exercises.lower())


# -- how it is graded


GRADED = rubrics.RUBRICS | {
    exercise.title: lambda exercise=exercise: exercise.rubric
    for lesson in LESSONS
    for exercise in ten_rows.exercises(lesson)
}


def test_every_exercise_of_the_plan_has_a_rubric_of_ten_points():
    plans = [homework.lesson_of(lesson)[1] for lesson in LESSONS]
    wanted = [label for plan in plans for part in ("Homework", "Harder") for label in homework.labels(plan, part)]
    assert set(wanted) == set(rubrics.RUBRICS) and len(wanted) == 32 and len(GRADED) == 32 + 24
    for name, rule in GRADED.items():
        graded = rule()
        assert sum(points for points, _ in graded.steps) == 10 and 0 < len(graded.rule.split()) <= 15, name
        assert graded.mistakes and all(0 < mistake.costs <= 8 for mistake in graded.mistakes), name


def told(text):
    """The numbers of a text, each with the unit of its last digit."""
    text = text.replace("\u202f", "").replace(" 000", "000").replace("−", "-")
    for number in re.findall(r"\d+(?:\.\d+)?", text):
        yield float(number), 10.0 ** -len(number.partition(".")[2])


def test_the_key_has_the_numbers_of_the_books_own_solutions(site):
    """A solution's cell has computed them with code of its own, when the book was built."""
    for label, exercise in zip(rubrics.RUBRICS, homework.exercises(list(rubrics.RUBRICS), site), strict=True):
        printed = list(told(homework.solution_of(exercise).get_text(" ")))
        for answer in rubrics.RUBRICS[label]().answers:
            fine = [(value, unit) for value, unit in printed if unit <= max(0.1, answer / 10) or value == answer]
            assert any(abs(value - answer) <= unit * 1.0001 for value, unit in fine), (label, answer)


def test_a_percentage_of_the_key_is_no_half_that_a_class_rounds_the_other_way():
    for _, step in rubrics.RUBRICS["ex-errors-picture"]().steps[:2]:
        exact, whole = re.search(r"([\d.]+) per cent lower at k = 100. (\d+) is enough", step).groups()
        assert f"{float(exact):.0f}" == whole and abs(float(exact) % 1 - 0.5) > 0.01


def test_the_mistakes_of_the_fair_picture_have_both_numbers():
    def lower(k):
        over = k * 1e-5 + 1e-5
        rho = k / (2 * 200**2)
        at, with_more = (rho + 2 * math.sqrt(rho * math.log(1 / delta)) for delta in (1e-5, over))
        return 1 - with_more / at

    at_500, other_way, subtracted, _ = rubrics.RUBRICS["ex-errors-picture"]().mistakes
    assert f"zCDP has {100 * lower(500):.1f} " in at_500.words
    assert f"zCDP has {100 * (1 / (1 - lower(100)) - 1):.1f} " in other_way.words
    rho = 100 / (2 * 200**2)
    at = rho + 2 * math.sqrt(rho * math.log(1e5))
    assert f"zCDP has {at * lower(100):.4f}, " in subtracted.words


def delta(p, q, epsilon):
    return sum(max(a - math.exp(epsilon) * b, 0) for a, b in zip(p, q, strict=True))


def order(p, q, alpha):
    return math.log(sum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))) / (alpha - 1)


def at_order(sigma, alpha):
    power = integrate.quad(
        lambda y: math.exp(alpha * stats.norm.logpdf(y, 6, sigma) + (1 - alpha) * stats.norm.logpdf(y, 5, sigma)),
        -60,
        80,
    )
    return math.log(power[0]) / (alpha - 1)


COIN, LIE = (0.75, 0.25), (0.25, 0.75)
TWICE, NEVER = (stats.binom.pmf([0, 1, 2], 2, chance) for chance in COIN)
LOSSES = stats.rv_discrete(values=([0, 1], LIE))  # 1 stands for a true report
LOG5 = math.log(1e5)
OVER = np.arange(1, 1_000_000) / 1e5  # α − 1
AGES = [34, 51, 28, 67, 45, 72, 39, 58, 23, 61]
EXPECTED = {
    "Two neighbours": [6, 5, 1, 100],
    "The promise on four results": [0.5 / 0.25],
    "Laplace noise on the count": [1 / math.log(2), 2, 2 / (2 + 1)],
    "Two counts": [math.log(2 * 2), 2 * 2, 2 * 2 / (2 * 2 + 1)],
    "Counts by age": [*np.histogram(AGES, [0, 40, 60, 99])[0], *np.histogram([65, *AGES[1:]], [0, 40, 60, 99])[0], 2],
    "A mean of ten ages": [np.mean(AGES), np.mean(np.clip(AGES, 0, 50)), 10, 5],
    "δ of three results": [delta((0.5, 0.3, 0.2), (0.2, 0.3, 0.5), math.log(2)), math.log(0.5 / 0.2)],
    "One record of ten": [0.1, 1 / 1e-5],
    "Gaussian noise on the count": [5.5, 5.5 + 2**2, math.sqrt(2 * math.log(1.25e5)) / 0.5],
    "Four questions about ten patients": [2, 4e-6, 1 / 4, 1e-6 / 4],
    "Two losses": [math.log(3) * LOSSES.expect(lambda x: 2 * (2 * x - 1)), 0.75**2],
    "δ of two answers": [delta(TWICE, NEVER, math.log(3)), 2 * math.log(3)],
    "The loss of one report": [
        LOSSES.expect(lambda x: (2 * x - 1) * math.log(3)),
        math.sqrt(LOSSES.var() * 4) * math.log(3),
    ],
    "The loss of one count": [0.5, 0.125, stats.norm.cdf(0, 0.125, 0.5)],
    "Ten counts": [10 / 8, math.sqrt(10 / 4), math.exp(-(2**2) / 2)],
    "Order 2 by hand": [math.exp(order(COIN, LIE, 2)), order(COIN, LIE, 2)],
    "A budget at order 5": [at_order(2, 5), at_order(2, 9), 10 * at_order(2, 5)],
    "From an order to ε": [at_order(2, 5) + LOG5 / 4, at_order(2, 9) + LOG5 / 8],
    "ρ of four counts": [at_order(2, 2) / 2, 2 * at_order(2, 2), 20 * at_order(2, 2) / 2],
    "From ρ to ε": [
        (0.5 * (1 + OVER) + LOG5 / OVER).min(),
        1 + OVER[(0.5 * (1 + OVER) + LOG5 / OVER).argmin()],
        2.5 + LOG5 / 4,
    ],
    "Two shares": [0.1, math.sqrt(1 / 0.8), math.sqrt(1 / 0.2)],
    "Two errors of a guess": [0.25, 0.25, 0.75],
    "A guess about a count": [
        *(stats.norm.sf(5.5, 5), stats.norm.cdf(5.5, 6)),
        *(stats.norm.sf(6, 5), stats.norm.cdf(6, 6)),
    ],
    "A sample in each step": [
        stats.binom(20, 0.1).mean(),
        stats.binom(20, 0.1).pmf(0),
        math.log(0.9 + 0.1 * math.e),
    ],
}


@pytest.mark.parametrize("title", EXPECTED)
def test_answers_on_ten_rows(title):
    assert GRADED[title]().answers == pytest.approx(EXPECTED[title], rel=1e-5)


def test_what_the_usual_mistakes_give():
    """Those that need more than one line, computed in another way."""

    def gives(label, place):
        return GRADED[label]().mistakes[place].gives

    stays = stats.expon(scale=5).ppf((np.arange(100_000) + 0.5) / 100_000)

    def stay(c, *weights):
        clipped = np.minimum(stays, c)
        return np.dot(weights, [(5 - clipped.mean()) ** 2, 2 * (c / 200) ** 2, clipped.var() / 1000])

    def classic_fails(epsilon, delta):
        sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        start = sigma**2 * epsilon + 0.5
        return stats.norm.sf(start, 1, sigma) - math.exp(epsilon) * stats.norm.sf(start, 0, sigma) > delta

    for place, weights in enumerate([(0, 1, 1), (1, 0, 1), (1, 0.5, 1)]):
        assert gives("ex-pure-clipping", place) == min(range(1, 31), key=lambda c: stay(c, *weights))
    broken = gives("ex-approx-classic", 1)
    assert classic_fails(broken, 1e-5) and not classic_fails(broken - 0.01, 1e-5)
    claims = {alpha: 1000 * alpha / 80_000 + LOG5 / (alpha - 1) for alpha in range(2, 101)}
    assert gives("ex-rdp-slope", 0) == pytest.approx(min(claims.values()))
    assert gives("ex-approx-tail", 1) == pytest.approx(100 * (1 - 2 / 2.25))
    assert gives("ex-cdp-look", 2) == pytest.approx(
        np.std(np.concatenate([np.zeros(10**6), np.random.default_rng(0).normal(4.5, 3, 10**6)])), rel=0.01
    )
