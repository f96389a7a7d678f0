"""The book's words: one form for each term, so that a reader who searches finds it.

Prose only: code, formulas, addresses and the titles of works keep their own forms.
"""

import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = sorted([*ROOT.glob("chapters/**/*.md"), *ROOT.glob("*.md")])

# What is written otherwise somewhere, and the book's form. Patterns are read with upper and lower case alike, unless
# they say otherwise: (?-i:...).
TERMS = {
    r"\brenyi": "Rényi",
    r"\bneighbor": "neighbour",
    r"\b(?!(?-i:zCDP|zcdp))z-?cdp\b": "zCDP",
    r"\b(?-i:Rdp|rDP|Cdp|Gdp|Pld)\b": "RDP, CDP, GDP, PLD",
    r"\bsub-gaussian": "subgaussian",
    r"\b(postprocess|post processing)": "post-processing",
    r"\btradeoff": "trade-off",
    r"\bhockey stick": "hockey-stick",
    r"\b(epsilon|eps|ε) ?DP\b|\bepsilon-DP\b": "ε-DP",
    r"\bDP ?SGD\b": "DP-SGD",
    r"\brandomised|\brandom response": "randomized response",
    r"\b(behavior|color)s?\b": "behaviour, colour",
    r"\bdata sets?\b": "dataset",
    r"\bcomposable theorem|composition theorum": "composition theorem",
    r"\bKullback[–—]Leibler|\bKL-divergence": "Kullback-Leibler, KL divergence",
}


# What is no prose, each replaced by nothing: front matter; cells of code; roles that compute or cite; formulas, code in
# a line, addresses, options of directives and labels.
NOT_PROSE = [
    r"(?s)\A---\n.*?\n---\n",
    r"(?sm)^```(\{code-cell\}|\{literalinclude\}|\w).*?^```\s*$",
    r"\{(cite|eval|doc|ref|prf:ref|download)[^}]*\}`[^`]*`",
    r"\{[\w:-]+\}(?=`)",
    r"(?s)\$\$.*?\$\$",
    r"\$[^$\n]+\$",
    r"`[^`\n]*`",
    r"\]\([^)]*\)",
    r"<[^>\s]+>",
    r"(?m)^:[\w-]+:.*$",
    r"(?m)^\([\w-]+\)=$",
]


def prose(text):
    """A chapter's words."""
    return functools.reduce(lambda rest, pattern: re.sub(pattern, "", rest), NOT_PROSE, text)


def misspelled(text):
    """(what stands there, the book's form) for every word of another form."""
    return [
        (match[0], form)
        for pattern, form in TERMS.items()
        for match in re.finditer(pattern, prose(text), flags=re.IGNORECASE)
    ]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_terms_have_one_form(path):
    lines = path.read_text("utf-8").split("\n")
    found = []
    for word, form in misspelled("\n".join(lines)):
        line = next((number for number, text in enumerate(lines, 1) if word in text), 1)
        found.append(f"{path.name}:{line}: write {form!r} for {word!r}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "word",
    ["Renyi divergence", "neighboring data", "ZCDP", "sub-Gaussian", "postprocessing", "a tradeoff", "ε DP", "DP SGD"],
)
def test_another_form_is_found(word):
    assert misspelled(f"A sentence with {word} in it.\n")


@pytest.mark.parametrize(
    "text",
    [
        "Rényi, zCDP, ε-DP, subgaussian and post-processing.",
        "`divergence.renyi` and {cite}`renyi1961`",
        "```python\ncolor = 'renyi'\n```\n",
        "```{code-cell}\ndata_sets = neighbors(zcdp)\n```\n",
        "$\\color{red}$ [a page](neighbor.html)",
    ],
)
def test_code_formulas_and_the_book_s_own_forms_pass(text):
    assert misspelled(text) == []
