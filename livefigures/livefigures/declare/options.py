"""Options under another name: a figure and its parts say which option is meant."""

import functools
import inspect
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar, cast

# As other libraries call them.
MEANT = {
    "color": "colour",
    "c": "colour",
    "linestyle": "dash",
    "ls": "dash",
    "title": "caption",
    "xlabel": "x",
    "ylabel": "y",
    "xlim": "x",
    "ylim": "y",
    "description": "alt",
    "min": "low",
    "max": "high",
    "value": "at",
    "default": "at",
    "unit": "words",
    "fmt": "format",
    "digits": "format",
    "text": "inside",
    "annotate": "inside",
    "annotation": "inside",
}

# What a figure has not, and what does instead.
_SECOND = (
    "; for a second axis or picture write panels=[lf.Figure(...)], and make the sliders of both once, with shared=True."
)
WITHOUT = dict.fromkeys(("y2", "yaxis2", "twinx", "secondary_y", "subplots", "axes", "below"), _SECOND)
WITHOUT["legend"] = "; the names of the curves stand at their ends, and all names are in the table below the picture."
WITHOUT["xerr"] = "; there are no error bars in x, and yerr is for those in y."

Part = TypeVar("Part", bound=type)
Made = TypeVar("Made", bound=Callable)


def closest(name: str, known: Iterable[str]) -> str:
    """Return a question for the one of the known names that is nearest to this one; "" if none is near.

    >>> closest("gama", ["gamma", "omega"]), closest("t", ["omega"]), closest("θ0", ["theta_0"])
    ("did you mean 'gamma'?", '', "did you mean 'theta_0'?")
    """
    plain = {_spelled(one): one for one in known}
    close = get_close_matches(_spelled(name), plain, 1)
    return f"did you mean {plain[close[0]]!r}?" if close else ""


def _spelled(name: str) -> str:
    """Return a name in small letters, with Greek letters by their names and without underscores."""
    letters = (unicodedata.name(one).rpartition(" ")[2] if "α" <= one.lower() <= "ω" else one for one in name)
    return "".join(letters).lower().replace("_", "")


def names_its_options(part: Part) -> Part:
    """Return a class that rejects an unknown option with the name of the one that is meant, or with all of them.

    >>> from livefigures import Points
    >>> Points([1], [2], color="red")
    Traceback (most recent call last):
    TypeError: Points has no option 'color', did you mean 'colour'? Its options are x, y, colour, label, yerr, ...
    >>> Points([1], [2], xerr=0.1)
    Traceback (most recent call last):
    TypeError: Points has no option 'xerr'; there are no error bars in x, and yerr is for those in y. Its options ...
    >>> from livefigures import Figure
    >>> Figure(name="growth", footnote="Growth")
    Traceback (most recent call last):
    TypeError: Figure 'growth' has no option 'footnote'. Its options are name, x, y, curves, ...
    >>> Figure(name="growth", y2=("speed", 0, 1))
    Traceback (most recent call last):
    TypeError: Figure 'growth' has no option 'y2'; for a second axis or picture write panels=[lf.Figure(...)], and ...
    >>> Figure(name="growth", legend=True)
    Traceback (most recent call last):
    TypeError: Figure 'growth' has no option 'legend'; the names of the curves stand at their ends, and all ...
    """
    made, known = part.__init__, list(inspect.signature(part).parameters)

    @functools.wraps(made)
    def init(self: Any, *values: Any, **options: Any) -> None:
        _reject_unknown(type(self).__name__, known, values, options)
        made(self, *values, **options)

    part.__init__ = init
    return part


def function_names_its_options(function: Made) -> Made:
    """Return a function that rejects an unknown option as `names_its_options` does.

    >>> from livefigures import choice
    >>> choice("plan", ["monthly", "yearly"], share=True)
    Traceback (most recent call last):
    TypeError: choice 'plan' has no option 'share', did you mean 'shared'? Its options are name, options, at, ...
    """
    known = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def checked(*values: Any, **options: Any) -> Any:
        _reject_unknown(function.__name__, known, values, options)
        return function(*values, **options)

    return cast("Made", checked)


def _reject_unknown(kind: str, known: Sequence[str], values: Sequence, options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in known:
            close = closest(MEANT[name] if MEANT.get(name) in known else name, known)
            hint = WITHOUT.get(name) or (f", {close}" if close else ".")
            called = dict(zip(known, values, strict=False)).get("name", options.get("name"))
            which = f" {called!r}" if isinstance(called, str) else ""
            raise TypeError(f"{kind}{which} has no option {name!r}{hint} Its options are {', '.join(known)}")
