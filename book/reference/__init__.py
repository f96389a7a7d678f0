"""The pages for reference: functions, parts of figures, the map of definitions, the formula editor's functions."""
