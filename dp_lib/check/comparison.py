"""A function against a correct one: where they first differ, and which common slip explains it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dp_lib import domain
from dp_lib.check.runs import Rng, check_callable
from dp_lib.check.time_limit import Watch
from dp_lib.domain import DomainError

SECONDS = 10  # after which no further arguments are tried
TOLERANCE = 1e-6  # relative, so that a search for σ may stop after six digits


@dataclass(frozen=True, repr=False)
class Match:
    """What `matches` found; it is true where the two functions agree, and `str` says it in words.

    Parameters
    ----------
    agrees : whether the two agree at all arguments tried
    tried : at how many settings of the arguments the two were compared
    arguments : the first at which they differ, by name
    mine : what your function returned there; in words if that is no number, or if the function raised an error
    reference : what the correct function returned there
    slip : the mistake that explains the difference, or nothing
    notes : what else the reader should know, in sentences
    """

    agrees: bool
    tried: int
    arguments: dict[str, float]
    mine: Any = None
    reference: float | None = None
    slip: str = ""
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.agrees

    def __str__(self) -> str:
        if self.agrees:
            agrees = f"Your function agrees with the book's function at {self.tried} arguments. That is no proof."
            return " ".join([agrees, *self.notes])
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.arguments.items())
        # Nine digits show every difference that counts, and none of the last digits, which vary between computers.
        got = self.mine if isinstance(self.mine, str) else f"returns {self.mine:.9g}"
        said = f"At {at} your function {got}, and the right answer is {self.reference:.9g}."
        return " ".join([said, *([self.slip] if self.slip else []), *self.notes])

    __repr__ = __str__


def matches(mine: Callable[..., Any], reference: Callable[..., Any], *, rng: Rng = None, **ranges: Any) -> Match:
    """Return whether a function agrees with a correct one, and the first arguments at which it does not.

    It is tried at round numbers, at the ends of the ranges, at 200 random arguments, and at ten of these with one
    argument changed, or at as many of them as ten seconds allow. Two values agree if they differ by at most a
    millionth. Arguments that the reference rejects with a DomainError are left out.

    Parameters
    ----------
    mine : your function, called with the arguments by name; it returns a number
    reference : a correct function of the same arguments
    rng : source of randomness; by default another one in each check
    ranges : for each argument a pair (low, high); whole numbers such as (1, 100) give whole numbers, and a range over
        more than a factor of 100 is tried evenly on a logarithmic scale

    Raises
    ------
    DomainError : a range is no pair of increasing numbers, the reference answers nowhere in the ranges, or your
        function does not return

    References
    ----------
    Claessen & Hughes 2000 (QuickCheck), for trying functions at random arguments.

    >>> from dp_lib import pure
    >>> half = lambda sensitivity, epsilon: sensitivity / epsilon / 2
    >>> match = matches(half, pure.scale, sensitivity=(1, 1), epsilon=(0.5, 2.0))
    >>> bool(match), match.arguments, match.mine, match.reference
    (False, {'sensitivity': 1, 'epsilon': 1.0}, 0.5, 1.0)
    >>> match.slip.split(":")[0]
    'Your value is 1/2 of the right one everywhere it was tried'
    """
    check_callable("mine", mine)
    check_callable("reference", reference)
    rng = np.random.default_rng() if rng is None else domain.generator("rng", rng)
    pairs = {name: _range(name, value) for name, value in ranges.items()}
    if not pairs:
        raise DomainError("ranges must name at least one argument, for example epsilon=(0.1, 10.0)")
    found: _Found = []
    notes: tuple[str, ...] = ()
    with Watch("mine") as watch:
        watched = watch.over(mine)
        for arguments in _arguments(pairs, rng):
            if watch.computed() > SECONDS and found:
                notes = (
                    f"It was tried for {SECONDS:g} seconds only, since one call takes {1000 * watch.fastest:.3g} ms.",
                )
                break
            if (right := _right(reference, arguments)) is not None:
                found.append((arguments, _of_mine(watched, arguments), right))
    if not found:
        raise DomainError("ranges must hold arguments that the reference answers, and it rejects all that were tried")
    for arguments, got, right in found:
        if not _agree(got, right):
            slip = _slip(found, reference)
            return Match(False, len(found), arguments, got, right, slip, () if slip else tuple(_symptoms(found, got)))
    return Match(True, len(found), {}, notes=notes)


def _range(name: str, value: Any) -> tuple[float, float]:
    low, high = (domain.single(name, domain.real(name, each)) for each in domain.pair(name, value))
    domain.condition(name, low, low <= high, f"<= {high:g}, the other end of its range")
    whole = all(isinstance(each, int | np.integer) for each in value)
    return (int(low), int(high)) if whole else (float(low), float(high))


def _arguments(pairs: dict[str, tuple[float, float]], rng: Generator) -> Iterator[dict[str, float]]:
    """Yield round numbers, each argument at its ends, all corners of few arguments, and random places."""
    middle = {name: _round(_inside(pair, 0.5), pair) for name, pair in pairs.items()}
    yield middle
    for name, pair in pairs.items():
        yield from ({**middle, name: end} for end in pair)
    names = list(pairs)
    for corner in range(2 ** min(len(names), 6)):
        yield {name: pairs[name][corner >> i & 1] if i < 6 else middle[name] for i, name in enumerate(names)}
    places = [{name: _inside(pair, rng.random()) for name, pair in pairs.items()} for _ in range(200)]
    yield from places
    for name, pair in pairs.items():  # one argument alone changes, which shows whether a value depends on it
        yield from ({**place, name: _inside(pair, rng.random())} for place in places[:10])


def _round(value: float, pair: tuple[float, float]) -> float:
    """Return the number nearest to a value with which a reader can calculate, if the range has one."""
    if abs(value) <= 10 and float(value).is_integer():
        return value
    low, high = pair
    exponent = math.floor(math.log10(abs(value)))
    easy = [
        math.copysign(float(f"{digits}e{exponent}"), value) for digits in ((1, 10) if _wide(pair) else (1, 2, 5, 10))
    ]
    found = min(
        (each for each in easy if low <= each <= high), key=lambda each: abs(math.log(each / value)), default=value
    )
    return int(found) if isinstance(low, int) else found


def _wide(pair: tuple[float, float]) -> bool:
    return pair[0] > 0 and pair[1] / pair[0] > 100


def _inside(pair: tuple[float, float], share: float) -> float:
    low, high = pair
    value = min(max(low * (high / low) ** share, low), high) if _wide(pair) else low + (high - low) * share
    return round(value) if isinstance(low, int) else float(value)


def _right(reference: Callable[..., Any], arguments: dict[str, float]) -> float | None:
    try:
        return float(reference(**arguments))
    except DomainError:
        return None


def _of_mine(mine: Callable[..., Any], arguments: dict[str, float]) -> float | str:
    """Return the value, or in words what came in its place."""
    try:
        value = mine(**arguments)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    try:
        return float(value)
    except (TypeError, ValueError):
        return f"returns {value!r}, which is no number" + ("" if value is not None else " (is there a return?)")


def _agree(got: float | str, right: float) -> bool:
    if isinstance(got, str):
        return False
    near = max(TOLERANCE * abs(right), sys.float_info.min)  # below it a float loses its digits, on each machine others
    return got == right or (math.isnan(got) and math.isnan(right)) or abs(got - right) <= near


_FACTORS = {
    2: (
        "twice the right one",
        "a factor of 2 is too much, for example the sensitivity of replacing a row where a row is added or removed",
    ),
    -1: ("the negative of the right one", "perhaps two terms are subtracted the wrong way round"),
    1 / 2: ("1/2 of the right one", "a factor of 2 is lost, perhaps a row is replaced and moves two counts"),
    math.sqrt(2): ("√2 times the right one", "perhaps the noise's deviation is taken for its scale"),
    1 / math.sqrt(2): ("1/√2 of the right one", "perhaps a 2 is missing under the root"),
    1 / math.log(2): ("1/ln 2 times the right one", "the logarithm has base 2, and the formula needs base e"),
    1 / math.log(10): ("1/ln 10 times the right one", "the logarithm has base 10, and the formula needs base e"),
    1 / math.sqrt(math.log(2)): ("1/√(ln 2) times the right one", "the logarithm under the root has base 2, not e"),
    1 / math.sqrt(math.log(10)): ("1/√(ln 10) times the right one", "the logarithm under the root has base 10, not e"),
}
_Found = list[tuple[dict[str, float], float | str, float]]
_Formula = Callable[[dict[str, float], float], float | None]  # from arguments and the right value to a wrong value


def _slip(found: _Found, reference: Callable[..., Any]) -> str:
    """Return the mistake that explains every value, or else every wrong one, or nothing."""
    names = list(found[0][0])
    positive = [name for name in names if all(arguments[name] > 0 for arguments, _, _ in found)]
    found = sorted(found, key=lambda each: _agree(each[1], each[2]))  # the wrong ones first, which reject most formulas
    wrong = [each for each in found if not _agree(each[1], each[2])]
    places = [(found, "everywhere it was tried")]
    if 10 <= len(wrong) < len(found):  # a few values fit a formula by chance
        places.append((wrong, f"wherever it is wrong, at {len(wrong)} of {len(found)} arguments"))
    for some, where in places:
        for formula, sentence in _slips(names, positive, reference):
            if _explains(formula, some):
                return sentence.format(where=where)
    return ""


def _explains(formula: _Formula, found: _Found) -> bool:
    known = 0
    for arguments, got, right in found:
        expected = formula(arguments, right)
        if expected is None:  # 2δ may lie outside the domain
            continue
        if not _agree(got, expected):
            return False
        known += 1
    return known > len(found) / 2


def _slips(names: list[str], positive: list[str], reference: Callable[..., Any]) -> Iterator[tuple[_Formula, str]]:
    """Yield wrong formulas, each with a sentence about it."""
    for factor, (size, why) in _FACTORS.items():
        yield _times(factor), f"Your value is {size} {{where}}: {why}."
    for name in positive:
        yield _power(name, -0.5), f"Your value is too small by √{name} {{where}}: a factor √{name} is missing."
        yield _power(name, -1), f"Your value is too small by {name} {{where}}: a factor {name} is missing."
        large = f"Your value is too large by √{name} {{where}}"
        yield _power(name, 0.5), f"{large}: {name} stands where √{name} is needed, or a division by √{name} is missing."
    for name in names:
        for factor, at in ((0.5, f"{name}/2"), (2, f"2 {name}")):
            sentence = f"Your value is the right answer for {at} {{where}}: is {name} halved or doubled on the way?"
            yield _moved(reference, name, factor), sentence


def _symptoms(found: _Found, shown: float | str) -> Iterator[str]:
    """Yield what is striking about values that no known mistake explains."""
    mine, rights = [got for _, got, _ in found], [right for _, _, right in found]
    if isinstance(shown, str) or any(isinstance(got, str) for got in mine):
        return
    if fixed := [name for name in found[0][0] if _ignores(name, found)]:
        yield f"Your value does not change with {' or '.join(fixed)}, but the right answer does."
    if shown < 0 <= min(rights):
        yield "Your value is negative, but no right answer is."
    if shown > 1 >= max(rights) and min(rights) >= 0:
        yield "Your value is above 1, but no right answer is."
    if not float(shown).is_integer() and all(right.is_integer() for right in rights):
        yield "Your value is not a whole number, but all right answers are."


def _ignores(name: str, found: _Found) -> bool:
    """Return whether the right value changes with one argument alone, at ten or more places, and yours never does.

    Fewer places may all lie where yours is cut off: a share that is clipped does not change where it is 0 or 1.
    """
    groups: dict[tuple[float, ...], list[tuple[Any, float]]] = {}
    for arguments, got, right in found:
        others = tuple(value for other, value in arguments.items() if other != name)
        groups.setdefault(others, []).append((got, right))
    changing = [group for group in groups.values() if any(not _agree(right, group[0][1]) for _, right in group)]
    return sum(map(len, changing)) >= 10 and all(got == group[0][0] for group in changing for got, _ in group)


def _times(factor: float) -> _Formula:
    return lambda arguments, right: right * factor


def _power(name: str, power: float) -> _Formula:
    return lambda arguments, right: right * arguments[name] ** power


def _moved(reference: Callable[..., Any], name: str, factor: float) -> _Formula:
    return lambda arguments, right: _right(reference, {**arguments, name: arguments[name] * factor})
