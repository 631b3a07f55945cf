"""Whether two models are the same problem: equal by a mapping, different by a witness, unknown."""

from ordojo.solvers.equivalence.answers import Comparison, Ground, ModelMapping, Verdict, Witness
from ordojo.solvers.equivalence.comparison import check_witness, compare
from ordojo.solvers.equivalence.mapping import check_mapping

__all__ = [
    "Comparison",
    "Ground",
    "ModelMapping",
    "Verdict",
    "Witness",
    "check_mapping",
    "check_witness",
    "compare",
]
