"""The plan of the course and its scripts: what they ask of a teacher is possible, and the questions are the book's."""

import re
from pathlib import Path

import pytest

from book.handouts import homework

CHAPTERS = Path(__file__).parents[2] / "chapters"
PLAN = (CHAPTERS / "teaching.md").read_text("utf-8")
LESSONS = {part.split("\n")[0]: part for part in PLAN.split("\n## ")[1:] if part[0].isdigit()}
SCRIPTS = {path.stem: path.read_text("utf-8") for path in sorted((CHAPTERS / "lessons").glob("lesson_*.md"))}
BOOK = "\n".join(path.read_text("utf-8") for path in CHAPTERS.rglob("*.md"))
QUESTIONS = re.findall(r"\{predict\} (.*)", BOOK)

by_script = pytest.mark.parametrize("script", SCRIPTS.values(), ids=list(SCRIPTS))


def test_there_are_eight_lessons_with_a_script_each():
    assert [title.split(".")[0] for title in LESSONS] == list("12345678")
    for (title, lesson), (name, script) in zip(LESSONS.items(), SCRIPTS.items(), strict=True):
        assert f"(lessons/{name}.md)" in lesson and f"\n# Lesson {title}\n" in script


@by_script
def test_a_lesson_lasts_ninety_minutes_and_each_part_says_how_long_it_takes(script):
    parts = script.split("\n## ")[1:]
    minutes = [re.findall(r"^\*(\d+) minutes\.\*$", part, re.MULTILINE) for part in parts]
    assert [len(found) for found in minutes] == [1] * len(parts)
    assert sum(int(found) for (found,) in minutes) == 90


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_a_lesson_has_an_aim_a_reading_and_homework(lesson):
    assert "*Aim.*" in lesson and "*The class reads before:*" in lesson
    assert len(re.findall(r"ref\}`ex-", lesson)) >= 3


@by_script
def test_a_script_has_words_in_every_part_figures_questions_and_the_plans_homework(script):
    for part in script.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        said = re.sub(r"^```\{slide\}.*?^```$", "", body, flags=re.MULTILINE | re.DOTALL)
        assert len(said.split()) >= 20 or title == "Homework", title
    assert script.count("{ask}") >= 2 and script.count("{ask}") + script.count("{present}") >= 4
    plan = next(lesson for title, lesson in LESSONS.items() if f"\n# Lesson {title}\n" in script)
    assert homework.labels(plan, "Homework") == re.findall(r"ref\}`(ex-[^`]*)", script)


USED = re.compile(r"\b(?:Press|Type|Move) |\bSet \w to |\barrow keys?\b|\bclick ")


@by_script
def test_what_is_pressed_or_moved_at_the_desk_is_marked(script):
    """The list at the top of a script is made of these marks."""
    part = re.sub(r"^ *```\{admonition\}.*?^ *```$", "", script.partition("\n## ")[2], flags=re.MULTILINE | re.DOTALL)
    sentences = re.split(r"(?<=[.?!])\s+", part)
    assert [each for each in sentences if USED.search(each) and "{desk}`" not in each] == []


def test_lesson_four_for_a_class_that_has_read_nothing_saves_what_it_says():
    script = SCRIPTS["lesson_4"]
    (box,) = re.findall(r"^```\{admonition\} If the class has read nothing\n.*?^```$", script, re.MULTILINE | re.DOTALL)
    named, saved = re.search(
        r"Leave out steps (.*?) and the part for questions, which saves (\d+) minutes", box
    ).groups()
    steps = {int(step) for step in re.findall(r"\d+", named)} - without_time(script)
    minutes, first = 0, 1
    for part in script.split("\n## ")[1:]:
        here = range(first, first := first + len(re.findall(r"\{slide\}|\{ask\}|\{present\}", part)))
        whole = steps.issuperset(here)  # the part for questions has no steps
        assert whole or steps.isdisjoint(here)
        minutes += int(re.search(r"\*(\d+) minutes", part)[1]) * whole
    assert minutes == int(saved) and len(re.findall(r"^- \"", box, re.MULTILINE)) == 4
    proof, left, free, *uses = numbers_of(
        box, "which saves (\\d+) more", "About (\\d+) of", "the other (\\d+) ", "(\\d+) minutes for"
    )
    assert proof < 13 and left == 90 - minutes - proof and free == minutes + proof == sum(uses)


@pytest.mark.parametrize("lesson", ["1", "4"])
def test_a_plan_has_time_for_questions_and_says_what_to_leave_out_if_that_is_not_enough(lesson):
    script = SCRIPTS[f"lesson_{lesson}"]
    assert "## Questions\n\n*10 minutes.*" in script
    late, said = re.search(r"If you are late all the same.* step (\d+) \((\d+) minutes\)", script).groups()
    parts = script.split("\n## ")[1:]
    steps = [len(re.findall(r"\{slide\}|\{ask\}|\{present\}", part)) for part in parts]
    place = next(place for place in range(len(parts)) if sum(steps[: place + 1]) == int(late))
    assert steps[place] == 1 and f"*{said} minutes.*" in parts[place]


@by_script
def test_page_down_passes_over_the_steps_for_which_a_plan_has_no_time(script):
    passed = re.search(r"^optional: (.*)$", script, re.M)
    assert (without_time(script) if "The plan has no time" in script else set()) == {
        int(step) for step in (passed[1] if passed else "").split()
    }


def without_time(script):
    """Return the steps for which the plan of a script has no time."""
    (named,) = re.findall(r"The plan has no time for steps? (.*?), which the script marks", script)
    first_and_last = [[int(step) for step in each.split(" to ")] for each in re.split(", | and ", named)]
    return {step for ends in first_and_last for step in range(ends[0], ends[-1] + 1)}


def numbers_of(text, *patterns):
    """Return the numbers that the patterns find in the text, in the order of the patterns."""
    return [int(number) for pattern in patterns for number in re.findall(pattern, text)]


@pytest.mark.parametrize("question", re.findall(r"^- Ask: \*(.*)\*$", "\n".join(SCRIPTS.values()), re.MULTILINE))
def test_a_question_to_ask_is_one_of_the_books_own(question):
    assert question in QUESTIONS
