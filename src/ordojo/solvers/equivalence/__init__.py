"""Whether two models are the same problem: equal by a mapping, different by a witness, unknown."""

from ordojo.solvers.equivalence.answers import (
    Comparison,
    EquivalenceVerdict,
    Ground,
    ModelMapping,
    Witness,
)
from ordojo.solvers.equivalence.comparison import (
    check_mapping,
    check_witness,
    compare,
    compare_points,
)
from ordojo.solvers.equivalence.containment import check_implications, unmet

__all__ = [
    "Comparison",
    "EquivalenceVerdict",
    "Ground",
    "ModelMapping",
    "Witness",
    "check_implications",
    "check_mapping",
    "check_witness",
    "compare",
    "compare_points",
    "unmet",
]
