"""How far a point is from a path of an SVG."""

import re


def points_of(piece):
    """The corners of one stretch of a path, as complex numbers."""
    return [complex(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", piece)]


def from_segment(point, start, end):
    """How far a point is from a line with two ends: turned and shrunk so that the line goes from 0 to 1."""
    if start == end:
        return abs(point - start)
    turned = (point - start) / (end - start)
    return abs(turned - min(max(turned.real, 0), 1)) * abs(end - start)


def from_path(point, corners):
    """How far a point is from the lines between the corners."""
    return min(from_segment(point, *pair) for pair in zip(corners, corners[1:] or corners, strict=False))
