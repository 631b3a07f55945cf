"""What is wrong with a rebuilt model, and in which family (paper 003, figure 16).

In go a reference and a candidate, out comes a `InspectionFinding`. `finding.py` first asks
`solvers.equivalence` whether both are the same problem. If not, `align.py` matches columns (by name
or by what they meet) and then rows, over each model's `ModelLayout` (`layout.py`: its groups and
families, and how to print them); `difference.py` says for each family what its unmatched rows have
otherwise: sides, coefficients, a shifted index. `optima.py` solves both and says which is tighter;
the rows that one model's best point breaks in the other rank the differences.
"""

from ordojo.structures.inspection.difference import DifferenceKind
from ordojo.structures.inspection.finding import InspectionFinding, inspect, structural
from ordojo.structures.inspection.layout import ModelLayout

__all__ = [
    "DifferenceKind",
    "InspectionFinding",
    "ModelLayout",
    "inspect",
    "structural",
]
