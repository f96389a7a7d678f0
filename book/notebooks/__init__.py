"""Chapters as notebooks: to download from each page, and to open in JupyterLab."""
