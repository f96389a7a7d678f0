"""Exact composition: `PrivacyLoss` returns the ε and the δ of composed mechanisms between two proven bounds.

For privacy, a mechanism is the pair (P, Q) of its output's distributions on two neighbouring datasets, and of these
only the distribution of the privacy loss L = ln(P/Q) under P. Mechanisms run one after the other add their losses, and
delta(epsilon) = E[(1 - e^(epsilon - L))+]. Where the pair depends on who is P, both directions are composed and the
larger delta counts.

References: Sommer, Meiser & Mohammadi 2019; Koskela, Jälkö & Honkela 2020; Doroshenko, Ghazi, Kamath, Kumar &
Manurangsi 2022. The lower bound, the tilt and the stages for large k are explained in `lattice`.
"""

from dp_lib.pld.privacy_loss import Bracket, PrivacyLoss

__all__ = ["Bracket", "PrivacyLoss"]
