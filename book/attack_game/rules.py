"""The rules of a game: an answer is drawn from one of two sources, somebody says which, and the guesses are counted.

    Game(
        live.Figure(name="coins", x=live.slider("y", -5, 6, at=0), y=("density", 0, 1), curves={...}),
        draws={"z": "normal"},
        answer=lambda secret, z: secret + z,
        best=lambda y: np.where(y > 0.5, 1.0, 0.0),
        limit=lambda: 0.7,
        proved=lambda hits, trials: hits / trials,
        promise=lambda: 0.6,
    )

It knows nothing of what the answers mean: what is computed are functions of the figure's sliders, as a curve is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from livefigures.declare import context, faults
from livefigures.declare.parts import STANDARD, FigureError, Function
from livefigures.figure import Figure

MANY = 1000  # what the button "play a thousand" plays, and a recorded game too
GIVEN = {  # what a function may ask for besides the figure's sliders
    "answer": ("secret", "draws"),
    "best": ("x",),
    "limit": (),
    "proved": ("hits", "trials"),
    "promise": (),
}


class Played(NamedTuple):
    """Rounds of a game in the order in which they were played, one entry each."""

    answers: NDArray
    guesses: NDArray  # 1 or 0
    secrets: NDArray  # 1 or 0
    hits: NDArray  # so many guesses were right until then
    proved: NDArray


@dataclass(eq=False)
class Rules:
    """A game of guesses with the figure that shows the two sources; its cursor stands at the answer.

    Parameters
    ----------
    figure : its x axis is the answer; a change of its other sliders starts the count again
    draws : argument's name -> "normal", "uniform" or "laplace", the standard draws that an answer is made of
    answer : a function of `secret` (0 or 1), of the draws and the sliders
    best : what the best attacker guesses, 0 or 1, a function of the figure's x and the sliders
    limit : the largest share of right guesses that the promise leaves to anybody, a function of the sliders
    proved : what so many right guesses prove, a function of `hits`, `trials` and the sliders
    promise : what was promised, a function of the sliders: more proved than this is a promise broken
    sides : the two sources in a word, that of `secret` 0 first
    subject : whoever a guess is about, as a sentence begins
    symbol : of what is proved and promised
    sure : how sure what is proved is, in a word: "95 %"
    recorded : settings at which a game is played for a page without scripts, each as {slider: value}

    Raises
    ------
    FigureError : naming the figure, the function and the argument that nobody gives it
    """

    figure: Figure
    draws: Mapping[str, str]
    answer: Function
    best: Function
    limit: Function
    proved: Function
    promise: Function
    sides: Sequence[str] = ("out", "in")
    subject: str = "She is"
    symbol: str = "ε"
    sure: str = "95 %"
    recorded: Sequence[Mapping[str, float | str]] = field(default=({},))

    def __post_init__(self) -> None:
        for kind in self.draws.values():
            if kind not in STANDARD:
                self._refuse(f"draws must be {', '.join(STANDARD)}, got {kind!r}")
        for name in GIVEN:
            unknown = [argument for argument in self.follows(name) if argument not in self._known(name)]
            if unknown:
                self._refuse(f"{name} asks for {unknown[0]!r}; it may ask for {', '.join(self._known(name))}")
        if len(self.sides) != 2:
            self._refuse(f"sides must be two words, got {self.sides!r}")
        self.recorded = [self.figure.defaults | self.figure.check(values) for values in self.recorded]

    @property
    def settings(self) -> list[str]:
        """The sliders that say what is played: all but the answer's."""
        return [name for name in self.figure.controls if name != self.figure.x.name]

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The game's functions by name."""
        return {name: getattr(self, name) for name in GIVEN}

    def follows(self, name: str) -> list[str]:
        """The names of the arguments of a function of the game."""
        return faults.arguments(self.functions[name]) or []

    def _known(self, name: str) -> list[str]:
        places = {"draws": list(self.draws), "x": [self.figure.x.name]}
        return [argument for given in GIVEN[name] for argument in places.get(given, [given])] + self.settings

    def evaluate(self, name: str, values: Mapping[str, Any]) -> Any:
        """One of the game's functions, called with numbers; outside its domain it is NaN."""
        with context.computing():
            return self.functions[name](**{argument: values[argument] for argument in self.follows(name)})

    def draw(self, secrets: NDArray, values: Mapping[str, float], rng: np.random.Generator) -> NDArray:
        """An answer for each secret, at these settings of the sliders."""
        draws = {name: STANDARD[kind](rng, len(secrets)) for name, kind in self.draws.items()}
        answers = self.evaluate("answer", {**values, **draws, "secret": secrets.astype(float)})
        return np.broadcast_to(np.asarray(answers, dtype=float), secrets.shape)

    def guess(self, answers: NDArray, values: Mapping[str, float]) -> NDArray:
        """What the best attacker says to these answers."""
        return np.asarray(self.evaluate("best", {**values, self.figure.x.name: answers}), dtype=float)

    def play(self, values: Mapping[str, float], rng: np.random.Generator, rounds: int = MANY) -> Played:
        """So many rounds in which the best attacker guesses."""
        secrets = rng.integers(0, 2, rounds)
        answers = self.draw(secrets, values, rng)
        guesses = self.guess(answers, values)
        hits = np.cumsum(guesses == secrets)
        counts = {"hits": hits.astype(float), "trials": np.arange(1.0, rounds + 1)}
        return Played(answers, guesses, secrets, hits, np.asarray(self.evaluate("proved", {**values, **counts})))

    def said(self, side: float) -> str:
        """A guess as a sentence: "She is in"."""
        return f"{self.subject} {self.sides[int(side)]}"

    def judged(self, side: int, secret: int, answer: float, values: Mapping[str, float]) -> str:
        """What was guessed, what is true, and whether anybody could have known better."""
        best = int(self.guess(np.array([answer]), values)[0])
        mine, other = ("right" if guess == secret else "wrong" for guess in (side, best))
        return f"The guess “{self.sides[side]}” was {mine}. {self.said(secret)}. The best attacker was {other}."

    def __repr__(self) -> str:
        return f"<live game with the figure {self.figure.name!r}>"

    def _refuse(self, reason: str) -> None:
        raise FigureError(f"game with the figure {self.figure.name!r}: {reason}")
