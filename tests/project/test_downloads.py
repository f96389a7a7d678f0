"""The notebook of a page: what each directive and role of the chapters has become, and when the file changes."""

import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from conftest import SITE
from small_book import run
from test_site import READS_ALL, facts_of

from book.theme.pages import THEME

CHAPTERS = Path(__file__).parents[2] / "chapters"
FRONT = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n  language: python\n---\n"
PAGE = r"""# A page with *everything*

Text with $\alpha < 1$, `code`, **bold**, 2 \* 3 and a {ref}`link to the words <words>`.
Another line<sup>1</sup> {cite}`bs16`, and {cite:t}`bs16` again.

```{code-cell} python
:tags: [hide-input]

x = 1
```

````{prf:definition} Its *name*
:label: def-one
One paragraph, then

$$
a \\
b
$$
````

```{prf:theorem}
:label: thm-one
By {prf:ref}`def-one` and {prf:ref}`thm-far`.
```

````{admonition} Proof
:class: dropdown
See {set}`it <rdp: alpha=60, k=265>`.
````

```{admonition} Note
In a frame.
```

(words)=
## Words

See {set}`one <rdp: alpha=60>`, {set}`two <rdp: delta=1e-5>` and {set}`far away <other.md#far: k=2>`.

{curve}`The exact loss <rdp: exact>` is below {curve}`zCDP <rdp>`.

| a | b |
|---|---|
| $P(A \| B)$ | `x \| y` |

Term
: Its meaning.

1. first
2. second

   with a paragraph

```{predict} Where?
:choices: at $k = 3$ | there | nowhere
:answer: 1
:replies: - | It is not there. | It is somewhere.

Because.
```

```{literalinclude} room.py
:language: python
```

![A picture](dot.png)

## Exercises

```{exercise} By hand
:label: ex-one
Do it.
```

````{solution-start} ex-one
:class: dropdown
````
First.

```{code-cell} python
y = 2
```
Last.
````{solution-end}
````

[Elsewhere](https://example.org/a) and [there](other.md); {doc}`plain` is no notebook; [`a.b`](plain.md)`(c)` neither.

```{raw} html
DATA_RDP
```

```{toctree}
:hidden:
other
plain
```
"""
CELL = "```{code-cell} python\nz = 3\n```\n"
HIDDEN = ":tags: [remove-input, remove-output]"  # of a cell that only computes the numbers of the text
SHOWN = re.compile(rf"```\{{code-cell\}}[^\n]*\n(?!{re.escape(HIDDEN)})")
OTHER = f"""# Other

```{{raw}} html
DATA_FAR
```

```{{prf:theorem}}
:label: thm-far
Far.
```

{CELL}"""
SLIDERS = {name: {"low": 0, "high": 500} for name in ("alpha", "delta", "k")}
FIGURE = '<figure class="live" id="NAME"><script type="application/json" class="live-data">DATA</script></figure>'
FIGURE = FIGURE.replace("DATA", json.dumps({"sliders": SLIDERS, "curves": [{"name": "exact"}, {"name": "zCDP"}]}))
BIB = "@article{bs16, author={Bun, Mark and Steinke, Thomas}, title={Concentrated}, journal={TCC}, year={2016}}\n"


def build(folder, pages, repository=""):
    """The folder of the notebooks of a small book; a warning fails the test."""
    source, output = folder / "source", folder / "build" / "html"
    source.mkdir(exist_ok=True)
    (source / "room.py").write_text("def epsilon():\n    return 1\n", "utf-8")
    (source / "works.bib").write_text(BIB, "utf-8")
    (source / "dot.png").write_bytes(b"\x89PNG")
    for name, text in pages.items():
        (source / f"{name}.md").write_text(text, "utf-8")
    settings = {
        "extensions": ["myst_nb", "sphinxcontrib.bibtex", "sphinx_proof", "sphinx_exercise"]
        + ["livefigures.sphinx", "book.notebooks.downloads"],
        "source_suffix": {".md": "myst-nb"},  # Sphinx would write this into its default, for the tests after
        "html_theme": "theme",
        "html_theme_path": [str(THEME.parent)],
        "nb_execution_mode": "off",
        "myst_enable_extensions": ["dollarmath", "deflist"],
        "bibtex_bibfiles": ["works.bib"],
        "bibtex_reference_style": "label",
        "suppress_warnings": ["toc.not_included", "myst-nb.lexer"],  # these notebooks are not run
        "html_theme_options": {"repository_url": repository} if repository else {},
    }
    _, warnings = run(folder, source, output, settings)
    assert warnings == ""
    return output / "_sources"


CELL_PAGE = FRONT + "# P\n\n" + CELL
PAGES = {
    "index": FRONT + PAGE.replace("DATA_RDP", FIGURE.replace("NAME", "rdp")),
    "other": FRONT + OTHER.replace("DATA_FAR", FIGURE.replace("NAME", "far")),
    "plain": "# Works\n\n```{bibliography}\n```\n",
}


@pytest.fixture(autouse=True, scope="module")
def environment():
    """A build names a folder in the environment of this process: not for the tests that come after."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVEFIGURES_BUILDING", "")
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("book"), PAGES)


@pytest.fixture(scope="module")
def notebook(folder):
    return nbformat.read(folder / "index.ipynb", as_version=4)


@pytest.fixture(scope="module")
def text(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_file_is_a_valid_notebook_without_outputs(notebook):
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert not any(cell.outputs for cell in code(notebook))


def test_only_pages_with_code_are_notebooks(folder):
    assert {file.name for file in folder.glob("*.ipynb")} == {"index.ipynb", "other.ipynb"}


@pytest.mark.parametrize(
    "written",
    [
        "# A page with *everything*",
        r"Text with $\alpha < 1$, `code`, **bold**, 2 \* 3 and a [link to the words](#Words).",
        "Another line<sup>1</sup> [[BS16](#References)], and Bun and Steinke [[BS16](#References)] again.",
        "## References\n\n- [BS16] Mark Bun and Thomas Steinke. Concentrated. TCC, 2016.",
        "> **Definition 1** (Its *name*)\n>\n> One paragraph, then\n>\n"
        r"> $$ \begin{split} a \\ b \end{split} $$",
        "> **Theorem 1**\n>\n> By Definition 1 and [Theorem 2](other.ipynb).",
        "<details>\n<summary>Proof</summary>\n\nSee *it*.\n\n```python\n"
        "# To run in a new cell, after the cell of the figure, which may be further down:\n"
        'live.figures["rdp"].values = {"alpha": 60, "k": 265}  # it\n```\n\n</details>',
        "> **Note**\n>\n> In a frame.",
        "*one*, *two* and [far away](other.ipynb).",
        "The exact loss is below zCDP.",
        "| a | b |\n| --- | --- |\n| $P(A \\vert B)$ | `x \\| y` |",
        "- **Term.** Its meaning.",
        "1. first\n\n2. second\n\n   with a paragraph",
        "> **Predict.** Where?\n>\n> 1. nowhere\n> 2. there\n> 3. at $k = 3$\n\n"
        "<details>\n<summary>Answer</summary>\n\n**3. at $k = 3$**\n\nIf you chose “there”: It is not there.\n\n"
        "If you chose “nowhere”: It is somewhere.\n\nBecause.",
        "```python\n# source/room.py\ndef epsilon():\n    return 1\n```",
        "```\n\nA picture\n\n## Exercises",
        "### Exercise 1 (By hand)\n\nDo it.\n\n#### Solution\n\nFirst.\n\nLast.\n\n## Exercises (continued)",
        "[Elsewhere](https://example.org/a) and [there](other.ipynb); Works is no notebook; `a.b(c)` neither.",
    ],
)
def test_page_reads_as_plain_markdown(written, text):
    assert written in text


def test_no_code_sets_a_figure_of_another_notebook(notebook):
    assert not any('live.figures["far"]' in cell.source for cell in notebook.cells)


def test_nothing_of_the_page_is_left_raw(text):
    assert not re.search(r"\{[\w:-]+\}`|`{3,}\{|^:\w+:", text, flags=re.MULTILINE)


def test_preset_is_a_resting_line_of_code_below_its_paragraph(notebook):
    (cell,) = [cell for cell in code(notebook) if "live.figures" in cell.source]
    assert cell.source.splitlines()[1:] == [
        '# live.figures["rdp"].values = {"alpha": 60}  # one',
        '# live.figures["rdp"].values = {"delta": 1e-05}  # two',
    ]


def test_code_is_folded_where_the_page_folds_it(notebook):
    folds = {cell.source: cell.metadata.get("jupyter") for cell in code(notebook)}
    assert folds["x = 1"] == {"source_hidden": True}
    assert folds["y = 2"] is None


def test_solution_is_under_a_folded_heading_with_its_cells(notebook):
    """An output alone cannot stay hidden: JupyterLab shows it as soon as the cell is run."""
    folded = [cell.source for cell in notebook.cells if cell.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert folded == ["#### Solution"]
    sources = [cell.source for cell in notebook.cells]
    after = sources[sources.index("#### Solution") + 1 :]
    assert after[:3] == ["First.", "y = 2", "Last."]
    assert after[3].startswith("## Exercises (continued)")


def test_second_build_makes_the_same_bytes(folder, tmp_path):
    again = build(tmp_path, PAGES)
    assert (again / "index.ipynb").read_bytes() == (folder / "index.ipynb").read_bytes()


def test_first_cell_names_what_to_install_by_the_repository_where_one_is_named(notebook, tmp_path):
    assert 'pip install "path/to/this/project[notebook]"' in code(notebook)[0].source
    named = build(tmp_path, {"index": CELL_PAGE}, repository="https://github.com/a/b")
    first = code(nbformat.read(named / "index.ipynb", as_version=4))[0]
    assert 'pip install "dp_lib[notebook] @ git+https://github.com/a/b"' in first.source


def test_notebook_of_a_page_without_code_any_more_is_removed(tmp_path):
    assert list(build(tmp_path, {"index": CELL_PAGE}).glob("*.ipynb"))
    assert not list(build(tmp_path, {"index": "# P\n\nWords.\n"}).glob("*.ipynb"))


def test_page_that_shows_no_cell_is_no_notebook(tmp_path):
    page = CELL_PAGE.replace("{code-cell} python\n", f"{{code-cell}} python\n{HIDDEN}\n")
    assert HIDDEN in page and not SHOWN.search(page)
    assert not list(build(tmp_path, {"index": page}).glob("*.ipynb"))


def test_directive_without_a_rule_fails_the_build(tmp_path):
    page = CELL_PAGE + "\n```{epigraph}\nWords.\n\n-- Me\n```\n"
    with pytest.raises(AssertionError, match="index.md.*no rule for 'attribution'"):
        build(tmp_path, {"index": page})


# -- the book's own notebooks


@READS_ALL
def test_every_page_that_shows_code_offers_its_notebook_and_no_other_page_does(site):
    offers = {}
    for path in CHAPTERS.rglob("*.md"):
        page = site / "chapters" / path.relative_to(CHAPTERS).with_suffix(".html")
        file = (site / "_sources" / page.relative_to(site)).with_suffix(".ipynb")
        if page.exists():
            offered = os.path.relpath(file, page.parent) in facts_of(page).links
            offers.setdefault(offered, set()).add(path)
    assert offers[True] == {path for path in offers[True] | offers[False] if SHOWN.search(path.read_text("utf-8"))}


@pytest.mark.parametrize("path", sorted(SITE.glob("_sources/chapters/**/*.ipynb")), ids=lambda path: path.stem)
def test_chapter_has_no_raw_directive(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"\{[\w:-]+\}`|`{3,}\{|^:\w+:", cell.source, flags=re.MULTILINE), cell.source


ASKED = re.compile(
    r"^> \*\*Predict\.\*\*.*\n>\n(?P<choices>(?:> \d+\. .*\n)+)(?:>.*\n)*"
    r"\n<details>\n<summary>Answer</summary>\n\n\*\*(?P<right>.*)\*\*\n(?P<told>(?:.*\n)*?)</details>",
    flags=re.MULTILINE,
)


@pytest.mark.parametrize("path", sorted(SITE.glob("_sources/chapters/**/*.ipynb")), ids=lambda path: path.stem)
def test_the_printed_answer_of_a_question_is_the_choice_without_a_reply(path):
    cells = nbformat.read(path, as_version=4).cells
    found = [asked for cell in cells if cell.cell_type == "markdown" for asked in ASKED.finditer(cell.source)]
    page = (CHAPTERS / path.relative_to(SITE / "_sources" / "chapters")).with_suffix(".md").read_text("utf-8")
    assert len(found) == len(re.findall("^:choices:", page, flags=re.MULTILINE))
    for asked in found:
        choices = [line.removeprefix("> ") for line in asked["choices"].splitlines()]
        replied = re.findall("^If you chose “(.*?)”: ", asked["told"], flags=re.MULTILINE)
        without = [choice for choice in choices if choice.split(". ", 1)[1] not in replied]
        assert [asked["right"]] == without
