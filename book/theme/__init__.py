"""The book's pages: templates, style, search, formulas as MathML."""
