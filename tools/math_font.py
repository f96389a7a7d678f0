"""The formulas' font, made anew: ``tools/math_font.py [latinmodern-math.otf]``.

Latin Modern Math 1.959 (in Debian: fonts-lmodern) with the glyphs alone that the book needs: those of CHARACTERS in
book/theme/mathml.py, and the larger forms and the parts by which brackets, roots and sums grow. The same input makes
the same bytes. Needs fonttools and brotli, which requirements-test.txt names.
"""

import hashlib
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from book.theme.mathml import CHARACTERS  # noqa: E402 - the folder of the extensions is no package

SOURCE = Path("/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf")
DIGEST = "6075562b771f8b82f0c179e363389684f2dd09de30038269e2628e504bd7be0f"
PRIME = 0x2032
NAME = "Formulas"
NAMES = [0, 1, 2, 4, 5, 6, 13, 14]  # whose it is, how it is called, its version and licence


def subset(source: Path) -> TTFont:
    """The font with the book's characters."""
    font = TTFont(source, recalcTimestamp=False)
    for table in font["cmap"].tables:
        # The font's own prime stands high already, and MathML raises it once more.
        table.cmap.update({PRIME: "minute.st"} if PRIME in table.cmap else {})
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
