"""A kernel that runs before it is asked for: to start one and to import NumPy in it takes a second or two.

It knows nothing of this book, so that an edit of dp_lib or of an extension counts in it.
"""

import os
from pathlib import Path

from myst_nb.core.execute.inline import ModifiedNotebookClient
from nbformat.v4 import new_notebook

_waiting: list[ModifiedNotebookClient] = []


def start(folder: Path) -> None:
    """Start one that runs in this folder."""
    client = ModifiedNotebookClient(new_notebook(), record_timing=False, resources={"metadata": {"path": str(folder)}})
    client.km = client.create_kernel_manager()
    client.start_new_kernel()
    client.start_new_kernel_client()
    client.kc.execute("import numpy, scipy.optimize, scipy.special, scipy.stats", silent=True)
    _waiting.append(client)


def take() -> ModifiedNotebookClient | None:
    """The one that waits, if one does, in the environment that this process has by now."""
    if not _waiting:
        return None
    client = _waiting.pop()
    client.kc.execute(f"import os\nos.environ |= {dict(os.environ)!r}\ndel os", silent=True)
    return client


def end() -> None:
    """End the one that nobody took."""
    for client in _waiting:
        client._cleanup_kernel()
