"""Interactive inspection: what is wrong with a rebuilt model, and which family names it.

`inspect` compares a candidate with its reference; `inject` makes candidates with a known error.
"""

from ordojo.structure.inspection.difference import Difference, Kind
from ordojo.structure.inspection.finding import Finding, inspect
from ordojo.structure.inspection.layout import Layout

__all__ = ["Difference", "Finding", "Kind", "Layout", "inspect"]
