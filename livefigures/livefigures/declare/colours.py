"""Colours of curves and marks: those that a book names, any of matplotlib's, and a cycle for curves that ask for none.

    palette(pure=("#1f5fbf", "#7db4ff"), exact="black", words=[("exact", "exact"), ("pure", "pure")])

Each colour is two, for light pages and for dark ones. With the dashes that tell two curves of one colour apart they are
a part's look.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

WHITE, DARK = "#ffffff", "#14181e"  # the grounds of a page in light and in dark, as Sphinx's PyData theme has them
CONTRAST = 4.5  # that text needs: a curve's name has the curve's colour
DARK_CONTRAST = 7.0  # of a dark twin that is computed
DASHES = {"": "solid", "solid": "solid", "dashed": (0, (6, 3)), "dotted": (0, (1.5, 2.5)), "dashdot": (0, (7, 3, 2, 3))}
# Of a page itself: --live-text and so on.
TAKEN = {"text", "muted", "page", "edge", "accent", "top", "right", "wrong", "colour"}

Asked = str | Sequence[Any]  # as in `Curve(colour=...)`


class ColourError(ValueError):
    """What is no colour, or no name of one: says what is."""


@dataclass(frozen=True)
class Colour:
    """A colour's name in a page's style, and its value on a light page and on a dark one."""

    name: str
    light: str
    dark: str


@dataclass(frozen=True)
class Look:
    """What tells one part of a figure from another."""

    colour: Colour
    dash: str


# Told apart with every kind of colour vision, and dark (or light) enough for text on either ground.
CYCLE = [
    Colour("cycle-1", "#1f5fbf", "#7db4ff"),
    Colour("cycle-2", "#b3400f", "#ff9a70"),
    Colour("cycle-3", "#00735c", "#3fd0ac"),
    Colour("cycle-4", "#9a2f8a", "#e59ddc"),
    Colour("cycle-5", "#781ef0", "#986cff"),
    Colour("cycle-6", "#1a1a1a", "#f4f4f4"),
]
NEUTRAL = Colour("neutral", "#5b6670", "#a8b3bd")  # of marks that ask for none, and of the cursor
LINES = ("solid", "dashed", "dotted", "dashdot")

NAMED: dict[str, Colour] = {}  # the palette
WORDS: list[tuple[str, str]] = []  # a word in a part's name, and the colour that it gives
OTHERWISE: list[str] = []  # the palette's colour for all other parts, if there is one


def palette(*, words: Sequence[tuple[str, str]] = (), otherwise: str = "", **colours: Asked) -> None:
    """Name the colours of a book, in place of those named before; parts ask for them by name.

    Parameters
    ----------
    words : (word, name of a colour): a part whose name holds the word has this colour, the first pair that fits counts
    otherwise : the colour of parts that ask for none and hold no word; without it curves take a cycle of colours
    colours : name=colour, as matplotlib knows it, or name=(light, dark) for the two kinds of pages

    Raises
    ------
    ColourError : naming the colour and what is wrong with it
    """
    named = {name: _named(name, asked) for name, asked in colours.items()}
    pairs = [(word.lower(), name) for word, name in words]
    for name in [*(name for _, name in pairs), *filter(None, [otherwise])]:
        if name not in named:
            raise ColourError(f"the palette has no colour {name!r}; it has {', '.join(named)}")
    for known, new in ((NAMED, named), (WORDS, pairs), (OTHERWISE, [*filter(None, [otherwise])])):
        known.clear()
        known.update(new) if isinstance(known, dict) else known.extend(new)


def _named(name: str, asked: Asked) -> Colour:
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or name in TAKEN or name == NEUTRAL.name:
        raise ColourError(f"a colour's name is lower-case letters and digits and none of {sorted(TAKEN)}, got {name!r}")
    found = own(asked)
    return Colour(name, found.light, found.dark)


def known() -> dict[str, Colour]:
    """Return every colour that has a name: the palette's, the cycle's and the neutral one."""
    return {colour.name: colour for colour in (*NAMED.values(), *CYCLE, NEUTRAL)}


def words_of(colour: str) -> list[str]:
    """Return the words that give a part this colour."""
    return [word for word, given in WORDS if given == colour]


def by_word(text: str) -> str:
    """Return the name of the colour that the first of the palette's words in a text gives, or ""."""
    return next((colour for word, colour in WORDS if word in text.lower()), "")


def by_name(name: str) -> Colour | None:
    """Return the colour that a part's name gives it: its word's, the palette's for all others, or none."""
    found = by_word(name) or "".join(OTHERWISE)
    return NAMED[found] if found else None


def own(asked: Asked) -> Colour:
    """Return a colour that no palette names, with its name in a page's style; a single one gets a twin for dark pages.

    >>> own("C0").light, own((0, 0, 1)).light, own(("#1f5fbf", "#7db4ff")).dark
    ('#1f77b4', '#0000ff', '#7db4ff')
    """
    pair = isinstance(asked, tuple | list) and len(asked) == 2 and all(isinstance(one, str | tuple) for one in asked)
    light, dark = map(_hex, asked) if pair and not _is_matplotlibs(asked) else (_hex(asked), "")
    dark = dark or twin(light)
    return Colour(f"own-{light[1:]}-{dark[1:]}", light, dark)


def _is_matplotlibs(asked: Any) -> bool:
    """Whether matplotlib takes it: ("red", 0.5), say, is red and half transparent."""
    from matplotlib.colors import is_color_like  # a figure of a palette's colours needs none of it

    return is_color_like(asked)


def _hex(asked: Any) -> str:
    from matplotlib.colors import to_rgba

    known = ", ".join(NAMED)
    form = f"one of {known}, or a colour" if known else "a colour"
    try:
        *_, alpha = rgba = to_rgba(asked)
    except (ValueError, TypeError):
        said = f'{form} of matplotlib such as "C0", "teal", "#1f5fbf" or (0.1, 0.4, 0.7), or (light, dark)'
        raise ColourError(f"{said}, got {asked!r}") from None
    if alpha < 1:
        raise ColourError(f"{form} that one cannot see through, got {asked!r}")
    return _written(255 * np.array(rgba[:3]))


def _channels(colour: str) -> NDArray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def _linear(colour: str) -> NDArray:
    channels = _channels(colour) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21, as the accessibility guidelines (WCAG) define it.

    >>> contrast("#ffffff", "#000000"), round(contrast("#ff0000", "#ffffff"), 2)
    (21.0, 4.0)
    """
    low, high = sorted(float(_linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@cache
def twin(light: str, ground: str = DARK, least: float = DARK_CONTRAST) -> str:
    """Return the colour mixed with so much white (or black, on a light ground) that it stands out on the ground.

    >>> twin("#1f5fbf"), twin("#ff0000", WHITE, CONTRAST), twin("#f0f0f0")
    ('#80a5db', '#ee0000', '#f0f0f0')
    """
    start, end = _channels(light), _channels(WHITE if ground == DARK else "#000000")
    mixed = (_written(start + share * (end - start)) for share in np.linspace(0, 1, 201))
    return next(colour for colour in mixed if contrast(colour, ground) >= least)


def _written(channels: NDArray) -> str:
    return "#" + "".join(f"{round(float(channel)):02x}" for channel in channels)


def faint(colour: Colour) -> str:
    """Return what keeps a colour from being read as text, with one that can be; "" if nothing does."""
    for value, ground, page in ((colour.light, WHITE, "light"), (colour.dark, DARK, "dark")):
        if contrast(value, ground) < CONTRAST:
            found = f"{value} has a contrast of {np.floor(100 * contrast(value, ground)) / 100:g} with a {page} page"
            return f"{found}, and a curve's name needs {CONTRAST:g}; {twin(value, ground, CONTRAST)} has it"
    return ""


def names_curve(colour: Any, curves: Collection[str]) -> bool:
    """Whether a part asks for the colour of one of these curves; a colour that has a name of its own comes first."""
    return isinstance(colour, str) and colour in curves and colour not in known()


def looks(curves: Mapping[str, tuple[Asked, str]], marks: Mapping[str, Asked]) -> dict[str, Look]:
    """Return the look of each part, no two curves the same that left it open; `curves` give (colour, dash), "" if none.

    A part may ask for the colour of a curve, by its name; if it is a curve too, it gets a dash of its own.

    >>> [(look.colour.name, look.dash) for look in looks({"a": ("C0", ""), "b": ("C0", "solid")}, {}).values()]
    [('own-1f77b4-71a9cf', 'dashed'), ('own-1f77b4-71a9cf', 'solid')]
    >>> supply, later = looks({"supply": ("C0", ""), "supply with tax": ("supply", "")}, {}).values()
    >>> later.colour == supply.colour, later.dash
    (True, 'dashed')
    """
    like = {name: asked for name, (asked, _) in curves.items() if names_curve(asked, curves)}
    own_looks = {name: look for name, look in curves.items() if name not in like}
    found = {name: Look(_asked(asked), dash) for name, (asked, dash) in own_looks.items() if asked and dash}
    for name, (asked, dash) in sorted(own_looks.items(), key=lambda curve: not curve[1][0]):
        if name not in found:
            found[name] = _free(name, asked, dash, [*found.values()])
    for name, curve in like.items():
        found[name] = _beside(found[curve].colour, curves[name][1], [*found.values()])
    for name, asked in marks.items():
        lent = found[asked].colour if names_curve(asked, curves) else None
        found[name] = Look(lent or (_asked(asked) if asked else by_name(name) or NEUTRAL), "")
    return {name: found[name] for name in [*curves, *marks]}


def _asked(asked: Asked) -> Colour:
    return known().get(asked) or own(asked) if isinstance(asked, str) else own(asked)


def _free(name: str, asked: Asked, dash: str, taken: Sequence[Look]) -> Look:
    """The first look that no other curve has; in the curve's own colour or dash, if it has one."""
    if asked:
        return _beside(_asked(asked), "", taken)
    return next(look for look in _possible(name, dash, taken) if look not in taken)


def _beside(colour: Colour, dash: str, taken: Sequence[Look]) -> Look:
    """The first look in this colour that no other curve has, or with this dash."""
    possible = [Look(colour, line) for line in ([dash] if dash else LINES)]
    return next((look for look in possible if look not in taken), possible[0])


def _possible(name: str, dash: str, taken: Sequence[Look]) -> Iterator[Look]:
    lines = [dash] if dash else LINES
    given = by_name(name)
    used = {look.colour.light for look in taken}
    yield from (Look(colour, line) for colour in ([given] if given else []) for line in lines)
    yield from (Look(colour, lines[0]) for colour in CYCLE if colour.light not in used)
    yield from (Look(colour, line) for line in lines for colour in CYCLE)
    yield from (Look(given or colour, lines[0]) for colour in CYCLE)
