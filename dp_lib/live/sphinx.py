"""Other books name the extension `dp_lib.live.sphinx`; since version 0.2 it is `livefigures.sphinx`.

This goes with version 0.3.
"""

from livefigures.sphinx import setup

__all__ = ["setup"]
