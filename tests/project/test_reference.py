"""The reference page and the table of functions, from their sources: every public function is documented and listed."""

import inspect
import re
from functools import partial

import pytest

import dp_lib.live
from book.reference import function_table as verbs
from book.reference.entries import NAMES, about_slider, body, entry, in_myst, items, module, paragraphs, public
from dp_lib import zcdp

MODULES = [*NAMES, "live"]
ENTRIES = {f"{home}.{name}": value for home in MODULES for name, value in public(home).items()}
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


@pytest.mark.parametrize("home", [home for home in NAMES if home != "domain"])  # of which readers use its error alone
def test_every_public_function_of_a_module_has_an_entry(home):
    source = module(home)
    functions = {
        name for name, each in inspect.getmembers(source, inspect.isfunction) if each.__module__ == source.__name__
    }
    assert {name for name in functions if name[0] != "_"} <= set(public(home))


def test_everything_that_live_offers_has_an_entry():
    assert set(dp_lib.live.__all__) - {"slider", "figures"} <= set(public("live"))
    assert dp_lib.live.slider is dp_lib.live.Slider


@pytest.mark.parametrize("name", WRITTEN)
def test_documented_parameters_are_the_functions_own(name):
    documented = section(WRITTEN[name], "Parameters")
    if documented is not None:
        named = [each for names in documented for each in names.split(", ")]
        assert named == parameters(WRITTEN[name]), f"{name}: Parameters has to name the arguments, in their order"
    else:
        text = inspect.getdoc(WRITTEN[name])
        unnamed = [each for each in parameters(WRITTEN[name]) if not re.search(rf"\b{each}\b", text)]
        assert not unnamed, f"{name}: its docstring has to name these arguments"


LACKS = 'its docstring lacks what "Add a function" in CONTRIBUTING.md shows:'


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, value in WRITTEN.items()
        if inspect.isfunction(value) and name.split(".")[0] not in ("live", "say")
    ],
)
def test_every_function_of_a_module_says_its_units_errors_source_and_a_number(name):
    text = inspect.getdoc(WRITTEN[name])
    if "PrivacyLoss" not in name:  # whose methods say it in a line
        assert section(WRITTEN[name], "Parameters"), (
            f"{name}: {LACKS} a section Parameters with the domain of each argument"
        )
        assert "\nReferences\n" in text, f"{name}: {LACKS} a section References with the paper and its theorem"
    assert ">>> " in text, f"{name}: {LACKS} an example (>>>) with its result"


FUNCTIONS = {
    name: value for name, value in WRITTEN.items() if inspect.isroutine(value) and name.split(".")[0] != "live"
}


def test_a_docstring_of_a_public_function_begins_with_return():
    first = {name: inspect.getdoc(value).split()[0] for name, value in FUNCTIONS.items()}
    others = {name: word for name, word in first.items() if word != "Return"}
    assert others == {}, 'each of these docstrings has to begin with "Return"'


def test_a_section_raises_does_not_repeat_what_every_function_raises():
    """dp_lib/domain.py says it once; the section names another reason."""
    raised = {name: section(value, "Raises") for name, value in WRITTEN.items()}
    assert [name for name, errors in raised.items() if "outside" in str(errors)] == []


def test_a_signature_is_short_enough_to_read_in_a_notebook():
    signatures = {name: str(inspect.signature(value)) for name, value in FUNCTIONS.items()}
    assert len(signatures) > 100
    assert {name: text for name, text in signatures.items() if len(text) > 200} == {}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_names_the_call_and_every_parameter(name):
    home, _, rest = name.partition(".")
    first, *lines = entry(home, rest, ENTRIES[name]).split("\n")
    assert first.split("} ")[1].startswith(name)
    for parameter in section(ENTRIES[name], "Parameters") or []:
        assert f"  - `{parameter}`: " in "\n".join(lines) or isinstance(ENTRIES[name], partial)


def test_a_ready_slider_says_its_private_end():
    text = about_slider(dp_lib.live.delta)
    assert (
        text == "The slider δ, extra probability: logarithmic; its private end is the low one. The rest as in `Slider`."
    )


def test_plain_text_is_no_markup():
    assert in_myst(["a*b* [x](y) _c_ `d_e`"]) == r"a\*b\* \[x\](y) \_c\_ `d_e`"


def test_a_section_without_a_name_is_refused():
    with pytest.raises(ValueError, match='expected "name : text", got'):
        body("What.\n\nParameters\n----------\nno colon here")


# -- the table of functions


@pytest.mark.parametrize("home", verbs.BUDGETS)
def test_every_public_function_of_a_definition_is_in_the_table_or_alone(home):
    assert [sentence for sentence in verbs.problems() if f"dp_lib.{home}." in sentence] == []
    shown = set(re.findall(rf"<{home}\.(\w+)>`", verbs.matrix()))
    assert shown == {name for name in public(home) if name[0].islower()}


def test_the_table_lists_nothing_else():
    assert [sentence for sentence in verbs.problems() if "dp_lib." not in sentence] == []


def test_a_function_that_the_table_lacks_is_named_with_the_file_to_edit(monkeypatch):
    def rounded(rho):
        return rho

    rounded.__module__ = "dp_lib.zcdp"
    monkeypatch.setattr(zcdp, "rounded", rounded, raising=False)
    said = (
        f"dp_lib.zcdp.rounded is not in the table of functions: in {verbs.HERE} add 'rounded' to the list in QUESTIONS "
        "whose question it answers, or to ALONE if no other module has such a function"
    )
    assert said in verbs.problems()


def test_what_is_gone_and_what_lacks_a_reason_is_named(monkeypatch):
    monkeypatch.setattr(verbs, "ALONE", [*verbs.ALONE, "lost"])
    monkeypatch.delitem(verbs.WHY, ("a random sample", "cdp"))
    monkeypatch.setitem(verbs.WHY, ("a group of people", "rdp"), "no reason")
    gone, wrong = verbs.problems()
    assert gone.endswith("['lost']")
    assert wrong.endswith("[('a group of people', 'rdp'), ('a random sample', 'cdp')]")
