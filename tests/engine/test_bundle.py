"""The page's scripts and styles as one file each."""

import gzip
import re
from pathlib import Path

import pytest
from rjsmin import jsmin

import livefigures as lf
from livefigures.page import bundle
from livefigures.page.page import together

PAGE = Path(bundle.__file__).parent
SOURCES = sorted(PAGE.glob("*/*.js"))


def named(paths):
    """These files as `bundle` names them: core/figure."""
    return sorted(str(path.relative_to(PAGE).with_suffix("")) for path in paths)


def code(text):
    """A script without the comment at its head."""
    return re.sub(r"\A(//[^\n]*\n)+", "", text)


def test_every_source_is_in_its_file_once():
    assert sorted([*bundle.SCRIPTS, *bundle.EXTRA]) == named(SOURCES)
    assert sorted(bundle.STYLES) == named(PAGE.glob("*/*.css"))
    whole = bundle.script() + bundle.script(bundle.EXTRA)
    assert [whole.count(jsmin(path.read_text("utf-8").replace(bundle.STRICT, ""))) for path in SOURCES] == [1] * len(
        SOURCES
    )


TIME = lf.slider("t", 0, 10, at=5, shared=True)
DATA = lf.Points([1, 2], [1, 2], yerr=[float("nan")] * 2)
DIAGONAL = lf.Path(lambda s: s, lambda s: s, over=("s", 0, 5))


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({}, ["shared"]),
        ({"formulas": {"line": "t"}}, ["formulas", "shared"]),
        ({"bars": True}, ["shared", "bars"]),
        ({"marks": {"data": DATA}}, ["shared", "errors"]),
        ({"marks": {"diagonal": DIAGONAL}}, ["shared", "paths"]),
        ({"panels": [lf.Figure(name="b", x=TIME, y=("y", 0, 9), curves={"b": lambda t: t})]}, ["shared", "panels"]),
    ],
)
def test_a_figure_has_the_marks_of_the_parts_that_it_needs(options, parts):
    shown = lf.Figure(name="a", x=TIME, y=("y", 0, 9), curves={"line": lambda t: t}, **options)
    assert bundle.parts_of(together(shown)) == parts


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_source_is_strict_shares_no_name_and_ends_its_statement(path):
    text = code(path.read_text("utf-8"))
    assert text.startswith(('"use strict";', '(() => {\n  "use strict";'))
    assert re.search(r"^(const|let|var|function|class) ", text, re.MULTILINE) is None
    assert text.endswith(("})();\n", "};\n", "});\n"))


@pytest.mark.parametrize(
    "path", [*SOURCES, *sorted((PAGE.parent / "formulas").glob("scripts/*.js"))], ids=lambda p: p.stem
)
def test_no_template_stands_inside_another(path):
    """rjsmin takes the inner one for code, and its blanks away."""
    assert re.findall(r"`[^`\n]*\$\{[^}`\n]*`", path.read_text("utf-8")) == []


def test_the_bundle_is_strict_from_its_first_statement_on():
    assert bundle.script().startswith('"use strict";')


def test_all_scripts_together_keep_to_their_size():
    assert len(gzip.compress(bundle.script().encode(), 9)) <= 40_000


def test_no_script_has_a_line_of_more_than_150_characters():
    root = Path(__file__).parents[2]
    scripts = [path for folder in ("book", "livefigures", "tests", "tools") for path in (root / folder).rglob("*.js")]
    long = [path.name for path in scripts for line in path.read_text("utf-8").splitlines() if len(line) > 150]
    assert len(scripts) > 40 and long == []
