"""A formula in TeX as one line of text that says the same, for the search: (a + b)/2 and not a + b 2."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_NAMES = (
    "alpha beta gamma delta Delta epsilon varepsilon eta theta kappa lambda Lambda mu nu pi rho sigma Sigma tau phi"
)
_NAMES += (
    " varphi Phi chi psi omega ell infty partial le ge ne neq approx sim pm in subset cdot times to mapsto mid dots"
)
_NAMES += " ldots cdots sum prod int Vert langle rangle preceq top lfloor rfloor lceil rceil"
_SIGNS = "α β γ δ Δ ε ε η θ κ λ Λ μ ν π ρ σ Σ τ φ φ Φ χ ψ ω ℓ ∞ ∂ ≤ ≥ ≠ ≠ ≈ ~ ± ∈ ⊂ · × → ↦ | ..."
_SIGNS += " ... ... Σ ∏ ∫ ‖ ⟨ ⟩ ⪯ ⊤ ⌊ ⌋ ⌈ ⌉"
_WORDS = "ln log exp max min sup inf lim Pr tanh cosh sinh sin cos arg det"
_SYMBOLS = dict(zip(_NAMES.split(), _SIGNS.split(), strict=True)) | {word: f" {word} " for word in _WORDS.split()}
_FENCES = [(r"\\lVert\s*|\s*\\rVert", r"\\Vert{}"), (r"\\lvert\s*|\s*\\rvert", "|")]  # what opens has no blank after it
_ESCAPED = {r"\|": "‖", r"\{": "{", r"\}": "}", r"\%": "%", r"\$": "$", r"\_": "_", r"\!": ""}
_FRACTIONS = {"frac", "tfrac", "dfrac"}
_ENVIRONMENTS = {"begin", "end"}
_WITHOUT_WORDS = {"left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr"}
_WHOLE = re.compile(r"[\w.∞]+'*|\(.*\)|√\w", re.DOTALL)


def readable(tex: str) -> str:
    r"""Return the formula as a line of text.

    >>> readable(r"\varepsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}")
    'ε = ρ + 2√(ρ ln (1/δ))'
    >>> readable(r"\frac{2\sigma}{\sqrt{m-n}}, \ e^{-\varepsilon k}, \ X_{i+1}, \ \tfrac12")
    '2σ/(√(m-n)), e^(-ε k), X_(i+1), 1/2'
    """
    for fence, instead in _FENCES:
        tex = re.sub(fence, instead, tex)
    text = _sequence(iter(_TOKEN.findall(tex)))
    return re.sub(r"(?<=[(\[]) | (?=[)\],;])", "", " ".join(text.split()))


def _sequence(tokens: Iterator[str]) -> str:
    """The text up to the end, or to the brace that closes what has been opened."""
    parts = []
    for token in tokens:
        if token == "}":
            break
        parts.append(_piece(token, tokens))
    return "".join(parts)


def _piece(token: str, tokens: Iterator[str]) -> str:
    """What stands for one token, with the arguments that it takes from those that follow."""
    if token == "{":
        return _sequence(tokens)
    if token in "^_":
        return token + _bracketed(_argument(tokens))
    if not token.startswith("\\"):
        return " " if token.isspace() or token in "&~" else token
    name = token[1:]
    if name in _FRACTIONS:
        return f"{_bracketed(_argument(tokens))}/{_bracketed(_argument(tokens))}"
    if name == "binom":
        return f"({_argument(tokens)} over {_argument(tokens)})"
    if name == "sqrt":
        return "√" + _bracketed(_argument(tokens))
    if name in _ENVIRONMENTS:
        _argument(tokens)
        return " "
    return "" if name in _WITHOUT_WORDS else _SYMBOLS.get(name, _ESCAPED.get(token, "" if name.isalpha() else " "))


def _argument(tokens: Iterator[str]) -> str:
    """The next token or group."""
    token = next((token for token in tokens if not token.isspace()), "")
    return _piece(token, tokens).strip() if token else ""


def _bracketed(text: str) -> str:
    """The text as one whole: in brackets, unless it is one anyway."""
    return text if _WHOLE.fullmatch(text) and text.count("(") <= 1 else f"({text})"
