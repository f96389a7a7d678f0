r"""The formulas of a figure's curves as MathML, folded under its readings; tex_formulas.js puts numbers in.

The script finds a slider's symbol in a formula by its text, so the markup carries no more than the formula.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape, unescape
from unicodedata import normalize
from xml.etree import ElementTree

import numpy as np

from livefigures.declare.figure import Declaration
from livefigures.declare.parts import FigureError
from livefigures.declare.sliders import Slider

_ROWS = r"\\begin\{(?!\w*matrix)\w+\*?\}"
# The elements to which math_core gives a style, and the commands that ask for it.
_STYLED = {
    **dict.fromkeys(("mtable", "mtd"), _ROWS),
    "mrow": r"\\(?:text)?color(?![A-Za-z])",
    "mpadded": r"\\math(?:op|inner|ord|bin|rel|open|close|punct)(?![A-Za-z])",
}


def formulas(figure: Declaration) -> str:
    """All of them, or "" where none is declared; a long one scrolls, also by keys."""
    lines = "".join(
        f'<p data-formula="{escape(name)}" tabindex="0"><span>{escape(name)}:</span> {_line(figure, name)}</p>'
        for name in figure.formulas
    )
    return f'<details class="live-formulas"><summary>Formulas</summary>{lines}</details>' if lines else ""


def _line(figure: Declaration, name: str) -> str:
    """One formula; it must have a symbol of a slider, else it would answer to nothing."""
    root, known = _root(figure, name), _known(figure)
    if not symbols(root) & set(map(_written, known)):
        raise FigureError(f"figure {figure.name!r}: no symbol in the formula of {name!r} is one of {sorted(known)}")
    return ElementTree.tostring(root, encoding="unicode")


@lru_cache(maxsize=64)  # a page asks for its markup, and then for what is missing in it
def _root(figure: Declaration, name: str) -> ElementTree.Element:
    try:
        root = mathml(figure.formulas[name])
    except ValueError as error:
        raise FigureError(f"figure {figure.name!r}: the formula of {name!r}: {error}") from None
    written = set(map(_written, _known(figure)))
    for part in root.iter("msubsup"):  # k₀ to a power: the script finds the symbol with its index, and leaves the power
        base, index, power = part
        if symbols(part) & written:
            part.tag, part[:] = "msup", [ElementTree.Element("msub"), power]
            part[0].extend([base, index])
    return root


def _known(figure: Declaration) -> set[str]:
    return {slider.symbol or slider.name for slider in figure.controls.values()}


def _written(symbol: str) -> str:
    """Return a slider's symbol as the text of a formula has it: ω0 of ω₀, k0 of k_0."""
    return normalize("NFKC", symbol).replace("_", "")


def incomplete(figure: Declaration) -> Iterator[str]:
    """Yield a warning for each slider that moves a curve and whose symbol its formula lacks."""
    for name in figure.formulas:
        written, address = symbols(_root(figure, name)), f"curves/{name}/y"
        for slider in [figure.controls[each] for each in figure.follows(address)]:
            symbol = slider.symbol or slider.name
            if slider.options or _written(symbol) in written or not _moves(figure, address, slider):
                continue
            yield (
                f"figure {figure.name!r}: the formula of {name!r} has no {symbol}, and the curve moves with the slider "
                f"{slider.name!r}; write {symbol} in the formula, or give the slider the symbol that stands there, "
                "symbol=..."
            )


def _moves(figure: Declaration, address: str, slider: Slider) -> bool:
    """Whether a curve changes if this slider alone moves from its default to an end."""
    setting = figure.defaults | figure.needs(slider.name)
    along = {} if slider is figure.x or figure.asks_for_table(address) else {figure.x.name: figure.x.grid}
    ends = [setting[slider.name], slider.low, slider.high]
    at_rest, *moved = [figure.evaluate(address, setting | {slider.name: float(end)} | along) for end in ends]
    return not all(np.allclose(at_rest, each, rtol=1e-9, atol=0, equal_nan=True) for each in moved)


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
    root = ElementTree.fromstring(re.sub(r"&(?!lt;|gt;|amp;)\w+;", lambda name: unescape(name[0]), text))
    for space in root.iter("mspace"):
        space.attrib.pop("style", None)  # a negative space, as of \!, without which the formula means the same
    if styled := next((element.tag for element in root.iter() if "style" in element.attrib), ""):
        command = re.search(_STYLED.get(styled, ".*"), tex, re.DOTALL)
        raise ValueError(
            f"{command[0] if command else tex} needs a style, which a page's content policy may forbid; write the "
            "formula without it" + ", or with \\begin{matrix}" * (styled in ("mtable", "mtd"))
        )
    return root
