"""A game in a notebook: the figure's cursor stands at the answer, two buttons guess, and the count stands below."""

from html import escape
from typing import Any

import ipywidgets as widgets
import numpy as np
from IPython.display import display

from book.attack_game.rules import MANY, Rules
from livefigures.declare.numbers import percent, shown, typed


class GameView:
    """The buttons and the count of one game, beside its figure's view."""

    def __init__(self, game: Rules, rng: np.random.Generator | None = None) -> None:
        self.game, self.rng = game, rng or np.random.default_rng()
        self.asked, self.score = widgets.HTML(), widgets.HTML()
        buttons = [_button(game.said(side), lambda _, side=side: self.guess(side)) for side in (1, 0)]
        buttons += [_button("Play a thousand", self.play), _button("Start again", self.start)]
        self.widget = widgets.VBox([self.asked, widgets.HBox(buttons), self.score])
        for name in game.settings:
            game.figure.view.sliders[name].observe(self.start, names="value")
        self.start()

    def start(self, *_: Any) -> None:
        """A count from nothing, and a new answer."""
        self.hits, self.trials = 0, 0
        self.said = ""
        self.draw()
        self.show()

    def draw(self) -> None:
        """A new answer; the cursor goes there, or to the end of the axis that is nearer."""
        self.secret = int(self.rng.integers(2))
        figure = self.game.figure
        self.answer = float(self.game.draw(np.array([self.secret]), figure.values, self.rng)[0])
        figure.values = {figure.x.name: round(float(np.clip(self.answer, figure.x.low, figure.x.high)), 2)}
        self.asked.value = f"The answer is <b>{self.answer:.2f}</b>. Which is it?"

    def guess(self, side: int) -> None:
        """Count a guess, say what it was, and draw the next answer."""
        self.count(np.array([side == self.secret]))
        self.said = self.game.judged(side, self.secret, self.answer, self.game.figure.values)
        self.draw()
        self.show()

    def play(self, *_: Any) -> None:
        """A thousand guesses of the best attacker."""
        played = self.game.play(self.game.figure.values, self.rng)
        self.count(played.guesses == played.secrets)
        self.said = f"{MANY} more answers, guessed by the best attacker."
        self.show()

    def count(self, right: np.ndarray) -> None:
        """Add guesses."""
        self.hits += int(np.sum(right))
        self.trials += len(right)

    def proved(self, hits: Any, trials: Any) -> Any:
        """What so many right guesses prove."""
        counts = {"hits": np.asarray(hits, dtype=float), "trials": np.asarray(trials, dtype=float)}
        return self.game.evaluate("proved", {**self.game.figure.values, **counts})

    @property
    def promise(self) -> float:
        """What was promised."""
        return float(self.game.evaluate("promise", self.game.figure.values))

    def show(self) -> None:
        """The count in words."""
        game, limit = self.game, float(self.game.evaluate("limit", self.game.figure.values))
        proved = float(self.proved(self.hits, self.trials)) if self.trials else float("nan")
        share = f", {percent(self.hits / self.trials)}" if self.trials else ""
        rows = [
            ("right", f"{self.hits} of {self.trials}{share}"),
            ("allowed in the long run", percent(limit, up=True)),
            (f"{game.symbol} proved ({game.sure})", shown(proved, down=True)),
            (f"{game.symbol} promised", typed(self.promise)),
        ]
        cells = "".join(f"<tr><td>{escape(name)}</td><td><b>{escape(value)}</b></td></tr>" for name, value in rows)
        caught = f"Caught, if it was fixed in advance to guess {self.trials} times." if proved > self.promise else ""
        self.score.value = f"<p>{escape(self.said)}</p><table>{cells}</table><p><b>{caught}</b></p>"


def show(game: Rules) -> None:
    """Display the buttons below the figure."""
    display(GameView(game).widget)


def _button(text: str, action: Any) -> widgets.Button:
    button = widgets.Button(description=text)
    button.on_click(action)
    return button
