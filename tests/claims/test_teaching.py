"""Checks of chapters/teaching.md."""

import re

from passages import source
from test_teaching import CHAPTERS, PLAN, SCRIPTS

from book.handouts import exam, homework, rubrics, workload
from claims import claim

ROW = re.compile(r"^\| (\d) \| (.*) \| ([\d, ]+) \|$", re.MULTILINE)


@claim("teaching.md", "links-open-at-the-question")
def test_links_open_at_the_question():
    scripts = "\n".join(SCRIPTS.values())
    assert "{set}" not in scripts
    shown = re.findall(r"\{(ask|present)\}`[^`<]*<[^`#]*#([\w-]+):", scripts)
    first = {figure: role for role, figure in reversed(shown)}
    assert set(first.values()) <= {"ask"} and [role for role, _ in shown].count("ask") == len(first)


@claim("teaching.md", "labs-and-questions-of-each-lesson")
def test_labs_and_questions_of_each_lesson():
    rows = {lesson: (labs, [int(place) for place in places.split(", ")]) for lesson, labs, places in ROW.findall(PLAN)}
    asked = list(exam.PLACES.values())
    asked.remove(exam.SELECTION)
    assert [question.lesson for question in exam.questions(2027)] == asked
    for lesson, (_, places) in rows.items():
        assert places == [place for place, each in enumerate(asked, 1) if each == lesson]
    assert set(rows) == set("12345678")
    named = {file for labs, _ in rows.values() for file in re.findall(r"\(labs/(\w+)\.md\)", labs)}
    handed_out = {file.stem for lesson in rows for file in homework.lab_of(homework.lesson_of(lesson)[1])}
    assert named == handed_out == {file.stem for file in (CHAPTERS / "labs").glob("*.md")}
    for name, lesson in (("break_and_defend", "2"), ("what_delta_buys", "3"), ("accountant", "7")):
        assert name in {file.stem for file in homework.lab_of(homework.lesson_of(lesson)[1])}
    for file, first, last in re.findall(r"\(labs/(\w+)\.md\), steps (\d) (?:and|to) (\d)", PLAN):
        steps = re.findall(r"^## Step (\d)", (CHAPTERS / "labs" / f"{file}.md").read_text("utf-8"), re.MULTILINE)
        assert {first, last} <= set(steps)


@claim("teaching.md", "minutes-of-a-sheet", numbers=[20, 30, 0.5])
def test_minutes_of_a_sheet(passage):
    """That is, what follows from the estimate of an exercise and of a step."""
    plans = [plan for _, plan in homework.lessons().values()]
    graded = [[rubrics.RUBRICS[label]() for label in homework.labels(plan, "Homework")] for plan in plans]
    assert {len(sheet) for sheet in graded} == {3} and passage.gives(3 * (20 + 30) / 2)
    assert workload.SHEET == 3 * (20 + 30) / 2
    steps = sum(len(rule.steps) for sheet in graded for rule in sheet) / len(graded)
    minutes = round(steps * 20 / 60 + 0.5)
    assert passage.gives(round(steps)) and passage.gives(minutes) and passage.gives(60 * minutes / 60)


@claim("teaching.md", "minutes-of-an-exam", numbers=[20, 0.5, 60])
def test_minutes_of_an_exam(passage):
    """With as many steps as exams have on average."""
    exams = [exam.questions(seed) for seed in range(200)]
    steps = sum(len(question.rubric.steps) for asked in exams for question in asked) / len(exams)
    minutes = round(steps * 20 / 60 + 0.5)
    assert passage.gives(round(steps), minutes, 60 * minutes / 60)


@claim("teaching.md", "lesson-five-in-another-form")
def test_lesson_five_in_another_form():
    """Its plan has ninety minutes, and what it names is on the pages that the class reads."""
    _, plan = PLAN.split("\n## Lesson 5 in another form")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", plan.partition("\n## ")[0], re.MULTILINE)
    assert sum(int(minutes) for minutes, _ in rows) == 90
    pages = source("selection.md") + source("limits.md")
    assert all(f":label: {label}\n" in pages for label in re.findall(r"ref\}`([\w-]+)`", plan.partition("\n## ")[0]))
    assert "5.9, 6.3, 0.2 and 1.1" in plan and "5.9, 6.3, 0.2 and 1.1" in source("selection.md")
    assert "### A stronger promise than ε-DP\n" in source("selection.md")
    assert "### A mean in many dimensions\n" in source("limits.md")
    parts = SCRIPTS["lesson_5"].split("\n## ")[1:3]
    assert [int(re.search(r"\*(\d+) minutes", part)[1]) for part in parts] == [int(minutes) for minutes, _ in rows[:2]]
    assert [len(re.findall(r"\{slide\}|\{ask\}|\{present\}", part)) for part in parts] == [2, 2]
