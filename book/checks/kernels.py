"""The kernels that run the pages: the same for everybody.

They get an IPython folder of the build's own, so that the start-up files of whoever builds the book do not enter it.
Its settings silence a warning about its connection that a kernel writes when it starts, since any text on stderr fails
the build, and load what most pages import: in a preview, while a kernel waits (ready_kernel.py). Kernels compute in one
thread each, so that sums are added in one order whatever the number of processors, and two builds on one machine do not
wait for each other.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx

LOADED = "matplotlib.figure, numpy, scipy.optimize, scipy.special, scipy.stats"
SETTINGS = f"""c = get_config()
c.IPKernelApp.log_level = 'ERROR'
c.InteractiveShellApp.exec_lines = ['import {LOADED}', 'del matplotlib, numpy, scipy']
"""


def prepare(site: Path) -> None:
    """Make the folder beside the site, and name it in this process's environment, which the kernels inherit."""
    folder = site.resolve().parent / "ipython"
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(SETTINGS, "utf-8")
    os.environ["IPYTHONDIR"] = str(folder)
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", lambda app: prepare(Path(app.outdir)))
