"""Live figures in any book that Sphinx builds: `extensions = ["livefigures.sphinx"]`, beside MyST-NB.

It brings the figures' script and style, the roles `set` and `curve` and the directive `predict`, checks what they say
and what the figures claim, and says why a cell failed. One setting, `live_records = True`, makes each figure leave its
functions' values at random settings beside the site, for tests to replay.
"""

import hashlib
from pathlib import Path

from sphinx.application import Sphinx

from livefigures.sphinx import assets, checks, claims, curve_names, errors, predict, presets, records


def version_of_code() -> int:
    """Return one number for this package's Python code. Where it has changed, Sphinx reads all pages again."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return int(hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8], 16)


def setup(app: Sphinx) -> dict[str, bool | int]:
    for part in (records, presets, curve_names, predict, assets, errors, checks, claims):
        part.setup(app)
    return {"env_version": version_of_code(), "parallel_read_safe": True, "parallel_write_safe": True}
