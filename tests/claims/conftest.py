"""What the tests of sentences and questions get: the passage or the question that their decorator names."""

from collections.abc import Iterable, Iterator

import passages
import pytest

FIND = {"claim": passages.passage, "answers": passages.question}


def marks(item: pytest.Item) -> list[pytest.Mark]:
    """Return the marks of a test that name a passage or a question, from the uppermost decorator down."""
    return [mark for mark in item.iter_markers() if mark.name in FIND][::-1]


def found(mark: pytest.Mark, test: str) -> passages.Passage:
    """Return what the mark of a test names, if it gives the numbers that the mark lists."""
    shown = FIND[mark.name](*mark.args)
    if not shown.cut and not (faults := shown.faults(**mark.kwargs)):
        return shown
    change = " and ".join(f"{name}=" for name in mark.kwargs if mark.kwargs[name])
    said = shown.cut or [*faults, f"If the text is right, change {change} above {test}."]
    pytest.fail("\n".join(said), pytrace=False)  # the author reads the sentence, and not this code


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each passage that it checks."""
    if len(named := marks(metafunc.definition)) > 1:
        metafunc.parametrize("passage", named, indirect=True, ids=[mark.args[1] for mark in named])


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep a chapter's tests in one process, which runs the chapter's cells once, as for the chapter's figures."""
    for chapter in chapters(marks(item)):
        item.add_marker(pytest.mark.xdist_group(chapter))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Say where the chapter says what a failed test has not found."""
    report = yield
    if report.when == "call" and report.failed and "passage" in item.funcargs:
        report.sections.append(("What the chapter says", told(item.funcargs["passage"])))
    return report


def told(shown: passages.Passage) -> str:
    if isinstance(shown, passages.Question):
        right = [choice for choice, is_right in zip(shown.choices, shown.right, strict=True) if is_right]
        says = f"`:answer:` of {shown.label!r} names {' | '.join(right)} of the choices {' | '.join(shown.choices)}."
        return f"{shown.place}: {says} If by the test another choice is right, change the answer, else change the test."
    says = f"{shown.label!r} prints {', '.join(shown.printed) or 'no computed number'}: {shown.text}"
    remedy = "If the text is right, change what the test expects, else change the {eval} or the words."
    return f"{shown.place}: {says}\n{remedy}"


def chapters(named: Iterable[pytest.Mark]) -> set[str]:
    """Return the chapters that marks name, without .md."""
    return {mark.args[0].removesuffix(".md") for mark in named}


@pytest.fixture(autouse=True)
def passage(request: pytest.FixtureRequest) -> passages.Passage:
    """The passage that the test checks; also where the test does not ask for it, so that its label is looked up."""
    named = [request.param] if hasattr(request, "param") else marks(request.node)
    assert named, "a test in tests/claims begins with @claim(chapter, label) or @answers(chapter, label)"
    return found(named[0], f"{request.function.__name__} in tests/claims/{request.path.name}")


@pytest.fixture
def question(passage: passages.Passage) -> passages.Question:
    """The question that the test checks."""
    assert isinstance(passage, passages.Question), "a test that asks for `question` begins with @answers"
    return passage
