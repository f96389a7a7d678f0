"""What stands below a figure in words: its caption and what it claims."""

from html import escape

from livefigures.declare.figure import Declaration


def caption(figure: Declaration) -> str:
    """The caption as HTML, and below it a list of sentences that hold wherever the sliders stand; "" for neither."""
    said = [f"<li>{escape(claim.words)}</li>\n" for claim in figure.claims]  # lines: scripts take its plain text
    claims = f'\n<ul class="live-claims">\n{"".join(said)}</ul>' if said else ""
    return f"<figcaption>{escape(figure.caption)}{claims}</figcaption>" if figure.caption or claims else ""


def called(figure: Declaration, name: str) -> str:
    """A part's name in the table."""
    return getattr(figure.marks.get(name), "label", "") or name
