"""What a built page holds, read from its HTML: the build's own checks ask here."""

import json
import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

# Elements whose text is never read as prose: formulas that a script sets, code, scripts.
_NOT_PROSE = {"code", "pre", "script", "style", "textarea"}
_TEX = re.compile(r"\\[()\[\]]|\\[A-Za-z]{2,}|\$\$|\$[^$\s][^$]*\$")
_LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}
_LOADING_TAGS = {"script", "img", "iframe", "source", "video", "audio", "embed", "track"}
_WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


class PageFacts(HTMLParser):
    """Collects the facts of one page.

    >>> PageFacts('<figure class="live" id="growth"></figure>').figures
    ['growth']
    >>> PageFacts(r'<p>where \\alpha > 1</p><code>\\alpha</code>').raw_tex
    ['\\\\alpha']
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.figures: list[str] = []  # names of the live figures, in order, doubles included
        self.still_figures: list[str] = []  # names of those that stand still, since no build of a book made them
        self.groups: list[list[str]] = []  # the names of figures that stand together
        self.figure_cells: dict[str, list[int]] = {}  # the cells that show a figure, counted from 0, by its name
        self.questions: list[tuple[str, str, int]] = []  # (figure, curve or "", which question) that a question names
        self._stays: list[str] = []  # what the next figure shows although a question is about it
        self.links: list[str] = []  # targets of the links
        self.ids: set[str] = set()
        self.repeated_ids: list[str] = []
        self.raw_tex: list[str] = []  # TeX that a reader would see as TeX
        self.images_without_alt: list[str] = []
        self.inline_scripts: list[str] = []  # the beginning of each script, and each handler, that stands in the page
        self.outside: list[str] = []  # addresses that the page loads from elsewhere
        self.widget_state = False
        self._looks: dict[str, str] = {}  # classes of the parts of pictures, by their id
        self._data: dict[str, str] = {}  # JSON of the live figures, by name
        self._in_data = False
        self._complaints: list[list] = []  # ["meant" or "traceback", cell, text] of each traceback
        self._cell = self._question = -1  # the latest
        self._complaining = False
        self._error_is_meant = False  # by the tag of the cell
        self._silent: list[str] = []  # open elements, from the one whose text is not prose inwards
        self.feed(html)
        self.close()

    @property
    def errors(self) -> list[str]:
        """What each traceback says in its last line."""
        return [text.strip().rpartition("\n")[2] for _, _, text in self._complaints]

    @property
    def unmeant_errors(self) -> list[tuple[int, str]]:
        """The cell of each, and the same words, without those of cells that have the tag raises-exception."""
        told = zip(self._complaints, self.errors, strict=True)
        return [(cell, error) for (kind, cell, _), error in told if kind == "traceback"]

    @property
    def failed_cells(self) -> list[int]:
        """The cells of all of them, meant or not."""
        return [cell for _, cell, _ in self._complaints]

    def sliders(self, figure: str) -> dict:
        """What a live figure says of its sliders: by name, the ends of each and more.

        >>> data = '<script class="live-data">{"sliders": {"k": {"low": 1}}}</script>'
        >>> PageFacts(f'<figure class="live" id="a">{data}</figure>').sliders("a")
        {'k': {'low': 1}}
        """
        return json.loads(self._data.get(figure, "{}")).get("sliders", {})

    def failing(self, figure: str) -> list[str]:
        """What a live figure's claims got wrong when its page was run, in words."""
        return json.loads(self._data.get(figure, "{}")).get("failing", [])

    def curves(self, figure: str) -> list[str]:
        """The names of a live figure's curves and marks."""
        data = json.loads(self._data.get(figure, "{}"))
        return [part["name"] for part in [*data.get("curves", []), *data.get("marks", [])]]

    def together(self, figure: str) -> list[str]:
        """The names of a figure and of its panels.

        >>> PageFacts('<div class="live-panels" data-figures="mass speed"></div>').together("mass")
        ['mass', 'speed']
        """
        return next((group for group in self.groups if figure in group), [figure])

    def looks(self, figure: str) -> dict[str, str]:
        """The classes that a live figure's curves and marks have in its picture, by their names.

        >>> data = '<script class="live-data">{"curves": [{"name": "compound"}]}</script>'
        >>> drawn = '<g id="a--curve-0" class="live-curve live-colour-cycle-1 live-dash-solid"></g>'
        >>> PageFacts(f'<figure class="live" id="a">{drawn}{data}</figure>').looks("a")
        {'compound': 'live-curve live-colour-cycle-1 live-dash-solid'}
        """
        data = json.loads(self._data.get(figure, "{}"))
        ids = [
            (f"{figure}--{kind}-{i}", part["name"])
            for kind in ("curve", "mark")
            for i, part in enumerate(data.get(f"{kind}s", []))
        ]
        return {name: self._looks[ident] for ident, name in ids if ident in self._looks}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        self._note_place(tag, attributes, classes)
        self._note_output(tag, attributes, classes)
        self._note_loads(tag, attributes)
        self._note_scripts(tag, attributes)
        if tag == "img":
            self._note_image(attributes)
        if self._silent and tag == self._silent[0] or not self._silent and (tag in _NOT_PROSE or "math" in classes):
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._complaining &= tag != "pre"
        self._in_data &= tag != "script"
        if self._silent and tag == self._silent[0]:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self._data[self.figures[-1]] += data
        if self._complaining:
            self._complaints[-1][2] += data
        if not self._silent:
            self.raw_tex += _TEX.findall(data)

    def _note_place(self, tag: str, attributes: dict[str, str], classes: list[str]) -> None:
        if place := attributes.get("id", ""):
            self.repeated_ids += [place] if place in self.ids else []
            self.ids.add(place)
        if tag == "g" and "id" in attributes:
            self._looks[attributes["id"]] = attributes.get("class", "")
        if tag == "figure" and "live" in classes:
            self.figures.append(attributes.get("id", ""))
            self.figure_cells.setdefault(self.figures[-1], []).append(self._cell)
            self.questions += [(self.figures[-1], name, self._question) for name in self._stays]
            self._stays = []
        if "data-figures" in attributes:
            self.groups.append(attributes["data-figures"].split())
        if "predict" in classes:
            self._note_question(attributes)
        if "live-data" in classes and self.figures:
            self._in_data, self._data[self.figures[-1]] = True, ""  # of two with one name, the second
        if "live-still" in classes:
            self.still_figures += [name.removeprefix("live-still-") for name in classes if name != "live-still"]
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])

    def _note_question(self, attributes: dict[str, str]) -> None:
        self._question += 1
        stays = json.loads(attributes.get("data-stays", "[]"))
        names = [] if stays == "all" else stays
        if "data-figure" not in attributes:
            self._stays = names  # of the figure that follows
        else:
            self.questions += [(attributes["data-figure"], name, self._question) for name in ["", *names]]

    def _note_output(self, tag: str, attributes: dict[str, str], classes: list[str]) -> None:
        if "cell" in classes:
            self._cell += 1
            self._error_is_meant = "tag_raises-exception" in classes
        if {"output", "traceback"} <= set(classes):
            self._complaints.append(["meant" if self._error_is_meant else "traceback", self._cell, ""])
            self._complaining = True
            self._stays = []  # the figure that follows is missing
        self.widget_state |= tag == "script" and attributes.get("type") == _WIDGET_STATE

    def _note_loads(self, tag: str, attributes: dict[str, str]) -> None:
        loads = tag in _LOADING_TAGS or tag == "link" and _LOADING_LINKS & set(attributes.get("rel", "").split())
        for address in (attributes.get("src", ""), attributes.get("href", "")):
            if loads and re.match(r"(https?:)?//", address):
                self.outside.append(address)

    def _note_scripts(self, tag: str, attributes: dict[str, str]) -> None:
        self.inline_scripts += [f'{name}="{value}"' for name, value in attributes.items() if name.startswith("on")]
        if tag == "script" and "src" not in attributes and not attributes.get("type", "").endswith("json"):
            self.inline_scripts.append(self.get_starttag_text() or tag)
        self.inline_scripts += [
            f"javascript: in {tag}" for value in attributes.values() if value.startswith("javascript:")
        ]

    def _note_image(self, attributes: dict[str, str]) -> None:
        alt, source = attributes.get("alt", "").strip(), attributes.get("src", "")
        # Without an alt text of ours, docutils writes the file's path there.
        if not alt or alt == source or Path(alt).name == Path(source).name:
            self.images_without_alt.append(source)
        self.raw_tex += _TEX.findall(alt)


@lru_cache(maxsize=64)
def facts_of(html: str) -> PageFacts:
    """The facts of a page, read once however many ask: reading a long chapter takes a tenth of a second.

    >>> facts_of('<figure class="live" id="growth"></figure>').figures
    ['growth']
    """
    return PageFacts(html)
