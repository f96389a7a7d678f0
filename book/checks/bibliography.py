"""Mistakes in the bibliography, by its line: one that cannot be read ends the build, in one line and no traceback."""

import re
from pathlib import Path

from pybtex.database import BibliographyDataError
from pybtex.database.input.bibtex import Parser
from pybtex.scanner import PybtexSyntaxError
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def repeated(text: str) -> list[tuple[int, str]]:
    r"""(line, key) of each entry whose key another has before it.

    >>> repeated("@book{a,\n}\n@book{b,\n}\n@book{a,\n}\n")
    [(5, 'a')]
    """
    found, seen = [], set()
    for number, line in enumerate(text.split("\n"), 1):
        entry = re.match(r"\s*@\w+\s*\{\s*([^\s,]+)\s*,", line)
        if entry and entry[1].lower() in seen:
            found.append((number, entry[1]))
        seen |= {entry[1].lower()} if entry else set()
    return found


def check(app: Sphinx, config: Config) -> None:
    """Read each bibliography before anything else does."""
    config.suppress_warnings = [*config.suppress_warnings, "bibtex.bibfile_data_error"]
    for name in config.bibtex_bibfiles:
        file = Path(app.srcdir, name)
        try:
            Parser().parse_file(str(file))
        except PybtexSyntaxError as error:
            raise SystemExit(
                f"{file}:{error.lineno}: ERROR: {error.args[0]}; the bibliography cannot be read"
            ) from None
        except BibliographyDataError:
            for line, key in repeated(file.read_text("utf-8")):
                LOGGER.warning(f"the key {key!r} is used twice in the bibliography", location=f"{file}:{line}")


def setup(app: Sphinx) -> None:
    app.connect("config-inited", check)
