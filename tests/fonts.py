"""The fonts that the tests' browser sees: those named here and no others, so that a page looks alike on every machine.

matplotlib's wheel brings DejaVu, the widths of Adobe's core fonts (Helvetica, Times, Courier) and nothing else is
needed. Two sets:

- "dejavu" is DejaVu alone, as on a fresh machine that has no font for mathematics.
- "liberation" has Liberation and Latin Modern Math before DejaVu. No wheel brings them, and a package needs root, so
  they are made here under their names: Liberation's letters have the widths of Helvetica, Times and Courier by design,
  so DejaVu's outlines are fitted into those widths; its heights are written down below. Latin Modern Math is the
  formulas' own font, which is a part of it. Layout depends on widths and heights, not on the shape of a letter.
"""

import html
from pathlib import Path

import matplotlib
from fontTools import agl
from fontTools.afmLib import AFM
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.transform import Transform
from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(matplotlib.get_data_path()) / "fonts"
SETS = ("dejavu", "liberation")
_GENERIC = {
    "dejavu": ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "DejaVu Serif"),
    "liberation": ("Liberation Sans", "Liberation Serif", "Liberation Mono", "Latin Modern Math"),
}
_ALIASES = (("sans-serif", "sans", "system-ui", "ui-sans-serif"), ("serif",), ("monospace", "ui-monospace"), ("math",))
# Name, DejaVu's of like shape, the core font of like width; ascent, descent and gap between lines per 2048.
_LIBERATION = [
    ("Sans", "DejaVuSans", "Helvetica", (1854, -434, 67)),
    ("Serif", "DejaVuSerif", "Times", (1825, -443, 87)),
    ("Mono", "DejaVuSansMono", "Courier", (1705, -615, 0)),
]
_STYLES = {"Regular": "", "Bold": "-Bold", "Italic": "-Oblique", "Bold Italic": "-BoldOblique"}
_X_HEIGHT = 1082 / 1120  # Liberation's in DejaVu's
_CHARACTERS = [*range(0x20, 0x17F), *range(0x370, 0x400), *range(0x2000, 0x2300)]


def environment(name: str, folder: Path) -> dict[str, str]:
    """Return the variables with which a browser sees that set alone; its files are written into the folder."""
    folders = [DATA / "ttf"]
    if name == "liberation":
        make_liberation(folder)
        folders.append(folder)
    file = folder / "fonts.conf"
    file.write_text(_configuration(name, folder, folders), "utf-8")
    return {"FONTCONFIG_FILE": str(file)}


def _configuration(name: str, folder: Path, folders: list[Path]) -> str:
    rules = "".join(
        f'<match><test name="family"><string>{alias}</string></test>'
        f'<edit name="family" mode="assign" binding="strong"><string>{family}</string></edit></match>'
        for family, aliases in zip(_GENERIC[name], _ALIASES, strict=True)
        for alias in aliases
    )
    # A family that is not there: what a page asks for next, and in the end the sans-serif one.
    rules += f'<match><edit name="family" mode="append_last"><string>{_GENERIC[name][0]}</string></edit></match>'
    places = "".join(f"<dir>{html.escape(str(place))}</dir>" for place in folders)
    others = "".join(
        f"<rejectfont><glob>{html.escape(str(DATA))}/ttf/{part}*</glob></rejectfont>" for part in ("STIX", "cm", "Last")
    )
    return (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"{places}<cachedir>{html.escape(str(folder / 'cache'))}</cachedir>"
        f"<selectfont>{others}</selectfont>{rules}</fontconfig>"
    )


def make_liberation(folder: Path) -> None:
    """Write fonts of Liberation's widths and heights, and Latin Modern Math, into a folder."""
    for family, shape, core, heights in _LIBERATION:
        for style, file in _STYLES.items():
            like = file.replace("Oblique", "Italic") if family == "Serif" else file
            metrics = AFM(DATA / "pdfcorefonts" / f"{core}{like or '-Roman' * (core == 'Times')}.afm")
            source = TTFont(DATA / "ttf" / f"{shape}{like}.ttf")
            font = fitted(source, metrics, heights, core == "Courier")
            font.setupNameTable({"familyName": f"Liberation {family}", "styleName": style})
            bold, italic = "Bold" in style, "Italic" in style
            font.setupOS2(
                sTypoAscender=heights[0], sTypoDescender=heights[1], sTypoLineGap=heights[2], usWinAscent=heights[0],
                usWinDescent=-heights[1], sxHeight=1082, sCapHeight=1409, usWeightClass=700 if bold else 400,
                fsSelection=bold << 5 | italic | (not bold and not italic) << 6,
            )  # fmt: skip
            font.setupPost(isFixedPitch=core == "Courier")
            font.font["head"].macStyle = bold | italic << 1
            font.save(folder / f"Liberation{family}-{style.replace(' ', '')}.ttf")
    mathematics = TTFont(ROOT / "book" / "theme" / "static" / "formulas.woff2")
    mathematics.flavor = None
    for name in mathematics["name"].names:
        if name.nameID in (1, 4, 6):
            name.string = "Latin Modern Math"
    mathematics.save(folder / "LatinModernMath.otf")


def fitted(source: TTFont, metrics: AFM, heights: tuple[int, int, int], fixed: bool) -> FontBuilder:
    """Return DejaVu's letters in the widths of a core font; a letter that it lacks is narrowed like the others."""
    known = {agl.AGL2UV[name]: metrics[name][1] for name in metrics.chars() if name in agl.AGL2UV}
    characters = {code: name for code, name in source.getBestCmap().items() if code in _CHARACTERS}
    own, glyphs = source["hmtx"], source.getGlyphSet()
    sizes = [known[code] * 2.048 / own[name][0] for code, name in characters.items() if code in known and own[name][0]]
    usual = sum(sizes) / len(sizes)
    builder = FontBuilder(2048)
    shapes, advances = {".notdef": TTGlyphPen(None).glyph()}, {".notdef": (1229, 0)}
    for code, name in characters.items():
        width = 1229 if fixed else round(known[code] * 2.048 if code in known else usual * own[name][0])
        pen = TTGlyphPen(None)
        across = width / own[name][0] if own[name][0] else 1
        glyphs[name].draw(DecomposingFilterPen(TransformPen(pen, Transform(across, 0, 0, _X_HEIGHT, 0, 0)), glyphs))
        shapes[name] = pen.glyph()
        advances[name] = (width, getattr(shapes[name], "xMin", 0))
    builder.setupGlyphOrder(list(shapes))
    builder.setupCharacterMap(characters)
    builder.setupGlyf(shapes)
    builder.setupHorizontalMetrics(
        {name: (width, getattr(shapes[name], "xMin", 0)) for name, (width, _) in advances.items()}
    )
    builder.setupHorizontalHeader(ascent=heights[0], descent=heights[1], lineGap=heights[2])
    return builder
