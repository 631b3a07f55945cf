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
    compare,
    compare_points,
)
from ordojo.solvers.equivalence.containment import unmet

__all__ = [
    "Comparison",
    "EquivalenceVerdict",
    "Ground",
    "ModelMapping",
    "Witness",
    "check_mapping",
    "compare",
    "compare_points",
    "unmet",
]
