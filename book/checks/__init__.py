"""Checks of a build: what a reader would stumble over ends it, with its file and line."""
