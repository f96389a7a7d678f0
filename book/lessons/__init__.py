"""Lessons as decks: the slides and figures of a lesson's script, step by step, and a second window for the teacher."""
