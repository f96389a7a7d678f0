"""The page's scripts as one file, and its styles as one file, made from the small sources in loading order."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from livefigures.declare.colours import Colour, known

HERE = Path(__file__).parent
SCRIPTS = (
    # The arithmetic of a trace, and its player: unlike all the rest, which gzip packs better by itself.
    *("core/arithmetic", "core/trace", "core/lookup_table"),
    # What figures are made of.
    *("core/dom", "core/numbers", "core/picture", "core/sliders", "core/features", "core/presented"),
    *(
        "core/motion",
        "core/address",
        "core/scripts",
        "core/toolbar",
        "core/keys",
        "core/drawing",
        "core/figure",
        "core/page",
    ),
    # Features, in the order of their buttons and of the list of keys; one that uses another comes after it.
    *("features/typed_value", "features/play", "features/reset", "features/draw_again"),
    *("features/pin", "features/add_curve", "features/share", "features/out_of_view", "features/summary"),
    *("features/labels", "features/fit", "features/save_buttons", "features/table_button", "features/drag"),
    *("features/touch", "features/lecture", "features/present", "features/print"),
)
# What only some pages load: live-links.js, and so on. Each has a mark, which stands in the markup or the data of a page
# that needs it; "save" has none, because it is loaded when a reader presses one of its buttons.
PARTS = {
    "links": ('class="live-set"', ("features/sticky_picture", "features/presets", "features/drag_number")),
    "questions": ('class="predict"', ("features/predict", "features/class_question")),
    "names": ('class="live-name', ("features/curve_names",)),
    "formulas": ('class="live-formulas"', ("features/tex_formulas",)),
    "save": ("", ("features/save", "features/table")),
    "shared": ('"shared":true', ("features/shared",)),
    "panels": ('class="live-panels', ("features/panels",)),
    "bars": ('<svg class="live-bar', ("features/bars",)),
    "errors": ('"yerr":', ("features/error_bars",)),
    "paths": ('"kind":"path"', ("features/paths",)),
    "bar_chart": ('"kind":"bars"', ("features/bar_chart",)),
}
EXTRA = tuple(name for _, names in PARTS.values() for name in names)
STRICT = '"use strict";\n'
COMMENTS = re.compile(r"^ *//.*\n", re.MULTILINE)  # no template has such a line: a test compares
STYLES = (
    *("core/colours_light_and_dark", "core/figure"),
    *("features/present", "features/summary", "features/predict", "features/add_curve", "features/curve_names"),
)


def parts_of(markup: str) -> list[str]:
    """Return the parts that a page or a file with this markup needs, in the order in which they load."""
    return [name for name, (mark, _) in PARTS.items() if mark and mark in markup]


def script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Scripts as one file, without comments and blanks, and with one "use strict" for all."""
    return script_of(HERE / f"{name}.js" for name in names)


def script_of(paths: Iterable[Path]) -> str:
    """These scripts as one, as `script` makes it: a plug-in's own."""
    from rjsmin import jsmin  # of the extra `sphinx`: a file of one figure has the scripts as they are written

    return jsmin(written(paths))


def written(paths: Iterable[Path]) -> str:
    """Return scripts as one, without the lines that are comments alone, and with one "use strict" for all."""
    return STRICT + COMMENTS.sub("", "".join(path.read_text("utf-8").replace(STRICT, "") for path in paths))


def style(names: tuple[str, ...] = STYLES) -> str:
    """Styles as one file, without comments and blanks, with the colours that have a name."""
    return colours_of(known().values()) + style_of(HERE / f"{name}.css" for name in names)


def colours_of(colours: Iterable[Colour]) -> str:
    """Colours as a style: the property --live-NAME of each, and the class that gives it to a part."""
    values = "".join(f"  --live-{one.name}: light-dark({one.light}, {one.dark});\n" for one in colours)
    classes = "".join(f".live-colour-{one.name} {{ --live-colour: var(--live-{one.name}); }}\n" for one in colours)
    return f":root {{\n{values}}}\n{classes}"


def style_of(paths: Iterable[Path]) -> str:
    """These styles as one file, without comments and blanks: a plug-in's own."""
    from rcssmin import cssmin

    return cssmin("\n".join(path.read_text("utf-8") for path in paths))


def version() -> str:
    """A hash of all: what a page was made for."""
    return hashlib.sha256((script() + script(EXTRA) + style()).encode()).hexdigest()[:8]
