"""MathJax from the book's own folder.

The package sphinx-mathjax-offline brings the files; as an extension it would copy all 24 MB into the site at each
build. One file draws everything: formulas as SVG, which needs no font files (browsers refuse fonts to a page opened
from a disk). The folders beside it are what its menu can load: rare TeX packages and the speech explorer.
"""

import importlib.util
import shutil
from pathlib import Path

from sphinx.application import Sphinx

_KEPT = ("tex-svg.js", "input/tex/extensions", "a11y", "sre")


def package_folder() -> Path:
    """MathJax's folder in the installed package (whose name, with hyphens, cannot be imported by a statement)."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    return Path(spec.submodule_search_locations[0], "static", "mathjax")


def copy_mathjax(app: Sphinx) -> None:
    """Put the kept files into the site, once."""
    source, target = package_folder(), Path(app.outdir, "_static", "mathjax")
    for name in _KEPT:
        if (target / name).exists():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        else:
            shutil.copy2(source / name, target / name)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", lambda app: copy_mathjax(app) if app.builder.format == "html" else None)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
