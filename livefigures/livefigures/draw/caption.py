"""What stands below a figure in words: its caption, what it claims, and what leaves the picture at some settings."""

from html import escape

from livefigures.declare.figure import Declaration


def caption(figure: Declaration) -> str:
    """The caption as HTML, and below it a list of sentences that hold wherever the sliders stand; "" for neither."""
    said = [f"<li>{escape(claim.words)}</li>\n" for claim in figure.claims]  # lines: scripts take its plain text
    said += [f'<li class="live-leaves">{escape(words)}</li>\n' for words in _leaving(figure)]
    claims = f'\n<ul class="live-claims">\n{"".join(said)}</ul>' if said else ""
    return f"<figcaption>{escape(figure.caption)}{claims}</figcaption>" if figure.caption or claims else ""


def called(figure: Declaration, name: str) -> str:
    """A part's name in the table."""
    return getattr(figure.marks.get(name), "label", "") or name


def _leaving(figure: Declaration) -> list[str]:
    """A sentence for each side, or pair of sides, at which parts leave the picture."""
    by_sides: dict[str, list[str]] = {}
    for name, sides in figure.out_of_view.items():
        by_sides.setdefault(sides, []).append(name)
    return [f"At some settings {_named(figure, names)} the picture {_at(sides)}." for sides, names in by_sides.items()]


def _named(figure: Declaration, names: list[str]) -> str:
    """The subject and its verb: “supply” and “demand” leave."""
    curves = [name for name in names if name in figure.curves]
    if len(curves) == len(figure.curves) > 1:
        names = [name for name in names if name not in curves]
        return " and ".join(["every curve", *(f"“{called(figure, name)}”" for name in names)]) + (
            " leave" if names else " leaves"
        )
    return " and ".join(f"“{called(figure, name)}”" for name in names) + (" leave" if len(names) > 1 else " leaves")


def _at(sides: str) -> str:
    places = {"top": "at the top", "bottom": "at the bottom", "left": "on the left", "right": "on the right"}
    return " and ".join(places[side] for side in sides.split())
