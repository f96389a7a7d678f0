"""The budgets that are counted: each is missed by a injected figure or page, and kept by an ordinary one."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import budgets

GOOD = {"operations": 40}


def missed(figures, pages=()):
    return [row.budget for row in budgets.counted(list(pages), figures) if not row.kept]


def test_slow_figure_is_found_by_counting():
    assert missed({"slow": {"operations": budgets.MAX_OPERATIONS + 1}, "good": GOOD}) == ["slow, tape"]


def test_page_over_its_bytes_is_found(tmp_path):
    light, heavy = tmp_path / "light.html", tmp_path / "heavy.html"
    light.write_bytes(bytes(1_000_000))  # compresses to a kilobyte
    heavy.write_bytes(np.random.default_rng(1).bytes(151_000))
    assert missed({}, [light, heavy]) == ["heavy.html, gzip"]


def test_nothing_measured_keeps_no_budget():
    assert not budgets.Row("page redraw", float("nan"), 1, "ms").kept
    assert "MISSED" in budgets.table([budgets.Row("page redraw", float("nan"), 1, "ms")])
