"""The edition without solutions: nothing of a solution is read, run, shown or offered for download."""

import re

import pytest
from conftest import SITE
from small_book import run

from book.notebooks import solutions

CHAPTERS = sorted((SITE.parents[1] / "chapters").glob("*.md"))
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


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_solution_of_the_book_is_taken_out_and_every_exercise_stays(chapter):
    text = chapter.read_text("utf-8")
    left = solutions.without_solutions(text)
    assert "{solution" not in left
    assert left.count("{exercise}") == text.count("{exercise}")
    for name in re.findall(r"\{solution-start\} (\S+)", text):
        assert f":label: {name}\n" in left


def test_switch_is_zero_or_one(monkeypatch):
    monkeypatch.setenv(solutions.SWITCH, "no")
    with pytest.raises(ValueError, match="SOLUTIONS must be 0 or 1, got 'no'"):
        solutions.wanted()
