"""The renderer for a kernel: ipywidgets and matplotlib."""
