"""The renderer for a built page: no kernel, no server; the page's own scripts play the tape."""
