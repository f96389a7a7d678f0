"""The reference page and the verb table: everything public, as it is, and every link leads somewhere."""

import gzip
import inspect
import re
from functools import partial

import pytest
from conftest import SITE
from livefigures.sphinx.page_facts import PageFacts

import dp_lib.live
from book.reference import function_table as verbs
from book.reference.entries import about_slider, body, entry, in_myst, items, module, paragraphs, public
from book.reference.public_modules import FIGURES, ROOMS

MODULES = [*ROOMS, FIGURES]
ENTRIES = {f"{room}.{name}": value for room in MODULES for name, value in public(room).items()}
WRITTEN = {name: value for name, value in ENTRIES.items() if not isinstance(value, partial)}  # not a ready slider


def section(value, title):
    """The items of a docstring's section, or None."""
    found = [block[2:] for block in paragraphs(inspect.getdoc(value)) if block[0] == title]
    return items(found[0]) if found else None


def parameters(value):
    """The names of what it takes."""
    if isinstance(value, property) or inspect.isclass(value) and issubclass(value, Exception):
        return []
    return [name for name in inspect.signature(value).parameters if name != "self"]


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "domain"])  # of which readers use its error alone
def test_every_public_function_of_a_room_has_an_entry(room):
    home = module(room)
    functions = {
        name for name, each in inspect.getmembers(home, inspect.isfunction) if each.__module__ == home.__name__
    }
    assert {name for name in functions if name[0] != "_"} <= set(public(room))


def test_everything_that_live_offers_has_an_entry():
    assert set(dp_lib.live.__all__) - {"slider", "figures"} <= set(public("live"))
    assert dp_lib.live.slider is dp_lib.live.Slider


@pytest.mark.parametrize("name", WRITTEN)
def test_documented_parameters_are_the_functions_own(name):
    documented = section(WRITTEN[name], "Parameters")
    if documented is not None:
        assert [each for names in documented for each in names.split(", ")] == parameters(WRITTEN[name])
    else:
        text = inspect.getdoc(WRITTEN[name])
        assert not [each for each in parameters(WRITTEN[name]) if not re.search(rf"\b{each}\b", text)]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, value in WRITTEN.items()
        if inspect.isfunction(value) and name.split(".")[0] not in ("live", "say")
    ],
)
def test_every_function_of_a_room_says_its_units_errors_source_and_a_number(name):
    text = inspect.getdoc(WRITTEN[name])
    if "PrivacyLoss" not in name:  # whose methods say it in a line
        assert section(WRITTEN[name], "Parameters")
        assert set(section(WRITTEN[name], "Raises")) == {"DomainError"}
        assert "\nReferences\n" in text
    assert ">>> " in text


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_names_the_call_and_every_parameter(name):
    room, _, rest = name.partition(".")
    first, *lines = entry(room, rest, ENTRIES[name]).split("\n")
    assert first.split("} ")[1].startswith(name)
    for parameter in section(ENTRIES[name], "Parameters") or []:
        assert f"  - `{parameter}`: " in "\n".join(lines) or isinstance(ENTRIES[name], partial)


def test_a_ready_slider_says_its_private_end():
    text = about_slider(dp_lib.live.delta)
    assert text == "The slider δ, failure mass: logarithmic; its private end is the low one. The rest as in `Slider`."


def test_plain_text_is_no_markup():
    assert in_myst(["a*b* [x](y) _c_ `d_e`"]) == r"a\*b\* \[x\](y) \_c\_ `d_e`"


def test_a_section_without_a_name_is_refused():
    with pytest.raises(ValueError, match='expected "name : text", got'):
        body("What.\n\nParameters\n----------\nno colon here")


# -- the verb table


def test_every_public_verb_of_the_six_rooms_stands_in_the_table_or_alone():
    shown = set(re.findall(r"<(\w+\.\w+)>`", verbs.matrix()))
    own = {f"{room}.{name}" for room in verbs.BUDGETS for name in public(room) if name[0].islower()}
    assert shown == own


def test_a_verb_without_a_question_fails(monkeypatch):
    monkeypatch.setitem(verbs.QUESTIONS, "a group of people", [])
    with pytest.raises(ValueError, match="'pure.group', 'approx.group'"):
        verbs.cells()


def test_a_dash_without_a_reason_fails(monkeypatch):
    monkeypatch.delitem(verbs.WHY, ("a random sample", "cdp"))
    with pytest.raises(ValueError, match="with or without why .*'a random sample', 'cdp'"):
        verbs.cells()


def test_a_reason_for_what_is_there_fails(monkeypatch):
    monkeypatch.setitem(verbs.WHY, ("a group of people", "rdp"), "no reason")
    with pytest.raises(ValueError, match="'a group of people', 'rdp'"):
        verbs.cells()


# -- in the built book


def test_every_entry_has_its_anchor_and_the_table_leads_to_each_verb(site):
    anchors = PageFacts((site / "chapters/reference.html").read_text("utf-8")).ids
    assert set(ENTRIES) <= anchors
    links = PageFacts((site / "chapters/index.html").read_text("utf-8")).links
    for room in verbs.BUDGETS:
        for name in public(room):
            assert f"reference.html#{room}.{name}" in links or name[0].isupper()


def test_verb_table_scrolls_in_its_own_box_on_a_phone(open_page):
    page = open_page("chapters/index.html", viewport={"width": 390, "height": 800})
    box = page.locator(":has(> .verbs-matrix)")
    wide, narrow = box.evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert wide > narrow
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_search_finds_a_verb(open_page):
    page = open_page("search.html?q=epsilon_tight")
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").evaluate_all("links => links.map((a) => new URL(a.href).hash)")
    assert {"#rdp.epsilon_tight", "#zcdp.epsilon_tight"} <= set(found)


def test_reference_page_keeps_the_budget_of_a_chapter():
    assert len(gzip.compress((SITE / "chapters/reference.html").read_bytes())) <= 150_000
