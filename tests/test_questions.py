"""Every question has a check in tests/claims: the right choice is right, and each other one is wrong."""

import pytest
from quotations import ROOT, plain, questions, quoted

CHAPTERS = sorted(ROOT.glob("chapters/*.md"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_question_has_a_check_of_its_choices(path):
    checked = [plain(words) for chapter, words in quoted("answers") if chapter == path.name]
    unchecked = [
        f'chapters/{path.name}:{each.line}: no check of "{each.asked}": write one in tests/claims/test_{path.stem}.py, '
        f'under @answers("{path.name}", "..."); tests/claims/__init__.py says how'
        for each in questions(path.name)
        if not any(plain(each.asked).startswith(words) for words in checked)
    ]
    assert unchecked == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_all_questions_are_found(path):
    found = questions(path.name)
    assert len(found) == path.read_text("utf-8").count("{predict}")
    assert all(bool(each.choices) == bool(each.answer) for each in found)
