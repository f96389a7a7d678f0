"""Checks of chapters/teaching.md."""

import re

from test_teaching import LESSONS, PLAN

from claims import says


@says(
    "teaching.md",
    "Every link with settings opens its figure in present mode, as it should stand: a lesson's first link to a "
    "figure at the question that leads to it, the others with the whole picture.",
)
def _():
    """What is folded is a lesson of its own."""
    assert "{set}" not in PLAN
    for part in [part for lesson in LESSONS.values() for part in lesson.split("````")]:
        shown = re.findall(r"\{(ask|present)\}`[^`<]*<[^`#]*#([\w-]+):", part)
        first = {figure: role for role, figure in reversed(shown)}
        assert set(first.values()) <= {"ask"} and [role for role, _ in shown].count("ask") == len(first)
