"""The page's scripts as one file, and its styles as one file, made from the small sources in loading order."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from rjsmin import jsmin

HERE = Path(__file__).parent
SCRIPTS = (
    # The arithmetic of a trace, and its player: unlike all the rest, which gzip packs better by itself.
    *("core/arithmetic", "core/trace"),
    # What the others are made of.
    *("core/dom", "core/numbers", "core/picture"),
    # What a figure says of itself.
    *("features/tex_formulas", "features/words", "features/summary", "features/said", "features/table", "core/toolbar"),
    # Each does one thing for a figure.
    *("features/play", "features/typed_value", "features/add_curve", "core/address", "features/pin", "features/save"),
    *("features/labels", "features/fit", "features/share", "core/keys", "features/lecture", "features/present"),
    "features/bars",
    *("features/touch", "features/drag", "features/out_of_view", "features/print"),
    # Text and picture together.
    *("features/sticky_picture", "features/presets", "features/drag_number"),
    # The figure itself, which calls them all.
    "core/figure",
    # Beside figures.
    "features/predict",
)
DRAWING = ("features/sketch",)  # on pages alone where a reader draws
STRICT = '"use strict";\n'
STYLES = (
    *("core/colours_light_and_dark", "core/figure"),
    *("features/present", "features/summary", "features/predict", "features/add_curve"),
)


def script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Scripts as one file, without comments and blanks, and with one "use strict" for all."""
    return script_of(HERE / f"{name}.js" for name in names)


def script_of(paths: Iterable[Path]) -> str:
    """These scripts as one, as `script` makes it: a plug-in's own."""
    sources = [path.read_text("utf-8") for path in paths]
    return jsmin(STRICT + "".join(source.replace(STRICT, "") for source in sources))


def style(names: tuple[str, ...] = STYLES) -> str:
    """Styles as one file, without comments."""
    return style_of(HERE / f"{name}.css" for name in names)


def style_of(paths: Iterable[Path]) -> str:
    """These styles as one file, without comments: a plug-in's own."""
    whole = "\n".join(path.read_text("utf-8") for path in paths)
    return re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)


def version() -> str:
    """A hash of all: what a page was made for."""
    return hashlib.sha256((script() + script(DRAWING) + style()).encode()).hexdigest()[:8]
