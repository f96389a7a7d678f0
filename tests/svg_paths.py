"""How far a point is from a path of an SVG."""

import re
from itertools import accumulate

_PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def points_of(piece):
    """The corners of one stretch of a path, as complex numbers: places, or after an `l` steps from one to the next.

    >>> points_of("66 20L68 21"), points_of("66 20l2 1 -.5 3")
    ([(66+20j), (68+21j)], [(66+20j), (68+21j), (67.5+24j)])
    """
    places, _, steps = piece.partition("l")
    found, *rest = ([complex(float(x), float(y)) for x, y in _PAIR.findall(part)] for part in (places, steps))
    return found[:-1] + [*accumulate([*found[-1:], *rest[0]])]


def from_segment(point, start, end):
    """How far a point is from a line with two ends: turned and shrunk so that the line goes from 0 to 1."""
    if start == end:
        return abs(point - start)
    turned = (point - start) / (end - start)
    return abs(turned - min(max(turned.real, 0), 1)) * abs(end - start)


def from_path(point, corners):
    """How far a point is from the lines between the corners."""
    return min(from_segment(point, *pair) for pair in zip(corners, corners[1:] or corners, strict=False))
