"""MathJax from the book's own folder: one file, made of the parts that this book needs.

The package sphinx-mathjax-offline brings MathJax's parts. Its ready-made file weighs 679 kB compressed, of which 442 kB
are glyphs and 108 kB a menu. Ours leaves out the menu, what is only for rare TeX packages, and the alphabets that
no formula here uses: it weighs half. A glyph that is not kept is shown in a font of the reader's system, and a test
says so (tests/test_theme.py): then add its block here.
"""

import importlib.util
import json
import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

NAME = "mathjax/formulas.js"
STATIC = Path(__file__).parent / "static"
_PARTS = (
    "startup.js",
    "core.js",
    "input/tex-base.js",
    "input/tex/extensions/ams.js",
    "input/tex/extensions/newcommand.js",
    "input/tex/extensions/noundefined.js",
    "a11y/assistive-mml.js",  # MathML beside each picture, for screen readers
    "output/svg.js",  # SVG needs no font files: browsers refuse fonts to a page opened from a disk
    "output/svg/fonts/tex.js",
)
_FONTS = {
    "normal",
    "bold",
    "italic",
    "smallop",
    "largeop",
    "texSize3",
    "texSize4",
    "texVariant",
    "texCalligraphic",
}
_BLOCKS = (
    (0x20, 0xFF),  # Latin
    (0x2B0, 0x3FF),  # accents, Greek
    (0x2010, 0x2061),  # punctuation
    (0x20D0, 0x214F),  # combining marks, ℓ, ℝ
    (0x2190, 0x22FF),  # arrows, operators
    (0x2308, 0x230B),  # ceiling, floor
    (0x2322, 0x23B7),  # parts of large brackets
    (0x27E8, 0x27FC),  # angle brackets, long arrows
    (0x2A00, 0x2AFF),  # more operators
    (0xE000, 0xF8FF),  # TeX's own parts of symbols
    (0x1D400, 0x1D467),  # bold, italic
    (0x1D538, 0x1D56B),  # double-struck
    (0x1D6E2, 0x1D71B),  # italic Greek
)
_FONT = re.compile(r"(\.(?P<font>\w+)=\(0,\w\.AddPaths\)\(\w\.\w+,\{)(?P<glyphs>[^}]*)(?=\})")
_GLYPH = re.compile(r'(\d+):"[^"]*",?')


def package_folder() -> Path:
    """MathJax's folder in the installed package (whose name, with hyphens, cannot be imported by a statement)."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    return Path(spec.submodule_search_locations[0], "static", "mathjax")


def kept_glyphs(script: str) -> str:
    """The font's script with the outlines of the kept fonts and blocks only.

    >>> kept_glyphs('e.normal=(0,n.AddPaths)(r.normal,{32:"",8594:"1",9999:"2"},{})')
    'e.normal=(0,n.AddPaths)(r.normal,{32:"",8594:"1",},{})'
    """

    def glyph(match: re.Match[str]) -> str:
        return match[0] if any(low <= int(match[1]) <= high for low, high in _BLOCKS) else ""

    def font(match: re.Match[str]) -> str:
        return match[1] + (_GLYPH.sub(glyph, match["glyphs"]) if match["font"] in _FONTS else "")

    return _FONT.sub(font, script)


def formulas_script(settings: dict | None) -> str:
    """Everything that sets formulas, as one script; `settings` are Sphinx's own for MathJax."""
    folder = package_folder()
    parts = [(folder / name).read_text("utf-8") for name in _PARTS]
    head = f"window.MathJax = {json.dumps(settings or {}, sort_keys=True)};"
    return "\n".join([head, (STATIC / "formulas.js").read_text("utf-8"), *parts[:-1], kept_glyphs(parts[-1]), ""])


def write_script(app: Sphinx) -> None:
    """Put the script into the site, before Sphinx adds its digest to the pages."""
    if app.builder.format == "html":
        target = Path(app.outdir, "_static", NAME)
        shutil.rmtree(target.parent, ignore_errors=True)  # what an earlier build put there must not linger
        target.parent.mkdir(parents=True)
        target.write_text(formulas_script(app.config.mathjax3_config), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
