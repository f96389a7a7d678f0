"""The workbench: what a page makes of a typed line is what Python makes of it, and nothing else gets through."""

import importlib
import json
import re
from pathlib import Path
from types import SimpleNamespace

import IPython
import numpy as np
import pytest
from in_node import Node
from random_formulas import VALUES, Lines
from scipy import special

from book.reference import formula_editor as workbench
from dp_lib import domain, live, zcdp
from livefigures.formulas import bundle, grammar, typed, vocabulary
from livefigures.page import bundle as page_bundle

CORE = page_bundle.HERE / "core"
HOMES = {room: importlib.import_module(f"dp_lib.{room}") for room in workbench.SPOKEN}
NUMBERS = {name: np.float64(value) for name, value in VALUES.items()}
COMPOSE = """(cases) => cases.map(([text, values]) => {
  const { lines: [line], operations } = live.use("formula_reader").compose([text]);
  if (line.fault) return { fault: line.fault.message, at: line.fault.at };
  const tape = new live.trace.Player(operations);
  const taken = Object.fromEntries(line.names.map((name) => [name, Object.hasOwn(values, name) ? values[name] : 0.3]));
  for (const [name, value] of Object.entries(taken)) tape.set(name, value);
  return { values: [line.output].flat().map((place) => String(tape.get(place))), taken };
})"""
BLAMED = """([text, values]) => {
  const { lines: [line], operations, calls } = live.use("formula_reader").compose([text]);
  const tape = new live.trace.Player(operations);
  for (const name of line.names) tape.set(name, values[name] ?? 0.3);
  return live.use("formula_reader").blamed(calls, (place) => tape.get(place));
}"""


@pytest.fixture(scope="module")
def words():
    return bundle.words(workbench.functions(), workbench.ORDERS)


@pytest.fixture(scope="module")
def verbs(words):
    return json.loads(words)["verbs"]


@pytest.fixture(scope="module")
def node(words):
    """The page's reader, which knows the book's functions."""
    node = Node(*(CORE / f"{name}.js" for name in ("arithmetic", "trace", "features")), bundle.HERE / "reader.js")
    node.evaluate("(words) => live.use('formula_reader').learn(JSON.parse(words))", words)
    return node


@pytest.fixture(scope="module")
def compose(node):
    """`compose([["k + 1", {"k": 2}], ...])` is what the page makes of these lines."""
    return lambda cases: node.evaluate(COMPOSE, cases)


def by_python(text, values):
    """Return a line's value in a notebook, where Python evaluates it; a gap where a domain rejects a number."""
    with domain.gaps():
        found = grammar.evaluate(grammar.read(text), values, HOMES | grammar.elementwise())
    return [float(each) for each in (found if isinstance(found, tuple) else (found,))]


def agree(found, expected):
    return len(found) == len(expected) and np.allclose(found, expected, rtol=1e-9, atol=0, equal_nan=True)


@pytest.mark.long
def test_a_page_gives_what_python_gives(compose, verbs):
    lines = Lines(2026, verbs)
    texts = [lines.line() for _ in range(2000)]
    wrong, finite = [], 0
    for text, found in zip(texts, compose([[text, VALUES] for text in texts]), strict=True):
        values = [float(value) for value in found.get("values", [])]
        expected = by_python(text, NUMBERS)
        finite += bool(np.all(np.isfinite(expected)))
        if not agree(values, expected):
            wrong.append((text, found, expected))
    assert wrong == []
    assert finite > 1500, "most lines give no number: this is no test of those that do"


def test_every_verb_gives_what_python_gives(compose, verbs):
    lines = Lines(7, verbs)
    one = [name for name, verb in verbs.items() if not verb["fields"] and lines.gives_one(verb)]
    texts = [lines.call(name, 0) + ("" if name in one else "[1]") for name in verbs for _ in range(4)]
    for text, found in zip(texts, compose([[text, VALUES] for text in texts]), strict=True):
        assert agree([float(value) for value in found["values"]], by_python(text, NUMBERS)), text


def test_an_underscore_between_digits_is_read_as_in_python(compose):
    (found,) = compose([["60_000 + 1_0.5e1 * k", VALUES]])
    assert agree([float(value) for value in found["values"]], by_python("60_000 + 1_0.5e1 * k", NUMBERS))


def test_what_is_torn_gets_a_message_or_the_value_that_python_gives(compose, verbs):
    lines = Lines(11, verbs)
    texts = [lines.torn() for _ in range(5000)]
    accepted = 0
    for text, found in zip(texts, compose([[text, VALUES] for text in texts]), strict=True):
        if "fault" in found:
            assert found["fault"], text
            assert 0 <= found["at"] <= len(text.encode("utf-16-le")) // 2, text
            continue
        accepted += 1
        values = NUMBERS | {name: np.float64(value) for name, value in found["taken"].items()}
        page = [float(value.replace("true", "1")) for value in found["values"]]
        assert agree(page, by_python(text, values)), text
    assert accepted > 50, "hardly any line was accepted: this is no test of those that are"


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("zcdp.epsilon(rho)", "zcdp.epsilon needs delta: it takes rho, delta", 0),
        ("zcdp.epsilon(rho, detla=delta)", "zcdp.epsilon has no detla: it takes rho, delta", 18),
        ("zcdp.epsilon(rho, delta", ") expected", 23),
        ("pld.PrivacyLoss(k)", "pld works only in a notebook", 0),
        ("k + mechanisms.laplace(k)", "mechanisms works only in a notebook", 4),
        ("plt.plot(k)", "no module is called plt here", 0),
        ("zdcp.epsilon(rho, delta)", "no module is called zdcp here; did you mean zcdp? The modules are np", 0),
        ("zcdp.epsilom(rho, delta)", "zcdp.epsilom is not here; did you mean epsilon? zcdp has", 5),
        ("k + np.sqrtt(k)", "np.sqrtt is not here; did you mean sqrt? np has", 7),
        ("1e400 * k", "this number is too large", 0),
        ("60__000", "this is no number", 0),
        ("60_000_", "this is no number", 0),
        ("int(k)", "no function is called int here: write np.floor or np.ceil", 0),
        ("sqrt(k)", "no function is called sqrt here: write np.sqrt", 0),
        ("(k < 2) + 1", "a comparison is no number", 0),
        ("1 / 0", "this gives no number", 0),
        ("k + σ", "σ has no meaning here", 4),
        ("approx.repeat(epsilon, k)", "two numbers belong here", 14),
        ("sum(j for j in range(1000000000))", "terms", 15),
    ],
)
def test_a_message_says_what_is_wrong_and_where(compose, text, message, at):
    (found,) = compose([[text, VALUES]])
    assert message in found["fault"]
    assert found["at"] == at
    with pytest.raises(grammar.FormulaError):
        by_python(text, NUMBERS)


def test_a_function_that_a_notebook_has_and_the_page_has_not_is_told_apart(compose):
    (found,) = compose([["dp_sgd.sigma(epsilon, delta, q, steps)", VALUES]])
    assert found == {"fault": "dp_sgd.sigma works only in a notebook", "at": 0}


@pytest.mark.parametrize(
    ("text", "number"), [("1,5 * k", "1.5"), ("-1,5 * k", "1.5"), ("k * 2,25", "2.25"), ("1,50", "1.50"), ("k, 2", "")]
)
def test_a_decimal_comma_is_told_how_a_decimal_point_is_written(compose, text, number):
    (found,) = compose([[text, VALUES]])
    assert found["fault"].startswith("two numbers stand here")
    told = f'; a decimal point is written ".", as in {number}'
    assert found["fault"].endswith(told if number else "[0] or [1]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zcdp.epsilon(-rho, delta)", "rho must be at least 0"),
        ("zcdp.epsilon(rho, 2)", "delta must be above 0 and below 1"),
        ("dp_sgd.epsilon(0, q, 10, delta)", "sigma must be at least 1e-50 and at most 1e50"),
        ("zcdp.gaussian(0)", "sigma must be above 0"),
        ("dp_sgd.epsilon(sigma, 2, 10, delta)", "q must be at least 0 and at most 1"),
        ("dp_sgd.epsilon(sigma, q, 1.5, delta)", "steps must be a whole number, at least 0"),
    ],
)
def test_a_value_outside_of_a_domain_is_told_the_domain_in_words(node, text, message):
    found = node.evaluate(BLAMED, [text, VALUES])
    assert f"{found['name']} {found['says']}" == message


@pytest.mark.parametrize(
    "text",
    [
        "().__class__",
        "zcdp.__dict__",
        "zcdp._np",
        "zcdp.np.load(k)",
        "zcdp.domain.positive(k)",
        "zcdp.domain",
        "zcdp.NDArray(k)",
        "np.load(k)",
        "np.where.mro()",
        "k.tobytes()",
        "k[0].item()",
        "(k for k in (1, 2)).send(1)",
        "max(np.item() for np in (1, 2))",
        "(lambda np: np.item())(k)",
        "k.real",
        "approx.repeat((epsilon, delta), k).count",
        "(j for j in (1, 2)).gi_frame",
        "[j for j in (1, 2)]",
        "sum(j for j in (1, 2) if j)",
        "sum(j for j in range(k))",
        "(k := 2)",
        "max(*k)",
        "eval(k)",
        "print(k)",
        "k = j = 2",
        "zcdp = zcdp",
        "import os",
        "None",
        "True",
        "-" * 900 + "k",
        "(" * 400 + "k" + ")" * 400,
        "9 ** 9 ** 9 ** 9",
    ],
)
def test_a_notebook_rejects_what_is_no_formula_and_says_where(text):
    with pytest.raises(grammar.FormulaError) as rejected:
        by_python(text, NUMBERS)
    assert rejected.value.message
    assert 0 <= rejected.value.at <= len(text)


def test_a_notebook_makes_the_figure_of_the_same_words():
    figure = live.workbench(
        "rho = zcdp.gaussian(sigma)",
        "zcdp.epsilon(rho * k, delta)",
        "zcdp.epsilon_tight(rho * k, delta)",
        "zcdp.epsilon_tight(rho * k, delta) <= zcdp.epsilon(rho * k, delta)",
        sigma=(50, 400, 200),
        k=(1, 1000, 500),
    )
    at = figure.readings(figure.defaults)
    assert at["curves/zcdp.epsilon/y"] == float(zcdp.epsilon(zcdp.gaussian(200) * 500, 1e-5))
    assert [claim.words for claim in figure.claims] == [figure.lines[-1]]
    assert figure.claims[0].check({"sigma": 200.0, "k": np.array([1.0, 500.0]), "delta": 1e-5}).all()
    assert (figure.x.name, figure.controls["sigma"].low) == ("k", 50)


def test_a_line_may_name_the_books_modules_and_those_that_the_notebook_has_imported(monkeypatch):
    notebook = SimpleNamespace(user_ns={"sp": special, "zcdp": None, "delta": 0.5})
    monkeypatch.setattr(IPython, "get_ipython", lambda: notebook)
    figure = live.workbench("sp.expit(k - 250)", "zcdp.epsilon(rho, delta)", x="k")
    assert figure.readings(figure.defaults | {"k": 250.0})["curves/sp.expit/y"] == 0.5
    assert [*figure.controls] == ["rho", "delta", "k"]
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    with pytest.raises(grammar.FormulaError, match="no module is called sp here"):
        live.workbench("sp.expit(k - 250)")


def test_a_claim_of_a_notebook_holds_up_to_rounding_and_claims_nothing_at_a_gap():
    line = grammar.read("k * (1 + 5e-10) <= k")
    k = np.arange(1.0, 200)
    assert not grammar.evaluate(line, {"k": k}, {}).any()
    assert grammar.holds(line, {"k": k}, {}).all()
    assert not grammar.holds(grammar.read("k * (1 + 2e-9) <= k"), {"k": k}, {}).any()
    assert not grammar.holds(grammar.read("k < k"), {"k": k}, {}).any()
    gap = grammar.read("np.log(k) <= k - 5")
    with np.errstate(invalid="ignore"):
        assert grammar.holds(gap, {"k": np.array([-1.0, 1.0, 9.0])}, HOMES | grammar.elementwise()).tolist() == [
            True,
            False,
            True,
        ]


CHAPTERS = Path(__file__).parents[2] / "chapters"
QUESTIONS = [
    (path.stem, block)
    for path in sorted(CHAPTERS.rglob("*.md"))
    for block in re.findall(r"^```\{formulas\} .*\n((?:.+\n)+?)```", path.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize(("chapter", "lines"), QUESTIONS)
def test_what_a_chapter_sends_to_the_workbench_is_a_figure_there(chapter, lines):
    figure = typed.figure_of(lines.splitlines(), HOMES | grammar.elementwise(), "", {}, {"name": "typed"})
    assert np.isfinite(list(figure.readings(figure.defaults).values())).any()
    for claim in figure.claims:
        assert np.all(claim.check(figure.defaults | {figure.x.name: figure.x.grid})), claim.words


@pytest.mark.parametrize(
    ("lines", "x", "labels"),
    [
        (["np.exp(-rate * t)"], "t", ["np.exp(-rate * t)"]),
        (["a * t ** alpha", "np.log(t)"], "t", ["a * t ** alpha", "np.log(t)"]),
        (["growth = a * t", "growth - special.expit(t) * delta / 2"], "t", ["growth - special.expit(…"]),
    ],
)
def test_a_figure_of_no_book_runs_over_the_name_with_a_range_and_names_its_formulas(lines, x, labels, monkeypatch):
    monkeypatch.setattr(vocabulary.known, "first", ())
    figure = typed.typed(*lines, t=(0, 10))
    assert (figure.x.name, figure.x.high, [*figure.curves]) == (x, 10, labels)


def test_a_name_that_the_author_gave_a_range_keeps_it_on_the_page():
    assert typed.typed("mine * k", mine=(1, 3), x="k").ranges == {"k": (1, 1000, 500), "mine": (1, 3, 1)}
    assert typed.typed("mine * k").ranges == {}  # the page knows as much


def test_a_file_edits_the_functions_of_a_book_that_can_be_traced_alone():
    assert '"zcdp.epsilon"' in live.workbench("zcdp.epsilon(rho, delta)").editor()
    assert live.workbench("rdp.subsampled_gaussian(8, sigma, q)").editor() == ""  # its order must be a known number
