"""Whether two models are the same problem: equal by a mapping, different by a witness, unknown.

`comparison` asks in turn: `reduce` takes away what says nothing, `forms` matches what is left;
`containment` shows that each model follows from the other, `witnesses` looks for a difference.
`answers` has the verdict with its evidence.
"""

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
