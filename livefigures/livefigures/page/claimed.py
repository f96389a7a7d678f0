"""A figure's claims, run where a page shows it: at the sliders' defaults and at every setting that the prose links to.

What fails stands in the page's data, where the build finds it; a test runs the claims at many more settings.
"""

import json
import os
from pathlib import Path

from livefigures.declare.claims import failures
from livefigures.declare.figure import Declaration

LINKED = "LIVEFIGURES_LINKED"  # an environment variable: the file with each figure's linked settings


def failing(figure: Declaration) -> list[str]:
    """What the claims get wrong there, in words, each claim once."""
    return failures(figure, [figure.defaults, *linked(figure)])


def linked(figure: Declaration) -> list[dict[str, float]]:
    """The linked settings, the other sliders at rest; an impossible one is the preset check's to report."""
    if not os.environ.get(LINKED):
        return []
    settings = json.loads(Path(os.environ[LINKED]).read_text("utf-8")).get(figure.name, [])
    return [figure.defaults | figure.check(values) for values in settings if figure.takes(values)]
