"""The attack game: the reader or the best attacker guesses from which table an answer came, and the book counts.

It is a plug-in of livefigures: a part beside a figure, with a script and a style of its own.
"""

from book.attack_game.game import Game

__all__ = ["Game"]
