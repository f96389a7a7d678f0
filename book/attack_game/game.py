"""A game: its rules, shown on a page with its script, in a notebook with buttons, elsewhere as a recorded game."""

from typing import Any

from book.attack_game.rules import Rules


class Game(Rules):
    __doc__ = Rules.__doc__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from book.attack_game import page as on_page
        from livefigures.page import page

        if page.building():
            return on_page.mimebundle(self)
        shown = self.figure._repr_mimebundle_()["text/html"] + on_page.recorded(self)
        return {"text/html": shown, "text/plain": repr(self)}

    def _ipython_display_(self) -> None:
        """Show the game where IPython has asked for it: the figure, and its buttons in an output of their own."""
        from IPython.display import display

        from book.attack_game import notebook
        from livefigures.figure import has_widgets

        if has_widgets():
            self.figure._ipython_display_()
            notebook.show(self)
        else:
            display(self._repr_mimebundle_(), raw=True)
