"""The page's scripts as one file, and its styles as one file, made from the small sources in loading order."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from rjsmin import jsmin

from livefigures.declare.colours import Colour, known

HERE = Path(__file__).parent
SCRIPTS = (
    # The arithmetic of a tape, and its player: unlike all the rest, which gzip packs better by itself.
    *("arithmetic", "tape", "table"),
    # What the others are made of.
    *("dom", "numbers", "picture"),
    # What a figure says of itself.
    *("formulas", "words", "meaning", "said", "grid", "toolbar"),
    # Each does one thing for a figure.
    *("play", "entry", "typed", "address", "keep", "save", "labels", "fit", "buttons", "keys", "lecture", "present"),
    "bars",
    *("touch", "hand", "outside", "print"),
    # Text and picture together.
    *("dock", "presets", "drag"),
    # The figure itself, which calls them all.
    "page",
    # Beside figures.
    "predict",
)
DRAWING = ("sketch",)  # on pages alone where a reader draws
STRICT = '"use strict";\n'
STYLES = ("colours_light_and_dark", "figure", "present", "meaning", "predict", "typed")


def script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Scripts as one file, without comments and blanks, and with one "use strict" for all."""
    return script_of(HERE / "scripts" / f"{name}.js" for name in names)


def script_of(paths: Iterable[Path]) -> str:
    """These scripts as one, as `script` makes it: a plug-in's own."""
    sources = [path.read_text("utf-8") for path in paths]
    return jsmin(STRICT + "".join(source.replace(STRICT, "") for source in sources))


def style(names: tuple[str, ...] = STYLES) -> str:
    """Styles as one file, without comments, with the colours that have a name."""
    return colours_of(known().values()) + style_of(HERE / "styles" / f"{name}.css" for name in names)


def colours_of(colours: Iterable[Colour]) -> str:
    """Colours as a style: the property --live-NAME of each, and the class that gives it to a part."""
    values = "".join(f"  --live-{one.name}: light-dark({one.light}, {one.dark});\n" for one in colours)
    classes = "".join(f".live-colour-{one.name} {{ --live-colour: var(--live-{one.name}); }}\n" for one in colours)
    return f":root {{\n{values}}}\n{classes}"


def style_of(paths: Iterable[Path]) -> str:
    """These styles as one file, without comments: a plug-in's own."""
    whole = "\n".join(path.read_text("utf-8") for path in paths)
    return re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)


def version() -> str:
    """A hash of all: what a page was made for."""
    return hashlib.sha256((script() + script(DRAWING) + style()).encode()).hexdigest()[:8]
