"""A game on the page: its figure, the tape of its functions for game.js, and a recorded game where no script runs."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import numpy as np

from book.attack_game.rules import MANY, Rules
from livefigures.declare.numbers import full, percent, shown, typed
from livefigures.page import page, record
from livefigures.trace.programme import packed
from livefigures.trace.tracing import Tape

SEED = 1
ROWS = (1, 2, 3, 4, 5, 10, 30, 100, 300, MANY)  # the rounds of a recorded game that its table shows


def mimebundle(game: Rules) -> dict[str, Any]:
    """What a cell of a page shows: the figure's own output, and the game below it."""
    return {"text/html": page.mimebundle(game.figure)["text/html"] + html(game), "text/plain": repr(game)}


def html(game: Rules) -> str:
    """What game.js needs to build the game inside its figure, and the recorded game for where it does not run."""
    content = json.dumps(record.finite(data(game)), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    content = content.replace("<", "\\u003c").replace("&", "\\u0026")
    return (
        f'\n<div class="live-game" data-figure="{game.figure.name}">'
        f'<script type="application/json" class="live-game-data">{content}</script>'
        f"<noscript>{recorded(game)}</noscript></div>"
    )


def data(game: Rules) -> dict[str, Any]:
    """The game's functions as one tape, and its words."""
    tape = Tape()
    nodes = {name: tape.output(_traced(game, name, tape)) for name in game.functions}
    operations, indices = tape.finish(list(nodes.values()))
    return {
        "operations": packed(operations),
        "outputs": dict(zip(nodes, indices, strict=True)),
        "draws": dict(game.draws),
        "sides": list(game.sides),
        "subject": game.subject,
        "symbol": game.symbol,
        "sure": game.sure,
        "many": MANY,
    }


def _traced(game: Rules, name: str, tape: Tape) -> Any:
    return game.functions[name](**{argument: tape.input(argument) for argument in game.follows(name)})


def recorded(game: Rules) -> str:
    """A game in which the best attacker guesses, played once with a fixed seed, for each of the recorded settings."""
    return "".join(_table(game, values) for values in game.recorded)


def _table(game: Rules, values: Mapping[str, float]) -> str:
    heads = ("guess", "answer", "the best guess", "the truth", "right so far", f"{game.symbol} proved ({game.sure})")
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    rows = "".join(f"<tr>{''.join(row)}</tr>" for row in _rows(game, values))
    title = f"A recorded game: {_settings(game, values)}. Promised: {_promised(game, values)}."
    return (
        f'<table class="live-readings live-recorded"><caption>{escape(title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _rows(game: Rules, values: Mapping[str, float]) -> Iterator[list[str]]:
    played = game.play(values, np.random.default_rng(SEED))
    for number in ROWS:
        at = number - 1
        said = [game.sides[int(side[at])] for side in (played.guesses, played.secrets)]
        cells = [f"{played.answers[at]:.2f}", *said, str(played.hits[at])]
        proved = f'<td data-value="{full(played.proved[at])}">{shown(played.proved[at], down=True)}</td>'
        yield [f'<th scope="row">{number}</th>', *(f"<td>{escape(cell)}</td>" for cell in cells), proved]


def _settings(game: Rules, values: Mapping[str, float]) -> str:
    sliders = {name: game.figure.controls[name] for name in game.settings if _awake(game, name, values)}
    return ", ".join(
        slider.options[int(values[name])] if slider.options else f"{slider.symbol or name} = {typed(values[name])}"
        for name, slider in sliders.items()
    )


def _awake(game: Rules, name: str, values: Mapping[str, float]) -> bool:
    return all(values[choice] == option for choice, option in game.figure.needs(name).items())


def _promised(game: Rules, values: Mapping[str, float]) -> str:
    promise, limit = (float(game.evaluate(name, values)) for name in ("promise", "limit"))
    return f"{game.symbol} = {typed(promise)}, in the long run right in {percent(limit, up=True)} at most"
