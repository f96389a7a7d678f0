"""What a figure is made of, at a glance: the directive ``figure-parts``, tables made from dp_lib's own code."""

from functools import partial

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.reference.entries import in_myst, items, paragraphs
from dp_lib import live
from livefigures.declare.colours import DASHES, NAMED, OTHERWISE, words_of

PARTS = (live.Curve, live.Band, live.Point, live.Line, live.Cloud)


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table in MyST.

    >>> table(["a", "b"], [["1", "2|3"]])[2]
    '| 1 | 2\\\\|3 |'
    """
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *cells]] + [""]


def options(part: type) -> list[str]:
    """What a part or a slider takes, one text each: its name, and what its docstring says of it."""
    blocks = {block[0]: block[2:] for block in paragraphs(part.__doc__ or "") if len(block) > 2}
    return [f"`{name}`: {in_myst(text)}" for name, text in items(blocks["Parameters"]).items()]


def parts() -> list[str]:
    rows = [
        [f"{{py:class}}`live.{part.__name__}`", in_myst(paragraphs(part.__doc__)[0]), "<br>".join(options(part))]
        for part in PARTS
    ]
    return table(["part", "what it is", "what it takes"], rows)


def colours() -> list[str]:
    rows = [
        [f"`{colour}`", ", ".join(words_of(colour)) or ("every other name" if colour in OTHERWISE else "–")]
        for colour in NAMED
    ]
    dashes = ", ".join(f"`{dash}`" for dash in DASHES if dash)
    own = 'Any other colour is one of matplotlib\'s: `"C0"`, `"teal"`, `"#1f5fbf"` or `(0.1, 0.4, 0.7)`.'
    pair = "A pair of them is the colour on light and on dark pages; without a pair the second is computed."
    return [*table(["colour", "given to a part whose name holds"], rows), f"{own} {pair} Dashes of a curve: {dashes}."]


def sliders() -> list[str]:
    ready = {name: getattr(live, name) for name in live.__all__ if isinstance(getattr(live, name), partial)}
    rows = []
    for name, slider in ready.items():
        given = slider.keywords
        kinds = [kind for kind in ("log", "integer") if given.get(kind)]
        about = [given.get("symbol", ""), given.get("words", ""), ", ".join(kinds), given.get("toward", ("", ""))[1]]
        rows.append([f"`live.{name}`", *about])
    head = ["slider", "symbol", "words", "kind", "private end"]
    return [
        *table(head, rows),
        "All of them, `live.slider` and `live.choice` take:",
        "",
        *map("- {}".format, options(live.Slider)),
    ]


class FigureParts(SphinxDirective):
    """The directive ``figure-parts``."""

    def run(self) -> list[nodes.Node]:
        found = nodes.container()
        self.state.nested_parse([*parts(), *colours(), "", *sliders()], self.content_offset, found)
        return found.children


def setup(app: Sphinx) -> None:
    app.add_directive("figure-parts", FigureParts)
