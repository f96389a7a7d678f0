"""Say why a cell failed where its author looks: the last line of its error is the last line that the build says of it.

MyST-NB itself says that a notebook failed, and which file of 120 lines has the reason.
"""

import re

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
_TOO_LONG = (
    "a cell took longer than it may; a figure with lookup=True calls its function at each combination of its sliders' "
    "stops, so give these sliders larger steps, or set nb_execution_timeout = 300 in conf.py"
)
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def last_line(traceback: str) -> str:
    """Return what Python says last of an error.

    >>> last_line("Traceback ...\\n  File ...\\n\\x1b[31mValueError\\x1b[39m: no such ε\\n\\n")
    'ValueError: no such ε'
    """
    if "CellTimeoutError" in traceback:
        return _TOO_LONG
    lines = _COLOUR.sub("", traceback).strip().splitlines()
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def tell(app: Sphinx, env: BuildEnvironment) -> None:
    """Log the last line of each page whose execution ended in an error; silent where MyST-NB's own message is."""
    ran = {page: known.get("exec_data") for page, known in getattr(env, "nb_metadata", {}).items()}  # MyST-NB's own
    for page in sorted(env.found_docs & ran.keys()):
        if ran[page] and ran[page]["traceback"]:
            LOGGER.warning(last_line(ran[page]["traceback"]), location=page, type="mystnb", subtype="exec")


def setup(app: Sphinx) -> None:
    app.connect("env-updated", tell)
