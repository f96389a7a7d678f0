"""Show a figure, or write it to a file: the one place that knows the renderer for a page and the one for a kernel.

A book that is being built gets a page's HTML. A notebook gets widgets if somebody is there to move them, and a still
picture if not.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from livefigures.declare.figure import Figure


def mimebundle(figure: Figure) -> dict[str, Any]:
    """Return what IPython shows for a figure."""
    from livefigures.page import page  # matplotlib is loaded when the first figure is drawn

    if page.building():
        return page.mimebundle(figure)
    from livefigures.notebook import output

    return output.mimebundle(figure)


def has_widgets() -> bool:
    """Return whether somebody with a kernel can move a figure's sliders, here and now."""
    from livefigures.notebook import output
    from livefigures.page import page

    return not page.building() and output.attended()


def show(figure: Figure) -> None:
    """Show a figure where IPython has asked for it: as widgets in outputs of their own, else as one output."""
    from IPython.display import display

    from livefigures.notebook import output

    if has_widgets():
        output.show(figure)
    else:
        display(mimebundle(figure), raw=True)


def show_html(figure: Figure, height: int) -> None:
    """Show a figure as its file in a frame, and on the page of a book as any other figure."""
    from IPython.display import display

    from livefigures.page import page
    from livefigures.page.document import frame

    html = mimebundle(figure) if page.building() else {"text/html": frame(figure, height), "text/plain": repr(figure)}
    display(html, raw=True)


def view(figure: Figure) -> Any:
    """Return the figure's widgets."""
    from livefigures.notebook.view import View  # a page is built without ipywidgets

    return View(figure)


def write_html(figure: Figure, path: str | Path) -> None:
    """Write a figure as one HTML file."""
    from livefigures.page.document import document

    Path(path).write_text(document(figure), "utf-8", newline="\n")


def savefig(figure: Figure, path: str | Path, values: Mapping[str, float | str]) -> None:
    """Write a figure's picture at these values of its sliders, and the other sliders at their defaults."""
    from livefigures.draw.draw import save

    save(figure, path, figure.defaults | figure.check(values))
