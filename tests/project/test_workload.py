"""The table of the plan of the course: how long a student reads, solves and programs for each lesson."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from passages import ROOT

from book.handouts import homework, workload
from book.theme.reading_time import A_MINUTE

CHAPTERS = ROOT / "chapters"


def section(title, length, *inside):
    return nodes.section("", nodes.title("", title), nodes.paragraph("", "word " * (length * A_MINUTE)), *inside)


def page():
    """A page of 10 minutes and three sections, of which the second has one inside, and a proof that is folded."""
    folded = nodes.admonition("", nodes.paragraph("", "word " * 100), classes=["dropdown"])
    parts = [section("a", 1, folded), section("b", 2, section("c", 4)), section("d", 8)]
    document = new_document("page")
    document += section("The page", 10, *parts)
    return document


@pytest.mark.parametrize(
    ("first", "stop", "length"), [("", "", 25), ("", "b", 11), ("b", "d", 6), ("", "c", 13), ("c", "", 12)]
)
def test_a_part_of_a_page_takes_the_time_of_its_sections(first, stop, length):
    assert workload.minutes(page(), first, stop) == pytest.approx(length, abs=0.1)  # a title has words, too


def test_the_parts_are_those_of_the_plan_and_their_sections_are_in_the_chapters():
    for number, (_, plan) in homework.lessons().items():
        reads = re.search(r"\*The class reads before:\*.*", plan)[0]
        full, short = workload.READING[number]
        both = {name for name, *_ in full} | {name for name, *_ in short}
        named = {f"chapters/{name}" for name in re.findall(r"\((\w+)\.md\)", reads)}
        assert both == named - {"chapters/accounts"}  # the other half of the class reads it
        for name, *titles in (*full, *short):
            source = (ROOT / f"{name}.md").read_text("utf-8")
            assert all(re.search(rf"(?m)^##+ {re.escape(title)}$", source) for title in titles if title)
    labs = {number: len(homework.lab_of(plan)) for number, (_, plan) in homework.lessons().items()}
    assert {number for number, many in labs.items() if many} == set(workload.LABS)


def test_the_table_has_each_lesson_and_the_sums(monkeypatch):
    monkeypatch.setattr(workload, "READING", dict.fromkeys("12345678", ([("x", "", "b")], [("x", "a", "b")])))
    found = workload.table(SimpleNamespace(get_doctree=lambda name: page()))
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in found.splitlines() if "<td>" in row]
    assert [row[0] for row in rows[:-1]] == [title for title, _ in homework.lessons().values()]
    assert rows[0][1:] == ["0", "0", "75", "45", "3½"] and rows[4][1:] == ["0", "0", "75", "0", "3"]
    labs = sum(int(row[4]) for row in rows[:-1])
    assert rows[-1] == ["all", "1½", "0", "600", str(labs), workload.hours(8 * (11 + 75 + 90) + labs)]


@pytest.mark.parametrize(("pages", "said"), [({"chapters/pure"}, "the table"), (set(), "")])
def test_the_table_takes_its_place_unless_a_preview_has_only_this_page(pages, said, monkeypatch):
    monkeypatch.setattr(workload, "table", lambda env: "the table")
    document = new_document("page")
    document += workload.Workload.run(None)
    workload.fill(SimpleNamespace(env=SimpleNamespace(found_docs=pages)), document, "chapters/teaching")
    assert document.astext() == said
