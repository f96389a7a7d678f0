"""Checks of chapters/teaching.md."""

import re

from test_teaching import CHAPTERS, PLAN, SCRIPTS

from book.handouts import exam, homework
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
