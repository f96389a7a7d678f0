"""Checks under the sentences and the questions that they check: one file a chapter, `test_<chapter>.py`.

    @says("approx.md", "its true δ is {...}, above the promise")
    def _(said):
        assert float(said[0]) == pytest.approx(brute_force(...), rel=5e-4)

The sentence stands as in the chapter's source, marks and formulas included; white space, and the seams of a caption's
strings, do not count. `{...}` stands for one `{eval}`; `said` has what each of them prints. A check may ask for `names`
too, what the chapter's cells define. It computes in another way than the sentence's own `{eval}`: brute force, mpmath,
an integral, the bracket of `dp_lib.pld`. A sentence that the chapter no longer has is a failure.

    @answers("comparing.md", "You slide ε from 0.5 to 1.")
    def _():
        return {"it halves": gap(1) == gap(0.5) / 2, "it doubles": ..., "there is no gap, before or after": ..., ...}

The truth of every choice of the question that begins so: the right one's must be true, and each other's false.
For a question that asks for a number the check gets what its answer prints as `said`, and asserts.

An alt text is checked at the sliders' defaults: `at_rest("comparing.md", "rdp-vs-zcdp").rises("zCDP").all()`.
"""

import inspect
import re
from collections.abc import Callable

import pytest
from figures import run
from quotations import ANY, Question, plain, questions, stands_in, without_numbers

from livefigures.declare.claims import Seen


def printed_in(chapter: str, sentence: str) -> list[str]:
    """What each `{eval}` of a quoted sentence prints."""
    ran = run(chapter.removesuffix(".md"))
    before = plain(ran.text).index(plain(sentence))
    first = plain(ran.text)[:before].count(ANY)
    return list(ran.printed.values())[first : first + sentence.count(ANY)]


def at_rest(chapter: str, figure: str) -> Seen:
    """A figure of a chapter at its sliders' defaults, its numbers by name, as a claim's check gets it."""
    (shown,) = [each for each in run(chapter.removesuffix(".md")).figures if each.name == figure]
    return Seen(shown, shown.defaults, shown.scene(shown.defaults))


def question(chapter: str, begins: str) -> Question:
    """The one question of a chapter that begins so."""
    found = [each for each in questions(chapter) if plain(each.asked).startswith(plain(begins))]
    assert len(found) == 1, f"{chapter} has {len(found)} questions that begin {begins!r}"
    return found[0]


def says(chapter: str, sentence: str) -> Callable:
    """A check of a sentence of a chapter."""

    def declare(check: Callable) -> Callable:
        def test() -> None:
            assert stands_in(chapter, sentence), f"{chapter} no longer says: {sentence}"
            check(**_wanted(check, chapter, sentence))

        return _collected(check, "says", chapter.removesuffix(".md"), sentence, test)

    return declare


def answers(chapter: str, begins: str) -> Callable:
    """A check of a question's choices: it returns {choice: whether it is true}; for a number it asserts."""

    def declare(check: Callable) -> Callable:
        def test() -> None:
            asked = question(chapter, begins)
            truths = check(**_wanted(check, chapter, asked.body))
            if asked.choices:
                assert list(truths) == asked.choices, "the choices, in their order, are others now"
                true = [choice for choice, truth in truths.items() if truth]
                assert true == [asked.choices[asked.answer - 1]], f"{begins!r}: the choices that are true"

        return _collected(check, "answers", chapter.removesuffix(".md"), begins, test)

    return declare


def _wanted(check: Callable, chapter: str, sentence: str) -> dict:
    """What a check asks for by its arguments' names."""
    known = {
        "said": lambda: printed_in(chapter, plain(sentence)),
        "names": lambda: run(chapter.removesuffix(".md")).names,
    }
    return {name: known[name]() for name in inspect.signature(check).parameters}


def _collected(check: Callable, kind: str, chapter: str, words: str, test: Callable) -> Callable:
    """The test, under a name of its own in the module of the check, so that pytest finds it."""
    name = f"test_{kind}_" + "_".join(re.findall(r"\w+", without_numbers(words))[:9])
    while name in check.__globals__:
        name += "_again"
    test.__doc__, test.__name__ = words, name
    check.__globals__[name] = pytest.mark.xdist_group(chapter)(test)  # as the tests of the chapter's figures
    return check
