"""One colour per definition, and the dashes that tell two curves of one definition apart."""

# One colour per definition through the whole book, distinguishable with every kind of colour vision and dark enough for
# text on white (contrast >= 4.5). page/core/colours_light_and_dark.css has the same names, with a
# second set for dark pages.
COLOURS = {
    "pure": "#1f5fbf",
    "approx": "#b3400f",
    "cdp": "#9a2f8a",
    "rdp": "#00735c",
    "zcdp": "#8a5a00",
    "exact": "#1a1a1a",
    "data": "#5b6670",
}

# The first key found in a curve's name gives its colour.
WORDS = [
    ("zcdp", "zcdp"),
    ("rdp", "rdp"),
    ("rényi", "rdp"),
    ("cdp", "cdp"),
    ("exact", "exact"),
    ("gdp", "exact"),
    ("advanced", "approx"),
    ("classic", "approx"),
    ("optimal", "approx"),
    ("δ", "approx"),
    ("laplace", "pure"),
    ("basic", "pure"),
    ("pure", "pure"),
    ("ε-dp", "pure"),
]
DASHES = {"": "solid", "solid": "solid", "dashed": (0, (6, 3)), "dotted": (0, (1.5, 2.5)), "dashdot": (0, (7, 3, 2, 3))}


def colour_of(name: str, asked: str) -> str:
    """The colour's name for a part: what was asked for, or its definition's; "data" for the rest.

    >>> colour_of("zCDP, tight", "")
    'zcdp'
    """
    return asked or next((colour for word, colour in WORDS if word in name.lower()), "data")


def words_of(colour: str) -> list[str]:
    """The words that give a part this colour.

    >>> words_of("exact")
    ['exact', 'gdp']
    """
    return [word for word, given in WORDS if given == colour]
