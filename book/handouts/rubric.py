"""How an exercise is graded: the points of each step, and what the usual mistakes give and cost."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from inspect import cleandoc
from itertools import groupby

from book.handouts.numbers import number

NEAREST = (
    "The numbers of the mistakes are rounded to the nearest, so a student who rounds up may have one more in the last "
    "digit."
)
_RULES = (
    "Add up the points of the steps of each {part}. A step that is missing gets none, and a solution that goes "
    "another way gets the points of the steps that it replaces.",
    "A step with a usual mistake counts as done, and so does a step that is missing because of this mistake. The "
    "{part} then loses what the table of mistakes says, once and down to 0 at the lowest. Later steps that use the "
    "wrong number correctly get their points. A mistake that is not in the table costs the points of its step. A "
    "slip of arithmetic costs 1 point.",
    "Numbers without a reason or a calculation get half of the points. Grade the {part} as if the reasons stood "
    "there, so that a step with a usual mistake counts as done. Subtract what the table of mistakes says and the "
    "points for slips and for rounding, halve the result once, and round up to a whole point. If only some steps "
    "have a reason, halve only the points of the others. A wrong reason counts as none. For example, a "
    "solution of 10 points that has only numbers, of which one comes from a mistake that costs 2, gets (10 − 2)/2 = "
    "4 points. This is not for proofs. Where the {part} says “Show that”, numbers alone get the points of the steps "
    "that give these numbers, and no others.",
    "Numbers may be rounded to three digits, and two digits lose 1 point, once in each {part}. An ε, a δ, a σ or a "
    "scale that is promised and rounded down to three digits, or a largest allowed value that is rounded up, loses 1 "
    "point, once {where}. With four digits or more, or as a formula such as ln 3, a number is right. Where the table "
    "of mistakes says what a number costs, the table counts and this rule does not. It costs nothing if a student does "
    "not say how a number was rounded. " + NEAREST + "{more}",
)
# Of homework alone.
_BY_KIND = (
    "In an exercise “by slider”, a number that is read in the figure needs no reason, and a percentage of two such "
    "numbers needs no calculation, so their steps get all of their points, and only the others are halved. A number "
    "that is read one stop or one unit beside the right one is a slip, unless the table of mistakes has it. Where the "
    "exercise asks for a position of the slider, an exact number is right as well.",
    "In an exercise “by hand”, a call of a function is no calculation. An exercise “by code” is graded by its numbers "
    "and by the sentence that answers the question, and not by its style. Code that stops with an error gets the "
    "points of the steps that it does before the error or would do after it, but not those of the result.",
)


def rules(part: str, where: str, more: str = "") -> list[str]:
    """Return how the parts of a paper are graded, which are exercises or questions, with more about rounding.

    >>> rules("question", "in the exam")[1].split(". ")[1]
    'The question then loses what the table of mistakes says, once and down to 0 at the lowest'
    """
    return [rule.format(part=part, where=where, more=more) for rule in _RULES]


RULES = (*rules("exercise", "on each sheet"), *_BY_KIND)  # of homework


def in_short(part: str, where: str, slip: str = "", but: str = "") -> str:
    """Return the same in two lines, for a short key.

    >>> in_short("a question", "in the exam").split(". ")[1]
    'Any other costs its step, a slip 1'
    """
    return (
        f"A usual mistake costs its points once, and its step is done. Any other costs its step, a slip{slip} 1. "
        f"Numbers alone get half, rounded up, except{but} in proofs. Two digits cost 1 {part}, a promise rounded "
        f"wrongly 1 {where}."
    )


IN_SHORT = in_short("an exercise", "a sheet", " or one stop or unit off", " “by slider” and")  # of homework

# The same for those who write, at the head of a sheet.
TOLD = (
    "Write how you found each number, because numbers alone get half of the points. “By hand” means that you call "
    "no function for it. “By slider” means that you read the number in the figure, and need no reason. Three digits "
    "are enough. Round an ε, a δ, a σ or a scale up, but round the largest value that is allowed down, and say so."
)


@dataclass(frozen=True)
class Mistake:
    """A usual mistake.

    Attributes
    ----------
    costs : the points that a solution loses by it
    words : how it is recognized
    gives : the number that it leads to, if it leads to one
    """

    costs: int
    words: str
    gives: float | None


@dataclass(frozen=True)
class Rubric:
    """The points of an exercise.

    Attributes
    ----------
    steps : pairs of the points and the sentence of a step
    mistakes : the usual mistakes
    answers : the numbers that the exercise asks for
    by_code : the points of a check by code, which students who do not program leave out
    rule : the rule that the exercise uses, in a few words, if it is for the short key
    """

    steps: Sequence[tuple[int, str]]
    mistakes: Sequence[Mistake]
    answers: Sequence[float]
    by_code: int = 0
    rule: str = ""

    @property
    def total(self) -> int:
        return sum(points for points, _ in self.steps)

    @property
    def points(self) -> str:
        """The points of the exercise in words."""
        without = f", or {self.total - self.by_code} without the check by code" if self.by_code else ""
        return f"{self.total} points{without}"


@dataclass(frozen=True)
class Exercise:
    """An exercise that is not in the book, with its rubric."""

    lesson: str
    title: str
    asked: Sequence[str]
    rubric: Rubric


_MISTAKE = re.compile(r"(\d+): (.*?)(?: → (\S+))?")
_EXPONENT = re.compile(r"\^(?:\(((?:[^()]|\([^()]*\))*)\)|(\w[\w′]*(?:\.\d+)?))")


def parts(text: str) -> list[list[str]]:
    """Return the items of each part of a text: an item begins a line, and goes on in lines that are indented.

    >>> parts("2: (a) 1/2.\\n8: (b) It is the\\n  square.\\n\\n2: (b) The double. → 1")
    [['2: (a) 1/2.', '8: (b) It is the square.'], ['2: (b) The double. → 1']]
    """
    return [re.sub(r"\n +", " ", part).split("\n") for part in cleandoc(text).split("\n\n")]


def read_rubric(steps: list[str], mistakes: list[str], last: Sequence[str] = (), by_code: int = 0) -> Rubric:
    """Return the rubric with these items. A step begins with its points, and a mistake with what it costs.

    The last items are the answers, if they are numbers, and, in homework, the rule.

    >>> read_rubric(["10: It is 1/2."], ["2: It is doubled. → 1"], ["Answers: 0.5, 2", "Rule: halves"]).answers
    [0.5, 2.0]
    """
    answers, *rule = [item.split(": ", 1)[1] for item in last] or [""]
    found = [_MISTAKE.fullmatch(item).groups() for item in mistakes]
    return Rubric(
        [(int(points), words) for points, words in (step.split(": ", 1) for step in steps)],
        [Mistake(int(costs), words, float(gives) if gives else None) for costs, words, gives in found],
        [float(number) for number in answers.split(", ") if number],
        by_code,
        *rule,
    )


def read_exercise(lesson: str, title: str, text: str) -> Exercise:
    """Return an exercise, whose text has one part more: the first is what is asked."""
    asked, *rest = parts(text)
    return Exercise(lesson, title, asked, read_rubric(*rest))


def enter(entries: list, *key: str) -> Callable[[Callable], Callable]:
    """Append a function that returns the text of an exercise to a list, behind its lesson and its title."""

    def enter_text(text: Callable) -> Callable:
        entries.append((*key, text))
        return text

    return enter_text


RUBRICS: dict[str, Callable[[], Rubric]] = {}  # by the label of the exercise


def of(label: str, by_code: int = 0) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Enter a rubric, whose text a function returns, under the label of its exercise. It is computed once."""

    def enter_text(text: Callable[[], str]) -> Callable[[], str]:
        RUBRICS[label] = cache(lambda: read_rubric(*parts(text()), by_code=by_code))
        return text

    return enter_text


def shown(value: float) -> str:
    """Return a number to three digits, or as it is where it has no more than four.

    >>> shown(4.0), shown(0.12345), shown(1.0986), shown(0.5625), shown(1700.0), shown(2.5e-6)
    ('4', '0.123', '1.0986', '0.5625', '1700', '2.50 · 10⁻⁶')
    """
    short = f"{value:.4f}".rstrip("0").rstrip(".")
    return short if float(short) == value else number(value)


def typeset(text: str) -> str:
    """Return the text as HTML, in which a word, number or bracket behind a caret is an exponent.

    >>> typeset("e^ε₀ < e^0.5. So e^(−ε(s − 1)) is")
    'e<sup>ε₀</sup> &lt; e<sup>0.5</sup>. So e<sup>−ε(s − 1)</sup> is'
    """
    return _EXPONENT.sub(lambda power: f"<sup>{power[1] or power[2]}</sup>", escape(text))


def paragraphs(lines: Sequence[str]) -> str:
    """Return these lines as HTML. Lines that begin with a bar are the rows of a table, as in Markdown.

    >>> paragraphs(["Two:", "| A | 1", "| B | <2"])
    '<p>Two:</p>\\n<table><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>&lt;2</td></tr></table>'
    """
    written = []
    for are_rows, group in groupby(map(typeset, lines), lambda line: line.startswith("| ")):
        if are_rows:
            rows = (line.removeprefix("| ").replace(" | ", "</td><td>") for line in group)
            written.append(f"<table>{''.join(f'<tr><td>{row}</td></tr>' for row in rows)}</table>")
        else:
            written += [f"<p>{line}</p>" for line in group]
    return "\n".join(written)


def steps(rubric: Rubric) -> str:
    """Return the rows of a table of the steps with their points."""
    return "".join(f"<tr><td>{points}</td><td>{typeset(step)}</td></tr>" for points, step in rubric.steps)


def html(rubric: Rubric) -> str:
    """Return the points and the mistakes as two tables."""
    mistakes = "".join(
        f"<tr><td>−{each.costs}</td><td>{typeset(each.words)}</td>"
        f"<td>{'' if each.gives is None else shown(each.gives)}</td></tr>"
        for each in rubric.mistakes
    )
    return (
        f"<table><tr><th>points</th><th>step</th></tr>{steps(rubric)}</table>\n"
        f"<table><tr><th>points</th><th>usual mistake</th><th>gives</th></tr>{mistakes}</table>"
    )
