"""The edition without solutions: nothing of a solution is shown or offered for download, and only a lab's are run."""

import re

import nbformat
import pytest
from conftest import SITE
from small_book import run

from book.notebooks import lab, solutions
from book.theme.pages import THEME

CHAPTERS = sorted((SITE.parents[1] / "chapters").rglob("*.md"))
PAGE = """# A page

```{exercise}
:label: ex-sum

What is one and one?
```

````{solution-start} ex-sum
:class: dropdown
````

The secret is two.

````{solution-end}
````

The text goes on.
"""
LAB = """---
file_format: mystnb
kernelspec:
  name: python3
  language: python
orphan: true
---

# A lab

````{exercise-start} Write a function
:label: ex-double
````

Return twice the number.

```{code-cell} python
def double(number):
    ...
```

````{exercise-end}
````

````{solution-start} ex-double
:class: dropdown
````

The secret is a product.

```{code-cell} python
def double(number):
    secret = 2
    return secret * number

print("a secret", double(50))
```

````{solution-end}
````

The check comes next.

```{code-cell} python
print("the check got", double(21))
```

```{code-cell} python
print("number    double\\n    21        42")
```
"""


def build(folder, monkeypatch, switch):
    """The site of one page, as the switch says."""
    monkeypatch.setenv(solutions.SWITCH, switch)
    source = folder / "source"
    source.mkdir()
    (source / "index.md").write_text(PAGE, "utf-8")
    settings = {
        "extensions": ["myst_parser", "sphinx_exercise", "book.theme.search", "book.notebooks.solutions"],
        "html_theme": "basic",
    }
    _, warnings = run(folder, source, folder / "html", settings)
    assert warnings == ""
    return folder / "html"


def test_edition_for_a_class_shows_and_offers_no_solution(tmp_path, monkeypatch):
    site = build(tmp_path, monkeypatch, "0")
    texts = [path.read_text("utf-8") for path in (site / "index.html", site / "_sources/index.md.txt")]
    indices = [(site / name).read_text("utf-8") for name in ("searchindex.js", "_static/search.js")]
    for text in [*texts, *indices]:
        assert "secret" not in text
    assert "The text goes on." in indices[1]
    assert "What is one and one?" in texts[0] and "The text goes on." in texts[0]


def test_edition_with_solutions_is_what_is_built_otherwise(tmp_path, monkeypatch):
    assert "The secret is two." in (build(tmp_path, monkeypatch, "1") / "index.html").read_text("utf-8")


# -- a lab, whose checks need what the solutions define


@pytest.fixture(scope="module", params=["1", "0"])
def lab_site(request, tmp_path_factory):
    """(whether it has solutions, the site) of a small book with a lab, in each edition."""
    folder = tmp_path_factory.mktemp("lab")
    for name, text in {"index": "# Front\n", "chapters/labs/one": LAB}.items():
        file = folder / "source" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    settings = {
        "extensions": ["myst_nb", "sphinx_exercise", "livefigures.sphinx", "book.theme.search"]
        + ["book.checks.kernels", "book.notebooks.downloads", "book.notebooks.solutions", "book.notebooks.lab_outputs"],
        "source_suffix": {".md": "myst-nb"},
        "html_theme": "theme",
        "html_theme_path": [str(THEME.parent)],
        "nb_execution_mode": "inline",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LIVEFIGURES_BUILDING", "IPYTHONDIR"):  # a build sets them in the environment of this process
            patch.setenv(name, "")
        patch.setenv(solutions.SWITCH, request.param)
        _, warnings = run(folder, folder / "source", folder / "html", settings)
    assert warnings == ""
    return request.param == "1", folder / "html"


def test_solutions_of_a_lab_run_in_both_editions(lab_site):
    _, site = lab_site
    assert "the check got 42" in (site / "chapters/labs/one.html").read_text("utf-8")


def test_a_check_of_the_book_s_own_function_is_folded_and_on_paper_stands_with_the_solutions(lab_site):
    with_solutions, site = lab_site
    page = (site / "chapters/labs/one.html").read_text("utf-8")
    classes, said = re.search(
        r'<details class="([^"]*)"><summary>The output with the book.s own functions(.*?)</details>', page, re.S
    ).groups()
    assert "the check got 42" in said and page.count("the check got 42") == 1
    assert ("solution" in classes.split()) == with_solutions  # book.js gathers these when it prints


def test_a_printed_table_is_marked_and_prose_is_not(lab_site):
    _, site = lab_site
    page = (site / "chapters/labs/one.html").read_text("utf-8")
    (table,) = re.findall(r'class="[^"]*\baligned\b[^"]*".*?</pre>', page, re.S)
    assert "number    double" in table


def test_solutions_of_a_lab_stand_in_the_edition_with_solutions_only(lab_site):
    with_solutions, site = lab_site
    page = (site / "chapters/labs/one.html").read_text("utf-8")
    everything = [page, *((site / name).read_text("utf-8") for name in ("searchindex.js", "_static/search.js"))]
    everything.append((site / "_sources/chapters/labs/one.md.txt").read_text("utf-8"))
    assert ["secret" in text for text in everything] == [with_solutions] * 4
    assert ("a secret 100" in page) == with_solutions  # what a solution prints
    assert ("dropdown" in page) == with_solutions  # folded, as in the other chapters
    assert "Return twice the number." in page and "The check comes next." in page


def test_notebook_of_a_lab_holds_stub_and_check_and_no_solution(lab_site):
    _, site = lab_site
    cells = nbformat.read(site / "_sources/chapters/labs/one.ipynb", as_version=4).cells
    stub, check, _ = [cell.source for cell in cells if cell.cell_type == "code"][1:]
    assert stub == "def double(number):\n    ..."
    assert check == 'print("the check got", double(21))'
    words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "secret" not in words and "Solution" not in words and "(continued)" not in words


def test_make_lab_opens_the_notebook_without_solutions_in_a_folder_of_its_own(lab_site, tmp_path):
    _, site = lab_site
    assert lab.bring(site / "_sources/chapters", tmp_path / "notebooks") == []
    assert "secret" not in (tmp_path / "notebooks/labs/one.ipynb").read_text("utf-8")


def test_first_cell_of_a_lab_names_the_packages_of_its_data(lab_site):
    _, site = lab_site
    cells = nbformat.read(site / "_sources/chapters/labs/one.ipynb", as_version=4).cells
    assert 'pip install "path/to/this/project[notebook,labs]"' in cells[1].source


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_solution_of_the_book_is_taken_out_and_every_exercise_stays(chapter):
    text = chapter.read_text("utf-8")
    left = solutions.without_solutions(text)
    assert "{solution" not in left
    assert left.count("{exercise") == text.count("{exercise")
    for name in re.findall(r"\{solution-start\} (\S+)", text):
        assert f":label: {name}\n" in left


LESSONS = [path for path in CHAPTERS if path.parent.name == "lessons" and path.stem != "lesson_1"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_asks_for_the_homework_and_does_not_answer_it(lesson):
    text = lesson.read_text("utf-8")
    parts, left = (re.split(r"(?m)^## .*\n", each) for each in (text, solutions.without_solutions(text)))
    first = next(number for number, part in enumerate(parts) if part != left[number])
    slide = re.search(r"```\{slide\}\n.*?```\n", parts[first], re.DOTALL)[0]
    assert left[first].strip().endswith(slide.strip())  # nothing after the slide
    assert parts[:first] + parts[first + 1 :] == left[:first] + left[first + 1 :]


def test_switch_is_zero_or_one(monkeypatch):
    monkeypatch.setenv(solutions.SWITCH, "no")
    with pytest.raises(ValueError, match="SOLUTIONS must be 0 or 1, got 'no'"):
        solutions.wanted()
