"""An exam of twelve questions over the eight lessons, with its key: `make exam SEED=2027 LESSONS=1,3,4,7`.

The seed chooses the questions (exam_questions.py) and their numbers. Without LESSONS, they are about all eight lessons.
The site has the exam of the seed SAMPLE, for practice.
"""

import sys

from numpy.random import default_rng

from book.handouts import key_and_card, paper, rubric
from book.handouts.exam_questions import QUESTIONS
from book.handouts.rubric import Exercise, html, paragraphs, read_exercise

MINUTES, POINTS = 90, 100  # of an exam over all lessons
SAMPLE = 7  # the seed of the exam that is in the site, for practice
HEAD = (
    "<p>{minutes} minutes, {total} points. A calculator is allowed, and one sheet of paper with your own notes. "
    "Write how you found each number, because numbers alone get half of the points. Give numbers to three digits. "
    "Round an ε, a δ, a σ, a scale or an upper bound on a probability up, but round a lower bound and the largest "
    "value that is allowed down, and say so. Where a question asks for words, two or three sentences are enough for "
    "each part. Two tables are neighbours if one row is replaced, unless a question says otherwise.</p>"
)
BOUNDS = (
    " A bound on a probability that is rounded the wrong way costs the same. A third digit that differs because the "
    "calculation used rounded numbers costs nothing."
)
IN_WORDS = (
    "Where a question asks for words, a step gets its points if its idea is there, in whatever words. “Yes”, "
    "“no”, “right” or “wrong” without a reason gets none. Where a reason is asked for, a name or a choice without "
    "it gets half, rounded up."
)
LESSONS = tuple("12345678")
SELECTION = "selection"  # can be asked about in place of a lesson
PLACES = {place: place.rstrip("ab") for place, _, _ in QUESTIONS}  # with their lessons, in the order of an exam


class LessonsError(ValueError):
    """The lessons are not those of the course; the message says which are."""


def lessons_of(text: str) -> tuple[str, ...]:
    """Return the lessons that a text names, separated by commas, or all eight if it names none.

    >>> lessons_of("1, 3"), lessons_of("") == LESSONS
    (('1', '3'), True)
    """
    named = tuple(each.strip() for each in text.split(",")) if text else LESSONS
    if len(set(named)) < len(named) or not set(named) <= {*LESSONS, SELECTION}:
        raise LessonsError(
            f"LESSONS must be numbers from 1 to {len(LESSONS)} or the word {SELECTION}, each at most once and with "
            f"commas between them, got {text!r}, for example: make exam SEED=2027 LESSONS=1,3,4,7"
        )
    return named


def questions(seed: int, lessons: tuple[str, ...] = LESSONS) -> list[Exercise]:
    """Return the questions of a seed, a whole number from 0; each place has its own stream of random numbers."""
    return [asked_at(place, seed, number) for number, (place, lesson) in enumerate(PLACES.items()) if lesson in lessons]


def asked_at(place: str, seed: int, number: int) -> Exercise:
    """Return the question of a place, one of several."""
    rng = default_rng([seed, number])
    pool = [(title, text) for each, title, text in QUESTIONS if each == place]
    title, text = pool[rng.integers(len(pool))]
    return read_exercise(PLACES[place], title, text(rng))


def pages(seed: int, lessons: tuple[str, ...] = LESSONS) -> dict[str, str]:
    """Return the exam, its key and its short key as pages."""
    asked = questions(seed, lessons)
    total = sum(question.rubric.total for question in asked)
    minutes = 5 * round(MINUTES * total / POINTS / 5)
    exam = '<p class="name">Name:</p>' + HEAD.format(minutes=minutes, total=total)
    key = "".join(f"<p>{rule}</p>" for rule in (*rubric.rules("question", "in the exam", BOUNDS), IN_WORDS))
    short = []
    for place, question in enumerate(asked, 1):
        title, rule, words = f"{place}. {question.title}", question.rubric, paragraphs(question.asked)
        exam += paper.part(title, rule.points, words)
        of_lesson = f"{title} ({question.lesson if question.lesson == SELECTION else f'lesson {question.lesson}'})"
        key += paper.part(of_lesson, rule.points, words + html(rule))
        short.append((title, rule))
    name = f"sample exam, seed {seed}" if seed == SAMPLE else f"exam {seed}"
    in_short = f"{rubric.in_short('a question', 'in the exam')} {rubric.NEAREST} {IN_WORDS}"
    return {
        "exam.html": paper.page(f"Differential privacy: {name}", exam),
        "key.html": paper.page(f"Differential privacy: key to {name}", f'<div class="key">{key}</div>', listed=False),
        "key-short.html": key_and_card.short_key(
            f"Differential privacy: short key to {name}", {"Questions": short}, in_short
        ),
    }


def main(seed: str, lessons: str = "") -> int:
    try:
        if int(seed) == SAMPLE:
            print(f"SEED must not be {SAMPLE}, since the book has this exam and its key as a sample", file=sys.stderr)
            return 1
        named = lessons_of(lessons)
        folder = f"exam-{seed}" + ("" if named == LESSONS else f"-lessons-{'-'.join(named)}")
        place = paper.write(paper.FOLDER / folder, pages(int(seed), named))
    except LessonsError as error:
        print(error, file=sys.stderr)
        return 1
    except ValueError:
        print(f"SEED must be a whole number from 0, got {seed!r}, for example: make exam SEED=2027", file=sys.stderr)
        return 1
    print(f"Exam and key: {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
