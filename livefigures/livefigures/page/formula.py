r"""The formulas of a figure's curves as MathML, folded under its readings; tex_formulas.js puts numbers in.

The script finds a slider's symbol in a formula by its text, so the markup carries no more than the formula.
"""

from html import escape, unescape
from re import sub
from unicodedata import normalize
from xml.etree import ElementTree

from livefigures.declare.figure import Declaration
from livefigures.declare.parts import FigureError


def formulas(figure: Declaration) -> str:
    """All of them, or "" where none is declared; a long one scrolls, also by keys."""
    lines = "".join(
        f'<p data-formula="{escape(name)}" tabindex="0"><span>{escape(name)}:</span> {_line(figure, name)}</p>'
        for name in figure.formulas
    )
    return f'<details class="live-formulas"><summary>Formulas</summary>{lines}</details>' if lines else ""


def _line(figure: Declaration, name: str) -> str:
    """One formula; it must have a symbol of a slider, else it would answer to nothing."""
    try:
        root = mathml(figure.formulas[name])
    except ValueError as error:
        raise FigureError(f"figure {figure.name!r}: the formula of {name!r}: {error}") from None
    known = {slider.symbol or slider.name for slider in figure.controls.values()}
    if not symbols(root) & {normalize("NFKC", symbol) for symbol in known}:  # ω₀ as ω0, the text of a formula
        raise FigureError(f"figure {figure.name!r}: no symbol in the formula of {name!r} is one of {sorted(known)}")
    return ElementTree.tostring(root, encoding="unicode")


def symbols(element: ElementTree.Element) -> set[str]:
    r"""Return the symbols of a formula, each with its index.

    >>> sorted(symbols(mathml(r"\omega_0^2 - \omega^2")))
    ['ω', 'ω0']
    """
    if element.tag in ("msub", "msubsup"):
        return {"".join([*element[0].itertext(), *element[1].itertext()])}
    return {element.text or ""} if element.tag == "mi" else set().union(*map(symbols, element))


def mathml(tex: str) -> ElementTree.Element:
    r"""TeX as MathML.

    >>> ElementTree.tostring(mathml("k / 2"), encoding="unicode")
    '<math><mi>k</mi><mo lspace="0" rspace="0">/</mo><mn>2</mn></math>'
    """
    try:
        from math_core import LatexError, LatexToMathML  # figures without formulas need none of it
    except ModuleNotFoundError:
        raise ValueError("it needs the package math-core, `pip install math-core`") from None

    try:
        text = LatexToMathML(fancy_error=False).convert_with_local_state(tex, displaystyle=False)
    except LatexError as error:
        raise ValueError(str(error).partition(": ")[2]) from None
    root = ElementTree.fromstring(sub(r"&(?!lt;|gt;|amp;)\w+;", lambda name: unescape(name[0]), text))
    if any("style" in element.attrib for element in root.iter()):
        raise ValueError(f"{tex!r} needs a style, which a page's content policy may forbid; write it more simply")
    return root
