"""Differential privacy: one module per definition, with the same function names in each."""
