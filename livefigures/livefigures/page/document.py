"""A figure as one HTML file: its markup, and the page's script and style as they are written.

The file loads nothing, and says so to the browser by its content policy. The scripts keep
their blanks, so that writing the file needs no package that only a book's build needs.
"""

import re
import warnings
from collections.abc import Sequence
from html import escape
from pathlib import Path

from livefigures.declare.caller import outside
from livefigures.declare.colours import known
from livefigures.declare.figure import Declaration
from livefigures.declare.parts import FigureError
from livefigures.declare.question import Question
from livefigures.page import bundle
from livefigures.page.claimed import failing
from livefigures.page.page import check_alt, check_texts, shortcomings, together
from livefigures.page.question import html as html_of_question

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:"
DOCUMENT = """<!DOCTYPE html>
<html lang="en"{scheme}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<main>
{figure}
</main>
{scripts}
</body>
</html>
"""
# The editor of typed formulas joins figures that are there already, and reads the lines of a link.
EDITOR = """document.addEventListener("DOMContentLoaded", () => {{
{}
  dispatchEvent(new HashChangeEvent("hashchange", {{ newURL: location.href }}));
}});
"""
THEMES = {"system": "", "light": ' style="color-scheme: light"', "dark": ' style="color-scheme: dark"'}
_CLOSING = re.compile(r"</(?=script|style)", re.IGNORECASE)


def document(
    figure: Declaration,
    features: Sequence[str | Path] = (),
    theme: str = "system",
    question: Question | None = None,
) -> str:
    """Return the file's content; `features` are scripts and styles that it includes after its own, one by one.

    A question stands above the figure, which waits for its answer; its panels stand with it.

    Raises
    ------
    FigureError : there is no alt text, a claim fails at the sliders' defaults, a text has TeX, theme is none of
        THEMES, one of the features is no file, or neither a script nor a style, the question is none or names no
        part, or two panels cannot stand in one file
    """
    if theme not in THEMES:
        raise FigureError(f"figure {figure.name!r}: theme must be one of {', '.join(THEMES)}, got {theme!r}")
    asked = html_of_question(question, figure) if question else ""
    figures, markup = figure.together, asked + _checked(figure)
    own = _own(figure, features)
    scripts = [_script(figures, markup), *(text for ending, text in own if ending == ".js")]
    return DOCUMENT.format(
        policy=POLICY,
        scheme=THEMES[theme],
        title=escape(figure.caption or figure.name),
        style=_style(figures) + "".join(text for ending, text in own if ending == ".css"),
        figure=markup,
        scripts="\n".join(f"<script>\n{text}</script>" for text in scripts),  # a mistake in one stops no other
    )


def _checked(figure: Declaration) -> str:
    """Return the markup of a figure and its panels whose claims hold; warn of what their author may want to change."""
    for one in figure.together:
        check_alt(one)
        for fault in failing(one):
            raise FigureError(fault)
        for doubt in shortcomings(one):
            warnings.warn(doubt, UserWarning, stacklevel=outside())
    markup = together(figure)
    for one in figure.together:
        check_texts(one, markup)
    return markup


def _own(figure: Declaration, features: Sequence[str | Path]) -> list[tuple[str, str]]:
    """The ending and the text of each of these files; no text may close the element that it stands in."""
    wanted = f"figure {figure.name!r}: features must be a list of files that end in .js or .css, got"
    if isinstance(features, str | Path):
        raise FigureError(f"{wanted} {str(features)!r}")
    files = [Path(file) for file in features]
    for file in files:
        if file.suffix not in (".js", ".css"):
            raise FigureError(f"{wanted} {str(file)!r}")
        if not file.is_file():
            raise FigureError(f"{wanted} {str(file)!r}, but there is no file {file.resolve()}")
    return [(file.suffix, _CLOSING.sub(r"<\\/", file.read_text("utf-8"))) for file in files]


def frame(figure: Declaration, height: int, theme: str = "system") -> str:
    """Return the file as a frame that contains it, for a page whose styles and keys must not meet the figure's."""
    if not isinstance(height, int) or height < 200:
        wanted = "a whole number of pixels, 200 or more"
        raise FigureError(f"figure {figure.name!r}: height must be {wanted}, got {height!r}")
    return (
        f'<iframe srcdoc="{escape(document(figure, theme=theme))}" title="{escape(figure.caption or figure.name)}" '
        f'style="width: 100%; height: {height}px; border: 0" allow="fullscreen"></iframe>'
    )


def _script(figures: Sequence[Declaration], markup: str) -> str:
    parts = [file for name in ("save", *bundle.parts_of(markup)) for file in bundle.PARTS[name][1]]
    names = ("document", *bundle.SCRIPTS, *parts)
    script = bundle.written(bundle.HERE / f"{name}.js" for name in names)
    editors = {_CLOSING.sub(r"<\\/", figure.editor()) for figure in figures} - {""}  # one edits all of the figures
    if len(editors) > 1:
        raise FigureError(f"figure {figures[0].name!r}: typed formulas of one file must call the same functions")
    return script + "".join(map(EDITOR.format, editors))


def _style(figures: Sequence[Declaration]) -> str:
    used = {look.colour: None for figure in figures for look in figure.looks.values()}
    files = (bundle.HERE / f"{name}.css" for name in (*bundle.STYLES, "document"))
    return bundle.colours_of(used | dict.fromkeys(known().values())) + "".join(
        path.read_text("utf-8") for path in files
    )
