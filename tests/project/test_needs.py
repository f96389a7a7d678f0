"""What a page builds on: it stands above the title, comes earlier in the book, and has to be a page."""

import re
from types import SimpleNamespace

from docutils import nodes

from book.theme import needs


def told(names, page="chapters/zcdp", source=""):
    titles = {"chapters/rdp": nodes.title("", "RDP"), "chapters/approx": nodes.title("", "Approximate DP")}
    metadata = {"chapters/zcdp": {"needs": names}}
    app = SimpleNamespace(env=SimpleNamespace(metadata=metadata, titles=titles, doc2path=lambda _: source))
    context = {}
    needs.say(app, page, "page.html", context, None)
    return context["needs"]


def test_pages_are_named_by_their_titles():
    assert told("approx rdp") == [
        {"name": "chapters/approx", "title": "Approximate DP"},
        {"name": "chapters/rdp", "title": "RDP"},
    ]
    assert told("rdp", page="chapters/pure") == []


def test_what_is_no_page_is_told_with_the_line_of_the_field(monkeypatch, tmp_path):
    source = tmp_path / "zcdp.md"
    source.write_text("---\nneeds: rpd rdp\n---\n# A title\n\nThe divergence of rpd.\n", "utf-8")
    warnings = []
    monkeypatch.setattr(
        needs.LOGGER, "warning", lambda words, *names, location: warnings.append((words % names, location))
    )
    assert [page["name"] for page in told("rpd rdp", source=source)] == ["chapters/rdp"]
    assert warnings == [("needs must name pages of this folder, got 'rpd'", ("chapters/zcdp", 2))]


def test_a_page_builds_on_pages_that_come_before_it(site):
    first = (site / "chapters" / "references.html").read_text("utf-8")
    order = re.findall(r'<a href="(\w+\.html)"', first[first.index("<nav") : first.index("<main")])
    built = 0
    for place, page in enumerate(order):
        line = re.search(r'<p class="eyebrow needs">Builds on (.*?)</p>', (site / "chapters" / page).read_text("utf-8"))
        named = re.findall(r'href="([^"]+)"', line[1]) if line else []
        assert set(named) <= set(order[:place]), page
        built += bool(named)
    assert built >= 20
