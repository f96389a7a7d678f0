"""Every label of a chapter and every question has a check in tests/claims, and each label labels one passage."""

from collections import Counter

import pytest
from passages import LABEL, NAME, ROOT, checked, passages, questions, reads_no_number, source

CHAPTERS = sorted(path.relative_to(ROOT / "chapters").as_posix() for path in ROOT.glob("chapters/**/*.md"))
BY_CHAPTER = pytest.mark.parametrize("chapter", CHAPTERS)


def labels(chapter, decorator):
    """The labels that checks of a kind name in a chapter."""
    return {label for name, label in checked(decorator) if name == chapter}


@BY_CHAPTER
def test_all_questions_are_found(chapter):
    found = questions(chapter)
    assert len(found) == source(chapter).count("{predict}")
    assert [each.asked for each in found if each.right.count(True) != 1] == []


@BY_CHAPTER
def test_every_question_has_a_label_and_a_check(chapter):
    known = labels(chapter, "answers")
    file = f"tests/claims/test_{chapter.removesuffix('.md').replace('/', '_')}.py"
    without = [
        f'chapters/{chapter}:{each.line}: no check of "{each.asked}": give it `:label: name`, and in {file} '
        f'write a test under @answers("{chapter}", "name"); tests/claims/__init__.py says how'
        for each in questions(chapter)
        if each.label not in known
    ]
    assert without == []


@BY_CHAPTER
def test_every_labelled_passage_has_a_check(chapter):
    without = set(passages(chapter)) - labels(chapter, "claim")
    assert without == set(), f"take the label out of chapters/{chapter}, or write a @claim in tests/claims"


@BY_CHAPTER
def test_every_check_has_its_label_in_the_chapter(chapter):
    known = {*passages(chapter), *(each.label for each in questions(chapter))}
    named = labels(chapter, "claim") | labels(chapter, "answers")
    gone = {label for label in named - known if "." not in label}  # of a figure: its test says whether it is there
    assert gone == set(), f"chapters/{chapter} has lost these labels, or tests/claims misspells them"


@BY_CHAPTER
def test_numbers_that_a_labelled_passage_prints_are_checked(chapter):
    assert reads_no_number(chapter) == [], "the check of each of these labels has to compare `passage.printed`"


def test_every_check_is_of_a_chapter():
    assert {chapter for kind in ("claim", "answers") for chapter, _ in checked(kind)} <= set(CHAPTERS)


@BY_CHAPTER
def test_a_label_labels_one_passage(chapter):
    """It is on lines that follow each other, at most one other line between them, and no question has it too."""
    lines = [LABEL.findall(line) for line in source(chapter).split("\n")]
    places = {label: [at for at, found in enumerate(lines) if label in found] for label in passages(chapter)}
    assert [label for label, at in places.items() if any(b - a > 2 for a, b in zip(at, at[1:], strict=False))] == []
    twice = Counter(label for found in lines for label in set(found)) & Counter(
        each.label for each in questions(chapter)
    )
    assert not twice and [found for found in lines if len(set(found)) < len(found)] == []
    assert len({each.label for each in questions(chapter)}) == len(questions(chapter))


@BY_CHAPTER
def test_labels_are_short_names_at_the_end_of_a_line(chapter):
    names = [*passages(chapter), *(each.label for each in questions(chapter))]
    assert [name for name in names if not NAME.fullmatch(name) or len(name) > 60] == []
    marked = [line for line in source(chapter).split("\n") if "{check}" in line]
    assert [line for line in marked if not line.rstrip(" |").endswith("`") or " {check}" in line] == []
