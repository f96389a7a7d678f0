"""matplotlib draws a figure once, for every renderer."""
