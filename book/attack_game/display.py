"""Show a game: on a page with its script, in a notebook with buttons, elsewhere as a recorded game."""

from typing import Any

from book.attack_game.game import Game
from livefigures import display as figures


def mimebundle(game: Game) -> dict[str, Any]:
    """Return what IPython shows for a game where nobody can play it with a kernel."""
    from book.attack_game import page as on_page
    from livefigures.page import page

    if page.building():
        return on_page.mimebundle(game)
    shown = figures.mimebundle(game.figure)["text/html"] + on_page.recorded(game)
    return {"text/html": shown, "text/plain": repr(game)}


def show(game: Game) -> None:
    """Show the game where IPython has asked for it: the figure, and its buttons in an output of their own."""
    from IPython.display import display

    if not figures.has_widgets():
        display(mimebundle(game), raw=True)
        return
    figures.show(game.figure)
    from book.attack_game import notebook

    notebook.show(game)
