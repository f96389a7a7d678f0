"""Checks of your own code: `private(mechanism, table, neighbour, epsilon)` attacks a mechanism that you wrote.

`private` runs a mechanism many times on two neighbouring tables and looks for an event that is more likely on one of
them than the promise allows. A mechanism that it catches breaks its promise. A mechanism that it does not catch may
break it all the same, because no number of runs is a proof. `matches` compares a function with a correct one and
recognizes common slips. `accurate` puts the error of a mechanism next to that of a naive one and of the best known.
"""

from dp_lib.check.accuracy import Accuracy, accurate
from dp_lib.check.attack import CONFIDENCE, Verdict, private
from dp_lib.check.comparison import Match, matches
from dp_lib.check.runs import OTHER_SOURCE

__all__ = ["CONFIDENCE", "OTHER_SOURCE", "Accuracy", "Match", "Verdict", "accurate", "matches", "private"]
