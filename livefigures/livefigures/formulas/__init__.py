"""A figure from typed formulas: the grammar, a subset of Python's, and the verbs that a page composes.

Nothing of what is typed is run as a program: a line is read, checked against the grammar, and evaluated node by node.
"""
