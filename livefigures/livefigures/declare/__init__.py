"""What to draw: a figure, its parts, sliders and colours, and what a declaration must be. Nothing here knows how."""
