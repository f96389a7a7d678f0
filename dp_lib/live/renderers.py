"""Who shows a figure: the one place that knows a renderer for a page and one for a kernel.

A book that is being built gets a page's HTML. A notebook gets widgets if somebody is there to move them, and a still
picture if not.
"""

from typing import Any

from dp_lib.live.declaration.figure import Figure
from dp_lib.live.declaration.game import Game


def mimebundle(figure: Figure) -> dict[str, Any]:
    """What IPython shows for a figure."""
    from dp_lib.live.page import page  # matplotlib is loaded when the first figure is drawn

    if page.building():
        return page.mimebundle(figure)
    from dp_lib.live.notebook import output

    return output.mimebundle(figure)


def display(figure: Figure) -> None:
    """Show a figure in outputs of its own; NotImplementedError sends IPython to `mimebundle`."""
    from dp_lib.live.notebook import output
    from dp_lib.live.page import page

    if page.building() or not output.attended():
        raise NotImplementedError
    output.show(figure)


def view(figure: Figure) -> Any:
    """The figure's widgets."""
    from dp_lib.live.notebook.view import View  # a page is built without ipywidgets

    return View(figure)


def mimebundle_of_game(game: Game) -> dict[str, Any]:
    """What IPython shows for a game where nobody can play it with a kernel."""
    from dp_lib.live.page import game as on_page
    from dp_lib.live.page import page

    if page.building():
        return on_page.mimebundle(game)
    shown = mimebundle(game.figure)["text/html"] + on_page.recorded(game)
    return {"text/html": shown, "text/plain": repr(game)}


def display_game(game: Game) -> None:
    """Show the game's figure, and its buttons in an output of their own."""
    display(game.figure)
    from dp_lib.live.notebook.game import show

    show(game)
