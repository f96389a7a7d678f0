"""The extension for any book, in books of one or two pages made for the test."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from nbclient.exceptions import CellTimeoutError
from small_book import build, environment, figure  # noqa: F401 - a fixture of every test here

from livefigures import Figure, slider, sphinx
from livefigures import typed as typed_figure
from livefigures.page import bundle, page
from livefigures.page.claimed import LINKED
from livefigures.page.page import BUILDING
from livefigures.page.record import RECORDS
from livefigures.sphinx import assets, checks, errors
from livefigures.sphinx.page_facts import PageFacts

QUESTION = """
# A page

```{predict} Where does the line for $\\alpha = 60$ touch?
:choices: about 30 | at $k = 265$ | here < there
:answer: 2

Because of $\\alpha$.
```
"""


# -- the role `set`


def test_preset_is_a_link_with_its_values(tmp_path):
    page = f"# Page\n\n{figure()}\n{{set}}`a & b <rdp: alpha=60, delta=1e-5>`, and so on"
    output, status, warnings = build(tmp_path, {"index": page})
    values = "{&quot;alpha&quot;:60,&quot;delta&quot;:1e-05}"
    link = f'<a class="live-set" href="#rdp" data-figure="rdp" data-values="{values}">a &amp; b</a>'
    assert (status, warnings) == (0, "")
    joined = f'<span class="live-joined">{link},</span> and so on'  # no line begins with the sign
    assert joined in (output / "index.html").read_text("utf-8")


def test_preset_of_another_page_carries_the_state_in_its_link(tmp_path):
    link = "{set}`there <other.md#rdp: alpha=64.59, delta=1e-5, k=265, noise=discrete-laplace>`"
    output, status, warnings = build(tmp_path, {"index": f"# Page\n\n{link}", "other": f"# Other\n\n{figure()}"})
    assert (status, warnings) == (0, "")
    address = "other.html#rdp:alpha=64.59,delta=1e-05,k=265,noise=discrete-laplace"
    assert f'href="{address}"' in (output / "index.html").read_text("utf-8")


def test_a_link_for_a_class_opens_present_mode_whole_or_at_the_question(tmp_path):
    pages = {
        "index": "# Page\n\n{ask}`why <other.md#rdp: k=2>` and {present}`there <other.md#rdp: alpha=60, k=265>`",
        "other": f"# Other\n\n{figure()}\n{{present}}`here <rdp: k=3>`",
    }
    output, status, warnings = build(tmp_path, pages)
    index, other = ((output / f"{name}.html").read_text("utf-8") for name in pages)
    assert (status, warnings) == (0, "")
    assert '<a class="live-set" href="other.html#rdp:k=2;present=rdp:step=0">why</a>' in index
    assert '<a class="live-set" href="other.html#rdp:alpha=60,k=265;present=rdp">there</a>' in index
    assert '<a class="live-set" href="#rdp:k=3;present=rdp">here</a>' in other


def test_option_of_a_link_may_be_written_as_readers_see_it(tmp_path):
    page = f"# Page\n\n{figure()}\n{{set}}`a <rdp: noise=Discrete Laplace>` and {{set}}`b <rdp: noise=LAPLACE>`"
    output, status, warnings = build(tmp_path, {"index": page})
    html = (output / "index.html").read_text("utf-8")
    assert (status, warnings) == (0, "")
    assert [key in html for key in ("&quot;discrete-laplace&quot;", "&quot;laplace&quot;")] == [True, True]


def test_choices_may_keep_their_order(tmp_path):
    question = "```{{predict}} When?\n:choices: earlier | now | later\n:answer: 1\n{}\nBecause.\n```\n\n"
    page = "# Page\n\n" + question.format("") + question.format(":order: kept\n")
    output, status, warnings = build(tmp_path, {"index": page})
    assert (status, warnings) == (0, "")
    html = (output / "index.html").read_text("utf-8")
    assert re.findall(r'type="radio" name="[\w-]+" value="(\d)"', html) == ["3", "1", "2", "1", "2", "3"]


FORM = "expected text <figure-name: slider=number, ...>"
OPTIONS = "is no option of 'rdp'; it has: laplace, discrete-laplace"
WRONG_LINKS = {
    "{set}`no target at all`": FORM,
    "{set}`text <rdp>`": FORM,
    "{set}`text <rdp: alpha>`": "expected slider=number, with a comma between settings and a point in a number, got 'a",
    "{set}`text <rdp: >`": "expected slider=number, got ''",
    "{set}`text <rdp: alpha=6o>`": "'6o' is not a number",
    "{set}`text <rdp: alpha=nan>`": "'nan' is not a finite number",
    "{set}`text <rdp: alpha=1, alpha=2>`": "slider 'alpha' is set twice",
    "{set}`text <nothing: alpha=3>`": "the page index has no live figure 'nothing'; it has: rdp",
    "{set}`text <other.md#rdp: alpha=3>`": "the page other has no live figure 'rdp'; it has: none",
    "{set}`text <rdp: sigma=3>`": "'rdp' has no slider 'sigma'; it has: alpha, k, delta, noise",
    "{set}`text <rdp: alfa=3>`": "'rdp' has no slider 'alfa'; it has: alpha, k, delta, noise; did you mean 'alpha'?",
    "{set}`text <rdp: alpha=sixty>`": "alpha = sixty is not a number",
    "{set}`text <rdp: noise=laplacian>`": f"noise = laplacian {OPTIONS}",
    "{set}`text <rdp: noise=2 Doses>`": f"noise = 2-doses {OPTIONS}",
    "{set}`text <rdp: noise=1>`": f"noise = 1 {OPTIONS}",
    "{set}`text <rdp: alpha=101>`": "alpha = 101 is outside the slider of 'rdp', 2 to 100",
    "{set}`text <rdp: k=1.5>`": "k = 1.5 is not one of the whole numbers of the slider of 'rdp'",
    "{ask}`text <rdp: here=2>`": "'rdp' has no slider 'here'",
    "{present}`text <rdp: there=2>`": "'rdp' has no slider 'there'",
}


def test_every_wrong_link_fails_the_build_at_its_line(tmp_path):
    page = f"# Page\n\n{figure()}\n" + "\n\n".join(WRONG_LINKS)
    _, status, warnings = build(tmp_path, {"index": page, "other": "# Other"})
    assert status == 1
    for link, complaint in WRONG_LINKS.items():
        line = page[: page.index(link)].count("\n") + 1
        assert f"index.md:{line}: WARNING: link: {complaint}" in warnings
    assert warnings.count("WARNING: link:") == len(WRONG_LINKS)


def test_link_between_two_stops_of_a_table_is_told(tmp_path):
    sliders = {"beta": {"low": 0.15, "high": 0.35, "snaps": True, "stops": [0.15, 0.25, 0.35]}}
    links = "{set}`a <rdp: beta=0.25>` {set}`b <rdp: beta=0.33>`"
    _, status, warnings = build(tmp_path, {"index": f"# Page\n\n{figure(sliders=sliders)}\n{links}"})
    assert status == 1 and warnings.count("WARNING:") == 1
    assert "link: beta = 0.33 is no stop of the slider 'beta'; the nearest are 0.25 and 0.35" in warnings


def test_link_is_told_with_its_own_line_of_a_paragraph(tmp_path):
    text = (
        f"# Page\n\n{figure()}\nFirst\n{{set}}`here <rdp: k=1.5>`\n{{set}}`x <rdp>`\n{{curve}}`c <rdp>` {{curve}}`<>`"
    )
    _, _, warnings = build(tmp_path, {"index": text}, strict=False)
    told = re.findall(r"index.md:(\d+): WARNING: (\w+: .)", warnings)
    assert sorted(told) == [("10", "curve: '"), ("10", "curve: e"), ("8", "link: k"), ("9", "link: e")]


def test_line_that_was_counted_wrongly_is_found_by_its_words(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`a <rdp: k=1>`\n\n\n```{predict} Why?\n\n`a <rdp: k=1>`\n", "utf-8")
    assert [errors.line_of(str(page), near, "{predict} Why?") for near in (3, 4, 5)] == [4, 4, 4]
    assert [errors.line_of(str(page), near, "`a <rdp: k=1>`") for near in (1, 5, 7)] == [1, 6, 6]
    assert errors.line_of(str(page), 2, "{predict} Who?") == 2


def test_preset_of_a_figure_whose_cell_failed_is_no_second_mistake(tmp_path):
    failed = '```{raw} html\n<div class="output traceback"><pre>NameError: name</pre></div>\n```\n'
    cell = '<!--\n```{code-cell} python\nmade("rdp")\n```\n-->\n'  # which no kernel runs here
    links = "{set}`text <rdp: k=2>` {curve}`zCDP <rdp>`"
    pages = {"index": f"# Page\n\n{failed}\n{cell}\n{links}"}
    assert build(tmp_path, pages)[1:] == (0, "")
    pages["index"] += " {set}`text <rpd: k=2>` {curve}`zCDP <rpd>`"
    _, _, warnings = build(tmp_path, pages, strict=False)
    refused = "the page index has no live figure 'rpd'; it has: none; a cell of this page ended in an error, so that"
    assert f"link: {refused}" in warnings and f"curve: {refused}" in warnings


def test_a_malformed_link_is_told_again_by_the_next_build(tmp_path):
    pages = {"index": f"# Page\n\n{figure()}\n{{set}}`text <rdp>` {{curve}}`<>`\n\n```{{predict}} What?\n```\n"}
    first = build(tmp_path, pages)[2]
    assert [part in first for part in ("link: expected", "curve: expected", "predict: write")] == [True] * 3
    assert build(tmp_path, {})[2] == first


def test_preset_of_a_name_used_twice_is_compared_with_the_second(tmp_path):
    pages = {"index": f"# Page\n\n{figure()}\n{figure(sliders={'k': {'low': 1, 'high': 2}})}\n{{set}}`t <rdp: k=3>`"}
    _, status, warnings = build(tmp_path, pages, strict=False)
    assert "k = 3 is outside the slider of 'rdp', 1 to 2" in warnings
    assert "'rdp', is used 2 times" in warnings


def test_heading_with_the_address_of_a_figure_is_told(tmp_path):
    _, status, warnings = build(
        tmp_path, {"index": f"# Page\n\n{figure()}\n## RDP\n\n{{set}}`t <rdp: k=2>`"}, strict=False
    )
    assert "index.md: WARNING: the name of figure 'rdp' is the address of a heading or a label of this page" in warnings
    assert build(tmp_path, {"index": f"# Page\n\n{figure()}\n## RDP curves\n\n{{set}}`t <rdp: k=2>`"})[1] == 0


def test_presets_of_an_unchanged_page_are_checked_again(tmp_path):
    pages = {"index": "# Page\n\n{set}`there <other.md#rdp: k=2>`", "other": f"# Other\n\n{figure()}"}
    assert build(tmp_path, pages)[1] == 0
    _, status, warnings = build(tmp_path, {"other": "# Other\n\nThe figure is gone."})
    assert status == 1
    assert "the page other has no live figure 'rdp'" in warnings


def test_preset_without_html_is_its_text(tmp_path):
    output, status, _ = build(
        tmp_path, {"index": f"# Page\n\n{figure()}\nTry {{set}}`this <rdp: k=2>`."}, builder="text"
    )
    assert status == 0
    assert "Try this." in (output / "index.txt").read_text("utf-8")


# -- claims of figures


def test_a_claim_that_failed_when_its_page_was_run_fails_the_build(tmp_path):
    failed = figure(failing=["figure 'rdp': the claim 'It rises.' fails at k = 2"])
    for pages in ({"index": f"# Page\n\n{failed}"}, {}):  # an unchanged page says it again
        _, status, warnings = build(tmp_path, pages)
        assert status == 1
        assert "index.md: WARNING: figure 'rdp': the claim 'It rises.' fails at k = 2" in warnings


def test_kernels_are_told_the_linked_settings_and_a_page_is_read_again_when_they_change(tmp_path):
    other, doctree = f"# Other\n\n{figure()}", tmp_path / "doctrees" / "other.doctree"
    build(tmp_path, {"index": "# Page\n\n{set}`there <other.md#rdp: k=2>`", "other": other})
    linked = Path(os.environ[LINKED])
    assert linked.is_absolute() and json.loads(linked.read_text("utf-8")) == {"rdp": [{"k": 2}]}
    read = doctree.stat().st_mtime_ns
    build(tmp_path, {})
    assert doctree.stat().st_mtime_ns == read
    build(tmp_path, {"index": "# Page\n\n{set}`there <other.md#rdp: k=2, noise=laplace>`"})
    assert json.loads(linked.read_text("utf-8")) == {"rdp": [{"k": 2, "noise": "laplace"}]}
    assert doctree.stat().st_mtime_ns > read


# -- questions to predict


def test_question_has_a_legend_labelled_choices_and_a_folded_answer(tmp_path):
    output, status, warnings = build(tmp_path, {"index": QUESTION})
    html = (output / "index.html").read_text("utf-8")
    assert (status, warnings) == (0, "")
    assert '<div class="predict" id="predict-1" data-answer="2">' in html
    assert re.search(r'<legend>Where .*<span class="math[^>]*>\\\(\\alpha = 60\\\)</span> touch\?</legend>', html)
    assert html.count('<input type="radio" name="predict-1"') == 3
    assert "here &lt; there" in html
    assert html.count("<summary>Answer</summary>") == 1


def test_every_part_of_a_question_is_closed(tmp_path):
    output, _, _ = build(tmp_path, {"index": QUESTION})
    html = (output / "index.html").read_text("utf-8")
    for tag in ("div", "fieldset", "legend", "label", "details", "summary", "button", "p", "span"):
        assert len(re.findall(rf"<{tag}[ >]", html)) == html.count(f"</{tag}>"), tag


WRONG_QUESTIONS = {
    "Why.": ":choices: needs two or more, separated by ' | ', got nothing",
    ":choices: a\n:answer: 1\n\nWhy.": ":choices: needs two or more, separated by ' | ', got a",
    ":choices: a | b\n\nWhy.": ":answer: must be the number of the right choice, 1 to 2, got nothing",
    ":choices: a | b\n:answer: 3\n\nWhy.": ":answer: must be the number of the right choice, 1 to 2, got 3",
    ":choices: a | b\n:answer: 1\n:replies: no\n\nWhy.": ":replies: needs one for each of the 2 choices, separated by "
    "' | ' (a dash is none), got 1",
    ":choices: a | b\n:answer: 1\n:show: rdp\n\nWhy.": ":show: expected text <figure-name: slider=number, ...>",
    ":choices: a | b\n:answer: 1": "write the explanation in the body",
}


def test_every_question_that_cannot_be_answered_fails_the_build_at_its_line(tmp_path):
    asked = [f"```{{predict}} What is {i}?\n{rest}\n```" for i, rest in enumerate(WRONG_QUESTIONS)]
    page = "# Page\n\n" + "\n\n".join(asked)
    _, status, warnings = build(tmp_path, {"index": page})
    assert status == 1
    for question, complaint in zip(asked, WRONG_QUESTIONS.values(), strict=True):
        line = page[: page.index(question)].count("\n") + 1
        assert f"index.md:{line}: WARNING: predict: {complaint}" in warnings


def test_question_without_html_is_printed_in_order(tmp_path):
    output, status, _ = build(tmp_path, {"index": QUESTION}, builder="text")
    text = (output / "index.txt").read_text("utf-8")
    assert status == 0
    for choice in ("about 30", "at k = 265", "here < there"):
        assert text.index("Where") < text.index(choice) < text.index("Because")


# -- what live figures need around them


def scripts(page):
    """The addresses of the figures' script and style on a page."""
    return re.findall(r'(?:src|href)="([^"]*live\.(?:js|css)[^"]*)"', page.read_text("utf-8"))


def test_script_and_style_are_one_file_each_and_only_where_they_are_needed(tmp_path):
    needs = {"figure": figure(), "question": QUESTION, "link": "{set}`there <figure.md#rdp: k=2>`"}
    pages = {"index": "# Page\n\n[](figure.md)"} | {name: f"# Page\n\n{content}" for name, content in needs.items()}
    output, status, warnings = build(tmp_path, pages)
    assert (status, warnings) == (0, "")
    assert scripts(output / "index.html") == []
    for name in needs:
        style, script = scripts(output / f"{name}.html")
        assert re.fullmatch(r"_static/live\.css\?v=\w+", style) and re.fullmatch(r"_static/live\.js\?v=\w+", script)
    assert {path.name for path in (output / "_static").glob("live*.css")} == {"live.css"}
    assert {path.name for path in (output / "_static").glob("live*.js")} == {
        "live.js",
        "live-links.js",  # asked for where the text has a link to a setting
        "live-names.js",  # asked for where the text names a curve
        "live-questions.js",  # where a page has a question
        "live-formulas.js",  # where a figure has formulas under it
        "live-editor.js",  # where formulas are typed
        "live-save.js",  # where a reader saves something
        "live-shared.js",  # where figures have sliders that move together
        "live-panels.js",  # where figures stand together
        "live-bars.js",  # where a table has bars
        "live-bar_chart.js",  # where a figure has bars for counts
        "live-errors.js",  # where data have error bars
        "live-paths.js",  # where a curve runs along a parameter
    }


def test_script_that_few_figures_need_is_on_their_pages_alone(tmp_path):
    def drawn(name, **options):
        years = slider("month", 0, 9, at=4, shared=name == "moving")
        words = {"caption": "A caption.", "alt": "A line."}
        shown = Figure(name=name, x=years, y=("y", 0, 9), curves={"line": lambda month: month}, **words, **options)
        return f"# Page\n\n```{{raw}} html\n{page.html(shown)}\n```\n"

    pages = {"index": drawn("plain"), "moving": drawn("moving"), "barred": drawn("barred", bars=True)}
    output, status, warnings = build(tmp_path, pages)
    assert (status, warnings) == (0, "")
    found = {name: re.findall(r"live-(\w+)\.js\?", (output / f"{name}.html").read_text("utf-8")) for name in pages}
    assert found == {"index": ["save"], "moving": ["save", "shared"], "barred": ["save", "bars"]}


def test_a_page_of_typed_formulas_offers_their_editor(tmp_path):
    typed = page.html(typed_figure("np.exp(-rate * t)", t=(0, 10)))
    raw = f"# Page\n\n```{{raw}} html\n{typed}\n```\n"
    output, status, warnings = build(tmp_path, {"index": raw, "other": f"# Another page\n\n{figure('other')}"})
    assert (status, warnings) == (0, "")
    offers = ['data-formulas="live-editor.js"' in (output / f"{name}.html").read_text() for name in ("index", "other")]
    assert offers == [True, False]


def test_a_change_of_a_script_changes_its_address_and_makes_all_pages_anew(tmp_path, monkeypatch):
    pages = {"index": f"# Page\n\n{figure()}", "other": "# Other"}
    output, _, _ = build(tmp_path, pages)
    before, made = scripts(output / "index.html"), (output / "other.html").stat().st_mtime_ns
    monkeypatch.setitem(assets.FILES, "live.js", lambda: "changed")
    monkeypatch.setattr(bundle, "version", lambda: "changed")
    build(tmp_path, {})
    after = scripts(output / "index.html")
    assert after[0] == before[0] and after[1] != before[1]
    assert (output / "other.html").stat().st_mtime_ns > made


def test_a_change_of_the_package_makes_all_pages_be_read_again(tmp_path, monkeypatch):
    doctree = tmp_path / "doctrees" / "index.doctree"
    build(tmp_path, {"index": f"# Page\n\n{figure()}"})
    read = doctree.stat().st_mtime_ns
    build(tmp_path, {})
    assert doctree.stat().st_mtime_ns == read
    monkeypatch.setattr(sphinx, "version_of_code", lambda: 1)
    build(tmp_path, {})
    assert doctree.stat().st_mtime_ns > read


def test_a_build_of_text_writes_no_script(tmp_path):
    output, status, _ = build(tmp_path, {"index": f"# Page\n\n{figure()}"}, builder="text")
    assert status == 0
    assert not list(output.rglob("live.*"))


def test_kernels_are_told_that_a_book_is_built_and_where_its_records_go(tmp_path):
    build(tmp_path, {"index": "# Page"})
    assert (os.environ[BUILDING], os.environ[RECORDS]) == ("1", "")
    output, _, _ = build(tmp_path, {}, live_records=True)
    folder = Path(os.environ[RECORDS])
    assert folder == output.parent / "live" and folder.is_absolute()
    assert output not in folder.parents


def test_records_of_vanished_figures_do_not_linger(tmp_path):
    folder = tmp_path / "build" / "live"
    folder.mkdir(parents=True)
    for name in ("rdp", "old"):
        (folder / f"{name}.json").write_text("{}", "utf-8")
    build(tmp_path, {"index": f"# Page\n\n{figure()}"})
    assert len(list(folder.iterdir())) == 2  # nobody asked for records
    build(tmp_path, {}, live_records=True)
    assert [path.name for path in folder.iterdir()] == ["rdp.json"]


# -- guards over the figures


def test_a_name_used_twice_fails_the_build(tmp_path):
    _, status, warnings = build(tmp_path, {"index": f"# Page\n\n{figure()}", "other": f"# Other\n\n{figure()}"})
    assert status == 1
    assert "other.md: WARNING: the name of a live figure, 'rdp', is used 2 times in the book" in warnings


def test_pages_that_a_build_copies_are_no_second_figures_where_they_are_left_out(tmp_path):
    pages = {"index": f"# Page\n\n{figure()}", "_build/copy": f"# Copy\n\n{figure()}"}
    (tmp_path / "source" / "_build").mkdir(parents=True)
    _, status, warnings = build(tmp_path, pages)
    assert status == 1 and 'leave its folder out in conf.py: exclude_patterns = ["_build"]' in warnings
    assert build(tmp_path, pages, exclude_patterns=["_build"])[1:] == (0, "")


def test_a_picture_that_no_build_made_fails_the_build_with_the_mend(tmp_path):
    still = '```{raw} html\n<div class="live-still live-still-rdp"><figure></figure></div>\n```\n'
    _, status, warnings = build(tmp_path, {"index": f"# Page\n\n{still}"})
    assert status == 1
    assert "index.md: WARNING: figure 'rdp' stands still: its cell ran outside this build" in warnings
    assert "clear the notebook's outputs" in warnings


def test_figure_without_a_name_is_a_fault():
    assert list(checks.faults({"one": PageFacts('<figure class="live"></figure>')})) == [
        ("one", -1, "a live figure without a name")
    ]


# -- why a cell failed


MADE = "lf.Figure({name}, x=lf.slider('t', 0, 5), y=('y', 0, 5), curves={{'a': lambda t: t}}, alt='A', caption='C')"
SETUP = """import livefigures as lf
def made(name, **others):
    axes = {'x': lf.slider('t', 0, 10, at=4), 'y': ('y', 0, 10), 'curves': {'c': lambda t: t}}
    return lf.Figure(**{'name': name, 'caption': 'C.', 'alt': 'A.'} | axes | others)
"""
MISTAKES = [
    SETUP + "made('good')",
    "made('no-alt', alt='')",
    "made('tex', caption='$x^2$')",
    "made('claim', claims={'A.': lambda c: c['b'] > 0})",
    "made('bare', caption='')",
    "made('good')",
    "kept = made('kept')\nkept = lf.Figure('lost', lf.slider('t', 0, 1), ('y', 0, 1), {'c': lambda t: t})",
    "made('good', title='T')",
    "undefined",
]
# The cells of each page of a book that allows errors.
BOOK = {
    "meant": [SETUP + "made('meant', alt='')", "undefined"],
    "mistakes": MISTAKES,
    "shown": [
        "import livefigures as lf\n" + MADE.format(name="name='shown'"),
        "kept = " + MADE.format(name="name='unseen'"),
        MADE.format(name="'first'") + "\nprint('made')",
        "%time 1",
    ],
}


def build_another_book(folder):
    """The warnings of this book, whose cells kernels run."""
    for name, cells in ({"index": []} | BOOK).items():
        tags = "raises-exception" if name == "meant" else "hide-input"
        blocks = "\n".join(f"```{{code-cell}} python\n:tags: [{tags}]\n\n{cell}\n```\n" for cell in cells)
        head = "---\nfile_format: mystnb\norphan: true\nkernelspec: {name: python3}\n---\n# Page\n\n"
        (folder / f"{name}.md").write_text(head + blocks, "utf-8")
    conf = 'extensions = ["myst_nb", "livefigures.sphinx"]\nnb_execution_mode = "force"\n'
    (folder / "conf.py").write_text(conf + "nb_execution_allow_errors = True\n")
    command = [sys.executable, "-m", "sphinx", "-q", ".", "out"]
    inherited = os.environ | dict.fromkeys((BUILDING, LINKED, RECORDS), "")
    inherited |= {"IPYTHONDIR": str(folder / "ipython"), "NO_COLOR": "1"}
    run = subprocess.run(command, cwd=folder, env=inherited, capture_output=True, text=True)
    return [line for line in run.stderr.splitlines() if "WARNING: " in line]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """`told("meant")` is what the book says of that page, each from its line on."""
    said = build_another_book(tmp_path_factory.mktemp("book"))
    assert all(any(f"{page}.md:" in line for page in BOOK) for line in said)

    def told_(page):
        return [line.partition(f"{page}.md:")[2] for line in said if f"{page}.md:" in line]

    return told_


def of_another_book(test):
    """A test of what is told of this book, which one process builds."""
    return pytest.mark.long(pytest.mark.xdist_group("another book")(test))


@of_another_book
def test_a_figure_that_is_made_and_not_shown_fails_the_build(told):
    found = (re.search(r"^(\d+): WARNING: (.*shown)", line) for line in told("shown"))
    assert [f"{one[1]}: {one[2]}" for one in found] == [
        "15: figure 'unseen' is made, but not shown",
        "21: figure 'first' is made, but not shown",
    ]


@of_another_book
def test_each_mistake_of_a_page_is_told_once_with_its_line(told):
    said = told("mistakes")
    fences = [8 + sum(cell.count("\n") + 6 for cell in MISTAKES[:place]) for place in range(len(MISTAKES))]
    expected = [
        (1, "FigureError: figure 'no-alt': a page needs alt=..."),
        (2, "FigureError: figure 'tex': a figure shows no TeX"),
        (3, "FigureError: figure 'claim': a claim asks for 'b'"),
        (4, "figure 'bare': a page needs caption=..."),
        (5, f"the name of a live figure, 'good', is used 2 times in the book (mistakes.md:8, mistakes.md:{fences[5]})"),
        (6, "figure 'lost' is made, but not shown"),
        (7, "TypeError: Figure 'good' has no option 'title', did you mean 'caption'?"),
        (8, "NameError: name 'undefined' is not defined"),
    ]
    assert len(said) == len(expected) and told("meant") == []
    for cell, words in expected:
        assert any(line.startswith(f"{fences[cell]}: WARNING: {words}") for line in said), words


def test_a_question_of_a_figure_that_failed_is_not_about_the_next_one():
    question = '<div class="predict" data-stays="[&quot;a&quot;]"></div>'
    failed, shown = '<div class="output traceback"></div>', '<figure class="live" id="next"></figure>'
    assert PageFacts(question + shown).questions == [("next", "a", 0)]
    assert PageFacts(question + failed + shown).questions == []


def test_a_figure_of_a_page_on_which_a_cell_took_too_long_is_not_said_to_be_missing(tmp_path):
    (tmp_path / "index.md").write_text('```{code-cell} python\nlf.Figure("motion")\n```\n', "utf-8")
    traceback = "nbclient.exceptions.CellTimeoutError: ..."
    stopped = {"exec_data": {"traceback": traceback}}
    env = SimpleNamespace(nb_metadata={"index": stopped}, doc2path=lambda page: tmp_path / f"{page}.md")
    assert checks.is_excused(PageFacts(""), "motion", env, "index")
    assert not checks.is_excused(PageFacts(""), "notion", env, "index")
    assert "timeout: 300 below execute:, in conf.py with nb_execution_timeout = 300" in errors.last_line(traceback)


@pytest.mark.parametrize(("lines", "seconds", "more"), [(0, 30, 300), (20, 300, 1200)])
def test_a_cell_that_took_too_long_is_found_and_its_tables_are_named(lines, seconds, more):
    code = 'lf.Figure("lock", curves={"days": lf.Curve(days, lookup=True), "cost": cost},\n' + "\n" * lines
    code += 'marks={"peak": lf.Point(1, top, lookup=True)})'
    cells = (nodes.container("", nodes.literal_block(text=text), nb_element="cell_code") for text in ("1", code))
    env = SimpleNamespace(get_doctree=lambda page: nodes.container("", *cells))
    stopped = CellTimeoutError.error_from_timeout_and_cell("Slow", seconds, SimpleNamespace(source=code))
    traceback = f"nbclient.exceptions.CellTimeoutError: {stopped}"
    assert errors.failed_cell(env, "index", traceback) == (1, code)
    said = errors.last_line(traceback, code)
    assert said.startswith(
        f"a cell took longer than {seconds} seconds; each function with lookup=True, here 'days', 'peak'"
    )
    assert f"nb_execution_timeout = {more}" in said and "python file.py" in said
