"""The site's icons, drawn here as strokes in a square of 24, and put into the pages as inline SVG.

The theme names its icons by the classes of an icon font, whose script weighs 1.5 MB. The element with the class
stays, since the theme's style and scripts ask for it; the drawing goes inside it.
"""

import re

# What each drawing shows, by the theme's name for it.
DRAWINGS = {
    "fa-angle-left": '<path d="m15 5-7 7 7 7"/>',
    "fa-angle-right": '<path d="m9 5 7 7-7 7"/>',
    "fa-arrow-up": '<path d="M12 20V5M5.5 11.5 12 5l6.5 6.5"/>',
    "fa-bars": '<path d="M4 6h16M4 12h16M4 18h16"/>',
    "fa-circle-half-stroke": (
        '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor"/>'
    ),
    "fa-code": '<path d="m8 7-5 5 5 5m8-10 5 5-5 5M13.5 5l-3 14"/>',
    "fa-download": '<path d="M12 4v11m-5-5 5 5 5-5M4 19.5h16"/>',
    "fa-expand": '<path d="M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5"/>',
    "fa-file": '<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4"/>',
    "fa-file-code": '<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4m-8 4-2 2.5 2 2.5m4-5 2 2.5-2 2.5"/>',
    "fa-file-pdf": '<path d="M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z"/>',
    "fa-lightbulb": '<path d="M9.5 18h5m-4 3h3M9.5 18c0-3-3-4-3-8a5.5 5.5 0 0 1 11 0c0 4-3 5-3 8z"/>',
    "fa-list": '<path d="M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01"/>',
    "fa-magnifying-glass": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>',
    "fa-moon": '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>',
    "fa-sun": (
        '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2m0 15v2M2.5 12h2m15 0h2'
        'M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>'
    ),
    # The hosts of repositories, all by one drawing: two branches of a history.
    "fa-github": (
        '<circle cx="7" cy="5" r="2"/><circle cx="7" cy="19" r="2"/><circle cx="17" cy="8" r="2"/>'
        '<path d="M7 7v10m10-7c0 4-10 2-10 5"/>'
    ),
}
DRAWINGS |= {"fa-gitlab": DRAWINGS["fa-github"], "fa-bitbucket": DRAWINGS["fa-github"]}
_EMPTY_ICON = re.compile(r'<(?P<tag>i|span) class="(?P<names>[^"]*\bfa-[^"]*)"(?P<rest>[^>]*)></(?P=tag)>')


def svg(name: str) -> str:
    """The drawing as an SVG element, in the colour and size of the text around it."""
    return f'<svg class="drawn" viewBox="0 0 24 24" aria-hidden="true">{DRAWINGS[name]}</svg>'


def with_drawings(html: str) -> str:
    """The page with a drawing in each empty icon.

    >>> with_drawings('<i class="fa-solid fa-bars"></i>')[:61]
    '<i class="fa-solid fa-bars"><svg class="drawn" viewBox="0 0 2'
    """

    def drawn(match: re.Match[str]) -> str:
        name = next((name for name in match["names"].split() if name in DRAWINGS), None)
        if name is None:
            raise LookupError(
                f"the theme asks for an icon that is not drawn: {match['names']}; draw it in {__name__}.py"
            )
        return f'<{match["tag"]} class="{match["names"]}"{match["rest"]}>{svg(name)}</{match["tag"]}>'

    return _EMPTY_ICON.sub(drawn, html)
