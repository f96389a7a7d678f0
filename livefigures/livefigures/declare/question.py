"""A question that a file asks before it shows the curves of its figure."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    choices : two or more answers, in the order in which they are shown
    answer : the number of the right one, 1, 2, ...
    explanation : why it is right, shown with the answer
    stays : the names of the curves and marks that are not hidden
    """

    asked: str
    choices: Sequence[str]
    answer: int
    explanation: str
    stays: Sequence[str] = ()

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
