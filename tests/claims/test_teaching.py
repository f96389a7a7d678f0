"""Checks of chapters/teaching.md."""

import re

from test_teaching import CHAPTERS, PLAN, SCRIPTS

from book.handouts import exam, homework, rubrics
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
    asked = [question.lesson for question in exam.questions(2027)]
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
    steps = sum(len(rule.steps) for sheet in graded for rule in sheet) / len(graded)
    minutes = round(steps * 20 / 60 + 0.5)
    assert passage.gives(round(steps)) and passage.gives(minutes) and passage.gives(60 * minutes / 60)
