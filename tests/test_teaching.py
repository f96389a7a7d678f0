"""The class plan: what it tells a teacher to do is possible, and it quotes the book as the book is."""

import re
from pathlib import Path

import pytest

CHAPTERS = Path(__file__).parent.parent / "chapters"
PLAN = (CHAPTERS / "teaching.md").read_text("utf-8")
LESSONS = {part.split("\n")[0]: part for part in PLAN.split("\n## ")[1:] if part[0].isdigit()}
BOOK = "\n".join(path.read_text("utf-8") for path in CHAPTERS.rglob("*.md"))
QUESTIONS = re.findall(r"\{predict\} (.*)", BOOK)


def test_there_are_eight_lessons():
    assert [title.split(".")[0] for title in LESSONS] == list("12345678")


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_a_lesson_lasts_ninety_minutes(lesson):
    assert sum(map(int, re.findall(r"^\| (\d+) \|", lesson, re.MULTILINE))) == 90


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_a_lesson_has_an_aim_a_reading_figures_questions_and_homework(lesson):
    assert "*Aim.*" in lesson and "*Read before:*" in lesson
    assert lesson.count("{ask}") + lesson.count("{present}") >= 4 and lesson.count("\n- Ask: ") >= 2
    assert len(re.findall(r"ref\}`ex-", lesson)) >= 3


@pytest.mark.parametrize("question", re.findall(r"^- Ask: \*(.*)\*$", PLAN, re.MULTILINE))
def test_a_question_to_ask_is_one_of_the_books_own(question):
    assert question in QUESTIONS
