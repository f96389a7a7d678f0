"""The book's own Sphinx extensions, each in a book of one or two pages made for the test."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from small_book import build, environment  # noqa: F401 - a fixture of every test here
from sphinx.util import logging

from book.checks import kernels, outdated
from book.checks import unclosed_blocks as blocks
from book.checks.finished_pages import faults_of_page
from book.theme import redirects as moved
from dp_lib import live
from livefigures.declare.colours import DASHES, NAMED
from livefigures.page import bundle
from livefigures.sphinx.page_facts import PageFacts

BOOK = ["book.checks.finished_pages", "book.checks.outdated"]

# -- guards over the finished pages

WIDGET_STATE = '<script type="application/vnd.jupyter.widget-state+json">{}</script>'


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        (r"<p>where \(x</p>", r"TeX outside a formula: \("),
        (r"<svg><text>\varepsilon</text></svg>", r"TeX outside a formula: \varepsilon"),
        (r"<title>The $\epsilon$ chapter</title>", r"TeX outside a formula: $\epsilon$"),
        (r'<img src="a.png" alt="curve of \alpha">', r"TeX outside a formula: \alpha"),
        ('<img src="a.png">', "an image without a text that describes it: a.png"),
        ('<img src="a.png" alt=" ">', "an image without a text that describes it: a.png"),
        ('<img src="_images/a.png" alt="../images/a.png">', "an image without a text that describes it: _images/a.png"),
        (WIDGET_STATE, "the state of a notebook's widgets is in the page"),
        ('<script src="https://example.org/x.js"></script>', "loads from outside the book: https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads from outside the book: //example.org/x.css"),
        ('<img src="http://example.org/x.png" alt="A cat">', "loads from outside the book: http://example.org/x.png"),
    ],
)
def test_injected_fault_is_found(html, fault):
    assert list(faults_of_page(PageFacts(html))) == [fault]


def test_a_failed_cell_fails_the_build_also_where_warnings_are_no_errors(tmp_path):
    failed = '```{raw} html\n<div class="output traceback"><pre>Traceback\nFigureError: no range</pre></div>\n```\n'
    _, status, _ = build(tmp_path, {"index": f"# Page\n\n{failed}"}, strict=False, extensions=BOOK)
    assert status == 1


@pytest.mark.parametrize(
    "html",
    [
        r'<span class="math">\(\alpha\)</span><code>$HOME \alpha</code><pre>\n\n</pre><script>"\(x\)"</script>',
        r'<div class="math"><div>\[x\]</div></div>',
        '<img src="a.png" alt="Two curves that meet at k = 265">',
        '<a href="https://doi.org/1">a paper</a><link rel="canonical" href="https://example.org/">',
        '<script src="../_static/x.js"></script><div class="output stream"></div><p>It costs $5.</p>',
    ],
)
def test_sound_page_has_no_fault(html):
    assert not list(faults_of_page(PageFacts(html)))


def test_prose_after_a_formula_is_looked_at_again():
    assert PageFacts(r'<div class="math"><div>\(a\)</div></div><p>\beta</p>').raw_tex == [r"\beta"]


def test_fault_fails_the_build(tmp_path):
    _, status, warnings = build(tmp_path, {"index": "# Page\n\n```{raw} html\n<img src='x.png'>\n```"}, extensions=BOOK)
    assert status == 1
    assert "index.md: WARNING: an image without a text that describes it: x.png" in warnings


# -- when pages are read again


# A page of each kind, and three modules below them: rdp imports domain, and live draws with its own parts.
PAGES = {"plain": "Words.", "maths": "from dp_lib import rdp", "figure": "from dp_lib import (\n  live, domain)"}
PAGES |= {"all": "```{reference} rdp\n```"}
HOUSE = {
    "dp_lib/__init__.py": "",
    "dp_lib/domain.py": "",
    "dp_lib/rdp.py": "from dp_lib import domain",
    "dp_lib/live/__init__.py": "from livefigures import draw",
    "livefigures/livefigures/__init__.py": "",
    "livefigures/livefigures/draw.py": "def show():\n    from livefigures.notebook import view",
    "livefigures/livefigures/notebook/__init__.py": "",
    "livefigures/livefigures/notebook/view.py": "",
    "livefigures/livefigures/page/core/figure.js": "",
    "book/theme/search.py": "",
    "book/theme/static/book.css": "",
    "requirements.txt": "",
}


@pytest.fixture
def book(tmp_path):
    """A folder with pages and what they are made from; `stale` says which run again, `written` which do not."""
    for name, text in HOUSE.items() | {f"{page}.md": text for page, text in PAGES.items()}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    env = SimpleNamespace(found_docs=set(PAGES), doc2path=lambda page: str(tmp_path / f"{page}.md"))
    app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path, doctreedir=tmp_path)

    def stale():
        return outdated.outdated_pages(app, env, set(), set(), set())

    def written():
        return outdated.pages_of_other_theme(app, env)

    assert (stale(), written()) == (set(PAGES), set())  # never built
    assert (stale(), written()) == (set(), set())
    return SimpleNamespace(folder=tmp_path, stale=stale, written=written)


@pytest.mark.parametrize(
    ("changed", "pages"),
    [
        ("dp_lib/rdp.py", {"maths", "all"}),
        ("dp_lib/domain.py", {"maths", "figure", "all"}),
        ("dp_lib/live/__init__.py", {"figure", "all"}),
        ("livefigures/livefigures/draw.py", {"figure", "all"}),
        ("livefigures/livefigures/notebook/view.py", {"all"}),
        ("livefigures/livefigures/page/core/figure.js", set()),
        ("book/theme/search.py", set(PAGES)),
        ("book/theme/static/book.css", set()),
        ("requirements.txt", set(PAGES)),
        ("plain.md", set()),  # Sphinx sees that itself
    ],
)
def test_change_below_pages_runs_again_those_above_it(changed, pages, book):
    (book.folder / changed).write_text("# new\n" + HOUSE.get(changed, ""), "utf-8")
    assert book.stale() == pages
    assert book.stale() == set()


@pytest.mark.parametrize("changed", ["book/theme/static/book.css", "_toc.yml"])
def test_change_of_the_theme_or_the_contents_writes_all_pages_again(changed, book):
    (book.folder / changed).write_text("new", "utf-8")
    assert book.written() == set(PAGES)
    assert book.written() == set()


def test_page_that_imports_another_module_is_held_to_it(book):
    (book.folder / "plain.md").write_text("from dp_lib.rdp import epsilon", "utf-8")
    assert book.stale() == {"plain"}
    (book.folder / "dp_lib/rdp.py").write_text("new = 1", "utf-8")
    assert book.stale() == {"plain", "maths", "all"}


def test_moved_text_changes_the_fingerprint(book):
    files = [book.folder / "dp_lib/rdp.py", book.folder / "dp_lib/zcdp.py"]
    before = outdated.fingerprint(book.folder, files[:1])
    files[0].rename(files[1])
    assert outdated.fingerprint(book.folder, files[1:]) != before


@pytest.fixture
def reading(monkeypatch):
    """The pages that each build has read, and an extension that notes them; its `setup` may be added to."""
    read = []
    plug_in(monkeypatch, "reading", "env-before-read-docs", lambda app, env, pages: read.append(list(pages)))
    return read


def plug_in(monkeypatch, name, event, listener):
    """An extension that only listens."""
    module = ModuleType(name)
    module.setup = lambda app: {"version": str(app.connect(event, listener))}
    monkeypatch.setitem(sys.modules, name, module)


def test_after_a_failed_build_only_the_page_that_warned_is_read_again(tmp_path, reading):
    pages = {"index": "# Page", "other": "# Other\n\n[nowhere](missing.md)", "third": "# Third"}
    builds = [pages, {}, {"other": "# Other\n\nMended."}, {}]
    statuses = [build(tmp_path, changed, extensions=[*BOOK, "reading"])[1] for changed in builds]
    assert reading == [["index", "other", "third"], ["other"], ["other"], []]
    assert statuses == [1, 1, 0, 0]  # unmended, it warns again


def test_after_a_warning_of_no_page_all_are_read_again(tmp_path, reading, monkeypatch):
    plug_in(monkeypatch, "nobody", "env-updated", lambda app, env: logging.getLogger("nobody").warning("whose?"))
    pages = {"index": "# Page", "other": "# Other"}
    for changed in (pages, {}):
        assert build(tmp_path, changed, extensions=[*BOOK, "reading", "nobody"])[1] == 1
    assert reading == [["index", "other"]] * 2


def test_failed_build_fails_again_when_nothing_has_changed(tmp_path):
    page = "# Page\n\n[nowhere](missing.md)"
    assert build(tmp_path, {"index": page}, extensions=BOOK)[1] == 1
    assert build(tmp_path, {"index": page}, extensions=BOOK)[1] == 1


def test_a_label_may_move_to_a_page_that_is_read_earlier(tmp_path):
    section = "(here)=\n## Here\n"
    first = {"index": "# Page", "a": "# A\n", "b": f"# B\n\n{section}"}
    for pages in (first, {"a": f"# A\n\n{section}", "b": "# B\n\n{ref}`here`"}):
        assert build(tmp_path, pages, extensions=BOOK)[1:] == (0, "")


def test_page_that_left_the_book_leaves_the_site(tmp_path):
    output, _, _ = build(tmp_path, {"index": "# Page", "gone": "# Gone"}, extensions=BOOK)
    assert (output / "gone.html").exists()
    (tmp_path / "source" / "gone.md").unlink()
    build(tmp_path, {}, extensions=BOOK)
    assert not (output / "gone.html").exists()


def test_other_scripts_and_another_theme_write_pages_and_read_none(tmp_path, reading, monkeypatch):
    written = []
    plug_in(monkeypatch, "writing", "html-page-context", lambda app, page, *_: written.append(page))
    extensions = ["livefigures.sphinx", *BOOK, "reading", "writing"]
    build(tmp_path, {"index": "# Page", "other": "# Other"}, extensions=extensions)
    written.clear()
    monkeypatch.setattr(bundle, "version", lambda: "another")
    assert build(tmp_path, {}, extensions=extensions)[1] == 0
    assert reading[1:] == [[]]
    assert {"index", "other"} <= set(written)


# -- blocks that nobody closes


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("```{note}\nA\n```\n", []),
        ("````{note}\n```{tip}\nA\n```\n````\n", []),
        ("````{note}\n```{tip}\nA\n````\n", []),
        (":::{note}\n```{tip}\nA\n```\n:::\n", []),
        ("````md\n```{tip}\n````\n", []),
        ("```{note}\nA\n", ["1 {note} is not closed before the end of the chapter"]),
        ("```{note}\nA\n\n```{tip}\nB\n```\n", ["1 {note} is not closed before line 4 begins another"]),
    ],
)
def test_missing_end_is_told_at_its_beginning(text, faults):
    mended, found = blocks.mended(text)
    assert [f"{line} {words.lstrip('`')}" for line, words in found] == faults
    assert blocks.mended(mended)[1] == []
    assert mended == text or faults


def test_no_chapter_of_the_book_is_mended():
    for file in (Path(__file__).parents[2] / "chapters").rglob("*.md"):
        assert blocks.mended(file.read_text("utf-8")) == (file.read_text("utf-8"), []), file.name


# -- the tables of a figure's parts


def test_tables_name_every_part_colour_and_slider(tmp_path):
    pages = {"index": "# P\n\n```{figure-parts}\n```"}
    output, status, warnings = build(tmp_path, pages, extensions=["book.reference.figure_parts"])
    html = (output / "index.html").read_text("utf-8")
    assert (status, warnings) == (0, "")
    for name in [*NAMED, *filter(None, DASHES), "live.sigma", "live.n"]:
        assert f'<span class="pre">{name}</span>' in html, name
    for part in (live.Curve, live.Band, live.Point, live.Line, live.Cloud, live.Slider):
        for field in dataclasses.fields(part):
            assert field.name in html, field.name


# -- the kernels that run the pages


def test_start_up_files_of_the_builder_stay_out_of_the_book(tmp_path):
    kernels.prepare(tmp_path / "html")
    folder = Path(os.environ["IPYTHONDIR"])
    assert folder == (tmp_path / "ipython").resolve()
    assert (folder / "profile_default" / "ipython_kernel_config.py").read_text("utf-8") == kernels.SETTINGS


@pytest.mark.notebooks
@pytest.mark.xdist_group("kernels")
def test_what_a_text_asks_for_has_the_value_of_the_cells_above_it(tmp_path):
    text = "---\nfile_format: mystnb\nkernelspec: {name: python3}\n---\n# Page\n\n"
    for value in ("1", "'two'", "None"):
        text += f"```{{code-cell}} python\nx = {value}\n```\n\nNow {{eval}}`x`, and {{eval}}`[x, x]`.\n\n"
    (tmp_path / "index.md").write_text(text, "utf-8")
    extensions = ["myst_nb", "book.checks.kernels", "book.checks.cell_errors"]
    (tmp_path / "conf.py").write_text(f"extensions = {extensions}\nnb_execution_mode = 'inline'\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", ".", "out"]
    inherited = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.run(command, cwd=tmp_path, env=inherited, capture_output=True, text=True, check=True).stderr
    page = (tmp_path / "out" / "index.txt").read_text("utf-8")
    assert re.findall(r"Now (.*), and (.*)\.", page)[:2] == [("1", "[1, 1]"), ("two", "['two', 'two']")]
    assert "expression 'x' does not return any outputs" in said  # None


# -- addresses that lead on


@pytest.mark.parametrize("line", ["rdp.html#a", "rdp.html#a sampling.html", "a b", "", "x.html#a y.html#b z.html#c"])
def test_a_line_that_is_no_pair_of_addresses_is_named(line):
    with pytest.raises(ValueError, match=f"line 2 must be two addresses page.html#anchor, got {re.escape(repr(line))}"):
        moved.read(f"rdp.html#a sampling.html#b\n{line}\nrdp.html#c sampling.html#d")
