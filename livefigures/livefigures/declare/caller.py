"""Who has called: a warning names the author's line, and not one of this package."""

import sys


def outside() -> int:
    """Return the stack level of the first caller outside livefigures, for the `stacklevel` of a warning."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("livefigures."):
        level, frame = level + 1, frame.f_back
    return level
