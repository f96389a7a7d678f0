"""The kernels of the pages. A preview starts one before its author saves, since that takes a second or two.

It knows nothing of this book, so that an edit of dp_lib or of an extension counts in it.
"""

import os
from pathlib import Path

from myst_nb.core.execute.inline import ModifiedNotebookClient
from nbformat.v4 import new_notebook

_waiting: list[ModifiedNotebookClient] = []


def start() -> None:
    """Start one; nothing in it has to be cleaned up at its end."""
    patient = {"startup_timeout": 600, "shutdown_kernel": "immediate"}  # seconds: a busy machine takes more than 60
    client = ModifiedNotebookClient(new_notebook(), record_timing=False, **patient)
    client.km = client.create_kernel_manager()
    client.start_new_kernel()
    _waiting.append(client)


def take(folder: Path) -> ModifiedNotebookClient:
    """Return a kernel in this folder, and in the environment that this process has by now."""
    if not _waiting:
        start()
    client = _waiting.pop()
    client.start_new_kernel_client()
    settings = f"os.environ |= {dict(os.environ)!r}\nos.chdir({str(folder)!r})"
    client.kc.execute(f"import os\n{settings}\ndel os", silent=True)
    return client


def end() -> None:
    """End the one that nobody took."""
    while _waiting:
        _waiting.pop()._cleanup_kernel()
