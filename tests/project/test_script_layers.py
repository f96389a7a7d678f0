"""Which script of the page may use which: the core names no feature, and nothing uses itself through others.

Every name that one script gives to another is in the namespace `live`: the core's own (`live.dom = ...`), and what a
feature offers (`live.feature({ name: "pin", ..., offers })`), which another takes with `live.use("pin")`.
"""

import re
from pathlib import Path

import pytest

from livefigures.formulas import bundle as formulas
from livefigures.page import bundle

ROOT = Path(__file__).parents[2]
BUNDLED = [bundle.HERE / f"{name}.js" for name in (*bundle.SCRIPTS, *bundle.EXTRA)]
TYPED = [formulas.HERE / f"{name}.js" for name in formulas.SCRIPTS]
PLUGINS = [ROOT / "book" / "attack_game" / "game.js", *sorted((ROOT / "book" / "release_planner").glob("*.js"))]
SOURCES = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in [*BUNDLED, *TYPED, *PLUGINS]}
# Where a name is given: live.dom = ..., Object.assign(live, { feature, use }), globalThis.live = { trace: ... }.
GIVEN = re.compile(
    r"^ *live\.(\w+) = |Object\.assign\(live, \{ ([\w, ]+) \}\)|^ *globalThis\.live = \{ (\w+):", re.MULTILINE
)
USED = re.compile(r"(?<![\w.$-])live\.(\w+)")


def code(text):
    """A script without its comments."""
    return re.sub(r"(?<![:\"'`])//[^\n]*", "", text)


def is_core(name):
    return "/page/core/" in name


def given(text):
    """The names of the core that a script defines."""
    return {name for found in GIVEN.findall(code(text)) for part in found for name in part.split(", ") if name}


def registered(text):
    """The features that a script registers."""
    return set(re.findall(r"live\.feature\(\{\s*name: \"(\w+)\"", code(text)))


def definitions(sources):
    """Each name, `live.dom` or `pin`, with the script that defines it."""
    core = {f"live.{name}": path for path, text in sources.items() for name in given(text)}
    return core | {name: path for path, text in sources.items() for name in registered(text)}


def used(text):
    """The names that a script uses of others and of itself."""
    features = set(re.findall(r"live\.use\(\"(\w+)\"\)", code(text)))
    plain = re.sub(r"\"[^\"\n]*\"", "", code(text))  # a notebook's live.workbench stands in a string
    return {f"live.{name}" for name in USED.findall(plain)} | features


def uses(sources):
    """Each script, with the other scripts whose names it uses; a name that nobody defines is an error."""
    known = definitions(sources)
    found = {}
    for path, text in sources.items():
        unknown = used(text) - set(known)
        assert not unknown, f"{path} uses {sorted(unknown)}, which no script defines"
        found[path] = {known[name] for name in used(text)} - {path}
    return found


def circle(arrows):
    """The scripts that use one another in a circle, with whatever uses them; empty if there is no circle."""
    while free := {path for path, others in arrows.items() if not others & set(arrows)}:
        arrows = {path: others for path, others in arrows.items() if path not in free}
    return arrows


def of_core_naming_a_feature(sources):
    """What the core says that only a feature may: a feature's name, its button's action or its verb in the address."""
    words = {name for text in sources.values() for name in registered(text)}
    words |= {word for text in sources.values() for word in re.findall(r"(?:action|verb): \"([\w-]+)\"", code(text))}
    found = []
    for path, text in sources.items():
        if is_core(path):
            told = re.sub(r"(tell|make|querySelector)\(\"\w+\"", "", code(text))  # an event or an element: fit, summary
            said = {one for pair in re.findall(r"\"([\w-]+)\"|data-action=(\w+)", told) for one in pair}
            found += [f"{path} names {word}" for word in sorted(words & said)]
            found += [f"{path} uses or registers a feature"] * bool(re.search(r"live\.(use|feature)\(", told))
    return found


def test_core_names_no_feature():
    assert of_core_naming_a_feature(SOURCES) == []


def test_core_uses_only_the_core():
    for path, others in uses(SOURCES).items():
        assert not is_core(path) or all(map(is_core, others)), f"{path} uses {others}"


def test_no_script_uses_itself_through_others():
    assert circle(uses(SOURCES)) == {}


def test_a_script_is_loaded_after_all_that_it_takes_while_it_loads():
    """`const { make } = live.dom` and `live.use("pin")` stand at a script's beginning, where they are read at once."""
    known, seen = definitions(SOURCES), set()
    for path in map(str, (path.relative_to(ROOT) for path in [*BUNDLED, *TYPED])):
        top = "\n".join(re.findall(r"^(?:  )?(?:const .*|live\..*)$", code(SOURCES[path]), re.MULTILINE))
        at_once = {known[name] for name in used(re.sub(r"=> .*", "", top)) if name in known} - {path}
        assert at_once <= seen, f"{path} takes from {sorted(at_once - seen)}, which comes after it"
        seen.add(path)


PAGE = "livefigures/livefigures/page/"


@pytest.mark.parametrize(
    ("path", "injected"),
    [
        (f"{PAGE}core/figure.js", '  const { pinsOf } = live.use("pin");'),
        (f"{PAGE}core/keys.js", '  const BUTTONS = { k: "keep" };'),
        (f"{PAGE}core/figure.js", '  const button = document.querySelector("[data-action=keep]");'),
    ],
)
def test_a_feature_named_in_the_core_is_found(path, injected):
    assert of_core_naming_a_feature(SOURCES | {path: SOURCES[path] + injected}) != []


@pytest.mark.parametrize(
    ("path", "injected"),
    [
        (f"{PAGE}features/labels.js", '\n  const { plainly } = live.use("fit");\n'),
        (f"{PAGE}core/dom.js", "\n  live.page.adopt(element);\n"),
    ],
)
def test_a_circle_is_found(path, injected):
    assert path in circle(uses(SOURCES | {path: SOURCES[path] + injected}))
