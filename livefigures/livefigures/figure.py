"""A figure: its declaration, and the ways to show it or to write it to a file.

A book that is being built gets a page's HTML. A notebook gets widgets if somebody is there to move them, and a still
picture if not. Renderers are imported when a figure is shown, since a page is built without ipywidgets, and numbers are
checked without matplotlib.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn, cast

from livefigures.declare.caller import outside
from livefigures.declare.figure import Declaration
from livefigures.declare.grid import text_table
from livefigures.declare.options import closest
from livefigures.declare.question import Question
from livefigures.trace import agreement, programme, tables, tracing


class FigureWarning(UserWarning):
    """What a figure's author may want to change, and what a page shows all the same."""


class _Figures(dict[str, "Figure"]):
    def __missing__(self, name: str) -> NoReturn:
        from livefigures.page import page

        hint = closest(str(name), self) or f"there are: {', '.join(self) or 'none'}"
        of_page = " (each page has its own kernel)" if page.building() else ""
        raise KeyError(f"no figure {name!r} has been made; {hint}{of_page}")


figures: dict[str, "Figure"] = _Figures()  # by name, the latest of each: a notebook's cells reach them from here


class Figure(Declaration):
    __doc__ = Declaration.__doc__

    def __post_init__(self) -> None:
        super().__post_init__()
        agreement.check(self)
        self._check_formulas()
        figures[self.name] = self
        if doubts := [*self.doubts, *filter(None, [programme.too_long(self)])]:
            self._warn(doubts)
        self._warn(tables.slow(self))  # which calls nothing in a build, since nobody would hear of it

    def _check_formulas(self) -> None:
        """Refuse a formula that no page can show; without the package for it, pages and files say so."""
        if self.formulas and find_spec("math_core"):
            from livefigures.page.formula import formulas

            formulas(self)

    @cached_property
    def doubts(self) -> list[str]:
        return [*super().doubts, *self._apart()]

    def _apart(self) -> Iterator[str]:
        """Yield a warning for each shared slider that cannot follow another figure's."""
        for slider in self.controls.values():
            for other in figures.values() if slider.shared else ():
                theirs = other.controls.get(slider.name)
                if theirs and theirs.shared and not slider.moves_like(theirs):
                    yield (
                        f"figure {self.name!r}: its slider {slider.name!r} is shared with {other.name!r}, where it has "
                        "another range, step or default: make the slider once and give it to both figures"
                    )

    def check_before_points(self, address: str) -> None:
        if self.asks_for_table(address):
            tables.check_size(self, address)
        else:
            programme.trace(self, address, tracing.Tape())

    def writes_gaps(self, address: str) -> bool:
        operations, places = programme.traced(self)
        there = tracing.needed(operations, places[address]) if address in places else ()
        written = [operations[place][1] for place in there if operations[place][0] == "num"]
        return address not in places or any(isinstance(number, str) for number in written)

    def line_of(self, address: str, error: Exception | None = None) -> str:
        return tracing.line_of(error, self.functions[address])

    def _warn(self, doubts: Iterable[str]) -> None:
        """Warn of what the author may want to change; a build finds it in the page's data and logs it."""
        from livefigures.page import page

        for doubt in [] if page.building() else doubts:
            warnings.warn(doubt, FigureWarning, stacklevel=outside())

    @cached_property
    def view(self) -> Any:
        """The figure's widgets in a notebook."""
        from livefigures.notebook.view import View

        return View(self, figures)

    @property
    def values(self) -> dict[str, float]:
        """The sliders' values in a notebook; set some of them with `figure.values = {"rate": 2}`."""
        return self.view.values

    @values.setter
    def values(self, values: Mapping[str, float | str]) -> None:
        self.view.values = values

    def table(self) -> str:
        """x against every curve as text, as a notebook's sliders stand: `print(figure.table())`."""
        return text_table(self, self.defaults | (self.values if "view" in self.__dict__ else {}))

    def write_html(
        self,
        path: str | Path,
        features: Sequence[str | Path] = (),
        theme: str = "system",
        question: Question | None = None,
    ) -> None:
        """Write the figure as one HTML file that needs no other file, no kernel and no network.

        It opens from a disk, and in a frame of another page. The claims are checked at some settings of
        the sliders, and where one is wrong no file is written.
        `theme` is "light" or "dark" for a frame in a page that is always so, or "system" as the reader's system is.
        `features` are files of your own, `full_width.js` and `full_width.css` for example, which the file includes.
        `question` is an `lf.Question`, which stands above the figure and hides curves until it is answered.
        """
        from livefigures.page.document import document

        Path(path).write_text(document(self, features, theme, question), "utf-8", newline="\n")

    def show_html(self, height: int = 700, theme: str = "system") -> None:
        """Show the figure in a cell as a page shows it: it moves without a kernel, also in a notebook's HTML export.

        It stands in a frame of `height` pixels, and `values` does not follow its sliders. `theme` is as in
        `write_html`.
        """
        from IPython.display import display

        from livefigures.page import page
        from livefigures.page.document import frame

        building = page.building()
        if building:
            bundle = page.mimebundle(self)
        else:
            bundle = {"text/html": frame(self, height, theme), "text/plain": repr(self)}
        display(bundle, raw=True)

    def savefig(self, path: str | Path, /, dpi: float = 200, cursor: bool = True, **values: float | str) -> None:
        """Write the picture to a file as matplotlib does, for example `figure.savefig("growth.pdf", rate=0.1)`.

        The ending of `path` says the format: .png, .svg, .pdf. Sliders that are not named are at their defaults.
        At a `dpi` of 200, a file of pixels has 2000 x 1166 or more. `cursor=False` leaves out the vertical line where
        the x slider stands, and its dots.
        """
        from livefigures.draw.file import save

        save(self, path, self.defaults | self.check(values), dpi, cursor)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from livefigures.notebook import output
        from livefigures.page import page

        if page.building():
            return page.mimebundle(self)
        widget = self._widgets()._repr_mimebundle_() if output.attended() else {}
        return {**widget, **output.still_mimebundle(self)}

    def _widgets(self) -> Any:
        """The widgets of the figure and its panels."""
        from livefigures.notebook.view import panels

        return panels([one.view for one in cast("list[Figure]", self.together)])

    def _ipython_display_(self) -> None:
        from livefigures.notebook import output

        output.show(self._repr_mimebundle_)


def has_widgets() -> bool:
    """Return whether somebody with a kernel can move a figure's sliders, here and now."""
    from livefigures.notebook import output
    from livefigures.page import page

    return not page.building() and output.attended()
