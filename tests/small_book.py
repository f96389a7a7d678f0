"""A book of one or two pages, made for a test."""

import io
import json
import re

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from livefigures.page.claimed import LINKED
from livefigures.page.page import BUILDING
from livefigures.page.record import RECORDS

SLIDERS = {
    "alpha": {"low": 2, "high": 100, "integer": False},
    "k": {"low": 1, "high": 500, "integer": True},
    "delta": {"low": 1e-9, "high": 1e-3, "integer": False},
    "noise": {"low": 0, "high": 1, "integer": True, "keys": ["laplace", "discrete-laplace"]},
}


def figure(name="rdp", **changes):
    """What a page says of a live figure, in MyST."""
    data = json.dumps({"sliders": SLIDERS} | changes)
    script = f'<script type="application/json" class="live-data">{data}</script>'
    return f'```{{raw}} html\n<figure class="live" id="{name}">{script}</figure>\n```\n'


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A build names folders in the environment of this process: not for the tests that come after."""
    for name in (BUILDING, LINKED, RECORDS, "IPYTHONDIR"):
        monkeypatch.setenv(name, "")


def build(folder, pages, builder="html", strict=True, extensions=("livefigures.sphinx",), **settings):
    """(output folder, status, warnings) of a small book; `pages` maps names to their text."""
    source, output = folder / "source", folder / "build" / builder
    source.mkdir(exist_ok=True)
    for name, text in pages.items():
        orphan = "" if name == "index" else "---\norphan: true\n---\n"  # no table of contents in so small a book
        (source / f"{name}.md").write_text(orphan + text, "utf-8")
    settings = {
        "extensions": ["myst_parser", *extensions],
        "html_theme": "basic",
        "myst_enable_extensions": ["dollarmath"],
        "mathjax_path": "none.js",
    } | settings
    return output, *run(folder, source, output, settings, builder, strict)


def run(folder, source, output, settings, builder="html", strict=False):
    """(status, warnings) of Sphinx with these settings."""
    warnings = io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            source,
            None,
            output,
            folder / "doctrees",
            builder,
            confoverrides=settings,
            status=None,
            warning=warnings,
            warningiserror=strict,
            keep_going=True,
        )
        app.build()
    return app.statuscode, re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue())
