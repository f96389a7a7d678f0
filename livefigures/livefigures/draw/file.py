"""The picture in a file, as matplotlib writes it, with every name inside."""

from collections.abc import Mapping
from pathlib import Path

from matplotlib.transforms import Bbox

from livefigures.declare.figure import Declaration
from livefigures.draw.draw import draw, style
from livefigures.draw.names import Names


def save(figure: Declaration, path: str | Path, values: Mapping[str, float], dpi: float, cursor: bool) -> None:
    """Write the picture at these values of all sliders to a file of any format that matplotlib knows."""
    drawing = draw(figure)
    canvas = drawing.canvas
    with style(figure.name):
        drawing.update(values)
        for (kind, _), artist in drawing.artists.items():
            if kind in ("cursor", "dot"):
                artist.set_visible(cursor and figure.cursor)
        Names(drawing, moved=True).put()
        # On a page a name takes the width of the page's font; in a file it may need more, and the file is then wider.
        drawn = canvas.get_tightbbox().padded(0.05)
        canvas.savefig(path, dpi=dpi, bbox_inches=Bbox.union([canvas.bbox_inches, drawn]))
