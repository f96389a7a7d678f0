"""The labelled passages and the questions of the chapters, for the checks in tests/claims.

A label is `{check}`name`` at the end of a line of prose, and labels that line, which is a sentence as the chapters are
written, an item of a list or a row of a table. A passage of several lines has its label at the end of each of them. A
formula that is displayed below a line without a full stop belongs to the line. What a figure says has a label without
further marks, `figure.caption`, `figure.alt` or `figure.claims`, and a question has the option `:label:`.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from figures import Chapter, run

from livefigures.sphinx.predict import split_choices

ROOT = Path(__file__).parent.parent
CHECKS = sorted((ROOT / "tests" / "claims").glob("test_*.py"))
ANY = "{...}"  # an {eval} in a text
LABEL = re.compile(r"\{check\}`([^`]*)`")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_EVAL = re.compile(r"\{eval\}`[^`]*`")
_MIDDLE = re.compile(r"^(?![`:#|(%]).*(?<![.!?])[\w,;`})]\$?$")  # a line of prose that ends before its sentence does
_ITEM = re.compile(r"\s*(?:[-*+>|#]|\d+\.) ")  # a line that begins a part of its own
_DISPLAYED = re.compile(r"\s*^\$\$\n.*?^\$\$[^\n]*$", re.MULTILINE | re.DOTALL)
_QUESTION = re.compile(r"(?ms)^(?P<fence>`{3,}|:{3,})\{predict\} (?P<asked>[^\n]*)\n(?P<rest>.*?)^(?P=fence)$")

_UNITS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: float(number) for number, word in enumerate([*_UNITS.split(), "eighteen", "nineteen"], 2)}
_WORDS |= {word: 10.0 * number for number, word in enumerate(_TENS.split(), 2)}
_WORDS |= {"half": 0.5, "quarter": 0.25, "twice": 2.0}
_PARTS = {"halves": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_IN_COMPOUNDS = {"one": 1.0}  # forty-one
_POWERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6}
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_WORD = "|".join([*_WORDS, *_POWERS])
_NO_NUMBERS = [  # (what is computed, a label, a reference, code, an address or an index, what stands for it)
    (r"\{(?:eval|check|prf:ref|cite:?\w*|doc|ref|eq)\}`[^`]*`", " "),
    (r"\{curve\}`([^<`]*)[^`]*`", r" \1 "),  # the words alone
    (r"\{[\w:-]+\}`([^`]*)`", r" \1 "),  # any other role has words, and a link its settings
    (r"`[^`]*`|\]\([^)]*\)|_(?:\{[^{}]*\}|\\?\w+?\b)", " "),
    (r"(?<=\d)(?:\{,\}|\\,|,| )(?=\d{3}(?!\d))", ""),  # 12,000
]
_NUMBER = re.compile(
    r"\b10(?:\^\{?(?P<tex>-?\d+)\}?|(?P<small>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
    r"|(?P<digits>\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
    r"|\b(?P<count>two|three|four) (?P<parts>halves|third|quarter|fifth|tenth)s?\b"
    r"|\b(?:a|one) (?P<part>third|fifth|tenth)\b(?= of\b| as\b| at\b|[.,;:]|$)"  # a third curve is no number
    rf"|\b(?P<words>(?:{_WORD})(?:[ -](?:{_WORD})|-one)*)\b(?!-)",
    re.IGNORECASE,
)


def numbers_in(text: str) -> list[float]:
    r"""Return the numbers typed in a text, in digits or in words, without their signs.

    The numbers of a link's settings are among them; `one` and ordinals are not.

    >>> numbers_in(r"From $k = 7$ on, at $\delta = 10^{-5}$ or 10⁻⁶, D_{50} is {eval}`f(3)` in 12,000 of 20 000 cases.")
    [7.0, 1e-05, 1e-06, 12000.0, 20000.0]
    >>> numbers_in("forty-one counts are two hundred times, or a hundred times, or twice, three and a half")
    [41.0, 200.0, 100.0, 2.0, 3.0, 0.5]
    >>> numbers_in("about a third of it, two thirds, three quarters, a quarter, the third, and a third curve")
    [0.3333333333333333, 0.6666666666666666, 0.75, 0.25]
    >>> numbers_in("{set}`the same at 4 <gap: epsilon=0.25>` and {set}`7 <gap: k=7>`, by {prf:ref}`thm-2` or `f(3)`")
    [4.0, 0.25, 7.0, 7.0]
    """
    for pattern, instead in _NO_NUMBERS:
        text = re.sub(pattern, instead, text)
    return [_value(found) for found in _NUMBER.finditer(text)]


def _value(found: re.Match) -> float:
    if found["tex"] or found["small"]:
        return float(f"1e{found['tex'] or found['small'].translate(_SUPERSCRIPTS)}")
    if found["digits"]:
        return float(found["digits"])
    if found["part"]:
        return 1 / _PARTS[found["part"].lower()]
    if found["parts"]:
        return _WORDS[found["count"].lower()] / _PARTS[found["parts"].lower()]
    value, words = 0.0, re.split(r"[ -]", found["words"].lower())
    for word in words:
        value = (value or 1.0) * _POWERS[word] if word in _POWERS else value + (_WORDS | _IN_COMPOUNDS)[word]
    return value


def missing(wanted: Iterable[float], text: str) -> list[float]:
    """Return the numbers that a text does not give, or gives fewer times than wanted."""
    return sorted((Counter(map(float, wanted)) - Counter(numbers_in(text))).elements())


def listed(numbers: Iterable[float]) -> str:
    """Return numbers as a message shows them.

    >>> listed([10.0, 1e-5, 0.25])
    '10, 1e-05, 0.25'
    """
    return ", ".join(f"{number:.12g}" for number in numbers)


@cache
def source(chapter: str) -> str:
    """Return the source of chapters/<chapter>."""
    return (ROOT / "chapters" / chapter).read_text("utf-8")


@dataclass
class Passage:
    """A labelled passage of a chapter, made of some stretches of the chapter's source."""

    chapter: str
    label: str
    stretches: list[tuple[int, int]]

    @property
    def _ran(self) -> Chapter:
        return run(self.chapter.removesuffix(".md"))

    @property
    def source(self) -> str:
        """The passage as it stands in the source, labels left out."""
        return LABEL.sub("", "\n".join(source(self.chapter)[start:end] for start, end in self.stretches))

    @property
    def text(self) -> str:
        """The passage in one line, {...} for each `{eval}`."""
        return " ".join(_EVAL.sub(lambda _: ANY, self.source).split())

    @property
    def printed(self) -> list[str]:
        """What each `{eval}` of the passage prints, in their order."""
        return [text for at, text in self._ran.printed.items() if any(a <= at < b for a, b in self.stretches)]

    @property
    def names(self) -> dict:
        """What the chapter's cells define."""
        return self._ran.names

    @property
    def said(self) -> str:
        """What the chapter's cells print."""
        return self._ran.said

    @property
    def numbers(self) -> list[float]:
        """The numbers that are typed in the passage, not computed."""
        return numbers_in(self.source)

    def gives(self, *numbers: float) -> bool:
        """Return whether these numbers are typed in the passage, each as many times as here."""
        return not missing(numbers, self.source)

    @property
    def place(self) -> str:
        """The file that it stands in, and the line, if it is a line of the file."""
        lines = [str(source(self.chapter)[:start].count("\n") + 1) for start, _ in self.stretches[:1]]
        return ":".join([f"chapters/{self.chapter}", *lines])

    @property
    def cut(self) -> list[str]:
        """What is wrong with lines of the passage that begin in the middle of a sentence."""
        lines = ["", *source(self.chapter).split("\n")]
        mine = [number for number, line in enumerate(lines) if self.label in LABEL.findall(line)]
        return [
            f"chapters/{self.chapter}:{number}: the line of {self.label!r} begins in the middle of a sentence, and its "
            "check sees only this line: write the whole sentence on one line of the source"
            for number in mine
            if number - 1 not in mine and _MIDDLE.search(LABEL.sub("", lines[number - 1]).rstrip())
            if not _ITEM.match(lines[number])
        ]

    def faults(self, numbers: Sequence[float] = ()) -> list[str]:
        """Return what is wrong with the passage if it has to give these numbers."""
        return self.lacks(numbers, self.source, self.text)

    def lacks(self, numbers: Sequence[float], text: str, shown: str) -> list[str]:
        """Return which of these numbers a text does not give, and which it gives."""
        if not (absent := missing(numbers, text)):
            return []
        has = listed(numbers_in(text)) or "no number"
        return [f"{self.place}: {self.label!r} no longer gives {listed(absent)}; it has {has}: {shown}"]


class FigureText(Passage):
    """The caption, the alt text or the claims of a figure."""

    @property
    def source(self) -> str:
        name, _, part = self.label.partition(".")
        found = [each for each in self._ran.figures if each.name == name]
        assert found, f"chapters/{self.chapter} has no figure {name!r}"
        return " ".join(each.words for each in found[0].claims) if part == "claims" else getattr(found[0], part)


@dataclass
class Question(Passage):
    """A question of a chapter. Its stretch is the explanation, with the options behind the replies."""

    asked: str
    choices: list[str]
    right: list[bool]  # of each choice
    line: int

    @property
    def place(self) -> str:
        """The file and the line in which it begins."""
        return f"chapters/{self.chapter}:{self.line}"

    def faults(self, numbers: Sequence[float] = (), choices: Sequence[Sequence[float]] | None = None) -> list[str]:
        """Return what is wrong with the question if it and its choices have to give these numbers."""
        found = [(self.asked, numbers)]
        if choices is not None:
            if len(choices) != len(self.choices):
                return [f"{self.place}: {self.label!r} has {len(self.choices)} choices, not {len(choices)}"]
            found += zip(self.choices, choices, strict=True)
        return [fault for text, wanted in found for fault in self.lacks(wanted, text, text)]


@cache
def passages(chapter: str) -> dict[str, Passage]:
    """Return the passages that have a label in a chapter's text, by label."""
    found: dict[str, Passage] = {}
    for line in re.finditer(r"(?m)^.*\{check\}`.*$", source(chapter)):
        stretches = [line.span()]
        below = _DISPLAYED.match(source(chapter), line.end())
        if below and not re.search(r"[.:?!]$", LABEL.sub("", line[0]).rstrip()):
            stretches.append(below.span())
        for label in LABEL.findall(line[0]):
            found.setdefault(label, Passage(chapter, label, [])).stretches.extend(stretches)
    return found


@cache
def questions(chapter: str) -> list[Question]:
    """Return all questions of a chapter."""
    found = []
    for block in _QUESTION.finditer(source(chapter)):
        options = dict(re.findall(r"(?m)^:(\w+): (.*)$", block["rest"]))
        choices = split_choices(options["choices"])
        right = [str(number) == options["answer"] for number in range(1, len(choices) + 1)]
        replies = re.search(r"(?m)^:replies: .*\n", block["rest"])  # they have numbers of their own
        start = block.start("rest") + (replies.end() if replies else 0)
        line = source(chapter)[: block.start()].count("\n") + 1
        stretches = [(start, block.end("rest"))]
        found.append(Question(chapter, options.get("label", ""), stretches, block["asked"], choices, right, line))
    return found


def passage(chapter: str, label: str) -> Passage:
    """Return the passage of a chapter that has this label."""
    if "." in label:
        return FigureText(chapter, label, [])
    known = passages(chapter)
    assert label in known, f"no line of chapters/{chapter} ends with {{check}}`{label}`; it has: {', '.join(known)}"
    return known[label]


def question(chapter: str, label: str) -> Question:
    """Return the question of a chapter that has this label."""
    known = {each.label: each for each in questions(chapter)}
    assert label in known, f"no question of chapters/{chapter} has `:label: {label}`; it has: {', '.join(known)}"
    return known[label]


@cache
def checks() -> list[tuple[str, str, str, str]]:
    """Return (`claim` or `answers`, chapter, label, code) of every check in tests/claims."""
    return [
        (call.func.id, ast.literal_eval(call.args[0]), ast.literal_eval(call.args[1]), ast.unparse(function))
        for path in CHECKS
        for function in ast.parse(path.read_text("utf-8")).body
        for call in getattr(function, "decorator_list", [])
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("claim", "answers")
    ]


def checked(decorator: str) -> list[tuple[str, str]]:
    """Return (chapter, label) of every check in tests/claims that has this decorator."""
    return [(chapter, label) for name, chapter, label, _ in checks() if name == decorator]


def reads_no_number(chapter: str) -> list[str]:
    """Return the labels of a chapter's passages that print numbers at which no check looks."""
    reading = {label for _, where, label, code in checks() if where == chapter and ".printed" in code}
    return [label for label, each in passages(chapter).items() if _EVAL.search(each.source) and label not in reading]
