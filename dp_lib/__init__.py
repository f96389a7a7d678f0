"""Differential privacy in small rooms: one module per definition, the same verbs in each."""
