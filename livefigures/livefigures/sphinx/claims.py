"""Claims of live figures: the settings that the prose links to are told to the kernels, and what fails is said.

A figure's claims (`livefigures.Claim`) are run when its page is, at the sliders' defaults, at their ends and corners,
at some settings at random and at every setting that a role ``set`` anywhere in the book leads to. A page is run again
when the settings that lead to its figures have changed.
"""

import json
import os
import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from livefigures.page.claimed import LINKED
from livefigures.sphinx.errors import place
from livefigures.sphinx.finished import pages
from livefigures.sphinx.presets import Values, page_name, parse_preset

LOGGER = logging.getLogger(__name__)
_SET = re.compile(r"\{(?:set|ask|present)\}`([^`]+)`|^:show: *(.+)$", re.MULTILINE)

Linked = dict[tuple[str, str], list[Values]]  # (page, figure) -> settings


def linked_settings(pages: dict[str, str]) -> Linked:
    """The settings of figures that the texts of these pages lead to; a malformed one is the role's to report.

    >>> linked_settings({"chapters/index": "{set}`here <growth: t=2>` and {set}`there <waves.md#arcs: phase=1>`"})
    {('chapters/index', 'growth'): [{'t': 2}], ('chapters/waves', 'arcs'): [{'phase': 1}]}
    """
    found: Linked = {}
    for here, text in pages.items():
        for role, shown in _SET.findall(text):
            try:
                _, page, figure, values = parse_preset(role or f"shown <{shown}>")
            except ValueError:
                continue
            there = here if page is None else page_name(here, page)
            found.setdefault((there, figure), []).append(values)
    return found


def tell_kernels(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> set[str]:
    """Write the linked settings where the kernels find them; the pages to which others lead than before."""
    texts = {page: Path(env.doc2path(page)).read_text("utf-8", "replace") for page in sorted(env.found_docs)}
    before, now = getattr(env, "linked_settings", {}), linked_settings(texts)
    env.linked_settings = now
    file = Path(app.doctreedir, "linked_settings.json").resolve()
    file.write_text(json.dumps({figure: settings for (_, figure), settings in now.items()}), "utf-8")
    os.environ[LINKED] = str(file)  # the kernels inherit this process's environment
    moved = {place for place in before.keys() | now.keys() if before.get(place) != now.get(place)}
    return {page for page, _ in moved} & env.found_docs


def report(app: Sphinx, exception: Exception | None) -> None:
    """A warning for each claim that failed when its page was run, and for each colour that can hardly be read."""
    for page, facts in pages(app, exception).items():
        for figure, cells in facts.figure_cells.items():
            for fault in facts.failing(figure):
                where = place(app.env, page, cells[-1])
                LOGGER.warning(fault, location=where, type="livefigures", subtype="figure")


def setup(app: Sphinx) -> None:
    app.connect("env-get-outdated", tell_kernels)
    app.connect("build-finished", report, priority=660)  # after the checks of names and presets
