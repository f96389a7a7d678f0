"""Live figures in any book that Sphinx builds: `extensions = ["livefigures.sphinx"]`, beside MyST-NB.

It brings the figures' script and style, the roles `set` and `curve` and the directive `predict`, checks what they say
and what the figures claim, and says why a cell failed. One setting, `live_records = True`, makes each figure leave its
functions' values at random settings beside the site, for tests to replay.
"""

from sphinx.application import Sphinx

from livefigures.sphinx import assets, checks, claims, curve_names, errors, predict, presets, records


def setup(app: Sphinx) -> dict[str, bool]:
    for part in (records, presets, curve_names, predict, assets, errors, checks, claims):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
