"""The formulas' font, made anew: ``tools/math_font.py [latinmodern-math.otf]``.

Latin Modern Math 1.959 (in Debian: fonts-lmodern) with the glyphs alone that the book needs: those of CHARACTERS in
book/theme/mathml.py, and the larger forms and the parts by which brackets, roots and sums grow. The same input makes
the same bytes. Needs fonttools and brotli, which requirements-test.txt names.
"""

import hashlib
import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord
from fontTools.ttLib.ttGlyphSet import _TTGlyphSet as GlyphSet

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from book.theme.mathml import CHARACTERS  # noqa: E402 - the folder of the extensions is no package

SOURCE = Path("/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf")
DIGEST = "6075562b771f8b82f0c179e363389684f2dd09de30038269e2628e504bd7be0f"
PRIME = 0x2032
NAME = "Formulas"
RADICAL = 0x221A
GAP = 130  # between a root's bar and its letters, in thousandths of the type's size; the font has 50
NARROW = 0.9  # the width of all forms of the root's sign, in that of the smallest in the font
HEIGHTS = [*range(700, 1200, 50), *range(1200, 3001, 100)]  # of the root's sign, in thousandths of the type's size
NAMES = [0, 1, 2, 4, 5, 6, 13, 14]  # whose it is, how it is called, its version and licence


def refit_radical(font: TTFont) -> None:
    """Make roots sit on the line in browsers that follow MathML Core (Chromium, WebKit).

    They leave each root the room of the widest form of its sign, which is a hole behind a small one: here all forms
    have one width. They hang the sign from the bar, and what it is too tall hangs below the line: here it grows in
    small steps, from the height of one letter. Firefox, like TeX, shares the surplus between above and below.
    """
    math, glyphs, root = font["MATH"].table, font.getGlyphSet(), font.getBestCmap()[RADICAL]
    math.MathConstants.RadicalVerticalGap.Value = GAP
    forms = math.MathVariants.VertGlyphConstruction[math.MathVariants.VertGlyphCoverage.glyphs.index(root)]
    left, _, end, _ = bounds(glyphs, root)
    width = NARROW * (end - left)
    advance = round(left + width - (end - font["hmtx"][root][0]))  # the sign overlaps with its bar

    own = {record.AdvanceMeasurement: record.VariantGlyph for record in forms.MathGlyphVariantRecord}
    forms.MathGlyphVariantRecord = []
    outlines = {}
    for height in HEIGHTS:
        like = own[min(own, key=lambda tall: abs(tall - height))]
        x, y, right, top = bounds(glyphs, like)
        fit = Transform().translate(left, y).scale(width / (right - x), height / (top - y)).translate(-x, -y)
        record = MathGlyphVariantRecord()
        record.VariantGlyph, record.AdvanceMeasurement = f"{root}.{height}" if outlines else root, height + 1
        outlines[record.VariantGlyph] = drawn(glyphs, like, fit)
        forms.MathGlyphVariantRecord.append(record)

    parts = forms.GlyphAssembly.PartRecords  # of which a still taller sign is put together
    boxes = [bounds(glyphs, part.glyph) for part in parts]
    x, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    fit = Transform().translate(left).scale(width / (right - x), 1).translate(-x)
    outlines |= {part.glyph: drawn(glyphs, part.glyph, fit) for part in parts}
    for name, outline in outlines.items():
        put_glyph(font, name, outline, advance)


def bounds(glyphs: GlyphSet, name: str) -> tuple[float, float, float, float]:
    """The box of a glyph's outline."""
    pen = BoundsPen(glyphs)
    glyphs[name].draw(pen)
    return pen.bounds


def drawn(glyphs: GlyphSet, name: str, fit: Transform) -> T2CharStringPen:
    """A glyph's outline, transformed."""
    pen = T2CharStringPen(None, glyphs)
    glyphs[name].draw(TransformPen(pen, fit))
    return pen


def put_glyph(font: TTFont, name: str, outline: T2CharStringPen, advance: int) -> None:
    """Add a glyph to a font, or put it in the place of the one of this name."""
    cff = font["CFF "].cff
    top = cff.topDictIndex[0]
    glyph = outline.getCharString(top.Private, cff.GlobalSubrs)
    if name in top.CharStrings:
        top.CharStrings[name] = glyph
    else:
        top.CharStrings.charStringsIndex.append(glyph)
        top.CharStrings.charStrings[name] = len(top.CharStrings.charStringsIndex) - 1
        top.charset.append(name)
        font.setGlyphOrder(top.charset)
    font["hmtx"][name] = (advance, round(glyph.calcBounds(None)[0]))


def subset(source: Path) -> TTFont:
    """The font with the book's characters."""
    font = TTFont(source, recalcTimestamp=False)
    for table in font["cmap"].tables:
        # The font's own prime stands high already, and MathML raises it once more.
        table.cmap.update({PRIME: "minute.st"} if PRIME in table.cmap else {})
    refit_radical(font)
    options = Options(
        bidi_closure=False,
        layout_features=[],
        hinting=False,
        desubroutinize=True,
        glyph_names=False,
        name_IDs=NAMES,
        drop_tables=["FFTM"],
    )
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(CHARACTERS)))
    subsetter.subset(font)
    for name in font["name"].names:
        name.string = NAME if name.nameID in (1, 4, 6) else name.toUnicode()  # the licence asks for another name
    font.flavor = "woff2"
    return font


def main(source: Path) -> None:
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    if digest != DIGEST:
        raise SystemExit(f"{source} is another version of the font: its SHA-256 is {digest}, not {DIGEST}")
    target = ROOT / "book" / "theme" / "static" / "formulas.woff2"
    subset(source).save(target)
    print(f"{len(CHARACTERS)} characters, {target.stat().st_size} bytes: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else SOURCE)
