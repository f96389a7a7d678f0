"""What only this book has: one Sphinx extension, whose parts are switched on here."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx  # a notebook with the attack game needs no Sphinx

# In this order: those that listen to the same event do their work in it.
PARTS = (
    "checks.parallel",
    "checks.unclosed_blocks",
    "checks.passage_labels",
    "checks.cell_errors",
    "checks.finished_pages",
    "reference.definition_map",
    "release_planner.form",
    "notebooks.downloads",
    "reference.figure_parts",
    "theme.mathml",
    "checks.kernels",
    "theme.redirects",
    "theme.reading_time",
    "theme.needs",
    "checks.outdated",
    "checks.near_labels",
    "checks.warning_lines",
    "reference.entries",
    "theme.search",
    "theme.pages",
    "theme.statements",
    "theme.question_names",
    "notebooks.solutions",
    "notebooks.lab_outputs",
    "reference.function_table",
    "reference.formula_editor",
    "attack_game.extension",
    "lessons.extension",
    "handouts.sheets",
    "handouts.workload",
)


def setup(app: "Sphinx") -> dict[str, bool]:
    for part in PARTS:
        import_module(f"book.{part}").setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
