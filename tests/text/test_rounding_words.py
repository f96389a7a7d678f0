"""A computed number next to a word of bounds is rounded outwards: "at most 8.01", "needs σ = 3.74", "L <= 10".

Only a bound word and the number that belongs to it are read: the number follows in the same clause, with at most a
symbol, a unit or a few words between. The number is written by `say.at_most` or `say.at_least`, whichever keeps the
sentence true. Where no rounding happens the expression says so itself: `say.exact(x, 1)`, which raises an error if x
is another number. What bounds nothing says "about", and takes `say.about`.
"""

import re

import pytest
from passages import ROOT

CHAPTERS = sorted(ROOT.glob("chapters/**/*.md"))
EVAL = r"\{eval\}`(?P<code>[^`]*)`"
FORMULA = r"\$[^$\n]{1,40}\$"  # a symbol and its sign: $\\sigma =$
FEW_WORDS = rf"(?P<between>(?:{FORMULA}|[^\W\d]+|[\s%(*-]){{0,6}}?)"  # no number, no sentence's end
UP, DOWN, EITHER = ("at_most",), ("at_least",), ("at_most", "at_least")
BEFORE = {  # words before the number, and who may write it
    r"at (?:the )?most|no more than|not more than|never more than|no greater than": UP,
    r"at (?:the )?least|no less than|not less than|never less than|no fewer than": DOWN,
    r"\\le\$": UP,
    r"\\ge\$": DOWN,
    r"needs?|asks? for|has to be": UP,
    r"within": UP,
    r"proves?|proved|up to": EITHER,  # of what is bounded, or of the bound
}
AFTER = {r"or (?:less|fewer)|at (?:the )?most": UP, r"or more|at (?:the )?least": DOWN}
FROM_ON = rf"(?i)\bfrom (?P<between>[^{{}}.\d]{{0,12}}){EVAL}[^.{{}}]{{0,25}}? on\b"


def bounds(text):
    """(the match, who may write its number) for each bound word with a computed number."""
    for words, helpers in BEFORE.items():
        for found in re.finditer(rf"(?i)(?<![\w-])(?:{words})(?![\w-])\s*{FEW_WORDS}{EVAL}", text):
            yield found, helpers
    for words, helpers in AFTER.items():
        for found in re.finditer(
            rf"(?i)(?P<between>){EVAL}(?: per cent| times|%|-DP)? (?:{words})\b(?! \S*\{{eval)", text
        ):
            yield found, helpers
    for found in re.finditer(FROM_ON, text):
        yield found, EITHER


def fits(found, helpers):
    """Whether a number is rounded as its word wants it, is exact, or is said to be about so large."""
    about = re.search(r"\babout\b", found["between"])
    allowed = ("about",) if about else (*helpers, "exact")
    return re.match(rf"(?:say\.)?(?:{'|'.join(allowed)})\(", found["code"]) or re.search(
        rf", (?:say\.)?(?:{'|'.join(allowed)})\)$", found["code"]
    )


def misrounded(text):
    """The bounds whose number is rounded to the nearest, or to the other side."""
    prose = re.sub(r"(?m)^:stays: .*$", "", text)  # names of curves, such as "attacker, at most"
    return sorted({" ".join(found[0].split()) for found, helpers in bounds(prose) if not fits(found, helpers)})


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_number_next_to_a_bound_word_is_rounded_outwards(path):
    found = misrounded(path.read_text("utf-8"))
    assert found == [], "write the number with say.at_most, say.at_least or say.exact, or say that it is about so large"


def test_the_chapters_have_such_numbers():
    assert sum(len(list(bounds(path.read_text("utf-8")))) for path in CHAPTERS) > 80


@pytest.mark.parametrize("number", ['f"{8.00369:.2f}"', "say.about(8.00369, 2)"])
@pytest.mark.parametrize(
    "sentence",
    [
        "It is at most {}.",
        "At least\n {} per cent are right.",
        "Optimal composition needs {} there.",
        "One count alone needs $\\sigma =$ {}.",
        "It proves $\\varepsilon =$ {} at this δ.",
        "It proves an ε of {}.",
        "The promise is $L \\le$ {}, but the mean is less.",
        "They are within {} per cent of each other.",
        "From $k =$ {} steps on it wins.",
        "They are {} or less.",
        "An attacker ends at {} per cent at most.",
        "Composing would ask for {}.",
        "The table has up to {} rows.",
    ],
)
def test_a_bound_to_the_nearest_is_found(sentence, number):
    assert len(misrounded(sentence.format("{eval}`" + number + "`"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "at most {eval}`say.at_least(8.00369, 2)`",
        "at least {eval}`say.at_most(8.00369, 2)`",
        "It needs {eval}`say.at_least(8.00369, 2)`.",
        "{eval}`say.at_least(8.00369, 2)` or less",
        "needs about {eval}`say.at_most(8.00369, 2)` times",
        "$L \\le$ {eval}`pure.repeat(0.1, 100)`",
    ],
)
def test_a_bound_to_the_wrong_side_is_found(text):
    assert len(misrounded(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "at most {eval}`say.at_most(8.00369, 2)`",
        "At least\n  {eval}`at_least(8.00369, 2)` per cent",
        "needs {eval}`say.exact(30 * 0.1, 1)`",
        "needs about {eval}`say.about(3.69, 1)` times a vector's noise",
        "a δ of at most {eval}`say.at_most(1.04e-5, 1, 'power')`",
        "proves that ε is at least {eval}`say.at_least(1.0518, 3)`",
        "at most as much. It is {eval}`f(1)`",
        "within 1000 guesses in {eval}`f(1)` of 100 games",
        "It needs noise; the mean is {eval}`f(1)`.",
        "Nothing is proved. The loss is {eval}`f(1)`.",
        "{eval}`f(1)` of 100 are right, at most half of them by luck",
        "Poisson says {eval}`say.at_most(1.02, 1)`, at least {eval}`say.at_least(2.1, 1)`",
    ],
)
def test_a_bound_that_is_rounded_outwards_passes_and_so_does_other_prose(text):
    assert misrounded(text) == []
