"""Checks of what the chapters say: one file a chapter, `test_<chapter>.py`, of ordinary tests.

    @claim("gaussian_noise.md", "discrete-gaussian-above-its-promise", numbers=[1e-5])
    def test_discrete_gaussian_is_above_its_promise(passage):
        assert float(passage.printed[0]) == pytest.approx(brute_force(...), rel=5e-4)

The label stands in the chapter at the end of the line that the test checks, behind the full stop and without a blank:

    Its true δ is {eval}`...`, above the promise.{check}`discrete-gaussian-above-its-promise`

It shows nothing to readers, and the line can be worded anew. Two lines that one test checks have the same label, and
one line can have several tests. What a figure says needs no mark: the labels are `figure.caption`, `figure.alt` and
`figure.claims`.

A test that wants it gets the `passage`: `.printed` has what each `{eval}` in it prints, `.names` what the chapter's
cells define, `.numbers` the numbers that are typed in it (in digits or in words, but no `one`), `.text` the words. What
is typed must not change without its test: `numbers=` lists what the passage has to give (more numbers may stand there),
or the test computes the number and asserts `passage.gives(number)`. No test compares words. It computes in another way
than the chapter does: by brute force, mpmath, an integral, the bracket of `dp_lib.pld`.

    @answers("comparing.md", "gap-between-the-lines", numbers=[0.5, 1], choices=[[], [], [], []])
    def test_question_gap_between_the_lines(question):
        assert question.right == [gap(1) == gap(0.5) / 2, gap(1) == 2 * gap(0.5), gap(1) == 0, ...]

`question.right` says of each choice whether the chapter has it as the right one; the test computes which are true. The
question has the option `:label:`. `numbers=` are those that the question has to give, `choices=` those of each choice.
`question.printed` has what each `{eval}` in the explanation prints.

An alt text is checked at the sliders' defaults: `at_rest("accounting_compared.md", "rdp-vs-zcdp").rises("zCDP").all()`.

A decorator only marks its test. The fixtures `passage` and `question` are in conftest.py; a test with two `claim`s runs
once for each. A label that the chapter does not have fails its test, and tests/text/test_questions.py finds the labels
and the questions that have no test.
"""

from collections.abc import Sequence

import pytest
from figures import run

from livefigures.declare.claims import Seen


def claim(chapter: str, label: str, numbers: Sequence[float] = ()) -> pytest.MarkDecorator:
    """Mark a test of a labelled passage, which has to give these numbers."""
    return pytest.mark.claim(chapter, label, numbers=numbers)


def answers(
    chapter: str, label: str, numbers: Sequence[float] = (), choices: Sequence[Sequence[float]] | None = None
) -> pytest.MarkDecorator:
    """Mark a test of a labelled question, which has to give these numbers, and so have its choices."""
    return pytest.mark.answers(chapter, label, numbers=numbers, choices=choices)


def at_rest(chapter: str, figure: str) -> Seen:
    """Return a figure of a chapter at its sliders' defaults, its numbers by name, as a claim's check gets it."""
    (shown,) = [each for each in run(chapter.removesuffix(".md")).figures if each.name == figure]
    return Seen(shown, shown.defaults, shown.scene(shown.defaults))
