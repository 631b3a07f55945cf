"""What is wrong with a rebuilt model, and in which family (paper 003, figure 16).

In go a reference and a candidate, out comes a `Finding`. `finding.py` first asks
`solvers.equivalence` whether both are the same problem. If not, `align.py` matches columns (by name
or by what they meet) and then rows, over each model's `Layout` (`layout.py`: its groups and
families, and how to print them); `difference.py` says for each family what its unmatched rows have
otherwise: sides, coefficients, a shifted index. `optima.py` solves both and says which is tighter;
the rows that one model's best point breaks in the other rank the differences.
"""

from ordojo.structure.inspection.difference import Difference, Kind
from ordojo.structure.inspection.finding import Finding, inspect
from ordojo.structure.inspection.layout import Layout

__all__ = ["Difference", "Finding", "Kind", "Layout", "inspect"]
