"""A question that a file asks before it shows the curves of its figure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from livefigures.declare.options import names_its_options
from livefigures.declare.parts import FigureError


@names_its_options
@dataclass(frozen=True)
class Question:
    """A question above the figure of `write_html`, which hides curves until the reader has answered.

    All texts are plain text.

    Parameters
    ----------
    asked : the question
    choices : two or more answers, which are shuffled, always in the same way, unless they are numbers that grow
    answer : the number of the right one, 1, 2, ...
    explanation : why it is right, shown with the answer
    stays : the names of the curves and marks that are not hidden
    order : "kept" for choices that have an order, such as earlier, at the same time, later
    """

    asked: str
    choices: Sequence[str]
    answer: int
    explanation: str
    stays: Sequence[str] = ()
    order: str = ""

    def __post_init__(self) -> None:
        for name in ("choices", "stays"):
            if isinstance(getattr(self, name), str):
                raise FigureError(f"Question: {name} must be a list of texts, got {getattr(self, name)!r}")
        if len(self.choices) < 2:
            raise FigureError(f"Question: choices must be two or more, got {list(self.choices)!r}")
        if self.answer not in range(1, len(self.choices) + 1):
            raise FigureError(
                f"Question: answer must be the number of a choice, 1 to {len(self.choices)}, got {self.answer!r}"
            )
        if self.order not in ("", "kept"):
            raise FigureError(f'Question: order must be "kept" or left out, got {self.order!r}')

    @property
    def places(self) -> list[int]:
        """The places of the choices in the order in which they are shown."""
        return [*range(len(self.choices))] if self.order else shown_order(self.asked, self.choices)


def shown_order(question: str, choices: Sequence[str]) -> list[int]:
    """The places of the choices in the order in which a page has them.

    Numbers that grow stay as they are. Other choices are shuffled, always in the same way, because whoever writes
    choices seldom puts the right one first or last, and readers notice that.

    >>> shown_order("How many?", ["about 30", "about 265"]), shown_order("Where?", ["here", "there", "nowhere"])
    ([0, 1], [2, 1, 0])
    """
    numbers = [re.search(r"\d+(?:\.\d+)?", choice.replace(" ", "").replace(",", "")) for choice in choices]
    places = list(range(len(choices)))
    if all(numbers) and sorted(places, key=lambda place: float(numbers[place][0])) == places:
        return places
    return sorted(places, key=lambda place: sha256(f"{question}|{choices[place]}".encode()).digest())
