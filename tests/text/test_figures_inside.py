"""Curves and marks are inside the picture at every setting, or their figure says where they leave it."""

import numpy as np
import pytest
from figures import BY_CHAPTER, everywhere, scenes, settings
from out_of_view import undeclared

from dp_lib import live

# The calculator's table gives the value where its picture does not reach the exact curve.
KNOWN = {("accounts", "calculator", "exact", "unseen")}


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_what_leaves_the_picture_is_declared(chapter):
    found = {figure.name: undeclared(figure, chapter, seen_at) for figure, seen_at in everywhere(chapter)}
    leaving = {(chapter, name, *place) for name, (silent, _) in found.items() for place in silent}
    assert leaving >= {place for place in KNOWN if place[0] == chapter}, "it is fixed: remove it from KNOWN"
    assert [told(*place) for place in sorted(leaving - KNOWN)] == []
    assert [(name, stale) for name, (_, stale) in found.items() if stale] == [], "declared to leave, and never do"


def told(chapter, figure, part, side):
    """What is wrong, and what to write."""
    where = "out of sight at a setting that the text links to" if side == "unseen" else f"beyond the picture's {side}"
    mend = "widen the axis or declare out_of_view={...}"
    return f"chapters/{chapter}.md: figure {figure}: {part!r} can be {where}: {mend}"


def leaving(**changes):
    parts = {
        "name": "leaving",
        "x": live.k(1, 10, at=5),
        "y": ("ε", 1, 100, "log"),
        "sliders": [live.sigma(1, 10, at=5, step=1)],
        "curves": {"kept": lambda k: k},
        "marks": {},
    }
    shown = live.Figure(**parts | changes)
    return undeclared(shown, "nowhere", scenes(shown, settings(shown, "nowhere")))


@pytest.mark.parametrize(
    ("changes", "silent"),
    [
        ({}, set()),
        ({"curves": {"a": lambda sigma, k: sigma * k}}, set()),
        ({"curves": {"a": lambda sigma, k: 1.01 * sigma * k}}, {("a", "top")}),
        ({"curves": {"a": lambda k: np.where(k > 5, np.inf, k)}}, {("a", "top")}),
        ({"curves": {"a": lambda k: np.where(k > 5, 0.0, k)}}, {("a", "bottom")}),
        ({"curves": {"a": lambda k: np.where(k > 5, np.nan, k)}}, set()),
        ({"curves": {"kept": lambda k: k, "a": lambda k: 0.5 + 0 * k}}, {("a", "bottom"), ("a", "unseen")}),
        ({"marks": {"a": live.Point(x=lambda sigma: sigma + 1, y=lambda: 5.0)}}, {("a", "right")}),
        ({"marks": {"a": live.Point(x=lambda sigma: sigma - 1, y=lambda k: 11.0 * k)}}, {("a", "left"), ("a", "top")}),
        ({"marks": {"a": live.Line(y=lambda sigma: sigma - 1)}}, {("a", "bottom")}),
        ({"marks": {"a": live.Band(low=lambda: 1.0, high=lambda k: 11 * k)}}, {("a", "top")}),
        ({"curves": {"a": lambda k: 11 * k}, "out_of_view": {"a": "top"}}, set()),
    ],
)
def test_each_way_out_is_found(changes, silent):
    assert leaving(**changes) == (silent, set())


def test_a_declaration_that_is_not_true_is_found():
    assert leaving(out_of_view={"kept": "top"}) == (set(), {("kept", "top")})
