"""What a cell of a notebook shows: the widget, and beside it a still picture for wherever no widget is alive."""

from collections.abc import Callable
from typing import Any

from IPython import get_ipython
from IPython.display import display

from livefigures.declare.figure import Declaration
from livefigures.draw import still

_WIDGET = "application/vnd.jupyter.widget-view+json"
_DEAD = ".jupyter-widgets-disconnected"  # a class that a widget has when its kernel is gone
# Said under a still picture: to who opens a notebook or restarts its kernel, who exports one, and who builds a book.
HINT = (
    "This picture stands still. In a notebook, run its cell again, and its sliders move; in one that becomes an HTML "
    "file, end the cell with <code>.show_html()</code> behind the figure; in a book, add the extension "
    "<code>livefigures.sphinx</code>."
)


def attended() -> bool:
    """Whether somebody is at the front end: those that run a notebook from end to end say that no one can type."""
    parent = getattr(get_ipython(), "get_parent", dict)()
    return bool(parent.get("content", {}).get("allow_stdin"))


def still_mimebundle(figure: Declaration) -> dict[str, Any]:
    """Return the still picture, for wherever no widget is alive, and the figure in a line of text."""
    return {"text/html": "".join(map(_still, figure.together)), "text/plain": repr(figure)}


def show(made: Callable[[], dict[str, Any]]) -> None:
    """Show a widget and its still picture as two outputs: where no widget comes alive, the second is still to be seen.

    In one output a front end takes the widget, which without a kernel is dead, and a notebook exported with the state
    of its widgets keeps the widget alone, and that needs a network. An error is shown here, where IPython would ask
    the figure a second time and show it twice.
    """
    try:
        bundle = made()
    except Exception:
        if (shell := get_ipython()) is None:
            raise
        shell.showtraceback()
        return
    if _WIDGET in bundle:
        display({_WIDGET: bundle.pop(_WIDGET), "text/plain": ""}, raw=True)
    display(bundle, raw=True)


def _still(figure: Declaration) -> str:
    """The picture at the defaults, which gives way to the living widget of the same figure on the same page.

    A widget whose kernel is gone gives way to it.
    """
    view, name = f".live-view-{figure.name}", f"live-still-{figure.name}"
    alive, dead = f"body:has({view}:not({_DEAD}))", f"{view}{_DEAD}"
    style = f"{alive} .{name}, {alive} .jp-OutputArea-child:has(.{name}), {dead} {{ display: none }}"
    return f'<div class="live-still {name}">{still.still(figure)}<p>{HINT}</p></div><style>{style}</style>'
