"""From a figure's functions to plain data: the tape that the page plays, and tables for what no tape can hold."""
