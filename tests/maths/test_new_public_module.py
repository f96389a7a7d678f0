"""Every public module of dp_lib has its place everywhere; one message names all that a new one lacks."""

import inspect
import re
import tomllib
from pathlib import Path

import mutants
import pytest
import test_arguments
import test_traceable_modules

from book.reference import function_table as verbs
from book.reference.definition_map import DEFINITIONS
from book.reference.entries import NAMES, module, public
from dp_lib import zcdp

ROOT = Path(__file__).parents[2]
REFERENCE = re.findall(r"^```\{reference\} (\w+)$", (ROOT / "chapters/reference.md").read_text("utf-8"), re.MULTILINE)
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
STRICT = next(each["module"] for each in SETTINGS["tool"]["mypy"]["overrides"] if "enable_error_code" in each)


def lacks(home):
    """Where a module is missing, each place with what to write there."""
    if not (ROOT / f"tests/maths/test_{home}.py").exists():
        yield f"tests/maths/test_{home}.py: its tests"
    if (home in verbs.BUDGETS) == (home in verbs.WITHOUT_COLUMN):
        yield "book/reference/function_table.py: its column in BUDGETS, or in WITHOUT_COLUMN the reason why it has none"
    if home in verbs.BUDGETS and home not in DEFINITIONS:
        yield "book/reference/definition_map.py: its box in DEFINITIONS, and arrows"
    if home in DEFINITIONS and not (ROOT / f"chapters/{DEFINITIONS[home].chapter}.md").exists():
        yield f"chapters/{DEFINITIONS[home].chapter}.md: its chapter"
    if home not in REFERENCE:
        yield f"chapters/reference.md: a section with ```{{reference}} {home}"
    if not any(name == f"dp_lib.{home}" or name.startswith(f"dp_lib.{home}.") for name in STRICT):
        yield "pyproject.toml: its name among the modules that mypy checks strictly"
    yield from lacks_of_arguments(home)


def lacks_of_arguments(home):
    """Traced functions are tried with values of each argument: those that no list knows."""
    if home in test_traceable_modules.NOT_TRACED_MODULES:
        return
    names = {
        argument: f"{home}.{name}"
        for name, function in vars(module(home)).items()
        if inspect.isfunction(function) and function.__module__ == f"dp_lib.{home}" and name[0] != "_"
        for argument in inspect.signature(function).parameters
        if f"{home}.{name}" not in [*test_traceable_modules.NOT_TRACED, *test_traceable_modules.SPECIAL]
    }
    for argument, function in names.items():
        if argument == "budget":
            if module(home) not in test_traceable_modules.PAIRS:
                yield f"tests/maths/test_traceable_modules.py: the two numbers of a budget ({function}) in PAIRS"
            continue
        if argument not in test_traceable_modules.VALUES:
            place = "tests/maths/test_traceable_modules.py"
            yield f"{place}: values of {argument} ({function}) in VALUES, or NOT_TRACED and why"
        if argument not in test_arguments.ARGUMENTS:
            yield f"tests/maths/test_arguments.py: the domain of {argument} ({function}) in ARGUMENTS"


@pytest.mark.parametrize("home", NAMES)
def test_a_module_has_its_place_everywhere(home):
    missing = list(lacks(home))
    assert not missing, f"dp_lib.{home} has no place yet in\n  " + "\n  ".join(missing)


def untested(home):
    """Yield the public functions that no test file of their module calls, each with what to write where."""
    files = [*mutants.COMMON_TESTS, f"tests/maths/test_{home}.py", *mutants.MORE_TESTS.get(home, [])]
    text = "".join((ROOT / name).read_text("utf-8") for name in files)
    text = re.sub(r'"[\w.]+": ', "", text)  # a key of a list of exceptions calls nothing
    for name, value in public(home).items():
        owner, _, method = f"{home}.{name}".rpartition(".")
        written = rf"\.{method}\(" if "." in name else rf"\b{owner}\.{method}\b"
        if inspect.isroutine(value) and not re.search(written, text):
            yield (
                f"no test calls {home}.{name}: in tests/maths/test_{home}.py compare it with an oracle that shares no "
                "code with it (mpmath, an integral, brute force)"
            )


# The public part of domain is an error.
@pytest.mark.parametrize("home", [home for home in NAMES if home != "domain"])
def test_every_public_function_has_a_test_in_its_modules_file(home):
    assert list(untested(home)) == []


def test_a_function_without_a_test_is_named_with_the_file_to_write_in(monkeypatch):
    def rounded(rho):
        return rho

    rounded.__module__ = "dp_lib.zcdp"
    monkeypatch.setattr(zcdp, "rounded", rounded, raising=False)
    said = (
        "no test calls zcdp.rounded: in tests/maths/test_zcdp.py compare it with an oracle that shares no code with it "
        "(mpmath, an integral, brute force)"
    )
    assert said in untested("zcdp")


def test_no_list_names_a_module_that_is_gone():
    lists = {
        "book/reference/function_table.py": {*verbs.BUDGETS, *verbs.WITHOUT_COLUMN},
        "book/reference/definition_map.py": set(DEFINITIONS),
        "chapters/reference.md": set(REFERENCE) - {"live"},
        "tests/mutants.py": set(mutants.FILES),
        "tests/maths/test_traceable_modules.py": set(test_traceable_modules.NOT_TRACED_MODULES),
        "pyproject.toml": {name.split(".")[1] for name in STRICT},
    }
    assert {place: names - set(NAMES) for place, names in lists.items()} == dict.fromkeys(lists, set())


def test_map_and_verb_table_show_the_same_definitions():
    assert list(DEFINITIONS) == list(verbs.BUDGETS)
