"""Tells the pages' kernels that a book is being built, and where figures leave their records.

A record is what a figure writes about itself while its page is built: its sliders, and the values of its
functions at random settings. It is not part of the published site.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from livefigures.page.page import BUILDING
from livefigures.page.record import RECORDS
from livefigures.sphinx.finished import pages


def folder(app: Sphinx) -> Path:
    """The folder of the records: beside the published site, never in it."""
    return Path(app.outdir).resolve().parent / "live"


def prepare(app: Sphinx) -> None:
    """The kernels inherit this process's environment."""
    os.environ[BUILDING] = "1"
    os.environ[RECORDS] = str(folder(app)) if app.config.live_records else ""


def pages_without_records(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """All pages when records are asked for and there is none (somebody emptied the folder), else none."""
    missing = app.config.live_records and not any(folder(app).glob("*.json"))
    return set(env.found_docs) if missing else set()


def drop_old_records(app: Sphinx, exception: Exception | None) -> None:
    """Remove the records of figures that no page has any more."""
    found = pages(app, exception) if app.config.live_records else {}
    alive = {name for facts in found.values() for name in facts.figures}
    for record in folder(app).glob("*.json") if found else ():
        if record.stem not in alive:
            record.unlink()


def setup(app: Sphinx) -> None:
    app.add_config_value("live_records", False, "env", bool)
    app.connect("builder-inited", prepare)
    app.connect("env-get-outdated", pages_without_records)
    app.connect("build-finished", drop_old_records, priority=600)
